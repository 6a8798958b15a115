"""Movement [8.1 to 8.3]: orders and groups, the roll of a group, and the moves of its stands by the inch."""

from __future__ import annotations

import pytest

from opfire.rulesets.micro_armour.alternation import Begin, Pass
from opfire.rulesets.micro_armour.moving.movement import (
    EndGroup,
    GroupMovement,
    MovementOrders,
    Order,
    Stop,
    group_of,
    movement_roll,
)
from opfire.rulesets.micro_armour.moving.nerve import PassArmour
from opfire.rulesets.micro_armour.moving.orders import orders_for
from rules.micro_armour.kit import rule
from rules.micro_armour.marches import CHARTS, against, area, at, go, inches, leg, line, march, points, stand

SHERMAN, JEEP, RIFLES, HEADQUARTERS = "us-m4-sherman", "us-m20-armoured-car", "us-infantry-42", "us-infantry-hq"
PAIR = ((SHERMAN, "5,5"), (SHERMAN, "5,10"))
COLUMN = ((SHERMAN, "5,5"), (SHERMAN, "6,5"), (SHERMAN, "7,5"))


# --- 8.2.1: orders ------------------------------------------------------------------------------------------------


@rule("8.2.1", "10.1.6")
@pytest.mark.parametrize(
    ("total", "wanted"), [(-1, 0), (3, 0), (4, 1), (6, 1), (7, 2), (8, 2), (9, 3), (11, 4), (12, 4), (13, 5), (15, 5)]
)
def test_8_2_1_orders_by_the_chart(total: int, wanted: int) -> None:
    assert orders_for(CHARTS, total) == wanted


@rule("8.2.1", "8.2.2", "10.1.5", "10.1.6")
def test_8_2_1_a_general_headquarters_adds_its_quality() -> None:
    general = {"rank": "GHQ", "quality": 1}
    game = march(PAIR, dice=(4, 4), frame=MovementOrders("red"), red_1=general)
    assert game.state.orders == {"red": 3, "blue": 0}  # 8 and 1
    assert march(PAIR, frame=MovementOrders("red")).state.orders == {"red": 0, "blue": 0}


# --- 8.2.4: the roll of a group -----------------------------------------------------------------------------------


@rule("8.2.4-roll", "8.2.4-split", "10.1.2", "8.2.8")
def test_8_2_4_the_group_of_the_example() -> None:
    """A 12 is a 10 for the HQ tank, a 14 for the suppressed one, a 17 for the one that is disorganized as well."""
    game = march(COLUMN, red_1={"rank": "HQ"}, red_2={"suppressed": True})
    game.state.change("red-3", suppressed=True, disorganized=True)
    group = [stand(game, f"red-{number}") for number in (1, 2, 3)]
    ordered = [movement_roll(game.state, unit, group, independent=False) for unit in group]
    assert [12 + roll.modifier for roll in ordered] == [10, 14, 17]
    assert [roll.result([12]) for roll in ordered] == ["success", "success", "failure"]
    assert [roll.modifier for roll in (movement_roll(game.state, unit, group, True) for unit in group)] == [1, 5, 8]


@rule("8.2.4-roll", "8.2.8")
def test_8_2_4_the_one_die_is_told_once_for_all_whom_it_means_the_same() -> None:
    """A 10 lets the two tanks go that are well, without orders; the suppressed one of the group stays."""
    alone = GroupMovement("red", independent=True, begun=True)
    game = march(COLUMN, dice=(10,), frame=alone, red_2={"suppressed": True})
    for name in ("red-1", "red-2", "red-3"):
        game.state.change(name, posture="movement", group="red-1")
    events = game.play("red", Order("red-1"))
    told = [event for event in events if event.rule == "8.2.8"]
    assert [(event.units, event.facts[-1]) for event in told] == [
        (("red-1", "red-3"), "may move"),
        (("red-2",), "must stay"),
    ]
    assert [event.dice for event in told] == [(10,), (10,)]
    assert str(told[0].facts[0]) == ", ".join(stand(game, name).name for name in ("red-1", "red-3"))


