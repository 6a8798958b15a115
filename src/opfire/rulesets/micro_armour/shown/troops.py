"""The formations of both sides: their cohesion, their losses, and what is left until they break [5.1-level, 12.1]."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from opfire.core.texts import called
from opfire.rulesets.micro_armour.cohesion import level
from opfire.rulesets.micro_armour.formations import UNKNOWN, force_of, forces, limit, value
from opfire.rulesets.micro_armour.pieces import Position, Stand


def formations(sight: Position) -> Iterator[dict[str, Any]]:
    """Every formation with its cohesion level now, its stands and losses, and how near its force is to breaking."""
    known = forces(sight)
    for (side, name), stands in _groups(sight).items():
        force = force_of(sight.setting, stands[0])
        yield {
            "id": f"{side}: {name}" if name else side,
            "side": side,
            "name": called(name or sight.setting.scenario.sides[side].name),
            "cohesion": level(sight, stands[0]),
            "rule": "5.1-level",
            "units": [unit.id for unit in stands],
            "lost": [unit.id for unit in stands if unit.status == "eliminated"],
            "breaking": _breaking(sight, force, known[force]) if sight.setting.has("12.1") else None,
        }


def _groups(sight: Position) -> dict[tuple[str, str], list[Stand]]:
    """The stands of each side by the name of their formation, empty for those of none."""
    found: dict[tuple[str, str], list[Stand]] = {}
    for unit in sight.units.values():
        found.setdefault((unit.side, unit.formation), []).append(unit)
    return found


def _breaking(sight: Position, force: str, stands: list[Stand]) -> dict[str, Any]:
    """The cards of a force, their total as far as the side knows it, and its break point [12.1.2, 12.1.3]."""
    hand = sight.hands.get(force, ())
    return {
        "force": force,
        "cards": len(hand),
        "have": None if UNKNOWN in hand else sum(map(value, hand)),
        "most": limit(sight, stands),
        "broken": force in sight.broken,
        "rule": "12.1.2",
    }
