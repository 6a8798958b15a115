"""The suggestions of the computer players: legal, steady, and sensible where there is one right thing to do."""

from __future__ import annotations

import random
from typing import Any

import pytest

from opfire.ai import players
from opfire.core import scenario
from opfire.core.game import Game
from opfire.core.match import Match
from opfire.core.ruleset import Suggestion
from opfire.rulesets.panzer_grenadier import RULESET
from opfire.rulesets.panzer_grenadier.actions import Pass
from opfire.rulesets.panzer_grenadier.assault.assaulting import DeclareAssault, EnterAssault
from opfire.rulesets.panzer_grenadier.command.activation import Activate, ActivateLeader, Designate
from opfire.rulesets.panzer_grenadier.command.designating import Designating
from opfire.rulesets.panzer_grenadier.fire.direct import FireDirect
from opfire.rulesets.panzer_grenadier.fire.offboard import CallFire
from opfire.rulesets.panzer_grenadier.fire.reaction import ShootDirect
from opfire.rulesets.panzer_grenadier.movement.moving import Move, Stop
from opfire.rulesets.panzer_grenadier.movement.transport import Load, Unload
from opfire.rulesets.panzer_grenadier.pieces import Position, Unit
from opfire.rulesets.panzer_grenadier.thinking import appraise, script, suggest
from opfire.rulesets.panzer_grenadier.thinking.ground import ground_of
from opfire.rulesets.panzer_grenadier.thinking.mind import Mind
from opfire.rulesets.panzer_grenadier.works.fieldworks import DigIn
from rules.panzer_grenadier.kit import draw, german, leader, marker, play, soviet


def suggested(game: Game[Position]) -> list[Suggestion]:
    """The suggestions to greedy, best first."""
    side = game.asked()[0]
    return suggest(game.sight(side), side, game.stack[-1].seen_by(side), game.choices(side))


def best(game: Game[Position]) -> Any:
    return suggested(game)[0].action


# --- one right thing ----------------------------------------------------------------------------------------------


def test_it_fires_at_who_stands_before_it() -> None:
    """Three rifle platoons in the open, next to an HMG: nothing else is there to do."""
    foes = {f"foe{number}": soviet("sov-inf", "A2", reduced=True) for number in range(3)}
    game = draw(gun=german("ger-hmg", "A1"), **foes)
    assert best(game) == Activate("gun", "fire")
    play(game, best(game))
    assert best(game) == FireDirect("gun", "1-A2")
    assert "morale check" in str(suggested(game)[0].why)


def test_it_passes_when_there_is_nothing_to_do_but_never_with_demoralized_units() -> None:
    idle = draw(gun=german("ger-hmg", "A1"), foe=soviet("sov-inf", "P10"))
    assert best(idle) == Pass()
    shaken = draw(gun=german("ger-hmg", "A1", state="demoralized"), foe=soviet("sov-inf", "P10"))
    assert best(shaken) == Activate("gun", "recover")


def test_it_takes_opportunity_fire_that_costs_nothing() -> None:
    """A reduced platoon walks past three HMGs that have nobody else to fire at."""
    guns = {f"gun{number}": german("ger-hmg", "A1") for number in range(3)}
    game = draw(side="soviet", foe=soviet("sov-inf", "B3", reduced=True), **guns)
    play(game, Activate("foe", "move"), Move("foe", "B4"))
    assert isinstance(best(game), ShootDirect)


def test_three_who_are_led_assault_one_who_is_demoralized() -> None:
    own = {f"own{number}": german("ger-inf", "A1") for number in range(3)}
    foe = soviet("sov-inf", "A2", state="demoralized", reduced=True)
    game = draw(lt=leader("german", "A1", combat=1), foe=foe, **own)
    chosen = suggested(game)[0]
    assert chosen.action == ActivateLeader("lt")
    assert Designate("own0", "fire") in chosen.route
    assert "assault on 1-A2" in str(chosen.why)
    play(game, chosen.action, *chosen.route)
    assert isinstance(best(game), EnterAssault)


def test_what_is_demoralized_is_worth_about_half_a_step_less() -> None:
    game = draw(
        whole=german("ger-inf", "A1"), shaken=german("ger-inf", "C1", state="demoralized"), a=soviet("sov-inf", "P10")
    )
    before = appraise(game.state, "german")
    game.state.change("shaken", state="good order")
    mind = Mind(game.state, "german")
    gained = (appraise(game.state, "german") - before) / mind.step(game.state.units["shaken"])
    assert 0.2 < gained < 0.4, "half of half a step: what units can still do counts half"


