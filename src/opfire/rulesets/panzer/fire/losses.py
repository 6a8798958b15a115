"""Vehicles that are lost, and their wrecks [4.4.3.2.6]."""

from __future__ import annotations

from collections.abc import Iterable

from opfire.core.events import Event
from opfire.core.game import Game
from opfire.rulesets.panzer.morale import checks
from opfire.rulesets.panzer.moving import passengers
from opfire.rulesets.panzer.pieces import Position, Unit, at_arms


def leave_behind(game: Game[Position], unit: Unit) -> None:
    """An abandoned vehicle is out of action for good, and stays where it is [5.15, 6.6.1.1.3-bail]."""
    game.state.bailed[unit.id] = str(unit.hex)
    game.state.lift(unit.id, "eliminated")


def perish(game: Game[Position], unit: Unit) -> tuple[Unit, ...]:
    """A unit is lost with all aboard, and leaves no wreck; return them as they were."""
    gone = (unit, *(at_arms(game.state, rider.id) for rider in game.state.aboard(unit.id)))
    for lost in gone:
        game.state.change(lost.id, carrier=None)
        game.state.lift(lost.id, "eliminated")
    return gone


def mourn(game: Game[Position], gone: Iterable[Unit]) -> None:
    """Comrades check their morale for units that are lost together, once all of them are gone [7.1.2]."""
    for unit in gone:
        checks.lost(game, unit)


def knock_out(game: Game[Position], target: Unit, *, brews_up: bool) -> None:
    """A vehicle is lost and leaves a wreck; a Brew-Up replaces a plain one [4.1.4.1.8, 4.4.3.2.6-ko, 4.4.3.2.6-bu]."""
    position, hex = game.state, str(target.hex)
    lost = passengers.escape(game, target, "brewed up" if brews_up else "knocked out")
    position.lift(target.id, "eliminated")
    if brews_up and position.wrecks.get(hex) != "BU":
        position.wrecks[hex] = "BU"
        position.smoking = (*position.smoking, hex)
    position.wrecks.setdefault(hex, "KO")
    position.hulks[target.id] = hex
    rule, words = ("4.4.3.2.6-bu", "{} brews up") if brews_up else ("4.4.3.2.6-ko", "{} is knocked out")
    game.tell(Event("eliminated", words, (target.name,), rule, (target.id,), (hex,)))
    checks.lost(game, target, "vehicle burns" if brews_up else "")
    mourn(game, lost)  # 7.1.2: a command unit may have been aboard
