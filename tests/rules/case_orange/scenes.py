"""Whole small scenarios, from the set-up on, for the tests that a position in the middle of a turn cannot serve."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from opfire.core.dice import scripted
from opfire.core.game import Game
from opfire.core.record import new_game
from opfire.core.ruleset import find
from opfire.rulesets.case_orange.pieces import Position
from rules.case_orange.drawing import CLEAR, full
from rules.playing import lines_of
from space.drawing import text


def scene_text(
    board: str = CLEAR,
    /,
    *,
    german: Mapping[str, int] | None = None,
    forces: Iterable[Mapping[str, Any]] = (),
    soviet: Mapping[str, int] | None = None,
    zone: Iterable[str] = ("A1",),
    other: Iterable[str] = ("L8",),
    markers: Iterable[Mapping[str, Any]] = (),
    turns: int = 2,
    first: str = "german",
    fields: Mapping[str, Any] | None = None,
    reserve: Iterable[Mapping[str, Any]] = (),
    **more: Any,
) -> str:
    """A scenario: Germans set up in `zone`, then Soviets in `other`; `reserve` are German reinforcements.

    `forces` are further German units, with more than a type and a number, as tables.
    """
    named = [{"zone": "west", **force} for force in forces]
    foot = {} if named else {"rifle-42-german": 1}
    sides = {
        "german": (german or foot, "west"),
        "soviet": (soviet or {"rifle-43-soviet": 1}, "east"),
    }
    data: dict[str, Any] = {
        "id": "scene",
        "ruleset": "case-orange",
        "title": "A scene",
        "turns": turns,
        "first": first,
        "setup": ["german", "soviet"],
        "map": text(board, **dict(fields or {})),
        "zones": [
            {"name": "west", "list": [full(hex) for hex in zone]},
            {"name": "east", "list": [full(hex) for hex in other]},
        ],
        "markers": [{**mark, "at": [mark["at"]]} for mark in markers],
        "sides": {
            side: {
                "name": side.title(),
                "nation": side,
                "riders": side == "soviet",
                "units": [{"unit": kind, "count": count, "zone": place} for kind, count in counts.items()]
                + (named if side == "german" else []),
                "reinforcements": list(reserve) if side == "german" else [],
            }
            for side, (counts, place) in sides.items()
        },
        **more,
    }
    return lines_of(data)


def scene(*args: Any, dice: Iterable[int] = (), **values: Any) -> Game[Position]:
    """The game of such a scenario, waiting for the first set-up."""
    return new_game(find("case-orange"), scene_text(*args, **values), scripted(dice))
