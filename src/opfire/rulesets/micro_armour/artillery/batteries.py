"""Batteries [7.4.2, 7.4.7.2, 7.4.10, 7.7]: who fires as artillery, how many markers, how far, how much smoke."""

from __future__ import annotations

import re
from collections.abc import Iterator

from opfire.core.actions import PROCEDURE, Refusal
from opfire.core.places import INCH, tenths
from opfire.rulesets.micro_armour.artillery.coordinates import seen_from
from opfire.rulesets.micro_armour.artillery.sheafs import SHAPES, Compass, Pattern, Sheaf
from opfire.rulesets.micro_armour.fire.guns import in_field
from opfire.rulesets.micro_armour.formations import is_broken, only_in_defence
from opfire.rulesets.micro_armour.pieces import ARTILLERY, Position, Setting, Side, Stand, not_yours
from opfire.space.measure import square

ROCKETS = "rocket-artillery"
MORTARS = re.compile(r"mortar|stummelwerfer|\bMMC\b|\(81mm\)", re.IGNORECASE)
"""The names of mortars: those of 81 mm in halftracks, and American mortar motor carriages too."""

OFF_MAP_RANGE = 7, 10
"""The part of its range that is left to a battery off the map [7.7.3]."""

SMOKE = 3, 10
"""The smoke missions of a stand for each turn of the scenario [7.4.7.2]."""


def is_battery(unit: Stand) -> bool:
    """Return whether a stand is artillery that fires with impact markers [7.4.2.1-types].

    Close support guns marked I count too, though only for indirect fire [7.6-who, 10.8].
    """
    return unit.kind.kind in ARTILLERY or (unit.kind.indirect and unit.kind.has("close_support"))


def is_rocket(unit: Stand) -> bool:
    """Return whether a stand is rocket artillery."""
    return unit.kind.kind == ROCKETS


def is_mortar(unit: Stand) -> bool:
    """Return whether a stand is a mortar, by its name in the weapons data; some are on carriages or go by a type.

    >>> from opfire.rulesets.micro_armour.charts import charts
    >>> names = ("ger-120mm-mortar-2", "ger-sdkfz-251-2-1-81mm", "us-m21-mmc-1", "ger-210mm-morser-m18-2")
    >>> [is_mortar(Stand(id="", side="", kind=charts().weapons[name], name="")) for name in names]
    [True, True, True, False]
    """
    return MORTARS.search(unit.kind.name) is not None


def aimed_only(unit: Stand) -> Refusal | None:
    """Reject markers of direct fire by a close support gun, which aims at single stands [10.8.1]."""
    if not unit.kind.has("close_support"):
        return None
    return Refusal("{} is close support artillery: its direct fire is aimed at single stands", "10.8.1", (unit.name,))


def off_map(unit: Stand) -> bool:
    """Return whether a battery supports its side from off the map [7.7]."""
    return unit.status == "off the map"


def fires_missions(unit: Stand) -> bool:
    """Return whether a stand is a battery on the table, not as cargo, or off the map [7.6-who, 7.7.1]."""
    return is_battery(unit) and (off_map(unit) or (unit.at is not None and unit.carrier is None))


def batteries(position: Position, side: Side) -> Iterator[Stand]:
    """The side's batteries on the table and off the map."""
    return (unit for unit in position.pick(position.setting.ids[side]) if fires_missions(unit))


def markers(unit: Stand) -> int:
    """The impact markers that a battery places: one for each section, or the number in brackets [7.4.2.1-markers]."""
    return max(unit.kind.sections or 1, 1)


# --- checks that direct and indirect fire share ---------------------------------------------------------------


def cannot_shell(position: Position, side: Side, unit: Stand) -> Refusal | None:
    """Reject a stand that is no battery of the side, or does not fire as artillery in this turn [7.4.10]."""
    if refusal := not_yours(side, unit) or holds_fire(position, side):
        return refusal
    if not is_battery(unit):
        return Refusal("{} is no artillery", "7.4.2.1-types", (unit.name,))
    if unit.fired:
        return Refusal("{} has fired in this turn", "7.1.4", (unit.name,))
    return _not_ready(position, unit) or not_in_place(position, unit) or reloading(unit, position.turn)


def _not_ready(position: Position, unit: Stand) -> Refusal | None:
    """Reject a battery that is marked to move [7.4.10]; one of a broken force fires back on the table [12.1.5-2]."""
    if unit.at is not None and is_broken(position, unit):
        return only_in_defence(position, unit)
    if unit.posture == "firing":
        return None
    return Refusal("{} is in the {} posture: artillery does not fire and move", "7.4.10", (unit.name, unit.posture))


def not_in_place(position: Position, unit: Stand) -> Refusal | None:
    """Reject a battery off the map that comes with reinforcements, before their turn [SC.setback]."""
    first = position.setting.troops(unit.side).off_map_from
    if not off_map(unit) or position.turn >= first:
        return None
    return Refusal("{} fires from turn {} on", "SC.setback", (unit.name, first))


