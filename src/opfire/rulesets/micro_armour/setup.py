"""Game start: from a scenario to a position, and the frame in which a side sets up its stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from opfire.core.actions import NOBODY, PROCEDURE, Action, Offer, Refusal, Region
from opfire.core.errors import BadInput
from opfire.core.events import Event
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.places import Point, tenths
from opfire.core.scenario import Force, Marker, Scenario
from opfire.core.texts import say
from opfire.kit import setup as kit
from opfire.kit import table as tables
from opfire.kit.setup import PickUp, Ready
from opfire.kit.table import Zone, open_choice, spots
from opfire.kit.terrain import named
from opfire.rulesets.micro_armour import decisions
from opfire.rulesets.micro_armour.air.planes import Plane
from opfire.rulesets.micro_armour.airborne.drops import Drop, Landing
from opfire.rulesets.micro_armour.charts import Charts, Weapon, load_charts
from opfire.rulesets.micro_armour.design.prices import dummies_allowed
from opfire.rulesets.micro_armour.hiding import hides, uncover
from opfire.rulesets.micro_armour.moving.marching import in_water
from opfire.rulesets.micro_armour.moving.prices import WATER_RULES
from opfire.rulesets.micro_armour.options import OPTIONS
from opfire.rulesets.micro_armour.pieces import (
    Position,
    Setting,
    Side,
    Stand,
    Start,
    UnitId,
    Work,
    WorkKind,
    not_yours,
    others_at,
    overhangs,
)
from opfire.rulesets.micro_armour.sections import ArmourSections, LandingGroup, Troops
from opfire.rulesets.micro_armour.weather import frozen
from opfire.rulesets.micro_armour.works.laying import Lay, cannot_lay, lay, lays, stocks
from opfire.space.table import laid

VOCABULARY = "micro_armour"

WORKS: tuple[WorkKind, ...] = (
    "light position",
    "medium position",
    "heavy position",
    "wire",
    "mines",
    "ditch",
    "wreck",
    "brush",
)
"""The markers that a scenario may lay."""

OPEN_WATER = ("water", "river")
"""The water that boats are on [10.12], and on which nobody else is set up [9.5.1, 9.5.2]."""

METRES = 100
"""The metres that an inch of the table stands for [1.0-scale]."""

HEAT_SINCE = "1941-01"
"""The last month without hollow charge ammunition [12.11]."""

HORSES, LED = 5, 3
"""The defence and the movement points of a stand of horses [10.10.5]."""

LED_WITH = " horses"
"""The end of the id of the horses of a cavalry stand, after the stand's own."""

KNOWN = "an id of weapons.csv"


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
    if made.sections.strikes or made.sections.missions or made.sections.landings or made.sections.broken:
        raise BadInput("plots that are written already", scenario.id, "none: players write them")
    areas = zip(scenario.zones, made.sections.zones, strict=True)
    zones = {named.name: tables.zone(made.table, named.list, area) for named, area in areas}
    made.named_zones = zones
    _check_stocks(made)
    rosters = [_ranked(made, side, [*_forces(made, side, zones)]) for side in scenario.sides]
    made.roster = tuple(start for roster in rosters for start in roster)
    markers = zip(scenario.markers, made.sections.markers, strict=True)
    decisions.check(made)
    made.works = tuple(work for marker, more in markers for work in _works(made, marker, more.facing))
    return made


def bare_setting(scenario: Scenario, charts: Charts | None = None) -> Setting:
    """The constants of a game whose stands are not known yet. Raises BadInput."""
    sections = scenario.rest.read(ArmourSections)
    made = Setting(scenario, sections, laid(sections.table, scenario.id, named(VOCABULARY)), charts or load_charts())
    made.table.metres = METRES
    kit.check_options(scenario.options, {option.rule for option in OPTIONS})
    for name in sections.weather:
        kit.kind_named(made.charts.weather, name, "weather", ", ".join(made.charts.weather), "weather")
    made.exits, made.objectives = tables.places(made.table, scenario)
    return made


