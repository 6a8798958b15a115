"""Tank riders [12.5]: loading, results on the tank, attacks on the riders, and a tank that fires."""

from __future__ import annotations

from typing import Any

import pytest

from opfire.core.game import Game
from opfire.rulesets.micro_armour.alternation import Begin
from opfire.rulesets.micro_armour.artillery.close_support import shots
from opfire.rulesets.micro_armour.close.overrun import Overrun
from opfire.rulesets.micro_armour.fire.attacks import Attack, Shot, combat
from opfire.rulesets.micro_armour.fire.standard import Engage, Fire, StandardFirePhase, cannot_attack
from opfire.rulesets.micro_armour.moving.dismounting import GetOff, HoldOn
from opfire.rulesets.micro_armour.moving.movement import MovementOrders
from opfire.rulesets.micro_armour.moving.opportunity import Oppose
from opfire.rulesets.micro_armour.moving.transport import Load, Unload
from opfire.rulesets.micro_armour.pieces import Position, Work
from opfire.rulesets.micro_armour.results import apply_result
from opfire.rulesets.micro_armour.riders import riders
from rules.micro_armour.kit import GRENADIERS, PANZER, RIFLES, T34, game, refused, rule, scripts
from rules.micro_armour.marches import against, at, go, march, points, stand
from rules.micro_armour.test_obstacles import strew

OPTION = 'options = ["12.5"]\n'
SHERMAN, TROOPS = "us-m4-sherman", "us-infantry-42"


def mounted(*dice: int, top: str = OPTION, gun: str = PANZER) -> Game[Position]:
    """Soviet riflemen on a T-34 at 20,15, and a German tank that looks at them from 10,15."""
    made = game([(gun, "10,15"), (GRENADIERS, "16,15")], [(T34, "20,15"), (RIFLES, "35,28")], top=top)
    made.stack = ()
    made.state.change("soviet-1", cargo=("soviet-2",))
    made.state.change("soviet-2", carrier="soviet-1", at=(20000, 15000))
    made.state.turn = 1
    scripts(made, dice)
    return made


@rule("12.5")
@pytest.mark.parametrize(
    ("option", "cargo", "refusal"),
    [(OPTION, TROOPS, ""), ("", TROOPS, "8.4"), (OPTION, "us-155mm-m1-how-2", "8.4.1")],
)
def test_12_5_a_tank_carries_eight_points(option: str, cargo: str, refusal: str) -> None:
    made = march(((SHERMAN, "5,5"), (cargo, "6,5")), more=option)
    assert against(made, Load("red-1", "red-2")) == refusal


@rule("12.5")
def test_12_5_a_second_stand_has_no_room() -> None:
    made = march(((SHERMAN, "5,5"), (TROOPS, "6,5"), (TROOPS, "4,5")), more=OPTION, dice=(1,))
    made.play("red", Load("red-1", "red-2"))
    assert stand(made, "red-1").spent == points(5)
    assert against(made, Load("red-1", "red-3")) == "8.4.1"


@rule("12.5")
@pytest.mark.parametrize("result", ["S", "(S)", "D", "E"])
def test_12_5_any_result_on_the_tank_throws_its_riders_off_suppressed(result: Any) -> None:
    made = mounted()
    apply_result(made, "soviet-1", result)
    rider = made.state.units["soviet-2"]
    assert (rider.carrier, rider.suppressed, rider.disorganized, rider.status) == (None, True, False, "on the table")
    assert rider.at is not None
    assert rider.at != (20000, 15000)
    assert made.state.units["soviet-1"].cargo == ()


@rule("12.5")
def test_12_5_no_result_leaves_them_on_board() -> None:
    made = mounted()
    apply_result(made, "soviet-1", "-")
    assert made.state.units["soviet-2"].carrier == "soviet-1"


@rule("12.5")
def test_12_5_men_in_a_lorry_are_no_riders() -> None:
    made = march((("us-medium-truck-2-3-ton", "5,5"), (TROOPS, "5,8"), (SHERMAN, "8,5"), (TROOPS, "8,8")), more=OPTION)
    for mount, rider in (("red-1", "red-2"), ("red-3", "red-4")):
        made.state.change(mount, cargo=(rider,))
        made.state.change(rider, carrier=mount, at=stand(made, mount).at)
    found = {name: [unit.id for unit in riders(made.state, stand(made, name))] for name in ("red-1", "red-3", "red-4")}
    assert found == {"red-1": [], "red-3": ["red-4"], "red-4": []}


@rule("12.5", "7.1.9")
def test_12_5_riders_are_attacked_separately_at_defence_1() -> None:
    """Grenadiers with 6 against 1: five columns; without the option cargo is no target."""
    made = mounted().state
    rider = made.units["soviet-2"]
    assert cannot_attack(made, made.units["german-2"], rider, "main") is None
    roll = combat(made, Attack("soviet-2", (Shot("german-2"),)), Shot("german-2"))
    assert [line.amount for line in roll.lines if line.kind == "defence"] == [1]
    plain = mounted(top="").state
    refusal = cannot_attack(plain, plain.units["german-2"], plain.units["soviet-2"], "main")
    assert refusal is not None
    assert refusal.rule == "8.4.9"


