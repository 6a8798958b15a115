"""For everyone: axe on every page and state, a whole game in words, the keyboard alone, what is read out."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from browser import positions
from browser.axe import violations
from browser.table import Table

RIFLES, FIRST, GUN = "soviet-1", "german-1", "german-3"


def clean(table: Table) -> None:
    """axe finds nothing wrong, in either theme."""
    for theme in ("light", "dark"):
        table.page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        expect(table.page.locator("html")).to_have_attribute("data-theme", theme)
        table.page.evaluate(TWO_FRAMES)
        assert violations(table.page) == []


TWO_FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""Until colours that change in a moment have changed."""


def test_start_page_and_set_up(table: Table) -> None:
    table.page.goto(table.host.url)
    table.find("open-mill-ford").click()
    expect(table.find("start-mill-ford")).to_be_visible()
    clean(table)
    table.find("quick-both").click()
    table.asks("Place your units")
    table.find("unit-german-1").click()
    clean(table)


def test_rules_page(table: Table) -> None:
    table.page.goto(f"{table.host.url}/rules/case-orange#9.5.1")
    expect(table.find("rule-9.5.1")).to_be_in_viewport()
    table.find("rule-search").fill("overrun")
    clean(table)


def test_an_attack_being_built_and_every_panel(table: Table) -> None:
    table.sit(table.host.begin(positions.MEADOW, positions.direct_fire, rolls=[1]), "german", "soviet")
    clean(table)
    table.unit(FIRST).click()
    table.unit(RIFLES).click()
    expect(table.find("building")).to_be_visible()
    clean(table)
    for tab in ("forces", "position", "orders"):
        table.find(f"tab-{tab}").click()
        expect(table.find(f"tab-{tab}")).to_have_attribute("aria-selected", "true")
        clean(table)


def test_a_route_a_reaction_and_the_result(table: Table) -> None:
    table.sit(table.host.begin(positions.MEADOW, positions.vehicles, rolls=[6]), "german", "soviet")
    table.unit(GUN).click()
    table.hex("2-W3").click()
    expect(table.find("route")).to_be_visible()
    clean(table)
    table.find("go").click()
    expect(table.kind("react").first).to_be_visible()
    clean(table)
    table.find("menu").click()
    clean(table)
    table.find("concede").click()
    table.find("concede-yes").click()
    expect(table.find("result")).to_be_visible()
    clean(table)


def test_a_whole_game_in_words(table: Table) -> None:
    """The map cannot be touched; what is left is enough to play a short game to its result."""
    short = positions.MEADOW.replace("turns = 3", "turns = 1")
    table.sit(table.host.begin(short, positions.direct_fire), "german", "soviet")
    table.find("tab-position").click()
    table.page.evaluate("document.querySelector('.play > .map').inert = true")
    done: list[str] = []
    asked_or_over = table.page.locator('.panel button[data-kind], [data-testid="result"]').first
    while True:
        asked_or_over.wait_for()
        if table.find("result").is_visible():
            break
        # One attack: who has fired moves no more.
        wanted = {"fire": "confirm" not in done, "move": done.count("move") < 4}
        done.append(_in_words(table, [kind for kind, want in wanted.items() if want]))
        assert len(done) < 80
    expect(table.find("result")).to_contain_text("The game is over")
    assert {"fire", "confirm", "move", "react", "done"} <= set(done)


def _in_words(table: Table, wanted: list[str]) -> str:
    """One decision, made with the buttons of the text view or of the prompt; says of which kind it was."""
    kinds = ["confirm", "react", *wanted, "pass", "done"]
    table.page.locator(", ".join(f'button[data-kind="{kind}"]' for kind in kinds)).first.wait_for(state="attached")
    before = table.page.evaluate(SITUATION)
    kind = next(kind for kind in kinds if table.kind(kind).count())
    if kind in ("confirm", "pass", "done"):
        table.page.locator(f'.panel button[data-kind="{kind}"]').first.press("Enter")
    else:
        unit = table.find("position").locator("li", has=table.kind(kind)).first
        if not unit.locator("details").evaluate("details => details.open"):
            unit.locator("summary").press("Enter")
        unit.locator(f'button[data-kind="{kind}"]').first.press("Enter")
    table.page.wait_for_function(f"before => {SITUATION} !== before", arg=before)
    return kind


