"""The playing pieces [3.2]: stands, works and other markers, the position; questions about stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from typing import Any, Literal, NamedTuple, TypeAlias

import msgspec
from msgspec.structs import replace

from opfire.core.actions import PROCEDURE, Refusal
from opfire.core.places import Point
from opfire.core.scenario import Scenario
from opfire.kit import stacks
from opfire.kit.table import Zone
from opfire.rulesets.micro_armour.air.planes import Plane, as_known
from opfire.rulesets.micro_armour.airborne.drops import Drop, Landing
from opfire.rulesets.micro_armour.artillery.missions import Mission
from opfire.rulesets.micro_armour.charts import Charts, TerrainEffect, Weapon
from opfire.rulesets.micro_armour.sections import ArmourSections, Equipment, Rank, Troops
from opfire.rulesets.micro_armour.strewn import CLEARED, Lying, lying, strewn
from opfire.space.squares import footprint, may_touch, overlap, share, touch
from opfire.space.table import Table
from opfire.space.terrain.exact import Ring
from opfire.space.terrain.features import Feature
from opfire.space.terrain.layers import Footing

UnitId: TypeAlias = str
Side: TypeAlias = str
Posture: TypeAlias = Literal["firing", "movement", "fire/move"]
Where: TypeAlias = Literal[
    "on the table", "to place", "reserve", "off the map", "silent", "led", "hidden", "eliminated", "exited"
]
WorkKind: TypeAlias = Literal[
    "light position",
    "medium position",
    "heavy position",
    "wire",
    "mines",
    "ditch",
    "wreck",
    "smoke",
    "impact",
    "bridge",
    "bridge out",
    "breach",
    "rough-1",
    "rubble",
    "damage",
    "brush",
]
Class: TypeAlias = Literal["armoured", "equipment", "personnel"]

HIDDEN_PLACEMENT = "SC.stark.hidden"
"""The option by which a side hides mines, and stands in improved positions."""

ARTILLERY = frozenset({"artillery", "rocket-artillery"})
"""The kinds of stands that fire in the artillery phase with impact markers [7.4.2.1-types]."""

IN_TERRAIN = 3, 4
"""The share of a stand that lies in a terrain if the stand is in it [9.1.5]: three quarters."""


class Stand(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A stand: its row of the weapons data, its place, its state, and its history in the turn.

    `at` is None off the table; cargo has its carrier's. `suppressed` and `disorganized` are its cohesion states [5.2].
    `fired` says that it has attempted to fire in this turn [7.1.5], `unseen` that this was indirect fire [7.6],
    `attacked` that it was the target of an attack in this standard fire phase [7.1.2], `shots` are the targets at which
    it has fired in the turn, or that it has assaulted. `shelled` says that artillery or aircraft have struck it in the
    turn [12.1.5-2]. `group`
    names the movement group that it belongs to, by the first stand of that group [8.1.1]. `formation`, `rank`,
    `quality` and `recon` are those of the order of battle [10.1, 10.6]. `laid` is the facing with which it was set up,
    None once it has left that place [11.4.4].
    `depleted` says that its armour piercing fire is spent [10.14], `special` that it has special ammunition [12.9],
    `heat` that its one HEAT attack is left [12.11], `low` that it is nearly out of ammunition [12.2.2]. `again`
    says that it may fire a second time [12.8]. `retreats` names the flamethrower from which it retreats at the end of
    the phase [11.6.1].

    In the movement phase, `moved` says that its move is over, `tried` that its group has tried to move independently
    [8.2.7], `spent` are its movement points (10^-6), `stretch` is the ground on which it has come: the price of an inch
    of it, and its points before they are rounded [9.1.2]; `rough` are those on ground where bicycles are no help
    [10.11.1] or beside the ways of a loaded carrier, `unpaved` those beside its roads [12.7], and `gone` its way (10^-6
    inch). `swims` says that it uses amphibious points [8.9.1]. `opposed` and `covered` say that it has suffered
    opportunity fire [8.5.5] and covering fire [8.6.4], `overruns` are the stands that it has driven over [8.7],
    `assaults` is the one that it assaults [8.8.2]. `handled` counts the turns for which it has been loaded, and is -1
    for a large load that was unloaded in the turn before [8.4.3, 8.4.7-large]; `balked` says that it failed to load
    [8.4.4], `unloaded` that it has been unloaded in this phase [8.4.2]. `replaced` says of a lost headquarters that
    another stand has taken command [10.1.7], `mourned` that the cards for its loss are drawn [12.1.3].

    `landed` is the turn in which it landed from the air, -1 if it did not [8.10.2.3-limits]; `crashed` says that it was
    lost in landing, and `awaited` is the turn in which its successor takes command then [8.10.1.4].

    `allotted` are the turns of fire that it has left, None without a limit [7.9.2],
    `smoked` the smoke missions that it has fired [7.4.7.2], `reloaded` is the turn from which rockets may fire
    again [7.4.2.1-markers].

    `equipment` are the special means of its order of battle [11.5]. `began` is its place at the beginning of the turn,
    None if it has been there all the time. `toil` counts its successes at markers, or its turns beside a wreck, by the
    marker's id; a bridge that is not laid yet counts under its place [11.5.3-pause, 11.5.7-build, 11.5.9.2].
    `boats` are the amphibious points of the fording boats in which it is [8.9.4-board].
    `jumped` and `clung` say of a rider that it has got off its tank in this turn, or stays on it after a roll [12.5].
    `hidden` says that the enemy does not know where it is [SC.stark.hidden].
    `on_road` says that it has come to its place at the rate of a road [9.1.4].
    """

    id: UnitId
    side: Side
    kind: Weapon
    name: str
    at: Point | None = None
    facing: int = 0
    status: Where = "to place"
    carrier: UnitId | None = None
    cargo: tuple[UnitId, ...] = ()
    posture: Posture = "firing"
    group: UnitId = ""
    suppressed: bool = False
    disorganized: bool = False
    fired: bool = False
    unseen: bool = False
    attacked: bool = False
    shots: tuple[UnitId, ...] = ()
    shelled: bool = False
    formation: str = ""
    rank: Rank = ""
    quality: int = 0
    recon: bool = False
    laid: int | None = 0
    depleted: bool = False
    special: bool = False
    heat: bool = False
    low: bool = False
    again: bool = False
    retreats: UnitId = ""
    moved: bool = False
    tried: bool = False
    spent: int = 0
    stretch: tuple[int, int] = (0, 0)
    gone: int = 0
    rough: int = 0
    unpaved: int = 0
    swims: bool = False
    opposed: bool = False
    covered: bool = False
    overruns: tuple[UnitId, ...] = ()
    assaults: UnitId = ""
    handled: int = 0
    balked: bool = False
    unloaded: bool = False
    replaced: bool = False
    mourned: bool = False
    allotted: int | None = None
    smoked: int = 0
    reloaded: int = 0
    landed: int = -1
    crashed: bool = False
    awaited: int = 0
    equipment: tuple[Equipment, ...] = ()
    began: Point | None = None
    toil: tuple[tuple[str, int], ...] = ()
    boats: int = 0
    jumped: bool = False
    clung: bool = False
    hidden: bool = False
    on_road: bool = False

    @property
    def armoured(self) -> bool:
        """Whether it is an armoured vehicle, whose defence value stands in brackets [7.1.8-class, WD.def]."""
        return self.kind.armoured

    @property
    def personnel(self) -> bool:
        """Whether it is a personnel stand: marked P, or a support stand [6.2.1, 6.2.2, 10.4]."""
        return not self.kind.armoured and (self.kind.p_halved or self.kind.defence_class == "personnel")

    @property
    def vehicle(self) -> bool:
        """Whether it is a vehicle: armoured, or on wheels or tracks, such as lorries, jeeps and guns on lorries.

        Motorcycle infantry is personnel [6.2.2].
        """
        return self.kind.armoured or (self.kind.mov_class in ("W", "T") and not self.personnel)

    @property
    def defence(self) -> int:
        """Its defence value as printed, or 1 while it is in fording boats [8.9.4-def] or rides on a tank [12.5]."""
        return 1 if self.boats or self.carrier is not None else self.kind.defence or 0

    @property
    def shaken(self) -> bool:
        """Whether it is suppressed or disorganized."""
        return self.suppressed or self.disorganized

    @property
    def ring(self) -> Ring:
        """Its footprint on the table."""
        assert self.at is not None
        return footprint(self.at, self.facing)


