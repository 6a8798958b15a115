"""Indirect fire [7.6.1]: missions arrive or not, deviate or not, and fall; American batteries join [7.8.3]."""

from __future__ import annotations

from msgspec.structs import replace

from opfire.core.actions import Refusal
from opfire.core.events import Event
from opfire.core.game import Game
from opfire.core.places import Point
from opfire.core.texts import joined
from opfire.rulesets.micro_armour.artillery.batteries import (
    beyond_reach,
    cannot_shell,
    faces_away,
    markers,
    no_smoke,
    off_map,
)
from opfire.rulesets.micro_armour.artillery.coordinates import written
from opfire.rulesets.micro_armour.artillery.direct import fire_plotted
from opfire.rulesets.micro_armour.artillery.impacts import lift_mission, place, spend
from opfire.rulesets.micro_armour.artillery.missions import Mission
from opfire.rulesets.micro_armour.artillery.record import (
    all_given,
    assigned,
    no_turns,
    sections,
    smoke_planned,
    use_turn,
)
from opfire.rulesets.micro_armour.artillery.rolls import off_target, succeeds, to_arrive, to_deviate, worst
from opfire.rulesets.micro_armour.fire.standard import engagement, saves_ammunition, under_fire
from opfire.rulesets.micro_armour.formations import is_broken, plots_no_more
from opfire.rulesets.micro_armour.pieces import Position, Side, Stand, UnitId

ON_TARGET: Point = (0, 0)


def cannot_serve(position: Position, mission: Mission, unit: Stand) -> Refusal | None:
    """Reject a battery that cannot take part in its mission now [7.3.4, 7.4.1, 7.4.5.2-out, 7.4.11, 7.6.2.2-move,
    12.1.5-3, 12.2.2, 12.12]."""
    if not off_map(unit) and unit.at is None:
        return Refusal("{} is {}", "7.4.1", (unit.name, unit.status))
    if unit.at != mission.stood[mission.batteries.index(unit.id)] or unit.carrier is not None:
        return Refusal("{} has moved since its fire was plotted", "7.4.11", (unit.name,))
    return (
        gives_up(position, mission, unit)
        or saves_ammunition(unit)
        or cannot_shell(position, unit.side, unit)
        or no_turns(unit, 1)
        or (None if unit.at is None else under_fire(position, unit))
        or (None if unit.at is None or mission.kind == "direct" else engagement(position, unit))
        or (None if mission.kind == "direct" else faces_away(position, unit, mission.sheaf))
        or beyond_reach(position, unit, mission.place)
    )


def serving(position: Position, mission: Mission) -> tuple[UnitId, ...]:
    """The batteries that take part in their mission now [7.6.1.1]."""
    return tuple(unit.id for unit in position.pick(mission.batteries) if cannot_serve(position, mission, unit) is None)


def gives_up(position: Position, mission: Mission, unit: Stand) -> Refusal | None:
    """Reject a battery of a broken force, but for one off the map whose fire goes on [12.1.5-3]: RULINGS.md R96."""
    if not is_broken(position, unit) or (off_map(unit) and mission.arrived):
        return None
    return Refusal("The force of {} is broken: it begins no mission", "12.1.5-3", (unit.name,))


def carry_out(game: Game[Position], name: str) -> None:
    """Try a mission of this turn: batteries that cannot take part are left out [7.6.1.1, 7.6.1.2-arrive]."""
    position = game.state
    mission = position.missions[name]
    _announce(game, mission)
    able = serving(position, mission)
    mission = _change(position, mission, done=position.turn)
    use_turn(position, able)
    if not able:
        _tell(game, mission, "The fire of {} does not arrive: no battery can take part", "7.6.1.1")
        return _fail(position, mission)
    if mission.kind == "direct":
        return fire_plotted(game, mission, able)
    if left_behind(position, mission):
        _tell(game, mission, "The fire of {} is cancelled: its observer has moved", "12.13")
        return _fail(position, mission)
    if not mission.arrived:
        return _arrive(game, mission, able)
    if mission.corrects:
        mission = _change(position, mission, drift=ON_TARGET, corrects=False)
    _fall(game, mission, able)


def _arrive(game: Game[Position], mission: Mission, able: tuple[UnitId, ...]) -> None:
    """The turn of arrival: a roll to arrive, one to be on target [7.6.1.2-arrive, 7.6.1.2-deviate]."""
    position = game.state
    unit = worst(position, able)
    if not succeeds(game, unit, to_arrive(position, mission, able)):
        for name in able:
            position.change(name, fired=True, unseen=unseen(position))
        return _fail(position, mission)
    drift = off_target(game, unit, to_deviate(position, unit, mission), mission.sheaf.at)
    _fall(game, _change(position, mission, drift=drift, strayed=drift != ON_TARGET), able)


def _fall(game: Game[Position], mission: Mission, able: tuple[UnitId, ...]) -> None:
    """The markers fall where the mission has them, and stay for its turns [7.4.2.2, 7.6.5.4].

    In later turns of a mission they fall without a roll to arrive [7.6.5.1].
    """
    position = game.state
    first = not any(work.battery in able and work.until >= position.turn for work in position.works.values())
    for name in able:
        spend(position, name, smoke=mission.smoke and first)
        position.change(name, unseen=unseen(position))
    lift_mission(position, mission.id)
    sheaf = mission.place._replace(markers=sections(position, able))
    barrage = mission.kind == "barrage"
    place(game, able, sheaf, smoke=mission.smoke, until=mission.until, mission=mission.id, barrage=barrage)


