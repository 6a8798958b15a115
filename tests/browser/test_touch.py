"""Fingers on a small screen: a tap, a drag, a pinch, a stack in the tray, and one whole player turn at 390 pixels."""

from __future__ import annotations

import time
from typing import Any

import pytest
from playwright.sync_api import CDPSession, expect

from browser import positions
from browser.axe import target_sizes
from browser.steppe import FOE, MACHINE_GUNS, begun, steppe
from browser.table import WHERE, Table

FIRST, GUN = "german-1", "german-3"
PHONE = {"width": 390, "height": 844}
LEAST_TARGET = 24
"""Pixels of the smallest thing that a finger is to hit, by WCAG 2.2."""

Point = tuple[float, float]


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    """A telephone, held upright."""
    return {**browser_context_args, "viewport": PHONE, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}


@pytest.fixture
def phone(table: Table) -> Table:
    """The page on it."""
    return table


class Fingers:
    """Fingers on the glass, as Chromium itself is told of them."""

    def __init__(self, table: Table) -> None:
        self.line: CDPSession = table.page.context.new_cdp_session(table.page)

    def draw(self, *ways: tuple[Point, Point], steps: int = 6) -> None:
        """Each finger goes down, along its way in steps, rests there, and goes up.

        Chromium takes a finger that lifts on the move for a throw, and the next tap for the hand that stops it: no
        click comes of that tap. So the drag is dated half a second back, its last fifth at rest.
        """
        began = time.time() - 0.5
        self._send("touchStart", [start for start, _ in ways], began)
        for step in range(1, steps + 1):
            self._send("touchMove", [between(a, b, step / steps) for a, b in ways], began + 0.3 * step / steps)
        self._send("touchMove", [end for _, end in ways], began + 0.4)
        self._send("touchEnd", [], began + 0.5)

    def _send(self, what: str, points: list[Point], at: float) -> None:
        touches = [{"x": x, "y": y, "id": n} for n, (x, y) in enumerate(points)]
        self.line.send("Input.dispatchTouchEvent", {"type": what, "touchPoints": touches, "timestamp": at})


def between(a: Point, b: Point, share: float) -> Point:
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def centre(table: Table, unit: str) -> Point:
    box = table.unit(unit).bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def width(table: Table, unit: str) -> float:
    box = table.unit(unit).bounding_box()
    assert box
    return box["width"]


def test_a_finger_drags_and_two_fingers_zoom(phone: Table) -> None:
    phone.sit(phone.host.begin(positions.MEADOW, positions.vehicles), "german")
    fingers, before = Fingers(phone), centre(phone, FIRST)
    fingers.draw(((200, 150), (140, 210)))
    x, y = centre(phone, FIRST)
    assert (x - before[0], y - before[1]) == pytest.approx((-60, 60), abs=3)
    # The map goes, and not the page under it; nothing was chosen by that.
    assert phone.page.evaluate("[scrollX, scrollY, visualViewport.scale]") == [0, 0, 1]
    expect(phone.page.locator("polygon.reach")).to_have_count(0)

    size = width(phone, FIRST)
    fingers.draw(((150, 200), (90, 200)), ((250, 200), (310, 200)))
    # From 100 to 220 pixels apart.
    assert width(phone, FIRST) / size == pytest.approx(2.2, rel=0.05)
    fingers.draw(((90, 200), (150, 200)), ((310, 200), (250, 200)))
    assert width(phone, FIRST) == pytest.approx(size, rel=0.05)
    assert phone.page.evaluate("visualViewport.scale") == 1


def test_a_closed_stack_is_one_thing_to_tap(phone: Table) -> None:
    stack = positions.MEADOW.replace('at = ["2-V3"]', 'at = ["2-V1"]')
    phone.sit(phone.host.begin(stack, positions.vehicles), "german")
    expect(phone.unit("german-2")).to_be_visible()
    small, large = target_sizes(phone.page, ".counters")
    assert small == []
    # Both units of the stack were looked at, and the gun beside it.
    assert len(large) >= 3
    # Its buttons lie on one another; the pictures do not, so that a stack is seen to be one.
    assert centre(phone, "german-1") == centre(phone, "german-2")
    pictures = [phone.unit(unit).locator("svg").bounding_box() for unit in ("german-1", "german-2")]
    assert pictures[0] != pictures[1]
    # The whole map is seen at first; a unit that is chosen brings it so near that no tap misses.
    phone.unit("german-1").tap()
    phone.find("tray-german-1").tap()
    expect(phone.page.locator("polygon.reach").first).to_be_visible()
    assert width(phone, "german-1") >= LEAST_TARGET


def test_a_first_tap_lays_a_stack_in_the_tray_and_a_second_one_chooses(phone: Table) -> None:
    stack = positions.MEADOW.replace('at = ["2-V3"]', 'at = ["2-V1"]')
    phone.sit(phone.host.begin(stack, positions.vehicles), "german")
    top, under = "german-1", "german-2"
    phone.unit(top).tap()
    expect(phone.find("unit-card")).to_contain_text("PzKw IV H 1")
    expect(phone.page.locator("polygon.reach")).to_have_count(0)
    small = phone.page.evaluate(SMALL_IN_TRAY, LEAST_TARGET)
    assert small == []
    phone.find(f"tray-{under}").tap()
    expect(phone.find("chosen")).to_contain_text("PzKw IV H 2")
    expect(phone.page.locator("polygon.reach").first).to_be_visible()


