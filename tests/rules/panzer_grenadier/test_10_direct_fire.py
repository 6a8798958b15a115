"""Direct fire [10.0], and what opportunity fire takes from it [13.0]. In the book's order."""

from __future__ import annotations

import pytest

from edits import edited
from opfire.core.game import Game
from opfire.rulesets.panzer_grenadier.command.activation import Activate, ActivateStack, Begin, DesignateAll
from opfire.rulesets.panzer_grenadier.fire.direct import AddFirer, FireDirect, at_mover, direct_fire, helps, no_help
from opfire.rulesets.panzer_grenadier.fire.strengths import Fire, not_joined
from opfire.rulesets.panzer_grenadier.pieces import Position
from rules.panzer_grenadier.kit import (
    allowed,
    draw,
    german,
    leader,
    lines,
    offered,
    play,
    refused,
    rule,
    soviet,
    unit,
)

LINE = ". . . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . .\n"


@rule("10.0", "8.0")
def test_10_0_only_at_hexes_with_enemies_that_the_firer_spots() -> None:
    board = edited(LINE, ". . . . .", ". w . . .", 1)  # woods in B1
    game = draw(board, a=german("ger-hmg", "B5"), hid=soviet("sov-inf", "B1"), seen=soviet("sov-inf", "C2"))
    play(game, Activate("a", "fire"))
    assert allowed(game, FireDirect("a", "C2"))
    assert refused(game, FireDirect("a", "D2")) == "10.0"  # nobody is there
    assert refused(game, FireDirect("a", "B1")) == "8.21"  # four hexes into woods


@rule("10.0", "G.direct")
def test_10_0_a_spotter_elsewhere_does_not_help_the_firer() -> None:
    board = edited(LINE, ". . . . .", ". w . . .", 1)
    game = draw(
        board,
        a=german("ger-hmg", "B5"),
        near=german("ger-inf", "C1"),
        hid=soviet("sov-inf", "B1"),
        seen=soviet("sov-inf", "C2"),
    )
    play(game, Activate("a", "fire"))
    assert refused(game, FireDirect("a", "B1")) == "8.21"


@rule("8.0", "7.41")
def test_8_0_with_one_of_them_spotted_all_in_the_hex_are_hit() -> None:
    board = edited(LINE, ". . . . .", ". w . . .", 1)
    game = draw(
        board, a=german("ger-hmg", "B5"), shown=soviet("sov-inf", "B1", spotted=True), hid=soviet("sov-hmg", "B1")
    )
    play(game, Activate("a", "fire"))
    events = play(game, FireDirect("a", "B1"), Fire(), dice=[6, 6])
    assert set(events[0].units) == {"a", "shown", "hid"}


@rule("8.0", "16.61")
def test_8_0_the_hidden_who_are_hit_or_help_to_fire_are_placed() -> None:
    game = draw(
        a=german("ger-hmg", "A1", hidden=True),
        lt=leader("german", "A1", hidden=True, combat=1),
        still=german("ger-inf", "A1", hidden=True),
        foe=soviet("sov-inf", "A4"),
        lurker=soviet("sov-inf", "A4", hidden=True),
    )
    play(game, ActivateStack("1-A1"), DesignateAll("fire"), Begin())
    events = play(game, FireDirect("a", "A4"), Fire(), dice=[6, 6])
    assert {name for event in events if event.kind == "revealed" for name in event.units} == {"a", "lt", "lurker"}
    assert unit(game, "still").hidden


@rule("10.1")
@pytest.mark.parametrize(
    ("firer", "friend", "answer"),
    [
        ("ger-inf", "ger-inf", "10.1"),
        ("ger-inf", "ger-truck", "10.1"),
        ("ger-inf", "ger-pz3", None),  # AFVs hinder nobody
        ("ger-inf", "leader", None),  # a leader is no unit
        ("ger-hmg", "ger-inf", None),
        ("ger-pz3", "ger-inf", None),
        ("ger-20-aa", "ger-inf", None),
    ],
)
def test_10_1_who_fires_through_whom(firer: str, friend: str, answer: str | None) -> None:
    third = leader("german", "A2") if friend == "leader" else german(friend, "A2")
    game = draw(LINE, a=german(firer, "A1"), friend=third, foe=soviet("sov-inf", "A4"), other=soviet("sov-inf", "B1"))
    play(game, Activate("a", "fire"))
    assert (refused(game, FireDirect("a", "A4")) if answer else None) == answer
    assert answer or allowed(game, FireDirect("a", "A4"))


