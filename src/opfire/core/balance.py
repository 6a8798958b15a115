"""The balance of scenarios, measured by games between equal computer players and kept beside the scenarios.

`balance.csv` has a row a scenario: the player, the number of games, the wins, the version of the rules, and the date.
"""

from __future__ import annotations

import csv
from math import sqrt
from pathlib import Path
from typing import Any

import msgspec

from opfire.core.errors import BadInput
from opfire.core.reading import ready
from opfire.core.scenario import SCENARIOS


class Measured(msgspec.Struct, frozen=True):
    """The outcome of a number of games of a scenario between two equal players; the first side moved first."""

    scenario: str
    player: str
    games: int
    first: str
    first_wins: int
    second: str
    second_wins: int
    draws: int
    version: str
    date: str

    def to_json(self) -> dict[str, Any]:
        """Each side's share of the games with its 95 per cent interval, and the terms of the measurement."""
        wins = {self.first: self.first_wins, self.second: self.second_wins}
        return {
            "games": self.games,
            "player": self.player,
            "draws": self.draws,
            "version": self.version,
            "date": self.date,
            "sides": {side: share(won, self.games) for side, won in wins.items()},
        }


def share(won: int, games: int) -> dict[str, float]:
    """A rate with its 95 per cent interval (Wilson), in per cent.

    >>> share(50, 100)
    {'rate': 50.0, 'low': 40.4, 'high': 59.6}
    """
    z, rate = 1.96, won / games
    middle = (rate + z * z / (2 * games)) / (1 + z * z / games)
    half = z * sqrt(rate * (1 - rate) / games + z * z / (4 * games * games)) / (1 + z * z / games)
    return {
        "rate": round(100 * rate, 1),
        "low": round(100 * (middle - half), 1),
        "high": round(100 * (middle + half), 1),
    }


def file_of(ruleset: str) -> Path:
    """The file with the measurements of a ruleset's scenarios."""
    return SCENARIOS / ruleset.replace("-", "_") / "balance.csv"


def measured(ruleset: str) -> dict[str, Measured]:
    """The measurements by scenario. Raises BadInput for a malformed row."""
    path = file_of(ruleset)
    if not path.exists():
        return {}
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        try:
            rows = [msgspec.convert(row, ready(Measured), strict=False) for row in reader]
        except msgspec.ValidationError as error:
            where = f"{path.name}:{reader.line_num}"
            raise BadInput(f"this row cannot be read: {error}", where, "a row that `opfire balance` wrote") from None
    return {row.scenario: row for row in rows}


def keep(ruleset: str, found: Measured) -> None:
    """Replace an older measurement."""
    rows = {**measured(ruleset), found.scenario: found}
    with file_of(ruleset).open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(Measured.__struct_fields__)
        writer.writerows(msgspec.structs.astuple(rows[name]) for name in sorted(rows))
