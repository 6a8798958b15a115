"""Forces that players design for points: the bill, the faults, what can be bought; each rulebook has its judge."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import entry_points

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
    """Something that can be bought: its id in files, nation, kind, name, points, and the years in which it serves."""

    id: str
    nation: str
    kind: str
    name: str
    points: int
    years: str


@dataclass(frozen=True)
class Forces:
    """A rulebook's judge: `check` takes a file's text and name (raises BadInput), `offers` lists all that it sells."""

    check: Callable[[str, str], Report]
    offers: Callable[[], list[Offer]]


@lru_cache
def installed() -> Mapping[str, Forces]:
    """The judges of all rulebooks that have one, by the rulebook's id (entry points of the group `opfire.forces`)."""
    return {entry.name: entry.load() for entry in entry_points(group="opfire.forces")}


def find(ruleset: str) -> Forces:
    """The judge of a rulebook. Raises BadInput with the known ids."""
    if ruleset not in installed():
        raise BadInput(f"no forces are designed for {ruleset!r}", "ruleset", "one of " + ", ".join(sorted(installed())))
    return installed()[ruleset]
