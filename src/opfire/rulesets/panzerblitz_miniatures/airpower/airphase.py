"""The Air Phase [AIP-1] in the book's order; helicopters may move after it instead: RULINGS.md R33."""

from __future__ import annotations

from opfire.core.flow import Frame, Sequence
from opfire.core.game import Game
from opfire.rulesets.panzerblitz_miniatures.airpower.air import AirMovement, AirPhaseEnd, remove_damaged
from opfire.rulesets.panzerblitz_miniatures.airpower.airborne import AirborneLanding
from opfire.rulesets.panzerblitz_miniatures.airpower.flak import AirCombat, AntiAircraft, CollectiveGroundFire
from opfire.rulesets.panzerblitz_miniatures.airpower.helicopters import HelicopterMovement
from opfire.rulesets.panzerblitz_miniatures.airpower.strikes import AirStrikes
from opfire.rulesets.panzerblitz_miniatures.pieces import Position


class HelicoptersInAirPhase(Frame, frozen=True):
    """Helicopters move after the aircraft, in the Air Phase: RULINGS.md R33."""

    step = "air"
    rule = "HEL-3"

    def begin(self, game: Game[Position]) -> None:
        """Helicopters follow the aircraft within the phase [SEQ-7]."""
        if game.state.setting.has("R33"):
            return game.pop()
        game.push(HelicopterMovement(self.side))

    def resume(self, game: Game[Position], result: object) -> None:
        game.pop()


class HelicoptersAfterStrikes(Frame, frozen=True):
    """By option R33 helicopters move at the start of the movement phase, after all air strikes."""

    step = "air"
    rule = "HEL-2"

    def begin(self, game: Game[Position]) -> None:
        if not game.state.setting.has("R33"):
            return game.pop()
        game.push(LATE(self.side))

    def resume(self, game: Game[Position], result: object) -> None:
        game.pop()


class DamagedLeave(Frame, frozen=True):
    """Helicopters that were damaged while they moved are removed [AAT-2]."""

    step = "air"
    rule = "AAT-2"

    def begin(self, game: Game[Position]) -> None:
        remove_damaged(game)
        game.pop()


LATE = Sequence("miniatures helicopters in the movement phase", HelicopterMovement, AntiAircraft, DamagedLeave)

AIR_PHASE = Sequence(
    "miniatures air phase",
    AirborneLanding,
    AirMovement,
    HelicoptersInAirPhase,
    AirCombat,
    AntiAircraft,
    AirStrikes,
    CollectiveGroundFire,
    AirPhaseEnd,
    HelicoptersAfterStrikes,
)
"""The steps of the Air Phase [AIP-1]; the last belongs to the movement phase."""


class AirPhase(Frame, frozen=True):
    """Aircraft move and are fired at, attack and are fired at again [AIP-1]."""

    step = "air"
    rule = "AIP-1"

    def begin(self, game: Game[Position]) -> None:
        game.push(AIR_PHASE(self.side))

    def resume(self, game: Game[Position], result: object) -> None:
        game.pop()
