"""The position of a case file: wrecks, control, units, formations; impossible positions are refused."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from typing import Literal, get_args

from msgspec.structs import replace

from opfire.core.actions import Refusal
from opfire.core.casefile import Case, Mark
from opfire.core.errors import BadInput
from opfire.core.scenario import Scenario
from opfire.kit import cases as kit
from opfire.kit.boards import check_hexes
from opfire.kit.setup import kind_named
from opfire.rulesets.panzer import escorts, hiding, initiative, stowed
from opfire.rulesets.panzer.air.gliders import OPTION as GLIDERS
from opfire.rulesets.panzer.air.gliders import is_glider
from opfire.rulesets.panzer.charts import Aircraft, Card, Grade
from opfire.rulesets.panzer.commands import not_for
from opfire.rulesets.panzer.formations import outfitted
from opfire.rulesets.panzer.indirect.kinds import Fall, Mission, Smoke
from opfire.rulesets.panzer.indirect.observers import source
from opfire.rulesets.panzer.moving.transport import no_room, pressed
from opfire.rulesets.panzer.pieces import (
    Company,
    Descent,
    Hex,
    Position,
    Setting,
    Side,
    Unit,
    UnitId,
    Where,
    WorkKind,
)
from opfire.rulesets.panzer.sections import Edge, Muster, Squadron
from opfire.rulesets.panzer.setup import closed, crowded, has_room, loaded, setting
from opfire.rulesets.panzer.sighting.spots import find_spots
from opfire.rulesets.panzer.victory import settle_control
from opfire.rulesets.panzer.works import obstacles
from opfire.rulesets.panzer.works.entrenching import occupy

NATIONS = {"Germany": "german", "Soviet Union": "soviet", "United States": "american", "United Kingdom": "british"}
"""The nation of a side in a scenario, by the nation of a Data Card."""

EDGES = get_args(Edge)
"""The edges of the map, each of them a possible Arrival Area [7.44.2]."""

WORKS = (*obstacles.KINDS, "dust")
MARKERS = ("KO", "BU", "control", "smoke", "hidden unit", *WORKS)

_PRINTED_NOT = ("id", "nation", "name", "source", "rule")
_STATE = {
    **kit.types_of(Unit, "id", "side", "kind", "hex", "status", "facing"),
    "facing": Literal[0, 1, 2, 3, 4, 5],
    "command": Literal["no command", "fire", "move", "short halt", "overwatch"],
    "status": Where,
    "spotters": tuple[str, ...],
    "edges": tuple[Edge, ...],
    "abandoned": bool,
}
APART = ("status", "spotters", "edges", "abandoned")
"""The values of a unit that the position keeps elsewhere, or that hold with its hex."""


def arrange_position(scenario: Scenario, case: Case) -> Position:
    """The position that a case file describes; each side has spotted what it can. Raises BadInput."""
    made = setting(scenario)
    position = Position(made, {}, {}, {}, {}, {}, case.turn, case.side, batteries=made.batteries.copy())
    made.planes.clear()
    for name in case.units:
        _arrange_unit(position, case, name)
    if made.advanced:
        _muster(position, case)
    _hide(position, case)
    for carrier, passenger in kit.passengers(case, lambda name: position.units[name].side):
        if is_glider(position.units[carrier]):
            _load(position, case, carrier, passenger)
        else:
            position.change(passenger, hex=None, status="mounted", carrier=carrier, transport=carrier)
    _share(position, case)
    kit.refuse(case, _impossible(position))
    _name_order(position, case)
    _lay_markers(position, case)
    for unit in [*position.units.values()]:
        if unit.hex is not None:
            occupy(position, unit)
    _lay_fire(position, case)
    _write_plots(position, case)
    settle_control(position)
    position.spots = find_spots(position)
    _spot(position, case)
    return position


def _share(position: Position, case: Case) -> None:
    """The unit whose command others use shares with itself, unless the case says otherwise; a vehicle covers men.

    Rules: [6.2.1.1.3, 7.49-cond].
    """
    for leader in sorted({unit.shares for unit in position.units.values() if unit.shares in case.units}):
        if "shares" not in case.units[leader].values:
            position.change(leader, shares=leader)
        escorts.assign(position, [unit.id for unit in position.units.values() if unit.shares == leader])


def _muster(position: Position, case: Case) -> None:
    """The units of a side that name no formation are one, of the grade of the side or else of its units [5.8].

    The case may describe formations by their names. Raises BadInput for one without units.
    """
    made = position.setting
    listed = made.sections.formations
    used = {values["formation"] for piece in case.units.values() if "formation" in (values := piece.values)}
    if unknown := next((name for name in listed if name not in (*used, *made.sides)), None):
        raise case.fault(
            f"no unit is of the formation {unknown!r}", "a side, or the formation of a unit", "formations", unknown
        )
    for side in made.sides:
        for unit in position.pick(made.ids[side]):
            if unit.flight is None:
                position.change(unit.id, formation=unit.formation or side)
        members = [unit for unit in position.pick(made.ids[side]) if unit.flight is None]
        for name in {side, *(unit.formation for unit in members)}:
            grades = {unit.grade for unit in members if unit.formation == name}
            alike = made.grade(side) == "seasoned" and len(grades) == 1
            grade = grades.pop() if alike else made.grade(side)
            made.formations[name] = _company(position, case, side, name, grade, listed.get(name, Muster()))


def _company(position: Position, case: Case, side: Side, name: str, grade: Grade, muster: Muster) -> Company:
    """A formation as the case describes it [5.8.2, 7.1.1, 7.48]. Raises BadInput for an unknown cohesion or army."""
    charts = position.charts
    for word, known in ((muster.cohesion, charts.cohesion), (muster.army, {"": None, **charts.cohesion_modifiers})):
        if word not in known:
            raise case.fault(f"formation {name}: {word!r}", ", ".join(filter(None, known)), "formations", name)
    delay = muster.delay if "7.48" in position.setting.options else 0
    return Company(side, name, muster.grade or grade, muster.cohesion, muster.army, delay)


def _hide(position: Position, case: Case) -> None:
    """Units under HIDDEN UNIT counters, fake ones, and paratroops over their Drop Zone [7.2.1, 7.44.1].

    Raises BadInput.
    """
    options = position.setting.options
    for name, piece in case.units.items():
        unit = position.units[name]
        if unit.flight is not None or unit.status not in ("hidden", "aloft"):
            continue
        needed = hiding.OPTION if unit.status == "hidden" else "7.44.1"
        if not piece.at or needed not in options:
            raise case.fault(
                f"{name} is {unit.status}", f'its hex, and options = ["AG", "{needed}"]', "units", name, "status"
            )
        if unit.status == "hidden":
            hiding.lurk(position, name, piece.at)
        else:
            position.descents[name] = Descent(position.turn, piece.at)
    for marker in case.markers:
        if marker.kind == "hidden unit":
            for hex in marker.at.split():
                hiding.bluff(position, marker.side or position.setting.sides[0], hex)
    for side in position.setting.sides:
        hiding.lay(position, side)


def _load(position: Position, case: Case, glider_id: UnitId, passenger: UnitId) -> None:
    """Put a unit aboard a glider in the air, if there is room [7.44.2.1]. Raises BadInput."""
    made = position.setting
    made.loads[glider_id] = (*made.loads.get(glider_id, ()), passenger)
    position.change(passenger, hex=None, status="aloft", carrier=None)
    cards = [position.units[name].kind for name in made.loads[glider_id]]
    riders = [card for card in cards if not isinstance(card, Aircraft)]
    if len(riders) < len(cards) or not has_room(position.units[glider_id].aircraft, riders):
        with case.at("units", passenger, "carrier"):
            raise crowded(position.units[glider_id].aircraft, made.loads[glider_id], passenger)


def _name_order(position: Position, case: Case) -> None:
    """The formations that have had the initiative in this turn; the last of them fires [7.42.1]. Raises BadInput."""
    named = position.setting.sections.order
    if named and not initiative.staggered(position):
        raise case.fault("order = [...] without Staggered Initiative", 'options = ["AG", "7.42"]', "order")
    known = [group for side in position.setting.sides for group in initiative.groups(position, side)]
    if strange := next((group for group in named if group not in known), None):
        raise case.fault(f"there is no formation {strange!r}", ", ".join(known), "order")
    position.order = named


def _spot(position: Position, case: Case) -> None:
    """The enemies that spotted a unit in the Spotting Phase, if the case names them [4.1.1]. Raises BadInput."""
    for name, piece in case.units.items():
        if "spotters" in piece.values:
            spotters = tuple(piece.values["spotters"])
            foes = [unit.id for unit in position.units.values() if unit.side != position.units[name].side]
            if strange := next((spotter for spotter in spotters if spotter not in foes), None):
                raise case.fault(f"{strange!r} does not spot {name}", ", ".join(foes), "units", name, "spotters")
            position.spots[name] = spotters


def _lay_markers(position: Position, case: Case) -> None:
    for at, marker in enumerate(case.markers):
        hexes = tuple(marker.at.split())
        with case.at("markers", at):
            check_hexes(position.map, hexes or (marker.at,), "markers")
            kit.check_kind(marker.kind, MARKERS)
        kit.check_side(case, marker.side, ("", *position.setting.sides), "markers", at, "side")
        if marker.kind == "hidden unit":
            continue  # 7.2.1: laid with the units that hide
        if marker.kind == "smoke":
            words = marker.value.split()
            one = Smoke(hexes, "open" not in words, on="off" not in words, fresh=False)
            position.smoke = (*position.smoke, one)
            continue
        for hex in hexes:
            _lay(position, marker, hex)


def _lay(position: Position, marker: Mark, hex: Hex) -> None:
    """Lay a marker of the case on one of its hexes."""
    match marker.kind:
        case "KO" | "BU":
            position.wrecks[hex] = "BU" if marker.kind == "BU" else "KO"
        case "control":
            position.control[hex] = marker.side or position.setting.sides[0]
        case kind:
            value = marker.value or ("on" if kind == "dust" else "")
            work = obstacles.laid(work_kind(kind), marker.side, value)
            position.rework(hex, (*position.works.get(hex, ()), work))
            if work.kind == "ditch":
                position.setting.dig(hex)


def work_kind(kind: str) -> WorkKind:
    """The kind of work that a marker names."""
    return next(known for known in get_args(WorkKind) if known == kind)


def _lay_fire(position: Position, case: Case) -> None:
    """The indirect fire of earlier turns that lies on the map [6.5.1.8]. Raises BadInput."""
    for at, laid in enumerate(position.setting.sections.missions):
        with case.at("missions", at):
            check_hexes(position.map, (laid.at,), "missions")
            from_ = source(position, laid.firer)
            if from_ is None:
                raise BadInput(f"{laid.firer!r} fires nothing indirectly", expected=", ".join(position.batteries))
            if laid.observer and laid.observer not in position.units:
                raise BadInput(f"there is no unit {laid.observer!r}", expected=", ".join(position.units))
        fall = Fall(laid.at, laid.rounds, laid.sheaf if from_.guns else "point", laid.toward)
        position.missions[laid.firer] = Mission(
            firer=laid.firer,
            side=from_.side,
            fall=fall,
            observer=laid.observer,
            since=position.turn - 1,
            fresh=False,
            astray=laid.astray,
            band=laid.band,
        )


def _write_plots(position: Position, case: Case) -> None:
    """The Pre-Registered Points and the Planned Fire of batteries [6.5.1.4, 6.5.1.11.1]. Raises BadInput."""
    for at, plot in enumerate(position.setting.sections.plots):
        with case.at("plots", at):
            check_hexes(position.map, (plot.at,), "plots")
            kit.check_kind(plot.firer, position.batteries)
        guns = position.batteries[plot.firer]
        if not plot.turn:
            position.batteries[guns.id] = replace(guns, points=(*guns.points, plot.at))
            continue
        fall = Fall(plot.at, plot.rounds, plot.sheaf, plot.toward)
        position.batteries[guns.id] = replace(guns, plan=(*guns.plan, fall), arrives=guns.arrives or plot.turn)


def _side_of(made: Setting, case: Case, unit_id: UnitId, kind: Card) -> Side:
    nation = NATIONS.get(kind.nation, kind.nation)
    return case.units[unit_id].side or kit.side_of_nation(made.scenario.sides, nation)


def _arrange_unit(position: Position, case: Case, unit_id: UnitId) -> None:
    """Make a unit of the case, and bring it to its hex. Raises BadInput."""
    piece, made = case.units[unit_id], position.setting
    kind = _card(case, made, unit_id)
    printed = kit.types_of(type(kind), *_PRINTED_NOT)
    values = kit.checked(case, unit_id, {**printed, **_STATE})
    kind = replace(kind, **{key: value for key, value in values.items() if key in printed})
    if "tr_leg" not in values:
        kind = pressed(kind, made.options)  # 7.38.4
    side = _side_of(made, case, unit_id, kind)
    made.ids[side] = (*made.ids[side], unit_id)
    state = {key: value for key, value in values.items() if key in _STATE and key not in APART}
    state["carrier"] = state.get("carrier") or None
    status = values.get("status", "eliminated")
    unit = Unit(id=unit_id, side=side, kind=kind, name=unit_id, facing=made.facing(side), status=status)
    position.units[unit_id] = replace(outfitted(unit) if made.advanced else unit, **state)
    with case.at("units", unit_id, "at"):
        check_hexes(made.map, filter(None, (piece.at,)), f"unit {unit_id}")
    if isinstance(kind, Aircraft):
        _launch(position, case, position.units[unit_id], kind)
    elif values.get("abandoned"):
        position.bailed[unit_id] = piece.at  # 6.6.1.1.3-bail
    elif piece.at and values.get("status") not in ("hidden", "aloft"):
        position.put(unit_id, piece.at, depot=values.get("depot", piece.at))
    for card in stowed.kept_in(made, position.units[unit_id]):
        part = stowed.stow(position.units[unit_id], card, f"{unit_id} {card.id}")
        position.units[part.id] = part
        made.ids[side] = (*made.ids[side], part.id)


def _card(case: Case, made: Setting, unit_id: UnitId) -> Card:
    """The Data Card of a unit. Raises BadInput for an unknown one, and for all but vehicles in the Basic Game."""
    name = case.units[unit_id].unit
    cards: dict[str, Card] = {**made.charts.cards, **made.charts.aircraft}
    if name in cards and name not in made.charts.vehicles and not made.advanced:
        raise case.fault(f"{name} is no vehicle", 'options = ["AG"]', "units", unit_id, "unit")
    meant = get_close_matches(name, cards, 3) or ["an id of vehicles.csv, legs.csv, guns.csv or aircraft.csv"]
    with case.at("units", unit_id, "unit"):
        return kind_named(cards, name, "units", ", ".join(meant))


def _launch(position: Position, case: Case, unit: Unit, card: Aircraft) -> None:
    """Bring an aircraft of a case over its hex, or beside the map; stores that its flight does not name are full.

    It may come by any edge unless the case names them [6.7.2.1, 7.44.2]. Raises BadInput.
    """
    made, piece = position.setting, case.units[unit.id]
    named = piece.values.get("flight", {})
    flight = full = loaded(card, "rockets" if "rockets" in named and "bombs" not in named else "bombs")
    if unit.flight is not None:
        stores = {name: getattr(full, name) for name in ("strafes", "bombs", "rockets") if name not in named}
        flight = replace(unit.flight, **stores)
    if is_glider(unit) and GLIDERS not in made.options:
        raise case.fault(f"{unit.id} is a glider", f'options = ["AG", "{GLIDERS}"]', "units", unit.id)
    if hex := piece.at:
        path = flight.path or ((hex, unit.facing),)
        turn = position.turn
        flight = replace(flight, hex=hex, path=path, first=flight.first or turn, last=turn)
    position.change(unit.id, status="aloft", flight=flight)
    made.planes[unit.id] = position.units[unit.id]
    edges = tuple(piece.values.get("edges", EDGES if is_glider(unit) else ()))
    made.squadrons[unit.id] = Squadron(card.id, edges=edges)


def _impossible(position: Position) -> Iterator[tuple[UnitId, str, Refusal | None]]:
    """Vehicles on closed ground or among enemies, passengers without room, commands that are not for such units.

    Rules: [4.5.1.1.10, 6.6.7.1-cap, 6.1.4.2-a].
    """
    for unit in position.units.values():
        yield unit.id, "command", not_for(position, unit, unit.command)
        if unit.hex is not None:
            yield unit.id, "at", closed(position, unit, unit.hex)
        if unit.carrier is not None:
            others = [other for other in position.aboard(unit.carrier) if other.id != unit.id]
            yield unit.id, "carrier", no_room(position.units[unit.carrier], others, unit)
