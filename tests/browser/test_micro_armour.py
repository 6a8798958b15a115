"""Micro Armour in the browser: the table opens, stands take postures, a phase follows the other [4.0]."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

import pytest
from playwright.sync_api import Page, expect

from browser.host import Host
from browser.table import Table
from opfire.core import scenario as scenarios
from opfire.core.match import Match
from opfire.rulesets.micro_armour.postures import NoMoreGroups, PostureDetermination

EVENING = scenarios.files()["armour-first-evening"].read_text(encoding="utf-8")


def set_up(match: Match) -> None:
    """Both sides set up at random and form no group, until the Germans are asked for single stands."""
    rng = Random(1)
    while True:
        (seat,), frame = match.game.deciders(), match.game.stack[-1]
        if not isinstance(frame, PostureDetermination):
            match.play(seat, match.game.choices(seat).sample(rng))
        elif frame.groups or seat != "german":
            match.play(seat, NoMoreGroups())
        else:
            return


@pytest.fixture
def zelenka(page: Page, at_table: Callable[[Page, Host], Table], host: Host) -> Table:
    """The German table of a first evening, when postures are determined."""
    table = at_table(page, host)
    table.sit(host.begin(EVENING, set_up), "german")
    return table


def test_4_0_the_table_opens_and_its_track_names_the_phases(zelenka: Table) -> None:
    zelenka.asks("Mark a single stand to move")
    track = zelenka.find("track")
    expect(track).to_contain_text("Posture determination")
    expect(zelenka.page.locator(".counters [data-unit^=german]")).to_have_count(10)


def test_8_1_a_stand_takes_a_posture_and_wears_it(zelenka: Table) -> None:
    zelenka.asks("Mark a single stand to move")
    zelenka.unit("german-9").click()
    zelenka.page.get_by_role("button", name="movement posture").first.click()
    expect(zelenka.find("log")).to_contain_text("movement posture")
    expect(zelenka.unit("german-9").get_by_role("img")).to_have_accessible_name(re.compile("moving"))
    expect(zelenka.unit("german-9").locator("[data-outline=arrow]")).to_be_attached()


def test_3_2_stands_are_squares_that_turn_with_their_facing(zelenka: Table) -> None:
    stand = zelenka.unit("german-9").locator("[data-outline]")
    expect(stand).to_have_attribute("transform", "rotate(90)")
