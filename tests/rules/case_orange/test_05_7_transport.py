"""Transporting units [5.7], leaving and entering the game [5.8]. Tests are named after rules, in the book's order."""

from __future__ import annotations

import pytest

from opfire.kit.orders import Pass
from opfire.kit.setup import StartAboard
from opfire.rulesets.case_orange.actions import EndSegment
from opfire.rulesets.case_orange.assault import Assault
from opfire.rulesets.case_orange.carrying import Load, Unload
from opfire.rulesets.case_orange.combat import suffer
from opfire.rulesets.case_orange.direct import Attack, Fire
from opfire.rulesets.case_orange.indirect import DeclareFire
from opfire.rulesets.case_orange.movement import Enter, ExitMap, Move, Stop
from opfire.rulesets.case_orange.pieces import stacked_points
from opfire.rulesets.case_orange.reaction import Shoot
from opfire.rulesets.case_orange.sequence import RemoveUnit
from opfire.rulesets.case_orange.setup import Place
from rules.case_orange.drawing import (
    allowed,
    draw,
    full,
    german,
    marker,
    offered,
    play,
    preview,
    refused,
    rule,
    soviet,
    spent,
    unit,
    where,
)
from rules.case_orange.scenes import scene

ROWS = "\n".join([". . . . . . ."] * 3)
TANK, TRUCK, RIFLE, GUN = "pz-iv-h", "truck-german", "rifle-40-german", "ig-75"
HALF_TRACK = "half-track-german"


def loaded(carrier=TRUCK, load=RIFLE, at="A1", step="vehicle", rows=ROWS, **more):
    """A carrier of movement 12 with a load."""
    return draw(rows, truck=german(carrier, at, movement=12), load=german(load, carrier="truck"), step=step, **more)


def empty(carrier=TRUCK, load=RIFLE, at="A1", **more):
    """A carrier of movement 12 and a unit beside it in the hex."""
    return draw(ROWS, truck=german(carrier, at, movement=12), load=german(load, at), step="vehicle", **more)


# --- one act of carrying a turn [5.7] ---------------------------------------------------------------------------


@rule("5.7")
def test_5_7_a_carrier_loads_and_goes_no_farther():
    game = empty()
    play(game, Load("truck", "load"))
    assert unit(game, "load").carrier == "truck"
    assert refused(game, Move("truck", "B1")) in ("5.2", "5.7")


@rule("5.7")
def test_5_7_it_may_come_half_its_movement_to_load():
    """Six factors of twelve are three clear hexes for class C; one more is too far."""
    for hexes in (3, 4):
        path = ["B1", "C1", "D1", "E1"][:hexes]
        game = draw(ROWS, truck=german(TRUCK, "A1", movement=12), load=german(RIFLE, path[-1]), step="vehicle")
        play(game, *(Move("truck", hex) for hex in path))
        if hexes == 3:
            play(game, Load("truck", "load"))
            assert refused(game, Move("truck", "E1")) in ("5.2", "5.7")
        else:
            assert refused(game, Load("truck", "load")) == "5.7"


@rule("5.7")
def test_5_7_it_may_transport_over_its_whole_movement():
    game = loaded()
    play(game, *(Move("truck", hex) for hex in ("B1", "C1", "D1", "E1", "F1", "G1")))
    assert where(game, "load") == "G1"


@rule("5.7", "2.0-G01")
def test_5_7_it_unloads_after_half_its_movement_at_most_and_stays():
    game = loaded()
    play(game, *(Move("truck", hex) for hex in ("B1", "C1", "D1")), Unload("truck"))
    assert (where(game, "truck"), where(game, "load")) == ("D1", "D1")
    assert unit(game, "load").carrier is None
    assert refused(game, Move("truck", "E1")) in ("5.2", "5.7")
    game = loaded()
    play(game, *(Move("truck", hex) for hex in ("B1", "C1", "D1", "E1")))
    assert refused(game, Unload("truck")) == "5.7"


@rule("5.7", "2.0-G01")
def test_5_7_or_moves_half_its_movement_after_unloading():
    game = loaded()
    play(game, Unload("truck"), *(Move("truck", hex) for hex in ("B1", "C1", "D1")))
    assert (where(game, "truck"), where(game, "load")) == ("D1", "A1")
    assert refused(game, Move("truck", "E1")) in ("5.1", "5.2")


