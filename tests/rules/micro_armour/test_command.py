"""Headquarters [10.1]: who may take command, and how well."""

from __future__ import annotations

import pytest

from opfire.rulesets.micro_armour.moving.orders import cannot_succeed, new_quality, succession
from opfire.rulesets.micro_armour.succession import (
    CommandReplacement,
    TakeCommand,
    cannot_take,
    command_roll,
    rolls_for_quality,
)
from rules.micro_armour.kit import rule
from rules.micro_armour.marches import CHARTS, against, inches, march, stand


@rule("10.1.7-roll")
@pytest.mark.parametrize(
    ("nation", "modifier"),
    [("german", 3), ("american", 3), ("british", 4), ("soviet", 5), ("italian", 5)],
)
def test_10_1_7_the_roll_for_command_by_nation(nation: str, modifier: int) -> None:
    assert succession(CHARTS, nation) == modifier


@rule("10.1.7-limits")
@pytest.mark.parametrize(
    ("cohesion", "general", "headquarters", "wanted"),
    [
        (15, True, False, True),
        (14, True, False, False),
        (14, True, True, True),
        (13, False, False, True),
        (12, False, True, False),
        (12, True, True, False),
    ],
)
def test_10_1_7_low_cohesion_limits_the_successors(
    cohesion: int, general: bool, headquarters: bool, wanted: bool
) -> None:
    assert (cannot_succeed(cohesion, general, headquarters) is None) == wanted


@rule("10.1.7-quality")
@pytest.mark.parametrize(("rolled", "quality"), [(1, -1), (5, -1), (6, 0), (16, 0), (17, 1), (19, 1), (20, 2)])
def test_10_1_7_the_quality_of_a_new_general_headquarters(rolled: int, quality: int) -> None:
    assert new_quality(CHARTS, rolled) == quality


STAFF, RIFLES = "us-infantry-hq", "us-infantry-42"
LOST = {"rank": "GHQ", "quality": 1, "status": "eliminated", "at": None}
FORCE = ((STAFF, "5,5"), (STAFF, "5,8"), (RIFLES, "5,11"))


@rule("10.1.7-name", "10.1.7-roll", "10.1.7-quality")
def test_10_1_7_a_steady_force_has_a_new_general_headquarters_after_a_roll() -> None:
    frame = CommandReplacement("red")
    game = march(FORCE, dice=(12, 18), doctrine="cohesion = 15\n", frame=frame, red_1=LOST)
    assert command_roll(game.state, stand(game, "red-3")).modifier == 3
    game.play("red", TakeCommand("red-3", "red-1"))
    assert (stand(game, "red-3").rank, stand(game, "red-3").quality) == ("GHQ", 1)
    assert not game.stack


@rule("10.1.7-roll", "5.2-S", "5.2-D")
def test_10_1_7_the_states_of_the_successor_count_as_in_all_its_rolls() -> None:
    shaken = {"suppressed": True, "disorganized": True}
    position = march(FORCE, red_1=LOST, red_3=shaken).state
    assert command_roll(position, position.units["red-3"]).modifier == 3 + 4 + 3


@rule("10.1.7-roll")
def test_10_1_7_a_failure_is_tried_again_in_the_next_turn() -> None:
    game = march(FORCE, dice=(13,), doctrine="cohesion = 15\n", frame=CommandReplacement("red"), red_1=LOST)
    game.play("red", TakeCommand("red-3", "red-1"))
    assert stand(game, "red-3").rank == ""
    game.push(CommandReplacement("red"))
    game.run()
    assert game.asked() == ("red",)


@rule("10.1.7-limits", "10.1.7-quality")
def test_10_1_7_a_shaky_force_promotes_headquarters_only_and_without_quality() -> None:
    game = march(FORCE, dice=(5,), doctrine="cohesion = 13\n", frame=CommandReplacement("red"), red_1=LOST)
    assert against(game, TakeCommand("red-3", "red-1")) == "10.1.7-limits"
    game.play("red", TakeCommand("red-2", "red-1"))
    assert (stand(game, "red-2").rank, stand(game, "red-2").quality) == ("GHQ", 0)
    poor = march(FORCE, doctrine="cohesion = 12\n", frame=CommandReplacement("red"), red_1=LOST)
    assert not poor.stack


@rule("10.1.7-name", "10.1.7-limits", "10.1.2")
def test_10_1_7_a_headquarters_in_a_transport_takes_command_too() -> None:
    """At 14 only a headquarters may; the only one left rides in a lorry."""
    force = (*FORCE, ("us-medium-truck-2-3-ton", "5,14"))
    frame, riding = CommandReplacement("red"), {"carrier": "red-4", "at": inches(5, 14)}
    game = march(force, dice=(5,), doctrine="cohesion = 14\n", frame=frame, red_1=LOST, red_2=riding)
    game.state.change("red-4", cargo=("red-2",))
    assert TakeCommand("red-2", "red-1") in game.choices("red")
    game.play("red", TakeCommand("red-2", "red-1"))
    assert stand(game, "red-2").rank == "GHQ"


@rule("10.1.7-limits", "10.1.7-quality")
@pytest.mark.parametrize(("force", "formation", "refused"), [(14, 16, "10.1.7-limits"), (16, 14, "")])
def test_10_1_7_the_cohesion_of_the_force_limits_the_successors_not_that_of_a_formation(
    force: int, formation: int, refused: str
) -> None:
    guards = f'cohesion = {force}\n[[sides.red.formations]]\nname = "Guards"\ncohesion = {formation}\n'
    guards += "units = { us-infantry-44 = 1 }\n"
    kinds = ((STAFF, "5,5"), ("us-infantry-44", "5,11"))
    game = march(kinds, doctrine=guards, frame=CommandReplacement("red"), red_1=LOST)
    position = game.state
    guard = next(unit for unit in position.of("red") if unit.formation == "Guards")
    lost = next(unit for unit in position.units.values() if unit.kind.id == STAFF)
    position.change(lost.id, **LOST)
    found = cannot_take(position, "red", TakeCommand(guard.id, lost.id))
    assert (found.rule if found else "") == refused
    assert rolls_for_quality(position, guard) == (force == 16)


@rule("10.1.7-limits")
@pytest.mark.parametrize(("unit", "allowed"), [("red-3", True), ("red-4", False), ("blue-1", False)])
def test_10_1_7_a_successor_is_a_stand_of_the_side_on_the_table(unit: str, allowed: bool) -> None:
    lost = {"status": "eliminated", "at": None}
    game = march(
        (*FORCE, (RIFLES, "5,14")), doctrine="cohesion = 15\n", frame=CommandReplacement("red"), red_1=LOST, red_4=lost
    )
    assert (against(game, TakeCommand(unit, "red-1")) == "") is allowed
