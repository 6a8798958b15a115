"""Game Cards and Data Cards: row types, loading, look-ups; decides no rule.

The cards are not in the text of the rulebook. Every table is a CSV in `data/`: what the text prints is `text`, the rest
is our own calibration (SOURCES.md), and a player's data pack may replace any of them.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from opfire.core.errors import BadInput
from opfire.core.rows import OWN, Folder, Row, Texts, loader

DATA = Path(__file__).parent / "data"
CALIBRES = DATA.parent / "drawing" / "calibres.csv"
"""The calibres of guns, for the film alone."""

Band: TypeAlias = Literal["P", "S", "M", "L", "E"]
"""The AP Range Factors: Pointblank, Short, Medium, Long, Extreme [4.4.3.2.1]."""

Angle: TypeAlias = Literal["front", "front side", "rear side", "rear"]
"""The Hit Angles; right and left are mirror images [6.5.2.2]."""

Shot: TypeAlias = Literal["level", "falling", "rising"]
Rate: TypeAlias = Literal["N", "Q", "R", "F"]
Bulk: TypeAlias = Literal["V", "L", "S"]
"""A column of the Spotting Ranges Table: vehicles, large units, small units [4.1.3, 6.1.3]."""

Grade: TypeAlias = Literal["elite", "veteran", "seasoned", "regulars", "green"]
CoverType: TypeAlias = Literal["none", "light", "medium", "heavy"]
COVERS: dict[CoverType, str] = {
    "none": "No Cover",
    "light": "Light Cover",
    "medium": "Medium Cover",
    "heavy": "Heavy Cover",
}
"""The types of Cover in words."""

Code: TypeAlias = Literal["TF", "TS", "TR", "HF", "HS", "HR", "HF*", "HS*", "HR*", "TK", "DK"]
Result: TypeAlias = Literal["ND", "DM", "KO", "BU"]
Count = Annotated[int, Meta(ge=0, le=999)]
Change = Annotated[int, Meta(ge=-40, le=40)]
Percent = Annotated[int, Meta(ge=0, le=100)]
Tenth = Annotated[int, Meta(ge=1, le=10)]

BANDS: tuple[Band, ...] = ("P", "S", "M", "L", "E")
HIGHEST_MODIFIER, LOWEST_MODIFIER = 5, -10
HIGHEST_SPOTTING, LOWEST_SPOTTING = 2, -5


# --- spotting [4.1.3] ----------------------------------------------------------------------------------------


class SpottingRange(Row, frozen=True, rename={"vehicle": "V", "large": "L", "small": "S"}):
    """One row of the Spotting Ranges Table: hexes by the size of the target."""

    row: Annotated[int, Meta(ge=LOWEST_SPOTTING, le=HIGHEST_SPOTTING)]
    vehicle: Count
    large: Count
    small: Count

    def hexes(self, bulk: Bulk) -> int:
        """The range of a column."""
        return {"V": self.vehicle, "L": self.large, "S": self.small}[bulk]


class SpottingModifier(Row, frozen=True):
    """The rows by which something moves the spotting range up or down, on the target's part or the spotter's."""

    modifier: str
    applies_to: Literal["target", "spotter"]
    rows: Change
    level: Literal["basic", "advanced", "optional"]


class Cover(Row, frozen=True):
    """A type of Cover: rows of the spotting range, AP Hit Modifier, GP modifier."""

    cover: CoverType
    spotting: Change
    ap: Change
    gp: Change


class BlindZone(Row, frozen=True):
    """The divisor of a Blind Zone, by the height of the lower unit and the levels between higher unit and obstacle."""

    lower_height: int
    levels_below: Annotated[int, Meta(ge=1, le=3)]
    divisor: Annotated[int, Meta(ge=2)]


# --- AP fire [4.4.3, 6.5.2] ----------------------------------------------------------------------------------


class HitRow(Row, frozen=True, rename={f"hit_{band}": band.upper() for band in "psmle"}):
    """One row of the AP Hit Table: the AP Hit Number by AP Range Factor."""

    modifier: Annotated[int, Meta(ge=LOWEST_MODIFIER, le=HIGHEST_MODIFIER)]
    hit_p: Percent
    hit_s: Percent
    hit_m: Percent
    hit_l: Percent
    hit_e: Percent

    def number(self, band: Band) -> int:
        """The AP Hit Number of a range factor."""
        return int(getattr(self, f"hit_{band.lower()}"))


class HitModifier(Row, frozen=True):
    """An AP Hit Modifier, a GP Fire Modifier or one of close combat; `each` counts for every occurrence on the line."""

    modifier: str
    label: str
    value: Change
    each: bool
    level: Literal["basic", "advanced", "optional"]


class Hits(Row, frozen=True):
    """The greatest rolls that still give 2, 3 or 4 hits, by AP Hit Number and Rate-of-Fire [6.5.2.1]."""

    hit_number: Percent
    q2: Percent
    r2: Percent
    r3: Percent
    f2: Percent
    f3: Percent
    f4: Percent

    def at_least(self, rate: Rate) -> tuple[int, ...]:
        """The greatest rolls for one hit, two hits and so on."""
        more = {"N": (), "Q": (self.q2,), "R": (self.r2, self.r3), "F": (self.f2, self.f3, self.f4)}
        return (self.hit_number, *more[rate])


class HitLocation(Row, frozen=True, kw_only=True):
    """The locations that a tens result hits, by Hit Angle; `falling` replaces them for falling shot."""

    tens: Tenth
    front: Code
    front_side: Code
    rear_side: Code
    rear: Code
    falling: Literal["", "DK"] = ""

    def at(self, angle: Angle) -> Code:
        """The location at a Hit Angle: no sides from front and rear, six of them else [6.5.2.3.2, 6.5.2.3.3]."""
        code: Code = getattr(self, angle.replace(" ", "_"))
        return code


class SearchModifier(Row, frozen=True):
    """A modifier to the search for a Hull Down position [6.6.9-mod]."""

    modifier: str
    amount: Change


class Location(Row, frozen=True):
    """A hit location: its name, the half that a Damaged result damages, the effect of hull down positions."""

    code: Code
    name: str
    damages: Literal["turret", "hull", "none"]
    hull_down: Literal["hit", "miss"]
    partial_hull_down: Literal["hit", "miss"]


class BasicDamage(Row, frozen=True):
    """The least excess of penetration over armor that gives a result in the Basic Game [4.4.3.2.6]."""

    excess_from: Count
    result: Result


class BailOut(Row, frozen=True):
    """The roll at which somebody bails out of a vehicle, or escapes from a lost one [6.5.2.6]."""

    condition: str
    who: Literal["crew", "passenger", "leg", "towed"]
    roll: Percent
    effect: Literal["bails out", "escapes"]


# --- GP fire [6.5.4] ------------------------------------------------------------------------------------------

GpResult: TypeAlias = Literal["no effect", "suppressed", "effective"]
"""The results of the GP Combat Results Table [6.5.4.4]."""

Cell: TypeAlias = Annotated[str, Meta(pattern=r"^-?\d+/-?\d+$")]
"""A cell of the GP Combat Results Table: the N-Effect and the S-Effect number, `80/93`."""


class GpResults(Row, frozen=True, kw_only=True):
    """One row of the GP Combat Results Table: the cells by GP Factor for a GP Defense Factor."""

    gp_defense: Tenth
    f1: Cell
    f2: Cell
    f3: Cell
    f4: Cell
    f5: Cell
    f6: Cell
    f7: Cell
    f8: Cell
    f9: Cell
    f10: Cell
    f11: Cell
    f12: Cell
    f13: Cell
    f14: Cell
    f15: Cell

    def numbers(self, factor: int) -> tuple[int, int]:
        """The greatest totals that have no effect, and that suppress, for a GP Factor."""
        none, suppressed = str(getattr(self, f"f{factor}")).split("/")
        return int(none), int(suppressed)


class GpVehicle(Row, frozen=True):
    """The outcome of a result against vehicles, by weapon, Target Type and range factor [6.5.4.4.2].

    `effective` is settled by the rule of 5s and 10s, `gated` only if the weapon is effective enough.
    """

    weapon: Literal["small arms", "other"]
    result: Literal["suppressed", "effective"]
    target: Literal["A", "P", "S"]
    band: Band
    outcome: Literal["no effect", "suppressed", "damaged", "effective", "gated"]


class Response(Row, frozen=True):
    """A row of the Called Indirect Fire Response Table: the least net roll by the level of attachment [6.5.1.12]."""

    observer: str
    attached: Tenth
    organic: Tenth
    unattached: Tenth


class AssaultFactor(Row, frozen=True):
    """The GP Factor of a Close Assault by its primary attacker [6.6.1.1.1-factor]."""

    primary: Literal["squad", "half-squad", "section"]
    factor: Tenth


# --- grades and commands [6.2, 6.3] ---------------------------------------------------------------------------


class GradeRow(Row, frozen=True):
    """A grade: initiative, Command Range in hexes, modifiers for indirect fire response and Bail Out rolls."""

    grade: Grade
    initiative: Change
    command_range: Count
    response: Change
    bail_out: Change


class UnitGrade(Row, frozen=True):
    """One row of the Unit Grade Modifiers Table; recovery and quickmarch succeed up to a roll."""

    grade: Grade
    ap_p: Change
    ap_s: Change
    ap_m: Change
    ap_l: Change
    ap_e: Change
    gp_p: Change
    gp_s: Change
    gp_m: Change
    gp_l: Change
    gp_e: Change
    hand_to_hand: Change
    recovery: Percent
    quickmarch: Percent

    def ap(self, band: Band) -> int:
        """The AP Hit Modifier at a range factor."""
        return int(getattr(self, f"ap_{band.lower()}"))

    def gp(self, band: Band) -> int:
        """The GP modifier at a range factor."""
        return int(getattr(self, f"gp_{band.lower()}"))


class ByUnits(Row, frozen=True):
    """A row with a number for one to nine units, and one for each full ten."""

    units_1: Count
    units_2: Count
    units_3: Count
    units_4: Count
    units_5: Count
    units_6: Count
    units_7: Count
    units_8: Count
    units_9: Count
    tens: Count

    def number(self, units: int) -> int:
        """The number for that many units: the tens times their column, and one column for the rest; at least 1."""
        tens, rest = divmod(units, 10)
        return max(1, self.tens * tens + (int(getattr(self, f"units_{rest}")) if rest else 0))


class Commands(ByUnits, frozen=True):
    """The Available Commands by number of active units: one to nine, and for each full ten [6.2.1.1]."""

    grade: Grade

    def available(self, active: int) -> int:
        """The commands of a formation with this many active units: at least one."""
        return self.number(active)


class LeaderRank(Row, frozen=True):
    """The effects of a leader by rank [7.55.2-types]: to AP and GP fire, recovery, morale, spotting, response."""

    rank: str
    ap: Change
    gp: Change
    recovery: Change
    morale: Change
    spotting: Change
    response: Change


class Minefield(Row, frozen=True):
    """The greatest rolls with which a minefield damages or destroys, and breaks tracks or suppresses [7.31.2]."""

    minefield: str
    column: str
    worst: Percent
    milder: Percent


class BuildingEffect(Row, frozen=True):
    """The ranges of a building for vehicles that drive in or out, and for fires by GP Factor [6.6.3-check]."""

    building: str
    hit: Percent
    track: Percent
    fire_3: Percent
    fire_6: Percent
    fire_9: Percent
    fire_12: Percent
    fire_15: Percent


class VariablePenetration(Row, frozen=True):
    """The changes of a penetration factor from `least` up, by each die, and the most that two dice change [7.12]."""

    least: Count
    d1: Change
    d2: Change
    d3: Change
    d4: Change
    d5: Change
    d6: Change
    d7: Change
    d8: Change
    d9: Change
    d10: Change
    most: Count


class SpottingChance(Row, frozen=True):
    """The percentage to spot, near and far, and the most spots of a unit, by Unit Grade [7.7.1, 7.7.2]."""

    grade: Grade
    near: Percent
    far: Percent
    most: Count


class SpotRemoval(Row, frozen=True):
    """The percentage that takes a SPOT counter off, by the number of spotters, Cover and range [7.41-roll]."""

    spotters: Count
    light_near: Percent
    light_far: Percent
    medium_near: Percent
    medium_far: Percent
    heavy_near: Percent
    heavy_far: Percent


class CollateralDamage(Row, frozen=True):
    """An effect of a hit that penetrates without damage: its location, the die for it [7.23]."""

    location: str
    roll: Count
    effect: Literal["optics", "coax", "ring", "radio", "gear", "fuel"]


class Portee(Row, frozen=True):
    """The truck and the gun that stand for a portee gun when it dismounts, by the ids of their Data Cards [5.2.1]."""

    portee: str
    truck: str
    gun: str


class SpotRemovalGrade(Row, frozen=True):
    """The modifier of the best spotter's Unit Grade to the removal of SPOT counters [7.41-roll]."""

    grade: Grade
    amount: Change


