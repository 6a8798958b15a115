"""Artillery of the computer players: fire at what is seen, and missions on the places where the enemy will be."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from opfire.core.actions import NOBODY
from opfire.core.places import INCH, Point
from opfire.core.ruleset import Suggestion
from opfire.kit.table import spots
from opfire.rulesets.micro_armour.artillery.batteries import batteries, is_battery, markers
from opfire.rulesets.micro_armour.artillery.close_support import CloseSupport, cannot_support, rolls, shots
from opfire.rulesets.micro_armour.artillery.direct import FireDirect, cannot_fire_direct
from opfire.rulesets.micro_armour.artillery.observers import Host, NoMoreObservers, ObserverHosts, observers
from opfire.rulesets.micro_armour.artillery.phase import ArtilleryPhase, CarryOut
from opfire.rulesets.micro_armour.artillery.plotting import EndPlot, JointPlot, PlotFire
from opfire.rulesets.micro_armour.artillery.preset import CeaseFire, KeepFiring
from opfire.rulesets.micro_armour.artillery.record import delay, due, record
from opfire.rulesets.micro_armour.artillery.sheafs import SHAPES, Compass, Pattern, Sheaf
from opfire.rulesets.micro_armour.artillery.writing import Aim, ChooseSheaf, Writing, cannot_aim, open_line
from opfire.rulesets.micro_armour.cohesion import SUCCESS
from opfire.rulesets.micro_armour.pieces import Position, Side, Stand, UnitId
from opfire.rulesets.micro_armour.players.worth import damage, shelled, worth
from opfire.space.measure import square

LEAST = 0.05
"""The least gain for which artillery fires."""

NEAR = 3 * INCH // 2
"""The distance from a marker within which fire that may deviate threatens a stand (1/1000 inch)."""

UNDER = INCH // 2
"""The distance from a marker within which it covers half of a stand."""

PLACES = 12
"""The places that are tried for a mission."""

SHARED = 2
"""The part, as a divisor, of a stand's worth that is left for the fire of a second battery."""

MOVES = 0.5
"""The chance that a stand marked to move gets on as it wants, its rolls and the fire on its way counted."""

Goal = Callable[[Position, Stand, Point], Point | None]
"""The place that a stand goes for, seen from its own place."""


# --- the artillery phase ----------------------------------------------------------------------------------------


def fire(sight: Position, side: Side, frame: ArtilleryPhase) -> list[Suggestion]:
    """Missions that are due come first, then the best shots."""
    if not frame.begun:
        return []
    if frame.free == "" and (waiting := due(sight, side)):
        return [Suggestion(CarryOut(waiting[0].id), 0.0, "it is due")]
    found = [*_direct(sight, side), *_close_support(sight, side)]
    return sorted((each for each in found if each.worth >= LEAST), key=lambda each: -each.worth)


def _direct(sight: Position, side: Side) -> Iterator[Suggestion]:
    for unit in batteries(sight, side):
        if unit.at is None or unit.fired:
            continue
        for target in sight.enemies(side):
            for pattern, toward in shapes(unit):
                assert target.at is not None
                shot = FireDirect(unit.id, target.at, pattern, toward)
                hit = [*_under(sight, Sheaf(shot.to, markers(unit), pattern, toward))]
                expected = shelled(sight, unit, hit) / 2
                if expected >= LEAST and cannot_fire_direct(sight, side, unit, shot) is None:
                    yield Suggestion(shot, expected, "shells on what it sees")


def _under(sight: Position, sheaf: Sheaf) -> Iterator[Stand]:
    """The stands on which the markers of a sheaf would lie."""
    for at in sheaf.places(sight.setting.sections.north):
        yield from (unit for unit in sight.all() if unit.at is not None and square(unit.at, at) <= UNDER**2)


def _close_support(sight: Position, side: Side) -> Iterator[Suggestion]:
    for unit in sight.of(side):
        if cannot_support(side, unit) is None:
            for shot in shots(sight, side, unit):
                yield Suggestion(shot, _supported(sight, shot), "close support")


def _supported(sight: Position, shot: CloseSupport) -> float:
    target = sight.units[shot.target]
    made = rolls(sight, sight.units[shot.unit], target)
    return float(made.fire.chances().get(SUCCESS, 0)) * damage(sight, made.combat, target)


