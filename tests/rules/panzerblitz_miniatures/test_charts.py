"""The player aid tables, held against the printed page."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest

from opfire.core.errors import BadInput
from opfire.kit.terrain import named
from opfire.rulesets.panzerblitz_miniatures.charts import AA_COLUMNS, COLUMNS, DATA, load_charts
from rules.panzerblitz_miniatures.kit import CHARTS, rule

PRINTED = """
-2   DD    D     X     X     X     X     X     X     X     X
-1   M+2   DD    D     X     X     X     X     X     X     X
0    M+1   M+2   DD    D     X     X     X     X     X     X
1    M     M+1   M+2   D     D     X     X     X     X     X
2    AM    M     M+1   DD    D     D     X     X     X     X
3    AM+1  AM    M     M+2   DD    DD    D     X     X     X
4    AM+2  AM+1  AM    M+1   M+2   M+2   D     D     X     X
5    ADD   AM+2  AM+1  M     M+1   M+1   DD    D     D     X
6    AD    ADD   AM+2  AM    M     M     M+2   DD    D     D
7    AX    AD    ADD   AM+1  AM    DD    M+1   M+2   DD    D
8    AX    AX    AD    AM+2  AM+1  AM    -     M+1   M+2   DD
"""

PRINTED_AA = """
1    D     X     X     X     X     X     X
2    -     D     D     X     X     X     X
3    -     -     D     D     D     X     X
4    -     -     -     D     D     D     X
5    -     -     -     -     D     D     D
6    -     -     -     -     -     D     D
"""


def rows(text: str) -> dict[int, list[str]]:
    """The cells of a printed table by the number at the left."""
    lines = [line.split() for line in text.strip().splitlines()]
    return {int(die): ["none" if cell == "-" else cell for cell in cells] for die, *cells in lines}


@rule("CRT-1")
def test_CRT_1_every_cell_as_printed() -> None:
    assert COLUMNS == ("1-4", "1-3", "1-2", "1-1", "3-2", "2-1", "2.5-1", "3-1", "3.5-1", "4-1")
    for die, cells in rows(PRINTED).items():
        assert [CHARTS.crt[die, column] for column in COLUMNS] == cells


@rule("CRT-1")
def test_CRT_1_the_regular_table_differs_in_six_cells_each_one_row_below_its_left_neighbour() -> None:
    differ = {key for key, cell in CHARTS.crt.items() if CHARTS.crt_regular[key] != cell}
    assert differ == {(die, "2-1") for die in range(3, 8)} | {(8, "2.5-1")}
    for left, right in pairwise(COLUMNS[COLUMNS.index("3-2") :]):
        for die in range(-1, 9):
            assert CHARTS.crt_regular[die, right] == CHARTS.crt_regular[die - 1, left]


@rule("AAT-1")
def test_AAT_1_every_cell_as_printed() -> None:
    assert AA_COLUMNS == ("4-7", "8-11", "12-15", "16-19", "20-25", "26-35", "36+")
    for die, cells in rows(PRINTED_AA).items():
        assert [CHARTS.aa[die, column] for column in AA_COLUMNS] == cells


@rule("MRT-1")
def test_MRT_1_the_greatest_die_that_passes() -> None:
    assert CHARTS.morale == {"high": 5, "normal": 4, "fair": 3, "poor": 2, "good": 4, "low": 3}


@rule("MMF-1")
def test_MMF_1_man_made_features() -> None:
    one, two, fort = (CHARTS.manmade[name] for name in ("improved position 1", "improved position 2", "fort"))
    assert (one.vehicle_defence, one.vehicle_drm, one.other_defence, one.other_drm) == (0, 1, 5, 1)
    assert (two.vehicle_defence, two.vehicle_drm, two.other_defence, two.other_drm) == (0, 2, 10, 2)
    assert (fort.other_defence, fort.other_drm) == (10, 2)


@rule("LLT-1")
def test_LLT_1_good_and_poor_visibility_as_printed() -> None:
    printed = {
        "good": [
            ("light", "cover", 2, 4),
            ("light", "clear", 10, 10),
            ("heavy", "cover", 2, 10),
            ("heavy", "clear", 20, 20),
        ],
        "poor": [
            ("light", "cover", 1, 2),
            ("light", "clear", 5, 5),
            ("heavy", "cover", 1, 5),
            ("heavy", "clear", 10, 10),
        ],
    }
    for visibility, cells in printed.items():
        for size, ground, limit, if_fired in cells:
            row = CHARTS.los_limit[visibility, size, ground]
            assert (Fraction(row.limit), Fraction(row.if_fired)) == (limit, if_fired)
            assert not row.of_roll


@rule("IF-9")
@pytest.mark.parametrize(
    ("weapon", "calibre", "side"),
    [
        ("mortar", 70, 1),
        ("mortar", 71, 2),
        ("mortar", 90, 2),
        ("mortar", 91, 3),
        ("mortar", 160, 3),
        ("artillery", 90, 2),
        ("artillery", 91, 3),
        ("artillery", 130, 3),
        ("artillery", 131, 4),
    ],
)
def test_IF_9_the_template_by_calibre(weapon: str, calibre: int, side: int) -> None:
    assert CHARTS.template(weapon, calibre).side == side


@rule("TEC-3", "TEC-9", "TEC-11", "TEC-15")
def test_TEC_movement_as_printed() -> None:
    costs = {code: (row.p, row.w, row.ao) for code, row in CHARTS.terrain.items()}
    assert costs["open"] == ("1", "4", "2")
    assert costs["road"] == costs["bridge"] == ("1/2", "1", "1")
    assert costs["slope"] == ("1", "6", "3")
    assert costs["town"] == ("1/2", "1", "1")
    assert costs["woods"] == ("0", "2", "1")  # added to the ground below
    assert costs["wall"] == ("1", "", "4")  # wheels never cross a stone wall
    assert (CHARTS.terrain["gully"].leave_w, CHARTS.terrain["gully"].leave_ao) == ("4", "2")


@rule("TER-1")
def test_every_kind_of_terrain_on_a_table_has_its_effects() -> None:
    kinds = {kind.code for kind in named("miniatures")}
    assert kinds - set(CHARTS.terrain) == {"building"}  # a building counts as an improved position
    assert set(CHARTS.terrain) - kinds == {"open"}


@rule("OEC-1")
def test_OEC_1_every_pair_of_levels_has_all_four_obstacles() -> None:
    assert len(CHARTS.obstacles) == 36
    on_ground = {
        obstacle: CHARTS.obstacles["ground", "ground", obstacle] for obstacle in ("woods", "slope", "crest", "town")
    }
    assert set(on_ground.values()) == {"always"}
    assert CHARTS.obstacles["hilltop", "hilltop", "crest"] == "never"
    assert CHARTS.obstacles["hilltop", "slope", "crest"] == "always"


def test_a_table_without_a_row_is_refused() -> None:
    text = (DATA / "crt.csv").read_text(encoding="utf-8")
    cut = "".join(line for line in text.splitlines(keepends=True) if not line.startswith("8,"))
    with pytest.raises(BadInput):
        load_charts({"crt.csv": cut})


def test_every_row_cites_a_rule_of_the_book() -> None:
    known = {
        line.partition(",")[0] for line in (DATA.parent / "rules.csv").read_text(encoding="utf-8").splitlines()[1:]
    }
    assert CHARTS.cited() <= known
