"""Edges that a change of one comparison or one number would move, each under its rule of the book."""

from __future__ import annotations

from typing import Any

import pytest

from edits import edited
from opfire.core.errors import BadInput
from opfire.core.game import Game
from opfire.rulesets.panzerblitz_miniatures.actions import Pass
from opfire.rulesets.panzerblitz_miniatures.airpower.air import cannot_arrive, cannot_leave, everywhere, fly
from opfire.rulesets.panzerblitz_miniatures.airpower.airborne import land_paratroops
from opfire.rulesets.panzerblitz_miniatures.airpower.helicopters import handled_otherwise, has_acted, load
from opfire.rulesets.panzerblitz_miniatures.airpower.strikes import cannot_aim
from opfire.rulesets.panzerblitz_miniatures.close.close_assault import CloseAssault
from opfire.rulesets.panzerblitz_miniatures.close.overrun import Overrun
from opfire.rulesets.panzerblitz_miniatures.engineers import (
    Demolish,
    LayBridge,
    LayMines,
    cannot_work,
    end_move,
)
from opfire.rulesets.panzerblitz_miniatures.fire.results import bails_out
from opfire.rulesets.panzerblitz_miniatures.moving import transport
from opfire.rulesets.panzerblitz_miniatures.moving.cavalry import on_foot
from opfire.rulesets.panzerblitz_miniatures.moving.loading import Load
from opfire.rulesets.panzerblitz_miniatures.moving.marching import Stop, going
from opfire.rulesets.panzerblitz_miniatures.moving.movement_costs import ground_kinds
from opfire.rulesets.panzerblitz_miniatures.moving.occupation import building_at, room_of_a_floor
from opfire.rulesets.panzerblitz_miniatures.moving.opportunity import OpportunityFire
from opfire.rulesets.panzerblitz_miniatures.moving.works import fallen
from opfire.rulesets.panzerblitz_miniatures.pieces import Position
from opfire.rulesets.panzerblitz_miniatures.sequence import SegmentEnd
from opfire.rulesets.panzerblitz_miniatures.setup import board, cannot_board
from opfire.rulesets.panzerblitz_miniatures.sighting.seeing import covers, not_spotted
from opfire.rulesets.panzerblitz_miniatures.sighting.spotted import pass_by, reveal
from rules.panzerblitz_miniatures.batteries import battery, plan
from rules.panzerblitz_miniatures.battle import battle
from rules.panzerblitz_miniatures.grounds import area, building, crossing, drawn, hill, inches, line, points
from rules.panzerblitz_miniatures.kit import CHARTS, rule
from rules.panzerblitz_miniatures.marches import at, go, march
from rules.panzerblitz_miniatures.test_engineers import next_phase


def rule_against(refusal: Any) -> str:
    """The rule of a refusal, or nothing."""
    return refusal.rule if refusal else ""


# --- transport and ferries ----------------------------------------------------------------------------------------


@rule("FER-1")
@pytest.mark.parametrize(
    ("unit", "place", "wanted"),
    [
        ("uh-1", "9,10", "FER-1"),
        ("ferry-german", "12.5,10", "FER-1"),
        ("truck-german", "9,10", ""),
        ("rifle-40-german", "9,10", ""),
    ],
)
def test_FER_1_neither_aircraft_nor_boats_go_aboard_a_ferry(unit: str, place: str, wanted: str) -> None:
    game = march([("ferry-german", "11,10"), (unit, place)], ground=area("water", 10, 5, 20, 15))
    units = game.state.units
    assert rule_against(transport.no_room(game.state, units["red-2"], units["red-1"])) == wanted


@rule("TRN-1", "FER-1")
def test_TRN_1_a_truck_aboard_a_ferry_takes_nobody_up() -> None:
    ferry, truck, rifles = ("ferry-german", "11,10"), ("truck-german", "9,10"), ("rifle-40-german", "8,12")
    game = march([ferry, truck, rifles], ground=area("water", 10, 5, 20, 15))
    units = game.state.units
    assert transport.no_room(game.state, units["red-3"], units["red-2"]) is None
    board(game.state, "red-1", "red-2")
    assert rule_against(transport.no_room(game.state, units["red-3"], units["red-2"])) == "TRN-1"


