"""The position of a case file: its works, smoke, stands and passengers; impossible positions are refused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec.structs import replace

from opfire.core.actions import PROCEDURE, Refusal
from opfire.core.casefile import Case, Mark
from opfire.core.places import INCH, Point
from opfire.core.scenario import Marker, Scenario
from opfire.kit import cases as kit
from opfire.kit.setup import kind_named
from opfire.rulesets.panzerblitz_miniatures.airpower.armament import arms
from opfire.rulesets.panzerblitz_miniatures.charts import Kind
from opfire.rulesets.panzerblitz_miniatures.fire.bombardment import structure_called
from opfire.rulesets.panzerblitz_miniatures.fire.missions import INDIRECT, Cloud, Mission
from opfire.rulesets.panzerblitz_miniatures.moving.cavalry import dismounted, no_cavalry
from opfire.rulesets.panzerblitz_miniatures.moving.occupation import move_in
from opfire.rulesets.panzerblitz_miniatures.moving.transport import no_room
from opfire.rulesets.panzerblitz_miniatures.pieces import Position, Side, Stand, UnitId
from opfire.rulesets.panzerblitz_miniatures.sections import Recorded, Spread
from opfire.rulesets.panzerblitz_miniatures.setup import (
    WORKS,
    anti_tank_shots,
    bare_setting,
    board,
    flamethrower_shots,
    lay,
    unfit,
)
from opfire.rulesets.panzerblitz_miniatures.victory import settle_control
from opfire.space.terrain.shapes import block

_PRINTED = kit.types_of(Kind, "id", "name", "nation", "period", "source", "rule")
_STATE = kit.types_of(
    Stand, "id", "side", "kind", "at", "status", "carrier", "cargo", "fired_at", "flown", "spent", "gone", "rode"
)
_ELSEWHERE: kit.Types = {
    "carrier": str,
    "arrives": int,
    "dismounted": bool,
    "entry": tuple[str, ...],
    "status": Literal["on the table", "off-board", "reserve", "eliminated", "exited"],
}


def arrange_position(scenario: Scenario, case: Case) -> Position:
    """The position that a case file describes. Raises BadInput."""
    made = bare_setting(scenario)
    position = Position(made, {}, {}, {}, {}, case.turn, case.side)
    for at, (marker, spread) in enumerate(zip(case.markers, made.sections.markers, strict=True)):
        kit.check_side(case, marker.side, ("", *made.sides), "markers", at, "side")
        with case.at("markers", at):
            _lay(position, marker, spread)
    for name in case.units:
        _arrange_unit(position, case, name)
    for carrier, name in kit.passengers(case, lambda unit_id: position.units[unit_id].side):
        kit.refuse(case, [(name, "carrier", no_room(position, position.units[name], position.units[carrier]))])
        board(position, carrier, name)
    kit.refuse(case, _impossible(position))
    position.plots = tuple(_recorded(position, case, at, each) for at, each in enumerate(made.sections.missions))
    settle_control(position)
    return position


# --- works and smoke ------------------------------------------------------------------------------------------


def _lay(position: Position, marker: Mark, spread: Spread) -> None:
    """Lay a marker of the case; a work is called by its kind and point. Raises BadInput."""
    made = position.setting
    at = made.table.parse(marker.at, "markers")
    if marker.kind == "smoke":
        side = round(spread.size * INCH)
        cloud = Cloud(marker.side or made.sides[0], block(at, (side, side), 0), 2 if marker.value == "2" else 1)
        position.clouds = (*position.clouds, cloud)
        return
    kit.check_kind(marker.kind, (*WORKS, "smoke"))
    position.lay(lay(made, Marker(marker.kind, (marker.at,), marker.side), at, f"{marker.kind}@{marker.at}"))


# --- stands ---------------------------------------------------------------------------------------------------


def _side_of(position: Position, case: Case, unit_id: UnitId) -> Side:
    kind = kind_named(position.charts.kinds, case.units[unit_id].unit, f"unit {unit_id}")
    return case.units[unit_id].side or kit.side_of_nation(position.setting.scenario.sides, kind.nation)


def _arrange_unit(position: Position, case: Case, unit_id: UnitId) -> None:
    """Make a stand of the case, and bring it to its place. Raises BadInput."""
    piece, made = case.units[unit_id], position.setting
    with case.at("units", unit_id, "unit"):
        kind = kind_named(position.charts.kinds, piece.unit, "units")
    values = kit.checked(case, unit_id, {**_PRINTED, **_STATE, **_ELSEWHERE})
    kind = replace(kind, **{key: value for key, value in values.items() if key in _PRINTED})
    state = {key: value for key, value in values.items() if key in _STATE}
    side = _side_of(position, case, unit_id)
    made.ids[side] = (*made.ids[side], unit_id)
    usual = {
        "facing": made.doctrine(side).facing,
        "missiles": kind.missile_shots,
        "anti_tank": anti_tank_shots(made.doctrine(side), kind),
        "flames": flamethrower_shots(made.doctrine(side), kind),
        "arms": arms(made, side, kind),
    }
    shown = {"name": unit_id, **usual, **state}
    position.units[unit_id] = Stand(id=unit_id, side=side, kind=kind, status=values.get("status", "reserve"), **shown)
    if values.get("dismounted"):
        kit.refuse(case, [(unit_id, "dismounted", no_cavalry(position.units[unit_id]))])
        dismounted(position, unit_id)
    if "entry" in values:
        made.entries[unit_id] = (values.get("arrives", 1), values["entry"])
    if piece.at:
        with case.at("units", unit_id, "at"):
            at = made.table.parse(piece.at, "")
        position.put(unit_id, at)
        if not {"work", "floor"}.intersection(values):
            move_in(position, unit_id)


# --- recorded missions ----------------------------------------------------------------------------------------


def _recorded(position: Position, case: Case, at: int, said: Recorded) -> Mission:
    """A mission that was recorded before the case begins [NEU-4]. Raises BadInput."""
    for field in ("unit", "spotter"):
        if getattr(said, field) not in position.units:
            what = f"there is no unit {getattr(said, field)!r}"
            raise case.fault(what, ", ".join(position.units), "missions", at, field)
    unit = position.units[said.unit]
    if unit.kind.weapon not in INDIRECT:
        raise case.fault(f"{unit.name} fires nothing indirectly", "a unit of class M or (H)", "missions", at, "unit")
    due = said.due or case.turn
    written = due - (2 if said.task == "destruction" else 1)
    place = _aim(position, case, at, said)
    return Mission(
        unit.side, unit.id, said.task, place, said.spotter, said.shape, said.facing, written, due, said.target
    )


def _aim(position: Position, case: Case, at: int, said: Recorded) -> Point:
    """The point of a recorded mission: the one that is named, or the place of its target. Raises BadInput."""
    if said.at:
        with case.at("missions", at, "at"):
            return position.setting.table.parse(said.at, "")
    target = position.units.get(said.target)
    aim = structure_called(position, said.target)
    place = target.at if target else aim.at if aim else None
    if place is None:
        what = f"there is no target {said.target!r} on the table"
        raise case.fault(what, "a unit, a fortification or a bridge, or a place (at)", "missions", at, "target")
    return place


# --- positions that no rule allows ----------------------------------------------------------------------------


def _impossible(position: Position) -> Iterator[tuple[UnitId, str, Refusal | None]]:
    """The reasons against a position: stands on each other, on closed ground, in works that are not there."""
    for unit in position.units.values():
        if unit.at is not None and unit.carrier is None:
            yield unit.id, "at", unfit(position, unit, unit.at)
        yield unit.id, "work", _no_such_work(position, unit)


def _no_such_work(position: Position, unit: Stand) -> Refusal | None:
    """Reject a stand in a work that does not lie where it stands."""
    if not unit.work or (unit.work in position.works and position.works[unit.work].at == unit.at):
        return None
    if unit.work not in position.works:
        known = ", ".join(position.works) or "none"
        return Refusal("There is no work {}; the works are {}", PROCEDURE, (unit.work, known))
    return Refusal("{} is not at {}", PROCEDURE, (unit.name, unit.work))
