"""Where a straight line meets segments: exact places along it, and the stretches that lie in a polygon.

A place along a line from `a` to `b` is the fraction of the way. A line measures at most 200,000 (1/1000 inch) along
each axis and a segment, which may reach over the edge of the table by the width of a strip, at most 240,000. The
denominator of a meeting is therefore below 10^11 < 2^37, and two different meetings differ by more than 2^-74: the
fraction times 2^80, rounded down, tells them apart. Keys are equal exactly if places are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from math import isqrt
from typing import NamedTuple

from opfire.core.places import Point
from opfire.space.measure import MICRO
from opfire.space.terrain.exact import inside, on_segment
from opfire.space.terrain.features import Feature

BITS = 80
"""The bits of a key: the whole line is 2^80 long."""

Edge = tuple[int, int, int, int, int]
"""A segment by its two points, and the number of the part to which it belongs."""


class Along(NamedTuple):
    """A place along a line: its key, and the fraction of the way as numerator and denominator."""

    key: int
    over: int
    under: int

    @property
    def fraction(self) -> Fraction:
        """The fraction of the way from the start."""
        return Fraction(self.over, self.under)


START, END = Along(0, 0, 1), Along(1 << BITS, 1, 1)


class Span(NamedTuple):
    """A feature under a line, from one place along it to another."""

    feature: Feature
    enters: Along
    leaves: Along


def along(over: int, under: int) -> Along:
    """A place along a line, from the fraction of the way.

    >>> along(1, 2) == along(2, 4), along(1, 2).key == along(2, 4).key, along(1, 2).fraction
    (False, True, Fraction(1, 2))
    """
    return Along((over << BITS) // under, over, under)


def stretch(far: int, low: Along, high: Along) -> int:
    """The length between two places of a line in 10^-6 inch, rounded down; `far` is the square of the line's length.

    >>> stretch(3_000**2, along(1, 3), END), stretch(1, START, along(1, 2))
    (2000000, 500)
    """
    over, under = high.over * low.under - low.over * high.under, low.under * high.under
    return isqrt(MICRO * far * over**2 // under**2)


def met(
    a: Point,
    b: Point,
    edges: Iterable[Edge],
    contacts: dict[int, list[tuple[Along, Along]]],
    corners: dict[int, None],
) -> None:
    """Add to `contacts` the places at which a line meets edges, by part.

    `corners` gets the parts that the line meets at a corner, along an edge or at an end of the line, where counting
    crossings does not tell inside from outside.
    """
    ax, ay = a
    dx, dy = b[0] - ax, b[1] - ay
    for x1, y1, x2, y2, part in edges:
        x1 -= ax
        y1 -= ay
        x2 -= ax
        y2 -= ay
        first = dx * y1 - dy * x1
        second = dx * y2 - dy * x2
        if (first > 0 and second > 0) or (first < 0 and second < 0):
            continue
        if first and second:
            over, under = x1 * y2 - y1 * x2, second - first
            if under < 0:
                over, under = -over, -under
            if over < 0 or over > under:
                continue
            place = Along((over << BITS) // under, over, under)
            if over == 0 or over == under:
                corners[part] = None
            contacts.setdefault(part, []).append((place, place))
            continue
        for span in _at_corner(dx, dy, (x1, y1), (x2, y2), not first, not second):
            corners[part] = None
            contacts.setdefault(part, []).append(span)


def _at_corner(dx: int, dy: int, c: Point, d: Point, first: bool, second: bool) -> Iterator[tuple[Along, Along]]:
    """The contact with an edge of which one end or both lie on the endless line; points are counted from the start."""
    under = dx * dx + dy * dy
    if not under:
        if on_segment((0, 0), c, d):  # no way: only a start on the edge is in contact
            yield START, END
        return
    ends = [dx * x + dy * y for (x, y), on in ((c, first), (d, second)) if on]
    low, high = max(min(ends), 0), min(max(ends), under)
    if low <= high:
        yield along(low, under), along(high, under)


def covered(
    a: Point, b: Point, touched: Sequence[tuple[Along, Along]], begins: bool, segments: Iterable[tuple[Point, Point]]
) -> list[tuple[Along, Along]]:
    """The stretches of a line in a polygon that it meets at these places; `begins` tells whether it starts inside.

    Without `segments` each contact is a crossing of the border; with them the stretches between are tried one by one.
    """
    if segments:
        return _tried(a, b, touched, tuple(segments))
    places = sorted(place for place, _ in touched)
    if begins:
        places.insert(0, START)
    if len(places) % 2:
        places.append(END)
    return [*zip(places[::2], places[1::2], strict=True)]


def _tried(
    a: Point, b: Point, touched: Sequence[tuple[Along, Along]], segments: Sequence[tuple[Point, Point]]
) -> list[tuple[Along, Along]]:
    """The contacts themselves, and every stretch between two of them whose middle is inside."""
    places = sorted({place.key: place for ends in ((START, END), *touched) for place in ends}.values())
    within = [ends for ends in pairwise(places) if _middle_inside(a, b, *ends, segments)]
    return [*touched, *within]


def _middle_inside(a: Point, b: Point, low: Along, high: Along, segments: Sequence[tuple[Point, Point]]) -> bool:
    over, under = low.over * high.under + high.over * low.under, 2 * low.under * high.under
    # Everything is scaled by the denominator, so that the middle is a point of integers.
    middle = tuple(under * start + over * (end - start) for start, end in zip(a, b, strict=True))
    scaled = (((under * c[0], under * c[1]), (under * d[0], under * d[1])) for c, d in segments)
    return inside((middle[0], middle[1]), scaled)


def united(stretches: Sequence[tuple[Along, Along]]) -> list[tuple[Along, Along]]:
    """Stretches in order, those that touch or overlap made one."""
    if len(stretches) == 1:
        return [*stretches]
    whole: list[tuple[Along, Along]] = []
    for low, high in sorted(stretches, key=lambda ends: (ends[0].key, ends[1].key)):
        if whole and low.key <= whole[-1][1].key:
            before = whole[-1]
            whole[-1] = (before[0], max(before[1], high, key=lambda place: place.key))
        else:
            whole.append((low, high))
    return whole
