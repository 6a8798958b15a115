"""Engineers [13.0]: mines and their lifting, bridges and their demolition."""

from __future__ import annotations

from opfire.core.actions import Action, Refusal
from opfire.core.events import Calculation, Event, Line
from opfire.core.game import Game
from opfire.core.texts import Text
from opfire.rulesets.case_orange.charts import COLUMNS
from opfire.rulesets.case_orange.combat import roll_and_tell, suffer, without_own_goal
from opfire.rulesets.case_orange.movement import cannot_act_in
from opfire.rulesets.case_orange.pieces import Hex, Position, Side, Unit, UnitId


class LiftMines(Action, frozen=True):
    """An engineer rolls to lower the mines of an adjacent hex instead of moving [13.1.4]."""

    says = "{unit} lifts mines in {hex}"
    kind = "engineer"
    final = True
    unit: UnitId
    hex: Hex


class LayCharges(Action, frozen=True):
    """An engineer spends the turn on its bridge [13.2]."""

    says = "{unit} works on the bridge"
    kind = "engineer"
    unit: UnitId


# --- mines [13.1] -------------------------------------------------------------------------------------------


def minefield(position: Position, value: str) -> Calculation:
    """The attack of a minefield: its own odds, nothing adjusted or modified [13.1.1]."""
    column = position.charts.mines[value].column
    outcomes = tuple(position.charts.result(die, COLUMNS.index(column)) for die in range(1, 7))
    line = Line("odds", Text("Minefield {}", (value,)), column, "13.1.1")
    return without_own_goal(Calculation("Minefield", "13.1.1", (line,), 1, 6, outcomes, column))


def mines_attack(game: Game[Position], side: Side) -> None:
    """At the start of its player turn the owner's minefields attack every unit in them [13.1.1, 13.1.2, 13.1.3].

    Its own too: RULINGS.md R12.
    """
    position = game.state
    spared = side if position.setting.has("R12") else ""
    for hex, works in list(position.works.items()):
        if works.mines and works.mines_side == side:
            for unit in position.at(hex):
                if position.units[unit.id].hex == hex and unit.side != spared:
                    calculation = minefield(position, works.mines)
                    result = roll_and_tell(game, calculation, (unit.id,), hex)
                    suffer(game, unit.id, result)


def cannot_lift(position: Position, side: Side, unit: Unit, hex: Hex) -> Refusal | None:
    """Reject a unit that may not try to lift these mines [13.1.4]."""
    if unit.kind.type != "engineer":
        return Refusal("{} is not an engineer unit", "13.1.4", (unit.name,))
    if refusal := cannot_act_in("non-vehicle", side, unit):
        return refusal
    if unit.hex is None or hex not in position.map.neighbours[unit.hex]:
        return Refusal("{} is not adjacent to {}", "13.1.4", (hex, unit.name))
    if not position.work(hex).mines:
        return Refusal("There are no mines in {}", "13.1.3", (hex,))
    return None


def lift_mines(game: Game[Position], unit_id: UnitId, hex: Hex) -> None:
    """1 to 3 lowers the marker by one denomination; the engineer is inverted as if moved [13.1.5, 13.1.4]."""
    position = game.state
    rolled = game.roll(1, 6)
    result, value = position.charts.lifting[rolled[0]].result, position.work(hex).mines
    lowered = position.charts.mines[value].lowered
    if result == "lowered":
        position.change_works(hex, mines=lowered)
    position.change(unit_id, moved=True, face_up=False)
    words = "Mines in {}: {} becomes {}" if result == "lowered" else "Mines in {} stay at {}"
    facts = (hex, value, lowered or "clear") if result == "lowered" else (hex, value)
    game.tell(Event("mines", words, facts, "13.1.5", (unit_id,), (hex,), rolled))


# --- bridges [13.2] -----------------------------------------------------------------------------------------


def cannot_lay_charges(position: Position, side: Side, unit: Unit) -> Refusal | None:
    """Reject a unit that may not work on a bridge this turn [13.2]: it takes a complete turn without fire."""
    if unit.kind.type != "engineer":
        return Refusal("{} is not an engineer unit", "13.2", (unit.name,))
    if refusal := cannot_act_in("non-vehicle", side, unit):
        return refusal
    if unit.hex is None or not position.setting.bridge(unit.hex) or position.work(unit.hex).demolished:
        return Refusal("There is no bridge under {}", "13.2", (unit.name,))
    if unit.fired:
        return Refusal("{} has fired; work on a bridge takes a complete turn", "13.2", (unit.name,))
    return None


def lay_charges(game: Game[Position], unit_id: UnitId) -> None:
    """One more complete turn spent on the bridge [13.2]."""
    unit = game.state.units[unit_id]
    unit = game.state.change(unit_id, moved=True, charges=unit.charges + 1)
    words = "{} works on the bridge in {}: turn {}"
    game.tell(Event("bridge", words, (unit.name, unit.hex, unit.charges), "13.2", (unit_id,), (str(unit.hex),)))


def demolitions(game: Game[Position], side: Side) -> None:
    """At the start of the player turn engineers with enough turns on a bridge roll once [13.2, 4.2-C1]."""
    position = game.state
    for unit in position.of(side):
        if unit.charges and unit.hex is not None and position.work(unit.hex).demolished:
            position.change(unit.id, charges=0)  # another engineer was first
        elif unit.charges and unit.eligible and unit.hex is not None:
            row = position.charts.bridges[position.setting.bridge(unit.hex)]
            if unit.charges >= row.turns:
                demolish(game, unit, row.demolished_to)


def demolish(game: Game[Position], unit: Unit, up_to: int) -> None:
    """1 to 5: a block at once, and friendly units beyond the stacking limit are lost; otherwise start again [13.2]."""
    position, hex = game.state, str(unit.hex)
    rolled = game.roll(1, 6)
    position.change(unit.id, charges=0)
    down = rolled[0] <= up_to
    if down:
        position.change_works(hex, block=True, demolished=True)
        position.crowded = (*position.crowded, (hex, tuple(other.id for other in position.at(hex))))
    words = "The bridge in {} is demolished" if down else "The bridge in {} stands: the charges fail"
    game.tell(Event("bridge", words, (hex,), "13.2", (unit.id,), (hex,), rolled))


def stop_charging(position: Position, side: Side) -> None:
    """Turns on a bridge are consecutive [13.2]: a unit that did not work this turn starts again."""
    for unit in position.of(side):
        if unit.charges and (not unit.moved or not unit.eligible):
            position.change(unit.id, charges=0)
