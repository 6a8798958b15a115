"""Computer players in the air: they plan strikes, choose landing zones, fire at aircraft, and finish their games."""

from __future__ import annotations

import random

from msgspec.structs import replace

from opfire.ai.opponents import Greedy
from opfire.core import scenario as scenarios
from opfire.core.actions import Action
from opfire.core.dice import Dice
from opfire.core.game import Game
from opfire.core.record import new_game
from opfire.rulesets.micro_armour import RULESET
from opfire.rulesets.micro_armour.air.advice import APART, suggest
from opfire.rulesets.micro_armour.air.defence import FireAtAircraft
from opfire.rulesets.micro_armour.air.planes import Bomb
from opfire.rulesets.micro_armour.air.plans import EndAirPlan
from opfire.rulesets.micro_armour.air.strikes import DropBombs, Strafe
from opfire.rulesets.micro_armour.airborne.zones import clear
from opfire.rulesets.micro_armour.pieces import Position
from opfire.space.measure import square
from rules.micro_armour.kit import GRENADIERS, RIFLES
from rules.micro_armour.test_12_3_air import GUNS, PLANE, attacking, planning


def best(made: Game[Position], side: str) -> Action:
    """The first suggestion to a side now."""
    return suggest(made.sight(side), side, made.stack[-1], made.choices(side))[0].action


def test_the_air_plan_has_every_arrival_and_all_bombs() -> None:
    made = planning()
    while made.stack:
        action = best(made, "german")
        made.play("german", action)
    assert isinstance(action, EndAirPlan)
    plane = made.state.planes[PLANE]
    assert plane.arrives
    assert len(plane.bombs) == 2


def test_the_better_target_is_strafed_and_bombs_fall_where_an_enemy_is() -> None:
    woods = 'areas = [{kind = "woods", points = "28,8 32,8 32,12 28,12"}]'
    made = attacking(3, [(RIFLES, "30,10"), (RIFLES, "20,10")], terrain=woods)
    assert best(made, "german") == Strafe(PLANE, "soviet-2")
    made.state.planes[PLANE] = replace(made.state.planes[PLANE], strafed=1, bombs=(Bomb((20000, 10000), 3),))
    assert best(made, "german") == DropBombs(PLANE)


def test_nobody_bombs_his_own_stands() -> None:
    made = attacking(3, [(RIFLES, "20,10")], bombs=(Bomb((5000, 14000), 3),))
    made.state.planes[PLANE] = replace(made.state.planes[PLANE], strafed=1)
    assert made.state.units["german-2"].kind.id == GRENADIERS
    assert best(made, "german") != DropBombs(PLANE)


def test_guns_fire_at_aircraft() -> None:
    made = attacking(3, [(RIFLES, "20,10"), (GUNS, "22,10")])
    made.play("german", Strafe(PLANE, "soviet-1"))
    assert best(made, "soviet") == FireAtAircraft("soviet-2")


def pont_rouge(turns: int) -> Game[Position]:
    """A game of the landing that ends after some turns."""
    text = scenarios.text_of("armour-pont-rouge").replace("turns = 10", f"turns = {turns}")
    return new_game(RULESET, text, Dice(bytes(32)))


def test_landing_zones_lie_in_the_clear_and_apart() -> None:
    made = pont_rouge(10)
    while len(made.state.drops) < 3:
        (side,) = made.asked()
        made.play(side, best(made, side))
    places = [drop.at for drop in made.state.drops.values()]
    assert all(clear(made.state, at) for at in places)
    assert len(set(places)) == 3
    assert all(square(a, b) >= APART**2 for a in places for b in places if a != b)


def test_greedy_lands_at_pont_rouge_by_parachute_and_by_glider() -> None:
    made, rng = pont_rouge(3), random.Random(5)
    players = {side: Greedy() for side in made.seats}
    for _ in range(3000):
        if made.outcome is not None:
            break
        seat = made.deciders()[0]
        made.play(seat, players[seat].choose(made, seat, rng))
    assert made.outcome is not None
    assert {unit.landed for unit in made.state.units.values()} == {-1, 0, 3}
