"""Combat [9.0]: odds, results, terrain and elevation, and the effects of a result on units."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from opfire.core.actions import Refusal
from opfire.core.events import Calculation, Event, Line
from opfire.core.game import Game
from opfire.core.texts import Text, Words
from opfire.rulesets.case_orange.charts import COLUMNS, RESULTS, Charts
from opfire.rulesets.case_orange.pieces import Hex, Position, Unit, UnitId
from opfire.rulesets.case_orange.spotting import eyes_of
from opfire.space.hexes import direction as way_to
from opfire.space.hexes import trace

# --- resolving combat [9.9] ---------------------------------------------------------------------------------


def odds(attack: int, defence: int) -> str | None:
    """The ratio, rounded down in the defender's favour [9.9-P1]; None below 1:4, where there is no attack [9.1.1].

    >>> odds(12, 5), odds(5, 12), odds(60, 10), odds(1, 5)
    ('2:1', '1:3', '4:1', None)
    """
    if attack <= 0 or attack * 4 < defence:
        return None
    if attack >= defence:
        return f"{min(4, attack // defence)}:1" if defence else "4:1"
    return f"1:{-(-defence // attack)}"


def signed(number: int) -> str:
    """A number with its sign.

    >>> signed(2), signed(-1), signed(0)
    ('+2', '-1', '+0')
    """
    return f"{number:+d}"


def total(lines: Iterable[Line], kind: str) -> int:
    """The sum of the amounts of the lines of a kind."""
    return sum(line.amount for line in lines if line.kind == kind)


def resolve(charts: Charts, title: Words, rule: str, lines: Sequence[Line]) -> Calculation:
    """The calculation of an attack from its lines [9.9].

    The lines of kind `attack` and `defence` make the odds [9.9-P1], which name a column [9.9-P2]; those of kind
    `shift` move it [9.9-P3]; those of kind `modifier` are added to one die [9.9-P4, 9.9-P5]. Grey results are
    left in as `own D` and so on.
    """
    attack, defence = total(lines, "attack"), total(lines, "defence")
    ratio = odds(attack, defence)
    assert ratio is not None, "an attack below 1:4 is refused before it is calculated"
    column = COLUMNS.index(ratio) + total(lines, "shift")
    column = max(0, min(len(COLUMNS) - 1, column))
    modifier = total(lines, "modifier")
    return Calculation(
        title,
        rule,
        (*lines, Line("odds", Text("Odds {} to {}", (attack, defence)), ratio, "9.9-P1", 0)),
        1,
        6,
        tuple(charts.result(die + modifier, column) for die in range(1, 7)),
        COLUMNS[column],
        modifier,
    )


def without_own_goal(calculation: Calculation) -> Calculation:
    """Only defenders suffer [9.0]: grey results count in assaults alone [11.4, 15.1.1]."""
    outcomes = tuple("none" if outcome.startswith("own") else outcome for outcome in calculation.outcomes)
    return msgspec.structs.replace(calculation, outcomes=outcomes)


def below_minimum(attack: int, defence: int) -> Refusal | None:
    """Less than one to four, before any shift [9.1.1]."""
    if odds(attack, defence) is None:
        return Refusal("{} to {} is less than 1:4", "9.1.1", (attack, defence))
    return None


# --- lines that several kinds of attack share ---------------------------------------------------------------


def modifier_line(charts: Charts, name: str, attack: str, label: Words) -> Iterator[Line]:
    """The line of a die modifier, if it holds for this kind of attack [15.6]."""
    row = charts.modifiers[name]
    amount = getattr(row, attack)
    if amount:
        yield Line("modifier", label, signed(amount), row.rule, amount)


def shift_line(charts: Charts, name: str, label: Words, times: int = 1) -> Line:
    """The line of a column shift [15.3]."""
    row = charts.shifts[name]
    return Line("shift", label, signed(row.shift * times), row.rule, row.shift * times)


def terrain_lines(position: Position, hex: Hex, attack: str) -> Iterator[Line]:
    """Die modifiers of the defender's hex; they add up [9.3.6]."""
    for terrain in position.map.cells[hex].terrain:
        if terrain in position.charts.modifiers:
            yield from modifier_line(position.charts, terrain, attack, Text("Defender in {}", (terrain,)))


def dispersed_lines(position: Position, targets: Sequence[Unit], attack: str) -> Iterator[Line]:
    """Attacks on dispersed units: one off the die [2.0-G07]; on several only if all are: RULINGS.md R21."""
    enough = any if position.setting.has("R21") else all
    if targets and enough(unit.dispersed for unit in targets):
        yield from modifier_line(position.charts, "dispersed", attack, "Target dispersed")


