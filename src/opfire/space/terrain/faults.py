"""The faults of a table that can be read: the sentences of `check`.

A table may be drawn faultlessly to the letter and still have a wood in a lake, a road with a gap, a bridge that ends
in the water, or a hilltop beside its slope. Each complaint names the features and a point in inches.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise

from opfire.core import places
from opfire.core.places import INCH, Point
from opfire.space.terrain.exact import box, cross, inside, near, on_segment, sides
from opfire.space.terrain.features import Feature, Vocabulary
from opfire.space.terrain.ground import Ground

SLIVER = INCH // 10
"""Borders that lie nearer than this, and do not touch, are taken for a slip of the pen."""

GAP = INCH
"""The end of a road or a stream that stops this near to another one, or to the edge, is taken for a slip too."""


CROSSED = frozenset({"water", "stream", "gully"})
"""The looks of what bridges and fords lead over."""


def faults(ground: Ground, vocabulary: Vocabulary) -> list[str]:
    """The faults to mend, in sentences; none when the table is sound."""
    return [
        *_overlaps(ground, vocabulary),
        *_slivers(ground),
        *_loose_ends(ground),
        *_contours(ground.features),
        *_crossings(ground),
    ]


def barred(ground: Ground, vocabulary: Vocabulary, stands: Mapping[str, Point], radius: int) -> list[str]:
    """The stands, by name, that begin in terrain with room for none; a bridge or a ford leads over it."""
    found = []
    for name, at in stands.items():
        under = ground.under(at, radius)
        if not any(feature.shape == "crossing" for feature in under):
            bars = [feature for feature in under if vocabulary[feature.kind].bars]
            found += [f"{name} at {places.text(at)} begins in {_called(feature)}" for feature in bars]
    return found


def _called(feature: Feature) -> str:
    return f"{feature.name} ({feature.id})"


# --- overlaps --------------------------------------------------------------------------------------------


def _overlaps(ground: Ground, vocabulary: Vocabulary) -> Iterator[str]:
    bridged = ground.only(lambda feature: feature.shape == "crossing")
    for a, b in combinations(ground.features, 2):
        if b.kind in vocabulary[a.kind].apart.split() or a.kind in vocabulary[b.kind].apart.split():
            open_places = (at for at in _shared(a, b) if not bridged.under(at, 1))
            if (at := next(open_places, None)) is not None:
                yield f"{_called(a)} overlaps {_called(b)} at {places.text(at)}; these kinds lie apart"


def _shared(a: Feature, b: Feature) -> Iterator[Point]:
    """Points at which two features overlap, near enough; touching borders are no overlap."""
    first, second = box(a.points), box(b.points)
    if first[0] > second[2] or second[0] > first[2] or first[1] > second[3] or second[1] > first[3]:
        return
    for one, other in ((a, b), (b, a)):
        for polygon in _polygons(other):
            for c, d in _segments(one):
                yield from (at for at in (c, _half(c, d)) if _strictly_inside(at, polygon))
    for c, d in _segments(a):
        yield from (_half(c, d) for e, f in _segments(b) if _cross(c, d, e, f))
    if a.parts and {frozenset(ring) for rings in a.parts for ring in rings} == {
        frozenset(ring) for rings in b.parts for ring in rings
    }:
        yield a.parts[0][0][0]


def _segments(feature: Feature) -> list[tuple[Point, Point]]:
    if feature.parts:
        return [side for polygon in _polygons(feature) for side in polygon]
    return [*pairwise(feature.way)]


def _polygons(feature: Feature) -> list[list[tuple[Point, Point]]]:
    return [[side for ring in rings for side in sides(ring)] for rings in feature.parts]


def _half(a: Point, b: Point) -> Point:
    return (a[0] + b[0]) // 2, (a[1] + b[1]) // 2


def _strictly_inside(at: Point, polygon: Sequence[tuple[Point, Point]]) -> bool:
    # A middle is rounded, so that it may miss its own border by a thousandth of an inch.
    return inside(at, polygon) and not any(near(at, a, b, 1) for a, b in polygon)


def _cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Return whether two segments cross, neither of them at an end."""
    turns = cross(a, b, c), cross(a, b, d), cross(c, d, a), cross(c, d, b)
    return all(turns) and (turns[0] > 0) != (turns[1] > 0) and (turns[2] > 0) != (turns[3] > 0)


