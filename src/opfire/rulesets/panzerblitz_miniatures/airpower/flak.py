"""Anti-aircraft defense and collective ground fire [AAD, CGF]: fire from the ground at aircraft, as decisions."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Literal

from msgspec.structs import replace

from opfire.core.actions import NOBODY, PROCEDURE, Action, Refusal
from opfire.core.events import Calculation, Event
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.places import INCH, Point
from opfire.core.texts import Text
from opfire.kit.attacks import common_calibre
from opfire.rulesets.panzerblitz_miniatures.actions import EndPhase, Pass
from opfire.rulesets.panzerblitz_miniatures.airpower.air import fliers
from opfire.rulesets.panzerblitz_miniatures.airpower.antiaircraft import (
    aa_column,
    aircraft_after,
    antiaircraft,
    collective_fire,
    not_antiaircraft,
)
from opfire.rulesets.panzerblitz_miniatures.airpower.armament import used
from opfire.rulesets.panzerblitz_miniatures.equipment import range_inches
from opfire.rulesets.panzerblitz_miniatures.fire.aiming import in_water, out_of_arc
from opfire.rulesets.panzerblitz_miniatures.fire.combat import Strength
from opfire.rulesets.panzerblitz_miniatures.fire.effectiveness import effectiveness, no_effect, out_of_range
from opfire.rulesets.panzerblitz_miniatures.fire.results import destroy
from opfire.rulesets.panzerblitz_miniatures.pieces import (
    Arm,
    Position,
    Side,
    Stand,
    UnitId,
    not_at_hand,
    not_yours,
    off_the_table,
)
from opfire.rulesets.panzerblitz_miniatures.sighting.seeing import limit_of
from opfire.rulesets.panzerblitz_miniatures.sighting.spotted import reveal
from opfire.rulesets.panzerblitz_miniatures.sighting.visibility import beyond_sight
from opfire.space.measure import length, square

Occasion = Literal["air phase", "direct fire", "air combat"]
"""When guns fire: at aircraft that moved, in the Air Phase; at helicopters, in their direct fire phase; in the air."""


class AimAt(Action, frozen=True):
    """Begin anti-aircraft fire at an aircraft with a first gun."""

    says = "{unit} fires at {target}"
    kind = "fire"
    unit: UnitId
    target: UnitId


class AddGun(Action, frozen=True):
    """Let another gun fire at the same aircraft."""

    says = "{unit} joins in"
    kind = "fire"
    unit: UnitId


class OpenFire(Action, frozen=True):
    """Roll the anti-aircraft fire that has been put together."""

    says = "Fire"
    kind = "confirm"
    final = True


class AntiAircraft(Frame, frozen=True):
    """The other side's guns may fire at the aircraft that moved within their range [AIP-2, AAD-1]."""

    step = "air"
    rule = "AIP-2"

    def begin(self, game: Game[Position]) -> None:
        """The other side's guns fire before the aircraft attack [AIP-1, AAD-1]."""
        game.push(AntiAircraftFire(game.state.setting.other[self.side], "air phase"))

    def resume(self, game: Game[Position], result: object) -> None:
        game.pop()


class AirCombat(Frame, frozen=True):
    """The guns of the phasing side's aircraft may fire at enemy aircraft [AIC-1]: RULINGS.md R106."""

    step = "air"
    rule = "AIC-1"

    def begin(self, game: Game[Position]) -> None:
        game.push(AntiAircraftFire(self.side, "air combat"))

    def resume(self, game: Game[Position], result: object) -> None:
        game.pop()


