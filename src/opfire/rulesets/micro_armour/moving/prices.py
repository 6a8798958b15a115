"""Movement costs [8.3, 9.1]: the points for an inch of ground, by class, and the ground that bars the way.

The ground under a stand is that under its centre: half of a stand has passed a border when its centre does
(RULINGS.md R20).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import takewhile
from typing import NamedTuple

from opfire.core.actions import Refusal
from opfire.core.places import Point
from opfire.rulesets.micro_armour.charts import Charts, MovementClass, TerrainEffect
from opfire.rulesets.micro_armour.strewn import CLEARED, is_marker
from opfire.space.measure import MICRO, SLACK
from opfire.space.terrain.features import Feature
from opfire.space.terrain.layers import Footing
from opfire.space.terrain.legs import Crossed, Leg, Manner, Piece, bar, leg
from opfire.space.terrain.spans import END

OPEN_WATER = frozenset({"river", "water"})
"""Water that only amphibious stands and boats enter [9.5.1, 9.5.2]."""

WATERS = OPEN_WATER | {"stream"}
"""The ground that a bridge or a ford leads across."""

WATER_RULES: Mapping[str, str] = {"water": "9.5.1", "river": "9.5.2", "stream": "9.5.3"}
"""The rules that keep stands out of water."""

BUILT_UP = frozenset({"light-buildings", "medium-buildings", "heavy-buildings"})

HIDDEN: Mapping[str, frozenset[str]] = {
    "engineer bridge": WATERS | {"ditch", "depression"},
    "rough-1": BUILT_UP,
    "rubble": BUILT_UP,
}
"""The ground under markers that take its place: bridges, and buildings that have fallen [9.4, 11.5.7-build]."""

IN_THE_ROAD = frozenset({"wire", "mines", "ditch", "smoke", "impact"})
"""The markers that count for a stand on a road too: RULINGS.md R50."""


class Mover(NamedTuple):
    """A stand as far as ground is concerned: its class, and whether it uses amphibious points in this phase [8.9.1].

    `boat` is a boat, which never leaves the water [10.12]; to `skis` deep snow costs nothing more [10.13-ski].
    """

    by: MovementClass
    armoured: bool = False
    personnel: bool = False
    swims: bool = False
    boat: bool = False
    skis: bool = False


class Cost(NamedTuple):
    """A line of the Terrain Effects Chart for one class: how it counts, and its points; None bars the way.

    `leaving` are the points that are paid once, on leaving, `entering` those paid once on entering.
    """

    counts: str
    points: Fraction | None
    leaving: Fraction | int = 0
    entering: Fraction | int = 0


REMEMBERED = 5000
"""The kinds of places whose price is remembered at most."""


class Prices:
    """The prices of one kind of mover; None bars the way [9.1, 8.3.3].

    By other readings costs of one place are added (RULINGS.md R21), and ground is paid exactly (R20).
    """

    def __init__(
        self,
        charts: Charts,
        mover: Mover,
        weather: tuple[str, ...] = (),
        adds_all: bool = False,
        exact: bool = False,
    ) -> None:
        self.mover, self.weather, self.exact = mover, [charts.weather[name] for name in weather], exact
        self._adds_all = adds_all
        self._costs = {code: _cost(row, mover) for code, row in charts.terrain.items()}
        self._inches: dict[tuple[Feature, ...], Fraction | int | None] = {}

    @cached_property
    def roads(self) -> frozenset[str]:
        """The kinds that are followed at a road rate [9.1.4]."""
        return frozenset(code for code, cost in self._costs.items() if cost.counts == "road")

    def inch(self, features: tuple[Feature, ...]) -> Fraction | int | None:
        """The movement points for an inch on these features [9.1.2, 9.1.3]."""
        if features not in self._inches:
            if len(self._inches) > REMEMBERED:
                self._inches.clear()
            self._inches[features] = self._inch(features)
        return self._inches[features]

    def toll(self, feature: Feature, manner: Manner) -> Fraction | int | None:
        """The movement points for entering, leaving or crossing a feature.

        Mines, and wrecks for wheels, cost on leaving, wire and ditches on entering [11.2.1, 11.3.2]; a crest is a
        line, and costs where it is crossed.
        """
        cost = self._costs.get(feature.kind)
        if manner == "enters" and self.inch((feature,)) is None:
            return None
        if cost is None:
            return 0
        if manner == "enters":
            return cost.entering
        return cost.leaving if manner == "leaves" else cost.points

    @cached_property
    def least(self) -> Fraction | int:
        """The lowest price of an inch on any ground."""
        if self.mover.swims or self.mover.boat:
            return 1
        found = (cost.points for cost in self._costs.values() if cost.counts != "add")
        return min(points for points in found if points is not None)

    # --- parts of a price

    def _inch(self, features: tuple[Feature, ...]) -> Fraction | int | None:
        kinds = {*_wrecked([feature.kind for feature in topmost(features)])}
        if kinds & WATERS and not self._ice:
            return self._afloat(kinds)
        if self.mover.boat:
            return None
        costs = [self._costs[kind] for kind in sorted(map(_frozen, kinds)) if kind in self._costs]
        roads = [cost.points for cost in costs if cost.counts == "road" and cost.points is not None]
        return self._road(min(roads), costs) if roads else self._ground(costs)

    def _road(self, points: Fraction, costs: Iterable[Cost]) -> Fraction | int | None:
        """The road rate, and what markers on the road add to it or bar."""
        added = [cost.points for cost in costs if cost.counts == "add"]
        known = [each for each in added if each is not None]
        return (points + sum(known)) * self._factor if len(known) == len(added) else None

    def _afloat(self, kinds: set[str]) -> int | None:
        """Water is for amphibious stands and boats [9.5.1, 9.5.2]; streams carry no boats [9.5.3, 10.12]."""
        if self.mover.boat:
            return 1 if kinds & OPEN_WATER else None
        return 1 if self.mover.swims else None

    def _ground(self, costs: Iterable[Cost]) -> Fraction | int | None:
        """The dearest ground, or by option all grounds, and what adds to the cost [9.1.5]: RULINGS.md R21."""
        whole, added = list[Fraction](), list[Fraction]()
        for each in costs:
            if each.points is None:
                return None
            (added if each.counts == "add" else whole).append(each.points)
        found = whole or [self._clear]
        return (sum(found if self._adds_all else [max(found)]) + sum(added)) * self._factor

    @cached_property
    def _ice(self) -> bool:
        """Whether water is frozen [9.6.2-ice]."""
        return any(row.weather == "extreme cold" for row in self.weather)

    @cached_property
    def _clear(self) -> Fraction:
        """The price of clear ground; in snow that of Rough Terrain 1 [9.6.2-snow]."""
        ground = next((row.ground for row in self.weather if row.ground), "clear")
        points = self._costs[ground].points
        return Fraction(1) if points is None else points

    @cached_property
    def _factor(self) -> int:
        """Deep snow doubles all costs [9.6.2-deep], but not those of ski troops [10.13-ski]."""
        return 2 if not self.mover.skis and any(row.doubles for row in self.weather) else 1


def _cost(row: TerrainEffect, mover: Mover) -> Cost:
    """A line of the chart for a mover; what costs on leaving only costs nothing on the way [9.1-chart, 9.3.1-entry]."""
    points = row.price(mover.by)
    if row.terrain == "bocage" and not (mover.personnel or (mover.armoured and mover.by == "T")):
        points = None
    if row.on_exit == "all" or (row.on_exit == "wheeled" and mover.by == "W"):
        return Cost("add", Fraction(0), leaving=points or 0)
    if row.cost == "entry":
        return Cost("add", None if points is None else Fraction(0), entering=points or 0)
    return Cost(row.cost, points)


def _frozen(kind: str) -> str:
    """The ground that counts where water is met: in extreme cold it is ice, Rough Terrain 1 [9.6.2-ice]."""
    return "rough-1" if kind in WATERS else kind


def _wrecked(kinds: Sequence[str]) -> Iterator[str]:
    """The kinds of terrain at a place; two wrecks there are rough terrain 3 [9.2.1]."""
    if kinds.count("wreck") > 1:
        yield "rough-3"
    yield from (kind for kind in kinds if kind != "wreck" or kinds.count(kind) == 1)


def topmost(features: Iterable[Feature]) -> Iterator[Feature]:
    """The features that count at a place; of a hill only the highest contour does."""
    here = [*features]
    contours = [feature for feature in here if feature.shape == "contour"]
    return (feature for feature in here if feature not in contours[:-1])


# --- legs as a mover finds them ------------------------------------------------------------------------------


def traced(ground: Footing, start: Point, end: Point, prices: Prices) -> Leg:
    """A straight leg as its mover finds it [9.1.4].

    As long as a leg has been on roads from its beginning, only the road counts, and what lies on it; once off it, no
    road does, nor for one that leaves the road within an inch. A bridge or a ford hides the water below it.
    """
    way = leg(ground, start, end)
    pieces = tuple(_found(way.pieces, prices.roads))
    return way._replace(pieces=pieces, crossed=tuple(each for each in way.crossed if _met(each, pieces)))


def _found(pieces: Sequence[Piece], roads: frozenset[str]) -> Iterator[Piece]:
    followed = not _turns_off(pieces, roads)
    for piece in pieces:
        on = {feature for feature in piece.features if feature.kind in roads}
        followed = followed and bool(on)
        open_road = followed and not any(map(_blocks_roads, piece.features))
        found = (each for each in piece.features if each in on or each.kind in IN_THE_ROAD)
        rest = (each for each in piece.features if each not in on and not (followed and each.kind == "wreck"))
        yield piece._replace(features=tuple(found if open_road else _uncovered(rest)))


def _turns_off(pieces: Sequence[Piece], roads: frozenset[str]) -> bool:
    """Return whether a leg leaves the road before it has followed it for an inch [8.3.3, 9.1.4]: RULINGS.md R93."""
    along = [*takewhile(lambda piece: any(feature.kind in roads for feature in piece.features), pieces)]
    return len(along) < len(pieces) and sum(piece.length for piece in along) < MICRO - SLACK


def _blocks_roads(feature: Feature) -> bool:
    """Return whether a marker keeps movers from the road rate: a wreck that nobody has cleared [9.2.2, 11.5.9.3]."""
    return is_marker(feature) and (feature.kind == "engineer bridge" or _is_wreck(feature))


def _is_wreck(feature: Feature) -> bool:
    return feature.kind == "wreck" and feature.called != CLEARED


def _uncovered(features: Iterable[Feature]) -> Iterator[Feature]:
    """The ground without what bridges, fords and ruins hide; a ford may itself be rough terrain 3 [SC.monday.2]."""
    here = [*features]
    hidden = set[str]()
    for feature in here:
        if is_marker(feature):
            hidden |= HIDDEN.get(feature.kind, frozenset())
        elif feature.shape == "crossing":
            hidden |= WATERS
    return (feature for feature in here if feature.kind not in hidden)


def _met(each: Crossed, pieces: Sequence[Piece]) -> bool:
    """Return whether a crossing concerns the mover: it follows no road there, and no bridge hides the water.

    Nor does leaving a wreck that lies with another one: the two are rough terrain 3 instead [9.2.1].
    """
    beside = [piece for piece in pieces if each.at.key in (piece.start.key, piece.end.key)]
    if each.feature.kind == "wreck" and any(_heaped(piece) for piece in beside if piece.end.key == each.at.key):
        return False
    if any(each.feature in piece.features for piece in beside) or not each.feature.parts:
        return True
    return each.at.key == END.key and not any(piece.features for piece in beside)


def _heaped(piece: Piece) -> bool:
    """Return whether two wrecks or more lie on a piece of a leg [9.2.1]."""
    return sum(feature.kind == "wreck" for feature in piece.features) > 1


EASY = frozenset({"light-buildings", "medium-buildings", "heavy-buildings", "good-road", "poor-road", "track"})
"""The ground, with clear ground, on which bicycles use all of their points [10.11.1]."""


def _favours(piece: Piece, easy: frozenset[str], clear: bool) -> bool:
    return easy.issuperset(feature.kind for feature in piece.features) if piece.features else clear


def rough_cost(way: Leg, prices: Prices, easy: frozenset[str] = EASY, *, clear: bool = True) -> int:
    """The part of a leg's cost that is spent on other ground than these kinds, and than clear ground if `clear`."""
    rough = (piece for piece in way.pieces if not _favours(piece, easy, clear))
    return sum(int(piece.length * (prices.inch(piece.features) or 0)) for piece in rough)


