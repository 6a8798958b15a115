"""Blocks, ditches, wire and rubble [6.1.4.3]: counters that alter the ground of a hex."""

from __future__ import annotations

from opfire.core.actions import Refusal
from opfire.core.errors import BadInput
from opfire.core.events import Event
from opfire.core.game import Game
from opfire.kit.boards import check_hexes
from opfire.rulesets.panzer.charts import Gun, Vehicle
from opfire.rulesets.panzer.ground import BUILDINGS, COLUMNS, PROHIBITED
from opfire.rulesets.panzer.pieces import Hex, Position, Unit, Work, WorkKind
from opfire.rulesets.panzer.works.runways import CRATER

OBSTACLES: tuple[WorkKind, ...] = ("block", "ditch", "wire", "rubble", "on fire")
BARRED_BY: dict[WorkKind, str] = {
    "block": "6.1.4.3.3",
    "ditch": "6.1.4.3.4",
    "on fire": "6.1.4.3.5",
    "rubble": "6.1.4.3.9",
    "wire": "6.1.4.3.11",
}
"""The paragraph by which each obstacle closes its hex."""

KINDS: tuple[WorkKind, ...] = (*OBSTACLES, "improved position", "hasty entrenchment", "mines", CRATER)
CLOSED = frozenset({"stream", "ford", "water"}) | BUILDINGS
"""The ground on which a scenario puts no obstacles [6.1.4.3]."""

MINELESS = frozenset({"gully", "ford", "shellholes", "stream", "water"}) | BUILDINGS
"""The ground without minefields, besides bridges [7.31.1]."""


def lay(position: Position) -> None:
    """Put the works of the scenario on the map. Raises BadInput [6.1.4.3, 7.31.1]."""
    for marker in position.setting.scenario.markers:
        check_hexes(position.map, marker.at, "markers")
        if marker.kind not in KINDS:
            raise BadInput(f"marker {marker.kind!r}", "markers", ", ".join(KINDS))
        for hex in marker.at:
            if refusal := _misplaced(position, marker.kind, hex):
                raise BadInput(refusal.sentence(), "markers", "other ground")
            work = laid(marker.kind, marker.side, marker.value)
            position.rework(hex, (*position.works.get(hex, ()), work))
    for hex, works in position.works.items():
        kinds = {work.kind for work in works}
        if "mines" in kinds and not BARE.isdisjoint(kinds):
            raise BadInput(f"mines in {hex}", "markers", "a hex without ditch, position or rubble")


BARE: frozenset[WorkKind] = frozenset({"ditch", "improved position", "rubble"})
"""The works in whose hexes nobody lays mines [7.31.1]."""

KNOWN = "known"
"""The word in the value of a minefield that everybody sees [7.31.1]."""


def laid(kind: WorkKind, side: str, value: str) -> Work:
    """A work of a scenario or a case; a minefield may be visible [7.31.1]."""
    words = value.split()
    return Work(kind, side, " ".join(word for word in words if word != KNOWN), KNOWN in words)


def _misplaced(position: Position, kind: str, hex: Hex) -> Refusal | None:
    cell = position.map.cells[hex]
    closed = MINELESS if kind == "mines" else CLOSED if kind in ("block", "ditch", "wire") else frozenset()
    if closed.isdisjoint(cell.terrain) and not (kind == "mines" and cell.bridge):
        return None
    return Refusal("There is no place for {} in {}", "6.1.4.3", (kind, hex))


def bars(position: Position, unit: Unit, hex: Hex) -> Refusal | None:
    """Reject a hex whose obstacle is closed to a unit: block, ditch, wire, rubble, fire [6.1.4.3.3 to 6.1.4.3.11].

    Wheels, half-tracks and towed units do not enter rubble [6.1.4.3.9], and nobody a destroyed bridge
    [6.5.4.4.3-bridge]. The hex of a HIDDEN UNIT counter is closed to its enemies: RULINGS.md R191 [7.2.2].
    """
    if any(mask.hex == hex and mask.side != unit.side and mask.laid for mask in position.masks.values()):
        return Refusal("A HIDDEN UNIT counter of the enemy is in {}", "7.2.2", (hex,))
    for work in position.works.get(hex, ()):
        if work.kind == "rubble" and position.map.cells[hex].bridge:
            return Refusal("The bridge in {} is destroyed", "6.5.4.4.3-bridge", (hex,))
        towed = isinstance(unit.kind, Gun) and work.kind in ("block", "ditch", "rubble")
        if work.kind in OBSTACLES and (towed or _column(position, unit, work) == PROHIBITED):
            return Refusal("{} is closed to {}: {}", BARRED_BY[work.kind], (hex, unit.name, work.kind))
    return None


def flatten(game: Game[Position], unit: Unit) -> None:
    """A fully tracked vehicle that has entered a hex of Wire destroys it [6.1.4.3.11]."""
    position, hex = game.state, str(unit.hex)
    works = position.works.get(hex, ())
    if not (
        isinstance(unit.kind, Vehicle) and unit.kind.traction == "T" and any(work.kind == "wire" for work in works)
    ):
        return
    position.works[hex] = tuple(work for work in works if work.kind != "wire")
    game.tell(Event("destroyed", "The {} in {} is destroyed", ("wire", hex), "6.1.4.3.11", (unit.id,), (hex,)))


def _column(position: Position, unit: Unit, work: Work) -> str:
    return str(getattr(position.charts.terrain[work.kind], COLUMNS[unit.ground.traction]))


def burden(position: Position, unit: Unit, hex: Hex, entry: int) -> int:
    """The amount by which the obstacle of a hex costs more than its ground [6.1.4.3]."""
    costs = (_column(position, unit, work) for work in position.works.get(hex, ()) if work.kind in OBSTACLES)
    return max((int(cost) - entry for cost in costs if cost.isdigit()), default=0) if entry else 0
