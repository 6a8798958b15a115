"""Observers and the sources of their fire [6.5.1.1 to 6.5.1.3]: rows of the response table, attachment, sources."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from opfire.core.actions import PROCEDURE, Refusal
from opfire.rulesets.panzer.charts import Gun, Vehicle, Weapon
from opfire.rulesets.panzer.fire.arcs import in_field_of_fire
from opfire.rulesets.panzer.fire.arms import arc_of
from opfire.rulesets.panzer.ground import BUILDINGS
from opfire.rulesets.panzer.indirect.kinds import Guns, Level
from opfire.rulesets.panzer.pieces import (
    Hex,
    Position,
    Side,
    Unit,
    UnitId,
    away,
    lurking,
    not_yours,
    off_the_map,
    on_roof,
    where_it_is,
)
from opfire.rulesets.panzer.sections import Label

ROWS: tuple[Label, ...] = ("FO", "RHQ", "BHQ", "CHQ", "Recon")
"""The labels of observers, with the best row of the response table first [6.5.1.1.1, 6.5.1.1.2, 6.5.1.1.3]."""

FO_SOURCES, OTHER_SOURCES = 2, 1
"""The distinct sources from which FOs, and other observers, call fire [6.5.1.1.1-other, 6.5.1.1.2]."""

MORE_SOURCES: Mapping[str, int] = {"United States": 4}
"""The distinct sources of the FOs of a nation with better radios [6.5.1.1.1-usa]."""

RIGID = "Soviet Union"
"""The nation whose Command and Recon units call Attached fire alone [6.5.1.1.2-soviet]."""


class Source(NamedTuple):
    """A unit or battery that fires indirectly, with the row of its weapon [6.5.1.2]."""

    id: str
    name: str
    side: Side
    row: Weapon
    guns: Guns | None = None
    unit: Unit | None = None


# --- observers [6.5.1.1] ---------------------------------------------------------------------------------------


def row_of(unit: Unit) -> Label | None:
    """The row of the response table for an observer: its FO row before that of its command, Recon last.

    Rules: [6.5.1.1.1, 6.5.1.1.2, 6.5.1.1.3].
    """
    return next((label for label in ROWS if label in unit.labels), None)


def capacity(unit: Unit) -> int:
    """The distinct sources from which an observer may call fire [6.5.1.1.1, 6.5.1.1.2, 6.5.1.1.3]."""
    if row_of(unit) != "FO":
        return OTHER_SOURCES
    return MORE_SOURCES.get(unit.kind.nation, FO_SOURCES)


def observes(position: Position, unit_id: UnitId) -> bool:
    """Return whether a unit has observed fire in this turn, so that it does nothing else [6.5.1-a]."""
    return any(call.observer == unit_id and call.deed != "checked" for call in position.calls)


def cannot_observe(side: Side, unit: Unit) -> Refusal | None:
    """Reject units that are no observers, or have no command to overwatch [6.5.1, 6.5.1-a].

    A passenger, as it is seated, observes if its vehicle has any command but Move: RULINGS.md R172 [6.6.7.2-who].
    """
    if refusal := not_yours(side, unit) or off_the_map(unit):
        return refusal
    if row_of(unit) is None:
        return Refusal("{} is no observer: FOs, Command and Recon units are", "6.5.1", (unit.name,))
    if unit.carrier is not None and unit.command == "move":
        return Refusal("{} does not observe: its vehicle has a Move command", "6.6.7.2-who", (unit.name,))
    if unit.carrier is None and unit.command != "overwatch":
        return Refusal("{} has no Overwatch command: it cannot observe", "6.5.1-a", (unit.name,))
    if unit.guides:
        return Refusal("{} guides aircraft this turn", "6.7.3.1.2", (unit.name,))
    return Refusal("{} has fired", "6.5.1-a", (unit.name,)) if unit.fired else None


# --- firing units [6.5.1.2] ------------------------------------------------------------------------------------


def source(position: Position, name: str) -> Source | None:
    """The unit or battery of that id, if it fires indirectly [5.3, 6.5.1.2]."""
    if guns := position.batteries.get(name):
        return Source(name, guns.name, guns.side, guns.card.weapon(), guns=guns)
    unit = where_it_is(position, name) if name in position.units else None
    row = indirect_row(position, unit) if unit else None
    return Source(name, unit.name, unit.side, row, unit=unit) if unit and row else None


def sources(position: Position, side: Side) -> Iterator[Source]:
    """The side's batteries, and its units on the map that fire indirectly."""
    for guns in position.batteries.values():
        if guns.side == side:
            yield Source(guns.id, guns.name, side, guns.card.weapon(), guns=guns)
    for unit in (*position.of(side), *lurking(position, side)):
        if row := indirect_row(position, unit):
            yield Source(unit.id, unit.name, side, row, unit=unit)


