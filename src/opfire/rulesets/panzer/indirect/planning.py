"""Planned Fire [6.5.1.11]: batteries that wait for it, fire by it, or rest after it."""

from __future__ import annotations

from opfire.core.actions import Refusal
from opfire.rulesets.panzer.indirect.kinds import Guns
from opfire.rulesets.panzer.pieces import Position

EARLY, LATE, REST, LONGEST, SHIFT = 1, 1, 1, 5, 5
"""Planned Fire: the turns by which it may come early or late, the turns of rest after it, its greatest duration in
turns, and the hexes by which it shifts from turn to turn [6.5.1.11.1, 6.5.1.11.2, 6.5.1.11.3]."""


def engaged(position: Position, guns: Guns) -> Refusal | None:
    """Reject called fire of a battery that is about to fire its plan, does so, or rests after it [6.5.1.11.1]."""
    if not guns.plan:
        return None
    over = (guns.begun or guns.arrives + LATE) + len(guns.plan) - 1 + REST
    if guns.arrives - EARLY <= position.turn <= over:
        return Refusal("{} is part of a Planned Fire mission", "6.5.1.11.1", (guns.name,))
    return None


def due(position: Position, guns: Guns) -> bool:
    """Return whether the fire of a plan may fall in this turn: a turn early or late, then turn by turn [6.5.1.11.2]."""
    if not guns.plan:
        return False
    if guns.begun:
        return position.turn < guns.begun + len(guns.plan)
    return guns.arrives - EARLY <= position.turn <= guns.arrives + LATE


def overdue(position: Position, guns: Guns) -> bool:
    """Return whether the fire of a plan has to fall in this turn [6.5.1.11.2]."""
    return due(position, guns) and (bool(guns.begun) or position.turn == guns.arrives + LATE)
