"""The position of a case file: its markers, units and passengers; positions that no rule allows are refused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec
from msgspec.structs import replace

from opfire.core.actions import PROCEDURE, Refusal
from opfire.core.casefile import Case
from opfire.core.scenario import Marker, Scenario
from opfire.kit import cases as kit
from opfire.kit.boards import check_hexes
from opfire.kit.setup import kind_named
from opfire.rulesets.case_orange.carrying import carries_nobody
from opfire.rulesets.case_orange.charts import Kind
from opfire.rulesets.case_orange.groups import group, name_groups
from opfire.rulesets.case_orange.pieces import Hex, Position, Side, Unit, UnitId, crowded, stacked_points
from opfire.rulesets.case_orange.setup import (
    empty_position,
    lay_marker,
    note_holds,
    setting_without_groups,
    works_missing,
)

_PRINTED = kit.types_of(Kind, "name")
_STATE = kit.types_of(Unit, "id", "side", "kind", "hex", "status", "carrier", "cargo")
_ELSEWHERE: kit.Types = {
    "carrier": str,
    "registered": str,
    "arrives": int,
    "entry": tuple[str, ...],
    "status": Literal["on the map", "to place", "reserve", "eliminated", "exited"],
}


def arrange_position(scenario: Scenario, case: Case) -> Position:
    """The position that a case file describes. Raises BadInput."""
    made = setting_without_groups(scenario)
    position = empty_position(made)
    kit.arrange(position, case, _lay_markers, _arrange_unit)
    for carrier, name in kit.passengers(case, lambda unit_id: position.units[unit_id].side):
        if position.units[carrier].cargo is not None:
            raise case.fault(f"{carrier} carries two units", "one", "units", name, "carrier")
        position.load(carrier, name)
        position.change(name, locked=bool(case.units[name].values.get("locked")))
    units = list(position.units.values())
    for at, given in enumerate(made.sections.indirect):
        with case.at("indirect", at):
            group(made, given, units)
    name_groups(made, units)
    kit.refuse(case, _impossible(position))
    return position


def _lay_markers(position: Position, case: Case) -> None:
    for at, (marker, room) in enumerate(zip(case.markers, position.setting.sections.markers, strict=True)):
        with case.at("markers", at):
            check_hexes(position.map, (marker.at,), "markers")
            if marker.kind == "mines" and not marker.side:
                raise case.fault("mines without a side", "side = the side that laid them", "markers", at)
            if (marker.kind, marker.side) != ("fort", "breached"):
                kit.check_side(case, marker.side, ("", *position.setting.sides), "markers", at, "side")
            side = marker.side or (_diggers(position, case, marker.at) if marker.kind == "dug-in" else "")
            note_holds(position.setting, (marker.at,), room)
            lay_marker(position, Marker(marker.kind, (marker.at,), side, marker.value), room, marker.at)


def _diggers(position: Position, case: Case, hex: Hex) -> Side:
    """The side of a dug-in marker whose table names none: that of a unit below it, if there is one."""
    below = [name for name, piece in case.units.items() if piece.at == hex and piece.values.get("below") == "dug-in"]
    return _side_of(position, case, below[0]) if below else ""


def _side_of(position: Position, case: Case, unit_id: UnitId) -> Side:
    kind = kind_named(position.charts.kinds, case.units[unit_id].unit, f"unit {unit_id}")
    return case.units[unit_id].side or kit.side_of_nation(position.setting.scenario.sides, kind.nation)


def _arrange_unit(position: Position, case: Case, unit_id: UnitId) -> None:
    piece, made = case.units[unit_id], position.setting
    with case.at("units", unit_id, "unit"):
        kind = kind_named(position.charts.kinds, piece.unit, "units")
    values = kit.checked(case, unit_id, {**_PRINTED, **_STATE, **_ELSEWHERE})
    kind = replace(kind, **{key: value for key, value in values.items() if key in _PRINTED})
    state = {key: value for key, value in values.items() if key in _STATE}
    side = _side_of(position, case, unit_id)
    made.ids[side] = (*made.ids[side], unit_id)
    unit = Unit(id=unit_id, side=side, kind=kind, name=str(state.pop("name", unit_id)), status="reserve")
    position.units[unit_id] = msgspec.structs.replace(unit, **state)
    for key, hexes in (("entry", values.get("entry", ())), ("registered", (values.get("registered"),))):
        with case.at("units", unit_id, key):
            check_hexes(made.map, (hex for hex in hexes if hex), key)
    if "entry" in values:
        made.entries[unit_id] = (values.get("arrives", 1), values["entry"])
    if piece.at:
        with case.at("units", unit_id, "at"):
            check_hexes(made.map, (piece.at,), f"unit {unit_id}")
        below = position.units[unit_id].below
        position.put(unit_id, piece.at)
        position.change(unit_id, below=below)
    if registered := values.get("registered"):
        position.registered[unit_id] = registered


# --- positions that no rule allows ------------------------------------------------------------------------------------


def _impossible(position: Position) -> Iterator[tuple[UnitId, str, Refusal | None]]:
    """The reasons against a position.

    These are enemies in a hex, more than fit, a unit below works that are not there, one aboard what carries nobody.
    """
    for hex, stack in position.stacks.items():
        first = position.units[stack[0]]
        for unit in position.at(hex):
            yield unit.id, "at", None if unit.side == first.side else _shared(hex)
        for unit in position.at(hex):
            yield unit.cargo or "", "carrier", carries_nobody(unit) if unit.cargo else None
        for unit in position.at(hex):
            yield unit.id, "below", works_missing(position, unit, hex, unit.below)
        yield first.id, "at", _too_many(position, hex)


def _shared(hex: Hex) -> Refusal:
    return Refusal("Units of both sides are in {}", PROCEDURE, (hex,))


def _too_many(position: Position, hex: Hex) -> Refusal | None:
    """Reject more stacking points than a hex holds [7.1], or than fit above or below its fortification [10.4.7]."""
    if not crowded(position, hex):
        return None
    points, rule = stacked_points(position, hex), "10.4.7" if position.fort(hex) else "7.1"
    return Refusal("{} stacking points in {} are more than fit", rule, (points, hex))
