"""Fog of war [17.4, optional]: a turn may end before all units have acted."""

from __future__ import annotations

from opfire.core.events import Calculation, Event, Line
from opfire.core.game import Game
from opfire.rulesets.panzer_grenadier.pieces import Position, Side


def ends_turn(game: Game[Position], side: Side) -> bool:
    """Whether the turn ends with the segment that a side has just had, by three dice [17.4]."""
    position = game.state
    if not rolls(position, side):
        return False
    calculation = chance(position)
    rolled = game.roll(3, 6)
    ends = calculation.result(rolled) == "the turn ends"
    words = "Fog of war: the turn ends" if ends else "Fog of war: the turn goes on"
    game.tell(Event("result", words, (), "17.4", dice=rolled, calculation=calculation))
    return ends


def rolls(position: Position, side: Side) -> bool:
    """Whether both sides had had three segments before this one [17.4]; a pass is a segment too: RULINGS.md P60."""
    if not position.setting.has("17.4"):
        return False
    least = position.charts.figure("segments before fog of war")
    other = position.setting.other[side]
    return position.armies[side].segments > least and position.armies[other].segments >= least


def chance(position: Position) -> Calculation:
    """Sixteen or more ends the turn; one is added by night [17.4]."""
    needed, night = position.charts.figure("fog of war ends the turn"), int(position.is_night)
    lines = [Line("note", "The turn ends at", str(needed), "17.4", needed)]
    if night:
        lines.append(Line("modifier", "night", "+1", "17.4", night))
    outcomes = ("the turn ends" if total + night >= needed else "the turn goes on" for total in range(3, 19))
    return Calculation("Fog of war", "17.4", tuple(lines), 3, 6, tuple(outcomes), modifier=night)
