"""Passengers under fire [5.15, 6.5.2.6.2, 6.5.4.2.3, 6.5.4.5]: whether they bail out, and whether they escape."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from opfire.core.events import Calculation, Event, Line
from opfire.core.game import Game
from opfire.core.texts import Text
from opfire.rulesets.panzer.charts import Gun
from opfire.rulesets.panzer.moving.transport import SCOUT_CAR, TROOPS, set_down
from opfire.rulesets.panzer.pieces import Position, Unit, UnitId, at_arms
from opfire.rulesets.panzer.suppression import suppress
from opfire.rulesets.panzer.works import minefields

DIE = 100
UNDER_COVER_GPD, CROWDED_GPD, OPEN_GPD = 3, 2, 1
"""The GP Defense Factors of passengers, whatever their vehicle does [6.5.4.2.3]."""

Hit = Literal["ap no damage", "damaged", "tk", "gp suppressed"]
Loss = Literal["knocked out", "brewed up"]


def gp_defence(vehicle: Unit) -> int:
    """The GP Defense Factor of the passengers of a vehicle: 3 Under Cover, else 1 [6.5.4.2.3].

    In a White Scout Car that carries troops it is 2 at most [7.38.4]: RULINGS.md R231.
    """
    factor = UNDER_COVER_GPD if vehicle.vehicle.under_cover else OPEN_GPD
    crowded = vehicle.vehicle.special == SCOUT_CAR and vehicle.vehicle.tr_leg >= TROOPS
    return min(CROWDED_GPD, factor) if crowded else factor


# --- the crew leaves [6.5.2.6.1] -------------------------------------------------------------------------------


def follow_crew(game: Game[Position], vehicle: Unit) -> None:
    """When the crew bails out all passengers do so without a roll [6.5.2.6.2]."""
    for unit in game.state.aboard(vehicle.id):
        leave(game, vehicle, unit.id)


def leave(game: Game[Position], vehicle: Unit, passenger: UnitId) -> None:
    """A passenger bails out into the hex of its vehicle, suppressed: RULINGS.md R80 [6.5.2.6.2].

    Mines there attack it at once [7.31.2.1].
    """
    set_down(game, passenger, str(vehicle.hex), vehicle.facing)
    suppress(game, passenger)
    minefields.strike(game, passenger)


# --- hits on the vehicle [6.5.2.6.2] ---------------------------------------------------------------------------


def bail_out(position: Position, unit: Unit, condition: Hit) -> Calculation:
    """A passenger's check: it leaves on the number of the Bail Out Table or less, by its Unit Grade [6.5.2.6.2]."""
    row = position.charts.bail_out[condition, "passenger"]
    return _check(position, unit, range(1, row.roll + 1), "bails out", "stays aboard", f"01-{row.roll}")


def _check(position: Position, unit: Unit, good: range, then: str, otherwise: str, odds: str) -> Calculation:
    """A roll of percentage dice, with the modifier of the Unit Grade, that has to fall within a range."""
    added = position.charts.grades[unit.grade].bail_out
    lines = [Line("odds", "Bail out", odds, "6.5.2.6.2", len(good))]
    if added:
        lines.insert(
            0, Line("modifier", Text("{} unit", (unit.grade.capitalize(),)), f"{added:+d}", "6.5.2.6.2", added)
        )
    low, high = good[0], good[-1]
    outcomes = tuple(
        then if (low == 1 or roll + added >= low) and (high == DIE or roll + added <= high) else otherwise
        for roll in range(1, DIE + 1)
    )
    return Calculation(Text("Bail out of {}", (unit.name,)), "6.5.2.6.2", tuple(lines), 1, DIE, outcomes, odds, added)


def check(game: Game[Position], vehicle: Unit, condition: Hit) -> None:
    """Each passenger checks when its vehicle is hit and the crew stays; Under Cover nobody does [6.5.2.6.2].

    They check again for every No Damage and every Track Hit.
    """
    if not vehicle.vehicle.under_cover:
        for unit in game.state.aboard(vehicle.id):
            check_one(game, vehicle, unit, condition)


def shaken_out(game: Game[Position], vehicle_id: UnitId, shaken: Iterable[UnitId]) -> None:
    """Passengers that GP fire has suppressed may bail out, if their vehicle still carries them [6.5.4.5].

    Under Cover nobody does, as under AP fire: RULINGS.md R245. Rules: [5.15, 6.5.4.2.3-bail].
    """
    for name in shaken:
        unit, vehicle = game.state.units[name], game.state.units[vehicle_id]
        sheltered = vehicle.vehicle.under_cover and "R245" not in game.state.setting.options
        if unit.carrier == vehicle.id and not sheltered:
            check_one(game, vehicle, unit, "gp suppressed")


def check_one(game: Game[Position], vehicle: Unit, unit: Unit, condition: Hit) -> None:
    """A passenger checks whether it bails out [6.5.2.6.2, 6.5.4.5]."""
    if _rolled(game, bail_out(game.state, unit, condition), unit) == "bails out":
        leave(game, vehicle, unit.id)


# --- the loss of the vehicle [6.5.2.6.2-kobu] ------------------------------------------------------------------


def escape_chance(position: Position, unit: Unit, condition: Loss) -> Calculation:
    """A passenger's roll when its vehicle is lost: the number of the table or more saves it [6.5.2.6.2-kobu]."""
    row = position.charts.bail_out[condition, "towed" if isinstance(unit.kind, Gun) else "leg"]
    return _check(position, unit, range(row.roll, DIE + 1), "escapes", "is lost", f"{row.roll}-00")


def escape(game: Game[Position], vehicle: Unit, condition: Loss) -> list[Unit]:
    """The passengers of a lost vehicle escape suppressed, or are lost with it [5.15, 6.5.2.6.2-kobu].

    Returns those that are lost, as they were in the vehicle.
    """
    lost = []
    for unit in game.state.aboard(vehicle.id):
        if _rolled(game, escape_chance(game.state, unit, condition), unit) == "escapes":
            leave(game, vehicle, unit.id)
        else:
            lost.append(at_arms(game.state, unit.id))
            game.state.change(unit.id, carrier=None)
            game.state.lift(unit.id, "eliminated")
    return lost


def _rolled(game: Game[Position], calculation: Calculation, unit: Unit) -> str:
    """Roll, tell everybody, return the outcome."""
    dice = game.roll(1, DIE)
    result = calculation.result(dice)
    game.tell(Event("bail out", "{} {}", (unit.name, result), "6.5.2.6.2", (unit.id,), (), dice, calculation))
    return result
