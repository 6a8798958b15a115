"""Sensible attacks: direct and indirect fire, registration, reaction fire, assaults, by exact chances."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from opfire.core.actions import Action
from opfire.core.events import Calculation
from opfire.core.ruleset import Suggestion
from opfire.core.texts import Text, Words, joined
from opfire.kit.orders import Pass
from opfire.rulesets.case_orange.actions import EndSegment
from opfire.rulesets.case_orange.combat import odds
from opfire.rulesets.case_orange.direct import (
    AddFirer,
    Attack,
    Attacking,
    Fire,
    Target,
    adjusted,
    defence,
    direct_fire,
    strength,
    target_of,
)
from opfire.rulesets.case_orange.indirect import (
    Confirm,
    DeclareFire,
    DeclareGroup,
    Gathering,
    How,
    IndirectFireSegment,
    cannot_combine,
    indirect_fire,
    targets_in,
)
from opfire.rulesets.case_orange.pieces import Hex, Position, Unit, UnitId
from opfire.rulesets.case_orange.reaction import Interdict, OpportunityFire, Shoot
from opfire.rulesets.case_orange.registration import Aim, Register
from opfire.rulesets.case_orange.thinking.mind import Mind
from opfire.rulesets.case_orange.thinking.moving import best_plan
from opfire.rulesets.case_orange.thinking.overrunning import overrun_share
from opfire.rulesets.case_orange.thinking.words import odds_in_words

LEAST = 0.04  # a shot with a smaller expected gain is not worth its noise


# --- direct fire ------------------------------------------------------------------------------------------------


def direct(mind: Mind, choices: Sequence[Action]) -> list[Suggestion]:
    """The attacks with a greater gain than any other action of their firers, best first."""
    by_target: dict[tuple[str, bool], list[UnitId]] = {}
    for action in choices:
        if isinstance(action, Attack):
            by_target.setdefault((action.target, action.single), []).append(action.unit)
    firers = dict.fromkeys(unit for units in by_target.values() for unit in units)
    price = {unit: holding_fire(mind, mind.position.units[unit]) for unit in firers}
    found = [best for key, units in by_target.items() for best in _attacks_on(mind, key, units, price)]
    found.append(Suggestion(EndSegment(), LEAST, "nothing else is worth a shot"))
    return sorted(found, key=lambda each: -each.worth)


def holding_fire(mind: Mind, unit: Unit) -> float:
    """The loss of a unit by firing: it neither moves nor overruns this turn."""
    if unit.kind.movement == 0:
        return 0.0
    plan = best_plan(mind, unit, ())
    return max(plan.worth if plan is not None else 0.0, overrun_share(mind, unit))


def _attacks_on(
    mind: Mind, key: tuple[str, bool], units: list[UnitId], price: dict[UnitId, float]
) -> Iterator[Suggestion]:
    """The best attack on one target: alone, or with more and more firers."""
    name, single = key
    position, aim = mind.position, "single" if key[1] else "together"
    target = target_of(position, name, aim)  # type: ignore[arg-type]
    gains = _stakes(mind, target)
    if gains <= 0.0:
        return
    firers = sorted(position.pick(units), key=lambda unit: price[unit.id] - 0.1 * _weight(position, unit, target))
    best: tuple[float, tuple[UnitId, ...], Calculation] | None = None
    if single or target.one_firer:
        groups = [[unit] for unit in firers]
    else:
        groups = [firers[:count] for count in range(1, min(len(firers), 8) + 1)]
    needed, last = defence(position, target), None
    for group in groups:
        ratio = odds(strength(position, group, target), needed)
        if ratio is None or (ratio == last and len(group) > 1):
            continue
        last = ratio
        calculation = direct_fire(position, group, target, "direct")
        worth = _brings(mind, calculation, target) - sum(price[unit.id] for unit in group)
        if best is None or worth > best[0]:
            best = worth, tuple(unit.id for unit in group), calculation
    if best is not None and best[0] > 0.0:
        worth, group_ids, calculation = best
        first, *rest = group_ids
        route = (*(AddFirer(unit) for unit in rest), Fire())
        yield Suggestion(Attack(first, name, single), worth, odds_in_words(calculation), route)


def _weight(position: Position, unit: Unit, target: Target) -> int:
    return adjusted(position, unit, target, position.map.distance(str(unit.hex), target.hex))


def _stakes(mind: Mind, target: Target) -> float:
    if target.fort:
        return 0.5 * sum(mind.value(unit) for unit in target.units) + 0.1
    return sum(mind.value(unit) for unit in target.units)


def _brings(mind: Mind, calculation: Calculation, target: Target) -> float:
    if target.fort:
        return float(calculation.chances().get("X", 0)) * _stakes(mind, target)
    menace = 1.0 + (0.15 if any(mind.foe_next_to(str(u.hex)) for u in target.units[:1]) else 0.0)
    return mind.expected(calculation, target.units) * menace


def attacking(mind: Mind, frame: Attacking, choices: Sequence[Action]) -> list[Suggestion]:
    """An attack under way: fire if the odds allow it, else bring more firers."""
    if Fire() in choices:
        return [Suggestion(Fire(), 1.0, "as planned")]
    joins = [action for action in choices if isinstance(action, AddFirer)]
    target = target_of(mind.position, frame.target, frame.aim)
    joins.sort(key=lambda action: -_weight(mind.position, mind.position.units[action.unit], target))
    return [Suggestion(action, 1.0, "more weight") for action in joins]


# --- indirect fire ----------------------------------------------------------------------------------------------


def indirect(mind: Mind, frame: IndirectFireSegment, choices: Sequence[Action]) -> list[Suggestion]:
    """The targets of each gun or mortar, alone or with its group; such units have no better action."""
    found = []
    for action in choices:
        match action:
            case DeclareFire(unit, hex, how):
                worth, words = shelling(mind, mind.position.pick((unit,)), hex, how)
                cost = 0.04 if how == "hip" else 0.0
                found.append(Suggestion(action, worth - cost, words))
            case DeclareGroup(group, unit, hex):
                found.extend(_together(mind, frame, group, unit, hex))
    found = [each for each in found if each.worth > LEAST]
    found.append(Suggestion(EndSegment(), LEAST, "no target is worth it"))
    return sorted(found, key=lambda each: -each.worth)


def _together(mind: Mind, frame: IndirectFireSegment, index: int, first: UnitId, hex: Hex) -> Iterator[Suggestion]:
    """A combined attack with the members that add to it, counted as worth less than the same guns by themselves."""
    position, group = mind.position, mind.position.setting.groups[index]
    firers: tuple[UnitId, ...] = (first,)
    best: float = 0.0
    words: Words = ""
    for name in group.members:
        if cannot_combine(frame, position, group, position.units[name], hex, firers) is None:
            worth, told = shelling(mind, position.pick((*firers, name)), hex, group.kind)  # type: ignore[arg-type]
            if worth > best * 1.1 + 0.02:
                firers, best, words = (*firers, name), worth, told
    if len(firers) > 1:
        route = (*(AddFirer(name) for name in firers[1:]), Confirm())
        yield Suggestion(DeclareGroup(index, first, hex), best - 0.05 * len(firers), words, route)


def shelling(mind: Mind, firers: Sequence[Unit], hex: Hex, how: How) -> tuple[float, Words]:
    """The expected gain of indirect fire on a hex: a roll for each unit there [9.6.2]."""
    total: float = 0.0
    told: list[tuple[Words, Words]] = []
    for target in targets_in(mind.position, mind.side, hex):
        calculation = indirect_fire(mind.position, firers, how, target)
        if calculation is not None:
            if target.fort:
                total += float(calculation.chances().get("X", 0)) * _stakes(mind, target)
            else:
                total += mind.expected(calculation, target.units)
            name = "the fortification" if target.fort else target.units[0].name
            told.append((name, odds_in_words(calculation)))
    if len(told) < 2:
        return total, told[0][1] if told else "no effect"
    return total, joined((Text("{} {}", each) for each in told), "; ")


def gathering(frame: Gathering, choices: Sequence[Action]) -> list[Suggestion]:
    """A combined attack under way: declare it as soon as it may be."""
    if Confirm() in choices:
        return [Suggestion(Confirm(), 1.0, "enough of them")]
    return [Suggestion(action, 1.0, "two are needed") for action in choices]


# --- registration -----------------------------------------------------------------------------------------------


def registration(mind: Mind, choices: Sequence[Action]) -> list[Suggestion]:
    """Aim every marker anew that has no enemy under it."""
    found = [Suggestion(EndSegment(), 0.05, "the markers lie well")]
    for action in choices:
        if isinstance(action, Aim):
            hex = mind.position.registered.get(action.unit)
            if hex is None or mind.position.holder(hex) != mind.other:
                found.append(Suggestion(action, 0.2, "its marker lies on nobody"))
    return sorted(found, key=lambda each: -each.worth)


def aiming(mind: Mind, unit: UnitId, choices: Sequence[Action]) -> list[Suggestion]:
    """Enemies that are likely to stay, else a hex that they have to come to."""
    position, firer = mind.position, mind.position.pick((unit,))
    found = []
    gains = {goal.place: goal.gain + goal.keep for goal in mind.goals}
    for action in choices:
        if not isinstance(action, Register):
            continue
        hex = action.hex
        if position.holder(hex) == mind.other:
            stays = max(0.85 if foe.kind.movement <= 1 else 0.4 for foe in position.at(hex))
            worth = stays * shelling(mind, firer, hex, "registered")[0] + 0.01
            found.append(Suggestion(action, worth, "an enemy stands there"))
        else:
            near = min((mind.eyes.map.distance(hex, str(foe.hex)) for foe in mind.foes), default=99)
            worth = 0.004 * gains.get(hex, 0.0) + 0.004 / (1 + near) + (0.002 if position.map.cells[hex].links else 0.0)
            found.append(Suggestion(action, worth, "the enemy may come by"))
    return sorted(found, key=lambda each: -each.worth)


# --- reaction fire ----------------------------------------------------------------------------------------------


def reaction(mind: Mind, frame: OpportunityFire, choices: Sequence[Action]) -> list[Suggestion]:
    """Shots with a greater gain than the firers' action in their own turn, for which they are spent."""
    position = mind.position
    found = [Suggestion(Pass(), 0.0, "better to keep the fire")]
    for action in choices:
        match action:
            case Shoot(shooters, target):
                aim = target_of(position, target, "single")
                calculation = direct_fire(position, position.pick(shooters), aim, "opportunity")
                worth = mind.expected(calculation, aim.units) * 1.25 + _relief(mind, shooters, target, calculation)
                worth -= sum(_next_turn(mind, position.units[name]) for name in shooters)
                found.append(Suggestion(action, worth - LEAST, odds_in_words(calculation)))
            case Interdict(unit):
                worth, words = shelling(mind, position.pick((unit,)), frame.hex, "registered")
                found.append(Suggestion(action, worth - LEAST, words))
    return sorted(found, key=lambda each: -each.worth)


