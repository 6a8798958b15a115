"""Records: a header, then a line a decision, as text that anybody can read and replay."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from opfire.core import scenario as scenarios
from opfire.core.dice import Dice, commitment, seed
from opfire.core.errors import BadInput, RecordBroken
from opfire.core.game import Game
from opfire.core.ruleset import Ruleset, find

FORMAT = 1


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """The first line of a record: what is played, by which rules and data, and what binds the dice.

    `scenario` is the whole scenario file, so that a record stands alone; `key` is empty until the game
    is over; `dice` is a script where a test gave one.
    """

    opfire: int = FORMAT
    ruleset: str
    version: str
    scenario: str
    seats: dict[str, str]
    players: dict[str, str] = {}
    data: str = ""
    commitment: str = ""
    nonces: dict[str, str] = {}
    key: str = ""
    dice: tuple[int, ...] | None = None

    def starting_dice(self) -> Dice:
        """The dice at the start. Raises BadInput while the key is not shown."""
        if self.dice is not None:
            return Dice(b"", script=self.dice)
        if not self.key:
            raise BadInput(
                "the dice key is not shown before the end of the game", "header", "a finished game"
            )
        return Dice(seed(bytes.fromhex(self.key), self.nonces.values()))


class Entry(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One line: what a seat did, the dice that fell, what happened in words, the digest of the state after.

    `what` is play, undo, orders, concede or draw; `by` says who decided for the seat: a computer
    player, standing `orders`, a `route` that went on, or nobody because there was only one answer (`only`).
    """

    n: int
    seat: str
    what: str = "play"
    do: dict[str, Any] | None = None
    by: str = ""
    rolls: tuple[int, ...] = ()
    events: tuple[str, ...] = ()
    digest: str = ""


class Record(msgspec.Struct):
    """A whole record; `lines` in the order in which they were decided."""

    header: Header
    lines: list[Entry] = []

    def dump(self) -> str:
        """The record as text, one JSON object a line."""
        encode = msgspec.json.encode
        return "\n".join(part.decode() for part in (encode(self.header), *map(encode, self.lines))) + "\n"

    @staticmethod
    def load(text: str, where: str = "record") -> Record:
        """A record from its text. Raises BadInput with the line that is wrong."""
        rows = text.splitlines()
        if not rows:
            raise BadInput("the record is empty", where, "a header and a line for each decision")
        try:
            header = msgspec.json.decode(rows[0], type=Header)
        except msgspec.MsgspecError as error:
            raise BadInput(
                f"this is no header: {error}", f"{where}:1", "what docs/records.md describes"
            ) from None
        if header.opfire != FORMAT:
            raise BadInput(f"record format {header.opfire}", f"{where}:1", f"format {FORMAT}")
        return Record(
            header, [_entry(row, f"{where}:{number}") for number, row in enumerate(rows[1:], 2) if row]
        )

    @property
    def ruleset(self) -> Ruleset:
        """The ruleset it was played by."""
        return find(self.header.ruleset)

    def start(self) -> Game[Any]:
        """The game before the first decision, with the record's own dice."""
        return new_game(self.ruleset, self.header.scenario, self.header.starting_dice(), self.header.seats)

    def replay(self, upto: int | None = None) -> Game[Any]:
        """The game after `upto` lines (all of them by default); raises RecordBroken where it differs."""
        game = None
        for game, _ in self.steps(upto):
            pass
        return game if game is not None else self.start()

    def steps(self, upto: int | None = None) -> Iterator[tuple[Game[Any], Entry]]:
        """The game after each line, with the line. The same game object goes on; copy it to keep it."""
        game, past = self.start(), list[Game[Any]]()
        for entry in self.lines[:upto]:
            if entry.what == "undo":
                game = past.pop()
            elif entry.what != "orders":
                past.append(game.copy())
                carry_out(game, entry)
                if list(entry.rolls) != game.rolls:
                    raise RecordBroken(entry.n + 1, f"dice {list(entry.rolls)}", f"{game.rolls}")
            if entry.digest and game.digest() != entry.digest:
                raise RecordBroken(entry.n + 1, f"digest {entry.digest}", game.digest())
            yield game, entry

    def branch(self, upto: int, key: bytes) -> Game[Any]:
        """A game that goes on from line `upto` with a key of its own: nobody learns the old dice to come."""
        game = self.replay(upto)
        game.dice = Dice(seed(key, ()), game.dice.open, game.dice.secret)
        return game

    def verify(self) -> dict[str, Any]:
        """Check a finished record: dice from the revealed key, every decision legal, the same end.

        Raises RecordBroken or BadInput with the first thing that is wrong.
        """
        header = self.header
        if header.dice is None and commitment(bytes.fromhex(header.key)) != header.commitment:
            raise RecordBroken(1, f"commitment {header.commitment}", commitment(bytes.fromhex(header.key)))
        if header.version != self.ruleset.version:
            raise BadInput(
                f"played by version {header.version} of {header.ruleset}",
                "header",
                f"version {self.ruleset.version}",
            )
        game = self.replay()
        return {
            "decisions": sum(entry.what == "play" for entry in self.lines),
            "rolls": game.dice.open + game.dice.secret,
            "outcome": msgspec.to_builtins(game.outcome),
            "digest": game.digest(),
        }


def _entry(row: str, where: str) -> Entry:
    try:
        return msgspec.json.decode(row, type=Entry)
    except msgspec.MsgspecError as error:
        raise BadInput(f"this is no decision: {error}", where, "what docs/records.md describes") from None


def carry_out(game: Game[Any], entry: Entry) -> None:
    """Do what one line says; raises IllegalAction when the rules refuse it."""
    match entry.what:
        case "play":
            game.play(entry.seat, game.ruleset.read_action(entry.do))
        case "concede":
            game.concede(entry.seat)
        case "draw":
            game.agree_draw()
        case _:
            raise BadInput(f"{entry.what!r} is nothing a line can be", f"line {entry.n + 1}", "play, undo, …")


def new_game(ruleset: Ruleset, text: str, dice: Dice, seats: Mapping[str, str] | None = None) -> Game[Any]:
    """A game of the scenario whose file has this text, ready for its first decision.

    `seats` gives each seat its side; by default every side has one seat of its own name.
    """
    scenario = scenarios.parse(text, "scenario")
    setting = ruleset.setting(scenario)
    state, frame = ruleset.start(setting)
    game: Game[Any] = Game(
        ruleset, state, dice, dict(seats) if seats else {side: side for side in scenario.sides}
    )
    game.push(frame)
    game.run()
    return game
