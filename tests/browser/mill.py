"""Stands of Panzer Blitz for Miniatures on the table of the mill at Lipovka, and where its points are on the page."""

from __future__ import annotations

from browser.host import Game, Host
from browser.table import Table
from opfire.core.actions import Action
from opfire.core.match import Match

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


FORCES = {
    "german": (
        ("pz-iv-h", "10,25"),
        ("cp-german", "12,26"),
        ("pz-iv-h", "11.5,23.5"),
        ("how-105-german", "2,30"),
        ("observer-german", "17,21"),
        ("rifle-40-german", "36,34"),
    ),
    "soviet": (("t-34-76", "36,16"), ("t-34-76", "19.6,25.6"), ("at-76", "24,24.5")),
}
"""Two tanks, posts and a howitzer, with riflemen east of the brook; a tank and a gun before them."""


def battle(table: str = "") -> str:
    """A scenario of these forces, in which guns fire within their arcs; `table` are more fields of its table."""
    head = SCENARIO.split("[sides.german]", maxsplit=1)[0]
    parts = [head.replace("[table]", f'options = ["FOF-1"]\n\n[table]\n{table}')]
    for side, facing in (("german", 90), ("soviet", 270)):
        parts.append(f'[sides.{side}]\nname = "{side.title()}"\nnation = "{side}"\nfacing = {facing}\n')
        parts += [f'[[sides.{side}.units]]\nunit = "{unit}"\nat = ["{at}"]\n' for unit, at in FORCES[side]]
    return "".join(parts)


WAIT = ("RecoverAll", "EndPhase", "Pass")
"""The actions of a side that lets everything pass."""


def to_second_turn(match: Match) -> None:
    """Both sides let their segments of the first turn pass: after that all stands are in Firing Positions."""
    while match.game.state.turn < 2:
        seat = match.game.deciders()[0]
        offered = {type(each).__name__: each for each in match.game.choices(seat).offers() if isinstance(each, Action)}
        match.play(seat, next(offered[name] for name in WAIT if name in offered))


def battling(host: Host, table: str = "") -> Game:
    """The German's second turn of that battle, at its first decision."""
    return host.begin(battle(table), to_second_turn, (), {"german": "one", "soviet": "two"})


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
