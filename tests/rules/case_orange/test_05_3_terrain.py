"""Terrain effects on movement [5.3, 5.4.11 to 5.4.20, 15.2]. Tests are named after rules, in the book's order."""

from __future__ import annotations

import pytest

from opfire.rulesets.case_orange import costs
from opfire.rulesets.case_orange.movement import Move
from rules.case_orange.drawing import allowed, draw, german, play, refused, rule, spent, where

TANK, TRUCK, HALF_TRACK = "pz-iv-h", "truck-german", "half-track-german"
RIDERS = "cavalry-40-german"
STEP = {TANK: "vehicle", TRUCK: "vehicle", HALF_TRACK: "vehicle", RIDERS: "non-vehicle"}


def price(kind, rows, *path, fields=None, options=()):
    """The factors that a unit of 30 has spent after the hexes of the path; the first is where it begins."""
    game = draw(rows, mover=german(kind, path[0], movement=30), step=STEP[kind], fields=fields, options=options)
    play(game, *(Move("mover", hex) for hex in path[1:]))
    return spent(game, "mover")


OPEN = {"open": ["A1/B1"]}

PRICES = [  # terrain, others, class C [5.4.11 to 5.4.15, 5.4.20]
    (".", 1, 2),
    ("w", 1, 2),
    ("s", 3, 4),
    ("b", 3, 4),
    ("a", 2, 4),
    ("t", 1, 1),
]


@rule("5.3")
@pytest.mark.parametrize(("terrain", "others", "class_c"), PRICES)
def test_5_3_every_terrain_has_its_price(terrain, others, class_c):
    for kind, expected in ((TANK, others), (HALF_TRACK, others), (RIDERS, others), (TRUCK, class_c)):
        fields = OPEN if terrain in "wb" else None
        assert price(kind, f". {terrain}", "A1", "B1", fields=fields) == expected, kind


@rule("5.3")
def test_5_3_a_village_costs_as_clear_ground():
    fields = {"roads": ["B1 B2"]}
    rows = ". v\n. ."
    assert price(TANK, rows, "A1", "B1", fields=fields) == 1
    assert price(TRUCK, rows, "A1", "B1", fields=fields) == 2


@rule("5.3")
@pytest.mark.parametrize(("terrain", "others", "class_c"), PRICES)
def test_5_3_exactly_enough_is_enough_and_one_less_is_not(terrain, others, class_c):
    for kind, cost, clear in ((TANK, others, 1), (TRUCK, class_c, 2)):
        fields = {"open": ["B1/C1"]} if terrain in "wb" else None
        for short in (0, 1):
            game = draw(
                f". . {terrain}",
                mover=german(kind, "A1", movement=clear + cost - short),
                step="vehicle",
                fields=fields,
            )
            play(game, Move("mover", "B1"))
            if not short:
                assert allowed(game, Move("mover", "C1"))
            else:
                assert refused(game, Move("mover", "C1")) in ("5.1", "5.2")


@rule("5.3.1")
def test_5_3_1_only_the_most_costly_terrain_of_a_hex_counts():
    """A wooded slope costs three, not four; a wooded broken one too; a town on a slope three."""
    assert price(RIDERS, ". sw", "A1", "B1") == 3
    assert price(TRUCK, ". sw", "A1", "B1", fields=OPEN) == 4
    assert price(TANK, ". st", "A1", "B1") == 3
    assert price(TRUCK, ". st", "A1", "B1") == 4
    assert price(TANK, ". at", "A1", "B1") == 2
    assert price(TRUCK, ". at", "A1", "B1") == 4


@rule("5.3.1", "5.4.17.1")
def test_5_3_1_leaving_a_gully_comes_on_top():
    gully = {"gullies": ["A1 A2"]}
    rows = ". s\n. ."
    assert price(TANK, rows, "A1", "B1", fields=gully) == 6
    assert price(TRUCK, rows, "A1", "B1", fields=gully) == 9


