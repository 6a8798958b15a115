"""Smoke, barrages and fire on a line of sight [5.11, 6.1.4.3.10]: they do not block it, but hinder combat."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from opfire.rulesets.panzer.indirect.patterns import covered, is_dense
from opfire.rulesets.panzer.pieces import Hex, Position
from opfire.rulesets.panzer.sighting.sight import passed

STRENGTH = ("barrage open", "smoke open", "barrage closed", "smoke closed", "on fire")
"""The obscurants by their modifiers, the weakest first [6.5.2.4-smoke, 6.5.2.4-barrage, 6.5.2.4-fire]."""


class Occurrence(NamedTuple):
    """A single smoke, barrage or fire: its name in the tables, its number among all, its hexes."""

    name: str
    number: int
    hexes: tuple[Hex, ...]


def occurrences(position: Position) -> Iterator[Occurrence]:
    """The smokes, barrages and fires that take effect: those of the present step do not yet [6.1.4.3.10-a]."""
    number = 0
    for smoke in position.smoke:
        if not smoke.fresh and not smoke.lights and not smoke.unit:
            yield Occurrence("smoke closed" if smoke.dense else "smoke open", number, smoke.hexes)
        number += 1
    for mission in position.missions.values():
        if not mission.fresh and mission.fall.rounds == "gp":
            name = "barrage closed" if is_dense(mission.fall) else "barrage open"
            yield Occurrence(name, number, covered(position.map, mission.fall))
        number += 1
    for hex, works in position.works.items():
        if any(work.kind == "on fire" for work in works):
            yield Occurrence("on fire", number, (hex,))
        number += 1


def hexes_of(position: Position, a: Hex, b: Hex) -> list[Hex]:
    """The hexes of a line with both its ends; it runs along hexsides in the hexes on either side.

    Hexes that it touches in a corner alone are none of them: RULINGS.md R105.
    """
    found = dict.fromkeys((a, b))
    names = (position.map.name_at(at) for at in passed(position.map.coords[a], position.map.coords[b]))
    found |= {name: None for name in names if name}
    return [*found]


def obscured(position: Position, a: Hex, b: Hex) -> dict[str, int]:
    """The obscurants on a line that count in combat, each with its number of occurrences [5.11].

    In a hex with several of them only the strongest counts, and a mission counts once for all its hexes
    [6.5.4.3-smoke, 6.5.4.3-barrage].
    """
    if not (position.smoke or position.missions or position.works):
        return {}
    there, counted = [*occurrences(position)], set[Occurrence]()
    for hex in hexes_of(position, a, b) if there else ():
        here = [one for one in there if hex in one.hexes]
        counted |= {max(here, key=lambda one: STRENGTH.index(one.name))} if here else set()
    names = [one.name for one in sorted(counted, key=lambda one: one.number)]
    return {name: names.count(name) for name in names}


def hindrances(position: Position, a: Hex, b: Hex) -> int:
    """The occurrences of smoke, barrages, fires and Brew-Up Smoke on an observer's line [6.5.1.12.1-hinder]."""
    on_line = hexes_of(position, a, b)
    burning = {hex for hex, wreck in position.wrecks.items() if wreck == "BU" and hex not in position.smoking}
    return sum(any(hex in one.hexes for hex in on_line) for one in occurrences(position)) + sum(
        hex in burning for hex in on_line
    )
