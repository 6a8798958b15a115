"""Combat: odds, the table, and the effects of results."""

from __future__ import annotations

from fractions import Fraction

import pytest

from opfire.core.events import Line
from opfire.rulesets.panzerblitz_miniatures.fire.combat import (
    Factor,
    Strength,
    fates,
    harm,
    mixed,
    odds_column,
    resolve,
    sufferers,
)
from opfire.rulesets.panzerblitz_miniatures.fire.modifiers import modifier
from rules.panzerblitz_miniatures.kit import CHARTS, rule

NONE: frozenset[str] = frozenset()


def duel(attack: int | Fraction, defence: int, *modifiers: Line, options: frozenset[str] = NONE):
    """An attack with nothing but its strengths and modifiers."""
    whole = Fraction(attack)
    firer = Strength("attacker", whole.numerator, (Factor("part", Fraction(1, whole.denominator), "WEC-2"),))
    return resolve(CHARTS, "Direct fire", "DF-7", [firer], Strength("defender", defence), modifiers, options)


# --- odds ---------------------------------------------------------------------------------------------------


@rule("COM-2", "COM-1")
def test_COM_2_eleven_against_three_is_three_and_a_half_to_one() -> None:
    assert odds_column(CHARTS, Fraction(11), Fraction(3)) == "3.5-1"


@rule("COM-1")
@pytest.mark.parametrize(
    ("attack", "defence", "column"),
    [
        (1, 4, "1-4"),
        (1, 3, "1-3"),
        (2, 4, "1-2"),
        (99, 100, "1-2"),
        (1, 1, "1-1"),
        (3, 2, "3-2"),
        (149, 100, "1-1"),
        (2, 1, "2-1"),
        (5, 2, "2.5-1"),
        (299, 100, "2.5-1"),
        (3, 1, "3-1"),
        (7, 2, "3.5-1"),
        (399, 100, "3.5-1"),
        (4, 1, "4-1"),
    ],
)
def test_COM_1_the_ratio_is_rounded_down_for_the_defender(attack: int, defence: int, column: str) -> None:
    assert odds_column(CHARTS, Fraction(attack), Fraction(defence)) == column


@rule("COM-1", "WEC-2")
def test_COM_1_fractions_of_strength_count() -> None:
    assert odds_column(CHARTS, Fraction(13, 2), Fraction(13)) == "1-2"
    assert odds_column(CHARTS, Fraction(13, 2) - Fraction(1, 4), Fraction(13)) == "1-3"


@rule("COM-8")
def test_COM_8_less_than_one_to_four_has_no_effect_and_no_die_is_rolled() -> None:
    assert odds_column(CHARTS, Fraction(249, 1000), Fraction(1)) is None
    calculation = duel(1, 5)
    assert (calculation.count, calculation.chances(), calculation.result(())) == (0, {"none": Fraction(1)}, "none")


@rule("COM-8")
def test_COM_8_more_than_four_to_one_is_four_to_one() -> None:
    assert odds_column(CHARTS, Fraction(90), Fraction(3)) == "4-1"


# --- the table ----------------------------------------------------------------------------------------------


@rule("COM-3", "CRT-1")
def test_COM_3_the_die_and_its_modifiers_give_the_row() -> None:
    assert duel(6, 6).outcomes == ("D", "DD", "M+2", "M+1", "M", "AM")
    assert duel(6, 6, modifier(CHARTS, "bystander")).outcomes == ("DD", "M+2", "M+1", "M", "AM", "AM+1")


@rule("CRT-1")
def test_CRT_1_rows_beyond_the_table_are_its_first_and_last() -> None:
    low = Line("modifier", "much", "-9", "COM-3", -9)
    high = Line("modifier", "much", "+9", "COM-3", 9)
    assert set(duel(1, 4, low).outcomes) == {"DD"}
    assert set(duel(1, 4, high).outcomes) == {"AX"}


@rule("CRT-1")
def test_CRT_1_the_regular_table_is_an_option() -> None:
    assert duel(2, 1).outcomes == ("X", "D", "DD", "M+2", "M+1", "M")
    assert duel(2, 1, options=frozenset({"R41"})).outcomes == ("X", "D", "D", "DD", "M+2", "M+1")


@rule("WEC-3", "WEC-2")
def test_WEC_3_half_of_13_is_6_and_a_half_and_stays_so() -> None:
    gun = Strength("T-34", 13, (Factor("Class A against non-armored", Fraction(1, 2), "WECT-3"),))
    assert gun.effective == Fraction(13, 2)
    assert mixed(gun.effective) == "6 1/2"
    calculation = resolve(CHARTS, "Direct fire", "DF-7", [gun], Strength("Rifle platoon", 13), (), NONE)
    assert calculation.column == "1-2"


