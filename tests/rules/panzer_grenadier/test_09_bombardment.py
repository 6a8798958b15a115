"""Bombardment [9.0]: batteries, observers, off-board guns, friendly fire. In the book's order."""

from __future__ import annotations

import pytest

from opfire.core.game import Game
from opfire.rulesets.panzer_grenadier.actions import EndSegment, Pass
from opfire.rulesets.panzer_grenadier.command.activation import (
    Activate,
    ActivateLeader,
    ActivateStack,
    Begin,
    DesignateAll,
)
from opfire.rulesets.panzer_grenadier.fire.bombardment import AddBattery, Bombard, battery_lines, bombardment
from opfire.rulesets.panzer_grenadier.fire.direct import FireDirect
from opfire.rulesets.panzer_grenadier.fire.losses import LoseStep
from opfire.rulesets.panzer_grenadier.fire.offboard import AddFactor, CallFire
from opfire.rulesets.panzer_grenadier.fire.strengths import Fire
from opfire.rulesets.panzer_grenadier.pieces import Position
from rules.panzer_grenadier.kit import (
    allowed,
    calculations,
    draw,
    german,
    leader,
    lines,
    offered,
    play,
    refused,
    results,
    rule,
    soviet,
    unit,
)

THREE_TIMES_20 = {"sides": {"german": {"initiative": 3, "offboard": [20, 20, 20, 20]}}}
WOODS = "w . . . .\n" + ". . . . .\n" * 7
"""Woods in A1: who is there is seen from three hexes."""


# --- 9.0, 9.1 ---------------------------------------------------------------------------------------------------


@rule("9.0", "7.32")
def test_9_0_enemies_within_range_that_are_spotted() -> None:
    game = draw(
        a=german("ger-mortar-81", "A1", bombard_range=3), near=soviet("sov-inf", "A4"), far=soviet("sov-inf", "A5")
    )
    play(game, Activate("a", "fire"))
    assert offered(game, Bombard) == {Bombard("a", "1-A4")}
    assert refused(game, Bombard("a", "A5")) == "7.32"
    assert refused(game, Bombard("a", "B2")) == "9.0"


@rule("9.1", "G.bombardment")
@pytest.mark.parametrize(
    ("values", "answer"),
    [
        ({}, None),
        ({"marked": True}, None),  # MOVED/FIRED is no matter
        ({"state": "disrupted"}, None),
        ({"state": "demoralized"}, "9.1"),
        ({"rank": "KOM"}, "9.1"),
    ],
)
def test_9_1_an_undemoralized_regular_leader_spots_for_a_battery(values: dict[str, str], answer: str | None) -> None:
    game = draw(
        WOODS,
        a=german("ger-mortar-81", "A7"),
        lt=leader("german", "A4", values.pop("rank", "LT"), **values),
        hid=soviet("sov-inf", "A1"),
        seen=soviet("sov-inf", "C2"),
    )
    play(game, Activate("a", "fire"))
    assert allowed(game, Bombard("a", "A1")) if answer is None else refused(game, Bombard("a", "A1")) == answer


@rule("9.1")
def test_9_1_neither_other_units_nor_tank_leaders_spot_for_a_battery() -> None:
    game = draw(
        WOODS,
        a=german("ger-mortar-81", "A7"),
        inf=german("ger-inf", "A4"),
        tank=german("ger-pz3", "A4", tank_leader=True),
        hid=soviet("sov-inf", "A1"),
        seen=soviet("sov-inf", "C2"),
    )
    play(game, Activate("a", "fire"))
    assert refused(game, Bombard("a", "A1")) == "9.1"


@rule("9.1")
def test_9_1_a_leader_spots_for_any_number_of_bombardments() -> None:
    game = draw(
        WOODS,
        a=german("ger-mortar-81", "A7"),
        b=german("ger-mortar-81", "A7"),
        lt=leader("german", "A4"),
        hid=soviet("sov-inf", "A1"),
    )
    play(game, ActivateStack("1-A7"), DesignateAll("fire"), Begin())
    for battery in ("a", "b"):
        play(game, Bombard(battery, "A1"), Fire(), dice=[6, 6])
    assert not unit(game, "lt").marked


@rule("8.42.A3")
def test_8_42_A3_a_battery_sees_over_a_field_from_the_top_of_its_woods() -> None:
    def position(ground: str) -> Game[Position]:
        rows = f"{ground} . .\nb . .\n. . .\n. . ."
        game = draw(rows, a=german("ger-75-inf-gun", "A1"), foe=soviet("sov-inf", "A4"), seen=soviet("sov-inf", "B1"))
        play(game, Activate("a", "fire"))
        return game

    assert allowed(position("w"), Bombard("a", "A4"))
    assert allowed(position("t"), Bombard("a", "A4"))
    assert refused(position("."), Bombard("a", "A4")) == "9.1"
    assert refused(position("w"), FireDirect("a", "A4")) == "8.31"  # direct fire needs a line on the ground


