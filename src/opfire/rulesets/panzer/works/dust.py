"""Dust [6.1.4.3.12]: clouds that fast vehicles leave behind, where the scenario says so."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from opfire.rulesets.panzer.indirect.obscuring import hexes_of
from opfire.rulesets.panzer.pieces import Hex, Position, Unit, Work

DRY = frozenset({"clear", "brush", "scrub"})
LOOSE = frozenset({"path", "track"})
"""The ground and the ways on which vehicles raise dust."""


def rises(position: Position, unit: Unit, here: Hex, to: Hex, *, by_road: bool) -> bool:
    """Return whether a vehicle that enters a hex leaves dust in the one that it leaves, if it is fast [6.1.4.3.12]."""
    if not position.setting.sections.conditions.dust or not unit.is_vehicle:
        return False
    return position.map.link(here, to) in LOOSE if by_road else not DRY.isdisjoint(position.map.cells[to].terrain)


def raise_cloud(position: Position, trail: Iterable[Hex]) -> None:
    """Lay the dust of a move; it takes effect after the step [6.1.4.3.12]."""
    for hex in dict.fromkeys(trail):
        works = position.works.get(hex, ())
        old = next((work for work in works if work.kind == "dust"), None)
        rest = tuple(work for work in works if work != old)
        fresh = Work("dust", value="new" if old is None else "on")
        position.works[hex] = (*rest, fresh)


def spread(position: Position) -> None:
    """At the end of a player's step its dust takes effect [6.1.4.3.12]."""
    _turn(position, {"new": "on"})


def settle(position: Position) -> None:
    """Remove DUST/OFF, turn DUST/ON over [6.1.4.3.12]."""
    for hex, works in [*position.works.items()]:
        left = tuple(work for work in works if work.kind != "dust" or work.value != "off")
        position.works[hex] = left
        if not left:
            del position.works[hex]
    _turn(position, {"new": "off", "on": "off"})


def _turn(position: Position, values: dict[str, str]) -> None:
    for hex, works in [*position.works.items()]:
        if any(work.kind == "dust" for work in works):
            position.works[hex] = tuple(
                replace(work, value=values.get(work.value, work.value)) if work.kind == "dust" else work
                for work in works
            )


def between(position: Position, a: Hex, b: Hex) -> int:
    """The hexes on a line with dust that has taken effect [6.1.4.3.12]."""
    if not position.setting.sections.conditions.dust or not position.works:
        return 0
    return sum(_dusty(position.works.get(hex, ())) for hex in hexes_of(position, a, b))


def _dusty(works: tuple[Work, ...]) -> bool:
    return any(work.kind == "dust" and work.value != "new" for work in works)
