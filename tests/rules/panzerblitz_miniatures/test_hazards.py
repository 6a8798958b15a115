"""Hazards and works on a leg: mines, blocks, streams, cliffs, fortifications, buildings [MIN, BLK, STR, FRT, BLD]."""

from __future__ import annotations

import pytest

from edits import edited
from opfire.core.actions import Refusal
from opfire.core.game import Game
from opfire.rulesets.panzerblitz_miniatures.actions import EndPhase, Pass
from opfire.rulesets.panzerblitz_miniatures.fire.direct import DirectFirePhase, Engage
from opfire.rulesets.panzerblitz_miniatures.moving.marching import Stop
from opfire.rulesets.panzerblitz_miniatures.moving.opportunity import React
from opfire.rulesets.panzerblitz_miniatures.pieces import Position
from rules.panzerblitz_miniatures.grounds import area, building, line, points
from rules.panzerblitz_miniatures.kit import rule
from rules.panzerblitz_miniatures.marches import against, at, go, march, spent

TANK = [("pz-iv-h", "5,10")]
FOOT = [("rifle-40-german", "5,10")]  # 2 movement points
SURVIVES, DISPERSED = (4, 1), (1,)  # in column 2-1 a 4 asks for morale at +2, which a 1 passes; a 1 is X, a 2 is D


def marked(kind: str, *places: str) -> str:
    """Works of a kind at some places."""
    named = ", ".join(f'"{place}"' for place in places)
    return f'markers = [{{ kind = "{kind}", side = "blue", at = [{named}] }}]\n'


def mined(*dice: int) -> Game[Position]:
    """A tank before a minefield of one inch, two inches away."""
    return march(TANK, more=marked("mines", "7,10"), dice=dice)


@rule("MIN-5", "MIN-6")
def test_MIN_5_a_minefield_attacks_who_enters_and_who_leaves() -> None:
    game = mined(*SURVIVES, *SURVIVES)
    events = go(game, "red-1", 8.5, 10)
    assert [event.kind for event in events if event.rule == "MIN-6"] == ["fired", "fired"]
    assert (at(game, "red-1"), spent(game, "red-1")) == ("8.5,10", points(7))


@rule("MIN-5", "MIN-6")
def test_MIN_5_the_attack_has_column_2_1_and_no_modifier() -> None:
    calculation = next(event.calculation for event in go(mined(2), "red-1", 7, 10) if event.rule == "MIN-6")
    assert calculation is not None
    assert (calculation.column, calculation.modifier) == ("2-1", 0)


@rule("MIN-7")
def test_MIN_7_a_unit_dispersed_by_mines_stays_on_them() -> None:
    game = mined(2)  # D
    go(game, "red-1", 8.5, 10)
    assert at(game, "red-1") == "6.5,10"
    assert game.state.units["red-1"].order == "dispersed"
    assert game.state.units["red-1"].moved
    leaving = mined(*SURVIVES, 2)
    go(leaving, "red-1", 8.5, 10)
    assert at(leaving, "red-1") == "7.5,10"


@rule("MIN-5")
def test_MIN_5_a_destroyed_unit_is_gone() -> None:
    game = mined(1)  # X
    go(game, "red-1", 8.5, 10)
    assert game.state.units["red-1"].status == "eliminated"
    assert game.state.progress is None


@rule("MIN-8", "MIN-3")
def test_MIN_8_a_minefield_stays() -> None:
    game = mined(*SURVIVES, *SURVIVES)
    before = dict(game.state.works)
    events = go(game, "red-1", 8.5, 10)
    assert len([event for event in events if event.rule == "MIN-6"]) == 2
    assert game.state.works == before


@rule("MIN-4")
@pytest.mark.parametrize("owner", ["red", "blue"])
def test_MIN_4_mines_attack_the_stands_of_both_sides(owner: str) -> None:
    laid = edited(marked("mines", "7,10"), "blue", owner)
    game = march(TANK, more=laid, dice=[1])  # X
    go(game, "red-1", 7, 10)
    assert game.state.units["red-1"].status == "eliminated"


@rule("MIN-9")
def test_MIN_9_a_stand_attacked_by_mines_can_still_be_fired_at() -> None:
    mines = marked("mines", "6,10")
    game = march(TANK, [("tiger-i", "15,10")], more=mines, dice=[*SURVIVES, 1], blue_1={"position": True})
    assert [event.rule for event in go(game, "red-1", 6.4, 10) if event.kind == "fired"] == ["MIN-6"]
    assert at(game, "red-1") == "6,10"  # a quarter of its points is spent
    events = game.play("blue", React("blue-1", "red-1"))
    assert [event.kind for event in events if event.calculation is not None] == ["fired"]
    assert game.state.units["red-1"].status == "eliminated"


