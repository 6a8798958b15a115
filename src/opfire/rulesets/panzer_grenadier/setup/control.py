"""The control of hexes at the start [G.control]."""

from __future__ import annotations

from opfire.rulesets.panzer_grenadier.pieces import (
    Position,
    Side,
)


def take_control(position: Position) -> None:
    """Give each hex at the start to the side with the nearer combat units, at equal distance to neither [G.control].

    Passengers count. Hidden units do not, or control would reveal them: RULINGS.md P132. By day control matters only
    for victory, by night for every step without a leader [5.5].
    """
    units = [unit for side in position.setting.sides for unit in position.of(side) if not unit.hidden]
    fit = [unit for unit in units if any(one.combat for one in (unit, *position.pick(unit.cargo)))]
    places = [(unit.side, str(unit.hex)) for unit in fit]
    given = {hex for marker in position.setting.scenario.markers if marker.kind == "control" for hex in marker.at}
    nights = bool(position.setting.instructions.night) or position.is_night
    asked_for = frozenset(position.map.names) if nights else position.setting.objectives
    for hex in sorted(asked_for - given):
        position.control.pop(hex, None)
        nearest: dict[Side, int] = {}
        for side, place in places:
            nearest[side] = min(nearest.get(side, 999), position.map.distance(hex, place))
        if nearest and len(set(nearest.values())) == len(nearest):
            position.control[hex] = min(nearest, key=lambda side: nearest[side])
