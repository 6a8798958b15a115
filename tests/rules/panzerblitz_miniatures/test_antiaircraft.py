"""Air combat, anti-aircraft defense and collective ground fire."""

from __future__ import annotations

from fractions import Fraction

import pytest

from opfire.rulesets.panzerblitz_miniatures.airpower.antiaircraft import (
    aa_column,
    aircraft_after,
    antiaircraft,
    collective_fire,
    not_antiaircraft,
)
from opfire.rulesets.panzerblitz_miniatures.fire.combat import Factor, Strength
from rules.panzerblitz_miniatures.kit import CHARTS, rule


@rule("AIC-2", "AIC-1")
def test_AIC_2_twenty_four_factors_at_plus_one_and_a_four_damage_the_aircraft() -> None:
    guns = [Strength("Flakvierling", 14), Strength("Flak 38", 10)]
    calculation = antiaircraft(CHARTS, guns, "Il-2", 1)
    assert (calculation.column, calculation.modifier) == ("20-25", 1)
    assert calculation.result((4,)) == "D"


@rule("AAT-1")
@pytest.mark.parametrize(
    ("factors", "column"),
    [
        (Fraction(4), "4-7"),
        (Fraction(15, 2), "4-7"),
        (Fraction(8), "8-11"),
        (Fraction(23, 2), "8-11"),
        (12, "12-15"),
        (19, "16-19"),
        (20, "20-25"),
        (Fraction(51, 2), "20-25"),
        (26, "26-35"),
        (36, "36+"),
        (90, "36+"),
    ],
)
def test_AAT_1_the_column_that_the_sum_reaches(factors: Fraction, column: str) -> None:
    assert aa_column(CHARTS, Fraction(factors)) == column


@rule("AAT-1")
def test_AAT_1_less_than_four_factors_have_no_effect_and_no_die() -> None:
    assert aa_column(CHARTS, Fraction(7, 2)) is None
    calculation = antiaircraft(CHARTS, [Strength("Flak 38", 3)], "Il-2", 0)
    assert (calculation.count, calculation.outcomes) == (0, ("none",))


@rule("AAT-1")
def test_AAT_1_a_modified_die_over_six_has_no_effect() -> None:
    calculation = antiaircraft(CHARTS, [Strength("Flak", 40)], "Fw 190 F", 1)
    assert calculation.result((5,)) == "D"
    assert calculation.result((6,)) == "none"


@rule("AAT-1")
def test_AAT_1_a_modified_die_below_one_counts_as_one() -> None:
    calculation = antiaircraft(CHARTS, [Strength("Flak", 4)], "Po-2", -1)
    assert [calculation.result((die,)) for die in (1, 2, 3)] == ["D", "D", "none"]


@rule("AIC-1", "WECT-6")
def test_AIC_1_effectiveness_comes_before_the_sum() -> None:
    double = (Factor("Class AA against aircraft", Fraction(2), "WECT-6"),)
    guns = [Strength("Flak 38", 4, double), Strength("Flak 38", 4, double)]
    assert antiaircraft(CHARTS, guns, "Il-2", 0).column == "16-19"


@rule("AAD-2")
def test_AAD_2_only_units_for_it_fire_at_aircraft() -> None:
    assert not_antiaircraft(CHARTS.kinds["wirbelwind"]) is None
    refusal = not_antiaircraft(CHARTS.kinds["tiger-i"])
    assert refusal is not None
    assert refusal.rule == "AAD-2"


@rule("AAT-2")
def test_AAT_2_damage_and_destruction() -> None:
    assert aircraft_after("flying", "D") == "damaged"
    assert aircraft_after("flying", "X") == "destroyed"
    assert aircraft_after("flying", "none") == "flying"
    assert aircraft_after("damaged", "none") == "damaged"


@rule("CGF-4", "CGF-2")
def test_CGF_4_collective_fire_uses_the_column_of_four_and_damages_twice() -> None:
    calculation = collective_fire(CHARTS, "Il-2", 0)
    assert calculation.column == "4-7"
    assert calculation.chances() == {"D": Fraction(1, 6), "none": Fraction(5, 6)}
    assert aircraft_after("damaged", "D") == "destroyed"
