"""Combined fire put together by mouse; what can be taken back and what cannot; why not."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from browser import positions
from browser.line import slow
from browser.table import Table

RIFLES, TANK = "soviet-1", "soviet-2"
FIRST, SECOND, GUN = "german-1", "german-2", "german-3"


@pytest.mark.rule("case-orange", "9.5.2")
def test_three_units_fire_together(table: Table) -> None:
    game = table.host.begin(positions.MEADOW, positions.direct_fire, rolls=[1])
    table.sit(game, "german", "soviet")
    table.asks("Choose a firer and its target")

    table.unit(FIRST).click()
    expect(table.find("chosen")).to_contain_text("PzKw IV H 1")
    table.unit(RIFLES).click()
    # 14 A is halved against riflemen: 7 against 16 is 1:3, and only a 1 does anything [15.1, 15.4].
    building = table.find("building")
    expect(building).to_contain_text("1:3")
    expect(building.get_by_test_id("chances")).to_contain_text("17 %")
    table.rests()

    table.unit(SECOND).click()
    expect(building).to_contain_text("Odds 14 to 16")
    expect(building).to_contain_text("1:2")
    table.rests()
    table.unit(GUN).click()
    # 7 and 7 and 6 against 16 is 1:1: DD on a 1, D on 2 and 3, nothing from 4 up.
    expect(building).to_contain_text("Odds 20 to 16")
    expect(building).to_contain_text("1:1")
    expect(building.get_by_test_id("chances")).to_contain_text("33 %")

    expect(table.unit(RIFLES)).not_to_have_accessible_name(re.compile("dispersed", re.IGNORECASE))
    table.find("confirm").click()
    table.log("Direct fire at 1:1 against 2-Z2: rolled 1, doubly dispersed")
    expect(table.unit(RIFLES)).to_have_accessible_name(re.compile("dispersed", re.IGNORECASE))


def test_a_unit_that_is_clicked_while_another_joins_joins_too(table: Table) -> None:
    line = slow(table.page)
    game = table.host.begin(positions.MEADOW, positions.direct_fire, rolls=[1])
    table.sit(game, "german", "soviet")
    table.asks("Choose a firer and its target")
    table.unit(FIRST).click()
    table.unit(RIFLES).click()
    building = table.find("building")
    expect(building).to_contain_text("1:3")
    table.rests()

    line.holds = True
    table.unit(SECOND).click()
    expect(table.find("bar")).to_have_attribute("aria-busy", "true")
    table.unit(GUN).click()
    expect(building).to_contain_text("1:3")
    line.release()

    expect(building).to_contain_text("Odds 20 to 16")
    expect(table.find("why")).not_to_be_attached()


def test_a_firer_and_its_target_that_are_clicked_while_another_fires_are_kept(table: Table) -> None:
    """The target is only aimed at, on a position that nobody has looked at: a second click on it decides."""
    line = slow(table.page)
    game = table.host.begin(positions.MEADOW, positions.direct_fire, rolls=[6])
    table.sit(game, "german", "soviet")
    table.unit(FIRST).click()
    table.unit(RIFLES).click()
    expect(table.find("building")).to_contain_text("Odds 7 to 16")
    table.rests()

    line.holds = True
    table.find("confirm").click()
    expect(table.find("bar")).to_have_attribute("aria-busy", "true")
    table.unit(SECOND).click()
    table.unit(TANK).click()
    line.release()
    table.log("Direct fire at 1:3 against 2-Z2: rolled 6, no effect")
    expect(table.find("chosen")).to_contain_text("PzKw IV H 2 · T-34/76 C 1")
    table.rests()
    assert [message["view"].get("building") for message in table.messages("table")[-1:]] == [None]

    table.unit(TANK).click()
    # 14 A is doubled against armour near by: 28 against 9 is 3:1.
    expect(table.find("building")).to_contain_text("Odds 28 to 9")
    table.rests()
    assert table.messages("table")[-1]["view"]["building"]["units"] == [SECOND]


def test_undo_goes_back_to_the_last_roll_and_no_further(table: Table) -> None:
    game = table.host.begin(positions.MEADOW, positions.direct_fire, rolls=[6])
    table.sit(game, "german", "soviet")
    table.unit(FIRST).click()
    table.unit(RIFLES).click()
    expect(table.find("building")).to_contain_text("Odds 7 to 16")
    table.rests()
    table.unit(SECOND).click()
    expect(table.find("building")).to_contain_text("Odds 14 to 16")
    table.rests()

    table.find("undo").click()
    expect(table.find("building")).to_contain_text("Odds 7 to 16")
    table.rests()
    table.page.keyboard.press("u")
    table.asks("Choose a firer and its target")
    expect(table.find("building")).to_have_count(0)

    table.unit(FIRST).click()
    table.unit(RIFLES).click()
    table.find("confirm").click()
    # 6 at 1:3 is nothing.
    table.log("Direct fire at 1:3 against 2-Z2: rolled 6, no effect")
    expect(table.find("undo")).to_have_attribute("aria-disabled", "true")
    table.find("undo").click(force=True)
    expect(table.find("why")).to_contain_text("Nothing before the last roll can be taken back")
    table.log("rolled 6, no effect")


@pytest.mark.rule("case-orange", "9.5.1")
def test_why_not_names_the_rule(table: Table) -> None:
    game = table.host.begin(positions.MEADOW, positions.direct_fire)
    table.sit(game, "german", "soviet")
    table.unit(FIRST).click()
    table.unit(TANK).click()
    # An armoured vehicle is a target for one unit at a time.
    expect(table.find("building")).to_contain_text("T-34/76 C 1, defence 9")
    table.unit(SECOND).click()
    why = table.find("why")
    expect(why).to_contain_text("one unit at a time")
    expect(why).to_contain_text("9.5.1")
    # The number opens the rule.
    why.get_by_role("button", name="9.5.1").click()
    expect(table.find("rule")).to_be_visible()
    table.page.keyboard.press("Escape")
    expect(table.find("rule")).to_have_count(0)
    # Nothing has happened meanwhile.
    expect(table.find("building")).to_contain_text("PzKw IV H 1")
    expect(table.find("building")).not_to_contain_text("PzKw IV H 2")


def test_the_log_opens_into_the_calculation(table: Table) -> None:
    game = table.host.begin(positions.MEADOW, positions.direct_fire, rolls=[1])
    table.sit(game, "german", "soviet")
    table.unit(FIRST).click()
    table.unit(RIFLES).click()
    table.find("confirm").click()
    line = table.find("log").locator("li.fired").first
    expect(line).to_contain_text("1:3")
    line.get_by_label("Show the calculation").click()
    expect(line.get_by_test_id("calculation")).to_contain_text("Odds 7 to 16")
    expect(line.get_by_test_id("calculation")).to_contain_text("x1/2")


def test_pointing_at_a_choice_shows_its_calculation_and_moves_no_button(table: Table) -> None:
    game = table.host.begin(positions.MEADOW, positions.direct_fire)
    table.sit(game, "german", "soviet")
    button = table.offer("PzKw IV H 2 in 2-V3 fires at T-34/76 C 1")
    button.scroll_into_view_if_needed()
    before = button.bounding_box()
    button.hover()
    # 14 A is doubled against armour near by: 28 against 9 is 3:1.
    expect(table.find("beside")).to_contain_text("Odds 28 to 9")
    expect(table.find("beside")).to_contain_text("3:1")
    assert button.bounding_box() == before
