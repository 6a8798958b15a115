"""Every decision names the position that it was made on; a stale one is dropped with a message."""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import Seat

STALE = "The position has changed since you decided this, so nothing was done: look at the table and decide again"


@pytest.fixture
def game(server: Any) -> Any:
    """A game whose red side moves."""
    found = server.new()
    for side, number in (("red", 1), ("blue", 3)):
        with server.sit(found, side) as seat:
            seat.play("Commit", number=number)
    return found


def undos(seat: Seat) -> int:
    count: int = seat.table["undo"]["count"]
    return count


def test_the_second_of_two_quick_presses_decides_nothing(server: Any, game: Any) -> None:
    """It was made on the same table as the first, and would do something else on the table that follows."""
    with server.sit(game, "red") as red:
        seen = red.table["position"]
        for to in ("1-A2", "1-A1"):
            said = red.say("play", action={"type": "Step", "unit": "red-1", "to": to}, position=seen)
        assert (said["type"], said["text"]) == ("refused", STALE)
        assert undos(red) == 1
        assert red.table["position"] == seen + 1


def test_of_two_windows_on_one_seat_the_late_one_decides_nothing(server: Any, game: Any) -> None:
    with server.sit(game, "red") as one, server.sit(game, "red") as other:
        seen = other.table["position"]
        assert one.table["position"] == seen
        one.play("End")
        assert other.say("play", action={"type": "End"}, position=seen)["text"] == STALE
        other.settle()
        assert other.table["asked"] == ["blue"]


@pytest.mark.parametrize("what", ["undo", "auto", "concede", "draw", "hand-in"])
def test_a_stale_press_is_dropped_whatever_it_is(server: Any, game: Any, what: str) -> None:
    with server.sit(game, "red") as red:
        seen = red.table["position"]
        red.play("Step", unit="red-1", to="1-A2")
        assert red.say(what, position=seen)["text"] == STALE
        assert undos(red) == 1
        assert red.table["votes"] == {"concede": [], "draw": []}
        assert red.table["result"] is None


def test_undo_pressed_twice_takes_back_one_decision(server: Any, game: Any) -> None:
    with server.sit(game, "red") as red:
        red.play("Step", unit="red-1", to="1-A2")
        red.play("Step", unit="red-2", to="1-A2")
        seen = red.table["position"]
        red.say("undo", position=seen)
        assert red.say("undo", position=seen)["text"] == STALE
        assert undos(red) == 1


def test_a_position_that_comes_back_has_another_number(server: Any, game: Any) -> None:
    """A step taken back leaves the same table; a late press on the first is not one on the second."""
    with server.sit(game, "red") as red:
        seen = red.table["position"]
        red.play("Step", unit="red-1", to="1-A2")
        red.say("undo")
        assert red.table["position"] != seen


def test_a_decision_without_its_position_is_refused(server: Any, game: Any) -> None:
    with server.sit(game, "red") as red:
        said = red.say("play", action={"type": "End"}, position=None)
        assert said["text"] == "A decision has to name the position that it was made on: load the page again"
        assert red.table["asked"] == ["red"]


def test_a_vote_leaves_the_position_as_it_is(server: Any, game: Any) -> None:
    """A draw that is offered meanwhile takes nobody's decision away."""
    with server.sit(game, "red") as red, server.sit(game, "blue") as blue:
        seen = red.table["position"]
        blue.say("draw")
        red.wait(lambda table: table["draw_offered_by"] == "blue")
        assert red.play("Step", unit="red-1", to="1-A2")["type"] == "answer"
        assert red.table["position"] == seen + 1


def test_standing_orders_count_where_they_answer_a_question(server: Any, game: Any) -> None:
    """While the seat is asked nothing, its orders are about what is to come, whatever happens meanwhile."""
    with server.sit(game, "red") as red, server.sit(game, "blue") as blue:
        seen, mine = blue.table["position"], red.table["position"]
        red.play("Step", unit="red-1", to="1-A2")
        red.play("End")
        blue.wait(lambda table: table["asked"] == ["blue"])
        assert blue.say("orders", orders={"fire": "never"}, position=seen)["text"] == STALE
        assert blue.say("orders", orders={"fire": "never"})["type"] == "answer"
        assert red.say("orders", orders={"fire": "never"}, position=mine)["type"] == "answer"


def test_the_others_secret_decisions_leave_the_number_alone(server: Any) -> None:
    game = server.new()
    with server.sit(game, "red") as red, server.sit(game, "blue") as blue:
        seen = blue.table["position"]
        red.play("Commit", number=2)
        blue.settle()
        assert blue.table["position"] == seen
        assert blue.say("play", action={"type": "Commit", "number": 3}, position=seen)["type"] == "answer"


def test_a_server_started_anew_knows_a_stale_number(start: Any) -> None:
    with start() as server:
        game = server.new()
        with server.sit(game, "red") as red:
            seen = red.table["position"]
            red.play("Commit", number=1)
    with start() as server, server.sit(game, "red") as red:
        assert red.table["position"] != seen
        assert red.say("undo", position=seen)["text"] == STALE
