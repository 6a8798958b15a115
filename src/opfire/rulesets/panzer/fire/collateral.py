"""Collateral damage [7.23]: what hits break that penetrate without damage."""

from __future__ import annotations

from msgspec.structs import replace

from opfire.core.events import Event
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.rulesets.panzer import hiding
from opfire.rulesets.panzer.fire import hits, turrets
from opfire.rulesets.panzer.formations import COMMAND
from opfire.rulesets.panzer.pieces import Position, Unit, UnitId, lurking, where_it_is
from opfire.rulesets.panzer.suppression import suppress

OPTION = "7.23"
DIE = 10
EMPTY, FIRE = 1, 2
"""The rolls for a leaking vehicle that is out of fuel, and for one that catches fire [7.23.4]."""

WORDS = {
    "optics": "{} has its optics damaged",
    "coax": "{} loses its coaxial machine gun",
    "ring": "{} has its turret jammed",
    "radio": "{} loses its radio",
    "gear": "{} has its running gear damaged",
    "fuel": "{} loses fuel",
}
"""The effects in words."""


def strike(game: Game[Position], unit_id: UnitId, location: str) -> None:
    """Roll for a hit on an A-Type or P-Type vehicle that penetrates with No Damage; each effect comes once [7.23]."""
    unit = game.state.units[unit_id]
    if OPTION not in game.state.setting.options or unit.hex is None or unit.vehicle.target == "S":
        return
    dice = game.roll(1, DIE)
    row = game.state.charts.collateral.get((location, dice[0]))
    if row is None or row.effect in unit.collateral:
        return
    words, places = WORDS[row.effect], (str(unit.hex),)
    if lacks(unit, row.effect):
        return suppress(game, unit_id)
    game.tell(Event("collateral", words, (unit.name,), row.rule, (unit_id,), places, dice))
    unit = game.state.change(unit_id, collateral=(*unit.collateral, row.effect))
    if row.effect == "radio":
        lost = tuple(label for label in unit.labels if label in COMMAND or label == "Recon")
        kept = tuple(label for label in unit.labels if label not in lost)
        game.state.change(unit_id, labels=kept, silenced=(*unit.silenced, *lost))


def lacks(unit: Unit, effect: str) -> bool:
    """Return whether a vehicle has no coaxial machine gun, or no turret, to be hit: it is suppressed instead.

    Rules: [7.23.1, 7.23.2].
    """
    if effect == "coax":
        return not unit.vehicle.coax_mg
    return effect == "ring" and not turrets.rotates(unit)


class FuelStep(Frame, frozen=True):
    """At the beginning of the Movement Phase leaking vehicles may run out of fuel, or catch fire [7.23.4]."""

    step = "movement"
    rule = "7.23.4"

    left: tuple[UnitId, ...] = ()

    def begin(self, game: Game[Position]) -> None:
        """Hidden vehicles leak, too; one that is out of fuel leaks no more [7.23.4]."""
        position = game.state
        units = (unit for side in position.setting.sides for unit in (*position.of(side), *lurking(position, side)))
        leaking = replace(self, left=tuple(unit.id for unit in units if "fuel" in unit.collateral))
        game.swap(leaking)
        leaking.resume(game, None)

    def resume(self, game: Game[Position], result: object) -> None:
        """Roll for each vehicle; the units of a counter that comes off are placed before the next roll."""
        for number, name in enumerate(self.left, 1):
            mask = hiding.mask_of(game.state, name)
            game.swap(replace(self, left=self.left[number:]))
            leak(game, where_it_is(game.state, name))
            if mask is not None and mask.id not in game.state.masks:
                return
        game.pop()


def leak(game: Game[Position], unit: Unit) -> None:
    """A leaking vehicle: a Track Hit or a Brew-Up, with their Bail Out attempts and suppression [7.23.4].

    Either reveals a hidden vehicle; as long as it has fuel, nobody learns where it is: RULINGS.md R196.
    """
    dice = game.roll(1, DIE)
    words = {EMPTY: "{} is out of fuel", FIRE: "{} catches fire"}.get(dice[0], "{} still has fuel")
    mask = hiding.mask_of(game.state, unit.id)
    if mask is not None and dice[0] in (EMPTY, FIRE):
        game.push(hiding.unmasking(game, mask.id))
        unit = game.state.units[unit.id]
    places = () if game.state.units[unit.id].status == "hidden" else (str(unit.hex),)
    game.tell(Event("collateral", words, (unit.name,), "7.23.4", (unit.id,), places, dice))
    if dice[0] == EMPTY:
        left = tuple(effect for effect in unit.collateral if effect != "fuel")
        unit = game.state.change(unit.id, collateral=(*left, "dry"))
        hits.check_out(game, unit.id, hits.track(game, unit))
    elif dice[0] == FIRE:
        hits.destroy(game, unit, brews_up=True)
