"""The weapons and aircraft data, the charts and the tables of scenario design: rows and look-ups; decides no rule.

All figures are printed in the rulebook. `doubt` says what looks wrong in a printed row.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from opfire.core.rows import OWN, Folder, Row, Texts, fraction, loader

DATA = Path(__file__).parent / "data"
CALIBRES = DATA.parent / "drawing" / "calibres.csv"
"""The calibres of guns, for the film and for the check of forces [12.9]; play reads none."""

Engagement: TypeAlias = Literal[
    "meeting-engagement", "reconnaissance-in-force", "hasty-attack", "prepared-assault", "delaying-action"
]
"""The types of scenario, A to E [SD.1.0]."""

Role: TypeAlias = Literal["attacker", "defender"]
"""Player A attacks, Player B defends [SD.1.0]."""

Month: TypeAlias = Annotated[str, Meta(pattern=r"^19\d\d-(0[1-9]|1[0-2])$")]
"""A year and a month, such as 1944-08; months compare as text."""

Quality: TypeAlias = Annotated[int, Meta(ge=-2, le=3)]
"""The quality of a general headquarters: what it adds to the roll for movement orders [10.1.6]."""

Doctrine: TypeAlias = Literal["american", "german", "other"]
"""The three ways in which nations direct artillery [7.8]."""

LoadGround: TypeAlias = Literal["road", "track", "other", "overloaded"]

DensityName: TypeAlias = Literal["open", "mixed", "closed"]

Count = Annotated[int, Meta(ge=0, le=9999)]
Change = Annotated[int, Meta(ge=-9, le=19)]

Result: TypeAlias = Literal["-", "S", "(S)", "D", "E"]
"""A result of the Combat Results Table; `-` is no effect [7.2]."""

MovementClass: TypeAlias = Literal["W", "T", "F"]

By: TypeAlias = Literal["parachute", "glider"]
"""The way in which a landing group lands [8.10]."""

LandingRoll: TypeAlias = Literal["arrival", "location", "landing"]

Circumstance: TypeAlias = Literal[
    "night",
    "clouds",
    "anti-aircraft fire",
    "small transports",
    "daylight",
    "guides",
    "anti-aircraft in range",
    "anti-aircraft on the table",
]
"""A circumstance of a landing; the last two are seen on the table, the others are told by the scenario."""

LEAST, MOST = -3, 9
"""The first and the last column of the Combat Results Table [7.2-table]."""

COLUMNS = tuple(str(column) for column in range(LEAST, MOST + 1))


class Weapon(Row, frozen=True, rename={"defence": "def"}):
    """One row of the weapons data: a stand, or the second weapon or other use of the stand `parent`.

    Ranges are inches, `points` the price, `sections` the impact markers that it places. `defence` counts as armoured
    where `armoured` is true. `trait` words say what the rules treat alike: hq, support, engineer, cavalry and others.
    """

    id: str
    nation: str
    heading: str
    kind: str
    row: Literal["unit", "second weapon", "alt mode"]
    name: str
    parent: str = ""
    sections: Count | None = None
    points: Count | None = None
    ap: Count | None = None
    he: Count | None = None
    flame: bool = False
    ap_range: Count | None = None
    he_range: Count | None = None
    defence: Count | None = None
    armoured: bool = False
    mov_points: Count | None = None
    mov_class: Literal["W", "T", "F", ""] = ""
    road_bonus_foot: Count | None = None
    amph_points: Count | None = None
    cargo_cap: Count | None = None
    tran_req: Count | None = None
    tran_req_alt: Count | None = None
    arc: Literal["", "front", "rear", "sides-rear"] = ""
    indirect: bool = False
    open_top: bool = False
    smoke: bool = False
    p_halved: bool = False
    multi_gun: bool = False
    min_range: Count | None = None
    slow_reload: Count | None = None
    depletion: Count | None = None
    year: Count | None = None
    year_to: Count | None = None
    defence_class: str = ""
    traits: str = ""
    doubt: str = ""

    def has(self, trait: str) -> bool:
        """Return whether the rules treat this stand as one of that kind."""
        return trait in self.traits.split(";")

    @property
    def armed(self) -> bool:
        """Whether the stand has any firepower, so that it counts for the break point [12.1.2]."""
        return bool(self.ap or self.he)


class Aircraft(Row, frozen=True):
    """One row of the aircraft data: an aircraft, or the second load of the aircraft `parent`."""

    id: str
    nation: str
    row: Literal["aircraft", "second ordnance"]
    name: str
    parent: str = ""
    config: Count | None = None
    points: Count | None = None
    strafe_ap: Count | None = None
    strafe_he: Count | None = None
    ord_ap: Count | None = None
    ord_he: Count | None = None
    ord_load: Count | None = None
    year_from: Count | None = None
    year_to: Count | None = None
    doubt: str = ""


class EngagementType(Row, frozen=True):
    """A type of scenario: what the defender may build, and how many points the second force gets, in per cent."""

    type: Engagement
    name: str
    defender_percent: Count
    attacker_percent: Count
    turns: Count
    air_strikes: Literal["nobody", "attacker", "anybody"]
    off_map: bool
    positions: str = ""
    mines: str = ""
    wire_and_ditches: str = ""

    def allows(self, work: str) -> bool:
        """Return whether the defender may buy a kind of position, minefield, wire or ditch, by its first word."""
        return work in f"{self.positions} {self.mines} {self.wire_and_ditches}".split()


class Price(Row, frozen=True):
    """The price of what is no row of the weapons data: points each or added, or per cent of the stand's price."""

    item: str
    points: Count = 0
    percent: Count = 100


