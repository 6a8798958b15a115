"""Standing orders for reaction fire: what answers for a player who does not want to be asked each time."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from opfire.core.actions import Action, Choices
from opfire.core.events import Event
from opfire.core.flow import Frame
from opfire.core.orders import Answer, Asked, Orders, judged
from opfire.rulesets.case_orange.actions import Pass
from opfire.rulesets.case_orange.pieces import Hex, Position, Side, UnitId
from opfire.rulesets.case_orange.reaction import Interdict, OpportunityFire, Shoot
from opfire.rulesets.case_orange.shown import preview


def answer(
    sight: Position, side: Side, frame: Frame, orders: Orders | None, choices: Choices, asked: Sequence[Asked]
) -> Answer:
    """What the orders say to a reaction window."""
    if not isinstance(frame, OpportunityFire):
        return None
    orders = orders or Orders()
    chances = {shot: chance_of_effect(sight, frame, shot) for shot in choices if _wanted(sight, frame, orders, shot)}
    passed = [each for each in asked if each.passed and _same_mover(each.frame, frame)]

    def nearer() -> bool:
        return _nearer(sight, side, frame, passed)

    def notice(chance: Fraction) -> Event:
        return _notice(sight, frame, orders, chance, len(asked))

    return judged(orders, chances, Pass(), passed, nearer, len(asked), notice)


def _same_mover(earlier: Frame, frame: OpportunityFire) -> bool:
    return isinstance(earlier, OpportunityFire) and earlier.movers[:1] == frame.movers[:1]


def _nearer(position: Position, side: Side, frame: OpportunityFire, passed: Sequence[Asked]) -> bool:
    """Whether the mover has come nearer than wherever it was let pass."""
    hexes = [each.frame.hex for each in passed if isinstance(each.frame, OpportunityFire)]
    return all(_nearest(position, side, frame.hex) < _nearest(position, side, hex) for hex in hexes)


def _nearest(position: Position, side: Side, hex: Hex) -> int:
    """How far the nearest unit is that could still fire."""
    return min((position.map.distance(str(unit.hex), hex) for unit in position.of(side) if unit.eligible), default=99)


def _notice(position: Position, frame: OpportunityFire, orders: Orders, chance: Fraction, spent: int) -> Event:
    """What the seat is told when a shot is let go so that a question is left for a better one."""
    text = "{} standing orders let {} pass at a chance of {} %: {} of {} questions of this player turn are spent"
    mover = position.units[frame.movers[0]]
    facts = (frame.side.capitalize(), mover.name, round(chance * 100), spent, orders.most)
    return Event("orders", text, facts, "6.0", frame.movers, (frame.hex,), only=(frame.side,))


def _wanted(position: Position, frame: OpportunityFire, orders: Orders, shot: Action) -> bool:
    """Whether the orders let these units fire at this mover at all, whatever the chance."""
    match shot:
        case Shoot(units, target):
            targets: tuple[UnitId, ...] = (target,)
        case Interdict(unit):
            units, targets = (unit,), frame.movers
        case _:
            return False
    return (
        all(orders.units.get(name) != "never" for name in units)
        and any(_worth_firing_at(position, orders, name) for name in targets)
        and not (orders.within and _farthest(position, units, frame.hex) > orders.within)
    )


def _worth_firing_at(position: Position, orders: Orders, name: UnitId) -> bool:
    target = position.units[name]
    return orders.at == "all" or (target.vehicle if orders.at == "vehicles" else target.armour)


def _farthest(position: Position, units: Sequence[UnitId], hex: Hex) -> int:
    return max(position.map.distance(str(unit.hex), hex) for unit in position.pick(units))


def chance_of_effect(position: Position, frame: Frame, shot: Action) -> Fraction:
    """The chance of any result from D up."""
    calculation = preview(position, frame, shot)
    return 1 - calculation.chances().get("none", Fraction(0)) if calculation else Fraction(0)
