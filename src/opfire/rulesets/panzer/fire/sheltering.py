"""Hull Down against a shot [6.1.4.1, 6.1.4.3.2]: positions that were found, walls, defilades, rails, heights."""

from __future__ import annotations

from collections.abc import Iterator

from opfire.rulesets.panzer.charts import Angle
from opfire.rulesets.panzer.fire.ap_fire import HullDown
from opfire.rulesets.panzer.fire.arcs import hit_angles
from opfire.rulesets.panzer.moving.hull_down import shelter
from opfire.rulesets.panzer.pieces import Position, Unit, away, level
from opfire.rulesets.panzer.sighting.sight import line
from opfire.space.hexes import Coord


def hull_down(position: Position, unit: Unit, target: Unit, angle: Angle | None = None) -> HullDown:
    """The hull down position of a target against a firer: one that it found, walls, defilades, rails, heights.

    Where the line runs between two Hit Angles, that of one `angle`, or the better one: RULINGS.md R14.

    Rules: [6.1.4.1, 6.1.4.1.1, 6.1.4.1.2, 6.1.4.3.14, 6.6.9-arc].

    A target is Partial Hull Down against a lower firer at a range within its advantage in Height [6.1.4.1.3].
    """
    coords = position.map.coords
    angles = (angle,) if angle else hit_angles(coords[str(target.hex)], target.facing, coords[str(unit.hex)])
    kinds, found = set(shelters(position, unit, target)), shelter(target, angles)
    walled = _walled_in(position, unit, target, angle)
    if walled == "full":
        return "full"
    if found == "full" or kinds & {"wall", "defilade"}:
        return "full"
    advantage = level(position, target) - level(position, unit)
    on_rails = "railroad tracks" in position.map.cells[str(target.hex)].terrain  # 6.1.4.3.14
    return "partial" if walled or found or on_rails or 0 < away(position, unit, target) <= advantage else ""


def _walled_in(position: Position, unit: Unit, target: Unit, angle: Angle | None) -> HullDown:
    """The shelter of bricks, stones or an Improved Position [6.1.4.3.1, 6.1.4.3.7].

    A position is open to the rear of the vehicle as it took it, and partial if the vehicle likes [6.1.4.1.2].
    """
    if target.inside and not SOLID.isdisjoint(position.map.cells[str(target.hex)].terrain):
        return "full"
    coords = position.map.coords
    for work in position.works.get(str(target.hex), ()):
        if work.kind == "improved position" and work.holder == target.id:
            found = hit_angles(coords[str(target.hex)], work.facing, coords[str(unit.hex)])
            if (
                angle and work.facing == target.facing
            ):  # the angles of a vehicle that has pivoted are not the position's
                found = (angle,)
            if found != ("rear",):
                return "partial" if work.partial else "full"
    return ""


SOLID = frozenset({"brick building", "stone building"})


def shelters(position: Position, unit: Unit, target: Unit) -> Iterator[str]:
    """The walls that a line meets at the target's hex, and the defilades that it crosses there [6.1.4.3.2]."""
    coords = position.map.coords
    start, end = coords[str(unit.hex)], coords[str(target.hex)]
    for touch in line(start, end):
        for side in touch.sides:
            a, b = _shifted(start, side.a), _shifted(start, side.b)
            if end in (a, b):
                found = position.setting.ground.sides(a, b)
                yield from (kind for kind in found if kind == "wall" or touch.kind != "along")


def _shifted(start: Coord, offset: Coord) -> Coord:
    return start[0] + offset[0], start[1] + offset[1]
