"""The shots to which an action would lead, by the calculation of the chapter itself; the attack being put together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from opfire.core.actions import Action, Refusal
from opfire.core.events import Calculation, Cases
from opfire.core.flow import Frame
from opfire.kit import shown as kit
from opfire.rulesets.panzer.air import attacks, flak
from opfire.rulesets.panzer.air.attacks import AirAttack
from opfire.rulesets.panzer.air.flak import Flak
from opfire.rulesets.panzer.air.phase import Flying
from opfire.rulesets.panzer.charts import Stores
from opfire.rulesets.panzer.fire import overrun
from opfire.rulesets.panzer.fire.answering import Answer, ReturningFire
from opfire.rulesets.panzer.fire.answering import reckoned as reckon_answer
from opfire.rulesets.panzer.fire.arms import turned
from opfire.rulesets.panzer.fire.close_assault import Band
from opfire.rulesets.panzer.fire.close_combat import Assault, Assaulting, Close, bands, cannot_assault, reckoned
from opfire.rulesets.panzer.fire.direct_fire import Announce, Attacking, Resolve, cannot_hit, committed
from opfire.rulesets.panzer.fire.dismount_attack import DismountAttack, cannot_dismount_attack
from opfire.rulesets.panzer.fire.overrun import Overrun, cannot_overrun
from opfire.rulesets.panzer.fire.overwatch import Overwatch, OverwatchFire, turning
from opfire.rulesets.panzer.fire.shots import DEFENSIVE, DIRECT, shot
from opfire.rulesets.panzer.indirect import barrages
from opfire.rulesets.panzer.indirect.calling import AdjustFire, CallFire, ProbeFire
from opfire.rulesets.panzer.indirect.observers import cannot_observe, source
from opfire.rulesets.panzer.indirect.responding import response
from opfire.rulesets.panzer.moving import hull_down, narrow, quickmarch
from opfire.rulesets.panzer.moving.hull_down import Search
from opfire.rulesets.panzer.moving.movement import Moving
from opfire.rulesets.panzer.moving.narrow import Push
from opfire.rulesets.panzer.moving.quickmarch import Quickmarch
from opfire.rulesets.panzer.pieces import Position, Unit, UnitId, at_arms, seated
from opfire.rulesets.panzer.works import buildings
from opfire.rulesets.panzer.works.buildings import ComeOut, GoInside


def preview(sight: Position, frame: Frame, action: Action) -> Calculation | Cases | None:
    """The shot to which an action would lead, or all of them; a hidden move of the target is not counted."""
    found = tuple(every_preview(sight, frame, action))
    if len(found) == 1:
        return found[0][1]
    return Cases(found) if found else None


def every_preview(sight: Position, frame: Frame, action: Action) -> Iterator[tuple[str, Calculation]]:
    """Every shot to which an action would lead, with its firer."""
    match action, frame:
        case Assault(unit, target, via), _:
            if cannot_assault(sight, sight.units[unit].side, sight.units[unit], sight.units[target], via) is None:
                (band,) = bands(sight, (action,))
                yield sight.units[unit].name, reckoned(sight, band, sight.units[target])
        case DismountAttack(unit, passenger, hex, target), _:
            refused = target in sight.bailed or cannot_dismount_attack(sight, sight.units[unit], action)
            if not refused:  # 6.6.1.1.3-bail: there is nothing to roll for against an abandoned vehicle
                rider = replace(seated(sight, sight.units[passenger]), hex=hex)
                yield rider.name, reckoned(sight, Band((rider,), dismounted=True), sight.units[target])
        case Overrun(unit, target), _:
            if cannot_overrun(sight, sight.units[unit], sight.units[target]) is None:
                yield sight.units[unit].name, overrun.reckoned(sight, sight.units[unit], sight.units[target])
        case Push(unit, target), _:
            if narrow.cannot_push(sight, sight.units[unit], target) is None:
                yield sight.units[unit].name, narrow.shove(sight, sight.units[unit], target)
        case Search() | Quickmarch() | GoInside() | ComeOut(), _:
            yield from _of_move(sight, action)
        case Close(), Assaulting(_, target, assaults):
            for band in bands(sight, assaults):
                yield band.primary.name, reckoned(sight, band, sight.units[target])
        case CallFire() | AdjustFire(), _:
            yield from _response(sight, action)
        case ProbeFire(), _:
            yield from _probed(sight, action)
        case AirAttack(unit, target, stores), _:
            yield from _from_the_air(sight, sight.units[unit], sight.units[target], stores)
        case Flak(unit, target), _:
            if flak.cannot_engage(sight, sight.units[unit].side, sight.units[unit], sight.units[target]) is None:
                yield sight.units[unit].name, flak.calculation(sight, sight.units[unit], sight.units[target])
        case Announce(unit, target, weapon, pinning), _:
            firer = _ready(sight, frame, at_arms(sight, unit))
            watching = isinstance(frame, Overwatch | OverwatchFire)
            aimed = turned(sight, firer, sight.units[target]) if watching and sight.units[target].hex else firer
            if cannot_hit(sight, aimed, sight.units[target], weapon) is None:
                yield firer.name, shot(sight, firer, sight.units[target], watching, weapon, pinning=pinning)
        case Answer(unit, target, weapon), _:
            manner = DEFENSIVE if isinstance(frame, ReturningFire) else DIRECT
            made = reckon_answer(sight, sight.units[unit], sight.units[target], weapon, manner)
            if not isinstance(made, Refusal):
                yield sight.units[unit].name, made
        case Resolve(), Attacking(_, target, announced):
            yield from _announced(sight, target, announced)
        case Resolve(), OverwatchFire(_, _, announced):
            yield from _watching(sight, announced)


def _of_move(sight: Position, act: Search | Quickmarch | GoInside | ComeOut) -> Iterator[tuple[str, Calculation]]:
    """The roll to which an act of a move leads [6.6.9-who, 6.6.4.2-roll, 6.6.3-check]."""
    unit = sight.units[act.unit]
    match act:
        case Search(_, _, kind) if hull_down.cannot_search(sight, unit) is None:
            yield unit.name, hull_down.chance(sight, unit, kind)
        case Quickmarch() if quickmarch.cannot_quickmarch(sight, unit) is None:
            yield unit.name, quickmarch.exhaustion(sight, unit)
        case GoInside() if unit.is_vehicle and buildings.cannot_go_inside(sight, unit) is None:
            yield unit.name, buildings.risk(sight, unit)
        case ComeOut() if unit.inside and buildings.cannot_come_out(unit) is None:
            yield unit.name, buildings.risk(sight, unit)


def _ready(sight: Position, frame: Frame | None, unit: Unit) -> Unit:
    """A unit with the weapons that it has announced already [5.14]."""
    match frame:
        case Attacking(_, _, announced):
            return committed(unit, announced)
        case OverwatchFire(_, _, announced):
            return turning(sight, unit, announced)
    return unit


def _response(sight: Position, act: CallFire | AdjustFire) -> Iterator[tuple[str, Calculation]]:
    """The response of the firing unit to a call, if the observer can make it [6.5.1.12]."""
    observer, from_, target = at_arms(sight, act.unit), source(sight, act.firer), sight.units[act.target]
    adjusted = isinstance(act, AdjustFire)
    if from_ is not None and cannot_observe(observer.side, observer) is None and target.hex is not None:
        yield from_.name, response(sight, observer, from_, target.hex, adjusted=adjusted, target=target.id)


def _probed(sight: Position, act: ProbeFire) -> Iterator[tuple[str, Calculation]]:
    """The response of a battery to reconnaissance by fire [7.37]."""
    observer, guns = at_arms(sight, act.unit), source(sight, act.firer)
    if guns is not None and cannot_observe(observer.side, observer) is None:
        yield guns.name, response(sight, observer, guns, act.to, adjusted=False, blind=True)


def _from_the_air(sight: Position, plane: Unit, target: Unit, stores: Stores) -> Iterator[tuple[str, Calculation]]:
    """The roll against each unit in the pattern of an attack from the air [6.7.3.2-pattern]."""
    if attacks.cannot_attack(sight, plane.side, plane, target, stores) is None:
        made = attacks.blow(sight, plane, attacks.band_of(sight, plane, str(target.hex), stores), stores)
        for name in barrages.targets(sight, attacks.pattern(sight, plane, str(target.hex), stores)):
            yield sight.units[name].name, attacks.calculation(sight, made, sight.units[name])


def _announced(sight: Position, target: UnitId, announced: tuple[Announce, ...]) -> Iterator[tuple[str, Calculation]]:
    for number, each in enumerate(announced):
        firer = committed(at_arms(sight, each.unit), announced[:number])
        yield firer.name, shot(sight, firer, sight.units[target], False, each.weapon, pinning=each.pinning)


def _watching(sight: Position, announced: tuple[Announce, ...]) -> Iterator[tuple[str, Calculation]]:
    for number, each in enumerate(announced):
        firer = turning(sight, at_arms(sight, each.unit), announced[:number])
        yield firer.name, shot(sight, firer, sight.units[each.target], True, each.weapon, pinning=each.pinning)


def building(sight: Position, frame: Frame | None) -> dict[str, Any] | None:
    """The fire that is being announced, with the first of its shots; the vehicle that moves."""
    match frame:
        case Attacking(_, target, announced):
            _, first = next(_announced(sight, target, announced))
            return kit.built("direct", sight.units[target].hex, frame.firers, (target,), first.to_json())
        case OverwatchFire(_, target, announced):
            _, first = next(_watching(sight, announced))
            return kit.built("direct", sight.units[target].hex, frame.firers, frame.targets, first.to_json())
        case Flying(_, unit) if sight.units[unit].airborne.hex:
            return kit.built("move", sight.units[unit].airborne.hex, (unit,), (), None)
        case Moving(_, unit):
            return kit.built("move", sight.units[unit].hex, (unit,), (), None)
    return None
