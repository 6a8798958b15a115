"""Written orders over the wire: written, struck off, handed in."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from core import contract
from core.cases import CASES
from opfire.core.actions import IllegalAction
from opfire.core.match import Match
from opfire.server import messages, shown
from opfire.server.store import NotWritten, Store


@pytest.fixture
def match() -> Iterator[Match]:
    case = CASES["plots"]
    with contract.registered(case.ruleset):
        yield Match.start(case.scenario, nonces={"german": "g", "soviet": "s"}, key=bytes(32))


def say(match: Match, seat: str, **message: Any) -> dict[str, Any]:
    said = messages.read(msgspec.json.encode(message))
    assert isinstance(said, messages.Doing)
    return said.do(match, seat)


def order(unit: str, order: str) -> dict[str, str]:
    return {"type": "Order", "unit": unit, "order": order}


def test_a_sheet_is_written_struck_off_and_handed_in(match: Match) -> None:
    assert shown.table(match, "spectator")["sheet"] is None
    for n in (1, 2, 3):
        say(match, "german", type="write", action=order(f"german-{n}", "fire" if n < 3 else "hold"))
    answer = say(match, "german", type="erase", unit="german-2")
    assert sorted(answer["sheet"]["orders"]) == ["german-1", "german-3"]
    assert answer["sheet"]["units"] == ("german-1", "german-2", "german-3")
    assert len(answer["sheet"]["can"]["german-2"]) == 3
    with pytest.raises(IllegalAction, match="german-2 has no order"):
        say(match, "german", type="hand-in")
    say(match, "german", type="write", action=order("german-2", "advance"))
    say(match, "german", type="hand-in")
    assert match.shown("german").asked() == ("soviet",)
    assert shown.table(match, "german")["sheet"] is None


def test_many_orders_are_written_and_struck_off_at_once_or_none(match: Match) -> None:
    orders = [order(f"german-{n}", "hold") for n in (1, 2, 3)]
    answer = say(match, "german", type="write", action=orders[0], then=orders[1:])
    assert sorted(answer["sheet"]["orders"]) == ["german-1", "german-2", "german-3"]
    with pytest.raises(IllegalAction, match="nonsense is not an order"):
        say(match, "german", type="write", action=order("german-1", "fire"), then=[order("german-2", "nonsense")])
    assert {found.order for found in match.sheets["german"].values()} == {"hold"}
    say(match, "german", type="erase", unit="german-1", then=["german-2"])
    with pytest.raises(IllegalAction, match="german-1 has no order"):
        say(match, "german", type="erase", unit="german-3", then=["german-1"])
    assert sorted(match.sheets["german"]) == ["german-3"]


def test_a_sheet_says_why_it_cannot_be_handed_in_and_bears_markers(match: Match) -> None:
    sheet = shown.table(match, "german")["sheet"]
    assert sheet["bad"] == {"text": "german-1 has no order", "rule": "1.1"}
    assert [choice["mark"].title for choice in sheet["can"]["german-1"]] == ["advance", "fire", "hold"]
    orders = [order(f"german-{n}", "hold") for n in (1, 2, 3)]
    assert say(match, "german", type="write", action=orders[0], then=orders[1:])["sheet"]["bad"] is None


def test_the_orders_of_the_last_sheet_are_at_hand_again(match: Match) -> None:
    """Of a sheet that was taken back nothing is at hand: it lies there to be changed."""
    assert shown.table(match, "german")["sheet"]["last"] == {}
    for side in ("german", "soviet"):
        orders = [order(f"{side}-{n}", "hold" if n > 1 else "advance") for n in (1, 2, 3)]
        say(match, side, type="write", action=orders[0], then=orders[1:])
    say(match, "german", type="hand-in")
    say(match, "german", type="undo")
    assert shown.table(match, "german")["sheet"]["last"] == {}
    say(match, "german", type="hand-in")
    say(match, "soviet", type="hand-in")
    for _ in ("first", "second"):
        say(match, match.game.asked()[0], type="play", action={"type": "Pass"})
    last = shown.table(match, "german")["sheet"]["last"]
    assert {unit: found["action"].order for unit, found in last.items()} == {
        "german-1": "advance",
        "german-2": "hold",
        "german-3": "hold",
    }


def test_the_other_side_gets_nothing_of_a_sheet_under_work(match: Match) -> None:
    before = msgspec.json.encode(shown.table(match, "soviet"))
    say(match, "german", type="write", action=order("german-1", "fire"))
    assert msgspec.json.encode(shown.table(match, "soviet")) == before
    assert match.record.lines == []


def test_an_order_that_cannot_be_written_is_refused_in_a_sentence(match: Match) -> None:
    with pytest.raises(IllegalAction, match=r"soviet-1 is not yours"):
        say(match, "german", type="write", action=order("soviet-1", "fire"))


# --- over the wire, with a server that is started anew --------------------------------------------------


@pytest.fixture
def plotting(tmp_path: Path) -> Iterator[None]:
    """The toy with written orders can be played by the name of its scenario."""
    case = CASES["plots"]
    (tmp_path / "scenarios" / "toy" / "toy-plots.toml").write_text(case.scenario, encoding="utf-8")
    with contract.registered(case.ruleset):
        yield


def begin(server: Any) -> Any:
    game = server.prepare({side: {"side": side} for side in ("german", "soviet")}, "toy-plots")
    for side in game["seats"]:
        server.come(game, side)
    return game


@pytest.mark.usefixtures("plotting")
def test_an_unfinished_sheet_survives_a_restart_and_stays_its_sides_own(start: Any, database: Path) -> None:
    with start() as server:
        game = begin(server)
        with server.sit(game, "german") as german:
            for n, what in ((1, "fire"), (2, "hold"), (3, "advance")):
                assert german.say("write", action=order(f"german-{n}", what))["type"] == "answer"
            german.say("erase", unit="german-3")
            sheet = german.table["sheet"]
        with server.sit(game, "soviet") as soviet:
            before = soviet.table
    with start() as server:
        with server.sit(game, "soviet") as soviet, server.sit(game) as spectator:
            assert soviet.table == before
            assert spectator.table["sheet"] is None
        record = server.http.get(f"/api/games/{game['game']}/record").text
        assert "german-1" not in record.split("\n", 1)[1]
        with server.sit(game, "german") as german:
            assert german.table["sheet"] == sheet
            assert sorted(sheet["orders"]) == ["german-1", "german-2"]
            german.say("write", action=order("german-3", "hold"))
            assert german.say("hand-in")["type"] == "answer"
    with start() as server, server.sit(game, "german") as german:
        assert german.table["sheet"] is None
        assert kept_sheets(database) == []


@pytest.mark.usefixtures("plotting")
def test_a_sheet_that_was_taken_back_survives_a_restart_with_its_changes(start: Any) -> None:
    """The record brings the sheet back as it was handed in; the changes since then count."""
    with start() as server:
        game = begin(server)
        with server.sit(game, "german") as german:
            for n in (1, 2, 3):
                german.say("write", action=order(f"german-{n}", "hold"))
            german.say("hand-in")
            german.say("undo")
            german.say("erase", unit="german-2")
    with start() as server, server.sit(game, "german") as german:
        assert sorted(german.table["sheet"]["orders"]) == ["german-1", "german-3"]


@pytest.mark.usefixtures("plotting")
def test_an_order_that_cannot_be_saved_has_not_been_written(server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    game = begin(server)
    with server.sit(game, "german") as german:
        german.say("write", action=order("german-1", "hold"))
        with monkeypatch.context() as broken:
            broken.setattr(Store, "write", not_written)
            assert german.say("write", action=order("german-2", "hold"))["text"] == "The disk is full"
        german.settle()
        assert sorted(german.table["sheet"]["orders"]) == ["german-1"]


def not_written(*args: Any, **fields: Any) -> None:
    raise NotWritten("The disk is full")


def kept_sheets(database: Path) -> list[Any]:
    with closing(sqlite3.connect(database)) as connection:
        return connection.execute("select * from sheets").fetchall()


def test_orders_that_can_no_longer_be_written_are_left_out(match: Match) -> None:
    """As when a later version of the rules reads a game: what it does not know is no reason to refuse the rest."""
    match.lay_out(
        {
            "german": [order("german-1", "fire"), order("soviet-1", "fire"), order("german-2", "dance"), {"type": "?"}],
            "nobody": [order("german-1", "fire")],
        }
    )
    assert match.unfinished() == {"german": [order("german-1", "fire")]}
