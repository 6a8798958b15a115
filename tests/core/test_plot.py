"""Written orders: sheets, their seals, what a seat gets to see of them and when."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest

from core import contract
from core.cases import CASES, sheet
from opfire.core.actions import IllegalAction
from opfire.core.errors import RecordBroken
from opfire.core.match import Match
from opfire.core.plot import salt_of, seal
from opfire.core.record import Entry, Record
from rulesets.kit import Pass
from rulesets.plots import Fire, HandIn, Order

KEY = (7).to_bytes(32, "big")


@pytest.fixture
def match() -> Iterator[Match]:
    case = CASES["plots"]
    with contract.registered(case.ruleset):
        yield Match.start(case.scenario, nonces={"german": "g", "soviet": "s"}, key=KEY)


def write(match: Match, side: str, *orders: str) -> None:
    for n, order in enumerate(orders, 1):
        match.write(side, Order(f"{side}-{n}", order))


def line_of(match: Match, seat: str, n: int) -> Entry:
    """A line of the record as the seat may have it."""
    return match.record_for(seat).lines[n - 1]


def test_orders_are_written_and_changed_without_a_line_in_the_record(match: Match) -> None:
    assert match.game.writable("german") == ("german-1", "german-2", "german-3")
    assert match.game.orders_for("german", "german-1")[0] == Order("german-1", "advance")
    write(match, "german", "fire", "hold")
    match.write("german", Order("german-1", "advance"))
    match.erase("german", "german-2")
    assert match.sheets["german"] == {"german-1": Order("german-1", "advance")}
    assert match.record.lines == []


@pytest.mark.parametrize(
    ("seat", "order", "rule"),
    [
        ("german", Order("german-1", "dance"), "1.1"),
        ("german", Order("soviet-1", "hold"), "procedure"),
        ("german", Order("nobody-9", "hold"), "procedure"),
        ("german", Pass(), "procedure"),
        ("spectator", Order("german-1", "hold"), "procedure"),
    ],
)
def test_an_order_is_judged_when_it_is_written(match: Match, seat: str, order: Order, rule: str) -> None:
    with pytest.raises(IllegalAction) as refused:
        match.write(seat, order)
    assert refused.value.refusal.rule == rule
    assert match.sheets == {}


def test_the_whole_sheet_is_judged_when_it_is_handed_in(match: Match) -> None:
    write(match, "german", "fire", "fire", "fire")
    with pytest.raises(IllegalAction, match=r"3 units fire, at most 2 may \[1.2\]"):
        match.hand_in("german")
    assert len(match.sheets["german"]) == 3  # nothing is lost
    match.erase("german", "german-3")
    with pytest.raises(IllegalAction, match=r"german-3 has no order \[1.1\]"):
        match.hand_in("german")
    match.write("german", Order("german-3", "hold"))
    match.hand_in("german")
    assert "german" not in match.sheets


def test_a_sheet_taken_back_lies_before_its_side_again(match: Match) -> None:
    write(match, "german", "fire", "hold", "hold")
    match.hand_in("german")
    match.undo("german")
    assert match.sheets["german"]["german-1"] == Order("german-1", "fire")
    match.write("german", Order("german-1", "advance"))
    match.hand_in("german")


def test_two_orders_for_a_unit_and_a_wrong_salt_are_refused(match: Match) -> None:
    _, whole = sheet("german", "hold", "hold", "hold")
    assert isinstance(whole, HandIn)
    twice = HandIn((*whole.orders, Order("german-1", "advance")))
    assert str(match.game.why_not("german", twice)) == "german-1 has two orders [procedure]"
    salted = msgspec.structs.replace(whole, salt="pepper")
    assert str(match.game.why_not("german", salted)) == "A salt has 32 hexadecimal digits [procedure]"


def played(match: Match) -> Match:
    """Both sheets are in, and the first of two units ordered to fire has fired."""
    match.play(*sheet("german", "advance", "hold", "hold"))
    match.play(*sheet("soviet", "hold", "advance", "hold"))
    for seat in ("german", "soviet"):
        match.play(seat, Pass())
    for _ in range(2):  # units advance towards each other until they are in range
        match.play(*sheet("german", "advance", "advance", "advance"))
        match.play(*sheet("soviet", "advance", "advance", "advance"))
        for seat in ("german", "soviet"):
            match.play(seat, Pass())
    match.play(*sheet("german", "fire", "fire", "hold"))
    match.play(*sheet("soviet", "hold", "hold", "hold"))
    match.play("german", Fire("german-1", "soviet-2"))
    return match


def test_before_it_is_used_an_order_is_a_hash(match: Match) -> None:
    match.play(*sheet("german", "fire", "hold", "hold"))
    match.play(*sheet("soviet", "hold", "hold", "hold"))
    own, others = line_of(match, "german", 1), line_of(match, "soviet", 1)
    assert own.do is not None
    assert len(own.do["orders"]) == 3
    assert others.do == {"type": "HandIn", "orders": []}
    assert others.sealed == own.sealed
    assert sorted(own.sealed) == ["german-1", "german-2", "german-3"]
    assert "fire" not in match.record_for("soviet").dump().split("\n", 1)[1]


def test_an_order_is_revealed_when_it_is_used_and_matches_its_seal(match: Match) -> None:
    played(match)
    seen = line_of(match, "soviet", 13)
    assert seen.do == {"type": "HandIn", "orders": [{"type": "Order", "unit": "german-1", "order": "fire"}]}
    order = {"type": "Order", "unit": "german-1", "order": "fire"}
    assert seal(seen.salts["german-1"], order) == seen.sealed["german-1"]
    assert "german-2" not in seen.salts
    assert match.record_for("soviet").check_sheets() == 3 * 6 + 3 + 1  # three turns, its own sheet, and this order
    own = line_of(match, "german", 13)
    assert own.do is not None
    assert salt_of(own.do["salt"], "german-1") == seen.salts["german-1"]


def test_an_order_exchanged_after_the_fact_breaks_its_seal(match: Match) -> None:
    record = played(match).record_for("soviet")
    line = record.lines[12]
    forged = {"type": "HandIn", "orders": [{"type": "Order", "unit": "german-1", "order": "hold"}]}
    lines = [*record.lines[:12], msgspec.structs.replace(line, do=forged), *record.lines[13:]]
    with pytest.raises(RecordBroken):
        Record(record.header, lines).check_sheets()


def test_a_sheet_survives_being_written_to_a_record_and_read_again(match: Match) -> None:
    played(match)
    again = Match.resume(match.record.dump(), KEY)
    assert again.game.digest() == match.game.digest()
    assert again.record_for("soviet").dump() == match.record_for("soviet").dump()
