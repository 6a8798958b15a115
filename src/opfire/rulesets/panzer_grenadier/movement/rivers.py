"""Rivers [5.7]: entering, moving along and crossing them, alone and with the help of engineers."""

from __future__ import annotations

from collections.abc import Iterator

from opfire.core.actions import Refusal
from opfire.core.events import Calculation, Event, Line
from opfire.core.game import Game
from opfire.rulesets.panzer_grenadier.ground import river
from opfire.rulesets.panzer_grenadier.pieces import Hex, Position, Unit, UnitId


def off_bridge(position: Position, unit: Unit, hex: Hex) -> bool:
    """Whether the unit is in the river itself, not on a bridge or ford [5.71]."""
    return unit.afloat > 0 and bool(river(position, hex))


def engineer_in(position: Position, unit: Unit, hex: Hex) -> Unit | None:
    """A friendly engineer in good order in the river hex since an earlier turn [5.73, 5.73.A1], other than the unit."""
    for other in position.at(hex, unit.side):
        if other.id != unit.id and other.type_in("engineer") and other.good_order and 0 < other.afloat < position.turn:
            return other
    return None


def assisting(position: Position, engineer: Unit, hex: Hex) -> bool:
    """Whether an engineer in the river hex is assisting a crossing [5.73]: RULINGS.md P126.

    A unit is in the water that came after him and does not cross without him: the motorized in any river [5.72.a], in a
    major one all units except engineers [5.72.b].
    """
    if not engineer.type_in("engineer") or not off_bridge(position, engineer, hex):
        return False
    return any(one.afloat > engineer.afloat and helpless(position, one, hex) for one in position.at(hex, engineer.side))


def helpless(position: Position, unit: Unit, hex: Hex) -> bool:
    """Whether a unit cannot cross the river of a hex by itself [5.72.a, 5.72.b], bridges and fords aside."""
    if river(position, hex) == "minor river":
        return motorized(unit)
    return not unit.type_in("engineer")


def motorized(unit: Unit) -> bool:
    """Whether a unit is kept out of every river without an engineer's help [5.72.a, 5.72.b]."""
    return unit.kind is not None and unit.kind.movement_class == "motorized"


def ferried(position: Position, unit: Unit, hex: Hex) -> bool:
    """Whether an engineer helps a motorized unit into the hex, which it began next to [5.73.a]."""
    if not river(position, hex) or engineer_in(position, unit, hex) is None or position.activation is None:
        return False
    start = position.activation.start(unit.id)
    return start is not None and start == unit.hex and position.map.adjacent(start, hex)


# --- banks ------------------------------------------------------------------------------------------------------


def _shore(position: Position, *hexes: Hex) -> Iterator[Hex]:
    """Land around river hexes."""
    for hex in hexes:
        for other in position.map.neighbours[hex]:
            if other is not None and not river(position, other):
                yield other


def same_bank(position: Position, bank: Hex, to: Hex, *water: Hex) -> bool:
    """Whether a dry way leads from `bank` to `to` along these river hexes: RULINGS.md P24."""
    shore = set(_shore(position, *water))
    reached, waiting = {bank}, [bank]
    for hex in waiting:
        for other in position.map.neighbours[hex]:
            if other in shore and other not in reached:
                reached.add(other)
                waiting.append(other)
    return to in reached


def bank_after(position: Position, unit: Unit, to: Hex) -> Hex:
    """The hex of its own bank that a unit keeps in mind when it moves into a river hex, or along the river."""
    hex = str(unit.hex)
    if not unit.afloat or not unit.bank:
        return hex
    near = (other for other in _shore(position, to) if same_bank(position, unit.bank, other, hex, to))
    return next(near, unit.bank)


def crosses(position: Position, unit: Unit, to: Hex) -> bool:
    """Whether the step leaves a river hex for the other bank [5.72]; to go back is no crossing."""
    hex = str(unit.hex)
    if not off_bridge(position, unit, hex) or river(position, to):
        return False
    return not same_bank(position, unit.bank or hex, to, hex)


def ways_back(position: Position, unit: Unit) -> Iterator[Hex]:
    """The land of its own bank, beginning with the hex from which it came [5.73.f]."""
    hex = str(unit.hex)
    if unit.bank and position.map.adjacent(hex, unit.bank):
        yield unit.bank
    for other in position.map.neighbours[hex]:
        if other not in (None, unit.bank) and not river(position, other) and not crosses(position, unit, other):
            yield other


# --- checks -----------------------------------------------------------------------------------------------------


def on_duty(position: Position, unit: Unit) -> Refusal | None:
    """An engineer stays in the river hex through the turns in which he helps others [5.73]."""
    if unit.assisted == position.turn and off_bridge(position, unit, str(unit.hex)):
        return Refusal("{} has helped other units across this turn and cannot leave the hex", "5.73", (unit.name,))
    return None


