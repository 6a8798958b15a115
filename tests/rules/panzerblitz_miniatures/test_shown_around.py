"""Information for a player before a decision: fire along a way, ranges and fields of fire, command, templates."""

from __future__ import annotations

from typing import Any

import pytest

from opfire.core.actions import Region
from opfire.core.errors import BadInput
from opfire.core.game import Game
from opfire.core.places import Point, text
from opfire.rulesets.panzerblitz_miniatures import RULESET
from opfire.rulesets.panzerblitz_miniatures.fire.indirect import Designate, DesignateSmoke
from opfire.rulesets.panzerblitz_miniatures.moving.marching import Move
from opfire.rulesets.panzerblitz_miniatures.pieces import Position
from opfire.rulesets.panzerblitz_miniatures.shown import moves
from rules.panzerblitz_miniatures.batteries import GUN, OBSERVER, TANK, battery, plan
from rules.panzerblitz_miniatures.grounds import inches
from rules.panzerblitz_miniatures.kit import rule
from rules.panzerblitz_miniatures.marches import at, go, march

PANZER = [("pz-iv-h", "5,10")]  # 8 movement points: a quarter are 2, an inch of open ground
READY: dict[str, Any] = {"position": True}
HILL = '[[areas]]\nkind = "woods"\npoints = "8,4 9,4 9,13 8,13"\n'


def fire(game: Game[Position], *corners: tuple[float, float]) -> list[tuple[str, list[str]]]:
    """The places of red's route at which enemies may fire, with these enemies."""
    first, *then = [Move("red-1", inches(x, y), 90) for x, y in corners]
    told = moves.price(game.state, "red", action=first, then=tuple(then))["fire"]
    return [(text(each["place"]), each["units"]) for each in told]


# --- fire along a way ---------------------------------------------------------------------------------------


@rule("OPP-3", "OPP-6")
def test_OPP_3_a_way_tells_where_an_enemy_will_have_seen_a_quarter_of_it() -> None:
    game = march(PANZER, [("t-34-76", "15,10")], blue_1=READY)
    assert fire(game, (9, 10)) == [("6,10", ["blue-1"])]
    go(game, "red-1", 9, 10, 90)
    assert at(game, "red-1") == "6,10"


@rule("OPP-3")
def test_OPP_3_the_account_goes_on_round_a_corner() -> None:
    game = march(PANZER, [("t-34-76", "15,10")], blue_1=READY)
    assert fire(game, (5.5, 10), (5.5, 11)) == [("5.5,10.5", ["blue-1"])]


@rule("OPP-2", "OPP-3")
def test_OPP_2_nobody_fires_who_is_in_no_firing_position_or_too_far_away() -> None:
    assert fire(march(PANZER, [("t-34-76", "15,10")]), (9, 10)) == []
    assert fire(march(PANZER, [("t-34-76", "38,10")], blue_1=READY), (9, 10)) == []


@rule("OPP-3")
def test_OPP_3_an_enemy_that_sees_nothing_threatens_nobody_and_the_game_is_left_alone() -> None:
    foes = [("t-34-76", "15,10"), ("t-34-76", "6,22")]
    game = march(PANZER, foes, HILL, blue_1=READY, blue_2=READY)
    assert fire(game, (5, 14)) == [("5,11", ["blue-2"])]  # the woods hide it from the other
    assert game.state.progress is None
    assert game.state.units["red-1"].at == (5000, 10000)


# --- ranges, arcs, fields of fire ---------------------------------------------------------------------------


def around(game: Game[Position], unit: str) -> Any:
    return RULESET.queries["around"](game.state, "red", unit=unit)


@rule("WEC-1", "WEC-2")
def test_WEC_1_the_range_of_a_gun_is_told_in_its_bands() -> None:
    bands = around(march(PANZER), "red-1")["bands"]
    assert [round(band["inches"], 2) for band in bands] == [5.33, 10.67, 16]
    assert [band["text"] for band in bands] == [
        "armored ×2, non-armored ×1/2",
        "armored ×3/2, non-armored ×1/2",
        "armored ×1, non-armored ×1/2",
    ]


@rule("DF-3", "LOS-3")
def test_DF_3_the_field_of_fire_ends_at_the_range_and_behind_woods() -> None:
    def reaches(ground: str, x: float) -> bool:
        return any(_within(ring, inches(x, 10.2)) for ring in around(march(PANZER, ground=ground), "red-1")["polygons"])

    assert (reaches("", 19.5), reaches("", 21.5)) == (True, False)
    assert (reaches(HILL, 7), reaches(HILL, 15)) == (True, False)


