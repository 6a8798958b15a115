"""The possible meanings of a click on units and hexes, impossible ones too, so that "why not?" has an answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from opfire.core.actions import Action
from opfire.core.flow import Frame
from opfire.kit import boards
from opfire.kit.setup import StartAboard
from opfire.rulesets.panzer_grenadier.assault import assaulting
from opfire.rulesets.panzer_grenadier.command import sectors
from opfire.rulesets.panzer_grenadier.command.activation import (
    Activate,
    ActivateLeader,
    ActivateStack,
    Designate,
    directs,
)
from opfire.rulesets.panzer_grenadier.command.designating import Designating
from opfire.rulesets.panzer_grenadier.command.performing import Performing
from opfire.rulesets.panzer_grenadier.command.segment import ActionSegment
from opfire.rulesets.panzer_grenadier.fire import aircraft, antitank, bombardment, direct, losses, offboard
from opfire.rulesets.panzer_grenadier.fire.reaction import OpportunityFire, ShootAntiTank, ShootDirect
from opfire.rulesets.panzer_grenadier.morale import flight
from opfire.rulesets.panzer_grenadier.morale.recovery import Recover
from opfire.rulesets.panzer_grenadier.movement.moving import EnterMap, GoAlong, Move, Moving
from opfire.rulesets.panzer_grenadier.movement.transport import Load, Unload
from opfire.rulesets.panzer_grenadier.pieces import Hex, Position, Side, Unit, UnitId
from opfire.rulesets.panzer_grenadier.setup.placing import Place
from opfire.rulesets.panzer_grenadier.setup.setting_up import SetUp
from opfire.rulesets.panzer_grenadier.works.fieldworks import DigIn


def meant(sight: Position, side: Side, frame: Frame, what: Iterable[str]) -> list[Action]:
    """Actions that a click on these units or hexes could mean, impossible ones too."""
    found = _meanings(sight, frame, *boards.clicked(sight, side, what))
    return list(dict.fromkeys(action for action in found if isinstance(action, frame.takes)))


def _meanings(
    sight: Position, frame: Frame, own: list[UnitId], others: list[UnitId], hexes: list[Hex]
) -> Iterator[Action]:
    match frame:
        case SetUp():
            yield from (Place(name, hex) for name in own for hex in hexes)
            yield from (StartAboard(name, carrier) for name in own for carrier in own if name != carrier)
        case sectors.Commanding():
            yield from (sectors.Send(name, sector) for name in own for sector in sectors.names(sight.setting))
        case ActionSegment():
            yield from _openings(sight, frame.side, own, hexes)
        case Designating():
            yield from (Designate(name, role) for name in own for role in ("move", "fire", "recover"))
        case Performing():
            yield from _acts(sight, own or _active(sight), others, hexes)
        case Moving():
            to_map = sight.units[frame.unit].hex is None
            yield from (EnterMap(frame.unit, hex) if to_map else Move(frame.unit, hex) for hex in hexes)
            yield from (GoAlong(frame.unit, name) for name in own if sight.units[name].leader)
            yield from (Load(carrier, name) for name in own for carrier in (frame.unit, *own) if carrier != name)
            yield from (Unload(name) for name in own)
        case direct.Attacking():
            yield from (direct.AddFirer(name) for name in own)
        case bombardment.Bombarding():
            yield from (bombardment.AddBattery(name) for name in own)
        case assaulting.Assaulting():
            yield from (assaulting.JoinAssault(name) for name in own)
        case aircraft.Sending():
            yield from (aircraft.SendAircraft(name, hex) for name in _flying(sight, frame.side) for hex in hexes)
        case offboard.Calling():
            yield from (offboard.CallFire(factor, hex) for factor in _factors(sight, frame.side) for hex in hexes)
        case OpportunityFire():
            yield from (ShootDirect((name,), frame.movers[0]) for name in own)
            yield from (ShootAntiTank(name, frame.movers[0]) for name in own if sight.units[name].at is not None)
        case flight.Fleeing():
            yield from (flight.FleeTo(hex) for hex in hexes)
            yield from (flight.TakeAlong(name) for name in own)
        case losses.Damage() | aircraft.AirAntiTank():
            yield from (losses.LoseStep(name) for name in own)


def _openings(sight: Position, side: Side, own: list[UnitId], hexes: list[Hex]) -> Iterator[Action]:
    """A unit alone, a leader, a stack; batteries and aircraft at the clicked place."""
    for unit in sight.pick(own):
        yield from (Activate(unit.id, role) for role in ("move", "fire", "recover"))
        if unit.leader or directs(unit):
            yield ActivateLeader(unit.id)
    yield from (ActivateStack(hex) for hex in hexes if sight.at(hex, side))
    for hex in hexes:
        if sight.at(hex, sight.setting.other[side]):
            yield from (offboard.CallFire(factor, hex) for factor in _factors(sight, side))
            yield from (aircraft.SendAircraft(name, hex) for name in _flying(sight, side))


def _factors(sight: Position, side: Side) -> list[int]:
    """The batteries left, or else those of the side, to hear the reason against them."""
    return list(sight.armies[side].offboard or sight.setting.instructions.sides[side].offboard)[:1]


def _flying(sight: Position, side: Side) -> list[str]:
    return list(sight.armies[side].aircraft)[:1]


def _active(sight: Position) -> list[UnitId]:
    """The unit meant by a click that names none: the first activated one that has not finished."""
    active = sight.activation
    return [name for name in active.roles if name not in active.finished][:1] if active is not None else []


def _acts(sight: Position, own: list[UnitId], others: list[UnitId], hexes: list[Hex]) -> Iterator[Action]:
    """The actions of a unit against a hex or an enemy: go there, fire at it, assault it; by itself alone, recover."""
    for unit in sight.pick(own):
        yield from _at_hexes(sight, unit, [hex for hex in hexes if hex != unit.hex])
        yield from (antitank.FireAntiTank(unit.id, name) for name in others if sight.units[name].vehicle)
        if not others and len(own) == 1 and all(hex == unit.hex for hex in hexes):
            yield from (Recover(unit.id), DigIn(unit.id), Unload(unit.id))
        yield from (Load(carrier, unit.id) for carrier in own if carrier != unit.id)


def _at_hexes(sight: Position, unit: Unit, hexes: list[Hex]) -> Iterator[Action]:
    for hex in hexes:
        if not sight.at(hex, sight.setting.other[unit.side]):
            yield Move(unit.id, hex) if unit.hex is not None else EnterMap(unit.id, hex)
            continue
        if unit.bombard:
            yield bombardment.Bombard(unit.id, hex)
        if not unit.bombard or unit.direct:
            yield direct.FireDirect(unit.id, hex)
        yield assaulting.EnterAssault(unit.id, hex)
