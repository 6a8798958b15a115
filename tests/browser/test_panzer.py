"""Panzer in the browser: written commands, facings, the Data Card, fire [4]."""

from __future__ import annotations

import cmath
import math
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from browser.axe import violations
from browser.host import Game, Host
from browser.table import Table
from opfire.core.flow import Frame
from opfire.core.match import Match
from opfire.kit.setup import Ready
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.adjusting import AdjustStep
from opfire.rulesets.panzer.commands import Command, HandIn
from opfire.rulesets.panzer.fire.direct_fire import Asked
from opfire.rulesets.panzer.indirect.planning import EndPlots, PlotFire, PlotPattern, PlotPoint, Register
from opfire.rulesets.panzer.moving.step import MovementStep
from rules.panzer.battle import OPEN, text
from rules.panzer.kit import CHARTS
from rules.panzer.moves import army
from rules.panzer.shelling import with_guns

GERMANS = 'units = [{ unit = "pz4h", count = 3, at = ["1-A4", "1-B5", "1-B3"] }]'
SOVIETS = 'units = [{ unit = "t34_43", count = 2, at = ["1-G4", "1-H4"] }]'
BATTLE = text(german=GERMANS, soviet=SOVIETS)


def begin(host: Host, play: Callable[[Match], object] = lambda match: None, scenario: str = BATTLE) -> Game:
    """A battle of three Pz IV against two T-34, in its first Command Phase."""
    return host.begin(scenario, play)


@pytest.fixture
def field(page: Page, at_table: Callable[[Page, Host], Table], host: Host) -> Table:
    """The German table."""
    table = at_table(page, host)
    table.sit(begin(host), "german")
    expect(table.find("sheet")).to_be_visible()
    return table


def bears(table: Table, unit: str, code: str) -> None:
    """The counter bears the marker of this command."""
    expect(table.unit(unit).locator("[data-mark]")).to_have_attribute("data-mark", code)


def with_shift(table: Table, unit: str) -> None:
    """A click with Shift: while it is held nothing lies over the counters."""
    table.page.keyboard.down("Shift")
    table.unit(unit).click()
    table.page.keyboard.up("Shift")


# --- commands [4.2] ---------------------------------------------------------------------------------------------


def test_4_2_a_vehicle_is_clicked_and_gets_its_command_from_the_palette_beside_it(field: Table) -> None:
    field.unit("german-1").click()
    field.find("map-palette").locator('[data-order="OW"]').click()
    bears(field, "german-1", "OW")
    expect(field.find("sheet-count")).to_have_text("1 of 3 units ordered")
    expect(field.find("map-palette").locator('[data-order="OW"]')).to_have_attribute("aria-pressed", "true")


def test_a_good_sheet_is_told_order_by_order_and_written_for_the_player_to_change(field: Table) -> None:
    field.find("suggest").click()
    expect(field.find("write-advice")).to_be_in_viewport()
    advised = field.find("advised-orders").locator("li")
    expect(advised).to_have_count(3)
    reasons = re.compile(r"at T-34.* % for an effect|it waits for T-34|towards ")
    expect(advised.filter(has_text=reasons)).to_have_count(3)
    expect(field.find("do-it")).to_have_count(0)
    field.find("write-advice").click()
    expect(field.find("sheet-count")).to_have_text("3 of 3 units ordered")
    expect(field.find("suggestion")).to_have_count(0)
    field.unit("german-1").click()
    field.find("map-palette").locator('[data-order="NC"]').click()
    bears(field, "german-1", "NC")


def test_4_2_commands_by_keys_alone(field: Table) -> None:
    field.page.keyboard.press("n")
    field.page.keyboard.press("Enter")
    field.page.keyboard.press("3")
    bears(field, "german-1", "M")
    field.page.keyboard.press("n")
    field.page.keyboard.press("Shift+Enter")
    field.page.keyboard.press("2")
    bears(field, "german-1", "F")
    bears(field, "german-2", "F")
    field.page.keyboard.press("Escape")
    expect(field.find("map-palette")).to_have_count(0)


