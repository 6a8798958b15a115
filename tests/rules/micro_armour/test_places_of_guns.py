"""The places of guns that are alike are weighed once, and every gun goes where it would go by itself."""

from __future__ import annotations

import pytest

from opfire.core import scenario
from opfire.core.dice import Dice
from opfire.core.record import new_game
from opfire.rulesets.micro_armour import RULESET
from opfire.rulesets.micro_armour.pieces import Position, Stand
from opfire.rulesets.micro_armour.players import placing

AIM = 30000, 20000


def guns() -> tuple[Position, list[Stand]]:
    """A battle that nobody has set up yet, in a setting of its own, and those of its guns that are alike."""
    position = new_game(RULESET, scenario.text_of("armour-bir-el-gubi"), Dice(bytes(32))).state
    able = [unit for unit in position.units.values() if unit.id in position.setting.zones and placing.watches(unit)]
    zones = position.setting.zones
    alike = [unit for unit in able if (unit.kind, zones[unit.id]) == (able[0].kind, zones[able[0].id])]
    return position, alike


def test_the_places_of_guns_that_are_alike_are_weighed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    (stranger, (_, twin, *_)), (position, (first, second, *_)) = guns(), guns()
    alone = placing.in_order(stranger, twin, AIM)
    placing.in_order(position, first, AIM)
    monkeypatch.setattr(placing, "view", lambda *_: pytest.fail("weighed anew"))
    assert placing.in_order(position, second, AIM) == alone