class Progress(msgspec.Struct, frozen=True, gc=False):
    """The move of the stand that is under way [8.1.3].

    `halted` says that it goes no farther. While it goes a leg, `origin` and `to` are the ends of that leg, `done` is
    the part of it that it has gone, as a fraction, and `before` what it had spent, gone and spent on rough ground at
    the beginning, `stretch` the ground on which it came [9.1.2], `path` where its legs began, each with the facing
    there [8.3.4]. `asked` is the place at which the enemy last had its chance to fire, `held` that it fires no more at
    this move [8.5.2]. `firers` have just used opportunity fire, `shaken` says that the stand rolls before it goes on
    [8.5.4]. In an overrun `target` is the stand that it drives to, `beyond` and `turned` are the place and the facing
    at which it ends, and `through` is the target while the stand is on it [8.7.6].
    `waits` says that a stand that failed may be ordered again [8.9.2].
    `freed` are the mines, wire and ditches that it may leave [11.1.6-leave, 11.2.2].
    `handling` says that it loads or unloads personnel, which takes half of its points for any number of them at one
    place [8.4.2, 8.4.6], `alighted` are those that have just got off, at which the enemy may fire [8.4.8].
    `breached` says that it has broken through hedges [9.3.3-breach]. `braved` are the armoured enemies through which it
    may go after tests of nerve [8.3.6].
    """

    unit: UnitId
    origin: Point | None = None
    to: Point | None = None
    facing: int = 0
    done: tuple[int, int] = (0, 1)
    before: tuple[int, int, int, int] = (0, 0, 0, 0)
    stretch: tuple[int, int] = (0, 0)
    path: tuple[tuple[Point, int], ...] = ()
    halted: bool = False
    asked: Point | None = None
    held: bool = False
    firers: tuple[UnitId, ...] = ()
    shaken: bool = False
    target: UnitId = ""
    beyond: Point | None = None
    turned: int = 0
    through: UnitId = ""
    waits: bool = False
    freed: tuple[str, ...] = ()
    breached: bool = False
    braved: tuple[UnitId, ...] = ()
    handling: Literal["", "load", "unload"] = ""
    alighted: tuple[UnitId, ...] = ()