def test_4_2_many_vehicles_get_one_command(field: Table) -> None:
    field.unit("german-1").click()
    with_shift(field, "german-3")
    expect(field.find("sheet-chosen")).to_contain_text("Pz Kpfw IV H 1, Pz Kpfw IV H 3")
    field.find("palette").locator('[data-order="M"]').click()
    bears(field, "german-1", "M")
    bears(field, "german-3", "M")
    expect(field.unit("german-2").locator("[data-mark]")).to_have_count(0)
    field.find("choose-missing").click()
    expect(field.find("sheet-chosen")).to_contain_text("Pz Kpfw IV H 2")
    field.find("strike").click()
    expect(field.find("sheet-count")).to_have_text("2 of 3 units ordered")


def test_4_2_a_drag_with_shift_rings_vehicles(field: Table) -> None:
    field.lasso("german-1", "german-2", "german-3")
    expect(field.find("sheet-chosen")).to_contain_text("Pz Kpfw IV H 1, Pz Kpfw IV H 2, Pz Kpfw IV H 3")
    field.page.keyboard.press("1")
    bears(field, "german-2", "NC")


def test_4_2_handing_in_tells_first_which_vehicles_have_no_command(field: Table) -> None:
    field.unit("german-1").click()
    field.page.keyboard.press("3")
    bears(field, "german-1", "M")
    expect(field.page.locator(".turn .current")).to_have_count(0)
    field.find("bar").get_by_test_id("hand-in").click()
    expect(field.find("sheet-missing")).to_be_in_viewport()
    expect(field.find("sheet-missing")).to_contain_text("2 units without an order")
    expect(field.find("sheet-missing")).to_contain_text("Pz Kpfw IV H 2")
    field.find("hand-in-anyway").click()
    expect(field.find("sheet")).to_have_count(0)
    field.asks("Waiting for Soviets")


def test_4_2_2_commands_lie_face_down_for_the_other_side(
    page: Page,
    new_context: Callable[..., BrowserContext],
    at_table: Callable[[Page, Host], Table],
    host: Host,
) -> None:
    """The Soviets see that there are commands; what they are sent is the same whatever the commands are."""
    seen = []
    for order in ("M", "OW"):
        game = begin(host)
        german, soviet = (at_table(new_context().new_page(), host) for _ in range(2))
        german.sit(game, "german")
        soviet.sit(game, "soviet")
        german.find("choose-all").click()
        german.find("palette").locator(f'[data-order="{order}"]').click()
        bears(german, "german-2", order)
        expect(german.unit("german-2").locator("[data-open=false]")).to_have_count(1)
        expect(soviet.unit("german-2").locator("[data-mark]")).to_have_count(0)
        german.find("hand-in").click()
        german.asks("Waiting for")
        soviet.find("choose-all").click()
        soviet.find("palette").locator('[data-order="NC"]').click()
        bears(soviet, "soviet-1", "NC")
        soviet.find("hand-in").click()
        bears(soviet, "german-1", "hidden")
        bears(german, "german-1", order)
        expect(soviet.unit("german-1").get_by_role("img", name=re.compile("an order, face down"))).to_have_count(1)
        tables = [message["view"]["units"] for message in soviet.messages("table")]
        seen.append([[unit for unit in units if unit["side"] == "german"] for units in tables])
        assert all(unit["mark"] in (None, HIDDEN) for units in seen[-1] for unit in units)
    assert seen[0][-1] == seen[1][-1]


HIDDEN = {"title": None, "code": None, "picture": None, "open": False}


def aimed_at_a_mover(match: Match) -> None:
    """The Germans fire at a Soviet tank that has a command to move, and is asked about it."""
    match.play("german", HandIn(tuple(Command(f"german-{number}", "fire") for number in (1, 2, 3))))
    match.play("soviet", HandIn((Command("soviet-1", "move"), Command("soviet-2", "move"))))
    while not isinstance(match.game.stack[-1], Asked):
        seat = match.game.asked()[0]
        match.play(seat, next(iter(match.game.choices(seat))))


@pytest.mark.rule("panzer", "4.4.3.2.2-moving")
def test_4_4_3_2_2_the_player_says_whether_a_target_shows_that_it_moves(
    page: Page, at_table: Callable[[Page, Host], Table], host: Host
) -> None:
    table = at_table(page, host)
    table.sit(begin(host, aimed_at_a_mover), "soviet")
    table.asks("Reveal its command, or say that it has no effect")
    expect(table.offer("Reveal that T-34 M43 1 in 1-G4 moves")).to_be_visible()
    table.offer("The command has no effect").click()
    expect(table.find("prompt")).not_to_contain_text("has no effect")
    assert "reveals" not in " ".join(str(message) for message in table.messages("table"))


