"""Close Assault of abandoned vehicles [6.6.1.1.3-bail]: no roll to hit, only that for Knock-Out or Brew-Up."""

from __future__ import annotations

from collections.abc import Iterator

from opfire.core.actions import Action, Refusal
from opfire.core.events import Event
from opfire.core.game import Game
from opfire.rulesets.panzer.commands import reveal
from opfire.rulesets.panzer.fire import gp_fire
from opfire.rulesets.panzer.fire.close_assault import FAR_BELOW, Band, factor_of
from opfire.rulesets.panzer.pieces import Hex, Position, Side, Unit, UnitId
from opfire.rulesets.panzer.suppression import suppress_friends

NEAR = 2
"""The hexes from which a unit can attack after an advance [6.6.1.1-adv]."""


class Scuttle(Action, frozen=True):
    """Destroy an abandoned vehicle next to the unit; `via` is the hex into which it advances before, if it does."""

    says = "{unit} destroys the abandoned {target}"
    kind = "assault"
    final = True
    unit: UnitId
    target: UnitId
    via: Hex = ""


def within_reach(position: Position, unit: Unit) -> Iterator[UnitId]:
    """The abandoned vehicles next to a leg unit, not far above or below it [6.6.1.1.3-bail, 6.6.1.1-target]."""
    near = position.map.neighbours[str(unit.hex)] if unit.is_leg else ()
    height, coords = position.setting.ground.height, position.map.coords
    for name, hex in position.bailed.items():
        if hex in near and abs(height(coords[hex]) - height(coords[str(unit.hex)])) < FAR_BELOW:
            yield name


def might_scuttle(position: Position, side: Side) -> bool:
    """Return whether a side may have units that destroy an abandoned vehicle, as far as everybody knows.

    They may advance before it [6.6.1.1-adv].
    """
    fit = (unit for unit in position.of(side) if unit.is_leg and not (unit.revealed and unit.command != "move"))
    return bool(position.bailed) and any(nearby(position, unit) for unit in fit)


def nearby(position: Position, unit: Unit) -> list[UnitId]:
    """The abandoned vehicles that a leg unit may reach with an advance [6.6.1.1-adv]."""
    distance = position.map.distance
    return [name for name, hex in position.bailed.items() if distance(str(unit.hex), hex) <= NEAR]


def cannot_scuttle(position: Position, unit: Unit, target: UnitId) -> Refusal | None:
    """Reject a vehicle that is not abandoned, or not next to the unit [6.6.1.1.3-bail]."""
    if target in within_reach(position, unit):
        return None
    name = position.units[target].name
    return Refusal("{} is not abandoned next to {}", "6.6.1.1.3-bail", (name, unit.name))


def burning(position: Position, unit: Unit) -> float:
    """The chance that a unit sets an abandoned vehicle on fire [6.6.1.1.3-bail]."""
    band = Band((unit,))
    return 1.0 if band.flames else gp_fire.half(factor_of(position, band)) / gp_fire.KILL_DIE


def scuttle(game: Game[Position], unit_id: UnitId, target_id: UnitId) -> None:
    """The attack is Effective by itself: a roll for Knock-Out or Brew-Up; flamethrowers need none [6.6.1.1.3-bail].

    A Brew-Up suppresses the friends of the vehicle in its hex, and passengers in the open there [6.5.4.4.2-bu-sup].
    """
    position = game.state
    if position.units[unit_id].command == "move":
        reveal(game, unit_id)
    unit = position.change(unit_id, moving=True, moved=True, fresh="move", aimed=target_id)
    target, hex = position.units[target_id], position.bailed.pop(target_id)
    band = Band((unit,))
    dice = () if band.flames else game.roll(1, gp_fire.KILL_DIE)
    burns = band.flames or dice[0] <= gp_fire.half(factor_of(position, band))
    if burns and position.wrecks.get(hex) != "BU":
        position.wrecks[hex] = "BU"
        position.smoking = (*position.smoking, hex)
    position.wrecks.setdefault(hex, "KO")
    position.hulks[target.id] = hex
    text = "{} destroys {}, which burns" if burns else "{} destroys {}"
    units = (unit.id, target.id)
    game.tell(Event("assaulted", text, (unit.name, target.name), "6.6.1.1.3-bail", units, (hex,), dice))
    if burns:
        suppress_friends(game, target.side, hex)
