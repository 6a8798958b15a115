"""Planned Fire that has not fallen yet, with its chances as things stand: for the side that plotted it [6.5.1.11]."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from opfire.core.texts import Text, Words
from opfire.kit import shown as kit
from opfire.rulesets.panzer.indirect import barrages
from opfire.rulesets.panzer.indirect.kinds import Fall, Guns, Mission
from opfire.rulesets.panzer.indirect.patterns import covered
from opfire.rulesets.panzer.indirect.planning import LATE
from opfire.rulesets.panzer.pieces import Position


def missions(sight: Position) -> Iterator[dict[str, Any]]:
    """Each turn of fire that is still to come, with its roll against every unit in its pattern now [6.5.1-b]."""
    for guns, fall, turn in to_come(sight):
        yield {
            "place": fall.hex,
            "units": [],
            "text": str(_titled(guns, fall, turn)),
            "targets": [*_targets(sight, guns, fall)] if fall.rounds == "gp" else [],
        }


def to_come(sight: Position) -> Iterator[tuple[Guns, Fall, int]]:
    """The plotted fire that has not fallen, turn by turn; a sight has none of the other side's [6.5.1.11]."""
    for guns in sight.batteries.values():
        if guns.out or not (guns.begun or sight.turn <= guns.arrives + LATE):
            continue
        done = any(call.firer == guns.id and call.deed == "planned" for call in sight.calls)
        for turn, fall in enumerate(guns.plan, guns.begun or guns.arrives):
            if not guns.begun or turn >= sight.turn + done:
                yield guns, fall, turn


def markers(sight: Position) -> Iterator[dict[str, Any]]:
    """A marker on the Target Point of each, and on each Pre-Registered Point [6.5.1.4, 6.5.1.11.1]."""
    for number, (guns, fall, turn) in enumerate(to_come(sight)):
        marker = kit.marker("mission", fall.hex, str(_titled(guns, fall, turn)), "", guns.side)
        yield {**marker, "id": f"mission@{guns.id}@{number}"}
    for guns in sight.batteries.values():
        for hex in guns.points:
            text = Text("Pre-Registered Point of {}", (guns.name,))
            marker = kit.marker("registration", hex, str(text), "", guns.side)
            yield {**marker, "id": f"registration@{guns.id}@{hex}"}


def _titled(guns: Guns, fall: Fall, turn: int) -> Words:
    """The battery, the fire and its turn; until it has begun it may come a turn early or late [6.5.1.11.2]."""
    facts = (guns.name, fall.rounds, fall.sheaf, fall.hex, turn)
    if guns.begun:
        return Text("{}: {} ({}) on {} in turn {}", facts)
    return Text("{}: {} ({}) on {} in turn {}, or a turn early or late", facts)


def _targets(sight: Position, guns: Guns, fall: Fall) -> Iterator[dict[str, Any]]:
    """The units in the pattern, each with its roll at Medium range [6.5.1.13]."""
    mission = Mission(firer=guns.id, side=guns.side, fall=fall)
    for name in barrages.targets(sight, covered(sight.map, fall)):
        made = barrages.attack(sight, mission, sight.units[name])
        yield {"units": [name], "calculation": made.to_json()}
