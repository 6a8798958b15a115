"""Cavalry [STD-16]: it rides, dismounts, and fights on foot; a marker shows where its horses stand."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from msgspec.structs import replace

from opfire.core.actions import Action, Refusal
from opfire.core.events import Event
from opfire.core.game import Game
from opfire.rulesets.panzerblitz_miniatures.charts import Charts, Kind
from opfire.rulesets.panzerblitz_miniatures.equipment import allowance
from opfire.rulesets.panzerblitz_miniatures.moving.marching import cannot_begin
from opfire.rulesets.panzerblitz_miniatures.moving.opportunity import spend_here, under_way
from opfire.rulesets.panzerblitz_miniatures.moving.works import Work
from opfire.rulesets.panzerblitz_miniatures.pieces import ADJACENT, Position, Side, Stand, UnitId
from opfire.space.measure import square


class Dismount(Action, frozen=True):
    """Leave the horses where the stand is, and go on foot from its next movement phase on [STD-16]."""

    says = "{unit} dismounts"
    kind = "load"
    unit: UnitId


class Mount(Action, frozen=True):
    """Mount the horses beside the stand again [STD-16]."""

    says = "{unit} mounts"
    kind = "load"
    unit: UnitId


def on_foot(charts: Charts, kind: Kind) -> Kind:
    """The values of dismounted cavalry: those of its counter, with the movement of infantry [STD-16]: RULINGS.md R108.

    The movement is as a counter of the same scale would print it.
    """
    points, scale = charts.named["dismounted movement"], charts.scales[kind.scale]
    printed = next(number for number in count(1) if allowance(scale, number) >= points)
    return replace(kind, type="infantry", movement=printed, quick_march=True)


def half(position: Position, unit: Stand) -> int:
    """The points (10^-6) for dismounting and mounting: half of the allowance on horseback, as for loading [TRN-5]."""
    return position.allowance(replace(unit, kind=unit.counter)) // 2


def horses_beside(position: Position, unit: Stand) -> Work | None:
    """The horses of its side that a stand can mount: those adjacent to it."""
    assert unit.at is not None
    herd = (work for work in position.works.values() if work.kind == "horses" and work.side == unit.side)
    reach = (position.setting.base + ADJACENT) ** 2
    return min((work for work in herd if square(work.at, unit.at) <= reach), key=lambda work: work.id, default=None)


# --- checks -------------------------------------------------------------------------------------------------


def cannot_change(position: Position, side: Side, action: Dismount | Mount) -> Refusal | None:
    """Reject a stand that does not dismount, or mount, now [STD-16]."""
    unit = position.units[action.unit]
    if refusal := cannot_begin(position, side, unit):
        return refusal
    if unit.handled:
        return Refusal("{} has mounted in this phase", "STD-16", (unit.name,))
    return _cannot_mount(position, unit) if isinstance(action, Mount) else _cannot_dismount(position, unit)


def _cannot_dismount(position: Position, unit: Stand) -> Refusal | None:
    """Reject a stand without horses, and one that has spent more than half of its points [STD-16]."""
    if refusal := no_cavalry(unit):
        return refusal
    if position.allowance(unit) - unit.spent < half(position, unit):
        return Refusal("{} needs half of its allowance to dismount, and has spent too much", "STD-16", (unit.name,))
    return None


def no_cavalry(unit: Stand) -> Refusal | None:
    """Reject a stand that is not on horseback [STD-16]."""
    return None if unit.kind.type == "cavalry" else Refusal("{} is not on horseback", "STD-16", (unit.name,))


def _cannot_mount(position: Position, unit: Stand) -> Refusal | None:
    """Reject a stand without horses beside it, and one that has marched in this phase [STD-16]."""
    if unit.rode is None:
        return Refusal("{} is no dismounted cavalry", "STD-16", (unit.name,))
    if unit.spent:
        return Refusal("{} has moved in this phase: it mounts before it moves", "STD-16", (unit.name,))
    if horses_beside(position, unit) is None:
        return Refusal("{} has no horses beside it", "STD-16", (unit.name,))
    return None


def offers(position: Position, unit: Stand) -> Iterator[Dismount | Mount]:
    """Dismounting or mounting, where the stand may do it."""
    if unit.kind.type != "cavalry" and unit.rode is None:
        return
    both: tuple[Dismount | Mount, ...] = (Dismount(unit.id), Mount(unit.id))
    yield from (action for action in both if cannot_change(position, unit.side, action) is None)


# --- carrying out -------------------------------------------------------------------------------------------


def play(game: Game[Position], action: Dismount | Mount) -> None:
    """Dismount or mount; both cost half of the allowance on horseback [STD-16]."""
    if isinstance(action, Mount):
        _mount(game, action.unit)
    else:
        _dismount(game, action.unit)


def dismounted(position: Position, unit_id: UnitId) -> None:
    """Give a stand the values of its riders on foot [STD-16]."""
    kind = position.units[unit_id].kind
    position.change(unit_id, kind=on_foot(position.charts, kind), rode=kind)


def _dismount(game: Game[Position], unit_id: UnitId) -> None:
    """The horses stay, the riders go no farther in this phase [STD-16]."""
    position = game.state
    unit = position.units[unit_id]
    assert unit.at is not None
    price = half(position, unit)
    position.lay(Work(_free_id(position, unit_id), "horses", unit.at, unit.side))
    dismounted(position, unit_id)
    position.change(unit_id, handled="unloaded", moved=True)
    game.tell(Event("transport", "{} dismounts", (unit.name,), "STD-16", (unit_id,), (unit.at,)))
    spend_here(position, position.units[unit_id], price)
    position.progress = replace(under_way(position), halted=True)


def _free_id(position: Position, unit_id: UnitId) -> str:
    """An id for horses; a stand may have left other horses before."""
    names = (f"horses of {unit_id}" + (f", {number}" if number > 1 else "") for number in count(1))
    return next(name for name in names if name not in position.works)


def _mount(game: Game[Position], unit_id: UnitId) -> None:
    """The riders take the horses beside them, and may ride on with the rest of their points [STD-16]."""
    position = game.state
    unit = position.units[unit_id]
    horses = horses_beside(position, unit)
    assert horses is not None
    price = half(position, unit)
    position.remove(horses.id)
    position.change(unit_id, kind=unit.counter, rode=None, handled="loaded")
    game.tell(Event("transport", "{} mounts", (unit.name,), "STD-16", (unit_id,), (horses.at,)))
    spend_here(position, position.units[unit_id], price)
