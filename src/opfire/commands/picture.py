"""A position in characters: the ground and its units, for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from opfire.core.places import Place
from opfire.space.sketch import Standing, sketch
from opfire.space.sketch import legend as legend_of


def picture(ground: Mapping[str, Any], view: Mapping[str, Any]) -> list[str]:
    """The ground in lines, and on it the units, each shown by the first letter of its side.

    `ground` and `view` are those of docs/protocol.md.
    """
    return sketch(ground, _standing(view))


def legend(ground: Mapping[str, Any], view: Mapping[str, Any]) -> str:
    """The meaning of the characters."""
    return legend_of(ground, [f"{side['id'][:1].upper()} {side['name']}" for side in view.get("sides", ())])


def _standing(view: Mapping[str, Any]) -> Iterator[Standing]:
    for unit in view.get("units", ()):
        if unit.get("place"):
            yield Standing(_place(unit["place"]), unit["side"], unit.get("facing"))
    for marker in view.get("markers", ()):
        yield Standing(_place(marker["place"]))


def _place(data: Any) -> Place:
    """A place from its plain data."""
    return data if isinstance(data, str) else (data[0], data[1])