def _check_stocks(made: Setting) -> None:
    """Check the works that sides lay themselves. Raises BadInput for mines without a value, and unknown zones."""
    for side in made.scenario.sides:
        where = f"sides.{side}.works"
        preset, vanguard = made.troops(side).preset, made.troops(side).vanguard
        _check_zones(made, vanguard.zones if vanguard else [], f"sides.{side}.vanguard")
        _check_zones(made, [preset.zone] if preset else [], f"sides.{side}.preset")
        _check_zones(made, [stock.zone for stock in made.troops(side).works], where)
        _check_dummies(made, side, where)
        for stock in made.troops(side).works:
            if (stock.kind == "mines") != bool(stock.value):
                raise BadInput(f"{stock.kind} of value {stock.value!r}", where, "a value for mines, and for them alone")


def _check_dummies(made: Setting, side: Side, where: str) -> None:
    """Check the dummies among the mines that a side lays and those that lie already: its cohesion limits them [11.1.3].

    Raises BadInput.
    """
    laid = [(stock.value, stock.count) for stock in made.troops(side).works if stock.kind == "mines"]
    given = [mark for mark in made.scenario.markers if mark.kind == "mines" and mark.side == side]
    mines = [*laid, *((mark.value, len(mark.at)) for mark in given)]
    dummies = sum(count for value, count in mines if value == "dummy")
    most = dummies_allowed(made.charts, made.troops(side).cohesion, sum(count for _, count in mines) - dummies)
    if dummies > most:
        raise BadInput(f"{dummies} dummy minefields (11.1.3)", where, f"{most} at most")


def _check_zones(made: Setting, names: Iterable[str], where: str) -> None:
    """Check names of zones. Raises BadInput."""
    for name in names:
        if name not in made.named_zones:
            raise BadInput(f"there is no zone {name!r}", where, ", ".join(made.named_zones))


def _forces(made: Setting, side: Side, zones: dict[str, Zone]) -> Iterator[Start]:
    """Every stand of a side with its starting point, if that is fixed. Raises BadInput."""
    where = f"sides.{side}.units"
    counts: dict[str, int] = {}
    for force in made.scenario.sides[side].units:
        kind = weapon(made, force.unit, where)
        points = _points(made, force, zones, where)
        fixed = bool(points) and not force.zone and len(points) in (1, force.count)
        for index in range(force.count):
            stand = new_stand(made, side, kind, counts)
            made.zones[stand.id] = zones[force.zone] if force.zone else Zone(None, () if fixed else points)
            yield Start(stand, points[index % len(points)] if fixed else None)
            yield from horses(made, stand)
    for name, count in made.troops(side).off_map.items():
        kind = weapon(made, name, f"sides.{side}.off_map")
        for _ in range(count):
            stand = replace(new_stand(made, side, kind, counts), status="off the map")
            yield Start(replace(stand, allotted=made.troops(side).fire_turns.get(name)))
    for number, group in enumerate(made.troops(side).landings):
        yield from _landing(made, side, number, group, zones, counts)
    for arrival in made.scenario.sides[side].reinforcements:
        for name, count in arrival.units.items():
            kind = weapon(made, name, f"sides.{side}.reinforcements")
            for _ in range(count):
                stand = replace(new_stand(made, side, kind, counts), status="reserve")
                made.entries[stand.id] = (arrival.turn, arrival.entry)
                yield Start(stand)
                yield from horses(made, stand)


def horses(made: Setting, rider: Stand) -> Iterator[Start]:
    """The horses of a cavalry stand, which are with it until it dismounts [10.10.5]."""
    kind = rider.kind
    if not kind.has("cavalry") or kind.kind != "personnel":
        return
    horse = replace(
        kind, id="horses", ap=0, he=0, defence=HORSES, mov_points=LED, tran_req=None, traits="horses", points=0
    )
    name = rider.id + LED_WITH
    made.ids[rider.side] = (*made.ids[rider.side], name)
    yield Start(replace(rider, id=name, kind=horse, name=f"Horses of {rider.name}", rank="", status="led"))


