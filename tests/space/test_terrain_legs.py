"""Legs: their pieces, crossings, exact costs, step events, and the places to stop at."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opfire.core.places import Point
from opfire.space.measure import MICRO, length
from opfire.space.terrain.features import Feature
from opfire.space.terrain.ground import Ground
from opfire.space.terrain.legs import (
    Crossed,
    Manner,
    Piece,
    bar,
    bumps,
    cost,
    leg,
    polyline_cost,
    spent_at,
    steps,
    stopped,
)
from space.vocabulary import ground, hedge, road, square, woods

POINTS = st.tuples(st.integers(0, 20).map(lambda n: n * 2_000), st.integers(0, 15).map(lambda n: n * 2_000))
ANYWHERE = st.tuples(st.integers(0, 40_000), st.integers(0, 30_000))


INCHES = {"woods": 2, "road": Fraction(1, 2), "gully": 1, "lake": None}


class Marching:
    """Open ground costs 1 an inch, woods 2, roads a half; a hedge costs 1; leaving a gully 4; a lake and a wall bar."""

    def inch(self, features: tuple[Feature, ...]) -> Fraction | int | None:
        kinds = [feature.kind for feature in features]
        if "road" in kinds:
            return Fraction(1, 2)
        costs = [INCHES[kind] for kind in kinds]
        return None if None in costs else max([1, *(each for each in costs if each)])

    def toll(self, feature: Feature, manner: Manner) -> Fraction | int | None:
        if feature.kind == "gully" and manner == "leaves":
            return 4
        if feature.kind in ("wall", "lake"):
            return None
        return 1 if feature.kind == "hedge" else 0


PRICE = Marching()
WOOD = woods(0, square(10_000, 10_000, 5_000))
HEDGE = hedge(1, (20_000, 0), (20_000, 30_000))
ROAD = road(2, (0, 5_000), (40_000, 5_000))


def wall(number: int, *way: Point) -> Feature:
    return Feature(number, f"wall-{number}", "wall", "Wall", "line", way=way)


def test_a_leg_is_cut_where_it_enters_leaves_and_crosses() -> None:
    way = leg(ground(WOOD, HEDGE), (5_000, 12_000), (25_000, 12_000))
    assert [(piece.end.fraction, [f.number for f in piece.features], piece.length) for piece in way.pieces] == [
        (Fraction(1, 4), [], 5 * MICRO),
        (Fraction(1, 2), [0], 5 * MICRO),
        (Fraction(3, 4), [], 5 * MICRO),
        (Fraction(1), [], 5 * MICRO),
    ]
    assert [(each.at.fraction, each.feature, each.manner) for each in way.crossed] == [
        (Fraction(1, 4), WOOD, "enters"),
        (Fraction(1, 2), WOOD, "leaves"),
        (Fraction(3, 4), HEDGE, "crosses"),
    ]


def test_each_piece_is_rounded_down_by_itself() -> None:
    way = leg(ground(woods(0, ((3_000, 0), (40_000, 0), (40_000, 30_000), (3_000, 30_000)))), (0, 0), (7_000, 7_000))
    # 7 * sqrt(2) inches are 9.8994949, cut at 3/7: 4.2426406 and 5.6568542 rounded down.
    assert [piece.length for piece in way.pieces] == [4_242_640, 5_656_854]


def test_costs_by_hand() -> None:
    one = ground(WOOD, HEDGE, ROAD)
    assert cost(leg(one, (5_000, 12_000), (25_000, 12_000)), PRICE) == (15 + 2 * 5 + 1) * MICRO
    assert cost(leg(one, (1_000, 5_000), (9_000, 5_000)), PRICE) == 4 * MICRO
    assert cost(leg(one, (1_000, 8_000), (1_000, 4_500)), PRICE) == (2.5 + 0.5) * MICRO
    corners = [(1_000, 8_000), (1_000, 5_000), (9_000, 5_000), (9_000, 9_000)]
    assert polyline_cost(one, corners, PRICE) == (2.5 + 0.25 + 4 + 0.25 + 3.5) * MICRO


def test_a_lake_and_a_wall_bar_the_way() -> None:
    one = ground(woods(0, square(10_000, 10_000, 5_000), kind="lake"), wall(1, (30_000, 0), (30_000, 30_000)))
    lake, stone = leg(one, (5_000, 12_000), (35_000, 12_000)), leg(one, (20_000, 12_000), (35_000, 12_000))
    assert cost(lake, PRICE) is cost(stone, PRICE) is None
    first, second = bar(lake, PRICE), bar(stone, PRICE)
    assert isinstance(first, Crossed)
    assert isinstance(second, Crossed)
    assert (first.at.fraction, first.manner) == (Fraction(1, 6), "enters")
    assert (second.at.fraction, second.manner) == (Fraction(2, 3), "crosses")
    assert bar(leg(one, (16_000, 12_000), (29_000, 12_000)), PRICE) is None
    assert [step.spent for step in steps(lake, PRICE)] == [5 * MICRO]  # up to the bank
    inside = bar(leg(one, (12_000, 12_000), (13_000, 12_000)), PRICE)
    assert isinstance(inside, Piece)
    assert polyline_cost(one, [(5_000, 12_000), (9_000, 12_000), (12_000, 12_000)], PRICE) is None


def test_steps_tell_what_happens_in_order_and_what_is_spent() -> None:
    way = leg(ground(WOOD, HEDGE), (5_000, 12_000), (25_000, 12_000))
    found = [
        (step.at.fraction, step.spent // MICRO, getattr(step.what, "manner", "goes")) for step in steps(way, PRICE)
    ]
    assert found == [
        (Fraction(1, 4), 5, "goes"),
        (Fraction(1, 4), 5, "enters"),
        (Fraction(1, 2), 15, "goes"),
        (Fraction(1, 2), 15, "leaves"),
        (Fraction(3, 4), 20, "goes"),
        (Fraction(3, 4), 21, "crosses"),
        (Fraction(1), 26, "goes"),
    ]


@pytest.mark.parametrize(
    ("points", "found"),
    [
        (0, 0),
        (3, Fraction(3, 20)),
        (7, Fraction(3, 10)),
        (15, Fraction(1, 2)),
        (Fraction(41, 2), Fraction(3, 4)),
        (26, 1),
    ],
)
def test_the_place_at_which_so_much_is_spent(points: Fraction, found: Fraction) -> None:
    way = leg(ground(WOOD, HEDGE), (5_000, 12_000), (25_000, 12_000))
    assert spent_at(way, PRICE, int(points * MICRO)) == found
    assert spent_at(way, PRICE, 26 * MICRO + 1) is None


# --- corners on borders --------------------------------------------------------------------------------------


def crossings(one: Ground, *corners: Point) -> list[tuple[str, str]]:
    legs = [leg(one, a, b) for a, b in pairwise(corners)]
    return [(crossed.feature.kind, crossed.manner) for way in legs for crossed in way.crossed]


@pytest.mark.parametrize(
    "middle",
    [(12_000, 9_999), (12_000, 10_000), (12_000, 10_001), (12_000, 14_999), (12_000, 15_000), (12_000, 17_000)],
)
def test_a_corner_on_a_border_neither_saves_nor_doubles_a_crossing(middle: Point) -> None:
    one = ground(WOOD, hedge(1, (0, 17_000), (40_000, 17_000)))
    whole = [("woods", "enters"), ("woods", "leaves"), ("hedge", "crosses")]
    assert crossings(one, (12_000, 5_000), (12_000, 20_000)) == whole
    assert crossings(one, (12_000, 5_000), middle, (12_000, 20_000)) == whole


def test_turning_back_on_a_border_enters_and_leaves() -> None:
    one = ground(WOOD)
    assert crossings(one, (12_000, 5_000), (12_000, 10_000), (13_000, 5_000)) == [
        ("woods", "enters"),
        ("woods", "leaves"),
    ]


@settings(max_examples=60)
@given(st.lists(POINTS, min_size=3, max_size=3, unique=True).filter(lambda c: c[0][0] != c[1][0]), st.data())
def test_a_way_crosses_the_same_however_it_is_divided(corners: list[Point], data: st.DataObject) -> None:
    one = ground(WOOD, HEDGE, ROAD, woods(3, ((0, 0), (8_000, 20_000), (2_000, 28_000))))
    start, end = corners[:2]
    parts = data.draw(
        st.sampled_from(
            [n for n in (2, 4, 5, 8) if all((a - b) % n == 0 for a, b in zip(start, end, strict=True))] or [1]
        )
    )
    between = [tuple(a + (b - a) * n // parts for a, b in zip(start, end, strict=True)) for n in range(parts + 1)]
    divided = [(x, y) for x, y in between]
    assert crossings(one, *divided) == crossings(one, start, end)
    whole, pieces = cost(leg(one, start, end), PRICE), polyline_cost(one, divided, PRICE)
    assert whole is not None
    assert pieces is not None
    assert abs(whole - pieces) <= 4 * 16  # every piece is rounded down


@settings(max_examples=60)
@given(ANYWHERE, ANYWHERE)
def test_the_pieces_make_up_the_leg(a: Point, b: Point) -> None:
    way = leg(ground(WOOD, HEDGE, ROAD), a, b)
    assert way.pieces[0].start.fraction == 0
    assert way.pieces[-1].end.fraction == 1
    assert all(one.end.key == other.start.key for one, other in pairwise(way.pieces))
    assert 0 <= length(a, b) - sum(piece.length for piece in way.pieces) <= len(way.pieces)


# --- stopping and running into stands ------------------------------------------------------------------------


MIRRORS: list[Callable[[Point], Point]] = [
    lambda at: (-at[0], at[1]),
    lambda at: (-at[1], at[0]),
    lambda at: (at[0] + 7, at[1]),
]


@given(ANYWHERE, ANYWHERE, st.fractions(0, 1))
def test_a_mover_stops_rounded_towards_its_start(a: Point, b: Point, at: Fraction) -> None:
    found = stopped(a, b, at)
    for start, end, stop in zip(a, b, found, strict=True):
        exact = start + (end - start) * at
        assert min(start, exact) <= stop <= max(start, exact)
        assert abs(exact - stop) < 1
    for change in MIRRORS:
        assert stopped(change(a), change(b), at) == change(found)


@pytest.mark.parametrize(
    ("start", "end", "other", "found"),
    [
        ((0, 0), (9_000, 0), (5_000, 1_000), False),  # they touch in passing
        ((0, 0), (9_000, 0), (5_000, 999), True),
        ((0, 0), (9_000, 0), (10_000, 0), False),  # base to base at the end
        ((0, 0), (9_001, 0), (10_000, 0), True),
        ((0, 0), (9_000, 0), (-500, 0), False),  # away from one that it overlaps
        ((0, 0), (9_000, 0), (500, 0), True),  # over it
    ],
)
def test_a_leg_runs_into_stands_that_it_comes_too_near(start: Point, end: Point, other: Point, found: bool) -> None:
    assert (bumps(start, end, [other], 1_000) == [other]) is found
