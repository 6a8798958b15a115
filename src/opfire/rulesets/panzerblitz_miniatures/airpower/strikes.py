"""Air strikes [FB, ASP, HEL-9]: aircraft attack units below them with one weapon of their strike packages."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from opfire.core.actions import NOBODY, PROCEDURE, Action, Refusal
from opfire.core.events import Calculation, Event
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.places import INCH, Point, tenths
from opfire.core.texts import Text
from opfire.rulesets.panzerblitz_miniatures.actions import EndPhase
from opfire.rulesets.panzerblitz_miniatures.airpower.air import fliers, no_aircraft
from opfire.rulesets.panzerblitz_miniatures.airpower.armament import used
from opfire.rulesets.panzerblitz_miniatures.airpower.drift import drift
from opfire.rulesets.panzerblitz_miniatures.fire.aiming import no_target, not_a_target, unseen
from opfire.rulesets.panzerblitz_miniatures.fire.attacks import Attack, Target, calculation, carry_out, target_of
from opfire.rulesets.panzerblitz_miniatures.fire.combat import Strength
from opfire.rulesets.panzerblitz_miniatures.fire.effectiveness import air_effectiveness
from opfire.rulesets.panzerblitz_miniatures.pieces import (
    Position,
    Side,
    Stand,
    UnitId,
    is_dispersed,
    is_down,
    not_yours,
    off_the_table,
)
from opfire.rulesets.panzerblitz_miniatures.sighting.seeing import sights_for_its_like
from opfire.space.measure import square


class Strike(Action, frozen=True):
    """Attack an enemy unit, a fortification or a bridge with a weapon of the strike package."""

    says = "{unit} attacks {target} with {weapon}"
    kind = "fire"
    final = True
    unit: UnitId
    target: str
    weapon: str


class AirStrikes(Frame, frozen=True):
    """Aircraft that have come through the fire attack one after the other, each once [AIP-1, FB-1, FB-3]."""

    takes = (Strike, EndPhase)
    step = "air"
    rule = "FB-2"
    question = "Attack with your aircraft, or end their attacks"

    def begin(self, game: Game[Position]) -> None:
        sight = game.state
        if not any(True for unit in strikers(sight, self.side) for _ in strikes(sight, unit)):
            game.pop()

    def resume(self, game: Game[Position], result: object) -> None:
        self.begin(game)

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        yield from (unit.id for unit in strikers(sight, side))

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        return iter((EndPhase(),)) if actor == NOBODY else strikes(sight, sight.units[actor])

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        if isinstance(action, Strike):
            return cannot_strike(sight, side, sight.units[action.unit], action.target, action.weapon)
        return None

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case EndPhase():
                return game.pop()
            case Strike(unit, target, weapon):
                strike(game, unit, target, weapon)
        if game.stack[-1] == self:  # no bombs have drifted to a choice of their own
            game.resume_top()


def strikers(position: Position, side: Side) -> list[Stand]:
    """The side's aircraft that may attack now."""
    return [unit for unit in fliers(position, side) if unit.arms and cannot_attack(side, unit) is None]


def strikes(position: Position, unit: Stand) -> Iterator[Strike]:
    """The attacks that an aircraft may make now."""
    enemies = (enemy.id for enemy in position.enemies(unit.side))
    forts = (work.id for work in position.works.values() if work.kind == "fort")
    bridges = (bridge.id for bridge in position.table.ground.of_kind("bridge"))
    for name in chain(enemies, forts, bridges):
        if cannot_aim(position, unit, name) is None:
            for arm in unit.arms:
                if useless(position, unit, arm.weapon, name) is None:
                    yield Strike(unit.id, name, arm.weapon)


# --- checks ---------------------------------------------------------------------------------------------------


def cannot_strike(position: Position, side: Side, unit: Stand, target: str, weapon: str) -> Refusal | None:
    """Reject an attack that an aircraft may not make [FB-2 to FB-7, ASP-2 to ASP-5, HEL-10, HDN-8]."""
    return cannot_attack(side, unit) or cannot_aim(position, unit, target) or useless(position, unit, weapon, target)


def cannot_attack(side: Side, unit: Stand) -> Refusal | None:
    """Reject an aircraft that attacks nothing now."""
    refusal = not_yours(side, unit) or no_aircraft(unit) or off_the_table(unit)
    return refusal or is_down(unit) or is_dispersed(unit) or has_struck(unit)


def has_struck(unit: Stand) -> Refusal | None:
    """Reject a second attack [FB-3, FB-4], or one by a helicopter that has used its own strength [HEL-10]."""
    if unit.struck:
        return Refusal("{} has attacked in this phase", "FB-3", (unit.name,))
    if unit.fired:
        return Refusal("{} has fired in this turn and makes no air strike", "HEL-10", (unit.name,))
    return None


def cannot_aim(position: Position, unit: Stand, name: str) -> Refusal | None:
    """Reject a target that is no enemy below, too far, or not sighted [FB-2, FB-7].

    Attacks of aircraft are direct fire, and have its targets: fortifications [FRT-5] and bridges [BRI-6] too.
    """
    assert unit.at is not None
    enemy = position.units.get(name)
    if refusal := no_target(position, name) or (_no_enemy_below(unit, enemy) if enemy else None):
        return refusal
    if refusal := not_a_target(position, unit, name):
        return refusal
    target = target_of(position, name)
    inches = position.charts.named["air attack in inches"]
    if square(unit.at, target.at) > (inches * INCH) ** 2:
        return Refusal("{} attacks within {} inches only", "FB-2", (unit.name, str(inches)))
    return not_sighted(position, unit, target)


