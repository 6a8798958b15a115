"""Fire [7.1-7.5]: values, range, combining, shifts. Tests are named after rules, in the book's order."""

from __future__ import annotations

import pytest

from opfire.core.actions import Action
from opfire.core.game import Game
from opfire.rulesets.panzer_grenadier.assault.assaulting import EnterAssault
from opfire.rulesets.panzer_grenadier.command.activation import (
    Activate,
    ActivateLeader,
    ActivateStack,
    Begin,
    DesignateAll,
)
from opfire.rulesets.panzer_grenadier.fire.antitank import FireAntiTank
from opfire.rulesets.panzer_grenadier.fire.bombardment import Bombard
from opfire.rulesets.panzer_grenadier.fire.direct import AddFirer, FireDirect, SplitFire, direct_fire
from opfire.rulesets.panzer_grenadier.fire.losses import LoseStep
from opfire.rulesets.panzer_grenadier.fire.strengths import Fire
from opfire.rulesets.panzer_grenadier.pieces import Position
from rules.panzer_grenadier.kit import (
    allowed,
    calculations,
    draw,
    german,
    leader,
    lines,
    marker,
    offered,
    play,
    refused,
    results,
    rule,
    soviet,
    unit,
    why_not,
)


def everybody_fires(game: Game[Position], start: Action) -> Game[Position]:
    """Activate a stack or a leader's group, all to fire."""
    play(game, start, DesignateAll("fire"), Begin())
    return game


# --- 4.4, 6.4 ---------------------------------------------------------------------------------------------------


@rule("4.4", "4.2.a")
def test_4_4_three_combat_units_are_one_column_more_apcs_not_counted() -> None:
    three = draw(
        a=german("ger-inf", "A1"), b=soviet("sov-inf", "A3"), c=soviet("sov-inf", "A3"), d=soviet("sov-t34", "A3")
    )
    (group,) = direct_fire(three.state, [unit(three, "a")], "1-A3")
    assert ("shift", "4.4", 1) in lines(group.calculation)
    with_apc = draw(
        a=german("ger-inf", "A1"), b=soviet("us-m3", "A3"), c=soviet("us-m3", "A3"), d=soviet("us-m3", "A3")
    )
    (group,) = direct_fire(with_apc.state, [unit(with_apc, "a")], "1-A3")
    assert [kind for kind, *_ in lines(group.calculation)] == ["attack"]


@rule("6.41", "7.33")
def test_6_41_stacked_units_combine_without_a_leader() -> None:
    game = draw(a=german("ger-inf", "A1"), b=german("ger-hmg", "A1"), foe=soviet("sov-inf", "A3"))
    everybody_fires(game, ActivateStack("1-A1"))
    events = play(game, FireDirect("a", "A3"), AddFirer("b"), Fire(), dice=[6, 6])
    assert lines(calculations(events)[0]) == [("attack", "7.31", 5), ("attack", "7.31", 9)]
    assert calculations(events)[0].column == "11"


@rule("6.41")
def test_6_41_that_is_for_a_hex_alone_and_for_fire_of_one_kind() -> None:
    game = draw(
        lt=leader("german", "B2"),
        a=german("ger-inf", "B2"),
        b=german("ger-hmg", "B2"),
        next=german("ger-inf", "A2"),
        mortar=german("ger-mortar-81", "B2"),
        foe=soviet("sov-inf", "B4"),
    )
    everybody_fires(game, ActivateLeader("lt"))
    play(game, FireDirect("a", "B4"))
    assert allowed(game, AddFirer("b"))
    assert refused(game, AddFirer("next")) == "7.33"
    assert refused(game, AddFirer("mortar")) == "7.31"  # bombardment is nothing to add to direct fire


