"""Keys can be changed: in the dialog, shown wherever they are named, and kept for the next visit."""

from __future__ import annotations

from playwright.sync_api import expect

from browser import positions
from browser.axe import violations
from browser.table import Table


def sit(table: Table) -> None:
    table.sit(table.host.begin(positions.MEADOW, positions.vehicles), "german", "soviet")


def test_a_key_is_changed_and_the_old_one_is_free(table: Table) -> None:
    sit(table)
    expect(table.find("undo").locator("kbd")).to_have_text("U")
    table.page.keyboard.press("?")
    table.find("key-u").click()
    expect(table.find("keys-said")).to_contain_text("Press the new key for “undo to the last barrier”")
    assert violations(table.page) == []
    # Another command has this key, and the browser needs that one.
    table.page.keyboard.press("l")
    expect(table.find("keys-said")).to_have_text(
        "L is the key for “line of sight tool”. Press another one, or change that one first."
    )
    table.page.keyboard.press("3")
    expect(table.find("keys-said")).to_contain_text("belong to the choices in the list")
    table.page.keyboard.press("z")
    expect(table.find("keys-said")).to_have_text("Z is the key for “undo to the last barrier” now.")
    expect(table.find("key-u")).to_contain_text("Z")
    table.find("key-l").click()
    table.page.keyboard.press("Escape")
    expect(table.find("keys-said")).to_have_text("")
    expect(table.find("keys")).to_be_visible()
    table.page.keyboard.press("Escape")
    expect(table.find("keys")).to_have_count(0)

    expect(table.find("undo").locator("kbd")).to_have_text("Z")
    table.unit("german-1").click()
    table.hex("2-S1").click()
    table.find("go").click()
    table.stands_in("german-1", "2-S1")
    table.page.keyboard.press("u")
    table.stands_in("german-1", "2-S1")
    table.page.keyboard.press("z")
    table.stands_in("german-1", "2-T1")

    # It is kept; and all can be as at first again.
    table.page.reload()
    expect(table.find("undo").locator("kbd")).to_have_text("Z")
    table.page.keyboard.press("?")
    table.find("keys-reset").click()
    expect(table.find("key-u")).to_contain_text("U")
    expect(table.find("keys-reset")).to_be_disabled()


def test_titles_of_the_tools_name_the_chosen_keys(table: Table) -> None:
    sit(table)
    expect(table.find("los-tool")).to_have_attribute("title", "Line of sight (L)")
    table.page.keyboard.press("?")
    table.find("key-l").click()
    table.page.keyboard.press("y")
    table.page.keyboard.press("Escape")
    expect(table.find("los-tool")).to_have_attribute("title", "Line of sight (Y)")
    table.page.keyboard.press("y")
    expect(table.find("los-tool")).to_have_attribute("aria-pressed", "true")
