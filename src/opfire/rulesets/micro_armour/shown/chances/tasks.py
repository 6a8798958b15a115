"""The rolls of engineers and of successors in command [10.1.7, 11.5]."""

from __future__ import annotations

from collections.abc import Mapping

from opfire.core.actions import Action
from opfire.core.flow import Frame
from opfire.core.texts import Text
from opfire.rulesets.micro_armour.pieces import Position
from opfire.rulesets.micro_armour.shown.chances.moves import mines
from opfire.rulesets.micro_armour.shown.chances.told import Rolling, Told
from opfire.rulesets.micro_armour.succession import TakeCommand, command_roll, quality_roll, rolls_for_quality
from opfire.rulesets.micro_armour.works.labour import Bridge, Labour, labour_roll, rolls, rule_of


def _labour(sight: Position, frame: Frame, action: Labour) -> Told:
    """The roll of a stand at a marker; none for its first turn beside a wreck [11.5.3-steps, 11.5.9.2].

    A natural 20 sets mines off [11.5.3-nat].
    """
    worker, site = sight.units[action.unit], sight.works.get(action.work)
    if site is not None and rolls(worker, site):
        yield worker.name, labour_roll(sight, worker, rule_of(worker, site))
        if site.kind == "mines":
            yield from mines(sight, worker, site)


def _bridge(sight: Position, frame: Frame, action: Bridge) -> Told:
    worker = sight.units[action.unit]
    yield worker.name, labour_roll(sight, worker, "11.5.7-build")


def _command(sight: Position, frame: Frame, action: TakeCommand) -> Told:
    """The roll to take command, unless the headquarters was lost in landing, and that for quality [8.10.1.4, 10.1.7].

    Only the successor of a general headquarters has a quality.
    """
    unit, lost = sight.units[action.unit], sight.units[action.lost]
    if not lost.crashed:
        yield unit.name, command_roll(sight, unit)
    if lost.rank == "GHQ" and rolls_for_quality(sight, unit):
        yield Text("{}: in command", (unit.name,)), quality_roll(sight.charts)


ROLLS: Mapping[type[Action], Rolling] = {Labour: _labour, Bridge: _bridge, TakeCommand: _command}
"""The rolls of each kind of action."""
