"""The strict check of a finished record: who may have changed what, and the first line that is not true."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from opfire.core import scenario as scenarios
from opfire.core.errors import BadInput, RecordBroken
from opfire.core.match import Match, seats_at
from opfire.core.record import (
    HUMAN,
    KINDS,
    MOST_LINES,
    TURNS,
    Entry,
    Header,
    Record,
    decided,
    dice_before,
    given_up,
    reliance,
)
from opfire.core.ruleset import find

MOST_SCRIPTED = 100_000
_AUTHORS = ("", "orders", "route", "only")


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """A record whose every line is true by the rules that are here.

    `scripted` is true if the dice were dictated and so prove nothing. `played` are the version of the rules and the
    digest of the data that the record names, `here` are those that it was checked with. `silent` are the human seats,
    or in a game without humans all seats, that added nothing to the dice: nothing kept the server from choosing them.
    `unproved` counts the lines that were given up when the rules changed: their dice are true, and no more is known of
    them.
    """

    format: int
    decisions: int
    rolls: int
    outcome: Any
    digest: str
    scripted: bool
    played: tuple[str, str]
    here: tuple[str, str]
    silent: tuple[str, ...]
    unproved: int

    @property
    def same_rules(self) -> bool:
        """Return whether the record was checked with the rules and the data that it was played with."""
        return self.played == self.here


def verify(record: Record, kept: str = "", seen: str = "") -> Verdict:
    """Check everything that a finished record tells: dice, rules, events, seats, digests.

    `kept` is the commitment that a player wrote down before the game, `seen` a digest that a browser kept during it.
    Raises RecordBroken with the first line that is not true, or BadInput for a record that cannot be checked.
    """
    header = record.header
    _check_form(record)
    if header.dice is None or kept or header.key:
        header.check_commitment(kept)
    if header.dice is None:
        record.check_dice()
    match = _played_again(record)
    record.check_sheets()
    if match.game.outcome is None:
        raise RecordBroken(len(record.lines) + 1, "a finished game", "it goes on")
    if seen and seen.strip().lower() not in (line.digest for line in record.lines):
        last = len(record.lines) + 1
        raise RecordBroken(last, "nothing with the digest that was seen", f"a line had the digest {seen.strip()}")
    return Verdict(
        format=header.opfire,
        decisions=sum(entry.what == "play" for entry in record.lines),
        rolls=sum(dice_before(record.lines)),
        outcome=msgspec.to_builtins(match.game.outcome),
        digest=record.lines[-1].digest,
        scripted=header.dice is not None,
        played=record.terms(),
        here=rules_here(header),
        silent=tuple(seat for seat in header.humans() or header.seats if not header.nonces.get(seat)),
        unproved=len(given_up(record.lines)),
    )


def rules_here(header: Header) -> tuple[str, str]:
    """The version of the rules that are here, and the digest of the data that the game would have. Raises BadInput."""
    ruleset = find(header.ruleset)
    return ruleset.version, reliance(ruleset, scenarios.parse(header.scenario, "record:1"), header.pack)


# --- the header ------------------------------------------------------------------------------------------


def _check_form(record: Record) -> None:
    """Check that everything is there, and no more than can be. Raises BadInput."""
    header = record.header
    if not 1 <= len(record.lines) <= MOST_LINES:
        raise BadInput(f"a record of {len(record.lines)} lines", "record", f"1 to {MOST_LINES}")
    for line, entry in enumerate(record.lines, 2):
        if entry.what not in KINDS:
            raise BadInput(f"{entry.what!r} is no kind of line", f"record:{line}", ", ".join(KINDS))
    if header.facts is not msgspec.UNSET:
        raise BadInput("a record of what a seat was shown", "record:1", "the record of a finished game")
    if header.dice is None and not header.key:
        raise BadInput(
            "the dice key is not shown before the end of the game", "record:1", "the record of a finished game"
        )
    if header.dice is not None and len(header.dice) > MOST_SCRIPTED:
        raise BadInput(f"{len(header.dice)} scripted dice", "record:1", f"at most {MOST_SCRIPTED}")
    for field, text, digits in _hexadecimal(header):
        if not re.fullmatch(rf"[0-9a-f]{{{digits}}}", text):
            raise BadInput(f"{text!r} is no {field}", "record:1", f"{digits} digits from 0 to 9 and a to f")
    _check_seats(header)


def _hexadecimal(header: Header) -> list[tuple[str, str, int]]:
    """The fields of the header that are hexadecimal numbers, and their length."""
    secured = header.dice is None or header.key or header.commitment
    known = [("dice key", header.key, 64), ("commitment", header.commitment, 64)] if secured else []
    return [*known, ("digest of the data", header.data, 16)]


def _check_seats(header: Header) -> None:
    """Check that sides, players and nonces belong to the seats. Raises BadInput."""
    scenario = scenarios.parse(header.scenario, "record:1")
    if scenario.ruleset != header.ruleset:
        raise BadInput(f"a scenario of {scenario.ruleset}", "record:1", f"one of {header.ruleset}")
    seats_at(scenario, header.seats or {"": ""})
    for seat, player in header.players.items():
        if seat not in header.seats or not player:
            raise BadInput(f"player {player!r} in the seat {seat!r}", "record:1", "a player for each seat")
    if list(header.nonces) != [seat for seat in header.humans() if seat in header.nonces]:
        humans = ", ".join(header.humans()) or "nobody"
        raise BadInput(f"numbers added to the dice by {', '.join(header.nonces)}", "record:1", f"{humans}, in order")


# --- the lines -------------------------------------------------------------------------------------------


def _played_again(record: Record) -> Match:
    """The match at the end of the record. Raises RecordBroken with the first line that is not true."""
    header, idle = record.header, given_up(record.lines)
    key = header.shown_key()
    match = Match.begun_again(header, key, header.starting_dice())
    before = header.first_digest(key)
    for at, entry in enumerate(record.lines):
        line = at + 2
        if at in idle:
            match.pass_over(entry)
        else:
            _check_line(match, entry, line)
        if header.chained:
            if (found := header.digest_of(entry, before, key)) != entry.digest:
                raise RecordBroken(line, f"digest {entry.digest or 'none'}", f"{found} for this line after the others")
            before = found
        match.keep(entry)
    return match


def _check_line(match: Match, entry: Entry, line: int) -> None:
    """Do as the line tells, and compare everything that it says of that. Raises RecordBroken."""
    with decided(line):
        _check_author(match, entry, line)
        _do(match, entry, line)
    if len(match.record.lines) != line - 1:
        raise RecordBroken(line, f"{entry.what} by {entry.seat}", "that it changes nothing")
    _compare(match.record.lines[-1], entry, line)


def _check_author(match: Match, entry: Entry, line: int) -> None:
    """Check that the author could decide for the seat, and did where that can be known. Raises RecordBroken."""
    player = match.record.header.players.get(entry.seat, HUMAN)
    if entry.what != "play":
        return
    human = player == HUMAN
    if entry.by not in (_AUTHORS if human else (player, "orders", "only")):
        raise RecordBroken(line, f"a decision by {entry.by or 'the seat'}", f"the player of {entry.seat} is {player}")
    if entry.by in ("orders", "only"):
        answer = match.answer_without_player()
        action = match.game.ruleset.read_action(entry.do)
        if answer != (entry.seat, action, entry.by):
            raise RecordBroken(line, f"a decision by {entry.by!r}", "that a player decides")


def _do(match: Match, entry: Entry, line: int) -> None:
    """Do as the line tells, by the way that a seat has. Raises OpfireError."""
    match entry.what:
        case "play":
            match.decide(entry.seat, match.game.ruleset.read_action(entry.do), entry.by)
        case "undo":
            match.undo(entry.seat)
        case "concede":
            match.concede(entry.seat)
        case "draw":
            match.agree_draw(entry.seat)
        case "vote" if entry.do == {"for": "concede"}:
            match.concede(entry.seat)
        case "vote" if entry.do == {"for": "draw"}:
            match.agree_draw(entry.seat)
        case what if what in TURNS:
            _check_turn(match, entry, line)
            match.repeat(entry)
        case _:
            match.repeat(entry)


def _check_turn(match: Match, entry: Entry, line: int) -> None:
    """Check that all players agreed to give lines up, and how many dice had fallen. Raises RecordBroken."""
    update, lines = entry.update(), match.record.lines
    if update.standing is None:
        if entry.seat or entry.what == "stop" or (update.open, update.secret) != (0, 0):
            raise RecordBroken(line, f"{entry.what} by {entry.seat}", "that no line is given up")
        return
    if (update.open, update.secret) != (found := dice_before(lines)):
        raise RecordBroken(line, f"{update.open} open and {update.secret} secret dice so far", f"{found}")
    wanted = "resume" if entry.what == "update" else "stop"
    voted = {entry.seat}
    for vote in lines[update.standing :]:
        if vote.do == {"for": wanted} and vote.what in ("vote", "decline"):
            voted = voted | {vote.seat} if vote.what == "vote" else voted - {vote.seat}
    if missing := [seat for seat in match.record.header.humans() if seat not in voted]:
        raise RecordBroken(line, f"that all players agreed to {wanted}", f"that {', '.join(missing)} did not")


def _compare(found: Entry, entry: Entry, line: int) -> None:
    """Compare a line with the one that the game has written. Raises RecordBroken with the first field."""
    chained = bool(found.state)
    for field in Entry.__struct_fields__:
        says, was = getattr(entry, field), getattr(found, field)
        if field == "digest" and chained:
            continue
        if msgspec.json.encode(says) != msgspec.json.encode(was):
            raise RecordBroken(line, f"{field} {_shown(says)}", _shown(was))


def _shown(value: Any) -> str:
    return msgspec.json.encode(value).decode() if value else "none"
