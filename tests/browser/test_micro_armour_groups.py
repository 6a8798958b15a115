"""Micro Armour in the browser: many stands join a movement group at once [8.1.1]."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from browser import gunnery
from browser.table import Table
from opfire.core.match import Match
from opfire.rulesets.micro_armour.postures import Grouping, Mark, NoMoreGroups

ROW = gunnery.BATTLE.replace('at = ["20,15"]', 'at = ["20,11"]').replace(
    '{unit = "ger-105mm-ifh18-2", at = ["3,20"]}',
    ", ".join(f'{{unit = "ger-infantry-43", at = ["12,{y}"]}}' for y in (10, 11, 12, 13)),
)
"""Four stands of infantry in a row, german-2 to german-5."""


def forming(match: Match) -> None:
    """The Germans have marked the first of the row for a group."""
    mark = Mark("german-2", "movement")
    while not isinstance(match.game.stack[-1], Grouping):
        (seat,) = match.game.deciders()
        match.play(seat, mark if seat == "german" else NoMoreGroups())


@pytest.mark.rule("micro-armour", "8.1.1")
def test_8_1_1_stands_within_a_lasso_join_the_group_together(table: Table) -> None:
    table.sit(table.host.begin(ROW, forming), "german")
    table.lasso("german-3", "german-4", "german-5")
    group = table.find("formation")
    expect(group).to_contain_text("Group of 3 stands")
    group.get_by_role("button", name="Join the group").click()
    expect(group).to_have_count(0)
    table.offer("The group is complete").click()
    expect(table.page.locator(".counters [data-unit^=german] [data-outline=arrow]")).to_have_count(4)
