"""Standing orders for opportunity fire: the answers for a player who does not want to be asked each time."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial

from opfire.core.actions import Action, Choices
from opfire.core.flow import Frame
from opfire.core.orders import Answer, Asked
from opfire.core.places import Point
from opfire.kit import orders as kit
from opfire.kit.orders import Orders
from opfire.rulesets.panzerblitz_miniatures.actions import Pass
from opfire.rulesets.panzerblitz_miniatures.fire import attacks
from opfire.rulesets.panzerblitz_miniatures.fire.attacks import Shot
from opfire.rulesets.panzerblitz_miniatures.moving.opportunity import OpportunityFire, React, attack
from opfire.rulesets.panzerblitz_miniatures.pieces import Position, Side, UnitId
from opfire.space.measure import MICRO, length

SPARED = "{} standing orders let {} pass at a chance of {} %: {} of {} questions of this player turn are spent"

HARMLESS = frozenset({"none", "AM", "AM+1", "AM+2", "AD", "ADD", "AX"})
"""The results that do the target no harm."""

FAR_AWAY = 999
"""More inches than any table has."""


def answer(
    sight: Position, side: Side, frame: Frame, orders: Orders | None, choices: Choices, asked: Sequence[Asked]
) -> Answer:
    """The answer of the orders to a window; none while units wait there to fire together."""
    if not isinstance(frame, OpportunityFire) or frame.joined:
        return None
    orders = orders or Orders()
    chances: dict[Action, Fraction] = {
        shot: chance_of_effect(sight, shot)
        for shot in choices
        if isinstance(shot, React) and _wanted(sight, frame, orders, shot)
    }
    mover = sight.units[frame.movers[0]].name
    notice = partial(kit.spared, SPARED, "OPP-6", frame, mover, len(asked), orders.most)
    return kit.judged(frame, orders, chances, Pass(), asked, partial(_nearest, sight, side), notice)


def _wanted(position: Position, frame: OpportunityFire, orders: Orders, shot: React) -> bool:
    """Whether the orders let this unit fire at this target at all, whatever the chance."""
    target = position.units[shot.target]
    aims = ((target.vehicle, target.kind.target == "armored"),)
    return not orders.silent((shot.unit,)) and kit.wants(
        orders, (shot.unit,), aims, partial(_distance, position, frame.at)
    )


def _nearest(position: Position, side: Side, at: Point) -> int:
    """The inches to the nearest stand of the side that could still fire, rounded up."""
    waiting = (unit.id for unit in position.of(side) if not (unit.reacted or unit.dispersed))
    return min((_distance(position, at, name) for name in waiting), default=FAR_AWAY)


def _distance(position: Position, at: Point, unit_id: UnitId) -> int:
    """The inches from a point to a stand, rounded up."""
    unit = position.units[unit_id]
    return FAR_AWAY if unit.at is None else -(-length(at, unit.at) // MICRO)


def chance_of_effect(position: Position, shot: React) -> Fraction:
    """The chance that a shot calls for a morale check at least."""
    made = attacks.calculation(position, attack(position, (Shot(shot.unit, shot.manner),), shot.target))
    return sum((chance for result, chance in made.chances().items() if result not in HARMLESS), Fraction(0))
