"""The table on a telephone: the whole map, and a sheet over its foot that follows the finger."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from browser import positions
from browser.axe import violations
from browser.mill import SCENARIO as BRIDGE
from browser.mill import begun as bridge
from browser.table import Table
from browser.test_touch import FIRST, GUN, PHONE, Fingers, centre, fits, width
from opfire.core import scenario as scenarios

SIDEWAYS = {"width": PHONE["height"], "height": PHONE["width"]}
FOE = "soviet-1"
MEETING = scenarios.files()["armour-introductory"].read_text(encoding="utf-8")
CARRIED = """
[[sides.german.units]]
unit = "rifle-40-german"
carrier = "pz-iv-h"
"""
"""Riflemen who ride on the tank of the bridge."""


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    """A telephone, held upright."""
    return {**browser_context_args, "viewport": PHONE, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}


@pytest.fixture
def phone(table: Table) -> Table:
    """The page on it."""
    return table


def rests(table: Table, rest: str) -> None:
    """The sheet lies still there."""
    expect(table.find("phone-sheet")).to_have_attribute("data-rest", rest)
    table.page.wait_for_function(STILL)


STILL = """() => {
  const scroll = document.querySelector(".sheet .scroll");
  return scroll.getAnimations().length === 0;
}"""


def top(table: Table) -> float:
    """Where the sheet begins, in pixels from the head of the glass."""
    box = table.find("phone-sheet").bounding_box()
    assert box
    return box["y"]


def in_the_open(table: Table, unit: str) -> None:
    """A counter lies wholly between the head and the sheet."""
    table.page.wait_for_function(OPEN, arg=unit)


OPEN = """unit => {
  const box = (part) => document.querySelector(part).getBoundingClientRect();
  const [one, head, sheet] = [`.counters [data-unit="${unit}"]`, "header", ".sheet"].map(box);
  return one.top >= head.bottom && one.bottom <= sheet.top && one.left >= 0 && one.right <= innerWidth;
}"""


def pull(table: Table, by: float) -> None:
    """Draw the sheet by its handle: a number of pixels down, or up where it is negative."""
    box = table.find("sheet-handle").bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    Fingers(table).draw(((x, y), (x, y + by)), steps=12)


ONE_LINE = 28
"""Pixels: less than two lines of the question."""
HIGH = "text => text.clientHeight"
CUT = "words => words.scrollWidth > words.clientWidth"


def test_closed_it_is_the_question_in_one_line_and_the_buttons(phone: Table) -> None:
    phone.sit(phone.host.begin(positions.MEADOW, positions.vehicles), "german")
    rests(phone, "closed")
    # "Move a vehicle, overrun, or end the vehicle segment" is longer than a line.
    question = phone.find("prompt").locator(".text")
    assert question.evaluate(HIGH) < ONE_LINE
    expect(phone.find("prompt").locator("[data-rule]")).to_be_in_viewport(ratio=1)
    expect(phone.find("done")).to_be_in_viewport(ratio=1)
    # Three quarters of the glass are map.
    assert top(phone) > 0.75 * PHONE["height"]
    fits(phone)
    assert violations(phone.page) == []


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_tap_on_a_question_that_is_cut_short_reads_it_to_its_end(phone: Table, language: str) -> None:
    phone.page.goto(f"{phone.host.url}/mark.svg")
    phone.page.evaluate("language => localStorage.setItem('opfire.language', JSON.stringify(language))", language)
    # The longest question of all books: who hosts the forward observer.
    phone.sit(phone.host.begin(MEETING, lambda match: None), "german")
    rests(phone, "closed")
    question = phone.find("prompt").locator(".text")
    assert question.evaluate(HIGH) < ONE_LINE
    assert question.locator(".asking").evaluate(CUT)
    expect(question.locator("[data-rule]")).to_be_in_viewport(ratio=1)
    expect(phone.find("done")).to_be_in_viewport(ratio=1)
    phone.find("prompt").tap()
    rests(phone, "half")
    assert question.evaluate(HIGH) > ONE_LINE
    assert not question.locator(".asking").evaluate(CUT)
    expect(question).to_be_in_viewport(ratio=1)
    fits(phone)


def test_a_single_choice_stands_in_the_bar_itself(phone: Table) -> None:
    ridden = BRIDGE + CARRIED
    phone.sit(phone.host.begin(ridden, lambda match: None), "german")
    phone.press("done")
    phone.asks("Move a stand")
    phone.unit("german-1").tap()
    expect(phone.find("bar").locator("button", has_text="unloads")).to_be_in_viewport(ratio=1)
    expect(phone.find("raise")).to_have_count(0)
    fits(phone)


def test_the_choices_in_words_come_into_view(phone: Table) -> None:
    phone.sit(phone.host.begin(positions.MEADOW, positions.direct_fire), "german")
    phone.unit(FIRST).tap()
    phone.unit(FOE).tap()
    rests(phone, "half")
    # The calculation has all the room there is.
    joins = phone.page.locator(".choices button", has_text="joins in").last
    expect(joins).not_to_be_in_viewport()
    phone.find("raise").tap()
    expect(joins).to_be_in_viewport(ratio=1)


def test_it_follows_the_finger_and_rests_at_three_heights(phone: Table) -> None:
    phone.sit(phone.host.begin(positions.MEADOW, positions.vehicles), "german")
    rests(phone, "closed")
    closed = top(phone)
    pull(phone, -250)
    rests(phone, "half")
    half = top(phone)
    assert half < closed - 150
    pull(phone, -400)
    rests(phone, "full")
    expect(phone.find("log")).to_be_in_viewport()
    assert top(phone) < 0.2 * PHONE["height"]
    assert violations(phone.page) == []
    pull(phone, 260)
    rests(phone, "half")
    assert top(phone) == pytest.approx(half, abs=2)
    pull(phone, 400)
    rests(phone, "closed")
    assert top(phone) == pytest.approx(closed, abs=2)
    # A tap opens it and closes it.
    phone.find("sheet-handle").tap()
    rests(phone, "half")
    phone.find("sheet-handle").tap()
    rests(phone, "closed")


def test_an_attack_opens_it_and_the_target_stays_in_view(phone: Table) -> None:
    phone.sit(phone.host.begin(positions.MEADOW, positions.direct_fire), "german")
    phone.unit(FIRST).tap()
    rests(phone, "closed")
    in_the_open(phone, FIRST)
    phone.unit(FOE).tap()
    rests(phone, "half")
    expect(phone.find("chances")).to_be_in_viewport(ratio=1)
    expect(phone.find("confirm")).to_be_in_viewport(ratio=1)
    in_the_open(phone, FOE)
    # The player draws it down to look at the map, and it stays down.
    pull(phone, 500)
    rests(phone, "closed")
    expect(phone.find("confirm")).to_be_in_viewport(ratio=1)


def test_a_chosen_unit_is_large_enough_to_hit(phone: Table) -> None:
    phone.sit(phone.host.begin(positions.MEADOW, positions.vehicles), "german")
    fingers = Fingers(phone)
    # All of the map is in view, with counters like peas.
    fingers.draw(((60, 300), (150, 300)), ((330, 300), (240, 300)))
    assert width(phone, GUN) < 30
    phone.unit(GUN).tap()
    phone.page.wait_for_function(LARGE, arg=GUN)
    in_the_open(phone, GUN)


def whole_map(table: Table, *, shown: bool) -> None:
    """Every hex of the map is between the head and the sheet, or not."""
    table.page.wait_for_function(WHOLE, arg=shown)


WHOLE = """shown => {
  const box = (part) => document.querySelector(part).getBoundingClientRect();
  const [head, sheet] = ["header", ".sheet"].map(box);
  const cells = [...document.querySelectorAll("[data-place]")].map((hex) => hex.getBoundingClientRect());
  return cells.length > 0 && shown === cells.every((hex) =>
    hex.left >= 0 && hex.right <= innerWidth && hex.top >= head.bottom && hex.bottom <= sheet.top);
}"""


def set_up(table: Table, scenario: str, first: str, second: str) -> None:
    """Both sides at this screen have their units placed for them."""
    for side in (first, second):
        table.find("auto").tap()
        table.all_placed(scenario, side)
        table.find("done").tap()
    expect(table.find("turn")).to_contain_text("Turn 1")


def test_the_whole_map_is_seen_first_and_a_tap_on_specks_brings_it_nearer(phone: Table) -> None:
    phone.start("hill-231", "both")
    whole_map(phone, shown=True)
    set_up(phone, "hill-231", "german", "soviet")
    whole_map(phone, shown=True)
    # Counters like peas are no targets: a finger brings them nearer, and `N` and the tray name them.
    assert [found for found in violations(phone.page) if "data-unit" not in found] == []
    gun = phone.page.locator(".counters [data-unit].can").first
    name = gun.get_attribute("data-unit") or ""
    assert width(phone, name) < 18
    x, y = centre(phone, name)
    phone.page.touchscreen.tap(x, y)
    phone.page.wait_for_function(LARGE, arg=name)
    # The place that was tapped stays under the finger, and nothing was chosen by that.
    assert centre(phone, name) == pytest.approx((x, y), abs=4)
    expect(phone.page.locator(".counters .chosen")).to_have_count(0)
    whole_map(phone, shown=False)
    phone.find("tools").tap()
    phone.page.get_by_role("button", name="Fit the map").tap()
    whole_map(phone, shown=True)


LARGE = """unit => document.querySelector(`.counters [data-unit="${unit}"]`).getBoundingClientRect().width >= 43"""


def test_a_unit_to_place_brings_its_zone_nearer(phone: Table) -> None:
    phone.start("hill-231", "both")
    whole_map(phone, shown=True)
    phone.page.locator('.panel [data-testid^="unit-german-"]').first.tap()
    phone.page.wait_for_function("""() => {
      const zone = [...document.querySelectorAll("polygon.glow")].map((hex) => hex.getBoundingClientRect());
      return zone.length > 0 && zone[0].width > 24 && zone.some((hex) => hex.left >= 0 && hex.right <= innerWidth);
    }""")


def test_the_tools_lie_over_the_map_only_while_they_are_wanted(phone: Table) -> None:
    phone.sit(phone.host.begin(positions.MEADOW, positions.vehicles), "german")
    expect(phone.find("map-tools")).to_have_count(0)
    phone.find("tools").tap()
    expect(phone.find("map-tools")).to_be_visible()
    fits(phone)
    phone.find("los-tool").tap()
    expect(phone.find("map-tools")).to_have_count(0)
    expect(phone.find("los")).to_be_attached()


def test_no_key_is_shown_to_a_finger(phone: Table) -> None:
    phone.sit(phone.host.begin(positions.MEADOW, positions.direct_fire), "german")
    phone.unit(FIRST).tap()
    phone.unit(FOE).tap()
    expect(phone.find("confirm")).to_be_visible()
    assert phone.page.locator(".button kbd").count() > 0
    expect(phone.page.locator(".button kbd:visible")).to_have_count(0)


def test_held_sideways_the_panel_is_beside_the_map(phone: Table) -> None:
    phone.sit(phone.host.begin(positions.MEADOW, positions.vehicles), "german")
    phone.unit(GUN).tap()
    phone.page.set_viewport_size({**SIDEWAYS})
    expect(phone.find("sheet-handle")).to_have_count(0)
    for part in ("prompt", "done"):
        expect(phone.find(part)).to_be_in_viewport(ratio=1)
    box = phone.find("map").bounding_box()
    assert box
    assert box["height"] == SIDEWAYS["height"]
    expect(phone.unit(GUN)).to_be_in_viewport(ratio=0.99)
    assert phone.page.evaluate("document.documentElement.scrollWidth") <= SIDEWAYS["width"]
    assert violations(phone.page) == []


def test_on_the_free_table_too(phone: Table) -> None:
    phone.sit(bridge(phone.host), "german")
    expect(phone.find("prompt")).to_be_in_viewport(ratio=1)
    fits(phone)
    pull(phone, -260)
    rests(phone, "half")
    assert violations(phone.page) == []


def test_the_foot_names_the_unit_that_is_being_placed(phone: Table) -> None:
    phone.start("hill-231", "both")
    expect(phone.find("placing")).to_have_count(0)
    first = phone.page.locator('.panel [data-testid^="unit-german-"]').first
    # The counter's own figures stand before the name.
    name = first.inner_text().split("×")[0].splitlines()[-1].strip()
    first.tap()
    rests(phone, "closed")
    expect(phone.find("placing")).to_have_text(f"Tap a lit place for {name}")
    expect(phone.find("placing")).to_be_in_viewport(ratio=1)


def test_a_stack_of_enemies_is_put_away_when_the_player_goes_on(phone: Table) -> None:
    stack = positions.MEADOW.replace('at = ["2-Z3"]', 'at = ["2-Z2"]')
    phone.sit(phone.host.begin(stack, positions.vehicles), "german")
    phone.unit(FOE).tap()
    expect(phone.find(f"tray-{FOE}")).to_be_visible()
    phone.find("done").tap()
    expect(phone.find(f"tray-{FOE}")).to_have_count(0)