# --- 9.3, 9.4 ---------------------------------------------------------------------------------------------------


def batteries(combat: int, where: str) -> Game[Position]:
    """Two batteries in B2, one next to them, a leader with that combat modifier; all to fire."""
    game = draw(
        maj=leader("german", where, "MAJ", combat=combat),
        a=german("ger-mortar-81", "B2"),
        b=german("ger-mortar-81", "B2"),
        c=german("ger-mortar-81", "A2"),
        foe=soviet("sov-inf", "B6"),
    )
    play(game, ActivateLeader("maj"), DesignateAll("fire"), Begin())
    return game


@rule("9.3", "6.41")
def test_9_3_batteries_of_a_hex_combine_freely() -> None:
    game = batteries(0, "B2")
    play(game, Bombard("a", "B6"), AddBattery("b"))
    assert refused(game, AddBattery("c")) == "9.3"
    events = play(game, Fire(), dice=[6, 6])
    assert [amount for _, _, amount in lines(calculations(events)[0])] == [8, 8]
    assert [event.calibre for event in events if event.kind == "fired"] == [81]
    assert calculations(events)[0].column == "16"


@rule("9.3", "6.41.a", "6.42")
def test_9_3_adjacent_hexes_need_a_leader_with_a_modifier_in_one_of_them() -> None:
    game = batteries(1, "B2")
    play(game, Bombard("a", "B6"), AddBattery("b"))
    assert allowed(game, AddBattery("c"))
    play(game, AddBattery("c"))
    events = play(game, Fire(), dice=[6, 6])
    assert [amount for _, _, amount in lines(calculations(events)[0])] == [8, 8, 8]  # he adds nothing of his own
    apart = batteries(2, "B1")  # next to both, but with neither of them
    play(apart, Bombard("a", "B6"))
    assert refused(apart, AddBattery("c")) == "9.3"


@rule("9.4", "7.51")
def test_9_4_total_column_shift_and_all_in_the_hex() -> None:
    game = draw(
        a=german("ger-75-inf-gun", "A1", bombard=5),
        gun=soviet("sov-at-45", "A4"),
        inf=soviet("sov-inf", "A4"),
        inf2=soviet("sov-inf", "A4"),
    )
    batteries = [unit(game, "a")]
    groups = bombardment(game.state, battery_lines(game.state, batteries), batteries, "1-A4", "soviet")
    assert {group.units: group.calculation.column for group in groups} == {("gun",): "12", ("inf", "inf2"): "8"}


@rule("9.4", "8.1.A1", "10.3")
def test_9_4_no_limit_to_shifts_and_a_column_less_by_night() -> None:
    game = draw(
        "t . . .",
        a=german("ger-mortar-81", "C1", bombard=30),
        foe=soviet("sov-inf", "A1", dug_in=2),
        special={"night": [1]},
    )
    batteries = [unit(game, "a")]
    (group,) = bombardment(game.state, battery_lines(game.state, batteries), batteries, "1-A1", "soviet")
    assert [amount for kind, _, amount in lines(group.calculation) if kind == "shift"] == [-1, -1, -1]
    assert group.calculation.column == "12"


@rule("14.2", "9.4")
def test_14_2_a_disrupted_battery_fires_with_half() -> None:
    game = draw(a=german("ger-105", "A1", bombard=9, state="disrupted"), foe=soviet("sov-inf", "A4"))
    assert [(line.rule, line.amount) for line in battery_lines(game.state, [unit(game, "a")])] == [("14.2", 5)]


@rule("12.6", "7.1")
def test_12_6_nobody_bombards_from_an_assault_hex_or_after_other_fire() -> None:
    game = draw(
        a=german("ger-75-inf-gun", "A1"),
        at=german("ger-at-50", "A1"),
        foe=soviet("sov-t34", "A1"),
        far=soviet("sov-inf", "A4"),
    )
    play(game, ActivateStack("1-A1"), DesignateAll("fire"), Begin())
    assert refused(game, Bombard("a", "A4")) == "12.6"


@rule("5.62", "7.31")
def test_7_31_limbered_it_has_no_value() -> None:
    game = draw(
        a=german("ger-75-inf-gun", "A1", limbered=True), inf=german("ger-inf", "A1"), foe=soviet("sov-inf", "A3")
    )
    play(game, ActivateStack("1-A1"), DesignateAll("fire"), Begin())
    assert refused(game, Bombard("a", "A3")) == "7.31"
    assert refused(game, FireDirect("a", "A3")) == "7.31"


