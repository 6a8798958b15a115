"""The start page: two clicks to the first move, the last game on top, and scenarios that can be found."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.request import urlopen

import pytest
from playwright.sync_api import Locator, expect

from browser.axe import violations
from browser.host import Host
from browser.table import Table

ROOT = Path(__file__).parents[2]


def cards(table: Table, ruleset: str) -> Locator:
    return table.find(f"system-{ruleset}").locator("article")


@pytest.mark.parametrize("scenario", ["mill-ford", "mini-first-evening", "panzer-first-duel", "pg-sosnovka"])
def test_two_clicks_lead_to_the_first_move(table: Table, scenario: str) -> None:
    table.page.goto(table.host.url)
    table.find(f"play-{scenario}").click()
    expect(table.find("turn")).to_contain_text("Set-up")
    table.find("auto-begin").click()
    expect(table.find("turn")).to_contain_text("Turn 1 of")
    expect(table.find("seat")).to_contain_text("German")
    expect(table.find("prompt")).not_to_contain_text("Place your units")


@pytest.mark.parametrize(
    ("scenario", "place"), [("mill-ford", "Mill Ford (2-P7)"), ("mini-first-evening", "(29,19.5)")]
)
def test_victory_on_a_card_is_told_with_the_names_of_the_map(table: Table, scenario: str, place: str) -> None:
    table.page.goto(table.host.url)
    table.find(f"open-{scenario}").click()
    table.find(f"victory-{scenario}").click()
    expect(table.find("task-soviet")).to_contain_text(place)


def test_easy_and_short_scenarios_come_first_in_every_rulebook(table: Table) -> None:
    table.page.goto(table.host.url)
    expect(table.find("begin-here")).to_have_count(5)
    expect(cards(table, "case-orange").first).to_have_attribute("data-testid", "scenario-mill-ford")
    expect(cards(table, "case-orange").first.get_by_test_id("begin-here")).to_be_visible()
    expect(cards(table, "panzer").first).to_have_attribute("data-testid", "scenario-panzer-first-duel")
    expect(cards(table, "panzer").last).to_have_attribute("data-testid", "scenario-panzer-sixty")


def test_scenarios_are_found_by_rulebook_theme_side_size_and_length(table: Table) -> None:
    table.page.goto(table.host.url)
    table.find("filter-theme").select_option("airborne")
    expect(table.page.locator("article")).to_have_count(3)
    expect(table.find("scenario-mini-oudewaal")).to_be_visible()
    expect(table.find("system-panzer")).to_have_count(0)
    table.find("filter-ruleset").select_option("micro-armour")
    expect(table.find("found")).to_contain_text("2 of")
    table.find("filter-length").select_option("long")
    expect(table.page.locator("article")).to_have_count(1)
    expect(table.find("scenario-armour-costly-setback")).to_be_visible()
    table.find("filter-side").select_option("soviet")
    expect(table.page.locator("article")).to_have_count(0)
    expect(table.page.get_by_text("No scenario fits")).to_be_visible()
    assert violations(table.page) == []
    table.find("filter-clear").click()
    expect(table.find("scenario-mill-ford")).to_be_visible()
    table.find("filter-size").select_option("large")
    expect(table.find("scenario-mill-ford")).to_have_count(0)
    expect(table.find("scenario-panzer-sixty")).to_be_visible()


def test_what_is_looked_for_stands_in_the_order_of_its_name(table: Table) -> None:
    """In the language of the page, with the rulebooks' own titles."""
    table.page.goto(table.host.url)

    def names(filter: str) -> list[str]:
        return table.find(f"filter-{filter}").locator("option").all_inner_texts()[1:]

    books = ["Case Orange", "Micro Armour", "Panzer", "Panzer Blitz for Miniatures", "Panzer Grenadier"]
    expect(table.page.locator(".system h3")).to_have_text(books)
    assert names("ruleset") == books
    assert names("theme")[0] == "After 1945"
    assert names("theme") == sorted(names("theme"))
    assert names("side") == sorted(names("side"))
    table.find("language").select_option("de")
    expect(table.find("filter-theme").locator("option").nth(1)).to_have_text("Angriff")
    themes = names("theme")
    assert themes.index("Wüste") == len(themes) - 1
    assert names("side") == sorted(names("side"))


def test_a_quick_choice_begins_at_once(table: Table) -> None:
    """The button says that a side is played, and no other has to be pressed after it."""
    table.page.goto(table.host.url)
    table.find("open-mill-ford").click()
    table.find("quick-soviet").click()
    expect(table.find("prompt")).to_be_visible()
    (kept,) = json.loads(table.page.evaluate("localStorage.getItem('opfire.games')"))
    assert list(kept["seats"]) == ["soviet"]
    assert kept["players"] == {"German": "Greedy", "Soviet": "I play"}


