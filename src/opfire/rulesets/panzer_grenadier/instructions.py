"""Scenario instructions [2.3]: what only this rulebook's scenarios say, under `[special]` in the scenario's file."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from opfire.core.errors import BadInput


class Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table of the instructions: an unknown field is an error, not a silent nothing."""


class Flight(Strict, frozen=True):
    """Aircraft that a side receives [15.11]: how many pieces it draws in each of these turns."""

    turns: tuple[int, ...]
    pieces: int = 1


class Army(Strict, frozen=True):
    """One side's instructions.

    `initiative` falls by one when the step losses reach each of `losses` [3.0.D]. `force` names the row of forces.csv
    that gives morale where `morale` (by unit id or type, `full/reduced`) does not. `leaders` counts pieces to draw by
    rank [6.1], such as `LT`, or `romanian LT` where a side has allies [3.12.c], `mounted` how many of them may be
    cavalry leaders [6.9], `tank_leaders` the secret ones where the force has none by itself [6.8]. `offboard` lists the
    strengths of off-board batteries [9.2], `mines` counts markers to draw [16.7]. `players` gives units, by id, type or
    zone, to several players of the side [18.2].
    """

    initiative: int
    losses: tuple[int, ...] = ()
    force: str = ""
    morale: dict[str, str] = {}
    leaders: dict[str, int] = {}
    leader_zone: str = ""
    mounted: int = 0
    tank_leaders: int = 0
    kommissars: int = 0
    offboard: tuple[int, ...] = ()
    aircraft: Flight | None = None
    smoke: bool = False
    mines: int = 0
    mine_zone: str = ""
    players: dict[str, tuple[str, ...]] = {}


class Crossing(Strict, frozen=True):
    """Crossing Numbers of a major river, by movement class [5.73]; 0 where nobody crosses."""

    foot: int = 0
    mechanized: int = 0
    motorized: int = 0


class Instructions(Strict, frozen=True):
    """What the scenario book prints for a scenario besides forces and map.

    `night` lists the night turns, `visibility` is how far one sees by day, `fords` are hexes where a river is forded
    by anybody, `railroad` the hexes that trains may enter, `command` divides a side among players [18.0].
    """

    year: int
    sides: dict[str, Army]
    night: tuple[int, ...] = ()
    visibility: int = 12
    fords: tuple[str, ...] = ()
    crossing: Crossing = Crossing()
    railroad: tuple[str, ...] = ()
    command: Literal["", "sector", "formation"] = ""


def instructions(special: dict[str, Any], sides: tuple[str, ...]) -> Instructions:
    """The instructions of a scenario. Raises BadInput for what is missing, unknown or names no side."""
    try:
        given = msgspec.convert(special, Instructions)
    except msgspec.ValidationError as error:
        raise BadInput(str(error), "special", "the form in docs/scenarios.md") from None
    if sorted(given.sides) != sorted(sides):
        raise BadInput(f"instructions for {', '.join(given.sides)}", "special.sides", " and ".join(sides))
    _check_players(given)
    return given


def _check_players(given: Instructions) -> None:
    """Who shares a side, and how [18.0]."""
    if given.command == "sector":
        raise BadInput("sector command is not there", "special.command", '"formation"')
    names = [name for army in given.sides.values() for name in army.players]
    if names and not given.command:
        raise BadInput(f"players {', '.join(names)}", "special.sides", 'command = "formation" under special')
    if len(set(names)) < len(names):
        raise BadInput(f"players {', '.join(names)}", "special.sides", "a name of its own for each")
    for side, army in given.sides.items():
        if len(army.players) == 1:
            raise BadInput("one player", f"special.sides.{side}.players", "two or more, or none")
