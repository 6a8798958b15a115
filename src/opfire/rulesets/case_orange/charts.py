"""Charts and tables [15]: row types, loading, look-ups; decides no rule.

Every table is a CSV in `data/`, laid out like the printed one; a player's data pack may replace any of them.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta
from msgspec.structs import replace

from opfire.core.errors import BadInput
from opfire.core.rows import OWN, Folder, Row, Texts, fraction, keyed, loader

DATA = Path(__file__).parent / "data"

Column = Literal["1:4", "1:3", "1:2", "1:1", "2:1", "3:1", "4:1"]
Level = Literal["ground", "slope", "hilltop"]
WeaponClass = Literal["A", "I", "H", "(H)", "M", "C", "C(I)"]
Observes = Literal["none", "light", "all"]
Count = Annotated[int, Meta(ge=0, le=99)]
Change = Annotated[int, Meta(ge=-9, le=9)]

COLUMNS: tuple[Column, ...] = ("1:4", "1:3", "1:2", "1:1", "2:1", "3:1", "4:1")
LEVELS: tuple[Level, ...] = ("ground", "slope", "hilltop")
LOWEST_ROW, HIGHEST_ROW = -2, 7
RESULTS = {
    "X": "eliminated",
    "DD": "doubly dispersed",
    "D": "dispersed",
    "none": "no effect",
    "own X": "the assaulters eliminated",
    "own DD": "the assaulters doubly dispersed",
    "own D": "the assaulters dispersed",
}
"""The results of the Combat Results Table in words [9.9, 9.10.1]."""


class Kind(Row, frozen=True):
    """The values that a counter prints [3.4]: factors, range in hexes, movement factors, size and type.

    `observes` names the indirect fire that the unit directs where the scenario says nothing [12.2.1]: that of class M
    below 120 mm (`light`), or of all units.
    """

    id: str
    name: str
    nation: str
    type: Literal[
        "anti-tank gun",
        "artillery",
        "assault gun",
        "cavalry",
        "command",
        "engineer",
        "howitzer",
        "infantry",
        "mortar",
        "reconnaissance",
        "tank",
        "tank destroyer",
        "transport",
    ]
    attack: Count
    weapon: WeaponClass
    range: Count
    defence: Annotated[int, Meta(ge=1, le=99)]
    movement: Count
    size: Literal["company", "platoon", "section"]
    points: Count
    doubles: bool = False
    vehicle: bool = False
    armoured: bool = False
    carries: Literal["", "riders", "1", "2"] = ""
    calibre_mm: int = 0
    observes: Observes = "none"
    open_top: bool = False
    artillery: bool = False


class Cell(Row, frozen=True):
    """One cell of the combat results table [15.1]; grey ones apply to the assaulters [11.4]."""

    die: Annotated[int, Meta(ge=-2, le=7)]
    column: Column
    result: Literal["none", "D", "DD", "X"]
    applies_to: Literal["defender", "assaulter", "nobody"]


class Cost(Row, frozen=True):
    """Movement cost in half factors [15.2]; none where other terrain in the hex decides."""

    terrain: str
    kind: Literal["hex", "side", "surcharge", "exit"]
    other: Count | None = None
    class_c: Count | None = None
    closed_to: Literal["", "vehicle", "all"] = ""


class RoadNegation(Row, frozen=True):
    """The number of stacking points in the hex that negate its road [5.4.5]."""

    surface: Literal["road", "track"]
    mover: Literal["vehicle", "other"]
    counted: Literal["vehicles", "all"]
    points: Count


class Effect(Row, frozen=True):
    """One row of the weapon effectiveness chart [15.4]."""

    weapon: WeaponClass
    category: Literal["armour", "hard", "other"]
    half_or_less: str
    beyond: str


class Elevation(Row, frozen=True):
    """Column shifts by level of firer and target [15.5]."""

    firer: Level
    target: Level
    half_or_less: Change
    beyond: Change


class Obstacles(Row, frozen=True):
    """The hexsides that obstruct between two levels [15.5]."""

    sighter: Level
    target: Level
    cover_anywhere: Literal["blocks", "clear"]
    cover_at_end: Literal["blocks", "clear"]
    hilltop_between: Literal["blocks", "clear"]
    slope_between: Literal["blocks", "clear"]
    slope_where: Literal["", "anywhere", "near half", "far half"] = ""
    hilltop_at_end: Literal["blocks", "clear"] = "clear"


class GullySight(Row, frozen=True):
    """The distance from which a unit in a gully is seen [8.2.1.2]."""

    level: Level
    hexes: Count


class Modifier(Row, frozen=True):
    """A die roll modifier, by kind of attack [15.6]."""

    name: str
    direct: Change | None = None
    indirect: Change | None = None
    assault: Change | None = None
    overrun: Change | None = None
    opportunity: Change | None = None


class Shift(Row, frozen=True):
    """A combat column shift, and the kinds of attack it holds for [15.3]."""

    name: str
    shift: Change
    attacks: str


class Dispersal(Row, frozen=True):
    """The effect of a result on a unit [9.10]."""

    before: Literal["none", "D", "DD"]
    result: Literal["D", "DD", "X", "recovery"]
    after: Literal["none", "D", "DD", "eliminated"]


class Mines(Row, frozen=True):
    """A mine denomination [13.1.1] and the next lower one."""

    value: str
    column: Column
    lowered: str = ""


class Lifting(Row, frozen=True):
    """The effect of an engineer's roll on a minefield [13.1.5]."""

    roll: Annotated[int, Meta(ge=1, le=6)]
    result: Literal["lowered", "none"]


