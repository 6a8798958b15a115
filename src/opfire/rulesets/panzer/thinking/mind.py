"""A side's look at a position: the worth of vehicles, goals and hexes, in victory points, and the threats to them."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from opfire.core.scenario import Victory
from opfire.kit import scoring
from opfire.kit.thinking.goals import FAR, PATIENCE, Goal, caution, goals, menace
from opfire.rulesets.panzer import victory
from opfire.rulesets.panzer.charts import HIGHEST_MODIFIER, LOWEST_MODIFIER, Result
from opfire.rulesets.panzer.fire import ap_fire
from opfire.rulesets.panzer.fire.arcs import Arc, aspects, in_field_of_fire
from opfire.rulesets.panzer.fire.arms import weapon_of
from opfire.rulesets.panzer.pieces import Hex, Position, Side, Unit, UnitId
from opfire.rulesets.panzer.sighting.ranges import Marker, spotting_range
from opfire.rulesets.panzer.thinking.ways import ways_of

HARM: dict[str, float] = {"DM": 0.35, "KO": 1.0, "BU": 1.0}
"""The part of a vehicle that an effect takes; a second damage takes all."""

USE = 0.25
"""The worth of a whole vehicle besides what the enemy scores for it, as a part of its points."""

FOCUS = (0.75, 0.5, 0.35, 0.25, 0.15)
"""The likelihood that the enemies who could fire at one vehicle do so, the most dangerous first."""

BOLDNESS = 0.3
"""How much less danger counts in the last turn for a side that is not winning."""

MOVING, HALTED, DAMAGED = -2, -4, -3
"""The modifiers of a moving target, of a Short Halt and of a damaged firer."""


class Threat(NamedTuple):
    """An enemy that could fire at a hex: its hex, and the harm that it does to the front and to the rear."""

    hex: Hex
    front: float
    rear: float


class Mind:
    """The position as a side weighs it."""

    def __init__(self, position: Position, side: Side) -> None:
        made = position.setting
        self.position, self.side, self.other = position, side, made.other[side]
        self.friends = [unit for unit in position.of(side) if unit.is_vehicle]
        self.foes = [unit for unit in position.of(self.other) if unit.is_vehicle]
        self.left = made.scenario.turns - position.turn
        self._threats: dict[tuple[UnitId, Hex, Marker, int], list[Threat]] = {}
        self._ranked: dict[Hex, dict[UnitId, float]] = {}
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
            self._pulls[key] = max((self._drawn(unit, hex, goal) for goal in self.goals), default=0.0)
        return self._pulls[key]

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

    # --- sight and fire ----------------------------------------------------------------------------------------

    def sees(self, hex: Hex, to: Hex, marker: Marker) -> bool:
        """Return whether an armed vehicle in a hex would spot another one in a hex with a SPOT counter."""
        position = self.position
        cover = position.setting.ground.cover(to, "spotting")
        far = position.map.distance(hex, to)
        return far <= spotting_range(position.charts, cover, marker) and position.setting.line(hex, to) is None

    def harm(self, firer: Unit, hex: Hex, target: Unit, to: Hex, more: int) -> tuple[float, float]:
        """The part of a target that a shot from one hex into another is expected to take, at the front and the rear.

        `more` are modifiers besides those of the target's size and Cover and of the firer's damage.
        """
        charts, weapon = self.position.charts, weapon_of(self.position, firer)
        band = ap_fire.range_factor(weapon, self.position.map.distance(hex, to)) if weapon else None
        if weapon is None or band is None:
            return 0.0, 0.0
        cover = charts.cover[self.position.setting.ground.cover(to, "combat")].ap
        net = more + target.vehicle.size + cover + (DAMAGED if firer.damaged else 0)
        chance = charts.hit[max(LOWEST_MODIFIER, min(HIGHEST_MODIFIER, net))].number(band) / 100
        armors = (target.vehicle.basic_front, target.vehicle.basic_rear)
        front, rear = (self._effect(target, ap_fire.basic_effect(charts, weapon, band, armor)) for armor in armors)
        return chance * front, chance * rear

    def _effect(self, target: Unit, effect: Result | str) -> float:
        found = HARM.get(str(effect), 0.0)
        return 1.0 if found and target.damaged else found

    def gain(self, firer: Unit, hex: Hex, target: Unit, more: int) -> float:
        """The points that a shot at a target as it stands is expected to bring."""
        to = str(target.hex)
        front, rear = self.harm(firer, hex, target, to, more)
        return self.value(target) * (front if "front" in self.aspects(to, target.facing, hex) else rear)

    def aspects(self, hex: Hex, facing: int, firer: Hex) -> tuple[str, ...]:
        """The aspects of a vehicle in a hex that a firer in another one sees."""
        coords = self.position.map.coords
        return aspects(coords[hex], facing, coords[firer]) if hex != firer else ("front",)

    def bears(self, unit: Unit, hex: Hex, facing: int, to: Hex) -> bool:
        """Return whether a vehicle's gun bears on a hex."""
        coords = self.position.map.coords
        arc: Arc = unit.vehicle.main_arc or "all"
        return hex == to or in_field_of_fire(coords[hex], facing, arc, coords[to])

    # --- danger and prospects ------------------------------------------------------------------------------------

    def threats_to(self, unit: Unit, hex: Hex, marker: Marker, more: int) -> list[Threat]:
        """The enemies that could fire at a vehicle in a hex with this SPOT counter; each hex is weighed once."""
        key = (unit.id, hex, marker, more)
        if key not in self._threats:
            self._threats[key] = self._found(unit, hex, marker, more)
        return self._threats[key]

    def _found(self, unit: Unit, hex: Hex, marker: Marker, more: int) -> list[Threat]:
        found = []
        for foe in self.foes:
            if foe.kind.armed and self.sees(str(foe.hex), hex, marker):
                front, rear = self.harm(foe, str(foe.hex), unit, hex, more)
                if rear:
                    found.append(Threat(str(foe.hex), front, rear))
        return found

    def danger(self, hex: Hex, facing: int, threats: list[Threat]) -> float:
        """The part of a vehicle in a hex, with a facing, that these threats are expected to take."""
        shares = sorted(
            (one.front if "front" in self.aspects(hex, facing, one.hex) else one.rear for one in threats), reverse=True
        )
        safe = 1.0
        for index, share in enumerate(shares):
            safe *= 1.0 - share * FOCUS[min(index, len(FOCUS) - 1)]
        return 1.0 - safe

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
