"""Improved positions [10.3]."""

from __future__ import annotations

import pytest

from opfire.core.errors import BadInput
from opfire.rulesets.case_orange.actions import EndSegment
from opfire.rulesets.case_orange.assault import Assault
from opfire.rulesets.case_orange.carrying import Load
from opfire.rulesets.case_orange.direct import AddFirer, Attack, Fire
from opfire.rulesets.case_orange.indirect import DeclareFire
from opfire.rulesets.case_orange.movement import Move, Shift
from opfire.rulesets.case_orange.overrun import Overrun
from opfire.rulesets.case_orange.setup import Place
from rules.case_orange.drawing import (
    allowed,
    amount,
    calculations,
    draw,
    german,
    marker,
    offered,
    play,
    preview,
    refused,
    results,
    rule,
    soviet,
    unit,
    where,
)
from rules.case_orange.scenes import scene

POSITION = [marker("position", "C3")]
BELOW = soviet("rifle-43-soviet", "C3", attack=0, defence=10, below="position")
TOWN = ". . . . .\n. . . . .\n. . t . .\n. . . . .\n. . . . ."


@rule("10.3")
@pytest.mark.parametrize("other", ["mines", "position", "fort"])
def test_10_3_never_with_mines_or_another_position(other: str) -> None:
    values = {"mines": {"value": "1:1", "side": "german"}, "fort": {"value": "10/5"}}.get(other, {})
    with pytest.raises(BadInput, match="two of mines, position and fort"):
        draw(markers=[*POSITION, marker(other, "C3", **values)])
    draw(markers=[*POSITION, marker(other, "C4", **values)])


# --- the shift [10.3.1] -------------------------------------------------------------------------------------


@rule("10.3.1", "15.3")
def test_10_3_1_one_column_to_the_left_against_direct_fire() -> None:
    game = draw(markers=POSITION, a=german("stug-iii-b", "C1", attack=20, range=2), x=BELOW)
    calculation = preview(game, Attack("a", "x"))
    assert amount(calculation, "10.3.1", "shift") == -1
    assert calculation.column == "1:1"


@rule("10.3.1")
def test_10_3_1_against_assault() -> None:
    game = draw(markers=POSITION, step="assault", a=german("rifle-42-german", "C2", attack=20), x=BELOW)
    calculation = preview(game, Assault("a", "C3"))
    assert amount(calculation, "10.3.1", "shift") == -1
    assert calculation.column == "1:1"


@rule("10.3.1")
def test_10_3_1_against_indirect_fire() -> None:
    game = draw(
        markers=POSITION,
        step="indirect",
        m=german("mortar-81-german", "C1", attack=20, registered="C3"),
        eyes=german("cp-german", "C1"),
        x=BELOW,
    )
    calculation = preview(game, DeclareFire("m", "C3", "registered"))
    assert amount(calculation, "10.3.1", "shift") == -1
    assert calculation.column == "1:1"


@rule("10.3.1", "16.10")
def test_10_3_1_against_overrun_where_bigfoot_allows_it() -> None:
    units = {"a": german("pz-iv-h", "C2", attack=20), "x": BELOW}
    game = draw(markers=POSITION, step="vehicle", options=["16.10"], **units)
    calculation = preview(game, Overrun("a", "C3"))
    assert sorted(line.amount for line in calculation.lines if line.kind == "shift") == [-1, 1]
    assert calculation.column == "2:1"
    assert refused(draw(markers=POSITION, step="vehicle", **units), Overrun("a", "C3")) == "9.8.5"


@rule("10.3.1")
def test_10_3_1_units_above_have_none_of_it() -> None:
    game = draw(
        markers=POSITION,
        a=german("stug-iii-b", "C1", attack=20, range=2),
        x=BELOW,
        y=soviet("rifle-43-soviet", "C3", defence=10),
    )
    assert amount(preview(game, Attack("a", "y")), "10.3.1") is None
    assert amount(preview(game, Attack("a", "x")), "10.3.1") == -1


# --- combined fire [10.3.2] ---------------------------------------------------------------------------------


@rule("10.3.2")
@pytest.mark.parametrize(("below", "answer"), [("position", None), ("", "9.5.1")])
def test_10_3_2_several_units_fire_together_even_at_a_tank_below(below: str, answer: str | None) -> None:
    game = draw(
        markers=POSITION,
        a=german("pz-iv-h", "C1", attack=6, range=2),
        b=german("pz-iv-h", "C1", attack=6, range=2),
        x=soviet("t-34-76", "C3", defence=6, below=below),
    )
    play(game, Attack("a", "x"))
    if answer:
        assert refused(game, AddFirer("b")) == answer
    else:
        calculation = preview(game, AddFirer("b"))
        assert [line.amount for line in calculation.lines if line.kind == "attack"] == [6, 6]
        assert allowed(game, AddFirer("b"))


# --- indirect fire [10.3.3] ---------------------------------------------------------------------------------


@rule("10.3.3")
def test_10_3_3_indirect_fire_strikes_above_and_below_the_shift_only_below() -> None:
    game = draw(
        markers=POSITION,
        step="indirect",
        m=german("mortar-81-german", "C1", attack=20, registered="C3"),
        eyes=german("cp-german", "C1"),
        x=BELOW,
        y=soviet("rifle-43-soviet", "C3", defence=5),
    )
    events = play(game, DeclareFire("m", "C3", "registered"), EndSegment(), dice=[6, 6])
    columns = {amount(each, "3.4.2", "defence"): each.column for each in calculations(events)}
    assert columns == {10: "1:1", 5: "4:1"}


