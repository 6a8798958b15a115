"""Game start [4.2-A]: from a scenario to a position, and the frame in which a side sets up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

from opfire.core.actions import NOBODY, PROCEDURE, Action, Refusal
from opfire.core.errors import BadInput
from opfire.core.events import Event
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.scenario import Force, Marker, Scenario
from opfire.core.texts import say
from opfire.kit import boards, scoring
from opfire.kit import setup as kit
from opfire.kit.setup import PickUp, Ready, StartAboard
from opfire.rulesets.case_orange.carrying import cannot_carry
from opfire.rulesets.case_orange.charts import LEVELS, Charts, Kind, load_charts
from opfire.rulesets.case_orange.costs import closed_hex, mover
from opfire.rulesets.case_orange.groups import name_groups
from opfire.rulesets.case_orange.movement import enemy_there
from opfire.rulesets.case_orange.options import OPTIONS
from opfire.rulesets.case_orange.pieces import (
    FOOT,
    Below,
    Fort,
    Hex,
    Position,
    Setting,
    Side,
    Start,
    Unit,
    UnitId,
    Works,
    held_as,
    not_yours,
    overstacked,
)
from opfire.rulesets.case_orange.sections import Room, Sections
from opfire.space.hexmap import HexMap
from opfire.space.layout import block, map_of


class Place(Action, frozen=True):
    """Set a unit up in a hex, below the works there if `below` says so."""

    says = "{unit} sets up in {hex}"
    kind = "place"
    unit: UnitId
    hex: Hex
    below: Below = ""


# --- from a scenario to a setting ---------------------------------------------------------------------------


def setting(scenario: Scenario, charts: Charts | None = None) -> Setting:
    """The constants of a game of this scenario. Raises BadInput for unknown names."""
    made = setting_without_groups(scenario, charts)
    name_groups(made, [start.unit for start in made.roster])
    for marker, room in zip(scenario.markers, made.sections.markers, strict=True):
        note_holds(made, marker.at, room)
    return made


def setting_without_groups(scenario: Scenario, charts: Charts | None = None) -> Setting:
    """The constants of a game whose units are not known yet: nobody fires together. Raises BadInput."""
    sections = scenario.rest.read(Sections)
    board = map_of(sections.boards, sections.map)
    _check_levels(board)
    made = Setting(scenario, sections, board, charts or load_charts())
    kit.check_options(scenario.options, {option.rule for option in OPTIONS})
    _check_names(made)
    made.roster = tuple(start for side in scenario.sides for start in _forces(made, side))
    made.open_zones = {start.unit.id: _open_zone(made, start.unit) for start in made.roster}
    for condition in scenario.victory:
        boards.check_hexes(made.map, condition.places, "victory")
    made.exits, made.objectives = scoring.places(scenario)
    return made


BELOW: tuple[Below, ...] = ("", "dug-in", "position", "fort")


def _open_zone(made: Setting, unit: Unit) -> tuple[Hex, ...]:
    """The hexes of the unit's zone but water [5.4.19] and, for vehicles, swamp [5.4.20]."""
    return tuple(hex for hex in made.zones.get(unit.id, ()) if made.ground.terrain(mover(unit), hex) >= 0)


def _check_levels(board: HexMap) -> None:
    """Check that no hex is higher than a hilltop: the book has three levels [15.5]."""
    for hex, cell in board.cells.items():
        if cell.level >= len(LEVELS):
            raise BadInput(f"{hex} is a peak, level {cell.level}", "map", f"levels 0 to {len(LEVELS) - 1}")


def _check_names(made: Setting) -> None:
    """Check that every type and bridge named by the scenario exists."""
    kinds, types = made.charts.kinds, {kind.type for kind in made.charts.kinds.values()}
    for condition in made.scenario.victory:
        for name in (*condition.only, *condition.except_):
            if name not in kinds and name not in types:
                raise BadInput(f"{name!r} is neither a unit nor a type", "victory", ", ".join(sorted(types)))
    boards.check_hexes(made.map, made.sections.bridges, "bridges")
    for hex, bridge in made.sections.bridges.items():
        if bridge not in made.charts.bridges:
            raise BadInput(f"a bridge of {bridge!r} in {hex}", "bridges", ", ".join(made.charts.bridges))


