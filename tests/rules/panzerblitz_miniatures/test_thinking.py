"""The suggestions of the computer players: legal, steady, and sensible where there is one right thing to do."""

from __future__ import annotations

import random
from typing import Any

import pytest

from opfire.ai import players
from opfire.core import case, scenario
from opfire.core.dice import Dice
from opfire.core.game import Game
from opfire.core.record import new_game
from opfire.core.ruleset import Suggestion
from opfire.rulesets.panzerblitz_miniatures import RULESET
from opfire.rulesets.panzerblitz_miniatures.actions import EndPhase
from opfire.rulesets.panzerblitz_miniatures.close.close_assault import CloseAssault
from opfire.rulesets.panzerblitz_miniatures.close.close_combat import CarryOut
from opfire.rulesets.panzerblitz_miniatures.equipment import range_inches
from opfire.rulesets.panzerblitz_miniatures.fire.direct import AddFirer, Engage, Fire
from opfire.rulesets.panzerblitz_miniatures.moving.loading import Load, Unload
from opfire.rulesets.panzerblitz_miniatures.moving.manoeuvres import QuickMarch
from opfire.rulesets.panzerblitz_miniatures.moving.marching import Move
from opfire.rulesets.panzerblitz_miniatures.moving.movement import MovementPhase
from opfire.rulesets.panzerblitz_miniatures.moving.opportunity import React
from opfire.rulesets.panzerblitz_miniatures.pieces import Position
from opfire.rulesets.panzerblitz_miniatures.sighting.cover import hull_down
from opfire.rulesets.panzerblitz_miniatures.thinking import appraise
from opfire.rulesets.panzerblitz_miniatures.thinking.harm import DISPERSED, harm_at, recoil_at
from opfire.rulesets.panzerblitz_miniatures.thinking.hunting import eager, outlook, watch
from opfire.rulesets.panzerblitz_miniatures.thinking.mind import Mind
from opfire.space.measure import square
from rules.panzerblitz_miniatures.battle import battle, under
from rules.panzerblitz_miniatures.grounds import area, hill
from rules.panzerblitz_miniatures.kit import CHARTS

NAME = "mini-first-evening"
HEAD = 'ruleset = "panzerblitz-miniatures"\nside = "german"\ntable = { size = [40, 20] }\n'


def drawn(step: str, units: str, victory: str = "") -> Game[Position]:
    """A position on a bare table: units as "name type x,y", a line each."""
    rows = [line.split() for line in units.strip().splitlines()]
    tables = [f'[units.{name}]\nunit = "{kind}"\nat = "{at}"\n{chr(10).join(more)}\n' for name, kind, at, *more in rows]
    text = f'{HEAD}step = "{step}"\nturns = 6\n' + "".join(tables) + victory
    return case.position(case.parse(text, "drawn.toml"))


def suggested(game: Game[Any], seat: str) -> list[Suggestion]:
    side = game.seats[seat]
    return RULESET.suggest(game.sight(seat), side, game.stack[-1].seen_by(side), game.choices(seat))


# --- one right thing ----------------------------------------------------------------------------------------------


def test_tanks_fire_together_at_the_tank_before_them() -> None:
    game = drawn("direct", "one pz-iv-h 5,10\ntwo pz-iv-h 5,12\nfoe t-34-76 12,10")
    best = suggested(game, "german")[0]
    assert (best.action, best.route) == (Engage("one", "foe"), (AddFirer("two"), Fire()))
    assert "%" in str(best.why)


def test_nobody_fires_at_odds_that_hurt_the_attacker_alone() -> None:
    """Six to thirty is 1-4 at best, and most of that column strikes the attacker [CRT-1]."""
    game = drawn("direct", "rifles smg-german 5,10\nfoe tiger-ii 6.5,10 side='soviet'")
    assert suggested(game, "german")[0].action == EndPhase()