@rule("FOF-1", "FOF-2")
def test_FOF_2_a_gun_has_an_arc_and_its_field_of_fire_lies_within() -> None:
    def gun(more: str) -> Game[Position]:
        return march([("at-76", "20,15")], more=more, red_1={"facing": 0})

    bound, free = gun('options = ["FOF-1"]\n'), gun("")
    arcs = [game.view("red")["units"][0]["arc"] for game in (bound, free)]
    assert arcs == [45, None]
    lowest = [max(y for ring in around(game, "red-1")["polygons"] for _, y in ring) for game in (bound, free)]
    assert lowest[0] <= 15500 < lowest[1]


def _within(ring: list[Point], at: Point) -> bool:
    """Return whether a point lies in a ring, by the crossings to its right."""
    x, y = at
    sides = zip(ring, [*ring[1:], ring[0]], strict=True)
    return sum((b > y) != (d > y) and x < a + (y - b) * (c - a) / (d - b) for (a, b), (c, d) in sides) % 2 == 1


def test_where_measuring_is_off_ranges_are_refused_and_lines_of_sight_have_no_length() -> None:
    free, guessed = (march(PANZER, [("t-34-76", "15,10")], ground).state for ground in ("", "measuring = false\n"))
    lines = [RULESET.queries["los"](sight, "red", start="5,10", to="15,10") for sight in (free, guessed)]
    assert lines[0] == {**lines[1], "inches": 10.0}
    assert RULESET.queries["around"](free, "red", unit="red-1")["bands"]
    with pytest.raises(BadInput, match="Nobody measures in this scenario"):
        RULESET.queries["around"](guessed, "red", unit="red-1")


# --- command ------------------------------------------------------------------------------------------------


@rule("CMD-1", "CMD-3")
def test_CMD_3_the_view_tells_the_radius_of_each_side_and_its_posts() -> None:
    units = [*PANZER, ("cp-german", "8,10")]
    shown = march(units, doctrine="radius = 12.5\n").view("red")["command"]
    assert shown == {"red": {"inches": 12.5, "posts": ["red-2"], "led": ["red-1"]}, "blue": None}
    assert march(units).view("red")["command"]["red"]["inches"] == 20


@rule("STD-2")
def test_STD_2_a_post_that_spots_for_artillery_commands_nobody_and_the_enemy_does_not_learn_it() -> None:
    game = battery((("cp-german", "12,10"), GUN), (TANK,))
    plan(game)
    assert game.view("red")["command"]["red"]["posts"] == []
    assert game.view("blue")["command"]["red"]["posts"] == ["red-1"]


# --- templates ----------------------------------------------------------------------------------------------


@rule("IF-9", "NEU-13")
def test_IF_9_the_template_of_a_mission_has_its_size_before_it_is_recorded() -> None:
    game = battery()
    fire_mission = Designate("red-2", "blue-1", "red-1", "neutralization", "square", 0)
    wide, long = RULESET.queries["template"](game.state, "red", action=fire_mission)
    assert wide == long > 0
    half = Designate("red-2", "blue-1", "red-1", "destruction", "square", 0)
    assert RULESET.queries["template"](game.state, "red", action=half) == (wide // 2, long // 2)
    assert RULESET.queries["template"](game.state, "red", action=Move("red-2", (0, 0), 0)) is None


@rule("NEU-8", "NEU-9")
def test_NEU_8_everybody_below_a_template_is_told_friends_too() -> None:
    game = battery((OBSERVER, GUN, ("rifle-40-german", "24,10")), (TANK, ("t-34-76", "39,29")))
    told = moves.price(game.state, "red", action=Designate("red-2", "blue-1", "red-1", "neutralization", "square", 0))
    assert told["hits"] == [{"unit": "blue-1", "own": False}, {"unit": "red-3", "own": True}]


@rule("SSC-8")
def test_SSC_8_smoke_tells_whom_it_covers() -> None:
    game = battery()
    regions = [offer for offer in game.choices("red").of("red-2") if isinstance(offer, Region)]
    smoke = next(region.example for region in regions if isinstance(region.example, DesignateSmoke))
    there = DesignateSmoke("red-2", (25200, 10100), "red-1", smoke.shape, 0)
    assert moves.price(game.state, "red", action=there)["hits"] == [{"unit": "blue-1", "own": False}]
    away = DesignateSmoke("red-2", (20000, 10100), "red-1", smoke.shape, 0)
    assert moves.price(game.state, "red", action=away)["hits"] == []
