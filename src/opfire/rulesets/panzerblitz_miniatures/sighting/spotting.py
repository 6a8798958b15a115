"""Spotting: which units may spot, and what a spotter sees of a target in cover [SPT-1 to SPT-8].

The functions look at one line each; markers, memory and the choice of the spotter belong to the game.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Literal

from opfire.core.actions import Refusal
from opfire.core.places import INCH
from opfire.rulesets.panzerblitz_miniatures.charts import Charts
from opfire.rulesets.panzerblitz_miniatures.sighting.cover import Cover, behind
from opfire.rulesets.panzerblitz_miniatures.sighting.sight import blocked
from opfire.rulesets.panzerblitz_miniatures.sighting.visibility import beyond_sight
from opfire.space.measure import square
from opfire.space.terrain.sight import SightLine
from opfire.space.terrain.spans import Span

NO_SPOTTERS = frozenset({"truck", "car", "wagon"})
"""The types of units that never spot; jeeps are cars and limbers are wagons [SPT-8]."""


def dispersed_spotter(unit: str, dispersed: bool) -> Refusal | None:
    """Refuse a dispersed unit as a spotter [SPT-7]."""
    return Refusal("{} is dispersed and cannot spot", "SPT-7", (unit,)) if dispersed else None


def blind_type(unit: str, type: str) -> Refusal | None:
    """Refuse trucks, cars and wagons as spotters [SPT-8]."""
    return Refusal("{} is a {}, which never spots", "SPT-8", (unit, type)) if type in NO_SPOTTERS else None


def carried_spotter(unit: str, carried: bool) -> Refusal | None:
    """Refuse a unit that is being transported as a spotter [SPT-8]."""
    return Refusal("{} is being transported and cannot spot", "SPT-8", (unit,)) if carried else None


def cannot_spot(unit: str, type: str, *, dispersed: bool, carried: bool) -> Refusal | None:
    """Reject a unit that may not spot at all [SPT-7, SPT-8]."""
    return dispersed_spotter(unit, dispersed) or blind_type(unit, type) or carried_spotter(unit, carried)


def ground_of(covers: Iterable[Cover]) -> Literal["cover", "clear"]:
    """The ground of a target for the limit of sight [LOS-4]."""
    return "cover" if any(covers) else "clear"


def out_of_sight(
    charts: Charts, target: str, line: SightLine, limit: Fraction, smoke: Iterable[Span] = ()
) -> Refusal | None:
    """Refuse a target beyond the limit of sight or behind an obstacle [LOS-3, OBS-1].

    A unit that fires while this finds nothing, with the limit of cover "if fired", is spotted and marked [SPT-4].
    """
    if refusal := beyond_sight(target, limit, square(line.start, line.end)):
        return refusal
    block = blocked(charts, line, smoke)
    return block.refusal if block else None


def unspotted(
    charts: Charts, target: str, covers: Iterable[Cover], line: SightLine, limit: Fraction, smoke: Iterable[Span] = ()
) -> Refusal | None:
    """Reject a spotter that does not spot this target in cover [SPT-2, SPT-3, SPT-6].

    `covers` is the target's cover against its attacker, `line` runs from the spotter to the target, and `limit` is that
    of the target as the spotter sees it.
    """
    return out_of_sight(charts, target, line, limit, smoke) or hidden_in_cover(charts, target, covers, line)


def unspotted_from_above(
    charts: Charts, target: str, covers: Iterable[Cover], line: SightLine, limit: Fraction
) -> Refusal | None:
    """Reject an aircraft as a spotter of this target: nothing blocks its line [AIL-2], the limits hold [AIL-1].

    No crest lies between it and the target [COV-3].
    """
    far = beyond_sight(target, limit, square(line.start, line.end))
    return far or _too_far_for_cover(charts, target, [each for each in covers if each.rule != "COV-3"], line)


def hidden_in_cover(charts: Charts, target: str, covers: Iterable[Cover], line: SightLine) -> Refusal | None:
    """Refuse a target in cover that is farther than two inches, and not seen past the crest that covers it [SPT-1]."""
    if _near(charts, line):
        return None
    crossed = {each.feature for each in behind(charts, line)}
    hiding = [each for each in covers if each.rule != "COV-3" or each.feature in crossed]
    return _too_far_for_cover(charts, target, hiding, line)


def _near(charts: Charts, line: SightLine) -> bool:
    return square(line.start, line.end) <= (charts.named["spotting in cover in inches"] * INCH) ** 2


def _too_far_for_cover(charts: Charts, target: str, hiding: list[Cover], line: SightLine) -> Refusal | None:
    """Refuse to spot a target in this cover from beyond two inches [SPT-2]."""
    if _near(charts, line) or not hiding:
        return None
    return Refusal("{} is in cover ({}); spot it first", "SPT-1", (target, hiding[0].name))
