"""A table for tests of lines of sight: terrain by few numbers in inches, and lines with their answers."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

from opfire.core.places import INCH, Point
from opfire.rulesets.panzerblitz_miniatures.sighting.sight import Block, blocked, smoke_ground
from opfire.space.terrain.features import Feature
from opfire.space.terrain.ground import Ground
from opfire.space.terrain.sight import SightLine, sight_line
from rules.panzerblitz_miniatures.kit import CHARTS

Inches = tuple[float, float]
SIZE = (60 * INCH, 40 * INCH)
WEST, EAST = (2, 10), (22, 10)
"""Two stands twenty inches apart; the line between them runs eastwards."""

_numbers = count()
_DEPRESSION = -1


def point(at: Inches) -> Point:
    """A point of inches in 1/1000 inch."""
    return round(at[0] * INCH), round(at[1] * INCH)


def box(west: float, east: float, north: float = 5, south: float = 15) -> tuple[Point, ...]:
    """The corners of a rectangle; by default one that the line from WEST to EAST cuts in the middle."""
    return tuple(map(point, ((west, north), (east, north), (east, south), (west, south))))


def area(kind: str, west: float, east: float, north: float = 5, south: float = 15) -> Feature:
    """A rectangle of terrain."""
    number = next(_numbers)
    level = _DEPRESSION if kind in ("stream", "gully", "water") else None
    rings = ((box(west, east, north, south),),)
    shape = "building" if kind == "building" else "area"
    return Feature(number, f"{kind}-{number}", kind, kind.title(), shape, parts=rings, level=level)


def contour(kind: str, west: float, east: float, north: float = 5, south: float = 15, hill: str = "") -> Feature:
    """A rectangle of slope or hilltop, of a hill of its own unless one is named."""
    number, level = next(_numbers), {"slope": 1, "hilltop": 2}[kind]
    rings = ((box(west, east, north, south),),)
    name = hill or f"Hill {number}"
    return Feature(number, f"{kind}-{number}", kind, name, "contour", parts=rings, level=level, hill=name)


def row(kind: str, *way: Inches) -> Feature:
    """A hedge, wall, crest or the like through some points."""
    number = next(_numbers)
    return Feature(number, f"{kind}-{number}", kind, kind.title(), "line", way=tuple(map(point, way)))


def across(kind: str, at: float, north: float = 5, south: float = 15) -> Feature:
    """A hedge or the like from north to south, across the line from WEST to EAST."""
    return row(kind, (at, north), (at, south))


def table(*features: Feature) -> Ground:
    """The table with these features, upon each other in their order."""
    return Ground(SIZE, features)


def line(ground: Ground, firer: Inches = WEST, target: Inches = EAST) -> SightLine:
    """The line from firer to target."""
    return sight_line(ground, point(firer), point(target))


def block(*features: Feature, firer: Inches = WEST, target: Inches = EAST) -> Block | None:
    """The block of the line from firer to target over these features."""
    return blocked(CHARTS, line(table(*features), firer, target))


def rule_of(*features: Feature, firer: Inches = WEST, target: Inches = EAST) -> str | None:
    """The rule by which the line from firer to target is blocked, or None."""
    found = block(*features, firer=firer, target=target)
    return found.refusal.rule if found else None


def smoked(*clouds: tuple[Point, ...], firer: Inches = WEST, target: Inches = EAST) -> str | None:
    """The rule by which smoke blocks a line over open ground."""
    spans = smoke_ground(SIZE, clouds).spans(point(firer), point(target))
    found = blocked(CHARTS, line(table(), firer, target), spans)
    return found.refusal.rule if found else None


CHANGES: dict[str, tuple[Point, Callable[[Point], Point]]] = {
    "a quarter turn": ((SIZE[1], SIZE[0]), lambda at: (SIZE[1] - at[1], at[0])),
    "half a turn": (SIZE, lambda at: (SIZE[0] - at[0], SIZE[1] - at[1])),
    "three quarters of a turn": ((SIZE[1], SIZE[0]), lambda at: (at[1], SIZE[0] - at[0])),
    "a mirror": (SIZE, lambda at: (SIZE[0] - at[0], at[1])),
    "a move": ((SIZE[0] + 901, SIZE[1] + 2_333), lambda at: (at[0] + 901, at[1] + 2_333)),
}
"""Tables that are turned, mirrored or moved: the new size, and each point's new place."""


def changed(ground: Ground, size: Point, move: Callable[[Point], Point]) -> Ground:
    """The table with all its points elsewhere."""
    return Ground(size, [_moved(feature, move) for feature in ground.features])


def _moved(feature: Feature, move: Callable[[Point], Point]) -> Feature:
    parts = tuple(tuple(tuple(map(move, ring)) for ring in rings) for rings in feature.parts)
    known = {"level": feature.level, "hill": feature.hill, "way": tuple(map(move, feature.way))}
    return Feature(feature.number, feature.id, feature.kind, feature.name, feature.shape, parts, **known)
