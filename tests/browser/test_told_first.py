"""Fingers point at nothing before they press: what a button rolls is told first, and another tap confirms it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from browser.gunnery import firing
from browser.host import Host
from browser.table import Table
from browser.test_touch import PHONE


@pytest.fixture
def phone(browser: Browser, browser_context_args: dict[str, Any], host: Host, at_table: Callable[..., Table]) -> Table:
    """A telephone, held upright."""
    glass = {"viewport": PHONE, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
    context = browser.new_context(**{**browser_context_args, **glass})
    return at_table(context.new_page(), host)


def closed_sheaf(table: Table) -> Locator:
    """The button of direct fire at the rifles with a closed sheaf of shells."""
    return table.offer("fires at Infantry").filter(has_text="closed").first


def decided(table: Table) -> int:
    return sum('"type":"play"' in message for message in table.sent)


def test_the_first_tap_on_one_of_several_sheafs_tells_its_rolls_and_the_second_fires(phone: Table) -> None:
    phone.sit(firing(phone.host), "german")
    phone.unit("german-1").tap()
    phone.unit("soviet-1").tap()
    phone.find("raise").tap()
    closed_sheaf(phone).tap()
    chances = phone.find("chances")
    expect(chances.first).to_be_in_viewport()
    # It fires on a roll of 15 or less, and each marker attacks where it falls.
    expect(chances.first).to_contain_text("75 %")
    expect(chances).not_to_have_count(1)
    assert decided(phone) == 0
    # Those not meant are out of the way, and come back.
    expect(phone.offer("open sheaf")).to_have_count(0)
    phone.find("clear").tap()
    phone.find("raise").tap()
    expect(phone.offer("open sheaf").first).to_be_attached()
    expect(phone.find("confirm")).to_have_count(0)
    expect(chances).to_have_count(0)
    closed_sheaf(phone).tap()
    expect(phone.find("confirm")).to_be_in_viewport(ratio=1)
    phone.find("confirm").tap()
    phone.log("105mm IFH18")
    assert decided(phone) == 1


def test_a_mouse_that_has_pointed_at_a_button_fires_with_one_click(table: Table) -> None:
    table.sit(firing(table.host), "german")
    table.unit("german-1").click()
    table.unit("soviet-1").click()
    closed_sheaf(table).hover()
    expect(table.find("beside")).to_contain_text("75 %")
    closed_sheaf(table).click()
    table.log("105mm IFH18")
    assert decided(table) == 1
