"""Surprise after a landing by night [8.10.1.5]: forces begin with less cohesion and win it back turn by turn."""

from __future__ import annotations

from opfire.core.events import Calculation, Event
from opfire.core.game import Game
from opfire.rulesets.micro_armour.cohesion import cohesion_roll, force_level, force_succeeds, modifier
from opfire.rulesets.micro_armour.pieces import Position, Side

LACKS = 4
"""The cohesion that a surprised force lacks at first [8.10.1.5]."""


def surprise(position: Position) -> None:
    """Lower the cohesion of the sides that the scenario names, once everybody has landed [8.10.1.5, SC.setback.coh]."""
    made = position.setting
    if made.has("8.10.1.5"):
        position.surprise.update({side: LACKS for side in made.sides if made.troops(side).surprised})
    position.surprise.update({side: lacks for side in made.sides if (lacks := made.troops(side).lacks)})


def gathering(position: Position, side: Side) -> Calculation:
    """The roll of a force to win a point back; the quality of its general headquarters helps [8.10.1.5].

    Forces that lack cohesion by the scenario roll at their present level, and nothing helps [SC.setback.coh].
    """
    if position.setting.troops(side).lacks:
        return cohesion_roll("to win cohesion back", "SC.setback.coh", force_level(position, side), ())
    quality = max((unit.quality for unit in position.generals(side)), default=0)
    lines = [modifier("general headquarters", -quality, "8.10.1.5")] if quality else []
    return cohesion_roll("to win cohesion back", "8.10.1.5", force_level(position, side), lines)


def win_back(game: Game[Position]) -> None:
    """Each surprised force rolls in the marker removal phase; a success is a point of cohesion [8.10.1.5].

    So do forces that have to find together, before each turn but the first [SC.setback.coh].
    """
    position = game.state
    for side in [*position.surprise]:
        name = position.setting.scenario.sides[side].name
        roll = gathering(position, side)
        if not force_succeeds(game, name, roll):
            continue
        position.surprise[side] -= 1
        lacks = position.surprise[side]
        if not lacks:
            del position.surprise[side]
        game.tell(Event("cohesion", "{} lack {} of their cohesion", (name, lacks), roll.rule))
