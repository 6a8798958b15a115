"""Anti-tank fire [11.0]: one unit at one vehicle; crossfire, armor efficiency, extended range."""

from __future__ import annotations

from collections.abc import Iterator

from opfire.core.actions import PROCEDURE, Action, Refusal
from opfire.core.events import Calculation, Event, Line, totals
from opfire.core.game import Game
from opfire.core.texts import Text, Words
from opfire.rulesets.panzer_grenadier import ground
from opfire.rulesets.panzer_grenadier.charts import RESULTS
from opfire.rulesets.panzer_grenadier.command import sectors
from opfire.rulesets.panzer_grenadier.fire import losses
from opfire.rulesets.panzer_grenadier.fire.direct import shown
from opfire.rulesets.panzer_grenadier.fire.strengths import calibre, cannot_act, fires_otherwise, halved
from opfire.rulesets.panzer_grenadier.movement.costs import strategic
from opfire.rulesets.panzer_grenadier.pieces import (
    Hex,
    Position,
    Side,
    Unit,
    UnitId,
    has_shot_twice,
    off_the_map,
)
from opfire.rulesets.panzer_grenadier.sight import lines, spotting
from opfire.rulesets.panzer_grenadier.works import fieldworks


class FireAntiTank(Action, frozen=True):
    """Fire at one enemy vehicle [11.0]."""

    says = "{unit} fires at {target}"
    kind = "fire"
    final = True
    unit: UnitId
    target: UnitId


ACTS: tuple[type[Action], ...] = (FireAntiTank,)


# --- who may fire, and how often ----------------------------------------------------------------------------------


def shots(position: Position, unit: Unit) -> int:
    """The number of a unit's anti-tank attacks in a turn: two with armor efficiency, else one [11.2, 13.0]."""
    return 2 if efficient(position, unit) else 1


def efficient(position: Position, unit: Unit) -> bool:
    """Armor efficiency: an AFV at full strength, of a force and year that has it, with a value of 0 or more [11.2]."""
    if unit.kind is None or not unit.afv or unit.reduced or unit.kind.at is None or unit.kind.at < 0:
        return False
    since = force_of(position, unit)
    return 0 < since <= position.setting.instructions.year


def force_of(position: Position, unit: Unit) -> int:
    """The first year of armor efficiency of a unit's force; an ally's is that of its own nation [11.2]."""
    assert unit.kind is not None
    forces = position.charts.forces
    force = forces.get(position.force_of(unit.side))
    if force is None or force.nation != unit.kind.nation:
        force = forces.get(unit.kind.nation)
    return force.efficiency if force is not None else 0


def cannot_fire(position: Position, side: Side, unit: Unit) -> Refusal | None:
    """Reject a unit that makes no anti-tank attack in this segment [11.0]."""
    return has_shot_twice(unit) or cannot_act(position, side, unit) or no_at_value(unit) or divided(position, unit)


def no_at_value(unit: Unit) -> Refusal | None:
    """Without an anti-tank value there is no anti-tank fire [7.31]."""
    return None if unit.at is not None else Refusal("{} has no anti-tank value", "7.31", (unit.name,))


def divided(position: Position, unit: Unit) -> Refusal | None:
    """A unit that has begun direct fire [7.1]; the first of two anti-tank shots does not prevent the second [11.2]."""
    activation = position.activation
    if activation is not None and unit.id in activation.shot_once:
        return no_second_shot(position, unit)
    return fires_otherwise(position, unit)


def no_second_shot(position: Position, unit: Unit) -> Refusal | None:
    """A unit that lost a step to stray rounds after its first shot, and with it its armor efficiency [11.2]."""
    if shots(position, unit) > 1:
        return None
    return Refusal("{} is no longer at full strength and has no second shot", "11.2", (unit.name,))


# --- what may be fired at -----------------------------------------------------------------------------------------


def cannot_fire_at(position: Position, unit: Unit, target: Unit) -> Refusal | None:
    """Reject a unit that may not fire at this one [11.0]."""
    return (
        no_enemy(unit, target)
        or no_vehicle(target)
        or off_the_map(target)
        or beyond_the_assault(position, unit, target)
        or own_vehicles_there(position, unit, target)
        or cannot_hit(position, unit, target)
    )


def no_enemy(unit: Unit, target: Unit) -> Refusal | None:
    """Reject a friendly target."""
    return Refusal("{} is on your side", PROCEDURE, (target.name,)) if unit.side == target.side else None