@rule("10.1", "10.1.a")
def test_10_1_a_free_hex_has_to_lie_before_the_target() -> None:
    # The Romanian HMG fires past the ENG at the SMG, with a free hex behind it, not at the CAV next to it.
    game = draw(
        hmg=german("rom-hmg", "A1"),
        close=german("rom-inf", "A2"),
        eng=german("rom-eng", "A3"),
        smg=soviet("sov-smg", "A5"),
    )
    play(game, Activate("hmg", "fire"))
    assert allowed(game, FireDirect("hmg", "A5"))
    cav = draw(
        hmg=german("rom-hmg", "A1"),
        eng=german("rom-eng", "A3"),
        cav=soviet("sov-cav", "A4"),
        other=soviet("sov-smg", "B1"),
    )
    play(cav, Activate("hmg", "fire"))
    assert refused(cav, FireDirect("hmg", "A4")) == "10.1"


@rule("10.1")
def test_10_1_a_tank_next_to_the_target_fills_the_hex_that_should_be_free() -> None:
    game = draw(
        hmg=german("ger-hmg", "A1"),
        inf=german("ger-inf", "A2"),
        tank=german("ger-pz3", "A3"),
        foe=soviet("sov-inf", "A4"),
        other=soviet("sov-inf", "B1"),
    )
    play(game, Activate("hmg", "fire"))
    assert refused(game, FireDirect("hmg", "A4")) == "10.1"


@rule("10.1")
def test_10_1_the_free_side_of_a_hex_spine_is_taken() -> None:
    # The line from E5 to D3 runs between E4 and D4.
    game = draw(a=german("ger-inf", "E5"), pal=german("ger-inf", "E4"), foe=soviet("sov-inf", "D3"))
    play(game, Activate("a", "fire"))
    assert allowed(game, FireDirect("a", "D3"))
    shut = draw(
        a=german("ger-inf", "E5"),
        pal=german("ger-inf", "E4"),
        pal2=german("ger-inf", "D4"),
        foe=soviet("sov-inf", "D3"),
        other=soviet("sov-inf", "F5"),
    )
    play(shut, Activate("a", "fire"))
    assert refused(shut, FireDirect("a", "D3")) == "10.1"


@rule("10.1.A1")
def test_10_1_A1_everybody_fires_over_friends_below_him() -> None:
    board = ". h .\n. . .\n. . .\n. . .\n"

    def position(ground: str, options: tuple[str, ...] = ()) -> Game[Position]:
        game = draw(
            ground,
            a=german("ger-inf", "B1"),
            pal=german("ger-inf", "B2"),
            foe=soviet("sov-inf", "B4"),
            other=soviet("sov-inf", "A1"),
            options=options,
        )
        play(game, Activate("a", "fire"))
        return game

    assert allowed(position(board), FireDirect("a", "B4"))
    flat = board.replace("h", ".")
    assert refused(position(flat), FireDirect("a", "B4")) == "10.1"
    assert allowed(position(flat, ("R10.1",)), FireDirect("a", "B4"))


@rule("10.2")
def test_10_2_the_largest_heading_not_above_the_total() -> None:
    game = draw(a=german("ger-hmg", "A1"), foe=soviet("sov-inf", "A4"))
    (group,) = direct_fire(game.state, [unit(game, "a")], "1-A4")
    assert group.calculation.column == "7"  # 9 lies between 7 and 11
    assert group.calculation.rule == "10.2"


@rule("10.2.A1")
def test_10_2_A1_point_blank_only_when_all_who_combine_are_adjacent() -> None:
    game = draw(
        lt=leader("german", "A2", combat=1),
        a=german("ger-inf", "A2"),
        b=german("ger-inf", "B1"),
        foe=soviet("sov-inf", "A3"),
    )
    near = direct_fire(game.state, [unit(game, "a")], "1-A3")
    both = direct_fire(game.state, [unit(game, "a"), unit(game, "b")], "1-A3")
    assert ("shift", "10.3", 2) in lines(near[0].calculation)
    assert ("shift", "10.3", 2) not in lines(both[0].calculation)


