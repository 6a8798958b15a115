"""A space in characters, for a terminal: its ground, and signs for its units."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import msgspec

from opfire.core.places import INCH, Place
from opfire.space.terrain.exact import box, inside, sides

WIDE = 5
"""Characters from one column of hexes to the next; a hex is two lines high."""

CODES = {
    "water": "~",
    "town": "t",
    "village": "v",
    "woods": "w",
    "broken": "b",
    "swamp": "m",
    "sand": "a",
    "hilltop": "h",
    "slope": "s",
    "gully": "g",
}
"""One character a terrain, as in board files where those have one."""

TERRAIN = {
    "slope": "s",
    "hilltop": "h",
    "woods": "w",
    "heavy-woods": "f",
    "town": "t",
    "field": ",",
    "swamp": "m",
    "beach": "a",
    "water": "~",
    "gully": "g",
    "stream": "~",
    "road": "=",
    "track": "-",
    "dune": "(",
    "crest": "'",
    "cliff": "!",
    "hedge": ":",
    "fence": "|",
    "wall": "#",
    "bridge": "%",
    "ford": "x",
    "building": "@",
}
"""One character a look of the free table's terrain."""

ARROWS = ("^", "/", ">", "\\", "v", "/", "<", "\\")
"""A facing in eighths of a circle, clockwise from north."""


class Standing(msgspec.Struct, frozen=True):
    """Something to draw: its place, its side (empty for a marker), its facing in degrees."""

    place: Place
    side: str = ""
    facing: int | None = None

    @property
    def sign(self) -> str:
        """The first letter of the side, or a star."""
        return self.side[:1].upper() or "*"


Sketch = Callable[[Mapping[str, Any], Iterable[Standing]], list[str]]


def sketch(ground: Mapping[str, Any], standing: Iterable[Standing] = ()) -> list[str]:
    """The lines of a picture; `ground` is the data of a space as the client gets them."""
    return SKETCHES[ground["space"]](ground, standing)


def legend(ground: Mapping[str, Any], sides: Iterable[str]) -> str:
    """The meaning of the characters; `sides` gives each letter with its side."""
    looks = dict.fromkeys(feature["look"] for feature in ground.get("terrain", ()))
    terrain = "".join(f"{TERRAIN.get(look, '?')} {look.replace('-', ' ')}, " for look in looks)
    stands = ", ".join(sides)
    if ground["space"] == "table" and stands:
        stands = f"; {stands}: a stand and its facing, * for a marker"
    return terrain + LEGENDS[ground["space"]].format(sides=stands)


# --- hexes -----------------------------------------------------------------------------------------------


def _hexes(ground: Mapping[str, Any], standing: Iterable[Standing]) -> list[str]:
    """The terrain and road of each hex, and below them the number of units of each side."""
    hexes = [hex for hex in ground["hexes"] if hex["playable"]]
    if not hexes:
        return []
    at = {hex["name"]: (WIDE * hex["q"], 2 * hex["r"] + hex["q"]) for hex in hexes}
    left, top = min(x for x, _ in at.values()), min(y for _, y in at.values())
    lines = [dict[int, str]() for _ in range(max(y for _, y in at.values()) - top + 2)]
    counts = _counts(standing)
    for hex in hexes:
        x, y = at[hex["name"]]
        for below, text in enumerate((_land(hex), counts.get(hex["name"], ""))):
            _write(lines[y - top + below], x - left, text[: WIDE - 1])
    return _lines(lines)


def _land(hex: Mapping[str, Any]) -> str:
    land = "".join(code for word, code in CODES.items() if word in hex["terrain"]) or "."
    road = "=" if hex["bridge"] else "-" if any(hex["links"]) else ""
    return land + road


def _counts(standing: Iterable[Standing]) -> dict[Place, str]:
    """The signs of each place: a letter and a count for each side, a star for markers."""
    found: dict[Place, dict[str, int]] = {}
    for each in standing:
        sides = found.setdefault(each.place, {})
        sides[each.side] = sides.get(each.side, 0) + 1
    return {place: _counted(sides) for place, sides in found.items()}


def _counted(sides: Mapping[str, int]) -> str:
    units = "".join(f"{side[:1].upper()}{count}" for side, count in sides.items() if side)
    return f"{units}*" if "" in sides else units


# --- the free table --------------------------------------------------------------------------------------


def _table(ground: Mapping[str, Any], standing: Iterable[Standing]) -> list[str]:
    """A frame in which a character is an inch wide and two inches high; a stand is its letter and an arrow."""
    wide, high = -(-ground["size"][0] // INCH), -(-ground["size"][1] // (2 * INCH))
    lines = [dict[int, str]() for _ in range(high)]
    for feature in ground.get("terrain", ()):
        for column, row in _covered(feature, wide, high):
            lines[row][column] = TERRAIN.get(feature["look"], "?")
    for each in standing:
        if not isinstance(each.place, str):
            x, y = each.place
            _write(lines[min(y // (2 * INCH), high - 1)], min(x // INCH, wide - 1), each.sign + _arrow(each.facing))
    edge = f"+{'-' * wide}+"
    return [edge, *(f"|{line[:wide].ljust(wide)}|" for line in _lines(lines)), edge]


def _covered(feature: Mapping[str, Any], wide: int, high: int) -> Iterator[tuple[int, int]]:
    """The characters of a feature: along its way, or those whose middle it holds; a small one has its own middle."""
    if "way" in feature:
        points = [at for a, b in pairwise(feature["way"]) for at in _steps(a, b)]
    else:
        points = [*_middles(feature["polygons"], wide, high)] or [feature["polygons"][0][0][0]]
    yield from dict.fromkeys((min(x // INCH, wide - 1), min(y // (2 * INCH), high - 1)) for x, y in points)


def _steps(a: Sequence[int], b: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Points along a segment, less than half an inch apart."""
    many = max(abs(b[0] - a[0]), abs(b[1] - a[1])) * 2 // INCH + 1
    yield from ((a[0] + (b[0] - a[0]) * n // many, a[1] + (b[1] - a[1]) * n // many) for n in range(many + 1))


def _middles(polygons: Sequence[Any], wide: int, high: int) -> Iterator[tuple[int, int]]:
    for rings in polygons:
        segments = [side for ring in rings for side in sides([(x, y) for x, y in ring])]
        left, top, right, bottom = box((x, y) for x, y in rings[0])
        for row in range(top // (2 * INCH), min(bottom // (2 * INCH) + 1, high)):
            for column in range(left // INCH, min(right // INCH + 1, wide)):
                middle = (column * INCH + INCH // 2, row * 2 * INCH + INCH)
                if inside(middle, segments):
                    yield middle


def _arrow(facing: int | None) -> str:
    return "" if facing is None else ARROWS[(2 * facing + 45) // 90 % 8]


# --- lines -----------------------------------------------------------------------------------------------


def _write(line: dict[int, str], x: int, text: str) -> None:
    line.update({x + at: letter for at, letter in enumerate(text)})


def _lines(lines: Iterable[Mapping[int, str]]) -> list[str]:
    return ["".join(line.get(x, " ") for x in range(max(line, default=-1) + 1)) for line in lines]


SKETCHES: Mapping[str, Sketch] = {"hexes": _hexes, "table": _table}
LEGENDS = {
    "hexes": f". clear, {', '.join(f'{code} {word}' for word, code in CODES.items())}, = bridge, - road; "
    "{sides}: how many units, * for a marker",
    "table": "a character is an inch wide and two high{sides}",
}
