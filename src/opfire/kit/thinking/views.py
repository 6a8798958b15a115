"""Fields of view on a free table: the part of the ground towards the enemy's places that is seen from a point."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator

from opfire.core.places import INCH, Point
from opfire.kit.table import Zone, spots
from opfire.space.measure import bearing, direction
from opfire.space.table import Table

LOOKS, HEADINGS = (3, 6, 9, 12), (-40, -20, 0, 20, 40)
"""The inches and the degrees off the way to the enemy at which the ground is to be seen."""


def view(table: Table, at: Point, ways: Iterable[Point], sees: Callable[[Point], bool]) -> float:
    """The part of the ground before a point that is seen from there; all of it where no ground is looked at."""
    looked = [*_before(table, at, ways)]
    return sum(map(sees, looked)) / len(looked) if looked else 1.0


def _before(table: Table, at: Point, ways: Iterable[Point]) -> Iterator[Point]:
    """The ground from a point towards each of the places from which the enemy comes."""
    for way in ways:
        ahead = bearing(at, way)
        ends = (beyond(at, (ahead + off) % 360, inches) for off in HEADINGS for inches in LOOKS)
        yield from (to for to in ends if to in table)


def origins(zones: Iterable[Zone], entries: Iterable[Collection[Point]]) -> tuple[Point, ...]:
    """The places from which the enemy may come: the middles of his zones, and those of the places where he comes on."""
    starts = (found[0] for zone in dict.fromkeys(zones) if (found := spots(zone)))
    return (*starts, *dict.fromkeys(middle(points) for points in entries))


def middle(points: Collection[Point]) -> Point:
    """The middle of some points, of which there is one at least.

    >>> middle([(0, 0), (2000, 500)])
    (1000, 250)
    """
    return sum(x for x, _ in points) // len(points), sum(y for _, y in points) // len(points)


def beyond(at: Point, heading: int, inches: int) -> Point:
    """The point at a distance in a direction.

    >>> beyond((5000, 5000), 90, 3)
    (8000, 5000)
    """
    east, south = direction(heading)
    return at[0] + east * inches // INCH, at[1] + south * inches // INCH
