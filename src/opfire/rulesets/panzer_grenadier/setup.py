"""Setting up [2.3, 6.1, 6.8, 16.6, 16.7]: from a scenario to a position, and the frame in which a side sets up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import msgspec

from opfire.core import victory
from opfire.core.actions import PROCEDURE, Action, Refusal
from opfire.core.case import Case
from opfire.core.errors import BadInput
from opfire.core.events import Event
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.scenario import Force, Marker, Reinforcement, Scenario, Zone, board_file
from opfire.core.scenario import Placement as Placed
from opfire.rulesets.panzer_grenadier import ground
from opfire.rulesets.panzer_grenadier.charts import Charts, Kind, load_charts
from opfire.rulesets.panzer_grenadier.command import formations, leaders, sectors
from opfire.rulesets.panzer_grenadier.fire import offboard
from opfire.rulesets.panzer_grenadier.instructions import Instructions, instructions
from opfire.rulesets.panzer_grenadier.options import OPTIONS
from opfire.rulesets.panzer_grenadier.pieces import (
    Army,
    Hex,
    Mine,
    Officer,
    Player,
    Position,
    Setting,
    Side,
    Start,
    Unit,
    UnitId,
    not_yours,
    overstacked,
)
from opfire.rulesets.panzer_grenadier.sight import spotting
from opfire.space.hexmap import HexMap
from opfire.space.layout import drawn, joined_block, lay


class Place(Action, frozen=True):
    """Set a unit or leader up in a hex."""

    says = "{unit} sets up in {hex}"
    kind = "place"
    unit: UnitId
    hex: Hex


class Board(Action, frozen=True):
    """Set a unit or leader up aboard a carrier that has been placed [5.6]."""

    says = "{unit} starts aboard {carrier}"
    kind = "place"
    unit: UnitId
    carrier: UnitId


class PickUp(Action, frozen=True):
    """Take a placed unit up again."""

    says = "Take {unit} up again"
    kind = "place"
    unit: UnitId


class LayMines(Action, frozen=True):
    """Lay the next of the minefield markers drawn, face down [16.7]."""

    says = "Lay a minefield in {hex}"
    kind = "place"
    hex: Hex


class GiveTankLeader(Action, frozen=True):
    """Secretly give an AFV a tank leader [6.8]."""

    says = "{unit} has a tank leader"
    kind = "place"
    unit: UnitId


class Mount(Action, frozen=True):
    """Designate a leader as a cavalry leader [6.9]."""

    says = "Make {unit} a cavalry leader"
    kind = "mount"
    unit: UnitId


class DrawPieces(Action, frozen=True):
    """Draw the side's leaders [6.1] and minefield markers [16.7], and its commanding officer [18.3].

    The one answer there is: dice need a decision.
    """

    says = "Draw leaders and minefields"
    kind = "done"
    final = True


class Finish(Action, frozen=True):
    """One of several players of a side has set up his part [18.2], and is asked no more."""

    says = "{player} has set up"
    kind = "done"
    final = True
    player: Player


class Ready(Action, frozen=True):
    """The set-up is complete."""

    says = "Set-up complete"
    kind = "done"
    final = True
    barrier = "the end of the set-up"


# --- from a scenario to a setting ---------------------------------------------------------------------------


@lru_cache(maxsize=64)
def board_map(boards: tuple[Placed, ...], inline: str) -> HexMap:
    """The map of these boards as joined, or of the board drawn in the file itself. Raises BadInput.

    Nobody enters the half-hexes at its outer edge [2.2]: RULINGS.md P138.
    """
    if inline:
        return drawn(inline)
    corners = next((placed.crop for placed in boards if placed.crop), None)
    return lay([(board_file(placed.board), placed.at, placed.turned) for placed in boards], corners)


def setting(scenario: Scenario, charts: Charts | None = None) -> Setting:
    """What does not change in a game of this scenario. Raises BadInput for what it names and is not there."""
    given = instructions(scenario.special, tuple(scenario.sides))
    made = _empty_setting(scenario, given, charts or load_charts())
    made.roster = tuple(start for side in scenario.sides for start in _roster(made, side))
    for side in scenario.sides:
        formations.check_names(made, side)
    return made


def _empty_setting(scenario: Scenario, given: Instructions, charts: Charts) -> Setting:
    known = {option.rule for option in OPTIONS}
    for option in scenario.options:
        if option not in known:
            raise BadInput(f"option {option!r}", "options", "one of " + ", ".join(sorted(known)))
    made = Setting(scenario, given, board_map(scenario.boards, scenario.map), charts)
    _check_hexes(made.map, (*given.fords, *given.railroad), "special")
    for side, army in given.sides.items():
        force = army.force or scenario.sides[side].nation
        if force not in charts.forces:
            raise BadInput(f"force {force!r}", f"special.sides.{side}", "one of " + ", ".join(charts.forces))
        for name in (*army.leaders, *(name for name, _, _ in _arriving(scenario, charts, side))):
            nation, rank = _country_and_rank(scenario, side, name)
            if rank not in charts.ranks:
                raise BadInput(f"rank {rank!r}", f"special.sides.{side}.leaders", ", ".join(charts.ranks))
            if nation not in {row.nation for row in charts.pieces.values()} | {scenario.sides[side].nation}:
                raise BadInput(f"nation {nation!r}", f"special.sides.{side}.leaders", "one that has leader pieces")
    made.sector_of = sectors.read(made)
    ground.read(made)
    _read_victory(made)
    return made


def _read_victory(made: Setting) -> None:
    """Which hexes count for whom [2.3]: to be left by [16.53], or to be held [G.control]."""
    for condition in made.scenario.victory:
        _check_hexes(made.map, condition.hexes, "victory")
    made.exits, made.objectives = victory.places(made.scenario)


def _check_hexes(board: HexMap, hexes: Iterable[Hex], where: str) -> None:
    for hex in hexes:
        board.parse(hex, where)


def kind_named(charts: Charts, name: str, where: str) -> Kind:
    """The counter of that id. Raises BadInput."""
    kind = charts.kinds.get(name)
    if kind is None:
        known = "an id of units.csv" + (", or a leader's rank" if where.endswith("reinforcements") else "")
        raise BadInput(f"there is no unit {name!r}", where, known)
    return kind


def zone_hexes(board: HexMap, zone: Zone) -> frozenset[Hex]:
    """The hexes in play of a zone; one that lies on two boards is on both [2.2]. Raises BadInput."""
    _check_hexes(board, zone.list, f"zone {zone.name}")
    hexes = frozenset(zone.list)
    if zone.hexes is not None:
        hexes |= joined_block(board, zone.hexes.board, zone.hexes.columns, zone.hexes.rows)
    if not hexes:
        raise BadInput(f"zone {zone.name!r} is empty", "zones", "hexes of a board of the scenario")
    return hexes


# --- the roster -----------------------------------------------------------------------------------------------


def _roster(made: Setting, side: Side) -> Iterator[Start]:
    """Every unit and leader of a side with the hex it starts in, if that is fixed."""
    zones = {zone.name: zone_hexes(made.map, zone) for zone in made.scenario.zones}
    data, army = made.scenario.sides[side], made.instructions.sides[side]
    counts: dict[str, int] = {}
    for force in data.units:
        kind = kind_named(made.charts, force.unit, f"sides.{side}.units")
        _check_force(made, side, force, zones)
        for index in range(force.count):
            unit = _unit(made, side, kind, counts, force.below)
            made.players[unit.id] = formations.player_of(made, unit, force.zone)
            made.zones[unit.id] = zones.get(force.zone, frozenset(force.at))
            fixed = bool(force.at) and not force.zone and len(force.at) in (1, force.count)
            yield Start(unit, force.at[index % len(force.at)] if fixed else "")
    for arrival in data.reinforcements:
        _check_hexes(made.map, arrival.entry, f"sides.{side}.reinforcements")
        for name, count in arrival.units.items():
            if _is_rank(made.charts, name):
                continue  # 6.1: drawn with the other leaders
            kind = kind_named(made.charts, name, f"sides.{side}.reinforcements")
            for _ in range(count):
                unit = _unit(made, side, kind, counts, "reserve")
                made.players[unit.id] = formations.player_of(made, unit)
                made.entries[unit.id] = (arrival.turn, arrival.entry)
                yield Start(unit)
    everywhere = frozenset().union(*(made.zones.get(name, frozenset()) for name in made.ids[side]))
    made.mine_zones[side] = zones.get(army.mine_zone, everywhere)
    for unit in _officers(made, side):
        made.players[unit.id] = formations.player_of(made, unit)
        made.zones[unit.id] = zones.get(army.leader_zone, everywhere)
        yield Start(unit)
    for unit in _relief(made, side):
        made.players[unit.id] = formations.player_of(made, unit)
        yield Start(unit)


def _check_force(made: Setting, side: Side, force: Force, zones: Mapping[str, frozenset[Hex]]) -> None:
    where = f"sides.{side}.units"
    _check_hexes(made.map, force.at, where)
    if force.zone and force.zone not in zones:
        raise BadInput(f"there is no zone {force.zone!r}", where, ", ".join(zones))
    if not (force.zone or force.at or force.carrier):
        raise BadInput(f"{force.unit!r} has no place", where, "zone, at or carrier")
    if force.below not in ("", "hidden", "dug-in", "limbered"):
        raise BadInput(f"{force.unit!r} starts {force.below!r}", where, "hidden, dug-in or limbered")


def _unit(made: Setting, side: Side, kind: Kind, counts: dict[str, int], how: str) -> Unit:
    counts[kind.id] = counts.get(kind.id, 0) + 1
    unit = Unit(
        id=f"{side}-{len(made.ids[side]) + 1}",
        side=side,
        kind=kind,
        name=f"{kind.name} {counts[kind.id]}",
        morale=morale_of(made, side, kind),
        status="reserve" if how == "reserve" else "to place",
        hidden=how == "hidden",
        limbered=(how == "limbered" and kind.limbered != "") or (how == "reserve" and must_limber(kind)),
        dug_in=2 if how == "dug-in" else 0,
        tank_leader=has_tank_leader(made, side, kind),
        country=kind.nation if kind.nation in countries(made, side) else "",
    )
    made.ids[side] = (*made.ids[side], unit.id)
    return unit


def must_limber(kind: Kind | None) -> bool:
    """Whether a weapon moves, and is carried, only on its limbered side [5.62]; others may, but need not [5.64]."""
    return kind is not None and kind.limbered != "" and kind.movement == 0


def morale_of(made: Setting, side: Side, kind: Kind) -> tuple[int, int]:
    """Morale at full and reduced strength: the scenario's for this unit or type, else that of the force [14.1].

    Raises BadInput for a figure that is none.
    """
    army = made.instructions.sides[side]
    text = army.morale.get(kind.id) or army.morale.get(kind.type) or army.morale.get("all")
    if text is None:
        force = made.charts.forces[army.force or made.scenario.sides[side].nation]
        return force.morale, force.reduced
    full, _, reduced = text.partition("/")
    if not (full.isdecimal() and reduced.isdecimal()):
        raise BadInput(f"morale {text!r}", f"special.sides.{side}.morale", "full and reduced, such as 8/7")
    return int(full), int(reduced)


def has_tank_leader(made: Setting, side: Side, kind: Kind) -> bool:
    """Forces all of whose AFVs have tank leaders from some year on [6.8], as far as they may have any.

    An ally with leaders of his own goes by his own nation: RULINGS.md P54, P94.
    """
    forces = made.charts.forces
    force = forces[made.instructions.sides[side].force or made.scenario.sides[side].nation]
    theirs = forces.get(kind.nation) if kind.nation in countries(made, side) - {force.nation} else force
    since = theirs.tank_leaders if theirs is not None else 0
    return takes_tank_leader(kind) and 0 < since <= made.instructions.year


def takes_tank_leader(kind: Kind | None) -> bool:
    """An AFV, but no APC [6.8]; armored cars [6.84], trains and vessels [15.2] have leaders of their own kind."""
    if kind is None or not kind.afv or kind.apc:
        return False
    return kind.type not in ("armored-car", "train", "vessel")


def countries(made: Setting, side: Side) -> frozenset[str]:
    """The countries of a side's leaders, where there are several; its other units are directed by all of them."""
    later = (name for name, _, _ in _arriving(made.scenario, made.charts, side))
    names = (*made.instructions.sides[side].leaders, *later)
    found = {_country_and_rank(made.scenario, side, name)[0] for name in names}
    return frozenset(found) if len(found) > 1 else frozenset()