def test_off_board_guns_fire_at_the_fattest_stack() -> None:
    fat = {f"fat{number}": soviet("sov-inf", "D4") for number in range(3)}
    special = {"sides": {"german": {"offboard": [16]}}}
    game = draw(lt=leader("german", "D2"), thin=soviet("sov-inf", "F3"), special=special, **fat)
    calls = [each for each in suggested(game) if isinstance(each.action, CallFire)]
    assert calls[0].action == CallFire(16, "1-D4")


def test_who_can_only_be_called_into_an_assault_is_left_out_of_other_things() -> None:
    """12.5: the leader in the assault hex reaches the HMG, which sees a fat target, but it could not fire at it."""
    fat = {f"fat{number}": soviet("sov-inf", "E3") for number in range(3)}
    foe = soviet("sov-inf", "C3", state="disrupted", reduced=True)
    own = {f"own{number}": german("ger-inf", "C3") for number in range(3)}
    game = draw(lt=leader("german", "C3", combat=1), gun=german("ger-hmg", "C4"), foe=foe, **own, **fat)
    (led,) = [each for each in suggested(game) if each.action == ActivateLeader("lt")]
    assert {step.unit for step in led.route if isinstance(step, Designate)} == {"own0", "own1", "own2", "lt"}
    play(game, led.action, *led.route)
    assert best(game) == DeclareAssault("1-C3")
    alone = draw(lt=leader("german", "C3", combat=1), gun=german("ger-hmg", "C4"), foe=foe, **own, **fat)
    assert Activate("gun", "fire") in [each.action for each in suggested(alone)], "it still has that to do by itself"


TOWN = {"side": "german", "condition": "control", "hexes": ["1-P5"], "points": 5}
"""A place at the far end of the board, five turns away on foot."""


def test_whoever_has_far_to_go_rides() -> None:
    """5.61: a truck loads the platoon beside it, drives to a hex where nobody can fire at it, and lets it off."""
    foe = soviet("sov-inf", "P5")
    game = draw(truck=german("ger-truck", "A5"), inf=german("ger-inf", "A5"), foe=foe, victory=[TOWN])
    chosen = suggested(game)[0]
    assert {Designate("truck", "move"), Designate("inf", "move")} <= set(chosen.route)
    play(game, chosen.action, *chosen.route)
    ride = suggested(game)[0]
    assert ride.action == Load("truck", "inf")
    assert ride.route[-2:] == (Unload("inf"), Stop("truck"))
    play(game, ride.action, *ride.route[:-1])
    ridden = game.state.units["inf"]
    assert ridden.carrier is None
    assert game.state.map.distance(str(ridden.hex), "1-A5") > 3, "farther than it could have walked"


def test_who_is_almost_there_walks() -> None:
    """Two hexes before the place a ride would bring nothing."""
    game = draw(
        truck=german("ger-truck", "N5"), inf=german("ger-inf", "N5"), foe=soviet("sov-inf", "A1"), victory=[TOWN]
    )
    chosen = suggested(game)[0]
    play(game, chosen.action, *chosen.route)
    assert isinstance(best(game), Move)
    assert best(game).unit == "inf"


def test_an_empty_truck_does_not_drive_at_the_enemy_but_to_who_has_far_to_go() -> None:
    foe = soviet("sov-inf", "P5")
    alone = draw(truck=german("ger-truck", "A5"), foe=foe, victory=[TOWN])
    assert best(alone) == Pass(), "a place that it cannot hold is none of its business"
    game = draw(truck=german("ger-truck", "A5"), inf=german("ger-inf", "C4", marked=True), foe=foe, victory=[TOWN])
    assert best(game) == Activate("truck", "move")
    play(game, best(game))
    chosen = suggested(game)[0]
    ends = [step.to for step in (chosen.action, *chosen.route) if isinstance(step, Move)]
    assert ends[-1] == "1-C4"


def test_the_guns_speak_before_those_who_walk() -> None:
    """To bring the platoon nearer to the town is worth more than a barrage, but the barrage comes first."""
    fat = {f"fat{number}": soviet("sov-inf", "J5") for number in range(3)}
    special = {"sides": {"german": {"offboard": [16]}}}
    game = draw(lt=leader("german", "C5"), own=german("ger-inf", "C5"), special=special, victory=[TOWN], **fat)
    first, *rest = suggested(game)
    assert first.action == CallFire(16, "1-J5")
    (march,) = [each for each in rest if each.action == ActivateLeader("lt")]
    assert march.worth > first.worth


