"""Scenario instructions [2.3]: the fields of this rulebook's scenarios alone, under `[special]` in the file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from opfire.core.errors import BadInput
from opfire.core.reading import ready
from opfire.core.scenario import Beyond, Scenario, Strict
from opfire.core.words import expected_words
from opfire.kit.boards import BoardSections
from opfire.space.layout import Block


class Ignored(Beyond, frozen=True):
    """The section of a side: a field shared by the cases of both books, for which this book has no rule."""

    riders: bool = False


class Plane(Strict, frozen=True):
    """An aircraft of a case: a piece of aircraft.csv, its side, and the values that it prints if others [15.1]."""

    unit: str
    side: str = ""
    direct: Annotated[int, Meta(ge=0, le=99)] | None = None
    at_value: Annotated[int, Meta(ge=0, le=99)] | None = None


class Sections(BoardSections, frozen=True):
    """The sections of a scenario file; `special` holds the instructions.

    `bridges` and `indirect` belong to the form that the cases of both books share; this book has no rule for them.
    `aircraft` are pieces that a case brings this turn, `segments` the segments that each side of it has had.
    """

    aircraft: dict[str, Plane] = msgspec.field(default_factory=dict)
    segments: dict[str, Annotated[int, Meta(ge=0, le=99)]] = msgspec.field(default_factory=dict)

    special: dict[str, Any] = msgspec.field(default_factory=dict)
    bridges: dict[str, str] = msgspec.field(default_factory=dict)
    indirect: tuple[dict[str, Any], ...] = ()
    sides: Mapping[str, Ignored] = msgspec.field(default_factory=dict)


class Flight(Strict, frozen=True):
    """Aircraft that a side receives [15.11]: the number of pieces drawn in each of these turns."""

    turns: tuple[int, ...]
    pieces: int = 1


class Army(Strict, frozen=True):
    """One side's instructions.

    `initiative` falls by one when the step losses reach each of `losses` [3.0.D]. `force` names the row of forces.csv
    that gives morale where `morale` (by unit id or type, `full/reduced`) does not. `leaders` counts pieces to draw by
    rank [6.1], such as `LT`, or `romanian LT` for a side with allies [3.12.c], `mounted` the number of cavalry leaders
    among them [6.9], otherwise chosen by the player, `tank_leaders` the secret ones if the force has none by itself
    [6.8]. `offboard` lists the strengths of off-board batteries [9.2], `mines` counts markers to draw [16.7]. `players`
    gives units, by id, type or zone, to several players of the side [18.2].
    """

    initiative: int
    losses: tuple[int, ...] = ()
    force: str = ""
    morale: dict[str, str] = msgspec.field(default_factory=dict)
    leaders: dict[str, int] = msgspec.field(default_factory=dict)
    leader_zone: str = ""
    mounted: int | None = None
    tank_leaders: int = 0
    kommissars: int = 0
    offboard: tuple[int, ...] = ()
    aircraft: Flight | None = None
    smoke: bool = False
    mines: int = 0
    mine_zone: str = ""
    players: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)


class Crossing(Strict, frozen=True):
    """Crossing Numbers of a major river, by movement class [5.73]; 0 for a class that cannot cross."""

    foot: int = 0
    mechanized: int = 0
    motorized: int = 0


class Sector(Strict, frozen=True):
    """A part of the map with two commanders of its own [18.1].

    It is whole `boards`, a block of one (`hexes`), hexes by name (`list`), or all of these together. `commanders` names
    the commander here for each side with several players.
    """

    name: str
    boards: tuple[str, ...] = ()
    hexes: Block | None = None
    list: tuple[str, ...] = ()
    commanders: dict[str, str] = msgspec.field(default_factory=dict)


class Instructions(Strict, frozen=True):
    """The scenario book's instructions for a scenario besides forces and map.

    `night` lists the night turns, `visibility` is the range of sight by day, `fords` are hexes where any unit fords a
    river, `railroad` the hexes that trains may enter, `command` divides a side among players [18.0]: by `sectors`, or
    by units.
    """

    year: int
    sides: dict[str, Army]
    night: tuple[int, ...] = ()
    visibility: int = 12
    fords: tuple[str, ...] = ()
    crossing: Crossing = Crossing()
    railroad: tuple[str, ...] = ()
    command: Literal["", "sector", "formation"] = ""
    sectors: tuple[Sector, ...] = ()


def instructions(special: dict[str, Any], sides: tuple[str, ...]) -> Instructions:
    """The instructions of a scenario. Raises BadInput for missing or unknown fields and sides."""
    try:
        given = msgspec.convert(special, ready(Instructions))
    except msgspec.ValidationError as error:
        expected = expected_words(Instructions, str(error), "the form in docs/scenarios.md")
        raise BadInput(str(error), "special", expected) from None
    if sorted(given.sides) != sorted(sides):
        raise BadInput(f"instructions for {', '.join(given.sides)}", "special.sides", " and ".join(sides))
    _check_players(given)
    return given


def _check_players(given: Instructions) -> None:
    """Check the players that share a side, and the division [18.0]."""
    if given.sectors and given.command != "sector":
        found = ", ".join(sector.name for sector in given.sectors)
        raise BadInput(f"sectors {found}", "special.sectors", 'command = "sector" under special')
    if given.command == "sector":
        _check_sectors(given)
    names = [name for army in given.sides.values() for name in army.players]
    if names and given.command != "formation":
        raise BadInput(f"players {', '.join(names)}", "special.sides", 'command = "formation" under special')
    if len(set(names)) < len(names):
        raise BadInput(f"players {', '.join(names)}", "special.sides", "a name of its own for each")
    for side, army in given.sides.items():
        if len(army.players) == 1:
            raise BadInput("one player", f"special.sides.{side}.players", "two or more, or none")


def _check_sectors(given: Instructions) -> None:
    """Check for two sectors or more, and a commander of every divided side in each [18.1]."""
    names = [sector.name for sector in given.sectors]
    if len(set(names)) < max(2, len(names)):
        found = f"sectors {', '.join(names)}" if names else "no sectors"
        raise BadInput(found, "special.sectors", "two or more, each with a name of its own")
    for sector in given.sectors:
        if strange := sorted(set(sector.commanders) - set(given.sides)):
            raise BadInput(f"commanders of {', '.join(strange)}", f"sector {sector.name}", " or ".join(given.sides))
    commanders = {side: commanders_of(given, side) for side in given.sides}
    for side, posts in commanders.items():
        if posts and len(posts) < len(names):
            missing = next(name for name in names if name not in posts)
            raise BadInput(f"{side} has no commander", f"sector {missing}", "one in each sector, or in none")
        if len(set(posts.values())) == 1:
            (one,) = set(posts.values())
            raise BadInput(f"{one} commands everywhere", "special.sectors", f"two or more for {side}, or none")
    first, *others = (set(posts.values()) for posts in commanders.values())
    if both := sorted(first.intersection(*others)):
        raise BadInput(f"{both[0]} commands on both sides", "special.sectors", "a name of its own for each")


def players_of(given: Instructions, side: str) -> tuple[str, ...]:
    """The players among whom the scenario divides a side, by its units [18.2] or by sectors [18.1]."""
    return tuple(dict.fromkeys((*given.sides[side].players, *commanders_of(given, side).values())))


def commanders_of(given: Instructions, side: str) -> dict[str, str]:
    """The commander of a side in each sector that names one [18.1]."""
    return {sector.name: sector.commanders[side] for sector in given.sectors if side in sector.commanders}


def divided(scenario: Scenario) -> dict[str, tuple[str, ...]]:
    """The players of each side that the scenario divides [18.0]. Raises BadInput for faulty instructions."""
    given = instructions(scenario.rest.read(Sections).special, tuple(scenario.sides))
    return {side: names for side in scenario.sides if (names := players_of(given, side))}
