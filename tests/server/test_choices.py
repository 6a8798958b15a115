"""Choices come unit by unit: a small frame's at once, of a large one those that are asked for."""

from __future__ import annotations

from typing import Any

import pytest

from opfire.core.game import Game
from opfire.server import shown
from server.test_table import commit_both


@pytest.fixture
def game(server: Any) -> Any:
    found = server.new()
    commit_both(server, found)
    return found


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even two units are too many for one message."""
    monkeypatch.setattr(shown, "FEW_ACTORS", 1)


def labels(answer: Any) -> list[str]:
    return [choice["label"] for choice in answer["choices"]]


def test_a_small_frame_sends_every_choice_and_names_the_units(server: Any, game: Any) -> None:
    with server.sit(game, "red") as red:
        assert (red.table["actors"], red.table["whole"]) == (["red-1", "red-2"], True)
        assert "Step red-1 1-A2" in labels(red.table)
        assert labels(red.table)[-1] == "End"


@pytest.mark.usefixtures("large")
def test_a_large_frame_sends_the_choices_of_no_unit(server: Any, game: Any) -> None:
    with server.sit(game, "red") as red:
        assert (red.table["actors"], red.table["whole"]) == (["red-1", "red-2"], False)
        assert labels(red.table) == ["End"]


@pytest.mark.usefixtures("large")
def test_the_choices_of_one_unit_are_fetched(server: Any, game: Any) -> None:
    with server.sit(game, "red") as red:
        answer = red.say("choices", unit="red-1")
        assert answer["regions"] == []
        assert {choice["action"]["unit"] for choice in answer["choices"]} == {"red-1"}
        assert "Shoot red-1 blue-2" in labels(answer)
        assert labels(red.say("choices", unit="blue-1")) == []


@pytest.mark.usefixtures("large")
def test_a_player_may_begin_with_the_target_or_the_place(server: Any, game: Any) -> None:
    with server.sit(game, "red") as red:
        assert labels(red.say("choices", target="blue-2")) == ["Shoot red-1 blue-2", "Shoot red-2 blue-2"]
        assert "Step red-1 1-A2" in labels(red.say("choices", place="1-A2"))
        assert labels(red.say("choices", place="9-Z9")) == []


@pytest.mark.usefixtures("large")
def test_all_choices_can_be_asked_for(server: Any, game: Any) -> None:
    with server.sit(game, "red") as red:
        found = labels(red.say("choices"))
        assert found[-1] == "End"
        assert {"Shoot red-1 blue-1", "Shoot red-2 blue-2"} <= set(found)


@pytest.mark.usefixtures("large")
def test_nobody_else_learns_what_a_seat_may_choose(server: Any, game: Any) -> None:
    with server.sit(game, "blue") as blue, server.sit(game) as spectator:
        for seat in (blue, spectator):
            assert seat.table["actors"] == []
            assert labels(seat.say("choices")) == labels(seat.say("choices", unit="red-1")) == []
            assert labels(seat.say("choices", target="blue-1")) == []


# --- answers that come by themselves ----------------------------------------------------------------------------


@pytest.mark.parametrize(("other", "guarded"), [("human", True), ("chance", False)])
def test_people_on_the_other_side_must_not_read_the_pause_before_an_answer(
    server: Any, monkeypatch: pytest.MonkeyPatch, other: str, guarded: bool
) -> None:
    """The toy's units may be hidden, and its question is put whatever they are."""
    game = server.new(blue=other)
    with server.sit(game, "red") as red:
        assert red.table["guarded"] is guarded
        with server.sit(game) as watcher:
            assert watcher.table["guarded"] is False
    monkeypatch.setattr(Game, "forced", lambda _: True)
    with server.sit(game, "red") as red:
        assert red.table["guarded"] is False
