"""Engineers [13.0]: mines and bridges."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from opfire.core.dice import scripted
from opfire.core.errors import BadInput
from opfire.core.game import Game
from opfire.rulesets.case_orange.actions import EndSegment
from opfire.rulesets.case_orange.engineers import LayCharges, LiftMines, minefield
from opfire.rulesets.case_orange.movement import Move
from opfire.rulesets.case_orange.sequence import RemoveUnit
from rules.case_orange.drawing import (
    allowed,
    draw,
    german,
    kinds,
    marker,
    offered,
    play,
    refused,
    results,
    rule,
    soviet,
    unit,
    where,
)


def mines(value: str = "1:1", side: str = "soviet", at: str = "C3") -> dict[str, Any]:
    return marker("mines", at, value=value, side=side)


def until(game: Game[Any], side: str, step: str, dice: Iterable[int] = ()) -> list[Any]:
    """End segments until that side's next such step; what happened. Exactly these dice must fall."""
    game.dice = scripted(dice)
    events = play(game, EndSegment())
    while game.asked() and not (game.stack[-1].side == side and game.stack[-1].step == step):
        events += play(game, EndSegment())
    assert not game.dice.script
    return events


# --- 13.1 minefields ----------------------------------------------------------------------------------------


@rule("13.1")
@pytest.mark.parametrize("owner", ["soviet", "german"])
@pytest.mark.parametrize(("kind", "step"), [("pz-iv-h", "vehicle"), ("cavalry-42-german", "non-vehicle")])
def test_13_1_whoever_enters_stops_and_is_inverted(owner: str, kind: str, step: str) -> None:
    game = draw(markers=[mines(side=owner)], step=step, a=german(kind, "C2"), b=german(kind, "E2"))
    events = play(game, Move("a", "C3"))
    assert "13.1" in {event.rule for event in events}
    assert (where(game, "a"), unit(game, "a").face_up) == ("C3", False)
    assert refused(game, Move("a", "C4")) == "2.0-G09"
    play(game, Move("b", "E3"))
    assert unit(game, "b").face_up


@rule("13.1")
@pytest.mark.parametrize("other", ["position", "fort", "mines"])
def test_13_1_one_to_a_hex_and_not_with_works(other: str) -> None:
    with pytest.raises(BadInput):
        draw(markers=[mines(), marker(other, "C3", value={"mines": "1:2", "fort": "10/4"}.get(other, ""))])
    draw(markers=[mines(), marker("dug-in", "C3", side="soviet")])


COLUMNS = {
    "2:1": ("X", "DD", "DD", "D", "D", "none"),
    "1:1": ("DD", "D", "D", "none", "none", "none"),
    "1:2": ("D", "D", "none", "none", "none", "none"),
}
"""The rows 1 to 6 of those columns; the grey D of 1:2 is for assaulters."""


@rule("13.1.1")
@pytest.mark.parametrize("value", COLUMNS)
def test_13_1_1_the_denomination_is_the_ratio_with_nothing_added(value: str) -> None:
    """Neither the town nor the D marker counts."""
    game = draw(
        "\n".join([". . . . ."] * 2 + [". . t . ."] + [". . . . ."] * 2),
        markers=[mines(value)],
        step="begin",
        side="soviet",
        dice=[3],
        x=german("rifle-42-german", "C3", dispersed="D", face_up=False),
    )
    calculation = minefield(game.state, value)
    assert (calculation.column, calculation.modifier) == (value, 0)
    assert calculation.outcomes == COLUMNS[value]
    after = {"DD": "DD", "D": "DD", "none": "D"}[COLUMNS[value][2]]
    assert unit(game, "x").dispersed == after


@rule("13.1.1", "4.2-C1")
def test_13_1_1_at_the_start_of_the_owners_player_turn() -> None:
    game = draw(markers=[mines()], step="assault", x=german("rifle-42-german", "C3"), y=soviet("cp-soviet", "H8"))
    events = until(game, "soviet", "indirect", dice=[2])
    assert results(events) == ["D"]
    assert unit(game, "x").dispersed == "D"
    events = until(game, "german", "indirect", dice=[])
    assert results(events) == []


