"""Opportunity fire and interdiction [6.0]. Tests are named after rules, in the book's order."""

from __future__ import annotations

import pytest

from opfire.kit.orders import Pass
from opfire.rulesets.case_orange.actions import EndSegment
from opfire.rulesets.case_orange.movement import Move, Stop
from opfire.rulesets.case_orange.overrun import Overrun, RideThrough, StartOverrun
from opfire.rulesets.case_orange.reaction import Interdict, Shoot
from rules.case_orange.drawing import (
    allowed,
    amount,
    calculations,
    draw,
    german,
    offered,
    play,
    preview,
    refused,
    results,
    rule,
    rules,
    soviet,
    unit,
    where,
)

COLUMN = "\n".join(["."] * 12)
ROWS = "\n".join([". . . . . . . ."] * 5)
TANK, GUN, RIFLE = "pz-iv-h", "at-76", "rifle-41-soviet"


def approach(board=COLUMN, start="A6", **units):
    """A tank about to move, its enemies waiting."""
    return draw(board, tank=german(TANK, start), **units, step="vehicle")


@rule("6.0")
@pytest.mark.parametrize("hexes", [3, 4])
def test_6_0_fire_reaches_half_the_range(hexes):
    """A gun of range 6 reaches three hexes."""
    game = approach(start=f"A{2 + hexes}", gun=soviet(GUN, "A1", range=6))
    play(game, Move("tank", f"A{1 + hexes}"))
    assert (game.asked() == ("soviet",)) == (hexes == 3)


@rule("6.0", "2.0-G02")
def test_6_0_one_unit_near_enough_does_not_help_another():
    game = approach(gun=soviet(GUN, "A3", range=6), far=soviet(GUN, "A1", range=6))
    play(game, Move("tank", "A5"))
    assert offered(game, Shoot) == {Shoot(("gun",), "tank")}
    assert refused(game, Shoot(("far",), "tank")) == "6.0"


@rule("6.0")
def test_6_0_an_asterisk_does_not_lengthen_half_the_range():
    """Half the printed range of two is one hex."""
    game = approach(start="A4", rifle=soviet("rifle-43-star-soviet", "A1"))
    play(game, Move("tank", "A3"))
    assert game.asked() == ("german",)


@rule("6.0")
@pytest.mark.parametrize(
    ("values", "fires"),
    [({}, True), ({"face_up": False}, False), ({"dispersed": "D"}, False), ({"dispersed": "DD"}, False)],
)
def test_6_0_eligible_units_fire(values, fires):
    """Another unit keeps the window open, for a refusal to be heard."""
    game = approach(gun=soviet(GUN, "A3", **values), other=soviet(GUN, "A4"))
    play(game, Move("tank", "A5"))
    if fires:
        assert allowed(game, Shoot(("gun",), "tank"))
    else:
        assert refused(game, Shoot(("gun",), "tank")) in ("2.0-G07", "2.0-G09")


@rule("6.0")
def test_6_0_mortars_do_not_they_fire_indirectly():
    game = approach(mortar=soviet("mortar-82-soviet", "A3"), other=soviet(GUN, "A4"))
    play(game, Move("tank", "A5"))
    assert refused(game, Shoot(("mortar",), "tank")) == "9.6.3"


@rule("6.0")
def test_6_0_only_in_line_of_sight():
    game = approach(". \n . \n w \n . \n . \n .".replace(" ", ""), gun=soviet(GUN, "A2"))
    play(game, Move("tank", "A5"))
    assert game.asked() == ("german",)


@rule("6.0")
def test_6_0_only_at_what_is_spotted():
    """Entering woods in view of an eligible unit spots the mover; the gun itself sees it, so it may fire."""
    rows = ". . w .\n. . . ."
    game = draw(rows, rifle=german("rifle-40-german", "D1"), gun=soviet(GUN, "A1"), step="non-vehicle")
    play(game, Move("rifle", "C1"))
    assert unit(game, "rifle").spotted == "spotted"
    assert offered(game, Shoot) == {Shoot(("gun",), "rifle")}


