"""The parts that all tests of this book share: its charts, the mark that cites a rule, and distances."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

import pytest

from opfire.rulesets.panzerblitz_miniatures.charts import load_charts

rule = partial(pytest.mark.rule, "panzerblitz-miniatures")
CHARTS = load_charts()


def apart(inches: float | Fraction) -> int:
    """Two points this far apart: the square of the distance in 1/1000 inch."""
    return int(Fraction(inches) * 1000) ** 2
