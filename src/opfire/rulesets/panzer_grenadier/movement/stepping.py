"""The checks of a unit's movement and its steps [5.0 to 5.5], in the book's order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from opfire.core.actions import Refusal
from opfire.kit.boards import already_there
from opfire.rulesets.panzer_grenadier.command import decapitation, kommissars, sectors
from opfire.rulesets.panzer_grenadier.command.activation import directs, of_his_kind
from opfire.rulesets.panzer_grenadier.movement import danger, rivers, transport
from opfire.rulesets.panzer_grenadier.movement.costs import closed_ground, printed_allowance, step_cost
from opfire.rulesets.panzer_grenadier.pieces import Hex, Position, Unit, not_ready, overstacked
from opfire.rulesets.panzer_grenadier.works.fieldworks import aboard

# --- checks: may it move at all? --------------------------------------------------------------------------------


def cannot_move(position: Position, unit: Unit) -> Refusal | None:
    """Reject a unit that does not move at all [5.1, 5.6, 5.12.c, 6.72]."""
    return (
        not_ready(position, unit, "move")
        or aboard(unit)
        or immobile(position, unit)
        or rider_stays(position, unit)
        or (decapitation.decapitated(position, unit) if unit.hex is not None else None)
    )


def rider_stays(position: Position, unit: Unit) -> Refusal | None:
    """A unit that has tried to recover, or helped to, stays in that segment, aboard a carrier too [14.4, 6.53.b].

    Nor does a kommissar ride away from the unit that he has to deal with [6.65].
    """
    assert position.activation is not None
    for rider in position.pick(unit.cargo):
        if rider.id in position.activation.finished:
            words = "{} carries {}, who has taken part in a recovery"
            return Refusal(words, "6.53.b" if rider.leader else "14.4", (unit.name, rider.name))
        if refusal := kommissars.has_to_drive(position, rider):
            return refusal
    return None


def immobile(position: Position, unit: Unit) -> Refusal | None:
    """A unit without an allowance on the side that is up cannot move [5.1, 5.12.c, 5.62]."""
    if printed_allowance(position, unit):
        return None
    if unit.kind is not None and unit.kind.limbered.isdecimal() and not unit.limbered:
        return Refusal("{} has to limber before it moves", "5.62", (unit.name,))
    rule = "5.12.c" if transport.towed(unit) else "5.1"
    return Refusal("{} cannot move by itself", rule, (unit.name,))


# --- checks: may it step there? ---------------------------------------------------------------------------------


class Outset(NamedTuple):
    """Facts on which every step from a hex depends: the enemies about the unit [5.4], a kommissar's errand [6.61]."""

    enemies: Sequence[Unit]
    errand: kommissars.Errand | None


def outset(position: Position, unit: Unit) -> Outset:
    """The facts for the steps of a unit from its hex."""
    enemies = () if danger.led(position, unit) else danger.about(position, unit)
    return Outset(enemies, kommissars.errand(position, unit))


def cannot_step(position: Position, unit: Unit, to: Hex, left: int, known: Outset | None = None) -> Refusal | None:
    """Reject a step to a hex with `left` half points; `known` are the unit's facts, if they are at hand."""
    assert unit.hex is not None
    if refusal := not_next(position, unit, to) or enemy_there(position, unit, to) or one_hex_only(position, unit):
        return refusal
    if refusal := shy(position, unit, to):
        return refusal
    if refusal := sectors.not_sent(position, unit, to):
        return refusal
    if refusal := decapitation.decapitated(
        position, unit
    ):  # he may have fallen on the way, or in the hex it has entered
        return refusal
    return (
        closed_ground(position, unit, unit.hex, to)
        or rivers.on_duty(position, unit)
        or rivers.cannot_wade(position, unit, to)
        or vessel_there(position, unit, to)
        or overstacked(position, unit, to)
        or too_dear(position, unit, to, left)
        or not_the_way(position, unit, to, outset(position, unit) if known is None else known)
    )


def not_the_way(position: Position, unit: Unit, to: Hex, known: Outset) -> Refusal | None:
    """Reject a hex that a unit needs a leader to enter [5.4], or one that leads a kommissar off his way [6.61]."""
    if refusal := danger.moves_closer(position, unit, to, known.enemies):
        return refusal
    return None if known.errand is None else kommissars.off_his_way(position, unit, to, known.errand)


