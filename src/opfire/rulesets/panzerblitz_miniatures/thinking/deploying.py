"""Places to set up in: near goals and in cover, guns with a view, each stand on a point of its zone."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import isqrt

from opfire.core.actions import NOBODY, Choices
from opfire.core.places import INCH, Point
from opfire.core.ruleset import Suggestion
from opfire.kit.setup import Ready
from opfire.kit.table import Zone
from opfire.kit.thinking.goals import PATIENCE
from opfire.kit.thinking.views import origins, view
from opfire.kit.thinking.ways import once_a_setting
from opfire.rulesets.panzerblitz_miniatures.fire.missions import INDIRECT
from opfire.rulesets.panzerblitz_miniatures.moving.arrivals import entry_points
from opfire.rulesets.panzerblitz_miniatures.pieces import Setting, Stand
from opfire.rulesets.panzerblitz_miniatures.setup import Place, cannot_place
from opfire.rulesets.panzerblitz_miniatures.thinking.hunting import outlook, watch
from opfire.rulesets.panzerblitz_miniatures.thinking.mind import Mind, useful
from opfire.rulesets.panzerblitz_miniatures.victory import NEAR
from opfire.space.measure import bearing, square

TRIED = 90
"""About how many points of a zone are tried for a stand."""

WEIGHED = 16
"""The number of those that are looked at closely."""

GUNS, WAITING, OTHERS = 1.6, 1.0, 0.3
"""The worth of a free view of the enemy's ways to guns, to vehicles that wait for him, and to others."""


def set_up(mind: Mind, choices: Choices) -> list[Suggestion]:
    """The best places for the next stand; ready when all stand."""
    if Ready() in choices.of(NOBODY):
        return [Suggestion(Ready(), 1.0, "everybody stands")]
    position = mind.position
    waiting = [position.units[name] for name in choices.asked if name != NOBODY and position.units[name].at is None]
    if not waiting:
        return []
    unit = min(waiting, key=_order)
    found = [
        Suggestion(Place(unit.id, at, facing(mind, unit, at)), worth, "a good place") for worth, at in _best(mind, unit)
    ]
    return found or [Suggestion(offer, 0.0, "a place") for offer in choices.of(unit.id) if isinstance(offer, Place)]


def _order(unit: Stand) -> tuple[int, str]:
    """Guns first, then vehicles, foot and posts: guns have the fewest good places."""
    rank = 0 if unit.kind.mode == "TO" else 1 if unit.vehicle else 2
    return rank + (3 if unit.kind.radio else 0), unit.id


def _best(mind: Mind, unit: Stand) -> list[tuple[float, Point]]:
    """The best points for a stand, each with its worth."""
    zone = mind.position.setting.zones[unit.id]
    allowed = [
        at
        for at in points(zone)
        if cannot_place(mind.position, unit.side, unit, at, mind.position.setting.doctrine(unit.side).facing) is None
    ]
    worth = {at: _roughly(mind, unit, at) + _sees(mind, unit, at) for at in allowed}
    roughly = sorted(allowed, key=lambda at: (-worth[at], at))[:WEIGHED]
    return sorted(((_closely(mind, unit, at), at) for at in roughly), key=lambda each: (-each[0], each[1]))


