"""The start page offers a scenario with the options that it is played with."""

from __future__ import annotations

import pytest

from opfire.core import scenario as scenarios
from opfire.server import catalogue


@pytest.mark.parametrize("name", scenarios.files())
def test_a_game_starts_with_the_options_that_its_card_has_ticked(name: str) -> None:
    text = scenarios.text_of(name)
    ticked = [option["id"] for option in catalogue.detail(text)["options"] if option["on"]]
    assert set(ticked) == set(scenarios.load(name).options)
    assert catalogue.with_options(text, ticked) == text
