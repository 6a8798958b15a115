"""Steps 6.1 to 6.3: what a stand, an aircraft and a work cost."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Annotated

import msgspec
from msgspec import Meta

from opfire.core.forces import Step, Sum
from opfire.rulesets.micro_armour.charts import Charts, Quality, Weapon, whole


class Bought(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Stands of one weapon as a force lists them, with all that makes them dearer.

    `hq` and `ghq` (its quality) make headquarters of them, `engineers` combat engineers, `engineering` a vehicle with a
    blade, a bridge or rollers, `recon` a stand with [R]; `improved_ammunition` and `boats` are as in 12.9 and 8.9.4.
    `off_map` guns pay for `fire_turns` of the game's turns only, if these are named.
    """

    weapon: str
    count: Annotated[int, Meta(le=9999)] = 1
    hq: bool = False
    ghq: Quality | None = None
    engineers: bool = False
    engineering: bool = False
    recon: bool = False
    improved_ammunition: bool = False
    boats: str = ""
    off_map: bool = False
    fire_turns: int | None = None


def each(charts: Charts, bought: Bought, turns: int) -> Sum:
    """The price of one of these stands, line by line [SD.6.1.hq, SD.6.1.ghq, SD.6.2.engineers, SD.6.3.offmap]."""
    weapon = charts.weapons[bought.weapon]
    steps = [Step(weapon.name, weapon.points or 0, "WD.points")]
    for label, change, rule in _changes(charts, weapon, bought, turns):
        points = steps[-1].points
        steps.append(Step(label, points + change if isinstance(change, int) else whole(points * change), rule))
    return tuple(steps)


def _changes(charts: Charts, weapon: Weapon, bought: Bought, turns: int) -> Iterator[tuple[str, int | Fraction, str]]:
    """The surcharges of a stand: points to add, or a factor."""
    price = charts.prices
    if bought.ghq is not None:
        row = charts.ghq_prices[bought.ghq]
        yield f"general headquarters of quality {bought.ghq:+d}", Fraction(row.percent, 100), row.rule
    elif bought.hq and not weapon.has("hq"):
        yield "a weapon as headquarters", Fraction(price["hq of a weapon stand"].percent, 100), "SD.6.1.hq"
    if bought.engineers and not weapon.has("engineer"):
        yield "combat engineers", price["engineer"].points, "SD.6.2.engineers"
    if bought.engineering:
        yield "engineering vehicle", Fraction(price["engineering vehicle"].percent, 100), "SD.6.2.engineers"
    if bought.improved_ammunition:
        yield "improved ammunition", Fraction(price["improved ammunition"].percent, 100), "12.9"
    if bought.recon:
        yield "reconnaissance [R]", price["recon"].points, "10.6"
    if bought.boats:
        yield f"{bought.boats} fording boats", price[f"{bought.boats} boats"].points, "8.9.4"
    if bought.fire_turns is not None:
        yield f"fire in {bought.fire_turns} of {turns} turns", Fraction(bought.fire_turns, turns), "7.9.1"


def dummies_allowed(charts: Charts, cohesion: int, mines: int) -> int:
    """The dummy minefields that a force may have beside real ones, by its cohesion [11.1.3]."""
    rows = (row for row in charts.dummies.values() if row.cohesion <= cohesion)
    return mines * max(rows, key=lambda row: row.cohesion).quarters // 4
