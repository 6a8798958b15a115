"""Computer players that bridge a river [11.5.7]: the load comes to its engineers at the water, and nowhere else."""

from __future__ import annotations

import pytest

from opfire.core import scenario as scenarios
from opfire.core.dice import Dice
from opfire.core.game import Game
from opfire.core.places import Point
from opfire.rulesets.micro_armour import RULESET
from opfire.rulesets.micro_armour.moving.marching import Move
from opfire.rulesets.micro_armour.moving.movement import EndGroup, GroupMove, GroupMovement, Order
from opfire.rulesets.micro_armour.pieces import Position, Work, adjacent
from opfire.rulesets.micro_armour.postures import Mark, NoMoreGroups, PostureDetermination
from opfire.rulesets.micro_armour.thinking import suggest
from opfire.rulesets.micro_armour.works import crossings
from rules.micro_armour.kit import rule

ENGINEERS, LOAD = "american-3", "american-5"
AWAY, WATER = (17000, 15500), (18000, 15500)


def korsa(engineers: Point, load: Point = (15900, 15500)) -> Game[Position]:
    """Sappers on the Korsa with one stand of engineers and the load alone on the American side, marked to move."""
    found = scenarios.load("armour-korsa-crossing")
    state, _ = RULESET.start(RULESET.set_up(found))
    game: Game[Position] = Game(RULESET, state, Dice(bytes(32)), {side: side for side in found.sides})
    for unit in [*state.of("american")]:
        state.change(unit.id, at=None)
    state.change(ENGINEERS, at=engineers, facing=90, posture="movement", group=ENGINEERS)
    state.change(LOAD, at=load, facing=90, posture="movement", group=LOAD)
    state.initiative, state.turn, state.orders["american"] = "american", 2, 3
    return game


def advice(game: Game[Position], name: str) -> object:
    """The advice for a stand whose order has succeeded."""
    game.push(GroupMove("american", (name,)))
    return suggest(game.state, "american", game.stack[-1], game.choices("american"))[0].action


@rule("11.5.7-build")
def test_a_load_stays_where_it_is_while_its_engineers_are_on_their_way() -> None:
    game = korsa(AWAY)
    assert advice(game, LOAD) == EndGroup()
    game.state.change(LOAD, posture="firing")
    postures = PostureDetermination("american", groups=False)
    assert suggest(game.state, "american", postures, game.choices("american"))[0].action == NoMoreGroups()


@rule("11.5.7-build")
def test_engineers_with_a_load_go_to_the_water_and_not_to_the_ford() -> None:
    leg = advice(korsa(AWAY), ENGINEERS)
    assert isinstance(leg, Move)
    assert abs(leg.to[1] - AWAY[1]) < 1000
    assert leg.to[0] > 17500


@rule("11.5.7-build")
def test_a_load_comes_beside_the_engineers_that_wait_for_it_and_leaves_the_way_onto_the_bridge_free() -> None:
    game = korsa(WATER)
    leg = advice(game, LOAD)
    assert isinstance(leg, Move)
    load = game.state.change(LOAD, at=leg.to, facing=leg.facing)
    assert adjacent(load, game.state.units[ENGINEERS])
    assert abs(leg.to[1] - WATER[1]) >= 1000, "beside them, not behind"


@rule("11.5.7-build")
def test_a_load_beside_its_engineers_stays_and_is_given_no_order() -> None:
    game = korsa(WATER, load=(17000, 15500))
    assert advice(game, LOAD) == EndGroup()
    orders = GroupMovement("american", begun=True)
    game.push(orders)
    best = suggest(game.state, "american", orders, game.choices("american"))[0].action
    assert not isinstance(best, Order), "neither needs to move"


@rule("11.5.7-build")
@pytest.mark.parametrize("lost", ["bridged", "no engineers"])
def test_a_load_that_nobody_can_use_any_more_drives_nowhere(lost: str) -> None:
    game = korsa(WATER)
    if lost == "bridged":
        game.state.lay(Work("bridge", "bridge", (19000, 13500), 90, "american"))
    else:
        game.state.change(ENGINEERS, at=None)
    assert crossings.caller(game.state, game.state.units[LOAD]) is None
    game.state.change(LOAD, posture="firing")
    marks = suggest(game.state, "american", PostureDetermination("american", groups=False), game.choices("american"))
    assert marks[0].action != Mark(LOAD, "movement")


def test_a_stand_beside_the_end_of_a_bridge_goes_straight_across() -> None:
    """Its place to begin may be taken: by a load, a wreck, or the next in the queue."""
    game = korsa((18000, 14500))
    game.state.lay(Work("bridge", "bridge", (19000, 15000), 90, "american"))
    unit = game.state.units[ENGINEERS]
    assert crossings.waypoint(game.state, unit, (27500, 13500)) == (20250, 15000)
