"""Looking back at a game, and at records from a file."""

from __future__ import annotations

import dataclasses
from typing import Any

import msgspec
import pytest

from edits import edited
from opfire.core import ruleset
from opfire.core.ruleset import Suggestion
from opfire.server import past
from opfire.server.rooms import MOST_OPENED

from . import toy
from .test_table import commit_both


@pytest.fixture
def game(server: Any) -> Any:
    """Both have committed: two decisions."""
    found = server.new()
    commit_both(server, found)
    return found


def places(answer: Any) -> dict[str, str]:
    return {unit["id"]: unit["place"] for unit in answer["view"]["units"]}


def moments(seat: Any) -> list[Any]:
    return seat.say("moments")["moments"]


def walk(seat: Any, there: str = "1-A2", back: str = "1-A1") -> None:
    """There and back again: two decisions."""
    seat.play("Step", unit=f"{seat.table['seat']}-1", to=there)
    seat.play("Step", unit=f"{seat.table['seat']}-1", to=back)


def record_of(server: Any, game: Any, seat: str = "") -> str:
    headers = {"authorization": f"Bearer {game['seats'][seat]}"} if seat else {}
    text: str = server.http.get(f"/api/games/{game['game']}/record", headers=headers).text
    return text


# --- moments ------------------------------------------------------------------------------------------------


def test_each_decision_is_a_moment_with_its_position_and_its_words(server: Any, game: Any) -> None:
    with server.sit(game, "red") as red:
        walk(red)
        assert len(moments(red)) == 5
        at = [places(red.say("moment", n=n))["red-1"] for n in range(5)]
        assert at == ["1-A1", "1-A1", "1-A1", "1-A2", "1-A1"]
        assert red.say("moment", n=3)["did"] == "Step red-1 1-A2"
        assert (red.say("moment", n=0)["did"], red.say("moment", n=0)["last"]) == ("", 4)


def test_a_moment_counts_the_log_entries_known_by_then(server: Any, game: Any) -> None:
    with server.sit(game, "red") as red:
        walk(red)
        known = [moment["log"] for moment in moments(red)]
        assert known == [0, 1, 1, 2, 3]  # its own commitment; not the other's; two steps
        assert red.say("moment", n=3)["log"] == 2


def test_the_enemy_sees_no_moment_of_a_draft(server: Any, game: Any) -> None:
    with server.sit(game, "red") as red, server.sit(game, "blue") as blue, server.sit(game) as spectator:
        walk(red)
        assert (len(moments(red)), len(moments(blue)), len(moments(spectator))) == (5, 3, 3)
        assert blue.say("moment", n=3)["type"] == "refused"
        red.play("End")
        assert len(moments(blue)) == len(moments(spectator)) == 6


def test_what_was_taken_back_is_no_moment(server: Any, game: Any) -> None:
    with server.sit(game, "red") as red:
        walk(red)
        red.say("undo")
        red.play("Step", unit="red-2", to="1-A2")
        assert len(moments(red)) == 5
        assert places(red.say("moment", n=4)) == {"red-1": "1-A2", "red-2": "1-A2", "blue-1": "1-A5", "blue-2": "1-A5"}


def test_secrets_stay_secret_in_the_past(server: Any, game: Any) -> None:
    with server.sit(game, "red") as red, server.sit(game, "blue") as blue, server.sit(game) as spectator:
        shown = [seat.say("moment", n=2)["view"]["secret"] for seat in (red, blue, spectator)]
        assert shown == [1, 3, 0]
        for seat, side in ((red, "blue"), (blue, "red"), (spectator, "red")):
            assert (
                seat.say("moment", n=2, side=side)["text"] == f"The view of {side} is shown after the end of the game"
            )


def test_after_the_end_the_past_is_shown_as_either_side_saw_it(server: Any, game: Any) -> None:
    with server.sit(game, "red") as red, server.sit(game) as spectator:
        red.say("concede")
        for seat in (red, spectator):
            assert seat.say("moment", n=2, side="red")["view"]["secret"] == 1
            assert seat.say("moment", n=2, side="blue")["view"]["secret"] == 3
        assert red.say("moment", n=2)["sides"] == ["red", "blue", "spectator"]
        assert red.say("moment", n=2, side="green")["type"] == "refused"


