"""Opportunity fire at a stand that moves, covering fire at those that fired, and the roll to go on [8.5, 8.6]."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from opfire.core.actions import NOBODY, PROCEDURE, Action, Refusal
from opfire.core.events import Calculation
from opfire.core.flow import Exchange, Frame, Result
from opfire.core.game import Game
from opfire.core.places import Point
from opfire.core.texts import say
from opfire.rulesets.micro_armour.cohesion import FAILURE, cohesion_roll, states, tested, to_go_on
from opfire.rulesets.micro_armour.fire.attacks import Attack, AttackKind, Shot, carry_out
from opfire.rulesets.micro_armour.fire.guns import Manner, fires_standard, gun, in_field, manners, weapon_of, wrong_use
from opfire.rulesets.micro_armour.fire.standard import (
    AddFirer,
    Fire,
    cannot_attack,
    cannot_fire,
    cannot_fire_back,
    is_depleted,
    not_again,
    only_back,
)
from opfire.rulesets.micro_armour.formations import is_broken
from opfire.rulesets.micro_armour.moving.marching import under_way
from opfire.rulesets.micro_armour.pieces import ARTILLERY, Position, Posture, Side, Stand, UnitId
from opfire.rulesets.micro_armour.riders import riders

AIMED = frozenset({"heat", "big game"})
"""The manners of fire that belong to the standard fire phase alone [12.10, 12.11]."""

OWN: tuple[Manner, ...] = ("main", "second", "side arms")
"""The manners in which a stand answers an overrun: with its weapons, or the small arms of its crew [8.7.6]."""

FORCED = frozenset({"S", "(S)", "D"})
"""The results after which a stand rolls to go on [8.5.4]."""


class Oppose(Action, frozen=True):
    """Begin opportunity fire at the stand under way with a first firer."""

    says = "{unit} fires at {target} ({manner})"
    kind = "react"
    unit: UnitId
    target: UnitId
    manner: Manner = "main"


class Cover(Action, frozen=True):
    """Begin covering fire at a stand that has just used opportunity fire, with a first firer."""

    says = "{unit} covers against {target} ({manner})"
    kind = "react"
    unit: UnitId
    target: UnitId
    manner: Manner = "main"


class NotYet(Action, frozen=True):
    """Do not fire here; later on this move perhaps. The mover goes on at once, and nobody passes knowing where to."""

    says = "Not yet"
    later = "You may be asked again during this move."
    kind = "pass"
    final = True
    barrier = "the fire that was held"


class HoldFire(Action, frozen=True):
    """Do not fire at this move."""

    says = "Hold fire"
    later = "No more questions during this move, unless it overruns you."
    kind = "pass"
    final = True
    barrier = "the fire that was held"


# --- checks ---------------------------------------------------------------------------------------------------


def cannot_react(position: Position, side: Side, unit: Stand, kind: AttackKind) -> Refusal | None:
    """Reject a stand that fires at no mover: it has fired, or has not the posture for it [8.5.1, 8.6.1, 12.1.5-7].

    A hit on a vehicle in this phase allows a second attack [12.8], but not on one that overruns it [8.7.6-limit]. Such
    a vehicle is in the same place: the fire at it is not fire out of an impact zone [7.4.5.2-out]: RULINGS.md R137.
    """
    if unit.fired and (kind == "overrun" or not unit.again):
        return Refusal("{} has fired in this turn.", "8.5.1", (unit.name,))
    if is_broken(position, unit) and (unit.gone or unit.spent):
        return Refusal("{} has moved, and its force is broken.", "12.1.5-7", (unit.name,))
    if kind == "covering" and unit.posture not in _cover_from(position):
        return Refusal("{} is not in the firing posture.", "8.6.1", (unit.name,))
    free = kind == "overrun" and not position.setting.has("R137")
    return cannot_fire_back(position, side, unit) if free else cannot_fire(position, side, unit)


def _cover_from(position: Position) -> tuple[Posture, ...]:
    """The postures in which stands give covering fire [8.6.1]: RULINGS.md R128."""
    return ("firing", "fire/move") if position.setting.has("R128") else ("firing",)


def cannot_hit(position: Position, unit: Stand, target: Stand, manner: Manner, kind: AttackKind) -> Refusal | None:
    """Reject a target that a stand cannot fire at in this manner, out of turn [8.5.3, 8.6.2]."""
    if manner in AIMED:
        return Refusal("{} aims so in the standard fire phase only.", "12.10", (unit.name,))
    if kind == "overrun":
        return cannot_answer(position, unit, target, manner)
    own = None if manner == "side arms" else fires_standard(position, unit, manner)
    return own or suffered(target, kind) or not_again(unit, target) or cannot_attack(position, unit, target, manner)


def suffered(target: Stand, kind: AttackKind) -> Refusal | None:
    """Reject a second opportunity attack [8.5.5] and a second covering attack [8.6.4] on a stand in a phase."""
    if kind == "covering":
        return Refusal("{} has suffered covering fire.", "8.6.4", (target.name,)) if target.covered else None
    return Refusal("{} has suffered opportunity fire.", "8.5.5", (target.name,)) if target.opposed else None


def cannot_answer(position: Position, unit: Stand, vehicle: Stand, manner: Manner) -> Refusal | None:
    """Reject fire at a vehicle that drives through the firer, at range zero [8.7.6-fire, 8.7.6-limit, 12.2.2]."""
    if vehicle.opposed:
        return Refusal("{} has suffered opportunity fire.", "8.7.6-limit", (vehicle.name,))
    if refusal := wrong_use(position, unit, vehicle, manner) or is_depleted(position, unit, vehicle, manner):
        return refusal
    if refusal := only_back(position, unit, vehicle):
        return refusal
    used = gun(position, unit, manner, vehicle)
    if not used.reach and position.setting.has("R99"):
        return Refusal("{} has such weapons for close assaults only.", "8.8.11", (unit.name,))
    if not used.firepower:
        return Refusal("{} has no firepower against {}.", "7.1.9", (unit.name, vehicle.name))
    if answers_itself(position, unit, manner) == (manner == "side arms"):
        return Refusal("{} fights with what faces the vehicle.", "8.7.6-fire", (unit.name,))
    return None


def answers_itself(position: Position, unit: Stand, manner: Manner) -> bool:
    """Return whether a weapon answers the vehicle under way with its own values: it comes from its field [8.7.6-fire].

    Guns of the artillery do so as well: RULINGS.md R141. One with a least range has it on no enemy this near [7.4.8].
    """
    weapon = unit.kind if manner == "side arms" else weapon_of(position, unit, manner)
    if weapon.min_range or (position.setting.has("R141") and unit.kind.kind in ARTILLERY):
        return False
    origin = under_way(position).origin
    return origin is None or in_field(position, unit, origin, weapon)


def ways(position: Position, unit: Stand, target: Stand, kind: AttackKind) -> Iterator[Manner]:
    """The manners in which a stand that may react can fire at a target; artillery answers overruns [8.7.6-fire]."""
    found = manners(position, unit) if kind != "overrun" else OWN
    for manner in found:
        if cannot_hit(position, unit, target, manner, kind) is None:
            yield manner


# --- windows ----------------------------------------------------------------------------------------------------


class OpportunityFire(Exchange, frozen=True):
    """The enemy may fire at the stand under way [8.5.2]; all of the fire at one place is one attack [8.5.5]."""

    takes = (Oppose, NotYet, HoldFire)
    step = "movement"
    rule = "8.5.2"
    question = "Fire at {target}?"
    target: UnitId = ""
    kind: AttackKind = "opportunity"
    at: Point = (0, 0)

    @property
    def movers(self) -> tuple[UnitId, ...]:
        """The stand that moves, for standing orders."""
        return (self.target,)

    @property
    def hex(self) -> Point:
        """The place of the stand that moves, for standing orders."""
        return self.at

    def shots(self, sight: Position, side: str) -> Iterator[Action]:
        for unit in self._able(sight, side):
            for target in self._targets(sight):
                yield from (Oppose(unit.id, target.id, manner) for manner in ways(sight, unit, target, self.kind))

    def _targets(self, sight: Position) -> list[Stand]:
        """The stand that moves, and others that can be attacked separately."""
        mover = sight.units[self.target]
        return [mover, *(beside(sight, mover) if self.kind == "opportunity" else ())]

    def _able(self, sight: Position, side: str) -> Iterator[Stand]:
        names = under_way(sight).through
        for unit in sight.pick([names]) if names else sight.of(side):
            if cannot_react(sight, side, unit, self.kind) is None:
                yield unit

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        yield from (unit.id for unit in self._able(sight, side))

    def acts(self, sight: Position, side: str, actor: str) -> Iterable[Action]:
        if actor == NOBODY:
            return (NotYet(), HoldFire())
        return (shot for shot in self.shots(sight, side) if isinstance(shot, Oppose) and shot.unit == actor)

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        if not isinstance(action, Oppose):
            return None
        if action.target not in [target.id for target in self._targets(sight)]:
            return Refusal("Only the stand that moves can be fired at now.", "8.5.2")
        return _cannot(sight, side, action, self.kind)

    def play(self, game: Game[Position], action: Action) -> None:
        position = game.state
        match action:
            case Oppose(unit, target, manner):
                self.again(game, ())
                game.push(Reacting(self.side, target, (Shot(unit, manner),), self.kind))
            case HoldFire():
                position.progress = replace(under_way(position), held=True)
                self.passed(game)
            case _:
                self.passed(game)

    def closes(self, game: Game[Position]) -> Result:
        return under_way(game.state).firers

    def prompt(self, sight: Position, side: str) -> str:
        return say(self.question, target=sight.units[self.target].name)


class CoveringFire(Exchange, frozen=True):
    """The moving side may fire back at the stands that used opportunity fire [8.6.2]; each suffers one attack."""

    takes = (Cover, NotYet)
    step = "movement"
    rule = "8.6.2"
    question = "Give covering fire?"
    targets: tuple[UnitId, ...] = ()

    def shots(self, sight: Position, side: str) -> Iterator[Action]:
        for unit in sight.of(side):
            if cannot_react(sight, side, unit, "covering") is None:
                yield from self._of(sight, unit)

    def _of(self, sight: Position, unit: Stand) -> Iterator[Cover]:
        for target in sight.pick(self.targets):
            for manner in ways(sight, unit, target, "covering"):
                yield Cover(unit.id, target.id, manner)

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        yield from (unit.id for unit in sight.of(side) if cannot_react(sight, side, unit, "covering") is None)

    def acts(self, sight: Position, side: str, actor: str) -> Iterable[Action]:
        return (NotYet(),) if actor == NOBODY else self._of(sight, sight.units[actor])

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        if not isinstance(action, Cover):
            return None
        if action.target not in self.targets:
            return Refusal("Covering fire meets the stands that have just fired.", "8.6.2")
        return _cannot(sight, side, action, "covering")

    def play(self, game: Game[Position], action: Action) -> None:
        if isinstance(action, Cover):
            self.again(game, self.waiting)
            return game.push(Reacting(self.side, action.target, (Shot(action.unit, action.manner),), "covering"))
        self.passed(game)

    def closes(self, game: Game[Position]) -> Result:
        return COVERED


COVERED = "covered"
"""The result of a window for covering fire."""


def _cannot(position: Position, side: Side, action: Oppose | Cover, kind: AttackKind) -> Refusal | None:
    unit, target = position.units[action.unit], position.units[action.target]
    return cannot_react(position, side, unit, kind) or cannot_hit(position, unit, target, action.manner, kind)


class Reacting(Frame, frozen=True):
    """An attack out of turn to which firers are being added [8.5.5, 8.6.4]."""

    takes = (AddFirer, Fire)
    step = "movement"
    rule = "8.5.3"
    question = "Add a firer, or fire"
    target: UnitId
    shots: tuple[Shot, ...]
    kind: AttackKind

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        if self.kind != "overrun":
            firing = {shot.unit for shot in self.shots}
            able = (unit for unit in sight.of(side) if cannot_react(sight, side, unit, self.kind) is None)
            yield from (unit.id for unit in able if unit.id not in firing)

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        if actor == NOBODY:
            yield Fire()
            return
        target = sight.units[self.target]
        yield from (AddFirer(actor, manner) for manner in ways(sight, sight.units[actor], target, self.kind))

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        if not isinstance(action, AddFirer):
            return None
        unit = sight.units[action.unit]
        if self.kind == "overrun" or any(shot.unit == unit.id for shot in self.shots):
            return Refusal("{} does not join in.", PROCEDURE, (unit.name,))
        target = sight.units[self.target]
        return cannot_react(sight, side, unit, self.kind) or cannot_hit(sight, unit, target, action.manner, self.kind)

    def play(self, game: Game[Position], action: Action) -> None:
        if isinstance(action, AddFirer):
            game.swap(replace(self, shots=(*self.shots, Shot(action.unit, action.manner))))
            return
        open_fire(game, Attack(self.target, self.shots, self.kind))
        game.pop()


def open_fire(game: Game[Position], attack: Attack) -> None:
    """Carry an attack out of turn out [8.5.3, 8.6.2]; a stand that it has shaken rolls before it goes on [8.5.4].

    The enemy may attack the other stands there that can be attacked separately, each once [8.5.5].
    """
    position = game.state
    if attack.kind == "covering":
        position.change(attack.target, covered=True)
        carry_out(game, attack)
        return
    position.change(attack.target, opposed=True)
    results = carry_out(game, attack)
    at_mover = attack.target == under_way(position).unit
    shaken = attack.kind == "opportunity" and at_mover and not FORCED.isdisjoint(results)
    firers = tuple(shot.unit for shot in attack.shots)
    position.progress = replace(under_way(position), firers=firers, shaken=shaken, asked=None)


# --- what the move of a stand asks --------------------------------------------------------------------------------


def window(position: Position) -> OpportunityFire | None:
    """The window at the place of the stand under way; None if nobody can fire there, or has let it pass [8.5.2].

    Loading and unloading count as movement [8.4.8].
    """
    progress = under_way(position)
    unit = position.units[progress.unit]
    kind: AttackKind = "overrun" if progress.through else "opportunity"
    opposed = unit.opposed and all(other.opposed for other in beside(position, unit))
    if unit.at is None or opposed or progress.asked == unit.at or (progress.held and kind == "opportunity"):
        return None
    enemy = position.setting.other[unit.side]
    found = OpportunityFire(enemy, (enemy,), unit.id, kind, unit.at)
    return found if found.may_act(position, enemy) else None


def beside(position: Position, mover: Stand) -> list[Stand]:
    """The riders of a mover [12.5], and the stands that have just got off it, which counts as movement [8.4.8]."""
    off = (unit for unit in position.pick(under_way(position).alighted) if unit.at is not None)
    return [*riders(position, mover), *off]


def answer(position: Position, firers: tuple[UnitId, ...]) -> CoveringFire | None:
    """The window in which the moving side covers its stand [8.6.1]; None if it cannot."""
    side = position.units[under_way(position).unit].side
    there = tuple(name for name in firers if position.units[name].at is not None)
    found = CoveringFire(side, (side,), there)
    return found if found.may_act(position, side) else None


def go_on(game: Game[Position]) -> None:
    """A stand that opportunity fire has shaken goes on only after a cohesion roll [8.5.4]."""
    position, progress = game.state, under_way(game.state)
    position.progress = replace(progress, firers=(), shaken=False)
    unit = position.units[progress.unit]
    if not progress.shaken or unit.at is None:
        return
    roll = going_on(position, unit)
    if roll.result([tested(game, unit, roll)]) == FAILURE:
        position.progress = replace(under_way(position), halted=True)


def going_on(position: Position, unit: Stand) -> Calculation:
    """The roll of a stand to go on under fire, by its states alone [8.5.4]."""
    return cohesion_roll("to go on", "8.5.4", to_go_on(position, unit), states(unit))
