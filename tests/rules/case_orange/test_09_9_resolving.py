"""Resolving combat [9.9] and dispersal [9.10]."""

from __future__ import annotations

import pytest

from opfire.rulesets.case_orange.actions import EndSegment
from opfire.rulesets.case_orange.assault import AddAssaulter, Assault, RollAssault
from opfire.rulesets.case_orange.combat import odds
from opfire.rulesets.case_orange.direct import Attack, Fire
from rules.case_orange.drawing import (
    amount,
    calculations,
    draw,
    german,
    kinds,
    marker,
    play,
    preview,
    refused,
    results,
    rule,
    soviet,
    unit,
    where,
)


def duel(attack: int, defence: int, **values: object) -> dict[str, dict[str, object]]:
    """A class H gun beyond half its range and infantry in the open: nothing but the factors counts."""
    return {
        "gun": german("stug-iii-b", "C1", attack=attack, range=4),
        "foot": soviet("rifle-43-soviet", "C4", defence=defence, **values),
    }


# --- the ratio [9.9-P1, 9.9-P2] -----------------------------------------------------------------------------


@rule("9.9-P1")
def test_9_9_P1_twelve_to_five_is_two_to_one() -> None:
    game = draw(**duel(12, 5))
    calculation = preview(game, Attack("gun", "foot"))
    assert [line.value for line in calculation.lines if line.kind == "odds"] == ["2:1"]
    assert calculation.column == "2:1"


RATIOS = [
    (99, 4, "4:1"),
    (16, 4, "4:1"),
    (15, 4, "3:1"),
    (12, 4, "3:1"),
    (11, 4, "2:1"),
    (8, 4, "2:1"),
    (7, 4, "1:1"),
    (4, 4, "1:1"),
    (3, 4, "1:2"),
    (2, 4, "1:2"),
    (4, 9, "1:3"),
    (4, 12, "1:3"),
    (4, 13, "1:4"),
    (4, 16, "1:4"),
    (4, 17, None),
    (0, 4, None),
]


@rule("9.9-P1", "9.9-P2")
@pytest.mark.parametrize(("attack", "defence", "column"), RATIOS)
def test_9_9_P1_ratios_are_rounded_down_for_the_defender(attack: int, defence: int, column: str | None) -> None:
    assert odds(attack, defence) == column
    if column:
        assert preview(draw(**duel(attack, defence)), Attack("gun", "foot")).column == column


@rule("9.9-P1")
def test_9_9_P1_sums_of_factors_make_the_ratio() -> None:
    game = draw(
        step="assault",
        a=german("rifle-42-german", "C1", attack=7),
        b=german("rifle-42-german", "C1", attack=5),
        x=soviet("rifle-43-soviet", "C2", defence=3, points=1),
        y=soviet("rifle-43-soviet", "C2", defence=2, points=1),
    )
    play(game, Assault("a", "C2"))
    assert preview(game, AddAssaulter("b")).column == "2:1"


# --- shifts, modifiers, roll [9.9-P3 to P6] -----------------------------------------------------------------


@rule("9.9-P3")
def test_9_9_P3_the_net_of_all_shifts_moves_the_column() -> None:
    """From a hilltop (two to the right) at a position (one to the left): 1:1 becomes 2:1."""
    game = draw(
        ". . h .\n. . . .\n. . . .",
        markers=[marker("position", "C3")],
        gun=german("stug-iii-b", "C1", attack=10),
        foot=soviet("rifle-43-soviet", "C3", defence=10, below="position"),
    )
    calculation = preview(game, Attack("gun", "foot"))
    assert sorted(line.amount for line in calculation.lines if line.kind == "shift") == [-1, 2]
    assert calculation.column == "2:1"


@rule("9.9-P3")
def test_9_9_P3_shifts_stay_on_the_table() -> None:
    board = ". . h .\n. . . .\n. . . ."
    units = {
        "gun": german("stug-iii-b", "C1", attack=40),
        "foot": soviet("rifle-43-soviet", "C3", defence=10),
    }
    assert preview(draw(board, **units), Attack("gun", "foot")).column == "4:1"
    uphill = draw(
        ". . . .\n. . . .\n. . h .",
        gun=german("stug-iii-b", "C1", attack=3),
        foot=soviet("rifle-43-soviet", "C3", defence=9),
    )
    assert preview(uphill, Attack("gun", "foot")).column == "1:4"


