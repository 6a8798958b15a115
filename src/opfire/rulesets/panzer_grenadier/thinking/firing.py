"""Sensible attacks, by exact chances: direct fire, bombardment, anti-tank fire, aircraft, reactions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from opfire.core.actions import Action
from opfire.core.events import Calculation
from opfire.core.ruleset import Suggestion
from opfire.core.texts import Text, Words
from opfire.rulesets.panzer_grenadier.actions import EndSegment, Pass
from opfire.rulesets.panzer_grenadier.fire import aircraft, antitank, bombardment, direct, offboard
from opfire.rulesets.panzer_grenadier.fire.reaction import OpportunityFire, ShootAntiTank, ShootDirect
from opfire.rulesets.panzer_grenadier.fire.strengths import Column, Fire, cannot_combine
from opfire.rulesets.panzer_grenadier.pieces import Hex, Position, Unit, UnitId
from opfire.rulesets.panzer_grenadier.thinking.mind import Mind
from opfire.rulesets.panzer_grenadier.thinking.targets import direct_targets, shell_targets, tank_targets
from opfire.rulesets.panzer_grenadier.thinking.words import first_of, groups_in_words, in_words

LEAST = 0.03  # an attack with a smaller expected gain is not worth its noise
RESERVE = 0.35  # the share of a unit's own turn that is lost when it fires at a mover


class Attack(msgspec.Struct, frozen=True):
    """An attack by one or several: what it is expected to bring, who fires, the actions, the target, the chances."""

    worth: float
    units: tuple[UnitId, ...]
    actions: tuple[Action, ...]
    target: str
    calculation: Calculation | None

    @property
    def why(self) -> Text:
        """The target, and the chances in words."""
        return Text("{}, {}", (self.target, in_words(self.calculation)))


# --- one unit ---------------------------------------------------------------------------------------------------


def shots_of(mind: Mind, unit: Unit) -> dict[Hex, Attack]:
    """The best attack of one unit alone at each hex that it can fire at."""
    known = mind.shots.get(unit.id)
    if known is None:
        known = mind.shots[unit.id] = {}
        for hex, attack in _alone(mind, unit):
            if hex not in known or attack.worth > known[hex].worth:
                known[hex] = attack
    return known


def best_shot(mind: Mind, unit: Unit) -> Attack | None:
    """The best attack of one unit alone."""
    return max(shots_of(mind, unit).values(), key=lambda attack: attack.worth, default=None)


def _alone(mind: Mind, unit: Unit) -> Iterator[tuple[Hex, Attack]]:
    for hex in direct_targets(mind.sightings, unit):
        yield hex, direct_attack(mind, [unit], hex)
    for hex in shell_targets(mind.sightings, unit):
        yield hex, shell_attack(mind, [unit], hex)
    for target in tank_targets(mind.sightings, unit):
        found = antitank.at_fire(mind.position, unit, target)
        worth = mind.anti_tank(found.outcomes, target) * (1.6 if antitank.shots(mind.position, unit) > 1 else 1.0)
        yield (
            str(target.hex),
            Attack(worth, (unit.id,), (antitank.FireAntiTank(unit.id, target.id),), target.name, found),
        )


def direct_attack(mind: Mind, firers: Sequence[Unit], hex: Hex) -> Attack:
    """A direct attack by these together on a hex [10.2]."""
    groups = direct.direct_fire(mind.position, firers, hex)
    first, *rest = firers
    actions = (direct.FireDirect(first.id, hex), *(direct.AddFirer(unit.id) for unit in rest), Fire())
    return Attack(mind.expected(groups, "direct"), _ids(firers), actions, hex, first_of(groups))


def shell_attack(mind: Mind, batteries: Sequence[Unit], hex: Hex) -> Attack:
    """A bombardment by these together [9.4], less the stray rounds on friends."""
    position = mind.position
    lines = bombardment.battery_lines(position, batteries)
    groups = bombardment.bombardment(position, lines, batteries, hex, mind.other)
    first, *rest = batteries
    actions = (bombardment.Bombard(first.id, hex), *(bombardment.AddBattery(unit.id) for unit in rest), Fire())
    worth = mind.expected(groups, "bombardment") - astray(mind, hex, batteries)
    if own := position.at(hex, mind.side):
        worth -= mind.expected([Column(groups[0].calculation, _ids(own))], "bombardment") if groups else 0.0
    return Attack(worth, _ids(batteries), actions, hex, first_of(groups))


def astray(mind: Mind, hex: Hex, batteries: Sequence[Unit] = ()) -> float:
    """The expected cost of stray rounds to friends next to a target [9.5]."""
    position, cost = mind.position, 0.0
    added = bombardment.care(position, mind.side, batteries)
    chance = max(0, position.charts.figure("friendly fire hits up to") - added) / 6
    for near in bombardment.friends_next_to(position, mind.side, hex):
        groups = bombardment.stray_fire(position, near, mind.side, 3)
        cost += chance * mind.expected(groups, "bombardment")
    return cost


def _ids(units: Iterable[Unit]) -> tuple[UnitId, ...]:
    return tuple(unit.id for unit in units)


# --- several together -------------------------------------------------------------------------------------------


def attacks(mind: Mind, firers: Sequence[Unit]) -> list[Attack]:
    """The attacks that these could make, best first: together if that gains more than one by one."""
    alone = {unit.id: best for unit in firers if (best := best_shot(mind, unit)) is not None}
    ranked = [(attack.worth, attack) for attack in alone.values()]
    for attack in _joint(mind, [unit for unit in firers if unit.id in alone]):
        gained = attack.worth - sum(max(0.0, alone[name].worth) for name in attack.units)
        if gained > 0.0:
            ranked.append((attack.worth + gained, attack))
    ranked.sort(key=lambda pair: -pair[0])
    return [attack for _, attack in ranked if attack.worth > LEAST]


def _joint(mind: Mind, firers: Sequence[Unit]) -> Iterator[Attack]:
    """Attacks by all units of a hex, or all that a leader combines, at each hex in reach of two or more."""
    seen: set[tuple[UnitId, ...]] = set()
    for team in _teams(mind.position, firers):
        for targets, attack in ((direct_targets, direct_attack), (shell_targets, shell_attack)):
            reached = {unit.id: targets(mind.sightings, unit) for unit in team}
            for hex in dict.fromkeys(hex for hexes in reached.values() for hex in hexes):
                able = [unit for unit in team if hex in reached[unit.id]]
                key = (hex, *_ids(able))
                if len(able) > 1 and key not in seen and cannot_combine(mind.position, able) is None:
                    seen.add(key)
                    yield attack(mind, able, hex)


def _teams(position: Position, firers: Sequence[Unit]) -> Iterator[list[Unit]]:
    hexes = dict.fromkeys(str(unit.hex) for unit in firers)
    for hex in hexes:
        here = [unit for unit in firers if unit.hex == hex]
        yield here
        leaders = [one for one in position.at(hex, here[0].side) if one.officer and one.good_order]
        reach = max((one.officer.combat for one in leaders if one.officer), default=0)
        near = [other for other in hexes if position.map.adjacent(hex, other)]
        near.sort(key=lambda other: -sum(unit.direct for unit in firers if unit.hex == other))
        for other in near[: 3 * reach]:
            yield [*here, *(unit for unit in firers if unit.hex == other)]


def performing(mind: Mind, choices: Sequence[Action]) -> list[Suggestion]:
    """The best action of units that are active to fire."""
    names: dict[UnitId, None] = {}
    for action in choices:
        match action:
            case direct.FireDirect(name) | bombardment.Bombard(name) | antitank.FireAntiTank(name):
                names[name] = None
    offered = set(choices)
    return [
        Suggestion(attack.actions[0], attack.worth, attack.why, attack.actions[1:])
        for attack in attacks(mind, mind.position.pick(names))
        if attack.actions[0] in offered
    ]


def under_way(choices: Sequence[Action]) -> list[Suggestion]:
    """Fire an attack that was interrupted while it was put together."""
    return [Suggestion(action, 1.0, "enough of them") for action in choices if isinstance(action, Fire)]


# --- off-board artillery and aircraft -----------------------------------------------------------------------------


def calls(mind: Mind, choices: Sequence[Action]) -> list[Suggestion]:
    """Off-board batteries and aircraft at the hexes of their greatest gain."""
    found: list[Suggestion] = []
    for action in choices:
        match action:
            case offboard.CallFire(factor, hex):
                found.extend(_barrages(mind, factor, hex))
            case aircraft.SendAircraft(name, hex):
                rows = [mind.position.charts.aircraft[name]]
                groups = aircraft.air_attack(mind.position, hex, mind.other, rows)
                worth = 0.67 * mind.expected(groups, "air") + 0.15 * rows[0].at * _armor(mind, hex)
                found.append(Suggestion(action, worth - astray(mind, hex), groups_in_words(groups), (Fire(),)))
    return sorted(found, key=lambda each: -each.worth)


def _armor(mind: Mind, hex: Hex) -> float:
    return max((mind.step(unit) for unit in aircraft.afvs(mind.position, mind.other, hex)), default=0.0)


def _barrages(mind: Mind, factor: int, hex: Hex) -> Iterator[Suggestion]:
    """One battery, and two at once if that gains more than twice as much."""
    others = list(mind.position.armies[mind.side].offboard)
    others.remove(factor)
    first = 0.0
    for number, factors in enumerate(((factor,), (factor, *others[:1]))):
        if len(factors) == number + 1:
            lines = offboard.factor_lines(factors)
            groups = bombardment.bombardment(mind.position, lines, (), hex, mind.other)
            worth = mind.expected(groups, "bombardment") - astray(mind, hex)
            route = (*(offboard.AddFactor(one) for one in factors[1:]), Fire())
            if number == 0 or worth > 1.7 * first > 0:
                yield Suggestion(
                    offboard.CallFire(factor, hex), worth, Text("{}, {}", (hex, groups_in_words(groups))), route
                )
            first = worth


def calling(mind: Mind, frame: offboard.Calling, choices: Sequence[Action]) -> list[Suggestion]:
    """Between two bombardments: the next, or the end."""
    if frame.hex:
        return under_way(choices)
    found = [each for each in calls(mind, choices) if each.worth > LEAST]
    return [*found, Suggestion(EndSegment(), LEAST, "no target is worth it")]


# --- reactions --------------------------------------------------------------------------------------------------


def reaction(mind: Mind, frame: OpportunityFire, choices: Sequence[Action]) -> list[Suggestion]:
    """Shots that gain more than their firers give up."""
    position = mind.position
    movers = [unit for unit in position.pick(frame.movers) if unit.hex == frame.hex]
    found = [Suggestion(Pass(), 0.0, "better to keep the fire")]
    for action in choices:
        match action:
            case ShootDirect(names, _) if len(names) <= 4:
                groups = direct.at_mover(position, position.pick(names), movers)
                worth = mind.expected(groups, "opportunity") * _urgency(mind, frame)
                found.append(_kept(mind, action, names, worth, groups_in_words(groups)))
            case ShootAntiTank(name, target):
                calculation = antitank.at_fire(position, position.units[name], position.units[target])
                worth = mind.anti_tank(calculation.outcomes, position.units[target]) * _urgency(mind, frame)
                found.append(_kept(mind, action, (name,), worth, in_words(calculation)))
    return sorted(found, key=lambda each: -each.worth)


def _kept(mind: Mind, action: Action, names: Sequence[UnitId], worth: float, words: Words) -> Suggestion:
    price = sum(_price(mind, mind.position.units[name]) for name in names)
    return Suggestion(action, worth - price - LEAST, words)


def _price(mind: Mind, unit: Unit) -> float:
    """The loss of a unit: its own action later in the turn, or the last of its two shots at a nearer enemy."""
    if unit.shots:
        return 0.02
    best = best_shot(mind, unit)
    return 0.03 + RESERVE * max(0.0, best.worth if best is not None else 0.0)


def _urgency(mind: Mind, frame: OpportunityFire) -> float:
    """A mover that comes next to us, or to an objective, is stopped now or never."""
    position = mind.position
    near = [hex for hex in position.map.neighbours[frame.hex] if hex is not None]
    if any(position.combat_units(hex, mind.side) for hex in near):
        return 1.4
    return 1.2 if any(goal.place in near or goal.place == frame.hex for goal in mind.goals) else 1.0
