"""Blocks [5.5] and wrecks [5.6]. Tests are named after rules, in the book's order."""

from __future__ import annotations

import pytest

from opfire.rulesets.case_orange.combat import eliminate
from opfire.rulesets.case_orange.direct import Attack, Fire
from opfire.rulesets.case_orange.movement import Move
from opfire.rulesets.case_orange.pieces import stacked_points
from rules.case_orange.drawing import (
    allowed,
    draw,
    full,
    german,
    kinds,
    lines,
    marker,
    play,
    refused,
    rule,
    soviet,
    spent,
    unit,
    where,
)

ROWS = "\n".join([". . . . ."] * 3)
TANK, TRUCK, RIDERS, RIFLE = "pz-iv-h", "truck-german", "cavalry-40-german", "rifle-40-german"
BLOCK = [marker("block", "C1")]


@rule("5.5.1")
@pytest.mark.parametrize(("kind", "step"), [(TANK, "vehicle"), (TRUCK, "vehicle"), (RIDERS, "non-vehicle")])
def test_5_5_1_a_block_is_entered_from_next_to_it_and_ends_the_move(kind, step):
    game = draw(ROWS, mover=german(kind, "B1"), step=step, markers=BLOCK)
    play(game, Move("mover", "C1"))
    assert where(game, "mover") == "C1"
    assert refused(game, Move("mover", "D1")) == "5.2"


@rule("5.5.1")
@pytest.mark.parametrize(("kind", "step"), [(TANK, "vehicle"), (RIDERS, "non-vehicle")])
def test_5_5_1_a_unit_that_began_farther_off_does_not_enter(kind, step):
    game = draw(ROWS, mover=german(kind, "A1"), step=step, markers=BLOCK)
    play(game, Move("mover", "B1"))
    assert refused(game, Move("mover", "C1")) == "5.5.1"
    assert allowed(game, Move("mover", "C2"))


@rule("5.5.1")
def test_5_5_1_it_began_next_to_the_block_but_has_moved_since():
    game = draw(ROWS, tank=german(TANK, "B1"), step="vehicle", markers=BLOCK)
    play(game, Move("tank", "C2"))  # next to the block as well
    assert refused(game, Move("tank", "C1")) == "5.5.1"


@rule("5.5.1")
def test_5_5_1_either_side_is_stopped():
    for side, kind in (("german", german), ("soviet", soviet)):
        game = draw(ROWS, mover=kind("t-34-76", "B1"), side=side, step="vehicle", markers=BLOCK)
        play(game, Move("mover", "C1"))
        assert refused(game, Move("mover", "D1")) == "5.2"


@rule("5.5.1")
def test_5_5_1_out_of_a_block_units_move_as_always():
    game = draw(ROWS, tank=german(TANK, "C1", movement=9), step="vehicle", markers=BLOCK)
    play(game, Move("tank", "D1"), Move("tank", "E1"))
    assert spent(game, "tank") == 2


@rule("5.5.2")
@pytest.mark.parametrize("way", ["roads", "highways", "tracks"])
def test_5_5_2_a_block_negates_the_road_of_its_hex_going_in_and_coming_out(way):
    rows = ". . s s ."
    fields = {way: ["A1 B1 C1 D1 E1"]}
    for movement in (2, 3):
        game = draw(rows, tank=german(TANK, "B1", movement=movement), step="vehicle", markers=BLOCK, fields=fields)
        if movement == 3:
            assert allowed(game, Move("tank", "C1"))
        else:
            assert refused(game, Move("tank", "C1")) == "5.1"
    game = draw(rows, tank=german(TANK, "C1", movement=9), step="vehicle", markers=BLOCK, fields=fields)
    play(game, Move("tank", "D1"))
    assert spent(game, "tank") == 3


@rule("5.5.2")
@pytest.mark.parametrize("terrain", ["m", "w", "b"])
def test_5_5_2_a_closed_hex_or_side_with_a_block_ignores_its_road(terrain):
    fields = {"roads": ["A1 B1 C1"]}
    game = draw(f". {terrain} .", tank=german(TANK, "A1"), step="vehicle", fields=fields)
    assert allowed(game, Move("tank", "B1"))
    game = draw(
        f". {terrain} .", tank=german(TANK, "A1"), step="vehicle", fields=fields, markers=[marker("block", "B1")]
    )
    assert refused(game, Move("tank", "B1")) == "5.5.2"
    if terrain != "m":  # nor does one get out of it
        game = draw(
            f". {terrain} .", tank=german(TANK, "B1"), step="vehicle", fields=fields, markers=[marker("block", "B1")]
        )
        assert refused(game, Move("tank", "A1")) == "5.5.2"


