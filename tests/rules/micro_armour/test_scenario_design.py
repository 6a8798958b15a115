"""Designing scenarios [SD]: the sums, prices and limits of the chapter, and its worked example."""

from __future__ import annotations

from typing import Any

import pytest

from opfire.core.errors import BadInput
from opfire.core.forces import Report, check_text
from opfire.rulesets.micro_armour.charts import charts
from opfire.rulesets.micro_armour.design import allowance, battlefield, determination, observers, prices
from opfire.rulesets.micro_armour.design.prices import Bought
from rules.micro_armour.kit import rule

CHARTS = charts()
HASTY = CHARTS.engagements["hasty-attack"]
PREPARED = CHARTS.engagements["prepared-assault"]
MEETING = CHARTS.engagements["meeting-engagement"]


def price(weapon: str, **more: Any) -> int:
    return prices.each(CHARTS, Bought(weapon=weapon, **more), 15)[-1].points


# --- 3: the battlefield ------------------------------------------------------------------------------------------


@rule("SD.3.2")
def test_SD_3_2_a_seven_on_mixed_ground_covers_28_per_cent() -> None:
    assert battlefield.covered(CHARTS, "mixed", 7) == 28
    assert [battlefield.greatest_sight(CHARTS, density) for density in ("open", "mixed", "closed")] == [40, 20, 10]


def test_SD_3_3_terrain_is_measured_in_square_inches() -> None:
    assert battlefield.area(24, 36, 25) == 216
    assert battlefield.area(24, 48, 28) == 322  # 322.56 in the worked example


# --- 4 to 6: what may be spent -----------------------------------------------------------------------------------


@rule("SD.5")
@pytest.mark.parametrize(("bid", "left"), [(50, 950), (100, 900)])
def test_SD_5_each_player_loses_the_bid(bid: int, left: int) -> None:
    assert allowance.after_auction(1000, bid)[-1].points == left


@rule("SD.6.4.b")
def test_SD_6_4_b_the_defender_is_balanced_by_cohesion_and_the_ratio_of_forces() -> None:
    base = allowance.after_auction(900, 0)
    assert allowance.defenders(base, HASTY, 15, 13)[-1].points == 518  # 1.15 times 900, half of it, 517.5
    example = allowance.defenders(allowance.after_auction(1500, 50), HASTY, 16, 15)
    assert [step.points for step in example] == [1500, 1450, 1552, 776]


@rule("SD.6.4.alt")
@pytest.mark.parametrize(
    ("engagement", "role", "points"),
    [
        (MEETING, "defender", 1035),
        (HASTY, "defender", 518),
        (PREPARED, "defender", 342),
        (MEETING, "attacker", 1035),
        (HASTY, "attacker", 2070),
        (PREPARED, "attacker", 3105),
    ],
)
def test_SD_6_4_alt_the_force_point_calculator(engagement: Any, role: Any, points: int) -> None:
    assert allowance.against_known(900, engagement, role, 15, 13)[-1].points == points


@rule("SD.6.5")
def test_SD_6_5_the_attacker_is_balanced_for_determination() -> None:
    steps = allowance.for_determination(776, HASTY, (15, 16), (35, 30))
    assert [step.points for step in steps] == [776, 272, 4080, 255, 850, 1700]


# --- 6.1 to 6.3: prices ------------------------------------------------------------------------------------------


def test_SD_6_1_hq_an_infantry_headquarters_has_its_price_and_a_weapon_half_more() -> None:
    assert price("us-infantry-hq", hq=True) == 20
    assert price("us-m4-sherman", hq=True) == 108  # 72 times 1.5


@pytest.mark.parametrize(("quality", "points"), [(-2, 24), (-1, 32), (0, 40), (1, 48), (2, 56), (3, 64)])
def test_SD_6_1_ghq_the_price_rises_with_quality(quality: int, points: int) -> None:
    assert price("us-infantry-hq", ghq=quality) == points


def test_SD_6_2_engineers_cost_ten_more_and_their_vehicles_three_tenths() -> None:
    assert price("uk-infantry-43", engineers=True) == 23
    assert price("sov-churchill-mk-iv-57mm", engineering=True) == 57  # 44 times 1.3
    assert price("sov-t-34c", engineering=True) == 91  # 70 times 1.3, as in the example of 11.5.4


