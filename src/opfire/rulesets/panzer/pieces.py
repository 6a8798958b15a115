"""The playing pieces [3, 5]: units, wrecks, the position; questions about units."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, Literal, NamedTuple, TypeAlias

import msgspec
from msgspec.structs import replace

from opfire.core.actions import PROCEDURE, Refusal
from opfire.core.scenario import Scenario
from opfire.kit import stacks
from opfire.rulesets.panzer.charts import (
    Aircraft,
    Altitude,
    Card,
    Charts,
    CoverType,
    Grade,
    GroundCard,
    Leg,
    Speed,
    Stores,
    Vehicle,
)
from opfire.rulesets.panzer.ground import BUILDINGS, Ground, Raised, better
from opfire.rulesets.panzer.indirect.kinds import Call, Guns, Mission, Smoke
from opfire.rulesets.panzer.options import ADVANCED
from opfire.rulesets.panzer.sections import Label, PanzerSections, Squadron
from opfire.rulesets.panzer.sighting.overhead import hidden
from opfire.rulesets.panzer.sighting.ranges import Marker, in_crowd
from opfire.rulesets.panzer.sighting.sight import blocked
from opfire.space.hexes import distance
from opfire.space.hexmap import HexMap

Hex: TypeAlias = str
UnitId: TypeAlias = str
Side: TypeAlias = str
CommandName: TypeAlias = Literal["no command", "fire", "move", "short halt", "overwatch", "?"]
"""A command; `?` is one that the asking side does not know."""

Wreck: TypeAlias = Literal["KO", "BU"]
Where: TypeAlias = Literal["on the map", "to place", "mounted", "eliminated", "exited", "aloft", "stowed", "hidden"]
"""The place of a unit; aircraft are aloft over the map or beside it, and on the ground never [6.7.2].

One that is stowed is part of a vehicle's counter [5.2.1, 7.47]; one that is hidden is under a HIDDEN UNIT counter,
which has its hex [7.2.2].
"""

Gaps: TypeAlias = frozenset[frozenset[Hex]]
"""Hedgerow hexsides in which units are dug in, each by the two hexes that it separates [7.45]."""

Found: TypeAlias = Literal["", "partial", "full"]
"""A Hull Down position that a vehicle has found by searching [6.6.9-who]."""

Suppression: TypeAlias = Literal["", "on", "off"]
"""The SUPPRESSION counter of a unit, if it has one, and the side of it that is up [5.10]."""

OBSERVERS: frozenset[Label] = frozenset({"FO", "CHQ", "BHQ", "RHQ", "Recon"})
"""The labels of units that may observe indirect fire, armed or not [4.1.1, 6.5.1]."""

OVERSTACKED = 6
"""The number of vehicles from which on a hex is overstacked [3.8]."""


Morale: TypeAlias = Literal["", "hesitating", "broken"]
"""The state of a unit's morale [7.1.5]."""


WorkKind: TypeAlias = Literal[
    "block", "ditch", "wire", "rubble", "on fire", "improved position", "hasty entrenchment", "mines", "dust", "crater"
]
"""A counter that alters the ground of a hex [6.1.4.3]."""


class Work(msgspec.Struct, frozen=True):
    """A work in a hex [6.1.4.3].

    Minefields have a side, a value (`hasty`, `deliberate ap`) and are `known` or hidden; positions have a holder and
    its facing when it took them, entrenchments the `stage` of the digging (0 for those of the scenario). A vehicle may
    use an Improved Position as a `partial` one [6.1.4.1.2].
    """

    kind: WorkKind
    side: Side = ""
    value: str = ""
    known: bool = False
    stage: int = 0
    holder: UnitId = ""
    facing: int = 0
    partial: bool = False