class GhqPrice(Row, frozen=True):
    """The price of a general headquarters by its quality, in per cent of the stand's price [SD.6.1.ghq]."""

    quality: Quality
    percent: Count


class Dummies(Row, frozen=True):
    """The dummies for each minefield, in quarters, from a cohesion on [11.1.3]."""

    cohesion: Count
    quarters: Count


class Observers(Row, frozen=True):
    """The forward observers that a doctrine allows: one for a number of infantry stands or guns [7.8.2]."""

    doctrine: Doctrine
    stands: Count
    counts: Literal["infantry", "guns"]
    recon: Literal["every stand", "three stands", "battalion"]
    extra: Count


class Determination(Row, frozen=True, rename={"since": "from", "until": "to"}):
    """A circumstance that changes how many losses a force endures, in per cent of its strength [12.1.9].

    It holds for a nation, an engagement, a role and months where the row names them, and, where `told` names a word,
    only if the players say so.
    """

    circumstance: str
    percent: Annotated[int, Meta(ge=-35, le=35)]
    nations: str = ""
    engagement: str = ""
    role: str = ""
    since: str = ""
    until: str = ""
    told: str = ""


class Density(Row, frozen=True):
    """Terrain density: the factor of the roll for per cent of the ground, and the greatest sight in inches [SD.3.2]."""

    density: DensityName
    factor: Count
    sight: Count


class Results(Row, frozen=True, rename=dict(zip((f"at_{number}" for number in range(13)), COLUMNS, strict=True))):
    """One row of the Combat Results Table: a total of the dice, and the result in each column [7.2-table]."""

    die: Annotated[int, Meta(ge=0, le=19)]
    at_0: Result
    at_1: Result
    at_2: Result
    at_3: Result
    at_4: Result
    at_5: Result
    at_6: Result
    at_7: Result
    at_8: Result
    at_9: Result
    at_10: Result
    at_11: Result
    at_12: Result

    def column(self, number: int) -> Result:
        """The result in a column, by its differential from -3 to 9."""
        found: Result = getattr(self, f"at_{number - LEAST}")
        return found


class RangeEffect(Row, frozen=True):
    """The die roll modifier up to a distance, for most weapons or for dual purpose guns [7.3.2, 10.7.2].

    Beyond the last row each further step, as wide as that row, adds 1.
    """

    chart: Literal["standard", "dual purpose"]
    inches: Annotated[int, Meta(ge=1, le=99)]
    modifier: Change


