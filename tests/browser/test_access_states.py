"""axe on states that a player comes to on the way: a film that rests, trays, advice, groups, records, forms."""

from __future__ import annotations

from playwright.sync_api import expect

from browser import positions
from browser.axe import violations
from browser.steppe import LIEUTENANT, begun, steppe
from browser.table import Table
from browser.test_access import clean
from browser.test_files import downloaded, opened
from browser.test_film import back_at_a_shot
from browser.test_micro_armour import EVENING, alone
from opfire.rulesets.panzer_grenadier.command.activation import ActivateLeader, Begin, DesignateAll

SECOND = "german-2"


def test_a_film_that_rests_on_a_result(table: Table, other: Table) -> None:
    back_at_a_shot(table, other)
    expect(table.find("film-card")).to_contain_text("dispersed")
    clean(table)


def test_a_tray_advice_the_end_and_its_record(table: Table) -> None:
    stack = positions.MEADOW.replace('at = ["2-V3"]', 'at = ["2-V1"]')
    table.sit(table.host.begin(stack, positions.vehicles), "german", "soviet")
    table.unit(SECOND).hover(force=True)
    expect(table.find(f"tray-{SECOND}")).to_be_visible()
    clean(table)
    table.page.keyboard.press("g")
    expect(table.find("plan").locator("li").first).to_be_visible()
    table.find("glance-tool").click()
    expect(table.find("glance-able")).to_be_visible()
    clean(table)
    table.find("menu").click()
    table.find("concede").click()
    table.find("concede-yes").click()
    expect(table.find("result")).to_be_visible()
    _, text = downloaded(table, "over-record")
    clean(table)
    opened(table, text)
    expect(table.find("past-sign")).to_be_visible()
    clean(table)


def test_a_column_and_the_lasso(table: Table) -> None:
    game = table.host.begin(steppe("2-Z9"), begun(ActivateLeader(LIEUTENANT), DesignateAll("move"), Begin()))
    table.sit(game, "german")
    table.find("gather-all").click()
    expect(table.page.locator("polygon.reach").first).to_be_visible()
    table.find("manner-column").click()
    expect(table.find("manner-column")).to_have_attribute("aria-pressed", "true")
    table.find("lasso-tool").click()
    expect(table.find("lasso-tool")).to_have_attribute("aria-pressed", "true")
    clean(table)


def test_a_formation_on_the_free_table(table: Table) -> None:
    table.sit(table.host.begin(EVENING, alone), "german")
    table.find("formations").locator("summary").click()
    table.find("choose-german").click()
    expect(table.find("formation").get_by_test_id("way-0")).to_be_visible()
    assert violations(table.page) == []
