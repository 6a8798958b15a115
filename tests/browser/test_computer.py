"""Computer players at the table: one to play against, two to watch."""

from __future__ import annotations

from playwright.sync_api import expect

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
    # What a spectator was sent is the whole story: set-up of both sides, and the end.
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