# --- facings [4.5.1.1.4] ------------------------------------------------------------------------------------------

MOVES: dict[str, tuple[Command, ...]] = {"german": (Command("german-1", "move"),), "soviet": ()}


def until(match: Match, step: type[Frame]) -> None:
    """The Germans order their first vehicle to move, and are asked in that step."""
    for side, orders in MOVES.items():
        match.play(side, HandIn(orders))
    while not isinstance(match.game.stack[-1], step) or "german" not in match.game.asked():
        match.play(match.game.asked()[0], EndStep())


def moves(match: Match) -> None:
    """The Germans are to move their first vehicle."""
    until(match, MovementStep)


def adjusts(match: Match) -> None:
    """The Germans are to adjust their units."""
    until(match, AdjustStep)


@pytest.fixture
def mover(page: Page, at_table: Callable[[Page, Host], Table], host: Host) -> Table:
    """The German table, with a vehicle that faces south-east and is to move."""
    table = at_table(page, host)
    table.sit(begin(host, moves), "german")
    table.unit("german-1").click()
    expect(table.find("hull-3")).to_be_visible()
    return table


def test_4_5_1_1_4_a_vehicle_turns_by_the_arrow_of_its_direction(mover: Table) -> None:
    expect(mover.unit("german-1")).to_have_attribute("data-facing", "120")
    mover.find("hull-1").click()
    expect(mover.unit("german-1")).to_have_attribute("data-facing", "60")


def test_4_5_1_1_4_a_vehicle_turns_by_keys(mover: Table) -> None:
    mover.page.keyboard.press("e")
    expect(mover.find("hull-3")).to_have_class(re.compile("meant"))
    mover.page.keyboard.press("Escape")
    expect(mover.find("hull-3")).not_to_have_class(re.compile("meant"))
    mover.page.keyboard.press("q")
    mover.page.keyboard.press("Enter")
    expect(mover.unit("german-1")).to_have_attribute("data-facing", "60")


def test_4_5_1_1_4_a_vehicle_turns_by_a_drag(mover: Table) -> None:
    box = mover.unit("german-1").bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    mouse = mover.page.mouse
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + 2, y - 60, steps=5)
    expect(mover.find("hull-0")).to_have_class(re.compile("meant"))
    mouse.up()
    expect(mover.unit("german-1")).to_have_attribute("data-facing", "0")


# --- several vehicles at once [4.5.1.1] ---------------------------------------------------------------------------

ROAD = OPEN + 'roads = ["A1 A2 A3 A4 A5 A6 A7 A8"]\n'
TANKS = army(("pz4h", "1-A6"), ("pz4h", "1-A7"), ("pz4h", "1-A8"))
TRUCK = army(("ts_zis5", "1-L8"))
COLUMN = text(board=ROAD, german=TANKS, soviet=TRUCK).replace("facing = 2", "facing = 0")


def marches(match: Match) -> None:
    """All three vehicles of the column are to move; nobody can fire."""
    match.play("german", HandIn(tuple(Command(f"german-{n}", "move") for n in (1, 2, 3))))
    match.play("soviet", HandIn(()))
    while not isinstance(match.game.stack[-1], MovementStep) or "german" not in match.game.asked():
        match.play(match.game.asked()[0], EndStep())


def test_4_5_1_1_5_a_column_moves_along_its_road_at_once(
    page: Page, at_table: Callable[[Page, Host], Table], host: Host
) -> None:
    """The first goes five hexes, one more than it could across country; the others follow on the road."""
    table = at_table(page, host)
    table.sit(begin(host, marches, COLUMN), "german")
    table.find("gather-all").click()
    table.find("manner-column").click()
    table.hex("1-A1").click()
    expect(table.find("route")).to_contain_text("5 movement factors, 3 left")
    table.find("go").click()
    for n, hex in enumerate(("1-A1", "1-A2", "1-A3"), 1):
        table.stands_in(f"german-{n}", hex)
    expect(table.find("group")).to_have_count(0)