@rule("6.0")
def test_6_0_only_at_what_moves():
    game = draw(COLUMN, tank=german(TANK, "A6"), other=german(TANK, "A4"), gun=soviet(GUN, "A3"), step="vehicle")
    play(game, Move("tank", "A5"))
    assert refused(game, Shoot(("gun",), "other")) == "6.0"
    assert allowed(game, Shoot(("gun",), "tank"))


@rule("6.0")
def test_6_0_one_more_on_the_die():
    game = approach(gun=soviet(GUN, "A3"))
    play(game, Move("tank", "A5"))
    calculation = preview(game, Shoot(("gun",), "tank"))
    assert amount(calculation, "6.0", "modifier") == 1
    assert calculation.modifier == 1


@rule("6.0")
def test_6_0_besides_what_the_hex_entered_gives():
    """Woods are another one: two in all."""
    game = draw(". . w .", rifle=german("rifle-40-german", "D1"), gun=soviet(GUN, "A1"), step="non-vehicle")
    play(game, Move("rifle", "C1"))
    calculation = preview(game, Shoot(("gun",), "rifle"))
    assert amount(calculation, "6.0", "modifier") == 1
    assert calculation.modifier == 2


@rule("6.0")
@pytest.mark.parametrize("segment", ["vehicle", "non-vehicle"])
def test_6_0_in_both_movement_segments(segment):
    kind = TANK if segment == "vehicle" else "cavalry-40-german"
    game = draw(COLUMN, mover=german(kind, "A6"), gun=soviet(GUN, "A3"), step=segment)
    play(game, Move("mover", "A5"))
    assert game.asked() == ("soviet",)


@rule("6.0")
def test_6_0_an_overrunning_unit_is_immune_in_the_hex_it_overruns():
    """The gun at A1 sees every hex; it may fire where the tank enters next to the target and where it comes out."""
    game = draw(
        ROWS,
        tank=german(TANK, "D5", movement=10),
        prey=soviet(RIFLE, "D3", face_up=False, defence=4),
        gun=soviet(GUN, "A3", range=20, attack=1),
        step="vehicle",
    )
    play(game, Overrun("tank", "D3"), StartOverrun(), Move("tank", "D4"))
    assert game.asked() == ("soviet",)
    play(game, Pass(), RideThrough("tank"), dice=[])
    assert game.asked() == ("soviet",)  # it has come out in D2
    assert where(game, "tank") == "D2"
    assert offered(game, Shoot) <= {Shoot(("gun",), "tank")}
    play(game, Pass(), dice=[1])
    assert where(game, "prey") == ""


# --- the attack [6.1] -----------------------------------------------------------------------------------------


@rule("6.1.1")
def test_6_1_1_one_unit_an_attack():
    """Two guns in different hexes, or in one hex that is not adjacent, do not fire together."""
    game = approach(one=soviet(GUN, "A3"), two=soviet(GUN, "A2"), three=soviet(GUN, "A3"))
    play(game, Move("tank", "A5"))
    assert refused(game, Shoot(("one", "two"), "tank")) in ("6.1.1", "6.1.2")
    assert refused(game, Shoot(("one", "three"), "tank")) in ("6.1.1", "6.1.2")
    assert allowed(game, Shoot(("one",), "tank"))
    assert all(len(shot.units) == 1 for shot in offered(game, Shoot))


@rule("6.1.1")
def test_6_1_1_but_several_attacks_one_after_the_other():
    game = approach(one=soviet(GUN, "A3"), two=soviet(GUN, "A2"))
    play(game, Move("tank", "A5"))
    play(game, Shoot(("one",), "tank"), dice=[6])
    assert game.asked() == ("soviet",)
    assert refused(game, Shoot(("one",), "tank")) == "2.0-G09"
    assert allowed(game, Shoot(("two",), "tank"))


@rule("6.1.2")
def test_6_1_2_units_of_one_adjacent_hex_may_fire_together():
    """Each factor by itself: at half range class A doubles five and seven against armour, 10 + 14."""
    game = approach(one=soviet(GUN, "A4", attack=5), two=soviet(GUN, "A4", attack=7))
    play(game, Move("tank", "A5"))
    both = Shoot(("one", "two"), "tank")
    assert both in offered(game, Shoot)
    calculation = preview(game, both)
    assert sum(line.amount for line in calculation.lines if line.kind == "attack") == 24
    play(game, both, dice=[1])
    assert not unit(game, "one").face_up
    assert not unit(game, "two").face_up