def tank_support_lines(position: Position, targets: Sequence[Unit], hex: Hex, attack: str) -> Iterator[Line]:
    """Non-vehicles sharing a town or improved position with a class A vehicle: one more on the die [9.3.4].

    Units in a breached fortification are assaulted as if in an improved position [10.4.4].
    """
    if all(unit.vehicle for unit in targets):
        return
    tanks = [unit for unit in position.at(hex) if unit.vehicle and unit.kind.weapon == "A"]
    in_town = "town" in position.map.cells[hex].terrain and bool(tanks)
    works = ("position", "fort") if attack == "assault" else ("position",)
    below = any(unit.below in works for unit in targets if not unit.vehicle)
    if in_town or (below and any(tank.below in works for tank in tanks)):
        yield from modifier_line(position.charts, "tank support", attack, "With a class A vehicle")


def position_lines(position: Position, targets: Sequence[Unit]) -> Iterator[Line]:
    """Below an improved position: one column to the left [10.3.1]; no shift for units above it [10.1.1]."""
    if any(unit.below == "position" for unit in targets):
        yield shift_line(position.charts, "improved position", "Below an improved position")


def defence_of(position: Position, unit: Unit, rule: str = "3.4.2") -> Line:
    """A unit's defence factor as it stands: doubled in town [15.2-T], one for a rider on armour [5.7.5]."""
    hex = unit.hex
    assert hex is not None
    if position.armour_rider(unit):
        return Line("defence", Text("{}, riding", (unit.name,)), "1", "5.7.5", 1)
    fort = position.fort(hex) if unit.below == "fort" else None
    if fort is not None and fort.breached and rule == "3.4.2":
        factor = fort.breached_factor
        words = Text("{}, breached fortification {}", (unit.name, factor))
        return Line("defence", words, str(factor), "10.4.4", factor)
    factor = unit.kind.defence
    if not unit.vehicle and "town" in position.map.cells[hex].terrain:
        words = Text("{}, defence {} doubled in town", (unit.name, factor))
        return Line("defence", words, str(2 * factor), "15.2-T", 2 * factor)
    return Line("defence", Text("{}, defence {}", (unit.name, factor)), str(factor), rule, factor)


def level(position: Position, hex: Hex) -> int:
    """Ground 0, slope 1, hilltop 2 [9.2.1]."""
    return position.map.cells[hex].level


def elevation_shift(position: Position, a: Hex, b: Hex, half_range: int) -> int:
    """Columns for firing up or down from a to b [9.2.1, 15.5]; none next to a slope without its side [9.2.2]."""
    from_level, to_level = level(position, a), level(position, b)
    if from_level == to_level:
        return 0
    hexes = position.map.distance(a, b)
    if hexes == 1 and to_level == 1 and "slope" not in position.map.side(a, b) and not position.setting.has("R63"):
        return 0  # it is a hilltop side: RULINGS.md R63
    near, far = position.charts.elevation[from_level, to_level]
    return near if hexes <= half_range else far


def elevation_lines(position: Position, froms: Iterable[tuple[Hex, int]], to: Hex) -> Iterator[Line]:
    """The elevation shift of the least favoured of the firers [9.2.1]: RULINGS.md R41.

    Beyond half range the charts alone have one: RULINGS.md R3.
    """
    counts = max if position.setting.has("R41") else min
    shifts = [(elevation_shift(position, hex, to, half_range), hex, half_range) for hex, half_range in froms]
    if not shifts:
        return
    shift, hex, half_range = counts(shifts)
    if shift:
        rule = "9.2.1" if position.map.distance(hex, to) <= half_range else "15.3"
        yield Line("shift", "Uphill" if shift < 0 else "Downhill", signed(shift), rule, shift)


def crosses_slope_at(position: Position, a: Hex, b: Hex) -> bool:
    """Whether the line from a to b enters b by a slope or dune side [9.3.5]; by a corner, if both its sides are such
    sides.
    """
    coords, board = eyes_of(position).coords, position.map
    (aq, ar), (bq, br) = coords[a], coords[b]
    end, sides = (bq - aq, br - ar), board.cells[b].sides
    entry = trace(*end)[-2]
    ways = [way for hex in entry.hexes if (way := way_to(end, hex)) is not None]
    return bool(ways) and all(not {"slope", "dune"}.isdisjoint(sides[way]) for way in ways)


# --- what results do [9.10, 5.6, 5.7] -----------------------------------------------------------------------