@rule("6.41.a", "7.33")
def test_6_41_a_a_leader_combines_his_hex_and_as_many_next_to_it_as_his_modifier() -> None:
    def game(combat: int) -> Game[Position]:
        made = draw(
            lt=leader("german", "B2", combat=combat),
            here=german("ger-inf", "B2"),
            left=german("ger-inf", "A2"),
            right=german("ger-inf", "C2"),
            foe=soviet("sov-inf", "B4"),
        )
        return everybody_fires(made, ActivateLeader("lt"))

    one = game(1)
    play(one, FireDirect("here", "B4"), AddFirer("left"))
    assert refused(one, AddFirer("right")) == "7.33"
    two = game(2)
    play(two, FireDirect("here", "B4"), AddFirer("left"))
    assert allowed(two, AddFirer("right"))
    none = game(0)
    play(none, FireDirect("here", "B4"))
    assert refused(none, AddFirer("left")) == "7.33"


@rule("7.33")
def test_7_33_without_a_leader_hexes_do_not_combine_and_each_fires_alone() -> None:
    game = draw(
        lt=leader("german", "B2", combat=2),
        here=german("ger-inf", "B2"),
        far=german("ger-inf", "C2"),
        tank=german("ger-pz3", "A2"),
        foe=soviet("sov-inf", "B4"),
    )
    everybody_fires(game, ActivateStack("1-B2"))
    play(game, FireDirect("here", "B4"))
    assert allowed(game, AddFirer("far"))
    assert refused(game, AddFirer("tank")) == "3.1"  # a regular leader activates no AFV, so combines none [3.32]


@rule("6.42")
def test_6_42_a_leader_adds_to_one_unit_and_a_unit_takes_one_leader() -> None:
    game = draw(
        lt=leader("german", "A1", combat=1),
        maj=leader("german", "A1", "MAJ", combat=2),
        a=german("ger-inf", "A1"),
        foe=soviet("sov-inf", "A3"),
    )
    everybody_fires(game, ActivateStack("1-A1"))
    events = play(game, FireDirect("a", "A3"), Fire(), dice=[6, 6])
    assert lines(calculations(events)[0]) == [("attack", "7.31", 5), ("attack", "6.42", 2)]  # the better of the two
    assert calculations(events)[0].column == "7"


@rule("6.42")
def test_6_42_what_a_leader_has_added_is_used_up_in_the_segment() -> None:
    game = draw(
        lt=leader("german", "A1", combat=1),
        a=german("ger-inf", "A1"),
        b=german("ger-inf", "A1"),
        foe=soviet("sov-inf", "A3"),
    )
    everybody_fires(game, ActivateStack("1-A1"))
    first = play(game, FireDirect("a", "A3"), Fire(), dice=[6, 6])
    second = play(game, FireDirect("b", "A3"), Fire(), dice=[6, 6])
    assert [amount for _, _, amount in lines(calculations(first)[0])] == [5, 1]
    assert [amount for _, _, amount in lines(calculations(second)[0])] == [5]
    assert unit(game, "lt").marked


@rule("6.42")
@pytest.mark.parametrize("values", [{"state": "demoralized"}, {"marked": True}])
def test_6_42_neither_a_demoralized_nor_an_inactive_leader_adds(values: dict[str, object]) -> None:
    game = draw(lt=leader("german", "A1", combat=2, **values), a=german("ger-inf", "A1"), foe=soviet("sov-inf", "A3"))
    play(game, Activate("a", "fire"))
    events = play(game, FireDirect("a", "A3"), Fire(), dice=[6, 6])
    assert lines(calculations(events)[0]) == [("attack", "7.31", 5)]


@rule("6.42", "14.2")
def test_6_42_the_bonus_comes_after_the_halving() -> None:
    game = draw(
        lt=leader("german", "A1", combat=1), a=german("ger-inf", "A1", state="disrupted"), foe=soviet("sov-inf", "A3")
    )
    everybody_fires(game, ActivateStack("1-A1"))
    events = play(game, FireDirect("a", "A3"), Fire(), dice=[6, 6])
    assert lines(calculations(events)[0]) == [("attack", "14.2", 3), ("attack", "6.42", 1)]  # half of 5 is 3


# --- 7.1, 7.2 ---------------------------------------------------------------------------------------------------


