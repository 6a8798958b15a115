"""The first evening, played by its own instructions; hints that come once; the player's own rulebook."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, Request, WebSocket, expect

from browser import positions
from browser.axe import violations
from browser.evening import Evening
from browser.table import Table

LESSONS = 14
FAR_HEX = "2-Z2"
"""Behind the village: nobody sees a tank drive there, so that it can be taken back."""


def to_the_shot(evening: Evening) -> None:
    """The first five lessons."""
    evening.click()
    evening.at("prompt", 1)
    evening.page.keyboard.press("Escape")
    evening.at("prompt", 2)
    evening.click()
    evening.at("map")
    evening.framed.get_by_role("button", name="Zoom out").click()
    evening.at("map", 1)
    evening.framed.hover()
    evening.at("select")
    evening.click()
    evening.at("sight")
    evening.click()
    evening.at("sight", 1)
    evening.click()
    expect(evening.table.find("los")).to_contain_text("Clear")
    evening.at("sight", 2)
    evening.click()
    evening.at("preview", 1)
    evening.click()
    expect(evening.table.find("building")).to_contain_text("Odds 28 to 9")
    evening.at("fire")


@pytest.fixture
def evening(table: Table) -> Evening:
    return Evening(table, "lipki")


def test_the_first_evening_is_played_by_its_own_instructions(evening: Evening) -> None:
    table = evening.table
    evening.begin("registration")
    to_the_shot(evening)
    evening.click()
    table.log("Direct fire at 3:1 against 2-W6")
    evening.at("results")
    evening.click()
    expect(table.find("log")).to_contain_text("Class A against armour within half range")
    evening.at("move")

    table.find("done").click()
    table.asks("Move a vehicle")
    # Of the two tanks one has fired, so that the other is in hand already.
    expect(table.find("chosen")).to_contain_text("PzKw IV H")
    evening.at("move", 2)
    table.hex(FAR_HEX).click()
    evening.at("move", 3)
    evening.click()
    table.log(FAR_HEX)
    evening.at("undo")
    evening.click()
    evening.at("why")
    expect(table.find("log")).not_to_contain_text(FAR_HEX)
    evening.click()
    evening.at("why", 1)
    evening.click()
    expect(table.find("why")).to_contain_text("does not move in this segment 4.2-C6")

    evening.at("reaction")
    evening.end_segments()
    evening.at("reaction", 1)
    table.kind("react").first.click()
    evening.at("orders")
    evening.click()
    expect(table.find("orders")).to_be_visible()
    evening.at("victory")
    evening.click()
    evening.at("replay")
    evening.click()
    expect(table.find("past")).to_be_visible()
    evening.at("replay", 1)
    table.find("to-now").click()
    expect(evening.card).to_contain_text("That is the table")

    table.find("coach-end").click()
    expect(evening.card).to_have_count(0)
    # The game goes on, and the start page no longer asks to go on with the lessons.
    table.page.reload()
    expect(table.find("prompt")).to_be_visible()
    expect(evening.card).to_have_count(0)
    table.page.goto(table.host.url)
    expect(table.find("learn-lipki")).to_have_text("Begin the first evening")


def test_whoever_does_something_else_is_waited_for(evening: Evening) -> None:
    evening.begin("registration")
    evening.table.find("tab-forces").click()
    evening.table.find("menu").click()
    evening.page.keyboard.press("Escape")
    evening.at("prompt")
    evening.table.find("coach-next").click()
    evening.at("map")
    evening.table.find("coach-back").click()
    evening.at("prompt")


def test_left_and_come_back_to_the_same_lesson(evening: Evening) -> None:
    table = evening.table
    evening.begin("registration")
    evening.click()
    table.page.keyboard.press("Escape")
    evening.at("prompt", 2)
    evening.page.reload()
    evening.at("prompt", 2)
    evening.click()
    evening.at("map")
    address = evening.page.url

    table.find("coach-leave").click()
    expect(evening.card).to_have_count(0)
    evening.page.reload()
    table.asks("Choose a firer")
    expect(evening.card).to_have_count(0)

    evening.page.goto(table.host.url)
    expect(table.find("learn-box-lipki")).to_contain_text("lesson 2 of 14")
    table.find("learn-lipki").click()
    evening.at("map")
    assert evening.page.url == address
    # Or all over again.
    evening.page.goto(table.host.url)
    table.find("learn-anew-lipki").click()
    evening.at("prompt")
    assert evening.page.url != address


def test_every_lesson_can_be_skipped(evening: Evening) -> None:
    evening.begin("registration")
    for number in range(1, LESSONS + 1):
        expect(evening.table.find("coach-count")).to_have_text(f"Lesson {number} of {LESSONS}")
        evening.table.find("coach-next").click()
    evening.at("end")


def test_lessons_by_keys_alone(evening: Evening) -> None:
    evening.begin("registration")
    press = evening.page.keyboard.press
    press("p")
    press("Tab")
    press("Enter")
    evening.at("prompt", 1)
    press("Escape")
    evening.at("prompt", 2)
    press("d")
    press("d")
    evening.at("map")
    press("+")
    press("n")
    evening.at("select")
    press("Enter")
    evening.at("sight")
    press("l")
    press("t")
    press("Enter")
    evening.at("sight", 2)
    press("l")
    evening.at("preview", 1)
    # The T-34 is in focus still.
    press("Enter")
    evening.at("fire")
    press("Enter")
    evening.table.log("Direct fire at 3:1 against 2-W6")
    evening.at("results")


def test_the_lessons_are_for_everyone(evening: Evening) -> None:
    table = evening.table
    table.page.goto(table.host.url)
    expect(table.find("learn-lipki")).to_be_visible()
    assert violations(table.page) == []
    evening.begin("registration")
    # The task is read out, with its lesson.
    words = table.find("coach-words")
    expect(words).to_have_attribute("aria-live", "polite")
    expect(words).to_contain_text("Press the rule number")
    for theme in ("light", "dark"):
        table.page.emulate_media(color_scheme=theme, reduced_motion="reduce")  # type: ignore[arg-type]
        expect(table.page.locator("html")).to_have_attribute("data-theme", theme)
        assert violations(table.page) == []
    table.page.set_viewport_size({"width": 390, "height": 844})
    assert table.page.evaluate("document.documentElement.scrollWidth") <= 390
    assert table.page.evaluate("document.querySelector('.scroll').scrollWidth") <= 390
    expect(evening.card).to_be_in_viewport(ratio=1)
    expect(table.find("done")).to_be_in_viewport(ratio=1)


def test_in_german(evening: Evening) -> None:
    evening.page.goto(evening.table.host.url)
    evening.table.find("language").select_option("de")
    expect(evening.table.find("learn-box-lipki")).to_contain_text("Spielend lernen")
    evening.table.find("learn-lipki").click()
    expect(evening.card).to_contain_text("Lektion 1 von 14")


def test_the_lesson_is_no_scenario_among_the_others(table: Table) -> None:
    table.page.goto(f"{table.host.url}/?scenario=lesson-lipki")
    expect(table.find("open-mill-ford")).to_be_visible()
    expect(table.find("learn-lipki")).to_be_in_viewport()
    expect(table.find("scenario-lesson-lipki")).to_have_count(0)


# --- hints ------------------------------------------------------------------------------------------------


def test_a_hint_comes_once(table: Table) -> None:
    table.sit(table.host.begin(positions.MEADOW, positions.vehicles), "german")
    tip = table.find("tip")
    expect(tip).to_have_attribute("data-hint", "vehicle")
    # The latest event comes first.
    table.unit("german-1").click()
    table.hex("2-M5").click()
    expect(table.find("why")).to_be_visible()
    expect(tip).to_have_attribute("data-hint", "why")
    table.find("tip-read").click()
    expect(tip).to_have_attribute("data-hint", "vehicle")
    table.find("tip-read").click()
    expect(tip).to_have_count(0)
    table.page.reload()
    table.asks("Move a vehicle")
    expect(tip).to_have_count(0)

    table.find("menu").click()
    table.find("hints-again").click()
    table.page.reload()
    expect(tip).to_have_attribute("data-hint", "vehicle")
    table.find("menu").click()
    table.find("hints").uncheck()
    table.page.keyboard.press("Escape")
    expect(tip).to_have_count(0)
    table.page.reload()
    table.asks("Move a vehicle")
    expect(tip).to_have_count(0)


def test_the_first_question_is_explained(table: Table) -> None:
    table.sit(table.host.begin(positions.MEADOW, positions.vehicles, rolls=[6]), "german", "soviet")
    table.unit("german-3").click()
    table.hex("2-W3").click()
    table.find("go").click()
    table.asks("StuG III G 1 moves in 2-W3")
    expect(table.find("tip")).to_have_attribute("data-hint", "reaction")
    table.find("pass").click()
    table.page.wait_for_function("() => localStorage.getItem('opfire.hints-seen').includes('reaction')")
    table.stands_in("german-3", "2-W3")


# --- the player's own rulebook ----------------------------------------------------------------------------

SECRET = b"nobody-else-may-read-this"
PDF = (
    b"""%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj
%"""
    + SECRET
    + b"""
trailer<</Root 1 0 R>>
%%EOF
"""
)


class Sent:
    """Every byte that a page sends."""

    def __init__(self, page: Page) -> None:
        self.bytes = b""
        page.context.on("request", self._request)
        page.on("websocket", self._socket)

    def _request(self, request: Request) -> None:
        self.bytes += request.url.encode() + (request.post_data_buffer or b"")

    def _socket(self, socket: WebSocket) -> None:
        socket.on("framesent", lambda data: self._frame(data))

    def _frame(self, data: str | bytes) -> None:
        self.bytes += data.encode() if isinstance(data, str) else data


def at_the_rules(table: Table) -> None:
    """The page of all rules, with the part about the own rulebook open."""
    table.page.goto(f"{table.host.url}/rules/case-orange")
    expect(table.find("rule-9.5.1")).to_be_visible()
    table.find("book").locator("summary").click()


@pytest.mark.browser
def test_rule_numbers_lead_to_the_pages_of_the_own_rulebook(table_with_windows: Table, tmp_path: Path) -> None:
    table = table_with_windows
    file = tmp_path / "Case Orange, my scan.pdf"
    file.write_bytes(PDF)
    sent = Sent(table.page)
    at_the_rules(table)
    table.find("book-file").set_input_files(file)
    expect(table.find("book")).to_contain_text(file.name)
    # Nothing is guessed: as long as no page is given, no rule has one.
    expect(table.find("book-9.5.1")).to_have_count(0)
    table.find("book-page-9").fill("14")
    table.find("book-page-9").press("Enter")
    table.find("book-offset").fill("2")
    table.find("book-offset").press("Enter")
    link = table.find("book-9.5.1")
    expect(link).to_have_text("p. 16")
    expect(link).to_have_attribute("title", "Open my rulebook at page 16")
    expect(link).to_have_attribute("href", re.compile(r"^blob:http://127\.0\.0\.1.*#page=16$"))
    with table.page.context.expect_page() as opened:
        link.click()
    assert opened.value.url == link.get_attribute("href")
    opened.value.close()
    assert violations(table.page) == []

    # A finer number has its own page.
    table.find("book-add").fill("9.5")
    table.find("book-add").press("Enter")
    table.find("book-page-9.5").fill("17")
    table.find("book-page-9.5").press("Enter")
    expect(link).to_have_attribute("href", re.compile("#page=19$"))

    # The browser has kept it, and a rule opened at the table leads there too.
    table.sit(table.host.begin(positions.MEADOW, positions.direct_fire), "german")
    table.find("prompt").locator("[data-rule]").click()
    expect(table.find("rule").get_by_text("Open my rulebook")).to_be_visible()
    assert SECRET not in sent.bytes
    assert file.name.encode() not in sent.bytes
    assert b"join" in sent.bytes, "what was sent was listened to"

    at_the_rules(table)
    table.find("book-forget").click()
    expect(link).to_have_count(0)
    table.page.reload()
    expect(table.find("rule-9.5.1")).to_be_visible()
    expect(link).to_have_count(0)


def test_a_file_that_is_no_pdf_is_not_taken(table: Table, tmp_path: Path) -> None:
    file = tmp_path / "rulebook.pdf"
    file.write_text("Dear player, this is only a letter.")
    at_the_rules(table)
    table.find("book-file").set_input_files(file)
    expect(table.find("book-said")).to_have_text("rulebook.pdf is not a PDF: choose another file.")
    expect(table.find("book-said")).to_have_attribute("role", "alert")
    expect(table.find("book-forget")).to_have_count(0)
