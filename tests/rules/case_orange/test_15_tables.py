"""Charts and tables [15.0], held against the printed page."""

from __future__ import annotations

from fractions import Fraction

import pytest

from edits import edited
from opfire.rulesets.case_orange.assault import AddAssaulter, Assault
from opfire.rulesets.case_orange.charts import COLUMNS, load_charts
from opfire.rulesets.case_orange.direct import Attack
from opfire.rulesets.case_orange.indirect import DeclareFire
from opfire.rulesets.case_orange.movement import Move
from opfire.rulesets.case_orange.overrun import Overrun
from rules.case_orange.drawing import (
    CLEAR,
    allowed,
    amount,
    draw,
    german,
    marker,
    preview,
    refused,
    rule,
    soviet,
)

# --- 15.1 combat results ------------------------------------------------------------------------------------

PRINTED = """
die   1:4   1:3   1:2   1:1   2:1   3:1   4:1
-2    DD    DD    X     X     X     X     X
-1    D     DD    X     X     X     X     X
0     D     D     DD    DD    X     X     X
1     -     D     D     DD    X     X     X
2     -     -     D     D     DD    X     X
3     -     -     -     D     DD    X     X
4     (D)   -     -     -     D     DD    X
5     (DD)  (D)   -     -     D     DD    X
6     (X)   (DD)  (D)   -     -     ?     ?
7     (X)   (X)   (DD)  (D)   -     ?     ?
"""
"""The table of 15.1; in brackets what falls on assaulters [11.4]. Four cells cannot be read for certain."""

UNCERTAIN = {(6, "3:1"): {"none", "D"}, (6, "4:1"): {"X", "DD"}, (7, "3:1"): {"none", "D"}, (7, "4:1"): {"D", "DD"}}


def printed() -> list[tuple[int, str, str]]:
    """Die, column and result of every cell."""
    heading, *rows = (line.split() for line in PRINTED.strip().splitlines())
    return [(int(row[0]), column, cell) for row in rows for column, cell in zip(heading[1:], row[1:], strict=True)]


def meant(cell: str) -> str:
    if cell.startswith("("):
        return f"own {cell[1:-1]}"
    return "none" if cell == "-" else cell


CERTAIN = [cell for cell in printed() if cell[2] != "?"]


@rule("15.1")
def test_15_1_there_are_66_cells_that_can_be_read_and_four_that_cannot() -> None:
    assert len(CERTAIN) == 66
    assert {(die, column) for die, column, cell in printed() if cell == "?"} == set(UNCERTAIN)
    assert len(load_charts().crt) == 70


@rule("15.1", "15.1.1")
@pytest.mark.parametrize(("die", "column", "cell"), CERTAIN)
def test_15_1_every_cell_as_printed(die: int, column: str, cell: str) -> None:
    assert load_charts().result(die, COLUMNS.index(column)) == meant(cell)


@rule("15.1")
@pytest.mark.parametrize(("at", "candidates"), UNCERTAIN.items())
def test_15_1_doubtful_cells_hold_one_of_what_may_be_meant(at: tuple[int, str], candidates: set[str]) -> None:
    assert load_charts().result(at[0], COLUMNS.index(at[1])) in candidates


@rule("15.1")
@pytest.mark.parametrize("column", COLUMNS)
def test_15_1_rows_beyond_the_table_are_its_first_and_last(column: str) -> None:
    at = COLUMNS.index(column)
    assert load_charts().result(-5, at) == load_charts().result(-2, at)
    assert load_charts().result(10, at) == load_charts().result(7, at)


@rule("15.1.1")
def test_15_1_1_four_to_one_is_the_last_column() -> None:
    assert COLUMNS == ("1:4", "1:3", "1:2", "1:1", "2:1", "3:1", "4:1")
    game = draw(a=german("stug-iii-b", "C1", attack=70, range=4), x=soviet("rifle-43-soviet", "C4", defence=10))
    assert preview(game, Attack("a", "x")).column == "4:1"


