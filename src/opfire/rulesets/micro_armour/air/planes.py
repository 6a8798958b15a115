"""Aircraft in play [12.3.1, 12.3.2]: their turns over the table, their bomb loads and the places that are plotted."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from opfire.core.places import Point
from opfire.core.texts import Text, Words
from opfire.rulesets.micro_armour.charts import Aircraft, Charts

STAY = 3
"""The turns for which an aircraft is in play at most, with that of its arrival [12.3.2]."""


class Bomb(msgspec.Struct, frozen=True):
    """A bomb attack that is plotted: its place (1/1000 inch) and its turn; `done` says that it has been tried."""

    at: Point
    turn: int
    done: bool = False


class Plane(msgspec.Struct, frozen=True, kw_only=True):
    """An aircraft of a side.

    `arrives` is its turn of arrival, 0 while that is not written down or not known. `bombs` are its plotted attacks in
    the order of its loads. `strafed` and `bombed` are the last turns in which it made such an attack, 0 before.
    `over` is the place that it attacked last. `cancelled` says that it does not come any more.
    """

    id: str
    side: str
    kind: Aircraft
    name: str
    arrives: int = 0
    bombs: tuple[Bomb, ...] = ()
    strafed: int = 0
    bombed: int = 0
    over: Point | None = None
    cancelled: bool = False

    @property
    def last(self) -> int:
        """The last turn in which it is in play [12.3.2]."""
        return self.arrives + STAY - 1

    @property
    def bombing_turns(self) -> tuple[int, ...]:
        """The turns in which it may bomb: its second and its third one [12.3.2]."""
        return tuple(range(self.arrives + 1, self.last + 1))


class Load(msgspec.Struct, frozen=True):
    """The strength of one attack of an aircraft against armour and against all else."""

    name: Words
    ap: int
    he: int


def loads(charts: Charts, kind: Aircraft) -> tuple[Load, ...]:
    """The bomb attacks that an aircraft can make, one for each load, those of a second line too [AD.load]."""
    rows = [kind, *(row for row in charts.aircraft.values() if row.parent == kind.id)]
    return tuple(_load(row) for row in rows for _ in range(row.ord_load or 0))


def _load(row: Aircraft) -> Load:
    """The ordnance of a line of the aircraft data [AD.ordnance]."""
    return Load(Text("bombs of {}", (row.name,)), row.ord_ap or 0, row.ord_he or 0)


def guns(kind: Aircraft) -> Load:
    """The guns with which an aircraft strafes [AD.strafing]."""
    return Load(Text("guns of {}", (kind.name,)), kind.strafe_ap or 0, kind.strafe_he or 0)


def overhead(plane: Plane, turn: int) -> bool:
    """Return whether an aircraft is in play in a turn [12.3.2]."""
    return not plane.cancelled and 0 < plane.arrives <= turn <= plane.last


def attacked(plane: Plane) -> bool:
    """Return whether an aircraft has attacked: before that the other side does not know that it is there."""
    return bool(plane.strafed or plane.bombed)


def may_come(plane: Plane, turn: int) -> bool:
    """Return whether an aircraft is in play in a turn or later, as far as everybody knows."""
    return not attacked(plane) or plane.last >= turn


def as_known(plane: Plane) -> Plane:
    """An aircraft as the other side knows it: its arrival once it has attacked, and no bomb before it falls."""
    told = tuple(bomb for bomb in plane.bombs if bomb.done)
    if attacked(plane):
        return msgspec.structs.replace(plane, bombs=told)
    return msgspec.structs.replace(plane, arrives=0, bombs=(), cancelled=False)


def falling(plane: Plane, turn: int) -> Sequence[int]:
    """The numbers of the loads that are plotted for a turn and still to be dropped [12.3.7]."""
    return [number for number, bomb in enumerate(plane.bombs) if bomb.turn == turn and not bomb.done]
