"""Choices come unit by unit: whose group an action is in, and what a look into one group asks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from opfire.core.actions import NOBODY, Action
from opfire.core.game import Game
from opfire.rulesets.panzer_grenadier.actions import EndSegment, Pass
from opfire.rulesets.panzer_grenadier.assault.assaulting import DeclareAssault, EnterAssault
from opfire.rulesets.panzer_grenadier.command import activation
from opfire.rulesets.panzer_grenadier.command.activation import (
    Activate,
    ActivateLeader,
    ActivateStack,
    Begin,
    Designate,
    DesignateAll,
)
from opfire.rulesets.panzer_grenadier.fire.direct import AddFirer, FireDirect
from opfire.rulesets.panzer_grenadier.fire.reaction import ShootDirect
from opfire.rulesets.panzer_grenadier.fire.strengths import Fire
from opfire.rulesets.panzer_grenadier.movement.moving import Move, Stop
from opfire.rulesets.panzer_grenadier.movement.transport import Load, Unload
from opfire.rulesets.panzer_grenadier.pieces import Position
from rules.panzer_grenadier.kit import draw, german, leader, play, refused, soviet

FOE = {"foe": soviet("sov-inf", "P9")}


def group(game: Game[Position], actor: str) -> tuple[Any, ...]:
    """The offers of one actor to the seat that is asked."""
    (side,) = game.asked()
    return game.choices(side).of(actor)


def actors(game: Game[Position]) -> set[str]:
    """The actors of the seat that is asked."""
    (side,) = game.asked()
    return set(game.choices(side).actors())


def kinds(game: Game[Position], actor: str) -> set[type[Action]]:
    return {type(action) for action in group(game, actor)}


def test_a_stack_is_activated_with_its_first_unit_that_can_be() -> None:
    game = draw(done=german("ger-inf", "C3", marked=True), a=german("ger-inf", "C3"), b=german("ger-inf", "C3"), **FOE)
    assert actors(game) == {"a", "b", NOBODY}
    assert kinds(game, "a") == {Activate, ActivateStack}
    assert kinds(game, "b") == {Activate}
    assert group(game, NOBODY) == (Pass(),)


def test_a_leader_offers_those_in_reach_and_a_passenger_acts_for_itself() -> None:
    truck = {"truck": german("ger-truck", "C3"), "inf": german("ger-inf", carrier="truck")}
    game = draw(lt=leader("german", "D4"), **truck, **FOE)
    assert kinds(game, "lt") == {Activate, ActivateLeader, ActivateStack}
    assert kinds(game, "inf") == {Activate}
    assert {action.hex for action in group(game, "truck") if isinstance(action, ActivateStack)} == {"1-C3"}


def test_the_hidden_are_no_actors_of_their_enemy() -> None:
    game = draw(inf=german("ger-inf", "C3"), x=soviet("sov-at-45", "F3", hidden=True))
    assert actors(game) == {"inf", NOBODY}
    play(game, Pass())
    assert actors(game) == {"x", NOBODY}


def test_a_unit_is_designated_by_itself_and_all_together_by_nobody() -> None:
    game = draw(a=german("ger-inf", "C3"), b=german("ger-inf", "C3"), **FOE)
    play(game, ActivateStack("C3"), Designate("a", "move"))
    assert actors(game) == {"b", NOBODY}
    assert kinds(game, "b") == {Designate}
    assert kinds(game, NOBODY) == {Begin, DesignateAll}


@pytest.mark.rule("panzer-grenadier", "3.13")
def test_3_13_a_designation_is_changed_until_the_first_action_is_performed() -> None:
    game = draw(a=german("ger-inf", "C3"), b=german("ger-inf", "C3"), **FOE)
    play(game, ActivateStack("C3"), DesignateAll("move"))
    assert game.view("german")["designation"]["changes"] == {"a": ["fire"], "b": ["fire"]}
    assert refused(game, Designate("a", "move")) == "3.13"
    play(game, Designate("a", "fire"), Begin())
    assert game.state.activation is not None
    assert game.state.activation.roles == {"a": "fire", "b": "move"}
    assert refused(game, Designate("a", "move"))


@pytest.mark.rule("panzer-grenadier", "3.0.F")
def test_3_0_F_nor_is_it_changed_to_something_that_comes_to_nothing_while_the_side_may_not_pass() -> None:
    away = german("ger-inf", "K9", state="demoralized")
    game = draw(a=german("ger-inf", "C3"), away=away, **FOE)
    play(game, ActivateStack("C3"), Designate("a", "move"))
    assert game.view("german")["designation"]["changes"] == {"a": []}
    assert refused(game, Designate("a", "fire")) == "3.0.F"


def test_each_of_the_activated_acts_by_itself() -> None:
    game = draw(a=german("ger-inf", "C3"), b=german("ger-inf", "C3"), **FOE)
    play(game, ActivateStack("C3"), DesignateAll("move"), Begin())
    assert actors(game) == {"a", "b", NOBODY}
    assert {action.unit for action in group(game, "b")} == {"b"}
    assert group(game, NOBODY) == (EndSegment(),)
    play(game, Move("a", "1-D3"))
    assert actors(game) == {"a"}  # it finishes its move first [5.0]
    assert Stop("a") in group(game, "a")


def test_a_passenger_gets_aboard_by_itself_and_off_by_its_carrier() -> None:
    game = draw(truck=german("ger-truck", "C3"), inf=german("ger-inf", "C3"), **FOE)
    play(game, ActivateStack("C3"), DesignateAll("move"), Begin())
    assert Load in kinds(game, "inf")
    assert Load not in kinds(game, "truck")
    play(game, Load("truck", "inf"))
    assert Unload not in kinds(game, "inf")


def test_a_firer_joins_by_itself_and_nobody_fires() -> None:
    game = draw(a=german("ger-inf", "C3"), b=german("ger-inf", "C3"), x=soviet("sov-inf", "D4"))
    play(game, ActivateStack("C3"), DesignateAll("fire"), Begin(), FireDirect("a", "1-D4"))
    assert group(game, "b") == (AddFirer("b"),)
    assert Fire() in group(game, NOBODY)


def test_a_volley_is_its_first_firers() -> None:
    guns = {name: german("ger-inf", "C3") for name in "ab"}
    game = draw(side="soviet", x=soviet("sov-inf", "C6"), lt=leader("soviet", "C6"), **guns)
    play(game, ActivateLeader("lt"), Designate("x", "move"), Begin(), Move("x", "1-C5"))
    volleys = {name: {action.units for action in group(game, name) if isinstance(action, ShootDirect)} for name in "ab"}
    assert volleys == {"a": {("a",), ("a", "b")}, "b": {("b",)}}
    assert group(game, NOBODY) == (Pass(),)


def test_an_assault_is_declared_by_the_first_attacker() -> None:
    game = draw(
        lt=leader("german", "C3"), a=german("ger-inf", "C3"), b=german("ger-inf", "C3"), x=soviet("sov-inf", "C4")
    )
    play(game, ActivateLeader("lt"), Designate("a", "fire"), Designate("b", "fire"), Begin())
    play(game, EnterAssault("a", "1-C4"), EnterAssault("b", "1-C4"))
    declaring = [actor for actor in sorted(actors(game)) if DeclareAssault in kinds(game, actor)]
    assert declaring == ["b"]  # it came last and lies on top


@pytest.mark.parametrize("name", ["a", "b"])
def test_a_look_at_one_unit_asks_of_no_other(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    cannot_take: Callable[..., Any] = activation.cannot_take

    def noted(unit: Any, role: Any) -> Any:
        asked.append(unit.id)
        return cannot_take(unit, role)

    monkeypatch.setattr(activation, "cannot_take", noted)
    game = draw(a=german("ger-inf", "C3"), b=german("ger-inf", "D5"), **FOE)
    assert group(game, name)
    assert set(asked) == {name}
