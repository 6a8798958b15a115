"""The text form of places: what people write in files, and what the log says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opfire.core import places
from opfire.core.errors import BadInput

LENGTHS = st.integers(-999_999_999, 999_999_999)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("1-Q7", "1-Q7"),
        (" 10-CC3 ", "10-CC3"),
        ("12.5,8.25", (12500, 8250)),
        ("12.5, 8.25", (12500, 8250)),
        ("0,0", (0, 0)),
        ("-1,-0.001", (-1000, -1)),
        ("48,36", (48000, 36000)),
        ("7.010,0.1", (7010, 100)),
    ],
)
def test_a_text_names_a_place(text: str, place: places.Place) -> None:
    assert places.parse(text) == place


@pytest.mark.parametrize("text", ["", "  ", "1,2,3", "1,", "1.0005,2", "12.,8", ".5,8", "one,two", "1e3,2"])
def test_a_text_that_is_neither_a_name_nor_two_lengths_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="names no place"):
        places.parse(text)


@given(st.tuples(LENGTHS, LENGTHS))
def test_the_text_of_a_point_is_read_as_that_point(point: places.Point) -> None:
    assert places.parse(places.text(point)) == point


@pytest.mark.parametrize(
    ("place", "level", "text"),
    [("1-Q7", None, "1-Q7"), ("1-Q7", 0, "1-Q7^0"), ((12500, 8250), 2, "12.5,8.25^2"), ("1-Q7", -1, "1-Q7^-1")],
)
def test_a_level_follows_the_place_behind_a_caret(place: places.Place, level: int | None, text: str) -> None:
    assert places.text(place, level) == text
    assert places.split_level(text) == (places.text(place), level)


def test_what_follows_a_caret_and_is_no_number_belongs_to_the_name() -> None:
    assert places.split_level("1-Q7^deck") == ("1-Q7^deck", None)
