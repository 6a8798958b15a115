"""Board files: names, reading, writing, and what is wrong with them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from edits import edited
from opfire.core.errors import BadInput
from opfire.space.boardcheck import check
from opfire.space.boards import (
    column_and_row,
    column_name,
    coord,
    parse_board,
    read_board,
    write_board,
)
from opfire.space.hexes import neighbour
from space.drawing import draw, plain, text

# --- names -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("column", "letters"), [(0, "A"), (25, "Z"), (26, "AA"), (27, "BB"), (32, "GG"), (52, "AAA")])
def test_columns_are_lettered_double_after_z(column: int, letters: str):
    assert column_name(column) == letters
    assert column_and_row(f"{letters}7") == (column, 7)


@pytest.mark.parametrize("name", ["", "7", "Q", "AB3", "q7", "Q07", "Q-1", "1-Q7", "Q7 "])
def test_what_names_no_hex(name: str):
    with pytest.raises(BadInput):
        coord(name)


@pytest.mark.parametrize(
    ("place", "around"),
    [
        ("C3", ["C2", "D2", "D3", "C4", "B3", "B2"]),  # an odd column: its neighbours beside it lie higher
        ("D3", ["D2", "E3", "E4", "D4", "C4", "C3"]),  # an even column lies half a hex lower
    ],
)
def test_neighbours_by_name(place: str, around: list[str]):
    assert [neighbour(coord(place), way) for way in range(6)] == [coord(name) for name in around]


def test_every_hex_has_a_name_and_a_place_of_its_own():
    board = plain("1")
    places = list(board.places())
    assert len(set(places)) == len(places) == 17 * 10 + 16 * 11
    assert all(board.has(place) for place in places)
    assert len({coord(place) for place in places}) == len(places)


def test_half_hexes_lie_at_the_four_edges():
    board = plain("1")
    halves = {place for place in board.places() if board.is_half(place)}
    short = {f"{letters}{row}" for letters in ("A", "GG") for row in range(1, 11)}
    long = {f"{column_name(column)}{row}" for column in range(1, 33, 2) for row in (0, 10)}
    assert halves == short | long


def test_a_whole_board_has_no_half_hexes_and_no_row_0():
    board = draw(". . .\n. . .")
    assert list(board.places()) == ["A1", "A2", "B1", "B2", "C1", "C2"]
    assert not any(map(board.is_half, board.places()))
    assert not board.has("B0")


# --- reading and writing -----------------------------------------------------------------------------

RICH = {
    "roads": ["A1 B1 C2 >"],
    "tracks": ["^ B1 B2"],
    "gullies": ["A2 B2 C3"],
    "fords": ["A2"],
    "bridges": {"B2": "wood"},
    "open": ["C1/B1"],
    "cliffs": ["A3/B3"],
    "names": {"B2": 'Mill "Ford"\t\\'},
}


def test_a_board_holds_what_is_drawn():
    board = draw(". . w\n. . .\n. h .", **RICH)
    assert board.hexes == ((".", ".", "w"), (".", ".", "."), (".", "h", "."))
    assert board.roads == (("A1", "B1", "C2", ">"),)
    assert board.open == (("C1", "B1"),)
    assert board.bridges == {"B2": "wood"}
    assert (board.number, board.source, board.edges) == ("1", "own", "whole")


def test_a_board_reads_back_as_it_was_written(tmp_path: Path):
    for board in (draw(". . w\n. . .\n. h .", **RICH), plain("7", roads=["^ I1 I2 J2", "< A3 B3"])):
        file = tmp_path / "board.toml"
        file.write_text(write_board(board), encoding="utf-8")
        assert read_board(file) == board


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=20))
def test_any_title_survives_writing(title: str):
    board = plain("1", 3, 2)
    named = replace(board, title=title, names={"A1": title})
    assert parse_board(write_board(named)) == named


BAD: list[tuple[str, dict[str, Any], str, str]] = [
    (". . .\n. .", {}, "row 2 of hexes has 2 tokens", "hexes:2"),
    (". . .", {"rows": 2}, "hexes has 1 rows", "hexes"),
    (". x .", {}, "'x' in B1", "hexes:1"),
    (". .w .", {}, "'.w' in B1", "hexes:1"),
    (". ww .", {}, "'ww' in B1", "hexes:1"),
    (". . .\nsh . .", {}, "A2 is both slope and hilltop", "hexes:2"),
    (". . .\n. w .", {"edges": "half"}, "'w' in B2, a half-hex", "hexes:2"),
    (". .\n. .", {"edges": "half"}, "2 columns and 2 rows do not join", "columns"),
    (". . .", {"edges": "round"}, "edges", "edges"),
    (". . .", {"columns": "3"}, "columns", "columns"),
    (". . .", {"rivers": ["A1 B1"]}, "rivers", "rivers"),
    (". . .\n. . .", {"roads": ["A1 C1"]}, "A1 and C1 are not neighbours", "roads"),
    (". . .\n. . .", {"roads": ["A1 D1"]}, "no hex 'D1'", "roads"),
    (". . .\n. . .", {"roads": ["A1"]}, "leads nowhere", "roads"),
    (". . .\n. . .", {"tracks": ["A1 ^ A2"]}, "the sign is inside the chain", "tracks"),
    (". . .\n. . .", {"tracks": ["A1 A2 ^"]}, "A2 does not lie at the edge", "tracks"),
    (". . .\n. . .", {"fords": ["A9"]}, "no hex 'A9'", "fords"),
    (". . .\n. . .", {"bridges": {"A1": "glass"}}, "'glass'", "A1"),
    (". . .\n. . .", {"names": {"Z1": "Far"}}, "no hex 'Z1'", "Z1"),
    (". . .\n. . .", {"cliffs": ["A1-A2"]}, "not a hexside", "cliffs"),
    (". . .\n. . .", {"cliffs": ["A1/C1"]}, "A1 and C1 are not neighbours", "cliffs"),
]


@pytest.mark.parametrize(("rows", "fields", "what", "place"), BAD)
def test_what_is_malformed_gets_a_sentence_and_its_line(rows: str, fields: dict[str, Any], what: str, place: str):
    written = text(rows, **fields)
    key, _, row = place.partition(":")
    starts = [line.startswith(f"{key} =") for line in written.splitlines()]
    line = 1 + starts.index(True) + int(row or 0)
    with pytest.raises(BadInput) as caught:
        parse_board(written, "bad.toml")
    assert what in caught.value.what
    assert caught.value.where == f"bad.toml:{line}"


def test_the_line_of_a_chain_in_a_long_list():
    written = edited(text(". . .\n. . ."), "hexes =", 'roads = [\n  "A1 A2",\n  "A1 C1",\n]\nhexes =')
    line = 1 + [row.strip() for row in written.splitlines()].index('"A1 C1",')
    with pytest.raises(BadInput) as caught:
        parse_board(written, "bad.toml")
    assert caught.value.where == f"bad.toml:{line}"


def test_a_missing_field_is_named():
    with pytest.raises(BadInput, match="title"):
        parse_board(edited(text(". . ."), 'title = "Drawn"\n', ""))


def test_text_that_is_not_toml_gets_its_line():
    with pytest.raises(BadInput) as caught:
        parse_board('id = "x"\nnumber = \n', "bad.toml")
    assert caught.value.where == "bad.toml:2"


def test_a_file_that_is_not_there(tmp_path: Path):
    with pytest.raises(BadInput, match=r"none\.toml"):
        read_board(tmp_path / "none.toml")


# --- check -------------------------------------------------------------------------------------------

ROW = ". . . . . . . . ."
ROWS = [ROW] * 8


def spot(**tokens: str) -> str:
    """Nine columns and eight rows, clear but for some hexes."""
    rows = [line.split() for line in ROWS]
    for place, token in tokens.items():
        column, row = column_and_row(place)
        rows[row - 1][column] = token
    return "\n".join(map(" ".join, rows))


COMPLAINTS: list[tuple[dict[str, str], dict[str, Any], str]] = [
    ({"C1": "w"}, {}, "C1 at the edge holds woods"),
    ({"D1": "w"}, {}, "D1 at the edge holds woods"),
    ({"B4": "t"}, {}, "B4 at the edge holds town"),
    ({"A4": "b"}, {}, "A4 at the edge holds broken"),
    ({}, {"roads": ["^ E1 E2 E3 E4 E5 E6 E7 E8 v"]}, "leaves the long edge at E1"),
    ({}, {"roads": ["A4 B3 C3 C2 C1 ^"]}, "leaves the short edge at A4"),
    ({}, {"roads": ["C1 C2 C3 D3"]}, "the road through C1 reaches no edge"),
    ({}, {"roads": ["^ C1 C2 B2 A3 B3 C4"]}, "runs through the half-hex A3"),
    ({}, {"gullies": ["C1 ^"]}, "a gully leaves the board at C1"),
    ({"D4": "h", "E4": "s"}, {}, "climbs two levels at once"),
    ({}, {"cliffs": ["D4/D5"]}, "the cliff D4/D5 lies between hexes of one level"),
    ({"D4": "w", "D5": "w"}, {"open": ["D4/D5"]}, "D4/D5 is left open"),
    ({"D4": "s"}, {"spurs": ["D4/D5"]}, "the spur D4/D5"),
    ({}, {"dunes": ["D4/D5"]}, "the dune D4/D5 touches no sand"),
    ({}, {"gullies": ["D4"]}, "the gully in D4 crosses no side"),
    ({}, {"fords": ["D4"]}, "the ford D4 lies in no gully"),
    ({}, {"gullies": ["D4 D5"], "bridges": {"D4": "wood"}}, "the bridge D4"),
    ({"D4": "v"}, {}, "no road or track touches the village in D4"),
    ({"D4": "m"}, {}, "the swamp at D4 adjoins no stream"),
    ({"D4": "w~"}, {}, "D4 is both water and other terrain"),
]


@pytest.mark.parametrize(("tokens", "fields", "sentence"), COMPLAINTS)
def test_check_complains(tokens: dict[str, str], fields: dict[str, Any], sentence: str):
    found = check(draw(spot(**tokens), edges="half", **fields))
    assert [complaint for complaint in found if sentence in complaint]


def test_a_sound_board_has_no_complaints():
    board = draw(
        spot(D3="sw", E4="h", E3="s", D4="sv", D5="s", F3="s", F4="s", E5="s", G5="m", G6="~"),
        edges="half",
        roads=["^ C1 C2 C3 C4 D4", "A3 B3 C4", "< A6 B5 B4 C4"],
        gullies=["C5 D5 D6"],
        fords=["C5"],
        open=["D3/E3"],
    )
    assert check(board) == []


def test_every_uphill_step_of_two_levels_needs_its_cliff():
    around = ["D3/D4", "D4/E4", "D4/E5", "D4/D5", "D4/C5", "D4/C4"]
    assert len(check(draw(spot(D4="h"), edges="half", cliffs=around[1:]))) == 1
    assert check(draw(spot(D4="h"), edges="half", cliffs=around)) == []


def test_small_whole_boards_may_hold_anything_at_their_edges():
    assert check(draw("w b t\n. . .", tracks=["A2 B2"])) == []


def test_the_board_shown_in_the_docs_is_sound():
    page = (Path(__file__).parents[2] / "docs" / "boards.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    assert check(parse_board(shown)) == []
