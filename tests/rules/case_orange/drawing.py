"""Positions for the tests of Case Orange: a board drawn as the eye sees it, units and markers upon it.

    game = draw(". . w", tank=german("pz-iv-h", "A1"), gun=soviet("at-45", "C1"), step="vehicle")
    assert refused(game, Move("tank", "1-C1")) == "5.2.1"

Hexes may be written without the number of their board: "A1" is "1-A1".
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

import msgspec
import pytest

from opfire.core.actions import Action
from opfire.core.case import parse, position
from opfire.core.dice import scripted
from opfire.core.events import Calculation, Event
from opfire.core.game import Game
from opfire.rulesets.case_orange.movement import Moving
from opfire.rulesets.case_orange.pieces import Position
from space.drawing import text

rule = partial(pytest.mark.rule, "case-orange")

CLEAR = "\n".join([". " * 12] * 8)
"""A board of clear ground, columns A to L, rows 1 to 8."""

Table = Mapping[str, Any]


def full(hex: str) -> str:
    """A printed name: that of board 1 where no board is named.

    >>> full("C4"), full("2-C4")
    ('1-C4', '2-C4')
    """
    return hex if "-" in hex else f"1-{hex}"


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
    return position(parse(_toml(case), "drawn"))


def _toml(case: Table) -> str:
    """A flat case as TOML; JSON's texts, numbers and lists are TOML's too."""
    return "\n".join(f"{key} = {_value(value)}" for key, value in case.items())


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{json.dumps(key)} = {_value(part)}" for key, part in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_value(part) for part in value) + "]"
    return json.dumps(value, ensure_ascii=False)


def seat_for(game: Game[Position], seat: str | None) -> str:
    """The seat named, or whoever is asked now."""
    return seat or game.asked()[0]


def named(action: Action) -> Action:
    """The action with full names of hexes."""
    changes = {field: full(value) for field in ("hex", "to") if isinstance(value := getattr(action, field, None), str)}
    return msgspec.structs.replace(action, **changes) if changes else action


def why_not(game: Game[Position], action: Action, seat: str | None = None) -> str | None:
    """The rule that forbids the action, or None; choices and refusals must agree."""
    action, seat = named(action), seat_for(game, seat)
    refusal = game.why_not(seat, action)
    offered = action in game.choices(seat)
    assert not (offered and refusal), f"offered, but refused: {refusal}"
    return refusal.rule if refusal else None


def refused(game: Game[Position], action: Action, seat: str | None = None) -> str:
    """The rule that forbids the action; fails when it is allowed."""
    found = why_not(game, action, seat)
    assert found is not None, f"{action} is allowed"
    return found


def allowed(game: Game[Position], action: Action, seat: str | None = None) -> bool:
    """Whether the action may be played now; fails, with the reason, when a rule forbids it."""
    seat = seat_for(game, seat)
    refusal = game.why_not(seat, named(action))
    assert refusal is None, str(refusal)
    return True


def offered(game: Game[Position], kind: type[Action], seat: str | None = None) -> set[Action]:
    """The actions of a kind that may be chosen now."""
    return {action for action in game.choices(seat_for(game, seat)) if isinstance(action, kind)}


def play(
    game: Game[Position], *actions: Action, dice: Iterable[int] | None = None, seat: str | None = None
) -> list[Event]:
    """Play the actions, each by whoever is asked; what happened. With `dice` exactly these must fall."""
    if dice is not None:
        game.dice = scripted(dice)
    events: list[Event] = []
    for action in actions:
        events += game.play(seat_for(game, seat), named(action))
    if dice is not None:
        assert not game.dice.script, f"dice {game.dice.script} are left over"
    return events


def preview(game: Game[Position], action: Action, seat: str | None = None) -> Calculation:
    """The calculation that the action would lead to; fails where there is none."""
    found = game.ruleset.preview(game.sight(seat_for(game, seat)), game.stack[-1], named(action))
    assert isinstance(found, Calculation), f"no calculation for {action}"
    return found


def calculations(events: Iterable[Event]) -> list[Calculation]:
    """What was rolled for, in order."""
    return [event.calculation for event in events if event.calculation is not None]


def results(events: Iterable[Event]) -> list[str]:
    """The results of all rolls, in order."""
    return [event.calculation.result(event.dice) for event in events if event.calculation is not None and event.dice]


def lines(calculation: Calculation) -> list[tuple[str, str, int]]:
    """What a calculation is made of: kind, rule and amount of each line."""
    return [(line.kind, line.rule, line.amount) for line in calculation.lines]


def amount(calculation: Calculation, number: str, kind: str | None = None) -> int | None:
    """The sum of the lines that rest on a rule, or None when there are none."""
    found = [line.amount for line in calculation.lines if line.rule == number and kind in (None, line.kind)]
    return sum(found) if found else None


def rules(events: Iterable[Event]) -> set[str]:
    """The rules that events and their calculations name."""
    events = list(events)
    return {event.rule for event in events} | {line.rule for part in calculations(events) for line in part.lines}


def kinds(events: Iterable[Event]) -> list[str]:
    """The kinds of events, in order."""
    return [event.kind for event in events]


def unit(game: Game[Position], name: str) -> Any:
    """A unit as it stands."""
    return game.state.units[name]


def where(game: Game[Position], name: str) -> str:
    """The hex a unit is in without the number of board 1; empty off the map."""
    return (unit(game, name).hex or "").removeprefix("1-")


def spent(game: Game[Position], name: str) -> float:
    """Movement factors that the unit now under way has spent; fails when it is not under way."""
    top = game.stack[-1]
    assert isinstance(top, Moving), f"{name} is not moving any more"
    assert top.unit == name
    return unit(game, name).kind.movement - top.left / 2