# --- 9.5 --------------------------------------------------------------------------------------------------------


@rule("9.51", "12.62", "9.5")
def test_9_51_in_an_assault_hex_both_sides_are_hit_each_with_its_own_shifts() -> None:
    game = draw(
        a=german("ger-mortar-81", "A1"),
        own=german("ger-inf", "A4"),
        one=soviet("sov-inf", "A4"),
        two=soviet("sov-inf", "A4"),
        three=soviet("sov-inf", "A4"),
    )
    play(game, Activate("a", "fire"))
    events = play(game, Bombard("a", "A4"), Fire(), dice=[6, 6, 6, 6])
    theirs, ours = calculations(events)
    assert lines(theirs) == [("attack", "7.31", 8), ("shift", "4.4", 1)]
    assert lines(ours) == [("attack", "7.31", 8)]
    struck = [set(event.units) for event in events if event.calculation]
    assert struck == [{"a", "one", "two", "three"}, {"a", "own"}]


@rule("9.52", "9.54")
@pytest.mark.parametrize(
    ("force", "die", "hit"),
    [("german", 1, True), ("german", 2, False), ("romanian", 2, True), ("romanian", 3, False)],
)
def test_9_52_friends_next_to_the_target_are_hit_on_a_one_or_two(force: str, die: int, hit: bool) -> None:
    game = draw(
        a=german("ger-mortar-81", "A1"),
        pal=german("ger-inf", "A5"),
        foe=soviet("sov-inf", "A4"),
        special={"sides": {"german": {"initiative": 3, "force": force}}},
    )
    play(game, Activate("a", "fire"))
    dice = [6, 6, die] + ([1, 6, 6] if hit else [])
    events = play(game, Bombard("a", "A4"), Fire(), dice=dice)
    told = [(calculation.title, calculation.column) for calculation in calculations(events)]
    assert told == [("Bombardment", "8")] + ([("Friendly fire", "3")] if hit else [])  # 9.54: the target all the same


@rule("9.52")
@pytest.mark.parametrize(
    ("guns", "hit"),
    [(["german"], False), (["romanian"], True), (["german", "romanian"], True), (["german", "german"], False)],
)
def test_9_52_it_is_the_gunners_country_that_counts(guns: list[str], hit: bool) -> None:
    """RULINGS.md P137: one is added where all who fire are of an army that has it."""
    batteries = {f"g{at}": german("ger-mortar-81", "A1", country=country) for at, country in enumerate(guns)}
    game = draw(**batteries, pal=german("ger-inf", "A5"), foe=soviet("sov-inf", "A4"))
    play(game, ActivateStack("1-A1"), DesignateAll("fire"), Begin(), Bombard("g0", "A4"))
    play(game, *(AddBattery(name) for name in list(batteries)[1:]))
    events = play(game, Fire(), dice=[6, 6, 2] + ([1, 6, 6] if hit else []))
    assert ("Friendly fire" in [calculation.title for calculation in calculations(events)]) is hit


@rule("9.52")
def test_9_52_a_die_for_each_hex_with_friends_a_lone_leader_is_none() -> None:
    game = draw(
        a=german("ger-mortar-81", "A1"),
        pal=german("ger-inf", "A5"),
        two=german("ger-inf", "B4"),
        lt=leader("german", "B3"),
        foe=soviet("sov-inf", "A4"),
    )
    play(game, Activate("a", "fire"))
    events = play(game, Bombard("a", "A4"), Fire(), dice=[6, 6, 6, 6])
    assert sorted(event.places[0] for event in events if event.rule == "9.52") == ["1-A5", "1-B4"]


@rule("9.53", "9.52")
@pytest.mark.parametrize(("die", "column"), [(1, "3"), (2, "5"), (3, "8"), (4, "12"), (5, "16"), (6, "21")])
def test_9_53_the_column_is_the_dies_without_modifiers_and_hits_friends_alone(die: int, column: str) -> None:
    game = draw(
        LINE_TOWN,
        a=german("ger-mortar-81", "A1"),
        pal=german("ger-inf", "A5", dug_in=2),
        gun=german("ger-at-50", "A5"),
        foe=soviet("sov-inf", "A4"),
        enemy=soviet("sov-inf", "A5"),
    )
    play(game, Activate("a", "fire"))
    events = play(game, Bombard("a", "A4"), Fire(), dice=[6, 6, 1, die, 6, 6])
    stray = calculations(events)[1]
    assert (stray.column, lines(stray)[0][:2]) == (column, ("note", "9.53"))
    assert len(stray.lines) == 1
    (event,) = [event for event in events if event.calculation is stray]
    assert set(event.units) == {"pal", "gun"}


