"""The force designer: search, add, faults with their rules, and the text that the command line takes."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from browser.axe import violations
from browser.table import Table
from opfire.cli import main

STAFF = "sov-infantry-hq"
TWO_FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""Until colours that change in a moment have changed."""


def designing(table: Table) -> None:
    """A Soviet force of July 1943, with 40 points."""
    table.page.goto(f"{table.host.url}/forces")
    table.find("field-nation").select_option("Soviet Union")
    table.find("field-date").fill("1943-07")
    table.find("group-Points").click()
    table.find("field-allowance.points").fill("40")
    table.find("search-words").fill("infantry hq")
    table.find(f"add-{STAFF}").click()


def test_a_force_is_found_added_and_judged(table: Table, tmp_path: Path) -> None:
    designing(table)
    faults = table.find("faults").locator("li")
    # A side has a general headquarters: this one is none yet.
    expect(faults).to_have_count(1)
    expect(faults.get_by_role("button", name="10.1.4")).to_be_visible()

    table.find(f"options-{STAFF}").click()
    table.find(f"entry-{STAFF}").get_by_test_id("field-ghq").fill("0")
    expect(table.find("force-price")).to_have_text("40 of 40 points")
    expect(table.find("faults")).to_have_count(0)
    file = tmp_path / "force.toml"
    file.write_text(table.find("force-text").inner_text(), encoding="utf-8")
    assert main(["force", "check", str(file)]) == 0

    table.find(f"count-{STAFF}").fill("2")
    expect(table.find("force-price")).to_have_text("80 of 40 points")
    faults.get_by_role("button", name="SD.6.3.limit").click()
    expect(table.find("rule")).to_be_visible()
    file.write_text(table.find("force-text").inner_text(), encoding="utf-8")
    assert main(["force", "check", str(file)]) == 1


def test_a_force_stays_in_its_browser_until_it_is_dropped(table: Table) -> None:
    designing(table)
    expect(table.find("force-price")).to_be_visible()
    table.page.reload()
    expect(table.find(f"count-{STAFF}")).to_have_value("1")
    expect(table.find("search-year")).to_have_value("1943")
    table.find("force-clear").click()
    expect(table.find(f"count-{STAFF}")).to_have_count(1)
    table.find("force-clear").click()
    expect(table.find(f"count-{STAFF}")).to_have_count(0)


def test_offers_are_found_by_kind_and_year_and_say_what_they_can_do(table: Table) -> None:
    table.page.goto(table.host.url)
    table.find("forces-micro-armour").click()
    table.find("search-nation").select_option("Belgium")
    table.find("search-kind").select_option("tank")
    table.find("search-year").fill("1935")
    expect(table.find("offer-bel-t-15")).to_contain_text("movement 8 tracked")
    expect(table.find("offer-bel-t-13-type-iii")).to_have_count(0)
    table.find("search-year").fill("1936")
    expect(table.find("offer-bel-t-13-type-iii")).to_contain_text("23 points")


def test_each_offer_bears_the_symbol_of_its_kind(table: Table) -> None:
    table.page.goto(f"{table.host.url}/forces/micro-armour")
    table.find("search-nation").select_option("")
    drawn: set[str] = set()
    for kind in ("tank", "transport", "artillery", "aircraft", "boat"):
        table.find("search-kind").select_option(kind)
        expect(table.find("offers").locator("li").first).to_contain_text(kind)
        drawn.add(table.find("offers").locator("svg path").first.get_attribute("d") or "")
    assert len(drawn) == 5


def test_a_field_that_cannot_be_read_gets_a_sentence(table: Table) -> None:
    designing(table)
    table.find("field-date").fill("soon")
    expect(table.find("force-unread")).to_contain_text("date")
    table.find("field-date").fill("1943-07")
    expect(table.find("force-price")).to_be_visible()


@pytest.mark.parametrize("width", [390, 1280])
def test_the_page_is_for_everyone(table: Table, width: int) -> None:
    table.page.set_viewport_size({"width": width, "height": 800})
    designing(table)
    expect(table.find("faults")).to_be_visible()
    assert table.page.evaluate("document.documentElement.scrollWidth") <= width
    for theme in ("light", "dark"):
        table.page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        expect(table.page.locator("html")).to_have_attribute("data-theme", theme)
        table.page.evaluate(TWO_FRAMES)
        assert violations(table.page) == []


def test_a_force_is_built_with_the_keyboard_alone(table: Table) -> None:
    table.page.goto(f"{table.host.url}/forces")
    table.find("search-words").focus()
    table.page.keyboard.type("infantry hq")
    expect(table.find("add-ger-infantry-hq")).to_be_visible()
    table.find("add-ger-infantry-hq").focus()
    table.page.keyboard.press("Enter")
    expect(table.find("force-said")).to_contain_text("Added")
    expect(table.find("count-ger-infantry-hq")).to_have_value("1")
