"""Boards on a table: joined and cropped, drawn in a scenario, and blocks of their hexes."""

from __future__ import annotations

import pytest

from edits import edited
from opfire.core.errors import BadInput
from opfire.space.hexmap import HexMap
from opfire.space.layout import Laid, block, board_ids, board_texts, drawn, lay
from space.drawing import text

CLEAR = "\n".join([". " * 5] * 4)


@pytest.fixture(scope="module")
def krasny() -> HexMap:
    return lay((Laid("own-1"),))


def test_a_block_is_named_by_columns_and_rows_as_printed(krasny: HexMap) -> None:
    assert block(krasny, "own-1", "C-D", "4-5") == {"1-C4", "1-C5", "1-D4", "1-D5"}
    assert block(krasny, "1", "C", "4") == {"1-C4"}
    assert block(krasny, "own-1", "C", "") == {
        name for name in krasny.names if name.startswith("1-C") and name[3].isdigit()
    }
    assert block(krasny, "own-2", "C", "4") == frozenset()


def test_corners_cut_the_map() -> None:
    cut = lay((Laid("own-1", crop=("1-C3", "1-F6")),))
    assert "1-C3" in cut
    assert "1-F6" in cut
    assert "1-H6" not in cut
    assert block(cut, "own-1", "C-H", "6") == {"1-C6", "1-D6", "1-E6", "1-F6"}


def test_boards_lie_in_a_grid() -> None:
    two = lay((Laid("own-1"), Laid("own-2", (0, 1))))
    assert {info.id for info in two.boards} == {"own-1", "own-2"}


def test_maps_drawn_alike_are_one_and_others_are_others() -> None:
    one, same, other = drawn(text(CLEAR)), drawn(text(CLEAR)), drawn(text(edited(CLEAR, ".", "w", 1)))
    assert one.id == same.id
    assert one.id != other.id


def test_what_a_scenario_says_of_its_boards_is_read_from_its_sections() -> None:
    data = {"boards": [{"board": "own-2", "at": [0, 1]}, {"board": "own-1"}], "weather": "rain"}
    assert board_ids(data) == ["own-2", "own-1"]
    assert board_texts(data)["own-1"].startswith('id = "own-1"')
    assert board_ids({}) == []
    with pytest.raises(BadInput, match=r"boards: .*board"):
        board_ids({"boards": [{"at": [0, 1]}]})
