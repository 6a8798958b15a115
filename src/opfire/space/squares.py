"""Square stands on the free table, judged in integers: they overlap, touch, cover each other, stop a line.

A footprint is the ring of a square's corners (1/1000 inch), clockwise as the table shows it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import gcd, isqrt
from typing import TypeAlias

from opfire.core.places import INCH, Point
from opfire.space.measure import MICRO, direction, square
from opfire.space.terrain.exact import Ring, near, sides
from opfire.space.terrain.shapes import block

TOUCHING = INCH // 50
"""Stands touch whose footprints lie at most this far apart (1/1000 inch): nobody places them more exactly."""

GRAZE = 2
"""Footprints overlap that reach farther than this into each other (1/1000 inch): corners are rounded."""

FAR = 3 * INCH // 2
"""Stands whose centres are farther apart never touch: their corners are 0.708 inch off."""


@lru_cache(maxsize=4096)
def footprint(at: Point, facing: int, size: int = INCH) -> Ring:
    """The corners of a stand at a point, from its front left corner on.

    >>> footprint((1000, 1000), 0)
    ((500, 500), (1500, 500), (1500, 1500), (500, 1500))
    """
    return block(at, (size, size), facing)


@lru_cache(maxsize=16384)
def overlap(a: Ring, b: Ring) -> bool:
    """Return whether two convex footprints lie on each other; those that only touch do not.

    >>> one = footprint((0, 0), 0)
    >>> [overlap(one, footprint((x, 0), 0)) for x in (900, 1000, 1100)]
    [True, False, False]
    """
    return all(_deep(axis, a, b) for axis in (*_axes(a), *_axes(b)))


def _axes(ring: Ring) -> list[Point]:
    return [(d[1] - c[1], c[0] - d[0]) for c, d in sides(ring)]


def _deep(axis: Point, a: Ring, b: Ring) -> bool:
    """Return whether the shadows of two rings on an axis share more than a graze."""
    (low, high), (least, most) = _shadow(axis, a), _shadow(axis, b)
    shared = min(high, most) - max(low, least)
    return shared > 0 and shared**2 > GRAZE**2 * (axis[0] ** 2 + axis[1] ** 2)


def _shadow(axis: Point, ring: Ring) -> tuple[int, int]:
    along = [axis[0] * x + axis[1] * y for x, y in ring]
    return min(along), max(along)


def touch(a: Ring, b: Ring, reach: int = TOUCHING) -> bool:
    """Return whether two footprints lie at most `reach` (1/1000 inch) apart.

    >>> one = footprint((0, 0), 0)
    >>> [touch(one, footprint((x, 1000), 0)) for x in (0, 1000, 1030)]
    [True, True, False]
    """
    if overlap(a, b):
        return True
    corners = (*((at, ring) for ring, others in ((b, a), (a, b)) for at in others),)
    return any(near(at, c, d, reach) for at, ring in corners for c, d in sides(ring))


def clip(a: Point, b: Point, ring: Ring, reach: int = 0) -> tuple[Fraction, Fraction] | None:
    """The part of a segment, as fractions of its way, that lies in a clockwise convex ring widened by `reach`.

    None if the segment misses the ring. A border belongs to its ring.

    >>> clip((-1000, 0), (1000, 0), footprint((0, 0), 0))
    (Fraction(1, 4), Fraction(3, 4))
    """
    low, high = Fraction(0), Fraction(1)
    for c, d in sides(ring):
        first, second = _inwards(c, d, a, reach), _inwards(c, d, b, reach)
        if first < 0 and second < 0:
            return None
        if first < 0:
            low = max(low, Fraction(first, first - second))
        elif second < 0:
            high = min(high, Fraction(first, first - second))
    return (low, high) if low <= high else None


def _inwards(c: Point, d: Point, at: Point, reach: int) -> int:
    """The distance of a point inwards of a side, times the side's length; the side is moved outwards by `reach`."""
    wide, high = d[0] - c[0], d[1] - c[1]
    inwards = wide * (at[1] - c[1]) - high * (at[0] - c[0])
    return inwards + reach * _length(wide, high) if reach else inwards


@lru_cache(maxsize=4096)
def _length(wide: int, high: int) -> int:
    return isqrt(wide * wide + high * high)


