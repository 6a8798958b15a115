"""The limits of forces, and all that follows from a list: headquarters, determination, works, support [SD, 12.1]."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from opfire.core.forces import Report
from opfire.rulesets.micro_armour.charts import charts
from opfire.rulesets.micro_armour.design.force import check_force
from rules.micro_armour.kit import rule

Stands = list[dict[str, Any]]

GENERAL = {"weapon": "us-infantry-hq", "ghq": 0}
STAFF = {"weapon": "us-infantry-hq"}


def checked(*formations: Stands, **more: Any) -> Report:
    """The report of a force with these formations; the first begins with a general headquarters of the infantry."""
    first, *others = formations or ([],)
    named = [{"name": str(number + 1), "stands": stands} for number, stands in enumerate([[GENERAL, *first], *others])]
    return reported(named, **more)


def reported(formations: list[dict[str, Any]], **more: Any) -> Report:
    """The report of an American force of 1943, which has 5000 points."""
    begun = {
        "title": "A force",
        "ruleset": "micro-armour",
        "nation": "United States",
        "date": "1943-07",
        "engagement": "hasty-attack",
        "role": "defender",
        "cohesion": 15,
        "allowance": {"points": 5000},
        "formations": formations,
    }
    return check_force(begun | more, "force.toml")


def rules(report: Report) -> list[str]:
    return [fault.rule for fault in report.faults]


# --- headquarters ------------------------------------------------------------------------------------------------


@rule("SD.6.1.hq", "10.1.1")
@pytest.mark.parametrize(
    ("weapon", "points"),
    [("us-infantry-hq", 20), ("us-infantry-42", 17), ("us-m4-sherman", 108), ("us-m3-halftrack-w-mmg", 48)],
)
def test_SD_6_1_hq_infantry_headquarters_and_weapons_become_headquarters(weapon: str, points: int) -> None:
    """The first at its printed price, the others at one and a half times theirs: 11, 72 and 32."""
    report = checked([{"weapon": weapon, "hq": True}])
    assert report.bill[1].points == points
    assert rules(report) == []


@rule("SD.6.1.hq", "SD.6.1.ghq", "10.1.1")
@pytest.mark.parametrize("rank", [{"hq": True}, {"ghq": 0}, {"ghq": -2}])
@pytest.mark.parametrize("weapon", ["us-medium-truck-2-3-ton", "us-jeep"])
def test_SD_6_1_unarmed_stands_become_no_headquarters(weapon: str, rank: dict[str, Any]) -> None:
    """They are no weapons."""
    assert rules(checked([{"weapon": weapon, **rank}])) == ["10.1.1"]
    assert rules(checked([{"weapon": weapon}])) == []


@rule("10.1.4", "10.1.5")
def test_10_1_5_the_only_general_headquarters_is_on_the_map() -> None:
    """From off the map it would issue no orders."""
    battery = {"weapon": "us-105mm-m2a1-how-2", "ghq": 0}
    assert rules(reported([{"name": "A", "stands": [battery]}])) == []
    assert rules(reported([{"name": "A", "stands": [battery | {"off_map": True}]}])) == ["10.1.4"]
    assert rules(reported([{"name": "A", "stands": [GENERAL, battery | {"off_map": True}]}])) == []


# --- other uses -------------------------------------------------------------------------------------------------


@rule("11.5.2", "SD.6.2.engineers", "7.7.1", "7.9.1", "8.9.4-boats", "SD.6.3.offmap")
@pytest.mark.parametrize(
    ("stand", "refused"),
    [
        ({"weapon": "us-infantry-42", "engineers": True}, []),
        ({"weapon": "us-m4-sherman", "engineers": True}, ["11.5.2"]),
        ({"weapon": "us-m4-sherman", "engineering": True}, []),
        ({"weapon": "us-infantry-42", "engineering": True}, ["SD.6.2.engineers"]),
        ({"weapon": "us-105mm-m2a1-how-2", "off_map": True, "fire_turns": 15}, []),
        ({"weapon": "us-105mm-m2a1-how-2", "fire_turns": 15}, ["7.9"]),
        ({"weapon": "us-m4-sherman", "off_map": True}, ["7.7.1"]),
        ({"weapon": "us-6-naval-guns-1", "off_map": True}, []),
        ({"weapon": "us-6-naval-guns-1"}, ["7.7.1"]),
        ({"weapon": "us-57mm-atg", "boats": "slow"}, ["8.9.4"]),
    ],
)
def test_SD_6_what_a_stand_may_be_bought_as(stand: dict[str, Any], refused: list[str]) -> None:
    """The halftrack beside it carries boats."""
    assert rules(checked([stand, {"weapon": "us-halftrack-various-marks"}])) == refused


@rule("8.9.4-boats")
@pytest.mark.parametrize("weapon", ["ger-cavalry", "ger-motorcycle-infantry-a", "ger-bicycle-infantry"])
def test_8_9_4_mounted_infantry_takes_no_boats(weapon: str) -> None:
    staff, carrier = {"weapon": "ger-infantry-hq", "ghq": 0}, {"weapon": "ger-sdkfz-251-1"}
    for boats, refused in (("slow", ["8.9.4"]), ("", [])):
        stands = [staff, carrier, {"weapon": weapon, "boats": boats}]
        assert rules(reported([{"name": "A", "stands": stands}], nation="Germany")) == refused


# --- determination -----------------------------------------------------------------------------------------------


@rule("SD.6.5", "12.1.9")
@pytest.mark.parametrize(
    ("nation", "staff", "circumstances", "points"),
    [
        ("United States", "us-infantry-hq", [], 1458),
        ("United States", "us-infantry-hq", ["green"], 2040),
        ("Italy", "ita-infantry-hq", [], 1700),
    ],
)
def test_SD_6_5_the_circumstances_of_the_attacker_count_for_the_balance(
    nation: str, staff: str, circumstances: list[str], points: int
) -> None:
    """776 times .35, 15 over 16, twice as many: 255 over .35, .25 if green and .3 for Italians."""
    report = reported(
        [{"name": "A", "stands": [{"weapon": staff, "ghq": 0}]}],
        nation=nation,
        role="attacker",
        cohesion=16,
        circumstances=circumstances,
        allowance={"known": 776, "cohesion": 15, "determination": 35},
    )
    assert report.allowance[-1].points == points


@rule("SD.6.5")
def test_SD_6_5_an_agreed_determination_counts_as_it_is() -> None:
    """The example: 30 per cent, whatever the circumstances."""
    report = checked(
        role="attacker",
        cohesion=16,
        determination=30,
        circumstances=["green"],
        allowance={"known": 776, "cohesion": 15, "determination": 35},
    )
    assert report.allowance[-1].points == 1700


@rule("12.1.2", "12.1.6")
def test_12_1_6_a_force_with_two_general_headquarters_has_no_single_break_point() -> None:
    """Six tanks and a general headquarters are 9: .35 and 7 of that 22.05. Two such groups have 9 each."""
    tanks = {"weapon": "us-m4-sherman", "count": 6}
    one = checked([tanks]).figures
    assert (one["combat stand points"], one["break point"]) == (9, 22)
    two = checked([tanks], [GENERAL, tanks, STAFF]).figures
    assert "break point" not in two
    assert two["general headquarters, each with a break point of its own"] == 2
    assert (two["combat stand points of 1"], two["combat stand points of 2"]) == (9, 11)


# --- improved ammunition -----------------------------------------------------------------------------------------


@rule("12.9")
@pytest.mark.parametrize(
    ("nation", "weapon", "allowed"),
    [
        ("France", "fra-75mm-97-33-atg", True),
        ("France", "fra-47mm-atg-fr-apx", False),
        ("UK / Commonwealth", "uk-6-lbr-57mm-atg", True),
        ("UK / Commonwealth", "uk-crusader-iii", True),
        ("UK / Commonwealth", "uk-crusader-i-ii", False),
        ("UK / Commonwealth", "uk-a-e-c-i", False),
        ("UK / Commonwealth", "uk-a-e-c-ii", True),
        ("UK / Commonwealth", "uk-a-e-c-iii", True),
        ("UK / Commonwealth", "uk-staghound-i", False),
        ("UK / Commonwealth", "uk-3-7-aag", False),
        ("United States", "us-m4-sherman", True),
        ("United States", "us-m8-greyhound", False),
        ("United States", "us-m4-105mm-1", False),
        ("United States", "us-m4-zippo", False),
    ],
)
def test_12_9_tank_and_anti_tank_guns_of_57_mm_have_improved_ammunition(
    nation: str, weapon: str, allowed: bool
) -> None:
    """By the calibre, also on armoured cars: six pounders are 57 mm, the guns of a Staghound 37 mm."""
    staff = {"France": "fra-infantry-hq", "United States": "us-infantry-hq"}.get(nation, "uk-infantry-hq")
    stands = [{"weapon": staff, "ghq": 0}, {"weapon": weapon, "improved_ammunition": True}]
    report = reported([{"name": "A", "stands": stands}], nation=nation, date="1944-09")
    assert ("12.9" in rules(report)) != allowed


@rule("12.9")
def test_12_9_improved_ammunition_makes_a_stand_dearer_by_15_per_cent() -> None:
    """72 times 1.15 are 82.8; not before September 1944."""
    tank = {"weapon": "us-m4-sherman", "improved_ammunition": True}
    late = checked([tank], date="1944-09")
    assert (late.bill[1].points, rules(late)) == (83, [])
    assert rules(checked([tank], date="1944-08")) == ["12.9"]


# --- forward observers -------------------------------------------------------------------------------------------

SCOUTS = {
    "Germany": ("ger-infantry-hq", "ger-infantry-43", "ger-sdkfz-250-1"),
    "United States": ("us-infantry-hq", "us-infantry-42", "us-halftrack-various-marks"),
    "Soviet Union": ("sov-infantry-hq", "sov-infantry-43-45", "sov-light-truck-gaz-aa-1t"),
}
"""A general headquarters, the stands of a reconnaissance unit, and their carriers, by nation."""


def scouts(nation: str, *units: int) -> int:
    """The observers without a price that reconnaissance units of so many stands bring, each with as many carriers."""
    staff, men, carriers = SCOUTS[nation]
    head: dict[str, Any] = {"name": "Staff", "stands": [{"weapon": staff, "ghq": 0}]}
    formations = [head] + [
        {
            "name": f"Reconnaissance {number}",
            "reconnaissance": True,
            "stands": [{"weapon": men, "count": count}, {"weapon": carriers, "count": count}],
        }
        for number, count in enumerate(units, 1)
    ]
    return reported(formations, nation=nation).figures["forward observers without a price"]


@rule("7.8.2-1", "7.8.2-2", "7.8.2-3")
@pytest.mark.parametrize(
    ("nation", "units", "free"),
    [
        ("United States", (2,), 3),  # each stand, and one for three of the infantry with the staff
        ("Germany", (2,), 1),
        ("Germany", (3,), 1),
        ("Germany", (4,), 2),
        ("Germany", (4, 4), 4),  # a part of three in each of the two units
        ("Soviet Union", (4,), 1),
        ("Soviet Union", (4, 2), 2),
    ],
)
def test_7_8_2_observers_of_reconnaissance_units(nation: str, units: tuple[int, ...], free: int) -> None:
    """Lorries and personnel carriers are transports, and bring none: RULINGS.md R149."""
    assert scouts(nation, *units) == free


@rule("7.8.2-1", "7.8.2-2", "7.8.2-3")
@pytest.mark.parametrize(
    ("nation", "staff", "date", "each"),
    [
        ("United States", "us-infantry-hq", "1942-11", 15),
        ("UK / Commonwealth", "uk-infantry-hq", "1944-01", 15),
        ("UK / Commonwealth", "uk-infantry-hq", "1943-12", 25),
        ("Germany", "ger-infantry-hq", "1944-06", 25),
        ("Soviet Union", "sov-infantry-hq", "1944-06", 35),
        ("Italy", "ita-infantry-hq", "1942-06", 35),
    ],
)
def test_7_8_2_further_observers_cost_15_25_or_35_points(nation: str, staff: str, date: str, each: int) -> None:
    """A general headquarters alone brings none, so that both are paid [7.6.4.1]."""
    formations = [{"name": "A", "stands": [{"weapon": staff, "ghq": 0}]}]
    report = reported(formations, nation=nation, date=date, observers=2)
    assert [(item.count, item.each) for item in report.bill if item.name == "observer"] == [(2, each)]
    assert not [item for item in reported(formations, nation=nation, date=date).bill if item.name == "observer"]


@rule("7.8.2-1", "7.8.2-2", "7.8.2-3")
@pytest.mark.parametrize(("size", "free"), [("battalion", 1), ("company", 0), ("detachment", 0)])
def test_7_8_2_the_headquarters_of_a_battalion_is_an_observer(size: str, free: int) -> None:
    """That of a company is none."""
    formations = [{"name": "Staff", "stands": [{"weapon": "sov-infantry-hq", "ghq": 0}]}]
    led = {"name": "I", "size": size, "stands": [{"weapon": "sov-infantry-hq"}]}
    figures = reported([*formations, led], nation="Soviet Union").figures
    assert figures["forward observers without a price"] == free


@rule("7.8.2-1", "SD.6.3.fo")
def test_7_8_2_observers_that_are_left_over_earn_nothing() -> None:
    """Three infantry stands bring one observer, and none is taken: the bill has the stands alone [SD.0.1]."""
    infantry = {"weapon": "us-infantry-42", "count": 3}
    assert checked([infantry]).figures["forward observers without a price"] == 1
    assert [item.points for item in checked([infantry], observers=0).bill] == [40, 33]
    assert [item.points for item in checked([infantry], observers=1).bill] == [40, 33]
    assert [item.points for item in checked([infantry], observers=2).bill] == [40, 33, 15]


# --- the types of engagement ------------------------------------------------------------------------------------

TYPES = ("meeting-engagement", "reconnaissance-in-force", "hasty-attack", "prepared-assault", "delaying-action")


def by_type(*columns: Sequence[Any]) -> list[tuple[Any, ...]]:
    """The rows of a table with a column for each fact about the five types."""
    return [*zip(TYPES, *columns, strict=True)]


LENGTHS = rule("SD.1.A.length", "SD.1.B.length", "SD.1.C.length", "SD.1.D.length", "SD.1.E.length", "7.9.1")
COMPOSITIONS = rule(
    "SD.1.A.composition", "SD.1.B.composition", "SD.1.C.composition", "SD.1.D.composition", "SD.1.E.composition"
)


@LENGTHS
@pytest.mark.parametrize(("engagement", "turns", "points"), by_type((10, 15, 15, 20, 20), (54, 36, 36, 27, 27)))
def test_SD_1_length_batteries_pay_for_their_part_of_the_turns_of_the_engagement(
    engagement: str, turns: int, points: int
) -> None:
    """Three turns of fire of a battery of 181 points."""
    battery = {"weapon": "us-105mm-m2a1-how-2", "off_map": True, "fire_turns": 3}
    assert charts().engagements[engagement].turns == turns  # type: ignore[index]
    assert checked([battery], engagement=engagement).bill[1].points == points
    assert checked([battery], engagement=engagement, turns=6).bill[1].points == 91


@rule("SD.1.A.ratio", "SD.1.B.ratio", "SD.1.C.ratio", "SD.1.D.ratio", "SD.1.E.ratio", "SD.6.4.alt")
@pytest.mark.parametrize(
    ("engagement", "defender", "attacker"), by_type((1035, 1035, 518, 342, 342), (1035, 1035, 2070, 3105, 3105))
)
def test_SD_1_ratio_the_points_of_both_players(engagement: str, defender: int, attacker: int) -> None:
    """The force point calculator: 900 points with a cohesion of 15 against 13."""
    for role, points in (("defender", defender), ("attacker", attacker)):
        report = checked(
            engagement=engagement, role=role, cohesion=13, allowance={"known": 900, "cohesion": 15}, determination=35
        )
        assert report.allowance[-1].points == points


MAY_BUY: dict[str, set[str]] = {
    "meeting-engagement": set(),
    "reconnaissance-in-force": {"light"},
    "hasty-attack": {"light", "medium", "hasty", "standard", "wire"},
    "prepared-assault": {"light", "medium", "heavy", "hasty", "standard", "concentrated", "wire", "ditches"},
    "delaying-action": {"light", "hasty", "standard", "concentrated", "wire", "ditches"},
}
"""The works that the defender buys, by the paragraph of each type."""

WORKS = MAY_BUY["prepared-assault"]
RULES = {name: f"SD.1.{letter}.composition" for name, letter in by_type("ABCDE")}


@COMPOSITIONS
@pytest.mark.parametrize("engagement", TYPES)
@pytest.mark.parametrize("work", sorted(WORKS))
def test_SD_1_composition_the_works_of_the_defender(engagement: str, work: str) -> None:
    """Nobody else builds any; the infantry is there for the light positions of a reconnaissance in force."""
    infantry = [{"weapon": "us-infantry-42"}]
    allowed = work in MAY_BUY[engagement]
    found = rules(checked(infantry, engagement=engagement, works={work: 1}))
    assert found == ([] if allowed else [RULES[engagement]])
    assert rules(checked(infantry, engagement=engagement, role="attacker", works={work: 1})) == [RULES[engagement]]


@COMPOSITIONS
@pytest.mark.parametrize(
    ("engagement", "attacker", "defender"),
    by_type((False, True, True, True, True), (False, False, True, True, True)),
)
def test_SD_1_composition_air_strikes(engagement: str, attacker: bool, defender: bool) -> None:
    """Nobody has them in a meeting engagement, the attacker alone in a reconnaissance in force: RULINGS.md R6."""
    strikes = [{"aircraft": "united-states-p-47c-thunderbolt"}]
    for role, allowed in (("attacker", attacker), ("defender", defender)):
        report = checked(engagement=engagement, role=role, date="1944-07", strikes=strikes)
        assert rules(report) == ([] if allowed else [RULES[engagement]])


@COMPOSITIONS
@pytest.mark.parametrize("engagement", TYPES)
def test_SD_1_composition_guns_off_the_map(engagement: str) -> None:
    """In all types but a meeting engagement: RULINGS.md R6."""
    found = rules(checked([{"weapon": "us-105mm-m2a1-how-2", "off_map": True}], engagement=engagement))
    assert found == (["SD.1.A.composition"] if engagement == "meeting-engagement" else [])
    assert rules(checked([{"weapon": "us-105mm-m2a1-how-2"}], engagement=engagement)) == []


# --- prices ------------------------------------------------------------------------------------------------------


@rule("SD.6.2.positions", "SD.6.2.mines", "SD.6.2.wire")
@pytest.mark.parametrize(
    ("work", "each"),
    [
        ("light", 3),
        ("medium", 6),
        ("heavy", 10),
        ("hasty", 2),
        ("standard", 4),
        ("concentrated", 10),
        ("dummies", 0),
        ("wire", 2),
        ("ditches", 2),
    ],
)
def test_SD_6_2_the_prices_of_works(work: str, each: int) -> None:
    report = checked(engagement="prepared-assault", works={work: 7})
    assert [(item.each, item.points) for item in report.bill[1:]] == [(each, 7 * each)]


@rule("8.9.4-boats")
@pytest.mark.parametrize(("boats", "points"), [("fast", 26), ("slow", 16)])
def test_8_9_4_boats_cost_15_or_5_points(boats: str, points: int) -> None:
    """With infantry of 11 points; a transport of capacity 8 carries them, one of 6 does not."""
    infantry = {"weapon": "us-infantry-42", "boats": boats}
    report = checked([infantry, {"weapon": "us-halftrack-various-marks"}])
    assert (report.bill[1].points, rules(report)) == (points, [])
    assert rules(checked([infantry, {"weapon": "us-m3-scout-car"}])) == ["8.9.4"]
    assert rules(checked([infantry])) == ["8.9.4"]
    assert rules(checked([{"weapon": "us-infantry-42"}])) == []


# --- the circumstances of determination --------------------------------------------------------------------------


@rule("12.1.9")
@pytest.mark.parametrize(
    ("nation", "staff", "change", "percent"),
    [
        ("Germany", "ger-infantry-hq", {"engagement": "meeting-engagement"}, 30),
        ("Germany", "ger-infantry-hq", {"engagement": "meeting-engagement", "role": "attacker"}, 30),
        ("Germany", "ger-infantry-hq", {"engagement": "reconnaissance-in-force"}, 35),
        ("Germany", "ger-infantry-hq", {"engagement": "prepared-assault", "role": "attacker"}, 35),
        ("Italy", "ita-infantry-hq", {}, 35),
        ("Italy", "ita-infantry-hq", {"role": "attacker"}, 30),
        ("Soviet Union", "sov-infantry-hq", {"date": "1941-11", "role": "attacker"}, 35),
        ("Soviet Union", "sov-infantry-hq", {"date": "1941-11"}, 40),
        ("Soviet Union", "sov-infantry-hq", {"date": "1944-06"}, 45),
        ("Soviet Union", "sov-infantry-hq", {"date": "1945-01"}, 50),
        ("Japan", "jpn-infantry-hq", {}, 45),
        ("Japan", "jpn-infantry-hq", {"circumstances": ["pacific-island"]}, 50),
    ],
)
def test_12_1_9_the_determination_of_a_force(nation: str, staff: str, change: dict[str, Any], percent: int) -> None:
    """35 per cent, and what the table adds: both rows hold for Soviets who defend in 1944 and 1945."""
    report = reported([{"name": "A", "stands": [{"weapon": staff, "ghq": 0}]}], nation=nation, **change)
    assert report.figures["determination, per cent"] == percent
