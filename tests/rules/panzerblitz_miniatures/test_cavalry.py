"""Cavalry [STD-16]: riders dismount, fight on foot, and mount again where their horses stand."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from core import contract
from opfire.core.game import Game
from opfire.rulesets.panzerblitz_miniatures import RULESET
from opfire.rulesets.panzerblitz_miniatures.equipment import movement_points
from opfire.rulesets.panzerblitz_miniatures.moving.cavalry import Dismount, Mount
from opfire.rulesets.panzerblitz_miniatures.moving.marching import Stop
from opfire.rulesets.panzerblitz_miniatures.pieces import Position
from opfire.rulesets.panzerblitz_miniatures.victory import have
from rules.panzerblitz_miniatures.battle import refused
from rules.panzerblitz_miniatures.grounds import points
from rules.panzerblitz_miniatures.kit import CHARTS, rule
from rules.panzerblitz_miniatures.marches import against, at, go, march, scenario, spent
from rules.panzerblitz_miniatures.test_engineers import next_phase

RIDERS = [("cavalry-40-german", "5,10"), ("rifle-40-german", "30,5")]  # 3 movement points


def afoot() -> Game[Position]:
    """Cavalry that has dismounted, at its next movement phase."""
    game = march(RIDERS)
    game.play("red", Dismount("red-1"))
    next_phase(game)
    return game


def horses(game: Game[Position]) -> list[str]:
    """The places of horses without riders."""
    return [work.id for work in game.state.works.values() if work.kind == "horses"]


@rule("STD-16")
def test_STD_16_all_of_a_stand_dismounts_and_its_horses_stay_there() -> None:
    game = march(RIDERS)
    game.play("red", Dismount("red-1"))
    unit = game.state.units["red-1"]
    assert [(work.at, work.side) for work in game.state.works.values()] == [((5_000, 10_000), "red")]
    assert unit.kind.type == "infantry"
    assert movement_points(CHARTS, unit.kind) == 2
    assert (unit.kind.attack, unit.kind.defence) == (2, 2)
    assert unit.moved
    assert "red-1" not in game.choices("red").actors()
    next_phase(game)
    go(game, "red-1", 6, 10)
    assert horses(game) == ["horses of red-1"]


@rule("STD-16")
def test_STD_16_dismounting_takes_half_of_the_points_and_ends_the_move() -> None:
    game = march(RIDERS)
    go(game, "red-1", 6.5, 10)
    game.play("red", Dismount("red-1"))
    assert spent(game, "red-1") == points(3)
    assert game.state.progress is None
    late = march(RIDERS)
    go(late, "red-1", 6.6, 10)
    assert refused(late, "red", Dismount("red-1")) == "STD-16"


@rule("STD-16")
def test_STD_16_riders_mount_beside_their_horses_and_ride_on_with_the_other_half() -> None:
    game = afoot()
    game.play("red", Mount("red-1"))
    assert horses(game) == []
    unit = game.state.units["red-1"]
    assert unit.kind.type == "cavalry"
    assert refused(game, "red", Dismount("red-1")) == "STD-16"  # one of the two in a phase
    assert against(game, "red-1", 6.6, 10) == "MOV-1"
    go(game, "red-1", 6.5, 10)
    assert (at(game, "red-1"), spent(game, "red-1")) == ("6.5,10", points(3))


@rule("STD-16")
def test_STD_16_nobody_mounts_away_from_the_horses_or_after_a_march() -> None:
    game = afoot()
    go(game, "red-1", 5.5, 10)
    assert refused(game, "red", Mount("red-1")) == "STD-16"
    go(game, "red-1", 7, 10)  # two inches from the horses
    next_phase(game)
    assert refused(game, "red", Mount("red-1")) == ""
    far = afoot()
    go(far, "red-1", 5, 12)
    next_phase(far)
    go(far, "red-1", 5, 12.1)
    far.play("red", Stop("red-1"))
    next_phase(far)
    assert refused(far, "red", Mount("red-1")) == "STD-16"


@rule("STD-16")
def test_STD_16_is_for_cavalry_alone() -> None:
    game = march(RIDERS)
    assert refused(game, "red", Dismount("red-2")) == "STD-16"
    assert refused(game, "red", Mount("red-2")) == "STD-16"
    assert refused(game, "red", Mount("red-1")) == "STD-16"
    assert refused(afoot(), "red", Dismount("red-1")) == "STD-16"
    fired = march(RIDERS, red_1={"fired": True})
    assert refused(fired, "red", Dismount("red-1")) == "MOV-4"


@rule("STD-16", "OPP-15")
def test_STD_16_dismounting_in_sight_draws_opportunity_fire() -> None:
    game = march(RIDERS, [("tiger-i", "12,10")], blue_1={"position": True})
    game.play("red", Dismount("red-1"))
    assert game.deciders() == ("blue",)


@rule("STD-16")
def test_STD_16_lost_on_foot_it_counts_as_cavalry() -> None:
    victory = 'victory = [{ side = "blue", condition = "eliminate", only = ["cavalry"] }]\n'
    game = march(RIDERS, more=victory)
    game.play("red", Dismount("red-1"))
    game.state.lift("red-1", "eliminated")
    (condition,) = game.state.setting.scenario.victory
    assert have(game.state, condition) == 1


RIDE = scenario(RIDERS, [("t-34-76", "36,10")])


@pytest.mark.parametrize("check", contract.CHECKS, ids=lambda check: check.__name__)
def test_cavalry_holds_to_the_contract(check: Callable[[contract.Case, int], None]) -> None:
    check(contract.Case(RULESET, RIDE, most=5000, every=13), 2)
