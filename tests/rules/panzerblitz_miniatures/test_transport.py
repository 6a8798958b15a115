"""Transport in the movement phase [TRN]: loading, unloading, riders; what it costs and who may fire at it."""

from __future__ import annotations

from typing import Any

import pytest

from opfire.core.game import Game
from opfire.rulesets.panzerblitz_miniatures.actions import Pass
from opfire.rulesets.panzerblitz_miniatures.moving.loading import Load, Unload
from opfire.rulesets.panzerblitz_miniatures.moving.opportunity import OpportunityFire
from opfire.rulesets.panzerblitz_miniatures.pieces import Position
from opfire.rulesets.panzerblitz_miniatures.setup import board
from rules.panzerblitz_miniatures.grounds import building, inches, line
from rules.panzerblitz_miniatures.kit import rule
from rules.panzerblitz_miniatures.marches import Units, against, at, go, march, spent

HALF_TRACK = ("half-track-german", "5,10")  # 12 points
RIFLES = ("rifle-40-german", "6,10")
PAK = ("pak-75", "6,10")


def why(game: Game[Position], action: Load | Unload) -> str:
    """The rule against an action of red, or nothing."""
    refusal = game.why_not("red", action)
    return refusal.rule if refusal else ""


def aboard(units: Units, blue: Units = (), **values: Any) -> Game[Position]:
    """A game in which the first unit carries the second."""
    game = march(units, blue, **values)
    board(game.state, "red-1", "red-2")
    return game


LOAD = Load("red-1", "red-2")
ALLOWANCE = 12


def set_down(x: float, y: float) -> Unload:
    """Unload the passenger at a place in inches."""
    return Unload("red-1", "red-2", inches(x, y), 0)


@rule("TRN-1", "TRN-3", "TRN-5")
def test_TRN_5_loading_infantry_costs_half_the_allowance() -> None:
    game = march([HALF_TRACK, RIFLES])
    whole = game.state.allowance(game.state.units["red-1"])
    game.play("red", LOAD)
    assert game.state.units["red-2"].carrier == "red-1"
    assert at(game, "red-2") == "5,10"
    assert 2 * spent(game, "red-1") == whole
    assert against(game, "red-1", 5 + whole / 4_000_000 + 0.01, 10) == "MOV-7"
    go(game, "red-1", 7, 10)
    assert at(game, "red-2") == "7,10"


@rule("TRN-5")
def test_TRN_5_half_is_not_rounded_and_must_be_left() -> None:
    game = march([("half-track-german", "5,10"), ("rifle-40-german", "8.2,10")])
    whole = game.state.allowance(game.state.units["red-1"]) // 1_000_000
    go(game, "red-1", 7, 10)  # 4 points
    assert why(game, LOAD) == ("" if whole >= 8 else "TRN-5")
    late = march([("half-track-german", "5,10"), ("rifle-40-german", f"{5 + whole / 4 + 1.2},10")])
    go(late, "red-1", 5 + whole / 4 + 0.1, 10)
    assert why(late, LOAD) == "TRN-5"


@rule("TRN-4")
def test_TRN_4_a_towed_gun_costs_the_whole_allowance() -> None:
    game = march([HALF_TRACK, PAK])
    game.play("red", LOAD)
    assert game.state.units["red-2"].carrier == "red-1"
    assert game.state.units["red-1"].moved
    moved = march([HALF_TRACK, PAK])
    go(moved, "red-1", 5, 9.9)
    assert why(moved, LOAD) == "TRN-4"


@rule("TRN-4", "GLO-7")
def test_TRN_4_light_guns_load_for_half() -> None:
    game = march([HALF_TRACK, ("ig-75", "6,10")])  # an infantry gun: RULINGS.md R24
    game.play("red", LOAD)
    assert 2 * spent(game, "red-1") == game.state.allowance(game.state.units["red-1"])


@rule("TRN-4", "TRN-3")
def test_TRN_4_carrier_and_passenger_are_adjacent() -> None:
    assert why(march([HALF_TRACK, ("rifle-40-german", "7,10")]), LOAD) == ""
    assert why(march([HALF_TRACK, ("rifle-40-german", "7.001,10")]), LOAD) == "TRN-4"


