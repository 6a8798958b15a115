"""The Direct Fire Step [4.4.1]: fire at one target after the other, AP or GP."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain
from typing import Literal

from msgspec.structs import replace

from opfire.core.actions import NOBODY, PROCEDURE, Action, Refusal
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.texts import say
from opfire.rulesets.panzer import control, initiative
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.commands import reveal
from opfire.rulesets.panzer.fire import trailer
from opfire.rulesets.panzer.fire.answering import Quickdraw, ReturningFire
from opfire.rulesets.panzer.fire.arms import Arm, arm_at
from opfire.rulesets.panzer.fire.dual import cannot_fire_too, may_fire_more, ways_at
from opfire.rulesets.panzer.fire.jettisoning import Jettisoning, endangered
from opfire.rulesets.panzer.fire.resolving import fire
from opfire.rulesets.panzer.fire.shots import Manner
from opfire.rulesets.panzer.fire.spreading import MORE, cannot_spread, others_near
from opfire.rulesets.panzer.fire.trailer import Jettison
from opfire.rulesets.panzer.formations import unready
from opfire.rulesets.panzer.indirect import smoke
from opfire.rulesets.panzer.indirect.observers import observes
from opfire.rulesets.panzer.indirect.screens import LaySmoke, cannot_lay, lay
from opfire.rulesets.panzer.indirect.shells import LoadSmoke, Smoking, no_smoke
from opfire.rulesets.panzer.morale import checks
from opfire.rulesets.panzer.pieces import (
    Position,
    Side,
    Unit,
    UnitId,
    at_arms,
    away,
    bearer,
    gunners,
    masked,
    not_yours,
    off_the_map,
)
from opfire.rulesets.panzer.sighting.spots import cannot_spot, not_spotted

PRIORITY, PINNING = "7.14", "7.18"
MOST_HEXES = 999
"""More hexes than any map has."""


class Announce(Action, frozen=True):
    """Announce the fire of a unit at a target; more units may join it.

    In the Advanced Game `weapon` names one of its weapons, such as `g75l48`, or with its ammunition, `g75l48 HE`; left
    out, it is plain AP for vehicles and the strongest GP fire for others. With `pinning`, small arms pin a squad or a
    gun down instead of harming it [7.18]. More hits than one strike the vehicles of `spread`, one each
    [6.5.2.1-spread].
    """

    says = "{unit} fires at {target}"
    kind = "fire"
    unit: UnitId
    target: UnitId
    weapon: str = ""
    pinning: bool = False
    spread: tuple[UnitId, ...] = ()


class Resolve(Action, frozen=True):
    """Resolve the announced fire, shot by shot."""

    says = "Fire"
    kind = "confirm"
    final = True


class Reveal(Action, frozen=True):
    """Show that the target moves this turn, which makes it harder to hit."""

    says = "Reveal that {unit} moves"
    kind = "reveal"
    final = True
    unit: UnitId


class Keep(Action, frozen=True):
    """Say that the target's command has no effect."""

    says = "The command has no effect"
    kind = "pass"


# --- checks [4.4.1, 4.4.3] -------------------------------------------------------------------------------------


def no_command_to_fire(side: Side, unit: Unit) -> Refusal | None:
    """Reject a unit whose command does not let it fire in this step [4.2-fire, 4.2-short-halt, 4.4.1].

    Passengers fire if their vehicle has any command but Move; with Overwatch they wait for it: RULINGS.md R140
    [6.6.7.2-who].
    """
    if refusal := not_yours(side, unit) or off_the_map(unit) or masked(unit):
        return refusal
    if unit.carrier is not None and unit.command in ("move", "overwatch"):
        return Refusal("{} does not fire now: its vehicle has {}", "6.6.7.2-who", (unit.name, unit.command))
    if unit.carrier is not None:
        return None
    if unit.command not in ("fire", "short halt"):
        return Refusal("{} has no command to fire", "4.2", (unit.name,))
    return None