class TerrainEffect(Row, frozen=True, kw_only=True):
    """One kind of terrain of the Terrain Effects Chart [9.1-chart].

    `tracked`, `wheeled` and `foot` are movement points for an inch (1/2 is a half), empty where the class never goes.
    A `base` cost takes the place of the clear ground's, an `add` cost is paid besides, an `entry` cost is paid once on
    entering a marker, a `road` cost is paid along the road; `on_exit` names the movers that pay on leaving only.
    `personnel` and `others` are added to the roll to fire at a target of that class in it and to the combat roll;
    `applies` says when. `blocks` is the column for lines of sight: `personnel` where it does for targets that are
    personnel, `through` where a line may lead into it.
    """

    terrain: str
    tracked: str = ""
    wheeled: str = ""
    foot: str = ""
    cost: Literal["base", "add", "entry", "road"]
    on_exit: Literal["", "all", "wheeled"] = ""
    personnel: Change
    others: Change
    applies: Literal["always", "moving target", "crest", "smoke", "impact", "personnel"]
    blocks: Literal["never", "always", "personnel", "through"]
    conceals: bool

    def modifier(self, personnel: bool) -> int:
        """The modifier for a target that is personnel, or for any other."""
        return self.personnel if personnel else self.others

    def price(self, movement: MovementClass) -> Fraction | None:
        """The movement points for an inch; None where the class never goes."""
        cost = {"T": self.tracked, "W": self.wheeled, "F": self.foot}[movement]
        return fraction(cost, "terrain_effects.csv") if cost else None


class WeatherEffect(Row, frozen=True):
    """A condition of the weather: the dice for the limit of sight in inches, and the ground that clear ground becomes.

    `doubles` says that movement costs are doubled [9.6.2].
    """

    weather: str
    dice: Count = 0
    faces: Count = 0
    ground: str = ""
    doubles: bool = False


class LandingTerrain(Row, frozen=True):
    """The results of a landing in a kind of terrain, for a passed and a failed cohesion roll [8.10.1.3-3a]."""

    terrain: str
    para_pass: Result
    para_fail: Result
    glider_pass: Result
    glider_fail: Result

    def results(self, by: By) -> tuple[Result, Result]:
        """The results of a pass and of a failure."""
        if by == "glider":
            return self.glider_pass, self.glider_fail
        return self.para_pass, self.para_fail


class LandingModifier(Row, frozen=True):
    """A modifier to a roll of a landing [8.10.1.3-1, 8.10.1.3-2, 8.10.2.4-2, 8.10.2.4-3]."""

    by: By
    roll: LandingRoll
    circumstance: Circumstance
    modifier: Change


class LandingDrift(Row, frozen=True):
    """The dice for the distance of a deviation in inches: their sum over `parts`, rounded up, and `added`."""

    by: By
    conditions: str
    dice: Count
    faces: Count
    parts: Annotated[int, Meta(ge=1, le=2)] = 1
    added: Count = 0


class MovementOrders(Row, frozen=True):
    """The orders for a total of two dice and the quality of the headquarters [8.2.1]."""

    total: Count
    orders: Count


class OverrunTerrain(Row, frozen=True):
    """Whether vehicles may overrun a stand in a kind of terrain [8.7.2]."""

    kind: str
    wheeled: bool
    tracked: bool


class Succession(Row, frozen=True):
    """The modifier to the roll with which a stand takes command, by nation; the row without one is for all others."""

    modifier: Count
    nations: str = ""


class NewQuality(Row, frozen=True):
    """The quality of a new general headquarters, for a roll up to `at_most` [10.1.7]."""

    at_most: Count
    quality: Quality


class LoadModifier(Row, frozen=True):
    """The movement points that a loaded carrier loses, by the ground on which it moves [12.7]."""

    ground: LoadGround
    tracked: int
    wheeled: int
    foot: int


