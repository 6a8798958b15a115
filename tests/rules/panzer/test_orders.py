"""Standing orders for overwatch fire, and for the question whether a target moves."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction

import msgspec
import pytest

from opfire.ai import players
from opfire.core import scenario
from opfire.core.actions import Action
from opfire.core.game import Game
from opfire.core.match import Match
from opfire.core.orders import Answer, Ask, Spare
from opfire.core.orders import Asked as Question
from opfire.kit.orders import Pass
from opfire.rulesets.panzer import RULESET
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.commands import Command, HandIn
from opfire.rulesets.panzer.fire.direct_fire import Announce, Asked, Keep, Resolve, Reveal
from opfire.rulesets.panzer.fire.overwatch import Overwatch, OverwatchFire
from opfire.rulesets.panzer.moving.going import Move
from opfire.rulesets.panzer.orders import Orders
from opfire.rulesets.panzer.pieces import CommandName, Position
from rules.panzer.battle import commanded, game, text
from rules.panzer.kit import rule
from rules.panzer.moves import army

DUEL, RZHAVA = "panzer-first-duel", "panzer-rzhava"


def answered(made: Game[Position], side: str, orders: Orders | None = None) -> Answer:
    """The answer of a side's standing orders to the question that is put now."""
    return RULESET.answer(made.sight(side), side, made.stack[-1], orders, made.choices(side), ())


def aimed_at(command: CommandName) -> Game[Position]:
    """A German vehicle fires at a Soviet one with this hidden command, and its player may say whether it moves."""
    made = commanded(game(script=(90, 10)), {1: "fire"}, {1: command})
    made.play("german", Announce("german-1", "soviet-1"))
    made.play("german", Resolve())
    assert isinstance(made.stack[-1], Asked)
    return made


@rule("4.4.3.2.2-moving")
@pytest.mark.parametrize("command", ["move", "short halt", "overwatch", "no command"])
@pytest.mark.parametrize("orders", [Orders(fire="never"), Orders(fire="always"), Orders(moving="keep")])
def test_orders_without_questions_keep_every_command(orders: Orders, command: CommandName) -> None:
    """ "The controlling player is not required to reveal the command": it has no effect, whatever it is."""
    assert answered(aimed_at(command), "soviet", orders) == Keep()


@rule("4.4.3.2.2-moving")
@pytest.mark.parametrize(
    ("command", "answer"),
    [("move", Reveal("soviet-1")), ("short halt", Reveal("soviet-1")), ("overwatch", Keep()), ("no command", Keep())],
)
def test_orders_to_show_it_reveal_a_move(command: CommandName, answer: Answer) -> None:
    """ "The controlling player must reveal it to receive the modifier"; computer players do."""
    made = aimed_at(command)
    for orders in (Orders(moving="show"), Orders(moving="show", fire="never"), RULESET.computer_orders):
        assert answered(made, "soviet", orders) == answer


@rule("4.4.3.2.2-moving")
@pytest.mark.parametrize("command", ["move", "overwatch"])
def test_a_player_is_asked_whether_a_target_moves_whatever_its_command(command: CommandName) -> None:
    """ "The controlling player is not required to reveal the command": half of ten questions go to this."""
    made = aimed_at(command)
    for seat in ("soviet", "spectator"):  # asked for reasons that everybody can see
        found = RULESET.answer(made.sight(seat), "soviet", made.stack[-1], None, made.choices("soviet"), ())
        assert isinstance(found, Ask)
    question = Question(made.stack[-1], Fraction(1), passed=True)
    asks = [
        RULESET.answer(made.sight("soviet"), "soviet", made.stack[-1], None, made.choices("soviet"), [question] * spent)
        for spent in (4, 5)
    ]
    assert isinstance(asks[0], Ask)
    assert asks[1] == Keep()


def at_a_mover(hex: str) -> Game[Position]:
    """A German vehicle on overwatch, and a Soviet one that has entered the next hex to the north-west of its own."""
    soviet = f'units = [{{ unit = "t34_43", at = ["{hex}"] }}]'
    made = commanded(game(text(soviet=soviet), (90, 10)), {1: "overwatch"}, {1: "move"})
    while made.stack[-1].step != "movement":
        made.play(made.asked()[0], EndStep())
    to = made.state.map.neighbours[hex][5]
    assert to is not None
    made.play("soviet", Move("soviet-1", to))
    assert isinstance(made.stack[-1], Overwatch)
    return made


@rule("4.4.2")
def test_a_good_shot_is_asked_about_and_a_poor_one_let_pass() -> None:
    near, far = at_a_mover("1-D4"), at_a_mover("1-L8")
    assert isinstance(answered(near, "german"), Ask)
    assert answered(far, "german", Orders(least_chance=90)) == Pass()
    assert answered(near, "german", Orders(fire="never")) == Pass()
    assert answered(near, "german", Orders(fire="always")) == Announce("german-1", "soviet-1")
    assert answered(near, "german", Orders(units={"german-1": "never"})) == Pass()


def holding(made: Game[Position], seat: str) -> Action:
    """The reply of a player who passes, and keeps his secrets."""
    answers = {Overwatch: Pass(), OverwatchFire: Resolve(), Asked: Keep()}
    return answers[type(made.stack[-1])]


