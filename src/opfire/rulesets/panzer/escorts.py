"""Vehicle Assault Cover [7.49]: leg units that advance beside a vehicle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from opfire.rulesets.panzer.pieces import CommandName, Position, Unit, UnitId

OPTION = "7.49"
ROOM, SQUAD = 2, 2
"""The cover of a vehicle is for two half-squads or sections; a squad takes all of it [7.49-cover]."""


def shelters(position: Position, unit: Unit, vehicle: Unit) -> bool:
    """Return whether a leg unit may advance beside a vehicle: on foot in its hex, not in Full Cover [7.49-cond]."""
    if OPTION not in position.setting.options or unit.side != vehicle.side or not vehicle.is_vehicle:
        return False
    return unit.is_leg and not unit.full_cover and unit.hex is not None and unit.hex == vehicle.hex


def together(position: Position, unit: Unit, other: Unit, command: CommandName) -> bool:
    """Return whether two units may share a command for it, even of different formations [7.49-cond]."""
    return command in ("move", "short halt") and (shelters(position, unit, other) or shelters(position, other, unit))


def partners(position: Position, unit: Unit, command: CommandName) -> Iterator[Unit]:
    """The units of other formations with which a unit may share a command for its cover [7.49-cond]."""
    if OPTION in position.setting.options:
        for other in position.of(unit.side):
            if other.formation != unit.formation and together(position, unit, other, command):
                yield other


def size(unit: Unit) -> int:
    """The part of a vehicle's cover that a leg unit takes [7.49-cover]."""
    return SQUAD if unit.kind.category == "squad" else 1


def assign(position: Position, units: Sequence[UnitId]) -> None:
    """Give each leg unit of a shared command the cover of a vehicle of it, as far as there is room [7.49-cover].

    Those that come first on the sheet have it: RULINGS.md R183.
    """
    group = position.pick(units)
    for vehicle in (unit for unit in group if unit.is_vehicle):
        left = ROOM
        for unit in (position.units[one.id] for one in group if shelters(position, one, vehicle)):
            if not unit.sheltered and size(unit) <= left and together(position, unit, vehicle, unit.command):
                left -= size(unit)
                position.change(unit.id, sheltered=vehicle.id)


def followers(position: Position, vehicle: Unit) -> tuple[Unit, ...]:
    """The leg units that may move with a vehicle now, under its cover [7.49-cond]."""
    if OPTION not in position.setting.options:
        return ()
    units = (unit for unit in position.of(vehicle.side) if unit.sheltered == vehicle.id and not unit.moved)
    return tuple(unit for unit in units if shelters(position, unit, vehicle))
