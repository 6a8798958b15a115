"""The worth of a position and sensible moves: the answers to computer players."""

from __future__ import annotations

from opfire.core.actions import Choices
from opfire.core.flow import Frame
from opfire.core.ruleset import Suggestion
from opfire.rulesets.case_orange.assault import Assaulting, AssaultSegment
from opfire.rulesets.case_orange.direct import Attacking, DirectFireSegment
from opfire.rulesets.case_orange.indirect import Gathering, IndirectFireSegment
from opfire.rulesets.case_orange.movement import Moving
from opfire.rulesets.case_orange.overrun import OverrunGroup, Riding
from opfire.rulesets.case_orange.pieces import Position, Side
from opfire.rulesets.case_orange.reaction import OpportunityFire
from opfire.rulesets.case_orange.registration import Aiming, RegistrationSegment
from opfire.rulesets.case_orange.sequence import NonVehicleSegment, RemoveUnit, TooMany, VehicleSegment
from opfire.rulesets.case_orange.setup import SetUp
from opfire.rulesets.case_orange.thinking import assaulting, deploying, firing, moving, overrunning
from opfire.rulesets.case_orange.thinking.mind import Mind, use
from opfire.rulesets.case_orange.thinking.script import script
from opfire.rulesets.case_orange.victory import scores

__all__ = ["appraise", "script", "suggest"]


def appraise(sight: Position, side: Side) -> float:
    """The worth of the position to a side: its lead in victory points, and in the future use of its units."""
    points, other = scores(sight), sight.setting.other[side]
    left = 1.0 - sight.turn / max(1, sight.setting.scenario.turns)
    force = dict.fromkeys((side, other), 0.0)
    for unit in sight.units.values():
        if unit.status in ("on the map", "reserve"):
            force[unit.side] += use(unit) * (0.5 if unit.dispersed else 1.0)
    return points[side] - points[other] + 0.5 * left * (force[side] - force[other])


def suggest(sight: Position, side: Side, frame: Frame, choices: Choices) -> list[Suggestion]:
    """Moves that make sense, best first."""
    mind = Mind(sight, side)
    if isinstance(frame, SetUp):
        return deploying.set_up(mind, choices)
    offered = list(choices)
    match frame:
        case IndirectFireSegment():
            return firing.indirect(mind, frame, offered)
        case Gathering():
            return firing.gathering(frame, offered)
        case RegistrationSegment():
            return firing.registration(mind, offered)
        case Aiming():
            return firing.aiming(mind, frame.unit, offered)
        case DirectFireSegment():
            return firing.direct(mind, offered)
        case Attacking():
            return firing.attacking(mind, frame, offered)
        case VehicleSegment() | NonVehicleSegment():
            return moving.segment(mind, offered)
        case Moving():
            return moving.moving(mind, frame, offered)
        case OverrunGroup():
            return overrunning.grouping(frame, offered)
        case Riding():
            return overrunning.riding(mind, frame, offered)
        case OpportunityFire():
            return firing.reaction(mind, frame, offered)
        case AssaultSegment():
            return assaulting.assaults(mind, offered)
        case Assaulting():
            return assaulting.assaulting(mind, frame, offered)
        case TooMany():
            found = [_removal(mind, action) for action in offered if isinstance(action, RemoveUnit)]
            return sorted(found, key=lambda each: -each.worth)
    return []


def _removal(mind: Mind, action: RemoveUnit) -> Suggestion:
    unit = mind.position.units[action.unit]
    return Suggestion(action, -mind.value(unit), "the smaller loss")
