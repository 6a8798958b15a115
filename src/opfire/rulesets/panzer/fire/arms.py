"""The weapons of a unit [4.4.3, 5.1, 5.2, 5.6]: their rows, fields of fire and rates; the one that it fires."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from msgspec.structs import replace

from opfire.core.actions import Refusal
from opfire.rulesets.panzer.charts import Gun, Leg, Rate, Vehicle, Weapon
from opfire.rulesets.panzer.fire import ap_fire, turrets
from opfire.rulesets.panzer.fire.arcs import Arc, ahead, in_field_of_fire
from opfire.rulesets.panzer.fire.sheltering import hull_down
from opfire.rulesets.panzer.pieces import Position, Unit, away, on_roof
from opfire.rulesets.panzer.works.entrenching import held_by

SPECIAL_UNITS, PLATFORMS, TUNGSTEN = "7.38", "7.16", "5.16.2.7"
SCARCE_FROM = "1943-10"
"""The month from which on tungsten is scarce, as "late-1943" [5.16.2.7]: RULINGS.md R205."""

CARRIED = frozenset({"b_hmg_w", "b_m2_w", "b_m3_w"})
"""The weapons of the British sections that fire from Universal Carriers [7.38.1]."""

LEAST_RANGE = 1
"""The minimum range of a weapon that has none on its card, in hexes [5.6]."""


class Arm(NamedTuple):
    """A row of a weapon in the hands of a unit: its field of fire and Rate-of-Fire.

    An `extra` weapon is the one to which the Dual Fire modifiers apply: the reverse image on a vehicle's card, or an
    attached weapon [5.14]. One `in_hull` suffers from hull damage [6.5.2.2.4-b].
    """

    row: Weapon
    arc: Arc
    rate: Rate
    extra: bool = False
    in_hull: bool = False

    @property
    def name(self) -> str:
        """The weapon with its ammunition, as an announcement names it."""
        return f"{self.row.weapon} {self.row.ammo}"

    @property
    def is_ap(self) -> bool:
        """Whether it is AP fire, for vehicles alone [4.4.3]."""
        return self.row.row == "AP"


# --- the weapons of a unit ---------------------------------------------------------------------------------------


def weapon_of(position: Position, unit: Unit) -> Weapon | None:
    """The AP weapon of a unit with plain AP rounds: a vehicle's main weapon, a gun, an attached weapon [6.5.2]."""
    rows = [row for name, mount in _mounts(unit) for row in position.charts.rows_of(name, mount, "AP")]
    return next((row for row in rows if row.ammo == "AP"), rows[0] if rows else None)


def _mounts(unit: Unit) -> list[tuple[str, str]]:
    """The names and mounts of the weapons that may have AP rounds."""
    match unit.kind:
        case Vehicle():
            return [(unit.kind.main, "V")]
        case Gun():
            return [(unit.kind.weapon, unit.kind.mount)]
    return [(name, "L") for name in unit.weapons]


def arc_of(unit: Unit) -> Arc:
    """The field of fire of a unit's weapon: towed units fire to the front [5.2], leg units all round [5.1]."""
    match unit.kind:
        case Vehicle():
            return unit.kind.main_arc or "all"
        case Gun():
            return "front"
    return "front" if unit.suppression else "all"


def rate_of(unit: Unit, weapon: Weapon) -> Rate:
    """The Rate-of-Fire of a weapon as its card has it [6.5.2.1]."""
    match unit.kind:
        case Vehicle() if weapon.weapon == unit.kind.main:
            return unit.kind.rof or weapon.rof
        case Gun():
            return unit.kind.rof
    return weapon.rof


def arms_of(position: Position, unit: Unit) -> list[Arm]:
    """Everything that a unit can fire directly in the Advanced Game, AP or GP [5.1.1, 5.1.2, 5.1.3.2, 5.2, 6.5.4]."""
    date = position.setting.sections.date
    found = [arm for arm in _every(position, unit) if not date or arm.row.first <= date]  # 5.16.1
    if SPECIAL_UNITS in position.setting.options:
        found = [arm for arm in found if not unfitted(unit, arm)]
    if position.setting.sections.conditions.tungsten == "none":
        found = [arm for arm in found if not wants_tungsten(position, unit, arm)]
    out = (*unit.jammed, *unit.ruined)
    return [arm for arm in found if arm.row.weapon not in out] if out else found  # 7.25