@rule("TRN-1", "TRN-11")
def test_TRN_1_stands_start_aboard_carriers_that_stand_already() -> None:
    game = march([("half-track-german", "5,10"), ("rifle-40-german", "6,10")])
    state = game.state
    state.lift("red-2", "to place")
    units = state.units
    assert cannot_board(state, "red", units["red-2"], units["red-1"]) is None
    state.lift("red-1", "to place")
    refusal = cannot_board(state, "red", units["red-2"], units["red-1"])
    assert refusal is not None
    assert "not on the table yet" in refusal.sentence()


@rule("TRN-3", "BLD-1")
def test_TRN_3_a_passenger_is_on_no_floor() -> None:
    game = march([("half-track-german", "5,10"), ("rifle-40-german", "6,10")])
    game.play("red", Load("red-1", "red-2"))
    assert (game.state.units["red-2"].carrier, game.state.units["red-2"].floor) == ("red-1", 0)


RIDE = [("half-track-german", "5,10"), ("rifle-40-german", "6,10")]


@rule("BAI-1")
def test_BAI_1_a_die_of_six_sides_and_nothing_but_a_6() -> None:
    for die, survives in ((6, True), (5, False)):
        game = march(RIDE, dice=(die,))
        assert bails_out(game, game.state.units["red-1"], game.state.units["red-2"]) is survives
    game = march(RIDE, dice=(7,))
    with pytest.raises(BadInput, match="from 1 to 6"):
        bails_out(game, game.state.units["red-1"], game.state.units["red-2"])


@rule("STD-16", "QM-1")
def test_STD_16_dismounted_cavalry_marches_quickly_as_infantry_does() -> None:
    assert CHARTS.kinds["rifle-40-german"].quick_march
    assert not CHARTS.kinds["cavalry-40-german"].quick_march
    assert on_foot(CHARTS, CHARTS.kinds["cavalry-40-german"]).quick_march


# --- spotting -----------------------------------------------------------------------------------------------------

WOOD = area("woods", 20, 2, 30, 12)
HIDDEN = "at-45 20.5,7"


@rule("COV-1", "COV-3", "AIL-2")
def test_COV_3_from_the_air_a_wood_is_cover_and_a_crest_is_none() -> None:
    wood = battle("uh-1 10,7", HIDDEN, table=WOOD).state
    assert [each.rule for each in covers(wood, wood.units["red-1"], wood.units["blue-1"])] == ["COV-2"]
    flat_top = battle("uh-1 5,10; pz-iv-h 5,11", "at-45 12.8,10", table=hill(10, 5, 20, 15)).state
    crests = [
        [each.rule for each in covers(flat_top, flat_top.units[name], flat_top.units["blue-1"])]
        for name in ("red-1", "red-2")
    ]
    assert [set(rules) for rules in crests] == [set(), {"COV-3"}]


@rule("SPT-1", "LOS-3")
def test_SPT_1_the_reason_against_a_hidden_target_is_that_of_the_firer_itself() -> None:
    state = battle("tiger-ii 16.5,7", HIDDEN, table=WOOD).state
    refusal = not_spotted(state, state.units["red-1"], state.units["blue-1"])
    assert refusal is not None
    assert (refusal.rule, refusal.facts[-1]) == ("LOS-3", "2")  # two inches for a unit in cover [LLT-1]


@rule("SPT-4")
@pytest.mark.parametrize(("table", "told"), [("", [0, 0]), (WOOD, [1, 0])])
def test_SPT_4_the_log_says_once_that_a_unit_in_cover_is_spotted(table: str, told: list[int]) -> None:
    game = battle("tiger-ii 17,7", HIDDEN, table=table)
    found = []
    for _ in told:
        before = len(game.events)
        reveal(game, game.state.units["blue-1"])
        found.append(sum(event.kind == "spotted" for event in game.events[before:]))
    assert found == told
    assert game.state.units["blue-1"].spotted


@rule("SPT-5", "SPT-9")
@pytest.mark.parametrize(("table", "kept"), [("", ("red-1",)), (area("town", 17.4, 7.2, 18, 8.2), ())])
def test_SPT_5_a_marked_unit_that_passes_dead_ground_is_spotted_no_longer(table: str, kept: tuple[str, ...]) -> None:
    tank = battle("tiger-ii 20,7.7", "t-34-76 16.9,6.5", table=table).state
    tank.change("blue-1", spotters=("red-1",), fired_at=(16_900, 6_500))
    pass_by(tank, "blue-1", (16_900, 6_500), (16_900, 8_900))
    assert tank.units["blue-1"].spotters == kept


# --- missions and opportunity fire --------------------------------------------------------------------------------