def shapes(unit: Stand) -> Iterator[tuple[Pattern, Compass]]:
    """The sheafs that are tried: four directions for several markers, else the closed one."""
    several = markers(unit) > 1
    return (shape for shape in SHAPES[: 1 if not several else 5] if (shape[0] == "open") == several)


# --- observers --------------------------------------------------------------------------------------------------


def hosts(sight: Position, side: Side, frame: ObserverHosts, goal: Goal) -> list[Suggestion]:
    """Observers go with the stands that are nearest to the goal of their side, and with no headquarters.

    Those that are still to come are far away: among them armed vehicles, strong and quick, see the enemy first.
    """
    able = [unit for name in frame.actors(sight, side) if name != NOBODY and (unit := sight.units[name]).rank == ""]
    ranked = sorted(able, key=lambda unit: (*_far(sight, unit, goal), unit.id))
    return [Suggestion(Host(ranked[0].id) if ranked else NoMoreObservers(), 0.0, "it will see the enemy")]


def _far(sight: Position, unit: Stand, goal: Goal) -> tuple[bool, float]:
    """The distance of a stand from its goal, in a measure for comparison alone."""
    if unit.at is None:
        leads = unit.armoured and unit.kind.armed and not is_battery(unit)
        return True, -worth(unit) * (unit.kind.mov_points or 0) if leads else 0
    aim = goal(sight, unit, unit.at)
    return False, 0 if aim is None else square(unit.at, aim)


# --- the plot ---------------------------------------------------------------------------------------------------


class Then(NamedTuple):
    """The threats of a sheaf when its mission falls: the places with the worth at risk, and where to aim first."""

    enemies: list[tuple[Point, float]]
    friends: list[tuple[Point, float]]
    aims: list[Point]


class Expected:
    """The places where all stands will be; each number of turns is thought through once for all batteries."""

    def __init__(self, sight: Position, side: Side, goal: Goal) -> None:
        self.sight, self.side, self.goal = sight, side, goal
        missions = (mission for mission in record(sight, side) if mission.until > sight.turn)
        self.marked = [*dict.fromkeys(at for mission in missions for at in _places(sight, mission.sheaf))]
        self.known: dict[int, Then] = {}

    def after(self, turns: int) -> Then:
        """The threats after this number of movement phases."""
        if turns not in self.known:
            self.known[turns] = self._after(turns)
        return self.known[turns]

    def _after(self, turns: int) -> Then:
        sight, goal = self.sight, self.goal
        enemies = [here for unit in sight.enemies(self.side) for here in expected(sight, unit, turns, goal)]
        friends = [here for unit in sight.of(self.side) for here in expected(sight, unit, turns, goal)]
        dearest = sorted(enemies, key=lambda each: (-worth(each[1]) * each[2], each[1].id))
        places = [*dict.fromkeys(at for at, _, _ in dearest)][:PLACES]
        return Then(at_risk(enemies, self.marked), at_risk(friends, ()), places)


def plot(sight: Position, side: Side, goal: Goal) -> list[Suggestion]:
    """The next battery without a mission gets one on the place where most of the enemy will be."""
    expected = Expected(sight, side, goal)
    for plotter in observers(sight, side):
        for unit in batteries(sight, side):
            choice = _mission(sight, side, unit, plotter.id, expected)
            if choice is not None:
                return [choice]
    return [Suggestion(EndPlot(), 0.0, "nothing else to plot")]


def _places(sight: Position, sheaf: Sheaf) -> tuple[Point, ...]:
    return sheaf.places(sight.setting.sections.north)


def _mission(sight: Position, side: Side, unit: Stand, plotter: UnitId, expected: Expected) -> Suggestion | None:
    action = PlotFire(unit.id, plotter)
    if unit.id == plotter or JointPlot(side).refusal(sight, side, action) is not None:
        return None
    line = open_line(sight, side, "support", unit, plotter, "")
    if line.due - sight.turn > delay(sight, unit):
        return None
    then = expected.after(line.due - sight.turn)
    best = max(_aims(sight, line, unit, then), key=lambda found: found[0], default=None)
    if best is None or best[0] < LEAST:
        return None
    value, to, pattern, toward = best
    turned = () if (pattern, toward) == (line.pattern, line.toward) else (ChooseSheaf(pattern, toward),)
    return Suggestion(action, value, "where the enemy will be", (*turned, Aim(to)))


