"""The constants of the ground: the distance to any hex, and the protection of a hex."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from opfire.kit.thinking.ways import Distances, field, once_a_setting, turns
from opfire.rulesets.case_orange.charts import COLUMNS, Charts
from opfire.rulesets.case_orange.costs import link_cost, mover
from opfire.rulesets.case_orange.pieces import CLEAR_ENOUGH, Hex, Position, Setting, Unit

Gait = Literal["step", "foot", "wheels", "tracks"]


def gait(unit: Unit) -> Gait:
    """The gait of a unit: hex by hex with a factor of one [5.1.3], on foot, or on wheels (class C) or tracks."""
    if unit.vehicle:
        return "wheels" if unit.kind.weapon == "C" else "tracks"
    return "step" if unit.kind.movement <= 1 else "foot"


class Ground:
    """Distances over one map, computed once for each goal and way of going."""

    def __init__(self, setting: Setting) -> None:
        self.apart = Distances(setting.map).apart
        self._fields: dict[tuple[Hex, Gait], dict[Hex, int]] = {}
        self._cover: dict[Hex, int] = {}
        self._open: dict[Hex, bool] = {}

    def field(self, position: Position, unit: Unit, goal: Hex) -> dict[Hex, int]:
        """The cost to the goal in half movement factors from every hex, as if the map were empty."""
        key = (goal, gait(unit))
        found = self._fields.get(key)
        if found is None:
            found = self._fields[key] = _field(position, unit, goal)
        return found

    def turns(self, position: Position, unit: Unit, hex: Hex, goal: Hex) -> float:
        """The number of turns that the unit needs from a hex to the goal."""
        if hex == goal:
            return 0.0
        movement = unit.kind.movement
        return turns(self.field(position, unit, goal).get(hex) if movement else None, movement)

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


def _field(position: Position, unit: Unit, goal: Hex) -> dict[Hex, int]:
    """Search backwards from the goal: the price of a step is that of coming from `b` to `a`."""
    single, ground = gait(unit) == "step", position.setting.ground
    prices = ground.prices[mover(unit)]

    def price(a: Hex, b: Hex) -> int | None:
        beside, link = prices[b][a], ground.links[b].get(a)
        if link is None and beside < 0:
            return None
        if single:
            return 2
        if link is None:
            return beside
        by_road = link_cost(position, unit, link)
        return min(by_road, beside) if beside >= 0 else by_road

    return field(position.map, goal, price)


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
