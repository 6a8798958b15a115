"""Computer players: what they may touch, that they play within the rules, that they can say why and win."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from opfire.ai import Player, players
from opfire.core import scenario
from opfire.core.actions import Action
from opfire.core.dice import Dice
from opfire.core.flow import Frame
from opfire.core.game import Game, Outcome
from opfire.core.record import new_game
from opfire.core.ruleset import Ruleset, Suggestion, find

MILL_FORD = scenario.text_of("mill-ford")
NAMES = ("random", "advance", "greedy")


class Sealed:
    """A game without what a player must not look at."""

    def __init__(self, game: Game[Any]) -> None:
        self._game = game

    def __getattr__(self, name: str) -> Any:
        if name in ("state", "dice", "copy", "save", "play"):
            raise AssertionError(f"a player touched Game.{name}")
        return getattr(self._game, name)


def fresh(seed: int) -> Game[Any]:
    key = hashlib.blake2b(str(seed).encode(), digest_size=32).digest()
    return new_game(find("case-orange"), MILL_FORD, Dice(key))


def play(first: str, second: str, seed: int, most: int = 5000) -> tuple[Game[Any], list[Action]]:
    """A game between two players, and what they did."""
    game, actions = fresh(seed), []
    seats = scenario.parse(MILL_FORD, "mill-ford").order()
    seated: dict[str, Player] = {seats[0]: players()[first], seats[1]: players()[second]}
    rngs = {seat: random.Random(f"{seed} {seat}") for seat in seats}
    while game.stack and len(actions) < most:
        seat = game.asked()[0]
        actions.append(seated[seat].choose(Sealed(game), seat, rngs[seat]))  # type: ignore[arg-type]
        game.play(seat, actions[-1])
    return game, actions


def test_they_are_known_by_id_and_new_at_each_call() -> None:
    assert set(players()) == set(NAMES)
    assert players()["greedy"] is not players()["greedy"]
    assert all(player.title for player in players().values())


@pytest.mark.parametrize("name", NAMES)
def test_they_play_a_whole_game_by_choices_and_sight_alone(name: str) -> None:
    game, actions = play(name, name, 1)
    assert game.outcome is not None
    assert len(actions) > 100


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_gives_the_same_game(name: str) -> None:
    one, two = play(name, "random", 2, most=150), play(name, "random", 2, most=150)
    assert one[1] == two[1]
    assert one[0].digest() == two[0].digest()


def suggested(game: Game[Any], seat: str) -> list[Suggestion]:
    """The ruleset's suggestions to the seat."""
    side = game.seats[seat]
    return game.ruleset.suggest(game.sight(seat), side, game.stack[-1].seen_by(side), game.choices(seat))


@pytest.mark.parametrize(("name", "most"), [("mill-ford", 250), ("pg-sosnovka", 300)])
def test_facts_kept_from_earlier_decisions_change_no_suggestion(name: str, most: int) -> None:
    """The same game in a setting of its own, where nobody has thought yet, gets the same suggestions."""
    text, rng = scenario.text_of(name), random.Random(4)
    ruleset = find(scenario.parse(text, name).ruleset)
    game, player = new_game(ruleset, text, Dice(bytes(32))), players()["greedy"]
    for _ in range(most):
        seat = game.asked()[0]
        stranger: Game[Any] = Game.load(ruleset, game.save(), ruleset.set_up(scenario.parse(text, name)))
        assert suggested(game, seat) == suggested(stranger, seat)
        game.play(seat, player.choose(game, seat, rng))
        if not game.stack:
            break


@pytest.mark.parametrize("name", NAMES)
def test_they_can_say_why(name: str) -> None:
    game, _ = play("greedy", "random", 3, most=60)
    words = players()[name].explain(Sealed(game), game.asked()[0])  # type: ignore[arg-type]
    assert any(letter.isdigit() for letter in words)


def test_greedy_explains_its_shots_by_their_chances() -> None:
    game = fresh(4)
    seats = scenario.parse(MILL_FORD, "mill-ford").order()
    rng, shooters = random.Random(4), {seat: players()["greedy"] for seat in seats}
    while game.outcome is None:
        seat = game.asked()[0]
        action = shooters[seat].choose(game, seat, rng)
        if type(action).__name__ == "Attack":
            words = players()["greedy"].explain(game, seat)
            assert "%" in words
            assert game.ruleset.label(game.sight(seat), action) in words.splitlines()[0]
            return
        game.play(seat, action)
    pytest.fail("nobody fired in a whole game")


def test_greedy_follows_its_plan_and_drops_it_when_the_rules_forbid_the_next_step() -> None:
    game, seat = fresh(5), "german"
    greedy, rng = players()["greedy"], random.Random(5)
    while not getattr(greedy, "_routes", {}).get(seat) and game.outcome is None:
        asked = game.asked()[0]
        player = greedy if asked == seat else players()["advance"]
        game.play(asked, player.choose(game, asked, rng))
    elsewhere = fresh(6)
    assert elsewhere.why_not(seat, greedy.choose(elsewhere, seat, rng)) is None


def test_told_to_stop_greedy_still_plays_a_choice() -> None:
    game = fresh(7)
    seat = game.asked()[0]
    action = players()["greedy"].choose(game, seat, random.Random(7), lambda: True)
    assert action in game.choices(seat)


class Add(Action, frozen=True):
    number: int


class Sum(msgspec.Struct):
    total: int = 0

    def copy(self) -> Sum:
        return Sum(self.total)


class Adding(Frame, frozen=True):
    """One number is added, then the game is over."""

    takes = (Add,)

    def acts(self, sight: Sum, side: str, actor: str) -> Iterable[Action]:
        return (Add(number) for number in (2, 9, 4))

    def play(self, game: Any, action: Any) -> None:
        game.state.total += action.number
        game.finish(Outcome(None, "draw", "added"))


def test_where_the_ruleset_suggests_nothing_greedy_looks_one_move_ahead() -> None:
    ruleset = Ruleset(
        id="adding",
        title="Adding",
        edition="toy",
        version="1",
        package=Path(),
        frames=(Adding,),
        actions=(Add,),
        state=Sum,
        setting=lambda scenario: None,
        start=lambda made: (Sum(), Adding("us")),
        view=lambda sight, side, frame: {},
        appraise=lambda sight, side: float(sight.total),
    )
    game: Game[Sum] = Game(ruleset, Sum(), Dice(bytes(32)), {"us": "us"})
    game.stack = (Adding("us"),)
    assert players()["greedy"].choose(game, "us", random.Random(8)) == Add(9)
    assert players()["greedy"].choose(Sealed(game), "us", random.Random(8)) == Add(9)  # type: ignore[arg-type]


def test_greedy_beats_random() -> None:
    won = 0
    for number in range(6):
        greedy_first = number % 2 == 0
        names = ("greedy", "random") if greedy_first else ("random", "greedy")
        game, _ = play(*names, number // 2)
        order = scenario.parse(MILL_FORD, "mill-ford").order()
        assert game.outcome is not None
        won += game.outcome.winner == order[0 if greedy_first else 1]
    assert won >= 5
