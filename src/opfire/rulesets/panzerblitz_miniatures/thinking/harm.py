"""The expected harm of attacks: shares of a unit that results of the Combat Results Table take, as plain numbers."""

from __future__ import annotations

from functools import lru_cache

from opfire.core.events import Calculation
from opfire.core.rows import fraction
from opfire.rulesets.panzerblitz_miniatures.charts import Charts
from opfire.rulesets.panzerblitz_miniatures.fire.combat import crt_result, failed, fates, harm, odds_column
from opfire.rulesets.panzerblitz_miniatures.morale import Status, check

DISPERSED = 0.4
"""The share of a unit's worth that is lost with its dispersal."""

GRAIN = 4
"""Odds are reckoned in quarters of a point of strength."""


@lru_cache(maxsize=4096)
def harm_at(charts: Charts, column: str, modifier: int, level: str, status: Status, options: frozenset[str]) -> float:
    """The share of a target that an attack in a column is expected to take, its morale check included."""
    outcomes = tuple(crt_result(charts, die + modifier, column, options) for die in range(1, 7))
    chances = fates(charts, Calculation("", "", (), 1, 6, outcomes, column, modifier), level, status, options)
    share = float(chances.get("destroyed", 0))
    if status == "good order":
        share += DISPERSED * float(chances.get("dispersed", 0))
    return share


@lru_cache(maxsize=4096)
def recoil_at(charts: Charts, column: str, modifier: int, level: str, options: frozenset[str]) -> float:
    """The share of each attacker in good order that the results against attackers are expected to take [COM-13]."""
    share = 0.0
    for die in range(1, 7):
        result = crt_result(charts, die + modifier, column, options)
        if charts.results[result].applies_to == "attackers":
            share += _suffered(charts, result, level, options) / 6
    return share


def _suffered(charts: Charts, result: str, level: str, options: frozenset[str]) -> float:
    """The share of a unit in good order that a result takes."""
    effect = harm(charts, result, "good order", options)
    match effect.does:
        case "destroyed":
            return 1.0
        case "dispersed":
            return DISPERSED
        case "check":
            fails = float(check(charts, "", level, effect.modifiers).chances().get("fails", 0))
            return fails * (DISPERSED if failed("good order") == "dispersed" else 1.0)
    return 0.0


@lru_cache(maxsize=65536)
def column_of(charts: Charts, attack: int, defence: int) -> str | None:
    """The column of an attack against a defence, both in quarters of a point."""
    return odds_column(charts, fraction(str(attack), "odds"), fraction(str(defence), "odds"))


def column(charts: Charts, attack: float, defence: float) -> str | None:
    """The column of the Combat Results Table for these strengths; None below 1-4 [COM-8]."""
    return column_of(charts, int(attack * GRAIN), max(1, int(defence * GRAIN)))
