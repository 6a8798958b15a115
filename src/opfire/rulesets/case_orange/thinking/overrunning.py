"""Overruns [9.8] that make sense: their vehicles, ways and expected gain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from opfire.core.actions import Action
from opfire.core.events import Calculation
from opfire.core.ruleset import Suggestion
from opfire.core.texts import Text, Words
from opfire.rulesets.case_orange.costs import allowance
from opfire.rulesets.case_orange.movement import Move, Stop
from opfire.rulesets.case_orange.overrun import (
    JoinOverrun,
    Overrun,
    OverrunGroup,
    RideThrough,
    Riding,
    StartOverrun,
    cannot_ride,
    overrun,
    ways_up,
)
from opfire.rulesets.case_orange.pieces import Hex, Unit, UnitId
from opfire.rulesets.case_orange.thinking.ground import blow
from opfire.rulesets.case_orange.thinking.mind import Mind
from opfire.space.hexes import opposite
from opfire.space.paths import path

MOST = 4


def overrun_share(mind: Mind, unit: Unit) -> float:
    """The rough gain of a unit by overrunning a near hex, alone or as one of two."""
    kind = unit.kind
    if not kind.armoured or kind.weapon in ("(H)", "M", "C") or kind.movement < 3:
        return 0.0
    best = 0.0
    for hex in mind.open_stacks():
        if mind.eyes.map.distance(str(unit.hex), hex) + 1 > kind.movement:
            continue
        cost = mind.ground.within_a_turn(unit, str(unit.hex), hex)
        if cost is None or cost + 2 > 2 * kind.movement:
            continue
        foes = mind.position.at(hex)
        if kind.weapon == "C(I)" and any(foe.kind.armoured for foe in foes):
            continue
        needed = sum(foe.kind.defence for foe in foes)
        modifier = -2 - all(foe.dispersed for foe in foes)
        for number in (1, 2):
            chances = blow(mind.position.charts, number * kind.attack, needed, 1, modifier)
            worth = sum(mind.value(foe) * mind.harm(foe, chances) for foe in foes) / number
            best = max(best, 0.6 * worth)
    return best


def overruns(mind: Mind, choices: Sequence[Action]) -> Iterator[Suggestion]:
    """For each hex that can be overrun, the group with the greatest gain."""
    by_hex: dict[Hex, list[UnitId]] = {}
    for action in choices:
        if isinstance(action, Overrun):
            by_hex.setdefault(action.hex, []).append(action.unit)
    for hex, names in by_hex.items():
        best = _best_group(mind, hex, mind.position.pick(names))
        if best is not None:
            worth, group, words = best
            route = (*(JoinOverrun(unit.id) for unit in group[1:]), StartOverrun())
            yield Suggestion(Overrun(group[0].id, hex), worth, words, route)


def _best_group(mind: Mind, hex: Hex, able: list[Unit]) -> tuple[float, list[Unit], Words] | None:
    """Units are added, those that risk least for their weight first, as long as it pays."""
    rides = {unit.id: best_ride(mind, unit, hex, allowance(unit)) for unit in able}
    prices = {unit.id: rides[unit.id][0] for unit in able if rides[unit.id] is not None}  # type: ignore[index]
    order = sorted((u for u in able if u.id in prices), key=lambda u: (prices[u.id] - 0.05 * u.kind.attack, u.id))
    best: tuple[float, list[Unit], Words] | None = None
    foes = mind.position.at(hex)
    for count in range(1, min(len(order), MOST) + 1):
        group = order[:count]
        calculation = overrun(mind.position, group, hex)
        if calculation is None:
            continue
        gain = mind.expected(calculation, foes) * (1.0 - 0.1 * (count - 1)) + _breakthrough(mind, calculation, hex)
        worth = gain - sum(prices[unit.id] for unit in group)
        if best is None or worth > best[0] + 0.02:
            best = worth, group, Text("overrun at {}", (calculation.column,))
    return best if best is not None and best[0] > 0.05 else None


def _breakthrough(mind: Mind, calculation: Calculation, hex: Hex) -> float:
    """A little for an objective that comes free."""
    chance = float(calculation.chances().get("X", 0))
    return 0.3 * chance * next((goal.gain for goal in mind.goals if goal.place == hex and not goal.leave), 0.0)


def best_ride(mind: Mind, unit: Unit, hex: Hex, left: int) -> tuple[float, list[Hex]] | None:
    """The cheapest way to an entry hex, opportunity fire and the danger beyond counted, and its cost."""
    position, start = mind.position, str(unit.hex)
    reached = ways_up(position, unit, left)
    best: tuple[float, list[Hex]] | None = None
    for direction, entry in enumerate(position.map.neighbours[hex]):
        exit = position.map.neighbours[hex][opposite(direction)]
        if entry is None or exit is None or entry not in reached:
            continue
        if cannot_ride(position, unit, entry, hex, exit, left - reached[entry][0]) is not None:
            continue
        way = path(reached, entry)
        cost = mind.toll(unit, [*way[1:], exit]) + 0.6 * mind.caution * mind.peril(unit, exit, True)
        cost += mind.pull(unit, start) - mind.pull(unit, exit)
        if best is None or cost < best[0]:
            best = cost, way
    return best


def grouping(frame: OverrunGroup, choices: Sequence[Action]) -> list[Suggestion]:
    """An overrun being put together without a plan: begin as soon as it may be."""
    if StartOverrun() in choices:
        return [Suggestion(StartOverrun(), 1.0, "as planned")]
    return [Suggestion(action, 1.0, "more weight") for action in choices if isinstance(action, JoinOverrun)]


def riding(mind: Mind, frame: Riding, choices: Sequence[Action]) -> list[Suggestion]:
    """The next step of a vehicle on its overrun."""
    unit = mind.position.units[frame.unit]
    ride = best_ride(mind, unit, frame.hex, frame.left)
    if ride is not None:
        steps: list[Action] = [Move(unit.id, to) for to in ride[1][1:]]
        steps.append(RideThrough(unit.id))
        if steps[0] in choices:
            return [Suggestion(steps[0], 1.0, "by the safest way through", tuple(steps[1:]))]
    if RideThrough(unit.id) in choices:
        return [Suggestion(RideThrough(unit.id), 1.0, "through")]
    return [Suggestion(Stop(unit.id), 0.0, "there is no way through any more")]
