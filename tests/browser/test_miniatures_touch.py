"""A stand of the free table under fingers on a phone: picked, led by a handle beside the finger, turned, set down."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.host import Host
from browser.mill import begun, spot
from browser.table import Table
from browser.test_miniatures_around import landing
from browser.test_touch import PHONE, Fingers, centre


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    """A telephone, held upright."""
    return {**browser_context_args, "viewport": PHONE, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}


@pytest.fixture
def mill(page: Page, at_table: Callable[[Page, Host], Table], host: Host) -> Table:
    """The German's movement phase, on a phone."""
    table = at_table(page, host)
    table.sit(begun(host), "german")
    table.end("Move a stand")
    return table


def middle(table: Table, test_id: str) -> tuple[float, float]:
    box = table.find(test_id).locator("circle").first.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def led_to(table: Table) -> tuple[float, float]:
    x, y = (table.find("ghost").get_attribute("data-place") or "").split(",")
    return float(x), float(y)


def test_a_stand_is_picked_led_by_its_handle_turned_and_set_down(mill: Table) -> None:
    mill.unit("german-1").tap()
    expect(mill.find("reach")).to_be_attached()
    x, y = centre(mill, "german-1")
    mill.page.touchscreen.tap(x + 40, y)
    # A finger covers what it points at: nothing is done until the button says so.
    expect(mill.find("handle")).to_be_visible()
    before, held = led_to(mill), middle(mill, "handle")
    fingers = Fingers(mill)
    fingers.draw((held, (held[0] - 20, held[1] - 30)))
    after = led_to(mill)
    assert after[0] < before[0]
    assert after[1] < before[1]
    fingers.draw(((100, 150), (100, 150)), ((200, 150), (170, 220)))
    expect(mill.find("ghost")).not_to_have_attribute("data-facing", "90")
    mill.stands_in("german-1", "10,25")
    mill.find("set-down").tap()
    mill.log("PzKw IV H")
    assert mill.unit("german-1").get_attribute("data-at") != "10,25"


def test_a_drop_zone_is_chosen_with_a_finger_and_its_drift_is_drawn(
    page: Page, at_table: Callable[[Page, Host], Table], host: Host
) -> None:
    table = at_table(page, host)
    table.sit(landing(host), "german")
    table.find("sheet-handle").tap()
    table.find("off-map").get_by_role("button").first.tap()
    # Well away from all stands: browsers give a tap beside a button to the button.
    table.page.touchscreen.tap(*spot(table, 17, 32))
    expect(table.find("drift")).to_have_count(25)
    expect(table.find("set-down")).to_be_in_viewport(ratio=1)
