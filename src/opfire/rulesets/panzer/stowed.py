"""Units that are part of a vehicle's counter: the guns of portees [5.2.1], the FOs of vehicle crews [7.47]."""

from __future__ import annotations

from collections.abc import Iterator

from opfire.core.game import Game
from opfire.rulesets.panzer.charts import Charts, Gun, Leg
from opfire.rulesets.panzer.pieces import Position, Setting, Unit, UnitId

FOS = "7.47"


def kept_in(made: Setting, vehicle: Unit) -> Iterator[Gun | Leg]:
    """The Data Cards of the units that a vehicle holds at the start [5.2.1, 7.47]."""
    if portee := made.charts.portees.get(vehicle.kind.id):
        yield made.charts.guns[portee.gun]
    if FOS in made.options and vehicle.is_vehicle and "FO" in vehicle.labels:
        nation = vehicle.kind.nation
        found = (leg for leg in made.charts.legs.values() if leg.nation == nation and leg.labels_printed == "FO")
        yield from list(found)[:1]


def stow(vehicle: Unit, card: Gun | Leg, unit_id: UnitId) -> Unit:
    """A unit that is part of a vehicle's counter, and no unit of its own until it dismounts."""
    return Unit(
        id=unit_id,
        side=vehicle.side,
        kind=card,
        name=f"{card.name} ({vehicle.name})",
        facing=vehicle.facing,
        status="stowed",
        part_of=vehicle.id,
        formation=vehicle.formation,
        grade=vehicle.grade,
        platoon=vehicle.platoon,
        labels=("FO",) if isinstance(card, Leg) else (),
    )


def held(position: Position, vehicle: Unit) -> list[Unit]:
    """The units that are part of a vehicle's counter now."""
    if vehicle.kind.id not in position.charts.portees and (FOS not in position.setting.options):
        return []
    return [unit for unit in position.units.values() if unit.status == "stowed" and unit.part_of == vehicle.id]


def goes_back(charts: Charts, vehicle: Unit, unit: Unit) -> bool:
    """Return whether a unit becomes part of a vehicle's counter again: its FO, or a gun of its type [5.2.1, 7.47]."""
    if isinstance(unit.kind, Gun):
        return bool(vehicle.bed) and charts.portees[vehicle.bed].gun == unit.kind.id
    return unit.part_of == vehicle.id


def takes_all(charts: Charts, vehicle: Unit, unit: Unit) -> bool:
    """Return whether a truck spends its whole allowance to take a gun onto its bed [5.2.1]."""
    return isinstance(unit.kind, Gun) and goes_back(charts, vehicle, unit)


def set_free(game: Game[Position], unit_id: UnitId) -> None:
    """Part a unit from its vehicle: a portee becomes a truck and a gun, a crew goes on without its FO [5.2.1, 7.47].

    Both are as suppressed as they were together: RULINGS.md R185.
    """
    position = game.state
    unit = position.units[unit_id]
    vehicle = position.units[unit.part_of]
    position.change(unit_id, suppression=vehicle.suppression)
    if isinstance(unit.kind, Gun):
        card = vehicle.kind.id
        position.change(vehicle.id, kind=position.charts.vehicles[position.charts.portees[card].truck], bed=card)
        position.change(unit_id, part_of="", transport=vehicle.id)
    else:
        position.change(vehicle.id, labels=tuple(label for label in vehicle.labels if label != "FO"))
        if is_fo(vehicle):
            position.change(unit_id, leader=vehicle.leader)
            position.change(vehicle.id, leader="")


def take_back(game: Game[Position], vehicle: Unit, unit_id: UnitId) -> None:
    """Make a unit part of a vehicle's counter again: truck and gun become a portee, the FO joins its crew.

    Rules: [5.2.1, 7.47]: RULINGS.md R185.
    """
    position = game.state
    unit = position.units[unit_id]
    position.change(unit_id, hex=None, status="stowed", part_of=vehicle.id, spot="", fresh="", moved=True)
    if isinstance(unit.kind, Gun):
        worse = "on" if "on" in (unit.suppression, vehicle.suppression) else unit.suppression or vehicle.suppression
        position.change(vehicle.id, kind=position.charts.vehicles[vehicle.bed], bed="", suppression=worse)
    else:
        position.change(vehicle.id, labels=(*vehicle.labels, "FO"), leader=unit.leader or vehicle.leader)
        position.change(unit_id, leader="")


def is_fo(vehicle: Unit) -> bool:
    """Return whether the leader of an observers' vehicle is its FO, and goes along with it [7.55.1-attach, 7.47]."""
    return {"CHQ", "BHQ", "RHQ"}.isdisjoint(vehicle.labels)


def walks(unit: Unit) -> bool:
    """Return whether it is an FO away from its vehicle: it fights at -10 [7.47]."""
    return bool(unit.part_of) and unit.is_leg
