"""Opportunity fire [OPP]: the enemies that have seen a quarter of a move, and the window in which they may fire."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import chain, product
from typing import NamedTuple

from msgspec.structs import replace

from opfire.core.actions import NOBODY, PROCEDURE, Action, Refusal
from opfire.core.flow import Exchange, Result
from opfire.core.game import Game
from opfire.core.places import Point, tenths
from opfire.core.texts import joined, say
from opfire.kit.whereabouts import roughly
from opfire.rulesets.panzerblitz_miniatures.actions import Pass
from opfire.rulesets.panzerblitz_miniatures.fire import attacks
from opfire.rulesets.panzerblitz_miniatures.fire.aiming import (
    IN_REACTION,
    cannot_hit_stand,
    manners,
    no_mounted_fire,
    reactions,
)
from opfire.rulesets.panzerblitz_miniatures.moving.accounts import (
    COUNTED,
    UNSEEN,
    Looks,
    Watch,
    course,
    everywhere,
    look,
    place_of,
    quarter,
    spent_by,
    watch,
)
from opfire.rulesets.panzerblitz_miniatures.moving.movement_costs import Prices
from opfire.rulesets.panzerblitz_miniatures.moving.occupation import WORKS
from opfire.rulesets.panzerblitz_miniatures.pieces import (
    Manner,
    Position,
    Progress,
    Side,
    Stand,
    UnitId,
    clearing,
    designated,
    is_dispersed,
    not_at_hand,
    not_yours,
)
from opfire.space.measure import MICRO, length
from opfire.space.terrain.legs import Leg, stopped


class React(Action, frozen=True):
    """Opportunity fire: a unit fires at the stand under way or at a passenger, with the units that wait for it."""

    says = "{unit} fires at {target} ({manner})"
    kind = "react"
    final = True
    unit: UnitId
    target: UnitId
    manner: Manner = "normal"


class Join(Action, frozen=True):
    """A unit waits for another, to fire at the same target together [DF-5]."""

    says = "{unit} fires at {target} ({manner}) together with the next"
    kind = "react"
    unit: UnitId
    target: UnitId
    manner: Manner = "normal"


# --- who may fire -----------------------------------------------------------------------------------------------


def cannot_react(position: Position, side: Side, unit: Stand) -> Refusal | None:
    """Reject a unit that takes no opportunity fire in this phase, whatever the target [OPP-1, OPP-2, OPP-4, FPS-3]."""
    return not_at_hand(side, unit) or _unready(position, unit)


def _unready(position: Position, unit: Stand) -> Refusal | None:
    """Reject a unit that cannot fire in this phase; the Firing Position of a neighbour is no help to it [FPS-4]."""
    if refusal := _has_reacted(unit):
        return refusal
    if unit.aircraft:
        return Refusal("{} flies and takes no opportunity fire", "FB-8", (unit.name,))
    if not unit.position and not in_works(position, unit):
        return Refusal("{} is not in a Firing Position, improved position or fortification", "OPP-2", (unit.name,))
    if not unit.kind.attack:
        return Refusal("{} has no weapon", "COM-5", (unit.name,))
    return clearing(position, unit)


def _has_reacted(unit: Stand) -> Refusal | None:
    """Reject a unit with an Opportunity Fire marker [OPP-4]."""
    return Refusal("{} has used opportunity fire in this phase", "OPP-4", (unit.name,)) if unit.reacted else None


def _cannot_shoot(position: Position, side: Side, unit: Stand) -> Refusal | None:
    """Reject a unit that fires at nothing now: besides what everybody can see, one with a mission [OPP-14]."""
    return cannot_react(position, side, unit) or designated(position, unit, "OPP-14")


def in_works(position: Position, unit: Stand) -> bool:
    """Return whether a unit is in works that serve as a Firing Position; a building is one of them [OPP-2, BLD-5]."""
    work = position.works.get(unit.work)
    return unit.floor > 0 or (work is not None and work.kind in WORKS)


def watchers(position: Position, side: Side) -> list[Stand]:
    """The side's armed stands that may take opportunity fire in this phase, as everybody can see."""
    armed = (unit for unit in position.of(side) if unit.kind.attack or unit.anti_tank or unit.missiles)
    return [unit for unit in armed if cannot_react(position, side, unit) is None]


