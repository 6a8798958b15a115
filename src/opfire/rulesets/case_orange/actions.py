"""Actions that more than one chapter takes."""

from __future__ import annotations

from opfire.core.actions import Action


class EndSegment(Action, frozen=True):
    """Nothing more in this segment."""

    says = "End the segment"
    kind = "done"
    final = True


class Pass(Action, frozen=True):
    """Let it go by."""

    says = "Do not fire"
    kind = "pass"
