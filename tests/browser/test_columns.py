"""Many units at once: roles for a whole group, badges until they are done, and groups that move step by step."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest
from playwright.sync_api import expect

from browser import positions
from browser.steppe import AWAY, FOE, INFANTRY, LIEUTENANT, MACHINE_GUNS, begun, steppe
from browser.table import Table
from browser.test_economy import Hand
from opfire.core.match import Match
from opfire.rulesets.panzer_grenadier.actions import Pass
from opfire.rulesets.panzer_grenadier.command.activation import ActivateLeader, Begin, Designate
from opfire.server.messages import Auto

STEPNOYE = files("opfire.scenarios").joinpath("panzer_grenadier/battle_for_stepnoye.toml")
SLOW = 120_000
"""Milliseconds for the moves of a whole group on a busy machine."""


def deployed(match: Match) -> None:
    """Both sides set up as the computer proposes; the segment is the Germans'."""
    while match.game.stack[-1].step == "set-up":
        side = match.game.asked()[0]
        Auto().do(match, side)
        match.play(side, next(choice for choice in match.game.choices(side) if choice.kind == "done"))
    if match.game.asked() == ("soviet",):
        match.play("soviet", Pass())


@pytest.mark.rule("panzer-grenadier", "3.13")
def test_a_group_gets_its_role_on_the_map(table: Table) -> None:
    table.sit(table.host.begin(steppe(), begun(ActivateLeader(LIEUTENANT))), "german")
    table.asks("Designate an action for each unit")
    table.pick(INFANTRY, more=True)
    table.unit(MACHINE_GUNS).click(modifiers=["Shift"])
    expect(table.find("group")).to_have_text("Group of 2 units")
    table.find("group-move").click()
    expect(table.unit(INFANTRY).locator("[data-mark]")).to_have_attribute("data-mark", "M")
    expect(table.unit(INFANTRY)).to_have_accessible_name(re.compile("Move"))
    expect(table.unit(MACHINE_GUNS).locator("[data-mark]")).to_have_count(1)
    expect(table.unit(LIEUTENANT).locator("[data-mark]")).to_have_count(0)


@pytest.mark.rule("panzer-grenadier", "3.13")
def test_a_lasso_gathers_units_for_one_role(table: Table) -> None:
    """The enemy within the ring is left out, and so is the infantry outside it."""
    table.sit(table.host.begin(steppe(), begun(ActivateLeader(LIEUTENANT))), "german")
    table.asks("Designate an action for each unit")
    table.lasso(INFANTRY, MACHINE_GUNS, FOE)
    expect(table.find("group")).to_have_text(re.compile("Group of [23] units"))
    table.find("group-move").click()
    for unit in (INFANTRY, MACHINE_GUNS):
        expect(table.unit(unit).locator("[data-mark]")).to_have_attribute("data-mark", "M")
    for unit in (AWAY, FOE):
        expect(table.unit(unit).locator("[data-mark]")).to_have_count(0)


def test_a_lasso_gathers_the_vehicles_that_can_move(table: Table) -> None:
    """In Case Orange, round two of three; one more joins by Shift and a click, and Escape lets all go."""
    table.sit(table.host.begin(positions.MEADOW, positions.vehicles), "german")
    table.lasso("german-1", "german-3")
    expect(table.find("group")).to_have_text("Group of 2 units")
    expect(table.find("manner-keep")).to_have_attribute("aria-pressed", "true")
    table.unit("german-2").click(modifiers=["Shift"])
    expect(table.find("group")).to_have_text("Group of 3 units")
    table.page.keyboard.press("Escape")
    expect(table.find("group")).to_have_count(0)
    table.lasso("german-1", "german-2", "german-3", "soviet-1", "soviet-2")
    expect(table.find("group")).to_have_text("Group of 3 units")


@pytest.mark.rule("panzer-grenadier", "3.13")
def test_a_role_without_a_target_is_not_offered_unwarned(table: Table) -> None:
    """The enemy is ten hexes away."""
    table.sit(table.host.begin(steppe("2-Z9"), begun(ActivateLeader(LIEUTENANT))), "german")
    fire = table.page.get_by_role("button", name="Fire (nothing to do): INF 1")
    fire.click()
    expect(table.find("why")).to_contain_text("INF 1 can do nothing now if it is to fire")
    table.find("gather-all").click()
    expect(table.find("group-move")).to_be_visible()
    expect(table.find("group-fire")).to_have_count(0)


@pytest.mark.rule("panzer-grenadier", "3.13.a", "5.12.c")
def test_a_unit_with_no_movement_has_no_move(table: Table) -> None:
    """A towed gun limbers or digs in, and the group that is told to move goes without it."""
    guns = steppe("2-Z9").replace("ger-hmg", "ger-at-50")
    table.sit(table.host.begin(guns, begun(ActivateLeader(LIEUTENANT))), "german")
    rows = table.find("roles")
    expect(rows.get_by_role("button", name="Move: INF 1")).to_be_visible()
    expect(rows.get_by_role("button", name="Move: 50mm AT 1")).to_have_count(0)
    table.find("gather-all").click()
    expect(table.find("group")).to_have_text("Group of 3 units")
    expect(table.find("group-move")).to_have_text("Move (2 of 3)")
    table.find("group-move").click()
    expect(table.unit(MACHINE_GUNS).locator("[data-mark]")).to_have_count(0)
    rows.get_by_role("button", name="Limber or dig in: 50mm AT 1").click()
    expect(table.unit(MACHINE_GUNS)).to_have_accessible_name(re.compile("Limber or dig in"))
    table.press("done")
    table.asks("2 to move, 1 to limber or dig in")