def no_vehicle(target: Unit) -> Refusal | None:
    """Only trucks and AFVs [11.0]."""
    return None if target.vehicle else Refusal("{} is neither a truck nor an AFV", "11.0", (target.name,))


def beyond_the_assault(position: Position, unit: Unit, target: Unit) -> Refusal | None:
    """From an assault hex only at vehicles in it [12.6, 11.0]."""
    assert unit.hex is not None
    if unit.hex != target.hex and position.assault_hex(unit.hex):
        return Refusal("{} is in an assault hex and cannot fire at targets outside", "12.6", (unit.name,))
    return None


def own_vehicles_there(position: Position, unit: Unit, target: Unit) -> Refusal | None:
    """No AT fire from outside into a hex with friendly vehicles [7.24, 12.62]."""
    hex = str(target.hex)
    if unit.hex != hex and any(other.vehicle for other in position.at(hex, unit.side)):
        return Refusal("Your own vehicles are in {}", "7.24", (hex,))
    return None


def cannot_hit(position: Position, unit: Unit, target: Unit) -> Refusal | None:
    """Reject a target out of reach: sector [18.12], range [7.32, 11.3], sight [8.0.a], line [8.42.A2]."""
    assert unit.hex is not None
    assert target.hex is not None
    return (
        sectors.out_of_sector(position, unit, target.hex)
        or out_of_reach(position, unit, target.hex)
        or spotting.cannot_spot(position, unit, target)
        or lines.no_fire_line(position, unit.hex, target.hex)
    )


def out_of_reach(position: Position, unit: Unit, hex: Hex) -> Refusal | None:
    """Beyond the printed range [7.32], or beyond half as far again for a value of two or more [11.3]."""
    assert unit.kind is not None
    assert unit.hex is not None
    hexes, reach = position.map.distance(unit.hex, hex), unit.kind.at_range
    if hexes <= reach:
        return None
    far = position.charts.figure("anti-tank value of extended range")
    if unit.at is None or unit.at < far:
        return Refusal("{} is {} hexes away, beyond range {} of {}", "7.32", (hex, hexes, reach, unit.name))
    if 2 * hexes > 3 * reach:
        words = "{} is {} hexes away, beyond one and a half times range {} of {}"
        return Refusal(words, "11.3", (hex, hexes, reach, unit.name))
    return None


# --- the reckoning ------------------------------------------------------------------------------------------------


def at_fire(position: Position, firer: Unit, target: Unit) -> Calculation:
    """Two dice, anti-tank value, armor and modifiers; the result is the steps lost [11.01, G.at-fire]."""
    found = (*value_lines(position, firer, target), armor_line(target), *modifier_lines(position, firer, target))
    net = sum(line.amount for line in found)
    steps = [position.charts.steps_lost(total + net) for total, _ in totals(2, 6)]
    outcomes = tuple(str(number) if number else "none" for number in steps)
    return Calculation("Anti-tank fire", "11.01", found, 2, 6, outcomes, "", net)


def value_lines(position: Position, firer: Unit, target: Unit) -> Iterator[Line]:
    """The value, half beyond the printed range [11.3], half when disrupted [14.2]; a negative one is not halved."""
    assert firer.at is not None
    assert firer.kind is not None
    assert firer.hex is not None
    assert target.hex is not None
    value = firer.at
    yield Line("modifier", Text("{}, anti-tank value {}", (firer.name, value)), f"{value:+}", "11.01", value)
    if value > 0 and position.map.distance(firer.hex, target.hex) > firer.kind.at_range:
        lost = halved(value) - value
        yield Line("modifier", "Half the value beyond its range", f"{lost:+}", "11.3", lost)
        value += lost
    if value > 0 and not firer.good_order:
        lost = halved(value) - value
        yield Line("modifier", Text("{} disrupted: half the value", (firer.name,)), f"{lost:+}", "14.2", lost)


def armor_line(target: Unit) -> Line:
    """The target's armor; a truck counts as -1 [11.02]."""
    assert target.kind is not None
    if target.kind.armor is None:
        return Line("modifier", Text("{} has no armor", (target.name,)), "+1", "11.02", 1)
    armor = target.kind.armor
    return Line("modifier", Text("{}, armor {}", (target.name, armor)), f"{-armor:+}", "11.01", -armor)