@rule("7.1")
def test_7_1_one_kind_of_fire_in_a_segment() -> None:
    game = draw(
        tank=german("ger-pz4h", "A1"), foe=soviet("sov-t34", "A3"), inf=soviet("sov-inf", "B3"), special={"year": 1944}
    )
    play(game, Activate("tank", "fire"))
    play(game, FireAntiTank("tank", "foe"), dice=[1, 1])
    assert refused(game, FireDirect("tank", "B3")) == "7.1"
    assert allowed(game, FireAntiTank("tank", "foe"))


@rule("7.1", "7.23")
def test_7_1_an_hmg_that_divides_its_fire_does_nothing_else() -> None:
    game = draw(
        hmg=german("ger-hmg", "A1", bombard=5, bombard_range=5), a=soviet("sov-inf", "A3"), b=soviet("sov-inf", "B3")
    )
    play(game, Activate("hmg", "fire"), FireDirect("hmg", "A3"), SplitFire("hmg", 3))
    play(game, Fire(), dice=[6, 6])
    assert refused(game, Bombard("hmg", "B3")) == "7.1"


@rule("7.1")
def test_7_1_who_has_fired_once_of_two_or_moved_in_to_assault_does_nothing_else() -> None:
    game = draw(
        maj=leader("german", "A1", "MAJ"),
        tank=german("ger-pz4h", "A1", tank_leader=True),
        next=soviet("sov-t34", "A2"),
    )
    play(game, Activate("tank", "fire"))
    play(game, FireAntiTank("tank", "next"), dice=[1, 1])
    assert refused(game, EnterAssault("tank", "A2")) == "7.1"
    inside = draw(tank=german("ger-pz4h", "A1", tank_leader=True), next=soviet("sov-t34", "A2"))
    play(inside, Activate("tank", "fire"), EnterAssault("tank", "A2"))
    assert refused(inside, FireAntiTank("tank", "next")) == "7.1"


@rule("7.22")
def test_7_22_a_unit_puts_its_whole_value_on_one_target() -> None:
    game = draw(inf=german("ger-gren", "A1"), a=soviet("sov-inf", "A3"), b=soviet("sov-inf", "B3"))
    play(game, Activate("inf", "fire"), FireDirect("inf", "A3"))
    assert refused(game, SplitFire("inf", 3)) == "7.22"
    play(game, Fire(), dice=[6, 6])
    assert unit(game, "inf").marked


@rule("7.23")
def test_7_23_a_nine_is_split_into_three_threes_at_three_targets() -> None:
    game = draw(
        hmg=german("ger-hmg", "B1"), a=soviet("sov-inf", "A3"), b=soviet("sov-inf", "B3"), c=soviet("sov-inf", "C3")
    )
    play(game, Activate("hmg", "fire"))
    columns = []
    for hex in ("A3", "B3"):
        events = play(game, FireDirect("hmg", hex), SplitFire("hmg", 3), Fire(), dice=[6, 6])
        columns += [lines(calculation) for calculation in calculations(events)]
    assert refused(game, FireDirect("hmg", "A3")) == "7.23"
    events = play(game, FireDirect("hmg", "C3"), Fire(), dice=[6, 6])
    columns += [lines(calculation) for calculation in calculations(events)]
    assert columns == [[("attack", "7.23", 3)]] * 3
    assert unit(game, "hmg").marked


@rule("7.23")
def test_7_23_no_part_is_smaller_than_three() -> None:
    game = draw(hmg=german("ger-hmg", "A1"), a=soviet("sov-inf", "A3"))
    play(game, Activate("hmg", "fire"), FireDirect("hmg", "A3"))
    assert offered(game, SplitFire) == {SplitFire("hmg", part) for part in (3, 4, 5, 6)}
    assert refused(game, SplitFire("hmg", 2)) == "7.23"
    assert refused(game, SplitFire("hmg", 7)) == "7.23"  # 2 would be left
    play(game, SplitFire("hmg", 4))
    assert refused(game, SplitFire("hmg", 3)) == "7.23"


@rule("7.23")
def test_7_23_a_part_combines_with_other_units() -> None:
    game = draw(hmg=german("ger-hmg", "A1"), inf=german("ger-inf", "A1"), a=soviet("sov-inf", "A3"))
    everybody_fires(game, ActivateStack("1-A1"))
    events = play(game, FireDirect("inf", "A3"), AddFirer("hmg"), SplitFire("hmg", 6), Fire(), dice=[6, 6])
    assert lines(calculations(events)[0]) == [("attack", "7.31", 5), ("attack", "7.23", 6)]


