"""Loss of a command unit [10.1.7]: in the marker removal phase a stand takes command, if its side's cohesion allows."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from opfire.core.actions import NOBODY, Action, Refusal
from opfire.core.events import Calculation, Event
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.texts import say
from opfire.rulesets.micro_armour.artillery.observers import in_play
from opfire.rulesets.micro_armour.charts import Charts
from opfire.rulesets.micro_armour.cohesion import (
    DIE,
    SUCCESS,
    cohesion_roll,
    force_level,
    level,
    modifier,
    states,
    tested,
)
from opfire.rulesets.micro_armour.moving.orders import cannot_succeed, new_quality, succession
from opfire.rulesets.micro_armour.pieces import Position, Side, Stand, UnitId, not_yours, off_the_table

STEADY = 15
"""The cohesion from which a new general headquarters rolls for its quality [10.1.7-quality]."""


class TakeCommand(Action, frozen=True):
    """Name the stand that takes the place of a lost headquarters."""

    says = "{unit} takes command for {lost}"
    kind = "command"
    final = True
    unit: UnitId
    lost: UnitId


def vacant(position: Position, side: Side) -> list[Stand]:
    """The lost headquarters of a side that nobody has replaced, general ones first [10.1.7-name].

    After a landing their successors take some turns to appear [8.10.1.4].
    """
    found = (unit for unit in position.pick(position.setting.ids[side]) if unit.rank and not unit.replaced)
    lost = (unit for unit in found if unit.status in ("eliminated", "exited") and not _to_wait(position, unit))
    return sorted(lost, key=lambda unit: unit.rank != "GHQ")


def _to_wait(position: Position, lost: Stand) -> bool:
    """Return whether the successor of a headquarters that was lost in landing is still to come [8.10.1.4].

    That of a general one comes with the full cohesion of its force [8.10.1.5].
    """
    if not lost.crashed:
        return False
    return lost.side in position.surprise if lost.rank == "GHQ" else lost.awaited > position.turn


def cannot_take(position: Position, side: Side, action: TakeCommand) -> Refusal | None:
    """Reject a stand that may not take the place of a lost headquarters [10.1.7-limits]."""
    unit, lost = position.units[action.unit], position.units[action.lost]
    if refusal := not_yours(side, unit) or off_the_table(unit):
        return refusal
    if lost not in vacant(position, side):
        return Refusal("{} needs no successor.", "10.1.7-name", (lost.name,))
    if unit.rank == lost.rank or unit.rank == "GHQ":
        return Refusal("{} commands already.", "10.1.7-name", (unit.name,))
    if lost.crashed:
        return None
    return cannot_succeed(force_level(position, side), lost.rank == "GHQ", unit.rank == "HQ")


def command_roll(position: Position, unit: Stand) -> Calculation:
    """The roll with which a stand takes command, by nation and by its own states [10.1.7-roll, 5.2-SD]."""
    amount = succession(position.charts, position.setting.nation(unit.side))
    lines = [*states(unit), modifier("change in command", amount, "10.1.7-roll")]
    return cohesion_roll("to take command", "10.1.7-roll", level(position, unit), lines)


class CommandReplacement(Frame, frozen=True):
    """Each side names a successor for each lost headquarters, and rolls for it: RULINGS.md R30."""

    takes = (TakeCommand,)
    step = "removal"
    rule = "10.1.7-name"
    question = "Which stand takes command for {lost}?"
    lost: UnitId = ""
    seen: tuple[UnitId, ...] = ()

    def begin(self, game: Game[Position]) -> None:
        _next(game, self)

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield from (unit.id for unit in in_play(sight, side))

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        action = TakeCommand(actor, self.lost)
        if actor != NOBODY and self.refusal(sight, side, action) is None:
            yield action

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        assert isinstance(action, TakeCommand)
        if action.lost != self.lost:
            return Refusal("Name the successor of {} now.", "10.1.7-name", (sight.units[self.lost].name,))
        return cannot_take(sight, side, action)

    def play(self, game: Game[Position], action: TakeCommand) -> None:
        take(game, action)
        _next(game, self)

    def prompt(self, sight: Position, side: str) -> str:
        return say(self.question, lost=sight.units[self.lost].name)


def _next(game: Game[Position], frame: CommandReplacement) -> None:
    """Ask for the next lost headquarters for which there is a candidate."""
    position = game.state
    for side in (position.initiative, position.setting.other[position.initiative]):
        for lost in vacant(position, side):
            tries = (TakeCommand(unit.id, lost.id) for unit in in_play(position, side))
            if lost.id not in frame.seen and any(cannot_take(position, side, each) is None for each in tries):
                return game.swap(replace(frame, side=side, lost=lost.id, seen=(*frame.seen, lost.id)))
    game.pop()


def take(game: Game[Position], action: TakeCommand) -> None:
    """Roll for a change in command; a failure is tried again in the next turn [10.1.7-roll].

    The successor of a headquarters that was lost in landing needs no roll [8.10.1.4]: RULINGS.md R67.
    """
    position = game.state
    unit, lost = position.units[action.unit], position.units[action.lost]
    roll = command_roll(position, unit)
    if not lost.crashed and roll.result([tested(game, unit, roll)]) != SUCCESS:
        return
    quality = _quality(game, unit) if lost.rank == "GHQ" else 0
    position.change(lost.id, replaced=True)
    position.change(unit.id, rank=lost.rank, quality=quality)
    facts = (unit.name, lost.rank, quality) if lost.rank == "GHQ" else (unit.name, lost.rank)
    words = "{} is the new {}, quality {:+}" if lost.rank == "GHQ" else "{} is the new {}"
    game.tell(Event("command", words, facts, "10.1.7-roll", (unit.id,)))


def rolls_for_quality(position: Position, unit: Stand) -> bool:
    """Return whether a new general headquarters rolls for its quality: only that of a steady force [10.1.7-quality]."""
    return force_level(position, unit.side) >= STEADY


def _quality(game: Game[Position], unit: Stand) -> int:
    """The quality of a new general headquarters; those of shaky forces have none [10.1.7-quality]."""
    if not rolls_for_quality(game.state, unit):
        return 0
    roll, dice = quality_roll(game.state.charts), game.roll(1, DIE)
    found = roll.result(dice)
    facts = (unit.name, dice[0], found)
    words = "{} rolled {} for its quality: {}"
    game.tell(Event("command", words, facts, roll.rule, (unit.id,), (), tuple(dice), roll))
    return int(found)


def quality_roll(charts: Charts) -> Calculation:
    """The roll for the quality of a new general headquarters [10.1.7-quality]."""
    outcomes = tuple(f"{new_quality(charts, number):+}" for number in range(1, DIE + 1))
    return Calculation("quality of the headquarters", "10.1.7-quality", (), 1, DIE, outcomes)
