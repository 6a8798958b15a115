"""The position of a case file: markers, units, leaders, aircraft; positions that no rule allows are refused."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from opfire.core.actions import Refusal
from opfire.core.casefile import Case
from opfire.core.scenario import Marker, Scenario
from opfire.kit import cases as kit
from opfire.kit.boards import check_hexes
from opfire.kit.setup import kind_named
from opfire.rulesets.panzer_grenadier.charts import Aircraft, Charts, Kind, load_charts
from opfire.rulesets.panzer_grenadier.instructions import Plane, Sections, instructions
from opfire.rulesets.panzer_grenadier.movement.transport import carries_nobody
from opfire.rulesets.panzer_grenadier.pieces import Officer, Position, Setting, Side, Unit, UnitId, overstacked
from opfire.rulesets.panzer_grenadier.setup.positions import empty_position, lay_marker
from opfire.rulesets.panzer_grenadier.setup.roster import empty_setting, enlist, morale_of
from opfire.rulesets.panzer_grenadier.sight import spotting
from opfire.space.layout import map_of

_COUNTS: kit.Types = dict.fromkeys(("shots", "work", "worked", "afloat", "assisted"), Annotated[int, Meta(ge=0)])
_STATE = {
    **kit.types_of(Unit, "id", "side", "kind", "officer", "hex", "status", "carrier", "cargo"),
    **_COUNTS,
    "dug_in": Annotated[int, Meta(ge=0, le=2)],
}
_PRINTED = kit.types_of(Kind, *_STATE)
_OFFICER: kit.Types = {"rank": str, "leads": int, "combat": int, "bonus": int, "mounted": bool}
_ELSEWHERE: kit.Types = {
    "carrier": str,
    "arrives": int,
    "entry": tuple[str, ...],
    "at_value": kit.types_of(Kind)["at"],
}
_KNOWN: kit.Types = {**_PRINTED, **_OFFICER, **_STATE, **_ELSEWHERE}


def arrange_position(scenario: Scenario, case: Case) -> Position:
    """The position that a case file describes; instructions left out are those of a plain fight. Raises BadInput."""
    sections = scenario.rest.read(Sections)
    told = sections.special.get("sides", {})
    if not isinstance(told, Mapping) or not all(isinstance(table, Mapping) for table in told.values()):
        raise case.fault("special.sides is no table of sides", "[special.sides.german]", "special")
    _check_sides(told, case)
    plain = {"sides": {side: {"initiative": 3, **told.get(side, {})} for side in scenario.sides}}
    given = instructions({"year": 1943, **sections.special, **plain}, tuple(scenario.sides))
    board = map_of(sections.boards, sections.map)
    position = empty_position(empty_setting(scenario, given, board, _charts(sections.aircraft, case)))
    kit.arrange(position, case, _lay_markers, _arrange_unit)
    for carrier, name in kit.passengers(case, lambda unit_id: position.units[unit_id].side):
        position.load(carrier, name)
    kit.refuse(case, _impossible(position))
    _count_segments(position, case, sections.segments)
    for name, plane in sections.aircraft.items():
        side = plane.side or case.side
        position.change_army(side, aircraft=(*position.armies[side].aircraft, name))
    return position


def _check_sides(told: Mapping[str, Any], case: Case) -> None:
    """Reject instructions for a side that the case does not have. Raises BadInput."""
    for side in told:
        kit.check_side(case, side, case.scenario.sides, "special", "sides", side)


def _charts(planes: Mapping[str, Plane], case: Case) -> Charts:
    """The charts, with the aircraft of the case beside the printed pieces; those are not drawn [15.11]."""
    charts = load_charts()
    if planes:
        charts = copy.copy(charts)
        charts.aircraft = {**charts.aircraft, **{name: _plane(charts, case, name, planes[name]) for name in planes}}
    return charts


def _plane(charts: Charts, case: Case, name: str, plane: Plane) -> Aircraft:
    with case.at("aircraft", name):
        printed = kind_named(charts.aircraft, plane.unit, "aircraft", "an id of aircraft.csv")
    kit.check_side(case, plane.side, ("", *case.scenario.sides), "aircraft", name, "side")
    direct = printed.direct if plane.direct is None else plane.direct
    at = printed.at if plane.at_value is None else plane.at_value
    return replace(printed, id=name, piece=name, nation="", name=name, direct=direct, at=at)


def _count_segments(position: Position, case: Case, segments: Mapping[Side, int]) -> None:
    """The segments that each side has had this turn."""
    for side, number in segments.items():
        kit.check_side(case, side, position.setting.sides, "segments", side)
        position.change_army(side, segments=number)


def _lay_markers(position: Position, case: Case) -> None:
    sides = position.setting.sides
    for at, marker in enumerate(case.markers):
        with case.at("markers", at):
            check_hexes(position.map, (marker.at,), "markers")
            if marker.kind in ("mines", "control") and not marker.side:
                raise case.fault(f"{marker.kind} without a side", " or ".join(sides), "markers", at)
            kit.check_side(case, marker.side, ("", *sides), "markers", at, "side")
            lay_marker(position, Marker(marker.kind, (marker.at,), marker.side, marker.value), marker.at)


def _arrange_unit(position: Position, case: Case, unit_id: UnitId) -> None:
    """A unit of a case: an id of units.csv, or `leader` with rank, `leads` (his morale), combat and bonus."""
    piece, made = case.units[unit_id], position.setting
    values = kit.checked(case, unit_id, _KNOWN)
    with case.at("units", unit_id):
        unit = _unit(made, case, unit_id, values)
    enlist(made, unit)
    position.units[unit_id] = unit
    for key, hexes in (("entry", values.get("entry", ())), ("bank", (values.get("bank"),))):
        with case.at("units", unit_id, key):
            check_hexes(made.map, (hex for hex in hexes if hex), f"unit {unit_id}")
    if "entry" in values:
        made.entries[unit_id] = (values.get("arrives", 1), values["entry"])
    if piece.at:
        with case.at("units", unit_id, "at"):
            check_hexes(made.map, (piece.at,), f"unit {unit_id}")
        position.put(unit_id, piece.at)
        spotting.hold(position, piece.at)


def _unit(made: Setting, case: Case, unit_id: UnitId, values: Mapping[str, Any]) -> Unit:
    """The unit itself; that of a nation without a side is the first side's."""
    piece = case.units[unit_id]
    officer = _officer(made, case, unit_id, values) if piece.unit == "leader" else None
    kind = None if officer else _kind(made, case, unit_id, values)
    side = piece.side or (kit.side_of_nation(made.scenario.sides, kind.nation) if kind else made.sides[0])
    morale = morale_of(made, side, kind) if kind else (0, 0)
    unit = Unit(id=unit_id, side=side, kind=kind, officer=officer, name=unit_id, morale=morale, status="reserve")
    return replace(unit, **{key: value for key, value in values.items() if key in _STATE})