class Cohesion(ByUnits, frozen=True):
    """A level of the Cohesion Point: its least net roll, the losses by the number of combat units [7.1.1]."""

    level: str
    least: int


class CohesionModifier(Row, frozen=True):
    """A modifier to the level of cohesion, and the levels by which a listed one may go up or down [7.1.1.1-limit]."""

    name: str
    amount: Change
    up: Count
    down: Count


class BreakPoint(Row, frozen=True):
    """The greatest net rolls with which units of a nation break, or hesitate [7.1.4-proc]."""

    nation: str
    breaks: Percent
    hesitates: Percent


class MoraleModifier(Row, frozen=True):
    """A modifier to a Morale Check [7.1.4-proc]."""

    modifier: str
    amount: Change


class MoraleTrigger(Row, frozen=True):
    """An event that calls for a Morale Check, and whether it forces one before the Cohesion Point [7.1.2, 7.1.3]."""

    trigger: str
    forced: bool


class MoraleEffect(Row, frozen=True):
    """The modifiers of a hesitating or broken unit [7.1.5.1, 7.1.5.2]."""

    morale: Literal["hesitating", "broken"]
    ap: Change
    gp: Change
    hand_to_hand: Change
    response: Change
    bail_out: Change


class CommandRow(Row, frozen=True):
    """A command: the acts that it allows in its turn, and whether it has to be carried out [4.2]."""

    command: Literal["fire", "move", "short halt", "overwatch", "no command"]
    fires: bool
    moves: bool
    overwatch: bool
    forced: bool


