"""Game start: from a scenario to a position, and the frame in which a side sets up its stands [SEQ-2, SCN-3]."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

from msgspec.structs import replace

from opfire.core.actions import NOBODY, PROCEDURE, Action, Offer, Refusal, Region
from opfire.core.errors import BadInput
from opfire.core.events import Event
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.places import INCH, Point, tenths, text
from opfire.core.scenario import Force, Marker, Scenario
from opfire.core.scenario import Zone as Named
from opfire.core.texts import say
from opfire.kit import setup as kit
from opfire.kit.setup import PickUp, Ready, StartAboard
from opfire.kit.table import Area, Zone, open_choice, places, spots
from opfire.kit.table import zone as read_zone
from opfire.kit.terrain import named
from opfire.rulesets.panzerblitz_miniatures.actions import SetDown
from opfire.rulesets.panzerblitz_miniatures.airpower.armament import arms, check_sorties, sortie
from opfire.rulesets.panzerblitz_miniatures.charts import Charts, Kind, load_charts
from opfire.rulesets.panzerblitz_miniatures.fire.missions import INDIRECT
from opfire.rulesets.panzerblitz_miniatures.moving.movement_costs import Mover, Prices
from opfire.rulesets.panzerblitz_miniatures.moving.occupation import cannot_occupy, has_room, move_in
from opfire.rulesets.panzerblitz_miniatures.moving.reach import Other, Others, cannot_stop
from opfire.rulesets.panzerblitz_miniatures.moving.transport import no_room
from opfire.rulesets.panzerblitz_miniatures.moving.works import Work, WorkKind
from opfire.rulesets.panzerblitz_miniatures.options import OPTIONS
from opfire.rulesets.panzerblitz_miniatures.pieces import (
    Landing,
    Position,
    Setting,
    Side,
    Stand,
    Start,
    UnitId,
    not_yours,
    off_the_table,
)
from opfire.rulesets.panzerblitz_miniatures.sections import Doctrine, MiniatureSections
from opfire.space.table import laid

VOCABULARY = "miniatures"


class Place(Action, frozen=True):
    """Set a stand up at a point (1/1000 inch), with a facing in whole degrees."""

    says = "{unit} sets up at {to}, facing {facing}"
    kind = "place"
    unit: UnitId
    to: Point
    facing: int


# --- from a scenario to a setting ---------------------------------------------------------------------------


def setting(scenario: Scenario, charts: Charts | None = None) -> Setting:
    """The constants of a game of this scenario. Raises BadInput for unknown names."""
    made = bare_setting(scenario, charts)
    zones = {zone.name: read_zone(made.table, zone.list, area) for zone, area in _zones(made)}
    made.roster = tuple(start for side in scenario.sides for start in _forces(made, side, zones))
    made.works = tuple(_works(made))
    check_minefields(made.works)
    return made


def bare_setting(scenario: Scenario, charts: Charts | None = None) -> Setting:
    """The constants of a game whose units are not known yet. Raises BadInput."""
    sections = scenario.rest.read(MiniatureSections)
    table = laid(sections.table, scenario.id, named(VOCABULARY))
    made = Setting(scenario, sections, table, charts or load_charts())
    table.metres = int(made.charts.named["metres per inch"])
    kit.check_options(scenario.options, {option.rule for option in OPTIONS})
    for side, doctrine in sections.sides.items():
        if doctrine.equipment:
            kit.kind_named(made.charts.kinds, doctrine.equipment, f"sides.{side}.equipment")
        if doctrine.morale not in made.charts.morale:
            known = ", ".join(sorted(made.charts.morale))
            raise BadInput(f"morale {doctrine.morale!r}", f"sides.{side}", known)
    made.exits, made.objectives = places(made.table, scenario)
    check_sorties(made)
    return made


def _zones(made: Setting) -> Iterator[tuple[Named, Area]]:
    return zip(made.scenario.zones, made.sections.zones, strict=True)


def _forces(made: Setting, side: Side, zones: dict[str, Zone]) -> Iterator[Start]:
    """Every stand of a side with its starting point, if that is fixed."""
    counts: dict[str, int] = {}
    where = f"sides.{side}.units"
    for force in made.scenario.sides[side].units:
        kind = kit.kind_named(made.charts.kinds, force.unit, where)
        _check_force(force, zones, where)
        at = tuple(made.table.parse(place, where) for place in force.at)
        for index in range(force.count):
            stand = _stand(made, side, kind, counts)
            fixed = not force.zone and len(at) in (1, force.count)
            made.zones[stand.id] = zones.get(force.zone, Zone(None, () if fixed else at))
            yield Start(stand, at[index % len(at)] if fixed else None)
    for arrival in made.scenario.sides[side].reinforcements:
        for place in arrival.entry:
            made.table.parse(place, f"sides.{side}.reinforcements")
        for name, count in arrival.units.items():
            kind = kit.kind_named(made.charts.kinds, name, f"sides.{side}.reinforcements")
            for _ in range(count):
                stand = replace(_stand(made, side, kind, counts), status="reserve")
                made.entries[stand.id] = (arrival.turn, arrival.entry)
                yield Start(stand)
    yield from _guns_off_board(made, side, counts)
    yield from _landings(made, side, counts)


def _guns_off_board(made: Setting, side: Side, counts: dict[str, int]) -> Iterator[Start]:
    """The guns that support a side from off the board [NEU-7]."""
    for support in made.doctrine(side).off_board:
        where = f"sides.{side}.off_board"
        kind = kit.kind_named(made.charts.kinds, support.unit, where)
        if kind.weapon not in INDIRECT:
            raise BadInput(f"{support.unit!r} off the board", where, "units of class M or (H)")
        for _ in range(support.count):
            yield Start(replace(_stand(made, side, kind, counts), status="off-board", missions=support.missions))


def _landings(made: Setting, side: Side, counts: dict[str, int]) -> Iterator[Start]:
    """The airborne troops of a side, which wait for their drop [ABN-1]. Raises BadInput."""
    where = f"sides.{side}.airborne"
    for drop in made.doctrine(side).airborne:
        kinds = [
            kit.kind_named(made.charts.kinds, name, where) for name, many in drop.units.items() for _ in range(many)
        ]
        stands = [replace(_stand(made, side, kind, counts), status="reserve") for kind in kinds]
        if not stands or any(stand.vehicle or stand.aircraft for stand in stands):
            raise BadInput("a landing from the air", where, "stands of guns and personnel")
        made.landings[stands[0].id] = Landing(drop.by, drop.turn, tuple(stand.id for stand in stands))
        yield from map(Start, stands)


def _check_force(force: Force, zones: Iterable[str], where: str) -> None:
    if force.zone and force.zone not in zones:
        raise BadInput(f"there is no zone {force.zone!r}", where, ", ".join(zones))
    if not (force.zone or force.at or force.carrier):
        raise BadInput(f"{force.unit!r} has no place", where, "zone, at or carrier")


def _stand(made: Setting, side: Side, kind: Kind, counts: dict[str, int]) -> Stand:
    counts[kind.id] = counts.get(kind.id, 0) + 1
    number = len(made.ids[side]) + 1
    doctrine = made.doctrine(side)
    stand = Stand(
        id=f"{side}-{number}",
        side=side,
        kind=kind,
        name=f"{kind.name} {counts[kind.id]}",
        facing=doctrine.facing,
        missiles=kind.missile_shots,
        shells=_shells(made, side),
        anti_tank=anti_tank_shots(doctrine, kind),
        flames=flamethrower_shots(doctrine, kind),
        mines=doctrine.mines if kind.engineer == "X" else 0,
        arms=arms(made, side, kind),
        stays=sortie(made, side, kind).stays,
    )
    made.ids[side] = (*made.ids[side], stand.id)
    return stand


def _shells(made: Setting, side: Side) -> int:
    """The smoke shells of a unit of the side [SSC-8]."""
    usual, own = made.charts.named["smoke attacks"], made.doctrine(side).smoke
    return int(usual) if own is None else own


def anti_tank_shots(doctrine: Doctrine, kind: Kind) -> int:
    """The anti-tank shots of a stand: infantry and engineers may have some, scouts never [STD-4, STD-5, STD-9]."""
    return doctrine.anti_tank if kind.type in ("infantry", "engineer") else 0


def flamethrower_shots(doctrine: Doctrine, kind: Kind) -> int:
    """The shots of an engineer's flamethrower, three at most [STD-7]."""
    return doctrine.flamethrowers if kind.type == "engineer" else 0