def _kind(made: Setting, case: Case, unit_id: UnitId, values: Mapping[str, Any]) -> Kind:
    """The counter, with the values that the case prints on it; `at` is its hex, so `at_value` is anti-tank fire's."""
    kind = kind_named(made.charts.kinds, case.units[unit_id].unit, "units", "an id of units.csv, or leader")
    printed = {key: value for key, value in values.items() if key in _PRINTED}
    return replace(kind, **printed, **({"at": values["at_value"]} if "at_value" in values else {}))


def _officer(made: Setting, case: Case, unit_id: UnitId, values: Mapping[str, Any]) -> Officer:
    rank = values.get("rank", "LT")
    if rank not in made.charts.ranks:
        raise case.fault(f"unit {unit_id}: rank {rank!r}", ", ".join(made.charts.ranks), "units", unit_id, "rank")
    order, leads = made.charts.ranks[rank].order, values.get("leads", 8)
    return Officer(order, rank, leads, values.get("combat", 0), values.get("bonus", 0), values.get("mounted", False))


def _impossible(position: Position) -> Iterator[tuple[UnitId, str, Refusal | None]]:
    """The units too many in a hex [4.5], and those aboard a unit that carries nobody [5.6].

    Leaders may ride with units that are no transports.
    """
    for hex in position.stacks:
        for unit in position.at(hex):
            yield unit.id, "at", overstacked(position, unit, hex)
            aboard = [name for name in unit.cargo if not position.units[name].leader]
            yield from ((name, "carrier", carries_nobody(unit)) for name in aboard)
