"""The stack and its loop: sequences, several pushes, what is owed, exchanges."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from core.contract import STRANGER
from opfire.core.actions import Action, Choices, IllegalAction, Refusal, Region
from opfire.core.dice import scripted
from opfire.core.errors import OpfireError
from opfire.core.flow import Frame, Pause, Sequence
from opfire.core.game import Game
from opfire.core.record import new_game
from rulesets import hidden, kit, overwatch
from rulesets.group import Move
from rulesets.hidden import Lose, Losses
from rulesets.kit import Pass
from rulesets.overwatch import Announce, Resolve, Step


class Asks(Frame):
    """Waits; ends with its name as its result."""

    takes = (Pass,)
    question = "{name} of {side}?"
    name: str = ""

    def begin(self, game: Any) -> None:
        game.state.turn += 1

    def acts(self, sight: Any, side: str, actor: str) -> list[Pass]:
        return [Pass()]

    def play(self, game: Any, action: Any) -> None:
        game.pop(self.name)


class Root(Frame):
    """Keeps what comes back to it."""

    heard: tuple[Any, ...] = ()

    def resume(self, game: Any, result: Any) -> None:
        game.swap(replace(self, heard=(*self.heard, result)))


def game_of(module: Any, dice: tuple[int, ...] = ()) -> Game[Any]:
    return new_game(module.RULESET, kit.scenario(module.RULESET.id), scripted(dice))


def bare() -> Game[Any]:
    game = game_of(hidden)
    game.stack = (Root("german"),)
    return game


def names(game: Game[Any]) -> list[str]:
    return [getattr(frame, "name", type(frame).__name__) for frame in game.stack]


def test_of_several_frames_pushed_at_once_the_last_begins_first_and_each_begins_once() -> None:
    game = bare()
    turn = game.state.turn
    for name in ("third", "second", "first"):
        game.push(Asks("german", name))
    game.run()
    for at, name in enumerate(("first", "second", "third"), 1):
        assert names(game)[-1] == name
        assert game.state.turn == turn + at  # one more has begun
        game.play("german", Pass())
    assert game.stack == (Root("german", ("third",)),)


def test_a_frame_without_a_child_proceeds_and_one_that_has_just_come_begins() -> None:
    game = bare()
    game.proceed()
    game.run()
    assert game.stack == (Root("german", (None,)),)
    turn = game.state.turn
    game.push(Asks("german", "next"))
    game.proceed()
    game.run()
    assert names(game)[-1] == "next"
    assert game.state.turn == turn + 1


def test_what_is_owed_is_asked_before_what_was_due_goes_on() -> None:
    game = bare()
    game.push(Asks("german", "below"))
    game.run()
    game.pop("result")
    game.owe_choice(Asks("soviet", "owed"))
    game.run()
    assert names(game) == ["Root", "Pause", "owed"]
    assert game.asked() == ("soviet",)
    game.play("soviet", Pass())
    assert game.stack == (Root("german", ("result",)),)


def test_a_pause_with_its_result_survives_saving() -> None:
    game = game_of(hidden)
    game.stack = (hidden.Segments("german"), Pause("german", "resume", ("a", "b")), Losses("german"))
    loaded = Game.load(game.ruleset, game.save(), game.state.setting)
    assert loaded.stack == game.stack


def test_a_prompt_is_filled_in_with_the_frames_fields() -> None:
    game = bare()
    game.push(Asks("german", "Truck"))
    game.run()
    assert game.prompt("german") == "Truck of german?"


def test_a_sequence_prints_itself_and_its_name_is_its_own() -> None:
    lines = str(overwatch.TURN).splitlines()
    assert lines[0] == "Overwatch toy: turn"
    assert [line.split() for line in lines[1:]] == [
        ["1.1", "Commands"],
        ["2.1", "SecondMoves"],
        ["2.1", "FirstMoves"],
    ]
    with pytest.raises(OpfireError, match="two sequences"):
        Sequence("Overwatch toy: turn", Asks)
    assert Sequence.named("Overwatch toy: turn") is overwatch.TURN


# --- exchanges -------------------------------------------------------------------------------------------


def commanded(dice: tuple[int, ...], **commands: str) -> Game[Any]:
    """An overwatch game after its commands; units are named g1 to s3, all others move."""
    game = game_of(overwatch, dice)
    for unit in list(game.state.units.values()):
        command = commands.get(unit.side[0] + unit.id[-1], "move")
        game.play(unit.side, overwatch.Command(unit.id, command))
    return game


def test_overwatch_answers_overwatch_and_targets_grow() -> None:
    game = commanded((1, 6), g1="overwatch", s2="overwatch")
    game.play("soviet", Step("soviet-1", -1))  # 8 to 7; german-1 stands at 3
    assert game.asked() == ("german",)
    assert Announce("german-1", "soviet-1") in game.choices("german")
    game.play("german", Announce("german-1", "soviet-1"))
    game.play("german", Resolve())  # a 1 misses, and the firer may now be shot at
    assert game.asked() == ("soviet",)
    game.play("soviet", Announce("soviet-2", "german-1"))  # 9 to 3 is within 7
    game.play("soviet", Resolve())  # a 6 hits
    assert "german-1" not in game.state.units
    assert game.asked() == ("german",)  # german-2 has no overwatch, but that is nobody else's business
    assert list(game.choices("german")) == [Pass()]


def test_an_announced_shot_at_what_is_gone_is_spent() -> None:
    game = commanded((6,), g1="overwatch", g2="overwatch")
    game.play("soviet", Step("soviet-1", -1))
    game.play("german", Announce("german-1", "soviet-1"))
    game.play("german", Announce("german-2", "soviet-1"))
    events = game.play("german", Resolve())
    assert [event.kind for event in events] == ["fired", "spent"]  # one die only was scripted
    assert "soviet-1" not in game.state.units
    assert game.state.units["german-2"].done


def test_a_hit_is_owed_to_its_owner_before_anything_goes_on() -> None:
    game = game_of(hidden, (6, 1, 4))
    for side, at in (("german", 3), ("soviet", 8)):
        game.play(side, hidden.Dummy(f"{side}-1"))
        game.play(side, hidden.Hide(at))
    game.state.change("soviet-2", at=6)
    game.play("german", hidden.Fire("german-2", "soviet-2"))  # 6 to 1: German first; a 4 hits
    assert game.asked() == ("soviet",)
    assert isinstance(game.stack[-1], Losses)
    assert game.why_not("soviet", Lose("german-1")).rule == "procedure"
    game.play("soviet", Lose("soviet-1"))
    assert "soviet-1" not in game.state.units
    assert isinstance(game.stack[-1], hidden.Segments)
    assert game.asked() == ("soviet",)


# --- choices by unit, regions ------------------------------------------------------------------------------

AT = (500, 500)


def refused_left_of(x: int) -> Any:
    """A judge that refuses every move to the left of x."""
    return lambda action: None if action.to[0] >= x else kit.no("{} is too far left", "1", action.to)


@pytest.mark.parametrize(("to", "offered"), [((499, 7), False), ((500, 7), True), ((10**6, 7), True)])
def test_a_region_offers_what_the_rules_allow(to: tuple[int, int], offered: bool) -> None:
    region = Region(Move("a", AT), (0, 0, 1000, 1000))
    choices = Choices(["a"], lambda unit: [region], refused_left_of(500))
    assert (Move("a", to) in choices) is offered  # the judge decides; the box only guides a random choice
    assert Move(STRANGER, to) not in choices
    assert Pass() not in choices


def test_a_random_point_of_a_region_is_one_that_the_rules_allow() -> None:
    region, rng = Region(Move("a", AT), (0, 0, 1000, 1000)), Random(1)
    drawn = [region.sample(rng, refused_left_of(500)) for _ in range(20)]
    assert all(move is not None and 500 <= move.to[0] <= 1000 for move in drawn)
    assert len(set(drawn)) > 10


def test_where_no_point_is_allowed_the_unit_stops() -> None:
    region = Region(Move("a", AT), (0, 0, 1000, 1000))
    choices = Choices(["a"], lambda unit: [region, Pass()], refused_left_of(10**6))
    assert {choices.sample(Random(seed)) for seed in range(20)} == {Pass()}
    assert {choices.sample_evenly(Random(seed)) for seed in range(20)} == {Pass()}
    assert region.sample(Random(1), refused_left_of(10**6)) is None


def test_a_region_is_never_the_only_answer() -> None:
    region = Region(Move("a", AT), (0, 0, 1000, 1000))
    assert Choices(["a"], lambda unit: [region]).single() is None
    assert list(Choices(["a"], lambda unit: [region])) == []


def test_a_group_is_built_only_when_somebody_looks_into_it() -> None:
    built: list[str] = []

    def acts(unit: str) -> Iterator[Action]:
        for n in range(3):
            built.append(unit)
            yield Step(unit, n)

    choices = Choices(["a", "b", "a"], acts)
    assert choices
    assert built == ["a"]  # the first action is enough to know
    assert choices.actors() == ("a", "b")
    assert built == ["a", "b"]
    assert choices.of("b") == (Step("b", 0), Step("b", 1), Step("b", 2))
    assert built == ["a", "b", "b", "b"]
    assert choices.of("c") == ()
    assert len(choices) == 6
    assert Step("b", 2) in choices
    assert Step("b", 3) not in choices


def test_a_look_for_one_answer_stops_at_the_second() -> None:
    built: list[str] = []

    def acts(unit: str) -> Iterator[Action]:
        for n in range(3):
            built.append(unit)
            yield Step(unit, n)

    assert Choices(["a"], acts).single() is None
    assert built == ["a", "a"]
    built.clear()
    choices = Choices(["a", "b"], acts)
    assert choices.single() is None
    assert built == ["a", "b"]  # one of each is enough to know
    assert choices.of("a") == (Step("a", 0), Step("a", 1), Step("a", 2))
    assert built == ["a", "b", "a", "a"]  # the one that was built is kept


def test_a_sight_is_built_once_and_again_when_the_state_has_been_read() -> None:
    game, built = game_of(hidden), list[str]()

    def sight(state: Any, side: str) -> Any:
        built.append(side)
        return hidden.RULESET.sight(state, side)

    game.ruleset = dataclasses.replace(hidden.RULESET, sight=sight)
    (side,) = game.asked()
    (seat,) = (seat for seat, own in game.seats.items() if own == side)
    action = game.choices(seat).sample(Random(1))
    assert game.why_not(seat, action) is None
    game.prompt(seat)
    assert built == [side]
    game.state  # noqa: B018 - its reader may change it
    assert action in game.choices(seat)
    assert built == [side, side]
    game.play(seat, action)
    game.view(seat)
    assert built == [side, side, side]
    game.copy().view(seat)
    assert built == [side] * 4


@pytest.mark.parametrize(
    ("groups", "only"),
    [
        ({"a": [Pass()]}, Pass()),
        ({"a": [], "b": [Pass()], "c": []}, Pass()),
        ({"a": [Pass(), Step("a", 1)]}, None),
        ({"a": [Pass()], "b": [Step("b", 1)]}, None),
        ({"a": []}, None),
    ],
)
def test_a_decision_has_one_answer(groups: dict[str, list[Action]], only: Action | None) -> None:
    assert Choices(groups, groups.__getitem__).single() == only


def test_a_random_choice_draws_a_unit_and_then_an_action_of_it() -> None:
    groups: dict[str, list[Action]] = {"a": [Step("a", n) for n in range(99)], "b": [Pass()], "c": []}
    drawn = [Choices(groups, groups.__getitem__).sample(Random(seed)) for seed in range(400)]
    assert 150 < drawn.count(Pass()) < 250  # as often as all 99 of the other unit together
    with pytest.raises(IndexError):
        Choices(["c"], groups.__getitem__).sample(Random(1))


def test_an_even_choice_draws_every_action_as_often() -> None:
    groups: dict[str, list[Action]] = {"a": [Step("a", n) for n in range(9)], "b": [Pass()], "c": []}
    drawn = [Choices(groups, groups.__getitem__).sample_evenly(Random(seed)) for seed in range(1000)]
    assert set(drawn) == {*groups["a"], *groups["b"]}
    assert 60 < drawn.count(Pass()) < 150  # one in ten
    with pytest.raises(IndexError):
        Choices(["c"], groups.__getitem__).sample_evenly(Random(1))


class Once(Asks):
    """Takes a pass until the turn says otherwise."""

    def refusal(self, sight: Any, side: str, action: Any) -> Refusal | None:
        return kit.no("It is turn {}", "1", sight.turn) if sight.turn > 1 else None


def test_a_choice_just_drawn_is_not_judged_again_until_somebody_reads_the_state() -> None:
    game = bare()
    game.push(Once("german"))
    game.run()
    (seat,) = game.asked()
    action = game.choices(seat).sample(Random(1))
    game.state.turn = 2
    with pytest.raises(IllegalAction, match="It is turn 2"):
        game.play(seat, action)
    drawn = game.choices(seat).sample(Random(1))
    assert game.why_not(seat, drawn) is not None, "offered against the rules, which a ruleset must not do"
    with pytest.raises(IllegalAction):
        game.copy().play(seat, drawn)
    game.play(seat, drawn)
    with pytest.raises(IllegalAction):
        game.play(seat, drawn)
