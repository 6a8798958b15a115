"""A real `opfire serve` in a process of its own, and games that begin in a position of our choosing."""

from __future__ import annotations

import os
import re
import secrets
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec

from opfire.core.dice import Dice, seed
from opfire.core.match import Match
from opfire.server.guard import new_token, token_hash
from opfire.server.store import Store

COMMAND = "import sys; from opfire.cli import main; sys.exit(main())"
NONCES = {"german": "one", "soviet": "two"}
FACES = 6


class Game(msgspec.Struct, frozen=True):
    """A game on the server: its id and the tokens of its seats."""

    id: str
    seats: dict[str, str]


class Host:
    """`opfire serve` on a database of its own; `port` 0 takes a free one, and keeps it after a restart.

    In the folders `more` the server finds rulesets that are not Opfire's own.
    """

    def __init__(self, database: Path, port: int = 0, more: Sequence[Path] = ()) -> None:
        self.database, self.port, self.more = database, port, more
        self.process: subprocess.Popen[str] | None = None

    @property
    def url(self) -> str:
        """The address of the start page, without the last slash."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start; it answers when this returns."""
        arguments = ["serve", "--port", str(self.port), "--no-browser", "--database", str(self.database)]
        self.process = subprocess.Popen(
            [sys.executable, "-c", COMMAND, *arguments],
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env={**os.environ, "PYTHONPATH": os.pathsep.join([*map(str, self.more), *sys.path])},
        )
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", said)
        assert found, f"the server said {said!r} and not where it is"
        self.port = int(found[1])

    def kill(self) -> None:
        """Let it die as in a crash."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()

    def begin(
        self,
        scenario: str,
        play: Callable[[Match], object],
        rolls: Sequence[int] = (),
        nonces: Mapping[str, str] = NONCES,
        players: Mapping[str, str] | None = None,
    ) -> Game:
        """Put a game of this scenario text into the database, played on as far as `play` does.

        The dice roll `rolls` first: of all keys for them, one is taken that does. `players` are the computer players
        of sides that no human has.
        """
        match = Match.start(scenario, dict(players or {}), dict(nonces), key_for(rolls, nonces))
        match.go_on()
        play(match)
        game = Game(secrets.token_hex(8), {seat: new_token() for seat in match.game.seats})
        hashes = {seat: token_hash(token) for seat, token in game.seats.items()}
        store = Store(str(self.database))
        try:
            store.add(game.id, "position", match.record.header, match.key, hashes)
            store.write(game.id, 0, 0, match.record.lines, match.game.outcome)
        finally:
            store.close()
        return game


def key_for(rolls: Sequence[int], nonces: Mapping[str, str] = NONCES) -> bytes:
    """A key with which the first dice of the game fall so."""
    for number in range(10**6):
        key = number.to_bytes(32, "big")
        if Dice(seed(key, nonces.values())).roll(len(rolls), FACES)[0] == tuple(rolls):
            return key
    raise AssertionError(f"no key gives {list(rolls)}")
