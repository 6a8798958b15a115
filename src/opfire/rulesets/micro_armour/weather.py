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
    limits, dice = [], list[int]()
    for name in sections.weather:
        row = position.charts.weather[name]
        if row.dice:
            rolled = game.roll(row.dice, row.faces)
            limits.append(sum(rolled))
            dice += rolled
    position.weather = min(limits, default=0)
    position.sightings.clear()  # they were judged by the weather of the turn before
    if limits:
        words = "The weather limits sight to {} inches"
        game.tell(Event("weather", words, (position.weather,), "9.6.3", dice=tuple(dice)))


def frozen(made: Setting) -> bool:
    """Return whether lakes, rivers and streams are ice, which is rough terrain 1 [9.6.2-ice]."""
    return "extreme cold" in made.sections.weather


def sight_limit(position: Position) -> int:
    """The maximum sighting distance in inches: the scenario's, or the general surface's, or less by weather [6.4.1]."""
    sections = position.setting.sections
    usual = sections.sight or greatest_sight(position.charts, sections.surface)
    return min(usual, position.weather) if position.weather else usual
