"""Shapes from few points: smooth curves, strips along a way, and blocks with a facing, all of whole 1/1000 inches.

A mirrored, turned or moved drawing gives the mirrored, turned or moved shape: whatever is rounded is an offset from a
drawn point, and halves go away from that point.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import isqrt

from opfire.core.places import INCH, Point
from opfire.space.measure import MICRO, sine
from opfire.space.terrain.exact import Ring

PIECE = INCH // 2
"""A curve is drawn in pieces of about this length."""

FEWEST, PIECES = 2, 24
"""The least and the greatest number of pieces of a curve between two drawn points."""


def smooth_ring(points: Sequence[Point]) -> Ring:
    """A closed curve through the points (Catmull and Rom's), in straight pieces of about half an inch."""
    many = len(points)
    around = [[points[(at + by) % many] for by in (-1, 0, 1, 2)] for at in range(many)]
    return _without_repeats([at for four in around for at in _curve(*four)], closed=True)


def smooth_way(points: Sequence[Point]) -> Ring:
    """An open curve through the points, from the first to the last."""
    extended = [points[0], *points, points[-1]]
    curve = [
        at for four in zip(extended, extended[1:], extended[2:], extended[3:], strict=False) for at in _curve(*four)
    ]
    return _without_repeats([*curve, points[-1]], closed=False)


def _curve(before: Point, start: Point, end: Point, after: Point) -> Iterator[Point]:
    """The points of the curve from `start` up to `end`, without the latter."""
    far = max(abs(start[0] - end[0]), abs(start[1] - end[1]))
    pieces = min(max(far // PIECE, FEWEST), PIECES)
    for n in range(pieces):
        weights = _weights(n, pieces)
        x, y = (_weighed(weights, [point[axis] - start[axis] for point in (before, end, after)]) for axis in (0, 1))
        yield start[0] + rounded(x, 2 * pieces**3), start[1] + rounded(y, 2 * pieces**3)


def _weights(n: int, pieces: int) -> tuple[int, int, int]:
    """The weights of the points before, at the end and after, n pieces from the start: a cubic in n / pieces."""
    one, two, three = n * pieces**2, n**2 * pieces, n**3
    return 2 * two - one - three, one + 4 * two - 3 * three, three - two


def _weighed(weights: Sequence[int], amounts: Sequence[int]) -> int:
    return sum(weight * amount for weight, amount in zip(weights, amounts, strict=True))


def rounded(amount: int, by: int) -> int:
    """The nearest integer to a fraction with a positive denominator; halves go away from 0.

    >>> rounded(5, 2), rounded(-5, 2), rounded(4, 3)
    (3, -3, 1)
    """
    size = (2 * abs(amount) + by) // (2 * by)
    return size if amount >= 0 else -size


def _without_repeats(points: Sequence[Point], closed: bool) -> Ring:
    kept = [at for before, at in zip((None, *points), points, strict=False) if at != before]
    while closed and len(kept) > 1 and kept[0] == kept[-1]:
        kept.pop()
    return tuple(kept)


# --- strips ----------------------------------------------------------------------------------------------


def strip(way: Sequence[Point], width: int) -> tuple[Ring, ...]:
    """The strip of a width along a way, as four-sided pieces that share the cuts across its corners."""
    cuts = [_cut(way, at, width) for at in range(len(way))]
    return tuple((a[0], b[0], b[1], a[1]) for a, b in pairwise(cuts))


def _cut(way: Sequence[Point], at: int, width: int) -> tuple[Point, Point]:
    """The two ends of the cut across a strip at one of its points."""
    before = _unit(way[max(at - 1, 0)], way[max(at, 1)])
    after = _unit(way[min(at, len(way) - 2)], way[min(at + 1, len(way) - 1)])
    across = (-before[1] - after[1], before[0] + after[0])
    # The cut is longer in a bend, so that both borders run straight; in a hairpin twice as long at most.
    depth = across[0] * -before[1] + across[1] * before[0]
    depth = max(depth, MICRO**2 // 2)
    x, y = (rounded(width * part * MICRO, 2 * depth) for part in across)
    middle = way[at]
    return (middle[0] - x, middle[1] - y), (middle[0] + x, middle[1] + y)


def _unit(a: Point, b: Point) -> Point:
    """The direction from one point to another, of length 10^6."""
    far = isqrt(MICRO * ((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2))  # in 10^-3 of the points' unit
    return rounded((b[0] - a[0]) * MICRO * INCH, far), rounded((b[1] - a[1]) * MICRO * INCH, far)


# --- blocks ----------------------------------------------------------------------------------------------


def block(centre: Point, size: Point, facing: int) -> Ring:
    """The corners of a rectangle: its size across and along its facing, and the facing in degrees.

    >>> block((0, 0), (2000, 1000), 0), block((0, 0), (2000, 1000), 90)
    (((-1000, -500), (1000, -500), (1000, 500), (-1000, 500)), ((500, -1000), (500, 1000), (-500, 1000), (-500, -1000)))
    """
    return tuple(_corner(centre, size, facing, *signs) for signs in ((-1, -1), (1, -1), (1, 1), (-1, 1)))


def _corner(centre: Point, size: Point, facing: int, right: int, down: int) -> Point:
    sin, cos = sine(facing), sine(facing + 90)
    across, along = right * size[0], down * size[1]
    east, south = across * cos - along * sin, across * sin + along * cos
    return centre[0] + rounded(east, 2 * MICRO), centre[1] + rounded(south, 2 * MICRO)
