"""Overruns and close assaults alike: units that have paid for one, the fire of their target, the attack, jumping off.

The attackers of one target move up one after another; each pays for its part and stays where it is [OVR-3, CAT-3].
Then its side carries the attack out: first the target may fire [OPP-16], then all attackers that are left attack at
once, and infantry on overrunning armor may jump off and assault the survivors [CAT-6].
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, TypeAlias

from msgspec.structs import replace

from opfire.core.actions import NOBODY, Action, Refusal
from opfire.core.events import Event
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.places import Point
from opfire.core.texts import say
from opfire.rulesets.panzerblitz_miniatures.actions import Pass
from opfire.rulesets.panzerblitz_miniatures.fire.aiming import IN_REACTION, out_of_arc, powerless, reactions, unable
from opfire.rulesets.panzerblitz_miniatures.fire.attacks import Attack, Shot, at_stand, carry_out, weapon
from opfire.rulesets.panzerblitz_miniatures.fire.results import beside, get_off
from opfire.rulesets.panzerblitz_miniatures.moving.occupation import move_in
from opfire.rulesets.panzerblitz_miniatures.pieces import (
    Charge,
    Manner,
    Position,
    Side,
    Stand,
    UnitId,
    adjacent,
    clearing,
    designated,
    is_dispersed,
    not_yours,
    off_the_table,
    passengers,
    rides,
)
from opfire.rulesets.panzerblitz_miniatures.setup import unfit
from opfire.space.measure import MICRO

Kind: TypeAlias = Literal["overrun", "close assault"]

SUPPORT = frozenset({"machinegun", "mortar", "anti-tank"})
"""The types of stands that assault only beside infantry that assaults the same defender [CAT-10]."""


class CarryOut(Action, frozen=True):
    """Carry out the overrun or the close assault of a target."""

    says = "Carry out the {attack} of {target}"
    kind = "confirm"
    final = True
    attack: Kind
    target: UnitId


class FireBack(Action, frozen=True):
    """The target of an overrun or close assault fires at one of its attackers [OPP-16, OPP-20]."""

    says = "{unit} fires at {target} ({manner})"
    kind = "fire"
    final = True
    unit: UnitId
    target: UnitId
    manner: Manner = "normal"


class JumpOff(Action, frozen=True):
    """Infantry jumps off armor that has overrun a target, to assault the survivors [CAT-6]."""

    says = "{unit} jumps off"
    kind = "overrun"
    unit: UnitId


class StayAboard(Action, frozen=True):
    """Let nobody more jump off: those who did assault the survivors [CAT-6]."""

    says = "Nobody else jumps off"
    kind = "done"


_DEAR = "{} needs {} more movement points for the attack"

# --- charges --------------------------------------------------------------------------------------------------


def join(game: Game[Position], unit_id: UnitId, charge: Charge, cost: int) -> None:
    """Pay for a part in an attack, in movement points; the unit moves no farther [OVR-4, CAT-4]: RULINGS.md R27."""
    position = game.state
    unit = position.change(
        unit_id, spent=position.units[unit_id].spent + cost * MICRO, position=False, charge=charge, moved=True
    )
    if position.progress is not None:
        position.progress = replace(position.progress, halted=True)
    words = "{} joins the {} of {}"
    facts = (unit.name, charge.kind, position.units[charge.target].name)
    game.tell(Event("charge", words, facts, "OVR-4" if charge.kind == "overrun" else "CAT-4", (unit_id, charge.target)))


def cannot_pay(position: Position, unit: Stand, cost: int, rule: str) -> Refusal | None:
    """Reject a unit without the movement points for its part in the attack."""
    left = position.allowance(unit) - unit.spent
    if left >= cost * MICRO:
        return None
    words = "{} needs {} more movement point for the attack" if cost == 1 else _DEAR
    return Refusal(words, rule, (unit.name, cost))


def charging(position: Position, side: Side, kind: Kind, target: UnitId) -> list[Stand]:
    """The units that have paid for an attack and can still take part in it [OPP-16]."""
    units = [
        unit
        for unit in position.of(side)
        if unit.charge and (unit.charge.kind, unit.charge.target) == (kind, target) and not unit.dispersed
    ]
    return [unit for unit in units if unit.kind.type not in SUPPORT or backed(position, unit, units)]


def backed(position: Position, unit: Stand, units: Iterable[Stand]) -> bool:
    """Return whether a machine gun, mortar or anti-tank stand is adjacent to infantry that assaults too [CAT-10]."""
    return any(other.infantry and adjacent(position, unit, other) for other in units)


def pending(position: Position, side: Side) -> list[CarryOut]:
    """The attacks that the side has to carry out before its movement phase ends [OVR-3, CAT-3]."""
    charges = [unit.charge for unit in position.of(side) if unit.charge is not None]
    found = dict.fromkeys((charge.kind, charge.target) for charge in charges)
    return [CarryOut(kind, target) for kind, target in found if _stands(position, side, kind, target)]


def _stands(position: Position, side: Side, kind: Kind, target: UnitId) -> bool:
    return position.units[target].at is not None and bool(charging(position, side, kind, target))


def unfinished(position: Position, side: Side) -> Refusal | None:
    """Reject the end of the movement phase while an attack waits to be carried out [OVR-3, CAT-3]."""
    for waiting in pending(position, side):
        rule = "OVR-3" if waiting.attack == "overrun" else "CAT-3"
        name = position.units[waiting.target].name
        return Refusal("Carry out the {} of {} first", rule, (waiting.attack, name))
    return None


def not_waiting(position: Position, side: Side, action: CarryOut) -> Refusal | None:
    """Reject an attack that no unit has joined."""
    if action in pending(position, side):
        return None
    return Refusal("No unit has joined such an attack", "OVR-3" if action.attack == "overrun" else "CAT-3")


def charge_of(position: Position, side: Side, kind: Kind, target: UnitId) -> Attack:
    """The attack of all units that have paid for it and are left."""
    units = charging(position, side, kind, target)
    return Attack(kind, target, tuple(Shot(unit.id, unit.charge.manner) for unit in units if unit.charge))


# --- the attack -----------------------------------------------------------------------------------------------


class CloseCombat(Frame, frozen=True):
    """An overrun or close assault is carried out: the target's fire, then the attack [OPP-16, OVR-6, CAT-8]."""

    attack: Kind
    target: UnitId

    def begin(self, game: Game[Position]) -> None:
        attackers = tuple(unit.id for unit in charging(game.state, self.side, self.attack, self.target))
        other = game.state.setting.other[self.side]
        if any_fire_back(game.state.known_to(""), self.target, attackers):  # a question must not betray a mission
            game.push(DefensiveFire(other, self.target, attackers))
        else:
            self.resume(game, None)

    def resume(self, game: Game[Position], result: object) -> None:
        position = game.state
        attackers = charging(position, self.side, self.attack, self.target)
        game.pop()
        if position.units[self.target].at is not None and attackers:
            carry_out(game, charge_of(position, self.side, self.attack, self.target))
        self._forget(position)
        riders = tuple(
            rider.id for unit in attackers for rider in passengers(position, unit) if can_jump(position, rider, self)
        )
        if riders and self.attack == "overrun":
            game.push(JumpingOff(self.side, self.target, riders))

    def _forget(self, position: Position) -> None:
        for unit in position.pick(position.setting.ids[self.side]):
            if unit.charge and (unit.charge.kind, unit.charge.target) == (self.attack, self.target):
                position.change(unit.id, charge=None)