def test_4_5_1_1_4_a_group_turns_to_one_front_at_its_end(
    page: Page, at_table: Callable[[Page, Host], Table], host: Host
) -> None:
    """They keep their formation, and turn by the hexside that is free."""
    table = at_table(page, host)
    table.sit(begin(host, marches, COLUMN), "german")
    table.unit("german-2").click()
    table.unit("german-3").click(modifiers=["Shift"])
    expect(table.find("group")).to_have_text("Group of 2 units")
    table.find("manner-keep").click()
    table.find("group-front").select_option("2")
    table.hex("1-B5").click()
    table.find("go").click()
    for n, hex in ((2, "1-B5"), (3, "1-B6")):
        table.stands_in(f"german-{n}", hex)
        expect(table.unit(f"german-{n}")).to_have_attribute("data-facing", "120")
    table.stands_in("german-1", "1-A6")


def test_7_8_1_a_turret_is_drawn_where_it_points_and_turned_by_a_drag_at_its_arrow(
    page: Page, at_table: Callable[[Page, Host], Table], host: Host
) -> None:
    table = at_table(page, host)
    begun = begin(host, adjusts, text(german=GERMANS, soviet=SOVIETS, options=("AG", "7.8")))
    table.sit(begun, "german")
    gun = table.page.locator('[data-gun="german-1"]')
    expect(gun).to_have_attribute("data-turret", "120")
    table.unit("german-1").click()
    boxes = [table.find(f"turret-{way}").bounding_box() for way in (3, 1)]
    assert all(boxes)
    (x, y), (to_x, to_y) = ((b["x"] + b["width"] / 2, b["y"] + b["height"] / 2) for b in boxes)  # type: ignore[index]
    table.page.mouse.move(x, y)
    table.page.mouse.down()
    table.page.mouse.move(to_x, to_y, steps=6)
    expect(table.find("turret-1")).to_have_class(re.compile("meant"))
    table.page.mouse.up()
    expect(gun).to_have_attribute("data-turret", "60")
    expect(table.unit("german-1")).to_have_attribute("data-facing", "120")


HIDDEN_TANK = (
    army(("pz4h", "1-B4"), more="hidden_counters = 2\n")
    + '\n[[sides.german.formations]]\nname = "1."\ngrade = "elite"\nunits = { pz4h = 1 }\nhidden = { pz4h = 1 }\n'
)


def test_7_2_a_counter_of_hidden_units_lies_face_down(
    page: Page, at_table: Callable[[Page, Host], Table], host: Host
) -> None:
    table = at_table(page, host)
    woods = OPEN.replace(". . . . . . . . . . . .", ". . . W W . . . . . . .")
    scenario = text(board=woods, german=HIDDEN_TANK, soviet=SOVIETS, options=("AG", "7.2"))
    table.sit(begin(host, lambda match: match.play("german", Ready()), scenario), "soviet")
    face = table.page.locator('[data-kind="hidden"]')
    expect(face).to_have_attribute("data-shape", "unknown")
    expect(face).to_contain_text("HIDDEN")


def test_6_5_1_11_planned_fire_is_listed_for_its_own_side_alone(
    page: Page, at_table: Callable[[Page, Host], Table], host: Host, new_context: Callable[..., BrowserContext]
) -> None:
    """The other table is sent no word of it, byte for byte."""
    german, soviet = at_table(page, host), at_table(new_context().new_page(), host)
    guns = with_guns('{ unit = "o_g75", level = "attached", planned = 3, registered = 2 }')
    game = begin(host, plots, text(german=army(("pz4h", "1-A4"), more=guns), soviet=SOVIETS, options=("AG",)))
    german.sit(game, "german")
    missions = german.find("missions")
    expect(missions).to_contain_text("leIG battery: gp (closed) on 1-G4 in turn 3, or a turn early or late")
    expect(missions.get_by_test_id("chances").first).to_be_visible()
    expect(german.page.locator('[data-kind="mission"]')).to_have_count(1)
    expect(german.page.locator('[data-kind="registration"]')).to_have_count(1)
    assert violations(german.page) == []
    soviet.sit(game, "soviet")
    expect(soviet.find("sheet")).to_be_visible()
    expect(soviet.find("missions")).to_have_count(0)
    assert not [data for data in soviet.received if b"in turn 3" in data or b"registration@" in data]


