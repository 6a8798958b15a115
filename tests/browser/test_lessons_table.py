"""The first evening on the free table, played by its own instructions."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from browser.axe import violations
from browser.evening import Evening
from browser.table import Table

LESSONS = 12


@pytest.fixture
def evening(table: Table) -> Evening:
    return Evening(table, "lipovka")


def spot(table: Table, x: float, y: float) -> tuple[float, float]:
    """A point of the table, in inches, on the page: measured from the tank at (27, 24.2) and rifles 2 inches west."""
    found: list[tuple[float, float]] = []
    for unit in ("german-1", "german-4"):
        box = table.unit(unit).bounding_box()
        assert box
        found.append((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2))
    (ax, ay), (bx, _) = found
    inch = (ax - bx) / (27 - 25)
    return ax + (x - 27) * inch, ay + (y - 24.2) * inch


def looked_around(evening: Evening) -> None:
    """The question, the table, tape and line of sight."""
    evening.click()
    evening.at("prompt", 1)
    evening.page.keyboard.press("Escape")
    evening.at("table")
    evening.framed.get_by_role("button", name="Zoom out").click()
    evening.at("tape")
    evening.click()
    evening.at("tape", 1)
    evening.table.unit("german-1").click()
    evening.click()
    expect(evening.table.find("tapes")).to_contain_text("9.23″")  # 8 inches east, 4.6 north
    evening.at("tape", 2)
    evening.click()
    evening.at("sight")
    evening.click()
    evening.at("sight", 1)
    evening.table.unit("german-1").click()
    evening.click()
    expect(evening.table.find("los")).to_contain_text("Clear")
    evening.at("sight", 2)
    evening.click()


def fired(evening: Evening) -> None:
    """A shot before the dice, the dice, and the entry of the log."""
    evening.at("preview")
    evening.click()
    evening.at("preview", 1)
    evening.click()
    evening.at("preview", 2)
    evening.table.kind("fire").filter(has_text="PzKw IV").first.click()
    # 14 of class A against armor, half as much again within 16 inches, to a defence of 9.
    expect(evening.table.find("building")).to_contain_text("2-1")
    evening.at("fire")
    evening.click()
    evening.at("results")
    evening.click()


def dragged(evening: Evening, x: float, y: float) -> None:
    """The tank in the village is dragged, and set down when the warning of its way is on show."""
    table, mouse = evening.table, evening.page.mouse
    box = table.unit("german-2").bounding_box()
    assert box
    mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    mouse.down()
    mouse.move(*spot(table, x, y), steps=12)
    expect(table.find("cost")).to_contain_text("movement points")
    expect(table.find("fire-point")).to_have_attribute("data-units", "soviet-4")
    evening.at("move", 1)
    mouse.up()


def test_the_first_evening_on_the_free_table_is_played_by_its_own_instructions(evening: Evening) -> None:
    table = evening.table
    evening.begin("Choose a firer and its target")
    looked_around(evening)
    fired(evening)
    evening.at("reach")
    evening.click()
    table.asks("Move a stand")
    evening.at("reach", 1)
    evening.click()
    expect(table.find("equal-cost").first).to_be_attached()
    evening.at("move")
    dragged(evening, 28.2, 20.6)
    # The log tells a move by its length and its direction.
    expect(table.find("log")).to_contain_text(re.compile(r"PzKw IV H 2 moves [\d.]+″ "))
    evening.at("reaction")
    evening.end_segments()
    evening.at("reaction", 1)
    table.kind("react").first.click()
    evening.at("orders")
    evening.click()
    expect(table.find("orders")).to_be_visible()
    evening.at("victory")
    evening.click()
    expect(evening.card).to_contain_text("That is the free table")
    table.find("coach-end").click()
    expect(evening.card).to_have_count(0)


def test_both_evenings_are_remembered_by_themselves(evening: Evening) -> None:
    table = evening.table
    evening.begin("Choose a firer and its target")
    evening.click()
    table.page.keyboard.press("Escape")
    evening.at("table")
    table.page.goto(table.host.url)
    expect(table.find("learn-box-lipovka")).to_contain_text("lesson 2 of 12")
    expect(table.find("learn-lipki")).to_have_text("Begin the first evening")
    table.find("learn-lipovka").click()
    evening.at("table")


def test_every_lesson_of_the_free_table_can_be_skipped(evening: Evening) -> None:
    evening.begin("Choose a firer and its target")
    for number in range(1, LESSONS + 1):
        expect(evening.table.find("coach-count")).to_have_text(f"Lesson {number} of {LESSONS}")
        evening.table.find("coach-next").click()
    evening.at("end")


def test_the_lessons_of_the_free_table_are_for_everyone(evening: Evening) -> None:
    table = evening.table
    table.page.goto(table.host.url)
    table.find("language").select_option("de")
    expect(table.find("learn-box-lipovka")).to_contain_text("auf dem freien Tisch")
    table.find("learn-lipovka").click()
    expect(evening.card).to_contain_text("Lektion 1 von 12")
    assert violations(table.page) == []
    table.page.set_viewport_size({"width": 390, "height": 844})
    assert table.page.evaluate("document.documentElement.scrollWidth") <= 390
    expect(evening.card).to_be_in_viewport(ratio=1)
