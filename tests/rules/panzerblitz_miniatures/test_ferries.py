"""Ferries [FER]: boats that carry any unit across the water, a loaded one too."""

from __future__ import annotations

from opfire.core.game import Game
from opfire.rulesets.panzerblitz_miniatures.fire.results import destroy, disperse
from opfire.rulesets.panzerblitz_miniatures.moving import transport
from opfire.rulesets.panzerblitz_miniatures.moving.loading import Load, Unload
from opfire.rulesets.panzerblitz_miniatures.moving.marching import Stop
from opfire.rulesets.panzerblitz_miniatures.pieces import Position
from rules.panzerblitz_miniatures.grounds import area, inches
from rules.panzerblitz_miniatures.kit import CHARTS, rule
from rules.panzerblitz_miniatures.marches import against, at, go, march
from rules.panzerblitz_miniatures.test_engineers import next_phase

LAKE = area("water", 10, 5, 20, 15)
TANK = ("pz-iv-h", "9.2,10")
FERRY = ("ferry-german", "11,10")


def aboard(game: Game[Position], passenger: str = "red-2") -> None:
    """The ferry, red-1, takes a passenger aboard, and its phase ends."""
    game.play("red", Load("red-1", passenger))
    if game.stack[-1].step == "moving":
        game.play("red", Stop("red-1"))
    next_phase(game)
    for name in game.state.units:
        game.state.change(name, handled="")


def loaded() -> Game[Position]:
    """A truck with a gun aboard the ferry."""
    game = march([FERRY, ("truck-german", "9.2,10"), ("how-105-german", "5,5")], ground=LAKE)
    state = game.state
    state.change("red-3", carrier="red-2", at=state.units["red-2"].at)
    state.change("red-2", cargo=("red-3",))
    state.musters.clear()
    aboard(game)
    return game


@rule("FER-3")
def test_FER_3_ferries_are_marked_F() -> None:
    assert CHARTS.kinds["ferry-german"].engineer == "F"


@rule("FER-1", "FER-2")
def test_FER_1_a_ferry_takes_a_tank_from_shore_to_shore() -> None:
    game = march([FERRY, TANK], ground=LAKE)
    aboard(game)
    assert game.state.units["red-2"].carrier == "red-1"
    go(game, "red-1", 15, 10)
    game.play("red", Stop("red-1"))
    assert at(game, "red-2") == "15,10"
    next_phase(game)
    go(game, "red-1", 19, 10)
    assert game.why_not("red", Unload("red-1", "red-2", inches(19, 11.5), 0)) is not None  # no tank swims
    game.play("red", Unload("red-1", "red-2", inches(20.8, 10), 90))
    assert (at(game, "red-2"), game.state.units["red-2"].carrier) == ("20.8,10", None)


@rule("FER-2")
def test_FER_2_a_ferry_stays_on_the_water() -> None:
    game = march([FERRY, TANK], ground=LAKE + area("woods", 22, 5, 25, 15))
    assert against(game, "red-1", 13, 12) == ""
    assert against(game, "red-1", 9, 12) == "FER-2"
    assert against(game, "red-1", 11, 16.5) == "FER-2"


@rule("FER-2")
def test_FER_2_the_passenger_is_adjacent_to_the_ferry() -> None:
    game = march([FERRY, ("pz-iv-h", "8.9,10")], ground=LAKE)
    refusal = game.why_not("red", Load("red-1", "red-2"))
    assert refusal is not None
    assert refusal.rule == "TRN-4"


@rule("FER-1")
def test_FER_1_a_loaded_truck_goes_aboard_with_its_gun() -> None:
    game = loaded()
    go(game, "red-1", 15, 10)
    assert at(game, "red-3") == "15,10"
    assert game.state.units["red-3"].carrier == "red-2"


@rule("FER-1", "TRN-9")
def test_TRN_9_all_aboard_share_the_fate_of_the_ferry() -> None:
    game = loaded()
    disperse(game, "red-1", "COM-10")
    assert {unit.order for unit in game.state.pick(("red-1", "red-2", "red-3"))} == {"dispersed"}
    destroy(game, "red-1", "COM-9")
    assert {unit.status for unit in game.state.pick(("red-1", "red-2", "red-3"))} == {"eliminated"}


@rule("FER-1")
def test_FER_1_a_ferry_has_room_for_one() -> None:
    game = loaded()
    state = game.state
    other = transport.no_room(state, state.units["red-2"], state.units["red-1"])
    assert other is not None
    assert other.rule == "TRN-16"
