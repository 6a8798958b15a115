"""Fire that makes sense: direct fire and opportunity fire put together firer by firer, by expected harm."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from opfire.core.actions import NOBODY, Action, Choices
from opfire.core.ruleset import Suggestion
from opfire.core.texts import Text, Words
from opfire.kit.thinking.goals import FAR
from opfire.rulesets.panzerblitz_miniatures.actions import EndPhase, Pass
from opfire.rulesets.panzerblitz_miniatures.fire.attacks import (
    Attack,
    Shot,
    modifiers,
    protected,
    strengths,
    target_of,
    weakness,
)
from opfire.rulesets.panzerblitz_miniatures.fire.combat import Strength
from opfire.rulesets.panzerblitz_miniatures.fire.direct import AddFirer, Attacking, Engage, Fire
from opfire.rulesets.panzerblitz_miniatures.moving.opportunity import Join, React
from opfire.rulesets.panzerblitz_miniatures.pieces import Stand, UnitId
from opfire.rulesets.panzerblitz_miniatures.thinking.harm import column, harm_at, recoil_at
from opfire.rulesets.panzerblitz_miniatures.thinking.mind import Mind

LEAST = 0.05
"""The least gain in victory points for which a unit fires."""

HELD_BACK = 0.45
"""The part of a unit's next shot that is worth waiting for: opportunity fire takes the place of its next segment."""


class Volley(NamedTuple):
    """An attack that makes sense: its units, the best first, its expected gain, and the odds in words."""

    units: tuple[UnitId, ...]
    worth: float
    words: Words


# --- the attack -------------------------------------------------------------------------------------------------


def volley(mind: Mind, attack: Attack, able: Sequence[UnitId], costs: dict[UnitId, float]) -> Volley | None:
    """The group of able units whose fire together brings most, by strength; `costs` are those of each unit's shot."""
    position = mind.position
    target = target_of(position, attack.target)
    shots = [Shot(name) for name in able]
    single = (Attack(attack.kind, attack.target, (shot,), (), attack.modifiers) for shot in shots)
    parts = [(float(sum(each.effective for each in strengths(position, one, target))), one) for one in single]
    parts.sort(key=lambda part: (-part[0], part[1].shots[0].unit))
    best: Volley | None = None
    names: tuple[UnitId, ...] = ()
    total = cost = 0.0
    for strength, one in parts:
        if not strength:
            break
        names, total = (*names, one.shots[0].unit), total + strength
        cost += costs[names[-1]]
        whole = Attack(attack.kind, attack.target, tuple(map(Shot, names)), (), attack.modifiers)
        worth, words = _gain(mind, whole, total, names)
        if worth - cost > (best.worth if best else 0.0):
            best = Volley(names, worth - cost, words)
    return best


def gain(mind: Mind, attack: Attack) -> tuple[float, Words]:
    """The expected gain of an attack, in victory points, and its odds in words."""
    parts = strengths(mind.position, attack, target_of(mind.position, attack.target))
    return _gain(mind, attack, float(sum(each.effective for each in parts)), [shot.unit for shot in attack.shots])


def _gain(mind: Mind, attack: Attack, total: float, names: Iterable[UnitId]) -> tuple[float, Words]:
    """The expected harm to the target less that to the attackers, in victory points; and the odds."""
    position = mind.position
    target = target_of(position, attack.target)
    die, defence = protected(position, attack, target)
    modifier = sum(line.amount for line in (*die, *modifiers(position, attack, target)))
    shield = float(Strength(target.name, target.defence, weakness(position, attack, target), defence).effective)
    found = column(position.charts, total, shield)
    if found is None or target.unit is None:
        return 0.0, "no effect"
    options = position.setting.options
    level = position.setting.doctrine(target.unit.side).morale
    share = harm_at(position.charts, found, modifier, level, target.unit.order, options)
    shooters = position.pick(names)
    morale = position.setting.doctrine(position.setting.other[target.unit.side]).morale
    loss = recoil_at(position.charts, found, modifier, morale, options) * sum(mind.value(unit) for unit in shooters)
    return (mind.value(target.unit) + mind.menacing(target.unit)) * share - 0.8 * loss, Text(
        "odds of {}, expected harm to {} {:.0%}", (found, target.name, share)
    )


