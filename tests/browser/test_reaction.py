"""Opportunity fire asks the other side in the middle of a move; standing orders answer for it."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from browser import positions
from browser.line import slow
from browser.table import Table

GUN, TANK = "german-3", "soviet-2"
INTO_RANGE, FURTHER = "2-W3", "2-X4"


def go(table: Table, hex: str) -> None:
    """The StuG sets out for a hex."""
    table.unit(GUN).click()
    table.hex(hex).click()
    expect(table.find("route")).to_contain_text("T-34/76 C 1")
    table.find("go").click()


@pytest.mark.rule("case-orange", "6.0")
def test_a_move_is_interrupted_and_goes_on(table: Table) -> None:
    game = table.host.begin(positions.MEADOW, positions.vehicles, rolls=[6])
    table.sit(game, "german", "soviet")
    table.asks("Move a vehicle")
    go(table, INTO_RANGE)

    # The same screen now asks the other side.
    table.asks("StuG III G 1 moves in 2-W3")
    table.asks("Opportunity fire")
    expect(table.find("seat")).to_contain_text("Soviet")
    # 24 against 9 is 2:1, and +1 to the die: something on 1 to 4.
    expect(table.kind("react")).to_contain_text("67 % any effect")
    table.kind("react").click()
    table.log("rolled 6, no effect")

    # Nothing happened to the gun, so its side goes on with the same move.
    expect(table.find("seat")).to_contain_text("German")
    table.stands_in(GUN, INTO_RANGE)
    table.hex(FURTHER).click()
    table.find("go").click()
    table.stands_in(GUN, FURTHER)


@pytest.mark.rule("case-orange", "6.0")
def test_letting_it_pass_lets_the_whole_route_be_driven(table: Table) -> None:
    game = table.host.begin(positions.MEADOW, positions.vehicles)
    table.sit(game, "german", "soviet")
    go(table, "2-X3")
    # One question at each hex of the way.
    for _ in range(2):
        table.asks("StuG III G 1 moves in")
        expect(table.find("pass")).to_contain_text("you may be asked again")
        table.press("pass")
    table.stands_in(GUN, "2-X3")


def test_standing_orders_are_changed_and_answer(table: Table) -> None:
    game = table.host.begin(positions.MEADOW, positions.vehicles)
    table.sit(game, "soviet")
    table.find("tab-orders").click()
    expect(table.page.get_by_label("Ask me")).to_be_checked()
    table.page.get_by_label("Never fire").check()
    expect(table.find("orders")).to_contain_text("Saved.")
    # They are the server's: a reload shows them as they were set.
    table.page.reload()
    table.find("tab-orders").click()
    expect(table.page.get_by_label("Never fire")).to_be_checked()


def test_standing_orders_begin_as_the_server_has_them_and_all_can_be_changed(table: Table) -> None:
    game = table.host.begin(positions.MEADOW, positions.vehicles)
    table.sit(game, "soviet")
    table.find("tab-orders").click()
    page, panel = table.page, table.find("orders")
    at = page.get_by_role("combobox", name="At", exact=True)
    within, most = page.get_by_label("hexes from the firer"), page.get_by_label("questions in an enemy turn")
    expect(page.get_by_label("Ask only from 34 % chance")).to_have_value("34")
    expect(at).to_have_value("all")
    expect(within).to_have_value("0")
    expect(page.get_by_label("Ask again")).to_have_value("nearer")
    expect(most).to_have_value("10")

    at.select_option("vehicles")
    page.get_by_label("Ask again").select_option("always")
    for field, value in ((within, "3"), (most, "5")):
        field.fill(value)
        field.press("Enter")
    page.get_by_label("Ask only from").fill("50")
    page.get_by_text("Units that never ask").click()
    page.get_by_role("checkbox", name="T-34/76 C 1").check()
    expect(panel).to_contain_text("Saved.")
    page.reload()
    table.find("tab-orders").click()
    expect(page.get_by_label("Ask only from 50 % chance")).to_have_value("50")
    expect(at).to_have_value("vehicles")
    expect(within).to_have_value("3")
    expect(page.get_by_label("Ask again")).to_have_value("always")
    expect(most).to_have_value("5")
    page.get_by_text("Units that never ask").click()
    expect(page.get_by_role("checkbox", name="T-34/76 C 1")).to_be_checked()


def test_with_orders_only_to_ask_from_near_a_far_mover_passes(table: Table, other: Table) -> None:
    game = table.host.begin(positions.MEADOW, positions.vehicles)
    other.sit(game, "soviet")
    other.find("tab-orders").click()
    other.page.get_by_label("hexes from the firer").fill("1")
    other.page.get_by_label("hexes from the firer").press("Enter")
    expect(other.find("orders")).to_contain_text("Saved.")
    table.sit(game, "german")
    go(table, "2-X3")
    table.stands_in(GUN, "2-X3")
    assert not any("soviet" in message["asked"] for message in other.messages("table"))


def test_with_orders_never_to_fire_nobody_is_asked(table: Table, other: Table) -> None:
    game = table.host.begin(positions.MEADOW, positions.vehicles)
    other.sit(game, "soviet")
    other.find("tab-orders").click()
    other.page.get_by_label("Never fire").check()
    expect(other.find("orders")).to_contain_text("Saved.")

    table.sit(game, "german")
    go(table, "2-X3")
    table.stands_in(GUN, "2-X3")
    other.stands_in(GUN, "2-X3")
    assert not any("soviet" in message["asked"] for message in other.messages("table"))


def test_a_hex_that_is_clicked_ahead_becomes_the_goal_once_the_enemy_has_answered(table: Table, other: Table) -> None:
    """The press that was on its way leads to a question to the other side; the click waits for the answer to it."""
    game = table.host.begin(positions.MEADOW, positions.vehicles)
    other.sit(game, "soviet")
    line = slow(table.page)
    table.sit(game, "german")
    go_ahead = table.find("go")
    table.unit(GUN).click()
    table.hex(INTO_RANGE).click()
    expect(go_ahead).to_be_visible()
    table.rests()

    line.holds = True
    go_ahead.click()
    expect(table.find("bar")).to_have_attribute("aria-busy", "true")
    table.hex(FURTHER).click()
    line.release()
    other.asks("StuG III G 1 moves in 2-W3")
    table.stands_in(GUN, INTO_RANGE)
    expect(go_ahead).to_have_count(0)
    other.press("pass")
    go_ahead.click()
    other.asks("StuG III G 1 moves in 2-X3")  # on its way to 2-X4
