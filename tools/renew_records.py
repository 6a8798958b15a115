"""Write the records of `tests/records/` anew after a change of the rules: the same decisions, by the present rules.

    python tools/renew_records.py tests/records/NAME.record ...

The dice come from each record's key; a record without its key keeps the dice that it tells of. A decision that the
rules no longer allow stops it: that record has to be mended by hand, or its game played again.
"""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec

from opfire.core.match import Match
from opfire.core.record import FORMAT, REPORT, Header, Record


def renewed(text: str) -> str:
    """The record with the events, dice and digests of the present rules. Raises RecordBroken."""
    record, report = Record.load(text), msgspec.json.decode(text.partition("\n")[0]).get(REPORT)
    header, told = _here(record.header), record.told()
    match = Match.begun(header, header.shown_key(), told.header.starting_dice())
    for line in told.lines:
        match.repeat(line)
    dumped = Record(header, match.record.lines).dump()
    if report is None:
        return dumped
    first, _, rest = dumped.partition("\n")
    return msgspec.json.encode({**msgspec.json.decode(first), REPORT: report}).decode() + "\n" + rest


def _here(header: Header) -> Header:
    """The header with the version, the data and the form that are here."""
    fresh = Match.start(header.scenario, header.players, header.nonces, bytes(32), header.pack, header.seats)
    known = fresh.record.header
    header = msgspec.structs.replace(header, opfire=FORMAT, version=known.version, data=known.data)
    return msgspec.structs.replace(header, commitment=header.committed(header.shown_key())) if header.key else header


if __name__ == "__main__":
    for name in sys.argv[1:]:
        path = Path(name)
        path.write_text(renewed(path.read_text(encoding="utf-8")), encoding="utf-8")
