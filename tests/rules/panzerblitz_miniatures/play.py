"""Games of small tables for tests: a scenario's text, dice that fall as told."""

from __future__ import annotations

from opfire.core.dice import Dice
from opfire.core.game import Game
from opfire.core.scenario import parse
from opfire.rulesets.panzerblitz_miniatures import RULESET
from opfire.rulesets.panzerblitz_miniatures.pieces import Position


def field(text: str, script: tuple[int, ...] = ()) -> Game[Position]:
    """The game of a scenario, run up to its first decision."""
    scenario = parse(text, "field.toml")
    state, frame = RULESET.start(RULESET.set_up(scenario))
    made = Game(RULESET, state, Dice(bytes(32), script=script), {side: side for side in scenario.sides})
    made.push(frame)
    made.run()
    return made