@rule("12.5", "7.1.8-half")
def test_12_5_the_1_of_riders_that_move_is_not_halved_and_other_stands_keep_their_own_defence() -> None:
    made = mounted().state
    made.change("soviet-2", posture="movement")
    shots = [Attack(target, (Shot("german-2"),)) for target in ("soviet-1", "soviet-2")]
    rolls = [combat(made, attack, attack.shots[0]) for attack in shots]
    assert [[line.amount for line in roll.lines if line.kind == "defence"] for roll in rolls] == [[8], [1]]
    made.change("soviet-2", carrier=None, at=(20000, 17000))
    roll = combat(made, shots[1], Shot("german-2"))
    assert [line.amount for line in roll.lines if line.kind == "defence"] == [6, 3]


@rule("12.5")
def test_12_5_an_attack_on_the_riders_does_not_harm_the_tank() -> None:
    made = mounted(1, 1, 1)
    made.state.initiative = "german"
    made.push(StandardFirePhase(""))
    made.run()
    made.play("german", Begin("german"))
    made.play("german", Engage("german-2", "soviet-2"))
    made.play("german", Fire())
    assert made.state.units["soviet-2"].status == "eliminated"
    tank = made.state.units["soviet-1"]
    assert (tank.cargo, tank.shaken) == ((), False)


@rule("12.5", "10.8")
@pytest.mark.parametrize(("option", "found"), [(OPTION, {"soviet-1", "soviet-2"}), ("", {"soviet-1"})])
def test_12_5_close_support_guns_may_aim_at_riders(option: str, found: set[str]) -> None:
    made = mounted(top=option, gun="ger-panzer-iv-f1-75l24").state
    assert {shot.target for shot in shots(made, "german", made.units["german-1"])} == found


def fires(*dice: int) -> Game[Position]:
    """The T-34 fires at the German tank, with riders on it; the first die is that of its fire, which fails."""
    made = mounted(20, *dice)
    made.state.initiative = "soviet"
    made.push(StandardFirePhase(""))
    made.run()
    made.play("soviet", Begin("soviet"))
    made.play("soviet", Engage("soviet-1", "german-1"))
    made.play("soviet", Fire())
    return made


@rule("12.5")
def test_12_5_riders_of_a_tank_that_fires_get_off_for_half_of_their_points() -> None:
    made = fires()
    assert made.deciders() == ("soviet",)
    assert refused(made, "soviet", GetOff("soviet-2", (25000, 15000))) == "12.5"
    made.play("soviet", GetOff("soviet-2", (21000, 15000)))
    rider = made.state.units["soviet-2"]
    assert (rider.carrier, rider.at, rider.shaken, rider.posture) == (None, (21000, 15000), False, "movement")
    made.stack = ()
    made.push(MovementOrders("soviet"))
    made.run()
    assert made.state.units["soviet-2"].spent == points(2)
    assert made.state.units["soviet-1"].spent == 0


@rule("12.5")
@pytest.mark.parametrize(("number", "carrier"), [(10, "soviet-1"), (11, None)])
def test_12_5_riders_hold_on_with_a_roll_to_which_3_is_added(number: int, carrier: str | None) -> None:
    """Soviet cohesion is 13."""
    made = fires(number)
    made.play("soviet", HoldOn("soviet-2"))
    assert made.state.units["soviet-2"].carrier == carrier
    assert made.deciders() == ("german",)


@rule("12.5", "8.5.5")
def test_12_5_opportunity_fire_may_meet_the_riders_of_a_tank_on_the_move() -> None:
    made = march(
        ((SHERMAN, "5,5"), (TROOPS, "30,25")),
        (("ger-infantry-43", "9,5"),),
        more=OPTION,
        dice=(20,),
        blue_1={"facing": 270},
    )
    made.state.change("red-1", cargo=("red-2",))
    made.state.change("red-2", carrier="red-1", at=(5000, 5000))
    go(made, "red-1", 7, 5, 90)
    assert made.asked() == ("blue",)
    made.play("blue", Oppose("blue-1", "red-2"))
    assert against(made, Oppose("blue-1", "red-1"), "blue") != ""
    made.play("blue", Fire())
    assert (stand(made, "red-2").opposed, stand(made, "red-1").opposed) == (True, False)


# --- guns behind tanks ----------------------------------------------------------------------------------------------

GUN = "us-57mm-atg"


def towing(foe: tuple[str, str], cargo: str = GUN, ground: str = "") -> Game[Position]:
    """A Sherman at 20,15 that faces east, and tows a gun or carries troops; an enemy at a place."""
    made = march(((SHERMAN, "20,15"), (cargo, "35,28")), (foe,), ground=ground, more=OPTION, red_1={"facing": 90})
    made.state.change("red-1", cargo=("red-2",))
    made.state.change("red-2", carrier="red-1", at=(20000, 15000))
    return made


