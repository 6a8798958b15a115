"""Micro Armour in the browser: the table opens, stands take postures, a phase follows the other [4.0]."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

import pytest
from playwright.sync_api import Page, expect

from browser import gunnery
from browser.axe import violations
from browser.host import Host
from browser.table import Table
from opfire.core import scenario as scenarios
from opfire.core.match import Match
from opfire.rulesets.micro_armour.alternation import Begin, Pass
from opfire.rulesets.micro_armour.moving.movement import GroupMovement
from opfire.rulesets.micro_armour.postures import Mark, NoMoreGroups, PostureDetermination

EVENING = scenarios.files()["armour-first-evening"].read_text(encoding="utf-8")


def set_up(match: Match) -> None:
    """Both sides set up at random and form no group, until the Germans are asked for single stands."""
    rng = Random(1)
    while True:
        (seat,), frame = match.game.deciders(), match.game.stack[-1]
        if not isinstance(frame, PostureDetermination):
            match.play(seat, match.game.choices(seat).sample(rng))
        elif frame.groups or seat != "german":
            match.play(seat, NoMoreGroups())
        else:
            return


def alone(match: Match) -> None:
    """As `set_up`, and the Soviets mark nobody, so that the Germans alone are still asked for single stands."""
    set_up(match)
    if "soviet" not in (match.game.stack[-1].alternation() or ()):
        match.play("german", Mark("german-9", "movement"))
        match.play("soviet", NoMoreGroups())


def ordering(match: Match) -> None:
    """The Germans mark a tank to move and do nothing else, until they may order its group."""
    rng = Random(1)
    while not (isinstance(match.game.stack[-1], GroupMovement) and match.game.deciders() == ("german",)):
        (seat,), mark = match.game.deciders(), Mark("german-8", "movement")
        offers = [*match.game.choices(seat)]
        quiet = [action for action in offers if isinstance(action, Pass | Begin | NoMoreGroups)]
        frame = match.game.stack[-1]
        if mark in offers and isinstance(frame, PostureDetermination) and not frame.groups:
            match.play(seat, mark)
        else:
            match.play(seat, quiet[0] if quiet else match.game.choices(seat).sample(rng))


@pytest.fixture
def zelenka(page: Page, at_table: Callable[[Page, Host], Table], host: Host) -> Table:
    """The German table of a first evening, when postures are determined."""
    table = at_table(page, host)
    table.sit(host.begin(EVENING, set_up), "german")
    return table


def test_4_0_the_table_opens_and_its_track_names_the_phases(zelenka: Table) -> None:
    zelenka.asks("Which single stands are to move?")
    track = zelenka.find("track")
    expect(track).to_contain_text("Posture determination")
    expect(zelenka.page.locator(".counters [data-unit^=german]")).to_have_count(9)


def test_8_1_a_stand_takes_a_posture_and_wears_it(zelenka: Table) -> None:
    zelenka.asks("Which single stands are to move?")
    zelenka.unit("german-8").click()
    zelenka.page.get_by_role("button", name="movement posture").first.click()
    expect(zelenka.find("log")).to_contain_text("movement posture")
    expect(zelenka.unit("german-8").get_by_role("img")).to_have_accessible_name(re.compile("moving"))
    expect(zelenka.unit("german-8").locator("[data-outline=arrow]")).to_be_attached()


@pytest.mark.rule("micro-armour", "8.1-mark", "8.1.1")
def test_8_1_a_formation_takes_its_posture_at_one_click(table: Table) -> None:
    table.sit(table.host.begin(EVENING, alone), "german")
    table.find("formations").locator("summary").click()
    table.find("formation-german").get_by_role("button", name=re.compile("^Choose")).click()
    group = table.find("formation")
    expect(group.get_by_test_id("way-1")).to_contain_text("Fire/move posture")
    # A click with Shift leaves one of them out.
    table.unit("german-1").click(modifiers=["Shift"])
    expect(group.locator("b").get_by_text("german-1", exact=True)).to_have_count(0)
    group.get_by_test_id("way-0").click()
    moving = table.page.locator(".counters [data-unit^=german] [data-outline=arrow]")
    expect(moving).to_have_count(8)
    expect(table.unit("german-1").locator("[data-outline=arrow]")).to_have_count(0)
    expect(group).to_have_count(0)


def test_8_1_a_lasso_gathers_stands_that_take_their_posture_together(table: Table) -> None:
    table.sit(table.host.begin(EVENING, alone), "german")
    table.lasso("german-1", "german-2")
    group = table.find("formation")
    gathered = re.search(r"Group of (\d+) stands", group.inner_text())
    assert gathered
    assert int(gathered[1]) >= 2
    for unit in ("german-1", "german-2"):
        expect(table.unit(unit)).to_have_attribute("aria-pressed", "true")
    group.get_by_test_id("way-0").click()
    for unit in ("german-1", "german-2"):
        expect(table.unit(unit).locator("[data-outline=arrow]")).to_have_count(1)
    expect(table.page.locator(".counters [data-outline=arrow]")).to_have_count(int(gathered[1]))


@pytest.mark.parametrize(("width", "height"), [(390, 844), (768, 1024)])
def test_8_1_on_a_sheet_the_postures_of_a_group_come_into_view(table: Table, width: int, height: int) -> None:
    table.page.set_viewport_size({"width": width, "height": height})
    table.sit(table.host.begin(EVENING, alone), "german")
    sheet = table.find("phone-sheet")
    expect(sheet).to_have_attribute("data-rest", "closed")
    table.lasso("german-1", "german-2")
    expect(sheet).to_have_attribute("data-rest", "half")
    expect(table.find("formation").get_by_test_id("way-0")).to_be_in_viewport()


def test_each_formation_has_a_colour_and_a_letter_that_the_legend_tells(
    page: Page, at_table: Callable[[Page, Host], Table], host: Host
) -> None:
    """The Germans have five formations at Stonne; colours that the system forces leave the letters readable."""
    table = at_table(page, host)
    stonne = scenarios.files()["armour-stonne"].read_text(encoding="utf-8")
    table.sit(host.begin(stonne, set_up, nonces={"german": "one", "french": "two"}), "german")
    table.find("tab-forces").click()
    legend = table.find("formation-key-german").locator("[data-formation]")
    expect(legend).to_have_count(5)
    letters = set(legend.locator("text").all_text_contents())
    assert letters == set("ABCDE")
    assert len({legend.nth(n).locator("rect").get_attribute("fill") for n in range(5)}) == 5
    worn = table.page.locator(".counters [data-unit^=german] [data-formation] text").all_text_contents()
    assert len(set(worn)) > 1
    assert set(worn) <= letters
    assert violations(table.page) == []
    table.page.emulate_media(forced_colors="active")
    fills = [legend.first.locator(part).evaluate("one => getComputedStyle(one).fill") for part in ("rect", "text")]
    assert sorted(fills) == ["rgb(0, 0, 0)", "rgb(255, 255, 255)"]


def test_3_2_stands_are_squares_that_turn_with_their_facing(
    page: Page, at_table: Callable[[Page, Host], Table], host: Host
) -> None:
    facings: dict[str, int] = {}

    def noted(match: Match) -> None:
        set_up(match)
        facings.update((unit.id, unit.facing) for unit in match.game.state.of("german"))

    table = at_table(page, host)
    table.sit(host.begin(EVENING, noted), "german")
    assert len({*facings.values()}) > 1
    for unit, facing in facings.items():
        expect(table.unit(unit).locator("[data-outline]")).to_have_attribute("transform", f"rotate({facing})")


@pytest.fixture
def guns(page: Page, at_table: Callable[[Page, Host], Table], host: Host) -> Table:
    """The German table in a joint plot phase."""
    table = at_table(page, host)
    table.sit(gunnery.plotting(host), "german")
    return table


def aims_at(table: Table, unit: str) -> None:
    """The template is taken up, and lies on a stand."""
    table.find("region-0").click()
    lead_to(table, unit)


def lead_to(table: Table, unit: str) -> None:
    """The template in hand is led to a stand."""
    box = table.unit(unit).bounding_box()
    assert box is not None
    table.page.mouse.move(box["x"] + box["width"] / 2 - 2, box["y"] + box["height"] / 2)
    table.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def test_7_6_3_a_sheaf_is_aimed_on_the_map_and_written_as_in_the_book(guns: Table) -> None:
    guns.offer("Infantry HQ 1 plots fire").click()
    guns.asks("choose the place of the first marker")
    aims_at(guns, "soviet-1")
    expect(guns.find("leg")).to_contain_text("1020 Open N2")
    expect(guns.find("sheaf").locator("polygon")).to_have_count(2)
    expect(guns.find("hit-soviet-1")).to_have_attribute("data-own", "false")
    # Cohesion 15 of 20, else one of four distances.
    expect(guns.find("band")).to_have_text(["6 %", "6 %", "6 %", "6 %", "75 %"])
    # The place stays while the sheaf is turned.
    guns.offer("open sheaf to the E").first.click()
    expect(guns.find("leg")).to_contain_text("1020 Open E2")
    guns.find("set-down").click()
    guns.log("Support mission of 105mm IFH18 [2] 1 at 1020")


@pytest.mark.rule("micro-armour", "7.6.3-fields")
@pytest.mark.rule("micro-armour", "7.6.1.2-arrive")
@pytest.mark.parametrize(("width", "height"), [(390, 844), (1280, 900)])
def test_7_6_3_the_rolls_of_a_mission_are_told_while_its_sheaf_is_in_hand(guns: Table, width: int, height: int) -> None:
    guns.offer("Infantry HQ 1 plots fire").click()
    guns.page.set_viewport_size({"width": width, "height": height})
    guns.asks("choose the place of the first marker")
    expect(guns.find("aimed")).to_have_count(0)
    lead_to(guns, "soviet-1")
    aimed = guns.find("aimed")
    expect(aimed).to_contain_text("to arrive")
    expect(aimed.get_by_text("to arrive").first).to_be_in_viewport()
    guns.find("set-down").click()
    expect(aimed).to_have_count(0)


def test_7_6_3_a_click_on_a_stand_writes_the_mission_that_the_question_reads_out(guns: Table) -> None:
    """The sheaf is in hand as soon as its place is asked for, and a stand below the click does not keep it off."""
    guns.offer("Infantry HQ 1 plots fire").click()
    guns.asks("105mm IFH18 [2] 1: Open N2, HE, turn 3")
    guns.offer("Smoke").first.click()
    guns.asks("105mm IFH18 [2] 1: Open N2, smoke, turn 3")
    guns.unit("soviet-1").click()
    sheet = guns.find("plot-sheet")
    expect(sheet).to_contain_text("1020 Open N2")
    expect(sheet).to_contain_text("turn 3, smoke")
    expect(sheet).to_contain_text("Infantry HQ 1, turn 1")
    # The sheet is no wider than its panel.
    assert sheet.evaluate("one => one.scrollWidth <= one.clientWidth")


def test_7_6_3_the_plot_sheet_lists_missions_and_points_them_out_on_the_map(guns: Table) -> None:
    guns.offer("Infantry HQ 1 plots fire").click()
    aims_at(guns, "soviet-1")
    expect(guns.find("leg")).to_contain_text("1020 Open N2")
    guns.find("set-down").click()
    sheet = guns.find("plot-sheet")
    expect(sheet).to_contain_text("1020 Open N2")
    expect(sheet).to_contain_text("turn 3, HE")
    pictures = guns.page.locator("polygon.mission")
    expect(pictures).to_have_count(2)
    sheet.get_by_role("button", name="1020 Open N2").focus()
    expect(guns.page.locator("polygon.mission.pointed")).to_have_count(2)
    assert violations(guns.page) == []


def test_12_1_a_panel_shows_the_cohesion_and_the_losses_of_formations(guns: Table) -> None:
    panel = guns.find("formations")
    panel.locator("summary").click()
    own = guns.find("formation-german")
    expect(own).to_contain_text("cohesion 15")
    expect(own).to_contain_text("0 of 3 stands lost")
    # A headquarters counts for two stands, the others for one each: 35 per cent of 4, by 7, rounded.
    expect(own).to_contain_text("breaks beyond 10")
    assert violations(guns.page) == []


def test_7_1_1_everybody_sees_whose_turn_it_is_and_who_has_passed(zelenka: Table) -> None:
    expect(zelenka.find("turn-of-german")).to_contain_text("your turn")
    expect(zelenka.find("turn-of-soviet")).not_to_contain_text("your turn")
    expect(zelenka.find("alternation").locator("[aria-current]")).to_have_count(1)


@pytest.mark.rule("micro-armour", "6.0", "6.3.1", "7.1.3")
def test_6_0_an_overlay_shows_who_sees_whom_and_who_is_in_danger(table: Table) -> None:
    """Woods hide the rifles from all Germans and the staff from all Soviets; the tank's gun reaches 16 inches."""
    table.sit(gunnery.behind_woods(table.host), "german")
    table.page.keyboard.press("v")
    expect(table.find("glance-danger").locator("li")).to_have_text([re.compile(r"Infantry '43 1\s+from T-34c 1")])
    expect(table.page.locator("polygon.danger")).to_have_count(1)
    expect(table.page.locator("line.aim")).to_have_count(1)
    # The mark is seen beside the stand, however much larger than true that is drawn.
    ring, stand = table.page.locator("polygon.danger").bounding_box(), table.unit("german-2").bounding_box()
    assert ring
    assert stand
    assert ring["width"] > stand["width"]
    expect(table.find("glance-hidden")).to_have_text(re.compile(r"1 enemy unit out of your sight: Infantry '43-'45 1"))
    expect(table.find("glance-unseen")).to_have_text(re.compile(r"1 unit of yours that no enemy sees: Infantry HQ 1"))
    assert violations(table.page) == []
    table.page.keyboard.press("v")
    expect(table.page.locator("line.aim")).to_have_count(0)
    table.find("tab-position").click()
    expect(table.find("words-german-1")).to_contain_text("Sees no enemy")
    expect(table.find("words-german-2")).to_contain_text("Sees T-34c 1")
    expect(table.find("words-german-3")).to_contain_text("Sees T-34c 1")


