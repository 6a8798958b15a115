"""Ways of one unit that make sense: the best of the points in reach by goals, danger, and chances to hit."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, pairwise
from math import isqrt
from typing import NamedTuple

from msgspec.structs import replace

from opfire.core.actions import Action
from opfire.core.places import INCH, Point
from opfire.core.texts import Text, Words
from opfire.rulesets.panzerblitz_miniatures.moving.manoeuvres import QuickMarch
from opfire.rulesets.panzerblitz_miniatures.moving.marching import Move, going, mover
from opfire.rulesets.panzerblitz_miniatures.moving.reach import cannot_stop, may_always_move_an_inch
from opfire.rulesets.panzerblitz_miniatures.pieces import Stand
from opfire.rulesets.panzerblitz_miniatures.setup import others
from opfire.rulesets.panzerblitz_miniatures.thinking.ground import whole_inches
from opfire.rulesets.panzerblitz_miniatures.thinking.hunting import approach, eager, observes, watch
from opfire.rulesets.panzerblitz_miniatures.thinking.mind import Mind, useful
from opfire.space.measure import bearing, square
from opfire.space.terrain.reach import Reach

DRAWN, COVERED, HIDDEN, NEAREST = 14, 6, 4, 6
"""The number of points that are weighed: those nearest to the goals, the best in cover, the best behind crests, and
those nearest to the enemy, for units that look for him."""

STILL = 0.04
"""The worth of a Firing Position besides the shots that it allows [FPS-1]."""

LEAST = 0.03
"""The least gain for which a unit moves."""


class Plan(NamedTuple):
    """A way for a unit: its end, the corners up to there, the gain over staying, the reason; and whether to hurry."""

    to: Point
    corners: tuple[Point, ...]
    worth: float
    why: Words
    quick: bool = False


def best_plan(mind: Mind, unit: Stand) -> Plan | None:
    """The best way of a unit, if it is better than to stay; a quick march where nobody may fire at it [QM-2]."""
    if unit.kind.quick_march and not (unit.quick or unit.spent):
        plan = _best_way(mind, replace(unit, quick=True))
        if plan is None or not passage(mind, unit, plan.corners):
            return plan and plan._replace(quick=True)
    return _best_way(mind, unit)


def _best_way(mind: Mind, unit: Stand) -> Plan | None:
    assert unit.at is not None
    reach = reached(mind, unit)
    points = candidates(mind, unit, reach)
    here = worth(mind, unit, unit.at) + (STILL + 0.3 * mind.prospects(unit, unit.at) if not unit.spent else 0.0)
    best: Plan | None = None
    for to in points:
        gain = worth(mind, unit, to) - here
        if gain <= (best.worth if best else LEAST):
            continue
        corners = tuple(straightened(reach.route(to))[1:])
        gain -= mind.value(unit) * passage(mind, unit, corners) * mind.caution
        if gain > (best.worth if best else LEAST):
            best = Plan(to, corners, gain, _why(mind, unit, to))
    return best


def legs(mind: Mind, unit: Stand, plan: Plan) -> Iterator[Action]:
    """The legs of a plan, each facing its direction, the last one the nearest enemy; a quick march is announced."""
    assert unit.at is not None
    start = unit.at
    if plan.quick:
        yield QuickMarch(unit.id)
    for to in plan.corners:
        facing = bearing(start, to)
        if to == plan.to and (foe := mind.nearest_foe(to)) and foe.at not in (None, to):
            assert foe.at is not None
            facing = bearing(to, foe.at)
        yield Move(unit.id, to, facing)
        start = to


def reached(mind: Mind, unit: Stand) -> Reach:
    """The points that a unit can reach now."""
    assert unit.at is not None
    position = mind.position
    country = position.setting.country(position.works.values())
    walker, progress, around = mover(position, unit), going(position, unit), others(position, unit)
    found = country.reach(walker, unit.at, progress, around)
    if len(found.costs) < 3 and may_always_move_an_inch(walker, progress.allowance) and progress.gone < INCH:
        return country.inch_by_right(walker, unit.at, progress, around)
    return found


def candidates(mind: Mind, unit: Stand, reach: Reach) -> list[Point]:
    """The points that are worth a closer look."""
    around, ground = others(mind.position, unit), mind.position.table.ground
    slow = len(reach.costs) < 60
    free = [
        at
        for at in (sorted(reach.costs) if slow else whole_inches(reach.costs))
        if at != unit.at and mind.position.table.holds(at) and cannot_stop(ground, at, around) is None
    ]
    best = sorted(free, key=lambda at: (-mind.pull(unit, at), at))
    covered = [at for at in best if mind.shelter(unit, at).cover or mind.shelter(unit, at).modifier]
    foe = mind.nearest_foe(unit.at) if unit.at else None
    hidden = (at for at in best if foe and foe.at and mind.behind_crest(foe.at, unit, at))
    return list(
        dict.fromkeys([*best[:DRAWN], *covered[:COVERED], *islice(hidden, HIDDEN), *_towards(mind, unit, free)])
    )


def _towards(mind: Mind, unit: Stand, free: list[Point]) -> list[Point]:
    """Points nearer and nearer to the enemy for observers, and for a side that has to destroy him."""
    foe = mind.nearest_foe(unit.at) if unit.at else None
    if foe is None or foe.at is None or not (observes(unit) or eager(mind)):
        return []
    start = foe.at
    nearest = sorted(free, key=lambda at: (square(at, start), at))
    return nearest[: len(nearest) // 2 + 1 : len(nearest) // (2 * NEAREST) + 1]


def worth(mind: Mind, unit: Stand, at: Point) -> float:
    """The worth of a unit at a point at the end of its move."""
    shelter = mind.shelter(unit, at)
    found = mind.pull(unit, at) - mind.value(unit) * mind.danger(unit, at) * mind.caution
    found += 0.03 * shelter.modifier + (0.03 if shelter.cover else 0.0)
    if mind.left > 0:
        found += 0.35 * mind.prospects(unit, at) + watch(mind, unit, at) + approach(mind, unit, at)
    return found + led(mind, unit, at)


def led(mind: Mind, unit: Stand, at: Point) -> float:
    """The worth of being in command: units stay near their posts, and posts near their units [CMD-1]."""
    posts = [friend for friend in mind.friends if friend.kind.radio == "command" and friend.at]
    if unit.kind.radio:
        mates = [friend.at for friend in mind.friends if useful(friend) and friend.at]
        if not mates:
            return 0.0
        return -0.02 * sum(max(0.0, isqrt(square(at, mate)) / INCH - 12.0) for mate in mates) / len(mates)
    if not posts or any(square(at, post.at or at) <= (18 * INCH) ** 2 for post in posts):
        return 0.0
    return -0.15


def passage(mind: Mind, unit: Stand, corners: tuple[Point, ...]) -> float:
    """The share of a unit that opportunity fire on the way is expected to take [OPP-3]."""
    assert unit.at is not None
    watchers = [foe for foe in mind.foes if (foe.position or foe.work) and not foe.reacted and not foe.dispersed]
    if not watchers:
        return 0.0
    worst = 0.0
    for at in _along(unit.at, corners):
        strengths = (
            mind.strength(foe, foe.at, unit.kind.target, at)
            for foe in watchers
            if foe.at and mind.sees(foe.at, unit, at, False)
        )
        total = sum(part * one for part, one in zip((1.0, 0.5, 0.3), sorted(strengths, reverse=True), strict=False))
        worst = max(worst, mind.harm(total, unit, at))
    return 0.6 * worst


def _along(start: Point, corners: tuple[Point, ...]) -> Iterator[Point]:
    """The corners of a way, and the middles of its longer legs."""
    for to in corners:
        if square(start, to) > (3 * INCH) ** 2:
            yield (start[0] + to[0]) // 2, (start[1] + to[1]) // 2
        yield to
        start = to


def straightened(route: list[Point]) -> list[Point]:
    """A way without the points at which it runs straight on.

    >>> straightened([(0, 0), (1, 1), (2, 2), (2, 3)])
    [(0, 0), (2, 2), (2, 3)]
    """
    found = route[:1]
    for at, then in pairwise(route[1:]):
        if _turns(found[-1], at, then):
            found.append(at)
    return [*found, *route[-1:]] if len(route) > 1 else found


def _turns(a: Point, b: Point, c: Point) -> bool:
    return (b[0] - a[0]) * (c[1] - b[1]) != (b[1] - a[1]) * (c[0] - b[0])


def _why(mind: Mind, unit: Stand, to: Point) -> Words:
    """The reason for a way, in words."""
    goal = max(mind.goals, key=lambda goal: max(goal.gain, goal.keep), default=None)
    if mind.shelter(unit, to).cover:
        return "takes cover on the way" if goal else "takes cover"
    return Text("goes for {}", (goal.place,)) if goal else "a better place"
