"""Previews: the calculation that an action would lead to, with exact chances, and the attack being put together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from opfire.core.actions import Action
from opfire.core.events import Calculation
from opfire.core.flow import Frame
from opfire.kit import shown as kit
from opfire.rulesets.panzerblitz_miniatures.airpower import flak, strikes
from opfire.rulesets.panzerblitz_miniatures.airpower.flak import AntiAircraftFire, GroundFire
from opfire.rulesets.panzerblitz_miniatures.airpower.strikes import Strike
from opfire.rulesets.panzerblitz_miniatures.close.close_combat import CarryOut, FireBack, charge_of
from opfire.rulesets.panzerblitz_miniatures.fire import bombardment
from opfire.rulesets.panzerblitz_miniatures.fire.attacks import Attack, Shot, calculation, target_of
from opfire.rulesets.panzerblitz_miniatures.fire.direct import AddFirer, Attacking, Engage, Fire
from opfire.rulesets.panzerblitz_miniatures.fire.indirect import Designate, mission
from opfire.rulesets.panzerblitz_miniatures.fire.missions import one_attack
from opfire.rulesets.panzerblitz_miniatures.moving.movement import Moving
from opfire.rulesets.panzerblitz_miniatures.moving.opportunity import Join, OpportunityFire, React
from opfire.rulesets.panzerblitz_miniatures.pieces import Position
from opfire.rulesets.panzerblitz_miniatures.recovery import Recover, attempt

# --- attacks ------------------------------------------------------------------------------------------------


def _engage(sight: Position, frame: Frame, action: Engage) -> Attack:
    return Attack("direct", action.target, (Shot(action.unit, action.manner),))


def _add(sight: Position, frame: Frame, action: AddFirer) -> Attack | None:
    if not isinstance(frame, Attacking):
        return None
    return Attack("direct", frame.target, (*frame.shots, Shot(action.unit, action.manner)))


def _together(sight: Position, frame: Frame, action: Fire) -> Attack | None:
    return under_way(frame)


def _react(sight: Position, frame: Frame, action: React | Join) -> Attack:
    joined = frame.joined if isinstance(frame, OpportunityFire) else ()
    return Attack("opportunity", action.target, (*joined, Shot(action.unit, action.manner)))


def _plan(sight: Position, frame: Frame, action: Designate) -> Attack | None:
    """The attack of a mission on its target, with the missions recorded so far that are one attack with it."""
    aim = bombardment.structure_called(sight, action.target)
    if aim is None and (action.target not in sight.units or sight.units[action.target].at is None):
        return None
    plot = mission(sight, frame.side, action)
    together = [*(each for each in sight.plots if one_attack(each, plot)), plot]
    return (
        bombardment.shelling(sight, together, aim)
        if aim
        else bombardment.attack(sight, together, sight.units[plot.target])
    )


def _back(sight: Position, frame: Frame, action: FireBack) -> Attack:
    return Attack("defensive", action.target, (Shot(action.unit, action.manner),))


def _charge(sight: Position, frame: Frame, action: CarryOut) -> Attack:
    return charge_of(sight, sight.setting.other[sight.units[action.target].side], action.attack, action.target)


_ATTACKS: Mapping[type[Action], Callable[[Position, Frame, Any], Attack | None]] = {
    Engage: _engage,
    AddFirer: _add,
    Fire: _together,
    React: _react,
    Join: _react,
    FireBack: _back,
    Designate: _plan,
    CarryOut: _charge,
}
"""The attack that each action would lead to, or join."""


def preview(sight: Position, frame: Frame, action: Action) -> Calculation | None:
    """The calculation that an action would lead to; None if it rolls no dice at once."""
    if isinstance(action, Recover):
        return attempt(sight, sight.units[action.unit])
    if isinstance(action, Strike):
        return strikes.preview(sight, action)
    if isinstance(action, GroundFire):
        return flak.ground_fire(sight, action.target)
    if isinstance(frame, AntiAircraftFire):
        return flak.preview(sight, frame, action)
    find = _ATTACKS.get(type(action))
    attack = find(sight, frame, action) if find else None
    return _calculated(sight, attack) if attack else None


def every_preview(sight: Position, frame: Frame, action: Action) -> Iterator[tuple[str, Calculation]]:
    """The calculation that an action would lead to, with the name of its target, or of the unit that rolls."""
    if found := preview(sight, frame, action):
        named = (getattr(one, field, "") for field in ("target", "unit") for one in (action, frame))
        yield next((str(name) for name in named if name), ""), found


def _calculated(sight: Position, attack: Attack) -> Calculation | None:
    """The calculation of an attack; None if one of its units, or the target, has left the table."""
    names = (attack.target, *(shot.unit for shot in attack.shots))
    if any(sight.units[name].at is None for name in names if name in sight.units):
        return None
    return calculation(sight, attack)


# --- under way ------------------------------------------------------------------------------------------------


def under_way(frame: Frame | None) -> Attack | None:
    """The direct attack to which firers are being added."""
    return Attack("direct", frame.target, frame.shots) if isinstance(frame, Attacking) else None


def building(sight: Position, frame: Frame | None) -> dict[str, Any] | None:
    """The attack or the move that is being put together, with its calculation so far."""
    if isinstance(frame, Moving):
        return kit.built("move", sight.units[frame.unit].at, (frame.unit,), (), None)
    if (attack := under_way(frame)) is None:
        return None
    made = calculation(sight, attack)
    units = [shot.unit for shot in attack.shots]
    return kit.built("direct", target_of(sight, attack.target).at, units, (attack.target,), made.to_json())