@rule("5.3.2")
def test_5_3_2_class_c_pays_more_but_class_c_i_does_not():
    for rows, more in ((". .", 1), (". s", 1), (". a", 2)):
        assert price(TRUCK, rows, "A1", "B1") - price(HALF_TRACK, rows, "A1", "B1") == more


@rule("5.3.2")
def test_5_3_2_in_town_class_c_pays_no_more():
    """5.4.14: all units one."""
    assert price(TRUCK, ". t", "A1", "B1") == price(HALF_TRACK, ". t", "A1", "B1") == 1


@rule("5.3.1")
def test_5_4_15_a_hilltop_costs_as_the_other_terrain_in_it():
    rows = "s h\ns hw"
    assert price(TANK, rows, "A1", "B1") == 1
    assert price(TRUCK, rows, "A1", "B1") == 2
    assert price(TANK, "s hb", "A1", "B1", fields=OPEN) == 3


@rule("5.4.16")
@pytest.mark.parametrize("terrain", ["w", "b"])
@pytest.mark.parametrize("kind", [TANK, TRUCK, HALF_TRACK])
def test_5_4_16_vehicles_cross_no_woods_or_broken_side(kind, terrain):
    for rows in (f". {terrain}", f"{terrain} ."):  # into it, and out of it
        game = draw(rows, mover=german(kind, "A1", movement=20), step="vehicle")
        assert refused(game, Move("mover", "B1")) == "5.4.16"


@rule("5.4.16")
def test_5_4_16_within_the_woods_there_is_no_side_to_cross():
    game = draw("w w", tank=german(TANK, "A1"), step="vehicle")
    assert allowed(game, Move("tank", "B1"))


@rule("5.4.16")
@pytest.mark.parametrize("way", ["roads", "tracks"])
@pytest.mark.parametrize("terrain", ["w", "b"])
def test_5_4_16_by_road_or_track_vehicles_cross_it(way, terrain):
    game = draw(f". {terrain}", tank=german(TANK, "A1"), step="vehicle", fields={way: ["A1 B1"]})
    assert allowed(game, Move("tank", "B1"))


@rule("5.4.16")
def test_5_4_16_but_not_along_a_gully():
    game = draw(". w", tank=german(TANK, "A1"), step="vehicle", fields={"gullies": ["A1 B1"]})
    assert refused(game, Move("tank", "B1")) == "5.4.16"


@rule("5.4.16")
def test_5_4_16_units_on_foot_cross_it_and_town_sides_close_to_nobody():
    game = draw(". w", rifle=german("rifle-40-german", "A1"), step="non-vehicle")
    assert allowed(game, Move("rifle", "B1"))
    game = draw(". t", tank=german(TANK, "A1"), step="vehicle")
    assert allowed(game, Move("tank", "B1"))


GULLY = {"gullies": ["B1 B2 B3"]}
THREE = "\n".join([". . ."] * 4)


@rule("5.4.17.1")
def test_5_4_17_1_entering_a_gully_costs_only_the_other_terrain():
    assert price(TANK, THREE, "A1", "B1", fields=GULLY) == 1
    assert price(TRUCK, THREE, "A1", "B1", fields=GULLY) == 2
    assert price(TANK, ". s\n. .", "A1", "B1", fields={"gullies": ["B1 B2"]}) == 3


@rule("5.4.17.1")
def test_5_4_17_1_vehicles_pay_three_more_to_leave_it_class_c_five():
    assert price(TANK, THREE, "B1", "A1", fields=GULLY) == 1 + 3
    assert price(HALF_TRACK, THREE, "B1", "A1", fields=GULLY) == 1 + 3
    assert price(TRUCK, THREE, "B1", "A1", fields=GULLY) == 2 + 5


@rule("5.4.17.1")
def test_5_4_17_1_vehicles_pay_the_same_to_move_along_it():
    assert price(TANK, THREE, "B1", "B2", fields=GULLY) == 1 + 3
    assert price(TRUCK, THREE, "B1", "B2", fields=GULLY) == 2 + 5


