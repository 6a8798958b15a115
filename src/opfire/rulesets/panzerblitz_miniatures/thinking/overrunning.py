"""Overruns that make sense: vehicles that drive up to an enemy on clear terrain and attack in the same phase."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from opfire.core.actions import Action
from opfire.core.places import INCH, Point
from opfire.core.ruleset import Suggestion
from opfire.core.texts import Text
from opfire.rulesets.panzerblitz_miniatures.close.close_combat import CarryOut
from opfire.rulesets.panzerblitz_miniatures.close.overrun import (
    Overrun,
    cost,
    never_overruns,
    not_clear,
    overrun_before,
    wrong_class,
)
from opfire.rulesets.panzerblitz_miniatures.fire.attacks import Attack
from opfire.rulesets.panzerblitz_miniatures.moving.marching import ground
from opfire.rulesets.panzerblitz_miniatures.moving.movement_costs import ROADS
from opfire.rulesets.panzerblitz_miniatures.moving.reach import cannot_stop
from opfire.rulesets.panzerblitz_miniatures.pieces import ADJACENT, Stand, UnitId
from opfire.rulesets.panzerblitz_miniatures.setup import others
from opfire.rulesets.panzerblitz_miniatures.thinking.charging import answered
from opfire.rulesets.panzerblitz_miniatures.thinking.firing import LEAST, volley
from opfire.rulesets.panzerblitz_miniatures.thinking.mind import Mind
from opfire.rulesets.panzerblitz_miniatures.thinking.ways import Plan, legs, passage, reached, straightened, worth
from opfire.space.measure import MICRO, square

REGRET = 0.7
"""The part of the difference between two places that counts for the one from which a unit overruns."""


def overruns(mind: Mind, units: Iterable[Stand]) -> list[Suggestion]:
    """The overruns of enemies in reach, each with all vehicles that add to it, the best first."""
    vehicles = [unit for unit in units if not unit.by_road and never_overruns(unit) is None]
    found = (_overrun(mind, foe, vehicles) for foe in mind.foes) if vehicles else ()
    return sorted((each for each in found if each is not None), key=lambda each: -each.worth)


def _overrun(mind: Mind, foe: Stand, vehicles: Iterable[Stand]) -> Suggestion | None:
    if foe.at is None or foe.aircraft or overrun_before(foe):
        return None
    plans: dict[UnitId, Plan] = {}
    for unit in vehicles:
        if _may(mind, unit, foe) and (plan := _approach(mind, unit, foe.at, list(plans.values()))):
            plans[unit.id] = plan
    if not plans:
        return None
    costs = {name: max(0.0, -plan.worth) for name, plan in plans.items()}
    best = volley(mind, Attack("overrun", foe.id), list(plans), costs)
    if best is None or best.worth - answered(mind, foe, best) <= LEAST:
        return None
    steps = [step for name in best.units for step in _steps(mind, name, plans[name], foe.id)]
    words = Text("drives up and overruns: {}", (best.words,))
    return Suggestion(
        steps[0], best.worth - answered(mind, foe, best), words, (*steps[1:], CarryOut("overrun", foe.id))
    )


def _may(mind: Mind, unit: Stand, foe: Stand) -> bool:
    """Return whether a vehicle may overrun an enemy, and might come near enough on the best ground."""
    assert unit.at is not None
    assert foe.at is not None
    left = mind.position.allowance(unit) - unit.spent - cost(mind.position) * MICRO
    near = left // (MICRO // INCH) + mind.position.setting.base + ADJACENT
    return (
        left >= 0
        and square(unit.at, foe.at) <= near**2
        and wrong_class(unit, foe) is None
        and not_clear(mind.position, unit, foe) is None
    )


def _approach(mind: Mind, unit: Stand, foe: Point, taken: Sequence[Plan]) -> Plan | None:
    """The best way to a place beside an enemy with the points for an overrun left; its worth is against staying."""
    assert unit.at is not None
    position, base = mind.position, mind.position.setting.base
    reach, around = reached(mind, unit), others(position, unit)
    limit = position.allowance(unit) - unit.spent - cost(position) * MICRO
    here, best = worth(mind, unit, unit.at), None
    for at, spent in reach.costs.items():
        if spent > limit or square(at, foe) > (base + ADJACENT) ** 2:
            continue
        if any(square(at, plan.to) < base**2 for plan in taken):
            continue
        if at != unit.at and (cannot_stop(position.table.ground, at, around) or not position.table.holds(at)):
            continue
        corners = tuple(straightened(reach.route(at))[1:])
        if _by_road(mind, (unit.at, *corners)):
            continue
        risk = mind.value(unit) * passage(mind, unit, corners) * mind.caution
        change = REGRET * (worth(mind, unit, at) - here) - risk
        if best is None or change > best.worth:
            best = Plan(at, corners, change, "")
    return best


def _by_road(mind: Mind, way: Sequence[Point]) -> bool:
    """Return whether a way may follow a road at its rate [OVR-11]: some corner of it lies on one."""
    land = ground(mind.position)
    return any(not ROADS.isdisjoint(land.at(a).kinds) for a, _ in pairwise(way))


def _steps(mind: Mind, unit_id: UnitId, plan: Plan, foe: UnitId) -> list[Action]:
    """The legs of a vehicle, and its part in the overrun."""
    return [*legs(mind, mind.position.units[unit_id], plan), Overrun(unit_id, foe)]
