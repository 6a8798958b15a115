"""Moving units and movement restrictions [5.0 to 5.2]. Tests are named after rules, in the book's order."""

from __future__ import annotations

import pytest

from opfire.kit.orders import Pass
from opfire.rulesets.case_orange.actions import EndSegment
from opfire.rulesets.case_orange.movement import Move, Stop
from opfire.rulesets.case_orange.overrun import JoinOverrun, Overrun, RideThrough, StartOverrun
from rules.case_orange.drawing import (
    allowed,
    draw,
    german,
    offered,
    play,
    refused,
    rule,
    soviet,
    spent,
    unit,
    where,
)

DOWN = "\n".join(["."] * 12)
"""One column of clear hexes, A1 to A12."""


def down(name: str, first: int, last: int) -> list[Move]:
    return [Move(name, f"A{row}") for row in range(first, last + 1)]


@rule("5.0")
def test_5_0_movement_six_buys_six_clear_hexes():
    """The book's example."""
    game = draw(DOWN, tank=german("pz-iv-h", "A1", movement=6), step="vehicle")
    play(game, *down("tank", 2, 6))
    assert spent(game, "tank") == 5
    play(game, Move("tank", "A7"))
    assert where(game, "tank") == "A7"
    assert offered(game, Move) == set()  # the allowance is used up: the segment goes on


@rule("5.0")
def test_5_0_movement_six_does_not_buy_a_seventh():
    game = draw(DOWN, tank=german("pz-iv-h", "A1", movement=6), step="vehicle")
    play(game, *down("tank", 2, 7))
    assert refused(game, Move("tank", "A8")) in ("5.1", "5.2")


@rule("5.0")
def test_5_0_class_c_buys_three_clear_hexes_with_six():
    game = draw(DOWN, truck=german("truck-german", "A1", movement=6), step="vehicle")
    play(game, *down("truck", 2, 3))
    assert spent(game, "truck") == 4
    play(game, Move("truck", "A4"))
    assert refused(game, Move("truck", "A5")) in ("5.1", "5.2")


@rule("5.0")
def test_5_0_the_path_is_traced_from_hex_to_hex():
    game = draw(DOWN, tank=german("pz-iv-h", "A1"), step="vehicle")
    assert refused(game, Move("tank", "A3")) == "5.0"
    assert allowed(game, Move("tank", "A2"))


@rule("5.0")
def test_5_0_a_click_on_the_own_hex_is_told_so():
    game = draw(DOWN, tank=german("pz-iv-h", "A1"), step="vehicle")
    assert refused(game, Move("tank", "A1")) == "5.0"
    [seat] = game.asked()
    refusal = game.why_not(seat, Move("tank", str(game.state.units["tank"].hex)))
    assert refusal is not None
    assert refusal.sentence().endswith("1-A1 already: choose a hex next to it")


@rule("5.1")
def test_5_1_a_unit_may_move_as_far_as_it_likes_or_not_at_all():
    game = draw(DOWN, tank=german("pz-iv-h", "A1"), other=german("pz-iv-h", "A1"), step="vehicle")
    play(game, Move("tank", "A2"), Stop("tank"))
    assert where(game, "tank") == "A2"
    play(game, EndSegment())
    assert where(game, "other") == "A1"


@rule("5.1")
def test_5_1_no_more_than_the_movement_factor():
    """Three for a slope: with two factors left it is too much, with three it is not."""
    board = ".\n.\ns\ns"
    game = draw(board, tank=german("pz-iv-h", "A1", movement=3), step="vehicle")
    play(game, Move("tank", "A2"))
    assert refused(game, Move("tank", "A3")) == "5.1"
    game = draw(board, tank=german("pz-iv-h", "A1", movement=4), step="vehicle")
    play(game, Move("tank", "A2"))
    assert allowed(game, Move("tank", "A3"))


@rule("5.1.1")
def test_5_1_1_factors_are_not_saved_for_the_next_turn():
    """A tank that stood still for a turn has eight factors in the next, not sixteen."""
    game = draw(DOWN, tank=german("pz-iv-h", "A1", movement=8), step="non-vehicle")
    play(game, EndSegment(), EndSegment())  # no moves, no assaults
    play(game, *[EndSegment()] * 6)  # the other side's turn, from indirect fire to assaults
    play(game, *[EndSegment()] * 3)  # ours again, as far as the vehicle segment
    play(game, *down("tank", 2, 9))
    assert refused(game, Move("tank", "A10")) in ("5.1", "5.2")