# --- 15.2 town doubling, cliffs -----------------------------------------------------------------------------

TOWN = ". . . .\n. . t .\n. . . ."


@rule("15.2-T")
@pytest.mark.parametrize(
    ("kind", "factor"),
    [("rifle-43-soviet", 14), ("at-76", 14), ("cp-soviet", 14), ("t-34-76", 7), ("truck-soviet", 7)],
)
def test_15_2_T_a_town_doubles_the_defence_of_everything_but_vehicles(kind: str, factor: int) -> None:
    target = soviet(kind, "C2", attack=0, defence=7)
    game = draw(TOWN, a=german("pz-iv-h", "C1", attack=60, range=1), x=target)
    assert [line.amount for line in preview(game, Attack("a", "x")).lines if line.kind == "defence"] == [factor]
    foot = draw(TOWN, a=german("pz-iv-h", "C1", attack=60), x=soviet("rifle-43-soviet", "C2", defence=7))
    assert amount(preview(foot, Attack("a", "x")), "15.2-T") == 14


@rule("15.2-T")
def test_15_2_T_against_assault_and_indirect_fire_as_well() -> None:
    foot = soviet("rifle-43-soviet", "C2", defence=7)
    storm = draw(TOWN, step="assault", a=german("rifle-42-german", "C1", attack=30), x=foot)
    assert amount(preview(storm, Assault("a", "C2")), "15.2-T") == 14
    shells = draw(
        TOWN,
        step="indirect",
        a=german("mortar-81-german", "C3", attack=30, registered="C2"),
        eyes=german("cp-german", "C1"),
        x=foot,
    )
    assert amount(preview(shells, DeclareFire("a", "C2", "registered")), "15.2-T") == 14


@rule("15.2-T")
@pytest.mark.parametrize("token", ["v", "w", "."])
def test_15_2_T_no_other_terrain_does(token: str) -> None:
    board = edited(TOWN, "t", token)
    game = draw(board, a=german("rifle-42-german", "C1", attack=30), x=soviet("rifle-43-soviet", "C2", defence=7))
    assert amount(preview(game, Attack("a", "x")), "15.2-T") is None
    town = draw(TOWN, a=german("rifle-42-german", "C1", attack=30), x=soviet("rifle-43-soviet", "C2", defence=7))
    assert amount(preview(town, Attack("a", "x")), "15.2-T") == 14


@rule("15.2-C", "5.1.3")
@pytest.mark.parametrize(
    ("kind", "step"), [("pz-iv-h", "vehicle"), ("truck-german", "vehicle"), ("rifle-42-german", "non-vehicle")]
)
def test_15_2_C_nobody_crosses_a_cliff(kind: str, step: str) -> None:
    """Not even by road, nor with the one hex that factor 1 always has."""
    for fields in ({"cliffs": ["C2/C3"]}, {"cliffs": ["C2/C3"], "roads": ["C1 C2 C3"]}):
        game = draw(CLEAR, fields=fields, step=step, a=german(kind, "C2"))
        assert refused(game, Move("a", "C3")) == "15.2-C"
        assert allowed(game, Move("a", "C1"))


# --- 15.3 column shifts -------------------------------------------------------------------------------------


@rule("15.3")
def test_15_3_shifts_of_tactics() -> None:
    assert {name: row.shift for name, row in load_charts().shifts.items()} == {
        "improved position": -1,
        "overrun": 1,
        "engineer": 1,
        "further hex": 1,
    }


LEVELS = {".": 0, "s": 1, "h": 2}
FAR = {(0, 2): -1, (2, 0): 1}
"""Beyond half range two levels count as one, and one level not at all."""


