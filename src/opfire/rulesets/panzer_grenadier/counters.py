"""The counters [2.1]: figures of units and leaders as printed, markers, colours."""

from __future__ import annotations

from collections.abc import Iterator

from opfire.core.counters import Counters, Figure, MarkerKind
from opfire.kit.liveries import LIVERIES
from opfire.rulesets.panzer_grenadier.pieces import Unit

COUNTERS = Counters(
    figures=(
        Figure("movement", "movement", "top-right"),
        Figure("armor", "armor", "left", "armor"),
        Figure("morale", "morale", "centre", "huge"),
        Figure("direct", "direct fire", "foot"),
        Figure("bombardment", "bombardment", "foot", "white"),
        Figure("at", "anti-tank fire", "foot", "red"),
        Figure("combat", "combat bonus", "foot"),
        Figure("bonus", "morale bonus", "foot"),
    ),
    markers=(
        MarkerKind("entrenchment", "earthwork", "around"),
        MarkerKind("wreck", "wreck"),
        MarkerKind("mines", "mines"),
        MarkerKind("smoke", "smoke", "head"),
        MarkerKind("assault", "clash", "head"),
    ),
    liveries=LIVERIES,
    badges={"D": "alarm", "DM": "stop", "S": "eye"},
    short={"Submachinegun": "SMG", "Reconnaissance": "Recon"},
)


def figures(unit: Unit) -> Iterator[tuple[str, str]]:
    """The figures on the side of a counter that lies up, each with its kind."""
    kind, officer = unit.kind, unit.officer
    if officer is not None:
        yield "morale", str(officer.morale)
        yield "combat", str(officer.combat)
        yield "bonus", str(officer.bonus)
        yield "movement", "6" if officer.mounted else "4"
        return
    assert kind is not None
    if unit.limbered:
        yield "movement", kind.limbered
        return
    yield "movement", str(kind.reduced_movement if unit.reduced else kind.movement)
    if unit.direct:
        yield "direct", f"{unit.direct}-{kind.direct_range}"
    if unit.bombard:
        yield "bombardment", f"{unit.bombard}-{kind.bombard_range}"
    if unit.at is not None:
        yield "at", f"{unit.at}-{kind.at_range}"
    if kind.armor is not None:
        yield "armor", str(kind.armor)
