"""The results of an action, by the calculations of the chapters themselves; and the attack being put together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from opfire.core.actions import Action
from opfire.core.events import Calculation, Cases, Line
from opfire.core.flow import Frame
from opfire.core.texts import Words, joined
from opfire.kit import shown as kit
from opfire.rulesets.panzer_grenadier.assault import assaulting, charge
from opfire.rulesets.panzer_grenadier.assault import combat as combat
from opfire.rulesets.panzer_grenadier.fire import aircraft, antitank, bombardment, direct, offboard
from opfire.rulesets.panzer_grenadier.fire.reaction import OpportunityFire, ShootAntiTank, ShootDirect
from opfire.rulesets.panzer_grenadier.fire.strengths import Column, Fire
from opfire.rulesets.panzer_grenadier.morale import recovery
from opfire.rulesets.panzer_grenadier.movement import rivers
from opfire.rulesets.panzer_grenadier.movement.moving import Cross, Moving
from opfire.rulesets.panzer_grenadier.pieces import Hex, Position, Side, Unit, UnitId

Case = tuple[Words, Calculation]
"""The side or group of a calculation."""


def preview(sight: Position, frame: Frame, action: Action) -> Calculation | Cases | None:
    """The calculation that an action would lead to, with exact chances; several where columns are split [7.52]."""
    found = tuple(cases(sight, frame, action))
    if len(found) == 1:
        return found[0][1]
    return Cases(found) if found else None


def cases(sight: Position, frame: Frame, action: Action) -> Iterator[Case]:
    """Every calculation that an action would lead to."""
    match action:
        case antitank.FireAntiTank(name, target) | ShootAntiTank(name, target):
            firer, aim = sight.units[name], sight.units[target]
            yield aim.name, antitank.at_fire(sight, firer, aim)
        case recovery.Recover(name, helper):
            yield sight.units[name].name, recovery.recovery_of(sight, sight.units[name], helper)
        case Cross(name):
            yield sight.units[name].name, rivers.crossing(sight, sight.units[name])
        case _:
            yield from (_named(sight, group) for group in groups(sight, frame, action))
            yield from _fight(sight, frame, action)


def _named(position: Position, group: Column) -> Case:
    return joined(unit.name for unit in position.pick(group.units)), group.calculation


# --- fire -------------------------------------------------------------------------------------------------------


def groups(sight: Position, frame: Frame, action: Action) -> tuple[Column, ...]:
    """The groups of targets of an attack by direct fire, bombardment or aircraft, begun or added to."""
    match action:
        case direct.FireDirect(name, hex):
            return direct.direct_fire(sight, [sight.units[name]], hex)
        case bombardment.Bombard(name, hex):
            return _shelling(sight, frame.side, (name,), hex)
        case offboard.CallFire(factor, hex):
            return _call(sight, frame.side, (factor,), hex)
        case aircraft.SendAircraft(name, hex):
            return _air_attack(sight, frame, name, hex)
        case ShootDirect(names, target):
            movers = frame.movers if isinstance(frame, OpportunityFire) else (target,)
            struck = [unit for unit in sight.pick(movers) if unit.hex == sight.units[target].hex]
            return direct.at_mover(sight, sight.pick(names), struck)
    return under_way(sight, frame, action)


def under_way(sight: Position, frame: Frame, action: Action) -> tuple[Column, ...]:
    """The groups of an attack that is being put together, after one more action."""
    match frame, action:
        case direct.Attacking(), direct.AddFirer(name):
            return direct.direct_fire(sight, sight.pick((*frame.firers, name)), frame.hex, dict(frame.parts))
        case direct.Attacking(), direct.SplitFire(name, part):
            return direct.direct_fire(sight, sight.pick(frame.firers), frame.hex, {**dict(frame.parts), name: part})
        case direct.Attacking(), Fire():
            return direct.direct_fire(sight, sight.pick(frame.firers), frame.hex, dict(frame.parts))
        case bombardment.Bombarding(), bombardment.AddBattery(name):
            return _shelling(sight, frame.side, (*frame.batteries, name), frame.hex)
        case bombardment.Bombarding(), Fire():
            return _shelling(sight, frame.side, frame.batteries, frame.hex)
        case offboard.Calling(), offboard.AddFactor(factor):
            return _call(sight, frame.side, (*frame.factors, factor), frame.hex)
        case offboard.Calling(), Fire() if frame.hex:
            return _call(sight, frame.side, frame.factors, frame.hex)
    return ()


def _shelling(position: Position, side: Side, names: Sequence[UnitId], hex: Hex) -> tuple[Column, ...]:
    batteries = position.pick(names)
    return _rounds(position, side, bombardment.battery_lines(position, batteries), batteries, hex)


def _call(position: Position, side: Side, factors: tuple[int, ...], hex: Hex) -> tuple[Column, ...]:
    return _rounds(position, side, offboard.factor_lines(factors), (), hex)


def _rounds(
    position: Position, side: Side, lines: Sequence[Line], batteries: Sequence[Unit], hex: Hex
) -> tuple[Column, ...]:
    """Effects on the enemy; in an assault hex also on friends, by a separate roll [9.51]."""
    struck = (position.setting.other[side], side) if position.at(hex, side) else (position.setting.other[side],)
    return tuple(group for one in struck for group in bombardment.bombardment(position, lines, batteries, hex, one))


def _air_attack(position: Position, frame: Frame, name: str, hex: Hex) -> tuple[Column, ...]:
    """All aircraft sent at the hex, if all find it."""
    sent = frame.sent if isinstance(frame, aircraft.Sending) else ()
    rows = [position.charts.aircraft[one] for one in (*(one for one, at in sent if at == hex), name)]
    return aircraft.air_attack(position, hex, position.setting.other[frame.side], rows)


# --- assault ----------------------------------------------------------------------------------------------------


def _fight(sight: Position, frame: Frame, action: Action) -> Iterator[Case]:
    """An assault with all units that take part, both ways."""
    match action:
        case assaulting.EnterAssault(name, hex):
            yield from _with_one_more(sight, frame.side, hex, name)
        case charge.Charge(name, _, hex):
            yield from _with_one_more(_charging(sight, name), frame.side, hex, name)
        case assaulting.DeclareAssault(hex) if assaulting.new(sight, frame.side, hex):
            yield from exchange(sight, frame.side, hex, assaulting.attackers(sight, frame.side, hex), fresh=True)
        case assaulting.JoinAssault(name) if isinstance(frame, assaulting.Assaulting):
            yield from exchange(sight, frame.side, frame.hex, (*frame.joined, name), fresh=False)
        case assaulting.RollAssault() if isinstance(frame, assaulting.Assaulting):
            yield from exchange(sight, frame.side, frame.hex, frame.joined, fresh=False)
        case assaulting.TakeFirstFire() | assaulting.FireTogether() if isinstance(frame, assaulting.FirstFire):
            yield from _answer(sight, frame, action)


def _answer(position: Position, frame: assaulting.FirstFire, action: Action) -> Iterator[Case]:
    """The fire of partly sheltered defenders: the sheltered alone and first, or all at once [12.43.a]."""
    side, foes = position.setting.other[frame.side], position.at(frame.hex, frame.side)
    own = position.pick(frame.attackers)
    if isinstance(action, assaulting.TakeFirstFire):
        yield "the attackers, by first fire", combat.defence(position, combat.firing_first(position, foes), own)
        return
    yield "the attackers", combat.defence(position, foes, own)
    fresh = assaulting.new(position, side, frame.hex)
    extra = combat.river_lines(position, (*own, *foes), frame.hex) if fresh else ()
    for group in combat.attack(position, own, foes, frame.hex, extra):
        yield _named(position, group)


def _with_one_more(position: Position, side: Side, hex: Hex, unit_id: UnitId) -> Iterator[Case]:
    """The fight after this unit has moved in: with all that have, or in an old assault with all that can join
    [12.3].
    """
    own = assaulting.attackers(position, side, hex)
    yield from exchange(position, side, hex, (*own, unit_id), fresh=assaulting.none_before(position, side, hex))


def _charging(position: Position, unit_id: UnitId) -> Position:
    """The position with the unit on its charge [15.31]."""
    riding = position.copy()
    assert riding.activation is not None
    riding.acting(charged=riding.activation.charged | {unit_id})
    return riding


def exchange(position: Position, side: Side, hex: Hex, names: Iterable[UnitId], *, fresh: bool) -> Iterator[Case]:
    """The attackers' fire on each group of defenders, and the defenders' on the attackers [12.4].

    Sheltered defenders fire alone and first; if others are with them, their owner decides [12.43.a].
    """
    own, foes = position.pick(names), position.at(hex, position.setting.other[side])
    holding = position.combat_units(hex, position.setting.other[side])
    if not any(combat.fights(unit) for unit in own) or not holding:
        return
    extra = combat.river_lines(position, (*own, *foes), hex) if fresh else ()
    for group in combat.attack(position, own, foes, hex, extra):
        yield _named(position, group)
    sheltered = [combat.sheltered(position, unit) for unit in holding]
    if any(sheltered):
        firing = combat.firing_first(position, foes)
        yield "the attackers, by first fire", combat.defence(position, firing, own)
    if not all(sheltered):
        yield "the attackers", combat.defence(position, foes, own)


# --- what is being put together ---------------------------------------------------------------------------------


def building(position: Position, frame: Frame | None) -> dict[str, Any] | None:
    """The attack being put together, with its calculation; on split columns that of the first group."""
    match frame:
        case direct.Attacking():
            return _built(position, "direct", frame, frame.hex, frame.firers, Fire())
        case bombardment.Bombarding():
            return _built(position, "bombardment", frame, frame.hex, frame.batteries, Fire())
        case offboard.Calling() if frame.hex:
            return _built(position, "bombardment", frame, frame.hex, (), Fire())
        case aircraft.Sending():
            return _built(position, "air", frame, frame.sent[-1][1], (), Fire())
        case assaulting.Assaulting():
            return _built(position, "assault", frame, frame.hex, frame.joined, assaulting.RollAssault())
        case Moving():
            hex = position.units[frame.unit].hex or ""
            return kit.built("move", hex, (frame.unit,), (), None)
    return None


def _built(
    position: Position, kind: str, frame: Frame, hex: Hex, units: Iterable[UnitId], last: Action
) -> dict[str, Any]:
    names = list(units)
    seen = all(unit.hex is not None for unit in position.pick(names))  # 16.6: the hexes of hidden firers are unknown
    found = next(cases(position, frame, last), None) if seen else None
    targets = [unit.id for unit in position.at(hex, position.setting.other[frame.side])]
    calculation = found[1].to_json() if found is not None else None
    return kit.built(kind, hex, names, targets, calculation)
