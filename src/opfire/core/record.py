"""Records: a header, then a line a decision, as text that anybody can read and replay."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from opfire.core import scenario as scenarios
from opfire.core.actions import IllegalAction
from opfire.core.dice import Dice, commitment, seed
from opfire.core.errors import BadInput, RecordBroken
from opfire.core.game import Game
from opfire.core.plot import salt_of, seal
from opfire.core.rows import OWN, Texts, read
from opfire.core.ruleset import Ruleset, find
from opfire.core.scenario import Scenario

FORMAT = 2
KEY_ALONE = 1
"""The format whose commitments bind the dice key and nothing else."""
HUMAN = "human"
ASIDE = ("orders", "vote", "decline")
"""Lines that change nothing in the game itself."""


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """The first line of a record: the game, its rules and data, and the commitment to the dice.

    `scenario` is the whole scenario file and `pack` the tables of a data pack, so that a record stands alone;
    `data` is a digest of all that the game relies on. `nonces` holds the text that each human seat adds to the dice.
    `key` is empty until the game is over; `dice` is a script where a test gave one.
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

    def starting_dice(self) -> Dice:
        """The dice at the start. Raises BadInput while the key is not shown."""
        if self.dice is not None:
            return Dice(b"", script=self.dice)
        if not self.key:
            raise BadInput("the dice key is not shown before the end of the game", "header", "a finished game")
        return Dice(seed(self._key(), self.nonces.values()))

    def check_data(self) -> None:
        """Check that rules, tables and boards are still the same. Raises BadInput."""
        ruleset = find(self.ruleset)
        found = reliance(ruleset, scenarios.parse(self.scenario, "scenario"), self.pack)
        if self.data not in ("", found):
            raise BadInput(
                f"played with the data {self.data}; the data here are {found}",
                "header",
                f"the Opfire that wrote it: version {self.version} of {self.ruleset}, its tables and boards",
            )

    def humans(self) -> dict[str, str]:
        """The side of each seat that a human holds."""
        return {seat: side for seat, side in self.seats.items() if self.players.get(seat, HUMAN) == HUMAN}

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

    def _key(self) -> bytes:
        try:
            key = bytes.fromhex(self.key)
        except ValueError:
            key = b""
        if len(key) != 32:
            raise BadInput(f"{self.key!r} is not a dice key", "header", "64 hexadecimal digits")
        return key


