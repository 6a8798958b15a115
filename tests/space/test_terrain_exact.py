"""Exact predicates: by hand, and against Shapely where it is sure of itself."""

from __future__ import annotations

from fractions import Fraction

import pytest
import shapely
from hypothesis import assume, given
from hypothesis import strategies as st

from opfire.core.places import Point
from opfire.space.terrain.exact import apart, cross, inside, meet, near, on_segment, sides, tangle

SMALL = st.tuples(st.integers(0, 6), st.integers(0, 6))
LARGE = st.tuples(st.integers(0, 200_000), st.integers(0, 200_000))


@given(SMALL, SMALL, SMALL, SMALL)
def test_segments_meet_as_shapely_says_on_a_small_grid(a: Point, b: Point, c: Point, d: Point) -> None:
    assume(a != b and c != d)  # Shapely has no segment without length
    assert meet(a, b, c, d) == shapely.LineString([a, b]).intersects(shapely.LineString([c, d]))
    assert meet(a, b, c, d) == meet(d, c, b, a)


@given(SMALL, SMALL, SMALL)
def test_a_point_lies_on_a_segment_as_shapely_says(at: Point, a: Point, b: Point) -> None:
    assume(a != b)
    assert on_segment(at, a, b) == shapely.LineString([a, b]).intersects(shapely.Point(at))


@given(st.lists(SMALL, min_size=3, max_size=8, unique=True), SMALL)
def test_a_ring_holds_its_points_and_its_border(ring: list[Point], at: Point) -> None:
    assume(tangle(tuple(ring)) is None)
    assert inside(at, sides(ring)) == shapely.Polygon(ring).intersects(shapely.Point(at))


@given(st.lists(SMALL, min_size=3, max_size=7, unique=True))
def test_a_simple_ring_is_what_shapely_calls_valid(ring: list[Point]) -> None:
    # Shapely also lets a ring touch itself in a way that leaves its inside whole; a table file may not.
    if tangle(tuple(ring)) is None:
        assert shapely.Polygon(ring).is_valid
    else:
        assert not shapely.LinearRing(ring).is_simple


def test_a_hole_is_outside_and_its_border_is_not() -> None:
    outer, hole = [(0, 0), (9, 0), (9, 9), (0, 9)], [(3, 3), (6, 3), (6, 6), (3, 6)]
    segments = [*sides(outer), *sides(hole)]
    assert [inside(at, segments) for at in ((1, 1), (3, 3), (4, 3), (4, 4), (7, 4), (10, 4))] == [
        True,
        True,
        True,
        False,
        True,
        False,
    ]


@given(LARGE, LARGE, LARGE)
def test_the_distance_of_a_point_from_a_segment_in_fractions(at: Point, a: Point, b: Point) -> None:
    found = Fraction(*apart(at, a, b))
    along = (Fraction(b[0] - a[0]), Fraction(b[1] - a[1]))
    whole = along[0] ** 2 + along[1] ** 2
    share = ((at[0] - a[0]) * along[0] + (at[1] - a[1]) * along[1]) / whole if whole else Fraction(0)
    share = min(max(share, Fraction(0)), Fraction(1))
    foot = (a[0] + share * along[0], a[1] + share * along[1])
    assert found == (at[0] - foot[0]) ** 2 + (at[1] - foot[1]) ** 2
    assert apart(at, a, b)[0] * apart(at, b, a)[1] == apart(at, b, a)[0] * apart(at, a, b)[1]


@pytest.mark.parametrize(("reach", "found"), [(4, False), (5, True), (6, True)])
def test_near_includes_the_reach_itself(reach: int, found: bool) -> None:
    assert near((0, 5), (-9, 0), (9, 0), reach) is found


@pytest.mark.parametrize(
    ("ring", "simple"),
    [
        (((0, 0), (4, 0), (4, 4), (0, 4)), True),
        (((0, 0), (4, 4), (4, 0), (0, 4)), False),  # a bow tie
        (((0, 0), (4, 0), (2, 0)), False),  # folded on itself
        (((0, 0), (4, 0), (4, 4), (2, 0), (0, 4)), False),  # a corner on another side
        (((0, 0), (4, 0), (4, 4), (0, 0)), False),  # the first point again
    ],
)
def test_a_ring_that_touches_itself_is_tangled(ring: tuple[Point, ...], simple: bool) -> None:
    assert (tangle(ring) is None) is simple


def test_a_clockwise_turn_is_positive() -> None:
    assert cross((0, 0), (1, 0), (0, 1)) > 0 > cross((0, 0), (0, 1), (1, 0))
