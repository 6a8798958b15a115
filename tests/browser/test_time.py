"""Looking back: step by step, at a turn, at an event, by a link; and what each side may see of it."""

from __future__ import annotations

import random
import re

import pytest
from playwright.sync_api import expect

from browser import positions
from browser.steppe import begun, steppe
from browser.table import Table
from opfire.core.match import Match

FIRST, SECOND, RIFLES = "german-1", "german-2", "soviet-1"


def drive(table: Table) -> None:
    """Three hexes west, out of everybody's sight: three decisions of one draft."""
    table.unit(FIRST).click()
    table.hex("2-S1").click()
    table.find("go").click()
    table.stands_in(FIRST, "2-S1")


def shoot(table: Table) -> None:
    """One shot at the riflemen."""
    table.unit(FIRST).click()
    table.unit(RIFLES).click()
    table.find("confirm").click()
    table.log("rolled 1, dispersed")


def count(table: Table) -> tuple[int, int]:
    """The moment on show, and the last one."""
    shown, last = table.find("past-count").inner_text().split(" of ")
    return int(shown), int(last)


def test_the_way_back_to_now_is_in_view_when_a_moment_is_chosen_in_the_log(table: Table) -> None:
    table.page.set_viewport_size({"width": 1000, "height": 520})
    table.sit(table.host.begin(positions.MEADOW, positions.vehicles), "german", "soviet")
    drive(table)
    moment = table.page.get_by_role("button", name=re.compile("^Look at this moment")).last
    moment.scroll_into_view_if_needed()
    moment.click()
    expect(table.find("past-sign")).to_be_visible()
    expect(table.find("to-now")).to_be_in_viewport()


def test_step_by_step_back_and_on_again(table: Table) -> None:
    table.sit(table.host.begin(positions.MEADOW, positions.vehicles), "german", "soviet")
    drive(table)
    table.page.keyboard.press("[")
    expect(table.find("past-sign")).to_contain_text("Looking at the past")
    table.stands_in(FIRST, "2-T1")
    last = count(table)[1]
    assert count(table) == (last - 1, last)
    # Nothing can be decided in the past; what is owed is said.
    expect(table.page.locator("button[data-kind]")).to_have_count(0)
    expect(table.find("past")).to_contain_text("waits for your decision")

    table.find("past-back").click()
    table.stands_in(FIRST, "2-U2")
    table.find("past-on").click()
    table.stands_in(FIRST, "2-T1")
    expect(table.find("past-did")).to_contain_text("2-T1")
    # The slider goes anywhere at once.
    table.find("scrubber").fill("0")
    table.stands_in(FIRST, "2-V1")
    expect(table.find("past-count")).to_have_text(f"0 of {last}")
    expect(table.find("past-back")).to_be_disabled()

    # It plays by itself, and stops where the game stands.
    table.find("scrubber").fill(str(last - 2))
    table.stands_in(FIRST, "2-U2")
    table.find("past-play").click()
    expect(table.find("past-play")).to_have_text("Stop")
    expect(table.find("past-count")).to_have_text(f"{last} of {last}")
    expect(table.find("past-play")).to_have_text("Play")
    table.stands_in(FIRST, "2-S1")

    table.find("to-now").click()
    expect(table.find("past")).to_have_count(0)
    table.asks("Move")


def test_to_a_turn_and_to_an_event(table: Table) -> None:
    game = table.host.begin(positions.MEADOW, positions.direct_fire, rolls=[1])
    table.sit(game, "german", "soviet")
    shoot(table)
    table.end(until="Seat: Soviet")
    table.end(until="Turn 2")

    table.find("replay").click()
    turns = table.find("past-turns")
    expect(turns.locator("option")).to_have_text(["Turn 1, German", "Turn 1, Soviet", "Turn 2, German"])
    turns.select_option(label="Turn 1, Soviet")
    expect(table.find("turn")).to_have_text("Turn 1 of 3")
    expect(table.page.locator(".turn .current")).to_have_text("Soviet")
    table.find("past-turn-back").click()
    expect(table.page.locator(".turn .current")).to_have_text("German")
    table.find("past-turn-on").click()
    expect(table.page.locator(".turn .current")).to_have_text("Soviet")

    # From the log to the moment in which it was written; what came later is there, but faint.
    shot = table.find("log").locator("li.fired")
    shot.get_by_role("button", name="Look at this moment").first.click()
    expect(table.find("past-did")).to_contain_text("Direct fire at 1:3 against 2-Z2: rolled 1, dispersed")
    expect(table.page.locator(".turn .current")).to_have_text("German")
    expect(table.find("log").locator("li.later").first).to_contain_text("Soviet player turn 1")
    expect(shot).not_to_have_class(re.compile("later"))
    table.page.keyboard.press("Escape")
    expect(table.find("turn")).to_have_text("Turn 2 of 3")


