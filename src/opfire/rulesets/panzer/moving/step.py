"""The Movement Step [4.5]: a side carries out its commands to move, one vehicle after the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from msgspec.structs import replace

from opfire.core.actions import NOBODY, Action, Refusal
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.texts import say
from opfire.rulesets.panzer import control, initiative
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.fire import dismount_attack
from opfire.rulesets.panzer.fire.dismount_attack import DismountAttack, cannot_dismount_attack
from opfire.rulesets.panzer.fire.overwatch import Overwatch
from opfire.rulesets.panzer.moving import (
    searching,
    transport,
)
from opfire.rulesets.panzer.moving.acts import WAYS, cannot_go_on, ways_on
from opfire.rulesets.panzer.moving.going import Going, cannot_move_now, lamed
from opfire.rulesets.panzer.moving.movement import Moving, handle, set_off
from opfire.rulesets.panzer.moving.transport import Dismount, JumpOff, Mount
from opfire.rulesets.panzer.pieces import (
    Position,
    Side,
    Unit,
    UnitId,
    not_yours,
    off_the_map,
)
from opfire.rulesets.panzer.works import dust


class MovementStep(Frame, frozen=True):
    """A side carries out its commands to move, one vehicle after the other; all must be revealed [4.5-a].

    In Staggered Initiative only those of a `group` move [7.42.2].
    """

    takes = (*WAYS, EndStep)
    step = "movement"
    rule = "4.5"
    question = "Move a unit, or end the step"
    together = True
    group: str = ""
    over: bool = False

    def begin(self, game: Game[Position]) -> None:
        """The Brew-Up Smoke of earlier steps takes effect [4.4.3.2.2-busmoke]."""
        game.state.smoking = ()

    def resume(self, game: Game[Position], result: object) -> None:
        """Stay for the next vehicle; the step is `over` after overwatch at those that stand still [4.5.1.1.8]."""
        if self.over:
            dust.spread(game.state)
            game.pop()

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        for unit in sight.of(side):
            if unit.is_vehicle or not (cannot_move_now(side, unit) or self._waits(sight, unit)):
                yield unit.id

    def acts(self, sight: Position, side: str, actor: str) -> Iterable[Action]:
        if actor == NOBODY:
            return (EndStep(),) if self._straggler(sight, side) is None else ()
        unit = sight.units[actor]
        if stands(unit):
            ways: Iterator[Action] = chain(transport.ways(sight, unit), dismount_attack.ways(sight, unit))
            return (way for way in ways if not self.group or self.refusal(sight, side, way) is None)
        moves = cannot_move_now(side, unit) is None and not self._waits(sight, unit)
        return ways_on(sight, unit, Going()) if moves else ()

    def prompt(self, sight: Position, side: str) -> str:
        bound = self._straggler(sight, side) if side == self.side else None
        return say("Move a unit ({})", bound.sentence()) if bound else super().prompt(sight, side)

    def _waits(self, position: Position, *units: Unit) -> Refusal | None:
        """Refuse units of which none has its turn [7.42.2]."""
        found = [initiative.not_its_turn(position, unit, self.group) for unit in units]
        return found[0] if all(found) else None

    def _movers(self, position: Position, side: str) -> list[Unit]:
        """The units that have a move left, and their turn for it."""
        units = (unit for unit in position.of(side) if cannot_move_now(side, unit) is None)
        return [unit for unit in units if not self._waits(position, unit)]

    def _straggler(self, sight: Position, side: str) -> Refusal | None:
        """Refuse the end of the step while a unit has to follow those that share its command [6.2.1.1.4-move]."""
        waiting = self._movers(sight, side)
        if seeker := next((unit for unit in waiting if searching.searches(sight, unit)), None):
            return Refusal("{} is on Random Recon: it has to move", "7.60.1-min", (seeker.name,))
        return next((found for unit in waiting if (found := control.left_behind(sight, unit))), None)

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case EndStep():
                return self._straggler(sight, side)
            case Mount(unit) | Dismount(unit) | JumpOff(unit) | DismountAttack(unit):
                return self._cannot_load(sight, side, sight.units[unit], action)
        mover = sight.units[_mover(action)]
        refusal = cannot_move_now(side, mover) or self._waits(sight, mover)
        return refusal or cannot_go_on(sight, mover, action, Going())

    def _cannot_load(
        self, sight: Position, side: Side, vehicle: Unit, action: Mount | Dismount | JumpOff | DismountAttack
    ) -> Refusal | None:
        """Refuse acts of passengers; a vehicle that stands pays nothing for them [6.6.7.1.1-veh]."""
        if refusal := not_yours(side, vehicle) or off_the_map(vehicle):
            return refusal
        if refusal := self._waits(sight, vehicle, sight.units[action.passenger]):
            return refusal
        if stands(vehicle) and isinstance(action, DismountAttack):
            return cannot_dismount_attack(sight, vehicle, action)
        if stands(vehicle) and not isinstance(action, DismountAttack):
            return transport.cannot(sight, vehicle, action)
        refusal = cannot_move_now(side, vehicle) or self._waits(sight, vehicle)
        return refusal or cannot_go_on(sight, vehicle, action, Going())

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case EndStep():
                self._stand_still(game)
            case Mount(unit) | Dismount(unit) | JumpOff(unit) if stands(game.state.units[unit]):
                handle(game, action)
                if not isinstance(action, Mount):
                    hex = str(game.state.units[action.passenger].hex)
                    dismount_attack.alight(game, action.passenger, str(game.state.units[unit].hex))
                    other = game.state.setting.other[self.side]
                    game.push(Overwatch(other, (other, self.side), (action.passenger,), hex))
            case DismountAttack(unit) if stands(game.state.units[unit]):
                dismount_attack.storm(game, action)
            case _:
                mover = _mover(action)
                set_off(game, mover)
                game.push(Moving(self.side, mover, first=action, sound=not lamed(game.state.units[mover])))

    def _stand_still(self, game: Game[Position]) -> None:
        """The units that have not moved stay where they are, under overwatch; then the step is over [4.5.1.1.8]."""
        staying = [unit.id for unit in self._movers(game.state, self.side)]
        for name in staying:
            set_off(game, name)
            game.state.change(name, moved=True)
        targets = tuple(name for name in staying if game.state.units[name].moving)
        game.swap(replace(self, over=True))
        if not targets:
            return game.resume_top()
        other, hex = game.state.setting.other[self.side], str(game.state.units[targets[0]].hex)
        game.push(Overwatch(other, (other, self.side), targets, hex))


def _mover(action: Action) -> UnitId:
    """The unit that an action of a move names."""
    return str(getattr(action, "unit", ""))


def stands(unit: Unit) -> bool:
    """Return whether a vehicle has no command to move, so that passengers come and go for nothing [6.6.7.1.1-veh].

    One that a track hit has stopped before its move does not move, whatever its command [6.5.2.2.1].
    """
    lame = unit.track_hit and not unit.moved
    return unit.is_vehicle and (lame or unit.command not in ("move", "short halt"))
