"""The ground: heights, Cover, spotting ranges and movement costs, on a small board of this book."""

from __future__ import annotations

import pytest

from opfire.core.actions import Refusal
from opfire.core.errors import BadInput
from opfire.rulesets.panzer.ground import Ground
from opfire.rulesets.panzer.moving import costs
from opfire.rulesets.panzer.moving.costs import Step
from opfire.rulesets.panzer.sighting import ranges
from opfire.rulesets.panzer.sighting.sight import blocked
from opfire.space.boards import parse_board
from opfire.space.hexmap import single
from rules.panzer.battle import game
from rules.panzer.kit import CHARTS, rule, vehicle

BOARD = """
id = "valley"
number = "1"
title = "A Valley"
edges = "whole"
legend = "panzer"
columns = 7
rows = 5

hexes = '''
.   .   .   W   .   H   .
.   1   2   W   .   H   .
.   1   3   W   c   H   .
u   ~   .   T   sc  r   .
.   .   .   B   .   .   =
'''

roads   = ["< A2 B2 C3 D3 E3 F3 G3 >", "B3 B4 B5"]
bridges = { B4 = "wood" }
storeys = { D5 = 2 }

[sides]
slope    = ["A1/B1", "A2/B1", "A2/B2", "A3/B2", "B2/C3", "B1/C2", "B2/C2", "B3/C3", "C2/C3"]
wall     = ["A1/A2"]
hedgerow = ["E1/E2"]
crest    = ["F4/F5"]
""".replace("sc", "s ")
GROUND = Ground(single(parse_board(BOARD)), CHARTS)


def hex(name: str) -> str:
    """The name of a hex of the board."""
    return f"1-{name}"


def at(name: str) -> tuple[int, int]:
    """The coordinates of a hex."""
    return GROUND.map.coords[hex(name)]


def price(a: str, b: str, traction: str = "T") -> Step | str:
    """The price of a step across country, or the rule that forbids it."""
    found = costs.step(GROUND, hex(a), hex(b), traction)  # type: ignore[arg-type]
    return found.rule if isinstance(found, Refusal) else found


# --- heights


@rule("4.1.4.1", "4.1.4.1.4", "4.1.4.1.6", "4.1.4.1.7", "4.1.4.1.3")
@pytest.mark.parametrize(
    ("name", "height", "top"),
    [
        ("A1", 0, 0),
        ("B2", 1, 1),
        ("C3", 3, 3),
        ("A4", -1, -1),
        ("B4", 0, 0),
        ("D1", 0, 3),
        ("F1", 0, 4),
        ("D4", 0, 1),
        ("D5", 0, 2),
        ("E3", 0, 0),
    ],
)
def test_heights_of_ground_and_of_the_things_on_it(name: str, height: int, top: int) -> None:
    assert (GROUND.height(at(name)), GROUND.top(at(name))) == (height, top)


@rule("4.1.4.1.5", "4.1.4.1.10")
def test_crests_and_hedgerows_rise_a_height_above_their_hexes() -> None:
    assert GROUND.hexside(at("E1"), at("E2")) == 1
    assert GROUND.hexside(at("F4"), at("F5")) == 1
    assert GROUND.hexside(at("A1"), at("A2")) == 0


@rule("4.1.4.1.3-a")
def test_a_road_opens_the_line_through_the_woods() -> None:
    assert blocked(CHARTS, GROUND, at("C4"), at("E4")) is not None
    assert blocked(CHARTS, GROUND, at("C5"), at("C4")) is None


@rule("4.1.4.1.2")
def test_a_line_along_the_edge_meets_nothing_beyond_it() -> None:
    """Hexes of the last row see each other past the corners of hexes that the map does not have."""
    state = game().state
    assert state.setting.line("1-H8", "1-L8") is None
    assert state.setting.line("1-A1", "1-E1") is None


def test_terrain_of_another_legend_is_refused() -> None:
    size = 'id = "b"\nnumber = "1"\ntitle = "B"\nedges = "whole"\ncolumns = 2\nrows = 1\n'
    with pytest.raises(BadInput, match="'broken'"):
        Ground(single(parse_board(size + 'hexes = "b ."')), CHARTS)


# --- Cover and spotting


@rule("4.1.3", "4.1.3-a", "4.1.3-e", "4.1.4.1.3")
@pytest.mark.parametrize(
    ("name", "cover"), [("A1", "none"), ("D1", "medium"), ("E3", "medium"), ("F4", "light"), ("D4", "light")]
)
def test_cover_for_spotting(name: str, cover: str) -> None:
    assert GROUND.cover(hex(name), "spotting") == cover


