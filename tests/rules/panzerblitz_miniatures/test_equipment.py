"""Game equipment: a counter's numbers on the table."""

from __future__ import annotations

import pytest

from edits import edited
from opfire.core.errors import BadInput
from opfire.rulesets.panzerblitz_miniatures.charts import DATA, load_charts
from opfire.rulesets.panzerblitz_miniatures.equipment import allowance, minimum_range, range_inches
from rules.panzerblitz_miniatures.kit import CHARTS, rule


@rule("EQP-2")
def test_EQP_2_a_range_of_8_is_16_inches() -> None:
    assert CHARTS.kinds["m4-75"].range == 8
    assert range_inches(CHARTS, CHARTS.kinds["m4-75"]) == 16


@rule("EQP-3")
@pytest.mark.parametrize(
    ("scale", "printed", "points"),
    [
        ("panzer leader", 8, 8),
        ("panzer leader", 1, 2),
        ("panzer leader", 0, 0),
        ("arab-israeli wars", 7, 14),
        ("arab-israeli wars", 1, 2),
        ("table", 1, 1),
    ],
)
def test_EQP_3_movement_of_each_family_and_of_allowance_one(scale: str, printed: int, points: int) -> None:
    assert allowance(CHARTS.scales[scale], printed) == points


@rule("IF-13", "IF-12")
def test_IF_13_a_25_pounder_reaches_140_inches_and_nothing_within_35() -> None:
    gun = CHARTS.kinds["how-25pdr"]
    assert range_inches(CHARTS, gun) == 140
    assert minimum_range(CHARTS, gun) == 35


@rule("IF-12")
def test_IF_12_a_quarter_of_the_range_is_rounded_down() -> None:
    assert minimum_range(CHARTS, CHARTS.kinds["how-105-german"]) == 16  # 64 inches
    assert minimum_range(CHARTS, CHARTS.kinds["gun-100-german"]) == 25  # 100 inches
    assert minimum_range(CHARTS, CHARTS.kinds["ig-75"]) == 6  # 24 inches
    assert minimum_range(CHARTS, CHARTS.kinds["how-75-american"]) == 12  # 50 inches: 12 1/2


@rule("IF-12")
def test_IF_12_mortars_have_no_minimum() -> None:
    assert minimum_range(CHARTS, CHARTS.kinds["mortar-81-german"]) == 0


@rule("EQP-8", "OVR-8", "AAD-2")
def test_units_that_the_text_names_are_there_and_have_its_capabilities() -> None:
    assert CHARTS.kinds["m4-75"].nation == "american"
    assert {CHARTS.kinds[id].overrun for id in ("m7", "maultier", "wespe", "hummel")} == {"never"}
    named = ("flak-20", "flak-20-4", "flak-37", "wirbelwind")
    assert all(CHARTS.kinds[id].anti_aircraft for id in named)


@rule("OVR-9")
def test_OVR_9_vehicles_with_class_I_weapons_alone_never_overrun_armor() -> None:
    overrunners = [kind for kind in CHARTS.kinds.values() if kind.weapon == "I" and kind.overrun != "never"]
    assert overrunners
    assert {kind.overrun for kind in overrunners} == {"non-armored"}


@rule("TRN-11")
def test_TRN_11_german_and_soviet_armor_carries_riders_but_no_open_topped_armor_does() -> None:
    assert CHARTS.kinds["t-34-85"].riders == "always"
    assert CHARTS.kinds["m4-75"].riders == "scenario"
    barred = ("self-propelled artillery", "armored car")
    for kind in CHARTS.kinds.values():
        if kind.riders != "never":
            assert not kind.open_topped
            assert kind.type not in barred


@rule("FIX-1", "SMF-4")
def test_SMF_4_only_vehicles_with_a_gun_split_move_and_fire() -> None:
    for kind in CHARTS.kinds.values():
        if kind.smf:
            assert kind.mode in ("W", "AO")
            assert kind.weapon in ("A", "H", "(H)")


@rule("EQP-1")
def test_a_data_pack_with_a_weapon_that_the_book_does_not_know_is_refused() -> None:
    text = edited(
        (DATA / "units.csv").read_text(encoding="utf-8"), "american,ww2,tank,11,A,", "american,ww2,tank,11,Z,", 1
    )
    with pytest.raises(BadInput, match="weapon"):
        load_charts({"units.csv": text})
