"""Ways across water for computer players: the nearest bridge or ford, or a place at which a bridge is built."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from opfire.core.places import INCH, Point
from opfire.rulesets.micro_armour.moving.prices import WATERS
from opfire.rulesets.micro_armour.pieces import Position, Stand, adjacent
from opfire.rulesets.micro_armour.works.beneath import hostile, obstacles_of
from opfire.rulesets.micro_armour.works.means import has, is_engineer
from opfire.rulesets.micro_armour.works.tasks import ends, places
from opfire.space.measure import MICRO, bearing, direction, length, square
from opfire.space.terrain.features import Feature
from opfire.space.terrain.spans import Span

LEAD = 3 * INCH // 4
"""A stand goes to a point so far before a crossing, and leaves it for one so far behind (1/1000 inch)."""

BANK = 6 * INCH // 10
"""The centre of a builder is so far from the water (1/1000 inch)."""

ARRIVED = 3 * INCH // 10
"""A stand is at the beginning of a crossing that is so near (1/1000 inch)."""

DETOUR = 10 * INCH
"""Builders build where every other crossing is farther away than this (1/1000 inch)."""

FETCHED = 20 * INCH
"""A load that is so near comes to its engineers when they stand at the water (1/1000 inch)."""


class Crossing(NamedTuple):
    """A way across water: a point on dry ground before it and one behind it."""

    near: Point
    far: Point


def waypoint(sight: Position, unit: Stand, aim: Point) -> Point:
    """The next place on the way of a stand to its goal: a crossing where water lies between [9.5.2, 11.5.7-build]."""
    assert unit.at is not None
    if _needs_none(sight, unit, aim):
        return aim
    found = _best(sight, unit, aim)
    most = length(unit.at, aim) + DETOUR * MICRO // INCH
    if found is None or (builder(sight, unit) and _detour(unit, found, aim) > most):
        return bank(sight, unit.at, aim)
    return found.far if _has_arrived(sight, unit.at, found) else found.near


def _has_arrived(sight: Position, at: Point, way: Crossing) -> bool:
    """Return whether a stand is at the beginning of a crossing, or beside it with a straight way across."""
    apart = square(at, way.near)
    return apart <= ARRIVED**2 or (apart <= (2 * LEAD) ** 2 and not wet(sight, at, way.far))


def other_bank(sight: Position, unit: Stand, aim: Point) -> Point:
    """The far end of the crossing on the way of a stand to its goal, or the goal itself without a crossing."""
    found = None if _needs_none(sight, unit, aim) else _best(sight, unit, aim)
    return found.far if found else aim


def _needs_none(sight: Position, unit: Stand, aim: Point) -> bool:
    assert unit.at is not None
    return bool(unit.kind.amph_points or unit.swims) or not wet(sight, unit.at, aim)


def _best(sight: Position, unit: Stand, aim: Point) -> Crossing | None:
    assert unit.at is not None
    return min(crossings(sight, unit.at), key=lambda way: _detour(unit, way, aim), default=None)


def _detour(unit: Stand, way: Crossing, aim: Point) -> int:
    assert unit.at is not None
    return length(unit.at, way.near) + length(way.near, way.far) + length(way.far, aim)


def wet(sight: Position, a: Point, b: Point) -> bool:
    """Return whether water lies between two points that no bridge leads across there."""
    spans = sight.ground.spans(a, b)
    dry = [span for span in spans if span.feature.shape == "crossing"]
    return any(not any(_over(each, span) for each in dry) for span in spans if span.feature.kind in WATERS)


def _over(bridge: Span, water: Span) -> bool:
    return bridge.enters.key <= water.enters.key and bridge.leaves.key >= water.leaves.key


def crossings(sight: Position, at: Point) -> Iterator[Crossing]:
    """The bridges and fords of the table and those of engineers, led away from a point."""
    yield from (_led(at, *both) for both in both_ends(sight))


def both_ends(sight: Position) -> Iterator[tuple[Point, Point]]:
    """The ends of the bridges and fords of the table and of those of engineers."""
    for feature in sight.table.ground.features:
        if feature.shape == "crossing":
            yield _ends_of(feature)
    for work in sight.works.values():
        if work.kind == "bridge":
            first, last = ends(work.at, work.facing)
            yield first, last


def _ends_of(feature: Feature) -> tuple[Point, Point]:
    return feature.way[0], feature.way[-1]


def _led(at: Point, first: Point, last: Point) -> Crossing:
    """A crossing with the nearer end first, and a lead on dry ground at both."""
    near, far = sorted((first, last), key=lambda end: square(at, end))
    return Crossing(_beyond(far, near), _beyond(near, far))


def _beyond(start: Point, end: Point) -> Point:
    """The point a lead behind the end of a way."""
    east, south = direction(bearing(start, end))
    return end[0] + east * LEAD // MICRO, end[1] + south * LEAD // MICRO


# --- builders ---------------------------------------------------------------------------------------------------------


def builder(sight: Position, unit: Stand) -> bool:
    """Whether a stand can build a bridge: it has one, or it has engineers that a load can come to."""
    if has(unit, "bridging"):
        return True
    return is_engineer(unit) and any(
        has(other, "bridge load") and _within(unit, other, FETCHED) for other in sight.of(unit.side)
    )


def caller(sight: Position, load: Stand) -> Stand | None:
    """The engineers at the water that wait for a load; None once it stands beside some of them [11.5.7-build].

    A load keeps off the bank until then: it cannot defend itself.
    """
    waiting = [
        other
        for other in sight.of(load.side)
        if is_engineer(other) and builder(sight, other) and _within(load, other, FETCHED) and stays(sight, other)
    ]
    if any(adjacent(load, other) for other in waiting):
        return None
    return min(waiting, key=lambda other: (square(_place(load), _place(other)), other.id), default=None)


def bank(sight: Position, at: Point, aim: Point) -> Point:
    """The place before the first water on the straight way to a goal, where a stand touches it."""
    first = next((span for span in sight.ground.spans(at, aim) if span.feature.kind in WATERS), None)
    if first is None:
        return aim
    part = max(first.enters.fraction - Fraction(BANK * MICRO // INCH, max(length(at, aim), 1)), Fraction(0))
    return at[0] + int((aim[0] - at[0]) * part), at[1] + int((aim[1] - at[1]) * part)


def stays(sight: Position, unit: Stand) -> bool:
    """Whether a stand has work where it stands, and leaves it for nothing else: a gap to bridge, mines or wire."""
    if unit.at is None:
        return False
    if has(unit, "bridge load"):
        return caller(sight, unit) is None
    if builder(sight, unit):
        return _unbridged(sight, unit) and next(places(sight, unit), None) is not None
    upon = [work for work in obstacles_of(sight, unit) if hostile(unit, work) and work.kind in ("mines", "wire")]
    return bool(upon) and (is_engineer(unit) or has(unit, "mine clearing"))


def _within(unit: Stand, other: Stand, far: int) -> bool:
    return unit.at is not None and other.at is not None and square(unit.at, other.at) <= far**2


def _place(unit: Stand) -> Point:
    assert unit.at is not None
    return unit.at


def _unbridged(sight: Position, unit: Stand) -> bool:
    """Return whether no crossing is near enough for a builder to use it."""
    assert unit.at is not None
    return not any(square(unit.at, way.near) <= (DETOUR // 2) ** 2 for way in crossings(sight, unit.at))