# --- from a setting to the first position -------------------------------------------------------------------


def first_position(made: Setting) -> Position:
    """Units waiting to be placed, units with a fixed hex in it, markers laid. Raises BadInput."""
    position = empty_position(made)
    _lay_markers(position)
    for start in made.roster:
        position.units[start.unit.id] = start.unit
        if start.hex:
            _start_in(position, start.unit, start.below, start.hex)
    for side, data in made.scenario.sides.items():
        units = [(name, position.units[name].kind.id) for name in made.ids[side]]
        for carrier, name in kit.carried(data.units, units, side):
            position.load(carrier, name)
    return position


def empty_position(made: Setting) -> Position:
    """A position with an empty map."""
    return Position(made, {}, {}, {}, {}, {}, {})


def _lay_markers(position: Position) -> None:
    made = position.setting
    for marker, room in zip(made.scenario.markers, made.sections.markers, strict=True):
        boards.check_hexes(made.map, marker.at, "markers")
        for hex in marker.at:
            lay_marker(position, marker, room, hex)


def lay_marker(position: Position, marker: Marker, room: Room, hex: Hex) -> None:
    """Put one marker down. Raises BadInput for a marker that is unknown or not allowed there [10.3, 10.4, 13.1]."""
    works = position.works.get(hex, Works())
    if marker.kind in ("mines", "position", "fort") and (works.mines or works.position or works.fort):
        raise BadInput(f"two of mines, position and fort in {hex}", "markers", "one of them in a hex")
    match marker.kind:
        case "block":
            position.change_works(hex, block=True)
        case "mines":
            if marker.value not in position.charts.mines:
                raise BadInput(f"mines of {marker.value!r}", "markers", ", ".join(position.charts.mines))
            position.change_works(hex, mines=marker.value, mines_side=marker.side or position.setting.sides[0])
        case "dug-in" if "town" in position.map.cells[hex].terrain:
            raise BadInput(f"a dug-in marker in the town of {hex}", "markers", "a hex without a town [10.2]")
        case "dug-in":
            position.change_works(hex, dug_in=marker.side or position.setting.sides[0])
        case "position":
            position.change_works(hex, position=True)
        case "fort":
            factor, _, breached = (marker.value or "10/5").partition("/")
            both = _number(factor, marker), _number(breached or factor, marker)
            usual = position.charts.points["fort allowance"]
            allowance = usual if room.allowance is None else room.allowance
            if not 0 <= allowance <= position.charts.points["limit"]:
                raise BadInput(f"a fort with an allowance of {allowance}", "markers", "0 to 4 stacking points [10.4.7]")
            fort = Fort(*both, allowance, "breached" in marker.side)
            position.change_works(hex, fort=fort)
        case "wreck":
            position.change_works(hex, wreck=works.wreck + _number(marker.value or "1", marker))
        case _:
            raise BadInput(f"marker {marker.kind!r}", "markers", "block, mines, dug-in, position, fort or wreck")


def note_holds(made: Setting, hexes: Iterable[Hex], room: Room) -> None:
    """Note an allowance by type, which names units or types and at least one of each [10.4.8]. Raises BadInput."""
    made.holds.update(dict.fromkeys(hexes, room.holds) if room.holds else {})
    types = {kind.type for kind in made.charts.kinds.values()}
    for name, most in room.holds.items():
        if name not in made.charts.kinds and name not in types:
            raise BadInput(f"{name!r} is neither a unit nor a type", "markers", ", ".join(sorted(types)))
        if most < 1:
            raise BadInput(f"a fort holds {most} of {name}", "markers", "1 or more")


