"""Queries about a stand's fire: its range in bands of effectiveness, its arc, and its field of fire."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from opfire.core.places import INCH, Point
from opfire.core.texts import Text, joined, say
from opfire.rulesets.panzerblitz_miniatures.charts import Kind
from opfire.rulesets.panzerblitz_miniatures.equipment import range_inches
from opfire.rulesets.panzerblitz_miniatures.fire.aiming import HALF_ARC, bound_to_arc
from opfire.rulesets.panzerblitz_miniatures.fire.effectiveness import band_inches, effectiveness
from opfire.rulesets.panzerblitz_miniatures.pieces import Position, Side, Stand
from opfire.rulesets.panzerblitz_miniatures.sighting.sight import blocked
from opfire.rulesets.panzerblitz_miniatures.sighting.visibility import sight_limit
from opfire.space.measure import MICRO, in_arc
from opfire.space.terrain.exact import Ring
from opfire.space.terrain.sight import SightLine, seen

GROUND_TARGETS = ("armored", "non-armored")
"""The kinds of targets by which the bands of a range are told [WEC-1]."""


def around(sight: Position, side: Side, *, unit: str) -> dict[str, Any]:
    """The range of a stand in bands of effectiveness, nearest first, and its field of fire as polygons.

    The field is the ground on which it could hit a vehicle in the open: within range, arc and sight [DF-1, FOF-1].
    """
    stand = sight.units[unit]
    if stand.at is None or not stand.kind.attack:
        return {"bands": [], "polygons": []}
    return {"bands": _bands(sight, stand.kind), "polygons": _field(sight, stand, stand.at)}


def _bands(sight: Position, kind: Kind) -> list[dict[str, Any]]:
    """The distances at which the effectiveness of a weapon changes, with its multipliers up to there [WEC-1]."""
    far = range_inches(sight.charts, kind)
    found = {
        min(band_inches(sight.charts, band, far), Fraction(far))
        for target in GROUND_TARGETS
        for band in sight.charts.bands.get((kind.weapon, target), ())
    }
    return [{"inches": float(each), "text": _effects(sight, kind, each)} for each in sorted(found) if each]


def _effects(sight: Position, kind: Kind, up_to: Fraction) -> str:
    """The multipliers of a weapon up to a distance, for each kind of target."""
    far, there = range_inches(sight.charts, kind), int(up_to * INCH) ** 2
    values = (effectiveness(sight.charts, kind.weapon, each, far, there).value for each in GROUND_TARGETS)
    return say(joined(Text("{} ×{}", each) for each in zip(GROUND_TARGETS, values, strict=True)))


def arc(sight: Position, stand: Stand) -> int | None:
    """The degrees of a stand's field of fire to either side of its facing; None where it fires all around [FOF-2]."""
    return HALF_ARC if bound_to_arc(sight, stand) else None


def _field(sight: Position, stand: Stand, at: Point) -> list[Ring]:
    """The ground on which a stand at a point could hit a vehicle in the open, as rings."""
    limit = sight_limit(sight.charts, sight.setting.sections.visibility, "heavy", "clear", sight.roll)
    far = min(Fraction(range_inches(sight.charts, stand.kind)), limit)
    half = arc(sight, stand)

    def hit(line: SightLine) -> bool:
        if half is not None and not in_arc(at, stand.facing, line.end, half):
            return False
        smoke = sight.setting.smoke(sight.clouds).spans(at, line.end) if sight.clouds else ()
        return blocked(sight.charts, line, smoke, sight.setting.base) is None

    return seen(sight.ground, at, int(far * MICRO), hit)
