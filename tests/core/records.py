"""Records to try things on: finished games, and what a forger makes of them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from core import contract
from core.cases import CASES
from opfire.core.dice import Dice
from opfire.core.match import Match
from opfire.core.record import KEY_ALONE, Entry, Header, Record

change = msgspec.structs.replace


def played(case: str, seed: int = 3) -> Record:
    """A random game to its end: things are taken back, orders given, votes cast."""
    match = contract.start(CASES[case], seed)
    for match, rng in contract.walk(CASES[case], seed):
        if match.draft and rng.random() < 0.3:
            contract.take_back(match, rng.choice(match.draft).seat)
        seat = rng.choice(list(match.game.seats))
        if rng.random() < 0.05:
            match.give_orders(seat, {})
        if rng.random() < 0.05 and not match.votes["draw"]:
            match.agree_draw(seat)
            match.decline(seat, "draw")
        if len(match.record.lines) > 60:
            for seat in match.game.seats:
                match.agree_draw(seat)
    return match.record_for("spectator")


def rewritten(record: Record, lines: Sequence[Entry] | None = None, **header: Any) -> Record:
    """The work of a forger with the dice key: other lines or another header, commitment and digests to match."""
    key, lines = record.header.shown_key(), record.lines if lines is None else lines
    made = change(record.header, **header)
    if "commitment" not in header and made.dice is None:
        made = change(made, commitment=made.committed(key))
    before, digested = made.first_digest(key), []
    for line in lines:
        before = made.digest_of(line, before, key)
        digested.append(change(line, digest=before))
    return Record(made, digested)


def older(record: Record, form: int) -> Record:
    """The same game as an earlier format has it: up to the second its digests are those of the state alone."""
    header = change(record.header, opfire=form)
    key = header.shown_key()
    commitment = hashlib.blake2b(key, digest_size=32, person=b"opfire commit").hexdigest()
    header = change(header, commitment=commitment if form == KEY_ALONE else header.committed(key))
    match = Match.begun(header, key)
    for line in record.lines:
        match.repeat(line)
    return match.record


def dictated(record: Record, numbers: Sequence[int]) -> Record:
    """The same decisions with dictated dice, as far as the rules allow them."""
    header = change(record.header, dice=tuple(numbers), key="", commitment="", nonces={})
    match = Match.begun(header, b"", Dice(b"", script=tuple(numbers)))
    match.record.header = header
    for line in record.lines:
        if match.over:
            break
        match.decide(line.seat, match.game.ruleset.read_action(line.do))
    return match.record


def kinds(lines: Sequence[Entry]) -> dict[tuple[Any, ...], int]:
    """The place of one line of each kind: with each set of fields, and of each author."""
    found: dict[tuple[Any, ...], int] = {}
    for at, line in enumerate(lines):
        fields = tuple(name for name in Entry.__struct_fields__ if getattr(line, name))
        found[(line.what, line.by, fields)] = at
    return found


def others(value: Any) -> Iterator[Any]:
    """Values of the same type that differ from this one in one place."""
    match value:
        case None:
            yield {"type": "Pass"}
        case str():
            yield value + "0"
            if value:
                yield ""
                yield value[:-1] + chr(ord(value[-1]) ^ 1)
        case int():
            yield value + 1
        case tuple() | list():
            yield (*value, *(value[-1:] or ("x",)))
            for at, part in enumerate(value):
                yield (*value[:at], *value[at + 1 :])
                yield from ((*value[:at], other, *value[at + 1 :]) for other in others(part))
        case dict():
            yield {**value, "x": "y"}
            for name, part in value.items():
                yield {other: found for other, found in value.items() if other != name}
                yield from ({**value, name: other} for other in others(part))


def fields(part: Header | Entry) -> Iterator[tuple[str, Any]]:
    """Each field of a header or of a line with each of some other values."""
    for name in part.__struct_fields__:
        yield from ((name, other) for other in others(getattr(part, name)))
