"""Charts and tables: row types, loading, look-ups; decides no rule.

None of the play charts is in the rulebook's text: each row of a CSV in `data/` says whether it is in the text or our
own calibration (`SOURCES.md`), and a player's data pack may replace any of them.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta

from opfire.core.errors import BadInput
from opfire.core.rows import OWN, Folder, Row, Texts, loader

DATA = Path(__file__).parent / "data"
CALIBRES = DATA.parent / "drawing" / "calibres.csv"
"""The calibres of guns, for the film alone."""

MovementClass = Literal["foot", "mechanized", "motorized", "towed", "rail", "river", "none"]
Attack = Literal["direct", "bombardment", "assault", "at"]
Count = Annotated[int, Meta(ge=0, le=99)]
Change = Annotated[int, Meta(ge=-9, le=9)]

INFANTRY = ("infantry", "hmg", "engineer", "cavalry", "motorcycle", "at-rifle")
GUNS = ("at-gun", "artillery", "aa-gun")
CARRIERS = ("truck", "wagon", "sledge")
RESULTS = {
    "none": "no effect",
    "M": "morale check",
    "M1": "morale check at +1",
    "M2": "morale check at +2",
    "X": "one step lost",
    "2X": "two steps lost",
    "3X": "three steps lost",
    "1": "one step lost",
    "2": "two steps lost",
    "3": "three steps lost",
    "holds": "holds",
    "good order": "good order",
    "disrupted": "disrupted",
    "demoralized": "demoralized",
    "lost": "lost",
    "no change": "no change",
    "loses a step": "loses a step",
    "flees": "flees",
    "deserts": "deserts",
    "falls": "falls",
    "unhurt": "unhurt",
    "gets away": "gets away",
    "crosses": "crosses",
    "stays": "stays",
    "the turn ends": "the turn ends",
    "the turn goes on": "the turn goes on",
}
"""The results of the combat tables [7.6, 14.1] and of checks in words; a check's result is its own word."""


class Kind(Row, frozen=True, dict=True):
    """The values that a counter prints: fire values (strength and range in hexes), armor, movement points, steps.

    `armor` is None for an unarmored unit, `reduced_*` are on the back of a two-step unit, `limbered` is the movement
    allowance of a weapon's limbered side: `T` must be towed, empty without such a side [5.62].
    """

    id: str
    name: str
    nation: str
    type: Literal[
        "infantry",
        "hmg",
        "engineer",
        "cavalry",
        "motorcycle",
        "at-rifle",
        "mortar",
        "at-gun",
        "artillery",
        "aa-gun",
        "tank",
        "self-propelled",
        "apc",
        "armored-car",
        "truck",
        "wagon",
        "sledge",
        "train",
        "vessel",
        "strongpoint",
    ]
    movement_class: MovementClass
    steps: Annotated[int, Meta(ge=1, le=2)]
    movement: Count = 0
    direct: Count = 0
    direct_range: Count = 0
    bombard: Count = 0
    bombard_range: Count = 0
    at: Annotated[int, Meta(ge=-1, le=20)] | None = None
    at_range: Count = 0
    armor: Annotated[int, Meta(ge=0, le=20)] | None = None
    reduced_direct: Count = 0
    reduced_bombard: Count = 0
    reduced_at: Annotated[int, Meta(ge=-2, le=20)] | None = None
    reduced_movement: Count = 0
    limbered: Literal["", "T", "1", "2", "3", "4"] = ""
    open_top: bool = False
    note: str = ""

    @cached_property
    def afv(self) -> bool:
        """An armored fighting vehicle: it prints an armor value, even 0 [G.afv]."""
        return self.armor is not None

    @cached_property
    def apc(self) -> bool:
        """An armored personnel carrier [G.apc]."""
        return self.type == "apc"

    @cached_property
    def transport(self) -> bool:
        """A carrier of other units: trucks, wagons, sledges and APCs [G.transport]."""
        return self.type in CARRIERS or self.type == "apc"

    @cached_property
    def unarmed(self) -> bool:
        """A carrier without any fire value: not a combat unit [G.combat-unit]."""
        return self.type in CARRIERS

    @cached_property
    def combat(self) -> bool:
        """Whether it prints any fire value [G.combat-unit]."""
        return bool(self.direct or self.bombard or self.at is not None)

    @cached_property
    def vehicle(self) -> bool:
        """A target of anti-tank fire: AFVs and trucks [11.0]."""
        return self.afv or self.type == "truck"

    @cached_property
    def weapon(self) -> bool:
        """A towed gun: anti-tank, artillery or anti-aircraft, without armor [G.weapon]."""
        return self.type in GUNS and not self.afv

    @cached_property
    def personnel(self) -> bool:
        """Neither vehicle nor weapon nor carrier: infantry, cavalry, motorcycles, mortars, ATRs [G.personnel]."""
        return self.type in INFANTRY or self.type == "mortar"

    @cached_property
    def closed_top(self) -> bool:
        """An AFV that is neither open-topped nor an APC [G.closed-top]."""
        return self.afv and not self.open_top and not self.apc

    @cached_property
    def infantry(self) -> bool:
        """An infantry-type unit other than an HMG; such a unit must go along with assaulting HMGs [12.7]."""
        return self.type in INFANTRY and self.type != "hmg"


