"""The Spotting Phase [4.1, 6.1]: spots for the whole turn, and the optional rules that follow."""

from __future__ import annotations

from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.rulesets.panzer import hiding
from opfire.rulesets.panzer.moving import searching
from opfire.rulesets.panzer.pieces import Position
from opfire.rulesets.panzer.sighting import chances
from opfire.rulesets.panzer.sighting.spots import afield, find_spots


class SpottingPhase(Frame, frozen=True):
    """Spots are found for the whole turn; SPOT counters of vehicles that nobody spots come off [4.1, 4.1.5]."""

    step = "spotting"
    rule = "4.1"

    def begin(self, game: Game[Position]) -> None:
        """A spot goes on while one enemy has it, and is lost with the last one [4.1, 4.1.1-a, 4.1.1-c, 4.1.5]."""
        position = game.state
        for unit in position.units.values():
            if unit.fresh:
                position.change(unit.id, spot=unit.fresh, fresh="")
        if "7.41" in position.setting.options:
            chances.take_counters_off(game)
        position.spots = find_spots(position)
        chances.settle(game)
        for side in position.setting.sides:
            searching.settle(game, side)
        for unit in [*afield(position)]:
            if unit.spot and not position.spots[unit.id]:
                position.change(unit.id, spot="")
        hiding.watch(position)
        if not hiding.look(game):
            game.pop()

    def resume(self, game: Game[Position], result: object) -> None:
        """All counters that were spotted are revealed [7.2.2.1-spot]."""
        game.pop()
