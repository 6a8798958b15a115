"""Forces that players design for points: the bill, the faults, what can be bought; each rulebook has its judge.

Every force has `title`, `ruleset`, `nation`, `date` (a year first, as in 1944-08) and a list of `formations`, each with
its `name`. The other fields are the rulebook's own; its form tells a page what to ask for.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import entry_points
from typing import Any, Literal

import msgspec

from opfire.core.errors import BadInput


class Step(msgspec.Struct, frozen=True):
    """One line of a sum: what is done, the points afterwards, the rule."""

    label: str
    points: int
    rule: str


Sum = tuple[Step, ...]
"""A sum from its first line to its last; the last line has the result."""


class Item(msgspec.Struct, frozen=True):
    """A line of the bill: a number of stands, the points of one with their steps, and the points of all."""

    formation: str
    count: int
    name: str
    each: int
    points: int
    steps: Sum


class Fault(msgspec.Struct, frozen=True):
    """A fault of a force: its place, a sentence, the rule."""

    where: str
    what: str
    rule: str


class Report(msgspec.Struct, frozen=True):
    """The points that a force may spend, its bill, what is wrong with it, and figures for the table by their names."""

    title: str
    allowance: Sum
    bill: list[Item]
    points: int
    unused: int
    figures: dict[str, int]
    faults: list[Fault]


class Offer(msgspec.Struct, frozen=True):
    """Something that can be bought: its id in files, nation, kind, name, points, and the years in which it serves.

    `buyers` are further nations that may buy it, `values` its figures in words by their names, and `part` the list
    of the force into which it goes. `vehicle` and `armoured` say what its symbol shows.
    """

    id: str
    nation: str
    kind: str
    name: str
    points: int
    years: str
    buyers: tuple[str, ...] = ()
    values: dict[str, str] = {}
    part: str = ""
    vehicle: bool = False
    armoured: bool = False

    def serves(self, year: int) -> bool:
        """Return whether it serves in a year.

        >>> tank = Offer("a", "Germany", "tank", "A", 10, "1936-1943")
        >>> tank.serves(1936), tank.serves(1944)
        (True, False)
        """
        first, _, last = self.years.partition("-")
        return int(first.strip("?") or 0) <= year <= int(last or 9999)


@dataclass(frozen=True)
class Wanted:
    """A search: a nation, a kind, a year (0 is any) and words; an empty text is any."""

    nation: str = ""
    kind: str = ""
    year: int = 0
    words: tuple[str, ...] = ()

    def fits(self, offer: Offer) -> bool:
        """Return whether an offer is for the nation, of the kind, serves in the year and has all words in its name."""
        return (
            (not self.nation or self.nation == offer.nation or self.nation in offer.buyers)
            and self.kind in ("", offer.kind)
            and (not self.year or offer.serves(self.year))
            and all(word.casefold() in offer.name.casefold() for word in self.words)
        )


class Choice(msgspec.Struct, frozen=True):
    """One of the values of a field, and its name for players."""

    value: str
    label: str


class Field(msgspec.Struct, frozen=True):
    """A field that players fill in: its path in the file (`works.wire`), its name, its kind, its group on the page.

    `least` and `most` bound a number, `begin` is the value in a new force; `choice` and `several` have `choices`.
    """

    key: str
    label: str
    kind: Literal["words", "number", "month", "choice", "several", "yes"]
    group: str = ""
    least: int = 0
    most: int = 9999
    begin: str | int | None = None
    choices: tuple[Choice, ...] = ()


class Part(msgspec.Struct, frozen=True):
    """A list of offers in a force: its key in the file, its title, the key of an offer's id, and fields beside it."""

    key: str
    title: str
    id: str
    fields: tuple[Field, ...] = ()


class Form(msgspec.Struct, frozen=True):
    """All that a force can say: its own fields, those of a formation, the formations' list of stands, other lists."""

    fields: tuple[Field, ...]
    formation: tuple[Field, ...]
    stands: Part
    others: tuple[Part, ...] = ()


@dataclass(frozen=True)
class Forces:
    """A rulebook's judge: `check` takes a force and its file's name (raises BadInput), `offers` lists its goods.

    `form` is what a page asks for to put a force together.
    """

    check: Callable[[Mapping[str, Any], str], Report]
    offers: Callable[[], Iterable[Offer]]
    form: Callable[[], Form]


@lru_cache
def installed() -> Mapping[str, Forces]:
    """The judges of all rulebooks that have one, by the rulebook's id (entry points of the group `opfire.forces`)."""
    return {entry.name: entry.load() for entry in entry_points(group="opfire.forces")}


def find(ruleset: str) -> Forces:
    """The judge of a rulebook. Raises BadInput with the known ids."""
    if ruleset not in installed():
        raise BadInput(f"no forces are designed for {ruleset!r}", "ruleset", "one of " + ", ".join(sorted(installed())))
    return installed()[ruleset]


def check(force: Mapping[str, Any], name: str) -> Report:
    """The report of a force by the rulebook that it names; `name` is what errors call it. Raises BadInput."""
    ruleset = force.get("ruleset")
    if not isinstance(ruleset, str):
        raise BadInput("no ruleset is named", name, 'ruleset = "..."')
    return find(ruleset).check(force, name)


def check_text(text: str, name: str) -> Report:
    """The report of the force in a TOML text; `name` is what errors call it. Raises BadInput."""
    try:
        force = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"not TOML: {error}", name, "a force") from None
    return check(force, name)
