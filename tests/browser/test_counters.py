"""Counters: stacks in the tray, counters that grow, two kinds of symbols, and states that need no colour."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import expect

from browser import positions
from browser.picture import at_rest, differs_in
from browser.table import Table

FIRST, SECOND, RIFLES = "german-1", "german-2", "soviet-1"
STACKED = positions.MEADOW.replace('at = ["2-V3"]', 'at = ["2-V1"]')
LARGE = 140
"""Pixels at which every figure of a counter is read with ease."""


def box(table: Table, unit: str, part: str = "") -> dict[str, float]:
    """Where a counter lies on the screen, or a part of it."""
    found = table.unit(unit).locator(part).bounding_box() if part else table.unit(unit).bounding_box()
    assert found
    return {**found}


def test_a_stack_lies_in_the_tray_and_covers_no_other_hex(table: Table) -> None:
    """The enemy stands in the next hex: a click on it means it, however the stack beside it is looked at."""
    beside = STACKED.replace('at = ["2-Z2"]', 'at = ["2-W2"]')
    assert beside != STACKED
    table.sit(table.host.begin(beside, positions.direct_fire), "german")
    table.unit(FIRST).hover()
    tray = table.find("tray")
    expect(tray.locator("li button")).to_have_text([re.compile("PzKw IV H 1"), re.compile("PzKw IV H 2")])
    # Both lie in their own hex still, and so does the enemy beside them.
    assert box(table, FIRST) == box(table, SECOND)
    table.unit(RIFLES).click()
    expect(table.find("unit-card")).to_contain_text("Rifle")
    expect(tray.locator("li button")).to_have_count(1)


def test_a_unit_that_lies_below_is_chosen_in_the_tray(table: Table) -> None:
    table.sit(table.host.begin(STACKED, positions.direct_fire), "german")
    table.unit(FIRST).hover()
    table.find(f"tray-{SECOND}").click()
    expect(table.find("chosen")).to_contain_text("PzKw IV H 2")
    # It lies on top now, so that it can be seen and pointed at.
    table.unit(SECOND).hover()
    expect(table.find("tray").locator("li button").first).to_contain_text("PzKw IV H 2")
    expect(table.find("unit-card")).to_contain_text("PzKw IV H 2")
    assert sorted(table.find("unit-card").get_by_role("button").all_inner_texts()) == ["PzKw IV H 1", "PzKw IV H 2"]


def test_a_whole_stack_is_gathered_in_the_tray_and_moved_as_one(table: Table) -> None:
    table.sit(table.host.begin(STACKED, positions.vehicles), "german")
    table.unit(FIRST).hover()
    table.find("tray").get_by_role("button", name="All 2 here").click()
    expect(table.find("group")).to_have_text("Group of 2 units")
    table.hex("2-T1").click()
    table.find("go").click()
    for unit in (FIRST, SECOND):
        table.stands_in(unit, "2-T1")


def test_the_tray_shows_the_stack_of_the_counter_in_focus(table: Table) -> None:
    table.sit(table.host.begin(STACKED, positions.direct_fire), "german")
    table.unit(RIFLES).hover()
    expect(table.find("tray")).to_contain_text("Rifle")
    table.unit(SECOND).focus()
    expect(table.find("tray").locator("li button").first).to_contain_text("PzKw IV H 2")
    expect(table.find("tray")).to_contain_text("PzKw IV H 1")


def test_from_near_by_a_counter_tells_its_whole_name_its_kind_and_more(table: Table) -> None:
    table.sit(table.host.begin(positions.MEADOW, positions.direct_fire), "german")
    face = table.unit(RIFLES).locator("svg")
    expect(face).not_to_have_attribute("data-detail", "near")
    expect(face).not_to_contain_text("company")
    for _ in range(8):
        table.page.keyboard.press("+")
    expect(face).to_have_attribute("data-detail", "near")
    expect(face.locator(".name")).to_contain_text("Rifle company 43 1")
    expect(face.locator(".name")).to_contain_text("infantry")
    # All that was printed before is there still: attack, class, range, defence and movement.
    expect(face.locator(".figure")).to_have_count(5)


def test_shift_enlarges_what_is_pointed_at(table: Table) -> None:
    table.sit(table.host.begin(positions.MEADOW, positions.direct_fire), "german")
    for _ in range(6):
        table.page.keyboard.press("-")
    table.unit(FIRST).hover()
    small = box(table, FIRST, "svg")
    assert small["width"] < LARGE / 2
    name = table.unit(FIRST).locator(".name")
    expect(name).to_be_hidden()
    table.page.keyboard.down("Shift")
    table.page.wait_for_function(GROWN, arg=[FIRST, LARGE])
    # Its name is there to be read as well, and only this one has grown.
    expect(name).to_be_visible()
    assert box(table, RIFLES, "svg")["width"] == pytest.approx(small["width"], abs=1)
    # Under the large one its neighbour can still be pointed at.
    table.unit(SECOND).hover()
    table.page.wait_for_function(GROWN, arg=[SECOND, LARGE])
    table.page.keyboard.up("Shift")
    expect(name).to_be_hidden()
    assert box(table, SECOND, "svg")["width"] == pytest.approx(small["width"], abs=1)


GROWN = """([unit, size]) => document.querySelector(`.counters [data-unit="${unit}"] svg`)
  .getBoundingClientRect().width >= size"""


def test_symbols_are_switched_and_kept_and_counters_are_hidden(table: Table) -> None:
    table.sit(table.host.begin(positions.MEADOW, positions.direct_fire), "german")
    symbol = table.unit(FIRST).locator("svg g path").first
    expect(symbol).to_have_attribute("d", re.compile("."))
    silhouette = symbol.get_attribute("d")
    table.find("menu").click()
    table.page.get_by_label("NATO symbols").check()
    table.page.keyboard.press("Escape")
    expect(symbol).not_to_have_attribute("d", silhouette or "")
    nato = symbol.get_attribute("d")
    # The figures are the same, and the choice outlives a reload.
    for figure in ("14", "8"):
        expect(table.unit(FIRST).locator(".figure", has_text=figure).first).to_be_visible()
    table.page.reload()
    expect(symbol).to_have_attribute("d", nato or "")
    table.find("menu").click()
    table.page.get_by_label("NATO symbols").uncheck()
    table.page.keyboard.press("Escape")
    expect(symbol).to_have_attribute("d", silhouette or "")

    table.page.keyboard.press("h")
    expect(table.unit(FIRST)).to_be_hidden()
    expect(table.unit(RIFLES)).to_be_hidden()
    table.page.keyboard.press("h")
    expect(table.unit(FIRST)).to_be_visible()


STEPS = 6
FEW_ELEMENTS = 10
"""How many elements may get another style in one step of a zoom; one counter alone has more."""


def test_a_step_of_a_zoom_leaves_the_counters_as_they_are(table: Table) -> None:
    """They are moved and enlarged as one picture: none gets another style, none is painted anew."""
    table.sit(table.host.begin(STACKED, positions.direct_fire), "german")
    table.page.mouse.move(400, 400)
    table.page.mouse.wheel(0, -240)
    table.page.evaluate("new Promise(requestAnimationFrame)")
    at_rest(table.page)
    styled, painted = zoomed(table)
    assert len(styled) >= STEPS
    assert max(styled) <= FEW_ELEMENTS
    assert [name for name in painted if "class='counter " in name] == []


def zoomed(table: Table) -> tuple[list[int], list[str]]:
    """The elements with another style each time, and the painted area, while the map was zoomed step by step."""
    browser = table.page.context.browser
    assert browser
    browser.start_tracing(page=table.page, categories=["devtools.timeline", "disabled-by-default-devtools.timeline"])
    for _ in range(STEPS):
        table.page.mouse.wheel(0, -30)
        table.page.evaluate("new Promise(requestAnimationFrame)")
    events: list[dict[str, Any]] = json.loads(browser.stop_tracing())["traceEvents"]
    styles = [event["args"] for event in events if event["name"] == "UpdateLayoutTree"]
    paints = [event["args"]["data"] for event in events if event["name"] == "Paint"]
    return [args["elementCount"] for args in styles if "elementCount" in args], [one["nodeName"] for one in paints]


EYES = ["protanopia", "deuteranopia", "tritanopia", "achromatopsia"]
NOTICED = 0.01
"""The share of a counter's pixels that look otherwise, at least, when its state is another."""


