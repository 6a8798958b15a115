"""Preparation for play [2.0]: from a scenario to a position, and the frame in which a side sets up its vehicles."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Literal

from msgspec.structs import replace

from opfire.core.actions import NOBODY, PROCEDURE, Action, Refusal
from opfire.core.errors import BadInput
from opfire.core.events import Event
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.scenario import Scenario
from opfire.core.texts import say
from opfire.kit import boards, scoring
from opfire.kit import setup as kit
from opfire.kit.setup import PickUp, Ready
from opfire.rulesets.panzer import conditions, hiding
from opfire.rulesets.panzer.air.gliders import OPTION as GLIDERS
from opfire.rulesets.panzer.air.paratroops import OPTION as DROPS
from opfire.rulesets.panzer.charts import Aircraft, Card, Charts, Gun, Leg, Vehicle, load_charts
from opfire.rulesets.panzer.conditions import AIRFIELD
from opfire.rulesets.panzer.fire import turrets
from opfire.rulesets.panzer.fire.turrets import AdjustTurret, Button
from opfire.rulesets.panzer.formations import enlist
from opfire.rulesets.panzer.ground import BUILDINGS
from opfire.rulesets.panzer.hiding import Bluff, Lurk
from opfire.rulesets.panzer.indirect.kinds import Guns
from opfire.rulesets.panzer.moving import swimming
from opfire.rulesets.panzer.moving.transport import no_room, pressed
from opfire.rulesets.panzer.options import ADVANCED, BASIC, EXCLUSIVE, NEEDS, OPTIONS
from opfire.rulesets.panzer.pieces import (
    Descent,
    Flight,
    Hex,
    Position,
    Setting,
    Side,
    Start,
    Unit,
    UnitId,
    lurking,
    not_yours,
    off_the_map,
    where_it_is,
)
from opfire.rulesets.panzer.sections import Conditions, Khamsin, PanzerSections, Squadron
from opfire.rulesets.panzer.stowed import kept_in, stow
from opfire.rulesets.panzer.works.entrenching import occupy
from opfire.rulesets.panzer.works.obstacles import lay
from opfire.rulesets.panzer.works.runways import paths_of
from opfire.space.hexmap import linked
from opfire.space.layout import block, map_of


class Place(Action, frozen=True):
    """Set a vehicle up in a hex, with a facing (0 north, clockwise, to 5)."""

    says = "{unit} sets up in {hex}, facing {facing}"
    kind = "place"
    unit: UnitId
    hex: Hex
    facing: int


# --- from a scenario to a setting ---------------------------------------------------------------------------


def setting(scenario: Scenario, charts: Charts | None = None) -> Setting:
    """The constants of a game of this scenario. Raises BadInput for unknown names."""
    sections = scenario.rest.read(PanzerSections)
    board = map_of(sections.boards, sections.map)
    boards.check_hexes(board, sections.conditions.runways, "conditions.runways")
    for strip in sections.conditions.strips:
        boards.check_hexes(board, strip, "conditions.strips")
    paths = paths_of(board, sections.conditions) if AIRFIELD in scenario.options else ()
    made = Setting(scenario, sections, linked(board, paths, "path"), charts or load_charts())
    kit.check_options(scenario.options, [option.rule for option in OPTIONS])
    check_together(scenario.options)
    found = boards.zones(made.map, scenario, sections, block)
    zones = {name: tuple(sorted(hexes)) for name, hexes in found.items()}
    made.roster = tuple(start for side in scenario.sides for start in _army(made, side, zones))
    for side in scenario.sides:
        _load_up(made, side)
        made.batteries |= {guns.id: guns for guns in _batteries(made, side)}
    for condition in scenario.victory:
        boards.check_hexes(made.map, condition.places, "victory")
    made.exits, made.objectives = scoring.places(scenario)
    return made


def check_together(options: Collection[str]) -> None:
    """Check that options stand beside those that they need, and not beside those that exclude them.

    Raises BadInput [7.0].
    """
    for pair in EXCLUSIVE:
        if pair <= set(options):
            raise BadInput(f"options {' and '.join(map(repr, sorted(pair)))}", "options", "one of the two")
    for option in options:
        if (needed := NEEDS.get(option)) and needed not in options:
            raise BadInput(f"option {option!r} without {needed!r}", "options", f"{needed} beside it")
        if option not in (ADVANCED, *BASIC) and ADVANCED not in options:
            raise BadInput(f"option {option!r} without {ADVANCED!r}", "options", "the Advanced Game beside it")


def _army(made: Setting, side: Side, zones: Mapping[str, tuple[Hex, ...]]) -> list[Start]:
    """The units of a side, in the Advanced Game with their formations."""
    starts = [*_forces(made, side, zones)]
    if not made.advanced:
        return starts
    units = [*enlist(made, side, [start.unit for start in starts])]
    units += [*_stowed(made, side, units)]
    starts += [Start(unit) for unit in units[len(starts) :]]
    planes = [Start(unit) for unit in (*squadrons(made, side), *_own_gliders(made, side))]
    return [*(Start(unit, start.hex) for unit, start in zip(units, starts, strict=True)), *planes]


def _stowed(made: Setting, side: Side, units: Sequence[Unit]) -> Iterator[Unit]:
    """The units that are part of vehicles' counters at the start [5.2.1, 7.47]."""
    for vehicle in units:
        for card in kept_in(made, vehicle):
            yield stow(vehicle, card, _unit(made, side, card, {}).id)