@rule("7.23", "14.2")
def test_7_23_a_disrupted_hmg_divides_what_is_left_of_its_value() -> None:
    game = draw(hmg=german("ger-hmg", "A1", state="disrupted"), a=soviet("sov-inf", "A3"))
    play(game, Activate("hmg", "fire"), FireDirect("hmg", "A3"))
    assert not offered(game, SplitFire)  # half of 9 is 5: there is no 3 and 3 in it


@rule("7.23", "14.2")
def test_7_23_who_is_disrupted_after_the_first_part_keeps_none_smaller_than_three() -> None:
    """Stray rounds halve an HMG that has fired six of nine: five, and one more than that is gone."""
    game = draw(
        hmg=german("ger-hmg", "A3"),
        inf=german("ger-inf", "A3"),
        mortar=german("ger-mortar-81", "A3"),
        a=soviet("sov-inf", "A5"),
        b=soviet("sov-inf", "A4"),
    )
    everybody_fires(game, ActivateStack("1-A3"))
    play(game, FireDirect("hmg", "A5"), SplitFire("hmg", 6), Fire(), dice=[6, 6])
    play(game, Bombard("mortar", "A4"), Fire(), dice=[6, 6, 1, 6, 3, 4, *[4, 4] * 3])  # M1: everybody misses by one
    assert unit(game, "hmg").state == "disrupted"
    assert offered(game, FireDirect) == {FireDirect("inf", "1-A4"), FireDirect("inf", "1-A5")}
    assert refused(game, FireDirect("hmg", "A4")) == "7.23"
    play(game, FireDirect("inf", "A4"))
    assert not offered(game, AddFirer)


@rule("7.24", "12.62")
def test_7_24_no_direct_fire_at_a_hex_with_friends() -> None:
    game = draw(
        a=german("ger-inf", "A1"),
        own=german("ger-truck", "A3"),
        foe=soviet("sov-inf", "A3"),
        pal=german("ger-inf", "C3"),
        enemy=soviet("sov-inf", "C3"),
        other=soviet("sov-inf", "B3"),
    )
    play(game, Activate("a", "fire"))
    assert refused(game, FireDirect("a", "A3")) == "7.24"
    assert refused(game, FireDirect("a", "C3")) == "12.62"  # an assault hex


@rule("7.24")
def test_7_24_a_leader_of_ones_own_is_no_unit_and_hinders_no_fire() -> None:
    """RULINGS.md P29: an enemy truck has driven up to him."""
    game = draw(a=german("ger-inf", "A1"), lt=leader("german", "A3"), truck=soviet("sov-truck", "A3"))
    play(game, Activate("a", "fire"))
    assert allowed(game, FireDirect("a", "A3"))
    (group,) = direct_fire(game.state, [unit(game, "a")], "1-A3")
    assert group.units == ("truck",)


@rule("7.24", "12.62")
def test_7_24_anti_tank_fire_goes_into_an_assault_hex_without_friendly_vehicles() -> None:
    def game(own: str) -> Game[Position]:
        made = draw(
            gun=german("ger-at-50", "A1"),
            own=german(own, "A3"),
            foe=soviet("sov-t34", "A3"),
            b=soviet("sov-truck", "C3"),
        )
        play(made, Activate("gun", "fire"))
        return made

    assert allowed(game("ger-inf"), FireAntiTank("gun", "foe"))
    assert refused(game("ger-pz3"), FireAntiTank("gun", "foe")) == "7.24"
    assert refused(game("ger-truck"), FireAntiTank("gun", "foe")) == "7.24"


