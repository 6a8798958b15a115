"""Spotted markers: units that fire give themselves away until they are out of sight [SPT-4, SPT-5, SPT-7 to SPT-11]."""

from __future__ import annotations

from collections.abc import Iterator
from math import isqrt

from msgspec.structs import replace

from opfire.core.events import Event
from opfire.core.game import Game
from opfire.core.places import INCH, Point
from opfire.rulesets.panzerblitz_miniatures.pieces import Position, Stand, UnitId, within
from opfire.rulesets.panzerblitz_miniatures.sighting.seeing import covers, in_sight, sights_for_its_like
from opfire.rulesets.panzerblitz_miniatures.sighting.spotting import cannot_spot
from opfire.rulesets.panzerblitz_miniatures.sighting.visibility import sight_limit_if_fired
from opfire.space.measure import square


def may_spot(unit: Stand) -> bool:
    """Return whether a unit spots at all now [SPT-7, SPT-8]."""
    if unit.at is None:
        return False
    carried = unit.carrier is not None
    return cannot_spot(unit.name, unit.kind.type, dispersed=unit.dispersed, carried=carried) is None


def reveal(game: Game[Position], unit: Stand) -> None:
    """Mark a unit that has fired in sight of enemies who may spot it, within the limit of cover "if fired" [SPT-4]."""
    position = game.state
    if unit.carrier is not None or unit.aircraft or unit.at is None:
        return
    inches = sight_limit_if_fired(
        position.charts, position.setting.sections.visibility, unit.kind.size, "cover", position.roll
    )
    reach = (inches * INCH) ** 2
    watching = (each for each in position.enemies(unit.side) if not sights_for_its_like(each))
    near = (each for each in watching if each.at and square(each.at, unit.at) <= reach)
    spotters = tuple(each.id for each in near if may_spot(each) and in_sight(position, each, unit))
    if not spotters:
        return
    if not unit.spotted and any(covers(position, position.units[name], unit) for name in spotters):
        game.tell(Event("spotted", "{} is spotted as it fires", (unit.name,), "SPT-4", (unit.id,), (unit.at,)))
    position.change(unit.id, spotters=tuple(dict.fromkeys((*unit.spotters, *spotters))), fired_at=unit.at)


def settle_markers(position: Position) -> None:
    """Take Spotted markers off units that no spotter has kept in sight [SPT-5, SPT-7, SPT-11].

    A marked unit that boards a carrier gives it the marker [SPT-10].
    """
    for side in position.setting.sides:
        for name in position.setting.ids[side]:
            unit = position.units[name]
            if unit.spotters:
                _settle(position, unit)


def _settle(position: Position, unit: Stand) -> None:
    if unit.carrier is not None:
        bearer = position.units[unit.carrier]
        both = tuple(dict.fromkeys((*bearer.spotters, *unit.spotters)))
        position.change(bearer.id, spotters=both, fired_at=bearer.at)
        position.change(unit.id, spotters=(), fired_at=None)
        return
    kept = () if slipped_away(position, unit) else tuple(n for n in unit.spotters if _keeps(position, n, unit))
    if kept != unit.spotters:
        position.change(unit.id, spotters=kept)


def _keeps(position: Position, name: str, unit: Stand) -> bool:
    spotter = position.units[name]
    return may_spot(spotter) and in_sight(position, spotter, unit)


def pass_by(position: Position, unit_id: UnitId, start: Point, end: Point) -> None:
    """Take off the markers that dead ground on a straight way breaks [SPT-5, SPT-11].

    Both those of the unit that went there, and those of enemies that it spots; the way is looked at every quarter inch.
    """
    mover = position.units[unit_id]
    marked = [enemy for enemy in position.enemies(mover.side) if unit_id in enemy.spotters]
    if not marked and not mover.spotters:
        return
    for at in _points(start, end):
        ghost = replace(mover, at=at)
        for enemy in marked:
            if unit_id in position.units[enemy.id].spotters and not in_sight(position, ghost, enemy):
                _lose(position, enemy.id, unit_id)
        for name in mover.spotters:
            if position.units[name].at is not None and not in_sight(position, position.units[name], ghost):
                _lose(position, unit_id, name)


def _points(start: Point, end: Point) -> Iterator[Point]:
    """The points between the ends of a way, a quarter inch apart."""
    parts = isqrt(square(start, end)) // (INCH // 4)
    for number in range(1, parts + 1):
        x, y = (a + (b - a) * number // (parts + 1) for a, b in zip(start, end, strict=True))
        yield x, y


def _lose(position: Position, unit_id: UnitId, spotter: UnitId) -> None:
    spotters = tuple(name for name in position.units[unit_id].spotters if name != spotter)
    position.change(unit_id, spotters=spotters)


def slipped_away(position: Position, unit: Stand) -> bool:
    """Return whether a unit has gone from its firing position into woods or a town where no enemy spots it [SPT-5].

    A place less than a stand's width away is still its firing position [SPT-9].
    """
    assert unit.at is not None
    if unit.fired_at is None or square(unit.at, unit.fired_at) < position.setting.base**2:
        return False
    if not {"woods", "heavy-woods", "town", "building"}.intersection(position.table.ground.at(unit.at).kinds):
        return False
    near = int(position.charts.named["spotting in cover in inches"])
    return not any(may_spot(enemy) and within(enemy, unit, near) for enemy in position.enemies(unit.side))
