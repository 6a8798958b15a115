"""The features of a table: what one kind of terrain is, and one wood, hill contour, road, bridge or house."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, Protocol

import msgspec

from opfire.core.places import Point
from opfire.space.terrain.exact import Ring

Shape = Literal["area", "contour", "line", "crossing", "building"]
"""The ways in which a feature is drawn."""

SHAPES: tuple[Shape, ...] = ("contour", "area", "line", "crossing", "building")
"""The shapes in the order in which they lie on each other."""


class Kind(Protocol):
    """A row of a terrain vocabulary: one kind of terrain of a rulebook."""

    @property
    def code(self) -> str:
        """The word of table files and rules."""
        ...

    @property
    def name(self) -> str:
        """The name that players read."""
        ...

    @property
    def shape(self) -> Shape:
        """The shape that it is drawn in."""
        ...

    @property
    def look(self) -> str:
        """The name of its look on the screen."""
        ...

    @property
    def width(self) -> float:
        """The usual width of a line or a crossing in inches; 0 for a line without width."""
        ...

    @property
    def level(self) -> int | None:
        """The level of stands in it, if it sets one."""
        ...

    @property
    def apart(self) -> str:
        """The codes of the kinds that it never overlaps, with spaces between."""
        ...

    @property
    def bars(self) -> bool:
        """Whether no stand at all can begin a game in it."""
        ...


class Vocabulary:
    """The kinds of terrain of a rulebook, by code. A vocabulary equals itself alone."""

    def __init__(self, kinds: Iterable[Kind]) -> None:
        self._kinds = {kind.code: kind for kind in kinds}

    def __getitem__(self, code: str) -> Kind:
        return self._kinds[code]

    def __iter__(self) -> Iterator[Kind]:
        return iter(self._kinds.values())

    def of_shape(self, shape: Shape) -> tuple[str, ...]:
        """The codes of the kinds that are drawn in a shape."""
        return tuple(code for code, kind in self._kinds.items() if kind.shape == shape)


NO_TERRAIN = Vocabulary(())
"""The vocabulary of a rulebook whose tables are bare."""


class Feature(msgspec.Struct, frozen=True, eq=False):
    """One piece of terrain. Its number is its place in the order of its table.

    `parts` are its polygons, each an outer ring and its holes; `way` is the course of a line or crossing. A line
    without width has no parts. A building has floors, a contour the name of its hill. `called` is the name that the
    author of the table gave it; `name` is that, or the name of its kind.
    """

    number: int
    id: str
    kind: str
    name: str
    shape: Shape
    parts: tuple[tuple[Ring, ...], ...] = ()
    way: Ring = ()
    width: int = 0
    level: int | None = None
    floors: int = 0
    hill: str = ""
    look: str = ""
    called: str = ""

    @property
    def points(self) -> tuple[Point, ...]:
        """All points that it is drawn with."""
        return (*self.way, *(at for rings in self.parts for ring in rings for at in ring))