def _forces(made: Setting, side: Side, zones: Mapping[str, tuple[Hex, ...]]) -> Iterator[Start]:
    """Every vehicle of a side with its starting hex, if that is fixed."""
    counts: dict[str, int] = {}
    where = f"sides.{side}.units"
    for force in made.scenario.sides[side].units:
        known: Mapping[str, Card] = made.charts.cards if made.advanced else made.charts.vehicles
        kind = kit.kind_named(known, force.unit, where, "an id of vehicles.csv, or of the Advanced Game's other cards")
        boards.check_force(made.map, force, zones, where)
        for index in range(force.count):
            unit = _unit(made, side, kind, counts)
            fixed = boards.fixed_hex(force, index)
            made.zones[unit.id] = (fixed,) if fixed else zones.get(force.zone, tuple(sorted(set(force.at))))
            yield Start(unit, fixed)
    yield from _sticks(made, side, counts)
    yield from _lifts(made, side, counts)


def _sticks(made: Setting, side: Side, counts: dict[str, int]) -> Iterator[Start]:
    """The paratroops of a side, who come down later. Raises BadInput [7.44.1]."""
    section = made.sections.sides.get(side)
    where = f"sides.{side}.drops"
    for stick in section.drops if section else ():
        if DROPS not in made.options:
            raise BadInput(f"drops without the option {DROPS!r}", where, f"options = [..., {DROPS!r}]")
        boards.check_hexes(made.map, (stick.hex,), where)
        for name, number in stick.units.items():
            kind = kit.kind_named(made.charts.legs, name, where, "an id of legs.csv")
            for _ in range(number):
                unit = replace(_unit(made, side, kind, counts), status="aloft")
                made.drops[unit.id] = Descent(stick.turn, stick.hex)
                yield Start(unit)


def _lifts(made: Setting, side: Side, counts: dict[str, int]) -> Iterator[Start]:
    """The passengers of a side's gliders; each has to fit. Raises BadInput [7.44.2, 7.44.2.1]."""
    section = made.sections.sides.get(side)
    where = f"sides.{side}.gliders"
    known = {name: card for name, card in made.charts.aircraft.items() if not card.armed}
    for lift in section.gliders if section else ():
        if GLIDERS not in made.options:
            raise BadInput(f"gliders without the option {GLIDERS!r}", where, f"options = [..., {GLIDERS!r}]")
        card = kit.kind_named(known, lift.unit, where, "a glider of aircraft.csv")
        glider = replace(_unit(made, side, card, counts), status="aloft", flight=Flight())
        made.planes[glider.id] = glider
        made.squadrons[glider.id] = Squadron(lift.unit, turns=(lift.turn,), edges=(lift.edge,))
        jeeps = {name: made.charts.vehicles[name] for name in JEEPS if name in made.charts.vehicles}
        riders: dict[str, Leg | Gun | Vehicle] = {**made.charts.legs, **made.charts.guns, **jeeps}
        cards = [kit.kind_named(riders, name, where) for name in lift.passengers]
        if not has_room(card, cards):
            raise crowded(card, lift.passengers, where)
        aboard = [replace(_unit(made, side, one, counts), status="aloft") for one in cards]
        made.loads[glider.id] = tuple(unit.id for unit in aboard)
        yield from map(Start, aboard)


