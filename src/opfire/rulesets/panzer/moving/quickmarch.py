"""Quickmarch [6.6.4.2]: leg units that move faster, and may be suppressed by it."""

from __future__ import annotations

from opfire.core.actions import Action, Refusal
from opfire.core.events import Calculation, Event, Line
from opfire.core.game import Game
from opfire.core.texts import Text
from opfire.rulesets.panzer import conditions
from opfire.rulesets.panzer.charts import Leg
from opfire.rulesets.panzer.moving import legs
from opfire.rulesets.panzer.pieces import Hex, Position, Unit, UnitId
from opfire.rulesets.panzer.suppression import suppress

DIE = 100
RIDERS = 20
"""The modifier of cavalry to the roll after a Quickmarch [6.6.4.5-qm]."""

LEVELS = 1
"""The levels of Height that a Quickmarch may change [6.6.4.2-terr]."""

EASY = frozenset({"brush", "clear", "crops"})
ROADS = frozenset({"path", "road", "highway"})


class Quickmarch(Action, frozen=True):
    """Begin a Quickmarch: the whole move is at the Quickmarch allowance, over easy ground."""

    says = "{unit} quickmarches"
    kind = "move"
    unit: UnitId


def allowance(unit: Unit) -> int:
    """The Quickmarch allowance of a leg unit; towed units and vehicles have none [6.6.5]."""
    return unit.kind.quickmarch if isinstance(unit.kind, Leg) else 0


def cannot_quickmarch(position: Position, unit: Unit) -> Refusal | None:
    """Reject units that cannot quickmarch [6.6.4.2-who]."""
    if not allowance(unit) or not legs.on_foot(unit) or (legs.laden(unit) and not legs.on_horseback(unit)):
        return Refusal("{} cannot quickmarch", "6.6.4.2-who", (unit.name,))
    if unit.command != "move" or unit.suppression or unit.full_cover or unit.morale:
        return Refusal("{} needs a Move command, in the open and steady, to quickmarch", "6.6.4.2-who", (unit.name,))
    return conditions.too_dark_to_quickmarch(position, unit)


def off_limits(position: Position, unit: Unit, to: Hex, levels: int) -> Refusal | None:
    """Reject a step of a Quickmarch over hard ground, or beyond one change of Height [6.6.4.2-terr]."""
    cell = position.map.cells[to]
    if not (EASY.issuperset(cell.terrain) or ROADS.intersection(cell.links)):
        return Refusal("{} cannot quickmarch into {}", "6.6.4.2-terr", (unit.name, to))
    if levels > LEVELS:
        return Refusal("{} quickmarches, and changes its Height once", "6.6.4.2-terr", (unit.name,))
    return None


def exhaustion(position: Position, unit: Unit) -> Calculation:
    """The roll after a Quickmarch: within the range of the Unit Grade it suppresses [6.6.4.2-roll, 6.6.4.5-qm]."""
    most = position.charts.unit_grades[unit.grade].quickmarch
    added = RIDERS if legs.on_horseback(unit) else 0
    lines = [Line("odds", Text("{} Quickmarch", (unit.grade.capitalize(),)), f"01-{most}", "6.6.4.2-roll", most)]
    if added:
        lines.insert(0, Line("modifier", "Cavalry", f"{added:+d}", "6.6.4.5-qm", added))
    outcomes = tuple("is suppressed" if roll + added <= most else "keeps going" for roll in range(1, DIE + 1))
    title = Text("Quickmarch of {}", (unit.name,))
    return Calculation(title, "6.6.4.2-roll", tuple(lines), 1, DIE, outcomes, f"01-{most}", added)


def tire(game: Game[Position], unit_id: UnitId) -> None:
    """Roll for a unit at the end of its Quickmarch [6.6.4.2-roll]."""
    unit = game.state.units[unit_id]
    calculation = exhaustion(game.state, unit)
    dice = game.roll(1, DIE)
    result = calculation.result(dice)
    places = (str(unit.hex),)
    game.tell(Event("quickmarch", "{} {}", (unit.name, result), "6.6.4.2-roll", (unit_id,), places, dice, calculation))
    if result == "is suppressed":
        suppress(game, unit_id)