@rule("4.1.3", "4.1.3-a", "4.1.3-b", "4.1.3-c")
@pytest.mark.parametrize(
    ("cover", "marker", "row"),
    [
        ("none", "", 0),
        ("light", "", -1),
        ("heavy", "", -3),
        ("heavy", "fire", 0),
        ("none", "move", 2),
        ("none", "fire", 2),
        ("medium", "move", 0),
    ],
)
def test_spotting_ranges_by_cover_and_deed(cover: str, marker: str, row: int) -> None:
    reach = ranges.spotting_range(CHARTS, cover, marker)  # type: ignore[arg-type]
    assert reach == CHARTS.spotting[row].vehicle


@rule("3.8", "4.1.3.2")
def test_six_vehicles_in_a_hex_have_no_cover() -> None:
    assert ranges.in_crowd("heavy", 5) == "heavy"
    assert ranges.in_crowd("heavy", 6) == "none"


@rule("4.1.1", "4.1.3")
def test_the_unarmed_spot_nobody_and_the_far_are_not_spotted() -> None:
    truck, tank = ranges.unarmed("Truck", False), ranges.unarmed("Tank", True)
    assert truck is not None
    assert truck.rule == "4.1.1"
    assert tank is None
    assert ranges.too_far("Tank", 20, 20) is None
    far = ranges.too_far("Tank", 21, 20)
    assert far is not None
    assert far.rule == "4.1.3"


# --- movement


@rule("4.5.1.1.1", "4.5.1.1.1-a", "3.7")
def test_allowances_are_halved_and_never_fall_below_one() -> None:
    tank = vehicle("t34_41")
    assert [costs.allowance(tank, "cross-country", halvings) for halvings in range(4)] == [6, 3, 1, 1]
    assert (costs.allowance(tank, "path"), costs.allowance(tank, "road")) == (8, 12)


@rule("4.5.1.1.2")
def test_costs_follow_the_terrain_and_the_traction() -> None:
    assert price("E4", "E5") == Step(1)
    assert [price("F5", "F4", traction) for traction in "THW"] == [Step(3), Step(3), Step(4)]  # rough, over a crest
    assert price("G4", "G5") == "4.5.1.1.2"
    assert price("E1", "F1") == "4.5.1.1.2"


@rule("4.5.1.1.2-slope")
def test_changes_of_height_cost_by_their_levels() -> None:
    assert price("A1", "B1") == Step(1)
    assert price("A2", "B2") == Step(2)
    assert price("B2", "C3") == Step(1 + 2)
    assert price("B2", "C3", "W") == "4.5.1.1.2-slope"
    assert price("C3", "C4") == "4.1.4.1.5"


@rule("4.5.1.1.2-wall")
def test_walls_and_hedgerows_stop_all_but_tracks() -> None:
    assert price("A1", "A2") == Step(2)
    assert price("A1", "A2", "H") == "4.5.1.1.2-wall"
    assert price("E1", "E2") == Step(1, True)
    assert price("E1", "E2", "W") == "4.5.1.1.2-wall"


@rule("4.5.1.1.5", "4.5.1.1.5-c", "4.5.1.1.5-d")
def test_roads_cost_one_and_spare_a_level() -> None:
    assert costs.along_road(GROUND, hex("E3"), hex("F3"), "T") == Step(1)
    assert costs.along_road(GROUND, hex("A2"), hex("B2"), "T") == Step(1)
    assert costs.along_road(GROUND, hex("B2"), hex("C3"), "T") == Step(2)
    assert price("E3", "F3") == Step(1)  # heavy woods, along the road
    off = costs.along_road(GROUND, hex("A1"), hex("A2"), "T")
    assert isinstance(off, Refusal)
    assert off.rule == "4.5.1.1.5"


@rule("4.5.1.1.6")
def test_a_bridge_is_entered_and_left_along_its_road() -> None:
    assert price("B5", "B4") == Step(1)
    assert price("A4", "B4") == "4.5.1.1.6"
    assert price("B4", "C5") == "4.5.1.1.6"


@rule("4.5.1.1.7")
def test_reverse_costs_twice() -> None:
    assert costs.reversed_step(Step(3)) == Step(6)
    assert [costs.ahead_or_back(2, way) for way in range(6)] == [None, None, "forward", None, None, "reverse"]


@rule("4.5.1.1.4")
def test_one_hexside_of_turning_is_free() -> None:
    assert [costs.turn_cost(GROUND, hex("D1"), sides) for sides in range(4)] == [0, 0, 3, 3]