@rule("TRN-6")
@pytest.mark.parametrize(
    ("values", "wanted"),
    [
        ({"red_2": {"fired": True}}, "TRN-6"),
        ({"red_2": {"order": "dispersed"}}, "TRN-6"),
        ({"red_1": {"order": "dispersed"}}, "GLO-4"),
        ({"red_1": {"fired": True}}, "TRN-6"),
        ({"red_2": {"moved": True}}, "TRN-5"),
        ({"red_2": {"handled": "unloaded"}}, "TRN-5"),
        ({"red_2": {"reacted": True}}, "OPP-5"),
        ({"red_1": {"reacted": True}}, "OPP-5"),
    ],
)
def test_TRN_6_who_fired_moved_or_is_dispersed_does_not_load(values: dict[str, Any], wanted: str) -> None:
    assert why(march([HALF_TRACK, RIFLES], **values), LOAD) == wanted


@rule("TRN-6", "SMF-2", "MOV-4")
@pytest.mark.parametrize(
    ("values", "wanted"), [({"fired": True}, "MOV-4"), ({"fired": True, "split": True, "shot": "split"}, "")]
)
def test_TRN_6_a_carrier_that_has_fired_unloads_by_split_move_and_fire_alone(
    values: dict[str, Any], wanted: str
) -> None:
    game = aboard([("bmp-1", "5,10"), ("motor-rifle-soviet", "5,14")], red_1=values)
    assert why(game, set_down(6.2, 10)) == wanted
    other = march([("bmp-1", "5,10"), ("motor-rifle-soviet", "6.2,10")], red_1=values)
    assert why(other, LOAD) == "TRN-6"


@rule("TRN-13", "TRN-11")
def test_TRN_13_a_tank_that_fired_may_take_riders_up() -> None:
    game = march([("pz-iv-h", "5,10"), RIFLES], red_1={"fired": True})
    game.play("red", LOAD)
    assert game.state.units["red-2"].carrier == "red-1"
    assert against(game, "red-1", 5, 11) == "MOV-4"
    assert why(march([("half-track-german", "5,10"), RIFLES], red_1={"fired": True}), LOAD) == "TRN-6"


@rule("TRN-11", "TRN-14")
def test_TRN_14_armor_carries_infantry_alone() -> None:
    assert why(march([("pz-iv-h", "5,10"), ("mortar-81-german", "6,10")]), LOAD) == "TRN-14"
    assert why(march([("wespe", "5,10"), RIFLES]), LOAD) == "TRN-11"


@rule("TRN-11")
@pytest.mark.parametrize(
    ("armor", "doctrine", "wanted"),
    [("m4-75", "", "TRN-11"), ("m4-75", "riders = true\n", ""), ("wespe", "riders = true\n", "TRN-11")],
)
def test_TRN_11_a_scenario_may_let_allied_armor_carry_riders(armor: str, doctrine: str, wanted: str) -> None:
    assert why(march([(armor, "5,10"), RIFLES], doctrine=doctrine), LOAD) == wanted


@rule("TRN-5")
def test_TRN_5_a_passenger_does_not_move_in_the_segment_in_which_it_is_unloaded() -> None:
    game = aboard([HALF_TRACK, RIFLES])
    game.play("red", set_down(6, 10))
    assert at(game, "red-2") == "6,10"
    assert 2 * spent(game, "red-1") == game.state.allowance(game.state.units["red-1"])
    assert against(game, "red-2", 6.5, 10) in ("MOV-5",)


@rule("TRN-7")
def test_TRN_7_a_carrier_loads_or_unloads_and_never_both() -> None:
    game = aboard([HALF_TRACK, RIFLES, ("rifle-40-german", "5,11.2")])
    game.play("red", set_down(6, 10))
    assert why(game, Load("red-1", "red-3")) == "TRN-7"


@rule("TRN-7")
def test_TRN_7_movement_is_split_around_the_operation() -> None:
    game = aboard([HALF_TRACK, RIFLES])
    go(game, "red-1", 6, 10)
    game.play("red", set_down(7, 10))
    go(game, "red-1", 6, 9)
    assert (at(game, "red-1"), at(game, "red-2")) == ("6,9", "7,10")


