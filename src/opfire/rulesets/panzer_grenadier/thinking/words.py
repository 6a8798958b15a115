"""Chances in a few words, for explanations."""

from __future__ import annotations

from collections.abc import Sequence

from opfire.core.events import Calculation
from opfire.rulesets.panzer_grenadier.fire.strengths import Column


def in_words(calculation: Calculation | None) -> str:
    """A calculation in a few words: its column or modifier, and the chance of each result."""
    if calculation is None:
        return "no effect"
    found = calculation.chances()
    parts = [f"{result} {float(chance):.0%}" for result, chance in found.items() if result not in ("none", "holds")]
    head = f"column {calculation.column}" if calculation.column else f"modifier {calculation.modifier:+d}"
    return f"{head}: {', '.join(parts) or 'no effect'}"


def groups_in_words(groups: Sequence[Column]) -> str:
    """The chances against the first of several groups of targets, in a few words."""
    return in_words(first_of(groups))


def first_of(groups: Sequence[Column]) -> Calculation | None:
    """The calculation against the first of several groups of targets, which stands for all; None without any."""
    return groups[0].calculation if groups else None
