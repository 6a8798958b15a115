"""Places to set up in: the unit that is placed next, fields of fire, objectives under fire."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import UnionType
from typing import Any

from opfire.core.actions import NOBODY, Action, Choices
from opfire.core.ruleset import Suggestion
from opfire.kit.thinking.goals import Goal
from opfire.space import hexes

MOST = 12
"""How many places are suggested for a unit."""


def best_places(
    choices: Choices,
    placing: type | UnionType,
    order: Callable[[str], tuple[Any, ...]],
    worth: Callable[[str, Action], float],
    why: Callable[[Action], str],
) -> list[Suggestion]:
    """The best places of the unit to be placed next: one with a single place left, else the first by `order`.

    `placing` are the actions that place a unit, which come before all others of that unit. Only the places of the unit
    that is placed are built.
    """
    ahead = {unit: choices.some_of(unit, 2) for unit in choices.asked if unit != NOBODY}
    left = {unit: sum(isinstance(offer, placing) for offer in offers) for unit, offers in ahead.items()}
    unit = min((unit for unit in left if left[unit]), key=lambda unit: (left[unit] > 1, *order(unit)), default=NOBODY)
    places = [offer for offer in choices.of(unit) if isinstance(offer, Action) and isinstance(offer, placing)]
    found = [Suggestion(action, worth(unit, action), why(action)) for action in places]
    return sorted(found, key=lambda each: -each.worth)[:MOST]


def field_of_fire(around: Iterable[str], reach: int, sees: Callable[[str], bool]) -> float:
    """The share of the hexes within reach that are seen; hexes beyond the edge of the map count as unseen."""
    return sum(map(sees, around)) / hexes.area(reach)


def objectives_covered(goals: Iterable[Goal], share: Callable[[Goal], float]) -> float:
    """The share of the objectives that a gun covers, by their worth; `share` tells how well it covers one."""
    seen = total = 0.0
    for goal in goals:
        weight = max(goal.gain, goal.keep, 0.5)
        total += weight
        seen += weight * share(goal)
    return seen / max(1.0, total)
