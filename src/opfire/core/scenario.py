"""Scenarios: forces, set-up, reinforcements, the form of victory conditions; TOML in, checked."""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, TypeAlias, TypeVar

import msgspec

from opfire.core.errors import BadInput
from opfire.core.reading import known_fields, ready

SCENARIOS = Path(__file__).parent.parent / "scenarios"
GROUNDS = ("boards", "tables")
"""The folders beside those of the rulesets: grounds to play on."""

_ADDED: dict[str, Path] = {}

Theme: TypeAlias = Literal[
    "attack",
    "meeting",
    "breakout",
    "ambush",
    "river",
    "town",
    "desert",
    "snow",
    "fog",
    "night",
    "tanks",
    "artillery",
    "engineers",
    "airborne",
    "aircraft",
    "team",
    "modern",
]
"""The subject of a scenario, for players who look for one."""

Difficulty: TypeAlias = Literal[1, 2, 3]
"""1 is a first game of its rulebook, 3 a battle for players who know the whole book."""


class Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table of a scenario file: an unknown field is an error and not silently ignored."""


class Zone(Strict, frozen=True):
    """A named set of places: those of a list, and the space's own additions."""

    name: str
    list: tuple[str, ...] = ()


class Force(Strict, frozen=True):
    """Units of one type: their number and set-up: in a zone, at places, below a marker, aboard a carrier."""

    unit: str
    count: int = 1
    zone: str = ""
    at: tuple[str, ...] = ()
    below: str = ""
    carrier: str = ""


class Reinforcement(Strict, frozen=True):
    """Units that come on in a game turn, by one of the entry places."""

    turn: int
    entry: tuple[str, ...]
    units: dict[str, int]


class Side(Strict, frozen=True):
    """One force: its shown name, its nation, its units."""

    name: str
    nation: str
    units: tuple[Force, ...] = ()
    reinforcements: tuple[Reinforcement, ...] = ()

    def count(self) -> int:
        """The number of its units, reinforcements included."""
        later = sum(sum(group.units.values()) for group in self.reinforcements)
        return sum(force.count for force in self.units) + later


class Marker(Strict, frozen=True):
    """A marker set up by the scenario; `value` as printed on it."""

    kind: str
    at: tuple[str, ...] = ()
    side: str = ""
    value: str = ""


class Victory(Strict, frozen=True):
    """One way to score: `control` of places, `exit` by places, `eliminate` enemy stacking points.

    `points` counts for each place, exited stacking point or eliminated stacking point.
    """

    side: str
    condition: str
    points: int = 1
    places: tuple[str, ...] = msgspec.field(default=(), name="hexes")
    except_: tuple[str, ...] = msgspec.field(default=(), name="except")
    only: tuple[str, ...] = ()


class Beyond(Strict, frozen=True):
    """The fields of a table beyond its general part: none, unless a ruleset has fields of its own."""


class Sections(Strict, frozen=True):
    """The part of a scenario file beyond the general one: its ground, and the fields of one rulebook.

    A ruleset with sections of its own extends this: it adds fields, and gives `sides`, `zones` and `markers` types with
    the fields that its tables of that name have besides the general ones. `zones` and `markers` are in the order of
    the file.
    """

    sides: Mapping[str, Beyond] = {}
    zones: tuple[Beyond, ...] = ()
    markers: tuple[Beyond, ...] = ()

    def airborne(self) -> Mapping[str, int]:
        """The number of units of each side that come by air, as far as a rulebook lists them apart."""
        return {}


S = TypeVar("S", bound=msgspec.Struct)


class Rest(Strict, frozen=True):
    """The part of a scenario file that the space and the ruleset read, as plain data.

    Errors name `file`, and `form`, the page that describes the form.
    """

    data: dict[str, Any] = {}
    file: str = ""
    form: str = "docs/scenarios.md"

    def read(self, kind: type[S]) -> S:
        """The sections of a ruleset. Raises BadInput, with file and field, for an unknown field."""
        try:
            return msgspec.convert(self.data, ready(kind))
        except msgspec.ValidationError as error:
            known = known_fields(kind, str(error)) if "at `$" in str(error) else ""
            raise BadInput(str(error), self.file, known or f"the form in {self.form}") from None


class Levels(Strict, frozen=True):
    """The lead in points that a side needs for a marginal and a decisive victory; less is a draw."""

    marginal: int = 1
    decisive: int = 10