@pytest.mark.parametrize("n", [-1, 3, 10**9])
def test_a_moment_that_is_none_is_refused(server: Any, game: Any, n: int) -> None:
    with server.sit(game, "red") as red:
        assert red.say("moment", n=n)["text"] == f"message: moment {n} does not exist; expected 0 to 2"


def test_the_line_is_that_of_the_record_which_the_seat_can_download(server: Any, game: Any) -> None:
    with server.sit(game, "red") as red:
        red.say("orders", orders={"fire": "never"})
        walk(red)
        line = red.say("moment", n=3)["line"]
        rows = record_of(server, game, "red").splitlines()
        assert msgspec.json.decode(rows[line])["do"] == {"type": "Step", "unit": "red-1", "to": "1-A2"}
        red.say("concede")
        line = red.say("moment", n=3)["line"]
        rows = record_of(server, game).splitlines()
        assert msgspec.json.decode(rows[line])["do"] == {"type": "Step", "unit": "red-1", "to": "1-A2"}


def test_no_step_plays_much_again(server: Any, game: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[Any] = []
    real = past.carry_out
    with server.sit(game, "red") as red:
        for _ in range(20):
            walk(red)
        red.play("End")
        monkeypatch.setattr(past, "carry_out", lambda *what: (played.append(what), real(*what)))
        red.say("moment", n=42)
        assert len(played) == 42
        for n in (41, 40, 42, 43, 1, 26, 25, 24):
            played.clear()
            answer = red.say("moment", n=n)
            assert 0 < len(played) <= past.EVERY
            assert places(answer)["red-1"] == ("1-A2" if n in (41, 25) else "1-A1")


def test_the_game_goes_on_as_if_nobody_looked(server: Any, game: Any) -> None:
    with server.sit(game, "red") as red:
        walk(red)
        before = red.table
        red.say("moment", n=1)
        red.settle()
        assert red.table == before
        assert red.play("Step", unit="red-1", to="1-A2")["type"] == "answer"


# --- the dice -----------------------------------------------------------------------------------------------


@pytest.fixture
def appraised(monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy with a lead of two points a unit for red."""
    lead = {"red": 2.0, "blue": -2.0}
    found = dataclasses.replace(toy.TOY, appraise=lambda state, side: lead[side] * len(state.at))
    monkeypatch.setattr(ruleset, "installed", lambda: {"toy": found})


@pytest.mark.usefixtures("appraised")
def test_the_course_of_a_game_is_told_after_its_end(server: Any, game: Any) -> None:
    with server.sit(game, "red") as red, server.sit(game) as spectator:
        walk(red)
        assert red.say("curve")["text"] == "The course of a game is told after its end"
        red.say("concede")
        points = red.say("curve")["points"]
        assert [point["n"] for point in points] == list(range(len(moments(red))))
        assert points[0]["worth"] == {"red": 8.0, "blue": -8.0}
        assert spectator.say("curve")["points"] == points


def test_a_long_game_is_told_in_so_many_steps(server: Any, game: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(past, "MOST_POINTS", 2)
    with server.sit(game, "red") as red:
        walk(red)
        red.say("concede")
        assert [point["n"] for point in red.say("curve")["points"]] == [0, 2, len(moments(red)) - 1]


def test_the_dice_are_proved_after_the_end_and_not_before(server: Any, game: Any) -> None:
    before = msgspec.json.decode(record_of(server, game).partition("\n")[0])["commitment"]
    with server.sit(game, "red") as red:
        red.play("Shoot", unit="red-1", target="blue-1")
        assert red.say("proof")["text"] == "The dice key stays secret until the game is over"
        red.say("concede")
        proof = red.say("proof")
        assert (proof["commitment"], proof["dice"], list(proof["nonces"])) == (before, 1, ["red", "blue"])


def test_advice_is_shown_with_its_words_and_what_else_there_is(server: Any, game: Any) -> None:
    with server.sit(game, "red") as red:
        advice = red.say("suggest")
        assert (advice["label"], advice["text"], advice["others"]) == ("End", "Nothing better", [])


@pytest.fixture
def overlooking(monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy, whose best advice is a step that the rules refuse."""
    far, other = Suggestion(toy.Step("red-1", "1-A5"), 2.0, "Straight at them"), Suggestion(toy.End(), 1.0, "Nothing")
    found = dataclasses.replace(toy.TOY, suggest=lambda *_: [far, other])
    monkeypatch.setattr(ruleset, "installed", lambda: {"toy": found})


@pytest.mark.usefixtures("overlooking")
def test_advice_that_the_rules_refuse_is_not_given(server: Any, game: Any) -> None:
    """A plan may overlook what bars the way; the player would press its button and be told why not."""
    with server.sit(game, "red") as red:
        advice = red.say("suggest")
        assert (advice["label"], advice["text"], advice["others"]) == ("End", "Nothing", [])


@pytest.fixture
def planned(monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy, whose advice is a step there and a step back."""
    there, back = toy.Step("red-1", "1-A2"), toy.Step("red-1", "1-A1")
    advice = [Suggestion(there, 1.0, "It looks round the corner", (back,))]
    found = dataclasses.replace(toy.TOY, suggest=lambda *_: advice)
    monkeypatch.setattr(ruleset, "installed", lambda: {"toy": found})


@pytest.mark.usefixtures("planned")
def test_advice_tells_the_whole_plan_with_every_place_of_it(server: Any, game: Any) -> None:
    with server.sit(game, "red") as red:
        advice = red.say("suggest")
        assert advice["label"] == "Step red-1 1-A2"
        assert [step["label"] for step in advice["plan"]] == ["Step red-1 1-A1"]
        assert advice["places"] == ["1-A2", "1-A1"]
        for step in (advice["action"], *(step["action"] for step in advice["plan"])):
            assert red.say("play", action=step)["type"] != "refused"


# --- records from a file ------------------------------------------------------------------------------------


def open_record(server: Any, text: str | bytes) -> Any:
    return server.http.post("/api/records", content=text)


def test_a_finished_record_is_opened_to_be_looked_at(server: Any, game: Any) -> None:
    with server.sit(game, "red") as red:
        red.play("Shoot", unit="red-1", target="blue-1")
        red.say("concede")
        log = red.log
    answer = open_record(server, record_of(server, game))
    assert answer.status_code == 201
    facts = answer.json()
    assert (facts["scenario"], facts["result"]["winner"]) == ("row", "blue")
    assert server.http.get(f"/api/games/{facts['game']}/map").json()["id"] == "row"
    assert server.http.get(f"/api/games/{facts['game']}").json()["title"] == "The Row"
    with server.sit(facts) as seat:
        assert seat.log == log
        assert seat.say("moment", n=2, side="blue")["view"]["secret"] == 3
        assert seat.say("proof")["dice"] == 1
    assert record_of(server, facts) == record_of(server, game)


@pytest.fixture
def no_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy as an open game."""
    found = dataclasses.replace(toy.TOY, sight=ruleset._open_sight)
    monkeypatch.setattr(ruleset, "installed", lambda: {"toy": found})


def test_an_unfinished_record_with_secrets_and_without_what_its_seat_was_shown_waits_for_the_end(
    server: Any, game: Any
) -> None:
    rows = [msgspec.json.decode(row) for row in record_of(server, game, "red").splitlines()]
    older = [{name: value for name, value in row.items() if name not in ("facts", "shown")} for row in rows]
    answer = open_record(server, b"\n".join(map(msgspec.json.encode, older)))
    assert answer.status_code == 400
    assert answer.json()["error"]["text"].startswith("record: a game with secrets that is not over")


@pytest.mark.usefixtures("no_secrets")
def test_an_unfinished_record_shows_what_its_seat_knew_and_gives_no_key(server: Any) -> None:
    game = server.new()
    commit_both(server, game)
    with server.sit(game, "red") as red:
        red.play("Shoot", unit="red-1", target="blue-1")
        walk(red)
        there = places(red.say("moment", n=5))
    answer = open_record(server, record_of(server, game, "red"))
    assert answer.status_code == 201, answer.text
    facts = answer.json()
    assert facts["result"] is None
    with server.sit(facts) as seat:
        seat.wait(lambda table: bool(table))
        assert seat.table["asked"] == ["red"]
        assert len(moments(seat)) == 6  # the opening, two commitments, the shot, and the draft that was its own
        assert places(seat.say("moment", n=5)) == there
        assert seat.say("proof")["type"] == "refused"


@pytest.mark.usefixtures("no_secrets")
def test_nobody_plays_on_from_a_record(server: Any, game: Any) -> None:
    facts = open_record(server, record_of(server, game)).json()
    with server.sit(facts) as seat:
        for message in ("undo", "concede", "draw", "decline", "auto", "orders"):
            assert seat.say(message)["text"] == "This is a record of a finished game: it can only be viewed"
        assert seat.play("End")["type"] == "refused"


@pytest.mark.usefixtures("no_secrets")
def test_the_same_record_is_the_same_table_and_old_ones_make_room(server: Any, game: Any) -> None:
    text = record_of(server, game)
    first = open_record(server, text).json()["game"]
    assert open_record(server, text).json()["game"] == first
    for more in range(1, MOST_OPENED + 1):
        assert open_record(server, text + "\n" * more).status_code == 201
    assert server.http.get(f"/api/games/{first}").status_code == 404


def changed(text: str, old: str, new: str) -> str:
    assert old in text
    return edited(text, old, new)


@pytest.mark.usefixtures("no_secrets")
@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: b"",
        lambda text: b"\xff\xfe\x00",
        lambda text: b"once upon a time",
        lambda text: b"{}",
        lambda text: text.encode() + b"no decision\n",
        lambda text: changed(text, '"opfire":4', '"opfire":99').encode(),
        lambda text: changed(text, '"ruleset":"toy"', '"ruleset":"chess"').encode(),
        lambda text: changed(text, '"scenario":"', '"scenario":"[[').encode(),
        lambda text: changed(text, '"sides":[6]', '"sides":[0]').encode(),
    ],
)
def test_a_bad_file_gets_one_sentence(server: Any, game: Any, spoil: Any) -> None:
    with server.sit(game, "red") as red:
        walk(red)
        red.play("Shoot", unit="red-1", target="blue-1")
    answer = open_record(server, spoil(record_of(server, game)))
    assert answer.status_code == 400
    text = answer.json()["error"]["text"]
    assert text
    assert "\n" not in text


@pytest.mark.usefixtures("no_secrets")
@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ('"1-A2"', '"1-A5"', 4),
        ('"type":"Step"', '"type":"Fly"', 4),
        ('"rolls":[', '"rolls":[7,', 6),
        ('"unit":"red-1"', '"unit":"red-9"', 4),
    ],
)
def test_a_record_of_other_rules_is_shown_as_far_as_it_replays(
    server: Any, game: Any, old: str, new: str, line: int
) -> None:
    with server.sit(game, "red") as red:
        walk(red)
        red.play("Shoot", unit="red-1", target="blue-1")
        was = places(red.say("moment", n=line - 2))
        red.say("concede")
    answer = open_record(server, changed(record_of(server, game), old, new))
    assert answer.status_code == 201, answer.text
    with server.sit(answer.json()) as seat:
        seat.wait(lambda table: bool(table))
        assert len(moments(seat)) == line - 1
        assert places(seat.say("moment", n=line - 2)) == was == places(seat.table)
        assert seat.table["change"]["line"] == line
        assert "the record says" in seat.table["change"]["text"]
        assert seat.table["choices"] == []


def test_a_record_that_is_too_long_is_refused(server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = open_record(server, b" " * (4 * 1024 * 1024 + 1))
    assert answer.status_code == 413
    assert answer.json()["error"]["text"]


def test_a_tampered_key_is_found_out(server: Any, game: Any) -> None:
    with server.sit(game, "red") as red:
        red.say("concede")
    text = record_of(server, game)
    key = msgspec.json.decode(text.splitlines()[0])["key"]
    other = "0" * 64 if key[0] != "0" else "1" * 64
    answer = open_record(server, changed(text, key, other))
    assert answer.status_code == 400
    assert "commitment" in answer.json()["error"]["text"]
    assert open_record(server, changed(text, key, "00")).status_code == 400
