"""Boards and instructions [2]. Tests are named after rules."""

from __future__ import annotations

import pytest

from opfire.core import scenario
from opfire.core.dice import Dice
from opfire.core.errors import BadInput
from opfire.core.record import new_game
from opfire.core.ruleset import find
from opfire.core.scenario import Hexes, Placement, Zone
from opfire.rulesets.panzer_grenadier.setup import board_map, zone_hexes
from rules.panzer_grenadier.kit import rule

SIDE_BY_SIDE = (Placement("own-1", (0, 0), turned=False), Placement("own-3", (1, 0), turned=False))


@rule("2.2")
def test_2_2_a_hex_on_two_boards_is_in_the_zones_of_both():
    """The last column of the one board is the first one of the other, half a hex of each."""
    board = board_map(SIDE_BY_SIDE, "")
    last = zone_hexes(board, Zone("west", Hexes("own-1", "GG", "2-9")))
    first = zone_hexes(board, Zone("east", Hexes("own-3", "A", "2-9")))
    assert last == first == {f"1-GG{row}" for row in range(2, 10)}


@rule("2.2")
def test_2_2_and_no_other_hex_is():
    board = board_map(SIDE_BY_SIDE, "")
    west, east = (zone_hexes(board, Zone(name, Hexes(name))) for name in ("own-1", "own-3"))
    assert west & east == {name for name in west if name.startswith("1-GG")}
    assert {name.partition("-")[0] for name in east - west} == {"3"}


@rule("2.3", "5.6")
def test_2_3_nobody_is_set_up_aboard_what_does_not_carry_him():
    """The rulebook has no riders on tanks."""
    text = scenario.text_of("pg-glinki")
    squad = 'unit = "sov-smg"\ncount = 3\n'
    assert squad in text
    with pytest.raises(BadInput, match="T-34/76 1 carries nobody") as caught:
        new_game(find("panzer-grenadier"), text.replace(squad, squad + 'carrier = "sov-t34"\n'), Dice(bytes(32)))
    assert caught.value.where == "units of soviet"
