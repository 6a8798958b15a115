"""The possible targets of a unit from its hex, whatever unit is activated."""

from __future__ import annotations

from opfire.rulesets.panzer_grenadier.fire import antitank, bombardment, direct
from opfire.rulesets.panzer_grenadier.fire.strengths import bound_by_assault, not_able
from opfire.rulesets.panzer_grenadier.pieces import Hex, Position, Side, Unit


def able(position: Position, unit: Unit) -> bool:
    """Whether it may be activated to fire: on the map, not marked, not demoralized, carried or in an assault."""
    return (
        unit.hex is not None
        and not unit.marked
        and not unit.shots
        and not not_able(unit)
        and not bound_by_assault(position, unit)
    )


class Sightings:
    """The enemies in a position that a side sees: their hexes, and those that its leaders spot for batteries."""

    def __init__(self, position: Position, side: Side) -> None:
        self.position, self.side = position, side
        self.foes = tuple(position.of(position.setting.other[side]))
        self.hexes = tuple(dict.fromkeys(str(foe.hex) for foe in self.foes))
        self._observed: dict[Hex, bool] = {}

    def observed(self, hex: Hex) -> bool:
        """Whether a leader of the side spots for batteries there [9.1]."""
        found = self._observed.get(hex)
        if found is None:
            found = self._observed[hex] = bombardment.no_observer(self.position, self.side, hex) is None
        return found


def direct_targets(seen: Sightings, unit: Unit) -> list[Hex]:
    """The hexes that its direct fire reaches."""
    if not unit.direct or unit.kind is None or unit.hex is None:
        return []
    found, position = [], seen.position
    for hex in seen.hexes:
        if position.map.distance(unit.hex, hex) <= unit.kind.direct_range and not direct.friends_there(
            position, unit, hex
        ):
            if direct.cannot_hit(position, unit, position.at(hex, position.setting.other[unit.side])) is None:
                found.append(hex)
    return found


def shell_targets(seen: Sightings, unit: Unit) -> list[Hex]:
    """The hexes that its bombardment reaches, and that a friend spots."""
    if not unit.bombard or unit.kind is None:
        return []
    position = seen.position
    return [
        hex
        for hex in seen.hexes
        if bombardment.cannot_reach(position, unit, hex) is None
        and (seen.observed(hex) or bombardment.spots_itself(position, unit, hex))
    ]


def tank_targets(seen: Sightings, unit: Unit) -> list[Unit]:
    """The vehicles that its anti-tank fire reaches."""
    if unit.at is None or unit.kind is None:
        return []
    return [foe for foe in seen.foes if foe.vehicle and antitank.cannot_fire_at(seen.position, unit, foe) is None]


def has_target(position: Position, unit: Unit) -> bool:
    """Whether the unit can fire at anything now."""
    if not able(position, unit):
        return False
    seen = Sightings(position, unit.side)
    return bool(direct_targets(seen, unit) or shell_targets(seen, unit) or tank_targets(seen, unit))
