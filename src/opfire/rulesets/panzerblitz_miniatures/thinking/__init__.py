"""The worth of a position and sensible moves: the answers to computer players."""

from __future__ import annotations

from opfire.core.actions import NOBODY, Action, Choices
from opfire.core.flow import Frame
from opfire.core.ruleset import Suggestion
from opfire.rulesets.panzerblitz_miniatures.airpower.air import AirMovement
from opfire.rulesets.panzerblitz_miniatures.airpower.airborne import AirborneLanding
from opfire.rulesets.panzerblitz_miniatures.airpower.flak import AntiAircraftFire, CollectiveGroundFire
from opfire.rulesets.panzerblitz_miniatures.airpower.helicopters import HelicopterMovement
from opfire.rulesets.panzerblitz_miniatures.airpower.strikes import AirStrikes, DriftedBombs
from opfire.rulesets.panzerblitz_miniatures.close.close_combat import DefensiveFire
from opfire.rulesets.panzerblitz_miniatures.fire.direct import Attacking, DirectFirePhase
from opfire.rulesets.panzerblitz_miniatures.fire.indirect import IndirectFirePhase
from opfire.rulesets.panzerblitz_miniatures.moving.movement import MovementPhase, Moving
from opfire.rulesets.panzerblitz_miniatures.moving.opportunity import OpportunityFire
from opfire.rulesets.panzerblitz_miniatures.pieces import Position, Side
from opfire.rulesets.panzerblitz_miniatures.recovery import RecoverAll, RecoveryPhase
from opfire.rulesets.panzerblitz_miniatures.setup import SetUp
from opfire.rulesets.panzerblitz_miniatures.thinking import charging, deploying, firing, flying, moving, plotting
from opfire.rulesets.panzerblitz_miniatures.thinking.harm import DISPERSED
from opfire.rulesets.panzerblitz_miniatures.thinking.mind import Mind, use
from opfire.rulesets.panzerblitz_miniatures.thinking.script import script
from opfire.rulesets.panzerblitz_miniatures.victory import scores

__all__ = ["appraise", "script", "suggest"]


def appraise(sight: Position, side: Side) -> float:
    """The worth of the position to a side: its lead in victory points, and in the future use of its units."""
    points, other = scores(sight), sight.setting.other[side]
    left = 1.0 - sight.turn / max(1, sight.setting.scenario.turns)
    force = dict.fromkeys((side, other), 0.0)
    for unit in sight.units.values():
        if unit.status in ("on the table", "off-board", "reserve"):
            force[unit.side] += use(unit.kind) * (1.0 - DISPERSED if unit.dispersed else 1.0)
    return points[side] - points[other] + left * (force[side] - force[other])


def suggest(sight: Position, side: Side, frame: Frame, choices: Choices) -> list[Suggestion]:
    """Moves that make sense, best first."""
    mind = Mind(sight, side)
    match frame:
        case SetUp():
            return deploying.set_up(mind, choices)
        case RecoveryPhase():
            return [Suggestion(RecoverAll(), 1.0, "a failure costs nothing")]
        case IndirectFirePhase():
            return plotting.phase(mind, choices)
        case DirectFirePhase():
            return firing.phase(mind, choices)
        case Attacking():
            return firing.attacking(mind, frame, choices)
        case OpportunityFire():
            return firing.reaction(mind, choices)
        case DefensiveFire():
            return charging.defence(mind, frame, choices)
        case AirborneLanding():
            return flying.drops(mind, choices)
        case AirMovement() | HelicopterMovement():
            return flying.flights(mind, choices)
        case AntiAircraftFire():
            return flying.flak(mind, frame, choices)
        case AirStrikes():
            return flying.strikes(mind, choices)
        case DriftedBombs():
            return flying.bombs(mind, choices)
        case CollectiveGroundFire():
            return flying.ground_fire()
        case MovementPhase():
            return moving.phase(mind, choices)
        case Moving():
            return moving.moving(mind, sight.units[frame.unit])
    return _plain(choices)


def _plain(choices: Choices) -> list[Suggestion]:
    """The answer that belongs to no unit, such as a pass or the end of a phase."""
    group = [offer for offer in choices.of(NOBODY) if isinstance(offer, Action)]
    return [Suggestion(group[0], 0.0, "nothing is worth it")] if group else []
