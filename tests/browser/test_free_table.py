"""A free table: stands are dragged, turned and refused, by mouse and by keyboard alone."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from browser.host import Host
from browser.picture import at_rest, differs_in
from browser.table import Table
from core.contract import registered
from rulesets import battlefield

TOYS = Path(battlefield.__file__).parent.parent / "installed"
INCHES = re.compile(r"(.*)″, (.*)″ left")


@pytest.fixture(scope="module")
def toys(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """A server that knows the toy battlefield."""
    host = Host(tmp_path_factory.mktemp("toys") / "opfire.sqlite", more=(TOYS,))
    host.start()
    yield host
    host.kill()


@pytest.fixture
def field(page: Page, at_table: Callable[[Page, Host], Table], toys: Host) -> Table:
    """Red's table in its first turn: stands at (6, 10), (6, 18) and (6, 26), facing east; blue's face west."""
    with registered(battlefield.RULESET):
        game = toys.begin(battlefield.SCENARIO, lambda match: None, (), {"red": "one", "blue": "two"})
    table = at_table(page, toys)
    table.sit(game, "red")
    expect(table.unit("red-1")).to_be_visible()
    return table


@pytest.fixture
def wooded(page: Page, at_table: Callable[[Page, Host], Table], toys: Host) -> Table:
    """The same stands on the table of the mill at Lipovka."""
    with registered(battlefield.RULESET):
        game = toys.begin(battlefield.LIPOVKA, lambda match: None, (), {"red": "one", "blue": "two"})
    table = at_table(page, toys)
    table.sit(game, "red")
    expect(table.unit("red-1")).to_be_visible()
    return table


def spot(table: Table, x: float, y: float) -> tuple[float, float]:
    """A point of the table, in inches, on the page: measured from two stands that have not moved."""
    return table.page.evaluate(
        """([x, y]) => {
            const middle = (unit) => {
                const box = document.querySelector(`.counters [data-unit="${unit}"]`).getBoundingClientRect();
                return [box.x + box.width / 2, box.y + box.height / 2];
            };
            const [[ax, ay], [bx, by]] = [middle("red-3"), middle("blue-3")];
            const inch = (bx - ax) / (34 - 6);
            return [ax + (x - 6) * inch, ay + (y - 26) * inch];
        }""",
        [x, y],
    )


def lead(table: Table, x: float, y: float) -> None:
    """Drag red's first stand to a point; the button of the mouse stays down."""
    table.page.mouse.move(*spot(table, 6, 10))
    table.page.mouse.down()
    table.page.mouse.move(*spot(table, (6 + x) / 2, (10 + y) / 2), steps=4)
    table.page.mouse.move(*spot(table, x, y), steps=4)


def test_a_stand_is_dragged_to_a_point_in_its_reach(field: Table) -> None:
    lead(field, 9, 12)
    expect(field.find("reach")).to_be_visible()
    # 3 east and 2 south: the square root of 13, of 6 inches.
    expect(field.find("cost")).to_have_text(re.compile(r"^3\.\d+″, 2\.\d+″ left$"))
    field.page.mouse.up()
    expect(field.find("log")).to_contain_text("red-1 moves to")
    x, y = map(float, (field.unit("red-1").get_attribute("data-at") or "").split(","))
    assert (abs(x - 9) < 0.1, abs(y - 12) < 0.1) == (True, True)
    assert field.unit("red-1").get_attribute("data-facing") == "90"
    field.asks("Move red-1 on, or stop")


def test_a_stand_turns_at_its_price_under_the_wheel_and_by_keys(field: Table) -> None:
    lead(field, 9, 10)
    expect(field.find("cost")).to_have_text(re.compile(r"^(2\.9|3)"))
    # Six notches of 15 degrees are an inch; so are six presses back.
    for _ in range(6):
        field.page.mouse.wheel(0, 100)
    expect(field.find("ghost")).to_have_attribute("data-facing", "180")
    expect(field.find("cost")).to_have_text(re.compile(r"^(3\.9|4)"))
    field.page.keyboard.press("q")
    expect(field.find("ghost")).to_have_attribute("data-facing", "165")
    field.page.mouse.up()
    expect(field.unit("red-1")).to_have_attribute("data-facing", "165")


