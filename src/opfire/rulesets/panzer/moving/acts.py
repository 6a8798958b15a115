"""The acts that a unit may do next in its move, and the refusal of all others [4.5.1, 6.6, 7.60]."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from opfire.core.actions import Action, Refusal
from opfire.rulesets.panzer import escorts
from opfire.rulesets.panzer.fire import dismount_attack, trailer, turrets
from opfire.rulesets.panzer.fire.dismount_attack import DismountAttack, cannot_dismount_attack
from opfire.rulesets.panzer.fire.overrun import Overrun, cannot_overrun, within_walls
from opfire.rulesets.panzer.fire.trailer import Jettison
from opfire.rulesets.panzer.fire.turrets import AdjustTurret
from opfire.rulesets.panzer.moving import (
    costs,
    hull_down,
    narrow,
    searching,
    transport,
)
from opfire.rulesets.panzer.moving.costs import Step
from opfire.rulesets.panzer.moving.going import (
    Escort,
    ExitMap,
    Going,
    Move,
    Stay,
    Turn,
    after,
    allowed_to,
    cannot_adjust,
    cannot_begin,
    cannot_climb,
    cannot_handle,
    cannot_pass,
    cannot_stop,
    cannot_turn,
    exits,
    must_follow_road,
    stepped,
    too_far,
    too_late,
)
from opfire.rulesets.panzer.moving.hull_down import Search
from opfire.rulesets.panzer.moving.narrow import Push
from opfire.rulesets.panzer.moving.quickmarch import Quickmarch
from opfire.rulesets.panzer.moving.searching import FollowSound, Roam
from opfire.rulesets.panzer.moving.transport import Dismount, JumpOff, Mount
from opfire.rulesets.panzer.pieces import (
    Position,
    Unit,
)
from opfire.rulesets.panzer.works import buildings, hedges
from opfire.rulesets.panzer.works.buildings import ChangeFloor, ComeOut, GoInside
from opfire.rulesets.panzer.works.hedges import DigHedge

WAYS = (
    *(Move, Turn, ExitMap, Stay, Quickmarch, Search, GoInside, ComeOut, ChangeFloor),
    *(
        Mount,
        Dismount,
        JumpOff,
        DismountAttack,
        Overrun,
        AdjustTurret,
        DigHedge,
        Push,
        Jettison,
        Escort,
        Roam,
        FollowSound,
    ),
)
"""The acts of a move."""


def ways_on(position: Position, unit: Unit, going: Going) -> Iterator[Action]:
    """Everything that a moving vehicle may do next; one on Random Recon has its course first [7.60.1-dir]."""
    if going == Going() and searching.searches(position, unit):
        yield Roam(unit.id)
        yield from searching.sounds(position, unit)
        return
    yield from plain_ways(position, unit, going)


def plain_ways(position: Position, unit: Unit, going: Going) -> Iterator[Action]:
    """Everything that a vehicle may do next that is not on Random Recon, or has its course."""
    for neighbour in position.map.neighbours[str(unit.hex)]:
        if neighbour is not None:
            for along in (False, True):
                move = Move(unit.id, neighbour, along)
                if not isinstance(after(position, unit, move, going), Refusal):
                    yield move
    if unit.is_vehicle and position.setting.advanced:
        targets = [enemy.id for enemy in position.enemies(unit.side) if not enemy.is_vehicle]
        found = (Overrun(unit.id, target, along) for target in targets for along in (False, True))
        yield from (act for act in found if cannot_go_on(position, unit, act, going) is None)
    begun: list[Quickmarch | Search] = []
    if going == Going() and cannot_escort(position, unit, going) is None:
        yield Escort(unit.id)
    if going == Going():
        begun = [Quickmarch(unit.id), *hull_down.searches(position, unit)]
        if hedges.OPTION in position.setting.options:
            hexes = (hex for hex in position.map.neighbours[str(unit.hex)] if hex)
            digs = (DigHedge(unit.id, hex) for hex in hexes)
            yield from (dig for dig in digs if cannot_go_on(position, unit, dig, going) is None)
        yield from narrow.pushes(position, unit)
    yield from (act for act in begun if cannot_begin(position, unit, act, going) is None)
    yield from (act for act in dismount_attack.ways(position, unit) if cannot_go_on(position, unit, act, going) is None)
    yield from (act for act in turrets.swings(position, unit) if cannot_go_on(position, unit, act, going) is None)
    walls = (GoInside(unit.id), ComeOut(unit.id), ChangeFloor(unit.id))
    yield from (act for act in walls if cannot_go_on(position, unit, act, going) is None)
    turns = (Turn(unit.id, facing) for facing in range(6) if facing != unit.facing)
    yield from (turn for turn in turns if cannot_turn(position, unit, turn.facing, going) is None)
    yield from (way for way in transport.ways(position, unit) if cannot_go_on(position, unit, way, going) is None)
    for last in (Jettison(unit.id), ExitMap(unit.id), Stay(unit.id)):
        if cannot_go_on(position, unit, last, going) is None:
            yield last


def cannot_go_on(position: Position, unit: Unit, action: Action, going: Going) -> Refusal | None:
    """Refuse the next act of a move; units on Random Recon roll for it, or follow a sound [7.60.1-dir]."""
    seeks = going == Going() and searching.searches(position, unit)
    if seeks != isinstance(action, Roam | FollowSound):
        text = "{} is on Random Recon: roll first" if seeks else "{} is not on Random Recon, or has begun its move"
        return Refusal(text, "7.60.1-dir", (unit.name,))
    return cannot_act(position, unit, action, going)


def cannot_act(position: Position, unit: Unit, action: Action, going: Going) -> Refusal | None:
    """Refuse the next act of a move by the rules of that act."""
    match action:
        case Roam():
            return None
        case FollowSound():
            return searching.cannot_follow(position, unit, action)
        case Move():
            found = after(position, unit, action, going)
            return found if isinstance(found, Refusal) else None
        case Overrun():
            return cannot_drive_over(position, unit, action, going)
        case DismountAttack():
            left = allowed_to(position, unit, going) - going.spent
            return too_late(position, unit, going, left) or cannot_dismount_attack(position, unit, action)
        case Escort():
            return cannot_escort(position, unit, going)
        case ChangeFloor():
            return cannot_climb(position, unit, going)
        case AdjustTurret(_, facing):
            return cannot_adjust(position, unit, facing, going)
        case DigHedge(_, hex):
            begun = Refusal("{} has begun its move", "7.45", (unit.name,)) if going != Going() else None
            return begun or hedges.cannot_dig_in(position, unit, hex)
        case Jettison():
            return trailer.cannot_jettison(position, unit)
        case Push(_, target):
            begun = Refusal("{} has begun its move", "7.30-push", (unit.name,)) if going != Going() else None
            return begun or narrow.cannot_push(position, unit, target)
        case Turn(_, facing):
            return cannot_turn(position, unit, facing, going)
        case ExitMap():
            return exits(position, unit, going)
        case Mount() | Dismount():
            return cannot_handle(position, unit, action, going)
        case Quickmarch() | Search():
            return cannot_begin(position, unit, action, going)
        case GoInside() | ComeOut():
            return cannot_pass(position, unit, action, going)
        case JumpOff():
            return transport.cannot(position, unit, action)
    return cannot_stop(position, unit) or must_follow_road(position, unit, going)


def cannot_escort(position: Position, unit: Unit, going: Going) -> Refusal | None:
    """Refuse Assault Cover in the middle of a move, or without leg units that share the command [7.49-cond]."""
    if going == Going() and escorts.followers(position, unit):
        return None
    return Refusal("Nobody begins a move under the cover of {}", "7.49-cond", (unit.name,))


def cannot_drive_over(position: Position, unit: Unit, act: Overrun, going: Going) -> Refusal | None:
    """Refuse an Overrun of a unit that cannot be overrun, or into a hex that cannot be entered [6.6.10-target].

    The target is spotted before the vehicle sets off.
    """
    target = position.units[act.target]
    if refusal := cannot_overrun(position, replace(unit, hex=going.start or unit.hex), target):
        return refusal
    found = driven_over(position, unit, act, going)
    return found if isinstance(found, Refusal) else None


def driven_over(position: Position, unit: Unit, act: Overrun, going: Going) -> Going | Refusal:
    """The move with the step of an Overrun more: into a building it costs that instead of the alley [6.6.10-bldg].

    Men on foot do not bar a road; no road leads into a building [6.6.4.1-block, 6.6.3-check].
    """
    target = position.units[act.target]
    hex = str(target.hex)
    move = Move(unit.id, hex, act.along_road)
    if any(other.is_vehicle and other.side != unit.side for other in position.at(hex)):
        gone = after(position, unit, move, going)
    else:
        gone = stepped(position, unit, move, going)  # 7.30-enter: by Overrun alone
    if isinstance(gone, Refusal) or not within_walls(position, target):
        return gone
    if act.along_road:
        return Refusal("A move is along the road or across country from its first step on", "4.5.1.1.5", ())
    way = position.map.direction(str(unit.hex), hex)
    if way is None or costs.ahead_or_back(unit.facing, way) == "reverse":
        return Refusal("{} does not enter buildings in reverse", "6.6.3-who", (unit.name,))
    alley = position.setting.ground.entry(hex, unit.vehicle.traction) or 0
    dearer = gone._replace(spent=gone.spent + buildings.cost(position, replace(unit, hex=hex)) - alley)
    return too_far(position, unit, going, dearer, Step(dearer.spent - going.spent)) or dearer