# --- works [PSD-1] --------------------------------------------------------------------------------------------

WORKS: dict[str, WorkKind] = {
    "block": "block",
    "fort": "fort",
    "mines": "mines",
    "improved position": "improved position 1",
    "improved position 1": "improved position 1",
    "improved position 2": "improved position 2",
    "wreck": "wreck",
    "horses": "horses",
}


_DRY = frozenset({"swamp", "water", "stream", "beach"})
BARRED: dict[WorkKind, frozenset[str]] = {
    "block": frozenset({"water"}),
    "mines": frozenset({"swamp", "water"}),
    "fort": _DRY,
    "improved position 1": _DRY,
    "improved position 2": _DRY,
    "wreck": frozenset(),
    "horses": frozenset(),
}
"""The ground on which each kind of work never lies [BLK-2, MIN-2, FRT-2, IMP-2]."""


def _works(made: Setting) -> Iterator[Work]:
    for marker in made.scenario.markers:
        if marker.kind not in WORKS:
            raise BadInput(f"marker {marker.kind!r}", "markers", ", ".join(WORKS))
        for at in marker.at:
            yield lay(made, marker, made.table.parse(at, "markers"), f"{marker.kind}@{at}")


def check_minefields(works: Iterable[Work]) -> None:
    """Minefields do not lie on each other [MIN-2]. Raises BadInput."""
    mines = [work for work in works if work.kind == "mines"]
    for a, b in combinations(mines, 2):
        if all(abs(m - n) < INCH for m, n in zip(a.at, b.at, strict=True)):
            raise BadInput(
                f"two minefields at {text(a.at)} and {text(b.at)}", "markers", "one in each place, an inch apart"
            )