def test_outside_its_reach_a_stand_is_refused_with_the_sentence_and_the_rule(field: Table) -> None:
    lead(field, 14, 10)
    expect(field.find("cost")).to_contain_text("are left")
    field.page.mouse.up()
    expect(field.find("leg")).to_contain_text(re.compile(r"The leg costs [78]\S* inches, and 6 are left"))
    expect(field.find("why")).to_contain_text("2.1")
    expect(field.find("set-down")).to_have_attribute("aria-disabled", "true")
    field.stands_in("red-1", "6,10")
    field.page.keyboard.press("Escape")
    field.page.keyboard.press("Escape")
    expect(field.find("ghost")).to_have_count(0)


def test_a_refusal_is_read_whole_at_the_edge_of_a_small_screen(field: Table) -> None:
    field.page.set_viewport_size({"width": 390, "height": 844})
    lead(field, 1, 18)
    expect(field.find("cost")).to_contain_text("are left")
    words, map = (field.find(name).bounding_box() for name in ("cost", "map"))
    assert words is not None
    assert map is not None
    assert map["x"] <= words["x"]
    assert words["x"] + words["width"] <= map["x"] + map["width"]


def test_a_reason_why_not_comes_into_view_in_a_panel_that_was_scrolled_away(field: Table) -> None:
    field.page.set_viewport_size({"width": 1280, "height": 420})
    field.page.evaluate("document.querySelector('.panel .scroll').scrollTo({ top: 10000 })")
    lead(field, 14, 10)
    field.page.mouse.up()
    expect(field.find("why").locator("strong")).to_be_in_viewport(ratio=1)


DROPPED_AND_DONE = """([x, y]) => {
    const map = document.querySelector('[data-testid="map"]');
    for (const type of ["pointermove", "pointerup"])
        map.dispatchEvent(new PointerEvent(type, {bubbles: true, pointerId: 1, clientX: x, clientY: y}));
    document.querySelector('[data-testid="done"]').click();
}"""
"""The mouse leads what it holds to a point and lets go there; "done" is pressed before anything else happens."""


def test_done_pressed_as_a_stand_is_dropped_ends_its_move_and_not_the_turn(field: Table) -> None:
    lead(field, 9, 12)
    expect(field.find("reach")).to_be_visible()
    field.page.evaluate(DROPPED_AND_DONE, [*spot(field, 9.3, 12)])
    field.log("red-1 moves to")
    field.asks("Move or fire with a stand")
    x, y = map(float, (field.unit("red-1").get_attribute("data-at") or "").split(","))
    assert (abs(x - 9.3) < 0.1, abs(y - 12) < 0.1) == (True, True)
    assert "Turn 1" in field.where()


def test_done_pressed_as_a_stand_is_dropped_out_of_its_reach_does_nothing(field: Table) -> None:
    lead(field, 14, 10)
    expect(field.find("reach")).to_be_visible()
    field.page.evaluate(DROPPED_AND_DONE, [*spot(field, 14, 10.5)])
    expect(field.find("leg")).to_contain_text("are left")
    field.stands_in("red-1", "6,10")
    field.asks("Move or fire with a stand")


WIDER = """than => {
    const [red, blue] = ["red-3", "blue-3"].map((unit) =>
        document.querySelector(`.counters [data-unit="${unit}"]`).getBoundingClientRect());
    return blue.x - red.x > than;
}"""
"""The third stands of both sides are farther apart on the page than that."""


def test_a_window_of_quite_another_size_shows_the_whole_table_again(field: Table) -> None:
    apart = spot(field, 34, 26)[0] - spot(field, 6, 26)[0]
    field.page.set_viewport_size({"width": 2560, "height": 1440})
    field.page.wait_for_function(WIDER, arg=1.2 * apart)
    for unit in ("red-1", "red-3", "blue-1", "blue-3"):
        expect(field.unit(unit)).to_be_in_viewport(ratio=0.99)