@rule("15.3", "15.5")
@pytest.mark.parametrize("firer", LEVELS)
@pytest.mark.parametrize("target", LEVELS)
def test_15_3_beyond_half_range(firer: str, target: str) -> None:
    board = "\n".join(f". . {token} . ." for token in (firer, *([firer] * 3), target))
    game = draw(
        board,
        a=german("stug-iii-b", "C1", attack=10, range=7),
        x=soviet("rifle-43-soviet", "C5", attack=0, defence=10),
    )
    shift = FAR.get((LEVELS[firer], LEVELS[target]))
    calculation = preview(game, Attack("a", "x"))
    assert amount(calculation, "15.3", "shift") == shift
    assert amount(calculation, "9.2.1") is None  # that rule ends at half range: RULINGS.md R3


# --- 15.4 weapon effectiveness ------------------------------------------------------------------------------

CHART = """
class  armour-near  armour-far  hard  other
I      0            0           0     1
A      2            1           1/2   1/2
H      1            1/2         1     1
(H)    1/2          1/2         1/2   1
M      1/2          1/2         1/2   1
"""


def chart() -> list[tuple[str, str, int, Fraction]]:
    """Class, category, 0 for half range and 1 for beyond, factor."""
    rows = [line.split() for line in CHART.strip().splitlines()[1:]]
    cells = (("armour", 0), ("armour", 1), ("hard", 0), ("hard", 1), ("other", 0), ("other", 1))
    return [
        (row[0], category, band, Fraction(row[{"armour": 1 + band, "hard": 3, "other": 4}[category]]))
        for row in rows
        for category, band in cells
    ]


@rule("15.4")
@pytest.mark.parametrize(("weapon", "category", "band", "factor"), chart())
def test_15_4_the_chart_as_printed(weapon: str, category: str, band: int, factor: Fraction) -> None:
    assert load_charts().effectiveness[weapon, category][band] == factor


TARGETS = {"armour": "t-34-76", "carrier": "half-track-soviet", "truck": "truck-soviet", "other": "rifle-43-soviet"}


@rule("15.4.1")
@pytest.mark.parametrize(
    ("weapon", "target", "hexes", "adjusted"),
    [
        ("A", "armour", 3, 18),
        ("A", "armour", 4, 9),
        ("A", "carrier", 3, 18),
        ("A", "truck", 3, 4),
        ("A", "other", 4, 4),
        ("H", "armour", 3, 9),
        ("H", "armour", 4, 4),
        ("H", "carrier", 4, 4),
        ("H", "other", 4, 9),
        ("H", "truck", 4, 9),
        ("I", "other", 4, 9),
        ("I", "truck", 4, 9),
    ],
)
def test_15_4_1_the_adjusted_factor_of_nine_at_range_six(weapon: str, target: str, hexes: int, adjusted: int) -> None:
    """Half of nine is four; half of range six is three."""
    game = draw(
        a=german("stug-iii-b", "C1", attack=9, range=6, weapon=weapon),
        x=soviet(TARGETS[target], f"C{1 + hexes}", attack=0, defence=3),
    )
    assert amount(preview(game, Attack("a", "x")), "2.0-G04", "attack") == adjusted


@rule("15.4.1", "15.4")
@pytest.mark.parametrize("target", ["armour", "carrier"])
def test_15_4_1_class_i_has_nil_against_armour(target: str) -> None:
    game = draw(
        a=german("rifle-42-german", "C1", attack=90),
        x=soviet(TARGETS[target], "C2"),
        y=soviet("rifle-43-soviet", "B1", defence=90),
    )
    assert refused(game, Attack("a", "x")) == "15.4"
    assert amount(preview(game, Attack("a", "y")), "2.0-G04", "attack") == 90


@rule("15.4.2")
@pytest.mark.parametrize("kind", ["mortar-120-german", "how-105-german"])
@pytest.mark.parametrize(("target", "adjusted"), [("armour", 4), ("carrier", 4), ("truck", 9), ("other", 9)])
def test_15_4_2_indirect_fire_is_adjusted_for_each_target(kind: str, target: str, adjusted: int) -> None:
    board = "\n".join([". . . . ."] * 2 + [". . w . ."] + [". . . . ."] * 4)
    game = draw(
        board,
        step="indirect",
        a=german(kind, "C1", attack=9, registered="C5"),
        eyes=german("cp-german", "C7"),
        x=soviet(TARGETS[target], "C5", attack=0, defence=3),
    )
    calculation = preview(game, DeclareFire("a", "C5", "registered"))
    assert amount(calculation, "9.6.2", "attack") == adjusted
    assert (amount(calculation, "15.4.2") is not None) == (adjusted == 4)


