"""The playing pieces [EQP, STD]: stands, works and other markers, the position; questions about stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from opfire.core.actions import PROCEDURE, Refusal
from opfire.core.places import INCH, Point
from opfire.core.scenario import Scenario
from opfire.core.texts import Words
from opfire.kit import stacks
from opfire.kit.formations import formations
from opfire.kit.table import Zone
from opfire.rulesets.panzerblitz_miniatures.charts import Charts, Kind, Weapon
from opfire.rulesets.panzerblitz_miniatures.equipment import movement_points
from opfire.rulesets.panzerblitz_miniatures.fire.missions import Cloud, Mission
from opfire.rulesets.panzerblitz_miniatures.morale import Status, dispersed
from opfire.rulesets.panzerblitz_miniatures.moving.movement_costs import Mover, Prices
from opfire.rulesets.panzerblitz_miniatures.moving.reach import Country, country_over
from opfire.rulesets.panzerblitz_miniatures.moving.works import LAID, Job, Work, place, with_works
from opfire.rulesets.panzerblitz_miniatures.sections import Doctrine, MiniatureSections
from opfire.rulesets.panzerblitz_miniatures.sighting.lines import Lines, lines_over
from opfire.rulesets.panzerblitz_miniatures.sighting.sight import smoke_ground
from opfire.space.measure import MICRO, square
from opfire.space.table import Table
from opfire.space.terrain.ground import Ground

UnitId: TypeAlias = str
Side: TypeAlias = str
AttackType: TypeAlias = Literal["direct", "indirect", "overrun", "close assault", "air"]
Manner: TypeAlias = Literal["normal", "split", "mounted", "anti-tank", "missile", "flamethrower"]
Where: TypeAlias = Literal["on the table", "off-board", "to place", "reserve", "eliminated", "exited"]

INFANTRY = frozenset({"infantry", "scout", "engineer"})
"""The types of stands that assault by themselves [CAT-11]."""

ADJACENT = INCH
"""Stands are adjacent whose edges lie at most this far apart (1/1000 inch): RULINGS.md R9."""


class Arm(msgspec.Struct, frozen=True, gc=False):
    """A weapon of an aircraft's strike package: strength, class, and the attacks that it has left [ASP-1, FB-5].

    `drifts` says that it is an unguided bomb [FB-6], `guns` that it fires at aircraft too [AIC-1].
    """

    weapon: str
    attack: int
    weapon_class: Weapon
    left: int
    drifts: bool = False
    guns: bool = False


class Charge(msgspec.Struct, frozen=True, gc=False):
    """A part in an overrun or close assault that a stand has paid for: the target, and its manner of attack."""

    kind: Literal["overrun", "close assault"]
    target: UnitId
    manner: Manner = "normal"


class Stand(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A stand: its unit, its place, and its history in the player segment.

    `at` is None off the table; a passenger has its carrier's. `order` is good order, dispersed, or recovering, which
    counts as dispersed [REC-3]. `spent` are the movement points (10^-6) of this movement phase and `gone` the way
    (10^-6 inch). `fired` says that it used its attack strength, `reacted` is its Opportunity Fire marker [OPP-4],
    `position` its Firing Position marker [FPS-1], `spotters` the enemies on whom its Spotted marker rests [SPT-4].
    `attacked` are the kinds of attack that it has suffered in this player segment [COM-6]. `shells` are the smoke
    shells left [SSC-7], `missiles` the missiles [WGM-3]. `work` is the work that it occupies, `floor` its floor in a
    building, from 1 up, and 0 outside. `split` says that it fired by Split Move and Fire [SMF-1], `quick` that it
    marches quickly [QM-1], `handled` that it loaded or was loaded, or unloaded [TRN-7]. `turned` names
    the carrier with whose help a gun has changed its facing, or the gun itself [FOF-5].
    `missions` are the missions that a gun off the board has left [NEU-7]; None is no limit. Of engineers, `equipment`
    is the vehicle with their equipment [ENG-2], `mines` are the minefields that they may still lay [STD-8], and `built`
    says that they have created their block [CBK-1], or that a bridge layer has laid its bridge.

    `shot` is the manner of its last fire in this turn: with its own weapon, by Split Move and Fire [SMF-1] (`split`
    then says so for its movement), as a passenger by Mounted Infantry Fire [MIF-1], with anti-tank weapons [STD-12], a
    missile [WGM-2], or a flamethrower as well [STD-7]. `anti_tank` and `flames` are the shots left. `fired_at` is the
    place from which it fired when it was spotted [SPT-5]. `by_road` says that it has moved at the road rate in this
    phase, `road` how far (10^-6 inch) [OVR-11]. `charge` is its part in an overrun or close assault that is not carried
    out yet [OVR-4, CAT-4].

    Of an aircraft, `arms` are the weapons of its strike package, `damaged` says that it leaves at the end of the Air
    Phase [AAT-2], `struck` that it attacked in this one [CGF-1], `flown` is its way in it (empty if it kept still), and
    `stays` counts the Air Phases after which it leaves (0: none). `down` is a helicopter's down counter [HDN-1].

    Of dismounted cavalry, `rode` are the values on horseback [STD-16], and `kind` are those on foot.
    """

    id: UnitId
    side: Side
    kind: Kind
    name: str
    at: Point | None = None
    facing: int = 0
    status: Where = "to place"
    order: Status = "good order"
    fired: bool = False
    moved: bool = False
    spent: int = 0
    gone: int = 0
    reacted: bool = False
    position: bool = False
    spotters: tuple[UnitId, ...] = ()
    carrier: UnitId | None = None
    cargo: tuple[UnitId, ...] = ()
    attacked: tuple[AttackType, ...] = ()
    shells: int = 5
    missiles: int = 0
    work: str = ""
    floor: int = 0
    split: bool = False
    quick: bool = False
    handled: Literal["", "loaded", "unloaded"] = ""
    turned: UnitId = ""
    missions: int | None = None
    equipment: UnitId = ""
    mines: int = 0
    built: bool = False
    shot: Manner | Literal[""] = ""
    anti_tank: int = 0
    flames: int = 0
    fired_at: Point | None = None
    arms: tuple[Arm, ...] = ()
    damaged: bool = False
    struck: bool = False
    flown: tuple[Point, ...] = ()
    stays: int = 0
    down: bool = False
    by_road: bool = False
    road: int = 0
    charge: Charge | None = None
    rode: Kind | None = None

    @property
    def counter(self) -> Kind:
        """The values of its counter: those on horseback of cavalry that has dismounted [STD-16]."""
        return self.rode or self.kind

    @property
    def dispersed(self) -> bool:
        """Whether it counts as dispersed [GLO-4, REC-3]."""
        return dispersed(self.order)

    @property
    def spotted(self) -> bool:
        """Whether it has a Spotted marker [SPT-4]."""
        return bool(self.spotters)

    @property
    def vehicle(self) -> bool:
        """Whether it is a vehicle; wagons are."""
        return self.kind.mode in ("W", "AO")

    @property
    def aircraft(self) -> bool:
        """Whether it flies; helicopters do."""
        return self.kind.mode == "AC"

    @property
    def flying(self) -> bool:
        """Whether it is in the air: an aircraft, unless it is a helicopter that is down [HDN-1]."""
        return self.aircraft and not self.down

    @property
    def standing(self) -> Point | None:
        """The place where it stands on the ground; None off the table and in the air."""
        return None if self.flying else self.at

    @property
    def helicopter(self) -> bool:
        """Whether it is a helicopter [HEL-1]."""
        return self.kind.type == "helicopter"

    @property
    def infantry(self) -> bool:
        """Whether it assaults by itself [CAT-11]."""
        return self.kind.type in INFANTRY