def _landing(
    made: Setting, side: Side, number: int, group: LandingGroup, zones: dict[str, Zone], counts: dict[str, int]
) -> Iterator[Start]:
    """The stands of a landing group, which wait in the air [8.10.1.1, 8.10.2.1]. Raises BadInput."""
    where = f"sides.{side}.landings"
    rows = [row.conditions for row in made.charts.landing_drift.values() if row.by == group.by]
    if group.conditions not in rows:
        raise BadInput(f"the conditions {group.conditions!r} of {group.name}", where, ", ".join(rows))
    if group.by == "parachute" and group.turn:
        raise BadInput(f"{group.name} jump in turn {group.turn}", where, "0: paratroopers land before the first turn")
    if group.turn > made.scenario.turns:
        raise BadInput(
            f"{group.name} land in turn {group.turn}", where, f"a turn up to {made.scenario.turns}, the last"
        )
    if not group.place and group.zone not in zones:
        raise BadInput(f"there is no zone {group.zone!r}", where, "a place, or one of " + ", ".join(zones))
    stands = []
    for name, count in group.units.items():
        kind = weapon(made, name, where)
        stands += [replace(new_stand(made, side, kind, counts), status="reserve") for _ in range(count)]
    zone = Zone(None, (made.table.parse(group.place, where),)) if group.place else zones[group.zone]
    names = tuple(stand.id for stand in stands)
    landing = Landing(f"{side}-landing-{number + 1}", side, group, names, zone)
    made.landings[landing.id] = landing
    yield from (Start(stand) for stand in stands)


def _points(made: Setting, force: Force, zones: dict[str, Zone], where: str) -> tuple[Point, ...]:
    """The points of a force. Raises BadInput for a force without a place."""
    if force.zone and force.zone not in zones:
        raise BadInput(f"there is no zone {force.zone!r}", where, ", ".join(zones))
    if not (force.zone or force.at or force.carrier):
        raise BadInput(f"{force.unit!r} has no place", where, "zone, at or carrier")
    return tuple(made.table.parse(place, where) for place in force.at)


def weapon(made: Setting, name: str, where: str) -> Weapon:
    """The row of the weapons data of a stand, or of a scenario's own table.

    Raises BadInput for an unknown id, and for a second weapon.
    """
    kind = kit.kind_named(made.charts.stands, name, where, KNOWN)
    if kind.row != "unit":
        raise BadInput(f"{name!r} is a weapon of {kind.parent}", where, kind.parent)
    return kind


def new_stand(made: Setting, side: Side, kind: Weapon, counts: dict[str, int]) -> Stand:
    """The next stand of a side; `counts` numbers the stands of each type."""
    counts[kind.id] = counts.get(kind.id, 0) + 1
    facing = made.troops(side).facing
    stand = Stand(
        id=f"{side}-{sum(not name.endswith(LED_WITH) for name in made.ids[side]) + 1}",
        side=side,
        kind=kind,
        name=f"{kind.name} {counts[kind.id]}",
        facing=facing,
        laid=facing,
        rank="HQ" if kind.has("hq") else "",
        heat=has_heat(made, side, kind),
    )
    made.ids[side] = (*made.ids[side], stand.id)
    return stand


def has_heat(made: Setting, side: Side, kind: Weapon) -> bool:
    """Return whether a stand has hollow charge ammunition: German 75 mm L/24 and infantry guns from 1941 on [12.11]."""
    gun = "75L24" in kind.name or kind.name.startswith("75mm IG")
    return made.has("12.11") and kind.nation == "Germany" and gun and made.sections.date > HEAT_SINCE


# --- the order of battle: formations, headquarters, [R] and special ammunition ---------------------------------


def _ranked(made: Setting, side: Side, starts: list[Start]) -> Iterator[Start]:
    """The stands of a side with their formations, ranks and designations [10.1, 10.6, 12.9]. Raises BadInput."""
    troops = made.troops(side)
    stands = {start.stand.id: start.stand for start in starts}
    _assign(stands, troops, f"sides.{side}")
    return (replace(start, stand=stands[start.stand.id]) for start in starts)