class Work(msgspec.Struct, frozen=True, gc=False):
    """A marker of one square inch on the table: a position, an obstacle, a wreck, smoke or an impact zone.

    `side` is the side that laid it; `value` is what it prints, such as the concentration of a minefield, which is
    empty for those who do not know it: `known` says that everybody does [11.1.2, 11.1.6-leave]. `cleared` says of a
    wreck that the road past it is open [11.5.9.3]. `hits` counts the attacks of artillery on buildings, and `harm`
    their E results, or those on a position [9.4, 11.4].
    Smoke and impact markers name the `battery` whose fire they are, its `mission` if it fires indirectly, the turn
    `until` which they stay [7.4.2.2], and whether they belong to a `barrage` [7.6.2.4-effect], to a `hot` shot
    [12.2.1], or to `direct` fire [7.5]; those of bombs name the `plane` [12.3.8]. `hidden` mines are not on the table
    for the enemy [SC.stark.hidden]. A `fresh` marker has no effect yet: a wreck of a vehicle that was lost on the
    stand that it overruns, before the overrun of that stand is resolved [8.7.7], bombs before they fall [12.3.7].
    """

    id: str
    kind: WorkKind
    at: Point
    facing: int = 0
    side: Side = ""
    value: str = ""
    battery: UnitId = ""
    until: int = 0
    barrage: bool = False
    known: bool = False
    cleared: bool = False
    hits: int = 0
    harm: int = 0
    plane: str = ""
    hidden: bool = False
    hot: bool = False
    fresh: bool = False
    direct: bool = False
    mission: str = ""

    @property
    def ring(self) -> Ring:
        """Its footprint on the table."""
        return footprint(self.at, self.facing)

    @property
    def lying(self) -> Lying:
        """The marker as far as ground is concerned."""
        return Lying(self.kind, self.at, self.facing, CLEARED if self.cleared else "")


