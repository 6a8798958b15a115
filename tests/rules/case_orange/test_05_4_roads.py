"""Roads, highways and tracks [5.4 to 5.4.10]. Tests are named after rules, in the book's order."""

from __future__ import annotations

import pytest

from opfire.kit.orders import Pass
from opfire.rulesets.case_orange.costs import road_negated
from opfire.rulesets.case_orange.direct import Attack, Fire
from opfire.rulesets.case_orange.movement import Move
from opfire.rulesets.case_orange.spotting import low, sees
from rules.case_orange.drawing import (
    allowed,
    draw,
    german,
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
ROAD = {"roads": ["A1 B1 C1 D1 E1"]}
TRACK = {"tracks": ["A1 B1 C1 D1 E1"]}
HIGHWAY = {"highways": ["A1 B1 C1 D1 E1"]}
TANK, TRUCK, RIDERS, RIFLE = "pz-iv-h", "truck-german", "cavalry-40-german", "rifle-40-german"
STEP = {TANK: "vehicle", TRUCK: "vehicle", RIDERS: "non-vehicle", RIFLE: "non-vehicle"}


def price(kind, rows, fields, *path, others=(), markers=(), options=()):
    """The factors that a unit of 30 has spent after the path; `others` stand there: (type, hex)."""
    company = {f"other{n}": german(name, hex) for n, (name, hex) in enumerate(others)}
    mover = german(kind, path[0], movement=30)
    game = draw(rows, mover=mover, **company, step=STEP[kind], fields=fields, markers=markers, options=options)
    play(game, *(Move("mover", hex) for hex in path[1:]))
    return spent(game, "mover")


@rule("5.4")
@pytest.mark.parametrize("kind", [TANK, TRUCK, RIDERS])
@pytest.mark.parametrize("terrain", [".", "w", "b", "s", "a", "t", "m"])
def test_5_4_half_a_factor_whatever_the_terrain(kind, terrain):
    assert price(kind, f". {terrain}", {"roads": ["A1 B1"]}, "A1", "B1") == 0.5


@rule("5.4")
def test_5_4_a_road_leads_over_sides_that_are_closed_otherwise():
    game = draw(". w", tank=german(TANK, "A1"), step="vehicle", fields={"roads": ["A1 B1"]})
    assert allowed(game, Move("tank", "B1"))
    game = draw(". w", tank=german(TANK, "A1"), step="vehicle")
    assert refused(game, Move("tank", "B1")) == "5.4.16"


@rule("5.4")
def test_5_4_factor_one_goes_two_hexes_by_road():
    game = draw(ROWS, rifle=german(RIFLE, "A1", movement=1), step="non-vehicle", fields=ROAD)
    play(game, Move("rifle", "B1"), Move("rifle", "C1"))
    assert where(game, "rifle") == "C1"
    assert refused(game, Move("rifle", "D1")) in ("5.1", "5.2")


@rule("5.4.1")
def test_5_4_1_over_another_side_a_road_hex_costs_its_terrain():
    rows = ". s .\ns s s"
    fields = {"roads": ["A1 B1 C1"]}
    assert price(TANK, rows, fields, "A2", "B1") == 3
    assert price(TRUCK, rows, fields, "A2", "B1") == 4
    assert price(TANK, rows, fields, "A1", "B1") == 0.5


@rule("5.4.2")
def test_5_4_2_road_and_other_movement_may_be_mixed():
    """Half for B1 by road, one for B2, one for C2 across country, one back onto the road, half along it."""
    game = draw(ROWS, tank=german(TANK, "A1", movement=30), step="vehicle", fields=ROAD)
    costs = []
    for hex in ("B1", "B2", "C2", "C1", "D1"):
        play(game, Move("tank", hex))
        costs.append(spent(game, "tank"))
    assert costs == [0.5, 1.5, 2.5, 3.5, 4]


@rule("5.4.3")
def test_5_4_3_a_carrier_and_its_load_go_by_road_as_one():
    """The load's own movement factor of one does not matter, and the pair pays once."""
    game = draw(
        ROWS,
        truck=german(TRUCK, "A1", movement=6),
        rifle=german(RIFLE, carrier="truck"),
        step="vehicle",
        fields=ROAD,
    )
    play(game, *(Move("truck", hex) for hex in ("B1", "C1", "D1")))
    assert spent(game, "truck") == 1.5
    assert where(game, "rifle") == "D1"


@rule("5.4.4")
def test_5_4_4_others_are_passed_at_the_road_rate_or_not_as_stacking_says():
    """One platoon of vehicles in C1 leaves the road open, two close it: a full factor in, and another out."""
    slope = ". . s s ."
    one, two = [(TANK, "C1")], [(TANK, "C1")] * 2
    assert price(TANK, slope, ROAD, "B1", "C1", "D1", others=one) == 1
    assert price(TANK, slope, ROAD, "B1", "C1", "D1", others=two) == 3 + 3


@rule("5.4.5")
@pytest.mark.parametrize(
    ("others", "cost"),
    [
        ([], 0.5),
        ([(TANK, "B1")], 0.5),  # one vehicle point
        ([(TANK, "B1"), (TRUCK, "B1")], 3),  # two
        ([(TANK, "B1"), (TANK, "B1"), (TANK, "B1")], 3),
        ([("t-34-76", "B1")], 3),  # a company of vehicles is two
        ([(RIFLE, "B1")] * 3, 0.5),  # no vehicle points at all
        ([(RIFLE, "B1"), (RIFLE, "B1"), (TANK, "B1")], 0.5),
    ],
)
def test_5_4_5_two_vehicle_points_negate_a_road_to_vehicles(others, cost):
    assert price(TANK, ". s .", {"roads": ["A1 B1 C1"]}, "A1", "B1", others=others) == cost


@rule("5.4.5")
def test_5_4_5_three_points_of_any_kind_leave_the_road_to_others():
    for others in ([(RIFLE, "B1")] * 3, [(TANK, "B1")] * 3, [(TANK, "B1"), ("t-34-76", "B1")]):
        assert price(RIDERS, ". s .", {"roads": ["A1 B1 C1"]}, "A1", "B1", others=others) == 0.5


@rule("5.4.5")
def test_5_4_5_four_points_negate_it_to_others():
    """They also fill the hex [7.1], so the move itself is refused; the road is asked by itself."""
    game = draw(
        ". s .",
        mover=german(RIDERS, "A1"),
        company=soviet("rifle-41-soviet", "B1"),
        another=soviet("rifle-41-soviet", "B1"),
        fields={"roads": ["A1 B1 C1"]},
    )
    position = game.state
    found = road_negated(position, unit(game, "mover"), "1-B1", "road")
    assert found is not None
    assert found.rule == "5.4.5"
    assert road_negated(position, unit(game, "mover"), "1-C1", "road") is None


@rule("5.4.5")
def test_5_4_5_a_unit_does_not_negate_its_own_road():
    """A Soviet tank company of two points rides on."""
    assert price("pz-iv-h", ROWS, ROAD, "A1", "B1", "C1") == 1
    game = draw(ROWS, company=german("t-34-76", "A1", movement=30), step="vehicle", fields=ROAD)
    play(game, Move("company", "B1"), Move("company", "C1"))
    assert spent(game, "company") == 1


@rule("5.4.5", "5.7.1")
def test_5_4_5_a_load_counts_no_points_of_its_own():
    """A loaded truck is one point [5.7.1]."""
    game = draw(
        ". s .",
        mover=german(TANK, "A1", movement=30),
        truck=german(TRUCK, "B1"),
        gun=german("ig-75", carrier="truck"),
        step="vehicle",
        fields={"roads": ["A1 B1 C1"]},
    )
    play(game, Move("mover", "B1"))
    assert spent(game, "mover") == 0.5


@rule("5.4.6")
def test_5_4_6_a_negated_road_is_ignored_when_entering_and_when_leaving():
    rows = ". s a ."
    fields = {"roads": ["A1 B1 C1 D1"]}
    two = [(TANK, "B1")] * 2
    assert price(TANK, rows, fields, "A1", "B1", others=two) == 3  # the slope in full
    assert price(TANK, rows, fields, "B1", "C1", others=two) == 2  # the sand in full, though C1's road is free
    assert price(TANK, rows, fields, "B1", "C1") == 0.5


CLOSED = {"roads": ["A1 B1 C1"]}


@rule("5.4.7")
@pytest.mark.parametrize("terrain", ["m", "w", "b"])
def test_5_4_7_what_is_open_by_road_only_is_closed_while_friends_negate_the_road(terrain):
    def game(count):
        others = {f"other{n}": german(TANK, "B1") for n in range(count)}
        return draw(f". {terrain} .", tank=german(TANK, "A1"), **others, step="vehicle", fields=CLOSED)

    assert allowed(game(1), Move("tank", "B1"))
    assert refused(game(2), Move("tank", "B1")) == "5.4.7"


@rule("5.4.7")
@pytest.mark.parametrize("terrain", ["w", "b"])
def test_5_4_7_vehicles_do_not_leave_such_a_hex_over_a_closed_side(terrain):
    def game(count):
        others = {f"other{n}": german(TANK, "B1") for n in range(count)}
        return draw(f". {terrain} .", tank=german(TANK, "B1"), **others, step="vehicle", fields=CLOSED)

    assert allowed(game(1), Move("tank", "A1"))
    assert refused(game(2), Move("tank", "A1")) == "5.4.7"


@rule("5.4.7")
def test_5_4_7_units_on_foot_go_in_across_country():
    others = {f"other{n}": german(TANK, "B1") for n in range(2)}
    game = draw(". w .", rifle=german(RIFLE, "A1"), **others, step="non-vehicle", fields=CLOSED)
    assert allowed(game, Move("rifle", "B1"))


@rule("5.4.8")
def test_5_4_8_a_road_takes_no_defence_away():
    """Woods with a road through them are one on the die all the same."""
    game = draw(
        ". . w",
        tank=german(TANK, "A1"),
        gun=soviet("at-76", "C1", spotted="spotted"),
        fields={"roads": ["A1 B1 C1"]},
    )
    play(game, Attack("tank", "gun"))
    events = play(game, Fire(), dice=[6])
    assert any(line.rule == "9.3.1" and line.amount == 1 for line in events[0].calculation.lines)


GULLY_ROAD = {"roads": ["A1 B1 C1"], "gullies": ["B1 B2"], "bridges": {"B1": "wood"}}


@rule("5.4.8", "5.4.18")
def test_5_4_8_but_that_of_a_gully_from_vehicles_that_travel_along_the_road():
    """On the bridge the tank is seen from afar; one that climbed in beside the road is not [8.2.1.2]."""
    rows = "\n".join([". . . . ."] * 2)
    by_road = draw(
        rows, tank=german(TANK, "A1"), gun=soviet("at-76", "E1", face_up=False), step="vehicle", fields=GULLY_ROAD
    )
    play(by_road, Move("tank", "B1"))
    assert not low(by_road.state, unit(by_road, "tank"))
    assert sees(by_road.state, unit(by_road, "gun"), unit(by_road, "tank"))
    across = draw(
        rows, tank=german(TANK, "A2"), gun=soviet("at-76", "E1", face_up=False), step="vehicle", fields=GULLY_ROAD
    )
    play(across, Move("tank", "B1"))
    assert low(across.state, unit(across, "tank"))
    assert not sees(across.state, unit(across, "gun"), unit(across, "tank"))


@rule("5.4.8", "5.6.1", "5.5.2")
def test_5_4_8_a_bridge_that_is_blocked_or_wrecked_lifts_nobody_out_of_the_gully():
    """Wrecks negate roads for all purposes: who came by road while it was open is in the gully from then on."""
    gun = soviet("at-76", "E1", attack=40)
    tanks = {name: german(TANK, "B1", along_road=True, points=1) for name in ("burning", "other")}
    game = draw("\n".join([". . . . ."] * 2), gun=gun, **tanks, step="direct", side="soviet", fields=GULLY_ROAD)
    assert sees(game.state, unit(game, "gun"), unit(game, "other"))
    play(game, Attack("gun", "burning"), Fire(), dice=[1])
    assert game.state.work("1-B1").wreck == 1
    assert not sees(game.state, unit(game, "gun"), unit(game, "other"))
    blocked = draw(
        "\n".join([". . . . ."] * 2),
        gun=soviet("at-76", "E1"),
        pioneers=german("engineer-german", "B1", charges=2, along_road=True),
        step="begin",
        dice=[1],
        fields=GULLY_ROAD,
    )
    assert blocked.state.work("1-B1").block
    assert not sees(blocked.state, unit(blocked, "gun"), unit(blocked, "pioneers"))


@rule("5.4.9")
@pytest.mark.parametrize("terrain", [".", "w", "s", "m"])
def test_5_4_9_highways_are_roads(terrain):
    assert price(TANK, f". {terrain} .", {"highways": ["A1 B1 C1"]}, "A1", "B1") == 0.5


@rule("5.4.9")
def test_5_4_9_saturated_ground_takes_roads_but_not_highways():
    assert price(TANK, ROWS, HIGHWAY, "A1", "B1", options=["16.1"]) == 0.5
    assert price(TANK, ROWS, ROAD, "A1", "B1", options=["16.1"]) > 0.5


@rule("5.4.9", "5.4.5")
def test_5_4_9_highways_are_negated_as_roads_are():
    fields = {"highways": ["A1 B1 C1"]}
    assert price(TANK, ". s .", fields, "A1", "B1", others=[(TANK, "B1")]) == 0.5
    assert price(TANK, ". s .", fields, "A1", "B1", others=[(TANK, "B1")] * 2) == 3


@rule("5.4.10")
@pytest.mark.parametrize("terrain", [".", "w", "b", "s", "a", "t", "m"])
def test_5_4_10_a_track_costs_as_clear_ground_whatever_the_terrain(terrain):
    fields = {"tracks": ["A1 B1"]}
    assert price(TANK, f". {terrain}", fields, "A1", "B1") == 1
    assert price(RIDERS, f". {terrain}", fields, "A1", "B1") == 1
    # A town costs class C one in itself [5.4.14], and it need not take the track [5.4.2].
    assert price(TRUCK, f". {terrain}", fields, "A1", "B1") == (1 if terrain == "t" else 2)


@rule("5.4.10")
def test_5_4_10_off_the_track_the_terrain_counts():
    assert price(TANK, ". s .\ns s s", {"tracks": ["A1 B1 C1"]}, "A2", "B1") == 3


@rule("5.4.10")
@pytest.mark.parametrize(
    ("others", "cost"),
    [([], 1), ([(RIFLE, "B1")] * 3, 1), ([(TANK, "B1")], 3), ([("t-34-76", "B1")], 3)],
)
def test_5_4_10_one_vehicle_point_negates_a_track_to_vehicles(others, cost):
    assert price(TANK, ". s .", {"tracks": ["A1 B1 C1"]}, "A1", "B1", others=others) == cost


@rule("5.4.10")
@pytest.mark.parametrize(
    ("others", "cost"),
    [([(RIFLE, "B1")], 1), ([(TANK, "B1")], 1), ([(RIFLE, "B1")] * 2, 3), ([("t-34-76", "B1")], 3)],
)
def test_5_4_10_two_points_of_any_kind_negate_it_to_others(others, cost):
    assert price(RIDERS, ". s .", {"tracks": ["A1 B1 C1"]}, "A1", "B1", others=others) == cost


@rule("5.4.10", "5.6.1")
def test_5_4_10_wrecks_negate_tracks():
    fields = {"tracks": ["A1 B1 C1"]}
    assert price(TANK, ". s .", fields, "A1", "B1", markers=[marker("wreck", "B1", value="1")]) == 3


@rule("5.4.10", "5.5.2")
def test_5_4_10_blocks_negate_tracks():
    game = draw(
        ". s .",
        tank=german(TANK, "A1", movement=2),
        step="vehicle",
        fields={"tracks": ["A1 B1 C1"]},
        markers=[marker("block", "B1")],
    )
    assert refused(game, Move("tank", "B1")) == "5.1"  # three for the slope
    assert refused(game, Pass()) == "procedure"
