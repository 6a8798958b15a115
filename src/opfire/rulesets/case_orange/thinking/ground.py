"""The constants of the ground: distances, the costs of ways over the empty map, the protection of a hex."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from opfire.kit.thinking.distances import Distances, Field, field
from opfire.kit.thinking.goals import PATIENCE
from opfire.kit.thinking.ways import Rows, once_a_setting, turns
from opfire.rulesets.case_orange import ground as rules
from opfire.rulesets.case_orange.charts import COLUMNS, Charts
from opfire.rulesets.case_orange.costs import allowance
from opfire.rulesets.case_orange.pieces import CLEAR_ENOUGH, Hex, Position, Setting, Unit

Gait = Literal["step", "foot", "wheels", "tracks"]
MOVER_OF: dict[Gait, rules.Mover] = {"step": "foot", "foot": "foot", "wheels": "class C", "tracks": "vehicle"}


def gait(unit: Unit) -> Gait:
    """The gait of a unit: hex by hex with a factor of one [5.1.3], on foot, or on wheels (class C) or tracks."""
    if unit.vehicle:
        return "wheels" if unit.kind.weapon == "C" else "tracks"
    return "step" if unit.kind.movement <= 1 else "foot"


class Costs:
    """The costs of ways over one map while it is empty, for each gait; shared by every game on the map."""

    def __init__(self, ground: rules.Ground) -> None:
        self._ground = ground
        self.field = lru_cache(maxsize=256)(self._field)
        self._near: dict[tuple[Hex, Gait], tuple[int, Field]] = {}

    def near(self, goal: Hex, going: Gait, most: int) -> Field:
        """The cost to the goal from every hex from which it is at most `most` half movement factors.

        The result may hold other hexes besides: the search is made once, and again for a unit that goes farther.
        """
        searched, costs = self._near.get((goal, going), (-1, {}))
        if searched < most:
            costs = self._field(goal, going, most)
            self._near[goal, going] = most, costs
        return costs

    def _field(self, goal: Hex, going: Gait, limit: int | None = None) -> Field:
        """Search backwards from the goal: the price of a step is that of coming from `b` to `a`."""
        ground, single = self._ground, going == "step"
        prices, links = ground.prices[MOVER_OF[going]], ground.links

        def price(a: Hex, b: Hex) -> int | None:
            beside, link = prices[b][a], links[b].get(a)
            if link is None and beside < 0:
                return None
            if single:
                return 2
            if link is None:
                return beside
            row = ground.charts.side_costs[link]
            by_road = (row.class_c if going == "wheels" else row.other) or 0
            return min(by_road, beside) if beside >= 0 else by_road

        return field(ground.map, goal, price, limit)


@lru_cache(maxsize=64)
def costs_over(ground: rules.Ground) -> Costs:
    """The costs of ways over the ground of a map."""
    return Costs(ground)


class Ground:
    """Distances and cover on the map of a game."""

    def __init__(self, setting: Setting) -> None:
        self.apart = Distances(setting.map).apart
        self._costs = costs_over(setting.ground)
        self._cover: dict[Hex, int] = {}
        self._open: dict[Hex, bool] = {}

    def field(self, unit: Unit, goal: Hex) -> Field:
        """The cost to the goal in half movement factors from every hex, as if the map were empty."""
        return self._costs.field(goal, gait(unit))

    def within_a_turn(self, unit: Unit, hex: Hex, goal: Hex) -> int | None:
        """The cost to the goal from a hex, as if the map were empty; None if a turn's movement does not suffice."""
        most = allowance(unit)
        cost = self._costs.near(goal, gait(unit), most).get(hex)
        return cost if cost is not None and cost <= most else None

    def turns(self, unit: Unit, hex: Hex, goal: Hex) -> float:
        """The number of turns that the unit needs from a hex to the goal."""
        if hex == goal:
            return 0.0
        movement = unit.kind.movement
        return turns(self.field(unit, goal).get(hex) if movement else None, movement)

    def turns_to(self, unit: Unit, goals: Sequence[Hex]) -> Rows:
        """The number of turns that the unit needs to each of the goals, by the hex where it starts."""
        return Rows(lambda hex: tuple(self.turns(unit, hex, goal) for goal in goals))

    def patience(self, unit: Unit, goals: Sequence[Hex], left: float) -> Rows:
        """The present share of each goal's worth, by the hex of the unit; 0 for goals it cannot reach in `left` turns.

        The unit can move.
        """
        fields = [self.field(unit, goal) for goal in goals]
        pace, costs = 1.0 / (2 * unit.kind.movement), [field.get for field in fields]

        def share(cost: int | None) -> float:
            return 0.0 if cost is None or (turns := cost * pace) > left else float(PATIENCE**turns)

        return Rows(lambda hex: tuple(share(cost(hex)) for cost in costs))

    def cover(self, position: Position, hex: Hex) -> int:
        """The modifier of a hex's terrain to the die of direct fire [9.3]."""
        found = self._cover.get(hex)
        if found is None:
            rows = position.charts.modifiers
            names = [name for name in position.map.cells[hex].terrain if name in rows]
            found = self._cover[hex] = sum(rows[name].direct or 0 for name in names)
        return found

    def overrunnable(self, position: Position, hex: Hex) -> bool:
        """Clear enough for overruns [9.8.1], and without markers that bar them [9.8.5]."""
        found = self._open.get(hex)
        if found is None:
            cell = position.map.cells[hex]
            found = self._open[hex] = cell.ford or CLEAR_ENOUGH.issuperset(cell.terrain)
        if not found:
            return False
        works = position.works.get(hex)
        return works is None or not (works.block or works.wreck or works.mines or works.position or works.fort)


ground_of = once_a_setting(Ground)
"""The distances of the map of a position."""


@lru_cache(maxsize=16384)
def blow(charts: Charts, attack: int, defence: int, shift: int, modifier: int) -> tuple[float, float, float]:
    """The chances of X, DD and D of an attack with these sums [9.9]; none below one to four."""
    if attack <= 0 or attack * 4 < defence:
        return 0.0, 0.0, 0.0
    if attack >= defence:
        column = COLUMNS.index(f"{min(4, attack // defence) if defence else 4}:1")
    else:
        column = COLUMNS.index(f"1:{-(-defence // attack)}")
    column = max(0, min(len(COLUMNS) - 1, column + shift))
    results = [charts.result(die + modifier, column) for die in range(1, 7)]
    return results.count("X") / 6, results.count("DD") / 6, results.count("D") / 6
