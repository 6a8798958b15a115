"""The page as a player sees it: what is on it, and what a hand on the mouse does."""

from __future__ import annotations

import json
import re
from typing import Any

from playwright.sync_api import Locator, Page, WebSocket, expect

from browser.host import Game, Host
from opfire.core.scenario import load

BARE = "([x, y]) => document.elementFromPoint(x, y)?.closest('[data-unit]') === null"
"""Whether no counter lies at a point of the page."""


class Table:
    """One browser page at the table. It keeps every WebSocket message that it was sent, byte for byte, and its own."""

    def __init__(self, page: Page, host: Host) -> None:
        self.page, self.host = page, host
        self.received: list[bytes] = []
        self._read: list[dict[str, Any]] = []
        self.sent: list[str] = []
        self.failures: list[str] = []
        page.on("websocket", self._listen)
        page.on("pageerror", lambda error: self.failures.append(str(error)))

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framesent", lambda data: self.sent.append(str(data)))
        socket.on("framereceived", lambda data: self.received.append(data.encode() if isinstance(data, str) else data))

    # --- coming to the table ------------------------------------------------------------------------------

    def sit(self, game: Game, *sides: str, cover: bool = False) -> None:
        """Take these seats of a game in this browser, or watch it."""
        kept = {
            "game": game.id,
            "scenario": "position",
            "title": "Position",
            "seats": {side: game.seats[side] for side in sides},
            "players": {},
            "started": 0,
            "seen": 0,
            "cover": cover,
            "over": None,
        }
        if sides:
            # The page keeps its games for its own address: the mark has it too, and nothing to load or draw.
            self.page.goto(f"{self.host.url}/mark.svg")
            self.page.evaluate("kept => localStorage.setItem('opfire.games', kept)", json.dumps([kept]))
        self.page.goto(f"{self.host.url}/play/{game.id}")
        expect(self.find("prompt")).to_be_visible()

    def asks_everything(self) -> None:
        """Have this browser pass no question by itself, from the next page on."""
        self.page.goto(f"{self.host.url}/mark.svg")
        self.page.evaluate("localStorage.setItem('opfire.passAlone', 'false')")

    def start(self, scenario: str, quick: str) -> None:
        """Start a scenario from the start page with one of its quick choices."""
        self.page.goto(self.host.url)
        self.find(f"open-{scenario}").click()
        self.find(f"quick-{quick}").click()
        expect(self.find("prompt")).to_be_visible()

    # --- what is on the page ------------------------------------------------------------------------------

    def find(self, test_id: str) -> Locator:
        """The part of the page that goes by this name."""
        return self.page.get_by_test_id(test_id)

    def unit(self, name: str) -> Locator:
        """A counter on the map."""
        return self.page.locator(f'.counters [data-unit="{name}"]')

    def pick(self, name: str, *, more: bool = False) -> None:
        """Click a unit in the tray, where those that lie under others can be chosen; with `more`, Shift is down."""
        self.hex(self.unit(name).get_attribute("data-at") or "").hover(force=True)
        self.find(f"tray-{name}").click(modifiers=["Shift"] if more else [])

    def lasso(self, *units: str) -> None:
        """Draw a ring round these counters: a drag with Shift held down, from a point where no counter lies."""
        boxes = [box for unit in units if (box := self.unit(unit).bounding_box())]
        assert len(boxes) == len(units)
        left, top = min(box["x"] for box in boxes), min(box["y"] for box in boxes)
        room = next(room for room in (8, 16, 24, 32) if self.page.evaluate(BARE, [left - room, top - room]))
        left, top = left - room, top - room
        right = max(box["x"] + box["width"] for box in boxes) + 8
        bottom = max(box["y"] + box["height"] for box in boxes) + 8
        mouse = self.page.mouse
        self.page.keyboard.down("Shift")
        mouse.move(left, top)
        mouse.down()
        for x, y in ((right, top), (right, bottom), (left, bottom)):
            mouse.move(x, y, steps=4)
        expect(self.find("lasso")).to_be_visible()
        mouse.up()
        self.page.keyboard.up("Shift")
        expect(self.find("lasso")).to_have_count(0)

    def hex(self, name: str) -> Locator:
        """A hex of the map."""
        return self.find(f"place-{name}")

    def kind(self, kind: str) -> Locator:
        """The buttons of all choices of a kind."""
        return self.page.locator(f'button[data-kind="{kind}"]')

    def asks(self, words: str) -> None:
        """The table asks this in its prompt."""
        expect(self.find("prompt")).to_contain_text(words)

    def stands_in(self, unit: str, hex: str) -> None:
        """The counter lies in that hex."""
        expect(self.unit(unit)).to_have_attribute("data-at", hex)

    def log(self, words: str | re.Pattern[str]) -> None:
        """The log tells this."""
        expect(self.find("log")).to_contain_text(words)

    def messages(self, kind: str) -> list[dict[str, Any]]:
        """The messages of a kind that the server has sent."""
        # Tests wait by asking again: each message is read once.
        self._read += [json.loads(data) for data in self.received[len(self._read) :]]
        return [found for found in self._read if found.get("type") == kind]

    def all_placed(self, scenario: str, side: str) -> None:
        """As many counters of a side lie on the map as the scenario's file gives it for set-up."""
        count = sum(force.count for force in load(scenario).sides[side].units)
        expect(self.page.locator(f'.counters [data-unit^="{side}-"]')).to_have_count(count)

    def where(self) -> str:
        """Turn, step and question, as one text, once the page is at rest: a step in which nothing can be done is ended
        by the page itself, and a press on the button of the step before would end the next one."""
        self.page.wait_for_function("""() => !document.querySelector('[data-testid="done"]')?.disabled""")
        return str(self.page.evaluate(WHERE))

    def rests(self) -> None:
        """Nothing that was decided here is under way: a click on the map would not outlast the answer."""
        expect(self.find("bar")).to_have_attribute("aria-busy", "false")

    # --- what a player does -------------------------------------------------------------------------------

    def press(self, test_id: str) -> None:
        """Press a button, and wait until the table asks something else."""
        before = self.where()
        self.find(test_id).click()
        self.page.wait_for_function(f"before => {WHERE} !== before", arg=before)

    def end(self, until: str) -> None:
        """Press the button that ends a segment, until the table asks this or its turn line says it."""
        for _ in range(24):
            before = self.where()
            if until in before:
                return
            self.press("done")
        raise AssertionError(f"{until!r} was not asked, but {self.where()!r}")

    def offer(self, label: str) -> Locator:
        """The button of the choice with this in its words."""
        return self.page.locator("button[data-kind]", has_text=label)


WHERE = """(() => ["turn", "seat", "track", "prompt"].map((name) => {
  const part = document.querySelector(`[data-testid="${name}"]`);
  return (name === "track" ? part?.querySelector("[aria-current]") : part)?.innerText ?? "";
}).join(" | "))()"""
