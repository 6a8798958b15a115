"""The arithmetic of a scenario's victory conditions. The ruleset says how much of a condition is met."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, TypeVar

from opfire.core.errors import BadInput
from opfire.core.game import Outcome
from opfire.core.scenario import Scenario, Victory
from opfire.kit.stacks import Member

M = TypeVar("M", bound=Member)

Have = Callable[[Victory], int]
"""The amount of a condition that is met: hexes, or the ruleset's count of units that left or were lost."""


def counts(condition: Victory, names: Collection[str]) -> bool:
    """Return whether a unit with these names (counter, type) counts: it is one of `only`, if any, and not excepted.

    >>> counts(Victory("red", "exit", only=("infantry",)), ("rifle", "infantry"))
    True
    """
    if condition.only and not any(name in condition.only for name in names):
        return False
    return not any(name in condition.except_ for name in names)


def held(condition: Victory, control: Mapping[str, str]) -> int:
    """The number of a condition's hexes that its side controls."""
    return sum(control.get(hex) == condition.side for hex in condition.places)


def gone(condition: Victory, own: Iterable[M], others: Iterable[M], exits: Mapping[str, str]) -> Iterator[M]:
    """The units that a condition may count: own ones that left by one of its places, or lost ones of the other side.

    `exits` names the place by which each unit has left the map.
    """
    if condition.condition == "exit":
        yield from (unit for unit in own if unit.status == "exited" and exits.get(unit.id) in condition.places)
    else:
        yield from (unit for unit in others if unit.status == "eliminated")


def in_words(condition: Victory, hold: str, loss: str, unit: str) -> str:
    """A condition as a sentence; `hold`, `loss` and `unit` are the book's words for control, losses and the unit of
    counting.

    >>> in_words(Victory("red", "control", 2, ("A1", "A2")), "Hold", "Eliminate enemy units", "step")
    'Hold A1, A2 at the end: 2 points each'
    """
    each = f"{condition.points} point{'s' if condition.points > 1 else ''}"
    limits = f", {', '.join(condition.only)} only" if condition.only else ""
    limits += f", not {', '.join(condition.except_)}" if condition.except_ else ""
    match condition.condition:
        case "control":
            return f"{hold} {', '.join(condition.places)} at the end: {each} each"
        case "exit":
            return f"Leave the map by {', '.join(condition.places)}: {each} a {unit}{limits}"
    return f"{loss}: {each} a {unit}{limits}"


def places(scenario: Scenario) -> tuple[dict[str, frozenset[str]], frozenset[str]]:
    """The hexes by which each side may leave, and those to be held.

    Raises BadInput for an unknown condition.
    """
    exits: dict[str, frozenset[str]] = dict.fromkeys(scenario.sides, frozenset())
    objectives: frozenset[str] = frozenset()
    for victory in scenario.victory:
        match victory.condition:
            case "exit":
                exits[victory.side] |= frozenset(victory.places)
            case "control":
                objectives |= frozenset(victory.places)
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
    """The winner with these points, and the level: by the scenario's margins, else a draw."""
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


def shown(scenario: Scenario, have: Have, words: Callable[[Victory], str]) -> dict[str, Any]:
    """The part of a view that says who is winning: the score, every condition in words, who would win now."""
    points = scores(scenario, have)
    winner, level = verdict(scenario, points)
    standing = f"{scenario.sides[winner].name} {level} victory" if winner else "A draw"
    return {
        "victory": progress(scenario, have, words),
        "scores": points,
        "standing": f"{standing} if the game ended now",
    }


def progress(scenario: Scenario, have: Have, words: Callable[[Victory], str]) -> list[dict[str, Any]]:
    """Every victory condition in words, with the amount of it that is met."""
    return [_progress(condition, have(condition), words(condition)) for condition in scenario.victory]


def _progress(condition: Victory, held: int, text: str) -> dict[str, Any]:
    return {
        "side": condition.side,
        "text": text,
        "have": held,
        "want": len(condition.places) if condition.condition == "control" else None,
        "points": condition.points * held,
        "each": condition.points,
        "places": list(condition.places),
    }