def test_states_are_seen_without_colour_and_said_in_words(table: Table) -> None:
    """A unit that is dispersed, one that has fired, one that can act: by every kind of eye, and by none."""
    table.sit(table.host.begin(positions.MEADOW, positions.direct_fire, rolls=[1]), "german", "soviet")
    eyes = table.page.context.new_cdp_session(table.page)
    before = {unit: seen(table, eyes, unit) for unit in (FIRST, SECOND, RIFLES)}
    table.unit(FIRST).click()
    table.unit(RIFLES).click()
    table.find("confirm").click()
    table.log("rolled 1, dispersed")
    table.page.mouse.move(600, 700)
    after = {unit: seen(table, eyes, unit) for unit in (FIRST, SECOND, RIFLES)}
    for eye in EYES:
        # Fired and face down, dispersed; the other has not changed at all.
        assert differs_in(table.page, before[FIRST][eye], after[FIRST][eye]) > NOTICED, eye
        assert differs_in(table.page, before[RIFLES][eye], after[RIFLES][eye]) > NOTICED, eye
        assert differs_in(table.page, before[SECOND][eye], after[SECOND][eye]) < NOTICED, eye
        # Friend from foe.
        assert differs_in(table.page, after[FIRST][eye], after[RIFLES][eye]) > NOTICED, eye
    expect(table.unit(RIFLES)).to_have_accessible_name(re.compile("dispersed"))
    expect(table.unit(FIRST)).to_have_accessible_name(re.compile("inverted"))
    # The letter on the badge says it without any colour at all, and each side's frame has its own corners.
    expect(table.unit(RIFLES).locator("text.badge").first).to_have_text("D")
    frames = [table.unit(unit).locator("svg > path").first.get_attribute("d") for unit in (SECOND, RIFLES)]
    assert frames[0] != frames[1]


def seen(table: Table, eyes: object, unit: str) -> dict[str, bytes]:
    """A counter as each kind of eye sees it."""
    found = {}
    at_rest(table.page)
    for eye in EYES:
        eyes.send("Emulation.setEmulatedVisionDeficiency", {"type": eye})  # type: ignore[attr-defined]
        found[eye] = table.unit(unit).screenshot(type="jpeg", quality=90, animations="disabled", scale="css")
    eyes.send("Emulation.setEmulatedVisionDeficiency", {"type": "none"})  # type: ignore[attr-defined]
    return found
