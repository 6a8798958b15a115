"""Information on the free table before a decision: command, fields of fire, templates, fire along a way."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from browser.host import Game, Host
from browser.mill import WAIT, battle, battling, spot
from browser.table import Table
from opfire.core.actions import Action
from opfire.core.match import Match


@pytest.fixture
def fight(page: Page, at_table: Callable[[Page, Host], Table], host: Host) -> Table:
    """The German's second turn: tanks at (10, 25) and (11.5, 23.5), a post between them, a howitzer behind."""
    table = at_table(page, host)
    table.sit(battling(host), "german")
    return table


@pytest.fixture
def moving(fight: Table) -> Table:
    """Its movement phase."""
    fight.end("Move a stand")
    return fight


def test_a_command_post_shows_its_radius_and_all_that_it_leads(moving: Table) -> None:
    moving.unit("german-2").click()
    expect(moving.find("command-german-2")).to_be_attached()
    expect(moving.find("link-german-1")).to_have_attribute("data-within", "true")
    # The riflemen stand twenty-five inches away.
    expect(moving.find("link-german-6")).to_have_attribute("data-within", "false")


def test_the_radius_goes_with_the_post_that_is_led_about(moving: Table) -> None:
    moving.unit("german-2").click()
    expect(moving.find("reach")).to_be_attached()
    ring = moving.find("command-german-2")
    before = ring.get_attribute("cx")
    moving.page.mouse.move(*spot(moving, 12.4, 26))
    expect(moving.find("ghost")).to_be_attached()
    assert float(ring.get_attribute("cx") or "") > float(before or "")


def test_a_stand_out_of_command_is_told_so(moving: Table) -> None:
    moving.unit("german-6").focus()
    moving.page.keyboard.press("Enter")
    moving.page.keyboard.press("r")
    expect(moving.find("in-command")).to_contain_text("Out of command: Command post 1 is 25.3")
    expect(moving.find("link-german-6")).to_have_attribute("data-within", "false")


def test_the_range_of_a_gun_is_drawn_in_bands_with_its_arc_and_its_field_of_fire(moving: Table) -> None:
    gun = moving.unit("soviet-3")
    expect(moving.find("arc-soviet-3")).to_be_attached()
    gun.click()
    moving.find("show-around").click()
    expect(moving.find("ring")).to_have_count(3)
    expect(moving.find("around")).to_contain_text("armored ×2")
    expect(moving.find("around")).to_contain_text("arc of 90°")
    expect(moving.find("field")).to_be_attached()
    moving.page.keyboard.press("r")
    expect(moving.find("ring")).to_have_count(0)
    expect(moving.find("field")).to_have_count(0)


def test_nobody_measures_where_the_scenario_switches_it_off(
    page: Page, at_table: Callable[[Page, Host], Table], host: Host
) -> None:
    table = at_table(page, host)
    table.sit(battling(host, "measuring = false\n"), "german")
    table.end("Move a stand")
    expect(table.find("grid")).to_be_visible()
    expect(table.find("tape-tool")).to_have_count(0)
    expect(table.find("lasso-tool")).to_be_visible()
    table.unit("soviet-3").click()
    expect(table.find("show-around")).to_have_count(0)
    table.unit("german-2").click()
    table.find("aim").locator("summary").click()
    expect(table.find("aim-inches")).to_be_visible()
    expect(table.find("aim-short")).to_have_count(0)
    for key in "mr":
        page.keyboard.press(key)
    for part in ("tapes", "around", "ring", "command-german-2"):
        expect(table.find(part)).to_have_count(0)
    # The price of a move is told as ever.
    page.mouse.move(*spot(table, 12.4, 26.6))
    expect(table.find("cost")).to_contain_text("movement points")


def test_a_way_shows_where_an_enemy_may_fire_and_who(moving: Table) -> None:
    moving.unit("german-3").click()
    expect(moving.find("equal-cost").first).to_be_attached()
    moving.page.mouse.move(*spot(moving, 14.3, 23.4))
    expect(moving.find("fire-point")).to_have_attribute("data-units", "soviet-2")
    expect(moving.find("fire-told")).to_contain_text("T-34/76 C 2")
    # Away from them no quarter is spent in sight.
    moving.page.mouse.move(*spot(moving, 11.1, 23.5))
    expect(moving.find("cost")).to_contain_text("movement points")
    expect(moving.find("fire-point")).to_have_count(0)


def test_a_template_lies_on_its_target_turns_and_names_those_below(fight: Table) -> None:
    fight.unit("german-4").click()
    fight.unit("soviet-2").click()
    fight.kind("plot").first.click()
    expect(fight.find("template")).to_be_attached()
    expect(fight.find("hits")).to_contain_text("T-34/76 C 2")
    expect(fight.find("hit-soviet-2")).to_have_attribute("data-own", "false")
    before = fight.find("ghost").get_attribute("data-facing")
    fight.page.keyboard.press("e")
    expect(fight.find("ghost")).not_to_have_attribute("data-facing", before or "")
    expect(fight.find("log")).not_to_contain_text("is designated")
    fight.find("set-down").click()
    fight.log("is designated for")


def test_smoke_lies_under_the_pointer_and_says_whom_it_would_hide(fight: Table) -> None:
    fight.unit("german-4").click()
    fight.find("regions").get_by_role("button", name="square template, seen by Observer").click()
    fight.page.mouse.move(*spot(fight, 19.4, 25.2))
    expect(fight.find("template")).to_be_attached()
    expect(fight.find("hits")).to_contain_text("T-34/76 C 2")
    fight.page.mouse.move(*spot(fight, 16, 27))
    expect(fight.find("hits")).to_contain_text("Nobody")


def test_guns_off_the_board_do_not_wait_to_be_placed(
    page: Page, at_table: Callable[[Page, Host], Table], host: Host
) -> None:
    table = at_table(page, host)
    support = '[sides.german]\noff_board = [{ unit = "how-150-german", missions = 3 }]\n'
    game = host.begin(
        battle().replace("[sides.german]\n", support), lambda match: None, (), {"german": "one", "soviet": "two"}
    )
    table.sit(game, "german")
    expect(table.find("off-map")).to_contain_text("15cm")
    expect(table.find("to-place")).to_have_count(0)


def to_landing(match: Match) -> None:
    """Everything passes until the German may choose a drop zone."""
    while True:
        seat = match.game.deciders()[0]
        offered = {type(each).__name__: each for each in match.game.choices(seat).offers() if isinstance(each, Action)}
        if type(match.game.stack[-1]).__name__ == "AirborneLanding":
            return
        match.play(seat, next(offered[name] for name in WAIT if name in offered))


def landing(host: Host) -> Game:
    """A game in which the German chooses a drop zone for a stand of infantry."""
    drop = "[[sides.german.airborne]]\nturn = 1\nunits = { rifle-40-german = 1 }\n[sides.soviet]"
    return host.begin(battle().replace("[sides.soviet]", drop, 1), to_landing, (), {"german": "one", "soviet": "two"})


def test_the_drift_of_a_drop_zone_is_drawn_with_its_chances(
    page: Page, at_table: Callable[[Page, Host], Table], host: Host
) -> None:
    table = at_table(page, host)
    table.sit(landing(host), "german")
    table.find("off-map").get_by_role("button").first.click()
    page.mouse.move(*spot(table, 20, 20))
    expect(table.find("drift")).to_have_count(25)
    expect(table.find("drift").filter(has_text="33 %")).to_have_count(1)
    expect(table.find("drift").filter(has_text="3 %")).to_have_count(25)
