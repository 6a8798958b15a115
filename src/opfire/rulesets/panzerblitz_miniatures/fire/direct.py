"""The Direct Fire Phase [DF, SMF, MIF]: attacks put together firer by firer, one after another, and smoke."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from opfire.core.actions import NOBODY, PROCEDURE, Action, Offer, Refusal
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.places import INCH, Point
from opfire.kit import attacks as kit
from opfire.rulesets.panzerblitz_miniatures.actions import EndPhase
from opfire.rulesets.panzerblitz_miniatures.airpower.flak import AntiAircraftFire
from opfire.rulesets.panzerblitz_miniatures.command import not_commanded
from opfire.rulesets.panzerblitz_miniatures.equipment import range_inches
from opfire.rulesets.panzerblitz_miniatures.fire import smoke
from opfire.rulesets.panzerblitz_miniatures.fire.aiming import cannot_hit, in_water, manners, no_target
from opfire.rulesets.panzerblitz_miniatures.fire.attacks import Attack, Shot, carry_out, target_of
from opfire.rulesets.panzerblitz_miniatures.fire.results import inside
from opfire.rulesets.panzerblitz_miniatures.fire.smoke import FireSmoke
from opfire.rulesets.panzerblitz_miniatures.pieces import (
    Manner,
    Position,
    Side,
    Stand,
    UnitId,
    clearing,
    is_dispersed,
    is_down,
    not_yours,
    off_the_table,
)
from opfire.space.measure import square


class Engage(Action, frozen=True):
    """Begin a direct attack: its first firer, the manner in which it fires, and its target.

    The target is a unit, a fortification or a bridge.
    """

    says = "{unit} fires at {target} ({manner})"
    kind = "fire"
    unit: UnitId
    target: str
    manner: Manner = "normal"


class AddFirer(Action, frozen=True):
    """Let another unit join the attack [DF-5], or a passenger of one [MIF-1]."""

    says = "{unit} joins in ({manner})"
    kind = "fire"
    unit: UnitId
    manner: Manner = "normal"


class Fire(Action, frozen=True):
    """Roll the attack that has been put together."""

    says = "Fire"
    kind = "confirm"
    final = True


# --- checks ---------------------------------------------------------------------------------------------------


def cannot_fire(position: Position, side: Side, unit: Stand) -> Refusal | None:
    """Reject a unit that fires at nothing in this phase."""
    return (
        not_yours(side, unit)
        or off_the_table(unit)
        or is_dispersed(unit)
        or has_fired(unit)
        or no_ground_attack(unit)
        or is_down(unit)
        or in_water(position, unit)
        or not_commanded(position, unit)
        or clearing(position, unit)
    )


def has_fired(unit: Stand) -> Refusal | None:
    """Reject a unit that has fired in this segment, at whatever target [COM-5, DF-4], or in the enemy's [OPP-5]."""
    if unit.fired:
        return Refusal("{} has fired in this segment", "COM-5", (unit.name,))
    if unit.reacted:
        return Refusal("{} used opportunity fire and does not fire in this segment", "OPP-5", (unit.name,))
    return None


def no_ground_attack(unit: Stand) -> Refusal | None:
    """Reject aircraft other than helicopters, which attack in the Air Phase [FB-1, HEL-8]."""
    if unit.aircraft and unit.kind.type != "helicopter":
        return Refusal("{} attacks in the Air Phase", "FB-1", (unit.name,))
    return None


def attacked_before(position: Position, name: str) -> Refusal | None:
    """Reject a unit, a fortification or a bridge that has suffered direct fire in this segment [COM-6]: RULINGS.md R25.

    Indirect fire in the same segment does not count [IF-11]. Structures: RULINGS.md R113.
    """
    work, unit = position.works.get(name), position.units.get(name)
    hit = inside(position, work) if work else [unit] if unit else []
    if (name, "direct") in position.attacked or any("direct" in each.attacked for each in hit):
        called = target_of(position, name).name
        return Refusal("{} has been attacked by direct fire in this segment", "COM-6", (called,))
    return None


def cannot_engage(position: Position, side: Side, unit: Stand, name: str, manner: Manner) -> Refusal | None:
    """Reject a unit that may not begin a direct attack on this target in this manner [DF-1 to DF-6]."""
    if manner == "mounted":
        return Refusal("{} fires only together with its carrier", "MIF-1", (unit.name,))
    return cannot_fire(position, side, unit) or aboard(unit) or _cannot_engage_it(position, unit, name, manner)


def _cannot_engage_it(position: Position, unit: Stand, name: str, manner: Manner) -> Refusal | None:
    """Reject a target for a unit that may fire."""
    return no_target(position, name) or attacked_before(position, name) or cannot_hit(position, unit, name, manner)


def aboard(unit: Stand) -> Refusal | None:
    """Reject a passenger [TRN-10]."""
    return Refusal("{} is being transported", "TRN-10", (unit.name,)) if unit.carrier is not None else None


