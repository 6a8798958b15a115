"""Overwatch fire [4.4.2]: at vehicles that fired or that move, and at those that answered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from opfire.core.actions import NOBODY, Action, Refusal
from opfire.core.flow import Exchange
from opfire.core.game import Game
from opfire.rulesets.panzer import control
from opfire.rulesets.panzer.actions import Pass
from opfire.rulesets.panzer.fire.arms import turned
from opfire.rulesets.panzer.fire.direct_fire import Announce, Asked, cannot_hit, cannot_pin, named, pinned_too
from opfire.rulesets.panzer.fire.dual import ways_at
from opfire.rulesets.panzer.fire.resolving import fire
from opfire.rulesets.panzer.fire.shots import WATCHING
from opfire.rulesets.panzer.formations import unready
from opfire.rulesets.panzer.hiding import UNMASKED, Unmask, cannot_unmask, unmasking
from opfire.rulesets.panzer.indirect.observers import observes
from opfire.rulesets.panzer.morale import checks
from opfire.rulesets.panzer.pieces import (
    Hex,
    Position,
    Side,
    Unit,
    UnitId,
    at_arms,
    bearer,
    gunners,
    masked,
    not_yours,
    off_the_map,
)
from opfire.rulesets.panzer.sighting.spots import cannot_spot


class Overwatch(Exchange, frozen=True):
    """Units with Overwatch commands may fire at the targets; every shot adds its firer to them [4.4.2-a, 6.5.3].

    Passengers fire under the Overwatch command of their vehicle [6.6.7.2-who].

    A unit fires a single weapon: RULINGS.md R71.

    Both sides are asked by public facts alone: whether a vehicle has an Overwatch command is a secret.
    """

    takes = (Announce, Pass, Unmask)
    step = "overwatch"
    rule = "4.4.2"
    question = "Fire from overwatch, or hold your fire"
    targets: tuple[UnitId, ...] = ()
    hex: Hex = ""
    shooting: UnitId = ""
    at: UnitId = ""
    weapon: str = ""
    pinning: bool = False

    @property
    def movers(self) -> tuple[UnitId, ...]:
        """The vehicles that moved or fired, the first of which stands for all."""
        return self.targets

    def resume(self, game: Game[Position], result: object) -> None:
        """The target's owner has answered: fire, and let both sides answer the shot [4.4.2-a].

        Or hidden units were revealed, and may fire now [7.2.2.3].
        """
        if result == UNMASKED:
            return self.shot(game, self.waiting)
        target = game.state.units[self.at]
        units = self._together(game.state, game.state.units[self.shooting], target)
        for unit in units:
            manner = WATCHING._replace(pinning=self.pinning and unit == self.shooting)
            fire(game, unit, self.at, self.weapon if unit == self.shooting else "", manner)
        checks.check(game, self.at, "attacked")
        others = (game.state.setting.other[self.side], self.side)
        shown = dict.fromkeys(bearer(game.state, unit) for unit in units)
        replace(self, targets=(*self.targets, *shown), shooting="", at="", weapon="", pinning=False).shot(game, others)

    def _together(self, position: Position, unit: Unit, target: Unit) -> list[UnitId]:
        """The unit and those that share its command and can fire at the target; the others are done [6.2.1.1.4-ow]."""
        firing = [unit.id]
        for other in control.sharers(position, unit):
            if self.cannot_shoot(position, unit.side, other, target) is None:
                firing.append(other.id)
            else:
                position.change(other.id, fired=True)
        return firing

    def shots(self, sight: Position, side: str) -> Iterator[Action]:
        for unit in gunners(sight, side):
            yield from self._shots_of(sight, unit)

    def _shots_of(self, sight: Position, unit: Unit) -> Iterator[Announce]:
        for target in self.targets:
            if self.cannot_shoot(sight, unit.side, unit, sight.units[target]) is None:
                aimed = turned(sight, unit, sight.units[target])
                for weapon in ways_at(sight, aimed, sight.units[target]):
                    yield from pinned_too(sight, aimed, Announce(unit.id, target, weapon))

    def may_act(self, state: Position, side: str) -> bool:
        """Whether a vehicle of the side might fire, as far as everybody knows."""
        targets = [state.units[target] for target in self.targets]
        might = (self.might(state, unit, target) for unit in gunners(state, side) for target in targets)
        return any(might) or bool(self._lairs(state, side))

    def _lairs(self, state: Position, side: str) -> list[Unmask]:
        """The counters of a side that have a line of sight to a target, whatever they stand for [7.2.2.3]."""
        hexes = [
            hex for target in self.targets if (hex := state.units[target].hex) and state.units[target].side != side
        ]
        return [
            Unmask(mask.id, mask.hex)
            for mask in state.masks.values()
            if mask.side == side and mask.laid and any(state.setting.line(mask.hex, hex) is None for hex in hexes)
        ]

    def might(self, state: Position, unit: Unit, target: Unit) -> bool:
        """Whether a unit might fire at a target, as far as everybody knows."""
        if unit.fired or unit.guides or (unit.revealed and unit.command != "overwatch") or not unit.kind.armed:
            return False
        if observes(state, unit.id):
            return False
        return self._in_sight(state, unit, target) is None

    def _in_sight(self, state: Position, unit: Unit, target: Unit, weapon: str = "") -> Refusal | None:
        """Reject a target that the vehicle cannot hit or does not spot now [4.4.2-b]."""
        aimed = turned(state, unit, target) if target.hex is not None else unit
        return cannot_hit(state, aimed, target, weapon) or cannot_spot(state, unit, target, target.seen_as)

    def cannot_shoot(self, sight: Position, side: Side, unit: Unit, target: Unit, weapon: str = "") -> Refusal | None:
        """Reject overwatch fire of a unit at a target [4.4.2, 6.5.3]."""
        if refusal := not_yours(side, unit) or off_the_map(unit) or masked(unit):
            return refusal
        if unit.command != "overwatch":
            return Refusal("{} has no Overwatch command", "4.2-overwatch", (unit.name,))
        if unit.fired or (unit.carrier is not None and unit.moved):
            return Refusal("{} has fired, or has just mounted", "4.4.1-b", (unit.name,))
        if refusal := unready(sight, unit):
            return refusal
        if observes(sight, unit.id):
            return Refusal("{} observes indirect fire", "6.5.1-a", (unit.name,))
        if unit.guides:
            return Refusal("{} guides aircraft this turn", "6.7.3.1.2", (unit.name,))
        if target.id not in self.targets:
            return Refusal("{} has neither fired nor moved now", "4.4.2", (target.name,))
        return self._in_sight(sight, unit, target, weapon)

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        yield from (unit.id for unit in gunners(sight, side) if unit.command == "overwatch" and not unit.fired)

    def acts(self, sight: Position, side: str, actor: str) -> Iterable[Action]:
        return (Pass(), *self._lairs(sight, side)) if actor == NOBODY else self._shots_of(sight, at_arms(sight, actor))

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case Unmask():
                return cannot_unmask(sight, side, action)
            case Announce() if action.spread:
                return Refusal("Hits spread in the Direct Fire Step alone", "6.5.2.1-spread")
            case Announce(unit, target, weapon):
                firer = at_arms(sight, unit)
                refusal = self.cannot_shoot(sight, side, firer, sight.units[target], weapon)
                return refusal or cannot_pin(sight, turned(sight, firer, sight.units[target]), action)
        return None

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case Announce(unit, target):
                weapon = self._weapon(game.state, action)
                game.swap(replace(self, shooting=unit, at=target, weapon=weapon, pinning=action.pinning))
                game.push(Asked(game.state.setting.other[self.side], target))
            case Unmask(counter):
                game.push(unmasking(game, counter))
            case Pass():
                self.passed(game)

    def _weapon(self, position: Position, action: Announce) -> str:
        """The weapon of a shot; a gun on a platform has turned to its target before it chooses [7.16]."""
        unit, target = at_arms(position, action.unit), position.units[action.target]
        return named(position, action, turned(position, unit, target)).weapon


def overwatch_for_fire(game: Game[Position]) -> None:
    """After all direct fire: overwatch at the vehicles that fired [4.4.2, 7.42.1.3]: RULINGS.md R20."""
    position = game.state
    silent = {call.firer for call in position.calls if call.deed == "silent"}
    showing = (unit.id for unit in position.units.values() if _shows(unit) and unit.id not in silent)
    fired = tuple(dict.fromkeys(bearer(position, name) for name in showing))
    sides = (position.first, position.setting.other[position.first])
    game.push(Overwatch(position.first, sides, fired))


def _shows(unit: Unit) -> bool:
    """Return whether a unit has fired at the ground, and is still there or aboard a vehicle that is."""
    return unit.fired and unit.command != "overwatch" and (unit.hex is not None or unit.carrier is not None)