def _country_and_rank(scenario: Scenario, side: Side, name: str) -> tuple[str, str]:
    """Whose leaders the instructions ask for [3.12.c, 6.1]: `LT` of the side's own nation, or `romanian LT`."""
    nation, _, rank = name.rpartition(" ")
    return nation or scenario.sides[side].nation, rank


def _is_rank(charts: Charts, name: str) -> bool:
    """Whether a name stands for a leader of that rank and not for a counter."""
    return name.rpartition(" ")[2] in charts.ranks


def _arriving(scenario: Scenario, charts: Charts, side: Side) -> Iterator[tuple[str, int, Reinforcement]]:
    """The leaders who come with a side's reinforcements [16.51]: rank, how many, and with whom."""
    for arrival in scenario.sides[side].reinforcements:
        yield from ((name, count, arrival) for name, count in arrival.units.items() if _is_rank(charts, name))


def _officers(made: Setting, side: Side) -> Iterator[Unit]:
    """A leader still to be drawn for each that sets up, the highest ranks first [6.1, 6.6]."""
    army = made.instructions.sides[side]
    order = {name: _country_and_rank(made.scenario, side, name)[1] for name in army.leaders}
    ranks = sorted(army.leaders, key=lambda name: -made.charts.ranks[order[name]].order)
    wanted = [name for name in ranks for _ in range(army.leaders[name])] + ["KOM"] * army.kommissars
    for number, name in enumerate(wanted, 1):
        yield _officer(made, side, name, mounted=len(wanted) - army.kommissars - number < (army.mounted or 0))


