"""Cavalry on foot [10.10.3 to 10.10.6]."""

from __future__ import annotations

from opfire.core.game import Game
from opfire.rulesets.micro_armour.moving.cavalry import Dismount, Mount
from opfire.rulesets.micro_armour.moving.marching import left
from opfire.rulesets.micro_armour.moving.movement import Stop
from opfire.rulesets.micro_armour.pieces import Position
from rules.micro_armour.kit import rule
from rules.micro_armour.marches import against, at, go, inches, leg, march, points, stand

CAVALRY, RIFLES = "sov-cavalry", "us-infantry-42"
BESIDE = inches(6, 5)


def squadron(**state: object) -> Game[Position]:
    """A game in which red's cavalry moves."""
    return march(((CAVALRY, "5,5"), (RIFLES, "5,15")), red_1={"posture": "movement", **state})


@rule("10.10.4", "10.10.3")
def test_10_10_4_cavalry_becomes_infantry_and_horses_beside_each_other() -> None:
    game = squadron()
    assert stand(game, "red-1 horses").status == "led"
    game.play("red", Dismount("red-1", BESIDE))
    rider, horses = stand(game, "red-1"), stand(game, "red-1 horses")
    assert (at(game, "red-1"), at(game, "red-1 horses")) == ("5,5", "6,5")
    assert (rider.kind.he, rider.kind.ap, rider.defence, rider.kind.mov_points) == (3, 1, 6, 3)  # HE 4 on horseback
    assert (horses.kind.armed, horses.defence, horses.kind.mov_points, horses.personnel) == (False, 5, 3, True)
    assert (rider.posture, horses.posture) == ("movement", "movement")
    assert left(game.state, rider) == left(game.state, horses) == points(1)


@rule("10.10.4", "8.2.1")
def test_10_10_4_both_may_move_after_dismounting_with_the_points_that_are_left() -> None:
    """One order moves them all: the rider goes an inch on foot, then the horses an inch, and nobody a second one."""
    game = squadron()
    game.play("red", Dismount("red-1", BESIDE))
    assert against(game, leg("red-1", 5, 3.9)) == "8.3.1-points"
    go(game, "red-1", 5, 4)
    game.play("red", Stop("red-1"))
    assert [against(game, leg("red-1 horses", x, 5)) for x in (7.1, 6.9)] == ["8.3.1-points", ""]
    go(game, "red-1 horses", 6.9, 5)
    assert at(game, "red-1 horses") == "6.9,5"


@rule("10.10.4")
def test_10_10_4_dismounting_takes_half_of_the_points_and_the_movement_posture() -> None:
    game = squadron()
    assert against(game, Dismount("red-1", inches(8, 5))) == "10.10.4"
    assert against(game, Dismount("red-2", inches(6, 15))) == "10.10.4"
    go(game, "red-1", 9.1, 5)
    assert against(game, Dismount("red-1", inches(10.1, 5))) == "10.10.4"
    assert against(squadron(posture="fire/move"), Dismount("red-1", BESIDE)) == "10.10.4"


@rule("10.10.6")
def test_10_10_6_infantry_mounts_the_horses_beside_it() -> None:
    game = squadron()
    game.play("red", Dismount("red-1", BESIDE))
    assert against(game, Mount("red-1", "red-1 horses")) == "10.10.6"  # points are spent
    for name in ("red-1", "red-1 horses"):
        game.state.change(name, spent=0)
    game.state.change("red-1 horses", posture="firing")
    assert against(game, Mount("red-1", "red-1 horses")) == "10.10.6"
    game.state.change("red-1 horses", posture="movement")
    game.play("red", Mount("red-1", "red-1 horses"))
    unit = stand(game, "red-1")
    assert (unit.kind.has("cavalry"), unit.kind.he, left(game.state, unit)) == (True, 4, points(4))
    assert stand(game, "red-1 horses").status == "led"
