"""Calculations in a few words, for explanations."""

from __future__ import annotations

from opfire.core.events import Calculation
from opfire.core.texts import Text, Words, joined
from opfire.rulesets.case_orange.charts import RESULTS


def odds_in_words(calculation: Calculation | None) -> Words:
    """A calculation in a few words: its column and the chances that matter."""
    if calculation is None:
        return "no effect"
    found = calculation.chances()
    parts = [Text("{} {:.0%}", (RESULTS[each], float(found[each]))) for each in ("X", "DD", "D") if each in found]
    return Text("at {}: {}", (calculation.column, joined(parts) if parts else "no effect"))
