"""Smoke shells in direct fire [6.1.4.3.10]: one hex of Closed smoke, at a hex in sight, in place of other fire."""

from __future__ import annotations

from collections.abc import Iterator

from opfire.core.actions import NOBODY, Action, Refusal
from opfire.core.events import Event
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.kit.orders import Pass
from opfire.rulesets.panzer.commands import reveal
from opfire.rulesets.panzer.fire import turrets
from opfire.rulesets.panzer.fire.arcs import in_field_of_fire
from opfire.rulesets.panzer.indirect import smoke
from opfire.rulesets.panzer.indirect.rounds import Shells, shells_of
from opfire.rulesets.panzer.pieces import Hex, Position, Unit, UnitId
from opfire.rulesets.panzer.sighting.chances import give_away
from opfire.rulesets.panzer.sighting.ranges import Marker, after_firing
from opfire.rulesets.panzer.sighting.spots import hex_out_of_sight
from opfire.space.hexes import distance

DIE = 10


class LoadSmoke(Action, frozen=True):
    """Fire smoke shells in place of other fire; the hex comes next."""

    says = "{unit} fires smoke"
    kind = "fire"
    unit: UnitId


class FireSmoke(Action, frozen=True):
    """Fire smoke at a hex."""

    says = "Smoke on {to}"
    kind = "fire"
    final = True
    to: Hex


def no_smoke(position: Position, unit: Unit) -> Refusal | None:
    """Reject units without smoke shells, and those without a hex to fire at [6.1.4.3.10]."""
    shells = shells_of(position, unit) if position.setting.advanced else None
    if shells is None or unit.arms:
        return Refusal("{} has no smoke shells, or has fired", "6.1.4.3.10", (unit.name,))
    if next(hexes(position, unit), None) is None:
        return Refusal("{} sees no hex for smoke", "6.1.4.3.10", (unit.name,))
    return None


def cannot_smoke(position: Position, unit: Unit, shells: Shells, hex: Hex) -> Refusal | None:
    """Reject hexes with friends, out of range, outside the field of fire, or out of sight [6.1.4.3.10, 5.6]."""
    coords = position.map.coords
    at, here = coords[hex], coords[str(unit.hex)]
    if not shells.least <= distance(here, at) <= shells.most:
        facts = (unit.name, shells.least, shells.most)
        return Refusal("{} fires smoke at {} to {} hexes", "6.1.4.3.10", facts)
    if any(other.side == unit.side for other in position.at(hex)):
        return Refusal("A friendly unit is in {}", "6.1.4.3.10", (hex,))
    facing = turrets.bearing(unit) if shells.arc == "turret" else unit.facing
    if not in_field_of_fire(here, facing, shells.arc, at):
        return Refusal("{} is outside the field of fire of {}", "6.1.4.3.10", (hex, unit.name))
    return hex_out_of_sight(position, unit, hex)


def hexes(position: Position, unit: Unit) -> Iterator[Hex]:
    """The hexes at which a unit may fire smoke."""
    if shells := shells_of(position, unit):
        yield from (hex for hex in position.map.names if cannot_smoke(position, unit, shells, hex) is None)


class Smoking(Frame, frozen=True):
    """A unit fires smoke at a hex; no spotted target is needed [6.1.4.3.10]."""

    takes = (FireSmoke, Pass)
    step = "smoke"
    rule = "6.1.4.3.10"
    question = "Choose the hex of the smoke, or hold your fire"
    unit: UnitId

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        if actor == NOBODY:
            yield Pass()
            yield from (FireSmoke(hex) for hex in hexes(sight, sight.units[self.unit]))

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        unit = sight.units[self.unit]
        match action, shells_of(sight, unit):
            case FireSmoke(to), Shells() as shells:
                return cannot_smoke(sight, unit, shells, to)
        return None

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case FireSmoke(to):
                fire_smoke(game, self.unit, to)
        game.pop()


def fire_smoke(game: Game[Position], unit_id: UnitId, hex: Hex) -> None:
    """The unit is marked, and smoke lies on the hex unless its shells are short [6.1.4.3.10, 5.16.2.3]."""
    reveal(game, unit_id)
    position, unit = game.state, game.state.units[unit_id]
    shells = shells_of(position, unit)
    assert shells is not None
    before: Marker = "fire" if "fire" in (unit.spot, unit.fresh) else ""
    position.change(unit_id, fired=True, fresh=after_firing(before, small_arms=shells.small_arms), arms=("smoke",))
    give_away(position, unit_id)
    rolled = game.roll(1, DIE)
    short = rolled[0] > shells.limit
    text = "{} is short of smoke" if short else "{} fires smoke at {}"
    game.tell(Event("ammo limit", text, (unit.name, hex), "5.16.2.3", (unit_id,), (hex,), rolled))
    if not short:
        smoke.lay(position, (hex,), dense=True)
