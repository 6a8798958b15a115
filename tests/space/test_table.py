"""The free table: exact lengths, stands and facings, against definitions in fractions and by hand."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opfire.core.errors import BadInput
from opfire.core.places import Point, Space
from opfire.kit.terrain import named
from opfire.space.lattice import LATTICE, outline
from opfire.space.measure import SINES, in_front, length, sine, turning
from opfire.space.table import Table, TableSection, laid

POINTS = st.tuples(st.integers(0, 48_000), st.integers(0, 36_000))
TABLE = Table("bare", (48_000, 36_000), 1_500)
Ring = tuple[Point, ...]


def exact(a: Point, b: Point) -> Fraction:
    """The squared distance in square inches."""
    return Fraction(a[0] - b[0], 1000) ** 2 + Fraction(a[1] - b[1], 1000) ** 2


@given(POINTS, POINTS)
def test_a_length_is_the_square_root_rounded_down_to_a_millionth_of_an_inch(a: Point, b: Point) -> None:
    found = length(a, b)
    assert Fraction(found, 10**6) ** 2 <= exact(a, b) < Fraction(found + 1, 10**6) ** 2
    assert found == length(b, a)


@pytest.mark.parametrize(("to", "found"), [((0, 0), 0), ((3000, 4000), 5_000_000), ((1000, 1000), 1_414_213)])
def test_lengths_by_hand(to: Point, found: int) -> None:
    assert length((0, 0), to) == found


@given(POINTS, POINTS)
def test_stands_overlap_when_they_are_nearer_than_a_base(a: Point, b: Point) -> None:
    assert TABLE.overlap(a, b) == (exact(a, b) < Fraction(3, 2) ** 2)


def test_stands_that_only_touch_are_adjacent_and_do_not_overlap() -> None:
    at = (10_000, 10_000)
    for other, overlaps, touches in (
        ((11_499, 10_000), True, True),
        ((11_500, 10_000), False, True),
        ((11_501, 10_000), False, False),
    ):
        assert (TABLE.overlap(at, other), TABLE.adjacent(at, other)) == (overlaps, touches)


def test_a_stand_lies_on_the_table_when_its_whole_base_does() -> None:
    assert TABLE.holds((750, 750))
    assert TABLE.holds((48_000 - 750, 36_000 - 750))
    for off in ((749, 750), (750, 749), (48_000 - 749, 750), (750, 36_000 - 749)):
        assert not TABLE.holds(off)
        assert off in TABLE


def test_the_box_of_a_reach_ends_where_a_stand_would_leave_the_table() -> None:
    assert TABLE.box((10_000, 10_000), 6_000_000) == (4_000, 4_000, 16_000, 16_000)
    assert TABLE.box((2_000, 35_000), 6_000_000) == (750, 29_000, 8_000, 35_250)


@given(POINTS, POINTS, st.integers(0, 60))
def test_in_reach_is_judged_without_rounding(a: Point, b: Point, reach: int) -> None:
    assert TABLE.in_reach(a, b, reach) == (exact(a, b) <= reach**2)


def test_the_committed_sines_are_the_sines() -> None:
    assert len(SINES) == 91
    assert all(abs(sine(d) - 10**6 * math.sin(math.radians(d))) <= 0.5001 for d in range(-720, 720))


@given(st.integers(0, 359), st.integers(0, 359))
def test_turning_takes_the_shorter_way(a: int, b: int) -> None:
    by = turning(a, b)
    assert 0 <= by <= 180
    assert b in ((a + by) % 360, (a - by) % 360)


@pytest.mark.parametrize(
    ("facing", "ahead", "behind"),
    [
        (0, (0, -1), (0, 1)),
        (90, (1, 0), (-1, 0)),
        (180, (0, 1), (0, -1)),
        (270, (-1, 0), (1, 0)),
        (45, (1, 0), (-1, 0)),
    ],
)
def test_a_facing_is_counted_clockwise_from_north(facing: int, ahead: Point, behind: Point) -> None:
    assert in_front((0, 0), facing, ahead)
    assert not in_front((0, 0), facing, behind)


def test_the_table_is_a_space_whose_places_are_points() -> None:
    space: Space[Point] = TABLE
    assert space.parse("12.5,8.25") == (12_500, 8_250)
    assert space.text((12_500, 8_250)) == "12.5,8.25"
    assert ("1-A1" in space, (48_000, 0) in space, (48_001, 0) in space) == (False, True, False)
    assert space.to_json() == {
        "space": "table",
        "id": "bare",
        "title": "Table",
        "size": [48_000, 36_000],
        "base": 1_500,
    }
    for wrong in ("1-A1", "48.001,0", "-1,0"):
        with pytest.raises(BadInput, match=r"units: .* is no point of the table"):
            space.parse(wrong, "units")


@pytest.mark.parametrize(
    ("section", "what"),
    [
        (TableSection((0, 36)), "a table of 0 by 36 inches"),
        (TableSection((48, 300)), "a table of 48 by 300 inches"),
        (TableSection((float("nan"), 36)), "a table of nan"),
        (TableSection((48, 36), base=0), "stands of 0 inches"),
        (TableSection((48, 36), base=40), "stands of 40 inches"),
        (TableSection((48, 36), base=float("inf")), "stands of inf"),
    ],
)
def test_a_size_that_no_table_has_is_refused(section: TableSection, what: str) -> None:
    with pytest.raises(BadInput, match=what):
        laid(section, "bare")


def test_a_table_is_laid_in_thousandths_of_an_inch() -> None:
    table = laid(TableSection((48, 36.5), base=1.25, title="Steppe"), "bare")
    assert (table.size, table.base, table.title) == ((48_000, 36_500), 1_250, "Steppe")


def test_a_table_tells_the_client_only_that_measuring_is_off() -> None:
    free, guessed = (laid(TableSection((48, 36), measuring=on), "bare").to_json() for on in (True, False))
    assert guessed == {**free, "measuring": False}


def test_measuring_is_switched_off_on_a_table_of_a_file_too() -> None:
    assert not laid(TableSection(table="lipovka", measuring=False), "mill", named("miniatures")).measuring
    assert laid(TableSection(table="lipovka"), "mill", named("miniatures")).measuring


# --- pictures ------------------------------------------------------------------------------------------------


def inside(rings: list[Ring], at: Point) -> bool:
    """Return whether a point that lies on no border is within an odd number of rings."""
    crossed = 0
    for ring in rings:
        for a, b in zip(ring, (*ring[1:], ring[0]), strict=True):
            crossed += a[0] == b[0] and a[0] > at[0] and min(a[1], b[1]) < at[1] < max(a[1], b[1])
    return crossed % 2 == 1


def area(rings: list[Ring]) -> int:
    def signed(ring: Ring) -> int:
        return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(ring, (*ring[1:], ring[0]), strict=True))

    return abs(sum(map(signed, rings))) // 2


def test_the_picture_of_a_disc_with_a_hole_lies_within_it_and_is_nearly_as_large() -> None:
    def allowed(at: Point) -> bool:
        return exact(at, (10_000, 10_000)) <= 36 and exact(at, (12_000, 11_000)) >= Fraction(9, 4)

    rings = outline((4_000, 4_000, 16_000, 16_000), allowed)
    middles = [(x, y) for x in range(3_750, 16_500, LATTICE) for y in range(3_750, 16_500, LATTICE)]
    shown = [at for at in middles if inside(rings, at)]
    assert len(rings) == 2
    assert all(allowed(at) for at in shown)
    assert len(shown) * LATTICE**2 == area(rings)
    assert 0.85 < len(shown) / sum(map(allowed, middles)) < 1


def test_a_reach_without_room_has_no_picture() -> None:
    assert outline((4_000, 4_000, 4_200, 4_200), lambda at: True) == []
    assert outline((0, 0, 9_000, 9_000), lambda at: False) == []
