"""The artillery fire phase [4.0-3, 7.4.1]: missions that are due and direct fire, side by side in turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from opfire.core.actions import NOBODY, PROCEDURE, Action, Offer, Refusal
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.texts import say
from opfire.rulesets.micro_armour.air.planes import may_come
from opfire.rulesets.micro_armour.air.strikes import (
    AirStrike,
    DropBombs,
    Strafe,
    attacks,
    cannot_bomb,
    cannot_strafe,
    lift_bombs,
)
from opfire.rulesets.micro_armour.alternation import Begin, Pass, after_pass, next_turn
from opfire.rulesets.micro_armour.artillery import close_support
from opfire.rulesets.micro_armour.artillery.batteries import batteries
from opfire.rulesets.micro_armour.artillery.close_support import CloseSupport
from opfire.rulesets.micro_armour.artillery.direct import (
    FireDirect,
    ProtectiveFire,
    cannot_break_off,
    cannot_fire_direct,
    fire_direct,
    sheafs_at,
)
from opfire.rulesets.micro_armour.artillery.grouped import (
    FireTogether,
    GroupedFire,
    cannot_fire_together,
    partners,
)
from opfire.rulesets.micro_armour.artillery.indirect import cannot_join, carry_out, drop, join, leave
from opfire.rulesets.micro_armour.artillery.missions import Mission, is_due, is_scheduled
from opfire.rulesets.micro_armour.artillery.record import due, record
from opfire.rulesets.micro_armour.artillery.rolls import succeeds, to_cancel
from opfire.rulesets.micro_armour.pieces import Position, Side, UnitId
from opfire.rulesets.micro_armour.works.demolition import Demolish, demolish


class CarryOut(Action, frozen=True):
    """Carry out a mission that is due [7.6.1.1]."""

    says = "Carry out {mission}"
    kind = "fire"
    final = True
    mission: str


class AddBattery(Action, frozen=True):
    """Add an American battery without a mission to one of this turn [7.8.3]."""

    says = "{unit} joins {mission}"
    kind = "fire"
    final = True
    unit: UnitId
    mission: str


class ArtilleryPhase(Frame, frozen=True):
    """Sides place and resolve one artillery attack or air strike in turn until both have passed [4.0-3, 7.4.1].

    `begun` says that the side with the initiative has named the first one. `free` is a battery that has left its
    mission for final protective fire [7.6.1.5].
    """

    takes = (
        Begin, CarryOut, AddBattery, FireDirect, FireTogether, ProtectiveFire, CloseSupport, Demolish, Strafe,
        DropBombs, Pass,
    )  # fmt: skip
    step = "artillery"
    rule = "4.0-3"
    begun: bool = False
    passed: tuple[Side, ...] = ()
    free: UnitId = ""

    def begin(self, game: Game[Position]) -> None:
        """The side with the initiative decides who fires first [4.0-3].

        With no artillery and no aircraft in the game there is no phase.
        """
        if not any(may_fire(game.state, side) for side in game.state.setting.sides):
            return game.pop()
        game.swap(replace(self, side=game.state.initiative))

    def alternation(self) -> tuple[Side, ...]:
        return self.passed

    def prompt(self, sight: Position, side: str) -> str:
        words = "Carry out a mission, fire directly, or pass"
        return say(words if self.begun else "Which side's artillery fires first?")

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        if self.free:
            yield self.free
        elif self.begun:
            yield from (unit.id for unit in batteries(sight, side) if unit.at is not None and not unit.fired)
            yield from (unit.id for unit in sight.of(side) if close_support.cannot_support(side, unit) is None)

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Offer]:
        if not self.begun:
            yield from (Begin(name) for name in sight.setting.sides)
        elif actor == NOBODY:
            yield Pass()
            if not self.free:
                yield from (CarryOut(mission.id) for mission in due(sight, side))
                yield from self._additions(sight, side)
                yield from attacks(sight, side)
        else:
            yield from self._shots(sight, side, actor)

    def _additions(self, sight: Position, side: Side) -> Iterator[Action]:
        """The batteries off the map that may join a mission [7.8.3]; those on the table are asked by themselves."""
        for unit in batteries(sight, side):
            if unit.at is None:
                yield from self._joining(sight, side, unit.id)

    def _joining(self, sight: Position, side: Side, unit_id: UnitId) -> Iterator[Action]:
        for mission in record(sight, side):
            unit = sight.units[unit_id]
            if is_scheduled(mission, sight.turn) and cannot_join(sight, side, unit, mission) is None:
                yield AddBattery(unit_id, mission.id)

    def _shots(self, sight: Position, side: Side, actor: UnitId) -> Iterator[Offer]:
        unit = sight.units[actor]
        yield from sheafs_at(sight, side, (actor,))
        yield from close_support.shots(sight, side, unit)
        yield from close_support.bridges(sight, side, unit)
        if not self.free:
            yield from self._joining(sight, side, actor)
            yield from partners(sight, side, (actor,))
            if cannot_break_off(sight, side, unit) is None:
                yield ProtectiveFire(actor)

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case Begin():
                return Refusal("The phase has begun", PROCEDURE) if self.begun else None
            case _ if not self.begun:
                return Refusal("Choose first which side fires first", "7.4.1")
            case FireDirect(unit):
                return self._not_free(sight, unit) or cannot_fire_direct(sight, side, sight.units[unit], action)
            case Pass():
                return None
            case _ if self.free:
                return self._not_free(sight, "")
        return self._refusal(sight, side, action)

    def _refusal(self, sight: Position, side: Side, action: Action) -> Refusal | None:
        match action:
            case CarryOut(name) if not _has(sight, side, name, is_due):
                return Refusal("No mission {} of yours is due in this turn", "7.6.1.1", (name,))
            case AddBattery(_, name) if not _has(sight, side, name, is_scheduled):
                return Refusal("No mission {} of yours fires in this turn", "7.8.3", (name,))
            case AddBattery(unit, name):
                return cannot_join(sight, side, sight.units[unit], sight.missions[name])
            case FireTogether(unit, other):
                return cannot_fire_together(sight, side, (unit,), other)
            case ProtectiveFire(unit):
                return cannot_break_off(sight, side, sight.units[unit])
            case CloseSupport(unit, target):
                return close_support.cannot_aim(sight, side, sight.units[unit], sight.units[target])
            case Demolish():
                return close_support.cannot_demolish(sight, side, action)
            case Strafe():
                return cannot_strafe(sight, side, action)
            case DropBombs(plane):
                return cannot_bomb(sight, side, plane)
        return None

    def _not_free(self, sight: Position, unit: UnitId) -> Refusal | None:
        if self.free in ("", unit):
            return None
        return Refusal("{} has left its mission: it fires now, or you pass", "7.6.1.5", (sight.units[self.free].name,))

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case Begin(first):
                return game.swap(replace(self, side=first, begun=True))
            case Pass() if not self.free:
                return self._pass(game)
            case ProtectiveFire(unit):
                return self._protect(game, unit)
            case FireTogether(unit, other):
                return game.push(GroupedFire(self.side, (unit, other)))
            case CarryOut(name):
                carry_out(game, name)
            case AddBattery(unit, name):
                join(game, unit, name)
            case FireDirect():
                fire_direct(game, action)
            case CloseSupport(unit, target):
                close_support.fire(game, unit, target)
            case Demolish():
                demolish(game, action)
        game.swap(next_turn(replace(self, free=""), game.state.setting.other))
        match action:
            case Strafe(plane, target, beyond):
                game.push(AirStrike(self.side, plane, target, beyond))
            case DropBombs(plane):
                game.push(AirStrike(self.side, plane))

    def resume(self, game: Game[Position], result: object) -> None:
        """The other side is on turn after batteries have fired as one [7.4.1, 7.4.9]."""
        if result is True:
            game.swap(next_turn(self, game.state.setting.other))

    def _protect(self, game: Game[Position], unit_id: UnitId) -> None:
        """A battery whose roll succeeds leaves its mission and may fire directly; else it does not fire [7.6.1.5]."""
        position = game.state
        unit = position.units[unit_id]
        cancelled = succeeds(game, unit, to_cancel(position, unit))
        for mission in due(position, self.side):
            if mission.batteries == (unit_id,):
                drop(position, mission, cancelled=cancelled)
            elif unit_id in mission.batteries and cancelled:
                leave(position, mission, unit_id)
        if cancelled:
            return game.swap(replace(self, free=unit_id))
        position.change(unit_id, fired=True)
        game.swap(next_turn(self, position.setting.other))

    def _pass(self, game: Game[Position]) -> None:
        """After both have passed, missions that are due and not tried are carried out [7.6.1.1]: RULINGS.md R43."""
        position = game.state
        after = after_pass(self, position.setting.other)
        if after is not None:
            return game.swap(after)
        for side in sorted(position.setting.sides, key=lambda name: name != position.initiative):
            for mission in due(position, side):
                carry_out(game, mission.id)
        lift_bombs(position)
        game.pop()


def may_fire(position: Position, side: Side) -> bool:
    """Return whether a side has artillery or aircraft at all. Only what everybody knows counts: no plan shows."""
    return has_guns(position, side) or any(may_come(plane, position.turn) for plane in position.fleet(side))


def has_guns(position: Position, side: Side) -> bool:
    """Return whether a side has artillery at all."""
    if next(batteries(position, side), None) is not None:
        return True
    return any(close_support.cannot_support(side, unit) is None for unit in position.of(side))


def _has(position: Position, side: Side, name: str, now: Callable[[Mission, int], bool]) -> bool:
    """Return whether a mission is the side's own, and does this in the turn."""
    mission = position.missions.get(name)
    return mission is not None and mission.side == side and now(mission, position.turn)