def test_a_tank_goes_for_an_objective_that_nobody_holds() -> None:
    goal = '[[victory]]\nside = "german"\ncondition = "control"\nhexes = ["20,10"]\npoints = 5\n'
    game = drawn("movement", "tank pz-iv-h 5,10\nfoe truck-soviet 39,19", goal)
    best = suggested(game, "german")[0].action
    assert isinstance(best, Move)
    assert best.to[0] > 5000
    assert game.why_not("german", best) is None


def test_a_tank_drives_up_to_the_objective_itself() -> None:
    """Three and a half inches off is not at it: control needs a stand within two inches (RULINGS.md R68)."""
    goal = '[[victory]]\nside = "german"\ncondition = "control"\nhexes = ["20,10"]\npoints = 5\n'
    game = drawn("movement", "tank pz-iv-h 16.5,10\nfoe truck-soviet 39,19", goal)
    best = suggested(game, "german")[0]
    legs = [step for step in (best.action, *best.route) if isinstance(step, Move)]
    assert square(legs[-1].to, (20000, 10000)) <= 2000**2


def test_infantry_marches_quickly_where_nobody_can_fire_at_it() -> None:
    goal = '[[victory]]\nside = "german"\ncondition = "control"\nhexes = ["20,10"]\npoints = 5\n'
    game = drawn("movement", "rifles smg-german 5,10\nfoe truck-soviet 39,19", goal)
    best = suggested(game, "german")[0]
    assert best.action == QuickMarch("rifles")
    assert isinstance(best.route[0], Move)


def test_infantry_does_not_march_quickly_under_the_eyes_of_a_gun() -> None:
    """Opportunity fire would meet half its defence [QM-2]."""
    goal = '[[victory]]\nside = "german"\ncondition = "control"\nhexes = ["20,10"]\npoints = 5\n'
    gun = "gun hmg-german 16,10 side='soviet' position=true"
    game = drawn("movement", f"rifles rifle-42-german 8,10\n{gun}", goal)
    assert not isinstance(suggested(game, "german")[0].action, QuickMarch)


def test_the_last_command_post_is_worth_more_than_one_of_two() -> None:
    """Without any post nobody moves or fires [CMD-2]."""
    units = "one pz-iv-h 5,10\ntwo pz-iv-h 5,12\nthree pz-iv-h 5,14\npost cp-german 3,12\nfoe t-34-76 30,10"
    alone, twins = drawn("movement", units), drawn("movement", units + "\nother cp-german 3,8")
    worth = [Mind(game.sight("german"), "german").value(game.state.units["post"]) for game in (alone, twins)]
    assert worth[0] > worth[1] + 0.3


def test_platoons_that_assault_carry_it_out() -> None:
    """Three platoons beside a dispersed one: together they have more than 4-1 [CRT-1, CAT-3]."""
    foe = "foe rifle-39-soviet 6.5,10 order='dispersed' position=true"
    game = drawn("movement", f"one smg-german 5,10\ntwo smg-german 6.5,8.5\nthree smg-german 6.5,11.5\n{foe}")
    best = suggested(game, "german")[0]
    assert isinstance(best.action, CloseAssault)
    assert best.route[-1] == CarryOut("close assault", "foe")


def test_tanks_drive_up_and_overrun_a_gun_in_the_open() -> None:
    """They cannot fire and move; an overrun is part of the move, for four points [OVR-3, OVR-4]."""
    game = drawn("movement", "one pz-iv-h 5,10\ntwo pz-iv-h 5,12\nfoe at-76 8,11 order='dispersed'")
    best = suggested(game, "german")[0]
    steps = (best.action, *best.route)
    assert isinstance(best.action, Move)
    assert best.route[-1] == CarryOut("overrun", "foe")
    for step in steps[:-1]:
        assert game.why_not("german", step) is None
        game.play("german", step)
    assert game.why_not("german", steps[-1]) is None