# --- terrain --------------------------------------------------------------------------------------------------


class Terrain(Row, frozen=True, kw_only=True):
    """One line of the Terrain Effects Table.

    Costs are for entering a hex, with `+` on top of the hex's own, `P` where entry is prohibited, `other` for the other
    terrain in the hex and `all` for the whole allowance. `other` as Cover means that of the other terrain.
    """

    terrain: str
    kind: Literal["hex", "hexside", "counter"]
    height: str
    support: bool
    spotting_cover: str
    combat_cover: str
    tracked: str
    half_tracked: str
    wheeled: str
    leg: str
    turn: str = ""
    hull_down: str = ""
    bog: str = ""
    gp_defence: str = ""


class Obscurant(Row, frozen=True, kw_only=True):
    """Smoke, dust and the like: height, AP and GP modifiers for each occurrence on a line, that of observers."""

    obscurant: str
    height: Count | None = None
    ap: Change
    gp: Change
    observer: Change = 0


# --- Data Cards -----------------------------------------------------------------------------------------------


class Weapon(Row, frozen=True, kw_only=True):
    """One row of a weapon: its fire row, ammunition, ranges in hexes and values by AP Range Factor.

    A range of 0 means that the weapon has no such band. For AP rows the values are penetration factors and
    `nd_max` to `bu_max` the greatest units die for each damage result.
    """

    weapon: str
    nation: str
    name: str
    mount: Literal["V", "T", "L"]
    kind: Literal["atr", "flame", "gun", "hhatw", "mg", "mortar", "rocket"]
    calibre_mm: float = 0
    rof: Rate
    small_arms: bool | Literal["spot"]
    row: Literal["AP", "GP-DF", "GP-IF", "AA", "CC"]
    ammo: str
    ke_ce: Literal["", "KE", "CE"] = ""
    first: str = ""
    range_p: Count = 0
    range_s: Count = 0
    range_m: Count = 0
    range_l: Count = 0
    range_e: Count = 0
    value_p: Count = 0
    value_s: Count = 0
    value_m: Count = 0
    value_l: Count = 0
    value_e: Count = 0
    damage_class: str = ""
    nd_max: Annotated[int, Meta(ge=0, le=10)] = 0
    dm_max: Annotated[int, Meta(ge=0, le=10)] = 0
    ko_max: Annotated[int, Meta(ge=0, le=10)] = 0
    bu_max: Annotated[int, Meta(ge=0, le=10)] = 0
    gp_eff: Count = 0
    ammo_limit: str = ""
    min_range: Count = 0
    aa_no_high: bool = False
    note: str = ""

    def reach(self, band: Band) -> int:
        """The greatest range in hexes of a range factor; 0 if the weapon does not have it."""
        return int(getattr(self, f"range_{band.lower()}"))

    def value(self, band: Band) -> int:
        """The penetration factor or GP factor at a range factor."""
        return int(getattr(self, f"value_{band.lower()}"))