class Scenario(Strict, frozen=True):
    """A scenario as its file gives it; the ruleset checks whether its units and places exist.

    `first` moves first, `setup` is the order of set-up, `options` are rule numbers. Places are in their text form.
    `difficulty` and `themes` only help players to find it: no rule reads them.
    `rest` is the part that the space and the ruleset read.
    """

    id: str
    ruleset: str
    title: str
    turns: int
    first: str
    sides: dict[str, Side]
    summary: str = ""
    history: str = ""
    source: str = "own"
    difficulty: Difficulty = 2
    themes: tuple[Theme, ...] = ()
    setup: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    zones: tuple[Zone, ...] = ()
    markers: tuple[Marker, ...] = ()
    victory: tuple[Victory, ...] = ()
    levels: Levels = Levels()
    rest: Rest = Rest()

    def order(self) -> tuple[str, ...]:
        """The sides in order of play."""
        return (self.first, *(side for side in self.sides if side != self.first))


def parse(text: str, where: str) -> Scenario:
    """A scenario from TOML; a field that is not general is left to the ruleset. Raises BadInput with file and field."""
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # broken, with numbers of thousands of digits, or too deep
        raise BadInput(f"not TOML: {error}", where, "a scenario file") from None
    general, rest = divided(data, Scenario, Marker)
    try:
        scenario = msgspec.convert({**general, "rest": {"data": rest, "file": where}}, ready(Scenario))
    except msgspec.ValidationError as error:
        raise BadInput(_fault(str(error), rest), where, "the form in docs/scenarios.md") from None
    _check(scenario, where)
    return scenario


def _fault(error: str, rest: Mapping[str, Any]) -> str:
    """The fault of a file, with the misspelling if a missing field has one.

    >>> _fault("Object missing required field `turns`", {"tunrs": 8, "boards": []})
    'Object missing required field `turns`, but has `tunrs`'
    """
    missing = re.search(r"missing required field `(\w+)`", error)
    meant = get_close_matches(missing[1], rest, 1) if missing else []
    return f"{error}, but has `{meant[0]}`" if meant else error


def divided(data: Mapping[str, Any], file: type[Strict], marker: type[Strict]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The general part of a file, and the rest of it in the form of `Sections`; the types decide what is general."""
    general, rest = _divided_table(data, file)
    for key, kind in (("sides", Side), ("zones", Zone), ("markers", marker)):
        match general.get(key):
            case dict(tables):
                pairs = {name: _divided_table(table, kind) for name, table in tables.items()}
                general[key] = {name: known for name, (known, _) in pairs.items()}
                rest[key] = {name: beyond for name, (_, beyond) in pairs.items()}
            case list(tables):
                found = [_divided_table(table, kind) for table in tables]
                general[key], rest[key] = [known for known, _ in found], [beyond for _, beyond in found]
    return general, rest


def _divided_table(table: Any, kind: type[Strict]) -> tuple[Any, dict[str, Any]]:
    """The fields of a table that `kind` has, and the others; a value that is not a table stays, to be refused."""
    if not isinstance(table, Mapping):
        return table, {}
    known = {field.encode_name for field in msgspec.structs.fields(kind)} - {"rest"}
    general = {key: value for key, value in table.items() if key in known}
    return general, {key: value for key, value in table.items() if key not in known}


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
    yield from (("victory", victory.side) for victory in scenario.victory)


def read(path: Path) -> Scenario:
    """The scenario in that file."""
    return parse(path.read_text(encoding="utf-8"), path.name)


def text_of(name: str) -> str:
    """The text of a scenario, by its id. Raises BadInput with the known ids."""
    found = files()
    if name not in found:
        raise BadInput(f"there is no scenario {name!r}", "scenario", "one of " + ", ".join(sorted(found)))
    return found[name].read_text(encoding="utf-8")


def load(name: str) -> Scenario:
    """A scenario, by its id."""
    return parse(text_of(name), f"{name}.toml")


def files() -> dict[str, Path]:
    """The scenario files that come with Opfire, by id, and those that were added."""
    paths = (path for path in sorted(SCENARIOS.glob("*/*.toml")) if path.parent.name not in GROUNDS)
    return {_id_in(path, path.stat().st_mtime_ns): path for path in paths} | _ADDED


def add(name: str, path: Path) -> None:
    """Add a player's own file, whose id is `name`, to the scenarios as long as this process runs.

    Raises BadInput if another scenario has that id.
    """
    known = files().get(name)
    if known is not None and known.resolve() != path.resolve():
        raise BadInput(f"{known.name} also has the id {name!r}", str(path), "an id of its own")
    _ADDED[name] = path


@lru_cache(maxsize=256)
def _id_in(path: Path, changed: int) -> str:
    """The id in a scenario file as of its last change."""
    return str(tomllib.loads(path.read_text(encoding="utf-8")).get("id", path.stem))


def fingerprint(*parts: str | bytes) -> str:
    """Sixteen hex digits for data that a record relies on."""
    digest = hashlib.blake2b(digest_size=8)
    for part in parts:
        digest.update(part if isinstance(part, bytes) else part.encode())
    return digest.hexdigest()