def firing(made: Game[Position], seat: str) -> Action:
    """The reply of a player who fires whatever he can."""
    shots = (act for act in made.choices(seat) if isinstance(act, Announce))
    return next(shots, None) or holding(made, seat)


@rule("4.4.2")
@pytest.mark.parametrize("reply", [holding, firing])
@pytest.mark.parametrize(("name", "side", "turns"), [(DUEL, "german", 5), (DUEL, "soviet", 5), (RZHAVA, "german", 3)])
def test_at_most_ten_questions_in_a_turn_with_the_orders_as_they_come(
    name: str, side: str, turns: int, reply: Callable[[Game[Position], str], Action]
) -> None:
    """In the Basic Game, and in the Advanced Game, whether the player holds his fire or fires all that he can."""
    match = Match.start(scenario.text_of(name), key=bytes([5]) * 32, nonces={"german": "1", "soviet": "1"})
    match.give_orders(side, msgspec.to_builtins(Orders()))
    computer = players()["greedy"]
    rng, asked = random.Random(5), Counter[int]()
    match.go_on()
    while not match.over and match.game.state.turn <= turns:
        seat, made = match.game.asked()[0], match.game
        if seat == side and isinstance(made.stack[-1], Overwatch | OverwatchFire | Asked):
            asked[made.state.turn] += 1
            match.play(seat, reply(made, seat))
        else:
            match.answer(seat, computer.choose(made, seat, rng), "greedy")
    assert asked.total() > 0
    assert max(asked.values()) <= 10


@rule("4.2.2", "4.4.2")
@pytest.mark.parametrize("command", ["overwatch", "no command"])
@pytest.mark.parametrize("options", [(), ("AG",)])
def test_a_player_is_asked_whatever_the_secret_commands_are(options: tuple[str, ...], command: CommandName) -> None:
    """The first step of the tank is met by a question as long as nobody knows the panzer's command."""
    scenario_text = text(soviet='units = [{ unit = "t34_43", at = ["1-E7"] }]', options=options)
    match = Match.start(scenario_text, key=bytes([1]) * 32, nonces={"german": "1", "soviet": "1"})
    match.play("german", HandIn((Command("german-1", command),)))
    match.play("soviet", HandIn((Command("soviet-1", "move"),)))
    match.go_on()
    while not (match.game.stack[-1].step == "movement" and match.game.asked() == ("soviet",)):
        match.play(match.game.asked()[0], EndStep())
    match.play("soviet", Move("soviet-1", "1-D6"))
    assert isinstance(match.game.stack[-1], Overwatch)
    assert match.game.asked() == ("german",)
    shots = [each for each in match.game.choices("german") if isinstance(each, Announce)]
    assert bool(shots) is (command == "overwatch")


@rule("4.4.2")
def test_the_notice_counts_the_questions_that_the_orders_count() -> None:
    """Questions for more fire after an announced shot spend some of the `most`, too."""
    made = at_a_mover("1-D4")
    first = Question(made.stack[-1], Fraction(1, 2), passed=False)
    more = Question(OverwatchFire("german", "soviet-1", ()), Fraction(1, 2), passed=False)
    asked = (first, more, more)

    def answer(most: int) -> Answer:
        orders, choices = Orders(most=most, again="always"), made.choices("german")
        return RULESET.answer(made.sight("german"), "german", made.stack[-1], orders, choices, asked)

    spared = answer(1)
    assert isinstance(spared, Spare)
    assert tuple(spared.notice.facts)[3:] == (3, 1)
    assert isinstance(answer(3), Spare)
    assert isinstance(answer(7), Ask)


# --- the Advanced Game: hits, and GP fire


def before_tanks(german: str, soviet: str = "t34_43") -> Game[Position]:
    """A German unit on overwatch in A4, and a Soviet one that has moved from D4 to C4, in the Advanced Game."""
    sides = {"german": army((german, "1-A4")), "soviet": army((soviet, "1-D4"))}
    made = commanded(game(text(options=("AG",), **sides), (90, 10)), {1: "overwatch"}, {1: "move"})
    while made.stack[-1].step != "movement":
        made.play(made.asked()[0], EndStep())
    made.play("soviet", Move("soviet-1", made.state.map.neighbours["1-D4"][5]))
    assert isinstance(made.stack[-1], Overwatch)
    return made


@rule("4.4.2", "6.5.2.1", "6.5.3")
@pytest.mark.parametrize(("german", "soviet"), [("pz4h", "t34_43"), ("g_sqd44", "s_sqd41"), ("g_hmg", "s_sqd41")])
def test_good_shots_of_the_advanced_game_are_asked_about(german: str, soviet: str) -> None:
    """A Panzer IV against a T-34 at two hexes, rifles and a machine gun against a squad in the open."""
    made = before_tanks(german, soviet)
    asked = answered(made, "german")
    assert isinstance(asked, Ask)
    assert Fraction(34, 100) <= asked.chance < 1
    assert isinstance(answered(made, "german", Orders(fire="always")), Announce)
    assert answered(made, "german", Orders(least_chance=100)) == Pass()


@rule("4.4.2", "6.5.2.2")
def test_hits_that_do_nothing_are_no_good_shots() -> None:
    """The gun of a Pz Kpfw II hits the front of an IS-2 and never goes through it; tracks are hit on 1 in 10."""
    answer = answered(before_tanks("pz2f", "is2_43"), "german")
    assert answer == Pass()
