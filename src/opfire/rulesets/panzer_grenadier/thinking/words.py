"""Chances in a few words, for explanations."""

from __future__ import annotations

from collections.abc import Sequence

from opfire.core.events import Calculation
from opfire.core.texts import Text, Words, joined
from opfire.rulesets.panzer_grenadier.charts import RESULTS
from opfire.rulesets.panzer_grenadier.fire.strengths import Column


def in_words(calculation: Calculation | None) -> Words:
    """A calculation in a few words: the chance of each result."""
    if calculation is None:
        return "no effect"
    found = calculation.chances()
    idle = ("none", "holds")
    likely = ((RESULTS.get(result, result), float(chance)) for result, chance in found.items() if result not in idle)
    parts = [Text("{} {:.0%}", facts) for facts in likely]
    return joined(parts) if parts else "no effect"


def groups_in_words(groups: Sequence[Column]) -> Words:
    """The chances against the first of several groups of targets, in a few words."""
    return in_words(first_of(groups))


def first_of(groups: Sequence[Column]) -> Calculation | None:
    """The calculation against the first of several groups of targets, which stands for all; None without any."""
    return groups[0].calculation if groups else None
