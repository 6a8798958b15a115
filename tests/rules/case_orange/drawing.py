"""Positions for the tests of Case Orange: a board drawn as the eye sees it, units and markers upon it.

    game = draw(". . w", tank=german("pz-iv-h", "A1"), gun=soviet("at-45", "C1"), step="vehicle")
    assert refused(game, Move("tank", "1-C1")) == "5.2.1"

Hexes may be written without the number of their board: "A1" is "1-A1".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

import pytest

from opfire.core.actions import Action
from opfire.core.case import parse, position
from opfire.core.events import Calculation, Event
from opfire.core.game import Game
from opfire.rulesets.case_orange.movement import Moving
from opfire.rulesets.case_orange.pieces import Position
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
    "amount",
    "calculations",
    "draw",
    "full",
    "german",
    "kinds",
    "lines",
    "marker",
    "named",
    "offered",
    "piece",
    "play",
    "preview",
    "refused",
    "results",
    "rule",
    "rules",
    "seat_for",
    "soviet",
    "spent",
    "unit",
    "where",
    "why_not",
]

rule = partial(pytest.mark.rule, "case-orange")

CLEAR = "\n".join([". " * 12] * 8)
"""A board of clear ground, columns A to L, rows 1 to 8."""

Table = Mapping[str, Any]


def piece(unit: str, at: str = "", /, **values: Any) -> dict[str, Any]:
    """A unit of that type, in that hex; values as in a case file ([units.NAME] of docs/cases.md)."""
    table = {"unit": unit, **values} | ({"at": full(at)} if at else {})
    if "registered" in table:
        table["registered"] = full(table["registered"])
    if "entry" in table:
        table["entry"] = [full(hex) for hex in table["entry"]]
    return table


def german(unit: str, at: str = "", /, **values: Any) -> dict[str, Any]:
    """A unit of that type on the German side, whatever nation it is of."""
    return piece(unit, at, side="german", **values)


def soviet(unit: str, at: str = "", /, **values: Any) -> dict[str, Any]:
    """A unit of that type on the Soviet side, whatever nation it is of."""
    return piece(unit, at, side="soviet", **values)


def marker(kind: str, at: str, **values: Any) -> dict[str, Any]:
    """A marker: kind as in docs/cases.md; its value, side, allowance."""
    return {"kind": kind, "at": full(at), **values}


def draw(
    board: str = CLEAR,
    /,
    *,
    fields: Table | None = None,
    markers: Iterable[Table] = (),
    side: str = "german",
    step: str = "direct",
    options: Iterable[str] = (),
    turn: int = 1,
    turns: int = 99,
    first: str = "",
    dice: Iterable[int] = (),
    sides: Mapping[str, Table] | None = None,
    indirect: Iterable[Table] = (),
    victory: Iterable[Table] = (),
    bridges: Mapping[str, str] | None = None,
    **units: Table,
) -> Game[Position]:
    """A game in that step of the side's player turn.

    `board` is rows of tokens as in docs/boards.md (every hex whole, even columns half a hex lower; `fields` are
    further fields of the board: roads, tracks, gullies, bridges, ...) or the whole text of a board file. Units are
    named by keyword, in stacking order, first on top: `tank=german("pz-iv-h", "A1")`. `dice` fall one by one.
    """
    case = {
        "ruleset": "case-orange",
        "map": board if "hexes =" in board else text(board, **dict(fields or {})),
        "side": side,
        "step": step,
        "first": first or side,
        "turn": turn,
        "turns": turns,
        "options": list(options),
        "dice": list(dice),
        "bridges": {full(hex): kind for hex, kind in (bridges or {}).items()},
        "sides": {"german": {}, "soviet": {"riders": True}} | dict(sides or {}),
        "units": units,
        "markers": list(markers),
        "indirect": list(indirect),
        "victory": [{**table, "hexes": [full(hex) for hex in table.get("hexes", ())]} for table in victory],
    }
    return position(parse(lines_of(case), "drawn"))


def preview(game: Game[Position], action: Action, seat: str | None = None) -> Calculation:
    """The calculation that the action would lead to; fails without one."""
    found = game.ruleset.preview(game.sight(seat_for(game, seat)), game.stack[-1], named(action))
    assert isinstance(found, Calculation), f"no calculation for {action}"
    return found


def amount(calculation: Calculation, number: str, kind: str | None = None) -> int | None:
    """The sum of the lines that rest on a rule, or None without such lines."""
    found = [line.amount for line in calculation.lines if line.rule == number and kind in (None, line.kind)]
    return sum(found) if found else None


def rules(events: Iterable[Event]) -> set[str]:
    """The rules that events and their calculations name."""
    events = list(events)
    return {event.rule for event in events} | {line.rule for part in calculations(events) for line in part.lines}


def kinds(events: Iterable[Event]) -> list[str]:
    """The kinds of events, in order."""
    return [event.kind for event in events]


def where(game: Game[Position], name: str) -> str:
    """The hex a unit is in without the number of board 1; empty off the map."""
    return (unit(game, name).hex or "").removeprefix("1-")


def spent(game: Game[Position], name: str) -> float:
    """Movement factors that the unit now under way has spent; fails when it is not under way."""
    top = game.stack[-1]
    assert isinstance(top, Moving), f"{name} is not moving any more"
    assert top.unit == name
    return unit(game, name).kind.movement - top.left / 2
