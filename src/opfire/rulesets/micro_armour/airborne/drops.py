"""Landing groups and their zones [8.10.1.1, 8.10.2.1]: the data of a landing, before anybody is in the air."""

from __future__ import annotations

import msgspec

from opfire.core.places import Point
from opfire.kit.table import Zone
from opfire.rulesets.micro_armour.artillery.sheafs import Compass
from opfire.rulesets.micro_armour.sections import LandingGroup


class Landing(msgspec.Struct, frozen=True):
    """A landing group of a side: its entry in the scenario, its stands by id, the zone in which it may land."""

    id: str
    side: str
    group: LandingGroup
    units: tuple[str, ...]
    zone: Zone


class Drop(msgspec.Struct, frozen=True):
    """The coordinates of a landing group (1/1000 inch), and the direction in which gliders follow the first one.

    `shown` says that everybody knows them: the scenario prints them, or the group has landed.
    """

    at: Point
    toward: Compass = "N"
    shown: bool = False
