"""The rights of seats: tokens, drafts; and the state that survives a reload or a restart."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from browser import positions
from browser.host import Game, Host
from browser.line import slow
from browser.table import Table

SOCKET = """({url, join, say}) => new Promise((resolve) => {
  const heard = [];
  let position;
  const socket = new WebSocket(url);
  socket.onopen = () => socket.send(JSON.stringify(join));
  socket.onmessage = (event) => {
    const message = JSON.parse(event.data);
    heard.push(message);
    position = message.position ?? position;
    if (message.type === "log" && say) socket.send(JSON.stringify({...say, position, id: 1}));
    if (message.re === 1) { socket.close(); resolve({heard, answer: message}); }
  };
  socket.onclose = (event) => resolve({heard, code: event.code});
})"""


def speak(table: Table, game: Game, join: dict[str, object], say: dict[str, object] | None) -> dict[str, object]:
    """The server's answer to a page that speaks for itself, without the client."""
    url = f"{table.host.url.replace('http', 'ws')}/api/games/{game.id}/table"
    found: dict[str, object] = table.page.evaluate(SOCKET, {"url": url, "join": join, "say": say})
    return found


def kept_seats(table: Table, game: Game) -> dict[str, str]:
    """The keys that the browser keeps to its seats of a game."""
    found = "game => JSON.parse(localStorage.getItem('opfire.games')).find(kept => kept.game === game).seats"
    seats: dict[str, str] = table.page.evaluate(found, game.id)
    return seats


@pytest.mark.parametrize("link", ["german:wrong", "german:%", "%:x", "soviet", ""])
def test_a_bad_link_takes_no_seat_away(table: Table, link: str) -> None:
    """A link is tried before it is kept: a wrong key, or a damaged link, leaves the seat that works."""
    game = table.host.begin(positions.MEADOW, positions.vehicles)
    table.sit(game, "german")
    table.page.goto("about:blank")
    table.page.goto(f"{table.host.url}/play/{game.id}#seat={link}")
    expect(table.find("bad-link")).to_contain_text("link")
    assert kept_seats(table, game) == {"german": game.seats["german"]}
    table.find("without-link").click()
    expect(table.find("seat")).to_contain_text("German")
    table.asks("Move a vehicle")


def test_a_link_that_works_adds_its_seat(table: Table) -> None:
    """The server says which seat the key opens; a seat that is there stays."""
    game = table.host.begin(positions.MEADOW, positions.vehicles)
    table.sit(game, "german")
    table.page.goto("about:blank")
    table.page.goto(f"{table.host.url}/play/{game.id}#seat=german:{game.seats['soviet']}")
    table.asks("Move a vehicle")
    assert kept_seats(table, game) == game.seats
    assert "#" not in table.page.url


@pytest.mark.parametrize("path", ["/play/%", "/play/%E4#seat=%:x", "/rules/case-orange#%"])
def test_a_damaged_address_gets_a_page(table: Table, path: str) -> None:
    table.page.goto(f"{table.host.url}{path}")
    expect(table.page.locator("h1")).to_be_visible()


def test_a_draft_is_its_sides_own_until_it_stands(table: Table, other: Table) -> None:
    game = table.host.begin(positions.MEADOW, positions.vehicles)
    table.asks_everything()
    table.sit(game, "german")
    other.sit(game, "soviet")
    # Out of everybody's sight and range, so that no question makes the draft final.
    table.unit("german-1").click()
    table.hex("2-S1").click()
    table.find("go").click()
    table.stands_in("german-1", "2-S1")
    table.end(until="Move a unit that is no vehicle")

    other.page.reload()
    expect(other.find("prompt")).to_be_visible()
    other.stands_in("german-1", "2-V1")
    expect(other.find("seat")).to_contain_text("Soviet")
    draft = b'"2-S1"'
    assert any(draft in data for data in table.received)
    assert other.received
    assert not any(draft in data for data in other.received)

    # The other player turn begins: now it stands, and all may see it.
    table.end(until="Soviet")
    other.stands_in("german-1", "2-S1")