@rule("10.3", "4.4")
def test_10_3_italian_infantry_next_to_three_guns_fires_on_the_16_column() -> None:
    game = draw(
        a=german("ital-inf", "A1"),
        **{name: soviet("brit-25pdr", "A2") for name in ("one", "two", "three")},
    )
    (group,) = direct_fire(game.state, [unit(game, "a")], "1-A2")
    assert lines(group.calculation) == [
        ("attack", "7.31", 4),
        ("shift", "10.3", 2),
        ("shift", "4.4", 1),
        ("shift", "7.52", 2),
        ("shift", "10.3", -2),  # held to +3
    ]
    assert (group.calculation.column, group.calculation.modifier) == ("16", 3)


@rule("10.3")
def test_10_3_never_more_than_two_columns_down() -> None:
    game = draw(
        "t . . .",
        a=german("ger-hmg", "C1"),
        foe=soviet("sov-inf", "A1", dug_in=2),
        special={"night": [1]},
    )
    (group,) = direct_fire(game.state, [unit(game, "a")], "1-A1")
    assert [amount for kind, _, amount in lines(group.calculation) if kind == "shift"] == [-1, -1, -1, 1]
    assert group.calculation.column == "2"  # 9 is on the 7 column, and two down from it


@rule("G.night", "8.1.A1")
def test_G_night_a_column_less_by_night() -> None:
    game = draw(a=german("ger-hmg", "A1"), foe=soviet("sov-inf", "A2"), special={"night": [1]})
    (group,) = direct_fire(game.state, [unit(game, "a")], "1-A2")
    assert ("shift", "G.night", -1) in lines(group.calculation)


@rule("8.4", "10.2.A1")
def test_8_4_higher_firers_have_a_column_more_if_all_are() -> None:
    game = draw(
        "h . .\n. . .\n. . .", a=german("ger-inf", "A1"), b=german("ger-inf", "B1"), foe=soviet("sov-inf", "A3")
    )
    assert ("shift", "8.4", 1) in lines(direct_fire(game.state, [unit(game, "a")], "1-A3")[0].calculation)
    both = direct_fire(game.state, [unit(game, "a"), unit(game, "b")], "1-A3")
    assert ("shift", "8.4", 1) not in lines(both[0].calculation)


@rule("12.6")
def test_12_6_nobody_fires_directly_out_of_an_assault_hex_or_in_it() -> None:
    game = draw(
        a=german("ger-inf", "A1"),
        tank=german("ger-pz3", "A1"),
        foe=soviet("sov-t34", "A1"),
        far=soviet("sov-inf", "A3"),
        lt=leader("german", "A1"),
    )
    play(game, ActivateStack("1-A1"), DesignateAll("fire"), Begin())
    assert refused(game, FireDirect("a", "A3")) == "12.6"
    assert refused(game, FireDirect("a", "A1")) == "12.6"


@rule("5.67", "14.3")
def test_5_67_neither_cargo_nor_the_demoralized_fire() -> None:
    game = draw(
        lt=leader("german", "A1"),
        truck=german("ger-spw251", "A1"),
        a=german("ger-inf", "A1", carrier="truck"),
        foe=soviet("sov-inf", "A3"),
    )
    play(game, Activate("truck", "fire"))
    assert allowed(game, FireDirect("truck", "A3"))  # the carrier may, while loaded
    (group,) = direct_fire(game.state, [unit(game, "truck")], "1-A3")
    assert lines(group.calculation) == [("attack", "7.31", 3)]


@rule("8.22", "7.45")
def test_8_22_who_fires_from_woods_is_spotted() -> None:
    game = draw("w . .\n. . .\n. . .", a=german("ger-inf", "A1"), foe=soviet("sov-inf", "A3"))
    play(game, Activate("a", "fire"))
    play(game, FireDirect("a", "A3"), Fire(), dice=[6, 6])
    assert unit(game, "a").spotted


@rule("16.21")
def test_16_21_who_fires_digs_in_no_further() -> None:
    game = draw(a=german("ger-inf", "A1", dug_in=1), foe=soviet("sov-inf", "A3"))
    play(game, Activate("a", "fire"))
    play(game, FireDirect("a", "A3"), Fire(), dice=[6, 6])
    assert unit(game, "a").dug_in == 0


@rule("7.33")
def test_7_33_units_join_one_at_a_time_and_once() -> None:
    game = draw(a=german("ger-inf", "A1"), b=german("ger-inf", "A1"), foe=soviet("sov-inf", "A3"))
    play(game, ActivateStack("1-A1"), DesignateAll("fire"), Begin(), FireDirect("a", "A3"))
    assert offered(game, AddFirer) == {AddFirer("b")}
    assert refused(game, AddFirer("a")) == "procedure"