def test_7_9_1_a_battery_pays_for_the_turns_of_its_fire() -> None:
    assert price("sov-122mm-how-m-30-3", off_map=True, fire_turns=3) == 62  # a fifth of 308


# --- 12.1: determination -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("points", "percent", "expected"), [(41, 35, 100), (51, 30, 107), (24, 35, 59)])
def test_12_1_2_the_break_point(points: int, percent: int, expected: int) -> None:
    assert determination.break_point(points, percent) == expected


@pytest.mark.parametrize(
    ("nation", "engagement", "role", "date", "told", "percent"),
    [
        ("Germany", "prepared-assault", "defender", "1943-07", [], 5),
        ("Germany", "meeting-engagement", "attacker", "1943-07", [], -5),
        ("Germany", "reconnaissance-in-force", "attacker", "1943-07", [], -5),
        ("Germany", "hasty-attack", "attacker", "1943-07", ["under-strength", "green"], -20),
        ("Germany", "hasty-attack", "defender", "1943-07", ["green"], 0),
        ("France", "hasty-attack", "defender", "1940-05", ["faces-tanks"], -10),
        ("France", "hasty-attack", "defender", "1941-05", ["faces-tanks"], 0),
        ("United States", "hasty-attack", "defender", "1942-11", ["north-africa"], -5),
        ("United States", "hasty-attack", "defender", "1944-06", ["marines"], 10),
        ("Italy", "hasty-attack", "attacker", "1942-06", [], -5),
        ("Soviet Union", "hasty-attack", "defender", "1941-08", [], -10),
        ("Soviet Union", "hasty-attack", "defender", "1941-10", [], 0),
        ("Soviet Union", "hasty-attack", "defender", "1941-11", [], 5),
        ("Soviet Union", "hasty-attack", "attacker", "1944-06", [], 5),
        ("Soviet Union", "hasty-attack", "attacker", "1945-01", [], 10),
        ("Japan", "hasty-attack", "defender", "1944-06", ["pacific-island"], 15),
    ],
)
def test_12_1_9_circumstances_change_determination(
    nation: str, engagement: Any, role: Any, date: str, told: list[str], percent: int
) -> None:
    rows = determination.circumstances(CHARTS, nation, engagement, role, date, told)
    assert sum(row.percent for row in rows) == percent


# --- 7.8: observers ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("nation", "date", "doctrine"),
    [
        ("United States", "1942-11", "american"),
        ("UK / Commonwealth", "1943-12", "german"),
        ("UK / Commonwealth", "1944-01", "american"),
        ("Germany", "1945-04", "german"),
        ("Soviet Union", "1945-04", "other"),
    ],
)
def test_7_8_1_nations_direct_artillery_in_three_ways(nation: str, date: str, doctrine: str) -> None:
    assert observers.doctrine(nation, date) == doctrine


def test_7_8_2_observers_by_stands_and_reconnaissance() -> None:
    assert observers.allowed(CHARTS, "american", 1, 8, [4]) == 1 + 2 + 4  # two whole threes of infantry
    assert observers.allowed(CHARTS, "german", 1, 4, [4]) == 1 + 2 + 2  # or parts of three
    assert observers.allowed(CHARTS, "other", 1, 10, [4]) == 1 + 2 + 1  # or part of nine; one for the battalion


# --- a force in a file -------------------------------------------------------------------------------------------

GERMANS = """
title = "Germans in the South of France"
ruleset = "micro-armour"
nation = "Germany"
date = "1944-08"
engagement = "hasty-attack"
role = "defender"
cohesion = 15
allowance = { base = 1500, bid = 50, cohesion = 16 }
works = { light = 17, medium = 3, standard = 15, dummies = 15 }

[[formations]]
name = "Headquarters"
size = "battalion"
stands = [{ weapon = "ger-infantry-hq", ghq = 0 }]

[[formations]]
name = "Companies 1 to 3"
stands = [{ weapon = "ger-infantry-44", count = 9 }, { weapon = "ger-81mm-mortar-1", count = 3 }]

[[formations]]
name = "Heavy Company"
stands = [{ weapon = "ger-infantry-support", count = 3 }, { weapon = "ger-120mm-mortar-2" }]

[[formations]]
name = "Support"
stands = [
  { weapon = "ger-stug-iii-f-g", count = 2 },
  { weapon = "ger-75mm-atg-pak-40", count = 2 },
  { weapon = "ger-20mm-quad-aag" },
]
"""


