"""Standing orders for opportunity and covering fire [8.5, 8.6]: answers for a player who is not asked each time."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial

from msgspec.structs import replace

from opfire.core.actions import Action, Choices
from opfire.core.flow import Frame
from opfire.core.orders import Answer, Asked
from opfire.core.places import Point
from opfire.kit import orders as kit
from opfire.kit.orders import FAR_AWAY, Occasion, Orders, inches
from opfire.rulesets.micro_armour.cohesion import FAILURE
from opfire.rulesets.micro_armour.fire.attacks import Attack, AttackKind, Shot, fire_roll, with_hot_shot
from opfire.rulesets.micro_armour.moving.opportunity import Cover, CoveringFire, NotYet, OpportunityFire, Oppose
from opfire.rulesets.micro_armour.pieces import Position, Side, UnitId

SPARED = "{} standing orders let {} pass at a chance of {} %: {} of {} questions of this turn are spent"


def answer(
    sight: Position, side: Side, frame: Frame, orders: Orders | None, choices: Choices, asked: Sequence[Asked]
) -> Answer:
    """The answer of the orders to a window; None if they do not cover it."""
    orders = orders or Orders()
    match frame:
        case OpportunityFire(kind="opportunity"):
            return _judged(sight, frame, orders, choices, asked, "8.5.2")
        case CoveringFire(targets=targets) if targets and (at := sight.units[targets[0]].at) is not None:
            return _judged(sight, Occasion(frame.side, targets, at), orders, choices, asked, "8.6.2")
    return None


def _judged(
    sight: Position,
    window: OpportunityFire | Occasion,
    orders: Orders,
    choices: Choices,
    asked: Sequence[Asked],
    rule: str,
) -> Answer:
    """The verdict on a window in which some shots are wanted."""
    chances = {shot: chance_of_effect(sight, shot) for shot in choices if _wanted(sight, window.hex, orders, shot)}
    name = sight.units[window.movers[0]].name
    notice = partial(kit.spared, SPARED, rule, window, name, len(asked), orders.most)
    return kit.judged(window, orders, chances, NotYet(), asked, partial(_nearest, sight, window.side), notice)


def _nearest(sight: Position, side: Side, at: Point) -> int:
    """The inches from a place to the nearest stand of a side that could still fire, rounded up."""
    waiting = (unit.id for unit in sight.of(side) if not unit.fired)
    return min((_distance(sight, at, name) for name in waiting), default=FAR_AWAY)


def _wanted(sight: Position, at: Point, orders: Orders, shot: Action) -> bool:
    """Return whether the orders let a stand fire at its target at all, whatever the chance."""
    if not isinstance(shot, Oppose | Cover) or orders.silent((shot.unit,)):
        return False
    target = sight.units[shot.target]
    aims = ((target.vehicle, target.armoured),)
    return kit.wants(orders, (shot.unit,), aims, partial(_distance, sight, at))


def _distance(sight: Position, at: Point, unit_id: UnitId) -> int:
    """The inches from a point to a stand, rounded up."""
    return inches(at, sight.units[unit_id].at)


def chance_of_effect(sight: Position, shot: Action) -> Fraction:
    """The chance that a shot is fired and suppresses its target at least [7.1.6, 7.2, 12.2.1]."""
    assert isinstance(shot, Oppose | Cover)
    kind: AttackKind = "covering" if isinstance(shot, Cover) else "opportunity"
    attack = Attack(shot.target, (Shot(shot.unit, shot.manner),), kind)
    missed = fire_roll(sight, attack, attack.shots[0]).chances().get(FAILURE, Fraction(0))
    made = replace(with_hot_shot(sight, attack), before=(FAILURE, missed))
    return sum((chance for result, chance in made.chances().items() if result not in ("-", FAILURE)), Fraction(0))
