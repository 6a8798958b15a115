"""After the game: the curve and its turning points, losses by turn, luck, and a picture to share."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import expect

from browser import positions
from browser.axe import violations
from browser.table import Table

PNG = b"\x89PNG\r\n\x1a\n"


def concede(table: Table) -> None:
    table.find("menu").click()
    table.find("concede").click()
    table.find("concede-yes").click()
    expect(table.find("result")).to_be_visible()


def shoot_and_concede(table: Table) -> None:
    """A 1 at 1:3 disperses the riflemen: the only thing that happens."""
    table.sit(table.host.begin(positions.MEADOW, positions.direct_fire, rolls=[1]), "german", "soviet")
    table.unit("german-2").click()
    table.unit("soviet-1").click()
    table.find("confirm").click()
    expect(table.find("log")).to_contain_text("Rifle")
    expect(table.page.locator('.counters [data-unit="soviet-1"]')).to_have_accessible_name(re.compile("dispersed"))
    concede(table)


def test_a_turning_point_leads_to_its_moment(table: Table) -> None:
    shoot_and_concede(table)
    turning = table.find("turning-points").get_by_role("button")
    expect(turning).to_have_count(1)
    expect(turning).to_contain_text("German +")
    expect(turning).to_contain_text(re.compile(r"PzKw.* → Rifle.*: Direct fire at"))
    assert violations(table.page) == []
    turning.click()
    expect(table.find("result")).to_have_count(0)
    expect(table.find("past-sign")).to_be_visible()
    expect(table.unit("soviet-1")).to_have_accessible_name(re.compile("dispersed"))
    table.page.keyboard.press("[")
    expect(table.unit("soviet-1")).not_to_have_accessible_name(re.compile("dispersed"))


def test_a_click_on_the_curve_leads_to_the_moment_below_it(table: Table) -> None:
    shoot_and_concede(table)
    table.find("curve").click(position={"x": 3, "y": 20})
    expect(table.find("past-count")).to_have_text(re.compile(r"^0 of \d+$"))


def test_losses_are_a_diagram_by_turn(table: Table) -> None:
    """28 against 9 is 3:1, and a 1 eliminates the T-34 [15.1]: one bar, of the Soviets, in the first of three turns."""
    table.sit(table.host.begin(positions.MEADOW, positions.direct_fire, rolls=[1]), "german", "soviet")
    table.unit("german-1").click()
    table.unit("soviet-2").click()
    table.find("confirm").click()
    expect(table.page.locator('.counters [data-unit="soviet-2"]')).to_have_count(0)
    concede(table)
    diagram = table.page.get_by_role("img", name="Units lost by turn")
    bar = diagram.locator("rect")
    expect(bar).to_have_count(1)
    expect(bar).to_have_class(re.compile(r"\btwo\b"))
    first = diagram.locator("text.turn").first
    expect(first).to_have_text("1")
    expect(diagram.locator("text.turn")).to_have_count(3)
    drawn, named = bar.bounding_box(), first.bounding_box()
    assert drawn
    assert named
    assert drawn["x"] <= named["x"] + named["width"] / 2 <= drawn["x"] + drawn["width"]
    expect(diagram.locator("text:not(.turn, .side)")).to_have_text("1")
    table.find("loss-bars").click(position={"x": 3, "y": 20})
    expect(table.find("past-count")).to_have_text(re.compile(r"^\d+ of \d+$"))


def test_luck_is_as_usual_only_if_every_kind_of_roll_is(table: Table) -> None:
    shoot_and_concede(table)
    luck = table.find("luck")
    expect(luck).to_contain_text("German, 1 roll: as usual")
    expect(luck.get_by_role("row", name="Any effect")).to_contain_text("as usual")


def test_the_picture_is_made_in_the_page(table: Table) -> None:
    shoot_and_concede(table)
    expect(table.find("share")).to_be_visible()
    asked: list[str] = []
    table.page.on("request", lambda request: asked.append(request.url))
    with table.page.expect_download() as download:
        table.find("share").click()
    data = Path(download.value.path()).read_bytes()
    assert download.value.suggested_filename.endswith(".png")
    assert data.startswith(PNG)
    assert int.from_bytes(data[16:20], "big") == 2400
    # Parts of the page and the drawing itself, but no message with it to anybody.
    assert [url for url in asked if not url.startswith(("blob:", table.host.url + "/assets/"))] == []
