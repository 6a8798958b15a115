"""AP fire [4.4.3.2, 6.5.2]: every number that the text quotes, and the calibrated match-ups."""

from __future__ import annotations

import csv
from fractions import Fraction
from pathlib import Path

import pytest

from opfire.rulesets.panzer.charts import BANDS, Band
from opfire.rulesets.panzer.fire import ap_fire
from opfire.rulesets.panzer.fire.ap_fire import (
    Aim,
    beyond_range,
    dice,
    hit,
    hit_number,
    modifier,
    range_factor,
    resolve,
)
from rules.panzer.kit import CHARTS, GUN, rule, vehicle, weapon

MATCHUPS = [*csv.DictReader((Path(__file__).parent / "matchups.csv").read_text(encoding="utf-8").splitlines())]
"""Chances that the cards' own calculation gives; `kill` is a knock out or brew up, in percent, rounded."""


# --- range factor and hit number


@rule("4.4.3.2.1", "3.5.2")
@pytest.mark.parametrize(
    ("hexes", "band"), [(1, "P"), (3, "P"), (4, "S"), (8, "S"), (16, "M"), (23, "L"), (24, "E"), (31, "E"), (32, None)]
)
def test_the_range_factor_is_the_first_that_reaches(hexes: int, band: str | None) -> None:
    assert range_factor(GUN, hexes) == band
    refusal = beyond_range(GUN, hexes)
    assert (refusal is None) == (band is not None)


@rule("4.4.3.2.1")
def test_a_weapon_without_a_band_has_the_next_one() -> None:
    short = next(row for row in CHARTS.weapons.values() if row.row == "AP" and row.range_p == 0 and row.range_s > 0)
    assert range_factor(short, 1) == "S"


@rule("4.4.3.2.3")
def test_net_modifiers_end_at_the_edges_of_the_table() -> None:
    for band in BANDS:
        assert hit_number(CHARTS, band, 9) == hit_number(CHARTS, band, 5)
        assert hit_number(CHARTS, band, -14) == hit_number(CHARTS, band, -10)
    assert hit_number(CHARTS, "E", -10) == 0
    others = [row.number(band) for row in CHARTS.hit.values() for band in BANDS if (row.modifier, band) != (-10, "E")]
    assert min(others) >= 1


@rule("4.4.3.2.3")
def test_nobody_hits_at_extreme_range_with_the_worst_modifier() -> None:
    assert hit(CHARTS, "shot", "E", [modifier(CHARTS, "overwatch")] * 10).chances() == {"0": 1}


@rule(
    "4.4.3.2.2",
    "4.4.3.2.2-moving",
    "4.4.3.2.2-short-halt",
    "4.4.3.2.2-damaged",
    "4.4.3.2.2-busmoke",
    "4.4.3.2.2-ow",
    "4.4.3.2.2-ow-adjust",
)
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("target moving", -2),
        ("short halt", -4),
        ("shooter damaged", -3),
        ("brewup smoke", -2),
        ("overwatch", -1),
        ("overwatch adjust", -3),
    ],
)
def test_modifiers_of_the_basic_game(name: str, value: int) -> None:
    assert modifier(CHARTS, name).amount == value


@rule("4.4.3.2.2-busmoke", "4.4.3.2.2-ow")
def test_only_what_lies_on_the_line_counts_more_than_once() -> None:
    assert modifier(CHARTS, "brewup smoke", 3).amount == -6
    assert modifier(CHARTS, "overwatch", 3).amount == -1


