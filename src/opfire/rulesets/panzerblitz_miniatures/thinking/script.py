"""A plain script that weighs nothing: straight for the nearest objective, fire at the nearest enemy."""

from __future__ import annotations

from opfire.core.actions import NOBODY, Action, Choices
from opfire.core.flow import Frame
from opfire.core.places import Point
from opfire.core.ruleset import Suggestion
from opfire.kit.setup import Ready
from opfire.kit.thinking.goals import FAR
from opfire.rulesets.panzerblitz_miniatures.actions import EndPhase, Pass
from opfire.rulesets.panzerblitz_miniatures.airpower.airborne import TREES, WATER, AirborneLanding, DropAt
from opfire.rulesets.panzerblitz_miniatures.close.close_combat import StayAboard
from opfire.rulesets.panzerblitz_miniatures.fire.direct import Attacking, DirectFirePhase, Engage, Fire
from opfire.rulesets.panzerblitz_miniatures.moving.marching import Move, Stop
from opfire.rulesets.panzerblitz_miniatures.moving.movement import MovementPhase, Moving
from opfire.rulesets.panzerblitz_miniatures.moving.opportunity import OpportunityFire, React
from opfire.rulesets.panzerblitz_miniatures.pieces import Position, Side, Stand
from opfire.rulesets.panzerblitz_miniatures.recovery import RecoverAll, RecoveryPhase
from opfire.rulesets.panzerblitz_miniatures.setup import Place, SetUp
from opfire.rulesets.panzerblitz_miniatures.thinking.ground import whole_inches
from opfire.rulesets.panzerblitz_miniatures.thinking.mind import Mind
from opfire.rulesets.panzerblitz_miniatures.thinking.ways import reached, straightened
from opfire.space.measure import bearing, square


def script(sight: Position, side: Side, frame: Frame, choices: Choices) -> list[Suggestion]:
    """The script's move."""
    mind = Mind(sight, side)
    match frame:
        case SetUp():
            return _plain(_first(choices, Ready) or _first(choices, Place))
        case RecoveryPhase():
            return _plain(RecoverAll())
        case AirborneLanding():
            return _plain(_drop(mind, choices) or EndPhase())
        case DirectFirePhase():
            return _plain(_nearest(mind, choices, Engage) or EndPhase())
        case Attacking():
            return _plain(Fire())
        case OpportunityFire():
            return _plain(_nearest(mind, choices, React) or Pass())
        case MovementPhase():
            return _plain(_march(mind, choices) or EndPhase())
        case Moving():
            return _plain(Stop(frame.unit))
    return _plain(_first(choices, EndPhase) or _first(choices, Pass) or _first(choices, StayAboard))


def _plain(action: Action | None) -> list[Suggestion]:
    return [] if action is None else [Suggestion(action, 0.0, "the script")]


def _first(choices: Choices, kind: type[Action]) -> Action | None:
    """The first offer of a kind; the groups behind it are not built."""
    for actor in choices.asked:
        for offer in choices.of(actor):
            if isinstance(offer, kind):
                return offer
    return None


def _nearest(mind: Mind, choices: Choices, kind: type[Engage | React]) -> Engage | React | None:
    """The shot at the nearest target."""
    units = mind.position.units
    shots = [offer for name in choices.asked if name != NOBODY for offer in choices.of(name) if isinstance(offer, kind)]
    aimed = [shot for shot in shots if shot.target in units]
    return min(aimed, key=lambda shot: (_far(units[shot.unit], units[shot.target]), shot.unit), default=None)


def _far(a: Stand, b: Stand) -> int:
    return square(a.at, b.at) if a.at is not None and b.at is not None else 0


def _drop(mind: Mind, choices: Choices) -> DropAt | None:
    """The first landing that is due, at the first objective on open ground."""
    leader = next((name for name in choices.asked if name != NOBODY), None)
    land = mind.position.table.ground
    places = (mind.at(goal.place) for goal in mind.goals if not goal.leave)
    dry = next((at for at in places if not (WATER | TREES).intersection(land.at(at).kinds)), None)
    return None if leader is None or dry is None else DropAt(leader, dry)


def _march(mind: Mind, choices: Choices) -> Move | None:
    """The first leg of the first stand that can come nearer to an objective."""
    for name in choices.asked:
        if name != NOBODY and (move := _nearer(mind, mind.position.units[name])):
            return move
    return None


def _nearer(mind: Mind, unit: Stand) -> Move | None:
    """The first leg of the way to the point nearest to the stand's objective."""
    assert unit.at is not None
    goal = _objective(mind, unit)
    if goal is None:
        return None
    now = mind.turns(unit, unit.at, goal)
    reach = reached(mind, unit)
    ends = sorted((mind.turns(unit, at, goal), at) for at in whole_inches(reach.costs))
    for turns, at in ends[:8]:
        first = straightened(reach.route(at))[1:2]
        if turns < now - 0.05 and first:
            return Move(unit.id, first[0], bearing(unit.at, first[0]))
    return None


def _objective(mind: Mind, unit: Stand) -> Point | None:
    """The nearest objective that the side does not hold, or any."""
    assert unit.at is not None
    goals = [goal for goal in mind.goals if not goal.leave]
    goals = [goal for goal in goals if goal.gain] or goals
    start = unit.at
    found = [(mind.turns(unit, start, mind.at(goal.place)), mind.at(goal.place)) for goal in goals]
    found = [each for each in found if 0.0 < each[0] < FAR]
    return min(found)[1] if found else None
