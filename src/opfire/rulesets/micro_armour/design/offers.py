"""The stands and aircraft that can be bought, with their nations, years and figures [SD.2.1, WD.points, AD.points]."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from opfire.core.forces import Offer
from opfire.rulesets.micro_armour.charts import Aircraft, Weapon, charts

ANYBODY = "All Nations"
"""The nation of the stands that all nations buy."""

AIR_FORCES = {"UK / Commonwealth": "United Kingdom", "Finland (Winter War)": "Finland"}
"""The nations that the aircraft data names otherwise."""

STANDS, STRIKES = "stands", "strikes"
"""The lists of a force's file into which offers go."""

MOVERS = {"W": "wheeled", "T": "tracked", "F": "on foot", "": ""}


def nations() -> list[str]:
    """The nations that forces belong to, in the order of the alphabet."""
    return sorted({weapon.nation for weapon in charts().weapons.values()} - {ANYBODY})


def air_force(nation: str) -> str:
    """The nation of a force as the aircraft data names it.

    >>> air_force("UK / Commonwealth"), air_force("Germany")
    ('United Kingdom', 'Germany')
    """
    return AIR_FORCES.get(nation, nation)


@lru_cache
def offers() -> tuple[Offer, ...]:
    """All stands and aircraft that can be bought, in the order of the book."""
    return (*_stands(), *_aircraft())


def _stands() -> Iterator[Offer]:
    everybody = tuple(nations())
    for row in charts().weapons.values():
        if row.row == "unit":
            yield Offer(
                row.id,
                row.nation,
                row.kind,
                row.name,
                row.points or 0,
                _years(row.year, row.year_to),
                everybody if row.nation == ANYBODY else (),
                _values(row),
                STANDS,
                row.armoured or (row.kind == "transport" and row.mov_class in ("W", "T")),
                row.armoured,
            )


def _aircraft() -> Iterator[Offer]:
    loads = {row.parent: row for row in charts().aircraft.values() if row.parent}
    for row in charts().aircraft.values():
        if not row.parent:
            yield Offer(
                row.id,
                row.nation,
                "aircraft",
                row.name,
                row.points or 0,
                _years(row.year_from, row.year_to),
                tuple(nation for nation in nations() if air_force(nation) == row.nation != nation),
                _loads(row, loads.get(row.id)),
                STRIKES,
            )


def _values(row: Weapon) -> dict[str, str]:
    """Firepower and range, of both weapons where there are two, defence and movement."""
    second = charts().seconds.get(row.id)
    guns = [gun for gun in (row, second) if gun is not None and gun.armed]
    return {
        "firepower (AP/HE)": " + ".join(_pair(gun.ap, gun.he) for gun in guns) or "-",
        "range (AP/HE)": " + ".join(_pair(gun.ap_range, gun.he_range) for gun in guns) or "-",
        "defence": f"{row.defence or 0} {row.defence_class}",
        "movement": f"{row.mov_points or 0} {MOVERS[row.mov_class]}".strip(),
    }


def _loads(row: Aircraft, second: Aircraft | None) -> dict[str, str]:
    """The firepower of an aircraft that strafes, and of its ordnance."""
    loads = [load for load in (row, second) if load is not None and (load.ord_ap or load.ord_he)]
    return {
        "strafing (AP/HE)": _pair(row.strafe_ap, row.strafe_he),
        "ordnance (AP/HE)": " + ".join(_pair(load.ord_ap, load.ord_he) for load in loads) or "-",
    }


def _pair(armour: int | None, soft: int | None) -> str:
    return f"{armour or 0}/{soft or 0}"


def _years(first: int | None, last: int | None) -> str:
    return f"{first or '?'}-{last or ''}"