@rule("6.1.2")
def test_6_1_2_factors_are_rounded_down_one_by_one():
    """Against infantry class A counts half: five and seven make two and three."""
    game = draw(
        COLUMN,
        rifle=german("rifle-40-german", "A6", defence=4),
        one=soviet(GUN, "A4", attack=5),
        two=soviet(GUN, "A4", attack=7),
        step="non-vehicle",
    )
    play(game, Move("rifle", "A5"))
    calculation = preview(game, Shoot(("one", "two"), "rifle"))
    assert sum(line.amount for line in calculation.lines if line.kind == "attack") == 5


@rule("6.1.2")
def test_6_1_2_not_units_of_two_adjacent_hexes():
    game = draw(ROWS, tank=german(TANK, "C5"), one=soviet(GUN, "C3"), two=soviet(GUN, "B3"), step="vehicle")
    play(game, Move("tank", "C4"))
    assert refused(game, Shoot(("one", "two"), "tank")) in ("6.1.1", "6.1.2")
    assert allowed(game, Shoot(("one",), "tank"))
    assert allowed(game, Shoot(("two",), "tank"))


@rule("6.1.3")
def test_6_1_3_fire_is_announced_before_the_next_hex():
    """A unit that lets the tank pass in A4 may still fire in A3, no longer in A4."""
    game = approach(COLUMN, "A5", gun=soviet(GUN, "A1", range=8))
    play(game, Move("tank", "A4"))
    assert game.asked() == ("soviet",)
    assert refused(game, Move("tank", "A3"), "german") == "procedure"
    play(game, Pass())
    assert game.asked() == ("german",)
    assert refused(game, Shoot(("gun",), "tank"), "soviet") == "procedure"
    play(game, Move("tank", "A3"))
    assert game.asked() == ("soviet",)
    assert allowed(game, Shoot(("gun",), "tank"))


@rule("6.1.3")
def test_6_1_3_the_fire_falls_where_the_unit_is():
    """In the open between two woods: the hex entered counts, not the one before or behind."""
    game = draw(
        "w\n.\nw\n.\n.\n.",
        rifle=german("cavalry-40-german", "A1"),
        gun=soviet(GUN, "A4", range=8),
        step="non-vehicle",
    )
    play(game, Move("rifle", "A2"))
    assert game.asked() == ("german",)  # woods between them
    play(game, Move("rifle", "A3"))
    assert preview(game, Shoot(("gun",), "rifle")).modifier == 2


# --- the move goes on [6.3] -------------------------------------------------------------------------------------


@rule("6.3")
def test_6_3_a_unit_without_a_result_moves_on():
    """Class A of 12 doubled against 8 is 3:1; a six and one more have no effect."""
    game = approach(gun=soviet(GUN, "A3"))
    play(game, Move("tank", "A5"))
    events = play(game, Shoot(("gun",), "tank"), dice=[6])
    assert results(events) == ["none"]
    assert allowed(game, Move("tank", "A6"))


@rule("6.3")
@pytest.mark.parametrize(("die", "result"), [(1, "X"), (3, "DD")])
def test_6_3_a_unit_with_a_result_does_not(die, result):
    """3:1: a one is 2 with the modifier, eliminated; a three is 4, dispersed twice."""
    game = approach(gun=soviet(GUN, "A3"), other=german(TANK, "A12"))
    play(game, Move("tank", "A5"))
    assert results(play(game, Shoot(("gun",), "tank"), dice=[die])) == [result]
    assert refused(game, Move("tank", "A6"), "german") in ("2.0-G07", "procedure")
    assert allowed(game, Move("other", "A11"))


@rule("6.3")
def test_6_3_who_fired_is_inverted_through_its_own_next_turn():
    game = approach(gun=soviet(GUN, "A3", movement=3))
    play(game, Move("tank", "A5"))
    play(game, Shoot(("gun",), "tank"), dice=[6])
    assert not unit(game, "gun").face_up
    play(game, Stop("tank"), EndSegment(), EndSegment(), EndSegment())  # vehicles, others, assaults
    assert game.asked() == ("soviet",)
    assert not unit(game, "gun").face_up  # it neither fires nor moves in its own turn
    play(game, EndSegment(), EndSegment(), EndSegment(), EndSegment())
    assert refused(game, Move("gun", "A2")) == "2.0-G09"
    play(game, EndSegment(), EndSegment())
    assert game.asked() == ("german",)
    assert unit(game, "gun").face_up


