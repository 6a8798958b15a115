"""Movement [5.0-5.5, 17.3]. Tests are named after rules, in the book's order."""

from __future__ import annotations

import pytest

from opfire.core.actions import Action
from opfire.core.game import Game
from opfire.rulesets.panzer_grenadier.actions import EndSegment, Pass
from opfire.rulesets.panzer_grenadier.command.activation import (
    Activate,
    ActivateLeader,
    ActivateStack,
    Begin,
    Designate,
    DesignateAll,
)
from opfire.rulesets.panzer_grenadier.fire.reaction import ShootDirect
from opfire.rulesets.panzer_grenadier.movement.costs import allowance, step_cost
from opfire.rulesets.panzer_grenadier.movement.moving import GoAlong, Move, Moving, Stop
from opfire.rulesets.panzer_grenadier.movement.reaching import reach
from opfire.rulesets.panzer_grenadier.movement.transport import Load
from opfire.rulesets.panzer_grenadier.pieces import Position
from opfire.rulesets.panzer_grenadier.setup.control import take_control
from rules.panzer_grenadier.kit import (
    Table,
    allowed,
    draw,
    full,
    german,
    leader,
    marker,
    offered,
    play,
    refused,
    rule,
    soviet,
    unit,
    why_not,
)

DOWN = "\n".join(["."] * 12)
"""One column of clear hexes, A1 to A12."""


def column(*tokens: str) -> str:
    """One column, from north to south."""
    return "\n".join(tokens)


def walk(name: str, *hexes: str) -> list[Action]:
    return [Move(name, hex) for hex in hexes]


def where(game: Game[Position], name: str) -> str | None:
    hex = unit(game, name).hex
    return hex and hex.removeprefix("1-")


def steps(game: Game[Position], name: str) -> set[str]:
    """The hexes that a unit may enter now."""
    return {move.to.removeprefix("1-") for move in offered(game, Move) if isinstance(move, Move) and move.unit == name}


def moving(game: Game[Position], name: str) -> Game[Position]:
    """The game with that unit alone activated to move."""
    play(game, Activate(name, "move"))
    return game


def led(game: Game[Position], leader: str) -> Game[Position]:
    """The game with all whom a leader reaches activated to move."""
    play(game, ActivateLeader(leader), DesignateAll("move"), Begin())
    return game


@rule("5.0")
def test_5_0_a_click_on_the_own_hex_is_told_so():
    game = moving(draw(DOWN, d=german("ger-inf", "A1")), "d")
    assert refused(game, Move("d", "A1")) == "5.0"
    [seat] = game.asked()
    refusal = game.why_not(seat, Move("d", str(game.state.units["d"].hex)))
    assert refusal is not None
    assert refusal.sentence().endswith("1-A1 already: choose a hex next to it")


# --- stacking [4] -----------------------------------------------------------------------------------------------


@rule("4.1")
@rule("4.5")
def test_4_1_a_fourth_combat_unit_does_not_enter():
    three = {name: german("ger-inf", "A2") for name in "abc"}
    game = moving(draw(DOWN, d=german("ger-inf", "A1"), **three), "d")
    assert refused(game, Move("d", "A2")) == "4.5"


@rule("4.1")
def test_4_1_a_third_combat_unit_enters():
    two = {name: german("ger-inf", "A2") for name in "ab"}
    game = moving(draw(DOWN, d=german("ger-inf", "A1"), **two), "d")
    assert allowed(game, Move("d", "A2"))


@rule("4.1")
@rule("4.3")
@rule("4.2.a")
def test_4_1_an_apc_joins_three_combat_units_and_stacks_as_a_transport():
    three = {name: german("ger-inf", "A2") for name in "abc"}
    game = moving(draw(DOWN, apc=german("ger-spw251", "A1"), **three), "apc")
    assert allowed(game, Move("apc", "A2"))


