"""A crossing of the map [6.7.2]: the way ahead, targets acquired [6.7.3.1], aircraft tracked [6.7.4.1].

Every step of a crossing is kept, so that the hexes flown in sight of a unit can be counted back from now.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from msgspec.structs import replace

from opfire.core.actions import Refusal
from opfire.rulesets.panzer import radios
from opfire.rulesets.panzer.charts import Altitude
from opfire.rulesets.panzer.fire.arcs import ahead
from opfire.rulesets.panzer.ground import BUILDINGS
from opfire.rulesets.panzer.indirect.observers import observes
from opfire.rulesets.panzer.pieces import Flight, Hex, Position, Side, Unit, gunners, on_roof
from opfire.rulesets.panzer.sighting.chances import cannot_make_out
from opfire.rulesets.panzer.sighting.spots import cannot_spot
from opfire.rulesets.panzer.works.entrenching import held_by
from opfire.space.hexes import DIRECTIONS, distance

WOODED = frozenset({"light woods", "woods", "heavy woods", "light grove", "medium grove"})
"""The terrain that conceals its units from aircraft [6.7.3.1.1-cover]."""

How = TypeVar("How")

IN_DOUBT = 2
"""The factor of the hexes that a suppressed unit needs to acquire or track [6.7.3.1.1-sup, 6.7.4.1.1-sup]."""


def fly(position: Position, unit: Unit, **values: object) -> Unit:
    """Change values of an aircraft's flight; return the aircraft."""
    return position.change(unit.id, flight=replace(unit.airborne, **values))


def planes(position: Position, side: Side) -> Iterator[Unit]:
    """The aircraft of a side that are not lost."""
    for name in position.setting.planes:
        if position.units[name].side == side and position.units[name].status == "aloft":
            yield position.units[name]


# --- the way ahead [6.7.2.3] -----------------------------------------------------------------------------------


def before(position: Position, hex: Hex, facing: int, steps: int = 1) -> Hex | None:
    """The hex that lies that many steps straight ahead, or None beyond the map [6.7.2.3]."""
    q, r = position.map.coords[hex]
    dq, dr = DIRECTIONS[facing]
    name = position.map.name_at((q + steps * dq, r + steps * dr))
    return name if name is not None and name in position.map else None


def way_ahead(position: Position, unit: Unit) -> Iterator[Hex]:
    """The hexes straight ahead of an aircraft up to the edge of the map [6.7.2.3]."""
    steps = 1
    while (hex := before(position, unit.airborne.hex, unit.facing, steps)) is not None:
        yield hex
        steps += 1


# --- hexes flown in sight ---------------------------------------------------------------------------------------


def flown(path: tuple[tuple[Hex, How], ...], seen: Callable[[Hex, How], bool]) -> int:
    """The hexes flown up to now without a break of the sight from above them; -1 out of sight.

    >>> flown((("a", 0), ("b", 0), ("c", 0), ("c", 1)), lambda hex, facing: hex != "a")
    1
    """
    count, last = -1, ""
    for hex, how in reversed(path):
        if not seen(hex, how):
            break
        count += hex != last
        last = hex
    return count


def levels(flight: Flight) -> tuple[tuple[Hex, Altitude], ...]:
    """The steps of a crossing, each with its altitude: a dive bomber was High up to its attack [6.7.2.3.2]."""
    return tuple((hex, "high" if at < flight.dived else flight.altitude) for at, (hex, _) in enumerate(flight.path))


def acquisition(position: Position, plane: Unit) -> int:
    """The hexes that an aircraft flies until it acquires a target [6.7.3.1.1-acq, 6.7.3.1.1-sup]."""
    flight = plane.airborne
    row = position.charts.air_spotting[flight.speed, flight.altitude]
    return row.acquire * (IN_DOUBT if plane.suppression else 1)


def tracking(position: Position, unit: Unit, flight: Flight) -> int:
    """The hexes that an aircraft flies until an anti-aircraft unit tracks it [6.7.4.1.1-track, 6.7.4.1.1-sup]."""
    row = position.charts.air_spotting[flight.speed, flight.altitude]
    return row.track * (IN_DOUBT if unit.suppression else 1)


# --- targets [6.7.3.1] ------------------------------------------------------------------------------------------


def not_seen(position: Position, plane: Unit, target: Unit) -> Refusal | None:
    """Reject a target behind an obstacle, or outside the front field of fire of an aircraft [6.7.3.1, 6.7.3.1.3]."""
    flight, coords = plane.airborne, position.map.coords
    if refusal := position.line_from_the_air(flight.hex, str(target.hex), flight.altitude):
        return refusal
    if flight.hex == target.hex or ahead(coords[flight.hex], plane.facing, coords[str(target.hex)]):
        return None
    return Refusal("{} is outside the front field of fire of {}", "6.7.3.1", (target.name, plane.name))


