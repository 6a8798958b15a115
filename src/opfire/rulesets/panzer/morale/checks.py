"""Morale Checks [7.1.2 to 7.1.6]: what triggers them, their modifiers, their results, recovery."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, TypeAlias

from opfire.core.events import Calculation, Event, Line
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.texts import Text
from opfire.rulesets.panzer import control, initiative, leaders, radios
from opfire.rulesets.panzer.formations import commands_others
from opfire.rulesets.panzer.morale import cohesion
from opfire.rulesets.panzer.pieces import (
    Morale,
    Position,
    Side,
    Unit,
    UnitId,
    aboard_on_map,
    at_arms,
    away,
    cover,
    everybody,
)
from opfire.rulesets.panzer.suppression import suppress

DIE = 100
RECOVERS = 51
"""The least net roll with which a broken unit recovers, whatever its grade [7.1.6.2]."""

NEAR, FAR = 2, 5
"""The hexes within which spotted enemies count [7.1.4-enemy]."""

Trigger: TypeAlias = Literal[
    "moved", "attacked", "overrun", "assaulted", "flamed", "vehicle burns", "command lost", "comrade lost"
]


def in_play(position: Position) -> bool:
    """Return whether the game has morale [7.1]."""
    return cohesion.OPTION in position.setting.options


# --- modifiers [7.1.4] -----------------------------------------------------------------------------------------


def modifiers(position: Position, unit: Unit, *, forced: bool, enemies: bool = True) -> Iterator[Line]:
    """The modifiers of a Morale Check [7.1.4-proc]; without `enemies` those for spotted units are left out.

    Defensive Fire counts as a command [7.50].
    """
    use: Literal["spotting", "combat"] = "spotting" if "R88" in position.setting.options else "combat"  # RULINGS.md R88
    found = {
        unit.grade: True,
        f"{cover(position, unit, use)} cover": True,
        "command unit": commanded(position, unit),
        "suppressed": bool(unit.suppression),
        "damaged": unit.damaged,
        "forced check": forced,
        "broken comrade": _broken_comrade(position, unit),
        "command": unit.command != "no command" or unit.fired,
    }
    for name in (name for name, holds in found.items() if holds):
        yield from _line(position, name)
    yield from leaders.lines(position, unit, "morale")
    if enemies and (near := nearest(position, unit)) <= FAR:
        yield from _line(position, f"enemy within {NEAR if near <= NEAR else FAR} hexes")


def _line(position: Position, name: str) -> Iterator[Line]:
    row = position.charts.morale_modifiers.get(name)
    if row is not None and row.amount:
        yield Line("modifier", name.capitalize(), f"{row.amount:+d}", row.rule, row.amount)


def commanded(position: Position, unit: Unit) -> bool:
    """Return whether an unbroken command unit of the unit's chain is within Command Range [7.1.4-cmd, 7.4.4]."""
    reach = 0 if radios.without(position, unit) else control.command_range(position, unit)
    return any(
        other.id != unit.id
        and in_chain(other, unit)
        and other.morale != "broken"
        and away(position, unit, other) <= reach
        for other in everybody(position, unit.side)
    )


def in_chain(commander: Unit, unit: Unit) -> bool:
    """Return whether a command unit is above a unit: of its formation, or of a higher level than companies [7.1.2]."""
    same = commander.formation == unit.formation
    return radios.commands_all(commander) or (commands_others(commander) and same)


def _broken_comrade(position: Position, unit: Unit) -> bool:
    others = (other for other in everybody(position, unit.side) if other.morale == "broken" and other.id != unit.id)
    comrades = (other for other in others if other.formation == unit.formation)
    return any(control.in_command_range(position, unit, other) for other in comrades)


def nearest(position: Position, unit: Unit) -> int:
    """The hexes to the nearest enemy that the unit has spotted [7.1.4-enemy]: RULINGS.md R87."""
    spotted = (enemy for enemy in position.enemies(unit.side) if unit.id in position.spots.get(enemy.id, ()))
    return min((away(position, unit, enemy) for enemy in spotted), default=FAR + 1)


# --- the check [7.1.4-proc] ------------------------------------------------------------------------------------


def calculation(position: Position, unit: Unit, *, forced: bool, enemies: bool = True) -> Calculation:
    """The roll of a Morale Check on the row of the unit's nation: it breaks, hesitates or stands [7.1.4-proc]."""
    row = position.charts.break_points[position.setting.scenario.sides[unit.side].nation]
    lines = [*modifiers(position, unit, forced=forced, enemies=enemies)]
    net = sum(line.amount for line in lines)
    lines.append(Line("odds", "Break Point", f"{row.breaks}, {row.hesitates}", "7.1.4-proc", row.breaks))
    outcomes = tuple(_result(roll + net, row.breaks, row.hesitates) for roll in range(1, DIE + 1))
    return Calculation(Text("Morale of {}", (unit.name,)), "7.1.4-proc", tuple(lines), 1, DIE, outcomes, "", net)