def cannot_fire_now(side: Side, unit: Unit) -> Refusal | None:
    """Reject a unit without a command to fire, and one that has fired [4.2-fire, 4.2-short-halt, 4.4.1-b]."""
    if refusal := no_command_to_fire(side, unit):
        return refusal
    return Refusal("{} has fired", "4.4.1-b", (unit.name,)) if unit.fired else None


def cannot_hit(position: Position, unit: Unit, target: Unit, weapon: str = "") -> Refusal | None:
    """Reject passengers, and a target out of range or outside the field of fire.

    Rules: [3.5.2, 4.4.3, 4.4.3.1, 6.5.4, 6.5.4.2.3-joint].
    """
    if target.side == unit.side:
        return Refusal("{} is on your side", PROCEDURE, (target.name,))
    if target.carrier is not None:
        carrier = position.units[target.carrier]
        return Refusal("{} is aboard {}: fire at the vehicle", "6.5.4.2.3-joint", (target.name, carrier.name))
    if refusal := off_the_map(target):
        return refusal
    arm = arm_at(position, unit, target, weapon)
    return arm if isinstance(arm, Refusal) else None


def cannot_pin(position: Position, unit: Unit, action: Announce) -> Refusal | None:
    """Reject Pinning Fire with anything but small arms, and at vehicles [7.18]."""
    if not action.pinning:
        return None
    arm = arm_at(position, unit, position.units[action.target], action.weapon)
    small = isinstance(arm, Arm) and not arm.is_ap and arm.row.small_arms is True
    if PINNING in position.setting.options and small and not position.units[action.target].is_vehicle:
        return None
    return Refusal("{} pins squads and guns down with small arms only", "7.18", (unit.name,))


def pinned_too(position: Position, unit: Unit, plain: Announce) -> Iterator[Announce]:
    """A way to fire, and its like as Pinning Fire where that is possible [7.18]."""
    yield plain
    if PINNING in position.setting.options and cannot_pin(position, unit, replace(plain, pinning=True)) is None:
        yield replace(plain, pinning=True)


def cannot_announce(position: Position, side: Side, unit: Unit, target: Unit, weapon: str = "") -> Refusal | None:
    """Reject direct fire of a unit at a target [4.4.1, 5.14, 5.14-a]."""
    return (
        no_command_to_fire(side, unit)
        or unready(position, unit)
        or _observing(position, unit)
        or cannot_fire_too(position, unit, target, weapon)
        or cannot_hit(position, unit, target, weapon)
        or not_spotted(position, unit, target)
        or cannot_spot(position, unit, target, target.spot)
        or control.targets_apart(position, unit, target)
        or passed_over(position, unit, target)
    )


def _observing(position: Position, unit: Unit) -> Refusal | None:
    """Reject fire of a passenger that has observed indirect fire in this turn [6.6.7.2-who]."""
    if unit.carrier is None or not observes(position, unit.id):
        return None
    return Refusal("{} observes indirect fire", "6.6.7.2-who", (unit.name,))


def passed_over(position: Position, unit: Unit, target: Unit) -> Refusal | None:
    """Reject a target of a vehicle while a closer enemy combat vehicle is not engaged [7.14]: RULINGS.md R142.

    Another vehicle of the formation that fired at the closer one has engaged it.
    """
    if PRIORITY not in position.setting.options or not unit.is_vehicle:
        return None
    reach = away(position, unit, target) if _combat_vehicle(target) else MOST_HEXES
    for enemy in position.enemies(unit.side):
        if _combat_vehicle(enemy) and away(position, unit, enemy) < reach and _open_to(position, unit, enemy):
            return Refusal("{} is closer to {}: fire at it first", "7.14", (enemy.name, unit.name))
    return None


def _combat_vehicle(unit: Unit) -> bool:
    return unit.is_vehicle and unit.kind.armed