def checked(*changes: tuple[str, str]) -> Report:
    text = GERMANS
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return check_text(text, "germans.toml")


def faults(*changes: tuple[str, str]) -> list[tuple[str, str]]:
    return [(fault.where, fault.rule) for fault in checked(*changes).faults]


def test_SD_EX_the_defenders_of_the_worked_example() -> None:
    """The stands at the prices of the tables; the example prints some others."""
    report = checked()
    # 40 for the headquarters, 9 x 13 and 3 x 17, 3 x 15 and 109, 2 x 74, 2 x 49 and 22; works of 51, 18 and 60.
    assert report.points == 40 + 117 + 51 + 45 + 109 + 148 + 98 + 22 + 51 + 18 + 60
    assert report.allowance[-1].points == 776
    assert report.unused == 776 - report.points
    assert report.faults == []
    assert report.figures["combat stand points"] == 24
    assert report.figures["break point"] == 59


@rule("SD.0.1")
def test_SD_0_1_stands_works_strikes_and_guns_off_the_map_are_paid_alike() -> None:
    """A strike of 25, two more light positions of 3 each, a 105 mm battery off the map of 170."""
    strike = ("[[formations]]", '[[strikes]]\naircraft = "germany-focke-wulf-fw-190-a-8"\n\n[[formations]]')
    works = ("light = 17", "light = 19")
    battery = ('"ger-20mm-quad-aag" }', '"ger-20mm-quad-aag" }, { weapon = "ger-105mm-ifh18-2", off_map = true }')
    assert checked(strike, works, battery).points == checked().points + 25 + 6 + 170


@rule("SD.0.3")
def test_SD_0_3_base_points_come_before_bids_cohesion_and_the_ratio_of_forces() -> None:
    """900 points for both: the attacker's own, less the bid; the defender's by 15 against 13, and by half."""
    base = allowance.after_auction(900, 0)
    assert [step.points for step in base] == [900, 900]
    assert allowance.defenders(base, HASTY, 15, 13)[0].points == 900


@rule("SD.4.1")
def test_SD_4_1_the_enemy_of_a_historical_force_is_built_from_its_points() -> None:
    """The list of 759 points meets hasty attackers of equal cohesion, who have twice its points."""
    known = checked().points
    change = ("{ base = 1500, bid = 50, cohesion = 16 }", f"{{ known = {known}, cohesion = 15 }}")
    report = checked(change, ('role = "defender"', 'role = "attacker"'))
    assert [step.points for step in report.allowance] == [known, known, 2 * known]


@rule("SD.6.3.fo")
@pytest.mark.parametrize(("stands", "free"), [(2, 1), (4, 2), (7, 3)])
def test_SD_6_3_fo_observers_are_free_by_the_artillery_of_the_force(stands: int, free: int) -> None:
    """A German observer for each three mortars or part of three; the general headquarters is none [7.6.4.1]."""
    mortars = ('"ger-81mm-mortar-1", count = 3', f'"ger-81mm-mortar-1", count = {stands - 1}')
    assert checked(mortars).figures["forward observers without a price"] == free
    one_more = ("cohesion = 15\n", f"cohesion = 15\nobservers = {free + 1}\n")
    assert checked(mortars, one_more).points == checked(mortars).points + 25


@rule("SD.6.3.fo")
def test_SD_6_3_fo_each_observer_rides_in_a_stand() -> None:
    """The list has 22 stands."""
    riding = ("cohesion = 15\n", "cohesion = 15\nobservers = 22\n")
    assert ("", "SD.6.3.fo") not in faults(riding)
    assert ("", "SD.6.3.fo") in faults((riding[0], riding[1].replace("22", "23")))


@rule("SD.6.3.limit")
def test_SD_6_3_limit_no_force_costs_more_than_its_allowance() -> None:
    assert faults(("count = 9", "count = 11")) == [("", "SD.6.3.limit")]


