"""Cautions: what a player should know before an action that the rules allow and that he may regret."""

from __future__ import annotations

from opfire.core.actions import Action, Refusal
from opfire.core.flow import Frame
from opfire.rulesets.panzer_grenadier.command import activation
from opfire.rulesets.panzer_grenadier.command.designating import Designating
from opfire.rulesets.panzer_grenadier.command.performing import idle
from opfire.rulesets.panzer_grenadier.command.segment import ActionSegment
from opfire.rulesets.panzer_grenadier.pieces import Position, role_words


def caution(sight: Position, frame: Frame, action: Action) -> Refusal | None:
    """Warn of an activation that comes to nothing: the segment is lost, its units are MOVED/FIRED [3.13.c]."""
    match frame, action:
        case ActionSegment(), activation.Activate(name, role):
            unit = sight.units[name]
            if idle(sight, frame.side, activation.by_itself(unit), {name: role}):
                words = "{} can do nothing now if it is activated to {}: you would lose the segment"
                return Refusal(words, "3.13.c", (unit.name, role_words(unit, role)))
        case Designating(), activation.Designate(name, role):
            unit = sight.units[name]
            if idle(sight, frame.side, dict(frame.members), {name: role}):
                return Refusal("{} can do nothing now if it is to {}", "3.13", (unit.name, role_words(unit, role)))
        case Designating(), activation.Begin() if frame.roles:
            if idle(sight, frame.side, dict(frame.members), dict(frame.roles)):
                words = "None of these units can do anything now: you would lose the segment"
                return Refusal(words, "3.13.c")
    return None
