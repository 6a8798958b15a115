"""Small battles for tests: a board, some vehicles in their hexes, dice that fall as told."""

from __future__ import annotations

from opfire.core.actions import Action
from opfire.core.dice import Dice
from opfire.core.game import Game
from opfire.core.scenario import parse
from opfire.rulesets.panzer import RULESET
from opfire.rulesets.panzer.commands import Command, HandIn
from opfire.rulesets.panzer.pieces import CommandName, Position
from opfire.rulesets.panzer.sequence import RollInitiative

OPEN = """
id = "plain"
number = "1"
title = "A Plain"
edges = "whole"
legend = "panzer"
columns = 12
rows = 8
hexes = '''
. . . . . . . . . . . .
. . . . . . . . . . . .
. . . . . . . . . . . .
. . . . . . . . . . . .
. . . . . . . . . . . .
. . . . . . . . . . . .
. . . . . . . . . . . .
. . . . . . . . . . . .
'''
"""
GERMANS, SOVIETS = 'units = [{ unit = "pz4h", at = ["1-A4"] }]', 'units = [{ unit = "t34_43", at = ["1-G4"] }]'


def text(
    board: str = OPEN, german: str = GERMANS, soviet: str = SOVIETS, turns: int = 3, options: tuple[str, ...] = ()
) -> str:
    """A scenario: Germans who face south-east, Soviets who face north-west."""
    return f'''
id = "battle"
ruleset = "panzer"
title = "A battle"
turns = {turns}
options = {list(options)}
first = "german"
map = """{board}"""
[sides.german]
name = "Germans"
nation = "german"
facing = 2
{german}
[sides.soviet]
name = "Soviets"
nation = "soviet"
facing = 5
{soviet}
[[victory]]
side = "german"
condition = "eliminate"
[[victory]]
side = "soviet"
condition = "control"
hexes = ["1-G4"]
'''


def game(scenario: str = "", script: tuple[int, ...] | None = (), seed: int = 0) -> Game[Position]:
    """A battle at its first Command Phase; the vehicles stand where the scenario puts them. None means real dice."""
    read = parse(scenario or text(), "battle.toml")
    state, frame = RULESET.start(RULESET.set_up(read))
    made = Game(RULESET, state, Dice(seed.to_bytes(32, "big"), script=script), {side: side for side in read.sides})
    made.push(frame)
    made.run()
    return made


def commanded(
    made: Game[Position], german: dict[int, CommandName] | None = None, soviet: dict[int, CommandName] | None = None
) -> Game[Position]:
    """Both sides hand their commands in, and roll for initiative."""
    for side, given in (("german", german or {}), ("soviet", soviet or {})):
        orders = tuple(Command(f"{side}-{number}", command) for number, command in given.items())
        if side in made.asked():
            made.play(side, HandIn(orders))
    made.play(made.asked()[0], RollInitiative())
    return made


def refused(made: Game[Position], seat: str, action: Action) -> str | None:
    """The rule by which an action is refused now, or None."""
    refusal = made.why_not(seat, action)
    return refusal.rule if refusal else None


def told(made: Game[Position], kind: str) -> list[str]:
    """The sentences of the last action's events of a kind."""
    return [event.sentence() for event in made.events if event.kind == kind]