def lay(made: Setting, marker: Marker, at: Point, id: str) -> Work:
    """A work of a scenario or a case. Raises BadInput where no such work may lie [MIN-2, FRT-2, IMP-2, BLK-2]."""
    work = Work(id, WORKS[marker.kind], at, marker.side)
    if bad := BARRED[work.kind].intersection(made.table.ground.at(at).kinds):
        raise BadInput(f"{work.kind} at {text(at)} lies in {', '.join(sorted(bad))}", "markers", "other ground")
    return work


# --- from a setting to the first position -------------------------------------------------------------------


def first_position(made: Setting) -> Position:
    """Stands waiting to be placed, stands with a fixed point there, works laid. Raises BadInput."""
    position = Position(made, {}, {work.id: work for work in made.works}, {}, {})
    for start in made.roster:
        position.units[start.stand.id] = start.stand
    for start in made.roster:
        if start.at is not None:
            if refusal := unfit(position, start.stand, start.at):
                raise BadInput(refusal.sentence(), f"units of {start.stand.side}", "a set-up within the rules")
            position.put(start.stand.id, start.at)
            move_in(position, start.stand.id)
    for side, data in made.scenario.sides.items():
        units = [(name, position.units[name].kind.id) for name in made.ids[side]]
        for carrier, name in kit.carried(data.units, units, side):
            board(position, carrier, name)
        _equip(position, side)
    return position


def _equip(position: Position, side: Side) -> None:
    """Give the first vehicle of the named type to the first engineer stand of the side, and so on [ENG-2]."""
    units = position.pick(position.setting.ids[side])
    vehicles = [unit.id for unit in units if unit.kind.id == position.setting.doctrine(side).equipment]
    engineers = [unit.id for unit in units if unit.kind.engineer == "X"]
    for engineer, vehicle in zip(engineers, vehicles, strict=False):
        position.change(engineer, equipment=vehicle)


def board(position: Position, carrier: UnitId, unit: UnitId) -> None:
    """Put a stand into or onto its carrier."""
    bearer = position.units[carrier]
    position.change(carrier, cargo=(*bearer.cargo, unit))
    position.change(unit, carrier=carrier, at=bearer.at, status=bearer.status)


# --- set-up -------------------------------------------------------------------------------------------------


def others(position: Position, unit: Stand) -> Others:
    """The stands and wrecks that this stand goes around."""
    friends = tuple(_obstacles(other for other in position.of(unit.side) if other.id != unit.id))
    enemies = tuple(_obstacles(position.enemies(unit.side)))
    wrecks = tuple(Other(work.at, "the wreck") for work in position.works.values() if work.kind == "wreck")
    return Others(position.setting.base, friends, enemies, wrecks)