def _result(net: int, breaks: int, hesitates: int) -> str:
    if net <= breaks:
        return "breaks"
    return "hesitates" if net <= hesitates else "stands"


def _rolled(game: Game[Position], unit: Unit, made: Calculation) -> str:
    dice = game.roll(1, DIE)
    result = made.result(dice)
    places = (str(unit.hex),)
    game.tell(Event("morale", "{} {}", (unit.name, result), "7.1.4-proc", (unit.id,), places, dice, made))
    return result


def check(game: Game[Position], unit_id: UnitId, trigger: Trigger) -> None:
    """A unit takes the Morale Check that an event calls for, if its formation's losses or the event demand one.

    Beyond the Cohesion Point every event of the list counts [7.1.2], before it only some force a check [7.1.3].
    """
    position = game.state
    unit = at_arms(position, unit_id)
    if not in_play(position) or unit.hex is None:
        return
    beyond = cohesion.reached(position, unit.formation)
    if beyond or (position.charts.morale_triggers[trigger].forced and not _sheltered(position, unit, trigger)):
        result = _rolled(game, unit, calculation(position, unit, forced=not beyond))
        take(game, unit_id, result)


# --- checks that wait for the last attack [7.42.1.2, 7.42.2] -----------------------------------------------------


def attacked(game: Game[Position], unit_id: UnitId) -> None:
    """Direct fire at a unit: it checks now, or in Staggered Initiative after all fire at it, and once [7.42.1.2]."""
    if initiative.staggered(game.state):
        _later(game.state, unit_id)
    else:
        check(game, unit_id, "attacked")


def overrun(game: Game[Position], unit_id: UnitId) -> None:
    """An Overrun: its target checks now, or in Staggered Initiative after all Overruns of it [7.42.2, 7.42.3]."""
    options = game.state.setting.options
    if initiative.OPTION in options and initiative.STREAMLINED not in options:
        _later(game.state, unit_id)
    else:
        check(game, unit_id, "overrun")


def _later(position: Position, unit_id: UnitId) -> None:
    if unit_id not in (*position.unnerved, *position.steeled):
        position.unnerved = (*position.unnerved, unit_id)


def steel(game: Game[Position], unit_id: UnitId) -> None:
    """A unit that was fired at checks before its own direct fire, and no more in this turn's fire [7.42.1.2]."""
    position = game.state
    if unit_id in position.unnerved:
        position.unnerved = tuple(name for name in position.unnerved if name != unit_id)
        position.steeled = (*position.steeled, unit_id)
        check(game, unit_id, "attacked")


def settle(game: Game[Position], sides: Iterable[Side], trigger: Trigger) -> None:
    """The units of these sides that wait for it check their morale: nobody will attack them now [7.42.1.2, 7.42.2]."""
    position, done = game.state, tuple(sides)
    for name in [name for name in position.unnerved if position.units[name].side in done]:
        position.unnerved = tuple(other for other in position.unnerved if other != name)
        check(game, name, trigger)
    if len(done) == len(position.setting.sides):
        position.steeled = ()


def _sheltered(position: Position, unit: Unit, trigger: Trigger) -> bool:
    """Return whether the unit's building keeps an Overrun from forcing a check [7.1.3]."""
    return trigger == "overrun" and any("building" in word for word in position.map.cells[str(unit.hex)].terrain)


def take(game: Game[Position], unit_id: UnitId, result: str) -> None:
    """The counter of a result, with ON up; a broken unit that hesitates stays broken as it is [7.1.4-proc]."""
    unit = game.state.units[unit_id]
    state: Morale = "broken" if result == "breaks" else "hesitating"
    if result == "stands" or (unit.morale == "broken" and state == "hesitating"):
        return
    game.state.change(unit_id, morale=state, shaken=True)


# --- events of the game [7.1.2, 7.1.3] -------------------------------------------------------------------------


def lost(game: Game[Position], gone: Unit, trigger: Literal["", "vehicle burns", "comrade lost"] = "") -> None:
    """A unit, as it was, is lost: its comrades in the hex, and those under its command, check [7.1.2, 7.1.3].

    Passengers do, too: RULINGS.md R208.
    """
    position = game.state
    if not in_play(position):
        return
    cohesion.vary(game, gone.formation)
    for unit in [*everybody(position, gone.side)]:
        if commands_others(gone) and in_chain(gone, unit) and _within_range(position, gone, unit):
            check(game, unit.id, "command lost")
        elif trigger and unit.hex == gone.hex and unit.formation == gone.formation and _shares_fear(unit, trigger):
            check(game, unit.id, trigger)