@rule("5.7")
def test_5_7_but_not_before_and_after():
    game = loaded()
    play(game, Move("truck", "B1"), Unload("truck"))
    assert refused(game, Move("truck", "C1")) in ("5.1", "5.2", "5.7")


@rule("5.7")
def test_5_7_a_carrier_that_unloaded_loads_nobody_else():
    game = draw(
        ROWS,
        truck=german(TRUCK, "A1"),
        load=german(RIFLE, carrier="truck"),
        other=german(RIFLE, "A1"),
        step="vehicle",
    )
    play(game, Unload("truck"))
    assert refused(game, Load("truck", "other")) == "5.7"
    assert refused(game, Load("truck", "load")) == "5.7"


@rule("5.7")
def test_5_7_one_passenger():
    game = draw(
        ROWS,
        truck=german(TRUCK, "A1"),
        load=german(RIFLE, carrier="truck"),
        other=german(RIFLE, "A1"),
        step="vehicle",
    )
    assert refused(game, Load("truck", "other")) == "5.7"


@rule("5.7")
def test_5_7_a_passenger_is_eligible():
    for values, number in (({"face_up": False}, "2.0-G09"), ({"dispersed": "D"}, "2.0-G07")):
        game = draw(ROWS, truck=german(TRUCK, "A1"), load=german(RIFLE, "A1", **values), step="vehicle")
        assert refused(game, Load("truck", "load")) == number


@rule("5.7")
def test_5_7_so_is_its_carrier():
    for values, number in (({"face_up": False}, "2.0-G09"), ({"dispersed": "DD"}, "2.0-G07")):
        game = draw(ROWS, truck=german(TRUCK, "A1", **values), load=german(RIFLE, "A1"), step="vehicle")
        assert refused(game, Load("truck", "load")) == number


@rule("5.7")
def test_5_7_they_are_in_one_hex():
    game = draw(ROWS, truck=german(TRUCK, "A1"), load=german(RIFLE, "B1"), step="vehicle")
    assert refused(game, Load("truck", "load")) == "5.7"


@rule("5.7")
def test_5_7_who_unloads_does_not_move_that_turn():
    game = loaded()
    play(game, Unload("truck"), Stop("truck"), EndSegment())
    assert refused(game, Move("load", "B1")) == "5.7"


@rule("5.7")
def test_5_7_nor_does_who_was_loaded():
    game = empty()
    play(game, Load("truck", "load"))
    if game.stack[-1].step != "vehicle":
        play(game, Stop("truck"))
    play(game, EndSegment())
    assert refused(game, Move("load", "B1")) == "5.7.1"


@rule("5.7")
def test_5_7_who_moved_is_not_loaded():
    game = draw(ROWS, truck=german(TRUCK, "A1"), load=german(RIFLE, "A1", moved=True), step="vehicle")
    assert refused(game, Load("truck", "load")) == "5.7"


@rule("5.7")
def test_5_7_in_its_next_turn_it_moves_again():
    game = loaded()
    play(game, Unload("truck"), Stop("truck"), EndSegment(), EndSegment(), EndSegment())
    play(game, *[EndSegment()] * 6, *[EndSegment()] * 4)
    assert allowed(game, Move("load", "B1"))


@rule("5.7")
def test_5_7_a_load_takes_no_more_room_than_the_carrier_has():
    """Own reading (R42): a platoon's truck does not carry a company."""
    game = draw(ROWS, truck=german(TRUCK, "A1"), load=german("rifle-41-soviet", "A1"), step="vehicle")
    assert refused(game, Load("truck", "load")) == "5.7"


# --- one unit [5.7.1] -------------------------------------------------------------------------------------------


