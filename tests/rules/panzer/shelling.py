"""Battles of the Advanced Game at the Indirect Fire Step of the Germans, the First Player."""

from __future__ import annotations

from opfire.core.game import Game
from opfire.rulesets.panzer.commands import HandIn
from opfire.rulesets.panzer.fire.direct_fire import Asked, Keep
from opfire.rulesets.panzer.indirect.step import IndirectFireStep, Straying, settle
from opfire.rulesets.panzer.pieces import CommandName, Position
from opfire.rulesets.panzer.sequence import RollInitiative
from rules.panzer.battle import OPEN, game, text

GUNS = "german-battery-1"
WIDE = OPEN.replace("columns = 12", "columns = 24").replace(". . . . . . . . . . . .", " ".join(". " * 24))
"""A plain of 24 columns."""


def with_guns(*batteries: str) -> str:
    """The batteries of a side."""
    return f"batteries = [{', '.join(batteries)}]"


def shelling(
    german: str,
    commands: dict[int, CommandName],
    soviet: str,
    *dice: int,
    soviets: dict[int, CommandName] | None = None,
    board: str = OPEN,
    options: tuple[str, ...] = (),
) -> Game[Position]:
    """A battle whose Germans have these commands, at their Indirect Fire Step; later dice are for that."""
    made = game(text(board=board, german=german, soviet=soviet, options=("AG", *options)), (90, 10, *dice))
    for side in ("german", "soviet"):
        made.play(side, HandIn())
    for side, given in (("german", commands), ("soviet", soviets or {})):
        for number, command in given.items():
            made.state.change(f"{side}-{number}", command=command)
    made.play(made.asked()[0], RollInitiative())
    return made


def next_turn(made: Game[Position]) -> None:
    """The Germans' Indirect Fire Step of the next turn, all commands and places as they were."""
    made.state.turn, made.state.calls = made.state.turn + 1, ()
    settle(made.state)
    made.push(IndirectFireStep("german"))
    made.run()


def answered(made: Game[Position]) -> None:
    """All owners say that the commands of their vehicles have no effect."""
    while isinstance(made.stack[-1], Asked):
        made.play(made.asked()[0], Keep())


def astray(made: Game[Position]) -> bool:
    """Whether the other side is to choose on whom fire falls."""
    return isinstance(made.stack[-1], Straying)
