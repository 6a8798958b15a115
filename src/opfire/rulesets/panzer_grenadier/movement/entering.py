"""Leaving and entering the map [16.5]."""

from __future__ import annotations

from opfire.core.actions import Refusal
from opfire.core.events import Event
from opfire.core.game import Game
from opfire.rulesets.panzer_grenadier.assault import assaulting, leaving
from opfire.rulesets.panzer_grenadier.command import decapitation, sectors
from opfire.rulesets.panzer_grenadier.movement import danger
from opfire.rulesets.panzer_grenadier.movement.costs import (
    ROADS,
    closed_ground,
    movement_class,
    road_price,
    step_cost,
    wreck_surcharge,
)
from opfire.rulesets.panzer_grenadier.movement.stepping import enemy_there, one_hex_only
from opfire.rulesets.panzer_grenadier.pieces import Hex, Position, Side, Unit, UnitId, overstacked


def exit_hexes(position: Position, side: Side) -> frozenset[Hex]:
    """The exit hexes of the side; the hexes next to them when the enemy holds all of them [16.54]."""
    named = position.setting.exits[side]
    return _beside_if_held(position, side, named)


def _beside_if_held(position: Position, side: Side, named: frozenset[Hex]) -> frozenset[Hex]:
    if not named or not all(position.enemies(side, hex) for hex in named):
        return named
    around = {near for hex in named for near in position.map.neighbours[hex] if near is not None}
    edge = {hex for hex in around if None in position.map.neighbours[hex]}  # RULINGS.md P92
    return frozenset(edge) - named


def cannot_exit(position: Position, unit: Unit, left: int) -> Refusal | None:
    """Reject a unit that may not leave the map here [16.53]: it costs the price of a clear hex, RULINGS.md P26."""
    assert unit.hex is not None
    if unit.hex not in exit_hexes(position, unit.side):
        return Refusal("{} may not leave the map in {}", "16.53", (unit.name, unit.hex))
    if refusal := one_hex_only(position, unit) or decapitation.decapitated(position, unit):
        return refusal
    price = position.charts.terrain["clear"].foot or 0
    assert position.activation is not None
    if left < price and not position.activation.fresh(unit):
        return Refusal("It costs {:g} of the {:g} movement points left", "5.11", (price / 2, left / 2))
    return None


def leave_map(game: Game[Position], names: tuple[UnitId, ...]) -> None:
    """Take units out of play with their loads, not destroyed [16.53]."""
    position = game.state
    for name in names:
        unit = position.units[name]
        hex = str(unit.hex)
        for leaver in (name, *unit.cargo):
            position.exits[leaver] = hex
        was_assault = position.assault_hex(hex)
        position.lift(name, "exited")
        game.tell(Event("exited", "{} leaves the map in {}", (unit.name, hex), "16.53", (name,), (hex,)))
        if was_assault:
            leaving.exited(game, name, hex)


def entry_hexes(position: Position, unit: Unit) -> tuple[int, frozenset[Hex]]:
    """The turn and hexes of a unit's entry; a turn later next to hexes all held by the enemy [16.51, 16.54]."""
    turn, hexes = position.setting.entries[unit.id]
    named = frozenset(hexes)
    beside = _beside_if_held(position, unit.side, named)
    return (turn, named) if beside == named else (turn + 1, beside)


def entry_cost(position: Position, unit: Unit, hex: Hex) -> int:
    """The price of the first hex [16.51], by road if one leads in from off the map; wrecks cost more [16.3]."""
    roads = [way for way in position.map.off_map_links(hex) if position.map.cells[hex].links[way] in ROADS]
    ground = step_cost(position, unit, hex, hex) or 0
    by_road = road_price(position, movement_class(unit), hex) if roads else None
    return ground if by_road is None else min(ground, by_road + wreck_surcharge(position, unit, hex))


def cannot_enter(position: Position, unit: Unit, hex: Hex) -> Refusal | None:
    """Reject a unit that may not come onto the map there [16.51]; the first hex may cost more than it has [5.11.a]."""
    if unit.status != "reserve" or unit.id not in position.setting.entries:
        return Refusal("{} is not a reinforcement", "16.51", (unit.name,))
    assert position.activation is not None
    storm = position.activation.role(unit.id) == "fire"
    turn, hexes = position.setting.entries[unit.id] if storm else entry_hexes(position, unit)
    if position.turn < turn:
        rule = "16.54" if turn > position.setting.entries[unit.id][0] else "16.51"
        return Refusal("{} arrives in turn {}", rule, (unit.name, turn))
    if hex not in hexes:
        return Refusal("{} cannot enter the map at {}", "16.51", (unit.name, hex))
    return (
        sectors.not_there(position, hex)
        or (cannot_storm_in(position, unit, hex) if storm else enemy_there(position, unit, hex))
        or closed_ground(position, unit, hex, hex)
        or overstacked(position, unit, hex)
        or danger.moves_closer(position, unit, hex)
    )


def cannot_storm_in(position: Position, unit: Unit, hex: Hex) -> Refusal | None:
    """An assault from off the map takes a fire activation too [16.52], by the rules of any assault [12.1].

    Leaders go in with their units: RULINGS.md P14.
    """
    if not position.enemies(unit.side, hex):
        return Refusal("{} was designated to fire and can enter only to assault", "16.52", (unit.name,))
    return assaulting.not_fit(position, unit) or assaulting.cannot_join_there(position, unit, hex)
