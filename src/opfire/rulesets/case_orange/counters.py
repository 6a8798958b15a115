"""The counters [3.4, 7]: attack, weapon class, range, defence and movement, as printed; markers; colours."""

from __future__ import annotations

from collections.abc import Iterator

from opfire.core.counters import Counters, Figure, MarkerKind
from opfire.kit.liveries import LIVERIES
from opfire.rulesets.case_orange.pieces import Unit

COUNTERS = Counters(
    figures=(
        Figure("attack", "attack", "top-left", "large"),
        Figure("weapon", "class", "top", "small"),
        Figure("range", "range", "top-right", "large"),
        Figure("defence", "defence", "foot", "large"),
        Figure("movement", "movement", "foot", "large"),
    ),
    markers=(
        MarkerKind("wreck", "wreck"),
        MarkerKind("block", "block"),
        MarkerKind("mines", "mines"),
        MarkerKind("registration", "crosshair"),
        MarkerKind("mission", "burst", "head"),
        MarkerKind("dug-in", "trench", "around"),
        MarkerKind("position", "earthwork", "around"),
        MarkerKind("fort", "rampart", "around"),
    ),
    liveries=LIVERIES,
    badges={"D": "alarm", "DD": "alarm", "S": "eye"},
    short={
        "Submachinegun": "SMG",
        "Command post / forward observer": "CP",
        "Command post": "CP",
        "Reconnaissance": "Recon",
        "Guards rifle": "Gds rifle",
        "Armoured car": "Arm. car",
    },
)


def figures(unit: Unit) -> Iterator[tuple[str, str]]:
    """The figures on a unit's counter, each with its kind; an asterisk marks a range that may be doubled [3.4.3]."""
    kind = unit.kind
    yield "attack", str(kind.attack)
    if kind.weapon:
        yield "weapon", kind.weapon
    yield "range", f"{kind.range}{'*' if kind.doubles else ''}"
    yield "defence", str(kind.defence)
    yield "movement", str(kind.movement)
