"""Movement costs [TEC, MOV-2]: the points for an inch of ground and for a crossing, and the ground that bars the way.

The kinds of terrain are those of a table file; blocks, fortifications and minefields lie on it as features too
(`works`). Prices are asked about the ground as a mover finds it (`legs.traced`).
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import msgspec

from opfire.core.actions import Refusal
from opfire.core.rows import fraction
from opfire.rulesets.panzerblitz_miniatures.charts import Charts, Mode, Terrain
from opfire.space.terrain.features import Feature
from opfire.space.terrain.legs import Manner

ROADS = frozenset({"road", "track", "bridge"})
"""The kinds that are followed at the road rate [TEC-2, TEC-9]."""

NOT_AT_ROAD_RATE = frozenset({"block", "fort", "mines"})
"""The works that are never entered at the road rate [ROD-5]; a wreck keeps stands away altogether: RULINGS.md R18."""

STREAMS = frozenset({"stream", "water"})
"""A road does not lead through these: vehicles need a bridge, or a ford through a stream [STR-3, RIV-3]."""

DEPRESSIONS = STREAMS | {"gully"}
"""The ground below a bridge or a ford."""

EASY = ROADS | {"town", "water"}
"""The kinds on which some movers get on more easily than on open ground."""

CLEAR = frozenset({"open", "field", "ford", "hilltop"})
"""Clear terrain, for Quick March [QM-1]."""

VEHICLES = ("W", "AO")


class Mover(NamedTuple):
    """A unit as far as ground is concerned: its mode, and the capabilities that it may use now.

    `climbs` holds for infantry that has thrown a 1 at a cliff [TEC-4]; `amphibious` if the scenario lets it swim.
    `boat` is a ferry, which never leaves the water [FER-2].
    """

    mode: Mode
    cross_country_penalty: bool = False
    amphibious: bool = False
    quick_march: bool = False
    climbs: bool = False
    boat: bool = False

    @property
    def vehicle(self) -> bool:
        """Whether it is a vehicle; wagons are."""
        return self.mode in VEHICLES


class _Cost(msgspec.Struct, frozen=True):
    """A line of the chart for one mode; None bars the way."""

    counts: str
    points: Fraction | None
    leave: Fraction


class Prices:
    """The prices of one kind of mover; None bars the way. `blocks` are the blocks that it may enter, by id [BLK-3]."""

    def __init__(self, charts: Charts, mover: Mover, blocks: frozenset[str] = frozenset()) -> None:
        self.mover, self.blocks = mover, blocks
        self._costs = {code: _cost(row, mover) for code, row in charts.terrain.items()}
        self._road = self._costs["road"].points
        self._factor = 2 if mover.cross_country_penalty else 1
        self._inches: dict[tuple[Feature, ...], Fraction | int | None] = {}

    def inch(self, features: tuple[Feature, ...]) -> Fraction | int | None:
        """The movement points for an inch on these features; every point of it lies on them all [MOV-2]."""
        if features not in self._inches:  # a table has few combinations, and its lattice asks for each a thousand times
            self._inches[features] = self._inch(features)
        return self._inches[features]

    @cached_property
    def saved_by_road(self) -> Fraction:
        """The movement points that the road rate saves on an inch of open ground [TEC-9, OVR-11]."""
        return (self.inch(()) or Fraction(0)) - (self._road or Fraction(0))

    def toll(self, feature: Feature, manner: Manner) -> Fraction | int | None:
        """The movement points for entering, leaving or crossing a feature."""
        if self.mover.mode == "AC":
            return 0
        if feature.kind in ROADS:
            return None  # a leg as its mover finds it meets a road's border only where a bridge cannot be left [BRI-2]
        if manner == "enters":
            return self._entry(feature)
        cost = self._costs.get(feature.kind)
        if manner == "leaves":
            return cost.leave * self._factor if cost else 0
        return self._crossed(feature.kind)

    @cached_property
    def easy(self) -> Fraction | int:
        """The lowest price of an inch on any ground: on a road, in a town."""
        return self._least(frozenset())

    @cached_property
    def plain(self) -> Fraction | int:
        """The lowest price of an inch where there are no roads, towns and waters."""
        return self._least(EASY)

    def _least(self, but: frozenset[str]) -> Fraction | int:
        """The lowest price of an inch on any ground, except on some kinds."""
        if self.mover.mode == "AC":
            return 1
        if self.mover.quick_march:
            return Fraction(1, 2)
        inches = {code: cost.points for code, cost in self._costs.items() if cost.counts == "inch" and code not in but}
        factors = {code: 1 if code in ROADS else self._factor for code in inches}
        return min((points * factors[code] for code, points in inches.items() if points), default=Fraction(1))

    # --- parts of a price

    def _inch(self, features: tuple[Feature, ...]) -> Fraction | int | None:
        if self.mover.mode == "AC":
            return 1
        if self.mover.boat:
            return 1 if any(feature.kind == "water" for feature in features) else None
        if usable_roads(features):
            return self._road
        if any(self._keeps_out(feature) for feature in features):
            return None
        kinds = ground_kinds(features)
        if self.mover.quick_march and CLEAR.issuperset(kinds):
            return Fraction(1, 2)
        return self._ground(kinds)

    def _ground(self, kinds: Iterable[str]) -> Fraction | None:
        """The dearest ground, and on top of it the terrain that adds to the cost [TEC-16]: RULINGS.md R58."""
        costs = [self._costs[kind] for kind in kinds if kind in self._costs]
        if any(cost.points is None for cost in costs):
            return None
        whole = [cost.points for cost in costs if cost.counts == "inch" and cost.points is not None]
        added = [cost.points for cost in costs if cost.counts == "base" and cost.points is not None]
        ground = max(whole) if whole else self._costs["open"].points
        return None if ground is None else (ground + sum(added)) * self._factor

    def _entry(self, feature: Feature) -> int | None:
        if feature.kind == "block" and feature.id not in self.blocks:
            return None
        return None if self.inch((feature,)) is None else 0

    def _crossed(self, kind: str) -> Fraction | int | None:
        if kind == "cliff":
            return 0 if self.mover.climbs and self.mover.mode == "P" else None
        cost = self._costs.get(kind)
        if cost is None:
            return 0
        return None if cost.points is None else cost.points * self._factor

    def _keeps_out(self, feature: Feature) -> bool:
        """Return whether a feature has no room for the mover, whatever the ground costs [BLD-1, FRT-3].

        Rivers and lakes are open to amphibious units alone [RIV-3, RIV-5], where the scenario lets them swim [AMP-1].
        """
        if feature.kind == "water":
            return not self.mover.amphibious
        return self.mover.vehicle and feature.kind in ("building", "fort")


def usable_roads(features: Iterable[Feature]) -> tuple[Feature, ...]:
    """The roads that may be followed on this ground: none over works [ROD-5, BLK-6], or through unbridged streams."""
    here = tuple(features)
    kinds = {feature.kind for feature in here}
    if kinds & NOT_AT_ROAD_RATE or (kinds & STREAMS and not _leads_across(here)):
        return ()
    return tuple(feature for feature in here if feature.kind in ROADS)


def ground_kinds(features: Iterable[Feature]) -> tuple[str, ...]:
    """The kinds of terrain that count at a place off the road, from the ground up; `open` if nothing lies there.

    Of a hill the highest contour counts. A ford is clear terrain for all purposes [FRD-1].
    """
    here = [feature for feature in features if feature.kind not in ROADS]
    if any(feature.kind == "ford" for feature in here):
        return ("ford",)
    contours = [feature for feature in here if feature.shape == "contour"]
    kinds = [feature.kind for feature in (*contours[-1:], *here) if feature not in contours[:-1]]
    return tuple(dict.fromkeys(kinds)) or ("open",)


def _leads_across(features: Iterable[Feature]) -> bool:
    return any(feature.shape == "crossing" for feature in features)


def _cost(row: Terrain, mover: Mover) -> _Cost:
    """A line of the chart for a mover; aircraft and towed guns look at none."""
    printed = {"P": row.p, "W": row.w, "AO": row.ao}.get(mover.mode, "")
    leave = {"W": row.leave_w, "AO": row.leave_ao}.get(mover.mode, "0")
    where = "terrain_effects.csv"
    return _Cost(row.counts, fraction(printed, where) if printed else None, fraction(leave, where))


# --- refusals --------------------------------------------------------------------------------------------

BARS = {
    "block": ("A unit enters a block only if it begins its movement phase beside it.", "BLK-3"),
    "bridge": ("{} is entered and left at its ends, never from the bed below it.", "BRI-2"),
    "building": ("Vehicles cannot enter {}.", "BLD-1"),
    "cliff": ("Only infantry crosses {}, after a die roll of 1.", "TEC-4"),
    "fort": ("Vehicles cannot enter a fortification.", "FRT-3"),
    "heavy-woods": ("Vehicles cannot enter {}: follow a road through it.", "TEC-17"),
    "stream": ("Vehicles cannot enter {}: cross it on a bridge or through a ford.", "STR-3"),
    "swamp": ("Vehicles cannot enter {}: follow a road through it.", "TEC-14"),
    "wall": ("Wheeled vehicles cannot cross {}: go around it.", "TEC-18"),
    "water": ("Only amphibious units enter {}.", "RIV-5"),
}


def ashore() -> Refusal:
    """Reject a way of a ferry that leaves the water [FER-2]."""
    return Refusal("A ferry stays on the water.", "FER-2")


"""The sentence and the rule for each kind of terrain that bars somebody's way."""


def barred_by(feature: Feature) -> Refusal:
    """The reason for which a feature bars a mover's way."""
    sentence, rule = BARS[feature.kind]
    return Refusal(sentence, rule, (feature.name,) if "{}" in sentence else ())
