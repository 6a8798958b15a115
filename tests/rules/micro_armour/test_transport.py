"""Transport [8.4]: loading with a roll, unloading without one, and what both pay."""

from __future__ import annotations

import pytest

from opfire.rulesets.micro_armour.fire.attacks import Attack, Shot, combat
from opfire.rulesets.micro_armour.fire.standard import cannot_attack
from opfire.rulesets.micro_armour.moving.movement import GroupMove, GroupMovement, MovementOrders, Order, Stop
from opfire.rulesets.micro_armour.moving.transport import UNPACKED, Load, Unload
from opfire.rulesets.micro_armour.pieces import Position
from opfire.rulesets.micro_armour.postures import PostureDetermination
from opfire.rulesets.micro_armour.recovery import turns_loading
from opfire.rulesets.micro_armour.results import apply_result
from rules.micro_armour.kit import GRENADIERS, PAK, position, rule, scripts
from rules.micro_armour.kit import RIFLES as SOVIETS
from rules.micro_armour.marches import against, at, go, inches, leg, march, points, stand

TRUCK, HALFTRACK, HEAVY = "us-medium-truck-2-3-ton", "us-halftrack-various-marks", "us-heavy-truck-4-10-ton"
RIFLES, GUN, HOWITZER, CAVALRY = "us-infantry-42", "us-57mm-atg", "us-155mm-m1-how-2", "sov-cavalry"
BERSAGLIERI = "ita-bersaglieri-infantry-42"
BESIDE = ((HALFTRACK, "5,5"), (RIFLES, "6,5"))


def out(x: float, y: float, facing: int = 0) -> Unload:
    """Unload the second stand at a place in inches."""
    return Unload("red-1", "red-2", inches(x, y), facing)


@rule("8.4.2", "8.4.4")
def test_8_4_2_personnel_loads_for_half_of_both_after_a_roll() -> None:
    game = march(BESIDE, dice=(14,))
    game.play("red", Load("red-1", "red-2"))
    carrier, rifles = stand(game, "red-1"), stand(game, "red-2")
    assert (carrier.cargo, rifles.carrier, carrier.spent) == (("red-2",), "red-1", points(10))
    go(game, "red-1", 5, 8)
    assert at(game, "red-2") == "5,8"
    assert against(game, leg("red-1", 5, 15.1)) == "8.3.1-points"


@rule("8.4.4")
def test_8_4_4_a_stand_that_fails_to_load_tries_no_more() -> None:
    game = march(BESIDE, dice=(15,))
    game.play("red", Load("red-1", "red-2"))
    assert stand(game, "red-2").carrier is None
    assert against(game, Load("red-1", "red-2")) == "8.4.4"
    assert against(game, leg("red-1", 5, 12)) == ""


@rule("8.4.2")
def test_8_4_2_both_touch_and_are_marked_to_move() -> None:
    assert against(march(((HALFTRACK, "5,5"), (RIFLES, "7,5"))), Load("red-1", "red-2")) == "8.4.2"
    assert against(march(BESIDE, red_2={"posture": "firing"}), Load("red-1", "red-2")) == "8.4.2"
    tired = march(BESIDE)
    go(tired, "red-1", 5, 10.5)
    go(tired, "red-1", 5, 5)
    assert against(tired, Load("red-1", "red-2")) == "8.4.2"


@rule("8.4.2")
def test_8_4_2_a_stand_that_was_unloaded_was_not_marked_at_the_beginning_of_the_phase() -> None:
    """Bersaglieri have four points: two for getting off, two for getting on; but a turn has to pass between."""
    ways = ((HALFTRACK, "5,5"), (BERSAGLIERI, "6,5"), (HALFTRACK, "7,5"))
    game = march(ways, dice=(1,), red_1={"cargo": ("red-2",)}, red_2={"carrier": "red-1", "at": (5000, 5000)})
    game.play("red", out(6, 5))
    game.play("red", Stop("red-1"))
    again = GroupMove("red", ("red-2", "red-3"))
    game.push(again)
    game.run()
    assert against(game, Load("red-3", "red-2")) == "8.4.2"
    game.stack = ()
    scripts(game, (7, 1, 7, 1, 1))
    game.push(MovementOrders("red"))
    game.run()
    game.push(again)
    game.run()
    assert against(game, Load("red-3", "red-2")) == ""


@rule("8.4.3")
@pytest.mark.parametrize(
    ("values", "turns"), [({}, 0), ({"moved": True}, 1), ({"balked": True}, 1), ({"handled": UNPACKED}, UNPACKED)]
)
def test_8_4_3_the_second_turn_of_loading_follows_the_first(values: dict[str, object], turns: int) -> None:
    """A large gun that nobody goes on loading begins anew; a try that fails delays it."""
    game = march(((HEAVY, "5,5"), (HOWITZER, "6,5")), red_2={"handled": 1, **values})
    assert turns_loading(stand(game, "red-2")) == turns


@rule("8.4", "8.4.1")
def test_8_4_1_capacity_and_mounted_cavalry() -> None:
    game = march((*BESIDE, (RIFLES, "4,5"), (CAVALRY, "5,6")), dice=(1,))
    assert against(game, Load("red-1", "red-4")) == "8.4"
    assert against(game, Load("red-2", "red-3")) == "8.4"
    game.play("red", Load("red-1", "red-2"))
    assert against(game, Load("red-1", "red-3")) == "8.4.1"