def cannot_hit(position: Position, unit: Stand, target: Stand) -> Refusal | None:
    """Reject a target at which, or at whose riders, this unit cannot fire from its place [OPP-3, LOS-3, OPP-10]."""
    movers = [target, *(replace(rider, at=target.at) for rider in position.pick(riders(target)))]
    found = [cannot_hit_stand(position, unit, mover, manner) for mover in movers for manner in reactions(unit)]
    return None if None in found else found[0]


def riders(unit: Stand) -> tuple[UnitId, ...]:
    """The riders on armor, which are fired at exclusive of it; passengers inside a carrier are not [OPP-10, TRN-9]."""
    return () if unit.kind.carries else unit.cargo


# --- accounts along a leg ---------------------------------------------------------------------------------------


class Cut(NamedTuple):
    """The place of a leg at which enemies have seen a quarter of the move and may fire, and its cost up to there."""

    place: Fraction
    cost: int


def watches(
    position: Position, unit: Stand, way: Leg, prices: Prices, high: Fraction, looks: Looks = everywhere
) -> list[Watch]:
    """The enemies that may take opportunity fire and have not yet seen a quarter of the move, along a leg."""
    progress = under_way(position)
    enemies = watchers(position, position.setting.other[unit.side])
    part = course(way, prices, Fraction(*progress.done), high)
    return [watch(position, enemy, unit, part, looks) for enemy in enemies if enemy.id not in progress.ready]


def first_cut(position: Position, unit: Stand, way: Leg, prices: Prices, found: Iterable[Watch]) -> Cut | None:
    """The first place at which an enemy has seen a quarter of the move and may fire, or None [OPP-3, OPP-6]."""
    reached = [(cost, each.enemy) for each in found if (cost := each.reached) is not None]
    for cost, name in sorted(reached):
        place = place_of(way, prices, cost)
        there = replace(unit, at=stopped(way.start, way.end, place))
        if cannot_hit(position, position.units[name], there) is None:
            return Cut(place, cost)
    return None


def next_inch(position: Position, unit: Stand, way: Leg, prices: Prices, high: Fraction) -> Cut | None:
    """By option the next inch, if an enemy that has let the unit pass may fire there [OPP-6]: RULINGS.md R80."""
    progress = under_way(position)
    if not (position.setting.has("R80") and progress.ready) or way.start == way.end:
        return None
    place = Fraction(*progress.done) + Fraction(MICRO, length(way.start, way.end))
    if place >= high:
        return None
    there = replace(unit, at=stopped(way.start, way.end, place))
    waiting = (e for e in position.pick(progress.ready) if not cannot_react(position, e.side, e))
    if all(cannot_hit(position, enemy, there) for enemy in waiting):
        return None
    return Cut(place, spent_by(way, prices, place))


def note(position: Position, found: Iterable[Watch], cost: int) -> None:
    """Bring all accounts up to a cost of the leg."""
    progress = under_way(position)
    accounts: list[tuple[UnitId, int]] = []
    ready = list(progress.ready)
    for each in found:
        if each.reached is not None and each.reached <= cost:
            ready.append(each.enemy)
        elif points := each.up_to(cost):
            accounts.append((each.enemy, points))
    position.progress = replace(progress, seen=tuple(accounts), ready=tuple(ready), counted=cost)


def under_way(position: Position) -> Progress:
    """The move of the stand that is under way."""
    assert position.progress is not None
    return position.progress