class Vehicle(Row, frozen=True, kw_only=True, tag_field="card", tag="vehicle", rename={"category": "class"}):
    """The Data Card of a vehicle.

    `m_cc`, `path` and `road` are movement speed allowances; `tt` is the turret factor [4.4.3.1]; `main` and `second`
    name weapons, with their arcs. `basic_front` and `basic_rear` are the Armor Factors of the Basic Game.
    """

    id: str
    nation: str
    name: str
    category: str
    first: str
    last: str
    pts: Count
    fv: Count | None = None
    weight: float
    crew: Count
    target: Literal["A", "P", "S"]
    gpd: str
    size: Annotated[int, Meta(ge=-2, le=2)]
    m_cc: Count
    traction: Literal["T", "H", "W"]
    amphibious: bool = False
    dual_drive: bool = False
    path: Count
    road: Count
    bog: Change
    tr_towed: Count
    tr_leg: Count
    under_cover: bool = False
    section_only: bool = False
    riders: bool = False
    tt: Literal[0, 1, 2, 3, 360] = 0
    sb: Literal[0] = 0
    main: str = ""
    main_arc: Literal["", "all", "front", "rear"] = ""
    rof: Literal["", "N", "Q", "R", "F"] = ""
    second: str = ""
    second_arc: Literal["", "all", "front", "rear"] = ""
    dual_fire: bool = False
    second_hull: bool = False
    limited: bool = False
    coax_mg: bool = False
    hull_mg: Count = 0
    aa_mount: str = ""
    aa_fire: bool = False
    gp_weapon: str = ""
    gp_max: Count = 0
    gp_eff: Count = 0
    no_radio: bool = False
    bu: bool = False
    crew_mark: bool = False
    close_assault_c: bool = False
    long_gun: bool = False
    smoke_dischargers: str = ""
    cex_locations: str = ""
    cex_n: Count = 0
    special: str = ""
    basic_front: Count
    basic_rear: Count
    deck: Count
    note: str = ""

    @property
    def armed(self) -> bool:
        """Whether it is a combat unit: one with a weapon [4.1.1]."""
        return bool(self.main)

    @property
    def gp_defense(self) -> int:
        """The GP Defense Factor: the number before the letter of its Target Type [6.5.4.2.1]."""
        return int(self.gpd[:-1])

    @property
    def bulk(self) -> Bulk:
        """Its column of the Spotting Ranges Table: all vehicles have the same [4.1.3]."""
        return "V"


