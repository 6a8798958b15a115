"""Battles of the Advanced Game at a side's Movement Step, for tests of movement."""

from __future__ import annotations

from opfire.core.actions import Action
from opfire.core.game import Game
from opfire.kit.orders import Pass
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.commands import HandIn
from opfire.rulesets.panzer.fire.overwatch import Overwatch
from opfire.rulesets.panzer.pieces import CommandName, Position
from opfire.rulesets.panzer.sequence import RollInitiative
from rules.panzer.battle import OPEN, game, refused, text

FAR = 'units = [{ unit = "t34_43", at = ["1-L8"] }]'


def army(*units: tuple[str, str], more: str = "") -> str:
    """The section of a side: its units, each with its hex, or with the unit that carries it."""
    rows = (
        f'{{ unit = "{unit}", at = ["{at}"] }}' if at.startswith("1-") else f'{{ unit = "{unit}", carrier = "{at}" }}'
        for unit, at in units
    )
    return f"{more}\nunits = [{', '.join(rows)}]"


def marching(
    german: str,
    commands: dict[int, CommandName],
    *,
    board: str = OPEN,
    soviet: str = FAR,
    dice: tuple[int, ...] = (),
    options: tuple[str, ...] = (),
    **values: object,
) -> Game[Position]:
    """The Germans' Movement Step, before the Soviets': their units have these commands, the first these values."""
    made = game(text(board=board, german=german, soviet=soviet, options=("AG", *options)), (10, 90, *dice))
    for side in ("german", "soviet"):
        made.play(side, HandIn())
    made.play(made.asked()[0], RollInitiative())
    for number, command in commands.items():
        made.state.change(f"german-{number}", command=command)
    made.state.change("german-1", **values)
    while made.stack[-1].step != "movement" or made.stack[-1].side != "german":
        made.play(made.asked()[0], Pass() if isinstance(made.stack[-1], Overwatch) else EndStep())
    return made


def tried(made: Game[Position], *actions: Action) -> str | None:
    """Play Germans' actions without overwatch in answer; the rule that stops them, or None."""
    for action in actions:
        if rule := refused(made, "german", action):
            return rule
        made.play("german", action)
        while isinstance(made.stack[-1], Overwatch):
            made.play(made.asked()[0], Pass())
    return None