class Piece(Row, frozen=True):
    """One side of a leader piece, drawn at random [6.1]. Two rows share a `piece`: its two sides."""

    id: str
    piece: str
    nation: str
    name: str
    rank: str
    morale: Annotated[int, Meta(ge=2, le=12)]
    combat: Count = 0
    bonus: Count = 0


class Aircraft(Row, frozen=True):
    """One side of an aircraft piece [15.11]: direct fire value and anti-tank factors; two rows share a piece."""

    id: str
    piece: str
    nation: str
    name: str
    direct: Count
    at: Count = 0


class Cell(Row, frozen=True):
    """One cell of a fire table: the result of a dice total in a column. Empty means no effect."""

    roll: Annotated[int, Meta(ge=1, le=12)]
    column: Count
    result: Literal["none", "M", "M1", "M2", "X", "2X", "3X", "1", "2", "3"]


class AntiTank(Row, frozen=True):
    """The effect of a modified total of anti-tank fire [11.1]: steps lost from `least` on."""

    least: Annotated[int, Meta(ge=-20, le=40)]
    steps: Count


class FriendlyFire(Row, frozen=True):
    """The bombardment column that a stray attack is resolved on [9.53]."""

    die: Annotated[int, Meta(ge=1, le=6)]
    column: Count


class Modifier(Row, frozen=True):
    """A column shift or a change to the roll: its table and its condition."""

    table: Attack
    condition: str
    value: Change
    scope: Literal["attack", "hex", "unit", "side", "cap"]


class Terrain(Row, frozen=True):
    """A kind of terrain: its cost, its effect on sight, its height.

    Costs are in half movement points; none where the class may not enter. `sight` is `limiting` for terrain that hides
    its occupants and blocks the line, `near` for terrain that only hides them, seen from the next hex [8.2].
    """

    terrain: str
    foot: Count | None = None
    mechanized: Count | None = None
    motorized: Count | None = None
    sight: Literal["open", "limiting", "near"] = "open"
    height: Count = 0
    dig_in: bool = False


class BoardTerrain(Row, frozen=True):
    """This rulebook's name for the ground of a board's token."""

    token: str
    terrain: str


class StateAfter(Row, frozen=True):
    """The effect of a failed morale check on a unit [14.1]: by its state and the margin."""

    state: Literal["good order", "disrupted", "demoralized"]
    least: Count
    most: Count
    after: Literal["good order", "disrupted", "demoralized", "lost"]


class CheckModifier(Row, frozen=True):
    """The number that a result adds to the dice of a morale check [14.1]."""

    result: Literal["M", "M1", "M2"]
    value: Change


class Mine(Row, frozen=True):
    """The effect of one die on a unit that enters a minefield [16.71]."""

    die: Annotated[int, Meta(ge=1, le=6)]
    steps: Count
    demoralized: bool
    stop: bool


class MineMarker(Row, frozen=True):
    """The number of minefield markers of a strength in the cup; 0 is a dummy [16.7]."""

    strength: Annotated[int, Meta(ge=0, le=3)]
    count: Count


class Rank(Row, frozen=True):
    """A leader's rank, by seniority [G.rank]."""

    rank: str
    title: str
    order: Count


class Force(Row, frozen=True):
    """The values that a nation's units share, unless the scenario says otherwise.

    Morale at full and reduced strength [14.1]; the first year of Armor Efficiency [11.2] and of automatic tank leaders
    [6.8], 0 for never; the modifier to the friendly fire die [9.52].
    """

    force: str
    nation: str
    morale: Annotated[int, Meta(ge=2, le=12)]
    reduced: Annotated[int, Meta(ge=2, le=12)]
    efficiency: int = 0
    tank_leaders: int = 0
    friendly_fire: Change = 0


