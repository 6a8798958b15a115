"""Standing orders for reaction fire: what answers for a player who does not want to be asked each time."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

import msgspec

from opfire.core.actions import Action
from opfire.core.flow import Frame
from opfire.rulesets.case_orange.actions import Pass
from opfire.rulesets.case_orange.pieces import Hex, Position, Side, Unit
from opfire.rulesets.case_orange.reaction import Interdict, OpportunityFire, Shoot
from opfire.rulesets.case_orange.table import preview


class Orders(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which shots are worth a question.

    `fire`: ask, never fire, or always take the best shot. `at`: fire at everything, at vehicles, at armour.
    `least_chance` is the percentage of any effect below which a shot is let go. `again` says when to ask once more
    about a unit that was let pass: when it has come nearer, or at every step. `units` overrides for single units.
    """

    fire: Literal["ask", "never", "always"] = "ask"
    at: Literal["all", "vehicles", "armour"] = "all"
    least_chance: int = 34
    again: Literal["nearer", "always"] = "nearer"
    units: dict[str, Literal["ask", "never"]] = {}


def answer(sight: Position, side: Side, frame: Frame, orders: Orders | None, choices: list[Action]) -> Action | None:
    """What the orders say to a reaction window, or None to ask."""
    if not isinstance(frame, OpportunityFire):
        return None
    orders = orders or Orders()
    worth = [shot for shot in choices if _wanted(sight, frame, orders, shot)]
    if orders.fire == "never" or not worth:
        return Pass()
    if orders.fire == "always":
        return max(worth, key=lambda shot: chance_of_effect(sight, frame, shot))
    return None


def repeats(sight: Position, side: Side, orders: Orders | None, frame: Frame, earlier: Frame) -> bool:
    """Whether a window is about a unit that was let pass in this player turn and has come no nearer since."""
    if (orders or Orders()).again == "always":
        return False
    if not isinstance(frame, OpportunityFire) or not isinstance(earlier, OpportunityFire):
        return False
    if frame.movers[:1] != earlier.movers[:1]:
        return False
    return _nearest(sight, side, frame.hex) >= _nearest(sight, side, earlier.hex)


def _nearest(position: Position, side: Side, hex: Hex) -> int:
    """How far the nearest unit is that could still fire."""
    return min((position.map.distance(str(unit.hex), hex) for unit in position.of(side) if unit.eligible), default=99)


def _wanted(position: Position, frame: OpportunityFire, orders: Orders, shot: Action) -> bool:
    match shot:
        case Shoot(units, target):
            if any(orders.units.get(name) == "never" for name in units):
                return False
            if not _worth_firing_at(orders, position.units[target]):
                return False
        case Interdict(unit):
            if orders.units.get(unit) == "never":
                return False
        case _:
            return False
    return chance_of_effect(position, frame, shot) * 100 >= orders.least_chance


def _worth_firing_at(orders: Orders, target: Unit) -> bool:
    return orders.at == "all" or (target.vehicle if orders.at == "vehicles" else target.armour)


def chance_of_effect(position: Position, frame: Frame, shot: Action) -> Fraction:
    """The chance of any result from D up."""
    calculation = preview(position, frame, shot)
    return 1 - calculation.chances().get("none", Fraction(0)) if calculation else Fraction(0)
