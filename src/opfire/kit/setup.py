"""Set-up: zones and boards read, units placed and picked up again."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from opfire.core.actions import PROCEDURE, Action, Refusal
from opfire.core.errors import BadInput
from opfire.core.scenario import Beyond, Force, Scenario, Sections, Zone
from opfire.kit.stacks import Hex, Member, Piece, Side, UnitId
from opfire.space.hexmap import HexMap
from opfire.space.layout import Block, Laid

U = TypeVar("U", bound=Piece)
M = TypeVar("M", bound=Member)
K = TypeVar("K")

InBlock = Callable[[HexMap, str, str, str], Iterable[Hex]]
"""The hexes of these columns and rows of a board."""


class StartAboard(Action, frozen=True, tag="Board"):
    """Set a unit up aboard a placed carrier."""

    says = "{unit} starts aboard {carrier}"
    kind = "place"
    unit: UnitId
    carrier: UnitId


class PickUp(Action, frozen=True):
    """Pick a placed unit up again."""

    says = "Pick {unit} up again"
    kind = "place"
    unit: UnitId


class Ready(Action, frozen=True):
    """Declare the set-up complete."""

    says = "Set-up complete"
    kind = "done"
    final = True
    barrier = "the end of the set-up"


# --- reading a scenario ---------------------------------------------------------------------------------------


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


def check_options(options: Iterable[str], known: Collection[str]) -> None:
    """Reject an option that the ruleset does not know. Raises BadInput."""
    for option in options:
        if option not in known:
            raise BadInput(f"option {option!r}", "options", "one of " + ", ".join(sorted(known)))


def kind_named(kinds: Mapping[str, K], name: str, where: str, known: str = "an id of units.csv") -> K:
    """The counter of that id; `known` describes the known names. Raises BadInput."""
    kind = kinds.get(name)
    if kind is None:
        raise BadInput(f"there is no unit {name!r}", where, known)
    return kind


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


def carried(
    forces: Iterable[Force], units: Sequence[tuple[UnitId, str]], side: Side
) -> Iterator[tuple[UnitId, UnitId]]:
    """Each carrier with its passenger: forces with a carrier named start aboard, one to each carrier of that type.

    `units` are the ids of the side's units with the ids of their counters, in the order of the forces. Raises
    BadInput when the carriers are too few.
    """
    taken: set[UnitId] = set()
    offset = 0
    for force in forces:
        mine, offset = units[offset : offset + force.count], offset + force.count
        if not force.carrier:
            continue
        free = [unit for unit, kind in units if kind == force.carrier and unit not in taken]
        if len(free) < len(mine):
            raise BadInput(f"too few of {force.carrier!r} to carry {force.unit}", f"sides.{side}.units", "one for each")
        taken.update(free[: len(mine)])
        yield from ((carrier, unit) for carrier, (unit, _) in zip(free, mine, strict=False))


# --- placing --------------------------------------------------------------------------------------------------


def waiting(units: Iterable[M]) -> list[M]:
    """The units that wait to be placed."""
    return [unit for unit in units if unit.status == "to place" and unit.carrier is None]


def placed_already(unit: Member) -> Refusal | None:
    """Reject a unit that stands on the map or comes later."""
    if unit.status != "to place" or unit.carrier is not None:
        return Refusal("{} is {}", PROCEDURE, (unit.name, "aboard" if unit.carrier else unit.status))
    return None


def not_next(unit: U, units: Iterable[U], alike: Callable[[U, U], bool]) -> Refusal | None:
    """Reject a unit while another of its kind waits before it."""
    for other in units:
        if other.id == unit.id:
            return None
        if alike(other, unit):
            return Refusal("Place {} first: the two units are alike", PROCEDURE, (other.name,))
    return None


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


def next_of_their_kinds(units: Iterable[U], alike: Callable[[U, U], bool]) -> list[U]:
    """The first of each kind of unit."""
    found: list[U] = []
    for unit in units:
        if not any(alike(other, unit) for other in found):
            found.append(unit)
    return found
