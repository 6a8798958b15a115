"""Actions that more than one chapter takes."""

from __future__ import annotations

from opfire.core.actions import Action


class EndSegment(Action, frozen=True):
    """End the segment."""

    says = "End the segment"
    kind = "done"
    final = True
