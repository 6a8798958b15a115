"""A whole turn by the accessibility tree alone: roles, names and live regions, and no picture."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from browser import gunnery, mill, positions
from browser.host import Game, Host
from browser.reader import Reader
from browser.steppe import INFANTRY, LIEUTENANT, begun, steppe
from browser.table import Table
from browser.test_panzer import BATTLE
from opfire.core.match import Match
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.commands import Command, HandIn
from opfire.rulesets.panzer_grenadier.command.activation import ActivateLeader, Begin, Designate
from opfire.rulesets.panzerblitz_miniatures.actions import EndPhase

SHOT = re.compile(r"\bfires? (at|on)\b", re.IGNORECASE)
FIRER = re.compile(r".+?(?= in \S+ fires| fires)")
ONWARD = re.compile(r"^(?!Undo|Cancel|Pass the rest)")
"""A button that is always there, and neither goes back nor passes for longer than now."""

TOLD = "([before, words]) => new RegExp(words).test(window.heard.join(' ').slice(before))"
STEP = re.compile(r"\bmov", re.IGNORECASE)
MOST_DECISIONS = 80


@pytest.mark.parametrize(
    "scenario", ["mini-first-evening", "panzer-first-duel", "mill-ford", "pg-sosnovka", "armour-first-evening"]
)
def test_a_whole_turn_by_the_accessibility_tree_alone(table: Table, scenario: str) -> None:
    reader, did = Reader(table.page), Counter[str]()
    begin(reader, f"{table.host.url}/?scenario={scenario}")
    reader.press(reader.bar.get_by_role("button", name="Place the rest and begin"))
    asked = reader.choices.get_by_role("button", name="Show me a good move")
    while True:
        # A question that the page answers by itself bars the button.
        expect(asked).to_be_enabled()
        # The first group may get no order [Micro Armour 8.2.3].
        if reader.turn() >= 2 and did["move"]:
            break
        did[decide(reader, did)] += 1
        assert not reader.lost(), did
        assert reader.unnamed() == []
        assert did.total() < MOST_DECISIONS
    moved = enemies_that_moved(table)
    assert moved
    assert [name for name in sorted(moved) if name not in reader.heard()] == []


def guns_ready(match: Match) -> None:
    """The first tank of *Panzer* is to fire [4.2], and its side is asked at what; the other has nobody to be asked."""
    match.give_orders("soviet", {"fire": "never"})
    match.play("german", HandIn((Command("german-1", "fire"),)))
    match.play("soviet", HandIn(()))
    while match.game.stack[-1].step != "direct fire" or "german" not in match.game.asked():
        match.play(match.game.asked()[0], EndStep())


def stands_ready(match: Match) -> None:
    """The Germans of *Panzer Blitz for Miniatures* have let their indirect fire pass."""
    mill.to_second_turn(match)
    match.play("german", EndPhase())


LED = begun(ActivateLeader(LIEUTENANT), Designate(INFANTRY, "fire"), Begin())
"""The lieutenant of *Panzer Grenadier* has activated infantry to fire."""

READY: dict[str, tuple[str, Callable[[Host], Game]]] = {
    "case-orange": ("german", lambda host: host.begin(positions.MEADOW, positions.direct_fire)),
    "micro-armour": ("soviet", gunnery.two_guns),
    "panzer": ("german", lambda host: host.begin(BATTLE, guns_ready)),
    "panzer-grenadier": ("german", lambda host: host.begin(steppe("2-Y2"), LED)),
    "panzerblitz-miniatures": ("german", lambda host: host.begin(mill.battle(""), stands_ready)),
}
"""The seat that may fire in each book, and a game that has come so far."""


@pytest.mark.parametrize("book", READY)
def test_a_shot_by_the_accessibility_tree_alone(table: Table, book: str) -> None:
    """The first turns of an evening may pass without one; here the enemy is in sight."""
    reader, (seat, game) = Reader(table.page), READY[book]
    table.sit(game(table.host), seat)
    shots = reader.choices.get_by_role("button", name=SHOT)
    reader.page.get_by_role("tab", name="Position").press("Enter")
    able = reader.position.get_by_role("listitem").filter(has_text="possible action")
    shots.or_(able).first.wait_for()
    if not shots.count():
        # Where there are many, they are listed unit by unit.
        can(able.first).press("Enter")
        shots = able.first.get_by_role("button", name=SHOT)
    firer = FIRER.match(shots.first.inner_text())
    assert firer
    reader.press(shots.first)
    before = len(reader.heard())
    reader.press(reader.panel.get_by_role("button", name=re.compile("^Fire")))
    told = re.compile(rf"{firer[0]}( →|:| at| hits| misses| fires?) |Direct fire at")
    reader.page.wait_for_function(TOLD, arg=[before, told.pattern])
    assert not reader.lost()
    assert reader.unnamed() == []


def begin(reader: Reader, address: str) -> None:
    """Start the scenario as the German against the computer, and open the position in words."""
    page = reader.page
    page.goto(address)
    page.get_by_role("combobox", name="German", exact=True).select_option("I play")
    page.get_by_role("combobox", name="Soviet", exact=True).select_option("Computer: Advance")
    page.get_by_role("button", name="Begin", exact=True).press("Enter")
    page.get_by_role("tab", name="Position").press("Enter")
    expect(reader.position).to_be_visible()


def decide(reader: Reader, did: Counter[str]) -> str:
    """One decision; says of which kind it was."""
    question = reader.question.inner_text().lower()
    orders = reader.choices.get_by_role("region", name="Orders")
    onward = reader.bar.get_by_role("button", name=ONWARD)
    orders.or_(onward).first.wait_for()
    if orders.count():
        write_orders(reader)
        return "orders"
    if not did["move"] and (done := move_a_group(reader, did, question)):
        return done
    shots = reader.choices.get_by_role("button", name=SHOT)
    if "fire" in question and did["fire"] < 2 and shots.count():
        reader.press(shots.first)
        return "fire"
    single = "move" in question and not {"fire", "group", "mark"} & set(question.split())
    if single and did["move"] < 1 and (mover := first_mover(reader)):
        move(reader, mover)
        return "move"
    if "activate" in question and did["activate"] < 1 and (mover := first_mover(reader)):
        can(mover).press("Enter")
        reader.press(mover.get_by_role("button", name=STEP).first)
        return "activate"
    reader.press(onward.first)
    return "go on"


def move_a_group(reader: Reader, did: Counter[str], question: str) -> str:
    """Where stands move in groups [Micro Armour 8.1-mark]: mark one, order its group, move it; says which, if any."""
    marks = question.startswith("which single stands are to move") and did["mark"] < reader.turn()
    if marks and (mover := first_mover(reader)):
        can(mover).press("Enter")
        reader.press(mover.get_by_role("button", name=re.compile(": movement posture")).first)
        return "mark"
    if question.startswith("order a group"):
        reader.press(reader.choices.get_by_role("button", name=re.compile("^Move ")).first)
        return "order"
    if question.startswith("move a stand of the group"):
        chosen = reader.page.get_by_role("button", pressed=True)
        move(reader, reader.position.get_by_role("listitem").filter(has=chosen).first)
        return "move"
    return ""


def write_orders(reader: Reader) -> None:
    """The first unit is to move; all others get the last order that there is."""
    reader.press(reader.units("German")[0].get_by_role("button", name="Move", exact=True))
    reader.choices.get_by_role("button", name="Those without orders").press("Enter")
    reader.press(reader.choices.get_by_role("group", name="Orders to choose from").get_by_role("button").last)
    reader.press(reader.bar.get_by_role("button", name="Hand in the orders"))


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
