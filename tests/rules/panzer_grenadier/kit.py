"""Positions for the tests of Panzer Grenadier: a board drawn as the eye sees it, units and markers upon it.

    game = draw(". . w", inf=german("ger-inf", "A1"), lt=leader("german", "A1", combat=1), foe=soviet("sov-inf", "C1"))
    assert refused(game, Activate("foe", "move")) == "procedure"

Hexes may be written without the number of their board: "A1" is "1-A1". A game waits for an action segment.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

import msgspec
import pytest

from opfire.core.actions import Action
from opfire.core.case import Case, parse
from opfire.core.dice import scripted
from opfire.core.events import Calculation, Event
from opfire.core.game import Game
from opfire.rulesets.panzer_grenadier import RULESET
from opfire.rulesets.panzer_grenadier.pieces import Position, Unit
from space.drawing import text

rule = partial(pytest.mark.rule, "panzer-grenadier")

CLEAR = "\n".join([". " * 16] * 10)
"""A board of clear ground, columns A to P, rows 1 to 10."""

Table = Mapping[str, Any]


def full(hex: str) -> str:
    """A printed name: that of board 1 where no board is named.

    >>> full("C4"), full("2-C4")
    ('1-C4', '2-C4')
    """
    return hex if "-" in hex else f"1-{hex}"


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
        "markers": list(markers),
        "units": dict(units),
        "special": dict(special or {}),
    }
    case = parse("\n".join(f"{key} = {_value(value)}" for key, value in data.items()), "a position")
    return arranged(case, dice)


def arranged(case: Case, dice: Iterable[int] = ()) -> Game[Position]:
    """The game of a case."""
    assert RULESET.arrange is not None
    state, frame = RULESET.arrange(case.scenario, case)
    game: Game[Position] = Game(RULESET, state, scripted(dice), {side: side for side in case.scenario.sides})
    game.push(frame)
    game.run()
    return game


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{json.dumps(key)} = {_value(part)}" for key, part in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_value(part) for part in value) + "]"
    return json.dumps(value, ensure_ascii=False)


def unit(game: Game[Position], name: str) -> Unit:
    """The unit as it stands."""
    return game.state.units[name]


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
    offered_now = action in game.choices(seat)
    assert not (offered_now and refusal), f"offered, but refused: {refusal}"
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


def calculations(events: Iterable[Event]) -> list[Calculation]:
    """What was rolled for, in order."""
    return [event.calculation for event in events if event.calculation is not None]


def results(events: Iterable[Event]) -> list[str]:
    """The results of all rolls, in order."""
    return [event.calculation.result(event.dice) for event in events if event.calculation is not None and event.dice]


def lines(calculation: Calculation) -> list[tuple[str, str, int]]:
    """What a calculation is made of: kind, rule and amount of each line."""
    return [(line.kind, line.rule, line.amount) for line in calculation.lines]
