"""The others' deeds are shown as a film: moves, shots and losses; it can be steered, and it hides no question."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from browser import positions
from browser.host import Game
from browser.table import Table

FIRST, SECOND, GUN = "german-1", "german-2", "german-3"
RIFLES, TANK = "soviet-1", "soviet-2"
WATCH = """() => {
  window.glides = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, options) {
    window.glides.push({unit: this.dataset.unit, stops: frames.length});
    return animate.call(this, frames, options);
  };
}"""

SHOWN = """least => {
  const film = document.querySelector('[data-testid="film"]')?.dataset;
  return film && Number(film.scenes) >= least && film.at === film.scenes;
}"""


def watches(table: Table, game: Game, side: str, motion: str = "no-preference", pace: str = "normal") -> None:
    """Sit down at this side, with a film that runs at this pace."""
    table.page.emulate_media(reduced_motion=motion)  # type: ignore[arg-type]
    table.page.goto(table.host.url)
    table.page.evaluate("pace => localStorage.setItem('opfire.pace', pace)", json.dumps(pace))
    table.sit(game, side)
    table.page.evaluate(WATCH)


def glides(table: Table) -> list[dict[str, Any]]:
    """The counters that have glided so far, and over how many stops."""
    found: list[dict[str, Any]] = table.page.evaluate("window.glides")
    return found


def shown(table: Table, least: int = 1) -> Locator:
    """The film has been shown to its end, with at least this number of scenes."""
    table.page.wait_for_function(SHOWN, arg=least)
    return table.find("film")


def drive(table: Table, to: str = "2-S1") -> None:
    """Three hexes west, out of everybody's reach, to the end of the turn: what can be taken back nobody else sees."""
    table.unit(FIRST).click()
    table.hex(to).click()
    table.find("go").click()
    table.stands_in(FIRST, to)
    table.end("Soviet")


def fire(table: Table, firer: str, target: str) -> None:
    """Direct fire of one unit."""
    table.unit(firer).click()
    table.unit(target).click()
    table.find("confirm").click()


def back_at_a_shot(
    table: Table,
    other: Table,
    firer: str = SECOND,
    field: str = positions.MEADOW,
    motion: str = "no-preference",
    pace: str = "normal",
) -> None:
    """The Germans fire at the riflemen and roll a 1; the Soviet's film has shown it, and goes back to it."""
    game = table.host.begin(field, positions.direct_fire, rolls=[1])
    watches(table, game, "soviet", motion, pace)
    other.sit(game, "german")
    fire(other, firer, RIFLES)
    shown(table)
    table.find("film-back").click()


def test_a_move_of_the_enemy_is_drawn_along_its_path(table: Table, other: Table) -> None:
    game = table.host.begin(positions.MEADOW, positions.vehicles)
    watches(table, game, "soviet")
    other.sit(game, "german")
    drive(other)
    table.stands_in(FIRST, "2-S1")
    shown(table)
    moved = [glide for glide in glides(table) if glide["unit"] == FIRST]
    # Every hex on the way is a stop: 2-V1, two more, 2-S1.
    assert sum(glide["stops"] for glide in moved) >= 4
    table.find("film-back").click()
    expect(table.find("film-move")).to_be_visible()


def test_a_shot_shows_its_dice_its_chance_and_its_result_on_the_spot(table: Table, other: Table) -> None:
    back_at_a_shot(table, other, FIRST)
    # At 1:3 a 1 disperses [15.1].
    card = table.find("film-card")
    expect(card).to_contain_text("dispersed")
    expect(card).to_contain_text("17 %")
    expect(card.locator(".dice svg")).to_have_count(1)
    expect(table.find("film-shot").locator("line").first).to_be_attached()


def test_a_loss_leaves_a_mark_until_the_players_next_turn(table: Table, other: Table) -> None:
    game = table.host.begin(positions.MEADOW, positions.direct_fire, rolls=[1])
    watches(table, game, "soviet")
    other.sit(game, "german")
    # 28 against 9 is 3:1, and a 1 eliminates [15.1].
    fire(other, FIRST, TANK)
    mark = table.find("loss-2-Z3")
    expect(mark).to_be_visible()
    expect(mark).to_contain_text("T-34/76 C 1")
    other.end("Soviet")
    table.asks("registration")
    expect(mark).to_be_visible()
    table.press("done")
    expect(mark).to_have_count(0)


def test_the_film_is_paused_stepped_repeated_and_skipped(table: Table, other: Table) -> None:
    game = table.host.begin(positions.MEADOW, positions.direct_fire, rolls=[6, 6])
    watches(table, game, "soviet", pace="slow")
    other.sit(game, "german")
    fire(other, FIRST, RIFLES)
    other.log("rolled 6, no effect")
    fire(other, SECOND, TANK)
    film = shown(table, 2)
    expect(film).to_have_attribute("data-running", "false")

    table.page.keyboard.press("b")
    expect(film).to_have_attribute("data-at", "1")
    expect(table.find("film-card")).to_contain_text("no effect")
    table.page.keyboard.press("b")
    expect(film).to_have_attribute("data-at", "0")
    # A paused film stays where it is.
    expect(film).to_have_attribute("data-running", "false")
    table.find("film-again").click()
    expect(film).to_have_attribute("data-running", "true")
    table.page.keyboard.press("f")
    expect(film).to_have_attribute("data-running", "false")
    expect(film).to_have_attribute("data-at", "0")
    # Own units are the target of both.
    table.find("film-skip").click()
    expect(film).to_have_attribute("data-at", "1")
    table.find("film-skip").click()
    expect(film).to_have_attribute("data-at", "2")