def _assign(stands: dict[UnitId, Stand], troops: Troops, where: str) -> None:
    for formation in troops.formations:
        for kind, count in formation.units.items():
            free = (name for name, stand in stands.items() if stand.kind.id == kind and not stand.formation)
            for name in _taken(free, count, kind, f"{where}.formations"):
                stands[name] = replace(stands[name], formation=formation.name)
    for command in troops.commands:
        free = (name for name, stand in stands.items() if stand.kind.id == command.unit and not stand.quality)
        free = (name for name in free if stands[name].rank != "GHQ" and command.rank != stands[name].rank)
        for name in _taken(free, 1, command.unit, f"{where}.commands"):
            stands[name] = replace(stands[name], rank=command.rank, quality=command.quality)
    for kind, count in troops.recon.items():
        for name in _taken(_of_kind(stands, kind), count, kind, f"{where}.recon"):
            stands[name] = replace(stands[name], recon=True)
    for kind, count in troops.special_ammunition.items():
        for name in _taken(_of_kind(stands, kind), count, kind, f"{where}.special_ammunition"):
            stands[name] = replace(stands[name], special=True)
    for outfit in troops.equipment:
        own = (name for name in _of_kind(stands, outfit.unit) if outfit.formation in ("", stands[name].formation))
        plain = (name for name in own if not stands[name].equipment)
        for name in _taken(plain, outfit.count, outfit.unit, f"{where}.equipment"):
            stands[name] = replace(stands[name], equipment=(outfit.means,))


def _of_kind(stands: dict[UnitId, Stand], kind: str) -> Iterator[UnitId]:
    return (name for name, stand in stands.items() if stand.kind.id == kind)


def _taken(names: Iterable[UnitId], count: int, kind: str, where: str) -> list[UnitId]:
    """The first `count` of these stands. Raises BadInput where there are fewer."""
    found = [*names][:count]
    if len(found) < count:
        raise BadInput(f"{count} of {kind!r}", where, f"no more than the {len(found)} that are left of that type")
    return found


# --- works ------------------------------------------------------------------------------------------------------


def _works(made: Setting, marker: Marker, facing: int) -> Iterator[Work]:
    """The works of a marker entry of a scenario. Raises BadInput."""
    if marker.kind not in WORKS:
        raise BadInput(f"marker {marker.kind!r}", "markers", ", ".join(WORKS))
    kind = next(kind for kind in WORKS if kind == marker.kind)
    for at in marker.at:
        yield Work(f"{kind}@{at}", kind, made.table.parse(at, "markers"), facing, marker.side, marker.value)


# --- aircraft ---------------------------------------------------------------------------------------------------


def planes(made: Setting, side: Side) -> Iterator[Plane]:
    """The aircraft of a side [12.3.1]. Raises BadInput for an unknown type, and without the option."""
    where = f"sides.{side}.aircraft"
    listed = made.troops(side).aircraft
    if listed and not made.has("12.3"):
        raise BadInput("aircraft without their rules", where, "the option 12.3")
    for name, count in listed.items():
        kind = kit.kind_named(made.charts.aircraft, name, where, "an id of aircraft.csv")
        if kind.row != "aircraft":
            raise BadInput(f"{name!r} is a second load of {kind.parent}", where, kind.parent)
        for number in range(1, count + 1):
            yield Plane(id=f"{side}-{kind.id}-{number}", side=side, kind=kind, name=f"{kind.name} {number}")


# --- from a setting to the first position -------------------------------------------------------------------


def first_position(made: Setting) -> Position:
    """Stands waiting to be placed, stands with a fixed point there, works laid. Raises BadInput."""
    stands = {start.stand.id: start.stand for start in made.roster}
    position = Position(made, stands, {work.id: work for work in made.works}, {}, {})
    position.drops.update(
        {
            name: Drop(each.zone.points[0], each.group.toward, shown=True)
            for name, each in made.landings.items()
            if each.group.place
        }
    )
    position.planes.update({plane.id: plane for side in made.sides for plane in planes(made, side)})
    for start in made.roster:
        if start.at is not None:
            if refusal := unfit(position, start.stand, start.at, start.stand.facing):
                raise BadInput(refusal.sentence(), f"units of {start.stand.side}", "a set-up within the rules")
            position.put(start.stand.id, start.at)
    return position