def test_the_zoom_that_a_player_has_chosen_stays_in_a_window_of_another_size(field: Table) -> None:
    apart = spot(field, 34, 26)[0] - spot(field, 6, 26)[0]
    field.page.mouse.move(*spot(field, 20, 20))
    field.page.mouse.wheel(0, -200)
    field.page.wait_for_function(WIDER, arg=1.2 * apart)
    chosen = spot(field, 34, 26)[0] - spot(field, 6, 26)[0]
    field.page.set_viewport_size({"width": 2560, "height": 1440})
    expect(field.unit("blue-3")).to_be_in_viewport(ratio=0.99)
    assert abs(spot(field, 34, 26)[0] - spot(field, 6, 26)[0] - chosen) < 1


def test_where_another_stand_lies_there_is_no_room(field: Table) -> None:
    lead(field, 6, 15.5)
    field.page.mouse.up()
    field.asks("Move red-1 on, or stop")
    field.rests()
    field.find("done").first.click()
    field.log("red-1 moves to")
    field.asks("Move or fire with a stand")
    field.unit("red-2").click()
    expect(field.find("reach")).to_be_visible()
    for _ in range(4):
        field.page.keyboard.press("ArrowUp")
    # It is shown before the server has refused it.
    expect(field.find("below-red-1")).to_be_visible()
    expect(field.find("cost")).to_have_text("red-2 would overlap red-1 [2.3]")
    for _ in range(4):
        field.page.keyboard.press("ArrowRight")
    expect(field.find("below-red-1")).to_have_count(0)


def test_a_move_takes_two_clicks(field: Table) -> None:
    field.unit("red-1").click()
    expect(field.find("reach")).to_be_visible()
    field.page.mouse.move(*spot(field, 8, 10), steps=3)
    # The ghost goes with the pointer, and its price is known before it is asked for.
    expect(field.find("cost")).to_contain_text("″")
    field.page.mouse.click(*spot(field, 9, 10))
    expect(field.find("log")).to_contain_text("red-1 moves to")
    assert abs(float((field.unit("red-1").get_attribute("data-at") or "").split(",")[0]) - 9) < 0.1


def test_a_corner_is_added_by_a_click_with_shift(field: Table) -> None:
    field.unit("red-1").click()
    expect(field.find("reach")).to_be_visible()
    field.page.mouse.move(*spot(field, 8, 10))
    field.page.keyboard.down("Shift")
    field.page.mouse.click(*spot(field, 8, 10))
    field.page.keyboard.up("Shift")
    expect(field.find("ghost")).to_have_attribute("data-corners", "1")
    field.page.mouse.move(*spot(field, 8, 12.5))
    # Two inches and two and a half.
    expect(field.find("cost")).to_have_text(re.compile(r"^4\.[45]\d*″, 1\.[45]\d*″ left$"))
    field.page.keyboard.press("Escape")
    expect(field.find("ghost")).to_have_attribute("data-corners", "0")
    field.page.keyboard.press("Escape")
    expect(field.find("ghost")).to_have_count(0)
    field.stands_in("red-1", "6,10")


def test_lines_of_equal_cost_lie_in_the_reach(field: Table) -> None:
    field.unit("red-2").click()
    lines = field.find("equal-cost")
    expect(lines).to_have_count(5)
    assert [lines.nth(n).get_attribute("data-cost") for n in range(5)] == ["1", "2", "3", "4", "5"]
    (left, _), (right, _) = spot(field, 3, 18), spot(field, 9, 18)
    box = lines.nth(2).bounding_box()
    assert box is not None
    assert abs(box["x"] - left) < 8
    assert abs(box["x"] + box["width"] - right) < 8


def test_the_page_asks_at_most_ten_times_a_second(field: Table) -> None:
    lead(field, 7, 10)
    began = field.page.evaluate("performance.now()")
    for n in range(60):
        field.page.mouse.move(*spot(field, 7 + n / 40, 10 + n / 60))
    took = field.page.evaluate("performance.now()") - began
    asked = [data for data in field.sent if json.loads(data)["type"] == "cost"]
    assert len(asked) <= took / 100 + 4