def _no_enemy_below(unit: Stand, target: Stand) -> Refusal | None:
    """Reject a friend, an aircraft and a passenger [FB-2]."""
    if target.side == unit.side:
        return Refusal("{} is on your side", PROCEDURE, (target.name,))
    if target.flying or target.carrier is not None:
        return Refusal("{} is no target on the ground", "FB-2", (target.name,))
    return None


def not_sighted(position: Position, unit: Stand, target: Target) -> Refusal | None:
    """Reject a target that the aircraft does not see [AIL-1]; one fighter-bomber sights for all others [FB-7]."""
    refusal = unseen(position, unit, target)
    if refusal is None or not sights_for_its_like(unit):
        return refusal
    others = (other for other in position.of(unit.side) if sights_for_its_like(other) and other.id != unit.id)
    return None if any(unseen(position, other, target) is None for other in others) else refusal


def useless(position: Position, unit: Stand, weapon: str, name: str) -> Refusal | None:
    """Reject a weapon that is not on board, spent [FB-5], or without effect on the target [ASP-4]."""
    arm = next((each for each in unit.arms if each.weapon == weapon), None)
    if arm is None:
        return Refusal("{} has no {}", "ASP-1", (unit.name, weapon))
    if not arm.left:
        return Refusal("{} has no {} left", "FB-5", (unit.name, weapon))
    target = target_of(position, name)
    if any(air_effectiveness(position.charts, arm.weapon_class, kind).value for kind in target.kinds):
        return None
    return Refusal("{} have no effect on {}", "ASP-4", (weapon.capitalize(), target.name))


# --- the attack -------------------------------------------------------------------------------------------------


def attack(position: Position, unit: Stand, target: str, weapon: str) -> Attack:
    """The attack of an aircraft by class of weapon and kind of target, the same at every distance [ASP-7]."""
    arm = next(each for each in unit.arms if each.weapon == weapon)
    kinds = target_of(position, target).kinds
    factor = max(
        (air_effectiveness(position.charts, arm.weapon_class, kind) for kind in kinds), key=lambda each: each.value
    )
    return Attack("air", target, strengths=(Strength(Text("{}, {}", (unit.name, weapon)), arm.attack, (factor,)),))


def preview(position: Position, action: Strike) -> Calculation:
    """The attack if nothing drifts."""
    return calculation(position, attack(position, position.units[action.unit], action.target, action.weapon))


def strike(game: Game[Position], unit_id: UnitId, name: str, weapon: str) -> None:
    """Carry out an air strike; unguided bombs drift first [FB-6]: RULINGS.md R56."""
    position = game.state
    unit, at = position.units[unit_id], target_of(position, name).at
    arm = next(each for each in unit.arms if each.weapon == weapon)
    position.change(unit_id, arms=tuple(used(unit, arm)), struck=True, fired=True)
    spot = drift(game, unit_id, at, "FB-6") if arm.drifts else at
    if arm.drifts and position.setting.has("R56") and spot != at:
        return game.push(DriftedBombs(unit.side, unit_id, weapon, spot))
    if square(spot, at) > (position.charts.named["drifted bombs hit within inches"] * INCH) ** 2:
        return missed(game, unit, weapon, spot)
    carry_out(game, attack(position, unit, name, weapon))


def missed(game: Game[Position], unit: Stand, weapon: str, spot: Point) -> None:
    """Report a bomb that has missed."""
    game.tell(Event("result", "{}: {} miss, at {}", (unit.name, weapon, tenths(spot)), "FB-6", (unit.id,), (spot,)))


# --- option R56 -------------------------------------------------------------------------------------------------


class Hit(Action, frozen=True):
    """Choose the unit that drifted bombs attack."""

    says = "The bombs attack {target}"
    kind = "fire"
    final = True
    target: UnitId


class DriftedBombs(Frame, frozen=True):
    """By option R56 the owner of drifted bombs chooses an enemy unit within two inches of their new point [FB-6]."""

    takes = (Hit,)
    step = "air"
    rule = "FB-6"
    question = "Choose the unit that the bombs attack"
    unit: UnitId
    weapon: str
    at: Point

    def begin(self, game: Game[Position]) -> None:
        if not self._near(game.state):
            missed(game, game.state.units[self.unit], self.weapon, self.at)
            game.pop()

    def _near(self, position: Position) -> list[Stand]:
        return [enemy for enemy in position.enemies(self.side) if self._missed(position, enemy) is None]

    def _missed(self, position: Position, enemy: Stand) -> Refusal | None:
        """Reject a unit that is not near the bombs."""
        reach = position.charts.named["drifted bombs choose within inches"] * INCH
        if enemy.side != self.side and enemy.standing and square(enemy.standing, self.at) <= reach**2:
            return None
        return Refusal("{} is no enemy within two inches of the bombs", "FB-6", (enemy.name,))

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        return (Hit(enemy.id) for enemy in self._near(sight))

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        return self._missed(sight, sight.units[action.target]) if isinstance(action, Hit) else None

    def play(self, game: Game[Position], action: Action) -> None:
        if isinstance(action, Hit):
            unit = game.state.units[self.unit]
            game.pop()
            carry_out(game, attack(game.state, unit, action.target, self.weapon))
