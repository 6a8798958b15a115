"""Shots at vehicles as they are expected to go: by range, Cover, Hit Angle and Hull Down; each kind reckoned once."""

from __future__ import annotations

from functools import cache
from typing import TypeAlias

from msgspec.structs import replace

from opfire.kit.thinking import ways as kit
from opfire.rulesets.panzer.charts import Angle, Band, Charts, Rate, Weapon
from opfire.rulesets.panzer.fire import ap_fire
from opfire.rulesets.panzer.fire.ap_fire import Aim, HullDown
from opfire.rulesets.panzer.fire.arcs import aspects, hit_angles
from opfire.rulesets.panzer.fire.arms import rate_of, weapon_of
from opfire.rulesets.panzer.fire.sheltering import hull_down
from opfire.rulesets.panzer.pieces import Hex, Position, Setting, Unit
from opfire.space.hexes import Coord

Harm: TypeAlias = tuple[float, ...]
"""The part of a vehicle that a shot is expected to take, by the facing (0 to 5) that the vehicle has."""

NONE: Harm = (0.0,) * 6

HURT = 0.35
"""The part of a vehicle that a damage or a track hit takes; a second damage takes all."""

TAKEN: dict[str, float] = {"KO": 1.0, "BU": 1.0, "DM": HURT, "track": HURT}
"""The part of a vehicle that each effect takes."""

DAMAGED = -3
"""The modifier of a damaged firer."""


class Strikes:
    """The harm of all shots that have been weighed in a game."""

    def __init__(self, setting: Setting) -> None:
        self._charts: Charts = setting.charts
        self._advanced, self._options = setting.advanced, setting.options
        self._one_hit: dict[object, list[float]] = {}
        self._sheltered: dict[tuple[Hex, Hex], HullDown] = {}

    def harm(self, position: Position, firer: Unit, start: Hex, target: Unit, to: Hex, more: int) -> Harm:
        """The harm of a shot from one hex into another.

        `more` are modifiers besides those of the target's size and Cover, and of the firer's damage and grade.
        """
        weapon = weapon_of(position, firer)
        band = ap_fire.range_factor(weapon, position.map.distance(start, to)) if weapon else None
        if weapon is None or band is None:
            return NONE
        number = ap_fire.hit_number(self._charts, band, more + self._modifiers(position, firer, target, to, band))
        if self._advanced:
            return self._by_angle(position, (firer, start, target, to), weapon, band, number)
        return self._by_aspect(position, (start, to), target, weapon, band, number)

    def _modifiers(self, position: Position, firer: Unit, target: Unit, to: Hex, band: Band) -> int:
        cover = self._charts.cover[position.setting.ground.cover(to, "combat")].ap
        grade = self._charts.unit_grades[firer.grade].ap(band) if self._advanced else 0
        return int(target.vehicle.size + cover + grade + (DAMAGED if firer.damaged else 0))

    def _by_aspect(
        self, position: Position, line: tuple[Hex, Hex], target: Unit, weapon: Weapon, band: Band, number: int
    ) -> Harm:
        """The harm in the Basic Game: a shot hits the front or the rear [4.4.3.2.4]."""
        start, to = position.map.coords[line[0]], position.map.coords[line[1]]
        armors = {"front": target.vehicle.basic_front, "rear": target.vehicle.basic_rear}
        parts = {
            aspect: number / 100 * taken(ap_fire.basic_effect(self._charts, weapon, band, armor), target)
            for aspect, armor in armors.items()
        }
        return tuple(min(parts[aspect] for aspect in seen) for seen in _aspects((start[0] - to[0], start[1] - to[1])))

    def _by_angle(
        self, position: Position, shot: tuple[Unit, Hex, Unit, Hex], weapon: Weapon, band: Band, number: int
    ) -> Harm:
        """The harm in the Advanced Game: by Hit Angle, the two heights and Hull Down [6.5.2]."""
        firer, start, target, to = shot
        a, b = position.map.coords[start], position.map.coords[to]
        ground = position.setting.ground
        aim = Aim(weapon, band, target.vehicle, options=self._options)
        aim = aim._replace(
            shot=ap_fire.inclination(ground.height(a), ground.height(b)), hull_down=self._below(position, shot)
        )
        parts = self._parts(aim, number, rate_of(firer, weapon), damaged=target.damaged)
        return tuple(min(parts[index] for index in seen) for seen in _hit_angles((a[0] - b[0], a[1] - b[1])))

    def _below(self, position: Position, shot: tuple[Unit, Hex, Unit, Hex]) -> HullDown:
        """The Hull Down of a vehicle: where it stands also that of its position, elsewhere that of the ground."""
        firer, start, target, to = shot
        if to == target.hex and (target.hull_down or target.inside or to in position.works):
            return hull_down(position, replace(firer, hex=start), target)
        if (start, to) not in self._sheltered:
            moved = replace(target, hex=to, hull_down="", inside=False)
            self._sheltered[start, to] = hull_down(position, replace(firer, hex=start), moved)
        return self._sheltered[start, to]

    def _parts(self, aim: Aim, number: int, rate: Rate, *, damaged: bool) -> list[float]:
        """The harm of a shot for each of the `ANGLES`: each further hit harms what is left."""
        rolls = self._charts.hits[number].at_least(rate) if number else ()
        hits = self._hits(aim, damaged=damaged)
        return [sum(most / 100 * one * (1.0 - one) ** index for index, most in enumerate(rolls)) for one in hits]

    def _hits(self, aim: Aim, *, damaged: bool) -> list[float]:
        """The harm of one hit for each of the `ANGLES`."""
        weapon = (aim.weapon.weapon, aim.weapon.mount, aim.weapon.ammo, aim.band)
        key = (weapon, aim.target.id, aim.shot, aim.hull_down, damaged)
        if key not in self._one_hit:
            self._one_hit[key] = [self._hit(aim._replace(angle=angle), damaged) for angle in ANGLES]
        return self._one_hit[key]

    def _hit(self, aim: Aim, damaged: bool) -> float:
        chances = ap_fire.effects(self._charts, aim)
        return sum(float(chance) * share(effect, damaged) for effect, chance in chances.items())


ANGLES: tuple[Angle, ...] = ("front", "front side", "rear side", "rear")


def share(effect: str, damaged: bool) -> float:
    """The part of a vehicle that an effect takes; a damaged one is lost by a second damage."""
    return 1.0 if damaged and effect == "DM" else TAKEN.get(effect, 0.0)


def taken(effect: str, target: Unit) -> float:
    """The part of this vehicle that an effect takes."""
    return share(effect, target.damaged)


@cache
def _hit_angles(away: Coord) -> tuple[tuple[int, ...], ...]:
    """The Hit Angles of a shot that comes from there, by the facing of the target, as places in `ANGLES`."""
    found = (hit_angles((0, 0), facing, away) or ("front",) for facing in range(6))
    return tuple(tuple(ANGLES.index(angle) for angle in angles) for angles in found)


@cache
def _aspects(away: Coord) -> tuple[tuple[str, ...], ...]:
    """The aspects that a shot from there hits, by the facing of the target."""
    return tuple(aspects((0, 0), facing, away) if away != (0, 0) else ("front",) for facing in range(6))


strikes_of = kit.once_a_setting(Strikes)
"""The strikes of a position's game, shared by all its decisions."""
