"""Spotting [8.0-8.2, 8.41, 16.6]: ranges of sight, visible units, and the effects of firing and moving on them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from opfire.core.actions import Refusal
from opfire.core.events import Event
from opfire.core.game import Game
from opfire.rulesets.panzer_grenadier.ground import hides_to_the_next_hex, limiting, limiting_ground
from opfire.rulesets.panzer_grenadier.pieces import Hex, Position, Side, Unit, UnitId
from opfire.rulesets.panzer_grenadier.sight.lines import eye, no_battery_line, no_line, no_line_over_ground

# --- how far one sees -------------------------------------------------------------------------------------------


def seen_at(position: Position, hex: Hex, target: Unit) -> tuple[int, str]:
    """The range at which a target is seen from a hex, and its rule; a target next to the hex always is [G.spotting]."""
    assert target.hex is not None
    sight, figure = visibility(position), position.charts.figure
    hexes, rule = _over_ground(position, hex, target.hex, sight, target.spotted)
    if rule == "8.1" and not target.spotted and position.work(target.hex).smoke:
        hexes, rule = min(sight, figure("sight of limiting terrain")), "8.21"  # 16.12
    if target.hidden:
        hexes, rule = -(-hexes // figure("hidden divides sight by")), "16.6"
    return max(1, hexes), rule


def _over_ground(position: Position, hex: Hex, to: Hex, sight: int, spotted: bool) -> tuple[int, str]:
    """The range at which ground hides a target [8.2.a, 8.21], or else the range in the open [8.1, 8.41].

    At one visibility it stays the same all game, for targets marked SPOTTED and for others.
    """
    ranges = position.setting.sight_facts.outlook(sight, spotted).ranges
    found = ranges.get((hex, to))
    if found is None:
        figure = position.charts.figure
        if not spotted and hides_to_the_next_hex(position, to):
            found = min(sight, figure("sight of swamp")), "8.2.a"
        elif not spotted and limiting_ground(position.setting, to):
            found = min(sight, figure("sight of limiting terrain")), "8.21"
        else:
            found = in_the_open(position, hex, to), "8.1"
        ranges[hex, to] = found
    return found


def visibility(position: Position) -> int:
    """The range of sight in the open this turn: the weather's limit by day [8.1], one hex by night [8.1, G.night]."""
    known = position.setting.visibility
    hexes = known.get(position.turn)
    if hexes is None:
        figure = position.charts.figure
        by_day = min(figure("sight"), position.setting.instructions.visibility)
        hexes = known[position.turn] = figure("sight at night") if position.is_night else by_day
    return hexes


def in_the_open(position: Position, hex: Hex, to: Hex) -> int:
    """The range of sight into a hex whose ground hides no units [8.1]: by day and in full sight farther down [8.41]."""
    sight = visibility(position)
    return sight + (bonus(position, hex, to) if sight == position.charts.figure("sight") else 0)


def bonus(position: Position, hex: Hex, to: Hex) -> int:
    """Six hexes more for each level down to the target hex [8.41]; looking up gives none [8.41.A1]."""
    figure = position.charts.figure
    levels = (eye(position, hex) - eye(position, to)) // figure("metres for each level")
    return max(0, levels) * figure("sight for each level")


def sees_ground(position: Position, hex: Hex, to: Hex) -> bool:
    """Whether a hex is seen from another, units hidden in it apart: in the range of sight in the open [8.1, 8.3]."""
    away = position.map.distance(hex, to)
    return away <= max(1, in_the_open(position, hex, to)) and no_line(position, hex, to) is None


def battery_sees_ground(position: Position, hex: Hex, to: Hex) -> bool:
    """Whether a battery sees a hex from its own, from the top of town or woods [8.42.A3]."""
    away = position.map.distance(hex, to)
    return away <= max(1, in_the_open(position, hex, to)) and no_battery_line(position, hex, to) is None


# --- who is seen ------------------------------------------------------------------------------------------------


def cannot_spot(position: Position, spotter: Unit, target: Unit) -> Refusal | None:
    """Reject a spotter that does not spot this target [8.0.a]."""
    if spotter.hex is None or target.hex is None:
        return Refusal("{} is not on the map", "8.0", ((spotter if spotter.hex is None else target).name,))
    return _unseen(position, spotter.hex, target) or no_line(position, spotter.hex, target.hex)


def cannot_self_spot(position: Position, battery: Unit, target: Unit) -> Refusal | None:
    """Reject a unit that does not spot its target: it looks from the top of town or woods [8.42.A3]."""
    if battery.hex is None or target.hex is None:
        return Refusal("{} is not on the map", "8.0", ((battery if battery.hex is None else target).name,))
    return _unseen(position, battery.hex, target) or no_battery_line(position, battery.hex, target.hex)


def _unseen(position: Position, hex: Hex, target: Unit) -> Refusal | None:
    """Whether the target is too far away to be made out from a hex [8.1, 8.2.a, 8.21, 16.6]."""
    assert target.hex is not None
    hexes, rule = seen_at(position, hex, target)
    away = position.map.distance(hex, target.hex)
    if away > hexes:
        return Refusal("{} is {} hexes from {} and is seen up to {} hexes away", rule, (target.name, away, hex, hexes))
    return None


def seen_from(position: Position, hex: Hex, target: Unit) -> bool:
    """Whether the target is seen from a hex."""
    if target.hex is None:
        return False
    if not _could_see(position, hex, target.hex, visibility(position), target.spotted):
        return False
    away = position.map.distance(hex, target.hex)
    if away <= 1:
        return True
    return away <= seen_at(position, hex, target)[0] and no_line(position, hex, target.hex) is None


