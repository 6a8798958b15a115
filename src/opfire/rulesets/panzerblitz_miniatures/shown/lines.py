"""Queries about sight: the line between two points with all that it crosses, and the area seen from a point."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Any

from opfire.core.places import INCH, Point, inches
from opfire.core.texts import called, say
from opfire.kit import shown as kit
from opfire.rulesets.panzerblitz_miniatures.fire.aiming import cannot_hit_stand
from opfire.rulesets.panzerblitz_miniatures.pieces import Position, Side, Stand
from opfire.rulesets.panzerblitz_miniatures.shown.words import place as told
from opfire.rulesets.panzerblitz_miniatures.sighting.seeing import line_between, spotted_by
from opfire.rulesets.panzerblitz_miniatures.sighting.sight import blocked
from opfire.rulesets.panzerblitz_miniatures.sighting.visibility import beyond_sight, sight_limit
from opfire.space.measure import MICRO, square
from opfire.space.terrain.sight import SightLine, profile, seen, sight_line
from opfire.space.terrain.spans import END, START, Along, Span


def los(sight: Position, side: Side, *, start: Point | str, to: Point | str) -> dict[str, Any]:
    """The line of sight between two points: clear or not, by which rule, where it is blocked, and what it crosses.

    `profile` are the stretches of ground under the line; `crosses` has every feature that it touches, with the
    points at which the line enters and leaves it. Both points may be texts in inches.
    """
    a, b = point(sight, start), point(sight, to)
    line = sight_line(sight.ground, a, b)
    block = blocked(sight.charts, line, (), sight.setting.base)
    refusal = block.refusal if block else beyond_sight(told(sight, b), _farthest(sight), square(a, b))
    return {
        "clear": refusal is None,
        "text": refusal.sentence() if refusal else say("{} is in line of sight of {}", told(sight, b), told(sight, a)),
        "rule": refusal.rule if refusal else "LOS-1",
        "at": block.at if block else None,
        "inches": line.length / MICRO,
        "profile": _profile(sight, line),
        "crosses": [_crossed(line, span) for span in line.spans],
    }


def _farthest(sight: Position) -> Fraction:
    """The inches at which a vehicle in the open is seen at most: no unit is seen farther off [LLT-1]."""
    return sight_limit(sight.charts, sight.setting.sections.visibility, "heavy", "clear", sight.roll)


def point(sight: Position, place: Point | str) -> Point:
    """A point, or one that a text names in inches. Raises BadInput for one off the table."""
    return sight.table.parse(place) if isinstance(place, str) else place


def _profile(sight: Position, line: SightLine) -> list[dict[str, Any]]:
    """The stretches of the line, each with its level and the kinds of terrain halfway along it."""
    ground = sight.ground
    levels = profile(ground, line.start, line.end)
    places = {place.key: place for span in line.spans for place in span[1:]} | {START.key: START, END.key: END}
    return [_stretch(sight, line, levels, low, high) for low, high in pairwise(sorted(places.values()))]


def _stretch(
    sight: Position, line: SightLine, levels: list[tuple[Along, Along, int]], low: Along, high: Along
) -> dict[str, Any]:
    """The ground between two places of a line."""
    a, b = line.point(low), line.point(high)
    level = next(each for start, end, each in levels if start.key <= low.key and high.key <= end.key)
    middle = ((a[0] + b[0]) // 2, (a[1] + b[1]) // 2)
    return {"place": a, "to": b, "level": level, "terrain": list(sight.table.ground.at(middle).kinds)}


def _crossed(line: SightLine, span: Span) -> dict[str, Any]:
    feature = span.feature
    return {
        "name": called(feature.name),
        "kind": feature.kind,
        "from": line.point(span.enters),
        "to": line.point(span.leaves),
    }


def sees(sight: Position, side: Side, *, place: Point | str) -> dict[str, Any]:
    """The area in which a stand at a point could see a vehicle in the open, as polygons; cover may still hide others.

    The polygons are a picture made of half-inch squares, a ring within a ring being a hole.
    """
    start, limit = point(sight, place), _farthest(sight)

    def clear(line: SightLine) -> bool:
        return blocked(sight.charts, line, (), sight.setting.base) is None

    rings = seen(sight.ground, start, int(limit * MICRO), clear)
    text = say("{} looks over {} inches at most", told(sight, start), inches(int(limit * INCH)))
    return {"places": [], "polygons": [list(ring) for ring in rings], "text": text}


def glance(sight: Position, side: Side) -> dict[str, Any]:
    """One look over a side: the enemies that could fire at each stand now, and who sees whom [SPT-1, DF-1]."""
    foes = [*sight.of(sight.setting.other[side])] if side in sight.setting.other else []
    return kit.glance(sight.of(side) if foes else (), foes, partial(_sees, sight), partial(_could_fire, sight))


def _sees(sight: Position, unit: Stand, target: Stand) -> bool:
    """Return whether a target is in line of sight of a stand, and spotted by it if it is in cover."""
    clear = blocked(sight.charts, line_between(sight, unit, target), (), sight.setting.base) is None
    return clear and spotted_by(sight, unit, target)


def _could_fire(sight: Position, unit: Stand, target: Stand) -> bool:
    """Return whether a stand could fire at a target, when its phase comes."""
    return not unit.dispersed and cannot_hit_stand(sight, unit, target, "normal") is None