def points(zone: Zone) -> Iterator[Point]:
    """Points of a zone to try: its own, and a lattice over its rectangle, of whole inches or coarser."""
    yield from zone.points
    if zone.box is None:
        return
    west, north, east, south = zone.box
    size = (east - west) * (south - north) // (INCH * INCH)
    step = max(INCH, isqrt(max(1, size // TRIED)) * INCH)
    for y in range(-(-north // INCH) * INCH, south + 1, step):
        for x in range(-(-west // INCH) * INCH, east + 1, step):
            yield x, y


def _roughly(mind: Mind, unit: Stand, at: Point) -> float:
    """The worth of a point by its goals, its ground and its neighbours."""
    shelter = mind.shelter(unit, at)
    found = 0.25 * shelter.cover + 0.06 * shelter.modifier + 0.01 * shelter.defence
    if unit.kind.mode == "TO" or unit.kind.radio or not useful(unit):
        found += _behind(mind, unit, at)
    else:
        found += mind.pull(unit, at) + _upon(mind, at)
    return found - _crowded(mind, at)


def _upon(mind: Mind, at: Point) -> float:
    """A little more for standing on an objective from the start."""
    upon = [goal for goal in mind.goals if not goal.leave and square(at, mind.at(goal.place)) <= NEAR**2]
    return 0.4 * max((max(goal.keep, goal.gain) for goal in upon), default=0.0)


def _behind(mind: Mind, unit: Stand, at: Point) -> float:
    """Guns and posts stay some inches from the objectives."""
    best = 0.0
    for goal in mind.goals:
        if not goal.leave:
            inches = isqrt(square(at, mind.at(goal.place))) / INCH
            best = max(best, max(goal.gain, goal.keep) * PATIENCE ** (abs(inches - 4.0) / 3))
    return best


def _crowded(mind: Mind, at: Point) -> float:
    """The drawback of friends very near: one template or one assault may find them all."""
    apart = [square(friend.at, at) for friend in mind.friends if friend.at is not None]
    return 0.1 * sum(each < (2 * INCH) ** 2 for each in apart) + 0.4 * sum(each < INCH**2 for each in apart)


def _closely(mind: Mind, unit: Stand, at: Point) -> float:
    """The worth of a point with what threatens it, and what is seen from it."""
    found = _roughly(mind, unit, at) - mind.value(unit) * mind.danger(unit, at)
    found += 0.35 * mind.prospects(unit, at) + watch(mind, unit, at) + 0.5 * outlook(mind, unit, at)
    return found + _sees(mind, unit, at)


def _sees(mind: Mind, unit: Stand, at: Point) -> float:
    """The worth to a unit of its view of the enemy's ways from a point."""
    return _weight(mind, unit) * _view(mind, at) if unit.kind.attack and not unit.kind.radio else 0.0


def _weight(mind: Mind, unit: Stand) -> float:
    """The worth of a free view to a unit; indirect fire needs none, and attackers lose time by looking for one."""
    if unit.kind.weapon in INDIRECT:
        return OTHERS
    return GUNS if unit.kind.mode == "TO" else WAITING if unit.vehicle and not _attacks(mind, unit) else OTHERS


def _attacks(mind: Mind, unit: Stand) -> bool:
    """Return whether a unit has a way to go: there are objectives, and none of them in its zone."""
    zone, goals = mind.position.setting.zones[unit.id], [goal.place for goal in mind.goals if not goal.leave]
    return bool(goals) and not any(mind.at(place) in zone for place in goals)


def _view(mind: Mind, at: Point) -> float:
    """The part of the ground towards the enemy that is seen from a point; each point is looked at once a game."""
    known, ways = _views(mind.position), enemy_ways(mind)
    if (at, ways) not in known:
        known[at, ways] = view(mind.position.table, at, ways, partial(mind.clear, at))
    return known[at, ways]


def _none_yet(_: Setting) -> dict[tuple[Point, tuple[Point, ...]], float]:
    return {}


_views = once_a_setting(_none_yet)
"""The views from points towards the places from which the enemy comes."""


def enemy_ways(mind: Mind) -> tuple[Point, ...]:
    """The places from which the enemy may come: his zones and entries, else those where he stands."""
    made, position = mind.position.setting, mind.position
    enemies = made.ids[mind.other]
    coming = (unit for unit in position.pick(enemies) if unit.id in made.entries)
    zones = (made.zones[name] for name in enemies if name in made.zones)
    found = origins(zones, (entry_points(position, unit) for unit in coming))
    return found or tuple(foe.at for foe in mind.foes if foe.at is not None)


def facing(mind: Mind, unit: Stand, at: Point) -> int:
    """The direction of the nearest enemy, or that of the side where none stands yet."""
    foe = mind.nearest_foe(at)
    if foe is None or foe.at is None:
        return mind.position.setting.doctrine(unit.side).facing
    return bearing(at, foe.at)