@pytest.mark.rule("panzer-grenadier", "3.11")
def test_a_stack_is_activated_and_moved_as_one(table: Table) -> None:
    stacked = steppe("2-Z9").replace('at = ["2-V3"]', 'at = ["2-V2"]')
    table.sit(table.host.begin(stacked, begun()), "german")
    table.unit(LIEUTENANT).click()
    table.offer("The whole stack in 2-V2").click()
    table.page.get_by_role("button", name="Move: All").click()
    table.press("done")
    table.asks("3 to move")
    table.unit(LIEUTENANT).hover()
    table.find("tray").get_by_role("button", name="All 3 here").click()
    expect(table.find("group")).to_have_text("Group of 3 units")
    expect(table.page.locator("polygon.reach").first).to_be_visible()
    # Too far: one sentence tells how far it is, and how far they can go.
    table.hex("2-L2").click()
    expect(table.find("why")).to_contain_text("That is 10 hexes away")
    expect(table.find("why").get_by_role("listitem")).to_have_count(1)
    table.hex("2-T1").click()
    table.find("go").click()
    for unit in (INFANTRY, MACHINE_GUNS, LIEUTENANT):
        expect(table.unit(unit)).to_have_attribute("data-at", "2-T1", timeout=SLOW)


@pytest.mark.rule("panzer-grenadier", "3.13")
def test_a_badge_stays_until_the_unit_is_done(table: Table) -> None:
    roles = (ActivateLeader(LIEUTENANT), Designate(INFANTRY, "move"), Designate(MACHINE_GUNS, "move"), Begin())
    table.sit(table.host.begin(steppe("2-Z9"), begun(*roles)), "german")
    for unit in (INFANTRY, MACHINE_GUNS):
        expect(table.unit(unit).locator("[data-mark]")).to_have_count(1)
    table.find("gather-all").click()
    table.hex("2-T1").click()
    table.find("go").click()
    table.log("German activated")
    expect(table.unit(INFANTRY)).not_to_have_attribute("data-at", "2-V2", timeout=SLOW)
    expect(table.unit(INFANTRY).locator("[data-mark]")).to_have_count(0, timeout=SLOW)


@pytest.mark.rule("panzer-grenadier", "3.12")
def test_all_that_can_move_at_stepnoye_are_activated_and_moved_in_25_clicks(table: Table) -> None:
    table.sit(table.host.begin(STEPNOYE.read_text("utf-8"), deployed), "german", "soviet")
    # The largest maps draw counters small: their formations show by broad edges.
    expect(table.page.locator(".counters .broad").first).to_be_visible()
    hand = Hand(table)
    moved: set[str] = set()
    clicks = 0
    for leader in ("german-leader-1", "german-leader-2", "german-leader-3"):
        pass_for_the_enemy(table)
        hand.spent()
        table.find(f"leader-{leader}").click()
        table.offer("and all in reach").click()
        table.asks("Designate an action for each unit")
        table.page.get_by_role("button", name="Move: All").click()
        table.find("done").click()
        table.asks("to move")
        moved |= set(table.page.locator('.counters [data-unit^="german"]:has([data-mark])').evaluate_all(UNITS))
        table.find("gather-all").click()
        table.page.locator("polygon.reach").first.wait_for()
        table.hex(goal(table)).click()
        table.find("go").click()
        clicks += hand.spent()[0]
        march(table)
        hand.spent()
        if table.find("why").count():
            # Not all could come to their places: the segment is ended for the rest of the group.
            table.press("done")
        clicks += hand.spent()[0]
    # The leaders reach 24 units. Five of them are guns without a team of horses, which are not told to move.
    assert len(moved) == 24 - 5
    assert clicks <= 25


HALTED = """() => /Seat: Soviet/.test(document.querySelector('[data-testid="seat"]').innerText)
  || document.querySelector('[data-testid="why"]') !== null
  || /Activate a unit/.test(document.querySelector('[data-testid="prompt"]').innerText)"""


def march(table: Table) -> None:
    """The group goes its way, and the enemy lets it pass, until it has come or can go no farther."""
    while True:
        table.page.wait_for_function(HALTED, timeout=SLOW)
        if "moves in" not in table.find("prompt").inner_text():
            return
        table.press("pass")


UNITS = "all => all.map((one) => one.dataset.unit)"

GOAL = """() => {
  const middle = (part) => {
    const box = part.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const [x, y] = middle(document.querySelector("polygon.reach"));
  const near = (part) => { const [a, b] = middle(part); return Math.hypot(a - x, b - y); };
  return [...document.querySelectorAll("[data-place]")].reduce((a, b) => (near(b) < near(a) ? b : a)).dataset.place;
}"""


def goal(table: Table) -> str:
    """A hex within reach of the unit that is led."""
    return str(table.page.evaluate(GOAL))


def pass_for_the_enemy(table: Table) -> None:
    """The Soviets pass until the Germans are asked."""
    while "Seat: German" not in table.find("seat").inner_text():
        table.press("pass")


def test_units_to_place_are_shown_as_counters(table: Table) -> None:
    table.sit(table.host.begin(steppe(), lambda match: None), "german")
    expect(table.find("to-place").locator("svg .rank")).to_have_text(["LT", "SGT"])
