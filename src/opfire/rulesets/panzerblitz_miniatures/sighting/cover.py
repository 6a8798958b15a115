"""Cover, crests and hull down: the terrain that protects a target on the line from its attacker.

All of it follows from the line alone [COV-2, COV-3, HIL-1, HUL-1]; works, fixed guns and helicopters are the
business of the attack.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from opfire.core.texts import Words
from opfire.rulesets.panzerblitz_miniatures.charts import Charts
from opfire.rulesets.panzerblitz_miniatures.moving.movement_costs import ROADS
from opfire.rulesets.panzerblitz_miniatures.sighting.sight import (
    HILLTOP,
    Crossing,
    beside_target,
    crossings,
    height,
    levels,
)
from opfire.space.terrain.features import Feature
from opfire.space.terrain.sight import SightLine
from opfire.space.terrain.spans import END, Span

WOODS = frozenset({"woods", "heavy-woods"})


class Cover(NamedTuple):
    """A reason for which a target is in cover: the terrain, its name for players, and the rule."""

    feature: Feature
    name: Words
    rule: str


def cover(charts: Charts, line: SightLine, smoke: Iterable[Span] = ()) -> list[Cover]:
    """Everything that covers the target of a line: such a target must be spotted [COV-1, LOS-6]."""
    crests = (Cover(each.feature, each.name, "COV-3") for each in crest_cover(charts, line))
    return [*_occupied(charts, line), *_behind(line), *_smoke(smoke), *crests]


def _under_target(line: SightLine) -> Iterator[Feature]:
    found = [span.feature for span in line.spans if span.leaves.key == END.key and span.feature.parts]
    return on_the_ground(found)


def on_the_ground(features: Iterable[Feature]) -> Iterator[Feature]:
    """The features of a place that count for a unit there: a road through woods is open ground [ROD-2]."""
    here = [*features]
    road = any(feature.kind in ROADS for feature in here)
    return (feature for feature in here if not (road and feature.kind in WOODS))


def _occupied(charts: Charts, line: SightLine) -> Iterator[Cover]:
    """The woods, town or building in which the target is [COV-2, BLD-1]."""
    for feature in _under_target(line):
        if feature.kind == "building":
            yield Cover(feature, feature.name, "BLD-1")
        elif charts.terrain[feature.kind].cover == "always":
            yield Cover(feature, feature.name, "COV-2")


def _behind(line: SightLine) -> Iterator[Cover]:
    """The hedges, fences and walls directly behind which the target is [COV-2]."""
    for crossing in crossings(line):
        if crossing.obstacle == "linear" and beside_target(line, crossing):
            yield Cover(crossing.feature, crossing.name, "COV-2")


def _smoke(smoke: Iterable[Span]) -> Iterator[Cover]:
    """The smoke in which the target is [MMF-2]: RULINGS.md R20."""
    return (Cover(span.feature, span.feature.name, "MMF-2") for span in smoke if span.leaves.key == END.key)


def protecting(charts: Charts, line: SightLine) -> tuple[str, ...]:
    """The rows of the Terrain Effects Chart that protect the target: its own ground, and the hedges it is behind."""
    ground = terrain_rows(charts, _under_target(line))
    return tuple(dict.fromkeys([*ground, *(each.feature.kind for each in _behind(line))]))


def terrain_rows(charts: Charts, features: Iterable[Feature]) -> tuple[str, ...]:
    """The rows of the Terrain Effects Chart for the ground of a place, whatever line leads there."""
    here = on_the_ground(features)
    return tuple(dict.fromkeys(feature.kind for feature in here if feature.kind in charts.terrain))


# --- crests [HIL-1, HIL-2, COV-3, HUL-1] ---------------------------------------------------------------------


def behind(charts: Charts, line: SightLine) -> list[Crossing]:
    """The crests, cliffs and dunes beyond which the target is, not above them."""
    target = levels(line)[1]
    return [
        each
        for each in crossings(line)
        if (row := charts.terrain.get(each.feature.kind)) and row.halves_across and target <= height(line, each)
    ]


def halving(charts: Charts, line: SightLine) -> Crossing | None:
    """The crest across which an attack has half strength [HIL-1]; from a hilltop only a dune halves [HIL-2, TEC-5]."""
    high = levels(line)[0] == HILLTOP
    return next((each for each in behind(charts, line) if not high or each.obstacle == "dune"), None)


def crest_cover(charts: Charts, line: SightLine) -> list[Crossing]:
    """The crests at which the target stands and that cover it against an enemy who is not higher [COV-3]."""
    firer, target = levels(line)
    return [each for each in _at_target(charts, line) if firer <= target]


def hull_down(charts: Charts, line: SightLine) -> Crossing | None:
    """The crest that leaves only the turret of the target to be seen [HUL-1]; its value is the vehicle's [HUL-2]."""
    return next(_at_target(charts, line), None)


def _at_target(charts: Charts, line: SightLine) -> Iterator[Crossing]:
    """The crests of hills within an inch of the target, beyond which it is."""
    crests = (each for each in behind(charts, line) if each.feature.kind in ("crest", "hilltop"))
    return (each for each in crests if beside_target(line, each))
