"""Passengers and overruns: squads get off near their goal, tanks ride over squads and guns that they beat."""

from __future__ import annotations

from collections.abc import Iterator

from opfire.core.actions import Choices
from opfire.core.ruleset import Suggestion
from opfire.rulesets.panzer.fire import overrun
from opfire.rulesets.panzer.fire.overrun import Overrun
from opfire.rulesets.panzer.moving.transport import Dismount
from opfire.rulesets.panzer.pieces import Unit, away
from opfire.rulesets.panzer.thinking.firing import TAKEN
from opfire.rulesets.panzer.thinking.marching import nearest_goal
from opfire.rulesets.panzer.thinking.mind import Mind

NEAR_GOAL, NEAR_ENEMY = 2, 3
"""The hexes from its goal, and from an armed enemy, at which a squad gets off its vehicle."""

WORTH_A_RIDE = 0.4
"""The part of its target that an overrun is expected to take at least."""


def suggested(mind: Mind, unit: Unit, choices: Choices) -> list[Suggestion]:
    """An overrun that is likely to succeed, or a passenger that gets off here; nothing if neither is worth it."""
    return [*_rides(mind, unit, choices), *_alighting(mind, unit, choices)]


# --- passengers [6.6.7] ----------------------------------------------------------------------------------------


def _alighting(mind: Mind, unit: Unit, choices: Choices) -> Iterator[Suggestion]:
    """The way off for the first passenger: towards the goal, facing it."""
    if not mind.position.aboard(unit.id) or not _there(mind, unit):
        return
    goal, far = nearest_goal(mind, str(unit.hex)), mind.position.map.distance
    offers = [offer for offer in choices.of(unit.id) if isinstance(offer, Dismount)]
    ranked = sorted(offers, key=lambda o: (far(o.hex, goal) if goal else 0, abs(o.facing - unit.facing), str(o)))
    yield from (Suggestion(offer, 0.0, "near its goal, or the enemy") for offer in ranked[:1])


def _there(mind: Mind, unit: Unit) -> bool:
    """Return whether a vehicle has brought its passengers near enough to fight on foot."""
    hex = str(unit.hex)
    goal = nearest_goal(mind, hex)
    if goal and mind.position.map.distance(hex, goal) <= NEAR_GOAL:
        return True
    foes = (foe for foe in mind.position.enemies(mind.side) if foe.kind.armed)
    return any(away(mind.position, unit, foe) <= NEAR_ENEMY for foe in foes)


# --- overruns [6.6.10] -----------------------------------------------------------------------------------------


def _rides(mind: Mind, unit: Unit, choices: Choices) -> Iterator[Suggestion]:
    """The overruns that are expected to take enough of their target, the best first."""
    if not any(_in_reach(mind, unit, foe) for foe in mind.position.enemies(mind.side)):
        return
    offers = (offer for offer in choices.of(unit.id) if isinstance(offer, Overrun))
    rated = [(expected(mind, unit, mind.position.units[offer.target]), offer.target, offer) for offer in offers]
    for part, target, offer in sorted(rated, key=lambda each: (-each[0], each[1])):
        if part >= WORTH_A_RIDE:
            worth = part * mind.value(mind.position.units[target])
            yield Suggestion(offer, worth, "an overrun that is likely to succeed")


def _in_reach(mind: Mind, unit: Unit, foe: Unit) -> bool:
    return not foe.is_vehicle and away(mind.position, unit, foe) == 1


def expected(mind: Mind, unit: Unit, target: Unit) -> float:
    """The part of its target that an overrun is expected to take."""
    chances = overrun.reckoned(mind.position, unit, target).chances()
    return sum(float(chance) * TAKEN.get(effect, 0.0) for effect, chance in chances.items())
