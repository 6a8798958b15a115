"""The runways of an airfield, and the craters in them [7.59.4-runway]."""

from __future__ import annotations

from opfire.rulesets.panzer.conditions import AIRFIELD
from opfire.rulesets.panzer.pieces import Hex, Position, WorkKind
from opfire.rulesets.panzer.sections import Conditions
from opfire.space.hexmap import HexMap

CRATER: WorkKind = "crater"


def paths_of(board: HexMap, conditions: Conditions) -> tuple[tuple[Hex, ...], ...]:
    """The Paths of an airfield: its runways from end to end, and from each taxiway hex to all paved hexes beside it.

    Rule: [7.59.4-move].
    """
    paved = {hex for strip in (conditions.runways, *conditions.strips) for hex in strip}
    taxiways = ((hex, near) for hex in conditions.runways for near in board.neighbours[hex] if near in paved)
    return (*conditions.strips, *taxiways)


def strips(position: Position) -> tuple[tuple[Hex, ...], ...]:
    """The runways of the airfield, each from one end to the other; none without the option."""
    return position.setting.sections.conditions.strips if AIRFIELD in position.setting.options else ()


def paved(position: Position, hex: Hex) -> bool:
    """Say whether a hex belongs to a runway and is whole."""
    return any(hex in strip for strip in strips(position)) and not cratered(position, hex)


def cratered(position: Position, hex: Hex) -> bool:
    """Say whether a hex of a runway was destroyed: RULINGS.md R198."""
    return any(work.kind == CRATER for work in position.works.get(hex, ()))