LINE_TOWN = ". . .\n. . .\n. . .\n. . .\nt . .\n. . ."


# --- 9.2: off-board artillery -----------------------------------------------------------------------------------


@rule("9.31", "9.2", "9.2.A1", "7.33.A1")
def test_9_31_three_times_20_as_one_bombardment_of_60() -> None:
    game = draw(lt=leader("german", "A1"), foe=soviet("sov-inf", "A4"), special=THREE_TIMES_20)
    offboard(game, 4)
    play(game, CallFire(20, "A4"), AddFactor(20), AddFactor(20))
    assert refused(game, AddFactor(20)) == "9.2.A1"
    events = play(game, Fire(), dice=[6, 6, 6, 6])  # an M2 at the bottom of the last column
    assert lines(calculations(events)[0]) == [("attack", "9.31", 20)] * 3
    assert [event.calibre for event in events if event.kind == "fired"] == [0]  # only a strength
    assert calculations(events)[0].column == "56"
    assert game.state.armies["german"].offboard == (20,)
    assert game.asked() == ("soviet",)  # no more than three in a segment


@rule("9.31", "9.2.A1")
def test_9_31_as_40_and_20() -> None:
    game = draw(
        lt=leader("german", "A1"), foe=soviet("sov-inf", "A4"), two=soviet("sov-inf", "C3"), special=THREE_TIMES_20
    )
    offboard(game, 3)
    first = play(game, CallFire(20, "A4"), AddFactor(20), Fire(), dice=[6, 5])
    assert calculations(first)[0].column == "30"
    second = play(game, CallFire(20, "C3"), Fire(), dice=[6, 6])
    assert calculations(second)[0].column == "16"
    assert game.asked() == ("soviet",)


@rule("9.31", "9.2")
def test_9_31_as_three_of_20_each_once_a_turn() -> None:
    game = draw(lt=leader("german", "A1"), foe=soviet("sov-inf", "A4"), special=THREE_TIMES_20)
    offboard(game, 3)
    for _ in range(3):
        events = play(game, CallFire(20, "A4"), Fire(), dice=[6, 6])
        assert calculations(events)[0].column == "16"
    play(game, Pass())
    assert not offered(game, CallFire)
    assert refused(game, CallFire(20, "A4")) == "9.2"


@rule("9.31")
def test_9_31_never_together_with_units_on_the_map() -> None:
    game = draw(
        lt=leader("german", "A1"), a=german("ger-mortar-81", "A1"), foe=soviet("sov-inf", "A4"), special=THREE_TIMES_20
    )
    offboard(game, 3)
    play(game, CallFire(20, "A4"))
    assert refused(game, AddBattery("a")) == "procedure"


@rule("9.2", "9.1")
def test_9_2_any_distance_but_a_leader_has_to_spot() -> None:
    game = draw(
        WOODS,
        lt=leader("german", "A8"),
        inf=german("ger-inf", "A3"),
        hid=soviet("sov-inf", "A1"),
        seen=soviet("sov-inf", "E1"),
        special=THREE_TIMES_20,
    )
    offboard(game, 3)
    assert allowed(game, CallFire(20, "E1"))
    assert refused(game, CallFire(20, "A1")) == "9.1"
    assert refused(game, CallFire(30, "E1")) == "9.2"


@rule("9.2")
def test_9_2_a_segment_of_artillery_may_be_ended() -> None:
    game = draw(lt=leader("german", "A1"), foe=soviet("sov-inf", "A4"), special=THREE_TIMES_20)
    offboard(game, 3)
    play(game, CallFire(20, "A4"))
    assert refused(game, EndSegment()) == "procedure"
    play(game, Fire(), dice=[6, 6])
    play(game, EndSegment())
    assert game.asked() == ("soviet",)


@rule("9.2", "7.6")
def test_9_2_losses_are_allotted_before_the_next_call() -> None:
    game = draw(
        lt=leader("german", "A1"), foe=soviet("sov-inf", "A4"), two=soviet("sov-inf", "A4"), special=THREE_TIMES_20
    )
    offboard(game, 3)
    play(game, CallFire(20, "A4"), Fire(), dice=[1, 1])
    assert set(game.choices("soviet")) == {LoseStep("foe"), LoseStep("two")}
    events = play(game, LoseStep("foe"), dice=[1, 1, 1, 1])
    assert results(events)
    assert unit(game, "foe").reduced
    assert game.asked() == ("german",)


def offboard(game: Game[Position], number: int) -> None:
    """The batteries that a German has this turn."""
    game.state.change_army("german", offboard=(20,) * number)
