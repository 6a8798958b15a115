"""The arithmetic of a scenario's victory conditions. The ruleset says how much of a condition is met."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeVar

from opfire.core.errors import BadInput
from opfire.core.game import Outcome
from opfire.core.scenario import Scenario, Victory
from opfire.core.texts import Text, called, in_english, joined, say
from opfire.kit.stacks import Member

M = TypeVar("M", bound=Member)

Have = Callable[[Victory], int]
"""The amount of a condition that is met: places, or the ruleset's count of units that left or were lost."""

Sources = Callable[[Victory], Iterable[tuple[str, int]]]
"""Everything that a condition counts: places held, or units that left or were lost, each with its amount."""


class Terms(NamedTuple):
    """A book's words for control, for losses and for the unit of counting.

    `near` is the distance (1/1000 inch) within which a place of the free table is held; 0 on hexes.
    """

    hold: str
    loss: str
    unit: str
    near: int = 0


def counts(condition: Victory, names: Collection[str]) -> bool:
    """Return whether a unit with these names (counter, type) counts: it is one of `only`, if any, and not excepted.

    >>> counts(Victory("red", "exit", only=("infantry",)), ("rifle", "infantry"))
    True
    """
    if condition.only and not any(name in condition.only for name in names):
        return False
    return not any(name in condition.except_ for name in names)


def held(condition: Victory, control: Mapping[str, str]) -> Iterator[tuple[str, int]]:
    """The places of a condition that its side controls; each counts once."""
    return ((place, 1) for place in condition.places if control.get(place) == condition.side)


def amount(sources: Iterable[tuple[str, int]]) -> int:
    """The amount of all that a condition counts.

    >>> amount([("A1", 1), ("red-1", 2)])
    3
    """
    return sum(number for _, number in sources)


def gone(condition: Victory, own: Iterable[M], others: Iterable[M], exits: Mapping[str, str]) -> Iterator[M]:
    """The units that a condition may count: own ones that left by one of its places, or lost ones of the other side.

    `exits` names the place by which each unit has left the map.
    """
    if condition.condition == "exit":
        yield from (unit for unit in own if unit.status == "exited" and exits.get(unit.id) in condition.places)
    else:
        yield from (unit for unit in others if unit.status == "eliminated")


def in_words(condition: Victory, terms: Terms) -> str:
    """A condition as a sentence.

    >>> in_words(Victory("red", "control", 2, ("A1", "A2")), Terms("Hold", "Eliminate enemy units", "step"))
    'Hold A1, A2 at the end: 2 points each'
    """
    each = say("{} points", condition.points) if condition.points > 1 else say("{} point", condition.points)
    limits = say(", {} only", joined(condition.only)) if condition.only else ""
    limits += say(", not counting {}", joined(condition.except_)) if condition.except_ else ""
    places = ", ".join(condition.places)
    match condition.condition:
        case "control":
            return say("{} {} at the end: {} each", terms.hold, places, each)
        case "exit":
            return say("Leave the map by {}: {} a {}{}", places, each, terms.unit, limits)
    return say("{}: {} a {}{}", terms.loss, each, terms.unit, limits)


def places(scenario: Scenario) -> tuple[dict[str, frozenset[str]], frozenset[str]]:
    """The places by which each side may leave, and those to be held.

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
    return Outcome(winner, level, in_english(reason(scenario, points)))


def reason(scenario: Scenario, points: Mapping[str, int]) -> Text:
    """The reason of that end: the victory and the points of each side."""
    winner, level = verdict(scenario, points)
    tally = joined(Text("{} {}", (scenario.sides[side].name, points[side])) for side in points)
    if winner is None:
        return Text("A draw: {}", (tally,))
    return Text("{} {} victory: {}", (scenario.sides[winner].name, level, tally))


def gaps(scenario: Scenario, points: Mapping[str, int]) -> list[dict[str, Any]]:
    """The points that each side lacks for its next better level; no line for a side that has the highest."""
    levels = scenario.levels
    rungs = (1 - levels.decisive, 1 - levels.marginal, levels.marginal, levels.decisive)
    found: list[dict[str, Any]] = []
    for side in points:
        lead = points[side] - sum(points[other] for other in points if other != side)
        rung = next((each for each in rungs if each > lead), None)
        if rung is not None:
            winner, level = verdict(scenario, {**points, side: points[side] + rung - lead})
            found.append({"side": side, "points": rung - lead, "winner": winner, "level": level})
    return found


def shown(scenario: Scenario, sources: Sources, terms: Terms) -> dict[str, Any]:
    """The part of a view that says who is winning: every condition, the score, who would win now.

    `banked` are the points that stay, `scores` those with the places that are held now; `gaps` are the points for the
    next better level.
    """
    lines = [_line(condition, [*sources(condition)], terms) for condition in scenario.victory]
    points = _points(scenario, lines)
    winner, level = verdict(scenario, points)
    standing = Text("{} {} victory", (scenario.sides[winner].name, level)) if winner else "A draw"
    return {
        "victory": lines,
        "scores": points,
        "banked": _points(scenario, (line for line in lines if line["kind"] != "control")),
        "now": {"winner": winner, "level": level},
        "gaps": gaps(scenario, points),
        "levels": {"marginal": scenario.levels.marginal, "decisive": scenario.levels.decisive},
        "standing": say("{} if the game ended now", standing),
    }


def _points(scenario: Scenario, lines: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """The points of these lines for each side."""
    points = dict.fromkeys(scenario.sides, 0)
    for line in lines:
        points[line["side"]] += line["points"]
    return points


def _line(condition: Victory, sources: Collection[tuple[str, int]], terms: Terms) -> dict[str, Any]:
    """A condition in words and figures, with all that it counts."""
    have = amount(sources)
    return {
        "side": condition.side,
        "kind": condition.condition,
        "text": in_words(condition, terms),
        "have": have,
        "want": len(condition.places) if condition.condition == "control" else None,
        "points": condition.points * have,
        "each": condition.points,
        "places": list(condition.places),
        "near": terms.near,
        "unit": terms.unit,
        "only": [called(name) for name in condition.only],
        "except": [called(name) for name in condition.except_],
        "counted": [{"what": name, "points": condition.points * number} for name, number in sources],
    }
