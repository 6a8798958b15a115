"""Terms of the glossary [2.0] and the range asterisk [3.4.3]. Tests are named after rules, in the book's order."""

from __future__ import annotations

import pytest

from opfire.kit.orders import Pass
from opfire.rulesets.case_orange.carrying import Load, Unload
from opfire.rulesets.case_orange.direct import AddFirer, Attack, Fire
from opfire.rulesets.case_orange.indirect import DeclareFire
from opfire.rulesets.case_orange.movement import Move
from opfire.rulesets.case_orange.reaction import Shoot
from opfire.rulesets.case_orange.spotting import eyes_of
from rules.case_orange.drawing import (
    allowed,
    amount,
    draw,
    full,
    german,
    offered,
    play,
    preview,
    refused,
    rule,
    soviet,
    unit,
)


@rule("2.0-G01")
@pytest.mark.parametrize(("movement", "hexes"), [(6, 3), (7, 3), (1, 0)])
def test_2_0_G01_half_movement_is_rounded_down(movement, hexes):
    """A loaded half-track may unload after as many clear hexes as half its movement, and no more [5.7]."""
    path = ["B1", "C1", "D1", "E1"]
    game = draw(
        ". . . . . .",
        track=german("half-track-german", "A1", movement=movement),
        rifle=german("rifle-40-german", carrier="track"),
        step="vehicle",
    )
    play(game, *(Move("track", hex) for hex in path[:hexes]))
    assert allowed(game, Unload("track"))
    if movement > 1:
        play(game, Move("track", path[hexes]))
        assert refused(game, Unload("track")) == "5.7"


@rule("6.0")
@pytest.mark.parametrize(("printed", "reach"), [(8, 4), (5, 2), (3, 1)])
def test_2_0_G02_half_range_is_rounded_down(printed, reach):
    for hexes in (reach, reach + 1):
        game = draw(
            "\n".join(["."] * 9),
            tank=german("pz-iv-h", f"A{2 + hexes}"),
            gun=soviet("at-76", "A1", range=printed),
            step="vehicle",
        )
        play(game, Move("tank", f"A{1 + hexes}"))
        assert (game.asked() == ("soviet",)) == (hexes == reach)
        if hexes == reach:
            assert offered(game, Shoot) == {Shoot(("gun",), "tank")}


@rule("2.0-G02")
def test_2_0_G02_half_of_range_one_is_no_hex_at_all():
    game = draw(". . .", tank=german("pz-iv-h", "C1"), smg=soviet("smg-41-soviet", "A1", range=1), step="vehicle")
    play(game, Move("tank", "B1"))
    assert game.asked() == ("german",)


@rule("2.0-G03")
def test_2_0_G03_a_hex_has_six_neighbours_that_share_a_side():
    game = draw(tank=german("pz-iv-h", "C3"), step="vehicle")
    around = {"C2", "D2", "D3", "C4", "B3", "B2"}  # an odd column: even ones lie half a hex lower
    assert {move.to for move in offered(game, Move)} == {full(hex) for hex in around}
    assert refused(game, Move("tank", "D4")) == "5.0"
    assert refused(game, Move("tank", "C3")) == "5.0"


@rule("2.0-G04")
def test_2_0_G04_each_firers_factor_is_rounded_down_by_itself():
    """Two class A units of 5 and 7 against infantry: half of each is 2 and 3, not half of twelve."""
    game = draw(
        ". . .",
        one=german("pz-iv-h", "A1", attack=5),
        two=german("pz-iv-h", "A1", attack=7),
        rifle=soviet("rifle-41-soviet", "C1", defence=5),
    )
    play(game, Attack("one", "rifle"), AddFirer("two"))

    calculation = preview(game, Fire())
    assert sum(line.amount for line in calculation.lines if line.kind == "attack") == 5
    assert calculation.column == "1:1"


@rule("2.0-G07")
@pytest.mark.parametrize("marker", ["D", "DD"])
def test_2_0_G07_a_dispersed_unit_neither_moves_nor_fires(marker):
    units = {"tank": german("pz-iv-h", "A1", dispersed=marker), "gun": soviet("at-76", "C1")}
    assert refused(draw(". . . .", **units, step="vehicle"), Move("tank", "B1")) == "2.0-G07"
    assert refused(draw(". . . .", **units), Attack("tank", "gun")) == "2.0-G07"


@rule("2.0-G07")
def test_2_0_G07_an_attack_on_a_dispersed_unit_has_one_off_the_die():

    for marker, off in (("", None), ("D", -1), ("DD", -1)):
        game = draw(". . .", tank=german("pz-iv-h", "A1"), enemy=soviet("t-34-76", "C1", dispersed=marker))
        play(game, Attack("tank", "enemy"))
        assert amount(preview(game, Fire()), "2.0-G07", "modifier") == off


@rule("2.0-G08")
def test_2_0_G08_direct_fire_reaches_as_far_as_the_printed_range():
    for hexes in (8, 9):
        game = draw("\n".join(["."] * 10), tank=german("pz-iv-h", "A1"), gun=soviet("at-76", f"A{1 + hexes}"))
        if hexes == 8:
            assert allowed(game, Attack("tank", "gun"))
        else:
            assert refused(game, Attack("tank", "gun")) == "2.0-G08"


@rule("2.0-G08")
def test_2_0_G08_direct_fire_needs_a_line_of_sight():
    game = draw(". \n w \n .", tank=german("pz-iv-h", "A1"), gun=soviet("at-76", "A3"))
    assert refused(game, Attack("tank", "gun")) == "8.2"
    game = draw(". \n . \n .", tank=german("pz-iv-h", "A1"), gun=soviet("at-76", "A3"))
    assert allowed(game, Attack("tank", "gun"))


