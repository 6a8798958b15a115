"""Fortified positions in general, and dug-in markers [10.0 to 10.2]."""

from __future__ import annotations

import pytest

from opfire.rulesets.case_orange.actions import EndSegment
from opfire.rulesets.case_orange.assault import Assault
from opfire.rulesets.case_orange.direct import Attack
from opfire.rulesets.case_orange.indirect import DeclareFire
from opfire.rulesets.case_orange.movement import ExitMap, Move, Shift
from opfire.rulesets.case_orange.setup import Place
from rules.case_orange.drawing import (
    allowed,
    amount,
    draw,
    german,
    kinds,
    marker,
    offered,
    play,
    preview,
    refused,
    rule,
    soviet,
    unit,
    where,
)
from rules.case_orange.scenes import scene

GUN = german("stug-iii-b", "C1", attack=20, range=8)


@rule("10.1.1")
@pytest.mark.parametrize("kind", ["position", "fort"])
def test_10_1_1_units_above_defend_by_the_other_terrain_of_the_hex(kind: str) -> None:
    board = ". . . .\n. . . .\n. . v .\n. . . ."
    game = draw(
        board,
        markers=[marker(kind, "C3")],
        gun=german("rifle-42-german", "C2", attack=20),
        above=soviet("rifle-43-soviet", "C3", defence=10),
    )
    calculation = preview(game, Attack("gun", "above"))
    assert (calculation.column, calculation.modifier) == ("2:1", 1)
    below = draw(
        board,
        markers=[marker("position", "C3")],
        gun=german("rifle-42-german", "C2", attack=20),
        foot=soviet("rifle-43-soviet", "C3", defence=10, below="position"),
    )
    assert preview(below, Attack("gun", "foot")).column == "1:1"


@rule("10.1.1", "10.3.1")
def test_10_1_1_and_attack_by_it() -> None:
    game = draw(
        markers=[marker("position", "C1")],
        above=german("stug-iii-b", "C1", attack=20),
        x=soviet("rifle-43-soviet", "C4", defence=10),
    )
    assert preview(game, Attack("above", "x")).column == "2:1"
    there = draw(
        markers=[marker("position", "C4")], g=GUN, x=soviet("rifle-43-soviet", "C4", defence=10, below="position")
    )
    assert preview(there, Attack("g", "x")).column == "1:1"


@rule("10.1.2")
@pytest.mark.parametrize("kind", ["position", "fort"])
@pytest.mark.parametrize("who", ["rifle-42-german", "engineer-german", "cavalry-42-german"])
def test_10_1_2_foot_goes_below_and_comes_out_freely(kind: str, who: str) -> None:
    game = draw(
        step="non-vehicle", markers=[marker(kind, "C3")], a=german(who, "C2"), b=german("mortar-81-german", "C2")
    )
    assert refused(game, Move("b", "C3", below=True)) == ("10.4.5" if kind == "fort" else "10.3.5")
    play(game, Move("a", "C3", below=True))
    assert (where(game, "a"), unit(game, "a").below) == ("C3", kind)
    inside = draw(step="non-vehicle", markers=[marker(kind, "C3")], a=german(who, "C3", below=kind))
    assert offered(inside, Shift) == {Shift("a", False)}
    assert allowed(inside, Move("a", "C4"))
    play(inside, Shift("a", False))
    assert unit(inside, "a").below == ""


@rule("10.1.2")
def test_10_1_2_there_must_be_works() -> None:
    game = draw(step="non-vehicle", markers=[marker("dug-in", "C3")], a=german("rifle-42-german", "C2"))
    assert refused(game, Move("a", "C3", below=True)) == "10.1.2"
    assert refused(game, Move("a", "B2", below=True)) == "10.1.2"
    assert refused(game, Shift("a", False)) == "10.1.2"


@rule("10.1.2", "5.1")
def test_10_1_2_the_terrain_of_the_hex_is_paid_for() -> None:
    board = ". . . .\n. . . .\n. . b ."
    game = draw(
        board, step="non-vehicle", markers=[marker("position", "C3")], a=german("ski-41-soviet", "C2", movement=2)
    )
    assert refused(game, Move("a", "C3", below=True)) == "5.1"
    game = draw(
        board, step="non-vehicle", markers=[marker("position", "C3")], a=german("ski-41-soviet", "C2", movement=3)
    )
    assert allowed(game, Move("a", "C3", below=True))
    assert refused(game, Move("a", "D2", below=True)) == "10.1.2"


@rule("10.1.3")
@pytest.mark.parametrize("kind", ["position", "fort"])
def test_10_1_3_either_side_may_occupy_empty_works(kind: str) -> None:
    for side, make in (("german", german), ("soviet", soviet)):
        game = draw(
            step="non-vehicle",
            side=side,
            markers=[marker(kind, "C3")],
            a=make("engineer-german", "C2"),
            crew=make("mortar-81-german", "C4"),
        )
        assert allowed(game, Move("a", "C3", below=True))
        assert refused(game, Move("crew", "C3", below=True)) == ("10.4.5" if kind == "fort" else "10.3.5")
        play(game, Move("a", "C3", below=True))
        assert unit(game, "a").below == kind


@rule("10.1.3", "5.2.1")
def test_10_1_3_not_while_the_enemy_is_there() -> None:
    game = draw(
        step="non-vehicle",
        markers=[marker("position", "C3")],
        a=german("engineer-german", "C2"),
        x=soviet("cp-soviet", "C3"),
        crew=german("mortar-81-german", "D5"),
    )
    assert refused(game, Move("a", "C3", below=True)) == "5.2.1"