def _obstacles(stands: Iterable[Stand]) -> Iterator[Other]:
    """The stands that others go around: none in the air [HEL-2], and those in buildings are off the table [BLD-3]."""
    return (Other(at, stand.name) for stand in stands if (at := stand.standing) and not stand.floor)


def unfit(position: Position, unit: Stand, at: Point) -> Refusal | None:
    """Reject a point that cannot take the stand, whatever its zone."""
    made = position.setting
    if not made.table.holds(at):
        return Refusal("{} is too near the edge of the table", "MOV-1", (tenths(at),))
    if unit.aircraft:
        return None
    around = others(position, unit)
    for other in (*around.enemies, *around.wrecks):
        if made.table.overlap(at, other.at):
            return Refusal("{} is there already", "MOV-9", (other.name,))
    apart = None if has_room(position, unit, at) else cannot_stop(made.table.ground, at, around)
    return cannot_occupy(position, unit, at) or apart or _closed_ground(position, unit, at)


def _closed_ground(position: Position, unit: Stand, at: Point) -> Refusal | None:
    """Reject ground that the stand could not have entered; a towed gun may stand wherever foot may."""
    mode = "P" if unit.kind.mode == "TO" else unit.kind.mode
    swims = unit.kind.amphibious and position.setting.doctrine(unit.side).swims
    ground = position.setting.country(position.works.values()).ground
    boat = unit.kind.engineer == "F"
    if Prices(position.charts, Mover(mode, amphibious=swims, boat=boat)).inch(ground.at(at).features) is None:
        return Refusal("{} cannot stand at {}: its ground is closed to it", "MOV-2", (unit.name, tenths(at)))
    return None


def cannot_place(position: Position, side: Side, unit: Stand, at: Point, facing: int) -> Refusal | None:
    """Reject a stand that may not set up there."""
    if refusal := not_yours(side, unit) or kit.placed_already(unit):
        return refusal
    if not 0 <= facing < 360:
        return Refusal("{} is no facing: choose 0 to 359 degrees", PROCEDURE, (facing,))
    if at not in position.setting.zones[unit.id]:
        return Refusal("{} cannot set up at {}: choose a point of its zone", "SEQ-2", (unit.name, tenths(at)))
    return unfit(position, unit, at)


def to_place(position: Position, side: Side) -> list[Stand]:
    """The side's stands that wait to be placed."""
    return kit.waiting(position.pick(position.setting.ids[side]))


def offers(position: Position, unit: Stand) -> Iterator[Offer]:
    """The points at which a stand may be set up, and the carriers that it may board."""
    zone, side = position.setting.zones[unit.id], unit.side
    facing = position.setting.doctrine(side).facing
    first = next((at for at in spots(zone) if cannot_place(position, side, unit, at, facing) is None), None)
    if first is not None:
        yield Place(unit.id, first, facing)
        if zone.box is not None:
            yield Region(Place(unit.id, first, facing), zone.box, ("to", "facing"))
    for carrier in position.of(side):
        if no_room(position, unit, carrier) is None:
            yield StartAboard(unit.id, carrier.id)