@rule("2.0-G09")
def test_2_0_G09_an_inverted_unit_is_not_eligible():
    game = draw(". . .", tank=german("pz-iv-h", "A1", face_up=False), gun=soviet("at-76", "C1"))
    assert refused(game, Attack("tank", "gun")) == "2.0-G09"
    game = draw(". . .", tank=german("pz-iv-h", "A1"), gun=soviet("at-76", "C1"), side="soviet")
    assert allowed(game, Attack("gun", "tank"))
    assert refused(game, Attack("tank", "gun")) == "procedure"  # not a friendly unit


@rule("2.0-G10")
def test_2_0_G10_a_unit_of_movement_factor_nothing_does_not_move():
    game = draw(". . .", gun=soviet("at-76", "B1"), side="soviet", step="non-vehicle")
    assert refused(game, Move("gun", "A1")) == "2.0-G10"
    game = draw(". . .", gun=soviet("at-76", "B1", movement=1), side="soviet", step="non-vehicle")
    assert allowed(game, Move("gun", "A1"))


@rule("2.0-G10")
def test_2_0_G10_an_immobile_unit_can_be_loaded():
    game = draw(". . .", truck=soviet("truck-soviet", "B1"), gun=soviet("at-76", "B1"), side="soviet", step="vehicle")
    assert allowed(game, Load("truck", "gun"))


@rule("2.0-G11")
@pytest.mark.parametrize(("kind", "number"), [("mortar-81-german", None), ("how-105-german", None), ("pz-iv-h", "9.6")])
def test_2_0_G11_only_howitzers_and_mortars_fire_indirectly(kind, number):
    board = "\n".join(["."] * 3 + ["w"] + ["."] * 3)
    game = draw(
        board,
        firer=german(kind, "A1", registered="A7"),
        watcher=german("cp-german", "A6"),
        enemy=soviet("rifle-41-soviet", "A7"),
        step="indirect",
    )
    action = DeclareFire("firer", full("A7"), "registered")
    if number is None:
        assert allowed(game, action)
    else:
        assert refused(game, action) in ("2.0-G11", number)


@rule("2.0-G11")
def test_2_0_G11_indirect_fire_takes_an_observer():
    board = "\n".join(["."] * 3 + ["w"] + ["."] * 3)
    game = draw(
        board,
        firer=german("how-105-german", "A1"),
        spotter=german("pz-iv-h", "A6"),
        enemy=soviet("rifle-41-soviet", "A7"),
        step="indirect",
    )
    assert refused(game, DeclareFire("firer", full("A7"), "hip")) == "12.2"


@rule("2.0-G12")
def test_2_0_G12_the_line_is_drawn_from_centre_to_centre():
    """From A1 straight down the column: woods in it are in the way, woods beside it are not."""
    look = eyes_of(draw(". . .\n. w .\n. . .\n. . .", tank=german("pz-iv-h", "A1")).state)
    assert look.line("1-A1", "1-A4").clear
    assert not look.line("1-B1", "1-B3").clear
    assert not look.line("1-A2", "1-C3").clear  # through the middle of B2
    assert look.line("1-B1", "1-B2").clear


@rule("2.0-G14")
@pytest.mark.parametrize("terrain", ["w", "b", "t", "v"])
@pytest.mark.parametrize("marker", ["", "spotted", "opportunity"])
def test_2_0_G14_in_concealing_terrain_only_spotted_units_are_fired_at(terrain, marker):
    game = draw(
        f". . {terrain}",
        tank=german("pz-iv-h", "A1"),
        gun=soviet("at-76", "C1", spotted=marker),
        fields={"open": ["B1/C1"]} if terrain in "wbt" else {"roads": ["A1 B1 C1"]},
    )
    if marker:
        assert allowed(game, Attack("tank", "gun"))
    else:
        assert refused(game, Attack("tank", "gun")) == "2.0-G14"


@rule("2.0-G14")
@pytest.mark.parametrize("terrain", [".", "s", "a", "m"])
def test_2_0_G14_in_other_terrain_whoever_is_seen_is_fired_at(terrain):
    game = draw(f". . {terrain}", tank=german("pz-iv-h", "A1"), gun=soviet("at-76", "C1"))
    assert allowed(game, Attack("tank", "gun"))


def infantry_at(hexes: int, **values: object):
    return draw(
        "\n".join(["."] * 10),
        rifle=german("rifle-42-star-german", "A1", **values),
        truck=soviet("truck-soviet", f"A{1 + hexes}"),
    )


@rule("3.4.3")
def test_3_4_3_an_asterisk_doubles_the_range():
    assert allowed(infantry_at(4), Attack("rifle", "truck"))
    assert refused(infantry_at(5), Attack("rifle", "truck")) == "2.0-G08"
    assert refused(infantry_at(3, doubles=False), Attack("rifle", "truck")) == "2.0-G08"


@rule("3.4.3")
@pytest.mark.parametrize(("hexes", "factor"), [(1, 5), (2, 5), (3, 2), (4, 2)])
def test_3_4_3_beyond_the_printed_range_half_the_factor_counts_rounded_down(hexes, factor):

    game = infantry_at(hexes, attack=5)
    play(game, Attack("rifle", "truck"))
    calculation = preview(game, Fire())
    assert sum(line.amount for line in calculation.lines if line.kind == "attack") == factor


def test_a_window_with_nobody_to_fire_never_opens():
    game = draw(". . .", tank=german("pz-iv-h", "A1"), truck=soviet("truck-soviet", "C1"), step="vehicle")
    play(game, Move("tank", "B1"))
    assert refused(game, Pass(), "soviet") == "procedure"
    assert unit(game, "tank").moved
