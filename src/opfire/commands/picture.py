"""A position in characters: the map and its units, for a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

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


def picture(board: Mapping[str, Any], view: Mapping[str, Any]) -> list[str]:
    """The map in lines: the terrain and road of each hex, and below them the number of units of each side.

    `board` and `view` are those of docs/protocol.md. A side is shown by its first letter.
    """
    hexes = [hex for hex in board["hexes"] if hex["playable"]]
    if not hexes:
        return []
    places = {hex["name"]: (WIDE * hex["q"], 2 * hex["r"] + hex["q"]) for hex in hexes}
    left, top = min(x for x, _ in places.values()), min(y for _, y in places.values())
    high = max(y for _, y in places.values()) - top + 2
    lines = [dict[int, str]() for _ in range(high)]
    standing = _standing(view)
    for hex in hexes:
        x, y = places[hex["name"]]
        for below, text in enumerate((_land(hex), standing.get(hex["name"], ""))):
            lines[y - top + below].update({x - left + at: letter for at, letter in enumerate(text[: WIDE - 1])})
    return ["".join(line.get(x, " ") for x in range(max(line, default=-1) + 1)) for line in lines]


def legend(view: Mapping[str, Any]) -> str:
    """The meaning of the characters."""
    land = ", ".join(f"{code} {word}" for word, code in CODES.items())
    sides = ", ".join(f"{side['id'][:1].upper()} {side['name']}" for side in view.get("sides", ()))
    return f". clear, {land}, = bridge, - road; {sides}: how many units, * for a marker"


def _land(hex: Mapping[str, Any]) -> str:
    land = "".join(code for word, code in CODES.items() if word in hex["terrain"]) or "."
    road = "=" if hex["bridge"] else "-" if any(hex["links"]) else ""
    return land + road


def _standing(view: Mapping[str, Any]) -> dict[str, str]:
    """The content of each hex: a letter and a count for each side, a star for markers."""
    counts: dict[str, dict[str, int]] = {}
    for unit in view.get("units", ()):
        if unit.get("place"):
            sides = counts.setdefault(unit["place"], {})
            sides[unit["side"]] = sides.get(unit["side"], 0) + 1
    found = {
        hex: "".join(f"{side[:1].upper()}{count}" for side, count in sides.items()) for hex, sides in counts.items()
    }
    for marker in view.get("markers", ()):
        if not found.get(marker["place"], "").endswith("*"):
            found[marker["place"]] = found.get(marker["place"], "") + "*"
    return found
