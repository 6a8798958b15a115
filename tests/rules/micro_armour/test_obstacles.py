"""Mines, wire, ditches, wrecks on roads: obstacles in the way of movers [9.2, 11.1 to 11.3]."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from opfire.core.game import Game
from opfire.rulesets.micro_armour.moving.marching import cannot_march
from opfire.rulesets.micro_armour.moving.movement import GroupMove
from opfire.rulesets.micro_armour.pieces import Position, Work, WorkKind
from opfire.rulesets.micro_armour.works.obstacles import mine_attack
from rules.micro_armour.kit import rule
from rules.micro_armour.marches import CHARTS, against, area, at, go, inches, leg, line, march, points, stand

SHERMAN, CAR, RIFLES, TRUCK = "us-m4-sherman", "us-m20-armoured-car", "us-infantry-42", "us-medium-truck-2-3-ton"


def strew(game: Game[Position], kind: WorkKind, x: float, y: float, side: str = "blue", value: str = "") -> str:
    """Lay a marker at a point in inches; its id."""
    name = f"{kind} {len(game.state.works) + 1}"
    game.state.lay(Work(name, kind, inches(x, y), 0, side, value))
    return name


def again(game: Game[Position]) -> None:
    """Begin a new movement of all of red's stands."""
    for unit in game.state.of("red"):
        game.state.change(unit.id, moved=False, spent=0, gone=0, rough=0, opposed=False, posture="movement")
    game.push(GroupMove("red", tuple(unit.id for unit in game.state.of("red"))))
    game.run()


# --- mines ------------------------------------------------------------------------------------------------------------


@rule("11.1.4")
@pytest.mark.parametrize(("value", "column"), [("hasty", "-2"), ("standard", "+1"), ("concentrated", "+7")])
def test_11_1_4_each_concentration_has_a_column_whatever_the_defence(value: str, column: str) -> None:
    roll = mine_attack(CHARTS, value)
    assert (roll.column, roll.modifier) == (column, 0)


@rule("11.1.5")
def test_11_1_5_a_stand_that_comes_onto_mines_goes_no_farther_in_this_turn() -> None:
    game = march(((SHERMAN, "5,5"),))
    name = strew(game, "mines", 8, 5, value="dummy")
    go(game, "red-1", 11, 5)
    assert at(game, "red-1") == "8,5"  # the middle of its way over the marker
    assert stand(game, "red-1").moved
    assert not game.state.works[name].known  # it learns what they are when it leaves them


@rule("11.1.5")
@pytest.mark.parametrize(("to", "place"), [(7.7, "7.7,5"), (8, "8,5"), (8.4, "8.4,5"), (8.6, "8,5")])
def test_11_1_5_a_stand_whose_leg_ends_on_the_marker_stops_there(to: float, place: str) -> None:
    game = march(((SHERMAN, "5,5"),))
    strew(game, "mines", 8, 5, value="dummy")
    go(game, "red-1", to, 5)
    assert at(game, "red-1") == place
    assert stand(game, "red-1").moved


@rule("11.1.5")
def test_11_1_5_a_stand_between_two_markers_is_shifted_onto_one() -> None:
    game = march(((SHERMAN, "5,5"),))
    strew(game, "mines", 8, 4.5)
    strew(game, "mines", 8, 5.5)
    go(game, "red-1", 11, 5)
    assert at(game, "red-1") == "8,4.75"


@rule("11.1.6-leave")
def test_11_1_6_leaving_needs_a_roll_at_plus_3() -> None:
    for die, place in ((12, "7.6,5"), (11, "10,5")):  # cohesion 14
        game = march(((SHERMAN, "7.6,5"),), dice=(die, 6, 6))
        strew(game, "mines", 8, 5, value="hasty")
        go(game, "red-1", 10, 5)
        assert at(game, "red-1") == place


@rule("11.1.6-leave")
def test_11_1_6_a_dummy_is_revealed_and_removed() -> None:
    game = march(((SHERMAN, "7.6,5"),), dice=(11,))
    strew(game, "mines", 8, 5, value="dummy")
    go(game, "red-1", 10, 5)
    assert (at(game, "red-1"), dict(game.state.works)) == ("10,5", {})


