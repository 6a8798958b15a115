"""Actions that more than one chapter takes."""

from __future__ import annotations

from opfire.core.actions import Action


class EndStep(Action, frozen=True):
    """End the step."""

    says = "End the step"
    kind = "done"
    final = True


class Pass(Action, frozen=True):
    """Let the chance to fire pass."""

    says = "Hold fire"
    later = "No shot now; you may be asked again at the next chance."
    kind = "pass"
