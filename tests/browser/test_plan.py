"""Advice is a whole plan that can be played, and a question offers the order that answers it."""

from __future__ import annotations

from playwright.sync_api import expect

from browser import positions
from browser.axe import violations
from browser.table import Table


def test_a_plan_is_told_and_played_step_by_step(table: Table) -> None:
    table.sit(table.host.begin(positions.MEADOW, positions.vehicles), "german")
    table.page.keyboard.press("g")
    plan = table.find("plan").locator("li")
    expect(plan.nth(1)).to_be_visible()
    steps = plan.count()
    before = len([message for message in table.sent if '"play"' in message])
    assert violations(table.page) == []
    table.find("play-plan").click()
    expect(table.find("planning")).to_have_count(0)
    table.page.wait_for_function("() => !document.querySelector('[data-testid=\"plan\"]')")
    played = len([message for message in table.sent if '"play"' in message]) - before
    assert 2 <= played <= steps


def test_a_question_offers_the_order_that_answers_it(table: Table) -> None:
    game = table.host.begin(positions.MEADOW, positions.vehicles)
    table.sit(game, "german", "soviet")
    table.unit("german-3").click()
    table.hex("2-X3").click()
    table.find("go").click()
    table.asks("StuG III G 1 moves in")
    table.find("next-time").locator("summary").click()
    expect(table.find("order-chance")).to_contain_text("Ask only from 68 %")
    expect(table.find("order-unit")).to_contain_text("T-34/76 C 1")
    assert violations(table.page) == []
    # The order answers this question and those to come: the gun drives all its way.
    table.find("order-never").click()
    table.stands_in("german-3", "2-X3")
