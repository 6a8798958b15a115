"""Panzer Grenadier for four [18.2]: two players a side, each at a browser of their own."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, expect

from browser.host import Host
from browser.table import Table
from browser.test_seats_meeting import link_for, prepare

SCENARIO = "pg-sosnovka-four"
SIDES = {"Vogt": "German", "Brandt": "German", "Orlov": "Soviet", "Petrov": "Soviet"}
PARTNER = {"Vogt": "Brandt", "Brandt": "Vogt", "Orlov": "Petrov", "Petrov": "Orlov"}
MOST = 150
"""The greatest number of decisions in the test: by advice the first of everybody by advice, the others in a hurry."""

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


def asked(table: Table) -> bool:
    """Return whether this page asks its player something."""
    return table.page.locator(".prompt.asked").count() > 0


def deciders(players: Players) -> list[str]:
    """The players whose pages ask them something, as soon as a page does."""
    for _ in range(300):
        found = [name for name, page in players.items() if asked(page)]
        if found:
            return found
        players["Vogt"].page.wait_for_timeout(100)
    raise AssertionError("no page asks anybody")


def set_up(players: Players) -> None:
    """Everybody has the rest placed, and says so; the commanding officer ends it for the side."""
    for side in ("German", "Soviet"):
        names = [name for name in deciders(players) if SIDES[name] == side]
        for name in names:
            if players[name].find("auto").count():
                players[name].find("auto").click()
                expect(players[name].find("auto")).to_have_count(0)
        while names := [name for name in deciders(players) if SIDES[name] == side and finish(players, name)]:
            assert names


def finish(players: Players, name: str) -> bool:
    """Press the player's button that ends a set-up, if there is one."""
    button = players[name].find("done")
    if button.count() == 0 or "Turn" in players[name].find("turn").inner_text():
        return False
    players[name].press("done")
    return True


def decide(table: Table, hurry: bool) -> None:
    """Do what is advised; in a hurry pass, or end the segment, where that can be done."""
    seen = len(table.messages("answer"))
    end = table.page.locator("button[data-kind=pass], button[data-kind=done]")
    if hurry and end.count():
        end.first.click()
    else:
        table.find("suggest").click()
        table.find("do-it").click()
        seen += 1
    # The table as it has become is sent before the answer.
    while len(table.messages("answer")) <= seen:
        table.page.wait_for_timeout(20)


def test_four_players_set_up_and_play_a_turn(four: Players) -> None:
    meet(four)
    set_up(four)
    decided: set[str] = set()
    officers = set()
    for _ in range(MOST):
        if "Turn 2" in four["Vogt"].find("turn").inner_text():
            break
        (name, *others) = deciders(four)
        assert others == [], "a question goes to one seat"
        # The partner has nothing to press, and is told whom the side waits for.
        partner = four[PARTNER[name]]
        expect(partner.page.locator("button[data-kind]")).to_have_count(0)
        expect(partner.find("prompt")).to_contain_text(f"Waiting for {name}")
        told = four[name].messages("table")[-1]
        assert told["decides"] == [name]
        decide(four[name], hurry=name in decided)
        decided.add(name)
        officers |= {army["commander"] for army in told["view"]["armies"].values()}
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