# --- set-up -------------------------------------------------------------------------------------------------


def unfit(position: Position, unit: Stand, at: Point, facing: int) -> Refusal | None:
    """Reject a point that cannot take the stand, whatever its zone."""
    if overhangs(position.table, at, facing):
        return Refusal("{} is too near the edge of the table", PROCEDURE, (tenths(at),))
    if other := occupant(position, unit, at, facing):
        return Refusal("{} is there already", "8.3.4", (position.units[other].name,))
    return closed_ground(position, unit, at, facing)


def occupant(position: Position, unit: Stand, at: Point, facing: int) -> UnitId:
    """The stand on which another one would lie at a place, or nothing; all that wait share the answer."""
    if unit.at is not None:
        return _occupant(position, unit, at, facing)
    key = at, facing
    if key not in position.occupants:
        position.occupants[key] = _occupant(position, unit, at, facing)
    return position.occupants[key]


def _occupant(position: Position, unit: Stand, at: Point, facing: int) -> UnitId:
    return next((other.id for other in others_at(position, unit, at, facing)), "")


def closed_ground(position: Position, unit: Stand, at: Point, facing: int) -> Refusal | None:
    """Reject ground that a stand cannot be in [9.1-chart]; guns may be set up wherever foot may go [9.3.1-entry].

    Boats are on rivers and open water [10.12], and nobody else has the middle of its stand in water, where it could not
    have come [9.5.2, 9.5.3]. Ice bears everybody [9.6.2-ice].
    """
    if unit.kind.has("boat"):
        return _ashore(position, unit, at)
    movement, ice = unit.kind.mov_class or "F", frozen(position.setting)
    for feature in position.setting.covering(at, facing):
        effect = position.charts.terrain.get(feature.kind)
        closed = effect.price(movement) is None if effect else feature.kind in OPEN_WATER and not ice
        if closed:
            return Refusal("{} cannot stand in {}", "9.1-chart", (unit.name, feature.name))
    if in_water(position, at):
        water = next(each for each in position.ground.features_at(at) if each.kind in WATER_RULES)
        return Refusal("{} cannot stand in {}", WATER_RULES[water.kind], (unit.name, water.name))
    return None


def _ashore(position: Position, unit: Stand, at: Point) -> Refusal | None:
    """Reject a place of a boat whose centre is not on a river or open water [10.12]."""
    if any(feature.kind in OPEN_WATER for feature in position.table.ground.features_at(at)):
        return None
    return Refusal("{} is a boat: it stays on rivers and open water", "10.12", (unit.name,))


def cannot_place(position: Position, side: Side, unit: Stand, at: Point, facing: int) -> Refusal | None:
    """Reject a stand that may not set up there."""
    if refusal := not_yours(side, unit) or kit.placed_already(unit):
        return refusal
    if not 0 <= facing < 360:
        return Refusal("{} is no facing: choose 0 to 359 degrees", PROCEDURE, (facing,))
    if at not in position.setting.zones.get(unit.id, Zone()):
        return Refusal("{} cannot set up at {}: choose a point of its zone", PROCEDURE, (unit.name, tenths(at)))
    return unfit(position, unit, at, facing)


def to_place(position: Position, side: Side) -> list[Stand]:
    """The side's stands that wait to be placed."""
    return kit.waiting(position.pick(position.setting.ids[side]))


def offers(position: Position, unit: Stand) -> Iterator[Offer]:
    """The points at which a stand may be set up."""
    zone, facing = position.setting.zones[unit.id], unit.facing
    for at in spots(zone):
        if cannot_place(position, unit.side, unit, at, facing) is None:
            place = Place(unit.id, at, facing)
            yield place
            if zone.box is not None:
                yield Region(place, zone.box, ("to", "facing"))
            return


