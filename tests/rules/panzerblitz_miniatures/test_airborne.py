"""Airborne troops [ABN]: paratroops and gliders."""

from __future__ import annotations

import pytest

from opfire.core.errors import BadInput
from opfire.core.game import Game
from opfire.rulesets.panzerblitz_miniatures import RULESET
from opfire.rulesets.panzerblitz_miniatures.actions import EndPhase
from opfire.rulesets.panzerblitz_miniatures.airpower.airborne import DropAt
from opfire.rulesets.panzerblitz_miniatures.pieces import Position
from rules.panzerblitz_miniatures.flights import LAKE, TOWN, WOOD, refused, sky, top
from rules.panzerblitz_miniatures.grounds import inches
from rules.panzerblitz_miniatures.kit import rule

FAR = [("t-34-76", "39,29")]


def drop(*dice: int, by: str = "parachute", count: int = 1, turn: int = 1, ground: str = "") -> Game[Position]:
    """A game in which red's men wait in the air; they are red-2 and on."""
    more = f'[[sides.red.airborne]]\nturn = {turn}\nby = "{by}"\nunits = {{ rifle-40-german = {count} }}\n'
    return sky([("pz-iv-h", "1,29")], FAR, ground, more, dice=dice)


def at(game: Game[Position], unit: str) -> object:
    """The place of a unit, or its status off the table."""
    stand = game.state.units[unit]
    return stand.at or stand.status


@rule("ABN-1", "ABN-2")
def test_ABN_1_the_owner_picks_any_spot_of_the_table() -> None:
    game = drop(6)
    assert top(game) == "AirborneLanding"
    game.play("red", DropAt("red-2", inches(30, 3)))
    assert at(game, "red-2") == inches(30, 3)
    assert game.state.units["red-2"].moved
    assert top(game) == ""


@rule("ABN-2")
def test_ABN_2_the_spread_of_a_drop_zone_is_told_before_it_drifts() -> None:
    sight = drop().state
    told = RULESET.queries["spread"](sight, "red", action=DropAt("red-2", inches(30, 3)))
    chances = {each["place"]: each["chance"] for each in told}
    # A 5 or 6 of six is no drift; each direction and number of inches is one throw of 36.
    assert chances.pop(inches(30, 3)) == pytest.approx(1 / 3)
    ways = [(30 + x * n, 3 + y * n) for x, y in ((0, -1), (0, 1), (1, 0), (-1, 0)) for n in range(1, 7)]
    assert chances == {inches(*spot): pytest.approx(1 / 36) for spot in ways}


@rule("ABN-1")
def test_ABN_1_from_their_turn_on_and_once() -> None:
    assert top(drop(turn=2)) == ""
    game = drop(5, count=2)
    assert refused(game, "red", DropAt("red-3", inches(9, 9))) == "ABN-1"
    assert refused(game, "red", DropAt("red-1", inches(9, 9))) == "ABN-1"
    assert refused(game, "red", DropAt("blue-1", inches(9, 9))) == "procedure"
    game.play("red", EndPhase())  # they may wait
    assert at(game, "red-2") == "reserve"


@rule("ABN-1")
def test_ABN_1_stands_of_one_landing_land_side_by_side() -> None:
    game = drop(5, count=3)
    game.play("red", DropAt("red-2", inches(30, 10)))
    places = [game.state.units[name].at for name in ("red-2", "red-3", "red-4")]
    assert places[0] == inches(30, 10)
    table = game.state.table
    for index, here in enumerate(places):
        assert here is not None
        assert not any(other is not None and table.overlap(here, other) for other in places[:index])
        assert table.in_reach(here, inches(30, 10), 2)


@rule("ABN-3", "ABN-2")
@pytest.mark.parametrize(("dice", "place"), [((1, 4), (30, 6)), ((4, 6), (24, 10)), ((5,), (30, 10))])
def test_ABN_3_a_second_die_moves_the_drop_zone(dice: tuple[int, ...], place: tuple[float, float]) -> None:
    game = drop(*dice)
    game.play("red", DropAt("red-2", inches(30, 10)))
    assert at(game, "red-2") == inches(*place)


@rule("ABN-3")
def test_ABN_3_stands_blown_off_the_table_are_lost() -> None:
    game = drop(1, 4)
    game.play("red", DropAt("red-2", inches(30, 3.9)))
    assert at(game, "red-2") == "eliminated"


@rule("ABN-4")
def test_ABN_4_paratroops_in_water_are_eliminated() -> None:
    game = drop(6, ground=LAKE)
    game.play("red", DropAt("red-2", inches(20, 10)))
    assert at(game, "red-2") == "eliminated"


@rule("ABN-4")
@pytest.mark.parametrize("ground", [WOOD, TOWN])
@pytest.mark.parametrize(("die", "found"), [(3, inches(20, 10)), (4, "eliminated")])
def test_ABN_4_paratroops_in_trees_and_towns_are_lost_by_four_to_six(ground: str, die: int, found: object) -> None:
    game = drop(6, die, ground=ground)
    game.play("red", DropAt("red-2", inches(20, 10)))
    assert at(game, "red-2") == found


@rule("ABN-5")
@pytest.mark.parametrize("ground", [WOOD, TOWN])
def test_ABN_5_gliders_in_trees_and_towns_are_eliminated_with_all_on_board(ground: str) -> None:
    game = drop(6, by="glider", count=2, ground=ground)
    game.play("red", DropAt("red-2", inches(20, 10)))
    assert (at(game, "red-2"), at(game, "red-3")) == ("eliminated", "eliminated")


@rule("ABN-5")
def test_ABN_5_each_passenger_of_a_glider_in_water_rolls_to_bail_out() -> None:
    game = drop(6, 5, 6, by="glider", count=2, ground=LAKE)
    game.play("red", DropAt("red-2", inches(21, 10)))
    assert at(game, "red-2") == "eliminated"
    survivor = game.state.units["red-3"]
    assert survivor.dispersed
    assert survivor.at is not None
    assert 22_000 <= survivor.at[0] <= 23_000  # the eastern shore is the nearest


@rule("ABN-5")
def test_ABN_5_gliders_on_open_ground_land_unharmed() -> None:
    game = drop(6, by="glider", count=2)
    game.play("red", DropAt("red-2", inches(21, 10)))
    assert not any(game.state.units[name].dispersed for name in ("red-2", "red-3"))
    assert at(game, "red-2") == inches(21, 10)


@rule("ABN-1")
def test_ABN_1_vehicles_and_aircraft_do_not_jump() -> None:
    for unit in ("pz-iv-h", "ju-87-d"):
        with pytest.raises(BadInput):
            sky([], FAR, more=f"[[sides.red.airborne]]\nturn = 1\nunits = {{ {unit} = 1 }}\n")


@rule("ABN-1")
def test_ABN_1_troops_in_the_air_are_shown_among_the_reinforcements() -> None:
    coming = drop(turn=2, count=2).view("blue")["reinforcements"]
    assert coming == [{"side": "red", "turn": 2, "units": ["red-2", "red-3"], "where": "by parachute"}]
