"""Fortifications [10.4]."""

from __future__ import annotations

from typing import Any

import pytest

from opfire.core.dice import scripted
from opfire.core.errors import BadInput
from opfire.core.game import Game
from opfire.core.record import new_game
from opfire.core.scenario import parse
from opfire.rulesets.case_orange import RULESET
from opfire.rulesets.case_orange.actions import EndSegment
from opfire.rulesets.case_orange.assault import Assault, RollAssault
from opfire.rulesets.case_orange.direct import AddFirer, Attack, Fire
from opfire.rulesets.case_orange.indirect import DeclareFire
from opfire.rulesets.case_orange.movement import Move, Shift
from opfire.rulesets.case_orange.pieces import Position
from opfire.rulesets.case_orange.registration import Aim, Register
from opfire.rulesets.case_orange.setup import Place
from rules.case_orange.drawing import (
    allowed,
    amount,
    calculations,
    draw,
    german,
    marker,
    named,
    offered,
    play,
    preview,
    refused,
    results,
    rule,
    soviet,
    unit,
    where,
    why_not,
)
from rules.case_orange.scenes import scene, scene_text

FORT = [marker("fort", "C3", value="10/4")]
BREACHED = [marker("fort", "C3", value="10/4", side="breached")]
INSIDE = soviet("rifle-43-soviet", "C3", defence=7, below="fort")
TARGET = "fort@1-C3"


def fort(game: object) -> object:
    return game.state.fort("1-C3")  # type: ignore[attr-defined]


@rule("10.4")
@pytest.mark.parametrize(("other", "value"), [("mines", "1:1"), ("fort", "10/4")])
def test_10_4_never_with_mines_or_another(other: str, value: str) -> None:
    with pytest.raises(BadInput):
        draw(markers=[*FORT, marker(other, "C3", value=value)])


# --- unbreached [10.4.1, 10.4.2] ----------------------------------------------------------------------------


@rule("10.4.1", "15.4")
@pytest.mark.parametrize(
    ("kind", "attack", "adjusted"),
    [("pz-iv-h", 21, 10), ("stug-iii-b", 21, 21), ("how-105-german", 21, 10)],
)
def test_10_4_1_it_defends_with_its_own_factor_as_a_hard_target(kind: str, attack: int, adjusted: int) -> None:
    game = draw(markers=FORT, a=german(kind, "C1", attack=attack, range=8), x=INSIDE)
    calculation = preview(game, Attack("a", TARGET))
    assert amount(calculation, "10.4.1", "defence") == 10
    assert amount(calculation, "2.0-G04", "attack") == adjusted


@rule("10.4.1")
def test_10_4_1_units_inside_are_no_targets_of_their_own() -> None:
    game = draw(markers=FORT, a=german("stug-iii-b", "C1", attack=20), x=INSIDE)
    assert refused(game, Attack("a", "x")) == "10.4.1"
    assert offered(game, Attack) == {Attack("a", TARGET)}


@rule("10.4.1", "15.4")
def test_10_4_1_small_arms_do_nothing_to_it_by_fire() -> None:
    game = draw(
        markers=FORT, a=german("rifle-42-german", "C2", attack=40), x=INSIDE, b=german("stug-iii-b", "C1", attack=20)
    )
    assert refused(game, Attack("a", TARGET)) == "15.4"
    assert refused(game, Attack("b", "x")) == "10.4.1"


@rule("10.4.1")
def test_10_4_1_its_garrison_attacks_normally() -> None:
    game = draw(
        markers=FORT,
        side="soviet",
        x=soviet("at-76", "C3", attack=12, range=6, below="fort"),
        tank=german("pz-iv-h", "C7", defence=6),
        a=german("stug-iii-b", "C1", attack=20),
    )
    assert preview(game, Attack("x", "tank")).column == "2:1"
    other = draw(markers=FORT, a=german("stug-iii-b", "C1"), x=INSIDE)
    assert refused(other, Attack("a", "x")) == "10.4.1"


