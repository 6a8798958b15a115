"""The query about drift before it is rolled: where a drop zone or bombs may end up, with the chances."""

from __future__ import annotations

from typing import Any

from opfire.core.actions import Action
from opfire.core.places import Point
from opfire.rulesets.panzerblitz_miniatures.airpower.airborne import DropAt
from opfire.rulesets.panzerblitz_miniatures.airpower.drift import chances
from opfire.rulesets.panzerblitz_miniatures.airpower.strikes import Strike
from opfire.rulesets.panzerblitz_miniatures.fire.attacks import target_of
from opfire.rulesets.panzerblitz_miniatures.pieces import Position, Side


def spread(sight: Position, side: Side, *, action: Action) -> list[dict[str, Any]]:
    """Every place to which the dice may carry what an action drops, with its chance [ABN-2, FB-6].

    Places may lie off the table. Empty for an action without drift.
    """
    aim = _aim(sight, action)
    if aim is None:
        return []
    return [{"place": at, "chance": float(chance)} for at, chance in chances(sight.charts, aim).items()]


def _aim(sight: Position, action: Action) -> Point | None:
    """The place at which something is aimed that drifts: a drop zone [ABN-2], or unguided bombs [FB-6]."""
    match action:
        case DropAt(to=to):
            return to
        case Strike(unit, target, weapon):
            unguided = (arm.weapon for arm in sight.units[unit].arms if arm.drifts)
            return target_of(sight, target).at if weapon in unguided else None
    return None