def _open_to(position: Position, unit: Unit, enemy: Unit) -> bool:
    """Return whether a unit can fire at an enemy that neither it nor a vehicle of its formation engages [7.14]."""
    fellows = (other for other in control.members(position, unit.formation) if other.id != unit.id and other.is_vehicle)
    if unit.aimed == enemy.id or any(other.aimed == enemy.id for other in fellows):
        return False
    blocked = cannot_hit(position, unit, enemy) or not_spotted(position, unit, enemy)
    return (blocked or cannot_spot(position, unit, enemy, enemy.spot)) is None


def targets(position: Position, unit: Unit) -> Iterator[Unit]:
    """The enemies that a unit that has not fired may fire at in its Direct Fire Step."""
    for enemy in position.enemies(unit.side):
        if cannot_announce(position, unit.side, unit, enemy) is None:
            yield enemy


def announcements(position: Position, unit: Unit, target: Unit) -> Iterator[Announce]:
    """The ways in which a unit may fire at a target, one for each of its weapons."""
    for weapon in ways_at(position, unit, target):
        if cannot_announce(position, unit.side, unit, target, weapon) is None:
            yield from pinned_too(position, unit, Announce(unit.id, target.id, weapon))
            yield from spread_too(position, unit, target, weapon)


def spread_too(position: Position, unit: Unit, target: Unit, weapon: str) -> Iterator[Announce]:
    """The same shot with more hits for other vehicles: one of them, or the nearest ones [6.5.2.1-spread]."""
    arm = arm_at(position, unit, target, weapon)
    if isinstance(arm, Refusal) or not MORE[arm.rate]:
        return
    near = tuple(others_near(position, unit, target, arm, partial(no_target, position, unit, arm.name)))
    yield from (Announce(unit.id, target.id, weapon, spread=(name,)) for name in near)
    if len(found := near[: MORE[arm.rate]]) > 1:
        yield Announce(unit.id, target.id, weapon, spread=found)


def no_target(position: Position, unit: Unit, weapon: str, other: Unit) -> Refusal | None:
    """Reject a vehicle that is no legal target of a weapon [6.5.2.1-spread]."""
    return (
        cannot_hit(position, unit, other, weapon)
        or not_spotted(position, unit, other)
        or cannot_spot(position, unit, other, other.spot)
    )


def bad_spread(position: Position, unit: Unit, act: Announce) -> Refusal | None:
    """Reject the vehicles that an announcement names for more hits [6.5.2.1-spread]."""
    if unknown := next((name for name in act.spread if name not in position.units), None):
        return Refusal("There is no unit {}", PROCEDURE, (unknown,))
    target = position.units[act.target]
    arm = arm_at(position, unit, target, act.weapon)
    if isinstance(arm, Refusal) or not act.spread:
        return None
    return cannot_spread(position, unit, target, arm, act.spread, partial(no_target, position, unit, arm.name))


# --- the step [4.4.1] -------------------------------------------------------------------------------------------


