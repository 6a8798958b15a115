"""Lines of sight between aircraft and the ground [6.7.3.1.3]: by the altitude, not by the speed."""

from __future__ import annotations

from collections.abc import Iterator

from opfire.core.actions import Refusal
from opfire.rulesets.panzer.charts import AirLine
from opfire.rulesets.panzer.sighting.sight import Relief, line
from opfire.space.hexes import Coord, disc, distance

FARTHEST = 12
"""The hexes from a unit beyond which no obstacle is high enough to hide it from the air."""


def hidden(relief: Relief, plane: Coord, unit: Coord, row: AirLine, *, around: bool = False) -> Refusal | None:
    """The reason that an aircraft and a unit do not see each other, or None; it is the same both ways [6.7.3.1.3].

    An obstacle under the line hides a unit next to it, and one hex farther for each Height above that of the table;
    with `around` one on any side does. Its top is measured from the ground of the unit: RULINGS.md R120.
    """
    for at in (each for each in disc(unit, FARTHEST) if each != unit) if around else _between(plane, unit):
        above = relief.top(at) - relief.height(unit) - row.height
        if above >= 0 and distance(at, unit) <= row.hexes + above:
            return Refusal("{} hides it from the air", "6.7.3.1.3", (relief.name(at),))
    return None


def _between(plane: Coord, unit: Coord) -> Iterator[Coord]:
    """The hexes under the line, without those of both ends."""
    for touch in line(unit, plane):
        for offset in touch.hexes if touch.kind in ("hex", "along") else ():
            at = unit[0] + offset[0], unit[1] + offset[1]
            if at not in (unit, plane):
                yield at
