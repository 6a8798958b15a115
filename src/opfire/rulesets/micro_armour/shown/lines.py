"""Queries about sight: the line between two points or stands, the area seen, and who sees a stand."""

from __future__ import annotations

from functools import partial
from typing import Any

from opfire.core.places import Point
from opfire.core.texts import say
from opfire.kit import shown as kit
from opfire.rulesets.micro_armour.fire.guns import manners
from opfire.rulesets.micro_armour.fire.standard import cannot_attack, on_horseback, unarmed
from opfire.rulesets.micro_armour.pieces import Position, Side, Stand, UnitId
from opfire.rulesets.micro_armour.shown.words import place as told
from opfire.rulesets.micro_armour.sighting.sight import blocked, by_terrain, cannot_see, spot, too_far
from opfire.rulesets.micro_armour.weather import sight_limit
from opfire.space.measure import MICRO, length
from opfire.space.terrain.sight import SightLine, seen


def point(sight: Position, place: Point | str) -> Point:
    """A point, or one that a text names in inches. Raises BadInput for one off the table."""
    return sight.table.parse(place) if isinstance(place, str) else place


def los(sight: Position, side: Side, *, start: Point | str, to: Point | str) -> dict[str, Any]:
    """The line of sight between two points: clear or not, and by which rule [6.1-line]."""
    a, b = point(sight, start), point(sight, to)
    refusal = too_far(sight, spot(a), spot(b)) or blocked(sight, spot(a), spot(b))
    return {
        "clear": refusal is None,
        "text": refusal.sentence() if refusal else say("{} is in line of sight of {}", told(sight, b), told(sight, a)),
        "rule": refusal.rule if refusal else "6.1-line",
        "at": None,
        "inches": length(a, b) / MICRO,
        "profile": [],
        "crosses": [],
    }


def sees(sight: Position, side: Side, *, place: Point | str) -> dict[str, Any]:
    """The area that a stand at a point looks over, as polygons; stands and smoke may still hide others."""
    start, limit = point(sight, place), sight_limit(sight)

    def clear(line: SightLine) -> bool:
        return by_terrain(sight.setting, spot(start), spot(line.end)) is None

    rings = seen(sight.table.ground, start, limit * MICRO, clear)
    text = say("{} looks over {} inches at most", told(sight, start), limit)
    return {"places": [], "polygons": [list(ring) for ring in rings], "text": text}


def spots(sight: Position, side: Side, *, unit: UnitId) -> dict[str, Any]:
    """The enemies that see a stand, and those that it sees [6.0]."""
    one = sight.units[unit]
    enemies = sight.enemies(one.side) if one.at is not None and one.carrier is None else []
    return {"by": _seeing(sight, enemies, one), "spots": [other.id for other in enemies if _sees(sight, one, other)]}


def _seeing(sight: Position, enemies: list[Stand], one: Stand) -> list[UnitId]:
    return [other.id for other in enemies if _sees(sight, other, one)]


def _sees(sight: Position, a: Stand, b: Stand) -> bool:
    return cannot_see(sight, a, b) is None


def glance(sight: Position, side: Side) -> dict[str, Any]:
    """One look over a side: the enemies that could fire at each stand now, and who sees whom [6.0, 7.1.3]."""
    foes = [*sight.of(sight.setting.other[side])] if side in sight.setting.other else []
    return kit.glance(sight.of(side) if foes else (), foes, partial(_sees, sight), partial(_could_fire, sight))


def _could_fire(sight: Position, unit: Stand, target: Stand) -> bool:
    """Return whether a stand could fire at a target in some manner, whatever the phase."""
    if unarmed(unit) or on_horseback(unit):
        return False
    return any(cannot_attack(sight, unit, target, manner) is None for manner in manners(sight, unit))
