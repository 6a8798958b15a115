"""The tasks of engineers [11.5.3 to 11.5.9]: stands, the markers and gaps at which they work in a turn, successes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import replace

from opfire.core.actions import PROCEDURE, Refusal
from opfire.core.places import INCH, Point, tenths
from opfire.rulesets.micro_armour.moving.boats import boat_carriers, cannot_board
from opfire.rulesets.micro_armour.pieces import Position, Stand, UnitId, Work, adjacent
from opfire.rulesets.micro_armour.works.beneath import holds
from opfire.rulesets.micro_armour.works.means import (
    busy,
    clears_wrecks,
    has,
    is_engineer,
    on_the_move,
    shoves_wrecks,
    wrong_posture,
)
from opfire.rulesets.micro_armour.works.obstacles import DUMMY
from opfire.space.measure import MICRO, direction
from opfire.space.squares import footprint, overlap, touch

BRIDGE = ""
"""The marker of a task that has none yet: a bridge is built."""

BOATS = "boats of "
"""The beginning of the marker of a task of boarding, before the id of the carrier [8.9.4-board]."""

BY_HAND = {"hasty": 3, "standard": 3, "concentrated": 5, DUMMY: 3}
"""The successes of engineers that clear a minefield [11.5.3-steps]; a dummy: RULINGS.md R53."""

BY_VEHICLE = {"hasty": 1, "standard": 2, "concentrated": 3, DUMMY: 1}
"""The successes of a mine clearing vehicle [11.5.4-steps]."""

DITCH_BY_HAND, DITCH_BY_DOZER = 4, 2
BRIDGE_BY_HAND, BRIDGE_BY_VEHICLE = 4, 2
"""The successes that fill a ditch [11.5.6], and those that bridge a gap [11.5.7-build]."""

SHOVING = 2
"""The turns on a wreck, after that of arrival, before other stands than recovery vehicles roll [11.5.9.2]."""

ROADS = frozenset({"good-road", "poor-road", "track"})


class Task(NamedTuple):
    """A stand that may work in this turn, and the id of the marker at which it does."""

    unit: UnitId
    work: str


def tasks(position: Position) -> tuple[Task, ...]:
    """All tasks on which somebody can work at the end of this turn, as postures and moves of the turn allow."""
    found = [task for unit in position.all() for task in _tasks_of(position, unit)]
    for carrier in boat_carriers(position):
        crews = (unit for unit in position.of(carrier.side) if cannot_board(position, unit, carrier) is None)
        found += [Task(unit.id, BOATS + carrier.id) for unit in crews]
    return tuple(found)


def _tasks_of(position: Position, unit: Stand) -> Iterator[Task]:
    if not able(unit):
        return
    for work in position.works.values():
        if cannot_work(position, unit, work) is None:
            yield Task(unit.id, work.id)
    if cannot_build(position, unit) is None and next(places(position, unit), None) is not None:
        yield Task(unit.id, BRIDGE)


def able(unit: Stand) -> bool:
    """Whether a stand has any means of engineering, or can push wrecks away."""
    return is_engineer(unit) or bool(unit.equipment) or shoves_wrecks(unit)


def lacks_posture(position: Position, unit: Stand) -> bool:
    """Whether a stand works where it stands at the end of this turn if it is marked for movement, and only then.

    In the firing posture engineers and bridging tanks build nothing [11.5.7-build], and clear no wire [11.5.5].
    """
    if unit.posture == "movement" or not (is_engineer(unit) or unit.equipment):
        return False
    marked = replace(unit, posture="movement", began=unit.at, gone=0, spent=0)
    firing = replace(marked, posture="firing")
    works = {work.id for work in position.works.values() if cannot_work(position, marked, work) is None}
    if any(cannot_work(position, firing, position.works[name]) for name in works):
        return True
    equipped = has(unit, "bridging") or (is_engineer(unit) and any(_carriers(position, unit)))
    return equipped and busy(marked) is None and next(places(position, unit), None) is not None


# --- at a marker ------------------------------------------------------------------------------------------------------


def cannot_work(position: Position, unit: Stand, work: Work) -> Refusal | None:
    """Reject a stand that cannot work at a marker in this turn."""
    if refusal := busy(unit):
        return refusal
    match work.kind:
        case "mines":
            return cannot_clear_mines(unit, work)
        case "wire":
            return _not_upon(unit, work, "11.5.5") or _no_engineer(unit, "11.5.5") or _marching(unit, "11.5.5")
        case "ditch":
            return cannot_fill(unit, work)
        case "wreck":
            return cannot_clear_wreck(position, unit, work)
    return Refusal("Nobody works at {}.", PROCEDURE, (work.kind,))


def _marching(unit: Stand, rule: str) -> Refusal | None:
    return wrong_posture(unit, "movement", rule)


def _no_engineer(unit: Stand, rule: str) -> Refusal | None:
    return None if is_engineer(unit) else Refusal("{} has no engineers.", rule, (unit.name,))


def _not_upon(unit: Stand, work: Work, rule: str) -> Refusal | None:
    if unit.at is not None and holds(work, unit.at):
        return None
    return Refusal("{} is not on the marker.", rule, (unit.name,))


def cannot_clear_mines(unit: Stand, work: Work) -> Refusal | None:
    """Reject a stand that clears no mines: engineers begin the turn on them [11.5.3-steps], vehicles come onto them in
    the movement posture [11.5.4-steps].
    """
    if has(unit, "mine clearing"):
        return _not_upon(unit, work, "11.5.4-steps") or _marching(unit, "11.5.4-steps")
    rule = "11.5.3-steps"
    return _not_upon(unit, work, rule) or _no_engineer(unit, rule) or on_the_move(unit, rule)


def cannot_fill(unit: Stand, work: Work) -> Refusal | None:
    """Reject a stand that does not collapse a ditch: it begins the turn beside it, engineers in the firing posture
    [11.5.6].
    """
    if not touch(unit.ring, work.ring):
        return Refusal("{} is not beside the ditch.", "11.5.6", (unit.name,))
    if has(unit, "dozer"):
        return on_the_move(unit, "11.5.6")
    return _no_engineer(unit, "11.5.6") or wrong_posture(unit, "firing", "11.5.6") or on_the_move(unit, "11.5.6")


def cannot_clear_wreck(position: Position, unit: Stand, work: Work) -> Refusal | None:
    """Reject a stand that clears no wreck off a road: it stands on it from an earlier turn on, in the movement posture
    [9.2.3, 11.5.9.1, 11.5.9.2].
    """
    rule = "11.5.9.1" if clears_wrecks(unit) else "11.5.9.2"
    if work.cleared:
        return Refusal("The road is clear there.", "11.5.9.3")
    if not any(each.kind in ROADS for each in position.table.ground.under(work.at, INCH // 2)):
        return Refusal("The wreck is on no road.", "9.2.3")
    if not clears_wrecks(unit) and not shoves_wrecks(unit):
        return Refusal("{} clears no wrecks.", "9.2.3", (unit.name,))
    return _not_upon(unit, work, rule) or _marching(unit, rule) or on_the_move(unit, rule)


def needed(unit: Stand, work: Work) -> int:
    """The successes that a stand needs at a marker [11.5.3-steps, 11.5.4-steps, 11.5.5, 11.5.6]."""
    match work.kind:
        case "mines":
            return (BY_VEHICLE if has(unit, "mine clearing") else BY_HAND).get(work.value, 1)
        case "ditch":
            return DITCH_BY_DOZER if has(unit, "dozer") else DITCH_BY_HAND
    return 1


# --- bridges ----------------------------------------------------------------------------------------------------------


def cannot_build(position: Position, unit: Stand) -> Refusal | None:
    """Reject a stand that builds no bridge in this turn: bridging vehicles do, and engineers beside a load of bridging
    materials, from the beginning of the turn on, in the movement posture [11.5.7-build].
    """
    rule = "11.5.7-build"
    if not has(unit, "bridging") and not is_engineer(unit):
        return Refusal("{} has nothing to build a bridge with.", rule, (unit.name,))
    if not has(unit, "bridging") and not any(loads(position, unit)):
        words = "{} needs bridging materials beside it: a loaded transport touches it from the beginning of the turn"
        return Refusal(words, rule, (unit.name,))
    return busy(unit) or wrong_posture(unit, "movement", rule) or on_the_move(unit, rule)


def loads(position: Position, unit: Stand) -> Iterator[Stand]:
    """The transports with bridging materials that have stood beside a stand all turn; their posture does not matter."""
    return (other for other in _carriers(position, unit) if on_the_move(other, "") is None)


def _carriers(position: Position, unit: Stand) -> Iterator[Stand]:
    """The transports with bridging materials beside a stand."""
    return (other for other in position.of(unit.side) if has(other, "bridge load") and adjacent(unit, other))


def cannot_span(position: Position, unit: Stand, to: Point, facing: int) -> Refusal | None:
    """Reject a place for a bridge: it touches its builder, and leads over an obstacle of an inch at most
    [11.5.7-build].
    """
    rule = "11.5.7-build"
    if not 0 <= facing < 360 or not position.table.holds(to):
        return Refusal("{} is no place on the table, or no facing.", PROCEDURE, (tenths(to),))
    ring = footprint(to, facing)
    if not touch(unit.ring, ring):
        return Refusal("{} builds beside itself.", rule, (unit.name,))
    if any(work.kind == "bridge" and overlap(work.ring, ring) for work in position.works.values()):
        return Refusal("A bridge is there already.", rule)
    if not _obstacle(position, to):
        return Refusal("There is nothing at {} that may be bridged.", rule, (tenths(to),))
    if any(_obstacle(position, end) or _wet(position, end) for end in ends(to, facing)):
        return Refusal("The gap at {} is wider than an inch, or the bridge lies along it.", rule, (tenths(to),))
    return None


def ends(to: Point, facing: int) -> tuple[Point, Point]:
    """The points at both ends of a bridge that have to lie on firm ground: RULINGS.md R54."""
    east, south = (part * INCH // (2 * MICRO) for part in direction(facing))
    return (to[0] + east, to[1] + south), (to[0] - east, to[1] - south)


def _obstacle(position: Position, at: Point) -> bool:
    """Return whether a point lies in an obstacle that the scenario lets engineers bridge."""
    kinds = position.setting.sections.bridgeable
    return any(feature.kind in kinds for feature in position.ground.features_at(at))


def _wet(position: Position, at: Point) -> bool:
    return any(feature.kind in ("river", "water", "stream") for feature in position.ground.features_at(at))


def places(position: Position, unit: Stand) -> Iterator[tuple[Point, int]]:
    """The nearest place for a bridge in each of eight directions, led away from its builder."""
    assert unit.at is not None
    for number in range(8):
        facing = (unit.facing + number * 45) % 360
        east, south = direction(facing)
        for far in range(INCH // 2, 3 * INCH // 2 + 1, INCH // 8):
            to = unit.at[0] + east * far // MICRO, unit.at[1] + south * far // MICRO
            if cannot_span(position, unit, to, facing) is None:
                yield to, facing
                break
