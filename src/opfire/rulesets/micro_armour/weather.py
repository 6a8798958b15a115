"""Weather [9.6]: the limit of sight of the turn, and frost."""

from __future__ import annotations

from opfire.core.events import Event
from opfire.core.game import Game
from opfire.rulesets.micro_armour.design.battlefield import greatest_sight
from opfire.rulesets.micro_armour.pieces import Position, Setting


def roll_weather(game: Game[Position]) -> None:
    """Roll the limit of sight at the start of the turn [9.6.3]; of several conditions the least counts [9.6.1]."""
    position = game.state
    sections = position.setting.sections
    if sections.steady and position.weather:
        return
    limits = []
    for name in sections.weather:
        row = position.charts.weather[name]
        if row.dice:
            limits.append(sum(game.roll(row.dice, row.faces)))
    position.weather = min(limits, default=0)
    position.sightings.clear()  # they were judged by the weather of the turn before
    if limits:
        game.tell(Event("weather", "The weather limits sight to {} inches", (position.weather,), "9.6.3"))


def frozen(made: Setting) -> bool:
    """Return whether lakes, rivers and streams are ice, which is rough terrain 1 [9.6.2-ice]."""
    return "extreme cold" in made.sections.weather


def sight_limit(position: Position) -> int:
    """The maximum sighting distance in inches: the scenario's, or the general surface's, or less by weather [6.4.1]."""
    sections = position.setting.sections
    usual = sections.sight or greatest_sight(position.charts, sections.surface)
    return min(usual, position.weather) if position.weather else usual