def cannot_wade(position: Position, unit: Unit, to: Hex) -> Refusal | None:
    """Reject a unit in the river that may not step there [5.72, 5.73]."""
    hex = str(unit.hex)
    if not crosses(position, unit, to):
        return None
    major = river(position, hex) == "major river"
    if major and unit.afloat >= position.turn:
        return Refusal("{} cannot leave the river before its next turn", "5.73.b", (unit.name,))
    if helpless(position, unit, hex):
        engineer = engineer_in(position, unit, hex)
        if engineer is None:
            rule = "5.72.b" if major else "5.72.a"
            return Refusal("{} crosses the river only with an engineer's help", rule, (unit.name,))
        if engineer.afloat >= unit.afloat:
            return Refusal("{} arrived after {} had entered the river", "5.73", (engineer.name, unit.name))
    if major and crossing_number(position, unit) == 0:
        return Refusal("{} cannot cross this river", "5.73.b", (unit.name,))
    return None


def held(position: Position, unit: Unit) -> Refusal | None:
    """Reject a unit that came into a major river this turn, or failed to cross it: it waits [5.73.b, 5.73.c]."""
    hex = str(unit.hex)
    if unit.marked and off_bridge(position, unit, hex) and river(position, hex) == "major river":
        if unit.stopped or unit.afloat == position.turn:
            rule = "5.73.c" if unit.type_in("engineer") else "5.73.b"
            return Refusal("{} has to wait for the next turn to leave the river", rule, (unit.name,))
    return None


def crossing_number(position: Position, unit: Unit) -> int:
    """The scenario's Crossing Number for the unit's class [5.73.b]; an engineer by himself goes on foot [5.73.c]."""
    given, kind = position.setting.instructions.crossing, unit.kind.movement_class if unit.kind else "foot"
    match kind:
        case "mechanized":
            return given.mechanized
        case "motorized":
            return given.motorized
    return given.foot


def needs_roll(position: Position, unit: Unit, to: Hex) -> bool:
    """Whether the step is a crossing of a major river, on the dice [5.73.b, 5.73.c]."""
    return river(position, str(unit.hex)) == "major river" and crosses(position, unit, to)


def crossing(position: Position, unit: Unit) -> Calculation:
    """Two dice, no more than the Crossing Number [5.73.b]."""
    number = crossing_number(position, unit)
    rule = "5.73.c" if unit.type_in("engineer") else "5.73.b"
    line = Line("factor", "Crossing Number", str(number), rule, number)
    outcomes = tuple("crosses" if total <= number else "stays" for total in range(2, 13))
    return Calculation("Crossing the river", rule, (line,), 2, 6, outcomes)


def note_help(position: Position, unit: Unit, to: Hex) -> None:
    """Note the engineer whose help a step needs: out of the river [5.72], or on wheels into it [5.73.a]."""
    if unit.hex is not None and crosses(position, unit, to):
        _assist(position, unit, unit.hex)
    elif wades(position, unit, to) and motorized(unit):
        _assist(position, unit, to)


def _assist(position: Position, unit: Unit, hex: Hex) -> None:
    engineer = engineer_in(position, unit, hex)
    if engineer is not None and helpless(position, unit, hex):
        position.change(engineer.id, assisted=position.turn)


def across(game: Game[Position], unit_id: UnitId) -> bool:
    """Roll for a crossing; if it fails the unit stays in its hex this turn [5.73.b]."""
    unit = game.state.units[unit_id]
    _assist(game.state, unit, str(unit.hex))
    found = crossing(game.state, unit)
    dice = game.roll(2, 6)
    result = found.result(dice)
    words = "{} crosses the river" if result == "crosses" else "{} does not get across the river"
    game.tell(Event("result", words, (unit.name,), found.rule, (unit_id,), (str(unit.hex),), dice, found))
    if result != "crosses":
        game.state.change(unit_id, stopped=True)
    return result == "crosses"


def stops(position: Position, unit: Unit, to: Hex) -> bool:
    """A crossing unit stops on the bank [5.72], a helped one in the river [5.73.a].

    Asked before the step.
    """
    if crosses(position, unit, to):
        return True
    return wades(position, unit, to) and engineer_in(position, unit, to) is not None


def wades(position: Position, unit: Unit, to: Hex) -> bool:
    """Whether a unit gets into the water of that hex: trains and vessels never do [15.2]."""
    if not river(position, to) or unit.type_in("train", "vessel"):
        return False
    return not passable(position, unit.hex, to)


def passable(position: Position, a: Hex | None, b: Hex) -> bool:
    """Whether a way leads into a river hex over the bridge or by the ford, without getting wet [5.71]."""
    given = position.setting.instructions.fords
    if position.map.cells[b].ford or b in given:
        return True
    return a is not None and position.map.link(a, b) in ("road", "highway")
