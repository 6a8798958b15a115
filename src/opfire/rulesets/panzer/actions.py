"""Actions that more than one chapter takes."""

from __future__ import annotations

from opfire.core.actions import Action


class EndStep(Action, frozen=True):
    """End the step."""

    says = "End the step"
    kind = "done"
    final = True