def _aims(sight: Position, line: Writing, unit: Stand, then: Then) -> Iterator[tuple[float, Point, Pattern, Compass]]:
    """The sheafs that a mission may have, each with its worth."""
    for at in then.aims:
        for pattern, toward in shapes(unit):
            aimed = replace(line, pattern=pattern, toward=toward)
            sheaf = aimed.sheaf(sight, at)
            places = _places(sight, sheaf)
            value = threat(places, then.enemies) - threat(places, then.friends)
            if value >= LEAST and cannot_aim(sight, aimed, sheaf) is None:
                yield value, sheaf.at, pattern, toward


def preset_targets(sight: Position, side: Side, frame: Writing) -> list[Suggestion]:
    """The target of a battery's preset fire: each has a part of the zone of its own."""
    preset = sight.setting.troops(side).preset
    assert preset is not None
    places = spots(sight.setting.named_zones[preset.zone])
    taken = sum(mission.preset for mission in record(sight, side))
    aims = (Aim(places[(5 * taken + tries) * 7 % len(places)]) for tries in range(len(places)))
    return [Suggestion(aim, 0.0, "a part of the zone") for aim in aims if frame.refusal(sight, side, aim) is None][:1]


def expected(sight: Position, unit: Stand, turns: int, goal: Goal) -> Iterator[tuple[Point, Stand, float]]:
    """The places of a stand after some movement phases, with their chances: ahead, or still where it is now."""
    assert unit.at is not None
    there = ahead(sight, unit, turns, goal)
    if there == unit.at:
        yield there, unit, 1.0
    else:
        yield there, unit, MOVES
        yield unit.at, unit, 1 - MOVES


def at_risk(stands: Iterable[tuple[Point, Stand, float]], marked: Sequence[Point]) -> list[tuple[Point, float]]:
    """The worth that fire takes from each stand at its places; other fire on it, at the marked ones, leaves less."""
    return [(at, likely * worth(unit) / (SHARED if near(at, marked) else 1) / 4) for at, unit, likely in stands]


def threat(places: Sequence[Point], stands: Iterable[tuple[Point, float]]) -> float:
    """The worth that fire takes from the stands near the markers of a sheaf."""
    left, right = min(x for x, _ in places) - NEAR, max(x for x, _ in places) + NEAR
    return sum((value for at, value in stands if left <= at[0] <= right and near(at, places)), 0.0)


def near(at: Point, places: Iterable[Point]) -> bool:
    """Whether one of the places is so near that fire on it may fall here."""
    return any(square(at, place) <= NEAR**2 for place in places)


def ahead(sight: Position, unit: Stand, turns: int, goal: Goal) -> Point:
    """The place of a stand after some movement phases, if it goes on as its posture says: towards its goal."""
    assert unit.at is not None
    aim = goal(sight, unit, unit.at) if unit.posture != "firing" else None
    if aim is None:
        return unit.at
    far = (unit.kind.mov_points or 0) * INCH * turns // (2 if unit.posture == "fire/move" else 1)
    whole = int(square(unit.at, aim) ** 0.5)  # only thinking: no rule depends on it
    if whole <= far:
        return aim
    return unit.at[0] + (aim[0] - unit.at[0]) * far // whole, unit.at[1] + (aim[1] - unit.at[1]) * far // whole


def suggestions(sight: Position, side: Side, frame: object, goal: Goal) -> list[Suggestion]:
    """The suggestions for the frames of artillery; none for any other frame."""
    match frame:
        case ArtilleryPhase():
            return fire(sight, side, frame)
        case ObserverHosts():
            return hosts(sight, side, frame, goal)
        case JointPlot():
            return plot(sight, side, goal)
        case Writing(preset=True):
            return preset_targets(sight, side, frame)
        case CeaseFire():
            return [Suggestion(KeepFiring(), 0.0, "the enemy has to keep his head down")]
    return []
