"""Previews: the rolls that an action would lead to, with exact chances, and the attack being put together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from opfire.core.actions import Action
from opfire.core.events import Calculation
from opfire.core.flow import Frame
from opfire.core.texts import Text, Words
from opfire.kit import shown as kit
from opfire.rulesets.micro_armour.fire.attacks import Attack, Shot, combat, fire_roll
from opfire.rulesets.micro_armour.fire.standard import AddFirer, Attacking, Engage, Fire
from opfire.rulesets.micro_armour.moving.opportunity import Cover, OpportunityFire, Oppose, Reacting
from opfire.rulesets.micro_armour.pieces import Position


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
    if attack is None or sight.units[attack.target].at is None:
        return
    for shot in attack.shots:
        firer = sight.units[shot.unit]
        if firer.at is not None:
            yield Text("{}: to fire", (firer.name,)), fire_roll(sight, attack, shot)
            yield Text("{}: if it fires", (firer.name,)), combat(sight, attack, shot)


def preview(sight: Position, frame: Frame, action: Action) -> Calculation | None:
    """The roll to fire of the last firer that an action names; None if it rolls no dice."""
    attack = attack_of(frame, action)
    if attack is None or sight.units[attack.target].at is None or sight.units[attack.shots[-1].unit].at is None:
        return None
    return fire_roll(sight, attack, attack.shots[-1])


def building(sight: Position, frame: Frame | None) -> dict[str, Any] | None:
    """The attack that is being put together, with the combat roll of its last firer."""
    attack = attack_of(frame, None)
    if attack is None:
        return None
    made = combat(sight, attack, attack.shots[-1])
    units = [shot.unit for shot in attack.shots]
    return kit.built("standard", sight.units[attack.target].at, units, (attack.target,), made.to_json())
