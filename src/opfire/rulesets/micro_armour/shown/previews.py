"""Previews: the rolls that an action would lead to, with exact chances, and the attack being put together."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from opfire.core.actions import Action
from opfire.core.events import Calculation, Cases, Line
from opfire.core.flow import Frame
from opfire.core.texts import Text, Words, joined
from opfire.kit import shown as kit
from opfire.rulesets.micro_armour.cohesion import FAILURE
from opfire.rulesets.micro_armour.fire.attacks import Attack, Shot, combat, fire_roll
from opfire.rulesets.micro_armour.fire.standard import AddFirer, Attacking, Engage, Fire
from opfire.rulesets.micro_armour.moving.movement import GroupMovement, Order, group_of, group_rolls
from opfire.rulesets.micro_armour.moving.opportunity import Cover, OpportunityFire, Oppose, Reacting
from opfire.rulesets.micro_armour.pieces import Position
from opfire.rulesets.micro_armour.postures import Grouping
from opfire.rulesets.micro_armour.works.labour import Bridge, EngineeringTasks, Labour, labour_roll, rolls, rule_of


def attack_of(frame: Frame | None, action: Action | None) -> Attack | None:
    """The attack that an action would begin or go on with."""
    match frame, action:
        case _, Engage(unit, target, manner):
            return Attack(target, (Shot(unit, manner),))
        case OpportunityFire(kind=kind), Oppose(unit, target, manner):
            return Attack(target, (Shot(unit, manner),), kind)
        case _, Cover(unit, target, manner):
            return Attack(target, (Shot(unit, manner),), "covering")
        case Reacting(target=target, shots=shots, kind=kind), AddFirer(unit, manner):
            return Attack(target, (*shots, Shot(unit, manner)), kind)
        case Reacting(target=target, shots=shots, kind=kind), Fire() | None:
            return Attack(target, shots, kind)
        case Attacking(target=target, shots=shots), AddFirer(unit, manner):
            return Attack(target, (*shots, Shot(unit, manner)))
        case Attacking(target=target, shots=shots), Fire() | None:
            return Attack(target, shots)
    return None


def every_preview(sight: Position, frame: Frame, action: Action) -> Iterator[tuple[Words, Calculation]]:
    """The rolls of an action: of each firer the roll to fire, and the combat roll that follows its success."""
    attack = attack_of(frame, action)
    if attack is None:
        yield from _tries(sight, frame, action)
        return
    if sight.units[attack.target].at is None:
        return
    for shot in attack.shots:
        firer = sight.units[shot.unit]
        if firer.at is not None:
            yield Text("{}: to fire", (firer.name,)), fire_roll(sight, attack, shot)
            yield Text("{}: if it fires", (firer.name,)), combat(sight, attack, shot)


def _tries(sight: Position, frame: Frame, action: Action) -> Iterator[tuple[Words, Calculation]]:
    """The rolls of stands that try to move, or that work [8.2.4-roll, 8.2.8, 11.5.3-steps]."""
    match frame, action:
        case GroupMovement(independent=independent), Order(unit):
            group = group_of(sight, sight.units[unit])
            rolls_of_it = group_rolls(sight, group, independent)
            yield from ((joined(each.name for each in stands), roll) for stands, roll in rolls_of_it)
        case EngineeringTasks(), Labour(unit, work) if work in sight.works:
            worker, site = sight.units[unit], sight.works[work]
            if rolls(worker, site):
                yield worker.name, labour_roll(sight, worker, rule_of(worker, site))
        case EngineeringTasks(), Bridge(unit):
            yield sight.units[unit].name, labour_roll(sight, sight.units[unit], "11.5.7-build")


def preview(sight: Position, frame: Frame, action: Action) -> Calculation | Cases | None:
    """Both rolls of the last firer that an action names, or those of stands that try to move or to work; None if it
    rolls no dice.
    """
    attack = attack_of(frame, action)
    if attack is None:
        found = tuple(_tries(sight, frame, action))
        return found[0][1] if len(found) == 1 else Cases(found) if found else None
    if sight.units[attack.target].at is None or sight.units[attack.shots[-1].unit].at is None:
        return None
    return _both_rolls(sight, attack)


def _both_rolls(sight: Position, attack: Attack) -> Calculation:
    """The combat roll of the last firer, with the chance that its roll to fire fails [7.1.6-roll, 7.1.10-roll]."""
    made, fires = combat(sight, attack, attack.shots[-1]), fire_roll(sight, attack, attack.shots[-1])
    missed = fires.chances().get(FAILURE, Fraction(0))
    line = Line("note", "to fire", f"{round(100 * (1 - missed))} %", "7.1.6-roll")
    return replace(made, lines=(line, *made.lines), before=("does not fire", missed))


def building(sight: Position, frame: Frame | None) -> dict[str, Any] | None:
    """The attack that is being put together, with the rolls of its last firer, or the group that is being formed."""
    if isinstance(frame, Grouping):
        return kit.built("group", sight.units[frame.stands[0]].at, frame.stands, (), None)
    attack = attack_of(frame, None)
    if attack is None:
        return None
    made = _both_rolls(sight, attack)
    units = [shot.unit for shot in attack.shots]
    return kit.built("standard", sight.units[attack.target].at, units, (attack.target,), made.to_json())