def with_room(position: Position, units: Iterable[Stand]) -> Iterator[Stand]:
    """Those of some stands for which there is a place in their zones; stands of one class share the search."""
    found: dict[tuple[object, ...], bool] = {}
    for unit in units:
        kind = unit.kind
        key = position.setting.zones[unit.id], kind.mov_class, kind.has("boat"), unit.facing
        if key not in found:
            found[key] = next(offers(position, unit), None) is not None
        if found[key]:
            yield unit


class SetUp(Frame, frozen=True):
    """A side places its stands as the scenario says, in secret if it may hide them [SC.stark.hidden]."""

    takes = (Place, PickUp, Lay, Ready)
    step = "set-up"
    question = "Place your stands in their zones"

    def prompt(self, sight: Position, side: str) -> str:
        if side != self.side or to_place(sight, side):
            return say(self.question)
        if left := sum(stocks(sight, side).values()):
            return say("All your stands are in place: lay your works ({} left), or complete the set-up", left)
        return say("All your stands are in place: complete the set-up, or change it")

    def begin(self, game: Game[Position]) -> None:
        mine = game.state.setting.ids[self.side]
        if not stocks(game.state, self.side) and not any(
            open_choice(game.state.setting.zones.get(name)) for name in mine
        ):
            game.pop()

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        """Stands that wait; when all stand, or none of them has a place, the placed ones, and nobody."""
        waiting = to_place(sight, side)
        able = [unit.id for unit in with_room(sight, waiting)]
        yield from able or (unit.id for unit in sight.of(side))
        if not waiting or stocks(sight, side):
            yield NOBODY

    def acts(self, sight: Position, side: str, actor: str) -> Iterable[Offer]:
        if actor == NOBODY:
            return (*lays(sight, side), *(() if to_place(sight, side) else (Ready(),)))
        unit = sight.units[actor]
        if unit.status == "to place":
            return offers(sight, unit)
        return (PickUp(actor),) if self.refusal(sight, side, PickUp(actor)) is None else ()

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case Place(unit, to, facing):
                return cannot_place(sight, self.side, sight.units[unit], to, facing)
            case PickUp(unit):
                return cannot_take_up(sight, self.side, sight.units[unit])
            case Lay():
                return cannot_lay(sight, self.side, action)
            case Ready() if waiting := to_place(sight, self.side):
                return Refusal("{} stands wait to be placed", PROCEDURE, (len(waiting),))
        return None

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case Place(name, to, facing):
                secret = hides(game.state, self.side)
                unit = game.state.put(name, to, facing=facing, laid=facing, hidden=secret)
                only = (self.side,) if secret else ()
                game.tell(Event("placed", "{} sets up at {}", (unit.name, tenths(to)), "", (name,), (to,), only=only))
            case PickUp(name):
                game.state.lift(name, "to place")
                game.state.change(name, hidden=False)
            case Lay():
                lay(game, self.side, action, hides(game.state, self.side))
            case Ready():
                uncover(game, self.side)
                game.pop()

    def only(self, state: Position, action: Action) -> tuple[str, ...]:
        """A side alone knows which of its markers are mines [11.1.2], and what it hides [SC.stark.hidden]."""
        mines = isinstance(action, Lay) and action.work == "mines"
        hidden = hides(state, self.side) and isinstance(action, Place | PickUp)
        return (self.side,) if mines or hidden else ()


def cannot_take_up(position: Position, side: Side, unit: Stand) -> Refusal | None:
    """Reject a stand that may not be taken up again: its place has to be its player's own choice."""
    if refusal := not_yours(side, unit):
        return refusal
    if unit.at is None or not open_choice(position.setting.zones.get(unit.id)):
        return Refusal("{} has a fixed place in the scenario", PROCEDURE, (unit.name,))
    if unit.id in position.posted:
        return Refusal("{} has been set up before the enemy wrote his landing zones", "SC.setback", (unit.name,))
    if any(True for _ in with_room(position, to_place(position, side))):
        return Refusal("Place the other stands first", PROCEDURE)
    return None
