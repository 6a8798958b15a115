"""Sensible moves: whole paths to objectives, firing positions, cover and carriers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec
from msgspec.structs import replace

from opfire.core.actions import Action
from opfire.core.ruleset import Suggestion
from opfire.core.texts import Text, Words
from opfire.kit.thinking.goals import FAR
from opfire.rulesets.case_orange.actions import EndSegment
from opfire.rulesets.case_orange.carrying import CARRIERS, Load, Unload, cannot_load
from opfire.rulesets.case_orange.costs import allowance, half_allowance
from opfire.rulesets.case_orange.engineers import LayCharges, LiftMines
from opfire.rulesets.case_orange.movement import Enter, ExitMap, Move, Moving, Shift, Stop, cannot_exit, exit_cost
from opfire.rulesets.case_orange.pieces import FOOT, Hex, Unit, overstacked
from opfire.rulesets.case_orange.thinking.assaulting import best_assault
from opfire.rulesets.case_orange.thinking.mind import Mind
from opfire.rulesets.case_orange.thinking.overrunning import overruns
from opfire.rulesets.case_orange.thinking.paths import ways

INERTIA = 0.05  # a move has to be this much better than staying
SEEN_RISK = 0.005  # a smaller risk on the way is none worth a word
_QUIET = "hardly any fire on the way"
PACE = 0.004  # the cost of each hex of a way
FIREPOWER = 0.55  # the weight of targets from there


class Plan(msgspec.Struct, frozen=True):
    """A way for one unit: its worth beyond staying, the actions, the reason."""

    worth: float
    actions: tuple[Action, ...]
    why: Words


# --- the segments -----------------------------------------------------------------------------------------------


def segment(mind: Mind, choices: Sequence[Action]) -> list[Suggestion]:
    """Overruns first, then reinforcements, then one unit after another, those that are drawn most first."""
    found = sorted(overruns(mind, choices), key=lambda each: -each.worth)
    by_unit: dict[str, list[Action]] = {}
    for action in choices:
        match action:
            case Move(name) | ExitMap(name) | Enter(name) | Shift(name) | LiftMines(name) | LayCharges(name):
                by_unit.setdefault(name, []).append(action)
            case Load(carrier) | Unload(carrier):
                by_unit.setdefault(carrier, []).append(action)
    for name in sorted(by_unit, key=lambda name: _urgency(mind, mind.position.units[name])):
        if found and found[0].worth > 0.3:
            break
        unit = mind.position.units[name]
        plan = _arrival(mind, unit, by_unit[name]) if unit.hex is None else best_plan(mind, unit, by_unit[name])
        if plan is not None and plan.worth > INERTIA:
            found.append(Suggestion(plan.actions[0], plan.worth, plan.why, plan.actions[1:]))
            break
    found.append(Suggestion(EndSegment(), INERTIA, "everybody stands well"))
    return sorted(found, key=lambda each: -each.worth)


def _urgency(mind: Mind, unit: Unit) -> tuple[float, float, str]:
    """Reinforcements first; then the unit nearest to its goal, so that the road is free behind it."""
    if unit.hex is None:
        return -99.0, 0.0, unit.id
    return -round(mind.pull(_wants(mind, unit), str(unit.hex), unit), 1), -float(unit.kind.defence), unit.id


def _wants(mind: Mind, unit: Unit) -> Unit:
    """The unit whose goals a vehicle follows: for a pure carrier its passenger."""
    if unit.cargo is not None and unit.kind.weapon in CARRIERS:
        return mind.position.units[unit.cargo]
    return unit


def _arrival(mind: Mind, unit: Unit, choices: Sequence[Action]) -> Plan | None:
    """A reinforcement comes aboard and on, by the entry hex nearest to its goal."""
    boarding = [action for action in choices if isinstance(action, Load)]
    if boarding:
        best = max(boarding, key=lambda action: mind.value(mind.position.units[action.unit]))
        return Plan(9.0, (best,), "comes on aboard")
    entries = [action for action in choices if isinstance(action, Enter)]
    if not entries:
        return None
    if not unit.vehicle and unit.kind.movement <= 1 and _seat_waits(mind, unit):
        return None

    def worth(action: Enter) -> float:
        return mind.pull(unit, action.hex) - mind.peril(unit, action.hex, True)

    return Plan(8.0, (max(entries, key=worth),), "reinforcements are needed")


def _seat_waits(mind: Mind, unit: Unit) -> bool:
    """Whether a carrier that arrives with it has not come on yet."""
    entries = mind.position.setting.entries
    together = [
        other
        for other in mind.position.pick(mind.position.setting.ids[mind.side])
        if entries.get(other.id) == entries[unit.id]
    ]
    return any(other.status == "reserve" and other.vehicle and other.cargo is None for other in together)


def moving(mind: Mind, frame: Moving, choices: Sequence[Action]) -> list[Suggestion]:
    """The next step of a unit under way without a plan."""
    unit = mind.position.units[frame.unit]
    plan = best_plan(mind, unit, choices, frame.left)
    found = [Suggestion(Stop(unit.id), 0.0, "it stands well here")]
    if plan is not None and plan.worth > 0.0 and plan.actions[0] in choices:
        found.insert(0, Suggestion(plan.actions[0], plan.worth, plan.why, plan.actions[1:]))
    return found


# --- one unit ---------------------------------------------------------------------------------------------------


def best_plan(mind: Mind, unit: Unit, choices: Sequence[Action], left: int | None = None) -> Plan | None:
    """The best plan of a unit on the map with `left` half factors, compared with staying in its hex."""
    here, fresh = str(unit.hex), left is None
    budget = allowance(unit) if left is None else left
    found = ways(mind.position, unit, budget)
    others = _plans(mind, unit, choices, found, budget)
    best = max(others, key=lambda plan: plan.worth, default=None)
    best = _best_going(mind, unit, [way for hex, (_, way) in found.items() if hex != here], best)
    return None if best is None else replace(best, worth=best.worth - stand(mind, unit, here, moved=not fresh))


def _best_going(mind: Mind, unit: Unit, found: Iterable[list[Hex]], best: Plan | None) -> Plan | None:
    """The best end of a way, or the plan at hand if no end is better.

    The ends that promise most are weighed first; once one promises less than is at hand, the rest need no weighing.
    """
    hopes = sorted(((_hope(mind, unit, way), way) for way in found), key=lambda each: -each[0])
    for hope, way in hopes:
        if best is not None and hope <= best.worth:
            break
        plan = _going(mind, unit, way)
        if best is None or plan.worth > best.worth:
            best = plan
    return best


def _hope(mind: Mind, unit: Unit, way: list[Hex]) -> float:
    """The greatest possible worth of the end of a way: as if without enemy fire on the way or afterwards."""
    gains = _with_gains(mind, _at_end(mind, unit, way[-1]), way[-1], 0.0)
    return (gains if gains > 0.0 else 0.5 * gains) + captures(mind, way[1:]) - PACE * len(way)


def _plans(
    mind: Mind, unit: Unit, choices: Sequence[Action], found: dict[Hex, tuple[int, list[Hex]]], budget: int
) -> Iterator[Plan]:
    """All plans of a unit besides going to a hex to stand there."""
    here, position = str(unit.hex), mind.position
    for hex, (cost, way) in found.items():
        left = budget - cost
        if hex in position.setting.exits[unit.side] and mind.may_score_by_leaving(unit):
            if left >= exit_cost(position, unit) and (hex != here or cannot_exit(position, unit, left) is None):
                yield _leaving(mind, unit, way)
        near_enough = allowance(unit) - left <= half_allowance(unit)
        if near_enough and unit.vehicle and not unit.locked:
            if unit.cargo is not None:
                plan = _setting_down(mind, unit, way)
            else:
                plan = _picking_up(mind, unit, way)
            if plan is not None:
                yield plan
    for action in choices:
        match action:
            case Shift(_, below):
                moved = replace(unit, below=_shelter(mind, here) if below else "")
                yield Plan(stand(mind, moved, here, moved=False), (action,), "into cover" if below else "out of cover")
            case LiftMines():
                yield Plan(stand(mind, unit, here, moved=False) + 0.2, (action,), "clears the way")


def _steps(unit: Unit, way: Sequence[Hex]) -> tuple[Move, ...]:
    return tuple(Move(unit.id, to) for to in way[1:])


def _going(mind: Mind, unit: Unit, way: list[Hex]) -> Plan:
    """To stand at the end of a way."""
    hex = way[-1]
    moves, at_end = _steps(unit, way), _at_end(mind, unit, hex)
    if at_end is not unit:
        moves = (*moves[:-1], Move(unit.id, hex, True))
    works = mind.position.works.get(hex)
    risk = mind.passage(unit, way[1:])
    taken = captures(mind, way[1:])
    end = stand(mind, at_end, hex, moved=True)
    if works is not None and works.mines and works.mines_side != mind.side:
        end -= 0.4 * mind.value(unit)
    worth = end * (1.0 - 0.5 * risk) + taken * (1.0 - risk) - mind.toll(unit, way[1:]) - PACE * len(way)
    return Plan(worth, moves, _why(hex, taken, risk))


def _why(hex: Hex, taken: float, risk: float) -> Text:
    """A way in words: its goal, and what the enemy may do to the unit on it."""
    goal = "takes an objective" if taken > 0 else "a better place"
    danger = Text("enemy fire on the way harms it at {:.0%}", (risk,)) if risk >= SEEN_RISK else _QUIET
    return Text("to {}, {}; {}", (hex, goal, danger))


def _at_end(mind: Mind, unit: Unit, hex: Hex) -> Unit:
    """The unit as it would stand in a hex: below the works there, if it is on foot and has room."""
    works = mind.position.works.get(hex)
    if works is not None and (works.position or works.fort) and unit.kind.type in FOOT:
        where = _shelter(mind, hex)
        if overstacked(mind.position, unit, hex, where) is None:
            return replace(unit, below=where)
    return unit


def _shelter(mind: Mind, hex: Hex) -> str:
    return "fort" if mind.position.fort(hex) is not None else "position"


def captures(mind: Mind, way: Sequence[Hex]) -> float:
    """The gain of entering these hexes: full worth at the end of the game, less while it may be lost again."""
    if not way:
        return 0.0
    sure = 0.45 + 0.55 * (1.0 - mind.foe_left / max(1, mind.turns))
    if mind.goal_at.keys().isdisjoint(way):
        return 0.0
    return sure * sum(goal.gain for goal in mind.goals if goal.gain and not goal.leave and goal.place in way)


def _leaving(mind: Mind, unit: Unit, way: list[Hex]) -> Plan:
    """Off the map, which scores."""
    loads = [unit, *([mind.position.units[unit.cargo]] if unit.cargo else [])]
    points = max(goal.gain for goal in mind.goals if goal.leave) * sum(load.kind.points for load in loads)
    risk = mind.passage(unit, way[1:])
    worth = points * (1.0 - risk) - mind.toll(unit, way[1:]) + 0.5
    return Plan(worth, (*_steps(unit, way), ExitMap(unit.id)), Text("off the map for {:g} points", (points,)))


def _setting_down(mind: Mind, carrier: Unit, way: list[Hex]) -> Plan | None:
    """To set the passenger down at the end of a way."""
    hex, passenger = way[-1], mind.position.units[str(carrier.cargo)]
    if passenger.locked or overstacked(mind.position, passenger, hex) is not None:
        return None
    if mind.position.holder(hex) is None and mind.position.work(hex).mines:
        return None
    risk = mind.passage(carrier, way[1:])
    empty, afoot = replace(carrier, cargo=None), replace(passenger, carrier=None, hex=hex)
    worth = stand(mind, afoot, hex, moved=True) + stand(mind, empty, hex, moved=True)
    worth += 0.3 * mind.prospects(afoot, hex)
    worth = worth * (1.0 - 0.5 * risk) + captures(mind, way[1:]) - mind.toll(carrier, way[1:])
    return Plan(
        worth - 0.05, (*_steps(carrier, way), Unload(carrier.id)), Text("sets {} down in {}", (passenger.name, hex))
    )


def _picking_up(mind: Mind, carrier: Unit, way: list[Hex]) -> Plan | None:
    """To fetch a unit that has far to walk."""
    hex, best = way[-1], None
    for other in mind.position.at(hex):
        if other.vehicle or other.side != mind.side or other.below in ("position", "fort"):
            continue
        at = replace(carrier, hex=hex)
        if cannot_load(mind.position, at, other) is not None:
            continue
        gain = mind.pull(other, hex, carrier) * 0.8 - mind.pull(other, hex) - mind.prospects(other, hex)
        gain -= mind.value(other) * mind.danger(at, hex, True)
        gain -= 0.6 * sum(goal.keep for goal in mind.goals if goal.place == hex and not goal.gain)
        if best is None or gain > best[0]:
            best = gain, other
    if best is None or best[0] <= 0.05:
        return None
    worth = best[0] + stand(mind, carrier, str(carrier.hex), moved=True) - mind.toll(carrier, way[1:])
    return Plan(worth, (*_steps(carrier, way), Load(carrier.id, best[1].id)), Text("fetches {}", (best[1].name,)))


# --- standing in a hex ------------------------------------------------------------------------------------------


def stand(mind: Mind, unit: Unit, hex: Hex, moved: bool) -> float:
    """The worth of the unit in a hex: objectives, targets, and its danger there."""
    return _with_gains(mind, unit, hex, -mind.caution * mind.peril(unit, hex, moved))


def _with_gains(mind: Mind, unit: Unit, hex: Hex, worth: float) -> float:
    """This worth, and in addition the unit's gains in a hex."""
    worth += FIREPOWER * mind.prospects(unit, hex)
    worth += _guard(mind, unit, hex)
    if unit.kind.weapon == "C" and unit.cargo is None:
        return worth + _fetching(mind, unit, hex) - (0.03 if mind.position.map.cells[hex].links else 0.0)
    worth += mind.pull(unit, hex)
    if unit.cargo is not None:
        worth += mind.pull(mind.position.units[unit.cargo], hex, unit)
        if unit.kind.weapon in CARRIERS:
            worth -= 0.5 * mind.pull(unit, hex)
    if unit.kind.type in FOOT and unit.carrier is None:
        worth += 0.8 * _assault_from(mind, unit, hex)
    return worth - _crowding(mind, unit, hex)