# --- other terrain [10.3.4] ---------------------------------------------------------------------------------


@rule("10.3.4")
def test_10_3_4_modifiers_of_other_terrain_are_added() -> None:
    board = ". . . . .\n. . . . .\n. . w . .\n. . . . ."
    game = draw(board, markers=POSITION, a=german("rifle-42-german", "C2", attack=20), x=BELOW)
    calculation = preview(game, Attack("a", "x"))
    assert (calculation.modifier, calculation.column) == (1, "1:1")
    town = draw(TOWN, markers=POSITION, a=german("rifle-42-german", "C2", attack=40), x=BELOW)
    calculation = preview(town, Attack("a", "x"))
    assert (calculation.modifier, calculation.column) == (1, "1:1")  # 40 to 20, one to the left


LAYERS = {
    "low": soviet("rifle-43-soviet", "C3", attack=0, defence=2, points=1, below="position"),
    "gun": soviet("at-45", "C3", attack=0, defence=3, points=1, below="position"),
    "high": soviet("rifle-43-soviet", "C3", attack=0, defence=4, points=1),
    "team": soviet("at-45", "C3", attack=0, defence=5, points=1),
}


@rule("10.3.4")
@pytest.mark.parametrize(
    ("target", "defence"), [("low", [4, 6]), ("gun", [4, 6]), ("high", [8, 10]), ("team", [8, 10])]
)
def test_10_3_4_in_a_town_those_above_or_those_below_never_both(target: str, defence: list[int]) -> None:
    game = draw(TOWN, markers=POSITION, a=german("rifle-42-german", "C2", attack=40), **LAYERS)
    calculation = preview(game, Attack("a", target))
    assert sorted(line.amount for line in calculation.lines if line.kind == "defence") == defence


@rule("10.3.4")
def test_10_3_4_the_result_spares_the_others() -> None:
    game = draw(TOWN, markers=POSITION, a=german("rifle-42-german", "C2", attack=40), **LAYERS)
    events = play(game, Attack("a", "high"), Fire(), dice=[3])  # 40 to 18 is 2:1; 3 and the town: D
    assert results(events) == ["D"]
    assert {name: unit(game, name).dispersed for name in LAYERS} == {"low": "", "gun": "", "high": "D", "team": "D"}


# --- artillery and vehicles [10.3.5] ------------------------------------------------------------------------


@rule("10.3.5")
def test_10_3_5_artillery_and_vehicles_leave_but_do_not_enter() -> None:
    game = draw(
        step="vehicle",
        markers=POSITION,
        tank=german("pz-iv-h", "C3", below="position"),
        mortar=german("mortar-81-german", "C3", below="position"),
        other=german("pz-iv-h", "C2"),
        gun=german("mortar-81-german", "C5"),
    )
    assert refused(game, Move("other", "C3", below=True)) == "10.3.5"
    play(game, Move("tank", "C4"))
    assert (where(game, "tank"), unit(game, "tank").below) == ("C4", "")
    assert refused(game, Move("tank", "C3", below=True)) == "10.3.5"
    while game.stack[-1].step != "non-vehicle":
        play(game, next(action for action in game.choices("german") if type(action).__name__ in ("Stop", "EndSegment")))
    assert refused(game, Move("gun", "C4", below=True)) == "10.1.2"
    assert offered(game, Shift) == {Shift("mortar", False)}
    play(game, Shift("mortar", False))
    assert unit(game, "mortar").below == ""
    again = draw(step="non-vehicle", markers=POSITION, mortar=german("mortar-81-german", "C3"))
    assert refused(again, Shift("mortar", True)) == "10.3.5"


@rule("10.3.5", "5.7.8")
def test_10_3_5_a_vehicle_comes_out_in_its_own_hex_too() -> None:
    """That is its move, and there is no way back; next turn it may load, above the works."""
    game = draw(
        step="vehicle",
        markers=POSITION,
        truck=german("truck-german", "C3", below="position"),
        other=german("truck-german", "C3", points=1),
        gun=german("pak-75", "C3", below="position"),
    )
    assert offered(game, Shift) == {Shift("truck", False)}
    assert refused(game, Load("truck", "gun")) == "5.7.8"
    assert refused(game, Shift("other", True)) == "10.3.5"
    assert refused(game, Shift("gun", False)) == "4.2-C6"
    play(game, Shift("truck", False))
    assert unit(game, "truck").below == ""
    assert refused(game, Move("truck", "C4")) == "5.2"
    assert refused(game, Load("truck", "gun")) == "5.2"
    again = draw(step="vehicle", markers=POSITION, truck=german("truck-german", "C3"), gun=german("pak-75", "C3"))
    assert allowed(again, Load("truck", "gun"))


@rule("10.3.5", "4.2-A")
def test_10_3_5_they_may_be_set_up_there() -> None:
    game = scene(german={"pak-75": 1, "pz-iv-h": 1}, zone=["A1", "A2"], markers=[marker("position", "A1")])
    assert allowed(game, Place("german-1", "A1", "position"))
    assert allowed(game, Place("german-2", "A1", "position"))
    assert refused(game, Place("german-1", "A2", "position")) == "10.3.5"
