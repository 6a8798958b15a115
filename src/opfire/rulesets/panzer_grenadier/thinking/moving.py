"""Sensible moves: whole paths to objectives, firing positions, cover, and leaders with their units."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from opfire.core.actions import Action
from opfire.core.ruleset import Suggestion
from opfire.core.texts import Text, Words
from opfire.rulesets.panzer_grenadier.command import decapitation
from opfire.rulesets.panzer_grenadier.command.activation import of_his_kind
from opfire.rulesets.panzer_grenadier.movement import moving, rivers
from opfire.rulesets.panzer_grenadier.movement.costs import allowance, left_of, printed_allowance
from opfire.rulesets.panzer_grenadier.movement.moving import Cross, EnterMap, ExitMap, Move, Moving, Stop
from opfire.rulesets.panzer_grenadier.movement.transport import Unload
from opfire.rulesets.panzer_grenadier.pieces import Hex, Unit
from opfire.rulesets.panzer_grenadier.thinking.assaulting import PRIZE, ROUNDS
from opfire.rulesets.panzer_grenadier.thinking.mind import Mind
from opfire.rulesets.panzer_grenadier.thinking.paths import is_trapped, ways
from opfire.rulesets.panzer_grenadier.works import fieldworks
from opfire.space.paths import path

INERTIA = 0.08  # a move has to be this much better than staying
FIREPOWER = 0.6  # the weight of targets from there
HOLE = 0.25  # the worth of staying in a finished hole
NEW_HOLE = 0.12  # the worth of digging in a sensible hex
LOOKED_AT = 14  # hexes that are weighed for a unit


class Way(msgspec.Struct, frozen=True):
    """A way for one unit: its worth beyond staying, the actions, the reason."""

    worth: float
    actions: tuple[Action, ...]
    why: Words


# --- the best way ---------------------------------------------------------------------------------------------------


def cannot_go(mind: Mind, unit: Unit) -> bool:
    """Whether a unit does not move of itself now: no wheels, its leader fallen, demoralized, aboard, in an assault."""
    position = mind.position
    return (
        unit.hex is None
        or unit.demoralized
        or unit.carrier is not None
        or not printed_allowance(position, unit)
        or position.assault_hex(unit.hex)
        or decapitation.decapitated(position, unit) is not None
    )


def best_way(mind: Mind, unit: Unit, led: bool, left: int | None = None) -> Way | None:
    """The way with the greatest worth beyond staying; None without such a way."""
    key = unit.id, led, unit.hex if left is not None else "", left
    if key not in mind.ways:
        mind.ways[key] = None if cannot_go(mind, unit) else _best_way(mind, unit, led, left)
    found: Way | None = mind.ways[key]
    return found


def _best_way(mind: Mind, unit: Unit, led: bool, left: int | None) -> Way | None:
    """The best of the ends that draw the unit most.

    The ends that promise most are weighed first; once one promises less than is at hand, the rest need no weighing.
    """
    found, here = ways(mind, unit, left if left is not None else allowance(mind.position, unit), led), str(unit.hex)
    ends = sorted(found, key=_attraction(mind, unit), reverse=True)[:LOOKED_AT]
    stay = worth_of(mind, unit, here)
    gained, best = 0.0, ""
    hopes = {end: hope(mind, unit, end) for end in ends}
    for end in sorted(ends, key=hopes.__getitem__, reverse=True):
        if hopes[end] - stay - INERTIA <= gained:
            break
        worth = worth_of(mind, unit, end) - stay - INERTIA
        if end != here and worth > gained:
            worth -= mind.caution * passage(mind, unit, path(found, end)[1:])
            if worth > gained:
                gained, best = worth, end
    if not best:
        return None
    return Way(gained, _steps(mind, unit, path(found, best)), Text("{} is a better place than {}", (best, here)))


def _attraction(mind: Mind, unit: Unit) -> Callable[[Hex], float]:
    """The draw of a hex on a unit at a first look: units draw leaders, far-off units draw empty carriers, objectives
    the others.
    """
    if unit.leader:
        return partial(company, mind, unit)
    pulls = mind.pulls(unit)
    if _is_idle(unit):
        return lambda hex: pulls[hex] + mind.lifts(unit, hex)
    return pulls.__getitem__


def _is_idle(unit: Unit) -> bool:
    """Whether it is an unarmed carrier without a passenger."""
    return unit.transport and not unit.combat and not unit.cargo


def _steps(mind: Mind, unit: Unit, way: Sequence[Hex]) -> tuple[Action, ...]:
    steps: list[Action] = []
    for at, to in pairwise(way):
        wet = unit.hex == at and rivers.needs_roll(mind.position, unit, to)
        steps.append(Cross(unit.id, to) if wet else Move(unit.id, to))
    return (*steps, Stop(unit.id))


# --- what a hex is worth ----------------------------------------------------------------------------------------


class Merits(NamedTuple):
    """Everything that makes a hex worth having a unit in, but for the enemy's fire."""

    drawn: float
    exposed: float  # its share of the danger
    crowding: float = 0.0
    firing: float = 0.0
    lifts: float = 0.0
    hole: float = 0.0
    guard: float = 0.0
    straggling: float = 0.0

    def under(self, danger: float) -> float:
        """The worth of the hex, if the enemy's fire there costs so much."""
        worth = self.drawn - self.exposed * danger - self.crowding + self.firing + self.lifts
        return worth + self.hole + self.guard - self.straggling