class Charts:
    """All tables. Raises BadInput, with file and line, for a table of a data pack that does not fit."""

    def __init__(self, folder: Folder) -> None:
        self.weapons: Mapping[str, Weapon] = folder.keyed(Weapon, "weapons.csv", lambda row: row.id)
        self.scenario_weapons = folder.keyed(Weapon, "scenario_weapons.csv", lambda row: row.id)
        self.stands: Mapping[str, Weapon] = {**self.weapons, **self.scenario_weapons}
        self.seconds: Mapping[str, Weapon] = {row.parent: row for row in self.weapons.values() if row.parent}
        self.staffs: Mapping[str, Weapon] = {
            row.nation: row for row in reversed(self.weapons.values()) if row.traits == "hq" and row.kind == "personnel"
        }
        self.aircraft: Mapping[str, Aircraft] = folder.keyed(Aircraft, "aircraft.csv", lambda row: row.id)
        self.engagements = folder.keyed(EngagementType, "engagement_types.csv", lambda row: row.type)
        self.prices = folder.keyed(Price, "prices.csv", lambda row: row.item)
        self.ghq_prices = folder.keyed(GhqPrice, "ghq_prices.csv", lambda row: row.quality)
        self.dummies = folder.keyed(Dummies, "dummy_minefields.csv", lambda row: row.cohesion)
        self.observers = folder.keyed(Observers, "forward_observers.csv", lambda row: row.doctrine)
        self.determination = folder.keyed(Determination, "determination.csv", lambda row: row.circumstance)
        self.results = folder.keyed(Results, "crt.csv", lambda row: row.die)
        self.ranges = folder.keyed(RangeEffect, "range_effects.csv", lambda row: (row.chart, row.inches))
        self.terrain = folder.keyed(TerrainEffect, "terrain_effects.csv", lambda row: row.terrain)
        self.weather = folder.keyed(WeatherEffect, "weather.csv", lambda row: row.weather)
        self.landing_terrain = folder.keyed(LandingTerrain, "landing_terrain.csv", lambda row: row.terrain)
        self.landing_modifiers = folder.keyed(
            LandingModifier, "landing_modifiers.csv", lambda row: (row.by, row.roll, row.circumstance)
        )
        self.landing_drift = folder.keyed(LandingDrift, "landing_drift.csv", lambda row: (row.by, row.conditions))
        self.densities = folder.keyed(Density, "terrain_densities.csv", lambda row: row.density)
        self.movement_orders = folder.keyed(MovementOrders, "movement_orders.csv", lambda row: row.total)
        self.overrun_terrain = folder.keyed(OverrunTerrain, "overrun_terrain.csv", lambda row: row.kind)
        self.successions = folder.keyed(Succession, "successors.csv", lambda row: row.nations)
        self.new_qualities = folder.keyed(NewQuality, "new_ghq_quality.csv", lambda row: row.at_most)
        self.load_modifiers = folder.keyed(LoadModifier, "load_modifiers.csv", lambda row: row.ground)


@loader
def load_charts(pack: Texts) -> Charts:
    """The charts, with a data pack's tables in place of the book's."""
    return Charts(Folder(DATA, pack))


def charts() -> Charts:
    """The book's own charts."""
    return load_charts(OWN)


def whole(value: Fraction) -> int:
    """A number of points as a whole one, halves up: the examples round 517.5 to 518 [RULINGS.md R4]."""
    return int(value + Fraction(1, 2)) if value >= 0 else -int(-value + Fraction(1, 2))


# --- look-ups -------------------------------------------------------------------------------------------------


def result(table: Charts, column: int, total: int) -> Result:
    """The result of a total of the dice in a column, by its differential [7.2-table].

    Totals below the table are read as 0, those above have no effect: RULINGS.md R10.

    >>> [result(charts(), -1, total) for total in (-4, 7, 8, 20)]
    ['D', 'S', '-', '-']
    """
    row = table.results.get(max(total, 0))
    return "-" if row is None else row.column(column)


def range_modifier(table: Charts, chart: Literal["standard", "dual purpose"], inches: int) -> int:
    """The combat roll modifier at a distance in whole inches [7.3.2, 10.7.2].

    >>> [range_modifier(charts(), "standard", inches) for inches in (1, 2, 5, 6, 15, 16, 20, 21)]
    [-1, 0, 0, 1, 2, 3, 3, 4]
    """
    rows = [row for row in table.ranges.values() if row.chart == chart]
    for row in rows:
        if inches <= row.inches:
            return row.modifier
    last, step = rows[-1], rows[-1].inches - rows[-2].inches
    return last.modifier - (last.inches - inches) // step
