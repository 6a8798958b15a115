"""The files of a player: the record, opened again; a reported moment; and files that are not records."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from browser import positions
from browser.host import Game
from browser.table import Table
from opfire.core.record import Record
from opfire.core.verify import verify
from records.test_records import differences

FIRST, SECOND, RIFLES = "german-1", "german-2", "soviet-1"
FAR = "2-S1"


def shoot(table: Table) -> None:
    """One shot at the riflemen: a 1 at 1:3."""
    table.unit(SECOND).click()
    table.unit(RIFLES).click()
    table.find("confirm").click()
    table.log("rolled 1, dispersed")


def at_fire(table: Table, *sides: str) -> Game:
    """Direct fire, in which a 1 falls first."""
    game = table.host.begin(positions.MEADOW, positions.direct_fire, rolls=[1])
    table.sit(game, *sides)
    return game


def drive(table: Table) -> None:
    """The first tank drives out of everybody's sight."""
    table.unit(FIRST).click()
    table.hex(FAR).click()
    table.find("go").click()
    table.stands_in(FIRST, FAR)


def downloaded(table: Table, test_id: str) -> tuple[str, str]:
    """The file that a button writes: its name and its text."""
    with table.page.expect_download() as download:
        table.find(test_id).click()
    return download.value.suggested_filename, Path(download.value.path()).read_text(encoding="utf-8")


def opened(table: Table, text: str | bytes) -> None:
    """The file is chosen on the start page."""
    data = text.encode() if isinstance(text, str) else text
    table.page.goto(table.host.url)
    table.find("open-record").set_input_files(
        {"name": "game.opfire", "mimeType": "application/octet-stream", "buffer": data}
    )


def test_a_finished_game_its_figures_its_dice_and_its_record(table: Table) -> None:
    at_fire(table, "german", "soviet")
    shoot(table)
    table.find("menu").click()
    table.find("concede").click()
    table.find("concede-yes").click()
    expect(table.find("result")).to_contain_text("The Soviet side wins")

    # One roll at 1:3, where only a 1 does anything: a sixth was to be expected.
    luck = table.find("luck")
    expect(luck).to_contain_text("German, 1 roll")
    expect(luck.get_by_role("row", name="Any effect")).to_have_text(re.compile(r"Any effect\s*1\s*0\.2"))
    expect(luck.get_by_role("row", name="Eliminations")).to_have_text(re.compile(r"Eliminations\s*0\s*0\.0"))
    expect(table.find("figures")).to_contain_text("No units were lost.")

    # This browser came when the game had begun, so it kept no promise, and says so.
    proof = table.find("proof")
    expect(proof).to_contain_text("The key fits the promise")
    expect(proof).to_contain_text("1 die rolled again here")
    expect(proof).to_contain_text("This browser kept no promise")
    expect(proof.locator(".wrong")).to_have_count(0)
    key = bytes.fromhex(table.find("dice-key").inner_text())
    promised = table.find("promise").inner_text()

    name, text = downloaded(table, "over-record")
    assert name.endswith(".opfire")
    record = Record.load(text)
    assert (record.header.key, record.header.commitment) == (key.hex(), promised)
    assert record.check_dice() == 1
    assert verify(record, promised).outcome["level"] == "conceded"

    # Opened from the file it is there to be looked at, from its beginning.
    opened(table, text)
    expect(table.find("past-sign")).to_be_visible()
    expect(table.find("past-count")).to_have_text(re.compile(r"^0 of \d+$"))
    expect(table.find("outcome")).to_be_visible()
    expect(table.unit(RIFLES)).not_to_have_accessible_name(re.compile("dispersed"))
    table.find("log").locator("li.fired").get_by_role("button", name="Look at this moment").first.click()
    expect(table.unit(RIFLES)).to_have_accessible_name(re.compile("dispersed"))
    # Everybody may look as either side, and nobody may play.
    expect(table.find("past-as").locator("option")).to_have_count(3)
    table.find("to-now").click()
    expect(table.page.locator("button[data-kind]")).to_have_count(0)
    # A reload finds it where it was opened.
    table.page.reload()
    expect(table.find("past-sign")).to_be_visible()


def test_a_record_before_the_end_is_what_its_seat_knows(table: Table, other: Table) -> None:
    game = at_fire(table, "german")
    other.sit(game, "soviet")
    shoot(table)
    table.end(until="Move a vehicle")
    drive(table)
    other.log("rolled 1, dispersed")

    texts = []
    for one in (table, other):
        one.find("menu").click()
        texts.append(downloaded(one, "record")[1])
    own, foreign = texts
    assert FAR in own
    assert FAR not in foreign
    for text in texts:
        assert json.loads(text.partition("\n")[0])["key"] == ""

    opened(other, foreign)
    expect(other.find("past-sign")).to_be_visible()
    other.find("to-now").click()
    other.stands_in(FIRST, "2-V1")
    expect(other.find("log")).to_contain_text("rolled 1, dispersed")


