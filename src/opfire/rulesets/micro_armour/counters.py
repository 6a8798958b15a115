"""The counters [3.2, WD]: firepower, defence and movement of stands; markers."""

from __future__ import annotations

from collections.abc import Iterator

from opfire.core.counters import Counters, Figure, MarkerKind, Stance
from opfire.kit.liveries import LIVERIES
from opfire.rulesets.micro_armour.pieces import Stand

COUNTERS = Counters(
    figures=(
        Figure("ap", "AP firepower", "top-left", "large"),
        Figure("he", "HE firepower", "top-right", "large"),
        Figure("range", "range in inches", "top", "small"),
        Figure("defence", "defence", "foot", "large"),
        Figure("movement", "movement points", "foot", "large"),
    ),
    markers=(
        MarkerKind("light position", "trench", "around"),
        MarkerKind("medium position", "trench", "around"),
        MarkerKind("heavy position", "rampart", "around"),
        MarkerKind("wire", "block"),
        MarkerKind("mines", "mines"),
        MarkerKind("ditch", "ditch", "ground"),
        MarkerKind("wreck", "wreck"),
        MarkerKind("smoke", "smoke"),
        MarkerKind("impact", "burst", "ground"),
        MarkerKind("bridge", "span", "ground"),
        MarkerKind("bridge out", "broken span", "ground"),
        MarkerKind("breach", "gap", "ground"),
        MarkerKind("rough-1", "rough", "ground"),
        MarkerKind("rubble", "rubble", "ground"),
        MarkerKind("damage", "cracks", "ground"),
        MarkerKind("brush", "brush", "ground"),
        MarkerKind("mission", "target", "ground"),
    ),
    liveries=LIVERIES,
    badges={"D": "alarm", "S": "stop"},
    base="square",
    stances=(Stance("movement", "arrow", "moving"), Stance("fire/move", "clipped", "fire + move")),
)


def figures(unit: Stand) -> Iterator[tuple[str, str]]:
    """The figures of a stand, each with its kind; an armoured defence stands in brackets [7.1.8-class]."""
    kind = unit.kind
    yield "ap", str(kind.ap or 0)
    yield "he", str(kind.he or 0)
    yield "range", str(max(kind.ap_range or 0, kind.he_range or 0))
    yield "defence", f"[{kind.defence or 0}]" if kind.armoured else str(kind.defence or 0)
    yield "movement", f"{kind.mov_points or 0}{kind.mov_class}"