def not_next(position: Position, unit: Unit, to: Hex) -> Refusal | None:
    """Units move from hex to adjacent hex [5.0]."""
    assert unit.hex is not None
    if to not in position.map.neighbours[unit.hex]:
        return already_there(unit, to, "5.0") or Refusal("{} is not adjacent to {}", "5.0", (to, unit.hex))
    return None


def enemy_there(position: Position, unit: Unit, to: Hex) -> Refusal | None:
    """A hex with enemy combat units is entered only by assault [5.3], one with a loaded transport too [5.31]."""
    if position.holders(to, position.setting.other[unit.side]):
        if unit.hex is not None and position.assault_hex(unit.hex):
            return Refusal("{} leaves an assault hex and cannot enter another, {}", "5.32", (unit.name, to))
        return Refusal("Enemy units are in {}: only an assault can enter", "5.3", (to,))
    if position.enemies(unit.side, to):
        return Refusal("A loaded enemy transport is in {}: only an assault can enter", "5.31", (to,))
    return None


def one_hex_only(position: Position, unit: Unit) -> Refusal | None:
    """The disrupted move one hex [14.2]; so does a unit that left an assault hex [5.32], but its move ends there
    anyway.
    """
    assert position.activation is not None
    if unit.state == "disrupted" and position.activation.start(unit.id) != unit.hex:
        return Refusal("{} is disrupted and moves only one hex", "14.2", (unit.name,))
    return None


def shy(position: Position, unit: Unit, to: Hex) -> Refusal | None:
    """By option R14.2 the disrupted enter no hex with an enemy, a leader or empty truck too [14.2]: RULINGS.md P140."""
    if unit.state != "disrupted" or not position.setting.has("R14.2"):
        return None
    if position.at(to, position.setting.other[unit.side]):
        return Refusal("{} is disrupted and cannot enter {}: an enemy is there", "14.2", (unit.name, to))
    return None


def vessel_there(position: Position, unit: Unit, to: Hex) -> Refusal | None:
    """No ground unit enters the river hex of a vessel of either side [15.2]: RULINGS.md P25."""
    if not unit.type_in("vessel") and any(other.type_in("vessel") for other in position.at(to)):
        return Refusal("A river vessel is in {}", "15.2", (to,))
    return None


def too_dear(position: Position, unit: Unit, to: Hex, left: int) -> Refusal | None:
    """Not enough movement points [5.11]; but one hex is always allowed, whatever was paid before it [5.11.a]."""
    assert unit.hex is not None
    assert position.activation is not None
    price = step_cost(position, unit, unit.hex, to)
    assert price is not None
    if price <= left or position.activation.fresh(unit):
        return None
    return Refusal("It costs {:g} of the {:g} movement points left", "5.11", (price / 2, left / 2))


# --- leaders that move along ------------------------------------------------------------------------------------


def cannot_go_along(position: Position, unit: Unit, leader: Unit) -> Refusal | None:
    """Reject a leader who may not move with that unit [5.0.a, 6.3]: he directs it, or it is faster and he rides."""
    if refusal := not_ready(position, leader, "move") or aboard(leader):
        return refusal
    if not leader.leader or unit.leader:
        return Refusal("{} does not move with {}", "5.0.a", (leader.name, unit.name))
    assert position.activation is not None
    together = leader.hex == unit.hex if unit.hex is not None else transport.off_map_together(position, unit, leader)
    if not together or position.activation.start(leader.id) != leader.hex:
        return Refusal("{} has not begun its move in the hex of {}", "5.0.a", (leader.name, unit.name))
    if position.activation.spent_by(leader.id) or decapitation.decapitated(position, leader):
        return Refusal("{} cannot move any farther", "5.0.a", (leader.name,))
    if refusal := kommissars.on_an_errand(position, leader):
        return refusal
    if directs(leader) and of_his_kind(leader, unit) and unit.id in position.activation.led and not unit.transport:
        return None
    if unit.transport:
        return Refusal("{} is a transport: load {} instead", "6.3", (unit.name, leader.name))
    if printed_allowance(position, unit) > printed_allowance(position, leader):
        return None
    return Refusal("{} neither directs {} nor rides on it", "6.3", (leader.name, unit.name))
