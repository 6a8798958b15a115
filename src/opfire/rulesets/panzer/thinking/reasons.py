"""The reasons of a command sheet, in words: what each command is for, and with what chance."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from opfire.core.texts import Text, Words
from opfire.rulesets.panzer.commands import Command
from opfire.rulesets.panzer.fire.shots import shot
from opfire.rulesets.panzer.orders import HARMLESS
from opfire.rulesets.panzer.pieces import Position, Side, Unit, UnitId
from opfire.rulesets.panzer.thinking import commanding, firing, marching
from opfire.rulesets.panzer.thinking.mind import Mind


def reasons(sight: Position, side: Side, *, orders: Iterable[Command]) -> dict[UnitId, Words]:
    """The reason of each order of a sheet, by the unit that gets it."""
    mind = Mind(sight, side)
    return {order.unit: _reason(mind, sight.units[order.unit], order) for order in orders}


def _reason(mind: Mind, unit: Unit, order: Command) -> Words:
    match order.command:
        case "fire" | "short halt":
            return _shot(mind, replace(unit, command=order.command))
        case "move":
            return _way(mind, unit)
        case "overwatch":
            return _watch(mind, unit)
    return "it has nothing better to do"


def _shot(mind: Mind, unit: Unit) -> Words:
    """The best shot of the unit with its command at an enemy that it has spotted, and the chance as both stand now."""
    best = max(firing.shots(mind, unit), key=lambda each: each[:2], default=None)
    if best is None:
        return "to call the fire of others"
    _, target, arm = best
    position, foe = mind.position, mind.position.units[target]
    chances = shot(position, unit, foe, False, arm.name).chances()
    chance = round(100 * (1 - sum(chances.get(result, 0) for result in HARMLESS)))
    words = "at {}: {} % to hit" if position.setting.advanced and arm.is_ap else "at {}: {} % for an effect"
    return Text(words, (foe.name, chance))


def _way(mind: Mind, unit: Unit) -> Words:
    """The objective to which the unit is on its way."""
    goal = mind.objectives.get(unit.id) or marching.objective(mind, unit)
    return Text("towards {}", (goal,)) if goal and goal != unit.hex else "to a better place"


def _watch(mind: Mind, unit: Unit) -> Words:
    """The enemy at whom the unit will most likely have its best shot."""
    watched = commanding.in_view(mind, unit, commanding.Aims()) if unit.is_vehicle else []
    if not watched:
        return "it waits for an enemy"
    return Text("it waits for {}", (mind.position.units[watched[0].foe].name,))
