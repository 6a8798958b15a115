"""Searching for Hull Down positions [6.6.9], and the shelter that they give [6.1.4.1.2]."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from opfire.core.actions import Action, Refusal
from opfire.core.events import Calculation, Event, Line
from opfire.core.game import Game
from opfire.core.texts import Text
from opfire.rulesets.panzer.charts import Angle
from opfire.rulesets.panzer.pieces import Found, Position, Unit, UnitId

DIE = 100
OPEN: dict[bool, frozenset[Angle]] = {
    False: frozenset({"rear side", "rear"}),
    True: frozenset({"front side", "front"}),
}
"""The Hit Angles from which a found position gives no shelter: those behind, or those ahead if it was backed into."""


class Search(Action, frozen=True):
    """Search the hex for a Hull Down position, full or partial, with a facing; moving forward or `backward` into it."""

    says = "{unit} searches for a position, facing {facing}"
    kind = "move"
    final = True
    unit: UnitId
    facing: int
    position: Literal["full", "partial"] = "full"
    backward: bool = False


def greatest(position: Position, unit: Unit) -> int:
    """The highest roll that finds a position in the ground of a hex; 0 on other ground [6.6.9-who]."""
    rows = (position.charts.terrain[word] for word in position.map.cells[str(unit.hex)].terrain)
    return max((int(row.hull_down[3:]) for row in rows if row.hull_down[:3] == "01-"), default=0)


def cannot_search(position: Position, unit: Unit) -> Refusal | None:
    """Reject a search without a Move command, or on ground without positions [6.6.9-who]."""
    if not unit.is_vehicle:
        return Refusal("{} is no vehicle: only vehicles search for positions", "6.6.9-who", (unit.name,))
    if unit.command != "move":
        return Refusal("{} needs a Move command to search", "6.6.9-who", (unit.name,))
    if not greatest(position, unit):
        return Refusal("There is no Hull Down position in {}", "6.6.9-who", (unit.hex,))
    return None


def searches(position: Position, unit: Unit) -> Iterator[Search]:
    """The ways in which a unit may search now."""
    if cannot_search(position, unit) is None:
        for facing in range(6):
            for backward in (False, True):
                yield Search(unit.id, facing, "full", backward)
                yield Search(unit.id, facing, "partial", backward)


def chance(position: Position, unit: Unit, kind: Found) -> Calculation:
    """The roll to find a position: within the range of the ground, by kind, size and Unit Grade [6.6.9-mod]."""
    names = [f"size {unit.vehicle.size:+d}" if unit.vehicle.size else "size 0", unit.grade]
    names += ["partial"] if kind == "partial" else []
    rows = [(name, position.charts.hull_down_search[name].amount) for name in names]
    lines = [
        Line("modifier", name.capitalize(), f"{amount:+d}", "6.6.9-mod", amount) for name, amount in rows if amount
    ]
    net, most = sum(line.amount for line in lines), greatest(position, unit)
    outcomes = tuple("finds a position" if roll + net <= most else "finds none" for roll in range(1, DIE + 1))
    lines.append(Line("odds", "Ground", f"01-{most}", "6.6.9-who", most))
    title = Text("{} searches for a position", (unit.name,))
    return Calculation(title, "6.6.9-who", tuple(lines), 1, DIE, outcomes, f"01-{most}", net)


def search(game: Game[Position], action: Search) -> None:
    """A vehicle spends its whole move in its hex, turns as it likes, and may find a position [6.6.9-who]."""
    unit = game.state.change(action.unit, facing=action.facing)
    calculation = chance(game.state, unit, action.position)
    dice = game.roll(1, DIE)
    result = calculation.result(dice)
    places = (str(unit.hex),)
    game.tell(Event("search", "{} {}", (unit.name, result), "6.6.9-who", (unit.id,), places, dice, calculation))
    if result == "finds a position":
        game.state.change(unit.id, hull_down=action.position, backed_in=action.backward)


def abandon(game: Game[Position], unit_id: UnitId) -> None:
    """A command to move gives the position up, even in the same hex [6.6.9-leave]."""
    if game.state.units[unit_id].hull_down:
        game.state.change(unit_id, hull_down="", backed_in=False)


def shelter(target: Unit, angles: Iterable[Angle]) -> Found:
    """The shelter of a found position from a Hit Angle: none from behind it [6.6.9-arc].

    Where the line runs between two, one of them is enough: RULINGS.md R14.
    """
    if not target.hull_down:
        return ""
    return target.hull_down if any(angle not in OPEN[target.backed_in] for angle in angles) else ""
