"""The rolls of the movement phase [8, 11.1 to 11.3, 12.5, 12.6]: of groups, and of stands on their way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from msgspec.structs import replace

from opfire.core.actions import Action
from opfire.core.flow import Frame
from opfire.core.places import Point, tenths
from opfire.core.texts import Text, joined
from opfire.rulesets.micro_armour.alternation import Pass
from opfire.rulesets.micro_armour.artillery.effects import attack_of, known_to, under
from opfire.rulesets.micro_armour.moving import bocage, into_fire
from opfire.rulesets.micro_armour.moving.boats import Disembark, landing_roll
from opfire.rulesets.micro_armour.moving.dismounting import HoldOn, holding_roll
from opfire.rulesets.micro_armour.moving.marching import Move, head_for, under_way
from opfire.rulesets.micro_armour.moving.marching import prices as prices_of
from opfire.rulesets.micro_armour.moving.movement import (
    GroupMovement,
    Order,
    group_of,
    group_rolls,
    steadies,
    steady_roll,
)
from opfire.rulesets.micro_armour.moving.nerve import PassArmour, nerve_roll
from opfire.rulesets.micro_armour.moving.prices import traced
from opfire.rulesets.micro_armour.moving.transport import Load, Unload, loading_roll
from opfire.rulesets.micro_armour.moving.water import Ford, Launch, fording_roll, water_roll
from opfire.rulesets.micro_armour.pieces import Position, Progress, Stand, Work
from opfire.rulesets.micro_armour.retreats import Retreat
from opfire.rulesets.micro_armour.shown.chances.told import Rolling, Told, of_its_unit
from opfire.rulesets.micro_armour.works.beneath import holds, hostile
from opfire.rulesets.micro_armour.works.obstacles import (
    COLUMNS,
    going_on,
    leaving_roll,
    left_behind,
    mine_attack,
    next_entry,
)
from opfire.space.terrain.legs import stopped

# --- groups -----------------------------------------------------------------------------------------------------


def _order(sight: Position, frame: Frame, action: Order) -> Told:
    """The rolls of a group for its one die, once for all stands that it means the same to [8.2.4-roll, 8.2.8]."""
    independent = isinstance(frame, GroupMovement) and frame.independent
    found = group_rolls(sight, group_of(sight, sight.units[action.unit]), independent)
    yield from ((joined(each.name for each in stands), roll) for stands, roll in found)


def declined(sight: Position, frame: Frame, action: Pass) -> Told:
    """The roll to stand fast of a side that declines to use an order [12.6]."""
    if isinstance(frame, GroupMovement) and sight.setting.has("12.6") and not frame.independent:
        unit = steadies(sight, frame.side)
        yield unit.name, steady_roll(sight, unit)


# --- stands on their way ------------------------------------------------------------------------------------------


def _loading(sight: Position, frame: Frame, action: Load) -> Told:
    cargo = sight.units[action.cargo]
    yield cargo.name, loading_roll(sight, cargo)


def _fording(sight: Position, frame: Frame, action: Ford) -> Told:
    unit = sight.units[action.unit]
    yield unit.name, fording_roll(sight, unit)
    yield from _under_fire(sight, unit, action.to)


def _landing(sight: Position, frame: Frame, action: Disembark) -> Told:
    unit = sight.units[action.unit]
    yield unit.name, landing_roll(sight, unit)
    yield from _under_fire(sight, unit, action.to)


def _set_down(sight: Position, frame: Frame, action: Unload) -> Told:
    yield from _under_fire(sight, sight.units[action.cargo], action.to)


def _moved_to(sight: Position, frame: Frame, action: Retreat) -> Told:
    yield from _under_fire(sight, sight.units[action.unit], action.to)


def _march(sight: Position, frame: Frame, action: Move) -> Told:
    """The rolls of a leg: off obstacles, through hedges, and those of fire into which it leads.

    [7.4.3.4, 9.3.3-breach, 11.1.6-leave, 11.2.2]
    """
    ahead = _setting_out(sight, action)
    unit = ahead.units[action.unit]
    yield from _leaving(ahead, unit)
    yield from _friendly_mines(ahead, unit)
    yield from _breaching(ahead, unit)
    yield from _shells(ahead, unit)


def _setting_out(sight: Position, action: Move) -> Position:
    """The position in which a stand is about to go a leg."""
    ahead = sight.copy()
    progress = sight.progress
    if progress is None or progress.unit != action.unit:
        ahead.progress = Progress(action.unit)
    head_for(ahead, action)
    return ahead


def _leaving(ahead: Position, unit: Stand) -> Told:
    """The rolls to leave the obstacles under a stand, and the attack of mines once it has set out."""
    for work in left_behind(ahead):
        roll = leaving_roll(ahead, unit, work)
        if roll is not None:
            yield Text("{}: off the {} at {}", (unit.name, work.kind, tenths(work.at))), roll
        if work.kind == "mines" and hostile(unit, work):
            yield from mines(ahead, unit, work)


def mines(sight: Position, unit: Stand, work: Work) -> Told:
    """The attack of mines, in each concentration that their victim may expect, and the roll to go on.

    [11.1.4, 11.1.6-result]
    """
    values = [value for value in COLUMNS if work.value in ("", value)]
    for value in values:
        yield Text("{} mines at {}", (value.capitalize(), tenths(work.at))), mine_attack(sight.charts, value)
    if values:
        rule = "11.1.6-result"
        words = "{}: to go on, if suppressed at {}", "{}: to go on, if disorganized at {}"
        yield Text(words[0], (unit.name, tenths(work.at))), going_on(sight, replace(unit, suppressed=True), rule)
        yield Text(words[1], (unit.name, tenths(work.at))), going_on(sight, replace(unit, disorganized=True), rule)


def _friendly_mines(ahead: Position, unit: Stand) -> Told:
    """The rolls to go on over mines of its own side that a stand meets on its way [11.1.7]."""
    start = under_way(ahead)
    while (entry := next_entry(ahead)) is not None and entry.work.kind == "mines" and not hostile(unit, entry.work):
        progress = under_way(ahead)
        if progress.to is not None and not holds(entry.work, progress.to):
            yield Text("{}: past the mines at {}", (unit.name, tenths(entry.work.at))), going_on(ahead, unit, "11.1.7")
        done, freed = entry.place.as_integer_ratio(), (*progress.freed, entry.work.id)
        ahead.progress = replace(progress, done=done, freed=freed)
    ahead.progress = start


def _breaching(ahead: Position, unit: Stand) -> Told:
    """The roll of a plough for each inch of hedges on its way [9.3.3-breach]."""
    progress = under_way(ahead)
    if progress.origin is None or progress.to is None or not bocage.ploughs(unit):
        return
    way = traced(ahead.ground, progress.origin, progress.to, prices_of(ahead, unit))
    inside = any(feature.kind == bocage.BOCAGE for piece in way.pieces for feature in piece.features)
    if inside:
        yield Text("{}: for each inch of hedges", (unit.name,)), bocage.breach_roll(ahead, unit)


def _shells(ahead: Position, unit: Stand) -> Told:
    """The attacks of the markers that come to cover a stand on its leg [7.4.3.4]."""
    origin, to = under_way(ahead).origin, under_way(ahead).to
    assert origin is not None
    assert to is not None
    met, place, found = known_to(ahead, unit), Fraction(0), list[tuple[Stand, Work]]()
    while place != 1:
        place = into_fire.next_place(ahead, Fraction(1))
        there = replace(unit, at=stopped(origin, to, place), facing=under_way(ahead).facing)
        found += [(there, work) for work in under(ahead, there) if work.id not in met]
        met |= known_to(ahead, there)
        ahead.change(unit.id, at=there.at, facing=there.facing)
        ahead.progress = replace(under_way(ahead), done=place.as_integer_ratio())
    yield from _strikes(ahead, found)


def _under_fire(sight: Position, unit: Stand, to: Point) -> Told:
    """The attacks of the markers under which a stand comes that is put at a place [7.4.3.4, 8.4.8]."""
    met, there = known_to(sight, unit), replace(unit, at=to)
    yield from _strikes(sight, ((there, work) for work in under(sight, there) if work.id not in met))


def _strikes(sight: Position, found: Iterable[tuple[Stand, Work]]) -> Told:
    """The attack of each marker; smoke makes none [7.4.7.1-1], but by one reading: RULINGS.md R122."""
    attacking = [(unit, work) for unit, work in found if work.kind == "impact" or sight.setting.has("R122")]
    for number, (unit, work) in enumerate(attacking, 1):
        yield Text("{}: marker {}, at {}", (unit.name, number, tenths(work.at))), attack_of(sight, work, unit)


ROLLS: Mapping[type[Action], Rolling] = {
    Order: _order,
    Move: _march,
    PassArmour: of_its_unit(nerve_roll),
    Load: _loading,
    Unload: _set_down,
    Launch: of_its_unit(water_roll),
    Ford: _fording,
    Disembark: _landing,
    HoldOn: of_its_unit(holding_roll),
    Retreat: _moved_to,
}
"""The rolls of each kind of action; those of a side that declines are told by `declined`."""