@rule("10.1.2", "8.4.5-unit")
def test_10_1_2_a_headquarters_that_is_carried_is_in_the_group_of_its_transport() -> None:
    """The two are one combined unit; the chart counts each headquarters that is attached to a group."""
    game = march((("us-medium-truck-2-3-ton", "5,5"), (HEADQUARTERS, "5,8"), (SHERMAN, "6,5")), red_2={"rank": "HQ"})
    game.state.change("red-2", carrier="red-1", at=inches(5, 5))
    game.state.change("red-1", cargo=("red-2",))
    group = [stand(game, "red-1"), stand(game, "red-3")]
    rolls = [movement_roll(game.state, unit, group, independent=False) for unit in group]
    assert [roll.modifier for roll in rolls] == [-2, -2]


@rule("10.6")
def test_10_6_recon_stands_need_no_orders() -> None:
    game = march(PAIR, red_1={"recon": True})
    rolls = [movement_roll(game.state, unit, [unit], True).modifier for unit in game.state.of("red")]
    assert rolls == [0, 3]


@rule("9.6.2-extreme")
def test_9_6_2_extreme_cold_hampers_personnel() -> None:
    game = march(((RIFLES, "5,5"), (SHERMAN, "9,9")), more='weather = ["extreme cold"]\n')
    assert [movement_roll(game.state, unit, [unit], False).modifier for unit in game.state.of("red")] == [2, 0]


@rule("9.6.2-extreme")
@pytest.mark.parametrize("kind", ["fra-cavalry", "fra-motorcycle-infantry"])
def test_9_6_2_mounted_troops_are_no_dismounted_personnel(kind: str) -> None:
    game = march(((kind, "5,5"),), more='weather = ["extreme heat"]\n')
    (rider,) = game.state.of("red")
    assert movement_roll(game.state, rider, [rider], independent=False).modifier == 0


@rule("8.2.3-alternate", "8.2.4-cost", "8.2.4-split", "8.2.5")
def test_8_2_5_each_attempt_costs_an_order_and_those_left_behind_may_be_ordered_again() -> None:
    game = march(COLUMN, dice=(12, 9), frame=None, red_2={"suppressed": True})
    state = game.state
    for name in ("red-1", "red-2", "red-3"):
        state.change(name, group="red-1")
    state.orders["red"] = 2
    game.push(GroupMovement("red"))
    game.run()
    game.play("red", Order("red-3"))
    assert state.orders["red"] == 1
    assert game.choices("red").actors() == ("", "red-1", "red-3")  # 12 and 4 is more than 14
    go(game, "red-1", 5, 8)
    game.play("red", Stop("red-1"))
    game.play("red", EndGroup())
    assert [unit.id for unit in group_of(state, state.units["red-2"])] == ["red-2", "red-3"]
    game.play("red", Order("red-2"))
    assert state.orders["red"] == 0
    assert against(game, leg("red-2", 6, 8)) == ""


@rule("8.2.4-split", "8.1.1")
def test_8_2_4_those_left_behind_are_several_groups_where_contact_is_lost() -> None:
    game = march(COLUMN, red_2={"moved": True})
    for name in ("red-1", "red-2", "red-3"):
        game.state.change(name, group="red-1")
    assert [unit.id for unit in group_of(game.state, stand(game, "red-1"))] == ["red-1"]


@rule("8.2.3-alternate", "8.2.3-decline", "8.2.7")
def test_8_2_3_sides_alternate_until_each_has_declined_and_then_move_independently() -> None:
    blue = (("ger-infantry-39", "30,5"), ("ger-infantry-39", "30,10"))
    marked = {"posture": "movement"}
    game = march(
        PAIR, blue, dice=(20, 20, 20), blue_1={**marked, "group": "blue-1"}, blue_2={**marked, "group": "blue-2"}
    )
    game.state.orders.update(red=2, blue=2)
    game.push(GroupMovement("red"))
    game.run()
    assert against(game, Order("red-1")) == "8.2.3-alternate"
    game.play("red", Begin("blue"))
    game.play("blue", Order("blue-1"))  # a natural 20 fails
    assert game.asked() == ("red",)
    game.play("red", Pass())
    assert game.asked() == ("blue",)
    game.play("blue", Order("blue-1"))
    assert game.state.orders == {"red": 2, "blue": 0}
    game.play("red", Begin("red"))
    game.play("red", Order("red-1"))
    assert game.asked() == ("blue",)
    game.play("blue", Pass())
    assert against(game, Order("red-1")) == "8.2.7"
    assert against(game, Order("red-2")) == ""


