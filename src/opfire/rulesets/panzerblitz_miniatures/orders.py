"""Standing orders for fire in the enemy's segment: the answers for a player who does not want to be asked each time.

They answer for opportunity fire at movers [OPP-6], for the target of an overrun or close assault [OPP-16], and for fire
at aircraft [AIP-2, CGF-1].
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial

from msgspec.structs import replace

from opfire.core.actions import Action, Choices
from opfire.core.flow import Frame
from opfire.core.orders import Answer, Asked
from opfire.core.places import Point
from opfire.kit import orders as kit
from opfire.kit.orders import FAR_AWAY, Occasion, Orders, inches
from opfire.rulesets.panzerblitz_miniatures.actions import Pass
from opfire.rulesets.panzerblitz_miniatures.airpower import flak
from opfire.rulesets.panzerblitz_miniatures.airpower.flak import (
    AddGun,
    AimAt,
    AntiAircraftFire,
    CollectiveGroundFire,
    GroundFireAll,
    OpenFire,
)
from opfire.rulesets.panzerblitz_miniatures.close.close_combat import DefensiveFire, FireBack
from opfire.rulesets.panzerblitz_miniatures.fire import attacks
from opfire.rulesets.panzerblitz_miniatures.fire.attacks import Shot
from opfire.rulesets.panzerblitz_miniatures.moving.opportunity import OpportunityFire, React
from opfire.rulesets.panzerblitz_miniatures.pieces import Position, Side, UnitId

SPARED = "{} standing orders let {} pass at a chance of {} %: {} of {} questions of this player turn are spent"

HARMLESS = frozenset({"none", "AM", "AM+1", "AM+2", "AD", "ADD", "AX"})
"""The results that do the target no harm."""

ANY = 1
"""The least chance, in per cent, of a shot by the target of an attack or at aircraft that is worth a question."""


def answer(
    sight: Position, side: Side, frame: Frame, orders: Orders | None, choices: Choices, asked: Sequence[Asked]
) -> Answer:
    """The answer of the orders to a window; None if they do not cover it."""
    orders = orders or Orders()
    match frame:
        case OpportunityFire() if not frame.joined:
            return _at_movers(sight, side, frame, orders, choices, asked)
        case DefensiveFire():
            return _at_attackers(sight, frame, orders, choices, asked)
        case AntiAircraftFire(occasion="air phase"):
            return _at_aircraft(sight, frame, orders, choices, asked)
        case CollectiveGroundFire() if orders.fire != "never":
            return GroundFireAll()  # it marks nobody [CGF-3]
    return None


def _at_movers(
    sight: Position, side: Side, frame: OpportunityFire, orders: Orders, choices: Choices, asked: Sequence[Asked]
) -> Answer:
    """Opportunity fire at the stand that moves [OPP-6]."""
    chances: dict[Action, Fraction] = {
        shot: chance_of_effect(sight, shot)
        for shot in choices
        if isinstance(shot, React) and _wanted(sight, frame.at, orders, shot)
    }
    return _judged(sight, frame, orders, chances, asked, "OPP-6", partial(_nearest, sight, side))


def _at_attackers(
    sight: Position, frame: DefensiveFire, orders: Orders, choices: Choices, asked: Sequence[Asked]
) -> Answer:
    """Fire of the target of an overrun or close assault at one of its attackers, whatever the chance [OPP-16]."""
    at = sight.units[frame.target].at
    assert at is not None
    chances: dict[Action, Fraction] = {
        shot: _effect(sight, attacks.Attack("defensive", shot.target, (Shot(shot.unit, shot.manner),)))
        for shot in choices
        if isinstance(shot, FireBack) and _wanted(sight, at, orders, shot)
    }
    occasion = Occasion(frame.side, frame.attackers, at)
    return _judged(sight, occasion, replace(orders, least_chance=ANY), chances, asked, "OPP-16")


# --- aircraft ---------------------------------------------------------------------------------------------------


def _at_aircraft(
    sight: Position, frame: AntiAircraftFire, orders: Orders, choices: Choices, asked: Sequence[Asked]
) -> Answer:
    """Fire of all guns in range at an aircraft, in the Air Phase of the enemy [AIP-2]."""
    if frame.target:
        joining = (offer for offer in choices if isinstance(offer, AddGun) and not orders.silent((offer.unit,)))
        return next(joining, OpenFire()) if orders.fire == "always" else None
    aims = [offer for offer in choices if isinstance(offer, AimAt) and _in_reach(sight, orders, offer)]
    guns: dict[UnitId, tuple[UnitId, ...]] = {}
    for aim in aims:
        guns[aim.target] = (*guns.get(aim.target, ()), aim.unit)
    hits = {name: _hit(sight, guns[name], name) for name in guns}
    chances: dict[Action, Fraction] = {aim: hits[aim.target] for aim in aims}
    targets = tuple(guns) or tuple(unit.id for unit in flak.targets(sight, frame.side, frame.occasion))
    at = sight.units[targets[0]].at if targets else None
    if at is None:
        return Pass()
    return _judged(sight, Occasion(frame.side, targets, at), replace(orders, least_chance=ANY), chances, asked, "AIP-2")


def _in_reach(position: Position, orders: Orders, aim: AimAt) -> bool:
    """Return whether the orders let a gun fire at an aircraft; they name kinds of targets on the ground alone."""
    at = position.units[aim.target].at
    return (
        not orders.silent((aim.unit,))
        and at is not None
        and kit.wants(orders, (aim.unit,), ((True, True),), partial(_distance, position, at))
    )


def _hit(position: Position, guns: tuple[UnitId, ...], target: UnitId) -> Fraction:
    """The chance that these guns damage an aircraft at least."""
    made = flak.calculation(position, guns, target, "air phase")
    return sum((chance for result, chance in made.chances().items() if result != "none"), Fraction(0))


# --- the verdict ------------------------------------------------------------------------------------------------


def _judged(
    sight: Position,
    window: OpportunityFire | Occasion,
    orders: Orders,
    chances: Mapping[Action, Fraction],
    asked: Sequence[Asked],
    rule: str,
    nearest: Callable[[Point], int] = lambda at: FAR_AWAY,
) -> Answer:
    """The verdict on a window in which these shots are wanted."""
    name = sight.units[window.movers[0]].name
    notice = partial(kit.spared, SPARED, rule, window, name, len(asked), orders.most)
    return kit.judged(window, orders, chances, Pass(), asked, nearest, notice)


def _wanted(position: Position, at: Point, orders: Orders, shot: React | FireBack) -> bool:
    """Whether the orders let this unit fire at this target at all, whatever the chance."""
    target = position.units[shot.target]
    aims = ((target.vehicle, target.kind.target == "armored"),)
    return not orders.silent((shot.unit,)) and kit.wants(orders, (shot.unit,), aims, partial(_distance, position, at))


def _nearest(position: Position, side: Side, at: Point) -> int:
    """The inches to the nearest stand of the side that could still fire, rounded up."""
    waiting = (unit.id for unit in position.of(side) if not (unit.reacted or unit.dispersed))
    return min((_distance(position, at, name) for name in waiting), default=FAR_AWAY)


def _distance(position: Position, at: Point, unit_id: UnitId) -> int:
    """The inches from a point to a stand, rounded up."""
    return inches(at, position.units[unit_id].at)


def chance_of_effect(position: Position, shot: React) -> Fraction:
    """The chance that a shot calls for a morale check at least."""
    return _effect(position, attacks.Attack("opportunity", shot.target, (Shot(shot.unit, shot.manner),)))


def _effect(position: Position, made: attacks.Attack) -> Fraction:
    """The chance that an attack calls for a morale check at least."""
    chances = attacks.calculation(position, made).chances()
    return sum((chance for result, chance in chances.items() if result not in HARMLESS), Fraction(0))
