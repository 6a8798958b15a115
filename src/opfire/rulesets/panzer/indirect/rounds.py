"""The smoke shells of vehicles, guns, mortars and engineers [6.1.4.3.10]: limits, fields of fire, ranges."""

from __future__ import annotations

from typing import NamedTuple

from opfire.rulesets.panzer.charts import Leg
from opfire.rulesets.panzer.fire.arcs import Arc
from opfire.rulesets.panzer.fire.arms import LEAST_RANGE, arc_of, arms_of
from opfire.rulesets.panzer.pieces import Position, Unit

ADJACENT = 1
"""The hexes over which engineers fire smoke [6.1.4.3.10]."""


class Shells(NamedTuple):
    """The smoke shells of a unit: their Ammo Limit, field of fire, ranges in hexes, and their noise."""

    limit: int
    arc: Arc
    least: int
    most: int
    small_arms: bool


def shells_of(position: Position, unit: Unit) -> Shells | None:
    """The smoke shells of a vehicle, gun or mortar, and those of engineers [6.1.4.3.10]."""
    if isinstance(unit.kind, Leg) and "Engineer" in unit.labels and unit.kind.smoke_limit:
        return Shells(int(unit.kind.smoke_limit[1:]), arc_of(unit), ADJACENT, ADJACENT, small_arms=True)
    for arm in arms_of(position, unit):
        words = (word for word in arm.row.ammo_limit.split(";") if word.startswith("S"))
        limit = next((int(word[1:]) for word in words), None)
        if arm.row.row == "GP-DF" and limit is not None:
            least = arm.row.min_range or LEAST_RANGE
            return Shells(limit, arm.arc, least, arm.row.reach("E"), arm.row.small_arms is not False)
    return None
