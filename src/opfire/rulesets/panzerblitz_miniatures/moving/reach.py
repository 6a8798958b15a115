"""Movement by the inch [MOV]: whether a stand may go a leg and stop at its end, and its reach."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from opfire.core.actions import Refusal
from opfire.core.places import Point
from opfire.rulesets.panzerblitz_miniatures.charts import Charts
from opfire.rulesets.panzerblitz_miniatures.moving.legs import followed, prohibited, traced
from opfire.rulesets.panzerblitz_miniatures.moving.movement_costs import Mover, Prices, usable_roads
from opfire.space.measure import MICRO, SLACK, length, square
from opfire.space.terrain.features import Feature
from opfire.space.terrain.ground import Ground
from opfire.space.terrain.legs import Leg, Manner, bumps, cost
from opfire.space.terrain.reach import Bumps, Reach, Ways

SHARED = "Two units end a turn in one place on a road only: move clear of {}."


class Other(NamedTuple):
    """Another stand, or a wreck: its centre, and its name for refusals."""

    at: Point
    name: str


class Others(NamedTuple):
    """Everything that a moving stand goes around; `base` is the diameter of all of it in 1/1000 inch."""

    base: int
    friends: tuple[Other, ...] = ()
    enemies: tuple[Other, ...] = ()
    wrecks: tuple[Other, ...] = ()


class Going(NamedTuple):
    """The progress of a stand in its movement phase.

    The allowance and the points spent are in 10^-6 movement points, the way gone in 10^-6 inch.
    """

    allowance: int
    spent: int = 0
    gone: int = 0


def cannot_go(ground: Ground, prices: Prices, start: Point, end: Point, going: Going, others: Others) -> Refusal | None:
    """The reason for which a stand may not go a leg, or None: ground, then stands in the way, then points."""
    way = traced(ground, start, end)
    return prohibited(prices, way) or in_the_way(ground, way, prices.mover, others) or _too_far(prices, way, going)


def in_the_way(ground: Ground, way: Leg, mover: Mover, others: Others) -> Refusal | None:
    """The enemy, the wreck or the friend that a leg runs into, or None; aircraft fly over all of them.

    A wreck bars a road and a bridge too, which it fills [WRK-2, WRK-3, BRI-5].

    Friends on the road that the leg follows let the stand pass [MOV-8].
    """
    if mover.mode == "AC":
        return None
    if enemy := _met(way, others.enemies, others.base):
        return Refusal("{} is in the way: no unit enters or passes enemies.", "MOV-9", (enemy.name,))
    if wreck := _met(way, others.wrecks, others.base):
        return Refusal("{} is in the way: go around it.", "WRK-2", (wreck.name,))
    friends = [friend for friend in others.friends if not _on_its_road(ground, way, friend.at)]
    if friend := _met(way, friends, others.base):
        return Refusal("{} is in the way: go around it, or pass it on a road.", "MOV-8", (friend.name,))
    return None


def cannot_stop(ground: Ground, at: Point, others: Others) -> Refusal | None:
    """The reason for which a stand may not end its movement at a point, or None: it lies on a friend off the road."""
    for friend in others.friends:
        if square(at, friend.at) < others.base**2 and not _shared_roads(ground, at, friend.at):
            return Refusal(
                "Two units end a turn in one place on a road only: move clear of {}.", "MOV-8", (friend.name,)
            )
    return None


def may_always_move_an_inch(mover: Mover, allowance: int) -> bool:
    """Return whether a unit moves an inch whatever that costs; the allowance is in 10^-6 movement points.

    These are units with an allowance of 1, and personnel, whose allowance of 1 became 2 [MOV-6]: RULINGS.md R7; and
    vehicles with a cross country penalty [CCP-2].
    """
    if mover.mode in ("TO", "AC") or allowance <= 0:
        return False
    return mover.mode == "P" or mover.cross_country_penalty or allowance <= MICRO


def _too_far(prices: Prices, way: Leg, going: Going) -> Refusal | None:
    spent = cost(way, prices)
    if spent is None or going.spent + spent <= going.allowance + SLACK:
        return None
    gone = going.gone + length(way.start, way.end)
    if gone <= MICRO + SLACK and may_always_move_an_inch(prices.mover, going.allowance):
        return None
    left = max(going.allowance - going.spent, 0)
    rule = "MOV-7" if prices.mover.vehicle else "MOV-1"
    return Refusal("This costs {} movement points, and {} are left.", rule, (_points(spent), _points(left)))


def _points(amount: int) -> str:
    """Movement points with at most two decimals; costs are never shown too low.

    >>> _points(2_500_000), _points(1_414_213), _points(3_000_000)
    ('2.5', '1.42', '3')
    """
    hundredths = -(-amount * 100 // MICRO)
    return f"{hundredths // 100}.{hundredths % 100:02d}".rstrip("0").rstrip(".")


def _met(way: Leg, others: Iterable[Other], base: int) -> Other | None:
    return next((other for other in others if bumps(way.start, way.end, [other.at], base)), None)


def _on_its_road(ground: Ground, way: Leg, friend: Point) -> bool:
    """Return whether a leg lies on roads, and a friend stands on one of them."""
    return followed(way) and not _roads(ground, friend).isdisjoint(
        feature for piece in way.pieces for feature in piece.features
    )


def _shared_roads(ground: Ground, at: Point, other: Point) -> frozenset[Feature]:
    return _roads(ground, at) & _roads(ground, other)


def _roads(ground: Ground, at: Point) -> frozenset[Feature]:
    return frozenset(usable_roads(ground.at(at).features))


# --- reach -----------------------------------------------------------------------------------------------


class _ByLength:
    """The price of a mover's inch by right: a point for each inch where nothing bars it, and no tolls."""

    def __init__(self, prices: Prices) -> None:
        self.prices = prices

    def inch(self, features: tuple[Feature, ...]) -> int | None:
        """One point, or None."""
        return None if self.prices.inch(features) is None else 1

    def toll(self, feature: Feature, manner: Manner) -> int | None:
        """No points, or None."""
        return None if self.prices.toll(feature, manner) is None else 0


