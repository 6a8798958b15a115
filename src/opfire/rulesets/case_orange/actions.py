"""Actions that more than one chapter takes."""

from __future__ import annotations

from opfire.core.actions import Action


class EndSegment(Action, frozen=True):
    """End the segment."""

    says = "End the segment"
    kind = "done"
    final = True


class Pass(Action, frozen=True):
    """Let the chance to fire pass."""

    says = "Do not fire"
    later = "No shot now; you may be asked again at the next chance."
    kind = "pass"
