"""Plain rules of the ground battle: dice, orders, loading under fire, smoke at close quarters, flames, cavalry."""

from __future__ import annotations

import pytest

from opfire.rulesets.micro_armour.artillery.rolls import deviation
from opfire.rulesets.micro_armour.close.close_assault import Assault, assault_roll
from opfire.rulesets.micro_armour.close.overrun import Overrun, defence_roll
from opfire.rulesets.micro_armour.moving.movement import GroupMovement, MovementOrders, movement_roll
from opfire.rulesets.micro_armour.moving.opportunity import OpportunityFire
from opfire.rulesets.micro_armour.moving.transport import Load
from opfire.rulesets.micro_armour.pieces import Work
from rules.micro_armour.kit import rule
from rules.micro_armour.marches import against, area, inches, march, stand

RIFLES, SHERMAN, ZIPPO, TRUCK = "us-infantry-42", "us-m4-sherman", "us-m4-zippo", "us-medium-truck-2-3-ton"
GRENADIERS, PANZER, CAVALRY = "ger-infantry-39", "ger-panzer-iv-f2-h-7-5cm", "sov-cavalry"


@rule("3.4-dice", "3.4-half")
@pytest.mark.parametrize(("die", "far"), [(1, 1), (2, 1), (7, 4), (8, 4)])
def test_3_4_half_a_die_is_rounded_up(die: int, far: int) -> None:
    game = march(((RIFLES, "5,5"),), blue=[("ger-105mm-ifh18-2", "39,29")], dice=(3, die))
    assert deviation(game, game.state.units["blue-1"], inches(20, 20)) == inches(far, 0)  # a 3 is east


@rule("8.1.4")
def test_8_1_4_movement_is_ordered_or_independent() -> None:
    position = march(((RIFLES, "5,5"),)).state
    unit = position.units["red-1"]
    titles = [movement_roll(position, unit, [unit], independent).title for independent in (False, True)]
    assert titles == ["ordered movement", "independent movement"]


@rule("8.2.6", "8.2.1")
def test_8_2_6_orders_are_not_saved_for_later_turns() -> None:
    head = 'commands = [{ unit = "us-infantry-hq", rank = "GHQ" }]'
    game = march((("us-infantry-hq", "5,5"),), doctrine=head + "\n", dice=(1, 1, 1, 1))
    game.state.orders["red"] = 9
    game.push(MovementOrders(""))
    game.run()
    assert game.state.orders["red"] < 3


@rule("4.0-6")
def test_4_0_6_sides_try_to_move_in_turn() -> None:
    game = march(((RIFLES, "5,5"),), ((GRENADIERS, "30,5"),), blue_1={"posture": "movement", "group": "blue-1"})
    game.state.orders.update(red=2, blue=2)
    game.push(GroupMovement("red"))
    game.run()
    assert [type(action).__name__ for action in game.choices("red")] == ["Begin", "Begin"]


@rule("8.4.8")
def test_8_4_8_a_stand_that_loads_can_be_fired_at() -> None:
    game = march(((TRUCK, "5,5"), (RIFLES, "6,5")), ((PANZER, "12,5"),), dice=(2,), blue_1={"facing": 270})
    game.play("red", Load("red-1", "red-2"))
    assert isinstance(game.stack[-1], OpportunityFire)


@rule("7.4.7.1-2")
def test_7_4_7_1_stands_in_smoke_are_assaulted_and_overrun() -> None:
    game = march(((RIFLES, "5,5"), (SHERMAN, "2,9")), ((GRENADIERS, "6,5"), (GRENADIERS, "5,9")))
    for number, at in enumerate(((6, 5), (5, 9))):
        game.state.lay(Work(f"smoke {number}", "smoke", inches(*at)))
    assert against(game, Assault("red-1", "blue-1")) == ""
    assert against(game, Overrun("red-2", "blue-2", inches(6, 9), 90)) == ""
    # smoke takes nothing from the other conditions
    assert against(game, Assault("red-1", "blue-2")) == "8.8.2"
    assert against(game, Overrun("red-2", "blue-2", inches(8, 9), 90)) == "8.7.1-move"


@rule("11.6.2")
def test_11_6_2_a_flamethrower_adds_3_to_the_roll_of_a_stand_that_it_overruns() -> None:
    game = march(((SHERMAN, "5,5"), (ZIPPO, "5,9")), ((GRENADIERS, "8,5"),))
    target = stand(game, "blue-1")
    plain, flames = (defence_roll(game.state, target, stand(game, name)).modifier for name in ("red-1", "red-2"))
    assert flames == plain + 3


@rule("11.5.1")
def test_11_5_1_engineers_have_3_off_the_combat_roll_of_an_assault() -> None:
    game = march(((RIFLES, "5,5"), (RIFLES, "5,7")), ((GRENADIERS, "6,5"),), red_2={"equipment": ("engineers",)})
    target = stand(game, "blue-1")
    plain, engineers = (assault_roll(game.state, stand(game, name), target) for name in ("red-1", "red-2"))
    assert (plain.modifier, engineers.modifier) == (-3, -6)


@rule("10.10.1")
def test_10_10_1_mounted_cavalry_doubles_its_firepower_but_not_at_armour() -> None:
    game = march(((CAVALRY, "5,5"), (CAVALRY, "5,9")), ((GRENADIERS, "6,5"), (PANZER, "6,9")))
    first, second = (stand(game, f"red-{number}") for number in (1, 2))
    attack = [
        line.amount for line in assault_roll(game.state, first, stand(game, "blue-1")).lines if line.kind == "attack"
    ]
    assert attack == [4, 8]
    armour = [
        line.amount for line in assault_roll(game.state, second, stand(game, "blue-2")).lines if line.kind == "attack"
    ]
    assert armour == [1]


@rule("10.10.1", "8.8.9")
def test_10_10_1_mounted_cavalry_assaults_no_buildings() -> None:
    game = march(((CAVALRY, "5,5"),), ((GRENADIERS, "6,5"),), ground=area("light-buildings", 5.5, 4, 8, 6))
    assert against(game, Assault("red-1", "blue-1")) == "8.8.9"