@rule("7.25", "7.41")
def test_7_25_armor_shuts_out_everything_but_an_x() -> None:
    game = draw(a=german("ss-hmg", "A1"), tank=soviet("sov-ba6", "A3"), inf=soviet("sov-inf", "A3"))
    play(game, Activate("a", "fire"))
    events = play(game, FireDirect("a", "A3"), Fire(), dice=[2, 2, 6, 6])  # M1: only the infantry checks
    assert results(events)[0] == "M1"
    assert unit(game, "tank").good_order
    assert unit(game, "inf").demoralized


# --- 7.3 --------------------------------------------------------------------------------------------------------


@rule("7.31")
def test_7_31_without_the_value_there_is_no_such_fire() -> None:
    game = draw(mortar=german("ger-mortar-81", "A1"), inf=german("ger-inf", "A1"), foe=soviet("sov-t34", "A3"))
    everybody_fires(game, ActivateStack("1-A1"))
    assert refused(game, FireDirect("mortar", "A3")) == "7.31"
    assert refused(game, Bombard("inf", "A3")) == "7.31"
    assert refused(game, FireAntiTank("inf", "foe")) == "7.31"


@rule("7.31")
def test_7_31_a_reduced_unit_has_the_value_of_its_back() -> None:
    game = draw(a=german("ger-hmg", "A1", reduced=True), foe=soviet("sov-inf", "A3"))
    (group,) = direct_fire(game.state, [unit(game, "a")], "1-A3")
    assert lines(group.calculation) == [("attack", "7.31", 5)]


@rule("7.32", "G.range")
def test_7_32_range_counts_the_target_hex_and_not_the_firers() -> None:
    game = draw(a=german("ger-inf", "A1"), near=soviet("sov-inf", "A4"), far=soviet("sov-inf", "A5"))
    play(game, Activate("a", "fire"))
    assert allowed(game, FireDirect("a", "A4"))
    assert refused(game, FireDirect("a", "A5")) == "7.32"


@rule("7.33", "7.33.A2")
@pytest.mark.parametrize("combat", [0, 1])
def test_7_33_A2_strongpoints_combine_with_their_hex_and_by_a_leader_with_a_modifier_with_the_next(combat: int) -> None:
    game = draw(
        lt=leader("german", "B2", combat=combat),
        fort=german("ger-strongpoint", "B2"),
        inf=german("ger-inf", "B2"),
        next=german("ger-inf", "A2"),
        foe=soviet("sov-inf", "B4"),
    )
    everybody_fires(game, ActivateLeader("lt"))
    play(game, FireDirect("fort", "B4"), AddFirer("inf"))
    assert why_not(game, AddFirer("next")) == (None if combat else "7.33")


@rule("7.45")
def test_7_45_who_has_fired_is_marked_and_acts_no_more() -> None:
    game = draw(a=german("ger-inf", "A1"), b=german("ger-inf", "A1"), foe=soviet("sov-inf", "A3"))
    everybody_fires(game, ActivateStack("1-A1"))
    play(game, FireDirect("a", "A3"), Fire(), dice=[6, 6])
    assert unit(game, "a").marked
    assert not unit(game, "b").marked
    assert refused(game, FireDirect("a", "A3")) == "3.13.c"


# --- 7.5 --------------------------------------------------------------------------------------------------------


@rule("7.5", "7.51")
def test_7_51_no_column_below_the_lowest() -> None:
    game = draw("t . .", a=german("ger-marder", "C1", direct=1), foe=soviet("sov-inf", "A1"), turn=1)
    (group,) = direct_fire(game.state, [unit(game, "a")], "1-A1")
    assert ("shift", "10.3", -1) in lines(group.calculation)  # a town
    assert group.calculation.column == "1"


@rule("7.52", "7.52.A1")
def test_7_52_an_ss_hmg_fires_at_infantry_and_gun_on_two_columns_with_one_roll() -> None:
    game = draw(hmg=german("ss-hmg", "A1"), inf=soviet("sov-inf", "A3"), gun=soviet("sov-76-gun", "A3"))
    play(game, Activate("hmg", "fire"))
    events = play(game, FireDirect("hmg", "A3"), Fire(), dice=[1, 3, 3, 3])  # a 4; the infantry then rolls its check
    first, second = calculations(events)[:2]
    assert (first.column, second.column) == ("11", "22")
    assert results(events)[:2] == ["M1", "X"]
    assert unit(game, "gun").status == "eliminated"
    assert not unit(game, "inf").reduced
    assert unit(game, "inf").good_order


