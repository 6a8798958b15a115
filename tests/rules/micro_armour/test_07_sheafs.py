"""[7.4.2.3, 7.6.3] Sheafs, coordinates and deviation."""

from __future__ import annotations

import pytest

from opfire.core.places import Point
from opfire.rulesets.micro_armour.artillery.coordinates import coordinates, nearest, own_edge, point_of, written
from opfire.rulesets.micro_armour.artillery.sheafs import DIRECTIONS, Sheaf, drift, step
from rules.micro_armour.kit import position, rule

SIDES = "german", "soviet"


@rule("7.6.3-coords")
@pytest.mark.parametrize("side", SIDES)
def test_7_6_3_coordinates_are_inches_right_then_up_of_the_own_corner(side: str) -> None:
    # The table is 40 inches wide and 30 high; the Germans face east from the west edge, the Soviets face them.
    made = position().setting
    assert own_edge(made, side) == {"german": "west", "soviet": "east"}[side]
    at = {"german": (26000, 4000), "soviet": (40000 - 26000, 30000 - 4000)}[side]
    assert point_of(made, side, 4, 26) == at
    assert coordinates(made, side, at) == (4, 26)
    assert written(made, side, at) == "0426"


@rule("7.6.3-coords")
def test_7_6_3_coordinates_are_whole_inches() -> None:
    made = position().setting
    assert nearest(made, "german", (16400, 8600)) == (16000, 9000)
    assert written(made, "german", (16400, 8600)) == "0916"


@rule("7.6.3-sheaf")
@rule("7.4.2.3-open")
def test_7_6_3_example_1_two_open_sheafs_make_a_line_of_four_inches() -> None:
    # North is to the player's left, the forces face east: "0816 OPEN S2" and "1016 OPEN S2".
    made = position().setting
    found: list[Point] = []
    for right in (8, 10):
        found.extend(Sheaf(point_of(made, "german", right, 16), 2, "open", "S").places(north=0))
    assert [coordinates(made, "german", at) for at in found] == [(8, 16), (9, 16), (10, 16), (11, 16)]


@rule("7.4.2.3-closed")
def test_7_4_2_3_a_closed_sheaf_has_all_markers_on_one_spot() -> None:
    assert Sheaf((5000, 5000), 3, "closed", "N").places(0) == ((5000, 5000),) * 3


@rule("7.4.2.3-open")
@pytest.mark.parametrize("toward", DIRECTIONS)
def test_7_4_2_3_markers_of_an_open_sheaf_are_adjacent_in_a_straight_line(toward: str) -> None:
    first, second, third = Sheaf((5000, 5000), 3, "open", toward).places(0)  # type: ignore[arg-type]
    steps = {(b[0] - a[0], b[1] - a[1]) for a, b in ((first, second), (second, third))}
    assert len(steps) == 1
    assert max(map(abs, steps.pop())) == 1000


@rule("7.6.1.2-direction")
def test_7_6_1_2_the_compass_counts_clockwise_from_north() -> None:
    # The book's examples: 2 is north-east, 5 is south.
    assert (DIRECTIONS[2 - 1], DIRECTIONS[5 - 1]) == ("NE", "S")
    assert step("N", 0) == (0, -1)
    assert step("N", 90) == (1, 0)  # north is to the right on this table


@rule("7.6.1.2-direction")
def test_7_6_1_2_a_diagonal_deviation_goes_its_inches_along_the_diagonal() -> None:
    right, down = drift("SE", 4, 0)
    assert right == down
    assert abs(right**2 + down**2 - 4000**2) < 4000 * 4