class Progress(msgspec.Struct, frozen=True, gc=False):
    """The move of the stand that is under way [MOV-5].

    `blocks` are those beside which it began its movement phase [BLK-3]. `halted` says that it goes no farther.

    While it goes a leg, `origin` and `to` are the ends of that leg, `done` is the part of it that it has gone, as a
    fraction, `met` the number of its hazards that lie behind, and `before` what the stand had spent at its beginning.

    For opportunity fire, `counted` are the points of the leg that are in the accounts (10^-6), `seen` are the accounts:
    the points spent in unbroken sight of each enemy [OPP-3]; `ready` are the enemies that have seen a quarter of its
    allowance spent, `asked` is the place at which the other side last had its chance, `others` are the passengers that
    have just been unloaded there [OPP-9].
    """

    unit: UnitId
    blocks: tuple[str, ...] = ()
    halted: bool = False
    origin: Point | None = None
    to: Point | None = None
    facing: int = 0
    done: tuple[int, int] = (0, 1)
    met: int = 0
    before: tuple[int, int] = (0, 0)
    counted: int = 0
    seen: tuple[tuple[UnitId, int], ...] = ()
    ready: tuple[UnitId, ...] = ()
    asked: Point | None = None
    others: tuple[UnitId, ...] = ()


class Start(msgspec.Struct, frozen=True):
    """A stand as a scenario names it, and its starting point if that is fixed."""

    stand: Stand
    at: Point | None = None