# --- gaps ------------------------------------------------------------------------------------------------


def _slivers(ground: Ground) -> Iterator[str]:
    """Areas of one kind with a gap between them that nobody can see."""
    areas = [feature for feature in ground.features if feature.shape == "area"]
    for a, b in combinations(areas, 2):
        if a.kind == b.kind and (at := _nearly(a, b)) is not None:
            yield f"{_called(a)} and {_called(b)} nearly touch at {places.text(at)}; join them, or leave a gap"


def _nearly(a: Feature, b: Feature) -> Point | None:
    """A corner of one area that nearly touches the other, unless they touch anywhere."""
    corners = [(at, side) for one, other in ((a, b), (b, a)) for at in one.points for side in _segments(other)]
    if any(on_segment(at, *side) for at, side in corners) or next(_shared(a, b), None):
        return None
    return next((at for at, side in corners if near(at, *side, SLIVER)), None)


def _loose_ends(ground: Ground) -> Iterator[str]:
    """Roads and streams that stop just before another one or the edge of the table."""
    ways = [feature for feature in ground.features if feature.shape == "line" and feature.width]
    for way in ways:
        for end in (way.way[0], way.way[-1]):
            others = [other for other in ways if other is not way and other.look in _joins(way)]
            joined = any(near(end, *side, other.width // 2) for other in others for side in pairwise(other.way))
            if not joined and (what := _just_before(end, ground.size, others)):
                yield f"{_called(way)} ends at {places.text(end)}, just before {what}; let it join"


def _joins(way: Feature) -> tuple[str, ...]:
    """The looks of the ways that a way joins: roads and tracks each other, others their own kind."""
    roads = ("road", "track")
    return roads if way.look in roads else (way.look,)


def _just_before(end: Point, size: Point, others: Iterable[Feature]) -> str:
    margin = min(end[0], end[1], size[0] - end[0], size[1] - end[1])
    if 0 < margin <= GAP:
        return "the edge of the table"
    if margin == 0:
        return ""
    close = (other for other in others for side in pairwise(other.way) if near(end, *side, other.width // 2 + GAP))
    return next((_called(other) for other in close), "")


# --- hills and crossings -----------------------------------------------------------------------------------


def _contours(features: Sequence[Feature]) -> Iterator[str]:
    """Contours that do not lie within the next lower one of their hill."""
    contours = [feature for feature in features if feature.shape == "contour"]
    for feature in contours:
        level = feature.level or 0
        below = [each for each in contours if each.hill == feature.hill and 0 < (each.level or 0) < level]
        highest = max((each.level or 0 for each in below), default=0)
        if below and not any(_within(feature, other) for other in below if other.level == highest):
            yield f"level {level} of {feature.hill} reaches beyond the level below it"


def _within(inner: Feature, outer: Feature) -> bool:
    (polygon,) = _polygons(outer)
    crossed = any(_cross(*one, *other) for one in _segments(inner) for other in polygon)
    return not crossed and all(inside(at, polygon) for at in inner.points)


def _crossings(ground: Ground) -> Iterator[str]:
    """Bridges and fords that lead over nothing, or end in the water; not every rulebook gives water a level."""
    wet = ground.only(lambda feature: feature.look in CROSSED)
    for crossing in ground.features:
        if crossing.shape == "crossing":
            start, end = crossing.way
            if not wet.spans(start, end):
                yield f"{_called(crossing)} leads over no water and no gully"
            for at in (start, end):
                if over := wet.at(at).features:
                    yield f"{_called(crossing)} ends in {_called(over[0])} at {places.text(at)}"
