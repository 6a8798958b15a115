"""AP fire [4.4.3.2, 6.5.2]: range factor, hit number, hit location, penetration and damage.

Pure arithmetic over charts and Data Cards; spotting, commands and the choice of the target belong to the game.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction
from typing import Literal, NamedTuple, TypeAlias

from opfire.core.actions import Refusal
from opfire.core.events import Calculation, Line
from opfire.core.texts import Text, Words
from opfire.rulesets.panzer.charts import (
    BANDS,
    COVERS,
    HIGHEST_MODIFIER,
    LOWEST_MODIFIER,
    Angle,
    Band,
    Charts,
    Code,
    CoverType,
    Grade,
    Rate,
    Result,
    Shot,
    Vehicle,
    Weapon,
)
from opfire.rulesets.panzer.fire import plates

HullDown: TypeAlias = Literal["", "partial", "full"]
Effect: TypeAlias = Literal["miss", "no penetration", "track", "ND", "DM", "KO", "BU"]

DIE = 100


# --- range factor [3.5.2, 4.4.3.2.1] --------------------------------------------------------------------------


def range_factor(weapon: Weapon, hexes: int) -> Band | None:
    """The AP or GP Range Factor of a weapon at a range in hexes [4.4.3.2.1, 6.5.4.1]; None beyond its maximum range.

    A weapon does not fire at all in a band in which its factor is 0.
    """
    band = next((band for band in BANDS if hexes <= weapon.reach(band)), None)
    return band if band and weapon.value(band) else None


def beyond_range(weapon: Weapon, hexes: int) -> Refusal | None:
    """Reject a target beyond the maximum range of a weapon [3.5.2]."""
    if range_factor(weapon, hexes) is not None:
        return None
    return Refusal("The target is {} hexes away; {} reaches {}", "3.5.2", (hexes, weapon.name, weapon.reach("E")))


# --- AP Hit Modifiers [4.4.3.2.2, 6.5.2.4] --------------------------------------------------------------------


def modifier(charts: Charts, name: str, times: int = 1) -> Line:
    """The line of an AP Hit Modifier [4.4.3.2.2]; one that counts for each occurrence counts `times` times."""
    row = charts.hit_modifiers[name]
    amount = row.value * (times if row.each else 1)
    label = Text("{}, {} times", (row.label, times)) if row.each and times > 1 else row.label
    return Line("modifier", label, f"{amount:+d}", row.rule, amount)


def size_line(target: Vehicle) -> Iterator[Line]:
    """The modifier for the size of the target, if it has any."""
    if target.size:
        yield Line("modifier", Text("Size of {}", (target.name,)), f"{target.size:+d}", "4.4.3.2.2-size", target.size)


def cover_line(charts: Charts, cover: CoverType) -> Iterator[Line]:
    """The modifier for the Cover of the target, if it has any."""
    if amount := charts.cover[cover].ap:
        yield Line("modifier", Text("Target in {}", (COVERS[cover],)), f"{amount:+d}", "4.4.3.2.2-cover", amount)


def grade_line(charts: Charts, grade: Grade, band: Band) -> Iterator[Line]:
    """The modifier for the Unit Grade of the firer at a range factor, if it has any [6.5.2.4]."""
    if amount := charts.unit_grades[grade].ap(band):
        yield Line("modifier", Text("{} crew", (grade.capitalize(),)), f"{amount:+d}", "6.5.2.4-grade", amount)


# --- AP Hit Number [4.4.3.2.3, 6.5.2.1] -----------------------------------------------------------------------


def hit_number(charts: Charts, band: Band, net: int) -> int:
    """The AP Hit Number of a range factor and a net modifier, which ends at the rows +5 and -10."""
    return charts.hit[max(LOWEST_MODIFIER, min(HIGHEST_MODIFIER, net))].number(band)


def hit(charts: Charts, title: Words, band: Band, modifiers: Sequence[Line], rate: Rate = "N") -> Calculation:
    """The roll to hit: a miss above the AP Hit Number, else one hit or more by the Rate-of-Fire [6.5.2.1].

    The roll is one of percentage dice [3.2]; the result is the number of hits, in digits.
    """
    net = sum(line.amount for line in modifiers)
    number = hit_number(charts, band, net)
    lines = (*modifiers, Line("odds", Text("AP Hit Number at {}", (band,)), str(number), "4.4.3.2.3", number))
    outcomes = tuple(str(hits(charts, number, rate, roll)) for roll in range(1, DIE + 1))
    return Calculation(title, "4.4.3.2.3", lines, 1, DIE, outcomes, f"{band}, {net:+d}", net)


def hits(charts: Charts, number: int, rate: Rate, roll: int) -> int:
    """The number of hits of a roll against an AP Hit Number [6.5.2.1-n, 6.5.2.1-qrf]."""
    if number == 0:
        return 0
    return sum(roll <= most for most in charts.hits[number].at_least(rate))


# --- Basic Game: penetration and damage [4.4.3.2.5, 4.4.3.2.6] -------------------------------------------------


def basic_effect(charts: Charts, weapon: Weapon, band: Band, armor: int, least: int = 0) -> Effect:
    """The effect of a hit on an Armor Factor by the excess of the penetration [4.4.3.2.5].

    An excess below the `least` does nothing: RULINGS.md R16.
    """
    excess = weapon.value(band) - armor
    if excess < least:
        return "no penetration"
    reached = [row.result for row in charts.basic_damage if row.excess_from <= excess]
    return reached[-1] if reached else "no penetration"


# --- Advanced Game: location, armor and damage [6.5.2.2 to 6.5.2.5] --------------------------------------------


class Dice(NamedTuple):
    """A roll of percentage dice read as two dice of ten: each 1 to 10, where the digit 0 is a 10."""

    tens: int
    units: int


def dice(roll: int) -> Dice:
    """The two dice of a roll from 1 to 100: RULINGS.md R25.

    >>> dice(7), dice(100), dice(34), dice(40)
    (Dice(tens=10, units=7), Dice(tens=10, units=10), Dice(tens=3, units=4), Dice(tens=4, units=10))
    """
    return Dice(roll // 10 % 10 or 10, roll % 10 or 10)


def inclination(firer: int, target: int) -> Shot:
    """Whether a shot is level, falling or rising, by the two heights [6.5.2.3.1]."""
    if firer == target:
        return "level"
    return "falling" if firer > target else "rising"


def location(charts: Charts, tens: int, angle: Angle, shot: Shot) -> Code:
    """The Hit Location of a tens result at a Hit Angle; falling shot may hit the deck [6.5.2.2, 6.5.2.2.2].

    The sides are hit at the oblique angles alone [6.5.2.3.2, 6.5.2.3.3].
    """
    row = charts.hit_locations[tens]
    return row.falling or row.at(angle) if shot == "falling" else row.at(angle)


def behind_cover(charts: Charts, code: Code, hull_down: HullDown) -> bool:
    """Return whether a hull down position makes this hit a miss [6.5.2.2.3]."""
    row = charts.locations[code]
    match hull_down:
        case "full":
            return row.hull_down == "miss"
        case "partial":
            return row.partial_hull_down == "miss"
    return False


def armor(charts: Charts, target: Vehicle, shot: Shot, angle: Angle, code: Code) -> int:
    """The Armor Factor at a Hit Location; 0 for S-Type vehicles [6.5.2.3]."""
    if target.target == "S":
        return 0
    return target.deck if code == "DK" else charts.armour[target.id, shot].at(angle, code)


def damage(weapon: Weapon, units: int, target: Vehicle, options: Collection[str] = ()) -> Result:
    """The result of a penetration: the units die, at -2 and least 1 against S-Type [6.5.2.5, 6.5.2.5-stype]."""
    die = plates.softened(options, weapon, target, units)
    if die <= weapon.nd_max:
        return "ND"
    if die <= weapon.dm_max:
        return "DM"
    return "KO" if die <= weapon.ko_max and not plates.burns(options, weapon, target, die) else "BU"


class Hit(NamedTuple):
    """A hit resolved: its location and its effect."""

    code: Code
    effect: Effect


class Aim(NamedTuple):
    """One hit that is still to be resolved: weapon row and range factor, target, the way in which the shot comes.

    The game's `options` may change it: `more` penetration [7.12], a `low` hull that shows [7.13], `tracks` that the
    weapon can break [7.21].
    """

    weapon: Weapon
    band: Band
    target: Vehicle
    shot: Shot = "level"
    angle: Angle = "front"
    hull_down: HullDown = ""
    options: frozenset[str] = frozenset()
    more: int = 0
    turret_angle: Angle | None = None
    low: bool = False
    tracks: bool = True


def resolve(charts: Charts, aim: Aim, roll: int) -> Hit:
    """The location and effect of one hit by its roll of percentage dice [6.5.2.2 to 6.5.2.5]."""
    tens, units = dice(roll)
    code = struck(charts, aim, tens)
    if behind_cover(charts, code, aim.hull_down):
        return Hit(code, "miss")
    if code == "TK":
        return Hit(code, "track" if aim.tracks else "miss")
    if aim.weapon.value(aim.band) + aim.more < met(charts, aim, code):
        return Hit(code, "no penetration")
    return Hit(code, damage(aim.weapon, units, aim.target, aim.options))


TURRET = frozenset({"TF", "TS", "TR"})


def struck(charts: Charts, aim: Aim, tens: int) -> Code:
    """The location that a shot strikes: a turret hit counts at the turret's own Hit Angle [7.8.2].

    A turret angle at which the same dice hit no turret changes nothing: RULINGS.md R150.
    """
    code = location(charts, tens, aim.angle, aim.shot)
    if aim.turret_angle is None or code not in TURRET:
        return code
    other = location(charts, tens, aim.turret_angle, aim.shot)
    return other if other in TURRET else code


def angle_of(charts: Charts, aim: Aim, code: Code) -> Angle:
    """The Hit Angle that counts for the armor of a location: a turret has its own, if it has that: RULINGS.md R150.

    Rule: [7.8.2].
    """
    own, card = aim.turret_angle, charts.armour.get((aim.target.id, aim.shot))
    return own if own and code in TURRET and card and card.covers(own, code) else aim.angle


def met(charts: Charts, aim: Aim, code: Code) -> int:
    """The Armor Factor that a hit meets, with the optional rules [6.5.2.3, 7.10.1, 7.13.2]."""
    if code[:2] == "HF" and aim.low and aim.target.target != "S":
        return plates.lower_hull(charts.armour[aim.target.id, "rising"].at(aim.angle, "HF"))
    printed = armor(charts, aim.target, aim.shot, angle_of(charts, aim, code), code)
    return plates.plate(aim.options, aim.weapon, aim.target, code, printed)


def effects(charts: Charts, aim: Aim) -> dict[Effect, Fraction]:
    """The exact chance of each effect of one hit."""
    found: dict[Effect, Fraction] = {}
    for roll in range(1, DIE + 1):
        effect = resolve(charts, aim, roll).effect
        found[effect] = found.get(effect, Fraction(0)) + Fraction(1, DIE)
    return found