class Landing(msgspec.Struct, frozen=True):
    """Stands that land from the air by one drop zone, from a turn on [ABN-1]."""

    by: Literal["parachute", "glider"]
    turn: int
    units: tuple[UnitId, ...]


class Setting:
    """The constants of a game: scenario, its own sections, table, charts, options, the zones of stands.

    `landings` are those of airborne troops, by the first of their stands.
    """

    def __init__(self, scenario: Scenario, sections: MiniatureSections, table: Table, charts: Charts) -> None:
        self.scenario, self.sections, self.table, self.charts = scenario, sections, table, charts
        self.options = frozenset(scenario.options)
        self.sides = tuple(scenario.sides)
        self.other: Mapping[Side, Side] = stacks.opponents(self.sides)
        self.ids: dict[Side, tuple[UnitId, ...]] = dict.fromkeys(self.sides, ())
        self.zones: dict[UnitId, Zone] = {}
        self.entries: dict[UnitId, tuple[int, tuple[str, ...]]] = {}
        self.landings: dict[UnitId, Landing] = {}
        self.roster: tuple[Start, ...] = ()
        self.works: tuple[Work, ...] = ()
        self.objectives: Mapping[str, Point] = {}
        self.exits: dict[Side, frozenset[str]] = {side: frozenset() for side in self.sides}
        self.lines = lines_over(table.ground, charts, table.base)
        self._countries: dict[tuple[tuple[str, str, Point, int], ...], Country] = {}
        self._bridged: dict[tuple[Work, ...], tuple[Ground, Lines]] = {}
        self._prices: dict[tuple[Mover, frozenset[str]], Prices] = {}
        self._posts: dict[Side, tuple[UnitId, ...]] = {}
        self._smoke: tuple[tuple[Cloud, ...], Ground] = ((), Ground(table.size))

    def posts(self, stands: Iterable[Stand]) -> Mapping[Side, tuple[UnitId, ...]]:
        """The command posts of each side, lost ones too [CMD-1]; `stands` are all of the game."""
        if not self._posts:
            found = [stand for stand in stands if stand.kind.type == "command"]
            self._posts = {side: tuple(post.id for post in found if post.side == side) for side in self.sides}
        return self._posts

    @cached_property
    def formations(self) -> Mapping[UnitId, Words]:
        """The formations of units, where the scenario tells them apart by its groups."""
        return formations(self.scenario, self.charts.kinds)

    def has(self, option: str) -> bool:
        """Whether an optional rule or reading is on in this game."""
        return option in self.options

    def doctrine(self, side: Side) -> Doctrine:
        """The section of a side."""
        return self.sections.sides.get(side, Doctrine())

    def country(self, works: Iterable[Work]) -> Country:
        """The ground with these works on it, as movement meets it; the last few are kept."""
        laid = tuple(work for work in works if work.kind in LAID)
        if not laid:
            return country_over(self.table.ground, self.charts)
        key = tuple(place(work) for work in laid)  # whether a work is inverted or dispersed changes no ground
        if key not in self._countries:
            if len(self._countries) > 3:
                self._countries.pop(next(iter(self._countries)))
            self._countries[key] = Country(with_works(self.table.ground, laid), self.charts)
        return self._countries[key]

    def bridged(self, bridges: tuple[Work, ...]) -> tuple[Ground, Lines]:
        """The ground with these tank bridges, without those bridges that have fallen, and the lines over it."""
        if bridges not in self._bridged:
            ground = with_works(self.table.ground, bridges)
            self._bridged[bridges] = ground, Lines(ground, self.charts, self.table.base)
        return self._bridged[bridges]

    def prices(self, mover: Mover, blocks: frozenset[str] = frozenset()) -> Prices:
        """The prices of a kind of mover that may enter these blocks."""
        key = mover, blocks
        if key not in self._prices:
            self._prices[key] = Prices(self.charts, mover, blocks)
        return self._prices[key]

    def smoke(self, clouds: tuple[Cloud, ...]) -> Ground:
        """The smoke on the table as a ground for lines of sight [SSC-8]; the last one is kept."""
        if self._smoke[0] != clouds:
            self._smoke = clouds, smoke_ground(self.table.size, (cloud.ring for cloud in clouds))
        return self._smoke[1]

    @cached_property
    def base(self) -> int:
        """The diameter of the stands in 1/1000 inch."""
        return self.table.base


