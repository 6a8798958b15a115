"""The ways open to a unit this turn, as if without enemy fire."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from opfire.rulesets.case_orange.costs import link_cost, mover, road_between
from opfire.rulesets.case_orange.movement import cannot_step
from opfire.rulesets.case_orange.pieces import Hex, Position, Unit
from opfire.space.paths import path, reachable

Node = tuple[Hex, bool]


def ways(position: Position, unit: Unit, limit: int) -> dict[Hex, tuple[int, list[Hex]]]:
    """The cheapest way to every hex that the unit can enter with `limit` half factors, and its cost.

    In empty hexes the ground alone decides; elsewhere the rules are asked.
    """
    assert unit.hex is not None
    ground = position.setting.ground
    prices, links = ground.prices[mover(unit)], ground.links
    stacks, works = position.stacks, position.works
    slow = unit.kind.movement == 1

    def onward(node: Node) -> Iterator[tuple[Node, int]]:
        hex, underway = node
        here = works.get(hex) if underway else None
        if here is not None and (here.block or here.mines):
            return
        free = slow and not underway and unit.steps == 0
        for to, beside in prices[hex].items():
            road = road_between(position, unit, hex, to) if to in links[hex] else ""
            cost = beside
            if road:
                by_road = link_cost(position, unit, road)
                cost = min(by_road, beside) if beside >= 0 else by_road
            elif beside < 0:
                continue
            if to in stacks or to in works:
                at = replace(unit, hex=hex, steps=unit.steps + underway)
                if cannot_step(position, at, to, max(cost, limit), False) is not None:
                    continue
            yield (to, True), min(cost, limit) if free else cost

    reached = reachable((unit.hex, False), onward, limit)
    found: dict[Hex, tuple[int, list[Hex]]] = {}
    for (hex, underway), (cost, _) in reached.items():
        if hex not in found:
            found[hex] = (cost, [at for at, _ in path(reached, (hex, underway))])
    return found