@rule("DF-5", "WEC-1", "HIL-1")
def test_DF_5_attackers_are_modified_one_by_one_and_then_added() -> None:
    near = Strength("Panther", 16, (Factor("Class A, up to 1/3", Fraction(2), "WECT-3"),))
    far = Strength("Tiger", 15, (Factor("Class A", Fraction(3, 2), "WECT-3"), Factor("Crest", Fraction(1, 2), "HIL-1")))
    calculation = resolve(CHARTS, "Direct fire", "DF-7", [near, far], Strength("T-34", 9), (), NONE)
    # 32 and 11 1/4 against 9
    assert calculation.column == "4-1"
    values = [(line.kind, line.value, line.rule) for line in calculation.lines]
    assert ("attack", "11 1/4", "EQP-9") in values
    assert ("factor", "x 1/2", "HIL-1") in values
    assert values[-1] == ("odds", "4-1", "COM-1")
    assert calculation.lines[-1].label == "Odds 43 1/4 to 9"


@rule("COM-1")
def test_terrain_adds_to_the_defence_before_the_odds() -> None:
    town = Line("defence", "Town", "+5", "TEC-15", 5)
    firer = Strength("StuG", 12)
    calculation = resolve(CHARTS, "Direct fire", "DF-7", [firer], Strength("Rifle platoon", 7, added=(town,)), (), NONE)
    assert calculation.column == "1-1"
    assert "TEC-15" in [line.rule for line in calculation.lines]


# --- results ------------------------------------------------------------------------------------------------


@rule("COM-9")
def test_COM_9_X_destroys() -> None:
    for status in ("good order", "dispersed", "recovering"):
        assert harm(CHARTS, "X", status, NONE).does == "destroyed"


@rule("COM-10")
def test_COM_10_DD_disperses_or_destroys_a_dispersed_unit() -> None:
    assert harm(CHARTS, "DD", "good order", NONE).does == "dispersed"
    assert harm(CHARTS, "DD", "dispersed", NONE).does == "destroyed"
    assert harm(CHARTS, "DD", "recovering", NONE).does == "destroyed"


@rule("COM-14")
def test_COM_14_D_destroys_a_dispersed_unit_or_by_the_other_reading_leaves_it() -> None:
    assert harm(CHARTS, "D", "good order", NONE).does == "dispersed"
    assert harm(CHARTS, "D", "dispersed", NONE).does == "destroyed"
    assert harm(CHARTS, "D", "dispersed", frozenset({"R1"})).does == "none"
    assert harm(CHARTS, "D", "good order", frozenset({"R1"})).does == "dispersed"
    assert harm(CHARTS, "AD", "dispersed", frozenset({"R1"})).does == "none"
    assert harm(CHARTS, "DD", "dispersed", frozenset({"R1"})).does == "destroyed"


@rule("COM-11", "COM-12")
@pytest.mark.parametrize(("result", "drm"), [("M", 0), ("M+1", 1), ("M+2", 2), ("AM+2", 2)])
def test_COM_11_morale_results_ask_for_a_check(result: str, drm: int) -> None:
    effect = harm(CHARTS, result, "good order", NONE)
    assert effect.does == "check"
    assert sum(line.amount for line in effect.modifiers) == drm


@rule("COM-13")
@pytest.mark.parametrize("result", ["AM", "AM+1", "AM+2", "ADD", "AD", "AX"])
def test_COM_13_a_leading_A_strikes_every_attacker(result: str) -> None:
    assert sufferers(CHARTS, result, target="T-34", attackers=("Tiger", "Panther")) == ("Tiger", "Panther")


@rule("COM-9", "CRT-1")
def test_other_results_strike_the_target_and_no_effect_strikes_nobody() -> None:
    assert sufferers(CHARTS, "M+1", target="T-34", attackers=("Tiger",)) == ("T-34",)
    assert sufferers(CHARTS, "none", target="T-34", attackers=("Tiger",)) == ()


@rule("COM-11", "COM-12", "MOR-5")
def test_MOR_5_the_exact_chances_of_each_fate_of_the_target() -> None:
    # 1-1: D, DD, M+2, M+1, M, AM; normal morale passes with 4
    checks = Fraction(4, 6) + Fraction(3, 6) + Fraction(2, 6)  # failures of M+2, M+1 and M
    fresh = fates(CHARTS, duel(6, 6), "normal", "good order", NONE)
    assert fresh["dispersed"] == (2 + checks) / 6
    assert fresh["good order"] == 1 - fresh["dispersed"]
    again = fates(CHARTS, duel(6, 6), "normal", "dispersed", NONE)
    assert again["destroyed"] == (2 + checks) / 6
    assert again["dispersed"] == 1 - again["destroyed"]