def crowded(glider: Aircraft, passengers: Iterable[str], where: str) -> BadInput:
    """The error for a glider that cannot take all these passengers [7.44.2.1]."""
    return BadInput(f"{glider.name} has no room for {', '.join(passengers)}", where, "fewer passengers")


JEEPS = ("tu_jeep", "tb_jeep")
"""The Data Cards of the Jeep that gliders carry [7.44.2.1]."""


def has_room(glider: Aircraft, cards: Sequence[Leg | Gun | Vehicle]) -> bool:
    """Return whether a glider takes these passengers: one towed unit or one Jeep, each of which leaves less room.

    Rules: [7.44.2.1, 6.6.7.1-cap].
    """
    soldiers = [one for one in cards if not isinstance(one, Vehicle)]
    guns, jeeps = [one for one in soldiers if isinstance(one, Gun)], len(cards) - len(soldiers)
    if len(guns) + jeeps > 1 or any(gun.pc_towed > glider.tr_towed for gun in guns):
        return False
    if jeeps and glider.jeep_sections and any(one.category != "section" for one in soldiers):
        return False
    most = glider.tr_leg_jeep if jeeps else glider.tr_leg_towing if guns else glider.tr_leg
    return sum(one.pc_leg for one in soldiers) <= most


def _load_up(made: Setting, side: Side) -> None:
    """Note the passengers of a side at the start; each has to fit. Raises BadInput [6.6.7.1-cap]."""
    units = {start.unit.id: start.unit for start in made.roster if start.unit.side == side}
    kinds = [(name, unit.kind.id) for name, unit in units.items()]
    for carrier, passenger in kit.carried(made.scenario.sides[side].units, kinds, side):
        if refusal := no_room(units[carrier], (), units[passenger]):
            raise BadInput(refusal.sentence(), f"sides.{side}.units", "a vehicle with room for its passenger")
        made.aboard[passenger] = carrier


def _batteries(made: Setting, side: Side) -> Iterator[Guns]:
    """The artillery of a side off the map. Raises BadInput [5.3, 6.5.1.3]."""
    section = made.sections.sides.get(side)
    number = 0
    for force in section.batteries if section else ():
        if not made.advanced:
            raise BadInput("batteries in the Basic Game", f"sides.{side}.batteries", f"options = [{ADVANCED!r}]")
        card = kit.kind_named(made.charts.batteries, force.unit, f"sides.{side}.batteries", "an id of batteries.csv")
        names = {company.name: id for id, company in made.formations.items() if company.side == side}
        if wrong := next((name for name in force.formations if name not in names), None):
            raise BadInput(f"formation {wrong!r}", f"sides.{side}.batteries", ", ".join(names))
        for index in range(force.count):
            number += 1
            yield Guns(
                id=f"{side}-battery-{number}",
                side=side,
                name=f"{card.name} {index + 1}" if force.count > 1 else card.name,
                card=card,
                level=force.level,
                formations=tuple(names[name] for name in force.formations),
                registers=force.registered,
                plans=force.planned,
                special=force.special,
                counters=force.counters,
            )


