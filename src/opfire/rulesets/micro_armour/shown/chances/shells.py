"""The rolls of the artillery [7.5, 7.6, 10.8, 11.5.8]: to fire, to arrive, to deviate, and those of every marker."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from msgspec.structs import replace

from opfire.core.actions import Action
from opfire.core.flow import Frame
from opfire.core.places import tenths
from opfire.core.texts import Text
from opfire.rulesets.micro_armour.alternation import Pass
from opfire.rulesets.micro_armour.artillery import close_support
from opfire.rulesets.micro_armour.artillery.batteries import markers
from opfire.rulesets.micro_armour.artillery.close_support import CloseSupport
from opfire.rulesets.micro_armour.artillery.direct import (
    FireDirect,
    ProtectiveFire,
    deviates,
    direct_roll,
    plotted_shot,
    seers,
    sheaf_of,
)
from opfire.rulesets.micro_armour.artillery.effects import attack_of, covered
from opfire.rulesets.micro_armour.artillery.grouped import GroupedFire
from opfire.rulesets.micro_armour.artillery.impacts import markers_of
from opfire.rulesets.micro_armour.artillery.indirect import left_behind, serving
from opfire.rulesets.micro_armour.artillery.missions import Mission
from opfire.rulesets.micro_armour.artillery.phase import AddBattery, ArtilleryPhase, CarryOut
from opfire.rulesets.micro_armour.artillery.plotting import (
    Calling,
    ConfirmCall,
    Correct,
    Terminate,
    correction_roll,
    ending_roll,
)
from opfire.rulesets.micro_armour.artillery.preset import TryToCease, ceasing_roll
from opfire.rulesets.micro_armour.artillery.record import due, sections
from opfire.rulesets.micro_armour.artillery.rolls import to_arrive, to_cancel, to_deviate, worst
from opfire.rulesets.micro_armour.artillery.sheafs import Sheaf
from opfire.rulesets.micro_armour.artillery.writing import Aim, AimFrom, AimPolar, Writing, draft
from opfire.rulesets.micro_armour.pieces import Position, UnitId, Work
from opfire.rulesets.micro_armour.shown.chances.told import Rolling, Told, of_its_unit
from opfire.rulesets.micro_armour.works.demolition import Demolish, attack_roll, fire_roll
from opfire.rulesets.micro_armour.works.ruins import Shell, place_rolls, position_rolls

# --- direct fire ---------------------------------------------------------------------------------------------------


def _direct(sight: Position, frame: Frame, action: FireDirect) -> Told:
    """The rolls of direct fire, by one battery or by several as one [7.4.9, 7.5]."""
    names = frame.units if isinstance(frame, GroupedFire) else (action.unit,)
    yield from _fired(sight, names, action)


def _fired(sight: Position, names: tuple[UnitId, ...], shot: FireDirect) -> Told:
    """The roll to fire, that to deviate of mortars and rockets, and those of the markers [7.5.3, 7.5.4, 7.5.5].

    Those of a hot shot are told beside the others [12.2.1].
    """
    unit = worst(sight, names)
    yield Text("{}: to fire", (unit.name,)), direct_roll(sight, names, shot)
    if deviates(sight, names):
        yield Text("{}: if it fires", (unit.name,)), to_deviate(sight, unit, None)
    plain = Work("", "smoke" if shot.smoke else "impact", shot.to, direct=True)
    sheaf = sheaf_of(sight, names, shot)
    usual = [*_markers(sight, names, sheaf, plain)]
    yield from usual
    if sight.setting.has("12.2.1"):
        hot = _markers(sight, names, sheaf, replace(plain, hot=True))
        for (which, made), (_, other) in zip(hot, usual, strict=True):
            if made != other:
                yield Text("{}, if it fires with a natural 1", (which,)), made


def _supported(sight: Position, frame: Frame, action: CloseSupport) -> Told:
    """Both rolls of a close support gun, and that of the position of its target [10.8, 11.4.1]."""
    unit, target = sight.units[action.unit], sight.units[action.target]
    made = close_support.rolls(sight, unit, target)
    yield Text("{}: to fire", (unit.name,)), made.fire
    yield Text("{}: if it fires", (unit.name,)), made.combat
    if sight.setting.has("12.2.1"):
        hot = close_support.rolls(sight, unit, target, natural=1)
        yield Text("{}: if it fires with a natural 1", (unit.name,)), hot.combat
    if target.at is not None:
        yield from position_rolls(sight, Shell(target.at, unit.kind.he or 0, struck=target))


def _demolished(sight: Position, frame: Frame, action: Demolish) -> Told:
    """Both rolls of fire at a bridge [11.5.8]."""
    unit, work = sight.units[action.unit], sight.works[action.work]
    yield Text("{}: to fire", (unit.name,)), fire_roll(sight, unit, work)
    yield Text("{}: if it fires", (unit.name,)), attack_roll(sight, unit, work)


# --- missions --------------------------------------------------------------------------------------------------------


def _carried_out(sight: Position, frame: Frame, action: CarryOut) -> Told:
    yield from _mission(sight, sight.missions[action.mission])


def _mission(sight: Position, mission: Mission) -> Told:
    """The rolls of a mission in this turn: to arrive, to deviate, and those of its markers [7.6.1.2, 7.6.5.1]."""
    able = serving(sight, mission)
    if not able or (mission.kind != "direct" and left_behind(sight, mission)):
        return
    if mission.kind == "direct":
        seeing = seers(sight, mission, able)
        yield from _fired(sight, seeing, plotted_shot(mission, seeing)) if seeing else ()
    else:
        yield from _falling(sight, mission, able)


def _falling(sight: Position, mission: Mission, able: tuple[UnitId, ...]) -> Told:
    """The rolls of an indirect mission by these batteries."""
    unit = worst(sight, able)
    if not mission.arrived:
        yield Text("{}: to arrive", (unit.name,)), to_arrive(sight, mission, able)
        yield Text("{}: if it arrives", (unit.name,)), to_deviate(sight, unit, mission)
    sheaf = (mission.sheaf if mission.corrects else mission.place)._replace(markers=sections(sight, able))
    yield from _markers(sight, able, sheaf, _plain(mission))


def _plain(mission: Mission) -> Work:
    """A marker as all of a mission are."""
    barrage = mission.kind == "barrage"
    return Work("", "smoke" if mission.smoke else "impact", mission.sheaf.at, mission=mission.id, barrage=barrage)


def _added(sight: Position, frame: Frame, action: AddBattery) -> Told:
    """The rolls of a battery that joins a mission [7.8.3]."""
    unit, mission = sight.units[action.unit], sight.missions[action.mission]
    yield Text("{}: to arrive", (unit.name,)), to_arrive(sight, mission, (unit.id,))
    yield Text("{}: if it arrives", (unit.name,)), to_deviate(sight, unit, mission)
    yield from _markers(sight, (unit.id,), mission.sheaf._replace(markers=markers(unit)), _plain(mission))


def passed(sight: Position, frame: Frame, action: Pass) -> Told:
    """The rolls of the missions that a side leaves to the end of the artillery phase: RULINGS.md R43."""
    if isinstance(frame, ArtilleryPhase) and not frame.free:
        for mission in due(sight, frame.side):
            yield from _mission(sight, mission)


def _written(sight: Position, frame: Frame, action: Aim | AimFrom | AimPolar) -> Told:
    """The rolls of a mission that is being written, should everything stay as it is [7.6.3]."""
    assert isinstance(frame, Writing)
    match action:
        case Aim(to):
            sheaf = frame.sheaf(sight, to)
        case AimFrom():
            sheaf = frame.beside(sight, action)
        case _:
            sheaf = frame.at_distance(sight, action)
    yield from _planned(sight, draft(sight, frame, sheaf))


def _called(sight: Position, frame: Frame, action: ConfirmCall) -> Told:
    """The rolls of a registered mission that is called [7.6.2.2-call]."""
    assert isinstance(frame, Calling)
    yield from _planned(sight, replace(sight.missions[frame.mission], drift=None, corrects=False, strayed=False))


def _planned(sight: Position, mission: Mission) -> Told:
    """The rolls of a mission to come, by all of its batteries."""
    if mission.kind == "direct":
        yield from _fired(sight, mission.batteries, plotted_shot(mission, mission.batteries))
    else:
        yield from _falling(sight, mission, mission.batteries)


def _ceasing(sight: Position, frame: Frame, action: TryToCease) -> Told:
    yield sight.setting.scenario.sides[frame.side].name, ceasing_roll(sight, frame.side)


# --- markers ---------------------------------------------------------------------------------------------------------


def _markers(sight: Position, names: tuple[UnitId, ...], sheaf: Sheaf, plain: Work) -> Told:
    """The attack of every marker of a sheaf that falls where it is aimed, on stands, positions, buildings and bridges.

    Markers of one type at one place make the same roll, so that they are told together. Smoke attacks nobody
    [7.4.7.1-1], but by one reading: RULINGS.md R122.
    """
    there = sight.copy()
    laid = [*markers_of(sight, names, sheaf, plain)]
    for work in laid:
        there.lay(work)
    counted = Counter((there.units[work.battery].kind.name, work.at) for work in laid)
    alike = {(there.units[work.battery].kind.name, work.at): work for work in laid}
    for (weapon, at), work in alike.items():
        yield from _marker(there, work, Text("{}, {} markers at {}", (weapon, counted[weapon, at], tenths(at))))


def _marker(there: Position, work: Work, which: Text) -> Told:
    """The rolls of one marker."""
    stands = covered(there, work)
    if work.kind == "impact" or there.setting.has("R122"):
        for target in stands:
            yield Text("{}: {}", (which, target.name)), attack_of(there, work, target)
    if work.kind == "impact":
        he = there.units[work.battery].kind.he or 0
        shell = Shell(work.at, he, work.barrage, next(iter(stands), None))
        for words, roll in place_rolls(there, shell):
            yield Text("{}: {}", (which, words)), roll


ROLLS: Mapping[type[Action], Rolling] = {
    FireDirect: _direct,
    ProtectiveFire: of_its_unit(to_cancel),
    CloseSupport: _supported,
    Demolish: _demolished,
    CarryOut: _carried_out,
    AddBattery: _added,
    Aim: _written,
    AimFrom: _written,
    AimPolar: _written,
    ConfirmCall: _called,
    Correct: of_its_unit(correction_roll),
    Terminate: of_its_unit(ending_roll),
    TryToCease: _ceasing,
}
"""The rolls of each kind of action; those of a side that passes are told by `passed`."""