@rule("TRN-3")
@pytest.mark.parametrize(
    ("place", "ground", "more", "wanted"),
    [
        ((7.001, 10), "", "", "TRN-4"),
        ((5.9, 10), "", "", "MOV-8"),
        ((6.5, 10), line("wall", "5.7,0 5.7,30"), "", ""),
        ((6.5, 10), line("cliff", "5.7,0 5.7,30"), "", "TEC-4"),
        ((6.5, 10), line("stream", "6.5,0 6.5,30"), "", "STR-5"),
        ((6.5, 10), building("7.4,10"), "", "BLD-1"),
        ((6.5, 10), "", 'markers = [{ kind = "fort", side = "blue", at = ["6.5,10"] }]\n', "FRT-3"),
    ],
)
def test_TRN_3_the_place_of_a_passenger(place: tuple[float, float], ground: str, more: str, wanted: str) -> None:
    game = aboard([HALF_TRACK, ("rifle-40-german", "9,9")], ground=ground, more=more)
    assert why(game, set_down(*place)) == wanted


@rule("MIN-5", "TRN-3")
@pytest.mark.parametrize(("place", "order"), [((6.2, 10), "dispersed"), ((5, 11.2), "good order")])
def test_MIN_5_mines_attack_a_passenger_that_is_set_down_on_them(place: tuple[float, float], order: str) -> None:
    field = 'markers = [{ kind = "mines", side = "blue", at = ["6.2,10"] }]\n'
    game = aboard([HALF_TRACK, ("rifle-40-german", "5,14")], more=field, dice=(2,))  # D in column 2-1
    game.play("red", set_down(*place))
    assert game.state.units["red-2"].order == order


@rule("FRT-3", "BLD-2")
def test_FRT_3_nobody_is_loaded_out_of_a_fortification_or_a_building() -> None:
    fort = 'markers = [{ kind = "fort", side = "red", at = ["6,10"] }]\n'
    assert why(march([HALF_TRACK, RIFLES], more=fort), LOAD) == "FRT-3"
    assert why(march([("half-track-german", "5,10"), PAK], ground=building("7,10")), LOAD) == "BLD-2"


@rule("FPS-2")
def test_FPS_2_loading_and_unloading_end_firing_positions() -> None:
    game = march([HALF_TRACK, RIFLES], red_1={"position": True}, red_2={"position": True})
    game.play("red", LOAD)
    assert not game.state.units["red-1"].position
    assert not game.state.units["red-2"].position


# --- fire at carriers ---------------------------------------------------------------------------------------------

TIGER = [("tiger-i", "15,10")]
READY = {"blue_1": {"position": True}}


def targets(game: Game[Position]) -> set[str]:
    """The targets that are offered to blue."""
    return {action.target for action in game.choices("blue") if hasattr(action, "target")}


@rule("OPP-15", "OPP-9")
def test_OPP_15_an_unloading_carrier_is_a_target_and_so_is_its_passenger() -> None:
    game = aboard([HALF_TRACK, RIFLES], TIGER, **READY)
    game.play("red", set_down(6, 10))
    assert isinstance(game.stack[-1], OpportunityFire)
    assert "red-1" in targets(game)


@rule("OPP-9")
def test_OPP_9_an_unloaded_passenger_may_be_fired_at() -> None:
    near = [("tiger-i", "13,10")]  # infantry in the clear is seen at ten inches
    game = aboard([HALF_TRACK, RIFLES], near, **READY)
    game.play("red", set_down(6, 10))
    assert targets(game) == {"red-1", "red-2"}


@rule("OPP-15")
def test_OPP_15_a_unit_that_loads_is_no_target() -> None:
    game = march([HALF_TRACK, RIFLES], [("tiger-i", "13,10")], **READY)
    game.play("red", LOAD)
    assert targets(game) == {"red-1"}


@rule("OPP-10")
def test_OPP_10_riders_are_fired_at_apart_from_the_tank() -> None:
    game = aboard([("pz-iv-h", "5,10"), RIFLES], [("tiger-i", "13,10")], **READY)
    go(game, "red-1", 7, 10)
    assert targets(game) == {"red-1", "red-2"}
    inside = aboard([HALF_TRACK, RIFLES], [("tiger-i", "13,10")], **READY)
    go(inside, "red-1", 7, 10)
    assert targets(inside) == {"red-1"}
    inside.play("blue", Pass())