def _guard(mind: Mind, unit: Unit, hex: Hex) -> float:
    """To stand on an objective so that no enemy walks in; the first unit counts most."""
    goal = mind.goal_at.get(hex)
    if goal is None or mind.foe_left == 0:
        return 0.0
    alone = not any(other.id != unit.id for other in mind.position.at(hex))
    worth = goal.keep if not goal.gain else 0.5 * goal.keep
    return worth * (0.7 if alone else 0.08)


def _fetching(mind: Mind, unit: Unit, hex: Hex) -> float:
    """The nearness of an empty carrier to a unit that has far to walk."""
    best = 0.0
    for friend, need in _walkers(mind, unit):
        if friend.kind.points <= unit.kind.points:
            turns = mind.ground.turns(unit, hex, str(friend.hex))
            if turns < FAR:
                best = max(best, 0.5 * need * 0.8**turns)
    return best


def _walkers(mind: Mind, unit: Unit) -> list[tuple[Unit, float]]:
    """The units that have far to walk, and the gain of carrying them."""
    found = mind.walkers.get(unit.id)
    if found is None:
        found = mind.walkers[unit.id] = []
        for friend in mind.friends:
            if not friend.vehicle and not friend.below and friend.kind.type != "cavalry":
                at = str(friend.hex)
                need = mind.pull(friend, at, unit) - mind.pull(friend, at) - mind.prospects(friend, at)
                if need > 0.1:
                    found.append((friend, need))
    return found