class Leg(
    Row,
    frozen=True,
    kw_only=True,
    tag_field="card",
    tag="leg",
    rename={"category": "kind", "bulk": "size", "labels_printed": "labels"},
):
    """The Data Card of a squad, half-squad or section [5.1]: movement, small arms, GP Defense Factors by Cover.

    `attached` names the weapons that may be attached to it, separated by semicolons, the first of an armed section its
    own; `half_of` is the squad whose half it is. A range or factor of 0 means that it does not fire in that band.
    """

    id: str
    nation: str
    name: str
    category: Literal["squad", "half-squad", "section"]
    first: str
    last: str
    pts: Count
    men: Count
    m_cc: Count
    traction: Literal["L", "W"]
    path: Count = 0
    road: Count = 0
    quickmarch: Count = 0
    labels_printed: str = ""
    bulk: Literal["L", "S"]
    range_p: Count = 0
    range_s: Count = 0
    range_m: Count = 0
    range_l: Count = 0
    range_e: Count = 0
    value_p: Count = 0
    value_s: Count = 0
    value_m: Count = 0
    value_l: Count = 0
    value_e: Count = 0
    gp_eff: Count = 0
    close_assault_factor: Count
    gpd_none: Tenth
    gpd_light: Tenth
    gpd_medium: Tenth
    gpd_heavy: Tenth
    gpd_full_cover: Annotated[int, Meta(ge=1, le=2)]
    pc_leg: Count
    attached: str = ""
    section_armed: bool = False
    smoke_limit: str = ""
    half_of: str = ""

    @property
    def armed(self) -> bool:
        """Whether it is a combat unit: all leg units are."""
        return True

    @property
    def own_weapons(self) -> tuple[str, ...]:
        """The weapons that it has unless the scenario attaches others: that of an armed section [5.1.2]."""
        return tuple(self.attached.split(";")[:1]) if self.section_armed else ()

    def gpd(self, cover: CoverType) -> int:
        """The GP Defense Factor in a type of Cover [6.5.4.2.2]."""
        return int(getattr(self, f"gpd_{cover}"))

    def small_arms(self) -> Weapon:
        """Its intrinsic GP weapon as a row of a weapon [5.1.1, 5.1.2]."""
        bands = {f"{what}_{band}": getattr(self, f"{what}_{band}") for what in ("range", "value") for band in "psmle"}
        return Weapon(
            weapon=self.id,
            nation=self.nation,
            name="small arms",
            mount="L",
            kind="mg",
            rof="N",
            small_arms=True,
            row="GP-DF",
            ammo="ball",
            gp_eff=self.gp_eff,
            source=self.source,
            rule=self.rule,
            **bands,
        )


class Gun(Row, frozen=True, kw_only=True, tag_field="card", tag="gun", rename={"category": "role", "bulk": "size"}):
    """The Data Card of a towed unit [5.2]: its weapon, capacity as a passenger, GP Defense Factors by Cover."""

    id: str
    nation: str
    name: str
    category: str
    first: str
    last: str
    pts: Count
    weight: float
    crew: Count
    weapon: str
    mount: Literal["T", "V"]
    rof: Rate
    m_cc: Count
    traction: Literal["L"]
    path: Literal[0] = 0
    road: Literal[0] = 0
    pc_towed: Count
    pc_leg: Count
    bulk: Literal["L", "S"]
    gpd_none: Tenth
    gpd_light: Tenth
    gpd_medium: Tenth
    gpd_heavy: Tenth
    gpd_full_cover: Annotated[int, Meta(ge=1, le=2)]
    platform_mount: bool = False
    ammo_basic: str = ""
    no_building_fire: bool = False
    gp_eff: Count = 0
    note: str = ""

    @property
    def armed(self) -> bool:
        """Whether it is a combat unit: all towed units are."""
        return True

    def gpd(self, cover: CoverType) -> int:
        """The GP Defense Factor in a type of Cover [6.5.4.2.2]."""
        return int(getattr(self, f"gpd_{cover}"))


