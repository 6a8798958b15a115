"""The position of a case file: its works, stands and cargo; impossible positions are refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, Literal

from msgspec.structs import replace

from opfire.core.actions import Refusal
from opfire.core.casefile import Case
from opfire.core.errors import BadInput
from opfire.core.scenario import Scenario
from opfire.kit import cases as kit
from opfire.kit.setup import kind_named
from opfire.kit.table import Zone
from opfire.rulesets.micro_armour.air.planes import Bomb, Plane
from opfire.rulesets.micro_armour.airborne.drops import Drop, Landing
from opfire.rulesets.micro_armour.artillery.batteries import markers
from opfire.rulesets.micro_armour.artillery.missions import Mission
from opfire.rulesets.micro_armour.artillery.sheafs import Sheaf
from opfire.rulesets.micro_armour.charts import Weapon
from opfire.rulesets.micro_armour.formations import DECK, SUIT, forces
from opfire.rulesets.micro_armour.pieces import Position, Stand, UnitId, Work, WorkKind
from opfire.rulesets.micro_armour.postures import MOVING, cannot_fire_and_move
from opfire.rulesets.micro_armour.sections import LandingGroup, Turned
from opfire.rulesets.micro_armour.setup import KNOWN, WORKS, bare_setting, has_heat, horses, unfit
from opfire.rulesets.micro_armour.victory import settle_control
from opfire.rulesets.micro_armour.works.obstacles import COLUMNS, DUMMY

_PRINTED = kit.types_of(
    Weapon, "id", "name", "nation", "heading", "row", "parent", "doubt", "source", "rule", "year", "year_to"
)
_STATE = kit.types_of(Stand, "id", "side", "kind", "at", "status", "carrier", "cargo")
_ELSEWHERE: kit.Types = {
    "carrier": str,
    "status": Literal["on the table", "reserve", "off the map", "eliminated", "exited"],
    "observer": bool,
    "coordinator": bool,
}

MARKERS: tuple[WorkKind, ...] = (*WORKS, "smoke", "impact", "bridge", "breach", "rubble", "rough-1", "damage")
"""The kinds of markers of a case."""

SUITS = DECK // SUIT
TURN = 360
"""The degrees of a whole turn."""

NATIONS = {"Germany": "german", "Soviet Union": "soviet", "United States": "american", "UK / Commonwealth": "british"}
"""The nation of a side in a scenario, by the nation of the weapons data."""


def arrange_position(scenario: Scenario, case: Case) -> Position:
    """The position that a case file describes; the side of the case has the initiative. Raises BadInput."""
    made = bare_setting(scenario)
    position = Position(made, {}, {}, {}, {}, turn=case.turn, initiative=case.side)
    _lay_markers(position, case)
    for name in case.units:
        _arrange_stand(position, case, name)
    for carrier, name in kit.passengers(case, lambda unit_id: position.units[unit_id].side):
        bearer = position.change(carrier, cargo=(*position.units[carrier].cargo, name))
        position.change(name, carrier=carrier, at=bearer.at, status=bearer.status)
    kit.refuse(case, _impossible(position))
    _check_places(position, case)
    _plan_strikes(position, case)
    _write_missions(position, case)
    _fly_in(position, case)
    _check_named("force", (*made.sections.broken, *made.sections.hands), forces(position))
    position.broken.update(made.sections.broken)
    position.hands.update({force: tuple(cards(values)) for force, values in made.sections.hands.items()})
    settle_control(position)
    return position


def cards(values: Iterable[int]) -> Iterator[int]:
    """The cards of these values, suit by suit: the first seven is that of the first suit [12.1.1]. Raises BadInput.

    >>> [*cards((7, 7, 1))]
    [6, 19, 0]
    """
    drawn = Counter[int]()
    for number in values:
        if drawn[number] == SUITS:
            raise BadInput(f"there are {SUITS} cards of {number} in a deck")
        yield number - 1 + SUIT * drawn[number]
        drawn[number] += 1


def _lay_markers(position: Position, case: Case) -> None:
    """Lay the markers of the case. Raises BadInput."""
    made = position.setting
    for at, (marker, more) in enumerate(zip(case.markers, made.sections.markers, strict=True)):
        kit.check_side(case, marker.side, ("", *made.sides), "markers", at, "side")
        with case.at("markers", at):
            kit.check_kind(marker.kind, MARKERS)
            point = made.table.parse(marker.at, "markers")
            if more.battery:
                _check_named("stand", [more.battery], case.units)
            _check_facing(more.facing)
            if marker.kind == "mines":
                _check_mines(marker.side, marker.value, made.sides)
        kind = next(kind for kind in MARKERS if kind == marker.kind)
        work = Work(f"{kind}@{marker.at}#{at}", kind, point, more.facing, marker.side, marker.value)
        position.lay(replace(work, **_history(case, more)))


def _check_mines(side: str, value: str, sides: Iterable[str]) -> None:
    """Check that mines belong to a side, and have a concentration or are a dummy [11.1.2]. Raises BadInput."""
    if not side:
        raise BadInput("mines belong to a side", expected="`side`, " + " or ".join(sides))
    _check_named("minefield", [value], (*COLUMNS, DUMMY))


def _check_facing(facing: int) -> None:
    if not 0 <= facing < TURN:
        raise BadInput(f"a facing of {facing} degrees", expected=f"0 to {TURN - 1}, clockwise from north")


def _history(case: Case, more: Turned) -> dict[str, Any]:
    """The values of a marker that come from what has happened to it; fire lies to the end of the turn at least."""
    kept = {name: getattr(more, name) for name in ("battery", "barrage", "harm", "hits", "known", "cleared")}
    return {**kept, "until": more.until or (case.turn if more.battery else 0)}


def _plan_strikes(position: Position, case: Case) -> None:
    """Put the air strikes of the case into the position [12.3.3.1]. Raises BadInput."""
    made = position.setting
    for number, strike in enumerate(made.sections.strikes, 1):
        with case.at("strikes", number - 1):
            kit.check_kind(strike.aircraft, tuple(made.charts.aircraft))
            kit.check_kind(strike.side, made.sides)
            bombs = tuple(Bomb(made.table.parse(each.at, "strikes"), each.turn) for each in strike.bombs)
        kind = made.charts.aircraft[strike.aircraft]
        plane = Plane(
            id=f"strike-{number}",
            side=strike.side,
            kind=kind,
            name=kind.name,
            arrives=strike.arrives,
            bombs=bombs,
            strafed=strike.strafed,
        )
        with case.at("strikes", number - 1):
            _check_bombs(plane)
        position.planes[plane.id] = plane


def _check_bombs(plane: Plane) -> None:
    """Check that bombs fall in the second or third turn of their aircraft [12.3.2]. Raises BadInput."""
    for bomb in plane.bombs:
        if bomb.turn not in plane.bombing_turns:
            turns = " or ".join(f"turn {turn}" for turn in plane.bombing_turns)
            raise BadInput(f"{plane.name} cannot bomb in turn {bomb.turn}", expected=turns)


def _write_missions(position: Position, case: Case) -> None:
    """Write the missions of the case into the record [7.6.3-fields]. Raises BadInput."""
    made = position.setting
    for number, line in enumerate(made.sections.missions, 1):
        with case.at("missions", number - 1):
            kit.check_kind(line.side, made.sides)
            _check_named("stand", (*line.batteries, *([line.plotter] if line.plotter else [])), position.units)
            at = made.table.parse(line.at, "missions")
            fell = made.table.parse(line.fell, "missions") if line.fell else None
        units = position.pick(line.batteries)
        count = sum(markers(unit) for unit in units)
        mission = Mission(
            id=f"{line.side}-fire-{number}",
            side=line.side,
            kind=line.kind,
            batteries=line.batteries,
            stood=tuple(unit.at for unit in units),
            sheaf=Sheaf(at, count, line.pattern, line.toward),
            plotted=line.plotted,
            name=line.name,
            plotter=line.plotter,
            smoke=line.smoke,
            due=line.due,
            duration=line.duration,
            drift=None if fell is None else (fell[0] - at[0], fell[1] - at[1]),
            strayed=fell not in (None, at),
        )
        position.missions[mission.id] = mission


def _check_named(what: str, names: Iterable[str], known: Iterable[str]) -> None:
    """Check names of a table of the case. Raises BadInput."""
    for name in names:
        if name not in (kinds := tuple(known)):
            raise BadInput(f"there is no {what} {name!r}", expected=", ".join(kinds))


def _fly_in(position: Position, case: Case) -> None:
    """Put the landing groups of the case into the air, to come down in its turn [8.10.1, 8.10.2]. Raises BadInput."""
    made = position.setting
    for number, group in enumerate(made.sections.landings, 1):
        rows = [row.conditions for row in made.charts.landing_drift.values() if row.by == group.by]
        waiting = [unit.id for unit in position.units.values() if unit.status == "reserve"]
        with case.at("landings", number - 1):
            _check_named("side", [group.side], made.sides)
            _check_named("conditions", [group.conditions], rows)
            _check_named("stand in reserve", group.units, waiting)
            at = made.table.parse(group.at, "landings")
        known = LandingGroup(f"Group {number}", group.by, {}, group.conditions, group.circumstances, turn=case.turn)
        landing = Landing(f"landing-{number}", group.side, known, group.units, Zone(None, (at,)))
        made.landings[landing.id] = landing
        position.drops[landing.id] = Drop(at, group.toward, shown=True)


def _arrange_stand(position: Position, case: Case, unit_id: UnitId) -> None:
    """Make a stand of the case, and bring it to its place. Raises BadInput."""
    piece, made = case.units[unit_id], position.setting
    with case.at("units", unit_id, "unit"):
        kind = kind_named(made.charts.stands, piece.unit, "units", KNOWN)
    values = kit.checked(case, unit_id, {**_PRINTED, **_STATE, **_ELSEWHERE})
    kind = replace(kind, **{key: value for key, value in values.items() if key in _PRINTED})
    side = piece.side or kit.side_of_nation(made.scenario.sides, NATIONS.get(kind.nation, kind.nation))
    made.ids[side] = (*made.ids[side], unit_id)
    facing = values.get("facing", made.troops(side).facing)
    with case.at("units", unit_id, "facing"):
        _check_facing(facing)
    usual = {
        "name": unit_id,
        "facing": facing,
        "laid": facing,
        "rank": "HQ" if kind.has("hq") else "",
        "heat": has_heat(made, side, kind),
        "group": unit_id if values.get("posture") in MOVING else "",
    }
    state = {key: value for key, value in values.items() if key in _STATE}
    status = values.get("status", "reserve")
    position.units[unit_id] = Stand(**{**usual, **state, "id": unit_id, "side": side, "kind": kind, "status": status})
    if values.get("observer"):
        position.observers[unit_id] = 0
    if values.get("coordinator"):
        position.teams = (*position.teams, unit_id)
    for start in horses(made, position.units[unit_id]):
        position.units[start.stand.id] = start.stand
    if piece.at:
        with case.at("units", unit_id, "at"):
            position.put(unit_id, made.table.parse(piece.at, ""))


def _impossible(position: Position) -> Iterator[tuple[UnitId, str, Refusal | None]]:
    """The stands that overlap others, reach over the edge, stand on closed ground, or never fire and move."""
    for unit in position.units.values():
        if unit.at is not None and unit.carrier is None:
            yield unit.id, "at", unfit(position, unit, unit.at, unit.facing)
        if unit.posture == "fire/move":
            yield unit.id, "posture", cannot_fire_and_move(unit)


def _check_places(position: Position, case: Case) -> None:
    """Check that each stand has a place, a carrier or a status off the table. Raises BadInput."""
    for name, piece in case.units.items():
        if position.units[name].at is None and "status" not in piece.values and position.units[name].carrier is None:
            expected = "`at`, `carrier`, or a `status` off the table"
            raise case.fault(f"{name} has no place", expected, "units", name)
