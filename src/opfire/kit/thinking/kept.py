"""Facts that computer players keep from one decision to the next, as long as the position that they rest on stays."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

F = TypeVar("F")

Post = tuple[str, int, object]
"""The hex of a unit, how many hexes around it facts depend on the unit, and all else about it that they depend on."""


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


class Nearby(Generic[F]):
    """Facts about hexes that depend on the units near them: when a unit changes, the facts around it are dropped."""

    def __init__(self) -> None:
        self.facts: dict[str, F] = {}
        self._posts: dict[str, Post] = {}

    def update(self, posts: dict[str, Post], within: Callable[[str, int], Iterable[str]]) -> None:
        """Drop the facts around units that have come, gone or changed; `within` gives the hexes around a hex."""
        before, self._posts = self._posts, posts
        for unit in before | posts:
            old, new = before.get(unit), posts.get(unit)
            if old != new:
                for hex, reach, _ in (post for post in (old, new) if post is not None):
                    for near in within(hex, reach):
                        self.facts.pop(near, None)
