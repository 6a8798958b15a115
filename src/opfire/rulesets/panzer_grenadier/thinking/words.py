"""Chances in a few words, for explanations."""

from __future__ import annotations

from collections.abc import Sequence

from opfire.core.events import Calculation
from opfire.rulesets.panzer_grenadier.charts import RESULTS
from opfire.rulesets.panzer_grenadier.fire.strengths import Column


def in_words(calculation: Calculation | None) -> str:
    """A calculation in a few words: the chance of each result."""
    if calculation is None:
        return "no effect"
    found = calculation.chances()
    idle = ("none", "holds")
    parts = [
        f"{RESULTS.get(result, result)} {float(chance):.0%}" for result, chance in found.items() if result not in idle
    ]
    return ", ".join(parts) or "no effect"


def groups_in_words(groups: Sequence[Column]) -> str:
    """The chances against the first of several groups of targets, in a few words."""
    return in_words(first_of(groups))


def first_of(groups: Sequence[Column]) -> Calculation | None:
    """The calculation against the first of several groups of targets, which stands for all; None without any."""
    return groups[0].calculation if groups else None
