"""What the enemy may not know: hidden units, tank leaders, minefields (6.8, 16.6, 16.7)."""

from __future__ import annotations

import random

import pytest
from msgspec import json

from core import contract
from opfire.core.game import SPECTATOR
from opfire.core.match import Match
from opfire.rulesets.panzer_grenadier import RULESET
from opfire.rulesets.panzer_grenadier.actions import Pass
from opfire.rulesets.panzer_grenadier.setup import DrawPieces, GiveTankLeader, LayMines, Place, Ready
from rules.panzer_grenadier.kit import draw, german, marker, rule, soviet
from space.drawing import text

SCENARIO = f"""
id = "secrets"
ruleset = "panzer-grenadier"
title = "Secrets"
turns = 2
first = "german"
setup = ["soviet", "german"]
map = '''
{text(chr(10).join([". " * 10] * 6))}
'''
[sides.german]
name = "German"
nation = "german"
[[sides.german.units]]
unit = "ger-inf"
count = 2
zone = "west"
[[sides.german.units]]
unit = "ger-pz3"
count = 1
zone = "west"
[sides.soviet]
name = "Soviet"
nation = "soviet"
[[sides.soviet.units]]
unit = "sov-at-45"
count = 1
zone = "east"
below = "hidden"
[[sides.soviet.units]]
unit = "sov-t34"
count = 2
zone = "east"
[[zones]]
name = "west"
list = ["1-A1", "1-A2", "1-A3"]
[[zones]]
name = "east"
list = ["1-H2", "1-H3", "1-I2", "1-I3"]
[special]
year = 1942
[special.sides.german]
initiative = 6
[special.sides.soviet]
initiative = 0
mines = 2
tank_leaders = 1
"""


def opening(gun: str, led: str) -> contract.Script:
    """A set-up with the hidden gun in that hex and the tank leader in that tank."""
    return (
        ("soviet", DrawPieces()),
        ("soviet", Place("soviet-1", gun)),
        ("soviet", Place("soviet-2", "1-I2")),
        ("soviet", Place("soviet-3", "1-I2")),
        ("soviet", LayMines("1-H3")),
        ("soviet", LayMines("1-I3")),
        ("soviet", GiveTankLeader(led)),
        ("soviet", Ready()),
        ("german", Place("german-1", "1-A1")),
        ("german", Place("german-2", "1-A2")),
        ("german", Place("german-3", "1-A3")),
        ("german", Ready()),
        ("german", Pass()),
    )


TWIN = contract.Twin(("german", SPECTATOR), opening("1-H2", "soviet-2"), opening("1-I3", "soviet-3"))
CASE = contract.Case(RULESET, SCENARIO, most=20000, every=17, twins=(TWIN,))


@rule("16.6", "6.8")
def test_16_6_nobody_can_tell_where_hidden_units_are_nor_which_tank_has_the_leader() -> None:
    contract.check_leaks(CASE, TWIN, 1)


@rule("16.7", "16.6", "6.8")
@pytest.mark.parametrize("check", contract.CHECKS, ids=lambda check: check.__name__)
def test_the_kernel_holds_with_secrets(check: object) -> None:
    assert callable(check)
    check(CASE, 3)


@rule("16.7")
def test_16_7_mines_lie_face_down_for_the_enemy_alone() -> None:
    game = draw(
        inf=german("ger-inf", "A1"),
        foe=soviet("sov-inf", "L1"),
        markers=[marker("mines", "E5", side="soviet", value="3"), marker("mines", "E6", side="soviet", value="0")],
    )
    known = {side: [mine["value"] for mine in game.view(side)["markers"]] for side in ("german", "soviet", SPECTATOR)}
    assert known == {"german": ["?", "?"], "soviet": ["3", "dummy"], SPECTATOR: ["?", "?"]}


@rule("16.7")
def test_16_7_imagined_mines_are_of_the_cup_and_differ() -> None:
    game = draw(
        inf=german("ger-inf", "A1"),
        foe=soviet("sov-inf", "L1"),
        markers=[marker("mines", "E5", side="soviet", value="3")],
    )
    strengths = {
        game.imagine("german", random.Random(seed)).state.works["1-E5"].mines[0].strength for seed in range(40)
    }
    assert strengths == {0, 1, 2, 3}


def test_the_bytes_sent_to_a_blind_seat_hold_no_hex_of_a_hidden_unit() -> None:
    match = Match.start(SCENARIO, nonces={"german": "a", "soviet": "b"}, key=bytes(32))
    for seat, action in opening("1-H2", "soviet-2")[:-1]:
        match.play(seat, action)
    mine, theirs = (next(u for u in match.game.view(s)["units"] if u["id"] == "soviet-1") for s in ("soviet", "german"))
    assert mine["hex"] == "1-H2"
    assert b"1-H2" not in json.encode(theirs)
    assert b"1-H2" not in json.encode([u for u in match.game.view("german")["units"] if u["side"] == "soviet"])
