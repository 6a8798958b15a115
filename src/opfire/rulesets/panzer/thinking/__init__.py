"""The worth of a position and sensible moves: the answers to computer players."""

from __future__ import annotations

from opfire.core.actions import Action, Choices
from opfire.core.flow import Frame
from opfire.core.ruleset import Suggestion
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.adjusting import AdjustStep
from opfire.rulesets.panzer.air.flak import AntiAircraft
from opfire.rulesets.panzer.air.phase import AirPhase, Arriving, Flying
from opfire.rulesets.panzer.commands import CommandPhase
from opfire.rulesets.panzer.fire.close_combat import Assaulting, CloseCombatStep
from opfire.rulesets.panzer.fire.direct_fire import Asked, Attacking, DirectFireStep
from opfire.rulesets.panzer.fire.overwatch import Overwatch, OverwatchFire
from opfire.rulesets.panzer.indirect.planning import FirePlanning
from opfire.rulesets.panzer.indirect.step import IndirectFireStep
from opfire.rulesets.panzer.moving.going import Going
from opfire.rulesets.panzer.moving.movement import Moving
from opfire.rulesets.panzer.moving.step import MovementStep
from opfire.rulesets.panzer.pieces import Position, Side, UnitId
from opfire.rulesets.panzer.setup import SetUp
from opfire.rulesets.panzer.thinking import (
    carrying,
    charging,
    commanding,
    deploying,
    firing,
    flying,
    foot,
    marching,
    moving,
    shelling,
)
from opfire.rulesets.panzer.thinking.mind import USE, Mind
from opfire.rulesets.panzer.thinking.moving import next_mover
from opfire.rulesets.panzer.thinking.script import script
from opfire.rulesets.panzer.victory import scores

__all__ = ["appraise", "script", "suggest"]


def appraise(sight: Position, side: Side) -> float:
    """The worth of the position to a side: its lead in victory points, and in the future use of its vehicles."""
    points, other = scores(sight), sight.setting.other[side]
    left = 1.0 - sight.turn / max(1, sight.setting.scenario.turns)
    force = {name: sum(unit.kind.pts * (0.65 if unit.damaged else 1.0) for unit in sight.of(name)) for name in points}
    return points[side] - points[other] + left * USE * (force[side] - force[other])


def suggest(sight: Position, side: Side, frame: Frame, choices: Choices) -> list[Suggestion]:
    """Moves that make sense, best first."""
    mind = Mind(sight, side)
    match frame:
        case SetUp():
            return deploying.set_up(mind, choices)
        case CommandPhase() if sight.setting.advanced:
            return [Suggestion(foot.sheet(mind), 0.0, "the commands that bring most")]
        case CommandPhase():
            return commanding.sheet(mind, frame)
        case FirePlanning():
            return shelling.plots(mind, frame)
        case IndirectFireStep():
            return shelling.step(mind, choices)
        case DirectFireStep():
            return firing.step(mind, choices)
        case Attacking():
            return firing.attacking(mind, frame, choices)
        case Asked():
            return firing.answer(mind, frame)
        case Overwatch():
            return firing.overwatch(mind, choices)
        case OverwatchFire():
            return firing.more_overwatch(mind, frame, choices)
        case MovementStep() if mover := next_mover(sight, side, choices):
            return _moved(mind, mover, Going(), choices)
        case MovementStep():
            return [Suggestion(EndStep(), 0.0, "everybody has moved")]
        case Moving():
            return _moved(mind, frame.unit, Going(*frame.going), choices)
        case CloseCombatStep():
            return charging.step(mind, choices)
        case Assaulting():
            return charging.assaulting(mind, frame, choices)
        case AdjustStep():
            return foot.adjust(mind, choices)
        case AirPhase():
            return flying.step(mind, choices)
        case Arriving(_, unit):
            return flying.level(mind, unit)
        case Flying(_, unit):
            return flying.flying(mind, unit, choices)
        case AntiAircraft():
            return flying.fire(mind, frame, choices)
    return _only_way(choices)


def _moved(mind: Mind, unit_id: UnitId, going: Going, choices: Choices) -> list[Suggestion]:
    """The next step of a unit, by its Data Card."""
    unit = mind.position.units[unit_id]
    if not unit.is_vehicle:
        return marching.march(mind, unit, choices)
    better = carrying.suggested(mind, unit, choices) if mind.position.setting.advanced else []
    return better or moving.suggested(mind, unit, going, choices)


def _only_way(choices: Choices) -> list[Suggestion]:
    offers = [offer for actor in choices.asked for offer in choices.of(actor) if isinstance(offer, Action)]
    return [Suggestion(offers[0], 0.0, "the only way on")] if offers else []
