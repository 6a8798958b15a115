"""Terrain and fire [9.1, 9.2, 11.4]: the terrain that a stand is in, and its modifiers to fire at that stand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from opfire.core.events import Line
from opfire.core.texts import Text
from opfire.rulesets.micro_armour.charts import TerrainEffect
from opfire.rulesets.micro_armour.cohesion import modifier
from opfire.rulesets.micro_armour.moving.prices import IN_THE_ROAD, WATERS, topmost
from opfire.rulesets.micro_armour.pieces import Position, Stand, adjacent
from opfire.rulesets.micro_armour.sighting.sight import EDGE, level, markers_over, on_a_road, shows_itself
from opfire.rulesets.micro_armour.strewn import terrain_kind
from opfire.rulesets.micro_armour.weather import frozen
from opfire.space.squares import clip
from opfire.space.terrain.sight import sight_line

BUILDINGS = frozenset({"light-buildings", "medium-buildings", "heavy-buildings"})
POSITIONS = frozenset({"light position", "medium position", "heavy position"})
FACED = frozenset({"medium position", "heavy position"})
"""The positions whose benefits a stand loses that changes its facing [11.4.4]."""

RUINS = frozenset({"rough-1", "rubble"})
"""The markers of ground on which buildings or a position stood [9.4, 11.4.2]."""


class Cover(NamedTuple):
    """A terrain modifier to fire at a stand, and whether the terrain conceals [6.3.3]."""

    line: Line
    conceals: bool


def terrain_of(position: Position, unit: Stand) -> tuple[str, ...]:
    """The kinds of terrain that a stand is in, each once, markers included [9.1.3]; clear ground otherwise.

    Of a hill only the highest contour counts, as for movement [9.1-chart].
    Ruins take the place of buildings [9.4.1, 9.4.2, 9.4.3]. Two wrecks in one place are rough terrain 3 [9.2.1]; snow
    turns clear ground into rough terrain 1 [9.6.2-snow], and frost turns water into it [9.6.2-ice].
    """
    assert unit.at is not None
    if on_a_road(position, unit):
        return _beside_nothing(position, unit)
    key = unit.at, unit.facing
    if key not in position.terrains:
        position.terrains[key] = _terrain_of(position, unit)
    return position.terrains[key]


def _beside_nothing(position: Position, unit: Stand) -> tuple[str, ...]:
    """The terrain of a stand on a road: that road, and the markers that lie on it too: RULINGS.md R50."""
    assert unit.at is not None
    roads = [each.kind for each in position.setting.covering(unit.at, unit.facing)]
    found = [kind for kind in roads if kind in position.charts.terrain and position.effect(kind).cost == "road"]
    found += [work.kind for work in markers_over(position, unit) if work.kind in IN_THE_ROAD]
    return clear_ground(position), *dict.fromkeys(found)


def _terrain_of(position: Position, unit: Stand) -> tuple[str, ...]:
    assert unit.at is not None
    kinds = [in_frost(position, each.kind) for each in topmost(position.setting.covering(unit.at, unit.facing))]
    markers = markers_of(position, unit)
    if RUINS.intersection(markers):
        kinds = [kind for kind in kinds if kind not in BUILDINGS]
    found = [kind for kind in (*kinds, *markers) if kind in position.charts.terrain]
    ground = (*kinds, *RUINS.intersection(markers))
    if not any(position.effect(kind).cost == "base" for kind in ground if kind in position.charts.terrain):
        found.insert(0, clear_ground(position))
    return tuple(dict.fromkeys(found))


def markers_of(position: Position, unit: Stand) -> list[str]:
    """The kinds of terrain that the markers over a stand are; two wrecks in one place are rough terrain 3 [9.2.1]."""
    markers = [terrain_kind(work.kind) for work in markers_over(position, unit)]
    if markers.count("wreck") > 1:
        return ["rough-3", *(kind for kind in markers if kind != "wreck")]
    return markers


def in_frost(position: Position, kind: str) -> str:
    """The kind of terrain that counts: in extreme cold water is rough terrain 1 [9.6.2-ice]."""
    return "rough-1" if kind in WATERS and frozen(position.setting) else kind


def clear_ground(position: Position) -> str:
    """The ground that clear terrain is under fire in snow [9.6.2-snow, 9.6.2-deep], not for sight: RULINGS.md R143."""
    conditions = (position.charts.weather[name] for name in position.setting.sections.weather)
    return next((row.ground for row in conditions if row.ground), "clear")


# --- modifiers to fire ------------------------------------------------------------------------------------------


def ground_covers(position: Position, target: Stand) -> Iterator[Cover]:
    """The modifiers of the terrain that a target is in against any firer, all cumulative [9.1.1, 9.1.3]."""
    for kind in terrain_of(position, target):
        effect = position.effect(kind)
        amount = effect.modifier(target.personnel)
        if amount and _applies(effect, target) and not denied(position, target, kind):
            yield Cover(modifier(Text("target in {}", (words(kind),)), amount, "9.1-chart"), effect.conceals)


def covers(position: Position, firer: Stand, target: Stand) -> Iterator[Cover]:
    """The modifiers of the terrain to fire of one stand at another [9.1.1, 9.1.3]."""
    yield from ground_covers(position, target)
    if behind_crest(position, firer, target):
        amount = position.effect("crest").modifier(target.personnel)
        yield Cover(modifier("target behind a crest", amount, "9.1-chart"), conceals=False)


def _applies(effect: TerrainEffect, target: Stand) -> bool:
    """Return whether a terrain has its usual effect on a target in it; crests and markers of fire have their own."""
    match effect.applies:
        case "always":
            return True
        case "moving target":
            return target.posture != "firing"
        case "personnel":
            return target.personnel
    return False


def denied(position: Position, target: Stand, kind: str) -> bool:
    """Return whether a stand has no benefit of a terrain.

    Mounted cavalry has none of buildings and positions [10.10.2]; a stand that has turned in the medium or heavy
    position in which it was set up has none of that [11.4.4].
    """
    if target.kind.has("cavalry") and (kind in BUILDINGS or kind in POSITIONS):
        return True
    return kind in FACED and target.laid not in (None, target.facing)


def behind_crest(position: Position, firer: Stand, target: Stand) -> bool:
    """Return whether fire comes at a target through its ridge crest, or from below its hilltop [9.1-chart]."""
    assert firer.at is not None
    assert target.at is not None
    line = sight_line(position.table.ground, firer.at, target.at)
    edge = clip(firer.at, target.at, target.ring, EDGE)
    near_target = edge[0] if edge else 1
    for span in line.spans:
        if span.feature.kind == "crest" and span.enters.fraction >= near_target:
            return True
        comes = span.enters.key or position.setting.has("R133")  # RULINGS.md R133: also from the same hilltop
        if span.feature.kind == "hilltop" and span.leaves.fraction == 1 and comes:
            return position.setting.has("R133") or level(position, firer.at) < level(position, target.at)
    return False


def into_markers(position: Position, firer: Stand, target: Stand) -> Iterator[Line]:
    """The modifier of fire into or out of smoke, to both rolls [7.4.7.1-4]."""
    amount = position.effect("smoke").others
    if any("smoke" in terrain_of(position, unit) for unit in (target, firer)):
        yield modifier("into or out of smoke", amount, "7.4.7.1-4")


def into_impact(position: Position, target: Stand) -> Iterator[Line]:
    """The modifier of fire into an impact zone, to the roll to fire [7.4.5.2-in]."""
    if "impact" in terrain_of(position, target):
        yield modifier("into an impact zone", position.effect("impact").others, "7.4.5.2-in")


def to_fire(position: Position, firer: Stand, target: Stand) -> Iterator[Line]:
    """All terrain modifiers to the roll to fire [7.1.6-roll].

    Concealing terrain has none if the target has fired in this turn or is adjacent [6.3.3-concealed, 6.4.2].
    """
    found = shows_itself(target) or adjacent(firer, target)
    for cover in covers(position, firer, target):
        if not (cover.conceals and found):
            yield cover.line
    yield from into_markers(position, firer, target)
    yield from into_impact(position, target)


def to_combat(position: Position, firer: Stand, target: Stand) -> Iterator[Line]:
    """All terrain modifiers to the combat roll, which concealment never removes [6.3.3-crt]."""
    for cover in covers(position, firer, target):
        yield cover.line
    yield from into_markers(position, firer, target)


def words(kind: str) -> str:
    """A kind of terrain in words.

    >>> words("heavy-buildings"), words("rough-3")
    ('heavy buildings', 'rough terrain 3')
    """
    name, _, number = kind.partition("-")
    return f"rough terrain {number}" if name == "rough" and number.isdigit() else kind.replace("-", " ")
