"""The meanings of a click on vehicles and hexes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from opfire.core.actions import Action
from opfire.core.flow import Frame
from opfire.kit import boards
from opfire.kit import shown as kit
from opfire.rulesets.panzer.air.attacks import STORES, AirAttack
from opfire.rulesets.panzer.air.flak import AntiAircraft, Flak
from opfire.rulesets.panzer.air.phase import Fly, Flying
from opfire.rulesets.panzer.fire.close_combat import Assault
from opfire.rulesets.panzer.fire.direct_fire import Announce
from opfire.rulesets.panzer.moving.going import Move, Turn
from opfire.rulesets.panzer.pieces import Hex, Position, Side, Unit, away


def meant(sight: Position, side: Side, frame: Frame, what: Iterable[Any]) -> list[Action]:
    """The meanings of a click: fire at an enemy, a step into a hex along the road or across country, a turn there."""
    things = [name for name in what if isinstance(name, str)]
    picked, others, hexes = boards.clicked(sight, side, things)
    own = [unit for unit in sight.of(side) if getattr(frame, "unit", unit.id) == unit.id]
    if picked and not others:
        fighters, foes = [sight.units[name] for name in picked], _foes_of(sight, side, sight.units[picked[0]])
    else:
        fighters, foes = own, others
    found: list[Action] = [Announce(unit.id, target) for target in foes for unit in fighters]
    found += [Assault(unit.id, target) for target in foes for unit in fighters]
    for hex in hexes:
        found += [action for unit in own for action in _onto(sight, unit, hex)]
    found += _of_aircraft(sight, side, frame, [*others, *hexes])
    return [action for action in found if isinstance(action, frame.takes)]


def _foes_of(sight: Position, side: Side, unit: Unit) -> list[str]:
    """The enemies that are nearest to a unit on the map, on which it might act."""
    foes = [foe for foe in sight.of(sight.setting.other[side]) if foe.hex] if unit.hex else []
    return kit.nearest({foe.id: away(sight, unit, foe) for foe in foes})


def _of_aircraft(sight: Position, side: Side, frame: Frame, things: Iterable[str]) -> Iterator[Action]:
    """The meanings of a click while aircraft fly: attacks, the way there, fire at an aircraft."""
    for thing in things:
        match frame:
            case Flying(_, name) if thing in sight.units:
                yield from (AirAttack(name, thing, stores) for stores in STORES)
            case Flying(_, name):
                yield Fly(name, thing)
            case AntiAircraft(unit=plane) if thing == plane:
                yield from (Flak(unit.id, thing) for unit in sight.of(side))


def _onto(sight: Position, unit: Unit, hex: Hex) -> Iterator[Action]:
    """The ways of a vehicle towards a neighbouring hex."""
    yield from (Move(unit.id, hex, along) for along in (True, False))
    way = sight.map.direction(str(unit.hex), hex)
    if way is not None:
        yield Turn(unit.id, way)
