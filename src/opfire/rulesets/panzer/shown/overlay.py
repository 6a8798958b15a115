"""The overlay of the map about a unit: its field of fire in bands, spots, Command Range; the chain of overwatch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from opfire.core.cards import Area, Overlay, Thread
from opfire.core.flow import Frame
from opfire.core.texts import say
from opfire.rulesets.panzer import control
from opfire.rulesets.panzer.charts import BANDS, Vehicle
from opfire.rulesets.panzer.fire.arcs import Arc, in_field_of_fire
from opfire.rulesets.panzer.fire.arms import weapon_of
from opfire.rulesets.panzer.fire.overwatch import Overwatch
from opfire.rulesets.panzer.pieces import Position, Side, Unit, UnitId
from opfire.rulesets.panzer.shown.lines import spots
from opfire.space.hexes import distance


def overlay(sight: Position, side: Side, *, unit: UnitId) -> Overlay:
    """The areas and lines about a unit, from what the side knows."""
    one = sight.units[unit]
    if one.hex is None:
        return Overlay()
    return Overlay((*_field(sight, one), *_command(sight, one)), tuple(_threads(sight, side, one)))


def _field(sight: Position, unit: Unit) -> Iterator[Area]:
    """The field of fire of the main weapon, a band for each AP Range Factor, the nearest first [3.5.2, 4.4.3.1]."""
    weapon = weapon_of(sight, unit)
    if weapon is None:
        return
    nearer = 0
    for band in BANDS:
        if reach := weapon.reach(band):
            yield Area(
                "fire", say("{}: penetration {}", band, weapon.value(band)), _bearing(sight, unit, nearer, reach)
            )
            nearer = reach


def _bearing(sight: Position, unit: Unit, beyond: int, reach: int) -> tuple[str, ...]:
    """The hexes of a band on which the main weapon bears."""
    coords, at = sight.map.coords, sight.map.coords[str(unit.hex)]
    arc: Arc = (unit.kind.main_arc if isinstance(unit.kind, Vehicle) else "") or "all"
    return tuple(
        hex
        for hex in sight.map.names
        if beyond < distance(at, coords[hex]) <= reach and in_field_of_fire(at, unit.facing, arc, coords[hex])
    )


def _command(sight: Position, unit: Unit) -> Iterator[Area]:
    """The hexes within Command Range, in the Advanced Game [6.2.1.1.2]."""
    if not sight.setting.advanced or unit.formation not in sight.setting.formations:
        return
    reach, coords = control.command_range(sight, unit), sight.map.coords
    at = coords[str(unit.hex)]
    near = tuple(hex for hex in sight.map.names if distance(at, coords[hex]) <= reach)
    yield Area("command", say("Command Range {}", reach), near)


def _threads(sight: Position, side: Side, unit: Unit) -> Iterator[Thread]:
    """The spots of a unit as they are now [4.1]."""
    found = spots(sight, side, unit=unit.id)
    for other in found["spots"]:
        yield Thread("spots", unit.id, other, say("spots {}", sight.units[other].name))
    for other in found["by"]:
        yield Thread("spotted", other, unit.id, say("spotted by {}", sight.units[other].name))


def answers(sight: Position, side: Side, frame: Frame | None) -> list[dict[str, Any]]:
    """The chain of overwatch fire: each target in its order, with the own units that may fire at it [4.4.2-a]."""
    if not isinstance(frame, Overwatch):
        return []
    shots = [*frame.shots(sight, side)] if side in sight.setting.sides else []
    return [
        {"target": target, "by": [shot.unit for shot in shots if shot.target == target]}  # type: ignore[attr-defined]
        for target in frame.open
    ]