@pytest.mark.rule("micro-armour", "6.1-line", "6.3.1")
def test_6_1_a_line_names_what_blocks_it_and_the_ground_out_of_sight_is_shaded(table: Table) -> None:
    table.sit(gunnery.behind_woods(table.host), "german")
    table.page.keyboard.press("l")
    table.unit("german-1").click()
    table.unit("soviet-1").click()
    expect(table.find("los")).to_contain_text("Black Wood")
    expect(table.find("los")).to_contain_text("Blocked")
    table.find("sees").click()
    expect(table.find("unseen")).to_be_attached()


def test_8_2_1_a_track_shows_the_orders_left(page: Page, at_table: Callable[[Page, Host], Table], host: Host) -> None:
    table = at_table(page, host)
    table.sit(host.begin(EVENING, ordering), "german")
    orders = table.find("track-german")
    expect(orders).to_contain_text(re.compile(r"movement orders: [1-5] left"))
    pips = orders.locator(".pips i")
    left = pips.count()
    expect(orders).to_contain_text(f"movement orders: {left} left")
    table.offer("Move ").first.click()
    expect(pips).to_have_count(left - 1)


def test_11_markers_look_like_what_they_are(guns: Table) -> None:
    shapes = [guns.page.locator(f"[data-kind={kind}][data-shape={kind}] path") for kind in ("ditch", "brush")]
    for shape in shapes:
        expect(shape.first).to_be_attached()
    assert shapes[0].first.get_attribute("d") != shapes[1].first.get_attribute("d")
    guns.offer("Infantry HQ 1 plots fire").click()
    aims_at(guns, "soviet-1")
    expect(guns.find("leg")).to_contain_text("1020")
    guns.find("set-down").click()
    expect(guns.page.locator("[data-kind=mission][data-shape=target] .tile")).to_have_count(2)