class AntiAircraftFire(Frame, frozen=True):
    """Guns are aimed at one aircraft after the other; all that fire at one make a single attack [AIC-1, AAD-1].

    `target` and `guns` are those of the attack that is put together, `done` the aircraft that have been fired at.
    """

    takes = (AimAt, AddGun, OpenFire, Pass)
    step = "air"
    rule = "AAD-1"
    question = "Fire at aircraft with your anti-aircraft units, or hold fire"
    occasion: Occasion
    target: UnitId = ""
    guns: tuple[UnitId, ...] = ()
    done: tuple[UnitId, ...] = ()

    def begin(self, game: Game[Position]) -> None:
        """End at once if no gun has an aircraft in range [AIP-2]."""
        position = game.state
        there = targets(position, self.side, self.occasion)
        guns = [gun for gun in self._idle(position) if any(self._aims(position, gun))] if there else []
        if not guns or (self.occasion == "air combat" and too_weak(position, guns)):
            game.pop()

    def _idle(self, position: Position) -> list[Stand]:
        """The anti-aircraft units that may fire now."""
        found = (unit for unit in position.of(self.side) if unit.kind.anti_aircraft or unit.arms)
        idle = (unit for unit in found if unit.id not in self.guns)
        return [unit for unit in idle if cannot_fire_now(self.side, unit, self.occasion) is None]

    def _aims(self, position: Position, gun: Stand) -> Iterator[AimAt]:
        for aircraft in targets(position, self.side, self.occasion):
            if aircraft.id not in self.done and cannot_hit(position, gun, aircraft, self.occasion) is None:
                yield AimAt(gun.id, aircraft.id)

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        yield from (gun.id for gun in self._idle(sight))

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        if actor == NOBODY:
            yield OpenFire() if self.target else Pass()
        elif not self.target:
            yield from self._aims(sight, sight.units[actor])
        elif self.refusal(sight, side, join := AddGun(actor)) is None:
            yield join

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case AimAt(unit, target):
                return self._decided() or self._cannot(sight, sight.units[unit], sight.units[target])
            case AddGun(unit):
                return self._undecided() or self._cannot(sight, sight.units[unit], sight.units[self.target])
            case OpenFire():
                return self._undecided()
        return self._decided()

    def _cannot(self, sight: Position, gun: Stand, aircraft: Stand) -> Refusal | None:
        return (
            cannot_fire_now(self.side, gun, self.occasion)
            or no_target(sight, self.side, aircraft, self.occasion)
            or joined(gun, self.guns)
            or fired_at_before(aircraft, self.done)
            or cannot_hit(sight, gun, aircraft, self.occasion)
        )

    def _decided(self) -> Refusal | None:
        return Refusal("Add guns to the fire, or roll it", PROCEDURE) if self.target else None

    def _undecided(self) -> Refusal | None:
        return None if self.target else Refusal("Choose an aircraft to fire at", PROCEDURE)

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case AimAt(unit, target):
                game.swap(replace(self, target=target, guns=(unit,)))
            case AddGun(unit):
                game.swap(replace(self, guns=(*self.guns, unit)))
            case OpenFire():
                fire(game, self.guns, self.target, self.occasion)
                after = replace(self, target="", guns=(), done=(*self.done, self.target))
                game.swap(after)
                after.begin(game)
            case Pass():
                game.pop()


# --- the targets and their ways -------------------------------------------------------------------------------


def targets(position: Position, side: Side, occasion: Occasion) -> list[Stand]:
    """The enemy aircraft that a side's guns may fire at on this occasion, in range or not."""
    enemies = [unit for unit in position.enemies(side) if unit.aircraft]
    return [unit for unit in enemies if no_target(position, side, unit, occasion) is None]


def no_target(position: Position, side: Side, aircraft: Stand, occasion: Occasion) -> Refusal | None:
    """Reject a target that is not in the air, or out of turn [AIP-2, HEL-6]."""
    if aircraft.side == side or not aircraft.aircraft:
        return Refusal("{} is no enemy aircraft", "AAD-1", (aircraft.name,))
    if refusal := off_the_table(aircraft):
        return refusal
    if occasion == "direct fire" and not (aircraft.helicopter and aircraft.flying):
        return Refusal("{} is no helicopter in the air", "HEL-6", (aircraft.name,))
    if occasion == "air combat" and not aircraft.flying:
        return Refusal("{} is not in the air", "AIC-1", (aircraft.name,))
    if not way(position, aircraft, occasion):
        return Refusal("{} has not spent a quarter of its allowance", "HEL-6", (aircraft.name,))
    return None


