"""Games at the Indirect Fire Phase of the first side: batteries, observers, targets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from opfire.core.dice import Dice
from opfire.core.game import Game
from opfire.core.places import text
from opfire.core.scenario import parse
from opfire.rulesets.panzerblitz_miniatures import RULESET
from opfire.rulesets.panzerblitz_miniatures.actions import EndPhase
from opfire.rulesets.panzerblitz_miniatures.fire.indirect import Designate, IndirectFirePhase, cannot_designate
from opfire.rulesets.panzerblitz_miniatures.fire.missions import Shape, Task
from opfire.rulesets.panzerblitz_miniatures.pieces import Position
from rules.panzerblitz_miniatures.marches import Units, scenario

OBSERVER = ("observer-german", "12,10")
GUN = ("how-105-german", "2,10")
"""Red's howitzer, red-2: 105 mm, range 64 inches, attack 40; it fires beyond 16 inches."""

TANK = ("t-34-76", "25,10")
"""Blue's tank, blue-1: defense 9, thirteen inches from the observer."""


def battery(
    red: Units = (OBSERVER, GUN),
    blue: Units = (TANK,),
    ground: str = "",
    doctrine: str = "",
    dice: Sequence[int] = (),
    **values: Mapping[str, Any],
) -> Game[Position]:
    """A game at red's Indirect Fire Phase of turn 1 with dice that fall as told; `values` change units.

    `doctrine` are fields of red's section.
    """
    made = parse(scenario(red, blue, ground, doctrine=doctrine), "battery.toml")
    state, _ = RULESET.start(RULESET.set_up(made))
    state.turn, state.current = 1, "red"
    for name, changes in values.items():
        state.change(name.replace("_", "-"), **changes)
    game = Game(RULESET, state, Dice(bytes(32), script=tuple(dice)), {side: side for side in ("red", "blue")})
    phase(game)
    return game


def phase(game: Game[Position]) -> None:
    """Begin red's Indirect Fire Phase: the only frame of these games."""
    game.push(IndirectFirePhase("red"))
    game.run()


def plan(
    game: Game[Position],
    unit: str = "red-2",
    target: str = "blue-1",
    task: Task = "neutralization",
    shape: Shape = "square",
    facing: int = 0,
    spotter: str = "red-1",
) -> None:
    """Record a mission."""
    game.play("red", Designate(unit, target, spotter, task, shape, facing))


def against(
    game: Game[Position],
    unit: str = "red-2",
    target: str = "blue-1",
    task: str = "neutralization",
    shape: str = "square",
    facing: int = 0,
    spotter: str = "red-1",
) -> str:
    """The rule against a mission, or nothing."""
    order = Designate(unit, target, spotter, task, shape, facing)  # type: ignore[arg-type]
    refusal = cannot_designate(game.state, "red", order)
    return refusal.rule if refusal else ""


def next_turn(game: Game[Position]) -> list[str]:
    """End red's phase, and go on to its next one and through it; the sentences of that phase."""
    if game.stack:
        game.play("red", EndPhase())
    state = game.state
    state.turn += 1
    for name in state.units:
        state.change(name, fired=False, attacked=())
    game.clear()
    phase(game)
    if game.stack:
        game.play("red", EndPhase())
    return [event.sentence() for event in game.events]


def at(game: Game[Position], unit: str) -> str:
    """The place of a unit in inches."""
    place = game.state.units[unit].at
    return text(place) if place else ""
