"""Hex coordinates and exact lines, in integers.

A hex is an axial coordinate `(q, r)`. Hexes are flat-topped: `q` counts columns eastwards, `r` grows
downwards along a column, and the centre of a hex of height 1 lies at the height `r + q / 2`.
Directions are numbered 0 to 5 in the order N, NE, SE, S, SW, NW.

The line functions rest on one bilinear form, `2<u, v>` scaled so that two neighbouring centres have
`form(d, d) == 2`: a point `p` is nearer to the centre `c` than to its neighbour `c + d` exactly while
`form(p - c, d) < 1`. So every question about a line is a comparison of fractions with integer parts.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import gcd
from typing import Literal

import msgspec

Coord = tuple[int, int]
"""A hex as axial column and row `(q, r)`; also an offset from one hex to another."""

Fraction = tuple[int, int]
"""A place along a line: numerator and denominator in lowest terms, 0/1 its start and 1/1 its end."""

DIRECTIONS: tuple[Coord, ...] = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
"""Offsets of the six neighbours in the order N, NE, SE, S, SW, NW."""

_INDEX = {offset: index for index, offset in enumerate(DIRECTIONS)}


# --- places ------------------------------------------------------------------------------------------


def opposite(direction: int) -> int:
    """The direction back."""
    return (direction + 3) % 6


def neighbour(at: Coord, direction: int) -> Coord:
    """The hex next to `at` in a direction (0 to 5)."""
    dq, dr = DIRECTIONS[direction]
    return at[0] + dq, at[1] + dr


def neighbours(at: Coord) -> tuple[Coord, ...]:
    """The six hexes around `at`, in the order of the directions."""
    q, r = at
    return tuple((q + dq, r + dr) for dq, dr in DIRECTIONS)


def direction(a: Coord, b: Coord) -> int | None:
    """The direction from `a` to its neighbour `b`; None when they are not neighbours."""
    return _INDEX.get((b[0] - a[0], b[1] - a[1]))


def length(dq: int, dr: int) -> int:
    """The length of an offset in steps."""
    return max(abs(dq), abs(dr), abs(dq + dr))


def distance(a: Coord, b: Coord) -> int:
    """The number of steps between two hexes."""
    return length(b[0] - a[0], b[1] - a[1])


def ring(centre: Coord, radius: int) -> Iterator[Coord]:
    """The hexes exactly `radius` steps away, clockwise from due north."""
    if radius == 0:
        yield centre
        return
    q, r = centre[0], centre[1] - radius
    for turn in range(6):
        dq, dr = DIRECTIONS[(turn + 2) % 6]
        for _ in range(radius):
            yield q, r
            q, r = q + dq, r + dr


def disc(centre: Coord, radius: int) -> Iterator[Coord]:
    """The hexes at most `radius` steps away, nearest ring first."""
    for step in range(radius + 1):
        yield from ring(centre, step)


def area(radius: int) -> int:
    """The number of hexes at most `radius` steps away from a hex far from any edge, that hex included."""
    return 3 * radius * (radius + 1) + 1


def rotate(offset: Coord, steps: int = 1) -> Coord:
    """The offset turned clockwise about (0, 0) by `steps` times 60 degrees."""
    q, r = offset
    for _ in range(steps % 6):
        q, r = -r, q + r
    return q, r


def reflect(offset: Coord) -> Coord:
    """The offset mirrored in the north-south axis: east becomes west."""
    q, r = offset
    return -q, q + r


def reflected_direction(direction: int) -> int:
    """The direction mirrored in the north-south axis."""
    return -direction % 6


# --- lines -------------------------------------------------------------------------------------------


class Side(msgspec.Struct, frozen=True, gc=False):
    """A hexside on a line, given from the hex `a` towards its neighbour `b`.

    `halves` is where the shortest paths of hexes meet the side, in half steps from the line's start: a side
    that they cross between their k-th and next hexes lies at `2 * k + 1`; one that lies between the k-th
    hexes of two of them (the line runs along it, or clips a corner beside it) lies at `2 * k`. Counting
    back from the end gives the same place. A side is at or nearer than the midpoint of a line of
    length R when `halves <= R`, at or beyond it when `halves >= R`.
    """

    a: Coord
    b: Coord
    direction: int
    halves: int


class Touch(msgspec.Struct, frozen=True, gc=False):
    """One thing that a line touches, in offsets from the line's start.

    `kind` says which:

    * `"hex"`: the line runs through the inside of `hexes[0]`.
    * `"side"`: it crosses the side between the two `hexes` at a point that is no corner.
    * `"along"`: it runs exactly along the whole side between the two `hexes`; the corners at both ends
      belong to this touch and get none of their own.
    * `"vertex"`: it passes exactly through the corner where the three `hexes` meet.

    `sides` are the hexsides concerned: none for a hex, one for a side crossed or run along, for a corner
    the three that meet there: first those between `before` and each of the other two, then the third.
    `before` and `after` are the hexes whose inside the line leaves and enters (the hex itself for a hex).
    The touch reaches from `start` to `end`, which are equal for points.
    """

    kind: Literal["hex", "side", "along", "vertex"]
    hexes: tuple[Coord, ...]
    sides: tuple[Side, ...]
    before: Coord
    after: Coord
    start: Fraction
    end: Fraction


Trace = tuple[Touch, ...]


@cache
def _side(a: Coord, direction: int) -> Side:
    b = neighbour(a, direction)
    return Side(a, b, direction, length(*a) + length(*b))


def _reduced(numerator: int, denominator: int) -> Fraction:
    divisor = gcd(numerator, denominator)
    return numerator // divisor, denominator // divisor


@cache
def trace(dq: int, dr: int) -> Trace:
    """Everything that the segment from the centre of (0, 0) to the centre of (dq, dr) touches, in order.

    Touches of kind `"hex"` alternate with the sides and corners between them; the first is (0, 0), the
    last (dq, dr). The tuple is shared between calls.
    """
    ahead = [
        (d, d_form)
        for d, (eq, er) in enumerate(DIRECTIONS)
        if (d_form := 2 * dq * eq + 2 * dr * er + dq * er + dr * eq) > 0
    ]
    here: Coord = (0, 0)
    entered: Fraction = (0, 1)
    touches: list[Touch] = []
    while here != (dq, dr):
        first, second, when = _way_out(here, ahead)
        point = _reduced(*when)
        touches.append(Touch("hex", (here,), (), here, here, entered, point))
        if second is None:
            between = _across(here, first, point)
        elif (between_forms := dict(ahead))[first] == between_forms[second]:
            between = _along(here, first, second, point, between_forms[first])
        elif between_forms[first] > between_forms[second]:
            between = _corner(here, first, second, point)
        else:
            between = _corner(here, second, first, point)
        touches.append(between)
        here, entered = between.after, between.end
    touches.append(Touch("hex", (here,), (), here, here, entered, (1, 1)))
    return tuple(touches)


def _way_out(here: Coord, ahead: list[tuple[int, int]]) -> tuple[int, int | None, tuple[int, int]]:
    """The side through which the line leaves `here`, a second one if it leaves by their corner, and when."""
    q, r = here
    best, second, top, bottom = -1, None, 1, 0
    for d, rate in ahead:
        eq, er = DIRECTIONS[d]
        reach = 1 + 2 * q * eq + 2 * r * er + q * er + r * eq
        sooner = reach * bottom - top * rate
        if sooner < 0 or best < 0:
            best, second, top, bottom = d, None, reach, rate
        elif sooner == 0:
            second = d
    return best, second, (top, bottom)


def _across(here: Coord, d: int, point: Fraction) -> Touch:
    side = _side(here, d)
    return Touch("side", (here, side.b), (side,), here, side.b, point, point)


def _corner(here: Coord, into: int, beside: int, point: Fraction) -> Touch:
    entered, missed = _side(here, into), _side(here, beside)
    third = _between(entered.b, missed.b)
    corner = (here, entered.b, missed.b)
    return Touch("vertex", corner, (entered, missed, third), here, entered.b, point, point)


def _along(here: Coord, left: int, right: int, point: Fraction, rate: int) -> Touch:
    side = _between(neighbour(here, left), neighbour(here, right))
    beyond = neighbour(side.a, right)
    eq, er = DIRECTIONS[left]
    q, r = beyond
    end = _reduced(2 * q * eq + 2 * r * er + q * er + r * eq - 1, rate)
    return Touch("along", (side.a, side.b), (side,), here, beyond, point, end)


def _between(a: Coord, b: Coord) -> Side:
    return _side(a, _INDEX[b[0] - a[0], b[1] - a[1]])