class Battery(Row, frozen=True, kw_only=True, rename={"category": "class"}):
    """The Data Card of an artillery battery off the map [5.3]: ranges from its observer in hexes, GP factors by range.

    `smoke` and `illumination` are its Ammo Limits [5.16.2.5]; 0 means that it does not have such rounds. `cb_turns` are
    the consecutive turns of fire that help to locate it, `vp` its worth to the enemy [7.28.2].
    """

    id: str
    nation: str
    name: str
    category: Literal["Light", "Medium", "Heavy", "Super Heavy"]
    first: str
    last: str
    pts: Count
    tubes: Count
    calibre_mm: float
    range_p: Count
    range_s: Count
    range_m: Count
    range_l: Count
    range_e: Count
    value_p: Count
    value_s: Count
    value_m: Count
    value_l: Count
    value_e: Count
    gp_eff: Count
    min_range: Count
    smoke: Count = 0
    illumination: Count = 0
    rockets: bool = False
    self_propelled: bool = False
    cb_turns: Count
    vp: Count
    note: str = ""

    def weapon(self) -> Weapon:
        """Its fire as a row of a weapon [5.3]."""
        bands = {f"{what}_{band}": getattr(self, f"{what}_{band}") for what in ("range", "value") for band in "psmle"}
        limits = {"S": self.smoke, "I": self.illumination}
        return Weapon(
            weapon=self.id,
            nation=self.nation,
            name=self.name,
            mount="V",
            kind="gun",
            calibre_mm=self.calibre_mm,
            rof="N",
            small_arms=False,
            row="GP-IF",
            ammo="HE",
            gp_eff=self.gp_eff,
            min_range=self.min_range,
            ammo_limit=";".join(f"{letter}{most}" for letter, most in limits.items() if most),
            source=self.source,
            rule=self.rule,
            **bands,
        )


Speed: TypeAlias = Literal["slow", "fast"]
Altitude: TypeAlias = Literal["low", "medium", "high"]
Stores: TypeAlias = Literal["strafe", "bombs", "dive bombs", "rockets"]
"""A weapon of an aircraft in the way in which it is used [6.7.3.2 to 6.7.3.4]."""


class AirSpotting(Row, frozen=True):
    """The hexes that an aircraft flies until it acquires a target, and until it is tracked [6.7.3.1.1, 6.7.4.1.1]."""

    speed: Speed
    altitude: Altitude
    acquire: Count
    track: Count


class AirLine(Row, frozen=True):
    """The Height from which on obstacles hide ground units from the air, and within how many hexes [6.7.3.1.3]."""

    altitude: Altitude
    height: Count
    hexes: Count


class LandingStatus(Row, frozen=True):
    """The greatest rolls without effect, that suppress, and that halve units that land on a terrain [7.44.1.2]."""

    terrain: str
    none: Annotated[int, Meta(ge=0, le=200)]
    suppressed: Annotated[int, Meta(ge=0, le=200)]
    half: Annotated[int, Meta(ge=0, le=200)]

    def outcome(self, net: int) -> str:
        """The status of a net roll."""
        if net <= self.none:
            return "no effect"
        if net <= self.suppressed:
            return "suppressed"
        return "half eliminated" if net <= self.half else "eliminated"


class ParatroopScatter(Row, frozen=True):
    """The hexes that a paratroop unit drifts, by the net roll [7.44.1.1-2]."""

    low: int
    high: int
    hexes: Count


class Aircraft(Row, frozen=True, kw_only=True, tag_field="card", tag="aircraft"):
    """The Data Card of an aircraft or glider [5.4.1, 6.7.1]: GP Factors, effectiveness and numbers of its attacks.

    `landing` is the Landing Distance of a glider in hexes [7.44.2.3-6]; `tr_towed` and `tr_leg` are its capacity,
    `tr_leg_towing` and `tr_leg_jeep` what is left of it besides a towed unit or a Jeep; then some carry only sections
    (`jeep_sections`) [7.44.2.1].
    """

    id: str
    nation: str
    name: str
    first: str
    last: str
    pts: Count
    gpd: str
    slow_only: bool = False
    dive_bomber: bool = False
    strafe: Count = 0
    strafe_small_arms: bool = False
    strafe_eff: Count = 0
    strafes: Count = 0
    bomb: Count = 0
    bomb_eff: Count = 0
    bombs: Count = 0
    rocket_p: Count = 0
    rocket_s: Count = 0
    rocket_m: Count = 0
    rocket_l: Count = 0
    rocket_e: Count = 0
    rocket_eff: Count = 0
    rockets: Count = 0
    landing: Count = 0
    tr_towed: Count = 0
    tr_leg: Count = 0
    tr_leg_towing: Count = 0
    tr_leg_jeep: Count = 0
    jeep_sections: bool = False
    note: str = ""

    @property
    def category(self) -> str:
        """Its class: aircraft or glider."""
        return "glider" if self.landing else "aircraft"

    @property
    def gp_defense(self) -> int:
        """The GP Defense Factor: the number before the S of its Target Type [6.5.4.2.4]."""
        return int(self.gpd[:-1])

    @property
    def armed(self) -> bool:
        """Whether it has weapons: gliders have none."""
        return not self.landing

    @property
    def bulk(self) -> Bulk:
        """The column of its size in tables for units on the ground: that of vehicles."""
        return "V"