@rule("4.3")
def test_4_3_three_apcs_and_three_other_combat_units_fill_a_hex_for_a_seventh_of_either_kind():
    full_hex = {name: german("ger-inf", "A2") for name in "abc"} | {name: german("us-m3", "A2") for name in "def"}
    apc = moving(draw(DOWN, g=german("ger-spw251", "A1"), **full_hex), "g")
    assert refused(apc, Move("g", "A2")) == "4.5"
    del full_hex["a"]
    inf = moving(draw(DOWN, g=german("ger-inf", "A1"), **full_hex), "g")
    assert allowed(inf, Move("g", "A2"))  # the third that is no APC
    apc = moving(draw(DOWN, g=german("ger-spw251", "A1"), **full_hex), "g")
    assert refused(apc, Move("g", "A2")) == "4.5"  # the place of a combat unit is none for an APC


@rule("4.5")
def test_4_5_a_fourth_transport_does_not_enter_apcs_among_them():
    three = {"a": german("ger-spw251", "A2"), "b": german("ger-truck", "A2"), "c": german("ger-wagon", "A2")}
    game = moving(draw(DOWN, d=german("ger-truck", "A1"), **three), "d")
    assert refused(game, Move("d", "A2")) == "4.5"


@rule("4.2")
def test_4_2_nobody_passes_through_a_full_hex():
    """The limit holds at every moment, not only where the move ends."""
    three = {name: german("ger-inf", "A2") for name in "abc"}
    game = moving(draw(DOWN, tank=german("ger-pz4h", "A1"), **three), "tank")
    assert refused(game, Move("tank", "A2")) == "4.5"


@rule("4.5")
def test_4_5_leaders_are_not_counted_and_enter_full_hexes():
    three = {name: german("ger-inf", "A2") for name in "abc"}
    game = moving(draw(DOWN, lt=leader("german", "A1"), **three), "lt")
    assert allowed(game, Move("lt", "A2"))


# --- one at a time [5.0] ----------------------------------------------------------------------------------------


@rule("5.0")
def test_5_0_a_unit_finishes_its_move_before_the_next_begins():
    game = draw(DOWN, a=german("ger-inf", "A1"), b=german("ger-inf", "A1"))
    play(game, ActivateStack("1-A1"), DesignateAll("move"), Begin(), Move("a", "A2"))
    assert refused(game, Move("b", "A2")) == "5.0"
    play(game, Stop("a"))
    assert allowed(game, Move("b", "A2"))


@rule("5.0", "5.1")
def test_5_0_where_the_next_could_go_is_shown_by_its_own_allowance():
    game = draw(DOWN, a=german("ger-cav", "A1"), b=german("ger-inf", "A1"))
    play(game, ActivateStack("1-A1"), DesignateAll("move"), Begin(), Move("a", "A2"))
    shown = reach(game.state, "german", unit="b", frame=game.stack[-1])
    assert {row["place"] for row in shown["places"]} == {full("A2"), full("A3"), full("A4")}
    assert shown["rule"] == "5.1"


@rule("5.0")
def test_5_0_units_move_from_hex_to_adjacent_hex():
    game = moving(draw(DOWN, a=german("ger-inf", "A1")), "a")
    assert refused(game, Move("a", "A3")) == "5.0"


@rule("5.11.b")
def test_5_11_b_units_of_a_stack_go_different_ways():
    game = draw(a=german("ger-inf", "C3"), b=german("ger-inf", "C3"))
    play(game, ActivateStack("C3"), DesignateAll("move"), Begin(), Move("a", "C2"), Stop("a"))
    assert {"C2", "C4"} <= steps(game, "b")  # after the other, or away from it
    play(game, Move("b", "C4"))
    assert (where(game, "a"), where(game, "b")) == ("C2", "C4")


@rule("5.0.a")
def test_5_0_a_a_leader_moves_together_with_a_unit_he_activates():
    game = led(draw(DOWN, a=german("ger-inf", "A1"), lt=leader("german", "A1")), "lt")
    play(game, GoAlong("a", "lt"), Move("a", "A2"))
    assert (where(game, "a"), where(game, "lt")) == ("A2", "A2")
    play(game, Move("a", "A3"), Stop("a"))
    assert where(game, "lt") == "A3"
    assert unit(game, "lt").marked


@rule("5.0.a")
def test_5_0_a_he_does_not_join_a_unit_that_has_been_away_and_come_back():
    game = led(draw(DOWN, a=german("ger-inf", "A1"), lt=leader("german", "A1")), "lt")
    play(game, Move("a", "A2"), Move("a", "A1"))
    assert refused(game, GoAlong("a", "lt")) == "5.0.a"


