"""Computer players plan indirect fire; previews of missions."""

from __future__ import annotations

from opfire.core.events import Calculation
from opfire.core.game import Game
from opfire.core.ruleset import Suggestion
from opfire.rulesets.panzerblitz_miniatures import RULESET
from opfire.rulesets.panzerblitz_miniatures.actions import EndPhase
from opfire.rulesets.panzerblitz_miniatures.fire.indirect import Designate
from opfire.rulesets.panzerblitz_miniatures.pieces import Position
from rules.panzerblitz_miniatures.batteries import GUN, OBSERVER, TANK, battery, plan
from rules.panzerblitz_miniatures.kit import rule


def thoughts(game: Game[Position]) -> list[Suggestion]:
    """Red's sensible moves, best first."""
    return RULESET.suggest(game.sight("red"), "red", game.stack[-1], game.choices("red"))


def preview(game: Game[Position], action: Designate) -> Calculation:
    """The attack of a mission, as previewed."""
    made = RULESET.preview(game.sight("red"), game.stack[-1], action)
    assert isinstance(made, Calculation)
    return made


def test_a_battery_fires_at_the_unit_that_cannot_get_away() -> None:
    game = battery(blue=(TANK, ("how-76-soviet", "20,12")))
    best = thoughts(game)[0].action
    assert isinstance(best, Designate)
    assert (best.unit, best.target, best.task) == ("red-2", "blue-2", "neutralization")


def test_no_battery_fires_at_friends() -> None:
    game = battery(red=(OBSERVER, GUN, ("pz-iv-h", "25,11.2")))
    assert thoughts(game)[0].action == EndPhase()


@rule("NEU-10", "NEU-11", "NEU-13")
def test_the_preview_of_a_mission_counts_those_that_are_one_attack_with_it() -> None:
    game = battery(red=(OBSERVER, GUN, ("how-105-german", "2,14")))
    alone = Designate("red-2", "blue-1", "red-1", "neutralization", "square", 0)
    assert preview(game, alone).column == "2-1"
    plan(game, "red-3")
    assert preview(game, alone).column == "4-1"
    destruction = preview(game, Designate("red-2", "blue-1", "red-1", "destruction", "square", 0))
    assert (destruction.column, destruction.modifier) == ("2-1", -2)
