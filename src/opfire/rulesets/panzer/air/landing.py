"""The airfield [7.59.4]: aircraft that land, are armed and refueled, and take off again."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from opfire.core.actions import Action, Refusal
from opfire.core.events import Event
from opfire.core.game import Game
from opfire.rulesets.panzer.air import crossing, gliders
from opfire.rulesets.panzer.charts import Vehicle
from opfire.rulesets.panzer.pieces import Flight, Hex, Position, Side, Unit, UnitId, not_yours
from opfire.rulesets.panzer.works import runways
from opfire.space.hexes import opposite

SERVICE = 3
"""The Air Phases that arming and refueling take, that of the landing included [7.59.4-arm]."""

EASIEST_SIZE, MOST_GPD = 2, 4
"""The Size of landed aircraft as targets, and the most of their GP Defense Factors [7.59.4-df]."""


class Land(Action, frozen=True):
    """Land an aircraft on the runway below it, to be armed and refueled."""

    says = "{unit} lands"
    kind = "move"
    final = True
    unit: UnitId


class TakeOff(Action, frozen=True):
    """An aircraft that is ready takes off from a hex of a runway, along it (0 north, clockwise, to 5)."""

    says = "{unit} takes off from {hex}, flying {facing}"
    kind = "move"
    unit: UnitId
    hex: Hex
    facing: int


# --- runways [7.59.4-runway] -----------------------------------------------------------------------------------


def along(position: Position, hex: Hex, facing: int) -> tuple[Hex, ...]:
    """The runway over which a facing leads in a hex, or nothing."""
    ways = (crossing.before(position, hex, way) for way in (facing, opposite(facing)))
    near = {way for way in ways if way is not None}
    return next((strip for strip in runways.strips(position) if hex in strip and not near.isdisjoint(strip)), ())


def no_runway(position: Position, unit: Unit, hex: Hex, facing: int) -> Refusal | None:
    """Reject hexes away from the runways, directions across them, and destroyed runways.

    Rules: [7.59.4-arm, 7.59.4-runway].
    """
    strip = along(position, hex, facing)
    if not strip:
        return Refusal("{} is not above a runway in its direction in {}", "7.59.4-arm", (unit.name, hex))
    if broken := next((one for one in strip if runways.cratered(position, one)), None):
        return Refusal("The runway is destroyed in {}: use the other one", "7.59.4-runway", (broken,))
    if any(other.side != unit.side for other in position.at(hex)):
        return Refusal("The enemy is in {}", "7.59.4-arm", (hex,))
    return None


# --- landing [7.59.4-arm] --------------------------------------------------------------------------------------


def cannot_land(position: Position, unit: Unit) -> Refusal | None:
    """Reject landings at another speed or altitude, and those beside the runways [7.59.4-arm]."""
    if gliders.is_glider(unit):
        return Refusal("{} is a glider: it touches down", "7.59.4-arm", (unit.name,))
    flight = unit.airborne
    if refusal := no_runway(position, unit, flight.hex, unit.facing):
        return refusal
    if (flight.speed, flight.altitude) != ("slow", "low"):
        return Refusal("{} lands at Slow Speed and Low Altitude only", "7.59.4-arm", (unit.name,))
    return None


def land(game: Game[Position], unit_id: UnitId) -> None:
    """An aircraft stands on the runway, as an S-Type vehicle for its enemies [7.59.4-arm, 7.59.4-df]."""
    position, plane = game.state, game.state.units[unit_id]
    hex, flight = plane.airborne.hex, plane.airborne
    grounded = Flight(first=flight.first, last=flight.last, served=1)
    home = next(name for name, company in position.setting.formations.items() if company.side == plane.side)
    values = {"kind": grounded_as(position, plane), "flight": grounded, "formation": home}
    position.put(unit_id, hex, **values)
    game.tell(Event("air", "{} lands in {}", (plane.name, hex), "7.59.4-arm", (unit_id,), (hex,)))


def grounded_as(position: Position, plane: Unit) -> Vehicle:
    """The vehicle as which a landed aircraft is spotted and attacked: RULINGS.md R198 [7.59.4-df]."""
    card, vehicles = plane.aircraft, position.charts.vehicles.values()
    truck = next(each for each in vehicles if each.target == "S" and not each.armed and each.category == "TR")
    gpd = f"{min(card.gp_defense, MOST_GPD)}S"
    empty = {"m_cc": 0, "path": 0, "road": 0, "tr_towed": 0, "tr_leg": 0, "section_only": False}
    return replace(
        truck,
        name=card.name,
        nation=card.nation,
        category=card.category,
        pts=card.pts,
        size=EASIEST_SIZE,
        gpd=gpd,
        **empty,
    )


# --- taking off [7.59.4-arm] -----------------------------------------------------------------------------------


def landed(position: Position, side: Side) -> Iterator[Unit]:
    """The aircraft of a side that stand on the airfield."""
    for name in position.setting.planes:
        unit = position.units[name]
        if unit.side == side and unit.hex is not None and unit.flight is not None:
            yield unit


def serve(position: Position) -> None:
    """An Air Phase of work on each landed aircraft begins [7.59.4-arm]."""
    for side in position.setting.sides:
        for unit in landed(position, side):
            crossing.fly(position, unit, served=unit.airborne.served + 1)


def not_ready(position: Position, side: Side, unit: Unit) -> Refusal | None:
    """Reject aircraft that are not on the airfield, or not yet armed and refueled [7.59.4-arm]."""
    if refusal := not_yours(side, unit):
        return refusal
    if unit.flight is None or unit.hex is None:
        return Refusal("{} is no landed aircraft", "7.59.4-arm", (unit.name,))
    if unit.track_hit:
        return Refusal("{} has a track hit and cannot move", "6.5.2.2.1", (unit.name,))
    if unit.flight.served < SERVICE:
        facts = (unit.name, unit.flight.served, SERVICE)
        return Refusal("{} is armed and refueled in Air Phase {} of {}", "7.59.4-arm", facts)
    return None


def cannot_take_off(position: Position, side: Side, action: TakeOff) -> Refusal | None:
    """Reject aircraft that are not ready, and hexes and directions away from the runways [7.59.4-arm]."""
    unit = position.units[action.unit]
    if refusal := not_ready(position, side, unit):
        return refusal
    if action.facing not in range(6) or action.hex not in position.map.cells:
        return Refusal("There is no such hex or facing", "7.59.4-arm")
    return no_runway(position, unit, action.hex, action.facing)


def departures(position: Position, unit: Unit) -> Iterator[TakeOff]:
    """The hexes and directions in which an aircraft may take off now."""
    for hex in dict.fromkeys(hex for strip in runways.strips(position) for hex in strip):
        acts = (TakeOff(unit.id, hex, facing) for facing in range(6))
        yield from (act for act in acts if cannot_take_off(position, unit.side, act) is None)


def take_off(game: Game[Position], action: TakeOff) -> None:
    """An aircraft is over the runway again, at Slow and Low, with all its stores, and loiters anew [7.59.4-arm]."""
    position, turn = game.state, game.state.turn
    new = position.setting.planes[action.unit]
    path = ((action.hex, action.facing),)
    level = {"speed": "slow", "altitude": "low", "took_off": True}
    flight = replace(new.airborne, hex=action.hex, path=path, first=turn, last=turn, **level)
    values = {"kind": new.kind, "flight": flight, "formation": new.formation, "facing": action.facing, "hex": None}
    unit = position.change(action.unit, status="aloft", spot="", fresh="", **values)
    text = "{} takes off, armed and refueled"
    game.tell(Event("air", text, (unit.name,), "7.59.4-arm", (action.unit,), (action.hex,)))
