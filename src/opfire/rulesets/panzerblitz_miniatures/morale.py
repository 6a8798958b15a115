"""Morale and recovery."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal, TypeAlias

from opfire.core.events import Calculation, Line
from opfire.core.texts import Text
from opfire.rulesets.panzerblitz_miniatures.charts import Charts

Status: TypeAlias = Literal["good order", "dispersed", "recovering"]


def dispersed(status: Status) -> bool:
    """Whether a unit counts as dispersed; one that recovers does so until the turn ends [REC-3]."""
    return status != "good order"


def check(charts: Charts, unit: str, level: str, modifiers: Sequence[Line] = ()) -> Calculation:
    """A morale check of a unit: it passes or fails [MOR-1, MOR-3]."""
    return _by_morale(charts, Text("Morale check: {}", (unit,)), "MOR-3", level, modifiers, ("passes", "fails"))


def recovery(charts: Charts, unit: str, level: str, modifiers: Sequence[Line] = ()) -> Calculation:
    """A dispersed unit's attempt to recover; a failure changes nothing [REC-2, REC-4]."""
    return _by_morale(charts, Text("Recovery: {}", (unit,)), "REC-2", level, modifiers, ("recovering", "dispersed"))


def _by_morale(
    charts: Charts, title: Text, rule: str, level: str, modifiers: Sequence[Line], outcomes: tuple[str, str]
) -> Calculation:
    """One die against the number of the level: the first outcome up to it, the second above it."""
    passes_to = charts.morale[level]
    modifier = sum(line.amount for line in modifiers)
    passes = Line("note", Text("Morale {} passes with", (level,)), Text("{} or less", (passes_to,)), rule, passes_to)
    results = tuple(outcomes[die + modifier > passes_to] for die in range(1, 7))
    return Calculation(title, rule, (passes, *modifiers), 1, 6, results, modifier=modifier)


def recovered(ending: Literal["segment", "turn"], options: Collection[str]) -> Status:
    """The status of a recovering unit after its player's segment, or after the turn [REC-3]: RULINGS.md R5."""
    return "good order" if ending == "turn" or "R5" in options else "recovering"


def turn_ends(status: Status) -> Status:
    """The status of a unit when the turn has ended: recovering units are ready [REC-3]."""
    return "good order" if status == "recovering" else status
