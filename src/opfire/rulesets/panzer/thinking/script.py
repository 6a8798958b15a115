"""A plain script that weighs nothing: straight for the nearest objective, fire at the nearest enemy."""

from __future__ import annotations

from opfire.core.actions import Action, Choices
from opfire.core.flow import Frame
from opfire.core.ruleset import Suggestion
from opfire.kit.orders import Pass
from opfire.kit.setup import Ready
from opfire.kit.thinking.goals import FAR
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.commands import Command, CommandPhase, HandIn, cannot_command
from opfire.rulesets.panzer.fire.arms import arms_at
from opfire.rulesets.panzer.fire.direct_fire import Announce, Asked, Attacking, DirectFireStep, Keep, Resolve
from opfire.rulesets.panzer.fire.overwatch import Overwatch, OverwatchFire
from opfire.rulesets.panzer.moving.going import Going, Move, Stay
from opfire.rulesets.panzer.moving.movement import Moving
from opfire.rulesets.panzer.moving.step import MovementStep
from opfire.rulesets.panzer.pieces import CommandName, Hex, Position, Side, Unit, UnitId, at_arms, away
from opfire.rulesets.panzer.setup import Place, SetUp
from opfire.rulesets.panzer.thinking import firing
from opfire.rulesets.panzer.thinking.marching import nearest_goal
from opfire.rulesets.panzer.thinking.mind import Mind
from opfire.rulesets.panzer.thinking.moving import next_mover
from opfire.rulesets.panzer.thinking.sharing import Wish, sheet
from opfire.rulesets.panzer.thinking.ways import ends

NEAR = 15
"""The hexes up to which the script halts to fire."""


def script(sight: Position, side: Side, frame: Frame, choices: Choices) -> list[Suggestion]:
    """The script's move."""
    mind = Mind(sight, side)
    match frame:
        case SetUp():
            return _plain(_first(choices, Ready) or _first(choices, Place))
        case CommandPhase():
            return _plain(_sheet(mind))
        case DirectFireStep():
            return _plain(_nearest(mind, choices) or EndStep())
        case Attacking():
            return firing.bound(mind, frame, choices) or _plain(Resolve())
        case Asked():
            return _plain(Keep())
        case Overwatch():
            return _plain(_nearest(mind, choices) or Pass())
        case OverwatchFire():
            return _plain(_nearest(mind, choices) or Resolve())
        case MovementStep() if mover := next_mover(sight, side, choices):
            return _moved(mind, mover, Going(), choices)
        case Moving():
            return _moved(mind, frame.unit, Going(*frame.going), choices)
    return _plain(_first(choices, Action))


def _plain(action: Action | None) -> list[Suggestion]:
    return [Suggestion(action, 0.0, "the script")] if action is not None else []


def _first(choices: Choices, kind: type[Action]) -> Action | None:
    """The first action of a kind that is offered."""
    offers = (offer for actor in choices.asked for offer in choices.of(actor))
    return next((offer for offer in offers if isinstance(offer, kind)), None)


def _nearest(mind: Mind, choices: Choices) -> Announce | None:
    """The shot at the nearest target."""
    units = mind.position.units
    shots = [offer for name in choices.asked for offer in choices.of(name) if isinstance(offer, Announce)]

    def far(shot: Announce) -> tuple[int, str, str]:
        return away(mind.position, at_arms(mind.position, shot.unit), units[shot.target]), shot.unit, shot.target

    return min(shots, key=far, default=None)


def _sheet(mind: Mind) -> HandIn:
    """Fire for those with a target near enough, else a move."""
    if mind.position.setting.advanced:
        units = [unit for unit in mind.position.of(mind.side) if unit.is_vehicle or unit.kind.category == "squad"]
        wishes = [Wish(float(unit.kind.pts), unit, _order(mind, unit)) for unit in units]
        return sheet(mind.position, mind.side, (wish for wish in wishes if _may(mind, wish)))
    return HandIn(tuple(Command(unit.id, _command(mind, unit)) for unit in mind.friends))


def _may(mind: Mind, wish: Wish) -> bool:
    return cannot_command(mind.position, wish.unit, wish.command) is None


def _order(mind: Mind, unit: Unit) -> CommandName:
    """Fire at a spotted enemy in range of any weapon, else a move."""
    position = mind.position
    spotted = [foe for foe in position.enemies(mind.side) if unit.id in position.spots.get(foe.id, ())]
    return "fire" if any(arms_at(position, unit, foe) for foe in spotted) else "move"


def _command(mind: Mind, unit: Unit) -> CommandName:
    position = mind.position
    spotted = [foe for foe in mind.foes if unit.id in position.spots.get(foe.id, ())]
    near = any(away(position, unit, foe) <= NEAR for foe in spotted)
    return "fire" if near and unit.kind.armed else "move"


def _moved(mind: Mind, unit_id: UnitId, going: Going, choices: Choices) -> list[Suggestion]:
    unit = mind.position.units[unit_id]
    return _march(mind, unit, going) if unit.is_vehicle else _walk(mind, unit, choices)


def _march(mind: Mind, unit: Unit, going: Going) -> list[Suggestion]:
    """The way to the end nearest to the vehicle's objective."""
    goal = _objective(mind, unit)
    if goal is None or mind.turns(unit, str(unit.hex), goal) == 0.0:
        return _plain(Stay(unit.id))
    offered = ends(mind.position, unit, going)
    best = min(offered, key=lambda end: (mind.turns(unit, end.hex, goal), len(end.acts)), default=None)
    acts = (*(best.acts if best is not None else ()), Stay(unit.id))
    return [Suggestion(acts[0], 0.0, "the script", acts[1:])]


def _walk(mind: Mind, unit: Unit, choices: Choices) -> list[Suggestion]:
    """The step that leads nearest to the goal, or the end of the move."""
    goal, away = nearest_goal(mind, str(unit.hex)), mind.position.map.distance
    steps = [offer for offer in choices.of(unit.id) if isinstance(offer, Move)]
    if goal:
        nearer = [step for step in steps if away(step.to, goal) < away(str(unit.hex), goal)]
        ranked = sorted(nearer, key=lambda step: (away(step.to, goal), len(mind.position.at(step.to)), step.to))
        found: list[Action] = [*ranked, Stay(unit.id)]
    else:
        found = [Stay(unit.id)]
    others = [offer for offer in choices.of(unit.id) if isinstance(offer, Action)]
    return [Suggestion(act, 0.0, "on foot to the nearest goal") for act in (*found, *others)]


def _objective(mind: Mind, unit: Unit) -> Hex | None:
    """The nearest objective that the side does not hold, or any."""
    gains = [goal.place for goal in mind.goals if goal.gain] or [goal.place for goal in mind.goals]
    found = [(mind.turns(unit, str(unit.hex), hex), hex) for hex in gains]
    return min((each for each in found if each[0] < FAR), default=(FAR, None))[1]
