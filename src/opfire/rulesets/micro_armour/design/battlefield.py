"""Step 3: the battlefield and its terrain density."""

from __future__ import annotations

from fractions import Fraction

from opfire.rulesets.micro_armour.charts import Charts, DensityName


def covered(charts: Charts, density: DensityName, roll: int) -> int:
    """The per cent of the battlefield that terrain covers, from the sum of two dice [SD.3.2]."""
    return charts.densities[density].factor * roll


def area(width: int, length: int, percent: int) -> int:
    """The square inches of terrain on a battlefield in inches; a part of one is dropped [SD.3.3, RULINGS.md R4]."""
    return int(Fraction(width * length * percent, 100))


def greatest_sight(charts: Charts, density: DensityName) -> int:
    """The greatest sight, in inches [SD.3.2]."""
    return charts.densities[density].sight
