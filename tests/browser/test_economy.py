"""The clicks and keys of each task, counted in the page: the work of the hand, not the time."""

from __future__ import annotations

from playwright.sync_api import expect

from browser import positions
from browser.table import Table

RIFLES, FIRST, SECOND, GUN = "soviet-1", "german-1", "german-2", "german-3"

COUNT = """() => {
  window.hand = {clicks: 0, keys: 0};
  addEventListener("pointerdown", () => window.hand.clicks++, true);
  addEventListener("keydown", (event) => event.key !== "Shift" && window.hand.keys++, true);
}"""


class Hand:
    """The clicks and key presses of a player since the last look."""

    def __init__(self, table: Table) -> None:
        self.table = table
        table.page.evaluate(COUNT)

    def press(self, *keys: str) -> None:
        """Keys on the keyboard, whatever has the focus."""
        for key in keys:
            self.table.page.keyboard.press(key)

    def spent(self) -> tuple[int, int]:
        """Clicks and keys; the count begins anew."""
        hand = self.table.page.evaluate("[hand.clicks, hand.keys]")
        self.table.page.evaluate("hand.clicks = hand.keys = 0")
        return hand[0], hand[1]


def at_fire(table: Table) -> Hand:
    """An idle table in direct fire."""
    table.sit(table.host.begin(positions.MEADOW, positions.direct_fire, rolls=[1]), "german", "soviet")
    table.asks("Choose a firer and its target")
    return Hand(table)


def at_moves(table: Table) -> Hand:
    """An idle table where vehicles move."""
    table.sit(table.host.begin(positions.MEADOW, positions.vehicles, rolls=[6]), "german", "soviet")
    table.asks("Move a vehicle")
    return Hand(table)


def test_fire_by_mouse(table: Table) -> None:
    hand = at_fire(table)
    table.unit(FIRST).click()
    table.unit(RIFLES).click()
    table.find("confirm").click()
    table.log("rolled 1, dispersed")
    assert hand.spent() == (3, 0)


def test_fire_by_keys(table: Table) -> None:
    hand = at_fire(table)
    hand.press("n", "Enter")
    expect(table.find("chosen")).to_contain_text("PzKw IV H 1")
    hand.press("t", "Enter")
    expect(table.find("building")).to_contain_text("Odds 7 to 16")
    hand.press("Enter")
    table.log("Direct fire at 1:3 against 2-Z2: rolled 1, dispersed")
    clicks, keys = hand.spent()
    assert (clicks, keys <= 6) == (0, True)


def test_another_firer_by_mouse_and_by_keys(table: Table) -> None:
    hand = at_fire(table)
    table.unit(FIRST).click()
    table.unit(RIFLES).click()
    expect(table.find("building")).to_contain_text("Odds 7 to 16")
    table.rests()
    hand.spent()
    table.unit(SECOND).click()
    expect(table.find("building")).to_contain_text("Odds 14 to 16")
    table.rests()
    assert hand.spent() == (1, 0)
    hand.press("n", "Enter")
    expect(table.find("building")).to_contain_text("Odds 20 to 16")
    assert hand.spent() == (0, 2)


def test_a_move_by_mouse(table: Table) -> None:
    hand = at_moves(table)
    table.unit(FIRST).click()
    table.hex("2-S1").click()
    table.find("go").click()
    table.stands_in(FIRST, "2-S1")
    assert hand.spent() == (3, 0)


def test_a_hex_that_is_clicked_before_it_is_known_who_reaches_it(table: Table) -> None:
    """A quick hand: both clicks fall before the server can have answered where the tank may go."""
    hand = at_moves(table)
    table.page.evaluate(
        """hex => {
            document.querySelector('.counters [data-unit="german-1"]').click();
            const there = document.querySelector(`[data-testid="place-${hex}"]`);
            there.dispatchEvent(new MouseEvent("click", { bubbles: true }));
        }""",
        "2-S1",
    )
    table.find("go").click()
    table.stands_in(FIRST, "2-S1")
    assert hand.spent()[1] == 0


def test_a_move_by_keys(table: Table) -> None:
    hand = at_moves(table)
    hand.press("n", "Enter")
    expect(table.page.locator("polygon.reach").first).to_be_visible()
    # Two hexes west: the cursor costs a key for each.
    hand.press("Shift+ArrowLeft", "Shift+ArrowLeft", "Enter")
    expect(table.find("route")).to_be_visible()
    hand.press("Enter")
    table.stands_in(FIRST, "2-T1")
    clicks, keys = hand.spent()
    assert (clicks, keys <= 6) == (0, True)


def test_the_end_of_a_phase(table: Table) -> None:
    table.asks_everything()
    hand = at_fire(table)
    table.find("done").click()
    table.asks("Move a vehicle")
    assert hand.spent() == (1, 0)
    hand.press("d")
    # The first press only says what the second would do.
    expect(table.find("done")).to_be_focused()
    hand.press("d")
    table.asks("Move a unit that is no vehicle")
    assert hand.spent() == (0, 2)


def asked(table: Table) -> Hand:
    """The other side is asked whether it fires at a move."""
    hand = at_moves(table)
    table.unit(GUN).click()
    table.hex("2-W3").click()
    table.find("go").click()
    table.asks("StuG III G 1 moves in 2-W3")
    hand.spent()
    return hand


def test_opportunity_fire_by_mouse(table: Table) -> None:
    hand = asked(table)
    table.page.locator('.panel [data-kind="react"]').click()
    table.log("rolled 6, no effect")
    assert hand.spent() == (1, 0)


def test_opportunity_fire_by_keys(table: Table) -> None:
    hand = asked(table)
    first = table.page.locator(".panel button[data-choice]").first
    number = "1" if first.get_attribute("data-kind") == "react" else "2"
    hand.press(number, "Enter")
    table.log("rolled 6, no effect")
    assert hand.spent() == (0, 2)


def test_letting_it_pass(table: Table) -> None:
    hand = asked(table)
    table.find("pass").click()
    table.stands_in(GUN, "2-W3")
    assert hand.spent() == (1, 0)


def test_letting_it_pass_by_keys(table: Table) -> None:
    hand = asked(table)
    hand.press("d")
    table.stands_in(GUN, "2-W3")
    clicks, keys = hand.spent()
    assert (clicks, keys <= 2) == (0, True)