SITUATION = """["turn", "seat", "track", "prompt", "position", "result"].map((name) =>
  document.querySelector(`[data-testid="${name}"]`)?.textContent).join("|")"""
"""All that may change with a decision."""


def test_a_unit_goes_where_the_list_of_its_goals_says(table: Table) -> None:
    table.sit(table.host.begin(positions.MEADOW, positions.vehicles), "german")
    table.find("tab-position").click()
    unit = table.find(f"words-{FIRST}")
    unit.get_by_role("button", name="PzKw IV H 1").press("Enter")
    goals = unit.get_by_label("Goal of PzKw IV H 1")
    goals.select_option("2-S1")
    # Three clear hexes at one movement factor each; a PzKw IV has eight.
    expect(goals.locator("option:checked")).to_have_text("2-S1: 3 movement factors, 5 left, over clear")
    table.find("words-go").press("Enter")
    table.stands_in(FIRST, "2-S1")


def test_what_happens_is_read_out(table: Table) -> None:
    table.sit(table.host.begin(positions.MEADOW, positions.direct_fire, rolls=[1]), "german", "soviet")
    announce = table.find("announce")
    expect(announce).to_have_attribute("aria-live", "polite")
    # Earlier events are not told again.
    expect(announce).to_be_empty()
    expect(table.find("prompt")).to_have_attribute("aria-live", "polite")
    table.unit(FIRST).click()
    table.unit(RIFLES).click()
    table.find("confirm").click()
    expect(announce).to_contain_text("Direct fire at 1:3 against 2-Z2: rolled 1, dispersed")
    # Nor is it told again after a reload.
    table.page.reload()
    table.log("rolled 1, dispersed")
    expect(announce).to_be_empty()


def test_the_hex_under_the_cursor_is_read_out(table: Table) -> None:
    table.sit(table.host.begin(positions.MEADOW, positions.vehicles), "german")
    pointed = table.find("pointed")
    table.page.keyboard.press("n")
    table.page.keyboard.press("Enter")
    expect(table.page.locator("polygon.reach").first).to_be_visible()
    table.page.keyboard.press("Shift+ArrowLeft")
    expect(pointed).to_have_text(re.compile(r"^2-U[12], clear, 1 movement factor, 7 left"))
    table.page.keyboard.press("Escape")
    expect(pointed).to_be_empty()


def test_focus_is_seen_and_goes_from_the_map_to_the_decision(table: Table) -> None:
    table.sit(table.host.begin(positions.MEADOW, positions.direct_fire), "german")
    press = table.page.keyboard.press
    press("Tab")
    skip = table.page.get_by_role("button", name="Skip the map")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    # The units that can act, those that can be aimed at, then the tools, then the panel.
    reached: list[dict[str, Any]] = []
    while sum(one["place"] == "panel" for one in reached) < 3:
        press("Tab")
        reached.append(table.page.evaluate(FOCUSED))
        assert reached[-1]["outline"] >= 3, reached[-1]
        assert len(reached) < 20
    units = [one["unit"] for one in reached if one["unit"]]
    assert units == ["german-1", "german-2", "german-3", "soviet-1", "soviet-2"]
    places = [one["place"] for one in reached]
    assert places == sorted(places), "from the map to the panel, and not back"
    skip.focus()
    press("Enter")
    expect(table.find("prompt")).to_be_focused()
    # Help with the decision comes before it, and is short.
    for _ in range(6):
        press("Tab")
        if table.find("done").evaluate("done => done === document.activeElement"):
            break
    expect(table.find("done")).to_be_focused()


