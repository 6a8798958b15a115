"""Moving closer to danger [5.4, 5.5]: the goals of units that no leader of their kind has activated."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from opfire.core.actions import Refusal
from opfire.rulesets.panzer_grenadier.command import sectors
from opfire.rulesets.panzer_grenadier.pieces import Hex, Position, Unit
from opfire.rulesets.panzer_grenadier.sight.lines import no_fire_line
from opfire.rulesets.panzer_grenadier.sight.spotting import seen_from


def hurting_range(enemy: Unit, unit: Unit) -> int:
    """The distance at which an enemy can hurt the unit, in hexes; 0 for fire of no such kind [5.41].

    Direct fire hurts all except AFVs, anti-tank fire AFVs and trucks; bombardment never counts, MOVED/FIRED does not
    matter [5.4.a]. Demoralized and limbered units and passengers have no fire: RULINGS.md P7.
    """
    if enemy.kind is None or enemy.demoralized or enemy.carrier is not None:
        return 0
    direct = enemy.kind.direct_range if enemy.direct and not unit.afv else 0
    anti_tank = enemy.kind.at_range if enemy.at is not None and unit.vehicle else 0
    return max(direct, anti_tank)


def dangers(position: Position, unit: Unit, hex: Hex) -> list[Unit]:
    """The enemies that could spot the unit in a hex, reach it there and hurt it [5.4], over no border [18.12]."""
    there, enemies = _standing(unit, hex), _enemies(position, unit)
    return [enemy for enemy in _in_hurting_range(position, unit, hex, enemies) if _has_line(position, enemy, there)]


def about(position: Position, unit: Unit) -> list[Unit]:
    """The enemies whose printed ranges reach the unit's hex or one next to it: a look before its steps."""
    assert unit.hex is not None
    distance, here = position.map.distance, unit.hex
    return [
        enemy
        for enemy in _enemies(position, unit)
        if (kind := enemy.kind) is not None
        and distance(str(enemy.hex), here) <= max(kind.direct_range, kind.at_range) + 1
    ]


def _enemies(position: Position, unit: Unit) -> Iterator[Unit]:
    return position.of(position.setting.other[unit.side])


def _standing(unit: Unit, hex: Hex) -> Unit:
    """The unit as it would be in a hex that it has just entered."""
    return unit if unit.hex == hex else replace(unit, hex=hex, spotted=False, hidden=False)


def _in_hurting_range(position: Position, unit: Unit, hex: Hex, enemies: Iterable[Unit]) -> Iterator[Unit]:
    """Those of these enemies that hurt the unit as far off as the hex is: a look before the lines."""
    distance = position.map.distance
    for enemy in enemies:
        if (kind := enemy.kind) is not None:
            away = distance(str(enemy.hex), hex)
            near = away <= kind.direct_range or away <= kind.at_range
            if near and away <= (hurting_range(enemy, unit) or -1):  # in the unit's own hex too
                if sectors.out_of_sector(position, enemy, hex) is None:
                    yield enemy


def _has_line(position: Position, enemy: Unit, there: Unit) -> bool:
    """Whether an enemy sees the unit in its hex [14.31.A5], and has a line of fire of its own [14.31.A7]."""
    assert enemy.hex is not None
    assert there.hex is not None
    return seen_from(position, enemy.hex, there) and no_fire_line(position, enemy.hex, there.hex) is None


def moves_closer(position: Position, unit: Unit, to: Hex, near: Sequence[Unit] | None = None) -> Refusal | None:
    """Reject a step into danger without a leader of the unit's kind [5.4, 5.42, 5.5].

    `near` are the enemies `about` the unit, where they are known already.
    """
    return None if led(position, unit) else needs_leader(position, unit, to, near)


def needs_leader(position: Position, unit: Unit, to: Hex, near: Sequence[Unit] | None = None) -> Refusal | None:
    """Reject a hex that only a led unit enters [5.4, 5.41, 5.5]."""
    enemies = _enemies(position, unit) if near is None else near
    return (
        enemy_holds(position, unit, to)
        or nearer_to_danger(position, unit, to, enemies)
        or strange_by_night(position, unit, to)
    )


def led(position: Position, unit: Unit) -> bool:
    """Whether a leader of its kind has activated the unit [5.42, 5.43]; in a mixed stack each its own [5.45]."""
    return position.activation is not None and unit.id in position.activation.led


def enemy_holds(position: Position, unit: Unit, to: Hex) -> Refusal | None:
    """No unit enters an enemy's hex without a leader, whatever its fire [5.41]."""
    if position.enemies(unit.side, to):
        return Refusal("{} needs a leader of its kind to enter {}, which the enemy holds", "5.41", (unit.name, to))
    return None


def nearer_to_danger(position: Position, unit: Unit, to: Hex, enemies: Iterable[Unit]) -> Refusal | None:
    """A step to a hex where an enemy that is nearer than before could spot it and hurt it [5.4, 5.41.a].

    Units coming onto the map come nearer to all enemies: RULINGS.md P91.
    """
    distance = position.map.distance
    there = _standing(unit, to)
    for enemy in _in_hurting_range(position, unit, to, enemies):
        at = str(enemy.hex)
        nearer = unit.hex is None or distance(at, to) < distance(at, unit.hex)
        if nearer and _has_line(position, enemy, there):
            words = "{} needs a leader of its kind to move closer to {}, which could hurt it in {}"
            return Refusal(words, "5.4", (unit.name, enemy.name, to))
    return None


def strange_by_night(position: Position, unit: Unit, to: Hex) -> Refusal | None:
    """By night units enter only hexes that friends control or friendly units stand in [5.5, 5.5.A1].

    At the edge where it comes onto the map that is every hex that the enemy does not control: RULINGS.md P91.
    """
    if not position.is_night or position.control.get(to) == unit.side:
        return None
    if any(not friend.leader for friend in position.at(to, unit.side)):
        return None
    if unit.hex is None and position.control.get(to) is None:
        return None
    return Refusal("By night {} needs a leader to enter {}, which is not controlled", "5.5", (unit.name, to))
