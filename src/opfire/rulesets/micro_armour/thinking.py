"""The worth of a position and sensible moves: the answers to computer players.

They fire where most is to be gained, go for objectives that the enemy holds, and stay where they hold one.
"""

from __future__ import annotations

from collections.abc import Iterator

from opfire.core.actions import NOBODY, Action, Choices
from opfire.core.events import Calculation
from opfire.core.flow import Frame
from opfire.core.places import INCH, Point
from opfire.core.ruleset import Suggestion
from opfire.kit.setup import Ready
from opfire.kit.table import spots
from opfire.rulesets.micro_armour.alternation import Begin
from opfire.rulesets.micro_armour.fire.attacks import Attack, Shot, combat, fire_roll
from opfire.rulesets.micro_armour.fire.standard import cannot_fire, shots_at
from opfire.rulesets.micro_armour.moving.marching import Move
from opfire.rulesets.micro_armour.moving.movement import EndGroup, GroupMove, Moving, Order, Stop
from opfire.rulesets.micro_armour.pieces import Position, Side, Stand
from opfire.rulesets.micro_armour.postures import (
    FormGroup,
    Grouping,
    JoinGroup,
    Mark,
    NoMoreGroups,
    PostureDetermination,
    cannot_fire_and_move,
)
from opfire.rulesets.micro_armour.setup import Place, SetUp, cannot_place, to_place
from opfire.rulesets.micro_armour.shown.previews import attack_of
from opfire.rulesets.micro_armour.victory import NEAR, scores
from opfire.rulesets.micro_armour.works import crossings
from opfire.rulesets.micro_armour.works.labour import (
    Bridge,
    EndWorks,
    EngineeringTasks,
    Labour,
    bridge_name,
    progress,
)
from opfire.rulesets.micro_armour.works.laying import Lay, cannot_lay, stocks, zones
from opfire.rulesets.micro_armour.works.obstacles import obstacles_of
from opfire.space.measure import bearing, direction, square

GAINS = {"-": 0.0, "S": 0.15, "(S)": 0.2, "D": 0.45, "E": 1.0}
"""The worth of each result as a part of the target's own worth."""

USE = 0.02
"""The worth in victory points of a point of a stand's price, for its future use."""

LEAST = 0.05
"""The least gain for which a shot is fired."""

MOST_FIRERS = 3
"""The firers that join an attack at most."""

TURNS = (0, 20, -20, 45, -45, 75, -75)
"""The directions that a mover tries, in degrees off the straight way to its goal."""

LEGS = (20, 12, 9, 6, 4, 3, 2, 1)
"""The lengths of a leg in inches that a mover tries."""


# --- worth ------------------------------------------------------------------------------------------------------


def appraise(sight: Position, side: Side) -> float:
    """The worth of the position to a side: its lead in victory points, and in the future use of its stands."""
    points, other = scores(sight), sight.setting.other[side]
    force = {name: sum(worth(unit) for unit in sight.of(name)) for name in points}
    return points[side] - points[other] + force[side] - force[other]


def worth(unit: Stand) -> float:
    """The worth of a stand in victory points, less while it is shaken."""
    shaken = 0.6 if unit.disorganized else 0.85 if unit.suppressed else 1.0
    return USE * (unit.kind.points or 1) * shaken


def gain(sight: Position, attack: Attack) -> float:
    """The expected gain of the last shot of an attack."""
    shot = attack.shots[-1]
    success = float(fire_roll(sight, attack, shot).chances().get("success", 0))
    return success * _effect(combat(sight, attack, shot)) * worth(sight.units[attack.target])


def _effect(roll: Calculation) -> float:
    return sum(float(chance) * GAINS[result] for result, chance in roll.chances().items())


# --- suggestions ------------------------------------------------------------------------------------------------


def suggest(sight: Position, side: Side, frame: Frame, choices: Choices) -> list[Suggestion]:
    """Moves that make sense, best first."""
    match frame:
        case SetUp():
            return _set_up(sight, side)
        case PostureDetermination():
            return _postures(sight, side, frame)
        case Grouping():
            return _grouping(sight, side, frame, choices)
        case EngineeringTasks():
            return _engineering(sight, side, choices)
        case GroupMove() | Moving():
            return _march(sight, side, frame, choices)
    return _shots(sight, side, frame, choices) or _way_on(side, choices)


def script(sight: Position, side: Side, frame: Frame, choices: Choices) -> list[Suggestion]:
    """The moves of a plain script: at the objectives, and at the enemy."""
    return suggest(sight, side, frame, choices)


