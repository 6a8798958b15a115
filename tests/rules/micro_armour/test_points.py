"""The movement points that transport takes [8.4]."""

from __future__ import annotations

from opfire.rulesets.micro_armour.moving.points import handling
from opfire.space.measure import MICRO
from rules.micro_armour.kit import rule


@rule("8.4.2", "8.4.3", "8.4.6", "8.4.7-cost")
def test_8_4_personnel_costs_half_rounded_up_and_a_weapon_everything() -> None:
    assert [handling(points * MICRO, weapon=False) // MICRO for points in (3, 10, 15)] == [2, 5, 8]
    assert handling(15 * MICRO, weapon=True) == 15 * MICRO