@rule("5.0.a", "6.6")
def test_6_6_a_kommissar_moves_with_nobody_as_its_leader():
    game = draw(DOWN, a=german("ger-inf", "A1"), lt=leader("german", "A1"), kom=leader("german", "A1", "KOM"))
    led(game, "lt")
    assert refused(game, GoAlong("a", "kom")) == "6.3"
    assert allowed(game, GoAlong("a", "lt"))


@rule("5.0.a")
@rule("6.3")
def test_5_0_a_a_leader_neither_directing_a_unit_nor_slower_stays_behind():
    """A tank of 4 points is not faster than he, and he does not direct it; a motorcycle is, and takes him."""
    game = draw(DOWN, tank=german("ger-pz4h", "A1", movement=4), m=german("ger-pz4h", "A1"), lt=leader("german", "A1"))
    play(game, ActivateStack("1-A1"), DesignateAll("move"), Begin())
    assert refused(game, GoAlong("tank", "lt")) == "6.3"
    assert allowed(game, GoAlong("m", "lt"))


@rule("6.3")
def test_6_3_a_leader_gets_aboard_a_transport_and_does_not_ride_on_it():
    game = led(draw(DOWN, t=german("ger-truck", "A1"), lt=leader("german", "A1")), "lt")
    assert refused(game, GoAlong("t", "lt")) == "6.3"


# --- allowances and costs [5.1] ---------------------------------------------------------------------------------


@rule("5.1")
@rule("6.3")
@rule("6.9")
def test_5_1_leaders_have_four_points_and_cavalry_leaders_six():
    game = draw(DOWN, lt=leader("german", "A1"), rider=leader("german", "A1", mounted=True))
    assert allowance(game.state, unit(game, "lt")) == 2 * 4
    assert allowance(game.state, unit(game, "rider")) == 2 * 6


@rule("5.1")
def test_5_1_three_points_buy_three_clear_hexes():
    game = moving(draw(DOWN, a=german("ger-inf", "A1"), b=german("ger-inf", "A1")), "a")
    play(game, *walk("a", "A2", "A3", "A4"))
    assert where(game, "a") == "A4"
    assert unit(game, "a").marked  # nothing is left: its move is over, and so is the segment


@rule("5.11")
def test_5_11_no_unit_spends_more_than_it_has():
    """Clear and woods cost one and two on foot: after two clear hexes a third of two points is too dear."""
    game = moving(draw(column(".", ".", ".", "w", "."), a=german("ger-inf", "A1")), "a")
    play(game, *walk("a", "A2", "A3"))
    assert refused(game, Move("a", "A4")) == "5.11"


@rule("5.11")
def test_5_11_only_the_most_expensive_terrain_of_a_hex_is_paid():
    """Woods on a slope: two points for either, two for both, and one for going up."""
    game = draw(column(".", "ws", "ws"), a=german("ger-inf", "A1"))
    assert step_cost(game.state, unit(game, "a"), "1-A2", "1-A3") == 2 * 2


@rule("5.11.a")
@pytest.mark.parametrize("token", ["w", "m"])
def test_5_11_a_one_hex_can_always_be_entered_as_the_whole_move(token: str):
    game = moving(draw(column(".", token, "."), a=german("ger-inf", "A1", movement=1)), "a")
    play(game, Move("a", "A2"))
    assert where(game, "a") == "A2"
    assert unit(game, "a").marked


@rule("5.11.a")
def test_5_11_a_but_not_where_the_ground_is_closed_to_it():
    game = moving(draw(column(".", "m", "."), t=german("ger-truck", "A1")), "t")
    assert refused(game, Move("t", "A2")) == "5.11.a"


@rule("5.11.a", "5.61")
def test_5_11_a_one_hex_after_loading_too():
    """Of six points one is spent on loading: the woods, at six, are still one hex."""
    units = {"t": german("ger-truck", "A1", movement=6), "a": german("ger-inf", "A1"), "b": german("ger-inf", "A1")}
    game = draw(column(".", "w", "w"), **units)
    play(game, ActivateStack("1-A1"), DesignateAll("move"), Begin(), Load("t", "a"))
    assert "1-A2" in {row["place"] for row in reach(game.state, "german", unit="t")["places"]}
    play(game, Move("t", "A2"))
    assert (where(game, "t"), where(game, "a")) == ("A2", "A2")
    assert unit(game, "t").marked


