"""Standing orders for opportunity fire [13.0]: what answers for a player who does not want to be asked each time."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from opfire.core.actions import Action, Choices
from opfire.core.events import Event
from opfire.core.flow import Frame
from opfire.core.orders import Answer, Asked, Orders, judged
from opfire.rulesets.panzer_grenadier.actions import Pass
from opfire.rulesets.panzer_grenadier.fire import antitank, direct, losses
from opfire.rulesets.panzer_grenadier.fire.reaction import OpportunityFire, ShootAntiTank, ShootDirect
from opfire.rulesets.panzer_grenadier.fire.strengths import Group
from opfire.rulesets.panzer_grenadier.pieces import Hex, Position, Side, UnitId

Shot = ShootDirect | ShootAntiTank


def answer(
    sight: Position, side: Side, frame: Frame, orders: Orders | None, choices: Choices, asked: Sequence[Asked]
) -> Answer:
    """What the orders say to a reaction window."""
    if not isinstance(frame, OpportunityFire):
        return None
    orders = orders or Orders()
    wanted = [shot for shot in choices if isinstance(shot, Shot) and _wanted(sight, frame, orders, shot)]
    chances: dict[Action, Fraction] = {shot: chance_of_effect(sight, frame, shot) for shot in wanted}
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
    """How far the nearest unit is that may still take opportunity fire."""
    able = [unit for unit in position.of(side) if unit.combat and not unit.demoralized]
    free = [unit for unit in able if unit.shots or not unit.marked]
    return min((position.map.distance(str(unit.hex), hex) for unit in free), default=99)


def _notice(position: Position, frame: OpportunityFire, orders: Orders, chance: Fraction, spent: int) -> Event:
    """What the seat is told when a shot is let go so that a question is left for a better one."""
    text = "{} standing orders let {} pass at a chance of {} %: {} of {} questions of this segment are spent"
    mover = position.units[frame.movers[0]]
    facts = (frame.side.capitalize(), mover.name, round(chance * 100), spent, orders.most)
    return Event("orders", text, facts, "13.0", frame.movers, (frame.hex,), only=(frame.side,))


def _wanted(position: Position, frame: OpportunityFire, orders: Orders, shot: Shot) -> bool:
    """Whether the orders let these units fire at this mover at all, whatever the chance."""
    units = shot.units if isinstance(shot, ShootDirect) else (shot.unit,)
    return (
        all(orders.units.get(name) != "never" for name in units)
        and _worth_firing_at(position, orders, shot.target)
        and not (orders.within and _farthest(position, units, frame.hex) > orders.within)
    )


def _worth_firing_at(position: Position, orders: Orders, name: UnitId) -> bool:
    target = position.units[name]
    return orders.at == "all" or (target.vehicle if orders.at == "vehicles" else target.afv)


def _farthest(position: Position, units: Sequence[UnitId], hex: Hex) -> int:
    return max(position.map.distance(str(unit.hex), hex) for unit in position.pick(units))


def chance_of_effect(position: Position, frame: OpportunityFire, shot: Shot) -> Fraction:
    """The chance that a shot does anything to the mover or who moves with it."""
    if isinstance(shot, ShootAntiTank):
        calculation = antitank.at_fire(position, position.units[shot.unit], position.units[shot.target])
        return 1 - calculation.chances().get("none", Fraction(0))
    movers = [unit for unit in position.pick(frame.movers) if unit.hex == frame.hex]
    groups = direct.at_mover(position, position.pick(shot.units), movers)
    return max((_touched(position, group) for group in groups), default=Fraction(0))


def _touched(position: Position, group: Group) -> Fraction:
    """The chance of a result that a group feels: its armor shuts out checks without step losses [7.61.b]."""
    felt = {
        result
        for result in group.calculation.outcomes
        if any(losses.check_after(unit, result, "opportunity") for unit in position.pick(group.units))
    }
    return sum((chance for result, chance in group.calculation.chances().items() if result in felt), Fraction(0))
