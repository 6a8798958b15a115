"""Smoke counters [6.1.4.3.10, 6.8.4]: new smoke, ON and OFF."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from opfire.rulesets.panzer.indirect.kinds import Smoke
from opfire.rulesets.panzer.pieces import Hex, Position


def lay(position: Position, hexes: Iterable[Hex], *, dense: bool, lights: bool = False) -> None:
    """Lay smoke, or turn what lies on the same hexes to ON again [6.1.4.3.10-b]; it hinders from the next step on."""
    found = tuple(hexes)
    same = [old for old in position.smoke if set(old.hexes) == set(found) and old.lights == lights]
    fresh = all(old.fresh for old in same)
    new = Smoke(found, dense, fresh=fresh, lights=lights)
    position.smoke = (*(old for old in position.smoke if old not in same), new)


def settle(position: Position) -> None:
    """At the end of a step its smoke takes effect [6.1.4.3.10-a]."""
    position.smoke = tuple(replace(one, fresh=False) for one in position.smoke)


def thin(position: Position) -> None:
    """At the end of a turn OFF counters come off, and ON counters are turned to OFF [6.8.4]."""
    position.smoke = tuple(replace(one, on=False) for one in position.smoke if one.on)
