"""Activation [3.1, 3.2, 3.3]: the units that a unit, a stack or a leader brings into an action segment, and their
actions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, TypeAlias

from opfire.core.actions import PROCEDURE, Action, Refusal
from opfire.core.events import Event
from opfire.core.game import Game
from opfire.core.texts import joined
from opfire.rulesets.panzer_grenadier.command import formations, kommissars, sectors
from opfire.rulesets.panzer_grenadier.movement import rivers
from opfire.rulesets.panzer_grenadier.pieces import (
    Activation,
    Hex,
    Position,
    Role,
    Side,
    Unit,
    UnitId,
    has_shot_twice,
    not_yours,
    off_the_map,
    waiting,
)

ROLES: tuple[Role, ...] = ("move", "fire", "recover", "direct")
Reached: TypeAlias = Mapping[UnitId, tuple[UnitId, ...]]
"""The units that an activation reaches, each with the leaders who reach it, and with itself if it needs none."""


class Activate(Action, frozen=True):
    """Activate one unit or leader alone, for one kind of action [3.1, 3.13]."""

    says = "Activate {unit} to {role}"
    kind = "activate"
    unit: UnitId
    role: Role


class ActivateStack(Action, frozen=True):
    """Activate all units in a hex, and the units that the leaders there reach [3.11]."""

    says = "Activate the stack in {hex}"
    kind = "activate"
    hex: Hex


class ActivateLeader(Action, frozen=True):
    """Activate a leader with all units that he reaches, and those that they reach [3.12, 3.2, 3.31]."""

    says = "Activate {unit} and all in reach"
    kind = "activate"
    unit: UnitId


Activating: TypeAlias = Activate | ActivateStack | ActivateLeader
"""The ways to begin a segment with units."""


class Designate(Action, frozen=True):
    """Designate the action of one activated unit [3.13]."""

    says = "{unit}: {role}"
    kind = "designate"
    unit: UnitId
    role: Role


class DesignateAll(Action, frozen=True):
    """Designate one action for all units that are not designated yet and can take it."""

    says = "All others: {role}"
    kind = "designate"
    role: Role


class DesignateMovers(Action, frozen=True):
    """Designate Movement for all units left that can go somewhere; guns without an allowance stay free [3.13.a]."""

    says = "All others that can go: {role}"
    kind = "designate"
    role: Literal["move"] = "move"


class Begin(Action, frozen=True):
    """Begin with the designated units; the others stay out of this segment [3.12.d]."""

    says = "Begin the action"
    kind = "done"


# --- who directs whom -----------------------------------------------------------------------------------------


def directs(leader: Unit) -> bool:
    """Whether a unit or leader can activate others, or lead itself: of any kind, and not demoralized [3.12, 5.44]."""
    if leader.demoralized:
        return False
    if leader.officer is not None:
        return not leader.officer.kommissar
    return tank_leader(leader) or leader.type_in("armored-car", "train", "vessel")


def tank_leader(unit: Unit) -> bool:
    """An AFV with a tank leader, as far as is known [6.8]."""
    return bool(unit.tank_leader)


def of_his_kind(leader: Unit, unit: Unit) -> bool:
    """Whether a leader's kind fits the unit's [3.3], of his own country; branch of service does not matter [3.12.c].

    A regular leader directs all except AFVs, and APCs [3.32, 3.33]; leaders of strictly lower rank [3.2]. A tank leader
    directs units that bear the tank symbol, and APCs [3.31, 3.33, 6.81], nobody with a rank [3.2.b]; self-propelled
    guns, which do not bear it, obey regular leaders [3.31.A1]: RULINGS.md P71. Armored car leaders direct armored cars
    [6.84]; trains and vessels themselves only [15.2], whether all AFVs of their force have tank leaders or not.
    """
    if foreign(leader, unit) or leader.type_in("train", "vessel"):
        return False
    if leader.type_in("armored-car"):
        return unit.type_in("armored-car")
    if leader.officer is not None:
        if unit.officer is not None:
            return unit.officer.rank < leader.officer.rank
        return not unit.afv or unit.type_in("apc", "self-propelled")
    return tank_leader(leader) and unit.type_in("tank", "apc")


def foreign(leader: Unit, unit: Unit) -> bool:
    """Whether an ally is of another country, whose military he does not activate [3.12.c]: RULINGS.md P94."""
    return bool(leader.country and unit.country) and leader.country != unit.country


def within_call(position: Position, leader: Unit) -> Iterator[Unit]:
    """The units that a leader can activate from his hex: in it, and in the six around it in good order [3.12, 5.44].

    Into an assault hex he reaches only from within [12.5], and no unit of another player [18.21] or in another sector
    [18.12].
    """
    if leader.hex is None:
        yield from beside_the_map(position, leader)
        return
    hexes: list[Hex] = [leader.hex]
    if leader.good_order and not leader.type_in("train", "vessel"):
        hexes += [hex for hex in position.map.neighbours[leader.hex] if hex is not None]
    for hex in hexes:
        if hex != leader.hex and position.assault_hex(hex):
            continue
        for unit in position.everybody(hex, leader.side):
            if unit.id != leader.id and not unit.marked and of_his_kind(leader, unit):
                if formations.together(leader, unit) and sectors.together(position, leader, unit):
                    if kommissars.has_to_drive(position, unit) is None:
                        yield unit


def beside_the_map(position: Position, leader: Unit) -> Iterator[Unit]:
    """The units that a leader reaches before he enters: all of his kind waiting for the same hexes [16.51]:
    RULINGS.md P28.
    """
    entries = position.setting.entries
    for unit in position.pick(position.setting.ids[leader.side]):
        if unit.id != leader.id and waiting(position, unit) and entries[unit.id][1] == entries[leader.id][1]:
            if not unit.marked and of_his_kind(leader, unit) and formations.together(leader, unit):
                yield unit


def group(position: Position, start: Iterable[Unit]) -> Reached:
    """All units that these activate: themselves, units that the leaders among them reach, and so on down the ranks
    [3.2].

    It is one activation for all of them, whatever their kinds [3.2.c, 3.11.A1, 6.83, 6.83.A1]. A leader reaches the
    same units in a stack as alone [3.11.a, 3.12.a], and units that have acted hold none up [3.11.A2]. Units activated
    by a leader are led; a leader who leads himself is his own leader. Units called into an assault hand no orders on
    [12.5]. By option R3.11 the units of a stack need none of its leaders: RULINGS.md P136.
    """
    found: dict[UnitId, tuple[UnitId, ...]] = {}
    waiting = [unit for unit in start if not unit.marked]
    for unit in waiting:
        found[unit.id] = (unit.id,) if directs(unit) or position.setting.has("R3.11") else ()
    asked = {unit.id for unit in waiting}
    while waiting:
        leader = waiting.pop(0)
        if not directs(leader):
            continue
        for unit in within_call(position, leader):
            if unit.leader and unit.id not in asked and not calls_in(position, leader, unit):
                asked.add(unit.id)
                waiting.append(unit)
            if leader.id not in found.get(unit.id, ()):
                found[unit.id] = (*found.get(unit.id, ()), leader.id)
    return found


# --- checks ---------------------------------------------------------------------------------------------------


def cannot_activate(position: Position, side: Side, unit: Unit) -> Refusal | None:
    """Reject a unit or leader that may not be activated now [3.13.c, 6.2, 6.65, 18.12, 18.21]."""
    if refusal := not_yours(side, unit) or (None if waiting(position, unit) else off_the_map(unit)):
        return refusal
    if refusal := has_acted(unit):
        return refusal
    refusal = sectors.not_played(position, unit) or formations.anothers(position, unit)
    return refusal or kommissars.has_to_drive(position, unit)


def has_acted(unit: Unit) -> Refusal | None:
    """Reject a unit with a MOVED/FIRED marker [3.13.c], by opportunity fire [13.1] or both anti-tank shots [11.2]."""
    if not unit.marked:
        return None
    if refusal := has_shot_twice(unit):
        return refusal
    if unit.shots and not unit.leader:
        return Refusal("{} has taken opportunity fire this turn and cannot be activated", "13.1", (unit.name,))
    return Refusal("{} has a MOVED/FIRED marker", "3.13.c", (unit.name,))


def cannot_lead(position: Position, side: Side, unit: Unit) -> Refusal | None:
    """Reject a leader through whom no unit can be activated [3.12, 5.44]."""
    return cannot_activate(position, side, unit) or leads_nobody(unit)


def leads_nobody(unit: Unit) -> Refusal | None:
    """Reject the demoralized [5.44], and units other than leaders [3.12]."""
    if unit.demoralized:
        return Refusal("{} is demoralized and cannot activate other units", "5.44", (unit.name,))
    if not directs(unit):
        return Refusal("{} is not a leader", "3.12", (unit.name,))
    return None


def cannot_activate_stack(position: Position, side: Side, hex: Hex) -> Refusal | None:
    """Reject a stack that may not be activated [3.11]."""
    if any(cannot_activate(position, side, unit) is None for unit in position.everybody(hex, side)):
        return None
    return Refusal("None of your units in {} can be activated", "3.11", (hex,))


def cannot_take(unit: Unit, role: Role) -> Refusal | None:
    """Reject a unit that may not be designated for this [3.13, 14.3]."""
    if unit.demoralized and role != "recover":
        return Refusal("{} is demoralized: it can only try to recover", "14.3", (unit.name,))
    if role not in ROLES:
        return Refusal("{} is not an action that a unit can be designated for", PROCEDURE, (role,))
    match role:
        case "recover" if unit.good_order and not unit.leader:
            return Refusal("{} is in good order", "14.4", (unit.name,))
        case "recover" if unit.hex is None:
            return off_the_map(unit)
        case "fire" if unit.shots:
            return Refusal("{} has taken opportunity fire this turn", "13.1.A1", (unit.name,))
        case "fire" if not unit.leader and not unit.combat:
            return Refusal("{} has no fire value", "7.31", (unit.name,))
        case "fire" if unit.carrier is not None:
            return Refusal("{} is being carried", "5.67", (unit.name,))
        case "direct" if not directs(unit):
            return Refusal("{} is not a leader", "3.12", (unit.name,))
    return None


def called_in(position: Position, unit: Unit, role: Role, leaders: tuple[UnitId, ...]) -> Refusal | None:
    """Leaders in an assault hex call others in, and can give them no other action [12.5]."""
    hex = called_to(position, unit, leaders)
    if role == "fire" or not hex:
        return None
    return Refusal("{} can act only in the assault in {}", "12.5", (unit.name, hex))


def called_to(position: Position, unit: Unit, leaders: Iterable[UnitId]) -> Hex:
    """The assault hex that a unit is called into, if all leaders who reach it are in one; else none [12.5]."""
    callers = position.pick(leaders)
    if callers and all(calls_in(position, leader, unit) for leader in callers):
        return str(callers[0].hex)
    return ""


def calls_in(position: Position, leader: Unit, unit: Unit) -> bool:
    """Whether a leader in an assault hex reaches this one outside, and so can only call it in [12.5]."""
    return leader.hex is not None and leader.hex != unit.hex and position.assault_hex(leader.hex)


def roles_of(unit: Unit) -> list[Role]:
    """All actions that a unit can be designated for."""
    return [role for role in ROLES if cannot_take(unit, role) is None]


# --- the activation ----------------------------------------------------------------------------------------------


def activate(game: Game[Position], side: Side, members: Reached, roles: Mapping[UnitId, Role]) -> None:
    """Begin the segment for the designated units, and disclose the tank leaders among those who lead them [6.8]."""
    position = game.state
    position.activation = active = activation_of(position, side, members, roles)
    for name in active.roles:
        if name in active.led:
            disclose(game, [leader for leader in members[name] if leader in active.roles and leader != name])
    announce(game, side, position.pick(active.roles))


def activation_of(position: Position, side: Side, members: Reached, roles: Mapping[UnitId, Role]) -> Activation:
    """The activation of the designated units, and of the leaders needed to reach them, who only direct [3.2].

    No other unit is activated [3.12.d], wherever they move from now on [3.12.b]; led units may take every action
    [3.11.b].
    """
    needed = dict(roles)
    for name in roles:
        _add_chain(members, name, needed)
    active = position.pick(name for name in members if name in needed)
    able = {unit.id: unit for unit in active if directs(unit)}
    leaders = {unit.id: [able[name] for name in members[unit.id] if name in able] for unit in active}
    led = [unit for unit in active if leaders[unit.id]]
    return Activation(
        side,
        {unit.id: needed[unit.id] for unit in active},
        frozenset(unit.id for unit in led),
        {unit.id: unit.hex for unit in active if unit.hex is not None},
        mounted=frozenset(unit.id for unit in active if _by_cavalry_leader(unit, leaders[unit.id])),
        alone=frozenset(unit.id for unit in led if leaders[unit.id] == [unit]),
        unseen=frozenset(unit.id for unit in led if all(one.hidden for one in leaders[unit.id])),
        called={unit.id: hex for unit in active if (hex := called_to(position, unit, members[unit.id]))},
    )


def announce(game: Game[Position], side: Side, active: Iterable[Unit]) -> None:
    """Announce the active units; of hidden ones only their own side hears, or their hexes would be revealed [16.6]."""
    groups: dict[bool, list[Unit]] = {False: [], True: []}
    for unit in active:
        groups[unit.hidden].append(unit)
    seen, hidden = groups[False], groups[True]
    words = joined(unit.name for unit in seen) if seen else "units in hiding"
    hexes = tuple(dict.fromkeys(unit.hex for unit in seen if unit.hex))
    who, names = side.capitalize(), tuple(unit.id for unit in seen)
    game.tell(Event("activated", "{} activated: {}", (who, words), "3.1", names, hexes))
    if hidden:
        facts, names = (who, joined(unit.name for unit in hidden)), tuple(unit.id for unit in hidden)
        game.tell(Event("activated", "{} activated in hiding: {}", facts, "16.6", names, only=(side,)))


def _add_chain(members: Reached, unit_id: UnitId, needed: dict[UnitId, Role]) -> None:
    """Make sure that a leader who reaches this unit is activated too, up to the first."""
    leaders = members[unit_id]
    while leaders and unit_id not in leaders and not any(leader in needed for leader in leaders):
        unit_id = leaders[0]
        needed[unit_id] = "direct"
        leaders = members[unit_id]


def _by_cavalry_leader(unit: Unit, leaders: Iterable[Unit]) -> bool:
    """Whether cavalry, or a cavalry leader, is activated by a cavalry leader, and so may charge [6.9, 15.31]."""
    rides = unit.type_in("cavalry") or (unit.officer is not None and unit.officer.mounted)
    return rides and any(one.officer is not None and one.officer.mounted for one in leaders)


def disclose(game: Game[Position], leaders: Iterable[UnitId]) -> None:
    """Disclose a tank leader who directs others, or whose tank acts as only led units may [6.8]."""
    position = game.state
    for name in leaders:
        unit = position.units[name]
        if tank_leader(unit) and not unit.disclosed:
            position.change(name, disclosed=True)
            game.tell(Event("revealed", "{} has a tank leader", (unit.name,), "6.8", (name,)))


# --- the choices of an action segment ---------------------------------------------------------------------------


def unmarked(position: Position, side: Side) -> Iterator[UnitId]:
    """The side's units on the map, or due beside it, that have no MOVED/FIRED marker [3.13.c]."""
    for unit in position.pick(position.setting.ids[side]):
        if not unit.marked and (unit.hex is not None or waiting(position, unit)):
            yield unit.id


