"""The limit of lines of sight, by visibility, kind of target and its ground."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from opfire.core.actions import Refusal
from opfire.core.places import INCH
from opfire.core.rows import fraction
from opfire.rulesets.panzerblitz_miniatures.charts import Charts

LEAST = Fraction(1)
"""The inches that even the worst visibility leaves, as in the printed table."""


def sight_limit(charts: Charts, visibility: str, size: str, ground: str, roll: int = 0) -> Fraction:
    """The inches at which a target is seen at most, by its own kind and ground [LOS-2, LOS-4, LLT-1]: RULINGS.md R29.

    `roll` is that of a turn of variable visibility.
    """
    row = charts.los_limit[visibility, size, ground]
    return _inches(row.limit, roll if row.of_roll else 1)


def sight_limit_if_fired(charts: Charts, visibility: str, size: str, ground: str, roll: int = 0) -> Fraction:
    """The inches at which a target is seen at most that has fired and is marked for it [LLT-1]."""
    row = charts.los_limit[visibility, size, ground]
    return _inches(row.if_fired, roll if row.if_fired_of_roll else 1)


@lru_cache(maxsize=256)
def farthest_sight(charts: Charts, visibility: str, size: str, roll: int = 0) -> Fraction:
    """The inches beyond which a unit of this size is not seen on any ground, whether it has fired or not."""
    tables = (sight_limit, sight_limit_if_fired)
    return max(table(charts, visibility, size, ground, roll) for table in tables for ground in ("cover", "clear"))


def _inches(number: str, roll: int) -> Fraction:
    return max(LEAST, fraction(number, "los_limit.csv") * roll)


def beyond_sight(target: str, limit: Fraction, square: int) -> Refusal | None:
    """Refuse fire at a target, or its spotting, beyond the farthest place at which it is seen [LOS-2, LOS-3]."""
    if square <= (limit * INCH) ** 2:
        return None
    return Refusal("{} is beyond the limit of sight of {} inches", "LOS-3", (target, str(limit)))