@rule("6.3")
def test_6_3_whoever_passed_stays_face_up():
    game = approach(gun=soviet(GUN, "A3"))
    play(game, Move("tank", "A5"), Pass())
    assert unit(game, "gun").face_up


# --- interdiction [6.2] -------------------------------------------------------------------------------------------

BEHIND = "\n".join(["."] * 5 + ["w"] + ["."] * 6)
"""A mortar behind the woods of A6 sees nothing of what comes down to A5."""


def marked(weapon="mortar-82-soviet", observer="cp-soviet", at="A4", watch="A3", **values):
    """A German rifle about to enter A4; a Soviet unit in A10 has its marker there, somebody in A3 watches."""
    values = {"observer": {}, "firer": {}} | values
    return draw(
        BEHIND,
        rifle=german("rifle-40-german", "A5", defence=8),
        firer=soviet(weapon, "A10", registered=at, **values["firer"]),
        watcher=soviet(observer, watch, **values["observer"]),
        step="non-vehicle",
    )


@rule("6.2", "6.2.1")
def test_6_2_a_unit_fires_at_its_marker_when_an_enemy_enters_the_hex():
    game = marked()
    play(game, Move("rifle", "A4"))
    assert offered(game, Interdict) == {Interdict("firer")}
    events = play(game, Interdict("firer"), dice=[6])
    assert "9.6" in rules(events) or "9.6.2" in rules(events)
    assert not unit(game, "firer").face_up


@rule("6.2")
def test_6_2_not_when_it_enters_another_hex():
    game = marked(at="A3", watch="A2")
    play(game, Move("rifle", "A4"))
    assert game.asked() == ("german",)


@rule("6.2")
def test_6_2_the_one_of_opportunity_fire_is_not_added():
    """Indirect fire is conducted normally: nothing on the die in the open."""
    game = marked()
    play(game, Move("rifle", "A4"))
    calculation = calculations(play(game, Interdict("firer"), dice=[6]))[0]
    assert calculation.modifier == 0
    assert amount(calculation, "6.0") is None


@rule("6.2")
def test_6_2_terrain_of_the_hex_counts_as_for_indirect_fire():
    """A village is one on the die against indirect fire, woods are none."""
    for terrain, modifier in (("v", 1), ("t", 1), ("w", 0)):
        rows = BEHIND.split("\n")
        rows[3] = terrain
        game = draw(
            "\n".join(rows),
            rifle=german("rifle-40-german", "A5"),
            firer=soviet("mortar-120-soviet", "A10", registered="A4"),
            watcher=soviet("cp-soviet", "A3"),
            step="non-vehicle",
            fields={"roads": ["A3 A4 A5"]},
        )
        play(game, Move("rifle", "A4"))
        calculation = calculations(play(game, Interdict("firer"), dice=[6]))[0]
        assert calculation.modifier == modifier


@rule("6.2")
def test_6_2_every_enemy_in_the_hex_is_attacked():
    """Indirect fire as usual [9.6.2]: those who stood there already as well."""
    game = draw(
        BEHIND,
        rifle=german("rifle-40-german", "A5"),
        friend=german("rifle-40-german", "A4"),
        firer=soviet("mortar-120-soviet", "A10", registered="A4"),
        watcher=soviet("cp-soviet", "A3"),
        step="non-vehicle",
    )
    play(game, Move("rifle", "A4"))
    assert len(results(play(game, Interdict("firer"), dice=[6, 6]))) == 2


@rule("6.2")
def test_6_2_once_in_the_phase():
    game = draw(
        BEHIND,
        one=german("rifle-40-german", "A5"),
        two=german("rifle-40-german", "A5"),
        firer=soviet("mortar-120-soviet", "A10", registered="A4"),
        watcher=soviet("cp-soviet", "A3"),
        step="non-vehicle",
    )
    play(game, Move("one", "A4"))
    play(game, Interdict("firer"), dice=[6])
    while game.asked() == ("soviet",):
        play(game, Pass())
    play(game, Move("two", "A4"))
    assert game.asked() == ("german",)