@rule("5.1.1")
def test_5_1_1_a_unit_that_moved_has_all_its_factors_again_in_its_next_turn():
    game = draw(DOWN, tank=german("pz-iv-h", "A1", movement=8, moved=True), step="vehicle")
    assert refused(game, Move("tank", "A2")) == "5.2"
    play(game, *[EndSegment()] * 3, *[EndSegment()] * 6, *[EndSegment()] * 3)
    play(game, Move("tank", "A2"))
    assert spent(game, "tank") == 1


@rule("5.1.1")
def test_5_1_1_the_deeds_of_a_player_turn_are_forgotten_when_it_ends():
    deeds = {"moved": True, "fired": True, "locked": True, "road": True, "steps": 2, "paces": 3}
    game = draw(DOWN, tank=german("pz-iv-h", "A1", **deeds), enemy=soviet("t-34-76", "A10", **deeds), step="assault")
    play(game, EndSegment())
    assert {deed: getattr(unit(game, "tank"), deed) for deed in deeds} == dict.fromkeys(deeds, 0)
    assert {deed: getattr(unit(game, "enemy"), deed) for deed in deeds} == deeds


@rule("5.1.1")
def test_5_1_1_factors_are_not_handed_to_another_unit():
    game = draw(
        DOWN,
        tank=german("pz-iv-h", "A1", movement=8),
        other=german("pz-iv-h", "A1", movement=2),
        step="vehicle",
    )
    play(game, *down("tank", 2, 3), Stop("tank"), *down("other", 2, 3))
    assert refused(game, Move("other", "A4")) in ("5.1", "5.2")


@rule("5.1.2")
def test_5_1_2_inverted_units_do_not_move():
    game = draw(DOWN, tank=german("pz-iv-h", "A1", face_up=False), step="vehicle")
    assert refused(game, Move("tank", "A2")) == "2.0-G09"
    game = draw(DOWN, tank=german("pz-iv-h", "A1"), step="vehicle")
    assert allowed(game, Move("tank", "A2"))


@rule("5.1.3")
@pytest.mark.parametrize("terrain", [".", "w", "b", "t", "s", "a", "m"])
def test_5_1_3_factor_one_moves_one_hex_into_any_terrain(terrain):
    game = draw(f". {terrain}", rifle=german("rifle-40-german", "A1", movement=1), step="non-vehicle")
    play(game, Move("rifle", "B1"))
    assert where(game, "rifle") == "B1"
    assert unit(game, "rifle").moved


@rule("5.1.3")
def test_5_1_3_but_no_second_hex():
    game = draw("s s s", rifle=german("rifle-40-german", "A1", movement=1), step="non-vehicle")
    play(game, Move("rifle", "B1"))
    assert refused(game, Move("rifle", "C1")) in ("5.1", "5.2")


@rule("5.1.3")
def test_5_1_3_factor_two_has_no_such_right():
    game = draw(". b", rifle=german("rifle-40-german", "A1", movement=2), step="non-vehicle")
    assert refused(game, Move("rifle", "B1")) == "5.1"


@rule("5.1.3", "15.2-C")
def test_5_1_3_never_across_a_cliff():
    game = draw(". s", rifle=german("rifle-40-german", "A1"), step="non-vehicle", fields={"cliffs": ["A1/B1"]})
    assert refused(game, Move("rifle", "B1")) == "15.2-C"


@rule("15.2-C")
@pytest.mark.parametrize(
    ("kind", "step"), [("pz-iv-h", "vehicle"), ("truck-german", "vehicle"), ("cavalry-40-german", "non-vehicle")]
)
def test_15_2_C_no_unit_crosses_a_cliff_but_others_go_round(kind, step):
    game = draw(". s .\n. s .", mover=german(kind, "A1", movement=9), step=step, fields={"cliffs": ["A1/B1"]})
    assert refused(game, Move("mover", "B1")) == "15.2-C"
    play(game, Move("mover", "A2"))
    assert allowed(game, Move("mover", "B1"))