@rule("9.9-P4")
def test_9_9_P4_the_net_of_all_modifiers_counts() -> None:
    """Woods +1, dispersed -1, a class A vehicle hull down +1: one more on the die."""
    game = draw(
        ". . . .\n. . w .\n. . . .",
        fields={"dunes": ["C1/C2"]},
        gun=german("pz-iv-h", "C1", attack=10, range=1),
        tank=soviet("t-34-76", "C2", defence=10, dispersed="D", face_up=False),
    )
    calculation = preview(game, Attack("gun", "tank"))
    assert sorted(line.amount for line in calculation.lines if line.kind == "modifier") == [-1, 1, 1]
    assert calculation.modifier == 1
    assert calculation.outcomes == ("D", "D", "none", "none", "none", "none")  # 1:1 at 2 to 7, no own goals


@rule("9.9-P5")
def test_9_9_P5_one_die_of_six_plus_the_modifier() -> None:
    """At 1:1 in woods a 1 reads 2 and a 3 reads 4."""
    board = ". . . .\n. . w .\n. . . ."
    for die, result in ((1, "D"), (2, "D"), (3, "none")):
        game = draw(
            board,
            gun=german("stug-iii-b", "C1", attack=10, range=1),
            foot=soviet("rifle-43-soviet", "C2", defence=10),
        )
        events = play(game, Attack("gun", "foot"), Fire(), dice=[die])
        assert [event.dice for event in events if event.kind == "fired"] == [(die,)]
        assert results(events) == [result]


@rule("9.9-P6")
@pytest.mark.parametrize(("die", "result"), list(enumerate(["DD", "D", "D", "none", "none", "none"], 1)))
def test_9_9_P6_row_and_column_give_the_result(die: int, result: str) -> None:
    """The column 1:1 from 1 to 6."""
    game = draw(**duel(10, 10))
    assert results(play(game, Attack("gun", "foot"), Fire(), dice=[die])) == [result]


@rule("9.9-P6", "9.9-P7")
@pytest.mark.parametrize(("die", "left"), [(1, ""), (3, "DD"), (5, "D")])
def test_9_9_P7_the_result_is_applied_at_once(die: int, left: str) -> None:
    """2:1: a 1 eliminates, a 3 is DD, a 5 is D."""
    game = draw(**duel(20, 10))
    play(game, Attack("gun", "foot"), Fire(), dice=[die])
    assert unit(game, "foot").dispersed == left
    assert where(game, "foot") == ("C4" if left else "")
    assert (unit(game, "foot").status == "eliminated") == (left == "")


@rule("9.9-P7")
def test_9_9_P7_before_other_attacks() -> None:
    game = draw(b=german("stug-iii-b", "D1"), **duel(40, 10))
    play(game, Attack("gun", "foot"), Fire(), dice=[1])
    assert refused(game, Attack("b", "foot")) == "procedure"  # it is no more


@rule("9.9-P8")
def test_9_9_P8_attackers_are_inverted() -> None:
    game = draw(b=german("stug-iii-b", "D1"), **duel(10, 10))
    play(game, Attack("gun", "foot"), Fire(), dice=[6])
    assert (unit(game, "gun").face_up, unit(game, "b").face_up) == (False, True)


# --- dispersal [9.10] ---------------------------------------------------------------------------------------

STEPS = [
    ("", "D", "D"),
    ("", "DD", "DD"),
    ("", "X", None),
    ("D", "D", "DD"),
    ("D", "DD", "DD"),
    ("D", "X", None),
    ("DD", "DD", None),
    ("DD", "X", None),
]
AT_TWO_TO_ONE = {"X": 1, "DD": 2, "D": 4}
"""Rows of the column 2:1; a dispersed target takes one off the die, so one more is thrown for it."""


@rule("9.10.1")
@pytest.mark.parametrize(("before", "result", "after"), STEPS)
def test_9_10_1_what_a_result_makes_of_a_unit(before: str, result: str, after: str | None) -> None:
    game = draw(**duel(20, 10, dispersed=before, face_up=not before))
    die = AT_TWO_TO_ONE[result] + bool(before)
    events = play(game, Attack("gun", "foot"), Fire(), dice=[die])
    assert results(events) == [result]
    if after is None:
        assert unit(game, "foot").status == "eliminated"
    else:
        assert unit(game, "foot").dispersed == after
        assert not unit(game, "foot").face_up


