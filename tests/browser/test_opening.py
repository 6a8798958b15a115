"""From the start page through set-up into the second turn, by mouse."""

from __future__ import annotations

from playwright.sync_api import expect

from browser.table import Table


def test_address_opens_the_scenario_asked_for(table: Table) -> None:
    table.page.goto(f"{table.host.url}/?scenario=mill-ford")
    expect(table.find("scenario-mill-ford")).to_be_in_viewport()
    expect(table.find("start-mill-ford")).to_be_visible()
    expect(table.find("open-hill-231")).to_be_visible()


def test_a_card_fits_a_phone_and_long_lists_of_options_lie_folded(table: Table) -> None:
    table.page.set_viewport_size({"width": 390, "height": 844})
    table.page.goto(f"{table.host.url}/?scenario=panzer-sturmovik")
    options = table.find("options")
    expect(options).to_contain_text("Options (1 of")
    expect(table.page.get_by_label("Advanced Game")).to_be_hidden()
    options.click()
    expect(table.page.get_by_label("Advanced Game")).to_be_checked()
    button = table.find("start-panzer-sturmovik").bounding_box()
    chooser = table.find("player-german").bounding_box()
    assert button
    assert chooser
    assert chooser["x"] + chooser["width"] <= button["x"] + button["width"] + 1


def test_a_battle_of_the_advanced_game_begins_from_its_card(table: Table) -> None:
    table.page.goto(f"{table.host.url}/?scenario=panzer-sturmovik")
    table.find("start-panzer-sturmovik").click()
    table.asks("Place your units in their zones")


def test_plans_are_written_before_units_are_placed_for_the_player(table: Table) -> None:
    """No button offers to place the rest before units are asked for: plans come first there [Panzer 6.5.1.11]."""
    table.page.goto(table.host.url)
    table.find("play-panzer-hauterive").click()
    table.asks("Write your Pre-Registered Points and Planned Fire")
    expect(table.find("done")).to_be_visible()
    expect(table.find("auto-begin")).to_have_count(0)
    table.find("done").click()
    table.asks("Place your units in their zones")
    table.find("auto-begin").click()
    table.asks("Give your units their commands")


def test_two_players_on_one_screen_set_up_and_play_two_turns(table: Table) -> None:
    table.start("mill-ford", "both")
    table.asks("Place your units")
    expect(table.find("turn")).to_contain_text("8 turns")

    # By hand: a unit from the list, then a lit hex.
    table.find("unit-german-1").click()
    table.hex("2-O8").click()
    table.stands_in("german-1", "2-O8")
    # The next of its kind is in hand already.
    expect(table.find("chosen")).to_contain_text("PzKw IV H 2")
    table.hex("2-N9").click()
    table.stands_in("german-2", "2-N9")
    # Not outside the zone: the answer names the rule.
    table.find("unit-german-3").click()
    table.hex("2-T5").click()
    expect(table.find("why")).to_contain_text("4.2-A")
    expect(table.unit("german-3")).to_have_count(0)
    table.find("auto").click()
    table.all_placed("mill-ford", "german")
    table.find("done").click()

    table.find("auto").click()
    table.all_placed("mill-ford", "soviet")
    table.find("done").click()
    expect(table.find("turn")).to_contain_text("Turn 1 of 8")

    _move(table, "Soviet", turn=1)
    _move(table, "German", turn=1)
    _move(table, "Soviet", turn=2)
    _move(table, "German", turn=2)
    table.end(until="Turn 3 of 8")
    table.log("Game turn 3")


def _move(table: Table, side: str, turn: int) -> None:
    """One vehicle goes one step, by mouse: a lit counter, a hex in reach, the button."""
    table.end(until=f"Seat: {side}")
    table.end(until="Move a vehicle")
    expect(table.find("turn")).to_contain_text(f"Turn {turn} of 8")
    expect(table.page.locator(".turn .current")).to_have_text(side)
    name = table.page.evaluate(ON_TOP, side.lower())
    table.unit(name).click()
    expect(table.page.locator("polygon.reach").first).to_be_visible()
    goal = table.page.evaluate(NEAREST_FREE_HEX)
    table.hex(goal).click()
    expect(table.find("route")).to_be_visible()
    table.find("go").click()
    table.stands_in(name, goal)


ON_TOP = """side => [...document.querySelectorAll(`.counters [data-unit^="${side}-"].can`)].find((unit) => {
  const box = unit.getBoundingClientRect();
  return unit.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
}).dataset.unit"""
"""A lit counter that no other covers."""

NEAREST_FREE_HEX = """() => {
  const centre = (part) => {
    const box = part.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const apart = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);
  const taken = new Set([...document.querySelectorAll(".counters [data-at]")].map((unit) => unit.dataset.at));
  const reach = [...document.querySelectorAll("polygon.reach")].map(centre);
  const from = centre(document.querySelector(".counters .chosen"));
  return [...document.querySelectorAll("[data-place]")]
    .filter((hex) => !taken.has(hex.dataset.place) && reach.some((at) => apart(at, centre(hex)) < 3))
    .sort((a, b) => apart(centre(a), from) - apart(centre(b), from))[0].dataset.place;
}"""
"""Of the hexes shown as within reach, the nearest that is free."""
