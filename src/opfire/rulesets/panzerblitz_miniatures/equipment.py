"""Game equipment: the numbers of a counter in inches and movement points."""

from __future__ import annotations

from opfire.rulesets.panzerblitz_miniatures.charts import Charts, Kind, Scale


def range_inches(charts: Charts, kind: Kind) -> int:
    """The greatest distance in inches at which a unit attacks [EQP-2, EQP-11]."""
    return kind.range * charts.scales[kind.scale].range


def allowance(scale: Scale, printed: int) -> int:
    """The movement points of a printed allowance; an allowance of 1 has a multiplier of its own [EQP-3]."""
    return printed * (scale.movement_of_one if printed == 1 else scale.movement)


def movement_points(charts: Charts, kind: Kind) -> int:
    """The movement points of a unit in one turn [EQP-13]."""
    return allowance(charts.scales[kind.scale], kind.movement)


def minimum_range(charts: Charts, kind: Kind) -> int:
    """The inches within which class (H) has no indirect fire: a quarter of its range, rounded down [IF-12].

    The range is that in inches: RULINGS.md R43. Other classes have no such limit.
    """
    if kind.weapon != "(H)":
        return 0
    return int(range_inches(charts, kind) * charts.named["minimum range"])
