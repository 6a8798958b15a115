"""Smoke shell concentrations [SSC]: shells, clouds, markers, and smoke on lines of sight."""

from __future__ import annotations

import pytest

from opfire.core.game import Game
from opfire.core.places import Point
from opfire.rulesets.panzerblitz_miniatures.fire import smoke
from opfire.rulesets.panzerblitz_miniatures.fire.missions import Shape
from opfire.rulesets.panzerblitz_miniatures.fire.smoke import FireSmoke
from opfire.rulesets.panzerblitz_miniatures.moving.opportunity import React
from opfire.rulesets.panzerblitz_miniatures.pieces import Position
from opfire.rulesets.panzerblitz_miniatures.sighting import seeing
from rules.panzerblitz_miniatures.grounds import area, crossing, inches, line
from rules.panzerblitz_miniatures.kit import rule
from rules.panzerblitz_miniatures.marches import go, march

GUN = (("how-105-german", "5,10"),)
TANK = (("t-34-76", "15,10"),)


def against(game: Game[Position], x: float, y: float = 10, unit: str = "red-1") -> str:
    """The rule against smoke by direct fire at a point in inches, or nothing."""
    refusal = smoke.cannot_fire_smoke(game.state, "red", FireSmoke(unit, inches(x, y), "square", 0))
    return refusal.rule if refusal else ""


def fire(game: Game[Position], x: float, y: float = 10, shape: Shape = "square", facing: int = 0) -> None:
    """Lay smoke by direct fire."""
    smoke.fire(game, FireSmoke("red-1", inches(x, y), shape, facing))


def corners(game: Game[Position]) -> list[tuple[Point, ...]]:
    """The corners of each cloud, in their order on the table."""
    return [tuple(sorted(cloud.ring)) for cloud in game.state.clouds]


def seen(game: Game[Position]) -> str:
    """The rule by which the gun does not see the tank, or nothing."""
    red, blue = game.state.units["red-1"], game.state.units["blue-1"]
    refusal = seeing.out_of_sight(game.state, red, blue)
    return refusal.rule if refusal else ""


@rule("SSC-2")
@pytest.mark.parametrize(
    ("unit", "refused"),
    [
        ("how-105-german", ""),
        ("wespe", ""),
        ("mortar-81-german", "SSC-2"),
        ("nebelwerfer", "SSC-2"),
        ("pz-iv-h", "SSC-2"),
    ],
)
def test_SSC_2_artillery_of_class_H_in_brackets_fires_smoke_but_no_rockets(unit: str, refused: str) -> None:
    assert against(march([(unit, "5,10")], TANK), 10) == refused


@rule("SSC-3")
def test_SSC_3_direct_smoke_needs_a_line_of_sight() -> None:
    game = march(GUN, TANK, area("woods", 8, 5, 9, 15))
    assert against(game, 7) == ""
    assert against(game, 12) == "LOB-10"
    assert against(march(GUN, TANK), 26) == "LOS-3"


@rule("COM-5")
def test_COM_5_a_gun_that_has_fired_fires_no_smoke() -> None:
    assert against(march(GUN, TANK, red_1={"fired": True}), 10) == "COM-5"


@rule("CMD-2", "SSC-3")
@pytest.mark.parametrize(("post", "wanted"), [("25,10", ""), ("25.1,10", "CMD-2")])
def test_CMD_2_a_gun_out_of_command_fires_no_smoke(post: str, wanted: str) -> None:
    assert against(march([*GUN, ("cp-german", post)], TANK), 10) == wanted


@rule("FOF-1", "SSC-3")
@pytest.mark.parametrize(("options", "wanted"), [("[]", ""), ('["FOF-1"]', "FOF-1")])
def test_FOF_1_smoke_too_is_fired_within_the_field_of_fire(options: str, wanted: str) -> None:
    game = march(GUN, TANK, more=f"options = {options}\n", red_1={"facing": 90})
    assert against(game, 10, 14.9) == ""
    assert against(game, 10, 15.1) == wanted


@rule("OPP-5", "AAD-3")
def test_OPP_5_a_gun_under_an_opportunity_fire_marker_fires_no_smoke() -> None:
    assert against(march(GUN, TANK, red_1={"reacted": True}), 10) == "COM-5"


