"""Boards with the legend of another rulebook: letters, levels, storeys and kinds of hexsides of their own."""

from __future__ import annotations

import pytest

from edits import edited
from opfire.core.errors import BadInput
from opfire.space.boardcheck import check
from opfire.space.boards import parse_board, write_board
from opfire.space.hexmap import HexMap, Placement, flipped, join, single
from opfire.space.legend import USUAL, legend

HAMLET = """
id = "hamlet"
number = "1"
title = "A Hamlet"
edges = "whole"
legend = "panzer"
columns = 3
rows = 3

hexes = '''
.   2W  1
T   1   -1u
3c  .   .
'''

paths   = ["A1 A2 A3"]
storeys = { A2 = 2 }

[sides]
wall  = ["A1/A2"]
slope = ["B1/C2", "A1/B1"]
"""


def hamlet() -> HexMap:
    """The map of the hamlet."""
    return single(parse_board(HAMLET))


def test_tokens_begin_with_their_level() -> None:
    map = hamlet()
    cells = {name: map.cell(f"1-{name}") for name in ("A1", "B1", "C1", "C2", "A3")}
    assert {name: cell.level for name, cell in cells.items()} == {"A1": 0, "B1": 2, "C1": 1, "C2": -1, "A3": 3}
    assert cells["B1"].terrain == ("woods",)
    assert cells["C1"].terrain == ("clear",)
    assert cells["A3"].terrain == ("crops",)


def test_hexsides_bear_what_the_board_lists_and_nothing_else() -> None:
    map = hamlet()
    assert map.side("1-A1", "1-A2") == ("wall",)
    assert map.side("1-B1", "1-C2") == ("slope",)
    assert map.side("1-B1", "1-C1") == ()
    assert flipped(map).side("1-A2", "1-A1") == ("wall",)


def test_paths_and_storeys() -> None:
    map = hamlet()
    assert map.link("1-A1", "1-A2") == "path"
    assert map.cell("1-A2").storeys == 2
    assert map.cell("1-A1").storeys == 0


def test_a_board_with_a_legend_reads_back_as_it_was_written() -> None:
    board = parse_board(HAMLET)
    assert parse_board(write_board(board)) == board


def test_the_usual_legend_has_no_levels_before_its_letters() -> None:
    text = edited(edited(edited(HAMLET, 'legend = "panzer"\n', ""), "T ", "t "), "3c", ". ").partition("paths")[0]
    with pytest.raises(BadInput, match="'2W' in B1"):
        parse_board(text)
    assert USUAL.split("sw") == (None, "sw")


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('"panzer"', '"lunar"', "there is no legend 'lunar'"),
        ("2W", "2Q", "'2Q' in B1"),
        ("2W", "12W", "'12W' in B1"),
        ("2W", "2WW", "'2WW' in B1"),
        ("wall ", "moat ", "hexsides of 'moat'"),
        ('"A1/A2"', '"A1/A3"', "A1 and A3 are not neighbours"),
        ("storeys = { A2 = 2 }", "storeys = { Z9 = 2 }", "there is no hex 'Z9'"),
    ],
)
def test_faults_name_line_and_cure(old: str, new: str, fault: str) -> None:
    with pytest.raises(BadInput, match=fault) as caught:
        parse_board(edited(HAMLET, old, new), "hamlet.toml")
    assert caught.value.where.startswith("hamlet.toml:")
    assert caught.value.expected


def test_boards_of_two_legends_make_no_map() -> None:
    wide = edited(edited(edited(edited(HAMLET, 'edges = "whole"\n', ""), "-1u", "1  "), "2W", ". "), " 1\n", " .\n")
    text = "\n".join(line for line in wide.splitlines() if not line.startswith(("wall", "slope", "[sides]", "storeys")))
    usual = edited(edited(edited(edited(text, 'legend = "panzer"\n', ""), '"1"', '"2"'), "3c", ". "), "T ", "t ")
    boards = [parse_board(edited(text, "1  ", ".  ")), parse_board(edited(usual, "1  ", ".  "))]
    with pytest.raises(BadInput, match="two legends"):
        join([Placement(boards[0]), Placement(boards[1], 1)])


def test_legends_are_read_once() -> None:
    assert legend("panzer") is legend("panzer")
    assert "hedgerow" in legend("panzer").sides


def test_a_bridge_may_lead_over_a_stream() -> None:
    wet = HAMLET.replace("T   1   -1u", "~   1   -1u").replace('paths   = ["A1 A2 A3"]', 'roads = ["A1 A2 A3"]')
    bridged = wet.replace("storeys = { A2 = 2 }", 'bridges = { A2 = "wood" }')
    assert not [fault for fault in check(parse_board(bridged)) if "bridge" in fault]
    dry = bridged.replace("~   1   -1u", ".   1   -1u")
    assert "the bridge A2 carries no road or track over a gully, a stream or water" in check(parse_board(dry))