def test_another_browser_cannot_act_for_the_first(table: Table, other: Table) -> None:
    game = table.host.begin(positions.MEADOW, positions.vehicles)
    table.sit(game, "german")
    other.sit(game, "soviet")

    # By mouse: nothing is lit, nothing can be pressed.
    expect(other.page.locator(".counters .can")).to_have_count(0)
    expect(other.page.locator("button[data-kind]")).to_have_count(0)
    other.unit("german-1").click()
    expect(other.find("unit-card")).to_contain_text("PzKw IV H 1")
    expect(other.page.locator("polygon.reach")).to_have_count(0)

    # By its own script: the server knows whose turn it is, and who it is speaking to.
    move = {"type": "play", "action": {"type": "Move", "unit": "german-1", "to": "2-U1"}}
    own = {"type": "join", "token": game.seats["soviet"]}
    said = speak(other, game, own, move)
    assert said["answer"]["type"] == "refused"  # type: ignore[index]
    assert "soviet has nothing to decide now" in said["answer"]["text"]  # type: ignore[index]
    assert speak(other, game, own, {"type": "undo"})["answer"]["type"] == "refused"  # type: ignore[index]
    watching = speak(other, game, {"type": "join"}, move)
    assert watching["answer"]["type"] == "refused"  # type: ignore[index]
    for guess in ("german", game.seats["german"][:-1], ""):
        assert speak(other, game, {"type": "join", "token": guess}, None)["code"] == 4403
    table.stands_in("german-1", "2-V1")

    # No message to anybody holds a token.
    for token in game.seats.values():
        assert not any(token.encode() in data for data in [*table.received, *other.received])


def test_a_spectator_watches(table: Table, other: Table) -> None:
    game = table.host.begin(positions.MEADOW, positions.direct_fire, rolls=[1])
    table.sit(game, "german", "soviet")
    other.sit(game)
    expect(other.find("seat")).to_contain_text("watching")
    expect(other.find("undo")).to_have_count(0)
    table.unit("german-1").click()
    table.unit("soviet-1").click()
    table.find("confirm").click()
    other.log("Direct fire at 1:3 against 2-Z2: rolled 1, dispersed")


def test_a_reload_loses_nothing(table: Table) -> None:
    game = table.host.begin(positions.MEADOW, positions.direct_fire)
    table.sit(game, "german", "soviet")
    table.unit("german-1").click()
    table.unit("soviet-1").click()
    expect(table.find("building")).to_contain_text("Odds 7 to 16")
    table.rests()
    table.unit("german-2").click()
    expect(table.find("building")).to_contain_text("Odds 14 to 16")
    table.rests()

    table.page.reload()
    expect(table.find("building")).to_contain_text("Odds 14 to 16")
    expect(table.find("seat")).to_contain_text("German")
    # The draft came back too, and can still be taken back.
    table.find("undo").click()
    expect(table.find("building")).to_contain_text("Odds 7 to 16")


def test_the_server_dies_and_comes_back(own_host: Host, page: object, at_table: object) -> None:
    table: Table = at_table(page, own_host)  # type: ignore[operator]
    game = own_host.begin(positions.MEADOW, positions.direct_fire, rolls=[1, 6])
    table.sit(game, "german", "soviet")
    table.unit("german-1").click()
    table.unit("soviet-1").click()
    table.find("confirm").click()
    table.log("rolled 1, dispersed")

    own_host.kill()
    expect(table.find("line")).to_be_visible()
    own_host.start()
    expect(table.find("line")).to_have_count(0)

    # The page goes on where it was, without a reload, with the dice that were to come.
    table.log("rolled 1, dispersed")
    table.unit("german-2").click()
    table.unit("soviet-1").click()
    table.find("confirm").click()
    table.log("rolled 6, no effect")


def test_the_table_is_covered_when_it_is_handed_over(table: Table) -> None:
    """Beneath the cover nothing can be seen, reached or read out of the table, and a reload does not lift it."""
    game = table.host.begin(positions.MEADOW, positions.vehicles, rolls=[6])
    table.sit(game, "german", "soviet", cover=True)
    table.unit("german-3").click()
    table.find("tab-log").click()
    table.hex("2-W3").click()
    table.find("go").click()
    cover, beneath = table.find("hand-over"), table.page.locator("main.play")
    expect(cover).to_contain_text("Soviet")
    expect(beneath).to_have_attribute("inert", "")
    expect(beneath).to_have_attribute("aria-hidden", "true")
    expect(table.find("log")).to_have_count(0)
    expect(table.page.locator("[data-unit]")).to_have_count(0)
    expect(table.find("announce")).to_have_text("")
    assert "StuG" not in table.page.content()
    table.page.keyboard.press("Tab")
    assert table.page.evaluate("!document.querySelector('main').contains(document.activeElement)")

    table.page.reload()
    expect(cover).to_contain_text("Soviet")
    expect(table.page.locator("[data-unit]")).to_have_count(0)

    table.find("ready").click()
    expect(cover).to_have_count(0)
    expect(beneath).not_to_have_attribute("inert", "")
    table.asks("StuG III G 1 moves in 2-W3")
    expect(table.find("log")).to_be_visible()

    # A reload shows the seat whose player is at the screen, not the first.
    table.page.reload()
    table.asks("StuG III G 1 moves in 2-W3")
    expect(table.find("seat")).to_contain_text("Soviet")