class RandomEvent(Row, frozen=True):
    """The effect of the two dice of a random event, and its side [17.5]; `whose` goes by the initiative of the turn."""

    total: Annotated[int, Meta(ge=2, le=12)]
    event: Literal["none", "initiative", "rally", "silence", "aircraft"]
    whose: Literal["winner", "loser", "both"]
    text: str


class Figure(Row, frozen=True):
    """A number of the rulebook that is in no chart: ranges, limits, allowances, by name."""

    name: str
    value: int


class Charts:
    """All charts of a game: the package's own, or a data pack's where it has them. Raises BadInput."""

    def __init__(self, pack: Texts = OWN) -> None:
        own = Folder(DATA, pack).keyed
        self.kinds = own(Kind, "units.csv", lambda row: row.id)
        self.pieces = own(Piece, "leaders.csv", lambda row: row.id)
        self.aircraft = own(Aircraft, "aircraft.csv", lambda row: row.id)
        self.direct = Chart(own(Cell, "direct.csv", lambda row: (row.roll, row.column)), "direct.csv", 2)
        self.bombardment = Chart(own(Cell, "bombardment.csv", lambda row: (row.roll, row.column)), "bombardment.csv", 2)
        self.assault = Chart(own(Cell, "assault.csv", lambda row: (row.roll, row.column)), "assault.csv", 1)
        self.anti_tank = sorted(own(AntiTank, "anti_tank.csv", lambda row: row.least).values(), key=lambda r: r.least)
        self.friendly_fire = own(FriendlyFire, "friendly_fire.csv", lambda row: row.die)
        self.modifiers = own(Modifier, "modifiers.csv", lambda row: (row.table, row.condition))
        self.terrain = own(Terrain, "terrain.csv", lambda row: row.terrain)
        self.board_terrain = own(BoardTerrain, "board_terrain.csv", lambda row: row.token)
        self.morale = own(StateAfter, "morale.csv", lambda row: (row.state, row.least))
        self.checks = own(CheckModifier, "morale_checks.csv", lambda row: row.result)
        self.mines = own(Mine, "mines.csv", lambda row: row.die)
        self.mine_markers = own(MineMarker, "mine_markers.csv", lambda row: row.strength)
        self.ranks = own(Rank, "ranks.csv", lambda row: row.rank)
        self.forces = own(Force, "forces.csv", lambda row: row.force)
        self.random_events = own(RandomEvent, "random_events.csv", lambda row: row.total)
        self._figures = own(Figure, "figures.csv", lambda row: row.name)

    def figure(self, name: str) -> int:
        """A number by its name in figures.csv."""
        return self._figures[name].value

    def steps_lost(self, total: int) -> int:
        """The number of steps that a modified anti-tank total takes [11.1]."""
        return max((row.steps for row in self.anti_tank if total >= row.least), default=0)

    def after_check(self, state: str, missed_by: int) -> str:
        """The state after a check missed by `missed_by`; `lost` is a step, or a leader [14.1, 14.11, 14.12]."""
        for (before, least), row in self.morale.items():
            if before == state and least <= missed_by <= row.most:
                return row.after
        return state


class Chart:
    """A fire table: results by dice total and column. Raises BadInput if cells are missing."""

    def __init__(self, cells: dict[tuple[int, int], Cell], name: str, dice: int) -> None:
        self.dice = dice
        self.columns = tuple(sorted({column for _, column in cells}))
        totals = range(dice, 6 * dice + 1)
        for roll in totals:
            for column in self.columns:
                if (roll, column) not in cells:
                    raise BadInput(f"there is no cell for {roll} in column {column}", name, "one for each")
        self._outcomes = {column: tuple(cells[total, column].result for total in totals) for column in self.columns}

    def column(self, strength: int, shift: int = 0) -> int:
        """The largest heading not above the strength, shifted [G.modifiers]; never below the lowest [7.51]."""
        at = max(0, bisect_right(self.columns, strength) - 1)
        return self.columns[max(0, min(len(self.columns) - 1, at + shift))]

    def outcomes(self, column: int) -> tuple[str, ...]:
        """The results of a column for every total, the lowest first."""
        return self._outcomes[column]


load_charts = loader(Charts)
"""The charts with a data pack's tables in place of Opfire's own, read once for each pack."""
