"""Computer players at the table: the games that they think about, and the threads that they think in."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol

from opfire.core.actions import Action
from opfire.core.errors import OpfireError
from opfire.core.game import Game

LOG = logging.getLogger(__name__)


class Player(Protocol):
    """A computer player. It may ask the game for `choices`, `sight` and `imagine`, of its own seat."""

    def choose(self, game: Any, seat: str, rng: random.Random) -> Action:
        """One of the seat's choices."""
        ...


Players = Callable[[], Mapping[str, Player]]
"""Gives the computer players by id, new ones for each table, since they may remember their plans."""


def installed() -> Mapping[str, Player]:
    """The computer players that come with Opfire."""
    from opfire import ai

    found: Mapping[str, Player] = ai.players()
    return found


def title(name: str, player: Player) -> str:
    """The name of a computer player on the screen."""
    return str(getattr(player, "title", "") or name.capitalize())


class Thinkers:
    """The threads in which computer players think: few, so that a busy table leaves room for the rest."""

    def __init__(self, threads: int = 2) -> None:
        self.pool = ThreadPoolExecutor(threads, thread_name_prefix="thinking")

    async def choose(self, player: Player | None, game: Game[Any], seat: str, rng: random.Random) -> Action:
        """The player's choice; a random one if the player fails or chooses an illegal action.

        `game` is an imagined one: it agrees with the seat's knowledge and holds no more than that. Raises OpfireError
        without any choice.
        """
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self.pool, _choose, player, game, seat, rng)

    def close(self) -> None:
        """Let no more thoughts begin; those under way end by themselves."""
        self.pool.shutdown(wait=False, cancel_futures=True)


def _choose(player: Player | None, game: Game[Any], seat: str, rng: random.Random) -> Action:
    if player is not None:
        try:
            action = player.choose(game.copy(), seat, rng)
        except Exception:
            LOG.exception("the computer player of %s failed and plays at random", seat)
        else:
            refusal = game.why_not(seat, action)
            if refusal is None:
                return action
            LOG.error("the computer player of %s chose %r: %s; it plays at random", seat, action, refusal)
    try:
        return game.choices(seat).sample(rng)
    except IndexError:
        raise OpfireError(f"{seat} is asked and has no choice: this game cannot go on") from None
