"""The worth of stands and of attacks, in victory points."""

from __future__ import annotations

from collections.abc import Iterable

from opfire.core.events import Calculation
from opfire.rulesets.micro_armour.artillery.effects import attack as impact
from opfire.rulesets.micro_armour.close.close_assault import assault_roll, courage_roll, response_roll
from opfire.rulesets.micro_armour.cohesion import SUCCESS
from opfire.rulesets.micro_armour.fire.attacks import Attack, combat, fire_roll
from opfire.rulesets.micro_armour.pieces import Position, Stand

GAINS = {"-": 0.0, "S": 0.15, "(S)": 0.2, "D": 0.45, "E": 1.0}
"""The worth of each result as a part of the target's own worth."""

USE = 0.02
"""The worth in victory points of a point of a stand's price, for its future use."""

RANKS = {"": 1.0, "HQ": 1.5, "GHQ": 2.5}
"""The worth of a stand of a rank, in parts of that of the same stand without one."""


def worth(unit: Stand) -> float:
    """The worth of a stand in victory points, less while it is shaken."""
    shaken = 0.6 if unit.disorganized else 0.85 if unit.suppressed else 1.0
    return USE * (unit.kind.points or 1) * shaken * RANKS[unit.rank]


def effect(roll: Calculation) -> float:
    """The expected result of a combat roll, as a part of the target's worth."""
    return sum(float(chance) * GAINS[result] for result, chance in roll.chances().items())


def gain(sight: Position, attack: Attack) -> float:
    """The expected gain of the last shot of an attack, where the shots before it may have been enough."""
    shot, target = attack.shots[-1], sight.units[attack.target]
    left = 1.0
    for before in attack.shots[:-1]:
        left *= 1 - _chance(fire_roll(sight, attack, before), SUCCESS) * _chance(combat(sight, attack, before), "E")
    success = _chance(fire_roll(sight, attack, shot), SUCCESS)
    return left * success * effect(combat(sight, attack, shot)) * worth(target)


def _chance(roll: Calculation, result: str) -> float:
    return float(roll.chances().get(result, 0))


def shelled(sight: Position, battery: Stand, targets: Iterable[Stand]) -> float:
    """The expected gain of a marker on each of these stands: of the enemy's, less that of friends."""
    found = 0.0
    for target in targets:
        sign = -1 if target.side == battery.side else 1
        found += sign * effect(impact(sight, battery.kind, target, barrage=False)) * worth(target)
    return found


def assaulted(sight: Position, unit: Stand, target: Stand) -> float:
    """The expected gain of a close assault by one stand: its own attack less the answer of the defender [8.8.3]."""
    answer = _chance(response_roll(sight, target), SUCCESS) * effect(assault_roll(sight, target, unit))
    strike = _chance(courage_roll(sight, unit), SUCCESS) * effect(assault_roll(sight, unit, target))
    return strike * worth(target) - answer * worth(unit)
