"""Panzer Grenadier for four [18.2]: two players a side, each at a browser of their own."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, expect

from browser.host import Host
from browser.table import Table
from browser.test_seats_meeting import link_for, prepare

SCENARIO = "pg-sosnovka-four"
SIDES = {"Vogt": "German", "Brandt": "German", "Orlov": "Soviet", "Petrov": "Soviet"}
PARTNER = {"Vogt": "Brandt", "Brandt": "Vogt", "Orlov": "Petrov", "Petrov": "Orlov"}
MOST = 150
"""The greatest number of decisions in the set-up, and in the turn after it."""

Players = dict[str, Table]


@pytest.fixture
def four(
    table: Table, new_context: Callable[..., BrowserContext], host: Host, at_table: Callable[..., Table]
) -> Players:
    """Four browsers; the first is the host's."""
    return {"Vogt": table, **{name: at_table(new_context().new_page(), host) for name in list(SIDES)[1:]}}


def meet(players: Players) -> None:
    """The host sends links, and everybody comes."""
    host = players["Vogt"]
    prepare(host, SCENARIO, "teams", "quick-link")
    links = {name: link_for(host, name) for name in players if name != "Vogt"}
    expect(host.find("waiting")).to_contain_text("Waiting for 3 players")
    for name, link in links.items():
        players[name].page.goto(link)
        if name != "Petrov":
            expect(host.find(f"seat-{name}").get_by_test_id("state")).to_have_text("has come")
    for name, page in players.items():
        expect(page.find("prompt")).to_be_visible()
        expect(page.find("seat")).to_contain_text(f"{name} ({SIDES[name]})")


def told(table: Table) -> dict[str, Any]:
    """The table as the server told it to this page last."""
    return table.messages("table")[-1]


def decider(players: Players) -> str:
    """A player who has to decide, as soon as all pages have been told the same and his lets him press.

    The other side is told only which side is asked.
    """
    for _ in range(600):
        heard = {(*told(page)["asked"], *told(page)["decides"]) for page in players.values()}
        (deciders, *others) = sorted(heard, key=len, reverse=True)
        if len(others) == 1 and others[0] == deciders[:1]:
            for name in deciders[1:]:
                if players[name].page.locator(ENABLED).count():
                    return name
        players["Vogt"].page.wait_for_timeout(50)
    raise AssertionError(f"nobody can decide, and the pages were told: {heard}")


ENABLED = "[data-testid=suggest]:enabled"
"""Advice can be had where the page asks its player and nothing is under way."""


def press(table: Table, button: Locator) -> None:
    """Press a button, once more where the page first cautions, and wait for the answer to what was decided."""
    known = len(decisions(table))
    button.click()
    cautioned = False
    while len(decisions(table)) == known:
        cautions = [found["caution"]["text"] for found in table.messages("answer") if found.get("caution")]
        why = table.find("why").all_inner_texts()
        if not cautioned and any(caution in text for caution in cautions for text in why):
            button.click()
            cautioned = True
        table.page.wait_for_timeout(20)
    decision = decisions(table)[known]
    while decision not in [found.get("re") for kind in ("answer", "refused") for found in table.messages(kind)]:
        table.page.wait_for_timeout(20)
    assert decision not in [found.get("re") for found in table.messages("refused")]


def decisions(table: Table) -> list[int]:
    """The numbers of the decisions that this page has sent."""
    messages = [json.loads(data) for data in table.sent]
    return [message["id"] for message in messages if message["type"] in {"play", "auto"}]


def set_up(players: Players) -> None:
    """Everybody has the rest placed, and says so; the commanding officer ends it for the side."""
    for _ in range(MOST):
        name = decider(players)
        if told(players[name])["prompt"]["step"] != "set-up":
            return
        rest = players[name].find("auto")
        press(players[name], rest if rest.count() else players[name].find("done"))
    raise AssertionError("the set-up does not end")


def decide(table: Table, partner: str, decided: set[str]) -> None:
    """Give the segment to a partner who has not had one; else do at first what is advised, and from then on, in a
    hurry, pass, or end the segment, where that can be done.
    """
    give = table.kind("command").filter(has_text=f"{partner} has this")
    end = table.page.locator("button[data-kind=pass], button[data-kind=done]")
    if partner not in decided and give.count():
        press(table, give)
    elif told(table)["decides"][0] in decided and end.count():
        press(table, end.first)
    else:
        table.find("suggest").click()
        press(table, table.find("do-it"))


def test_four_players_set_up_and_play_a_turn(four: Players) -> None:
    meet(four)
    set_up(four)
    decided: set[str] = set()
    officers = set()
    for _ in range(MOST):
        name = decider(four)
        if told(four[name])["view"]["turn"] == 2:
            break
        assert told(four[name])["decides"] == [name], "a question goes to one seat"
        # The partner has nothing to press, and is told whom the side waits for.
        partner = four[PARTNER[name]]
        expect(partner.page.locator("button[data-kind]")).to_have_count(0)
        expect(partner.find("prompt")).to_contain_text(f"Waiting for {name}")
        officers |= {army["commander"] for army in told(four[name])["view"]["armies"].values()}
        decide(four[name], PARTNER[name], decided)
        decided.add(name)
    assert decided == set(SIDES)
    assert len(officers) == 2
    for page in four.values():
        expect(page.find("turn")).to_contain_text("Turn 2")
        page.log("The segment is")


PRESS_DONE = """() => {
    const turn = document.querySelector('[data-testid=turn]');
    if (!turn.textContent.includes('Turn 1')) document.querySelector('[data-testid=done]')?.click();
}"""


def test_a_computer_player_takes_any_of_the_seats(table: Table) -> None:
    """It sets up and acts beside a human partner, who alone can concede for the side."""
    prepare(table, SCENARIO, "teams", "quick-watch")
    expect(table.find("prompt")).to_be_visible()
    table.page.goto(table.host.url)
    table.find(f"open-{SCENARIO}").click()
    table.find("teams").click()
    for name, player in (("Vogt", "greedy"), ("Brandt", "human"), ("Orlov", "greedy"), ("Petrov", "advance")):
        table.find(f"player-{name}").select_option(player)
    table.find(f"start-{SCENARIO}").click()
    expect(table.find("seat")).to_contain_text("Brandt (German)")
    expect(table.page.locator(".prompt.asked")).to_be_visible()
    table.find("auto").click()
    # The dice say which of the two is the commanding officer. He ends the set-up for both, perhaps before Brandt, if he
    # is the other one, can say that he is done: so the button is pressed if it is there.
    begun = table.find("turn").filter(has_text="Turn 1")
    expect(table.find("done").or_(begun).first).to_be_visible()
    table.page.evaluate(PRESS_DONE)
    expect(begun).to_be_visible()
    table.find("menu").click()
    table.find("concede").click()
    table.find("concede-yes").click()
    expect(table.find("result")).to_contain_text("The Soviet side wins")
