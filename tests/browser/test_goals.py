"""Objectives and exits on the map, the score in the header, the sources of points."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from browser import mill, positions
from browser.axe import violations
from browser.table import Table
from browser.test_panzer import BATTLE
from opfire.core.match import Match
from opfire.core.scenario import text_of
from opfire.rulesets.case_orange.direct import Attack, Fire

GOALS = """
[[victory]]
side = "german"
condition = "control"
hexes = ["2-Z2", "2-V3"]
points = 3

[[victory]]
side = "soviet"
condition = "control"
hexes = ["2-V3"]
points = 1

[[victory]]
side = "soviet"
condition = "exit"
hexes = ["2-L1"]
points = 2

[levels]
marginal = 2
decisive = 6
"""
"""Two hexes, of which the Germans hold the one and the Soviets the other; one of them counts for both sides."""

MEADOW = positions.MEADOW + GOALS
FIRST, FOE = "german-1", "soviet-2"


def test_the_map_shows_whose_the_objectives_are_and_where_to_leave(table: Table) -> None:
    table.sit(table.host.begin(MEADOW, positions.direct_fire), "german")
    expect(table.find("objective-2-V3")).to_have_attribute("data-holder", "german")
    expect(table.find("objective-2-V3")).to_contain_text("3/1")
    expect(table.find("objective-2-Z2")).to_have_attribute("data-holder", "soviet")
    expect(table.find("objective-2-Z2")).to_contain_text("G3")
    expect(table.find("exit-2-L1")).to_have_text("2")
    table.hex("2-V3").hover(force=True)
    expect(table.page.locator(".where")).to_contain_text("Objective, held by German: at the end German 3, Soviet 1")


def kill(match: Match) -> None:
    """A T-34 is shot: two stacking points, each worth a point to the Germans."""
    positions.direct_fire(match)
    match.play("german", Attack(FIRST, FOE))
    match.play("german", Fire())


def test_the_header_tells_the_score_and_the_next_level(table: Table) -> None:
    table.sit(table.host.begin(MEADOW, kill, rolls=[1]), "german", "soviet")
    score = table.find("score")
    expect(score).to_contain_text("German 5 : 0 Soviet")
    expect(table.find("banked")).to_have_text("2 : 0 for certain, the rest for places held")
    expect(table.find("if-ended")).to_have_text("If it ended now: German marginal victory")
    expect(table.find("gap-german")).to_have_text("German: 1 point to decisive victory")
    expect(table.find("gap-soviet")).to_have_text("Soviet: 4 points to a draw")
    assert violations(table.page) == []


def test_a_click_shows_on_the_map_where_the_points_come_from(table: Table) -> None:
    table.sit(table.host.begin(MEADOW, kill, rolls=[1]), "german", "soviet")
    expect(table.find("source-2-V3")).to_have_count(0)
    table.find("score").click()
    expect(table.find("source-2-V3")).to_have_text("+3")
    expect(table.find("source-2-Z3")).to_have_text("+2")
    expect(table.find("sources")).to_contain_text("T-34")
    expect(table.find("sources")).to_contain_text("Hold 2-Z2, 2-V3 to the end (3 points each).")
    table.find("score").press("Enter")
    expect(table.find("sources")).to_have_count(0)


@pytest.mark.parametrize(("width", "height"), [(390, 844), (768, 900), (844, 390)])
def test_on_a_small_screen_the_header_tells_the_score_in_short(table: Table, width: int, height: int) -> None:
    """A press shows its sources on the map, which the sheet leaves in view."""
    table.page.set_viewport_size({"width": width, "height": height})
    table.sit(table.host.begin(MEADOW, kill, rolls=[1]), "german", "soviet")
    brief = table.find("score-brief")
    expect(brief).to_have_text("5 : 0")
    expect(brief).to_have_accessible_name("German 5 : 0 Soviet. If it ended now: German marginal victory")
    expect(brief).to_be_in_viewport(ratio=1)
    expect(table.find("seat")).to_be_in_viewport(ratio=1)
    brief.click()
    expect(table.find("source-2-V3")).to_have_text("+3")
    assert violations(table.page) == []


def test_on_the_free_table_too(table: Table) -> None:
    there = mill.SCENARIO + GOALS.replace('"2-Z2", "2-V3"', '"20,20"').replace('"2-V3"', '"20,20"').replace(
        "2-L1", "west"
    )
    nonces = {"german": "one", "soviet": "two"}
    table.sit(table.host.begin(there, lambda match: None, (), nonces), "german")
    expect(table.find("objective-20,20")).to_contain_text("3/1")
    expect(table.find("exit-west").first).to_contain_text("2")
    expect(table.find("if-ended")).to_have_text("If it ended now: a draw")


@pytest.mark.rule("micro-armour", "SC.intro")
def test_where_losses_decide_the_header_tells_them_and_what_is_lacking(table: Table) -> None:
    nonces = {"german": "one", "soviet": "two"}
    table.sit(table.host.begin(text_of("armour-introductory"), lambda match: None, (), nonces), "german")
    expect(table.find("score")).to_contain_text("Lost: German 0 : 0 Soviet")
    expect(table.find("gap-german")).to_have_text("German, for a decisive victory: eliminate 11 more stands")
    # Before the first turn the track says so.
    expect(table.find("track").locator("[aria-current]")).to_have_text("Set-up")
    table.page.set_viewport_size({"width": 390, "height": 844})
    expect(table.find("score-brief")).to_have_text("Lost: 0 : 0")
    assert violations(table.page) == []


# --- before and during a turn -------------------------------------------------------------------------------


def test_set_up_says_what_each_side_has_to_do(table: Table) -> None:
    table.start("mill-ford", "both")
    table.asks("Place your units")
    task = table.find("task-soviet")
    expect(task).to_contain_text("(3 points each); hold")
    expect(task).to_contain_text("destroy the enemy (2 points a stacking point), not counting transport.")
    expect(task).to_contain_text("is a marginal victory")
    expect(table.find("task-german")).to_contain_text("German:")
    # Once the game is on, the header is enough.
    table.sit(table.host.begin(MEADOW, positions.direct_fire), "german")
    expect(table.find("tasks")).to_have_count(0)


def test_the_track_names_every_segment_of_both_sides(table: Table) -> None:
    late = '\n[[sides.soviet.reinforcements]]\nturn = 3\nentry = ["2-AA9"]\nunits = { t-34-76 = 2 }\n'
    scenario = MEADOW.replace('[[victory]]\nside = "german"', late + '\n[[victory]]\nside = "german"', 1)
    table.sit(table.host.begin(scenario, positions.direct_fire), "german")
    track = table.find("track")
    for name in ("Indirect fire", "Registration", "Direct fire", "Vehicles", "Others move", "Assaults"):
        expect(track.get_by_role("button", name=name, exact=True)).to_be_visible()
    expect(track.locator("[aria-current]")).to_have_text("Direct fire")
    expect(track.locator(".next")).to_have_text("Vehicles")
    expect(table.find("track-other")).to_contain_text("Then Soviet:")
    expect(table.find("due")).to_have_text("2 turns left after this one · turn 3: 2 units come for Soviet")


def test_all_that_come_are_named_within_the_panel(table: Table) -> None:
    late = "".join(
        f'[[sides.{side}.reinforcements]]\nturn = 3\nentry = ["2-AA9"]\nunits = {{ {unit} = {count} }}\n\n'
        for side, unit, count in (("german", "pz-iv-h", 1), ("soviet", "t-34-76", 2))
    )
    scenario = MEADOW.replace("[[victory]]", late + "[[victory]]", 1)
    table.sit(table.host.begin(scenario, positions.direct_fire), "german")
    told = "2 turns left after this one · turn 3: 1 unit comes for German · turn 3: 2 units come for Soviet"
    expect(table.find("due")).to_have_text(told)
    assert table.find("due").evaluate("due => due.scrollWidth <= due.parentElement.clientWidth")
    assert table.page.locator(".ahead").evaluate("line => line.scrollWidth <= line.clientWidth")


# --- the whole side at a glance -----------------------------------------------------------------------------


def test_one_look_tells_what_can_act_what_is_in_danger_and_what_is_seen(table: Table) -> None:
    table.sit(table.host.begin(MEADOW, positions.direct_fire), "german")
    table.page.keyboard.press("v")
    expect(table.find("glance-able").locator("li")).to_have_count(3)
    expect(table.find("glance-able")).to_contain_text("fires")
    expect(table.find("glance-danger")).to_contain_text("T-34")
    expect(table.find("danger-2-V1")).to_have_count(1)
    expect(table.find("glance-hidden")).to_contain_text("0 enemy units out of your sight")
    assert violations(table.page) == []
    table.page.keyboard.press("v")
    expect(table.find("glance")).to_have_count(0)


def test_the_look_is_that_of_the_position_on_the_table(table: Table) -> None:
    table.sit(table.host.begin(MEADOW, positions.direct_fire, rolls=[1]), "german", "soviet")
    table.find("glance-tool").click()
    expect(table.find("danger-2-V1")).to_have_count(1)
    # The only tank that could fire there is shot.
    table.unit(FIRST).click()
    table.unit(FOE).click()
    table.find("confirm").click()
    table.log("eliminated")
    expect(table.find("glance-danger")).not_to_contain_text("T-34")


@pytest.mark.rule("panzer", "4.2")
def test_the_look_tells_the_commands_that_can_be_written(table: Table) -> None:
    table.sit(table.host.begin(BATTLE, lambda match: None), "german")
    table.find("glance-tool").click()
    able = table.find("glance-able").locator("li")
    expect(able).to_have_count(3)
    expect(able.first).to_contain_text("Overwatch")
    expect(able.first).to_contain_text("Move")