def _relief(mind: Mind, units: tuple[UnitId, ...], target: UnitId, calculation: Calculation) -> float:
    """The worth of stopping this mover: overruns and objectives within its reach."""
    mover, position = mind.position.units[target], mind.position
    stops = sum(float(chance) for result, chance in calculation.chances().items() if result != "none")
    at_stake = 0.0
    for goal in mind.goals:
        if not goal.leave and position.control.get(goal.place) != mind.other and position.holder(goal.place) is None:
            if mind.ground.turns(mover, str(mover.hex), goal.place) < 1.0:
                at_stake = max(at_stake, 0.5 * (goal.keep or goal.gain))
    if mover.kind.armoured and mover.kind.weapon in ("A", "H", "I"):
        for name in units:
            hex = str(position.units[name].hex)
            if mind.ground.overrunnable(position, hex) and mind.eyes.map.distance(hex, str(mover.hex)) <= 3:
                at_stake = max(at_stake, 0.4 * sum(mind.value(unit) for unit in position.at(hex)))
    return stops * at_stake


def _next_turn(mind: Mind, unit: Unit) -> float:
    """The probable gain of the unit's own next turn, when it has kept its fire."""
    if mind.own_left == 0:
        return 0.0
    return max(0.5 * mind.prospects(unit, str(unit.hex)), 0.6 * overrun_share(mind, unit))
