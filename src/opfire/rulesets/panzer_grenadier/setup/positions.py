"""The first position of a scenario [2.3], and that of a case file."""

from __future__ import annotations

from typing import Any

import msgspec

from opfire.core.casefile import Case
from opfire.core.errors import BadInput
from opfire.core.scenario import Marker, Scenario
from opfire.kit import setup as kit
from opfire.rulesets.panzer_grenadier.charts import Kind, load_charts
from opfire.rulesets.panzer_grenadier.fire import offboard
from opfire.rulesets.panzer_grenadier.instructions import Sections, instructions
from opfire.rulesets.panzer_grenadier.movement.transport import cannot_carry
from opfire.rulesets.panzer_grenadier.pieces import (
    Army,
    Hex,
    Mine,
    Officer,
    Position,
    Setting,
    Side,
    Unit,
    overstacked,
)
from opfire.rulesets.panzer_grenadier.setup.roster import empty_setting, enlist, morale_of, must_limber
from opfire.rulesets.panzer_grenadier.sight import spotting
from opfire.space.layout import map_of


def first_position(made: Setting) -> Position:
    """Units waiting to be placed, units with a fixed hex in it, markers laid. Raises BadInput."""
    position = empty_position(made)
    for marker in made.scenario.markers:
        kit.check_hexes(made.map, marker.at, "markers")
        for hex in marker.at:
            lay_marker(position, marker, hex)
    for start in made.roster:
        position.units[start.unit.id] = start.unit
        if start.hex:
            _start_in(position, start.unit, start.hex)
    for side in made.scenario.sides:
        _start_aboard(position, side)
    return position


def empty_position(made: Setting) -> Position:
    """A position with an empty map."""
    armies = {side: Army(given.initiative) for side, given in made.instructions.sides.items()}
    position = Position(made, {}, {}, {}, {}, armies, {})
    for side in made.sides:
        offboard.renew(position, side)
    return position


def lay_marker(position: Position, marker: Marker, hex: Hex) -> None:
    """Put one marker down. Raises BadInput for an unknown marker."""
    match marker.kind:
        case "entrenchment":
            position.change_works(hex, entrenchment=True)
        case "wreck":
            position.change_works(hex, wrecks=position.work(hex).wrecks + 1)
        case "smoke":
            position.change_works(hex, smoke=(*position.work(hex).smoke, marker.side or position.setting.sides[0]))
        case "mines" if marker.value in ("0", "1", "2", "3"):
            mine = Mine(marker.side or position.setting.sides[0], int(marker.value))
            position.change_works(hex, mines=(*position.work(hex).mines, mine))
        case "mines":
            raise BadInput(f"mines of {marker.value!r}", "markers", "0 for a dummy, 1, 2 or 3")
        case "control":
            position.control[hex] = marker.side
        case _:
            raise BadInput(f"marker {marker.kind!r}", "markers", "entrenchment, mines, wreck, smoke or control")


def _start_in(position: Position, unit: Unit, hex: Hex) -> None:
    if refusal := overstacked(position, unit, hex):
        raise BadInput(refusal.sentence(), f"units of {unit.side}", "a set-up within the rules")
    position.put(unit.id, hex)
    spotting.hold(position, hex)


def _start_aboard(position: Position, side: Side) -> None:
    """Load each unit that the scenario sets up aboard a carrier [5.6]. Raises BadInput for a wrong carrier."""
    units = [(unit.id, unit.kind.id if unit.kind else "") for unit in position.pick(position.setting.ids[side])]
    for carrier, name in kit.carried(position.setting.scenario.sides[side].units, units, side):
        bearer, unit = position.pick((carrier, name))
        if refusal := cannot_carry(position, bearer, unit):
            raise BadInput(refusal.sentence(), f"units of {side}", "a set-up within the rules")
        limbered = unit.limbered or must_limber(unit.kind)
        position.change(name, limbered=limbered, hidden=bearer.hidden)  # 16.6: a passenger is in its carrier's hex
        position.load(carrier, name)


def arrange_position(scenario: Scenario, case: Case) -> Position:
    """The position that a case file describes; instructions left out are those of a plain fight. Raises BadInput."""
    sections = scenario.rest.read(Sections)
    told = sections.special.get("sides", {})
    plain = {"sides": {side: {"initiative": 3, **told.get(side, {})} for side in scenario.sides}}
    given = instructions({"year": 1943, **sections.special, **plain}, tuple(scenario.sides))
    board = map_of(sections.boards, sections.map)
    position = empty_position(empty_setting(scenario, given, board, load_charts()))
    position.turn, position.current = case.turn, case.side
    for marker in case.markers:
        kit.check_hexes(position.map, (marker.at,), case.name)
        lay_marker(position, Marker(marker.kind, (marker.at,), marker.side, marker.value), marker.at)
    for name, piece in case.units.items():
        _arrange_unit(position, case, name, piece.unit, piece.side, piece.at, dict(piece.values))
    kit.turn_over(position.stacks)
    for name, piece in case.units.items():
        if carrier := piece.values.get("carrier"):
            position.load(carrier, name)
    return position


_STATE = frozenset(Unit.__struct_fields__) - {"id", "side", "kind", "officer", "hex", "status", "carrier", "cargo"}
_OFFICER = {"rank", "leads", "combat", "bonus", "mounted"}


def _arrange_unit(
    position: Position, case: Case, name: str, kind_id: str, side: str, at: str, values: dict[str, Any]
) -> None:
    """A unit of a case: an id of units.csv, or `leader` with rank, `leads` (his morale), combat and bonus."""
    made = position.setting
    officer, kind = None, None
    if kind_id == "leader":
        rank = str(values.get("rank", "LT"))
        order = made.charts.ranks[rank].order
        numbers = (int(values.get("leads", 8)), int(values.get("combat", 0)), int(values.get("bonus", 0)))
        officer = Officer(order, rank, *numbers, bool(values.get("mounted")))
    else:
        kind = kit.kind_named(made.charts.kinds, kind_id, case.name)
        kind = msgspec.structs.replace(
            kind, **{k: v for k, v in values.items() if k in Kind.__struct_fields__ and k not in _STATE}
        )
        side = side or kit.side_of_nation(made.scenario.sides, kind.nation)
    side = side or made.sides[0]
    state = {key: value for key, value in values.items() if key in _STATE}
    known = {*state, *_OFFICER, *Kind.__struct_fields__, "carrier", "arrives", "entry"}
    kit.check_values(name, values, known, case.name)
    morale = morale_of(made, side, kind) if kind else (0, 0)
    unit = Unit(id=name, side=side, kind=kind, officer=officer, name=name, morale=morale, status="reserve")
    enlist(made, unit)
    position.units[name] = msgspec.convert({**msgspec.structs.asdict(unit), **state}, Unit)
    if "entry" in values:
        made.entries[name] = (int(values.get("arrives", 1)), tuple(values["entry"]))
    if at:
        kit.check_hexes(made.map, (at,), f"{case.name}: unit {name}")
        position.put(name, at)
        spotting.hold(position, at)