@rule("12.2.4", "12.2.5")
def test_12_2_4_natural_numbers_save_an_order_or_leave_a_group_in_doubt() -> None:
    game = march(PAIR, dice=(1, 20), doctrine="cohesion = 15\n", more='options = ["12.2.4", "12.2.5"]\n')
    game.state.orders["red"] = 2
    game.push(GroupMovement("red"))
    game.run()
    game.play("red", Order("red-1"))
    assert game.state.orders["red"] == 2
    game.play("red", EndGroup())
    game.play("red", Order("red-2"))
    assert (game.state.orders["red"], stand(game, "red-2").moved) == (1, True)


# --- 8.3: the moves of stands ----------------------------------------------------------------------------------------


@rule("8.3.1-points", "8.1.3", "8.3.2-pay")
def test_8_3_1_a_stand_moves_leg_by_leg_until_its_points_are_spent() -> None:
    game = march(PAIR)
    go(game, "red-1", 9, 5, 90)
    assert (at(game, "red-1"), stand(game, "red-1").spent) == ("9,5", points(4))
    assert stand(game, "red-1").facing == 90
    assert against(game, leg("red-2", 6, 10)) == "8.1.3"
    assert against(game, leg("red-1", 9, 11.1)) == "8.3.1-points"
    go(game, "red-1", 9, 11)
    game.play("red", Stop("red-1"))
    assert against(game, leg("red-1", 9, 12)) == "8.3.1-points"
    assert against(game, leg("red-2", 6, 10)) == ""


@rule("8.3.1-half")
def test_8_3_1_fire_and_move_halves_the_points_rounded_down() -> None:
    game = march(((RIFLES, "5,5"),), red_1={"posture": "fire/move"})
    assert against(game, leg("red-1", 6.1, 5)) == "8.3.1-points"  # half of 3 is 1
    assert against(game, leg("red-1", 6, 5)) == ""


@rule("8.3.2-min")
def test_8_3_2_an_inch_is_always_allowed_unless_the_ground_is_impassable() -> None:
    ground = area("rough-3", 8, 0, 12, 12) + line("river", "20,0 20,30")
    game = march(((RIFLES, "7.5,5"), (RIFLES, "19,5")), ground=ground, red_1={"posture": "fire/move"})
    assert against(game, leg("red-1", 8.5, 5)) == ""
    assert against(game, leg("red-1", 8.6, 5)) == "8.3.1-points"
    assert against(game, leg("red-2", 20, 5)) == "9.5.2"


@rule("8.3.4")
def test_8_3_4_friends_pass_each_other_and_never_end_on_each_other() -> None:
    game = march(COLUMN)
    assert against(game, leg("red-1", 8, 5)) == ""
    assert against(game, leg("red-1", 7.5, 5)) == "8.3.4"


@rule("8.3.5-transport", "8.3.5-others", "8.3.6")
def test_8_3_5_only_armour_passes_and_only_unarmed_vehicles() -> None:
    blue = (("ger-opel-blitz-md-truck", "8,5"), ("ger-infantry-39", "8,10"), ("ger-panzer-iv-f2-h-7-5cm", "8,15"))
    red = ((SHERMAN, "5,5"), (SHERMAN, "5,10"), (SHERMAN, "5,15"), (RIFLES, "8,7"))
    game = march(red, blue)
    assert against(game, leg("red-1", 11, 5)) == ""
    assert against(game, leg("red-2", 11, 10)) == "8.3.5-others"
    assert against(game, leg("red-3", 11, 15)) == "8.3.6"
    assert against(game, leg("red-4", 8, 4)) == "8.3.5-others"


ARMOUR = (("ger-panzer-iv-f2-h-7-5cm", "8,15"),)
"""A tank that bars the way of a Sherman at 5,15."""

SPENT = {"fired": True}
"""The values of a stand that cannot use opportunity fire any more."""


@rule("8.3.6")
def test_8_3_6_a_tank_passes_enemy_armour_beside_it_after_a_test_of_nerve() -> None:
    """With cohesion 14 an 11 succeeds: 3 are added."""
    game = march(((SHERMAN, "5,15"),), ARMOUR, dice=(11,), blue_1=SPENT)
    assert against(game, PassArmour("red-1", "blue-1")) == "8.3.6"  # it is not beside it yet
    go(game, "red-1", 7, 15)
    assert against(game, leg("red-1", 11, 15)) == "8.3.6"
    game.play("red", PassArmour("red-1", "blue-1"))
    assert against(game, leg("red-1", 8.5, 15)) == "8.3.4"
    go(game, "red-1", 11, 15)
    assert at(game, "red-1") == "11,15"


