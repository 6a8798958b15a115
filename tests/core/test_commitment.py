"""Commitments: what binds the server before anybody adds to the dice, and how a broken promise shows."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable

import msgspec
import pytest

from core import contract
from core.cases import CASES, SEATS
from core.records import change, rewritten
from opfire.core.errors import RecordBroken
from opfire.core.game import SPECTATOR
from opfire.core.match import Match
from opfire.core.record import Header, Record
from opfire.core.scenario import text_of
from opfire.core.verify import verify

KEY = bytes(range(32))


@pytest.fixture
def header(toys: None) -> Header:
    case = CASES["shared"]
    players = {"german-even": "greedy"}
    match = Match.start(case.scenario, players, {}, KEY, {}, SEATS)
    return match.record.header


def finished(case: str = "group") -> Record:
    """A game that a seat gave up at once."""
    match = contract.start(CASES[case], 3)
    match.concede(next(iter(match.game.seats)))
    return match.record_for("spectator")


def test_a_commitment_is_the_hash_that_the_docs_describe(header: Header) -> None:
    # By docs/records.md, written here a second time.
    seats = [("german-odd", "german", "human"), ("german-even", "german", "greedy"), ("soviet", "soviet", "human")]
    terms = [
        header.ruleset,
        header.version,
        header.scenario,
        header.data,
        "0",
        "3",
        *(part for s in seats for part in s),
    ]
    hashed = KEY + b"".join(len(term.encode()).to_bytes(4, "big") + term.encode() for term in terms)
    assert header.commitment == hashlib.blake2b(hashed, digest_size=32, person=b"opfire commit").hexdigest()


@pytest.mark.parametrize(
    "change",
    [
        {"ruleset": "another"},
        {"version": "another"},
        {"scenario": "another"},
        {"data": "another"},
        {"pack": {"table.csv": "a,b"}},
        {"seats": {"german-odd": "german", "german-even": "soviet", "soviet": "soviet"}},
        {"players": {"german-even": "random"}},
        {"players": {"german-even": "greedy", "soviet": "greedy"}},
    ],
    ids=lambda change: next(iter(change)),
)
def test_a_commitment_binds_the_terms_of_the_game(header: Header, change: dict[str, object]) -> None:
    header.check_key(KEY)
    with pytest.raises(RecordBroken, match="commitment"):
        msgspec.structs.replace(header, **change).check_key(KEY)


def test_a_seat_cannot_be_mistaken_for_a_table_of_a_pack(header: Header) -> None:
    alike = msgspec.structs.replace(header, pack={"a": "b", "c": "d", "e": "f"}, seats={}, players={})
    other = msgspec.structs.replace(header, pack={}, seats={"a": "b", "d": "e"}, players={"a": "c", "d": "f"})
    assert alike.committed(KEY) != other.committed(KEY)


@pytest.mark.usefixtures("toys")
def test_a_match_resumes_with_the_key_that_was_committed_to_and_no_other() -> None:
    match = contract.start(CASES["group"], 3)
    text = match.record.dump()
    assert Match.resume(text, match.key).record.dump() == text
    with pytest.raises(RecordBroken, match="commitment"):
        Match.resume(text, KEY)


@pytest.mark.usefixtures("toys")
@pytest.mark.parametrize("written", [str, str.upper, lambda text: f" {text}\n"])
def test_a_record_bears_the_commitment_that_a_player_wrote_down(written: Callable[[str], str]) -> None:
    record = finished()
    assert verify(record, written(record.header.commitment)).outcome["level"] == "conceded"


@pytest.mark.usefixtures("toys")
def test_a_record_with_another_commitment_than_a_player_kept_is_not_true() -> None:
    record, kept = finished(), "ab" * 32
    with pytest.raises(RecordBroken, match=kept) as caught:
        verify(record, kept)
    assert caught.value.line == 1


@pytest.mark.usefixtures("toys")
def test_computer_players_add_nothing_to_the_dice() -> None:
    case = CASES["group"]
    match = Match.start(case.scenario, {"soviet": "greedy"}, {"german": "g"}, KEY)
    assert match.record.header.nonces == {"german": "g"}
    assert match.record.header.humans() == {"german": "german"}


# --- the digest that a browser keeps ---------------------------------------------------------------------


def test_the_digest_to_keep_is_that_of_what_stands_and_no_draft_moves_it() -> None:
    match, rng, drafts = Match.start(text_of("mill-ford"), key=KEY), random.Random(1), 0
    match.go_on()
    while match.settled_lines == 0 or drafts == 0:
        seat = match.game.deciders()[0]
        match.play(seat, match.game.choices(seat).sample(rng))
        standing = next((line.digest for line in match.record.lines[::-1] if line.n <= match.settled_lines), None)
        assert {match.digest_for(seat) for seat in contract.seats(match)} == {standing}
        drafts += match.settled_lines > 0 and match.game.digest() != standing


def settled_lines_of(match: Match, seat: str) -> int:
    """The number of lines that a seat knows and nobody can take back."""
    side = match.game.seats.get(seat)
    return len(match.record_for(seat).lines) - sum(match.game.seats[line.seat] == side for line in match.draft)


@pytest.mark.usefixtures("toys")
def test_in_a_game_with_secrets_a_seat_keeps_the_digest_of_the_last_line_that_it_knows() -> None:
    """The digest moves with the seat's own record alone."""
    match, found = contract.start(CASES["hidden"], 3), dict[str, dict[int, set[str | None]]]()
    for match, _ in contract.walk(CASES["hidden"], 3):
        for seat in contract.seats(match):
            by_length = found.setdefault(seat, {})
            by_length.setdefault(settled_lines_of(match, seat), set()).add(match.digest_for(seat))
    record = match.record_for(SPECTATOR)
    secret = {line.digest for line in record.lines if line.only == ("german",)}
    assert secret
    for seat, by_length in found.items():
        assert {match.digest_for(seat)} == {record.lines[-1].digest}
        assert by_length.pop(0) == {None}
        assert all(len(digests) == 1 for digests in by_length.values())
        kept = {digest for digests in by_length.values() for digest in digests}
        assert len(kept) == len(by_length) > 5
        assert kept < {line.digest for line in record.lines}
        assert (seat == "german") or not kept & secret