def indirect_row(position: Position, unit: Unit) -> Weapon | None:
    """The GP-IF row of a unit: only those that have one fire indirectly [5.1.3.1, 6.5.1]."""
    date = position.setting.sections.date
    rows = (row for name, mount in _mounts(unit) for row in position.charts.rows_of(name, mount, "GP-IF"))
    return next((row for row in rows if not date or row.first <= date), None)


def _mounts(unit: Unit) -> Sequence[tuple[str, str]]:
    match unit.kind:
        case Vehicle():
            return [(name, "V") for name in (unit.kind.main, unit.kind.second) if name]
        case Gun():
            return [(unit.kind.weapon, unit.kind.mount)]
    return [(name, "L") for name in unit.weapons]


def indoors(position: Position, from_: Source) -> Refusal | None:
    """Reject mortars on upper floors, and those of vehicles and guns inside buildings [5.1.3.1]."""
    unit = from_.unit
    if unit is None or from_.row.kind != "mortar" or not (unit.inside or unit.upper):
        return None
    if on_roof(position, unit):
        return None
    if BUILDINGS.isdisjoint(position.map.cells[str(unit.hex)].terrain):
        return None
    return Refusal("{} is upstairs or inside a building: its mortar cannot fire", "5.1.3.1", (unit.name,))


def bears_not(position: Position, from_: Source, hex: Hex) -> Refusal | None:
    """Reject a hex outside the field of fire of a unit on the map: it fires as it faces [6.5.1]: RULINGS.md R101.

    Leg units fire all round unless they are suppressed [5.1].
    """
    if from_.unit is None:
        return None
    coords = position.map.coords
    if in_field_of_fire(coords[str(from_.unit.hex)], from_.unit.facing, arc_of(from_.unit), coords[hex]):
        return None
    return Refusal("{} is outside the field of fire of {}", "6.5.1", (hex, from_.name))


# --- attachment [6.5.1.3] --------------------------------------------------------------------------------------


def attachment(observer: Unit, from_: Source) -> Level:
    """The level of attachment of a firing unit to an observer: units on the map are Attached to their own formation.

    Rules: [6.5.1.3.1, 6.5.1.3.2, 6.5.1.3.3].
    """
    if from_.unit is not None:
        return "attached" if from_.unit.formation == observer.formation else "unattached"
    assert from_.guns is not None
    own = not from_.guns.formations or observer.formation in from_.guns.formations
    return from_.guns.level if own else "unattached"


def too_rigid(observer: Unit, from_: Source) -> Refusal | None:
    """Reject fire that is not Attached for Soviet Command and Recon units [6.5.1.1.2-soviet, 6.5.1.1.3]."""
    if observer.kind.nation != RIGID or row_of(observer) == "FO" or attachment(observer, from_) == "attached":
        return None
    return Refusal("{} calls Attached fire alone: {} is not", "6.5.1.1.2-soviet", (observer.name, from_.name))


# --- distinct sources [6.5.1.1.4] ------------------------------------------------------------------------------


def distinct(position: Position, names: Sequence[str]) -> int:
    """The distinct sources among firing units: two units on the map within Command Range count as one [6.5.1.1.4]."""
    units = [position.units[name] for name in names if name in position.units]
    return len(names) - len(units) + _pairs(position, units)


def _pairs(position: Position, units: Sequence[Unit]) -> int:
    """The least number of single units and pairs within Command Range."""
    if not units:
        return 0
    first, rest = units[0], units[1:]
    paired = (
        _pairs(position, [*rest[:at], *rest[at + 1 :]]) for at in range(len(rest)) if _near(position, first, rest[at])
    )
    return 1 + min((_pairs(position, rest), *paired))


def _near(position: Position, unit: Unit, other: Unit) -> bool:
    """Return whether two units of a formation are within the Command Range of its grade [6.5.1.1.4]."""
    if unit.formation != other.formation or unit.hex is None or other.hex is None:
        return False
    company = position.setting.formations.get(unit.formation)
    grade = company.grade if company else unit.grade
    return away(position, unit, other) <= position.charts.grades[grade].command_range


def unknown(position: Position, name: str) -> Refusal | None:
    """Reject an id that no firing unit has."""
    known = name in position.batteries or name in position.units
    return None if known else Refusal("There is no unit or battery {}", PROCEDURE, (name,))