def test_SD_2_1_stands_belong_to_the_nation() -> None:
    assert faults(('"ger-20mm-quad-aag"', '"us-jeep"'))[0] == ("Support", "SD.2.1")


def test_WD_year_stands_exist_in_the_year() -> None:
    assert faults(('"1944-08"', '"1943-08"'))[0] == ("Companies 1 to 3", "WD.year")


def test_10_1_4_a_side_has_a_general_headquarters() -> None:
    assert faults(("ghq = 0", "hq = true")) == [("", "10.1.4")]


def test_10_1_1_a_battalion_has_a_headquarters() -> None:
    assert ("Companies 1 to 3", "10.1.1") in faults(('"Companies 1 to 3"', '"Companies 1 to 3"\nsize = "battalion"'))


@pytest.mark.parametrize(
    ("engagement", "rule"),
    [
        ("meeting-engagement", "SD.1.A.composition"),
        ("reconnaissance-in-force", "SD.1.B.composition"),
        ("delaying-action", "SD.1.E.composition"),
    ],
)
def test_SD_1_an_engagement_limits_works(engagement: str, rule: str) -> None:
    found = [fault for fault in checked(('"hasty-attack"', f'"{engagement}"')).faults if fault.where == "works"]
    assert {fault.rule for fault in found} == {rule}
    assert "medium position" in " ".join(fault.what for fault in found)


def test_SD_1_C_composition_a_hasty_attack_meets_no_concentrated_minefields() -> None:
    assert faults(("standard = 15", "concentrated = 1"), ("dummies = 15", "dummies = 1")) == [
        ("works", "SD.1.C.composition")
    ]


def test_SD_1_C_composition_the_attacker_builds_nothing() -> None:
    found = checked(('"defender"', '"attacker"')).faults
    assert {fault.where for fault in found if fault.rule == "SD.1.C.composition"} == {"works"}


@pytest.mark.parametrize(("cohesion", "dummies"), [(10, 3), (11, 3), (12, 7), (14, 7), (15, 15)])
def test_11_1_3_cohesion_limits_dummies(cohesion: int, dummies: int) -> None:
    own = ("cohesion = 15", f"cohesion = {cohesion}")
    assert ("works", "11.1.3") not in faults(own, ("dummies = 15", f"dummies = {dummies}"))
    assert ("works", "11.1.3") in faults(own, ("dummies = 15", f"dummies = {dummies + 1}"))


def test_11_5_2_only_infantry_becomes_engineers() -> None:
    change = ('"ger-120mm-mortar-2"', '"ger-120mm-mortar-2", engineers = true')
    assert ("Heavy Company", "11.5.2") in faults(change)


def test_12_9_improved_ammunition_is_western() -> None:
    change = ('"ger-stug-iii-f-g", count = 2', '"ger-stug-iii-f-g", count = 1, improved_ammunition = true')
    assert faults(change) == [("Support", "12.9")]


def test_8_9_4_boats_are_for_infantry_on_foot_and_need_a_transport() -> None:
    assert ("", "8.9.4") in faults(('"ger-infantry-44", count = 9', '"ger-infantry-44", count = 8, boats = "slow"'))
    change = ('"ger-120mm-mortar-2"', '"ger-120mm-mortar-2", boats = "slow"')
    assert ("Heavy Company", "8.9.4") in faults(change)


def test_SD_1_B_composition_only_the_attacker_has_air_strikes() -> None:
    strike = ("[[formations]]", '[[strikes]]\naircraft = "germany-focke-wulf-fw-190-a-8"\n\n[[formations]]')
    assert ("air strikes", "SD.1.B.composition") in faults(strike, ('"hasty-attack"', '"reconnaissance-in-force"'))
    assert [rule for where, rule in faults(strike) if where == "air strikes"] == []


def test_AD_year_aircraft_serve_in_their_years() -> None:
    strike = ("[[formations]]", '[[strikes]]\naircraft = "france-breguet-br-693"\n\n[[formations]]')
    assert [rule for where, rule in faults(strike) if where == "air strikes"] == ["SD.2.1", "AD.year"]


