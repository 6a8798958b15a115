"""Templates laid on the table: discs and rectangles with a facing, and the stands under them.

All sizes are in 1/1000 inch. The edge of a template belongs to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol, TypeVar

from opfire.core.places import Point
from opfire.space.measure import MICRO, direction, square
from opfire.space.terrain.exact import Ring
from opfire.space.terrain.shapes import block

Id = TypeVar("Id")


class Template(Protocol):
    """A shape laid on the table."""

    def holds(self, at: Point) -> bool:
        """Return whether a point lies under the template."""
        ...

    def touches(self, at: Point, radius: int) -> bool:
        """Return whether a disc lies under the template, wholly or in part."""
        ...


class Disc(NamedTuple):
    """A round template."""

    centre: Point
    radius: int

    def holds(self, at: Point) -> bool:
        """Return whether a point lies under the template."""
        return self.touches(at, 0)

    def touches(self, at: Point, radius: int) -> bool:
        """Return whether a disc lies under the template, wholly or in part."""
        return square(self.centre, at) <= (self.radius + radius) ** 2


class Rectangle(NamedTuple):
    """A rectangular template: its size across and along its facing, in degrees."""

    centre: Point
    size: Point
    facing: int = 0

    def holds(self, at: Point) -> bool:
        """Return whether a point lies under the template."""
        return self.touches(at, 0)

    def touches(self, at: Point, radius: int) -> bool:
        """Return whether a disc lies under the template, wholly or in part."""
        # How far the point lies beyond each pair of sides, in 10^-6 of 1/1000 inch, twice.
        across, along = (max(2 * abs(n) - MICRO * size, 0) for n, size in zip(self._seen(at), self.size, strict=True))
        return across**2 + along**2 <= (2 * MICRO * radius) ** 2

    def _seen(self, at: Point) -> Point:
        """A point seen from the centre: to the right and ahead, times 10^6."""
        (east, south), x, y = direction(self.facing), at[0] - self.centre[0], at[1] - self.centre[1]
        return east * y - south * x, east * x + south * y

    @property
    def ring(self) -> Ring:
        """The corners, for a picture."""
        return block(self.centre, self.size, self.facing)


def under(template: Template, stands: Mapping[Id, Point], radius: int = 0) -> list[Id]:
    """The stands under a template, in their order: with a radius those whose base it touches, else by their centre."""
    return [id for id, at in stands.items() if template.touches(at, radius)]
