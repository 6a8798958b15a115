"""The movement points that transport takes [8.4, 12.7]."""

from __future__ import annotations

import pytest

from opfire.rulesets.micro_armour.moving.points import handling, load_modifier
from opfire.space.measure import MICRO
from rules.micro_armour.kit import rule
from rules.micro_armour.marches import CHARTS


@rule("8.4.2", "8.4.3", "8.4.6", "8.4.7-cost")
def test_8_4_personnel_costs_half_rounded_up_and_a_weapon_everything() -> None:
    assert [handling(points * MICRO, weapon=False) // MICRO for points in (3, 10, 15)] == [2, 5, 8]
    assert handling(15 * MICRO, weapon=True) == 15 * MICRO


@rule("12.7")
@pytest.mark.parametrize(("ground", "tracks", "wheels"), [("road", -4, -4), ("track", -4, -6), ("other", -6, -8)])
def test_12_7_loaded_carriers_lose_points_by_their_ground(ground: str, tracks: int, wheels: int) -> None:
    assert load_modifier(CHARTS, ground, "T", 0) == tracks  # type: ignore[arg-type]
    assert load_modifier(CHARTS, ground, "W", 0) == wheels  # type: ignore[arg-type]
    assert load_modifier(CHARTS, ground, "W", 2) == wheels - 4  # type: ignore[arg-type]