def _relief(made: Setting, side: Side) -> Iterator[Unit]:
    """A leader still to be drawn for each that comes later, with those who enter by the same hexes [16.51]."""
    for name, count, arrival in _arriving(made.scenario, made.charts, side):
        for _ in range(count):
            unit = msgspec.structs.replace(_officer(made, side, name), status="reserve")
            made.entries[unit.id] = (arrival.turn, arrival.entry)
            yield unit


def _officer(made: Setting, side: Side, name: str, *, mounted: bool = False) -> Unit:
    """A leader without a face: morale and modifiers are drawn with his piece [6.1]."""
    nation, title = _country_and_rank(made.scenario, side, name)
    rank = made.charts.ranks[title]
    number = sum(one.startswith(f"{side}-leader-") for one in made.ids[side]) + 1
    unit = Unit(
        id=f"{side}-leader-{number}",
        side=side,
        name=f"{rank.title} {number}",
        officer=Officer(rank.order, title, 0, 0, 0, mounted and rank.order > 0),
        country=nation if nation in countries(made, side) else "",
    )
    made.ids[side] = (*made.ids[side], unit.id)
    return unit


# --- from a setting to the first position -------------------------------------------------------------------


def first_position(made: Setting) -> Position:
    """Units waiting to be placed, those with a fixed hex in it, markers laid. Raises BadInput."""
    position = empty_position(made)
    for marker in made.scenario.markers:
        _check_hexes(made.map, marker.at, "markers")
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
    """A position with nothing on the map."""
    armies = {side: Army(given.initiative) for side, given in made.instructions.sides.items()}
    position = Position(made, {}, {}, {}, {}, armies, {})
    for side in made.sides:
        offboard.renew(position, side)
    return position