def activations(position: Position, side: Side, unit: Unit) -> Iterator[Activating]:
    """The activations of a unit: alone, with those it leads, and, for the first of its stack, with the stack."""
    if cannot_activate(position, side, unit):
        return
    yield from (Activate(unit.id, role) for role in roles_of(unit))
    if leads_nobody(unit) is None and not unit.type_in("train", "vessel"):
        yield ActivateLeader(unit.id)
    if unit.hex is not None and _first_of(position, side, unit.hex) == unit.id:
        yield ActivateStack(unit.hex)


def _first_of(position: Position, side: Side, hex: Hex) -> UnitId | None:
    """The first of a stack that can be activated."""
    stack = position.everybody(hex, side)
    return next((unit.id for unit in stack if cannot_activate(position, side, unit) is None), None)


def refusal(position: Position, side: Side, action: Action) -> Refusal | None:
    """Reject a segment that may not begin like this."""
    match action:
        case Activate(name, role):
            unit = position.units[name]
            held = rivers.held(position, unit) if role == "move" else None
            return not_yours(side, unit) or held or cannot_activate(position, side, unit) or cannot_take(unit, role)
        case ActivateStack(hex):
            return cannot_activate_stack(position, side, hex)
        case ActivateLeader(name):
            unit = position.units[name]
            if unit.type_in("train", "vessel"):
                return Refusal("{} cannot activate other units", "15.2", (unit.name,))
            return cannot_lead(position, side, unit)
    return Refusal("This action begins no action segment", PROCEDURE)


def by_itself(unit: Unit) -> Reached:
    """A unit that is activated alone; one with a leader of its own leads itself."""
    return {unit.id: (unit.id,) if directs(unit) else ()}
