"""Cohesion [5]: the level of a force, its rolls, and the states of stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from opfire.core.events import Calculation, Event, Line
from opfire.core.game import Game
from opfire.core.places import Point
from opfire.core.texts import Words
from opfire.rulesets.micro_armour.formations import BROKEN, MOVING, all_broken, is_broken
from opfire.rulesets.micro_armour.pieces import Position, Side, Stand, UnitId

SUPPRESSED, DISORGANIZED = 4, 3
"""The modifier of each state to all cohesion rolls of a stand [5.2-S, 5.2-D]."""

DIE = 20

SUCCESS, FAILURE = "success", "failure"


def level(position: Position, unit: Stand) -> int:
    """The cohesion level by which a stand rolls [5.1-level]: its formation's or its force's.

    It is less in darkness [9.6.2-dark], and in a broken force [12.1.5-1, 12.1.5.1]. Reinforcements have all their
    cohesion where the first forces of their side have not found together [SC.setback.coh].
    """
    troops = position.setting.troops(unit.side)
    own = next((each.cohesion for each in troops.formations if each.name == unit.formation), None)
    broken = BROKEN if is_broken(position, unit) else 0
    better = 0 if own is None else own - troops.cohesion
    fresh = position.surprise.get(unit.side, 0) if troops.lacks and unit.id in position.setting.entries else 0
    return _unbroken(position, unit.side) + better + broken + fresh


def to_move(position: Position, unit: Stand) -> int:
    """The cohesion level for movement: that of a broken force is higher, not lower [12.1.5-5, 12.1.5.5]."""
    return level(position, unit) + (MOVING - BROKEN if is_broken(position, unit) else 0)


def to_go_on(position: Position, unit: Stand) -> int:
    """The cohesion level for the other rolls on which the move of a stand depends [12.1.5-5]: RULINGS.md R95."""
    return level(position, unit) if position.setting.has("R95") else to_move(position, unit)


def force_level(position: Position, side: Side) -> int:
    """The cohesion level of a force as a whole [5.1-level]; it is less in darkness [9.6.2-dark].

    A force that is surprised, or that has not found together after a landing, has less as well [8.10.1.5], and so has
    one all of whose formations have broken [12.1.5-1].
    """
    return _unbroken(position, side) + (BROKEN if all_broken(position, side) else 0)


def _unbroken(position: Position, side: Side) -> int:
    made = position.setting
    return made.troops(side).cohesion - made.sections.darkness - position.surprise.get(side, 0)


def states(unit: Stand) -> Iterator[Line]:
    """The modifiers of a stand's states to all of its cohesion rolls, which add up; the normal state has none
    [5.2-SD, 5.2-normal].
    """
    if unit.suppressed:
        yield modifier("suppressed", SUPPRESSED, "5.2-S")
    if unit.disorganized:
        yield modifier("disorganized", DISORGANIZED, "5.2-D")


def modifier(label: Words, amount: int, rule: str) -> Line:
    """A modifier of a die; plus is bad for the side that rolls [5.1-mods]."""
    return Line("modifier", label, f"{amount:+}", rule, amount)


def cohesion_roll(title: Words, rule: str, level: int, lines: Iterable[Line]) -> Calculation:
    """A roll of 1D20 that succeeds up to the cohesion level, all modifiers counted [5.1-roll].

    A natural 1 always succeeds, a natural 20 always fails [5.1-natural].

    >>> roll = cohesion_roll("to fire", "7.1.6-roll", 15, [modifier("suppressed", 4, "5.2-S")])
    >>> [roll.result([number]) for number in (1, 11, 12, 20)]
    ['success', 'success', 'failure', 'failure']
    """
    known = (Line("cohesion", "cohesion level", str(level), "5.1-roll", level), *lines)
    total = sum(line.amount for line in known if line.kind == "modifier")
    outcomes = tuple(SUCCESS if _succeeds(number, total, level) else FAILURE for number in range(1, DIE + 1))
    return Calculation(title, rule, known, 1, DIE, outcomes, modifier=total)


def _succeeds(number: int, total: int, level: int) -> bool:
    """Return whether a natural number succeeds [5.1-natural]."""
    return number == 1 or (number < DIE and number + total <= level)


def tested(game: Game[Position], unit: Stand, roll: Calculation) -> int:
    """Make a cohesion roll for a stand, tell of it, and return the natural number."""
    return _made(game, unit, roll, ())


def force_succeeds(game: Game[Position], name: str, roll: Calculation, places: tuple[Point, ...] = ()) -> bool:
    """Make a cohesion roll of an aircraft or of a whole force, tell of it, and return whether it succeeds."""
    (number,) = game.roll(1, DIE)
    outcome = roll.result([number])
    game.tell(_told(name, (), places, roll, number, ()))
    return outcome == SUCCESS


def tested_in_secret(game: Game[Position], unit: Stand, roll: Calculation) -> int:
    """Make a cohesion roll of which only the stand's side may know, and return the natural number."""
    return _made(game, unit, roll, (unit.side,))


def _made(game: Game[Position], unit: Stand, roll: Calculation, only: tuple[Side, ...]) -> int:
    (number,) = game.roll(1, DIE)
    places = (unit.at,) if unit.at is not None else ()
    game.tell(_told(unit.name, (unit.id,), places, roll, number, only))
    return number


def _told(
    name: str,
    units: tuple[UnitId, ...],
    places: tuple[Point, ...],
    roll: Calculation,
    number: int,
    only: tuple[Side, ...],
) -> Event:
    facts = (name, roll.title, number, roll.result([number]))
    text = "{}: {}, {} rolled, {}"
    return Event("cohesion", text, facts, roll.rule, units, places, (number,), roll, only)
