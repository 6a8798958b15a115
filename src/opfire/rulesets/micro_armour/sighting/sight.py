"""Line of sight [6.1 to 6.5]: from centre to centre, past stands, terrain, smoke and impact zones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from opfire.core.actions import Refusal
from opfire.core.places import INCH, Point, tenths
from opfire.rulesets.micro_armour.pieces import End, Position, Setting, Stand, Work, adjacent
from opfire.rulesets.micro_armour.weather import sight_limit
from opfire.space.measure import square
from opfire.space.squares import clip, footprint, share, stops
from opfire.space.terrain.exact import Ring, near
from opfire.space.terrain.sight import SightLine, sight_line
from opfire.space.terrain.spans import END, Along, Span

EDGE = INCH // 8
"""A stand is at the edge of a terrain that lies at most this far within it (1/1000 inch) [6.3.2-tolerance]."""

FLAT = "R8"
"""The reading in which the chart alone says what blocks, as if all ground were flat: RULINGS.md R8."""

EYES = Fraction(1, 5)
"""The height of eyes in levels: RULINGS.md R8."""

PER_LEVEL = 5
"""The inches of sight that each level of height adds [6.4.3]."""

FAR_OFF = 1708
"""The distance from a corner of a stand from which on no marker covers half of it (1/1000 inch).

