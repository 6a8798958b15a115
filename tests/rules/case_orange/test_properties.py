"""Conditions that hold on every board: lines of sight [8.2] and prices [5.3] know no north, no board and no order."""

from __future__ import annotations

from functools import cache
from itertools import product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from opfire.core.scenario import SCENARIOS
from opfire.rulesets.case_orange.charts import load_charts
from opfire.rulesets.case_orange.ground import MOVERS, Ground
from opfire.rulesets.case_orange.lines import Eyes
from opfire.rulesets.case_orange.movement import Move, Moving
from opfire.rulesets.case_orange.shown import ways
from opfire.space.boards import read_board
from opfire.space.hexmap import HexMap, Placement, flipped, join, rotated, single, turned
from rules.case_orange.drawing import draw as play_on
from rules.case_orange.drawing import german, play, rule, spent, unit
from space.drawing import draw

TOKENS = [".", ".", ".", "w", "b", "t", "s", "s", "h", "h", "sw", "st", "hw", "a", "m"]
COLUMNS, ROWS = 6, 6

rows = st.lists(st.lists(st.sampled_from(TOKENS), min_size=COLUMNS, max_size=COLUMNS), min_size=ROWS, max_size=ROWS)
options = st.sampled_from([frozenset(), frozenset({"16.1"}), frozenset({"16.2"})])


def written(tokens: list[list[str]]) -> str:
    return "\n".join(" ".join(row) for row in tokens)


def sides(kind: str) -> st.SearchStrategy[dict[str, list[str]]]:
    """Some sides between a hex and the one below it that bear a mark of this kind."""
    below = st.builds(
        lambda column, row: f"{column}{row}/{column}{row + 1}", st.sampled_from("ABCDEF"), st.integers(1, 5)
    )
    return st.builds(lambda found: {kind: sorted(found)}, st.sets(below, max_size=4))


@st.composite
def boards(choose: st.DrawFn) -> HexMap:
    """Small boards of all kinds of ground, some sides open, some with dunes, a road and a gully."""
    fields = choose(sides("open")) | choose(sides("dunes"))
    ways = {"roads": ["A2 B2 C3 D3 E4 F4"], "gullies": ["A5 B5 C5"]}
    return single(draw(written(choose(rows)), **fields, **ways))


def sight(board: HexMap) -> set[tuple[str, str]]:
    """Every pair of hexes between which the line of sight is clear."""
    look = Eyes(board, load_charts())
    return {(a, b) for a, b in product(board.names, repeat=2) if look.line(a, b).clear}


# --- lines of sight -----------------------------------------------------------------------------------------


@rule("8.2")
@settings(max_examples=25)
@given(boards(), st.integers(1, 5))
def test_8_2_lines_of_sight_know_no_north(board: HexMap, steps: int):
    """Half a turn also exchanges which end a line is followed from, so that this is their symmetry as well."""
    assert sight(rotated(board, steps)) == sight(board)


@rule("8.2")
@settings(max_examples=15)
@given(boards())
def test_8_2_lines_of_sight_are_the_same_from_both_ends(board: HexMap):
    there, back = Eyes(board, load_charts()), Eyes(turned(board), load_charts())
    for a, b in product(board.names, repeat=2):
        assert there.line(a, b).clear is back.line(b, a).clear
        assert there.line(a, b).clear is there.line(b, a).clear


@rule("8.2")
@settings(max_examples=25)
@given(boards())
def test_8_2_lines_of_sight_are_the_same_in_a_mirror(board: HexMap):
    assert sight(flipped(board)) == sight(board)


@rule("8.2", "8.2.4")
@settings(max_examples=25)
@given(boards())
def test_8_2_4_on_every_board_neighbours_see_each_other_and_everybody_themselves(board: HexMap):
    look = Eyes(board, load_charts())
    for name, around in board.neighbours.items():
        assert look.line(name, name).clear
        assert all(look.line(name, other).clear for other in around if other is not None)


@rule("8.2")
@settings(max_examples=15)
@given(rows)
def test_8_2_without_cover_or_heights_everybody_sees_everybody(tokens: list[list[str]]):
    plain = [["." if set(token) & set("wbtsh") else token for token in row] for row in tokens]
    board = single(draw(written(plain)))
    assert len(sight(board)) == len(board.names) ** 2


@rule("8.2")
@settings(max_examples=15)
@given(rows)
def test_8_2_taking_cover_away_never_blocks_a_line(tokens: list[list[str]]):
    """Over level ground: a board without its woods shows all that the board with them shows."""
    flat = [[token if token in "wt." else "." for token in row] for row in tokens]
    bare = [["." if token == "w" else token for token in row] for row in flat]
    assert sight(single(draw(written(flat)))) <= sight(single(draw(written(bare))))


# --- boards joined --------------------------------------------------------------------------------------------


@cache
def printed(number: int) -> Placement:
    return Placement(read_board(str(SCENARIOS / "boards" / f"own-{number}.toml")))


