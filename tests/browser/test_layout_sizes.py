"""The table on glass of every size: the question and its buttons are seen, and nothing lies over a counter."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from browser import positions
from browser.axe import violations
from browser.table import Table

FIRST, FOE = "german-1", "soviet-1"
LEAST_BUTTON = 44
SIZES = {
    "desk": (1280, 800),
    "low desk": (1280, 500),
    "zoomed to 200 %": (640, 400),
    "zoomed to 400 %": (320, 200),
    "tablet": (768, 1024),
    "large": (3840, 2160),
}


def attack(table: Table) -> None:
    """The first tank is about to fire at the riflemen."""
    table.sit(table.host.begin(positions.MEADOW, positions.direct_fire), "german")
    table.unit(FIRST).press("Enter")
    table.unit(FOE).press("Enter")
    expect(table.find("confirm")).to_be_visible()


@pytest.mark.parametrize("size", SIZES)
def test_the_question_and_its_buttons_are_in_view(table: Table, size: str) -> None:
    width, height = SIZES[size]
    table.page.set_viewport_size({"width": width, "height": height})
    attack(table)
    for part in ("prompt", "confirm"):
        expect(table.find(part)).to_be_in_viewport(ratio=0.99)
    box = table.find("confirm").bounding_box()
    assert box
    assert box["height"] >= LEAST_BUTTON
    assert table.page.evaluate("document.documentElement.scrollWidth") <= width
    assert violations(table.page) == []


@pytest.mark.parametrize("size", ["desk", "low desk"])
def test_an_attack_is_in_the_upper_half(table: Table, size: str) -> None:
    width, height = SIZES[size]
    table.page.set_viewport_size({"width": width, "height": height})
    attack(table)
    box = table.find("building").bounding_box()
    assert box
    assert box["y"] < height / 2


@pytest.mark.parametrize("size", ["desk", "low desk"])
def test_no_tool_lies_over_the_map(table: Table, size: str) -> None:
    width, height = SIZES[size]
    table.page.set_viewport_size({"width": width, "height": height})
    attack(table)
    tools, ground = table.find("map-tools").bounding_box(), table.find("map").bounding_box()
    assert tools
    assert ground
    assert tools["x"] + tools["width"] <= ground["x"]


def test_on_a_large_screen_the_board_fills_the_pane(table: Table) -> None:
    width, height = SIZES["large"]
    table.page.set_viewport_size({"width": width, "height": height})
    attack(table)
    pane = table.find("map").bounding_box()
    first, last = (table.hex(name).bounding_box() for name in ("2-L1", "2-AA10"))
    assert pane
    assert first
    assert last
    wide = last["x"] + last["width"] - first["x"]
    high = last["y"] + last["height"] - first["y"]
    # The frame with the title and the scale has the rest.
    assert max(wide / pane["width"], high / pane["height"]) > 0.85


def test_a_pattern_says_where_the_enemy_may_fire(table: Table) -> None:
    table.sit(table.host.begin(positions.MEADOW, positions.vehicles), "german")
    table.unit(FIRST).click()
    expect(table.page.locator("polygon.reach.fire").first).to_be_visible()
    marked = table.page.locator("polygon.may-fire")
    assert marked.count() == table.page.locator("polygon.reach.fire").count()
    expect(marked.first).to_have_attribute("fill", "url(#may-fire)")


def test_forced_colours_keep_the_track_and_the_choice(table: Table) -> None:
    table.page.emulate_media(forced_colors="active")
    attack(table)
    drawn = "(one, part) => getComputedStyle(one, part).outlineStyle"
    chosen = table.unit(FIRST).evaluate(drawn, "::before")
    aimed = table.unit(FOE).evaluate(drawn, "::before")
    assert (chosen, aimed) == ("solid", "double")
    now = table.find("track").locator("[aria-current] button")
    assert now.evaluate("one => getComputedStyle(one).borderTopColor") != table.find("track").locator(
        "li:not([aria-current], .next) button"
    ).first.evaluate("one => getComputedStyle(one).borderTopColor")