def test_focus_is_seen_on_a_counter_that_is_chosen(table: Table) -> None:
    """Its frame and the ring of the focus are both drawn, the ring outside the frame."""
    table.sit(table.host.begin(positions.MEADOW, positions.vehicles), "german")
    counter = table.unit("german-1")
    counter.click()
    expect(counter).to_contain_class("chosen")
    table.page.keyboard.press("Shift+Tab")
    table.page.keyboard.press("Tab")
    expect(counter).to_be_focused()
    expect(counter).to_contain_class("chosen")
    ring, frames = counter.evaluate(RINGS)
    assert frames, "the frame of a chosen counter"
    assert ring["width"] >= 3
    assert ring["from"] >= max(frames)


RINGS = """(one) => {
  const focus = getComputedStyle(one), frame = getComputedStyle(one, "::before");
  // A frame is a shadow without blur: its width grows from the edge of the box, which itself reaches out.
  const rings = [...frame.boxShadow.matchAll(/ 0px 0px 0px ([\\d.]+)px/g)].map(([, width]) => parseFloat(width));
  return [{width: parseFloat(focus.outlineWidth) || 0, from: parseFloat(focus.outlineOffset)},
          rings.map((width) => width - parseFloat(frame.top))];
}"""


FOCUSED = """() => {
  const one = document.activeElement;
  return {unit: one.dataset.unit ?? null, place: one.closest(".panel") ? "panel" : "map",
          outline: parseFloat(getComputedStyle(one).outlineWidth) || 0};
}"""


def test_the_tabs_go_by_arrows(table: Table) -> None:
    table.sit(table.host.begin(positions.MEADOW, positions.direct_fire), "german")
    table.find("tab-log").focus()
    for name in ("forces", "position", "orders", "log"):
        table.page.keyboard.press("ArrowRight")
        expect(table.find(f"tab-{name}")).to_be_focused()
        expect(table.find(f"tab-{name}")).to_have_attribute("aria-selected", "true")


def test_letters_can_be_switched_off(table: Table) -> None:
    table.sit(table.host.begin(positions.MEADOW, positions.direct_fire), "german")
    table.page.keyboard.press("?")
    expect(table.find("keys")).to_be_visible()
    table.page.keyboard.press("Escape")
    table.find("menu").click()
    table.page.get_by_label("Single-letter keys").uncheck()
    table.page.keyboard.press("Escape")
    table.page.keyboard.press("?")
    table.page.keyboard.press("n")
    expect(table.find("keys")).to_have_count(0)
    expect(table.page.locator(".counter:focus")).to_have_count(0)


@pytest.mark.parametrize(("width", "height"), [(390, 844), (2560, 1440)])
def test_nothing_lies_outside_small_and_large_screens(table: Table, width: int, height: int) -> None:
    table.page.set_viewport_size({"width": width, "height": height})
    table.page.goto(table.host.url)
    table.find("open-mill-ford").click()
    expect(table.find("start-mill-ford")).to_be_visible()
    assert table.page.evaluate(WIDEST) <= width
    table.sit(table.host.begin(positions.MEADOW, positions.direct_fire), "german")
    # On the small one all this lies on a sheet that has to be opened.
    for handle in table.find("sheet-handle").all():
        handle.click()
    for tab in ("log", "forces", "position", "orders"):
        table.find(f"tab-{tab}").click()
        assert table.page.evaluate(WIDEST) <= width
        assert table.page.evaluate("document.querySelector('.scroll').scrollWidth") <= width


WIDEST = "document.documentElement.scrollWidth"


def test_the_text_view_tells_who_sees_whom(table: Table) -> None:
    table.sit(table.host.begin(positions.MEADOW, positions.direct_fire), "german")
    table.find("tab-position").click()
    # Four hexes of open ground lie between them.
    sight = table.find(f"sight-{FIRST}")
    expect(sight).to_contain_text("T-34/76 C 1")
    expect(sight).to_contain_text("seen by")
