"""Game Cards and Data Cards: every number that the text prints, and the shape of the others."""

from __future__ import annotations

import csv
import math
from itertools import pairwise

import pytest

from opfire.rulesets.panzer import charts
from opfire.rulesets.panzer.charts import BANDS
from opfire.rulesets.panzer.fire.ap_fire import armor
from rules.panzer.kit import CHARTS, rule, vehicle

RULES = {row["rule"] for row in csv.DictReader((charts.DATA.parent / "rules.csv").read_text("utf-8").splitlines())}


def test_every_row_cites_a_rule_of_the_book() -> None:
    assert CHARTS.cited() <= RULES


@rule("4.1.3")
def test_the_base_spotting_ranges_are_20_15_and_10() -> None:
    base = CHARTS.spotting[0]
    assert (base.vehicle, base.large, base.small) == (20, 15, 10)


@rule("4.1.3-a", "4.1.3-b")
def test_cover_firing_and_moving_shift_the_spotting_range() -> None:
    assert [CHARTS.cover[name].spotting for name in ("none", "light", "medium", "heavy")] == [0, -1, -2, -3]
    assert CHARTS.spotting_modifiers["target", "spot/move"].rows == 2
    assert CHARTS.spotting_modifiers["target", "spot/fire"].rows == 3


@rule("4.1.3-c")
def test_spotting_ranges_grow_with_the_row_and_the_size() -> None:
    rows = [CHARTS.spotting[number] for number in range(-5, 3)]
    for column in ("vehicle", "large", "small"):
        values = [getattr(row, column) for row in rows]
        assert values == sorted(set(values))
    assert all(row.vehicle >= row.large >= row.small for row in rows)


@rule("4.1.4.2.4", "4.1.4.2.4.1")
@pytest.mark.parametrize(("height", "divisors"), [(-1, (2, 3, 7)), (0, (2, 4, 8)), (1, (3, 5, 9)), (2, (4, 6, 10))])
def test_divisors_of_blind_zones(height: int, divisors: tuple[int, int, int]) -> None:
    assert tuple(CHARTS.blind_zones[height, levels] for levels in (1, 2, 3)) == divisors


@rule("6.2.1.1.2", "6.3.2", "6.5.2.6.1")
def test_grades() -> None:
    names = ("elite", "veteran", "seasoned", "regulars", "green")
    grades = [CHARTS.grades[name] for name in names]
    assert [grade.initiative for grade in grades] == [40, 20, 0, -20, -40]
    assert [grade.command_range for grade in grades] == [2, 1, 1, 0, 0]
    assert [grade.bail_out for grade in grades] == [5, 0, 0, 0, -5]


@rule("6.2.1.1")
def test_available_commands_never_fall_below_one() -> None:
    assert CHARTS.available["green"].available(1) == 1
    assert CHARTS.available["regulars"].available(24) == 7
    counts = [[CHARTS.available[grade].available(units) for units in range(1, 41)] for grade in CHARTS.available]
    assert all(row == sorted(row) for row in counts)
    assert all(better >= worse for one, two in pairwise(counts) for better, worse in zip(one, two, strict=True))


@rule("6.5.2.6.1", "6.5.2.6.2", "6.5.2.6.2-kobu")
def test_the_three_cells_of_the_bail_out_table_that_the_text_prints() -> None:
    assert CHARTS.bail_out["tk", "crew"].roll == 30
    assert CHARTS.bail_out["ap no damage", "passenger"].roll == 50
    assert CHARTS.bail_out["knocked out", "towed"].roll == 61


@rule("4.2-fire", "4.2-move", "4.2-short-halt", "4.2-overwatch", "4.2-nc")
def test_what_the_commands_allow() -> None:
    rows = {name: (row.fires, row.moves, row.overwatch, row.forced) for name, row in CHARTS.commands.items()}
    assert rows == {
        "fire": (True, False, False, True),
        "move": (False, True, False, True),
        "short halt": (True, True, False, True),
        "overwatch": (False, False, True, False),
        "no command": (False, False, False, False),
    }


@rule("4.4.3.2.3")
def test_the_hit_table_follows_its_formula() -> None:
    base = dict(zip(BANDS, (0.85, 0.70, 0.50, 0.30, 0.15), strict=True))
    for row in CHARTS.hit.values():
        for band in BANDS:
            logit = math.log(base[band] / (1 - base[band])) + 0.25 * row.modifier
            wanted = 100 / (1 + math.exp(-logit))
            assert abs(row.number(band) - wanted) <= 2.0 or row.modifier <= -9


@rule("4.5.1.1.1")
def test_the_card_that_the_text_quotes() -> None:
    found = [each for each in CHARTS.vehicles.values() if each.name.startswith("SU-76M")]
    assert [(each.m_cc, each.traction, each.path, each.road) for each in found][:1] == [(5, "T", 6, 10)]


@rule("4.4.3.2.2-size", "4.4.3.1", "6.5.2.3")
def test_cards_stay_within_the_limits_of_the_text() -> None:
    for each in CHARTS.vehicles.values():
        assert each.size in range(-2, 3)
        assert each.tt in (0, 1, 2, 3, 360)
        if each.target == "S":
            assert not any(armor(CHARTS, each, "level", "front", code) for code in ("TF", "HF"))


@rule("4.4.3.2.5")
def test_the_armor_of_the_basic_game_is_the_weaker_of_turret_and_hull() -> None:
    for each in CHARTS.vehicles.values():
        front = [armor(CHARTS, each, "level", "front", code) for code in ("TF", "HF")]
        rear = [armor(CHARTS, each, "level", "rear", code) for code in ("TR", "HR")]
        assert (each.basic_front, each.basic_rear) == (min(front), min(rear))


@rule("6.5.2.3")
def test_falling_shot_meets_no_more_armor_than_rising_shot() -> None:
    tank = vehicle("t34_41")
    level, falling, rising = (CHARTS.armour[tank.id, shot].front_hf for shot in ("level", "falling", "rising"))
    assert falling <= level <= rising


@rule("5.16.2", "5.16.2.4")
def test_a_towed_gun_has_one_limit_for_its_plain_ap_rounds() -> None:
    """The limit on the unit's card is that of its weapon's AP row: the 25-pdr has few AP rounds, wherever it stands."""
    limits = {
        gun.id: (row.ammo_limit, gun.ammo_basic.split()[0])
        for gun in CHARTS.guns.values()
        for row in CHARTS.rows_of(gun.weapon, "T", "AP")
        if row.ammo == "AP" and row.ammo_limit
    }
    assert limits["b_25pdr"] == ("A4", "A4")
    assert {name for name, (row, card) in limits.items() if row != card} == set()
