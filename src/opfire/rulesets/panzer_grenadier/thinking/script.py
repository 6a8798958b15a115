"""A plain script: lead all units at the nearest objective, shoot at the nearest enemy, weigh nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from opfire.core.actions import Action, Choices
from opfire.core.flow import Frame
from opfire.core.ruleset import Suggestion
from opfire.core.texts import Text
from opfire.kit.setup import Ready
from opfire.kit.thinking.goals import FAR
from opfire.rulesets.panzer_grenadier.actions import EndSegment, Pass
from opfire.rulesets.panzer_grenadier.assault.assaulting import DeclareAssault, EnterAssault, JoinAssault, RollAssault
from opfire.rulesets.panzer_grenadier.command.activation import (
    Activate,
    ActivateLeader,
    Begin,
    Designate,
    cannot_take,
    group,
)
from opfire.rulesets.panzer_grenadier.command.designating import Designating
from opfire.rulesets.panzer_grenadier.command.formations import GiveSegment
from opfire.rulesets.panzer_grenadier.command.segment import ActionSegment
from opfire.rulesets.panzer_grenadier.fire.aircraft import SendAircraft
from opfire.rulesets.panzer_grenadier.fire.antitank import FireAntiTank
from opfire.rulesets.panzer_grenadier.fire.bombardment import AddBattery, Bombard
from opfire.rulesets.panzer_grenadier.fire.direct import AddFirer, FireDirect
from opfire.rulesets.panzer_grenadier.fire.offboard import CallFire
from opfire.rulesets.panzer_grenadier.fire.reaction import ShootAntiTank, ShootDirect
from opfire.rulesets.panzer_grenadier.fire.strengths import Fire
from opfire.rulesets.panzer_grenadier.morale.recovery import Recover
from opfire.rulesets.panzer_grenadier.movement.moving import Cross, EnterMap, ExitMap, Move
from opfire.rulesets.panzer_grenadier.pieces import Hex, Position, Role, Side, Unit, waiting
from opfire.rulesets.panzer_grenadier.setup.additions import GiveTankLeader, LayMines
from opfire.rulesets.panzer_grenadier.setup.placing import Place
from opfire.rulesets.panzer_grenadier.setup.setting_up import Finish
from opfire.rulesets.panzer_grenadier.thinking.ground import ground_of
from opfire.rulesets.panzer_grenadier.thinking.targets import has_target

FIRST = (ExitMap, JoinAssault, RollAssault, EnterAssault, DeclareAssault, AddFirer, AddBattery, Fire, Recover)


def script(sight: Position, side: Side, frame: Frame, choices: Choices) -> list[Suggestion]:
    """The plain script's answer to these choices: one suggestion."""
    offered = list(choices)
    if isinstance(frame, ActionSegment):
        return [_open(sight, side, offered)]
    if isinstance(frame, Designating):
        return [_designate(sight, offered)]
    for kind in FIRST:
        for action in offered:
            if isinstance(action, kind):
                return [Suggestion(action, 1.0, "it can be done")]
    return [_shoot(sight, offered) or _place(sight, side, offered) or _walk(sight, side, offered)]


# --- activations ------------------------------------------------------------------------------------------------


def _open(position: Position, side: Side, choices: Sequence[Action]) -> Suggestion:
    """The leader with most to do, else any unit with an action, else pass."""
    best: tuple[int, Action] | None = None
    for action in choices:
        match action:
            case ActivateLeader(name):
                members = position.pick(group(position, [position.units[name]]))
                number = sum(_task(position, unit, led=True) is not None for unit in members)
            case Activate(name, role):
                number = int(_task(position, position.units[name], led=False) == role)
            case GiveSegment(player):
                theirs = [unit for unit in position.of(side) if unit.player == player]
                number = sum(_task(position, unit, led=True) is not None for unit in theirs)
            case _:
                continue
        if number and (best is None or number > best[0]):
            best = number, action
    if best is not None:
        return Suggestion(best[1], 1.0, Text("units with something to do: {}", (best[0],)))
    calls = [action for action in choices if isinstance(action, CallFire | SendAircraft)]
    if calls:
        return Suggestion(calls[0], 1.0, "it can be done")
    idle = next((action for action in choices if isinstance(action, Pass)), choices[0])
    return Suggestion(idle, 0.0, "nothing to do")


def _task(position: Position, unit: Unit, *, led: bool) -> Role | None:
    """The action of a unit: recover, fire at a target in reach, walk to an objective."""
    if unit.marked:
        return None
    if not unit.good_order:
        return "recover"
    if unit.hex is None:
        return "move" if waiting(position, unit) else None
    if unit.leader:
        return None  # he goes with the units that he leads
    beside = led and any(to and position.enemies(unit.side, to) for to in position.map.neighbours[unit.hex])
    if unit.combat and not unit.shots and (beside or has_target(position, unit)):
        return "fire"
    return "move" if 0.0 < _away(position, unit) < FAR and (led or not unit.combat) else None