def test_12_3_3_3_air_coordinators_by_nation_engagement_and_size() -> None:
    assert faults(("cohesion = 15\n", "cohesion = 15\ncoordinators = 1\n")) == [("", "12.3.3.3")]
    three = "".join(
        f'[[formations]]\nname = "{name}"\nsize = "battalion"\nstands = [{{ weapon = "ger-infantry-hq" }}]\n\n'
        for name in ("I", "II")
    )
    brigade = ("[[formations]]", three + "[[formations]]")
    points = ("{ base = 1500, bid = 50, cohesion = 16 }", "{ points = 1000 }")
    assert faults(("cohesion = 15\n", "cohesion = 15\ncoordinators = 1\n"), brigade, points) == []
    assert faults(("cohesion = 15\n", "cohesion = 15\ncoordinators = 2\n"), brigade, points) == [("", "12.3.3.3")]
    assert observers.may_coordinate("United States", "1943-07", True)
    assert not observers.may_coordinate("United States", "1943-07", False)
    assert observers.may_coordinate("UK / Commonwealth", "1944-07", False)
    assert not observers.may_coordinate("Soviet Union", "1945-01", False)


def test_7_8_2_observers_beyond_the_allowance_are_paid() -> None:
    """Two for four mortars: two are free, the third and the fourth cost Germans 25 points each."""
    four = checked(("cohesion = 15\n", "cohesion = 15\nobservers = 4\n"))
    assert four.figures["forward observers without a price"] == 2
    assert four.points == checked().points + 50


@pytest.mark.rule("micro-armour", "SD.6.3.fo", "12.1.2")
def test_7_8_2_a_battalion_led_by_a_headquarters_of_its_own_has_an_observer() -> None:
    own = ('"ger-infantry-hq", ghq = 0 }', '"ger-infantry-hq", ghq = 0 }, { weapon = "ger-infantry-hq" }')
    assert checked(own).figures["forward observers without a price"] == 3
    assert checked(own).figures["combat stand points"] == 24 + 2


@pytest.mark.rule("micro-armour", "SD.1.B.composition")
@pytest.mark.parametrize(("light", "wrong"), [(20, False), (21, True)])
def test_SD_1_B_light_positions_are_for_personnel_and_weapons_stands(light: int, wrong: bool) -> None:
    """There are 20 of them, and two assault guns."""
    found = faults(("light = 17", f"light = {light}"), ('"hasty-attack"', '"reconnaissance-in-force"'))
    assert (found.count(("works", "SD.1.B.composition")) == 3) == wrong


@pytest.mark.rule("micro-armour", "12.9")
@pytest.mark.parametrize(("weapon", "wrong"), [("us-57mm-atg", False), ("us-37mm-atg", True), ("us-m5-stuart", True)])
def test_12_9_guns_of_less_than_57_mm_have_no_improved_ammunition(weapon: str, wrong: bool) -> None:
    text = (
        'title = "x"\nruleset = "micro-armour"\nnation = "United States"\ndate = "1944-09"\nrole = "attacker"\n'
        'engagement = "hasty-attack"\ncohesion = 15\nallowance = { points = 900 }\n[[formations]]\nname = "Guns"\n'
        f'stands = [{{ weapon = "us-infantry-hq", ghq = 0 }}, {{ weapon = "{weapon}", improved_ammunition = true }}]\n'
    )
    assert [fault.rule for fault in check_text(text, "guns.toml").faults] == (["12.9"] if wrong else [])


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("ger-stug-iii-f-g", "ger-tiger-99"), "unknown weapon 'ger-tiger-99'"),
        (('"Germany"', '"Prussia"'), "unknown nation 'Prussia'"),
        (("count = 9", "count = 0"), "ger-infantry-44: a count"),
        (("bid = 50, cohesion = 16", "bid = 50"), "the allowance cannot be worked out"),
        (("cohesion = 15\n", 'cohesion = 15\ncircumstances = ["tired"]\n'), "unknown circumstance 'tired'"),
        (("cohesion = 15\n", "cohesion = 15\nmoral = 3\n"), "moral"),
        (('"1944-08"', '"summer"'), "date"),
        (('title = "', "title = "), "not TOML"),
    ],
)
def test_a_file_that_cannot_be_read_gets_one_sentence(change: tuple[str, str], says: str) -> None:
    with pytest.raises(BadInput, match=r"^germans\.toml: ") as raised:
        checked(change)
    assert says in str(raised.value)
