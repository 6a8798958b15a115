"""Games of the table whose rules have changed since: they go on, or stand still until their players agree."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from opfire.core import ruleset
from opfire.core.actions import Refusal
from opfire.core.errors import OpfireError
from opfire.core.record import Record
from opfire.server.store import stored_records

from . import toy
from .test_past import moments, places
from .test_table import commit_both, lines_of


@pytest.fixture
def played(start: Any) -> Any:
    """Both have committed; red has gone two hexes forward and shot, and taken a step that can be taken back."""
    with start() as server:
        game = server.new()
        commit_both(server, game)
        with server.sit(game, "red") as red:
            red.play("Step", unit="red-1", to="1-A2")
            red.play("Shoot", unit="red-2", target="blue-1")
            red.play("Step", unit="red-1", to="1-A1")
    return game


def nobody_shoots(monkeypatch: pytest.MonkeyPatch) -> None:
    """A later version, in which no shot is allowed."""
    before = toy.Turn.refusal

    def refusal(self: Any, sight: Any, side: str, action: Any) -> Any:
        return Refusal("Hold your fire", "9.9") if isinstance(action, toy.Shoot) else before(self, sight, side, action)

    monkeypatch.setattr(toy.Turn, "refusal", refusal)


def test_a_game_goes_on_under_a_later_version_and_its_log_says_so(
    start: Any, database: Path, played: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    later = dataclasses.replace(toy.TOY, version="later")
    monkeypatch.setattr(ruleset, "installed", lambda: {"toy": later})
    with start() as server:
        for _ in range(2):
            with server.sit(played, "red") as red:
                red.settle()
                assert red.table["change"] is None
                assert [entry["text"] for entry in red.log if "under version later" in entry["text"]]
        assert len(lines_of(database, played)) == 6
        with server.sit(played, "red") as red:
            red.play("End")
            assert red.table["asked"] == ["blue"]


def test_a_game_stands_still_until_its_players_agree_to_go_on(
    start: Any, database: Path, played: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    nobody_shoots(monkeypatch)
    with start() as server, server.sit(played, "red") as red, server.sit(played, "blue") as blue:
        red.settle()
        assert (red.table["change"]["standing"], red.table["change"]["line"]) == (2, 5)
        assert "Hold your fire" in red.table["change"]["text"]
        assert (red.table["asked"], red.table["choices"], red.table["prompt"]) == ([], [], None)
        assert places(red.table)["red-1"] == "1-A1"
        assert len(moments(red)) == 3
        assert "agree to go on or to stop" in red.play("End")["text"]
        red.say("resume")
        blue.settle()
        assert blue.table["votes"] == {"resume": ["red"], "stop": []}
    with start() as server, server.sit(played, "red") as red, server.sit(played, "blue") as blue:
        blue.settle()
        assert blue.table["votes"]["resume"] == ["red"]
        blue.say("resume")
        red.settle()
        assert (red.table["change"], red.table["asked"]) == (None, ["red"])
        red.play("Step", unit="red-1", to="1-A2")
        assert places(red.table)["red-1"] == "1-A2"
    assert [what for what in (line.get("what") for line in lines_of(database, played)) if what] == ["vote", "update"]


def test_players_stop_a_game_and_have_its_record(start: Any, played: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    nobody_shoots(monkeypatch)
    with start() as server:
        with server.sit(played, "red") as red, server.sit(played, "blue") as blue:
            red.say("stop")
            blue.settle()
            blue.say("stop")
            assert blue.table["result"]["level"] == "stopped"
        text = server.http.get(f"/api/games/{played['game']}/record").text
        assert '"what":"stop"' in text
        assert len(text.splitlines()[0]) > 64


def test_a_finished_game_of_other_rules_is_shown_as_far_as_it_goes(
    start: Any, played: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with start() as server:
        with server.sit(played, "red") as red:
            red.say("concede")
        record = server.http.get(f"/api/games/{played['game']}/record").text
    nobody_shoots(monkeypatch)
    with start() as server, server.sit(played, "red") as red:
        red.settle()
        assert red.table["change"]["line"] == 5
        assert red.say("resume")["type"] == "refused"
        assert server.http.get(f"/api/games/{played['game']}/record").text == record


def test_the_games_of_a_database_are_read_without_changing_it(database: Path, played: Any, tmp_path: Path) -> None:
    before = database.read_bytes()
    ((name, text),) = stored_records(str(database))
    record = Record.load(text)
    assert (name, len(record.lines)) == (played["game"], 5)
    assert record.check_dice() == 1
    assert database.read_bytes() == before
    for nowhere in (tmp_path / "nowhere.sqlite", tmp_path / "text"):
        (tmp_path / "text").write_text("no database")
        with pytest.raises(OpfireError, match="cannot be read"):
            list(stored_records(str(nowhere)))
    assert not (tmp_path / "nowhere.sqlite").exists()
