"""Calculations in a few words, for explanations."""

from __future__ import annotations

from opfire.core.events import Calculation
from opfire.rulesets.case_orange.charts import RESULTS


def odds_in_words(calculation: Calculation | None) -> str:
    """A calculation in a few words: its column and the chances that matter."""
    if calculation is None:
        return "no effect"
    found = calculation.chances()
    parts = [f"{RESULTS[result]} {float(found[result]):.0%}" for result in ("X", "DD", "D") if result in found]
    return f"at {calculation.column}: {', '.join(parts) or 'no effect'}"