@rule(
    "6.5.2.4-supp",
    "6.5.2.4-smoke",
    "6.5.2.4-barrage",
    "6.5.2.4-dust",
    "6.5.2.4-fire",
    "6.5.2.4-ammo",
    "6.5.2.4-transp",
    "6.5.2.4-haze",
    "6.5.2.4-dual",
    "6.5.2.4-hes",
    "6.5.2.4-brk",
)
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("shooter suppressed", -5),
        ("smoke open", -3),
        ("smoke closed", -5),
        ("barrage open", -1),
        ("barrage closed", -3),
        ("dust", -1),
        ("on fire", -5),
        ("ammo limit", -3),
        ("transported fire", -2),
        ("heat haze", -3),
        ("dual fire same", -1),
        ("dual fire diff", -3),
        ("hesitating", -3),
        ("broken", -5),
    ],
)
def test_modifiers_of_the_advanced_game(name: str, value: int) -> None:
    assert modifier(CHARTS, name).amount == value


@rule("4.4.3.2.2-size", "4.4.3.2.2-cover")
def test_size_and_cover_of_the_target() -> None:
    large = next(each for each in CHARTS.vehicles.values() if each.size == 2)
    assert [line.amount for line in ap_fire.size_line(large)] == [2]
    covers = {cover: [line.amount for line in ap_fire.cover_line(CHARTS, cover)] for cover in CHARTS.cover}
    assert covers == {"none": [], "light": [-1], "medium": [-3], "heavy": [-5]}


@rule("6.5.2.4-grade")
def test_seasoned_crews_are_the_base_line() -> None:
    assert not [*ap_fire.grade_line(CHARTS, "seasoned", "E")]
    assert [line.amount for line in ap_fire.grade_line(CHARTS, "elite", "E")] > [0]
    assert [line.amount for line in ap_fire.grade_line(CHARTS, "green", "E")] < [0]


# --- number of hits


@rule("6.5.2.1", "6.5.2.1-n", "6.5.2.1-qrf")
@pytest.mark.parametrize(("rate", "most"), [("N", 1), ("Q", 2), ("R", 3), ("F", 4)])
def test_the_rate_of_fire_limits_the_number_of_hits(rate: str, most: int) -> None:
    for number in range(1, 98):
        counts = [ap_fire.hits(CHARTS, number, rate, roll) for roll in range(1, 101)]  # type: ignore[arg-type]
        assert counts == sorted(counts, reverse=True)
        assert max(counts) <= most
        assert sum(count > 0 for count in counts) == number


# --- location


@rule("6.5.2.2.1")
@pytest.mark.parametrize("angle", ["front", "front side", "rear side", "rear"])
@pytest.mark.parametrize("shot", ["level", "falling", "rising"])
def test_a_tens_result_of_ten_is_a_track_hit(angle: str, shot: str) -> None:
    assert ap_fire.location(CHARTS, 10, angle, shot) == "TK"  # type: ignore[arg-type]


@rule("6.5.2.2.2")
def test_falling_shot_hits_the_deck_with_a_one() -> None:
    assert ap_fire.location(CHARTS, 1, "front", "falling") == "DK"
    assert ap_fire.location(CHARTS, 1, "front", "level") != "DK"
    assert ap_fire.location(CHARTS, 2, "front", "falling") != "DK"


@rule("6.5.2.3.2", "6.5.2.3.3")
def test_sides_are_not_hit_from_front_and_rear() -> None:
    rows = CHARTS.hit_locations.values()
    assert not {row.front[:2] for row in rows} & {"TS", "HS", "TR", "HR"}
    assert not {row.rear[:2] for row in rows} & {"TS", "HS", "TF", "HF"}
    assert {row.front_side[:2] for row in rows} <= {"TF", "TS", "TR", "HF", "HS", "HR", "TK"}


@rule("6.5.2.2.3")
@pytest.mark.parametrize(
    ("code", "full", "partial"),
    [("TF", False, False), ("HF", True, False), ("HF*", True, True), ("TK", True, True), ("DK", False, False)],
)
def test_hull_down_turns_hits_into_misses(code: str, full: bool, partial: bool) -> None:
    assert ap_fire.behind_cover(CHARTS, code, "full") == full  # type: ignore[arg-type]
    assert ap_fire.behind_cover(CHARTS, code, "partial") == partial  # type: ignore[arg-type]
    assert not ap_fire.behind_cover(CHARTS, code, "")  # type: ignore[arg-type]


