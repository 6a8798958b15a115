"""Terrain, time of day and weather [7.32, 7.36]: what the scenario's conditions change."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Literal

from opfire.core.actions import Refusal
from opfire.core.events import Line
from opfire.rulesets.panzer.charts import Leg
from opfire.rulesets.panzer.ground import Ground
from opfire.rulesets.panzer.pieces import Hex, Position, Unit, away
from opfire.space.hexes import Coord

VISIBILITY, CAUTION, WEATHER, WEIGHTS = "7.36.1", "7.36.2", "7.36.3", "7.32"
KHAMSIN, AIRFIELD = "7.36.4", "7.59.4"
SNOW = 1
"""The movement cost that snow adds to every kind of ground [7.36.3-snow]."""

TOWED = -5
"""The modifier to bogging in snow or mud for each point of towed capacity [7.36.3-tow]."""


def visibility(position: Position) -> Iterator[Line]:
    """The rows by which limited visibility and a khamsin move spotting ranges [7.36.1, 7.36.4]."""
    made = position.setting
    if KHAMSIN in made.options and (rows := made.sections.conditions.khamsin.spotting):
        yield Line("modifier", "Khamsin", f"{rows:+d}", "7.36.4", rows)
    if VISIBILITY in made.options and (rows := made.sections.conditions.visibility):
        yield Line("modifier", "Limited visibility", f"{rows:+d}", "7.36.1", rows)


def storm(position: Position, of: Literal["ap", "gp"]) -> Iterator[Line]:
    """The modifier of a khamsin to direct fire, as the scenario lists it [7.36.4]."""
    made = position.setting
    if KHAMSIN in made.options and (amount := int(getattr(made.sections.conditions.khamsin, of))):
        yield Line("modifier", "Khamsin", f"{amount:+d}", "7.36.4", amount)


def weather(position: Position, unit: Unit, target: Unit, of: Literal["ap", "gp"]) -> Iterator[Line]:
    """The modifiers of khamsin, heat haze and sun to direct fire at a target.

    Rules: [7.36.4, 6.5.2.4-haze, 6.5.4.3-haze, 6.5.2.4-sun, 6.5.4.3-sun].
    """
    yield from storm(position, of)
    made, charts = position.setting, position.charts
    if shimmers(position, target.kind.bulk, away(position, unit, target)):
        row = (charts.hit_modifiers if of == "ap" else charts.gp_modifiers)["heat haze"]
        yield Line("modifier", row.label, f"{row.value:+d}", row.rule, row.value)
    sun = made.sections.conditions.sun
    amount = sun.ap if of == "ap" else sun.gp
    if amount and sun.edge in edges_ahead(position, str(unit.hex), str(target.hex)):
        yield Line("modifier", "Into the sun", f"{amount:+d}", SUNNY[of], amount)


SUNNY = {"ap": "6.5.2.4-sun", "gp": "6.5.4.3-sun"}
"""The rules of Sun Blinding for AP and for GP fire."""

HAZY = {"S": 3, "L": 5, "V": 8}
"""The hexes from which on heat haze counts, by the size of the target; all vehicles are V [6.5.2.4-haze]."""


def shimmers(position: Position, bulk: str, hexes: int) -> bool:
    """Return whether heat haze hinders at a range in hexes [6.5.1.12.1-haze, 6.5.2.4-haze, 6.5.4.3-haze]."""
    return position.setting.sections.conditions.heat_haze and hexes >= HAZY[bulk]


def edges_ahead(position: Position, a: Hex, b: Hex) -> set[str]:
    """The edges of the map that a line through two hexes meets when it is extended; two in a corner [6.1.4.3.13]."""
    coords = position.map.coords
    (x, y), (far_x, far_y) = _flat(coords[a]), _flat(coords[b])
    points = [_flat(each) for each in coords.values()]
    wide, high = [one for one, _ in points], [one for _, one in points]
    found: list[tuple[Fraction, str]] = []
    if step := far_x - x:
        edge, name = (max(wide) + 1, "east") if step > 0 else (min(wide) - 1, "west")
        found.append((Fraction(edge - x, step), name))
    if step := far_y - y:
        edge, name = (max(high) + 1, "south") if step > 0 else (min(high) - 1, "north")
        found.append((Fraction(edge - y, step), name))
    first = min((at for at, _ in found), default=Fraction(0))
    return {name for at, name in found if at == first}


def _flat(coord: Coord) -> tuple[int, int]:
    """The column of a hex, and twice its row down the column."""
    return coord[0], 2 * coord[1] + coord[0]


def tows_fuel(position: Position, unit: Unit) -> bool:
    """Return whether a flamethrower tank tows a fuel trailer, and so does not move in reverse [7.38.2.1, 7.38.2.2]."""
    if "7.38" not in position.setting.options or not unit.is_vehicle:
        return False
    return unit.vehicle.special == "fuel_trailer" and unit.trailer != "gone"


def slowed(position: Position, unit: Unit) -> int:
    """The halvings of a vehicle's allowance by cautious movement [7.36.2]."""
    made = position.setting
    return int(CAUTION in made.options and bool(made.sections.conditions.cautious) and unit.is_vehicle)