def test_a_side_looks_back_on_what_it_knew_and_both_on_all_after_the_end(table: Table, other: Table) -> None:
    game = table.host.begin(positions.MEADOW, positions.direct_fire, rolls=[1])
    table.sit(game, "german")
    other.sit(game, "soviet")
    table.unit(SECOND).click()
    table.unit(RIFLES).click()
    table.find("confirm").click()
    other.log("rolled 1, dispersed")
    table.end(until="Move a vehicle")
    drive(table)
    table.page.keyboard.press("[")
    table.stands_in(FIRST, "2-T1")
    expect(table.find("past-as")).to_have_count(0)

    # The draft since the die fell, a segment's end and three steps, is hidden when the other side looks back on.
    other.page.keyboard.press("[")
    expect(other.find("past")).to_be_visible()
    mine, last = count(table)[1], count(other)[1]
    assert last == mine - 4
    expect(other.find("past-as")).to_have_count(0)
    other.find("scrubber").fill(str(last))
    expect(other.find("past-count")).to_have_text(f"{last} of {last}")
    other.stands_in(FIRST, "2-V1")
    assert not any(b'"2-T1"' in data for data in other.received)
    for one in (table, other):
        one.find("to-now").click()

    table.find("menu").click()
    table.find("concede").click()
    table.find("concede-yes").click()
    for one, own in ((table, "German"), (other, "Soviet")):
        one.find("watch-again").click()
        # Giving up is a decision as well.
        expect(one.find("past-count")).to_have_text(f"0 of {mine + 1}")
        expect(one.find("past-as").locator("option:checked")).to_have_text(own)
        expect(one.find("past-as").locator("option")).to_have_count(3)
        one.find("scrubber").fill(str(mine - 1))
        one.stands_in(FIRST, "2-T1")
    other.find("past-as").select_option("german")
    expect(other.find("past-as").locator("option:checked")).to_have_text("German")
    other.stands_in(FIRST, "2-T1")


def test_a_link_opens_at_its_moment(table: Table) -> None:
    game = table.host.begin(positions.MEADOW, positions.direct_fire, rolls=[1])
    table.sit(game, "german", "soviet")
    shoot(table)
    table.page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=table.host.url)
    table.page.keyboard.press("[")
    table.find("past-link").click()
    expect(table.find("past").get_by_role("status")).to_have_text("Copied.")
    link = table.page.evaluate("navigator.clipboard.readText()")
    shown = table.find("past-count").inner_text()

    table.page.goto("about:blank")
    table.page.goto(link)
    expect(table.find("past-count")).to_have_text(shown)
    # At that moment the die had not fallen.
    expect(table.find("past-sign")).to_be_visible()
    expect(table.unit(RIFLES)).not_to_have_accessible_name(re.compile("dispersed"))
    table.find("to-now").click()
    expect(table.find("log")).to_contain_text("rolled 1, dispersed")


@pytest.mark.parametrize("number", ["9999", "x"])
def test_a_link_to_no_moment_opens_the_game(table: Table, number: str) -> None:
    game = table.host.begin(positions.MEADOW, positions.direct_fire)
    table.sit(game, "german")
    table.page.goto("about:blank")
    table.page.goto(f"{table.host.url}/play/{game.id}#moment={number}")
    table.asks("Choose a firer and its target")
    expect(table.find("past")).to_have_count(0)


def segments(match: Match) -> None:
    """Both sides act by turns in several segments, until the second turn."""
    begun()(match)
    rng = random.Random(1)
    while match.game.state.turn < 2:
        [side, *_] = match.game.deciders()
        match.play(side, match.game.choices(side).sample(rng))


@pytest.mark.rule("panzer-grenadier", "3.0")
def test_no_two_entries_to_jump_to_read_the_same(table: Table) -> None:
    """A side has several segments in a turn: each of them is told by its number."""
    table.sit(table.host.begin(steppe(), segments), "german", "soviet")
    table.page.keyboard.press("[")
    entries = table.page.get_by_label("Jump to").locator("option")
    expect(entries.filter(has_text="Turn 1, German, part 2")).to_have_count(1)
    names = [name.strip() for name in entries.all_inner_texts()]
    assert len(names) == len(set(names))