def lay_marker(position: Position, marker: Marker, hex: Hex) -> None:
    """Put one marker down. Raises BadInput for one that is unknown."""
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
    """Forces with a carrier named start aboard, one to each carrier of that type. Raises BadInput."""
    from opfire.rulesets.panzer_grenadier.movement.transport import cannot_carry

    names, offset = list(position.setting.ids[side]), 0
    for force in position.setting.scenario.sides[side].units:
        mine, offset = names[offset : offset + force.count], offset + force.count
        if not force.carrier:
            continue
        units = position.pick(names)
        free = [u.id for u in units if u.kind is not None and u.kind.id == force.carrier and not u.cargo]
        if len(free) < len(mine):
            raise BadInput(f"too few of {force.carrier!r} to carry {force.unit}", f"sides.{side}.units", "one for each")
        for name, carrier in zip(mine, free, strict=False):
            unit = position.units[name]
            if refusal := cannot_carry(position, position.units[carrier], unit):
                raise BadInput(refusal.sentence(), f"units of {side}", "a set-up within the rules")
            hidden = position.units[carrier].hidden  # 16.6: what is aboard is where its carrier is
            position.change(name, limbered=unit.limbered or must_limber(unit.kind), hidden=hidden)
            position.load(carrier, name)


# --- set-up -------------------------------------------------------------------------------------------------


def to_place(position: Position, side: Side) -> list[Unit]:
    """The side's units and leaders that wait to be placed."""
    units = position.pick(position.setting.ids[side])
    return [unit for unit in units if unit.status == "to place" and unit.carrier is None]


def cannot_place(position: Position, side: Side, unit: Unit, hex: Hex) -> Refusal | None:
    """Why the unit may not set up there, or None [2.3, 4.1]."""
    if refusal := not_yours(side, unit) or placed_already(unit) or not_next(position, side, unit):
        return refusal
    if hex not in position.setting.zones[unit.id]:
        return Refusal("{} does not set up in {}", "2.3", (unit.name, hex))
    return unfit(position, unit, hex)