def can_jump(position: Position, rider: Stand, attack: CloseCombat) -> bool:
    """Return whether a rider may jump off and assault the survivor of an overrun [CAT-6]: RULINGS.md R28."""
    target = position.units[attack.target]
    ready = rider.at is not None and rider.infantry and not rider.dispersed and rides(position, rider)
    if not ready or target.at is None or "close assault" in target.attacked:
        return False
    return place_beside(position, rider, target) is not None


def place_beside(position: Position, rider: Stand, target: Stand) -> Point | None:
    """A place beside its carrier from which a rider reaches the target, if there is one."""
    assert rider.at is not None
    alone = replace(rider, carrier=None)
    places = (at for at in beside(position, rider.at) if adjacent(position, replace(rider, at=at), target))
    return next((at for at in places if unfit(position, alone, at) is None), None)


# --- the target fires -----------------------------------------------------------------------------------------


def cannot_fire_back(
    position: Position, unit: Stand, attacker_id: UnitId, manner: Manner, attackers: Iterable[UnitId]
) -> Refusal | None:
    """Reject fire of a target at one of its attackers; a Firing Position is not needed [OPP-20], the range is 0."""
    if attacker_id not in tuple(attackers):
        return Refusal("{} does not attack {}", "OPP-13", (position.units[attacker_id].name, unit.name))
    return idle(position, unit, manner) or _ineffective(position, unit, position.units[attacker_id], manner)


def idle(position: Position, unit: Stand, manner: Manner) -> Refusal | None:
    """Reject a unit that cannot use opportunity fire in this manner now [OPP-4, OPP-14, GLO-4]."""
    if refusal := designated(position, unit, "OPP-14") or clearing(position, unit):
        return refusal
    if unit.reacted:
        return Refusal("{} has used opportunity fire in this phase", "OPP-4", (unit.name,))
    if manner not in IN_REACTION:
        return Refusal("{} cannot fire in this manner now", "SMF-1", (unit.name,))
    return is_dispersed(unit) or unable(position, unit, manner)


