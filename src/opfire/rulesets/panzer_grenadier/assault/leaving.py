"""Leaving an assault [5.32, 12.12], and the free shot at those who leave [12.12.a]."""

from __future__ import annotations

from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.rulesets.panzer_grenadier.assault import combat
from opfire.rulesets.panzer_grenadier.fire import losses
from opfire.rulesets.panzer_grenadier.fire.strengths import Column
from opfire.rulesets.panzer_grenadier.pieces import (
    Hex,
    Position,
    Side,
    Unit,
    UnitId,
)


def leaving(position: Position, unit: Unit) -> bool:
    """Return whether a unit that leaves its hex leaves an assault: by one hex, and maybe under fire [5.32, 12.12].

    It also does so if the others have left before it in this segment, and the enemy is still there.
    """
    hex, activation = str(unit.hex), position.activation
    if position.assault_hex(hex):
        return True
    gone = activation is not None and hex in activation.left
    return gone and bool(position.enemies(unit.side, hex))


def exited(game: Game[Position], unit_id: UnitId, hex: Hex) -> None:
    """A unit or leader has left an assault hex [12.12]; if no combat unit is left, the enemy has a free shot [12.12.a].

    The shot is pushed as a frame, so that all units that leave together are in it.
    """
    position = game.state
    if position.activation is None:
        return
    left = position.activation.left
    position.acting(left=left | {hex: (*left.get(hex, ()), unit_id)})
    side = position.units[unit_id].side
    if position.holders(hex, side) or not position.enemies(side, hex):
        return
    if not any(isinstance(frame, FreeShot) and frame.hex == hex for frame in game.stack):
        game.push(FreeShot(position.setting.other[side], hex))


class FreeShot(Frame, frozen=True):
    """Units in the hex fire at all that have left it, as one group, on one roll [12.12.a]."""

    step = "free-shot"
    rule = "12.12.a"
    hex: Hex

    def begin(self, game: Game[Position]) -> None:
        """Roll: no unit is activated, marked, or held back by a marker; the leaving units do not answer."""
        position = game.state
        game.pop()
        own = [unit for unit in position.at(self.hex, self.side) if not unit.demoralized]
        foes = leavers(position, self.side, self.hex)
        _note_shot(position, self.hex)
        if not foes or not any(combat.fights(unit) for unit in own):
            return
        if not any(combat.fights(unit) for unit in foes):
            combat.sweep(game, foes)
            return
        found = combat.free_shot(position, own, foes, self.hex)
        blows = combat.roll(game, own, [Column(found, tuple(unit.id for unit in foes))], self.hex)
        losses.suffer(game, foes[0].side, str(foes[-1].hex), blows, "free shot")


def leavers(position: Position, side: Side, hex: Hex) -> list[Unit]:
    """The enemies of `side` that left a hex in this segment, still on the map and not yet fired at by a free shot."""
    assert position.activation is not None
    gone = position.pick(dict.fromkeys(position.activation.left.get(hex, ())))
    return [unit for unit in gone if unit.hex not in (None, hex) and unit.side != side]


def _note_shot(position: Position, hex: Hex) -> None:
    assert position.activation is not None
    position.acting(left=position.activation.left | {hex: ()})


FRAMES: tuple[type[Frame], ...] = (FreeShot,)