@rule("5.7.1")
def test_5_7_1_a_passenger_neither_moves_nor_fires_nor_is_fired_at():
    game = loaded(HALF_TRACK, step="non-vehicle")
    assert refused(game, Move("load", "B1")) == "5.7.1"
    game = loaded(HALF_TRACK, step="direct", gun=soviet("at-76", "C1"))
    assert refused(game, Attack("load", "gun")) == "5.7.1"
    game = loaded(HALF_TRACK, step="direct", gun=soviet("at-76", "C1"), side="soviet")
    assert refused(game, Attack("gun", "load")) == "5.7.1"
    assert allowed(game, Attack("gun", "truck"))


@rule("5.7.1")
def test_5_7_1_loaded_they_defend_as_the_carrier():
    """The truck's defence of one, as class C an 'other' target; the rifle's eight do not matter."""
    game = loaded(step="direct", gun=soviet("at-76", "C1"), side="soviet")
    play(game, Attack("gun", "truck"))
    calculation = preview(game, Fire())
    assert [line.amount for line in calculation.lines if line.kind == "defence"] == [1]


@rule("5.7.1", "7.1")
def test_5_7_1_loaded_they_stack_as_the_carrier():
    game = draw(
        ROWS,
        truck=german(TRUCK, "A1"),
        load=german(RIFLE, carrier="truck"),
        one=german(TANK, "B1"),
        two=german(TANK, "B1"),
        three=german(TANK, "B1"),
        step="vehicle",
    )
    assert stacked_points(game.state, full("A1")) == 1
    assert allowed(game, Move("truck", "B1"))


@rule("5.7.1")
@pytest.mark.parametrize("result", ["D", "X"])
def test_5_7_1_a_result_strikes_both(result):
    game = loaded(step="direct")
    suffer(game, "truck", result)
    if result == "D":
        assert (unit(game, "truck").dispersed, unit(game, "load").dispersed) == ("D", "D")
        assert not unit(game, "load").face_up
        assert unit(game, "load").carrier == "truck"  # it stays aboard
    else:
        assert (unit(game, "truck").status, unit(game, "load").status) == ("eliminated", "eliminated")


@rule("5.7.1")
def test_5_7_1_a_dd_strikes_both_and_throws_the_passenger_out():
    game = loaded(step="direct")
    suffer(game, "truck", "DD")
    assert (unit(game, "truck").dispersed, unit(game, "load").dispersed) == ("DD", "DD")
    assert (unit(game, "load").carrier, unit(game, "truck").cargo) == (None, None)
    assert (where(game, "load"), where(game, "truck")) == ("A1", "A1")


@rule("5.7.1")
def test_5_7_1_d_upon_d_is_no_dd_result():
    """It makes DD markers, but nobody unloads: own reading."""
    game = draw(ROWS, truck=german(TRUCK, "A1", dispersed="D"), load=german(RIFLE, carrier="truck", dispersed="D"))
    suffer(game, "truck", "D")
    assert (unit(game, "truck").dispersed, unit(game, "load").dispersed) == ("DD", "DD")
    assert unit(game, "load").carrier == "truck"


def overflow(points):
    """A loaded truck under fire in a hex with other units of the given points."""
    others = {f"other{n}": german(RIFLE, "C1") for n in range(points)}
    return draw(
        ROWS,
        gun=soviet("at-76", "A1", attack=4),
        truck=german(TRUCK, "C1"),
        load=german(RIFLE, carrier="truck"),
        **others,
        side="soviet",
    )


@rule("5.7.1")
def test_5_7_1_when_the_hex_overflows_the_owner_removes_one_of_the_two():
    """Half of four against one is 2:1, where a two makes DD; with three more points in the hex that is five."""
    game = overflow(3)
    play(game, Attack("gun", "truck"), Fire(), dice=[2])
    assert game.asked() == ("german",)
    assert offered(game, RemoveUnit) == {RemoveUnit("truck"), RemoveUnit("load")}
    assert refused(game, RemoveUnit("other0")) == "5.7.1"
    play(game, RemoveUnit("truck"))
    assert (where(game, "truck"), where(game, "load")) == ("", "C1")
    assert stacked_points(game.state, full("C1")) == 4
    assert game.asked() == ("soviet",)


@rule("5.7.1")
def test_5_7_1_when_it_does_not_nobody_is_removed():
    game = overflow(2)
    play(game, Attack("gun", "truck"), Fire(), dice=[2])
    assert game.asked() == ("soviet",)
    assert stacked_points(game.state, full("C1")) == 4
    assert unit(game, "load").carrier is None