class Mask(msgspec.Struct, frozen=True):
    """A HIDDEN UNIT counter in a hex: the units that it stands for, none if it is a fake [7.2.1].

    It has a SPOT counter like a unit; `laid` counters are on the map for everybody to see. It has `spent` so much of
    the allowance of each unit in this turn, and has `moved` in it; a `fast` fake is a vehicle for spotting [7.2.2.2].
    """

    id: str
    side: Side
    hex: Hex
    units: tuple[UnitId, ...] = ()
    spot: Marker = ""
    laid: bool = False
    spent: tuple[int, ...] = ()
    moved: bool = False
    fast: bool = False


class Descent(msgspec.Struct, frozen=True, gc=False):
    """The turn in which a paratroop unit comes down, and its Drop Zone; one `astray` comes in at that edge hex.

    Rules: [7.44.1, 7.44.1.1-6].
    """

    turn: int
    hex: Hex
    astray: bool = False


class Flight(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The flight of an aircraft [6.7.2]: its crossing of the map now, its stores, its crossings before.

    Over the map it is above `hex`. `path` are the hexes of the crossing, each with the facing there; targets are
    acquired from the step `since` on, and it has `attacked` or not. `turns` are those that it has made, `attack` is the
    one that it has announced, `flak` the hexes in which it was fired at, with the results. `strafes`, `bombs` and
    `rockets` are the attacks left [5.16.2.6]; it appeared first on the turn `first`, last on the turn `last`, and left
    by one of the `edges`. In this crossing it was suppressed after the first `shaken` steps of its path. One that has
    landed has been `served` in this number of Air Phases [7.59.4-arm]; in this crossing it `took_off` from a runway.
    A dive bomber flew High in the first `dived` steps. The `trackers` tracked it when it attacked last.
    """

    hex: Hex = ""
    speed: Speed = "slow"
    altitude: Altitude = "low"
    path: tuple[tuple[Hex, int], ...] = ()
    since: int = 0
    attacked: bool = False
    turns: int = 0
    attack: tuple[Stores, UnitId] | None = None
    flak: tuple[tuple[Hex, str], ...] = ()
    strafes: int = 0
    bombs: int = 0
    rockets: int = 0
    first: int = 0
    last: int = 0
    edges: tuple[str, ...] = ()
    shaken: int = 0
    served: int = 0
    took_off: bool = False
    dived: int = 0
    trackers: tuple[UnitId, ...] = ()


class Unit(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A unit: its Data Card, its place and facing (0 north, clockwise, to 5), and its history in the turn.

    `command` is secret until it is `revealed`. `fired` and `moved` say that it has carried out that part of its
    command; `moving` that the other side knows it to move. `spot` is its SPOT counter, `fresh` one that it has
    gained in this turn and that counts for overwatch at once, for direct fire from the next turn on [4.4.1-f].

    The Advanced Game knows its `formation`, `grade` and `labels` [5.8, 5.9], the `weapons` attached to it [5.1.3] and
    the unit whose command it shares (itself, unless it shares one), in a `column` along a road or not [6.2.1.1.3].
    `aims` are the hexes at which it fired this turn [6.2.1.1.4-fire], `aimed` the unit there, `arms` are the weapons
    with which it has fired [5.14]. `depot` is its starting hex, where its ammunition lies [5.16.2.4].
    `damaged_part` is the half of a vehicle that is damaged; in the Basic Game damage is to the whole [6.5.2.2.4].
    `discharged` is the turn in which it last made smoke with its dischargers [7.9-end].
    A passenger names its `carrier` and has no hex of its own [6.6.7]. `shaken` says that its `morale` shows ON.
    Weapons that are `jammed` wait for repair, those that are `ruined` are lost [7.25]; a vehicle that has just come up
    over a bank or a wall is `exposed` [7.13.1]. A vehicle has `pledged` to overrun a unit, which was `overrun` before
    [6.6.10-announce]; a unit `dismounted` in this turn [6.6.10-target]. Its own `transport` is the first that carried
    it [5.16.2.4]. It is on the `upper` floor or roof of a building [6.1.4.3.1-b]; a gun that starts `indoors` is set up
    inside one [6.1.4.3.1-a]. A `turret` points by its hexsides clockwise from the front of its hull, and its vehicle
    may be `buttoned` up [7.8]; one with an adapter has `loaded` a type of AP rounds for the whole game [7.38.6].
    It is dug in at the hedgerow towards the hex of its `hedge` [7.45]. On a narrow road it `came` from a hex, and
    stands `behind` the units that were there first [7.30-stack], until it has been pushed `aside`, or they have
    [7.30-push]. A leg unit advances `sheltered` by a vehicle [7.49].
    A unit that belongs onto a vehicle's counter is `part_of` it [7.47]; a truck without its gun keeps the id of the
    portee's Data Card for its `bed` [5.2.1].
    A vehicle keeps the `collateral` damage of its hits; without its radio it has lost the labels that are `silenced`
    [7.23]. A unit `searching` for the enemy has `heard` sounds in these hexes, and is `bound` for that of one [7.60].
    The `trailer` of a flamethrower tank may be damaged, or gone [7.38.2.2]. One that `hides` starts under a HIDDEN UNIT
    counter [7.2.1]. A `leader` who has joined it from another unit acts in the `office` that he brought
    [7.55.1-transfer].
    An aircraft has a `flight` and no hex; an FO `guides` aircraft to a target this turn [6.7.3.1.2].
    """

    id: UnitId
    side: Side
    kind: Card
    name: str
    hex: Hex | None = None
    facing: int = 0
    status: Where = "to place"
    command: CommandName = "no command"
    revealed: bool = False
    fired: bool = False
    moved: bool = False
    moving: bool = False
    spot: Marker = ""
    fresh: Marker = ""
    damaged: bool = False
    formation: str = ""
    grade: Grade = "seasoned"
    labels: tuple[Label, ...] = ()
    weapons: tuple[str, ...] = ()
    shares: UnitId = ""
    column: bool = False
    aims: tuple[Hex, ...] = ()
    aimed: UnitId = ""
    arms: tuple[str, ...] = ()
    depot: Hex = ""
    suppression: Suppression = ""
    under_fire: bool = False
    full_cover: bool = False
    damaged_part: Literal["", "turret", "hull"] = ""
    track_hit: bool = False
    carrier: UnitId | None = None
    hull_down: Found = ""
    backed_in: bool = False
    bogged: bool = False
    morale: Morale = ""
    shaken: bool = False
    platoon: str = ""
    camouflaged: bool = False
    inside: bool = False
    leader: str = ""
    office: tuple[Label, ...] | None = None
    discharged: int = 0
    jammed: tuple[str, ...] = ()
    ruined: tuple[str, ...] = ()
    exposed: bool = False
    pledged: UnitId = ""
    overrun: bool = False
    dismounted: bool = False
    transport: UnitId = ""
    upper: bool = False
    indoors: bool = False
    turret: int = 0
    buttoned: bool = False
    loaded: str = ""
    hedge: Hex = ""
    came: Hex = ""
    behind: tuple[UnitId, ...] = ()
    flight: Flight | None = None
    guides: UnitId = ""
    sheltered: UnitId = ""
    part_of: UnitId = ""
    bed: str = ""
    collateral: tuple[str, ...] = ()
    silenced: tuple[Label, ...] = ()
    searching: bool = False
    heard: tuple[Hex, ...] = ()
    bound: Hex = ""
    hides: bool = False
    aside: bool = False
    trailer: Literal["", "damaged", "gone"] = ""

    @property
    def aircraft(self) -> Aircraft:
        """The Data Card of an aircraft."""
        assert isinstance(self.kind, Aircraft)
        return self.kind

    @property
    def airborne(self) -> Flight:
        """The flight of an aircraft."""
        assert self.flight is not None
        return self.flight

    @property
    def ground(self) -> GroundCard:
        """The Data Card of a unit on the ground."""
        assert not isinstance(self.kind, Aircraft)
        return self.kind

    @property
    def vehicle(self) -> Vehicle:
        """The Data Card of a vehicle."""
        assert isinstance(self.kind, Vehicle)
        return self.kind

    @property
    def is_vehicle(self) -> bool:
        """Whether it is a vehicle, neither a leg nor a towed unit."""
        return isinstance(self.kind, Vehicle)

    @property
    def is_leg(self) -> bool:
        """Whether it is a squad, half-squad or section [5.1]."""
        return isinstance(self.kind, Leg)

    @property
    def watches(self) -> bool:
        """Whether it is a combat unit, which spots: it has firepower, or may observe fire [4.1.1]."""
        return self.kind.armed or not OBSERVERS.isdisjoint(self.labels)

    @property
    def seen_as(self) -> Marker:
        """The SPOT counter that counts for overwatch."""
        return self.fresh or self.spot


class Start(msgspec.Struct, frozen=True):
    """A vehicle as a scenario names it, and its starting hex if that is fixed."""

    unit: Unit
    hex: Hex = ""


class Company(NamedTuple):
    """A formation of a game: its side, its name and its grade [5.8.2].

    `cohesion` is the level of its Cohesion Point, `army` the row of the Cohesion Modifiers Table for it [7.1.1]. Its
    units react after the turns of its `delay` [7.48].
    """

    side: Side
    name: str
    grade: Grade
    cohesion: str = "average"
    army: str = ""
    delay: int = 0


class Setting:
    """The constants of a game: scenario, its own sections, map, charts, the zones of units, formations by their ids."""

    def __init__(self, scenario: Scenario, sections: PanzerSections, board: HexMap, charts: Charts) -> None:
        self.scenario, self.sections, self.map, self.charts = scenario, sections, board, charts
        flooded = sections.conditions.streams == "impassable"
        dug = [hex for marker in scenario.markers if marker.kind == "ditch" for hex in marker.at]
        ditches = {board.coords[hex] for hex in dug if hex in board.coords}
        self.ground = Ground(board, charts, like={"stream": "water"} if flooded else None, ditches=ditches)
        self.frozen = Ground(board, charts, like={"stream": "clear"}, ditches=ditches)
        self.sides = tuple(scenario.sides)
        self.other: Mapping[Side, Side] = stacks.opponents(self.sides)
        self.options = frozenset(scenario.options)
        self.advanced = ADVANCED in self.options
        self.formations: dict[str, Company] = {}
        self.ids: dict[Side, tuple[UnitId, ...]] = dict.fromkeys(self.sides, ())
        self.zones: dict[UnitId, tuple[Hex, ...]] = {}
        self.aboard: dict[UnitId, UnitId] = {}
        self.planes: dict[UnitId, Unit] = {}
        self.drops: dict[UnitId, Descent] = {}
        self.loads: dict[UnitId, tuple[UnitId, ...]] = {}
        self.squadrons: dict[UnitId, Squadron] = {}
        self.roster: tuple[Start, ...] = ()
        self.batteries: dict[str, Guns] = {}
        self.exits: dict[Side, frozenset[Hex]] = {side: frozenset() for side in self.sides}
        self.objectives: frozenset[Hex] = frozenset()
        self._lines: dict[tuple[Hex, Hex], Refusal | None] = {}
        self._overhead: dict[tuple[Hex, Hex, Altitude, frozenset[Hex]], Refusal | None] = {}
        self._raised: dict[tuple[Hex, Hex, frozenset[Hex], Gaps, frozenset[Hex]], Refusal | None] = {}

    def dig(self, hex: Hex) -> None:
        """Lay a Ditch of a case: its hex is one Height lower [6.1.4.3.4]."""
        for ground in (self.ground, self.frozen):
            ground.ditches.add(self.map.coords[hex])

    def floors(self, hex: Hex) -> int:
        """The Heights by which leg units upstairs stand above the ground: one less than the building has.

        On the flat roofs of Desert Buildings they have its whole Height.
        Rules: [6.1.4.3.1-b, 4.1.4.1.3.1]: RULINGS.md R207.
        """
        storeys = self.map.cells[hex].storeys or 1
        return storeys if self.sections.conditions.desert_buildings else storeys - 1

    def line(self, a: Hex, b: Hex) -> Refusal | None:
        """The reason that two hexes do not see each other, or None; each pair is asked once."""
        if (a, b) not in self._lines:
            coords = self.map.coords
            found = blocked(self.charts, self.ground, coords[a], coords[b], lanes="R9" in self.options)
            self._lines[a, b] = self._lines[b, a] = found
        return self._lines[a, b]

    def overhead(self, at: Hex, hex: Hex, altitude: Altitude, razed: frozenset[Hex]) -> Refusal | None:
        """The reason that an aircraft and a unit on the ground do not see each other, or None; asked once."""
        key = at, hex, altitude, razed
        if key not in self._overhead:
            coords, row = self.map.coords, self.charts.air_lines[altitude]
            relief = Raised(self.ground, {}, razed={coords[ruin] for ruin in razed})
            around = "R120" in self.options
            self._overhead[key] = hidden(relief, coords[at], coords[hex], row, around=around)
        return self._overhead[key]

    def line_from_above(
        self, a: Hex, b: Hex, upstairs: frozenset[Hex], gaps: Gaps, razed: frozenset[Hex]
    ) -> Refusal | None:
        """The reason that units in two hexes do not see each other, or None.

        Those of `upstairs` are on upper floors [6.1.4.3.1-b]; hedgerows in the `gaps` between two hexes hide nobody,
        as units are dug in there [7.45]. The buildings of `razed` hexes are rubble.
        """
        key = a, b, upstairs, gaps, razed
        if key not in self._raised:
            coords = self.map.coords
            lifts = {coords[hex]: self.floors(hex) for hex in upstairs}
            open_ = {frozenset(coords[hex] for hex in gap) for gap in gaps}
            raised = Raised(self.ground, lifts, open_, {coords[hex] for hex in razed})
            found = blocked(self.charts, raised, coords[a], coords[b], lanes="R9" in self.options)
            self._raised[key] = self._raised[b, a, upstairs, gaps, razed] = found
        return self._raised[key]

    def facing(self, side: Side) -> int:
        """The direction in which a side's vehicles start."""
        section = self.sections.sides.get(side)
        return section.facing if section else 0

    def grade(self, side: Side) -> Grade:
        """The Force Grade of a side [5.8.1]."""
        section = self.sections.sides.get(side)
        return section.grade if section else "seasoned"


class Position(msgspec.Struct, dict=True):
    """Everything that changes in a game except the flow: vehicles, wrecks, spots, control of objectives.

    `spots` holds for each vehicle the enemies that it spotted in this turn's Spotting Phase; `smoking` are the
    Brew-Up wrecks of the present step, whose smoke begins when it ends. `first` is the First Player of the turn;
    `cohesion` has the levels of formations for which a roll was made [7.1.1.1-roll], `works` the counters that alter
    the ground of hexes [6.1.4.3]. `batteries` are those off the map by their ids, `missions` the indirect fire that
    lies on the map by its firer, `calls` what was done with it in this turn, `smoke` the smoke areas [6.5.1].
    `struck` are the greatest GP Factors at the buildings and the rubble of hexes in this turn [7.35.1-check],
    `bailed` the hexes of abandoned vehicles [6.6.1.1.3-bail], `hulks` those of the vehicles that are wrecks
    [7.30-push]. With Staggered Initiative `order` are the formations in the order of their fire in this turn,
    `unnerved` units will check their morale after the last attack, and `steeled` ones have done so early [7.42.1.2].
    `masks` are the HIDDEN UNIT counters [7.2].
    """

    setting: Setting
    units: dict[UnitId, Unit]
    wrecks: dict[Hex, Wreck]
    spots: dict[UnitId, tuple[UnitId, ...]]
    control: dict[Hex, Side]
    exits: dict[UnitId, Hex]
    turn: int = 0
    first: Side = ""
    smoking: tuple[Hex, ...] = ()
    cohesion: dict[str, str] = {}
    works: dict[Hex, tuple[Work, ...]] = {}
    descents: dict[UnitId, Descent] = {}
    batteries: dict[str, Guns] = {}
    missions: dict[str, Mission] = {}
    calls: tuple[Call, ...] = ()
    smoke: tuple[Smoke, ...] = ()
    struck: dict[Hex, int] = {}
    bailed: dict[UnitId, Hex] = {}
    hulks: dict[UnitId, Hex] = {}
    order: tuple[str, ...] = ()
    unnerved: tuple[UnitId, ...] = ()
    steeled: tuple[UnitId, ...] = ()
    masks: dict[str, Mask] = {}

    def copy(self) -> Position:
        """An independent copy."""
        return replace(
            self,
            units=self.units.copy(),
            wrecks=self.wrecks.copy(),
            spots=self.spots.copy(),
            control=self.control.copy(),
            exits=self.exits.copy(),
            cohesion=self.cohesion.copy(),
            works=self.works.copy(),
            descents=self.descents.copy(),
            struck=self.struck.copy(),
            bailed=self.bailed.copy(),
            hulks=self.hulks.copy(),
            batteries=self.batteries.copy(),
            missions=self.missions.copy(),
            masks=self.masks.copy(),
        )

    @property
    def map(self) -> HexMap:
        """The map."""
        return self.setting.map

    @property
    def charts(self) -> Charts:
        """The charts in use."""
        return self.setting.charts

    @cached_property
    def musters(self) -> dict[Side, tuple[UnitId, ...]]:
        """The vehicles of each side on the map, as far as known; not saved."""
        return {}

    def of(self, side: Side) -> list[Unit]:
        """The side's vehicles on the map."""
        names = self.musters.get(side)
        if names is None:
            names = tuple(name for name in self.setting.ids[side] if self.units[name].hex is not None)
            self.musters[side] = names
        return [self.units[name] for name in names]

    def enemies(self, side: Side) -> list[Unit]:
        """The other side's vehicles on the map."""
        return self.of(self.setting.other[side])

    def at(self, hex: Hex) -> list[Unit]:
        """The vehicles in a hex."""
        return [unit for side in self.setting.sides for unit in self.of(side) if unit.hex == hex]

    def aboard(self, carrier: UnitId) -> list[Unit]:
        """The passengers of a vehicle [6.6.7]."""
        return [unit for unit in self.units.values() if unit.carrier == carrier]

    def rework(self, hex: Hex, works: tuple[Work, ...]) -> None:
        """Give a hex these works, of which one may be the rubble of its building."""
        self.works[hex] = works
        self.__dict__.pop("razed", None)

    @cached_property
    def razed(self) -> frozenset[Hex]:
        """The hexes whose buildings are rubble, which has no Height [6.1.4.3.9]: RULINGS.md R107; not saved.

        Each line of sight asks for them; `rework` forgets them.
        """
        if not self.works or "R107" in self.setting.options:
            return frozenset()
        ruins = (hex for hex, works in self.works.items() if any(_ruined(work) for work in works))
        return frozenset(hex for hex in ruins if not BUILDINGS.isdisjoint(self.map.cells[hex].terrain))

    def line(self, a: Hex, b: Hex, upstairs: frozenset[Hex] = frozenset(), gaps: Gaps = frozenset()) -> Refusal | None:
        """The reason that units in two hexes do not see each other as the ground is now, or None [4.1.4]."""
        razed = self.razed
        if not upstairs and not gaps and not razed:
            return self.setting.line(a, b)
        return self.setting.line_from_above(a, b, upstairs, gaps, razed)

    def line_from_the_air(self, at: Hex, hex: Hex, altitude: Altitude) -> Refusal | None:
        """The reason that an aircraft over a hex and units in another do not see each other, or None [6.7.3.1.3]."""
        return self.setting.overhead(at, hex, altitude, self.razed)

    def pick(self, names: Iterable[UnitId]) -> list[Unit]:
        """These vehicles."""
        return [self.units[name] for name in names]

    def change(self, unit_id: UnitId, **values: Any) -> Unit:
        """Replace values of a vehicle; return the new one."""
        unit = self.units[unit_id] = replace(self.units[unit_id], **values)
        if "hex" in values:
            self.musters.pop(unit.side, None)
        return unit

    def put(self, unit_id: UnitId, hex: Hex, **values: Any) -> Unit:
        """Bring a vehicle onto a hex; an objective there is under its side's control [3.6]."""
        unit = self.change(unit_id, hex=hex, status="on the map", **{"hedge": "", "aside": False, **values})
        return unit

    def lift(self, unit_id: UnitId, status: Where) -> None:
        """Take a vehicle off the map."""
        self.change(unit_id, hex=None, status=status, spot="", fresh="")


# --- questions --------------------------------------------------------------------------------------------------


def away(position: Position, a: Unit, b: Unit) -> int:
    """The range between two vehicles in hexes [3.5, 3.5.1]."""
    coords = position.map.coords
    return distance(coords[str(a.hex)], coords[str(b.hex)])


def level(position: Position, unit: Unit) -> int:
    """The Height at which a unit stands; on the top floor that of the floor [6.1.4.3.1-b]: RULINGS.md R200."""
    hex = str(unit.hex)
    floors = position.setting.floors(hex) if unit.upper else 0
    return position.setting.ground.height(position.map.coords[hex]) + floors


def seated(position: Position, passenger: Unit) -> Unit:
    """A passenger as it looks and fires from its vehicle, whose hex, facing and command it has [6.6.7.2-who]."""
    vehicle = position.units[str(passenger.carrier)]
    return replace(
        passenger, hex=vehicle.hex, facing=vehicle.facing, command=vehicle.command, revealed=vehicle.revealed
    )


def _ruined(work: Work) -> bool:
    """Return whether a work is the rubble of a building, and not of a position in its hex [6.5.4.4.3]."""
    return work.kind == "rubble" and work.value in ("", "building")


def lurking(position: Position, side: Side) -> Iterator[Unit]:
    """The hidden units of a side, each in the hex of its counter, as far as they are known [7.2.2]."""
    for mask in position.masks.values():
        if mask.side == side:
            yield from (replace(position.units[name], hex=mask.hex) for name in mask.units)


def where_it_is(position: Position, unit_id: UnitId) -> Unit:
    """A unit, a hidden one in the hex of its counter [7.2.2]."""
    unit = position.units[unit_id]
    if unit.status != "hidden":
        return unit
    return next((one for one in lurking(position, unit.side) if one.id == unit_id), unit)


def may_watch(unit: Unit) -> bool:
    """Whether a unit has an Overwatch command, or one that the asking side does not know [4.2-overwatch].

    By what everybody knows, any of these may fire from overwatch; a side knows the commands of its own units.
    """
    return unit.command in ("overwatch", "?")


def at_arms(position: Position, unit_id: UnitId) -> Unit:
    """A unit as it fires: a passenger has the hex, the facing and the command of its vehicle [6.6.7.2-who]."""
    unit = where_it_is(position, unit_id)
    return unit if unit.carrier is None else seated(position, unit)


def everybody(position: Position, side: Side) -> Iterator[Unit]:
    """The units of a side on the map, and passengers as they are in their vehicles there [6.6.7]."""
    yield from position.of(side)
    yield from (
        seated(position, position.units[name]) for name in position.setting.ids[side] if aboard_on_map(position, name)
    )


def bearer(position: Position, unit_id: UnitId) -> UnitId:
    """The unit that is on the map and bears the counters of a unit: the vehicle of a passenger [6.6.7.2-spot]."""
    return position.units[unit_id].carrier or unit_id


def aboard_on_map(position: Position, unit_id: UnitId) -> bool:
    """Return whether a unit is a passenger of a vehicle on the map, not of a hidden one [6.6.7, 7.2.2.2]."""
    carrier = position.units[unit_id].carrier
    return carrier is not None and position.units[carrier].hex is not None


def gunners(position: Position, side: Side) -> Iterator[Unit]:
    """The units of a side that may fire: those on the map, and in the Advanced Game passengers [6.6.7.2-who]."""
    yield from position.of(side)
    if position.setting.advanced:
        for name in position.setting.ids[side]:
            if aboard_on_map(position, name) and position.units[name].is_leg:
                yield seated(position, position.units[name])


def crowd(position: Position, hex: Hex) -> int:
    """The vehicles and towed units in a hex; leg units and aircraft do not count for stacking [5.13]."""
    return sum(not unit.is_leg and unit.flight is None for unit in position.at(hex))


def overstacked(position: Position, hex: Hex, besides: int = 0) -> bool:
    """Return whether a hex is overstacked, with `besides` vehicles more [3.8]."""
    return crowd(position, hex) + besides >= OVERSTACKED


def cover(position: Position, unit: Unit, use: Literal["spotting", "combat"]) -> CoverType:
    """The Cover of a unit for spotting or for combat; an overstacked hex has none.

    Rules: [4.1.3.2, 6.1.4.3.1, 6.1.4.3.1-b, 6.1.4.3.7, 6.1.4.3.9, 6.5.4.2.2-roof, 7.45].
    """
    hex = str(unit.hex)
    if on_roof(position, unit):
        return in_crowd("light", crowd(position, hex))
    on_foot = unit.is_leg and unit.carrier is None
    within: Literal["alley", "building"] = "building" if on_foot or unit.inside else "alley"
    if any(work.kind == "rubble" for work in position.works.get(hex, ())):
        use, within = "combat", "building"  # 6.1.4.3.9: rubble of wood is Light, of brick Medium for spotting too
    found = position.setting.ground.cover(hex, use, within)
    if unit.hedge:
        found = better(found, "medium" if use == "combat" else "heavy")
    if beside_vehicle(position, unit):
        found = better(found, "light")
    return in_crowd(better(found, _worked(position, unit)), crowd(position, hex))


def on_roof(position: Position, unit: Unit) -> bool:
    """Return whether a unit is on the flat roof of a Desert Building [4.1.4.1.3.1, 6.5.4.2.2-roof]."""
    return unit.upper and position.setting.sections.conditions.desert_buildings


def beside_vehicle(position: Position, unit: Unit) -> bool:
    """Return whether a leg unit is in the hex of the vehicle that gives it cover this turn [7.49-cover]."""
    return bool(unit.sheltered) and position.units[unit.sheltered].hex == unit.hex and not unit.full_cover


def _worked(position: Position, unit: Unit) -> CoverType:
    """The Cover that works give a unit: Heavy in an Improved Position, Light for leg units at blocks and ditches."""
    works = position.works.get(str(unit.hex), ())
    if any(work.kind == "improved position" and work.holder == unit.id for work in works):
        return "heavy"
    return "light" if unit.is_leg and any(work.kind in ("block", "ditch") for work in works) else "none"


def masked(unit: Unit) -> Refusal | None:
    """Reject fire of a hidden unit: its counter is revealed first [7.2.2.3]."""
    return (
        Refusal("{} is hidden: reveal its counter first", "7.2.2.3", (unit.name,)) if unit.status == "hidden" else None
    )


# --- checks that every chapter shares ---------------------------------------------------------------------------


def not_yours(side: Side, unit: Unit) -> Refusal | None:
    """Reject a vehicle of the other side."""
    return None if unit.side == side else Refusal("{} is not yours", PROCEDURE, (unit.name,))


def off_the_map(unit: Unit) -> Refusal | None:
    """Reject a vehicle that is not on the map."""
    return None if unit.hex is not None else Refusal("{} is {}", PROCEDURE, (unit.name, unit.status))
