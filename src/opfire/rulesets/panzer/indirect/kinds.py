"""The things of indirect fire that a position holds [5.3, 6.5.1]: batteries, missions, smoke."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from opfire.rulesets.panzer.charts import Band, Battery

Rounds: TypeAlias = Literal["gp", "smoke", "illumination"]
"""The type of a mission [6.5.1.6]."""

Sheaf: TypeAlias = Literal["point", "closed", "open", "linear"]
"""The pattern of a mission; that of units on the map is a single hex, `point` [6.5.1.5]."""

Level: TypeAlias = Literal["attached", "organic", "unattached"]
"""The level of attachment of a firing unit to an observer's formation [6.5.1.3]."""


class Fall(msgspec.Struct, frozen=True):
    """The place and manner in which fire falls: Target Point, type, pattern, and the direction of a linear one."""

    hex: str
    rounds: Rounds = "gp"
    sheaf: Sheaf = "point"
    toward: int = 0


class Guns(msgspec.Struct, frozen=True, kw_only=True):
    """An artillery battery off the map [5.3].

    `level` is its attachment to its `formations`, all of its side if none is named [6.5.1.3]. `points` are its
    Pre-Registered Points [6.5.1.4]; `plan` is its Planned Fire turn by turn, which `arrives` in that turn
    [6.5.1.11.1]; all three are secret. `registers` and `plans` are the most points and turns that it may plot, `begun`
    is the turn in which its plan did arrive. `special` are the smoke and illumination missions that are left, if the
    scenario counts them [5.16.2.5]. Those that do nothing but fire at batteries are `counters`; a battery may be
    suppressed, damaged, or out of the game [7.28.2].
    """

    id: str
    side: str
    name: str
    card: Battery
    level: Level = "organic"
    formations: tuple[str, ...] = ()
    points: tuple[str, ...] = ()
    plan: tuple[Fall, ...] = ()
    arrives: int = 0
    begun: int = 0
    registers: int = 0
    plans: int = 0
    special: int | None = None
    counters: bool = False
    suppression: str = ""
    damaged: bool = False
    out: bool = False


class Mission(msgspec.Struct, frozen=True, kw_only=True):
    """The fire of one unit or battery that lies on the map [6.5.1.5-a].

    `observer` is empty for Planned Fire. `since` is the turn in which it began to fall, `fresh` says that it came in
    the present step, so that it does not yet hinder [6.1.4.3.10-a]; `astray`, that it fell on its own side and checks
    in the next turn [6.5.1.10]. `short` is a shortage of its rounds [5.16.2.1], `band` its GP Range Factor [6.5.1.13].
    """

    firer: str
    side: str
    fall: Fall
    observer: str = ""
    since: int = 0
    fresh: bool = True
    astray: bool = False
    short: bool = False
    band: Band = "M"


class Smoke(msgspec.Struct, frozen=True):
    """A smoke area, of one occurrence however many hexes it covers [6.1.4.3.10]; ON until the end of its turn.

    `dense` smoke is that of a Closed pattern; `lights` are not smoke but illumination [7.27]. Smoke that covers a
    `unit` alone counts for fire at it and by it [7.9-effect, 7.22.1].
    """

    hexes: tuple[str, ...]
    dense: bool = True
    on: bool = True
    fresh: bool = True
    lights: bool = False
    unit: str = ""


Deed: TypeAlias = Literal["called", "silent", "continued", "adjusted", "checked", "planned", "countered"]


class Call(msgspec.Struct, frozen=True):
    """Something done with indirect fire in this turn: by which observer and firer, at which hex [6.5.1.1]."""

    side: str
    observer: str
    firer: str
    deed: Deed
    hex: str = ""