@rule("7.52.A2", "7.52.A1")
def test_7_52_A2_the_spare_loss_of_the_gun_is_nobodys() -> None:
    # Bombardment 21: the infantry on the 21 column, the gun on the 30; a 2 is X and 2X.
    game = draw(battery=german("ger-105", "A1", bombard=21), gun=soviet("sov-at-45", "A3"), inf=soviet("sov-inf", "A3"))
    play(game, Activate("battery", "fire"))
    events = play(game, Bombard("battery", "A3"), Fire(), dice=[1, 1, 2, 3])
    columns = {
        calculation.column: result for calculation, result in zip(calculations(events), results(events), strict=True)
    }
    assert (columns["30"], columns["21"]) == ("2X", "X")
    assert unit(game, "gun").status == "eliminated"
    assert unit(game, "inf").reduced
    assert ("modifier", "14.1", 2) in lines(calculations(events)[2])  # and then checks at M2


@rule("7.52.A3")
def test_7_52_A3_trucks_are_attacked_on_a_column_of_their_own() -> None:
    game = draw(a=german("ss-hmg", "A1"), truck=soviet("sov-truck", "A3"), inf=soviet("sov-inf", "A3"))
    groups = direct_fire(game.state, [unit(game, "a")], "1-A3")
    assert {group.units: group.calculation.column for group in groups} == {("truck",): "16", ("inf",): "11"}


@rule("7.52", "7.41.A1")
def test_7_52_read_the_older_way_an_x_is_the_whole_hexs() -> None:
    game = draw(
        hmg=german("ss-hmg", "A1"),
        inf=soviet("sov-inf", "A3"),
        gun=soviet("sov-76-gun", "A3"),
        options=["R7.52"],
    )
    play(game, Activate("hmg", "fire"))
    play(game, FireDirect("hmg", "A3"), Fire(), dice=[1, 3])
    assert game.asked() == ("soviet",)  # the owner chooses: infantry or gun
    assert set(game.choices("soviet")) == {LoseStep("inf"), LoseStep("gun")}


@rule("16.22", "16.4")
def test_16_22_the_dug_in_stand_on_a_column_of_their_own() -> None:
    game = draw(a=german("ss-hmg", "A1"), deep=soviet("sov-inf", "A3", dug_in=2), flat=soviet("sov-inf", "A3"))
    groups = direct_fire(game.state, [unit(game, "a")], "1-A3")
    assert {group.units: group.calculation.column for group in groups} == {("deep",): "7", ("flat",): "11"}
    works = draw(a=german("ss-hmg", "A1"), inf=soviet("sov-inf", "A3"), markers=[marker("entrenchment", "A3")])
    (group,) = direct_fire(works.state, [unit(works, "a")], "1-A3")
    assert lines(group.calculation)[1:] == [("shift", "16.4", -2)]


@rule("16.22.a", "6.71.A1")
def test_16_22_a_leaders_are_dug_in_with_their_units_and_are_never_guns() -> None:
    game = draw(
        a=german("ss-hmg", "A1"),
        lt=leader("soviet", "A3"),
        gun=soviet("sov-76-gun", "A3", dug_in=2),
    )
    groups = direct_fire(game.state, [unit(game, "a")], "1-A3")
    assert {group.units: group.calculation.column for group in groups} == {("lt",): "7", ("gun",): "16"}


@rule("6.71.A1")
def test_6_71_A1_lone_leaders_have_the_shifts_of_their_hex_alone() -> None:
    game = draw("w . .", a=german("ss-hmg", "B1"), lt=leader("soviet", "A1"), two=leader("soviet", "A1", "CPT"))
    (group,) = direct_fire(game.state, [unit(game, "a")], "1-A1")
    assert group.units == ("two", "lt") or group.units == ("lt", "two")
    assert [line for line in lines(group.calculation) if line[0] == "shift"] == [
        ("shift", "10.3", 2),
        ("shift", "10.3", -1),
    ]