def test_the_last_game_stands_on_top_ready_to_go_on(table: Table) -> None:
    table.page.goto(table.host.url)
    expect(table.find("continue")).to_have_count(0)
    table.find("play-mill-ford").click()
    expect(table.find("prompt")).to_be_visible()
    address = table.page.url
    table.page.goto(table.host.url)
    expect(table.find("continue")).to_contain_text("The Mill Ford")
    expect(table.find("continue")).to_contain_text("Set-up")
    assert violations(table.page) == []
    table.find("continue-go").click()
    expect(table.find("prompt")).to_be_visible()
    assert table.page.url == address

    # A game that is over, or that the server has lost, is nothing to go on with.
    for change in ({"over": "conceded"}, {"game": "lost"}):
        (kept,) = json.loads(table.page.evaluate("localStorage.getItem('opfire.games')"))
        table.page.evaluate("kept => localStorage.setItem('opfire.games', kept)", json.dumps([kept | change]))
        table.page.goto(table.host.url)
        expect(table.find("games")).to_contain_text("The Mill Ford")
        expect(table.find("continue")).to_have_count(0)


def test_the_scenarios_are_told_anew_when_the_language_changes(table: Table) -> None:
    """On the page that is open: the cards, and the game that was begun in English."""
    table.page.goto(table.host.url)
    table.find("play-mill-ford").click()
    expect(table.find("prompt")).to_be_visible()
    table.page.goto(table.host.url)
    card = table.find("scenario-mill-ford")
    expect(card).to_contain_text("Two small columns race for a ford")
    expect(table.find("continue").get_by_role("heading")).to_have_text("The Mill Ford")
    expect(table.find("continue")).to_contain_text("German: I play")
    table.find("language").select_option("de")
    expect(card).to_contain_text("Zwei kleine Kolonnen im Wettlauf um eine Furt")
    expect(card).to_contain_text("Die Mühlenfurt")
    expect(table.find("continue").get_by_role("heading")).to_have_text("Die Mühlenfurt")
    expect(table.find("continue")).to_contain_text("Deutsche: Ich spiele")
    # One that is over, too: the server is not asked for it.
    (kept,) = json.loads(table.page.evaluate("localStorage.getItem('opfire.games')"))
    over = json.dumps([kept | {"over": "conceded"}])
    table.page.evaluate("kept => localStorage.setItem('opfire.games', kept)", over)
    table.page.reload()
    expect(table.find("games")).to_contain_text("Die Mühlenfurt")
    expect(table.find("games")).to_contain_text("Beendet")
    expect(table.find("games")).not_to_contain_text("conceded")
    table.find("language").select_option("en")
    expect(card).to_contain_text("Two small columns race for a ford")


def test_the_start_page_in_german(table: Table) -> None:
    table.page.goto(table.host.url)
    table.page.evaluate("localStorage.setItem('opfire.language', '\"de\"')")
    table.page.goto(table.host.url)
    expect(table.find("play-mill-ford")).to_contain_text("Spielen")
    expect(table.find("filter-theme").locator("option[value=night]")).to_have_text("Nacht")


def terrain_in(part: object) -> set[str]:
    """The kinds of terrain and of features anywhere in a map as the server tells it."""
    match part:
        case dict():
            kinds = part.get("terrain", ())
            own = {kind["kind"] if isinstance(kind, dict) else kind for kind in kinds if kind}
            return own.union(*map(terrain_in, part.values()))
        case list():
            return set[str]().union(*map(terrain_in, part))
        case _:
            return set()


def test_the_page_has_a_german_word_for_each_terrain(host: Host) -> None:
    words = (ROOT / "web/src/lib/i18n/de.ts").read_text("utf-8").split("const TERRAIN", 1)[1]
    known = {quoted or plain for quoted, plain in re.findall(r"^  (?:'([^']+)'|(\w+)):", words, re.MULTILINE)}
    with urlopen(f"{host.url}/api/scenarios") as answer:
        scenarios = [scenario["id"] for scenario in json.load(answer)]
    found = set[str]()
    for scenario in scenarios:
        with urlopen(f"{host.url}/api/scenarios/{scenario}") as answer:
            found |= {kind.replace("-", " ") for kind in terrain_in(json.load(answer)["map"])}
    assert {"clear", "village", "bocage"} <= found
    assert found - known == set()


def test_what_is_written_in_english_alone_is_marked_as_such_in_german(table: Table) -> None:
    """Options stay English, as the rules in our words do: a reading voice is told so, and so is the reader."""
    table.page.goto(table.host.url)
    table.find("language").select_option("de")
    table.find("open-mill-ford").click()
    options = table.find("scenario-mill-ford").locator(".options")
    expect(options.locator("summary")).to_contain_text("auf Englisch")
    expect(options.locator("[lang=en]", has_text="Headroom")).to_have_count(1)
    table.find("language").select_option("en")
    expect(table.find("scenario-mill-ford")).not_to_contain_text("auf Englisch")


def test_the_bar_of_balance_says_what_it_shows(table: Table) -> None:
    table.page.goto(table.host.url)
    balance = table.find("scenario-mill-ford").get_by_test_id("balance")
    expect(balance).to_contain_text("games between equal computer players")
    bar = balance.get_by_role("img")
    expect(bar).to_have_accessible_name(re.compile(r"Won in \d+ games .*: German \d+, Soviet \d+"))