@rule("8.3.6")
def test_8_3_6_a_tank_that_fails_stops_beside_the_enemy() -> None:
    game = march(((SHERMAN, "5,15"), (SHERMAN, "5,25")), ARMOUR, dice=(12,), blue_1=SPENT)
    go(game, "red-1", 7, 15)
    game.play("red", PassArmour("red-1", "blue-1"))
    assert (at(game, "red-1"), stand(game, "red-1").moved) == ("7,15", True)
    assert against(game, leg("red-1", 7, 12)) == "8.3.1-points"


@rule("8.3.6")
@pytest.mark.parametrize(
    ("red", "blue"), [(RIFLES, "ger-panzer-iv-f2-h-7-5cm"), (SHERMAN, "ger-infantry-39"), (JEEP, "ger-75mm-atg-pak-40")]
)
def test_8_3_6_only_armour_tests_its_nerve_and_only_beside_armour(red: str, blue: str) -> None:
    assert against(march(((red, "5,15"),), ((blue, "6,15"),)), PassArmour("red-1", "blue-1")) == "8.3.6"


@rule("8.3.6")
def test_8_3_6_each_enemy_takes_a_test_and_the_next_move_begins_anew() -> None:
    blue = (*ARMOUR, ("ger-panzer-iv-f2-h-7-5cm", "9.2,15"))
    game = march(((SHERMAN, "7,15"), (SHERMAN, "5,25")), blue, dice=(1,), blue_1=SPENT, blue_2=SPENT)
    game.play("red", PassArmour("red-1", "blue-1"))
    assert against(game, leg("red-1", 11, 15)) == "8.3.6"
    assert against(game, PassArmour("red-1", "blue-1")) == "8.3.6"
    game.play("red", Stop("red-1"))
    game.state.change("red-1", moved=False)
    assert against(game, PassArmour("red-1", "blue-1")) == ""


@rule("8.3.7-free", "8.3.7-zero")
def test_8_3_7_stands_turn_for_nothing_and_guns_only_if_they_are_light() -> None:
    guns = (("hun-50mm-pak-38", "5,5"), ("us-155mm-m1-how-2", "5,10"), (SHERMAN, "5,15"))
    game = march(guns)
    assert against(game, leg("red-1", 5, 5, 90)) == ""
    assert against(game, leg("red-2", 5, 10, 90)) == "8.3.7-zero"
    assert against(game, leg("red-1", 6, 5)) == "8.3.1-points"
    go(game, "red-3", 5, 15, 90)
    assert (stand(game, "red-3").facing, stand(game, "red-3").spent) == (90, 0)


@rule("8.3.9")
def test_8_3_9_unarmed_stands_do_not_stop_beside_enemies() -> None:
    game = march((("us-medium-truck-2-3-ton", "5,5"),), (("ger-infantry-39", "8,5"),))
    assert against(game, leg("red-1", 7, 5)) == "8.3.9"
    assert against(game, leg("red-1", 6.9, 5)) == ""


@rule("8.1.2", "8.2.8")
def test_8_1_2_stands_that_were_not_marked_stay() -> None:
    game = march(PAIR, red_1={"posture": "firing"})
    game.state.orders["red"] = 1
    game.push(GroupMovement("red"))
    game.run()
    assert against(game, Order("red-1")) == "8.1.2"
    assert game.choices("red").actors() == ("", "red-2")


@rule("10.11.1")
def test_10_11_1_bicycles_have_two_more_points_on_easy_ground() -> None:
    game = march(
        (("ger-bicycle-infantry", "5,5"), ("ger-bicycle-infantry", "5,10")), ground=area("grove", 7, 8, 30, 12)
    )
    assert against(game, leg("red-1", 10, 5)) == ""
    assert against(game, leg("red-2", 10, 10)) == ""  # two inches of clear ground, three of grove
    assert against(game, leg("red-2", 10.1, 10)) == "8.3.1-points"
    woods = march((("ger-bicycle-infantry", "8,10"),), ground=area("grove", 7, 8, 30, 12))
    assert against(woods, leg("red-1", 11.1, 10)) == "10.11.1"
