"""The stack and its loop: sequences, several pushes, what is owed, exchanges."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from core.contract import STRANGER
from opfire.core.actions import Choices, Region
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

    acts = (Pass,)
    question = "{name} of {side}?"
    name: str = ""

    def begin(self, game: Any) -> None:
        game.state.turn += 1

    def choices(self, sight: Any) -> list[Pass]:
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


def test_what_is_owed_is_asked_before_what_was_due_goes_on() -> None:
    game = bare()
    game.push(Asks("german", "below"))
    game.run()
    game.pop("result")
    game.owe(Asks("soviet", "owed"))
    game.run()
    assert names(game) == ["Root", "Pause", "owed"]
    assert game.asked() == ("soviet",)
    game.play("soviet", Pass())
    assert game.stack == (Root("german", ("result",)),)


def test_a_pause_with_its_result_survives_saving() -> None:
    game = game_of(hidden)
    game.stack = (hidden.Segments("german"), Pause("german", "resume", ("a", "b")), Losses("german"))
    loaded = game.ruleset.load(game.save(), game.state.setting)
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


# --- regions ---------------------------------------------------------------------------------------------

RING = ((0, 0), (10, 0), (10, 10), (0, 10))
HOLE = ((4, 4), (6, 4), (6, 6), (4, 6))


@pytest.mark.parametrize(
    ("point", "inside"),
    [
        ((1, 1), True),
        ((0, 0), True),  # a corner
        ((10, 5), True),  # an edge
        ((11, 5), False),
        ((-1, 10), False),
        ((5, 5), False),  # in the hole
        ((4, 5), True),  # on its edge
        ((3, 4), True),  # level with a corner of the hole
    ],
)
def test_a_region_holds_its_edges_and_not_its_holes(point: tuple[int, int], inside: bool) -> None:
    choices = Choices(regions=[Region((RING, HOLE), Move("a", (1, 1)))])
    assert (Move("a", point) in choices) is inside
    assert Move(STRANGER, point) not in choices
    assert Pass() not in choices
    assert choices.to_json()["regions"][0]["polygons"][1][0] == (4, 4)
