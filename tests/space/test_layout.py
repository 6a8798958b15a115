"""Boards on a table: joined and cropped, drawn in a scenario, and blocks of their hexes."""

from __future__ import annotations

import pytest

from opfire.core.scenario import board_file
from opfire.space.hexmap import HexMap
from opfire.space.layout import block, drawn, lay
from space.drawing import text

CLEAR = "\n".join([". " * 5] * 4)


@pytest.fixture(scope="module")
def krasny() -> HexMap:
    return lay([(board_file("own-1"), (0, 0), False)])


def test_a_block_is_named_by_columns_and_rows_as_printed(krasny: HexMap) -> None:
    assert block(krasny, "own-1", "C-D", "4-5") == {"1-C4", "1-C5", "1-D4", "1-D5"}
    assert block(krasny, "1", "C", "4") == {"1-C4"}
    assert block(krasny, "own-1", "C", "") == {
        name for name in krasny.names if name.startswith("1-C") and name[3].isdigit()
    }
    assert block(krasny, "own-2", "C", "4") == frozenset()


def test_corners_cut_the_map() -> None:
    cut = lay([(board_file("own-1"), (0, 0), False)], ("1-C3", "1-F6"))
    assert "1-C3" in cut
    assert "1-F6" in cut
    assert "1-H6" not in cut
    assert block(cut, "own-1", "C-H", "6") == {"1-C6", "1-D6", "1-E6", "1-F6"}


def test_boards_lie_in_a_grid() -> None:
    two = lay([(board_file("own-1"), (0, 0), False), (board_file("own-2"), (0, 1), False)])
    assert {info.id for info in two.boards} == {"own-1", "own-2"}


def test_maps_drawn_alike_are_one_and_others_are_others() -> None:
    one, same, other = drawn(text(CLEAR)), drawn(text(CLEAR)), drawn(text(CLEAR.replace(".", "w", 1)))
    assert one.id == same.id
    assert one.id != other.id