@pytest.mark.rule("micro-armour", "12.3.5", "12.3.6")
def test_12_3_5_aircraft_fly_over_their_targets_and_a_deviation_is_drawn_with_its_length(table: Table) -> None:
    table.sit(table.host.begin(gunnery.STRIKES, gunnery.strikes), "soviet")
    plane = table.page.locator("[data-testid^=flying-]")
    expect(plane.first).to_contain_text("Germans")
    expect(plane.first).to_contain_text("Henschel HS-129")
    expect(plane.first).to_contain_text("strafes")
    # As many as have attacked: of all others nothing is known.
    strikes = [each for each in table.messages("table")[-1]["view"]["planes"] if each["strikes"]]
    expect(plane).to_have_count(len(strikes))
    away = table.page.locator("[data-testid^=deviation-]")
    expect(away).to_have_count(1)
    # Half of 1D6 inches.
    expect(away).to_have_attribute("data-inches", re.compile("^[123][.]0$"))


@pytest.mark.rule("micro-armour", "10.9")
def test_10_9_stands_with_two_guns_are_gathered_before_the_gun_is_chosen(table: Table) -> None:
    table.sit(gunnery.two_guns(table.host), "soviet")
    table.unit("soviet-2").click()
    table.unit("german-2").click()
    # Main gun or second weapon: it is still open, and another stand is added all the same.
    fires = table.kind("fire")
    expect(fires).to_have_count(2)
    table.unit("soviet-3").click()
    expect(table.find("chosen")).to_have_text("M3 Grant, Hull 1 · Infantry '43 1 · M3 Grant, Hull 2")
    expect(fires).to_have_count(2)
    fires.filter(has_text="second").click()
    # Both take part, each with its second weapon.
    expect(table.find("building")).to_contain_text("M3 Grant, Turret")
    for stand in ("soviet-2", "soviet-3"):
        expect(table.unit(stand)).to_contain_class("chosen")


