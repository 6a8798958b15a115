"""A move before it is made: its price leg by leg, and the reach of its stand with all costs [MOV]."""

from __future__ import annotations

from typing import Any

from opfire.core.game import Game
from opfire.rulesets.panzerblitz_miniatures.moving.marching import Move
from opfire.rulesets.panzerblitz_miniatures.pieces import Position
from opfire.rulesets.panzerblitz_miniatures.shown import moves
from rules.panzerblitz_miniatures.grounds import inches
from rules.panzerblitz_miniatures.kit import rule
from rules.panzerblitz_miniatures.marches import go, march

TANK = (("pz-iv-h", "5,5"),)  # 8 points, and 2 for an inch of open ground
WATER = '[[areas]]\nkind = "water"\npoints = "7,3 8,3 8,7 7,7"\n'


def price(game: Game[Position], *corners: tuple[float, float]) -> dict[str, Any]:
    first, *then = [Move("red-1", inches(x, y), 90) for x, y in corners]
    return moves.price(game.state, "red", action=first, then=tuple(then))


@rule("MOV-2")
def test_MOV_2_a_leg_is_priced_by_the_inch() -> None:
    told = price(march(TANK), (6.5, 5))
    assert (told["cost"], told["left"], told["text"], told["unit"]) == (3, 5, None, "movement points")


@rule("MOV-2")
def test_MOV_2_a_route_is_priced_leg_by_leg_and_refused_where_it_cannot_go() -> None:
    game = march(TANK, ground=WATER)
    there = price(game, (5, 6), (6, 6))
    assert (there["cost"], there["left"], there["rule"]) == (4, 4, None)
    assert price(game, (6, 5), (6, 8), (6, 9))["rule"] == "MOV-7"
    assert price(game, (6, 5), (9, 5))["rule"] not in (None, "MOV-7")


@rule("MOV-5")
def test_MOV_5_points_spent_on_earlier_legs_count() -> None:
    game = march(TANK)
    go(game, "red-1", 6, 5, 90)
    assert (price(game, (7, 5))["cost"], price(game, (7, 5))["left"]) == (2, 4)


@rule("MOV-1")
def test_MOV_1_the_reach_has_costs_and_the_way_back_to_the_start() -> None:
    told = moves.reach(march(TANK, ground=WATER).state, "red", unit="red-1")
    nodes = {(x, y): (cost, before) for x, y, cost, before in told["nodes"]}
    assert told["left"] == 8
    assert told["nodes"][0] == (5000, 5000, 0, 0)
    assert 6000 <= nodes[5000, 8000][0] <= 6180  # a lattice is dearer by three in a hundred at most
    assert (7500, 5000) not in nodes
    number = nodes[5000, 8000][1]
    assert told["nodes"][number][2] < nodes[5000, 8000][0]
    assert told["polygons"]


@rule("MOV-4")
def test_MOV_4_what_does_not_move_has_no_reach() -> None:
    fired = march(TANK, red_1={"fired": True})
    assert moves.reach(fired.state, "red", unit="red-1")["nodes"] == []
