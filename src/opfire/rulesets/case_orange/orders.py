"""Standing orders for reaction fire: the answers for a player who does not want to be asked each time."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial

from opfire.core.actions import Action, Choices
from opfire.core.flow import Frame
from opfire.core.orders import Answer, Asked
from opfire.kit import orders as kit
from opfire.kit.orders import Orders, Pass
from opfire.rulesets.case_orange.pieces import Hex, Position, Side, UnitId
from opfire.rulesets.case_orange.reaction import Interdict, OpportunityFire, Shoot
from opfire.rulesets.case_orange.shown import preview

SPARED = "{} standing orders let {} pass at a chance of {} %: {} of {} questions of this player turn are spent"


def answer(
    sight: Position, side: Side, frame: Frame, orders: Orders | None, choices: Choices, asked: Sequence[Asked]
) -> Answer:
    """The answer of the orders to a reaction window."""
    if not isinstance(frame, OpportunityFire):
        return None
    orders = orders or Orders()
    chances = {shot: chance_of_effect(sight, frame, shot) for shot in choices if _wanted(sight, frame, orders, shot)}
    mover = sight.units[frame.movers[0]].name
    notice = partial(kit.spared, SPARED, "6.0", frame, mover, len(asked), orders.most)
    return kit.judged(frame, orders, chances, Pass(), asked, partial(_nearest, sight, side), notice)


def _nearest(position: Position, side: Side, hex: Hex) -> int:
    """The distance to the nearest unit that could still fire."""
    return min((position.map.distance(str(unit.hex), hex) for unit in position.of(side) if unit.eligible), default=99)


def _wanted(position: Position, frame: OpportunityFire, orders: Orders, shot: Action) -> bool:
    """Whether the orders let these units fire at this mover at all, whatever the chance."""
    match shot:
        case Shoot(units, target):
            targets: tuple[UnitId, ...] = (target,)
        case Interdict(unit):
            units, targets = (unit,), frame.movers
        case _:
            return False
    aims = ((unit.vehicle, unit.armour) for unit in position.pick(targets))
    return not orders.silent(units) and kit.wants(orders, units, aims, partial(_distance, position, frame.hex))


def _distance(position: Position, hex: Hex, unit_id: UnitId) -> int:
    return position.map.distance(str(position.units[unit_id].hex), hex)


def chance_of_effect(position: Position, frame: Frame, shot: Action) -> Fraction:
    """The chance of any result from D up."""
    calculation = preview(position, frame, shot)
    return 1 - calculation.chances().get("none", Fraction(0)) if calculation else Fraction(0)