def _shots(sight: Position, side: Side, frame: Frame, choices: Choices) -> list[Suggestion]:
    """The shots that are worth firing, best first."""
    found = []
    busy = {unit.id for unit in sight.of(side) if unit.equipment and crossings.stays(sight, unit)}
    for action in choices:
        attack = attack_of(frame, action)
        if attack is not None and attack.shots[-1].unit in busy:
            continue
        if attack is not None and len(attack.shots) <= MOST_FIRERS and not action.final:
            found.append(Suggestion(action, gain(sight, attack), "the best shot"))
    return sorted((each for each in found if each.worth >= LEAST), key=lambda each: -each.worth)


def _way_on(side: Side, choices: Choices) -> list[Suggestion]:
    """The action that goes on with the game where no shot is worth firing: an order, else the end of the step."""
    actions = [*choices]
    begin = [action for action in actions if isinstance(action, Begin) and action.first == side]
    orders = [action for action in actions if isinstance(action, Order)]
    ends = [action for action in actions if action.kind in ("confirm", "done", "pass")]
    return [Suggestion(action, 0.0, "go on") for action in (*begin, *orders, *ends, *actions)[:1]]


# --- set-up -----------------------------------------------------------------------------------------------------


def _set_up(sight: Position, side: Side) -> list[Suggestion]:
    """Place each stand in its zone as near to its goal as it can be."""
    for unit in to_place(sight, side):
        zone = sight.setting.zones[unit.id]
        middle = spots(zone)[0]
        aim = goal(sight, unit, middle) or middle
        for at in sorted(spots(zone), key=lambda at: (square(at, aim), at)):
            if cannot_place(sight, side, unit, at, unit.facing) is None:
                return [Suggestion(Place(unit.id, at, unit.facing), 0.0, "towards the objective")]
    if (work := next(works(sight, side), None)) is not None:
        return [Suggestion(work, 0.0, "across the enemy's way")]
    return [Suggestion(Ready(), 0.0, "everybody stands")]


def works(sight: Position, side: Side) -> Iterator[Lay]:
    """The works that are still to be laid: positions around stands, others as near to the middle of their zone as there
    is room.
    """
    held = [unit.at for unit in sight.of(side) if unit.at is not None and unit.kind.armed and not unit.armoured]
    for work, value in stocks(sight, side):
        for zone in zones(sight, side, work, value):
            places = held if work.endswith("position") else spots(zone)
            acts = (Lay(work, value, at, sight.setting.troops(side).facing) for at in places)
            yield from (act for act in acts if cannot_lay(sight, side, act) is None)


def goal(sight: Position, unit: Stand, at: Point) -> Point | None:
    """The place that a stand goes for: the nearest objective that its side does not hold, else the nearest enemy.

    None for a stand that stays: it is beside an objective of its own side.
    """
    held = [place for name, place in sight.setting.objectives.items() if sight.control.get(name) == unit.side]
    wanted = [place for name, place in sight.setting.objectives.items() if sight.control.get(name) != unit.side]
    if any(square(at, place) <= (3 * NEAR) ** 2 for place in held):
        return None
    enemies = [enemy.at for enemy in sight.enemies(unit.side) if enemy.at is not None]
    return min(wanted or held or enemies, key=lambda place: square(at, place), default=None)


# --- postures ---------------------------------------------------------------------------------------------------


def _postures(sight: Position, side: Side, frame: PostureDetermination) -> list[Suggestion]:
    """Mark the next stand that has to go on; those that can fire well, or hold an objective, stay."""
    for unit in sight.of(side):
        if unit.posture != "firing" or not (_works_on(sight, unit) or _goes(sight, unit)):
            continue
        mark = Mark(unit.id, "fire/move" if _fires_on_the_way(sight, unit) else "movement")
        if frame.refusal(sight, side, mark) is None:
            return [Suggestion(mark, 0.0, "it has to move")]
    return [Suggestion(NoMoreGroups(), 0.0, "nobody else has to move")]


def _works_on(sight: Position, unit: Stand) -> bool:
    """Return whether a stand needs the movement posture for its work: builders, vehicles, engineers in wire."""
    if not crossings.stays(sight, unit):
        return False
    return unit.vehicle or all(work.kind == "wire" for work in obstacles_of(sight, unit))


def _goes(sight: Position, unit: Stand) -> bool:
    """Return whether a stand has to move: it can, it has a goal far away, and no good shot keeps it."""
    if not unit.kind.mov_points or unit.at is None or unit.rank == "GHQ" or crossings.stays(sight, unit):
        return False
    aim = goal(sight, unit, unit.at)
    if aim is None or square(unit.at, aim) <= NEAR**2:
        return False
    if crossings.builder(sight, unit):
        return True
    return best_shot(sight, unit) < 3 * LEAST or unit.personnel


