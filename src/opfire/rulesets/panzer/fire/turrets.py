"""Turrets [7.8]: their own facing, hatches open or buttoned up, and long guns [7.20]."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from opfire.core.actions import Action, Refusal
from opfire.core.events import Event
from opfire.core.game import Game
from opfire.rulesets.panzer.charts import Vehicle
from opfire.rulesets.panzer.fire.arcs import ahead
from opfire.rulesets.panzer.ground import BUILDINGS
from opfire.rulesets.panzer.moving.costs import hexsides_turned
from opfire.rulesets.panzer.pieces import Hex, Position, Unit, UnitId

OPTION, LONG_GUNS = "7.8", "7.20"
LAME = 1
"""The hexsides by which the turret of a damaged vehicle turns [7.8.1]."""

STRAIGHT = (0, 3)
"""The directions of a turret that is straight ahead or back, in hexsides from the front of its hull [7.20]."""

CLOSE = frozenset({"woods", "light woods"}) | BUILDINGS
"""The ground in which long guns are in the way [7.20]."""


class AdjustTurret(Action, frozen=True):
    """Turn the turret of a vehicle to a facing (0 north, clockwise, to 5)."""

    says = "{unit} turns its turret to {facing}"
    kind = "turn"
    unit: UnitId
    facing: int


class Button(Action, frozen=True):
    """Open the hatches of a vehicle, or button it up, for the next turn."""

    says = "{unit} opens or closes its hatches"
    kind = "cover"
    unit: UnitId


def turreted(position: Position, unit: Unit) -> bool:
    """Return whether a vehicle has a turret with a facing of its own [7.8]."""
    card = unit.kind
    if OPTION not in position.setting.options or not isinstance(card, Vehicle):
        return False
    return rotates(unit) and card.main_arc in ("", "all")


def rotates(unit: Unit) -> bool:
    """Return whether a vehicle has a turret: others have none, or a mount without one [7.8, 7.23.2]."""
    return isinstance(unit.kind, Vehicle) and unit.kind.tt in (1, 2, 3)


def jammed(unit: Unit) -> bool:
    """Return whether the ring of a turret is broken: it points where it did for the rest of the game [7.23.2]."""
    return "ring" in unit.collateral


def bearing(unit: Unit) -> int:
    """The facing of a turret; it turns with its hull [7.8.1]."""
    return (unit.facing + unit.turret) % 6


def traverse_hexsides(unit: Unit) -> int:
    """The hexsides by which a turret turns at once: its Tt Factor, 1 if the vehicle is damaged, 0 if it is jammed.

    Rules: [7.8.1, 7.23.2].
    """
    if jammed(unit):
        return 0
    return min(LAME, unit.vehicle.tt) if unit.damaged else unit.vehicle.tt


def directed(unit: Unit, facing: int) -> Unit:
    """A vehicle with its turret turned to a facing."""
    return replace(unit, turret=(facing - unit.facing) % 6)


def swung(position: Position, unit: Unit, target: Unit) -> Unit:
    """A vehicle as it fires from overwatch: its turret swings to the target as far as it can [7.8.4]."""
    coords, now = position.map.coords, bearing(unit)
    start, end = coords[str(unit.hex)], coords[str(target.hex)]
    if ahead(start, now, end):
        return unit
    ways = sorted((hexsides_turned(now, way), way) for way in range(6) if ahead(start, way, end))
    return directed(unit, ways[0][1]) if ways and ways[0][0] <= traverse_hexsides(unit) else unit


# --- hatches [7.8.3] ---------------------------------------------------------------------------------------------


def hatched(position: Position, unit: Unit) -> bool:
    """Return whether a vehicle may be open or buttoned up: those of A-Type, turreted or not [7.8.3-status]."""
    return OPTION in position.setting.options and isinstance(unit.kind, Vehicle) and unit.kind.target == "A"


def opened(position: Position, unit: Unit) -> bool:
    """Return whether a vehicle stands open, and is hurt more by GP fire and Close Assaults [7.8.3-open]."""
    return hatched(position, unit) and not unit.buttoned


# --- adjusting [7.8.1] -------------------------------------------------------------------------------------------


def cannot_swing(position: Position, unit: Unit, facing: int, turned: int = 0) -> Refusal | None:
    """Reject a turn of a turret that is not there, or beyond its Tt Factor, of which `turned` is used up [7.8.1]."""
    if not turreted(position, unit):
        return Refusal("{} has no turret that turns", "7.8.1", (unit.name,))
    if facing not in range(6) or facing == bearing(unit):
        return Refusal("The turret of {} faces that way, or there is no such way", "7.8.1", (unit.name,))
    if turned + hexsides_turned(bearing(unit), facing) > traverse_hexsides(unit):
        return Refusal("The turret of {} turns by {} hexsides at most", "7.8.1", (unit.name, traverse_hexsides(unit)))
    return None


def cannot_point(position: Position, unit: Unit, facing: int) -> Refusal | None:
    """Reject a facing at set-up for a vehicle without a turret, or that it has; any other is free [7.8.1]."""
    if turreted(position, unit) and facing in range(6) and facing != bearing(unit):
        return None
    return Refusal("The turret of {} faces that way, or there is no such way", "7.8.1", (unit.name,))


def cannot_button(position: Position, unit: Unit) -> Refusal | None:
    """Reject hatches of vehicles that are not of A-Type [7.8.3-status]."""
    if hatched(position, unit):
        return None
    return Refusal("{} has no hatches to close: it is no A-Type vehicle", "7.8.3-status", (unit.name,))


def snagged(position: Position, unit: Unit, hex: Hex) -> Refusal | None:
    """Reject moving through houses and woods off the road with a long gun that points to the side [7.20]."""
    if LONG_GUNS not in position.setting.options or not turreted(position, unit) or not unit.vehicle.long_gun:
        return None
    if CLOSE.isdisjoint(position.map.cells[hex].terrain) or unit.turret in STRAIGHT:
        return None
    return Refusal("The long gun of {} points ahead or back in {}", "7.20", (unit.name, hex))


def swings(position: Position, unit: Unit) -> Iterator[AdjustTurret]:
    """The ways in which a turret may be turned."""
    if turreted(position, unit):
        yield from (AdjustTurret(unit.id, facing) for facing in range(6))


def swing(game: Game[Position], action: AdjustTurret) -> int:
    """Turn a turret; the hexsides by which it turned [7.8.1]."""
    unit = game.state.units[action.unit]
    game.state.change(unit.id, turret=directed(unit, action.facing).turret)
    game.tell(Event("turned", "{} turns its turret", (unit.name,), "7.8.1", (unit.id,), (str(unit.hex),)))
    return hexsides_turned(bearing(unit), action.facing)


def button(game: Game[Position], unit_id: UnitId) -> None:
    """Open or close the hatches of a vehicle [7.8.3-status]."""
    unit = game.state.units[unit_id]
    game.state.change(unit_id, buttoned=not unit.buttoned)
    text = "{} opens its hatches" if unit.buttoned else "{} buttons up"
    game.tell(Event("covered", text, (unit.name,), "7.8.3-status", (unit_id,), (str(unit.hex),)))