@rule("NEU-2", "NEU-4")
def test_NEU_2_the_record_of_a_mission_names_its_firer_and_its_target() -> None:
    game = battery()
    plan(game)
    assert [event.units for event in game.events if event.kind == "plot"] == [("red-2", "blue-1")]


@rule("OPP-6")
def test_R80_by_option_a_leg_of_whole_inches_is_asked_about_once_at_its_end() -> None:
    game = march([("t-34-76", "5,10")], [("pak-75", "15,10")], more='options = ["R80"]\n', blue_1={"position": True})
    go(game, "red-1", 8, 10)
    places = []
    while isinstance(game.stack[-1], OpportunityFire):
        places.append(at(game, "red-1"))
        game.play("blue", Pass())
    assert len(places) == len(set(places))
    assert places[-1] == "8,10"


# --- engineers ----------------------------------------------------------------------------------------------------


def mining(red: list[tuple[str, str]], **values: dict[str, Any]) -> Game[Position]:
    """Red's stands with two minefields to lay and the truck that carries them."""
    return march(red, doctrine='equipment = "truck-german"\nmines = 2\n', **values)


MINERS = [("engineer-german", "10,10"), ("truck-german", "8.5,10")]


@rule("STD-8")
@pytest.mark.parametrize(
    ("values", "wanted"),
    [
        ({}, ""),
        ({"spent": 1}, "DEM-1"),
        ({"moved": True}, "MOV-5"),
        ({"order": "dispersed"}, "GLO-4"),
        ({"fired": True}, "MOV-4"),
    ],
)
def test_STD_8_engineers_that_cannot_move_or_have_moved_lay_no_mines(values: dict[str, Any], wanted: str) -> None:
    game = mining(MINERS, red_1=values)
    assert rule_against(cannot_work(game.state, "red", LayMines("red-1", 90))) == wanted


@rule("STD-8", "RBK-2")
def test_STD_8_others_than_engineers_lay_no_mines() -> None:
    game = mining([("rifle-40-german", "10,10"), *MINERS[1:], ("engineer-german", "20,20")], red_1={"mines": 2})
    assert rule_against(cannot_work(game.state, "red", LayMines("red-1", 90))) == "RBK-2"


@rule("MCT-2")
def test_MCT_2_a_mine_clearing_tank_keeps_exactly_half_of_its_allowance() -> None:
    field = '[[markers]]\nkind = "mines"\nat = ["12,10"]\n'
    game = march([("crab", "12,10"), ("crab", "16,10")], more=field)
    allowances = [going(game.state, game.state.units[name]).allowance for name in ("red-1", "red-2")]
    assert allowances == [points(4), points(8)]


@rule("STD-8", "MOV-10")
def test_MOV_10_nobody_lays_mines_with_the_engineers_of_the_other_side() -> None:
    game = mining(MINERS)
    refusal = cannot_work(game.state, "blue", LayMines("red-1", 90))
    assert refusal is not None
    assert refusal.sentence() == "Engineer platoon 1 is not yours"


BRIDGE = line("stream", "10,0 10,30") + line("road", "0,10 40,10") + crossing("bridge", "9,10 11,10")


def charged(dice: tuple[int, ...] = ()) -> Game[Position]:
    """Engineers who have spent three turns on a bridge, with their truck beside it."""
    red = [("engineer-german", "10,10"), ("truck-german", "8.3,10")]
    game = march(red, ground=BRIDGE, doctrine='equipment = "truck-german"\n', dice=dice)
    for _ in range(3):
        game.play("red", Demolish("red-1"))
        next_phase(game)
    return game


def away(game: Game[Position], x: float, y: float) -> None:
    """The engineers end a move at a point in inches."""
    go(game, "red-1", x, y)
    if game.stack[-1].step == "moving":
        game.play("red", Stop("red-1"))


@rule("DEM-1", "ENG-7")
def test_DEM_1_a_charge_that_waits_for_its_vehicle_does_not_go_off_farther_away() -> None:
    game = charged()  # no dice: nothing is rolled
    game.state.change("red-2", order="dispersed")
    away(game, 11.8, 10)
    assert game.state.jobs["red-1"].away
    game.state.change("red-2", order="good order")
    next_phase(game)
    away(game, 12.8, 10)
    assert not game.state.jobs


