"""The worth of a position and sensible moves: the answers to computer players.

They fire where most is to be gained, go for objectives that the enemy holds, and stay where they hold one. The stands
of a formation have one goal. Where the enemy himself is the only goal, large groups stay together on their way, and
stands move to places from which they can fire. Headquarters keep away from the enemy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice, pairwise

from msgspec.structs import replace

from opfire.core.actions import NOBODY, Action, Choices
from opfire.core.flow import Frame
from opfire.core.places import INCH, Point
from opfire.core.ruleset import Suggestion
from opfire.kit.setup import Ready
from opfire.kit.table import spots
from opfire.kit.thinking.views import beyond, middle
from opfire.rulesets.micro_armour.alternation import Begin
from opfire.rulesets.micro_armour.close.close_assault import Assault, LateDeclarations, StoppedInContact
from opfire.rulesets.micro_armour.close.overrun import Overrun
from opfire.rulesets.micro_armour.decisions import contesters, vacant
from opfire.rulesets.micro_armour.fire.attacks import Attack
from opfire.rulesets.micro_armour.moving import marching
from opfire.rulesets.micro_armour.moving.arrivals import Arrivals, Arrive, Exit, nearest
from opfire.rulesets.micro_armour.moving.marching import Move
from opfire.rulesets.micro_armour.moving.movement import (
    EndGroup,
    GroupMove,
    GroupMovement,
    Moving,
    Order,
    Stop,
    group_of,
)
from opfire.rulesets.micro_armour.pieces import Position, Posture, Side, Stand, adjacent
from opfire.rulesets.micro_armour.players import artillery, closing, groups, hunting, leaving, placing, posts, shellfire
from opfire.rulesets.micro_armour.players.closing import place_of
from opfire.rulesets.micro_armour.players.script import nearest_target
from opfire.rulesets.micro_armour.players.worth import assaulted, attacks, best_shot, gain, overrun, worth
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
from opfire.rulesets.micro_armour.shown.moves import reached
from opfire.rulesets.micro_armour.shown.previews import attack_of
from opfire.rulesets.micro_armour.vanguard import SetUpVanguard
from opfire.rulesets.micro_armour.victory import NEAR, scores
from opfire.rulesets.micro_armour.works import crossings
from opfire.rulesets.micro_armour.works.beneath import obstacles_of
from opfire.rulesets.micro_armour.works.labour import (
    Bridge,
    EndWorks,
    EngineeringTasks,
    Labour,
    bridge_name,
    progress,
)
from opfire.rulesets.micro_armour.works.laying import Lay, no_room, stocks, zones
from opfire.rulesets.micro_armour.works.means import has
from opfire.space.measure import MICRO, bearing, direction, square
from opfire.space.squares import around

LEAST = 0.01
"""The least gain for which a shot is fired."""

STAY = 0.05
"""The gain of a shot for which a stand stays and fires, unless its goal calls."""

PACE, IN_HAND = 2, 2
"""The part of its movement that a stand makes good in a turn, and the turns that it keeps in hand."""

FEW = 6
"""The stands of a movement group at most, where there are objectives to go for."""

MOST_FIRERS = 5
"""The firers that join an attack at most."""

GUARDS, ALARM = 2, 10 * INCH
"""The stands that guard an objective, and the distance at which each enemy calls for another (1/1000 inch)."""

ATTACKING = 1.15
"""The superiority in worth from which a side attacks wherever it wants."""

SAFE = 8 * INCH
"""The distance from every enemy that a headquarters keeps (1/1000 inch)."""

AROUND = 12
"""The places in reach that a mover tries where no straight leg leads nearer to its goal."""

TURNS = (0, 20, -20, 45, -45, 75, -75)
"""The directions that a mover tries, in degrees off the straight way to its goal."""

FOLLOWED = 4
"""The places beside the stands that have gone ahead that a hunter weighs with those to fire from."""

SIGHT = 26 * INCH
"""The distance from its enemy from which a stand looks for places to fire from (1/1000 inch)."""

LEGS = (20, 12, 9, 6, 4, 3, 2, 1)
"""The lengths of a leg in inches that a mover tries."""


Steps = Callable[[Position, Side, GroupMove | Moving, Stand, Point, Point], Iterator[Suggestion]]
"""The next steps of a stand of a side, in a frame, from its place to a goal."""


# --- worth ------------------------------------------------------------------------------------------------------


def appraise(sight: Position, side: Side) -> float:
    """The worth of the position to a side: its lead in victory points, and in the future use of its stands."""
    points, other = scores(sight), sight.setting.other[side]
    force = {name: sum(worth(unit) for unit in sight.of(name)) for name in points}
    return points[side] - points[other] + force[side] - force[other]


# --- suggestions ------------------------------------------------------------------------------------------------


def suggest(sight: Position, side: Side, frame: Frame, choices: Choices) -> list[Suggestion]:
    """Moves that make sense, best first."""
    match frame:
        case SetUp():
            return _set_up(sight, side)
        case SetUpVanguard() if posts.several(sight, side):
            return _vanguard(sight, side, choices)
        case PostureDetermination():
            return _postures(sight, side, frame)
        case Grouping():
            return _grouping(sight, side, frame, choices)
        case EngineeringTasks():
            return _engineering(sight, side, choices)
        case Arrivals() if leaving.leaves(sight, side):
            return leaving.arrivals(sight, choices) or _end(choices)
        case Arrivals():
            return _arrive(sight, choices)
        case GroupMove() | Moving():
            return _march(sight, side, frame, choices)
        case LateDeclarations() | StoppedInContact():
            return _late(sight, side, choices)
        case GroupMovement(begun=True) if hunting.hunts(sight, side):
            return groups.orders(sight, side, choices) or _way_on(sight, side, choices)
        case GroupMovement(begun=True) if leaving.leaves(sight, side):
            return leaving.orders(sight, side, choices) or _way_on(sight, side, choices)
    shells = artillery.suggestions(sight, side, frame, goal)
    return shells or _shots(sight, side, frame, choices) or _way_on(sight, side, choices)


def script(sight: Position, side: Side, frame: Frame, choices: Choices) -> list[Suggestion]:
    """The moves of a plain script: everybody at the objectives, fire at the nearest enemy."""
    match frame:
        case SetUp():
            return _set_up(sight, side)
        case PostureDetermination():
            return _all_go(sight, side, frame)
        case Arrivals():
            return _arrive(sight, choices)
        case GroupMove() | Moving():
            return _advance(sight, side, frame, choices, _plain_steps)
    return nearest_target(sight, side, frame, choices) or _way_on(sight, side, choices)


def _shots(sight: Position, side: Side, frame: Frame, choices: Choices) -> list[Suggestion]:
    """The shots that are worth firing, best first."""
    found = []
    busy = {unit.id for unit in sight.of(side) if _is_busy(sight, unit.id)}
    for action in choices:
        attack = attack_of(frame, action)
        if attack is not None and attack.shots[-1].unit in busy:
            continue
        if attack is not None and len(attack.shots) <= MOST_FIRERS and not action.final:
            found.append((attack, Suggestion(action, gain(sight, attack), "the best shot")))
    worthy = [each for attack, each in found if each.worth >= max(LEAST, _alternative(sight, attack))]
    return sorted(worthy, key=lambda each: -each.worth)


def _alternative(sight: Position, attack: Attack) -> float:
    """The gain that a stand gives up that joins in an attack: that of its best shot at another target."""
    *before, shot = attack.shots
    if not before or attack.kind != "standard":
        return 0.0
    others = (each for each in attacks(sight, sight.units[shot.unit]) if each.target != attack.target)
    return max((gain(sight, each) for each in others), default=0.0)


def _way_on(sight: Position, side: Side, choices: Choices) -> list[Suggestion]:
    """The action that goes on with the game where no shot is worth firing: an order, else the end of the step.

    Stands at work need none: an order for them would be lost on another.
    """
    actions = [*choices]
    begin = [action for action in actions if isinstance(action, Begin) and action.first == side]
    orders = [action for action in actions if isinstance(action, Order) and not _are_busy(sight, action.unit)]
    ends = [action for action in actions if action.kind in ("confirm", "done", "pass")]
    return [Suggestion(action, 0.0, "go on") for action in (*begin, *orders, *ends, *actions)[:1]]


def _are_busy(sight: Position, name: str) -> bool:
    """Return whether all stands of the group of a stand have work where they stand."""
    return all(_is_busy(sight, unit.id) for unit in group_of(sight, sight.units[name]))


def _is_busy(sight: Position, name: str) -> bool:
    """Return whether a stand has work where it stands."""
    unit = sight.units[name]
    return bool(unit.equipment) and crossings.stays(sight, unit)


# --- set-up -----------------------------------------------------------------------------------------------------


def _set_up(sight: Position, side: Side) -> list[Suggestion]:
    """Place each stand in its zone as near to its goal as it can be, guns with a view, general headquarters far off."""
    for unit in to_place(sight, side):
        middle = spots(sight.setting.zones[unit.id])[0]
        aim = posts.start(sight, side) if posts.several(sight, side) else goal(sight, unit, middle) or middle
        for at in placing.in_order(sight, unit, aim):
            if cannot_place(sight, side, unit, at, unit.facing) is None:
                return [Suggestion(Place(unit.id, at, unit.facing), 0.0, "towards the objective")]
    if (work := next(works(sight, side), None)) is not None:
        return [Suggestion(work, 0.0, "across the enemy's way")]
    return [Suggestion(Ready(), 0.0, "everybody stands")]


def _vanguard(sight: Position, side: Side, choices: Choices) -> list[Suggestion]:
    """Share the vanguard out to the features that the side has to hold."""
    aim = posts.start(sight, side)
    places = (action for name in choices.asked if name != NOBODY for action in choices.of(name))
    found = [action for action in places if isinstance(action, Place)]
    best = min(found, key=lambda action: (square(action.to, aim), action.to, action.unit), default=None)
    return [Suggestion(best, 0.0, "towards the objective")] if best is not None else _way_on(sight, side, choices)


def works(sight: Position, side: Side) -> Iterator[Lay]:
    """The works that are still to be laid: positions around stands, others as near to the middle of their zone as there
    is room.
    """
    held = [unit.at for unit in sight.of(side) if unit.at is not None and unit.kind.armed and not unit.armoured]
    for work, value in stocks(sight, side):
        for zone in zones(sight, side, work, value):
            places = held if work.endswith("position") else spots(zone)
            acts = (Lay(work, value, at, sight.setting.troops(side).facing) for at in places)
            yield from (act for act in acts if act.to in zone and no_room(sight, act) is None)


def _arrive(sight: Position, choices: Choices) -> list[Suggestion]:
    """Bring the next reinforcement on as near to its goal as it can be."""
    for name in choices.asked:
        found = [action for action in choices.of(name) if isinstance(action, Arrive)]
        if found:
            aim = goal(sight, sight.units[name], found[0].to) or found[0].to
            best = min(found, key=lambda action: (square(action.to, aim), action.to))
            return [Suggestion(best, 0.0, "towards the objective")]
    return _end(choices)


def _end(choices: Choices) -> list[Suggestion]:
    return [Suggestion(action, 0.0, "go on") for action in choices if action.kind == "done"][:1]


def goal(sight: Position, unit: Stand, at: Point) -> Point | None:
    """The place that a stand goes for: the nearest objective that its side does not hold, else the nearest enemy.

    None for a stand that stays beside an objective of its own side: a guard of it, or anybody of a weaker side.
    """
    if unit.at is not None and (post := posts.of(sight, unit)):
        return posts.goal(sight, unit, post)
    objectives = sight.setting.objectives.items()
    held = [
        place
        for name, place in objectives
        if sight.control.get(name) == unit.side and not vacant(sight, unit.side, place)
    ]
    ways_out = [nearest(sight, at, edge) for edge in sorted(sight.setting.exits[unit.side])]
    if ways_out:
        return min(ways_out, key=lambda place: square(at, place))
    wanted = [place for _, place in objectives if place not in held]
    intruders = [each for each in _intruders(sight, unit.side) if square(at, each) <= ALARM**2]
    quiet = [place for place in held if not any(square(place, each) <= (3 * NEAR) ** 2 for each in intruders)]
    if any(square(at, place) <= (3 * NEAR) ** 2 and _stays(sight, unit, place) for place in quiet):
        return None
    if intruders:
        return min(intruders, key=lambda place: square(at, place))
    enemies = [enemy.at for enemy in sight.enemies(unit.side) if enemy.at is not None]
    start = _middle(sight, unit) or at
    if not enemies and hunting.hunts(sight, unit.side):
        return hunting.meeting(sight, unit.side)
    return min(wanted or held or enemies, key=lambda place: square(start, place), default=None)


def _intruders(sight: Position, side: Side) -> list[Point]:
    """The places of enemies in the villages that a side has to hold alone."""
    found = contesters(sight, side).values()
    return [enemy.at for stands in found for enemy in stands if enemy.at is not None]


def _stays(sight: Position, unit: Stand, place: Point) -> bool:
    """Return whether a stand stays at an objective: its side is no stronger, or it is a guard needed there.

    A side that still lacks a feature that it has to hold cannot stay where it is, however weak.
    """
    if not _stronger(sight, unit.side) and not _lacks(sight, unit.side):
        return True
    own = [other for other in sight.of(unit.side) if other.kind.armed and other.at is not None]
    guards = sorted(own, key=lambda other: (square(other.at or place, place), other.id))
    enemies = sum(square(enemy.at or place, place) <= ALARM**2 for enemy in sight.enemies(unit.side))
    return unit.id in {guard.id for guard in guards[: max(GUARDS, enemies)]}


def _lacks(sight: Position, side: Side) -> bool:
    """Return whether a side has nobody in a feature that it has to hold alone, or the enemy is in there, too."""
    places = sight.setting.objectives.values()
    return bool(contesters(sight, side)) or any(vacant(sight, side, place) for place in places)


def _stronger(sight: Position, side: Side) -> bool:
    """Return whether a side is so strong that it can attack wherever it wants."""
    own, other = (sum(worth(unit) for unit in sight.of(name)) for name in (side, sight.setting.other[side]))
    return own > ATTACKING * other


def _middle(sight: Position, unit: Stand) -> Point | None:
    """The middle of the formation of a stand, from which all its stands take one goal; None without a formation."""
    if not unit.formation:
        return None
    own = [other.at for other in sight.of(unit.side) if other.formation == unit.formation and other.at is not None]
    return middle(own) if own else None


# --- postures ---------------------------------------------------------------------------------------------------


def _postures(sight: Position, side: Side, frame: PostureDetermination) -> list[Suggestion]:
    """Mark the next stand that has to go on; those that can fire well, or hold an objective, stay."""
    for unit in sight.of(side):
        if unit.posture != "firing" or not (_works_on(sight, unit) or _goes(sight, unit)):
            continue
        mark = Mark(unit.id, _posture(sight, unit))
        if frame.refusal(sight, side, mark) is None:
            group = _group(sight, side, mark) if frame.groups else ()
            return [Suggestion(mark, 0.0, "they have to move" if group else "it has to move", group)]
    return [Suggestion(NoMoreGroups(), 0.0, "nobody else has to move")]


def _group(sight: Position, side: Side, mark: Mark) -> tuple[Action, ...]:
    """The steps that complete the group of a stand which is marked: all in contact join it that have to go on, too."""
    frame, steps = Grouping(side, mark.posture, (mark.unit,)), list[Action]()
    while (join := next(_joining(sight, side, frame), None)) is not None:
        frame = replace(frame, stands=(*frame.stands, join.unit))
        steps.append(join)
    return (*steps, FormGroup()) if steps else ()


def _joining(sight: Position, side: Side, frame: Grouping) -> Iterator[JoinGroup]:
    """The stands in contact with a group that have to go on in its posture."""
    for actor in frame.actors(sight, side):
        if actor != NOBODY:
            acts = frame.acts(sight, side, actor)
            yield from (act for act in acts if isinstance(act, JoinGroup) and _joins(sight, act, frame))


def _works_on(sight: Position, unit: Stand) -> bool:
    """Return whether a stand needs the movement posture for its work: builders, vehicles, engineers in wire.

    A load may have any.
    """
    if has(unit, "bridge load") or not crossings.stays(sight, unit):
        return False
    return unit.vehicle or all(work.kind == "wire" for work in obstacles_of(sight, unit))


def _goes(sight: Position, unit: Stand) -> bool:
    """Return whether a stand has to move: it can, it has a goal far away, and no good shot keeps it."""
    if not unit.kind.mov_points or unit.at is None or unit.rank == "GHQ" or crossings.stays(sight, unit):
        return False
    if hunting.serves_its_guns(sight, unit):
        return False
    aim = goal(sight, unit, unit.at)
    if aim is None or (not leaving.leaves(sight, unit.side) and _is_there(sight, unit, aim)):
        return False
    if crossings.builder(sight, unit):
        return True
    if leaving.leaves(sight, unit.side) and leaving.strands(sight, unit):
        return leaving.waits(sight, unit)
    if _clears_the_way(sight, unit):
        return False
    if hunting.storms(sight, unit):
        return closing.posture(sight, unit) != "firing"
    if _hurries(sight, unit, aim):
        return True
    shot = best_shot(sight, unit)
    return shot < STAY or shot < hunting.expects_overrun(sight, unit)


def _clears_the_way(sight: Position, unit: Stand) -> bool:
    """Return whether a stand that has to get away does better to fire: it has a target, and is held up."""
    if not unit.kind.armed or not leaving.leaves(sight, unit.side):
        return False
    return best_shot(sight, unit) >= LEAST and leaving.held_up(sight, unit)


def _is_there(sight: Position, unit: Stand, aim: Point) -> bool:
    """Return whether a stand has come to its goal, and no enemy holds out there."""
    return square(place_of(unit), aim) <= NEAR**2 and aim not in _intruders(sight, unit.side)


def _hurries(sight: Position, unit: Stand, aim: Point) -> bool:
    """Return whether a stand has no time to fire on its way to an objective."""
    assert unit.at is not None
    if leaving.leaves(sight, unit.side):
        return bool(unit.cargo) or any(leaving.passengers(sight, unit)) or leaving.hurries(sight, unit)
    if aim not in sight.setting.objectives.values():
        return False
    turns = sight.setting.scenario.turns - sight.turn - IN_HAND
    reach = max(turns, 0) * (unit.kind.mov_points or 0) * INCH // PACE
    return square(unit.at, aim) > reach**2


def _posture(sight: Position, unit: Stand) -> Posture:
    """The posture of a stand that has to move."""
    if hunting.storms(sight, unit) and (best := closing.posture(sight, unit)) != "firing":
        return best
    if leaving.leaves(sight, unit.side) and _hurries(sight, unit, place_of(unit)):
        return "movement"
    return "fire/move" if _fires_on_the_way(sight, unit) else "movement"


def _fires_on_the_way(sight: Position, unit: Stand) -> bool:
    return cannot_fire_and_move(unit) is None and unit.armoured and best_shot(sight, unit) >= LEAST


def _grouping(sight: Position, side: Side, frame: Grouping, choices: Choices) -> list[Suggestion]:
    """Add every stand in contact that has to go on, then declare the group complete."""
    joining = [action for actor in choices.asked if actor != NOBODY for action in choices.of(actor)]
    going = [*islice(_joining(sight, side, frame), 1)]
    complete = [FormGroup()] if frame.refusal(sight, side, FormGroup()) is None else []
    rest = [action for action in joining if isinstance(action, Action)]
    return [Suggestion(action, 0.0, "one group") for action in (*going, *complete, *rest)[:1]]


def _joins(sight: Position, action: JoinGroup, frame: Grouping) -> bool:
    most = groups.MOST if hunting.hunts(sight, frame.side) or leaving.leaves(sight, frame.side) else FEW
    if len(frame.stands) >= most:
        return False
    unit = sight.units[action.unit]
    if groups.leads(sight, unit):
        return True
    return _goes(sight, unit) and _posture(sight, unit) == frame.posture


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


def _all_go(sight: Position, side: Side, frame: PostureDetermination) -> list[Suggestion]:
    """For the script: mark one stand after the other that has somewhere to go."""
    for unit in sight.of(side):
        far = unit.at is not None and goal(sight, unit, unit.at) is not None
        mark = Mark(unit.id, "movement")
        if unit.kind.mov_points and far and unit.rank != "GHQ" and frame.refusal(sight, side, mark) is None:
            return [Suggestion(mark, 0.0, "it has somewhere to go")]
    return [Suggestion(NoMoreGroups(), 0.0, "nobody else has somewhere to go")]


# --- movement ---------------------------------------------------------------------------------------------------


def _march(sight: Position, side: Side, frame: GroupMove | Moving, choices: Choices) -> list[Suggestion]:
    """Assault where that pays, else lead the next stand towards its goal, or end its move."""
    if leaving.leaves(sight, side) and (found := leaving.boards(sight, choices)):
        return found
    steps = _safe_steps if leaving.leaves(sight, side) else _steps
    return _worthy(_contacts(sight, frame, choices)) or _advance(sight, side, frame, choices, steps)


def _worthy(found: Iterable[Suggestion]) -> list[Suggestion]:
    """The best of these contacts with the enemy, if it is worth anything."""
    best = max(found, key=lambda each: each.worth, default=None)
    return [best] if best is not None and best.worth > LEAST else []


def _contacts(sight: Position, frame: GroupMove | Moving, choices: Choices) -> Iterator[Suggestion]:
    """The close assaults and overruns that a stand can make now, and the legs to an enemy whom it will assault."""
    for name in _movers(frame, choices):
        unit = sight.units[name]
        if unit.rank or not (unit.personnel or unit.armoured):
            continue
        for action in choices.of(name):
            match action:
                case Assault():
                    yield _assault(sight, unit, action)
                case Overrun(_, target):
                    yield Suggestion(action, overrun(sight, unit, sight.units[target]), "the enemy cannot stop it")
                case Move(_, to) if unit.personnel and unit.at != to:
                    yield from _charges(sight, unit, action)


def _late(sight: Position, side: Side, choices: Choices) -> list[Suggestion]:
    """Declare assaults that pay, of a stand stopped in contact or after all movement [8.8.2]: RULINGS.md R98."""
    units = (sight.units[name] for name in choices.asked if name != NOBODY)
    found = (
        _assault(sight, unit, action)
        for unit in units
        if not unit.rank
        for action in choices.of(unit.id)
        if isinstance(action, Assault)
    )
    return _worthy(found) or _way_on(sight, side, choices)


def _assault(sight: Position, unit: Stand, action: Assault) -> Suggestion:
    return Suggestion(action, assaulted(sight, unit, sight.units[action.target]) + LEAST, "the enemy is weak")


def _charges(sight: Position, unit: Stand, leg: Move) -> Iterator[Suggestion]:
    """A leg that ends beside an enemy, with the worth of the assault that follows."""
    there = replace(unit, at=leg.to, facing=leg.facing)
    for enemy in sight.enemies(unit.side):
        if enemy.at is not None and adjacent(there, enemy):
            yield Suggestion(leg, assaulted(sight, there, enemy), "to assault it", (Assault(unit.id, enemy.id),))


def _movers(frame: GroupMove | Moving, choices: Choices) -> list[str]:
    return [frame.unit] if isinstance(frame, Moving) else [name for name in choices.asked if name != NOBODY]


def _advance(
    sight: Position, side: Side, frame: GroupMove | Moving, choices: Choices, steps: Steps
) -> list[Suggestion]:
    """Lead the next stand towards its goal, or end its move."""
    movers = _movers(frame, choices)
    ordered = leaving.first_out(sight, movers) if leaving.leaves(sight, side) else movers
    for name in groups.in_order(sight, side, ordered, goal):
        unit = sight.units[name]
        if leaving.leaves(sight, side) and (
            out := next((each for each in choices.of(name) if isinstance(each, Exit)), None)
        ):
            return [Suggestion(out, 1.0, "out and away")]
        if unit.at is None or crossings.stays(sight, unit):
            continue
        if (aim := goal(sight, unit, unit.at)) is not None:
            for step in steps(sight, side, frame, unit, unit.at, aim):
                return [step]
    end: Action = Stop(frame.unit) if isinstance(frame, Moving) else EndGroup()
    return [Suggestion(end, 0.0, "nowhere better to go")]


def _plain_steps(
    sight: Position, side: Side, frame: GroupMove | Moving, unit: Stand, at: Point, aim: Point
) -> Iterator[Suggestion]:
    """The next steps of a stand by the shortest way to a goal, best first."""
    way = crossings.waypoint(sight, unit, aim)
    direct = Move(unit.id, way, bearing(at, way))
    if way not in (aim, at) and frame.refusal(sight, side, direct) is None:
        yield Suggestion(direct, 0.0, "to a crossing")
    yield from (Suggestion(leg, 0.0, "towards the objective") for leg in _legs(sight, side, frame, unit, at, way))
    yield from _around(sight, side, frame, unit, crossings.other_bank(sight, unit, aim))


def _safe_steps(
    sight: Position, side: Side, frame: GroupMove | Moving, unit: Stand, at: Point, aim: Point
) -> Iterator[Suggestion]:
    """The next steps of a stand that has to get away, but for those that lead into shellfire."""
    found = _steps(sight, side, frame, unit, at, aim)
    return (step for step in found if not shellfire.runs_into_it(sight, step.action))


def _steps(
    sight: Position, side: Side, frame: GroupMove | Moving, unit: Stand, at: Point, aim: Point
) -> Iterator[Suggestion]:
    """The next steps of a stand: to a place with a shot at an enemy, with its group, or by the shortest way."""
    if has(unit, "bridge load"):
        yield from (Suggestion(leg, 0.0, "to its engineers") for leg in _to_engineers(sight, side, frame, unit))
        return
    if leaving.leaves(sight, side):
        if leaving.waits(sight, unit):
            return
        yield from (Suggestion(leg, 0.0, "out and away") for leg in leaving.steps(sight, side, frame, unit))
        if unit.kind.armed and not unit.rank and not unit.spent:
            yield from _to_fire(sight, side, frame, unit, at, aim)
    if hunting.hunts(sight, side) and crossings.waypoint(sight, unit, aim) == aim:
        if unit.kind.armed and not unit.rank and square(at, aim) <= SIGHT**2:
            yield from _to_fire(sight, side, frame, unit, at, aim)
        if isinstance(frame, Moving) and groups.has_closed_up(sight, unit):
            yield Suggestion(Stop(unit.id), 0.0, "with its group")
        for leg in groups.beside(sight, unit, aim):
            if not exposed(sight, unit, leg.to) and frame.refusal(sight, side, leg) is None:
                yield Suggestion(leg, 0.0, "with its group")
    yield from _plain_steps(sight, side, frame, unit, at, aim)


def _to_engineers(sight: Position, side: Side, frame: GroupMove | Moving, unit: Stand) -> Iterator[Move]:
    """The legs of a load into contact with the engineers at the water that wait for it [11.5.7-build].

    Best to their left or right: straight behind them it would bar the way onto the bridge.
    """
    if (caller := crossings.caller(sight, unit)) is None:
        return
    at, (east, south) = place_of(caller), direction(caller.facing)

    def order(place: Point) -> tuple[int, int, Point]:
        along = ((place[0] - at[0]) * east + (place[1] - at[1]) * south) // MICRO
        return round(abs(along) / INCH), square(place, place_of(unit)), place

    for to in sorted(around(at, caller.facing), key=order):
        leg = Move(unit.id, to, caller.facing)
        if adjacent(replace(unit, at=to, facing=caller.facing), caller) and frame.refusal(sight, side, leg) is None:
            yield leg


def _to_fire(
    sight: Position, side: Side, frame: GroupMove | Moving, unit: Stand, at: Point, aim: Point
) -> Iterator[Suggestion]:
    """The leg to the place with the best shot of the next turn, near the enemy and the group, or a stop."""
    there = sight.copy()

    def shot(to: Point, facing: int) -> float:
        return best_shot(there, there.change(unit.id, at=to, facing=facing, posture="firing", fired=False))

    mates = groups.mates(sight, unit)
    followed = (leg for leg in groups.beside(sight, unit, aim) if frame.refusal(sight, side, leg) is None)
    legs = [*hunting.places(sight, side, frame, unit, at), *islice(followed, FOLLOWED)]
    worths = {
        leg: shot(leg.to, leg.facing) + closing.nearer(sight, unit, leg.to) + closing.beside(unit, leg, mates)
        for leg in legs
    }
    best = max(worths, key=lambda leg: worths[leg], default=None)
    here = shot(at, unit.facing) + closing.nearer(sight, unit, at) if isinstance(frame, Moving) and unit.spent else 0.0
    if here >= max(LEAST, worths[best] if best else 0.0):
        yield Suggestion(Stop(unit.id), here, "it can fire from here")
    elif best is not None and worths[best] >= LEAST:
        yield Suggestion(best, worths[best], "to fire from there")


def _legs(sight: Position, side: Side, frame: GroupMove | Moving, unit: Stand, at: Point, aim: Point) -> Iterator[Move]:
    """The legs that bring a stand nearer to its goal, the longest and straightest first."""
    straight, far = bearing(at, aim), marching.farthest(sight, unit)
    for inches in LEGS:
        if inches * MICRO > far + MICRO // 2:
            continue
        for turn in TURNS:
            heading = (straight + turn) % 360
            to = beyond(at, heading, inches)
            nearer = square(to, aim) < square(at, aim) - INCH * INCH // 4
            if nearer and to in sight.table and not exposed(sight, unit, to):
                leg = Move(unit.id, to, heading)
                if frame.refusal(sight, side, leg) is None:
                    yield leg


def _around(sight: Position, side: Side, frame: GroupMove | Moving, unit: Stand, aim: Point) -> Iterator[Suggestion]:
    """The ways to the places in reach that are nearest to a goal, for a stand that has not moved."""
    if unit.spent or unit.at is None:
        return
    found, left = reached(sight, unit), marching.left(sight, unit)
    nearest_first = sorted((square(at, aim), at) for at, spent in found.costs.items() if spent <= left)
    for far, at in nearest_first[:AROUND]:
        if far < square(unit.at, aim) - INCH * INCH and not exposed(sight, unit, at):
            first, *rest = (Move(unit.id, to, bearing(start, to)) for start, to in pairwise(found.route(at)))
            if frame.refusal(sight, side, first) is None:
                yield Suggestion(first, 0.0, "round what bars the way", tuple(rest))


def exposed(sight: Position, unit: Stand, to: Point) -> bool:
    """Return whether a headquarters would come near the enemy."""
    if not unit.rank:
        return False
    return any(enemy.at is not None and square(enemy.at, to) < SAFE**2 for enemy in sight.enemies(unit.side))