def too_dark_for_roads(position: Position, unit: Unit) -> Refusal | None:
    """Reject the Path and Road rates in very limited visibility [7.36.2]."""
    made = position.setting
    if CAUTION in made.options and made.sections.conditions.cautious == "very limited":
        return Refusal("{} sees too little for the road rate", "7.36.2", (unit.name,))
    return None


def too_dark_to_quickmarch(position: Position, unit: Unit) -> Refusal | None:
    """Reject a Quickmarch of squads and half-squads in limited visibility [7.36.2]."""
    made = position.setting
    careful = CAUTION in made.options and made.sections.conditions.cautious
    if careful and isinstance(unit.kind, Leg) and unit.kind.category != "section":
        return Refusal("{} sees too little to quickmarch", "7.36.2", (unit.name,))
    return None


def surcharge(position: Position, hex: Hex) -> int:
    """The movement cost that the weather adds to a hex: 1 in snow [7.36.3-snow]."""
    return SNOW if _ground(position) == "snow" and affected(position, hex) else 0


def affected(position: Position, hex: Hex) -> bool:
    """Return whether the weather holds in a hex: everywhere, unless the scenario names hexes [7.36.3-area]."""
    hexes = position.setting.sections.conditions.hexes
    return not hexes or hex in hexes


def bog_factor(position: Position) -> int:
    """The factor of the ranges for bogging: mud doubles them [7.36.3-mud]."""
    return 2 if _ground(position) == "mud" else 1


def towing(position: Position, capacity: int) -> int:
    """The modifier to bogging of a vehicle that tows a unit through snow or mud [7.36.3-tow]."""
    return TOWED * capacity if _ground(position) else 0


def _ground(position: Position) -> str:
    made = position.setting
    return made.sections.conditions.ground if WEATHER in made.options else ""


# --- weights [7.32] --------------------------------------------------------------------------------------------


def weight(unit: Unit) -> float:
    """The weight of a unit in tons; leg units weigh nothing."""
    return 0.0 if isinstance(unit.ground, Leg) else unit.ground.weight


def too_heavy(position: Position, unit: Unit, hex: Hex) -> Refusal | None:
    """Reject a unit that is heavier than the limit of a bridge [7.32-bridge]."""
    made = position.setting
    limit = made.sections.conditions.bridges.get(hex) if WEIGHTS in made.options else None
    if limit is None or weight(unit) <= limit:
        return None
    facts = (hex, limit, unit.name, weight(unit))
    return Refusal("The bridge in {} bears {} t, and {} weighs {:g} t", "7.32-bridge", facts)


def on_airfield(position: Position, hex: Hex) -> bool:
    """Return whether a hex belongs to a runway or taxiway: a Path with room to drive around wrecks [7.59.4-move]."""
    made = position.setting.sections.conditions
    return AIRFIELD in position.setting.options and any(hex in paved for paved in (made.runways, *made.strips))


def surface(position: Position, unit: Unit) -> Ground:
    """The ground as a unit moves over it: a stream is clear for units that its ice bears [7.32-ice]."""
    return position.setting.frozen if borne(position, unit) else position.setting.ground


def borne(position: Position, unit: Unit) -> bool:
    """Return whether the ice of streams bears a unit: they are clear terrain for it [7.32-ice]."""
    made = position.setting
    ice = made.sections.conditions.ice if WEIGHTS in made.options else None
    return ice is not None and weight(unit) <= ice


def breaks_the_ice(position: Position, unit: Unit, hex: Hex) -> Refusal | None:
    """Reject a frozen stream for a unit that is too heavy for its ice: it crosses at a ford [7.32-ice]."""
    made = position.setting
    ice = made.sections.conditions.ice if WEIGHTS in made.options else None
    cell = position.map.cells[hex]
    if ice is None or weight(unit) <= ice or "stream" not in cell.terrain or cell.bridge:
        return None
    return Refusal("The ice in {} bears {} t: cross at a ford", "7.32-ice", (hex, ice))
