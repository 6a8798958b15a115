"""Overwatch fire [4.4.2]: at vehicles that fired or that move, and at those that answered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from opfire.core.actions import NOBODY, Action, Refusal
from opfire.core.flow import Exchange, Frame
from opfire.core.game import Game
from opfire.core.texts import joined as joined_names
from opfire.core.texts import say
from opfire.kit.orders import Pass
from opfire.rulesets.panzer import control
from opfire.rulesets.panzer.fire.arms import turned
from opfire.rulesets.panzer.fire.direct_fire import (
    Announce,
    Resolve,
    ask,
    cannot_hit,
    cannot_pin,
    committed,
    named,
    pinned_too,
)
from opfire.rulesets.panzer.fire.dual import cannot_fire_too, ways_at
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
    may_watch,
    not_yours,
    off_the_map,
)
from opfire.rulesets.panzer.sighting.spots import cannot_spot

SINGLE = "R71"
"""The option by which a unit fires a single weapon from overwatch: RULINGS.md R71."""

# --- checks [4.4.2, 6.5.3] ---------------------------------------------------------------------------------------


def not_watching(sight: Position, side: Side, unit: Unit) -> Refusal | None:
    """Reject a unit that does not fire from overwatch now, as far as the one who looks knows [4.4.2, 6.5.3]."""
    if refusal := not_yours(side, unit) or off_the_map(unit) or masked(unit):
        return refusal
    if not may_watch(unit):
        return Refusal("{} has no Overwatch command", "4.2-overwatch", (unit.name,))
    if unit.fired or (unit.carrier is not None and unit.moved):
        return Refusal("{} has fired, or has just mounted", "4.4.1-b", (unit.name,))
    if refusal := unready(sight, unit):
        return refusal
    if observes(sight, unit.id):
        return Refusal("{} observes indirect fire", "6.5.1-a", (unit.name,))
    if unit.guides:
        return Refusal("{} guides aircraft this turn", "6.7.3.1.2", (unit.name,))
    return None


def not_in_sight(state: Position, unit: Unit, target: Unit, weapon: str = "") -> Refusal | None:
    """Reject a target that the unit cannot hit or does not spot now [4.4.2-b]."""
    aimed = turned(state, unit, target) if target.hex is not None else unit
    return cannot_hit(state, aimed, target, weapon) or cannot_spot(state, unit, target, target.seen_as)


def might_watch(state: Position, unit: Unit, target: Unit) -> bool:
    """Whether a unit might fire at a target from overwatch, as far as everybody knows."""
    if unit.fired or unit.guides or (unit.revealed and unit.command != "overwatch") or not unit.kind.armed:
        return False
    if observes(state, unit.id):
        return False
    return not_in_sight(state, unit, target) is None


def _wrong_manner(sight: Position, firer: Unit, action: Announce) -> Refusal | None:
    """Reject hits that spread, and Pinning Fire with other weapons than small arms [6.5.2.1-spread, 7.18]."""
    if action.spread:
        return Refusal("Hits spread in the Direct Fire Step alone", "6.5.2.1-spread")
    return cannot_pin(sight, turned(sight, firer, sight.units[action.target]), action)


def _ways(sight: Position, unit: Unit, target: Unit) -> Iterator[Announce]:
    """The ways in which a unit may fire at a target: it has turned to it before it chooses a weapon [7.16]."""
    aimed = turned(sight, unit, target)
    for weapon in ways_at(sight, aimed, target):
        yield from pinned_too(sight, aimed, Announce(unit.id, target.id, weapon))


def _lairs(state: Position, side: Side, targets: Iterable[UnitId]) -> list[Unmask]:
    """The counters of a side that have a line of sight to a target, whatever they stand for [7.2.2.3]."""
    hexes = [hex for target in targets if (hex := state.units[target].hex) and state.units[target].side != side]
    return [
        Unmask(mask.id, mask.hex)
        for mask in state.masks.values()
        if mask.side == side and mask.laid and any(state.line(mask.hex, hex) is None for hex in hexes)
    ]


def _resolved(target: Unit) -> Refusal:
    return Refusal("All fire at {} is announced before any is resolved", "4.4.1-d", (target.name,))


# --- the chance to fire [4.4.2] ----------------------------------------------------------------------------------


class Overwatch(Exchange, frozen=True):
    """Units with Overwatch commands may fire at the targets; all fire adds its firers to them [4.4.2-a, 6.5.3].

    Passengers fire under the Overwatch command of their vehicle [6.6.7.2-who]. At the targets that are `done` all
    fire is resolved, until they move or fire again [4.4.1-d].

    Both sides are asked by public facts alone: whether a vehicle has an Overwatch command is a secret.
    """

    takes = (Announce, Pass, Unmask)
    step = "overwatch"
    rule = "4.4.2"
    question = "Fire from overwatch, or hold your fire"
    targets: tuple[UnitId, ...] = ()
    hex: Hex = ""
    done: tuple[UnitId, ...] = ()

    @property
    def movers(self) -> tuple[UnitId, ...]:
        """The vehicles that moved or fired, the first of which stands for all."""
        return self.targets

    @property
    def open(self) -> tuple[UnitId, ...]:
        """The targets at which fire may still be announced."""
        return tuple(target for target in self.targets if target not in self.done)

    def resume(self, game: Game[Position], result: object) -> None:
        """Fire is resolved, and both sides may answer it [4.4.2-a]: RULINGS.md R20.

        The result are the units that fired, and those that they fired at. Or hidden units were revealed, and may fire
        now [7.2.2.3].
        """
        if not isinstance(result, tuple):
            return self.shot(game, self.waiting)
        units, others = game.state.units, (game.state.setting.other[self.side], self.side)
        fired = tuple(name for name in result if units[name].side == self.side)
        done = tuple(name for name in result if units[name].side != self.side)
        replace(self, targets=(*self.targets, *fired), done=(*self.done, *done)).shot(game, others)

    def shots(self, sight: Position, side: str) -> Iterator[Action]:
        for unit in gunners(sight, side):
            yield from self._shots_of(sight, unit)

    def _shots_of(self, sight: Position, unit: Unit) -> Iterator[Announce]:
        for target in self.open:
            if self.cannot_shoot(sight, unit.side, unit, sight.units[target]) is None:
                yield from _ways(sight, unit, sight.units[target])

    def may_act(self, state: Position, side: str) -> bool:
        """Whether a vehicle of the side might fire, as far as everybody knows."""
        targets = [state.units[target] for target in self.open]
        might = (might_watch(state, unit, target) for unit in gunners(state, side) for target in targets)
        return any(might) or bool(_lairs(state, side, self.open))

    def cannot_shoot(self, sight: Position, side: Side, unit: Unit, target: Unit, weapon: str = "") -> Refusal | None:
        """Reject overwatch fire of a unit at a target [4.4.2, 4.4.1-d, 6.5.3]."""
        if refusal := not_watching(sight, side, unit):
            return refusal
        if target.id not in self.targets:
            return Refusal("{} has neither fired nor moved now", "4.4.2", (target.name,))
        return _resolved(target) if target.id in self.done else not_in_sight(sight, unit, target, weapon)

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        yield from (unit.id for unit in gunners(sight, side) if may_watch(unit) and not unit.fired)

    def acts(self, sight: Position, side: str, actor: str) -> Iterable[Action]:
        if actor == NOBODY:
            return (Pass(), *_lairs(sight, side, self.open))
        return self._shots_of(sight, at_arms(sight, actor))

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case Unmask():
                return cannot_unmask(sight, side, action)
            case Announce(unit, target, weapon):
                firer = at_arms(sight, unit)
                refusal = self.cannot_shoot(sight, side, firer, sight.units[target], weapon)
                return refusal or _wrong_manner(sight, firer, action)
        return None

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case Announce(_, target):
                others = tuple(name for name in self.open if name != target)
                game.push(OverwatchFire(self.side, target, joined(game.state, action), others))
            case Unmask(counter):
                game.push(unmasking(game, counter))
            case Pass():
                self.passed(game)


# --- the fire [4.4.2, 4.4.1-d] -----------------------------------------------------------------------------------


class OverwatchFire(Frame, frozen=True):
    """All overwatch fire at one target is announced before any is resolved [4.4.1-d]; a unit fires once.

    It fires both of its weapons if it may, at this target or at another one that is open to fire now: then all fire at
    that one is announced here, too [5.14]: RULINGS.md R71. The side is asked by public facts alone, as for `Overwatch`:
    the weapons of a unit that has announced its fire are known.
    """

    takes = (Announce, Resolve, Unmask)
    step = "overwatch"
    rule = "4.4.1-d"
    question = "Announce more fire at {target}, or resolve it"
    target: UnitId
    announced: tuple[Announce, ...]
    others: tuple[UnitId, ...] = ()

    @property
    def firers(self) -> tuple[UnitId, ...]:
        """The units that fire, each once."""
        return tuple(dict.fromkeys(each.unit for each in self.announced))

    @property
    def targets(self) -> tuple[UnitId, ...]:
        """The targets at which fire is announced, the first of them first."""
        return tuple(dict.fromkeys((self.target, *(each.target for each in self.announced))))

    @property
    def _open(self) -> tuple[UnitId, ...]:
        return (self.target, *self.others)

    def begin(self, game: Game[Position]) -> None:
        """Ask for more fire only if everybody can see that there might be more."""
        position, target = game.state, game.state.units[self.target]
        others = (unit for unit in gunners(position, self.side) if unit.id not in self.firers)
        firers = [at_arms(position, name) for name in self.firers]
        more = any(next(self._more(position, unit, self._open), None) for unit in firers)  # shared or not: a secret
        if (
            not more
            and not _lairs(position, self.side, self.targets)
            and not any(might_watch(position, one, target) for one in others)
        ):
            self._ask(game)

    def _more(self, position: Position, unit: Unit, targets: Iterable[UnitId]) -> Iterator[Announce]:
        """The ways in which a unit that has announced its fire may fire another weapon, too [5.14]."""
        if SINGLE in position.setting.options:
            return
        firer = turning(position, unit, self.announced)
        for target in position.pick(targets):
            if not_in_sight(position, unit, target) is None:
                ways = _ways(position, firer, target)
                yield from (way for way in ways if not_in_sight(position, unit, target, way.weapon) is None)

    def _ask(self, game: Game[Position]) -> None:
        ask(game, game.state.setting.other[self.side], self.announced, overwatch=True)

    def resume(self, game: Game[Position], result: object) -> None:
        """The targets' owner has answered: fire; the result are the firers as they are seen, and the targets.

        Or hidden units were revealed, and may fire, too [7.2.2.3].
        """
        if result == UNMASKED:
            return
        self._fire(game)
        game.pop((*dict.fromkeys(bearer(game.state, name) for name in self.firers), *self.targets))

    def _fire(self, game: Game[Position]) -> None:
        """Resolve the fire, shot by shot; those that share a command and do not fire are done [6.2.1.1.4-ow]."""
        for each in self.announced:
            fire(game, each.unit, each.target, each.weapon, WATCHING._replace(pinning=each.pinning))
            for other in control.sharers(game.state, game.state.units[each.unit]):
                if other.id not in self.firers:
                    game.state.change(other.id, fired=True)
        for target in self.targets:
            checks.check(game, target, "attacked")

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        yield from (unit.id for unit in gunners(sight, side))

    def acts(self, sight: Position, side: str, actor: str) -> Iterable[Action]:
        if actor == NOBODY:
            return (Resolve(), *_lairs(sight, side, self.targets))
        unit = at_arms(sight, actor)
        if actor in self.firers:
            return self._more(sight, unit, (name for name in self._open if self._elsewhere(sight, unit, name) is None))
        return self._joining_ways(sight, unit)

    def _joining_ways(self, sight: Position, unit: Unit) -> Iterator[Announce]:
        """The ways in which a unit that does not fire yet may join the fire."""
        for target in sight.pick(self.targets):
            if self._cannot_join(sight, unit.side, unit, target) is None:
                yield from _ways(sight, unit, target)

    def _elsewhere(self, sight: Position, unit: Unit, target: UnitId) -> Refusal | None:
        """Reject other targets than those at which fire is announced, but for another weapon [4.4.1-d, 5.14].

        Units that share their command fire at the same target [5.14-a, 6.2.1.1.4-ow].
        """
        aimed = next((each.target for each in self.announced if each.unit == unit.id), "")
        if aimed and target != aimed and control.sharers(sight, unit):
            facts = (unit.name, sight.units[aimed].name)
            return Refusal("{} shares its command: both weapons fire at {}", "6.2.1.1.4-ow", facts)
        if target in self.targets or (aimed and target in self.others):
            return None
        return Refusal("Fire at {} is being announced", "4.4.1-d", (sight.units[self.target].name,))

    def _cannot_join(self, sight: Position, side: Side, unit: Unit, target: Unit, weapon: str = "") -> Refusal | None:
        """Reject fire at other targets than those that are announced, and a second shot of a weapon [4.4.1-d]."""
        if unit.id in self.firers and SINGLE in sight.setting.options:
            return Refusal("{} has announced its fire", "4.4.1-b", (unit.name,))
        if refusal := self._elsewhere(sight, unit, target.id):
            return refusal
        firer = turning(sight, unit, self.announced)
        return (
            not_watching(sight, side, unit)
            or cannot_fire_too(sight, firer, target, weapon)
            or not_in_sight(sight, firer, target, weapon)
            or not_in_sight(sight, unit, target, weapon)  # 7.8.4: the first target may be gone, and the turret stay
        )

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case Unmask():
                return cannot_unmask(sight, side, action)
            case Announce(unit, target, weapon):
                firer = at_arms(sight, unit)
                refusal = self._cannot_join(sight, side, firer, sight.units[target], weapon)
                return refusal or _wrong_manner(sight, firer, action)
        return None

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case Announce():
                game.swap(replace(self, announced=(*self.announced, *self._joining(game.state, action))))
            case Unmask(counter):
                game.push(unmasking(game, counter))
            case Resolve():
                self._ask(game)

    def _joining(self, position: Position, action: Announce) -> tuple[Announce, ...]:
        """The announced fire: a unit's other weapon, or that of a unit and of those that share its command."""
        return (action,) if action.unit in self.firers else joined(position, action)

    def prompt(self, sight: Position, side: str) -> str:
        return say(self.question, target=joined_names(one.name for one in sight.pick(self.targets)))


def turning(position: Position, unit: Unit, announced: Iterable[Announce]) -> Unit:
    """A unit with the weapons that it is about to fire, and with its turret turned to their targets [5.14, 7.8.4]."""
    for each in announced:
        if each.unit == unit.id and position.units[each.target].hex is not None:
            unit = committed(turned(position, unit, position.units[each.target]), (each,))
    return unit


def joined(position: Position, action: Announce) -> tuple[Announce, ...]:
    """The announced fire of a unit, and of those that share its command and can fire at its target [6.2.1.1.4-ow]."""
    unit, target = at_arms(position, action.unit), position.units[action.target]
    shots = [named(position, action, turned(position, unit, target))]
    for other in control.sharers(position, unit):
        if (not_watching(position, unit.side, other) or not_in_sight(position, other, target)) is None:
            aimed = turned(position, other, target)
            shots.append(named(position, Announce(other.id, target.id), aimed))
    return tuple(shots)


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
