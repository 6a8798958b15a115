"""Standing orders for opportunity fire [13.0]: what they ask, let pass, and say."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from opfire.ai import players
from opfire.core import scenario
from opfire.core.game import Game
from opfire.core.match import Match
from opfire.core.orders import Answer, Ask, Asked, Spare
from opfire.rulesets.panzer_grenadier.actions import Pass
from opfire.rulesets.panzer_grenadier.command.activation import Activate
from opfire.rulesets.panzer_grenadier.fire.reaction import OpportunityFire, ShootAntiTank, ShootDirect
from opfire.rulesets.panzer_grenadier.movement.moving import Move
from opfire.rulesets.panzer_grenadier.pieces import Position
from opfire.rulesets.panzer_grenadier.shown.orders import Orders, answer
from rules.panzer_grenadier.kit import Table, draw, full, german, play, rule, soviet

FIRER = soviet("sov-hmg", "A1")


def window(runner: str = "ger-truck", **units: Table) -> Game[Position]:
    """A truck, or something else, has come to A4, away from an HMG in A1 or another unit named."""
    mover = german(runner, "A3")
    game = draw(mover=mover, **(units or {"hmg": FIRER}))
    play(game, Activate("mover", "move"), Move("mover", "A4"))
    assert isinstance(game.stack[-1], OpportunityFire)
    return game


def said(game: Game[Position], asked: Sequence[Asked] = (), **orders: Any) -> Answer:
    """The answer of such orders to the window."""
    given = msgspec.convert(orders, Orders)
    return answer(game.state, "soviet", game.stack[-1], given, game.choices("soviet"), asked)


def asks(game: Game[Position], asked: Sequence[Asked] = (), **orders: Any) -> bool:
    found = said(game, asked, **orders)
    assert isinstance(found, Ask) or found == Pass()
    return isinstance(found, Ask)


def earlier(hex: str, mover: str = "mover", chance: Fraction = Fraction(1), passed: bool = True) -> Asked:
    return Asked(OpportunityFire("soviet", ("soviet",), full(hex), (mover,)), chance, passed)


@rule("13.0")
def test_13_0_asked_about_or_let_go_or_fired() -> None:
    game = window()
    assert asks(game)
    assert said(game, fire="never") == Pass()
    assert said(game, fire="always") == ShootDirect(("hmg",), "mover")


@rule("13.0", "10.2", "7.52.A3")
def test_13_0_a_shot_below_the_least_chance_is_let_go() -> None:
    """An HMG of 7 at a truck: one column up from 7 is 11, where 2 to 7 do something: 21 of 36."""
    game = window()
    assert said(game, least_chance=0) == Ask(Fraction(21, 36))
    assert asks(game, least_chance=58)
    assert not asks(game, least_chance=59)


@rule("13.0", "7.61.b")
def test_13_0_what_armor_shuts_out_is_no_effect() -> None:
    """Direct fire of 7 at a tank: only step losses would do anything, on a 2."""
    game = window("ger-pz3")
    assert said(game, least_chance=0) == Ask(Fraction(1, 36))
    assert not asks(game)


@rule("13.0", "11.0")
def test_13_0_units_that_never_ask_and_targets_that_are_wanted() -> None:
    gun = soviet("sov-at-57", "A2")
    game = window("ger-pz2", gun=gun)
    assert isinstance(said(game, fire="always"), ShootAntiTank)
    assert asks(game, at="armour")
    assert not asks(game, units={"gun": "never"})
    assert not asks(game, within=1)
    assert asks(game, within=2)
    assert asks(window(), at="vehicles")
    assert not asks(window(), at="armour"), "a truck has none"


@rule("13.0")
def test_13_0_again_only_when_it_has_come_nearer() -> None:
    game = window()
    assert asks(game, [earlier("A5")])
    assert not asks(game, [earlier("A4")])
    assert asks(game, [earlier("A4", passed=False)]), "it was fired at, not let pass"
    assert asks(game, [earlier("A4", mover="other")])
    assert asks(game, [earlier("A4")], again="always")


@rule("13.0")
def test_13_0_questions_are_saved_for_better_shots_and_the_seat_is_told() -> None:
    game = window()
    spent = [earlier("A9", mover=f"other-{number}") for number in range(10)]
    assert asks(game, spent[:5])
    assert asks(game, [*spent[:5], replace(earlier("A6"), chance=Fraction(1, 2))]), "a better shot than the last"
    found = said(game, spent)
    assert isinstance(found, Spare)
    assert found.action == Pass()
    assert found.notice.only == ("soviet",)
    truck = game.state.units["mover"].name
    assert found.notice.sentence().startswith(f"Soviet standing orders let {truck} pass at a chance of 58 %: 10 of 10")
    assert asks(game, spent, most=0), "no limit"


HIDDEN_GUN = soviet("sov-at-57", "A8", hidden=True)


@rule("13.0", "16.6")
def test_16_6_hidden_units_hold_their_fire_until_ordered() -> None:
    game = window("ger-pz2", gun=HIDDEN_GUN)
    assert said(game, fire="always", least_chance=0) == Pass()
    assert said(game, hidden={"fire": "fire"}) == ShootAntiTank("gun", "mover")
    assert said(game, fire="never", hidden={"fire": "fire"}) == ShootAntiTank("gun", "mover"), "orders of their own"
    assert said(game, hidden={"fire": "fire", "within": 3}) == Pass()
    assert said(game, hidden={"fire": "fire", "at": "armour", "within": 4}) == ShootAntiTank("gun", "mover")
    assert said(game, hidden={"fire": "fire"}, units={"gun": "never"}) == Pass()
    assert said(window(gun=HIDDEN_GUN), hidden={"fire": "fire", "at": "armour"}) == Pass(), "a truck has none"


@rule("13.0", "16.6")
@pytest.mark.parametrize("gun", ["A8", "P9"])
def test_16_6_asked_at_every_step_where_the_gun_can_fire_and_where_it_cannot(gun: str) -> None:
    game = window("ger-pz2", gun=soviet("sov-at-57", gun, hidden=True))
    assert said(game, hidden={"fire": "ask"}) == Ask(Fraction(0))
    idle = "none of your units can fire" in game.prompt("soviet")
    assert idle == (gun == "P9")
    assert "none of your units" not in game.prompt("german")


@rule("13.0")
def test_13_0_at_most_ten_questions_in_an_enemy_segment() -> None:
    """Somebody who lets everything pass, against greedy, with the orders as they come."""
    match = Match.start(scenario.text_of("pg-sosnovka"), key=bytes([4]) * 32, nonces={"german": "1", "soviet": "1"})
    computer, rng = players()["greedy"], {seat: random.Random(seat) for seat in match.game.seats}
    questions: Counter[tuple[int, int]] = Counter()
    match.go_on()
    while not match.over and match.game.state.turn <= 4:
        seat, game = match.game.asked()[0], match.game
        if seat == "german" and isinstance(game.stack[-1], OpportunityFire):
            questions[game.state.turn, game.state.armies["soviet"].segments] += 1
            match.play(seat, Pass())
        else:
            match.answer(seat, computer.choose(game, seat, rng[seat]), "greedy")
    assert 0 < max(questions.values()) <= 10