@rule("15.4.2")
def test_15_4_2_the_rows_as_printed() -> None:
    board = "\n".join([". . . . ."] * 2 + [". . w . ."] + [". . . . ."] * 4)
    game = draw(
        board,
        step="indirect",
        markers=[marker("fort", "C5", value="5/5")],
        a=german("mortar-120-german", "C1", attack=11, registered="C5"),
        eyes=german("cp-german", "C7"),
        x=soviet("rifle-43-soviet", "C5", below="fort"),
    )
    calculation = preview(game, DeclareFire("a", "C5", "registered"))
    assert amount(calculation, "15.4.2", "factor") == 0
    assert (amount(calculation, "9.6.2", "attack"), calculation.column) == (5, "1:1")


# --- 15.5 elevation and lines of sight ----------------------------------------------------------------------


def over(firer: str, target: str, spur: str = "", between: str = "", row: int = 3) -> str | None:
    """The rule that forbids fire from C1 to C6 over a slope side, or over a hex C{row} of that ground."""
    tokens = [firer, ".", ".", ".", ".", target]
    if between:
        tokens[row - 1] = between
    board = "\n".join(f". . {token} . ." for token in tokens)
    game = draw(
        board,
        fields={"spurs": [spur]} if spur else {},
        a=german("stug-iii-b", "C1", attack=40, range=8),
        x=soviet("rifle-43-soviet", "C6", attack=0, defence=10),
    )
    refusal = game.why_not("german", Attack("a", "x"))
    return refusal.rule if refusal else None


@rule("15.5.1", "8.2")
@pytest.mark.parametrize(
    ("spur", "low"),
    [("C1/C2", None), ("C2/C3", "8.2"), ("C3/C4", "8.2"), ("C4/C5", "8.2"), ("C5/C6", None)],
)
def test_15_5_1_a_slope_side_between_two_at_ground_level(spur: str, low: str | None) -> None:
    """Sides next to either end do not block (8.2.1.1)."""
    assert over(".", ".", spur) == low
    assert over(".", "s", "C3/C4") == "15.5.1"


@rule("15.5.1")
@pytest.mark.parametrize(
    ("spur", "answer"),
    [("C1/C2", None), ("C2/C3", "15.5.1"), ("C3/C4", "15.5.1"), ("C4/C5", None), ("C5/C6", None)],
)
def test_15_5_1_looking_up_to_a_hilltop_slopes_block_up_to_the_midpoint(spur: str, answer: str | None) -> None:
    """Five hexes: the side C3/C4 lies at two and a half, exactly the midpoint."""
    assert over(".", "h", spur) == answer
    assert over(".", "h", "C3/C4") == "15.5.1"


@rule("15.5.1")
@pytest.mark.parametrize(
    ("spur", "answer"),
    [("C1/C2", None), ("C2/C3", None), ("C3/C4", "15.5.1"), ("C4/C5", "15.5.1"), ("C5/C6", None)],
)
def test_15_5_1_looking_down_from_one_from_the_midpoint_on(spur: str, answer: str | None) -> None:
    assert over("h", ".", spur) == answer
    assert over("h", ".", "C3/C4") == "15.5.1"


@rule("15.5.1")
@pytest.mark.parametrize(("firer", "target"), [("s", "h"), ("h", "s"), ("h", "h")])
def test_15_5_1_slopes_between_higher_levels_do_not_block(firer: str, target: str) -> None:
    assert over(firer, target, "C3/C4") is None
    assert over("s", "s", "C3/C4") == "15.5.1"


