"""Stands of Panzer Blitz for Miniatures on the table of the mill at Lipovka, and where its points are on the page."""

from __future__ import annotations

from browser.host import Game, Host
from browser.table import Table

SCENARIO = """
id = "bridge"
ruleset = "panzerblitz-miniatures"
title = "The Bridge"
turns = 4
first = "german"

[table]
table = "lipovka"

[sides.german]
name = "German"
nation = "german"
facing = 90

[[sides.german.units]]
unit = "pz-iv-h"
at = ["10,25"]

[[sides.german.units]]
unit = "cp-german"
at = ["12,26"]

[sides.soviet]
name = "Soviet"
nation = "soviet"
facing = 270

[[sides.soviet.units]]
unit = "t-34-76"
at = ["36,16"]
"""


def begun(host: Host) -> Game:
    """A game at its beginning: a tank at (10, 25) and a command post, and a Soviet tank east of the brook."""
    return host.begin(SCENARIO, lambda match: None, (), {"german": "one", "soviet": "two"})


def spot(table: Table, x: float, y: float) -> tuple[float, float]:
    """A point of the table, in inches, on the page: measured from two stands that have not moved."""
    return table.page.evaluate(
        """([x, y]) => {
            const middle = (unit) => {
                const box = document.querySelector(`.counters [data-unit="${unit}"]`).getBoundingClientRect();
                return [box.x + box.width / 2, box.y + box.height / 2];
            };
            const [[ax, ay], [bx]] = [middle("german-2"), middle("soviet-1")];
            const inch = (bx - ax) / (36 - 12);
            return [ax + (x - 12) * inch, ay + (y - 26) * inch];
        }""",
        [x, y],
    )
