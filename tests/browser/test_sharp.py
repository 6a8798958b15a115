"""Small things that a player stumbles over: figures over counters, clicks while the connection is down."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from browser import positions
from browser.host import Host
from browser.mill import begun as bridge
from browser.table import Table

FIRST = "german-1"

LIES_UNDER = """() => [...document.querySelectorAll(".cost")].every((cost) =>
  cost.compareDocumentPosition(document.querySelector(".counters")) & Node.DOCUMENT_POSITION_FOLLOWING)"""


def test_costs_lie_below_the_counters(table: Table) -> None:
    table.sit(table.host.begin(positions.MEADOW, positions.vehicles), "german")
    table.unit(FIRST).click()
    expect(table.page.locator(".cost").first).to_be_visible()
    assert table.page.evaluate(LIES_UNDER)


def test_the_map_is_there_in_flat_colours_while_it_is_drawn(table: Table) -> None:
    table.page.route(re.compile(r"/thread-\w+\.js"), lambda route: None)  # the thread that draws never begins
    table.sit(table.host.begin(positions.MEADOW, positions.vehicles), "german")
    expect(table.unit(FIRST)).to_be_visible()
    expect(table.find("sketch")).to_be_visible()
    expect(table.page.locator(".picture canvas")).to_have_count(1)
    box, unit = table.find("sketch").bounding_box(), table.unit(FIRST).bounding_box()
    assert box
    assert unit
    assert box["x"] < unit["x"]
    assert unit["x"] + unit["width"] < box["x"] + box["width"]


def test_so_is_the_free_table(table: Table) -> None:
    table.page.route(re.compile(r"/thread-\w+\.js"), lambda route: None)  # the thread that draws never begins
    table.sit(bridge(table.host), "german")
    expect(table.unit(FIRST)).to_be_visible()
    expect(table.find("sketch")).to_be_visible()
    expect(table.page.locator(".picture canvas")).to_have_count(1)
    # Its pixels are those of a map: the ground, the roads and all that covers it.
    colours = table.find("sketch").evaluate(COLOURS)
    assert colours > 4


COLOURS = """canvas => {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  const pixels = new Map();
  for (let i = 0; i < data.length; i += 4) {
    const colour = data.slice(i, i + 3).join();
    pixels.set(colour, (pixels.get(colour) ?? 0) + 1);
  }
  return [...pixels.values()].filter((n) => n > 20).length;
}"""
"""How many flat colours cover more than a speck."""


def test_a_click_while_the_connection_is_down_is_refused_with_a_word(
    page: Page, own_host: Host, at_table: Callable[[Page, Host], Table]
) -> None:
    table = at_table(page, own_host)
    table.sit(own_host.begin(positions.MEADOW, positions.direct_fire), "german")
    own_host.kill()
    expect(table.find("line")).to_be_visible()
    table.find("done").click()
    expect(table.find("why")).to_contain_text("nothing was done")
    own_host.start()
