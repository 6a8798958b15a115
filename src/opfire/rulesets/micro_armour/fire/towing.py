"""Fire at a transport that tows a weapon: it may be aimed at either of the two [8.4.5-range]."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from opfire.core.places import INCH
from opfire.rulesets.micro_armour.fire.guns import Manner, gun, out_of_field, out_of_range
from opfire.rulesets.micro_armour.pieces import Position, Stand, gets_aboard
from opfire.rulesets.micro_armour.sighting.sight import cannot_see
from opfire.space.measure import MICRO, direction

TOWED = " and what it tows"
"""The end of the id under which lines of sight to the place behind a transport are remembered."""


def towed(position: Position, unit: Stand) -> Iterator[Stand]:
    """The place of the weapon that a transport tows: an inch behind it, as long as that is on the table.

    It is told as the transport at that place, for the two are one target: RULINGS.md R81. A weapon that is attacked
    separately from the tank that tows it [12.5] is told as itself at that place.
    """
    tow = unit if unit.carrier is None else position.units[unit.carrier]
    load = position.pick(unit.cargo) if tow is unit else [unit]
    if unit.at is None or all(gets_aboard(position, each) for each in load):
        return
    east, south = direction(tow.facing + 180)
    behind = unit.at[0] + round(INCH * east / MICRO), unit.at[1] + round(INCH * south / MICRO)
    if behind in position.table:
        yield replace(unit, id=unit.id + TOWED, at=behind)


def aims(position: Position, firer: Stand, target: Stand, manner: Manner) -> list[Stand]:
    """The places at which a firer can aim at a target: its own, and that of the weapon that it tows, or is.

    [8.4.5-range, 12.5]
    """
    places = (target, *towed(position, target))
    return [place for place in places if _in_sight(position, firer, place, manner)] or [target]


def _in_sight(position: Position, firer: Stand, place: Stand, manner: Manner) -> bool:
    refusal = (
        out_of_range(firer, place, gun(position, firer, manner, place))
        or out_of_field(position, firer, place, manner)
        or cannot_see(position, firer, place)
    )
    return refusal is None
