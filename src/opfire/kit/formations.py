"""The formations of a side that a scenario tells by its groups: by zones of set-up, and by when they come."""

from __future__ import annotations

from collections.abc import Container, Iterator

from opfire.core.scenario import Scenario
from opfire.core.scenario import Side as Army
from opfire.core.texts import Text, Words
from opfire.kit.setup import carried
from opfire.kit.stacks import Side, UnitId


def formations(scenario: Scenario, kinds: Container[str]) -> dict[UnitId, Words]:
    """The formation of each unit that is in one; `kinds` are those of units, so that leaders are left out.

    The units of a side are numbered in the order of the scenario. Passengers belong to the formation of their carrier.
    """
    return {unit: name for side, army in scenario.sides.items() for unit, name in _of_side(side, army, kinds)}


def _of_side(side: Side, army: Army, kinds: Container[str]) -> Iterator[tuple[UnitId, Words]]:
    placed = [(force.unit, force.zone) for force in army.units for _ in range(force.count)]
    later = [
        (name, group.turn)
        for group in army.reinforcements
        for name, count in group.units.items()
        if name in kinds
        for _ in range(count)
    ]
    ids = [f"{side}-{number}" for number in range(1, len(placed) + len(later) + 1)]
    zones = dict(zip(ids, (zone for _, zone in placed), strict=False))
    units = [(id, kind) for id, (kind, _) in zip(ids, (*placed, *later), strict=True)]
    for carrier, passenger in carried(army.units, units, side):
        zones[passenger] = zones[passenger] or zones.get(carrier, "")
    numbers = {zone: number for number, zone in enumerate(filter(None, dict.fromkeys(zones.values())), 1)}
    yield from ((id, Text("Formation {}", (numbers[zone],))) for id, zone in zones.items() if zone)
    for id, (_, turn) in zip(ids[len(placed) :], later, strict=True):
        yield id, Text("Reinforcements of turn {}", (turn,))
