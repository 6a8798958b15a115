"""The sections of Case Orange's scenarios beyond the general part: boards, bridges, riders, forts, indirect fire
[12.0].
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from opfire.core.scenario import Beyond, Strict
from opfire.kit.boards import BoardSections


class Doctrine(Beyond, frozen=True):
    """The section of a side: whether its infantry and engineers ride on armour [5.7.5]."""

    riders: bool = False


class Room(Beyond, frozen=True):
    """The section of a fort: the stacking points that fit below, if not the usual number [10.4.7], and which units fit.

    `holds` gives a number for each type or id of unit; then no others fit ("one 75 mm battery only") [10.4.8].
    """

    allowance: int | None = None
    holds: dict[str, int] = msgspec.field(default_factory=dict)


class Share(Strict, frozen=True):
    """The most units among some of a group's that take part in one attack: "three medium and one heavy" [12.4.3]."""

    units: tuple[str, ...]
    most: int


class Indirect(Strict, frozen=True):
    """Units that fire together (barrage, party-line) or observe for others (observation) [12.0].

    Units and observers are named by type, or one by one by their ids [12.2].
    """

    side: str
    kind: str
    units: tuple[str, ...]
    observers: tuple[str, ...] = ()
    most: int = 99
    limits: tuple[Share, ...] = ()


class Sections(BoardSections, frozen=True):
    """The sections of a scenario file; `bridges` gives the kind of bridge by hex."""

    bridges: dict[str, str] = msgspec.field(default_factory=dict)
    indirect: tuple[Indirect, ...] = ()
    sides: Mapping[str, Doctrine] = msgspec.field(default_factory=dict)
    markers: tuple[Room, ...] = ()