@rule("5.11.a")
def test_5_11_a_not_after_going_there_and_back():
    game = moving(draw(column("w", ".", "."), a=german("ger-inf", "A2"), b=german("ger-inf", "A2")), "a")
    play(game, *walk("a", "A3", "A2"))
    assert refused(game, Move("a", "A1")) == "5.11"


@rule("5.11.a")
def test_5_11_a_not_after_another_hex():
    game = moving(draw(column(".", ".", "w"), a=german("ger-inf", "A1", movement=2)), "a")
    play(game, Move("a", "A2"))
    assert refused(game, Move("a", "A3")) == "5.11"


@rule("5.12")
@rule("5.12.a")
@rule("5.12.b")
@rule("5.12.d")
@pytest.mark.parametrize(
    ("kind", "points"),
    [
        ("ger-inf", 1),
        ("ger-cav", 1),
        ("ger-wagon", 1),
        ("ger-pz4h", 1),
        ("ger-spw251", 1),
        ("ger-truck", 2),
        ("ger-sk222", 2),
    ],
)
def test_5_12_clear_ground_costs_motorized_units_more(kind: str, points: int):
    """Armored cars have armor, and yet are motorized."""
    game = draw(DOWN, a=german(kind, "A1"))
    assert step_cost(game.state, unit(game, "a"), "1-A1", "1-A2") == 2 * points


@rule("5.12.c")
def test_5_12_c_a_weapon_with_a_t_cannot_move_by_itself():
    game = draw(DOWN, gun=german("ger-105", "A1", limbered=True), b=german("ger-inf", "A1"))
    play(game, ActivateStack("1-A1"), DesignateAll("move"), Begin())
    assert refused(game, Move("gun", "A2")) == "5.12.c"


@rule("5.12.c")
@rule("5.62")
def test_5_12_c_a_weapon_with_a_figure_goes_on_foot_when_limbered_and_not_before():
    game = draw(DOWN, gun=german("ger-at-37", "A1", limbered=True), other=german("ger-at-37", "A1"))
    play(game, ActivateStack("1-A1"), DesignateAll("move"), Begin())
    assert refused(game, Move("other", "A2")) == "5.62"
    play(game, Move("gun", "A2"))
    assert where(game, "gun") == "A2"


# --- roads [5.2] ------------------------------------------------------------------------------------------------

ROAD = {"roads": ["A1 A2 A3 A4"]}


@rule("5.2")
def test_5_2_the_road_price_is_for_crossing_the_side_that_the_road_crosses():
    game = draw("\n".join([". ."] * 6), fields=ROAD, t=german("ger-truck", "A1"))
    assert step_cost(game.state, unit(game, "t"), "1-A1", "1-A2") == 1
    assert step_cost(game.state, unit(game, "t"), "1-B1", "1-A2") == 4


@rule("5.2")
def test_5_2_along_a_road_the_terrain_of_the_hex_costs_nothing():
    game = draw(column(".", "w", ".", ".", "."), fields=ROAD, t=german("ger-truck", "A1"))
    assert step_cost(game.state, unit(game, "t"), "1-A1", "1-A2") == 1


@rule("5.2")
def test_5_2_bridges_are_roads():
    game = draw(
        column(".", "~", ".", ".", "."), fields={**ROAD, "bridges": {"A2": "wood"}}, t=german("ger-truck", "A1")
    )
    moving(game, "t")
    assert allowed(game, Move("t", "A2"))
    assert step_cost(game.state, unit(game, "t"), "1-A1", "1-A2") == 1


@rule("5.21")
def test_5_21_a_town_costs_what_a_town_costs_on_a_road_too():
    game = draw(column(".", "t", ".", ".", "."), fields=ROAD, t=german("ger-truck", "A1"))
    by_road = step_cost(game.state, unit(game, "t"), "1-A1", "1-A2")
    game = draw(column(".", "t", ".", ".", "."), t=german("ger-truck", "A1"))
    assert by_road == step_cost(game.state, unit(game, "t"), "1-A1", "1-A2") == 4


