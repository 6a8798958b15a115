"""The sections of a scenario file of this book beyond the general part: table, weather, forces and their formations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

from opfire.core.scenario import Beyond, Sections, Strict
from opfire.kit.table import Area
from opfire.rulesets.micro_armour.artillery.missions import MissionKind
from opfire.rulesets.micro_armour.artillery.sheafs import Compass, Pattern
from opfire.rulesets.micro_armour.charts import By, Circumstance, DensityName, Engagement, Month, Quality
from opfire.space.table import TableSection

Rank: TypeAlias = Literal["", "HQ", "GHQ"]
"""The rank of a stand: none, a headquarters, a general headquarters [10.1.1, 10.1.4]."""

Equipment: TypeAlias = Literal[
    "engineers",
    "mine clearing",
    "bridging",
    "bridge load",
    "dozer",
    "hedge cutter",
    "recovery",
    "fast boats",
    "slow boats",
    "skis",
    "mountain",
]
"""The special means of a stand: engineers among infantry, devices of vehicles, loads of transports [11.5, 8.9.4]."""

Bridgeable: TypeAlias = Literal["stream", "river", "water", "ditch", "depression"]
"""The obstacles that a scenario lets engineers bridge [11.5.7-build]."""

Laid: TypeAlias = Literal["light position", "medium position", "heavy position", "wire", "mines", "ditch"]
"""The works that a side may lay in set-up [11.1.2, 11.2, 11.3.1, 11.4]."""

Arc = Annotated[int, Meta(ge=30, le=360)]
Few = Annotated[int, Meta(ge=1, le=99)]
CardValue = Annotated[int, Meta(ge=1, le=13)]


class Command(Strict, frozen=True):
    """A stand of a type that is a headquarters, and the quality of a general headquarters [10.1.1, 10.1.4]."""

    unit: str
    rank: Literal["HQ", "GHQ"] = "HQ"
    quality: Quality = 0


class Formation(Strict, frozen=True):
    """A formation: its name, its stands by type in the order of the side's units, its cohesion if not the force's."""

    name: str
    units: dict[str, Few]
    cohesion: Annotated[int, Meta(ge=1, le=20)] | None = None


class Outfit(Strict, frozen=True):
    """Stands of a type that have special means [11.5], of this `formation` alone if it is named."""

    unit: str
    means: Equipment
    count: Few = 1
    formation: str = ""


class Stock(Strict, frozen=True):
    """Works that a side lays in a zone during its set-up; `value` is the concentration of mines, or `dummy`."""

    kind: Laid
    zone: str
    count: Few = 1
    value: Literal["", "hasty", "standard", "concentrated", "dummy"] = ""


class LandingGroup(Strict, frozen=True):
    """A landing group of paratroopers or gliders: its name and its stands by type [8.10.1.1, 8.10.2.1].

    `zone` names the zone in which its player writes down the coordinates, or `place` gives them, with `toward` as the
    direction in which gliders follow the first one. They are written before or after the enemy sets up [8.10.2.2].
    `turn` is the turn of arrival, 0 before the first turn. `conditions` is the row of the table of deviations, and
    `circumstances` are those that change the rolls [8.10.1.3-1, 8.10.1.3-2, 8.10.2.4-2, 8.10.2.4-3].
    """

    name: str
    by: By
    units: dict[str, Few]
    conditions: str
    circumstances: tuple[Circumstance, ...] = ()
    zone: str = ""
    place: str = ""
    toward: Compass = "N"
    written: Literal["before", "after"] = "before"
    turn: Annotated[int, Meta(ge=0, le=99)] = 0


class Preset(Strict, frozen=True):
    """Targets in a zone, one for each battery off the map, that are fixed before anybody sets up [SC.sf79.1].

    The fire falls from `turn` on until it is ended by two rolls in a row [SC.sf79.3].
    """

    zone: str
    turn: Few = 1


class RolledEntry(Strict, frozen=True):
    """A turn and a place of arrival that a die may give to reinforcements [SC.setback.ctr]."""

    turn: Few
    entry: Annotated[tuple[str, ...], Meta(min_length=1)]


class Vanguard(Strict, frozen=True):
    """Stands that are set up before the enemy writes his landing zones: their number, one at least in each zone."""

    count: Few
    zones: Annotated[tuple[str, ...], Meta(min_length=1)]


class Troops(Beyond, frozen=True):
    """The section of a side.

    `cohesion` is its force cohesion level [5.1-level], `determination` the losses that it endures in per cent [12.1.2],
    `facing` the direction in which its stands start (degrees, 0 north, clockwise). `formations` divide its stands,
    `commands` name headquarters beyond the stands that are such by type. `recon` counts stands by type with the [R]
    designation [10.6], `special_ammunition` those with special armour piercing ammunition [12.9]. `off_map` counts
    batteries off the map by type [7.7], `observers` is the number of forward observers [7.6.4.1]. `equipment` gives
    stands special means [11.5], `works` are laid during set-up [11.1.2].

    `fire_turns` gives the turns of fire that each battery off the map has, by type, if they are limited [7.9].
    `artillery_turns` is the length of the one stretch of turns in which its batteries off the map fire, of its player's
    choice; 0 for any turns [SC.stonne.art].

    `aircraft` counts air strikes by type [12.3]; `coordinators` are the air coordination teams that it has,
    `coordinators_rolled` those for which it rolls before the game, one for each brigade [12.3.3.3-avail].
    `landings` are its airborne groups [8.10]; a side is `surprised` that begins with less cohesion [8.10.1.5].

    `preset` is fire off the map at targets that are fixed before set-up [SC.sf79.1]; `silent_until` is the first turn
    in which the side's weapons fire [SC.sf79.2].

    `lacks` is the cohesion that the side's first forces lack, which they win back point by point [SC.setback.coh].
    `entries` are the turns and places of arrival among which a die decides, at the beginning of the turn of its
    reinforcements [SC.setback.ctr]. A `vanguard` sets up before everybody else. `off_map_from` is the first turn of
    fire of batteries off the map, which come with those reinforcements. With the option a side `hides` its mines,
    and its stands in improved positions [SC.stark.hidden].
    """

    cohesion: Annotated[int, Meta(ge=1, le=20)] = 14
    determination: Annotated[int, Meta(ge=1, le=100)] = 35
    facing: Annotated[int, Meta(ge=0, le=359)] = 0
    formations: tuple[Formation, ...] = ()
    commands: tuple[Command, ...] = ()
    recon: dict[str, Few] = msgspec.field(default_factory=dict)
    special_ammunition: dict[str, Few] = msgspec.field(default_factory=dict)
    off_map: dict[str, Few] = msgspec.field(default_factory=dict)
    observers: Annotated[int, Meta(ge=0, le=99)] = 0
    equipment: tuple[Outfit, ...] = ()
    works: tuple[Stock, ...] = ()
    fire_turns: dict[str, Few] = msgspec.field(default_factory=dict)
    aircraft: dict[str, Few] = msgspec.field(default_factory=dict)
    coordinators: Annotated[int, Meta(ge=0, le=99)] = 0
    artillery_turns: Annotated[int, Meta(ge=0, le=99)] = 0
    coordinators_rolled: Annotated[int, Meta(ge=0, le=99)] = 0
    landings: tuple[LandingGroup, ...] = ()
    surprised: bool = False
    preset: Preset | None = None
    silent_until: Annotated[int, Meta(ge=0, le=99)] = 0
    lacks: Annotated[int, Meta(ge=0, le=19)] = 0
    entries: tuple[RolledEntry, ...] = ()
    vanguard: Vanguard | None = None
    off_map_from: Annotated[int, Meta(ge=0, le=99)] = 0
    hides: bool = False


class Decision(Strict, frozen=True):
    """A way to win that is no matter of points: all that it names has to be met [SD.1.0].

    `destroyed` is the least part of the enemy's stands that is eliminated and `lost` the greatest part of the own ones,
    in per cent; `counted` says whether batteries off the map belong to the whole. `eliminated` is a number of enemy
    stands, `exits` one of own stands that have left by an edge of the side's `exit` conditions, those of the kinds
    `except` not counted. `hold` names features with an armed stand of the side in them and none of the enemy's,
    `control` objectives. `at_once` says that the game ends with the turn in which it is met.
    """

    side: str
    level: Literal["marginal", "decisive"] = "decisive"
    destroyed: Annotated[int, Meta(ge=0, le=100)] = 0
    lost: Annotated[int, Meta(ge=0, le=100)] = 100
    counted: Literal["all", "on the table"] = "all"
    eliminated: Annotated[int, Meta(ge=0, le=999)] = 0
    exits: Annotated[int, Meta(ge=0, le=999)] = 0
    except_: tuple[str, ...] = msgspec.field(default=(), name="except")
    hold: tuple[str, ...] = ()
    control: tuple[str, ...] = ()
    at_once: bool = False


class Turned(Beyond, frozen=True):
    """The fields of a marker besides the general ones: the direction that it faces, in degrees, and its history.

    Smoke and impact markers may name the `battery` whose fire they are, the last turn `until` which they stay (that of
    the case), and whether they belong to a `barrage` [7.4.2.2, 7.4.3.4]. `harm` counts the E results on a position or
    on buildings, `hits` the attacks on buildings [9.4, 11.4]. `known` mines are revealed, past a `cleared` wreck the
    road is open.
    """

    facing: Annotated[int, Meta(ge=0, le=359)] = 0
    battery: str = ""
    until: Annotated[int, Meta(ge=0, le=99)] = 0
    barrage: bool = False
    harm: Annotated[int, Meta(ge=0, le=9)] = 0
    hits: Annotated[int, Meta(ge=0, le=99)] = 0
    known: bool = False
    cleared: bool = False


class PlottedBomb(Strict, frozen=True):
    """A bomb attack of a case: its place and its turn [12.3.3.2]."""

    at: str
    turn: Annotated[int, Meta(ge=1, le=99)]


class PlottedStrike(Strict, frozen=True):
    """An aircraft of a case: its type and side, its turn of arrival, its bomb attacks [12.3.3.1, 12.3.3.2].

    `strafed` is the turn of its strafing run, if it has made one [12.3.6].
    """

    aircraft: str
    side: str
    arrives: Annotated[int, Meta(ge=1, le=99)]
    bombs: tuple[PlottedBomb, ...] = ()
    strafed: Annotated[int, Meta(ge=0, le=99)] = 0


class PlottedFire(Strict, frozen=True):
    """A line of the Artillery Fire Mission Record of a case [7.6.3-fields]: its batteries by name, its first marker.

    `due` is the turn of arrival, 0 for a mission that waits for a call; `duration` counts the turns with that.
    `plotted` is the turn of the plot, and `fell` the place of the first marker of fire that has arrived already.
    """

    side: str
    kind: MissionKind
    batteries: Annotated[tuple[str, ...], Meta(min_length=1)]
    at: str
    pattern: Pattern = "closed"
    toward: Compass = "N"
    plotter: str = ""
    name: str = ""
    smoke: bool = False
    due: Annotated[int, Meta(ge=0, le=99)] = 0
    duration: Annotated[int, Meta(ge=1, le=99)] = 1
    plotted: Annotated[int, Meta(ge=0, le=99)] = 0
    fell: str = ""


class PlannedLanding(Strict, frozen=True):
    """A landing group of a case that is in the air: its stands by name, and where they land [8.10.1.2, 8.10.2.2]."""

    side: str
    by: By
    units: Annotated[tuple[str, ...], Meta(min_length=1)]
    at: str
    conditions: str
    circumstances: tuple[Circumstance, ...] = ()
    toward: Compass = "N"


class ArmourSections(Sections, frozen=True):
    """The sections of a scenario file.

    `surface` is the general surface of the table and `sight` the maximum sighting distance in inches, if it is not
    that of the surface [6.4.1]. `weather` holds conditions of the weather chart [9.6.2]; with `steady` the limit of
    sight is rolled on the first turn only [9.6.3]. `darkness` is taken off cohesion at night [9.6.2-dark]. `front_arc`
    and `firing_arc` are the angles of the book's templates in degrees: RULINGS.md R7. `north` is the direction of the
    compass' north. `date` is the month of the battle, `engagement` its type and `defender` the defending side [SD.1.0].
    `decisions` are ways to win that take the place of points.
    `begins` is the phase with which the first turn begins [SC.setback]: "movement" leaves out all fire and the plot.
    `strikes`, `missions` and `landings` are what case files have written down already, `broken` the forces that are
    broken in them, with the turn of that [12.1.4], and `hands` the values of the cards that forces have drawn
    [12.1.3].
    """

    table: TableSection = TableSection((48, 36))
    surface: DensityName = "open"
    sight: Annotated[int, Meta(ge=1, le=99)] | None = None
    weather: tuple[str, ...] = ()
    steady: bool = False
    darkness: Annotated[int, Meta(ge=0, le=4)] = 0
    front_arc: Arc = 90
    firing_arc: Arc = 90
    north: Literal[0, 45, 90, 135, 180, 225, 270, 315] = 0
    date: Month | Literal[""] = ""
    engagement: Engagement | Literal[""] = ""
    defender: str = ""
    bridgeable: tuple[Bridgeable, ...] = ("stream", "ditch")
    sides: Mapping[str, Troops] = msgspec.field(default_factory=dict)
    decisions: tuple[Decision, ...] = ()
    begins: Literal["initiative", "movement"] = "initiative"
    zones: tuple[Area, ...] = ()
    markers: tuple[Turned, ...] = ()
    strikes: tuple[PlottedStrike, ...] = ()
    missions: tuple[PlottedFire, ...] = ()
    landings: tuple[PlannedLanding, ...] = ()
    broken: dict[str, Few] = msgspec.field(default_factory=dict)
    hands: dict[str, tuple[CardValue, ...]] = msgspec.field(default_factory=dict)

    def airborne(self) -> Mapping[str, int]:
        """The stands of the landing groups [8.10]."""
        return {side: sum(sum(group.units.values()) for group in own.landings) for side, own in self.sides.items()}