@rule("11.1.6-leave", "11.1.4")
def test_11_1_6_a_real_field_is_revealed_and_attacks() -> None:
    game = march(((SHERMAN, "7.6,5"),), dice=(11, 3, 3, 10))  # 6 at +1 is D
    name = strew(game, "mines", 8, 5, value="standard")
    go(game, "red-1", 10, 5)
    assert (stand(game, "red-1").disorganized, game.state.works[name].known) == (True, True)
    assert at(game, "red-1") == "10,5"  # 10 and 3 for its disorganization


@rule("11.1.6-result")
@pytest.mark.parametrize(("die", "place"), [(11, "10,5"), (12, "7.6,5")])
def test_11_1_6_a_stand_that_mines_have_shaken_rolls_to_go_on(die: int, place: str) -> None:
    game = march(((SHERMAN, "7.6,5"),), dice=(2, 3, 3, die))
    strew(game, "mines", 8, 5, value="standard")
    go(game, "red-1", 10, 5)
    assert (at(game, "red-1"), stand(game, "red-1").moved) == (place, place == "7.6,5")


@rule("11.1.6-result")
@pytest.mark.parametrize(("kind", "wrecks"), [(SHERMAN, 1), (TRUCK, 1), (RIFLES, 0)])
def test_11_1_6_a_vehicle_that_mines_destroy_leaves_a_wreck_on_them(kind: str, wrecks: int) -> None:
    game = march(((kind, "7.6,5"), (SHERMAN, "2,20")), dice=(2, 1, 1))
    strew(game, "mines", 8, 5, value="standard")
    go(game, "red-1", 9, 5)
    assert stand(game, "red-1").status == "eliminated"
    assert [work.at for work in game.state.works.values() if work.kind == "wreck"] == [inches(7.6, 5)] * wrecks


@rule("11.1.6-result")
def test_11_1_6_the_combat_is_repeated_at_each_attempt_to_leave() -> None:
    game = march(((SHERMAN, "7.6,5"), (SHERMAN, "2,20")), dice=(2, 3, 3, 20))
    strew(game, "mines", 8, 5, value="standard")
    go(game, "red-1", 10, 5)
    again(game)
    game.dice = march(((SHERMAN, "2,20"),), dice=(2, 3, 3)).dice
    go(game, "red-1", 10, 5)
    assert stand(game, "red-1").status == "eliminated"  # a second D


@rule("11.1.6-next")
def test_11_1_6_a_stand_leaves_one_field_and_enters_the_next_and_both_stay() -> None:
    game = march(((SHERMAN, "8.1,5"),), dice=(2, 6, 6))  # whole inches of its way end at 9.1 and at 10.1
    strew(game, "mines", 8, 5, value="hasty")
    strew(game, "mines", 10, 5, value="standard")
    go(game, "red-1", 14, 5)
    assert (at(game, "red-1"), len(game.state.works)) == ("10,5", 2)


@rule("11.1.7")
def test_11_1_7_friendly_mines_do_no_harm_but_need_a_roll_to_go_on() -> None:
    for die, place in ((14, "11,5"), (15, "8,5")):
        game = march(((SHERMAN, "5,5"),), dice=(die,))
        strew(game, "mines", 8, 5, side="red", value="concentrated")
        go(game, "red-1", 11, 5)
        unit = stand(game, "red-1")
        assert (at(game, "red-1"), unit.shaken, unit.moved) == (place, False, die == 15)


@rule("11.1.7")
def test_11_1_7_who_begins_on_friendly_mines_leaves_freely() -> None:
    game = march(((SHERMAN, "7.6,5"),))
    strew(game, "mines", 8, 5, side="red", value="concentrated")
    go(game, "red-1", 11, 5)
    assert at(game, "red-1") == "11,5"


# --- wire and ditches -------------------------------------------------------------------------------------------------


