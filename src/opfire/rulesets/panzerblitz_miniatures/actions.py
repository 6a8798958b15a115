"""Actions that more than one chapter takes."""

from __future__ import annotations

from opfire.core.actions import Action
from opfire.kit import orders
from opfire.rulesets.panzerblitz_miniatures.pieces import UnitId


class EndPhase(Action, frozen=True):
    """End the phase."""

    says = "End the phase"
    kind = "done"
    final = True


class SetDown(Action, frozen=True):
    """Place a down counter on a helicopter."""

    says = "{unit} goes down"
    kind = "move"
    unit: UnitId


class Pass(Action, frozen=True):
    """Let the chance to fire pass; the enemy may go on at once, and nobody passes again knowing where to."""

    says = orders.Pass.says
    later = orders.Pass.later
    kind = orders.Pass.kind
    barrier = "the fire that was held"
