"""Minefields [7.31]: hidden or visible, and what they do to leg and towed units."""

from __future__ import annotations

from msgspec.structs import replace

from opfire.core.events import Calculation, Event, Line
from opfire.core.game import Game
from opfire.core.texts import Text
from opfire.rulesets.panzer.charts import Vehicle
from opfire.rulesets.panzer.fire.casualties import eliminate, halve
from opfire.rulesets.panzer.pieces import Hex, Position, Side, Unit, UnitId, Work
from opfire.rulesets.panzer.suppression import suppress

OPTION = "7.31"
DIE = 100
HURRIED = -20
"""The modifier of units that quickmarch into a minefield [7.31.2.2]."""


def field_in(position: Position, unit: Unit, hex: Hex) -> Work | None:
    """The enemy minefield in a hex that works against a unit: against vehicles, or leg and towed units [7.31, 7.31.2].

    A field's value is `hasty` or `deliberate`, and `av` or `ap` unless it is against both.
    """
    if OPTION not in position.setting.options:
        return None
    other = "ap" if unit.is_vehicle else "av"
    fields = (work for work in position.works.get(hex, ()) if work.kind == "mines" and work.side != unit.side)
    return next((work for work in fields if other not in work.value.split()), None)


def column(unit: Unit) -> str:
    """The column of a unit in the Minefield Effects Table: by its GP Defense Factor, whatever its type [7.31.2.1].

    Leg and towed units have one column [7.31.2.2].
    """
    if not isinstance(unit.kind, Vehicle):
        return "leg and towed"
    defense = unit.kind.gp_defense
    return "1-3" if defense <= 3 else "4-6" if defense <= 6 else "7-10"


def attack(position: Position, unit: Unit, work: Work, *, hurried: bool) -> Calculation:
    """The roll of a minefield: low rolls damage or destroy, others break tracks or suppress [7.31.2.1, 7.31.2.2]."""
    row = position.charts.minefields[work.value.split()[0], column(unit)]
    net = HURRIED if hurried and not unit.is_vehicle else 0
    lines = [
        Line(
            "odds",
            Text("{} minefield", (row.minefield.capitalize(),)),
            f"{row.worst}, {row.milder}",
            row.rule,
            row.worst,
        )
    ]
    if net:
        lines.insert(0, Line("modifier", "Quickmarch", f"{net:+d}", "7.31.2.2", net))
    worst, milder = ("damaged", "track hit") if unit.is_vehicle else ("effective", "suppressed")
    outcomes = tuple(
        worst if roll + net <= row.worst else milder if roll + net <= row.milder else "no effect"
        for roll in range(1, DIE + 1)
    )
    title = Text("Mines attack {}", (unit.name,))
    return Calculation(title, "7.31.2", tuple(lines), 1, DIE, outcomes, column(unit), net)


def meet(game: Game[Position], unit_id: UnitId, *, hurried: bool = False) -> str:
    """The result of the minefield of a unit's hex, or nothing; the field is known from then on [7.31.2]."""
    position, unit = game.state, game.state.units[unit_id]
    if unit.hex is None or (work := field_in(position, unit, unit.hex)) is None:
        return ""
    uncover(position, unit.hex, work)
    made = attack(position, unit, work, hurried=hurried)
    dice = game.roll(1, DIE)
    result = made.result(dice)
    game.tell(Event("mines", "Mines: {} {}", (unit.name, result), "7.31.2", (unit_id,), (unit.hex,), dice, made))
    return result


def strike(game: Game[Position], unit_id: UnitId, *, hurried: bool = False) -> None:
    """A leg or towed unit that enters a minefield hex, or moves within it, is attacked [7.31.2.2]."""
    unit = game.state.units[unit_id]
    match meet(game, unit_id, hurried=hurried):
        case "suppressed":
            suppress(game, unit_id)
        case "effective" if unit.kind.category == "squad":
            halve(game, unit)
            suppress(game, unit_id)
        case "effective":
            eliminate(game, unit)


def uncover(position: Position, hex: Hex, work: Work) -> None:
    """Show a minefield to everybody [7.31.2]."""
    known = replace(work, known=True)
    position.works[hex] = tuple(known if each == work else each for each in position.works[hex])


def as_known(position: Position, side: Side) -> dict[Hex, tuple[Work, ...]]:
    """The works that a side knows: enemy minefields only once they have been found [6.1.4.3.8, 7.31.1]."""
    found = {
        hex: tuple(work for work in works if work.kind != "mines" or work.known or work.side == side)
        for hex, works in position.works.items()
    }
    return {hex: works for hex, works in found.items() if works}
