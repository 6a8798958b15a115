"""Optional rules of AP hits [7.10 to 7.13, 7.21]: armor against CE, lower hulls, penetration, tracks, brew-ups."""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from opfire.rulesets.panzer.charts import Charts, Code, Leg, Vehicle, Weapon
from opfire.rulesets.panzer.fire.gp_fire import Outcome

CE, BREW_UP, VARIABLE, LOWER_HULL, TRACKS = "7.10", "7.11", "7.12", "7.13", "7.21"
SOFTER = 2
"""The points by which S-Type vehicles lower the damage die, and BU marks raise it [6.5.2.5-stype, 7.11]."""

MOST = 10
SMALL_ARMS_EFFECT = 1
"""Twice the GP Effectiveness Factor of Small Arms, and of weapons without GP fire [7.21-exc]."""

WORSE_STEEL = -1
"""The change of each Soviet die for variable penetration [7.12]."""


def plate(options: Collection[str], weapon: Weapon, target: Vehicle, code: Code, printed: int) -> int:
    """The Armor Factor of a location, multiplied against CE where skirts protect it [7.10.1]."""
    covered = code[:2] in target.cex_locations.split()
    return printed * target.cex_n if CE in options and weapon.ke_ce == "CE" and covered else printed


def lower_hull(rising: int) -> int:
    """The Armor Factor of a lower hull front: half of that for rising shot, rounded down, at least 1 [7.13.2].

    >>> lower_hull(7), lower_hull(1)
    (3, 1)
    """
    return max(1, rising // 2)


def shows_lower_hull(range_hexes: int, target_height: int, firer_height: int) -> bool:
    """Return whether a target stands so high above its firer that it shows its lower hull [7.13.2].

    >>> shows_lower_hull(4, 2, 0), shows_lower_hull(5, 2, 0), shows_lower_hull(1, 1, 0)
    (True, False, False)
    """
    above = target_height - firer_height
    return above >= 2 and range_hexes <= 2 * above


def softened(options: Collection[str], weapon: Weapon, target: Vehicle, die: int) -> int:
    """The damage die against an S-Type vehicle: 2 less, but for CE rounds of the option [6.5.2.5-stype, 7.10.2]."""
    hard = target.target != "S" or (CE in options and weapon.ke_ce == "CE")
    return die if hard else max(1, die - SOFTER)


def burns(options: Collection[str], weapon: Weapon, target: Vehicle, die: int) -> bool:
    """Return whether a Knock-Out of a vehicle with a BU mark is a Brew-Up: the die counts 2 more [7.11]."""
    return BREW_UP in options and target.bu and min(MOST, die + SOFTER) > weapon.ko_max


def tinder(options: Collection[str], target: object) -> int:
    """The points by which a Brew-Up is likelier when GP fire destroys a vehicle with a BU mark [7.11]."""
    return SOFTER if BREW_UP in options and isinstance(target, Vehicle) and target.bu else 0


def tracks_break(options: Collection[str], weapon: Weapon, kind: object, target: Vehicle) -> bool:
    """Return whether a weapon is heavy enough for a Track Hit on a vehicle [7.21-calc].

    Twice its GP Effectiveness Factor has to reach the GP Defense Factor; hand-held weapons are exempt [7.21-exc].
    """
    if TRACKS not in options or (isinstance(kind, Leg) and weapon.kind in ("hhatw", "rocket")):
        return True
    doubled = SMALL_ARMS_EFFECT if weapon.small_arms is True or not weapon.gp_eff else 2 * weapon.gp_eff
    return doubled >= target.gp_defense


def with_shells(charts: Charts, weapon: Weapon) -> Weapon:
    """A weapon's row with the greatest GP Effectiveness Factor of its shells; AP rows do not print it [7.21-calc]."""
    rows = charts.rows_of(weapon.weapon, weapon.mount, "GP-DF")
    return msgspec.structs.replace(weapon, gp_eff=max((row.gp_eff for row in rows), default=weapon.gp_eff))


def after_tracks(options: Collection[str], weapon: Weapon, kind: object, target: Vehicle, outcome: Outcome) -> Outcome:
    """The outcome of GP fire of a unit of that card: a Track Hit by a weapon that is too light is none [7.21-calc]."""
    return outcome if outcome != "track hit" or tracks_break(options, weapon, kind, target) else "no effect"


def penetration(charts: Charts, factor: int, dice: tuple[int, int], *, soviet: bool) -> int:
    """The change of a penetration factor by two dice, limited by the row of the factor [7.12]."""
    row = max((row for row in charts.variable_penetration.values() if row.least <= factor), key=lambda row: row.least)
    counted = [max(1, die + WORSE_STEEL) if soviet else die for die in dice]
    total = sum(int(getattr(row, f"d{die}")) for die in counted)
    return max(-row.most, min(row.most, total))
