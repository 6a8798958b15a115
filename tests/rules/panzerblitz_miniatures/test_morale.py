"""Morale and recovery."""

from __future__ import annotations

from fractions import Fraction

import pytest

from opfire.core.events import Line
from opfire.rulesets.panzerblitz_miniatures.morale import check, dispersed, recovered, recovery, turn_ends
from rules.panzerblitz_miniatures.kit import CHARTS, rule

PLUS_TWO = (Line("modifier", "M+2", "+2", "COM-11", 2),)


@rule("MOR-3")
@pytest.mark.parametrize(("level", "passes"), [("high", 5), ("normal", 4), ("fair", 3), ("poor", 2)])
def test_MOR_3_a_roll_up_to_the_level_passes(level: str, passes: int) -> None:
    calculation = check(CHARTS, "Tiger I", level)
    assert calculation.result((passes,)) == "passes"
    assert calculation.result((passes + 1,)) == "fails"
    assert calculation.chances()["passes"] == Fraction(passes, 6)


@rule("MOR-1")
def test_MOR_1_low_is_fair_and_good_is_normal() -> None:
    assert check(CHARTS, "T-55", "low").chances() == check(CHARTS, "T-55", "fair").chances()
    assert check(CHARTS, "T-55", "good").chances() == check(CHARTS, "T-55", "normal").chances()


@rule("MOR-3", "COM-11")
def test_MOR_3_modifiers_are_added_to_the_die() -> None:
    calculation = check(CHARTS, "Tiger I", "normal", PLUS_TWO)
    assert calculation.result((2,)) == "passes"
    assert calculation.result((3,)) == "fails"
    assert calculation.modifier == 2
    assert [line.rule for line in calculation.lines] == ["MOR-3", "COM-11"]


@rule("MOR-3")
def test_MOR_3_poor_morale_at_plus_two_always_fails() -> None:
    assert check(CHARTS, "Tiger I", "poor", PLUS_TWO).chances() == {"fails": Fraction(1)}


@rule("REC-2", "REC-4")
def test_REC_2_a_unit_recovers_by_its_morale_and_a_failure_changes_nothing() -> None:
    calculation = recovery(CHARTS, "Tiger I", "fair")
    assert calculation.result((3,)) == "recovering"
    assert calculation.result((4,)) == "dispersed"
    assert set(calculation.outcomes) == {"recovering", "dispersed"}


@rule("REC-3")
def test_REC_3_a_unit_that_recovers_counts_as_dispersed_until_the_turn_ends() -> None:
    assert dispersed("dispersed")
    assert dispersed("recovering")
    assert not dispersed("good order")
    assert turn_ends("recovering") == "good order"
    assert turn_ends("dispersed") == "dispersed"
    assert turn_ends("good order") == "good order"


@rule("REC-3")
def test_REC_3_by_the_other_reading_a_recovered_unit_is_ready_when_its_segment_ends() -> None:
    assert recovered("segment", frozenset()) == "recovering"
    assert recovered("segment", frozenset({"R5"})) == "good order"
    assert recovered("turn", frozenset()) == "good order"
