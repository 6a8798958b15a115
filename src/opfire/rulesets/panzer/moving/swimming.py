"""Amphibious movement [7.34]: vehicles that cross water and impassable streams, one hex a turn."""

from __future__ import annotations

from opfire.core.actions import Refusal
from opfire.core.events import Event
from opfire.core.game import Game
from opfire.rulesets.panzer.fire import losses
from opfire.rulesets.panzer.moving import transport
from opfire.rulesets.panzer.moving.costs import Step
from opfire.rulesets.panzer.pieces import Hex, Position, Unit, UnitId

OPTION = "7.34"


def must_swim(position: Position, unit: Unit, hex: Hex) -> bool:
    """Return whether an amphibious vehicle swims in a hex: water, or a stream that it cannot pass [7.34]."""
    cell = position.map.cells[hex]
    wet = not cell.bridge and not {"water", "stream"}.isdisjoint(cell.terrain)
    closed = position.setting.ground.entry(hex, unit.ground.traction) is None
    return OPTION in position.setting.options and unit.is_vehicle and unit.vehicle.amphibious and wet and closed


def step(position: Position, unit: Unit, hex: Hex) -> Step | Refusal:
    """The price of a step into water: a whole move; nothing is towed through water [7.34]."""
    if transport.towing(position, unit):
        return Refusal("{} tows a unit and cannot enter the water in {}", "7.34", (unit.name, hex))
    return Step(1, takes_all=True)


def sink(game: Game[Position], unit_id: UnitId) -> None:
    """A swimming vehicle that is hit sinks with all aboard; nobody bails out [7.34]."""
    unit = game.state.units[unit_id]
    gone = losses.perish(game, unit)
    game.tell(Event("eliminated", "{} sinks", (unit.name,), "7.34", (unit_id,), (str(unit.hex),)))
    losses.mourn(game, gone)
