"""Who lies where: what every book's units have in common."""

from __future__ import annotations

from typing import Protocol

Hex = str
UnitId = str
Side = str


class Piece(Protocol):
    """A unit of any book, as far as stacks and carriers go."""

    @property
    def id(self) -> UnitId:
        """Its id, the same for the whole game."""
        ...

    @property
    def name(self) -> str:
        """Its name, as players read it."""
        ...

    @property
    def side(self) -> Side:
        """The side that it belongs to."""
        ...

    @property
    def hex(self) -> Hex | None:
        """The hex in which it stands; None off the map."""
        ...

    @property
    def status(self) -> str:
        """Whether it is on the map, waits to be placed, comes later or is gone."""
        ...

    @property
    def carrier(self) -> UnitId | None:
        """The unit that carries it."""
        ...
