"""Games of two sides in the Air Phase of the first, with dice that fall as told: for tests of airpower."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from edits import edited
from opfire.core.dice import Dice
from opfire.core.game import Game
from opfire.core.scenario import parse
from opfire.rulesets.panzerblitz_miniatures import RULESET
from opfire.rulesets.panzerblitz_miniatures.airpower.airphase import AirPhase
from opfire.rulesets.panzerblitz_miniatures.pieces import Position
from rules.panzerblitz_miniatures.marches import Units, scenario

WOOD = '[[areas]]\nkind = "woods"\npoints = "18,8 22,8 22,12 18,12"\n'
LAKE = '[[areas]]\nkind = "water"\npoints = "18,8 22,8 22,12 18,12"\n'
TOWN = '[[areas]]\nkind = "town"\npoints = "18,8 22,8 22,12 18,12"\n'
RIDGE = '[[lines]]\nkind = "crest"\npoints = "15,1 15,29"\n'


def sky(
    red: Units,
    blue: Units = (),
    ground: str = "",
    more: str = "",
    head: str = "",
    dice: Sequence[int] = (),
    **values: Mapping[str, Any],
) -> Game[Position]:
    """A game at red's Air Phase of turn 1; `head` are lines at the top of the scenario, `values` change units."""
    text = edited(scenario(red, blue, ground, more), "turns = 4\n", f"turns = 4\n{head}\n")
    setting = parse(text, "sky.toml")
    state, _ = RULESET.start(RULESET.set_up(setting))
    state.turn, state.current = 1, "red"
    for name, changes in values.items():
        state.change(name.replace("_", "-"), **changes)
    made = Game(RULESET, state, Dice(bytes(32), script=tuple(dice)), {side: side for side in ("red", "blue")})
    made.push(AirPhase("red"))
    made.run()
    return made


def refused(game: Game[Position], side: str, action: Any) -> str:
    """The rule by which the action is refused now, or nothing."""
    refusal = game.why_not(side, action)
    return refusal.rule if refusal else ""


def top(game: Game[Position]) -> str:
    """The name of the frame that waits, or nothing at the end of the phase."""
    return type(game.stack[-1]).__name__ if game.stack else ""