def not_acquired(position: Position, plane: Unit, target: Unit) -> Refusal | None:
    """Reject a target that was not in sight for as many hexes as the aircraft needs: RULINGS.md R121.

    Rules: [6.7.3.1.1-acq, 6.7.3.1.1-sup, 6.7.3.1.1-edge, 6.7.3.1.1-one].
    """
    if refusal := not_seen(position, plane, target):
        return refusal
    flight, coords, to = plane.airborne, position.map.coords, str(target.hex)

    def seen(hex: Hex, facing: int) -> bool:
        in_front = hex == to or ahead(coords[hex], facing, coords[to])
        return in_front and position.line_from_the_air(hex, to, flight.altitude) is None

    needed, count = acquisition(position, plane), flown(flight.path[flight.since :], seen)
    if count >= needed or (not flight.attacked and _near_edge(position, plane, to, count)):
        return None
    if _had_it(position, flight, count):
        return None
    rule = "6.7.3.1.1-sup" if plane.suppression else "6.7.3.1.1-acq"
    return Refusal("{} acquires {} in {} hexes; it has flown {}", rule, (plane.name, target.name, needed, count))


def _had_it(position: Position, flight: Flight, count: int) -> bool:
    """Return whether an aircraft had acquired a target before it was suppressed: that counts on [6.7.3.1.1-sup]."""
    since = len({hex for hex, _ in flight.path[flight.shaken - 1 :]}) - 1
    return flight.shaken > 0 and count - since >= position.charts.air_spotting[flight.speed, flight.altitude].acquire


def _near_edge(position: Position, plane: Unit, to: Hex, count: int) -> bool:
    """Return whether a target was acquired on the way to the map: it is near the edge of entry [6.7.3.1.1-edge].

    It has been in sight since; a suppression over the map came later: RULINGS.md R122. A take-off is no edge.
    """
    flight, coords = plane.airborne, position.map.coords
    needed = acquisition(position, replace(plane, suppression="") if flight.shaken else plane)
    whole = len({hex for hex, _ in flight.path}) - 1
    near = distance(coords[flight.path[0][0]], coords[to]) < needed
    return near and count >= whole and not flight.took_off


def overhead(position: Position, plane: Unit, hex: Hex) -> bool:
    """Return whether an aircraft over the map and a hex see each other [6.7.3.1.3]."""
    flight = plane.airborne
    return position.line_from_the_air(flight.hex, hex, flight.altitude) is None


def inside(position: Position, unit: Unit) -> bool:
    """Return whether a unit is inside a building or an Improved Position [6.7.3.1.1-cover, 6.7.4.1.1-order]."""
    if on_roof(position, unit):
        return False
    walls = not BUILDINGS.isdisjoint(position.map.cells[str(unit.hex)].terrain)
    return (walls and (unit.is_leg or unit.inside)) or held_by(position, unit, "improved position") is not None


def concealed(position: Position, unit: Unit) -> bool:
    """Return whether aircraft find a unit only with an FO: inside something, or under trees [6.7.3.1.1-cover]."""
    return inside(position, unit) or not WOODED.isdisjoint(position.map.cells[str(unit.hex)].terrain)


def guide(position: Position, side: Side, target: Unit) -> Unit | None:
    """The FO that spots a target for the aircraft of its side; one serves several of them [6.7.3.1.2]."""
    units = sorted(gunners(position, side), key=lambda unit: unit.guides != target.id)
    return next((unit for unit in units if cannot_guide(position, unit, target) is None), None)


def cannot_guide(position: Position, unit: Unit, target: Unit) -> Refusal | None:
    """Reject a unit that is no FO on overwatch, is busy, or does not spot the target [6.7.3.1.2, 7.24, 7.7.1].

    An FO aboard a vehicle has the command of that: RULINGS.md R242.
    """
    if "FO" not in unit.labels or unit.command != "overwatch":
        return Refusal("{} is no FO with an Overwatch command", "6.7.3.1.2", (unit.name,))
    if refusal := radios.cannot_call(position, unit):
        return refusal
    if (
        unit.fired
        or (unit.carrier is not None and unit.moved)
        or unit.guides not in ("", target.id)
        or observes(position, unit.id)
    ):
        return Refusal("{} is busy with something else", "6.7.3.1.2", (unit.name,))
    if refusal := cannot_spot(position, unit, target, target.spot):
        return refusal
    return None if unit.id in position.spots.get(target.id, ()) else cannot_make_out(position, unit, target)


def unguided(position: Position, plane: Unit, target: Unit) -> Refusal | None:
    """Reject a concealed target that no FO spots [6.7.3.1.1-cover]."""
    if not concealed(position, target) or guide(position, plane.side, target) is not None:
        return None
    return Refusal("{} is concealed from the air: an FO has to spot it", "6.7.3.1.1-cover", (target.name,))