@rule("10.4.2")
def test_10_4_2_indirect_fire_strikes_those_above_and_the_fortification_once() -> None:
    """20 at the infantry above; half of it, 10, at the fortification. Those inside are not rolled for."""
    game = draw(
        markers=FORT,
        step="indirect",
        m=german("mortar-120-german", "C1", attack=20, registered="C3"),
        eyes=german("cp-german", "C1"),
        x=INSIDE,
        y=soviet("rifle-43-soviet", "C3", defence=5),
    )
    events = play(game, DeclareFire("m", "C3", "registered"), EndSegment(), dice=[6, 6])
    found = {
        (amount(each, "9.6.2", "attack"), amount(each, "10.4.2", "defence"), each.column)
        for each in calculations(events)
    }
    assert found == {(20, None, "4:1"), (10, 10, "1:1")}


# --- breach [10.4.3] ----------------------------------------------------------------------------------------


@rule("10.4.3")
@pytest.mark.parametrize("token", ["w", "v", "t", "b"])
def test_10_4_3_other_terrain_does_not_count(token: str) -> None:
    board = f". . . . .\n. . . . .\n. . {token} . .\n. . . . ."
    game = draw(board, markers=FORT, a=german("stug-iii-b", "C2", attack=20, range=1), x=INSIDE)
    assert preview(game, Attack("a", TARGET)).modifier == 0
    storm = draw(board, markers=FORT, step="assault", a=german("rifle-42-german", "C2", attack=20), x=INSIDE)
    assert preview(storm, Assault("a", "C3")).modifier == -2
    shells = draw(
        board,
        markers=FORT,
        step="indirect",
        m=german("mortar-120-german", "C1", attack=20, registered="C3"),
        eyes=german("cp-german", "C2"),
        x=INSIDE,
    )
    assert preview(shells, DeclareFire("m", "C3", "registered")).modifier == 0
    events = play(game, Attack("a", TARGET), Fire(), dice=[1])
    assert "breach" in {event.kind for event in events}


@rule("10.4.3")
@pytest.mark.parametrize(("die", "result"), [(4, "D"), (3, "DD")])
def test_10_4_3_d_and_dd_do_nothing(die: int, result: str) -> None:
    game = draw(markers=FORT, a=german("stug-iii-b", "C1", attack=20, range=2), x=INSIDE)
    events = play(game, Attack("a", TARGET), Fire(), dice=[die])  # 2:1
    assert results(events) == [result]
    assert not fort(game).breached
    assert unit(game, "x").dispersed == ""
    assert unit(game, "x").face_up
    second = draw(markers=FORT, a=german("stug-iii-b", "C1", attack=20, range=2), x=INSIDE)
    assert "10.4.3" in {event.rule for event in play(second, Attack("a", TARGET), Fire(), dice=[1])}


@rule("10.4.3")
def test_10_4_3_x_breaches_it_and_puts_a_d_on_everybody_inside() -> None:
    game = draw(
        markers=FORT,
        a=german("stug-iii-b", "C1", attack=20, range=2),
        x={**INSIDE, "points": 1},
        y=soviet("at-45", "C3", points=1, below="fort", dispersed="D", face_up=False),
        above=soviet("rifle-43-soviet", "C3"),
    )
    events = play(game, Attack("a", TARGET), Fire(), dice=[1])
    assert results(events) == ["X"]
    assert fort(game).breached
    assert {name: unit(game, name).dispersed for name in ("x", "y", "above")} == {"x": "D", "y": "DD", "above": ""}
    assert where(game, "x") == "C3"


@rule("10.4.3")
@pytest.mark.parametrize("step", ["indirect", "assault"])
def test_10_4_3_by_indirect_fire_and_assault_too(step: str) -> None:
    game = draw(
        markers=FORT,
        step=step,
        m=german("mortar-120-german", "C1", attack=60, registered="C3"),
        eyes=german("cp-german", "C1"),
        foot=german("rifle-42-german", "C2", attack=40),
        x=INSIDE,
    )
    if step == "indirect":
        events = play(game, DeclareFire("m", "C3", "registered"), EndSegment(), dice=[1])
    else:
        events = play(game, Assault("foot", "C3"), RollAssault(), dice=[1])
    assert results(events) == ["X"]
    assert fort(game).breached
    assert unit(game, "x").dispersed == "D"


