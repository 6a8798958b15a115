"""A side's look at a position: the worth of vehicles, goals and hexes, in victory points, and the threats to them."""

from __future__ import annotations

from functools import cached_property
from heapq import nsmallest
from typing import NamedTuple

from opfire.core.scenario import Victory
from opfire.kit import scoring
from opfire.kit.thinking.goals import FAR, PATIENCE, Goal, caution, goals, menace
from opfire.rulesets.panzer import victory
from opfire.rulesets.panzer.fire.arcs import ahead, in_field_of_fire
from opfire.rulesets.panzer.fire.arms import arc_of, weapon_of
from opfire.rulesets.panzer.moving.costs import hexsides_turned
from opfire.rulesets.panzer.pieces import Hex, Position, Side, Unit, UnitId
from opfire.rulesets.panzer.sighting.ranges import Marker, spotting_range
from opfire.rulesets.panzer.thinking.approaches import approaches
from opfire.rulesets.panzer.thinking.planning import objectives
from opfire.rulesets.panzer.thinking.striking import Harm, strikes_of
from opfire.rulesets.panzer.thinking.ways import ways_of

USE = 0.25
"""The worth of a whole vehicle besides what the enemy scores for it, as a part of its points."""

FOCUS = (0.75, 0.5, 0.35, 0.25, 0.15)
"""The likelihood that the enemies who could fire at one vehicle do so, the most dangerous first."""

BOLDNESS = 0.3
"""How much less danger counts in the last turn for a side that is not winning."""

ELSEWHERE = 0.6
"""The draw of other objectives than that of the plan."""

NEAREST = 6
"""The enemies to whom a vehicle that they do not see yet minds showing its sides."""

SHOWN = 0.01
"""The part of a vehicle that each hexside by which it turns away from the nearest enemy counts, whatever its armor."""

MOVING, HALTED = -2, -4
"""The modifiers of a moving target and of a Short Halt."""


class Threat(NamedTuple):
    """An enemy that could fire at a hex: the hex from which it does, and its harm by the target's facing."""

    hex: Hex
    harm: Harm


