"""The table on glass of every size: the question and its buttons are seen, and nothing lies over a counter."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from browser import positions
from browser.axe import violations
from browser.table import Table
from opfire.core import scenario as scenarios

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


STEPNOYE = scenarios.files()["pg-stepnoye"].read_text(encoding="utf-8")
"""Its head has the most to tell: a score with sources, segments, armies and reinforcements."""


def stepnoye(table: Table) -> None:
    """The first turn of it, for both sides at one screen."""
    table.sit(table.host.begin(STEPNOYE, lambda match: None), "german", "soviet")
    for _ in range(2):
        table.press("auto-begin")
    expect(table.find("turn")).to_have_text("Turn 1 of 14")


def test_the_head_takes_a_fifth_of_the_glass_and_its_arrow_shows_the_rest(table: Table) -> None:
    stepnoye(table)
    for width, height in ((1280, 800), (1920, 1080), (1366, 720), (768, 1024), (844, 390), (390, 844)):
        table.page.set_viewport_size({"width": width, "height": height})
        high = table.page.locator("header").evaluate("head => head.offsetHeight")
        # A line more or less, as the letters of a system are.
        assert high <= 0.2 * height + 12, (width, height, high)
        # Far out the counters are no targets.
        assert [found for found in violations(table.page) if "data-unit" not in found] == []
    table.page.set_viewport_size({"width": 1280, "height": 800})
    for told in ("army-german", "army-soviet", "due", "gap-german", "banked"):
        expect(table.find(told)).to_be_hidden()
    table.find("standing").click()
    for told in ("army-german", "army-soviet", "due", "gap-german", "banked"):
        expect(table.find(told)).to_be_in_viewport(ratio=1)
    # This browser keeps it so.
    table.page.reload()
    expect(table.find("army-german")).to_be_visible()
    assert violations(table.page) == []


SEEN = """list => {
  const box = (part) => document.querySelector(part).getBoundingClientRect();
  const [head, prompt, scroll, bar] = ["header", ".prompt", ".scroll", ".bar"].map(box);
  const within = head.bottom <= prompt.top + 1 && scroll.bottom <= bar.top + 1 && bar.bottom <= innerHeight;
  return {within, list: list.scrollHeight <= list.clientHeight, below: scroll.height};
}"""


def test_the_sources_of_points_have_the_room_there_is(table: Table) -> None:
    stepnoye(table)
    table.page.set_viewport_size({"width": 1920, "height": 1080})
    table.find("score").click()
    sources = table.find("sources")
    # All lines are seen at once, the last one too.
    expect(sources.locator("li").last).to_be_in_viewport(ratio=1)
    for width, height in ((1920, 1080), (1280, 800), (1366, 650)):
        table.page.set_viewport_size({"width": width, "height": height})
        seen = sources.evaluate(SEEN)
        assert seen["within"], (width, height)
        assert seen["list"]
        # The question and some of the choices stay in view.
        assert seen["below"] >= 0.15 * height
        for part in ("prompt", "done" if table.find("done").count() else "pass"):
            expect(table.find(part)).to_be_in_viewport(ratio=0.99)
    # The list scrolls where it has more than fits.
    table.page.set_viewport_size({"width": 1366, "height": 650})
    sources.locator("li").last.scroll_into_view_if_needed()
    expect(sources.locator("li").last).to_be_in_viewport(ratio=0.9)


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
