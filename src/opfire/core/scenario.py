"""Scenarios: forces, set-up, reinforcements, the form of victory conditions; TOML in, checked."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from opfire.core.errors import BadInput

SCENARIOS = Path(__file__).parent.parent / "scenarios"
_ADDED: dict[str, Path] = {}


class Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table of a scenario file: an unknown field is an error, not a silent nothing."""


class Placement(Strict, frozen=True):
    """A board in its place: `at` is its column and row in the grid of boards, `turned` by half a circle.

    `crop` are the printed names of two opposite corners of what is used of it.
    """

    board: str
    at: tuple[int, int] = (0, 0)
    turned: bool = False
    crop: tuple[str, str] | None = None


class Hexes(Strict, frozen=True):
    """A block of a board: columns and rows as printed, each `A-F` or a single one."""

    board: str
    columns: str = ""
    rows: str = ""


class Zone(Strict, frozen=True):
    """A named set of hexes: a block of a board, a list of hexes, or both."""

    name: str
    hexes: Hexes | None = None
    list: tuple[str, ...] = ()


class Force(Strict, frozen=True):
    """Units of one type: how many, and where they set up: a zone, hexes, below a marker, aboard a carrier."""

    unit: str
    count: int = 1
    zone: str = ""
    at: tuple[str, ...] = ()
    below: str = ""
    carrier: str = ""


class Reinforcement(Strict, frozen=True):
    """Units that come on in a game turn, by one of the entry hexes."""

    turn: int
    entry: tuple[str, ...]
    units: dict[str, int]


class Side(Strict, frozen=True):
    """One force: its shown name, its nation, whether its armour carries riders, what it has."""

    name: str
    nation: str
    riders: bool = False
    units: tuple[Force, ...] = ()
    reinforcements: tuple[Reinforcement, ...] = ()

    def count(self) -> int:
        """How many units it has, reinforcements included."""
        later = sum(sum(group.units.values()) for group in self.reinforcements)
        return sum(force.count for force in self.units) + later


class Marker(Strict, frozen=True):
    """A marker set up by the scenario: mines, block, position, fort, dug-in; `value` as printed on it.

    `allowance` is what fits below a fort, where it is not the usual.
    """

    kind: str
    at: tuple[str, ...] = ()
    side: str = ""
    value: str = ""
    allowance: int | None = None


class Indirect(Strict, frozen=True):
    """Who may fire together (barrage, party-line) or observe for whom (observation), by unit type."""

    side: str
    kind: str
    units: tuple[str, ...]
    observers: tuple[str, ...] = ()
    most: int = 99


class Victory(Strict, frozen=True):
    """One way to score: `control` of hexes, `exit` by hexes, `eliminate` enemy stacking points.

    `points` counts for each hex, exited stacking point or eliminated stacking point.
    """

    side: str
    condition: str
    points: int = 1
    hexes: tuple[str, ...] = ()
    except_: tuple[str, ...] = msgspec.field(default=(), name="except")
    only: tuple[str, ...] = ()


class Levels(Strict, frozen=True):
    """By how many points a side must lead for a marginal and a decisive victory; less is a draw."""

    marginal: int = 1
    decisive: int = 10


class Scenario(Strict, frozen=True):
    """A scenario as its file gives it; whether its units and hexes exist, the ruleset checks.

    `first` moves first, `setup` is the order of set-up, `options` are rule numbers. `special` is what only this
    ruleset's scenarios say; the ruleset checks it.
    """

    id: str
    ruleset: str
    title: str
    turns: int
    first: str
    sides: dict[str, Side]
    boards: tuple[Placement, ...] = ()
    summary: str = ""
    history: str = ""
    source: str = "own"
    setup: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    zones: tuple[Zone, ...] = ()
    markers: tuple[Marker, ...] = ()
    bridges: dict[str, str] = {}
    indirect: tuple[Indirect, ...] = ()
    victory: tuple[Victory, ...] = ()
    levels: Levels = Levels()
    map: str = ""
    special: dict[str, Any] = {}

    def order(self) -> tuple[str, ...]:
        """The sides in order of play."""
        return (self.first, *(side for side in self.sides if side != self.first))


