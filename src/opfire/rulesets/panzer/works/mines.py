"""Mines under any unit [7.31]: vehicles are hit in the hull or lose a track."""

from __future__ import annotations

from opfire.core.game import Game
from opfire.rulesets.panzer.fire import hits
from opfire.rulesets.panzer.pieces import Position, UnitId
from opfire.rulesets.panzer.works import minefields


def strike(game: Game[Position], unit_id: UnitId, *, hurried: bool = False) -> None:
    """A unit that enters a minefield hex, or moves within it, is attacked [7.31.2, 7.31.2.1]."""
    unit = game.state.units[unit_id]
    if not unit.is_vehicle:
        minefields.strike(game, unit_id, hurried=hurried)
        return
    match minefields.meet(game, unit_id, hurried=hurried):
        case "damaged":
            hits.check_out(game, unit_id, hits.damage(game, unit, "hull"))
        case "track hit":
            hits.check_out(game, unit_id, hits.track(game, unit))