class Start(msgspec.Struct, frozen=True):
    """A stand as a scenario names it, and its starting point if that is fixed."""

    stand: Stand
    at: Point | None = None


class End(NamedTuple):
    """One end of a line of sight: its point and footprint; `clear` says that it counts as in clear terrain [6.3.4]."""

    at: Point
    ring: Ring
    clear: bool
    personnel: bool


class Setting:
    """The constants of a game: scenario, its own sections, table, charts, options, the zones of stands.

    `lines` remembers which lines terrain blocks.
    """

    def __init__(self, scenario: Scenario, sections: ArmourSections, table: Table, charts: Charts) -> None:
        self.scenario, self.sections, self.table, self.charts = scenario, sections, table, charts
        self.options = frozenset(scenario.options)
        self.sides = tuple(scenario.sides)
        self.other: Mapping[Side, Side] = stacks.opponents(self.sides)
        self.ids: dict[Side, tuple[UnitId, ...]] = dict.fromkeys(self.sides, ())
        self.zones: dict[UnitId, Zone] = {}
        self.named_zones: Mapping[str, Zone] = {}
        self.entries: dict[UnitId, tuple[int, tuple[str, ...]]] = {}
        self.roster: tuple[Start, ...] = ()
        self.works: tuple[Work, ...] = ()
        self.objectives: Mapping[str, Point] = {}
        self.landings: dict[str, Landing] = {}
        self.exits: dict[Side, frozenset[str]] = {side: frozenset() for side in self.sides}
        self.lines: dict[tuple[End, End], Refusal | None] = {}
        self._shares: dict[tuple[Point, int], tuple[tuple[Feature, bool], ...]] = {}

    def has(self, option: str) -> bool:
        """Whether an optional rule or reading is on in this game."""
        return option in self.options

    def troops(self, side: Side) -> Troops:
        """The section of a side."""
        found = self.sections.sides.get(side)
        return Troops() if found is None else found

    def nation(self, side: Side) -> str:
        """The nation of a side, as the scenario writes it."""
        return self.scenario.sides[side].nation

    def covering(self, at: Point, facing: int) -> tuple[Feature, ...]:
        """The features of the table that three quarters or more of a stand lie in [9.1.5]; places are remembered."""
        return tuple(feature for feature, within in self.touched(at, facing) if within)

    def touched(self, at: Point, facing: int) -> tuple[tuple[Feature, bool], ...]:
        """The features that a stand touches, each with whether the stand is in it [9.1.5]."""
        key = at, facing
        if key not in self._shares:
            if len(self._shares) > 20000:
                self._shares.clear()
            ring = footprint(at, facing)
            found = self.table.ground.under(at, 708)  # half the diagonal of a stand
            self._shares[key] = tuple((feature, _is_in(ring, feature)) for feature in found)
        return self._shares[key]


def _is_in(ring: Ring, feature: Feature) -> bool:
    """Return whether a stand is in a feature [9.1.5]; the pieces of a strip count together."""
    over, under = IN_TERRAIN
    return sum(share(ring, rings) for rings in feature.parts) * under >= over


