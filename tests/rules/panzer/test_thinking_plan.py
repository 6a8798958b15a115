"""Computer players with a plan: objectives, approaches under overwatch, Hull Down, front armor to the enemy."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from opfire.ai import players
from opfire.core.game import Game
from opfire.kit.thinking.goals import Goal
from opfire.rulesets.panzer.adjusting import AdjustStep
from opfire.rulesets.panzer.commands import HandIn
from opfire.rulesets.panzer.fire.arcs import ahead, hit_angles
from opfire.rulesets.panzer.fire.turrets import AdjustTurret
from opfire.rulesets.panzer.moving.costs import hexsides_turned
from opfire.rulesets.panzer.moving.going import Going
from opfire.rulesets.panzer.moving.hull_down import Search
from opfire.rulesets.panzer.moving.step import MovementStep
from opfire.rulesets.panzer.pieces import Position
from opfire.rulesets.panzer.thinking import commanding, sharing
from opfire.rulesets.panzer.thinking.firing import part
from opfire.rulesets.panzer.thinking.mind import Mind
from opfire.rulesets.panzer.thinking.moving import best_move
from opfire.rulesets.panzer.thinking.planning import objectives
from opfire.rulesets.panzer.thinking.sharing import Wish
from opfire.rulesets.panzer.thinking.ways import ends
from rules.panzer.battle import OPEN, game, text

TANK, ENEMY = "german-1", "soviet-1"
ROWS = "\n. . . . . . . . . . . ."


def on(hexes: dict[str, str], sides: str = "") -> str:
    """The plain with other ground in some hexes: letters of the legend by the name of the hex."""
    cells = [["."] * 12 for _ in range(8)]
    for name, word in hexes.items():
        cells[int(name[1:]) - 1][ord(name[0]) - ord("A")] = word
    before, _ = OPEN.split("hexes = '''", 1)
    return before + "hexes = '''\n" + "\n".join(" ".join(row) for row in cells) + "\n'''\n" + sides


def battle(
    board: str = OPEN, german: str = "1-A4", soviet: str = "1-G4", options: tuple[str, ...] = (), kind: str = "pz4h"
) -> Game[Position]:
    """A tank on each side. The Soviets score for 1-G4, and both for enemies that are lost."""
    units = f'units = [{{ unit = "{kind}", at = ["{german}"] }}]'
    enemy = f'units = [{{ unit = "t34_43", at = ["{soviet}"] }}]'
    return game(text(board=board, german=units, soviet=enemy, options=options))


def mind_of(made: Game[Position], side: str = "german") -> Mind:
    return Mind(made.sight(side), side)


# --- shots as they are expected [4.4.3.2, 6.5.2]


@pytest.mark.parametrize("options", [(), ("AG",)])
@pytest.mark.parametrize("facing", range(6))
@pytest.mark.parametrize("ground", [{}, {"D4": "W"}, {"D4": "2r"}])
def test_the_expected_harm_is_that_of_the_rules(options: tuple[str, ...], facing: int, ground: dict[str, str]) -> None:
    made = battle(on(ground), soviet="1-D4", options=options)
    target = made.state.change(ENEMY, facing=facing)
    mind, unit = mind_of(made), made.state.units[TANK]
    found = mind.harm(unit, "1-A4", target, "1-D4", 0)[facing]
    assert found == pytest.approx(part(mind, unit, target, False))


@pytest.mark.rule("panzer", "6.1.4.3.2")
def test_a_tank_behind_a_wall_has_less_to_fear() -> None:
    """All hits on its hull are misses there, so that a front with a weak hull gains: that of a T-34 against a Pz IV."""
    walled = on({}, '[sides]\nwall = ["G4/G3"]\n')
    open_, behind = (
        mind_of(made, "soviet").harm(made.state.units[TANK], "1-G1", made.state.units[ENEMY], "1-G4", 0)
        for made in (battle(board, german="1-G1", options=("AG",)) for board in (OPEN, walled))
    )
    assert behind[0] < open_[0]
    assert behind[3] < open_[3]


# --- Hull Down and fronts [6.6.9]

GULLY = on({"G4": "u"})


def moved(made: Game[Position], seat: str, unit: str) -> tuple[object, ...]:
    """The acts of the best move of a unit with a Move command."""
    return best_move(mind_of(made, seat), made.state.change(unit, command="move"), Going()).acts


@pytest.mark.rule("panzer", "6.6.9-who")
def test_a_tank_on_its_objective_searches_for_a_position_against_the_enemy() -> None:
    """The T-34 holds 1-G4, a gully: 01-60 finds a position there. The Panzer IV is to its west."""
    made = battle(GULLY, german="1-B4", options=("AG",))
    made.state.change(ENEMY, facing=2)
    (act,) = moved(made, "soviet", ENEMY)
    assert isinstance(act, Search)
    coords = made.state.map.coords
    assert set(hit_angles(coords["1-G4"], act.facing, coords["1-B4"])) <= {"front", "front side"}
    made.push(MovementStep("soviet"))
    made.run()
    assert players()["greedy"].choose(made, "soviet", random.Random(0)) == act


@pytest.mark.rule("panzer", "6.6.9-who")
def test_a_tank_in_its_position_does_not_search_again() -> None:
    """A command to move would give the position up: it fires or watches from there."""
    made = battle(GULLY, german="1-B4", options=("AG",))
    made.state.change(ENEMY, hull_down="full", facing=5)
    (best, *_) = made.ruleset.suggest(made.sight("soviet"), "soviet", made.stack[-1], made.choices("soviet"))
    assert isinstance(best.action, HandIn)
    assert [order.command for order in best.action.orders] in (["fire"], ["overwatch"])


# --- approaches of the enemy


def test_an_enemy_comes_to_its_objective_by_the_cheapest_way() -> None:
    made = battle(soviet="1-L4")
    way = mind_of(made).approaches[ENEMY]
    apart = [made.state.map.distance(hex, "1-G4") for hex in way]
    assert way
    assert apart == sorted(apart, reverse=True)
    assert apart[0] == 4


def test_an_enemy_on_its_objective_stays() -> None:
    assert mind_of(battle()).approaches[ENEMY] == ()


# --- facing


@pytest.mark.parametrize("hidden", [False, True])
def test_a_tank_ends_its_move_with_its_front_to_an_enemy_that_does_not_see_it_yet(hidden: bool) -> None:
    woods = {f"G{row}": "H" for row in range(1, 9)} if hidden else {}
    made = battle(on(woods), german="1-D4", soviet="1-J5")
    unit = made.state.change(TANK, command="move", facing=4)
    acts = moved(made, "german", TANK)
    end = next(end for end in ends(made.state, unit, Going()) if (*end.acts, acts[-1]) == acts)
    coords = made.state.map.coords
    assert set(hit_angles(coords[end.hex], end.facing, coords["1-J5"])) <= {"front", "front side"}
    assert (made.state.setting.line(end.hex, "1-J5") is not None) is hidden


@pytest.mark.rule("panzer", "7.8.1")
def test_a_turret_turns_to_the_enemy_in_the_adjustment_phase() -> None:
    made = battle(options=("AG", "7.8"))
    made.state.change(TANK, facing=2, turret=3)
    made.push(AdjustStep("german"))
    made.run()
    act = players()["greedy"].choose(made, "german", random.Random(0))
    assert isinstance(act, AdjustTurret)
    coords = made.state.map.coords
    aimed = [way for way in range(6) if ahead(coords["1-A4"], way, coords["1-G4"])]
    assert min(hexsides_turned(act.facing, way) for way in aimed) < min(hexsides_turned(5, way) for way in aimed)


# --- commands: fire, overwatch, moves [4.2, 6.2.1.1]

FORD = {f"F{row}": "H" for row in range(1, 9)} | {"F4": "f"}
"""A wall of Heavy Woods from edge to edge, with a ford in it."""


@pytest.mark.rule("panzer", "4.4.2")
@pytest.mark.parametrize(("enemy", "watches"), [("1-H1", True), ("1-A8", False)])
def test_a_tank_that_covers_the_ford_watches_an_enemy_who_has_to_come_by_it(enemy: str, watches: bool) -> None:
    """The enemy in 1-H1 is out of sight behind the woods, and its objective 1-D4 lies beyond the ford."""
    units = 'units = [{ unit = "pz4h", at = ["1-D4"] }]'
    foes = f'units = [{{ unit = "t34_43", at = ["{enemy}"] }}]'
    made = game(text(board=on(FORD), german=units, soviet=foes).replace('hexes = ["1-G4"]', 'hexes = ["1-D4"]'))
    made.state.change(TANK, facing=2)
    mind, unit = mind_of(made), made.state.units[TANK]
    assert ("1-F4" in mind.approaches[ENEMY]) is watches
    if watches:
        assert made.state.setting.line("1-D4", enemy) is not None
        assert [shot.foe for shot in commanding.in_view(mind, unit, commanding.Aims())] == [ENEMY]
        assert commanding.best(mind, unit, commanding.Aims()) == "overwatch"


def test_an_enemy_that_is_watched_is_worth_less_to_the_next_watcher() -> None:
    mind, aims = mind_of(battle()), commanding.Aims()
    shots = commanding.in_view(mind, mind.position.units[TANK], aims)
    aims.watch(shots)
    again = commanding.in_view(mind, mind.position.units[TANK], aims)
    assert [shot.foe for shot in again] == [shot.foe for shot in shots] == [ENEMY]
    assert again[0].worth < shots[0].worth


def test_tanks_with_a_good_shot_choose_their_command_first() -> None:
    two = 'units = [{ unit = "pz4h", at = ["1-A1"] }, { unit = "pz4h", at = ["1-E4"] }]'
    made = game(text(german=two))
    assert [unit.id for unit in commanding.by_shot(mind_of(made))] == ["german-2", "german-1"]


# --- the plan of the side


def planned(goals: list[Goal], foes: str = "1-L8") -> dict[str, str]:
    """The objectives of two tanks of different formations in 1-A4 and 1-A5, with one enemy."""
    two = 'units = [{ unit = "pz4h", at = ["1-A4"] }, { unit = "pz4h", at = ["1-A5"] }]'
    made = game(text(german=two, soviet=f'units = [{{ unit = "t34_43", at = ["{foes}"] }}]', options=("AG",)))
    friends = [replace(unit, formation=unit.id) for unit in made.state.of("german")]
    return objectives(made.state, goals, friends, made.state.of("soviet"))


def test_formations_go_together_where_the_enemy_is_strong() -> None:
    """A Panzer IV is not enough against a T-34 that stands there, so that both go."""
    goals = [Goal("1-C4", 10.0, 10.0), Goal("1-C8", 7.0, 7.0)]
    assert planned(goals, foes="1-C4") == {"german-1": "1-C4", "german-2": "1-C4"}


def test_if_one_formation_is_enough_the_next_goes_elsewhere() -> None:
    """The enemy is far from both objectives."""
    goals = [Goal("1-C4", 10.0, 10.0), Goal("1-C8", 7.0, 7.0)]
    assert sorted(planned(goals).values()) == ["1-C4", "1-C8"]


@pytest.mark.parametrize("options", [(), ("AG",)])
def test_an_objective_of_the_plan_draws_more_than_another_in_the_advanced_game(options: tuple[str, ...]) -> None:
    """The Basic Game has no formations: every tank weighs all objectives alike."""
    made = battle(options=options)
    mind, unit = mind_of(made), made.state.units[TANK]
    assert mind.objectives == ({TANK: "1-G4"} if options else {})
    assert (mind.planned(unit, "1-G4") > mind.planned(unit, "1-A8")) is bool(options)


# --- scarce commands [6.2.1.1.3]


@pytest.mark.rule("panzer", "6.2.1.1.3")
def test_a_second_wish_shares_the_command_of_a_neighbour_where_there_is_none_for_the_first() -> None:
    """Green troops have a single command for two tanks [6.2.1.1]; the first one watches."""
    two = 'grade = "green"\nunits = [{ unit = "pz4h", count = 2, at = ["1-A4", "1-A4"] }]'
    made = game(text(german=two, options=("AG",)))
    first, second = made.state.of("german")
    wishes = [Wish(10.0, first, "overwatch"), Wish(5.0, second, "move"), Wish(0.1, second, "overwatch")]
    orders = sharing.sheet(made.state, "german", wishes).orders
    assert [(order.unit, order.command, order.leader) for order in orders] == [
        ("german-1", "overwatch", ""),
        ("german-2", "overwatch", "german-1"),
    ]


def test_a_second_wish_is_not_heard_where_the_first_is_served() -> None:
    made = battle(options=("AG",))
    unit = made.state.units[TANK]
    (order,) = sharing.sheet(made.state, "german", [Wish(10.0, unit, "move"), Wish(0.1, unit, "overwatch")]).orders
    assert order.command == "move"
