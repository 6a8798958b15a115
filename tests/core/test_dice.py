"""Dice: committed, verified, fair, counted, scripted."""

from __future__ import annotations

import hashlib

import pytest

from opfire.core import dice
from opfire.core.dice import Dice, commitment, scripted, seed
from opfire.core.errors import BadInput

KEY = bytes(range(32))


DICE = Dice(KEY)


def rolled(count: int, sides: int, start: Dice = DICE) -> tuple[int, ...]:
    return start.roll(count, sides)[0]


def test_the_commitment_is_a_keyless_hash_of_the_key_under_its_own_name() -> None:
    assert commitment(KEY) == hashlib.blake2b(KEY, digest_size=32, person=b"opfire commit").hexdigest()
    assert commitment(KEY) != commitment(KEY[:-1] + b"\0")


def test_a_roll_is_the_hash_of_its_count_under_the_seed() -> None:
    # By the page docs/records.md: 8 bytes of BLAKE2b over "o3.0", big-endian, modulo the sides, plus one.
    word = hashlib.blake2b(b"o3.0", key=KEY, digest_size=8).digest()
    assert rolled(3, 6)[2] == int.from_bytes(word, "big") % 6 + 1


def test_every_nonce_and_their_order_matter() -> None:
    seeds = {seed(KEY, nonces) for nonces in (["a", "b"], ["b", "a"], ["ab", ""], ["a", "c"], ["a"])}
    assert len(seeds) == 5


@pytest.mark.parametrize(
    ("sides", "limit"),  # chi-square at 0.999 with 5, 9 and 19 degrees of freedom
    [(6, 20.52), (10, 27.88), (20, 43.82)],
)
def test_faces_are_uniform(sides: int, limit: float) -> None:
    numbers = rolled(6000, sides)
    expected = 6000 / sides
    assert set(numbers) == set(range(1, sides + 1))
    assert sum((numbers.count(face) - expected) ** 2 / expected for face in set(numbers)) < limit


def test_words_that_would_favour_low_faces_are_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    # With words of 3 bits, 6 and 7 must be drawn again for a d6; a word is 8 bytes, so it is cut down here.
    monkeypatch.setattr(dice, "_WORD", 8)

    class Words:
        left = iter([7, 6, 5])

        def __init__(self, *_: object, **__: object) -> None: ...

        def digest(self) -> bytes:
            return next(self.left).to_bytes(8, "big")

    monkeypatch.setattr(dice.hashlib, "blake2b", Words)
    assert rolled(1, 6) == (6,)
    assert next(Words.left, None) is None


def test_rolling_together_or_one_by_one_is_the_same() -> None:
    (first,), after = Dice(KEY).roll(1, 6)
    assert (first, *rolled(2, 6, after)) == rolled(3, 6)
    assert after.open == 1


def test_secret_dice_have_a_stream_and_a_counter_of_their_own() -> None:
    hidden, after = Dice(KEY).roll_secret(40, 6)
    assert (after.open, after.secret) == (0, 40)
    assert rolled(40, 6, after) == rolled(40, 6) != hidden
    assert Dice(KEY).roll(5, 6)[1].roll_secret(40, 6)[0] == hidden


def test_scripted_dice_show_what_they_are_told_then_refuse() -> None:
    numbers, after = scripted([4, 1, 6]).roll(2, 6)
    assert numbers == (4, 1)
    secret, after = after.roll_secret(1, 6)
    assert secret == (6,)
    assert (after.open, after.secret) == (2, 1)
    with pytest.raises(BadInput, match="run out"):
        after.roll(1, 6)


@pytest.mark.parametrize("number", [0, 7])
def test_scripted_dice_must_have_the_face(number: int) -> None:
    with pytest.raises(BadInput, match="do not fit"):
        scripted([number]).roll(1, 6)
