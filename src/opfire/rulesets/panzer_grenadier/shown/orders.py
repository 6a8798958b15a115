"""Standing orders for opportunity fire [13.0]: the answers for a player who does not want to be asked each time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import partial

from opfire.core.actions import Action, Choices
from opfire.core.flow import Frame
from opfire.core.orders import Answer, Asked
from opfire.kit import orders as kit
from opfire.kit.orders import Ambush, Orders
from opfire.rulesets.panzer_grenadier.actions import Pass
from opfire.rulesets.panzer_grenadier.fire import antitank, direct, losses
from opfire.rulesets.panzer_grenadier.fire.reaction import OpportunityFire, ShootAntiTank, ShootDirect
from opfire.rulesets.panzer_grenadier.fire.strengths import Column
from opfire.rulesets.panzer_grenadier.pieces import Hex, Position, Side, UnitId

Shot = ShootDirect | ShootAntiTank
SPARED = "{} standing orders let {} pass at a chance of {} %: {} of {} questions of this segment are spent"


def answer(
    sight: Position, side: Side, frame: Frame, orders: Orders | None, choices: Choices, asked: Sequence[Asked]
) -> Answer:
    """The answer of the orders to a reaction window: units in hiding have orders of their own, RULINGS.md P30."""
    if not isinstance(frame, OpportunityFire):
        return None
    orders = orders or Orders()
    shots = [shot for shot in choices if isinstance(shot, Shot) and not orders.silent(_firers(shot))]
    mover = sight.units[frame.movers[0]].name
    notice = partial(kit.spared, SPARED, "13.0", frame, mover, len(asked), orders.most)
    openly = _chances(sight, frame, orders, [shot for shot in shots if not _any_hidden(sight, shot)])
    found = kit.judged(frame, orders, openly, Pass(), asked, partial(_nearest, sight, side), notice)
    hiding = [shot for shot in shots if orders.hidden.fire == "fire" and _all_hidden(sight, shot)]
    ambushes = _chances(sight, frame, orders.hidden, hiding)
    return kit.from_hiding(orders, ambushes, frame.lurking(sight), found)


def _chances(
    position: Position, frame: OpportunityFire, orders: Orders | Ambush, shots: Iterable[Shot]
) -> dict[Action, Fraction]:
    """The chances of an effect of the shots that the orders want."""
    return {shot: chance_of_effect(position, frame, shot) for shot in shots if _wanted(position, frame, orders, shot)}


def _firers(shot: Shot) -> tuple[UnitId, ...]:
    return shot.units if isinstance(shot, ShootDirect) else (shot.unit,)


def _any_hidden(position: Position, shot: Shot) -> bool:
    return any(unit.hidden for unit in position.pick(_firers(shot)))


def _all_hidden(position: Position, shot: Shot) -> bool:
    return all(unit.hidden for unit in position.pick(_firers(shot)))


def _nearest(position: Position, side: Side, hex: Hex) -> int:
    """The distance to the nearest unit known to the enemy that may still take opportunity fire."""
    able = [unit for unit in position.of(side) if unit.combat and not unit.demoralized and not unit.hidden]
    free = [unit for unit in able if unit.shots or not unit.marked]
    return min((position.map.distance(str(unit.hex), hex) for unit in free), default=99)


def _wanted(position: Position, frame: OpportunityFire, orders: Orders | Ambush, shot: Shot) -> bool:
    """Whether the orders let these units fire at this mover at all, whatever the chance."""
    target = position.units[shot.target]
    aims = [(target.vehicle, target.afv)]
    return kit.wants(orders, _firers(shot), aims, partial(_distance, position, frame.hex))


def _distance(position: Position, hex: Hex, unit_id: UnitId) -> int:
    return position.map.distance(str(position.units[unit_id].hex), hex)


def chance_of_effect(position: Position, frame: OpportunityFire, shot: Shot) -> Fraction:
    """The chance that a shot has an effect on the mover or the leaders with it."""
    if isinstance(shot, ShootAntiTank):
        calculation = antitank.at_fire(position, position.units[shot.unit], position.units[shot.target])
        return 1 - calculation.chances().get("none", Fraction(0))
    movers = [unit for unit in position.pick(frame.movers) if unit.hex == frame.hex]
    groups = direct.at_mover(position, position.pick(shot.units), movers)
    return max((_touched(position, group) for group in groups), default=Fraction(0))


def _touched(position: Position, group: Column) -> Fraction:
    """The chance of a result that a group feels: its armor shuts out checks without step losses [7.61.b]."""
    felt = {
        result
        for result in group.calculation.outcomes
        if any(losses.check_after(unit, result, "opportunity") for unit in position.pick(group.units))
    }
    return sum((chance for result, chance in group.calculation.chances().items() if result in felt), Fraction(0))
