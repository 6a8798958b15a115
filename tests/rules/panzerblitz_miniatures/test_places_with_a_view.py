"""The computer player sets guns and vehicles up in places with a view of the ground over which the enemy comes."""

from __future__ import annotations

import random

import pytest

from opfire.ai import players
from opfire.core.dice import Dice
from opfire.core.record import new_game
from opfire.rulesets.panzerblitz_miniatures import RULESET
from opfire.rulesets.panzerblitz_miniatures.pieces import Position
from opfire.rulesets.panzerblitz_miniatures.setup import SetUp

SCENARIO = """
id = "view"
ruleset = "panzerblitz-miniatures"
title = "A wood with a view beside it"
source = "own"
turns = 6
first = "soviet"
setup = ["german", "soviet"]

[table]
size = [40, 20]

[[table.areas]]
kind = "woods"
name = "Wald"
points = "4,2 14,2 14,18 4,18"

[[zones]]
name = "wood"
box = [5, 3, 15, 17]

[[zones]]
name = "east"
box = [32, 5, 38, 15]

[sides.german]
name = "German"
nation = "german"
facing = 90
units = [{{ unit = "{kind}", zone = "wood" }}, {{ unit = "cp-german", at = ["2,10"] }}]

[sides.soviet]
name = "Soviet"
nation = "soviet"
facing = 270
units = [{{ unit = "t-34-76", zone = "east" }}, {{ unit = "cp-soviet", at = ["39,10"] }}]

[[victory]]
side = "german"
condition = "eliminate"
points = 1
"""


def set_up(kind: str) -> Position:
    """A position in which the German side has placed a unit of a kind."""
    game, player = new_game(RULESET, SCENARIO.format(kind=kind), Dice(bytes(32))), players()["greedy"]
    while game.stack and isinstance(game.stack[-1], SetUp):
        (seat, *_), rng = game.asked(), random.Random(1)
        game.play(seat, player.choose(game, seat, rng))
    found: Position = game.state
    return found


@pytest.mark.parametrize("kind", ["pak-75", "pz-iv-h"])
def test_guns_and_tanks_are_set_up_where_they_see_the_enemys_way(kind: str) -> None:
    """Woods hide a unit that is more than an inch inside: so deep there is cover, and nothing to see [LOB-1]."""
    position = set_up(kind)
    at = position.units["german-1"].at
    assert at is not None
    assert position.setting.lines.block(at, (22000, 10000)) is None