def spend_here(position: Position, unit: Stand, points: int) -> None:
    """Spend points without a way: loading, unloading, a stream that is not entered [OPP-15]."""
    position.change(unit.id, spent=unit.spent + points, position=False)
    progress = under_way(position)
    seen, ready = dict(progress.seen), list(progress.ready)
    assert unit.at is not None
    for enemy in watchers(position, position.setting.other[unit.side]):
        view = look(position, enemy, unit, unit.at)
        seen[enemy.id] = 0 if view == UNSEEN else seen.get(enemy.id, 0) + points * (view == COUNTED)
        if seen[enemy.id] >= quarter(position, unit) and enemy.id not in ready:
            ready.append(enemy.id)
    kept = tuple((name, total) for name, total in seen.items() if total and name not in ready)
    position.progress = replace(progress, seen=kept, ready=tuple(ready), asked=None)


# --- the window -------------------------------------------------------------------------------------------------


class OpportunityFire(Exchange, frozen=True):
    """The window at one place of a move: shots one after the other until the side passes [OPP-6, OPP-8].

    `movers` are the units that may be fired at: the stand under way, its riders, and those that it has just unloaded.
    `joined` are the units that wait to fire together at `aim`. The result is whether anybody has fired.
    """

    takes = (React, Join, Pass)
    step = "reaction"
    rule = "OPP-6"
    question = "{mover} moves ({place}): fire, or let it pass"
    at: Point = (0, 0)
    movers: tuple[UnitId, ...] = ()
    joined: tuple[attacks.Shot, ...] = ()
    aim: UnitId = ""
    fired: bool = False

    @property
    def hex(self) -> Point:
        """The place of the movers, as standing orders ask for it."""
        return self.at

    def shots(self, sight: Position, side: Side) -> Iterator[Action]:
        return chain.from_iterable(self._shots_of(sight, unit) for unit in self._able(sight))

    def may_act(self, state: Position, side: Side) -> bool:
        """Ask the side as far as everybody can see: its designated units count, so that nothing leaks [OPP-14]."""
        return super().may_act(state.known_to(""), side)

    def _able(self, position: Position) -> list[Stand]:
        """The units that have seen a quarter of the move and may still fire."""
        if position.progress is None:
            return []
        able = position.pick(position.progress.ready)
        waiting = [shot.unit for shot in self.joined]
        ready = [u for u in able if u.id not in waiting and not _cannot_shoot(position, self.side, u)]
        return [*ready, *self._mounted(position)]

    def _mounted(self, position: Position) -> list[Stand]:
        """The passengers that may fire together with their carriers, which wait for them [MIF-1]: RULINGS.md R110."""
        carriers = position.pick(shot.unit for shot in self.joined)
        aboard = chain.from_iterable(position.pick(carrier.cargo) for carrier in carriers)
        return [unit for unit in aboard if _stays_mounted(self, position, unit) is None]

    def _shots_of(self, position: Position, unit: Stand) -> Iterator[Action]:
        """The shots of a unit at the movers; smoke is none of them [SSC-6]."""
        for name, manner in product(self.movers, _manners(unit)):
            if _cannot_aim(self, position, unit, name, manner) is None:
                yield React(unit.id, name, manner)
                if self._nobody_else(position, unit.id, name) is None:
                    yield Join(unit.id, name, manner)

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        yield from (unit.id for unit in self._able(sight))

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        return iter((Pass(),)) if actor == NOBODY else self._shots_of(sight, sight.units[actor])

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case React(unit, target, manner):
                return self._cannot_fire(sight, unit, target, manner)
            case Join(unit, target, manner):
                return self._cannot_fire(sight, unit, target, manner) or self._nobody_else(sight, unit, target)
        return None

    def _cannot_fire(self, position: Position, unit_id: UnitId, target: UnitId, manner: Manner) -> Refusal | None:
        unit = position.units[unit_id]
        if manner == "mounted":
            return _stays_mounted(self, position, unit) or _cannot_aim(self, position, unit, target, manner)
        if refusal := _cannot_shoot(position, self.side, unit):
            return refusal
        if position.progress is None or unit_id not in position.progress.ready:
            name = position.units[self.movers[0]].name
            return Refusal("{} has not seen a quarter of the move of {}", "OPP-3", (unit.name, name))
        if unit_id in [shot.unit for shot in self.joined]:
            return Refusal("{} waits for the others already", "OPP-4", (unit.name,))
        return _cannot_aim(self, position, unit, target, manner)

    def _nobody_else(self, position: Position, unit_id: UnitId, target: UnitId) -> Refusal | None:
        others = (unit for unit in self._able(position) if unit.id != unit_id)
        if any(_can_aim(self, position, unit, target) for unit in others):
            return None
        if any(_rides_and_fires(position, self.side, each) for each in position.pick(position.units[unit_id].cargo)):
            return None
        return Refusal("There is nobody for {} to wait for", PROCEDURE, (position.units[unit_id].name,))

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case Pass():
                self.passed(game)
            case Join(unit, target, manner):
                game.swap(replace(self, joined=(*self.joined, attacks.Shot(unit, manner)), aim=target))
            case React(unit, target, manner):
                game.swap(replace(self, joined=(), aim="", fired=True))
                shots = (*self.joined, attacks.Shot(unit, manner))
                attacks.carry_out(game, attacks.Attack("opportunity", target, shots))
                game.resume_top()

    def closes(self, game: Game[Position]) -> Result:
        return self.fired

    def prompt(self, sight: Position, side: str) -> str:
        names = joined((sight.units[name].name for name in self.movers), " and ")
        return say(self.question, mover=names, place=roughly(sight.table.ground, self.at))


