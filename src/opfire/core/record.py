"""Records: a header, then a line a decision, as text that anybody can read and replay."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import msgspec

from opfire.core import scenario as scenarios
from opfire.core.dice import Dice, commitment, seed, with_length
from opfire.core.errors import BadInput, OpfireError, RecordBroken
from opfire.core.game import Game
from opfire.core.plot import salt_of, seal
from opfire.core.reading import ready
from opfire.core.rows import OWN, Texts, read
from opfire.core.ruleset import Ruleset, find
from opfire.core.scenario import Scenario

FORMAT = 4
KEY_ALONE = 1
"""The format whose commitments bind the dice key and nothing else."""
UNCHAINED = 2
"""Up to this format the digest of a line is that of the state after it, and binds no other line."""
VALUED = 3
"""The format whose states hold the printed values of counters."""
HUMAN = "human"
ASIDE = ("orders", "vote", "decline")
"""Lines of a seat that change nothing in the game itself."""
TURNS = ("update", "stop")
"""Lines of the table: the game goes on under other rules, or ends because they differ."""
KINDS = ("play", "undo", "concede", "draw", *ASIDE, *TURNS)
"""The kinds of lines."""
MOST_SIDES = 1000
"""The greatest number of sides of a die in a record."""
MOST_SEATS = 64
MOST_LINES = 20_000
"""The greatest number of lines of a record; the longest games played so far have a tenth of that."""
UNPLAYABLE = (LookupError, ValueError, TypeError, AttributeError)
"""The errors of rules that are given a decision, or a scenario, of other rules."""
REPORT = "report"
"""The field that a reported moment has in its header, besides those of a record."""
_HEX = re.compile(r"[0-9a-f]*")


class Shown(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A moment of a running game as a seat was shown it: the difference of its view to the moment before, the log.

    `did` is the decision that led to it, in words. `log` are the entries that came with it.
    """

    turn: int
    side: str = ""
    step: str = ""
    did: str = ""
    view: msgspec.Raw = msgspec.Raw(b"{}")
    log: tuple[msgspec.Raw, ...] = ()


