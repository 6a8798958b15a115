"""The losses of leg and towed units [5.1.1, 6.5.4.4.3-eff, 7.17]: halves, attached weapons, whole units."""

from __future__ import annotations

from typing import Literal

from opfire.core.events import Event
from opfire.core.game import Game
from opfire.rulesets.panzer.morale import checks
from opfire.rulesets.panzer.pieces import Position, Unit, at_arms


def reduce(game: Game[Position], target: Unit) -> None:
    """A squad loses a half by GP fire or hand to hand, and perhaps its weapons [5.1.1, 6.5.4.4.3-eff, 7.17]."""
    halve(game, target)
    drop_weapons(game, target)


def halve(game: Game[Position], target: Unit) -> None:
    """A squad loses a half; its attached weapons go on with the other [5.1.1]."""
    half = game.state.charts.halves[target.kind.id]
    game.state.change(target.id, kind=half)
    game.tell(Event("reduced", "{} is reduced to a half-squad", (target.name,), "5.1.1", (target.id,)))


WEAPON_DIE, BREAKS, WORSE = 10, 5, -2
"""The die for a weapon of a reduced squad, the greatest roll that destroys it, the first die's modifier [7.17]."""


def drop_weapons(game: Game[Position], squad: Unit) -> None:
    """Each attached weapon of a reduced squad may be destroyed, the first of several sooner [7.17]: RULINGS.md R95."""
    if "7.17" not in game.state.setting.options or not squad.weapons:
        return
    dice = game.roll(len(squad.weapons), WEAPON_DIE)
    first = WORSE if len(squad.weapons) > 1 else 0
    counted = (dice[0] + first, *dice[1:])
    kept = tuple(name for name, die in zip(squad.weapons, counted, strict=True) if die > BREAKS)
    game.state.change(squad.id, weapons=kept)
    lost = len(squad.weapons) - len(kept)
    text = "{} loses {} weapon" if lost == 1 else "{} loses {} weapons"
    game.tell(Event("weapons lost", text, (squad.name, lost), "7.17", (squad.id,), (), dice))


def eliminate(game: Game[Position], target: Unit, fear: Literal["", "comrade lost"] = "") -> None:
    """A leg or towed unit is lost and leaves no wreck; close combat frightens others [6.5.4.4.3-eff, 7.1.2]."""
    gone = target if target.carrier is None else at_arms(game.state, target.id)
    game.state.change(target.id, carrier=None)
    game.state.lift(target.id, "eliminated")
    places = (gone.hex,) if gone.hex else ()
    game.tell(Event("eliminated", "{} is eliminated", (target.name,), "6.5.4.4.3-eff", (target.id,), places))
    checks.lost(game, gone, fear)
