"""The knowledge of a side [6.8, 16.6, 16.7]: hidden units, secret tank leaders, face-down minefields."""

from __future__ import annotations

import random
from collections.abc import Mapping, Set
from typing import TypeVar

from msgspec.structs import replace

from opfire.core.flow import Frame
from opfire.kit import stacks
from opfire.rulesets.panzer_grenadier.pieces import Activation, Hex, Mine, Position, Side, Unit, UnitId, Works
from opfire.rulesets.panzer_grenadier.setup.placing import unfit
from opfire.rulesets.panzer_grenadier.setup.roster import has_tank_leader
from opfire.rulesets.panzer_grenadier.setup.setting_up import SetUp

T = TypeVar("T")


def sight(position: Position, side: Side) -> Position:
    """The position as a side may know it; a spectator has the common knowledge of both."""
    seen, made, units = position.copy(), position.setting, position.units
    for other in made.sides:
        if other != side:
            for unit in position.pick(made.secret_leaders[other]):
                if not unit.disclosed:
                    seen.units[unit.id] = replace(unit, tank_leader=None)
            for unit in [unit for name in made.ids[other] if (unit := units[name]).hidden]:
                _take_off(seen, unit)
    if position.activation is not None and position.activation.side != side:
        seen.activation = _as_announced(seen, position.activation)
    for hex, works in position.works.items():
        if works.mines and any(mine.side != side and not mine.face_up for mine in works.mines):
            seen.works[hex] = _face_down(works, side)
    if sent := position.sectors.sent:  # 18.31: RULINGS.md P129
        own = tuple(row for row in sent if position.units[row[0]].side == side)
        seen.sectors = replace(position.sectors, sent=own)
    return seen


def _as_announced(seen: Position, active: Activation) -> Activation:
    """The enemy's activation with hidden units, hidden leaders [16.6] and secretly led units removed [6.8]."""
    units = seen.units
    lurking = {name for name in active.roles if units[name].hidden}
    unknown = active.unseen | lurking
    led = frozenset(name for name in active.led if units[name].tank_leader is not None)
    return replace(
        active,
        roles=_without(lurking, active.roles),
        led=led - unknown,
        began=_without(lurking, active.began),
        finished={name: None for name in active.finished if name not in lurking},
        mounted=active.mounted - unknown,
        spent=_without(lurking, active.spent),
        alone=frozenset(),
        unseen=frozenset(),
        called={},
    )


def _without(lurking: Set[UnitId], facts: Mapping[UnitId, T]) -> dict[UnitId, T]:
    """Facts about units, without those of the lurking."""
    return {name: fact for name, fact in facts.items() if name not in lurking}


def _take_off(seen: Position, unit: Unit) -> None:
    """Take a hidden unit off the map: its presence and type are known [16.6], its hex and state are not."""
    stacks.leave(seen.stacks, unit)
    seen.units[unit.id] = Unit(
        id=unit.id,
        side=unit.side,
        name=unit.name,
        kind=unit.kind,
        officer=unit.officer,
        morale=unit.morale,
        status=unit.status,
        tank_leader=seen.units[unit.id].tank_leader,
        hidden=True,
        player=unit.player,
        country=unit.country,
    )


def _face_down(works: Works, side: Side) -> Works:
    mines = (mine if mine.side == side or mine.face_up else replace(mine, strength=None) for mine in works.mines)
    return replace(works, mines=tuple(mines))


def imagined(
    seen: Position, stack: tuple[Frame, ...], side: Side, rng: random.Random
) -> tuple[Position, tuple[Frame, ...]]:
    """A position that agrees with what a side sees: secrets of the others drawn at random."""
    position = seen.copy()
    unset = {frame.side for frame in stack if isinstance(frame, SetUp)}
    for other in position.setting.sides:
        if other != side and other not in unset:
            _hide_somewhere(position, other, rng)
            _give_tank_leaders(position, other, rng)
    _strengthen_mines(position, side, rng)
    return position, stack


def _hide_somewhere(position: Position, side: Side, rng: random.Random) -> None:
    """Put the side's hidden units into free hexes of their zones."""
    for unit in position.pick(position.setting.ids[side]):
        if unit.hidden and unit.hex is None and unit.status == "on the map" and unit.carrier is None:
            zone = sorted(position.setting.zones.get(unit.id, ()))
            free = [hex for hex in zone if unfit(position, unit, hex) is None]
            if free:
                position.put(unit.id, free[int(rng.random() * len(free))])


def _give_tank_leaders(position: Position, side: Side, rng: random.Random) -> None:
    """Give the tank leaders that have not shown themselves to AFVs that may have them."""
    made, units = position.setting, position.pick(position.setting.ids[side])
    shown = [unit.kind for unit in units if unit.disclosed and unit.kind is not None]
    left = made.instructions.sides[side].tank_leaders - sum(not has_tank_leader(made, side, kind) for kind in shown)
    maybe = [unit.id for unit in units if unit.tank_leader is None]
    chosen = set(rng.sample(maybe, max(0, min(left, len(maybe)))))
    for name in maybe:
        position.change(name, tank_leader=name in chosen)


def _strengthen_mines(position: Position, side: Side, rng: random.Random) -> None:
    """Give the face-down markers that the side does not know strengths from the cup."""
    cup = [row.strength for row in position.charts.mine_markers.values() for _ in range(row.count)]

    def known(mine: Mine) -> Mine:
        return mine if mine.strength is not None else replace(mine, strength=cup[int(rng.random() * len(cup))])

    places: list[Hex] = [hex for hex, works in position.works.items() if works.mines]
    for hex in places:
        position.change_works(hex, mines=tuple(known(mine) for mine in position.work(hex).mines))
