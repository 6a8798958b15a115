"""A unit as simple as can be, for the tests of the kit."""

from __future__ import annotations

import msgspec


class Man(msgspec.Struct, frozen=True):
    """Nothing but what the kit asks of a unit."""

    id: str
    name: str = "a man"
    side: str = "red"
    hex: str | None = None
    status: str = "to place"
    carrier: str | None = None
