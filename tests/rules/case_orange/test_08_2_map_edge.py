"""Lines along the edge of a map cut out of a larger one [8.2.2]: one of the two hexes of the side is gone."""

from __future__ import annotations

import pytest

from opfire.rulesets.case_orange.charts import load_charts
from opfire.rulesets.case_orange.lines import Eyes
from opfire.space.boards import parse_board
from opfire.space.hexmap import Placement, crop, join
from rules.case_orange.drawing import rule

BOARD = """
id = "cut"
number = "1"
title = "Woods at D2 and at C6"
columns = 5
rows = 6
edges = "whole"
hexes = \"\"\"
. . . . .
. . . w .
. . . . .
. . . . .
. . . . .
. . w . .
\"\"\"
"""


@rule("8.2.2")
@pytest.mark.parametrize(
    ("a", "b", "clear"),
    [
        ("1-C3", "1-E3", False),  # between D2, which was cut off, and D3
        ("1-B5", "1-D5", False),  # between C5 and C6, which was cut off
        ("1-A3", "1-C3", True),
        ("1-C5", "1-E5", True),
    ],
)
def test_8_2_2_the_side_of_a_hex_that_was_cut_off_still_blocks(a, b, clear):
    board = crop(join([Placement(parse_board(BOARD, "cut"))], "cut"), "1-A3", "1-E5")
    seen = Eyes(board, load_charts())
    assert board.cells.keys().isdisjoint({"1-D2", "1-C6"})
    assert seen.line(a, b).clear is clear
    assert seen.line(b, a).clear is clear
