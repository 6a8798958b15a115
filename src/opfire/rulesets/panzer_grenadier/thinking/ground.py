"""The constants of the ground: the distance to a hex for each way of going, and the protection of a hex."""

from __future__ import annotations

from collections.abc import Sequence

from opfire.kit.thinking.distances import Distances, field
from opfire.kit.thinking.goals import FAR, PATIENCE
from opfire.kit.thinking.places import field_of_fire
from opfire.kit.thinking.ways import Rows, once_a_setting
from opfire.rulesets.panzer_grenadier.ground import elevation, terrain_of
from opfire.rulesets.panzer_grenadier.movement.costs import (
    closed_ground,
    ground_price,
    movement_class,
    printed_allowance,
    wreck_surcharge,
)
from opfire.rulesets.panzer_grenadier.pieces import Hex, Position, Setting, Unit
from opfire.rulesets.panzer_grenadier.sight.lines import no_fire_line, smoke
from opfire.rulesets.panzer_grenadier.sight.spotting import visibility

Aims = dict[tuple[Hex, Hex, bool, bool], tuple[int, int] | None]
"""The distance in hexes and the shift in columns of fire from a hex at a unit in another, None without a line.

The unit is marked SPOTTED there or not, and hidden or not.
"""

Light = tuple[int, bool, frozenset[Hex]]
"""All that decides on lines of sight besides the ground: the range of sight, whether it is night, the smoke."""


def light(position: Position) -> Light:
    """The light and the smoke on the map."""
    return visibility(position), position.is_night, smoke(position)


class Ground:
    """Distances over one map, computed once for each goal and way of going."""

    def __init__(self, setting: Setting) -> None:
        self.apart = Distances(setting.map).apart
        self._fields: dict[tuple[Hex, str], dict[Hex, int]] = {}
        self._paces: dict[tuple[Hex, str, int], dict[Hex, float]] = {}
        self._prices: dict[str, dict[tuple[Hex, Hex], int | None]] = {}
        self._steps: dict[str, dict[Hex, list[tuple[Hex, int]]]] = {}
        self._cover: dict[Hex, int] = {}
        self._aims: dict[Light, Aims] = {}
        self._views: dict[tuple[Hex, int, frozenset[Hex]], float] = {}

    def cover(self, position: Position, hex: Hex) -> int:
        """The shift of a hex's terrain against direct fire at it, as a number of columns [10.3]."""
        found = self._cover.get(hex)
        if found is None:
            rows = [position.charts.modifiers.get(("direct", name)) for name in terrain_of(position, hex)]
            found = self._cover[hex] = sum(row.value for row in rows if row is not None)
        return found

    def fires(self, position: Position, a: Hex, b: Hex) -> bool:
        """Whether direct fire has a line from a hex to another."""
        return a == b or no_fire_line(position, a, b) is None

    def aims(self, position: Position) -> Aims:
        """The lines of fire computed so far in this light and smoke; the caller adds to them."""
        return self._aims.setdefault(light(position), {})

    def field_of_fire(self, position: Position, hex: Hex, reach: int) -> float:
        """The share of the hexes within a range to which direct fire from a hex has a line."""
        key = hex, reach, smoke(position)
        found = self._views.get(key)
        if found is None:
            around = position.map.within(hex, reach)
            found = self._views[key] = field_of_fire(around, reach, lambda other: self.fires(position, hex, other))
        return found

    def shift(self, position: Position, a: Hex, b: Hex) -> int:
        """The columns by which ground and nearness change direct fire from a hex at another [10.3]."""
        near = position.charts.modifiers["direct", "adjacent"].value if position.map.adjacent(a, b) else 0
        return self.cover(position, b) + near + (elevation(position, a) > elevation(position, b))

    def price(self, position: Position, unit: Unit, a: Hex, b: Hex) -> int | None:
        """The price of a step for a unit in half points, wrecks and ferries aside; None for closed ground."""
        kind = movement_class(unit)
        prices = self._prices.setdefault(kind, {})
        if (a, b) not in prices:
            prices[a, b] = ground_price(position, kind, a, b)
        return prices[a, b]

    def steps(self, position: Position, unit: Unit, hex: Hex) -> list[tuple[Hex, int]]:
        """The hexes next to a hex that are open to the unit, with their prices in half points; wrecks count [16.3]."""
        known = self._steps.setdefault(movement_class(unit), {})
        found = known.get(hex)
        if found is None:
            found = known[hex] = [
                (to, price)
                for to in position.map.neighbours[hex]
                if to is not None and (price := self.price(position, unit, hex, to)) is not None
            ]
        if not unit.vehicle or position.works.keys().isdisjoint(to for to, _ in found):
            return found
        return [
            (to, price + wreck_surcharge(position, unit, to))
            for to, price in found
            if closed_ground(position, unit, hex, to) is None
        ]

    def field(self, position: Position, unit: Unit, goal: Hex) -> dict[Hex, int]:
        """The cost to the goal in half points from every hex, as if the map were empty."""
        key = goal, movement_class(unit)
        found = self._fields.get(key)
        if found is None:
            found = self._fields[key] = field(position.map, goal, lambda b, a: self.price(position, unit, a, b))
        return found

    def pace(self, position: Position, unit: Unit, goal: Hex) -> dict[Hex, float]:
        """The number of turns that the unit needs to the goal from every hex from which it can reach it."""
        movement = printed_allowance(position, unit)
        if not movement:
            return {goal: 0.0}
        key = goal, movement_class(unit), movement
        found = self._paces.get(key)
        if found is None:
            field = self.field(position, unit, goal)
            found = self._paces[key] = {hex: cost / (2 * movement) for hex, cost in field.items()}
        return found

    def turns(self, position: Position, unit: Unit, hex: Hex, goal: Hex) -> float:
        """The number of turns that the unit needs from a hex to the goal."""
        return 0.0 if hex == goal else self.pace(position, unit, goal).get(hex, FAR)

    def turns_to(self, position: Position, unit: Unit, goals: Sequence[Hex]) -> Rows:
        """The number of turns that the unit needs to each of the goals, by the hex where it starts."""
        paces = [(goal, self.pace(position, unit, goal)) for goal in goals]
        return Rows(lambda hex: tuple(0.0 if hex == goal else pace.get(hex, FAR) for goal, pace in paces))

    def patience(self, position: Position, unit: Unit, goals: Sequence[Hex], left: float) -> Rows:
        """The present share of each goal's worth, by the hex of the unit.

        It is less for goals that it cannot reach in `left` turns, 0 for those without a way.
        """
        paces = [(goal, self.pace(position, unit, goal)) for goal in goals]

        def share(hex: Hex, goal: Hex, turns: float | None) -> float:
            if turns is None or hex == goal:
                return 0.0 if turns is None else 1.0
            return (1.0 if turns <= left else 0.3) * float(PATIENCE**turns)

        return Rows(lambda hex: tuple(share(hex, goal, pace.get(hex)) for goal, pace in paces))


ground_of = once_a_setting(Ground)
"""The distances of the map of a position."""
