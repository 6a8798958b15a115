"""Hexes and lines: by hand, against the definition in exact fractions, and under every symmetry."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from opfire.space.hexes import (
    DIRECTIONS,
    Coord,
    Touch,
    area,
    direction,
    disc,
    distance,
    length,
    neighbour,
    neighbours,
    opposite,
    reflect,
    reflected_direction,
    ring,
    rotate,
    trace,
)

offsets = st.tuples(st.integers(-40, 40), st.integers(-40, 40))
thorough = settings(max_examples=200)


# --- places ------------------------------------------------------------------------------------------


def test_directions_run_clockwise_from_north():
    assert neighbours((5, 2)) == ((5, 1), (6, 1), (6, 2), (5, 3), (4, 3), (4, 2))


@pytest.mark.parametrize("way", range(6))
def test_opposite_leads_back(way: int):
    assert neighbour(neighbour((3, -4), way), opposite(way)) == (3, -4)
    assert direction((3, -4), neighbour((3, -4), way)) == way


def test_hexes_two_apart_have_no_direction():
    assert direction((0, 0), (0, 2)) is None
    assert direction((0, 0), (1, 1)) is None
    assert direction((0, 0), (0, 0)) is None


@pytest.mark.parametrize(
    ("to", "steps"),
    [
        ((0, 0), 0),
        ((0, -3), 3),
        ((4, 0), 4),
        ((1, 1), 2),
        ((4, -2), 4),
        ((-3, 5), 5),
        ((2, 3), 5),
        ((-2, -3), 5),
    ],
)
def test_distance_by_hand(to: Coord, steps: int):
    assert distance((0, 0), to) == steps
    assert distance((7, -9), (7 + to[0], to[1] - 9)) == steps


@given(offsets, offsets, offsets)
def test_distance_is_a_metric(a: Coord, b: Coord, c: Coord):
    assert distance(a, b) == distance(b, a)
    assert (distance(a, b) == 0) == (a == b)
    assert distance(a, c) <= distance(a, b) + distance(b, c)


def test_rings_and_discs_have_the_sizes_of_hexagons():
    assert list(ring((2, 2), 0)) == [(2, 2)]
    assert list(ring((2, 2), 1)) == list(neighbours((2, 2)))
    for radius in range(1, 7):
        around = list(ring((2, 2), radius))
        assert len(set(around)) == len(around) == 6 * radius
        assert {distance((2, 2), at) for at in around} == {radius}
    assert len(set(disc((2, 2), 4))) == 1 + 6 + 12 + 18 + 24 == area(4)
    assert area(0) == 1


def test_a_sixth_of_a_turn_leads_from_each_direction_to_the_next():
    for way in range(6):
        assert rotate(DIRECTIONS[way]) == DIRECTIONS[(way + 1) % 6]
        assert reflect(DIRECTIONS[way]) == DIRECTIONS[reflected_direction(way)]
    assert [reflected_direction(way) for way in range(6)] == [0, 5, 4, 3, 2, 1]


@given(offsets)
def test_six_sixths_and_two_mirrors_change_nothing(at: Coord):
    assert rotate(at, 6) == at == reflect(reflect(at))
    assert rotate(at, -1) == rotate(at, 5)
    assert length(*rotate(at)) == length(*at) == length(*reflect(at))


# --- lines by hand -----------------------------------------------------------------------------------


def kinds(dq: int, dr: int) -> str:
    return " ".join(touch.kind for touch in trace(dq, dr))


def between(dq: int, dr: int) -> list[Touch]:
    return [touch for touch in trace(dq, dr) if touch.kind != "hex"]


def test_a_line_to_itself_is_one_hex():
    (only,) = trace(0, 0)
    assert (only.kind, only.hexes, only.start, only.end) == ("hex", ((0, 0),), (0, 1), (1, 1))


def test_a_straight_line_crosses_each_side_in_the_middle_of_a_step():
    """Three steps north: sides after half a step, one and a half, two and a half of three."""
    assert kinds(0, -3) == "hex side hex side hex side hex"
    assert [touch.start for touch in between(0, -3)] == [(1, 6), (1, 2), (5, 6)]
    assert [touch.hexes for touch in between(0, -3)] == [
        ((0, 0), (0, -1)),
        ((0, -1), (0, -2)),
        ((0, -2), (0, -3)),
    ]
    assert [touch.sides[0].direction for touch in between(0, -3)] == [0, 0, 0]


def test_a_line_to_the_east_runs_lengthwise_along_a_side():
    """Centre to corner, corner to corner, corner to centre are equally long in a regular hexagon."""
    assert kinds(2, -1) == "hex along hex"
    (side,) = between(2, -1)
    assert set(side.hexes) == {(1, -1), (1, 0)}
    assert (side.before, side.after) == ((0, 0), (2, -1))
    assert (side.start, side.end) == ((1, 3), (2, 3))
    assert side.sides[0].halves == 2  # half-way between the ends of a line of two steps


def test_a_line_to_the_east_goes_from_hex_to_side_and_on():
    """Four columns east: lengthwise, across the middle of a hex, lengthwise again."""
    assert kinds(4, -2) == "hex along hex along hex"
    assert [(touch.start, touch.end) for touch in between(4, -2)] == [((1, 6), (1, 3)), ((2, 3), (5, 6))]
    assert [touch.sides[0].halves for touch in between(4, -2)] == [2, 6]


def test_a_line_through_two_corners():
    """A third of (4, 1) is the corner of (1, 0), (2, 0), (1, 1), two thirds of (2, 1), (3, 0), (3, 1)."""
    assert kinds(4, 1) == "hex side hex vertex hex side hex vertex hex side hex"
    first, second = (touch for touch in trace(4, 1) if touch.kind == "vertex")
    assert set(first.hexes) == {(1, 0), (2, 0), (1, 1)}
    assert set(second.hexes) == {(2, 1), (3, 0), (3, 1)}
    assert (first.start, first.end, second.start) == ((1, 3), (1, 3), (2, 3))
    assert (first.before, first.after, second.before, second.after) == ((1, 0), (2, 0), (2, 1), (3, 1))
    assert {frozenset((side.a, side.b)) for side in first.sides} == {
        frozenset({(1, 0), (2, 0)}),
        frozenset({(1, 0), (1, 1)}),
        frozenset({(2, 0), (1, 1)}),
    }


def test_a_line_that_clips_a_hex():
    """By hand: south-east after 1/7, south after 2/5, north-east after 1/2, and the mirror image of that."""
    crossed = [touch.hexes for touch in between(3, 1)]
    assert crossed == [
        ((0, 0), (1, 0)),
        ((1, 0), (1, 1)),
        ((1, 1), (2, 0)),
        ((2, 0), (2, 1)),
        ((2, 1), (3, 1)),
    ]
    assert [touch.start for touch in between(3, 1)] == [(1, 7), (2, 5), (1, 2), (3, 5), (6, 7)]
    assert [touch.sides[0].halves for touch in between(3, 1)] == [1, 3, 4, 5, 7]


@pytest.mark.parametrize(("steps", "near", "far"), [(4, [1, 3], [5, 7]), (3, [1, 3], [3, 5])])
def test_the_midpoint_counts_for_both_halves(steps: int, near: list[int], far: list[int]):
    """15.5.1 of Case Orange: a side exactly at the midpoint is `half or less` and `half or more`."""
    halves = [touch.sides[0].halves for touch in between(steps, 0)]
    assert [at for at in halves if at <= steps] == near
    assert [at for at in halves if at >= steps] == far


# --- lines against the definition --------------------------------------------------------------------


def nearest(t: Fraction, to: Coord) -> set[Coord]:
    """The hexes whose centres are nearest to a point of the line: distance by the law of cosines."""
    q, r = t * to[0], t * to[1]
    around = disc((round(q), round(r)), 2)
    far = {at: (q - at[0]) ** 2 + (r - at[1]) ** 2 + (q - at[0]) * (r - at[1]) for at in around}
    return {at for at, value in far.items() if value == min(far.values())}


@settings(max_examples=60)
@given(offsets)
@example((4, 1))
@example((2, -1))
@example((3, 1))
@example((40, -20))
def test_every_touch_is_what_it_says(to: Coord):
    touches = trace(*to)
    assert touches[0].start == (0, 1)
    assert touches[-1].end == (1, 1)
    assert touches[0].hexes == ((0, 0),)
    assert touches[-1].hexes == (to,)
    for touch, after in pairwise(touches):
        assert touch.end == after.start
    for touch in touches:
        start, end = Fraction(*touch.start), Fraction(*touch.end)
        assert start < end if touch.kind in ("hex", "along") else start == end
        assert (start.numerator, start.denominator) == touch.start
        assert nearest((start + end) / 2, to) == set(touch.hexes)
        assert len(touch.hexes) == {"hex": 1, "side": 2, "along": 2, "vertex": 3}[touch.kind]
    for before, touch, after in zip(touches[::2], touches[1::2], touches[2::2], strict=False):
        assert (before.kind, after.kind) == ("hex", "hex")
        assert (touch.before, touch.after) == (before.hexes[0], after.hexes[0])


@given(offsets)
def test_sides_are_those_between_the_hexes(to: Coord):
    for touch in trace(*to):
        assert len(touch.sides) == {"hex": 0, "side": 1, "along": 1, "vertex": 3}[touch.kind]
        for side in touch.sides:
            assert neighbour(side.a, side.direction) == side.b
            assert {side.a, side.b} <= set(touch.hexes)


Undirected = tuple[str, frozenset[Coord], frozenset[tuple[frozenset[Coord], int]], Coord, Coord, Fraction, Fraction]


def undirected(touch: Touch) -> Undirected:
    return (
        touch.kind,
        frozenset(touch.hexes),
        frozenset((frozenset((side.a, side.b)), side.halves) for side in touch.sides),
        touch.before,
        touch.after,
        Fraction(*touch.start),
        Fraction(*touch.end),
    )


@thorough
@given(offsets)
@example((4, 1))
@example((6, -3))
def test_the_line_back_is_the_line_reversed(to: Coord):
    steps = length(*to)

    def seen_from_end(at: Coord) -> Coord:
        return at[0] + to[0], at[1] + to[1]

    back = [undirected(touch) for touch in reversed(trace(-to[0], -to[1]))]
    assert [undirected(touch) for touch in trace(*to)] == [
        (
            kind,
            frozenset(map(seen_from_end, hexes)),
            frozenset((frozenset(map(seen_from_end, pair)), 2 * steps - halves) for pair, halves in sides),
            seen_from_end(after),
            seen_from_end(before),
            1 - end,
            1 - start,
        )
        for kind, hexes, sides, before, after, start, end in back
    ]


@thorough
@given(offsets, st.integers(0, 5), st.sampled_from([lambda at: at, reflect]))
def test_lines_turn_and_mirror_with_the_map(to: Coord, steps: int, mirror):
    def moved(at: Coord) -> Coord:
        return rotate(mirror(at), steps)

    assert [undirected(touch) for touch in trace(*moved(to))] == [
        (
            kind,
            frozenset(map(moved, hexes)),
            frozenset((frozenset(map(moved, pair)), halves) for pair, halves in sides),
            moved(before),
            moved(after),
            start,
            end,
        )
        for kind, hexes, sides, before, after, start, end in map(undirected, trace(*to))
    ]


def paths(to: Coord) -> list[list[Coord]]:
    """Every shortest path to a hex, found by walking all of them."""
    if to == (0, 0):
        return [[(0, 0)]]
    nearer = [at for at in neighbours(to) if length(*at) == length(*to) - 1]
    return [[*path, to] for at in nearer for path in paths(at)]


@pytest.mark.parametrize("to", [at for at in disc((0, 0), 6) if at != (0, 0)])
def test_halves_are_where_shortest_paths_cross(to: Coord):
    ways = paths(to)
    crossings = {(frozenset((a, b)), 2 * k + 1) for way in ways for k, (a, b) in enumerate(pairwise(way))}
    sides = {(frozenset((side.a, side.b)), side.halves) for touch in trace(*to) for side in touch.sides}
    crossed = {pair for pair, _ in crossings}
    assert {(pair, halves) for pair, halves in sides if pair in crossed} <= crossings
    assert all(halves % 2 == 0 for pair, halves in sides if pair not in crossed)
