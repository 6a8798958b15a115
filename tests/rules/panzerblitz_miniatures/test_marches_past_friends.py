"""Plans of computer players for marches from a road: no leg runs into a friend or ends in its place."""

from __future__ import annotations

import pytest

from opfire.core import case
from opfire.core.actions import Action
from opfire.rulesets.panzerblitz_miniatures import RULESET
from opfire.rulesets.panzerblitz_miniatures.moving.marching import Move

COLUMN = """
ruleset = "panzerblitz-miniatures"
side = "german"
step = "movement"
turns = 6
victory = [{{ side = "german", condition = "control", hexes = ["{goal}"], points = 5 }}]

[table]
size = [40, 20]

[[table.lines]]
kind = "road"
name = "Weg"
points = "2,10 38,10"

[units.tank]
unit = "pz-iv-h"
at = "12,10"

[units.ahead]
unit = "truck-german"
at = "12.5,10"

[units.foe]
unit = "truck-soviet"
side = "soviet"
at = "39,19"
"""


@pytest.mark.parametrize("goal", ["15,9", "15,11", "16,7", "16,13"])
def test_a_march_off_the_road_goes_round_the_friend_ahead_on_it(goal: str) -> None:
    """Only a leg along the road passes a friend there [MOV-8]."""
    game = case.position(case.parse(COLUMN.format(goal=goal), "column.toml"))
    seat = next(seat for seat, side in game.seats.items() if side == "german")
    frame, choices = game.stack[-1].seen_by("german"), game.choices(seat)
    best = next(each for each in RULESET.suggest(game.sight(seat), "german", frame, choices))
    steps: list[Action] = [best.action, *best.route]
    assert isinstance(steps[0], Move)
    assert steps[0].unit == "tank"
    for step in steps:
        assert game.why_not(seat, step) is None
        game.play(seat, step)
