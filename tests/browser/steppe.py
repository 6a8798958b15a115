"""Positions of Panzer Grenadier: a platoon or two on each side of the meadows round the Old Bridge."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from opfire.core.actions import Action
from opfire.core.match import Match
from opfire.kit.setup import Ready
from opfire.rulesets.panzer_grenadier.setup.placing import Place
from opfire.rulesets.panzer_grenadier.setup.setting_up import DrawPieces

INFANTRY, MACHINE_GUNS, AWAY, LIEUTENANT, SERGEANT = (
    "german-1",
    "german-2",
    "german-3",
    "german-leader-1",
    "german-leader-2",
)
FOE, AMBUSH = "soviet-1", "soviet-2"
WITH_LEADER, FLANK, FAR, IN_FRONT, HIDEOUT = "2-V2", "2-V3", "2-L9", "2-Y2", "2-AA10"

SIDES = """
id = "steppe"
ruleset = "panzer-grenadier"
title = "On the steppe"
turns = 3
first = "german"
setup = ["german", "soviet"]

[[boards]]
board = "own-2"
crop = ["2-L1", "2-AA10"]

[sides.german]
name = "German"
nation = "german"

[[sides.german.units]]
unit = "ger-inf"
at = ["2-V2"]

[[sides.german.units]]
unit = "ger-hmg"
at = ["2-V3"]

[[sides.german.units]]
unit = "ger-inf"
at = ["2-L9"]

[sides.soviet]
name = "Soviet"
nation = "soviet"

[[sides.soviet.units]]
unit = "sov-inf"
at = ["{foe}"]

[[sides.soviet.units]]
unit = "sov-at-45"
at = ["2-AA10"]
below = "hidden"

[[zones]]
name = "meadow"
hexes = {{ board = "own-2", columns = "L-X", rows = "1-10" }}

[[victory]]
side = "german"
condition = "eliminate"
points = 1

[[victory]]
side = "soviet"
condition = "eliminate"
points = 1

[special]
year = 1943

[special.sides.german]
initiative = 9
leaders = {{ LT = 1, SGT = 1 }}
leader_zone = "meadow"

[special.sides.soviet]
initiative = 1
"""
"""Infantry (5-3) and machine guns (9-5) beside each other, infantry far away, against infantry (4-2), and a gun
that lies hidden. The Germans have the initiative whatever the dice say."""

LEADERS = {LIEUTENANT: WITH_LEADER, SERGEANT: FAR}


def steppe(foe: str = IN_FRONT) -> str:
    """The scenario, with the Soviet infantry in that hex."""
    return SIDES.format(foe=foe)


def begun(*actions: Action, leaders: Mapping[str, str] = LEADERS) -> Callable[[Match], None]:
    """Both sides set up, the leaders in these hexes; then the first side has done these things."""

    def play(match: Match) -> None:
        while match.game.stack[-1].step == "set-up":
            side = match.game.asked()[0]
            match.play(side, _next(match.game.choices(side), leaders))
        for action in actions:
            match.play(match.game.asked()[0], action)

    return play


def _next(choices: Iterable[Action], leaders: Mapping[str, str]) -> Action:
    """Draw who leads, place him, and say that it is all."""
    for choice in choices:
        if isinstance(choice, DrawPieces | Ready):
            return choice
    return next(choice for choice in choices if isinstance(choice, Place) and leaders.get(choice.unit) == choice.hex)