def test_a_question_stops_the_film_and_can_be_answered_at_once(table: Table, other: Table) -> None:
    game = table.host.begin(positions.MEADOW, positions.vehicles, rolls=[6])
    watches(table, game, "soviet", pace="slow")
    other.sit(game, "german")
    other.unit(GUN).click()
    other.hex("2-W3").click()
    other.find("go").click()
    table.asks("StuG III G 1 moves in 2-W3")
    film = table.find("film")
    expect(film).to_contain_text("You are asked here")
    expect(film).to_have_attribute("data-running", "false")
    # The map is as it is now, not as it was.
    table.stands_in(GUN, "2-W3")
    expect(table.find("film-move")).to_be_visible()
    table.kind("react").click()
    table.log("rolled 6, no effect")
    expect(film).not_to_contain_text("You are asked here")


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_motion_is_for_those_who_want_it(table: Table, other: Table, motion: str) -> None:
    back_at_a_shot(table, other, motion=motion)
    expect(table.find("film-card")).to_contain_text("dispersed")
    table.find("film-play").click()
    other.end("vehicle")
    drive(other)
    table.stands_in(FIRST, "2-S1")
    shown(table, 2)
    assert (glides(table) != []) == (motion == "no-preference")
    table.find("film-back").click()
    expect(table.find("film-move")).to_be_visible()


@pytest.mark.parametrize("width", [390, 1280])
def test_the_bar_tells_its_scene_in_a_whole_sentence(table: Table, other: Table, width: int) -> None:
    table.page.set_viewport_size({"width": width, "height": 844})
    back_at_a_shot(table, other, pace="fast")
    text = table.find("film").locator(".text")
    expect(text).to_contain_text("dispersed")
    assert text.evaluate("one => one.scrollWidth <= one.clientWidth && getComputedStyle(one).textOverflow === 'clip'")
    for box in (text, table.find("film"), table.find("film-card")):
        bounds = box.bounding_box()
        assert bounds
        assert bounds["x"] >= 0
        assert bounds["x"] + bounds["width"] <= width


@pytest.mark.parametrize(("width", "place"), [(390, "2-Z2"), (390, "2-W2"), (1280, "2-W2")])
def test_the_result_does_not_cover_the_calibre(table: Table, other: Table, width: int, place: str) -> None:
    """On a line that is short, or drawn short, one lies away from the other."""
    table.page.set_viewport_size({"width": width, "height": 844})
    back_at_a_shot(table, other, field=positions.MEADOW.replace("2-Z2", place), pace="fast")
    card, gun = table.find("film-card").bounding_box(), table.find("film-gun").bounding_box()
    assert card
    assert gun
    across = gun["x"] < card["x"] + card["width"] and card["x"] < gun["x"] + gun["width"]
    down = gun["y"] < card["y"] + card["height"] and card["y"] < gun["y"] + gun["height"]
    assert not (across and down)


def test_at_once_shows_only_what_became_of_it(table: Table, other: Table) -> None:
    game = table.host.begin(positions.MEADOW, positions.direct_fire, rolls=[1])
    watches(table, game, "soviet", pace="instant")
    other.sit(game, "german")
    fire(other, FIRST, TANK)
    expect(table.find("loss-2-Z3")).to_be_visible()
    expect(table.find("film")).to_have_attribute("data-running", "false")
    assert glides(table) == []
    # Scenes that were not shown can still be looked at.
    table.find("film-back").click()
    expect(table.find("film-card")).to_contain_text("eliminated")


def test_the_pace_is_kept(table: Table, other: Table) -> None:
    game = table.host.begin(positions.MEADOW, positions.vehicles)
    watches(table, game, "soviet")
    other.sit(game, "german")
    drive(other)
    shown(table)
    expect(table.find("film-pace")).to_have_text("normal")
    table.find("film-pace").click()
    expect(table.find("film-pace")).to_have_text("fast")
    assert table.page.evaluate("localStorage.getItem('opfire.pace')") == '"fast"'


def test_nobody_is_shown_a_film_of_what_happened_before(table: Table, other: Table) -> None:
    game = table.host.begin(positions.MEADOW, positions.vehicles)
    other.sit(game, "german")
    drive(other)
    watches(table, game, "soviet")
    table.stands_in(FIRST, "2-S1")
    expect(table.find("film")).to_have_count(0)


LISTEN = """() => {
  window.started = 0;
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...when) {
    window.started++;
    return start.apply(this, when);
  };
}"""


def test_sound_is_off_until_a_key_is_pressed(table: Table) -> None:
    game = table.host.begin(positions.MEADOW, positions.direct_fire, rolls=[6, 6])
    watches(table, game, "german")
    table.page.evaluate(LISTEN)
    fire(table, FIRST, RIFLES)
    table.log("rolled 6, no effect")
    assert table.page.evaluate("window.started") == 0
    table.page.keyboard.press("s")
    assert table.page.evaluate("localStorage.getItem('opfire.sound')") == "true"
    fire(table, SECOND, RIFLES)
    table.page.wait_for_function("() => window.started > 0")


def test_an_own_roll_has_its_moment_on_the_bar_of_chances_unless_switched_off(table: Table) -> None:
    game = table.host.begin(positions.MEADOW, positions.direct_fire, rolls=[6, 6])
    watches(table, game, "german", pace="slow")
    fire(table, FIRST, RIFLES)
    table.page.keyboard.press("b")
    expect(table.find("film-odds").get_by_test_id("chances")).to_be_visible()
    table.find("menu").click()
    table.find("drama").uncheck()
    table.page.keyboard.press("Escape")
    fire(table, SECOND, RIFLES)
    expect(table.find("film-card")).to_be_visible()
    table.page.keyboard.press("b")
    expect(table.find("film-card")).to_contain_text("no effect")
    expect(table.find("film-odds")).to_have_count(0)