# --- fire at those who load and unload [5.7.2] --------------------------------------------------------------------


def watched(load_status, **more):
    """A carrier next to nobody, in view of a gun of class A."""
    return draw(
        ROWS,
        truck=german(TRUCK, "A1"),
        load=german(RIFLE, carrier="truck") if load_status == "aboard" else german(RIFLE, "A1"),
        gun=soviet("at-76", "C1", range=8),
        step="vehicle",
        **more,
    )


@rule("5.7.2")
def test_5_7_2_who_unloads_is_fired_at_unloaded():
    game = watched("aboard")
    play(game, Unload("truck"))
    assert offered(game, Shoot) == {Shoot(("gun",), "truck"), Shoot(("gun",), "load")}


@rule("5.7.2")
def test_5_7_2_who_loads_is_fired_at_loaded():
    game = watched("beside")
    play(game, Load("truck", "load"))
    assert offered(game, Shoot) == {Shoot(("gun",), "truck")}
    assert refused(game, Shoot(("gun",), "load")) in ("6.0", "5.7.1")


@rule("5.7.2")
def test_5_7_2_who_enters_is_fired_at_loaded_even_when_it_then_unloads():
    game = watched("aboard")
    play(game, Move("truck", "B1"))
    assert offered(game, Shoot) == {Shoot(("gun",), "truck")}
    play(game, Pass(), Unload("truck"))
    assert offered(game, Shoot) == {Shoot(("gun",), "truck"), Shoot(("gun",), "load")}


@rule("5.7.2")
def test_5_7_2_unloaded_they_are_attacked_separately():
    game = watched("aboard")
    play(game, Unload("truck"))
    play(game, Shoot(("gun",), "truck"), dice=[1])  # six to one
    assert unit(game, "truck").status == "eliminated"
    assert unit(game, "load").dispersed == ""


# --- firing and observing [5.7.3] -----------------------------------------------------------------------------------


@rule("5.7.3")
def test_5_7_3_a_carrier_may_fire_loaded_but_its_passenger_not():
    game = loaded(HALF_TRACK, step="direct", enemy=soviet("rifle-41-soviet", "B1", defence=4))
    assert allowed(game, Attack("truck", "enemy"))
    assert refused(game, Attack("load", "enemy")) == "5.7.1"


def observed_from_a_truck(**values):
    rows = "\n".join(["."] * 3 + ["w"] + ["."] * 3)
    return draw(
        rows,
        mortar=german("mortar-81-german", "A1", registered="A7"),
        truck=german(TRUCK, "A6", **values),
        observer=german("observer-german", carrier="truck"),
        enemy=soviet("rifle-41-soviet", "A7", face_up=False),
        spotter=german(TANK, "A6"),
        step="indirect",
    )


@rule("5.7.3")
def test_5_7_3_a_carried_observer_observes_and_its_carrier_is_inverted():
    game = observed_from_a_truck()
    play(game, DeclareFire("mortar", full("A7"), "registered"), EndSegment(), dice=[6])
    assert not unit(game, "truck").face_up
    assert not unit(game, "mortar").face_up


@rule("5.7.3")
def test_5_7_3_the_inverted_carrier_is_told_before_and_after_and_has_not_fired():
    game = observed_from_a_truck()
    play(game, DeclareFire("mortar", full("A7"), "registered"))
    (mission,) = game.view("german")["missions"]
    assert mission["note"] == "truck will be inverted: only its passenger observes"
    events = play(game, EndSegment(), dice=[6])
    (told,) = [event for event in events if event.rule == "5.7.3"]
    assert told.sentence() == f"observer observes {full('A7')} from truck, which is inverted"
    assert not unit(game, "truck").fired