class Facts(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """That a record draws on what its seat was shown: the seat's side, and a sum over the whole record.

    `shown` are the moments before the first line, where there is no line yet.
    """

    side: str
    sum: str = ""
    shown: tuple[Shown, ...] = ()


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """The first line of a record: the game, its rules and data, and the commitment to the dice.

    `scenario` is the whole scenario file and `pack` the tables of a data pack, so that a record stands alone;
    `data` is a digest of all that the game relies on. `nonces` holds the text that each human seat adds to the dice.
    `key` is empty until the game is over; `dice` is a script where a test gave one. A seat's record of a running game
    with secrets has `facts`.
    """

    opfire: int = FORMAT
    ruleset: str
    version: str
    scenario: str
    seats: dict[str, str]
    players: dict[str, str] = {}
    data: str = ""
    pack: dict[str, str] = {}
    commitment: str = ""
    nonces: dict[str, str] = {}
    key: str = ""
    dice: tuple[int, ...] | None = None
    facts: Facts | msgspec.UnsetType = msgspec.UNSET

    def starting_dice(self) -> Dice:
        """The dice at the start. Raises BadInput while the key is not shown."""
        if self.dice is not None:
            return Dice(b"", script=self.dice)
        if not self.key:
            raise BadInput("the dice key is not shown before the end of the game", "header", "a finished game")
        return Dice(seed(self._key(), self.nonces.values()))

    def humans(self) -> dict[str, str]:
        """The side of each seat that a human holds."""
        return {seat: side for seat, side in self.seats.items() if self.players.get(seat, HUMAN) == HUMAN}

    @property
    def chained(self) -> bool:
        """Return whether the digest of each line covers all lines before it."""
        return self.opfire > UNCHAINED

    def first_digest(self, key: bytes) -> str:
        """The digest before the first line: of all that the header holds, and keyed with the dice key."""
        named = [part for pairs in (self.players, self.nonces) for pair in pairs.items() for part in pair]
        counts = [str(len(self.players)), str(len(self.nonces))]
        script = msgspec.json.encode(self.dice).decode()
        parts = [str(self.opfire), self.commitment, *self.terms(), *counts, *named, script]
        return _keyed(key, b"".join(map(with_length, parts)))

    def digest_of(self, entry: Entry, before: str, key: bytes) -> str:
        """The digest of a line that follows one with the digest `before`: of the whole line and all before it.

        Its key is the dice key, so that before the end nobody can try guesses at the lines of other seats on it.
        """
        row = msgspec.json.encode(msgspec.structs.replace(entry, digest=""))
        return _keyed(key, bytes.fromhex(before) + row)

    def terms(self) -> list[str]:
        """The terms that a commitment binds besides the key: rules, scenario with options, data, seats, players."""
        packed = [part for table in sorted(self.pack.items()) for part in table]
        seated = [part for seat, side in self.seats.items() for part in (seat, side, self.players.get(seat, HUMAN))]
        counts = [str(len(self.pack)), str(len(self.seats))]
        return [self.ruleset, self.version, self.scenario, self.data, *counts, *packed, *seated]

    def committed(self, key: bytes) -> str:
        """The commitment to this key and to the terms of the game; in the first format to the key alone."""
        return commitment(key, () if self.opfire == KEY_ALONE else self.terms())

    def check_key(self, key: bytes) -> None:
        """Check that the server committed to this key, and to these terms. Raises RecordBroken."""
        if (found := self.committed(key)) != self.commitment:
            raise RecordBroken(1, f"commitment {self.commitment}", found)

    def check_commitment(self, kept: str = "") -> None:
        """Check the shown key against the commitment, and that against the one a player kept.

        Raises RecordBroken or BadInput.
        """
        if kept and kept.strip().lower() != self.commitment:
            raise RecordBroken(1, f"commitment {self.commitment}", f"the commitment kept by a player is {kept}")
        self.check_key(self._key())

    def check_state(self, entry: Entry, game: Game[Any], line: int) -> None:
        """Check the game after a line against the digest that the line has of it. Raises RecordBroken."""
        said = entry.state if self.chained else entry.digest
        if said and said != (found := self.state_of(game)):
            raise RecordBroken(line, f"{'state' if self.chained else 'digest'} {said}", found)

    def state_of(self, game: Game[Any]) -> str:
        """The digest of a game as lines of this format have it."""
        if not self.chained:
            return game.digest()
        return game.valued_digest() if self.opfire == VALUED else game.lasting_digest()

    def shown_key(self) -> bytes:
        """The dice key; no bytes while it is not shown. Raises BadInput."""
        return self._key() if self.key else b""

    def _key(self) -> bytes:
        try:
            key = bytes.fromhex(self.key)
        except ValueError:
            key = b""
        if len(key) != 32:
            raise BadInput(f"{self.key!r} is not a dice key", "header", "64 hexadecimal digits")
        return key


def _keyed(key: bytes, content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=16, key=key, person=b"opfire line").hexdigest()


class Entry(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One line: a seat's decision, the dice that fell, the events in words, the digests after it.

    `what` is play, undo, orders, concede or draw, or `vote` and `decline` of a seat that is for or against ending the
    game (`do` names the ending) while other seats still have to agree, or `update` and `stop`, which are lines of
    the table and have no seat (`do` is an `Update`); `by` names the author of the decision if it is
    not the seat: a computer player, standing `orders`, a `route` that went on, or `only` for a single choice.
    `rolls` and `sides` are the open dice and their numbers of sides, `secret` the secret ones (number and
    sides); `only` names the sides that may know of this line before the end (empty: everybody).
    Of a sheet of written orders `sealed` has the hash of each order by its unit; `opened` are the units whose orders
    this line revealed. Before the end another side's sheet holds only the orders revealed so far, with their `salts`.
    `state` is the digest of the game after this line, `digest` that of this line and all before it; in the first two
    formats `digest` is that of the game. `shown` is there only in a seat's record of a running game with secrets: the
    moments up to the next line, in the first line the opening before them.
    """

    n: int
    seat: str = ""
    what: str = "play"
    do: dict[str, Any] | None = None
    by: str = ""
    rolls: tuple[int, ...] = ()
    sides: tuple[int, ...] = ()
    secret: tuple[tuple[int, int], ...] = ()
    sealed: dict[str, str] = {}
    opened: tuple[str, ...] = ()
    salts: dict[str, str] = {}
    only: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    shown: tuple[Shown, ...] = ()
    state: str = ""
    digest: str = ""

    def update(self) -> Update:
        """The terms of an `update` or a `stop`. Raises BadInput."""
        try:
            return msgspec.convert(self.do, ready(Update))
        except msgspec.ValidationError as error:
            raise BadInput(f"this line cannot be read: {error}", f"record:{self.n + 1}", "an update") from None


class Update(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The rules and the data under which a game goes on, or ends.

    `standing` is the number of the last line that stands; those between it and this line hold by the earlier rules
    alone, and are given up; None if all stand. `open` and `secret` count the dice that have fallen so far: none falls
    a second time.
    """

    version: str
    data: str
    standing: int | None = None
    open: int = 0
    secret: int = 0


class Record(msgspec.Struct):
    """A whole record; `lines` in the order of the decisions."""

    header: Header
    lines: list[Entry] = []

    def dump(self) -> str:
        """The record as text, one JSON object a line."""
        encode = msgspec.json.encode
        return "\n".join(part.decode() for part in (encode(self.header), *map(encode, self.lines))) + "\n"

    @staticmethod
    def load(text: str, where: str = "record") -> Record:
        """A record from its text. Raises BadInput with the faulty line."""
        first, *rows = text.rstrip().split("\n")
        if not first:
            raise BadInput("the record is empty", where, "a header and a line for each decision")
        header = _read(first, Header, "header", f"{where}:1")
        if unknown := [name for name in json.loads(first) if name not in (*Header.__struct_fields__, REPORT)]:
            raise BadInput(f"the header has no field {unknown[0]!r}", f"{where}:1", "the fields in docs/records.md")
        if header.opfire not in range(KEY_ALONE, FORMAT + 1):
            raise BadInput(f"record format {header.opfire}", f"{where}:1", f"format {KEY_ALONE} to {FORMAT}")
        if len(header.seats) > MOST_SEATS:
            raise BadInput(f"{len(header.seats)} seats", f"{where}:1", f"at most {MOST_SEATS}")
        return Record(header, [_entry(row, f"{where}:{number}") for number, row in enumerate(rows, 2)])

    @property
    def ruleset(self) -> Ruleset:
        """The ruleset of the record."""
        return find(self.header.ruleset)

    def terms(self) -> tuple[str, str]:
        """The version and the data under which the game was played last."""
        known = next((line.update() for line in reversed(self.lines) if line.what in TURNS), self.header)
        return known.version, known.data

    def start(self) -> Game[Any]:
        """The game before the first decision, with the record's own dice. Raises BadInput."""
        header = self.header
        return new_game(self.ruleset, header.scenario, header.starting_dice(), header.seats, header.pack)

    def replay(self, upto: int | None = None) -> Game[Any]:
        """The game after `upto` lines (all of them by default); raises RecordBroken where it differs."""
        game = self.start()
        for after, _ in self.steps(upto):
            game = after
        return game

    def steps(self, upto: int | None = None) -> Iterator[tuple[Game[Any], Entry]]:
        """The game after each line, with the line. The same game object continues; copy it to keep it.

        Lines that were given up at a change of the rules are left out.
        """
        lines = self.lines[:upto]
        undone, idle = taken_back(lines), given_up(lines)
        game, before, gone = self.start(), dict[int, Game[Any]](), set[int]()
        for at, entry in enumerate(lines):
            if at in idle:
                continue
            if entry.what == "undo":
                start = undone[at]
                game = before[start]
                gone.add(start)
                again = [index for index in range(start + 1, at) if index not in gone]
            else:
                again = [at]
            for index in again:
                if index in undone.values():
                    before[index] = game.copy()
                _step(game, lines[index])
            self.header.check_state(entry, game, at + 2)
            yield game, entry

    def told(self) -> Record:
        """The same record with the dice of its lines, to replay it while its key is secret.

        A record with a key, or with dice that a test gave, stays as it is.
        """
        if self.header.key or self.header.dice is not None:
            return self
        idle = given_up(self.lines)
        standing = (line for at, line in enumerate(self.lines) if at not in idle)
        rolls = tuple(roll for line in standing for roll in (*line.rolls, *(die for die, _ in line.secret)))
        # The digests count the real dice, and a line's own needs the key.
        lines = [msgspec.structs.replace(line, state="", digest="") for line in self.lines]
        return Record(msgspec.structs.replace(self.header, dice=rolls), lines)

    def branch(self, upto: int, key: bytes) -> Game[Any]:
        """A game that goes on from line `upto` with a key of its own: nobody learns the old dice to come."""
        game = self.replay(upto)
        game.dice = Dice(seed(key, ()), game.dice.open, game.dice.secret)
        return game

    def check_dice(self) -> int:
        """Roll every die of a finished record again, by its key alone; return their number.

        This needs no rules, so that any version of any ruleset will do. Raises RecordBroken or BadInput.
        """
        self.header.check_commitment()
        dice, count = self.header.starting_dice(), 0
        for line, entry in enumerate(self.lines, 2):
            rolls, secret = list[int](), list[tuple[int, int]]()
            for sides in entry.sides:
                (number,), dice = dice.roll(1, sides)
                rolls.append(number)
            for _, sides in entry.secret:
                (number,), dice = dice.roll_secret(1, sides)
                secret.append((number, sides))
            _compare(line, entry, rolls, list(entry.sides), secret)
            count += len(rolls) + len(secret)
        return count

    def check_chain(self, key: bytes) -> None:
        """Check the digest of each line against the line and all before it, by this dice key alone.

        This needs no rules. Nothing is checked in a format whose digests are those of the state. Raises RecordBroken.
        """
        before = self.header.first_digest(key)
        for line, entry in enumerate(self.lines if self.header.chained else (), 2):
            if (found := self.header.digest_of(entry, before, key)) != entry.digest:
                raise RecordBroken(line, f"digest {entry.digest or 'none'}", f"{found} for this line after the others")
            before = found

    def check_sheets(self) -> int:
        """Check every order that this record shows against its seal; return their number. Raises RecordBroken."""
        count = 0
        for entry in self.lines:
            do = entry.do or {}
            orders = do.get("orders", ()) if entry.sealed else ()
            whole = do.get("salt", "")
            for order in orders:
                salt = salt_of(whole, order["unit"]) if whole else entry.salts.get(order["unit"], "")
                if entry.sealed.get(order["unit"]) != (found := seal(salt, order)):
                    raise RecordBroken(entry.n + 1, f"the order of {order['unit']} under its seal", f"the seal {found}")
                count += 1
        return count


def taken_back(lines: Sequence[Entry]) -> dict[int, int]:
    """For each undo, by its place in `lines`, the place of the line that it takes back: its seat's last standing one.

    Raises RecordBroken for an undo with no such line.
    """
    found: dict[int, int] = {}
    standing: dict[str, list[int]] = {}
    idle = given_up(lines)
    for at, line in enumerate(lines):
        own = standing.setdefault(line.seat, [])
        if at in idle:
            continue
        if line.what == "play":
            own.append(at)
        elif line.what == "undo":
            if not own:
                raise RecordBroken(at + 2, f"that {line.seat} takes something back", "nothing to take back")
            found[at] = own.pop()
    return found


def given_up(lines: Sequence[Entry]) -> set[int]:
    """The places of the lines that the table gave up when the rules changed. Raises RecordBroken or BadInput."""
    found = set[int]()
    for at, line in enumerate(lines):
        if line.what not in TURNS or (standing := line.update().standing) is None:
            continue
        if not 0 <= standing <= at or standing - 1 in found:
            raise RecordBroken(at + 2, f"that line {standing + 1} stands", "no such line")
        found.update(range(standing, at))
    return found


def dice_before(lines: Sequence[Entry]) -> tuple[int, int]:
    """The numbers of open and of secret dice that fell in these lines."""
    return sum(len(line.rolls) for line in lines), sum(len(line.secret) for line in lines)


@contextmanager
def decided(line: int) -> Iterator[None]:
    """Report the decision of this line as broken if it cannot be read, is refused or fails. Raises RecordBroken."""
    try:
        yield
    except RecordBroken:
        raise
    except BadInput as error:
        raise RecordBroken(line, "a decision that can be read", str(error)) from None
    except OpfireError as error:
        raise RecordBroken(line, "a decision that the rules allow", str(error)) from None
    except UNPLAYABLE as error:
        raise RecordBroken(line, "a decision that can be played", repr(error)) from None


def _step(game: Game[Any], entry: Entry) -> None:
    """Carry out one line, if it changes the game, and compare its dice with the game's."""
    if entry.what == "undo" or entry.what in ASIDE:
        return
    with decided(entry.n + 1):
        carry_out(game, entry)
    _compare(entry.n + 1, entry, game.rolls, game.sides, game.secret)


def _compare(line: int, entry: Entry, rolls: list[int], sides: list[int], secret: list[tuple[int, int]]) -> None:
    if (list(entry.rolls), list(entry.sides)) != (rolls, sides):
        raise RecordBroken(line, f"dice {list(entry.rolls)} of {list(entry.sides)} sides", f"{rolls} of {sides} sides")
    if list(entry.secret) != secret:
        raise RecordBroken(line, f"secret dice {list(entry.secret)}", f"{secret}")


Row = TypeVar("Row", Header, Entry)


def _read(row: str, kind: type[Row], what: str, where: str) -> Row:
    """One row of a record. Raises BadInput for a row that cannot be read, or that says a thing twice."""
    try:
        json.loads(row, object_pairs_hook=_each_once)
        return msgspec.json.decode(row, type=ready(kind))
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise BadInput(f"this {what} cannot be read: {error}", where, "the form in docs/records.md") from None


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("it has a field twice")
    return found


def _entry(row: str, where: str) -> Entry:
    entry = _read(row, Entry, "decision", where)
    for sides in (*entry.sides, *(sides for _, sides in entry.secret)):
        if not 1 <= sides <= MOST_SIDES:
            raise BadInput("a die cannot have this number of sides", where, f"1 to {MOST_SIDES}")
    pairs = zip(entry.rolls, entry.sides, strict=False) if len(entry.rolls) == len(entry.sides) else ()
    for number, sides in (*pairs, *entry.secret):
        if not 1 <= number <= sides:
            raise BadInput(f"a die that shows {number}", where, f"numbers from 1 to {sides}")
    return entry


def carry_out(game: Game[Any], entry: Entry) -> None:
    """Carry out the decision of one line; raises IllegalAction when the rules refuse it."""
    match entry.what:
        case "play":
            game.play(entry.seat, game.ruleset.read_action(entry.do))
        case "concede":
            game.concede(entry.seat)
        case "draw":
            game.agree_draw()
        case "update":
            _skip_dice(game, entry.update())
        case "stop":
            _skip_dice(game, entry.update())
            game.stop()
        case _:
            raise BadInput(f"{entry.what!r} is not a kind of line", f"line {entry.n + 1}", "play, undo, …")


def _skip_dice(game: Game[Any], update: Update) -> None:
    """Leave out the dice that fell in lines that were given up: the players have seen them."""
    game.clear()
    if update.standing is not None:
        game.dice = game.dice.after(update.open, update.secret)


def reliance(ruleset: Ruleset, scenario: Scenario, pack: Texts = OWN) -> str:
    """A digest of everything a game relies on besides its scenario: the ruleset's version, its tables, its ground."""
    tables = {name: read(path) for name, path in ruleset.tables().items()}
    ground = sorted(ruleset.ground(scenario).items())
    parts = [("version", ruleset.version), *sorted({**tables, **pack}.items()), *ground]
    return scenarios.fingerprint(*(f"{name}\0{text}\0" for name, text in parts))


def new_game(
    ruleset: Ruleset, text: str, dice: Dice, seats: Mapping[str, str] | None = None, pack: Texts = OWN
) -> Game[Any]:
    """A game of the scenario whose file has this text, ready for its first decision.

    `seats` gives each seat its side; by default every side has one seat of its own name. `pack` are the tables
    of a data pack.
    """
    scenario = scenarios.parse(text, "scenario")
    state, frame = ruleset.start(ruleset.set_up(scenario, pack))
    game: Game[Any] = Game(ruleset, state, dice, dict(seats) if seats else {side: side for side in scenario.sides})
    game.push(frame)
    game.run()
    return game
