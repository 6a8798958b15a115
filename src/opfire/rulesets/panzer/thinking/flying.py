"""Aircraft and anti-aircraft fire: straight at the best target, level by weapon, shots with a good chance."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import replace

from opfire.core.actions import NOBODY, Action, Choices
from opfire.core.ruleset import Suggestion
from opfire.kit.orders import Pass
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.air import attacks, crossing, flak, landing, paratroops
from opfire.rulesets.panzer.air.attacks import AirAttack
from opfire.rulesets.panzer.air.flak import AntiAircraft, Flak
from opfire.rulesets.panzer.air.gliders import Glide, TouchDown, is_glider
from opfire.rulesets.panzer.air.landing import Land
from opfire.rulesets.panzer.air.phase import LOITER, Enter, Fly, FlyOff, Level, cannot_enter
from opfire.rulesets.panzer.charts import Altitude, Stores
from opfire.rulesets.panzer.indirect import barrages
from opfire.rulesets.panzer.pieces import Flight, Hex, Position, Unit
from opfire.rulesets.panzer.thinking.firing import TAKEN
from opfire.rulesets.panzer.thinking.mind import Mind
from opfire.rulesets.panzer.works import runways
from opfire.space.hexes import opposite

HEIGHTS: dict[Stores, Altitude] = {"strafe": "low", "rockets": "low", "bombs": "medium", "dive bombs": "high"}
"""The altitude at which a weapon is brought to its target."""

ROCKETS = 1
"""The hexes before the end of its path from which an aircraft fires rockets: they fly two hexes at least."""

WORTH_A_FLIGHT = 1.0
"""The points that an attack is expected to bring at least."""

LIKELY = 0.3
"""The chance of an effect from which on anti-aircraft units fire."""


class Run(NamedTuple):
    """An attack that an aircraft can fly straight from the edge: entry, the hex of the attack, its expected points."""

    worth: float
    entry: Hex
    facing: int
    attack: AirAttack
    over: Hex


# --- the attack that is worth most ------------------------------------------------------------------------------


def step(mind: Mind, choices: Choices) -> list[Suggestion]:
    """The best run of an aircraft that can fly now, or the end of the phase."""
    planes = [mind.position.units[name] for name in choices.asked if name != NOBODY]
    if ready := [unit for unit in planes if unit.hex is not None]:
        return [Suggestion(min(landing.departures(mind.position, ready[0]), key=str), 1.0, "armed and refueled")]
    if glider := next((unit for unit in planes if is_glider(unit)), None):
        return _arrival(mind, choices, glider)
    runs = [run for unit in planes for run in runs_of(mind, unit) if run.worth >= WORTH_A_FLIGHT]
    best = max(runs, key=lambda run: (run.worth, run.entry), default=None)
    if best is None:
        return [Suggestion(EndStep(), 0.0, "no target for aircraft")]
    return [Suggestion(Enter(best.attack.unit, best.entry, best.facing), best.worth, "a target for aircraft")]


def _arrival(mind: Mind, choices: Choices, glider: Unit) -> list[Suggestion]:
    """The hex of the Arrival Area that is nearest to a goal."""
    offers = [offer for offer in choices.of(glider.id) if isinstance(offer, Glide)]
    best = min(offers, key=lambda offer: (_to_goal(mind, offer.hex), offer.hex))
    return [Suggestion(best, 0.0, "its passengers are wanted")]


def _to_goal(mind: Mind, hex: Hex) -> int:
    return min((mind.position.map.distance(hex, goal.place) for goal in mind.goals if not goal.leave), default=0)


def _landing(mind: Mind, glider: Unit) -> list[Suggestion]:
    """The way to open ground near a goal, and the landing there."""
    here = glider.airborne.hex
    best = min((here, *crossing.way_ahead(mind.position, glider)), key=lambda hex: _rough(mind, glider, hex))
    action: Action = TouchDown(glider.id) if best == here else Fly(glider.id, best)
    return [Suggestion(action, 0.0, "open ground")]


def _rough(mind: Mind, glider: Unit, hex: Hex) -> tuple[int, int]:
    """The dangers of a run that begins in a hex, and its distance from a goal."""
    run = (crossing.before(mind.position, hex, glider.facing, step) for step in range(glider.aircraft.landing))
    rows = [paratroops.ground_of(mind.position, one).none if one else 0 for one in run]
    near = sum(mind.position.map.distance(str(foe.hex), hex) < glider.aircraft.landing for foe in mind.foes)
    return near - min(rows), _to_goal(mind, hex)


def level(mind: Mind, name: str) -> list[Suggestion]:
    """The altitude of the best run that begins at the hex of the aircraft."""
    unit = mind.position.units[name]
    runs = [run for run in runs_of(mind, unit, unit.airborne.hex) if run.facing == unit.facing]
    best = max(runs, key=lambda run: run.worth, default=None)
    altitude = HEIGHTS[best.attack.stores] if best else "low"
    return [Suggestion(Level(name, "slow", altitude), best.worth if best else 0.0, "the height of its attack")]


def runs_of(mind: Mind, unit: Unit, start: Hex = "") -> Iterator[Run]:
    """The straight runs of an aircraft, each with the points that it is expected to bring."""
    position = mind.position
    for target in position.enemies(unit.side):
        for facing in range(6) if crossing.unguided(position, unit, target) is None else ():
            path = _approach(position, str(target.hex), facing)
            if len(path) < 2 or (start and path[0] != start):
                continue
            if start or cannot_enter(position, unit.side, unit, path[0], facing) is None:
                yield from _with_stores(mind, unit, target, facing, path[:-1])


def _approach(position: Position, hex: Hex, facing: int) -> list[Hex]:
    """The hexes from the edge straight to a hex."""
    path = [hex]
    while (back := crossing.before(position, path[-1], opposite(facing))) is not None:
        path.append(back)
    return path[::-1]


def _with_stores(mind: Mind, unit: Unit, target: Unit, facing: int, path: list[Hex]) -> Iterator[Run]:
    """The attacks at the end of a straight path, as if it were flown."""
    for stores in attacks.STORES:
        flown = path[:-ROCKETS] if stores == "rockets" else path
        if not flown or not attacks.left(unit, stores):
            continue
        hexes = tuple((hex, facing) for hex in flown)
        flight = replace(unit.airborne, hex=flown[-1], path=hexes, speed="slow", altitude=HEIGHTS[stores], since=0)
        there = replace(unit, facing=facing, flight=replace(flight, attacked=False))
        if attacks.cannot_attack(mind.position, unit.side, there, target, stores) is None:
            action = AirAttack(unit.id, target.id, stores)
            yield Run(gain(mind, there, target, stores), flown[0], facing, action, flown[-1])


def gain(mind: Mind, unit: Unit, target: Unit, stores: Stores) -> float:
    """The points that an attack is expected to bring; own units in the pattern count against it."""
    position, to = mind.position, str(target.hex)
    made = attacks.blow(position, unit, attacks.band_of(position, unit, to, stores), stores)
    total = 0.0
    for name in barrages.targets(position, attacks.pattern(position, unit, to, stores)):
        hit = position.units[name]
        chances = attacks.calculation(position, made, hit).chances()
        taken = sum(float(chance) * TAKEN.get(effect, 0.0) for effect, chance in chances.items())
        total += mind.value(hit) * taken * (1.0 if hit.side != unit.side else -1.0)
    return total


# --- over the map -----------------------------------------------------------------------------------------------


def flying(mind: Mind, name: str, choices: Choices) -> list[Suggestion]:
    """The best attack now, or the way to the next target ahead, or off the map."""
    unit = mind.position.units[name]
    if is_glider(unit):
        return _landing(mind, unit)
    offers = [offer for offer in choices.of(name) if isinstance(offer, AirAttack)]
    found = [(gain(mind, unit, mind.position.units[offer.target], offer.stores), offer) for offer in offers]
    worth = [Suggestion(offer, points, "its best target") for points, offer in found if points >= WORTH_A_FLIGHT]
    if worth:
        return sorted(worth, key=lambda each: -each.worth)
    if not _armed(unit) and (runway := _runway_ahead(mind.position, unit)):
        home = Land(name) if runway == unit.airborne.hex else Fly(name, runway)
        return [Suggestion(home, 0.0, "nothing left to attack with")]
    return [Suggestion(_onward(mind, unit), 0.0, "on to the next target")]


def _runway_ahead(position: Position, unit: Unit) -> Hex | None:
    """The first hex straight ahead in which an aircraft can land [7.59.4-arm]."""
    flight = unit.airborne
    hexes = (flight.hex, *crossing.way_ahead(position, unit)) if runways.strips(position) else ()
    over = ((hex, replace(unit, flight=replace(flight, hex=hex))) for hex in hexes)
    return next((hex for hex, there in over if landing.cannot_land(position, there) is None), None)


def _armed(unit: Unit) -> bool:
    """Return whether an aircraft has an attack left."""
    return any(attacks.left(unit, stores) for stores in attacks.STORES)


def _onward(mind: Mind, unit: Unit) -> Action:
    """The flight to the first hex ahead from which a target is worth an attack."""
    flight, path = unit.airborne, unit.airborne.path
    for hex in crossing.way_ahead(mind.position, unit):
        path = (*path, (hex, unit.facing))
        if _worthwhile(mind, replace(unit, flight=replace(flight, hex=hex, path=path))):
            return Fly(unit.id, hex)
    return FlyOff(unit.id)


def _worthwhile(mind: Mind, unit: Unit) -> bool:
    found = attacks.attacks(mind.position, unit)
    return any(gain(mind, unit, mind.position.units[each.target], each.stores) >= WORTH_A_FLIGHT for each in found)


# --- anti-aircraft fire -----------------------------------------------------------------------------------------


def watches(mind: Mind, unit: Unit) -> bool:
    """Return whether a unit should watch the sky: an anti-aircraft unit, as long as the enemy has aircraft."""
    away = crossing.planes(mind.position, mind.other)
    threat = any(_comes(mind.position, plane.airborne) for plane in away)
    return unit.kind.category == "AA" and threat and flak.no_flak(mind.position, unit) is None


def _comes(position: Position, flight: Flight) -> bool:
    """Return whether an aircraft may still appear."""
    return not flight.first or position.turn < flight.first + LOITER


def fire(mind: Mind, frame: AntiAircraft, choices: Choices) -> list[Suggestion]:
    """The shot at the aircraft that is likeliest to take effect, or none."""
    units, found = mind.position.units, []
    for offer in (offer for name in choices.asked if name != NOBODY for offer in choices.of(name)):
        if isinstance(offer, Flak):
            made = flak.calculation(mind.position, units[offer.unit], units[frame.unit])
            chance = 1.0 - float(made.chances().get("no effect", 0))
            if chance >= LIKELY:
                found.append(Suggestion(offer, chance, "a good chance to hit"))
    return sorted(found, key=lambda each: -each.worth) or [Suggestion(Pass(), 0.0, "no good chance")]