def worth_of(mind: Mind, unit: Unit, hex: Hex) -> float:
    """The worth of the unit in a hex."""
    return merits(mind, unit, hex).under(mind.danger(unit, hex))


def hope(mind: Mind, unit: Unit, hex: Hex) -> float:
    """The most that it can be worth to have the unit in a hex: as if nobody fired at it there."""
    return merits(mind, unit, hex).under(0.0)


def merits(mind: Mind, unit: Unit, hex: Hex) -> Merits:
    """The merits of a hex for a unit."""
    key = unit.id, unit.hex, hex
    found = mind.known.merits.get(key)
    if found is None:
        found = mind.known.merits[key] = (
            _merits_to_a_leader(mind, unit, hex) if unit.leader else _merits(mind, unit, hex)
        )
    return found


def _merits_to_a_leader(mind: Mind, leader: Unit, hex: Hex) -> Merits:
    alone = 1.0 if hex not in mind.stacks else 0.3  # 6.7: among units he falls only on the lowest rolls
    return Merits(company(mind, leader, hex), alone * mind.caution)


def _merits(mind: Mind, unit: Unit, hex: Hex) -> Merits:
    share = 0.1 if unit.bombard and not unit.direct and _shells_objectives(mind, unit) else 1.0
    firing = FIREPOWER * mind.prospects(unit, hex) + _assault_from(mind, unit, hex) if unit.good_order else 0.0
    return Merits(
        share * mind.pull(unit, hex),
        mind.caution,
        _crowding(mind, unit, hex),
        firing,
        mind.lifts(unit, hex) if _is_idle(unit) else 0.0,
        HOLE if unit.dug_in > 1 and hex == unit.hex else 0.0,
        _guard(mind, unit, hex),
        _straggling(mind, unit, hex),
    )


def _shells_objectives(mind: Mind, unit: Unit) -> bool:
    """Whether a battery has an objective in range, so that it need not move."""
    apart = mind.ground.apart(str(unit.hex))
    return unit.kind is not None and any(apart[goal.place] < unit.kind.bombard_range for goal in mind.goals)


def company(mind: Mind, leader: Unit, hex: Hex) -> float:
    """The worth of a leader in a hex: the units that he reaches there [3.12], those beside him to take the blows."""
    key = leader.id, hex
    found = mind.known.companies.get(key)
    if found is None:
        found = mind.known.companies[key] = _company(mind, leader, hex)
    return found


def _company(mind: Mind, leader: Unit, hex: Hex) -> float:
    position = mind.position
    worth, followers = 0.25 * mind.pull(leader, hex) if mind.friends else 0.0, _followers(mind, leader)
    for near in (hex, *position.map.neighbours[hex]):
        for share in followers.get(near or "", ()):
            worth += share
    if hex not in mind.stacks:
        return worth
    before = any(to in mind.foe_hexes for to in position.map.neighbours[hex])
    return worth + (0.9 if before else 0.5)  # 6.43: an assault goes better with him


def _followers(mind: Mind, leader: Unit) -> dict[Hex, list[float]]:
    """By hex, the worth of the leader's being near each unit there that he leads: less with others who lead it."""
    found = mind.known.followers.get(leader.id)
    if found is None:
        found = mind.known.followers[leader.id] = {}
        for hex, friends in mind.stacks.items():
            for friend in friends:
                if of_his_kind(leader, friend):
                    others = sum(name != leader.id for name in mind.led_by(friend))
                    need = 0.3 if not friend.good_order else 0.2
                    found.setdefault(hex, []).append(need * mind.value(friend) / (1 + 1.5 * others))
    return found


