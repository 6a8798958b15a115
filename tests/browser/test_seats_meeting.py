"""Before and after a game: links, the waiting room, what each browser keeps, and the dice verified by it."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import expect

from browser.axe import violations
from browser.table import Table

SCENARIO = "mill-ford"


def prepare(table: Table, scenario: str, *choices: str) -> None:
    """Begin a game from the start page by these boxes and a button, as far as the waiting room or the table."""
    table.page.goto(table.host.url)
    table.find(f"open-{scenario}").click()
    for choice in choices:
        table.find(choice).click()


def link_for(table: Table, seat: str) -> str:
    """The link that the waiting room gives the host for a seat."""
    found = table.find(f"seat-{seat}").get_by_test_id("link")
    expect(found).to_be_visible()
    return found.input_value()


def kept(table: Table) -> Any:
    """The data that this browser keeps of its last game."""
    return json.loads(table.page.evaluate("localStorage.getItem('opfire.games')"))[0]


def sent(table: Table, kind: str) -> list[Any]:
    return [message for message in map(json.loads, table.sent) if message["type"] == kind]


def test_two_players_meet_by_a_link_and_verify_the_dice(table: Table, other: Table) -> None:
    prepare(table, SCENARIO, "quick-link")
    expect(table.find("waiting")).to_contain_text("Waiting for 1 player")
    expect(table.find("seat-soviet").locator("strong")).to_have_text("Soviet")
    expect(table.find("seat-german").get_by_test_id("state")).to_have_text("you are here")
    expect(table.find("seat-soviet").get_by_test_id("state")).to_have_text("has not come yet")
    promised = table.find("commitment").inner_text()

    other.page.goto(link_for(table, "soviet"))
    for page in (table, other):
        expect(page.find("prompt")).to_be_visible()
    for page, seat in ((table, "german"), (other, "soviet")):
        # The promise was shown first; then this browser drew its own number, sent it, and keeps both.
        (waiting, *_), (nonce,) = page.messages("waiting"), sent(page, "nonce")
        assert waiting["commitment"] == nonce["commitment"] == promised
        assert kept(page)["promises"] == {seat: {"commitment": promised, "nonce": nonce["nonce"]}}
        assert len(bytes.fromhex(nonce["nonce"])) == 16
    assert kept(table)["promises"]["german"]["nonce"] != kept(other)["promises"]["soviet"]["nonce"]
    assert list(kept(other)["seats"]) == ["soviet"]
    assert "#seat" not in other.page.url

    table.find("menu").click()
    table.find("concede").click()
    table.find("concede-yes").click()
    for page in (table, other):
        proof = page.find("proof")
        expect(proof).to_contain_text("It is the promise that this browser was shown")
        expect(proof).to_contain_text("The number that this browser drew then is in the dice")
        expect(proof).to_contain_text("passes through the last position that this browser was shown")
        expect(proof.locator(".wrong")).to_have_count(0)
        expect(page.find("promise")).to_have_text(promised)


def test_a_browser_finds_out_that_the_promise_was_another(table: Table) -> None:
    prepare(table, SCENARIO, "quick-both")
    expect(table.find("prompt")).to_be_visible()
    forged = kept(table)
    forged["promises"]["german"]["commitment"] = "ab" * 32
    table.page.evaluate("kept => localStorage.setItem('opfire.games', kept)", json.dumps([forged]))
    table.find("menu").click()
    table.find("concede").click()
    table.find("concede-yes").click()
    expect(table.find("proof").locator(".wrong")).to_have_count(1)
    expect(table.find("proof")).to_contain_text("It is not the promise that this browser was shown")


def test_the_host_gives_a_seat_that_does_not_come_to_a_computer_player(table: Table, other: Table) -> None:
    prepare(table, SCENARIO, "quick-link")
    link, promised = link_for(table, "soviet"), table.find("commitment").inner_text()
    table.find("seat-soviet").get_by_test_id("give").select_option("random")
    expect(table.find("prompt")).to_be_visible()

    # A new promise was made, and this browser drew anew for it.
    anew = table.messages("waiting")[-1]["commitment"]
    assert anew != promised
    assert [nonce["commitment"] for nonce in sent(table, "nonce")] == [promised, anew]
    assert sent(table, "nonce")[0]["nonce"] != sent(table, "nonce")[1]["nonce"]
    assert kept(table)["promises"]["german"]["commitment"] == anew
    other.page.goto(link)
    expect(other.page.get_by_role("alert")).to_contain_text("The key in this link opens no seat of this game")


def test_a_reload_in_the_waiting_room_keeps_what_was_drawn(table: Table) -> None:
    prepare(table, SCENARIO, "quick-link")
    expect(table.find("waiting")).to_be_visible()
    expect(table.find("seat-german").get_by_test_id("state")).to_have_text("you are here")
    assert violations(table.page) == []
    before = kept(table)["promises"]
    table.page.reload()
    expect(table.find("seat-german").get_by_test_id("state")).to_have_text("you are here")
    assert kept(table)["promises"] == before