@rule("5.5.2", "7.1")
def test_5_5_3_a_block_takes_two_stacking_points():
    game = draw(
        ROWS, one=german(TANK, "B1"), two=german(TANK, "C1"), three=german(TANK, "C1"), step="vehicle", markers=BLOCK
    )
    assert stacked_points(game.state, full("C1")) == 4
    assert refused(game, Move("one", "C1")) == "7.1"
    game = draw(ROWS, one=german(TANK, "B1"), two=german(TANK, "C1"), step="vehicle", markers=BLOCK)
    assert allowed(game, Move("one", "C1"))


@rule("5.5.2", "8.2")
def test_5_5_3_a_block_does_nothing_to_sight_or_combat():
    plain = draw(ROWS, tank=german(TANK, "A1"), gun=soviet("at-76", "E1"))
    blocked = draw(
        ROWS,
        tank=german(TANK, "A1"),
        gun=soviet("at-76", "E1"),
        markers=[marker("block", "C1"), marker("block", "E1")],
    )
    found = []
    for game in (plain, blocked):
        play(game, Attack("tank", "gun"))
        found.append(lines(play(game, Fire(), dice=[6])[0].calculation))
    assert found[0] == found[1]


# --- wrecks [5.6] -------------------------------------------------------------------------------------------


@rule("5.6")
@pytest.mark.parametrize(
    ("kind", "points"),
    [
        ("t-34-76", 2),  # the book's example: a Soviet tank company
        (TANK, 1),
        ("half-track-german", 1),
        ("truck-german", 0),
        ("truck-soviet", 0),
        ("rifle-41-soviet", 0),
        ("at-76", 0),
        ("motorcycle-40-german", 0),
    ],
)
def test_5_6_armour_leaves_a_wreck_of_its_stacking_points(kind, points):
    game = draw(ROWS, one=german("pz-iv-h", "A1", attack=200, weapon="H"), target=soviet(kind, "C1"))
    play(game, Attack("one", "target"))
    play(game, Fire(), dice=[1])  # 4:1 and a one: eliminated
    assert where(game, "target") == ""
    assert unit(game, "target").status == "eliminated"
    assert game.state.work(full("C1")).wreck == points


@rule("5.6")
def test_5_6_wrecks_add_up_and_stay():
    game = draw(
        ROWS, one=soviet("t-34-76", "C1"), two=soviet("pz-iv-h", "C1"), markers=[marker("wreck", "C1", value="1")]
    )
    for name in ("one", "two"):
        eliminate(game, name)
    assert game.state.work(full("C1")).wreck == 1 + 2 + 1


@rule("5.6")
def test_5_6_an_eliminated_carrier_leaves_one_wreck_and_its_load_none():
    game = draw(ROWS, tank=soviet("t-34-76", "C1"), rifle=soviet("smg-41-soviet", carrier="tank"))
    eliminate(game, "tank")
    assert unit(game, "rifle").status == "eliminated"
    assert game.state.work(full("C1")).wreck == 2


@rule("5.6", "5.7.1")
@pytest.mark.parametrize("load", [{"rifle": soviet("smg-41-soviet", carrier="tank")}, {}])
def test_5_6_everybody_is_told_of_the_carrier_and_its_load(load):
    game = draw(ROWS, tank=soviet("t-34-76", "C1"), **load)
    eliminate(game, "tank")
    (told,) = [event for event in game.events if event.kind == "eliminated"]
    assert told.units == ("tank", *load)


WRECK = [marker("wreck", "C1", value="2")]


@rule("5.6.1")
def test_5_6_1_a_wreck_hex_blocks_the_line_of_sight():
    rows = ". . .\n. . .\n. . .\n. . ."
    wreck = [marker("wreck", "A2", value="1")]
    game = draw(rows, tank=german(TANK, "A1"), gun=soviet("at-76", "A3"), markers=wreck)
    assert refused(game, Attack("tank", "gun")) == "5.6.1"
    game = draw(rows, tank=german(TANK, "A1"), gun=soviet("at-76", "A3"))
    assert allowed(game, Attack("tank", "gun"))


