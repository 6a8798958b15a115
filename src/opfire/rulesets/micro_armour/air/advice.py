"""Computer players in the air: plans, strikes, anti-aircraft fire and landing zones; `thinking` has all else."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

from opfire.core.actions import Action, Choices
from opfire.core.flow import Frame
from opfire.core.places import INCH, Point
from opfire.core.ruleset import Suggestion
from opfire.kit.table import spots
from opfire.rulesets.micro_armour import thinking
from opfire.rulesets.micro_armour.air.defence import AntiAircraft, FireAtAircraft, able
from opfire.rulesets.micro_armour.air.planes import Load, falling, guns, loads
from opfire.rulesets.micro_armour.air.plans import AimBombs, AirPlan, DirectBombs, EndAirPlan, Schedule, cannot_aim
from opfire.rulesets.micro_armour.air.strikes import NEXT, DropBombs, Strafe, attacks, combat, strike_roll
from opfire.rulesets.micro_armour.air.teams import HostTeam, TeamHosts, cannot_host_team
from opfire.rulesets.micro_armour.airborne.drops import Landing
from opfire.rulesets.micro_armour.airborne.zones import ChooseZone, LandingZones, cannot_choose, unwritten
from opfire.rulesets.micro_armour.artillery.coordinates import nearest
from opfire.rulesets.micro_armour.artillery.effects import beneath
from opfire.rulesets.micro_armour.artillery.phase import ArtilleryPhase
from opfire.rulesets.micro_armour.artillery.plotting import JointPlot
from opfire.rulesets.micro_armour.artillery.sheafs import DIRECTIONS, drift
from opfire.rulesets.micro_armour.cohesion import SUCCESS
from opfire.rulesets.micro_armour.pieces import Position, Side, Stand
from opfire.rulesets.micro_armour.players import posts
from opfire.rulesets.micro_armour.players.worth import damage, worth
from opfire.space.measure import square
from opfire.space.terrain.ground import Ground

APART = 3 * INCH
"""The distance between the zones of landing groups, as the book advises [8.10.1.2-dz] (1/1000 inch)."""

NEAR = 5 * INCH
"""The distance from an objective within which no group wants to land (1/1000 inch)."""

GAIN = 0.01
"""The least expected gain of a strike, in victory points: a run costs nothing else."""

HIT = 3 * INCH // 4
"""Bombs strike a stand whose centre is at most this far from their marker (1/1000 inch)."""


def suggest(sight: Position, side: Side, frame: Frame, choices: Choices) -> list[Suggestion]:
    """Moves that make sense, best first."""
    return _in_the_air(sight, side, frame, choices) or thinking.suggest(sight, side, frame, choices)


def script(sight: Position, side: Side, frame: Frame, choices: Choices) -> list[Suggestion]:
    """The moves of a plain script: in the air the same."""
    return _in_the_air(sight, side, frame, choices) or thinking.script(sight, side, frame, choices)


def _in_the_air(sight: Position, side: Side, frame: Frame, choices: Choices) -> list[Suggestion]:
    match frame:
        case AirPlan():
            return [Suggestion(_plan(sight, side), 0.0, "the air plan")]
        case TeamHosts():
            return [Suggestion(action, 0.0, "an air coordination team") for action in _hosts(sight, side)][:1]
        case LandingZones(when=when):
            return [Suggestion(action, 0.0, "near the objective") for action in islice(_zones(sight, side, when), 1)]
        case AntiAircraft(at=at):
            guns_there = able(sight, side, at)
            return [Suggestion(FireAtAircraft(unit.id), 0.0, "fire at the aircraft") for unit in guns_there][:1]
        case ArtilleryPhase(begun=True, free=""):
            return _strikes(sight, side)
        case JointPlot():
            return _directions(sight, choices)
    return []


# --- plans --------------------------------------------------------------------------------------------------------


def _plan(sight: Position, side: Side) -> Action:
    """Aircraft come in the second turn and bomb the enemy's objective; with a team the bombs are plotted later."""
    turn = min(2, sight.setting.scenario.turns)
    for plane in sight.fleet(side):
        if not plane.arrives:
            return Schedule(plane.id, turn)
        number = len(plane.bombs)
        if number < len(loads(sight.charts, plane.kind)) and not sight.coordinators.get(side):
            at = nearest(sight.setting, side, _wanted(sight))
            action = AimBombs(plane.id, plane.bombing_turns[min(number, 1)], at)
            if cannot_aim(sight, side, plane.id, action.turn, at) is None:
                return action
    return EndAirPlan()


def _wanted(sight: Position) -> Point:
    """The first objective, or the middle of the table."""
    middle = sight.table.size[0] // 2, sight.table.size[1] // 2
    return next(iter(sight.setting.objectives.values()), middle)


