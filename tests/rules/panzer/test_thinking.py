"""Computer players of the Basic Game: commands by plan, fire, moves that keep the front to the enemy."""

from __future__ import annotations

import random

import pytest

from opfire.ai import players
from opfire.core import scenario
from opfire.core.dice import Dice
from opfire.core.game import Game
from opfire.core.record import new_game
from opfire.kit.orders import Pass
from opfire.rulesets.panzer import RULESET, control
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.adjusting import AdjustStep, Pivot
from opfire.rulesets.panzer.commands import Command, CommandPhase, HandIn
from opfire.rulesets.panzer.fire.arcs import aspects
from opfire.rulesets.panzer.fire.direct_fire import Announce
from opfire.rulesets.panzer.fire.overwatch import Overwatch
from opfire.rulesets.panzer.moving.going import Going
from opfire.rulesets.panzer.moving.movement import Moving
from opfire.rulesets.panzer.moving.step import MovementStep
from opfire.rulesets.panzer.pieces import CommandName, Position
from opfire.rulesets.panzer.thinking import firing
from opfire.rulesets.panzer.thinking.mind import Mind
from opfire.rulesets.panzer.thinking.moving import best_move
from opfire.rulesets.panzer.thinking.reasons import reasons
from opfire.rulesets.panzer.thinking.ways import ends
from rules.panzer import test_weapons as weapons
from rules.panzer.battle import OPEN, game, text
from rules.panzer.kit import CHARTS, rule, vehicle

DUEL = "panzer-first-duel"
BROOK = "panzer-grenadiers-on-the-rzhava"


def played(first: str, second: str, seed: int, name: str = DUEL) -> Game[Position]:
    """A whole game of two computer players, German and Soviet."""
    made = new_game(RULESET, scenario.text_of(name), Dice(seed.to_bytes(32, "big")))
    seated = {"german": players()[first], "soviet": players()[second]}
    rngs = {seat: random.Random(f"{seed} {seat}") for seat in seated}
    while made.stack:
        seat = made.asked()[0]
        made.play(seat, seated[seat].choose(made, seat, rngs[seat]))
    return made


@pytest.mark.parametrize("side", ["german", "soviet"])
def test_greedy_beats_random(side: str) -> None:
    names = ("greedy", "random") if side == "german" else ("random", "greedy")
    assert played(*names, 3).outcome.winner == side  # type: ignore[union-attr]


@pytest.mark.parametrize("other", ["random", "advance"])
@pytest.mark.parametrize("side", ["german", "soviet"])
def test_greedy_beats_the_others_in_the_advanced_game(side: str, other: str) -> None:
    names = ("greedy", other) if side == "german" else (other, "greedy")
    assert played(*names, 3, BROOK).outcome.winner == side  # type: ignore[union-attr]


def test_a_sheet_of_the_advanced_game_shares_its_commands() -> None:
    made = new_game(RULESET, scenario.text_of(BROOK), Dice(bytes(32)))
    greedy, rng = players()["greedy"], random.Random(0)
    while not isinstance(made.stack[-1], CommandPhase):
        seat = made.asked()[0]
        made.play(seat, greedy.choose(made, seat, rng))
    sheet = greedy.choose(made, "soviet", rng)
    assert isinstance(sheet, HandIn)
    assert made.why_not("soviet", sheet) is None
    assert any(order.leader for order in sheet.orders)
    assert any(not made.state.units[order.unit].is_vehicle for order in sheet.orders)


def test_a_gun_turns_to_the_enemy() -> None:
    gun = 'units = [{ unit = "t_75", at = ["1-A4"] }]'
    made = game(text(german=gun, options=("AG",)))
    made.state.change("german-1", facing=5)
    made.push(AdjustStep("german"))
    made.run()
    best = players()["greedy"].choose(made, "german", random.Random(0))
    assert isinstance(best, Pivot)
    assert best.facing in (1, 2)


def test_the_script_comes_to_an_end_of_the_game() -> None:
    assert played("advance", "advance", 4).outcome is not None


def test_every_end_of_a_move_can_be_driven_to() -> None:
    made = game(text(board=OPEN.replace("\n. . . . .", "\n. W . u .", 3) + 'roads = ["A4 B4 C5 D5 E6"]\n'))
    unit = made.state.change("german-1", command="move")
    for end in ends(made.state, unit, Going())[::4]:
        trial = Game(RULESET, made.state.copy(), Dice(bytes(32)), made.seats)
        trial.push(MovementStep("german"))
        trial.run()
        for act in end.acts:
            assert trial.why_not("german", act) is None, end
            trial.play("german", act)
            while isinstance(trial.stack[-1], Overwatch):
                trial.play(trial.asked()[0], Pass())
        there = trial.state.units["german-1"]
        assert (there.hex, there.facing) == (end.hex, end.facing)


def test_a_vehicle_ends_its_move_with_its_front_to_the_enemy() -> None:
    made = game(text(soviet='units = [{ unit = "t34_43", at = ["1-J5"] }]'))
    unit = made.state.change("german-1", command="move", facing=5)
    acts = best_move(Mind(made.state, "german"), unit, Going()).acts
    end = next(end for end in ends(made.state, unit, Going()) if (*end.acts, acts[-1]) == acts)
    coords = made.state.map.coords
    assert aspects(coords[end.hex], end.facing, coords["1-J5"]) == ("front",)


