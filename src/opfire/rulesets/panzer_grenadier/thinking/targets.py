"""The possible targets of a unit from its hex, whatever unit is activated."""

from __future__ import annotations

from opfire.rulesets.panzer_grenadier.fire import antitank, bombardment, direct
from opfire.rulesets.panzer_grenadier.fire.strengths import bound_by_assault, not_able
from opfire.rulesets.panzer_grenadier.pieces import Hex, Position, Unit


def able(position: Position, unit: Unit) -> bool:
    """Whether it may be activated to fire: on the map, not marked, not demoralized, carried or in an assault."""
    return (
        unit.hex is not None
        and not unit.marked
        and not unit.shots
        and not not_able(unit)
        and not bound_by_assault(position, unit)
    )


def direct_targets(position: Position, unit: Unit) -> list[Hex]:
    """The hexes that its direct fire reaches."""
    if not unit.direct or unit.kind is None or unit.hex is None:
        return []
    found = []
    for hex in direct.enemy_hexes(position, unit.side):
        if position.map.distance(unit.hex, hex) <= unit.kind.direct_range and not direct.friends_there(
            position, unit, hex
        ):
            if direct.cannot_hit(position, unit, position.at(hex, position.setting.other[unit.side])) is None:
                found.append(hex)
    return found


def shell_targets(position: Position, unit: Unit) -> list[Hex]:
    """The hexes that its bombardment reaches, and that a friend spots."""
    if not unit.bombard or unit.kind is None:
        return []
    hexes = direct.enemy_hexes(position, unit.side)
    return [hex for hex in hexes if bombardment.cannot_fire_at(position, unit, hex) is None]


def tank_targets(position: Position, unit: Unit) -> list[Unit]:
    """The vehicles that its anti-tank fire reaches."""
    if unit.at is None or unit.kind is None:
        return []
    enemies = position.of(position.setting.other[unit.side])
    return [foe for foe in enemies if foe.vehicle and antitank.cannot_fire_at(position, unit, foe) is None]


def has_target(position: Position, unit: Unit) -> bool:
    """Whether the unit can fire at anything now."""
    return able(position, unit) and bool(
        direct_targets(position, unit) or shell_targets(position, unit) or tank_targets(position, unit)
    )