def _ineffective(position: Position, unit: Stand, attacker: Stand, manner: Manner) -> Refusal | None:
    arm = weapon(position, unit, manner)
    assert arm is not None
    target = at_stand(position, attacker)
    return out_of_arc(position, unit, target.name, target.at) or powerless(position, unit, target, arm, 0)


def answers(position: Position, target: UnitId, attackers: Iterable[UnitId]) -> Iterator[FireBack]:
    """Every shot of a target at its attackers; infantry too fires at armor [OPP-18]."""
    unit = position.units[target]
    for name in attackers:
        for manner in reactions(unit):
            if cannot_fire_back(position, unit, name, manner, attackers) is None:
                yield FireBack(target, name, manner)


def any_fire_back(position: Position, target: UnitId, attackers: Iterable[UnitId]) -> bool:
    """Return whether the target of an attack could fire at all, as far as everybody knows."""
    return position.units[target].at is not None and any(True for _ in answers(position, target, attackers))


class DefensiveFire(Frame, frozen=True):
    """The target of an overrun or close assault may fire at one of its attackers before it is attacked [OPP-16]."""

    takes = (FireBack, Pass)
    step = "opportunity fire"
    rule = "OPP-16"
    question = "{target} is attacked: fire at an attacker, or hold fire"
    target: UnitId
    attackers: tuple[UnitId, ...]

    def actors(self, sight: Position, side: str) -> Iterable[str]:
        return (NOBODY, self.target)

    def acts(self, sight: Position, side: str, actor: str) -> Iterable[Action]:
        if actor == NOBODY:
            return (Pass(),)
        return () if designated(sight, sight.units[actor], "OPP-14") else answers(sight, self.target, self.attackers)

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case FireBack(unit, target, manner):
                return self._cannot(sight, side, sight.units[unit], target, manner)
        return None

    def _cannot(self, sight: Position, side: Side, unit: Stand, target: UnitId, manner: Manner) -> Refusal | None:
        if refusal := not_yours(side, unit) or off_the_table(unit):
            return refusal
        if unit.id != self.target:
            return Refusal("Only {} may fire now", "OPP-13", (sight.units[self.target].name,))
        return designated(sight, unit, "OPP-14") or cannot_fire_back(sight, unit, target, manner, self.attackers)

    def play(self, game: Game[Position], action: Action) -> None:
        game.pop()
        match action:
            case FireBack(unit, target, manner):
                carry_out(game, Attack("defensive", target, (Shot(unit, manner),)))

    def prompt(self, sight: Position, side: str) -> str:
        return say(self.question, target=sight.units[self.target].name)


# --- jumping off ----------------------------------------------------------------------------------------------


class JumpingOff(Frame, frozen=True):
    """Infantry may jump off the armor that has overrun a target, and assault it at once [CAT-6]: RULINGS.md R28."""

    takes = (JumpOff, StayAboard)
    step = "jumping off"
    rule = "CAT-6"
    question = "Infantry may jump off and assault {target}"
    target: UnitId
    riders: tuple[UnitId, ...]

    def actors(self, sight: Position, side: str) -> Iterable[str]:
        return (NOBODY, *self.riders)

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        if actor == NOBODY:
            yield StayAboard()
        elif self._cannot(sight, actor) is None:
            yield JumpOff(actor)

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        return self._cannot(sight, action.unit) if isinstance(action, JumpOff) else None

    def _cannot(self, sight: Position, unit_id: UnitId) -> Refusal | None:
        rider = sight.units[unit_id]
        if unit_id not in self.riders or rider.carrier is None:
            return Refusal(
                "{} does not ride on a unit that overran {}", "CAT-6", (rider.name, sight.units[self.target].name)
            )
        if place_beside(sight, rider, sight.units[self.target]) is None:
            return Refusal("There is no room for {} beside its carrier", "CAT-6", (rider.name,))
        return None

    def play(self, game: Game[Position], action: Action) -> None:
        if isinstance(action, JumpOff):
            self._jump(game, action.unit)
            if any(self._cannot(game.state, name) is None for name in self.riders):
                return
        self._assault(game)

    def _jump(self, game: Game[Position], unit_id: UnitId) -> None:
        position = game.state
        rider = position.units[unit_id]
        to = place_beside(position, rider, position.units[self.target])
        assert to is not None
        get_off(position, unit_id)
        position.put(unit_id, to, moved=True, position=False, charge=Charge("close assault", self.target))
        move_in(position, unit_id)
        game.tell(Event("unloaded", "{} jumps off", (rider.name,), "CAT-6", (unit_id,), (to,)))

    def _assault(self, game: Game[Position]) -> None:
        game.pop()
        if charging(game.state, self.side, "close assault", self.target):
            game.push(CloseCombat(self.side, "close assault", self.target))

    def prompt(self, sight: Position, side: str) -> str:
        return say(self.question, target=sight.units[self.target].name)
