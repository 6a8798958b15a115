"""The cohesion rolls of artillery [7.5.3, 7.6.1.2]: to fire, to arrive, to deviate."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from opfire.core.events import Calculation, Event, Line
from opfire.core.game import Game
from opfire.core.places import Point
from opfire.rulesets.micro_armour.artillery.batteries import is_rocket
from opfire.rulesets.micro_armour.artillery.missions import Mission
from opfire.rulesets.micro_armour.artillery.sheafs import DIRECTIONS, Compass, drift
from opfire.rulesets.micro_armour.cohesion import DIE, SUCCESS, cohesion_roll, level, modifier, states, tested
from opfire.rulesets.micro_armour.pieces import Position, Stand
from opfire.rulesets.micro_armour.terrain import into_markers

CALLED, ADDED, CANCELLED = -2, 2, 2
"""The modifiers of a pre-registered mission [7.6.2.2-mod], of a battery that joins a mission [7.8.3], and of leaving
one for final protective fire [7.6.1.5]."""


def worst(position: Position, names: tuple[str, ...]) -> Stand:
    """The battery whose states count for a group: the one in the worst state, or the first: RULINGS.md R42."""
    if position.setting.has("R42"):
        return position.units[names[0]]
    return max(position.pick(names), key=lambda unit: sum(line.amount for line in states(unit)))


def to_fire(position: Position, unit: Stand, targets: Iterable[Stand] = ()) -> Calculation:
    """The roll of a battery to fire directly: its own states alone [7.5.3, 7.5.5]."""
    lines = [*states(unit), *through_smoke(position, unit, targets)]
    return cohesion_roll("to fire", "7.5.3", level(position, unit), lines)


def through_smoke(position: Position, unit: Stand, targets: Iterable[Stand]) -> Iterator[Line]:
    """The modifier of smoke at either end, once, if it counts for this roll [7.4.7.1-4]: RULINGS.md R104."""
    if position.setting.has("R104"):
        found = (line for target in (unit, *targets) for line in into_markers(position, unit, target))
        yield from islice(found, 1)


def to_cancel(position: Position, unit: Stand) -> Calculation:
    """The roll to leave a mission for final protective fire [7.6.1.5]."""
    lines = [*states(unit), modifier("final protective fire", CANCELLED, "7.6.1.5")]
    return cohesion_roll("to cancel its mission", "7.6.1.5", level(position, unit), lines)


def to_arrive(position: Position, mission: Mission, names: tuple[str, ...]) -> Calculation:
    """The roll for the fire of batteries to arrive [7.6.1.2-arrive], also of one that joins the mission [7.8.3].

    Batteries off the map roll like all others [7.7.2].
    """
    unit = worst(position, names)
    lines = [*states(unit), *_called(mission)]
    if not set(names) <= set(mission.batteries):
        lines.append(modifier("added to the mission", ADDED, "7.8.3"))
    return cohesion_roll("to arrive", "7.6.1.2-arrive", level(position, unit), lines)


def to_deviate(position: Position, unit: Stand, mission: Mission | None) -> Calculation:
    """The roll to be on target [7.6.1.2-deviate]; rockets have no help of pre-registration.

    A mission that has been registered during the game has its modifier for this roll alone [12.12].
    """
    helped = [] if mission is None or is_rocket(unit) else [*_called(mission)]
    if mission is not None and mission.kind == "registered" and not is_rocket(unit):
        helped.append(modifier("registered", CALLED, "12.12"))
    return cohesion_roll("to deviate", "7.6.1.2-deviate", level(position, unit), [*states(unit), *helped])


def _called(mission: Mission) -> Iterator[Line]:
    if mission.kind == "pre-registered":
        yield modifier("pre-registered", CALLED, "7.6.2.2-mod")


def succeeds(game: Game[Position], unit: Stand, roll: Calculation) -> bool:
    """Make a cohesion roll for a battery; return whether it succeeds."""
    return roll.result([tested(game, unit, roll)]) == SUCCESS


def off_target(game: Game[Position], unit: Stand, roll: Calculation, aim: Point) -> Point:
    """Roll for deviation; return the way from the aim to the place where the fire falls [7.6.1.2-deviate].

    With the option, a natural 20 is a breakdown of communications [12.2.3].
    """
    number = tested(game, unit, roll)
    if roll.result([number]) == SUCCESS:
        return 0, 0
    broken_down = number == DIE and game.state.setting.has("12.2.3")
    return _breakdown(game, unit, aim) if broken_down else deviation(game, unit, aim)


def deviation(game: Game[Position], unit: Stand, aim: Point) -> Point:
    """The deviation of fire that is off target: 1D8 for the direction, half of 1D8 inches, 1D6 for rockets.

    [3.4-dice, 3.4-half, 7.6.1.2-direction]
    """
    (number,) = game.roll(1, 8)
    (far,) = game.roll(1, 6 if is_rocket(unit) else 8)
    inches = far if is_rocket(unit) else -(-far // 2)
    return _drifted(game, unit, aim, Way(DIRECTIONS[number - 1], inches, "7.6.1.2-direction", (number, far)))


def _breakdown(game: Game[Position], unit: Stand, aim: Point) -> Point:
    """The deviation after a breakdown of communications: half of 1D20 inches [12.2.3]."""
    (number,), (inches,) = game.roll(1, 8), game.roll(1, DIE)
    return _drifted(game, unit, aim, Way(DIRECTIONS[number - 1], -(-inches // 2), "12.2.3", (number, inches)))


class Way(NamedTuple):
    """A deviation: its direction, its length in inches, its rule, and the dice of both."""

    toward: Compass
    inches: int
    rule: str
    dice: tuple[int, int]


def _drifted(game: Game[Position], unit: Stand, aim: Point, way: Way) -> Point:
    """Tell of a deviation from a place, and return its way (1/1000 inch)."""
    right, down = drift(way.toward, way.inches, game.state.setting.sections.north)
    text, facts = "The fire of {} deviates {} inches to the {}", (unit.name, way.inches, way.toward)
    ends = aim, (aim[0] + right, aim[1] + down)
    game.tell(Event("deviation", text, facts, way.rule, (unit.id,), ends, way.dice))
    return right, down
