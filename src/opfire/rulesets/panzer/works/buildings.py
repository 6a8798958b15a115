"""Tracked vehicles inside buildings [6.1.4.3.1, 6.6.3]."""

from __future__ import annotations

from opfire.core.actions import Action, Refusal
from opfire.core.events import Calculation, Event, Line
from opfire.core.game import Game
from opfire.core.texts import Text
from opfire.rulesets.panzer.charts import BuildingEffect, Gun
from opfire.rulesets.panzer.fire import hits
from opfire.rulesets.panzer.ground import BUILDINGS
from opfire.rulesets.panzer.pieces import Hex, Position, Unit, UnitId

SPECIAL_UNITS, AAMG = "7.38", "hmg127"
DIE, SMALL_DIE, STURDY, TURRET_MOST = 100, 10, 5, 4
"""The dice, the points for each GP Defense Factor, and the greatest roll for turret damage [6.6.3-check, 6.6.3-dmg]."""


class GoInside(Action, frozen=True):
    """Drive from the alley of the hex into its building."""

    says = "{unit} drives into the building"
    kind = "move"
    unit: UnitId


class ChangeFloor(Action, frozen=True):
    """Go up to the top floor of the building, or to its flat roof, or down to the ground."""

    says = "{unit} changes floors"
    kind = "move"
    unit: UnitId


FLOOR = 1
"""The movement that a change of floors costs [6.6.4.1-bldg]."""


def cannot_change_floor(position: Position, unit: Unit) -> Refusal | None:
    """Reject upper floors for vehicles and guns, and in buildings of a single storey [6.1.4.3.1-b, 6.6.4.1-bldg].

    Every Desert Building has a roof [4.1.4.1.3.1].
    """
    tall = position.setting.floors(str(unit.hex)) > 0 and building(position, str(unit.hex)) is not None
    if position.setting.advanced and unit.is_leg and tall and not unit.full_cover:
        return None
    return Refusal("{} finds no upper floor in {}", "6.1.4.3.1-b", (unit.name, unit.hex))


class ComeOut(Action, frozen=True):
    """Drive out of the building into the alley of its hex."""

    says = "{unit} drives out of the building"
    kind = "move"
    unit: UnitId


def building(position: Position, hex: Hex) -> BuildingEffect | None:
    """The row of the strongest building of a hex that is not rubble."""
    if any(work.kind == "rubble" for work in position.works.get(hex, ())):
        return None
    words = BUILDINGS.intersection(position.map.cells[hex].terrain)
    rows = [position.charts.buildings[word] for word in words]
    return max(rows, key=lambda row: row.hit, default=None)


def cannot_go_inside(position: Position, unit: Unit) -> Refusal | None:
    """Reject vehicles that do not enter buildings: only tracked, covered, empty ones do [6.6.3-who, 6.1.4.3.1]."""
    if building(position, str(unit.hex)) is None or unit.inside:
        return Refusal("There is no building to enter in {}", "6.6.3-who", (unit.hex,))
    if handy(position, unit):
        return None
    fit = unit.is_vehicle and unit.ground.traction == "T" and unit.vehicle.target == "A" and unit.kind.category != "AA"
    if not fit or position.aboard(unit.id):
        return Refusal("{} does not enter buildings: tracked, covered and empty ones do", "6.6.3-who", (unit.name,))
    return None


def handy(position: Position, unit: Unit) -> bool:
    """Return whether a gun is carried into a building by hand: a 12.7 mm anti-aircraft machine gun [7.38.8].

    Inside it tracks no aircraft.
    """
    light = isinstance(unit.kind, Gun) and unit.kind.category == "AA" and unit.kind.weapon == AAMG
    return light and SPECIAL_UNITS in position.setting.options


def cannot_leave(position: Position, unit: Unit) -> Refusal | None:
    """Reject leaving a building for all but vehicles and light machine guns inside [6.6.3-who, 7.38.8]."""
    return None if unit.inside and handy(position, unit) else cannot_come_out(unit)


def cannot_come_out(unit: Unit) -> Refusal | None:
    """Reject leaving a building for a vehicle that is not inside, and for guns [6.1.4.3.1-a]."""
    return None if unit.inside and unit.is_vehicle else Refusal("{} is in no building", "6.6.3-who", (unit.name,))


def cost(position: Position, unit: Unit) -> int:
    """The cost of entering or leaving the building of a hex: that of its terrain [6.6.3-check]."""
    rows = [position.charts.terrain[word] for word in BUILDINGS.intersection(position.map.cells[str(unit.hex)].terrain)]
    return max(int(row.tracked if unit.is_vehicle else row.leg) for row in rows)


def risk(position: Position, unit: Unit) -> Calculation:
    """The check on the way in or out: the roll and five times the GP Defense Factor within the range [6.6.3-check]."""
    row = building(position, str(unit.hex))
    assert row is not None
    added = STURDY * unit.vehicle.gp_defense
    lines = (
        Line("modifier", "GP Defense Factor", f"{added:+d}", "6.6.3-check", added),
        Line("odds", row.building.capitalize(), f"01-{row.hit}", "6.6.3-check", row.hit),
    )
    outcomes = tuple("is hit" if roll + added <= row.hit else "gets through" for roll in range(1, DIE + 1))
    return Calculation(Text("{} and the building", (unit.name,)), "6.6.3-check", lines, 1, DIE, outcomes, "", added)


def pass_wall(game: Game[Position], unit_id: UnitId) -> bool:
    """A vehicle breaks through the wall; return whether it gets to the other side [6.6.3-check, 6.6.3-stop].

    A track hit leaves it on the side from which it came; a damaged vehicle goes on.
    """
    unit = game.state.units[unit_id]
    row, made = building(game.state, str(unit.hex)), risk(game.state, unit)
    assert row is not None
    dice = game.roll(1, DIE)
    result = made.result(dice)
    places = (str(unit.hex),)
    game.tell(Event("building", "{} {}", (unit.name, result), "6.6.3-check", (unit_id,), places, dice, made))
    if result == "gets through":
        return True
    if game.roll(1, DIE)[0] <= row.track:
        hits.track(game, unit)
        return False
    _damage(game, unit)
    return game.state.units[unit_id].hex is not None


def _damage(game: Game[Position], unit: Unit) -> None:
    """Damage to the turret on 4 or less, else to the hull [6.6.3-dmg]."""
    hits.damage(game, unit, "turret" if game.roll(1, SMALL_DIE)[0] <= TURRET_MOST else "hull")