def test_a_turn_by_keyboard_alone(field: Table) -> None:
    keys = field.page.keyboard
    keys.press("n")
    expect(field.unit("red-1")).to_be_focused()
    keys.press("Enter")
    expect(field.find("reach")).to_be_visible()
    for _ in range(4):
        keys.press("ArrowRight")
    keys.press("Shift+ArrowDown")
    keys.press("e")
    keys.press("e")
    expect(field.find("ghost")).to_have_attribute("data-place", "8,10.1")
    expect(field.find("pointed")).to_contain_text("8,10.1")
    # Two inches and a hair, and thirty degrees at ninety to the inch.
    expect(field.find("cost")).to_have_text("2.34″, 3.66″ left")
    keys.press("Enter")
    field.stands_in("red-1", "8,10.1")
    expect(field.unit("red-1")).to_have_attribute("data-facing", "120")
    field.asks("Move red-1 on, or stop")
    # The stand that moves is chosen already: on it goes, then it stops.
    expect(field.find("reach")).to_be_visible()
    keys.press("ArrowRight")
    expect(field.find("cost")).to_contain_text("0.5″")
    keys.press("Enter")
    field.stands_in("red-1", "8.5,10.1")
    expect(field.find("reach")).to_be_visible()
    keys.press("d")
    field.asks("Move or fire with a stand")


def test_the_text_view_names_every_stand(field: Table) -> None:
    field.find("tab-position").click()
    for unit, place in (("red-1", "6,10"), ("blue-3", "34,24.5")):
        expect(field.find(f"words-{unit}")).to_contain_text(f"Rifles {unit}")
        expect(field.find("position")).to_contain_text(place)


def test_the_inch_grid_is_switched_off_and_on(field: Table) -> None:
    with_grid = looks(field)
    field.find("grid").click()
    expect(field.find("grid")).to_have_attribute("aria-pressed", "false")
    without = looks(field)
    assert differs_in(field.page, with_grid, without) > 0.001
    field.page.reload()
    expect(field.unit("red-1")).to_be_visible()
    # The choice is kept, and the ground is the same every time it is drawn.
    assert differs_in(field.page, without, looks(field)) == 0


def looks(table: Table) -> bytes:
    """The part of the ground in the middle of the page, as it is drawn."""
    at_rest(table.page)
    return table.page.screenshot(type="jpeg", clip={"x": 380, "y": 200, "width": 300, "height": 300})


def test_what_lies_under_the_pointer_is_named(wooded: Table) -> None:
    def named(x: float, y: float) -> Locator:
        wooded.page.mouse.move(*spot(wooded, x, y))
        return wooded.page.locator(".where")

    expect(named(18, 7)).to_contain_text("field · Long Field")
    expect(named(9, 7)).to_contain_text("level 1 · Windmill Rise")
    expect(named(8, 30)).to_contain_text("woods · Birch Wood")
    expect(named(22.4, 17.6)).to_contain_text("building")


def test_the_scale_bar_is_as_long_as_it_says(wooded: Table) -> None:
    inches, long = wooded.page.evaluate(
        """() => {
            const bar = document.querySelector("[data-testid=legend] .scale");
            return [Number(bar.dataset.inches), bar.querySelector("svg").getBoundingClientRect().width - 2];
        }"""
    )
    (ax, _), (bx, _) = spot(wooded, 6, 20), spot(wooded, 6 + inches, 20)
    assert abs(long - (bx - ax)) < 1.5
    expect(wooded.find("legend")).to_contain_text("60″ × 40″")


def test_stands_are_true_to_size_near_by_and_never_too_small_to_see(wooded: Table) -> None:
    def diameter() -> float:
        at_rest(wooded.page)
        return wooded.page.evaluate(
            "() => document.querySelector('.counters [data-unit=red-3]').getBoundingClientRect().width"
        )

    def inch() -> float:
        (ax, _), (bx, _) = spot(wooded, 6, 20), spot(wooded, 7, 20)
        return bx - ax

    wooded.page.keyboard.press("0")
    face = wooded.unit("red-3").locator("svg")
    expect(face).to_have_attribute("data-detail", "sign")
    assert inch() < 20 < 29 < diameter()
    wooded.page.mouse.move(*spot(wooded, 6, 26))
    for _ in range(5):
        wooded.page.mouse.wheel(0, -240)
    expect(face).to_have_attribute("data-detail", "full")
    expect(face).to_contain_text("Rifles red-3")
    assert abs(diameter() - inch()) < 0.5
