"""The look of the page, its motion and its words in another language; stable states against kept pictures."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from browser import positions
from browser.axe import violations
from browser.picture import FEW, NO_LETTERS, differs
from browser.table import Table

FIRST, RIFLES = "german-1", "soviet-1"
HALF_A_SECOND = 500
SMALL = {"width": 1045, "height": 500}
"""Its map is 608 pixels wide: the tools take 45, the panel 392."""


@pytest.fixture(params=["light", "dark"])
def theme(request: pytest.FixtureRequest, table: Table) -> str:
    """Either theme, on a small table whose hexes bear no numbers."""
    table.page.set_viewport_size({**SMALL})
    table.page.emulate_media(color_scheme=request.param, reduced_motion="reduce")
    table.page.goto(table.host.url)
    table.page.evaluate("localStorage.setItem('opfire.numbers', 'false')")
    return str(request.param)


def test_the_map_alone(table: Table, theme: str) -> None:
    table.sit(table.host.begin(positions.MEADOW, positions.direct_fire), "german")
    table.page.evaluate(NO_LETTERS)
    table.page.keyboard.press("h")
    expect(table.unit(FIRST)).to_be_hidden()
    assert differs(table.find("map"), f"map-{theme}") < FEW


@pytest.mark.parametrize("missing", ["OffscreenCanvas", "thread"])
def test_a_browser_that_draws_on_no_thread_shows_the_same_map(table: Table, missing: str) -> None:
    table.page.set_viewport_size({**SMALL})
    table.page.emulate_media(color_scheme="light", reduced_motion="reduce")
    if missing == "thread":
        table.page.route("**/assets/thread-*.js", lambda route: route.abort())
    else:
        table.page.add_init_script(f"delete window.{missing}")
    table.page.goto(table.host.url)
    table.page.evaluate("localStorage.setItem('opfire.numbers', 'false')")
    table.sit(table.host.begin(positions.MEADOW, positions.direct_fire), "german")
    table.page.evaluate(NO_LETTERS)
    table.page.keyboard.press("h")
    expect(table.unit(FIRST)).to_be_hidden()
    assert differs(table.find("map"), "map-light") < FEW


def test_an_attack_on_the_map(table: Table, theme: str) -> None:
    table.sit(table.host.begin(positions.MEADOW, positions.direct_fire), "german")
    table.page.evaluate(NO_LETTERS)
    table.unit(FIRST).click()
    table.unit(RIFLES).click()
    expect(table.find("building")).to_be_visible()
    table.page.mouse.move(SMALL["width"] - 2, 2)
    assert differs(table.find("map"), f"attack-{theme}") < FEW


def test_what_a_unit_can_reach(table: Table, theme: str) -> None:
    table.sit(table.host.begin(positions.MEADOW, positions.vehicles), "german")
    table.page.evaluate(NO_LETTERS)
    table.unit(FIRST).click()
    expect(table.page.locator("polygon.reach").first).to_be_visible()
    table.page.mouse.move(SMALL["width"] - 2, 2)
    assert differs(table.find("map"), f"reach-{theme}") < FEW


@pytest.mark.parametrize("symbols", ["silhouette", "nato"])
def test_counters_of_every_kind_and_state(table: Table, symbols: str) -> None:
    table.page.set_viewport_size({"width": 1280, "height": 800})
    table.page.goto(f"{table.host.url}/design")
    expect(table.find("counters-light")).to_be_visible()
    if symbols == "nato":
        table.page.get_by_label("NATO symbols").check()
    table.page.evaluate(NO_LETTERS)
    for theme in ("light", "dark"):
        assert differs(table.find(f"counters-{theme}"), f"counters-{symbols}-{theme}") < FEW


def test_a_picture_that_is_not_the_same_is_noticed(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPFIRE_KEEP_PICTURES", raising=False)
    table.page.goto(f"{table.host.url}/design")
    table.page.set_viewport_size({"width": 1280, "height": 800})
    expect(table.find("counters-light")).to_be_visible()
    table.page.evaluate(NO_LETTERS)
    table.page.get_by_label("NATO symbols").check()
    assert differs(table.find("counters-dark"), "counters-silhouette-light") > FEW


def test_the_page_of_components_is_for_everyone(table: Table) -> None:
    table.page.goto(f"{table.host.url}/design")
    expect(table.find("design-dark")).to_be_visible()
    assert violations(table.page) == []


# --- motion -----------------------------------------------------------------------------------------------

WATCH = """() => {
  window.seen = {glides: [], animations: []};
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, options) {
    window.seen.glides.push({unit: this.dataset.unit, stops: frames.length, ms: options.duration});
    return animate.call(this, frames, options);
  };
  addEventListener("animationstart", (event) => {
    const timing = event.target.getAnimations()[0]?.effect.getComputedTiming();
    if (timing && timing.iterations !== Infinity)
      window.seen.animations.push({name: event.animationName, ms: timing.endTime});
  }, true);
}"""


ALL_SEEN = "(parts) => parts.every((part) => seen.animations.some(({name}) => name.endsWith(part)))"


def watched(table: Table, motion: str) -> None:
    """From now on every motion on the page is written down."""
    table.page.emulate_media(reduced_motion=motion)  # type: ignore[arg-type]
    table.page.evaluate(WATCH)


def seen(table: Table) -> dict[str, list[dict[str, Any]]]:
    """The motions so far."""
    found: dict[str, list[dict[str, Any]]] = table.page.evaluate("window.seen")
    return found


def drive(table: Table) -> None:
    """Three hexes west, out of everybody's sight."""
    table.unit(FIRST).click()
    table.hex("2-S1").click()
    table.find("go").click()
    table.stands_in(FIRST, "2-S1")


