"""Lines of sight [4.1.4]: obstacles, Blind Zones, hexsides, gullies, roads and slopes, on ground by few numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest

from opfire.rulesets.panzer.sighting.sight import blind_zone, blocked, hides
from opfire.space.hexes import Coord, disc, rotate
from rules.panzer.kit import CHARTS, rule

Pair = frozenset[Coord]
START = (0, 0)


def north(hexes: int) -> Coord:
    """The hex at this distance due north of the start."""
    return (0, -hexes)


@dataclass
class Ground:
    """Level ground, with other heights, trees, hexsides, roads, channels and slopes by coordinates."""

    heights: Mapping[Coord, int] = field(default_factory=dict)
    trees: Mapping[Coord, int] = field(default_factory=dict)
    sides: Mapping[Pair, int] = field(default_factory=dict)
    roads: frozenset[Pair] = frozenset()
    channels: frozenset[Pair] = frozenset()
    slopes: frozenset[Pair] = frozenset()

    def height(self, at: Coord) -> int:
        return self.heights.get(at, 0)

    def top(self, at: Coord) -> int:
        return self.height(at) + self.trees.get(at, 0)

    def hexside(self, a: Coord, b: Coord) -> int:
        return self.sides.get(frozenset((a, b)), 0)

    def straight(self, a: Coord, b: Coord, kind: str) -> bool:
        return frozenset((a, b)) in (self.roads if kind == "road" else self.channels)

    def slope(self, a: Coord, b: Coord) -> bool:
        return frozenset((a, b)) in self.slopes

    def name(self, at: Coord) -> str:
        return f"{at[0]},{at[1]}"


def column(hexes: int) -> frozenset[Pair]:
    """The pairs of neighbours along the first hexes due north."""
    return frozenset(frozenset((north(n), north(n + 1))) for n in range(hexes))


def rule_of(ground: Ground, end: Coord, start: Coord = START) -> str | None:
    """The rule by which the line is blocked, the same both ways."""
    there, back = blocked(CHARTS, ground, start, end), blocked(CHARTS, ground, end, start)
    assert (there is None) == (back is None)
    return there.rule if there else None


@rule("4.1.4", "4.1.4.1.1", "4.1.4.1.2")
def test_open_ground_hides_nobody() -> None:
    assert rule_of(Ground(), north(9)) is None
    assert rule_of(Ground(heights={north(4): -1}), north(9)) is None


@rule("4.1.4")
def test_an_obstacle_blocks_between_two_units_and_not_in_their_own_hexes() -> None:
    assert rule_of(Ground(trees={north(4): 3}), north(9)) == "4.1.4.2.1"
    assert rule_of(Ground(trees={START: 3, north(9): 3}), north(9)) is None


@rule("4.1.4.2", "4.1.4.2.1")
@pytest.mark.parametrize("height", [0, 1, 2])
def test_an_obstacle_higher_than_both_blocks(height: int) -> None:
    ground = Ground(heights={START: height, north(6): height}, trees={north(3): 3})
    assert rule_of(ground, north(6)) == "4.1.4.2.1"


@rule("4.1.4.2.2")
def test_an_obstacle_as_high_as_the_higher_unit_blocks() -> None:
    assert rule_of(Ground(heights={START: 3}, trees={north(3): 3}), north(6)) == "4.1.4.2.2"


@rule("4.1.4.2.3")
def test_an_obstacle_as_low_as_the_lower_unit_does_not_block() -> None:
    assert rule_of(Ground(heights={START: 5, north(6): 3}, trees={north(3): 3}), north(6)) is None


@rule("4.1.4.2.4")
@pytest.mark.parametrize(
    ("high", "steps", "zone"),
    [(4, 6, 3), (4, 7, 3), (5, 8, 2), (5, 3, 1), (6, 16, 2), (6, 7, 1), (7, 20, 1), (9, 20, 1)],
)
def test_the_blind_zone_behind_woods(high: int, steps: int, zone: int) -> None:
    assert blind_zone(CHARTS, 0, high - 3, steps) == zone
    ground = Ground(heights={START: high}, trees={north(steps): 3})
    assert rule_of(ground, north(steps + zone)) == "4.1.4.2.4"
    assert rule_of(ground, north(steps + zone + 1)) is None


@rule("4.1.4.2.4", "4.1.4.1.10")
@pytest.mark.parametrize(("high", "zone"), [(2, 2), (3, 1), (5, 1)])
def test_the_zone_behind_a_hedgerow_begins_with_the_hex_behind_it(high: int, zone: int) -> None:
    """The hedgerow is 1 high, five hexes away: half of five behind it from one Height above, a quarter from two."""
    ground = Ground(heights={START: high}, sides={frozenset((north(4), north(5))): 1})
    assert rule_of(ground, north(4)) is None
    hidden = [hexes for hexes in range(5, 12) if rule_of(ground, north(hexes)) == "4.1.4.2.4"]
    assert hidden == [*range(5, 5 + zone)]


@rule("4.1.4.2.4.1")
@pytest.mark.parametrize(("low", "zone"), [(-1, 6), (0, 6), (1, 4), (2, 3)])
def test_the_height_of_the_lower_unit_changes_the_divisor(low: int, zone: int) -> None:
    assert blind_zone(CHARTS, low, 1, 12) == zone


@rule("4.1.4.2.5")
def test_units_see_one_hex_into_woods_and_out_of_them() -> None:
    woods = Ground(trees=dict.fromkeys([north(5), north(6), north(7)], 3))
    assert rule_of(woods, north(5)) is None
    assert rule_of(woods, north(6)) == "4.1.4.2.1"
    assert rule_of(woods, north(7), north(6)) is None
    assert rule_of(woods, north(7), north(5)) == "4.1.4.2.1"
    hedged = Ground(trees=woods.trees, sides={frozenset((north(6), north(7))): 1})
    assert rule_of(hedged, north(7), north(6)) == "4.1.4.2.1"


@rule("4.1.4.2.6")
def test_woods_block_a_line_along_their_hexside() -> None:
    assert rule_of(Ground(trees={(0, -1): 3}), (1, -2)) == "4.1.4.2.1"
    assert rule_of(Ground(trees={(1, -1): 3}), (1, -2)) == "4.1.4.2.1"


@rule("4.1.4.1.5", "4.1.4.1.10")
def test_crests_and_hedgerows_block_and_so_between_neighbours() -> None:
    hedge = {frozenset((north(2), north(3))): 1}
    assert rule_of(Ground(sides=hedge), north(5)) == "4.1.4.2.1"
    assert rule_of(Ground(sides=hedge), north(3), north(2)) == "4.1.4.2.1"
    assert rule_of(Ground(sides=hedge, heights={START: 1, north(5): 1}), north(5)) is None


@rule("4.1.4.1.6")
def test_a_gully_hides_its_units_from_ground_level() -> None:
    gully = {north(3): -1}
    assert rule_of(Ground(heights=gully), north(3)) == "4.1.4.1.6"
    assert rule_of(Ground(heights=gully), north(3), north(2)) is None
    assert rule_of(Ground(heights={**gully, START: 1}), north(3)) is None
    bed = {north(number): -1 for number in range(6)}
    assert rule_of(Ground(heights=bed, channels=column(5)), north(5)) is None


@rule("4.1.4.1.3-a", "4.1.4.1.7")
def test_a_straight_road_opens_a_line_through_woods() -> None:
    trees = dict.fromkeys([north(2), north(3), north(4)], 3)
    assert rule_of(Ground(trees=trees), north(6)) == "4.1.4.2.1"
    assert rule_of(Ground(trees=trees, roads=column(6)), north(6)) is None
    assert rule_of(Ground(trees=trees, roads=column(3)), north(6)) == "4.1.4.2.1"


@rule("4.1.4.1.5", "4.1.4.1.10", "4.1.4.1.3-a")
def test_a_road_opens_no_line_through_a_crest_or_a_hedgerow() -> None:
    """Roads cancel the blocking of woods and buildings alone; between neighbours hexsides block, too."""
    sides = {frozenset((north(2), north(3))): 1}
    trees = {north(4): 3}
    assert rule_of(Ground(trees=trees, roads=column(6)), north(6)) is None
    assert rule_of(Ground(trees=trees, roads=column(6), sides=sides), north(6)) == "4.1.4.2.1"
    assert rule_of(Ground(roads=column(6), sides=sides), north(3), north(2)) == "4.1.4.2.1"
    above = {START: 1, north(6): 1}
    assert rule_of(Ground(heights=above, roads=column(6), sides=sides), north(6)) is None


@rule("4.1.4.1.6", "4.1.4.1.3-a")
def test_a_road_does_not_show_the_bottom_of_a_gully_from_level_ground() -> None:
    ground = Ground(heights={north(3): -1}, roads=column(6))
    assert rule_of(ground, north(3)) == "4.1.4.1.6"
    assert rule_of(ground, north(3), north(2)) is None
    assert rule_of(ground, north(6)) is None


@rule("4.1.4.1.6")
def test_units_in_two_gullies_do_not_see_each_other_over_the_ground_between() -> None:
    assert rule_of(Ground(heights={START: -1, north(4): -1}), north(4)) == "4.1.4.1.6"
    assert rule_of(Ground(heights={START: -1, north(1): -1}), north(1)) is None
    bed = {north(number): -1 for number in range(5)}
    assert rule_of(Ground(heights=bed, channels=column(4)), north(4)) is None
    assert rule_of(Ground(heights={START: -1, (0, -1): -1, (1, -1): -1, (1, -2): -1}), (1, -2)) is None


@rule("4.1.4.2.6", "4.1.4.1.10")
def test_hedgerows_on_both_sides_of_a_corner_leave_no_gap_in_it() -> None:
    """The line from (0, 0) to (1, -2) leaves its hex by the corner of (0, -1) and (1, -1), and runs between them."""
    left, right = frozenset((START, (0, -1))), frozenset((START, (1, -1)))
    assert rule_of(Ground(sides={left: 1, right: 1}), (1, -2)) == "4.1.4.2.1"
    assert rule_of(Ground(sides={left: 1}), (1, -2)) is None
    assert rule_of(Ground(sides={left: 1, right: 1}, heights={START: 1, (1, -2): 1}), (1, -2)) is None


@rule("4.1.4.1.4", "4.1.4.1.5.1")
def test_slopes_that_fall_all_the_way_do_not_block() -> None:
    hill = {north(number): 4 - number for number in range(4)}
    assert rule_of(Ground(heights=hill), north(3)) == "4.1.4.2.4"
    assert rule_of(Ground(heights=hill, slopes=column(3)), north(3)) is None
    wooded = Ground(heights=hill, slopes=column(3), trees={north(1): 3})
    assert rule_of(wooded, north(3)) == "4.1.4.2.1"


@rule("4.1.4.2.1", "4.1.4.2.4")
def test_sight_is_mutual_and_the_same_on_a_turned_board() -> None:
    ground = Ground(heights={START: 5, (2, -3): 1}, trees={(1, -2): 3, (-2, 1): 3, (0, 2): 4})
    for end in disc(START, 6):
        wanted = rule_of(ground, end)
        for turn in range(1, 6):
            turned = Ground(
                heights={rotate(at, turn): height for at, height in ground.heights.items()},
                trees={rotate(at, turn): height for at, height in ground.trees.items()},
            )
            assert rule_of(turned, rotate(end, turn)) == wanted


@rule("4.1.4.1.2", "4.1.4.2", "4.1.4.2.1", "4.1.4.2.2", "4.1.4.2.3", "4.1.4.2.4")
def test_the_four_cases_of_the_text() -> None:
    assert [hides(CHARTS, height, 0, 2, 4, 6) for height in (3, 2, 1, 0)] == [
        "4.1.4.2.1",
        "4.1.4.2.2",
        "4.1.4.2.4",
        None,
    ]