def placed(number: int, row: int, half_turn: bool) -> Placement:
    return Placement(printed(number).board, 0, row, half_turn)


@cache
def looks(*placements: tuple[int, int, bool]) -> Eyes:
    return Eyes(join([placed(*where) for where in placements]), load_charts())


@rule("8.2")
@settings(max_examples=300)
@given(st.sampled_from([(1, 2), (3, 4), (2, 3)]), st.booleans(), st.booleans(), st.randoms(use_true_random=False))
def test_8_2_boards_joined_and_the_whole_turned_round_show_the_same(pair, one_turned, two_turned, random):
    """The other way up: the second board first, both turned by half a turn; hexes keep their names."""
    one, two = pair
    up = looks((one, 0, one_turned), (two, 1, two_turned))
    upside_down = looks((two, 0, not two_turned), (one, 1, not one_turned))
    names = [name for name in up.coords if name in upside_down.coords]
    assert len(names) > 500
    a, b = random.choice(names), random.choice(names)
    assert up.map.distance(a, b) == upside_down.map.distance(a, b)
    assert up.line(a, b).clear is upside_down.line(a, b).clear


@rule("8.2")
@settings(max_examples=300)
@given(st.sampled_from([(1, 2), (3, 4), (2, 3)]), st.booleans(), st.randoms(use_true_random=False))
def test_8_2_a_board_joined_to_another_shows_what_it_shows_by_itself(pair, half_turn, random):
    one, two = pair
    alone, joined = looks((one, 0, False)), looks((one, 0, False), (two, 1, half_turn))
    names = [name for name in alone.coords if alone.map.cells[name].playable and name in joined.coords]
    a, b = random.choice(names), random.choice(names)
    assert alone.line(a, b).clear is joined.line(a, b).clear


# --- what steps cost --------------------------------------------------------------------------------------------


@rule("5.3")
@settings(max_examples=25)
@given(boards(), options, st.integers(1, 5))
def test_5_3_prices_know_no_north(board: HexMap, chosen: frozenset[str], steps: int):
    upright = Ground(board, load_charts(), chosen)
    for moved in (rotated(board, steps), flipped(board)):
        ground = Ground(moved, load_charts(), chosen)
        assert ground.prices == upright.prices
        assert ground.links == upright.links


@rule("5.3.1")
@settings(max_examples=40)
@given(st.sets(st.sampled_from("wbtavs"), min_size=1, max_size=3), st.sampled_from(MOVERS))
def test_5_3_1_several_terrains_cost_as_the_dearest_of_them(terrains: set[str], mover):
    def cost(token: str) -> int:
        return Ground(single(draw(f". {token}", open=[])), load_charts(), frozenset()).terrain(mover, "1-B1")

    assert cost("".join(sorted(terrains))) == max(cost(terrain) for terrain in terrains)


@rule("5.3.2")
@settings(max_examples=25)
@given(boards())
def test_5_3_2_class_c_never_pays_less_and_feet_never_more(board: HexMap):
    prices = Ground(board, load_charts(), frozenset()).prices
    for a, around in prices["vehicle"].items():
        for b, price in around.items():
            if price >= 0:
                assert prices["class C"][a][b] >= price
                assert 0 < prices["foot"][a][b] <= price
            else:
                assert prices["class C"][a][b] == price


@rule("5.1", "5.4.2")
@settings(max_examples=40)
@given(rows, st.sampled_from(["pz-iv-h", "truck-german", "cavalry-40-german"]), st.randoms(use_true_random=False))
def test_5_4_2_the_cheapest_way_costs_what_is_spent_on_it(tokens: list[list[str]], kind: str, random):
    """The way that is shown beforehand is the one that is paid for step by step."""
    fields = {"roads": ["A2 B2 C3 D3 E4 F4"], "tracks": ["C3 C4 C5"], "gullies": ["A5 B5 C5"]}
    game = play_on(
        written(tokens),
        mover=german(kind, "C3", movement=30),
        step="non-vehicle" if kind.startswith("cavalry") else "vehicle",
        fields=fields,
    )
    reached = ways(game.state, unit(game, "mover"), 20)
    if not reached:
        return
    goal = random.choice(sorted(reached))
    cost, path = reached[goal]
    start = unit(game, "mover").hex
    path = [hex for hex in path if hex != start]
    for hex in path:
        play(game, Move("mover", hex))
    if path:
        assert unit(game, "mover").hex == goal
        assume(isinstance(game.stack[-1], Moving))  # in a dead end the move is over
        assert spent(game, "mover") * 2 == cost


@pytest.mark.parametrize("number", [1, 2, 3, 4])
@rule("8.2")
def test_8_2_the_printed_boards_in_a_mirror_and_turned(number: int):
    """Every line of up to four hexes on the boards that come with the game."""
    board = single(printed(number).board)
    upright = Eyes(board, load_charts())
    for moved in (turned(board), flipped(board)):
        look = Eyes(moved, load_charts())
        for a in board.names[::5]:
            for b in board.within(a, 4):
                assert look.line(a, b).clear is upright.line(a, b).clear
