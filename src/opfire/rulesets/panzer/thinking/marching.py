"""Marches on foot: the objective of the plan, and the least dangerous of the steps towards it."""

from __future__ import annotations

from msgspec.structs import replace

from opfire.core.actions import Action, Choices, Refusal
from opfire.core.ruleset import Suggestion
from opfire.kit.thinking.goals import PATIENCE
from opfire.rulesets.panzer.fire.arms import arm_at
from opfire.rulesets.panzer.moving.going import Move, Stay
from opfire.rulesets.panzer.pieces import Hex, Unit
from opfire.rulesets.panzer.sighting.spots import cannot_spot
from opfire.rulesets.panzer.thinking.firing import part
from opfire.rulesets.panzer.thinking.mind import FOCUS, Mind

WATCHERS = 3
"""The nearest enemies whose fire is weighed."""

CROWDED = 1.0
"""The points by which each friend in a hex makes it worse."""


def march(mind: Mind, unit: Unit, choices: Choices) -> list[Suggestion]:
    """The best step of a unit on foot, or the end of its move; then all others."""
    goal = objective(mind, unit)
    steps = [offer for offer in choices.of(unit.id) if isinstance(offer, Move)]
    others = [offer for offer in choices.of(unit.id) if isinstance(offer, Action)]
    if not goal:
        return [Suggestion(act, 0.0, "it has nowhere to go") for act in (Stay(unit.id), *others)]
    away, here = mind.position.map.distance, str(unit.hex)
    onward = [step for step in steps if away(step.to, goal) < away(here, goal)]
    hexes = {here: 0.0} | {step.to: worth(mind, unit, goal, step.to) for step in onward}
    best = sorted(onward, key=lambda step: (-hexes[step.to], step.to))
    found: list[Action] = [*best, Stay(unit.id)]
    return [Suggestion(act, hexes[getattr(act, "to", here)], "from cover to cover") for act in found] + [
        Suggestion(act, 0.0, "any way on") for act in others
    ]


def goes_on(mind: Mind, unit: Unit) -> bool:
    """Return whether a unit on foot still has a way to its goal."""
    goal = objective(mind, unit)
    return bool(goal and goal != unit.hex)


def objective(mind: Mind, unit: Unit) -> Hex | None:
    """The objective of a unit on foot: by worth, by the turns to it, by the plan; one to take before one to keep."""
    taken = [(goal.gain, goal.place) for goal in mind.goals if goal.gain and not goal.leave]
    kept = [(goal.keep, goal.place) for goal in mind.goals if goal.keep and not goal.leave]

    def drawn(worth: float, place: Hex) -> float:
        turns = mind.position.map.distance(str(unit.hex), place) / max(1, unit.ground.m_cc)
        return worth * float(PATIENCE**turns) * mind.planned(unit, place)

    return max(((drawn(worth, place), place) for worth, place in taken or kept), default=(0.0, None))[1]


def nearest_goal(mind: Mind, hex: Hex) -> Hex | None:
    """The nearest objective to take, or else the nearest one to keep."""
    hexes = [goal.place for goal in mind.goals if goal.gain and not goal.leave]
    hexes = hexes or [goal.place for goal in mind.goals if goal.keep]
    return min(hexes, key=lambda goal: (mind.position.map.distance(hex, goal), goal), default=None)


def worth(mind: Mind, unit: Unit, goal: Hex, hex: Hex) -> float:
    """The worth of a hex on the way to a goal: less for each turn away, for the danger there, for a crowd."""
    value = max((max(each.gain, each.keep) for each in mind.goals if each.place == goal), default=0.0)
    turns = mind.position.map.distance(hex, goal) / max(1, unit.ground.m_cc)
    friends = sum(other.id != unit.id for other in mind.position.at(hex))
    return (
        value * float(PATIENCE**turns) - mind.caution * mind.value(unit) * danger(mind, unit, hex) - CROWDED * friends
    )


def danger(mind: Mind, unit: Unit, hex: Hex) -> float:
    """The part of a unit that the nearest enemies who would spot it in a hex are expected to take."""
    moved = replace(unit, hex=hex, moving=True, moved=True, fresh="move", spot="move")
    foes = sorted(
        mind.position.enemies(mind.side), key=lambda foe: (mind.position.map.distance(str(foe.hex), hex), foe.id)
    )
    seeing = [foe for foe in foes if not foe.suppression and cannot_spot(mind.position, foe, moved, "move") is None]
    shares = sorted((_taken(mind, foe, moved) for foe in seeing[:WATCHERS]), reverse=True)
    safe = 1.0
    for share, likely in zip(shares, FOCUS, strict=False):
        safe *= 1.0 - share * likely
    return 1.0 - safe


def _taken(mind: Mind, foe: Unit, unit: Unit) -> float:
    """The part of a unit on foot that a shot of an enemy is expected to take."""
    if isinstance(arm_at(mind.position, foe, unit), Refusal):
        return 0.0
    return part(mind, foe, unit, False)