@rule("MIN-9")
def test_MIN_9_mines_count_as_no_kind_of_attack_of_the_segment() -> None:
    game = march(TANK, [("tiger-i", "15,10")], more=marked("mines", "7,10"), dice=SURVIVES)
    go(game, "red-1", 7, 10)
    assert game.state.units["red-1"].attacked == ()
    game.play("red", Stop("red-1"))
    game.play("red", EndPhase())
    game.push(DirectFirePhase("blue"))
    game.run()
    assert game.why_not("blue", Engage("blue-1", "red-1")) is None


@rule("MIN-5")
def test_MIN_5_who_stops_on_a_minefield_is_attacked_once_more_when_it_moves_off() -> None:
    game = mined(*SURVIVES, *SURVIVES)
    go(game, "red-1", 7, 10)
    events = go(game, "red-1", 8, 10)
    assert [event.rule for event in events if event.kind == "fired"] == ["MIN-6"]


@rule("BLK-3")
def test_BLK_3_a_block_is_entered_from_beside_it_and_ends_the_move() -> None:
    game = march(TANK, more=marked("block", "7,10"))  # its edge is an inch from that of the stand
    assert against(game, "red-1", 8, 10) == "BLK-3"
    go(game, "red-1", 7, 10)
    assert game.state.units["red-1"].moved
    assert spent(game, "red-1") == points(4)
    far = march([("pz-iv-h", "4.9,10")], more=marked("block", "7,10"))
    assert against(far, "red-1", 7, 10) == "BLK-3"
    go(far, "red-1", 5.2, 10)  # the place at the beginning of the phase counts
    assert against(far, "red-1", 7, 10) == "BLK-3"


@rule("BLK-3")
def test_BLK_3_in_its_next_phase_a_unit_leaves_at_the_usual_rate() -> None:
    game = march([("pz-iv-h", "7,10")], more=marked("block", "7,10"))
    go(game, "red-1", 9, 10)
    assert (at(game, "red-1"), spent(game, "red-1")) == ("9,10", points(4))
    assert not game.state.units["red-1"].moved


STREAM = line("stream", "6,0 6,30")


@rule("STR-5")
def test_STR_5_foot_enters_a_stream_with_a_morale_check_at_plus_1() -> None:
    game = march(FOOT, ground=STREAM, dice=[3])  # normal morale passes with 4
    go(game, "red-1", 6, 10)
    assert at(game, "red-1") == "6,10"
    assert not game.state.units["red-1"].dispersed


@rule("STR-5", "OPP-15")
def test_STR_5_who_fails_is_dispersed_and_stays_outside() -> None:
    game = march(FOOT, ground=STREAM, dice=[4])
    go(game, "red-1", 6, 10)
    assert at(game, "red-1") == "5.499,10"
    assert game.state.units["red-1"].dispersed
    assert spent(game, "red-1") > points(1)  # the inch of the stream is spent too


@rule("STR-5")
def test_STR_5_by_option_every_unit_that_enters_is_dispersed() -> None:
    game = march(FOOT, ground=STREAM, more='options = ["R16"]\n')
    go(game, "red-1", 6, 10)
    assert at(game, "red-1") == "5.5,10"
    assert game.state.units["red-1"].dispersed


@rule("STR-3", "RIV-3", "RIV-5", "AMP-1")
def test_STR_3_vehicles_enter_neither_stream_nor_river() -> None:
    assert against(march(TANK, ground=STREAM), "red-1", 6, 10) == "STR-3"
    assert against(march(TANK, ground=area("water", 6, 0, 9, 30)), "red-1", 7, 10) == "RIV-5"


@rule("AMP-1", "RIV-5")
def test_AMP_1_amphibious_units_swim_where_the_scenario_lets_them() -> None:
    river = area("water", 6, 0, 9, 30)
    game = march([("t-38", "5,10")], ground=river)
    assert against(game, "red-1", 7, 10) == "RIV-5"
    game = march([("t-38", "5,10")], ground=river, doctrine="swims = true\n")
    assert against(game, "red-1", 7, 10) == ""


