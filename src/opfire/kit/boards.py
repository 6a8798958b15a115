"""Common parts of books on boards of hexes: zones of set-up, clicks on hexes, the position as text."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from opfire.core.actions import PROCEDURE, Action, Refusal
from opfire.core.errors import BadInput
from opfire.core.scenario import Beyond, Force, Scenario, Sections, Zone
from opfire.core.texts import called, say
from opfire.kit.stacks import Hex, Piece, Side, Stacks, UnitId
from opfire.space.hexmap import HexMap
from opfire.space.layout import Block, Laid

U = TypeVar("U", bound=Piece)

InBlock = Callable[[HexMap, str, str, str], Iterable[Hex]]
"""The hexes of these columns and rows of a board."""


# --- reading a scenario -------------------------------------------------------------------------------------


class Area(Beyond, frozen=True):
    """The fields of a zone besides the list of hexes: a block of a board."""

    hexes: Block | None = None


class BoardSections(Sections, frozen=True):
    """The sections of a scenario on boards: the boards that it lays, or one drawn in the file itself (`map`)."""

    boards: tuple[Laid, ...] = ()
    map: str = ""
    zones: tuple[Area, ...] = ()


def check_hexes(board: HexMap, hexes: Iterable[Hex], where: str) -> None:
    """Reject a name that is not a hex of the map. Raises BadInput, which calls the file or field `where`."""
    for hex in hexes:
        board.parse(hex, where)


def zones(board: HexMap, given: Scenario, sections: BoardSections, block: InBlock) -> dict[str, frozenset[Hex]]:
    """The hexes of each zone of a scenario, by its name. Raises BadInput."""
    areas = zip(given.zones, sections.zones, strict=True)
    return {zone.name: zone_hexes(board, zone, area, block) for zone, area in areas}


def zone_hexes(board: HexMap, zone: Zone, area: Area, block: InBlock) -> frozenset[Hex]:
    """The hexes in play of a zone; `block` gives those of columns and rows. Raises BadInput."""
    check_hexes(board, zone.list, f"zone {zone.name}")
    hexes = frozenset(zone.list)
    if area.hexes is not None:
        hexes |= frozenset(block(board, area.hexes.board, area.hexes.columns, area.hexes.rows))
    if not hexes:
        raise BadInput(f"zone {zone.name!r} is empty", "zones", "hexes of a board of the scenario")
    return hexes


def check_force(board: HexMap, force: Force, zones: Collection[str], where: str) -> None:
    """Reject a force with an unknown hex or zone, or without any place. Raises BadInput."""
    check_hexes(board, force.at, where)
    if force.zone and force.zone not in zones:
        raise BadInput(f"there is no zone {force.zone!r}", where, ", ".join(zones))
    if not (force.zone or force.at or force.carrier):
        raise BadInput(f"{force.unit!r} has no place", where, "zone, at or carrier")


def fixed_hex(force: Force, index: int) -> Hex:
    """The hex in which the scenario puts a force's unit of that index; empty where its player chooses.

    >>> fixed_hex(Force("rifle", 2, at=("A1", "A2")), 1), fixed_hex(Force("rifle", 3, at=("A1", "A2")), 1)
    ('A2', '')
    """
    fixed = not force.zone and len(force.at) in (1, force.count)
    return force.at[index % len(force.at)] if fixed else ""


# --- placing ------------------------------------------------------------------------------------------------


def others_wait(
    unit: Piece,
    units: Sequence[U],
    zones: Mapping[UnitId, Collection[Hex]],
    places: Callable[[U], Iterator[Action]],
) -> Refusal | None:
    """Reject picking a unit up while others wait, unless it blocks the last free hex of a waiting unit."""
    if not units:
        return None
    in_the_way = any(unit.hex in zones[other.id] for other in units)
    if in_the_way and all(next(places(other), None) is None for other in units):
        return None
    return Refusal("Place the other units first", PROCEDURE)


def already_there(unit: Piece, to: Hex, rule: str) -> Refusal | None:
    """Reject a step to the hex in which the unit is."""
    words = "{} is in {} already: choose a hex next to it"
    return Refusal(words, rule, (unit.name, to)) if to == unit.hex else None


# --- ids and clicks -----------------------------------------------------------------------------------------


class Sighted(Protocol):
    """A position as a seat knows it, as far as units and ground go."""

    @property
    def units(self) -> Mapping[UnitId, Piece]:
        """Every unit by its id."""
        ...

    @property
    def map(self) -> Container[object]:
        """The map, which knows its hexes."""
        ...


def no_hex(sight: Sighted, name: Hex) -> Refusal | None:
    """Reject a name that no hex in play has."""
    return None if name in sight.map else Refusal("There is no hex {} in play", PROCEDURE, (name,))


def named(sight: Sighted, name: str) -> str:
    """A unit by its name and hex, anything else as it is."""
    unit = sight.units.get(name)
    if unit is None:
        return name
    return say("{} in {}", unit.name, unit.hex) if unit.hex else called(unit.name)


def touches(sight: Sighted, action: Action) -> tuple[list[UnitId], list[Hex]]:
    """The units and the hexes that an action names."""
    units: list[UnitId] = []
    hexes: list[Hex] = []
    for field in action.__struct_fields__:
        value = getattr(action, field)
        for part in value if isinstance(value, tuple) else (value,):
            if part in sight.units:
                units.append(part)
            elif isinstance(part, str) and part in sight.map:
                hexes.append(part)
    return units, hexes


def clicked(sight: Sighted, side: Side, what: Iterable[str]) -> tuple[list[UnitId], list[UnitId], list[Hex]]:
    """The own units, the units of others and the hexes that a click fell on, the hexes of the units too."""
    things = list(what)
    units = [sight.units[name] for name in things if name in sight.units]
    hexes = [name for name in things if name in sight.map] + [unit.hex for unit in units if unit.hex]
    own = [unit.id for unit in units if unit.side == side]
    others = [unit.id for unit in units if unit.side != side]
    return own, others, list(dict.fromkeys(hexes))


# --- the view, and answers to queries -----------------------------------------------------------------------


def placed(unit: Piece, stacks: Stacks) -> dict[str, Any]:
    """The part of a view that says whose a unit is and where; `order` is its place in the stack, 0 on top."""
    stack = stacks.get(unit.hex, ()) if unit.hex else ()
    return {
        "id": unit.id,
        "side": unit.side,
        "name": called(unit.name),
        "place": unit.hex,
        "order": stack.index(unit.id) if unit.id in stack else len(stack),
        "carrier": unit.carrier,
        "status": unit.status,
    }


def line_of_sight(
    start: Hex, to: Hex, refusal: Refusal | None, rule: str, at: Hex | None, profile: list[dict[str, Any]]
) -> dict[str, Any]:
    """A line of sight in words: clear by `rule`, or why not; `at` is the hex that blocks it."""
    return {
        "clear": refusal is None,
        "text": refusal.sentence() if refusal else say("{} is in line of sight of {}", to, start),
        "rule": refusal.rule if refusal else rule,
        "at": at,
        "profile": profile,
    }