def _guard(mind: Mind, unit: Unit, hex: Hex) -> float:
    """To stand on an objective so that no enemy walks in; the first unit counts most."""
    goal = mind.goal_at.get(hex)
    if goal is None or not unit.combat or (unit.bombard and not unit.direct):
        return 0.0
    if goal.gain and hex not in mind.foe_hexes:
        return 0.9 * goal.gain
    return goal.keep * (0.7, 0.2, 0.08)[min(2, mind.others(unit, hex))]


def _crowding(mind: Mind, unit: Unit, hex: Hex) -> float:
    """Three in a hex are hit together, and better [4.4]."""
    return (0.0, 0.05, 0.25)[min(2, mind.others(unit, hex))]


def _straggling(mind: Mind, unit: Unit, hex: Hex) -> float:
    """A unit that goes out of all leaders' reach is alone there."""
    return 0.12 * mind.cut_off(unit, hex) if unit.combat else 0.0


def _assault_from(mind: Mind, unit: Unit, hex: Hex) -> float:
    """The possible gain of an assault from that hex next turn, with friends that are near."""
    if hex not in mind.front or not unit.direct:
        return 0.0
    best = 0.0
    for to in mind.position.map.neighbours[hex]:
        if to is not None and to in mind.foe_hexes:
            best = max(best, _clash(mind, unit, to))
    return best