FIELDS_OF_MUSTER = frozenset({"at", "status", "carrier"})
"""The values of a stand on which `Position.of` depends."""


class Position(msgspec.Struct, dict=True):
    """Everything that changes in a game except the flow: stands, works and other markers, control of objectives.

    `works` holds blocks, fortifications, improved positions, minefields and wrecks by id. `roll` is this turn's roll
    for variable visibility [LLT-1]. `left` names the edge by which a unit has left the table. `progress` is the move
    of the stand that is under way. `plots` are the recorded missions of both sides in the order of recording; a side
    knows its own alone [NEU-2]. `clouds` is the smoke on the table [SSC-1]. `jobs` are the tasks of engineers
    that are under way [ENG-1]. `attacked` are the fortifications and bridges that have been attacked in this player
    segment, each with the kind of attack [COM-6].
    """

    setting: Setting
    units: dict[UnitId, Stand]
    works: dict[str, Work]
    control: dict[str, Side]
    left: dict[UnitId, str]
    turn: int = 0
    current: Side = ""
    roll: int = 0
    progress: Progress | None = None
    plots: tuple[Mission, ...] = ()
    clouds: tuple[Cloud, ...] = ()
    jobs: dict[UnitId, Job] = msgspec.field(default_factory=dict)
    attacked: tuple[tuple[str, str], ...] = ()

    def copy(self) -> Position:
        """An independent copy."""
        twin = replace(
            self,
            units=self.units.copy(),
            works=self.works.copy(),
            control=self.control.copy(),
            left=self.left.copy(),
            jobs=self.jobs.copy(),
        )
        twin.musters.update(self.musters)
        return twin

    def known_to(self, side: Side) -> Position:
        """The position as a side may know it: without the missions of others [NEU-2]; "" knows what everybody knows."""
        if all(plot.side == side for plot in self.plots):
            return self
        seen = replace(self, plots=tuple(plot for plot in self.plots if plot.side == side))
        seen.__dict__["musters"] = self.musters  # the stands are the same
        return seen

    # --- questions --------------------------------------------------------------------------------------------

    @property
    def table(self) -> Table:
        """The table."""
        return self.setting.table

    @property
    def ground(self) -> Ground:
        """The ground as it is now: bridges may have fallen [BRI-9], others been laid [BRL-2]."""
        bridges = self._bridges()
        return self.setting.bridged(bridges)[0] if bridges else self.setting.table.ground

    @property
    def lines(self) -> Lines:
        """The lines of sight over the ground as it is now."""
        bridges = self._bridges()
        return self.setting.bridged(bridges)[1] if bridges else self.setting.lines

    def _bridges(self) -> tuple[Work, ...]:
        return tuple(work for work in self.works.values() if work.kind in ("fallen bridge", "tank bridge"))

    @property
    def charts(self) -> Charts:
        """The charts in use."""
        return self.setting.charts

    @cached_property
    def musters(self) -> dict[Side, tuple[UnitId, ...]]:
        """The stands of each side on the table that are not passengers, as far as known; not saved."""
        return {}

    def of(self, side: Side) -> list[Stand]:
        """The side's stands on the table that are not passengers."""
        names = self.musters.get(side)
        if names is None:
            found = (self.units[name] for name in self.setting.ids[side])
            names = tuple(unit.id for unit in found if unit.at is not None and unit.carrier is None)
            self.musters[side] = names
        return [self.units[name] for name in names]

    def enemies(self, side: Side) -> list[Stand]:
        """The other side's stands on the table that are not passengers."""
        return self.of(self.setting.other[side])

    def pick(self, names: Iterable[UnitId]) -> list[Stand]:
        """These stands."""
        return [self.units[name] for name in names]

    def allowance(self, unit: Stand) -> int:
        """The movement points of a stand in one turn, in 10^-6 [EQP-13]; half of them after a split fire [SMF-2]."""
        whole = movement_points(self.charts, unit.kind) * MICRO
        return whole // 2 if unit.split else whole

    # --- changes ----------------------------------------------------------------------------------------------

    def change(self, unit_id: UnitId, **values: Any) -> Stand:
        """Replace values of a stand; return the new stand."""
        unit = self.units[unit_id] = replace(self.units[unit_id], **values)
        if not FIELDS_OF_MUSTER.isdisjoint(values):
            self.musters.pop(unit.side, None)
        return unit

    def put(self, unit_id: UnitId, at: Point, **values: Any) -> Stand:
        """Bring a stand and its passengers to a point of the table."""
        unit = self.change(unit_id, at=at, status="on the table", **values)
        for name in aboard(self, unit):
            self.change(name, at=at, status="on the table")
        return unit

    def lift(self, unit_id: UnitId, status: Where) -> None:
        """Take a stand and its passengers off the table."""
        unit = self.units[unit_id]
        if unit.carrier is not None:
            bearer = self.units[unit.carrier]
            self.change(bearer.id, cargo=tuple(name for name in bearer.cargo if name != unit_id))
        for name in (unit_id, *aboard(self, unit)):
            self.change(
                name, at=None, status=status, carrier=None, cargo=(), spotters=(), position=False, work="", down=False
            )

    def lay(self, work: Work) -> None:
        """Lay a work, or change one."""
        self.works[work.id] = work

    def remove(self, work_id: str) -> None:
        """Take a work away."""
        del self.works[work_id]


