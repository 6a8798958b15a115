"""Lines of sight of a whole map [8.2]: for every pair of hexes the answer of the line followed side by side."""

from __future__ import annotations

import random
from itertools import product

import pytest
from hypothesis import given, settings

from opfire.core.scenario import SCENARIOS
from opfire.rulesets.case_orange.charts import load_charts
from opfire.rulesets.case_orange.lines import Eyes
from opfire.space.boards import read_board
from opfire.space.hexmap import HexMap, Placement, crop, flipped, join, rotated
from rules.case_orange.drawing import rule
from rules.case_orange.test_properties import boards


def printed(number: int, column: int, row: int, half_turn: bool = False) -> Placement:
    return Placement(read_board(str(SCENARIOS / "boards" / f"own-{number}.toml")), column, row, half_turn)


def agree(map: HexMap, step: int = 1) -> None:
    """Both answers from every hex, and from both ends, to every `step`-th hex."""
    look = Eyes(map, load_charts())
    for a, b in product(map.cells, list(map.cells)[::step]):
        clear = look.line(a, b).clear
        assert look.open(a, b) is clear, (a, b)
        assert look.open(b, a) is clear, (a, b)


MAPS = {
    "one board": lambda: join([printed(1, 0, 0)]),
    "cut out of two": lambda: crop(join([printed(2, 0, 0), printed(3, 0, 1)]), "2-H6", "3-V5"),
    "cut out, on its side": lambda: rotated(crop(join([printed(4, 0, 0)]), "4-C3", "4-Z8"), 2),
    "cut out, in a mirror": lambda: flipped(crop(join([printed(3, 0, 0)]), "3-B2", "3-T9")),
}


@rule("8.2", "15.5")
@pytest.mark.parametrize("map", MAPS.values(), ids=MAPS.keys())
def test_8_2_every_pair_of_hexes_has_the_answer_of_its_own_line(map):
    agree(map())


@rule("8.2")
def test_8_2_pairs_of_four_boards_two_of_them_turned_have_the_answer_of_their_own_lines():
    four = [printed(1, 0, 0), printed(2, 1, 0, True), printed(3, 0, 1, True), printed(4, 1, 1)]
    agree(join(four), step=37)


@rule("8.2", "8.2.2", "8.2.3")
@settings(max_examples=15)
@given(boards())
def test_8_2_on_any_board_every_pair_has_the_answer_of_its_own_line(board: HexMap):
    agree(board)


@rule("5.6.1")
@pytest.mark.parametrize("map", MAPS.values(), ids=MAPS.keys())
def test_5_6_1_every_line_meets_the_wrecks_that_lie_on_it(map):
    board, rng = map(), random.Random(5)
    look, names, found = Eyes(board, load_charts()), list(board.cells), 0
    for _ in range(3000):
        (a, b), wrecks = rng.sample(names, 2), tuple(rng.sample(names, 6))
        in_the_way = look.wreck_between(a, b, wrecks)
        assert look.wrecked(a, b, wrecks) is (in_the_way is not None), (a, b, wrecks)
        found += in_the_way is not None
    assert found >= 200


@rule("8.2")
def test_8_2_the_view_from_a_hex_holds_the_ends_of_its_open_lines():
    board = join([printed(1, 0, 0)])
    look = Eyes(board, load_charts())
    for a in board.names[::50]:
        assert look.view(a) == {b for b in board.cells if look.line(a, b).clear}