def test_a_tank_with_somewhere_to_go_fires_and_moves_on() -> None:
    """At half strength 3.5-1 is left; the tank keeps half of its allowance for the way [SMF-1, SMF-2]."""
    goal = '[[victory]]\nside = "german"\ncondition = "control"\nhexes = ["9,2"]\npoints = 8\n'
    loss = '[[victory]]\nside = "german"\ncondition = "eliminate"\npoints = 4\n'
    game = drawn("direct", "tank pz-iv-h 5,2\nfoe truck-soviet 5,12", goal + loss)
    best = suggested(game, "german")[0]
    assert (best.action, best.route) == (Engage("tank", "foe", "split"), (Fire(),))


def test_a_carrier_takes_up_infantry_with_far_to_go() -> None:
    goal = '[[victory]]\nside = "german"\ncondition = "control"\nhexes = ["36,10"]\npoints = 5\n'
    game = drawn("movement", "track half-track-german 5,10\nrifles rifle-42-german 5,11.5\nfoe truck-soviet 39,1", goal)
    assert suggested(game, "german")[0].action == Load("track", "rifles")


def test_a_gun_behind_a_crest_is_in_less_danger() -> None:
    """It is hull down there: +2 on the die of the attack [HUL-2]."""
    games = [battle("pz-iv-h 5,10", "stug-iii-g 12.8,10", table=table) for table in ("", hill(10, 5, 20, 15))]
    dangers = [Mind(game.state, "blue").danger(game.state.units["blue-1"], (12800, 10000)) for game in games]
    assert dangers[1] < dangers[0]


def test_a_tank_behind_a_crest_is_not_seen_from_afar() -> None:
    """The crest is cover against an enemy who is not higher; unfired it is seen at two inches only [COV-3, LLT-1]."""
    games = [battle("pz-iv-h 5,10", "stug-iii-g 12.8,10", table=table) for table in ("", hill(10, 5, 20, 15))]
    seen = [
        Mind(game.state, "red").sees((5000, 10000), game.state.units["blue-1"], (12800, 10000), False) for game in games
    ]
    assert seen == [True, False]


def test_a_tank_that_has_set_out_on_a_slope_goes_behind_the_crest() -> None:
    """From the edge of the flat top it fires at the enemy, who sees it at two inches only [HUL-1, COV-3]."""
    game = under(battle("pz-iv-h 21,10", "is-2 10,10", table=hill(20, 5, 30, 15)), MovementPhase("red"))
    game.state.change("red-1", spent=1000)
    steps = (suggested(game, "red")[0].action, *suggested(game, "red")[0].route)
    to = [step for step in steps if isinstance(step, Move)][-1].to
    state, foe = game.state, (10000, 10000)
    assert hull_down(CHARTS, state.lines.line(foe, to)) is not None
    assert Mind(state, "red").prospects(state.units["red-1"], to) > 0


def test_a_platoon_under_fire_goes_into_the_wood_beside_it() -> None:
    """Unfired in a wood it is seen at two inches, and shells are at +1 [COV-2, LLT-1, TEC-16]."""
    wood = area("woods", 5, 11, 20, 16)
    game = under(battle("rifle-40-german 10,10", "t-34-76 20,10", table=wood), MovementPhase("red"))
    best = suggested(game, "red")[0]
    legs = [step for step in (best.action, *best.route) if isinstance(step, Move)]
    assert "woods" in game.state.ground.at(legs[-1].to).kinds


def test_a_gun_keeps_beyond_the_range_of_those_that_it_outranges() -> None:
    """A T-34 fires ten inches and a Tiger twenty: neither closes in nor leaves its own range [DF-3]."""
    tiger, foe = CHARTS.kinds["tiger-i"], CHARTS.kinds["t-34-76"]
    apart = range_inches(CHARTS, foe) + 1
    assert range_inches(CHARTS, tiger) > apart
    game = under(battle("tiger-i 5,10", f"t-34-76 {5 + apart},10"), MovementPhase("red"))
    best = suggested(game, "red")[0]
    legs = [step for step in (best.action, *best.route) if isinstance(step, Move)]
    far = square(legs[-1].to if legs else (5000, 10000), ((5 + apart) * 1000, 10000))
    assert (range_inches(CHARTS, foe) * 1000) ** 2 < far <= (range_inches(CHARTS, tiger) * 1000) ** 2