@rule("DEM-4", "DEM-1")
def test_DEM_4_the_task_of_engineers_that_leave_dispersed_waits_for_their_return() -> None:
    game = charged(dice=(5,))
    unit = game.state.put("red-1", inches(11.8, 10), order="dispersed")
    end_move(game, unit.id)
    assert game.state.jobs["red-1"].away
    game.state.change("red-1", order="good order")
    next_phase(game)
    away(game, 10.5, 10)
    assert not game.state.jobs["red-1"].away
    next_phase(game)
    away(game, 11.8, 10)
    assert not game.state.jobs
    assert any(work.kind == "fallen bridge" for work in game.state.works.values())


@rule("BRL-1", "MOV-8")
def test_BRL_1_the_layer_backs_straight_away_between_two_friends() -> None:
    friends = [("pz-iv-h", "9.5,9"), ("pz-iv-h", "9.5,11")]
    game = march([("valentine-bridge", "10.5,10"), *friends], ground=line("stream", "12,0 12,30"))
    assert cannot_work(game.state, "red", LayBridge("red-1", 90)) is None


@rule("BRI-9")
def test_BRI_9_a_bridge_is_aimed_at_in_its_middle() -> None:
    land = drawn(line("stream", "10,0 10,30") + crossing("bridge", "9,10 11,12"))
    (bridge,) = land.of_kind("bridge")
    assert fallen(bridge).at == inches(10, 11)


@rule("STD-7")
def test_STD_7_only_engineers_have_flamethrowers() -> None:
    game = march([("engineer-german", "10,10"), ("rifle-40-german", "12,10")], doctrine="flamethrowers = 2\n")
    assert [game.state.units[name].flames for name in ("red-1", "red-2")] == [2, 0]


# --- the end of a segment -----------------------------------------------------------------------------------------


@rule("SEQ-9", "REC-3")
@pytest.mark.parametrize(("more", "recovering"), [("", "recovering"), ('options = ["R5"]\n', "good order")])
def test_SEQ_9_the_end_of_a_segment_changes_the_order_of_recovering_units_alone(more: str, recovering: str) -> None:
    stands = [("pz-iv-h", f"{x},10") for x in (5, 8, 11)]
    game = march(stands, more=more, red_2={"order": "dispersed"}, red_3={"order": "recovering"})
    game.push(SegmentEnd("red"))
    game.run()
    found = [game.state.units[name].order for name in ("red-1", "red-2", "red-3")]
    assert found == ["good order", "dispersed", recovering]


# --- aircraft -----------------------------------------------------------------------------------------------------

TANK = ("pz-iv-h", "10,10")


@rule("AIM-2")
def test_AIM_2_nobody_flies_away_with_aircraft_of_the_other_side_or_with_a_tank() -> None:
    game = march([("uh-1", "5,5"), TANK])
    units = game.state.units
    assert cannot_leave("red", units["red-1"]) is None
    assert cannot_leave("blue", units["red-1"]) is not None
    assert rule_against(cannot_leave("red", units["red-2"])) == "AIR-1"
    game.state.lift("red-1", "exited")
    assert cannot_leave("red", game.state.units["red-1"]) is not None


@rule("AIM-2", "AIR-1")
def test_AIM_2_only_aircraft_of_the_own_side_arrive() -> None:
    game = march([("uh-1", "5,5"), TANK])
    game.state.lift("red-1", "reserve")
    game.state.setting.entries["red-1"] = (1, ("5,5",))
    game.state.lift("red-2", "reserve")
    game.state.setting.entries["red-2"] = (1, ("10,10",))
    units = game.state.units
    assert cannot_arrive(game.state, "red", units["red-1"], inches(5, 5)) is None
    assert cannot_arrive(game.state, "blue", units["red-1"], inches(5, 5)) is not None
    assert rule_against(cannot_arrive(game.state, "red", units["red-2"], inches(10, 10))) == "AIR-1"


@rule("FB-2")
def test_FB_2_aircraft_attack_neither_friends_nor_aircraft_in_the_air() -> None:
    game = march([("uh-1", "10,10"), ("pz-iv-h", "11,10")], [("t-34-76", "9,10"), ("mi-24", "10,11")])
    state = game.state
    plane = state.units["red-1"]
    assert cannot_aim(state, plane, "blue-1") is None
    assert rule_against(cannot_aim(state, plane, "red-2")) != ""
    assert rule_against(cannot_aim(state, plane, "blue-2")) == "FB-2"
    state.lift("blue-1", "eliminated")
    assert cannot_aim(state, plane, "blue-1") is not None


