"""Exact questions about points, segments and rings, answered in integers.

A border belongs to its area: a point on a ring is inside it. Every answer stays the same when the table is turned by
a quarter, mirrored or moved.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from opfire.core.places import Point

Ring = tuple[Point, ...]
"""A closed border; its last point is joined to its first."""

Box = tuple[int, int, int, int]
"""Left, top, right and bottom of a rectangle, its edges included."""


def cross(origin: Point, a: Point, b: Point) -> int:
    """Twice the area of a triangle: positive if the turn from `a` to `b` is clockwise on the table, 0 on one line.

    >>> cross((0, 0), (4, 0), (0, 3)), cross((0, 0), (2, 2), (4, 4))
    (12, 0)
    """
    return (a[0] - origin[0]) * (b[1] - origin[1]) - (a[1] - origin[1]) * (b[0] - origin[0])


def on_segment(at: Point, a: Point, b: Point) -> bool:
    """Return whether a point lies on a segment, its ends included.

    >>> on_segment((2, 2), (0, 0), (4, 4)), on_segment((5, 5), (0, 0), (4, 4))
    (True, False)
    """
    if cross(a, b, at):
        return False
    return min(a[0], b[0]) <= at[0] <= max(a[0], b[0]) and min(a[1], b[1]) <= at[1] <= max(a[1], b[1])


def meet(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Return whether two segments have a point in common.

    >>> meet((0, 0), (4, 4), (0, 4), (4, 0)), meet((0, 0), (1, 1), (2, 2), (3, 3))
    (True, False)
    """
    first, second = cross(a, b, c), cross(a, b, d)
    third, fourth = cross(c, d, a), cross(c, d, b)
    if first and second and third and fourth:
        return (first > 0) != (second > 0) and (third > 0) != (fourth > 0)
    return on_segment(c, a, b) or on_segment(d, a, b) or on_segment(a, c, d) or on_segment(b, c, d)


def sides(ring: Sequence[Point]) -> Iterator[tuple[Point, Point]]:
    """The segments of a ring, the one from its last point to its first included.

    >>> [*sides(((0, 0), (1, 0), (1, 1)))]
    [((0, 0), (1, 0)), ((1, 0), (1, 1)), ((1, 1), (0, 0))]
    """
    return zip(ring, (*ring[1:], ring[0]), strict=True)


def inside(at: Point, segments: Iterable[tuple[Point, Point]]) -> bool:
    """Return whether a point is within an odd number of the rings that these segments make up, or on one of them."""
    y = at[1]
    within = False
    for a, b in segments:
        turn = cross(a, b, at)
        if turn == 0 and on_segment(at, a, b):
            return True
        # A segment counts from its upper end to just above its lower one, so that a corner counts once.
        if (a[1] <= y) != (b[1] <= y) and (turn > 0) == (b[1] > a[1]):
            within = not within
    return within


def near(at: Point, a: Point, b: Point, reach: int) -> bool:
    """Return whether a segment comes as near to a point as `reach` (1/1000 inch), or nearer.

    >>> near((0, 5), (-9, 0), (9, 0), 5), near((0, 5), (3, 1), (9, 0), 4)
    (True, False)
    """
    over, under = apart(at, a, b)
    return over <= reach**2 * under


def apart(at: Point, a: Point, b: Point) -> tuple[int, int]:
    """The squared distance of a point from a segment, as numerator and denominator.

    >>> apart((0, 5), (-9, 0), (9, 0)), apart((3, 4), (0, 0), (-5, 0))
    ((8100, 324), (25, 1))
    """
    along, away = (b[0] - a[0], b[1] - a[1]), (at[0] - a[0], at[1] - a[1])
    whole, part = along[0] ** 2 + along[1] ** 2, along[0] * away[0] + along[1] * away[1]
    if part <= 0:
        return away[0] ** 2 + away[1] ** 2, 1
    if part >= whole:
        return (at[0] - b[0]) ** 2 + (at[1] - b[1]) ** 2, 1
    return cross(a, b, at) ** 2, whole


def box(points: Iterable[Point]) -> Box:
    """The smallest rectangle around points.

    >>> box([(3, 1), (2, 8)])
    (2, 1, 3, 8)
    """
    columns, rows = zip(*points, strict=True)
    return min(columns), min(rows), max(columns), max(rows)


def tangle(ring: Ring) -> tuple[Point, Point] | None:
    """The starts of two segments of a ring that meet although they are no neighbours, or None if it is simple.

    >>> tangle(((0, 0), (4, 4), (4, 0), (0, 4))), tangle(((0, 0), (4, 0), (4, 4)))
    (((0, 0), (4, 0)), None)
    """
    last = len(ring) - 1
    for (i, (a, b)), (j, (c, d)) in combinations(enumerate(sides(ring)), 2):
        neighbours = j == i + 1 or (i, j) == (0, last)
        if _fold(a, b, c, d) if neighbours else meet(a, b, c, d):
            return a, c
    return None


def _fold(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Return whether two neighbouring segments share more than their corner, or one has no length."""
    if a == b or c == d:
        return True
    if b == c:
        return on_segment(d, a, b) or on_segment(a, c, d)
    return on_segment(c, a, b) or on_segment(b, c, d)