def unfit(position: Position, unit: Unit, hex: Hex) -> Refusal | None:
    """The hex does not take the unit, wherever it may set up."""
    if any(other.side != unit.side for other in position.at(hex)):
        return Refusal("Enemy units are in {}", "5.3", (hex,))
    if unit.kind is not None and unit.kind.movement_class != "river" and ground.river(position, hex) == "major river":
        return Refusal("{} is in the river", "5.72", (hex,))
    return overstacked(position, unit, hex)


def placed_already(unit: Unit) -> Refusal | None:
    """It stands on the map, or comes later."""
    if unit.status != "to place" or unit.carrier is not None:
        return Refusal("{} is {}", PROCEDURE, (unit.name, "aboard" if unit.carrier else unit.status))
    return None


def not_next(position: Position, side: Side, unit: Unit) -> Refusal | None:
    """Units that are alike are placed in their order."""
    for other in to_place(position, side):
        if other.id == unit.id:
            return None
        if alike(position, other, unit):
            return Refusal("{} is placed first: they are alike", PROCEDURE, (other.name,))
    return None


def alike(position: Position, a: Unit, b: Unit) -> bool:
    """Of one type and player, for one zone, both hidden or not, both empty-handed; no leader is like another."""
    if a.kind is None or b.kind is None or a.player != b.player:
        return False
    zones = position.setting.zones
    same = a.kind.id == b.kind.id and zones[a.id] == zones[b.id] and a.hidden == b.hidden and a.dug_in == b.dug_in
    return same and not a.cargo and not b.cargo and a.tank_leader == b.tank_leader


def cannot_board(position: Position, side: Side, unit: Unit, carrier: Unit) -> Refusal | None:
    """Why the unit or leader may not start aboard that carrier, or None [5.6]."""
    from opfire.rulesets.panzer_grenadier.movement.transport import cannot_carry

    refusal = not_yours(side, unit) or placed_already(unit) or not_next(position, side, unit)
    if refusal or carrier.hex is None or unit.cargo or carrier.hex not in position.setting.zones[unit.id]:
        return refusal or Refusal("{} has no place for it", "5.6", (carrier.name,))
    if unit.hidden != carrier.hidden:  # the one would give the other away
        return Refusal("Only one of {} and {} is hidden", "16.6", (unit.name, carrier.name))
    return not_yours(side, carrier) or cannot_carry(position, carrier, unit)


def cannot_pick_up(position: Position, side: Side, unit: Unit) -> Refusal | None:
    """Why the unit may not be taken up again, or None: all the rest is placed, and its hex is its own choice.

    Before that only those who stand where others have to, when none who waits has a place left.
    """
    if refusal := not_yours(side, unit):
        return refusal
    if (waiting := to_place(position, side)) and not crowds_out(position, side, unit, waiting):
        return Refusal("Place the other units first", PROCEDURE)
    if unit.hex is None or len(position.setting.zones.get(unit.id, ())) < 2:
        return Refusal("{} is where the scenario puts it", "2.3", (unit.name,))
    return None


def crowds_out(position: Position, side: Side, unit: Unit, waiting: Sequence[Unit]) -> bool:
    """Whether it stands in the zone of one of those who wait, of whom none has a place left."""
    if not any(unit.hex in position.setting.zones[other.id] for other in waiting):
        return False
    return all(next(places(position, side, other), None) is None for other in waiting)


def places(position: Position, side: Side, unit: Unit) -> Iterator[Action]:
    """Where a unit may be set up: hexes of its zone, carriers that stand."""
    for hex in sorted(position.setting.zones[unit.id]):
        if unfit(position, unit, hex) is None:
            yield Place(unit.id, hex)
    for carrier in position.of(side):
        if carrier.id != unit.id and cannot_board(position, side, unit, carrier) is None:
            yield Board(unit.id, carrier.id)


def cannot_lay(position: Position, side: Side, hex: Hex) -> Refusal | None:
    """Why no minefield may be laid there, or None [16.7]."""
    if hex not in position.setting.mine_zones[side]:
        return Refusal("No mines may be laid in {}", "16.7", (hex,))
    if ground.river(position, hex):
        return Refusal("{} is in the river", "16.7", (hex,))
    return None


