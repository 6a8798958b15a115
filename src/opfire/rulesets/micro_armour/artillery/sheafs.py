"""Sheafs [7.4.2.3]: impact markers in a row or on one spot, directions and deviation by compass."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from opfire.core.places import INCH, Point
from opfire.core.texts import say

Compass: TypeAlias = Literal["N", "NE", "E", "SE", "S", "SW", "W", "NW"]
"""A direction of the deviation compass, clockwise from north: RULINGS.md R40."""

Pattern: TypeAlias = Literal["open", "closed"]
"""A sheaf in a straight line, or with all markers on one spot [7.4.2.3]."""

DIRECTIONS: tuple[Compass, ...] = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
"""The directions by the number of 1D8, from 1 on [7.6.1.2-direction]: RULINGS.md R40."""

SHAPES: tuple[tuple[Pattern, Compass], ...] = (("closed", "N"), *(("open", toward) for toward in DIRECTIONS))
"""The ways in which the markers of a sheaf may lie; a closed one has no direction [7.4.2.3]."""

STEPS: tuple[Point, ...] = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
"""The step on the table for each eighth of a turn, clockwise from the top edge."""

DIAGONAL = 707
"""The part of a diagonal distance along each axis, in thousandths."""


class Sheaf(NamedTuple):
    """The place of the first impact marker (1/1000 inch), the number of markers, and how they lie."""

    at: Point
    markers: int
    pattern: Pattern
    toward: Compass

    def places(self, north: int) -> tuple[Point, ...]:
        """The centres of all markers; `north` is the compass' north in degrees [7.4.2.3-open, 7.6.3-sheaf].

        >>> Sheaf((17000, 8000), 2, "open", "E").places(0)
        ((17000, 8000), (18000, 8000))
        >>> Sheaf((17000, 8000), 2, "closed", "E").places(0)
        ((17000, 8000), (17000, 8000))
        """
        right, down = step(self.toward, north) if self.pattern == "open" else (0, 0)
        return tuple((self.at[0] + right * INCH * n, self.at[1] + down * INCH * n) for n in range(self.markers))


def in_words(sheaf: Sheaf) -> str:
    """The lie of markers, as a player writes it; a single one lies in no pattern [7.6.3-sheaf].

    >>> in_words(Sheaf((17000, 8000), 2, "open", "E")), in_words(Sheaf((17000, 8000), 3, "closed", "N"))
    ('Open E2', 'Closed 3')
    """
    if sheaf.markers == 1:
        return ""
    toward = sheaf.toward if sheaf.pattern == "open" else ""
    return say("{} {}{}", sheaf.pattern.capitalize(), toward, sheaf.markers)


def step(toward: Compass, north: int) -> Point:
    """The step of one inch on the table towards a direction of the compass; north is a multiple of 45 degrees.

    >>> step("E", 0), step("S", 270), step("NW", 0)
    ((1, 0), (1, 0), (-1, -1))
    """
    return STEPS[(DIRECTIONS.index(toward) + north // 45) % len(STEPS)]


def drift(toward: Compass, inches: int, north: int) -> Point:
    """The way of a deviation (1/1000 inch): the distance is that of the way itself, also diagonally: RULINGS.md R40.

    >>> drift("E", 2, 0), drift("SE", 2, 0)
    ((2000, 0), (1414, 1414))
    """
    right, down = step(toward, north)
    far = inches * (DIAGONAL if right and down else INCH)
    return right * far, down * far
