"""Dice that nobody can choose or foresee and anybody can verify afterwards.

Every roll is BLAKE2b over a counter, keyed with the key that the server committed to and every seat's nonce.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable

import msgspec

from opfire.core.errors import BadInput

_WORD = 1 << 64


def commitment(key: bytes, terms: Iterable[str] = ()) -> str:
    """The hash that the server shows before any seat adds a nonce: it binds the server to its key and to the terms.

    >>> commitment(bytes(32))[:8]
    'a6ad161f'
    """
    promised = hashlib.blake2b(key, digest_size=32, person=b"opfire commit")
    for term in terms:
        promised.update(with_length(term))
    return promised.hexdigest()


def seed(key: bytes, nonces: Iterable[str]) -> bytes:
    """The key of the rolls: the server's key mixed with every seat's nonce, in seat order."""
    mixed = hashlib.blake2b(digest_size=32, key=key, person=b"opfire seed")
    for nonce in nonces:
        mixed.update(with_length(nonce))
    return mixed.digest()


def with_length(text: str) -> bytes:
    """The text as its length and its bytes, so that no two lists of texts are hashed alike."""
    part = text.encode()
    return len(part).to_bytes(4, "big") + part


class Dice(msgspec.Struct, frozen=True):
    """A counted stream of rolls; a roll returns the numbers and the dice after it.

    `open` and `secret` count the rolls of either kind. Scripted dice show the numbers of `script` instead, for
    tests and case files.
    """

    seed: bytes
    open: int = 0
    secret: int = 0
    script: tuple[int, ...] | None = None

    def roll(self, count: int, sides: int) -> tuple[tuple[int, ...], Dice]:
        """`count` dice of `sides` sides."""
        if self.script is not None:
            numbers, rest = self._scripted(count, sides)
            return numbers, Dice(self.seed, self.open + count, self.secret, rest)
        numbers = tuple(_number(self.seed, b"o", self.open + i, sides) for i in range(1, count + 1))
        return numbers, Dice(self.seed, self.open + count, self.secret)

    def roll_secret(self, count: int, sides: int) -> tuple[tuple[int, ...], Dice]:
        """`count` dice that some sides may not see; their counter reveals nothing about the open dice."""
        if self.script is not None:
            numbers, rest = self._scripted(count, sides)
            return numbers, Dice(self.seed, self.open, self.secret + count, rest)
        numbers = tuple(_number(self.seed, b"s", self.secret + i, sides) for i in range(1, count + 1))
        return numbers, Dice(self.seed, self.open, self.secret + count)

    def after(self, open: int, secret: int) -> Dice:
        """The dice after a number of rolls of either kind; scripted dice keep the rest of their script."""
        return Dice(self.seed, open, secret, self.script)

    def _scripted(self, count: int, sides: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        assert self.script is not None
        numbers, rest = self.script[:count], self.script[count:]
        if len(numbers) < count:
            missing = count - len(numbers)
            more = f"{missing} more {'number' if missing == 1 else 'numbers'} from 1 to {sides}"
            raise BadInput("the scripted dice have run out", "dice", more)
        if any(not 1 <= number <= sides for number in numbers):
            raise BadInput(f"scripted dice {numbers} do not fit", "dice", f"numbers from 1 to {sides}")
        return numbers, rest


def _number(key: bytes, kind: bytes, count: int, sides: int) -> int:
    """One fair number from 1 to `sides`: a draw that would favour low faces is repeated."""
    limit, attempt = _WORD - _WORD % sides, 0
    while True:
        word = hashlib.blake2b(b"%s%d.%d" % (kind, count, attempt), key=key, digest_size=8).digest()
        if (value := int.from_bytes(word, "big")) < limit:
            return value % sides + 1
        attempt += 1


def new_key() -> bytes:
    """A fresh secret key of 32 bytes."""
    return secrets.token_bytes(32)


def scripted(numbers: Iterable[int]) -> Dice:
    """Dice that show these numbers, then none."""
    return Dice(b"", script=tuple(numbers))
