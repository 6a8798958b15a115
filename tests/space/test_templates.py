"""Templates: which points they hold, and which stands they touch; arcs and gaps of stands."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from opfire.core.places import Point
from opfire.space.measure import bearing, in_arc
from opfire.space.table import Table
from opfire.space.templates import Disc, Rectangle, under

POINTS = st.tuples(st.integers(-9_000, 9_000), st.integers(-9_000, 9_000))
FACINGS = st.integers(0, 359)


def test_the_edge_of_a_template_belongs_to_it() -> None:
    disc, long = Disc((0, 0), 2_000), Rectangle((0, 0), (6_000, 2_000))
    assert [disc.holds((x, 0)) for x in (2_000, 2_001)] == [True, False]
    assert [long.holds(at) for at in ((3_000, 1_000), (3_001, 0), (0, -1_001))] == [True, False, False]
    assert [Rectangle((0, 0), (6_000, 2_000), 90).holds(at) for at in ((1_000, 3_000), (3_000, 0))] == [True, False]


def test_stands_are_under_a_template_by_their_centre_or_by_their_base() -> None:
    stands = {"a": (0, 0), "b": (2_400, 0), "c": (2_501, 0), "d": (2_350, 2_350), "e": (2_354, 2_354)}
    four = Rectangle((0, 0), (4_000, 4_000))
    assert under(four, stands) == ["a"]
    assert under(four, stands, 500) == ["a", "b", "d"]  # at a corner the base is round


@given(st.integers(200, 4_000), st.integers(200, 4_000), FACINGS, POINTS, st.integers(0, 750))
def test_a_rectangle_touches_what_shapely_says(wide: int, deep: int, facing: int, at: Point, radius: int) -> None:
    template = Rectangle((17, -5), (wide, deep), facing)
    gap = shapely.distance(shapely.Polygon(template.ring), shapely.Point(at))
    if abs(gap - radius) > 1.5:  # the ring is rounded to points
        assert template.touches(at, radius) == (gap < radius)


TURNS: list[tuple[Callable[[Point], Point], Callable[[int], int]]] = [
    (lambda at: (-at[1], at[0]), lambda facing: (facing + 90) % 360),
    (lambda at: (-at[0], at[1]), lambda facing: -facing % 360),
    (lambda at: (at[0] + 3, at[1] - 8), lambda facing: facing),
]


@given(st.sampled_from(TURNS), POINTS, FACINGS, POINTS, st.integers(0, 180))
def test_turned_and_mirrored_templates_and_arcs_say_the_same(
    turn: tuple[Callable[[Point], Point], Callable[[int], int]], at: Point, facing: int, other: Point, half: int
) -> None:
    move, face = turn
    assert in_arc(at, facing, other, half) == in_arc(move(at), face(facing), move(other), half)
    before, after = Rectangle(at, (3_000, 1_000), facing), Rectangle(move(at), (3_000, 1_000), face(facing))
    assert before.touches(other, 500) == after.touches(move(other), 500)


@pytest.mark.parametrize(
    ("other", "half", "found"),
    [
        ((5_000, -5_000), 45, True),
        ((5_001, -5_000), 45, False),
        ((-5_000, -5_000), 45, True),
        ((9_000, 0), 90, True),
        ((9_000, 1), 90, False),
        ((0, 9_000), 179, False),
        ((0, 9_000), 180, True),
        ((0, -9_000), 0, True),
        ((0, 9_000), 0, False),
        ((1, -9_000), 0, False),
    ],
)
def test_an_arc_includes_its_edges(other: Point, half: int, found: bool) -> None:
    assert in_arc((0, 0), 0, other, half) is found


@given(FACINGS, st.integers(1, 179))
def test_arcs_to_both_sides_cover_what_the_rest_of_the_circle_leaves(facing: int, half: int) -> None:
    for other in ((8_000, 1), (-3, 8_000), (-7_000, -7_001)):
        front, back = in_arc((0, 0), facing, other, half), in_arc((0, 0), facing + 180, other, 180 - half)
        assert front or back


@given(POINTS.filter(lambda at: abs(at[0]) + abs(at[1]) > 100))
def test_a_point_lies_in_the_narrow_arc_of_its_bearing(at: Point) -> None:
    assert in_arc((0, 0), bearing((0, 0), at), at, 1)


def test_gaps_are_measured_from_edge_to_edge() -> None:
    table = Table("bare", (48_000, 36_000), 1_000)
    assert table.gap((0, 0), (3_000, 4_000)) == 4_000_000
    assert table.gap((0, 0), (600, 0)) == 0
    assert [table.edges_within((0, 0), (x, 0), 1_000) for x in (2_000, 2_001)] == [True, False]