@rule("15.5.1")
@pytest.mark.parametrize(
    ("firer", "target", "answer"),
    [
        (".", ".", "8.2"),
        (".", "s", "15.5.1"),
        ("s", ".", "15.5.1"),
        ("s", "s", "15.5.1"),
        (".", "h", "15.5.1"),
        ("h", ".", "15.5.1"),
        ("s", "h", "15.5.1"),
        ("h", "s", "15.5.1"),
        ("h", "h", None),
    ],
)
def test_15_5_1_an_intervening_hilltop(firer: str, target: str, answer: str | None) -> None:
    assert over(firer, target, between="h") == answer
    assert over(".", "h", between="h") == "15.5.1"


# --- 15.6 die modifiers -------------------------------------------------------------------------------------


@rule("15.6")
def test_15_6_the_rows_that_survive() -> None:
    rows = load_charts().modifiers
    assert rows["overrun"].overrun == rows["assault"].assault == -2
    for kind in ("direct", "indirect", "assault", "overrun"):
        assert getattr(rows["dispersed"], kind) == -1
    for terrain in ("broken", "woods", "town", "village", "swamp"):
        assert rows[terrain].direct == rows[terrain].assault == 1
    assert rows["tank support"].direct == rows["hull down"].direct == 1


@rule("15.6")
def test_15_6_a_swamp_counts_like_woods() -> None:
    board = ". . . .\n. . m .\n. . . ."
    foot = soviet("rifle-43-soviet", "C2", defence=10)
    game = draw(board, a=german("rifle-42-german", "C1", attack=10), x=foot)
    assert amount(preview(game, Attack("a", "x")), "15.6", "modifier") == 1
    storm = draw(board, step="assault", a=german("rifle-42-german", "C1", attack=10), x=foot)
    assert amount(preview(storm, Assault("a", "C2")), "15.6", "modifier") == 1
    shells = draw(
        board,
        step="indirect",
        a=german("mortar-81-german", "C3", attack=10, registered="C2"),
        eyes=german("cp-german", "C1"),
        x=foot,
    )
    assert amount(preview(shells, DeclareFire("a", "C2", "registered")), "15.6") is None


@rule("15.6", "2.0-G07")
def test_15_6_a_dispersed_target_is_one_off_the_die_for_every_kind_of_attack() -> None:
    lame = soviet("rifle-43-soviet", "C2", attack=0, defence=10, dispersed="D", face_up=False)
    direct = draw(a=german("stug-iii-b", "C1", attack=10), x=lame)
    assert amount(preview(direct, Attack("a", "x")), "2.0-G07") == -1
    storm = draw(step="assault", a=german("rifle-42-german", "C1", attack=10), x=lame)
    assert amount(preview(storm, Assault("a", "C2")), "2.0-G07") == -1
    ride = draw(step="vehicle", a=german("pz-iv-h", "C1", attack=10), x={**lame, "at": "1-C3"})
    assert amount(preview(ride, Overrun("a", "C3")), "2.0-G07") == -1


@rule("15.6", "2.0-G07")
def test_15_6_of_several_targets_all_must_be_dispersed() -> None:
    """The book is silent; GAPS 21."""
    lame = soviet("rifle-43-soviet", "C2", attack=0, defence=4, points=1, dispersed="D", face_up=False)
    fit = soviet("at-45", "C2", attack=0, defence=4, points=1)
    game = draw(
        step="assault", a=german("rifle-42-german", "C1", attack=9), b=german("rifle-42-german", "D1"), x=lame, y=fit
    )
    assert amount(preview(game, Assault("a", "C2")), "2.0-G07") is None
    both = draw(
        step="assault",
        a=german("rifle-42-german", "C1", attack=9),
        b=german("rifle-42-german", "D1"),
        x=lame,
        y={**fit, "dispersed": "DD", "face_up": False},
    )
    assert amount(preview(both, Assault("a", "C2")), "2.0-G07") == -1
    assert allowed(both, Assault("b", "C2"))
    assert AddAssaulter("b") not in both.choices("german")
