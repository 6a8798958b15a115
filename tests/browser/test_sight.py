"""The tool for lines of sight at a bridge over a gully."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from browser import positions
from browser.table import Table


@pytest.mark.rule("case-orange", "5.4.18", "8.2.1.2")
def test_a_bridge_is_told_apart_from_its_gully(table: Table) -> None:
    """From the ford of the mill at 2-N8 a unit sees the Old Bridge at 2-V6 and nothing of the gully below."""
    game = table.host.begin(positions.MEADOW, positions.vehicles)
    table.sit(game)
    table.find("los-tool").click()
    table.hex("2-N8").click()
    table.hex("2-V6").click()
    lines = table.find("los-levels").locator("li")
    expect(lines).to_have_count(2)
    expect(lines.first).to_contain_text("From 2-N8 to the gully in 2-V6: Blocked")
    expect(lines.last).to_contain_text("From 2-N8 to the bridge in 2-V6: Clear")

    table.hex("2-V6").click()
    table.find("sees").click()
    expect(table.find("sees-bridges")).to_have_count(0)
    table.find("sees-high").click()
    expect(table.find("sees-high")).to_have_attribute("aria-pressed", "true")
    table.hex("2-N8").click()
    expect(table.find("los-levels")).to_contain_text("From the bridge in 2-V6 to 2-N8: Clear")
    table.hex("2-N8").click()
    table.find("sees").click()
    expect(table.find("sees-bridges")).to_contain_text("2-V6")


def test_the_result_of_a_line_of_sight_is_read_out(table: Table) -> None:
    """A clear line and a blocked one, told by the part of the page that screen readers follow."""
    table.sit(table.host.begin(positions.MEADOW, positions.vehicles))
    spoken = table.find("built")
    expect(spoken).to_have_attribute("aria-live", "polite")
    table.find("los-tool").click()
    table.hex("2-N8").click()
    expect(spoken).to_have_text("")
    table.hex("2-N7").click()
    expect(spoken).to_contain_text("2-N8 → 2-N7: Clear")
    table.hex("2-N8").click()
    table.hex("2-V6").click()
    expect(spoken).to_contain_text("2-N8 → 2-V6: Blocked")
