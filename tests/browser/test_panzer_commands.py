"""Panzer in the browser: commands as last turn, shared commands, Command Range, answers of overwatch [4.2, 6.2.1.1]."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from browser.host import Host
from browser.table import Table
from opfire.core.match import Match
from opfire.kit.orders import Pass
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.commands import Command, CommandPhase, HandIn
from opfire.rulesets.panzer.fire.direct_fire import Announce, Keep, Resolve
from opfire.rulesets.panzer.fire.overwatch import Overwatch
from opfire.rulesets.panzer.moving.going import Stay
from rules.panzer.battle import text
from rules.panzer.kit import CHARTS
from rules.panzer.moves import army

At = Callable[[Page, Host], Table]


def bears(table: Table, unit: str, code: str) -> None:
    """The counter bears the marker of this command."""
    expect(table.unit(unit).locator("[data-mark]")).to_have_attribute("data-mark", code)


def bare(table: Table, unit: str) -> None:
    """The counter bears no marker of a command."""
    expect(table.unit(unit).locator("[data-mark]")).to_have_count(0)


# --- as last turn [4.2.2] ----------------------------------------------------------------------------------------

FAR_APART = text(
    german=army(("pz4h", "1-A4"), ("pz4h", "1-B5"), ("pz4h", "1-B3")), soviet=army(("t34_43", "1-L8")), turns=3
)


def a_turn_passes(match: Match) -> None:
    """The first turn, in which two Panzers have Overwatch, one moves, and nobody fires: then the second sheet."""
    orders = (Command("german-1", "overwatch"), Command("german-2", "overwatch"), Command("german-3", "move"))
    match.play("german", HandIn(orders))
    match.play("soviet", HandIn(()))
    while not isinstance(match.game.stack[-1], CommandPhase):
        seat = match.game.asked()[0]
        match.play(seat, next(act for act in match.game.choices(seat) if act in (Stay("german-3"), EndStep())))


@pytest.mark.rule("panzer", "4.2.2")
def test_4_2_2_the_sheet_is_filled_in_as_last_turn(page: Page, at_table: At, host: Host) -> None:
    table = at_table(page, host)
    table.sit(host.begin(FAR_APART, a_turn_passes), "german")
    expect(table.find("sheet-count")).to_have_text("0 of 3 units ordered")
    table.find("as-last-turn").click()
    expect(table.find("sheet-count")).to_have_text("3 of 3 units ordered")
    for unit, code in (("german-1", "OW"), ("german-2", "OW"), ("german-3", "M")):
        bears(table, unit, code)


@pytest.mark.rule("panzer", "4.2.2")
def test_4_2_2_chosen_units_alone_do_as_last_turn(page: Page, at_table: At, host: Host) -> None:
    table = at_table(page, host)
    table.sit(host.begin(FAR_APART, a_turn_passes), "german")
    table.unit("german-3").click()
    table.find("as-last-turn").click()
    bears(table, "german-3", "M")
    expect(table.find("sheet-count")).to_have_text("1 of 3 units ordered")
    bare(table, "german-1")


@pytest.mark.rule("panzer", "4.2.2")
def test_4_2_2_in_the_first_turn_there_is_no_last_one(page: Page, at_table: At, host: Host) -> None:
    table = at_table(page, host)
    table.sit(host.begin(FAR_APART, lambda match: None), "german")
    expect(table.find("sheet-count")).to_have_text("0 of 3 units ordered")
    expect(table.find("as-last-turn")).to_have_count(0)


# --- Command Range, shared commands [6.2.1.1.2, 6.2.1.1.3] -------------------------------------------------------


def company(grade: str) -> str:
    """A company of three Panzers, two of them side by side and the third two hexes from both."""
    tanks = army(("pz4h", "1-C4"), ("pz4h", "1-C5"), ("pz4h", "1-E5"))
    formation = f'\n[[sides.german.formations]]\nname = "1."\ngrade = "{grade}"\nunits = {{ pz4h = 3 }}\n'
    return text(german=tanks + formation, soviet=army(("t34_43", "1-L8")), options=("AG",))


@pytest.mark.rule("panzer", "6.2.1.1.2")
@pytest.mark.parametrize(("grade", "reach"), [("elite", 2), ("veteran", 1), ("regulars", 0)])
def test_6_2_1_1_2_command_range_is_drawn_round_the_unit(
    page: Page, at_table: At, host: Host, grade: str, reach: int
) -> None:
    """A hex of the unit and `reach` on either side of it, from top to bottom: 5, 3, and 1."""
    table = at_table(page, host)
    table.sit(host.begin(company(grade), lambda match: None), "german")
    table.unit("german-1").click()
    table.find("show-overlay").click()
    expect(table.page.get_by_text(f"Command Range {reach}")).to_be_visible()
    area, hex = table.page.locator(".area.command").bounding_box(), table.hex("1-C4").bounding_box()
    assert area
    assert hex
    assert round(area["height"] / hex["height"]) == 2 * reach + 1
    assert abs((area["y"] + area["height"] / 2) - (hex["y"] + hex["height"] / 2)) < hex["height"] / 4
    table.page.keyboard.press("r")
    expect(table.page.locator(".area.command")).to_have_count(0)


@pytest.mark.rule("panzer", "6.2.1.1.3", "6.2.1.1")
def test_6_2_1_1_3_units_in_command_range_share_a_command_and_a_line_joins_them(
    page: Page, at_table: At, host: Host
) -> None:
    """Three Panzers are told to share: the two side by side use one counter, the third, two hexes away, its own."""
    table = at_table(page, host)
    table.sit(host.begin(company("veteran"), lambda match: None), "german")
    most = CHARTS.available["veteran"].available(3)
    expect(table.find("tally")).to_contain_text(f"{most} of {most} left")
    table.find("choose-all").click()
    table.find("share").check()
    table.find("palette").locator('[data-order="OW"]').click()
    for unit in ("german-1", "german-2", "german-3"):
        bears(table, unit, "OW")
    expect(table.page.locator("line.tie")).to_have_count(1)
    expect(table.find("tally")).to_contain_text(f"{most - 2} of {most} left")


# --- who may answer whom [4.4.2-a] -------------------------------------------------------------------------------

CHAIN = text(
    german=army(("pz4h", "1-A4"), ("pz4h", "1-B5"), ("pz4h", "1-L1")),
    soviet=army(("t34_43", "1-D4"), ("t34_43", "1-D5"), ("t34_43", "1-D6")),
)
SHOT = Announce("german-1", "soviet-3")


def until(match: Match, side: str) -> None:
    """Go on until this side may fire from overwatch; a Panzer fires at the third T-34, which keeps its secret."""
    wanted = (SHOT, Resolve(), Keep(), Pass(), EndStep())
    while not (isinstance(match.game.stack[-1], Overwatch) and match.game.asked() == (side,)):
        seat = match.game.asked()[0]
        ways = [*match.game.choices(seat)]
        match.play(seat, next(act for act in wanted if act in ways))


def after_direct_fire(match: Match) -> None:
    """A Panzer has fired, and two T-34s that have Overwatch may answer."""
    match.play("german", HandIn((Command("german-1", "fire"), Command("german-2", "overwatch"))))
    match.play("soviet", HandIn((Command("soviet-1", "overwatch"), Command("soviet-2", "overwatch"))))
    until(match, "soviet")


def after_an_answer(match: Match) -> None:
    """The first T-34 has answered, and its fire may be answered in turn."""
    after_direct_fire(match)
    match.play("soviet", Announce("soviet-1", "german-1"))
    until(match, "german")


@pytest.mark.rule("panzer", "4.4.2")
def test_4_4_2_a_target_is_listed_with_those_that_may_fire_at_it(
    page: Page, at_table: At, host: Host, other: Table
) -> None:
    """Both T-34s on overwatch may fire at the Panzer that fired; a spectator learns nothing of them."""
    game = host.begin(CHAIN, after_direct_fire)
    table = at_table(page, host)
    table.sit(game, "soviet")
    expect(table.find("answers").locator("li")).to_have_text(
        [re.compile(r"Pz Kpfw IV H 1\s+may be fired at by T-34 M43 1, T-34 M43 2$")]
    )
    other.sit(game)
    expect(other.find("answers").locator("li")).to_have_text([re.compile(r"Pz Kpfw IV H 1\s+none of your units")])


@pytest.mark.rule("panzer", "4.4.2-a")
def test_4_4_2_the_answer_is_listed_with_those_that_may_answer_it(page: Page, at_table: At, host: Host) -> None:
    """Of three Panzers one has fired, one has Overwatch, and one has No Command: the second alone may answer."""
    table = at_table(page, host)
    table.sit(host.begin(CHAIN, after_an_answer), "german")
    expect(table.find("answers").locator("li")).to_have_text(
        [re.compile(r"T-34 M43 1\s+may be fired at by Pz Kpfw IV H 2$")]
    )


# --- whether a target moves [4.4.3.2.2-moving] -------------------------------------------------------------------


def in_sight(match: Match) -> None:
    """Both sides hand their commands in, and a Panzer is to fire at a T-34 whose command is hidden."""
    match.play("german", HandIn((Command("german-1", "fire"),)))
    match.play("soviet", HandIn((Command("soviet-3", "move"),)))


@pytest.mark.rule("panzer", "4.4.3.2.2-moving")
def test_4_4_3_2_2_orders_may_show_every_move_without_a_question(page: Page, at_table: At, host: Host) -> None:
    """The orders ask as they come; with the other choice they are kept by the server, for this book alone."""
    table = at_table(page, host)
    table.sit(host.begin(CHAIN, in_sight), "soviet")
    table.find("tab-orders").click()
    choice = table.find("orders-moving")
    expect(choice).to_have_value("ask")
    choice.select_option("show")
    expect(table.find("orders")).to_contain_text("Saved.")
    table.page.reload()
    table.find("tab-orders").click()
    expect(choice).to_have_value("show")