@rule("SSC-4")
@pytest.mark.parametrize(
    "ground", [area("water", 9, 5, 11, 15), area("swamp", 9, 5, 11, 15), line("stream", "10,5 10,15")]
)
def test_SSC_4_no_smoke_on_water_streams_and_swamp(ground: str) -> None:
    game = march(GUN, TANK, ground)
    assert against(game, 10) == "SSC-4"
    assert against(game, 8) == ""


@rule("SSC-4")
def test_SSC_4_no_smoke_on_a_bridge_over_a_stream() -> None:
    ground = line("stream", "10,5 10,15") + crossing("bridge", "8.5,10 11.5,10")
    assert against(march(GUN, TANK, ground), 10) == "SSC-4"


@rule("SSC-1", "SSC-8")
def test_SSC_8_smoke_covers_the_template_of_the_bore_and_costs_a_shell() -> None:
    game = march(GUN, TANK)
    fire(game, 10)  # 105 mm: 3 inches by 3
    assert corners(game) == [((8500, 8500), (8500, 11500), (11500, 8500), (11500, 11500))]
    assert [cloud.marker for cloud in game.state.clouds] == [1]
    assert game.state.units["red-1"].shells == 4


@rule("IF-10")
def test_IF_10_a_linear_cloud_is_half_as_wide_and_half_again_as_long() -> None:
    game = march(GUN, TANK)
    fire(game, 10, shape="linear", facing=90)  # along the facing, which is east
    assert corners(game) == [((7750, 9250), (7750, 10750), (12250, 9250), (12250, 10750))]


@rule("SSC-8")
def test_SSC_8_five_shells_unless_the_scenario_says_otherwise() -> None:
    game = march(GUN, TANK)
    for _ in range(5):
        assert against(game, 10) == ""
        fire(game, 10)
        game.state.change("red-1", fired=False)
        game.state.clouds = ()
    assert against(game, 10) == "SSC-8"


@rule("SSC-5", "MMF-2")
def test_MMF_2_smoke_blocks_sight_and_harms_nobody() -> None:
    game = march(GUN, TANK)
    assert seen(game) == ""
    before = dict(game.state.units)
    fire(game, 10)
    assert seen(game) == "MMF-2"
    assert game.state.units["blue-1"] == before["blue-1"]


@rule("MMF-2")
def test_MMF_2_units_in_smoke_must_be_spotted() -> None:
    game = march(GUN, TANK)
    red, blue = game.state.units["red-1"], game.state.units["blue-1"]
    assert not seeing.covers(game.state, red, blue)
    fire(game, 16)
    assert [cover.rule for cover in seeing.covers(game.state, red, blue)] == ["MMF-2"]


@rule("SSC-7", "SEQ-4")
def test_SSC_7_smoke_1_then_smoke_2_then_none() -> None:
    game = march(GUN, TANK)
    fire(game, 10)
    smoke.age(game, "blue")
    assert [cloud.marker for cloud in game.state.clouds] == [1]  # its owner's phase counts
    smoke.age(game, "red")
    assert [cloud.marker for cloud in game.state.clouds] == [2]
    assert seen(game) == "MMF-2"
    smoke.age(game, "red")
    assert game.state.clouds == ()
    assert seen(game) == ""


@rule("SSC-8")
def test_SSC_8_a_scenario_names_another_number_of_shells() -> None:
    with_shells = march(GUN, TANK, doctrine="smoke = 2\n")
    assert with_shells.state.units["red-1"].shells == 2
    assert with_shells.state.units["blue-1"].shells == 5


@rule("SSC-6")
def test_SSC_6_smoke_is_no_opportunity_fire() -> None:
    game = march([("pz-iv-h", "5,10")], [("m7", "15,10")], blue_1={"position": True})
    go(game, "red-1", 9, 10)
    assert game.deciders() == ("blue",)
    assert game.why_not("blue", FireSmoke("blue-1", inches(10, 10), "square", 0)) is not None
    offered = [*game.choices("blue")]
    assert any(isinstance(action, React) for action in offered)
    assert not any(isinstance(action, FireSmoke) for action in offered)