def contact(a: Ring, b: Ring) -> Fraction:
    """The greatest share of a side of the first footprint that is in contact with the second.

    The second may lie as far off as stands that touch, but it is as long as it is.

    >>> one = footprint((0, 0), 0)
    >>> [round(float(contact(one, footprint((x, 1000), 0))), 1) for x in (0, 500, 900)]
    [1.0, 0.5, 0.1]
    """
    return max((_shared(c, d, b) for c, d in sides(a)), default=Fraction(0))


def _shared(c: Point, d: Point, ring: Ring) -> Fraction:
    """The share of a side that a ring touches: the part of it near the ring, and beside it."""
    ends = clip(c, d, ring, TOUCHING)
    if ends is None:
        return Fraction(0)
    axis = d[0] - c[0], d[1] - c[1]
    (begin, end), (least, most) = _shadow(axis, (c, d)), _shadow(axis, ring)
    low, high = (Fraction(n - begin, end - begin) for n in (least, most))
    return max(min(ends[1], high) - max(ends[0], low), Fraction(0))


def stops(a: Point, b: Point, ring: Ring) -> bool:
    """Return whether the segment between two points meets a footprint, its border included.

    >>> one = footprint((0, 0), 0)
    >>> stops((-2000, 500), (2000, 500), one), stops((-2000, 501), (2000, 501), one)
    (True, False)
    """
    return clip(a, b, ring) is not None


def beside(a: Point, b: Point, stands: Iterable[Point]) -> list[Point]:
    """Those of some stands' points that lie near enough to a segment for their footprints to meet it."""
    return [at for at in stands if near(at, a, b, 3 * INCH // 4)]


def share(ring: Ring, over: Sequence[Ring]) -> Fraction:
    """The share of a clockwise convex ring that polygons cover: each ring of `over` but the first is a hole.

    >>> share(footprint((0, 0), 0), [footprint((500, 0), 0)])
    Fraction(1, 2)
    """
    if not over:
        return Fraction(0)
    covered = [abs(_doubled(_cut(other, ring))) for other in over]
    return (covered[0] - sum(covered[1:])) / _doubled(_exact(ring))


Exact: TypeAlias = tuple[int, int, int]
"""A point (x / w, y / w) as (x, y, w), w above 0: whole numbers are reckoned with many times faster than fractions."""


def _exact(ring: Ring) -> list[Exact]:
    return [(x, y, 1) for x, y in ring]


def _cut(ring: Ring, by: Ring) -> list[Exact]:
    """A ring cut to a clockwise convex one."""
    kept = _exact(ring)
    for c, d in sides(by):
        kept = _half(kept, c, d)
    return kept


def _half(ring: list[Exact], c: Point, d: Point) -> list[Exact]:
    """The part of a ring on the inner side of a line."""
    found: list[Exact] = []
    wide, high = d[0] - c[0], d[1] - c[1]
    least = wide * c[1] - high * c[0]
    inwards = [wide * y - high * x - least * w for x, y, w in ring]  # times w
    for index, at in enumerate(ring):
        before, now = inwards[index - 1], inwards[index]
        if (before < 0) != (now < 0):
            found.append(_crossing(ring[index - 1], before, at, now))
        if now >= 0:
            found.append(at)
    return found


def _crossing(a: Exact, before: int, b: Exact, now: int) -> Exact:
    """The point of a segment on a line, of which its ends lie inwards by these amounts, one of them below 0."""
    x, y, w = (m * now - n * before for m, n in zip(a, b, strict=True))
    common = gcd(x, y, w) if w > 0 else -gcd(x, y, w)
    return x // common, y // common, w // common


def _doubled(ring: Sequence[Exact]) -> Fraction:
    """Twice the area of a ring, positive if it is clockwise on the table."""
    pairs = zip(ring, (*ring[1:], *ring[:1]), strict=True)
    return sum((Fraction(a[0] * b[1] - a[1] * b[0], a[2] * b[2]) for a, b in pairs), Fraction(0))


def around(at: Point, facing: int = 0) -> tuple[Point, ...]:
    """The points of the eight squares of an inch around a square whose sides lie along a facing.

    >>> len(around((0, 0))), around((0, 0))[0]
    (8, (-1000, -1000))
    """
    east, south = direction(facing + 90)
    steps = ((x, y) for y, x in product((-INCH, 0, INCH), repeat=2) if (x, y) != (0, 0))
    return tuple((at[0] + (x * east - y * south) // MICRO, at[1] + (x * south + y * east) // MICRO) for x, y in steps)


def may_touch(a: Point, b: Point) -> bool:
    """Return whether stands at two points are near enough to touch at all."""
    return square(a, b) <= FAR**2
