"""Accounts for opportunity fire [OPP-3]: the points that a stand under way spends in unbroken sight of each enemy.

Along a leg the points are counted exactly: a quarter of the allowance is reached at a rational place of the leg.
Whether an enemy sees the stand is looked up in the middle of every half inch of the leg; between two of these places
with different answers the change is found to 1/1000 inch: RULINGS.md R80.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from msgspec.structs import replace

from opfire.core.places import INCH, Point
from opfire.rulesets.panzerblitz_miniatures.equipment import movement_points
from opfire.rulesets.panzerblitz_miniatures.moving.movement_costs import Prices
from opfire.rulesets.panzerblitz_miniatures.pieces import Position, Stand, UnitId
from opfire.rulesets.panzerblitz_miniatures.sighting.seeing import not_spotted, out_of_sight
from opfire.rulesets.panzerblitz_miniatures.sighting.visibility import farthest_sight
from opfire.space.measure import MICRO, length, square
from opfire.space.terrain.exact import apart
from opfire.space.terrain.legs import Leg, Piece, spent_at, steps, stopped

STEP = INCH // 2
"""The part of a leg, in 1/1000 inch, in the middle of which an enemy looks at the stand: RULINGS.md R80."""

WOODED = frozenset({"woods", "heavy-woods", "town"})
"""The terrain in which only points of a spotted stand count [OPP-7]."""

UNSEEN, UNCOUNTED, COUNTED = range(3)
"""The views of an enemy: nothing, a stand in woods that is not spotted, a stand with points that count."""


class Stretch(NamedTuple):
    """A part of a leg on which an enemy sees the same, up to a cost of the leg (10^-6 movement points)."""

    end: int
    look: int


class Watch(NamedTuple):
    """An enemy that watches a leg: its account at the beginning, the quarter it waits for, and what it sees where.

    `counted` is the cost of the leg that is in the account at the beginning.
    """

    enemy: UnitId
    account: int
    counted: int
    wanted: int
    stretches: tuple[Stretch, ...]

    @property
    def reached(self) -> int | None:
        """The cost of the leg at which the account reaches the quarter, or None [OPP-3]."""
        for end, low, points, seen in self._parts():
            if seen == COUNTED and points + end - low >= self.wanted:
                return low + max(self.wanted - points, 0)
        return None

    def up_to(self, cost: int) -> int:
        """The account at a cost of the leg; it is empty where sight was lost [OPP-3]."""
        total = self.account
        for end, low, points, seen in self._parts():
            if low < cost or low == end <= cost:
                total = 0 if seen == UNSEEN else points + (min(end, cost) - low) * (seen == COUNTED)
        return total

    def _parts(self) -> Iterator[tuple[int, int, int, int]]:
        """Each stretch: its end and its beginning, the account at its beginning, and what is seen on it."""
        low, points = self.counted, self.account
        for end, seen in self.stretches:
            yield max(end, low), low, points, seen
            gained = max(end - low, 0) * (seen == COUNTED)
            low, points = max(end, low), 0 if seen == UNSEEN else points + gained


def quarter(position: Position, unit: Stand) -> int:
    """A quarter of a stand's allowance in 10^-6 movement points, not rounded: they divide by four [OPP-3]."""
    return int(movement_points(position.charts, unit.kind) * MICRO * position.charts.named["opportunity fire"])


# --- what an enemy sees -----------------------------------------------------------------------------------------


def look(position: Position, enemy: Stand, unit: Stand, at: Point) -> int:
    """The view that an enemy has of a stand at a point [OPP-3, OPP-7]."""
    there = replace(unit, at=at)
    if _too_far(position, enemy, unit, at) or out_of_sight(position, enemy, there):
        return UNSEEN
    wooded = WOODED.intersection(position.table.ground.at(at).kinds)
    return UNCOUNTED if wooded and not_spotted(position, enemy, there) else COUNTED


class Course(NamedTuple):
    """The part of a leg that enemies look at, up to a place: the middle of each half inch, with the cost up to it."""

    way: Leg
    prices: Prices
    high: Fraction
    middles: tuple[Fraction, ...]
    costs: tuple[int, ...]


Seen = Callable[[Fraction], int]
"""The view of an enemy at a place of a leg."""

Looks = Callable[[Course, Seen, int], Iterable[Fraction]]
"""The middles at which an enemy looks that waits for this quarter."""


def course(way: Leg, prices: Prices, low: Fraction, high: Fraction) -> Course:
    """The part of a leg between two places."""
    middles = tuple(_middles(way, low, high)) if low < high else ()
    return Course(way, prices, high, middles, tuple(spent_by(way, prices, place) for place in middles))


def everywhere(course: Course, seen: Seen, wanted: int) -> Iterable[Fraction]:
    """All middles: the account is right at every place of the leg."""
    return course.middles