@rule("AIM-1")
def test_AIM_1_aircraft_fly_anywhere_and_the_guns_see_their_whole_way() -> None:
    game = march([("uh-1", "5,5"), TANK])
    assert everywhere(game.state) == (0, 0, 40_000, 30_000)
    fly(game, "red-1", (9_000, 5_000))
    assert game.state.units["red-1"].flown == ((5_000, 5_000), (9_000, 5_000))
    fly(game, "red-1", (9_000, 9_000))
    assert game.state.units["red-1"].flown == ((5_000, 5_000), (9_000, 5_000), (9_000, 9_000))


@rule("ABN-4")
def test_ABN_4_paratroops_in_a_wood_roll_a_die_of_six_sides() -> None:
    game = march([("rifle-40-german", "5,5"), TANK], ground=area("woods", 18, 8, 22, 12), dice=(7,))
    game.state.lift("red-1", "reserve")
    with pytest.raises(BadInput, match="from 1 to 6"):
        land_paratroops(game, "red-1", (20_000, 10_000))


# --- helicopters --------------------------------------------------------------------------------------------------


@rule("TRN-6", "HEL-11")
@pytest.mark.parametrize("mark", ["fired", "moved", "reacted"])
def test_TRN_6_nobody_boards_a_helicopter_after_fire_or_a_move(mark: str) -> None:
    game = march([("uh-1", "5,5"), ("rifle-40-german", "6,5")], red_2={mark: True})
    assert rule_against(has_acted(game.state.units["red-2"])) == "TRN-6"


@rule("TRN-7", "HEL-11")
def test_TRN_7_a_helicopter_loads_or_unloads_in_a_phase_and_never_both() -> None:
    game = march([("uh-1", "5,5")], red_1={"handled": "loaded"})
    carrier = game.state.units["red-1"]
    assert rule_against(handled_otherwise(carrier, "loaded")) == "TRN-7"
    assert handled_otherwise(carrier, "unloaded") is None


@rule("HEL-11", "BLD-1")
def test_HEL_11_a_passenger_of_a_helicopter_is_on_no_floor() -> None:
    game = march([("uh-1", "5,5"), ("rifle-40-german", "6.2,5")], ground=building("7,5"), red_2={"floor": 1})
    load(game, "red-2", "red-1")
    assert (game.state.units["red-2"].carrier, game.state.units["red-2"].floor) == ("red-1", 0)


# --- close combat -------------------------------------------------------------------------------------------------


@rule("OVR-4", "CAT-4")
@pytest.mark.parametrize(
    ("unit", "action", "wanted"),
    [
        ("pz-iv-h", Overrun("red-1", "blue-1"), "OVR-4"),
        ("rifle-40-german", CloseAssault("red-1", "blue-1"), "CAT-4"),
    ],
)
def test_OVR_4_the_log_names_the_rule_of_the_attack_that_a_stand_joins(unit: str, action: Any, wanted: str) -> None:
    game = march([(unit, "10,10")], [("at-45", "11.5,10")])
    events = game.play("red", action)
    assert [event.rule for event in events if event.kind == "charge"] == [wanted]


# --- ground -------------------------------------------------------------------------------------------------------


@rule("BLD-4")
@pytest.mark.parametrize(("size", "stands"), [("[1.2, 0.8]", 1), ("[1, 0.5]", 1), ("[2, 1]", 2), ("[2, 1.4]", 2)])
def test_BLD_4_a_floor_holds_as_many_stands_as_its_footprint_and_one_at_least(size: str, stands: int) -> None:
    game = march([("pz-iv-h", "30,25")], ground=edited(building("10,10"), "[2, 2]", size))
    found = building_at(game.state, inches(10, 10))
    assert found is not None
    assert room_of_a_floor(game.state, found) == stands


@rule("BLD-1")
def test_BLD_1_an_aircraft_over_a_building_is_on_no_floor() -> None:
    game = march([("uh-1", "10,10"), ("rifle-40-german", "20,10")], ground=building("10,10") + building("20,10"))
    assert [game.state.units[name].floor for name in ("red-1", "red-2")] == [0, 1]


@rule("FRD-1")
def test_FRD_1_of_a_hill_the_highest_contour_counts_alone() -> None:
    land = drawn(hill(10, 5, 20, 15))
    assert ground_kinds(land.at(inches(15, 10)).features) == ("hilltop",)
    assert ground_kinds(land.at(inches(11, 10)).features) == ("slope",)
    assert ground_kinds(land.at(inches(5, 10)).features) == ("open",)
