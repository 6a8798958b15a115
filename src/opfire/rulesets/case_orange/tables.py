"""Charts and tables [15]: row types, loading, look-ups; decides no rule.

Every table is a CSV in `data/`, laid out like the printed one; a player's data pack may replace any of them.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Literal

from opfire.core.tables import Row, rows, table

DATA = Path(__file__).parent / "data"

COLUMNS = ("1:4", "1:3", "1:2", "1:1", "2:1", "3:1", "4:1")
LOWEST_ROW, HIGHEST_ROW = -2, 7
LEVELS = ("ground", "slope", "hilltop")

WeaponClass = Literal["A", "I", "H", "(H)", "M", "C", "C(I)"]


class Kind(Row, frozen=True):
    """What a counter prints [3.4]: factors, range in hexes, movement factors, size and type."""

    id: str
    name: str
    nation: str
    type: str
    attack: int
    weapon: WeaponClass
    range: int
    defence: int
    movement: int
    size: Literal["company", "platoon", "section"]
    points: int
    doubles: bool = False
    vehicle: bool = False
    armoured: bool = False
    carries: str = ""
    calibre_mm: int = 0
    open_top: bool = False
    artillery: bool = False


class Cell(Row, frozen=True):
    """One cell of the combat results table [15.1]; grey ones apply to the assaulters [11.4]."""

    die: int
    column: str
    result: str
    applies_to: str


class Cost(Row, frozen=True):
    """Movement cost in half factors [15.2]; none where other terrain in the hex decides."""

    terrain: str
    kind: str
    other: int | None = None
    class_c: int | None = None
    closed_to: str = ""


class RoadNegation(Row, frozen=True):
    """How many stacking points in the hex take the road rate away [5.4.5]."""

    surface: str
    mover: str
    counted: str
    points: int


class Effect(Row, frozen=True):
    """One row of the weapon effectiveness chart [15.4]."""

    weapon: str
    category: str
    half_or_less: str
    beyond: str


class Elevation(Row, frozen=True):
    """Column shifts by level of firer and target [15.5]."""

    firer: str
    target: str
    half_or_less: int
    beyond: int


class Obstacles(Row, frozen=True):
    """Which hexsides obstruct between two levels [15.5]."""

    sighter: str
    target: str
    cover_anywhere: str
    cover_at_end: str
    hilltop_between: str
    slope_between: str
    slope_where: str = ""


class GullySight(Row, frozen=True):
    """From how far a unit in a gully is seen [8.2.1.2]."""

    level: str
    hexes: int


class Modifier(Row, frozen=True):
    """A die roll modifier, by kind of attack [15.6]."""

    name: str
    direct: int | None = None
    indirect: int | None = None
    assault: int | None = None
    overrun: int | None = None
    opportunity: int | None = None


class Shift(Row, frozen=True):
    """A combat column shift, and the kinds of attack it holds for [15.3]."""

    name: str
    shift: int
    attacks: str


class Dispersal(Row, frozen=True):
    """What a result makes of a unit [9.10]."""

    before: str
    result: str
    after: str


class Mines(Row, frozen=True):
    """A mine denomination [13.1.1] and what lifting makes of it."""

    value: str
    column: str
    lowered: str = ""


class Lifting(Row, frozen=True):
    """What an engineer's roll does to a minefield [13.1.5]."""

    roll: int
    result: str


class Bridge(Row, frozen=True):
    """How many complete turns a demolition takes, and up to what roll it succeeds [13.2]."""

    kind: str
    turns: int
    demolished_to: int


class Points(Row, frozen=True):
    """Stacking points [7.1]."""

    item: str
    points: int


class Tables:
    """All charts of a game: the package's own, or a data pack's where it has them."""

    def __init__(self, pack: Path | None = None) -> None:
        def file(name: str) -> Path:
            own = DATA / name
            return pack / name if pack is not None and (pack / name).exists() else own

        self.kinds = table(Kind, file("units.csv"), lambda row: row.id)
        cells = table(Cell, file("crt.csv"), lambda row: (row.die, row.column))
        self.crt = {
            (die, COLUMNS.index(column)): f"own {cell.result}" if cell.applies_to == "assaulter" else cell.result
            for (die, column), cell in cells.items()
        }
        costs = table(Cost, file("movement.csv"), lambda row: (row.kind, row.terrain))
        self.hex_costs = {terrain: cost for (kind, terrain), cost in costs.items() if kind == "hex"}
        self.side_costs = {terrain: cost for (kind, terrain), cost in costs.items() if kind == "side"}
        self.gully_surcharge = costs["surcharge", "gully"]
        self.exit_cost = costs["exit", "road"]
        self.road_negation = table(RoadNegation, file("road_negation.csv"), lambda row: (row.surface, row.mover))
        effects = table(Effect, file("effectiveness.csv"), lambda row: (row.weapon, row.category))
        self.effectiveness = {
            key: (Fraction(effect.half_or_less), Fraction(effect.beyond)) for key, effect in effects.items()
        }
        elevations = table(Elevation, file("elevation_shift.csv"), lambda row: (row.firer, row.target))
        self.elevation = {
            (LEVELS.index(firer), LEVELS.index(target)): (row.half_or_less, row.beyond)
            for (firer, target), row in elevations.items()
        }
        obstacles = table(Obstacles, file("elevation_los.csv"), lambda row: (row.sighter, row.target))
        self.obstacles = {
            (LEVELS.index(sighter), LEVELS.index(target)): row for (sighter, target), row in obstacles.items()
        }
        self.gully_sight = tuple(row.hexes for row in rows(GullySight, file("gully_los.csv")))
        self.modifiers = table(Modifier, file("modifiers.csv"), lambda row: row.name)
        self.shifts = table(Shift, file("shifts.csv"), lambda row: row.name)
        dispersals = table(Dispersal, file("dispersal.csv"), lambda row: (row.before, row.result))
        self.dispersal = {key: row.after for key, row in dispersals.items()}
        self.mines = table(Mines, file("mines.csv"), lambda row: row.value)
        self.lifting = table(Lifting, file("mine_lifting.csv"), lambda row: row.roll)
        self.bridges = table(Bridge, file("bridges.csv"), lambda row: row.kind)
        self.points = {row.item: row.points for row in rows(Points, file("stacking.csv"))}

    def result(self, row: int, column: int) -> str:
        """The cell of the combat results table; rows and columns beyond its edges stay on them [15.1]."""
        row = max(LOWEST_ROW, min(HIGHEST_ROW, row))
        return self.crt[row, max(0, min(len(COLUMNS) - 1, column))]


@lru_cache
def tables(pack: Path | None = None) -> Tables:
    """The charts, read once."""
    return Tables(pack)
