"""Computer players that have to hold several villages alone: who keeps which, who clears it, and who lands where."""

from __future__ import annotations

from opfire.core import scenario as scenarios
from opfire.core.dice import Dice
from opfire.core.places import Point
from opfire.core.record import new_game
from opfire.rulesets.micro_armour import RULESET
from opfire.rulesets.micro_armour.air.advice import suggest
from opfire.rulesets.micro_armour.pieces import Position
from opfire.rulesets.micro_armour.players import posts
from opfire.rulesets.micro_armour.thinking import goal
from opfire.space.measure import square
from rules.micro_armour.kit import GRENADIERS, PANZER, RIFLES, at, position

BOTH = '[[decisions]]\nside = "german"\nhold = ["Westdorf", "Ostdorf"]\n'
HOUSES = "".join(
    f'[[table.areas]]\nkind = "medium-buildings"\nname = "{name}"\npoints = "{x},10 {x + 4},10 {x + 4},16 {x},16"\n'
    for name, x in (("Westdorf", 6), ("Ostdorf", 30))
)
WEST, EAST = (8000, 13000), (32000, 13000)


def villages(germans: list[tuple[str, str]], soviets: list[tuple[str, str]], turns: str = "20") -> Position:
    """Two villages that the German side has to hold alone, with their middles at 8,13 and 32,13."""
    return position(germans, soviets, top=BOTH, terrain=HOUSES, turns=turns)


def goals(made: Position) -> list[Point | None]:
    """The goals of the German stands, in order."""
    return [goal(made, unit, at(made, unit.id)) for unit in made.of("german")]


def test_of_two_stands_in_one_village_one_goes_to_the_other() -> None:
    """The second one is nearer to the empty village."""
    made = villages([(GRENADIERS, "7,13"), (GRENADIERS, "9,13")], [(RIFLES, "20,2")])
    assert goals(made) == [None, EAST]
    made.put("german-2", (31000, 12000))
    assert goals(made) == [None, None]


def test_a_keeper_stays_and_others_clear_the_village_with_an_enemy_in_it() -> None:
    made = villages([(GRENADIERS, "7,13"), (PANZER, "9,13"), (PANZER, "20,13")], [(RIFLES, "32,14")])
    assert goals(made) == [None, (32000, 14000), (32000, 14000)]


def test_those_who_come_too_late_clear_no_village() -> None:
    """Infantry makes less than two inches good in a turn, and one turn is left; its like keep each village."""
    made = villages([(GRENADIERS, "7,13"), (GRENADIERS, "31,12"), (GRENADIERS, "9,13")], [(RIFLES, "32,15")], turns="1")
    assert [posts.of(made, unit) for unit in made.of("german")] == ["Westdorf", "Ostdorf", ""]


def test_stands_set_up_where_there_are_the_fewest() -> None:
    made = villages([(GRENADIERS, "7,13")], [(RIFLES, "20,2")])
    assert posts.start(made, "german") == EAST
    assert posts.start(villages([(GRENADIERS, "31,13")], []), "german") == WEST


def test_landings_are_shared_out_to_the_villages() -> None:
    """A Costly Setback: the first three groups of paratroopers land near three villages."""
    made = new_game(RULESET, scenarios.text_of("armour-costly-setback"), Dice(bytes(32)))
    while len(made.state.drops) < 3:
        (side,) = made.asked()
        made.play(side, suggest(made.sight(side), side, made.stack[-1], made.choices(side))[0].action)
    aims = [(21500, 2500), (7500, 11000), (24000, 11000)]
    drops = [drop.at for drop in made.state.drops.values()]
    assert {min(aims, key=lambda aim: square(aim, to)) for to in drops} == {*aims}
    held = [unit.at for unit in made.state.of("german") if unit.at is not None]
    assert [sum(square(each, aim) <= (5000) ** 2 for each in held) for aim in aims] == [2, 2, 2]