def unfitted(unit: Unit, arm: Arm) -> bool:
    """Return whether a British vehicle lacks the Littlejohn adapter for a round, or carries the other type.

    Flamethrowers lack their fuel without its trailer.
    Rules: [7.38.6], RULINGS.md R152; [7.38.2.2].
    """
    if arm.row.kind == "flame":
        return unit.trailer == "gone"
    if not arm.is_ap or arm.row.weapon != "b2pdr" or not isinstance(unit.kind, Vehicle):
        return False
    if unit.kind.special != "LJ":
        return arm.row.ammo == "APCNR"
    return unit.loaded not in ("", arm.row.ammo)


def wants_tungsten(position: Position, unit: Unit, arm: Arm) -> bool:
    """Return whether an arm is German APCR at a time when tungsten is scarce [5.16.2.7]."""
    made = position.setting
    late = not made.sections.date or made.sections.date >= SCARCE_FROM
    return TUNGSTEN in made.options and late and arm.row.ammo == "APCR" and unit.kind.nation == "Germany"


def _every(position: Position, unit: Unit) -> Iterator[Arm]:
    match unit.kind:
        case Vehicle():
            yield from _mounted(position, unit, unit.kind)
        case Gun():
            for row in _rows(position, unit.kind.weapon, unit.kind.mount):
                yield Arm(row, "front", unit.kind.rof)
        case Leg():
            yield Arm(unit.kind.small_arms(), arc_of(unit), "N")
            for name in unit.weapons:
                arms = (Arm(row, arc_of(unit), row.rof, True) for row in _rows(position, name, "L"))
                yield from (arm for arm in arms if unit.carrier is None or fires_mounted(position, unit, arm))


def fires_mounted(position: Position, unit: Unit, arm: Arm) -> bool:
    """Return whether a passenger may fire an attached weapon from its vehicle: anti-tank rifles alone.

    Crew-served machine guns and mortars may not, but for those on Universal Carriers.
    Rules: [5.1.3.2, 5.1.3.3, 6.6.7.2-who, 7.38.1].
    """
    return arm.row.kind == "atr" or on_carrier(position, unit, arm)


def on_carrier(position: Position, unit: Unit, arm: Arm) -> bool:
    """Return whether a British section fires a weapon from its Universal Carrier as if on the ground [7.38.1]."""
    if unit.carrier is None or SPECIAL_UNITS not in position.setting.options:
        return False
    carrier = position.units[unit.carrier].kind
    return isinstance(carrier, Vehicle) and carrier.special == "mounted_fire" and arm.row.weapon in CARRIED


def _mounted(position: Position, unit: Unit, card: Vehicle) -> Iterator[Arm]:
    """The weapons of a vehicle: the main one, the second one, and a machine gun that stands for its GP fire.

    The guns of British OP tanks are of wood: their cards have the machine gun alone [7.38.3].
    """
    arcs: dict[str, Arc] = {card.main: card.main_arc or "all", card.second: card.second_arc or "all"}
    if turrets.jammed(unit):
        arcs = {name: "front" if arc == "all" else arc for name, arc in arcs.items()}  # RULINGS.md R186
    if turrets.turreted(position, unit):
        arcs = {name: "turret" if (arc == "all" or turrets.jammed(unit)) else arc for name, arc in arcs.items()}
    for name in dict.fromkeys(filter(None, (card.main, card.second, card.gp_weapon))):
        second = name == card.second
        for row in _rows(position, name, "V"):
            yield Arm(row, arcs.get(name, arcs[card.main]), rate_of(unit, row), second, second and card.second_hull)


def _rows(position: Position, name: str, mount: str) -> Iterable[Weapon]:
    charts = position.charts
    return (*charts.rows_of(name, mount, "AP"), *charts.rows_of(name, mount, "GP-DF"))


def turned(position: Position, unit: Unit, target: Unit) -> Unit:
    """A unit as it fires from overwatch: a gun on a platform always faces its target, a turret swings [7.16, 7.8.4]."""
    if turrets.turreted(position, unit):
        return turrets.swung(position, unit, target)
    platform = isinstance(unit.kind, Gun) and unit.kind.platform_mount and PLATFORMS in position.setting.options
    if not platform:
        return unit
    coords = position.map.coords
    start, end = coords[str(unit.hex)], coords[str(target.hex)]
    facing = next((way for way in range(6) if ahead(start, (unit.facing + way) % 6, end)), 0)
    return replace(unit, facing=(unit.facing + facing) % 6)


