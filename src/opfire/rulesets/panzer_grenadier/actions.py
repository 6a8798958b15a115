"""Actions that more than one chapter takes."""

from __future__ import annotations

from opfire.core.actions import Action


class Pass(Action, frozen=True):
    """Do nothing in an action segment, or let a chance to fire go by."""

    says = "Pass"
    kind = "pass"
    final = True


class EndSegment(Action, frozen=True):
    """End the segment of the activated units."""

    says = "End the action segment"
    kind = "done"
    final = True
