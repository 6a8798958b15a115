"""Vocabularies of terrain: the kinds that table files may name, a CSV row each."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from opfire.core.errors import BadInput
from opfire.core.rows import OWN, Row, Texts, keyed
from opfire.space.terrain.features import Shape, Vocabulary
from opfire.space.terrain.files import TABLES


class TerrainKind(Row, frozen=True, kw_only=True):
    """One kind of terrain: code and name, the shape that it is drawn in, its look on the screen.

    `width` is the usual width of a line or a crossing in inches; a line without width is crossed, never stood in.
    `level` is the level of stands in it, where it sets one. `apart` holds the codes of the kinds that it never
    overlaps, with spaces between. A kind that bars has room for no stand at all.
    """

    code: str
    name: str
    shape: Shape
    look: str
    width: float = 0
    level: int | None = None
    apart: str = ""
    bars: bool = False


def vocabulary(path: Path, pack: Texts = OWN) -> Vocabulary:
    """The vocabulary in a CSV file. Raises BadInput with file and line, or with the code that no row explains."""
    kinds = keyed(TerrainKind, path, lambda kind: kind.code, pack)
    for kind in kinds.values():
        if unknown := [code for code in kind.apart.split() if code not in kinds]:
            raise BadInput(f"{kind.code} lies apart from {unknown[0]!r}", path.name, "codes of this table")
        if kind.shape == "crossing" and not kind.width > 0:
            raise BadInput(f"{kind.code} is a crossing without width", path.name, "a width in inches")
    return Vocabulary(kinds.values())


@lru_cache
def named(name: str) -> Vocabulary:
    """The vocabulary that a table file names, of those that come with Opfire. Raises BadInput with their names."""
    there = sorted(path.stem for path in TABLES.glob("*.csv"))
    if name not in there:
        raise BadInput(f"there is no vocabulary {name!r}", "terrain", "one of " + ", ".join(there))
    return vocabulary(TABLES / f"{name}.csv")
