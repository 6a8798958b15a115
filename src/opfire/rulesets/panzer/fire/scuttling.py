"""Close Assault of abandoned vehicles [6.6.1.1.3-bail]: no roll to hit, only that for Knock-Out or Brew-Up."""

from __future__ import annotations

from collections.abc import Iterator

from opfire.core.actions import Action, Refusal
from opfire.core.events import Event
from opfire.core.game import Game
from opfire.rulesets.panzer.commands import reveal
from opfire.rulesets.panzer.fire import gp_fire
from opfire.rulesets.panzer.fire.close_assault import FAR_BELOW, Band, factor_of
from opfire.rulesets.panzer.pieces import Position, Side, Unit, UnitId
from opfire.rulesets.panzer.suppression import suppress_friends


class Scuttle(Action, frozen=True):
    """Destroy an abandoned vehicle next to the unit."""

    says = "{unit} destroys the abandoned {target}"
    kind = "assault"
    final = True
    unit: UnitId
    target: UnitId


def within_reach(position: Position, unit: Unit) -> Iterator[UnitId]:
    """The abandoned vehicles next to a leg unit, not far above or below it [6.6.1.1.3-bail, 6.6.1.1-target]."""
    near = position.map.neighbours[str(unit.hex)] if unit.is_leg else ()
    height, coords = position.setting.ground.height, position.map.coords
    for name, hex in position.bailed.items():
        if hex in near and abs(height(coords[hex]) - height(coords[str(unit.hex)])) < FAR_BELOW:
            yield name


def might_scuttle(position: Position, side: Side) -> bool:
    """Return whether a side may have units that destroy an abandoned vehicle, as far as everybody knows."""
    fit = (unit for unit in position.of(side) if not (unit.revealed and unit.command != "move"))
    return bool(position.bailed) and any(next(within_reach(position, unit), None) for unit in fit)


def cannot_scuttle(position: Position, unit: Unit, target: UnitId) -> Refusal | None:
    """Reject a vehicle that is not abandoned, or not next to the unit [6.6.1.1.3-bail]."""
    if target in within_reach(position, unit):
        return None
    name = position.units[target].name
    return Refusal("{} is not abandoned next to {}", "6.6.1.1.3-bail", (name, unit.name))


def scuttle(game: Game[Position], action: Scuttle) -> None:
    """The attack is Effective by itself: a roll for Knock-Out or Brew-Up; flamethrowers need none [6.6.1.1.3-bail].

    A Brew-Up suppresses the friends of the vehicle in its hex, and passengers in the open there [6.5.4.4.2-bu-sup].
    """
    reveal(game, action.unit)
    position = game.state
    unit = position.change(action.unit, moving=True, moved=True, fresh="move", aimed=action.target)
    target, hex = position.units[action.target], position.bailed.pop(action.target)
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
