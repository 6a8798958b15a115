"""Small battles for tests of attacks: stands at points in inches, terrain in a few lines, dice that fall as told."""

from __future__ import annotations

from opfire.core.actions import Action
from opfire.core.dice import Dice
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.scenario import parse
from opfire.rulesets.panzerblitz_miniatures import RULESET
from opfire.rulesets.panzerblitz_miniatures.pieces import Position, Stand

HEAD = """
id = "battle"
ruleset = "panzerblitz-miniatures"
title = "A battle"
turns = 9
first = "red"
victory = [{ side = "red", condition = "eliminate" }]
"""


def battle(
    red: str,
    blue: str,
    *,
    more: str = "",
    table: str = "",
    sides: str = "",
    script: tuple[int, ...] = (),
) -> Game[Position]:
    """A game without a frame yet: the stands of two sides, each text like `pz-iv-h 5,5; rifle-40-german 6,6`.

    `more` are lines of the scenario before its sections, `table` those of its terrain, `sides` those of both sides. A
    stand after `+` rides in or on the one before it.
    """
    text = f"{HEAD}{more}\n{_side('red', red, sides)}{_side('blue', blue, sides)}\n[table]\nsize = [40, 30]\n{table}"
    scenario = parse(text.replace("[[", "[[table.") if "[[" in table else text, "battle.toml")
    state, _ = RULESET.start(RULESET.set_up(scenario))
    return Game(RULESET, state, Dice(bytes(32), script=script), {side: side for side in scenario.sides})


def _side(name: str, stands: str, lines: str) -> str:
    units = ", ".join(_unit(part.split()) for part in stands.split(";"))
    nation = {"red": "german", "blue": "soviet"}[name]
    return f'[sides.{name}]\nname = "{name.title()}"\nnation = "{nation}"\n{lines}\nunits = [{units}]\n'


def _unit(words: list[str]) -> str:
    kind, at = words
    return (
        f'{{ unit = "{kind}", carrier = "{at[1:]}" }}'
        if at.startswith("+")
        else f'{{ unit = "{kind}", at = ["{at}"] }}'
    )


def under(game: Game[Position], *frames: Frame) -> Game[Position]:
    """The game with these frames on its stack, the last one on top, waiting for a decision."""
    for frame in frames:
        game.push(frame)
    game.run()
    return game


def stand(game: Game[Position], name: str) -> Stand:
    """A stand of the game: `red-1` is the first of Red."""
    return game.state.units[name]


def refused(game: Game[Position], side: str, action: Action) -> str:
    """The rule by which an action is refused; empty if it is allowed."""
    refusal = game.why_not(side, action)
    return refusal.rule if refusal else ""
