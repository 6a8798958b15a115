"""The worth of stands and of attacks, in victory points."""

from __future__ import annotations

from collections.abc import Iterable

from opfire.core.events import Calculation
from opfire.kit.scoring import counts
from opfire.rulesets.micro_armour import results
from opfire.rulesets.micro_armour.artillery.effects import attack as impact
from opfire.rulesets.micro_armour.charts import Result
from opfire.rulesets.micro_armour.close.close_assault import assault_roll, courage_roll, response_roll
from opfire.rulesets.micro_armour.cohesion import SUCCESS
from opfire.rulesets.micro_armour.fire.attacks import Attack, combat, fire_roll
from opfire.rulesets.micro_armour.pieces import Position, Side, Stand
from opfire.rulesets.micro_armour.victory import holds

RESULTS: tuple[Result, ...] = ("S", "(S)", "D", "E")
"""The results that harm."""

SUPPRESSED, DISORGANIZED = 0.85, 0.55
"""The worth of a stand in these states, in parts of the same stand in good order."""

USE = 0.02
"""The worth in victory points of a point of a stand's price, for its future use."""

RANKS = {"": 1.0, "HQ": 1.5, "GHQ": 2.5}
"""The worth of a stand of a rank, in parts of that of the same stand without one."""


HELD = 0.5
"""The part of an objective's points that its holders are worth together: who takes it has to keep it too."""

CONTESTED = 6
"""The points of an objective that only the decisions of a scenario name."""


def worth(unit: Stand) -> float:
    """The worth of a stand in victory points, less while it is shaken."""
    return USE * (unit.kind.points or 1) * _order(unit) * RANKS[unit.rank]


def _order(unit: Stand) -> float:
    return DISORGANIZED if unit.disorganized else SUPPRESSED if unit.suppressed else 1.0


def damage(sight: Position, roll: Calculation, target: Stand) -> float:
    """The loss that a combat roll brings the side of a target on average, after its present states [7.2-prog]."""
    taken = sum(chance(roll, result) * _taken(target, result) for result in RESULTS)
    return taken * (worth(target) + prize(sight, target))


def prize(sight: Position, target: Stand) -> float:
    """The victory points that the enemy of a stand gains by its loss: for the stand itself and for its objectives."""
    enemy = sight.setting.other[target.side]
    return _bounty(sight, enemy, target) + sum(
        HELD * _stake(sight, name) / len(holders)
        for name, at in sight.setting.objectives.items()
        if sight.control.get(name) == target.side
        and holds(target, at)
        and (holders := [unit for unit in sight.of(target.side) if holds(unit, at)])
    )


def _bounty(sight: Position, enemy: Side, target: Stand) -> int:
    """The victory points for the elimination of a stand."""
    names = (target.kind.id, target.kind.kind)
    return sum(
        each.points
        for each in sight.setting.scenario.victory
        if each.side == enemy and each.condition == "eliminate" and counts(each, names)
    )


def _stake(sight: Position, name: str) -> int:
    """The victory points by which the sides come nearer to each other when an objective changes hands."""
    return sum(each.points for each in sight.setting.scenario.victory if name in each.places) or CONTESTED


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
        left *= 1 - chance(fire_roll(sight, attack, before), SUCCESS) * chance(combat(sight, attack, before), "E")
    success = chance(fire_roll(sight, attack, shot), SUCCESS)
    return left * success * damage(sight, combat(sight, attack, shot), target)


def chance(roll: Calculation, result: str) -> float:
    """The chance of a result of a roll."""
    return float(roll.chances().get(result, 0))


def shelled(sight: Position, battery: Stand, targets: Iterable[Stand]) -> float:
    """The expected gain of a marker on each of these stands: of the enemy's, less that of friends."""
    found = 0.0
    for target in targets:
        sign = -1 if target.side == battery.side else 1
        found += sign * damage(sight, impact(sight, battery.kind, target, barrage=False), target)
    return found


def assaulted(sight: Position, unit: Stand, target: Stand) -> float:
    """The expected gain of a close assault by one stand: its own attack less the answer of the defender [8.8.3]."""
    answer = chance(response_roll(sight, target), SUCCESS) * damage(sight, assault_roll(sight, target, unit), unit)
    strike = chance(courage_roll(sight, unit), SUCCESS) * damage(sight, assault_roll(sight, unit, target), target)
    return strike - answer
