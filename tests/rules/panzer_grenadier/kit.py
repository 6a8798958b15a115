"""Positions for the tests of Panzer Grenadier: a board drawn as the eye sees it, units and markers upon it.

    game = draw(". . w", inf=german("ger-inf", "A1"), lt=leader("german", "A1", combat=1), foe=soviet("sov-inf", "C1"))
    assert refused(game, Activate("foe", "move")) == "procedure"

Hexes may be written without the number of their board: "A1" is "1-A1". A game waits for an action segment.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

import pytest

from opfire.core.case import parse, position
from opfire.core.game import Game
from opfire.rulesets.panzer_grenadier.pieces import Position
from rules.playing import (
    allowed,
    calculations,
    full,
    lines,
    lines_of,
    named,
    offered,
    play,
    refused,
    results,
    seat_for,
    unit,
    why_not,
)
from space.drawing import text

__all__ = [
    "CLEAR",
    "Table",
    "allowed",
    "battle",
    "calculations",
    "draw",
    "force",
    "full",
    "german",
    "leader",
    "lines",
    "marker",
    "named",
    "offered",
    "piece",
    "play",
    "refused",
    "results",
    "rule",
    "seat_for",
    "soviet",
    "unit",
    "why_not",
]

rule = partial(pytest.mark.rule, "panzer-grenadier")

CLEAR = "\n".join([". " * 16] * 10)
"""A board of clear ground, columns A to P, rows 1 to 10."""

Table = Mapping[str, Any]


def piece(unit: str, at: str = "", /, **values: Any) -> dict[str, Any]:
    """A unit of that type, in that hex; values as in a case file."""
    table = {"unit": unit, **values} | ({"at": full(at)} if at else {})
    if "entry" in table:
        table["entry"] = [full(hex) for hex in table["entry"]]
    return table


def german(unit: str, at: str = "", /, **values: Any) -> dict[str, Any]:
    """A unit of that type on the German side, whatever nation it is of."""
    return piece(unit, at, side="german", **values)


def soviet(unit: str, at: str = "", /, **values: Any) -> dict[str, Any]:
    """A unit of that type on the Soviet side, whatever nation it is of."""
    return piece(unit, at, side="soviet", **values)


def leader(side: str, at: str = "", rank: str = "LT", /, **values: Any) -> dict[str, Any]:
    """A leader: `leads` is his morale, `combat` and `bonus` his modifiers."""
    return piece("leader", at, side=side, rank=rank, **{"leads": 8, **values})


def marker(kind: str, at: str, **values: Any) -> dict[str, Any]:
    """A marker: entrenchment, mines, wreck, smoke, control."""
    return {"kind": kind, "at": full(at), **values}


def draw(
    board: str = CLEAR,
    /,
    *,
    fields: Table | None = None,
    markers: Iterable[Table] = (),
    side: str = "german",
    options: Iterable[str] = (),
    turn: int = 1,
    special: Table | None = None,
    dice: Iterable[int] = (),
    victory: Iterable[Table] = (),
    **units: Table,
) -> Game[Position]:
    """The game in this position, waiting for an action segment of `side`."""
    data = {
        "ruleset": "panzer-grenadier",
        "title": "A position",
        "side": side,
        "step": "segment",
        "turn": turn,
        "options": list(options),
        "map": text(board, **dict(fields or {})),
        "dice": list(dice),
        "markers": list(markers),
        "victory": list(victory),
        "units": dict(units),
        "special": dict(special or {}),
    }
    return position(parse(lines_of(data), "a position"))


def force(unit: str, zone: str = "", /, count: int = 1, **values: Any) -> dict[str, Any]:
    """That many units of a type in a scenario, set up in the zone of that name; values as in a scenario file."""
    return {"unit": unit, "count": count, **({"zone": zone} if zone else {}), **values}


def battle(
    id: str,
    board: str,
    /,
    *,
    german: Iterable[Table],
    soviet: Iterable[Table],
    zones: Mapping[str, Iterable[str]],
    special: Table,
    fields: Table | None = None,
    reinforcements: Iterable[Table] = (),
    **values: Any,
) -> str:
    """The text of a scenario on a drawn board: the forces of both sides, their zones, instructions, other fields.

    The Germans begin and set up last, and have the reinforcements.
    """
    sides = {
        "german": {"name": "German", "nation": "german", "units": [*german], "reinforcements": [*reinforcements]},
        "soviet": {"name": "Soviet", "nation": "soviet", "units": [*soviet]},
    }
    told = {
        "id": id,
        "ruleset": "panzer-grenadier",
        "title": id.capitalize(),
        "first": "german",
        "setup": ["soviet", "german"],
        **values,
        "map": text(board, **dict(fields or {})),
        "sides": sides,
        "zones": [{"name": name, "list": [full(hex) for hex in hexes]} for name, hexes in zones.items()],
        "special": special,
    }
    return lines_of(told)