def mover_of(made: Game[Position], player: str) -> str:
    """The unit that the first suggestion of a computer player moves; it has to be allowed."""
    who = RULESET.suggest if player == "greedy" else RULESET.script
    best, *_ = who(made.sight("german"), "german", made.stack[-1], made.choices("german"))
    assert made.why_not("german", best.action) is None
    return str(best.action.unit)  # type: ignore[attr-defined]


@pytest.mark.parametrize("player", ["greedy", "advance"])
@pytest.mark.parametrize("first", [{"command": "move", "moved": True}, {"command": "overwatch"}])
def test_4_5_vehicles_that_do_not_move_keep_nobody_else_from_moving(player: str, first: dict[str, object]) -> None:
    made = game(text(german='units = [{ unit = "pz4h", count = 2, at = ["1-A4", "1-B4"] }]'))
    made.state.change("german-1", **first)
    made.state.change("german-2", command="move")
    made.push(MovementStep("german"))
    made.run()
    assert mover_of(made, player) == "german-2"


def test_4_5_when_nobody_is_left_to_move_the_step_ends() -> None:
    made = game()
    made.state.change("german-1", command="move", moved=True)
    made.push(MovementStep("german"))
    made.run()
    (best,) = RULESET.suggest(made.sight("german"), "german", made.stack[-1], made.choices("german"))
    assert best.action == EndStep()


def test_4_5_1_1_10_a_vehicle_among_the_enemy_is_suggested_a_way_out() -> None:
    made = game(text(soviet='units = [{ unit = "t34_43", at = ["1-B4"] }]'))
    made.state.put("german-1", "1-B4")
    made.state.change("german-1", command="move")
    made.push(Moving("german", "german-1", Going(spent=99, steps=1, off_road=True)))
    made.run()
    found = RULESET.suggest(made.sight("german"), "german", made.stack[-1], made.choices("german"))
    assert any(made.why_not("german", each.action) is None for each in found)


def test_6_2_1_1_4_ends_of_moves_lie_within_command_range_of_those_who_share() -> None:
    units = 'units = [{ unit = "pz4h", count = 2, at = ["1-A4", "1-A4"] }]'
    made = game(text(german=f'grade = "seasoned"\n{units}', options=("AG",)))
    for name in ("german-1", "german-2"):
        made.state.change(name, command="move", shares="german-1")
    made.state.change("german-1", moved=True)
    reach = control.command_range(made.state, made.state.units["german-1"])
    found = ends(made.state, made.state.units["german-2"], Going())
    assert found
    assert max(made.state.map.distance("1-A4", end.hex) for end in found) <= reach


def test_a_gun_with_a_sure_shot_is_told_to_fire() -> None:
    made = game(text(soviet='units = [{ unit = "t34_43", at = ["1-D4"] }]'))
    (best,) = RULESET.suggest(made.sight("german"), "german", made.stack[-1], made.choices("german"))
    assert isinstance(best.action, HandIn)
    assert [CHARTS.commands[order.command].fires for order in best.action.orders] == [True]


@rule("5.14", "6.5.4.3-dual")
def test_the_second_shot_at_a_target_is_worth_less_than_the_first() -> None:
    """The machine gun of a squad has -5 after its rifles, at what they leave of the target."""
    made = weapons.firing(weapons.battle("g_sqd44", script=(90, 10)), ["g_hmg_w"])
    made.play("german", Announce("german-1", "soviet-1", "g_sqd44 ball"))
    sight, second = made.sight("german"), Announce("german-1", "soviet-1", "g_hmg_w ball")
    found = RULESET.suggest(sight, "german", made.stack[-1], made.choices("german"))
    worth = {each.action: each.worth for each in found}[second]
    mind, unit, target = Mind(sight, "german"), sight.units["german-1"], sight.units["soviet-1"]
    rifles, gun = (firing.part(mind, unit, target, False, name) for name in ("g_sqd44 ball", "g_hmg_w ball"))
    assert 0 < worth < mind.value(target) * (1 - rifles) * gun


# --- the reasons of a sheet ---------------------------------------------------------------------------------------


def said(command: CommandName) -> str:
    """The reason of a command of the German vehicle of an open field, as its player reads it."""
    made = game()
    return str(reasons(made.state, "german", orders=[Command("german-1", command)])["german-1"])


def test_a_sheet_says_at_whom_a_unit_fires_and_with_what_chance() -> None:
    """At six hexes, the S range, a hit in the front does something to it: the number to hit is the chance."""
    size, halted, name = vehicle("t34_43").size, -4, vehicle("t34_43").name  # 4.4.3.2.2-short-halt
    assert said("fire") == f"at {name} 1: {CHARTS.hit[size].number('S')} % for an effect"
    assert said("short halt") == f"at {name} 1: {CHARTS.hit[size + halted].number('S')} % for an effect"


def test_a_sheet_says_for_whom_a_unit_waits_and_where_it_goes() -> None:
    assert said("overwatch") == f"it waits for {vehicle('t34_43').name} 1"
    assert said("move") == "towards 1-G4"
    assert said("no command") == "it has nothing better to do"


def test_a_sheet_of_the_advanced_game_tells_the_chance_of_a_hit() -> None:
    made = game(text(options=("AG",)))
    found = reasons(made.state, "german", orders=[Command("german-1", "fire")])["german-1"]
    assert str(found).endswith(" % to hit")
    assert str(found) == f"at {vehicle('t34_43').name} 1: {CHARTS.hit[vehicle('t34_43').size].number('S')} % to hit"