# --- breached [10.4.4] --------------------------------------------------------------------------------------


@rule("10.4.4")
def test_10_4_4_units_are_then_attacked_one_by_one_with_the_factor_shown() -> None:
    game = draw(
        markers=BREACHED,
        a=german("stug-iii-b", "C1", attack=8, range=2),
        tank=german("pz-iv-h", "C1", attack=9, range=2),
        x={**INSIDE, "points": 1},
        y=soviet("at-45", "C3", defence=2, points=1, below="fort"),
    )
    assert refused(game, Attack("a", TARGET)) == "10.4.1"
    for target in ("x", "y"):
        calculation = preview(game, Attack("a", target))
        assert amount(calculation, "10.4.4", "defence") == 4
        assert calculation.column == "2:1"
    assert amount(preview(game, Attack("tank", "x")), "2.0-G04", "attack") == 4  # still hard: half of 9


@rule("10.4.4")
def test_10_4_4_one_falls_and_the_other_stays() -> None:
    game = draw(
        markers=BREACHED,
        a=german("stug-iii-b", "C1", attack=16, range=2),
        x={**INSIDE, "points": 1},
        y=soviet("at-45", "C3", points=1, below="fort"),
    )
    events = play(game, Attack("a", "x"), Fire(), dice=[1])
    assert amount(calculations(events)[0], "10.4.4", "defence") == 4
    assert (where(game, "x"), where(game, "y"), unit(game, "y").dispersed) == ("", "C3", "")


@rule("10.4.4")
def test_10_4_4_indirect_fire_too() -> None:
    game = draw(
        markers=BREACHED,
        step="indirect",
        m=german("mortar-120-german", "C1", attack=17, registered="C3"),
        eyes=german("cp-german", "C1"),
        x=INSIDE,
    )
    calculation = preview(game, DeclareFire("m", "C3", "registered"))
    assert amount(calculation, "10.4.4", "defence") == 4
    assert amount(calculation, "9.6.2", "attack") == 8


@rule("10.4.4")
def test_10_4_4_assault_as_in_an_improved_position() -> None:
    """Their own factors, a column to the left, and the terrain of the hex counts again."""
    board = ". . . . .\n. . . . .\n. . w . .\n. . . . ."
    game = draw(board, markers=BREACHED, step="assault", a=german("rifle-42-german", "C2", attack=14), x=INSIDE)
    calculation = preview(game, Assault("a", "C3"))
    assert amount(calculation, "9.7-P1", "defence") == 7
    assert amount(calculation, "10.4.4", "shift") == -1
    assert (calculation.column, calculation.modifier) == ("1:1", -1)


@rule("10.4.4", "9.3.4")
@pytest.mark.parametrize(("below", "more"), [("fort", 1), ("", None)])
def test_10_4_4_a_class_a_vehicle_inside_helps_as_in_an_improved_position(below: str, more: int | None) -> None:
    """Against assault, that is; fire at a breached fortification has the factor shown and nothing of a position."""
    inside = {**INSIDE, "points": 1}
    tank = soviet("t-34-76", "C3", points=1, below=below)
    storm = draw(markers=BREACHED, step="assault", a=german("rifle-42-german", "C2", attack=40), x=inside, y=tank)
    assert amount(preview(storm, Assault("a", "C3")), "9.3.4", "modifier") == more
    fire = draw(markers=BREACHED, a=german("stug-iii-b", "C1", attack=40), x=inside, y=tank)
    assert amount(preview(fire, Attack("a", "x")), "9.3.4") is None


# --- who may be in it [10.4.5], empty ones [10.4.6] ---------------------------------------------------------