@rule("12.5", "8.7-who")
@pytest.mark.parametrize(("cargo", "refusal"), [(TROOPS, ""), (GUN, "8.7-who")])
def test_12_5_a_tank_that_tows_a_gun_overruns_nobody(cargo: str, refusal: str) -> None:
    made = towing(("ger-infantry-39", "23,15"), cargo)
    assert against(made, Overrun("red-1", "blue-1", (24000, 15000), 90)) == refusal


@rule("12.5", "8.4.5-range")
@pytest.mark.parametrize(
    ("cargo", "foe", "refusal"),
    [(GUN, "14,15", ""), (TROOPS, "14,15", "7.3.5"), (GUN, "13.9,15", "7.3.5"), (GUN, "25,15", "")],
)
def test_12_5_a_gun_behind_a_tank_is_attacked_where_it_is(cargo: str, foe: str, refusal: str) -> None:
    """It is an inch behind the tank, at 19,15; infantry fires five inches. Troops ride on the tank."""
    made = towing(("ger-infantry-39", foe), cargo).state
    found = cannot_attack(made, made.units["blue-1"], made.units["red-2"], "main")
    assert (found.rule if found else "") == refusal


@rule("12.5", "8.4.5-range", "7.3.2")
def test_12_5_the_range_to_a_gun_behind_a_tank_is_that_of_the_nearer_place() -> None:
    made = towing(("ger-infantry-39", "14,15")).state
    roll = combat(made, Attack("red-2", (Shot("blue-1"),)), Shot("blue-1"))
    (line,) = (line for line in roll.lines if line.rule == "7.3.2")
    assert (line.label, line.amount) == ("range 5 inches", 0)
    assert [line.amount for line in roll.lines if line.kind == "defence"] == [1]


@rule("12.5")
def test_12_5_a_gun_is_left_behind_suppressed_where_a_result_on_its_tank_finds_it() -> None:
    made = towing(("ger-infantry-39", "30,15"))
    apply_result(made, "red-1", "S")
    assert (at(made, "red-2"), stand(made, "red-2").suppressed, stand(made, "red-1").cargo) == ("19,15", True, ())


# --- riders and obstacles -------------------------------------------------------------------------------------------


@rule("12.5", "11.1.5")
def test_12_5_riders_that_are_thrown_off_avoid_mines_as_long_as_they_can() -> None:
    """Behind the tank are three places."""
    for free in (14, 15, 16):
        made = towing(("ger-infantry-39", "30,15"), TROOPS)
        mined, wired = {14, 15, 16} - {free}
        strew(made, "mines", 19, mined, value="hasty")
        strew(made, "wire", 19, wired)
        apply_result(made, "red-1", "S")
        assert at(made, "red-2") == f"19,{free}"


@rule("12.5", "11.1.5")
@pytest.mark.parametrize("mined", [True, False])
def test_12_5_riders_that_get_off_onto_mines_move_no_farther_in_this_turn(mined: bool) -> None:
    """Half of their points is left to them, but mines hold those that come onto them until the next turn."""
    made = fires()
    if mined:
        made.state.lay(Work("mines", "mines", (21000, 15000), 0, "german", "hasty"))
    made.play("soviet", GetOff("soviet-2", (21000, 15000)))
    made.stack = ()
    made.push(MovementOrders("soviet"))
    made.run()
    assert made.state.units["soviet-2"].moved is mined


@rule("12.5", "11.1.5")
@pytest.mark.parametrize("mined", [True, False])
def test_12_5_riders_thrown_off_in_the_movement_phase_stay_on_mines(mined: bool) -> None:
    """All the places beside the tank are mined."""
    made = towing(("ger-infantry-39", "30,15"), TROOPS)
    for x, y in ((x, y) for x in (19, 20, 21) for y in (14, 15, 16) if mined and (x, y) != (20, 15)):
        strew(made, "mines", x, y, value="dummy")
    apply_result(made, "red-1", "S")
    assert (at(made, "red-2").split(",")[0], stand(made, "red-2").moved) == ("19", mined)


@rule("8.4.6", "11.1.5")
def test_8_4_6_troops_that_are_unloaded_onto_mines_move_no_farther_in_this_turn() -> None:
    for side, moved in (("blue", True), ("red", False)):
        made = march((("us-halftrack-various-marks", "20,15"), (TROOPS, "35,28")))
        made.state.change("red-1", cargo=("red-2",))
        made.state.change("red-2", carrier="red-1", at=(20000, 15000))
        strew(made, "mines", 21, 15, side=side, value="hasty")
        made.play("red", Unload("red-1", "red-2", (21000, 15000), 90))
        assert stand(made, "red-2").moved is moved
