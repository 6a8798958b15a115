"""Records from files: read, replayed, and put on a table for viewing."""

from __future__ import annotations

from datetime import UTC, datetime

from opfire.core import scenario as scenarios
from opfire.core.errors import BadInput
from opfire.core.match import Match
from opfire.core.record import MOST_LINES, Record
from opfire.server.store import Stored
from opfire.server.telling import Told, keeps_secrets

LARGEST_RECORD = 4 * 1024 * 1024
"""Bytes of a record; the longest games played so far have a tenth of that."""


def text_of(data: bytes) -> str:
    """The text of a record's file. Raises BadInput."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadInput("this file is not text", "record", "a record written by the table") from None


def opened(name: str, text: str) -> tuple[Stored, Match | Told]:
    """The match of a record, over or not; of a running game with secrets what its seat was shown.

    Raises BadInput or RecordBroken with the fault.
    """
    record = Record.load(text)
    if len(record.lines) > MOST_LINES:
        raise BadInput(f"a record of {len(record.lines)} lines", "record", f"at most {MOST_LINES}")
    scenario = scenarios.parse(record.header.scenario, "record:1")
    match = Told(record) if keeps_secrets(record) else Match.opened(record)
    stored = Stored(
        id=name,
        scenario=scenario.id,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        header=record.header,
        key=bytes.fromhex(record.header.key),
        seats={},
        host="",
        lines=(),
    )
    return stored, match
