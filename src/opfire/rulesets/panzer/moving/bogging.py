"""Bogging Down [7.29]: vehicles that get stuck when they leave bad ground."""

from __future__ import annotations

from opfire.core.events import Calculation, Event, Line
from opfire.core.game import Game
from opfire.core.texts import Text
from opfire.rulesets.panzer import conditions
from opfire.rulesets.panzer.charts import Gun
from opfire.rulesets.panzer.pieces import Position, Unit, UnitId

DIE = 100
OPTION = "7.29"
TOWING = -5
"""The modifier of a vehicle that tows a unit [7.29-roll]."""


def greatest(position: Position, unit: Unit) -> int:
    """The highest roll at which the ground of a unit's hex holds it; 0 where it never does [7.29-when, 7.36.3-mud].

    A stream whose ice bears the unit is clear terrain [7.32-ice].
    """
    works = (work.kind for work in position.works.get(str(unit.hex), ()) if work.kind in position.charts.terrain)
    words = [*position.map.cells[str(unit.hex)].terrain, *works]
    if conditions.borne(position, unit):
        words = ["clear" if word == "stream" else word for word in words]
    rows = (position.charts.terrain[word] for word in words)
    listed = max((int(row.bog[3:]) for row in rows if row.bog), default=0)
    return listed * conditions.bog_factor(position)


def must_check(position: Position, unit: Unit) -> bool:
    """Return whether a vehicle has to check before it leaves its hex, or moves within it [7.29-when]."""
    return OPTION in position.setting.options and unit.is_vehicle and greatest(position, unit) > 0


def chance(position: Position, unit: Unit) -> Calculation:
    """The check: within the range of the ground the vehicle bogs down [7.29-roll, 7.36.3-tow]."""
    lines = [
        Line(
            "modifier",
            Text("Bog modifier of {}", (unit.name,)),
            f"{unit.vehicle.bog:+d}",
            "7.29-roll",
            unit.vehicle.bog,
        )
    ]
    towed = [other.kind for other in position.aboard(unit.id) if isinstance(other.kind, Gun)]
    if towed:
        lines.append(Line("modifier", "Towing", f"{TOWING:+d}", "7.29-roll", TOWING))
        if heavy := conditions.towing(position, towed[0].pc_towed):
            lines.append(Line("modifier", "Snow or mud", f"{heavy:+d}", "7.36.3-tow", heavy))
    net, most = sum(line.amount for line in lines), greatest(position, unit)
    outcomes = tuple("bogs down" if roll + net <= most else "gets on" for roll in range(1, DIE + 1))
    lines.append(Line("odds", "Ground", f"01-{most}", "7.29-when", most))
    title = Text("Bogging of {}", (unit.name,))
    return Calculation(title, "7.29-roll", tuple(line for line in lines if line.amount), 1, DIE, outcomes, "", net)


def bogs(game: Game[Position], unit_id: UnitId) -> bool:
    """Roll for a vehicle that has to check; a bogged one ends its move, and does not turn [7.29-when]."""
    unit = game.state.units[unit_id]
    if not must_check(game.state, unit):
        return False
    calculation = chance(game.state, unit)
    dice = game.roll(1, DIE)
    result = calculation.result(dice)
    places = (str(unit.hex),)
    game.tell(Event("bogged", "{} {}", (unit.name, result), "7.29-when", (unit_id,), places, dice, calculation))
    game.state.change(unit_id, bogged=result == "bogs down")
    return result == "bogs down"
