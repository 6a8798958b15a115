"""Rides [5.6]: carriers load units that have far to go, and set them down before they can be fired at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from opfire.core.actions import Action
from opfire.core.ruleset import Suggestion
from opfire.core.texts import Text, Words
from opfire.rulesets.panzer_grenadier.command.activation import of_his_kind
from opfire.rulesets.panzer_grenadier.movement.costs import allowance, left_of
from opfire.rulesets.panzer_grenadier.movement.moving import Move, Stop
from opfire.rulesets.panzer_grenadier.movement.transport import Load, Unload, cannot_carry, towed
from opfire.rulesets.panzer_grenadier.pieces import Hex, Role, Unit, UnitId, overstacked
from opfire.rulesets.panzer_grenadier.thinking.mind import Mind
from opfire.rulesets.panzer_grenadier.thinking.moving import INERTIA, LOOKED_AT, best_way, cannot_go, worth_of
from opfire.rulesets.panzer_grenadier.thinking.paths import ways
from opfire.space.paths import path

TROUBLE = 0.05  # the least gain of a ride beyond walking


class Ride(msgspec.Struct, frozen=True):
    """A ride within one segment: its gain beyond walking, its units, the steps, the reason."""

    worth: float
    carrier: UnitId
    riders: tuple[UnitId, ...]
    actions: tuple[Action, ...]
    why: Words


def best_ride(mind: Mind, carrier: Unit, near: Sequence[Unit], led: bool, left: int) -> Ride | None:
    """The best ride on a carrier: for a unit near it, or for its passenger."""
    position = mind.position
    if not carrier.transport or not carrier.good_order or cannot_go(mind, carrier):
        return None
    aboard = [one for one in position.pick(carrier.cargo) if not one.leader]
    found = [_ride(mind, carrier, unit, near, led, left) for unit in aboard or near if _may_ride(mind, carrier, unit)]
    return max((ride for ride in found if ride is not None), key=lambda ride: ride.worth, default=None)


def _may_ride(mind: Mind, carrier: Unit, unit: Unit) -> bool:
    """Whether the unit is of those on foot, and has a place or could have one."""
    if unit.leader or unit.transport or towed(unit) or not unit.good_order or unit.dug_in > 1:
        return False
    return unit.carrier == carrier.id or (not unit.marked and cannot_carry(mind.position, carrier, unit) is None)


def _ride(mind: Mind, carrier: Unit, unit: Unit, near: Sequence[Unit], led: bool, left: int) -> Ride | None:
    """The best hex to set the unit down, if that is better than to walk."""
    position, here = mind.position, str(carrier.hex)
    riders = (unit, *_company(mind, carrier, unit, near)) if unit.carrier is None else (unit,)
    boarding = 2 * position.charts.figure("loading") * len(riders)
    points = min(left, allowance(position, carrier)) - boarding * (2 if unit.carrier is None else 1)
    if points <= 0:
        return None
    on_foot = msgspec.structs.replace(unit, carrier=None)
    found = ways(mind, carrier, points, led)
    ranked = sorted(found, key=mind.pulls(on_foot).__getitem__, reverse=True)[:LOOKED_AT]
    walk = best_way(mind, unit, led) if unit.carrier is None else None
    least = worth_of(mind, on_foot, here) + INERTIA + TROUBLE + (max(0.0, walk.worth) if walk is not None else 0.0)
    best: Ride | None = None
    for hex in ranked:
        gained = worth_of(mind, on_foot, hex) - least
        if hex != here and gained > (best.worth if best is not None else 0.0):
            way = path(found, hex)
            if _is_safe(mind, (carrier, unit), way[1:]) and not overstacked(position, unit, hex):
                best = _by(carrier, riders, way, gained)
    return best


def _company(mind: Mind, carrier: Unit, unit: Unit, near: Sequence[Unit]) -> Iterator[Unit]:
    """A leader comes along who has no other unit to lead in his hex."""
    others = [one for one in mind.stacks.get(str(carrier.hex), []) if one.id not in (unit.id, carrier.id)]
    for leader in near:
        if leader.leader and not others and leader.good_order and not leader.marked and of_his_kind(leader, unit):
            if cannot_carry(mind.position, carrier, leader) is None:
                yield leader
                return


def _is_safe(mind: Mind, units: Sequence[Unit], way: Sequence[Hex]) -> bool:
    """Whether no unit on the way can be fired at."""
    return not any(mind.threats(unit, mind.sort(unit), hex) for hex in way for unit in units)


def _by(carrier: Unit, riders: Sequence[Unit], way: Sequence[Hex], worth: float) -> Ride:
    names = tuple(unit.id for unit in riders)
    actions = (
        *(Load(carrier.id, unit.id) for unit in riders if unit.carrier is None),
        *(Move(carrier.id, hex) for hex in way[1:]),
        *(Unload(name) for name in names),
        Stop(carrier.id),
    )
    why = Text("{} rides to {}, {:+.2f} better than on foot", (riders[0].name, way[-1], worth))
    return Ride(worth, carrier.id, names, actions, why)


# --- in a plan and in the segment -----------------------------------------------------------------------------------


def rides(mind: Mind, members: Mapping[UnitId, bool], roles: Mapping[UnitId, Role]) -> Iterator[Ride]:
    """The rides that these could make if they were activated together; each rides once.

    `members` tells which are led; units that fire or recover do not ride.
    """
    units = [unit for unit in mind.position.pick(members) if roles.get(unit.id, "move") == "move"]
    taken: set[UnitId] = set()
    for carrier in units:
        if carrier.transport and carrier.hex is not None and not carrier.marked:
            near = [one for one in units if one.hex == carrier.hex and one.id not in taken]
            ride = best_ride(mind, carrier, near, members[carrier.id], allowance(mind.position, carrier))
            if ride is not None:
                taken.update(ride.riders)
                yield ride


def performing(mind: Mind, choices: Sequence[Action]) -> list[Suggestion]:
    """Rides before walks; a passenger left aboard gets off."""
    position, active = mind.position, mind.position.activation
    assert active is not None
    near: dict[UnitId, list[Unit]] = {}
    for action in choices:
        if isinstance(action, Load):
            near.setdefault(action.carrier, []).append(position.units[action.unit])
        if isinstance(action, Unload):
            near.setdefault(str(position.units[action.unit].carrier), [])
    found = []
    for name, units in near.items():
        carrier = position.units[name]
        ride = best_ride(mind, carrier, units, name in active.led, left_of(position, carrier))
        if ride is not None and ride.actions[0] in choices:
            found.append(Suggestion(ride.actions[0], ride.worth, ride.why, ride.actions[1:]))
    return sorted(found, key=lambda each: -each.worth) or getting_off(mind, choices)


def getting_off(mind: Mind, choices: Sequence[Action]) -> list[Suggestion]:
    """Foot units leave their carrier when the ride is over."""
    offs = [action for action in choices if isinstance(action, Unload)]
    return [
        Suggestion(action, 0.1, "the ride is over") for action in offs if not towed(mind.position.units[action.unit])
    ]