@rule("13.1.1")
def test_13_1_1_any_unit_in_the_hex_the_owners_too_each_with_its_roll() -> None:
    game = draw(
        markers=[mines(side="german")],
        step="begin",
        dice=[1, 6],
        x=german("rifle-42-german", "C3", points=1),
        y=german("rifle-42-german", "C3", points=1),
        z=german("rifle-42-german", "C4", points=1),
    )
    assert sorted(unit(game, name).dispersed for name in "xy") == ["", "DD"]
    assert unit(game, "z").dispersed == ""


@rule("13.1.2", "2.0-G07")
def test_13_1_2_the_dispersed_stay_and_are_attacked_again() -> None:
    game = draw(
        markers=[mines(side="soviet")],
        step="assault",
        side="german",
        x=german("rifle-42-german", "C3", dispersed="DD", face_up=False),
    )
    until(game, "soviet", "indirect", dice=[2])  # D on what is now a D
    assert unit(game, "x").dispersed == "DD"
    until(game, "german", "non-vehicle")
    assert refused(game, Move("x", "C4")) == "2.0-G07"
    events = until(game, "soviet", "indirect", dice=[2])
    assert results(events) == ["D"]


@rule("13.1.2")
def test_13_1_2_the_others_may_leave() -> None:
    game = draw(markers=[mines(side="german")], step="begin", dice=[6], x=german("rifle-42-german", "C3"))
    until(game, "german", "non-vehicle")
    assert allowed(game, Move("x", "C4"))
    assert unit(game, "x").dispersed == ""


@rule("13.1.3")
def test_13_1_3_mines_stay_after_their_attack() -> None:
    game = draw(markers=[mines(side="german")], step="begin", dice=[1], x=german("rifle-42-german", "C3"))
    assert unit(game, "x").dispersed == "DD"
    assert game.state.work("1-C3").mines == "1:1"


@rule("13.1.3", "13.1.4")
def test_13_1_3_engineers_alone_remove_them() -> None:
    game = draw(
        markers=[mines()],
        step="non-vehicle",
        a=german("engineer-german", "C2"),
        b=german("rifle-42-german", "D2"),
    )
    assert offered(game, LiftMines) == {LiftMines("a", "1-C3")}
    assert refused(game, LiftMines("b", "C3")) == "13.1.4"
    assert refused(game, LiftMines("a", "C1")) == "13.1.3"


@rule("13.1.4")
@pytest.mark.parametrize(
    ("hex", "state", "answer"),
    [
        ("C2", {}, None),
        ("C1", {}, "13.1.4"),
        ("C3", {}, "13.1.4"),
        ("C2", {"face_up": False}, "2.0-G09"),
        ("C2", {"dispersed": "D", "face_up": False}, "2.0-G07"),
        ("C2", {"moved": True}, "5.2"),
    ],
)
def test_13_1_4_an_eligible_engineer_next_to_them_instead_of_moving(
    hex: str, state: dict[str, Any], answer: str | None
) -> None:
    game = draw(markers=[mines()], step="non-vehicle", a=german("engineer-german", hex, **state))
    if answer:
        assert refused(game, LiftMines("a", "C3")) == answer
    else:
        play(game, LiftMines("a", "C3"), dice=[6])
        assert not unit(game, "a").face_up
        assert refused(game, Move("a", "C1")) == "2.0-G09"
        assert refused(game, LiftMines("a", "C3")) == "2.0-G09"


@rule("13.1.5")
@pytest.mark.parametrize("value", ["2:1", "1:1", "1:2"])
@pytest.mark.parametrize("die", [1, 3, 4, 6])
def test_13_1_5_one_to_three_lowers_the_marker(value: str, die: int) -> None:
    game = draw(markers=[mines(value)], step="non-vehicle", a=german("engineer-german", "C2"))
    events = play(game, LiftMines("a", "C3"), dice=[die])
    lowered = {"2:1": "1:1", "1:1": "1:2", "1:2": ""}[value]
    assert game.state.work("1-C3").mines == (lowered if die <= 3 else value)
    assert "13.1.5" in {event.rule for event in events}