@rule("10.4.5")
def test_10_4_5_artillery_and_vehicles_leave_but_do_not_enter() -> None:
    game = draw(
        step="non-vehicle",
        markers=FORT,
        mortar=german("mortar-81-german", "C3", below="fort"),
        other=german("mortar-81-german", "C2"),
        outside=german("mortar-81-german", "C3"),
        foot=german("rifle-42-german", "D2"),
    )
    assert refused(game, Move("other", "C3", below=True)) == "10.4.5"
    assert refused(game, Shift("outside", True)) == "10.4.5"
    assert allowed(game, Move("foot", "C3", below=True))
    play(game, Shift("mortar", False))
    assert unit(game, "mortar").below == ""
    drive = draw(step="vehicle", markers=FORT, tank=german("pz-iv-h", "C3", below="fort"), b=german("pz-iv-h", "C2"))
    assert refused(drive, Move("b", "C3", below=True)) == "10.4.5"
    play(drive, Move("tank", "C4"))
    assert unit(drive, "tank").below == ""


def garrisoned(*forces: dict[str, Any], **fort: Any) -> Game[Position]:
    """A set-up at a fortification in A1; forces of the zone A1, A2 with the values of their tables."""
    return scene(forces=forces, zone=["A1", "A2"], markers=[marker("fort", "A1", value="10/4", **fort)])


@rule("10.4.5", "10.4.8", "4.2-A")
def test_10_4_5_guns_and_vehicles_start_there_only_if_the_scenario_says_so() -> None:
    free = garrisoned({"unit": "pak-75"}, {"unit": "pz-iv-h"}, {"unit": "rifle-42-german"})
    assert refused(free, Place("german-1", "A1", "fort")) == "10.4.5"
    assert refused(free, Place("german-2", "A1", "fort")) == "10.4.5"
    assert allowed(free, Place("german-3", "A1", "fort"))
    assert allowed(free, Place("german-1", "A1"))
    named = garrisoned({"unit": "pak-75", "below": "fort"}, {"unit": "pak-75"})
    assert allowed(named, Place("german-1", "A1", "fort"))
    assert allowed(named, Place("german-1", "A2"))
    assert refused(named, Place("german-1", "A2", "fort")) == "10.4.5"
    assert refused(named, Place("german-2", "A1", "fort")) == "10.4.5"


@rule("10.3.5")
def test_10_3_5_below_an_improved_position_the_owner_starts_any_gun() -> None:
    game = scene(german={"pak-75": 1}, zone=["A1", "A2"], markers=[marker("position", "A1")])
    assert allowed(game, Place("german-1", "A1", "position"))


@rule("10.4.8")
def test_10_4_8_an_allowance_by_type() -> None:
    """One 75 mm battery only: not two, and no infantry, at the start or later."""
    holds = {"pak-75": 1}
    game = garrisoned({"unit": "pak-75", "count": 2}, {"unit": "rifle-42-german"}, holds=holds)
    play(game, Place("german-1", "A1", "fort"))
    assert refused(game, Place("german-2", "A1", "fort")) == "10.4.8"
    assert refused(game, Place("german-3", "A1", "fort")) == "10.4.8"
    assert allowed(game, Place("german-2", "A1"))
    later = draw(
        step="non-vehicle",
        markers=[marker("fort", "C3", value="10/4", holds=holds)],
        foot=german("rifle-42-german", "C2", movement=8),
        above=german("rifle-42-german", "C3"),
    )
    assert refused(later, Move("foot", "C3", below=True)) == "10.4.8"
    assert refused(later, Shift("above", True)) == "10.4.8"
    assert allowed(later, Move("foot", "C3"))


@rule("10.4.5", "10.4.8")
def test_10_4_8_a_saved_game_knows_what_fits() -> None:
    text = scene_text(
        forces=[{"unit": "pak-75", "count": 2}, {"unit": "pz-iv-h", "below": "fort"}],
        markers=[marker("fort", "A1", value="10/4", holds={"pak-75": 1, "tank": 1})],
    )
    begun = new_game(RULESET, text, scripted(()))
    play(begun, Place("german-1", "A1", "fort"))
    game = Game.load(RULESET, begun.save(), RULESET.set_up(parse(text, "scene")))
    assert refused(game, Place("german-2", "A1", "fort")) == "10.4.8"
    assert allowed(game, Place("german-3", "A1", "fort"))


