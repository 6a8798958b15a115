"""The loss of a side's highest-ranking leader leaves the units around him rooted [6.72]."""

from __future__ import annotations

from opfire.core.actions import Refusal
from opfire.core.events import Event
from opfire.core.game import Game
from opfire.rulesets.panzer_grenadier.pieces import Position, Unit


def decapitate(game: Game[Position], leader: Unit) -> None:
    """Root the units around the first of a side's highest-ranking leaders to fall, once [6.72, 6.72.A2]."""
    position = game.state
    army = position.armies[leader.side]
    officers = [unit.officer for unit in position.pick(position.setting.ids[leader.side]) if unit.officer]
    highest = max((officer.rank for officer in officers), default=0)
    if army.decapitated is not None or leader.officer is None or leader.officer.rank < max(1, highest):
        return
    position.change_army(leader.side, decapitated=position.turn, decapitated_at=str(leader.hex))
    words = "{} was the highest leader: no unit within {} hexes of {} moves until the end of the next turn"
    facts = (leader.name, position.charts.figure("decapitation radius"), leader.hex)
    game.tell(Event("result", words, facts, "6.72", (leader.id,), (str(leader.hex),)))


def decapitated(position: Position, unit: Unit) -> Refusal | None:
    """Reject a move by choice of a unit near the place at which its highest leader fell [6.72, 6.72.A1]."""
    army = position.armies[unit.side]
    if army.decapitated is None or position.turn > army.decapitated + 1 or unit.hex is None:
        return None
    if position.map.distance(unit.hex, army.decapitated_at) > position.charts.figure("decapitation radius"):
        return None
    return Refusal("{} may not move: its highest leader has fallen near by", "6.72", (unit.name,))
