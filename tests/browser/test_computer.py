"""Computer players at the table: one to play against, two to watch."""

from __future__ import annotations

from playwright.sync_api import expect

from browser import positions
from browser.table import Table

WHOLE_GAME_MS = 120_000


def test_two_computer_players_play_a_game_to_its_end(table: Table) -> None:
    table.page.goto(f"{table.host.url}/?scenario=mill-ford")
    for side in ("german", "soviet"):
        table.find(f"player-{side}").select_option("random")
    table.find("start-mill-ford").click()
    expect(table.find("result")).to_be_visible(timeout=WHOLE_GAME_MS)
    expect(table.find("result")).to_contain_text("The game is over")
    table.find("result").get_by_role("button", name="Look at the table").click()
    expect(table.find("turn")).to_contain_text("of 8")
    expect(table.find("outcome")).to_be_visible()
    # The messages to a spectator are the whole story: set-up of both sides, and the end.
    table.log("Game turn 1")
    assert table.messages("table")[-1]["result"] is not None


def test_a_player_against_the_computer(table: Table) -> None:
    table.page.goto(f"{table.host.url}/?scenario=mill-ford")
    table.find("player-german").select_option("human")
    table.find("player-soviet").select_option("greedy")
    table.find("start-mill-ford").click()
    table.asks("Place your units")
    table.find("auto").click()
    table.all_placed("mill-ford", "german")
    table.find("done").click()
    # The computer sets up and takes its turn; then, or at a shot that is worth a question, it is ours.
    table.all_placed("mill-ford", "soviet")
    expect(table.page.locator("button[data-kind]").first).to_be_visible()
    table.log("Soviet player turn 1")


def test_advice_says_why_and_does_it(table: Table) -> None:
    table.sit(table.host.begin(positions.MEADOW, positions.direct_fire), "german")
    table.asks("Choose a firer and its target")
    table.page.keyboard.press("g")
    advice = table.find("suggestion")
    # A PzKw IV near by has 28 against the T-34's 9: 3:1, which the table of results gives an X on 1 to 3.
    expect(advice).to_contain_text("fires at T-34/76 C 1")
    expect(advice).to_contain_text("3:1")
    expect(advice).to_contain_text("eliminated 50%")
    # The other good moves have their reasons as well.
    advice.get_by_text("Also good").click()
    expect(advice.locator("details li").first).to_contain_text("nothing else is worth a shot")
    table.find("do-it").click()
    # It only begins the attack: the die is the player's to roll.
    expect(table.find("building")).to_contain_text("Odds 28 to 9")
    expect(table.find("confirm")).to_be_visible()
    expect(table.find("suggestion")).to_have_count(0)


def test_nobody_is_advised_out_of_turn(table: Table) -> None:
    table.sit(table.host.begin(positions.MEADOW, positions.direct_fire), "soviet")
    table.page.keyboard.press("g")
    expect(table.find("why")).to_contain_text("soviet has nothing to decide now")
    expect(table.find("suggestion")).to_have_count(0)