def test_a_move_follows_its_path_and_is_one_line_of_the_log(table: Table) -> None:
    table.sit(table.host.begin(positions.MEADOW, positions.vehicles), "german", "soviet")
    watched(table, "no-preference")
    drive(table)
    table.log("PzKw IV H 1 moves 2-V1 → 2-S1")
    glides = seen(table)["glides"]
    assert {glide["unit"] for glide in glides} == {FIRST}
    # Every hex on the way is a stop: 2-V1, two more, 2-S1.
    assert sum(glide["stops"] for glide in glides) >= 4
    assert all(glide["ms"] <= HALF_A_SECOND for glide in glides)
    expect(table.find("log").locator("li.moved")).to_have_count(1)


def test_a_shot_is_drawn_and_the_dice_roll(table: Table) -> None:
    table.sit(table.host.begin(positions.MEADOW, positions.direct_fire, rolls=[1]), "german", "soviet")
    watched(table, "no-preference")
    table.unit(FIRST).click()
    table.unit(RIFLES).click()
    # The line stands between firer and target before the dice do.
    expect(table.page.locator("line.shot")).to_have_count(1)
    table.find("confirm").click()
    table.log("rolled 1, dispersed")
    table.page.wait_for_function(ALL_SEEN, arg=["fly", "burst", "roll"])
    assert all(one["ms"] <= HALF_A_SECOND for one in seen(table)["animations"])


def test_nothing_moves_for_those_who_want_it_still(table: Table) -> None:
    table.sit(table.host.begin(positions.MEADOW, positions.vehicles), "german", "soviet")
    watched(table, "reduce")
    drive(table)
    table.log("2-S1")
    assert seen(table)["glides"] == []
    assert all(one["ms"] < 1 for one in seen(table)["animations"])


# --- another language -------------------------------------------------------------------------------------


def test_german_is_chosen_in_the_header_and_kept(table: Table) -> None:
    table.page.goto(table.host.url)
    table.find("language").select_option("de")
    expect(table.page.get_by_role("heading", name="Szenarien")).to_be_visible()
    expect(table.page.locator("html")).to_have_attribute("lang", "de")
    assert violations(table.page) == []

    table.sit(table.host.begin(positions.MEADOW, positions.vehicles), "german")
    expect(table.find("tab-position")).to_have_text("Stellung")
    expect(table.find("turn")).to_contain_text("Zug 1 von 3")
    # The server's words are German too, and a reading voice is told so.
    expect(table.find("prompt").locator("[lang=de]")).to_contain_text("Bewege ein Fahrzeug")
    drive(table)
    table.log("PzKw IV H 1 zieht 2-V1 → 2-S1")
    table.find("menu").click()
    table.find("language").select_option("en")
    expect(table.find("tab-position")).to_have_text("Position")