def squadrons(made: Setting, side: Side) -> Iterator[Unit]:
    """The aircraft of a side; only one side has any, by day in clear weather. Raises BadInput [6.7, 6.7.1]."""
    section = made.sections.sides.get(side)
    known = {name: card for name, card in made.charts.aircraft.items() if card.armed}
    counts: dict[str, int] = {}
    for squadron in section.aircraft if section else ():
        if dark := not_flying_weather(made.sections.conditions, LEAST_VISIBILITY if "R239" in made.options else 0):
            raise BadInput(f"aircraft in a scenario with {dark}", f"sides.{side}.aircraft", "daytime and clear weather")
        if other := next((unit for unit in made.planes.values() if unit.side != side and unit.kind.armed), None):
            raise BadInput(f"{other.side} has aircraft, too", f"sides.{side}.aircraft", "one side with aircraft")
        card = kit.kind_named(known, squadron.unit, f"sides.{side}.aircraft", "an id of aircraft.csv")
        for _ in range(squadron.count):
            unit = replace(_unit(made, side, card, counts), status="aloft", grade=squadron.grade)
            made.planes[unit.id] = replace(unit, flight=loaded(card, squadron.load))
            made.squadrons[unit.id] = squadron
            yield made.planes[unit.id]


LEAST_VISIBILITY = -2
"""The visibility by day in which aircraft still fly by the other reading of 6.7: RULINGS.md R239."""


def not_flying_weather(conditions: Conditions, visibility: int = 0) -> str:
    """Return the condition that keeps aircraft on the ground, or nothing; they fly down to a `visibility` [6.7].

    RULINGS.md R239.
    """
    if conditions.light != "day":
        return f"light = {conditions.light!r}"
    if conditions.visibility < visibility:
        return f"visibility = {conditions.visibility}"
    return "a khamsin" if conditions.khamsin != Khamsin() else ""


def _own_gliders(made: Setting, side: Side) -> list[Unit]:
    return [unit for unit in made.planes.values() if unit.side == side and not unit.kind.armed]


def loaded(card: Aircraft, load: Literal["bombs", "rockets"]) -> Flight:
    """The stores of an aircraft: of bombs and rockets it carries only one kind [6.7.1, 5.16.2.6]."""
    both = bool(card.bombs and card.rockets)
    bombs = card.bombs if not both or load == "bombs" else 0
    return Flight(strafes=card.strafes, bombs=bombs, rockets=card.rockets if not both or load == "rockets" else 0)


def _unit(made: Setting, side: Side, kind: Card, counts: dict[str, int]) -> Unit:
    counts[kind.id] = counts.get(kind.id, 0) + 1
    number = len(made.ids[side]) + 1
    name = f"{kind.name} {counts[kind.id]}"
    card = pressed(kind, made.options)  # 7.38.4
    unit = Unit(id=f"{side}-{number}", side=side, kind=card, name=name, facing=made.facing(side))
    made.ids[side] = (*made.ids[side], unit.id)
    return unit


# --- from a setting to the first position -------------------------------------------------------------------


def first_position(made: Setting) -> Position:
    """Vehicles waiting to be placed, vehicles with a fixed hex there. Raises BadInput."""
    position = Position(made, {start.unit.id: start.unit for start in made.roster}, {}, {}, {}, {})
    position.descents = made.drops.copy()
    lay(position)
    position.batteries = made.batteries.copy()
    for passenger, carrier in made.aboard.items():
        position.change(passenger, carrier=carrier, status="mounted", transport=carrier)
    for start in made.roster:
        if start.hex:
            if refusal := closed(position, start.unit, start.hex):
                raise BadInput(refusal.sentence(), f"units of {start.unit.side}", "a set-up within the rules")
            position.put(start.unit.id, start.hex, inside=indoors(position, start.unit, start.hex))
            if starts_hidden(position, start.unit):
                hiding.lurk(position, start.unit.id, start.hex)
    for side in made.sides:
        if len(hiding.of(position, side)) > (most := hiding.limit(made, side)):
            raise BadInput(f"more than {most} HIDDEN UNIT counters", f"sides.{side}", "a higher hidden_counters")
        hiding.lay(position, side)
    return position


def indoors(position: Position, unit: Unit, hex: Hex) -> bool:
    """Return whether a unit is set up inside the building of a hex: a gun that the scenario houses [6.1.4.3.1-a]."""
    walls = not BUILDINGS.isdisjoint(position.map.cells[hex].terrain)
    return unit.indoors and walls and not (unit.is_vehicle or unit.is_leg)