AGAIN_AS_THE_QUESTION_CHANGES = """({ x, y }) => {
  const question = document.querySelector('[data-testid=prompt]');
  const before = question.textContent;
  new MutationObserver((_, observer) => {
    const now = document.querySelector('[data-testid=prompt]');
    if (!now || now.textContent === before) return;
    observer.disconnect();
    const button = document.elementFromPoint(x, y);
    for (const type of ['mousedown', 'mouseup', 'click'])
      button.dispatchEvent(new MouseEvent(type, { detail: 2, bubbles: true }));
  }).observe(document.body, { childList: true, subtree: true, characterData: true });
}"""
"""Press the button there a second time as soon as another question is asked."""


def test_a_segment_in_which_nothing_can_be_done_ends_by_itself(table: Table) -> None:
    """There is no infantry: after the vehicles the other side is asked, not for the end of an empty segment."""
    game = table.host.begin(positions.MEADOW, positions.vehicles)
    table.sit(game, "german", "soviet")
    table.asks("Move a vehicle")
    table.find("done").click()
    expect(table.find("seat")).to_contain_text("Soviet")


def test_a_double_click_ends_one_segment(table: Table) -> None:
    """The second click of a double click comes when the button ends the next segment already: it is dropped."""
    game = table.host.begin(positions.MEADOW, positions.vehicles)
    table.asks_everything()
    table.sit(game, "german", "soviet")
    table.asks("Move a vehicle")
    spot = table.find("done").bounding_box()
    assert spot is not None
    at = {"x": spot["x"] + spot["width"] / 2, "y": spot["y"] + spot["height"] / 2}
    table.page.evaluate(AGAIN_AS_THE_QUESTION_CHANGES, at)
    table.page.mouse.move(at["x"], at["y"])
    table.page.mouse.down(click_count=1)
    table.page.mouse.up(click_count=1)
    expect(table.find("why")).to_contain_text("The position has changed since you decided this")
    table.asks("Move a unit that is no vehicle")


def test_of_two_tabs_on_one_seat_the_late_one_decides_nothing(table: Table) -> None:
    """The second tab has not heard yet that the first has ended the segment: its press ends no other one."""
    game = table.host.begin(positions.MEADOW, positions.vehicles)
    table.asks_everything()
    table.sit(game, "german", "soviet")
    tab = Table(table.page.context.new_page(), table.host)
    line = slow(tab.page)
    tab.page.goto(table.page.url)
    tab.asks("Move a vehicle")
    line.holds = True
    table.page.bring_to_front()
    table.find("done").click()
    table.asks("Move a unit that is no vehicle")
    tab.page.bring_to_front()
    tab.find("done").click()
    expect(tab.find("prompt")).to_contain_text("Move a vehicle")
    line.release()
    expect(tab.find("why")).to_contain_text("The position has changed since you decided this")
    tab.asks("Move a unit that is no vehicle")
    table.asks("Move a unit that is no vehicle")
    assert tab.failures == []


def test_quick_clicks_on_undo_take_back_one_decision_after_the_other(table: Table) -> None:
    game = table.host.begin(positions.MEADOW, positions.direct_fire)
    table.sit(game, "german", "soviet")
    table.unit("german-1").click()
    table.unit("soviet-1").click()
    expect(table.find("building")).to_contain_text("Odds 7 to 16")
    table.rests()
    table.unit("german-2").click()
    expect(table.find("building")).to_contain_text("Odds 14 to 16")
    table.rests()
    count = table.messages("table")[-1]["undo"]["count"]
    table.find("undo").click()
    expect(table.find("building")).to_contain_text("Odds 7 to 16")
    table.find("undo").scroll_into_view_if_needed()
    spot = table.find("undo").bounding_box()
    assert spot is not None
    table.page.mouse.move(spot["x"] + spot["width"] / 2, spot["y"] + spot["height"] / 2)
    table.page.mouse.down(click_count=2)
    table.page.mouse.up(click_count=2)
    expect(table.find("undo")).to_contain_text(f"({count - 2})")


@pytest.mark.parametrize("confirmed", [True, False])
def test_conceding_asks_first(table: Table, other: Table, confirmed: bool) -> None:
    game = table.host.begin(positions.MEADOW, positions.vehicles)
    table.sit(game, "german")
    other.sit(game, "soviet")
    table.find("menu").click()
    table.find("concede").click()
    if not confirmed:
        table.find("menu-dialog").get_by_role("button", name="No").click()
        table.page.keyboard.press("Escape")
        table.asks("Move a vehicle")
        expect(table.find("result")).to_have_count(0)
        return
    table.find("concede-yes").click()
    for one in (table, other):
        expect(one.find("result")).to_contain_text("The Soviet side wins")
    # The start page remembers how it ended.
    table.find("result").get_by_role("link").click()
    expect(table.find("games")).to_contain_text("Over")
