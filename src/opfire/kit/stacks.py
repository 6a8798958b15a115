"""Units and their stacks, carriers and passengers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol, TypeVar

from opfire.core.errors import BadInput

Hex = str
UnitId = str
Side = str


class Member(Protocol):
    """A unit of any book, on hexes or on a table, as far as set-up needs it."""

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
        """Its side."""
        ...

    @property
    def status(self) -> str:
        """Its status: on the map, to be placed, in reserve or gone."""
        ...

    @property
    def carrier(self) -> UnitId | None:
        """The unit that carries it."""
        ...


class Piece(Member, Protocol):
    """A unit of a book on hexes, as far as stacks and carriers need it."""

    @property
    def hex(self) -> Hex | None:
        """The hex in which it stands; None off the map."""
        ...


U = TypeVar("U", bound=Piece)

Stacks = dict[Hex, tuple[UnitId, ...]]
"""The units in each hex, top first, without passengers; hexes without units are missing."""


def opponents(sides: Sequence[Side]) -> dict[Side, Side]:
    """The other side of each of two.

    >>> opponents(("german", "soviet"))
    {'german': 'soviet', 'soviet': 'german'}

    Raises BadInput for any other number of sides.
    """
    if len(sides) != 2:
        raise BadInput(f"the sides are {', '.join(sides)}", "[sides]", "two sides")
    first, second = sides
    return {first: second, second: first}


def afield(units: Mapping[UnitId, U], names: Iterable[UnitId]) -> Iterator[U]:
    """Those of the named units that are on the map and not passengers."""
    for name in names:
        unit = units[name]
        if unit.hex is not None and unit.carrier is None:
            yield unit


def leave(stacks: Stacks, unit: Piece) -> None:
    """Take a unit out of its stack; a passenger or a unit off the map is in none."""
    if unit.hex is None or unit.carrier is not None:
        return
    rest = tuple(other for other in stacks[unit.hex] if other != unit.id)
    if rest:
        stacks[unit.hex] = rest
    else:
        del stacks[unit.hex]


def bring(stacks: Stacks, unit: Piece, hex: Hex) -> None:
    """Move a unit from its stack, if it lies in one, to the top of the stack in a hex."""
    leave(stacks, unit)
    stacks[hex] = (unit.id, *stacks.get(hex, ()))