class Position(msgspec.Struct, dict=True):
    """Everything that changes in a game except the flow: stands, works and other markers, control of objectives.

    `initiative` is the side that has it in this turn [4.0-1], `weather` the limit of sight in inches that the weather
    sets in this turn, 0 without one [9.6.3]. `left` names the edge by which a stand has left the table.

    `orders` are the movement orders that each side has left [8.2.1], `progress` is the move of the stand under way.

    `missions` are the lines of the Artillery Fire Mission Record [7.6.3] by id, `observers` the stands that host a
    forward observer with the turn from which it may plot [7.6.4.1, 7.6.4.4]; each side knows its own alone.

    `hands` are the cards that each force has drawn for its losses [12.1.3], `broken` are the forces that have broken,
    with the turn of that [12.1.4].

    `planes` are the aircraft of both sides [12.3], `coordinators` the air coordination teams that a side has, `teams`
    the stands that host one, which their side alone knows [12.3.3.3-use]. `surprise` is what a side's cohesion lacks
    after a landing by night [8.10.1.5], `ceasing` counts the rolls in a row by which it ends preset fire [SC.sf79.3],
    `drops` are the coordinates of landing groups that are written [8.10.1.2]. `rolled` is the number of the entry that
    a die gave to a side's reinforcements [SC.setback.ctr], `posted` are the stands of a vanguard that has set up.
    """

    setting: Setting
    units: dict[UnitId, Stand]
    works: dict[str, Work]
    control: dict[str, Side]
    left: dict[UnitId, str]
    turn: int = 0
    initiative: Side = ""
    weather: int = 0
    orders: dict[Side, int] = msgspec.field(default_factory=dict)
    progress: Progress | None = None
    missions: dict[str, Mission] = msgspec.field(default_factory=dict)
    observers: dict[UnitId, int] = msgspec.field(default_factory=dict)
    hands: dict[str, tuple[int, ...]] = msgspec.field(default_factory=dict)
    broken: dict[str, int] = msgspec.field(default_factory=dict)
    planes: dict[str, Plane] = msgspec.field(default_factory=dict)
    coordinators: dict[Side, int] = msgspec.field(default_factory=dict)
    teams: tuple[UnitId, ...] = ()
    surprise: dict[Side, int] = msgspec.field(default_factory=dict)
    drops: dict[str, Drop] = msgspec.field(default_factory=dict)
    ceasing: dict[Side, int] = msgspec.field(default_factory=dict)
    rolled: dict[Side, int] = msgspec.field(default_factory=dict)
    posted: tuple[UnitId, ...] = ()

    def copy(self) -> Position:
        """An independent copy."""
        twin = replace(
            self,
            units=self.units.copy(),
            works=self.works.copy(),
            control=self.control.copy(),
            left=self.left.copy(),
            orders=self.orders.copy(),
            missions=self.missions.copy(),
            observers=self.observers.copy(),
            hands=self.hands.copy(),
            broken=self.broken.copy(),
            planes=self.planes.copy(),
            coordinators=self.coordinators.copy(),
            surprise=self.surprise.copy(),
            drops=self.drops.copy(),
            ceasing=self.ceasing.copy(),
            rolled=self.rolled.copy(),
        )
        twin.musters.update(self.musters)
        twin.sightings.update(self.sightings)
        twin.terrains.update(self.terrains)
        return twin

    def known_to(self, side: Side) -> Position:
        """The position as a side may know it: without the missions, observers and air plans of others [7.6.3, 7.6.4.1].

        The empty side knows what everybody knows.
        """
        own = {name: mission for name, mission in self.missions.items() if mission.side == side}
        hosts = {name: turn for name, turn in self.observers.items() if self.units[name].side == side}
        teams = tuple(name for name in self.teams if self.units[name].side == side)
        planes = {name: plane if plane.side == side else as_known(plane) for name, plane in self.planes.items()}
        landings = self.setting.landings
        drops = {name: drop for name, drop in self.drops.items() if drop.shown or landings[name].side == side}
        seen = replace(self, missions=own, observers=hosts, teams=teams, planes=planes, drops=drops)
        for name in (
            "ground",
            "musters",
            "occupants",
            "sightings",
            "terrains",
        ):  # the same stands and markers: known to both
            seen.__dict__[name] = getattr(self, name)
        return seen._without_hidden(side) if self.setting.has(HIDDEN_PLACEMENT) else seen

    def _without_hidden(self, side: Side) -> Position:
        """This position without the stands and the mines that other sides hide from a side [SC.stark.hidden]."""
        secret = [unit for unit in self.units.values() if unit.hidden and unit.side != side]
        works = {name: work for name, work in self.works.items() if not work.hidden or work.side == side}
        if not secret and len(works) == len(self.works):
            return self
        away = {unit.id: self._away(unit) for unit in secret}
        return replace(self, units={**self.units, **away}, works=works)

    def _away(self, unit: Stand) -> Stand:
        """A hidden stand as the enemy knows it: neither its place nor its facing [SC.stark.hidden]."""
        facing = self.setting.troops(unit.side).facing
        return replace(unit, at=None, facing=facing, laid=facing, began=None, status="hidden")

    # --- questions --------------------------------------------------------------------------------------------

    @property
    def table(self) -> Table:
        """The table."""
        return self.setting.table

    @property
    def charts(self) -> Charts:
        """The charts in use."""
        return self.setting.charts

    @cached_property
    def ground(self) -> Footing:
        """The ground for movers: the table's, with the markers on it; not saved."""
        return strewn(self.table.ground, lying(work.lying for work in self.works.values() if not work.fresh))

    @cached_property
    def musters(self) -> dict[Side, tuple[UnitId, ...]]:
        """The stands of each side on the table that are no cargo, as far as known; not saved."""
        return {}

    @cached_property
    def sightings(self) -> dict[tuple[UnitId, UnitId | Point], Refusal | None]:
        """The reasons for which a stand does not see another or a place, or None, as far as known; not saved."""
        return {}

    @cached_property
    def terrains(self) -> dict[tuple[Point, int], tuple[str, ...]]:
        """The kinds of terrain that a stand at a place with a facing is in, as far as known; not saved."""
        return {}

    @cached_property
    def occupants(self) -> dict[tuple[Point, int], UnitId]:
        """The stand on which another one would lie at a place with a facing, empty for none; not saved."""
        return {}

    def of(self, side: Side) -> list[Stand]:
        """The side's stands on the table that are no cargo."""
        if side not in self.musters:
            self.musters[side] = tuple(
                unit.id for unit in self.pick(self.setting.ids[side]) if unit.at is not None and unit.carrier is None
            )
        return self.pick(self.musters[side])

    def fleet(self, side: Side) -> list[Plane]:
        """The aircraft of a side."""
        return [plane for plane in self.planes.values() if plane.side == side]

    def enemies(self, side: Side) -> list[Stand]:
        """The other side's stands on the table that are no cargo."""
        return self.of(self.setting.other[side])

    def all(self) -> Iterator[Stand]:
        """Every stand on the table that is no cargo."""
        for side in self.setting.sides:
            yield from self.of(side)

    def generals(self, side: Side) -> list[Stand]:
        """The general headquarters of a side on the table, those that ride too [10.1.5]."""
        return [unit for unit in self.pick(self.setting.ids[side]) if unit.rank == "GHQ" and unit.at is not None]

    def pick(self, names: Iterable[UnitId]) -> list[Stand]:
        """These stands."""
        return [self.units[name] for name in names]

    def effect(self, terrain: str) -> TerrainEffect:
        """The row of the Terrain Effects Chart for a kind of terrain."""
        return self.charts.terrain[terrain]

    # --- changes ----------------------------------------------------------------------------------------------

    def change(self, unit_id: UnitId, **values: Any) -> Stand:
        """Replace values of a stand; return the new stand."""
        unit = self.units[unit_id] = replace(self.units[unit_id], **values)
        if not {"at", "status", "carrier"}.isdisjoint(values):
            self.musters.pop(unit.side, None)
            self.occupants.clear()
        if not {"at", "facing", "carrier", "posture", "fired", "unseen"}.isdisjoint(values):
            self.sightings.clear()
        if "facing" in values:
            self.occupants.clear()
        return unit

    def put(self, unit_id: UnitId, at: Point, **values: Any) -> Stand:
        """Bring a stand and its cargo to a point of the table."""
        if self.units[unit_id].at not in (None, at):
            values.setdefault("laid", None)
        unit = self.change(unit_id, at=at, status="on the table", **values)
        for name in unit.cargo:
            self.change(name, at=at, status="on the table")
        return unit

    def lift(self, unit_id: UnitId, status: Where) -> None:
        """Take a stand and its cargo off the table; the last general headquarters takes the orders [8.2.2, 10.1.5]."""
        unit = self.units[unit_id]
        if unit.carrier is not None:
            bearer = self.units[unit.carrier]
            self.change(bearer.id, cargo=tuple(name for name in bearer.cargo if name != unit_id))
        for name in (unit_id, *unit.cargo):
            self.change(name, at=None, status=status, carrier=None, cargo=(), group="")
        if self.orders.get(unit.side) and not self.generals(unit.side):
            self.orders[unit.side] = 0

    def lay(self, work: Work) -> None:
        """Lay a work, or change one."""
        self.works[work.id] = work
        self._marked()

    def remove(self, work_id: str) -> None:
        """Take a work away."""
        del self.works[work_id]
        self._marked()

    def _marked(self) -> None:
        """Forget what was known of lines of sight and of the ground."""
        self.sightings.clear()
        self.terrains.clear()
        self.__dict__.pop("ground", None)


