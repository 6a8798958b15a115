"""Step losses [7.6, 7.61 to 7.64] and what cargo shares [5.65, 5.66].."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from opfire.core.dice import scripted
from opfire.core.events import Event
from opfire.core.game import Game
from opfire.rulesets.panzer_grenadier.fire import losses
from opfire.rulesets.panzer_grenadier.fire.losses import Blow, LoseStep
from opfire.rulesets.panzer_grenadier.morale import harm
from opfire.rulesets.panzer_grenadier.pieces import Position
from rules.panzer_grenadier.kit import draw, german, leader, offered, play, refused, results, rule, soviet, unit

HOLDS = (1, 1)  # nobody fails with it


def hit(
    game: Game[Position], *blows: Blow, by: losses.By = "direct", dice: Iterable[int] = (), hex: str = "1-C3"
) -> list[Event]:
    """Let the Germans in a hex suffer this."""
    game.dice = scripted(dice)
    game.events.clear()
    losses.suffer(game, "german", hex, blows, by)
    game.run()
    return list(game.events)


def checks(events: Iterable[Event]) -> list[tuple[str, int]]:
    """The units that checked morale, and the modifiers to the dice."""
    return [
        (event.units[0], event.calculation.modifier)
        for event in events
        if event.kind == "morale" and event.calculation is not None
    ]


def standing(game: Game[Position], *names: str) -> list[int]:
    """The steps that these have left."""
    return [unit(game, name).steps if unit(game, name).hex else 0 for name in names]


# --- 7.6 ---


@rule("7.6")
@rule("G.steps")
def test_7_6_a_full_unit_flips_a_reduced_one_is_eliminated():
    game = draw(inf=german("ger-inf", "C3"), foe=soviet("sov-inf", "J3"))
    harm.lose_step(game, "inf")
    assert unit(game, "inf").reduced
    assert unit(game, "inf").hex == "1-C3"
    harm.lose_step(game, "inf")
    assert unit(game, "inf").status == "eliminated"
    assert unit(game, "inf").hex is None
    assert game.state.armies["german"].losses == 2


@rule("7.6")
def test_7_6_a_unit_without_a_reverse_is_eliminated_by_one_loss():
    game = draw(gun=german("ger-at-50", "C3"), foe=soviet("sov-inf", "J3"))
    harm.lose_step(game, "gun")
    assert unit(game, "gun").status == "eliminated"
    assert game.state.armies["german"].losses == 1


@rule("7.6")
@rule("5.65")
def test_7_6_what_a_transport_carries_is_eliminated_with_it():
    game = draw(
        truck=german("ger-truck", "C3"),
        inf=german("ger-inf", "C3", carrier="truck"),
        lt=leader("german", "C3", carrier="truck"),
        foe=soviet("sov-inf", "J3"),
    )
    harm.lose_step(game, "truck")
    assert [unit(game, name).status for name in ("truck", "inf", "lt")] == ["eliminated"] * 3
    assert game.state.armies["german"].losses == 3  # the truck's step and both of the infantry


# --- 3.0.D, 16.3 ---


@rule("3.0.D")
def test_3_0_D_initiative_falls_at_each_threshold_and_never_below_zero():
    army = {"sides": {"german": {"initiative": 1, "losses": [1, 2]}, "soviet": {}}}
    game = draw(inf=german("ger-inf", "C3"), foe=soviet("sov-inf", "J3"), special=army)
    game.state.change_army("german", initiative=1)
    harm.lose_step(game, "inf")
    assert game.state.armies["german"].initiative == 0
    harm.lose_step(game, "inf")
    assert game.state.armies["german"].initiative == 0
    assert sum(event.rule == "3.0.D" for event in game.events) == 1


@rule("16.3")
@pytest.mark.parametrize(("board", "wrecks"), [("t", 1), (".", 0)])
def test_16_3_an_AFV_step_lost_in_a_town_leaves_a_wreck(board: str, wrecks: int):
    game = draw(f"{board} . .", tank=german("ger-pz3", "A1"), foe=soviet("sov-inf", "C1"))
    harm.lose_step(game, "tank")
    assert game.state.work("1-A1").wrecks == wrecks


# --- 7.6.A1, 7.62 ---


@rule("7.6.A1")
@rule("7.62")
@rule("7.42")
def test_7_62_anti_tank_fire_strikes_one_vehicle_and_what_survives_checks_at_M2():
    game = draw(tank=german("ger-pz3", "C3"), other=german("ger-pz3", "C3"), foe=soviet("sov-inf", "J3"))
    game.dice = scripted([3, 3])
    losses.suffer_at(game, "tank", 1)
    assert checks(game.events) == [("tank", 2)]
    assert standing(game, "tank", "other") == [1, 2]


@rule("7.62")
def test_7_62_two_steps_eliminate_and_nobody_checks():
    game = draw(tank=german("ger-pz3", "C3"), foe=soviet("sov-inf", "J3"))
    losses.suffer_at(game, "tank", 2)
    assert standing(game, "tank") == [0]
    assert checks(game.events) == []


@rule("5.65.a")
def test_5_65_a_anti_tank_fire_that_destroys_the_carrier_kills_all_aboard_without_a_casualty_roll():
    game = draw(
        apc=german("ger-spw251", "C3"),
        inf=german("ger-inf", "C3", carrier="apc"),
        lt=leader("german", "C3", carrier="apc"),
        foe=soviet("sov-inf", "J3"),
    )
    losses.suffer_at(game, "apc", 1)
    assert standing(game, "apc", "inf") == [0, 0]
    assert unit(game, "lt").status == "eliminated"


# --- 7.61 ---


@rule("7.61")
def test_7_61_X_takes_a_combat_unit_and_a_wagon_and_the_owner_chooses_both():
    game = draw(
        inf=german("ger-inf", "C3"),
        hmg=german("ger-hmg", "C3"),
        one=german("ger-wagon", "C3"),
        two=german("ger-truck", "C3"),
        foe=soviet("sov-inf", "J3"),
    )
    hit(game, Blow(("inf", "hmg", "one", "two"), "X"))
    assert game.asked() == ("german",)
    assert offered(game, LoseStep) == {LoseStep("inf"), LoseStep("hmg")}
    assert refused(game, LoseStep("one")) == "7.61"
    play(game, LoseStep("hmg"))
    assert offered(game, LoseStep) == {LoseStep("one"), LoseStep("two")}
    play(game, LoseStep("two"), dice=[*HOLDS] * 3)
    assert standing(game, "inf", "hmg", "one", "two") == [2, 1, 1, 0]


@rule("7.61")
def test_7_61_what_is_not_there_loses_nothing():
    game = draw(inf=german("ger-inf", "C3"), foe=soviet("sov-inf", "J3"))
    hit(game, Blow(("inf",), "X"), dice=HOLDS)
    assert standing(game, "inf") == [1]


@rule("7.61.b")
def test_7_61_b_closed_top_AFVs_lose_no_step_to_fire_and_check_at_M():
    game = draw(tank=german("ger-tiger", "C3"), foe=soviet("sov-inf", "J3"))
    events = hit(game, Blow(("tank",), "3X"), dice=HOLDS)
    assert standing(game, "tank") == [2]
    assert checks(events) == [("tank", 0)]


@rule("7.61.c")
@rule("7.61.a")
@rule("7.61.b")
def test_7_61_c_the_books_example_of_2X():
    names = ("inf", "tiger", "spw", "one", "two")
    game = draw(
        inf=german("ger-inf", "C3"),
        tiger=german("ger-tiger", "C3"),
        spw=german("ger-spw251", "C3"),
        one=german("ger-wagon", "C3"),
        two=german("ger-wagon", "C3"),
        foe=soviet("sov-inf", "J3"),
    )
    hit(game, Blow(names, "2X"))
    assert offered(game, LoseStep) == {LoseStep("inf"), LoseStep("spw")}
    events = play(game, LoseStep("inf"), dice=[*HOLDS] * 2)
    assert standing(game, *names) == [1, 2, 0, 0, 0]
    assert sorted(checks(events)) == [("inf", 2), ("tiger", 0)]


@rule("6.7.A1")
@rule("5.66")
def test_6_7_A1_who_was_in_an_APC_when_steps_were_lost_is_safe_though_the_check_shakes_him_off():
    game = draw(
        inf=german("ger-inf", "C3"),
        spw=german("ger-spw251", "C3"),
        lt=leader("german", "C3", carrier="spw"),
        foe=soviet("sov-inf", "J3"),
    )
    hit(game, Blow(("inf", "spw"), "X"))
    events = play(game, LoseStep("inf"), dice=[*HOLDS, 4, 3])  # M2 against 8: the APC is disrupted
    assert unit(game, "lt").carrier is None
    assert not [event for event in events if event.rule == "6.7"]


@rule("6.7")
@rule("5.66")
def test_6_7_who_is_shaken_off_a_truck_may_fall():
    game = draw(
        inf=german("ger-inf", "C3"),
        truck=german("ger-truck", "C3"),
        lt=leader("german", "C3", carrier="truck"),
        foe=soviet("sov-inf", "J3"),
    )
    events = hit(game, Blow(("inf",), "X"), Blow(("truck",), "M2"), dice=[*HOLDS, 4, 3, 6, 6])
    assert unit(game, "lt").carrier is None
    assert len([event for event in events if event.rule == "6.7"]) == 1


@rule("7.61.a")
def test_7_61_a_one_of_two_losses_falls_on_an_open_top_AFV():
    game = draw(inf=german("ger-inf", "C3"), spw=german("ger-spw251", "C3"), foe=soviet("sov-inf", "J3"))
    hit(game, Blow(("inf", "spw"), "2X"))
    events = play(game, LoseStep("inf"), dice=HOLDS)  # the second is forced, and so is not asked
    assert standing(game, "inf", "spw") == [1, 0]
    assert checks(events) == [("inf", 2)]


@rule("7.61.a")
def test_7_61_a_with_one_loss_the_open_top_AFV_may_be_spared():
    game = draw(inf=german("ger-inf", "C3"), spw=german("ger-spw251", "C3"), foe=soviet("sov-inf", "J3"))
    hit(game, Blow(("inf", "spw"), "X"))
    play(game, LoseStep("inf"), dice=[*HOLDS] * 2)
    assert standing(game, "inf", "spw") == [1, 1]


@rule("7.61.a")
def test_7_61_a_the_last_of_three_losses_has_to_fall_on_the_open_top_AFV():
    game = draw(
        inf=german("ger-inf", "C3"),
        hmg=german("ger-hmg", "C3"),
        apc=german("ger-spw251", "C3"),
        other=german("ger-spw251", "C3"),
        foe=soviet("sov-inf", "J3"),
    )
    hit(game, Blow(("inf", "hmg", "apc", "other"), "3X"))
    play(game, LoseStep("inf"), LoseStep("hmg"))
    assert offered(game, LoseStep) == {LoseStep("apc"), LoseStep("other")}
    assert refused(game, LoseStep("inf")) == "7.61.a"


@rule("7.52.A1")
@rule("7.52.A2")
def test_7_52_A2_with_split_columns_a_spare_loss_is_lost():
    game = draw(gun=german("ger-at-50", "C3"), inf=german("ger-inf", "C3"), foe=soviet("sov-inf", "J3"))
    events = hit(game, Blow(("gun",), "2X"), Blow(("inf",), "X"), by="bombardment", dice=HOLDS)
    assert standing(game, "gun", "inf") == [0, 1]
    assert checks(events) == [("inf", 2)]


@rule("7.25")
@rule("7.41")
@pytest.mark.parametrize("by", ["direct", "bombardment", "opportunity", "air"])
def test_7_25_armor_shuts_out_all_but_X(by: losses.By):
    game = draw(spw=german("ger-spw251", "C3"), inf=german("ger-inf", "C3"), foe=soviet("sov-inf", "J3"))
    events = hit(game, Blow(("spw", "inf"), "M2"), by=by, dice=HOLDS)
    assert checks(events) == [("inf", 2)]


@rule("5.65.a")
@rule("5.65")
def test_5_65_a_what_an_APC_carries_is_behind_its_armor_and_a_carrier_rolls_for_all():
    game = draw(
        spw=german("ger-spw251", "C3"),
        inf=german("ger-inf", "C3", carrier="spw"),
        truck=german("ger-truck", "C3"),
        gun=german("ger-at-50", "C3", carrier="truck", limbered=True),
        foe=soviet("sov-inf", "J3"),
    )
    events = hit(game, Blow(("spw", "inf", "truck", "gun"), "M"), dice=HOLDS)
    assert checks(events) == [("truck", 0)]


@rule("5.66")
@rule("5.65")
@pytest.mark.parametrize(("dice", "state"), [((5, 5), "disrupted"), ((6, 6), "demoralized")])
def test_5_66_a_carrier_that_breaks_drops_all_it_carries_in_the_same_state(dice: tuple[int, int], state: str):
    game = draw(
        truck=german("ger-truck", "C3", morale=[8, 7]),
        gun=german("ger-at-50", "C3", carrier="truck", limbered=True),
        lt=leader("german", "C3", carrier="truck"),
        foe=soviet("sov-inf", "J3"),
    )
    hit(game, Blow(("truck",), "M"), dice=dice)
    assert [unit(game, name).state for name in ("truck", "gun", "lt")] == [state] * 3
    assert unit(game, "truck").cargo == ()
    assert unit(game, "gun").carrier is None
    assert unit(game, "gun").limbered


# --- 7.63 ---


@rule("7.63.c")
@rule("7.63.a", "7.43.A1")
@rule("7.63")
def test_7_63_c_the_books_example_of_1():
    names = ("inf", "hmg", "tiger", "spw", "one", "two")
    game = draw(
        inf=german("ger-inf", "C3"),
        hmg=german("ger-hmg", "C3", state="disrupted"),
        tiger=german("ger-tiger", "C3"),
        spw=german("ger-spw251", "C3"),
        one=german("ger-truck", "C3"),
        two=german("ger-truck", "C3"),
        foe=soviet("sov-inf", "C3"),
    )
    hit(game, Blow(names, "1"), by="assault")
    assert offered(game, LoseStep) == {LoseStep("inf"), LoseStep("tiger"), LoseStep("spw")}
    assert refused(game, LoseStep("hmg")) == "7.63.a"
    play(game, LoseStep("tiger"))
    events = play(game, LoseStep("one"), dice=[*HOLDS] * 5)
    assert standing(game, *names) == [2, 2, 1, 1, 0, 1]
    assert sorted(checks(events)) == [(name, 2) for name in sorted(("inf", "hmg", "tiger", "spw", "two"))]  # 7.63.e


@rule("7.63.d")
@rule("7.63.b")
@rule("7.63.e")
def test_7_63_d_the_books_example_of_2_or_3():
    names = ("inf", "hmg", "tiger", "spw", "one", "two")
    game = draw(
        inf=german("ger-inf", "C3"),
        hmg=german("ger-hmg", "C3", state="disrupted"),
        tiger=german("ger-tiger", "C3"),
        spw=german("ger-spw251", "C3"),
        one=german("ger-truck", "C3"),
        two=german("ger-truck", "C3"),
        foe=soviet("sov-inf", "C3"),
    )
    hit(game, Blow(names, "3"), by="assault")
    play(game, LoseStep("inf"), LoseStep("hmg"))
    assert offered(game, LoseStep) == {LoseStep("tiger"), LoseStep("spw")}
    assert refused(game, LoseStep("hmg")) == "7.63.b"
    play(game, LoseStep("spw"), dice=[*HOLDS] * 3)
    assert standing(game, *names) == [1, 1, 2, 0, 0, 0]


@rule("7.63.a")
def test_7_63_a_among_the_demoralized_the_owner_chooses():
    game = draw(
        one=german("ger-inf", "C3", state="demoralized"),
        two=german("ger-hmg", "C3", state="demoralized"),
        foe=soviet("sov-inf", "C3"),
    )
    hit(game, Blow(("one", "two"), "1"), by="assault")
    assert offered(game, LoseStep) == {LoseStep("one"), LoseStep("two")}


@rule("7.63.f")
def test_7_63_f_who_took_no_part_loses_no_step_but_checks():
    game = draw(inf=german("ger-inf", "C3"), hmg=german("ger-hmg", "C3"), foe=soviet("sov-inf", "C3"))
    events = hit(game, Blow(("inf", "hmg"), "1", spared=("hmg",)), by="assault", dice=[*HOLDS] * 2)
    assert standing(game, "inf", "hmg") == [1, 2]
    assert sorted(checks(events)) == [("hmg", 2), ("inf", 2)]


@rule("7.25")
@rule("12.41.a")
def test_7_25_in_an_assault_armor_is_no_protection():
    game = draw(tank=german("ger-tiger", "C3"), foe=soviet("sov-inf", "C3"))
    assert checks(hit(game, Blow(("tank",), "M1"), by="assault", dice=HOLDS)) == [("tank", 1)]


# --- 7.64 ---


@rule("7.64")
@rule("7.44")
@rule("7.44.a")
def test_7_64_opportunity_fire_strikes_the_mover_and_the_leader_with_it_alone():
    game = draw(
        inf=german("ger-inf", "C3"),
        lt=leader("german", "C3"),
        other=german("ger-inf", "C3"),
        idle=leader("german", "C3"),
        foe=soviet("sov-inf", "J3"),
    )
    events = hit(game, Blow(("inf", "lt"), "X"), by="opportunity", dice=[*HOLDS, *HOLDS, 6, 6])
    assert checks(events) == [("lt", 2), ("inf", 2)]
    assert standing(game, "inf", "other") == [1, 2]
    assert [event.units for event in events if event.rule == "6.7"] == [("lt",)]
    assert results(events)[-1] == "unhurt"


@rule("16.2.A1")
def test_16_2_A1_the_leader_keeps_the_hole_of_a_unit_that_is_destroyed():
    game = draw(gun=german("ger-at-50", "C3", dug_in=2), lt=leader("german", "C3"), foe=soviet("sov-inf", "J3"))
    harm.eliminate(game, "gun")
    assert unit(game, "lt").dug_in == 2
