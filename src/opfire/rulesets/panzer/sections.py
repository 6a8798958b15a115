"""The sections of a scenario file of this book beyond the general part: boards, facings at the start."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import msgspec
from msgspec import Meta

from opfire.core.scenario import Beyond
from opfire.kit.setup import BoardSections


class Force(Beyond, frozen=True):
    """The section of a side: the direction in which its vehicles start (0 north, clockwise, to 5)."""

    facing: Annotated[int, Meta(ge=0, le=5)] = 0


class PanzerSections(BoardSections, frozen=True):
    """The sections of a scenario file."""

    sides: Mapping[str, Force] = msgspec.field(default_factory=dict)
