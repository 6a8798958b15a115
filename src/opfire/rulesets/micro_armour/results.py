"""Combat results [7.2]: suppressed, disorganized, eliminated; wrecks [9.2]."""

from __future__ import annotations

from opfire.core.events import Event
from opfire.core.game import Game
from opfire.core.places import tenths
from opfire.rulesets.micro_armour.charts import Result
from opfire.rulesets.micro_armour.pieces import Position, Stand, UnitId, Work
from opfire.rulesets.micro_armour.riders import get_off, places, riders

IN_WORDS = {
    "E": "eliminated",
    "D": "disorganized or worse",
    "(S)": "suppressed or worse",
    "S": "suppressed",
    "-": "no effect",
}
"""Combat results in words; a stand that was hit before may come off worse [7.2-SP, 7.2-D]."""


def effect(unit: Stand, result: Result) -> Result:
    """The effect of a result on a stand in its present states: progressive and cumulative [7.2-prog].

    An (S) is a D for a stand that is suppressed [7.2-SP], a D eliminates one that is disorganized [7.2-D].
    """
    return progress(unit.suppressed, unit.disorganized, result)


def progress(suppressed: bool, disorganized: bool, result: Result) -> Result:
    """The effect of a result on a stand in these states [7.2-prog]."""
    if result == "(S)":
        result = "D" if suppressed else "S"
    if result == "D" and disorganized:
        return "E"
    if result == "S" and suppressed:
        return "-"  # additional S results have no effect [7.2-S]
    return result


def apply_result(game: Game[Position], unit_id: UnitId, result: Result) -> Result:
    """Apply a combat result to a stand and its cargo [7.2-S, 7.2-D, 7.2-E, 8.4.5-unit]; return what it came to.

    Any result makes the riders of a fighting vehicle jump off [12.5]; by one reading they are lost with it:
    RULINGS.md R87.
    """
    unit = game.state.units[unit_id]
    done = effect(unit, result)
    if result != "-" and not (done == "E" and game.state.setting.has("R87")):
        jump_off(game, unit_id)
        unit = game.state.units[unit_id]
    if done == "S":
        game.state.change(unit_id, suppressed=True)
        _tell(game, unit, "suppressed", "{} is suppressed", "7.2-S")
    elif done == "D":
        game.state.change(unit_id, disorganized=True)
        _tell(game, unit, "disorganized", "{} is disorganized", "7.2-D")
    elif done == "E":
        eliminate(game, unit_id)
        return done
    for name in unit.cargo:
        apply_result(game, name, result)
    return done


def jump_off(game: Game[Position], unit_id: UnitId) -> None:
    """Riders get off beside a vehicle that suffers any result, and are suppressed [12.5]: RULINGS.md R87.

    A rider that finds no room shares the fate of the vehicle.
    """
    position = game.state
    for rider in riders(position, position.units[unit_id]):
        at = next(places(position, rider), None)
        if at is not None:
            get_off(game, rider.id, at)
            apply_result(game, rider.id, "S")


def eliminate(game: Game[Position], unit_id: UnitId) -> None:
    """Remove a stand and its cargo from play [7.2-E]; an armoured vehicle leaves a wreck [9.2]."""
    position = game.state
    unit = position.units[unit_id]
    _tell(game, unit, "eliminated", "{} is eliminated", "7.2-E")
    if unit.at is not None and unit.armoured and unit.carrier is None:
        leave_wreck(game, unit)
    position.lift(unit_id, "eliminated")


def leave_wreck(game: Game[Position], unit: Stand) -> None:
    """Lay a wreck where a vehicle stood: an armoured one [9.2], or any in mines [11.1.6-result].

    That of a vehicle lost on the stand that it overruns has no effect before the overrun is resolved [8.7.7].
    """
    assert unit.at is not None
    progress = game.state.progress
    fresh = progress is not None and progress.unit == unit.id and bool(progress.through)
    game.state.lay(Work(wreck_id(unit), "wreck", unit.at, unit.facing, fresh=fresh))
    game.tell(Event("wreck", "A wreck lies at {}", (tenths(unit.at),), "9.2", (), (unit.at,)))


def wreck_id(unit: Stand) -> str:
    """The id of the wreck that an armoured vehicle leaves."""
    return f"wreck of {unit.id}"


def _tell(game: Game[Position], unit: Stand, kind: str, sentence: str, rule: str) -> None:
    places = (unit.at,) if unit.at is not None else ()
    game.tell(Event(kind, sentence, (unit.name,), rule, (unit.id,), places))