class DirectFireStep(Frame, frozen=True):
    """A side fires with its vehicles that have Fire or Short Halt commands; they must fire if they can [4.4.1-g].

    In Staggered Initiative only those of a `group` fire [7.42.1].
    """

    takes = (Announce, LoadSmoke, LaySmoke, Jettison, EndStep)
    step = "direct fire"
    rule = "4.4.1"
    question = "Announce fire at a target, or end the step"
    done: tuple[UnitId, ...] = ()
    group: str = ""

    def begin(self, game: Game[Position]) -> None:
        """Nobody has brewed up in this step: the smoke of those who do begins after it."""
        game.state.smoking = ()

    def resume(self, game: Game[Position], result: object) -> None:
        """Stay for the next target."""

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        for unit in gunners(sight, side):
            fires = not self._waits(sight, unit) and not no_command_to_fire(side, unit)
            if (fires and (not unit.fired or may_fire_more(sight, unit))) or trailer.cannot_jettison(
                sight, unit
            ) is None:
                yield unit.id

    def acts(self, sight: Position, side: str, actor: str) -> Iterable[Action]:
        if actor == NOBODY:
            return (EndStep(),) if must_fire(sight, side, self.done, self.group) is None else ()
        unit = at_arms(sight, actor)
        enemies = (enemy for enemy in sight.enemies(side) if enemy.id not in self.done)
        ways: Iterator[Action] = (way for enemy in enemies for way in announcements(sight, unit, enemy))
        others = (LoadSmoke(actor), LaySmoke(actor), Jettison(actor))
        return chain(ways, (act for act in others if self.refusal(sight, side, act) is None))

    def prompt(self, sight: Position, side: str) -> str:
        bound = must_fire(sight, side, self.done, self.group) if side == self.side else None
        return say("Announce fire at a target ({})", bound.sentence()) if bound else super().prompt(sight, side)

    def _waits(self, position: Position, unit: Unit) -> Refusal | None:
        return initiative.not_its_turn(position, unit, self.group)

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        if isinstance(action, Jettison):
            return cannot_drop(sight, side, sight.units[action.unit])
        named_unit = sight.units.get(getattr(action, "unit", ""))
        if named_unit is not None and (waits := self._waits(sight, named_unit)):
            return waits
        match action:
            case LoadSmoke(unit):
                return cannot_load(sight, side, sight.units[unit])
            case LaySmoke(unit):
                return cannot_fire_now(side, sight.units[unit]) or cannot_lay(sight, sight.units[unit])
            case Announce(unit, target, weapon):
                firer = at_arms(sight, unit)
                refusal = cannot_announce(sight, side, firer, sight.units[target], weapon)
                wrong = refusal or cannot_pin(sight, firer, action) or bad_spread(sight, firer, action)
                return wrong or self._settled(sight, target)
        return must_fire(sight, side, self.done, self.group)

    def _settled(self, sight: Position, target: UnitId) -> Refusal | None:
        """Reject a target of which the fire is resolved already: all of it is announced together [4.4.1-d]."""
        if target not in self.done:
            return None
        return Refusal("All fire at {} is announced before any is resolved", "4.4.1-d", (sight.units[target].name,))

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case Announce(_, target):
                game.swap(replace(self, done=(*self.done, target)))
                game.push(Attacking(self.side, target, (named(game.state, action),), group=self.group, done=self.done))
            case LoadSmoke(unit):
                game.push(Smoking(self.side, unit))
            case LaySmoke(unit):
                lay(game, unit)
            case Jettison(unit):
                trailer.jettison(game, unit)
            case EndStep():
                game.state.smoking = ()
                smoke.settle(game.state)
                game.pop()


def cannot_drop(position: Position, side: Side, unit: Unit) -> Refusal | None:
    """Reject jettisoning trailers of others; no command is needed, and it may be done before others fire [7.38.2.2]."""
    return not_yours(side, unit) or off_the_map(unit) or trailer.cannot_jettison(position, unit)


def cannot_load(position: Position, side: Side, unit: Unit) -> Refusal | None:
    """Reject smoke of units without a command to fire, or without shells for it [6.1.4.3.10]."""
    return cannot_fire_now(side, unit) or no_smoke(position, unit)


def must_fire(position: Position, side: Side, done: tuple[UnitId, ...], group: str = "") -> Refusal | None:
    """Refuse the end of the step while a vehicle with a command to fire has a target [4.4.1-g].

    At the targets that are `done` all fire is resolved; of a `group` only its own vehicles count.
    """
    for unit in position.of(side):
        if initiative.not_its_turn(position, unit, group):
            continue
        if cannot_fire_now(side, unit) is None and any(target.id not in done for target in targets(position, unit)):
            return Refusal("{} has a command to fire and a target: it must fire", "4.4.1-g", (unit.name,))
    return None


