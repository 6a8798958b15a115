"""The plan of a side: the objective of each formation, by worth, way, and the enemies that will be there."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from opfire.kit.thinking.goals import FAR, PATIENCE, Goal
from opfire.rulesets.panzer.pieces import Hex, Position, Unit, UnitId
from opfire.rulesets.panzer.thinking.ways import ways_of

ENOUGH = 1.5
"""The points of vehicles sent to an objective for each point of enemies that can be there."""

SPARE = 0.5
"""The worth of an objective to which enough are on their way, for the next formation."""


SQUADS = ("squad", "half-squad")
"""The leg units that go for objectives."""


class Task(NamedTuple):
    """An objective as a side plans for it: its worth, the points that it takes, and those that are on their way."""

    worth: float
    needed: float
    sent: float = 0.0


def objectives(
    position: Position, goals: Iterable[Goal], friends: Iterable[Unit], foes: Iterable[Unit]
) -> dict[UnitId, Hex]:
    """The objective of each armed unit that goes: whole formations choose, those that are nearest to one first."""
    tasks = {
        goal.place: Task(max(goal.gain, goal.keep), _needed(position, goal, foes)) for goal in goals if not goal.leave
    }
    waiting, found = _groups(friends), dict[UnitId, Hex]()
    while waiting and tasks:
        _, name, place = max(
            (_drawn(position, tasks[place], place, units), name, place)
            for name, units in waiting.items()
            for place in tasks
        )
        units = waiting.pop(name)
        tasks[place] = tasks[place]._replace(sent=tasks[place].sent + sum(unit.kind.pts for unit in units))
        found |= {unit.id: place for unit in units}
    return found


def _groups(friends: Iterable[Unit]) -> dict[str, list[Unit]]:
    """The units of each formation that go for objectives; the Basic Game knows no formations."""
    found: dict[str, list[Unit]] = {}
    for unit in friends:
        if unit.formation and unit.kind.armed and (unit.is_vehicle or unit.kind.category in SQUADS):
            found.setdefault(unit.formation, []).append(unit)
    return found


def _needed(position: Position, goal: Goal, foes: Iterable[Unit]) -> float:
    """The points that it takes to have an objective: more than the enemies that can be there soon."""
    armed = (foe for foe in foes if foe.kind.armed)
    return ENOUGH * float(sum(foe.kind.pts * PATIENCE ** _turns(position, foe, goal.place) for foe in armed))


def _drawn(position: Position, task: Task, place: Hex, units: list[Unit]) -> float:
    """The draw of an objective for a formation: by its worth, by its way, and less if enough are on their way."""
    turns = sum(_turns(position, unit, place) for unit in units) / len(units)
    return task.worth * float(PATIENCE**turns) * (SPARE if task.sent > task.needed else 1.0)


def _turns(position: Position, unit: Unit, place: Hex) -> float:
    if not unit.is_vehicle:
        return position.map.distance(str(unit.hex), place) / max(1, unit.ground.m_cc)
    slow = 2.0 if unit.damaged else 1.0
    return min(FAR, slow * ways_of(position).turns(unit.vehicle, str(unit.hex), place))