@rule("5.21")
@pytest.mark.parametrize("token", ["ts", "tw"])
def test_5_21_along_a_road_a_town_costs_no_more_for_what_else_lies_there(token: str):
    game = draw(column(".", token, ".", ".", "."), fields=ROAD, t=german("ger-truck", "A1"))
    assert step_cost(game.state, unit(game, "t"), "1-A1", "1-A2") == 4


@rule("5.21")
@pytest.mark.parametrize(("token", "price"), [("t", 4), ("tw", 4), ("ts", 6)])  # up the slope costs a point on top
def test_5_21_nor_does_it_off_the_road(token: str, price: int):
    game = draw(column(".", token, ".", ".", "."), t=german("ger-truck", "A1"))
    assert step_cost(game.state, unit(game, "t"), "1-A1", "1-A2") == price


# --- the enemy [5.3] --------------------------------------------------------------------------------------------


@rule("5.3")
def test_5_3_a_hex_with_enemy_combat_units_is_not_for_moving():
    game = led(draw(DOWN, a=german("ger-inf", "A1"), lt=leader("german", "A1"), x=soviet("sov-inf", "A2")), "lt")
    assert refused(game, Move("a", "A2")) == "5.3"


@rule("5.31")
def test_5_31_a_combat_unit_rides_over_empty_transports():
    game = moving(draw(DOWN, a=german("ger-inf", "A1"), b=german("ger-inf", "A1"), x=soviet("sov-truck", "A2")), "a")
    play(game, Move("a", "A2"))
    assert unit(game, "x").status == "eliminated"
    assert allowed(game, Move("a", "A3"))


@rule("5.31")
def test_5_31_empty_transports_of_both_sides_do_not_mind_each_other():
    game = moving(draw(DOWN, t=german("ger-truck", "A1"), x=soviet("sov-wagon", "A2")), "t")
    play(game, Move("t", "A2"))
    assert unit(game, "x").hex == unit(game, "t").hex == "1-A2"


@rule("5.31")
def test_5_31_a_loaded_transport_is_not_driven_over():
    """With a unit aboard it is an enemy unit like others; with a leader aboard it is not empty, but no unit either."""
    loaded = {"x": soviet("sov-truck", "A2"), "y": soviet("sov-inf", carrier="x")}
    game = moving(draw(DOWN, a=german("ger-inf", "A1"), **loaded), "a")
    assert refused(game, Move("a", "A2")) == "5.3"
    loaded = {"x": soviet("sov-truck", "A2"), "y": leader("soviet", carrier="x")}
    game = moving(draw(DOWN, a=german("ger-inf", "A1"), **loaded), "a")
    assert refused(game, Move("a", "A2")) == "5.31"


@rule("5.31")
@rule("6.71.A2")
def test_5_31_a_hex_with_leaders_alone_is_entered_and_they_roll_after_the_fire():
    """The shot comes first [6.71.A2]; then two dice for the leader, and 9 takes him."""
    foes = {"kpt": soviet("leader", "A2", rank="CPT", leads=8), "x": soviet("sov-inf", "A4")}
    game = led(draw(DOWN, a=german("ger-inf", "A1"), lt=leader("german", "A1"), **foes), "lt")
    play(game, Move("a", "A2"))  # nothing is rolled yet
    assert unit(game, "kpt").status == "on the map"
    play(game, ShootDirect(("x",), "a"), dice=[6, 6, 4, 5])  # no effect; then the enemy can fire no more
    assert unit(game, "kpt").status == "eliminated"


@rule("5.32")
@rule("12.12")
def test_5_32_who_leaves_an_assault_hex_moves_one_hex_and_into_no_other():
    foes = {"x": soviet("sov-inf", "C3"), "y": soviet("sov-inf", "C4")}
    own = {"a": german("ger-inf", "C3"), "b": german("ger-inf", "C3"), "lt": leader("german", "C3")}
    game = draw(**own, **foes)
    play(game, ActivateLeader("lt"), Designate("a", "move"), Begin())
    assert refused(game, Move("a", "C4")) == "5.32"
    play(game, Move("a", "C2"))
    while game.asked() == ("soviet",):
        play(game, Pass())
    assert where(game, "a") == "C2"
    assert unit(game, "a").marked