def _designate(position: Position, choices: Sequence[Action]) -> Suggestion:
    """Designate each unit for a possible action; leaders go with the others."""
    for action in choices:
        if isinstance(action, Designate):
            unit = position.units[action.unit]
            wanted = _task(position, unit, led=True)
            if unit.leader and unit.good_order:
                wanted = "fire" if any(_fires(position, other) for other in _around(position, unit)) else "move"
            if action.role == wanted and cannot_take(unit, action.role) is None:
                return Suggestion(action, 1.0, "it can be done")
    begin = next((action for action in choices if isinstance(action, Begin)), choices[0])
    return Suggestion(begin, 0.0, "the others have nothing to do")


def _around(position: Position, unit: Unit) -> list[Unit]:
    return position.at(unit.hex, unit.side) if unit.hex is not None else []


def _fires(position: Position, unit: Unit) -> bool:
    return not unit.leader and _task(position, unit, led=True) == "fire"


# --- shooting ---------------------------------------------------------------------------------------------------


def _shoot(position: Position, choices: Sequence[Action]) -> Suggestion | None:
    """Shoot at the nearest enemy, with as many units as can."""
    best: tuple[int, int, Action] | None = None
    for action in choices:
        match action:
            case ShootDirect(units, target):
                rank = -len(units), _between(position, units[0], str(position.units[target].hex))
            case FireDirect(unit, hex) | Bombard(unit, hex):
                rank = 0, _between(position, unit, hex)
            case FireAntiTank(unit, target) | ShootAntiTank(unit, target):
                rank = -1, _between(position, unit, str(position.units[target].hex))
            case _:
                continue
        if best is None or rank < best[:2]:
            best = *rank, action
    return Suggestion(best[2], 1.0, Text("the nearest, at a distance of {}", (best[1],))) if best is not None else None


def _between(position: Position, name: str, hex: Hex) -> int:
    return position.map.distance(str(position.units[name].hex), hex)


# --- places and ways --------------------------------------------------------------------------------------------


def _place(position: Position, side: Side, choices: Sequence[Action]) -> Suggestion | None:
    """Units near the objectives, leaders with units, mines and tank leaders as they come."""
    places = [action for action in choices if isinstance(action, Place)]
    if not places:
        rest = (action for action in choices if isinstance(action, GiveTankLeader | LayMines | Finish | Ready))
        first = next(rest, None)
        return Suggestion(first, 1.0, "it can be done") if first is not None else None

    left = Counter(action.unit for action in places)

    def rank(action: Place) -> tuple[bool, float, float]:
        unit, there = position.units[action.unit], position.at(action.hex, side)
        led = sum(other.leader for other in there)
        alone = led - min(2, len(there)) if unit.leader else -1.0
        return left[action.unit] > 1, alone, _turns(position, unit, action.hex)

    return Suggestion(min(places, key=rank), 1.0, "the only place left, or near an objective")


def _walk(position: Position, side: Side, choices: Sequence[Action]) -> Suggestion:
    """The first unit that can come nearer to an objective goes, leaders last."""
    best: tuple[float, Action] | None = None
    for action in choices:
        match action:
            case Move(name, to) | Cross(name, to) | EnterMap(name, to):
                unit = position.units[name]
                here = _away(position, unit) if unit.hex is not None else 2 * FAR
                gained = here - _turns(position, unit, to) - (50.0 if unit.leader else 0.0)
                if _turns(position, unit, to) < here and (best is None or gained > best[0]):
                    best = gained, action
    if best is not None:
        return Suggestion(best[1], 1.0, "nearer to an objective")
    ways_out = [action for action in choices if action.kind in ("pass", "done") or isinstance(action, EndSegment)]
    return Suggestion((ways_out or choices)[0], 0.0, "nothing to do")


def _away(position: Position, unit: Unit) -> float:
    return _turns(position, unit, str(unit.hex))


def _turns(position: Position, unit: Unit, hex: Hex) -> float:
    """The distance to the nearest objective that the side does not hold."""
    goals = [
        goal
        for condition in position.setting.scenario.victory
        if condition.side == unit.side and condition.condition in ("control", "exit")
        for goal in condition.places
        if condition.condition == "exit" or position.control.get(goal) != unit.side
    ]
    ground = ground_of(position)
    return min((ground.turns(position, unit, hex, goal) for goal in goals), default=FAR)