def _number(text: str, marker: Marker) -> int:
    if not text.isdecimal():
        raise BadInput(f"value {marker.value!r} of a {marker.kind}", "markers", "10/5 for a fort, 2 for wrecks")
    return int(text)


def _forces(made: Setting, side: Side) -> Iterator[Start]:
    """Every unit of a side with its starting hex, if that is fixed."""
    found = boards.zones(made.map, made.scenario, made.sections, block)
    zones = {name: tuple(sorted(hexes)) for name, hexes in found.items()}
    counts: dict[str, int] = {}
    number = 0
    side_data = made.scenario.sides[side]
    for force in side_data.units:
        kind = kit.kind_named(made.charts.kinds, force.unit, f"sides.{side}.units")
        boards.check_force(made.map, force, zones, f"sides.{side}.units")
        below = _below(made, force, zones, f"sides.{side}.units")
        for index in range(force.count):
            number += 1
            unit = _unit(made, side, number, kind, counts, "to place")
            made.zones[unit.id] = zones.get(force.zone, tuple(sorted(set(force.at))))
            if below == "fort":
                made.stipulated.add(unit.id)
            yield Start(unit, boards.fixed_hex(force, index), below)
    for arrival in side_data.reinforcements:
        boards.check_hexes(made.map, arrival.entry, f"sides.{side}.reinforcements")
        for name, count in arrival.units.items():
            kind = kit.kind_named(made.charts.kinds, name, f"sides.{side}.reinforcements")
            for _ in range(count):
                number += 1
                unit = _unit(made, side, number, kind, counts, "reserve")
                made.entries[unit.id] = (arrival.turn, arrival.entry)
                yield Start(unit)


def _below(made: Setting, force: Force, zones: Mapping[str, Sequence[Hex]], where: str) -> Below:
    """The works that a force is meant for; one of its places has to be a fortification, if that. Raises BadInput."""
    below = next((works for works in BELOW if works == force.below), None)
    if below is None:
        raise BadInput(f"below {force.below!r}", where, "position, fort or dug-in")
    forts = {hex for marker in made.scenario.markers if marker.kind == "fort" for hex in marker.at}
    if below == "fort" and forts.isdisjoint(zones.get(force.zone, force.at)):
        raise BadInput(f"no fortification lies where {force.unit!r} sets up", where, "a marker of the kind fort there")
    return below


def _unit(made: Setting, side: Side, number: int, kind: Kind, counts: dict[str, int], status: str) -> Unit:
    counts[kind.id] = counts.get(kind.id, 0) + 1
    unit = Unit(id=f"{side}-{number}", side=side, kind=kind, name=f"{kind.name} {counts[kind.id]}", status=status)  # type: ignore[arg-type]
    made.ids[side] = (*made.ids[side], unit.id)
    return unit


def _start_in(position: Position, unit: Unit, below: Below, hex: Hex) -> None:
    if refusal := overstacked(position, unit, hex, below) or no_works(position, unit, hex, below):
        raise BadInput(refusal.sentence(), f"units of {unit.side}", "a set-up within the rules")
    position.put(unit.id, hex, below=below)


# --- set-up -------------------------------------------------------------------------------------------------


def no_works(position: Position, unit: Unit, hex: Hex, below: str) -> Refusal | None:
    """Reject a hex without works to go below, or works closed to this unit at set-up [10.2, 10.3.5, 10.4.5]."""
    refusal = works_missing(position, unit, hex, below)
    return refusal or (not_stipulated(position, unit, hex) if below == "fort" else None)


