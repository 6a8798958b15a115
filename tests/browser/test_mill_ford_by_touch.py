"""*The Mill Ford* on a telephone, by touch alone: two turns, and in the soak the whole game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from browser.table import WHERE, Table
from browser.test_touch import PHONE, fits
from opfire.core import scenario

MANY = 120
"""More questions than two turns ask."""
NEXT = f"""before => {WHERE} !== before || document.querySelector('[data-testid="why"]') !== null"""
OPEN = """([part, own]) => {
  const box = (one) => one.getBoundingClientRect();
  const [head, sheet] = ["header", ".sheet"].map((one) => box(document.querySelector(one)));
  const spots = [...document.querySelectorAll(part)].map((one) => {
    const {x, y, width, height} = box(one);
    return [x + width / 2, y + height / 3];
  });
  const open = ([x, y]) => x > 8 && x < innerWidth - 8 && y > head.bottom + 8 && y < sheet.top - 8
    && document.elementFromPoint(x, y)?.closest(own);
  return spots.find(open) ?? null;
}"""
"""The first of these parts of the map that nothing lies over: a spot on it."""
OWN = ".counter.can:not(.foe)"
TRAY = ".tray .lying.can"


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    """A telephone, held upright."""
    return {**browser_context_args, "viewport": PHONE, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}


def answer(phone: Table) -> None:
    """Tap the first button that stands, and again where the table asks whether it is meant."""
    before = phone.where()
    button = phone.page.locator(".standing button[data-kind]").first
    expect(button).to_be_in_viewport(ratio=0.99)
    button.tap()
    phone.page.wait_for_function(NEXT, arg=before)
    if phone.where() == before:
        button.tap()
        phone.page.wait_for_function(f"before => {WHERE} !== before", arg=before)


def choose(phone: Table) -> None:
    """Tap a lit counter, and in the tray the first unit of its stack that can act."""
    spot = phone.page.evaluate(OPEN, [OWN, OWN])
    assert spot, "a unit that can act is in view"
    phone.page.touchscreen.tap(*spot)
    phone.page.wait_for_function(CHOSEN_OR_LAID)
    if phone.find("chosen").count() == 0:
        phone.page.locator(TRAY).first.tap()


CHOSEN_OR_LAID = """() => document.querySelector('[data-testid="chosen"]') !== null
  || document.querySelectorAll(".tray .lying").length > 1"""


def drive(phone: Table) -> bool:
    """Move a vehicle to a hex that is in view; False if it can go to none."""
    choose(phone)
    expect(phone.find("chosen")).not_to_be_empty()
    expect(phone.page.locator("polygon.reach").first).to_be_attached()
    spot = phone.page.evaluate(OPEN, ["polygon.reach", "[data-place]"])
    if spot is None:
        return False
    before = phone.where()
    phone.page.touchscreen.tap(*spot)
    expect(phone.find("go")).to_be_in_viewport(ratio=0.99)
    phone.find("go").tap()
    phone.page.wait_for_function(f"before => {WHERE} !== before", arg=before)
    return True


def set_up(phone: Table) -> None:
    """Both seats in one hand, and all their units placed."""
    phone.sit(phone.host.begin(scenario.text_of("mill-ford"), lambda match: None), "german", "soviet")
    for _ in range(2):
        phone.find("auto").tap()
        expect(phone.find("to-place")).to_have_count(0)
        answer(phone)


def play(phone: Table, until: Callable[[], bool], most: int) -> tuple[int, int]:
    """Answer question after question, and move a vehicle in each segment of vehicles; how many such, and moves."""
    driven: set[str] = set()
    moved = 0
    for _ in range(most):
        if until():
            break
        where = phone.where()
        segment = " | ".join(where.split(" | ")[:3])
        if "Move a vehicle" in where and segment not in driven:
            driven.add(segment)
            moved += drive(phone)
        else:
            answer(phone)
        fits(phone)
    assert until()
    return len(driven), moved


def test_two_turns_of_the_mill_ford_by_touch(table: Table) -> None:
    set_up(table)
    segments, moved = play(table, lambda: "Turn 3" in table.where(), MANY)
    # Each side came to its vehicles in both turns, and something has moved.
    assert segments == 4
    assert moved >= 2


@pytest.mark.soak
def test_the_whole_of_the_mill_ford_by_touch(table: Table) -> None:
    set_up(table)
    segments, moved = play(table, lambda: table.find("result").count() > 0, 4 * MANY)
    # Of two sides in eight turns; one whose vehicles are lost comes to no more of them.
    assert segments >= 8
    assert moved >= 8
    expect(table.find("result")).to_be_visible()