@rule("5.1.4")
def test_5_1_4_a_unit_finishes_its_move_before_the_next_begins():
    game = draw(DOWN, tank=german("pz-iv-h", "A1"), other=german("pz-iv-h", "A5"), step="vehicle")
    play(game, Move("tank", "A2"))
    assert refused(game, Move("other", "A6")) == "5.1.4"
    play(game, Stop("tank"))
    assert allowed(game, Move("other", "A6"))
    assert refused(game, Move("tank", "A3")) == "5.2"


@rule("5.1.5")
def test_5_1_5_an_overrun_is_resolved_at_once_in_the_vehicle_segment():
    board = "\n".join([". . ."] * 4)
    units = {"tank": german("pz-iv-h", "B1"), "gun": soviet("at-45", "B2", face_up=False)}
    game = draw(board, **units, step="vehicle")
    play(game, Overrun("tank", "B2"), StartOverrun())
    events = play(game, RideThrough("tank"), dice=[1])
    assert where(game, "tank") == "B3"
    assert where(game, "gun") == ""  # 14 to 3 is 4:1
    assert game.stack[-1].step == "vehicle"
    assert events


@rule("5.1.5")
@pytest.mark.parametrize("step", ["direct", "non-vehicle", "assault"])
def test_5_1_5_there_are_no_overruns_in_other_segments(step):
    board = "\n".join([". . ."] * 4)
    game = draw(board, tank=german("pz-iv-h", "B1"), gun=soviet("at-45", "B2"), step=step)
    assert refused(game, Overrun("tank", "B2")) == "procedure"


@rule("5.2")
def test_5_2_a_unit_moves_once():
    game = draw(DOWN, tank=german("pz-iv-h", "A1"), step="vehicle")
    play(game, Move("tank", "A2"), Stop("tank"))
    assert refused(game, Move("tank", "A3")) == "5.2"


@rule("5.2")
def test_5_2_a_carrier_and_its_load_are_one_unit():
    """They move together, and neither moves again in the non-vehicle segment."""
    game = draw(
        DOWN,
        truck=german("truck-german", "A1"),
        rifle=german("rifle-40-german", carrier="truck"),
        step="vehicle",
    )
    play(game, Move("truck", "A2"), Stop("truck"))
    assert where(game, "rifle") == "A2"
    play(game, EndSegment())
    assert refused(game, Move("rifle", "A3")) == "5.7.1"


@rule("5.2.1")
def test_5_2_1_friends_may_be_moved_through_and_stopped_with():
    game = draw(DOWN, tank=german("pz-iv-h", "A1"), friend=german("pz-iv-h", "A2"), step="vehicle")
    play(game, Move("tank", "A2"), Move("tank", "A3"), Stop("tank"))
    assert where(game, "tank") == "A3"


@rule("5.2.1")
@pytest.mark.parametrize("enemy", ["truck-soviet", "rifle-41-soviet", "t-34-76"])
def test_5_2_1_hexes_with_enemies_are_not_entered(enemy):
    for step, kind in (("vehicle", "pz-iv-h"), ("non-vehicle", "rifle-40-german")):
        game = draw(DOWN, mover=german(kind, "A1"), enemy=soviet(enemy, "A2"), step=step)
        assert refused(game, Move("mover", "A2")) == "5.2.1"


@rule("5.2.1")
def test_5_2_1_an_overrun_is_the_exception():
    board = "\n".join([". . ."] * 4)
    game = draw(board, tank=german("pz-iv-h", "B1"), gun=soviet("at-45", "B2"), step="vehicle")
    assert refused(game, Move("tank", "B2")) == "5.2.1"
    assert allowed(game, Overrun("tank", "B2"))
    assert refused(game, JoinOverrun("tank")) == "procedure"
    assert refused(game, Pass()) == "procedure"


@rule("4.2-C5", "4.2-C6")
def test_5_0_vehicles_and_others_move_in_their_own_segments():
    units = {"tank": german("pz-iv-h", "A1"), "rifle": german("rifle-40-german", "A1")}
    game = draw(DOWN, **units, step="vehicle")
    assert refused(game, Move("rifle", "A2")) == "4.2-C6"
    game = draw(DOWN, **units, step="non-vehicle")
    assert refused(game, Move("tank", "A2")) == "4.2-C5"