def cannot_have_leader(position: Position, side: Side, unit: Unit) -> Refusal | None:
    """Why an AFV may not be given a tank leader, or None [6.8]: no APC nor armored car [6.84], and one each."""
    if refusal := not_yours(side, unit):
        return refusal
    if not takes_tank_leader(unit.kind):
        return Refusal("{} takes no tank leader", "6.8", (unit.name,))
    if unit.tank_leader:
        return Refusal("{} has a tank leader", "6.8", (unit.name,))
    return None


def cannot_mount(position: Position, side: Side, unit: Unit) -> Refusal | None:
    """Why a leader may not be designated as a cavalry leader, or None [6.9]: any may, if his side has cavalry.

    But not where the scenario says how many there are: RULINGS.md P134.
    """
    if refusal := not_yours(side, unit):
        return refusal
    if unit.officer is None or unit.officer.kommissar or unit.officer.mounted:
        return Refusal("{} cannot be made a cavalry leader", "6.9", (unit.name,))
    if unit.carrier is not None:
        return Refusal("{} is being carried", "6.3", (unit.name,))
    if position.setting.instructions.sides[side].mounted is not None:
        return Refusal("The scenario says who are cavalry leaders", "6.9")
    if not any(other.type_in("cavalry") for other in position.pick(position.setting.ids[side])):
        return Refusal("There is no cavalry to be led", "6.9")
    return None