def parse(text: str, where: str) -> Scenario:
    """A scenario from TOML. Raises BadInput: what, where (file, line or field), what would be right."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"not TOML: {error}", where, "a scenario file") from None
    try:
        scenario = msgspec.convert(data, Scenario)
    except msgspec.ValidationError as error:
        raise BadInput(str(error), where, "the form in docs/scenarios.md") from None
    _check(scenario, where)
    return scenario


def _check(scenario: Scenario, where: str) -> None:
    if len(scenario.sides) != 2:
        raise BadInput(f"{len(scenario.sides)} sides", where, "two")
    names = " or ".join(scenario.sides)
    for field, side in _named_sides(scenario):
        if side not in scenario.sides:
            raise BadInput(f"{field} names the side {side!r}", where, names)
    if not 1 <= scenario.turns <= 99:
        raise BadInput(f"{scenario.turns} turns", where, "1 to 99")
    if scenario.setup and sorted(scenario.setup) != sorted(scenario.sides):
        raise BadInput(f"setup names {', '.join(scenario.setup)}", where, "each side once")
    for side, name, many in _counts(scenario):
        if not 1 <= many <= 999:
            raise BadInput(f"{many} of {name!r}", f"{where}: sides.{side}", "1 to 999")


def _counts(scenario: Scenario) -> Iterator[tuple[str, str, int]]:
    for side, force in scenario.sides.items():
        yield from ((side, units.unit, units.count) for units in force.units)
        yield from ((side, name, many) for later in force.reinforcements for name, many in later.units.items())


def _named_sides(scenario: Scenario) -> Iterator[tuple[str, str]]:
    yield "first", scenario.first
    yield from (("setup", side) for side in scenario.setup)
    yield from (("markers", marker.side) for marker in scenario.markers if marker.side)
    yield from (("indirect", group.side) for group in scenario.indirect)
    yield from (("victory", victory.side) for victory in scenario.victory)


def read(path: Path) -> Scenario:
    """The scenario in that file."""
    return parse(path.read_text(encoding="utf-8"), path.name)


def text_of(name: str) -> str:
    """The text of a scenario, by its id. Raises BadInput with the ids there are."""
    found = files()
    if name not in found:
        raise BadInput(f"there is no scenario {name!r}", "scenario", "one of " + ", ".join(sorted(found)))
    return found[name].read_text(encoding="utf-8")


def load(name: str) -> Scenario:
    """A scenario, by its id."""
    return parse(text_of(name), f"{name}.toml")


def files() -> dict[str, Path]:
    """The scenario files that come with Opfire, by id, and those that were added."""
    paths = (path for path in sorted(SCENARIOS.glob("*/*.toml")) if path.parent.name != "boards")
    return {_id_in(path, path.stat().st_mtime_ns): path for path in paths} | _ADDED


def add(name: str, path: Path) -> None:
    """Have a player's own file, whose id is `name`, among the scenarios as long as this process runs.

    Raises BadInput if another has that id.
    """
    known = files().get(name)
    if known is not None and known.resolve() != path.resolve():
        raise BadInput(f"{known.name} also has the id {name!r}", str(path), "an id of its own")
    _ADDED[name] = path


@lru_cache(maxsize=256)
def _id_in(path: Path, changed: int) -> str:
    """The id in a scenario file as it was when it was last changed."""
    return str(tomllib.loads(path.read_text(encoding="utf-8")).get("id", path.stem))


def board_file(name: str) -> Path:
    """Where a board that comes with Opfire lies. Raises BadInput with those there are."""
    there = sorted((SCENARIOS / "boards").glob("*.toml"))
    for path in there:
        if path.stem == name or f'id = "{name}"' in path.read_text(encoding="utf-8")[:400]:
            return path
    raise BadInput(f"there is no board {name!r}", "boards", "one of " + ", ".join(path.stem for path in there))


def fingerprint(*parts: str | bytes) -> str:
    """Sixteen hex digits for data that a record relies on."""
    digest = hashlib.blake2b(digest_size=8)
    for part in parts:
        digest.update(part if isinstance(part, bytes) else part.encode())
    return digest.hexdigest()
