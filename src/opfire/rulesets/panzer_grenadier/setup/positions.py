"""The first position of a scenario [2.3]."""

from __future__ import annotations

from opfire.core.errors import BadInput
from opfire.core.scenario import Marker
from opfire.kit import boards
from opfire.kit import setup as kit
from opfire.rulesets.panzer_grenadier.fire import offboard
from opfire.rulesets.panzer_grenadier.movement.transport import cannot_carry
from opfire.rulesets.panzer_grenadier.pieces import (
    Army,
    Hex,
    Mine,
    Position,
    Setting,
    Side,
    Unit,
    overstacked,
)
from opfire.rulesets.panzer_grenadier.setup.roster import must_limber
from opfire.rulesets.panzer_grenadier.sight import spotting


def first_position(made: Setting) -> Position:
    """Units waiting to be placed, units with a fixed hex in it, markers laid. Raises BadInput."""
    position = empty_position(made)
    for marker in made.scenario.markers:
        boards.check_hexes(made.map, marker.at, "markers")
        for hex in marker.at:
            lay_marker(position, marker, hex)
    for start in made.roster:
        position.units[start.unit.id] = start.unit
        if start.hex:
            _start_in(position, start.unit, start.hex)
    for side in made.scenario.sides:
        _start_aboard(position, side)
    return position


def empty_position(made: Setting) -> Position:
    """A position with an empty map."""
    armies = {side: Army(given.initiative) for side, given in made.instructions.sides.items()}
    position = Position(made, {}, {}, {}, {}, armies, {})
    for side in made.sides:
        offboard.renew(position, side)
    return position


def lay_marker(position: Position, marker: Marker, hex: Hex) -> None:
    """Put one marker down. Raises BadInput for an unknown marker."""
    match marker.kind:
        case "entrenchment":
            position.change_works(hex, entrenchment=True)
        case "wreck":
            position.change_works(hex, wrecks=position.work(hex).wrecks + 1)
        case "smoke":
            position.change_works(hex, smoke=(*position.work(hex).smoke, marker.side or position.setting.sides[0]))
        case "mines" if marker.value in ("0", "1", "2", "3"):
            mine = Mine(marker.side or position.setting.sides[0], int(marker.value))
            position.change_works(hex, mines=(*position.work(hex).mines, mine))
        case "mines":
            raise BadInput(f"mines of {marker.value!r}", "markers", "0 for a dummy, 1, 2 or 3")
        case "control":
            position.control[hex] = marker.side
        case _:
            raise BadInput(f"marker {marker.kind!r}", "markers", "entrenchment, mines, wreck, smoke or control")


def _start_in(position: Position, unit: Unit, hex: Hex) -> None:
    if refusal := overstacked(position, unit, hex):
        raise BadInput(refusal.sentence(), f"units of {unit.side}", "a set-up within the rules")
    position.put(unit.id, hex)
    spotting.hold(position, hex)


def _start_aboard(position: Position, side: Side) -> None:
    """Load each unit that the scenario sets up aboard a carrier [5.6]. Raises BadInput for a wrong carrier."""
    units = [(unit.id, unit.kind.id if unit.kind else "") for unit in position.pick(position.setting.ids[side])]
    for carrier, name in kit.carried(position.setting.scenario.sides[side].units, units, side):
        bearer, unit = position.pick((carrier, name))
        if refusal := cannot_carry(position, bearer, unit):
            raise BadInput(refusal.sentence(), f"units of {side}", "a set-up within the rules")
        limbered = unit.limbered or must_limber(unit.kind)
        position.change(name, limbered=limbered, hidden=bearer.hidden)  # 16.6: a passenger is in its carrier's hex
        position.load(carrier, name)
