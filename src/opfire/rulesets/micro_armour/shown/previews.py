"""Previews: the rolls that an action would lead to, with exact chances, and the attack being put together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from opfire.core.actions import Action
from opfire.core.events import Calculation, Cases, Line
from opfire.core.flow import Frame
from opfire.core.texts import Text, Words
from opfire.kit import shown as kit
from opfire.rulesets.micro_armour.alternation import Pass
from opfire.rulesets.micro_armour.cohesion import FAILURE
from opfire.rulesets.micro_armour.fire.attacks import Attack, Shot, combat, fire_roll, flames_roll, with_hot_shot
from opfire.rulesets.micro_armour.fire.guns import weapon_of
from opfire.rulesets.micro_armour.fire.standard import AddFirer, Attacking, Engage, Fire
from opfire.rulesets.micro_armour.moving.opportunity import Cover, OpportunityFire, Oppose, Reacting, going_on
from opfire.rulesets.micro_armour.pieces import Position
from opfire.rulesets.micro_armour.postures import Grouping
from opfire.rulesets.micro_armour.shown.chances import aircraft, close, moves, shells, tasks
from opfire.rulesets.micro_armour.shown.chances.told import Rolling, Told


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


def _attack(sight: Position, frame: Frame, action: Action) -> Told:
    """The rolls of an attack: of each firer the roll to fire and the combat roll that follows its success, also that
    of a hot shot [12.2.1].

    Those of the target come after them, if it is to stand against flames, or to go on [8.5.4, 11.6.1].
    """
    attack = attack_of(frame, action)
    if attack is None or sight.units[attack.target].at is None:
        return
    for shot in attack.shots:
        firer = sight.units[shot.unit]
        if firer.at is not None:
            yield Text("{}: to fire", (firer.name,)), fire_roll(sight, attack, shot)
            yield Text("{}: if it fires", (firer.name,)), combat(sight, attack, shot)
            if sight.setting.has("12.2.1"):
                yield Text("{}: if it fires with a natural 1", (firer.name,)), combat(sight, attack, shot, 1)
    yield from _target(sight, attack)


def _target(sight: Position, attack: Attack) -> Told:
    """The rolls of the target of an attack, in the states that fire leaves it in [8.5.4, 11.6.1]."""
    target = sight.units[attack.target]
    flames = any(weapon_of(sight, sight.units[shot.unit], shot.manner).flame for shot in attack.shots)
    suppressed, disorganized = replace(target, suppressed=True), replace(target, disorganized=True)
    if flames:
        yield Text("{}: against the flames", (target.name,)), flames_roll(sight, target)
        yield Text("{}: against the flames, if suppressed", (target.name,)), flames_roll(sight, suppressed)
        yield Text("{}: against the flames, if disorganized", (target.name,)), flames_roll(sight, disorganized)
    progress = sight.progress
    if attack.kind == "opportunity" and progress is not None and progress.unit == target.id:
        yield Text("{}: to go on, if suppressed", (target.name,)), going_on(sight, suppressed)
        yield Text("{}: to go on, if disorganized", (target.name,)), going_on(sight, disorganized)


def _passed(sight: Position, frame: Frame, action: Pass) -> Told:
    """The rolls of a side that passes: to stand fast, or those of its missions [7.6.1.1, 12.6]."""
    yield from moves.declined(sight, frame, action)
    yield from shells.passed(sight, frame, action)


ROLLS: Mapping[type[Action], Rolling] = {
    **dict.fromkeys((Engage, AddFirer, Fire, Oppose, Cover), _attack),
    Pass: _passed,
    **shells.ROLLS,
    **aircraft.ROLLS,
    **moves.ROLLS,
    **close.ROLLS,
    **tasks.ROLLS,
}
"""The rolls that each kind of action leads to; all other actions roll no dice of their own."""


def every_preview(sight: Position, frame: Frame, action: Action) -> Iterator[tuple[Words, Calculation]]:
    """The rolls of an action, in the order in which they are made."""
    rolling = ROLLS.get(type(action))
    return iter(()) if rolling is None else rolling(sight, frame, action)


def preview(sight: Position, frame: Frame, action: Action) -> Calculation | Cases | None:
    """All rolls of an action; None if it rolls no dice.

    While an attack is put together it is both rolls of the last firer as one.
    """
    attack = attack_of(frame, action)
    if attack is not None and not isinstance(action, Fire):
        gone = sight.units[attack.target].at is None or sight.units[attack.shots[-1].unit].at is None
        return None if gone else _both_rolls(sight, attack)
    found = tuple(_whole_attack(sight, attack) if attack else every_preview(sight, frame, action))
    return found[0][1] if len(found) == 1 else Cases(found) if found else None


def _whole_attack(sight: Position, attack: Attack) -> Told:
    """The attack of each firer, both rolls as one, and the rolls of the target."""
    if sight.units[attack.target].at is None:
        return
    for number, shot in enumerate(attack.shots, 1):
        if sight.units[shot.unit].at is not None:
            so_far = Attack(attack.target, attack.shots[:number], attack.kind)
            yield sight.units[shot.unit].name, _both_rolls(sight, so_far)
    yield from _target(sight, attack)


def _both_rolls(sight: Position, attack: Attack) -> Calculation:
    """The combat roll of the last firer, with the chance that its roll to fire fails [7.1.6-roll, 7.1.10-roll].

    The chances are those of all its dice: a hot shot has outcomes of its own [12.2.1].
    """
    made, fires = with_hot_shot(sight, attack), fire_roll(sight, attack, attack.shots[-1])
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