GroundCard: TypeAlias = Vehicle | Leg | Gun
"""The Data Card of a unit on the ground."""

Card: TypeAlias = GroundCard | Aircraft
"""The Data Card of a unit."""


class Armour(Row, frozen=True, kw_only=True):
    """The Armor Factors of a vehicle for level, falling or rising shot, by Hit Angle and location [6.5.2.3]."""

    vehicle: str
    shot: Shot
    front_tf: Count
    front_hf: Count
    front_side_tf: Count
    front_side_ts: Count
    front_side_hf: Count
    front_side_hs: Count
    rear_side_ts: Count
    rear_side_tr: Count
    rear_side_hs: Count
    rear_side_hr: Count
    rear_tr: Count
    rear_hr: Count

    def at(self, angle: Angle, code: Code) -> int:
        """The Armor Factor of a location at a Hit Angle."""
        return int(getattr(self, _column(angle, code)))

    def covers(self, angle: Angle, code: Code) -> bool:
        """Return whether a location is seen at a Hit Angle: from the rear there is no turret front."""
        return _column(angle, code) in self.__struct_fields__


def _column(angle: Angle, code: Code) -> str:
    """The column of the Armor Factors for a location at a Hit Angle."""
    return f"{angle.replace(' ', '_')}_{code[:2].lower()}"


