"""The legend of a board: the letters of its ground and the kinds of its hexsides.

Boards of 250 m a hex share the built-in legend. A board that names another one (`legend = "panzer"`) finds it as a CSV
beside the boards, so that each rulebook brings the terrain that it needs.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

import msgspec

from opfire.core.errors import BadInput

LEGENDS = Path(__file__).parent.parent / "scenarios" / "boards"
"""The folder with the legends that come with Opfire."""

HEIGHTS = range(-1, 10)
"""The levels that a token may begin with."""

FIELDS = ["code", "name", "kind"]


class Legend(msgspec.Struct, frozen=True):
    """The words of a board.

    `codes` are the letters of a hex token, `levels` the words that set a level, `borders` the words whose edge is a
    feature of the hexsides around them, `sides` the kinds of hexsides that a board may list under `sides`. With
    `heights`, a token may begin with the level of its hex, and hexsides between levels bear no feature of their own.
    """

    name: str
    codes: Mapping[str, str]
    levels: Mapping[str, int] = {}
    borders: tuple[str, ...] = ()
    sides: tuple[str, ...] = ()
    heights: bool = False

    def split(self, token: str) -> tuple[int | None, str]:
        """The level that a token begins with, and its letters; no letters for a dot.

        >>> USUAL.split("sw"), USUAL.split(".")
        ((None, 'sw'), (None, ''))
        """
        letters = token.lstrip("-0123456789") if self.heights else token
        number = token[: len(token) - len(letters)]
        level = int(number) if number.removeprefix("-").isdecimal() else None
        return level, "" if letters == "." else letters


USUAL = Legend(
    "",
    {
        "w": "woods",
        "b": "broken",
        "t": "town",
        "v": "village",
        "s": "slope",
        "h": "hilltop",
        "p": "peak",
        "a": "sand",
        "m": "swamp",
        "~": "water",
    },
    levels={"slope": 1, "hilltop": 2, "peak": 3},
    borders=("woods", "broken", "town"),
)
"""The legend of the boards of 250 m a hex; `.` alone is clear ground in every legend."""


@lru_cache
def legend(name: str) -> Legend:
    """The legend of that name; the usual one for an empty name. Raises BadInput with the known names."""
    if not name:
        return USUAL
    known = sorted(path.stem for path in LEGENDS.glob("*.csv"))
    if name not in known:
        raise BadInput(f"there is no legend {name!r}", "legend", "one of " + ", ".join(known))
    return _read(LEGENDS / f"{name}.csv")


def _read(path: Path) -> Legend:
    """The legend in a CSV file: a code with its name for each kind `hex`, a name for each kind `hexside`."""
    codes: dict[str, str] = {}
    sides: list[str] = []
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file, strict=True)
        if reader.fieldnames != FIELDS:
            raise BadInput("the heading of a legend", f"{path.name}:1", ",".join(FIELDS))
        for row in reader:
            where = f"{path.name}:{reader.line_num}"
            if row["kind"] == "hexside":
                sides.append(row["name"])
            elif row["kind"] != "hex" or len(row["code"]) != 1 or row["code"] in codes:
                raise BadInput(
                    f"{row['code']!r} of kind {row['kind']!r}", where, "hex with a letter of its own, or hexside"
                )
            else:
                codes[row["code"]] = row["name"]
    return Legend(path.stem, codes, sides=tuple(sides), heights=True)
