"""The reach of a unit on the ground, shown at the table before its move [4.5.1.1]."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import msgspec
from msgspec.structs import replace

from opfire.core.actions import Action, Refusal
from opfire.core.flow import Frame
from opfire.rulesets.panzer.fire.overwatch import might_watch
from opfire.rulesets.panzer.indirect import barrages
from opfire.rulesets.panzer.moving import legs, searching
from opfire.rulesets.panzer.moving.going import (
    Going,
    Move,
    Turn,
    after,
    after_turn,
    allowed_to,
    cannot_move_now,
    cannot_stop,
    cannot_turn,
    must_follow_road,
)
from opfire.rulesets.panzer.moving.movement import Moving
from opfire.rulesets.panzer.pieces import Hex, Position, Side, Unit, UnitId, gunners
from opfire.rulesets.panzer.works import minefields
from opfire.space.hexes import opposite
from opfire.space.paths import path, reachable


@dataclass(frozen=True)
class Node:
    """A place on the way of a move, with all that decides how it can go on: nodes differ in no more than that.

    `along` counts the hexes by path, by road and by track, on which the allowance depends [4.5.1.1.5-a]; `acts` lead
    here from the node before.
    """

    hex: Hex
    facing: int
    along: tuple[int, int, int]
    going: Going = field(compare=False)
    acts: tuple[Action, ...] = field(compare=False, default=())


def reach(sight: Position, side: Side, *, unit: UnitId, frame: Frame | None = None) -> dict[str, Any]:
    """The hexes in which a unit can end its move, with cost, what is left, path, steps and the enemies that may fire.

    A step that rolls dice, or in which something is met, ends the way that is shown: it is played by itself.
    """
    mover = sight.units[unit]
    under_way = frame if isinstance(frame, Moving) and frame.unit == unit else None
    going = under_way.going if under_way else Going()
    if mover.hex is None or _led_by_dice(sight, mover, under_way):
        return {"places": []}
    if not under_way and (mover.side != side or cannot_move_now(side, mover) is not None):
        return {"places": []}
    start = Node(mover.hex, mover.facing, _along(going), going)
    found = reachable(start, lambda node: _onward(sight, mover, node))
    ends: dict[Hex, Node] = {}
    for node in found:
        there = _standing(mover, node)
        best = ends.get(node.hex)
        stops = cannot_stop(sight, there) is None and must_follow_road(sight, there, node.going) is None
        if node.hex != mover.hex and stops:
            if best is None or _left(sight, there, node) > _left(sight, there, best):
                ends[node.hex] = node
    places = [_shown(sight, mover, path(found, node)) for node in ends.values()]
    return {"rule": _factor(mover), "counted": "factors", "places": places}


def _factor(unit: Unit) -> str:
    """The rule of the Movement Factor of a vehicle, a leg unit or a towed unit."""
    return "4.5.1.1.1" if unit.is_vehicle else "6.6.4.1-mf" if unit.is_leg else "6.6.5"


def _led_by_dice(position: Position, unit: Unit, under_way: Moving | None) -> bool:
    """Return whether dice or others decide the next step: Random Recon, a party under cover, a wall broken out of."""
    if under_way and (under_way.course or under_way.party or under_way.back):
        return True
    return unit.inside or (under_way is None and searching.searches(position, unit))


def _along(going: Going) -> tuple[int, int, int]:
    return going.paths, going.roads, going.tracks


def _standing(unit: Unit, node: Node) -> Unit:
    """The unit as it would stand at a node."""
    return replace(unit, hex=node.hex, facing=node.facing)


def _left(position: Position, unit: Unit, node: Node) -> int:
    """The movement that is left at a node; none after the one hex that can always be moved [4.5.1.1.3]."""
    return max(0, allowed_to(position, unit, node.going) - node.going.spent)


def _onward(position: Position, unit: Unit, node: Node) -> Iterator[tuple[Node, int]]:
    """The nodes one step further, with their prices; the way ends where something would be met."""
    mover = _standing(unit, node)
    if node.hex != unit.hex and _meets(position, mover):
        return
    for way, to in enumerate(position.map.neighbours[node.hex]):
        if to is None or any(other.side != unit.side for other in position.at(to)):
            continue
        for facing in _facings(mover, way, node.going):
            yield from _steps(position, mover, node, facing, to)


def _meets(position: Position, unit: Unit) -> bool:
    """Return whether mines or a barrage are met where the unit would stand [7.31.2, 6.6.6]."""
    return bool(minefields.field_in(position, unit, str(unit.hex)) or barrages.lying(position, str(unit.hex)))


def _facings(unit: Unit, way: int, going: Going) -> tuple[int, ...]:
    """The facings from which a step leads that way: forward, or in reverse as the vehicle stands or its road bends.

    Rules: [4.5.1.1, 4.5.1.1.5].
    """
    if legs.on_foot(unit):
        return (unit.facing,)
    if going.backed and any(_along(going)):
        return way, opposite(way)
    return (way, unit.facing) if unit.facing == opposite(way) else (way,)


def _steps(position: Position, unit: Unit, node: Node, facing: int, to: Hex) -> Iterator[tuple[Node, int]]:
    """The step into a hex, across country and along the road, after the turn that it needs."""
    acts: tuple[Action, ...] = ()
    going = node.going
    if facing != unit.facing:
        if cannot_turn(position, unit, facing, going) is not None:
            return
        going = after_turn(position, unit, facing, going)
        unit, acts = replace(unit, facing=facing), (Turn(unit.id, facing),)
    for along_road in (False, True):
        move = Move(unit.id, to, along_road)
        gone = after(position, unit, move, going)
        if not isinstance(gone, Refusal):
            yield Node(to, facing, _along(gone), gone, (*acts, move)), gone.spent - node.going.spent


def _shown(position: Position, unit: Unit, way: list[Node]) -> dict[str, Any]:
    """An end of a move, as the table shows it."""
    end = way[-1]
    there = _standing(unit, end)
    return {
        "place": end.hex,
        "cost": end.going.spent - way[0].going.spent,
        "left": _left(position, there, end),
        "path": [node.hex for node in way],
        "steps": [msgspec.to_builtins(act) for node in way for act in node.acts],
        "fire": [*_watchers(position, there)],
    }


def _watchers(position: Position, unit: Unit) -> Iterator[UnitId]:
    """The enemies that may fire from overwatch where the unit would stand, as far as its side knows [4.4.2]."""
    moving = replace(unit, moving=True, fresh="move")
    other = position.setting.other[unit.side]
    yield from (enemy.id for enemy in gunners(position, other) if might_watch(position, enemy, moving))
