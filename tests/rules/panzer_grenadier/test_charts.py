"""The charts [7.5, 9.4, 10.2, 11.1]: every number that the text quotes of them, and what any such chart must be."""

from __future__ import annotations

from itertools import pairwise

import pytest

from opfire.rulesets.panzer_grenadier.charts import Chart, load_charts
from opfire.rulesets.panzer_grenadier.fire.antitank import armor_line
from rules.panzer_grenadier.kit import draw, german, rule, soviet, unit

CHARTS = load_charts()
SEVERITY = ("none", "M", "M1", "M2", "X", "2X", "3X")
ASSAULT = ("none", "M", "M1", "M2", "1", "2", "3")


@rule("10.3", "7.51")
def test_10_3_from_4_three_columns_lead_to_16() -> None:
    assert CHARTS.direct.column(4) == 4
    assert CHARTS.direct.column(4, 3) == 16


@rule("7.52")
def test_7_52_from_11_two_columns_lead_to_22() -> None:
    assert CHARTS.direct.column(11) == 11
    assert CHARTS.direct.column(11, 2) == 22


@rule("7.52")
def test_7_52_a_4_is_m1_on_11_and_x_on_22() -> None:
    assert CHARTS.direct.outcomes(11)[4 - 2] == "M1"
    assert CHARTS.direct.outcomes(22)[4 - 2] == "X"


@rule("7.51")
def test_7_51_from_5_two_columns_lead_to_12_in_bombardment() -> None:
    assert CHARTS.bombardment.column(5) == 5
    assert CHARTS.bombardment.column(5, 2) == 12


@rule("7.52.A2")
def test_7_52_A2_a_2_is_x_on_21_and_2x_on_30_and_a_gun_stands_higher() -> None:
    assert CHARTS.bombardment.outcomes(21)[0] == "X"
    assert CHARTS.bombardment.outcomes(30)[0] == "2X"
    gun = CHARTS.modifiers["bombardment", "weapon"].value
    assert CHARTS.bombardment.column(21, gun) == 30


@rule("9.31")
def test_9_31_three_times_20_is_worth_more_than_twice_and_twice_more_than_once() -> None:
    columns = [CHARTS.bombardment.column(total) for total in (20, 40, 60)]
    assert columns[0] < columns[1] < columns[2]


@rule("7.5", "10.3", "4.4", "G.night", "15.16", "11.1", "17.3")
@pytest.mark.parametrize(
    ("table", "condition", "value"),
    [
        ("direct", "adjacent", 2),
        ("direct", "three units", 1),
        ("direct", "weapon", 2),
        ("direct", "night", -1),
        ("direct", "anti-aircraft fire", -1),
        ("direct", "from hiding", 2),
        ("direct", "most", 3),
        ("direct", "least", -2),
        ("bombardment", "three units", 1),
        ("at", "crossfire", 2),
        ("at", "from hiding", 2),
        ("assault", "leader", 1),
        ("assault", "town", -2),
        ("assault", "tanks without infantry", 1),
        ("assault", "major river", -2),
        ("assault", "cavalry charge", 1),
        ("assault", "all demoralized", 1),
        ("assault", "higher morale", 1),
    ],
)
def test_7_5_the_modifiers_that_the_text_quotes(table: str, condition: str, value: int) -> None:
    row = CHARTS.modifiers[table, condition]
    assert row.value == value
    assert row.source == "text"


@rule("7.5", "7.52.A3", "16.22")
@pytest.mark.parametrize(
    ("table", "condition", "sign"),
    [
        ("direct", "carrier", 1),
        ("direct", "dug in", -1),
        ("direct", "entrenchment", -1),
        ("direct", "higher", 1),
        ("bombardment", "weapon", 1),
        ("bombardment", "night", -1),
        ("bombardment", "dug in", -1),
        ("bombardment", "entrenchment", -1),
        ("assault", "woods", -1),
        ("assault", "dug in", -1),
        ("assault", "entrenchment", -1),
    ],
)
def test_7_5_the_signs_of_those_it_names_without_a_number(table: str, condition: str, sign: int) -> None:
    assert CHARTS.modifiers[table, condition].value * sign > 0


@rule("1.11", "11.01")
def test_1_11_a_modified_ten_damages_a_nine_does_not() -> None:
    assert CHARTS.steps_lost(9) == 0
    assert CHARTS.steps_lost(10) >= 1


@rule("11.02")
def test_11_02_trucks_have_armor_minus_one() -> None:
    game = draw(a=german("ger-at-50", "A1"), truck=soviet("sov-truck", "A3"))
    assert armor_line(unit(game, "truck")).amount == 1  # minus minus one


@rule("11.3", "8.1", "16.11", "6.7")
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("sight", 12),
        ("sight of limiting terrain", 3),
        ("sight of swamp", 1),
        ("sight for each level", 6),
        ("metres for each level", 20),
        ("hidden divides sight by", 4),
        ("smallest split of an HMG", 3),
        ("offboard factors in a segment", 3),
        ("smoke lands up to", 8),
        ("aircraft in a hex", 3),
        ("aircraft misses up to", 2),
        ("anti-aircraft range", 3),
        ("air anti-tank factor hits on", 6),
        ("friendly fire hits up to", 2),
        ("smoke stays up to", 1),
        ("smoke drifts up to", 2),
        ("anti-tank value of extended range", 2),
    ],
)
def test_the_figures_that_the_text_gives(name: str, value: int) -> None:
    assert CHARTS.figure(name) == value


@rule("9.53")
def test_9_53_a_friendly_fire_number_is_a_column_of_the_bombardment_table() -> None:
    assert sorted(CHARTS.friendly_fire) == [1, 2, 3, 4, 5, 6]
    assert {row.column for row in CHARTS.friendly_fire.values()} <= set(CHARTS.bombardment.columns)


# --- what any such chart must be ----------------------------------------------------------------------------------


@rule("10.2", "9.4", "12.4.a")
@pytest.mark.parametrize(
    ("chart", "order"), [(CHARTS.direct, SEVERITY), (CHARTS.bombardment, SEVERITY), (CHARTS.assault, ASSAULT)]
)
def test_no_lower_roll_is_milder_and_no_higher_column(chart: Chart, order: tuple[str, ...]) -> None:
    grid = [[order.index(result) for result in chart.outcomes(column)] for column in chart.columns]
    for column in grid:
        assert all(low >= high for low, high in pairwise(column))
    for left, right in pairwise(grid):
        assert all(a <= b for a, b in zip(left, right, strict=True))
        assert left != right


@rule("11.1")
def test_no_higher_anti_tank_total_takes_fewer_steps() -> None:
    steps = [CHARTS.steps_lost(total) for total in range(-20, 30)]
    assert steps == sorted(steps)
