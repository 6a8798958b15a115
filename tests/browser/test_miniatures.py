"""Panzer Blitz for Miniatures in the browser: stands on the table of the mill at Lipovka, moved, measured and seen."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from browser.host import Host
from browser.mill import begun, spot
from browser.table import Table
from opfire.core.scenario import text_of


@pytest.fixture
def mill(page: Page, at_table: Callable[[Page, Host], Table], host: Host) -> Table:
    """The German's movement phase: a tank at (10, 25), a command post, and a Soviet tank east of the brook."""
    table = at_table(page, host)
    table.sit(begun(host), "german")
    table.end("Move a stand")
    return table


def test_a_tank_is_moved_and_pays_in_movement_points(mill: Table) -> None:
    mill.unit("german-1").click()
    expect(mill.find("equal-cost").first).to_be_attached()
    mill.page.mouse.move(*spot(mill, 12, 24))
    expect(mill.find("cost")).to_contain_text("movement points")
    mill.page.mouse.click(*spot(mill, 12, 24))
    mill.log("PzKw IV H")
    mill.asks("Move PzKw IV H")


def test_a_magnet_holds_a_stand_in_contact_with_another_until_it_is_switched_off(mill: Table) -> None:
    mill.unit("german-1").click()
    expect(mill.find("equal-cost").first).to_be_attached()
    mill.page.mouse.move(*spot(mill, 10.92, 26))
    expect(mill.find("ghost")).to_have_attribute("data-held", "contact")
    x, y = map(float, (mill.find("ghost").get_attribute("data-place") or "").split(","))
    assert 1 <= math.dist((x, y), (12, 26)) < 1.01
    mill.find("magnet").click()
    expect(mill.find("magnet")).to_have_attribute("aria-pressed", "false")
    mill.page.mouse.move(*spot(mill, 10.93, 26.02))
    expect(mill.find("ghost")).not_to_have_attribute("data-held", "contact")


def test_several_tapes_are_left_lying(mill: Table) -> None:
    mill.page.keyboard.press("m")
    mill.unit("german-1").click()
    mill.unit("soviet-1").click()
    mill.unit("german-2").click()
    mill.page.mouse.click(*spot(mill, 12, 20))
    expect(mill.find("tape")).to_have_count(2)
    # From (10, 25) to (36, 16), and an inch less from edge to edge.
    expect(mill.find("tapes")).to_contain_text("27.51″")
    expect(mill.find("tapes")).to_contain_text("26.51″ between their edges")
    expect(mill.find("tapes")).to_contain_text(re.compile(r"(5\.9|6)\d*″.*the ground"))
    mill.find("clear-tapes").click()
    expect(mill.find("tape")).to_have_count(0)


def test_the_stands_near_a_point_are_listed(mill: Table) -> None:
    """From (10, 25) it is an inch more than 27 to the tank at (36, 16), and little more than 2 to the post."""
    mill.page.keyboard.press("m")
    mill.unit("german-1").click()
    mill.find("near-inches").fill("10")
    expect(mill.find("near-stands").locator("li")).to_have_count(1)
    expect(mill.find("near-stands")).to_contain_text("2.24″")
    expect(mill.find("near")).to_be_attached()
    mill.find("near-inches").fill("28")
    expect(mill.find("near-stands").locator("li")).to_have_count(2)
    mill.find("near-inches").fill("2")
    expect(mill.find("near-stands")).to_contain_text("No stand lies there")


def test_a_destination_is_told_by_the_clock_by_an_edge_and_by_the_range_of_an_enemy(mill: Table) -> None:
    """From (10, 25), facing east; the Soviet tank is 27.51 inches off, in the direction of 71 degrees."""
    mill.unit("german-1").click()
    expect(mill.find("reach")).to_be_attached()
    mill.find("aim").locator("summary").click()
    mill.find("aim-direction").select_option(label="9 o’clock, from its front")
    mill.find("aim-inches").fill("2")
    mill.find("aim-go").click()
    expect(mill.find("ghost")).to_have_attribute("data-place", "10,23")
    mill.find("aim-short").fill("26.5")
    mill.find("aim-place").select_option("T-34/76 C 1")
    expect(mill.find("ghost")).not_to_have_attribute("data-place", "10,23")
    x, y = map(float, (mill.find("ghost").get_attribute("data-place") or "").split(","))
    assert math.dist((x, y), (36, 16)) == pytest.approx(26.5, abs=0.01)
    mill.find("aim-short").fill("0")
    mill.find("aim-edge").check()
    before = mill.find("ghost").get_attribute("data-place") or ""
    mill.find("aim-place").select_option("Birch Wood")
    expect(mill.find("ghost")).not_to_have_attribute("data-place", before)
    x, y = map(float, (mill.find("ghost").get_attribute("data-place") or "").split(","))
    assert math.dist((x, y), (10, 25)) == pytest.approx(1.36, abs=0.01)


def test_rings_show_the_range_of_a_stand(mill: Table) -> None:
    """The gun of a T-34/76 (A) does more at a third and at two thirds of its printed range [WEC-3]."""
    mill.unit("soviet-1").click()
    mill.page.keyboard.press("r")
    expect(mill.find("ring")).to_have_count(3)
    expect(mill.find("around").locator("li")).to_have_count(3)
    mill.page.keyboard.press("r")
    expect(mill.find("ring")).to_have_count(0)


def test_a_line_of_sight_tells_all_that_it_crosses_and_what_is_seen(mill: Table) -> None:
    mill.page.keyboard.press("l")
    mill.unit("german-1").click()
    mill.page.mouse.click(*spot(mill, 22, 32))
    expect(mill.find("los")).to_contain_text("Flax")
    expect(mill.find("los")).to_contain_text(re.compile(r"(Clear|Blocked)"))
    mill.find("sees").click()
    expect(mill.find("unseen")).to_be_attached()


def test_a_destination_is_told_in_words_by_keyboard_alone(mill: Table) -> None:
    keys = mill.page.keyboard
    keys.press("n")
    keys.press("Enter")
    expect(mill.find("reach")).to_be_attached()
    mill.find("aim").locator("summary").focus()
    keys.press("Enter")
    mill.find("aim-direction").select_option("90")
    mill.find("aim-inches").fill("1.5")
    mill.find("aim-inches").press("Enter")
    expect(mill.find("ghost")).to_have_attribute("data-place", "11.5,25")
    mill.find("aim-place").select_option("Flax")
    expect(mill.find("ghost")).not_to_have_attribute("data-place", "11.5,25")
    mill.find("aim-inches").press("Enter")
    mill.find("set-down").press("Enter")
    mill.log("PzKw IV H")


def test_the_text_view_says_where_a_stand_is(mill: Table) -> None:
    mill.find("tab-position").click()
    expect(mill.find("position")).to_contain_text(re.compile("inches (north|south|east|west)"))


def test_a_stand_is_set_up_by_two_clicks_in_its_zone(
    page: Page, at_table: Callable[[Page, Host], Table], host: Host
) -> None:
    table = at_table(page, host)
    game = host.begin(text_of("mini-first-evening"), lambda match: None, (), {"german": "one", "soviet": "two"})
    table.sit(game, "german")
    page.locator(".unplaced button", has_text="PzKw IV H 1").click()
    zone = table.find("reach").bounding_box()
    assert zone
    page.mouse.click(zone["x"] + 0.4 * zone["width"], zone["y"] + 0.9 * zone["height"])
    table.log("PzKw IV H 1 sets up at")
    expect(page.locator(".counters [data-unit]")).to_have_count(1)
