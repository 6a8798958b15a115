"""Play records again, with Shapely out of reach, and print what came out: the same on every machine.

    python tests/records/replay.py RECORD ...

Every line's dice, legality and digests are checked on the way (RecordBroken). A line for each record follows: its name,
and a hash of all that every seat and a spectator saw along it.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

import msgspec

from opfire.core.game import SPECTATOR
from opfire.core.record import Record


def seen(text: str) -> str:
    """A hash of every view along a record, and of its events."""
    record, found = Record.load(text), hashlib.blake2b(digest_size=16)
    told = Record(record.told().header, record.lines)
    for game, entry in told.steps():
        views = [game.view(seat) for seat in (*game.seats, SPECTATOR)]
        found.update(msgspec.json.encode([entry.events, views, [event.sentence() for event in game.events]]))
    return found.hexdigest()


if __name__ == "__main__":
    if "shapely" in sys.modules:
        raise SystemExit("The kernel itself has asked for Shapely")
    sys.modules["shapely"] = None  # type: ignore[assignment]  # rulesets, which are not loaded yet, get an ImportError
    for name in sys.argv[1:]:
        print(Path(name).stem, seen(Path(name).read_text(encoding="utf-8")))
