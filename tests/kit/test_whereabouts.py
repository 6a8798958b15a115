"""Points of a table in words."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from opfire.core.places import Point
from opfire.kit.terrain import named
from opfire.kit.whereabouts import roughly, told, whereabouts
from opfire.space.table import Table, TableSection, laid


def table(**drawn: Any) -> Table:
    return laid(msgspec.convert({"size": [40, 40], **drawn}, TableSection), "field", named("miniatures"))


WOOD = {"kind": "woods", "name": "Birch Wood", "points": "0,0 4,0 4,4 0,4"}
FIELD = {"kind": "field", "name": "Rye", "points": "10,10 20,10 20,20 10,20"}
MILL = {"kind": "building", "name": "The mill", "at": "15,15", "size": [2, 2]}


@pytest.mark.parametrize(
    ("at", "words"),
    [
        ((12000, 2000), "10 inches east of Birch Wood"),
        ((2000, 12000), "10 inches south of Birch Wood"),
        ((9000, 9000), "8 inches north-west of Rye"),
        ((18000, 18000), "in Rye, 23 inches south-east of Birch Wood"),
        ((2000, 2000), "in Birch Wood, 18 inches north-west of Rye"),
    ],
)
def test_a_point_is_told_by_its_ground_and_the_nearest_other_landmark(at: Point, words: str) -> None:
    assert whereabouts(table(areas=[WOOD, FIELD]).ground, at) == words


def test_a_house_is_told_before_the_field_in_which_it_stands() -> None:
    assert whereabouts(table(areas=[FIELD], buildings=[MILL]).ground, (15000, 15000)) == "in the mill"


def test_a_table_without_names_has_nothing_to_tell() -> None:
    assert told(table().ground, (3000, 4500), "3,4.5") == "3,4.5"
    assert told(table(areas=[WOOD]).ground, (3000, 3500), "3,3.5") == "3,3.5 (in Birch Wood)"


def test_a_point_in_a_sentence_has_no_fractions() -> None:
    assert roughly(table(areas=[WOOD, FIELD]).ground, (17647, 17653)) == "in Rye, 22 inches south-east of Birch Wood"
    assert roughly(table().ground, (3499, 4500)) == "about 3,5"
