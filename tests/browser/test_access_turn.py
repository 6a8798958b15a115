"""A whole turn by the accessibility tree alone: roles, names and live regions, and no picture."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from playwright.sync_api import Locator, expect

from browser.reader import Reader
from browser.table import Table

SHOT = re.compile(r"\bfires? (at|on)\b", re.IGNORECASE)
STEP = re.compile(r"\bmov", re.IGNORECASE)
MOST_DECISIONS = 40


@pytest.mark.parametrize("scenario", ["mini-first-evening", "panzer-first-duel", "mill-ford", "pg-sosnovka"])
def test_a_whole_turn_by_the_accessibility_tree_alone(table: Table, scenario: str) -> None:
    reader, did = Reader(table.page), Counter[str]()
    begin(reader, f"{table.host.url}/?scenario={scenario}")
    reader.press(reader.bar.get_by_role("button", name="Place the rest and begin"))
    asked = reader.choices.get_by_role("button", name="Show me a good move")
    while True:
        asked.wait_for()
        if reader.turn() >= 2:
            break
        did[decide(reader, did)] += 1
        assert not reader.lost(), did
        assert reader.unnamed() == []
        assert did.total() < MOST_DECISIONS
    assert did["move"] >= 1
    moved = enemies_that_moved(table)
    assert moved
    assert [name for name in sorted(moved) if name not in reader.heard()] == []


def begin(reader: Reader, address: str) -> None:
    """Start the scenario as the German against the computer, and open the position in words."""
    page = reader.page
    page.goto(address)
    page.get_by_role("button", name="Play German").press("Enter")
    page.get_by_role("combobox", name="Soviet", exact=True).select_option("Computer: Advance")
    page.get_by_role("button", name="Begin", exact=True).press("Enter")
    page.get_by_role("tab", name="Position").press("Enter")
    expect(reader.position).to_be_visible()


def decide(reader: Reader, did: Counter[str]) -> str:
    """One decision; says of which kind it was."""
    question = reader.question.inner_text().lower()
    if reader.choices.get_by_role("region", name="Orders").count():
        write_orders(reader)
        return "orders"
    shots = reader.choices.get_by_role("button", name=SHOT)
    if "fire" in question and did["fire"] < 2 and shots.count():
        reader.press(shots.first)
        return "fire"
    if "move" in question and "fire" not in question and did["move"] < 1 and (mover := first_mover(reader)):
        move(reader, mover)
        return "move"
    if "activate" in question and did["activate"] < 1 and (mover := first_mover(reader)):
        can(mover).press("Enter")
        reader.press(mover.get_by_role("button", name=STEP).first)
        return "activate"
    # A button that is always there, and neither goes back nor passes for longer than now.
    reader.press(reader.bar.get_by_role("button", name=re.compile(r"^(?!Undo|Cancel|Pass the rest)")).first)
    return "go on"


def write_orders(reader: Reader) -> None:
    """The first unit is to move; all others get the last order that there is."""
    reader.press(reader.units("German")[0].get_by_role("button", name="Move", exact=True))
    reader.choices.get_by_role("button", name="Those without orders").press("Enter")
    reader.press(reader.choices.get_by_role("group", name="Orders to choose from").get_by_role("button").last)
    reader.press(reader.choices.get_by_role("button", name="Hand in the orders"))


def first_mover(reader: Reader) -> Locator | None:
    """The first own unit that is no gun in its place and with which something can be done."""
    able = (unit for unit in reader.units("German") if can(unit).count())
    return next((unit for unit in able if "movement 0" not in unit.inner_text()), None)


def can(unit: Locator) -> Locator:
    """The fold over the list of all that a unit can do."""
    return unit.get_by_role("group").get_by_text("possible action")


def move(reader: Reader, unit: Locator) -> None:
    """Move a unit to a goal in its list, or where there are no hexes, some inches by words;
    step by step where the book has it so.
    """
    if not unit.get_by_role("button", pressed=True).count():
        unit.get_by_role("button").first.press("Enter")
    goals = unit.get_by_role("combobox", name="Goal of")
    words = reader.panel.get_by_text("Go by words")
    steps = can(unit)
    if reader.panel.get_by_role("button", name=re.compile("moves no further")).count():
        steps.press("Enter")
        reader.press(unit.get_by_role("button", name=STEP).first)
        return
    goals.or_(words).first.wait_for()
    if goals.count():
        goals.select_option(index=1)
        reader.press(unit.get_by_role("button", name="Go", exact=True))
        return
    words.press("Enter")
    reader.panel.get_by_role("button", name="Aim there").press("Enter")
    reader.press(reader.bar.get_by_role("button", name="Move there"))


def enemies_that_moved(table: Table) -> set[str]:
    """The names of enemy units whose moves the server told this seat, where it knows the unit."""
    names = {unit["id"]: unit["name"] for told in table.messages("table") for unit in told["view"]["units"]}
    entries = [entry for log in table.messages("log") for entry in log["entries"]]
    return {
        names[entry["units"][0]]
        for entry in entries
        if entry["kind"] == "moved" and entry["side"] == "soviet" and entry["units"][0] in names
    }