class Mind:
    """The position as a side weighs it."""

    def __init__(self, position: Position, side: Side) -> None:
        made = position.setting
        self.position, self.side, self.other = position, side, made.other[side]
        self.friends = [unit for unit in position.of(side) if unit.is_vehicle]
        self.foes = [unit for unit in position.of(self.other) if unit.is_vehicle]
        self.hunters = [unit for unit in position.of(self.other) if unit.kind.armed and weapon_of(position, unit)]
        self.left = made.scenario.turns - position.turn
        self._threats: dict[tuple[UnitId, Hex, Marker, int], list[Threat]] = {}
        self._ranked: dict[Hex, dict[UnitId, float]] = {}
        self._shown: dict[tuple[UnitId, Hex], Harm] = {}
        self._pulls: dict[tuple[UnitId, Hex], float] = {}
        self._targets: dict[tuple[UnitId, Hex], list[tuple[float, Hex]]] = {}

    # --- the worth of vehicles and goals -----------------------------------------------------------------------

    def value(self, unit: Unit) -> float:
        """The worth of a vehicle: the points for its loss, and its use in the turns to come."""
        lost = sum(
            condition.points
            for condition in self.position.setting.scenario.victory
            if condition.condition == "eliminate"
            and condition.side != unit.side
            and scoring.counts(condition, (unit.kind.id, unit.kind.category))
        )
        return unit.kind.pts * (lost + USE * (0.4 + 0.6 * min(1.0, self.left / 4)))

    @cached_property
    def goals(self) -> list[Goal]:
        """The objectives to take and to keep, and the edges to leave by."""
        scenario = self.position.setting.scenario
        return goals(scenario.victory, self.side, self.position.control.get, self._menace)

    def _menace(self, hex: Hex) -> float:
        turns = (self.turns(foe, str(foe.hex), hex) for foe in self.foes if foe.kind.armed)
        return menace(turns, False, self.left + 1)

    @cached_property
    def caution(self) -> float:
        """The weight of danger now."""
        scenario, points = self.position.setting.scenario, victory.scores(self.position)
        late = self.position.turn / max(1, scenario.turns)
        return caution(points[self.side] - points[self.other], scenario.levels.marginal, late, BOLDNESS)

    def turns(self, unit: Unit, hex: Hex, goal: Hex) -> float:
        """The turns of a vehicle from a hex to a goal."""
        slow = 2.0 if unit.damaged else 1.0
        return min(FAR, slow * ways_of(self.position).turns(unit.vehicle, hex, goal))

    def pull(self, unit: Unit, hex: Hex) -> float:
        """The worth of the goals to a vehicle in a hex: the best, less each turn away and each friend nearer."""
        key = (unit.id, hex)
        if key not in self._pulls:
            self._pulls[key] = max((self._drawn_by(unit, hex, goal) for goal in self.goals), default=0.0)
        return self._pulls[key]

    @cached_property
    def objectives(self) -> dict[UnitId, Hex]:
        """The plan of the side: the objective of each unit that goes."""
        friends, foes = self.position.of(self.side), self.position.of(self.other)
        return objectives(self.position, self.goals, friends, foes)

    def _drawn_by(self, unit: Unit, hex: Hex, goal: Goal) -> float:
        """The draw of a goal, by the plan."""
        return self._drawn(unit, hex, goal) * (1.0 if goal.leave else self.planned(unit, goal.place))

    def planned(self, unit: Unit, place: Hex) -> float:
        """The weight of an objective for a unit, by the plan."""
        return 1.0 if self.objectives.get(unit.id, place) == place else ELSEWHERE

    def _drawn(self, unit: Unit, hex: Hex, goal: Goal) -> float:
        turns = self.turns(unit, hex, goal.place)
        if goal.leave:
            worth = goal.gain * unit.kind.pts if self.pays(unit, goal) else 0.0
            return worth * PATIENCE ** (turns + 1) if turns <= self.left + 1 else 0.0
        if not unit.kind.armed:
            return 0.0
        worth = max(goal.gain, goal.keep)
        if turns > self.left + 0.1:
            return 0.05 * worth / (1.0 + turns)
        ranks = self._ranks(goal.place)
        mine = ranks.get(unit.id, FAR)
        nearer = sum(1.0 / (1.0 + far) for name, far in ranks.items() if (far, name) < (mine, unit.id))
        return float(worth * PATIENCE**turns / (1.0 + 0.6 * nearer))

    def pays(self, unit: Unit, goal: Goal) -> bool:
        """Return whether a vehicle scores by leaving the map at a goal."""
        names = (unit.kind.id, unit.kind.category)
        conditions = self.position.setting.scenario.victory
        return any(self._pays(condition, goal) and scoring.counts(condition, names) for condition in conditions)

    def _pays(self, condition: Victory, goal: Goal) -> bool:
        return condition.condition == "exit" and condition.side == self.side and goal.place in condition.places

    def _ranks(self, hex: Hex) -> dict[UnitId, float]:
        """The turns of each friend to a goal."""
        if hex not in self._ranked:
            armed = [unit for unit in self.friends if unit.kind.armed]
            self._ranked[hex] = {unit.id: self.turns(unit, str(unit.hex), hex) for unit in armed}
        return self._ranked[hex]

    @cached_property
    def approaches(self) -> dict[UnitId, tuple[Hex, ...]]:
        """The hexes by which each enemy vehicle is expected to come in this turn."""
        return approaches(self.position, self.other, self.foes)

    # --- sight and fire ----------------------------------------------------------------------------------------

    def sees(self, hex: Hex, to: Hex, marker: Marker) -> bool:
        """Return whether an armed vehicle in a hex would spot another one in a hex with a SPOT counter."""
        position = self.position
        cover = position.setting.ground.cover(to, "spotting")
        far = position.map.distance(hex, to)
        return far <= spotting_range(position.charts, cover, marker) and position.line(hex, to) is None

    def harm(self, firer: Unit, hex: Hex, target: Unit, to: Hex, more: int) -> Harm:
        """The part of a target that a shot from one hex into another is expected to take, by the target's facing.

        `more` are modifiers besides those of the target's size and Cover, and of the firer's damage and grade.
        """
        return strikes_of(self.position).harm(self.position, firer, hex, target, to, more)

    def gain(self, firer: Unit, hex: Hex, target: Unit, more: int) -> float:
        """The points that a shot at a target as it stands is expected to bring."""
        return self.value(target) * self.harm(firer, hex, target, str(target.hex), more)[target.facing]

    def bears(self, unit: Unit, hex: Hex, facing: int, to: Hex) -> bool:
        """Return whether a unit's gun bears on a hex."""
        coords = self.position.map.coords
        return hex == to or in_field_of_fire(coords[hex], facing, arc_of(unit), coords[to])

    # --- danger and prospects ------------------------------------------------------------------------------------

    def threats_to(self, unit: Unit, hex: Hex, marker: Marker, more: int) -> list[Threat]:
        """The enemies that could fire at a vehicle in a hex with this SPOT counter; each hex is weighed once."""
        key = (unit.id, hex, marker, more)
        if key not in self._threats:
            self._threats[key] = self._found(unit, hex, marker, more)
        return self._threats[key]

    def _found(self, unit: Unit, hex: Hex, marker: Marker, more: int) -> list[Threat]:
        seeing = (foe for foe in self.hunters if self.sees(str(foe.hex), hex, marker))
        found = [Threat(str(foe.hex), self.harm(foe, str(foe.hex), unit, hex, more)) for foe in seeing]
        return [threat for threat in found if any(threat.harm)]

    def danger(self, facing: int, threats: list[Threat]) -> float:
        """The part of a vehicle with a facing that these threats are expected to take."""
        shares = sorted((one.harm[facing] for one in threats), reverse=True)
        safe = 1.0
        for index, share in enumerate(shares):
            safe *= 1.0 - share * FOCUS[min(index, len(FOCUS) - 1)]
        return 1.0 - safe

    def shown(self, unit: Unit, hex: Hex, facing: int) -> float:
        """The part of a vehicle that the sides which it shows with a facing add to its danger, now or later.

        Each enemy is weighed where its way leads it in this turn, whether it will see the vehicle from there or not.
        """
        key = (unit.id, hex)
        if key not in self._shown:
            posts = [(foe, self.post(foe)) for foe in self._nearest(hex)]
            threats = [Threat(post, self.harm(foe, post, unit, hex, 0)) for foe, post in posts]
            away = self._turned_away(hex, [post for _, post in posts])
            dangers = [self.danger(way, threats) + SHOWN * away[way] for way in range(6)]
            self._shown[key] = tuple(danger - min(dangers) for danger in dangers)
        return self._shown[key][facing]

    def _nearest(self, hex: Hex) -> list[Unit]:
        """The enemies with anti-tank weapons that are nearest to a hex."""
        away = self.position.map.distance
        return nsmallest(NEAREST, self.hunters, key=lambda foe: (away(hex, str(foe.hex)), foe.id))

    def _turned_away(self, hex: Hex, others: list[Hex]) -> tuple[int, ...]:
        """For each facing in a hex, the hexsides by which it is turned away from the nearest of the other hexes."""
        nearest = min(others, key=lambda other: (self.position.map.distance(hex, other), other), default=hex)
        coords = self.position.map.coords
        ways = [way for way in range(6) if ahead(coords[hex], way, coords[nearest])] or [*range(6)]
        return tuple(min(hexsides_turned(facing, way) for way in ways) for facing in range(6))

    def post(self, foe: Unit) -> Hex:
        """The hex to which the way of an enemy leads in this turn; its own if it is not expected to move."""
        return (str(foe.hex), *self.approaches.get(foe.id, ()))[-1]

    def prospects(self, unit: Unit, hex: Hex, facing: int) -> float:
        """The points that the best shot of the next turn from a hex is expected to bring."""
        if not unit.kind.armed:
            return 0.0
        key = (unit.id, hex)
        if key not in self._targets:
            seen = [foe for foe in self.foes if self.sees(hex, str(foe.hex), foe.seen_as)]
            self._targets[key] = [(self.gain(unit, hex, foe, 0), str(foe.hex)) for foe in seen]
        aimed = (gain * (1.0 if self.bears(unit, hex, facing, to) else 0.3) for gain, to in self._targets[key])
        return max(aimed, default=0.0)