# --- questions that every chapter asks ------------------------------------------------------------------------


def apart(a: Stand, b: Stand) -> int:
    """The squared distance of two stands on the table, in 1/1000 inch, centre to centre: RULINGS.md R10."""
    assert a.at is not None
    assert b.at is not None
    return square(a.at, b.at)


def within(a: Stand, b: Stand, inches: int) -> bool:
    """Return whether two stands lie at most this many inches apart."""
    return apart(a, b) <= (inches * INCH) ** 2


def adjacent(position: Position, a: Stand, b: Stand) -> bool:
    """Return whether two stands are adjacent: RULINGS.md R9."""
    return apart(a, b) <= (position.setting.base + ADJACENT) ** 2


def passengers(position: Position, unit: Stand) -> Iterator[Stand]:
    """The passengers of a stand."""
    return (position.units[name] for name in aboard(position, unit))


def aboard(position: Position, unit: Stand) -> tuple[UnitId, ...]:
    """The ids of the passengers of a stand, and of theirs: a ferry carries loaded vehicles [FER-1]."""
    loads = position.pick(unit.cargo)
    return (*unit.cargo, *(name for load in loads for name in load.cargo))


def rides(position: Position, unit: Stand) -> bool:
    """Return whether a unit rides on armor rather than in a carrier [TRN-11, TRN-15]."""
    return unit.carrier is not None and not position.units[unit.carrier].kind.carries