Two squares of an inch whose centres are an inch apart share less than a third; a corner is 0.708 inch off its centre.
"""

SLOPES = frozenset({"gentle-slope", "steep-slope"})
CREST, HILLTOP, DEPRESSION, BOCAGE = "crest", "hilltop", "depression", "bocage"

BARRIERS: Mapping[str, str] = {"smoke": "7.4.7.1-3", "impact": "7.4.5.1", "brush": "6.3.1"}
"""The markers that block a line through them, each with its rule [7.4.5.1, 7.4.7.1-3]; brush does as woods do."""

HIDING = frozenset({*BARRIERS, "wreck", "rough-1"})
"""The markers that may block a line: wrecks upon each other are rough terrain 3 [9.2.1]."""


def end_of(unit: Stand) -> End:
    """The end of a line that a stand is; one that has fired in this turn counts as in clear terrain [6.3.4].

    Indirect fire shows nobody: RULINGS.md R118.
    """
    assert unit.at is not None
    return End(unit.at, unit.ring, shows_itself(unit), hides_personnel_only(unit))


def shows_itself(unit: Stand) -> bool:
    """Return whether a stand has shown itself by its fire in this turn; indirect fire shows nobody: RULINGS.md R118."""
    return unit.fired and not unit.unseen


def spot(at: Point) -> End:
    """The end of a line that a place for a marker is."""
    return End(at, footprint(at, 0), clear=False, personnel=False)


def hides_personnel_only(unit: Stand) -> bool:
    """Return whether a stand is personnel for lines of sight [6.2.2, 6.2.3].

    Motorcycle infantry and cavalry are so in the firing posture only.
    """
    rides = unit.kind.has("motorcycle") or unit.kind.has("cavalry")
    return unit.personnel and (not rides or unit.posture == "firing")


# --- checks ---------------------------------------------------------------------------------------------------


def cannot_see(position: Position, spotter: Stand, target: Stand) -> Refusal | None:
    """Reject a target that a stand cannot see [6.0, 6.1-line]; adjacent stands always see each other [6.4.2]."""
    if adjacent(spotter, target):
        return None
    key = spotter.id, target.id
    if key not in position.sightings:
        ends = end_of(spotter), end_of(target)
        position.sightings[key] = too_far(position, *ends) or blocked(position, *ends)
    return _in_bocage(position, target) or position.sightings[key]


def cannot_see_place(position: Position, spotter: Stand, at: Point) -> Refusal | None:
    """Reject a place that a stand cannot see [6.0]."""
    key = spotter.id, at
    if key not in position.sightings:
        ends = end_of(spotter), spot(at)
        position.sightings[key] = too_far(position, *ends) or blocked(position, *ends)
    return position.sightings[key]


def too_far(position: Position, spotter: End, target: End) -> Refusal | None:
    """Reject a target beyond the maximum sighting distance, which height increases [6.4.1, 6.4.3]."""
    inches, higher = sight_limit(position), level(position, spotter.at) - level(position, target.at)
    if higher > 0:
        inches += PER_LEVEL * higher
    if square(spotter.at, target.at) <= (inches * INCH) ** 2:
        return None
    rule = "6.4.3" if higher > 0 else "6.4.1"
    return Refusal("The target at {} is beyond the sighting distance of {} inches", rule, (tenths(target.at), inches))


def _in_bocage(position: Position, target: Stand) -> Refusal | None:
    """Reject a target in bocage that has not fired; only adjacent stands see it [9.3.4].

    One that has come along a road is not in the hedges beside it [9.1.4].
    """
    assert target.at is not None
    if shows_itself(target) or BOCAGE not in position.table.ground.at(target.at).kinds or on_a_road(position, target):
        return None
    return Refusal("{} is in bocage and has not fired: only adjacent stands see it", "9.3.4", (target.name,))


def on_a_road(position: Position, unit: Stand) -> bool:
    """Return whether a stand has come along a road, and is in no terrain beside it: it neither stands in the firing
    posture nor has paid for that terrain [9.1.4]: RULINGS.md R144.
    """
    progress = position.progress
    under_way = progress is not None and progress.unit == unit.id
    return unit.on_road and unit.posture != "firing" and (under_way or not position.setting.has("R144"))


def blocked(position: Position, spotter: End, target: End) -> Refusal | None:
    """Reject a line that terrain, stands or markers block [6.2, 6.3.1]; a line that touches is blocked [6.5]."""
    return (
        by_terrain(position.setting, spotter, target)
        or by_stands(position, spotter, target)
        or by_markers(position, spotter, target)
    )


def level(position: Position, at: Point) -> int:
    """The level of the ground at a point."""
    return position.table.ground.at(at).level


# --- stands -----------------------------------------------------------------------------------------------------


def by_stands(position: Position, spotter: End, target: End) -> Refusal | None:
    """Reject a line across a stand between: personnel hide personnel only, all others hide everybody [6.2.2, 6.2.3].

    Guns see and fire over personnel [10.5].

    A stand that lies lower than the line hides nobody: RULINGS.md R8. By another reading personnel hide personnel from
    everybody: R117.
    """
    both = target.personnel and (spotter.personnel or position.setting.has("R117"))
    for unit in position.all():
        at = unit.at
        if at is None or at in (spotter.at, target.at) or not near(at, spotter.at, target.at, 3 * INCH // 4):
            continue
        if hides_personnel_only(unit) and not both:
            continue
        if stops(spotter.at, target.at, unit.ring) and not _below(position, unit, spotter, target):
            rule = "6.2.2" if hides_personnel_only(unit) else "6.2.3"
            return Refusal("{} is in the line of sight", rule, (unit.name,))
    return None


def _below(position: Position, unit: Stand, spotter: End, target: End) -> bool:
    """Return whether a line passes above a stand under it: RULINGS.md R8."""
    first, last = level(position, spotter.at), level(position, target.at)
    assert unit.at is not None
    height = level(position, unit.at)
    if position.setting.has(FLAT):
        return False
    if height >= max(first, last) or first == last == height:
        return False
    over = clip(spotter.at, target.at, unit.ring)
    assert over is not None
    return min(_height(first, last, part) for part in over) - EYES > height


def _height(first: int, last: int, part: Fraction) -> Fraction:
    """The height of a line in levels, at a fraction of the way."""
    return first + (last - first) * part + EYES


# --- markers ----------------------------------------------------------------------------------------------------


def by_markers(position: Position, spotter: End, target: End) -> Refusal | None:
    """Reject a line through smoke, brush or an impact zone that neither end is in [7.4.5.1, 7.4.7.1-3].

    So do wrecks upon each other, which are rough terrain 3 [9.2.1], and rough ground that is left of a position
    [11.4.2]. Each stands a level above its ground: RULINGS.md R8.
    """
    for work in position.works.values():
        if work.kind not in HIDING or not near(work.at, spotter.at, target.at, 3 * INCH // 4):
            continue
        bar = _barrier(position, work, target)
        if bar is None or any(half_in(end.ring, work) for end in (spotter, target)):
            continue
        if stops(spotter.at, target.at, work.ring) and not _over(position, work, spotter, target):
            return Refusal("The {} marker at {} is in the line of sight", bar.rule, (bar.words, tenths(work.at)))
    return None


class Barrier(NamedTuple):
    """A marker that blocks a line, in words, and the rule."""

    words: str
    rule: str


def _barrier(position: Position, work: Work, target: End) -> Barrier | None:
    """The barrier that a marker is for lines to a target; None if it blocks none."""
    match work.kind:
        case "rough-1":
            return Barrier("rough terrain 1", "6.3.1") if target.personnel else None
        case "wreck":
            others = (each for each in position.works.values() if each.kind == "wreck" and each.id != work.id)
            upon = not work.fresh and any(not each.fresh and half_in(work.ring, each) for each in others)
            return Barrier("rough terrain 3", "9.2.1") if upon else None
    return Barrier(work.kind, BARRIERS[work.kind])


def _over(position: Position, work: Work, spotter: End, target: End) -> bool:
    """Return whether a line passes above a marker, which stands a level above its ground: RULINGS.md R8."""
    first, last, ground = level(position, spotter.at), level(position, target.at), level(position, work.at)
    if position.setting.has(FLAT) or first == last == ground:
        return False
    part = clip(spotter.at, target.at, work.ring)
    return part is not None and min(_height(first, last, each) for each in part) >= ground + 1


def half_in(ring: Ring, by: Work | End) -> bool:
    """Return whether a marker, on the table or yet to come, covers at least half of a stand [7.4.3.2]."""
    apart = square(ring[0], by.at) >= FAR_OFF**2
    return not apart and half_over(ring, by.ring)


@lru_cache(maxsize=8192)
def half_over(ring: Ring, by: Ring) -> bool:
    """Return whether one footprint covers at least half of another [7.4.3.2]."""
    return share(ring, (by,)) * 2 >= 1


def markers_over(position: Position, unit: Stand) -> Iterator[Work]:
    """The markers that cover at least half of a stand [7.4.3.2], without those of no effect yet [8.7.7, 12.3.7]."""
    for work in position.works.values():
        if work.fresh or unit.at is None or square(work.at, unit.at) >= INCH**2:
            continue
        if half_in(unit.ring, work):
            yield work


# --- terrain ----------------------------------------------------------------------------------------------------


def by_terrain(made: Setting, spotter: End, target: End) -> Refusal | None:
    """Reject a line through blocking terrain [6.3.1], unless the stand in it is at the edge [6.3.2-edge].

    Lines between places are remembered.
    """
    key = spotter, target
    if key not in made.lines:
        if len(made.lines) > 50000:
            made.lines.clear()
        made.lines[key] = _by_terrain(made, spotter, target)
    return made.lines[key]


def _by_terrain(made: Setting, spotter: End, target: End) -> Refusal | None:
    line = sight_line(made.table.ground, spotter.at, target.at)
    if not line.spans:
        return None
    between = _between(spotter, target)
    if between is None:
        return None
    for span in line.spans:
        if _hides(made, line, span, between, spotter, target):
            return _in_the_way(span)
    return None


def _in_the_way(span: Span) -> Refusal:
    """The refusal of a line through terrain [6.3.1], or through that around a stand at its end [6.3.2-edge]."""
    if not span.enters.key or span.leaves.key == END.key:
        words = "{} blocks the line of sight: a stand in it sees and is seen at its edge only"
        return Refusal(words, "6.3.2-edge", (span.feature.name,))
    return Refusal("{} blocks the line of sight", "6.3.1", (span.feature.name,))


def _between(spotter: End, target: End) -> tuple[Fraction, Fraction] | None:
    """The part of a line beyond the edges of both stands, as fractions of its way [6.3.2-edge]; None if none is left.

    An edge reaches an eighth of an inch farther than the stand [6.3.2-tolerance].
    """
    first = clip(spotter.at, target.at, spotter.ring, EDGE)
    last = clip(spotter.at, target.at, target.ring, EDGE)
    low, high = first[1] if first else Fraction(0), last[0] if last else Fraction(1)
    return (low, high) if low < high else None


def _hides(
    made: Setting, line: SightLine, span: Span, between: tuple[Fraction, Fraction], spotter: End, target: End
) -> bool:
    """Return whether one stretch of terrain blocks a line."""
    effect = made.charts.terrain.get(span.feature.kind)
    if effect is None or effect.blocks in ("never", "through"):
        return False
    if effect.blocks == "personnel" and not target.personnel:
        return False
    starts, ends = not span.enters.key, span.leaves.key == END.key
    match span.feature.kind:
        case "crest":
            return _within(span.enters, between)
        case "hilltop":
            rims = [place for place, inside in ((span.enters, starts), (span.leaves, ends)) if not inside]
            return any(_within(rim, between) and _rises(made, line, span, [rim.fraction]) for rim in rims)
        case kind if kind in SLOPES and not made.has(FLAT):
            return not starts and not ends and _rises(made, line, span, [span.enters.fraction, span.leaves.fraction])
        case kind if kind == DEPRESSION and not made.has(FLAT) and not starts and not ends:
            return False
    if (starts and spotter.clear and not ends) or (ends and target.clear and not starts):
        return False  # it has fired, and counts as in clear terrain [6.3.4]
    stretch = max(span.enters.fraction, between[0]), min(span.leaves.fraction, between[1])
    return _meets(span, between) and _stands_above(made, line, stretch)


def _within(place: Along, between: tuple[Fraction, Fraction]) -> bool:
    return between[0] < place.fraction < between[1]


def _meets(span: Span, between: tuple[Fraction, Fraction]) -> bool:
    return span.enters.fraction < between[1] and span.leaves.fraction > between[0]


def _rises(made: Setting, line: SightLine, span: Span, parts: Iterable[Fraction]) -> bool:
    """Return whether a hill is higher than the line at one of these places: RULINGS.md R8."""
    return made.has(FLAT) or any((span.feature.level or 0) > _height(*line.levels, part) for part in parts)


def _stands_above(made: Setting, line: SightLine, stretch: tuple[Fraction, Fraction]) -> bool:
    """Return whether woods and the like, a level above their ground, stand above the line: RULINGS.md R8."""
    if made.has(FLAT) or not any(span.feature.level for span in line.spans):
        return True
    middle = (stretch[0] + stretch[1]) / 2
    (x1, y1), (x2, y2) = line.start, line.end
    ground = made.table.ground.at((int(x1 + (x2 - x1) * middle), int(y1 + (y2 - y1) * middle))).level
    return ground + 1 > min(_height(*line.levels, part) for part in stretch)
