"""Movement orders [8.2.1, 10.1.6], and the successors of headquarters that are lost [10.1.7]."""

from __future__ import annotations

from opfire.core.actions import Refusal
from opfire.core.events import Calculation, Line
from opfire.rulesets.micro_armour.charts import Charts

ONLY_HEADQUARTERS = 14
"""With a cohesion up to this, a headquarters alone takes the place of a general one [10.1.7]."""

NOBODY_REPLACES = 12
"""With a cohesion up to this, no headquarters that is lost is replaced [10.1.7]."""


def orders(charts: Charts, quality: int) -> Calculation:
    """The roll for movement orders [8.2.1]; a general headquarters adds its quality [10.1.6]."""
    lines = (Line("modifier", "Quality of the headquarters", f"{quality:+}", "10.1.6", quality),)
    outcomes = tuple(str(orders_for(charts, total + quality)) for total in range(2, 13))
    return Calculation("Movement orders", "8.2.1", lines, 2, 6, outcomes, modifier=quality)


def orders_for(charts: Charts, total: int) -> int:
    """The orders for a total of the dice and the quality."""
    chart = charts.movement_orders
    return chart[max(min(chart), min(max(chart), total))].orders


def cannot_succeed(cohesion: int, lost_general: bool, headquarters: bool) -> Refusal | None:
    """Reject a stand that may not take command, in a force of that cohesion [10.1.7]."""
    if cohesion <= NOBODY_REPLACES:
        return Refusal("A force of cohesion {} replaces no headquarters.", "10.1.7-limits", (cohesion,))
    if lost_general and not headquarters and cohesion <= ONLY_HEADQUARTERS:
        return Refusal("In a force of cohesion {} only a headquarters takes over.", "10.1.7-limits", (cohesion,))
    return None


def succession(charts: Charts, nation: str) -> int:
    """The modifier to the roll with which a stand of a nation takes command [10.1.7]."""
    found = (row for row in charts.successions.values() if nation in row.nations.split(";"))
    return next(found, charts.successions[""]).modifier


def new_quality(charts: Charts, rolled: int) -> int:
    """The quality of a general headquarters that has just taken command, for the roll of a die of 20 [10.1.7]."""
    return next(row.quality for most, row in sorted(charts.new_qualities.items()) if rolled <= most)