@pytest.mark.usefixtures("toys")
def test_the_kept_digest_binds_the_secret_lines_before_it() -> None:
    match = contract.start(CASES["hidden"], 3)
    for match, _ in contract.walk(CASES["hidden"], 3):
        if match.digest_for("soviet") and any(line.only == ("german",) for line in match.record.lines):
            break
    seen = match.digest_for("soviet")
    assert seen
    match.concede("german")
    record = match.record_for(SPECTATOR)
    verify(record, seen=seen)
    at, line = next((at, line) for at, line in enumerate(record.lines) if line.only == ("german",))
    forged = rewritten(record, [*record.lines[:at], change(line, by="route"), *record.lines[at + 1 :]])
    verify(forged)
    with pytest.raises(RecordBroken, match="nothing with the digest that was seen"):
        verify(forged, seen=seen)


@pytest.mark.usefixtures("toys")
@pytest.mark.parametrize("form", [1, 2])
def test_without_the_key_in_its_digests_a_game_with_secrets_shows_none_before_its_end(form: int) -> None:
    """Guesses could be tried on the bare digests of earlier formats."""
    match = contract.start(CASES["hidden"], 3)
    match.record.header = change(match.record.header, opfire=form)
    rng = random.Random(3)
    while not match.over:
        assert {match.digest_for(seat) for seat in contract.seats(match)} == {None}
        match.play(*contract.decide(match.game, rng))
    assert match.digest_for("german") == match.record.lines[-1].digest
