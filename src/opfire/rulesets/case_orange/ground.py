"""The costs of the ground [5.3, 5.4, 15.2]: prices of steps that stay the same all game, computed once for each map."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from heapq import heappop, heappush
from typing import Literal

from opfire.rulesets.case_orange.charts import Charts
from opfire.space.hexes import opposite
from opfire.space.hexmap import HexMap

Mover = Literal["foot", "vehicle", "class C"]
MOVERS: tuple[Mover, ...] = ("foot", "vehicle", "class C")

CLIFF, CLOSED_HEX, CLOSED_SIDE = -3, -2, -1
"""In place of a price: closed [15.2-C]; closed except by road [5.4.19, 5.4.20]; closed except by road [5.4.16]."""


class Ground:
    """Prices in half movement factors, off road, from each hex to each neighbour for each kind of mover.

    A negative price gives the reason that the step is closed off road. Saturated ground (16.1) and winter (16.2) are
    included.
    """

    def __init__(self, board: HexMap, charts: Charts, options: frozenset[str]) -> None:
        self.map, self.charts = board, charts
        self.saturated, self.frozen = "16.1" in options, "16.2" in options
        self.terrains = {mover: {name: self._terrain(mover, name) for name in board.cells} for mover in MOVERS}
        self.prices = {mover: dict(self._prices(mover)) for mover in MOVERS}
        self.links = {name: self._links(name) for name in board.cells}
        self._rides: dict[str, tuple[int, dict[str, int]]] = {}

    def _prices(self, mover: Mover) -> Iterator[tuple[str, dict[str, int]]]:
        for name, around in self.map.neighbours.items():
            yield name, {to: self._price(mover, name, to) for to in around if to is not None}

    def _price(self, mover: Mover, a: str, b: str) -> int:
        side, cost = self.map.side(a, b), self.terrains[mover][b]
        if "cliff" in side:
            return CLIFF
        if cost < 0:
            return CLOSED_HEX
        if mover != "foot" and ("woods" in side or "broken" in side):
            return CLOSED_SIDE
        return cost + self.surcharge(mover, a)

    def _links(self, name: str) -> dict[str, str]:
        """Neighbours to which a road or track leads."""
        cell, around = self.map.cells[name], self.map.neighbours[name]
        ways = {to: link for to, link in zip(around, cell.links, strict=True) if to is not None and link}
        return {to: self.surface(link) for to, link in ways.items()}

    def ride(self, target: str, most: int) -> dict[str, int]:
        """The least cost for a vehicle of riding through the target and out opposite [9.8-P1], in half factors.

        The result covers each hex from which it costs no more than `most` with no unit in the way; it may hold others,
        too. The search is made once, and again for a vehicle that goes farther.
        """
        reached, costs = self._rides.get(target, (-1, {}))
        if reached < most:
            costs = self._ride(target, most)
            self._rides[target] = most, costs
        return costs

    def _ride(self, target: str, most: int) -> dict[str, int]:
        """Search backwards from the entry hexes, the cheapest first."""
        around, costs = self.map.neighbours[target], dict[str, int]()
        queue: list[tuple[int, str]] = []
        for direction, entry in enumerate(around):
            exit = around[opposite(direction)]
            if entry is not None and exit is not None:
                into, out = self._least(entry, target), self._least(target, exit)
                if into >= 0 and out >= 0:
                    heappush(queue, (into + out, entry))
        while queue:
            cost, at = heappop(queue)
            if at in costs or cost > most:
                continue
            costs[at] = cost
            for before in self.map.neighbours[at]:
                if before is not None and before not in costs and (price := self._least(before, at)) >= 0:
                    heappush(queue, (cost + price, before))
        return costs

    def _least(self, a: str, b: str) -> int:
        """The price of a step for a vehicle, off road or by a track [9.8.4]; negative for an impossible step."""
        beside = self.prices["vehicle"][a][b]
        if self.links[a].get(b) != "track":
            return beside
        track = self.charts.side_costs["track"].other or 0
        return min(track, beside) if beside >= 0 else track

    def surface(self, link: str) -> str:
        """The value of a road: in saturated ground it is a track [16.1], a highway never [5.4.9]: RULINGS.md R16.1."""
        return "track" if self.saturated and link == "road" else link

    def terrain(self, mover: Mover, hex: str) -> int:
        """The cost of a hex off road, in half factors; negative if it is closed to the mover."""
        return self.terrains[mover][hex]

    def _terrain(self, mover: Mover, hex: str) -> int:
        """The most costly terrain of the hex counts [5.3.1]."""
        costs, most = self.charts.hex_costs, 0
        for terrain in self.map.cells[hex].terrain:
            cost = costs[terrain]
            if cost.closed_to == "all" and not (terrain == "water" and self.frozen):
                return CLOSED_HEX
            if cost.closed_to == "vehicle" and mover != "foot":
                return CLOSED_HEX
            most = max(most, (cost.class_c if mover == "class C" else cost.other) or 0)
        clear = costs["clear"]
        most = most or (clear.class_c if mover == "class C" else clear.other) or 0
        return most + (2 if self.saturated and mover == "class C" else 0)  # one factor more: RULINGS.md R16.1

    def surcharge(self, mover: Mover, hex: str) -> int:
        """The surcharge for a vehicle that moves along or leaves a gully off road [5.4.17.1]; none in a ford [5.4.18].

        None either when the gully is frozen [16.2].
        """
        cell = self.map.cells[hex]
        if mover == "foot" or self.frozen or "gully" not in cell.terrain or cell.ford:
            return 0
        row = self.charts.gully_surcharge
        return (row.class_c if mover == "class C" else row.other) or 0


@lru_cache(maxsize=64)
def ground(board: HexMap, charts: Charts, options: frozenset[str]) -> Ground:
    """The ground of a map under these options, shared by every game on it."""
    return Ground(board, charts, options & {"16.1", "16.2"})
