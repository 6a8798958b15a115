"""Set-up by keys alone: the waiting units, the zone, a place; and the focus is never nowhere."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from browser.host import Game, Host
from browser.positions import MEADOW
from browser.table import Table

ZONES = MEADOW.replace('at = ["2-V1"]', 'at = ["2-V1", "2-V2", "2-W2"]').replace(
    'at = ["2-V3"]', 'at = ["2-V3", "2-U3"]'
)
FOCUS = "() => document.activeElement.dataset.waiting ?? document.activeElement.dataset.testid ?? ''"


def laid_out(host: Host) -> Game:
    """The German side has to place two tanks; its gun and the other side lie where they belong."""
    return host.begin(ZONES, lambda match: None)


def test_a_unit_is_placed_with_enter_and_the_next_one_has_the_focus(table: Table) -> None:
    table.sit(laid_out(table.host), "german")
    press = table.page.keyboard.press
    expect(table.find("to-place")).to_be_visible()
    press("n")
    expect(table.page.locator("[data-waiting]:focus")).to_have_attribute("aria-pressed", "true")
    first = table.page.evaluate(FOCUS)
    # The cursor begins in the zone, and tells whether a place is permitted.
    press("Shift+ArrowDown")
    expect(table.find("pointed")).to_contain_text(re.compile(r"^2-[VWU][123], permitted"))
    place = table.find("pointed").inner_text().split(",")[0]
    press("Enter")
    table.stands_in(first, place)
    # The button has gone with the unit: the focus has not.
    expect(table.page.locator("body:focus")).to_have_count(0)
    expect(table.page.locator("[data-waiting]:focus")).to_have_count(1)
    assert table.page.evaluate(FOCUS) != first


def test_a_place_outside_the_zone_is_told_and_the_unit_stays_chosen(table: Table) -> None:
    table.sit(laid_out(table.host), "german")
    press = table.page.keyboard.press
    press("n")
    press("Shift+ArrowDown")
    for _ in range(6):
        press("Shift+ArrowDown")
    expect(table.find("pointed")).to_contain_text("not permitted")
    press("Enter")
    expect(table.find("why")).to_be_visible()
    expect(table.find("chosen")).not_to_be_empty()
    expect(table.find("to-place")).to_be_visible()


def test_n_goes_through_all_that_wait(table: Table) -> None:
    table.sit(laid_out(table.host), "german")
    expect(table.find("to-place")).to_be_visible()
    waiting = table.page.locator("[data-waiting]").count()
    seen = set()
    for _ in range(waiting):
        table.page.keyboard.press("n")
        expect(table.page.locator("[data-waiting]:focus")).to_have_count(1)
        seen.add(table.page.evaluate(FOCUS))
    assert len(seen) == waiting


def test_the_first_choice_is_a_few_tabs_away(table: Table) -> None:
    table.sit(table.host.begin(MEADOW, lambda match: None), "german")
    press = table.page.keyboard.press
    press("Tab")
    press("Enter")
    expect(table.find("prompt")).to_be_focused()
    # The rule of the question lies between.
    press("Tab")
    press("Tab")
    expect(table.page.locator("button[data-choice]:focus")).to_have_count(1)


def test_one_hint_says_how_to_place_a_unit(table: Table) -> None:
    table.sit(laid_out(table.host), "german")
    expect(table.find("to-place")).to_contain_text("Choose a unit, then a lit place")
    expect(table.page.locator("p.hint")).to_have_count(1)
