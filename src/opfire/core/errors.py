"""The one family of errors: every error that Opfire raises on purpose is an `OpfireError`."""

from __future__ import annotations


class OpfireError(Exception):
    """A refusal or failure that Opfire reports in one sentence."""


class BadInput(OpfireError):
    """Input that cannot be read: the fault, its place, and what was expected.

    >>> str(BadInput("unknown unit 'pz-v'", "mill_ford.toml:12", "one of the ids in units.csv"))
    "mill_ford.toml:12: unknown unit 'pz-v'; expected one of the ids in units.csv"
    """

    def __init__(self, what: str, where: str = "", expected: str = "") -> None:
        self.what, self.where, self.expected = what, where, expected
        place = f"{where}: " if where else ""
        cure = f"; expected {expected}" if expected else ""
        super().__init__(f"{place}{what}{cure}")


class RecordBroken(OpfireError):
    """A record that does not replay: the line, the record's account and the game's."""

    def __init__(self, line: int, says: str, found: str) -> None:
        self.line, self.says, self.found = line, says, found
        super().__init__(f"line {line}: the record says {says}, the game says {found}")
