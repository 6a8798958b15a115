"""Set-up: places near the goals and in Cover, not all in one hex."""

from __future__ import annotations

from opfire.core.actions import NOBODY, Choices
from opfire.core.ruleset import Suggestion
from opfire.kit.setup import Ready
from opfire.rulesets.panzer.pieces import Hex, Unit
from opfire.rulesets.panzer.setup import Place, closed
from opfire.rulesets.panzer.thinking.mind import Mind

COVERED = 4.0
"""The points that a hex is worth more for its Cover."""

ON_FOOT = 1.5
"""The points that each hex to the nearest goal takes for squads and guns, which are slow."""

TOGETHER = 8.0
"""The points by which each friend in a hex makes it worse."""


def set_up(mind: Mind, choices: Choices) -> list[Suggestion]:
    """The best hexes for the next vehicle; ready when all stand."""
    if Ready() in choices.of(NOBODY):
        return [Suggestion(Ready(), 1.0, "everybody stands")]
    name = next((name for name in choices.asked if name != NOBODY), NOBODY)
    if name == NOBODY:
        return []
    unit = mind.position.units[name]
    hexes = [hex for hex in mind.position.setting.zones[name] if closed(mind.position, unit, hex) is None]
    best = sorted(((_worth(mind, unit, hex), hex) for hex in hexes), key=lambda each: (-each[0], each[1]))[:8]
    return [Suggestion(Place(name, hex, unit.facing), worth, "a good place") for worth, hex in best]


def _worth(mind: Mind, unit: Unit, hex: Hex) -> float:
    """The worth of a hex: its goals, its Cover, its danger, its crowd."""
    found = -TOGETHER * len(mind.position.at(hex))
    if mind.position.setting.ground.cover(hex, "combat") != "none":
        found += COVERED
    if not unit.is_vehicle:
        goals = [mind.position.map.distance(hex, goal.place) for goal in mind.goals if not goal.leave]
        return found - ON_FOOT * min(goals, default=0)
    threats = mind.threats_to(unit, hex, "", 0)
    return found + mind.pull(unit, hex) - mind.value(unit) * mind.danger(unit.facing, threats)
