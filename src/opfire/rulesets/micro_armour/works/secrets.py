"""The Minefield Record Sheet [11.1.2]: a side knows its own mines; others see a marker until it is revealed."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from opfire.rulesets.micro_armour.pieces import Position, Side, Work
from opfire.rulesets.micro_armour.works.obstacles import COLUMNS, DUMMY

VALUES = (DUMMY, *COLUMNS)
"""The values that a marker may have."""


def secret_from(work: Work, side: Side) -> bool:
    """Whether a side may not know what a marker is [11.1.2]."""
    return work.kind == "mines" and not work.known and work.side not in ("", side)


def seen(works: Mapping[str, Work], side: Side) -> dict[str, Work]:
    """The markers as a side knows them: unknown mines have no value [11.1.2, 11.1.6-leave]."""
    return {name: replace(work, value="") if secret_from(work, side) else work for name, work in works.items()}


def guessed(works: Mapping[str, Work], rng: random.Random) -> dict[str, Work]:
    """Markers in which everything unknown about mines is drawn."""
    return {name: replace(work, value=rng.choice(VALUES)) if unknown(work) else work for name, work in works.items()}


def unknown(work: Work) -> bool:
    """Whether it is not known what a marker is."""
    return work.kind == "mines" and not work.value


def any_secret(position: Position) -> bool:
    """Whether there is a marker that somebody does not know."""
    return any(_hidden(position.works.values()))


def _hidden(works: Iterable[Work]) -> Iterable[bool]:
    return (work.kind == "mines" and not work.known for work in works)