def planned(position: Position, unit: Stand) -> Iterator[Mission]:
    """The recorded missions of a unit that are still to be executed, as far as known."""
    return (plot for plot in position.plots if plot.unit == unit.id)


# --- checks that every chapter shares -------------------------------------------------------------------------


def not_yours(side: Side, unit: Stand) -> Refusal | None:
    """Reject a unit of the other side."""
    return None if unit.side == side else Refusal("{} is not yours", PROCEDURE, (unit.name,))


def off_the_table(unit: Stand) -> Refusal | None:
    """Reject a unit that is not on the table."""
    return None if unit.at is not None else Refusal("{} is {}", PROCEDURE, (unit.name, unit.status))


def carried(unit: Stand) -> Refusal | None:
    """Reject a passenger [TRN-10]."""
    return Refusal("{} is being transported", "TRN-10", (unit.name,)) if unit.carrier is not None else None


def is_dispersed(unit: Stand) -> Refusal | None:
    """Reject a dispersed unit [GLO-4]: RULINGS.md R4."""
    return Refusal("{} is dispersed", "GLO-4", (unit.name,)) if unit.dispersed else None


def is_down(unit: Stand) -> Refusal | None:
    """Reject a helicopter that is down [HDN-8]."""
    return Refusal("{} is down and cannot attack", "HDN-8", (unit.name,)) if unit.down else None


def not_at_hand(side: Side, unit: Stand) -> Refusal | None:
    """Reject an enemy's unit, one off the table, a passenger and a dispersed unit: none of them acts."""
    return not_yours(side, unit) or off_the_table(unit) or carried(unit) or is_dispersed(unit)


def designated(position: Position, unit: Stand, rule: Literal["IF-8", "OPP-14"] = "IF-8") -> Refusal | None:
    """Reject movement and opportunity fire of a unit that is designated for indirect fire [IF-8, OPP-14].

    In the sight of the other side nobody is designated.
    """
    if next(planned(position, unit), None) is None:
        return None
    return Refusal("{} is designated for indirect fire and stays ready for it", rule, (unit.name,))


def clears(position: Position, unit: Stand, work_id: str) -> bool:
    """Return whether a unit is clearing this work: its mines do not attack it: RULINGS.md R46."""
    job = position.jobs.get(unit.id)
    return job is not None and job.task == "clear" and job.what == work_id


def clearing(position: Position, unit: Stand) -> Refusal | None:
    """Reject an attack of engineers that clear mines or a block, and their loading [CLM-5, RBK-1]."""
    job = position.jobs.get(unit.id)
    if job is None or job.task != "clear":
        return None
    return Refusal("{} clears mines, a block or a wreck: it neither attacks nor loads", "CLM-5", (unit.name,))


def laying(position: Position, unit: Stand) -> Refusal | None:
    """Reject more movement of a unit that lays mines or a bridge by its move of an inch [STD-8, BRL-1]."""
    job = position.jobs.get(unit.id)
    if job is None or job.task not in ("lay mines", "lay bridge"):
        return None
    return Refusal("{} moves one inch to {}: stop", "STD-8", (unit.name, job.task))