def _assault_from(mind: Mind, unit: Unit, hex: Hex) -> float:
    """The possible gain of an assault this turn from that hex, with friends who stand ready."""
    if unit.kind.attack == 0 or unit.locked:
        return 0.0
    best = 0.0
    for to in mind.position.map.neighbours[hex]:
        if to is None or mind.position.holder(to) != mind.other or to in mind.position.assaulted:
            continue
        if mind.position.map.side(hex, to) and "cliff" in mind.position.map.side(hex, to):
            continue
        ready = [friend for friend in mind.friends if friend.id != unit.id and _stands_ready(mind, friend, to)]
        together, group, _ = best_assault(mind, to, [*ready, replace(unit, hex=hex)])
        if group and any(each.id == unit.id for each in group):
            without, _, _ = best_assault(mind, to, ready)
            best = max(best, together - without)
    return best


def _stands_ready(mind: Mind, friend: Unit, to: Hex) -> bool:
    if friend.kind.type not in FOOT or not friend.eligible or friend.road or friend.kind.attack == 0:
        return False
    return str(friend.hex) in mind.position.map.neighbours[to]


def _crowding(mind: Mind, unit: Unit, hex: Hex) -> float:
    """Units in one hex are shelled and overrun together, and block their road."""
    stack = mind.position.stacks.get(hex, ())
    worth = 0.04 * (len(stack) - (unit.id in stack))
    if mind.position.map.cells[hex].links:
        worth += 0.02
    return worth
