"""Sense in the Air Phase: drop zones, flights to targets, air strikes, and fire at aircraft."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isqrt

from msgspec.structs import replace

from opfire.core.actions import NOBODY, Choices
from opfire.core.places import INCH, Point
from opfire.core.ruleset import Suggestion
from opfire.core.texts import Text
from opfire.rulesets.panzerblitz_miniatures.actions import EndPhase, Pass
from opfire.rulesets.panzerblitz_miniatures.airpower.air import Arrive, Fly, out_of_touch
from opfire.rulesets.panzerblitz_miniatures.airpower.airborne import TREES, WATER, DropAt
from opfire.rulesets.panzerblitz_miniatures.airpower.antiaircraft import antiaircraft
from opfire.rulesets.panzerblitz_miniatures.airpower.drift import drifted
from opfire.rulesets.panzerblitz_miniatures.airpower.flak import (
    AddGun,
    AimAt,
    AntiAircraftFire,
    GroundFireAll,
    OpenFire,
    calculation,
    cannot_fire_now,
    nearest,
    strength,
)
from opfire.rulesets.panzerblitz_miniatures.airpower.helicopters import left
from opfire.rulesets.panzerblitz_miniatures.airpower.strikes import Hit, Strike, attack
from opfire.rulesets.panzerblitz_miniatures.equipment import range_inches
from opfire.rulesets.panzerblitz_miniatures.fire.attacks import Attack, modifiers, protected, target_of
from opfire.rulesets.panzerblitz_miniatures.pieces import Arm, Stand, UnitId
from opfire.rulesets.panzerblitz_miniatures.thinking.harm import column, harm_at
from opfire.rulesets.panzerblitz_miniatures.thinking.mind import Mind
from opfire.space.measure import length, square

LEAST = 0.01
"""The least gain in victory points for which an aircraft uses a weapon, and a gun fires."""

ARMED, UNARMED = 0.8, 0.3
"""The worth of an aircraft with and without weapons, in victory points."""

NO_DRIFT = 4 / 9
"""The chance that unguided bombs stay within an inch of their aim: no drift, or one inch of it."""

STEP = 3 * INCH
"""The distance of the drop zones that are weighed (1/1000 inch)."""

WATCH = 9
"""The inches from which an observation aircraft looks at the enemy."""


def worth_of(mind: Mind, unit: Stand) -> float:
    """The worth of an aircraft: its weapons, and the points for its loss."""
    armed = unit.kind.attack or any(arm.left for arm in unit.arms)
    return mind.value(unit) + (ARMED if armed else UNARMED)


# --- fire at aircraft -----------------------------------------------------------------------------------------


def flak(mind: Mind, frame: AntiAircraftFire, choices: Choices) -> list[Suggestion]:
    """All guns that reach the best aircraft fire at it together."""
    if frame.target:
        joins = [offer for name in choices.asked for offer in choices.of(name) if isinstance(offer, AddGun)]
        more = [Suggestion(join, 1.0, "all guns together") for join in joins[:1]]
        return [*more, Suggestion(OpenFire(), 0.5, "as planned")]
    aims: dict[UnitId, list[UnitId]] = {}
    for name in choices.asked:
        for offer in choices.of(name):
            if isinstance(offer, AimAt):
                aims.setdefault(offer.target, []).append(offer.unit)
    found = [_volley(mind, frame, target, guns) for target, guns in aims.items()]
    return sorted([*found, Suggestion(Pass(), LEAST, "no fire is worth it")], key=lambda each: -each.worth)


def _volley(mind: Mind, frame: AntiAircraftFire, target: UnitId, guns: Sequence[UnitId]) -> Suggestion:
    chances = calculation(mind.position, tuple(guns), target, frame.occasion).chances()
    hit = float(1 - chances.get("none", 0))
    worth = hit * worth_of(mind, mind.position.units[target])
    route = (*(AddGun(name) for name in guns[1:]), OpenFire())
    return Suggestion(AimAt(guns[0], target), worth, Text("a chance of {:.0%} to hit", (hit,)), route)


def ground_fire() -> list[Suggestion]:
    """Collective ground fire costs nothing [CGF-3]."""
    return [Suggestion(GroundFireAll(), 1.0, "it costs nothing")]


# --- air strikes ------------------------------------------------------------------------------------------------


def gain(mind: Mind, found: Attack) -> float:
    """The expected harm of an air strike, in victory points."""
    position, target = mind.position, target_of(mind.position, found.target)
    assert target.unit is not None
    die, defence = protected(position, found, target)
    modifier = sum(line.amount for line in (*die, *modifiers(position, found, target)))
    shield = float(target.defence) + sum(line.amount for line in defence)
    odds = column(position.charts, float(sum(each.effective for each in found.strengths)), shield)
    if odds is None:
        return 0.0
    level = position.setting.doctrine(target.unit.side).morale
    options = position.setting.options
    return mind.value(target.unit) * harm_at(position.charts, odds, modifier, level, target.unit.order, options)


def strike_gain(mind: Mind, unit: Stand, arm: Arm, target: UnitId) -> float:
    """The expected harm of one weapon at a target, the drift of bombs included [FB-6]."""
    chance = NO_DRIFT if arm.drifts else 1.0
    return chance * gain(mind, attack(mind.position, unit, target, arm.weapon))


def strikes(mind: Mind, choices: Choices) -> list[Suggestion]:
    """The best weapon of each aircraft at its best target."""
    found = [Suggestion(EndPhase(), LEAST, "no attack is worth a weapon")]
    for name in choices.asked:
        for offer in choices.of(name) if name != NOBODY else ():
            if isinstance(offer, Strike) and offer.target in mind.position.units:
                unit = mind.position.units[name]
                arm = next(each for each in unit.arms if each.weapon == offer.weapon)
                worth = strike_gain(mind, unit, arm, offer.target)
                found.append(Suggestion(offer, worth, "it would do the enemy harm"))
    return sorted(found, key=lambda each: -each.worth)


def bombs(mind: Mind, choices: Choices) -> list[Suggestion]:
    """Drifted bombs attack the most valuable unit near them."""
    hits = [offer for offer in choices.of(NOBODY) if isinstance(offer, Hit)]
    units = mind.position.units
    found = [Suggestion(hit, mind.value(units[hit.target]), "the most valuable unit") for hit in hits]
    return sorted(found, key=lambda each: -each.worth)


# --- flights ----------------------------------------------------------------------------------------------------


def flights(mind: Mind, choices: Choices) -> list[Suggestion]:
    """Aircraft arrive, fighter-bombers fly to the best target, and observers to the place with the best view."""
    found = [Suggestion(EndPhase(), 0.0, "all aircraft are where they should be")]
    for name in choices.asked:
        if name != NOBODY:
            found += _flights_of(mind, mind.position.units[name], choices)
    return sorted(found, key=lambda each: -each.worth)


def _flights_of(mind: Mind, unit: Stand, choices: Choices) -> Iterator[Suggestion]:
    if unit.at is None:
        arrivals = [offer for offer in choices.of(unit.id) if isinstance(offer, Arrive)]
        yield from (Suggestion(arrival, 1.0, "its turn has come") for arrival in arrivals[:1])
    elif len(unit.flown) < 2 and not unit.down:
        best = max(_goals(mind, unit, unit.at), default=None)
        if best and best[1] != unit.at and best[0] > LEAST and out_of_touch(mind.position, unit, best[1]) is None:
            yield Suggestion(Fly(unit.id, best[1]), best[0], "the best target lies before it there")


def _goals(mind: Mind, unit: Stand, start: Point) -> Iterator[tuple[float, Point]]:
    """The places to which a flight makes sense, each with its worth less the risk on the way."""
    risk = 0.5 * worth_of(mind, unit)
    for foe in mind.foes:
        if foe.at is None or foe.aircraft:
            continue
        to = foe.at if unit.arms else _aside(foe.at, start, _standoff(mind, unit))
        if unit.helicopter and length(start, to) > left(mind.position, unit):
            continue
        use = _use(mind, unit, foe, to)
        if use > LEAST:
            yield use - risk * danger(mind, unit, (start, to)), to


def _use(mind: Mind, unit: Stand, foe: Stand, to: Point) -> float:
    """The use of an aircraft at a place: its best weapon at this enemy, or the enemies that it watches."""
    if unit.kind.attack and not any(arm.left for arm in unit.arms):
        return mind.prospects(unit, to)
    if not unit.arms:
        return 0.05 * sum(other.at is not None and square(other.at, to) <= (WATCH * INCH) ** 2 for other in mind.foes)
    return max((strike_gain(mind, unit, arm, foe.id) for arm in unit.arms if arm.left), default=0.0)


def _standoff(mind: Mind, unit: Stand) -> int:
    """The inches that an aircraft without an air strike keeps from the enemy: within its range, and in sight of him."""
    reach = range_inches(mind.position.charts, unit.kind)
    return min(WATCH, max(1, reach - 1)) if unit.kind.attack else WATCH


def _aside(at: Point, start: Point, inches: int) -> Point:
    """The place some inches before an enemy, on the way from the start."""
    far = max(1, isqrt(square(at, start)))
    part = max(0, far - inches * INCH)
    return (start[0] + (at[0] - start[0]) * part // far, start[1] + (at[1] - start[1]) * part // far)


def danger(mind: Mind, unit: Stand, way: tuple[Point, ...]) -> float:
    """The chance that anti-aircraft fire hits an aircraft on this way [AIP-2]."""
    position = mind.position
    guns = [foe for foe in mind.foes if cannot_fire_now(foe.side, foe, "air phase") is None]
    limit = mind.seen_from(unit, cover=False, fired=False)
    near = [gun for gun in guns if gun.at is not None and square(nearest(way, gun.at), gun.at) <= limit]
    strengths = [strength(position, gun, way) for gun in near]
    chances = antiaircraft(position.charts, strengths, unit.name, unit.kind.aa_drm).chances()
    return float(1 - chances.get("none", 0))


# --- drop zones -------------------------------------------------------------------------------------------------


def drops(mind: Mind, choices: Choices) -> list[Suggestion]:
    """The drop zone from which a landing does most for the goals, whatever its drift."""
    found = [Suggestion(EndPhase(), 0.0, "no drop zone is worth it")]
    for name in choices.asked:
        if name != NOBODY and (best := max(_zones(mind, name), default=None)):
            found.append(Suggestion(DropAt(name, best[1]), best[0], "the best ground to land on"))
    return sorted(found, key=lambda each: -each.worth)


def _zones(mind: Mind, unit_id: UnitId) -> Iterator[tuple[float, Point]]:
    """The zones with their worth: that of the place, less the stands that drift is likely to cost."""
    position = mind.position
    width, height = position.table.size
    unit = position.units[unit_id]
    landed = replace(unit, status="on the table")
    stake = sum(mind.alone(load) for load in position.pick(position.setting.landings[unit_id].units))
    for y in range(STEP, height, STEP):
        for x in range(STEP, width, STEP):
            safe = _safe(mind, (x, y))
            if safe > 0.5 and mind.nearest_foe((x, y)):
                pull = mind.pull(landed, (x, y)) - mind.caution * mind.value(unit) * mind.danger(landed, (x, y))
                yield 1.0 + safe * pull - (1.0 - safe) * stake, (x, y)


def _safe(mind: Mind, at: Point) -> float:
    """The chance that a landing aimed at a place does not end in water, in trees or off the table."""
    position, bad = mind.position, 0
    for die in range(1, 7):
        for inches in range(1, 7):
            spot = drifted(position.charts, at, die, inches)
            off = spot not in position.table
            bad += off or bool((TREES | WATER).intersection(position.table.ground.at(spot).kinds))
    return 1.0 - bad / 36
