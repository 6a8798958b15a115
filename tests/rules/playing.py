"""The tools of every rulebook's tests: play, ask why not, look at calculations.

Hexes may be written without the number of their board: "A1" is "1-A1".
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from opfire.core.actions import Action
from opfire.core.dice import scripted
from opfire.core.events import Calculation, Event
from opfire.core.game import Game


def full(hex: str) -> str:
    """A printed name: that of board 1 where no board is named.

    >>> full("C4"), full("2-C4")
    ('1-C4', '2-C4')
    """
    return hex if "-" in hex else f"1-{hex}"


def toml(value: Any) -> str:
    """A value as TOML; JSON's texts, numbers and lists are TOML's too, and keys without a value are left out."""
    if isinstance(value, Mapping):
        given = {key: part for key, part in value.items() if part is not None}
        return "{ " + ", ".join(f"{json.dumps(key)} = {toml(part)}" for key, part in given.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(toml(part) for part in value) + "]"
    return json.dumps(value, ensure_ascii=False)


def lines_of(table: Mapping[str, Any]) -> str:
    """A flat table as TOML."""
    return "\n".join(f"{key} = {toml(value)}" for key, value in table.items())


def seat_for(game: Game[Any], seat: str | None) -> str:
    """The seat named, or the seat that is asked now."""
    return seat or game.asked()[0]


def named(action: Action) -> Action:
    """The action with full names of hexes."""
    changes = {field: full(value) for field in ("hex", "to") if isinstance(value := getattr(action, field, None), str)}
    return msgspec.structs.replace(action, **changes) if changes else action


def why_not(game: Game[Any], action: Action, seat: str | None = None) -> str | None:
    """The rule that forbids the action, or None; choices and refusals must agree."""
    action, seat = named(action), seat_for(game, seat)
    refusal = game.why_not(seat, action)
    offered = action in game.choices(seat)
    assert not (offered and refusal), f"offered, but refused: {refusal}"
    return refusal.rule if refusal else None


def refused(game: Game[Any], action: Action, seat: str | None = None) -> str:
    """The rule that forbids the action; fails when it is allowed."""
    found = why_not(game, action, seat)
    assert found is not None, f"{action} is allowed"
    return found


def allowed(game: Game[Any], action: Action, seat: str | None = None) -> bool:
    """Whether the action may be played now; fails, with the reason, when a rule forbids it."""
    seat = seat_for(game, seat)
    refusal = game.why_not(seat, named(action))
    assert refusal is None, str(refusal)
    return True


def offered(game: Game[Any], kind: type[Action], seat: str | None = None) -> set[Action]:
    """The actions of a kind that may be chosen now."""
    return {action for action in game.choices(seat_for(game, seat)) if isinstance(action, kind)}


def play(game: Game[Any], *actions: Action, dice: Iterable[int] | None = None, seat: str | None = None) -> list[Event]:
    """Play the actions, each by the asked seat; return the events. With `dice` exactly these must fall."""
    if dice is not None:
        game.dice = scripted(dice)
    events: list[Event] = []
    for action in actions:
        events += game.play(seat_for(game, seat), named(action))
    if dice is not None:
        assert not game.dice.script, f"dice {game.dice.script} are left over"
    return events


def calculations(events: Iterable[Event]) -> list[Calculation]:
    """The rolls, in order."""
    return [event.calculation for event in events if event.calculation is not None]


def results(events: Iterable[Event]) -> list[str]:
    """The results of all rolls, in order."""
    return [event.calculation.result(event.dice) for event in events if event.calculation is not None and event.dice]


def lines(calculation: Calculation) -> list[tuple[str, str, int]]:
    """The parts of a calculation: kind, rule and amount of each line."""
    return [(line.kind, line.rule, line.amount) for line in calculation.lines]


def unit(game: Game[Any], name: str) -> Any:
    """A unit as it stands."""
    return game.state.units[name]