SMALL_IN_TRAY = """least => [...document.querySelectorAll('[data-testid="tray"] button')]
  .filter((one) => one.getBoundingClientRect().height < least).map((one) => one.innerText)"""


def test_a_whole_player_turn_with_a_thumb(phone: Table) -> None:
    game = phone.host.begin(positions.MEADOW, positions.direct_fire, rolls=[1, 6])
    phone.asks_everything()
    phone.sit(game, "german", "soviet")
    fits(phone)
    # Fire.
    phone.unit(FIRST).tap()
    phone.unit("soviet-1").tap()
    expect(phone.find("chances")).to_be_visible()
    fits(phone)
    phone.find("confirm").tap()
    phone.log("rolled 1, dispersed")
    phone.find("done").tap()
    # Move, be shot at, and go on.
    phone.asks("Move a vehicle")
    phone.unit(GUN).tap()
    expect(phone.page.locator("polygon.reach").first).to_be_visible()
    phone.hex("2-W3").tap()
    expect(phone.find("go")).to_be_in_viewport(ratio=1)
    uncovered(phone, "route")
    fits(phone)
    phone.find("go").tap()
    phone.asks("StuG III G 1 moves in 2-W3")
    fits(phone)
    phone.kind("react").first.tap()
    phone.log("rolled 6, no effect")
    phone.stands_in(GUN, "2-W3")
    # And to the end of the turn.
    for _ in range(6):
        if "Seat: Soviet" in phone.where():
            break
        before = phone.where()
        phone.find("done").tap()
        phone.page.wait_for_function(f"before => {WHERE} !== before", arg=before)
    expect(phone.find("seat")).to_contain_text("Soviet")
    expect(phone.page.locator(".turn .current")).to_have_text("Soviet")
    phone.find("sheet-handle").tap()
    for tab in ("forces", "position", "orders", "log"):
        phone.find(f"tab-{tab}").tap()
        fits(phone)


@pytest.mark.rule("panzer-grenadier", "3.0.B")
def test_a_sheet_with_a_tall_question_lies_still(phone: Table) -> None:
    """The Germans have four segments before the Soviets have one; the question that says so has three lines."""
    phone.sit(phone.host.begin(steppe(), begun()), "german", "soviet")
    phone.asks("the next 3 segments are yours, too")
    phone.page.wait_for_timeout(1000)
    tops = [phone.page.locator(".sheet").evaluate("one => one.getBoundingClientRect().y") for _ in range(20)]
    assert len({round(top) for top in tops}) == 1


def test_what_an_attack_comes_to_is_not_covered_by_its_button(phone: Table) -> None:
    phone.sit(phone.host.begin(steppe(), begun()), "german", "soviet")
    fire = phone.page.get_by_role("button", name="Fire: HMG 1")
    phone.unit(MACHINE_GUNS).tap()
    phone.page.wait_for_function(NEAR, arg=MACHINE_GUNS)
    if fire.count() == 0:  # on the whole map the counter was a speck, which the first tap only brings nearer
        phone.unit(MACHINE_GUNS).tap()
    fire.first.tap()
    # So near, the target lay beyond the corner of the glass: the page brings it in.
    expect(phone.unit(FOE)).to_be_in_viewport(ratio=1)
    # A player who has scrolled away is brought back.
    phone.find("tab-log").scroll_into_view_if_needed()
    phone.unit(FOE).tap()
    expect(phone.find("confirm")).to_be_in_viewport(ratio=1)
    expect(phone.find("chances")).to_be_in_viewport(ratio=1)
    uncovered(phone, "calculation")


NEAR = """unit =>
  document.querySelector(`.counters [data-unit="${unit}"]`).getBoundingClientRect().width >= 40"""
"""The map has come so near that a counter is as wide as a finger."""


def uncovered(table: Table, test_id: str) -> None:
    """This part of the sheet is seen from its head to its foot, above the buttons that stand."""
    part, panel, buttons = (
        one.bounding_box()
        for one in (table.find(test_id), table.page.locator(".sheet"), table.page.locator(".standing"))
    )
    assert part
    assert panel
    assert buttons
    assert part["y"] >= panel["y"]
    assert part["y"] + part["height"] <= buttons["y"]


def fits(table: Table) -> None:
    """Nothing lies outside the glass, and every button of the decision is large enough for a finger."""
    assert table.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    small = table.page.evaluate(SMALL, LEAST_TARGET)
    assert small == [], small


SMALL = """least => [...document.querySelectorAll(
    ".decision button:not(.rule), .bar button, .rail button, [role=tab], .title button")]
  .map((button) => [button.innerText || button.ariaLabel, button.getBoundingClientRect()])
  .filter(([, {width, height}]) => width > 0 && (width < least || height < least))
  .map(([name, {width, height}]) => `${name}: ${width} by ${height}`)"""
"""Buttons too small for a finger; numbers of rules stand within a sentence, as links do."""
