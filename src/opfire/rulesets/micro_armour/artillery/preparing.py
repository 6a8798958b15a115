"""Missions that are written before the game: barrages [7.6.2.4] and pre-registered missions [7.6.2.2]."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from opfire.core.actions import NOBODY, Action, Refusal
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.rulesets.micro_armour.artillery.batteries import is_battery
from opfire.rulesets.micro_armour.artillery.record import (
    all_given,
    barrages_allowed,
    pre_registered_allowed,
    record,
    registered_names,
)
from opfire.rulesets.micro_armour.artillery.writing import open_line, too_late
from opfire.rulesets.micro_armour.pieces import Position, Side, Stand, UnitId, not_yours


class Register(Action, frozen=True):
    """Write a line of a pre-registered mission by this name for a battery [7.6.2.2-set]."""

    says = "{unit}: {name}"
    kind = "plot"
    unit: UnitId
    name: str


class Bombard(Action, frozen=True):
    """Write a barrage for a battery [7.6.2.4-plot]."""

    says = "{unit}: a barrage"
    kind = "plot"
    unit: UnitId


class NoMoreMissions(Action, frozen=True):
    """Write no more missions before the game."""

    says = "No more missions"
    kind = "done"
    final = True


def cannot_register(position: Position, side: Side, unit: Stand, name: str) -> Refusal | None:
    """Reject a battery or a name for a pre-registered mission [7.6.2.2-set, 7.6.2.2-count]."""
    if refusal := not_yours(side, unit):
        return refusal
    if all(unit.id != battery.id for battery in _guns(position, side)):
        return Refusal("{} does not fire indirectly", "7.6-who", (unit.name,))
    names = registered_names(position, side)
    if name not in (*names, _next_name(names)):
        return Refusal("{} is no name: choose {}", "7.6.2.2-set", (name, _next_name(names)))
    if name not in names and len(names) >= pre_registered_allowed(position, side):
        return Refusal("You may register {} missions", "7.6.2.2-count", (pre_registered_allowed(position, side),))
    if any(unit.id in mission.batteries and mission.name == name for mission in record(position, side)):
        return Refusal("{} has its line in {}", "7.6.2.2-set", (unit.name, name))
    return None


def cannot_bombard(position: Position, side: Side, unit: Stand) -> Refusal | None:
    """Reject a battery for a barrage [7.6.2.4-plot]."""
    if refusal := not_yours(side, unit):
        return refusal
    if all(unit.id != battery.id for battery in _guns(position, side)):
        return Refusal("{} does not fire indirectly", "7.6-who", (unit.name,))
    if not barrages_allowed(position):
        return Refusal("There are no barrages in this type of scenario", "7.6.2.4-plot")
    if refusal := all_given(position, unit, 1):
        return refusal
    return too_late(position, open_line(position, side, "barrage", unit, "", ""))


def _next_name(names: tuple[str, ...]) -> str:
    return f"Target {len(names) + 1}"


class BarragePlot(Frame, frozen=True):
    """A side writes its barrages, in secret, before either side sets up [7.6.2.4-plot]."""

    takes = (Bombard, NoMoreMissions)
    step = "set-up"
    rule = "7.6.2.4-plot"
    question = "Write your barrages"

    def begin(self, game: Game[Position]) -> None:
        if not (barrages_allowed(game.state) and _guns(game.state, self.side)):
            game.pop()

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        yield from (unit.id for unit in _guns(sight, side) if cannot_bombard(sight, side, unit) is None)

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        yield NoMoreMissions() if actor == NOBODY else Bombard(actor)

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        if isinstance(action, Bombard):
            return cannot_bombard(sight, side, sight.units[action.unit])
        return None

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case Bombard(unit):
                game.push(open_line(game.state, self.side, "barrage", game.state.units[unit], "", ""))
            case NoMoreMissions():
                game.pop()

    def only(self, state: Position, action: Action) -> tuple[str, ...]:
        """The side alone knows its barrages [7.6.3-fields]."""
        return () if isinstance(action, NoMoreMissions) else (self.side,)


class Registration(Frame, frozen=True):
    """The defender writes its pre-registered missions, in secret, once it has set up [7.6.2.2-set]."""

    takes = (Register, NoMoreMissions)
    step = "set-up"
    rule = "7.6.2.2-set"
    question = "Write your pre-registered missions"

    def begin(self, game: Game[Position]) -> None:
        if not (pre_registered_allowed(game.state, self.side) and _guns(game.state, self.side)):
            game.pop()

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        for unit in _guns(sight, side):
            if next(self.acts(sight, side, unit.id), None) is not None:
                yield unit.id

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        if actor == NOBODY:
            yield NoMoreMissions()
            return
        names = registered_names(sight, side)
        for name in (*names, _next_name(names)):
            if cannot_register(sight, side, sight.units[actor], name) is None:
                yield Register(actor, name)

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        if isinstance(action, Register):
            return cannot_register(sight, side, sight.units[action.unit], action.name)
        return None

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case Register(unit, name):
                game.push(open_line(game.state, self.side, "pre-registered", game.state.units[unit], "", name))
            case NoMoreMissions():
                game.pop()

    def only(self, state: Position, action: Action) -> tuple[str, ...]:
        """The side alone knows its missions [7.6.2.2-set]."""
        return () if isinstance(action, NoMoreMissions) else (self.side,)


def _guns(position: Position, side: Side) -> list[Stand]:
    """The side's batteries that fire indirectly, also those that wait to be placed."""
    waiting = ("to place", "off the map", "on the table")
    own = position.pick(position.setting.ids[side])
    return [unit for unit in own if is_battery(unit) and unit.kind.indirect and unit.status in waiting]


def settle_batteries(position: Position) -> None:
    """Note where batteries stand that had no place when their barrages were written [7.4.11]."""
    for mission in position.missions.values():
        stood = tuple(unit.at for unit in position.pick(mission.batteries))
        position.missions[mission.id] = replace(mission, stood=stood)
