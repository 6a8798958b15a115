"""Cautions: what a player should know before an action that the rules allow and that he may regret."""

from __future__ import annotations

from opfire.core.actions import Action, Refusal
from opfire.core.flow import Frame
from opfire.rulesets.panzer_grenadier.command import activation
from opfire.rulesets.panzer_grenadier.command.segment import ActionSegment, cannot_pass, idle, open_in_secret
from opfire.rulesets.panzer_grenadier.pieces import Position, Side


def caution(sight: Position, frame: Frame, action: Action) -> Refusal | None:
    """Warn of an activation that comes to nothing: its units are MOVED/FIRED [3.13.c].

    The segment is over, unless its side may not pass and everybody knows that no unit has acted in hiding [3.0.F].
    """
    match frame, action:
        case ActionSegment(), activation.Activate(name, role):
            unit = sight.units[name]
            if idle(sight, frame.side, activation.by_itself(unit), {name: role}):
                words = "{} can do nothing now if it is activated to {}: " + _price(sight, frame.side)
                return Refusal(words, "3.13.c", (unit.name, role))
        case activation.Designating(), activation.Begin() if frame.roles:
            if idle(sight, frame.side, dict(frame.members), dict(frame.roles)):
                return Refusal("None of these units can do anything now: " + _price(sight, frame.side), "3.13.c")
    return None


def _price(sight: Position, side: Side) -> str:
    """The price of an activation that comes to nothing: the segment, or only the turn of its units."""
    if cannot_pass(sight, side) is None or open_in_secret(sight):
        return "you would lose the segment"
    return "you would have to activate others, with these MOVED/FIRED"
