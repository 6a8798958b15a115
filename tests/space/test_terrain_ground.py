"""The ground at a point, under a stand and along a line: by hand, against Shapely, and turned, mirrored and moved."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from itertools import chain, pairwise

import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from opfire.core.places import Point
from opfire.space.terrain.exact import cross, meet, sides
from opfire.space.terrain.features import Feature
from opfire.space.terrain.ground import Ground
from opfire.space.terrain.sectors import by_direction, sector
from opfire.space.terrain.spans import BITS
from space.vocabulary import SIZE, ground, hedge, road, square, woods

# A coarse grid makes corners, edges and ends of lines meet often; a fine one hardly ever.
COARSE = st.tuples(st.integers(0, 20).map(lambda n: n * 2_000), st.integers(0, 15).map(lambda n: n * 2_000))
FINE = st.tuples(st.integers(0, SIZE[0]), st.integers(0, SIZE[1]))
POINTS = COARSE | FINE
TRIANGLES = st.lists(POINTS, min_size=3, max_size=3, unique=True).filter(lambda ring: cross(*ring) != 0)
LINES = st.lists(POINTS, min_size=2, max_size=4, unique=True)


@st.composite
def grounds(draw: st.DrawFn) -> Ground:
    """A ground with a few triangles, hedges and roads, many of them over each other."""
    features: list[Feature] = []
    for ring in draw(st.lists(TRIANGLES, min_size=1, max_size=4)):
        features.append(woods(len(features), ring))
    for way in draw(st.lists(LINES, max_size=2)):
        features.append(hedge(len(features), *way))
    for way in draw(st.lists(LINES, max_size=1)):
        features.append(road(len(features), *way))
    return ground(*features)


def drawn(feature: Feature) -> shapely.Geometry:
    """A feature as Shapely has it, with the parts one by one."""
    if not feature.parts:
        return shapely.LineString(feature.way)
    return shapely.union_all([shapely.make_valid(shapely.Polygon(rings[0], rings[1:])) for rings in feature.parts])


def facts(spans: list[tuple[Feature, Fraction, Fraction]]) -> set[tuple[int, Fraction, Fraction]]:
    return {(feature.number, enters, leaves) for feature, enters, leaves in spans}


def fractions(ground: Ground, a: Point, b: Point) -> list[tuple[Feature, Fraction, Fraction]]:
    return [(s.feature, s.enters.fraction, s.leaves.fraction) for s in ground.spans(a, b)]


# --- by hand -------------------------------------------------------------------------------------------------


def test_a_line_through_a_square_wood_enters_and_leaves_it() -> None:
    wood = woods(0, square(10_000, 10_000, 5_000))
    (span,) = ground(wood).spans((5_000, 12_000), (25_000, 12_000))
    assert (span.feature, span.enters.fraction, span.leaves.fraction) == (wood, Fraction(1, 4), Fraction(1, 2))


@pytest.mark.parametrize(
    ("start", "end", "found"),
    [
        ((5_000, 12_000), (9_999, 12_000), []),  # ends a thousandth of an inch before it
        ((5_000, 12_000), (10_000, 12_000), [(1, 1)]),  # ends on its border
        ((10_000, 12_000), (5_000, 12_000), [(0, 0)]),  # begins on its border and leads away
        ((10_000, 12_000), (15_000, 12_000), [(0, 1)]),  # from border to border
        ((5_000, 15_000), (15_000, 5_000), [(Fraction(1, 2), Fraction(1, 2))]),  # touches a corner
        ((5_000, 10_000), (25_000, 10_000), [(Fraction(1, 4), Fraction(1, 2))]),  # along a side
        ((5_000, 5_000), (20_000, 20_000), [(Fraction(1, 3), Fraction(2, 3))]),  # from corner to corner
        ((12_000, 12_000), (13_000, 13_000), [(0, 1)]),  # inside
        ((12_000, 12_000), (12_000, 12_000), [(0, 1)]),  # nowhere, inside
        ((10_000, 12_000), (10_000, 12_000), [(0, 1)]),  # nowhere, on the border
        ((9_000, 12_000), (9_000, 12_000), []),  # nowhere, outside
    ],
)
def test_a_border_belongs_to_its_area(start: Point, end: Point, found: list[tuple[Fraction, Fraction]]) -> None:
    spans = ground(woods(0, square(10_000, 10_000, 5_000))).spans(start, end)
    assert [(span.enters.fraction, span.leaves.fraction) for span in spans] == found


def test_a_line_over_a_hole_leaves_the_wood_and_comes_back() -> None:
    clearing = woods(0, square(10_000, 10_000, 6_000), square(12_000, 12_000, 2_000))
    spans = ground(clearing).spans((10_000, 13_000), (16_000, 13_000))
    assert [(s.enters.fraction, s.leaves.fraction) for s in spans] == [(0, Fraction(1, 3)), (Fraction(2, 3), 1)]


def test_hedges_are_crossed_touched_and_followed() -> None:
    one = ground(hedge(0, (10_000, 10_000), (10_000, 20_000), (20_000, 20_000)))

    def places(a: Point, b: Point) -> list[tuple[Fraction, Fraction]]:
        return [(s.enters.fraction, s.leaves.fraction) for s in one.spans(a, b)]

    assert places((5_000, 15_000), (15_000, 15_000)) == [(Fraction(1, 2), Fraction(1, 2))]
    assert places((5_000, 15_000), (15_000, 25_000)) == [(Fraction(1, 2), Fraction(1, 2))]  # at its corner
    assert places((5_000, 20_000), (20_000, 20_000)) == [(Fraction(1, 3), 1)]  # along it
    assert places((5_000, 10_000), (15_000, 10_000)) == [(Fraction(1, 2), Fraction(1, 2))]  # at its end
    assert places((11_000, 11_000), (19_000, 19_000)) == []


def test_the_pieces_of_a_road_are_one_road() -> None:
    (span,) = ground(road(0, (2_000, 10_000), (10_000, 10_000), (18_000, 12_000))).spans(
        (4_000, 10_000), (9_000, 10_000)
    )
    assert (span.enters.fraction, span.leaves.fraction) == (0, 1)


def test_features_lie_from_the_ground_up_at_a_point() -> None:
    one = ground(woods(0, square(10_000, 10_000, 5_000)), woods(1, square(12_000, 12_000, 5_000), kind="mist"))
    assert one.at((13_000, 13_000)).kinds == ("woods", "mist")
    assert one.at((10_500, 10_500)).kinds == ("woods",)
    assert one.at((9_999, 9_999)).kinds == ()


def test_a_disc_touches_whatever_comes_within_its_radius() -> None:
    one = ground(woods(0, square(10_000, 10_000, 5_000)), hedge(1, (20_000, 10_000), (20_000, 20_000)))
    assert [f.number for f in one.under((9_500, 12_000), 500)] == [0]
    assert one.under((9_499, 12_000), 500) == ()
    assert [f.number for f in one.under((12_500, 12_500), 500)] == [0]
    assert [f.number for f in one.under((20_300, 9_600), 500)] == [1]
    assert one.under((20_301, 9_600), 500) == ()
    assert one.under((0, 0), 500) == ()


def contour(number: int, level: int, left: int, side: int) -> Feature:
    rings = (square(left, left, side),)
    return Feature(number, f"c{number}", "slope", "Hill", "contour", parts=(rings,), level=level, hill="Hill")


def test_the_level_is_that_of_the_highest_contour_or_of_a_depression_that_nothing_bridges() -> None:
    stream = Feature(3, "s", "stream", "Stream", "area", parts=((square(15_000, 10_000, 1_000),),), level=-1)
    bridge = Feature(4, "b", "bridge", "Bridge", "crossing", parts=((square(15_000, 10_000, 500),),))
    one = ground(contour(0, 1, 2_000, 8_000), contour(1, 2, 4_000, 2_000), stream, bridge)
    levels = {at: one.at(at).level for at in ((1_000, 1_000), (3_000, 3_000), (5_000, 5_000), (15_800, 10_800))}
    assert levels == {(1_000, 1_000): 0, (3_000, 3_000): 1, (5_000, 5_000): 2, (15_800, 10_800): -1}
    assert one.at((15_250, 10_250)).level == 0


# --- properties ----------------------------------------------------------------------------------------------


@settings(max_examples=60)
@given(grounds(), POINTS, POINTS)
def test_a_line_back_meets_the_same_at_the_complements(one: Ground, a: Point, b: Point) -> None:
    back = {(n, 1 - leaves, 1 - enters) for n, enters, leaves in facts(fractions(one, b, a))} if a != b else None
    assert back in (None, facts(fractions(one, a, b)))


CHANGES: dict[str, tuple[Point, Callable[[Point], Point]]] = {
    "a quarter turn": ((SIZE[1], SIZE[0]), lambda at: (SIZE[1] - at[1], at[0])),
    "a half turn": (SIZE, lambda at: (SIZE[0] - at[0], SIZE[1] - at[1])),
    "a mirror": (SIZE, lambda at: (SIZE[0] - at[0], at[1])),
    "a move": ((SIZE[0] + 901, SIZE[1] + 2_333), lambda at: (at[0] + 901, at[1] + 2_333)),
}


def changed(one: Ground, size: Point, change: Callable[[Point], Point]) -> Ground:
    def moved(feature: Feature) -> Feature:
        parts = tuple(tuple(tuple(map(change, ring)) for ring in rings) for rings in feature.parts)
        way = tuple(map(change, feature.way))
        return Feature(feature.number, feature.id, feature.kind, feature.name, feature.shape, parts, way)

    return Ground(size, [moved(feature) for feature in one.features])


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
@settings(max_examples=30)
@given(grounds(), POINTS, POINTS)
def test_a_changed_table_has_the_changed_ground(
    change: tuple[Point, Callable[[Point], Point]], one: Ground, a: Point, b: Point
) -> None:
    size, move = change
    other = changed(one, size, move)
    assert facts(fractions(one, a, b)) == facts(fractions(other, move(a), move(b)))
    assert one.at(a).kinds == other.at(move(a)).kinds
    assert [f.number for f in one.under(a, 750)] == [f.number for f in other.under(move(a), 750)]


@settings(max_examples=60)
@given(grounds(), POINTS, POINTS)
def test_the_ground_agrees_with_shapely(one: Ground, a: Point, b: Point) -> None:
    line = shapely.LineString([a, b]) if a != b else shapely.Point(a)
    spans = fractions(one, a, b)
    for feature in one.features:
        shape = drawn(feature)
        covered = sum(leaves - enters for found, enters, leaves in spans if found is feature)
        if feature.parts and a != b:
            assert float(covered) * line.length == pytest.approx(shapely.intersection(line, shape).length, abs=1e-3)
        if shapely.distance(line, shape) > 1e-3:
            assert feature not in [found for found, _, _ in spans]
        elif shapely.intersects(shapely.buffer(shape, -1e-3) if feature.parts else shape, line) and feature.parts:
            assert feature in [found for found, _, _ in spans]
        gap = shapely.distance(shapely.Point(a), shape)
        if abs(gap - 750) > 1e-3:
            assert (feature in one.under(a, 750)) == (gap < 750)
        if feature.parts and shapely.distance(shapely.Point(a), shapely.boundary(shape)) > 1e-3:
            assert (feature in one.at(a).features) == (gap == 0)


@settings(max_examples=60)
@given(grounds(), POINTS, POINTS)
def test_the_middle_of_a_stretch_lies_in_the_areas_that_cover_it(one: Ground, a: Point, b: Point) -> None:
    """A line twice as long as its points are fine has its middle at a point."""
    a, b = (a[0] - a[0] % 2, a[1] - a[1] % 2), (b[0] - b[0] % 2, b[1] - b[1] % 2)
    middle = ((a[0] + b[0]) // 2, (a[1] + b[1]) // 2)
    half = 1 << BITS - 1
    under = {s.feature.number for s in one.spans(a, b) if s.enters.key <= half <= s.leaves.key and s.feature.parts}
    assert under == {feature.number for feature in one.at(middle).features}


def test_a_part_of_the_ground_has_the_same_spans_of_its_features() -> None:
    one = ground(woods(0, square(10_000, 10_000, 5_000)), hedge(1, (20_000, 10_000), (20_000, 20_000)))
    hedges = one.only(lambda feature: not feature.parts)
    assert [s.feature.number for s in hedges.spans((0, 12_000), (30_000, 12_000))] == [1]
    assert [f.number for f in one.of_kind("woods")] == [0]


HASHED = """
from hashlib import sha256
from opfire.space.terrain.reach import Ways
from space.test_terrain_legs import PRICE
from space.vocabulary import ground, hedge, road, square, woods
one = ground(*(woods(n, square(1_000 * n, 900 * n, 4_000)) for n in range(20)), road(20, (0, 0), (9_000, 8_000)),
             hedge(21, (0, 9_000), (9_000, 0)))