def modifier_lines(position: Position, firer: Unit, target: Unit) -> Iterator[Line]:
    """The other modifiers of the table [7.5, 11.1, 17.3]."""
    assert firer.hex is not None
    assert target.hex is not None
    if position.map.distance(firer.hex, target.hex) == 1:
        yield from listed(position, "adjacent", "Adjacent")
    if ground.elevation(position, firer.hex) > ground.elevation(position, target.hex):
        yield from listed(position, "higher", "From higher ground")
    for terrain in ground.terrain_of(position, target.hex):
        yield from listed(position, terrain, Text("Target in {}", (terrain,)))
    if fieldworks.dug_in(position, target):
        yield from listed(position, "dug in", Text("{} dug in", (target.name,)))
    if position.is_night:
        yield from listed(position, "night", "Night")
    if crossfire(position, firer, target):
        yield from listed(position, "crossfire", "Crossfire")
    if ambush(position, firer, target):
        yield from listed(position, "from hiding", "From hiding")


def ambush(position: Position, firer: Unit, target: Unit) -> bool:
    """Whether a hidden unit fires at a unit moving out of sight [17.3]: in opportunity fire, not in a segment."""
    active = position.activation
    moving = active is not None and active.side == target.side
    return moving and firer.hidden and strategic(position, target)


def listed(position: Position, condition: str, label: Words) -> Iterator[Line]:
    """The line of a modifier, if the table lists it [7.5]."""
    row = position.charts.modifiers.get(("at", condition))
    if row is not None and row.value:
        yield Line("modifier", label, f"{row.value:+}", row.rule, row.value)


def crossfire(position: Position, firer: Unit, target: Unit) -> bool:
    """Whether an earlier shot of this turn came in through a hex not adjacent to this one's [11.1].

    A shot along a hexside comes in through both hexes, and each must be away from the other shot's [11.1.a]. Shots
    inside the hex come in through none.
    """
    assert firer.hex is not None
    assert target.hex is not None
    here = lines.entry_hexes(position, firer.hex, target.hex)
    return bool(here) and any(
        all(position.map.distance(one, other) > 1 for one in here for other in before) for before in target.entries
    )


# --- the shot -----------------------------------------------------------------------------------------------------


def choices(position: Position, unit: Unit) -> Iterator[Action]:
    """The vehicles that an activated unit may fire at."""
    if cannot_fire(position, unit.side, unit):
        return
    for target in position.of(position.setting.other[unit.side]):
        if target.vehicle and not cannot_fire_at(position, unit, target):
            yield FireAntiTank(unit.id, target.id)


def refusal(position: Position, side: Side, action: Action) -> Refusal | None:
    """Reject illegal anti-tank fire."""
    if not isinstance(action, FireAntiTank):
        return Refusal("This action is not anti-tank fire", PROCEDURE)
    unit, target = position.units[action.unit], position.units[action.target]
    return cannot_fire(position, side, unit) or cannot_fire_at(position, unit, target)


def play(game: Game[Position], side: Side, action: Action) -> None:
    """Fire; with armor efficiency another shot is left, at the same or another target [11.2.a]."""
    assert isinstance(action, FireAntiTank)
    position, name = game.state, action.unit
    assert position.activation is not None
    spent = position.activation.shot_once
    if name in spent:
        position.finish(name)
        position.change(name, shot_with="at")
    elif shots(position, position.units[name]) == 1:
        position.finish(name)
    else:
        position.acting(shot_once=spent | {name})
    shoot(game, name, action.target)


def shoot(game: Game[Position], unit_id: UnitId, target: UnitId) -> None:
    """Roll one anti-tank attack [11.01], in a segment or at a mover [13.1]; only the target is hit [7.42, 7.62].

    Its entry hexes are remembered for crossfire even if it had no effect [11.1.A1].
    """
    position = game.state
    firer, aim = position.units[unit_id], position.units[target]
    calculation = at_fire(position, firer, aim)
    shown(game, (unit_id,))
    rolled = game.roll(calculation.count, calculation.sides)
    result = calculation.result(rolled)
    facts = (firer.name, aim.name, aim.hex, RESULTS[result])
    units, hexes, bore = (unit_id, target), (str(aim.hex),), calibre((firer,))
    game.tell(Event("fired", "{} at {} in {}: {}", facts, "11.01", units, hexes, rolled, calculation, calibre=bore))
    assert firer.hex is not None
    assert aim.hex is not None
    if entry := lines.entry_hexes(position, firer.hex, aim.hex):
        position.change(target, entries=(*aim.entries, entry))
    if result != "none":
        losses.suffer_at(game, target, int(result))
