"""Initiative [4.3, 6.3], and the formations that share it out in Staggered Initiative [7.42]."""

from __future__ import annotations

from collections.abc import Iterator

from opfire.core.actions import PROCEDURE, Refusal
from opfire.core.events import Event
from opfire.core.game import Game
from opfire.rulesets.panzer.pieces import Position, Setting, Side, Unit

OPTION, STREAMLINED = "7.42", "7.42.3"


def amount(position: Position, side: Side) -> int:
    """The amount that a side's Force Grade adds to its roll in the Advanced Game [6.3, 6.3.1, 6.3.2]."""
    if not position.setting.advanced:
        return 0
    return position.charts.grades[position.setting.grade(side)].initiative


def roll(game: Game[Position], rule: str, text: str) -> Side:
    """Both sides roll until one is higher; tell the event with the winner and both totals [4.3.1]."""
    sides = game.state.setting.sides
    added = [amount(game.state, side) for side in sides]
    total = list(map(sum, zip(rolled := game.roll(2, 100), added, strict=True)))
    while total[0] == total[1]:
        total = list(map(sum, zip(rolled := game.roll(2, 100), added, strict=True)))
    winner = sides[total.index(max(total))]
    facts = (game.state.setting.scenario.sides[winner].name, max(total), min(total))
    game.tell(Event("initiative", text, facts, rule, dice=rolled))
    return winner


# --- the formations of Staggered Initiative [7.42] ---------------------------------------------------------------


def staggered(position: Position) -> bool:
    """Return whether formation after formation has the initiative [7.42]."""
    return OPTION in position.setting.options


def by_platoons(setting: Setting) -> bool:
    """Return whether platoons stand for formations: each side has a single company [7.42]."""
    return all(sum(one.side == side for one in setting.formations.values()) == 1 for side in setting.sides)


def group_of(position: Position, unit: Unit) -> str:
    """The formation with which a unit has the initiative; in small scenarios its platoon, if it has one [7.42]."""
    return f"{unit.formation} {unit.platoon}".rstrip() if by_platoons(position.setting) else unit.formation


def groups(position: Position, side: Side) -> tuple[str, ...]:
    """The formations of a side with units on the map, aboard vehicles or hidden [7.2], in the scenario's order."""
    units = (unit for unit in position.pick(position.setting.ids[side]) if unit.flight is None)
    here = (unit for unit in units if unit.hex is not None or unit.carrier or unit.status == "hidden")
    return tuple(dict.fromkeys(group_of(position, unit) for unit in here))


def left(position: Position, side: Side) -> tuple[str, ...]:
    """The formations of a side that have not had the initiative in this turn [7.42.1.1]."""
    return tuple(group for group in groups(position, side) if group not in position.order)


def side_of(position: Position, group: str) -> Side:
    """The side of a formation."""
    return next(side for side in position.setting.sides if group in _all(position, side))


def _all(position: Position, side: Side) -> Iterator[str]:
    return (group_of(position, unit) for unit in position.pick(position.setting.ids[side]))


def title(position: Position, group: str) -> str:
    """The name of a formation or platoon for players; nothing for anything else."""
    company = position.setting.formations.get(group)
    if company is not None:
        return company.name
    units = (unit for unit in position.units.values() if unit.platoon)
    return next((unit.platoon for unit in units if group_of(position, unit) == group), "")


def not_its_turn(position: Position, unit: Unit, group: str) -> Refusal | None:
    """Reject a unit of another formation than the one that has the initiative; an empty `group` stands for all.

    Rules: [7.42.1, 7.42.2].
    """
    if group in ("", group_of(position, unit)):
        return None
    return Refusal(
        "It is the turn of {}: {} belongs to another formation", PROCEDURE, (title(position, group), unit.name)
    )
