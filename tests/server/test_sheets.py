"""Written orders over the wire: written, struck off, handed in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from core import contract
from core.cases import CASES
from opfire.core.actions import IllegalAction
from opfire.core.match import Match
from opfire.server import messages, shown


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


def test_the_other_side_gets_nothing_of_a_sheet_under_work(match: Match) -> None:
    before = msgspec.json.encode(shown.table(match, "soviet"))
    say(match, "german", type="write", action=order("german-1", "fire"))
    assert msgspec.json.encode(shown.table(match, "soviet")) == before
    assert match.record.lines == []


def test_an_order_that_cannot_be_written_is_refused_in_a_sentence(match: Match) -> None:
    with pytest.raises(IllegalAction, match=r"soviet-1 is not yours"):
        say(match, "german", type="write", action=order("soviet-1", "fire"))
