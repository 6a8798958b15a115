"""Games of two sides on a small table, at a phase of a turn, and the ground under them: for tests of movement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from opfire.core.actions import Action
from opfire.core.dice import Dice
from opfire.core.events import Event
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.places import INCH, Point, text
from opfire.core.scenario import parse
from opfire.kit.terrain import named
from opfire.rulesets.micro_armour import RULESET, setup
from opfire.rulesets.micro_armour.charts import charts
from opfire.rulesets.micro_armour.moving import movement
from opfire.rulesets.micro_armour.moving.marching import Move
from opfire.rulesets.micro_armour.pieces import Position, Stand
from opfire.space.measure import MICRO
from opfire.space.terrain.files import features, parse_table
from opfire.space.terrain.ground import Ground

CHARTS = charts()
Units = Sequence[tuple[str, str]]
HEAD = 'id = "march"\nruleset = "micro-armour"\ntitle = "March"\nturns = 4\nfirst = "red"\n'


def inches(x: float | Fraction, y: float | Fraction) -> Point:
    """The point at this place, in inches."""
    return round(Fraction(x) * INCH), round(Fraction(y) * INCH)


def points(amount: float | Fraction) -> int:
    """Movement points in the unit of costs."""
    return int(Fraction(amount) * MICRO)


def area(kind: str, left: float, top: float, right: float, bottom: float) -> str:
    """A rectangle of a kind of terrain."""
    ring = f"{left},{top} {right},{top} {right},{bottom} {left},{bottom}"
    return f'[[areas]]\nkind = "{kind}"\nname = "the {kind}"\npoints = "{ring}"\n'


def line(kind: str, way: str) -> str:
    """A road, a stream, a crest."""
    return f'[[lines]]\nkind = "{kind}"\nname = "the {kind}"\npoints = "{way}"\n'


def crossing(kind: str, way: str) -> str:
    """A bridge or a ford, an inch wide."""
    return f'[[crossings]]\nkind = "{kind}"\nname = "the {kind}"\npoints = "{way}"\n'


def drawn(ground: str = "") -> Ground:
    """The ground of a table of 40 by 30 inches."""
    head = 'id = "drawn"\ntitle = "Drawn"\nsize = [40, 30]\nterrain = "micro_armour"\n'
    size = (40 * INCH, 30 * INCH)
    return Ground(size, features(parse_table(head + ground, "drawn.toml"), size, named("micro_armour"), ""))


def _force(side: str, nation: str, units: Units, more: str) -> str:
    listed = ", ".join(f'{{ unit = "{unit}", at = ["{place}"] }}' for unit, place in units)
    return f'[sides.{side}]\nname = "{side.title()}"\nnation = "{nation}"\nunits = [{listed}]\n{more}'


def march(
    red: Units,
    blue: Units = (),
    ground: str = "",
    more: str = "",
    dice: Sequence[int] = (),
    doctrine: str = "",
    enemy: str = "",
    frame: Frame | None = None,
    **values: Mapping[str, Any],
) -> Game[Position]:
    """A game with dice that fall as told, at a frame: that of red's movement, all of whose stands are marked to move.

    `values` change units, by id with `_` for `-`; `doctrine` and `enemy` are fields of red's and of blue's section,
    `more` are fields of the scenario.
    """
    drawing = ground.replace("[[", "[[table.")
    forces = _force("red", "american", red, doctrine) + _force(
        "blue", "german", blue or [("ger-infantry-39", "39,29")], enemy
    )
    written = HEAD + more + forces + "[table]\nsize = [40, 30]\n" + drawing
    state = setup.first_position(RULESET.set_up(parse(written, "march.toml")))
    state.turn, state.initiative = 1, "red"
    for name in state.units:
        if name.startswith("red"):
            state.change(name, posture="movement", group=name)
    for name, changes in values.items():
        state.change(name.replace("_", "-"), **changes)
    game = Game(RULESET, state, Dice(bytes(32), script=tuple(dice)), {side: side for side in ("red", "blue")})
    game.push(frame or movement.GroupMove("red", tuple(unit.id for unit in state.of("red"))))
    game.run()
    return game


def go(game: Game[Position], unit: str, x: float, y: float, facing: int = 0) -> list[Event]:
    """Play a leg to a point in inches; the events."""
    return game.play(game.state.units[unit].side, Move(unit, inches(x, y), facing))


def against(game: Game[Position], action: Action, side: str = "red") -> str:
    """The rule against an action, or nothing."""
    refusal = game.why_not(side, action)
    return refusal.rule if refusal else ""


def leg(unit: str, x: float, y: float, facing: int = 0) -> Move:
    """A leg to a point in inches."""
    return Move(unit, inches(x, y), facing)


def at(game: Game[Position], unit: str) -> str:
    """The place of a stand in inches."""
    place = game.state.units[unit].at
    return text(place) if place else ""


def stand(game: Game[Position], unit: str) -> Stand:
    """A stand as it is now."""
    return game.state.units[unit]
