"""A shot from its modifiers to its effect, AP or GP [4.4.3.2, 6.5.2, 6.5.4.3]: one calculation for preview and dice."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

import msgspec

from opfire.core.actions import Refusal
from opfire.core.events import Calculation, Line
from opfire.core.texts import Text, Words
from opfire.rulesets.panzer import conditions, leaders, span, stowed
from opfire.rulesets.panzer.charts import Band, GpResult, Gun, Leg, Vehicle
from opfire.rulesets.panzer.commands import known_to_move
from opfire.rulesets.panzer.fire import ap_fire, gp_fire, limits, plates, turrets
from opfire.rulesets.panzer.fire.arcs import ahead, aspects
from opfire.rulesets.panzer.fire.arms import Arm, arm_at, on_carrier, turned
from opfire.rulesets.panzer.fire.gp_fire import Outcome
from opfire.rulesets.panzer.fire.sheltering import hull_down, shelters
from opfire.rulesets.panzer.ground import BUILDINGS
from opfire.rulesets.panzer.indirect.obscuring import obscured
from opfire.rulesets.panzer.indirect.screens import screens
from opfire.rulesets.panzer.moving.passengers import gp_defence
from opfire.rulesets.panzer.pieces import Hex, Position, Unit, away, beside_vehicle, cover, on_roof
from opfire.rulesets.panzer.sighting.sight import passed
from opfire.rulesets.panzer.works import dust
from opfire.rulesets.panzer.works.entrenching import held_by
from opfire.space.hexes import opposite


class Manner(NamedTuple):
    """The way of a shot: from overwatch [4.4.2], pinning its target down [7.18], in defense [7.50].

    `drawn` is the firer as it was when both fired at once [7.54], `spread` are the vehicles that more hits strike
    [6.5.2.1-spread].
    """

    overwatch: bool = False
    pinning: bool = False
    defensive: bool = False
    drawn: Unit | None = None
    spread: tuple[str, ...] = ()


DIRECT, WATCHING, DEFENSIVE = Manner(), Manner(overwatch=True), Manner(overwatch=True, defensive=True)
"""Direct fire, fire from overwatch, and Defensive Fire, which is resolved as if from overwatch [7.50]."""


class Fire(NamedTuple):
    """A shot that is about to be resolved, with the ammo shortages that weigh on it [5.16.2.2], and its manner."""

    unit: Unit
    target: Unit
    arm: Arm
    overwatch: bool = False
    shortages: int = 0
    pinning: bool = False
    defensive: bool = False
    swung: bool = False


def shot(
    position: Position, unit: Unit, target: Unit, overwatch: bool, weapon: str = "", *, pinning: bool = False
) -> Calculation:
    """The calculation of a shot that is possible; without the name of a weapon the unit chooses [4.4.3.2]."""
    aimed = turned(position, unit, target) if overwatch else unit
    arm = arm_at(position, aimed, target, weapon)
    assert not isinstance(arm, Refusal)
    return calculation(position, Fire(aimed, target, arm, overwatch, 0, pinning, False, aimed.turret != unit.turret))


def calculation(position: Position, fire: Fire) -> Calculation:
    """One shot from its modifiers to its effect: in the Basic Game the roll to hit decides all [4.4.3.2].

    Both units count as they stand and face now [4.4.1-c].
    """
    if not fire.arm.is_ap:
        return gp_shot(position, fire)
    title = Text("{} fires at {}", (fire.unit.name, fire.target.name))
    lines = [*modifiers(position, fire)]
    return (advanced_shot if position.setting.advanced else basic_shot)(position, fire, title, lines)


def band_of(position: Position, fire: Fire) -> Band:
    """The range factor of a shot that is possible [4.4.3.2.1, 6.5.4.1]."""
    band = ap_fire.range_factor(fire.arm.row, away(position, fire.unit, fire.target))
    assert band is not None
    return band


# --- AP fire [4.4.3.2, 6.5.2] -----------------------------------------------------------------------------------


def basic_shot(position: Position, fire: Fire, title: Words, lines: list[Line]) -> Calculation:
    """The roll to hit of the Basic Game, with the effect of a hit [4.4.3.2.3, 4.4.3.2.6]."""
    band = band_of(position, fire)
    to_hit = ap_fire.hit(position.charts, title, band, lines)
    armor = armor_hit(position, fire.unit, fire.target)[1]
    least = 1 if "R16" in position.setting.options else 0
    effect = ap_fire.basic_effect(position.charts, fire.arm.row, band, armor, least)
    outcomes = tuple(EFFECTS[effect if hits != "0" else "miss"] for hits in to_hit.outcomes)
    shown = (*to_hit.lines, *_penetration(position, fire.unit, fire.target, fire.arm.row.value(band)))
    return msgspec.structs.replace(to_hit, lines=shown, outcomes=outcomes)


def advanced_shot(position: Position, fire: Fire, title: Words, lines: list[Line]) -> Calculation:
    """The roll to hit of the Advanced Game: one hit or more by the Rate-of-Fire, with the Unit Grade [6.5.2.1]."""
    band = band_of(position, fire)
    lines += ap_fire.grade_line(position.charts, fire.unit.grade, band)
    lines += leaders.lines(position, fire.unit, "ap")
    lines += _scarce(position, fire)
    to_hit = ap_fire.hit(position.charts, title, band, lines, fire.arm.rate)
    outcomes = tuple(HITS[int(hits)] for hits in to_hit.outcomes)
    return msgspec.structs.replace(to_hit, outcomes=outcomes)


HITS = ("miss", "1 hit", "2 hits", "3 hits", "4 hits")
"""The numbers of hits in words [6.5.2.1]."""


ARMOR = {"front": "Front armor of {}", "rear": "Rear armor of {}"}
"""The armor of an aspect in words [4.4.3.2.5]."""


EFFECTS: dict[ap_fire.Effect, str] = {
    "miss": "miss",
    "no penetration": "no effect",
    "DM": "damaged",
    "KO": "knocked out",
    "BU": "brewed up",
}
"""The effects of a shot in words."""


def _penetration(position: Position, unit: Unit, target: Unit, factor: int) -> Iterator[Line]:
    """The penetration of a hit, and the armor that it meets [4.4.3.2.5]."""
    aspect, armor = armor_hit(position, unit, target)
    yield Line("attack", "Penetration", str(factor), "4.4.3.2.5", factor)
    yield Line("defence", Text(ARMOR[aspect], (target.name,)), str(armor), "4.4.3.2.5", armor)


def modifiers(position: Position, fire: Fire) -> Iterator[Line]:
    """The AP Hit Modifiers of a shot [4.4.3.2.2, 6.5.2.4-supp]."""
    charts, target = position.charts, fire.target
    behind = cover(position, target, "combat")
    yield from chain(ap_fire.size_line(target.vehicle), ap_fire.cover_line(charts, behind))
    if known_to_move(target):
        yield ap_fire.modifier(charts, "target moving")
    for name, times in _of_firer(position, fire):
        line = ap_fire.modifier(charts, name, times)
        swings = name == "overwatch adjust" and turrets.turreted(position, fire.unit)
        yield msgspec.structs.replace(line, rule="7.8.4") if swings else line
    yield from conditions.weather(position, fire.unit, fire.target, "ap")


def _on_foot(position: Position, fire: Fire) -> Iterator[Line]:
    """The modifier of an FO away from its vehicle, to its GP fire alone [7.47]."""
    if stowed.walks(fire.unit):
        yield gp_fire.modifier(position.charts, "dismounted fo")


def _of_firer(position: Position, fire: Fire) -> Iterator[tuple[str, int]]:
    """The modifiers that AP and GP fire share, with the times that they count: those of the firer and of the line.

    Hesitating and broken units fire worse [7.1.5.1, 7.1.5.2]; passengers do, too [6.6.7.2-mod], and so does
    Defensive Fire [7.50] and that of tanks in which one man does all [7.57].
    """
    unit = fire.unit
    if unit.carrier is not None and not on_carrier(position, unit, fire.arm):
        yield "transported fire", 1  # 6.6.7.2-mod: instead of the SHORT HALT modifier
    elif unit.carrier is None and unit.command == "short halt":
        yield "short halt", 1
    if _hurt(fire):
        yield "shooter damaged", 1
    if smokes := smoke_between(position, str(unit.hex), str(fire.target.hex)):
        yield "brewup smoke", smokes
    if "optics" in unit.collateral:
        yield "optics", 1  # 7.23.1
    if span.small_crew(position, unit):
        yield "small crew", 1
    if fire.defensive:
        yield "defensive fire", 1
    yield from obscured(position, str(unit.hex), str(fire.target.hex)).items()  # 5.11
    if clouds := dust.between(position, str(unit.hex), str(fire.target.hex)):
        yield "dust", clouds
    if covering := screens(position, unit, fire.target):
        yield "smoke open", covering
    if fire.overwatch:
        ready = _in_arc(position, fire) and not fire.swung  # 7.8.4
        yield "overwatch" if ready else "overwatch adjust", 1
    if unit.suppression:
        yield "shooter suppressed", 1
    if unit.morale:
        yield unit.morale, 1
    if fire.arm.extra and unit.arms:
        yield "dual fire same" if unit.aimed == fire.target.id else "dual fire diff", 1


def _hurt(fire: Fire) -> bool:
    """Return whether damage weighs on a weapon: hull damage on one in the hull, turret damage on others.

    Rules: [6.5.2.2.4, 6.5.2.2.4-b]. In the Basic Game damage is to the whole.
    """
    return fire.unit.damaged and fire.unit.damaged_part in ("", "hull" if fire.arm.in_hull else "turret")


def _scarce(position: Position, fire: Fire) -> Iterator[Line]:
    """The modifier of an ammo shortage, or the note that there may be one [5.16.2.1, 5.16.2.2]."""
    if fire.shortages:
        named = ap_fire.modifier if fire.arm.is_ap else gp_fire.modifier
        yield named(position.charts, "ammo limit double" if fire.shortages > 1 else "ammo limit")
    elif line := limits.note(position, fire.unit, fire.arm):
        yield line


def _in_arc(position: Position, fire: Fire) -> bool:
    """Return whether a target lies in the front field of fire, or in the rear one of a gun that faces back."""
    coords, unit = position.map.coords, fire.unit
    facing = opposite(unit.facing) if fire.arm.arc == "rear" else unit.facing
    facing = turrets.bearing(unit) if fire.arm.arc == "turret" else facing
    return ahead(coords[str(unit.hex)], facing, coords[str(fire.target.hex)])


def smoke_between(position: Position, a: Hex, b: Hex) -> int:
    """The Brew-Up smokes on a line with both its ends [4.1.4.1.9, 4.4.3.2.2-busmoke]; those of this step come later."""
    smoking = [hex for hex, wreck in position.wrecks.items() if wreck == "BU" and hex not in position.smoking]
    if not smoking:
        return 0
    on_line = {*passed(position.map.coords[a], position.map.coords[b])}
    return sum(position.map.coords[hex] in on_line for hex in smoking)


def armor_hit(position: Position, unit: Unit, target: Unit) -> tuple[str, int]:
    """The aspect that is hit and its Armor Factor; on the border the better one counts [4.4.3.2.4]: RULINGS.md R14."""
    coords = position.map.coords
    found = aspects(coords[str(target.hex)], target.facing, coords[str(unit.hex)])
    factors = {"front": target.vehicle.basic_front, "rear": target.vehicle.basic_rear}
    best = max(found, key=lambda aspect: factors[aspect])
    return best, factors[best]


# --- GP fire [6.5.4] --------------------------------------------------------------------------------------------


def gp_shot(position: Position, fire: Fire) -> Calculation:
    """The roll of GP Direct Fire at one target [6.5.4, 6.5.4.1, 6.5.4.4]."""
    band, row = band_of(position, fire), fire.arm.row
    names, is_its_gun = (fire.unit.name, fire.target.name), row.name == fire.unit.kind.name
    title = Text("{} fires at {}", names) if is_its_gun else Text("{} fires at {} ({})", (*names, row.name))
    attack = Line("attack", Text("GP Factor at {}", (band,)), str(row.value(band)), "6.5.4.1", row.value(band))
    lines = [*gp_modifiers(position, fire, band), *_scarce(position, fire)]
    below = fire.target.is_vehicle and bool(hull_down(position, fire.unit, fire.target))

    def settle(found: GpResult, total: int) -> Outcome:
        match fire.target.ground:
            case Vehicle() as card:
                laid_open = turrets.opened(position, fire.target) and gp_fire.against_open(row, band, card, found)
                plain = gp_fire.against_vehicle(position.charts, row, band, card, found, total, hull_down=below)
                return laid_open or plates.after_tracks(position.setting.options, row, fire.unit.kind, card, plain)
            case card:
                pinned: GpResult = "suppressed" if found == "effective" and fire.pinning else found  # 7.18
                return gp_fire.against_soft(card, pinned)

    return gp_fire.determination(position.charts, title, attack, gp_defense(position, fire.target), lines, settle)


def at_passenger(position: Position, fire: Fire, vehicle: Unit) -> Calculation:
    """The roll against a passenger of the target [6.5.4.2.3-joint]: the same factor, a fixed GP Defense Factor.

    The modifiers are those of the firer and of the line, a coaxial machine gun and shells that burst in the trees.
    """
    aimed = fire._replace(target=vehicle)
    band, row = band_of(position, aimed), fire.arm.row
    attack = Line("attack", Text("GP Factor at {}", (band,)), str(row.value(band)), "6.5.4.1", row.value(band))
    fixed = gp_defence(vehicle)
    defense = (Line("defence", "Passenger", f"{fixed}S", "6.5.4.2.3-gpd", fixed),)
    lines = _of_shot(position, aimed, band)
    if band == "P" and _coaxial(fire.unit):
        lines.append(gp_fire.modifier(position.charts, "coax mg"))  # 6.5.4.3-coax: any leg or towed unit
    if row.kind == "mortar" and under_trees(position, vehicle):
        lines.append(gp_fire.modifier(position.charts, "air burst"))

    kind = fire.target.ground
    assert not isinstance(kind, Vehicle)
    card: Leg | Gun = kind

    def settle(found: GpResult, total: int) -> Outcome:
        return gp_fire.against_soft(card, found)

    title = Text("{} fires at {} aboard {}", (fire.unit.name, fire.target.name, vehicle.name))
    return gp_fire.determination(position.charts, title, attack, defense, lines, settle)


def at_terrain(position: Position, fire: Fire) -> tuple[Line, list[Line]]:
    """The GP Factor and the modifiers of a shot against the terrain that its target occupies [6.5.4.2.5-df]."""
    band, row = band_of(position, fire), fire.arm.row
    attack = Line("attack", Text("GP Factor at {}", (band,)), str(row.value(band)), "6.5.4.1", row.value(band))
    return attack, _of_shot(position, fire, band)


def _of_shot(position: Position, fire: Fire, band: Band) -> list[Line]:
    """The GP Fire Modifiers that do not depend on the target: those of the firer, of the line and of the weather."""
    return [
        *(gp_fire.modifier(position.charts, name, times) for name, times in _of_firer(position, fire)),
        *conditions.weather(position, fire.unit, fire.target, "gp"),
        *gp_fire.grade_line(position.charts, fire.unit.grade, band),
        *leaders.lines(position, fire.unit, "gp"),
        *_on_foot(position, fire),
        *_scarce(position, fire),
    ]


def gp_defense(position: Position, target: Unit) -> tuple[Line, ...]:
    """The lines of a target's GP Defense Factor [6.5.4.2, 6.5.4.2.2-best]; crawling is not moving [6.6.4.3].

    Movement beside a vehicle does not weaken a leg unit [7.49-cover].
    """
    if isinstance(target.ground, Vehicle):
        return gp_fire.vehicle_defense(target.ground)
    moves = known_to_move(target) and not target.full_cover and not beside_vehicle(position, target)
    behind = cover(position, target, "combat")
    return tuple(gp_fire.soft_defense(target.ground, behind, full_cover=target.full_cover, moves=moves))


def gp_modifiers(position: Position, fire: Fire, band: Band) -> Iterator[Line]:
    """The GP Fire Modifiers of a direct shot [6.5.4.3, 7.18]; a coaxial machine gun may be lost [7.23.1]."""
    charts = position.charts
    if fire.target.is_vehicle:
        yield from _of_vehicle(position, fire.target)
    else:
        yield from (gp_fire.modifier(charts, name) for name in _of_soft(position, fire))
        if _in_the_open(position, fire):
            yield gp_fire.modifier(charts, "ce ammo")
        if fire.pinning:
            yield gp_fire.modifier(charts, "pinning")
        if held_by(position, fire.target, "hasty entrenchment"):
            yield gp_fire.modifier(charts, "hasty entrenchment")
    if fire.arm.row.kind == "mortar" and splinters(position, fire.target):
        yield gp_fire.modifier(charts, "air burst")
    for name, times in _of_firer(position, fire):
        yield gp_fire.modifier(charts, name, times)
    yield from conditions.weather(position, fire.unit, fire.target, "gp")
    if _coaxial(fire.unit) and band == "P" and _soft_enough(fire.target):
        yield gp_fire.modifier(charts, "coax mg")
    yield from gp_fire.grade_line(charts, fire.unit.grade, band)
    yield from leaders.lines(position, fire.unit, "gp")
    yield from _on_foot(position, fire)


def _coaxial(unit: Unit) -> bool:
    """Return whether a vehicle has a coaxial machine gun that works [6.5.4.3-coax, 7.23.1]."""
    return isinstance(unit.kind, Vehicle) and unit.kind.coax_mg and "coax" not in unit.collateral


def under_trees(position: Position, unit: Unit) -> bool:
    """Return whether shells burst in the trees over a unit, and over its passengers: they are S-Types [7.46]."""
    return "7.46" in position.setting.options and not TREES.isdisjoint(position.map.cells[str(unit.hex)].terrain)


def splinters(position: Position, target: Unit) -> bool:
    """Return whether shells burst in the trees over a target that has no plates above it [7.46]."""
    if not under_trees(position, target):
        return False
    return not isinstance(target.kind, Vehicle) or target.kind.target != "A" or turrets.opened(position, target)


TREES = frozenset({"light woods", "woods", "heavy woods", "light grove", "medium grove"})
"""The ground on which shells burst in the trees [7.46]."""


def _in_the_open(position: Position, fire: Fire) -> bool:
    """Return whether a hand-held anti-tank weapon fires at men outside buildings and Improved Positions [7.15]."""
    hand_held = fire.arm.row.kind in ("hhatw", "rocket") and isinstance(fire.unit.kind, Leg)
    walls = not BUILDINGS.isdisjoint(position.map.cells[str(fire.target.hex)].terrain)
    ruins = any(work.kind == "rubble" for work in position.works.get(str(fire.target.hex), ()))
    under_roof = (fire.target.is_leg or fire.target.inside) and not on_roof(position, fire.target)
    indoors = walls and under_roof and not ruins
    within = indoors or held_by(position, fire.target, "improved position") is not None
    return "7.15" in position.setting.options and hand_held and not within


def _soft_enough(target: Unit) -> bool:
    """Return whether a coaxial machine gun counts: at anything but A-Type vehicles [6.5.4.3-coax]."""
    return not isinstance(target.kind, Vehicle) or target.kind.target != "A"


def _of_vehicle(position: Position, target: Unit) -> Iterator[Line]:
    charts = position.charts
    yield from gp_fire.type_line(charts, target.vehicle)
    yield from gp_fire.cover_line(charts, cover(position, target, "combat"))
    if known_to_move(target):
        yield gp_fire.modifier(charts, "target moving")  # 6.5.4.3-moving


def _of_soft(position: Position, fire: Fire) -> Iterator[str]:
    """The modifiers of a leg or towed target [6.5.4.3-wall, 6.5.4.3-rail, 6.5.4.3-cav, 6.5.4.3-crawl]."""
    target = fire.target
    if "wall" in shelters(position, fire.unit, target):
        yield "wall"
    if "railroad tracks" in position.map.cells[str(target.hex)].terrain:
        yield "railroad"
    if isinstance(target.kind, Leg) and target.kind.bulk == "L":
        yield "cavalry"
    if target.full_cover and known_to_move(target) and not isinstance(target.kind, Gun):
        yield "crawling"
