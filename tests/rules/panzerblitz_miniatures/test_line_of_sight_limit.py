"""The limit of lines of sight, by visibility and target."""

from __future__ import annotations

from fractions import Fraction

import pytest

from opfire.rulesets.panzerblitz_miniatures.sighting.visibility import beyond_sight, sight_limit, sight_limit_if_fired
from rules.panzerblitz_miniatures.kit import CHARTS, apart, rule


@rule("LLT-1", "LOS-4")
def test_LLT_1_a_target_that_has_fired_is_seen_farther() -> None:
    assert sight_limit(CHARTS, "good", "heavy", "cover") == 2
    assert sight_limit_if_fired(CHARTS, "good", "heavy", "cover") == 10
    assert sight_limit_if_fired(CHARTS, "poor", "light", "clear") == 5


@rule("LLT-1")
@pytest.mark.parametrize(
    ("size", "ground", "fired", "limit"),
    [
        ("heavy", "clear", False, Fraction(13)),
        ("light", "clear", False, Fraction(13, 2)),
        ("heavy", "cover", False, Fraction(13, 10)),
        ("heavy", "cover", True, Fraction(13, 2)),
        ("light", "cover", True, Fraction(13, 3)),
        ("light", "cover", False, Fraction(1)),
    ],
)
def test_LLT_1_variable_visibility_depends_on_the_roll(size: str, ground: str, fired: bool, limit: Fraction) -> None:
    limit_of = sight_limit_if_fired if fired else sight_limit
    assert limit_of(CHARTS, "variable", size, ground, 13) == limit


@rule("LLT-1")
def test_LLT_1_even_the_least_roll_shows_an_inch() -> None:
    assert sight_limit(CHARTS, "variable", "heavy", "cover", 1) == 1


@rule("LOS-3", "LOS-2")
def test_LOS_3_nobody_fires_or_spots_beyond_the_limit() -> None:
    assert beyond_sight("T-34", Fraction(20), apart(20)) is None
    refusal = beyond_sight("T-34", Fraction(20), apart(20) + 1)
    assert refusal is not None
    assert refusal.rule == "LOS-3"
