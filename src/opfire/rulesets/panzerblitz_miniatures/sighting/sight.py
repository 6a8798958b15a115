"""Lines of sight: the first thing that blocks a line between two stands, with its place and rule.

A line runs from the centre of the firer or spotter to that of the target [LOS-1]. Adjacent stands always see each
other [LOB-8]; otherwise streams, gullies and rivers hide their units, and each obstacle under the line is judged by
the levels of both stands [OEC-1]. Everything is decided in integers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import chain, pairwise
from typing import Literal, NamedTuple, TypeAlias

from opfire.core.actions import Refusal
from opfire.core.places import INCH, Point, tenths
from opfire.core.texts import Text, Words
from opfire.rulesets.panzerblitz_miniatures.charts import LEVELS, Charts
from opfire.space.measure import square
from opfire.space.terrain.exact import Ring, near, sides
from opfire.space.terrain.features import Feature
from opfire.space.terrain.ground import Ground
from opfire.space.terrain.sight import SightLine
from opfire.space.terrain.spans import END, Along, Span

Obstacle: TypeAlias = Literal["woods", "town", "slope", "crest", "linear", "dune", "smoke"]

HILLTOP = LEVELS.index("hilltop")

BESIDE = INCH
"""A stand is directly behind terrain, on a crest or at a hedge within an inch of it [LOB-4]: RULINGS.md R45."""

THROUGH = 2 * INCH
"""A line that meets the terrain beside a stand farther off runs along it rather than through it: RULINGS.md R62."""

DEPRESSIONS = {"stream": "STR-7", "gully": "GUL-2", "water": "RIV-6"}
"""The depressions, and the rules that hide their units from ground level."""

_OBSTACLES: dict[str, Obstacle] = {
    "woods": "woods",
    "heavy-woods": "woods",
    "town": "town",
    "building": "town",  # RULINGS.md R66
    "slope": "slope",
    "crest": "crest",
    "cliff": "crest",
    "hilltop": "crest",
    "hedge": "linear",
    "fence": "linear",
    "wall": "linear",
    "dune": "dune",
    "smoke": "smoke",
}
_TEXTS = {
    "LOB-2": "{} lies along the line of sight, from {}",
    "LOB-4": "{} hides the target directly behind it, at {}",
    "LOB-5": "{} directly before the firer blocks the line of sight at {}",
    "LOB-6": "{} lies halfway to the unit on the ground or nearer to it, and blocks the line of sight at {}",
    "LOB-7": "{} is a second hilltop under the line of sight, at {}",
    "STR-7": "Only an adjacent unit, or one on a slope or hilltop, sees into or out of {}: the bank is at {}",
    "GUL-2": "Only an adjacent unit, or one on a slope or hilltop, sees into or out of {}: the edge is at {}",
    "RIV-6": "Only a unit on its bank, or on a slope or hilltop, sees a unit in {}: the bank is at {}",
}


class Block(NamedTuple):
    """A blocked line of sight: the sentence with its rule, and the point at which the line is blocked."""

    refusal: Refusal
    at: Point


class Crossing(NamedTuple):
    """An obstacle under a line, from one place along it to another; a crest or hedge mostly has one place."""

    feature: Feature
    obstacle: Obstacle
    enters: Along
    leaves: Along

    @property
    def name(self) -> Words:
        """The name of the obstacle; the border of a hilltop is its crest."""
        hill = self.feature.hill
        return Text("The crest of {}", (hill,)) if self.obstacle == "crest" and hill else self.feature.name


def levels(line: SightLine) -> tuple[int, int]:
    """The levels of both stands for the chart, those of their terrain [OBS-5].

    A depression counts as ground [STR-8, GUL-3, RIV-7], all heights as hilltop.
    """
    firer, target = (min(max(level, 0), HILLTOP) for level in line.levels)
    return firer, target


def adjacent(charts: Charts, line: SightLine, base: int = INCH) -> bool:
    """Return whether two stands of this diameter (1/1000 inch) are adjacent: RULINGS.md R9."""
    return square(line.start, line.end) <= (base + charts.named["adjacent gap in inches"] * INCH) ** 2


def smoke_ground(size: Point, clouds: Iterable[Ring]) -> Ground:
    """The smoke on a table of this size, for `sight_line`: each cloud is the template that it was fired on [SSC-8]."""
    return Ground(
        size,
        [
            Feature(number, f"smoke-{number}", "smoke", "Smoke", "area", parts=((ring,),))
            for number, ring in enumerate(clouds)
        ],
    )


def blocked(charts: Charts, line: SightLine, smoke: Iterable[Span] = (), base: int = INCH) -> Block | None:
    """The first thing that blocks the line from firer to target [LOS-1, OBS-1], or None if the target is in sight.

    The line runs from centre to centre [GLO-8]. Nothing blocks it between adjacent stands, whatever the terrain
    [LOB-8]. Units and works are no obstacles: neither friends, enemies [OBS-3] nor blocks [BLK-4] stop it.

    `smoke` are the spans of the same line over the smoke, and `base` is the diameter of the stands.
    """
    if adjacent(charts, line, base):
        return None
    return _sunk(line) or _hilltops(line) or _first(charts, line, smoke)


def _block(line: SightLine, name: Words, place: Along, rule: str) -> Block:
    at = line.point(place)
    return Block(Refusal(_TEXTS.get(rule, "{} blocks the line of sight at {}"), rule, (name, tenths(at))), at)


# --- depressions [STR-7, STR-8, RIV-6, RIV-7, GUL-2, GUL-3] --------------------------------------------------


def _sunk(line: SightLine) -> Block | None:
    """The bank that hides a unit in a depression from all but heights and its neighbours."""
    if min(line.levels) >= 0 or max(line.levels) > 0:
        return None
    dips = [span for span in line.spans if span.feature.kind in DEPRESSIONS]
    if any(not dip.enters.key and dip.leaves.key == END.key for dip in dips):
        return None  # both in the same one, and the line never leaves it: RULINGS.md R63
    banks = [*_banks(line, dips)]
    hiding = (_block(line, dip.feature.name, place, DEPRESSIONS[dip.feature.kind]) for dip, place, _ in banks)
    return None if all(_from_shore(line, *bank) for bank in banks) else next(hiding)


def _banks(line: SightLine, dips: Iterable[Span]) -> Iterator[tuple[Span, Along, int]]:
    """The depressions of the two stands: where the line leaves each, and the number of the stand outside."""
    for dip in dips:
        if line.levels[0] < 0 and not dip.enters.key:
            yield dip, dip.leaves, 1
        if line.levels[1] < 0 and dip.leaves.key == END.key:
            yield dip, dip.enters, 0


def _from_shore(line: SightLine, dip: Span, _: Along, outside: int) -> bool:
    """Return whether the unit outside is at the bank of a river, from which it sees along it [RIV-6]."""
    return dip.feature.kind == "water" and touches((line.start, line.end)[outside], dip.feature)


# --- hilltops [LOB-7] ----------------------------------------------------------------------------------------


def _hilltops(line: SightLine) -> Block | None:
    """The second hilltop under a line that does not lead from hilltop to hilltop."""
    if levels(line) == (HILLTOP, HILLTOP):
        return None
    tops: dict[Feature, Span] = {}
    for span in filter(_tops, line.spans):
        tops.setdefault(span.feature, span)
    return next((_block(line, each.feature.name, each.enters, "LOB-7") for each in [*tops.values()][1:]), None)


def _tops(span: Span) -> bool:
    return span.feature.kind == "hilltop"


# --- obstacles [LOB-1, OEC-1] --------------------------------------------------------------------------------


def crossings(line: SightLine, smoke: Iterable[Span] = ()) -> Iterator[Crossing]:
    """The obstacles under a line; the border of a hilltop is a crest, drawn or not."""
    for span in chain(line.spans, smoke):
        what = _OBSTACLES.get(span.feature.kind)
        if _tops(span):
            yield from _borders(span)
        elif what:
            yield Crossing(span.feature, what, span.enters, span.leaves)


def _borders(span: Span) -> Iterator[Crossing]:
    if span.enters.key:
        yield Crossing(span.feature, "crest", span.enters, span.enters)
    if span.leaves.key != END.key:
        yield Crossing(span.feature, "crest", span.leaves, span.leaves)


def _first(charts: Charts, line: SightLine, smoke: Iterable[Span]) -> Block | None:
    """The first obstacle along the line that blocks it; one that the line only touches at a corner does [LOB-3]."""
    found = [*crossings(line, smoke)]
    for crossing in sorted(found, key=lambda each: (each.enters.key, each.leaves.key, each.feature.number)):
        if not _own(line, crossing, found) and (rule := _rule(charts, line, crossing)):
            return _block(line, crossing.name, crossing.enters, rule)
    return None


def _rule(charts: Charts, line: SightLine, crossing: Crossing) -> str | None:
    """The rule by which an obstacle blocks a line, or None."""
    match crossing.obstacle:
        case "smoke":
            return "MMF-2"  # RULINGS.md R20
        case "crest":
            return _crest(charts, line, crossing)
        case "slope":
            return _slope(charts, line, crossing)
    return _low(charts, line, crossing)


def _own(line: SightLine, crossing: Crossing, found: Iterable[Crossing]) -> bool:
    """Return whether a stand looks out of this terrain: an inch of woods, or its building: RULINGS.md R66, R67."""
    if not crossing.feature.parts or crossing.obstacle == "slope":
        return False
    same = [each for each in found if each.feature is crossing.feature]
    first = any(not each.enters.key for each in same)
    last = any(each.leaves.key == END.key for each in same)
    if crossing.feature.kind == "building":
        return first or last
    if first and last and square(line.start, line.end) <= (2 * BESIDE) ** 2:
        return True
    return (first and _near_start(line, crossing.leaves, BESIDE)) or (last and _near_end(line, crossing.enters, BESIDE))


def _near_start(line: SightLine, place: Along, reach: int) -> bool:
    """Return whether a place lies at most `reach` (1/1000 inch) from the start of a line."""
    return square(line.start, line.end) * place.over**2 <= reach**2 * place.under**2


def _near_end(line: SightLine, place: Along, reach: int) -> bool:
    return square(line.start, line.end) * (place.under - place.over) ** 2 <= reach**2 * place.under**2


def touches(at: Point, feature: Feature) -> bool:
    """Return whether the border or line of a feature lies within an inch of a point."""
    rings = (sides(ring) for rings in feature.parts for ring in rings)
    return any(near(at, *side, BESIDE) for side in chain(*rings, pairwise(feature.way)))


def beside_firer(line: SightLine, crossing: Crossing) -> bool:
    """Return whether the firer is directly behind an obstacle, or on a crest: RULINGS.md R45, R62."""
    if not crossing.enters.key:
        return True
    return _near_start(line, crossing.enters, THROUGH) and touches(line.start, crossing.feature)


def beside_target(line: SightLine, crossing: Crossing) -> bool:
    """Return whether the target is directly behind an obstacle, or on a crest: RULINGS.md R45, R62."""
    if crossing.leaves.key == END.key:
        return True
    return _near_end(line, crossing.leaves, THROUGH) and touches(line.end, crossing.feature)


def _along(crossing: Crossing) -> bool:
    """Return whether the line runs along a hedge, crest or the like [LOB-2]."""
    return not crossing.feature.parts and crossing.enters.key != crossing.leaves.key


def height(line: SightLine, crossing: Crossing) -> int:
    """The level on which an obstacle stands: the highest under the part of it that the line crosses."""
    return max(
        (
            min(span.feature.level or 0, HILLTOP)
            for span in line.spans
            if span.feature.shape == "contour"
            and span.enters.key <= crossing.leaves.key
            and span.leaves.key >= crossing.enters.key
        ),
        default=0,
    )


def _chart(charts: Charts, line: SightLine, obstacle: str) -> str:
    firer, target = levels(line)
    return charts.obstacles[LEVELS[firer], LEVELS[target], obstacle]


def _crest(charts: Charts, line: SightLine, crossing: Crossing) -> str | None:
    """A crest blocks all lines but those between hilltops, and those of a unit on it [LOB-11]."""
    if _chart(charts, line, "crest") == "never":
        return None
    if beside_firer(line, crossing) or beside_target(line, crossing):
        return None
    return "LOB-2" if _along(crossing) else "OEC-1" if any(levels(line)) else "LOB-10"


def _slope(charts: Charts, line: SightLine, crossing: Crossing) -> str | None:
    """A slope blocks as the chart says, but not the lines of units on it [LOB-11]."""
    own = [span for span in line.spans if span.feature is crossing.feature]
    says = _chart(charts, line, "slope")
    if says == "never" or any(not span.enters.key or span.leaves.key == END.key for span in own):
        return None
    if says == "always":
        return "OEC-1" if any(levels(line)) else "LOB-10"
    return "LOB-6" if _nearer_below(line, crossing) else None


def _low(charts: Charts, line: SightLine, crossing: Crossing) -> str | None:
    """Woods, towns, hedges and the like block where they stand as high as both units; else the chart decides [OEC-1].

    Hedges, fences and walls are obstacles between units on one level alone [TEC-18]: RULINGS.md R64.
    """
    firer, target = levels(line)
    linear = crossing.obstacle == "linear"
    if height(line, crossing) >= max(firer, target) and not (linear and firer != target):
        return _level(line, crossing)
    says = "see rules" if linear else _chart(charts, line, "town" if crossing.obstacle == "town" else "woods")
    if says == "see rules":
        return _over(line, crossing)
    return "OEC-1" if says == "always" else None


def _level(line: SightLine, crossing: Crossing) -> str | None:
    """The rule by which a low obstacle blocks that stands as high as both units [LOB-1, LOB-9, LOB-10]."""
    linear = crossing.obstacle == "linear"
    if _along(crossing):
        return "LOB-2"
    if not crossing.feature.parts and (beside_firer(line, crossing) or beside_target(line, crossing)):
        return None  # a hedge beside a stand is its cover
    if height(line, crossing) == HILLTOP and not linear:
        return "LOB-9"
    return ("TEC-18" if linear else "LOB-1") if any(levels(line)) else "LOB-10"


def _over(line: SightLine, crossing: Crossing) -> str | None:
    """Low obstacles on lines between ground and heights: the three clauses behind "See Rules" [LOB-4, LOB-5, LOB-6]."""
    firer, target = levels(line)
    linear = crossing.obstacle == "linear"
    if not firer:
        return "LOB-5" if not linear and beside_firer(line, crossing) else None
    if target:
        return None
    if beside_target(line, crossing):
        return "LOB-4"
    return "LOB-6" if firer == HILLTOP and not linear and _nearer_below(line, crossing) else None


def _nearer_below(line: SightLine, crossing: Crossing) -> bool:
    """Return whether an obstacle is as near to the lower unit as to the higher, or nearer [LOB-6]: RULINGS.md R65."""
    middle = _fraction(crossing.enters) + _fraction(crossing.leaves)
    return middle >= 1 if line.levels[0] > line.levels[1] else middle <= 1


def _fraction(place: Along) -> Fraction:
    return Fraction(place.over, place.under)