@rule("5.7.3")
def test_5_7_3_an_observer_on_foot_costs_nobody_anything():
    rows = "\n".join(["."] * 3 + ["w"] + ["."] * 3)
    game = draw(
        rows,
        mortar=german("mortar-81-german", "A1", registered="A7"),
        truck=german(TRUCK, "A6"),
        observer=german("observer-german", "A6"),
        enemy=soviet("rifle-41-soviet", "A7", face_up=False),
        spotter=german(TANK, "A6"),
        step="indirect",
    )
    play(game, DeclareFire("mortar", full("A7"), "registered"))
    assert [mission["note"] for mission in game.view("german")["missions"]] == [""]
    play(game, EndSegment(), dice=[6])
    assert unit(game, "truck").face_up
    assert unit(game, "observer").face_up


# --- who carries whom [5.7.4, 5.7.5] ----------------------------------------------------------------------------------


@rule("5.7.4")
@pytest.mark.parametrize("carrier", [TRUCK, HALF_TRACK, "wagon-german", "sdkfz-250"])
@pytest.mark.parametrize("load", [RIFLE, "engineer-german", GUN, "mortar-81-german", "cp-german"])
def test_5_7_4_class_c_and_c_i_carry_whatever_is_no_vehicle(carrier, load):
    assert allowed(empty(carrier, load), Load("truck", "load"))


@rule("5.7.4")
@pytest.mark.parametrize("load", [TANK, TRUCK, HALF_TRACK, "cavalry-40-german", "motorcycle-40-german"])
def test_5_7_4_vehicles_and_cavalry_are_not_carried(load):
    assert refused(empty(TRUCK, load), Load("truck", "load")) == "5.7.4"


@rule("5.7.4")
@pytest.mark.parametrize("carrier", ["motorcycle-40-german", "sdkfz-10-4"])
def test_5_7_4_vehicles_of_other_classes_carry_nobody(carrier):
    assert refused(empty(carrier), Load("truck", "load")) == "5.7.4"


RUSSIANS = {"side": "soviet", "step": "vehicle"}


@rule("5.7.5")
@pytest.mark.parametrize("load", ["smg-41-soviet", "rifle-41-soviet", "engineer-soviet"])
def test_5_7_5_by_doctrine_infantry_and_engineers_ride_on_armour(load):
    game = draw(ROWS, tank=soviet("t-34-76", "A1"), load=soviet(load, "A1"), **RUSSIANS)
    play(game, Load("tank", "load"))
    assert unit(game, "load").carrier == "tank"


@rule("5.7.5")
@pytest.mark.parametrize("load", ["at-45", "mortar-82-soviet", "cp-soviet"])
def test_5_7_5_nobody_else_does(load):
    game = draw(ROWS, tank=soviet("t-34-76", "A1"), load=soviet(load, "A1"), **RUSSIANS)
    assert refused(game, Load("tank", "load")) == "5.7.5"


@rule("5.7.5")
def test_5_7_5_without_the_doctrine_nobody_at_all():
    assert refused(empty(TANK), Load("truck", "load")) == "5.7.5"
    assert refused(empty(TANK, sides={"german": {"riders": True}}), Load("truck", "load")) == "5.7.5"  # not on these


@rule("5.7.5")
def test_5_7_5_some_armour_of_a_side_with_the_doctrine_carries():
    tank, load = german(TANK, "A1", carries="riders"), german(RIFLE, "A1")
    game = draw(ROWS, tank=tank, load=load, step="vehicle", sides={"german": {"riders": True}})
    assert allowed(game, Load("tank", "load"))


def ridden(**more):
    """Riders on a tank in the open, and a German gun that fires at either."""
    return draw(
        ROWS,
        gun=german(TANK, "A1", attack=14),
        tank=soviet("t-34-76", "C1"),
        riders=soviet("smg-41-soviet", carrier="tank"),
        **more,
    )


@rule("5.7.5")
def test_5_7_5_a_rider_is_a_target_with_a_defence_of_one():
    game = ridden()
    play(game, Attack("gun", "riders"))
    calculation = preview(game, Fire())
    assert [line.amount for line in calculation.lines if line.kind == "defence"] == [1]
    assert [line.amount for line in calculation.lines if line.kind == "attack"] == [7]  # class A against others: half


