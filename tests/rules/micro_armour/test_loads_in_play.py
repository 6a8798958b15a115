"""Several stands in one transport, fire at those that get off, transports pushed aside [8.3.5, 8.4.2, 8.4.6, 8.4.8]."""

from __future__ import annotations

import pytest

from opfire.core.game import Game
from opfire.rulesets.micro_armour.fire.standard import Fire
from opfire.rulesets.micro_armour.moving.movement import Stop
from opfire.rulesets.micro_armour.moving.opportunity import NotYet, Oppose
from opfire.rulesets.micro_armour.moving.transport import Load, Unload
from opfire.rulesets.micro_armour.pieces import Position, Work
from opfire.rulesets.micro_armour.works.obstacles import struck
from rules.micro_armour.kit import rule, scripts
from rules.micro_armour.marches import against, at, go, inches, leg, march, points, stand

TRUCK, MMG, GUN, SHERMAN = "us-medium-truck-2-3-ton", "us-mmg-44", "us-57mm-atg", "us-m4-sherman"
RIFLES, JEEPS = "us-infantry-42", "us-jeeps-w-hmg"
LORRY, WAGON, BUTTERFLY = "ger-opel-blitz-md-truck", "all-horse-drawn-wagon-sled", "ger-infantry-39"
TWO = ((TRUCK, "5,5"), (MMG, "6,5"), (MMG, "4,5"))


def loaded(blue: tuple[tuple[str, str], ...] = (), **values: object) -> Game[Position]:
    """A truck at 5,5 with two support stands on it."""
    aboard = {"carrier": "red-1", "at": (5000, 5000)}
    return march(
        TWO,
        blue,
        red_1={"cargo": ("red-2", "red-3")},
        red_2=aboard,
        red_3=aboard,
        **values,  # type: ignore[arg-type]
    )


@rule("8.4.2")
def test_8_4_2_any_number_of_personnel_takes_half_of_the_carrier_s_points() -> None:
    game = march(TWO, dice=(1, 1))
    game.play("red", Load("red-1", "red-2"))
    game.play("red", Load("red-1", "red-3"))
    truck = stand(game, "red-1")
    assert (truck.cargo, truck.spent) == (("red-2", "red-3"), points(11))
    assert stand(game, "red-2").spent == stand(game, "red-3").spent == points(2)


@rule("8.4.2")
def test_8_4_2_loading_elsewhere_takes_half_again() -> None:
    game = march(((TRUCK, "5,5"), (MMG, "6,5"), (MMG, "10,5.9")), dice=(1,))
    game.play("red", Load("red-1", "red-2"))
    go(game, "red-1", 9, 5)
    assert against(game, Load("red-1", "red-3")) == "8.4.2"  # 11 of 22 points for the first, 8 for the way


@rule("8.4.6")
def test_8_4_6_any_number_of_personnel_gets_off_for_half_of_the_carrier_s_points() -> None:
    game = loaded()
    game.play("red", Unload("red-1", "red-2", inches(6, 5), 0))
    game.play("red", Unload("red-1", "red-3", inches(4, 5), 0))
    assert stand(game, "red-1").spent == points(11)
    assert stand(game, "red-2").spent == stand(game, "red-3").spent == points(2)


@rule("8.4.3", "8.3.2-min")
def test_8_4_3_whoever_has_spent_all_points_on_loading_goes_no_inch() -> None:
    game = march(((TRUCK, "5,5"), (GUN, "6,5")), dice=(10,))
    game.play("red", Load("red-1", "red-2"))
    assert against(game, leg("red-1", 5, 6)) == "8.3.1-points"


# --- 8.4.8: fire at those that get on and off ----------------------------------------------------------------------

GUNNERS = (("ger-infantry-support", "12,5"),)


@rule("8.4.8")
def test_8_4_8_stands_that_get_off_are_fired_at() -> None:
    game = loaded(GUNNERS, blue_1={"facing": 270})
    game.play("red", Unload("red-1", "red-2", inches(6, 5), 90))
    assert game.asked() == ("blue",)
    assert against(game, Oppose("blue-1", "red-3"), "blue") == "8.5.2"  # it is still on the truck
    scripts(game, [1, 1, 1])
    game.play("blue", Oppose("blue-1", "red-2"))
    game.play("blue", Fire())
    men = stand(game, "red-2")
    assert men.opposed
    assert men.disorganized or men.status == "eliminated"
    assert not stand(game, "red-1").shaken


@rule("8.4.8", "8.5.2")
def test_8_4_8_they_are_fired_at_as_they_get_off_and_no_more_once_the_carrier_drives_on() -> None:
    game = loaded(GUNNERS, blue_1={"facing": 270})
    game.play("red", Unload("red-1", "red-2", inches(5, 6), 90))
    game.play("blue", NotYet())
    go(game, "red-1", 4, 5)
    assert game.asked() == ("blue",)
    assert against(game, Oppose("blue-1", "red-2"), "blue") == "8.5.2"
    assert against(game, Oppose("blue-1", "red-1"), "blue") == ""


@rule("8.4.8")
def test_8_4_8_each_that_gets_off_gives_the_enemy_a_chance() -> None:
    game = loaded(GUNNERS, blue_1={"facing": 270})
    game.play("red", Unload("red-1", "red-2", inches(6, 5), 90))
    game.play("blue", NotYet())
    game.play("red", Unload("red-1", "red-3", inches(5, 6), 90))
    assert game.asked() == ("blue",)
    assert against(game, Oppose("blue-1", "red-3"), "blue") == ""


# --- 8.3.5: transports that are pushed aside ------------------------------------------------------------------------


@rule("8.3.5-transport")
@pytest.mark.parametrize("transport", [LORRY, WAGON])
def test_8_3_5_armour_that_ends_its_move_on_a_transport_pushes_it_aside(transport: str) -> None:
    game = march(((SHERMAN, "5,5"),), ((transport, "8,5"), (BUTTERFLY, "9,5")), blue_2={"fired": True})
    go(game, "red-1", 8, 5)
    game.play("red", Stop("red-1"))
    assert at(game, "red-1") == "8,5"
    x, y = stand(game, "blue-1").at or (0, 0)
    assert max(abs(x - 8000), abs(y - 5000)) >= 1000
    assert max(abs(x - 9000), abs(y - 5000)) >= 1000


@rule("8.3.9", "8.3.5-transport")
def test_8_3_9_unarmed_armour_does_not_end_its_move_there() -> None:
    game = march((("us-lvt-2", "5,5"),), ((LORRY, "8,5"),))
    assert against(game, leg("red-1", 8, 5)) != ""


@rule("11.1.6-result", "9.2")
@pytest.mark.parametrize(("kind", "wreck"), [(JEEPS, True), ("us-m6-gmc-37mm", True), (TRUCK, True), (RIFLES, False)])
def test_11_1_6_every_vehicle_that_mines_destroy_leaves_a_wreck(kind: str, wreck: bool) -> None:
    game = march(((kind, "5,5"),), red_1={"disorganized": True})
    mines = Work("mines", "mines", (5000, 5000), 0, "blue", "concentrated")
    game.state.lay(mines)
    scripts(game, [1, 1])
    assert struck(game, "red-1", mines)
    assert any(work.kind == "wreck" for work in game.state.works.values()) is wreck