# --- offers ---------------------------------------------------------------------------------------------------


def targets(position: Position, unit: Stand) -> Iterator[str]:
    """The targets near enough to look at: enemies, riders on them, fortifications, bridges."""
    assert unit.at is not None
    far = farthest(position, unit) ** 2
    for enemy in position.enemies(unit.side):
        if near(unit.at, enemy.at, far):
            yield enemy.id
            yield from enemy.cargo
    for work in position.works.values():
        if work.kind == "fort" and near(unit.at, work.at, far):
            yield work.id
    for bridge in position.table.ground.of_kind("bridge"):
        if no_target(position, bridge.id) is None and near(unit.at, target_of(position, bridge.id).at, far):
            yield bridge.id


def near(a: Point, b: Point | None, far: int) -> bool:
    """Return whether two points lie within a squared distance of each other."""
    return b is not None and square(a, b) <= far


def farthest(position: Position, unit: Stand) -> int:
    """The distance in 1/1000 inch up to which a unit may find a target."""
    special = unit.anti_tank or unit.missiles or unit.flames
    return (max(position.table.size) * 2) if special else range_inches(position.charts, unit.kind) * INCH


def engagements(position: Position, side: Side, unit: Stand) -> Iterator[Engage]:
    """Every direct attack that the unit could begin."""
    if cannot_fire(position, side, unit) or aboard(unit):
        return
    for name in targets(position, unit):
        for manner in manners(unit):
            if _cannot_engage_it(position, unit, name, manner) is None:
                yield Engage(unit.id, name, manner)


# --- frames ---------------------------------------------------------------------------------------------------


class DirectFirePhase(Frame, frozen=True):
    """The phasing side carries out direct attacks one at a time [DF-2, COM-4], and fires smoke [SSC-3]."""

    takes = (Engage, FireSmoke, EndPhase)
    step = "direct"
    rule = "DF-2"
    question = "Choose a firer and its target, or end the phase"

    def begin(self, game: Game[Position]) -> None:
        """Anti-aircraft units fire at helicopters first [HEL-6]: RULINGS.md R102; then the side fires [SEQ-6]."""
        game.push(AntiAircraftFire(self.side, "direct fire"))

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        yield from (unit.id for unit in sight.of(side) if unit.kind.attack and not cannot_fire(sight, side, unit))

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Offer]:
        if actor == NOBODY:
            yield EndPhase()
            return
        unit = sight.units[actor]
        yield from engagements(sight, side, unit)
        yield from smoke.offers(sight, side, unit)

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case Engage(unit, target, manner):
                return cannot_engage(sight, side, sight.units[unit], target, manner)
            case FireSmoke():
                return smoke.cannot_fire_smoke(sight, side, action)
        return None

    def play(self, game: Game[Position], action: Action) -> None:
        """Declare the next attack with its manner [DF-2, SMF-3], or end the phase: no attack is compulsory [COM-4]."""
        match action:
            case EndPhase():
                game.pop()
            case FireSmoke():
                smoke.fire(game, action)
            case Engage(unit, target, manner):
                game.push(Attacking(self.side, target, (Shot(unit, manner),)))


class Attacking(Frame, frozen=True):
    """A direct attack to which firers are being added [DF-5]."""

    takes = (AddFirer, Fire)
    step = "direct"
    rule = "DF-5"
    question = "Add a firer, or fire"
    target: str
    shots: tuple[Shot, ...]

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        for unit in sight.of(side):
            if unit.kind.attack and not unit.dispersed and has_fired(unit) is None:
                yield unit.id
                yield from unit.cargo

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        if actor == NOBODY:
            yield Fire()
            return
        for manner in manners(sight.units[actor]):
            yield from kit.offered(self, sight, side, AddFirer(actor, manner))

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        if isinstance(action, AddFirer):
            return cannot_join(self, sight, sight.units[action.unit], action.manner)
        return None

    def play(self, game: Game[Position], action: Action) -> None:
        """Add a firer to the one attack that is declared, or carry it out."""
        match action:
            case AddFirer(unit, manner):
                game.swap(replace(self, shots=(*self.shots, Shot(unit, manner))))
            case Fire():
                game.pop()
                carry_out(game, Attack("direct", self.target, self.shots))


def cannot_join(attack: Attacking, position: Position, unit: Stand, manner: Manner) -> Refusal | None:
    """Reject a unit that may not add its fire [DF-5]; a passenger fires only with its carrier [MIF-2]."""
    if any(shot.unit == unit.id for shot in attack.shots):
        return Refusal("{} is already firing", PROCEDURE, (unit.name,))
    if refusal := cannot_fire(position, attack.side, unit):
        return refusal
    if manner != "mounted":
        return aboard(unit) or cannot_hit(position, unit, attack.target, manner)
    if not any(shot.unit == unit.carrier for shot in attack.shots):
        return Refusal("{} fires only together with its carrier", "MIF-2", (unit.name,))
    return cannot_hit(position, unit, attack.target, manner)
