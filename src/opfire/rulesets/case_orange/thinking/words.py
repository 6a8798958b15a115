"""Calculations in a few words, for explanations."""

from __future__ import annotations

from opfire.core.events import Calculation


def odds_in_words(calculation: Calculation | None) -> str:
    """A calculation in a few words: its column and the chances that matter."""
    if calculation is None:
        return "no effect"
    found = calculation.chances()
    parts = [f"{result} {float(found[result]):.0%}" for result in ("X", "DD", "D") if result in found]
    return f"{calculation.column} {calculation.modifier:+d}: {', '.join(parts) or 'no effect'}"
