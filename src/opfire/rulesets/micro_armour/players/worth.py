"""The worth of stands and of attacks, in victory points."""

from __future__ import annotations

from collections.abc import Iterable

from opfire.core.events import Calculation
from opfire.rulesets.micro_armour import results
from opfire.rulesets.micro_armour.artillery.effects import attack as impact
from opfire.rulesets.micro_armour.charts import Result
from opfire.rulesets.micro_armour.close.close_assault import assault_roll, courage_roll, response_roll
from opfire.rulesets.micro_armour.cohesion import SUCCESS
from opfire.rulesets.micro_armour.fire.attacks import Attack, combat, fire_roll
from opfire.rulesets.micro_armour.pieces import Position, Stand

RESULTS: tuple[Result, ...] = ("S", "(S)", "D", "E")
"""The results that harm."""

SUPPRESSED, DISORGANIZED = 0.85, 0.55
"""The worth of a stand in these states, in parts of the same stand in good order."""

USE = 0.02
"""The worth in victory points of a point of a stand's price, for its future use."""

RANKS = {"": 1.0, "HQ": 1.5, "GHQ": 2.5}
"""The worth of a stand of a rank, in parts of that of the same stand without one."""


def worth(unit: Stand) -> float:
    """The worth of a stand in victory points, less while it is shaken."""
    return USE * (unit.kind.points or 1) * _order(unit) * RANKS[unit.rank]


def _order(unit: Stand) -> float:
    return DISORGANIZED if unit.disorganized else SUPPRESSED if unit.suppressed else 1.0


def damage(roll: Calculation, target: Stand) -> float:
    """The loss of worth that a combat roll brings a target on average, after its present states [7.2-prog]."""
    return sum(_chance(roll, result) * _taken(target, result) for result in RESULTS) * worth(target)


def _taken(target: Stand, result: Result) -> float:
    """The part of its present worth that a result takes from a stand."""
    match results.effect(target, result):
        case "E":
            return 1.0
        case "D":
            return 1 - DISORGANIZED / _order(target)
        case "S" if not target.disorganized:
            return 1 - SUPPRESSED
    return 0.0


def gain(sight: Position, attack: Attack) -> float:
    """The expected gain of the last shot of an attack, where the shots before it may have been enough."""
    shot, target = attack.shots[-1], sight.units[attack.target]
    left = 1.0
    for before in attack.shots[:-1]:
        left *= 1 - _chance(fire_roll(sight, attack, before), SUCCESS) * _chance(combat(sight, attack, before), "E")
    success = _chance(fire_roll(sight, attack, shot), SUCCESS)
    return left * success * damage(combat(sight, attack, shot), target)


def _chance(roll: Calculation, result: str) -> float:
    return float(roll.chances().get(result, 0))


def shelled(sight: Position, battery: Stand, targets: Iterable[Stand]) -> float:
    """The expected gain of a marker on each of these stands: of the enemy's, less that of friends."""
    found = 0.0
    for target in targets:
        sign = -1 if target.side == battery.side else 1
        found += sign * damage(impact(sight, battery.kind, target, barrage=False), target)
    return found


def assaulted(sight: Position, unit: Stand, target: Stand) -> float:
    """The expected gain of a close assault by one stand: its own attack less the answer of the defender [8.8.3]."""
    answer = _chance(response_roll(sight, target), SUCCESS) * damage(assault_roll(sight, target, unit), unit)
    strike = _chance(courage_roll(sight, unit), SUCCESS) * damage(assault_roll(sight, unit, target), target)
    return strike - answer