class SetUp(Frame, frozen=True):
    """A side places its stands as the scenario says."""

    takes = (Place, StartAboard, PickUp, SetDown, Ready)
    step = "set-up"
    rule = "SEQ-2"
    question = "Place your stands in their zones"

    def prompt(self, sight: Position, side: str) -> str:
        if side != self.side or to_place(sight, side):
            return say(self.question)
        return say("All your stands are in place: complete the set-up, or change it")

    def begin(self, game: Game[Position]) -> None:
        if not to_place(game.state, self.side) and not self._movable(game.state):
            game.pop()

    def _movable(self, position: Position) -> bool:
        placed = position.pick(position.setting.ids[self.side])
        return any(open_choice(position.setting.zones.get(unit.id)) or (unit.helicopter and unit.at) for unit in placed)

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        """Stands that wait, or nobody; when all stand, and where none can, the placed ones too."""
        waiting = to_place(sight, side)
        if not waiting:
            yield NOBODY
        yield from (unit.id for unit in waiting)
        if all(next(offers(sight, unit), None) is None for unit in waiting):
            yield from (unit.id for unit in sight.pick(sight.setting.ids[side]) if unit.at is not None)

    def acts(self, sight: Position, side: str, actor: str) -> Iterable[Offer]:
        if actor == NOBODY:
            return (Ready(),)
        unit = sight.units[actor]
        if unit.status == "to place":
            return offers(sight, unit)
        return (each for each in (PickUp(actor), SetDown(actor)) if self.refusal(sight, side, each) is None)

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case Place(unit, to, facing):
                return cannot_place(sight, self.side, sight.units[unit], to, facing)
            case StartAboard(unit, carrier):
                return cannot_board(sight, self.side, sight.units[unit], sight.units[carrier])
            case PickUp(unit):
                return cannot_pick_up(sight, self.side, sight.units[unit])
            case SetDown(unit):
                return cannot_set_down(sight, side, sight.units[unit])
            case Ready() if to_place(sight, self.side):
                left = len(to_place(sight, self.side))
                words = "{} stand waits to be placed" if left == 1 else "{} stands wait to be placed"
                return Refusal(words, "SEQ-2", (left,))
        return None

    def play(self, game: Game[Position], action: Action) -> None:
        position = game.state
        match action:
            case Place(name, to, facing):
                position.put(name, to, facing=facing)
                move_in(position, name)
                _tell_placed(game, name)
            case StartAboard(name, carrier):
                board(position, carrier, name)
                _tell_placed(game, name)
            case PickUp(name):
                _take_up(position, name)
            case SetDown(name):
                set_down(game, name)
            case Ready():
                game.pop()


def cannot_board(position: Position, side: Side, unit: Stand, carrier: Stand) -> Refusal | None:
    """Reject a stand that may not start aboard that carrier [TRN-1, TRN-11]."""
    refusal = not_yours(side, unit) or kit.placed_already(unit) or not_yours(side, carrier)
    if refusal:
        return refusal
    if carrier.at is None:
        return Refusal("{} is not on the table yet", PROCEDURE, (carrier.name,))
    return no_room(position, unit, carrier)


def cannot_pick_up(position: Position, side: Side, unit: Stand) -> Refusal | None:
    """Reject a stand that may not be taken up again: its place has to be its player's own choice.

    While others wait, a stand is taken up only if none of them has a place left.
    """
    if refusal := not_yours(side, unit):
        return refusal
    if unit.at is None or not open_choice(position.setting.zones.get(unit.id)):
        return Refusal("{} has a fixed place in the scenario", PROCEDURE, (unit.name,))
    waiting = to_place(position, side)
    if any(next(offers(position, other), None) is not None for other in waiting):
        return Refusal("Place the other stands first", PROCEDURE)
    return None


def cannot_set_down(position: Position, side: Side, unit: Stand) -> Refusal | None:
    """Reject a unit that cannot have a down counter placed on it [HDN-1, HDN-2]."""
    if refusal := not_yours(side, unit) or off_the_table(unit):
        return refusal
    if not unit.helicopter or unit.down:
        return Refusal("{} is no helicopter in the air", "HDN-1", (unit.name,))
    assert unit.at is not None
    around = others(position, unit)
    below = next((o for o in (*around.friends, *around.enemies) if position.table.overlap(unit.at, o.at)), None)
    return Refusal("{} is there: {} cannot go down on it", "MOV-8", (below.name, unit.name)) if below else None


def set_down(game: Game[Position], unit_id: UnitId) -> None:
    """Place a down counter on a helicopter [HDN-2]."""
    unit = game.state.change(unit_id, down=True)
    assert unit.at is not None
    game.tell(Event("moved", "{} is down at {}", (unit.name, tenths(unit.at)), "HDN-2", (unit_id,), (unit.at,)))


def _take_up(position: Position, unit_id: UnitId) -> None:
    position.lift(unit_id, "to place")


def _tell_placed(game: Game[Position], unit_id: UnitId) -> None:
    unit = game.state.units[unit_id]
    assert unit.at is not None
    game.tell(Event("placed", "{} sets up at {}", (unit.name, tenths(unit.at)), "SEQ-2", (unit_id,), (unit.at,)))
