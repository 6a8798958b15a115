"""Lengths and facings on the free table, in integers.

A length is the integer square root of 10^6 times the squared distance in 1/1000 inch, that is in 10^-6 inch. A facing
is in whole degrees, 0 north, clockwise.
"""

from __future__ import annotations

from math import atan2, degrees, isqrt

from opfire.core.places import Point

MICRO = 1_000_000
"""Units of a length to the inch."""

SLACK = MICRO // 1000
"""A leg may cost this much more than is left: 0.001 inch."""

SINES = (
    *(0, 17452, 34899, 52336, 69756, 87156, 104528, 121869, 139173, 156434, 173648, 190809, 207912, 224951, 241922),
    *(258819, 275637, 292372, 309017, 325568, 342020, 358368, 374607, 390731, 406737, 422618, 438371, 453990, 469472),
    *(484810, 500000, 515038, 529919, 544639, 559193, 573576, 587785, 601815, 615661, 629320, 642788, 656059, 669131),
    *(681998, 694658, 707107, 719340, 731354, 743145, 754710, 766044, 777146, 788011, 798636, 809017, 819152, 829038),
    *(838671, 848048, 857167, 866025, 874620, 882948, 891007, 898794, 906308, 913545, 920505, 927184, 933580, 939693),
    *(945519, 951057, 956305, 961262, 965926, 970296, 974370, 978148, 981627, 984808, 987688, 990268, 992546, 994522),
    *(996195, 997564, 998630, 999391, 999848, 1000000),
)
"""The sine of 0 to 90 degrees in 10^-6: committed, so that a facing means the same on every machine."""


def length(a: Point, b: Point) -> int:
    """The length of a straight leg in 10^-6 inch, rounded down.

    >>> length((0, 0), (3000, 4000)), length((0, 0), (1000, 1000))
    (5000000, 1414213)
    """
    return isqrt(MICRO * square(a, b))


def square(a: Point, b: Point) -> int:
    """The squared distance of two points, in squared 1/1000 inch."""
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


def sine(degrees: int) -> int:
    """The sine of whole degrees, in 10^-6.

    >>> sine(30), sine(150), sine(-90), sine(720)
    (500000, 500000, -1000000, 0)
    """
    turn = degrees % 360
    part = turn % 180
    size = SINES[part if part <= 90 else 180 - part]
    return size if turn < 180 else -size


def turning(a: int, b: int) -> int:
    """By how many degrees a stand turns from one facing to another, the shorter way.

    >>> turning(350, 10), turning(0, 180), turning(90, 45)
    (20, 180, 45)
    """
    by = abs(a - b) % 360
    return min(by, 360 - by)


def in_front(at: Point, facing: int, other: Point) -> bool:
    """Return whether a point lies ahead of the line through `at` across the facing.

    >>> in_front((0, 0), 0, (500, -1)), in_front((0, 0), 0, (500, 0)), in_front((0, 0), 90, (1, 9000))
    (True, False, True)
    """
    east, south = direction(facing)
    return east * (other[0] - at[0]) + south * (other[1] - at[1]) > 0


def in_arc(at: Point, facing: int, other: Point, half: int) -> bool:
    """Return whether a point lies at most `half` degrees (0 to 180) to either side of a facing, edges included.

    A stand sees its own place in every arc.

    >>> in_arc((0, 0), 0, (5, -5), 45), in_arc((0, 0), 0, (6, -5), 45), in_arc((0, 0), 90, (0, 9), 90)
    (True, False, True)
    """
    (east, south), away = direction(facing), (other[0] - at[0], other[1] - at[1])
    ahead, aside = east * away[0] + south * away[1], abs(east * away[1] - south * away[0])
    # The sine of the angle that is left, which is not negative in the arc; straight behind is in the full circle alone.
    return sine(half) * ahead >= sine(half + 90) * aside and (half > 0 or ahead >= 0)


def direction(facing: int) -> Point:
    """The direction of a facing, eastwards and southwards, of length 10^6.

    >>> direction(0), direction(90), direction(180)
    ((0, -1000000), (1000000, 0), (0, 1000000))
    """
    return sine(facing), -sine(facing + 90)


def bearing(a: Point, b: Point) -> int:
    """The whole degrees nearest to the direction from one point to another; 0 for a point to itself.

    >>> bearing((0, 0), (0, -9)), bearing((0, 0), (5, 5)), bearing((0, 0), (-1000, 0))
    (0, 135, 270)
    """
    away = (b[0] - a[0], b[1] - a[1])

    def ahead(facing: int) -> int:
        east, south = direction(facing)
        return east * away[0] + south * away[1]

    about = round(degrees(atan2(away[0], -away[1])))  # whole numbers decide among the three nearest
    return max(sorted((about + turn) % 360 for turn in (-1, 0, 1)), key=ahead) if any(away) else 0
