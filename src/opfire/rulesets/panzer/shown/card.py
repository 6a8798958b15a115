"""The Data Card of a unit as the client draws it [3.5], with the shots between it and another unit [4.4.3, 6.5.2]."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from opfire.core.actions import Refusal
from opfire.core.cards import Band, Card, Curve, Duel, Fact, Plate, Spot
from opfire.core.texts import called, say
from opfire.rulesets.panzer.charts import BANDS, Aircraft, Angle, Code, Leg, Vehicle, Weapon
from opfire.rulesets.panzer.fire import ap_fire, hits
from opfire.rulesets.panzer.fire.ap_fire import Aim
from opfire.rulesets.panzer.fire.arms import arm_at
from opfire.rulesets.panzer.fire.shots import shot
from opfire.rulesets.panzer.pieces import Position, Side, Unit, UnitId, away
from opfire.rulesets.panzer.shown.view import TYPES

SEEN_FROM: dict[Angle, tuple[Code, ...]] = {
    "front": ("TF", "HF"),
    "front side": ("TF", "TS", "HF", "HS"),
    "rear side": ("TS", "TR", "HS", "HR"),
    "rear": ("TR", "HR"),
}
"""The faces of turret and hull that a level shot from each Hit Angle may strike [6.5.2.2]."""

FACES = {"F": "front", "S": "side", "R": "rear"}
TURRETS = {0: "none", 360: "all around"}


def card(sight: Position, side: Side, *, unit: UnitId, at: UnitId | None = None) -> dict[str, Any]:
    """The card of a unit; with `at` the shots between it and that unit as they stand now."""
    one = sight.units[unit]
    duels = tuple(_duels(sight, one, sight.units[at])) if at else ()
    kind = TYPES.get(one.kind.category, one.kind.category)
    return Card(
        unit, called(one.name), say(kind), tuple(_facts(one)), tuple(_plates(sight, one)), _curves(sight, one), duels
    ).to_json()


def _facts(unit: Unit) -> Iterator[Fact]:
    """The figures of a card [3.5]."""
    kind = unit.kind
    yield Fact(say("In service"), say("{} to {}", kind.first, kind.last), "3.5")
    yield Fact(say("Points"), str(kind.pts), "3.5")
    if isinstance(kind, Vehicle):
        yield Fact(say("Basic armor, front and rear"), say("{} and {}", kind.basic_front, kind.basic_rear), "4.4.3.2.5")
        yield Fact(say("Size"), f"{kind.size:+d}" if kind.size else "0", "4.4.3.2.2-size")
        yield Fact(say("Turret"), say(TURRETS.get(kind.tt, "turns {} hexsides"), kind.tt), "4.4.3.1")
        yield Fact(say("Weight and crew"), f"{kind.weight:g} t, {kind.crew}", "3.5")
    if isinstance(kind, Aircraft):
        yield from _of_aircraft(unit, kind)
        return
    yield Fact(say("Movement across country"), f"{kind.m_cc}{kind.traction}", "4.5.1.1")
    if not isinstance(kind, Leg) and getattr(kind, "path", None):
        yield Fact(say("Movement on path and road"), say("{} and {}", kind.path, kind.road), "4.5.1.1.5")


def _of_aircraft(unit: Unit, kind: Aircraft) -> Iterator[Fact]:
    """The figures of an aircraft: its defence, its weapons with the attacks that are left [5.16.2.6, 6.7.1]."""
    flight = unit.airborne
    yield Fact(say("GP Defense"), kind.gpd, "6.5.4.2.4")
    if kind.strafes:
        words = "factor {}, small arms; {} left" if kind.strafe_small_arms else "factor {}; {} left"
        yield Fact(say("Strafing"), say(words, kind.strafe, flight.strafes), "6.7.3.2")
    if kind.bombs:
        yield Fact(say("Bombs"), say("factor {}; {} left", kind.bomb, flight.bombs), "6.7.3.3")
    if kind.rockets:
        yield Fact(
            say("Rockets"), say("factor {} to {}; {} left", kind.rocket_p, kind.rocket_e, flight.rockets), "6.7.3.4"
        )


def _plates(sight: Position, unit: Unit) -> Iterator[Plate]:
    """The Armor Factors of turret and hull from every Hit Angle, against level shot [6.5.2.3]."""
    row = sight.charts.armour.get((unit.kind.id, "level"))
    if row is None:
        return
    for angle, codes in SEEN_FROM.items():
        for code in codes:
            part = "turret" if code[0] == "T" else "hull"
            yield Plate(part, angle, FACES[code[1]], called(sight.charts.locations[code].name), row.at(angle, code))  # type: ignore[arg-type]


def _curves(sight: Position, unit: Unit) -> tuple[Curve, ...]:
    """The penetration of the main weapon of a vehicle, for each of its rounds [3.5.2]."""
    kind = unit.kind
    rows = sight.charts.rows_of(kind.main, "V", "AP") if isinstance(kind, Vehicle) and kind.main else []
    return tuple(Curve(say("{}, {}", row.name, row.ammo), "3.5.2", tuple(_bands(row))) for row in rows)


def _bands(weapon: Weapon) -> Iterator[Band]:
    for band in BANDS:
        if weapon.reach(band):
            yield Band(band, weapon.reach(band), weapon.value(band))


# --- two vehicles ------------------------------------------------------------------------------------------------


def _duels(sight: Position, one: Unit, other: Unit) -> Iterator[Duel]:
    if one.side != other.side and one.hex is not None and other.hex is not None:
        yield duel(sight, one, other)
        yield duel(sight, other, one)


def duel(sight: Position, firer: Unit, target: Unit) -> Duel:
    """A shot as the two stand now, and one hit by its location [4.4.3.2, 6.5.2.2 to 6.5.2.5]."""
    hexes, arm = away(sight, firer, target), arm_at(sight, firer, target)
    if isinstance(arm, Refusal):
        return Duel(firer.id, target.id, hexes, refusal=arm.sentence(), rule=arm.rule)
    band = ap_fire.range_factor(arm.row, hexes)
    assert band is not None
    aim = _aim(sight, firer, target, arm.row) if arm.is_ap else None
    return Duel(
        firer.id,
        target.id,
        hexes,
        band,
        aim and aim.angle,
        arm.row.value(band),
        shot(sight, firer, target, False),
        tuple(_spots(sight, aim)) if aim else (),
        say("One hit by location" if sight.setting.advanced else "One hit by location, in the Advanced Game"),
        "6.5.2.2",
    )


def _aim(sight: Position, firer: Unit, target: Unit, weapon: Weapon) -> Aim:
    """The shot at the target as its hits are resolved, with its shelter and Height [6.5.2.2, 6.5.2.2.3]."""
    band = ap_fire.range_factor(weapon, away(sight, firer, target))
    assert band is not None
    return hits.aim(sight, hits.Round(firer, target.id, weapon, band))


def _spots(sight: Position, aim: Aim) -> Iterator[Spot]:
    """Each Hit Location with its chance, its armor and the chance of each effect, most exposed first."""
    found: dict[Code, dict[str, int]] = {}
    for roll in range(1, ap_fire.DIE + 1):
        hit = ap_fire.resolve(sight.charts, aim, roll)
        effects = found.setdefault(hit.code, {})
        effects[EFFECTS[hit.effect]] = effects.get(EFFECTS[hit.effect], 0) + 1
    for code, effects in sorted(found.items(), key=lambda row: -sum(row[1].values())):
        armor = None if code == "TK" else ap_fire.met(sight.charts, aim, code)
        chances = tuple((name, Fraction(number, ap_fire.DIE)) for name, number in effects.items())
        chance = Fraction(sum(effects.values()), ap_fire.DIE)
        yield Spot(called(sight.charts.locations[code].name), chance, armor, chances)


EFFECTS: dict[ap_fire.Effect, str] = {
    "miss": "miss",
    "no penetration": "no penetration",
    "track": "track hit",
    "ND": "no damage",
    "DM": "damaged",
    "KO": "knocked out",
    "BU": "brewed up",
}
"""The effects of one hit in words."""
