"""Hull Down: when a vehicle searches its hex for a position, and which way it faces in it [6.6.9]."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from opfire.rulesets.panzer.moving.going import Going
from opfire.rulesets.panzer.moving.hull_down import Search, cannot_search, chance
from opfire.rulesets.panzer.pieces import Unit
from opfire.rulesets.panzer.thinking.mind import Mind, Threat

LASTING = 2.0
"""The turns for which a position that is found is expected to shelter its vehicle."""

LATER = 0.2
"""The weight of enemies who do not see the vehicle yet."""


def best_search(mind: Mind, unit: Unit, going: Going) -> tuple[float, Search] | None:
    """The points that the best search is expected to save, and the search; None where there is nothing to find."""
    mover = replace(unit, command="move")
    if (
        unit.hull_down
        or not mind.position.setting.advanced
        or going != Going()
        or cannot_search(mind.position, mover) is not None
    ):
        return None
    kind: Literal["full", "partial"] = "partial" if unit.vehicle.limited else "full"
    found = float(chance(mind.position, mover, kind).chances().get("finds a position", 0))
    if not found:
        return None
    seen = _threats(mind, replace(unit, hull_down=""))
    exposed = min(mind.danger(way, seen) for way in range(6))
    hidden = [_danger(mind, replace(unit, hull_down=kind, facing=way)) for way in range(6)]
    facing = min(range(6), key=lambda way: hidden[way] + mind.shown(unit, str(unit.hex), way))
    saved = exposed - hidden[facing]
    return LASTING * found * mind.caution * mind.value(unit) * saved, Search(unit.id, facing, kind)


def _danger(mind: Mind, unit: Unit) -> float:
    """The danger to a vehicle as it stands and faces, in the position that it has found."""
    return mind.danger(unit.facing, _threats(mind, unit))


def _threats(mind: Mind, unit: Unit) -> list[Threat]:
    """The enemies at the ends of their ways: those that see the vehicle from there, and less those that may later."""
    hex, found = str(unit.hex), []
    for foe in mind.hunters:
        at = mind.post(foe)
        weight = 1.0 if mind.sees(at, hex, "fire") else LATER
        found.append(Threat(at, tuple(weight * part for part in mind.harm(foe, at, unit, hex, 0))))
    return found
