"""A plain script: walk at the nearest objective, shoot at the nearest enemy, weigh nothing."""

from __future__ import annotations

from collections import Counter

from opfire.core.actions import Action, Choices
from opfire.core.flow import Frame
from opfire.core.ruleset import Suggestion
from opfire.core.texts import Text
from opfire.kit.setup import Ready
from opfire.kit.thinking.goals import FAR
from opfire.rulesets.case_orange.assault import AddAssaulter, Assault, RollAssault
from opfire.rulesets.case_orange.carrying import Unload
from opfire.rulesets.case_orange.direct import AddFirer, Attack, Fire, hex_of
from opfire.rulesets.case_orange.indirect import Confirm, DeclareFire
from opfire.rulesets.case_orange.movement import Enter, ExitMap, Move, Stop
from opfire.rulesets.case_orange.pieces import Hex, Position, Side, Unit
from opfire.rulesets.case_orange.reaction import Shoot
from opfire.rulesets.case_orange.setup import Place
from opfire.rulesets.case_orange.thinking.ground import ground_of

ORDER = (Fire, RollAssault, Confirm, Ready, ExitMap, Enter, Shoot, DeclareFire, Assault, AddFirer, AddAssaulter)


def script(sight: Position, side: Side, frame: Frame, choices: Choices) -> list[Suggestion]:
    """The plain script's answer to these choices: one suggestion."""
    offered = list(choices)
    for kind in ORDER:
        for action in offered:
            if isinstance(action, kind):
                return [Suggestion(action, 1.0, "it can be done")]
    attacks = [action for action in offered if isinstance(action, Attack)]
    if attacks:
        nearest = min(attacks, key=lambda action: _range(sight, action))
        return [Suggestion(nearest, 1.0, Text("{} is nearest", (nearest.target,)))]
    places = [action for action in offered if isinstance(action, Place)]
    if places:
        left = Counter(action.unit for action in places)

        def rank(action: Place) -> tuple[bool, float]:
            return left[action.unit] > 1, _turns(sight, side, sight.units[action.unit], action.hex)

        return [Suggestion(min(places, key=rank), 1.0, "the only place left, or nearest to an objective")]
    return [_walk(sight, side, offered)]


def _range(position: Position, action: Attack) -> int:
    return position.map.distance(str(position.units[action.unit].hex), hex_of(position, action.target))


def _walk(position: Position, side: Side, choices: list[Action]) -> Suggestion:
    """The first unit that can come nearer to an objective goes; riders get out near it."""
    for action in choices:
        match action:
            case Unload(carrier) if _here(position, side, position.units[carrier]) < 0.3:
                return Suggestion(action, 1.0, "the objective is near")
            case Move(unit, to):
                mover = position.units[unit]
                here = _here(position, side, mover)
                if 0.0 < here < FAR and _turns(position, side, mover, to) < here:
                    return Suggestion(action, 1.0, "nearer to an objective")
    stop = next((action for action in choices if isinstance(action, Stop)), choices[0])
    return Suggestion(stop, 0.0, "nothing to do")


def _here(position: Position, side: Side, unit: Unit) -> float:
    return _turns(position, side, unit, str(unit.hex))


def _turns(position: Position, side: Side, unit: Unit, hex: Hex) -> float:
    """The distance to the nearest objective that the side does not hold."""
    goals = [
        goal
        for condition in position.setting.scenario.victory
        if condition.side == side and condition.condition in ("control", "exit")
        for goal in condition.places
        if condition.condition == "exit" or position.control.get(goal) != side
    ]
    ground = ground_of(position)
    return min((ground.turns(unit, hex, goal) for goal in goals), default=FAR)