@rule("5.4.17.1")
def test_5_4_17_1_units_on_foot_pay_nothing_more():
    assert price(RIDERS, THREE, "B1", "A1", fields=GULLY) == 1
    assert price(RIDERS, THREE, "B1", "B2", fields=GULLY) == 1


@rule("5.4.17.2")
def test_5_4_17_2_the_hex_where_a_gully_ends_is_a_gully():
    """B3 has a gully on one side only."""
    assert price(TANK, THREE, "B3", "A3", fields=GULLY) == 4
    assert price(TANK, THREE, "A4", "A3", fields=GULLY) == 1


@rule("5.4.18")
def test_5_4_18_a_ford_is_clear_ground():
    ford = GULLY | {"fords": ["B2"]}
    assert price(TANK, THREE, "B2", "A2", fields=ford) == 1
    assert price(TRUCK, THREE, "B2", "A2", fields=ford) == 2
    assert price(TANK, THREE, "B1", "B2", fields=ford) == 4  # out of the gully into the ford


@rule("5.4.18")
@pytest.mark.parametrize(("way", "there", "back"), [("roads", 0.5, 0.5), ("tracks", 1, 1)])
def test_5_4_18_by_road_or_track_a_gully_is_crossed_as_if_it_were_none(way, there, back):
    fields = GULLY | {way: ["A2 B2 C3"], "bridges": {"B2": "wood"}}
    assert price(TANK, THREE, "A2", "B2", fields=fields) == there
    assert price(TANK, THREE, "A2", "B2", "C3", fields=fields) == there + back


@rule("5.4.18")
def test_5_4_18_whoever_leaves_the_bridge_off_the_road_is_in_the_gully():
    fields = GULLY | {"roads": ["A2 B2 C3"], "bridges": {"B2": "wood"}}
    assert price(TANK, THREE, "B2", "B3", fields=fields) == 4


@rule("5.4.19")
@pytest.mark.parametrize(("kind", "step"), [(TANK, "vehicle"), (TRUCK, "vehicle"), ("rifle-40-german", "non-vehicle")])
def test_5_4_19_water_is_closed_to_all(kind, step):
    game = draw(". ~", mover=german(kind, "A1"), step=step)
    assert refused(game, Move("mover", "B1")) == "5.4.19"


@rule("5.4.20")
def test_5_4_20_swamp_is_closed_to_vehicles_and_costs_others_one():
    for kind in (TANK, TRUCK, HALF_TRACK):
        game = draw(". m", mover=german(kind, "A1"), step="vehicle")
        assert refused(game, Move("mover", "B1")) == "5.4.20"
    assert price(RIDERS, ". m", "A1", "B1") == 1


@rule("5.4.19", "5.4.20")
@pytest.mark.parametrize(("cost", "closed"), [(0, False), (1, False), (-1, True)])
def test_5_4_20_ground_that_a_data_pack_makes_free_is_not_closed(monkeypatch, cost, closed):
    game = draw(". m", tank=german(TANK, "A1"), step="vehicle")
    monkeypatch.setattr(costs, "terrain_cost", lambda *_: cost)
    assert (costs.closed_hex(game.state, game.state.units["tank"], "1-B1") is not None) is closed


@rule("5.4.20")
@pytest.mark.parametrize(("way", "cost"), [("roads", 0.5), ("tracks", 1)])
def test_5_4_20_by_road_or_track_vehicles_enter_swamp(way, cost):
    assert price(TANK, ". m", "A1", "B1", fields={way: ["A1 B1"]}) == cost


@rule("5.4.20")
def test_5_4_20_but_not_past_a_block():
    game = draw(
        ". m",
        tank=german(TANK, "A1"),
        step="vehicle",
        fields={"roads": ["A1 B1"]},
        markers=[{"kind": "block", "at": "1-B1"}],
    )
    assert refused(game, Move("tank", "B1")) in ("5.4.20", "5.5.2")
    assert where(game, "tank") == "A1"