def must_join(
    position: Position,
    side: Side,
    target: UnitId,
    announced: tuple[Announce, ...],
    done: tuple[UnitId, ...],
    group: str,
) -> Iterator[Unit]:
    """The vehicles that have to fire at this target: it is the last one that they have [4.4.1-g].

    The announced fire counts as fired: it limits the targets of units with the same command [6.2.1.1.4-fire], and
    engages its target [7.14].
    """
    aim, settled = position.units[target].hex or "", (*done, target)
    firers = {each.unit for each in announced}
    waiting = [
        unit
        for unit in position.of(side)
        if unit.id not in firers
        and not initiative.not_its_turn(position, unit, group)
        and cannot_fire_now(side, unit) is None
        and cannot_announce(position, side, unit, position.units[target]) is None
    ]
    then = position.copy() if waiting else position
    for name in firers if waiting else ():
        then.change(name, aims=(*then.units[name].aims, aim), aimed=then.units[name].aimed or target)
    yield from (unit for unit in waiting if all(other.id in settled for other in targets(then, unit)))


def named(position: Position, announced: Announce, unit: Unit | None = None) -> Announce:
    """An announcement with the name of its weapon, which the unit chooses if need be; nameless in the Basic Game."""
    if not position.setting.advanced:
        return announced
    firer, target = unit or at_arms(position, announced.unit), position.units[announced.target]
    arm = arm_at(position, firer, target, announced.weapon)
    assert not isinstance(arm, Refusal)
    return replace(announced, weapon=arm.name)


def ask(game: Game[Position], side: Side, announced: tuple[Announce, ...], overwatch: bool = False) -> None:
    """Ask the targets' side whether fuel trailers in danger are jettisoned, then whether the targets move.

    Rules: [7.38.2.2, 4.4.3.2.2-moving].
    """
    position = game.state
    for target in reversed(dict.fromkeys(each.target for each in announced)):
        game.push(Asked(side, target))
    shots = ((name, each) for each in announced for name in (each.target, *each.spread))
    for name in dict.fromkeys(
        name for name, each in shots if endangered(position, each.unit, position.units[name], each.weapon, overwatch)
    ):
        game.push(Jettisoning(side, name))


def committed(unit: Unit, announced: Iterable[Announce]) -> Unit:
    """A unit with the weapons that it is about to fire, as if it had fired them [5.14]."""
    for each in announced:
        if each.unit == unit.id:
            unit = replace(unit, arms=(*unit.arms, each.weapon), aimed=unit.aimed or each.target)
    return unit


