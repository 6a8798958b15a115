"""Limits that count exactly, and reasons that count alone: movement, loads, water, cavalry, fire at movers, orders."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from opfire.core.game import Game
from opfire.rulesets.micro_armour.alternation import Begin, Pass
from opfire.rulesets.micro_armour.moving.boats import Disembark
from opfire.rulesets.micro_armour.moving.cavalry import Dismount
from opfire.rulesets.micro_armour.moving.marching import left
from opfire.rulesets.micro_armour.moving.movement import GroupMovement, MovementOrders, Order, Stop
from opfire.rulesets.micro_armour.moving.opportunity import cannot_hit
from opfire.rulesets.micro_armour.moving.transport import Load, Unload
from opfire.rulesets.micro_armour.moving.water import Launch
from opfire.rulesets.micro_armour.pieces import Position, Work
from opfire.rulesets.micro_armour.postures import in_boats
from opfire.rulesets.micro_armour.results import eliminate
from opfire.rulesets.micro_armour.sequence import InitiativePhase
from rules.micro_armour.kit import rule, scripts
from rules.micro_armour.marches import against, area, at, go, inches, leg, line, march, points, stand

SHERMAN, CAR, RIFLES, STAFF = "us-m4-sherman", "us-m20-armoured-car", "us-infantry-42", "us-infantry-hq"
TRUCK, HEAVY, HALFTRACK = "us-medium-truck-2-3-ton", "us-heavy-truck-4-10-ton", "us-halftrack-various-marks"
GUN, PACK_GUN, CAVALRY = "us-57mm-atg", "us-75mm-pack-how-2", "sov-cavalry"
PAK, GRENADIERS = "ger-75mm-atg-pak-40", "ger-infantry-39"
WEST: Mapping[str, Any] = {"facing": 270}


def aboard(carrier: str, *cargo: str, **more: Any) -> Game[Position]:
    """A carrier at 5,5 that moves with stands aboard."""
    names = tuple(f"red-{number}" for number in range(2, len(cargo) + 2))
    values: dict[str, Any] = {name.replace("-", "_"): {"carrier": "red-1", "at": inches(5, 5)} for name in names}
    apart = tuple((kind, f"2,{20 + 2 * number}") for number, kind in enumerate(cargo))
    return march(((carrier, "5,5"), *apart), red_1={"cargo": names}, **values, **more)


# --- the initiative and command ---------------------------------------------------------------------------------------


@rule("4.0-1")
@pytest.mark.parametrize(("dice", "winner"), [((6, 1), "red"), ((1, 6), "blue"), ((3, 3, 2, 1), "red")])
def test_4_0_1_each_side_rolls_a_die_of_six_for_the_initiative(dice: tuple[int, ...], winner: str) -> None:
    """Both have a cohesion of 14."""
    game = march(((RIFLES, "5,5"),))
    game.stack = ()
    scripts(game, dice)
    game.push(InitiativePhase(""))
    game.run()
    assert game.state.initiative == winner
    rolled = [event for event in game.events if event.rule == "4.0-1" and event.dice]
    assert [event.dice for event in rolled] == [(number,) for number in dice]
    assert {event.facts[2] for event in rolled} == {14}


@rule("8.2.2", "10.1.5")
def test_10_1_5_a_general_headquarters_is_lost_with_its_carrier_and_so_are_its_orders() -> None:
    """A rifle stand that is lost on the way takes nobody with it: the others ride on, and the orders stay."""
    game = aboard(HEAVY, STAFF, RIFLES)
    game.state.change("red-2", rank="GHQ")
    game.state.orders["red"] = 2
    game.state.lift("red-3", "eliminated")
    assert (stand(game, "red-1").cargo, game.state.orders["red"]) == (("red-2",), 2)
    assert (stand(game, "red-1").at, stand(game, "red-2").carrier) == (inches(5, 5), "red-1")
    eliminate(game, "red-1")
    assert (stand(game, "red-2").at, stand(game, "red-2").carrier, game.state.orders["red"]) == (None, None, 0)


# --- ground -----------------------------------------------------------------------------------------------------------


@rule("9.2.1")
@pytest.mark.parametrize(("wrecks", "spent"), [(0, 6), (1, 6), (2, 9), (3, 9)])
def test_9_2_1_two_wrecks_in_a_place_are_rough_terrain_3(wrecks: int, spent: int) -> None:
    """An inch of it costs a tank 4 points; a single wreck costs tracks nothing."""
    game = march(((SHERMAN, "5,5"),))
    for number in range(wrecks):
        game.state.lay(Work(f"wreck {number}", "wreck", inches(8, 5)))
    go(game, "red-1", 11, 5)
    assert stand(game, "red-1").spent == points(spent)


@rule("9.2.1")
@pytest.mark.parametrize(("places", "spent"), [((), 6), ((8,), 7), ((8, 8), 11), ((8, 8, 8), 11), ((7.9, 8.1), 12)])
def test_9_2_1_wheels_pay_for_leaving_a_single_wreck_alone(places: tuple[float, ...], spent: float) -> None:
    """Three inches at 2 points, and 1 for leaving a wreck; an inch of rough terrain 3 costs 7 instead.

    Where two wrecks lie upon each other by eight tenths of an inch, that part costs 5.6 and the rest 4.4; then there
    is a single one to leave. Each stretch of ground is rounded up to half a point [9.1.2].
    """
    game = march(((CAR, "6,5"),))
    for number, x in enumerate(places):
        game.state.lay(Work(f"wreck {number}", "wreck", inches(x, 5)))
    go(game, "red-1", 9, 5)
    assert stand(game, "red-1").spent == points(spent)


@rule("8.3.2-min")
def test_8_3_2_a_stand_always_goes_its_first_inch_and_no_more() -> None:
    """In deep snow an inch of such ground costs infantry 6 points; it has 3."""
    more: dict[str, Any] = {"ground": area("rough-3", 0, 0, 40, 30), "more": 'weather = ["deep snow"]\n'}
    game = march(((RIFLES, "5,5"),), **more)
    assert against(game, leg("red-1", 6, 5)) == ""
    assert against(game, leg("red-1", 6.1, 5)) == "8.3.1-points"
    go(game, "red-1", 5.5, 5)
    assert against(game, leg("red-1", 6, 5)) == ""
    assert against(game, leg("red-1", 6.1, 5)) == "8.3.1-points"


@rule("8.3.1-points")
def test_8_3_1_a_stand_spends_all_of_its_points_and_moves_once() -> None:
    """A tank has 10."""
    game = march(((SHERMAN, "5,5"), (SHERMAN, "5,10")))
    assert against(game, leg("red-1", 15.1, 5)) == "8.3.1-points"
    go(game, "red-1", 15, 5)
    assert (at(game, "red-1"), left(game.state, stand(game, "red-1"))) == ("15,5", 0)
    assert stand(game, "red-1").moved or against(game, leg("red-1", 15.5, 5)) == "8.3.1-points"
    short = march(((SHERMAN, "5,5"), (SHERMAN, "5,10")))
    go(short, "red-1", 8, 5)
    short.play("red", Stop("red-1"))
    assert against(short, leg("red-1", 9, 5)) == "8.3.1-points"
    assert against(short, leg("red-2", 9, 10)) == ""


@rule("9.6.2-snow")
def test_9_6_2_snow_makes_rough_ground_of_clear_ground_alone() -> None:
    """An inch of clear ground costs wheels 3 points instead of 2, one of woods 4 as ever."""
    spent = {}
    for weather in ("", 'weather = ["snow"]\n'):
        for ground in ("", area("woods", 0, 0, 40, 30)):
            game = march(((CAR, "5,5"),), ground=ground, more=weather)
            go(game, "red-1", 7, 5)
            spent[weather != "", ground != ""] = stand(game, "red-1").spent
    assert spent == {
        (False, False): points(4),
        (True, False): points(6),
        (False, True): points(8),
        (True, True): points(8),
    }


# --- water ------------------------------------------------------------------------------------------------------------

RIVER = line("river", "10,0 10,30")
"""An inch and a half wide, from 9.25 to 10.75."""


def afloat(**more: Any) -> Game[Position]:
    """Infantry in fast boats that has put to sea and lies on the river."""
    game = march(((RIFLES, "8.7,5"), (TRUCK, "2,25")), ground=RIVER, dice=(1,), red_1={"boats": 3}, **more)
    game.play("red", Launch("red-1"))
    go(game, "red-1", 10.2, 5)
    return game


@rule("8.9.4-land")
@pytest.mark.parametrize(("x", "refused"), [(10.8, ""), (11.45, ""), (11.46, "8.9.4-land"), (12, "8.9.4-land")])
def test_8_9_4_boats_land_within_an_inch_and_a_quarter(x: float, refused: str) -> None:
    """RULINGS.md R57."""
    assert against(afloat(), Disembark("red-1", inches(x, 5))) == refused


@rule("8.9.4-land")
@pytest.mark.parametrize("kind", ["river", "stream"])
def test_8_9_4_infantry_is_in_its_boats_on_the_water_alone(kind: str) -> None:
    game = march(((RIFLES, "8,5"),), ground=line(kind, "10,0 10,30"))
    for place, boats, there in (((8, 5), 3, False), ((10, 5), 3, True), ((10, 5), 0, False)):
        game.state.change("red-1", at=inches(*place), boats=boats)
        assert in_boats(game.state, stand(game, "red-1")) == there
    lake = march(((RIFLES, "4,5"),), ground=area("water", 6, 0, 20, 30), red_1={"boats": 1, "at": inches(8, 5)})
    assert in_boats(lake.state, stand(lake, "red-1"))


@rule("8.3.1-points")
@pytest.mark.parametrize(("way", "boats"), [(leg("red-1", 5, 5, 90), 3), (leg("red-1", 6, 5), 0)])
def test_8_9_4_infantry_that_marches_off_leaves_its_boats_behind(way: Any, boats: int) -> None:
    """It keeps them while it only turns: RULINGS.md R57."""
    game = march(((RIFLES, "5,5"), (TRUCK, "2,25")), ground=RIVER, red_1={"boats": 3})
    game.play("red", way)
    if not stand(game, "red-1").moved:
        game.play("red", Stop("red-1"))
    assert (stand(game, "red-1").boats, stand(game, "red-1").moved) == (boats, True)


@rule("8.3.1-points")
def test_8_9_4_infantry_on_the_water_stays_in_its_boats() -> None:
    game = afloat()
    game.play("red", Stop("red-1"))
    assert (stand(game, "red-1").boats, stand(game, "red-1").moved) == (3, True)


# --- transport --------------------------------------------------------------------------------------------------------


@rule("8.4.1")
def test_8_4_1_a_vehicle_carries_one_weapon_and_what_its_capacity_holds() -> None:
    """A medium truck of 10 tows one of two guns of 4. A scout car of 6 takes no rifles, who need 8."""
    game = march(((TRUCK, "5,5"), (PACK_GUN, "2,20"), (PACK_GUN, "4,5")))
    assert against(game, Load("red-1", "red-3")) == ""
    game.state.change("red-1", cargo=("red-2",))
    game.state.change("red-2", carrier="red-1", at=inches(5, 5))
    assert against(game, Load("red-1", "red-3")) == "8.4.1"
    exact = march(((HALFTRACK, "5,5"), (RIFLES, "6,5")))
    assert against(exact, Load("red-1", "red-2")) == ""  # 8 of 8
    small = march((("us-m3-scout-car", "5,5"), (RIFLES, "6,5")))
    assert against(small, Load("red-1", "red-2")) == "8.4.1"


@rule("8.4.6", "8.4.7-cost", "8.4.8")
def test_8_4_6_who_gets_off_leaves_the_others_aboard_and_has_moved_no_inch() -> None:
    """Both pay half of their points, once for all who get off at one place."""
    game = aboard(HEAVY, RIFLES, RIFLES)
    half = left(game.state, stand(game, "red-1")) // 2
    game.play("red", Unload("red-1", "red-2", inches(6, 5), 0))
    assert (stand(game, "red-1").cargo, stand(game, "red-3").carrier) == (("red-3",), "red-1")
    assert (stand(game, "red-2").carrier, stand(game, "red-2").moved, stand(game, "red-2").group) == (
        None,
        False,
        "red-2",
    )
    assert (stand(game, "red-1").spent, stand(game, "red-2").spent) == (half, points(2))
    game.play("red", Unload("red-1", "red-3", inches(4, 5), 0))
    assert (stand(game, "red-1").cargo, stand(game, "red-1").spent) == ((), half)


@rule("8.4.8", "8.4.2")
def test_8_4_8_who_loads_has_moved_and_its_carrier_drives_on() -> None:
    game = march(((HALFTRACK, "5,5"), (RIFLES, "6,5")), dice=(1,))
    game.play("red", Load("red-1", "red-2"))
    assert (stand(game, "red-1").moved, stand(game, "red-2").moved) == (False, True)
    assert against(game, leg("red-1", 5, 8)) == ""


@rule("8.4.7-cost", "8.4.7-large")
@pytest.mark.parametrize(("gun", "large"), [(GUN, False), ("us-155mm-m1-how-2", True)])
def test_8_4_7_unloading_a_weapon_takes_all_points_of_both(gun: str, large: bool) -> None:
    """One of more than 10 is unpacked for a second turn."""
    game = aboard(HEAVY, gun)
    game.play("red", Unload("red-1", "red-2", inches(6, 5), 90))
    assert left(game.state, stand(game, "red-1")) == 0
    assert (stand(game, "red-2").handled != 0) == large
    assert stand(game, "red-2").facing == 90


# --- loaded transports ------------------------------------------------------------------------------------------------

LOADED = 'options = ["12.7"]\n'


@rule("12.7")
def test_12_7_a_load_takes_its_points_and_no_more() -> None:
    """A halftrack of 20 points goes 14 inches across country, and on a track 16 points: 21 and a third inches."""
    assert against(aboard(HALFTRACK, RIFLES, more=LOADED), leg("red-1", 19, 5)) == ""
    assert against(aboard(HALFTRACK, RIFLES, more=LOADED), leg("red-1", 19.1, 5)) == "12.7"
    assert against(aboard(HALFTRACK, more=LOADED), leg("red-1", 25, 5)) == ""  # it is empty


@rule("12.7")
@pytest.mark.parametrize(("begins", "most"), [("road", 16), ("track", 16), ("other", 14)])
def test_12_7_by_another_reading_the_ground_on_which_a_carrier_begins_decides(begins: str, most: int) -> None:
    """RULINGS.md R90: a halftrack that begins on a way has the points of that way across country too."""
    kind = {"road": "poor-road", "track": "track", "other": "poor-road"}[begins]
    way = line(kind, "5,0 5,30") if begins != "other" else line(kind, "30,0 30,30")
    game = aboard(HALFTRACK, RIFLES, more='options = ["12.7", "R90"]\n', ground=way)
    assert against(game, leg("red-1", 5 + most - 0.6, 5)) == ""
    go(game, "red-1", 7, 5)
    assert against(game, leg("red-1", 5 + most + 0.6, 5)) == "8.3.1-points"


# --- cavalry ----------------------------------------------------------------------------------------------------------


@rule("10.10.4")
def test_10_10_4_half_of_the_points_is_enough_for_dismounting() -> None:
    """Cavalry has 8: after four inches it dismounts, after a little more it does not."""
    for x, refused in ((9, ""), (9.1, "10.10.4")):
        game = march(((CAVALRY, "5,5"), (RIFLES, "5,15")))
        go(game, "red-1", x, 5)
        assert against(game, Dismount("red-1", inches(x + 1, 5))) == refused


@rule("10.10.4")
def test_10_10_4_horses_come_down_in_base_contact_and_on_the_table() -> None:
    game = march(((CAVALRY, "0.5,5"), (RIFLES, "5,15")))
    assert against(game, Dismount("red-1", inches(1.5, 5))) == ""
    assert against(game, Dismount("red-1", inches(1.6, 5))) == "10.10.4"
    assert against(game, Dismount("red-1", inches(0.5, 3.9))) == "10.10.4"
    assert against(game, Dismount("red-1", inches(0.2, 4))) == "10.10.4"  # off the table in part


@rule("10.10.3")
@pytest.mark.parametrize(("kind", "he"), [("sov-cavalry", 3), ("sov-cavalry-headquarters", None)])
def test_10_10_3_dismounted_cavalry_is_infantry_with_less_firepower(kind: str, he: int | None) -> None:
    """It keeps what else it is: a headquarters stays one."""
    game = march(((kind, "5,5"), (RIFLES, "5,15")))
    mounted = stand(game, "red-1").kind
    game.play("red", Dismount("red-1", inches(6, 5)))
    foot = stand(game, "red-1").kind
    assert (mounted.has("cavalry"), foot.has("cavalry"), foot.has("dismounted")) == (True, False, True)
    assert mounted.has("hq") == foot.has("hq") == (he is None)
    assert foot.he == (mounted.he or 0) - 1
    assert he in (None, foot.he)
    assert foot.ap == mounted.ap


# --- fire at movers ---------------------------------------------------------------------------------------------------


@rule("8.5.3", "8.6.2")
@pytest.mark.parametrize(
    ("manner", "kind", "change", "refused"),
    [
        ("main", "opportunity", {}, ""),
        ("main", "covering", {}, ""),
        ("heat", "opportunity", {}, "12.10"),
        ("big game", "covering", {}, "12.10"),
        ("main", "opportunity", {"opposed": True}, "8.5.5"),
        ("main", "covering", {"opposed": True}, ""),
        ("main", "covering", {"covered": True}, "8.6.4"),
        ("main", "opportunity", {"covered": True}, ""),
        ("main", "opportunity", {"at": inches(15, 15)}, "7.3.6-arc"),
        ("second", "opportunity", {}, "10.9"),
    ],
)
def test_8_5_3_each_reason_against_fire_at_a_mover(
    manner: Any, kind: Any, change: dict[str, Any], refused: str
) -> None:
    game = march(((SHERMAN, "5,5"),), ((PAK, "15,5"),), blue_1=WEST)
    target = game.state.change("red-1", **change)
    refusal = cannot_hit(game.state, stand(game, "blue-1"), target, manner, kind)
    assert (refusal.rule if refusal else "") == refused


@rule("8.5.3", "7.4.1")
def test_8_5_3_artillery_fires_at_no_mover() -> None:
    game = march(((SHERMAN, "5,5"),), (("ger-105mm-ifh18-2", "15,5"),), blue_1=WEST)
    for kind in ("opportunity", "covering"):
        refusal = cannot_hit(game.state, stand(game, "blue-1"), stand(game, "red-1"), "main", kind)  # type: ignore[arg-type]
        assert refusal is not None
        assert refusal.rule == "7.4.1"


# --- orders -----------------------------------------------------------------------------------------------------------


def in_turn(red: int, blue: int, more: str = "", **values: Any) -> Game[Position]:
    """The movement phase, with these orders for each side."""
    moving = {"posture": "movement", "group": "blue-1"}
    game = march(((RIFLES, "5,5"),), ((GRENADIERS, "30,5"),), more=more, blue_1=moving, **values)
    game.stack = ()
    game.state.orders.update(red=red, blue=blue)
    game.push(GroupMovement("red"))
    game.run()
    return game


@rule("4.0-6")
@pytest.mark.parametrize(
    ("red", "blue", "asked", "choice"), [(1, 1, "red", Begin), (1, 0, "red", Order), (0, 1, "blue", Order)]
)
def test_4_0_6_the_side_with_the_initiative_says_who_begins_if_both_can_move(
    red: int, blue: int, asked: str, choice: type
) -> None:
    """A side without an order has nothing to try, and the other one is asked at once."""
    game = in_turn(red, blue)
    assert game.asked() == (asked,)
    assert choice in {type(action) for action in game.choices(asked)}


@rule("4.0-6")
def test_4_0_6_without_any_orders_groups_try_to_move_without() -> None:
    frame = in_turn(0, 0).stack[-1]
    assert isinstance(frame, GroupMovement)
    assert frame.independent


STEADY = 'options = ["12.6"]\n'


@rule("12.6")
@pytest.mark.parametrize(("die", "asked", "orders"), [(14, "blue", 1), (15, "red", 1)])
def test_12_6_a_stand_fast_takes_an_order_whether_it_succeeds_or_not(die: int, asked: str, orders: int) -> None:
    game = in_turn(2, 2, STEADY)
    game.play("red", Begin("red"))
    scripts(game, (die,))
    game.play("red", Pass())
    assert (game.asked(), game.state.orders["red"], game.state.orders["blue"]) == ((asked,), orders, 2)
    assert against(game, Pass(), asked) == ("12.6" if asked == "red" else "")


@rule("12.6")
def test_12_6_a_side_whose_last_order_went_into_standing_fast_is_not_forced_to_move() -> None:
    """There is no order left for a group; the other side goes on."""
    game = in_turn(1, 2, STEADY)
    game.play("red", Begin("red"))
    scripts(game, (15,))
    game.play("red", Pass())
    assert (game.asked(), game.state.orders["red"]) == (("blue",), 0)


@rule("8.2.2", "8.3.1-points", "12.5")
@pytest.mark.parametrize(("jumped", "left_over"), [(False, 3), (True, 1)])
def test_12_5_who_has_jumped_off_a_tank_has_half_of_its_points(jumped: bool, left_over: int) -> None:
    """Infantry has 3, and half of them, rounded up, are gone; all others begin afresh."""
    used = {"jumped": jumped, "spent": points(3), "moved": True, "gone": points(2)}
    game = march(((RIFLES, "5,5"),), frame=MovementOrders("red"), red_1=used)
    unit = stand(game, "red-1")
    assert (left(game.state, unit), unit.moved, unit.gone) == (points(left_over), False, 0)


@rule("11.1.5", "12.5")
@pytest.mark.parametrize("jumped", [False, True])
def test_11_1_5_who_stands_on_mines_moves_in_the_next_turn_unless_it_has_just_jumped_there(jumped: bool) -> None:
    game = march(((RIFLES, "20,20"),))
    game.state.lay(Work("mines", "mines", inches(20, 20), 0, "blue", "standard"))
    game.state.change("red-1", jumped=jumped, moved=True)
    game.stack = ()
    game.push(MovementOrders("red"))
    game.run()
    assert stand(game, "red-1").moved is jumped


@rule("8.5.3", "12.8")
@pytest.mark.parametrize(("shots", "refused"), [((), ""), (("red-1",), "12.8")])
def test_12_8_a_second_attack_on_a_mover_is_not_on_the_first_target(shots: tuple[str, ...], refused: str) -> None:
    facts = {**WEST, "fired": True, "again": True, "shots": shots}
    game = march(((SHERMAN, "5,5"),), ((PAK, "15,5"),), more='options = ["12.8"]\n', blue_1=facts)
    refusal = cannot_hit(game.state, stand(game, "blue-1"), stand(game, "red-1"), "main", "opportunity")
    assert (refusal.rule if refusal else "") == refused