@rule("13.1.6", "7.1.3")
def test_13_1_6_mines_take_no_room() -> None:
    game = draw(
        markers=[mines(side="german")],
        step="non-vehicle",
        a=german("rifle-42-german", "C2", points=4),
        b=german("cp-german", "A1"),
    )
    assert allowed(game, Move("a", "C3"))


# --- 13.2 bridges -------------------------------------------------------------------------------------------

RIVER = {"roads": ["C1 C2 C3"], "gullies": ["B2 C2 D2"], "bridges": {"C2": "wood"}}


def bridge(kind: str = "wood", **units: Any) -> Game[Any]:
    """An engineer on a bridge in C2, before the moves of the non-vehicles."""
    engineer = {"a": german("engineer-german", "C2")}
    return draw(
        "\n".join([". . . . ."] * 4),
        fields={**RIVER, "bridges": {"C2": kind}},
        step="non-vehicle",
        **{**engineer, **units},
    )


@rule("13.2")
@pytest.mark.parametrize(("kind", "turns"), [("wood", 2), ("concrete", 3), ("steel", 4)])
def test_13_2_so_many_complete_turns_and_then_one_roll(kind: str, turns: int) -> None:
    game = bridge(kind)
    for turn in range(1, turns + 1):
        play(game, LayCharges("a"))
        if turn < turns:
            events = until(game, "german", "non-vehicle", dice=[])
            assert "bridge" not in kinds(events)
    events = until(game, "german", "non-vehicle", dice=[5])
    assert "bridge" in kinds(events)
    assert game.state.work("1-C2").block


@rule("13.2")
@pytest.mark.parametrize(("die", "down"), [(1, True), (5, True), (6, False)])
def test_13_2_one_to_five_demolishes_and_places_a_block(die: int, down: bool) -> None:
    game = bridge(a=german("engineer-german", "C2", charges=1))
    play(game, LayCharges("a"))
    events = until(game, "german", "non-vehicle", dice=[die])
    assert game.state.work("1-C2").block is down
    assert [event.dice for event in events if event.kind == "bridge"] == [(die,)]


@rule("13.2")
def test_13_2_after_a_failure_the_count_begins_again() -> None:
    game = bridge(a=german("engineer-german", "C2", charges=1))
    play(game, LayCharges("a"))
    until(game, "german", "non-vehicle", dice=[6])
    assert unit(game, "a").charges == 0
    play(game, LayCharges("a"))
    until(game, "german", "non-vehicle", dice=[])
    play(game, LayCharges("a"))
    until(game, "german", "non-vehicle", dice=[1])
    assert game.state.work("1-C2").block


@rule("13.2")
def test_13_2_turns_are_consecutive() -> None:
    game = bridge()
    play(game, LayCharges("a"))
    until(game, "german", "non-vehicle")
    until(game, "german", "non-vehicle")  # a turn let go by
    assert unit(game, "a").charges == 0
    play(game, LayCharges("a"))
    until(game, "german", "non-vehicle", dice=[])
    assert not game.state.work("1-C2").block


@rule("13.2")
@pytest.mark.parametrize(
    ("kind", "hex", "state", "answer"),
    [
        ("engineer-german", "C2", {}, None),
        ("rifle-42-german", "C2", {}, "13.2"),
        ("engineer-german", "C3", {}, "13.2"),
        ("engineer-german", "C2", {"fired": True}, "13.2"),
        ("engineer-german", "C2", {"face_up": False}, "2.0-G09"),
        ("engineer-german", "C2", {"moved": True}, "5.2"),
    ],
)
def test_13_2_by_an_engineer_who_does_nothing_else(
    kind: str, hex: str, state: dict[str, Any], answer: str | None
) -> None:
    game = bridge(a=german(kind, hex, **state))
    if answer:
        assert refused(game, LayCharges("a")) == answer
    else:
        assert allowed(game, LayCharges("a"))
        play(game, LayCharges("a"))
        assert unit(game, "a").charges == 1
        assert refused(game, Move("a", "C3")) == "5.2"