class Attacking(Frame, frozen=True):
    """All fire at one target is announced before any is resolved [4.4.1-d], that of one `group` alone [7.42.1.2].

    Units that have no target left but this one fire at it, too; at the targets that are `done` all fire is resolved.
    """

    takes = (Announce, Resolve)
    step = "attack"
    rule = "4.4.1-d"
    question = "Announce more fire at {target}, or resolve it"
    target: UnitId
    announced: tuple[Announce, ...]
    drawn: tuple[str, ...] = ()
    stage: Literal["announced", "asked", "fired"] = "announced"
    group: str = ""
    done: tuple[UnitId, ...] = ()

    @property
    def firers(self) -> tuple[UnitId, ...]:
        """The units that fire, each once."""
        return tuple(dict.fromkeys(each.unit for each in self.announced))

    def resume(self, game: Game[Position], result: object) -> None:
        """The target's owner has answered: fire, and let the target return it [7.50, 7.54]."""
        match self.stage:
            case "announced":
                drawn = result if isinstance(result, tuple) else ()
                game.swap(replace(self, stage="asked", drawn=drawn))
                ask(game, game.state.setting.other[self.side], self.announced)
            case "asked":
                game.swap(replace(self, stage="fired"))
                self._fire(game)
                shown = self._shown(game.state)
                game.push(ReturningFire(game.state.setting.other[self.side], self.target, shown))
            case "fired":
                game.pop()

    def _shown(self, position: Position) -> tuple[UnitId, ...]:
        """The firers as they are seen, passengers as their vehicles."""
        return tuple(dict.fromkeys(bearer(position, name) for name in self.firers))

    def _fire(self, game: Game[Position]) -> None:
        """Resolve the fire; a target that drew fires at the same time, whatever becomes of it [7.54].

        With Staggered Initiative firers that were fired at check their morale before [7.42.1.2].
        """
        for name in (*self.firers, *((self.target,) if self.drawn else ())):
            checks.steel(game, name)
        before = game.state.units[self.target]
        for each in self.announced:
            fire(game, each.unit, self.target, each.weapon, Manner(pinning=each.pinning, spread=each.spread))
        if self.drawn:
            at, weapon = self.drawn
            fire(game, self.target, at, weapon, Manner(drawn=before))
            checks.attacked(game, at)
        for name in dict.fromkeys((self.target, *(other for each in self.announced for other in each.spread))):
            checks.attacked(game, name)

    def owing(self, sight: Position) -> Iterator[Unit]:
        """The units of the side that have to join the fire before it is resolved [4.4.1-g]."""
        yield from must_join(sight, self.side, self.target, self.announced, self.done, self.group)

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        for unit in gunners(sight, side):
            if (sight.setting.advanced or unit.id not in self.firers) and not self._waits(sight, unit):
                yield unit.id

    def _waits(self, position: Position, unit: Unit) -> Refusal | None:
        return initiative.not_its_turn(position, unit, self.group)

    def acts(self, sight: Position, side: str, actor: str) -> Iterable[Action]:
        if actor == NOBODY:
            return (Resolve(),) if next(self.owing(sight), None) is None else ()
        unit = at_arms(sight, actor)
        if no_command_to_fire(side, unit) or (not sight.setting.advanced and actor in self.firers):
            return ()
        return announcements(sight, committed(unit, self.announced), sight.units[self.target])

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case Announce(unit, target, weapon):
                if target != self.target or (not sight.setting.advanced and unit in self.firers):
                    return Refusal("Fire at {} is being announced", "4.4.1-d", (sight.units[self.target].name,))
                firer = committed(at_arms(sight, unit), self.announced)
                refusal = self._waits(sight, firer) or cannot_announce(sight, side, firer, sight.units[target], weapon)
                return refusal or cannot_pin(sight, firer, action) or bad_spread(sight, firer, action)
            case Resolve() if owing := next(self.owing(sight), None):
                return Refusal("{} has a command to fire and no other target: it must fire", "4.4.1-g", (owing.name,))
        return None

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case Announce():
                game.swap(replace(self, announced=(*self.announced, named(game.state, action))))
            case Resolve():
                shown = self._shown(game.state)
                game.push(Quickdraw(game.state.setting.other[self.side], self.target, shown))

    def prompt(self, sight: Position, side: str) -> str:
        target = sight.units[self.target].name
        if owing := next(self.owing(sight), None):
            return say("{unit} has no other target: announce its fire at {target}, too", unit=owing.name, target=target)
        return say(self.question, target=target)


class Asked(Frame, frozen=True):
    """The target's player may reveal that it moves, and need not [4.4.3.2.2-moving]: RULINGS.md R22.

    The question is put whatever the hidden command is, so that being asked tells nothing.
    """

    takes = (Reveal, Keep)
    step = "target moving"
    rule = "4.4.3.2.2-moving"
    question = "Does {target} move? Reveal its command, or say that it has no effect"
    target: UnitId

    def begin(self, game: Game[Position]) -> None:
        """Ask only the owner of a vehicle whose command is hidden [6.5.4.3-moving-reveal]."""
        target = game.state.units[self.target]
        if target.revealed or not target.is_vehicle:  # 6.5.4.2.2-move: others do not choose, RULINGS.md R70
            game.pop()

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        yield Keep()
        if self.refusal(sight, side, Reveal(self.target)) is None:
            yield Reveal(self.target)

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case Reveal(unit) if unit != self.target or sight.units[unit].command not in ("move", "short halt"):
                return Refusal("{} has no command to move", "4.4.3.2.2-moving", (sight.units[unit].name,))
        return None

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case Reveal(unit):
                reveal(game, unit)
        game.pop()

    def prompt(self, sight: Position, side: str) -> str:
        return say(self.question, target=sight.units[self.target].name)