@rule("9.10.1")
def test_9_10_1_a_d_on_a_dd_changes_nothing() -> None:
    """The book is silent: GAPS 10."""
    game = draw(**duel(20, 10, dispersed="DD", face_up=False))
    assert results(play(game, Attack("gun", "foot"), Fire(), dice=[5])) == ["D"]
    assert unit(game, "foot").dispersed == "DD"


@rule("9.10.1")
def test_9_10_1_no_result_leaves_it_face_up() -> None:
    game = draw(**duel(10, 10))
    play(game, Attack("gun", "foot"), Fire(), dice=[6])
    assert unit(game, "foot").face_up
    play(game, EndSegment())
    other = draw(**duel(10, 10))
    play(other, Attack("gun", "foot"), Fire(), dice=[2])
    assert (unit(other, "foot").face_up, unit(other, "foot").dispersed) == (False, "D")


END = {
    "d": german("rifle-42-german", "A1", dispersed="D", face_up=False),
    "dd": german("rifle-42-german", "B1", dispersed="DD", face_up=False),
    "spent": german("rifle-42-german", "C1", face_up=False),
    "enemy": soviet("rifle-43-soviet", "C8", dispersed="DD", face_up=False),
    "other": soviet("rifle-43-soviet", "E8", face_up=False),
}


@rule("9.10.2", "4.2-C7")
def test_9_10_2_at_the_end_of_ones_player_turn_d_goes_and_dd_becomes_d() -> None:
    game = draw(step="assault", **END)
    events = play(game, EndSegment())
    assert [unit(game, name).dispersed for name in ("d", "dd", "enemy")] == ["", "D", "DD"]
    assert kinds(events).count("recovered") == 2


@rule("9.10.2", "9.10.3", "4.2-C7")
def test_9_10_3_who_is_then_undispersed_turns_face_up() -> None:
    game = draw(step="assault", **END)
    play(game, EndSegment())
    face_up = {name: unit(game, name).face_up for name in END}
    assert face_up == {"d": True, "dd": False, "spent": True, "enemy": False, "other": False}


@rule("9.10.2")
def test_9_10_2_a_dd_takes_two_of_ones_turns() -> None:
    game = draw(step="assault", **END)
    for dispersed, face_up in (("D", False), ("", True)):
        play(game, EndSegment())
        assert (unit(game, "dd").dispersed, unit(game, "dd").face_up) == (dispersed, face_up)
        while not (game.stack[-1].step == "assault" and game.stack[-1].side == "german"):
            play(game, EndSegment())


@rule("9.10.2", "5.7.1")
@pytest.mark.parametrize(("side", "dispersed"), [("german", ("", "D")), ("soviet", ("D", "DD"))])
def test_9_10_2_only_after_ones_own_player_turn_and_aboard_too(side: str, dispersed: tuple[str, str]) -> None:
    """A dispersed truck with a load that is heavily dispersed: nothing comes off when the enemy's turn ends."""
    truck = german("truck-german", "A1", dispersed="D", face_up=False)
    riders = german("rifle-42-german", "A1", carrier="truck", dispersed="DD", face_up=False)
    game = draw(step="assault", side=side, truck=truck, riders=riders, enemy=soviet("rifle-43-soviet", "C8"))
    play(game, EndSegment())
    assert (unit(game, "truck").dispersed, unit(game, "riders").dispersed) == dispersed
    assert unit(game, "truck").face_up is (side == "german")
    assert not unit(game, "riders").face_up


@rule("9.10.1", "9.9-P7")
def test_9_10_1_an_assault_that_fails_disperses_the_assaulters() -> None:
    game = draw(
        step="assault",
        a=german("rifle-42-german", "C1", attack=4, dispersed="", name="a"),
        x=soviet("rifle-43-soviet", "C2", defence=16),
    )
    events = play(game, Assault("a", "C2"), RollAssault(), dice=[6])
    assert calculations(events)[0].modifier == -2
    assert amount(calculations(events)[0], "9.7-P4") == -2
    assert unit(game, "a").dispersed == "D"  # 1:4 at 4
