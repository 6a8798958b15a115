"""The rolls of airborne landings [8.10.1.3, 8.10.2.4]: to arrive, to land on target, to land well; deviations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from opfire.core.events import Calculation, Event, Line
from opfire.core.game import Game
from opfire.core.places import Point
from opfire.rulesets.micro_armour.air.defence import in_range
from opfire.rulesets.micro_armour.airborne.drops import Landing
from opfire.rulesets.micro_armour.artillery.sheafs import DIRECTIONS, drift
from opfire.rulesets.micro_armour.charts import By, Circumstance, LandingRoll, Result
from opfire.rulesets.micro_armour.cohesion import DIE, cohesion_roll, level, modifier, states
from opfire.rulesets.micro_armour.moving.prices import topmost
from opfire.rulesets.micro_armour.pieces import Position, Side, Stand, gets_aboard
from opfire.rulesets.micro_armour.terrain import RUINS, clear_ground, in_frost, markers_of

CLEAR = "clear"

LOST = 20
"""A stand whose roll to arrive comes to this or more is lost [8.10.1.3-1, 8.10.2.4-2]."""

IN_RANGE: Circumstance = "anti-aircraft in range"
ON_TABLE: Circumstance = "anti-aircraft on the table"
FIRE: Circumstance = "anti-aircraft fire"

WORSE: tuple[Result, ...] = ("-", "S", "(S)", "D", "E")
"""The results of a landing, from the best to the worst."""

ALIKE: Mapping[str, str] = {"rough-ford": "rough-3", "brush": "woods"}
"""The lines of the chart for the terrain of Salerno [SC.monday.1, SC.monday.2]."""

HEIGHTS = frozenset({"gentle-slope", "steep-slope", "hilltop", "crest"})
"""The terrain that gives way to any other at a landing place [8.10.1.3-3a]."""


def circumstances(position: Position, landing: Landing, at: Point) -> Iterator[Circumstance]:
    """The circumstances of a landing at a place: those of the scenario, and enemy anti-aircraft guns.

    Guns on the table fire at transports en route as well [8.10.1.3-1]. One in tow is on the table, but fires at nobody
    in its range: RULINGS.md R150.
    """
    guns = list(_flak(position, position.setting.other[landing.side]))
    told = landing.group.circumstances
    yield from told
    if guns:
        yield ON_TABLE
        if landing.group.by == "parachute" and FIRE not in told:
            yield FIRE
    if any(unit.carrier is None and in_range(unit, at) for unit in guns):
        yield IN_RANGE


def _flak(position: Position, side: Side) -> Iterator[Stand]:
    """The anti-aircraft guns of a side that are on the table, also in tow; men in a carrier are not [8.4.4]."""
    for unit in position.pick(position.setting.ids[side]):
        inside = unit.carrier is not None and gets_aboard(position, unit)
        if unit.at is not None and unit.kind.has("aa") and not inside:
            yield unit


def modifiers(position: Position, landing: Landing, roll: LandingRoll, at: Point) -> Iterator[Line]:
    """The modifiers of a roll of a landing; each row of the table names its rule."""
    chart = position.charts.landing_modifiers
    for circumstance in circumstances(position, landing, at):
        row = chart.get((landing.group.by, roll, circumstance))
        if row is not None:
            yield modifier(circumstance, row.modifier, row.rule)


def arrival(position: Position, landing: Landing, at: Point) -> Calculation:
    """The roll of a stand to arrive: it is lost from a total of 20 on [8.10.1.3-1, 8.10.2.4-2]."""
    lines = [*modifiers(position, landing, "arrival", at)]
    total = sum(line.amount for line in lines)
    outcomes = tuple("lost" if number + total >= LOST else "arrives" for number in range(1, DIE + 1))
    rule = "8.10.1.3-1" if landing.group.by == "parachute" else "8.10.2.4-2"
    return Calculation("to arrive", rule, tuple(lines), 1, DIE, outcomes, modifier=total)


def location(position: Position, landing: Landing, unit: Stand, at: Point) -> Calculation:
    """The cohesion roll to land on target [8.10.1.3-2, 8.10.2.4-3]."""
    rule = "8.10.1.3-2" if landing.group.by == "parachute" else "8.10.2.4-3"
    lines = [*modifiers(position, landing, "location", at)]
    return cohesion_roll("to land on target", rule, level(position, unit), lines)


def ground(position: Position, landing: Landing, unit: Stand) -> Calculation:
    """The cohesion roll to land well [8.10.1.3-3a, 8.10.2.4-4a]."""
    assert unit.at is not None
    rule = "8.10.1.3-3a" if landing.group.by == "parachute" else "8.10.2.4-4a"
    lines = [*states(unit), *modifiers(position, landing, "landing", unit.at)]
    return cohesion_roll("to land well", rule, level(position, unit), lines)


# --- terrain ------------------------------------------------------------------------------------------------------


def results(position: Position, by: By, unit: Stand) -> tuple[Result, Result]:
    """The results of a passed and of a failed roll in the terrain at a stand's centre [8.10.1.3-3a, 8.10.2.4-4a].

    Of several kinds of terrain the worst counts: RULINGS.md R65.
    """
    chart = position.charts.landing_terrain
    found = [chart[kind].results(by) for kind in landing_terrain(position, unit)]
    return max((each[0] for each in found), key=WORSE.index), max((each[1] for each in found), key=WORSE.index)


def landing_terrain(position: Position, unit: Stand) -> tuple[str, ...]:
    """The kinds of terrain in which a stand lands: that at its centre, and the markers over it; else clear ground.

    Slopes and crests count only where there is no other terrain [8.10.1.3-3a, 8.10.2.4-4a]. In snow there is: clear
    ground is rough terrain 1, under markers too [9.6.2-snow].
    """
    assert unit.at is not None
    chart = position.charts.landing_terrain
    here = topmost(position.table.ground.features_at(unit.at))
    drawn = [in_frost(position, ALIKE.get(feature.kind, feature.kind)) for feature in here]
    ground = [kind for kind in drawn if kind in chart and kind not in HEIGHTS]
    markers = [kind for kind in markers_of(position, unit) if kind in chart]
    if not ground and not RUINS.intersection(markers) and clear_ground(position) != CLEAR:
        ground = [clear_ground(position)]
    heights = [kind for kind in drawn if kind in HEIGHTS]
    return (*ground, *markers) or (*heights,) or (CLEAR,)


# --- deviations ---------------------------------------------------------------------------------------------------


class Fall(NamedTuple):
    """A stand in the air over a place: how it lands, the conditions that give the dice, and the rule."""

    at: Point
    by: By
    conditions: str
    rule: str


def deviation(game: Game[Position], unit: Stand, fall: Fall) -> Point:
    """The way of a stand that deviates: 1D8 for the direction, the dice of the conditions for the inches.

    [8.10.1.3-2pass, 8.10.1.3-2fail, 8.10.2.4-3]
    """
    row = game.state.charts.landing_drift[fall.by, fall.conditions]
    (number,) = game.roll(1, 8)
    far = game.roll(row.dice, row.faces)
    inches = -(-sum(far) // row.parts) + row.added
    toward = DIRECTIONS[number - 1]
    right, down = drift(toward, inches, game.state.setting.sections.north)
    ends = fall.at, (fall.at[0] + right, fall.at[1] + down)
    facts = (unit.name, inches, toward)
    game.tell(Event("deviation", "{} drifts {} inches to the {}", facts, fall.rule, (unit.id,), ends, (number, *far)))
    return right, down