# --- set-up -------------------------------------------------------------------------------------------------


def closed(position: Position, unit: Unit, hex: Hex) -> Refusal | None:
    """Reject a hex that cannot take the vehicle: closed ground without a road, or an enemy there [4.5.1.1.10].

    Water is open to amphibious vehicles, a frozen stream to those that its ice bears [7.34, 7.32-ice].
    """
    if any(other.side != unit.side for other in position.at(hex)):
        return Refusal("The enemy is in {}", "4.5.1.1.10", (hex,))
    ground, cell = conditions.surface(position, unit), position.map.cells[hex]
    open_ground = ground.entry(hex, unit.ground.traction) is not None or swimming.must_swim(position, unit, hex)
    if not open_ground and not any(cell.links):
        return Refusal("{} is closed to {}", "4.5.1.1.2", (hex, unit.name))
    return None


def cannot_place(position: Position, side: Side, unit: Unit, hex: Hex, facing: int) -> Refusal | None:
    """Reject a vehicle that may not set up there."""
    if refusal := not_yours(side, unit) or kit.placed_already(unit):
        return refusal
    if facing not in range(6):
        return Refusal("{} is no facing: choose 0 to 5", "3.3", (facing,))
    if hex not in position.setting.zones[unit.id]:
        return Refusal("{} cannot set up in {}: choose a hex of its zone", "2.0", (unit.name, hex))
    return closed(position, unit, hex)


def to_place(position: Position, side: Side) -> list[Unit]:
    """The side's vehicles that wait to be placed."""
    return kit.waiting(position.pick(position.setting.ids[side]))


class SetUp(Frame, frozen=True):
    """A side places its vehicles as the scenario says, with turrets and hatches of its choice [2.0, 7.8.1]."""

    takes = (Place, PickUp, Ready, AdjustTurret, Button, Lurk, Bluff)
    step = "set-up"
    rule = "2.0"
    question = "Place your units in their zones"

    def prompt(self, sight: Position, side: str) -> str:
        if side != self.side or to_place(sight, side):
            return say(self.question)
        return say("All your units are in place: complete the set-up, or change it")

    def begin(self, game: Game[Position]) -> None:
        zones = game.state.setting.zones
        movable = any(len(zones.get(name, ())) > 1 for name in game.state.setting.ids[self.side])
        hides = bool(hiding.limit(game.state.setting, self.side))
        if not to_place(game.state, self.side) and not movable and not hides:
            game.pop()

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        """Vehicles that wait, or, when all stand, the placed ones and nobody."""
        waiting = to_place(sight, side)
        if waiting:
            yield from (unit.id for unit in waiting)
            return
        yield NOBODY
        yield from (unit.id for unit in (*sight.of(side), *lurking(sight, side)))

    def acts(self, sight: Position, side: str, actor: str) -> Iterable[Action]:
        if actor == NOBODY:
            fakes = (Bluff(hex) for hex in decoy_hexes(sight, side))
            return (Ready(), *(act for act in fakes if self.refusal(sight, side, act) is None))
        unit = sight.units[actor]
        if lairs := free_lairs(sight, unit):
            return (Lurk(actor, hex) for hex in lairs)
        if unit.status == "hidden":
            return (act for act in (PickUp(actor),) if self.refusal(sight, side, act) is None)
        if unit.hex is not None:
            placed = (PickUp(actor), *(AdjustTurret(actor, facing) for facing in range(6)), Button(actor))
            return (act for act in placed if self.refusal(sight, side, act) is None)
        return (
            Place(actor, hex, facing)
            for hex in sight.setting.zones[actor]
            if closed(sight, unit, hex) is None
            for facing in range(6)
        )

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case Place(unit) if free_lairs(sight, sight.units[unit]):
                return Refusal("{} starts hidden", "7.2.1", (sight.units[unit].name,))
            case Place(unit, hex, facing):
                return cannot_place(sight, self.side, sight.units[unit], hex, facing)
            case Lurk(name, hex):
                found = sight.units[name]
                if not starts_hidden(sight, found):
                    return Refusal("{} does not start hidden", "7.2.1", (found.name,))
                return cannot_place(sight, self.side, found, hex, 0) or hiding.cannot_lurk(sight, found, hex)
            case Bluff(hex):
                if to_place(sight, self.side) or hex not in decoy_hexes(sight, self.side):
                    return Refusal("Fakes follow the units, in their zones", "7.2.2", ())
                return hiding.no_counter_left(sight, self.side)
            case PickUp(unit):
                return cannot_pick_up(sight, self.side, sight.units[unit])
            case AdjustTurret(unit, facing):
                return _not_placed(self.side, sight.units[unit]) or turrets.cannot_point(
                    sight, sight.units[unit], facing
                )
            case Button(unit):
                return _not_placed(self.side, sight.units[unit]) or turrets.cannot_button(sight, sight.units[unit])
            case Ready() if to_place(sight, self.side):
                return Refusal("{} vehicles wait to be placed", "2.0", (len(to_place(sight, self.side)),))
        return None

    def only(self, state: Position, action: Action) -> tuple[Side, ...]:
        """Nobody sees which units hide, and where, before the set-up is done [7.2.2]."""
        if isinstance(action, PickUp):
            return (self.side,) if state.units[action.unit].status == "hidden" else ()
        return (self.side,) if isinstance(action, Lurk | Bluff) else ()

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case Place(name, hex, facing):
                inside = indoors(game.state, game.state.units[name], hex)
                unit = game.state.put(name, hex, facing=facing, inside=inside)
                game.tell(Event("placed", "{} sets up in {}", (unit.name, hex), "2.0", (name,), (hex,)))
            case Lurk(name, hex):
                hiding.lurk(game.state, name, hex)
                game.state.change(name, inside=indoors(game.state, game.state.units[name], hex))
            case Bluff(hex):
                hiding.bluff(game.state, self.side, hex)
            case PickUp(name):
                hiding.emerge(game.state, name)
                game.state.lift(name, "to place")
            case AdjustTurret():
                turrets.swing(game, action)
            case Button(name):
                turrets.button(game, name)
            case Ready():
                hiding.lay(game.state, self.side)
                for unit in (*game.state.of(self.side), *lurking(game.state, self.side)):
                    occupy(game.state, unit)
                game.pop()


