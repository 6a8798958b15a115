"""The Dismount Attack [6.6.1.1-dis]: a passenger dismounts next to an enemy and attacks it at once."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from opfire.core.actions import PROCEDURE, Action, Refusal
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.rulesets.panzer.charts import Vehicle
from opfire.rulesets.panzer.fire import scuttling
from opfire.rulesets.panzer.fire.close_assault import Band
from opfire.rulesets.panzer.fire.close_combat import Occupying, Scuttling, held, out_of_reach, struggle
from opfire.rulesets.panzer.fire.direct_fire import Asked
from opfire.rulesets.panzer.formations import unready
from opfire.rulesets.panzer.indirect import barrages
from opfire.rulesets.panzer.morale import checks
from opfire.rulesets.panzer.moving import transport
from opfire.rulesets.panzer.pieces import Hex, Position, Unit, UnitId, off_the_map, seated
from opfire.rulesets.panzer.works import mines
from opfire.rulesets.panzer.works.entrenching import occupy


class DismountAttack(Action, frozen=True):
    """A passenger dismounts in the hex of its vehicle or next to it, and attacks a unit next to that hex.

    The target may be an abandoned vehicle.
    """

    says = "{passenger} dismounts in {hex} and attacks {target}"
    kind = "assault"
    final = True
    unit: UnitId
    passenger: UnitId
    hex: Hex
    target: UnitId


def cannot_dismount_attack(position: Position, vehicle: Unit, action: DismountAttack) -> Refusal | None:
    """Reject a Dismount Attack of a shaken passenger, or at an enemy out of reach or unspotted [6.6.1.1-dis].

    The target is one that the side spotted in this turn's Spotting Phase: RULINGS.md R146. The command of the vehicle
    is that of its passengers: RULINGS.md R247.
    """
    passenger, target = position.units[action.passenger], position.units[action.target]
    if not position.setting.advanced or not passenger.is_leg or passenger.suppression or passenger.morale:
        return Refusal("{} is no squad or section in good order", "6.6.1.1-who", (passenger.name,))
    return (
        unready(position, passenger)
        or _no_move(vehicle)
        or transport.cannot_dismount(position, vehicle, passenger, action.hex, 0)
        or _no_target(position, replace(seated(position, passenger), hex=action.hex), target)
    )


def _no_move(vehicle: Unit) -> Refusal | None:
    return None if vehicle.command == "move" else Refusal("{} has no Move command", "6.6.1.1-cmd", (vehicle.name,))


def _no_target(position: Position, alighted: Unit, target: Unit) -> Refusal | None:
    """Reject an enemy out of reach or unspotted, and a vehicle that is not abandoned near [6.6.1.1.3-bail]."""
    if target.id in position.bailed:
        return scuttling.cannot_scuttle(position, alighted, target.id)
    if target.side == alighted.side:
        return Refusal("{} is on your side", PROCEDURE, (target.name,))
    return off_the_map(target) or out_of_reach(position, alighted, target) or _unspotted(position, alighted, target)


def _unspotted(position: Position, passenger: Unit, target: Unit) -> Refusal | None:
    if any(spotter in position.setting.ids[passenger.side] for spotter in position.spots.get(target.id, ())):
        return None
    return Refusal("{} was not spotted before the move", "6.6.1.1-dis", (target.name,))


def ways(position: Position, vehicle: Unit) -> Iterator[DismountAttack]:
    """The Dismount Attacks that passengers of a vehicle can make now."""
    if not (isinstance(vehicle.kind, Vehicle) and vehicle.kind.tr_leg and position.setting.advanced):
        return
    riders = [unit for unit in position.aboard(vehicle.id) if unit.is_leg]
    if not riders:
        return
    neighbours = position.map.neighbours
    for hex in filter(None, (vehicle.hex, *neighbours[str(vehicle.hex)])):
        near = {name for name in neighbours[hex] if name}
        targets = [enemy.id for enemy in position.enemies(vehicle.side) if enemy.hex in near]
        targets += [name for name, at in position.bailed.items() if at in near]
        found = (DismountAttack(vehicle.id, unit.id, hex, target) for unit in riders for target in targets)
        yield from (act for act in found if cannot_dismount_attack(position, vehicle, act) is None)


def storm(game: Game[Position], action: DismountAttack, met: tuple[str, ...] = ()) -> None:
    """The passenger dismounts, faces its target and attacks it; no overwatch comes between [6.6.1.1-dis].

    Barrages that its vehicle has `met` in this move do not attack it again [6.6.6-attack].
    """
    position, target = game.state, game.state.units[action.target]
    abandoned = position.bailed.get(target.id)
    facing = position.map.direction(action.hex, abandoned or str(target.hex)) or 0
    unit = transport.set_down(game, action.passenger, action.hex, facing)
    alight(game, unit.id, str(position.units[action.unit].hex), met)
    game.push((Scuttling if abandoned else Storming)(unit.side, unit.id, action.target))


def alight(game: Game[Position], unit_id: UnitId, vehicle: Hex, met: tuple[str, ...] = ()) -> None:
    """Mines attack a passenger that has dismounted, and barrages if it has left the hex of its vehicle.

    It ends its move there, and takes a position that nobody holds: RULINGS.md R91. In another hex than that of its
    vehicle it has moved from its own, and checks its morale: RULINGS.md R208.
    Rules: [7.31.2, 6.6.6-attack, 6.6.6-stay, 6.1.4.3.6, 7.1.2].
    """
    mines.strike(game, unit_id)
    left = game.state.units[unit_id].hex != vehicle
    if left:
        barrages.meet(game, unit_id, met)
    occupy(game.state, game.state.units[unit_id])
    if left:
        checks.check(game, unit_id, "moved")


class Storming(Frame, frozen=True):
    """A passenger that has dismounted fights [6.6.1.1-dis]; the owner of a vehicle is asked first whether it moves."""

    step = "close combat"
    rule = "6.6.1.1-dis"
    unit: UnitId
    target: UnitId

    def begin(self, game: Game[Position]) -> None:
        game.push(Asked(game.state.setting.other[self.side], self.target))

    def resume(self, game: Game[Position], result: object) -> None:
        """Fight alone, then enter the hex that is won if the player likes [6.6.1.1-dis, 6.6.1.1.3-occupy]."""
        hex = str(game.state.units[self.target].hex)
        if self._ready(game):
            struggle(game, Band((game.state.units[self.unit],), dismounted=True), self.target)
        gone, left = (game.state.units[name].hex is None for name in (self.target, self.unit))
        if gone and not left and not held(game.state, self.side, hex):
            return game.swap(Occupying(self.side, hex, (self.unit,)))
        game.pop()

    def _ready(self, game: Game[Position]) -> bool:
        """Return whether the unit is fit to attack, and dares to attack a vehicle [6.6.1.1-who, 7.6]."""
        unit = game.state.units[self.unit]
        if unit.hex is None or unit.suppression or unit.morale:
            return False
        return not game.state.units[self.target].is_vehicle or checks.dares(game, self.unit)
