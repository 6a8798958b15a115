"""What of the ground does not change in a game: how far it is to a hex for each way of going, how well it protects."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from opfire.rulesets.panzer_grenadier.costs import movement_class, printed_allowance, step_cost
from opfire.rulesets.panzer_grenadier.pieces import Hex, Position, Setting, Unit
from opfire.space.paths import cheapest

FAR = 99.0


class Ground:
    """Distances over one map, reckoned once for each goal and way of going."""

    def __init__(self) -> None:
        self._fields: dict[tuple[Hex, str], dict[Hex, int]] = {}
        self._prices: dict[str, dict[tuple[Hex, Hex], int | None]] = {}
        self._apart: dict[Hex, dict[Hex, int]] = {}

    def apart(self, position: Position, hex: Hex) -> dict[Hex, int]:
        """How many hexes from a hex to each other one."""
        found = self._apart.get(hex)
        if found is None:
            distance = position.map.distance
            found = self._apart[hex] = {other: distance(hex, other) for other in position.map.cells}
        return found

    def price(self, position: Position, unit: Unit, a: Hex, b: Hex) -> int | None:
        """What a step costs a unit in half points as the ground was first seen; None where it may not go."""
        prices = self._prices.setdefault(movement_class(unit), {})
        if (a, b) not in prices:
            prices[a, b] = step_cost(position, unit, a, b)
        return prices[a, b]

    def field(self, position: Position, unit: Unit, goal: Hex) -> dict[Hex, int]:
        """The cost to the goal in half points from every hex, as if the map were empty."""
        key = goal, movement_class(unit)
        found = self._fields.get(key)
        if found is None:
            ways = cheapest(position.map, goal, lambda b, a: self.price(position, unit, a, b))
            found = self._fields[key] = {hex: cost for hex, (cost, _) in ways.items()}
        return found

    def turns(self, position: Position, unit: Unit, hex: Hex, goal: Hex) -> float:
        """How many turns the unit would take from a hex to the goal."""
        if hex == goal:
            return 0.0
        movement = printed_allowance(position, unit)
        cost = self.field(position, unit, goal).get(hex) if movement else None
        return FAR if cost is None else cost / (2 * movement)


_GROUNDS: WeakKeyDictionary[Setting, Ground] = WeakKeyDictionary()


def ground_of(position: Position) -> Ground:
    """The distances of the position's map."""
    found = _GROUNDS.get(position.setting)
    if found is None:
        found = _GROUNDS[position.setting] = Ground()
    return found