# --- moving closer [5.4] and by night [5.5] ---------------------------------------------------------------------


@rule("5.4")
def test_5_4_without_a_leader_no_unit_moves_closer_to_who_could_hurt_it():
    game = moving(draw(DOWN, a=german("ger-inf", "A1"), x=soviet("sov-inf", "A4")), "a")
    assert refused(game, Move("a", "A2")) == "5.4"  # range 2: the step would end within it


@rule("5.4")
@rule("5.42")
def test_5_4_with_a_leader_of_its_kind_it_does():
    game = led(draw(DOWN, a=german("ger-inf", "A1"), lt=leader("german", "A1"), x=soviet("sov-inf", "A4")), "lt")
    assert allowed(game, Move("a", "A2"))


@rule("5.41.a")
def test_5_41_a_outside_the_enemys_range_it_moves_as_it_likes():
    game = moving(draw(DOWN, a=german("ger-inf", "A1"), x=soviet("sov-inf", "A5")), "a")
    assert allowed(game, Move("a", "A2"))  # three hexes off, and the range is two


@rule("5.5")
def test_5_5_by_night_only_friendly_hexes_without_a_leader():
    game = draw(
        DOWN, a=german("ger-inf", "A2"), special={"night": [1]}, markers=[marker("control", "A1", side="german")]
    )
    moving(game, "a")
    assert refused(game, Move("a", "A3")) == "5.5"
    assert allowed(game, Move("a", "A1"))


@rule("5.5.A1")
def test_5_5_A1_or_those_where_friendly_units_stand_and_a_leader_is_none():
    units = {"a": german("ger-inf", "A2"), "lt": leader("german", "A3"), "t": german("ger-truck", "A1")}
    game = draw(DOWN, special={"night": [1]}, **units)
    moving(game, "a")
    assert refused(game, Move("a", "A3")) == "5.5"
    assert allowed(game, Move("a", "A1"))


@rule("5.5", "G.control")
def test_5_5_who_starts_aboard_holds_what_is_nearest_to_him():
    truck, rider = german("ger-truck", "A5"), german("ger-inf", carrier="t")
    game = draw(DOWN, t=truck, a=rider, x=soviet("sov-inf", "A12"), special={"night": [1]})
    take_control(game.state)
    assert (game.state.control["1-A6"], game.state.control["1-A10"]) == ("german", "soviet")


# --- states -----------------------------------------------------------------------------------------------------


@rule("14.2")
def test_14_2_the_disrupted_move_one_hex():
    game = moving(draw(DOWN, a=german("ger-inf", "A1", state="disrupted"), b=german("ger-inf", "A1")), "a")
    play(game, Move("a", "A2"))
    assert unit(game, "a").marked
    assert where(game, "a") == "A2"


@rule("14.2", "5.31", "12.13")
@pytest.mark.parametrize("options", [(), ("R14.2",)])
@pytest.mark.parametrize("foe", [soviet("sov-truck", "A2"), leader("soviet", "A2")], ids=["truck", "leader"])
def test_14_2_where_no_combat_unit_is_the_disrupted_enter_freely_or_not(foe: Table, options: tuple[str, ...]):
    """Not by option R14.2: there any enemy occupies a hex."""
    shaken = {"a": german("ger-inf", "A1", state="disrupted"), "b": german("ger-inf", "A1")}
    game = moving(draw(DOWN, foe=foe, options=options, **shaken), "a")
    assert why_not(game, Move("a", "A2")) == ("14.2" if options else None)
    game = moving(draw(DOWN, foe=foe, options=options, **shaken), "b")
    assert allowed(game, Move("b", "A2"))  # in good order


@rule("6.72")
def test_6_72_near_the_fallen_commander_nobody_moves():
    game = draw(DOWN, a=german("ger-inf", "A1"), b=german("ger-inf", "A6"))
    game.state.change_army("german", decapitated=1, decapitated_at="1-A2")
    assert offered(moving(game, "a"), Move) == set()


# --- strategic movement [17.3] ----------------------------------------------------------------------------------