class SetUp(Frame, frozen=True):
    """A side sets up as the scenario says [2.3]: units and leaders, then mines, then tank leaders in secret.

    `mines` are the strengths drawn that are still to be laid; `unled` counts tank leaders still to be given. Of several
    players `finished` have said that they are done; the commanding officer ends it for all: RULINGS.md P81.
    """

    takes = (DrawPieces, Place, Board, PickUp, LayMines, GiveTankLeader, Mount, Finish, Ready)
    step = "set-up"
    rule = "2.3"
    question = "Place your units in their zones"
    mines: tuple[int, ...] = ()
    unled: int = 0
    drawn: bool = False
    finished: tuple[Player, ...] = ()

    def begin(self, game: Game[Position]) -> None:
        """Draw first, if there is anything to draw."""
        position = game.state
        army = position.setting.instructions.sides[self.side]
        led = any(unit.leader for unit in position.pick(position.setting.ids[self.side]))
        if not (led or army.mines or formations.shared(game, self.side)):
            self._open(game, ())

    def _open(self, game: Game[Position], mines: tuple[int, ...]) -> None:
        """Ask for the set-up, unless all has its place."""
        position = game.state
        unled = position.setting.instructions.sides[self.side].tank_leaders
        if mines or unled or to_place(position, self.side) or self._movable(position):
            game.swap(SetUp(self.side, mines, unled, True))
        else:
            take_control(position)
            game.pop()

    def _movable(self, position: Position) -> bool:
        zones = position.setting.zones
        units = position.pick(position.setting.ids[self.side])
        return any(len(zones.get(one.id, ())) > 1 or not cannot_mount(position, self.side, one) for one in units)

    def _busy(self, position: Position) -> list[Player]:
        """The players besides the commanding officer who have not finished; none where one has the side."""
        officer = position.armies[self.side].commander
        players = formations.players(position.setting, self.side) if officer else ()
        return [player for player in players if player not in (officer, *self.finished)]

    def _takers(self, position: Position) -> list[Unit]:
        if not self.unled:
            return []
        units = position.pick(position.setting.ids[self.side])
        return [unit for unit in units if cannot_have_leader(position, self.side, unit) is None]

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        """Every hex for each kind of unit that waits; then mines, tank leaders, and the end."""
        if not self.drawn:
            yield DrawPieces()
            return
        if waiting := to_place(sight, self.side):
            placings = list(self._placings(sight, waiting))
            yield from placings or self._pick_ups(sight)
            return
        if self.mines:
            yield from (
                LayMines(hex)
                for hex in sorted(sight.setting.mine_zones[self.side])
                if cannot_lay(sight, self.side, hex) is None
            )
            return
        takers = self._takers(sight)
        yield from (GiveTankLeader(unit.id) for unit in takers)
        if not takers:
            yield Ready()
            yield from (Finish(player) for player in self._busy(sight))
            yield from self._pick_ups(sight)
            for unit in sight.pick(sight.setting.ids[self.side]):
                if cannot_mount(sight, self.side, unit) is None:
                    yield Mount(unit.id)

    def _placings(self, position: Position, waiting: Sequence[Unit]) -> Iterator[Action]:
        seen: list[Unit] = []
        for unit in waiting:
            if not any(alike(position, other, unit) for other in seen):
                yield from places(position, self.side, unit)
                seen.append(unit)

    def _pick_ups(self, position: Position) -> Iterator[Action]:
        units = position.pick(position.setting.ids[self.side])
        return (PickUp(unit.id) for unit in units if cannot_pick_up(position, self.side, unit) is None)

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        """Judge a placement."""
        if isinstance(action, DrawPieces) == self.drawn:
            return Refusal("The leaders are drawn first" if not self.drawn else "The leaders are drawn", "6.1")
        match action:
            case Place(unit, hex):
                return cannot_place(sight, self.side, sight.units[unit], hex)
            case Board(unit, carrier):
                return cannot_board(sight, self.side, sight.units[unit], sight.units[carrier])
            case PickUp(unit) if to_place(sight, self.side):
                return cannot_pick_up(sight, self.side, sight.units[unit])
            case LayMines() | GiveTankLeader() | Mount() | Finish() | Ready() if to_place(sight, self.side):
                return Refusal("{} units wait to be placed", "2.3", (len(to_place(sight, self.side)),))
            case LayMines(hex):
                return cannot_lay(sight, self.side, hex) if self.mines else Refusal("No minefield is left", "16.7")
            case PickUp() | GiveTankLeader() | Mount() | Finish() | Ready() if self.mines:
                return Refusal("{} minefields wait to be laid", "16.7", (len(self.mines),))
            case GiveTankLeader(unit):
                refusal = None if self.unled else Refusal("No tank leader is left", "6.8")
                return refusal or cannot_have_leader(sight, self.side, sight.units[unit])
            case PickUp() | Mount() | Finish() | Ready() if self._takers(sight):
                return Refusal("{} tank leaders wait for their tanks", "6.8", (self.unled,))
            case PickUp(unit):
                return cannot_pick_up(sight, self.side, sight.units[unit])
            case Mount(unit):
                return cannot_mount(sight, self.side, sight.units[unit])
            case Finish(player) if player not in self._busy(sight):
                return Refusal("{} has nothing to finish", PROCEDURE, (player,))
        return None

    def play(self, game: Game[Position], action: Action) -> None:
        """Place, take up, or finish."""
        position = game.state
        match action:
            case DrawPieces():
                leaders.draw(game, self.side)
                if formations.shared(game, self.side):
                    formations.appoint(game, self.side)
                army = position.setting.instructions.sides[self.side]
                self._open(game, _draw_mines(game, army.mines))
            case Place(name, hex):
                position.put(name, hex)
                spotting.hold(position, hex)
                _tell_placed(game, name, hex)
            case Board(name, carrier):
                unit = position.units[name]
                position.change(name, limbered=unit.limbered or must_limber(unit.kind))
                position.load(carrier, name)
                _tell_placed(game, name, str(position.units[carrier].hex))
            case PickUp(name):
                position.lift(name, "to place")
            case LayMines(hex):
                mine = Mine(self.side, self.mines[0])
                position.change_works(hex, mines=(*position.work(hex).mines, mine))
                game.tell(Event("mines", "A minefield lies in {}", (hex,), "16.7", (), (hex,)))
                game.swap(msgspec.structs.replace(self, mines=self.mines[1:]))
            case GiveTankLeader(name):
                position.change(name, tank_leader=True)
                game.swap(msgspec.structs.replace(self, unled=self.unled - 1))
            case Mount(name):
                _mount(game, name)
            case Finish(player):
                game.swap(msgspec.structs.replace(self, finished=(*self.finished, player)))
            case Ready():
                take_control(position)
                game.pop()

    def forced(self, sight: Position) -> bool:
        """Drawing is no choice."""
        return not self.drawn

    def seen_by(self, side: Side) -> Frame:
        """Nobody else knows how strong the mines are."""
        return self if side == self.side else msgspec.structs.replace(self, mines=(0,) * len(self.mines))

    def only(self, state: Position, action: Action) -> tuple[Side, ...]:
        """What is hidden is written down in secret [16.6], and so are tank leaders [6.8]."""
        match action:
            case Place(name) | Board(name) | PickUp(name) if state.units[name].hidden:
                return (self.side,)
            case GiveTankLeader():
                return (self.side,)
        return ()