def unseen(position: Position) -> bool:
    """Return whether a battery stays hidden when it fires indirectly [6.3.4]: RULINGS.md R118."""
    return not position.setting.has("R118")


def _fail(position: Position, mission: Mission) -> None:
    """A mission that does not arrive is over; a barrage is delayed by a turn [7.6.2.4-effect]."""
    lift_mission(position, mission.id)
    if mission.kind == "barrage" and not mission.arrived:
        _change(position, mission, due=mission.due + 1)
    else:
        _change(position, mission, duration=0)


def drop(position: Position, mission: Mission, *, cancelled: bool) -> None:
    """The one battery of a mission does not fire it in this turn [7.6.1.5].

    Fire that has arrived goes on in the next turn, unless the mission is cancelled.
    """
    lift_mission(position, mission.id)
    if mission.arrived and not cancelled:
        _change(position, mission, done=position.turn)
    else:
        _change(position, mission, done=position.turn, duration=0)


def leave(position: Position, mission: Mission, unit_id: UnitId) -> None:
    """A battery leaves the mission that it has with others, who carry it out without it [7.4.9, 7.6.1.5]."""
    stay = [number for number, name in enumerate(mission.batteries) if name != unit_id]
    batteries = tuple(mission.batteries[number] for number in stay)
    _change(position, mission, batteries=batteries, stood=tuple(mission.stood[number] for number in stay))


def _announce(game: Game[Position], mission: Mission) -> None:
    """Everybody learns what is carried out, as soon as it is: the type, the batteries and the place [7.6.1.1]."""
    names = joined(unit.name for unit in game.state.pick(mission.batteries))
    facts = (mission.kind.capitalize(), names, written(game.state.setting, mission.side, mission.sheaf.at))
    units, places = mission.batteries, (mission.sheaf.at,)
    game.tell(Event("revealed", "{} mission of {} at {}", facts, "7.6.1.1", units, places))


def _change(position: Position, mission: Mission, **values: object) -> Mission:
    changed = position.missions[mission.id] = replace(mission, **values)
    return changed


def left_behind(position: Position, mission: Mission) -> bool:
    """Return whether the plotter of a polar plot has moved before the fire arrived [12.13].

    An observer that has gone to another host has moved [7.6.4.4]; one that is lost has not [7.6.4.5]: RULINGS.md R89.
    """
    if mission.polar is None or mission.arrived:
        return False
    host = position.units[mission.plotter]
    if host.status == "eliminated":
        return False
    return host.at != mission.polar or (not host.rank and host.id not in position.observers)


def _tell(game: Game[Position], mission: Mission, words: str, rule: str) -> None:
    names = joined(unit.name for unit in game.state.pick(mission.batteries))
    game.tell(Event("mission", words, (names,), rule, mission.batteries))


# --- batteries that join [7.8.3] --------------------------------------------------------------------------------


def cannot_join(position: Position, side: Side, unit: Stand, mission: Mission) -> Refusal | None:
    """Reject a battery that may not join a mission of this turn [7.8.3, 12.1.5-3]."""
    if refusal := cannot_shell(position, side, unit) or plots_no_more(position, (unit,)) or saves_ammunition(unit):
        return refusal
    if unit.kind.nation != "United States":
        return Refusal("{} is no American battery", "7.8.3", (unit.name,))
    if not unit.kind.indirect:
        return Refusal("{} does not fire indirectly", "7.6-who", (unit.name,))
    if assigned(position, unit.id):
        return Refusal("{} has a mission in this turn", "7.8.3", (unit.name,))
    if unit.at is not None and (refusal := under_fire(position, unit) or engagement(position, unit)):
        return refusal
    if refusal := all_given(position, unit, 1):
        return refusal
    if mission.smoke and (refusal := no_smoke(position, unit, smoke_planned(position, unit.id))):
        return refusal
    there = mission.place._replace(markers=markers(unit))
    return beyond_reach(position, unit, there) or faces_away(position, unit, there)


def join(game: Game[Position], unit_id: UnitId, name: str) -> None:
    """A battery joins a mission: it rolls to arrive with its own modifier, then for deviation [7.8.3]."""
    position = game.state
    unit, mission = position.units[unit_id], position.missions[name]
    use_turn(position, (unit_id,))
    position.change(unit_id, fired=True, unseen=unseen(position))
    if not succeeds(game, unit, to_arrive(position, mission, (unit_id,))):
        return
    spend(position, unit_id, smoke=mission.smoke)
    sheaf = mission.sheaf._replace(markers=markers(unit))
    right, down = off_target(game, unit, to_deviate(position, unit, mission), sheaf.at)
    sheaf = sheaf._replace(at=(sheaf.at[0] + right, sheaf.at[1] + down))
    barrage = mission.kind == "barrage"
    place(game, (unit_id,), sheaf, smoke=mission.smoke, until=position.turn, barrage=barrage)