def way(position: Position, aircraft: Stand, occasion: Occasion) -> tuple[Point, ...]:
    """The way on which an aircraft is fired at: all of it, of a helicopter that after the first quarter [HEL-6].

    An aircraft that did not move is fired at where it is: RULINGS.md R101. In the direct fire phase a helicopter is.
    """
    assert aircraft.at is not None
    if occasion != "air phase" or not aircraft.helicopter:
        flown = aircraft.flown if occasion == "air phase" else ()
        return flown or (aircraft.at,)
    quarter = position.allowance(aircraft) * position.charts.named["opportunity fire"]
    return after(aircraft.flown, -(-quarter.numerator // quarter.denominator))


def after(flown: tuple[Point, ...], distance: int) -> tuple[Point, ...]:
    """The part of a way beyond a distance (10^-6 inch) from its beginning; empty if the way is shorter."""
    for index, (a, b) in enumerate(pairwise(flown)):
        leg = length(a, b)
        if distance <= leg:
            point = (a[0] + (b[0] - a[0]) * distance // leg, a[1] + (b[1] - a[1]) * distance // leg)
            return (point, *flown[index + 1 :])
        distance -= leg
    return ()


def nearest(way: tuple[Point, ...], at: Point) -> Point:
    """The point of a way nearest to a place, to 1/1000 inch: there a gun fires at it: RULINGS.md R101.

    >>> nearest(((0, 0), (10_000, 0)), (4_000, 3_000)), nearest(((0, 0), (10_000, 0)), (-5, 3_000))
    ((4000, 0), (0, 0))
    """
    legs = pairwise(way)
    return min((way[0], *(_foot(a, b, at) for a, b in legs)), key=lambda point: square(point, at))


def _foot(a: Point, b: Point, at: Point) -> Point:
    """The point of a leg nearest to a place."""
    (dx, dy), whole = (b[0] - a[0], b[1] - a[1]), square(a, b)
    part = min(max(dx * (at[0] - a[0]) + dy * (at[1] - a[1]), 0), whole)
    return (a[0] + _rounded(dx * part, whole), a[1] + _rounded(dy * part, whole)) if whole else a


def _rounded(number: int, divisor: int) -> int:
    return (2 * number + divisor) // (2 * divisor)


# --- checks ---------------------------------------------------------------------------------------------------


def cannot_fire_now(side: Side, gun: Stand, occasion: Occasion) -> Refusal | None:
    """Reject a unit that cannot fire at aircraft now [AAD-2, AAD-3, AIC-1]."""
    if occasion == "air combat":
        return not_at_hand(side, gun) or has_no_guns(gun)
    return not_at_hand(side, gun) or not_antiaircraft(gun.kind) or marked(gun, occasion)


def has_no_guns(unit: Stand) -> Refusal | None:
    """Reject an aircraft without guns for air combat [AIC-1], or one that has attacked [FB-3]: RULINGS.md R106."""
    if not unit.flying or not any(arm.guns and arm.left for arm in unit.arms):
        return Refusal("{} has no guns for air combat", "AIC-1", (unit.name,))
    if unit.struck or unit.fired:
        return Refusal("{} has attacked in this phase", "FB-3", (unit.name,))
    return None


def marked(gun: Stand, occasion: Occasion) -> Refusal | None:
    """Reject a gun with an Opportunity Fire marker [AAD-3]; in its own segment one that has fired [COM-5]."""
    if gun.reacted:
        return Refusal("{} has an Opportunity Fire marker", "AAD-3", (gun.name,))
    if gun.fired and occasion == "direct fire":
        return Refusal("{} has fired in this segment", "COM-5", (gun.name,))
    return None


def joined(gun: Stand, guns: tuple[UnitId, ...]) -> Refusal | None:
    """Reject a gun that takes part already."""
    return Refusal("{} takes part already", PROCEDURE, (gun.name,)) if gun.id in guns else None


def fired_at_before(aircraft: Stand, done: tuple[UnitId, ...]) -> Refusal | None:
    """Reject a second attack on one aircraft: all guns make a single one [AIC-1]."""
    return Refusal("{} has been fired at", "AIC-1", (aircraft.name,)) if aircraft.id in done else None


def cannot_hit(position: Position, gun: Stand, aircraft: Stand, occasion: Occasion) -> Refusal | None:
    """Reject a gun that has no effect on an aircraft anywhere on its way [AIP-2, AIL-1, WECT-6]."""
    assert gun.at is not None
    spot = nearest(way(position, aircraft, occasion), gun.at)
    far, reach = square(spot, gun.at), range_inches(position.charts, gun.kind)
    if occasion == "air combat":
        return out_of_range(gun.name, int(position.charts.named["air attack in inches"]), far)
    return (
        in_water(position, gun)
        or out_of_range(gun.name, reach, far)
        or out_of_arc(position, gun, aircraft.name, spot)
        or beyond_sight(aircraft.name, limit_of(position, gun, aircraft, ()), far)
        or no_effect(position.charts, gun.name, gun.kind.weapon, "aircraft", reach, far)
    )


# --- the fire -------------------------------------------------------------------------------------------------


def calculation(position: Position, guns: tuple[UnitId, ...], target: UnitId, occasion: Occasion) -> Calculation:
    """The fire of these guns at an aircraft, each by its distance from the way [AIC-1, WECT-6]."""
    aircraft = position.units[target]
    path, firing = way(position, aircraft, occasion), position.pick(guns)
    if occasion == "air combat":
        strengths = [Strength(Text("{}, {}", (gun.name, gun_of(gun).weapon)), gun_of(gun).attack) for gun in firing]
    else:
        strengths = [strength(position, gun, path) for gun in firing]
    return antiaircraft(position.charts, strengths, aircraft.name, aircraft.kind.aa_drm)


def too_weak(position: Position, guns: list[Stand]) -> bool:
    """Return whether all these aircraft together have too few factors for the anti-aircraft table [AAT-1]."""
    return aa_column(position.charts, Fraction(sum(gun_of(gun).attack for gun in guns))) is None


def gun_of(unit: Stand) -> Arm:
    """The strongest gun that an aircraft has left [AIC-1]."""
    return max((arm for arm in unit.arms if arm.guns and arm.left), key=lambda arm: arm.attack)


def strength(position: Position, gun: Stand, path: tuple[Point, ...]) -> Strength:
    """The strength of a gun at the nearest point of a way [WECT-6]: RULINGS.md R101."""
    assert gun.at is not None
    far, reach = square(nearest(path, gun.at), gun.at), range_inches(position.charts, gun.kind)
    factor = effectiveness(position.charts, gun.kind.weapon, "aircraft", reach, far)
    return Strength(gun.name, gun.kind.attack, (factor,))


def preview(position: Position, frame: AntiAircraftFire, action: Action) -> Calculation | None:
    """The fire that an action begins, adds to, or rolls."""
    match action:
        case AimAt(unit, target):
            return calculation(position, (unit,), target, frame.occasion)
        case AddGun(unit):
            return calculation(position, (*frame.guns, unit), frame.target, frame.occasion)
        case OpenFire() if frame.target:
            return calculation(position, frame.guns, frame.target, frame.occasion)
    return None


def fire(game: Game[Position], guns: tuple[UnitId, ...], target: UnitId, occasion: Occasion) -> None:
    """Roll the fire, apply its result and mark the guns: on the ground by Opportunity Fire markers [AAD-3]."""
    position = game.state
    roll(game, calculation(position, guns, target, occasion), target, guns)
    for gun in guns:
        reveal(game, position.units[gun])
        if occasion == "air combat":
            unit = position.units[gun]
            position.change(gun, struck=True, fired=True, arms=tuple(used(unit, gun_of(unit))))
        elif occasion == "air phase":
            position.change(gun, reacted=True)
        else:
            position.change(gun, fired=True)


def roll(game: Game[Position], made: Calculation, target: UnitId, guns: tuple[UnitId, ...] = ()) -> None:
    """Roll fire at an aircraft, and destroy or damage it [AAT-2]."""
    position = game.state
    aircraft = position.units[target]
    assert aircraft.at is not None
    dice = game.roll(made.count, made.sides) if made.count else ()
    result = made.result(dice)
    facts, units = (made.title, result), (*guns, target)
    calibre = common_calibre(unit.kind.calibre_mm for unit in position.pick(guns))
    game.tell(Event("fired", "{}: {}", facts, made.rule, units, (aircraft.at,), dice, made, calibre=calibre))
    match aircraft_after("damaged" if aircraft.damaged else "flying", result):
        case "destroyed":
            destroy(game, target, "AAT-2")
        case "damaged" if not aircraft.damaged:
            position.change(target, damaged=True)
            game.tell(Event("result", "{} is damaged", (aircraft.name,), "AAT-2", (target,), (aircraft.at,)))


# --- collective ground fire [CGF] -------------------------------------------------------------------------------


class GroundFire(Action, frozen=True):
    """Attack an aircraft with all units near it."""

    says = "Ground fire at {target}"
    kind = "fire"
    final = True
    target: UnitId


class GroundFireAll(Action, frozen=True):
    """Attack all aircraft that can be attacked."""

    says = "Ground fire at all aircraft"
    kind = "fire"
    final = True


class CollectiveGroundFire(Frame, frozen=True):
    """The other side's units fire at the aircraft near them that have attacked, once at each [AIP-3, CGF-1, CGF-2].

    This is no fire by which units are marked [CGF-3]. `done` are the aircraft that have been fired at.
    """

    takes = (GroundFire, GroundFireAll, EndPhase)
    step = "air"
    rule = "CGF-1"
    question = "Fire at the aircraft that attacked near your units"
    done: tuple[UnitId, ...] = ()

    def begin(self, game: Game[Position]) -> None:
        enemy = game.state.setting.other[self.side]
        if not _in_danger(game.state, enemy, ()):
            return game.pop()
        game.swap(CollectiveGroundFire(enemy))

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        yield from (unit.id for unit in _in_danger(sight, side, self.done))

    def acts(self, sight: Position, side: str, actor: str) -> tuple[Action, ...]:
        return (GroundFireAll(), EndPhase()) if actor == NOBODY else (GroundFire(actor),)

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case GroundFire(target):
                return cannot_shoot_at(sight, side, sight.units[target], self.done)
        return None

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case GroundFire(target):
                self._fire(game, (target,))
            case GroundFireAll():
                self._fire(game, tuple(unit.id for unit in _in_danger(game.state, self.side, self.done)))
            case EndPhase():
                game.pop()

    def _fire(self, game: Game[Position], targets: tuple[UnitId, ...]) -> None:
        """One attack on each aircraft; nobody is marked as having fired [CGF-2, CGF-3]."""
        for target in targets:
            roll(game, ground_fire(game.state, target), target)
        done = (*self.done, *targets)
        game.swap(replace(self, done=done))
        if not _in_danger(game.state, self.side, done):
            game.pop()


def ground_fire(position: Position, target: UnitId) -> Calculation:
    """The attack on an aircraft in the column of 4 factors [CGF-4]."""
    aircraft = position.units[target]
    return collective_fire(position.charts, aircraft.name, aircraft.kind.aa_drm)


def _in_danger(position: Position, side: Side, done: tuple[UnitId, ...]) -> list[Stand]:
    """The enemy aircraft that a side's units may fire at together."""
    enemies = fliers(position, position.setting.other[side])
    return [unit for unit in enemies if cannot_shoot_at(position, side, unit, done) is None]


def cannot_shoot_at(position: Position, side: Side, aircraft: Stand, done: tuple[UnitId, ...]) -> Refusal | None:
    """Reject collective ground fire at this aircraft [CGF-1, CGF-2]."""
    if not_yours(side, aircraft) is None or not aircraft.aircraft:
        return Refusal("{} is no enemy aircraft", "CGF-1", (aircraft.name,))
    if refusal := off_the_table(aircraft):
        return refusal
    if not aircraft.struck:
        return Refusal("{} has not attacked", "CGF-1", (aircraft.name,))
    if aircraft.id in done:
        return Refusal("{} has been attacked by ground fire", "CGF-2", (aircraft.name,))
    return nobody_near(position, side, aircraft)


def nobody_near(position: Position, side: Side, aircraft: Stand) -> Refusal | None:
    """Reject an aircraft without an undispersed enemy unit within four inches [AIP-3]."""
    assert aircraft.at is not None
    inches = position.charts.named["air attack in inches"]
    reach = (inches * INCH) ** 2
    fit = (unit for unit in position.of(side) if not unit.dispersed)
    if any(unit.standing and square(unit.standing, aircraft.at) <= reach for unit in fit):
        return None
    return Refusal("No undispersed unit is within {} inches of {}", "AIP-3", (str(inches), aircraft.name))