# --- direct fire --------------------------------------------------------------------------------------------------


def phase(mind: Mind, choices: Choices) -> list[Suggestion]:
    """The best attack on each target, with all units that add to it, and the end of the phase."""
    able: dict[str, list[UnitId]] = {}
    for name in choices.asked:
        for offer in choices.of(name) if name != NOBODY else ():
            if isinstance(offer, Engage) and offer.manner == "normal":
                able.setdefault(offer.target, []).append(name)
    costs = {name: tempo(mind, mind.position.units[name]) for names in able.values() for name in names}
    found = [Suggestion(EndPhase(), LEAST, "no fire is worth it")]
    for target, names in able.items():
        if target in mind.position.units and (best := volley(mind, Attack("direct", target), names, costs)):
            route = (*(AddFirer(name) for name in best.units[1:]), Fire())
            found.append(Suggestion(Engage(best.units[0], target), best.worth, best.words, route))
    found += splits(mind, choices)
    return sorted(found, key=lambda each: -each.worth)


def splits(mind: Mind, choices: Choices) -> Iterator[Suggestion]:
    """Fire at half strength by units that have somewhere to go: they keep half of their move [SMF-1, SMF-2]."""
    for name in choices.asked:
        for offer in choices.of(name) if name != NOBODY else ():
            if not isinstance(offer, Engage) or offer.manner != "split" or offer.target not in mind.position.units:
                continue
            if given_up := tempo(mind, mind.position.units[name]):
                worth, words = gain(mind, Attack("direct", offer.target, (Shot(name, "split"),)))
                yield Suggestion(offer, worth - given_up / 2, Text("fires and moves on: {}", (words,)), (Fire(),))


def tempo(mind: Mind, unit: Stand) -> float:
    """The worth of the move that a unit gives up when it fires [MOV-4]."""
    if unit.at is None or unit.kind.mode == "TO":
        return 0.0
    best = 0.0
    for goal in mind.goals:
        if goal.leave or not goal.gain:
            continue
        turns = mind.turns(unit, unit.at, mind.at(goal.place))
        if 0.0 < turns < FAR and turns <= mind.left + 1:
            slack = mind.left + 1 - turns
            best = max(best, goal.gain * (0.5 if slack < 1.5 else 0.12) * 0.82 ** max(0.0, turns - 1))
    return best


def attacking(mind: Mind, frame: Attacking, choices: Choices) -> list[Suggestion]:
    """Fire the attack as planned."""
    return [Suggestion(Fire(), 1.0, "as planned")] if Fire() in choices.of(NOBODY) else []


# --- opportunity fire ---------------------------------------------------------------------------------------------


def reaction(mind: Mind, choices: Choices) -> list[Suggestion]:
    """The best shots at the stand that moves; a pass if waiting is worth more."""
    able: dict[UnitId, list[UnitId]] = {}
    for name in choices.asked:
        for offer in choices.of(name) if name != NOBODY else ():
            if isinstance(offer, React) and offer.manner == "normal":
                able.setdefault(offer.target, []).append(name)
    found = [Suggestion(Pass(), LEAST, "hold the fire")]
    for target, names in able.items():
        costs = {name: _patience(mind, mind.position.units[name]) for name in names}
        if best := volley(mind, Attack("opportunity", target, tuple(map(Shot, names))), names, costs):
            *joined, last = best.units
            steps: list[Action] = [*(Join(name, target) for name in joined), React(last, target)]
            found.append(Suggestion(steps[0], best.worth, best.words, tuple(steps[1:])))
    return sorted(found, key=lambda each: -each.worth)


def _patience(mind: Mind, unit: Stand) -> float:
    """The worth of the segment that a unit gives up by opportunity fire [OPP-5]."""
    assert unit.at is not None
    return HELD_BACK * mind.prospects(unit, unit.at) + tempo(mind, unit)
