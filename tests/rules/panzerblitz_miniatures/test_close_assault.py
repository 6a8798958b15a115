"""Close assault [CAT]."""

from __future__ import annotations

import pytest

from opfire.core.game import Game
from opfire.rulesets.panzerblitz_miniatures.actions import EndPhase, Pass
from opfire.rulesets.panzerblitz_miniatures.close.close_assault import CloseAssault
from opfire.rulesets.panzerblitz_miniatures.close.close_combat import CarryOut, FireBack
from opfire.rulesets.panzerblitz_miniatures.moving.manoeuvres import QuickMarch
from opfire.rulesets.panzerblitz_miniatures.moving.marching import Move
from opfire.rulesets.panzerblitz_miniatures.moving.movement import MovementPhase
from opfire.rulesets.panzerblitz_miniatures.pieces import Position
from opfire.space.measure import MICRO
from rules.panzerblitz_miniatures.battle import battle, refused, stand, under
from rules.panzerblitz_miniatures.grounds import area, crossing, line
from rules.panzerblitz_miniatures.kit import rule

RED = MovementPhase("red")
GO = CarryOut("close assault", "blue-1")


def phase(red: str, blue: str, **more: object) -> Game[Position]:
    """Red's movement phase."""
    return under(battle(red, blue, **more), RED)  # type: ignore[arg-type]


def judged(red: str, blue: str, **more: object) -> str:
    """The rule against an assault on the first blue stand by the first red one."""
    return refused(phase(red, blue, **more), "red", CloseAssault("red-1", "blue-1"))


@rule("CAT-1", "CAT-11", "CAT-2")
@pytest.mark.parametrize(
    ("target", "number"),
    [("rifle-42-soviet 12,5", ""), ("t-34-76 12,5", ""), ("truck-soviet 12,5", ""), ("t-34-76 12.001,5", "CAT-1")],
)
def test_infantry_assaults_any_adjacent_unit(target: str, number: str) -> None:
    assert judged("rifle-40-german 10,5", target) == number


@rule("CAT-2")
@pytest.mark.parametrize(
    ("kind", "number"),
    [("engineer-german", ""), ("scout-german", ""), ("pz-iv-h", "CAT-2"), ("cp-german", "CAT-2")],
)
def test_only_infantry_types_assault(kind: str, number: str) -> None:
    assert judged(f"{kind} 10,5", "rifle-42-soviet 11.8,5") == number


@rule("CAT-11")
def test_units_in_towns_and_fortifications_are_assaulted_too() -> None:
    more = 'markers = [{ kind = "fort", at = ["11.8,5"] }]'
    assert judged("rifle-40-german 10,5", "rifle-42-soviet 11.8,5", more=more) == ""
    assert judged("rifle-40-german 10,5", "rifle-42-soviet 11.8,5", table=area("town", 9, 3, 14, 7)) == ""


@rule("CAT-4")
def test_an_assault_costs_two_points() -> None:
    game = phase("rifle-40-german 9.5,5; rifle-40-german 10,7", "rifle-42-soviet 11.5,5")
    game.play("red", CloseAssault("red-1", "blue-1"))
    assert stand(game, "red-1").spent == 2 * MICRO
    late = phase("rifle-40-german 9,5; rifle-40-german 10,7", "rifle-42-soviet 11.5,5")
    late.play("red", Move("red-1", (9_500, 5_000), 90))  # half a point of two
    assert refused(late, "red", CloseAssault("red-1", "blue-1")) == "CAT-4"


@rule("CAT-5")
def test_a_unit_that_was_transported_does_not_assault() -> None:
    game = phase("rifle-40-german 10,5", "rifle-42-soviet 11.8,5")
    game.state.change("red-1", handled="unloaded")
    assert refused(game, "red", CloseAssault("red-1", "blue-1")) == "CAT-5"


@rule("CAT-12", "STR-6")
def test_nobody_assaults_out_of_water() -> None:
    assert judged("rifle-40-german 10,5", "rifle-42-soviet 11.8,5", table=line("stream", "10,1 10,29")) == "STR-6"