@rule("5.7.5")
def test_5_7_5_one_also_in_town():
    """The factor is one, whatever a town would make of its own."""
    game = draw(
        ". . t",
        gun=german(TANK, "A1"),
        tank=soviet("t-34-76", "C1", spotted="spotted"),
        riders=soviet("smg-41-soviet", carrier="tank"),
    )
    play(game, Attack("gun", "riders"))
    assert [line.amount for line in preview(game, Fire()).lines if line.kind == "defence"] == [1]


@rule("5.7.5", "5.7.1")
def test_5_7_5_riders_are_spotted_as_their_tank_is():
    for marked in ("", "spotted"):
        game = draw(
            ". . t",
            gun=german(TANK, "A1"),
            tank=soviet("t-34-76", "C1", spotted=marked),
            riders=soviet("smg-41-soviet", carrier="tank"),
        )
        if marked:
            assert allowed(game, Attack("gun", "riders"))
        else:
            assert refused(game, Attack("gun", "riders")) == "2.0-G14"


@rule("5.7.5")
@pytest.mark.parametrize(("result", "tank", "riders"), [("D", "D", "D"), ("DD", "DD", "DD")])
def test_5_7_5_results_of_the_tank_strike_the_riders(result, tank, riders):
    game = ridden()
    suffer(game, "tank", result)
    assert (unit(game, "tank").dispersed, unit(game, "riders").dispersed) == (tank, riders)
    assert (unit(game, "riders").carrier is None) == (result == "DD")


@rule("5.7.5")
def test_5_7_5_an_eliminated_tank_takes_its_riders_with_it():
    game = ridden()
    suffer(game, "tank", "X")
    assert unit(game, "riders").status == "eliminated"


@rule("5.7.5")
@pytest.mark.parametrize("result", ["D", "DD", "X"])
def test_5_7_5_results_of_the_riders_do_not_strike_the_tank(result):
    game = ridden()
    suffer(game, "riders", result)
    assert unit(game, "tank").dispersed == ""
    assert unit(game, "tank").face_up
    riders = unit(game, "riders")
    if result == "D":
        assert (riders.dispersed, riders.carrier) == ("D", "tank")
    elif result == "DD":  # they get off where they are
        assert (riders.dispersed, riders.carrier, where(game, "riders")) == ("DD", None, "C1")
    else:
        assert riders.status == "eliminated"
        assert unit(game, "tank").cargo is None


@rule("5.7.5")
def test_5_7_5_an_open_fire_window_offers_tank_and_riders():
    game = draw(
        ROWS,
        gun=german(TANK, "A1"),
        tank=soviet("t-34-76", "D1"),
        riders=soviet("smg-41-soviet", carrier="tank"),
        **RUSSIANS,
    )
    play(game, Move("tank", "C1"))
    assert offered(game, Shoot) == {Shoot(("gun",), "tank"), Shoot(("gun",), "riders")}


# --- unloading [5.7.6 to 5.7.8] --------------------------------------------------------------


@rule("5.7.6")
def test_5_7_6_no_unloading_into_a_full_hex():
    for others, fits in ((2, True), (3, False)):
        company = {f"other{n}": german(RIFLE, "A1") for n in range(others)}
        game = loaded(**company)
        if fits:
            assert allowed(game, Unload("truck"))
        else:
            assert refused(game, Unload("truck")) == "5.7.6"


@rule("5.7.1")
def test_5_7_7_the_carrier_goes_beneath_what_it_unloads():
    game = loaded(other=german(RIFLE, "A1"))
    play(game, Unload("truck"))
    stack = game.state.stacks[full("A1")]
    assert stack[-1] == "truck"
    assert set(stack) == {"truck", "load", "other"}


@rule("5.7.7", "13.2")
def test_5_7_7_engineers_who_go_aboard_begin_their_turns_on_a_bridge_again():
    """The complete turns on a bridge are spent there one after the other."""
    game = empty(load="engineer-german")
    game.state.change("load", charges=1)
    play(game, Load("truck", "load"))
    assert unit(game, "load").carrier == "truck"
    assert unit(game, "load").charges == 0


# --- aboard at set-up [5.7.4, 5.7.5] ----------------------------------------------------------------------------


def setting_up(**forces):
    """A set-up in A1 and A2: the units are german-1 and so on, in this order; german-1 is in A1."""
    game = scene(german={kind.replace("_", "-"): number for kind, number in forces.items()}, zone=["A1", "A2"])
    play(game, Place("german-1", "A1"))
    return game