@pytest.fixture
def relief(page: Page, at_table: Callable[[Page, Host], Table], host: Host) -> Table:
    """The German table, against the computer, when reinforcements are due."""
    table = at_table(page, host)
    table.sit(host.begin(gunnery.RELIEF, lambda match: None, players={"soviet": "greedy"}), "german")
    table.asks("Bring reinforcements onto the table")
    return table


def test_1_0_reinforcements_come_on_with_one_button(relief: Table) -> None:
    counters = relief.page.locator(".counters [data-unit^=german]")
    expect(counters).to_have_count(3)
    relief.page.get_by_role("button", name="Bring them all on for me").click()
    expect(counters).to_have_count(6)
    relief.asks("Which groups are to move?")
    # They stand at the western edge, half an inch from it.
    for number in (4, 5, 6):
        place = relief.page.locator(f'.counters [data-unit="german-{number}"]').get_attribute("data-at") or ""
        assert float(place.split(",")[0]) <= 2.5


def test_7_1_1_a_phase_in_which_nothing_can_be_done_passes_once_its_first_side_is_chosen(relief: Table) -> None:
    relief.find("auto-arrive").click()
    relief.end("which side attacks first?")
    passed = len([one for one in relief.sent if '"type":"Pass"' in one and '"type":"play"' in one])
    relief.offer("Germans acts first").click()
    # The infantry reaches nobody: the page passes, and the next question is that of the plot.
    relief.asks("Plot, call, correct or end missions")
    sent = [one for one in relief.sent if '"type":"Pass"' in one and '"type":"play"' in one]
    assert len(sent) == passed + 1


