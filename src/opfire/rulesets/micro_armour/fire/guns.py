"""The weapons of a stand [7.1.7, 7.3.5, 7.3.6, 10.2, 10.7, 10.9]: firepower, range, arc, and the defence of targets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple, TypeAlias, get_args

from opfire.core.actions import PROCEDURE, Refusal
from opfire.core.events import Line
from opfire.core.places import INCH, Point
from opfire.core.texts import Text
from opfire.rulesets.micro_armour.charts import Weapon
from opfire.rulesets.micro_armour.pieces import ARTILLERY, Position, Posture, Stand, adjacent
from opfire.rulesets.micro_armour.terrain import denied, terrain_of
from opfire.space.measure import MICRO, in_arc, length, square

Manner: TypeAlias = Literal["main", "second", "side arms", "at position", "second at position", "heat", "big game"]
"""The weapon or special use with which a stand fires.

`second` is its second weapon [10.9], or its use as an anti-tank gun [10.7.1]; `side arms` are the small arms of its
crew [7.3.6-side]; `at position` is armour piercing fire at a medium or heavy position [11.4.5], `second at position`
that of its second weapon; `heat` is its one hollow charge attack [12.11], `big game` high explosive at armour from very
near [12.10].
"""

AT_POSITION: frozenset[Manner] = frozenset({"at position", "second at position"})
"""The manners of armour piercing fire at a position [11.4.5]."""

HEAT_AP, HEAT_RANGE = 8, 10
BIG_GAME_RANGE, BIG_GAME_NEAR = 4, 2


class Gun(NamedTuple):
    """A weapon as it is fired: the chart of its range, its firepower and reach in inches against the target."""

    weapon: Weapon
    firepower: int
    reach: int
    armour_piercing: bool
    chart: Literal["standard", "dual purpose"] = "standard"


# --- the weapons of a stand -------------------------------------------------------------------------------------


def second_weapon(position: Position, unit: Stand) -> Weapon | None:
    """The second weapon of a stand [10.9, WD.T], or its row as an anti-tank gun [10.7.1]."""
    return position.charts.seconds.get(unit.kind.id)


def side_arms(position: Position, unit: Stand) -> Weapon:
    """The row of the infantry headquarters of a stand's nation [7.3.6-side, 7.4.8]."""
    return position.charts.staffs.get(unit.kind.nation, unit.kind)


def weapon_of(position: Position, unit: Stand, manner: Manner) -> Weapon:
    """The row of the weapons data that a stand uses in a manner."""
    match manner:
        case "second" | "second at position":
            return second_weapon(position, unit) or unit.kind
        case "side arms":
            return side_arms(position, unit)
    return unit.kind


def gun(position: Position, unit: Stand, manner: Manner, target: Stand) -> Gun:
    """The weapon of a stand in a manner, with the firepower that matches the target [7.1.7, 7.1.9, WD.firepower].

    Special ammunition multiplies armour piercing firepower by one and a half, rounded down [12.9].
    """
    weapon = weapon_of(position, unit, manner)
    if manner == "heat":
        return Gun(weapon, HEAT_AP, HEAT_RANGE, armour_piercing=True)
    if manner == "big game":
        return Gun(weapon, weapon.he or 0, BIG_GAME_RANGE, armour_piercing=False)
    chart: Literal["standard", "dual purpose"] = (
        "dual purpose" if unit.kind.has("dual_purpose") and unit.kind.has("aa") else "standard"
    )
    if target.armoured or manner in AT_POSITION:
        power = weapon.ap or 0
        if unit.special and position.setting.has("12.9"):
            power = power * 3 // 2
        return Gun(weapon, power, weapon.ap_range or 0, armour_piercing=True, chart=chart)
    return Gun(weapon, weapon.he or 0, weapon.he_range or 0, armour_piercing=False, chart=chart)


def manners(position: Position, unit: Stand) -> Iterator[Manner]:
    """The manners in which a stand may fire in the standard fire phase at all, whatever the target."""
    if fires_standard(position, unit, "main") is None:
        yield "main"
        yield "at position"
    if second_weapon(position, unit) is not None:
        yield "second"
        yield "second at position"
    if unit.kind.arc or unit.kind.min_range:
        yield "side arms"
    if unit.heat:
        yield "heat"
    if position.setting.has("12.10") and is_heavy(unit.kind):
        yield "big game"


def fires_standard(position: Position, unit: Stand, manner: Manner) -> Refusal | None:
    """Reject artillery and close support weapons, which fire in the artillery phase [7.4.1, 10.8].

    Dual purpose field guns fire here as anti-tank guns [10.7.1].
    """
    kind = weapon_of(position, unit, manner)
    if (
        kind.kind in ARTILLERY
        and kind.row == "unit"
        and not (kind.has("dual_purpose") and not has_mode(position, unit))
    ):
        return Refusal("{} is artillery, which fires in the artillery phase", "7.4.1", (unit.name,))
    if kind.has("close_support"):
        return Refusal("{} is close support artillery, which fires in the artillery phase", "10.8", (unit.name,))
    return None


