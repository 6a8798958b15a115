"""Weapons effectiveness: class of weapon, target and range."""

from __future__ import annotations

from fractions import Fraction

import pytest

from opfire.rulesets.panzerblitz_miniatures.fire.effectiveness import (
    air_effectiveness,
    effectiveness,
    no_effect,
    out_of_range,
)
from rules.panzerblitz_miniatures.kit import CHARTS, apart, rule


def times(weapon: str, target: str, range: int, inches: float | Fraction) -> Fraction:
    """The multiplier of a weapon of this range at this distance."""
    return effectiveness(CHARTS, weapon, target, range, apart(inches)).value


@rule("WECT-1")
def test_WECT_1_small_arms_harm_armor_at_range_0_only() -> None:
    assert times("I", "armored", 8, 0) == 1
    assert times("I", "armored", 8, Fraction(1, 1000)) == 0


@rule("WECT-1", "WEC-2")
def test_WECT_1_small_arms_double_up_to_half_range_rounded_down() -> None:
    assert times("I", "non-armored", 8, 4) == 2
    assert times("I", "non-armored", 8, Fraction(4001, 1000)) == 1
    assert times("I", "non-armored", 8, 8) == 1
    assert times("I", "non-armored", 5, 2) == 2  # half of 5 is 2
    assert times("I", "non-armored", 5, Fraction(2001, 1000)) == 1
    assert times("I", "non-armored", 8, 0) == 2


@rule("WECT-2")
def test_WECT_2_mortars_double_against_what_is_not_armored() -> None:
    assert times("M", "armored", 24, 24) == 1
    assert times("M", "non-armored", 24, 24) == 2


@rule("WECT-3")
def test_WECT_3_guns_by_exact_thirds_of_their_range() -> None:
    assert times("A", "armored", 24, 8) == 2
    assert times("A", "armored", 24, Fraction(8001, 1000)) == Fraction(3, 2)
    assert times("A", "armored", 24, 16) == Fraction(3, 2)
    assert times("A", "armored", 24, Fraction(16001, 1000)) == 1
    assert times("A", "armored", 24, 24) == 1
    assert times("A", "armored", 20, Fraction(6666, 1000)) == 2  # a third of 20 is 6.666...
    assert times("A", "armored", 20, Fraction(6667, 1000)) == Fraction(3, 2)
    assert times("A", "non-armored", 24, 1) == Fraction(1, 2)


@rule("WECT-4")
def test_WECT_4_missiles_are_normal_against_armor_and_quartered_otherwise() -> None:
    assert times("G", "armored", 30, 30) == 1
    assert times("G", "non-armored", 30, 3) == Fraction(1, 4)


@rule("WECT-5")
@pytest.mark.parametrize("weapon", ["H", "(H)", "AA"])
def test_WECT_5_high_explosive_by_metres_against_armor(weapon: str) -> None:
    assert times(weapon, "armored", 20, 4) == 1  # 500 m
    assert times(weapon, "armored", 20, Fraction(4001, 1000)) == Fraction(3, 4)
    assert times(weapon, "armored", 20, 8) == Fraction(3, 4)  # 1000 m
    assert times(weapon, "armored", 20, Fraction(8001, 1000)) == Fraction(1, 2)
    assert times(weapon, "non-armored", 20, 20) == 1


@rule("WECT-6")
@pytest.mark.parametrize("weapon", ["I", "H", "AA"])
def test_WECT_6_aircraft_by_thirds(weapon: str) -> None:
    assert [times(weapon, "aircraft", 12, inches) for inches in (4, 8, 12)] == [2, Fraction(3, 2), 1]


@rule("WECT-6")
@pytest.mark.parametrize("weapon", ["A", "(H)", "M", "G", "C"])
def test_WECT_6_no_other_class_has_an_effect_on_aircraft(weapon: str) -> None:
    assert times(weapon, "aircraft", 12, 1) == 0
    assert no_effect(CHARTS, "StuG", weapon, "aircraft", 12, apart(1)) is not None


@rule("WEC-1")
def test_WEC_1_the_multiplier_says_its_band_and_its_rule() -> None:
    factor = effectiveness(CHARTS, "A", "armored", 24, apart(10))
    assert factor.rule == "WECT-3"
    assert factor.label == "Class A against armored, up to 2/3 of range 24"


@rule("WECT-1")
def test_WECT_1_a_refusal_says_that_small_arms_cannot_harm_armor() -> None:
    refusal = no_effect(CHARTS, "Rifle platoon", "I", "armored", 8, apart(2))
    assert refusal is not None
    assert refusal.rule == "WEC-1"


@rule("DF-3", "EQP-11")
def test_DF_3_the_range_itself_is_in_range() -> None:
    assert out_of_range("Tiger I", 24, apart(24)) is None
    refusal = out_of_range("Tiger I", 24, apart(24) + 1)
    assert refusal is not None
    assert refusal.rule == "DF-3"


@rule("ASP-2", "ASP-3", "ASP-4", "ASP-5", "ASP-7")
def test_ASP_aircraft_weapons_have_no_bands() -> None:
    half, one, none = Fraction(1, 2), Fraction(1), Fraction(0)
    expected = {"A": (one, half), "H": (half, one), "I": (none, one), "G": (one, half)}
    for weapon, (armored, other) in expected.items():
        assert air_effectiveness(CHARTS, weapon, "armored").value == armored
        assert air_effectiveness(CHARTS, weapon, "non-armored").value == other
