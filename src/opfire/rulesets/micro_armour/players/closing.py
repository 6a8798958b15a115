"""Closing in: armoured hunters weigh a shot now against nearness to the enemy and overruns within a move."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from opfire.core.places import Point
from opfire.rulesets.micro_armour.close.overrun import no_overrunner, no_target
from opfire.rulesets.micro_armour.moving.marching import Move
from opfire.rulesets.micro_armour.pieces import Position, Posture, Stand, adjacent
from opfire.rulesets.micro_armour.players.worth import best_shot, overrun
from opfire.rulesets.micro_armour.postures import cannot_fire_and_move
from opfire.space.measure import MICRO, length

NEARNESS, TURNS = 0.02, 6
"""The victory points that an inch nearer to the enemy is worth in each turn to come; the most turns that count."""

CLOSE, FAR = 4, 30
"""The inches at which the enemy is near enough, and far away."""

MOVES, SHOOTS = 0.7, 0.8
"""The chance that a stand may move, and the part of a shot's worth that is left in the posture of fire and movement."""

BESIDE = 0.1
"""The worth of a place beside a stand of the own group, with which one order can move it again (victory points)."""

TOUCH = 0.3
"""The inches by which a vehicle has to be nearer than its points reach, to get through its target."""


def posture(sight: Position, unit: Stand) -> Posture:
    """The posture that is worth most: its best shot, the inches and overruns of a move, or both with half a move."""
    shot, whole = best_shot(sight, unit), unit.kind.mov_points or 0
    targets = [*overruns(sight, unit)]

    def moved(points: int) -> float:
        near = min(points, max(0.0, _nearest(sight, unit, place_of(unit)) - CLOSE)) * _inch(sight)
        return MOVES * max([near, *(gain for far, gain in targets if far + TOUCH <= points)])

    both = SHOOTS * shot + moved(whole // 2) if cannot_fire_and_move(unit) is None else 0.0
    worths: dict[Posture, float] = {"firing": shot, "fire/move": both, "movement": moved(whole)}
    return max(worths, key=lambda each: worths[each])


def overruns(sight: Position, unit: Stand) -> Iterator[tuple[float, float]]:
    """The enemies that a vehicle may overrun with a whole move: the distance in inches and the expected gain."""
    if no_overrunner(sight, unit) is not None:
        return
    for enemy in sight.enemies(unit.side):
        if enemy.at is not None and no_target(sight, unit, enemy) is None:
            far = length(place_of(unit), enemy.at) / MICRO
            if far <= (unit.kind.mov_points or 0):
                yield far, overrun(sight, unit, enemy)


def nearer(sight: Position, unit: Stand, to: Point) -> float:
    """The worth of the nearness of a place to the enemy, for the turns after this one."""
    return _inch(sight) * (FAR - max(CLOSE, _nearest(sight, unit, to)))


def beside(unit: Stand, leg: Move, mates: list[Stand]) -> float:
    """The worth of the end of a leg that lies beside a stand of the own group."""
    there = replace(unit, at=leg.to, facing=leg.facing)
    return BESIDE if any(adjacent(there, mate) for mate in mates) else 0.0


def _nearest(sight: Position, unit: Stand, at: Point) -> float:
    """The distance to the nearest enemy in inches."""
    return min((length(at, enemy.at) for enemy in sight.enemies(unit.side) if enemy.at is not None), default=0) / MICRO


def _inch(sight: Position) -> float:
    """The worth of an inch nearer to the enemy: for the better shots of all turns after this one."""
    return NEARNESS * min(sight.setting.scenario.turns - sight.turn, TURNS)


def place_of(unit: Stand) -> Point:
    """The place of a stand on the table."""
    assert unit.at is not None
    return unit.at
