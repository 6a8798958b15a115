"""The counters [EQP-5 to EQP-13]: attack, weapon class, range in inches, defence and movement points; markers."""

from __future__ import annotations

from collections.abc import Iterator

from opfire.core.counters import Counters, Figure, MarkerKind
from opfire.kit.liveries import LIVERIES
from opfire.rulesets.panzerblitz_miniatures.charts import Charts
from opfire.rulesets.panzerblitz_miniatures.equipment import movement_points, range_inches
from opfire.rulesets.panzerblitz_miniatures.pieces import Stand

COUNTERS = Counters(
    figures=(
        Figure("attack", "attack", "top-left", "large"),
        Figure("weapon", "class", "top", "small"),
        Figure("range", "range in inches", "top-right", "large"),
        Figure("defence", "defense", "foot", "large"),
        Figure("movement", "movement points", "foot", "large"),
    ),
    markers=(
        MarkerKind("wreck", "wreck"),
        MarkerKind("block", "block"),
        MarkerKind("mines", "mines"),
        MarkerKind("smoke", "smoke"),
        MarkerKind("improved position 1", "trench", "around"),
        MarkerKind("improved position 2", "earthwork", "around"),
        MarkerKind("fort", "rampart", "around"),
        MarkerKind("mission", "crosshair"),
        MarkerKind("tank bridge", "bridge"),
        MarkerKind("fallen bridge", "clash"),
        MarkerKind("horses", "plate"),
    ),
    liveries=LIVERIES,
    badges={"D": "alarm", "OF": "stop", "S": "eye"},
)


def figures(charts: Charts, unit: Stand) -> Iterator[tuple[str, str]]:
    """The figures of a stand, each with its kind, in inches and movement points."""
    kind = unit.kind
    yield "attack", str(kind.attack)
    yield "weapon", kind.weapon
    yield "range", str(range_inches(charts, kind))
    yield "defence", str(kind.defence)
    yield "movement", str(movement_points(charts, kind))
