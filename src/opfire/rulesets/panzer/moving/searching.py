"""Random Recon [7.60]: units that search for an enemy who may not be there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from opfire.core.actions import Action, Refusal
from opfire.core.events import Event
from opfire.core.game import Game
from opfire.rulesets.panzer.fire.arcs import ahead
from opfire.rulesets.panzer.moving.costs import hexsides_turned
from opfire.rulesets.panzer.pieces import Hex, Position, Side, Unit, UnitId
from opfire.rulesets.panzer.sighting.spots import cannot_spot

OPTION = "7.60"
WAYS, DIE = 6, 10
ENGINES, WHEELS, SMALL_ARMS = 10, 5, 10
"""The hexes at which tracks and half-tracks, wheels, and small arms are heard [7.60.1.2-veh, 7.60.1.2-fire]."""

ANYWHERE = 999
"""More hexes than any map has: guns and explosions are heard on all of it [7.60.1.2-fire]."""


class Roam(Action, frozen=True):
    """Roll for the direction of a searching unit, and for the hexes that it may go."""

    says = "{unit} searches on"
    kind = "roll"
    unit: UnitId


class FollowSound(Action, frozen=True):
    """Move a searching unit straight towards a sound, in a direction (0 north, clockwise, to 5)."""

    says = "{unit} moves towards the sound in {hex}, {facing}"
    kind = "move"
    unit: UnitId
    hex: Hex
    facing: int


class Course(NamedTuple):
    """The direction in which a searching unit moves, and the hexes that it may go.

    While it is `by_road` it may follow its road; one that has `strayed` from its direction has to [7.60.1.1].
    """

    way: int
    hexes: int
    by_road: bool = False
    strayed: bool = False


# --- the course [7.60.1, 7.60.1.1] -------------------------------------------------------------------------------


def searches(position: Position, unit: Unit) -> bool:
    """Return whether a unit is on Random Recon, and has its move to come [7.60.1-dir]."""
    return unit.searching and OPTION in position.setting.options and not unit.moved


def rolled(game: Game[Position], unit: Unit) -> Course:
    """Roll for direction and distance, by the table of the scenario [7.60.1-dir]."""
    (way,), (number,) = game.roll(1, WAYS), game.roll(1, DIE)
    hexes = game.state.setting.sections.conditions.random_recon[number - 1]
    text, places = "{} searches in direction {}, {} hexes at most", (str(unit.hex),)
    game.tell(Event("search", text, (unit.name, way, hexes), "7.60.1-dir", (unit.id,), places, (way, number)))
    by_road = unit.is_vehicle and any(game.state.map.cells[str(unit.hex)].links)
    return Course(way - 1, hexes, by_road)


def towards(position: Position, hex: Hex, sound: Hex) -> tuple[int, ...]:
    """The directions that face a sound [7.60.1.2-move]."""
    start, end = position.map.coords[hex], position.map.coords[sound]
    return tuple(way for way in range(WAYS) if ahead(start, way, end))


def sounds(position: Position, unit: Unit) -> Iterator[FollowSound]:
    """The sounds that a unit may follow, by the directions that face them [7.60.1.2-move]."""
    for hex in dict.fromkeys((*filter(None, (unit.bound,)), *unit.heard)):
        if hex != unit.hex:
            yield from (FollowSound(unit.id, hex, way) for way in towards(position, str(unit.hex), hex))


def cannot_follow(position: Position, unit: Unit, action: FollowSound) -> Refusal | None:
    """Reject a sound that the unit has not heard, or a direction that does not face it [7.60.1.2-move]."""
    if action in sounds(position, unit):
        return None
    return Refusal("{} has heard no sound that way from {}", "7.60.1.2-move", (unit.name, action.hex))


def follow(game: Game[Position], action: FollowSound) -> Course:
    """Mark the hex of a sound and move straight towards it, whatever the rolls would say [7.60.1.2-move]."""
    unit = game.state.change(action.unit, bound=action.hex)
    places = (str(unit.hex), action.hex)
    text = "{} follows the sound in {}"
    game.tell(Event("search", text, (unit.name, action.hex), "7.60.1.2-move", (unit.id,), places))
    return Course(action.facing, game.state.map.distance(str(unit.hex), action.hex))


def ways(position: Position, unit: Unit, course: Course, steps: int) -> tuple[int, ...]:
    """The directions in which a searching unit may go on: its own, or along its road.

    The first hex of a road is that of the hexside closest to the direction.
    Rules: [7.60.1-dir, 7.60.1-min, 7.60.1.1].
    """
    if steps >= course.hexes:
        return ()
    links = position.map.cells[str(unit.hex)].links
    along = tuple(way for way in range(WAYS) if links[way])
    if not course.by_road or not along:
        return (course.way,)
    if course.strayed:
        return along
    if steps:
        return tuple(dict.fromkeys((course.way, *along)))
    nearest = min(hexsides_turned(way, course.way) for way in along)
    return tuple(dict.fromkeys((course.way, *(w for w in along if hexsides_turned(w, course.way) == nearest))))


def gone_on(position: Position, course: Course, start: Hex, to: Hex) -> Course:
    """The course after a step: a vehicle that has left its road follows no other, one that strays keeps to it.

    Rules: [7.60.1.1].
    """
    way = position.map.direction(start, to)
    if way is None or not (course.by_road and position.map.cells[start].links[way]):
        return course._replace(by_road=False)
    return course._replace(strayed=course.strayed or way != course.way)


# --- sounds [7.60.1.2] -------------------------------------------------------------------------------------------


def hear(position: Position, side: Side, hex: Hex, reach: int) -> None:
    """Searching units of the other side within that many hexes note a sound of this side [7.60.1.2-move].

    Sounds of their own side tell them nothing: RULINGS.md R187.
    """
    if OPTION not in position.setting.options:
        return
    for unit in position.enemies(side):
        if unit.searching and position.map.distance(str(unit.hex), hex) <= reach and hex not in unit.heard:
            position.change(unit.id, heard=(*unit.heard, hex))


def hear_vehicle(position: Position, unit: Unit) -> None:
    """The sound of a vehicle that moves: tracks and half-tracks carry farther than wheels [7.60.1.2-veh]."""
    if unit.is_vehicle and unit.hex is not None:
        hear(position, unit.side, unit.hex, WHEELS if unit.vehicle.traction == "W" else ENGINES)


# --- the end of the search [7.60.2] ------------------------------------------------------------------------------


def settle(game: Game[Position], side: Side) -> None:
    """Once a searching unit spots an enemy, Random Recon of its side is over: all move as usual [7.60.2]."""
    position = game.state
    if OPTION not in position.setting.options:
        return
    seekers = [unit for unit in position.of(side) if unit.searching]
    found = next((enemy for enemy in position.enemies(side) if _spotted(position, seekers, enemy)), None)
    if found is None:
        return
    for unit in position.units.values():
        if unit.side == side and unit.searching:
            position.change(unit.id, searching=False, heard=(), bound="")
    places = (str(found.hex),)
    game.tell(Event("spotting", "{} is spotted: the search is over", (found.name,), "7.60.2", (found.id,), places))


def _spotted(position: Position, seekers: Iterable[Unit], enemy: Unit) -> bool:
    return any(cannot_spot(position, unit, enemy, enemy.seen_as) is None for unit in seekers)