def telling(course: Course, seen: Seen, wanted: int) -> Iterator[Fraction]:
    """The middles that tell whether the quarter is reached, and what is in the account at the end.

    Between two middles at which nothing is seen no account reaches the quarter, unless the way between them costs more:
    sight begins beyond the first.
    """
    middles, number = course.middles, 0
    yield middles[0]
    while number < len(middles) - 1:
        ahead = number + 1
        if seen(middles[number]) == UNSEEN:
            ahead = max(ahead, bisect_right(course.costs, course.costs[number] + wanted) - 1)
            while ahead > number + 1 and seen(middles[ahead]) != UNSEEN:
                ahead -= 1
        number = ahead
        yield middles[number]


def watch(position: Position, enemy: Stand, unit: Stand, course: Course, looks: Looks = everywhere) -> Watch:
    """An enemy's watch over a course.

    The watch ends where its account has the quarter: nothing that is seen later changes it.
    """
    progress = position.progress
    assert progress is not None
    account = dict(progress.seen).get(enemy.id, 0)
    wanted = quarter(position, unit)
    found = Watch(enemy.id, account, progress.counted, wanted, ())
    for place, seen in _views(position, enemy, unit, course, lambda seen: looks(course, seen, wanted)):
        cost = spent_by(course.way, course.prices, place)
        found = found._replace(stretches=(*found.stretches, Stretch(cost, seen)))
        if seen == COUNTED and found.reached is not None:
            break
    return found


def _views(
    position: Position, enemy: Stand, unit: Stand, course: Course, looks: Callable[[Seen], Iterable[Fraction]]
) -> Iterator[tuple[Fraction, int]]:
    """The ends of the parts of a leg on which an enemy sees the same, and what it sees there.

    A part whose points count comes in pieces, so that nobody has to look farther than a quarter of the move.
    """
    way, middles = course.way, course.middles
    if not middles or _far_away(position, enemy, unit, way):
        yield course.high, UNSEEN
        return
    known: dict[Point, int] = {}

    def seen(place: Fraction) -> int:
        at = stopped(way.start, way.end, place)
        if at not in known:
            known[at] = look(position, enemy, unit, at)
        return known[at]

    for a, b in pairwise(looks(seen)):
        if seen(a) != seen(b):
            yield _change(way, seen, a, b), seen(a)
        elif seen(a) == COUNTED:
            yield b, COUNTED
    yield course.high, seen(middles[-1])


def _too_far(position: Position, enemy: Stand, unit: Stand, at: Point) -> bool:
    """Return whether a point lies beyond the limit of sight, whatever the ground: no line has to be looked at."""
    assert enemy.at is not None
    return square(enemy.at, at) > _farthest(position, enemy, unit)


def _far_away(position: Position, enemy: Stand, unit: Stand, way: Leg) -> bool:
    """Return whether a whole leg lies beyond the limit of sight, whatever the ground."""
    assert enemy.at is not None
    over, under = apart(enemy.at, way.start, way.end)
    return over > _farthest(position, enemy, unit) * under


def _farthest(position: Position, enemy: Stand, unit: Stand) -> Fraction:
    """The square of the farthest distance at which a stand is seen on any ground, in 1/1000 inch: RULINGS.md R29."""
    size = (enemy if position.setting.has("R29") else unit).kind.size
    limit = farthest_sight(position.charts, position.setting.sections.visibility, size, position.roll)
    return (limit * INCH) ** 2


def _middles(way: Leg, low: Fraction, high: Fraction) -> Iterator[Fraction]:
    far = length(way.start, way.end) * (high - low)
    number = max(1, -(-far * INCH // (STEP * MICRO)))
    part = (high - low) / number
    return (low + part * (2 * each + 1) / 2 for each in range(int(number)))


def _change(way: Leg, seen: Seen, a: Fraction, b: Fraction) -> Fraction:
    """The place between two others at which the view changes, to 1/1000 inch."""
    before = seen(a)
    while length(way.start, way.end) * (b - a) * INCH > MICRO:
        middle = (a + b) / 2
        if seen(middle) == before:
            a = middle
        else:
            b = middle
    return b


# --- points -----------------------------------------------------------------------------------------------------


def spent_by(way: Leg, prices: Prices, place: Fraction) -> int:
    """The cost of a leg up to a place, with everything that is crossed there, in 10^-6 movement points."""
    return _spent(way, prices, place, lambda at: at <= place)


def spent_before(way: Leg, prices: Prices, place: Fraction) -> int:
    """The cost of a leg up to a place, without what is crossed there, in 10^-6 movement points."""
    return _spent(way, prices, place, lambda at: at < place)


def _spent(way: Leg, prices: Prices, place: Fraction, crossed: Callable[[Fraction], bool]) -> int:
    spent = 0
    for step in steps(way, prices):
        if not isinstance(step.what, Piece):
            if crossed(step.at.fraction):
                spent = step.spent
        elif step.at.fraction <= place:
            spent = step.spent
        else:
            low, high = step.what.start.fraction, step.at.fraction
            part = (place - low) / (high - low) if place > low else Fraction(0)
            return spent + int((step.spent - spent) * part)
    return spent


def place_of(way: Leg, prices: Prices, cost: int) -> Fraction:
    """The place at which the cost of a leg reaches an amount; its end, if it never does."""
    found = spent_at(way, prices, cost)
    return Fraction(1) if found is None else found