# --- a weapon and a target ---------------------------------------------------------------------------------------


def unsuited(arm: Arm, target: Unit) -> Refusal | None:
    """Reject AP fire at anything but vehicles, and hand-held rockets as GP fire at those [5.1.3.4, 6.5.2]."""
    if arm.is_ap and not target.is_vehicle:
        return Refusal("{} is no vehicle: AP fire is not for it", "6.5.2", (target.name,))
    if arm.row.kind == "hhatw" and not arm.is_ap and target.is_vehicle:
        return Refusal("{} is a vehicle: {} fires AP at it", "5.1.3.4", (target.name, arm.row.name))
    return None


def cannot_bear(position: Position, unit: Unit, arm: Arm, target: Unit) -> Refusal | None:
    """Reject a target outside the field of fire or the ranges of a weapon [3.5.2, 4.4.3.1, 5.1.3.1, 5.6, 6.5.4.1]."""
    coords = position.map.coords
    facing = turrets.bearing(unit) if arm.arc == "turret" else unit.facing
    if not in_field_of_fire(coords[str(unit.hex)], facing, arm.arc, coords[str(target.hex)]):
        return Refusal("{} is outside the field of fire of {}", _field_of(unit, arm), (target.name, unit.name))
    hexes, least = away(position, unit, target), arm.row.min_range or LEAST_RANGE
    if position.setting.advanced and hexes < least:
        return Refusal("{} fires at {} hexes or more; the target is at {}", "5.6", (arm.row.name, least, hexes))
    upstairs = unit.upper and not on_roof(position, unit)  # R207: nothing is above a roof
    if position.setting.advanced and arm.row.kind == "mortar" and (upstairs or (unit.is_vehicle and unit.inside)):
        return Refusal("{} is upstairs or inside a building: its mortar cannot fire", "5.1.3.1", (unit.name,))
    if upstairs and arm.row.kind == "hhatw":
        return Refusal("{} is on an upper floor: {} cannot fire", "5.1.3.4", (unit.name, arm.row.name))
    if isinstance(unit.kind, Gun) and unit.kind.no_building_fire and _walled(position, unit):
        return Refusal("{} cannot fire from inside a building or position", "5.2", (unit.name,))
    return ap_fire.beyond_range(arm.row, hexes)


def _field_of(unit: Unit, arm: Arm) -> str:
    """The paragraph that limits the field of fire of a weapon [4.4.3.1.3, 4.4.3.1.4, 4.4.3.1.5, 5.1, 5.2, 7.8]."""
    match unit.kind:
        case Gun():
            return "5.2"
        case Leg():
            return "5.1"  # all round, unless suppressed
        case Vehicle() if arm.arc == "front" and unit.kind.tt:
            return "4.4.3.1.4"  # a gun in the hull of a vehicle with a turret
    return {"rear": "4.4.3.1.5", "turret": "7.8"}.get(arm.arc, "4.4.3.1.3")


def _walled(position: Position, unit: Unit) -> bool:
    """Return whether a gun is inside a building or holds an Improved Position [5.2]."""
    return unit.inside or held_by(position, unit, "improved position") is not None


def cannot_use(position: Position, unit: Unit, arm: Arm, target: Unit) -> Refusal | None:
    """Reject a weapon that is not for the target, or does not bear on it [4.4.3, 6.5.4]."""
    return unsuited(arm, target) or cannot_bear(position, unit, arm, target) or masked(position, unit, arm, target)


def masked(position: Position, unit: Unit, arm: Arm, target: Unit) -> Refusal | None:
    """Reject a Limited weapon of a vehicle that is Hull Down; Partial Hull Down does no harm [6.1.4.1.2-a].

    The vehicle is Hull Down where it found a position, and wherever it would be against fire from its target.
    """
    limited = isinstance(unit.kind, Vehicle) and unit.kind.limited and arm.in_hull
    if not limited or not position.setting.advanced:
        return None
    if unit.hull_down != "full" and hull_down(position, target, unit) != "full":
        return None
    return Refusal("{} is Hull Down: {} cannot fire", "6.1.4.1.2-a", (unit.name, arm.row.name))


