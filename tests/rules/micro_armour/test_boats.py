"""Infantry in fording boats [8.9.4]: boarding, crossing, landing, and its defence."""

from __future__ import annotations

import pytest

from opfire.core.game import Game
from opfire.rulesets.micro_armour.fire.attacks import Attack, Shot, combat
from opfire.rulesets.micro_armour.moving.boats import Disembark
from opfire.rulesets.micro_armour.moving.movement import MovementOrders
from opfire.rulesets.micro_armour.moving.water import Launch
from opfire.rulesets.micro_armour.pieces import Position
from opfire.rulesets.micro_armour.postures import PostureDetermination
from opfire.rulesets.micro_armour.recovery import MarkerRemoval
from opfire.rulesets.micro_armour.works.labour import EndWorks, EngineeringTasks, GetAboard
from rules.micro_armour.kit import rule
from rules.micro_armour.marches import against, at, go, inches, leg, line, march, points, stand

RIFLES, TRUCK, JEEP, CAVALRY = "us-infantry-42", "us-heavy-truck-4-10-ton", "us-jeep", "sov-cavalry"
RIVER = line("river", "10,0 10,30")  # an inch and a half wide: from 9.25 to 10.75


def bank(
    unit: str = RIFLES, at: str = "8.7,5", boats: str = "fast boats", truck: str = TRUCK, **state: object
) -> Game[Position]:
    """Red's marker removal phase: a stand at the bank, and a truck with boats behind it."""
    game = march(((unit, at), (truck, "7.7,5")), ground=RIVER, red_2={"equipment": (boats,)})
    game.state.change("red-1", **{"posture": "movement", **state})
    game.push(MarkerRemoval(""))
    game.run()
    return game


@rule("8.9.4-board")
@pytest.mark.parametrize(("boats", "rate"), [("fast boats", 3), ("slow boats", 1)])
def test_8_9_4_a_turn_beside_the_boats_and_the_water_puts_infantry_aboard(boats: str, rate: int) -> None:
    game = bank(boats=boats)
    game.play("red", GetAboard("red-1", "red-2"))
    assert (stand(game, "red-1").boats, stand(game, "red-2").equipment) == (rate, ())


@rule("8.9.4-board")
@pytest.mark.parametrize(
    ("unit", "at", "truck", "state"),
    [
        (CAVALRY, "8.7,5", TRUCK, {}),
        (RIFLES, "8.7,7", TRUCK, {}),
        (RIFLES, "7.7,4", TRUCK, {}),
        (RIFLES, "8.7,5", JEEP, {}),
        (RIFLES, "8.7,5", TRUCK, {"posture": "firing"}),
        (RIFLES, "8.7,5", TRUCK, {"began": (8000, 5000)}),
    ],
)
def test_8_9_4_others_do_not_board(unit: str, at: str, truck: str, state: dict[str, object]) -> None:
    game = bank(unit, at, truck=truck, **state)
    assert not isinstance(game.stack[-1], EngineeringTasks)


def afloat(dice: tuple[int, ...], rate: int = 3) -> Game[Position]:
    """A game in which red's boarded infantry moves."""
    return march(((RIFLES, "8.7,5"), (TRUCK, "2,25")), ground=RIVER, dice=dice, red_1={"boats": rate})


@rule("8.9.4-board", "8.9.2")
def test_8_9_4_boats_take_to_the_water_after_a_roll_and_stay_in_it() -> None:
    game = afloat((14,))
    assert against(game, leg("red-1", 10, 5)) == "9.5.2"
    game.play("red", Launch("red-1"))
    assert against(game, leg("red-1", 11.5, 5)) == "8.9.4-land"
    go(game, "red-1", 10.2, 5)
    assert (at(game, "red-1"), stand(game, "red-1").spent) == ("10.2,5", points(1.5))
    slow = afloat((14,), rate=1)
    slow.play("red", Launch("red-1"))
    assert against(slow, leg("red-1", 10.2, 5)) == "8.3.1-points"


@rule("8.9.4-land")
@pytest.mark.parametrize(("die", "place", "boats"), [(14, "11.4,5", 0), (15, "10.2,5", 3)])
def test_8_9_4_boats_land_with_an_unmodified_roll(die: int, place: str, boats: int) -> None:
    game = afloat((14, die))
    game.play("red", Launch("red-1"))
    go(game, "red-1", 10.2, 5)
    game.state.change("red-1", suppressed=True)  # which does not matter
    assert against(game, Disembark("red-1", inches(13, 5))) == "8.9.4-land"
    game.play("red", Disembark("red-1", inches(11.4, 5)))
    unit = stand(game, "red-1")
    assert (at(game, "red-1"), unit.boats, unit.moved) == (place, boats, True)


@rule("8.9.4-land")
def test_8_9_4_infantry_in_the_water_is_marked_to_move_in_the_next_turn() -> None:
    game = afloat(())
    game.state.put("red-1", inches(10, 5), posture="firing")
    game.push(PostureDetermination(""))
    game.run()
    assert stand(game, "red-1").posture == "movement"
    game.push(MovementOrders(""))
    game.run()
    assert stand(game, "red-1").swims


@rule("8.9.4-def")
def test_8_9_4_infantry_in_boats_has_a_defence_of_1() -> None:
    game = march(((RIFLES, "8.7,5"),), (("ger-infantry-39", "12,5"),), ground=RIVER, red_1={"boats": 3})
    attack = Attack("red-1", (Shot("blue-1"),))
    lines = [line.amount for line in combat(game.state, attack, attack.shots[0]).lines if line.kind == "defence"]
    assert lines[-1] == 1


@rule("8.9.4-board")
def test_8_9_4_a_player_may_leave_the_boats_on_the_truck() -> None:
    game = bank()
    game.play("red", EndWorks())
    assert stand(game, "red-1").boats == 0
