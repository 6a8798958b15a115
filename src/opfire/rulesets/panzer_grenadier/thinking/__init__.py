"""The worth of a position and sensible moves: the answers to computer players."""

from __future__ import annotations

from opfire.core.actions import Action, Choices
from opfire.core.flow import Frame
from opfire.core.ruleset import Suggestion
from opfire.rulesets.panzer_grenadier.assault.assaulting import Assaulting, FirstFire
from opfire.rulesets.panzer_grenadier.command.designating import Designating
from opfire.rulesets.panzer_grenadier.command.leaders import Displace, DisplaceTo
from opfire.rulesets.panzer_grenadier.command.performing import Performing
from opfire.rulesets.panzer_grenadier.command.sectors import Commanding
from opfire.rulesets.panzer_grenadier.command.segment import ActionSegment
from opfire.rulesets.panzer_grenadier.fire.aircraft import AirAntiTank, Sending
from opfire.rulesets.panzer_grenadier.fire.bombardment import Bombarding
from opfire.rulesets.panzer_grenadier.fire.direct import Attacking
from opfire.rulesets.panzer_grenadier.fire.losses import Damage, LoseStep
from opfire.rulesets.panzer_grenadier.fire.offboard import Calling
from opfire.rulesets.panzer_grenadier.fire.reaction import OpportunityFire
from opfire.rulesets.panzer_grenadier.morale.flight import Fleeing, FleeTo
from opfire.rulesets.panzer_grenadier.movement.moving import Moving
from opfire.rulesets.panzer_grenadier.pieces import Position, Side
from opfire.rulesets.panzer_grenadier.setup.setting_up import SetUp
from opfire.rulesets.panzer_grenadier.thinking import activating, assaulting, commanding, deploying, firing, moving
from opfire.rulesets.panzer_grenadier.thinking.mind import DEMORALIZED, DISRUPTED, Mind
from opfire.rulesets.panzer_grenadier.thinking.script import script
from opfire.rulesets.panzer_grenadier.victory import scores

__all__ = ["appraise", "script", "suggest"]

HARDSHIP = {"good order": 0.0, "disrupted": DISRUPTED, "demoralized": DEMORALIZED}


def appraise(sight: Position, side: Side) -> float:
    """The worth of the position to a side: its lead in victory points, and in the future use of its units."""
    points, other, mind = scores(sight), sight.setting.other[side], Mind(sight, side)
    force = dict.fromkeys((side, other), 0.0)
    for unit in sight.units.values():
        if unit.status in ("on the map", "reserve"):
            force[unit.side] += mind.value(unit) - mind.step(unit) * HARDSHIP[unit.state]
    return points[side] - points[other] + 0.5 * (force[side] - force[other])


def suggest(sight: Position, side: Side, frame: Frame, choices: Choices) -> list[Suggestion]:
    """Moves that make sense, best first."""
    mind = Mind(sight, side)
    if isinstance(frame, SetUp):
        return deploying.set_up(mind, choices)
    if isinstance(frame, ActionSegment):
        return activating.segment(mind, list(activating.openings(mind, choices)))
    if isinstance(frame, Performing):
        return activating.performing(mind, choices)
    offered = list(choices)
    match frame:
        case Commanding():
            return commanding.orders(mind, offered)
        case Designating():
            return activating.designating(mind, frame, offered)
        case Moving():
            return moving.on_the_way(mind, frame, offered)
        case Attacking() | Bombarding() | Sending():
            return firing.under_way(offered)
        case Calling():
            return firing.calling(mind, frame, offered)
        case OpportunityFire():
            return firing.reaction(mind, frame, offered)
        case Assaulting():
            return assaulting.joining(mind, frame, offered)
        case FirstFire():
            return assaulting.first_fire(mind, frame, offered)
        case Damage() | AirAntiTank():
            return _losses(mind, offered)
        case Fleeing() | Displace():
            return _away(mind, frame, offered)
    return []


def _losses(mind: Mind, choices: list[Action]) -> list[Suggestion]:
    """The unit for a step loss: the one with the cheapest step; a whole unit rather than a reduced one."""
    found = []
    for action in choices:
        if isinstance(action, LoseStep):
            unit = mind.position.units[action.unit]
            price = mind.step(unit) + (0.3 if unit.steps == 1 else 0.0) - HARDSHIP[unit.state]
            found.append(Suggestion(action, -price, "the smaller loss"))
    return sorted(found, key=lambda each: -each.worth)


def _away(mind: Mind, frame: Fleeing | Displace, choices: list[Action]) -> list[Suggestion]:
    """The goals of units that flee or are driven out: out of danger, near friends and objectives."""
    found = []
    for action in choices:
        match action:
            case FleeTo(to) if isinstance(frame, Fleeing):
                unit = mind.position.units[frame.unit]
            case DisplaceTo(name, to):
                unit = mind.position.units[name]
            case _:
                continue
        danger = mind.danger(unit, to)
        worth = 0.3 * mind.pull(unit, to) - danger + 0.2 * len(mind.position.at(to, mind.side))
        found.append(Suggestion(action, worth, "in the enemy's fire" if danger > 0 else "out of the enemy's fire"))
    return sorted(found, key=lambda each: -each.worth)