@rule("10.4.8")
@pytest.mark.parametrize(
    ("holds", "words"),
    [
        ({}, "Fortification, 10"),
        ({"pak-75": 1, "infantry": 2}, "Fortification, 10, for 1 7.5cm Pak 40 and 2 infantry only"),
    ],
)
def test_10_4_8_the_marker_says_so(holds: dict[str, int], words: str) -> None:
    game = draw(markers=[marker("fort", "C3", value="10/4", holds=holds)], a=german("rifle-42-german", "C2"))
    assert [mark["text"] for mark in game.view("german")["markers"]] == [words]


@rule("10.4.8")
def test_10_4_8_by_a_kind_of_unit() -> None:
    holds = {"infantry": 1, "engineer": 1}
    game = draw(
        step="non-vehicle",
        markers=[marker("fort", "C3", value="10/4", holds=holds)],
        a=german("rifle-42-german", "C2", points=1),
        e=german("engineer-german", "C2", points=1),
        inside=german("smg-german", "C3", points=1, below="fort"),
    )
    assert refused(game, Move("a", "C3", below=True)) == "10.4.8"
    assert allowed(game, Move("e", "C3", below=True))


@rule("10.4.6")
@pytest.mark.parametrize("side", ["german", "soviet"])
def test_10_4_6_either_player_may_attack_an_empty_one(side: str) -> None:
    make = german if side == "german" else soviet
    game = draw(markers=FORT, side=side, a=make("stug-iii-b", "C1", attack=20, range=2), b=make("stug-iii-b", "D1"))
    assert allowed(game, Attack("a", TARGET))
    play(game, Attack("a", TARGET), Fire(), dice=[1])
    assert fort(game).breached
    assert refused(game, Attack("b", TARGET)) == "10.4.1"


@rule("10.4.6")
def test_10_4_6_breached_never_removed() -> None:
    game = draw(markers=FORT, a=german("stug-iii-b", "C1", attack=20, range=2))
    events = play(game, Attack("a", TARGET), Fire(), dice=[1])
    assert results(events) == ["X"]
    assert fort(game) is not None
    assert (fort(game).factor, fort(game).breached_factor) == (10, 4)


@rule("10.4.6")
def test_10_4_6_by_assault_and_indirect_fire_as_well() -> None:
    storm = draw(markers=FORT, step="assault", a=german("rifle-42-german", "C2", attack=20))
    assert allowed(storm, Assault("a", "C3"))
    shells = draw(
        markers=FORT,
        step="indirect",
        m=german("mortar-120-german", "C1", attack=20, registered="C3"),
        eyes=german("cp-german", "C1"),
    )
    assert allowed(shells, DeclareFire("m", "C3", "registered"))
    gone = draw(markers=BREACHED, step="assault", a=german("rifle-42-german", "C2", attack=20))
    assert refused(gone, Assault("a", "C3")) == "9.7.1"
    own = draw(markers=FORT, a=german("stug-iii-b", "C1"), b=german("rifle-42-german", "C3"))
    assert refused(own, Attack("a", TARGET)) == "procedure"


@rule("10.4.1")
def test_10_4_1_any_number_fire_at_it_together() -> None:
    game = draw(
        markers=FORT,
        a=german("stug-iii-b", "C1", attack=5, range=2),
        b=german("pz-iv-h", "C1", attack=5, range=2),
        x=INSIDE,
    )
    play(game, Attack("a", TARGET))
    calculation = preview(game, AddFirer("b"))
    assert amount(calculation, "2.0-G04", "attack") == 7
    assert amount(calculation, "10.4.1", "defence") == 10


# --- in concealing terrain [8.0, 12.1.2, 12.2] ---------------------------------------------------------------

VILLAGE = ". . . . .\n. . . . .\n. . v . .\n. . . . ."


def ways_to_attack(**garrison: Any) -> dict[str, str | None]:
    """The rule that bars each way of firing at a fortification in a village hex from two hexes away, or None."""
    gun = german("stug-iii-b", "C1", attack=20, range=4)
    firers = {"m": german("mortar-120-german", "C1", attack=20), "eyes": german("cp-german", "C1")}
    fire = draw(VILLAGE, markers=FORT, a=gun, **garrison)
    shells = draw(VILLAGE, markers=FORT, step="indirect", **firers, **garrison)
    aim = draw(VILLAGE, markers=FORT, step="registration", **firers, **garrison)
    play(aim, Aim("m"))
    return {
        "direct": why_not(fire, Attack("a", TARGET)),
        "indirect": why_not(shells, DeclareFire("m", "C3", "hip")),
        "registration": why_not(aim, Register("C3")),
    }