def test_a_gun_in_a_firing_position_waits_there_for_an_enemy_in_range() -> None:
    """A step to the side is as good a place, but gives the Firing Position up [FPS-2]."""
    games = [
        drawn("movement", f"tank pz-iv-h 5,10 position={mark}\nfoe t-34-76 22,10 side='soviet'")
        for mark in ("true", "false")
    ]
    assert isinstance(suggested(games[0], "german")[0].action, EndPhase)


WOOD = area("woods", 12, 4, 14, 10.4)


def test_an_observer_goes_to_where_it_sees_a_target_for_its_battery() -> None:
    """Round the corner of a wood, on foot: the howitzer behind has nobody else to see for it [IF-6]."""
    game = battle("how-105-german 2,10; observer-german 10,10", "t-34-76 22,10", table=WOOD)
    game.state.turn, game.state.current = 2, "red"
    best = suggested(under(game, MovementPhase("red")), "red")[0]
    legs = [step for step in (best.action, *best.route) if isinstance(step, Move)]
    assert legs[0].unit == "red-2"
    assert game.state.lines.block(legs[-1].to, (22000, 10000)) is None


def test_an_observer_without_a_battery_has_nothing_to_look_for() -> None:
    game = battle("pz-iv-h 2,10; observer-german 10,10", "t-34-76 22,10", table=WOOD)
    mind = Mind(game.state, "red")
    assert not any(watch(mind, game.state.units["red-2"], (10000, y)) for y in (10000, 11500))


def test_an_observer_is_set_up_with_a_view() -> None:
    """Before any enemy stands, ground that it sees is all that tells one place from another."""
    game = battle("how-105-german 2,10; observer-german 10,10", "t-34-76 22,10", sides="facing = 90", table=WOOD)
    mind, unit = Mind(game.state, "red"), game.state.units["red-2"]
    assert outlook(mind, unit, (11000, 8000)) < outlook(mind, unit, (15000, 15000)) == 1.0


DESTROY = '[[victory]]\nside = "{}"\ncondition = "eliminate"\npoints = 3\n'


def late(victory: str) -> Game[Position]:
    """A tank that sees nobody, with an enemy far off, late in a game that only losses decide."""
    units = "tank pz-iv-h 5,10\nfoe truck-soviet 30,10 side='soviet'\ngone smg-41-soviet 36,10 side='soviet'"
    game = drawn("movement", units, victory)
    game.state.turn = 5
    return game


def test_a_side_that_does_not_win_seeks_the_enemy_out() -> None:
    best = suggested(late(DESTROY.format("german")), "german")[0].action
    assert isinstance(best, Move)
    assert best.to[0] > 5000


def test_a_side_that_wins_does_not() -> None:
    game = late(DESTROY.format("german"))
    game.state.lift("gone", "eliminated")
    assert isinstance(suggested(game, "german")[0].action, EndPhase)


def test_a_side_with_ground_to_take_does_that_first() -> None:
    goal = '[[victory]]\nside = "german"\ncondition = "control"\nhexes = ["5,2"]\n'
    assert eager(Mind(late(DESTROY.format("german") + goal).state, "german")) == 0.0


def test_riders_get_down_at_the_objective() -> None:
    goal = '[[victory]]\nside = "german"\ncondition = "control"\nhexes = ["6,10"]\npoints = 5\n'
    game = drawn("movement", "tank pz-iv-h 5,10\nrifles smg-german 5,10 carrier='tank'\nfoe t-34-76 22,10", goal)
    assert isinstance(suggested(game, "german")[0].action, Unload)


