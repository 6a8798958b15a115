"""Who is winning: the arithmetic of a scenario's victory conditions. How much of one is met, the ruleset says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from opfire.core.errors import BadInput
from opfire.core.game import Outcome
from opfire.core.scenario import Scenario, Victory

Have = Callable[[Victory], int]
"""How much of a condition is met: hexes, or what the ruleset counts of units that left or were lost."""


def places(scenario: Scenario) -> tuple[dict[str, frozenset[str]], frozenset[str]]:
    """The hexes by which each side may leave, and those that are to be held.

    Raises BadInput for a condition that is none.
    """
    exits: dict[str, frozenset[str]] = dict.fromkeys(scenario.sides, frozenset())
    objectives: frozenset[str] = frozenset()
    for victory in scenario.victory:
        match victory.condition:
            case "exit":
                exits[victory.side] |= frozenset(victory.hexes)
            case "control":
                objectives |= frozenset(victory.hexes)
            case "eliminate":
                pass
            case _:
                raise BadInput(f"condition {victory.condition!r}", "victory", "control, exit or eliminate")
    return exits, objectives


def scores(scenario: Scenario, have: Have) -> dict[str, int]:
    """Victory points of each side so far."""
    points = dict.fromkeys(scenario.sides, 0)
    for condition in scenario.victory:
        points[condition.side] += condition.points * have(condition)
    return points


def verdict(scenario: Scenario, points: Mapping[str, int]) -> tuple[str | None, str]:
    """Who would win with these points, and at what level: by the scenario's margins, else a draw."""
    first, second = points
    ahead, behind = (first, second) if points[first] >= points[second] else (second, first)
    lead = points[ahead] - points[behind]
    if lead >= scenario.levels.decisive:
        return ahead, "decisive"
    return (ahead, "marginal") if lead >= scenario.levels.marginal else (None, "draw")


def outcome(scenario: Scenario, points: Mapping[str, int]) -> Outcome:
    """The end of a game with these points."""
    winner, level = verdict(scenario, points)
    tally = ", ".join(f"{scenario.sides[side].name} {points[side]}" for side in points)
    if winner is None:
        return Outcome(None, "draw", f"A draw: {tally}")
    return Outcome(winner, level, f"{scenario.sides[winner].name} {level} victory: {tally}")


def progress(scenario: Scenario, have: Have, words: Callable[[Victory], str]) -> list[dict[str, Any]]:
    """Every victory condition in words, with how much of it is met."""
    return [_progress(condition, have(condition), words(condition)) for condition in scenario.victory]


def _progress(condition: Victory, held: int, text: str) -> dict[str, Any]:
    return {
        "side": condition.side,
        "text": text,
        "have": held,
        "want": len(condition.hexes) if condition.condition == "control" else None,
        "points": condition.points * held,
        "each": condition.points,
        "places": list(condition.hexes),
    }