CLIFF = line("cliff", "6,0 6,30")


@rule("TEC-4")
def test_TEC_4_infantry_climbs_a_cliff_with_a_1() -> None:
    game = march(FOOT, ground=CLIFF, dice=[1])
    go(game, "red-1", 6.5, 10)
    assert at(game, "red-1") == "6.5,10"
    failed = march(FOOT, ground=CLIFF, dice=[2])
    go(failed, "red-1", 6.5, 10)
    assert at(failed, "red-1") == "6,10" or at(failed, "red-1") == "5.999,10"
    assert failed.state.units["red-1"].moved
    assert against(march([("mortar-81-german", "5,10")], ground=CLIFF), "red-1", 6.5, 10) == "TEC-4"


@rule("FRT-3", "FRT-9", "FRT-4")
def test_FRT_9_an_empty_fortification_is_taken_by_moving_in() -> None:
    game = march(FOOT, more=marked("fort", "7,10"))
    go(game, "red-1", 7, 10)
    assert game.state.units["red-1"].work == "fort@7,10"
    assert against(march(TANK, more=marked("fort", "7,10")), "red-1", 7, 10) == "FRT-3"


@rule("FRT-3", "MOV-8")
def test_FRT_3_a_fortification_has_room_for_one_or_as_the_scenario_says() -> None:
    two = [("rifle-40-german", "5,10"), ("rifle-40-german", "7.45,10.45")]
    inside = {"red_2": {"work": "fort@7,10"}}
    assert against(march(two, more=marked("fort", "7,10"), **inside), "red-1", 6.6, 9.6) == "FRT-3"
    roomy = march(two, more="fort_room = 2\n" + marked("fort", "7,10"), **inside)
    assert against(roomy, "red-1", 6.6, 9.6) == ""


@rule("IMP-3", "IMP-4", "FRT-9")
def test_IMP_4_an_empty_improved_position_is_taken_by_moving_in() -> None:
    game = march(TANK, more=marked("improved position 2", "7,10"))
    go(game, "red-1", 7, 10)
    assert game.state.units["red-1"].work == "improved position 2@7,10"
    game.play("red", Stop("red-1"))


HOUSE = building("7,10")  # two inches by two: room for four stands on a floor


@rule("BLD-1", "BLD-3")
def test_BLD_1_foot_enters_a_building_and_vehicles_do_not() -> None:
    game = march(FOOT, ground=HOUSE)
    go(game, "red-1", 6.5, 10)
    assert game.state.units["red-1"].floor == 1
    assert against(march(TANK, ground=HOUSE), "red-1", 7, 10) == "BLD-1"


@rule("BLD-3", "MOV-8")
def test_BLD_3_occupants_leave_room_for_others() -> None:
    game = march([*FOOT, ("rifle-40-german", "6.5,10")], ground=HOUSE, red_2={"floor": 1})
    assert against(game, "red-1", 6.4, 10) == ""


@rule("BLD-4")
def test_BLD_4_a_floor_holds_what_its_footprint_has_room_for() -> None:
    four = [("rifle-40-german", place) for place in ("6.2,9.5", "6.2,10.5", "7.5,9.5", "7.5,10.5")]
    full = {f"red_{number}": {"floor": 1} for number in range(2, 6)}
    assert against(march([*FOOT, *four], ground=HOUSE, **full), "red-1", 6.5, 10) == "BLD-4"
    del full["red_5"]
    assert against(march([*FOOT, *four[:3]], ground=HOUSE, **full), "red-1", 6.5, 10) == ""


@rule("BLD-6", "MOV-9")
def test_BLD_6_enemies_may_hold_another_floor() -> None:
    blue = [("rifle-43-soviet", "7,10")]
    assert against(march(FOOT, blue, HOUSE, blue_1={"floor": 1}), "red-1", 6.5, 10) == "BLD-6"
    two = HOUSE + "floors = 2\n"
    game = march(FOOT, blue, two, blue_1={"floor": 1})
    go(game, "red-1", 6.5, 10)
    game.play("blue", Pass())  # a building serves as a Firing Position
    assert game.state.units["red-1"].floor == 2


@rule("WRK-2", "WRK-3")
def test_WRK_2_wrecks_bar_the_way() -> None:
    game = march(TANK, more=marked("wreck", "7,10"))
    assert against(game, "red-1", 8, 10) == "WRK-2"
    assert isinstance(game.why_not("red", Stop("red-1")), Refusal)