@rule("8.4.3", "8.4.7-cost")
def test_8_4_3_a_weapon_takes_all_points_and_a_large_one_two_turns() -> None:
    small = march(((TRUCK, "5,5"), (GUN, "6,5")), dice=(10,))
    small.play("red", Load("red-1", "red-2"))
    assert stand(small, "red-2").carrier == "red-1"
    assert against(small, leg("red-1", 5, 7)) == "8.3.1-points"
    large = march(((HEAVY, "5,5"), (HOWITZER, "6,5")), dice=(10, 10))
    large.play("red", Load("red-1", "red-2"))
    assert (stand(large, "red-2").carrier, stand(large, "red-2").handled) == (None, 1)
    again = march(((HEAVY, "5,5"), (HOWITZER, "6,5")), dice=(10,), red_2={"handled": 1})
    again.play("red", Load("red-1", "red-2"))
    assert stand(again, "red-2").carrier == "red-1"


@rule("8.4.6")
def test_8_4_6_dismounted_personnel_is_a_new_group_with_a_point_left() -> None:
    carried = {"red_1": {"cargo": ("red-2",)}, "red_2": {"carrier": "red-1", "at": (5000, 5000)}}
    game = march(BESIDE, dice=(5,), **carried)
    assert against(game, out(7, 5)) == "8.4.6"
    game.play("red", out(6, 5, 90))
    rifles = stand(game, "red-2")
    assert (at(game, "red-2"), rifles.facing, rifles.posture, rifles.group) == ("6,5", 90, "movement", "red-2")
    game.play("red", Stop("red-1"))
    game.state.orders["red"] = 1
    game.push(GroupMovement("red"))
    game.run()
    game.play("red", Order("red-2"))
    assert against(game, leg("red-2", 7.1, 5)) == "8.3.1-points"  # two of its three points are spent
    assert against(game, leg("red-2", 7, 5)) == ""


@rule("8.4.7-cost", "8.4.7-large")
def test_8_4_7_a_large_gun_stays_in_the_movement_posture_for_a_second_turn() -> None:
    carried = {"red_1": {"cargo": ("red-2",)}, "red_2": {"carrier": "red-1", "at": (5000, 5000)}}
    game = march(((HEAVY, "5,5"), (HOWITZER, "6,5")), **carried)
    game.play("red", out(6, 5))
    assert stand(game, "red-2").handled == UNPACKED
    game.state.change("red-2", posture="firing", group="")
    game.push(PostureDetermination("red"))
    game.run()
    assert (stand(game, "red-2").posture, stand(game, "red-2").handled) == ("movement", 0)


@rule("8.4.5-unit")
def test_8_4_5_a_result_on_the_carrier_is_one_on_its_cargo() -> None:
    carried = {"red_1": {"cargo": ("red-2",)}, "red_2": {"carrier": "red-1", "at": (5000, 5000)}}
    game = march(BESIDE, **carried)
    apply_result(game, "red-1", "D")
    assert stand(game, "red-2").disorganized


@rule("8.4.2")
@pytest.mark.parametrize("moved", [False, True])
def test_8_4_2_a_stand_that_has_moved_does_not_load(moved: bool) -> None:
    game = march(BESIDE, red_2={"moved": moved})
    assert against(game, Load("red-1", "red-2")) == ("8.3.1-points" if moved else "")


# --- 8.4.5: fire at a transport that tows a weapon -----------------------------------------------------------------


def towing(rifles: str, cargo: str = PAK) -> Position:
    """A German truck at 20,15 that faces east, with a stand on it, and Soviet rifles with a range of five inches."""
    made = position([("ger-opel-blitz-md-truck", "20,15"), (cargo, "2,2")], [(SOVIETS, rifles)])
    made.change("german-1", cargo=("german-2",))
    made.change("german-2", carrier="german-1", at=(20000, 15000))
    return made


@rule("8.4.5-range")
@pytest.mark.parametrize(
    ("rifles", "cargo", "refused"),
    [
        ("14,15", PAK, ""),  # six inches from the truck, five from the gun behind it
        ("13.9,15", PAK, "7.3.5"),
        ("26,15", PAK, "7.3.5"),
        ("25,15", PAK, ""),
        ("14,15", GRENADIERS, "7.3.5"),  # troops ride in the truck
    ],
)
def test_8_4_5_range_is_measured_to_the_truck_or_to_the_gun_behind_it(rifles: str, cargo: str, refused: str) -> None:
    made = towing(rifles, cargo)
    refusal = cannot_attack(made, made.units["soviet-1"], made.units["german-1"], "main")
    assert (refusal.rule if refusal else "") == refused


@rule("8.4.5-range")
def test_8_4_5_range_has_the_modifier_of_the_nearer_one() -> None:
    """Six inches would add 1, five add nothing; the defence is the truck's."""
    made = towing("14,15")
    roll = combat(made, Attack("german-1", (Shot("soviet-1"),)), Shot("soviet-1"))
    (line,) = (line for line in roll.lines if line.rule == "7.3.2")
    assert (line.label, line.amount) == ("range 5 inches", 0)


@rule("8.4.5-range")
def test_8_4_5_a_truck_out_of_sight_is_hit_through_the_gun_that_it_tows() -> None:
    """The truck is half an inch deep in a wood; the gun that it tows stands on the edge."""
    woods = '[[table.areas]]\nkind = "woods"\nname = "the wood"\npoints = "19.6,10 30,10 30,20 19.6,20"'
    hidden = position([("ger-opel-blitz-md-truck", "20.6,15"), (PAK, "2,2")], [(SOVIETS, "16,15")], terrain=woods)
    truck = hidden.units["german-1"]
    assert cannot_attack(hidden, hidden.units["soviet-1"], truck, "main") is not None
    hidden.change("german-1", cargo=("german-2",))
    hidden.change("german-2", carrier="german-1", at=(20600, 15000))
    assert cannot_attack(hidden, hidden.units["soviet-1"], hidden.units["german-1"], "main") is None
