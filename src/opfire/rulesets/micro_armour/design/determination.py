"""Rule 12.1: how many losses a force endures before it breaks."""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction

from opfire.rulesets.micro_armour.charts import Charts, Determination, Engagement, Month, Role, whole

BASE = 35
"""Per cent of its strength [12.1]."""

MEAN_CARD = 7
"""The mean of a deck without jokers [12.1.2]."""


def circumstances(
    charts: Charts, nation: str, engagement: Engagement, role: Role, date: Month, told: Collection[str]
) -> list[Determination]:
    """The circumstances that change what a force endures [12.1.9]."""

    def holds(row: Determination) -> bool:
        return (
            row.nations in ("", nation)
            and row.engagement in ("", engagement)
            and row.role in ("", role)
            and row.since <= date
            and (row.until == "" or date <= row.until)
            and (row.told == "" or row.told in told)
        )

    return [row for row in charts.determination.values() if holds(row)]


def told_words(charts: Charts) -> list[str]:
    """The circumstances that only players can tell."""
    return [row.told for row in charts.determination.values() if row.told]


def break_point(combat_points: int, percent: int) -> int:
    """The sum of cards that must be exceeded before a force breaks [12.1.2]."""
    return whole(Fraction(combat_points * percent * MEAN_CARD, 100))