def _mount(game: Game[Position], name: UnitId) -> None:
    officer = game.state.units[name].officer
    assert officer is not None
    leader = game.state.change(name, officer=msgspec.structs.replace(officer, mounted=True))
    game.tell(Event("leaders", "{} is a cavalry leader", (leader.name,), "6.9", (name,)))


def take_control(position: Position) -> None:
    """The side with the nearer combat units holds a hex at the start, where both are as near nobody [G.control].

    Those aboard a carrier count. Hidden units do not, or who holds what would tell where they are: RULINGS.md P132. By
    day nothing but victory asks who holds a hex, by night every step without a leader does [5.5].
    """
    units = [unit for side in position.setting.sides for unit in position.of(side) if not unit.hidden]
    fit = [unit for unit in units if any(one.combat for one in (unit, *position.pick(unit.cargo)))]
    places = [(unit.side, str(unit.hex)) for unit in fit]
    given = {hex for marker in position.setting.scenario.markers if marker.kind == "control" for hex in marker.at}
    nights = bool(position.setting.instructions.night) or position.is_night
    asked_for = frozenset(position.map.names) if nights else position.setting.objectives
    for hex in sorted(asked_for - given):
        position.control.pop(hex, None)
        nearest: dict[Side, int] = {}
        for side, place in places:
            nearest[side] = min(nearest.get(side, 999), position.map.distance(hex, place))
        if nearest and len(set(nearest.values())) == len(nearest):
            position.control[hex] = min(nearest, key=lambda side: nearest[side])


def _draw_mines(game: Game[Position], number: int) -> tuple[int, ...]:
    """Draw so many markers from the cup, in secret [16.7]."""
    cup = [row.strength for row in game.state.charts.mine_markers.values() for _ in range(row.count)]
    drawn: list[int] = []
    for _ in range(min(number, len(cup))):
        (at,) = game.roll_secret(1, len(cup))
        drawn.append(cup.pop(at - 1))
    return tuple(drawn)


def _tell_placed(game: Game[Position], name: UnitId, hex: Hex) -> None:
    unit = game.state.units[name]
    only = (unit.side,) if unit.hidden else ()
    game.tell(Event("placed", "{} sets up in {}", (unit.name, hex), "2.3", (name,), (hex,), only=only))


# --- cases --------------------------------------------------------------------------------------------------


def arrange_position(scenario: Scenario, case: Case) -> Position:
    """The position that a case file describes; instructions left out are those of a plain fight. Raises BadInput."""
    told = scenario.special.get("sides", {})
    plain = {"sides": {side: {"initiative": 3, **told.get(side, {})} for side in scenario.sides}}
    given = instructions({"year": 1943, **scenario.special, **plain}, tuple(scenario.sides))
    position = empty_position(_empty_setting(scenario, given, load_charts()))
    position.turn, position.current = case.turn, case.side
    for marker in case.markers:
        _check_hexes(position.map, (marker.at,), case.name)
        lay_marker(position, Marker(marker.kind, (marker.at,), marker.side, marker.value), marker.at)
    for name, piece in case.units.items():
        _arrange_unit(position, case, name, piece.unit, piece.side, piece.at, dict(piece.values))
    for hex, stack in position.stacks.items():
        position.stacks[hex] = stack[::-1]  # in the file the first of a hex lies on top
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
        kind = kind_named(made.charts, kind_id, case.name)
        kind = msgspec.structs.replace(
            kind, **{k: v for k, v in values.items() if k in Kind.__struct_fields__ and k not in _STATE}
        )
        side = side or next((s for s, d in made.scenario.sides.items() if d.nation == kind.nation), made.sides[0])
    side = side or made.sides[0]
    state = {key: value for key, value in values.items() if key in _STATE}
    known = {*state, *_OFFICER, *Kind.__struct_fields__, "carrier", "arrives", "entry"}
    if unknown := set(values) - known:
        raise BadInput(f"unit {name} has {sorted(unknown)}", case.name, "values printed on it, or its state")
    made.ids[side] = (*made.ids[side], name)
    morale = morale_of(made, side, kind) if kind else (0, 0)
    unit = Unit(id=name, side=side, kind=kind, officer=officer, name=name, morale=morale, status="reserve")
    position.units[name] = msgspec.convert({**msgspec.structs.asdict(unit), **state}, Unit)
    if "entry" in values:
        made.entries[name] = (int(values.get("arrives", 1)), tuple(values["entry"]))
    if at:
        _check_hexes(made.map, (at,), f"{case.name}: unit {name}")
        position.put(name, at)
        spotting.hold(position, at)
