"""The additions to a side's units: minefields [16.7], tank leaders [6.8], cavalry leaders [6.9]."""

from __future__ import annotations

import msgspec

from opfire.core.actions import Action, Refusal
from opfire.core.events import Event
from opfire.core.game import Game
from opfire.rulesets.panzer_grenadier import ground
from opfire.rulesets.panzer_grenadier.pieces import (
    Hex,
    Position,
    Side,
    Unit,
    UnitId,
    not_yours,
)
from opfire.rulesets.panzer_grenadier.setup.roster import takes_tank_leader


class LayMines(Action, frozen=True):
    """Lay the next of the minefield markers drawn, face down [16.7]."""

    says = "Lay a minefield in {hex}"
    kind = "place"
    hex: Hex


class GiveTankLeader(Action, frozen=True):
    """Secretly give an AFV a tank leader [6.8]."""

    says = "{unit} has a tank leader"
    kind = "place"
    unit: UnitId


class Mount(Action, frozen=True):
    """Designate a leader as a cavalry leader [6.9]."""

    says = "Make {unit} a cavalry leader"
    kind = "mount"
    unit: UnitId


def cannot_lay(position: Position, side: Side, hex: Hex) -> Refusal | None:
    """Reject a hex where no minefield may be laid [16.7]."""
    if hex not in position.setting.mine_zones[side]:
        return Refusal("No mines may be laid in {}", "16.7", (hex,))
    if ground.river(position, hex):
        return Refusal("{} is in the river", "16.7", (hex,))
    return None


def cannot_have_leader(position: Position, side: Side, unit: Unit) -> Refusal | None:
    """Reject an AFV that may not be given a tank leader [6.8]: no APC nor armored car [6.84], and one each."""
    if refusal := not_yours(side, unit):
        return refusal
    if not takes_tank_leader(unit.kind):
        return Refusal("{} cannot have a tank leader", "6.8", (unit.name,))
    if unit.tank_leader:
        return Refusal("{} already has a tank leader", "6.8", (unit.name,))
    return None


def cannot_mount(position: Position, side: Side, unit: Unit) -> Refusal | None:
    """Reject a leader who may not be designated as a cavalry leader [6.9]: any may, if his side has cavalry.

    But not if the scenario gives their number: RULINGS.md P134.
    """
    if refusal := not_yours(side, unit):
        return refusal
    if unit.officer is None or unit.officer.kommissar or unit.officer.mounted:
        return Refusal("{} cannot be made a cavalry leader", "6.9", (unit.name,))
    if unit.carrier is not None:
        return Refusal("{} is being carried", "6.3", (unit.name,))
    if position.setting.instructions.sides[side].mounted is not None:
        return Refusal("The scenario itself names the cavalry leaders", "6.9")
    if not any(other.type_in("cavalry") for other in position.pick(position.setting.ids[side])):
        return Refusal("The side has no cavalry to lead", "6.9")
    return None


def mount(game: Game[Position], unit_id: UnitId) -> None:
    """Make a leader a cavalry leader [6.9]."""
    officer = game.state.units[unit_id].officer
    assert officer is not None
    leader = game.state.change(unit_id, officer=msgspec.structs.replace(officer, mounted=True))
    game.tell(Event("leaders", "{} is a cavalry leader", (leader.name,), "6.9", (unit_id,)))


def draw_mines(game: Game[Position], number: int) -> tuple[int, ...]:
    """Draw `number` markers from the cup, in secret [16.7]."""
    cup = [row.strength for row in game.state.charts.mine_markers.values() for _ in range(row.count)]
    drawn: list[int] = []
    for _ in range(min(number, len(cup))):
        (at,) = game.roll_secret(1, len(cup))
        drawn.append(cup.pop(at - 1))
    return tuple(drawn)
