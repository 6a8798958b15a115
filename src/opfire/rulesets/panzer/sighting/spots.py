"""Spots [4.1, 6.1]: each unit that an enemy spots, by range, Cover and line of sight."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from opfire.core.actions import Refusal
from opfire.core.events import Line
from opfire.rulesets.panzer import leaders
from opfire.rulesets.panzer.charts import Vehicle
from opfire.rulesets.panzer.conditions import visibility
from opfire.rulesets.panzer.fire.arcs import in_field_of_fire
from opfire.rulesets.panzer.pieces import Hex, Position, Side, Unit, UnitId, aboard_on_map, away, cover, seated
from opfire.rulesets.panzer.sighting.ranges import Marker, lines, row_line, spotting_range, too_far, unarmed


def find_spots(position: Position) -> dict[UnitId, tuple[UnitId, ...]]:
    """The enemies that spot each vehicle on the map now."""
    return {unit.id: tuple(spotters(position, unit)) for unit in afield(position)}


def afield(position: Position) -> Iterator[Unit]:
    """The units of both sides on the map."""
    return (unit for side in position.setting.sides for unit in position.of(side))


def spotters(position: Position, target: Unit) -> Iterator[UnitId]:
    """The enemies that spot a vehicle now, each by itself, in all directions [4.1.1-b, 4.1.2]."""
    for enemy in lookouts(position, position.setting.other[target.side]):
        if cannot_spot(position, enemy, target, target.spot) is None:
            yield enemy.id


def lookouts(position: Position, side: Side) -> Iterator[Unit]:
    """The units of a side that may spot; passengers do so from their vehicles [6.1.1, 6.1.3-b]."""
    yield from position.of(side)
    for name in position.setting.ids[side]:
        if aboard_on_map(position, name):
            yield seated(position, position.units[name])


def cannot_spot(position: Position, spotter: Unit, target: Unit, marker: Marker) -> Refusal | None:
    """The reason that a unit does not spot another one with this SPOT counter [4.1.1, 4.1.3, 4.1.4, 6.1.1]."""
    assert spotter.hex is not None
    assert target.hex is not None
    hidden = cover(position, target, "spotting")
    others = [*conditions(position, spotter, target)]
    others += lit(position, target, [*lines(position.charts, hidden, marker), *others])
    reach = spotting_range(position.charts, hidden, marker, target.kind.bulk, others)
    return (
        unarmed(spotter.name, spotter.watches)
        or looks_away(position, spotter, target)
        or too_far(target.name, away(position, spotter, target), reach)
        or sight_line(position, spotter, target)
    )


LIGHT = 2
"""The rows by which light moves spotting ranges, up to row 0 [7.27]."""


def lit(position: Position, target: Unit, others: Sequence[Line]) -> Iterator[Line]:
    """The rows of a target in the light of illumination or a burning wreck, never beyond row 0 [7.27, 4.1.4.1.8].

    Light helps in limited visibility alone: RULINGS.md R110.
    """
    if "7.27" not in position.setting.options or not [*visibility(position)] or target.hex is None:
        return
    lights = (smoke.hexes for smoke in position.smoke if smoke.lights)
    if position.wrecks.get(target.hex) == "BU" or any(target.hex in hexes for hexes in lights):
        amount = max(0, min(LIGHT, -sum(line.amount for line in others)))
        yield Line("modifier", "Illumination", f"{amount:+d}", "7.27", amount)


def sight_line(position: Position, spotter: Unit, target: Unit) -> Refusal | None:
    """The reason that two units do not see each other; on an upper floor they stand higher [4.1.4, 6.1.4.3.1-b].

    Their Height there is one less than that of the building. The hedgerow at which a unit is dug in does not hide it,
    nor others from it [7.45].
    """
    both = (spotter, target)
    upstairs = frozenset(str(unit.hex) for unit in both if unit.upper)
    gaps = frozenset(frozenset((str(unit.hex), unit.hedge)) for unit in both if unit.hedge)
    return position.line(str(spotter.hex), str(target.hex), upstairs, gaps)


def hex_out_of_sight(position: Position, unit: Unit, hex: Hex) -> Refusal | None:
    """The reason that a unit does not see a hex from its floor, or from its hedgerow [4.1.4, 6.1.4.3.1-b, 7.45]."""
    upstairs = frozenset((str(unit.hex),)) if unit.upper and unit.hex != hex else frozenset[Hex]()
    gaps = frozenset((frozenset((str(unit.hex), unit.hedge)),)) if unit.hedge else frozenset[frozenset[Hex]]()
    return position.line(str(unit.hex), hex, upstairs, gaps)


def conditions(position: Position, spotter: Unit, target: Unit) -> Iterator[Line]:
    """The rows of the Advanced Game: Full Cover of both, a suppressed spotter, a Recon one [6.1.3.1 to 6.1.3.3].

    A vehicle that is buttoned up spots one row worse [7.8.3-status].
    """
    if target.full_cover:
        yield row_line(position.charts, "target", "full cover")
    if spotter.full_cover:
        yield row_line(position.charts, "spotter", "full cover")
    if spotter.suppression:
        yield row_line(position.charts, "spotter", "suppressed")
    if "Recon" in spotter.labels:
        yield row_line(position.charts, "spotter", "recon")
        if "7.43" in position.setting.options:
            yield row_line(position.charts, "spotter", "recon expanded (extra)")
    if spotter.buttoned and "7.8" in position.setting.options:
        yield row_line(position.charts, "spotter", "buttoned up turret")  # 7.8.3-status
    if spotter.morale == "broken":
        yield row_line(position.charts, "spotter", "broken")
    yield from leaders.lines(position, spotter, "spotting")
    yield from visibility(position)


def looks_away(position: Position, spotter: Unit, target: Unit) -> Refusal | None:
    """Reject a target outside the field of fire of a suppressed spotter [6.1.2, 6.1.3.1]."""
    return does_not_look_at(position, spotter, str(target.hex), target.name)


def does_not_look_at(position: Position, spotter: Unit, hex: Hex, name: str) -> Refusal | None:
    """Reject a hex, or a unit of that name there, outside the field of fire of a suppressed spotter [6.1.3.1]."""
    if not spotter.suppression:
        return None
    rear = isinstance(spotter.kind, Vehicle) and spotter.kind.main_arc == "rear"
    coords = position.map.coords
    if in_field_of_fire(coords[str(spotter.hex)], spotter.facing, "rear" if rear else "front", coords[hex]):
        return None
    return Refusal("{} is suppressed and does not look at {}", "6.1.3.1", (spotter.name, name))


def not_spotted(position: Position, firer: Unit, target: Unit) -> Refusal | None:
    """Reject a target that the firer did not spot in this turn's Spotting Phase [4.1.1-b, 4.4.1-a]."""
    if firer.id in position.spots.get(target.id, ()):
        return None
    return Refusal("{} did not spot {} in the Spotting Phase", "4.4.1-a", (firer.name, target.name))