def works_missing(position: Position, unit: Unit, hex: Hex, below: str) -> Refusal | None:
    """Reject a hex without works of this kind that the unit could lie below [10.2, 10.3.5, 10.4.5]."""
    if not below:
        return None
    works = position.work(hex)
    if below not in BELOW:
        return Refusal("A unit cannot be placed below {}", PROCEDURE, (below,))
    if below == "dug-in" and works.dug_in != unit.side:
        return Refusal("There is no dug-in marker of yours in {}", "10.2", (hex,))
    if below == "dug-in" and unit.kind.type not in ("infantry", "engineer"):
        return Refusal("{} is not infantry: it does not dig in", "10.2", (unit.name,))
    if below == "position" and not works.position:
        return Refusal("There is no improved position in {}", "10.3.5", (hex,))
    if below == "fort" and works.fort is None:
        return Refusal("There is no fortification in {}", "10.4.5", (hex,))
    return None


def not_stipulated(position: Position, unit: Unit, hex: Hex) -> Refusal | None:
    """Only guns and vehicles that the scenario names start below a fortification [10.4.5]: by their force's `below`, or
    in the allowance of that hex.
    """
    holds = position.setting.holds.get(hex, {})
    if unit.kind.type in FOOT or unit.id in position.setting.stipulated or held_as(holds, unit):
        return None
    return Refusal("The scenario does not let {} start below a fortification", "10.4.5", (unit.name,))


def cannot_place(position: Position, side: Side, unit: Unit, hex: Hex, below: str) -> Refusal | None:
    """Reject a unit that may not set up there."""
    return (
        not_yours(side, unit)
        or kit.placed_already(unit)
        or kit.not_next(unit, to_place(position, side), partial(alike, position))
        or outside_zone(position, unit, hex)
        or unfit_place(position, unit, hex, below)
    )


def unfit_place(position: Position, unit: Unit, hex: Hex, below: str) -> Refusal | None:
    """Reject a hex that cannot take the unit, whatever its zone."""
    if not below and hex not in position.stacks and hex not in position.works:
        return closed_hex(position, unit, hex)
    return (
        enemy_there(position, unit, hex)
        or closed_hex(position, unit, hex)
        or no_works(position, unit, hex, below)
        or overstacked(position, unit, hex, below)
    )


def alike(position: Position, a: Unit, b: Unit) -> bool:
    """Whether two units are of one type, for one zone, both empty-handed, and both meant for fortifications or not."""
    zones, stipulated = position.setting.zones, position.setting.stipulated
    alike_inside = (a.cargo is None) == (b.cargo is None) and (a.id in stipulated) == (b.id in stipulated)
    return a.kind.id == b.kind.id and zones[a.id] == zones[b.id] and alike_inside


def outside_zone(position: Position, unit: Unit, hex: Hex) -> Refusal | None:
    """Reject a hex outside the unit's zone [4.2-A]."""
    if hex not in position.setting.zones[unit.id]:
        return Refusal("{} cannot set up in {}: choose a hex of its zone", "4.2-A", (unit.name, hex))
    return None


def to_place(position: Position, side: Side) -> list[Unit]:
    """The side's units that wait to be placed."""
    return kit.waiting(position.pick(position.setting.ids[side]))


def cannot_board(position: Position, side: Side, unit: Unit, carrier: Unit) -> Refusal | None:
    """Reject a unit that may not start aboard that carrier [5.7.4, 5.7.5]."""
    refusal = (
        not_yours(side, unit)
        or kit.placed_already(unit)
        or kit.not_next(unit, to_place(position, side), partial(alike, position))
    )
    return refusal or not_yours(side, carrier) or no_seat(position, unit, carrier)


def no_seat(position: Position, unit: Unit, carrier: Unit) -> Refusal | None:
    """Reject a carrier that waits, is taken, or does not carry such a unit [5.7.4, 5.7.5]."""
    if carrier.hex is None or carrier.cargo is not None or unit.cargo is not None:
        return Refusal("{} has no room for the unit", "5.7", (carrier.name,))
    return cannot_carry(position, carrier, unit)


def cannot_pick_up(position: Position, side: Side, unit: Unit) -> Refusal | None:
    """Reject a unit that may not be picked up again: all others have to be placed, and its hex its own choice.

    While units still wait, only one that blocks the last free hex of a waiting unit may be picked up.
    """
    waiting, zones = to_place(position, side), position.setting.zones
    if refusal := not_yours(side, unit) or boards.others_wait(unit, waiting, zones, partial(places, position, side)):
        return refusal
    if unit.hex is None or not zones.get(unit.id):
        return Refusal("{} has a fixed place in the scenario", "4.2-A", (unit.name,))
    return None