@rule("5.6.1")
def test_5_6_1_the_wreck_hex_itself_can_be_seen_and_seen_from():
    rows = ". . .\n. . .\n. . .\n. . ."
    wreck = [marker("wreck", "A1", value="1"), marker("wreck", "A3", value="1")]
    game = draw(rows, tank=german(TANK, "A1"), gun=soviet("at-76", "A3"), markers=wreck)
    assert allowed(game, Attack("tank", "gun"))


@rule("5.6.1")
def test_5_6_1_a_line_along_the_edge_of_a_wreck_hex_is_blocked():
    """From C3 to E3 the line runs along the side between D2 and D3."""
    rows = "\n".join([". . . . ."] * 4)
    for at in ("D2", "D3"):
        game = draw(rows, tank=german(TANK, "C3"), gun=soviet("at-76", "E3"), markers=[marker("wreck", at, value="1")])
        assert refused(game, Attack("tank", "gun")) == "5.6.1"
    game = draw(rows, tank=german(TANK, "C3"), gun=soviet("at-76", "E3"), markers=[marker("wreck", "D4", value="1")])
    assert allowed(game, Attack("tank", "gun"))


@rule("5.6.1", "7.1")
def test_5_6_1_wrecks_count_against_the_stacking_limit():
    for points, fits in ((2, True), (3, False)):
        game = draw(
            ROWS, company=german("t-34-76", "B1"), step="vehicle", markers=[marker("wreck", "C1", value=str(points))]
        )
        if fits:
            assert allowed(game, Move("company", "C1"))
        else:
            assert refused(game, Move("company", "C1")) == "7.1"


@rule("5.6.1")
@pytest.mark.parametrize("kind", [TANK, TRUCK, RIDERS])
@pytest.mark.parametrize("way", ["roads", "highways", "tracks"])
def test_5_6_1_wrecks_negate_roads_and_tracks_for_everybody(kind, way):
    step = "non-vehicle" if kind == RIDERS else "vehicle"
    rows = ". . a a ."
    fields = {way: ["A1 B1 C1 D1 E1"]}
    cost = 4 if kind == TRUCK else 2  # sand
    game = draw(rows, mover=german(kind, "B1", movement=20), step=step, fields=fields, markers=WRECK)
    play(game, Move("mover", "C1"))
    assert spent(game, "mover") == cost
    play(game, Move("mover", "D1"))
    assert spent(game, "mover") == 2 * cost


@rule("5.6.1")
@pytest.mark.parametrize("terrain", ["m", "w", "b"])
def test_5_6_1_what_is_open_by_road_only_is_closed_by_a_wreck(terrain):
    game = draw(
        f". {terrain} .",
        tank=german(TANK, "A1"),
        step="vehicle",
        fields={"roads": ["A1 B1 C1"]},
        markers=[marker("wreck", "B1", value="1")],
    )
    assert refused(game, Move("tank", "B1")) == "5.6.1"


@rule("5.6.1")
def test_5_6_1_a_wreck_does_nothing_to_combat():
    found = []
    for markers in ((), [marker("wreck", "C1", value="1")]):
        game = draw(ROWS, tank=german(TANK, "A1"), gun=soviet("at-76", "C1"), markers=markers)
        play(game, Attack("tank", "gun"))
        found.append(lines(play(game, Fire(), dice=[6])[0].calculation))
    assert found[0] == found[1]


@rule("5.6", "5.6.1")
def test_5_6_1_a_wreck_that_appears_cuts_sight_at_once():
    """A tank burning in the street hides what lies behind it; markers there come off [8.1.2]."""
    rows = ". . .\n. . .\nt . .\n. . ."
    game = draw(
        rows,
        gun=german("pz-iv-h", "A1", attack=200),
        tank=soviet("t-34-76", "A2"),
        rifle=soviet("rifle-41-soviet", "A3", spotted="spotted"),
    )
    play(game, Attack("gun", "tank"))
    events = play(game, Fire(), dice=[1])
    assert "wreck" in kinds(events)
    assert unit(game, "rifle").spotted == ""