BROKEN: dict[str, tuple[str | bytes, str]] = {
    "nothing": ("", "not a record of a game"),
    "a letter": ("Dear Sir,\nyours truly", "not a record of a game"),
    "a picture": (b"\x89PNG\r\n\x1a\n\x00\x00\xff\xfe", "not a record of a game"),
    "half a line": ("", "record:5"),
    "a die that did not fall": ("", "numbers from 1 to 6"),
}

TOO_LONG = """input => {
  const files = new DataTransfer();
  files.items.add(new File([new Uint8Array(4 * 1024 * 1024 + 1)], "long.opfire"));
  input.files = files.files;
  input.dispatchEvent(new Event("change", {bubbles: true}));
}"""


def test_a_broken_file_gets_one_clear_sentence(table: Table) -> None:
    at_fire(table, "german", "soviet")
    shoot(table)
    table.find("menu").click()
    _, text = downloaded(table, "record")
    rows = text.strip().split("\n")
    shot = next(i for i, row in enumerate(rows) if '"rolls":[1]' in row)
    texts = {
        "half a line": text[: -len(rows[-1]) // 2],
        "a die that did not fall": text.replace('"rolls":[1]', '"rolls":[7]'),
    }
    assert shot
    for what, (content, word) in BROKEN.items():
        opened(table, texts.get(what, content))
        failed = table.find("record-failed")
        expect(failed).to_contain_text(word)
        said = failed.inner_text()
        assert 20 < len(said) < 240, f"{what}: {said}"
        assert "\n" not in said, f"{what}: {said}"
        assert not re.search(r"Traceback|Error\(|undefined|object", said), f"{what}: {said}"
        expect(table.page.get_by_role("alert")).to_have_count(1)
        # Nothing else has happened: the page is as it was.
        expect(table.find("open-mill-ford")).to_be_visible()
    table.find("open-record").evaluate(TOO_LONG)
    expect(table.find("record-failed")).to_have_text("This file is too long for a record: at most 4 MB.")


def test_a_broken_file_is_refused_in_german_and_what_the_server_quotes_is_marked_as_english(other: Table) -> None:
    other.page.goto(other.host.url)
    other.find("language").select_option("de")
    # The words of another language come when they are asked for, and opening a file loads the page anew.
    expect(other.page.locator("html")).to_have_attribute("lang", "de")
    opened(other, '{"opfire": 99}\n')
    failed = other.find("record-failed")
    expect(failed).to_contain_text("Diese Aufzeichnung lässt sich nicht öffnen, siehe ihre Zeile 1.")
    expect(failed.locator("[lang=en]")).to_contain_text("record:1")


def report(table: Table, sentence: str) -> tuple[str, str]:
    """Say what is wrong, and take the file."""
    expect(table.find("report")).to_contain_text("Nothing is sent")
    table.find("report-text").fill(sentence)
    written = downloaded(table, "report-write")
    expect(table.find("report").get_by_role("status")).to_have_text(f"Written: {written[0]}")
    return written


def header_of(text: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(text.partition("\n")[0])
    return found


def test_a_reported_moment_can_be_played_again_as_a_test(table: Table) -> None:
    at_fire(table, "german", "soviet")
    shoot(table)
    table.end(until="Move a vehicle")
    drive(table)
    table.find("menu").click()
    table.find("report-open").click()
    name, text = report(table, "The tank should be farther away by now.")
    assert name.endswith(".record")

    found = header_of(text)["report"]
    assert found["text"] == "The tank should be farther away by now."
    assert found["side"] == "german"
    assert set(found["versions"]) == {"opfire", "rules", "data"}
    assert all(found["versions"].values())
    assert "Chrom" in found["browser"]
    assert {unit["id"]: unit["place"] for unit in found["position"]["units"]}[FIRST] == FAR
    assert header_of(text)["key"] == ""
    # In tests/records it passes as it is, and would fail if the unit stood elsewhere.
    assert differences(text) == []
    elsewhere = text.replace(f'"place":"{FAR}"', '"place":"2-S4"')
    assert differences(elsewhere) == [f"line {found['line']}: units stand elsewhere"]


@pytest.mark.parametrize("side", ["soviet", ""])
def test_a_moment_of_the_past_is_reported_as_its_seat_knew_it(table: Table, other: Table, side: str) -> None:
    game = at_fire(table, "german")
    other.sit(game, *filter(None, [side]))
    shoot(table)
    other.log("rolled 1, dispersed")
    table.end(until="Move a vehicle")
    drive(table)
    other.page.keyboard.press("[")
    other.find("scrubber").fill("1")
    expect(other.find("past-count")).to_have_text(re.compile("^1 of"))
    other.find("report-moment").click()
    _, text = report(other, "Why is this?")
    found = header_of(text)["report"]
    assert (found["side"], found["line"] >= 1) == (side or "spectator", True)
    # The other side's draft is not in it.
    assert FAR not in text.partition("\n")[2]
    assert f'"place":"{FAR}"' not in text
    assert differences(text) == []
