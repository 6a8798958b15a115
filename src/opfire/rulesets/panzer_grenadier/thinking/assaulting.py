"""Sensible assaults [12.0]: the expected gain and cost of an exchange of blows, and the units that go in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from opfire.core.actions import Action
from opfire.core.ruleset import Suggestion
from opfire.core.texts import Text, Words
from opfire.rulesets.panzer_grenadier.assault import assaulting
from opfire.rulesets.panzer_grenadier.assault import combat as combat
from opfire.rulesets.panzer_grenadier.assault.charge import Charge
from opfire.rulesets.panzer_grenadier.command import decapitation
from opfire.rulesets.panzer_grenadier.fire.strengths import Column
from opfire.rulesets.panzer_grenadier.movement.costs import printed_allowance
from opfire.rulesets.panzer_grenadier.pieces import Hex, Unit, UnitId, called_elsewhere
from opfire.rulesets.panzer_grenadier.thinking.mind import Mind
from opfire.rulesets.panzer_grenadier.thinking.words import in_words

ROUNDS = 1.5  # an assault goes on: more than the gain of its first round
PRIZE = 0.7  # the present share of an objective that is sure to be won in the end


class Fight(msgspec.Struct, frozen=True):
    """A possible assault: its worth, its hex, the units that go in or join, the reason."""

    worth: float
    hex: Hex
    units: tuple[UnitId, ...]
    why: Words


# --- what it brings ---------------------------------------------------------------------------------------------


def weigh(mind: Mind, own: Sequence[Unit], hex: Hex) -> tuple[float, Words]:
    """The worth of an assault by these units in a hex, with its chances in words [12.4]."""
    position = mind.position
    foes = position.at(hex, mind.other)
    groups = combat.attack(position, own, foes, hex)
    answer = combat.defence(position, foes, own)
    gain = mind.expected(groups, "assault")
    loss = mind.expected([Column(answer, tuple(unit.id for unit in own))], "assault")
    if foes and all(combat.sheltered(position, unit) for unit in foes if unit.combat):
        gain *= 0.85  # 12.43: they fire first
    theirs, ours = sum(mind.value(unit) for unit in foes), sum(mind.value(unit) for unit in own)
    theirs_share, our_share = gain / max(0.1, theirs), loss / max(0.1, ours)
    win = theirs_share / (theirs_share + our_share + 0.02)
    in_time = min(1.0, (mind.left + 1.0) * theirs_share * 1.6)
    prize = sum(goal.gain or 0.5 * goal.keep for goal in mind.goals if goal.place == hex and not goal.leave)
    worth = ROUNDS * (gain - (0.6 + 0.4 * mind.caution) * loss) + PRIZE * win * in_time * prize
    chances = in_words(groups[0].calculation if groups else None)
    return worth, Text("{}; their answer: {}", (chances, in_words(answer)))


def best_fight(mind: Mind, hex: Hex, able: Sequence[Unit], prices: dict[UnitId, float]) -> Fight | None:
    """The group with the greatest gain from its assault beyond other actions: strongest first."""
    position = mind.position
    inside = [unit for unit in position.at(hex, mind.side) if unit.combat]
    room = position.charts.figure("stack of combat units") - len(inside)
    outside = [unit for unit in able if unit.combat and unit.hex != hex]
    units = sorted(outside, key=lambda unit: (-unit.direct, unit.id))[: max(0, room)]
    begun = any(unit.combat and unit.hex == hex for unit in able)  # 12.3.a: one of the fighting units has to be active
    chiefs = [unit for unit in able if unit.officer is not None and not unit.officer.kommissar]
    chiefs.sort(key=lambda unit: -(unit.officer.combat if unit.officer else 0))
    fresh = [unit for unit in inside if not unit.demoralized and not unit.marked and not unit.shots]
    best: Fight | None = None
    for count in range(0 if begun and fresh else 1, len(units) + 1):
        for with_ in ((), tuple(chiefs[:1])) if chiefs else ((),):
            own = [*fresh, *units[:count], *with_]
            worth, words = weigh(mind, own, hex)
            worth -= sum(prices.get(unit.id, 0.0) for unit in own if not unit.leader)
            worth -= _left_behind(mind, units[:count])
            if best is None or worth > best.worth:
                best = Fight(worth, hex, tuple(unit.id for unit in own), words)
    return best


def _left_behind(mind: Mind, units: Sequence[Unit]) -> float:
    """The loss of units that leave objectives that no friend holds, or their holes."""
    going = {unit.id for unit in units}
    cost = sum(0.2 for unit in units if unit.dug_in > 1)
    for goal in mind.goals:
        staying = mind.stacks.get(goal.place, [])
        if staying and all(unit.id in going for unit in staying):
            cost += 0.5 * goal.keep
    return cost


# --- who could ----------------------------------------------------------------------------------------------------


def fights(
    mind: Mind, members: Sequence[Unit], prices: dict[UnitId, float], called: Mapping[UnitId, Hex]
) -> list[Fight]:
    """The assaults that these could make if they were activated to fire and led, best first.

    Units called into an assault go nowhere else [12.5].
    """
    hexes: dict[Hex, list[Unit]] = {}
    for unit in members:
        for hex in _can_assault_into(mind, unit):
            if called.get(unit.id, hex) == hex:
                hexes.setdefault(hex, []).append(unit)
    found = [best_fight(mind, hex, units, prices) for hex, units in hexes.items() if any(u.combat for u in units)]
    return sorted((each for each in found if each is not None), key=lambda each: -each.worth)


def _can_assault_into(mind: Mind, unit: Unit) -> Iterator[Hex]:
    """The hexes that a unit could move in to assault, or its hex if it fights already."""
    position = mind.position
    if unit.hex is None or unit.carrier is not None or unit.demoralized or unit.marked:
        return
    if not (unit.combat or unit.leader):
        return
    if position.assault_hex(unit.hex):
        yield unit.hex
        return
    if not unit.good_order or not printed_allowance(position, unit) or decapitation.decapitated(position, unit):
        return
    if unit.officer is not None and unit.officer.kommissar:
        return
    for to in position.map.neighbours[unit.hex]:
        if (
            to is not None
            and position.enemies(unit.side, to)
            and assaulting.closed(position, unit, unit.hex, to) is None
        ):
            yield to


# --- in the segment -----------------------------------------------------------------------------------------------


def performing(mind: Mind, choices: Sequence[Action], prices: dict[UnitId, float]) -> list[Suggestion]:
    """Assaults by active units: enter one after the other, then fight."""
    entries: dict[Hex, dict[UnitId, Action]] = {}
    for action in choices:
        match action:
            case assaulting.EnterAssault(name, to) | Charge(name, _, to):
                entries.setdefault(to, {}).setdefault(name, action)
    declared = [action for action in choices if isinstance(action, assaulting.DeclareAssault)]
    found = [_declare(mind, action) for action in declared if action.hex not in entries]
    for hex, names in entries.items():
        names.update({name: assaulting.EnterAssault(name, hex) for name in _chiefs(mind, hex) if name not in names})
        found.extend(_enter(mind, hex, names, prices, [action for action in declared if action.hex == hex]))
    return sorted(found, key=lambda each: -each.worth)


def _chiefs(mind: Mind, hex: Hex) -> Iterator[UnitId]:
    """The active leaders next to a hex who may go in after units."""
    active = mind.position.activation
    assert active is not None
    for chief in mind.chiefs:
        if active.ready(chief.id, "fire") and hex in _can_assault_into(mind, chief):
            if called_elsewhere(mind.position, chief, hex) is None:
                yield chief.id


def _declare(mind: Mind, action: assaulting.DeclareAssault) -> Suggestion:
    own = [
        unit
        for unit in mind.position.at(action.hex, mind.side)
        if assaulting.cannot_attack(mind.position, unit, action.hex) is None
    ]
    worth, words = weigh(mind, own, action.hex)
    return Suggestion(action, worth, words)


def _enter(
    mind: Mind, hex: Hex, names: dict[UnitId, Action], prices: dict[UnitId, float], declared: Sequence[Action]
) -> Iterator[Suggestion]:
    """Go in with the best group; leaders last. Once a unit is in, more go in only if that helps."""
    position = mind.position
    came = position.pick(assaulting.entrants(position, hex))
    able = [*came, *position.pick(names)]
    inside = [unit for unit in came if unit.combat]
    best = best_fight(mind, hex, able, prices)
    waiting = [name for name in best.units if name in names] if best is not None else []
    if inside and declared:
        now, words = weigh(mind, came, hex)
        if not waiting or best is None or best.worth <= now:
            yield Suggestion(declared[0], now + 1.0, words)
            return
    if best is not None and waiting:
        waiting.sort(key=lambda name: position.units[name].leader)
        first, *rest = waiting
        route = (*(names[name] for name in rest), assaulting.DeclareAssault(hex))
        yield Suggestion(names[first], best.worth + (1.0 if inside else 0.0), best.why, route)


def joining(mind: Mind, frame: assaulting.Assaulting, choices: Sequence[Action]) -> list[Suggestion]:
    """All units that add to an assault under way take part."""
    joins = [action for action in choices if isinstance(action, assaulting.JoinAssault)]
    units = [action for action in joins if mind.position.units[action.unit].state != "demoralized"]
    if units:
        return [Suggestion(action, 1.0, "more weight") for action in units]
    return [Suggestion(action, 1.0, "as planned") for action in choices if isinstance(action, assaulting.RollAssault)]


def first_fire(mind: Mind, frame: assaulting.FirstFire, choices: Sequence[Action]) -> list[Suggestion]:
    """First fire by the dug-in alone if they are most of the strength, else all together."""
    units = mind.position.combat_units(frame.hex, mind.side)
    whole = sum(unit.direct or 1 for unit in units)
    dug = sum(unit.direct or 1 for unit in units if combat.sheltered(mind.position, unit))
    wanted = assaulting.TakeFirstFire if dug * 2 > whole else assaulting.FireTogether
    why = Text("{} of {} are dug in", (dug, whole))
    return [Suggestion(action, 1.0, why) for action in choices if isinstance(action, wanted)]
