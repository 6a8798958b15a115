"""Spotting ranges [4.1.3, 6.1.3]: rows of the table by the Cover of the target and by its acts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

from opfire.core.actions import Refusal
from opfire.core.events import Line
from opfire.core.texts import Text
from opfire.rulesets.panzer.charts import COVERS, HIGHEST_SPOTTING, LOWEST_SPOTTING, Bulk, Charts, CoverType

Marker: TypeAlias = Literal["", "move", "small arms", "fire"]
"""A SPOT counter; a vehicle has one at most [4.1.3-b]."""

OVERSTACKED = 6
"""A hex with as many vehicles offers no Cover [3.8, 4.1.3.2]."""


def in_crowd(cover: CoverType, vehicles: int) -> CoverType:
    """The Cover of a hex with this many vehicles: none if it is overstacked [3.8, 4.1.3.2]."""
    return "none" if vehicles >= OVERSTACKED else cover


COUNTERS: dict[Marker, str] = {"move": "spot/move", "small arms": "spot/fire sa", "fire": "spot/fire"}
"""The SPOT counters as the table of modifiers names them [4.1.3-b, 6.1.3-a]."""


def after_firing(marker: Marker, *, small_arms: bool) -> Marker:
    """The SPOT counter of a unit that fires: Small Arms do not take a larger one away [4.4.1-f, 6.1.3-a]."""
    return "small arms" if small_arms and marker != "fire" else "fire"


def lines(charts: Charts, cover: CoverType, marker: Marker) -> list[Line]:
    """The rows by which a unit's spotting range moves, with their rules [4.1.3-a, 4.1.3-b, 6.1.3-a]."""
    found = []
    if rows := charts.cover[cover].spotting:
        found.append(Line("modifier", COVERS[cover], f"{rows:+d}", "4.1.3-a", rows))
    if marker:
        row = charts.spotting_modifiers["target", COUNTERS[marker]]
        found.append(Line("modifier", COUNTERS[marker].upper(), f"{row.rows:+d}", row.rule, row.rows))
    return found


def row_line(charts: Charts, who: Literal["target", "spotter"], name: str) -> Line:
    """The rows of a modifier of the Advanced Game, of the target or of the spotter [6.1.3.1 to 6.1.3.3]."""
    row = charts.spotting_modifiers[who, name]
    return Line("modifier", Text("{} ({})", (name.capitalize(), who)), f"{row.rows:+d}", row.rule, row.rows)


def spotting_range(
    charts: Charts, cover: CoverType, marker: Marker, bulk: Bulk = "V", others: Iterable[Line] = ()
) -> int:
    """The hexes at which a unit is spotted; modifiers add up and end at the edges of the table [4.1.3-c, 6.1.3].

    All vehicles have the column V, whatever their size [4.1.3.1].
    """
    net = sum(line.amount for line in (*lines(charts, cover, marker), *others))
    return charts.spotting[max(LOWEST_SPOTTING, min(HIGHEST_SPOTTING, net))].hexes(bulk)


def unarmed(name: str, armed: bool) -> Refusal | None:
    """Reject an unarmed vehicle as a spotter [4.1.1]."""
    return None if armed else Refusal("{} is unarmed and cannot spot", "4.1.1", (name,))


def too_far(name: str, hexes: int, reach: int) -> Refusal | None:
    """Reject a target beyond its spotting range [4.1.3]."""
    if hexes <= reach:
        return None
    return Refusal("{} is {} hexes away, and is spotted up to {}", "4.1.3", (name, hexes, reach))