def has_mode(position: Position, unit: Stand) -> bool:
    """Return whether the weapons data have a row of their own for a field gun as anti-tank gun [10.7.1]."""
    second = second_weapon(position, unit)
    return second is not None and second.row == "alt mode"


def is_heavy(kind: Weapon) -> bool:
    """Return whether a weapon is an artillery gun of 150 mm or more, by its name [12.10].

    >>> from opfire.rulesets.micro_armour.charts import charts
    >>> [is_heavy(charts().weapons[name]) for name in ("sov-su-152", "ger-sturm-haubitze-42", "ger-sdkfz-251-2-1-81mm")]
    [True, False, False]
    """
    artillery = kind.kind in ARTILLERY or kind.has("close_support")
    return artillery and re.search(r"(^|\(|SU-)(1[5-9]\d|[2-4]\d\d)(?!\d)", kind.name) is not None


# --- range and arcs ---------------------------------------------------------------------------------------------


def inches_between(firer: Stand, target: Stand) -> int:
    """The range in whole inches, rounded up; adjacent stands are at one inch [7.3.2, 7.3.3]: RULINGS.md R9."""
    assert firer.at is not None
    assert target.at is not None
    return 1 if adjacent(firer, target) else max(-(-length(firer.at, target.at) // MICRO), 1)


def out_of_range(firer: Stand, target: Stand, gun: Gun) -> Refusal | None:
    """Reject a target beyond the reach of a weapon [7.3.5, WD.range], or within its least range [7.4.8]."""
    assert firer.at is not None
    assert target.at is not None
    if not gun.firepower or not gun.reach:
        return Refusal("{} has no firepower against {}", "7.1.9", (firer.name, target.name))
    if adjacent(firer, target):
        return _too_near(firer, gun, 1)
    if square(firer.at, target.at) > (gun.reach * INCH) ** 2:
        return Refusal("{} is beyond the range of {} inches", "7.3.5", (target.name, gun.reach))
    return _too_near(firer, gun, inches_between(firer, target))


def _too_near(firer: Stand, gun: Gun, inches: int) -> Refusal | None:
    """Reject a target within the least range of a weapon [7.4.8, WD.M]."""
    least = gun.weapon.min_range or 0
    if inches > least:
        return None
    return Refusal("{} does not fire at {} inches or less", "7.4.8", (firer.name, least))


def in_field(position: Position, firer: Stand, at: Point, weapon: Weapon) -> bool:
    """Return whether a point is in the field of fire of a weapon [7.3.6-arc, 10.2, WD.R, WD.R1, WD.R2]: RULINGS.md R7.

    The arc of a rear weapon is the front arc turned around; a weapon for sides and rear fires at all but the front.
    """
    assert firer.at is not None
    half = position.setting.sections.firing_arc // 2
    match weapon.arc:
        case "front":
            return _inside(firer.at, firer.facing, at, half)
        case "rear":
            return _inside(firer.at, firer.facing + 180, at, half)
        case "sides-rear":
            return not in_arc(firer.at, firer.facing, at, half)
    return True


def _inside(at: Point, facing: int, other: Point, half: int) -> bool:
    """Return whether a point is in an arc and not on its limit, which favours the defender [7.3.1-arc]."""
    return half >= 180 or not in_arc(at, facing + 180, other, 180 - half)


def out_of_field(position: Position, firer: Stand, target: Stand, manner: Manner) -> Refusal | None:
    """Reject a target outside the field of fire [7.3.6-arc], and side arms where they are not needed [7.3.6-side]."""
    assert target.at is not None
    weapon = weapon_of(position, firer, manner)
    if manner != "side arms":
        if in_field(position, firer, target.at, weapon):
            return None
        return Refusal("{} is not in the field of fire of {}", "7.3.6-arc", (target.name, firer.name))
    if inches_between(firer, target) <= (firer.kind.min_range or 0):
        return None  # too near for its own weapon [7.4.8]
    if in_field(position, firer, target.at, firer.kind):
        return Refusal("{} fires at {} with its own weapon", "7.3.6-side", (firer.name, target.name))
    if position.setting.has("R138"):
        return Refusal("{} fires to side and rear in overruns and close assaults only", "10.2", (firer.name,))
    if not adjacent(firer, target):
        return Refusal("{} fires to side and rear at adjacent stands only", "7.3.6-side", (firer.name,))
    return None


# --- special uses -----------------------------------------------------------------------------------------------


def wrong_use(position: Position, firer: Stand, target: Stand, manner: Manner) -> Refusal | None:
    """Reject a special use that the stand or the target does not allow."""
    match manner:
        case "second" | "second at position" if second_weapon(position, firer) is None:
            return Refusal("{} has no second weapon", "10.9", (firer.name,))
        case "at position" | "second at position":
            return no_position(position, target)
        case "heat":
            return _no_heat(position, firer, target)
        case "big game":
            return _no_big_game(position, firer, target)
        case known if known not in get_args(Manner):
            return Refusal("{!r} is none of {}", PROCEDURE, (manner, ", ".join(get_args(Manner))))
    return None


def no_position(position: Position, target: Stand) -> Refusal | None:
    """Reject armour piercing fire at a stand that no medium or heavy position protects [11.4.5]."""
    if target.armoured or position_defence(position, target) is None:
        return Refusal("{} is in no medium or heavy position", "11.4.5", (target.name,))
    return None


def position_defence(position: Position, target: Stand) -> int | None:
    """The defence of a medium or heavy position against armour piercing fire: its modifier for personnel [11.4.5]."""
    kinds = [kind for kind in terrain_of(position, target) if kind in ("medium position", "heavy position")]
    found = [position.effect(kind).personnel for kind in kinds if not denied(position, target, kind)]
    return max(found, default=None)


def _no_heat(position: Position, firer: Stand, target: Stand) -> Refusal | None:
    """Reject a hollow charge attack without the option or ammunition, or at a target without armour [12.11]."""
    if not position.setting.has("12.11") or not firer.heat:
        return Refusal("{} has no HEAT ammunition left", "12.11", (firer.name,))
    return None if target.armoured else Refusal("{} is not armoured", "12.11", (target.name,))


def _no_big_game(position: Position, firer: Stand, target: Stand) -> Refusal | None:
    """Reject high explosive at armour without the option, by a small gun, or at a target without armour [12.10]."""
    if not position.setting.has("12.10") or not is_heavy(firer.kind):
        return Refusal("{} is no gun of 150 mm or more", "12.10", (firer.name,))
    return None if target.armoured else Refusal("{} is not armoured", "12.10", (target.name,))


# --- defence ----------------------------------------------------------------------------------------------------


def in_front_arc(position: Position, target: Stand, at: Point) -> bool:
    """Return whether fire from a point passes the front arc of its target, as it faces [7.3.1-arc, 7.3.1-facing].

    The limit is in the arc.
    """
    assert target.at is not None
    return in_arc(target.at, target.facing, at, position.setting.sections.front_arc // 2)


def defence(position: Position, firer: Stand, target: Stand, manner: Manner) -> Iterator[Line]:
    """The defence value of a target and its reductions; the last line has the value that counts.

    Armour keeps half, rounded up, against fire from side or rear [7.3.1-arc]. A stand marked P keeps half, rounded
    down, unless it is in the firing posture [7.1.8-half, 10.3, WD.P].
    """
    value = target.defence
    if manner in AT_POSITION and (own := position_defence(position, target)) is not None:
        yield Line("defence", "the position", str(own), "11.4.5", own)
        return
    yield Line("defence", target.name, f"[{value}]" if target.armoured else str(value), "7.1.8-class", value)
    assert firer.at is not None
    if target.armoured and not in_front_arc(position, target, firer.at):
        yield halved("from side or rear", value, "7.3.1-arc")
    yield from on_the_move(position, target)


def on_the_move(position: Position, target: Stand) -> Iterator[Line]:
    """Half of the defence, rounded down, of a stand marked P that is not in the firing posture [7.1.8-half, 10.3].

    It counts against fire of every kind, artillery too: 7.6.1.3 takes the modified defence.
    """
    if target.kind.p_halved and not target.armoured and target.posture in halving(position) and not _exposed(target):
        kept, rule = target.defence // 2, "10.3" if target.posture == "fire/move" else "7.1.8-half"
        yield Line("defence", Text("{} posture", (target.posture,)), str(kept), rule, kept)


def halving(position: Position) -> tuple[Posture, ...]:
    """The postures in which stands marked P keep half of their defence [7.1.8-half, 10.3]: RULINGS.md R113."""
    return ("fire/move",) if position.setting.has("R113") else ("movement", "fire/move")


def _exposed(target: Stand) -> bool:
    """Return whether nothing halves the defence of a stand: it is in boats [8.9.4-def] or on a tank [12.5]."""
    return bool(target.boats) or target.carrier is not None


def halved(label: str, value: int, rule: str) -> Line:
    """Half of an armoured defence, rounded up.

    >>> halved("from the rear", 7, "7.3.1-arc").amount
    4
    """
    return Line("defence", label, f"[{-(-value // 2)}]", rule, -(-value // 2))
