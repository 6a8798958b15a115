"""Boards and instructions [2]. Tests are named after rules."""

from __future__ import annotations

import random

import pytest

from edits import edited
from opfire.ai import players
from opfire.core import scenario
from opfire.core.dice import Dice
from opfire.core.errors import BadInput
from opfire.core.record import new_game
from opfire.core.ruleset import find
from opfire.core.scenario import Zone
from opfire.kit.boards import Area, zone_hexes
from opfire.kit.setup import PickUp, Ready
from opfire.rulesets.panzer_grenadier.setup.placing import Place
from opfire.rulesets.panzer_grenadier.setup.roster import hexes_of
from opfire.space.layout import Block, Laid, map_of
from rules.panzer_grenadier.kit import CLEAR, offered, play, refused, rule
from space.drawing import text

SIDE_BY_SIDE = (Laid("own-1", (0, 0), turned=False), Laid("own-3", (1, 0), turned=False))


@rule("2.2")
def test_2_2_a_hex_on_two_boards_is_in_the_zones_of_both():
    """The last column of the one board is the first one of the other, half a hex of each."""
    board = map_of(SIDE_BY_SIDE, "")
    last = zone_hexes(board, Zone("west"), Area(Block("own-1", "GG", "2-9")), hexes_of)
    first = zone_hexes(board, Zone("east"), Area(Block("own-3", "A", "2-9")), hexes_of)
    assert last == first == {f"1-GG{row}" for row in range(2, 10)}


@rule("2.2")
def test_2_2_and_no_other_hex_is():
    board = map_of(SIDE_BY_SIDE, "")
    west, east = (zone_hexes(board, Zone(name), Area(Block(name)), hexes_of) for name in ("own-1", "own-3"))
    assert west & east == {name for name in west if name.startswith("1-GG")}
    assert {name.partition("-")[0] for name in east - west} == {"3"}


@rule("2.3", "5.6")
def test_2_3_nobody_is_set_up_aboard_what_does_not_carry_him():
    """The rulebook has no riders on tanks."""
    text = scenario.text_of("pg-glinki")
    squad = 'unit = "sov-smg"\ncount = 3\n'
    assert squad in text
    with pytest.raises(BadInput, match="T-34/76 1 cannot carry units") as caught:
        new_game(find("panzer-grenadier"), edited(text, squad, squad + 'carrier = "sov-t34"\n'), Dice(bytes(32)))
    assert caught.value.where == "units of soviet"


CROWD = f"""
id = "crowd"
ruleset = "panzer-grenadier"
title = "Crowd"
turns = 3
first = "german"
map = '''
{text(CLEAR)}
'''
zones = [{{ name = "wide", list = ["1-A1", "1-A2"] }}, {{ name = "narrow", list = ["1-A1"] }}]
[sides.german]
name = "German"
nation = "german"
units = [{{ unit = "ger-inf", count = 3, zone = "wide" }}, {{ unit = "ger-hmg", zone = "narrow" }}]
[sides.soviet]
name = "Soviet"
nation = "soviet"
units = [{{ unit = "sov-inf", at = ["1-P10"] }}]
[special]
year = 1943
[special.sides.german]
initiative = 1
[special.sides.soviet]
initiative = 0
"""


@rule("2.3", "4.1")
def test_2_3_who_stands_where_another_has_to_is_taken_up_again() -> None:
    """Three fill the only hex that the fourth may set up in; they have another one."""
    game = new_game(find("panzer-grenadier"), CROWD, Dice(bytes(32)))
    play(game, Place("german-1", "1-A1"))
    assert refused(game, PickUp("german-1")) == "procedure"  # the others have room
    play(game, Place("german-2", "1-A1"), Place("german-3", "1-A1"))
    assert offered(game, PickUp) == {PickUp(f"german-{n}") for n in (1, 2, 3)} == set(game.choices("german"))
    play(game, PickUp("german-2"), Place("german-4", "1-A1"), Place("german-2", "1-A2"), Ready())
    assert game.state.units["german-4"].hex == "1-A1"


@pytest.mark.parametrize("name", ["random", "advance", "greedy"])
def test_computer_players_come_to_the_end_of_a_crowded_set_up(name: str) -> None:
    game, rng = new_game(find("panzer-grenadier"), CROWD, Dice(bytes(32))), random.Random(2)
    player = players()[name]
    for _ in range(100):
        if game.stack[-1].step == "set-up":
            game.play("german", player.choose(game, "german", rng))
    assert game.stack[-1].step != "set-up"