def test_who_holds_a_place_digs_in_before_anybody_comes_and_then_stays() -> None:
    """16.2: two segments of digging; with the enemy six hexes away there is time for both."""
    foes = {"foe": soviet("sov-inf", "I5"), "other": soviet("sov-hmg", "I5")}
    held = [{**TOWN, "hexes": ["1-C5"]}, {**TOWN, "hexes": ["1-C5"], "side": "soviet"}]
    holds = [marker("control", "C5", side="german")]
    fresh = draw(gun=german("ger-hmg", "C5"), victory=held, markers=holds, **foes)
    assert best(fresh) == Activate("gun", "move")
    play(fresh, best(fresh))
    assert best(fresh) == DigIn("gun")
    half = draw(gun=german("ger-hmg", "C5", dug_in=1), victory=held, markers=holds, **foes)
    assert best(half) == Activate("gun", "move"), "the second segment completes it"
    whole = draw(gun=german("ger-hmg", "C5", dug_in=2), victory=held, markers=holds, **foes)
    assert best(whole) == Pass()


def test_a_gun_that_will_not_move_again_is_set_up_where_it_has_ground_before_it() -> None:
    """From a corner it sees all of the little that is there; beyond the edge lies nothing to be seen."""
    match = Match.start(scenario.text_of("pg-sosnovka"), key=bytes(32))
    greedy, rng = players()["greedy"], random.Random(1)
    while match.game.stack[-1].step == "set-up":
        seat = match.game.asked()[0]
        match.play(seat, greedy.choose(match.game, seat, rng))
    position = match.game.state
    (gun,) = [unit for unit in position.of("german") if unit.kind is not None and unit.kind.id == "ger-at-37"]
    assert len(position.map.within(str(gun.hex), 1)) == 7, "not at the edge"


def test_ways_heed_wrecks_that_were_not_there_at_first() -> None:
    """16.3: a wreck costs vehicles more and three bar them; the distance to a far goal is that of the ground."""
    game = draw(tank=german("ger-pz3", "A1"), foot=german("ger-inf", "A1"), foe=soviet("sov-inf", "P10"))
    position = game.state
    tank, foot, ground = position.units["tank"], position.units["foot"], ground_of(position)

    def prices(unit: Unit) -> dict[str, int]:
        return dict(ground.steps(position, unit, "1-A1"))

    free, walked, far = prices(tank), prices(foot), ground.turns(position, tank, "1-A1", "1-A5")
    position.change_works("1-A2", wrecks=1)
    surcharge = 2 * position.charts.figure("one wreck costs")
    assert prices(tank) == free | {"1-A2": free["1-A2"] + surcharge}
    position.change_works("1-A2", wrecks=3)
    assert prices(tank) == {hex: price for hex, price in free.items() if hex != "1-A2"}
    assert prices(foot) == walked
    assert ground.turns(position, tank, "1-A1", "1-A5") == far
    position.change_works("1-A2", wrecks=0)
    assert prices(tank) == free


# --- any game -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("who", [suggest, script])
@pytest.mark.parametrize(("name", "decisions"), [("pg-sosnovka", 500), ("pg-glinki", 300)])
def test_whatever_is_suggested_in_a_random_game_is_legal(name: str, decisions: int, who: Any) -> None:
    """Every suggestion is one of the choices, with a reason; every plan begins with steps that the rules allow."""
    match = Match.start(scenario.text_of(name), key=bytes([9]) * 32, nonces={"german": "1", "soviet": "1"})
    game, rng = match.game, random.Random(name)
    for number in range(decisions):
        if game.outcome is not None:
            break
        side = game.asked()[0]
        choices = list(game.choices(side))
        if number % 5 == 0 or isinstance(game.stack[-1], Designating):
            for each in who(game.sight(side), side, game.stack[-1].seen_by(side), game.choices(side)):
                assert each.action in choices
                assert each.why
        game.play(side, rng.choice(choices))


def test_the_same_seed_makes_the_same_choices() -> None:
    def course() -> list[str]:
        match = Match.start(
            scenario.text_of("pg-night-231"), key=bytes([2]) * 32, nonces={"german": "1", "soviet": "1"}
        )
        seated = {side: players()["greedy"] for side in match.game.seats}
        rngs = {side: random.Random(side) for side in match.game.seats}
        chosen = []
        for _ in range(120):
            side = match.game.asked()[0]
            action = seated[side].choose(match.game, side, rngs[side])
            chosen.append(RULESET.label(match.game.state, action))
            match.game.play(side, action)
        return chosen

    assert course() == course()
