"""The counters of vehicles: penetration at short range, front armor of the Basic Game, movement."""

from __future__ import annotations

from collections.abc import Iterator

from opfire.core.counters import Counters, Figure, MarkerKind
from opfire.kit.liveries import LIVERIES
from opfire.rulesets.panzer.charts import Aircraft, Vehicle
from opfire.rulesets.panzer.fire.arms import weapon_of
from opfire.rulesets.panzer.pieces import Position, Unit

COUNTERS = Counters(
    figures=(
        Figure("penetration", "penetration at short range", "top-left", "large"),
        Figure("range", "extreme range in hexes", "top-right", "large"),
        Figure("armor", "front and rear armor", "foot"),
        Figure("defence", "GP Defense Factor", "foot"),
        Figure("movement", "movement across country", "foot"),
    ),
    markers=(
        MarkerKind("KO", "wreck"),
        MarkerKind("BU", "smoke"),
        MarkerKind("smoke", "smoke"),
        MarkerKind("impact", "crosshair"),
        MarkerKind("mission", "target", "head"),
        MarkerKind("registration", "target"),
        MarkerKind("hidden", "unknown"),
    ),
    liveries=LIVERIES,
    badges={
        **dict.fromkeys(("D", "TK", "SU", "BR", "HE"), "alarm"),
        **dict.fromkeys(("SF", "SM", "SA"), "eye"),
    },
)


def figures(position: Position, unit: Unit) -> Iterator[tuple[str, str]]:
    """The figures of a vehicle, each with its kind."""
    weapon = weapon_of(position, unit)
    yield "penetration", str(weapon.value("S")) if weapon else "-"
    yield "range", str(weapon.reach("E")) if weapon else "-"
    if isinstance(unit.kind, Vehicle):
        yield "armor", f"{unit.kind.basic_front}/{unit.kind.basic_rear}"
    if isinstance(unit.kind, Aircraft):
        yield "defence", unit.kind.gpd
        return
    yield "movement", f"{unit.kind.m_cc}{unit.kind.traction}"
