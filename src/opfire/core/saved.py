"""A game as bytes: for saving, and for its digest. The constants of a game (its setting) are left out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from opfire.core.dice import Dice

if TYPE_CHECKING:
    from opfire.core.game import Game


def encode(game: Game[Any]) -> bytes:
    """A game as JSON, for `Game.load`."""
    return msgspec.json.encode(
        {
            "ruleset": game.ruleset.id,
            "version": game.ruleset.version,
            "seats": dict(game.seats),
            "state": game.state,
            "stack": game.stack,
            "dice": {
                "seed": game.dice.seed.hex(),
                "open": game.dice.open,
                "secret": game.dice.secret,
                "script": game.dice.script,
            },
            "outcome": game.outcome,
        },
        enc_hook=_left_out(game),
    )


def dice(raw: Mapping[str, Any]) -> Dice:
    """The dice that `encode` wrote."""
    script = raw["script"]
    return Dice(bytes.fromhex(raw["seed"]), raw["open"], raw["secret"], None if script is None else tuple(script))


def essence(game: Game[Any]) -> bytes:
    """The bytes behind a digest, the same in every process: sets come in order."""
    return msgspec.msgpack.encode(
        (game.state, game.stack, game.dice.open, game.dice.secret, game.outcome),
        enc_hook=_left_out(game),
        order="deterministic",
    )


def _left_out(game: Game[Any]) -> Callable[[Any], None]:
    """Leave the setting out, and refuse to lose any other value that is not plain data."""
    setting = getattr(game.state, "setting", None)

    def hook(value: Any) -> None:
        if value is not setting:
            raise NotImplementedError(f"a {type(value).__name__} in a game is not plain data")

    return hook
