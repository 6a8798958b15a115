"""Queries about templates of indirect fire and smoke before they are laid: their size, and the units below them."""

from __future__ import annotations

from typing import Any

from opfire.core.actions import Action
from opfire.core.places import Point
from opfire.rulesets.panzerblitz_miniatures.fire.bombardment import bridge_called, laid, struck
from opfire.rulesets.panzerblitz_miniatures.fire.indirect import Designate, DesignateSmoke, mission
from opfire.rulesets.panzerblitz_miniatures.fire.missions import template
from opfire.rulesets.panzerblitz_miniatures.fire.smoke import FireSmoke
from opfire.rulesets.panzerblitz_miniatures.moving.works import fallen
from opfire.rulesets.panzerblitz_miniatures.pieces import Position, Side
from opfire.space.templates import Rectangle


def size(sight: Position, side: Side, *, action: Action) -> Point | None:
    """The size of the template that an action would lay, across its facing and along it (1/1000 inch).

    None for an action that lays no template [IF-9, IF-10, SSC-1].
    """
    found = laid_by(sight, side, action)
    return None if found is None else found.size


def laid_by(sight: Position, side: Side, action: Action) -> Rectangle | None:
    """The template that an action would lay; None for an action without one."""
    match action:
        case Designate(target=target) if _stands(sight, target):
            return laid(sight, mission(sight, side, action))
        case DesignateSmoke():
            return laid(sight, mission(sight, side, action))
        case FireSmoke(unit, to, shape, facing):
            return template(sight.charts, sight.units[unit].kind, "smoke", to, shape, facing)
    return None


def _stands(sight: Position, target: str) -> bool:
    """Return whether a target of a mission has a place: a unit on the table, or a bridge."""
    if target in sight.units:
        return sight.units[target].at is not None
    bridge = bridge_called(sight, target)
    return bridge is not None and fallen(bridge).at is not None


def below(sight: Position, side: Side, action: Action) -> list[dict[str, Any]]:
    """The units that a template would lie on as things stand, its target first [NEU-8]; smoke harms nobody [SSC-5]."""
    if isinstance(action, Designate):
        names = struck(sight, [mission(sight, side, action)]) if _stands(sight, action.target) else []
    else:
        names = _covered(sight, laid_by(sight, side, action))
    return [{"unit": name, "own": sight.units[name].side == side} for name in names]


def _covered(sight: Position, found: Rectangle | None) -> list[str]:
    if found is None:
        return []
    stands = (unit for side in sight.setting.sides for unit in sight.of(side) if not unit.flying)
    return [unit.id for unit in stands if unit.at is not None and found.holds(unit.at)]
