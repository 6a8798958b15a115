"""Command control."""

from __future__ import annotations

from opfire.core.actions import Refusal
from opfire.rulesets.panzerblitz_miniatures.command import out_of_command
from rules.panzerblitz_miniatures.kit import CHARTS, apart, rule


def cited(refusal: Refusal | None) -> str | None:
    """The rule of a refusal."""
    return refusal.rule if refusal else None


@rule("CMD-2", "CMD-3")
def test_CMD_3_twenty_inches_are_within_the_radius_and_the_least_more_is_not() -> None:
    assert out_of_command(CHARTS, "Tiger I", [apart(20)]) is None
    assert cited(out_of_command(CHARTS, "Tiger I", [apart(20) + 1])) == "CMD-2"


@rule("CMD-2")
def test_CMD_2_one_of_several_posts_is_enough() -> None:
    assert out_of_command(CHARTS, "Tiger I", [apart(30), apart(12)]) is None


@rule("CMD-1", "CMD-2")
def test_CMD_2_a_unit_without_a_post_left_is_out_of_command() -> None:
    assert cited(out_of_command(CHARTS, "Tiger I", [])) == "CMD-2"


@rule("CMD-3")
def test_CMD_3_a_scenario_may_change_the_radius() -> None:
    refusal = out_of_command(CHARTS, "Tiger I", [apart(16)], radius=15)
    assert refusal is not None
    assert refusal.facts == ("Tiger I", 15)
    assert out_of_command(CHARTS, "Tiger I", [apart(15)], radius=15) is None