class Bridge(Row, frozen=True):
    """The number of complete turns for a demolition, and the greatest roll that succeeds [13.2]."""

    kind: str
    turns: Count
    demolished_to: Annotated[int, Meta(ge=0, le=6)]


class Points(Row, frozen=True):
    """Stacking points of a hex: the limit, a block, the default room of a fortification [7.1.2, 5.5.3, 10.4.7].

    Units bring their own in their row; mines and works have none [7.1.3, 13.1.6].
    """

    item: Literal["limit", "block", "fort allowance"]
    points: Count


class Charts:
    """All charts of a game: the package's own, or a data pack's where it has them. Raises BadInput."""

    def __init__(self, pack: Texts = OWN) -> None:
        own = Folder(DATA, pack).keyed
        self.kinds = _observing(own(Kind, "units.csv", lambda row: row.id), pack)
        cells = own(Cell, "crt.csv", lambda row: (row.die, row.column))
        self.crt = {
            (die, COLUMNS.index(column)): f"own {cell.result}" if cell.applies_to == "assaulter" else cell.result
            for (die, column), cell in cells.items()
        }
        costs = own(Cost, "movement.csv", lambda row: (row.kind, row.terrain))
        self.hex_costs = {terrain: cost for (kind, terrain), cost in costs.items() if kind == "hex"}
        self.side_costs = {terrain: cost for (kind, terrain), cost in costs.items() if kind == "side"}
        self.gully_surcharge = costs["surcharge", "gully"]
        self.exit_cost = costs["exit", "road"]
        negations = own(RoadNegation, "road_negation.csv", lambda row: (row.surface, row.mover))
        self.road_negation: dict[tuple[str, str], RoadNegation] = {
            (surface, mover): row for (surface, mover), row in negations.items()
        }
        effects = own(Effect, "effectiveness.csv", lambda row: (row.weapon, row.category))
        self.effectiveness: dict[tuple[str, str], tuple[Fraction, Fraction]] = {
            key: (fraction(row.half_or_less, "effectiveness.csv"), fraction(row.beyond, "effectiveness.csv"))
            for key, row in effects.items()
        }
        elevations = own(Elevation, "elevation_shift.csv", lambda row: (row.firer, row.target))
        self.elevation = {
            (LEVELS.index(firer), LEVELS.index(target)): (row.half_or_less, row.beyond)
            for (firer, target), row in elevations.items()
        }
        self.obstacles = _obstacles("elevation_los.csv", pack)
        self.obstacles_r25 = self.obstacles | _obstacles("elevation_los_r25.csv", pack)
        gullies = own(GullySight, "gully_los.csv", lambda row: row.level)
        self.gully_sight = tuple(gullies[level].hexes for level in LEVELS)
        self.modifiers = own(Modifier, "modifiers.csv", lambda row: row.name)
        self.shifts = own(Shift, "shifts.csv", lambda row: row.name)
        dispersals = own(Dispersal, "dispersal.csv", lambda row: (row.before, row.result))
        self.dispersal: dict[tuple[str, str], str] = {key: row.after for key, row in dispersals.items()}
        self.mines = own(Mines, "mines.csv", lambda row: row.value)
        for mines in self.mines.values():
            if mines.lowered and mines.lowered not in self.mines:
                raise BadInput(f"{mines.value} is lowered to {mines.lowered!r}", "mines.csv", ", ".join(self.mines))
        self.lifting = own(Lifting, "mine_lifting.csv", lambda row: row.roll)
        self.bridges = own(Bridge, "bridges.csv", lambda row: row.kind)
        self.points = {item: row.points for item, row in own(Points, "stacking.csv", lambda row: row.item).items()}

    def result(self, row: int, column: int) -> str:
        """The cell of the combat results table; rows and columns beyond its edges stay on them [15.1]."""
        row = max(LOWEST_ROW, min(HIGHEST_ROW, row))
        return self.crt[row, max(0, min(len(COLUMNS) - 1, column))]


def _observing(kinds: dict[str, Kind], pack: Texts) -> dict[str, Kind]:
    """The kinds, with the observers of Opfire's own table if the pack's table was made before it named any."""
    heading = pack.get("units.csv", "observes").partition("\n")[0]
    if "observes" in heading:
        return kinds
    own = keyed(Kind, DATA / "units.csv", lambda row: row.id)
    return {id: replace(kind, observes=own[id].observes) if id in own else kind for id, kind in kinds.items()}


def _obstacles(name: str, pack: Texts) -> dict[tuple[int, int], Obstacles]:
    """The rows of a table of obstacles, by the two levels as numbers."""
    rows = keyed(Obstacles, DATA / name, lambda row: (row.sighter, row.target), pack)
    return {(LEVELS.index(sighter), LEVELS.index(target)): row for (sighter, target), row in rows.items()}


load_charts = loader(Charts)
"""The charts with a data pack's tables in place of Opfire's own, read once for each pack."""