def _shares_fear(unit: Unit, trigger: str) -> bool:
    """Return whether the loss moves a unit: that of leg and towed units in close combat only their like [7.1.2]."""
    return trigger == "vehicle burns" or not unit.is_vehicle


def _within_range(position: Position, gone: Unit, unit: Unit) -> bool:
    return away(position, gone, unit) <= control.command_range(position, unit)


def flinch(game: Game[Position], unit_id: UnitId) -> None:
    """A shaken unit moves: its counter shows ON again [7.1.5.1, 7.1.5.2]."""
    if game.state.units[unit_id].morale:
        game.state.change(unit_id, shaken=True)


# --- effects [7.1.5] -------------------------------------------------------------------------------------------


def effect(
    position: Position, unit: Unit, of: Literal["ap", "gp", "hand_to_hand", "response", "bail_out"]
) -> Iterator[Line]:
    """The modifier of a hesitating or broken unit to what it does [7.1.5.1, 7.1.5.2, 7.39]."""
    if unit.morale:
        row = position.charts.morale_effects[unit.morale]
        amount = int(getattr(row, of))
        yield Line("modifier", unit.morale.capitalize(), f"{amount:+d}", row.rule, amount)


# --- recovery [7.1.6] ------------------------------------------------------------------------------------------


class MoraleStep(Frame, frozen=True):
    """Hesitating units recover; broken ones roll for it; then ON counters are turned to OFF [7.1.6.1, 7.1.6.2]."""

    step = "adjustment"
    rule = "7.1.6"

    def begin(self, game: Game[Position]) -> None:
        """Only counters with OFF up come off, those of passengers, too [7.1.6.1, 7.1.6.2, 6.8.4]: RULINGS.md R199."""
        position = game.state
        riders = [at_arms(position, unit.id) for unit in position.units.values() if aboard_on_map(position, unit.id)]
        for unit in [*(unit for side in position.setting.sides for unit in position.of(side)), *riders]:
            if unit.morale and not unit.shaken:
                recover(game, unit)
        for unit in [*game.state.units.values()]:
            if unit.shaken:
                game.state.change(unit.id, shaken=False)
        game.pop()


def recovery(position: Position, unit: Unit) -> Calculation:
    """A broken unit's roll: 51 or more with the modifiers of a Morale Check [7.1.6.2]."""
    lines = [*modifiers(position, unit, forced=False)]
    net = sum(line.amount for line in lines)
    outcomes = tuple("recovers" if roll + net >= RECOVERS else "stays broken" for roll in range(1, DIE + 1))
    title = Text("Recovery of {}", (unit.name,))
    return Calculation(title, "7.1.6.2", tuple(lines), 1, DIE, outcomes, f"{RECOVERS}-00", net)


def recover(game: Game[Position], unit: Unit) -> None:
    """A hesitating unit recovers by itself [7.1.6.1], a broken one by a roll [7.1.6.2]."""
    if unit.morale == "hesitating" or _rolled(game, unit, recovery(game.state, unit)) == "recovers":
        game.state.change(unit.id, morale="")


# --- tank fright [7.6] -----------------------------------------------------------------------------------------


FRIGHT, YEAR = "7.6", "1941"
"""The option, and the year in which tanks frighten all leg units [7.6]."""


def frightened(position: Position, unit: Unit) -> bool:
    """Return whether a leg unit fears tanks: everybody in 1941, later on Green units [7.6]: RULINGS.md R211."""
    date = position.setting.sections.date
    fears = not date or date.startswith(YEAR) or (unit.grade == "green" and "R211" not in position.setting.options)
    return FRIGHT in position.setting.options and fears


def dares(game: Game[Position], unit_id: UnitId) -> bool:
    """Return whether a leg unit dares a Close Assault: a Forced Morale Check, whatever enemies it sees [7.6].

    Instead of breaking it is SUPPRESSION/ON, instead of hesitating SUPPRESSION/OFF.
    """
    unit = game.state.units[unit_id]
    if not frightened(game.state, unit):
        return True
    result = _rolled(game, unit, calculation(game.state, unit, forced=True, enemies=False))
    if result == "breaks":
        suppress(game, unit_id)
    elif result == "hesitates":
        game.state.change(unit_id, suppression="off")
    return result == "stands"
