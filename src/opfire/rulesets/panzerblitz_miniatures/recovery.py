"""Recovery [REC]: the phasing side's dispersed units roll for their morale."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from opfire.core.actions import NOBODY, Action, Refusal
from opfire.core.events import Calculation, Event
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.rulesets.panzerblitz_miniatures.actions import EndPhase
from opfire.rulesets.panzerblitz_miniatures.morale import recovery
from opfire.rulesets.panzerblitz_miniatures.pieces import (
    Position,
    Side,
    Stand,
    UnitId,
    aboard,
    not_yours,
    off_the_table,
)


class Recover(Action, frozen=True):
    """Roll for the recovery of a dispersed unit."""

    says = "{unit} tries to recover"
    kind = "recover"
    final = True
    unit: UnitId


class RecoverAll(Action, frozen=True):
    """Roll for the recovery of all dispersed units that have not rolled."""

    says = "All dispersed units try to recover"
    kind = "recover"
    final = True


class RecoveryPhase(Frame, frozen=True):
    """The phasing side may try to recover each of its dispersed units, once [REC-1]."""

    takes = (Recover, RecoverAll, EndPhase)
    step = "recovery"
    rule = "REC-1"
    question = "Roll for the recovery of dispersed units"
    rolled: tuple[UnitId, ...] = ()

    def begin(self, game: Game[Position]) -> None:
        """Ask for the dispersed units; without any, the phase is over [SEQ-3]."""
        if not waiting(game.state, self.side, self.rolled):
            game.pop()

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        yield from (unit.id for unit in waiting(sight, side, self.rolled))

    def acts(self, sight: Position, side: str, actor: str) -> Iterable[Action]:
        return (RecoverAll(), EndPhase()) if actor == NOBODY else (Recover(actor),)

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case Recover(unit):
                return cannot_recover(side, sight.units[unit], self.rolled)
        return None

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case EndPhase():
                return game.pop()
            case Recover(unit):
                self._roll(game, (unit,))
            case RecoverAll():
                self._roll(game, tuple(unit.id for unit in waiting(game.state, self.side, self.rolled)))

    def _roll(self, game: Game[Position], units: tuple[UnitId, ...]) -> None:
        for unit in units:
            try_to_recover(game, unit)
        rolled = (*self.rolled, *units)
        game.swap(RecoveryPhase(self.side, rolled))
        if not waiting(game.state, self.side, rolled):
            game.pop()


def waiting(position: Position, side: Side, rolled: tuple[UnitId, ...]) -> list[Stand]:
    """The dispersed units of the side that have not rolled; passengers recover with their carrier [TRN-9]."""
    return [unit for unit in position.of(side) if unit.order == "dispersed" and unit.id not in rolled]


def cannot_recover(side: Side, unit: Stand, rolled: tuple[UnitId, ...]) -> Refusal | None:
    """Reject a unit that has nothing to recover from, or has tried it in this phase [REC-1]."""
    if refusal := not_yours(side, unit) or off_the_table(unit):
        return refusal
    if unit.order != "dispersed" or unit.carrier is not None:
        return Refusal("{} is not dispersed", "REC-1", (unit.name,))
    if unit.id in rolled:
        return Refusal("{} has tried to recover in this phase", "REC-1", (unit.name,))
    return None


def attempt(position: Position, unit: Stand) -> Calculation:
    """The roll of a unit for its recovery [REC-2]."""
    return recovery(position.charts, unit.name, position.setting.doctrine(unit.side).morale)


def try_to_recover(game: Game[Position], unit_id: UnitId) -> None:
    """Roll for a unit; it counts as dispersed until the turn ends [REC-3], and a failure costs nothing [REC-4]."""
    position = game.state
    unit = position.units[unit_id]
    calculation = attempt(position, unit)
    dice = game.roll(1, 6)
    result = calculation.result(dice)
    if result == "recovering":
        for name in (unit_id, *aboard(position, unit)):
            position.change(name, order="recovering")
    text = "{} recovers" if result == "recovering" else "{} remains dispersed"
    game.tell(Event("recovery", text, (unit.name,), "REC-2", (unit_id,), _place(unit), dice, calculation))


def _place(unit: Stand) -> tuple[tuple[int, int], ...]:
    return () if unit.at is None else (unit.at,)
