"""Half points [9.1.2]: stretches of ground of one price are rounded up, over all legs of a move (RULINGS.md R20)."""

from __future__ import annotations

from itertools import pairwise

import pytest

from opfire.core.game import Game
from opfire.rulesets.micro_armour.moving.marching import Move
from opfire.rulesets.micro_armour.pieces import Position
from opfire.rulesets.micro_armour.shown import moves
from opfire.space.measure import MICRO
from rules.micro_armour.kit import rule
from rules.micro_armour.marches import against, area, go, inches, leg, line, march, points
from rules.micro_armour.test_other_readings import on

SHERMAN = (("us-m4-sherman", "5,5"),)
"""A tank with ten points: one for an inch of clear ground, three for one of woods, half a one for one of good road."""


def spent(made: Game[Position]) -> int:
    return made.state.units["red-1"].spent


@rule("9.1.2")
@pytest.mark.parametrize(("options", "wanted"), [((), 5.0), (("R20",), 4.6)])
def test_9_1_2_each_stretch_of_ground_is_rounded_up_to_half_a_point(options: tuple[str, ...], wanted: float) -> None:
    """1.3 inches of clear ground at a point, and 1.1 inches of woods at three: 1.5 and 3.5, or exactly 1.3 and 3.3."""
    made = march(SHERMAN, ground=area("woods", 6.3, 3, 12, 7), more=on(*options) + "\n")
    go(made, "red-1", 7.4, 5, 90)
    assert spent(made) == pytest.approx(points(wanted), abs=10)


@rule("9.1.2")
@pytest.mark.parametrize(("options", "wanted"), [((), 3), (("R20",), 2.7)])
def test_9_1_2_short_legs_over_the_same_ground_cost_no_more_than_one(options: tuple[str, ...], wanted: float) -> None:
    """Nine legs of 0.3 inch are 2.7 inches: three points, not nine halves; a tenth reaches three inches and is paid."""
    made = march(SHERMAN, more=on(*options) + "\n")
    for number in range(1, 10):
        go(made, "red-1", 5 + 0.3 * number, 5, 90)
    assert spent(made) == pytest.approx(points(wanted), abs=20)
    go(made, "red-1", 8, 5, 90)
    assert spent(made) == pytest.approx(points(3), abs=20)


@rule("9.1.2")
def test_9_1_2_a_new_stretch_begins_where_the_price_changes() -> None:
    """0.3 inch of clear ground, 0.3 of woods (0.9 points), and 0.3 of clear ground again: 0.5, 1 and 0.5."""
    made = march(SHERMAN, ground=area("woods", 5.3, 3, 5.6, 7))
    seen = [spent(made) for x in (5.3, 5.6, 5.9) if go(made, "red-1", x, 5, 90)]
    assert seen == [points(0.5), points(1.5), points(2)]


@rule("9.1.2", "8.3.1-points")
def test_9_1_2_the_rest_of_a_half_point_is_good_for_more_of_the_same_ground() -> None:
    """9.6 inches take ten points; 0.4 inch of the same ground is paid, and not a hundredth of an inch more."""
    made = march(SHERMAN)
    go(made, "red-1", 14.6, 5, 90)
    assert spent(made) == points(10)
    assert against(made, leg("red-1", 15.01, 5)) == "8.3.1-points"
    go(made, "red-1", 15, 5, 90)
    assert spent(made) == points(10)


@rule("9.1.2")
@pytest.mark.parametrize(("x", "wanted"), [(7.0, 2), (7.004, 2), (7.01, 2.5)])
def test_9_1_2_a_few_thousandths_of_an_inch_cost_nothing(x: float, wanted: float) -> None:
    made = march(SHERMAN)
    go(made, "red-1", x, 5, 90)
    assert spent(made) == points(wanted)


@rule("9.1.2", "8.3.1-points")
def test_9_1_2_whole_inches_cost_the_printed_points() -> None:
    """Two inches of woods take six points of a tracked vehicle, eight inches of good road four."""
    made = march(SHERMAN, ground=area("woods", 0, 0, 7, 10) + line("good-road", "7,5 30,5"))
    go(made, "red-1", 7, 5, 90)
    assert spent(made) == points(6)
    go(made, "red-1", 15, 5, 90)
    assert spent(made) == points(10)
    assert against(made, leg("red-1", 15.5, 5)) == "8.3.1-points"


@rule("8.3.2-min")
def test_8_3_2_the_first_inch_is_always_allowed() -> None:
    """A tank with half a point left goes an inch through marsh, for five points, and no farther."""
    made = march(SHERMAN, ground=area("marsh", 0, 0, 20, 10), red_1={"spent": points(9.5)})
    assert against(made, leg("red-1", 6.1, 5)) == "8.3.1-points"
    go(made, "red-1", 6, 5, 90)
    assert spent(made) == points(14.5)


@rule("9.1.2", "8.3.2-pay")
def test_9_1_2_the_price_of_a_route_follows_its_stretches() -> None:
    """Two legs of 0.3 inch cost a point, for they are 0.6 inch; three cost it too."""
    made = march(SHERMAN)
    route = [leg("red-1", 5 + 0.3 * number, 5, 90) for number in (1, 2, 3)]
    costs = [moves.price(made.state, "red", action=route[0], then=tuple(route[1:n]))["cost"] for n in (1, 2, 3)]
    assert costs == [0.5, 1, 1]


PATCHES = area("woods", 6.3, 3, 7.2, 6.8) + area("marsh", 2, 2, 4.1, 5.2) + line("good-road", "4,8 5.5,6.2 9,6.4 14,9")
"""Woods and a marsh beside a tank, and a road that bends around it."""


@rule("9.1.2", "8.3.1-points")
@pytest.mark.parametrize("options", [(), ("R20",)])
@pytest.mark.parametrize("place", ["5,5", "5.13,5.29"])
def test_8_3_1_every_way_of_the_reach_costs_as_much_as_it_promises(place: str, options: tuple[str, ...]) -> None:
    """The legs along each way, one after the other, take the points of the reach and are never refused."""
    made = march((("us-m4-sherman", place),), ground=PATCHES, more=on(*options) + "\n", red_1={"spent": points(5.5)})
    tank = made.state.units["red-1"]
    found = moves.reached(made.state, tank)
    assert max(found.costs.values()) == pytest.approx(points(4.5), abs=MICRO // 10)
    for end, cost in found.costs.items():
        first, *then = [Move("red-1", to, 0) for _, to in pairwise(found.route(end))] or [None]
        if first is not None and end in made.state.table:
            told = moves.price(made.state, "red", action=first, then=tuple(then))
            assert told["rule"] is None, end
            assert told["cost"] * MICRO == pytest.approx(cost, abs=300)


@rule("9.1.2", "8.3.1-points")
def test_8_3_1_the_reach_of_a_stand_under_way_goes_on_with_its_stretch() -> None:
    """After 0.7 inch, for a point, half a point more takes the tank to an inch and a half, not to two."""
    made = march(SHERMAN, red_1={"spent": points(8.5)})
    go(made, "red-1", 5.7, 5, 90)
    costs = moves.reached(made.state, made.state.units["red-1"]).costs
    assert costs[inches(6, 5)] == 0
    assert costs[inches(6.5, 5)] == points(0.5)
    assert inches(7, 5) not in costs
