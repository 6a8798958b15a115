"""Edits of the texts that tests are made of."""

from __future__ import annotations


def edited(text: str, old: str, new: str, count: int = -1) -> str:
    """The text with `new` in place of `old`: everywhere, or the first `count` times.

    Unlike `str.replace` it fails when there is nothing to replace: the test would test the text as it was.

    >>> edited("turns = 3", "3", "4")
    'turns = 4'
    >>> edited("turns = 3", "turn = 3", "turn = 4")
    Traceback (most recent call last):
    ...
    AssertionError: 'turn = 3' is not in the text
    """
    assert old in text, f"{old!r} is not in the text"
    return text.replace(old, new, count)
