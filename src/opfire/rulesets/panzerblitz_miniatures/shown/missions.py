"""Recorded missions as a list: who fires when and where, with the chances against all that is under the template."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from opfire.core.places import text
from opfire.core.texts import joined, say
from opfire.rulesets.panzerblitz_miniatures.fire.attacks import calculation
from opfire.rulesets.panzerblitz_miniatures.fire.bombardment import able, aimed_at, attack, laid, struck, together
from opfire.rulesets.panzerblitz_miniatures.fire.missions import FIRE, Mission
from opfire.rulesets.panzerblitz_miniatures.pieces import Position


def missions(sight: Position) -> Iterator[dict[str, Any]]:
    """The missions that the side knows [NEU-2], those that are one attack together [NEU-10], the next to fall first."""
    plots = sorted(sight.plots, key=lambda plot: plot.due)
    for due, of_turn in groupby(plots, key=lambda plot: plot.due):
        for salvo in together([*of_turn]):
            yield _mission(sight, due, salvo)


def _mission(sight: Position, due: int, salvo: Sequence[Mission]) -> dict[str, Any]:
    first, who = salvo[0], joined((unit.name for unit in sight.pick(plot.unit for plot in salvo)), " and ")
    facts = (first.task.capitalize(), aimed_at(sight, first), who, due)
    return {
        "place": text(first.at),
        "units": [plot.unit for plot in salvo],
        "text": say("{} at {} by {} in turn {}", *facts),
        "targets": list(_targets(sight, [plot for plot in salvo if able(sight, plot)])),
    }


def _targets(sight: Position, firing: Sequence[Mission]) -> Iterator[dict[str, Any]]:
    """All that is under the templates now, with its calculation [NEU-8, NEU-9]."""
    if not firing or firing[0].task not in FIRE:
        return
    for unit in sight.pick(struck(sight, firing)):
        covering = [plot for plot in firing if unit.at is not None and laid(sight, plot).holds(unit.at)]
        made = calculation(sight, attack(sight, covering, unit))
        yield {"units": [unit.id], "calculation": made.to_json()}