class Entry(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One line: a seat's decision, the dice that fell, the events in words, the digest of the state after it.

    `what` is play, undo, orders, concede or draw, or `vote` and `decline` of a seat that is for or against ending the
    game (`do` names the ending) while other seats still have to agree; `by` names the author of the decision if it is
    not the seat: a computer player, standing `orders`, a `route` that went on, or `only` for a single choice.
    `rolls` and `sides` are the open dice and their numbers of sides, `secret` the secret ones (number and
    sides); `only` names the sides that may know of this line before the end (empty: everybody).
    Of a sheet of written orders `sealed` has the hash of each order by its unit; `opened` are the units whose orders
    this line revealed. Before the end another side's sheet holds only the orders revealed so far, with their `salts`.
    """

    n: int
    seat: str
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
    digest: str = ""


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
        rows = text.splitlines()
        if not rows:
            raise BadInput("the record is empty", where, "a header and a line for each decision")
        try:
            header = msgspec.json.decode(rows[0], type=Header)
        except msgspec.MsgspecError as error:
            raise BadInput(
                f"this header cannot be read: {error}", f"{where}:1", "the form in docs/records.md"
            ) from None
        if header.opfire not in (KEY_ALONE, FORMAT):
            raise BadInput(f"record format {header.opfire}", f"{where}:1", f"format {KEY_ALONE} or {FORMAT}")
        return Record(header, [_entry(row, f"{where}:{number}") for number, row in enumerate(rows[1:], 2) if row])

    @property
    def ruleset(self) -> Ruleset:
        """The ruleset of the record."""
        return find(self.header.ruleset)

    def start(self) -> Game[Any]:
        """The game before the first decision, with the record's own dice. Raises BadInput for other data."""
        header = self.header
        header.check_data()
        return new_game(self.ruleset, header.scenario, header.starting_dice(), header.seats, header.pack)

    def replay(self, upto: int | None = None) -> Game[Any]:
        """The game after `upto` lines (all of them by default); raises RecordBroken where it differs."""
        game = self.start()
        for after, _ in self.steps(upto):
            game = after
        return game

    def steps(self, upto: int | None = None) -> Iterator[tuple[Game[Any], Entry]]:
        """The game after each line, with the line. The same game object continues; copy it to keep it."""
        lines = self.lines[:upto]
        undone = taken_back(lines)
        game, before, gone = self.start(), dict[int, Game[Any]](), set[int]()
        for at, entry in enumerate(lines):
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
            if entry.digest and game.digest() != entry.digest:
                raise RecordBroken(entry.n + 1, f"digest {entry.digest}", game.digest())
            yield game, entry

    def told(self) -> Record:
        """The same record with the dice of its lines, to replay it while its key is secret.

        A record with a key, or with dice that a test gave, stays as it is.
        """
        if self.header.key or self.header.dice is not None:
            return self
        rolls = tuple(roll for line in self.lines for roll in (*line.rolls, *(die for die, _ in line.secret)))
        lines = [msgspec.structs.replace(line, digest="") for line in self.lines]  # they count the real dice
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
        for entry in self.lines:
            rolls, secret = list[int](), list[tuple[int, int]]()
            for sides in entry.sides:
                (number,), dice = dice.roll(1, sides)
                rolls.append(number)
            for _, sides in entry.secret:
                (number,), dice = dice.roll_secret(1, sides)
                secret.append((number, sides))
            _compare(entry, rolls, list(entry.sides), secret)
            count += len(rolls) + len(secret)
        return count

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

    def verify(self, kept: str = "") -> dict[str, Any]:
        """Check a finished record: dice from the revealed key, every decision legal, the same end.

        `kept` is the commitment that a player wrote down before the game. Raises RecordBroken or BadInput with the
        first fault.
        """
        header = self.header
        if header.version != self.ruleset.version:
            raise BadInput(
                f"played by version {header.version} of {header.ruleset}",
                "header",
                f"version {self.ruleset.version}",
            )
        header.check_data()
        if header.dice is None or kept:
            header.check_commitment(kept)
        if header.dice is None:
            self.check_dice()
        self.check_sheets()
        game = self.replay()
        return {
            "decisions": sum(entry.what == "play" for entry in self.lines),
            "rolls": game.dice.open + game.dice.secret,
            "outcome": msgspec.to_builtins(game.outcome),
            "digest": game.digest(),
        }


def taken_back(lines: Sequence[Entry]) -> dict[int, int]:
    """For each undo, by its place in `lines`, the place of the line that it takes back: its seat's last standing one.

    Raises RecordBroken for an undo with no such line.
    """
    found: dict[int, int] = {}
    standing: dict[str, list[int]] = {}
    for at, line in enumerate(lines):
        own = standing.setdefault(line.seat, [])
        if line.what == "play":
            own.append(at)
        elif line.what == "undo":
            if not own:
                raise RecordBroken(line.n + 1, f"that {line.seat} takes something back", "nothing to take back")
            found[at] = own.pop()
    return found


def _step(game: Game[Any], entry: Entry) -> None:
    """Carry out one line, if it changes the game, and compare its dice with the game's."""
    if entry.what == "undo" or entry.what in ASIDE:
        return
    try:
        carry_out(game, entry)
    except IllegalAction as error:
        raise RecordBroken(entry.n + 1, "a decision that the rules allow", str(error)) from None
    _compare(entry, game.rolls, game.sides, game.secret)


def _compare(entry: Entry, rolls: list[int], sides: list[int], secret: list[tuple[int, int]]) -> None:
    if (list(entry.rolls), list(entry.sides)) != (rolls, sides):
        raise RecordBroken(entry.n + 1, f"dice {list(entry.rolls)}", f"{rolls}")
    if list(entry.secret) != secret:
        raise RecordBroken(entry.n + 1, f"secret dice {list(entry.secret)}", f"{secret}")


def _entry(row: str, where: str) -> Entry:
    try:
        return msgspec.json.decode(row, type=Entry)
    except msgspec.MsgspecError as error:
        raise BadInput(f"this decision cannot be read: {error}", where, "the form in docs/records.md") from None


def carry_out(game: Game[Any], entry: Entry) -> None:
    """Carry out the decision of one line; raises IllegalAction when the rules refuse it."""
    match entry.what:
        case "play":
            game.play(entry.seat, game.ruleset.read_action(entry.do))
        case "concede":
            game.concede(entry.seat)
        case "draw":
            game.agree_draw()
        case _:
            raise BadInput(f"{entry.what!r} is not a kind of line", f"line {entry.n + 1}", "play, undo, …")


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