@rule("5.7.4")
def test_5_7_4_a_unit_is_set_up_aboard_a_carrier_that_is_there_and_empty():
    game = setting_up(truck_german=2, rifle_42_german=2)
    assert refused(game, StartAboard("german-3", "german-2")) == "5.7"  # not there yet
    assert refused(game, StartAboard("soviet-1", "german-1")) == "procedure"
    assert refused(game, StartAboard("german-3", "soviet-1")) == "procedure"
    assert refused(game, StartAboard("german-4", "german-1")) == "procedure"  # its like comes first
    play(game, StartAboard("german-3", "german-1"))
    assert (where(game, "german-3"), unit(game, "german-3").carrier) == ("A1", "german-1")
    assert refused(game, StartAboard("german-4", "german-1")) == "5.7"  # taken
    play(game, Place("german-2", "A2"))
    assert refused(game, StartAboard("german-3", "german-2")) == "procedure"  # aboard already
    assert allowed(game, StartAboard("german-4", "german-2"))


@rule("5.7.4", "5.7.5")
@pytest.mark.parametrize(
    ("carrier", "passenger", "why"),
    [
        ("truck_german", "cavalry_40_german", "5.7.4"),
        ("truck_german", "pz_iv_h", "5.7.4"),
        ("rifle_40_german", "hmg_german", "5.7.4"),
        ("pz_iv_h", "rifle_42_german", "5.7.5"),
    ],
)
def test_5_7_4_nor_is_a_unit_set_up_aboard_one_that_never_carries_it(carrier, passenger, why):
    game = setting_up(**{carrier: 1, passenger: 1})
    assert refused(game, StartAboard("german-2", "german-1")) == why


@rule("5.7.8")
@pytest.mark.parametrize("kind", ["position", "fort"])
def test_5_7_8_works_are_loaded_from_by_a_carrier_above_them(kind):
    markers = [marker(kind, "A1", value="10/5") if kind == "fort" else marker(kind, "A1")]
    rifle = german(RIFLE, "A1", below=kind)
    game = draw(ROWS, truck=german(TRUCK, "A1"), load=rifle, step="vehicle", markers=markers)
    play(game, Load("truck", "load"))
    assert unit(game, "load").carrier == "truck"
    assert unit(game, "truck").below == ""
    game = draw(ROWS, truck=german(TRUCK, "A1", below=kind), load=rifle, step="vehicle", markers=markers)
    assert refused(game, Load("truck", "load")) == "5.7.8"


@rule("5.7.8")
@pytest.mark.parametrize("kind", ["position", "fort"])
def test_5_7_8_whoever_unloads_is_above_the_works_too(kind):
    """A carrier set up below with its load comes out first."""
    markers = [marker(kind, "A1", value="10/5") if kind == "fort" else marker(kind, "A1")]
    load = german("pak-75", carrier="truck")
    game = draw(ROWS, truck=german(TRUCK, "A1", below=kind), load=load, step="vehicle", markers=markers)
    assert refused(game, Unload("truck")) == "5.7.8"
    play(game, Move("truck", "B1"))
    assert allowed(game, Unload("truck"))


@rule("5.7")
def test_5_7_an_unloaded_passenger_may_still_assault():
    game = draw(
        ROWS,
        truck=german(TRUCK, "A1"),
        load=german(RIFLE, carrier="truck"),
        enemy=soviet("truck-soviet", "C1"),
        step="vehicle",
    )
    play(game, Move("truck", "B1"), Unload("truck"))
    play(game, EndSegment(), EndSegment())
    assert allowed(game, Assault("load", full("C1")))


# --- leaving and entering [5.8] --------------------------------------------------------------

EXIT = [{"side": "german", "condition": "exit", "hexes": ["A1", "A3"]}]
ROAD = {"roads": ["< A1 B1 C1"]}


@rule("5.8.1")
def test_5_8_1_units_leave_where_the_scenario_says():
    game = draw(ROWS, tank=german(TANK, "A1"), other=german(TANK, "A2"), step="vehicle", victory=EXIT)
    assert refused(game, ExitMap("other")) == "5.8.1"
    play(game, ExitMap("tank"))
    assert (unit(game, "tank").status, where(game, "tank")) == ("exited", "")


