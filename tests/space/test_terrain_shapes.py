"""Curves, strips and blocks: through the drawn points, and the same however the table is turned, mirrored or moved."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from opfire.core.places import Point
from opfire.space.measure import sine
from opfire.space.terrain.exact import Ring
from opfire.space.terrain.shapes import block, rounded, smooth_ring, smooth_way, strip

POINTS = st.lists(
    st.tuples(st.integers(5_000, 35_000), st.integers(5_000, 25_000)), min_size=3, max_size=7, unique=True
)
CHANGES: dict[str, Callable[[Point], Point]] = {
    "a quarter turn": lambda at: (50_000 - at[1], at[0]),
    "a half turn": lambda at: (50_000 - at[0], 50_000 - at[1]),
    "a mirror": lambda at: (50_000 - at[0], at[1]),
    "a move": lambda at: (at[0] + 7_001, at[1] + 333),
}


def changed(ring: Ring, change: Callable[[Point], Point]) -> Ring:
    return tuple(map(change, ring))


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
@given(points=POINTS)
def test_a_changed_drawing_gives_the_changed_curve(change: Callable[[Point], Point], points: list[Point]) -> None:
    assert smooth_ring([*map(change, points)]) == changed(smooth_ring(points), change)
    assert smooth_way([*map(change, points)]) == changed(smooth_way(points), change)


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
@given(points=POINTS)
def test_a_changed_way_gives_the_changed_strip(change: Callable[[Point], Point], points: list[Point]) -> None:
    for before, after in zip(strip(points, 1_000), strip([*map(change, points)], 1_000), strict=True):
        assert set(changed(before, change)) == set(after)


@given(points=POINTS)
def test_a_curve_goes_through_its_points(points: list[Point]) -> None:
    assert set(points) <= set(smooth_ring(points))
    way = smooth_way(points)
    assert (way[0], way[-1]) == (points[0], points[-1])
    assert set(points) <= set(way)


def test_a_curve_through_a_square_is_rounder_than_the_square() -> None:
    corners = [(10_000, 10_000), (20_000, 10_000), (20_000, 20_000), (10_000, 20_000)]
    ring = smooth_ring(corners)
    # Halfway between two corners the curve lies an eighth of the side outside: (-1 + 9 + 9 - 1) / 16 of the corners.
    assert (15_000, 8_750) in ring
    # Each side bulges by 11/120 of the square: the integral of t (1 - t) / 2 over x = (t + 3 t^2 - 2 t^3) / 2.
    assert shapely.Polygon(ring).area == pytest.approx(10_000**2 * (1 + 4 * 11 / 120), rel=0.005)


def test_a_straight_strip_is_a_rectangle() -> None:
    assert strip([(0, 0), (4_000, 0)], 1_000) == (((0, -500), (4_000, -500), (4_000, 500), (0, 500)),)


def test_a_strip_is_mitred_in_a_bend() -> None:
    first, second = strip([(0, 0), (4_000, 0), (4_000, 4_000)], 1_000)
    assert first == ((0, -500), (4_500, -500), (3_500, 500), (0, 500))
    assert second == ((4_500, -500), (4_500, 4_000), (3_500, 4_000), (3_500, 500))


@given(st.integers(0, 359), st.integers(500, 4_000))
def test_a_strip_in_any_direction_has_its_width(facing: int, width: int) -> None:
    way = [(0, 0), (sine(facing) // 50, -sine(facing + 90) // 50)]
    (piece,) = strip(way, width)
    outline = shapely.Polygon(piece)
    assert outline.area == pytest.approx(width * shapely.LineString(way).length, rel=0.005)


def test_a_block_turns_with_its_facing() -> None:
    assert set(block((5_000, 5_000), (2_000, 1_000), 0)) == {
        (4_000, 4_500),
        (6_000, 4_500),
        (6_000, 5_500),
        (4_000, 5_500),
    }
    assert set(block((5_000, 5_000), (2_000, 1_000), 180)) == set(block((5_000, 5_000), (2_000, 1_000), 0))
    turned = block((0, 0), (2_000, 2_000), 45)
    assert set(turned) == {(0, -1_414), (1_414, 0), (0, 1_414), (-1_414, 0)}


@given(st.integers(-(10**9), 10**9), st.integers(1, 10**6))
def test_rounding_is_to_the_nearest_and_the_same_on_both_sides_of_nought(amount: int, by: int) -> None:
    assert abs(2 * (rounded(amount, by) * by - amount)) <= by
    assert rounded(-amount, by) == -rounded(amount, by)