@rule("CAT-12", "BRI-4")
def test_infantry_assaults_from_a_bridge() -> None:
    table = line("stream", "10,1 10,29") + crossing("bridge", "8,5 11,5")
    assert judged("rifle-40-german 10,5", "rifle-42-soviet 11.8,5", table=table) == ""


@rule("TEC-4")
def test_nobody_assaults_across_a_cliff() -> None:
    assert judged("rifle-40-german 10,5", "rifle-42-soviet 11.8,5", table=line("cliff", "11,2 11,8")) == "TEC-4"


@rule("CAT-10")
@pytest.mark.parametrize("kind", ["hmg-german", "mortar-81-german", "panzerschreck"])
def test_supporting_stands_assault_beside_assaulting_infantry_only(kind: str) -> None:
    game = phase(f"{kind} 10,5; rifle-40-german 10.5,6.5; rifle-40-german 13.5,5", "rifle-42-soviet 11.8,5")
    assert refused(game, "red", CloseAssault("red-1", "blue-1")) == "CAT-10"
    game.play("red", CloseAssault("red-3", "blue-1"))  # assaults, but is not adjacent to the stand
    assert refused(game, "red", CloseAssault("red-1", "blue-1")) == "CAT-10"
    game.play("red", CloseAssault("red-2", "blue-1"))
    assert refused(game, "red", CloseAssault("red-1", "blue-1")) == ""


@rule("CAT-3", "CAT-7", "CAT-8")
def test_all_assault_together_once() -> None:
    game = phase("rifle-40-german 10,5; smg-german 10.5,6.5; smg-german 13,6", "rifle-42-soviet 11.8,5", script=(6, 1))
    game.play("red", CloseAssault("red-1", "blue-1"))
    game.play("red", CloseAssault("red-2", "blue-1"))
    assert refused(game, "red", EndPhase()) == "CAT-3"
    game.play("red", GO)
    events = game.play("blue", Pass())
    made = next(event.calculation for event in events if event.calculation)
    assert made.column == "1-1"  # 4 and 12 to 12
    assert refused(game, "red", CloseAssault("red-3", "blue-1")) == "CAT-8"


@rule("OPP-16", "OPP-19", "CAT-14")
def test_the_target_fires_at_one_assaulter_first() -> None:
    game = phase("rifle-40-german 10,5; smg-german 10.5,6.5", "guards-43 11.8,5", script=(1, 1))
    game.play("red", CloseAssault("red-1", "blue-1"))
    game.play("red", CloseAssault("red-2", "blue-1"))
    game.play("red", GO)
    events = game.play("blue", FireBack("blue-1", "red-2"))
    made = {event.calculation.title: event.calculation.column for event in events if event.calculation}
    assert made["Opportunity fire at attackers"] == "2-1"  # 12 to 6
    assert stand(game, "red-2").status == "eliminated"
    assert made["Close assault"] == ""  # the rifles alone: 4 to 18 is less than 1-4


@rule("QM-2", "OPP-16")
def test_QM_2_attackers_that_marched_quickly_have_half_their_defence() -> None:
    game = phase("ski-41-soviet 8,5", "guards-43 11.8,5", script=(1,))
    game.play("red", QuickMarch("red-1"))
    game.play("red", Move("red-1", (10_000, 5_000), 90))  # a point of three
    game.play("red", CloseAssault("red-1", "blue-1"))
    game.play("red", GO)
    (made,) = (event.calculation for event in game.play("blue", FireBack("blue-1", "red-1")) if event.calculation)
    assert made.column == "2-1"  # 12 to half of 10
    assert "QM-2" in [line.rule for line in made.lines]


@rule("SPT-4")
def test_the_assault_itself_gives_nobody_away() -> None:
    game = phase("rifle-40-german 10,5", "rifle-42-soviet 11.8,5", table=area("woods", 8, 3, 11, 7), script=(6, 1))
    game.play("red", CloseAssault("red-1", "blue-1"))
    game.play("red", GO)
    game.play("blue", Pass())
    assert not stand(game, "red-1").spotted
