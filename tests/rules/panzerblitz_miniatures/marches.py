"""Games of two sides on a small table, at the movement phase of the first: for tests of movement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from opfire.core.dice import Dice
from opfire.core.events import Event
from opfire.core.game import Game
from opfire.core.places import Point, text
from opfire.core.scenario import parse
from opfire.rulesets.panzerblitz_miniatures import RULESET
from opfire.rulesets.panzerblitz_miniatures.moving.marching import Move
from opfire.rulesets.panzerblitz_miniatures.moving.movement import MovementPhase
from opfire.rulesets.panzerblitz_miniatures.pieces import Position
from rules.panzerblitz_miniatures.grounds import inches

HEAD = 'id = "march"\nruleset = "panzerblitz-miniatures"\ntitle = "March"\nturns = 4\nfirst = "red"\n'
Units = Sequence[tuple[str, str]]


def scenario(red: Units, blue: Units = (), ground: str = "", more: str = "", doctrine: str = "") -> str:
    """A scenario text: each side's units with their places, terrain of a table of 40 by 30 inches, and more fields.

    `doctrine` are fields of red's section.
    """
    forces = _force("red", "german", red) + doctrine + _force("blue", "soviet", blue or [("t-34-76", "39,29")])
    drawn = ground.replace("[[", "[[table.").replace("[table.table.", "[table.")
    return HEAD + more + forces + "[table]\nsize = [40, 30]\n" + drawn


def _force(side: str, nation: str, units: Units) -> str:
    named = ", ".join(f'{{ unit = "{unit}", at = ["{place}"] }}' for unit, place in units)
    return f'[sides.{side}]\nname = "{side.title()}"\nnation = "{nation}"\nunits = [{named}]\n'


def march(
    red: Units,
    blue: Units = (),
    ground: str = "",
    more: str = "",
    dice: Sequence[int] = (),
    doctrine: str = "",
    **values: Mapping[str, Any],
) -> Game[Position]:
    """A game at red's movement phase with dice that fall as told; `values` change units, by id with `_` for `-`."""
    setting = parse(scenario(red, blue, ground, more, doctrine), "march.toml")
    state, _ = RULESET.start(RULESET.set_up(setting))
    state.turn, state.current = 1, "red"
    for name, changes in values.items():
        state.change(name.replace("_", "-"), **changes)
    made = Game(RULESET, state, Dice(bytes(32), script=tuple(dice)), {side: side for side in ("red", "blue")})
    made.push(MovementPhase("red"))
    made.run()
    return made


def go(game: Game[Position], unit: str, x: float, y: float, facing: int = 0) -> list[Event]:
    """Play a leg to a point in inches; the events."""
    return game.play("red", Move(unit, inches(x, y), facing))


def against(game: Game[Position], unit: str, x: float, y: float, facing: int = 0) -> str:
    """The rule against a leg to a point in inches, or nothing."""
    refusal = game.why_not("red", Move(unit, inches(x, y), facing))
    return refusal.rule if refusal else ""


def at(game: Game[Position], unit: str) -> str:
    """The place of a unit in inches."""
    place: Point | None = game.state.units[unit].at
    return text(place) if place else ""


def spent(game: Game[Position], unit: str) -> int:
    """The movement points that a unit has spent, in 10^-6."""
    return game.state.units[unit].spent