@rule("17.3")
def test_17_3_out_of_sight_units_move_twice_as_far():
    game = draw(DOWN, a=german("ger-inf", "A1"), options=["17.3"])
    moving(game, "a")
    play(game, *walk("a", "A2", "A3", "A4", "A5", "A6"))
    assert allowed(game, Move("a", "A7"))
    play(game, Move("a", "A7"))
    assert where(game, "a") == "A7"
    assert unit(game, "a").marked


@rule("17.3", "5.0")
def test_17_3_the_way_that_is_shown_ends_where_the_unit_is_seen():
    """Of six points the woods cost two, and three are taken away in them: one is left, and the enemy is near."""
    board = column(".", ".", "w", ".", ".", ".", ".")
    units = {"a": german("ger-inf", "A4"), "b": german("ger-inf", "A4"), "x": soviet("sov-truck", "A1")}
    game = draw(board, options=["17.3"], **units)
    play(game, ActivateStack("1-A4"), DesignateAll("move"), Begin())
    shown = {row["place"]: row["left"] for row in reach(game.state, "german", unit="a")["places"]}
    assert shown == {full("A3"): 1, full("A5"): 5, full("A6"): 4, full("A7"): 3}
    play(game, Move("a", "A3"))
    moving = game.stack[-1]
    assert isinstance(moving, Moving)
    assert moving.left == 2 * shown[full("A3")]


@rule("17.3", "16.61")
def test_17_3_who_is_fired_at_from_hiding_is_in_sight_from_then_on():
    game = draw(a=german("ger-inf", "A1"), x=soviet("sov-hmg", "A6", hidden=True), options=["17.3"])
    moving(game, "a")
    play(game, Move("a", "A2"))
    play(game, ShootDirect(("x",), "a"), dice=[6, 6])
    frame = game.stack[-1]
    assert isinstance(frame, Moving)
    assert frame.left == 2 * (6 - 1 - 3)


@rule("17.3")
def test_17_3_but_only_as_played():
    game = draw(DOWN, a=german("ger-inf", "A1"))
    play(moving(game, "a"), *walk("a", "A2", "A3", "A4"))
    assert unit(game, "a").marked


@rule("17.3")
def test_17_3_in_sight_there_is_the_usual_allowance():
    """Woods hide the first hexes; once past them three points are all there are."""
    board = column(".", ".", ".", ".", "w", ".", ".")
    game = draw(board, a=german("ger-inf", "A1"), x=soviet("sov-truck", "A7"), options=["17.3"])
    assert allowance(game.state, unit(game, "a")) == 2 * 6
    game = draw(board, a=german("ger-inf", "A6"), x=soviet("sov-truck", "A7"), options=["17.3"])
    assert allowance(game.state, unit(game, "a")) == 2 * 3


@rule("3.13.c")
def test_3_13_c_who_has_moved_is_marked_and_moves_no_more():
    game = draw(DOWN, a=german("ger-inf", "A1"), b=german("ger-inf", "A1"))
    play(game, ActivateStack("1-A1"), DesignateAll("move"), Begin(), Move("a", "A2"), Stop("a"))
    assert refused(game, Move("a", "A3")) == "3.13.c"
    play(game, EndSegment())
    assert full("A2") == unit(game, "a").hex


@rule("16.61", "5.3")
def test_16_61_who_finds_hidden_enemies_goes_no_farther_and_nobody_joins_him():
    units = {"a": german("ger-inf", "A1"), "lt": leader("german", "A1"), "x": soviet("sov-inf", "A2", hidden=True)}
    game = led(draw(DOWN, **units), "lt")
    play(game, Move("a", "A2"))
    assert where(game, "a") == "A1"
    assert unit(game, "a").marked


@rule("16.6")
@rule("5.4")
@pytest.mark.parametrize("hidden", [True, False])
def test_16_6_a_hidden_enemy_ends_no_move_by_being_there(hidden: bool):
    """Without a leader the unit may not go nearer to an enemy it knows; of one it does not know it learns nothing."""
    game = draw(DOWN, a=german("ger-inf", "A2"), b=german("ger-inf", "A2"), x=soviet("sov-hmg", "A6", hidden=hidden))
    moving(game, "a")
    play(game, Move("a", "A1"))
    if game.asked() == ("soviet",):
        play(game, Pass())
    assert ("A2" in steps(game, "a")) is hidden