@rule("13.2", "4.2-C1")
def test_13_2_only_an_eligible_engineer_rolls() -> None:
    game = bridge(a=german("engineer-german", "C2", charges=1))
    play(game, LayCharges("a"))
    game.state.change("a", dispersed="DD", face_up=False)
    events = until(game, "german", "indirect", dice=[])
    assert "bridge" not in kinds(events)
    assert not game.state.work("1-C2").block


@rule("13.2", "7.1")
def test_13_2_what_no_longer_fits_beside_the_block_is_lost() -> None:
    """Three points and a block of two: its owner takes one off."""
    game = bridge(
        a=german("engineer-german", "C2", charges=1),
        b=german("rifle-42-german", "C2"),
        c=german("rifle-42-german", "C2"),
    )
    play(game, LayCharges("a"))
    game.dice = scripted([2])
    while game.stack[-1].step != "owe":
        play(game, EndSegment())
    assert game.asked() == ("german",)
    assert offered(game, RemoveUnit) == {RemoveUnit("a"), RemoveUnit("b"), RemoveUnit("c")}
    play(game, RemoveUnit("b"))
    assert unit(game, "b").status == "eliminated"
    assert (game.stack[-1].side, game.stack[-1].step) == ("german", "indirect")


@rule("13.2")
def test_13_2_a_demolished_bridge_is_no_bridge() -> None:
    game = bridge(a=german("engineer-german", "C2", charges=1))
    play(game, LayCharges("a"))
    until(game, "german", "non-vehicle", dice=[1])
    assert refused(game, LayCharges("a")) == "13.2"


@rule("13.2.1")
def test_13_2_1_without_a_note_a_bridge_is_of_concrete() -> None:
    """Where road and gully cross, and nobody says what the bridge is made of."""
    fields = {"roads": RIVER["roads"], "gullies": RIVER["gullies"], "bridges": {}}
    game = draw(
        "\n".join([". . . . ."] * 4),
        fields=fields,
        step="non-vehicle",
        a=german("engineer-german", "C2", charges=2),
    )
    assert game.state.setting.bridge("1-C2") == "concrete"
    play(game, LayCharges("a"))
    until(game, "german", "non-vehicle", dice=[1])
    assert game.state.work("1-C2").block


@rule("13.2")
def test_13_2_the_scenario_may_say_what_the_bridge_is_of() -> None:
    game = draw(
        "\n".join([". . . . ."] * 4),
        fields=RIVER,
        bridges={"C2": "steel"},
        step="non-vehicle",
        a=german("engineer-german", "C2", charges=2),
        foe=soviet("cp-soviet", "A4"),
    )
    play(game, LayCharges("a"))
    until(game, "german", "non-vehicle", dice=[])  # four turns, not two
    play(game, LayCharges("a"))
    until(game, "german", "non-vehicle", dice=[1])
    assert game.state.work("1-C2").block


@rule("13.2")
@pytest.mark.parametrize(("dice", "down"), [([5], True), ([6, 5], True), ([6, 6], False)])
def test_13_2_two_engineers_roll_one_after_the_other_until_it_is_down(dice: list[int], down: bool) -> None:
    """Each has one roll for its turns; no mines in the gully already count."""
    game = bridge(
        a=german("engineer-german", "C2", charges=1, points=1),
        b=german("engineer-german", "C2", charges=1, points=1),
    )
    play(game, LayCharges("a"), LayCharges("b"))
    until(game, "german", "non-vehicle", dice=dice)
    assert game.state.work("1-C2").block == down
    assert [unit(game, name).charges for name in "ab"] == [0, 0]
