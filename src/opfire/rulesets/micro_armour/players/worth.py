"""The worth of stands and of attacks, in victory points."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from opfire.core.events import Calculation
from opfire.kit.scoring import counts
from opfire.rulesets.micro_armour import results
from opfire.rulesets.micro_armour.artillery.effects import attack as impact
from opfire.rulesets.micro_armour.charts import Result
from opfire.rulesets.micro_armour.close.close_assault import (
    assault_roll,
    assaulters,
    courage_roll,
    responds,
    response_roll,
)
from opfire.rulesets.micro_armour.close.overrun import answer_roll, attack_roll, defence_roll, nerve_roll, overrunning
from opfire.rulesets.micro_armour.cohesion import FAILURE, SUCCESS
from opfire.rulesets.micro_armour.decisions import contesters
from opfire.rulesets.micro_armour.fire.attacks import Attack, Shot, combat, fire_roll
from opfire.rulesets.micro_armour.fire.standard import cannot_fire, shots_at
from opfire.rulesets.micro_armour.pieces import Position, Side, Stand
from opfire.rulesets.micro_armour.riders import targets
from opfire.rulesets.micro_armour.victory import holds

RESULTS: tuple[Result, ...] = ("S", "(S)", "D", "E")
"""The results that harm."""

States = dict[tuple[bool, bool], float]
"""The chances that a stand is suppressed or not, disorganized or not; those of its loss are left out."""

SUPPRESSED, DISORGANIZED = 0.9, 0.6
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
    return _use(unit) * _order(unit.suppressed, unit.disorganized)


def _use(unit: Stand) -> float:
    """The worth of a stand in good order."""
    return USE * (unit.kind.points or 1) * RANKS[unit.rank]


def _order(suppressed: bool, disorganized: bool) -> float:
    return DISORGANIZED if disorganized else SUPPRESSED if suppressed else 1.0


def damage(sight: Position, roll: Calculation, target: Stand) -> float:
    """The loss that a combat roll brings the side of a target on average, after its present states [7.2-prog]."""
    now: States = {(target.suppressed, target.disorganized): 1.0}
    return (_left(now) - _left(_struck(now, roll, 1.0))) * (_use(target) + prize(sight, target))


def _struck(states: States, roll: Calculation, success: float) -> States:
    """The chances of a stand's states after a combat roll that is made with this chance; a lost stand has no state."""
    chances = [(result, success * chance(roll, result)) for result in RESULTS]
    after: States = {}
    for (suppressed, disorganized), likely in states.items():
        for result, part in (*chances, ("-", 1 - sum(part for _, part in chances))):
            effect = results.progress(suppressed, disorganized, result)
            if effect != "E":
                state = suppressed or effect == "S", disorganized or effect == "D"
                after[state] = after.get(state, 0.0) + likely * part
    return after


def _left(states: States) -> float:
    """The part of a stand's use that is left on average in these states."""
    return sum(likely * _order(*state) for state, likely in states.items())


def prize(sight: Position, target: Stand) -> float:
    """The victory points that the enemy of a stand gains by its loss: for the stand itself and for its objectives."""
    enemy = sight.setting.other[target.side]
    return (
        _bounty(sight, enemy, target)
        + _denied(sight, enemy, target)
        + sum(
            HELD * _stake(sight, name) / len(holders)
            for name, at in sight.setting.objectives.items()
            if sight.control.get(name) == target.side
            and holds(target, at)
            and (holders := [unit for unit in sight.of(target.side) if holds(unit, at)])
        )
    )


def _denied(sight: Position, enemy: Side, target: Stand) -> float:
    """The points of the features that a stand denies to its enemy, who has to hold them alone."""
    return sum(
        HELD * CONTESTED / len(stands)
        for stands in contesters(sight, enemy).values()
        if target.id in {stand.id for stand in stands}
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


def gain(sight: Position, attack: Attack) -> float:
    """The expected gain of the last shot of an attack, after all that the shots before it may have done [7.2-prog]."""
    target = sight.units[attack.target]
    states: States = {(target.suppressed, target.disorganized): 1.0}
    before = after = _left(states)
    for shot in attack.shots:
        success = chance(fire_roll(sight, attack, shot), SUCCESS)
        states = _struck(states, combat(sight, attack, shot), success)
        before, after = after, _left(states)
    return (before - after) * (_use(target) + prize(sight, target))


def best_shot(sight: Position, unit: Stand) -> float:
    """The greatest gain of a shot that a stand can fire now."""
    if cannot_fire(sight, unit.side, unit) is not None:
        return 0.0
    return max((gain(sight, attack) for attack in attacks(sight, unit)), default=0.0)


def attacks(sight: Position, unit: Stand) -> Iterator[Attack]:
    """The attacks that a stand can make alone."""
    for target in targets(sight, unit.side):
        for manner in shots_at(sight, unit, target):
            yield Attack(target.id, (Shot(unit.id, manner),))


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
    """The expected gain of a close assault by one stand: its own attack less the answer of the defender [8.8.3].

    The defender answers to one assaulter alone [8.8.3-2], and those that have declared before may be enough.
    """
    states: States = {(target.suppressed, target.disorganized): 1.0}
    before = [each for each in assaulters(sight, target) if each.id != unit.id]
    for each in before:
        states = _assaulted(sight, states, each, target)
    won = (_left(states) - _left(_assaulted(sight, states, unit, target))) * (_use(target) + prize(sight, target))
    if before or not responds(sight, target):
        return won
    return won - chance(response_roll(sight, target), SUCCESS) * damage(sight, assault_roll(sight, target, unit), unit)


def _assaulted(sight: Position, states: States, unit: Stand, target: Stand) -> States:
    """The chances of the states of a stand after the attack of one assaulter."""
    return _struck(states, assault_roll(sight, unit, target), chance(courage_roll(sight, unit), SUCCESS))


def overrun(sight: Position, unit: Stand, target: Stand) -> float:
    """The expected gain of an overrun by one vehicle: its own attack less the answer of the target [8.7.8].

    The vehicles that have overrun the target before may be enough.
    """
    hit, answer = attack_roll(sight.charts), answer_roll(sight, target)
    left = 1.0
    for before in overrunning(sight, target):
        left *= 1 - chance(defence_roll(sight, target, before), FAILURE) * chance(hit, "E")
    won = left * chance(defence_roll(sight, target, unit), FAILURE) * damage(sight, hit, target)
    return won - chance(nerve_roll(sight, unit, target), FAILURE) * damage(sight, answer, unit)
