"""The best activation [3.1]: leaders with many units that have a worthwhile action, and those actions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from opfire.core.actions import NOBODY, Action, Choices
from opfire.core.ruleset import Suggestion
from opfire.core.texts import Text, Words, joined
from opfire.rulesets.panzer_grenadier.actions import EndSegment, Pass
from opfire.rulesets.panzer_grenadier.command.activation import (
    Activate,
    ActivateLeader,
    ActivateStack,
    Begin,
    Designate,
    activations,
    called_to,
    cannot_activate,
    cannot_take,
    group,
    unmarked,
)
from opfire.rulesets.panzer_grenadier.command.designating import Designating
from opfire.rulesets.panzer_grenadier.command.formations import GiveSegment
from opfire.rulesets.panzer_grenadier.command.segment import evades
from opfire.rulesets.panzer_grenadier.morale import recovery
from opfire.rulesets.panzer_grenadier.morale.recovery import Recover
from opfire.rulesets.panzer_grenadier.pieces import Activation, Role, Unit, UnitId, waiting
from opfire.rulesets.panzer_grenadier.thinking import assaulting, carrying, firing, moving
from opfire.rulesets.panzer_grenadier.thinking.mind import DEMORALIZED, DISRUPTED, Mind, odds
from opfire.rulesets.panzer_grenadier.thinking.targets import able

WORTH_A_SEGMENT = 0.06  # the least gain of an activation
IN_HAND = 0.3  # the share of a shot at a coming enemy that is lost by acting now
RUSH = 1.15  # a leader's activation brings its units into action at once
RECOVERS = "it recovers with a chance of {:.0%}"
HASTE = 0.4  # the weight of moves in the order of activations: fire comes before movement


class Task(msgspec.Struct, frozen=True):
    """The best action of one unit: its gain, its role, the reason."""

    worth: float
    role: Role
    why: Words


class Plan(msgspec.Struct, frozen=True):
    """The gain of an activation, the roles of its units, the reason, and the share of moves in it."""

    worth: float
    roles: tuple[tuple[UnitId, Role], ...]
    why: Words
    moves: float = 0.0


# --- one unit ---------------------------------------------------------------------------------------------------


def tasks(mind: Mind, unit: Unit, led: bool) -> list[Task]:
    """All actions of a unit now, best first."""
    found = (task_as(mind, unit, role, led) for role in ("recover", "fire", "move"))
    return sorted((task for task in found if task is not None), key=lambda task: -task.worth)


def task_as(mind: Mind, unit: Unit, role: Role, led: bool) -> Task | None:
    """The action of a unit designated for a role; None if no action makes sense."""
    key = unit.id, role, led
    if key not in mind.tasks:
        mind.tasks[key] = _task_as(mind, unit, role, led)
    found: Task | None = mind.tasks[key]
    return found


def _task_as(mind: Mind, unit: Unit, role: Role, led: bool) -> Task | None:
    task = None
    if cannot_take(unit, role) is None:
        match role:
            case "recover" if not unit.good_order:
                task = _recovering(mind, unit)
            case "fire":
                task = _shooting(mind, unit)
            case "move":
                task = _moving(mind, unit, led)
    return task if task is not None and task.worth > 0.0 else None


def _shooting(mind: Mind, unit: Unit) -> Task | None:
    """Its best shot, less the shot that it could have had at a mover."""
    shot = firing.best_shot(mind, unit) if able(mind.position, unit) else None
    if shot is None or shot.worth <= firing.LEAST:
        return None
    return Task(shot.worth - 0.5 * in_hand(mind, unit), "fire", shot.why)


def _moving(mind: Mind, unit: Unit, led: bool) -> Task | None:
    """Its best way, onto the map or over it; in a hex where it wants to stay it may dig in."""
    if unit.hex is None:
        entering = waiting(mind.position, unit)
        return Task(0.5 * mind.value(unit) + 0.3, "move", "it can come onto the map") if entering else None
    way = moving.best_way(mind, unit, led)
    if way is not None and way.worth > moving.to_stay(mind, unit):
        return Task(way.worth - in_hand(mind, unit), "move", way.why)
    return Task(moving.dig(mind, unit), "move", "to dig in")


def _recovering(mind: Mind, unit: Unit) -> Task:
    """The chance that it recovers, and the worth of recovery."""
    needed = unit.base_morale + mind.helped(unit)
    needed += recovery.sheltered(mind.position, unit) if unit.hex is not None else 0
    chance = sum(chance for total, chance in odds(2) if total < needed)
    gain = DEMORALIZED if unit.demoralized else DISRUPTED
    worth = max(0.05, chance * gain * mind.value(unit))
    return Task(worth, "recover", Text(RECOVERS, (chance,)))


def in_hand(mind: Mind, unit: Unit) -> float:
    """The loss of a unit by acting: opportunity fire at enemies that have not moved yet and may come near."""
    if not unit.direct or unit.shots or not unit.good_order or unit.kind is None or unit.hex is None:
        return 0.0
    apart = mind.ground.apart(unit.hex)
    coming = [
        foe
        for foe in mind.foes
        if foe.combat and not foe.marked and apart[str(foe.hex)] <= unit.kind.direct_range + foe_pace(foe)
    ]
    if not coming:
        return 0.0
    return IN_HAND * max(mind.shot(unit, foe, (1, 1)) for foe in coming) if mind.caution > 0.85 else 0.05


def foe_pace(foe: Unit) -> int:
    """The approximate number of hexes that an enemy comes nearer in a turn."""
    return min(4, foe.kind.movement) if foe.kind is not None else 0


# --- many together ----------------------------------------------------------------------------------------------


def plan(mind: Mind, members: Iterable[tuple[UnitId, tuple[UnitId, ...]]]) -> Plan:
    """The actions of these units if they were activated together: leaders who reach them lead them."""
    reached = dict(members)
    units = mind.position.pick(reached)
    best = {unit.id: found[0] for unit in units if (found := tasks(mind, unit, bool(reached[unit.id])))}
    called = {unit.id: hex for unit in units if (hex := called_to(mind.position, unit, reached[unit.id]))}
    free = [unit for unit in units if unit.id not in called]
    roles: dict[UnitId, Role] = {unit.id: best[unit.id].role for unit in free if not unit.leader and unit.id in best}
    worth = sum(best[name].worth for name in roles)
    reasons: list[Words] = [Text("{}: {}", (mind.position.units[name].name, best[name].why)) for name in roles]
    for ride in carrying.rides(mind, {unit.id: bool(reached[unit.id]) for unit in free}, roles):
        roles.update(dict.fromkeys((ride.carrier, *ride.riders), "move"))
        worth += ride.worth
        reasons.append(ride.why)
    moves = sum(best[name].worth for name, role in roles.items() if role == "move" and name in best)
    led = [unit for unit in units if reached[unit.id] and cannot_take(unit, "fire") is None]
    chosen = _disjoint(assaulting.fights(mind, led, {name: task.worth for name, task in best.items()}, called))
    for fight in chosen:
        roles.update({unit.id: "fire" for unit in led if unit.id in fight.units})
        worth += fight.worth
        reasons.insert(0, Text("assault on {}: {}", (fight.hex, fight.why)))
    fighting = {name for fight in chosen for name in fight.units}
    for unit in free:
        if unit.leader and unit.id not in fighting:
            worth += _lead(mind, unit, roles, best.get(unit.id))
            if unit.id in roles and unit.id in best:
                reasons.append(Text("{}: {}", (unit.name, best[unit.id].why)))
    why = joined(reasons[:3], "; ") if reasons else Text("{} of them act", (len(roles),))
    return Plan(worth, tuple(roles.items()), why, moves)


def _disjoint(fights: Iterable[assaulting.Fight]) -> list[assaulting.Fight]:
    """The best of these with a gain, with no unit in two of them."""
    chosen: list[assaulting.Fight] = []
    for fight in fights:
        if fight.worth > 0.0 and all(set(fight.units).isdisjoint(other.units) for other in chosen):
            chosen.append(fight)
    return chosen


def _lead(mind: Mind, leader: Unit, roles: dict[UnitId, Role], task: Task | None) -> float:
    """The action of a leader: recover, fire with units beside him, or follow the moving ones."""
    if task is not None and (task.role == "recover" or leader.hex is None):
        roles[leader.id] = task.role
        return task.worth
    beside = [roles[name] for name in mind.position.stacks.get(str(leader.hex), ()) if name in roles]
    if "recover" in roles.values() or beside.count("fire") > beside.count("move"):
        _set(roles, leader, "fire")
        return 0.0
    if "move" in roles.values() or task is not None:
        _set(roles, leader, "move")
    return 0.5 * task.worth if task is not None else 0.0


def _set(roles: dict[UnitId, Role], leader: Unit, role: Role) -> None:
    if cannot_take(leader, role) is None:
        roles[leader.id] = role


# --- the questions ------------------------------------------------------------------------------------------------


def openings(mind: Mind, choices: Choices) -> Iterator[Action]:
    """The activations of each unit, and what belongs to no unit.

    Activations that only let the segment go by [3.0.F] are among them: few have any worth, and all are slow to find.
    """
    for name in choices.asked:
        if name != NOBODY:
            yield from activations(mind.position, mind.side, mind.position.units[name])
    yield from (offer for offer in choices.of(NOBODY) if isinstance(offer, Action))


def segment(mind: Mind, choices: Sequence[Action]) -> list[Suggestion]:
    """The beginning of an action segment, or a pass: the greatest gain, but fire before moves."""
    position, found, walking = mind.position, list[Suggestion](), dict[Action, float]()
    groups = {a.unit: group(position, [position.units[a.unit]]) for a in choices if isinstance(a, ActivateLeader)}
    led = {name for members in groups.values() for name, by in members.items() if by}
    for action in choices:
        match action:
            case GiveSegment():
                found += _given(mind, action)
            case ActivateLeader(name):
                planned = plan(mind, groups[name].items())
                found += _opening(action, planned, RUSH)
                walking[action] = RUSH * planned.moves
            case ActivateStack(hex):
                stack = position.everybody(hex, mind.side)
                members = group(position, [one for one in stack if cannot_activate(position, mind.side, one) is None])
                if len(members) > 1:
                    planned = plan(mind, members.items())
                    found += _opening(action, planned, 1.0)
                    walking[action] = planned.moves
            case Activate(name, role):
                unit = position.units[name]
                if role == "move" and unit.combat and unit.id in led:
                    continue  # a leader who can lead it takes it nearer
                task = task_as(mind, unit, role, led=False) if not unit.leader else None
                if task is not None:
                    found.append(Suggestion(action, task.worth, task.why))
                    walking[action] = task.worth if role == "move" else 0.0
                elif role == "recover" and not unit.good_order:
                    found.append(Suggestion(action, _recovering(mind, unit).worth, "it has to try"))
    found += [each for each in firing.calls(mind, choices) if each.worth > firing.LEAST]
    if Pass() in choices:
        found = [each for each in found if each.worth > WORTH_A_SEGMENT]
        found.append(Suggestion(Pass(), WORTH_A_SEGMENT, "nothing is worth a segment"))
    else:
        found = [each for each in found if not _lets_the_segment_go_by(mind, each.action)]
    # A worthwhile segment comes before a pass, however little of it is fire.
    return sorted(
        found, key=lambda each: (each.action == Pass(), (1.0 - HASTE) * walking.get(each.action, 0.0) - each.worth)
    )


def _lets_the_segment_go_by(mind: Mind, action: Action) -> bool:
    """Whether the side has to recover first, and the unit could do nothing [3.0.F]."""
    return isinstance(action, Activate) and evades(mind.position, mind.side, action) is not None


def _given(mind: Mind, action: GiveSegment) -> list[Suggestion]:
    """The best use of the segment by a player [18.32]."""
    given = mind.position.copy()
    given.change_army(mind.side, segment=action.player)
    units = given.pick(unmarked(given, mind.side))
    best = segment(Mind(given, mind.side), [act for unit in units for act in activations(given, mind.side, unit)])
    return [Suggestion(action, each.worth, each.why) for each in best[:1]]


def _opening(action: Action, found: Plan, rush: float) -> list[Suggestion]:
    if not found.roles:
        return []
    route = (*(Designate(name, role) for name, role in found.roles), Begin())
    return [Suggestion(action, rush * found.worth, found.why, route)]


def designating(mind: Mind, frame: Designating, choices: Sequence[Action]) -> list[Suggestion]:
    """The roles of the activated units, one after the other."""
    decided = {name for name, _ in frame.roles}
    for name, role in plan(mind, frame.members).roles:
        if name not in decided and Designate(name, role) in choices:
            return [Suggestion(Designate(name, role), 1.0, "as planned")]
    if Begin() in choices:
        return [Suggestion(Begin(), 1.0, "everybody knows what to do")]
    return [Suggestion(action, 0.0, "somebody has to act") for action in choices if isinstance(action, Designate)]


def performing(mind: Mind, choices: Choices) -> list[Suggestion]:
    """The next action of the active units: recover, fire, assault, then move; then the segment ends.

    The offers of units that move are built only if no other unit acts.
    """
    active = mind.position.activation
    assert active is not None
    wanted = [action for action in _offers(active, choices, "recover") if isinstance(action, Recover)]
    if wanted:
        best = max(wanted, key=lambda a: _chance(mind, a))
        return [Suggestion(best, 1.0, Text(RECOVERS, (_chance(mind, best),)))]
    attacks = _offers(active, choices, "fire", "direct")
    shots = firing.performing(mind, attacks)
    prices = {name: each.worth for each in shots for name in _firers(each)}
    assaults = assaulting.performing(mind, attacks, prices)
    forced = EndSegment() not in choices.of(NOBODY)
    found = [each for each in (*shots, *assaults) if each.worth > firing.LEAST or forced]
    if assaults and not active.entered:
        busy = _firers(assaults[0])
        found = [each for each in shots if each.worth > firing.LEAST and not set(_firers(each)) & set(busy)] or found
    if not found:
        offered = list(choices)
        found = carrying.performing(mind, offered) or moving.performing(mind, offered)
    return [*sorted(found, key=lambda each: -each.worth), Suggestion(EndSegment(), 0.0, "nothing is left to do")]


def _offers(active: Activation, choices: Choices, *roles: Role) -> list[Action]:
    """The actions of the units that were designated for one of these roles."""
    return [
        offer
        for name in choices.asked
        if active.role(name) in roles
        for offer in choices.of(name)
        if isinstance(offer, Action)
    ]


def _firers(each: Suggestion) -> list[UnitId]:
    return [str(getattr(step, "unit", "")) for step in (each.action, *each.route)]


def _chance(mind: Mind, action: Recover) -> float:
    unit = mind.position.units[action.unit]
    chances = recovery.recovery_of(mind.position, unit, action.helper).chances()
    better = float(chances.get("good order", 0)) + 0.6 * float(chances.get("disrupted", 0))
    return better - 0.02 * bool(action.helper) + 0.001 * mind.value(unit)