def arms_at(position: Position, unit: Unit, target: Unit) -> list[Arm]:
    """The weapons that a unit may fire at a target as both stand, that of its choice first: plain AP, then GP."""
    found = [arm for arm in _ready(position, unit) if cannot_use(position, unit, arm, target) is None]
    return sorted(found, key=lambda arm: _choice(position, unit, arm, target))


def _choice(position: Position, unit: Unit, arm: Arm, target: Unit) -> tuple[bool, bool, int]:
    band = ap_fire.range_factor(arm.row, away(position, unit, target))
    return not arm.is_ap, arm.is_ap and arm.row.ammo != "AP", -arm.row.value(band) if band else 0


def _ready(position: Position, unit: Unit) -> list[Arm]:
    """The weapons of a game: in the Basic Game the plain AP rounds alone, of either weapon [4.4, 4.4.3, 4.4.3.2.1]."""
    if position.setting.advanced:
        return arms_of(position, unit)
    weapon = weapon_of(position, unit)
    found = [Arm(weapon, arc_of(unit), "N")] if weapon else []
    if isinstance(unit.kind, Vehicle) and unit.kind.second:
        rows = position.charts.rows_of(unit.kind.second, "V", "AP")
        found += [Arm(row, unit.kind.second_arc or "all", "N") for row in rows if row.ammo == "AP"]
    return found


ABOARD = {"mortar": "5.1.3.1", "mg": "5.1.3.2", "hhatw": "5.1.3.4"}
"""The paragraphs by which attached weapons do not fire while they are transported."""


def _stowed_away(position: Position, unit: Unit, name: str) -> Refusal | None:
    """Reject an attached weapon of a passenger that does not fire from a vehicle [5.1.3.1, 5.1.3.2, 5.1.3.4]."""
    if unit.carrier is None or not position.setting.advanced:
        return None
    arms = (arm for arm in arms_of(position, replace(unit, carrier=None)) if arm.name == name)
    arm = next((arm for arm in arms if arm.row.kind in ABOARD), None)
    return arm and Refusal("{} is transported: {} cannot fire", ABOARD[arm.row.kind], (unit.name, arm.row.name))


def _out_of_order(position: Position, unit: Unit, name: str) -> Refusal | None:
    """Reject a weapon of that name that is jammed, or ruined [7.25]."""
    mended = replace(unit, jammed=(), ruined=())
    arm = next((arm for arm in _ready(position, mended) if name in (arm.name, arm.row.weapon)), None)
    return arm and Refusal("{} is jammed: it waits for repair", "7.25", (arm.row.name,))


def _lacks(position: Position, unit: Unit, ready: list[Arm], name: str) -> Refusal:
    """The refusal of a weapon that a unit does not have now; it names those that it has [4.4.3, 5.16.1]."""
    for arm in _every(position, unit) if name and position.setting.advanced else ():
        if name in (arm.name, arm.row.weapon):
            return Refusal("{} has no {} at that time", "5.16.1", (unit.name, arm.name))
    if not name or not ready:
        return Refusal("{} has no AP weapon", "4.4.3", (unit.name,))
    weapons = ", ".join(dict.fromkeys(arm.name for arm in ready))
    return Refusal("{} has no weapon {}, but {}", "4.4.3", (unit.name, name, weapons))


def arm_at(position: Position, unit: Unit, target: Unit, name: str = "") -> Arm | Refusal:
    """The weapon of that name as it is fired at a target, or the reason against it.

    No name means the unit's choice, a name without its ammunition that of the rounds.
    """
    ready = _ready(position, unit)
    found = [arm for arm in ready if name in ("", arm.name, arm.row.weapon)]
    if not found:
        return (
            _stowed_away(position, unit, name)
            or _out_of_order(position, unit, name)
            or _lacks(position, unit, ready, name)
        )
    refusals = [cannot_use(position, unit, arm, target) for arm in found]
    usable = [arm for arm, refusal in zip(found, refusals, strict=True) if refusal is None]
    if not usable:
        told = [(arm, refusal) for arm, refusal in zip(found, refusals, strict=True) if refusal is not None]
        # A weapon for such targets tells the reason, if there is one.
        return next((refusal for arm, refusal in told if unsuited(arm, target) is None), told[0][1])
    return min(usable, key=lambda arm: _choice(position, unit, arm, target))
