"""The Artillery Fire Mission Record of a side [7.6.3]: what is due, who is busy, how soon fire arrives [7.8.1]."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from opfire.core.actions import Refusal
from opfire.core.events import Event
from opfire.core.game import Game
from opfire.rulesets.micro_armour.artillery.batteries import markers
from opfire.rulesets.micro_armour.artillery.missions import Mission, is_due
from opfire.rulesets.micro_armour.design.observers import doctrine
from opfire.rulesets.micro_armour.pieces import ARTILLERY, Position, Side, Stand, UnitId

DELAYS = {"american": 1, "german": 2, "other": 3}
"""The least turns from the plot to the arrival, by the doctrine of the nation [7.8.1]."""


def record(position: Position, side: Side) -> Iterator[Mission]:
    """The missions of a side."""
    return (mission for mission in position.missions.values() if mission.side == side)


def due(position: Position, side: Side) -> list[Mission]:
    """The missions that a side has to try in this turn and has not tried [7.6.1.1]."""
    return [mission for mission in record(position, side) if is_due(mission, position.turn)]


def assigned(position: Position, unit_id: UnitId) -> bool:
    """Return whether a battery has a mission in this turn: one that is to arrive now, or goes on."""
    return any(
        unit_id in mission.batteries and 0 < mission.due <= position.turn <= mission.until
        for mission in position.missions.values()
    )


def free_number(position: Position, side: Side) -> str:
    """The id of the next mission of a side."""
    used = (int(name.rpartition("-")[2]) for name in position.missions if name.startswith(f"{side}-fire-"))
    return f"{side}-fire-{max(used, default=0) + 1}"


def smoke_planned(position: Position, unit_id: UnitId) -> int:
    """The smoke missions that a battery has been given and that have not begun."""
    return sum(
        mission.smoke and unit_id in mission.batteries and not mission.arrived and mission.until >= position.turn
        for mission in position.missions.values()
        if mission.due
    )


def delay(position: Position, unit: Stand) -> int:
    """The least number of turns from the plot to the arrival of a battery's fire [7.8.1-1, 7.8.1-2, 7.8.1-3]."""
    return DELAYS[doctrine(unit.kind.nation, position.setting.sections.date)]


def sections(position: Position, names: tuple[UnitId, ...]) -> int:
    """The impact markers of batteries that fire together: they make one sheaf [7.4.9.1]."""
    return sum(markers(unit) for unit in position.pick(names))


# --- what each type may do --------------------------------------------------------------------------------------


def pre_registered_allowed(position: Position, side: Side) -> int:
    """The pre-registered missions of a side: one for three artillery stands, more for defences [7.6.2.2-count]."""
    made = position.setting
    if made.sections.engagement == "meeting-engagement" or made.sections.defender != side:
        return 0
    guns = sum(unit.kind.kind in ARTILLERY for unit in position.pick(made.ids[side]))
    prepared = made.sections.engagement in ("hasty-attack", "delaying-action", "prepared-assault")
    cohesion = made.troops(side).cohesion
    return guns // 3 + prepared + (2 if cohesion >= 17 else cohesion >= 13)


def barrages_allowed(position: Position) -> bool:
    """Return whether barrages may be plotted before the game [7.6.2.4-plot]."""
    return position.setting.sections.engagement not in ("", "meeting-engagement", "hasty-attack")


def overlapping(position: Position, unit: Stand, first: int, last: int) -> Refusal | None:
    """Reject turns of fire in which a battery has another mission."""
    for mission in position.missions.values():
        if unit.id in mission.batteries and mission.due and mission.due <= last and first <= mission.until:
            return Refusal("{} has a mission in turn {}", "7.6.3-fields", (unit.name, max(first, mission.due)))
    return None


def no_turns(unit: Stand, turns: int) -> Refusal | None:
    """Reject a battery whose allocated turns of fire are used up; they need not follow each other [7.9.2, 7.9.3]."""
    if unit.allotted is None or unit.allotted >= turns:
        return None
    return Refusal("{} has {} allocated turns of fire left", "7.9.2", (unit.name, unit.allotted))


def all_given(position: Position, unit: Stand, turns: int) -> Refusal | None:
    """Reject more turns of fire than a battery has, without those of its missions to come [7.9.2, 7.9.3]."""
    if unit.allotted is None:
        return None
    given = sum(_to_come(position, mission) for mission in position.missions.values() if unit.id in mission.batteries)
    return no_turns(unit, given + turns)


def _to_come(position: Position, mission: Mission) -> int:
    """The turns of fire of a mission that are still to be tried."""
    if not mission.due:
        return 0
    first = max(mission.due, position.turn + (mission.done == position.turn), 1)
    return max(0, mission.until - first + 1)


def use_turn(position: Position, names: tuple[UnitId, ...]) -> None:
    """Batteries try to fire: that uses an allocated turn, whether the fire arrives or not [7.9.2]."""
    for unit in position.pick(names):
        if unit.allotted is not None:
            position.change(unit.id, allotted=unit.allotted - 1)


def registered_names(position: Position, side: Side) -> tuple[str, ...]:
    """The names of a side's pre-registered missions, each once [7.6.2.2-set]."""
    return tuple(dict.fromkeys(mission.name for mission in record(position, side) if mission.kind == "pre-registered"))


def plotter_lost(game: Game[Position]) -> None:
    """Missions of this turn whose plotter has been eliminated since are cancelled [7.6.4.5]."""
    position = game.state
    for mission in position.missions.values():
        if mission.plotted == position.turn and mission.plotter:
            plotter = position.units[mission.plotter]
            if plotter.status == "eliminated" and mission.due > position.turn:
                position.missions[mission.id] = replace(mission, duration=0)
                facts = (plotter.name,)
                words, only = "The mission plotted by {} is cancelled", (mission.side,)
                game.tell(Event("mission", words, facts, "7.6.4.5", mission.batteries, only=only))