def suffer(game: Game[Position], unit_id: UnitId, result: str) -> None:
    """Apply a result to a unit and its load [9.9-P7, 9.10.1, 5.7.1, 5.7.5]."""
    position = game.state
    unit = position.units[unit_id]
    if result == "none" or unit.hex is None:
        return
    after = position.charts.dispersal[unit.dispersed or "none", result]
    if after == "eliminated":
        eliminate(game, unit_id)
        return
    _disperse(game, unit, after)
    if unit.cargo is not None:
        _carried_suffers(game, unit, position.units[unit.cargo], result)
    elif unit.carrier is not None and result == "DD" and position.armour_rider(unit):
        tumble_out(game, unit.carrier)


def _disperse(game: Game[Position], unit: Unit, marker: str) -> None:
    """Place a D or DD marker and invert the unit [9.10.1]."""
    assert unit.hex is not None
    game.state.change(unit.id, dispersed=marker, face_up=False)
    words = "{} in {} is {}"
    facts = (unit.name, unit.hex, RESULTS[marker])
    game.tell(Event("dispersed", words, facts, "9.10.1", (unit.id,), (unit.hex,)))


def _carried_suffers(game: Game[Position], carrier: Unit, passenger: Unit, result: str) -> None:
    """Apply a carrier's result to its load; a DD throws the load out on the spot [5.7.1, 5.7.5]."""
    after = game.state.charts.dispersal[passenger.dispersed or "none", result]
    if after == "eliminated":
        eliminate(game, passenger.id)
        return
    _disperse(game, passenger, after)
    if result == "DD":
        tumble_out(game, carrier.id)


def tumble_out(game: Game[Position], carrier: UnitId) -> None:
    """Unload in the same hex at no cost; if the hex cannot hold both, one of the two is removed [5.7.1]."""
    position = game.state
    hex = position.units[carrier].hex
    assert hex is not None
    name = position.unload(carrier)
    unit = position.change(name, locked=True)
    position.crowded = (*position.crowded, (hex, (carrier, name)))
    game.tell(Event("unloaded", "{} unloads in {}", (unit.name, hex), "5.7.1", (name, carrier), (hex,)))


def eliminate(game: Game[Position], unit_id: UnitId) -> None:
    """Remove a unit and its load from play; armour leaves a wreck of its stacking points [5.6]."""
    position = game.state
    unit = position.units[unit_id]
    hex = unit.hex
    assert hex is not None
    lost = (unit_id,) if unit.cargo is None else (unit_id, unit.cargo)
    position.lift(unit_id, "eliminated")
    game.tell(Event("eliminated", "{} in {} is eliminated", (unit.name, hex), "9.9", lost, (hex,)))
    if unit.kind.armoured:
        place_wreck(game, hex, unit.kind.points)


def place_wreck(game: Game[Position], hex: Hex, points: int) -> None:
    """A wreck that stays [5.6]."""
    wreck = game.state.work(hex).wreck + points
    game.state.change_works(hex, wreck=wreck)
    game.tell(Event("wreck", "A wreck of {} points lies in {}", (points, hex), "5.6", (), (hex,)))


def breach(game: Game[Position], hex: Hex) -> None:
    """Breach a fortification and disperse all units inside, by an X [10.4.3]."""
    position = game.state
    fort = position.fort(hex)
    assert fort is not None
    inside = [unit.id for unit in position.at(hex) if unit.below == "fort"]
    position.change_works(hex, fort=msgspec.structs.replace(fort, breached=True))
    game.tell(Event("breach", "The fortification in {} is breached", (hex,), "10.4.3", (), (hex,)))
    for name in inside:
        suffer(game, name, "D")


def invert(game: Game[Position], names: Iterable[UnitId]) -> None:
    """Units that have attacked are inverted [9.9-P8]."""
    for name in names:
        unit = game.state.units[name]
        if unit.hex is not None:
            game.state.change(name, face_up=False, fired=True)


def roll_and_tell(
    game: Game[Position], calculation: Calculation, units: Sequence[UnitId], hex: Hex, calibre: float = 0
) -> str:
    """Roll one die for a calculation, report it with its calibre, return the result [9.9-P5, 9.9-P6]."""
    rolled = game.roll(calculation.count, calculation.sides)
    result = calculation.result(rolled)
    words = "{} at {} against {}: rolled {}, {}"
    facts = (calculation.title, calculation.column, hex, rolled[0], RESULTS[result])
    rule = calculation.rule
    game.tell(Event("fired", words, facts, rule, tuple(units), (hex,), rolled, calculation, calibre=calibre))
    return result
