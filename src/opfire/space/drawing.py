"""The picture of a map beyond its rules: churches, names of waters, how wide a hex is.

Each board can have a file of its own for it, `boards/drawings/NAME.toml`. No rule reads it and no fingerprint covers
it: a board can be drawn anew, and every record of a game on it stays true.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import msgspec

from opfire.core.errors import BadInput
from opfire.core.reading import ready

DRAWINGS = Path(__file__).parent.parent / "scenarios" / "boards" / "drawings"
"""The drawings of the boards that come with Opfire."""


class Lettering(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A name lettered along a line through the middles of hexes."""

    text: str
    along: tuple[str, ...]
    kind: Literal["water", "woods", "land", "hill"]


class Drawing(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The drawing of a board, its hexes as the board's file has them: `Q7`.

    `metres` is the distance from one side of a hex to the other; the gullies of the hexes in `dry` carry no water.
    """

    metres: int = 0
    churches: tuple[str, ...] = ()
    dry: tuple[str, ...] = ()
    names: tuple[Lettering, ...] = ()

    @property
    def hexes(self) -> frozenset[str]:
        """Every hex that the drawing names."""
        return frozenset((*self.churches, *self.dry, *(hex for name in self.names for hex in name.along)))


def read_drawing(file: Path) -> Drawing:
    """The drawing in a file. Raises BadInput for one that is malformed."""
    try:
        return msgspec.toml.decode(file.read_bytes(), type=ready(Drawing))
    except (msgspec.ValidationError, msgspec.DecodeError) as error:
        raise BadInput(str(error), file.name, "the form in docs/boards.md") from None


@lru_cache(maxsize=64)
def drawing_of(board: str) -> Drawing:
    """The drawing of the board with this id; an empty one if nobody has drawn it."""
    file = DRAWINGS / f"{board}.toml"
    return read_drawing(file) if file.is_file() else Drawing()


def joined(boards: Iterable[tuple[str, str]], there: Container[str], aliases: Mapping[str, str]) -> dict[str, Any]:
    """The drawing of a map of boards, each an id and a number, in the map's own names of hexes; empty without any.

    Hexes that are not `there`, because the map shows only a part of the board, are left out.
    """
    found = [(number, drawing_of(id)) for id, number in boards]

    def named(number: str, hexes: Iterable[str]) -> tuple[str, ...]:
        full = (f"{number}-{hex}" for hex in hexes)
        return tuple(name for name in (aliases.get(name, name) for name in full) if name in there)

    names = (
        Lettering(name.text, along, name.kind)
        for number, drawing in found
        for name in drawing.names
        if len(along := named(number, name.along)) > 1
    )
    whole = Drawing(
        next((drawing.metres for _, drawing in found if drawing.metres), 0),
        tuple(hex for number, drawing in found for hex in named(number, drawing.churches)),
        tuple(hex for number, drawing in found for hex in named(number, drawing.dry)),
        tuple(names),
    )
    data: dict[str, Any] = msgspec.to_builtins(whole)
    return data