def seen_from_any(position: Position, hexes: Iterable[Hex], target: Unit) -> bool:
    """Return whether the target is seen from one of the hexes; those that are known never to see it are passed over."""
    if (to := target.hex) is None:
        return False
    could = position.setting.sight_facts.outlook(visibility(position), target.spotted).seen
    return any(could.get((hex, to), True) and seen_from(position, hex, target) for hex in hexes)


def _could_see(position: Position, hex: Hex, to: Hex, sight: int, spotted: bool) -> bool:
    """Whether a unit that does not hide is seen in a hex without smoke; if not, no unit is ever seen there."""
    seen = position.setting.sight_facts.outlook(sight, spotted).seen
    found = seen.get((hex, to))
    if found is None:
        away = position.map.distance(hex, to)
        hexes = max(1, _over_ground(position, hex, to, sight, spotted)[0])
        found = seen[hex, to] = away <= hexes and no_line_over_ground(position, hex, to) is None
    return found


def lookouts(position: Position, side: Side) -> Iterator[Hex]:
    """The hexes that hold units or leaders of a side: all of them spot [G.spotting]."""
    units = position.units
    for hex, names in position.stacks.items():
        if any(units[name].side == side for name in names):
            yield hex


def open_lookouts(position: Position, side: Side) -> Iterator[Hex]:
    """The hexes from which a side spots that hold a unit or leader of it who does not hide."""
    return (hex for hex in lookouts(position, side) if any(not one.hidden for one in position.at(hex, side)))


def spotted(position: Position, side: Side, target: Unit) -> bool:
    """Whether any unit of `side` spots the target [8.0.a]."""
    return seen_from_any(position, lookouts(position, side), target)


# --- what changes it --------------------------------------------------------------------------------------------


def fired(game: Game[Position], names: Iterable[UnitId]) -> None:
    """Mark units that fire from limiting terrain or swamp SPOTTED [8.22, 8.2.a]; hidden ones are placed [16.61]."""
    position = game.state
    for name in names:
        unit = position.units[name]
        if unit.hidden:
            reveal(game, name)
        hex = unit.hex
        if hex is not None and (limiting(position, hex) or hides_to_the_next_hex(position, hex)):
            position.change(name, spotted=True)


def arrived(game: Game[Position], unit_id: UnitId) -> None:
    """Settle spotting, hiding and control after a unit or leader has entered a hex."""
    position = game.state
    unit = position.units[unit_id]
    if unit.hex is None:
        return
    if unit.hidden:
        reveal(game, unit_id)
    for one in (unit_id, *unit.cargo):
        if position.units[one].spotted and not still_spotted(position, position.units[one]):
            position.change(one, spotted=False)
    uncover(game, unit.side, unit.hex)
    hold(position, unit.hex)


def still_spotted(position: Position, unit: Unit) -> bool:
    """Whether a unit keeps its SPOTTED marker in the hex it has entered [8.22.a, 8.22.A1].

    It does if the enemy would see it without one; enemies who are hidden themselves do not count, or the marker would
    give them away: RULINGS.md P6.
    """
    unmarked, enemy = replace(unit, spotted=False), position.setting.other[unit.side]
    return any(seen_from(position, hex, unmarked) for hex in open_lookouts(position, enemy))


def watch(game: Game[Position]) -> None:
    """Place hidden units that are spotted: as a turn begins, at dawn, when smoke has gone [16.61].

    Lookouts that hide themselves keep still, unless R16.61 is chosen; the order in which units are placed does not
    tell who has seen them: RULINGS.md P141.
    """
    position, sides = game.state, game.state.setting.sides
    found = [unit for side in sides for unit in position.in_hiding(side) if _watched(position, unit)]
    for unit in found:
        if position.units[unit.id].hidden:
            reveal(game, unit.id)


def _watched(position: Position, unit: Unit) -> bool:
    """Whether an enemy on the board sees a hidden unit; by R16.61 one in hiding counts too."""
    enemy, to = position.setting.other[unit.side], unit.hex
    if to is None or unit.carrier is not None:
        return False
    hexes = lookouts(position, enemy) if position.setting.has("R16.61") else open_lookouts(position, enemy)
    return seen_from_any(position, list(hexes), unit)


def uncover(game: Game[Position], side: Side, hex: Hex) -> None:
    """Hidden enemies that `side` spots from a hex are placed on the board [16.61]."""
    position = game.state
    for unit in list(position.of(position.setting.other[side])):
        if unit.hidden and seen_from(position, hex, unit):
            reveal(game, unit.id)


def reveal(game: Game[Position], unit_id: UnitId) -> None:
    """Place a hidden unit and its load on the board [16.61]; its hex is its side's [G.control]."""
    position = game.state
    unit = position.change(unit_id, hidden=False)
    for other in unit.cargo:
        position.change(other, hidden=False)
    if unit.hex is not None:
        hold(position, unit.hex)
    game.tell(Event("revealed", "{} was hidden in {}", (unit.name, unit.hex), "16.61", (unit_id,), (str(unit.hex),)))


def disputed(position: Position) -> Iterator[Hex]:
    """The hexes with a unit that is not of the side that has them."""
    units, control = position.units, position.control
    for hex, names in position.stacks.items():
        owner = control.get(hex)
        for name in names:
            if units[name].side != owner:
                yield hex
                break


def hold(position: Position, hex: Hex) -> None:
    """Give a hex to the side whose combat units are there, or were last [G.control]; no change while both are.

    Hidden units take it when they are placed, not before: RULINGS.md P132.
    """
    units = position.units
    there = [units[name] for name in position.stacks.get(hex, ()) if not units[name].hidden]
    sides = {unit.side for unit in there if unit.combat or any(units[name].combat for name in unit.cargo)}
    if len(sides) == 1:
        position.control[hex] = sides.pop()