class Country:
    """The ground of a game with the links of its lattice, found once for each kind of mover.

    Works are part of the ground: lay them first (`works.with_works`), and make a new country when they change. Blocks
    are no part of a reach, since entering one ends the move.
    """

    def __init__(self, ground: Ground, charts: Charts) -> None:
        self.ground, self.charts = ground, charts
        self._ways: dict[Mover, Ways] = {}
        self._inches: dict[Mover, Ways] = {}

    def reach(self, mover: Mover, start: Point, going: Going, others: Others) -> Reach:
        """The reach of a stand with the points that it has left [MOV-1]."""
        if mover not in self._ways:
            self._ways[mover] = Ways(self.ground, Prices(self.charts, mover), traced)
        left = going.allowance - going.spent + SLACK
        return self._reached(mover, self._ways[mover], start, left, others)

    def inch_by_right(self, mover: Mover, start: Point, going: Going, others: Others) -> Reach:
        """The reach of a stand that goes its inch whatever that costs [MOV-6]; its costs are lengths in 10^-6 inch.

        Ask for it only if `may_always_move_an_inch`.
        """
        if mover not in self._inches:
            self._inches[mover] = Ways(self.ground, _ByLength(Prices(self.charts, mover)), traced)
        return self._reached(mover, self._inches[mover], start, MICRO + SLACK - going.gone, others)

    def _reached(self, mover: Mover, ways: Ways, start: Point, left: int, others: Others) -> Reach:
        if mover.mode == "TO" or left < 0:
            return Reach(start, {start: 0}, {})
        if mover.mode == "AC":
            return ways.reach(start, left)
        points = [other.at for group in (others.friends, others.enemies, others.wrecks) for other in group]
        return ways.reach(start, left, points, others.base, self._bumped(others))

    def _bumped(self, others: Others) -> Bumps:
        """The judge of links of the lattice: friends on the road that a link follows let it pass."""
        friends = {friend.at for friend in others.friends if _roads(self.ground, friend.at)}
        if not friends:
            return bumps

        def bumped(start: Point, end: Point, near: Iterable[Point], base: int) -> list[Point]:
            met = bumps(start, end, near, base)
            if friends.isdisjoint(met):
                return met
            way = traced(self.ground, start, end)
            return [at for at in met if at not in friends or not _on_its_road(self.ground, way, at)]

        return bumped


@lru_cache(maxsize=4)
def country_over(ground: Ground, charts: Charts) -> Country:
    """The country of a ground without works, shared by all games on it."""
    return Country(ground, charts)