@rule("6.2.1")
@pytest.mark.parametrize(
    ("weapon", "observer", "may"),
    [
        ("mortar-82-soviet", "cp-soviet", True),
        ("mortar-82-soviet", "rifle-41-soviet", True),  # riflemen for mortars under 120mm [12.2.1]
        ("mortar-120-soviet", "rifle-41-soviet", False),
        ("mortar-120-soviet", "cp-soviet", True),
        ("how-122-soviet", "cp-soviet", True),
        ("how-122-soviet", "rifle-41-soviet", False),
        ("mortar-82-soviet", "t-34-76", False),
    ],
)
def test_6_2_1_observation_as_for_indirect_fire(weapon, observer, may):
    game = marked(weapon, observer)
    play(game, Move("rifle", "A4"))
    assert (Interdict("firer") in offered(game, Interdict, "soviet")) == may


@rule("6.2.1")
def test_6_2_1_an_inverted_observer_will_do_but_not_a_dispersed_one():
    """Somebody eligible has the mover spotted; the observer itself may be inverted [12.2]."""
    for values, may in (({"face_up": False}, True), ({"dispersed": "D"}, False)):
        game = draw(
            BEHIND,
            rifle=german("rifle-40-german", "A5"),
            firer=soviet("mortar-82-soviet", "A10", registered="A4"),
            watcher=soviet("cp-soviet", "A3", **values),
            spotter=soviet("ba-64", "A1", attack=0),
            step="non-vehicle",
        )
        play(game, Move("rifle", "A4"))
        assert (Interdict("firer") in offered(game, Interdict, "soviet")) == may


@rule("6.2.1")
@pytest.mark.parametrize(("values", "number"), [({"face_up": False}, "2.0-G09"), ({"dispersed": "D"}, "2.0-G07")])
def test_6_2_1_the_firer_is_eligible(values, number):
    game = draw(
        BEHIND,
        rifle=german("rifle-40-german", "A5"),
        firer=soviet("mortar-82-soviet", "A10", registered="A4", **values),
        other=soviet("mortar-82-soviet", "A10", registered="A4"),
        watcher=soviet("cp-soviet", "A3"),
        step="non-vehicle",
    )
    play(game, Move("rifle", "A4"))
    assert refused(game, Interdict("firer")) == number
    assert allowed(game, Interdict("other"))


@rule("6.2.2")
def test_6_2_2_one_unit_an_attack_though_several_are_registered_there():
    """Twenty-four against eight is 3:1; both together would be 4:1. Each fires by itself."""
    game = draw(
        BEHIND,
        rifle=german("rifle-40-german", "A5", defence=8),
        one=soviet("mortar-120-soviet", "A10", registered="A4"),
        two=soviet("mortar-120-soviet", "A9", registered="A4"),
        watcher=soviet("cp-soviet", "A3"),
        step="non-vehicle",
    )
    play(game, Move("rifle", "A4"))
    assert offered(game, Interdict) == {Interdict("one"), Interdict("two")}
    events = play(game, Interdict("one"), dice=[6])
    assert calculations(events)[0].column == "3:1"
    assert unit(game, "two").face_up
    assert allowed(game, Interdict("two"))


@rule("6.2", "6.3")
def test_6_2_the_target_stops_if_it_suffers_and_moves_on_if_not():
    """24 to 8 is 3:1: a one eliminates, a six does nothing."""
    for die, goes_on in ((6, True), (1, False)):
        game = draw(
            BEHIND,
            mover=german("cavalry-40-german", "A5", defence=8),
            firer=soviet("mortar-120-soviet", "A10", registered="A4"),
            watcher=soviet("cp-soviet", "A1"),
            step="non-vehicle",
        )
        play(game, Move("mover", "A4"))
        play(game, Interdict("firer"), dice=[die])
        if goes_on:
            assert allowed(game, Move("mover", "A3"))
        else:
            assert where(game, "mover") == ""