class Charts:
    """All charts of a game: the package's own, or a data pack's where it has them. Raises BadInput."""

    def __init__(self, pack: Texts = OWN) -> None:
        self._folder = Folder(DATA, pack)
        own = self._folder.keyed
        self.spotting = own(SpottingRange, "spotting_ranges.csv", lambda row: row.row)
        self.spotting_modifiers = own(
            SpottingModifier, "spotting_modifiers.csv", lambda row: (row.applies_to, row.modifier)
        )
        self.cover = own(Cover, "cover.csv", lambda row: row.cover)
        zones = own(BlindZone, "blind_zones.csv", lambda row: (row.lower_height, row.levels_below))
        self.blind_zones = {key: row.divisor for key, row in zones.items()}
        self.hit = own(HitRow, "ap_hit.csv", lambda row: row.modifier)
        self.hit_modifiers = own(HitModifier, "ap_modifiers.csv", lambda row: row.modifier)
        self.hits = own(Hits, "ap_number_of_hits.csv", lambda row: row.hit_number)
        self.hit_locations = own(HitLocation, "hit_locations.csv", lambda row: row.tens)
        self.locations = own(Location, "locations.csv", lambda row: row.code)
        damage = own(BasicDamage, "basic_damage.csv", lambda row: row.excess_from)
        self.basic_damage = sorted(damage.values(), key=lambda row: row.excess_from)
        self.hull_down_search = own(SearchModifier, "hull_down_search.csv", lambda row: row.modifier)
        self.bail_out = own(BailOut, "bail_out.csv", lambda row: (row.condition, row.who))
        self.gp_results = own(GpResults, "gp_results.csv", lambda row: row.gp_defense)
        self.gp_modifiers = own(HitModifier, "gp_modifiers.csv", lambda row: row.modifier)
        self.gp_vehicles = own(GpVehicle, "gp_vehicles.csv", lambda row: (row.weapon, row.result, row.target, row.band))
        self.assault_factors = own(AssaultFactor, "close_assault_factors.csv", lambda row: row.primary)
        self.assault_modifiers = own(HitModifier, "close_assault_modifiers.csv", lambda row: row.modifier)
        self.hand_to_hand = own(HitModifier, "hand_to_hand_modifiers.csv", lambda row: row.modifier)
        self.grades = own(GradeRow, "grades.csv", lambda row: row.grade)
        self.unit_grades = own(UnitGrade, "unit_grades.csv", lambda row: row.grade)
        self.variable_penetration = own(VariablePenetration, "variable_penetration.csv", lambda row: row.least)
        self.leaders = own(LeaderRank, "leaders.csv", lambda row: row.rank)
        self.minefields = own(Minefield, "minefield_effects.csv", lambda row: (row.minefield, row.column))
        self.buildings = own(BuildingEffect, "building_effects.csv", lambda row: row.building)
        self.spotting_chances = own(SpottingChance, "spotting_chances.csv", lambda row: row.grade)
        self.spot_removal = own(SpotRemoval, "spot_removal.csv", lambda row: row.spotters)
        self.spot_removal_grades = own(SpotRemovalGrade, "spot_removal_grades.csv", lambda row: row.grade)
        self.collateral = own(CollateralDamage, "collateral_damage.csv", lambda row: (row.location, row.roll))
        self.portees = own(Portee, "portees.csv", lambda row: row.portee)
        self.cohesion = own(Cohesion, "cohesion.csv", lambda row: row.level)
        self.cohesion_modifiers = own(CohesionModifier, "cohesion_modifiers.csv", lambda row: row.name)
        self.break_points = own(BreakPoint, "break_points.csv", lambda row: row.nation)
        self.morale_modifiers = own(MoraleModifier, "morale_modifiers.csv", lambda row: row.modifier)
        self.morale_triggers = own(MoraleTrigger, "morale_triggers.csv", lambda row: row.trigger)
        self.morale_effects = own(MoraleEffect, "morale_effects.csv", lambda row: row.morale)
        self.batteries = own(Battery, "batteries.csv", lambda row: row.id)
        self.response = own(Response, "response.csv", lambda row: row.observer)
        self.response_modifiers = own(HitModifier, "response_modifiers.csv", lambda row: row.modifier)
        self.available = own(Commands, "available_commands.csv", lambda row: row.grade)
        self.commands: dict[str, CommandRow] = {**own(CommandRow, "commands.csv", lambda row: row.command)}
        self.terrain = own(Terrain, "terrain_effects.csv", lambda row: row.terrain)
        self.obscurants = own(Obscurant, "obscurants.csv", lambda row: row.obscurant)
        self.weapons = own(Weapon, "weapons.csv", lambda row: (row.weapon, row.mount, row.row, row.ammo))
        self.vehicles = own(Vehicle, "vehicles.csv", lambda row: row.id)
        self.vehicles |= own(Vehicle, "transports.csv", lambda row: row.id)
        self.legs = own(Leg, "legs.csv", lambda row: row.id)
        self.guns = own(Gun, "guns.csv", lambda row: row.id)
        self.aircraft = own(Aircraft, "aircraft.csv", lambda row: row.id)
        self.landing_status = own(LandingStatus, "landing_status.csv", lambda row: row.terrain)
        self.paratroop_scatter = own(ParatroopScatter, "paratroop_scatter.csv", lambda row: row.low)
        self.air_spotting = own(AirSpotting, "air_spotting.csv", lambda row: (row.speed, row.altitude))
        self.air_lines = own(AirLine, "air_lines.csv", lambda row: row.altitude)
        self.air_modifiers = own(HitModifier, "air_modifiers.csv", lambda row: row.modifier)
        self.halves = {leg.half_of: leg for leg in self.legs.values() if leg.half_of}
        self.cards: dict[str, GroundCard] = {**self.vehicles, **self.legs, **self.guns}
        self.armour = own(Armour, "armour.csv", lambda row: (row.vehicle, row.shot))
        self._check_vehicles()

    def rows_of(self, weapon: str, mount: str, row: str) -> list[Weapon]:
        """The rows of a weapon in a mount, one for each ammunition."""
        return self._rows.get((weapon, mount, row), [])

    @cached_property
    def _rows(self) -> dict[tuple[str, str, str], list[Weapon]]:
        found: dict[tuple[str, str, str], list[Weapon]] = {}
        for (weapon, mount, row, _), each in self.weapons.items():
            found.setdefault((weapon, mount, row), []).append(each)
        return found

    def cited(self) -> set[str]:
        """The rules that the rows rest on."""
        return {row.rule for row in self._folder.read}

    def _check_vehicles(self) -> None:
        """Check that every vehicle's weapons and armor are there. Raises BadInput."""
        mounted = {weapon for weapon, mount, _, _ in self.weapons if mount == "V"}
        for vehicle in self.vehicles.values():
            for name in filter(None, (vehicle.main, vehicle.second, vehicle.gp_weapon)):
                if name not in mounted:
                    raise BadInput(f"{vehicle.id} has the weapon {name!r}", "vehicles.csv", "a weapon of weapons.csv")
            if vehicle.target != "S" and (vehicle.id, "level") not in self.armour:
                raise BadInput(f"{vehicle.id} has no armor", "armour.csv", "a row for each kind of shot")


load_charts = loader(Charts)
"""The charts with a data pack's tables in place of Opfire's own, read once for each pack."""
