"""Warnings before a decision: dangers on the way, fire that is to fall, odds as they are built."""

from __future__ import annotations

import random
import re

import pytest
from playwright.sync_api import expect

from browser import positions
from browser.table import Table
from opfire.core.match import Match
from opfire.core.scenario import text_of
from opfire.rulesets.case_orange.indirect import DeclareFire

FIRST, RIFLES = "german-1", "soviet-1"
MINED = (
    positions.MEADOW
    + """
[[markers]]
side = "soviet"
kind = "mines"
value = "1:1"
at = ["2-U2"]

[[markers]]
kind = "block"
at = ["2-V2"]
"""
)
STREWN = (
    positions.MEADOW
    + """
[[markers]]
kind = "block"
at = ["2-U2"]

[[markers]]
kind = "wreck"
at = ["2-W2"]
"""
)


def one_declared(match: Match) -> None:
    """Random play until a mortar has declared its fire from the hip."""
    rng = random.Random(1)
    while True:
        [seat, *_] = match.game.deciders()
        offers = [each for each in match.game.choices(seat) if isinstance(each, DeclareFire)]
        match.play(seat, offers[0] if offers else match.game.choices(seat).sample(rng))
        if offers:
            return


def test_known_mines_on_a_path_are_told_before_the_move(table: Table) -> None:
    table.sit(table.host.begin(MINED, positions.vehicles), "german")
    table.unit(FIRST).click()
    table.hex("2-U2").click()
    warning = table.find("route").get_by_test_id("hazards")
    expect(warning).to_contain_text("On the way: Mines 1:1 in 2-U2")
    expect(warning).to_have_class(re.compile("danger"))
    expect(table.find("built")).to_contain_text("Mines 1:1 in 2-U2")
    table.stands_in(FIRST, "2-V1")


@pytest.mark.parametrize(("hex", "obstacle"), [("2-U2", "Block"), ("2-W2", "Wreck, 1 point")])
def test_a_block_or_a_wreck_on_a_path_is_told_before_the_move(table: Table, hex: str, obstacle: str) -> None:
    table.sit(table.host.begin(STREWN, positions.vehicles), "german")
    table.unit(FIRST).click()
    table.hex(hex).click()
    expect(table.find("route").get_by_test_id("hazards")).to_contain_text(f"On the way: {obstacle} in {hex}")
    expect(table.find("built")).to_contain_text(f"{obstacle} in {hex}")
    table.stands_in(FIRST, "2-V1")


def test_a_path_over_open_ground_has_no_warning(table: Table) -> None:
    table.sit(table.host.begin(MINED, positions.vehicles), "german")
    table.unit(FIRST).click()
    table.hex("2-W1").click()
    expect(table.find("route")).to_be_visible()
    expect(table.find("hazards")).to_have_count(0)


def test_declared_indirect_fire_stays_in_a_list_and_on_the_map(table: Table) -> None:
    table.sit(table.host.begin(text_of("mill-ford"), one_declared), "german", "soviet")
    missions = table.find("missions")
    expect(missions).to_contain_text("from the hip")
    expect(missions.get_by_test_id("chances").first).to_be_visible()
    expect(table.page.locator('g[data-kind="mission"]')).to_be_attached()
    table.press("done")
    expect(missions).to_have_count(0)


def test_odds_and_chances_are_spoken_as_they_are_built(table: Table) -> None:
    table.sit(table.host.begin(positions.MEADOW, positions.direct_fire), "german", "soviet")
    table.unit(FIRST).click()
    table.unit(RIFLES).click()
    spoken = table.find("built")
    expect(spoken).to_contain_text("Direct fire")
    expect(spoken).to_contain_text("1:3")
    expect(spoken).to_contain_text(re.compile(r"dispersed \d+ %"))
