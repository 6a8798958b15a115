"""The parts that all tests of this book share: its charts, the mark that cites a rule, weapons and vehicles."""

from __future__ import annotations

from typing import Literal

import pytest

from opfire.rulesets.panzer.charts import Vehicle, Weapon, load_charts


def rule(*numbers: str) -> pytest.MarkDecorator:
    """The mark of a test of these rules."""
    return pytest.mark.rule("panzer", *numbers)


CHARTS = load_charts()

GUN = CHARTS.weapons["g75l48", "V", "AP", "AP"]
"""A long 75 mm gun: 3, 8, 16, 23 and 31 hexes."""


def vehicle(name: str) -> Vehicle:
    """The Data Card of that id."""
    return CHARTS.vehicles[name]


def weapon(name: str, ammo: str = "AP", mount: Literal["V", "T", "L"] = "V") -> Weapon:
    """The AP row of a weapon."""
    return CHARTS.weapons[name, mount, "AP", ammo]