@rule("10.1.4")
def test_10_1_4_works_hide_nobody_and_cost_nothing() -> None:
    markers = [marker("position", "C3"), marker("fort", "C5")]
    game = draw(markers=markers, a=GUN, x=soviet("rifle-43-soviet", "C7"))
    assert allowed(game, Attack("a", "x"))
    game = draw(step="vehicle", markers=markers, t=german("pz-iv-h", "C1", movement=5))
    play(game, *(Move("t", f"C{row}") for row in range(2, 7)))
    assert where(game, "t") == "C6"


@rule("10.1.4", "7.1")
@pytest.mark.parametrize(("above", "answer"), [(1, None), (2, "7.1")])
def test_10_1_4_above_and_below_stay_within_the_limit_together(above: int, answer: str | None) -> None:
    game = draw(
        step="non-vehicle",
        markers=[marker("position", "C3")],
        low=german("rifle-42-german", "C3", points=2, below="position"),
        high=german("rifle-42-german", "C3", points=above),
        a=german("rifle-42-german", "C2"),
    )
    for below in (True, False):
        if answer:
            assert refused(game, Move("a", "C3", below=below)) == answer
        else:
            assert allowed(game, Move("a", "C3", below=below))
    full = draw(step="non-vehicle", a=german("rifle-42-german", "C2"), b=german("rifle-42-german", "C3", points=4))
    assert refused(full, Move("a", "C3")) == "7.1"


# --- dug in [10.2] ------------------------------------------------------------------------------------------

DUG = soviet("rifle-43-soviet", "C3", defence=10, below="dug-in")


@rule("10.2")
def test_10_2_one_more_on_the_die_against_direct_and_indirect_fire_not_against_assault() -> None:
    trench = [marker("dug-in", "C3", side="soviet")]
    direct = draw(markers=trench, g=GUN, x=DUG)
    assert amount(preview(direct, Attack("g", "x")), "10.2", "modifier") == 1
    shells = draw(
        markers=trench,
        step="indirect",
        m=german("mortar-81-german", "C1", attack=20, registered="C3"),
        eyes=german("cp-german", "C1"),
        x=DUG,
    )
    assert amount(preview(shells, DeclareFire("m", "C3", "registered")), "10.2", "modifier") == 1
    storm = draw(markers=trench, step="assault", a=german("rifle-42-german", "C2", attack=20), x=DUG)
    assert amount(preview(storm, Assault("a", "C3")), "10.2") is None


@rule("10.2")
def test_10_2_only_those_under_the_marker() -> None:
    game = draw(
        markers=[marker("dug-in", "C3", side="soviet")],
        g=GUN,
        x={**DUG, "points": 1},
        y=soviet("rifle-43-soviet", "C3", points=1),
    )
    assert amount(preview(game, Attack("g", "y")), "10.2") is None
    assert amount(preview(game, Attack("g", "x")), "10.2") == 1


@rule("10.2")
def test_10_2_the_marker_goes_when_the_last_unit_has_moved() -> None:
    game = draw(
        step="non-vehicle",
        markers=[marker("dug-in", "C3", side="german")],
        a=german("rifle-42-german", "C3", below="dug-in"),
        b=german("rifle-42-german", "C3", below="dug-in"),
    )
    play(game, Move("a", "C2"))
    assert game.state.work("1-C3").dug_in == "german"
    events = play(game, Move("b", "C2"))
    assert game.state.work("1-C3").dug_in == ""
    assert "10.2" in {event.rule for event in events}
    assert [unit(game, name).below for name in "ab"] == ["", ""]


@rule("10.2", "5.8.1")
def test_10_2_the_marker_goes_with_the_last_unit_that_leaves_the_map_too() -> None:
    game = draw(
        step="non-vehicle",
        markers=[marker("dug-in", "A1", side="german")],
        victory=[{"condition": "exit", "side": "german", "hexes": ["A1"], "points": 1}],
        a=german("rifle-42-german", "A1", below="dug-in"),
    )
    play(game, ExitMap("a"))
    assert game.state.work("1-A1").dug_in == ""


@rule("10.2")
def test_10_2_nobody_goes_back_under_it() -> None:
    game = draw(
        step="non-vehicle",
        markers=[marker("dug-in", "C3", side="german")],
        a=german("rifle-42-german", "C2"),
        b=german("rifle-42-german", "C3", below="dug-in"),
    )
    play(game, Move("a", "C3"))
    assert unit(game, "a").below == ""
    assert refused(game, Shift("a", True)) == "5.2"
    play(game, Move("b", "C2"), EndSegment())
    assert game.state.work("1-C3").dug_in == ""


@rule("10.2", "4.2-A")
def test_10_2_infantry_sets_up_under_it_nobody_else() -> None:
    game = scene(
        german={"rifle-42-german": 1, "pz-iv-h": 1, "pak-75": 1, "truck-german": 1},
        zone=["A1", "A2"],
        markers=[marker("dug-in", "A1", side="german")],
    )
    foot, tank, gun, truck = (f"german-{number}" for number in (1, 2, 3, 4))
    assert allowed(game, Place(foot, "A1", "dug-in"))
    for name in (tank, gun, truck):
        assert refused(game, Place(name, "A1", "dug-in")) == "10.2"
        assert allowed(game, Place(name, "A1"))
    assert refused(game, Place(foot, "A2", "dug-in")) == "10.2"
    assert "placed" in kinds(play(game, Place(foot, "A1", "dug-in")))