# --- for opportunity fire ---------------------------------------------------------------------------------------


@rule("13.33", "7.21", "7.44")
def test_13_33_three_units_are_no_crowd_when_one_of_them_moves() -> None:
    game = draw(
        a=german("ger-hmg", "A1"),
        one=soviet("sov-inf", "A4"),
        two=soviet("sov-inf", "A4"),
        three=soviet("sov-inf", "A4"),
    )
    groups = at_mover(game.state, [unit(game, "a")], [unit(game, "one")])
    assert [(group.units, lines(group.calculation)) for group in groups] == [(("one",), [("attack", "7.31", 9)])]


@rule("13.31", "7.44.a")
def test_13_31_the_leader_who_moves_along_is_hit_too() -> None:
    game = draw(a=german("ger-hmg", "A1"), one=soviet("sov-inf", "A4"), lt=leader("soviet", "A4"))
    (group,) = at_mover(game.state, [unit(game, "a")], [unit(game, "one"), unit(game, "lt")])
    assert group.units == ("one", "lt")


@rule("13.01", "6.41.b")
def test_13_01_a_leader_combines_and_adds_twice_a_turn() -> None:
    game = draw(
        lt=leader("german", "B2", combat=1),
        here=german("ger-inf", "B2"),
        next=german("ger-inf", "A2"),
        mover=soviet("sov-inf", "B4"),
        side="soviet",
    )
    firers, mover = [unit(game, "here"), unit(game, "next")], unit(game, "mover")
    assert [[one.id for one in leaders] for leaders in helps(game.state, firers)] == [["lt"]]
    for shots in (0, 1):
        lt = game.state.change("lt", marked=shots > 0, shots=shots)
        assert not_joined(game.state, firers, [lt]) is None
        (group,) = at_mover(game.state, [*firers, lt], [mover])
        assert [line[1] for line in lines(group.calculation)] == ["7.31", "6.42", "7.31"]
    lt = game.state.change("lt", shots=2)
    refusal = not_joined(game.state, firers, [lt])
    assert refusal is not None
    assert refusal.rule == "7.33"
    (group,) = at_mover(game.state, [*firers, lt], [mover])
    assert [line[1] for line in lines(group.calculation)] == ["7.31", "7.31"]


@rule("13.01")
def test_13_01_either_leader_combines_and_who_only_adds_may_be_left_out() -> None:
    game = draw(
        lt=leader("german", "B2", combat=1),
        cpt=leader("german", "A2", "CPT", combat=1),
        here=german("ger-inf", "B2"),
        next=german("ger-inf", "A2"),
        mover=soviet("sov-inf", "B4"),
        side="soviet",
    )
    both = [unit(game, "here"), unit(game, "next")]
    offers = [frozenset(one.id for one in leaders) for leaders in helps(game.state, both)]
    assert sorted(map(sorted, offers)) == [["cpt"], ["cpt", "lt"], ["lt"]]
    assert [[one.id for one in leaders] for leaders in helps(game.state, both[:1])] == [[], ["lt"]]


@rule("13.01")
def test_13_01_a_leader_activated_this_turn_helps_no_opportunity_fire() -> None:
    game = draw(
        lt=leader("german", "B2", combat=2, marked=True),
        here=german("ger-inf", "B2"),
        next=german("ger-inf", "A2"),
        mover=soviet("sov-inf", "B4"),
        side="soviet",
    )
    here, lt = unit(game, "here"), unit(game, "lt")
    assert not_joined(game.state, [here, unit(game, "next")], [lt]) is not None
    refusal = no_help(game.state, [here], [lt])
    assert refusal is not None
    assert refusal.rule == "13.01"
    (group,) = at_mover(game.state, [here, lt], [unit(game, "mover")])
    assert lines(group.calculation) == [("attack", "7.31", 5)]


@rule("17.3")
def test_17_3_hidden_units_meet_strategic_movement_two_columns_up() -> None:
    board = ". . .\n. . .\nw . .\n. . .\n. . .\n. . ."

    def columns(options: list[str], hidden: bool) -> str:
        game = draw(
            board,
            a=german("ger-hmg", "B5", hidden=hidden),
            mover=soviet("sov-inf", "B2"),
            options=options,
        )
        (group,) = at_mover(game.state, [unit(game, "a")], [unit(game, "mover")])
        return group.calculation.column

    assert columns(["17.3"], True) == "16"
    assert columns(["17.3"], False) == "7"
    assert columns([], True) == "7"
