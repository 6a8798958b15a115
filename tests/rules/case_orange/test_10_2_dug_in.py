"""The places of dug-in markers [10.2]; their effects are tested with the other fortified positions."""

from __future__ import annotations

import pytest

from opfire.core.errors import BadInput
from rules.case_orange.drawing import draw, german, marker, rule


@rule("10.2")
@pytest.mark.parametrize("terrain", [".", "w", "b", "s", "m", "v"])
def test_10_2_dug_in_markers_lie_anywhere(terrain):
    fields = {"roads": ["A1 B1"]}
    game = draw(f". {terrain}", unit=german("rifle-40-german", "A1"), fields=fields, markers=[marker("dug-in", "B1")])
    assert game.state.work("1-B1").dug_in == "german"


@rule("10.2")
@pytest.mark.parametrize("terrain", ["t", "st"])
def test_10_2_but_not_in_town(terrain):
    with pytest.raises(BadInput, match="dug-in"):
        draw(f". {terrain}", unit=german("rifle-40-german", "A1"), markers=[marker("dug-in", "B1")])