def plots(match: Match) -> None:
    """The Germans plot fire for turn 3, and a Pre-Registered Point."""
    guns = "german-battery-1"
    for act in (PlotFire(guns, 3), PlotPoint("1-G4"), PlotPattern("gp", "closed"), Register(guns, "1-A1"), EndPlots()):
        match.play("german", act)


def middle(part: Locator) -> complex:
    """The middle of a part of the page."""
    box = part.bounding_box()
    assert box
    return complex(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def test_2_0_a_vehicle_is_set_up_with_a_facing(page: Page, at_table: Callable[[Page, Host], Table], host: Host) -> None:
    table = at_table(page, host)
    one = 'units = [{ unit = "pz4h", at = ["1-C4", "1-C5", "1-D6"] }]'
    table.sit(begin(host, scenario=text(german=one, soviet=SOVIETS)), "german")
    table.find("unit-german-1").click()
    table.hex("1-C5").click()
    expect(table.find("facing-words")).to_have_text("Click the way to face")
    # Beside the arrow is near enough: 25 of the 30 degrees to the middle between it and the next one.
    arrow, hex = middle(table.find("hull-4")), middle(table.hex("1-C5"))
    beside = hex + (arrow - hex) * cmath.rect(1, math.radians(25))
    table.page.mouse.click(beside.real, beside.imag)
    table.stands_in("german-1", "1-C5")
    expect(table.unit("german-1")).to_have_attribute("data-facing", "240")
    expect(table.find("facing-words")).to_have_count(0)


# --- the Data Card [3.5] and the field of fire [4.4.3.1] ----------------------------------------------------------


def test_3_5_the_data_card_is_one_key_away(field: Table) -> None:
    """Armor from above, penetration by range, the chances of both shots by location, against a chosen enemy."""
    field.unit("german-1").click()
    field.page.keyboard.press("i")
    card = field.find("data-card")
    expect(card.get_by_role("heading", name="Pz Kpfw IV H 1", exact=True)).to_be_visible()
    row = CHARTS.armour["pz4h", "level"]
    expect(card.get_by_test_id("from-above")).to_have_attribute(
        "aria-label", re.compile(f"front: Turret Front {row.front_tf}, Hull Front {row.front_hf};")
    )
    expect(card.get_by_test_id("curves")).to_be_visible()
    expect(card.get_by_test_id("duel-german-1")).to_contain_text("6 hexes")
    expect(card.get_by_test_id("duel-soviet-1")).to_contain_text("Pz Kpfw IV H 1")
    expect(card.get_by_test_id("duel-german-1").get_by_role("row", name=re.compile("Track 10 "))).to_be_visible()
    field.find("card-target").select_option("soviet-2")
    expect(card.get_by_test_id("duel-german-1")).to_contain_text("7 hexes")
    field.page.keyboard.press("Escape")
    expect(card).to_have_count(0)


def test_4_4_3_1_the_field_of_fire_and_the_spots_lie_on_the_map(field: Table) -> None:
    field.unit("german-1").click()
    field.find("show-overlay").click()
    expect(field.page.locator('[data-testid^="area-"]').first).to_be_attached()
    expect(field.find("thread")).to_have_count(4)
    field.page.keyboard.press("r")
    expect(field.find("thread")).to_have_count(0)


COMPANIES = army(("pz4h", "1-A4"), ("pz4h", "1-B5")) + "".join(
    f'\n[[sides.german.formations]]\nname = "{name}"\ngrade = "veteran"\nunits = {{ pz4h = 1 }}\n'
    for name in ("1st company", "2nd company")
)


@pytest.mark.rule("panzer", "5.8.2")
def test_5_8_2_each_formation_has_a_letter_on_its_counters_that_the_legend_tells(
    page: Page, at_table: Callable[[Page, Host], Table], host: Host
) -> None:
    table = at_table(page, host)
    table.sit(begin(host, scenario=text(german=COMPANIES, soviet=SOVIETS, options=("AG",))), "german")
    for unit, letter in (("german-1", "A"), ("german-2", "B")):
        expect(table.unit(unit).locator("[data-formation]")).to_have_attribute("data-formation", letter)
    table.find("tab-forces").click()
    expect(table.find("formation-key-german").locator("li")).to_have_text([re.compile("1st"), re.compile("2nd")])
    # A side that is one formation bears no letters.
    expect(table.page.locator(".counters [data-unit^=soviet] [data-formation]")).to_have_count(0)