def _hosts(sight: Position, side: Side) -> Iterator[Action]:
    """Headquarters host air coordination teams, else anybody."""
    for unit in sorted(sight.of(side), key=lambda unit: not unit.rank):
        if cannot_host_team(sight, side, unit) is None and sight.coordinators.get(side, 0) > len(sight.teams):
            yield HostTeam(unit.id)


def _zones(sight: Position, side: Side, when: str) -> Iterator[Action]:
    """The zones near the objective, apart from each other; those of a side with several features are shared out."""
    taken = [drop.at for name, drop in sight.drops.items() if sight.setting.landings[name].side == side]
    for landing in unwritten(sight, side, when):
        whole = dict.fromkeys(nearest(sight.setting, side, at) for at in spots(landing.zone))
        aim = posts.fewest(sight, side, taken) if posts.several(sight, side) else _wanted(sight)
        for at in sorted(whole, key=lambda at: _awkward(sight, at, taken, aim)):
            yield from _zone(sight, side, landing, at)


def _awkward(sight: Position, at: Point, taken: list[Point], aim: Point) -> tuple[int, int, int, Point]:
    """The faults of a zone: near another one, bad ground around it, then off the ring around the objective."""
    crowded = sum(square(at, other) < APART**2 for other in taken)
    far = square(at, aim)
    hazards = _hazards(sight.table.ground, frozenset(sight.charts.landing_terrain), at)
    return crowded, int(far < NEAR**2) + hazards, far, at


@lru_cache(maxsize=8192)
def _hazards(ground: Ground, bad: frozenset[str], at: Point) -> int:
    """The places around a zone, as far as paratroopers drift on target, where nobody lands well."""
    width, height = ground.size
    around = (drift(toward, inches, 0) for toward in DIRECTIONS for inches in (1, 3))
    places = [(at[0] + right, at[1] + down) for right, down in around]
    inside = [(x, y) for x, y in places if 0 <= x <= width and 0 <= y <= height]
    return len(places) - sum(bad.isdisjoint(ground.at(each).kinds) for each in inside)


def _zone(sight: Position, side: Side, landing: Landing, at: Point) -> Iterator[ChooseZone]:
    for toward in DIRECTIONS if landing.group.by == "glider" else DIRECTIONS[:1]:
        action = ChooseZone(landing.id, at, toward)
        if cannot_choose(sight, side, action) is None:
            yield action


# --- strikes ------------------------------------------------------------------------------------------------------


def _strikes(sight: Position, side: Side) -> list[Suggestion]:
    """The air strikes that are worth it, best first."""
    found = [Suggestion(action, _gain(sight, side, action), "an air strike") for action in attacks(sight, side)]
    return sorted((each for each in found if each.worth >= GAIN), key=lambda each: -each.worth)


def _gain(sight: Position, side: Side, action: Action) -> float:
    """The expected gain of a strike that anti-aircraft guns leave alone."""
    match action:
        case Strafe(name, target, beyond):
            load, first = guns(sight.planes[name].kind), sight.units[target]
            gain = _effect(sight, load, first)
            if beyond:
                gain += _succeeds(sight, side, sight.units[beyond], NEXT) * _effect(sight, load, sight.units[beyond])
            return _succeeds(sight, side, first) ** 2 * gain
        case DropBombs(name):
            plane = sight.planes[name]
            held = loads(sight.charts, plane.kind)
            numbers = falling(plane, sight.turn)
            at = plane.bombs[numbers[0]].at
            there = [unit for unit in sight.all() if unit.at is not None and square(unit.at, at) <= HIT**2]
            signs = [(1 if unit.side != side else -1, unit) for unit in there]
            struck = beneath(sight, at)
            return _succeeds(sight, side, struck) ** 2 * sum(
                sign * _effect(sight, held[n], unit) for n in numbers for sign, unit in signs
            )
    return 0.0


def _succeeds(sight: Position, side: Side, target: Stand | None, more: int = 0) -> float:
    """The chance of a roll of a strike at a target, whose terrain counts by one reading: RULINGS.md R62."""
    return float(strike_roll(sight, side, "to attack", 0, more, target=target).chances().get(SUCCESS, 0))


def _effect(sight: Position, load: Load, target: Stand) -> float:
    return damage(sight, combat(sight, load, target), target)


def _directions(sight: Position, choices: Choices) -> list[Suggestion]:
    """The bomb attack that a team plots: on the enemy stand of the greatest worth that is to stay where it is."""
    if not sight.teams:
        return []
    found = [action for name in sight.teams for action in choices.of(name) if isinstance(action, DirectBombs)]
    best = max(found, key=lambda action: _there(sight, action), default=None)
    return [Suggestion(best, 0.0, "bombs on the enemy")] if best is not None else []


def _there(sight: Position, action: DirectBombs) -> float:
    targets = (unit for unit in sight.all() if unit.at == action.to)
    return max((worth(unit) * (2 if not unit.kind.mov_points else 1) for unit in targets), default=0.0)