@rule("6.5.2.3.1")
def test_a_shot_is_level_falling_or_rising() -> None:
    assert [ap_fire.inclination(2, height) for height in (1, 2, 3)] == ["falling", "level", "rising"]


# --- penetration and damage


@rule("4.4.3.2.6", "4.4.3.2.5")
@pytest.mark.parametrize(
    ("excess", "effect"), [(-1, "no penetration"), (0, "DM"), (3, "DM"), (4, "KO"), (9, "KO"), (10, "BU"), (25, "BU")]
)
def test_damage_of_the_basic_game_goes_by_the_excess(excess: int, effect: str) -> None:
    assert ap_fire.basic_effect(CHARTS, GUN, "M", GUN.value("M") - excess) == effect


@rule("6.5.2.5-stype")
def test_soft_vehicles_take_two_off_the_units_die() -> None:
    soft = next(each for each in CHARTS.vehicles.values() if each.target == "S")
    assert ap_fire.damage(GUN, 10, vehicle("t34_41")) == "BU"
    assert ap_fire.damage(GUN, 10, soft) == "KO"
    assert ap_fire.damage(GUN, 1, soft) == ap_fire.damage(GUN, 1, vehicle("t34_41"))


@rule("6.5.2.2", "6.5.2.3", "6.5.2.5")
def test_one_roll_gives_location_and_damage() -> None:
    aim = Aim(GUN, "P", vehicle("t34_41"))
    assert dice(28) == (2, 8)
    assert resolve(CHARTS, aim, 28) == ("TF", "KO")
    assert resolve(CHARTS, aim, 29).effect == "BU"
    assert resolve(CHARTS, aim, 8).effect == "track"
    assert resolve(CHARTS, aim._replace(hull_down="full"), 58).effect == "miss"


@rule("6.5.2.3.4")
def test_every_card_has_armor_for_every_location_that_can_be_hit() -> None:
    for target in CHARTS.vehicles.values():
        for angle in ("front", "front side", "rear side", "rear"):
            for roll in range(1, 101):
                assert resolve(CHARTS, Aim(GUN, "M", target, "rising", angle), roll).code in CHARTS.locations


# --- the match-ups


def _kill(shooter: str, target: str, row: dict[str, str], band: Band, angle: str) -> Fraction:
    """The chance that one shot knocks the target out or brews it up; each hit is resolved by itself."""
    card = vehicle(target)
    mount = "V" if shooter in CHARTS.vehicles else "T"
    fired = weapon(
        row["weapon"], row["ammo"], mount if (row["weapon"], mount, "AP", row["ammo"]) in CHARTS.weapons else "L"
    )
    shot = hit(CHARTS, "shot", band, [*ap_fire.size_line(card)], row["rof"])  # type: ignore[arg-type]
    each = ap_fire.effects(CHARTS, Aim(fired, band, card, "level", angle))  # type: ignore[arg-type]
    spared = 1 - each.get("KO", Fraction(0)) - each.get("BU", Fraction(0))
    return sum((chance * (1 - spared ** int(hits)) for hits, chance in shot.chances().items()), start=Fraction(0))


@rule("4.4.3.2.3", "6.5.2.1", "6.5.2.2", "6.5.2.3", "6.5.2.5")
@pytest.mark.parametrize("row", MATCHUPS, ids=[f"{row['shooter']}-{row['target']}-{row['ammo']}" for row in MATCHUPS])
def test_matchups_of_the_cards(row: dict[str, str]) -> None:
    for band in BANDS:
        if not row[f"hit_{band}"]:
            continue
        size = vehicle(row["target"]).size
        assert hit_number(CHARTS, band, size) == int(row[f"hit_{band}"])
        for angle, column in (("front", "kill_F"), ("front side", "kill_FS")):
            chance = 100 * _kill(row["shooter"], row["target"], row, band, angle)
            assert abs(chance - int(row[f"{column}_{band}"])) <= Fraction(51, 100)
