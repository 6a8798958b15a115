"""The calibres of guns for the film of a game: no rule of play reads them, so no digest of a game covers their file.

A ruleset has them in `drawing/calibres.csv` beside its tables, by the identity of a unit or of its weapon.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Annotated

from msgspec import Meta

from opfire.core.rows import Row, keyed
from opfire.kit.attacks import common_calibre


class Calibre(Row, frozen=True):
    """The calibre of the gun of a unit or weapon in mm."""

    id: str
    calibre_mm: Annotated[float, Meta(gt=0, le=600)]


@lru_cache
def calibres(file: Path) -> Mapping[str, float]:
    """The calibres in mm that the file of a ruleset tells. Raises BadInput for a faulty file."""
    return {id: row.calibre_mm for id, row in keyed(Calibre, file, _id).items()}


def calibre_of(file: Path, guns: Iterable[str]) -> float:
    """The calibre in mm that all of these guns have; 0 where one is not known or where they differ."""
    known = calibres(file)
    return common_calibre(known.get(gun, 0) for gun in guns)


def _id(row: Calibre) -> str:
    return row.id
