"""Stacking [7.0]. Tests are named after rules, in the book's order."""

from __future__ import annotations

import pytest

from edits import edited
from opfire.core.dice import scripted
from opfire.core.record import new_game
from opfire.core.rows import read
from opfire.core.ruleset import find
from opfire.kit.orders import Pass
from opfire.rulesets.case_orange.carrying import Unload
from opfire.rulesets.case_orange.charts import load_charts
from opfire.rulesets.case_orange.movement import Move
from opfire.rulesets.case_orange.overrun import Overrun, RideThrough, StartOverrun
from opfire.rulesets.case_orange.pieces import stacked_points
from opfire.rulesets.case_orange.setup import Place
from rules.case_orange.drawing import (
    allowed,
    draw,
    full,
    german,
    marker,
    offered,
    play,
    refused,
    rule,
    soviet,
    where,
)
from rules.case_orange.scenes import scene_text

ROWS = "\n".join([". . . . . ."] * 6)
TANK, RIFLE = "pz-iv-h", "rifle-40-german"  # platoons: one point
COMPANY = "t-34-76"  # two points


def crowd(kind, hex, count):
    return {f"friend{n}": german(kind, hex) for n in range(count)}


@rule("7.1")
@pytest.mark.parametrize(
    ("mover", "kind", "count", "fits"),
    [
        (TANK, TANK, 3, True),  # 3 + 1
        (TANK, TANK, 4, False),
        (COMPANY, TANK, 2, True),  # 2 + 2
        (COMPANY, TANK, 3, False),
        (TANK, COMPANY, 1, True),
        (COMPANY, COMPANY, 1, True),  # 2 + 2
        (TANK, COMPANY, 2, False),
        (TANK, "observer-german", 3, True),  # sections are one point
        (TANK, "observer-german", 4, False),
    ],
)
def test_7_1_four_points_in_a_hex_and_no_more(mover, kind, count, fits):
    game = draw(ROWS, mover=german(mover, "A1"), **crowd(kind, "B1", count), step="vehicle")
    if fits:
        assert allowed(game, Move("mover", "B1"))
    else:
        assert refused(game, Move("mover", "B1")) == "7.1"


@rule("7.1")
def test_7_1_at_every_moment_of_a_move():
    """A full hex is not moved through either."""
    game = draw("\n".join(["."] * 4), mover=german(TANK, "A1"), **crowd(TANK, "A2", 4), step="vehicle")
    assert refused(game, Move("mover", "A2")) == "7.1"


@rule("7.1")
@pytest.mark.parametrize(
    ("markers", "fits"),
    [
        ([], True),
        ([marker("block", "B1")], True),  # 1 + 2 + 1
        ([marker("wreck", "B1", value="2")], True),
        ([marker("wreck", "B1", value="3")], False),
        ([marker("block", "B1"), marker("wreck", "B1", value="1")], False),
    ],
)
def test_7_1_blocks_and_wrecks_count_too(markers, fits):
    game = draw(ROWS, mover=german(TANK, "A1"), friend=german(TANK, "B1"), step="vehicle", markers=markers)
    if fits:
        assert allowed(game, Move("mover", "B1"))
    else:
        assert refused(game, Move("mover", "B1")) == "7.1"


@rule("7.1")
def test_7_1_other_actions_are_bound_by_it_as_well():
    """Setting a passenger down in a full hex [5.7.6]."""
    game = draw(
        ROWS,
        truck=german("truck-german", "A1"),
        load=german(RIFLE, carrier="truck"),
        **crowd(TANK, "A1", 3),
        step="vehicle",
    )
    assert refused(game, Unload("truck")) == "5.7.6"


@rule("7.1.1")
def test_7_1_1_only_in_the_target_hex_may_overrunners_exceed_the_limit():
    """Three points of enemies and two of tanks are five: the tank company rides through them all the same."""
    game = draw(
        ROWS,
        tanks=german(COMPANY, "B2"),
        prey=soviet("truck-soviet", "B3"),
        other=soviet("truck-german", "B3"),
        step="vehicle",
    )
    play(game, Overrun("tanks", "B3"), StartOverrun(), RideThrough("tanks"), dice=[1])
    assert where(game, "tanks") == "B4"