def test_what_can_be_done_is_in_view_wherever_the_panel_had_been_scrolled(table: Table) -> None:
    """A reader of the log chooses a stand, then marks it, and sees each time the buttons to press next."""
    table.sit(table.host.begin(EVENING, alone), "german")
    panel = table.page.locator(".panel .scroll")

    def read_on() -> None:
        assert panel.evaluate("panel => { panel.scrollTo(0, 500); return panel.scrollTop }") > 200

    read_on()
    table.unit("german-8").click()
    posture = table.page.get_by_role("button", name="movement posture").first
    expect(posture).to_be_in_viewport()
    read_on()
    posture.dispatch_event("click")
    expect(table.unit("german-8").locator("[data-outline=arrow]")).to_be_attached()
    expect(table.page.get_by_role("button", name="Show me a good move")).to_be_in_viewport()


def test_what_the_browser_scrolls_to_is_shown_by_the_map_itself(zelenka: Table) -> None:
    """A key or a search that finds a stand beyond the edge leaves the map in order, and every tool with it."""
    zelenka.page.keyboard.press("+")
    zelenka.page.keyboard.press("+")
    zelenka.rests()
    tank, table_top = zelenka.unit("german-8"), zelenka.find("map")
    before = tank.evaluate("tank => tank.getBoundingClientRect().x")
    assert table_top.evaluate("map => { map.scrollTo(60, 0); return map.scrollLeft }") == 60
    expect(table_top).to_have_js_property("scrollLeft", 0)
    zelenka.rests()
    assert abs(tank.evaluate("tank => tank.getBoundingClientRect().x") - (before - 60)) < 2