def places(position: Position, side: Side, unit: Unit) -> Iterator[Action]:
    """The places where a unit may be set up: hexes of its zone, placed carriers."""
    stacks, works = position.stacks, position.works
    for hex in position.setting.open_zones[unit.id]:
        if hex in works:
            yield from _places_at_works(position, unit, hex)
        elif hex not in stacks or not (enemy_there(position, unit, hex) or overstacked(position, unit, hex)):
            yield Place(unit.id, hex)
    if not unit.vehicle:
        for carrier in position.of(side):
            if carrier.vehicle and no_seat(position, unit, carrier) is None:
                yield StartAboard(unit.id, carrier.id)


def _places_at_works(position: Position, unit: Unit, hex: Hex) -> Iterator[Place]:
    """The levels in a hex with works at which the unit may be set up: above them or below."""
    return (Place(unit.id, hex, below) for below in BELOW if unfit_place(position, unit, hex, below) is None)


class SetUp(Frame, frozen=True):
    """A side places its units as the scenario says [4.2-A]."""

    takes = (Place, StartAboard, PickUp, Ready)
    step = "set-up"
    rule = "4.2-A"
    question = "Place your units in their zones"

    def prompt(self, sight: Position, side: str) -> str:
        if side != self.side or to_place(sight, side):
            return say(self.question)
        return say("All your units are in place: complete the set-up, or change it")

    def begin(self, game: Game[Position]) -> None:
        if not to_place(game.state, self.side) and not self._movable(game.state):
            game.pop()

    def _movable(self, position: Position) -> bool:
        zones = position.setting.zones
        return any(len(zones.get(name, ())) > 1 for name in position.setting.ids[self.side])

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        """The first of each kind of unit that waits; when all stand or none can, every unit; nobody to be ready."""
        waiting = kit.next_of_their_kinds(to_place(sight, side), partial(alike, sight))
        if not waiting:
            yield NOBODY
        yield from (unit.id for unit in waiting)
        if all(next(places(sight, side, unit), None) is None for unit in waiting):
            yield from (unit.id for unit in sight.pick(sight.setting.ids[side]) if unit.hex is not None)

    def acts(self, sight: Position, side: str, actor: str) -> Iterable[Action]:
        if actor == NOBODY:
            return (Ready(),)
        unit = sight.units[actor]
        if unit.hex is None:
            return places(sight, side, unit)
        return (PickUp(actor),) if cannot_pick_up(sight, side, unit) is None else ()

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case Place(unit, hex, below):
                return cannot_place(sight, self.side, sight.units[unit], hex, below)
            case StartAboard(unit, carrier):
                return cannot_board(sight, self.side, sight.units[unit], sight.units[carrier])
            case PickUp(unit):
                return cannot_pick_up(sight, self.side, sight.units[unit])
            case Ready() if to_place(sight, self.side):
                return Refusal("{} units wait to be placed", "4.2-A", (len(to_place(sight, self.side)),))
        return None

    def play(self, game: Game[Position], action: Action) -> None:
        position = game.state
        match action:
            case Place(name, hex, below):
                position.put(name, hex, below=below)
                _tell_placed(game, name, hex)
            case StartAboard(name, carrier):
                position.load(carrier, name)
                _tell_placed(game, name, str(position.units[carrier].hex))
            case PickUp(name):
                position.lift(name, "to place")
            case Ready():
                game.pop()


def _tell_placed(game: Game[Position], unit_id: UnitId, hex: Hex) -> None:
    unit = game.state.units[unit_id]
    game.tell(Event("placed", "{} sets up in {}", (unit.name, hex), "4.2-A", (unit_id,), (hex,)))