@rule("7.1.1")
@pytest.mark.parametrize(("count", "fits"), [(2, True), (3, False)])
def test_7_1_1_not_in_the_exit_hex(count, fits):
    """Straight through B3 from B2 leads to B4, and there is no other way for a tank of factor two."""
    game = draw(
        ROWS,
        tanks=german(COMPANY, "B2", movement=2),
        prey=soviet("truck-soviet", "B3"),
        **crowd(RIFLE, "B4", count),
        step="vehicle",
    )
    if fits:
        assert allowed(game, Overrun("tanks", "B3"))
    else:
        assert refused(game, Overrun("tanks", "B3")) in ("7.1", "7.1.1", "9.8.1", "9.8-P1")


@rule("7.1.1")
@pytest.mark.parametrize(("count", "fits"), [(2, True), (3, False)])
def test_7_1_1_nor_in_the_entry_hex(count, fits):
    """From A1 it is two hexes to B3; by way of a full hex there is no going."""
    game = draw(
        "\n".join(["."] * 6),
        tanks=german(COMPANY, "A1"),
        prey=soviet("truck-soviet", "A3"),
        **crowd(RIFLE, "A2", count),
        step="vehicle",
    )
    if fits:
        assert allowed(game, Overrun("tanks", "A3"))
    else:
        assert refused(game, Overrun("tanks", "A3")) in ("7.1", "7.1.1", "9.8.1", "9.8-P1")


@rule("7.1")
def test_7_1_2_a_company_is_two_points_all_else_one():
    game = draw(
        ROWS,
        tanks=german(COMPANY, "A1"),
        platoon=german(TANK, "B1"),
        section=german("cp-german", "C1"),
        step="vehicle",
    )
    points = [stacked_points(game.state, full(hex)) for hex in ("A1", "B1", "C1")]
    assert points == [2, 1, 1]
    assert allowed(game, Move("tanks", "B1"))


@rule("7.1")
@pytest.mark.parametrize("kind", ["position", "mines", "dug-in"])
def test_7_1_3_mines_and_positions_count_nothing(kind):
    value = {"mines": {"value": "1:1", "side": "german"}, "dug-in": {"side": "german"}}.get(kind, {})
    game = draw(
        ROWS,
        mover=german("cavalry-40-german", "A1"),
        **crowd(RIFLE, "B1", 3),
        step="non-vehicle",
        markers=[marker(kind, "B1", **value)],
    )
    assert allowed(game, Move("mover", "B1"))
    assert offered(game, Move)
    assert refused(game, Pass()) == "procedure"


# --- the numbers themselves [7.1.2, 5.5.3, 10.4.7] --------------------------------------------------------------


@rule("7.1.2")
def test_7_1_2_a_company_counts_two_and_any_other_size_one():
    counted = {(kind.size, kind.points) for kind in load_charts().kinds.values()}
    assert counted == {("company", 2), ("platoon", 1), ("section", 1)}


def fitting(pack, marker_kind="", below=""):
    """The number of platoons of one point that can be set up in A1."""
    text = scene_text(
        german={"rifle-42-german": 5},
        zone=("A1", "A2"),
        markers=[{"kind": marker_kind, "at": full("A1")}] if marker_kind else [],
    )
    game = new_game(find("case-orange"), text, scripted(()), None, pack)
    placed = 0
    while fits := [place for place in offered(game, Place) if place.hex == full("A1") and place.below == below]:
        play(game, min(fits, key=lambda place: place.unit))
        placed += 1
    return placed


@rule("7.1", "10.4.7")
@pytest.mark.parametrize(
    ("row", "changed", "kind", "below", "own", "theirs"),
    [
        ("limit,4,", "limit,3,", "", "", 4, 3),
        ("block,2,", "block,3,", "block", "", 2, 1),
        ("fort allowance,2,", "fort allowance,3,", "fort", "fort", 2, 3),
        ("fort allowance,2,", "fort allowance,3,", "fort", "", 2, 1),
    ],
)
def test_7_1_a_data_pack_may_change_each_of_them(row, changed, kind, below, own, theirs):
    printed = read(find("case-orange").tables()["stacking.csv"])
    assert row in printed
    assert fitting({}, kind, below) == own
    assert fitting({"stacking.csv": edited(printed, row, changed)}, kind, below) == theirs
