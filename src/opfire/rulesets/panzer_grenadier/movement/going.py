"""A unit comes into a hex [5.0]: the secrets it reveals [6.8, 16.61], and the units it rides over [5.31, 6.71.a]."""

from __future__ import annotations

from opfire.core.events import Event
from opfire.core.game import Game
from opfire.rulesets.panzer_grenadier.command import leaders
from opfire.rulesets.panzer_grenadier.command.activation import disclose
from opfire.rulesets.panzer_grenadier.morale import harm
from opfire.rulesets.panzer_grenadier.movement import danger, rivers
from opfire.rulesets.panzer_grenadier.pieces import (
    Hex,
    Position,
    Side,
    UnitId,
)
from opfire.rulesets.panzer_grenadier.sight import spotting
from opfire.rulesets.panzer_grenadier.works.fieldworks import interrupted


def go(game: Game[Position], unit_id: UnitId, to: Hex) -> None:
    """Put a unit, with its load, into the next hex; digging and other work is over [16.21]."""
    position = game.state
    unit = position.units[unit_id]
    interrupted(game, unit_id)
    if unit.hidden:
        spotting.reveal(game, unit_id)  # 16.61: a moving unit is placed
    rivers.note_help(position, unit, to)
    wet = rivers.wades(position, unit, to)
    bank = rivers.bank_after(position, unit, to) if wet and unit.hex is not None else ""
    position.put(unit_id, to, entries=(), dug_in=0, afloat=position.turn if wet else 0, bank=bank)
    if position.activation is not None:
        position.acting(moved=position.activation.moved.union((unit_id, *unit.cargo)))
    where = (unit.hex, to) if unit.hex is not None else (to,)
    game.tell(Event("moved", "{} moves to {}", (unit.name, to), "5.0", (unit_id,), where))
    spotting.arrived(game, unit_id)


def betray_leader(game: Game[Position], unit_id: UnitId, to: Hex) -> None:
    """Show the leader of a tank led by no other that moves as only led units may [6.8]."""
    position = game.state
    if position.activation is None or unit_id not in position.activation.alone:
        return
    side = position.units[unit_id].side
    known = game.ruleset.sight(position, side)
    as_enemies_know = game.ruleset.sight(position, position.setting.other[side]).units[unit_id]
    if as_enemies_know.tank_leader is None and danger.needs_leader(known, known.units[unit_id], to):
        disclose(game, (unit_id,))


def ride_over(game: Game[Position], hex: Hex, side: Side) -> None:
    """A combat unit is in a hex with empty enemy transports and leaders [5.31, 6.71.a]."""
    overrun_transports(game, hex, side)
    if any(other.leader for other in game.state.at(hex, game.state.setting.other[side])):
        leaders.overrun(game, hex, side)


def overrun_transports(game: Game[Position], hex: Hex, side: Side) -> None:
    """Empty enemy transports are eliminated when a combat unit enters their hex [5.31]."""
    position = game.state
    for other in position.at(hex, position.setting.other[side]):
        if other.kind is not None and other.kind.unarmed and not other.cargo:
            game.tell(Event("result", "{} is overrun in {}", (other.name, hex), "5.31", (other.id,), (hex,)))
            harm.eliminate(game, other.id)
