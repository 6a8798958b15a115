"""Night on the table: dark ground, and the range of sight of the own side or of the chosen unit."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from browser import gunnery
from browser.steppe import FOE, INFANTRY, begun, steppe
from browser.table import Table

BY_NIGHT = steppe("2-Y2").replace("year = 1943", "year = 1943\nnight = [1]")
DARK = gunnery.GRANTS.replace('first = "german"', 'first = "german"\nsight = 10\ndarkness = 1')


@pytest.mark.rule("panzer-grenadier", "8.1")
def test_8_1_by_night_the_map_shows_the_one_hex_that_is_seen(table: Table) -> None:
    table.sit(table.host.begin(BY_NIGHT, begun()), "german", "soviet")
    expect(table.find("light")).to_contain_text("Night")
    expect(table.find("light")).to_contain_text("up to 1 hex away")
    ground = table.find("light-on-map")
    table.pick(INFANTRY)
    # Its own hex and the six around it.
    expect(ground).to_have_attribute("data-lit", "7")
    table.find("clear").click()
    table.pick(FOE)
    # 2-Y2 lies in the second column from the edge: six neighbours, too.
    expect(ground).to_have_attribute("data-lit", "7")


def test_by_day_nothing_lies_in_the_dark(table: Table) -> None:
    table.sit(table.host.begin(steppe("2-Y2"), begun()), "german", "soviet")
    expect(table.unit(INFANTRY)).to_be_visible()
    expect(table.find("light-on-map")).to_have_count(0)
    expect(table.find("light")).to_have_count(0)


@pytest.mark.rule("micro-armour", "9.6.2-dark")
def test_9_6_2_darkness_on_the_free_table_has_its_circle(table: Table) -> None:
    table.sit(table.host.begin(DARK, gunnery.fires), "soviet")
    expect(table.find("light")).to_contain_text("up to 10″ away")
    ground = table.find("light-on-map")
    # Three stands of its own look out.
    expect(ground).to_have_attribute("data-lit", "3")
    expect(ground.locator(".rim")).to_have_count(0)
    table.unit("soviet-2").click()
    expect(ground.locator(".rim")).to_have_count(1)
