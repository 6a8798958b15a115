"""Whole games of the toys that differ in secrets alone, played side by side."""

from __future__ import annotations

import pytest

from core import contract
from core.cases import CASES
from core.twins import Twins, play_all
from opfire.core.game import SPECTATOR

HIDDEN = CASES["hidden"]


@pytest.mark.parametrize(
    ("owners", "blind"),
    [
        (("german",), ("soviet", SPECTATOR)),
        (("soviet",), ("german", SPECTATOR)),
        (("german", "soviet"), (SPECTATOR,)),
    ],
)
def test_a_blind_seat_cannot_tell_games_apart_by_what_is_hidden_in_them(
    owners: tuple[str, ...], blind: tuple[str, ...]
) -> None:
    with contract.registered(HIDDEN.ruleset):
        seen = play_all(Twins(HIDDEN, owners, blind), range(6), 300)
    assert seen["over"] == 6, seen
    assert seen["told"] >= 6, seen
    assert seen["secret"] == 12 * len(owners), seen
    assert seen["Ambush"] > 10, seen
