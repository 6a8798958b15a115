"""Headquarters [10.1]: who may take command, and how well."""

from __future__ import annotations

import pytest

from opfire.rulesets.micro_armour.moving.orders import cannot_succeed, new_quality, succession
from rules.micro_armour.kit import rule
from rules.micro_armour.marches import CHARTS


@rule("10.1.7-roll")
@pytest.mark.parametrize(
    ("nation", "modifier"),
    [("german", 3), ("american", 3), ("british", 4), ("soviet", 5), ("italian", 5)],
)
def test_10_1_7_the_roll_for_command_by_nation(nation: str, modifier: int) -> None:
    assert succession(CHARTS, nation) == modifier


@rule("10.1.7-limits")
@pytest.mark.parametrize(
    ("cohesion", "general", "headquarters", "wanted"),
    [
        (15, True, False, True),
        (14, True, False, False),
        (14, True, True, True),
        (13, False, False, True),
        (12, False, True, False),
        (12, True, True, False),
    ],
)
def test_10_1_7_low_cohesion_limits_the_successors(
    cohesion: int, general: bool, headquarters: bool, wanted: bool
) -> None:
    assert (cannot_succeed(cohesion, general, headquarters) is None) == wanted


@rule("10.1.7-quality")
@pytest.mark.parametrize(("rolled", "quality"), [(1, -1), (5, -1), (6, 0), (16, 0), (17, 1), (19, 1), (20, 2)])
def test_10_1_7_the_quality_of_a_new_general_headquarters(rolled: int, quality: int) -> None:
    assert new_quality(CHARTS, rolled) == quality
