"""Groups of stands on the free table: gathered by clicks, keys or lasso, moved one after the other by the rules."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from browser.host import Host
from browser.mill import battling, begun, spot
from browser.table import Table


@pytest.fixture
def calm(page: Page, at_table: Callable[[Page, Host], Table], host: Host) -> Table:
    """The German's first movement phase: a tank at (10, 25) and a command post at (12, 26), nobody near."""
    table = at_table(page, host)
    table.sit(begun(host), "german")
    table.end("Move a stand")
    return table


def place(table: Table, unit: str) -> tuple[float, float]:
    x, y = (table.unit(unit).get_attribute("data-at") or "").split(",")
    return float(x), float(y)


def test_stands_clicked_with_shift_go_the_same_way_one_after_the_other(calm: Table) -> None:
    calm.unit("german-1").click(modifiers=["Shift"])
    calm.unit("german-2").click(modifiers=["Shift"])
    expect(calm.find("formation")).to_contain_text("Group of 2 stands")
    expect(calm.find("equal-cost").first).to_be_attached()
    calm.page.mouse.move(*spot(calm, 10.4, 24.3))
    expect(calm.find("other-german-2")).to_be_attached()
    # The price of each is known before they set out.
    expect(calm.find("formation").get_by_text("movement points")).to_have_count(2)
    before = {unit: place(calm, unit) for unit in ("german-1", "german-2")}
    calm.page.keyboard.press("Enter")
    calm.log(re.compile(r"Command post 1 moves [\d.]+″"))
    expect(calm.find("formation")).to_have_count(0)
    after = {unit: place(calm, unit) for unit in before}
    ways = {(round(after[u][0] - before[u][0], 3), round(after[u][1] - before[u][1], 3)) for u in before}
    assert len(ways) == 1
    assert ways != {(0, 0)}
    calm.asks("Move a stand")


def test_a_lasso_gathers_the_own_stands_that_can_move(calm: Table) -> None:
    calm.find("lasso-tool").click()
    corners = [spot(calm, x, y) for x, y in ((8, 23), (14, 23), (14, 28), (8, 28))]
    calm.page.mouse.move(*corners[0])
    calm.page.mouse.down()
    for corner in corners[1:]:
        calm.page.mouse.move(*corner, steps=4)
    expect(calm.find("lasso")).to_be_attached()
    calm.page.mouse.up()
    expect(calm.find("formation")).to_contain_text("Group of 2 stands")
    calm.page.keyboard.press("Escape")
    expect(calm.find("formation")).to_have_count(0)


def test_a_group_is_gathered_and_moved_by_keys_alone(calm: Table) -> None:
    keys = calm.page.keyboard
    keys.press("n")
    keys.press("x")
    keys.press("n")
    keys.press("x")
    expect(calm.find("formation")).to_contain_text("Group of 2 stands")
    expect(calm.find("equal-cost").first).to_be_attached()
    keys.press("ArrowUp")
    expect(calm.find("formation").get_by_text("movement points")).to_have_count(2)
    keys.press("Enter")
    calm.log(re.compile(r"Command post 1 moves [\d.]+″"))
    calm.stands_in("german-1", "10,24.5")
    calm.stands_in("german-2", "12,25.5")


def test_enemy_fire_at_one_of_a_group_halts_the_others(
    page: Page, at_table: Callable[[Page, Host], Table], host: Host
) -> None:
    table = at_table(page, host)
    table.sit(battling(host), "german", "soviet")
    table.end("Move a stand")
    table.unit("german-3").click(modifiers=["Shift"])
    table.unit("german-1").click(modifiers=["Shift"])
    expect(table.find("equal-cost").first).to_be_attached()
    table.page.mouse.move(*spot(table, 14, 23.2))
    expect(table.find("fire-point").first).to_be_attached()
    table.page.keyboard.press("Enter")
    # The one in front is seen for a quarter of its move; nobody else has set out meanwhile.
    table.asks("fire, or let it pass")
    table.stands_in("german-1", "10,25")
    table.kind("react").first.click()
    expect(table.find("why")).to_contain_text("The group halts")
    table.stands_in("german-1", "10,25")
