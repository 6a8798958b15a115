"""Computer players on foot [6.6.4]: towards the objective, by the hexes with the least danger."""

from __future__ import annotations

import random

import pytest

from opfire.ai import players
from opfire.core.game import Game
from opfire.rulesets.panzer.moving.going import Move
from opfire.rulesets.panzer.moving.step import MovementStep
from opfire.rulesets.panzer.pieces import Position
from opfire.rulesets.panzer.thinking import marching
from opfire.rulesets.panzer.thinking.mind import Mind
from rules.panzer.battle import game, text
from rules.panzer.moves import army
from rules.panzer.test_thinking_plan import on

SQUAD = "soviet-1"
GUNS = army(("g_hmg", "1-A4"))


def facing_fire(ground: dict[str, str], squad: str = "1-F4", points: int = 10) -> Game[Position]:
    """A squad on its way to 1-D4, of that worth, under the eyes of a machine gun in 1-A4."""
    plain = text(on(ground), GUNS, army(("s_sqd41", squad)), options=("AG",))
    goal = f'hexes = ["1-D4"]\npoints = {points}'
    return game(plain.replace('hexes = ["1-G4"]', goal))


def mind_of(made: Game[Position]) -> Mind:
    return Mind(made.sight("soviet"), "soviet")


def test_cover_takes_danger_from_a_squad() -> None:
    open_, woods = (facing_fire(ground) for ground in ({}, {"E4": "W"}))
    dangers = [marching.danger(mind_of(made), made.state.units[SQUAD], "1-E4") for made in (open_, woods)]
    assert 0.0 < dangers[1] < dangers[0]


def test_a_squad_out_of_sight_has_nothing_to_fear() -> None:
    made = facing_fire({"B4": "H", "B3": "H", "B5": "H", "A3": "H", "A5": "H"})
    assert marching.danger(mind_of(made), made.state.units[SQUAD], "1-E4") == 0.0


def test_of_two_ways_a_squad_takes_that_with_cover() -> None:
    """Of the neighbours of 1-F4 that lie next to 1-D4 one has woods, each in turn."""
    made = facing_fire({})
    away = made.state.map.distance
    nearer = [hex for hex in made.state.map.neighbours["1-F4"] if hex and away(hex, "1-D4") == 1]
    for covered in nearer:
        wooded = facing_fire({covered.removeprefix("1-"): "W"})
        mind, unit = mind_of(wooded), wooded.state.units[SQUAD]
        worths = {hex: marching.worth(mind, unit, "1-D4", hex) for hex in nearer}
        assert max(worths, key=lambda hex: worths[hex]) == covered


@pytest.mark.parametrize(("points", "goes"), [(100, True), (0, False)])
def test_a_squad_goes_for_an_objective_that_counts(points: int, goes: bool) -> None:
    made = facing_fire({"F4": "W"}, points=points)
    assert marching.goes_on(mind_of(made), made.state.units[SQUAD]) is goes


def test_the_step_that_is_chosen_leads_nearer() -> None:
    made = facing_fire({}, points=100)
    made.state.change(SQUAD, command="move")
    made.push(MovementStep("soviet"))
    made.run()
    act = players()["greedy"].choose(made, "soviet", random.Random(0))
    assert isinstance(act, Move)
    assert made.state.map.distance(act.to, "1-D4") < 2
