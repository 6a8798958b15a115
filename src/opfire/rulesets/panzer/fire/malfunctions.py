"""Weapon malfunction [7.25]: weapons that jam, and their repair at the end of the Command Phase."""

from __future__ import annotations

from opfire.core.events import Event
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.rulesets.panzer.commands import reveal
from opfire.rulesets.panzer.fire.arms import Arm
from opfire.rulesets.panzer.pieces import Position, Unit

OPTION = "7.25"
AP_JAMS, GP_JAMS = 100, 1
"""The natural rolls of AP and of GP direct fire that jam a weapon."""

DIE, REPAIRED, LOST, AT_WORK = 10, 2, 10, -2
"""The die of a repair: the greatest result that repairs, the roll that ruins, and the modifier of No Command."""


def jam(game: Game[Position], unit: Unit, arm: Arm, rolled: int) -> None:
    """A weapon jams on an AP roll of 00 or a GP roll of 01; the shot itself counts [7.25]."""
    if OPTION in game.state.setting.options and rolled == (AP_JAMS if arm.is_ap else GP_JAMS):
        jammed = (*game.state.units[unit.id].jammed, arm.row.weapon)
        game.state.change(unit.id, jammed=tuple(dict.fromkeys(jammed)))
        game.tell(Event("malfunction", "{}: {} jams", (unit.name, arm.row.name), "7.25", (unit.id,)))


class RepairStep(Frame, frozen=True):
    """Each unit with a jammed weapon tries to repair it, at the end of the Command Phase [7.25]."""

    step = "command"
    rule = "7.25"

    def begin(self, game: Game[Position]) -> None:
        """Roll for every jammed weapon [7.25]."""
        for unit in [unit for unit in game.state.units.values() if unit.jammed and _there(unit)]:
            for weapon in unit.jammed:
                repair(game, game.state.units[unit.id], weapon)
        game.pop()


def _there(unit: Unit) -> bool:
    return unit.hex is not None or unit.carrier is not None


def repair(game: Game[Position], unit: Unit, weapon: str) -> None:
    """One attempt: 2 or less repairs, a natural 10 ruins the weapon; No Command helps and is shown.

    Rule: [7.25]: RULINGS.md R143.
    """
    dice = game.roll(1, DIE)
    if unit.command == "no command" and unit.carrier is None:
        reveal(game, unit.id)
    idle = AT_WORK if unit.command == "no command" else 0
    left = tuple(name for name in unit.jammed if name != weapon)
    if dice[0] == LOST:
        game.state.change(unit.id, jammed=left, ruined=(*unit.ruined, weapon))
    elif dice[0] + idle <= REPAIRED:
        game.state.change(unit.id, jammed=left)
    words = "is out of action" if dice[0] == LOST else "works again" if dice[0] + idle <= REPAIRED else "stays jammed"
    game.tell(Event("malfunction", "The weapon of {} {}", (unit.name, words), "7.25", (unit.id,), dice=dice))