@rule("11.2.1")
def test_11_2_1_wire_costs_its_points_and_stops() -> None:
    for kind, spent in ((RIFLES, 3), (SHERMAN, 4)):
        game = march(((kind, "6.6,5"),))
        strew(game, "wire", 8, 5)
        go(game, "red-1", 7.6, 5)
        unit = stand(game, "red-1")
        assert (at(game, "red-1"), unit.spent, unit.moved) == ("7.6,5", points(spent), True)


@rule("11.2.1")
def test_11_2_1_wheels_never_enter_wire() -> None:
    game = march(((CAR, "5,5"),))
    strew(game, "wire", 8, 5)
    assert against(game, leg("red-1", 8, 5)) == "8.3.2-pay"


@rule("11.2.2")
def test_11_2_2_leaving_wire_needs_a_roll_and_personnel_have_plus_3() -> None:
    for kind, last in ((RIFLES, 11), (SHERMAN, 14)):
        for die in (last, last + 1):
            game = march(((kind, "7.6,5"),), dice=(die,))
            strew(game, "wire", 8, 5)
            go(game, "red-1", 9, 5)
            assert at(game, "red-1") == ("9,5" if die == last else "7.6,5")


@rule("11.2.3")
def test_11_2_3_tracks_crush_the_wire_that_they_leave() -> None:
    for kind, stays in ((RIFLES, 1), (SHERMAN, 0)):
        game = march(((kind, "7.6,5"),), dice=(2,))
        strew(game, "wire", 8, 5)
        go(game, "red-1", 9, 5)
        assert len(game.state.works) == stays


@rule("11.3.2")
def test_11_3_2_infantry_stops_in_a_ditch_and_leaves_it_in_the_next_phase() -> None:
    game = march(((RIFLES, "7,5"),))
    strew(game, "ditch", 8, 5)
    go(game, "red-1", 8, 5)
    assert (at(game, "red-1"), stand(game, "red-1").moved, stand(game, "red-1").spent) == ("8,5", True, points(3))
    again(game)
    go(game, "red-1", 9, 5)
    assert at(game, "red-1") == "9,5"


@rule("11.3.3")
def test_11_3_3_vehicles_enter_no_ditch_until_it_is_bridged() -> None:
    for kind in (SHERMAN, CAR):
        game = march(((kind, "5,5"),))
        strew(game, "ditch", 8, 5)
        assert against(game, leg("red-1", 8, 5)) == "11.3.3"
        strew(game, "bridge", 8, 5)
        go(game, "red-1", 9, 5)
        assert at(game, "red-1") == "9,5"


# --- wrecks -----------------------------------------------------------------------------------------------------------


@rule("9.2.2", "11.5.9.3")
def test_9_2_2_a_wreck_keeps_movers_from_the_road_rate_until_it_is_cleared() -> None:
    more: Mapping[str, Any] = {"ground": area("woods", 0, 0, 40, 30) + line("good-road", "0,5 40,5")}
    game = march(((SHERMAN, "5,5"),), **more)
    name = strew(game, "wreck", 8, 5)
    go(game, "red-1", 10, 5)
    assert stand(game, "red-1").spent == points(1.5 + 3 + 1)  # 2.5 inches of road, an inch of woods, 1.5 inches of road
    for cleared, refused in ((True, ""), (False, "8.3.1-points")):
        game = march(((SHERMAN, "5,5"),), **more)
        strew(game, "wreck", 8, 5)
        game.state.lay(Work(name, "wreck", inches(8, 5), cleared=cleared))
        assert against(game, leg("red-1", 22, 5)) == refused  # 8.5 points, or 11


@rule("9.2.2")
def test_9_2_2_off_the_road_wheels_pay_for_leaving_a_wreck() -> None:
    game = march(((CAR, "5,5"),))
    strew(game, "wreck", 8, 5)
    refusal = cannot_march(game.state, stand(game, "red-1"), leg("red-1", 13, 5))
    assert refusal is not None  # 16 points and 1
    assert refusal.facts[0] == "17"