def _fires_on_the_way(sight: Position, unit: Stand) -> bool:
    return cannot_fire_and_move(unit) is None and unit.armoured and best_shot(sight, unit) >= LEAST


def best_shot(sight: Position, unit: Stand) -> float:
    """The greatest gain of a shot that a stand can fire now."""
    if cannot_fire(sight, unit.side, unit) is not None:
        return 0.0
    return max((gain(sight, attack) for attack in _attacks(sight, unit)), default=0.0)


def _attacks(sight: Position, unit: Stand) -> Iterator[Attack]:
    for target in sight.enemies(unit.side):
        for manner in shots_at(sight, unit, target):
            yield Attack(target.id, (Shot(unit.id, manner),))


def _grouping(sight: Position, side: Side, frame: Grouping, choices: Choices) -> list[Suggestion]:
    """Add every stand in contact that has to go on, then declare the group complete."""
    joining = [action for actor in choices.asked if actor != NOBODY for action in choices.of(actor)]
    going = [action for action in joining if isinstance(action, Action) and _joins(sight, action, frame)]
    complete = [FormGroup()] if frame.refusal(sight, side, FormGroup()) is None else []
    rest = [action for action in joining if isinstance(action, Action)]
    return [Suggestion(action, 0.0, "one group") for action in (*going, *complete, *rest)[:1]]


def _joins(sight: Position, action: Action, frame: Grouping) -> bool:
    return isinstance(action, JoinGroup) and _goes(sight, sight.units[action.unit]) and len(frame.stands) < 6


# --- engineers --------------------------------------------------------------------------------------------------


def _engineering(sight: Position, side: Side, choices: Choices) -> list[Suggestion]:
    """Let everybody work; a bridge is built where it was begun, else as near to the goal as can be."""
    acts = [action for action in choices if isinstance(action, Labour | Bridge)]
    ranked = sorted(acts, key=lambda action: _bridge_rank(sight, action))
    return [Suggestion(action, 0.0, "engineers at work") for action in ranked] or [Suggestion(EndWorks(), 0.0, "done")]


def _bridge_rank(sight: Position, action: Action) -> tuple[int, int]:
    if not isinstance(action, Bridge):
        return 0, 0
    unit = sight.units[action.unit]
    aim = goal(sight, unit, action.to) or action.to
    return -progress(unit, bridge_name(action.to, action.facing)), square(action.to, aim)


# --- movement ---------------------------------------------------------------------------------------------------


def _march(sight: Position, side: Side, frame: GroupMove | Moving, choices: Choices) -> list[Suggestion]:
    """Lead the next stand towards its goal, or end its move."""
    movers = [frame.unit] if isinstance(frame, Moving) else [name for name in choices.asked if name != NOBODY]
    for name in movers:
        unit = sight.units[name]
        if unit.at is None or crossings.stays(sight, unit):
            continue
        if (aim := goal(sight, unit, unit.at)) is not None:
            way = crossings.waypoint(sight, unit, aim)
            direct = Move(unit.id, way, bearing(unit.at, way))
            if way != aim and way != unit.at and frame.refusal(sight, side, direct) is None:
                return [Suggestion(direct, 0.0, "to a crossing")]
            leg = next(_legs(sight, side, frame, unit, unit.at, way), None)
            if leg is not None:
                return [Suggestion(leg, 0.0, "towards the objective")]
    end: Action = Stop(frame.unit) if isinstance(frame, Moving) else EndGroup()
    return [Suggestion(end, 0.0, "nowhere better to go")]


def _legs(sight: Position, side: Side, frame: GroupMove | Moving, unit: Stand, at: Point, aim: Point) -> Iterator[Move]:
    """The legs that bring a stand nearer to its goal, the longest and straightest first."""
    straight = bearing(at, aim)
    for inches in LEGS:
        for turn in TURNS:
            heading = (straight + turn) % 360
            to = _beyond(at, heading, inches)
            nearer = square(to, aim) < square(at, aim) - INCH * INCH // 4
            if nearer and to in sight.table:
                leg = Move(unit.id, to, heading)
                if frame.refusal(sight, side, leg) is None:
                    yield leg


def _beyond(at: Point, heading: int, inches: int) -> Point:
    """The point at a distance in a direction."""
    east, south = direction(heading)
    return at[0] + east * inches // INCH, at[1] + south * inches // INCH