def holds_fire(position: Position, side: Side) -> Refusal | None:
    """Reject fire of a side whose weapons are silent in the first turns of a battle [SC.sf79.2]."""
    first = position.setting.troops(side).silent_until
    if position.turn >= first:
        return None
    return Refusal("{} hold their fire until turn {}", "SC.sf79.2", (position.setting.scenario.sides[side].name, first))


def reloading(unit: Stand, turn: int) -> Refusal | None:
    """Reject rocket launchers that are being loaded again [7.4.2.1-markers, WD.SR]."""
    if turn < unit.reloaded:
        return Refusal("{} is being loaded again until turn {}", "7.4.2.1-markers", (unit.name, unit.reloaded))
    return None


def reloaded(unit: Stand, turn: int) -> int:
    """The turn from which a weapon that fires now may fire again, by its slow reload; 0 for others [WD.SR]."""
    return turn + unit.kind.slow_reload if unit.kind.slow_reload else 0


def wrong_pattern(unit: Stand, count: int, pattern: Pattern, toward: Compass) -> Refusal | None:
    """Reject a sheaf that a number of markers cannot form, and a closed sheaf of rockets [7.4.2.3]."""
    if (pattern, toward) not in SHAPES:
        return Refusal("A sheaf is closed to the N, or open to one of eight directions", "7.4.2.3-open")
    if pattern == "closed" and is_rocket(unit):
        return Refusal("Rocket artillery has no closed sheaf", "7.4.2.3-closed")
    if pattern == "open" and count < 2:
        return Refusal("A single marker makes no open sheaf", "7.4.2.3-open")
    return None


def off_the_board(position: Position, sheaf: Sheaf) -> Refusal | None:
    """Reject a sheaf with a marker off the table."""
    if all(at in position.table for at in sheaf.places(position.setting.sections.north)):
        return None
    return Refusal("A marker of this sheaf would lie off the table", PROCEDURE)


def no_smoke(position: Position, unit: Stand, planned: int) -> Refusal | None:
    """Reject smoke of a weapon that has none, or has none left: three missions in ten turns [7.4.7.1-who, 7.4.7.2].

    Weapons marked S have smoke [WD.S].
    `planned` are the smoke missions that it has been given and not carried out.
    """
    if not unit.kind.smoke:
        return Refusal("{} has no smoke", "7.4.7.1-who", (unit.name,))
    if unit.smoked + planned >= smoke_supply(position.setting):
        return Refusal("{} has no smoke left", "7.4.7.2", (unit.name,))
    return None


def smoke_supply(made: Setting) -> int:
    """The smoke missions of each stand: the turns of the scenario times 0.3, rounded down [7.4.7.2]."""
    over, under = SMOKE
    return made.scenario.turns * over // under


def reach_of(unit: Stand) -> int:
    """The greatest range of a battery (1/1000 inch); off the map it loses three tenths [7.7.3]."""
    most = max(unit.kind.he_range or 0, unit.kind.ap_range or 0) * INCH
    over, under = OFF_MAP_RANGE
    return most * over // under if off_map(unit) else most


def beyond_reach(position: Position, unit: Stand, sheaf: Sheaf) -> Refusal | None:
    """Reject a sheaf with a marker beyond the range of a battery or within its least range [7.3.5, 7.4.8, 7.7.3].

    The range of a battery off the map is measured from any point of its player's edge of the table.
    """
    most, least = reach_of(unit), (unit.kind.min_range or 0) * INCH
    for at in sheaf.places(position.setting.sections.north):
        if off_map(unit):
            _, beyond = seen_from(position.setting, unit.side, at)
            if beyond > most:
                return Refusal("{} reaches {} inches over the table", "7.7.3", (unit.name, f"{most / INCH:g}"))
            continue
        if unit.at is None:  # it sets up later, and its reach is looked at again when it fires
            continue
        far = square(unit.at, at)
        if far > most**2:
            return Refusal("{} has a range of {} inches", "7.3.5", (unit.name, f"{most / INCH:g}"))
        if least and far <= least**2:
            return Refusal("{} does not fire at {} inches or less", "7.4.8", (unit.name, unit.kind.min_range or 0))
    return None


def out_of_field(position: Position, unit: Stand, sheaf: Sheaf) -> Refusal | None:
    """Reject a place beyond the firing arc of a weapon [7.3.6-arc, WD.R]."""
    for at in sheaf.places(position.setting.sections.north):
        if not in_field(position, unit, at, unit.kind):
            return Refusal("{} is beyond the firing arc of {}", "7.3.6-arc", (tenths(at), unit.name))
    return None


def faces_away(position: Position, unit: Stand, sheaf: Sheaf) -> Refusal | None:
    """Reject an indirect mission beyond the firing arc of a battery on the table [7.3.6-arc, WD.R].

    That is the other reading: RULINGS.md R148.
    """
    if unit.at is None or not position.setting.has("R148"):
        return None
    return out_of_field(position, unit, sheaf)
