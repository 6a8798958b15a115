"""Suppression [5.10] and the recovery from it [6.8.3]."""

from __future__ import annotations

from collections.abc import Iterator

from opfire.core.events import Calculation, Event, Line
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.texts import Text
from opfire.rulesets.panzer import leaders
from opfire.rulesets.panzer.charts import Vehicle
from opfire.rulesets.panzer.pieces import Hex, Position, Side, Unit, UnitId, aboard_on_map, at_arms

DIE = 100
UNDER_COMMAND, UNDER_FIRE = 20, 10
"""The modifiers for a command other than No Command [6.8.3.1.1], and for being attacked [6.8.3.1.2]."""


def suppress(game: Game[Position], unit_id: UnitId) -> None:
    """A Suppressed result: its counter lies with ON up, however often it comes [5.10]."""
    unit = game.state.change(unit_id, suppression="on")
    game.tell(Event("suppressed", "{} is suppressed", (unit.name,), "5.10", (unit_id,)))


def suppress_friends(game: Game[Position], side: Side, hex: Hex) -> None:
    """Suppress the units of a side in a hex, and passengers there that are not Under Cover.

    Rules: [6.5.2.5-bu, 6.5.4.4.2-bu-sup].
    """
    for friend in game.state.at(hex):
        if friend.side == side:
            suppress(game, friend.id)
            for rider in () if under_cover(friend) else game.state.aboard(friend.id):
                suppress(game, rider.id)


def under_cover(unit: Unit) -> bool:
    """Return whether a unit is a vehicle that keeps its passengers Under Cover [6.5.4.2.3]."""
    return isinstance(unit.kind, Vehicle) and unit.kind.under_cover


def recovery(position: Position, unit: Unit) -> Calculation:
    """The roll to remove a SUPPRESSION/OFF counter: a net result within the range of the Unit Grade.

    Rules: [6.8.3, 6.8.3.1].
    """
    most = position.charts.unit_grades[unit.grade].recovery
    aground = (*_modifiers(unit), *leaders.lines(position, unit, "recovery")) if unit.flight is None else ()
    modifiers: tuple[Line, ...] = aground  # 6.8.3.1: aircraft recover by their base range
    net = sum(line.amount for line in modifiers)
    lines = (*modifiers, Line("odds", Text("{} recovery", (unit.grade.capitalize(),)), f"01-{most}", "6.8.3", most))
    outcomes = tuple("recovers" if roll + net <= most else "stays suppressed" for roll in range(1, DIE + 1))
    return Calculation(Text("Recovery of {}", (unit.name,)), "6.8.3", lines, 1, DIE, outcomes, f"01-{most}", net)


def _modifiers(unit: Unit) -> Iterator[Line]:
    if unit.command != "no command" or unit.fired:  # 7.50: Defensive Fire counts as a command
        yield Line("modifier", "Command", f"{UNDER_COMMAND:+d}", "6.8.3.1.1", UNDER_COMMAND)
    if unit.under_fire:
        yield Line("modifier", "Under fire", f"{UNDER_FIRE:+d}", "6.8.3.1.2", UNDER_FIRE)


class SuppressionStep(Frame, frozen=True):
    """Units with SUPPRESSION/OFF roll for recovery; then ON counters are turned to OFF [6.8.3, 6.8.4].

    Passengers do so aboard, under the command of their vehicle: RULINGS.md R199.
    """

    step = "adjustment"
    rule = "6.8.3"

    def begin(self, game: Game[Position]) -> None:
        """Roll for OFF counters, then turn ON counters over [6.8.3, 6.8.4]."""
        position = game.state
        afield = [unit for side in position.setting.sides for unit in position.of(side)]
        afield += [at_arms(position, unit.id) for unit in position.units.values() if aboard_on_map(position, unit.id)]
        afield += [unit for unit in position.pick(position.setting.planes) if unit.status == "aloft"]
        for unit in afield:
            if unit.suppression == "off":
                recover(game, unit)
        for unit in afield:
            if unit.suppression == "on":
                position.change(unit.id, suppression="off")
        game.pop()


def recover(game: Game[Position], unit: Unit) -> None:
    """A unit rolls for recovery; otherwise its counter stays as it is [6.8.3.2]."""
    calculation = recovery(game.state, unit)
    rolled = game.roll(1, DIE)
    result = calculation.result(rolled)
    if result == "recovers":
        game.state.change(unit.id, suppression="")
    facts = (unit.name, result)
    game.tell(Event("recovery", "{} {}", facts, "6.8.3.2", (unit.id,), dice=rolled, calculation=calculation))
