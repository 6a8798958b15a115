"""Edges sorted by the directions in which they lie from a point, for many lines that begin there.

A direction has a number, whole and never falling from one direction to the next all around. An edge that covers the
directions between two others therefore has all the numbers between theirs, and nothing is rounded away.
"""

from __future__ import annotations

from collections.abc import Iterable

from opfire.core.places import Point
from opfire.space.terrain.spans import Edge

QUARTER = 256
"""The number of sectors in a quarter of the circle."""

AROUND = 4 * QUARTER


def sector(east: int, south: int) -> int:
    """The number of a direction, clockwise on the table from the east; that of no direction is 0.

    >>> sector(5, 0), sector(3, 3), sector(0, 5), sector(-5, 0), sector(0, -5), sector(9999, -1), sector(0, 0)
    (0, 128, 256, 512, 768, 1023, 0)
    """
    if east > 0 <= south:
        return QUARTER * south // (east + south)
    if east <= 0 < south:
        return QUARTER + QUARTER * -east // (south - east)
    if east < 0:
        return 2 * QUARTER + QUARTER * -south // (-east - south)
    return 3 * QUARTER + QUARTER * east // (east - south) if south else 0


def by_direction(start: Point, edges: Iterable[Edge]) -> list[list[Edge]]:
    """For each sector around a point the edges that a line from there may meet; one through the point is in all."""
    found: list[list[Edge]] = [[] for _ in range(AROUND)]
    for edge in edges:
        for number in _covered((edge[0] - start[0], edge[1] - start[1]), (edge[2] - start[0], edge[3] - start[1])):
            found[number].append(edge)
    return found


def _covered(a: Point, b: Point) -> Iterable[int]:
    """The sectors that an edge covers, its ends counted from the point."""
    turn = a[0] * b[1] - a[1] * b[0]
    if not turn and a[0] * b[0] + a[1] * b[1] <= 0:
        return range(AROUND)
    first, last = sector(*a), sector(*b)
    if turn < 0:
        first, last = last, first
    return range(first, last + 1) if first <= last else (*range(first, AROUND), *range(last + 1))
