"""Facts that computer players keep from one decision to the next, as long as the position that they rest on stays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

F = TypeVar("F")


class Kept(Generic[F]):
    """For each side the last facts that were worked out, and the stamp that they depend on.

    A stamp holds everything that the facts depend on, in values that no later play changes: copies of dictionaries,
    never the dictionaries of a position. Facts refer to no setting, so that they never keep a finished game alive.
    """

    def __init__(self, make: Callable[[], F]) -> None:
        self._make = make
        self._last: dict[str, tuple[object, F]] = {}

    def under(self, side: str, stamp: object) -> F:
        """The facts that the side worked out under an equal stamp the last time; empty ones if it was another."""
        last = self._last.get(side)
        if last is None or last[0] != stamp:
            last = self._last[side] = stamp, self._make()
        return last[1]
