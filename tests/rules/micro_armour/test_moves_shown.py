"""A move before it is made [8.3]: its price leg by leg, the reach of its stand with all costs."""

from __future__ import annotations

from typing import Any

from opfire.core.texts import spoken, translation
from opfire.rulesets.micro_armour import RULESET
from opfire.rulesets.micro_armour.moving.marching import Move
from opfire.rulesets.micro_armour.pieces import Position
from opfire.rulesets.micro_armour.shown import moves
from rules.micro_armour.kit import PANZER, RIFLES, T34, position, rule

WOODS = '[[table.areas]]\nkind = "woods"\npoints = "12,12 14,12 14,18 12,18"'
WATER = '[[table.areas]]\nkind = "water"\npoints = "12,12 14,12 14,18 12,18"'


def tank(terrain: str = "", soviet: str = "38,3", kind: str = T34) -> Position:
    """A tank with 10 points for a turn, one for an inch of open ground, in the movement posture."""
    made = position([(PANZER, "10,15")], [(kind, soviet)], terrain=terrain)
    made.change("german-1", posture="movement", facing=90)
    return made


def price(made: Position, *corners: tuple[int, int]) -> dict[str, Any]:
    first, *then = [Move("german-1", (x * 1000, y * 1000), 90) for x, y in corners]
    return moves.price(made, "german", action=first, then=tuple(then))


@rule("8.3.2-pay")
def test_8_3_2_a_route_is_priced_leg_by_leg() -> None:
    told = price(tank(), (13, 15), (13, 19))
    assert (told["cost"], told["left"], told["text"], told["unit"]) == (7, 3, None, "movement points")


def test_8_3_2_the_unit_of_costs_is_told_in_the_readers_language() -> None:
    with spoken(translation("de", RULESET.package)):
        assert price(tank(), (13, 15))["unit"] == "Bewegungspunkte"


@rule("8.3.2-pay")
def test_8_3_2_woods_cost_three_points_an_inch_of_a_tracked_vehicle() -> None:
    assert price(tank(WOODS), (13, 15))["cost"] == 5


@rule("8.3.1-points")
def test_8_3_1_a_later_leg_beyond_the_points_is_refused_with_its_rule() -> None:
    told = price(tank(), (16, 15), (16, 20))
    assert told["rule"] == "8.3.1-points"
    assert told["left"] == 0


@rule("8.3.1-points")
def test_8_3_1_the_reach_has_costs_and_ways_and_goes_round_water() -> None:
    told = moves.reach(tank(WATER), "german", unit="german-1")
    nodes = {(x, y): cost for x, y, cost, _ in told["nodes"]}
    assert told["left"] == 10
    assert told["nodes"][0] == (10000, 15000, 0, 0)
    assert 4000 <= nodes[10000, 19000] <= 4130  # a lattice is dearer by three in a hundred at most
    assert (13000, 15000) not in nodes
    assert nodes[15000, 15000] > 6000
    assert told["polygons"]


@rule("8.3.5-others")
def test_8_3_5_the_reach_goes_past_no_enemy() -> None:
    made = tank(soviet="14,15", kind=RIFLES)
    assert not any((x, y) == (14000, 15000) for x, y, *_ in moves.reach(made, "german", unit="german-1")["nodes"])


@rule("8.3.1-points")
def test_8_3_1_a_stand_that_has_moved_has_no_reach() -> None:
    made = tank()
    made.change("german-1", moved=True)
    assert moves.reach(made, "german", unit="german-1")["nodes"] == []


@rule("8.3.1-half")
def test_8_3_1_half_the_points_are_left_in_the_fire_and_move_posture() -> None:
    made = tank()
    made.change("german-1", posture="fire/move")
    assert moves.reach(made, "german", unit="german-1")["left"] == 5
