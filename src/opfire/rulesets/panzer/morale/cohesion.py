"""The Cohesion Point of a formation [7.1.1]: the losses from which on its units may break."""

from __future__ import annotations

from opfire.core.events import Event
from opfire.core.game import Game
from opfire.rulesets.panzer.charts import Charts, Grade
from opfire.rulesets.panzer.pieces import Position

OPTION = "7.1"
VARIED = "7.1.1.1"
"""The option that rolls for the level of a formation at its first loss [7.1.1.1-roll]."""


def level_of(charts: Charts, net: int) -> str:
    """The level of a net roll: the first of the table, from the best down, that it reaches [7.1.1.1-roll]."""
    return next(name for name, row in charts.cohesion.items() if net >= row.least)


def limited(charts: Charts, listed: str, rolled: str, army: str) -> str:
    """The level that a roll gives a listed one: so many levels up or down as its army allows [7.1.1.1-limit]."""
    names, row = [*charts.cohesion], charts.cohesion_modifiers[army]
    at = names.index(listed)
    return names[max(at - row.up, min(at + row.down, names.index(rolled)))]


def modifier(charts: Charts, army: str, grade: Grade) -> int:
    """The modifiers of an army and of the Formation Grade to the roll [7.1.1.1-roll]."""
    return charts.cohesion_modifiers[army].amount + charts.cohesion_modifiers[grade].amount


def combat_units(position: Position, formation: str) -> int:
    """The combat units with which a formation began; parts of vehicles are none of their own [7.1.1, 7.47]."""
    side = position.setting.formations[formation].side
    units = position.pick(position.setting.ids[side])
    return sum(unit.formation == formation and unit.kind.armed and not unit.part_of for unit in units)


def losses(position: Position, formation: str) -> int:
    """The combat units that a formation has lost; reduced squads and damaged vehicles are none [7.1.1.2]."""
    side = position.setting.formations[formation].side
    units = position.pick(position.setting.ids[side])
    return sum(unit.formation == formation and unit.kind.armed and unit.status == "eliminated" for unit in units)


def point(position: Position, formation: str) -> int:
    """The Numeric Cohesion Point: read like the Available Commands Table, at least 1 [7.1.1]: RULINGS.md R86."""
    level = position.cohesion.get(formation) or position.setting.formations[formation].cohesion
    return position.charts.cohesion[level].number(combat_units(position, formation))


def reached(position: Position, formation: str) -> bool:
    """Return whether a formation's losses have reached its Cohesion Point [7.1, 7.1.1.2]."""
    return losses(position, formation) >= point(position, formation)


def vary(game: Game[Position], formation: str) -> None:
    """At its first loss roll for the level of a formation, within the limits of its army [7.1.1.1-roll]."""
    position = game.state
    company = position.setting.formations[formation]
    if VARIED not in position.setting.options or formation in position.cohesion or not company.army:
        return
    dice = game.roll(1, 100)
    net = dice[0] + modifier(position.charts, company.army, company.grade)
    level = limited(position.charts, company.cohesion, level_of(position.charts, net), company.army)
    position.cohesion[formation] = level
    game.tell(Event("cohesion", "{} has {} cohesion", (company.name, level), "7.1.1.1-roll", dice=dice))