# --- questions that every chapter asks ------------------------------------------------------------------------


def adjacent(a: Stand, b: Stand) -> bool:
    """Return whether two stands are in base contact [7.3.3]."""
    if a.at is None or b.at is None or not may_touch(a.at, b.at):
        return False
    return _in_contact(a.at, a.facing, b.at, b.facing)


@lru_cache(maxsize=16384)
def _in_contact(at: Point, facing: int, other: Point, other_facing: int) -> bool:
    return touch(footprint(at, facing), footprint(other, other_facing))


def nearby(position: Position, unit: Stand, at: Point) -> Iterator[Stand]:
    """The other stands that are near enough to a place to touch a stand there."""
    for other in position.all():
        if other.id != unit.id and other.at is not None and may_touch(at, other.at):
            yield other


def others_at(position: Position, unit: Stand, at: Point, facing: int) -> Iterator[Stand]:
    """The other stands on which a stand would lie at a place [8.3.4]."""
    ring = footprint(at, facing)
    return (other for other in nearby(position, unit, at) if overlap(ring, other.ring))


def overhangs(table: Table, at: Point, facing: int) -> bool:
    """Return whether a stand or a marker at a place would reach over the edge of the table."""
    return not all(corner in table for corner in footprint(at, facing))


# --- checks that every chapter shares -------------------------------------------------------------------------


def not_yours(side: Side, unit: Stand) -> Refusal | None:
    """Reject a stand of the other side."""
    return None if unit.side == side else Refusal("{} is not yours", PROCEDURE, (unit.name,))


def gets_aboard(position: Position, unit: Stand) -> bool:
    """Return whether a stand is loaded as personnel, not as a weapon that is towed [8.4.1, 8.4.3]: RULINGS.md R142."""
    return unit.personnel and not (position.setting.has("R142") and is_light_gun(unit))


def is_light_gun(unit: Stand) -> bool:
    """Return whether a stand is a gun that is marked P, which counts as personnel but for two other readings."""
    return unit.personnel and unit.kind.defence_class == "equipment"


def off_the_table(unit: Stand) -> Refusal | None:
    """Reject a stand that is not on the table."""
    return None if unit.at is not None else Refusal("{} is {}", PROCEDURE, (unit.name, unit.status))


def carried(unit: Stand) -> Refusal | None:
    """Reject cargo [8.4.9]."""
    return Refusal("{} is being transported", "8.4.9", (unit.name,)) if unit.carrier is not None else None
