"""The last moment to jettison a fuel trailer: AP fire at its tank is announced, and comes from behind [7.38.2.2]."""

from __future__ import annotations

from collections.abc import Iterator

from opfire.core.actions import Action, Refusal
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.texts import say
from opfire.rulesets.panzer.conditions import tows_fuel
from opfire.rulesets.panzer.fire.arcs import hit_angles
from opfire.rulesets.panzer.fire.arms import Arm, arm_at, turned
from opfire.rulesets.panzer.fire.trailer import FROM_BEHIND, Jettison, cannot_jettison, jettison
from opfire.rulesets.panzer.pieces import Position, Unit, UnitId, at_arms


class KeepTrailer(Action, frozen=True):
    """Keep the fuel trailer under fire."""

    says = "Keep the fuel trailer"
    kind = "pass"


class Jettisoning(Frame, frozen=True):
    """The player of a tank under fire may jettison its fuel trailer before the fire is resolved: RULINGS.md R206."""

    takes = (KeepTrailer, Jettison)
    step = "fuel trailer"
    rule = "7.38.2.2"
    question = "{target} is fired at from behind: keep its fuel trailer, or jettison it"
    target: UnitId

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        yield KeepTrailer()
        yield Jettison(self.target)

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case Jettison(unit) if unit != self.target:
                name = sight.units[self.target].name
                return Refusal("Only {} is asked about its fuel trailer now", "7.38.2.2", (name,))
            case Jettison(unit):
                return cannot_jettison(sight, sight.units[unit])
        return None

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case Jettison(unit):
                jettison(game, unit)
        game.pop()

    def prompt(self, sight: Position, side: str) -> str:
        return say(self.question, target=sight.units[self.target].name)


def endangered(position: Position, unit_id: UnitId, target: Unit, weapon: str, overwatch: bool = False) -> bool:
    """Return whether announced AP fire may strike the fuel trailer of a target: it comes from behind [7.38.2.2]."""
    if target.hex is None or not tows_fuel(position, target):
        return False
    unit, coords = at_arms(position, unit_id), position.map.coords
    arm = arm_at(position, turned(position, unit, target) if overwatch else unit, target, weapon)
    if not isinstance(arm, Arm) or not arm.is_ap:
        return False
    angles = hit_angles(coords[target.hex], target.facing, coords[str(unit.hex)])
    return any(angle in FROM_BEHIND for angle in angles)
