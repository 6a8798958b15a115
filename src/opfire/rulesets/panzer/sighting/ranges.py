"""Spotting ranges [4.1.3]: rows of the table by the Cover of the target and by its acts."""

from __future__ import annotations

from typing import Literal, TypeAlias

from opfire.core.actions import Refusal
from opfire.core.events import Line
from opfire.rulesets.panzer.charts import HIGHEST_SPOTTING, LOWEST_SPOTTING, Charts, CoverType

Marker: TypeAlias = Literal["", "move", "fire"]
"""A SPOT counter; a vehicle has one at most [4.1.3-b]."""

OVERSTACKED = 6
"""A hex with as many vehicles offers no Cover [3.8, 4.1.3.2]."""


def in_crowd(cover: CoverType, vehicles: int) -> CoverType:
    """The Cover of a hex with this many vehicles: none if it is overstacked [3.8, 4.1.3.2]."""
    return "none" if vehicles >= OVERSTACKED else cover


def lines(charts: Charts, cover: CoverType, marker: Marker) -> list[Line]:
    """The rows by which a vehicle's spotting range moves, with their rules [4.1.3-a, 4.1.3-b]."""
    found = []
    if rows := charts.cover[cover].spotting:
        found.append(Line("modifier", f"{cover.capitalize()} Cover", f"{rows:+d}", "4.1.3-a", rows))
    if marker:
        row = charts.spotting_modifiers["target", f"spot/{marker}"]
        found.append(Line("modifier", f"SPOT/{marker.upper()}", f"{row.rows:+d}", row.rule, row.rows))
    return found


def spotting_range(charts: Charts, cover: CoverType, marker: Marker) -> int:
    """The hexes at which a vehicle is spotted; modifiers add up and end at the edges of the table [4.1.3-c].

    All vehicles have the column V, whatever their size [4.1.3.1].
    """
    net = sum(line.amount for line in lines(charts, cover, marker))
    return charts.spotting[max(LOWEST_SPOTTING, min(HIGHEST_SPOTTING, net))].vehicle


def unarmed(name: str, armed: bool) -> Refusal | None:
    """Reject an unarmed vehicle as a spotter [4.1.1]."""
    return None if armed else Refusal("{} is unarmed and cannot spot", "4.1.1", (name,))


def too_far(name: str, hexes: int, reach: int) -> Refusal | None:
    """Reject a target beyond its spotting range [4.1.3]."""
    if hexes <= reach:
        return None
    return Refusal("{} is {} hexes away, and is spotted up to {}", "4.1.3", (name, hexes, reach))