@rule("5.8.1")
def test_5_8_1_not_without_leave_though_a_road_leads_off():
    game = draw(ROWS, tank=german(TANK, "A1"), step="vehicle", fields=ROAD)
    assert refused(game, ExitMap("tank")) == "5.8.1"
    game = draw(ROWS, tank=soviet("t-34-76", "A1"), step="vehicle", side="soviet", fields=ROAD, victory=EXIT)
    assert refused(game, ExitMap("tank")) == "5.8.1"


@rule("5.8.1")
@pytest.mark.parametrize(("fields", "movement", "fits"), [(ROAD, 2, True), (None, 3, False), (None, 4, True)])
def test_5_8_1_by_road_at_the_road_rate(fields, movement, fits):
    """From B1 a truck pays half and half by road, two and two off it."""
    game = draw(ROWS, truck=german(TRUCK, "B1", movement=movement), step="vehicle", fields=fields, victory=EXIT)
    play(game, Move("truck", "A1"))
    if fits:
        assert allowed(game, ExitMap("truck"))
    else:
        assert refused(game, ExitMap("truck")) in ("5.1", "5.2")


@rule("5.8.1", "5.4.17.1", "5.4.18")
@pytest.mark.parametrize(
    ("kind", "movement", "way", "fits"),
    [
        (TANK, 3, None, False),
        (TANK, 4, None, True),
        (TRUCK, 6, None, False),
        (TRUCK, 7, None, True),
        (TRUCK, 2, {"roads": ["< A1 B1"]}, True),
    ],
)
def test_5_8_1_out_of_a_gully_costs_more_there_too(kind, movement, way, fits):
    """As into clear ground, one or for class C two, and three or five for leaving the gully off the road."""
    fields = {"gullies": ["A1 A2 A3"], **(way or {})}
    game = draw(ROWS, unit=german(kind, "A1", movement=movement), step="vehicle", fields=fields, victory=EXIT)
    if fits:
        assert allowed(game, ExitMap("unit"))
    else:
        assert refused(game, ExitMap("unit")) == "5.1"


@rule("5.8.1")
@pytest.mark.parametrize("values", [{"face_up": False}, {"dispersed": "D"}, {"moved": True}])
def test_5_8_1_only_units_that_may_move_leave(values):
    game = draw(ROWS, tank=german(TANK, "A1", **values), step="vehicle", victory=EXIT)
    assert refused(game, ExitMap("tank")) in ("2.0-G07", "2.0-G09", "5.2")


@rule("5.8.1")
def test_5_8_1_a_load_leaves_with_its_carrier_and_neither_is_eliminated_or_comes_back():
    game = loaded(victory=EXIT)
    play(game, ExitMap("truck"))
    assert (unit(game, "truck").status, unit(game, "load").status) == ("exited", "exited")
    assert refused(game, Enter("truck", "A1")) in ("16.11", "procedure")


@rule("5.8.2")
def test_5_8_2_units_come_on_by_the_optional_rule_only():
    units = {"tank": german(TANK, entry=["A1"], arrives=1), "other": german(TANK, "E1")}
    game = draw(ROWS, **units, step="vehicle")
    assert refused(game, Enter("tank", "A1")) == "16.11"
    game = draw(ROWS, **units, step="vehicle", options=["16.11"])
    play(game, Enter("tank", "A1"))
    assert where(game, "tank") == "A1"


@rule("5.8.2")
def test_5_8_2_in_their_turn_by_their_hexes():
    units = {"tank": german(TANK, entry=["A1", "A2"], arrives=2), "other": german(TANK, "E1")}
    game = draw(ROWS, **units, step="vehicle", options=["16.11"])
    assert refused(game, Enter("tank", "A1")) == "16.11"
    game = draw(ROWS, **units, step="vehicle", options=["16.11"], turn=2)
    assert refused(game, Enter("tank", "A3")) == "16.11"
    play(game, Enter("tank", "A2"))
    assert spent(game, "tank") == 1