def _manners(unit: Stand) -> Iterable[Manner]:
    """The manners in which a unit may fire here: a passenger from its carrier alone [MIF-1]."""
    return manners(unit) if unit.carrier is not None else reactions(unit)


def _rides_and_fires(position: Position, side: Side, unit: Stand) -> bool:
    """Return whether a passenger could fire from its carrier now [MIF-1]."""
    ready = not_yours(side, unit) or is_dispersed(unit) or _has_reacted(unit)
    return ready is None and no_mounted_fire(position, unit) is None


def _stays_mounted(frame: OpportunityFire, position: Position, unit: Stand) -> Refusal | None:
    """Reject a passenger that cannot add its fire to that of its carrier [MIF-1, MIF-2]."""
    if refusal := not_yours(frame.side, unit) or is_dispersed(unit) or _has_reacted(unit):
        return refusal
    waiting = [shot.unit for shot in frame.joined]
    if unit.id in waiting:
        return Refusal("{} waits for the others already", "OPP-4", (unit.name,))
    if refusal := no_mounted_fire(position, unit):
        return refusal
    if unit.carrier in waiting:
        return None
    return Refusal("{} fires only together with its carrier, which has to wait for it", "MIF-2", (unit.name,))


def _can_aim(frame: OpportunityFire, position: Position, unit: Stand, target_id: UnitId) -> bool:
    """Return whether a unit can fire at the target in any manner."""
    return any(_cannot_aim(frame, position, unit, target_id, manner) is None for manner in _manners(unit))


def _cannot_aim(
    frame: OpportunityFire, position: Position, unit: Stand, target_id: UnitId, manner: Manner
) -> Refusal | None:
    """Reject a target that is not moving here, or that this unit cannot fire at from its place [OPP-11, OPP-12]."""
    target = position.units[target_id]
    if target_id not in frame.movers or target.at is None:
        return Refusal("Only the unit that moves at {} can be fired at", "OPP-11", (tenths(frame.at),))
    if frame.aim and target_id != frame.aim:
        name = position.units[frame.aim].name
        return Refusal("The units that wait fire at {}", "DF-5", (name,))
    if manner not in (*IN_REACTION, "mounted"):
        return Refusal("{} cannot fire in this manner now", "SMF-1", (unit.name,))
    return cannot_hit_stand(position, unit, target, manner)


def window(position: Position, unit: Stand) -> OpportunityFire | None:
    """The window at the place of the stand under way, its riders included [OPP-8, OPP-10].

    None if the other side has had its chance there.
    """
    progress, enemy = under_way(position), position.setting.other[unit.side]
    if unit.at is None or not progress.ready or progress.asked == unit.at:
        return None
    position.progress = replace(progress, asked=unit.at, others=())
    return OpportunityFire(enemy, (enemy,), unit.at, (unit.id, *riders(unit), *progress.others))