def _clash(mind: Mind, unit: Unit, hex: Hex) -> float:
    """A share of the gain of an assault there by the unit with the two strongest friends near the hex."""
    assert unit.kind is not None
    key = unit.id, hex
    if key in mind.known.clashes:
        return mind.known.clashes[key]
    position, (near, led) = mind.position, _storming(mind, hex)
    own = [unit, *[friend for friend in near[:3] if friend.id != unit.id][:2]]
    foes = position.at(hex, mind.other)
    chart, rows = position.charts.assault, position.charts.modifiers
    cover = sum(rows["assault", name].value for name in ("town", "woods") if name in position.setting.terrain[hex])
    sheltered = any(fieldworks.dug_in(position, foe) for foe in foes)
    mine = chart.column(sum(one.direct for one in own), led + cover - sheltered)
    strength = sum(foe.direct if foe.good_order else (foe.direct + 1) // 2 for foe in foes if foe.combat)
    theirs = chart.column(max(1, strength), any(foe.leader for foe in foes))
    gain = sum(mind.costs(chart.outcomes(mine), 1, foes, "assault"))
    loss = sum(mind.costs(chart.outcomes(theirs), 1, own, "assault"))
    share = gain / max(0.1, sum(mind.value(foe) for foe in foes))
    win = share / (share + loss / max(0.1, sum(mind.value(one) for one in own)) + 0.02)
    prize = sum(goal.gain for goal in mind.goals if goal.place == hex)
    worth = ROUNDS * (gain - loss) + PRIZE * win * min(1.0, mind.left * share * 1.6) * prize
    mind.known.clashes[key] = found = max(0.0, 0.5 * worth / len(own)) if led else 0.0
    return found


def _storming(mind: Mind, hex: Hex) -> tuple[list[Unit], bool]:
    """Our units that could go along into an assault on a hex, strongest first, and whether a leader is near it."""
    found = mind.known.storming.get(hex)
    if found is None:
        apart = mind.ground.apart(hex)
        near = [
            one for one in mind.friends if one.combat and one.good_order and one.direct and apart[str(one.hex)] <= 3
        ]
        near.sort(key=lambda friend: (-friend.direct, friend.id))
        led = any(not chief.demoralized and apart[str(chief.hex)] <= 5 for chief in mind.chiefs)
        found = mind.known.storming[hex] = near, led
    return found


# --- what happens on the way ------------------------------------------------------------------------------------


def passage(mind: Mind, unit: Unit, way: Sequence[Hex]) -> float:
    """The expected cost of opportunity fire on the way: each enemy's best shot, four of them at most."""
    worst: list[float] = []
    for foe, at, limit in mind.who_hurts(unit):
        if foe.marked and foe.shots != 1:
            continue
        best = 0.0
        for hex in way:
            if mind.ground.apart(hex)[at] <= limit:
                aim = mind.bearing(at, hex, unit)
                if aim is not None:
                    best = max(best, mind.shot(foe, unit, aim))
        if best > 0.0:
            worst.append(best)
    mines = 0.6 * mind.step(unit) * sum(is_trapped(mind, hex) for hex in way)
    return min(mind.value(unit), 0.7 * sum(sorted(worst, reverse=True)[:4]) + mines)


# --- in the segment -----------------------------------------------------------------------------------------------


def performing(mind: Mind, choices: Sequence[Action]) -> list[Suggestion]:
    """The move of the foremost active unit; leaders go after their units. Or entering, digging."""
    position, offered = mind.position, set(choices)
    active = position.activation
    assert active is not None
    found = list[Suggestion]()
    names = dict.fromkeys(action.unit for action in choices if isinstance(action, Move | Cross))
    for unit in sorted(position.pick(names), key=lambda unit: (unit.leader, -mind.pull(unit, str(unit.hex)))):
        way = best_way(mind, unit, unit.id in active.led, left_of(position, unit))
        stay = to_stay(mind, unit) if fieldworks.DigIn(unit.id) in offered else 0.0
        if way is not None and way.worth > stay and way.actions[0] in offered:
            found.append(Suggestion(way.actions[0], way.worth, way.why, way.actions[1:]))
            break
    found += [_exit(mind, action) for action in choices if isinstance(action, ExitMap)]
    found += [_enter(mind, action) for action in choices if isinstance(action, EnterMap)]
    found += [
        Suggestion(action, dig(mind, position.units[action.unit]), "to be safer there")
        for action in choices
        if isinstance(action, fieldworks.DigIn)
    ]
    return sorted((each for each in found if each.worth > 0.0), key=lambda each: -each.worth)


def _exit(mind: Mind, action: ExitMap) -> Suggestion:
    goals = [goal.gain for goal in mind.goals if goal.leave and goal.place == mind.position.units[action.unit].hex]
    steps = mind.position.units[action.unit].steps
    return Suggestion(
        action,
        steps * max(goals, default=-1.0) + 0.5,
        Text("{} steps leave the map" if steps > 1 else "{} step leaves the map", (steps,)),
    )


def _enter(mind: Mind, action: EnterMap) -> Suggestion:
    unit = replace(mind.position.units[action.unit], hex=action.hex)
    worth = 1.0 + mind.value(unit) + 0.1 * mind.pull(unit, action.hex) - mind.danger(unit, action.hex)
    return Suggestion(action, worth - (0.5 if unit.leader else 0.0), "to have it on the map")


def dig(mind: Mind, unit: Unit) -> float:
    """The worth of digging in: for a unit that fears no enemy yet but expects one [16.2], or is half done."""
    position = mind.position
    if unit.hex is None or unit.vehicle or not unit.combat or unit.dug_in > 1 or not unit.good_order or mind.left < 2:
        return 0.0
    if fieldworks.hard_ground(position, unit.hex) is not None:
        return 0.0
    apart = mind.ground.apart(unit.hex)
    coming = [foe for foe in mind.foes if foe.combat and apart[str(foe.hex)] < 14]
    too_late = mind.danger(unit, unit.hex) > 0.3 or any(apart[str(foe.hex)] <= 3 for foe in coming)
    if not coming or (too_late and not unit.dug_in):
        return 0.0
    return NEW_HOLE


def to_stay(mind: Mind, unit: Unit) -> float:
    """The least gain of a way: a unit on an objective digs in rather than step aside for a little."""
    holds = any(goal.keep and not goal.gain and goal.place == unit.hex for goal in mind.goals)
    return dig(mind, unit) if holds else 0.0


def on_the_way(mind: Mind, frame: Moving, choices: Sequence[Action]) -> list[Suggestion]:
    """A move whose plan did not hold: go on if that is still worth it, else stop."""
    unit, active = mind.position.units[frame.unit], mind.position.activation
    assert active is not None
    if unit.hex is None:  # beside the map with a leader
        return [_enter(mind, action) for action in choices if isinstance(action, EnterMap)]
    if any(isinstance(action, Unload) for action in choices):
        return [Suggestion(a, 0.1, "the ride is over") for a in choices if isinstance(a, Unload)]
    way = best_way(mind, unit, unit.id in active.led, frame.left)
    stop = Suggestion(Stop(unit.id), 0.0, "far enough")
    if way is None or way.worth <= 0.0 or way.actions[0] not in choices:
        leaving = [_exit(mind, action) for action in choices if isinstance(action, moving.ExitMap)]
        return [*(each for each in leaving if each.worth > 0.0), stop]
    return [Suggestion(way.actions[0], way.worth, way.why, way.actions[1:]), stop]