def starts_hidden(position: Position, unit: Unit) -> bool:
    """Return whether a unit starts under a HIDDEN UNIT counter [7.2.1]."""
    return unit.hides and hiding.OPTION in position.setting.options


def free_lairs(position: Position, unit: Unit) -> list[Hex]:
    """The hexes in which a unit may still start hidden; without any it starts in the open [7.2.1, 7.2.2]."""
    if not starts_hidden(position, unit):
        return []
    zone = position.setting.zones[unit.id]
    hexes = [hex for hex in zone if cannot_place(position, unit.side, unit, hex, 0) is None]
    return [hex for hex in hexes if hiding.cannot_lurk(position, unit, hex) is None]


def decoy_hexes(position: Position, side: Side) -> list[Hex]:
    """The hexes for fake counters: those in which units of the side may start, without enemies [7.2.2]."""
    zones = (position.setting.zones.get(name, ()) for name in position.setting.ids[side])
    hexes = sorted({hex for zone in zones for hex in zone}) if hiding.limit(position.setting, side) else []
    return [hex for hex in hexes if not any(unit.side != side for unit in position.at(hex))]


def _not_placed(side: Side, unit: Unit) -> Refusal | None:
    return not_yours(side, unit) or off_the_map(unit)


def cannot_pick_up(position: Position, side: Side, unit: Unit) -> Refusal | None:
    """Reject a vehicle that may not be picked up again: its hex has to be its player's choice."""
    if refusal := not_yours(side, unit):
        return refusal
    if where_it_is(position, unit.id).hex is None or len(position.setting.zones.get(unit.id, ())) < 2:
        return Refusal("{} has a fixed place in the scenario", PROCEDURE, (unit.name,))
    return Refusal("Place the other vehicles first", PROCEDURE) if to_place(position, side) else None