text = "".join(repr([(s.feature.id, s.enters, s.leaves) for s in one.spans((n * 97, 0), (20_000, n * 89))])
               + repr([f.id for f in one.under((n * 97, n * 89), 500)]) for n in range(200))
text += repr([*Ways(one, PRICE).reach((5_000, 6_123), 6_000_000, [(7_000, 7_000)], 1_000).costs.items()])
print(sha256(text.encode()).hexdigest())
"""


def test_two_hash_seeds_find_the_same() -> None:
    found = {
        subprocess.run(
            [sys.executable, "-c", HASHED],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1


# --- many lines from a point


@settings(max_examples=150)
@given(grounds(), POINTS, st.lists(POINTS, min_size=1, max_size=8))
def test_lines_of_a_fan_meet_what_each_meets_alone(one: Ground, start: Point, ends: list[Point]) -> None:
    """Starts and ends on borders and corners, lines along an edge, lines without length."""
    spans = one.fan(start, max(SIZE))
    assert [spans(end) for end in ends] == [one.spans(start, end) for end in ends]


@settings(max_examples=60)
@given(COARSE, st.lists(POINTS, min_size=2, max_size=2), POINTS)
def test_an_edge_lies_in_the_sector_of_every_line_that_meets_it(start: Point, edge: list[Point], end: Point) -> None:
    a, b = edge
    around = by_direction(start, [(*a, *b, 7)])
    if meet(start, end, a, b) and start != end:
        assert around[sector(end[0] - start[0], end[1] - start[1])] == [(*a, *b, 7)]


def test_an_edge_far_aside_is_not_looked_at() -> None:
    """A fan asks for less than every edge, or it would save nothing."""
    around = by_direction((0, 0), [(9_000, -1_000, 9_000, 1_000, 1)])
    assert around[sector(1, 0)]
    assert sum(map(len, around)) < len(around) // 8


# --- short lines from a point


QUARTERS = st.integers(-4, 4).map(lambda number: 250 * number)
STEPS = st.lists(st.tuples(QUARTERS, QUARTERS), min_size=1)


def borders(table: Ground) -> list[tuple[Point, Point]]:
    """The segments of all borders and lines."""
    polygons = [ring for feature in table.features for rings in feature.parts for ring in rings]
    ways = [feature.way for feature in table.features if not feature.parts]
    return [*chain.from_iterable(sides(ring) for ring in polygons), *chain.from_iterable(pairwise(way) for way in ways)]


@settings(max_examples=200, deadline=None)
@given(grounds(), COARSE, STEPS)
def test_short_lines_are_uniform_exactly_if_they_meet_no_border(table: Ground, at: Point, steps: list[Point]) -> None:
    """Lines end on borders and corners, run along them, or have no length at all."""
    ends = [(at[0] + east, at[1] + south) for east, south in steps]
    meets = [any(meet(at, end, *border) for border in borders(table)) for end in ends]
    assert table.uniform(at, ends, 1_000) == [not each for each in meets]
