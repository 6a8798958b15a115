"""Lines of sight [4.1.4]: obstacles by their height, Blind Zones, gullies, straight roads through woods.

A line runs from the centre of one hex to the centre of another. The relief says how high the ground is and what stands
on it; everything is decided in integers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple, Protocol

from opfire.core.actions import Refusal
from opfire.core.texts import Text, Words
from opfire.rulesets.panzer.charts import Charts
from opfire.space.hexes import Coord, Touch, distance, trace

ONE_HEX_ZONE = 4
"""From this many levels above an obstacle on, its Blind Zone is a single hex [4.1.4.2.4]: RULINGS.md R3."""

OPEN_CHANNEL = 1
"""Gullies, streams and fords hide their units from those at most this much higher [4.1.4.1.6]: RULINGS.md R7."""


class Relief(Protocol):
    """The ground as lines of sight meet it."""

    def height(self, at: Coord) -> int:
        """The Height of the ground in a hex, and of the units on it: 0 at ground level, -1 in a gully or stream."""
        ...

    def top(self, at: Coord) -> int:
        """The Height of the highest thing in a hex: its ground, with trees and buildings on it."""
        ...

    def hexside(self, a: Coord, b: Coord) -> int:
        """The Height of the top of a crest or hedgerow between two neighbours, or 0."""
        ...

    def straight(self, a: Coord, b: Coord, kind: str) -> bool:
        """Return whether a road (`road`) or a gully or stream (`channel`) joins two neighbours."""
        ...

    def slope(self, a: Coord, b: Coord) -> bool:
        """Return whether a slope lies between two neighbours."""
        ...

    def name(self, at: Coord) -> str:
        """The printed name of a hex."""
        ...


class Obstacle(NamedTuple):
    """A part of a line that may block it: its Height, the half steps from the start to it, its name for players."""

    height: int
    halves: int
    name: Words


def line(start: Coord, end: Coord) -> tuple[Touch, ...]:
    """Everything that a line touches, as offsets from its start."""
    return trace(end[0] - start[0], end[1] - start[1])


def passed(start: Coord, end: Coord) -> Iterator[Coord]:
    """The hexes that a line passes through, or between which it runs; a corner belongs to none: RULINGS.md R105."""
    for touch in line(start, end):
        yield from _touched(start, touch)


def blocked(charts: Charts, relief: Relief, start: Coord, end: Coord, *, lanes: bool = False) -> Refusal | None:
    """The reason that two units do not see each other, or None [4.1.4]; it is the same in both directions.

    With `lanes` a road also opens the single hexes through which it leads along a line: RULINGS.md R9.
    """
    if distance(start, end) <= 1:
        return _between(charts, relief, start, end)
    if refusal := _sunk(relief, start, end):
        return refusal
    if _along(relief, start, end, "road"):
        return _heights(charts, relief, start, end, _hills(relief, start, end))
    opened = {*_lanes(relief, start, end)} if lanes else set[Coord]()
    return _heights(charts, relief, start, end, obstacles(relief, start, end, opened))


def _between(charts: Charts, relief: Relief, start: Coord, end: Coord) -> Refusal | None:
    """Units in neighbouring hexes see each other, unless a hexside between them blocks [4.1.4.2.5]."""
    if start == end:
        return None
    top = relief.hexside(start, end)
    return _heights(charts, relief, start, end, [Obstacle(top, 1, _side_name(relief, start, end))] if top else [])


# --- the obstacles under a line [4.1.4.1] -----------------------------------------------------------------------


def obstacles(relief: Relief, start: Coord, end: Coord, opened: Collection[Coord] = ()) -> Iterator[Obstacle]:
    """The hexes between two units, and the hexsides that the line crosses or runs along [4.1.4.2.6].

    Slopes that fall or rise all the way are no obstacle [4.1.4.1.5.1]; of the hexes that a road has `opened` the ground
    alone counts [4.1.4.1.3-a].
    """
    even = _continuous_slope(relief, start, end)
    for touch in line(start, end):
        for at in _touched(start, touch):
            top = relief.height(at) if at in opened else relief.top(at)
            bare = top == relief.height(at)
            if at not in (start, end) and not (even and bare):
                yield Obstacle(top, 2 * distance(start, at), relief.name(at))
        yield from _hexsides(relief, start, touch)


def _hexsides(relief: Relief, start: Coord, touch: Touch) -> Iterator[Obstacle]:
    """The crests and hedgerows that a line crosses or runs along [4.1.4.1.5, 4.1.4.2.6].

    One that leaves or enters a hex by a corner crosses those that meet there: RULINGS.md R9.
    """
    for side in touch.sides[:1]:
        a, b = _shifted(start, side.a), _shifted(start, side.b)
        if top := relief.hexside(a, b):
            yield Obstacle(top, side.halves, _side_name(relief, a, b))
    for at in (touch.before, touch.after) if touch.kind == "along" else ():
        here, beside = _shifted(start, at), [_shifted(start, offset) for offset in touch.hexes]
        if top := min(relief.hexside(here, other) for other in beside):
            halves = distance(start, here) + distance(start, beside[0])
            yield Obstacle(top, halves, _side_name(relief, here, beside[0]))


def _hills(relief: Relief, start: Coord, end: Coord) -> Iterator[Obstacle]:
    """The ground and the hexsides under a line along a road, which leads through woods and between buildings.

    Rules: [4.1.4.1.3-a, 4.1.4.1.5, 4.1.4.1.10].
    """
    even = _continuous_slope(relief, start, end)
    for touch in line(start, end):
        for at in _touched(start, touch):
            if at not in (start, end) and not even:
                yield Obstacle(relief.height(at), 2 * distance(start, at), relief.name(at))
        yield from _hexsides(relief, start, touch)


def _touched(start: Coord, touch: Touch) -> list[Coord]:
    """The hexes that a line passes through, or between which it runs; a corner belongs to none."""
    return [_shifted(start, offset) for offset in touch.hexes] if touch.kind in ("hex", "along") else []


def _side_name(relief: Relief, a: Coord, b: Coord) -> Text:
    return Text("The hexside between {} and {}", (relief.name(a), relief.name(b)))


def _shifted(start: Coord, offset: Coord) -> Coord:
    return start[0] + offset[0], start[1] + offset[1]


def _path(start: Coord, end: Coord) -> list[Coord] | None:
    """The hexes of a line that runs straight from hex to hex; None for any other line."""
    touches = line(start, end)
    if any(touch.kind in ("vertex", "along") for touch in touches):
        return None
    return [_shifted(start, touch.hexes[0]) for touch in touches if touch.kind == "hex"]


def _along(relief: Relief, start: Coord, end: Coord, kind: str) -> bool:
    """Return whether a line follows a straight road or channel from end to end: RULINGS.md R9."""
    offset = end[0] - start[0], end[1] - start[1]
    if 0 not in (*offset, sum(offset)):
        return False
    path = _path(start, end) or []
    return all(relief.straight(a, b, kind) for a, b in pairwise(path))


def _lanes(relief: Relief, start: Coord, end: Coord) -> Iterator[Coord]:
    """The hexes of a straight row that a road enters and leaves along the line: RULINGS.md R9."""
    offset = end[0] - start[0], end[1] - start[1]
    path = (_path(start, end) or []) if 0 in (*offset, sum(offset)) else []
    for before, at, after in zip(path, path[1:], path[2:], strict=False):
        if relief.straight(before, at, "road") and relief.straight(at, after, "road"):
            yield at


def _continuous_slope(relief: Relief, start: Coord, end: Coord) -> bool:
    """Return whether the line goes down, or up, over slopes from hex to hex [4.1.4.1.5.1]: RULINGS.md R8."""
    path = _path(start, end)
    if path is None:
        return False
    pairs = [*pairwise(path)]
    steps = [relief.height(b) - relief.height(a) for a, b in pairs]
    monotonous = all(step > 0 for step in steps) or all(step < 0 for step in steps)
    return monotonous and all(relief.slope(a, b) for a, b in pairs)


# --- gullies and streams [4.1.4.1.6] ----------------------------------------------------------------------------


def _sunk(relief: Relief, start: Coord, end: Coord) -> Refusal | None:
    """The gully or stream that hides a unit from one a single Height above it, or as deep in another channel.

    Rule: [4.1.4.1.6]: RULINGS.md R7.
    """
    low, high = sorted((start, end), key=relief.height)
    levels = relief.height(high) - relief.height(low)
    if relief.height(low) != -1 or levels > OPEN_CHANNEL or _along(relief, start, end, "channel"):
        return None
    if not levels and not _banks_between(relief, start, end):
        return None
    words = "{} lies too deep: only adjacent units, and those higher up, see into it"
    return Refusal(words, "4.1.4.1.6", (relief.name(low),))


def _banks_between(relief: Relief, start: Coord, end: Coord) -> bool:
    """Return whether the ground rises anywhere between two units in gullies or streams."""
    touched = (at for touch in line(start, end) for at in _touched(start, touch))
    return any(relief.height(at) > relief.height(start) for at in touched if at not in (start, end))


# --- heights [4.1.4.2] ------------------------------------------------------------------------------------------


def _heights(charts: Charts, relief: Relief, start: Coord, end: Coord, between: Iterable[Obstacle]) -> Refusal | None:
    """The first obstacle that blocks the line between two units [4.1.4.2].

    Behind a hexside the first hex is the one that begins there: RULINGS.md R4.
    """
    low, high = sorted((relief.height(start), relief.height(end)))
    far = distance(start, end)
    from_start = relief.height(start) >= relief.height(end)
    for each in between:
        halves = each.halves if from_start else 2 * far - each.halves
        if rule := hides(charts, each.height, low, high, (halves + 1) // 2, far + halves % 2):
            return Refusal("{} blocks the line of sight", rule, (each.name,))
    return None


def hides(charts: Charts, obstacle: int, low: int, high: int, steps: int, far: int) -> str | None:
    """The rule that lets an obstacle hide two units from each other, or None.

    There are four cases [4.1.4.2.1, 4.1.4.2.2, 4.1.4.2.3, 4.1.4.2.4]. The heights are those of the obstacle and of both
    units; `steps` are the hexes from the higher unit to the obstacle, `far` those from unit to unit, one more past a
    hexside. All that rises above the ground may block [4.1.4.1.2].
    """
    if obstacle <= max(low, 0):
        return None  # nothing of Height 0 blocks [4.1.4.1.1], nor what is no higher than both [4.1.4.2.3]
    if obstacle > high:
        return "4.1.4.2.1"
    if obstacle == high:
        return "4.1.4.2.2"
    return "4.1.4.2.4" if far - steps <= blind_zone(charts, low, high - obstacle, steps) else None


def blind_zone(charts: Charts, low: int, levels: int, steps: int) -> int:
    """The hexes behind an obstacle that a unit this many levels above it does not see [4.1.4.2.4].

    `low` is the Height of the lower unit [4.1.4.2.4.1], `steps` the range from the higher unit to the obstacle.
    """
    if levels >= ONE_HEX_ZONE:
        return 1
    return max(1, steps // charts.blind_zones[low, levels])
