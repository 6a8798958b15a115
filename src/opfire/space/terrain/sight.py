"""Lines of sight as raw material: everything that the straight line between two points touches, in order.

The ground blocks nothing by itself. A rulebook's own function looks at a line and decides; the fractions along the
line are exact, and the lengths to them are in 10^-6 inch, rounded down.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import NamedTuple

from opfire.core.places import INCH, Point
from opfire.space.lattice import outline
from opfire.space.measure import MICRO, length, square
from opfire.space.terrain.exact import Ring, near
from opfire.space.terrain.ground import Ground, level
from opfire.space.terrain.spans import BITS, END, START, Along, Span, along, stretch

MIDDLE = 1 << BITS - 1
"""The key of the place halfway along a line."""


class SightLine(NamedTuple):
    """The straight line between two points: the levels of its ends, its length in 10^-6 inch, its spans in order."""

    start: Point
    end: Point
    levels: tuple[int, int]
    length: int
    spans: tuple[Span, ...]

    def before(self, place: Along) -> int:
        """The length from the start to a place, in 10^-6 inch."""
        return stretch(square(self.start, self.end), START, place)

    def beyond(self, place: Along) -> int:
        """The length from a place to the end, in 10^-6 inch."""
        return stretch(square(self.start, self.end), place, END)

    def point(self, place: Along) -> Point:
        """The point of the table nearest to a place, to show it."""
        x, y = (a + (2 * (b - a) * place.over + place.under) // (2 * place.under) for a, b in self._axes())
        return x, y

    def _axes(self) -> Iterable[tuple[int, int]]:
        return zip(self.start, self.end, strict=True)


def sight_line(ground: Ground, start: Point, end: Point, levels: tuple[int, int] | None = None) -> SightLine:
    """The line between two points; `levels` replaces those of the ground, for a floor of a building or an aircraft."""
    return _line(start, end, ground.spans(start, end), levels)


def _line(start: Point, end: Point, found: Iterable[Span], levels: tuple[int, int] | None = None) -> SightLine:
    spans = tuple(found)
    return SightLine(start, end, levels or _levels(spans), length(start, end), spans)


def _levels(spans: Iterable[Span]) -> tuple[int, int]:
    """The levels of the two ends of a line: the spans that reach them are the ground there."""
    areas = [span for span in spans if span.feature.parts]
    first = level(span.feature for span in areas if not span.enters.key)
    return first, level(span.feature for span in areas if span.leaves.key == END.key)


def profile(ground: Ground, start: Point, end: Point) -> list[tuple[Along, Along, int]]:
    """The levels of the ground along a line: from one place to the next."""
    spans = [span for span in ground.spans(start, end) if span.feature.parts]
    places = {place.key: place for span in spans for place in span[1:]} | {START.key: START, END.key: END}
    found = [(low, high, _level(spans, low, high)) for low, high in pairwise(sorted(places.values()))]
    return _merged(found)


def _level(spans: Iterable[Span], low: Along, high: Along) -> int:
    return level(span.feature for span in spans if span.enters.key <= low.key and span.leaves.key >= high.key)


def _merged(found: Iterable[tuple[Along, Along, int]]) -> list[tuple[Along, Along, int]]:
    whole: list[tuple[Along, Along, int]] = []
    for low, high, height in found:
        if whole and whole[-1][2] == height:
            whole[-1] = (whole[-1][0], high, height)
        else:
            whole.append((low, high, height))
    return whole


class Passed(NamedTuple):
    """A stand that a line passes over: its point, and the place of the line that is nearest to it."""

    at: Point
    place: Along


def passed(start: Point, end: Point, stands: Iterable[Point], radius: int) -> list[Passed]:
    """The stands of a radius (1/1000 inch) that a line touches, in order along it."""
    found = [Passed(at, _nearest(at, start, end)) for at in stands if near(at, start, end, radius)]
    return sorted(found, key=lambda each: (each.place.key, each.at))


def _nearest(at: Point, start: Point, end: Point) -> Along:
    whole = square(start, end)
    onward = (end[0] - start[0]) * (at[0] - start[0]) + (end[1] - start[1]) * (at[1] - start[1])
    if onward <= 0:
        return START
    return END if onward >= whole else along(onward, whole)


def seen(ground: Ground, start: Point, reach: int, sees: Callable[[SightLine], bool]) -> list[Ring]:
    """The area seen from a point up to a reach (10^-6 inch), as rings: a picture made of half-inch squares.

    `sees` is the rulebook's own function. A ring within a ring is a hole.
    """
    far = reach * INCH // MICRO
    low = (max(start[0] - far, 0), max(start[1] - far, 0))
    high = (min(start[0] + far, ground.size[0]), min(start[1] + far, ground.size[1]))

    spans = ground.fan(start, far)

    def visible(at: Point) -> bool:
        return square(start, at) <= far**2 and sees(_line(start, at, spans(at)))

    return outline((*low, *high), visible)
