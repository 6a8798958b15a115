"""Player aid tables and units: row types, loading, look-ups; decides no rule.

Every table is a CSV in `data/`, laid out like the printed one where the book prints it; a player's data pack may
replace any of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from opfire.core.errors import BadInput
from opfire.core.rows import OWN, Folder, Row, Texts, fraction, loader

DATA = Path(__file__).parent / "data"

Weapon: TypeAlias = Literal["I", "A", "AA", "H", "(H)", "M", "C", "G"]
Target: TypeAlias = Literal["armored", "non-armored", "aircraft"]
Mode: TypeAlias = Literal["W", "P", "AO", "AC", "TO"]
Size: TypeAlias = Literal["light", "heavy"]
Result: TypeAlias = Literal["none", "M", "M+1", "M+2", "D", "DD", "X", "AM", "AM+1", "AM+2", "AD", "ADD", "AX"]
AaResult: TypeAlias = Literal["none", "D", "X"]
Count = Annotated[int, Meta(ge=0, le=999)]
Change = Annotated[int, Meta(ge=-9, le=9)]
CrtDie = Annotated[int, Meta(ge=-2, le=8)]
Die = Annotated[int, Meta(ge=1, le=6)]

COLUMNS = ("1-4", "1-3", "1-2", "1-1", "3-2", "2-1", "2.5-1", "3-1", "3.5-1", "4-1")
AA_COLUMNS = ("4-7", "8-11", "12-15", "16-19", "20-25", "26-35", "36+")
LOWEST_ROW, HIGHEST_ROW = -2, 8
LEVELS = ("ground", "slope", "hilltop")
OBSTACLES = ("woods", "slope", "crest", "town")
RESULTS = {
    "none": "no effect",
    "M": "morale check",
    "M+1": "morale check at +1",
    "M+2": "morale check at +2",
    "D": "dispersed or worse",
    "DD": "dispersed or worse",
    "X": "destroyed",
    "AM": "morale check of the attackers",
    "AM+1": "morale check of the attackers at +1",
    "AM+2": "morale check of the attackers at +2",
    "AD": "attackers dispersed or worse",
    "ADD": "attackers dispersed or worse",
    "AX": "attackers destroyed",
}
"""The results of the Combat Results Table in words: dispersal destroys a unit that was dispersed before [COM-10]."""


class Scale(Row, frozen=True):
    """The multipliers of one family of counters, for inches and movement points [EQP-2, EQP-3]."""

    scale: str
    range: Count
    movement: Count
    movement_of_one: Count


class Kind(Row, frozen=True):
    """A unit as its counter and the Unit Function Table describe it [EQP-1].

    `range` and `movement` are as printed, in the `scale` of the counter's family; `table` stands for inches and
    movement points. `smf` is X for Split Move and Fire and F for a fixed gun [SMF-4, FIX-1]; `engineer` is X for
    engineers, MC for a mine clearing tank, FT for a flamethrower, BL for a bridge layer and F for a ferry. `overrun`
    names the targets that a vehicle may overrun [OVR-9]. `riders` go on German and Soviet armor always, on other armor
    where the scenario says so [TRN-11]. `aa_drm` is added to dice thrown at an aircraft.
    """

    id: str
    name: str
    nation: str
    period: Literal["ww2", "cold war"]
    type: Literal[
        "anti-aircraft vehicle",
        "anti-tank",
        "armored car",
        "assault gun",
        "bridge layer",
        "car",
        "carrier",
        "cavalry",
        "command",
        "engineer",
        "engineer vehicle",
        "fighter-bomber",
        "gun",
        "helicopter",
        "infantry",
        "machinegun",
        "mortar",
        "motorcycle",
        "observation aircraft",
        "observer",
        "scout",
        "self-propelled artillery",
        "tank",
        "tank destroyer",
        "truck",
        "wagon",
    ]
    attack: Count
    weapon: Weapon
    range: Count
    defence: Count
    movement: Count
    scale: str
    mode: Mode
    target: Target
    size: Size
    calibre_mm: Count = 0
    aa_drm: Change = 0
    rockets: bool = False
    open_topped: bool = False
    overrun: Literal["never", "non-armored", "all"] = "never"
    carries: Count = 0
    riders: Literal["never", "always", "scenario"] = "never"
    bailout: bool = False
    hull_down: Annotated[int, Meta(ge=0, le=2)] = 0
    ccp: bool = False
    smf: Literal["", "X", "F"] = ""
    mounted_fire: bool = False
    quick_march: bool = False
    field_of_fire: bool = False
    amphibious: bool = False
    engineer: Literal["", "X", "MC", "FT", "BL", "F"] = ""
    anti_aircraft: bool = False
    missile_shots: Count = 0
    radio: Literal["", "command", "observer"] = ""
    package: str = ""


class CrtRow(
    Row,
    frozen=True,
    rename={f"column_{number}": column for number, column in enumerate(COLUMNS)},
):
    """One row of the Combat Results Table [CRT-1]."""

    die: CrtDie
    column_0: Result
    column_1: Result
    column_2: Result
    column_3: Result
    column_4: Result
    column_5: Result
    column_6: Result
    column_7: Result
    column_8: Result
    column_9: Result


class AaRow(
    Row,
    frozen=True,
    rename={f"column_{number}": column for number, column in enumerate(AA_COLUMNS)},
):
    """One row of the Anti-Aircraft Combat Factors table [AAT-1]."""

    die: Die
    column_0: AaResult
    column_1: AaResult
    column_2: AaResult
    column_3: AaResult
    column_4: AaResult
    column_5: AaResult
    column_6: AaResult


class OddsColumn(Row, frozen=True):
    """The least ratio of attack to defence that reaches a column [COM-1]."""

    column: str
    ratio: str


class Outcome(Row, frozen=True):
    """The effects of a result on units in good order and on dispersed units [COM-3].

    `modifier` is added to the die of a morale check.
    """

    result: Result
    applies_to: Literal["target", "attackers", "nobody"]
    good_order: Literal["none", "check", "dispersed", "destroyed"]
    dispersed: Literal["none", "check", "dispersed", "destroyed"]
    modifier: Change = 0


class Level(Row, frozen=True, kw_only=True):
    """A morale level, its other name, and the greatest die that passes [MRT-1]."""

    level: str
    also: str = ""
    passes_to: Die


class Band(Row, frozen=True):
    """One line of the Weapon Effectiveness Chart: the multiplier up to a part of the range or a number of metres."""

    weapon: Weapon
    target: Target
    up_to: str
    of: Literal["printed range", "metres"]
    multiplier: str


class AirEffect(Row, frozen=True):
    """The effect of a class of aircraft weapon on a class of target."""

    weapon: Weapon
    target: Target
    multiplier: str


class Package(Row, frozen=True, rename={"weapon_class": "class"}):
    """One weapon of an air strike package, with the number of its attacks; of `alternatives` one is carried [ASP-1].

    `drifts` says that it is an unguided bomb, which misses where it drifts [FB-6]; `guns` fire at aircraft too [AIC-1].
    """

    package: str
    weapon: str
    attack: Count
    weapon_class: Weapon
    uses: Count
    alternatives: str = ""
    drifts: bool = False
    guns: bool = False


class Feature(Row, frozen=True, kw_only=True):
    """A man made feature [MMF-1]; a fort has no values for vehicles, which never enter it."""

    feature: str
    vehicle_defence: Count | None = None
    vehicle_drm: Change | None = None
    other_defence: Count
    other_drm: Change
    negates_road: bool
    blocks_los: bool
    must_be_spotted: bool


class SightLimit(Row, frozen=True):
    """A limit of lines of sight, in inches or as a part of the roll, and the limit if the target has fired [LLT-1]."""

    visibility: str
    size: Size
    ground: Literal["cover", "clear"]
    limit: str
    of_roll: bool
    if_fired: str
    if_fired_of_roll: bool


class Terrain(Row, frozen=True, kw_only=True):
    """One line of the Terrain Effects Chart.

    Movement points count for each inch, for each crossing, or on top of those of the ground below (`base`); an empty
    cost means that units of the mode never enter. `halves_across` holds for attacks across it.
    """

    terrain: str
    counts: Literal["inch", "base", "crossing"]
    p: str = ""
    w: str = ""
    ao: str = ""
    leave_w: str = "0"
    leave_ao: str = "0"
    vehicles: Literal["all", "none", "road", "bridge or ford", "amphibious", "all but W"]
    vehicle_drm: Change
    vehicle_defence: Count
    other_drm: Change
    other_defence: Count
    halves_across: bool
    blocks_los: Literal["never", "always", "chart", "same level"]
    cover: Literal["never", "always", "crest"]


class Obstacle(Row, frozen=True):
    """Whether an obstacle blocks lines of sight between two levels [OEC-1]."""

    firer: str
    target: str
    obstacle: str
    blocks: Literal["always", "never", "see rules"]


class Elevation(Row, frozen=True):
    """A level of terrain and its height [OBS-4]."""

    level: str
    metres_from: int
    metres_to: int


class Height(Row, frozen=True):
    """A class of obstacles and their height [OBS-2]."""

    obstacles: str
    height: Literal["low", "medium", "high"]
    metres_from: int
    metres_to: int


class Template(Row, frozen=True, kw_only=True):
    """The side in inches of the square that a bore covers, above one calibre and up to another [IF-9]."""

    weapon: Literal["mortar", "artillery"]
    name: str
    above_mm: Count
    up_to_mm: Count | None = None
    side: Count


class Modifier(Row, frozen=True):
    """A die roll modifier of the text, and its words on the screen."""

    name: str
    label: str
    drm: Change


class Task(Row, frozen=True, kw_only=True):
    """An engineer task: its turns, the greatest die that succeeds, the turns of another try [ENG-1]."""

    task: str
    turns: Count
    succeeds_to: Die
    retry_turns: Count | None = None
    vehicle_adjacent: bool


class Drift(Row, frozen=True):
    """The direction in which a die moves a drop zone [ABN-2]."""

    die: Die
    direction: Literal["north", "south", "east", "west", "none"]


class Named(Row, frozen=True):
    """A single number of the text."""

    name: str
    value: str


class Charts:
    """All charts of a game: the package's own, or a data pack's where it has them. Raises BadInput."""

    def __init__(self, pack: Texts = OWN) -> None:
        folder = Folder(DATA, pack)
        own, self._rows = folder.keyed, folder.read
        self.scales = own(Scale, "scales.csv", lambda row: row.scale)
        self.kinds = own(Kind, "units.csv", lambda row: row.id)
        self._check_kinds()
        self.crt = _crt(own(CrtRow, "crt.csv", lambda row: row.die))
        self.crt_regular = _crt(own(CrtRow, "crt_regular.csv", lambda row: row.die))
        columns = own(OddsColumn, "crt_columns.csv", lambda row: row.column)
        self.ratios = [(fraction(columns[name].ratio, "crt_columns.csv"), name) for name in COLUMNS]
        results = own(Outcome, "results.csv", lambda row: row.result)
        self.results: dict[str, Outcome] = {row.result: row for row in results.values()}
        others = own(Outcome, "results_r1.csv", lambda row: row.result)
        self.results_r1 = self.results | {row.result: row for row in others.values()}
        aa = own(AaRow, "aa.csv", lambda row: row.die)
        self.aa = {
            (die, name): str(getattr(row, f"column_{number}"))
            for die, row in aa.items()
            for number, name in enumerate(AA_COLUMNS)
        }
        levels = own(Level, "morale.csv", lambda row: row.level)
        self.morale = {name: row.passes_to for row in levels.values() for name in (row.level, row.also) if name}
        bands = own(Band, "wec.csv", lambda row: (row.weapon, row.target, row.of, row.up_to))
        self.bands = _bands(bands.values())
        air = own(AirEffect, "air_wec.csv", lambda row: (row.weapon, row.target))
        self.air_effects: dict[tuple[str, str], AirEffect] = {(row.weapon, row.target): row for row in air.values()}
        self.packages = own(Package, "air_strike_packages.csv", lambda row: (row.package, row.weapon))
        self.manmade = own(Feature, "manmade.csv", lambda row: row.feature)
        limits = own(SightLimit, "los_limit.csv", lambda row: (row.visibility, row.size, row.ground))
        self.los_limit: dict[tuple[str, str, str], SightLimit] = {
            (row.visibility, row.size, row.ground): row for row in limits.values()
        }
        self.terrain = own(Terrain, "terrain_effects.csv", lambda row: row.terrain)
        obstacles = own(Obstacle, "obstacles_elevations.csv", lambda row: (row.firer, row.target, row.obstacle))
        self.obstacles = {key: row.blocks for key, row in obstacles.items()}
        self.elevations = own(Elevation, "elevations.csv", lambda row: row.level)
        self.heights = own(Height, "obstacle_heights.csv", lambda row: row.obstacles)
        self.templates = own(Template, "templates.csv", lambda row: row.name)
        self.modifiers = own(Modifier, "attack_drms.csv", lambda row: row.name)
        self.tasks = own(Task, "engineer_tasks.csv", lambda row: row.task)
        self.drift = own(Drift, "airborne_drift.csv", lambda row: row.die)
        values = own(Named, "named_values.csv", lambda row: row.name)
        self.named = {name: fraction(row.value, "named_values.csv") for name, row in values.items()}

    def template(self, weapon: str, calibre_mm: int) -> Template:
        """The template of a mortar or of artillery of this bore [IF-9]."""
        return next(
            row
            for row in self.templates.values()
            if row.weapon == weapon
            and row.above_mm < calibre_mm
            and (row.up_to_mm is None or calibre_mm <= row.up_to_mm)
        )

    def cited(self) -> set[str]:
        """The rules that the rows rest on."""
        return {row.rule for row in self._rows}

    def _check_kinds(self) -> None:
        for kind in self.kinds.values():
            if kind.scale not in self.scales:
                raise BadInput(f"{kind.id} has scale {kind.scale!r}", "units.csv", ", ".join(self.scales))


def _crt(table: dict[int, CrtRow]) -> dict[tuple[int, str], str]:
    """The cells of the Combat Results Table by die and column."""
    return {
        (die, name): str(getattr(row, f"column_{number}"))
        for die, row in table.items()
        for number, name in enumerate(COLUMNS)
    }


def _bands(table: Iterable[Band]) -> dict[tuple[str, str], tuple[Band, ...]]:
    """The bands of each weapon and target, as printed: the nearest first."""
    bands: dict[tuple[str, str], tuple[Band, ...]] = {}
    for band in table:
        bands[band.weapon, band.target] = (*bands.get((band.weapon, band.target), ()), band)
    return bands


load_charts = loader(Charts)
"""The charts with a data pack's tables in place of Opfire's own, read once for each pack."""
