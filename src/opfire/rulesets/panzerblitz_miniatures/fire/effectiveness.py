"""Weapons effectiveness: the effect of a class of weapon on a class of target at a distance.

Distances are squared, in 1/1000 inch, so that every comparison is exact: RULINGS.md R10.
"""

from __future__ import annotations

from fractions import Fraction

from opfire.core.actions import Refusal
from opfire.core.places import INCH
from opfire.core.rows import fraction
from opfire.core.texts import Text
from opfire.rulesets.panzerblitz_miniatures.charts import Band, Charts
from opfire.rulesets.panzerblitz_miniatures.fire.combat import Factor

ROUNDED_DOWN = Fraction(1, 2)
"""The part of a range that is rounded down to a whole inch; all others are exact [WEC-2]: RULINGS.md R11."""


def within(square: int, inches: Fraction | int) -> bool:
    """Whether points of this squared distance (in 1/1000 inch) lie at most some inches apart.

    >>> within(8000**2, 8), within(8000**2 + 1, 8)
    (True, False)
    """
    return square <= (inches * INCH) ** 2


def band_inches(charts: Charts, band: Band, range_inches: int) -> Fraction:
    """The inches up to which a band holds: half ranges are rounded down, metres are turned into inches [WEC-2]."""
    part = fraction(band.up_to, "wec.csv")
    if band.of == "metres":
        return part / charts.named["metres per inch"]
    inches = part * range_inches
    return Fraction(int(inches)) if part == ROUNDED_DOWN else inches


def effectiveness(charts: Charts, weapon: str, target: str, range_inches: int, square: int) -> Factor:
    """The multiplier of an attack strength by class, target and distance [WEC-1]; 0 where it has no effect."""
    for band in charts.bands.get((weapon, target), ()):
        if within(square, band_inches(charts, band, range_inches)):
            words = Text("Class {} against {}, {}", (weapon, target, _words(band, range_inches)))
            return Factor(words, fraction(band.multiplier, "wec.csv"), band.rule)
    return Factor(Text("Class {} against {}: no effect", (weapon, target)), Fraction(0), "WEC-1")


def farthest_effect(charts: Charts, weapon: str, target: str) -> Factor:
    """The multiplier of a weapon beyond all nearer bands, for guns off the board [WEC-1]: RULINGS.md R95."""
    band = charts.bands[weapon, target][-1]
    return Factor(
        Text("Class {} against {}, from afar", (weapon, target)), fraction(band.multiplier, "wec.csv"), band.rule
    )


def _words(band: Band, range_inches: int) -> Text:
    """The band as the chart prints it."""
    if band.of == "metres":
        return Text("up to {} m", (band.up_to,))
    if band.up_to == "1":
        return Text("within range {}", (range_inches,))
    return Text("up to {} of range {}", (band.up_to, range_inches))


def air_effectiveness(charts: Charts, weapon: str, target: str) -> Factor:
    """The multiplier of an aircraft's weapon, the same at every distance [ASP-7]."""
    effect = charts.air_effects[weapon, target]
    return Factor(
        Text("Class {} against {}", (weapon, target)), fraction(effect.multiplier, "air_wec.csv"), effect.rule
    )


def out_of_range(unit: str, range_inches: int, square: int) -> Refusal | None:
    """Refuse a target beyond the range of a unit [DF-3]."""
    if within(square, range_inches):
        return None
    return Refusal("{} cannot reach beyond {} inches", "DF-3", (unit, range_inches))


def no_effect(charts: Charts, unit: str, weapon: str, target: str, range_inches: int, square: int) -> Refusal | None:
    """Refuse an attack in which the unit's class of weapon does nothing at this distance [WEC-1]."""
    if effectiveness(charts, weapon, target, range_inches, square).value:
        return None
    return Refusal("{}, class {}, has no effect on {} targets at this distance", "WEC-1", (unit, weapon, target))
