"""Panzer Grenadier at the table: activation by leaders, designation, initiative, morale, and what is hidden."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from browser.axe import violations
from browser.line import slow
from browser.steppe import (
    AMBUSH,
    AWAY,
    FLANK,
    FOE,
    HIDEOUT,
    IN_FRONT,
    INFANTRY,
    LIEUTENANT,
    MACHINE_GUNS,
    SERGEANT,
    begun,
    steppe,
)
from browser.table import Table
from browser.test_economy import Hand
from opfire.core.actions import Action
from opfire.core.match import Match
from opfire.core.scenario import text_of
from opfire.rulesets.panzer_grenadier.assault.assaulting import EnterAssault
from opfire.rulesets.panzer_grenadier.command.activation import (
    Activate,
    ActivateLeader,
    ActivateStack,
    Begin,
    Designate,
    DesignateAll,
)
from opfire.rulesets.panzer_grenadier.morale.recovery import LoseHeart
from opfire.rulesets.panzer_grenadier.pieces import Role, UnitId
from opfire.server.messages import Auto

BESIDE = "2-W2"
BACK, FORWARD = "2-T1", "2-X2"


def sit(table: Table, *actions: Action, foe: str = "2-Y2", sides: tuple[str, ...] = ("german", "soviet")) -> Hand:
    """The steppe after these things were done, the Soviet infantry in that hex."""
    table.sit(table.host.begin(steppe(foe), begun(*actions)), *sides)
    return Hand(table)


def led(unit: UnitId, role: Role) -> tuple[Action, ...]:
    """The lieutenant has activated this unit, for this."""
    return ActivateLeader(LIEUTENANT), Designate(unit, role), Begin()


def role(table: Table, name: str, of: str = "") -> Locator:
    """The button that gives somebody something to do."""
    return table.page.get_by_role("button", name=f"{name}: {of}".strip(), exact=False).first


# --- activation and designation -------------------------------------------------------------------------------


@pytest.mark.rule("panzer-grenadier", "3.12")
def test_a_leader_shows_whom_he_would_activate(table: Table) -> None:
    sit(table)
    table.asks("Activate a unit, a stack or a leader")
    table.find(f"leader-{LIEUTENANT}").click()
    # His own hex and the six around it, and nobody beyond.
    reached = table.page.locator(".counter.reached")
    expect(reached).to_have_count(3)
    for unit in (LIEUTENANT, INFANTRY, MACHINE_GUNS):
        expect(table.unit(unit)).to_contain_class("reached")
    expect(table.unit(AWAY)).not_to_contain_class("reached")
    expect(table.offer("and all in reach (2)")).to_be_visible()
    table.find("clear").click()
    expect(reached).to_have_count(0)


@pytest.mark.rule("panzer-grenadier", "3.13")
def test_a_designation_then_a_move_and_a_shot(table: Table) -> None:
    hand = sit(table)
    table.find(f"leader-{LIEUTENANT}").click()
    table.offer("and all in reach").click()
    table.asks("Designate an action for each unit")
    role(table, "Move", "INF 1").click()
    expect(table.find("said")).to_contain_text("INF 1 Move")
    role(table, "Fire", "HMG 1").click()
    table.find("done").click()
    table.asks("1 to move, 1 to fire")
    assert hand.spent() == (5, 0)

    table.unit(INFANTRY).click()
    table.hex(BACK).click()
    table.find("go").click()
    table.stands_in(INFANTRY, BACK)
    # It could go on: a click on the next one says that it does not.
    table.asks("Move INF 1 on, or stop")
    table.unit(MACHINE_GUNS).click()
    table.asks("1 to fire")
    table.unit(FOE).click()
    expect(table.find("building")).to_contain_text("HMG 1, 9")
    table.find("confirm").click()
    table.log("HMG 1 at INF 1 in 2-Y2")
    assert hand.spent() == (6, 0)


@pytest.mark.rule("panzer-grenadier", "3.13")
def test_a_role_is_changed_by_a_click_on_the_unit(table: Table) -> None:
    sit(table, ActivateLeader(LIEUTENANT))
    role(table, "Move", "All").click()
    said = table.find("said")
    expect(said).to_contain_text("HMG 1 Move")
    table.asks("choose a unit to change its action")
    table.unit(MACHINE_GUNS).click()
    table.find("change").get_by_role("button", name="Fire instead").click()
    expect(said).to_contain_text("HMG 1 Fire")
    expect(said).to_contain_text("INF 1 Move")
    expect(table.find("change")).to_have_count(0)
    # By keys too; a second press puts the choice away.
    name = said.get_by_role("button", name="INF 1")
    name.press("Enter")
    expect(table.find("change")).to_contain_text("Fire instead")
    assert violations(table.page) == []
    name.press("Enter")
    expect(table.find("change")).to_have_count(0)
    table.find("done").click()
    table.asks("2 to move, 1 to fire")


@pytest.mark.rule("panzer-grenadier", "3.13")
def test_one_word_for_all(table: Table) -> None:
    hand = sit(table, ActivateLeader(LIEUTENANT))
    role(table, "Move", "All").click()
    table.find("done").click()
    table.asks("3 to move")
    assert hand.spent() == (2, 0)


def test_a_unit_is_activated_and_moved_in_four_clicks(table: Table) -> None:
    hand = sit(table)
    table.unit(MACHINE_GUNS).click()
    role(table, "Move", "HMG 1").click()
    table.rests()
    table.hex("2-U3").click()
    table.find("go").click()
    table.stands_in(MACHINE_GUNS, "2-U3")
    assert hand.spent() == (4, 0)


def test_a_hex_that_is_clicked_while_the_unit_is_activated_becomes_its_goal(table: Table) -> None:
    """Twice on the same hex: on a position that has not been shown, not even that sets the unit out."""
    line = slow(table.page)
    sit(table)
    table.unit(MACHINE_GUNS).click()
    expect(role(table, "Move", "HMG 1")).to_be_visible()
    line.holds = True
    role(table, "Move", "HMG 1").click()
    expect(table.find("bar")).to_have_attribute("aria-busy", "true")
    table.hex("2-U3").click()
    table.page.keyboard.press("Shift")
    table.hex("2-U3").click()
    expect(table.find("go")).to_have_count(0)
    line.release()
    expect(table.find("go")).to_be_visible()
    table.stands_in(MACHINE_GUNS, FLANK)
    table.hex("2-U3").click()
    table.stands_in(MACHINE_GUNS, "2-U3")


def test_an_enemy_that_is_clicked_while_the_unit_is_activated_becomes_its_target(table: Table) -> None:
    line = slow(table.page)
    sit(table)
    table.unit(MACHINE_GUNS).click()
    expect(role(table, "Fire", "HMG 1")).to_be_visible()
    line.holds = True
    role(table, "Fire", "HMG 1").click()
    expect(table.find("bar")).to_have_attribute("aria-busy", "true")
    table.unit(FOE).click()
    line.release()
    expect(table.find("chosen")).to_contain_text("2-Y2")
    expect(table.find("chances")).to_be_visible()
    table.rests()
    table.unit(FOE).click()
    table.find("confirm").click()
    table.log("HMG 1 at INF 1 in 2-Y2")


def test_a_caution_drops_the_click_that_was_made_before_it_came(table: Table) -> None:
    """The infantry has no target: the player is to read that, and a unit clicked meanwhile is not chosen later."""
    line = slow(table.page)
    sit(table, ActivateLeader(LIEUTENANT), foe="2-Z9")
    fire = table.page.locator('button[data-role="fire"][aria-label*="INF 1"]')
    expect(fire).to_be_visible()
    line.holds = True
    fire.click()
    expect(table.find("bar")).to_have_attribute("aria-busy", "true")
    table.unit(MACHINE_GUNS).click()
    line.release()
    expect(table.find("why")).to_contain_text("can do nothing now")
    table.rests()
    fire.click()
    expect(table.find("said")).to_contain_text("INF 1 Fire")
    expect(table.find("chosen")).to_have_count(0)


def test_a_unit_is_activated_and_fires_in_four_clicks(table: Table) -> None:
    hand = sit(table)
    table.unit(MACHINE_GUNS).click()
    role(table, "Fire", "HMG 1").click()
    table.rests()
    table.unit(FOE).click()
    expect(table.find("chances")).to_be_visible()
    table.find("confirm").click()
    table.log("HMG 1 at INF 1 in 2-Y2")
    assert hand.spent() == (4, 0)


@pytest.mark.rule("panzer-grenadier", "3.13.c")
def test_a_segment_is_not_lost_unwarned(table: Table) -> None:
    """The infantry has no target: the first press says so, the second one activates it all the same."""
    sit(table, foe="2-Z9")
    table.pick(INFANTRY)
    role(table, "Fire", "INF 1").click()
    expect(table.find("why")).to_contain_text("can do nothing now")
    expect(table.find("seat")).to_contain_text("German")
    role(table, "Fire", "INF 1").click()
    table.log("German activated: INF 1")


# --- a target and its firer ------------------------------------------------------------------------------------------

TANKS = (
    steppe(IN_FRONT)
    .replace('unit = "ger-inf"\nat = ["2-V2"]', 'unit = "ger-pz4h"\nat = ["2-V2"]')
    .replace('unit = "ger-hmg"\nat = ["2-V3"]', 'unit = "ger-pz4h"\nat = ["2-V2"]')
    .replace('unit = "sov-at-45"\nat = ["2-AA10"]\nbelow = "hidden"', 'unit = "sov-t34"\nat = ["2-Y2"]')
)
"""Two PzKw IV in one hex against infantry and a T-34."""


@pytest.mark.rule("panzer-grenadier", "11.0")
def test_a_target_stays_when_another_firer_is_chosen(table: Table) -> None:
    table.sit(table.host.begin(TANKS, begun(ActivateStack("2-V2"), DesignateAll("fire"), Begin())), "german", "soviet")
    table.pick("german-1")
    table.pick("soviet-2")
    expect(table.find("chosen")).to_contain_text("PzKw IVH 1 · T-34/76 1")
    table.pick("german-2")
    expect(table.find("chosen")).to_contain_text("PzKw IVH 2 · T-34/76 1")


@pytest.mark.rule("panzer-grenadier", "3.0")
def test_the_rest_of_a_turn_is_passed_with_one_press(table: Table) -> None:
    hand = sit(table)
    expect(table.find("segments").locator("li")).to_have_count(6)
    # Four segments come first; then the other side is asked.
    table.find("pass-rest").click()
    expect(table.find("seat")).to_contain_text("Soviet")
    assert hand.spent() == (1, 0)
    table.offer("Pass").first.click()
    # A new turn is another matter.
    expect(table.find("turn")).to_contain_text("Turn 2")
    expect(table.find("seat")).to_contain_text("German")
    table.asks("Activate a unit, a stack or a leader")
    expect(table.find("pass-rest")).to_have_attribute("aria-pressed", "false")


# --- opportunity fire -------------------------------------------------------------------------------------------


@pytest.mark.rule("panzer-grenadier", "13.0")
def test_the_question_in_a_move_is_answered_with_one_click(table: Table) -> None:
    hand = sit(table, *led(INFANTRY, "move"))
    # The only one that is to move has been chosen already, and shows where it can go.
    table.hex(FORWARD).click()
    expect(table.find("route")).to_contain_text("INF 1")
    table.find("go").click()
    table.asks(f"INF 1 moves in {FORWARD}")
    expect(table.find("seat")).to_contain_text("Soviet")
    expect(table.find("tip")).to_contain_text("no longer be activated this turn")
    hand.spent()
    table.kind("react").first.click()
    table.log(f"INF 1 at INF 1 in {FORWARD}")
    assert hand.spent() == (1, 0)
    expect(table.unit(FOE)).to_have_accessible_name(re.compile("opportunity fire"))


# --- what the counters and the panel say ----------------------------------------------------------------------------


@pytest.mark.rule("panzer-grenadier", "3.0.B")
def test_the_initiative_is_a_track(table: Table) -> None:
    sit(table)
    segments = table.find("segments")
    expect(segments.locator("[aria-current]")).to_have_text("German")
    # The dice cannot make up for eight points of initiative: the winner has several segments before the other's first.
    names = segments.locator("li").all_inner_texts()
    assert names[:2] == ["German", "German"]
    assert "Soviet" in names
    expect(table.find("army-german")).to_contain_text("initiative 9")
    expect(table.find("army-soviet")).to_contain_text("initiative 1")


def test_a_morale_state_is_a_shape_and_a_word(table: Table) -> None:
    sit(table, Activate(INFANTRY, "move"), LoseHeart(INFANTRY))
    counter = table.unit(INFANTRY)
    expect(counter.locator(".badge", has_text="DM")).to_be_visible()
    expect(counter).to_have_accessible_name(re.compile("demoralized"))
    table.pick(INFANTRY)
    expect(table.find("morale")).to_contain_text("demoralized")
    # German infantry is 8/7 in 1943; who is demoralized has one less.
    expect(table.find("unit-card")).to_contain_text("morale 8/7")
    expect(table.find("morale")).to_contain_text("morale now 7")
    # The side may not pass before it has tried to recover.
    table.unit(INFANTRY).click()
    expect(table.find("pass")).to_have_count(0)


def still_demoralized(match: Match) -> None:
    """German infantry lost heart in the first turn and did not recover; the second one begins with the Germans."""
    begun(Activate(INFANTRY, "move"), LoseHeart(INFANTRY))(match)
    while match.game.state.turn < 2:
        side = match.game.asked()[0]
        choices = [*match.game.choices(side)]
        match.play(side, next((choice for choice in choices if choice.kind == "pass"), choices[0]))


@pytest.mark.rule("panzer-grenadier", "3.0.F")
def test_a_pass_is_told_of_only_where_there_is_one(table: Table) -> None:
    table.sit(table.host.begin(steppe(), still_demoralized), "german")
    table.asks("the side may not pass")
    expect(table.find("prompt")).not_to_contain_text("or pass")
    expect(table.kind("pass")).to_have_count(0)
    table.sit(table.host.begin(steppe(), begun()), "german")
    table.asks("or pass")
    expect(table.kind("pass").first).to_be_visible()


def test_a_counter_shows_its_steps(table: Table) -> None:
    sit(table)
    expect(table.unit(INFANTRY).locator("[data-steps='2'] circle")).to_have_count(2)
    expect(table.unit(LIEUTENANT).locator(".steps")).to_have_count(0)
    table.pick(INFANTRY)
    expect(table.find("morale")).to_contain_text("good order, 2 of 2 steps")


@pytest.mark.rule("panzer-grenadier", "12.2")
def test_an_assault_hex_is_marked(table: Table) -> None:
    sit(table, *led(INFANTRY, "fire"), EnterAssault(INFANTRY, BESIDE), foe=BESIDE)
    marker = table.find(f"marker-assault@{BESIDE}")
    expect(marker).to_be_visible()
    expect(marker).to_contain_text("Assault")
    table.find("tab-position").click()
    expect(table.find("position")).to_contain_text("Assault")


@pytest.mark.rule("panzer-grenadier", "16.6")
def test_where_a_hidden_unit_lies_is_not_sent(table: Table, other: Table) -> None:
    game = table.host.begin(steppe(), begun())
    table.sit(game, "german")
    other.sit(game, "soviet")
    other.stands_in(AMBUSH, HIDEOUT)
    expect(other.unit(AMBUSH)).to_have_accessible_name(re.compile("hidden"))
    table.unit(MACHINE_GUNS).click()
    expect(table.find("roles")).to_be_visible()
    secret = f'"{HIDEOUT}"'.encode()
    assert any(secret in data for data in other.received)
    assert table.received
    assert not any(secret in data for data in table.received)


def glinki(match: Match) -> None:
    """Both sides set up as the computer proposes, with five units hidden in the woods."""
    while match.game.stack[-1].step == "set-up":
        side = match.game.asked()[0]
        Auto().do(match, side)
        match.play(side, next(choice for choice in match.game.choices(side) if choice.kind == "done"))


@pytest.mark.rule("panzer-grenadier", "16.6")
def test_the_forces_do_not_tell_which_enemies_are_hidden(table: Table, other: Table) -> None:
    """Their owner reads it of five units; for the enemy all ten units and three leaders stand under one head."""
    game = table.host.begin(text_of("pg-glinki"), glinki)
    for page, side in ((other, "german"), (table, "soviet")):
        page.sit(game, side)
        page.find("tab-forces").click()
    expect(other.page.locator('.units button[title*="hidden"]')).to_have_count(5)
    expect(table.page.locator('.units button[title^="German"]')).to_have_count(13)
    expect(table.page.locator('.units:has(button[title^="German"])')).to_have_count(1)
    expect(table.page.locator('.units button[title*="hidden"]')).to_have_count(0)


@pytest.mark.rule("panzer-grenadier", "16.6", "13.0")
def test_units_in_hiding_have_orders_of_their_own(table: Table, other: Table) -> None:
    game = table.host.begin(steppe(), begun())
    table.sit(game, "german")
    other.sit(game, "soviet")
    for one in (table, other):
        one.find("tab-orders").click()
    hidden = other.find("orders-hidden")
    expect(hidden.get_by_label("Hold their fire")).to_be_checked()
    hidden.get_by_label("Fire by themselves").check()
    hidden.get_by_role("combobox", name="At", exact=True).select_option("armour")
    hidden.get_by_label("hexes from the firer").fill("4")
    hidden.get_by_label("hexes from the firer").press("Enter")
    expect(other.find("orders")).to_contain_text("Saved.")
    other.page.reload()
    other.find("tab-orders").click()
    expect(hidden.get_by_label("Fire by themselves")).to_be_checked()
    expect(hidden.get_by_role("combobox", name="At", exact=True)).to_have_value("armour")
    expect(hidden.get_by_label("hexes from the firer")).to_have_value("4")
    hidden.get_by_label("Ask me at every step").check()
    expect(hidden.get_by_label("hexes from the firer")).to_have_count(0)
    expect(table.find("orders")).to_be_visible()
    expect(table.find("orders-hidden")).to_have_count(0)


# --- a game, and its pages ------------------------------------------------------------------------------------------


def test_a_turn_against_the_computer(table: Table) -> None:
    table.start("pg-sosnovka", "german")
    table.asks("Place your units")
    expect(table.find("track").locator("[aria-current]")).to_have_text("Set-up")
    table.find("auto").click()
    table.find("done").click()
    # The computer has set up when it is for us to activate, or to fire.
    for _ in range(40):
        answer = table.page.locator("[data-testid=pass], [data-testid=done], [data-testid=confirm], [data-kind=loss]")
        expect(answer.first).to_be_visible()
        if "Turn 2" in table.find("turn").inner_text():
            break
        answer.first.click()
        table.page.wait_for_timeout(100)
    expect(table.find("turn")).to_contain_text("Turn 2")
    table.log("Soviet activated")


def test_scenarios_stand_under_their_rules(table: Table) -> None:
    table.page.goto(table.host.url)
    system = table.find("system-panzer-grenadier")
    expect(system.get_by_role("heading", name="panzer grenadier")).to_be_visible()
    expect(system.get_by_test_id("scenario-pg-sosnovka")).to_be_visible()
    expect(system.get_by_test_id("scenario-mill-ford")).to_have_count(0)
    expect(table.find("system-case-orange").get_by_test_id("scenario-mill-ford")).to_be_visible()


def test_its_pages_are_accessible(table: Table) -> None:
    apart = {LIEUTENANT: "2-U2", SERGEANT: "2-L8"}
    table.sit(table.host.begin(steppe(), begun(leaders=apart)), "german", "soviet")
    table.find(f"leader-{LIEUTENANT}").click()
    expect(table.find("roles")).to_be_visible()
    assert violations(table.page) == []
    table.offer("and all in reach").click()
    table.asks("Designate an action for each unit")
    for tab in ("log", "forces", "position"):
        table.find(f"tab-{tab}").click()
        assert violations(table.page) == []
    table.page.goto(f"{table.host.url}/rules/panzer-grenadier#3.13")
    expect(table.find("rule-3.13")).to_be_in_viewport()
    expect(table.find("book")).to_be_visible()
    table.find("rule-search").fill("leader")
    assert violations(table.page) == []


def test_on_a_phone_no_button_of_the_bar_is_cut_off(table: Table) -> None:
    table.page.set_viewport_size({"width": 390, "height": 844})
    sit(table, sides=("german",))
    bar = table.find("bar")
    expect(bar.get_by_test_id("pass-rest")).to_be_visible()
    buttons = bar.get_by_role("button")
    for n in range(buttons.count()):
        expect(buttons.nth(n)).to_be_in_viewport(ratio=0.99)