def cost_beside(way: Leg, prices: Prices, ways: frozenset[str]) -> int:
    """The part of a leg's cost that is spent beside lines of these kinds, whatever ground they lead through."""
    beside = (piece for piece in way.pieces if ways.isdisjoint(feature.kind for feature in piece.features))
    return sum(int(piece.length * (prices.inch(piece.features) or 0)) for piece in beside)


# --- refusals ------------------------------------------------------------------------------------------------


def prohibited(prices: Prices, way: Leg) -> Refusal | None:
    """The reason for which the ground bars a leg, or None [8.3.2, 8.3.3]."""
    what = bar(way, prices)
    if what is None:
        return None
    if prices.mover.boat:
        return Refusal("A boat stays on rivers and open water.", "10.12")
    feature = what.feature if isinstance(what, Crossed) else _barring(prices, what.features)
    if feature.kind in WATERS:
        words = "Only amphibious stands enter {}: cross it on a bridge or through a ford."
        return Refusal(words, WATER_RULES[feature.kind], (feature.name,))
    if feature.kind == "ditch":
        return Refusal("Vehicles do not enter a ditch until it is breached or bridged.", "11.3.3")
    if feature.kind == "bocage":
        return Refusal("Only armoured tracked vehicles and personnel enter {}.", "9.3.1-entry", (feature.name,))
    return Refusal("{} is impassable for this stand.", "8.3.2-pay", (feature.name,))


def _barring(prices: Prices, features: Iterable[Feature]) -> Feature:
    return next(feature for feature in features if prices.inch((feature,)) is None)