def test_a_gun_in_a_firing_position_takes_the_shot_that_costs_it_little() -> None:
    game = drawn("movement", "truck half-track-german 5,10\ngun at-76 10,12 position=true\nfoe t-34-76 12,2")
    game.play("german", Move("truck", (9500, 10000), 90))
    best = suggested(game, "soviet")[0].action
    assert isinstance(best, React)
    assert best.target == "truck"


def test_the_worth_of_a_position_falls_with_a_loss() -> None:
    victory = '[[victory]]\nside = "soviet"\ncondition = "eliminate"\npoints = 2\n'
    game = drawn("movement", "one pz-iv-h 5,10\ntwo pz-iv-h 5,12\nfoe t-34-76 30,10", victory)
    before = appraise(game.sight("german"), "german")
    game.state.lift("two", "eliminated")
    assert appraise(game.sight("german"), "german") < before - 2


# --- chances ------------------------------------------------------------------------------------------------------


def test_harm_is_that_of_the_printed_column() -> None:
    """Column 4-1: X for 1 to 4, X for 5, D for 6 at no modifier [CRT-1]."""
    none: frozenset[str] = frozenset()
    assert harm_at(CHARTS, "4-1", 0, "normal", "good order", none) == pytest.approx((5 + DISPERSED) / 6)
    assert harm_at(CHARTS, "4-1", 0, "normal", "dispersed", none) == pytest.approx(1)
    assert recoil_at(CHARTS, "4-1", 0, "normal", none) == 0
    assert recoil_at(CHARTS, "1-4", 0, "normal", none) > 0


# --- whole games --------------------------------------------------------------------------------------------------


def test_facts_kept_from_earlier_decisions_change_no_suggestion() -> None:
    """The same game in a setting of its own, where nobody has thought yet, gets the same suggestions."""
    text, rng = scenario.text_of(NAME), random.Random(4)
    game, player = new_game(RULESET, text, Dice(bytes(32))), players()["greedy"]
    for _ in range(40):
        seat = game.asked()[0]
        stranger: Game[Any] = Game.load(RULESET, game.save(), RULESET.set_up(scenario.parse(text, NAME)))
        assert suggested(game, seat) == suggested(stranger, seat)
        game.play(seat, player.choose(game, seat, rng))
        if not game.stack:
            break


@pytest.mark.parametrize(("side", "seed"), [("german", 0), ("soviet", 1)])
def test_greedy_beats_random_play(side: str, seed: int) -> None:
    game, rng = new_game(RULESET, scenario.text_of(NAME), Dice(bytes([seed]) * 32)), random.Random(seed)
    seated = {seat: players()["greedy" if seat == side else "random"] for seat in game.seats}
    while game.outcome is None:
        seat = game.asked()[0]
        game.play(seat, seated[seat].choose(game, seat, rng))
    assert game.outcome.winner == side


def test_the_script_reaches_an_objective() -> None:
    game, rng = new_game(RULESET, scenario.text_of(NAME), Dice(bytes(32))), random.Random(1)
    seated = {"soviet": players()["advance"], "german": players()["random"]}
    while game.outcome is None:
        seat = game.asked()[0]
        game.play(seat, seated[seat].choose(game, seat, rng))
    assert "soviet" in game.state.control.values()


def test_the_script_lands_its_airborne_troops_on_dry_ground() -> None:
    game, rng = new_game(RULESET, scenario.text_of("mini-oudewaal"), Dice(bytes(32))), random.Random(1)
    seated = {"british": players()["advance"], "german": players()["random"]}
    while game.outcome is None and game.state.turn < 3:
        seat = game.asked()[0]
        game.play(seat, seated[seat].choose(game, seat, rng))
    landed = [name for landing in game.state.setting.landings.values() for name in landing.units]
    assert len(landed) == 10
    assert all(game.state.units[name].status != "reserve" for name in landed)
    drowned = [event for event in game.events if event.rule in ("ABN-4", "ABN-5") and event.kind == "eliminated"]
    assert len(drowned) < len(landed) / 2
