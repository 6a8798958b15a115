"""The patterns of indirect fire [6.5.1.5]: the hexes that a mission covers."""

from __future__ import annotations

from collections.abc import Mapping

from opfire.rulesets.panzer.indirect.kinds import Fall, Sheaf
from opfire.space.hexes import DIRECTIONS, Coord, distance
from opfire.space.hexmap import HexMap

RADIUS: Mapping[Sheaf, int] = {"point": 0, "closed": 1, "open": 2, "linear": 0}
"""The hexes to which a pattern reaches around its Target Point [6.5.1.5]."""

LINE = 6
"""The hexes of a Closed Linear pattern beyond its Target Point [6.5.1.5]."""


def covered(board: HexMap, fall: Fall) -> tuple[str, ...]:
    """The hexes of the map that a mission covers, the Target Point first [6.5.1.5]."""
    at = board.coords[fall.hex]
    found = (board.name_at((at[0] + q, at[1] + r)) for q, r in offsets(fall.sheaf, fall.toward))
    return tuple(name for name in found if name)


def offsets(sheaf: Sheaf, toward: int) -> list[Coord]:
    """The hexes of a pattern from its Target Point, the nearest first.

    >>> [len(offsets(sheaf, 0)) for sheaf in ("point", "closed", "open", "linear")]
    [1, 7, 19, 7]
    """
    if sheaf == "linear":
        q, r = DIRECTIONS[toward]
        return [(q * step, r * step) for step in range(LINE + 1)]
    most = RADIUS[sheaf]
    around = [(q, r) for q in range(-most, most + 1) for r in range(-most, most + 1)]
    return sorted((one for one in around if distance((0, 0), one) <= most), key=lambda one: distance((0, 0), one))


def is_dense(fall: Fall) -> bool:
    """Return whether smoke and barrages of a pattern count as those of a Closed one [6.5.4.3-smoke]."""
    return fall.sheaf != "open"
