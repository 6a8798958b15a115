"""Aimed fire [DF] in any phase: whether a unit can fire at a target in a manner: weapon, range, line, spotting, arc."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from opfire.core.actions import PROCEDURE, Refusal
from opfire.core.places import Point
from opfire.rulesets.panzerblitz_miniatures.charts import Kind
from opfire.rulesets.panzerblitz_miniatures.equipment import range_inches
from opfire.rulesets.panzerblitz_miniatures.fire.attacks import Target, at_stand, target_of, weapon
from opfire.rulesets.panzerblitz_miniatures.fire.effectiveness import no_effect, out_of_range
from opfire.rulesets.panzerblitz_miniatures.fire.results import inside
from opfire.rulesets.panzerblitz_miniatures.moving.works import fallen
from opfire.rulesets.panzerblitz_miniatures.pieces import Manner, Position, Stand, is_down, off_the_table, rides
from opfire.rulesets.panzerblitz_miniatures.sighting.cover import cover
from opfire.rulesets.panzerblitz_miniatures.sighting.seeing import not_spotted, out_of_sight
from opfire.rulesets.panzerblitz_miniatures.sighting.spotting import ground_of, hidden_in_cover, unspotted_from_above
from opfire.rulesets.panzerblitz_miniatures.sighting.visibility import beyond_sight, sight_limit
from opfire.space.measure import in_arc, square
from opfire.space.terrain.sight import SightLine
from opfire.space.terrain.spans import END

WATERS = frozenset({"stream", "water"})
"""The ground from which nobody attacks [STR-6, TEC-10]."""

MOUNTED = frozenset({"infantry", "scout", "engineer", "machinegun", "anti-tank", "command"})
"""The types of passengers that fire from their carrier [MIF-1]: RULINGS.md R75."""

HALF_ARC = 45
"""The degrees of a field of fire to either side of the barrel [FOF-2]."""


# --- the firer and its weapon ---------------------------------------------------------------------------------


def manners(unit: Stand) -> Iterator[Manner]:
    """The manners in which a unit may fire at all, whatever the target."""
    if unit.carrier is not None:
        yield "mounted"
        return
    yield "normal"
    if unit.kind.smf == "X":
        yield "split"
    if unit.anti_tank:
        yield "anti-tank"
    if unit.missiles:
        yield "missile"
    if unit.flames:
        yield "flamethrower"


IN_REACTION: tuple[Manner, ...] = ("normal", "anti-tank", "missile", "flamethrower")
"""The manners of opportunity fire."""


def reactions(unit: Stand) -> Iterator[Manner]:
    """The manners in which a unit may use opportunity fire, whatever the target."""
    return (manner for manner in manners(unit) if manner in IN_REACTION)


def unable(position: Position, unit: Stand, manner: Manner) -> Refusal | None:
    """Reject a unit that does not fire in this manner, whatever the target."""
    return (
        _unknown(manner)
        or is_down(unit)
        or in_water(position, unit)
        or unarmed(position, unit, manner)
        or no_cannon(unit, manner)
    )


def _unknown(manner: str) -> Refusal | None:
    """Reject a manner that does not exist."""
    known = get_args(Manner)
    return None if manner in known else Refusal("{!r} is none of {}", PROCEDURE, (manner, ", ".join(known)))


def in_water(position: Position, unit: Stand) -> Refusal | None:
    """Reject an attack out of a stream or river [STR-6, CAT-12]."""
    assert unit.at is not None
    spot = position.ground.at(unit.at)
    if unit.flying or spot.level >= 0 or not WATERS.intersection(spot.kinds):
        return None
    return Refusal("{} is in the water and cannot attack", "STR-6", (unit.name,))


def unarmed(position: Position, unit: Stand, manner: Manner) -> Refusal | None:
    """Reject a unit that has no such weapon."""
    match manner:
        case "split":
            return no_split_fire(unit)
        case "anti-tank":
            return no_anti_tank_shot(position, unit)
        case "missile":
            return no_missile(position, unit)
        case "flamethrower" if not unit.flames:
            return Refusal("{} has no flamethrower shots left", "STD-7", (unit.name,))
        case "mounted":
            return no_mounted_fire(position, unit)
    if unit.kind.attack == 0:
        return Refusal("{} has no attack strength", "WTT-7", (unit.name,))
    return None


def no_split_fire(unit: Stand) -> Refusal | None:
    """Reject Split Move and Fire to all but the vehicles so marked [SMF-4, SMF-5, FIX-1]."""
    if unit.kind.smf == "X":
        return None
    if unit.kind.smf == "F":
        return Refusal("{} has a fixed gun: no Split Move and Fire", "FIX-1", (unit.name,))
    rule = "SMF-5" if unit.vehicle else "SMF-4"
    return Refusal("{} cannot use Split Move and Fire", rule, (unit.name,))


def no_anti_tank_shot(position: Position, unit: Stand) -> Refusal | None:
    """Reject a stand without anti-tank weapons; scouts never have them [STD-5, STD-12]."""
    if unit.kind.type == "scout":
        return Refusal("{} are scouts and have no anti-tank weapons", "STD-5", (unit.name,))
    if not unit.anti_tank or weapon(position, unit, "anti-tank") is None:
        return Refusal("{} has no anti-tank shots left", "STD-12", (unit.name,))
    return None


def no_missile(position: Position, unit: Stand) -> Refusal | None:
    """Reject a vehicle without a missile left [WGM-3], or one that has fired its cannon in this turn [WGM-5]."""
    if not unit.missiles or weapon(position, unit, "missile") is None:
        return Refusal("{} has no missile left", "WGM-3", (unit.name,))
    if unit.shot not in ("", "missile"):
        return Refusal("{} has fired its cannon in this turn", "WGM-5", (unit.name,))
    return None


def no_cannon(unit: Stand, manner: Manner) -> Refusal | None:
    """Reject the cannon of a vehicle that has fired its missile in this turn [WGM-5]."""
    if unit.shot == "missile" and manner != "missile":
        return Refusal("{} has fired its missile in this turn", "WGM-5", (unit.name,))
    return None


def no_mounted_fire(position: Position, unit: Stand) -> Refusal | None:
    """Reject a passenger that cannot fire from its carrier [MIF-1, TRN-10]."""
    if unit.carrier is None:
        return Refusal("{} is no passenger", "MIF-1", (unit.name,))
    carrier = position.units[unit.carrier]
    if not carrier.kind.mounted_fire or unit.kind.type not in MOUNTED or not unit.kind.attack:
        return Refusal("{} is being transported and cannot fire from {}", "TRN-10", (unit.name, carrier.name))
    return None


# --- the target -----------------------------------------------------------------------------------------------


def no_target(position: Position, name: str) -> Refusal | None:
    """Reject a name that is no unit on the table, no fortification and no bridge."""
    if name in position.units:
        return off_the_table(position.units[name])
    work = position.works.get(name)
    if work is not None:
        rule = "IMP-4" if work.kind.startswith("improved") else "PSD-1"
        return None if work.kind == "fort" else Refusal("Only fortifications are attacked as such", rule)
    bridges = (each for each in position.table.ground.features if each.kind == "bridge" and each.id == name)
    standing = any(fallen(each).id not in position.works for each in bridges)
    return None if standing else Refusal("There is no target {}", PROCEDURE, (name,))


def not_a_target(position: Position, unit: Stand, name: str) -> Refusal | None:
    """Reject a friend, a passenger inside a carrier, a fortification with friends, a bridge to mortars.

    One's own fortification is a target if nobody is in it [FRT-10].
    """
    if name in position.works:
        friends = any(each.side == unit.side for each in inside(position, position.works[name]))
        return Refusal("Your own units are in the fortification", PROCEDURE) if friends else None
    if name not in position.units:
        return Refusal("Mortars do not destroy bridges", "BRI-6") if unit.kind.weapon == "M" else None
    target = position.units[name]
    if target.side == unit.side:
        return Refusal("{} is on your side", PROCEDURE, (target.name,))
    if target.flying:
        return Refusal("{} is in the air: only anti-aircraft fire reaches it", "AAD-2", (target.name,))
    if target.carrier is not None and not rides(position, target):
        return Refusal("{} is inside its carrier: attack the carrier", "TRN-9", (target.name,))
    return None


# --- the line -------------------------------------------------------------------------------------------------


def cannot_hit(position: Position, unit: Stand, name: str, manner: Manner) -> Refusal | None:
    """Reject fire of a unit at a target in a manner, whatever the phase [DF-1, DF-3, DF-6]."""
    if refusal := unable(position, unit, manner) or no_target(position, name):
        return refusal
    return not_a_target(position, unit, name) or out_of_line(position, unit, target_of(position, name), manner)


def cannot_hit_stand(position: Position, unit: Stand, target: Stand, manner: Manner) -> Refusal | None:
    """Reject fire of a unit at an enemy stand, as it is or as it would be elsewhere."""
    return unable(position, unit, manner) or out_of_line(position, unit, at_stand(position, target), manner)


def out_of_line(position: Position, unit: Stand, target: Target, manner: Manner) -> Refusal | None:
    """Reject a target beyond range, arc and sight, unspotted, or proof against the weapon."""
    assert unit.at is not None
    arm = weapon(position, unit, manner)
    assert arm is not None
    far, reach = square(unit.at, target.at), range_inches(position.charts, arm)
    if manner == "flamethrower":
        reach = min(reach, int(position.charts.named["flamethrower range in inches"]))
    return (
        out_of_range(unit.name, reach, far)
        or out_of_arc(position, unit, target.name, target.at)
        or unseen(position, unit, target)
        or lost_missile(position, unit, target, arm)
        or powerless(position, unit, target, arm, far)
    )


def powerless(position: Position, unit: Stand, target: Target, arm: Kind, far: int) -> Refusal | None:
    """Reject a weapon without effect on any kind of target that this one counts as [WEC-1, HDN-5]."""
    reach = range_inches(position.charts, arm)
    found = [no_effect(position.charts, unit.name, arm.weapon, kind, reach, far) for kind in target.kinds]
    return None if None in found else found[0]


def unseen(position: Position, unit: Stand, target: Target) -> Refusal | None:
    """Reject a target out of sight, or in cover and not spotted [DF-1, DF-6, LOS-3, SPT-1]."""
    if target.unit is not None:
        return out_of_sight(position, unit, target.unit) or not_spotted(position, unit, target.unit)
    assert unit.at is not None
    line, clouds = position.lines.line(unit.at, target.at), position.clouds
    smoke = position.setting.smoke(clouds).spans(unit.at, target.at) if clouds else ()
    covers = cover(position.charts, line, smoke) if target.fort else []
    limit = sight_limit(
        position.charts, position.setting.sections.visibility, "heavy", ground_of(covers), position.roll
    )
    if unit.flying:  # nothing blocks its line [AIL-2]
        return unspotted_from_above(position.charts, target.name, covers, line, limit)
    if far := beyond_sight(target.name, limit, square(unit.at, target.at)):
        return far
    block = position.lines.block(unit.at, target.at, None, smoke)
    return block.refusal if block else hidden_in_cover(position.charts, target.name, covers, line)


def out_of_arc(position: Position, unit: Stand, name: str, at: Point) -> Refusal | None:
    """Reject a target, called by its name, at a point beside the field of fire [FOF-1, FOF-2], by its two options.

    Guns off the table have none.
    """
    if unit.at is None or not bound_to_arc(position, unit) or in_arc(unit.at, unit.facing, at, HALF_ARC):
        return None
    return Refusal("{} is not in the field of fire of {}", "FOF-1", (name, unit.name))


def bound_to_arc(position: Position, unit: Stand) -> bool:
    """Return whether a unit fires within its field of fire only [FOF-1, FRT-15].

    By the first option these are guns so marked that do not move; mortars and guns that fire at aircraft only in
    fortifications. By the second all units in fortifications are bound.
    """
    in_fort = unit.work in position.works and position.works[unit.work].kind == "fort"
    if in_fort and position.setting.has("FRT-15"):
        return True
    if not position.setting.has("FOF-1") or unit.kind.movement:
        return False
    exempt = unit.kind.type == "mortar" or unit.kind.anti_aircraft
    return in_fort if exempt else unit.kind.field_of_fire


def lost_missile(position: Position, unit: Stand, target: Target, arm: Kind) -> Refusal | None:
    """Reject a missile whose wire would lie across woods or a river [WGM-1, WGM-6, WGM-7]."""
    if arm.weapon != "G":
        return None
    assert unit.at is not None
    line = position.lines.line(unit.at, target.at)
    high = [unit.flying or line.levels[0] > 0, line.levels[1] > 0]
    if not any(high) and (wood := crossed(line, ("woods", "heavy-woods"))):
        return Refusal("The wire of the missile would pass through {}", "WGM-6", (wood,))
    if not all(high) and (river := crossed(line, ("water",))):
        return Refusal("The wire of the missile would pass over {}", "WGM-7", (river,))
    return None


def crossed(line: SightLine, kinds: tuple[str, ...]) -> str:
    """The name of the first area of these kinds that a line enters and leaves, if any: RULINGS.md R73."""
    through = (span for span in line.spans if span.feature.kind in kinds and span.enters.key != span.leaves.key)
    inner = (span for span in through if span.enters.key and span.leaves.key != END.key)
    return next((span.feature.name for span in inner), "")
