"""The log tells the story: from the oldest entry on, folded, filtered, and with its places on the map."""

from __future__ import annotations

import random
import re

import pytest
from playwright.sync_api import expect

from browser import positions
from browser.table import Table
from opfire.core.match import Match

FIRST, RIFLES = "german-1", "soviet-1"
LONG = 150
END = "log => log.scrollHeight - log.scrollTop - log.clientHeight < 40"
TOP = "log => log.scrollTop"


def long_game(match: Match) -> None:
    """Random play until the log has become long and the German side is asked."""
    rng = random.Random(4)
    while len(match.log_for("german")) < LONG or match.game.asked() != ("german",):
        [seat, *_] = match.game.deciders()
        match.play(seat, match.game.choices(seat).sample(rng))


def test_the_log_runs_oldest_first_and_follows_the_game(table: Table) -> None:
    table.sit(table.host.begin(positions.MEADOW.replace("turns = 3", "turns = 60"), long_game), "german")
    log = table.find("log")
    expect(log.locator("[data-n]").first).to_have_attribute("data-n", "1")
    numbers = log.locator("> li > .line, > li > details > ol > li:first-child > .line").evaluate_all(
        "lines => lines.map(line => Number(line.dataset.n))"
    )
    assert numbers == sorted(numbers)
    expect(table.find("newest")).to_have_count(0)
    assert log.evaluate(END)


def test_the_log_stays_where_the_reader_scrolled(table: Table, other: Table) -> None:
    game = table.host.begin(positions.MEADOW.replace("turns = 3", "turns = 60"), long_game)
    table.sit(game, "german", "soviet")
    log = table.find("log")
    log.evaluate("log => { log.scrollTop = 0 }")
    expect(table.find("newest")).to_have_text(re.compile("To the newest"))
    last = log.locator("[data-n]").last.get_attribute("data-n")
    table.press("done")
    expect(log.locator(f'[data-n="{last}"]')).to_have_count(1)
    assert log.evaluate(TOP) == 0
    table.find("newest").click()
    expect(table.find("newest")).to_have_count(0)
    assert log.evaluate(END)


def test_a_fight_stands_with_all_that_came_of_it(table: Table) -> None:
    game = table.host.begin(positions.MEADOW, positions.direct_fire, rolls=[1])
    table.sit(game, "german", "soviet")
    table.unit(FIRST).click()
    table.unit(RIFLES).click()
    table.find("confirm").click()
    fight = table.find("log").locator("> li.fired")
    expect(fight).to_contain_text("Direct fire")
    expect(fight.locator("ol li.dispersed")).to_contain_text("is dispersed")


def test_moves_and_spotting_are_folded(table: Table) -> None:
    table.sit(table.host.begin(positions.MEADOW.replace("turns = 3", "turns = 60"), long_game), "german")
    march = table.find("log").locator("> li.march").last
    expect(march.locator("summary")).to_contain_text(re.compile(r"moves?\b"))
    expect(march.locator("li").first).to_be_hidden()
    march.locator("summary").click()
    expect(march.locator("li").first).to_be_visible()


def test_the_log_is_filtered_by_unit_hex_and_kind(table: Table) -> None:
    game = table.host.begin(positions.MEADOW, positions.direct_fire, rolls=[1])
    table.sit(game, "german", "soviet")
    table.unit(FIRST).click()
    table.unit(RIFLES).click()
    table.find("confirm").click()
    log, filters = table.find("log"), table.find("log-filter")
    expect(log.locator("> li.fired")).to_have_count(1)
    filters.locator("summary").click()
    filters.get_by_label("Kind").select_option("move")
    expect(log.locator("> li.fired")).to_have_count(0)
    filters.get_by_label("Kind").select_option("fight")
    expect(log.locator("> li.fired")).to_have_count(1)
    filters.get_by_role("button", name="Show all").click()
    filters.get_by_label("Unit, hex or word").fill("2-V3")
    expect(log).not_to_contain_text("Direct fire")
    filters.get_by_label("Unit, hex or word").fill("2-Z2")
    expect(log).to_contain_text("Direct fire")
    filters.get_by_label("Unit, hex or word").fill("Rifle company 43 1")
    expect(log).to_contain_text("Direct fire")
    filters.get_by_label("Unit, hex or word").fill("Tiger")
    expect(log).to_have_text("The log has nothing of that.")


@pytest.mark.parametrize("by", ["mouse", "keys"])
def test_an_entry_shows_its_place_on_the_map(table: Table, by: str) -> None:
    game = table.host.begin(positions.MEADOW, positions.direct_fire, rolls=[1])
    table.sit(game, "german", "soviet")
    table.unit(FIRST).click()
    table.unit(RIFLES).click()
    table.find("confirm").click()
    line = table.find("log").get_by_role("button", name=re.compile("Direct fire")).first
    lit = table.page.locator("polygon.lit")
    expect(lit).to_have_count(0)
    if by == "mouse":
        line.hover()
    else:
        line.focus()
    expect(lit).not_to_have_count(0)
    if by == "mouse":
        table.page.mouse.move(10, 10)
    else:
        table.find("prompt").focus()
    expect(lit).to_have_count(0)
    line.click()
    expect(lit).not_to_have_count(0)
