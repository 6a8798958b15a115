"""Missions that are to come as a list, with the chances against all that their markers would cover as plotted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from opfire.core.places import text
from opfire.core.texts import say
from opfire.rulesets.micro_armour.artillery.batteries import markers
from opfire.rulesets.micro_armour.artillery.effects import attack, covered
from opfire.rulesets.micro_armour.artillery.missions import Mission
from opfire.rulesets.micro_armour.pieces import Position, Stand, Work
from opfire.rulesets.micro_armour.shown.plots import batteries_left, missions_to_come, sheaf_of, titled


def missions(sight: Position) -> Iterator[dict[str, Any]]:
    """The missions that the seat knows of; each marker would strike the stand that it covers most [7.4.3.2]."""
    for mission in missions_to_come(sight):
        line = titled(sight, mission)
        yield {
            "place": text(mission.sheaf.at),
            "units": list(mission.batteries),
            "text": say("{} at {}, {}", line.title, line.written, line.when),
            "targets": [] if mission.smoke else list(_targets(sight, mission)),
        }


def _targets(sight: Position, mission: Mission) -> Iterator[dict[str, Any]]:
    """The stands under the markers that can still fall, should these not deviate, each with its combat roll.

    [7.6.1.3-diff]
    """
    owners = [unit for unit in batteries_left(sight, mission) for _ in range(markers(unit))]
    for at, owner in zip(sheaf_of(sight, mission).places(sight.setting.sections.north), owners, strict=False):
        for unit in _under(sight, owner, at):
            firer = owner if mission.kind == "direct" and owner.at is not None else None
            made = attack(sight, owner.kind, unit, mission.kind == "barrage", firer=firer)
            yield {"units": [unit.id], "calculation": made.to_json()}


def _under(sight: Position, owner: Stand, at: tuple[int, int]) -> list[Stand]:
    """The stands that a marker at a point would cover."""
    return covered(sight, Work("", "impact", at, side=owner.side, battery=owner.id))