@rule("8.0", "12.1.2", "12.2")
def test_8_0_a_fortification_in_concealing_terrain_is_spotted_like_its_garrison() -> None:
    """RULINGS.md R75."""
    assert ways_to_attack(x=INSIDE) == {"direct": "8.0", "indirect": "12.2", "registration": "12.1.2"}
    free = {"direct": None, "indirect": None, "registration": None}
    assert ways_to_attack(x={**INSIDE, "spotted": "spotted"}) == free
    assert ways_to_attack(x=INSIDE, y=soviet("at-45", "C3", points=1, spotted="spotted")) == free
    assert ways_to_attack(x=INSIDE, near=german("rifle-42-german", "C2")) == free


@rule("10.4.6", "8.0")
def test_10_4_6_an_empty_one_needs_no_spotting() -> None:
    assert ways_to_attack() == {"direct": None, "indirect": None, "registration": None}


# --- stacking [10.4.7] --------------------------------------------------------------------------------------


@rule("10.4.7")
@pytest.mark.parametrize(
    ("allowance", "inside", "below", "answer"),
    [
        (2, 1, True, None),
        (2, 2, True, "10.4.7"),
        (2, 2, False, None),
        (1, 1, True, "10.4.7"),
        (3, 2, True, None),
        (3, 3, True, "10.4.7"),
        (4, 0, False, "10.4.7"),
    ],
)
def test_10_4_7_what_fits_below(allowance: int, inside: int, below: bool, answer: str | None) -> None:
    """A platoon of one point goes in, or stays above; a garrison of the given points is below."""
    units = {"x": german("rifle-42-german", "C3", points=inside, below="fort")} if inside else {}
    game = draw(
        step="non-vehicle",
        markers=[marker("fort", "C3", value="10/4", allowance=allowance)],
        a=german("rifle-42-german", "C2", points=1),
        **units,
    )
    if answer:
        assert refused(game, Move("a", "C3", below=below)) == answer
        refusal = game.why_not("german", named(Move("a", "C3", below=below)))
        assert refusal is not None
        assert f"fit {'below' if below else 'above'} the fortification" in refusal.sentence()
    else:
        assert allowed(game, Move("a", "C3", below=below))


@rule("10.4.7", "7.1.3")
@pytest.mark.parametrize(("above", "answer"), [(1, None), (2, "10.4.7")])
def test_10_4_7_above_goes_the_limit_less_the_allowance(above: int, answer: str | None) -> None:
    """Two points by default: nobody is below, and still only two fit above."""
    game = draw(
        step="non-vehicle",
        markers=FORT,
        a=german("rifle-42-german", "C2", points=1),
        y=german("rifle-42-german", "C3", points=above),
    )
    if answer:
        assert refused(game, Move("a", "C3")) == answer
    else:
        assert allowed(game, Move("a", "C3"))


@rule("10.4.7", "7.1.3", "5.6.1", "5.5.3")
@pytest.mark.parametrize(
    ("other", "value", "below", "answer"),
    [
        ("wreck", "1", False, None),
        ("wreck", "2", False, "10.4.7"),
        ("block", "", False, "10.4.7"),
        ("wreck", "2", True, None),
        ("block", "", True, None),
    ],
)
def test_10_4_7_wrecks_and_a_block_take_up_room_above(other: str, value: str, below: bool, answer: str | None) -> None:
    """They count against the limit, and what is below has its own."""
    game = draw(
        step="non-vehicle",
        markers=[*FORT, marker(other, "C3", value=value)],
        a=german("rifle-42-german", "C2", points=1),
    )
    if answer:
        assert refused(game, Move("a", "C3", below=below)) == answer
    else:
        assert allowed(game, Move("a", "C3", below=below))
