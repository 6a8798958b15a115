"""Cavalry charges [15.31]: an assault ridden into from two hexes away, from beside the map too [16.52]."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec.structs import replace

from opfire.core.actions import PROCEDURE, Action, Refusal
from opfire.core.events import Event
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.rulesets.panzer_grenadier import ground
from opfire.rulesets.panzer_grenadier.assault import assaulting
from opfire.rulesets.panzer_grenadier.command import sectors
from opfire.rulesets.panzer_grenadier.fire import reaction
from opfire.rulesets.panzer_grenadier.movement import costs, entering, going, rivers, stepping
from opfire.rulesets.panzer_grenadier.pieces import (
    Hex,
    Position,
    Side,
    Unit,
    UnitId,
    not_ready,
    not_yours,
    overstacked,
    waiting,
)
from opfire.rulesets.panzer_grenadier.sight import spotting
from opfire.rulesets.panzer_grenadier.sight.lines import open_sides
from opfire.rulesets.panzer_grenadier.works import minefields


class Charge(Action, frozen=True):
    """Cavalry rides into an assault from two hexes away [15.31]."""

    says = "{unit} charges {to} by {via}"
    kind = "assault"
    final = True
    unit: UnitId
    via: Hex
    to: Hex


ACTS: tuple[type[Action], ...] = (Charge,)


# --- checks -----------------------------------------------------------------------------------------------------


def cannot_charge(position: Position, unit: Unit, via: Hex, to: Hex) -> Refusal | None:
    """Reject cavalry that may not charge a hex by another [15.31]."""
    if unit.hex is None:
        return cannot_ride_in(position, unit, via, to)
    return (
        assaulting.cannot_take_part(position, unit)
        or no_charger(position, unit)
        or not_two_hexes_away(position, unit, to)
        or assaulting.cannot_join_there(position, unit, to)
        or does_not_spot(position, unit, to)
        or off_the_line(position, unit, via, to)
        or rough_ride(position, unit, via, to)
    )


def cannot_ride_in(position: Position, unit: Unit, via: Hex, to: Hex) -> Refusal | None:
    """Reject cavalry beside the map that may not charge onto it [12.11.A1, 16.52].

    It comes in by an entry hex and charges one that lies beyond: RULINGS.md P18.
    """
    if refusal := not_ready(position, unit, "fire") or assaulting.not_fit(position, unit) or no_charger(position, unit):
        return refusal
    entries = position.setting.entries[unit.id][1] if waiting(position, unit) else ()
    if via not in entries:
        return Refusal("{} cannot enter the map at {}", "16.51", (unit.name, via))
    if to in entries or not position.map.adjacent(via, to):
        return Refusal("{} is not the second hex onto the map from {}", "16.52", (to, via))
    return (
        sectors.not_there(position, via)
        or assaulting.cannot_join_there(position, unit, to)
        or rough_ride(position, unit, via, to)
    )


def no_charger(position: Position, unit: Unit) -> Refusal | None:
    """Cavalry charges at the order of a cavalry leader [15.31, 6.9]; he may ride with it."""
    assert position.activation is not None
    if unit.id not in position.activation.mounted:
        return Refusal("{} is not cavalry under a cavalry leader", "15.31", (unit.name,))
    return None


def not_two_hexes_away(position: Position, unit: Unit, to: Hex) -> Refusal | None:
    """A charge begins two hexes away, neither nearer nor farther [15.31]."""
    hexes = position.map.distance(str(unit.hex), to)
    if hexes != position.charts.figure("charge from"):
        return Refusal("{} is {} hexes away: a charge begins at two", "15.31", (to, hexes))
    return None


def does_not_spot(position: Position, unit: Unit, to: Hex) -> Refusal | None:
    """The charging unit spots its target itself [15.31.A1]."""
    foes = position.enemies(unit.side, to)
    if any(spotting.cannot_spot(position, unit, foe) is None for foe in foes):
        return None
    return Refusal("{} does not spot the enemy in {}", "15.31.A1", (unit.name, to))


def off_the_line(position: Position, unit: Unit, via: Hex, to: Hex) -> Refusal | None:
    """The charge runs along the hexes through which the unit spots [15.31.A1]."""
    if not any(via in side for side in open_sides(position, str(unit.hex), to)):
        return Refusal("{} is not on the line to {}", "15.31.A1", (via, to))
    return None


def rough_ride(position: Position, unit: Unit, via: Hex, to: Hex) -> Refusal | None:
    """Both hexes have to be passable and affordable [5.11], the first one free of enemies [5.3] and not full [4.5]."""
    start = unit.hex or via
    if refusal := stepping.enemy_there(position, unit, via) or overstacked(position, unit, via):
        return refusal
    if refusal := costs.closed_ground(position, unit, start, via) or costs.closed_ground(position, unit, via, to):
        return refusal
    if unit.hex is not None and (refusal := assaulting.closed(position, unit, unit.hex, via)):
        return refusal
    if refusal := across_a_river(position, unit, via, to):
        return refusal
    price, whole = ride(position, unit, via, to), 2 * costs.printed_allowance(position, unit)
    if price > whole:
        return Refusal("It costs {:g} of the {:g} movement points left", "5.11", (price / 2, whole / 2))
    return None


def across_a_river(position: Position, unit: Unit, via: Hex, to: Hex) -> Refusal | None:
    """No unit crosses a river in the move in which it enters it, except by a bridge or ford [5.72, 5.72.b, 5.73.b]."""
    if unit.hex is None or rivers.passable(position, unit.hex, via) or not ground.river(position, via):
        return None
    wet = replace(unit, hex=via, afloat=position.turn, bank=rivers.bank_after(position, unit, via))
    return rivers.cannot_wade(position, wet, to)


def ride(position: Position, unit: Unit, via: Hex, to: Hex) -> int:
    """The cost of both hexes in half movement points."""
    first = (
        entering.entry_cost(position, unit, via)
        if unit.hex is None
        else costs.step_cost(position, unit, unit.hex, via) or 0
    )
    return first + (costs.step_cost(position, unit, via, to) or 0)


# --- the protocol of a chapter ----------------------------------------------------------------------------------


def choices(position: Position, unit: Unit) -> Iterator[Action]:
    """Every charge that an active unit could ride."""
    if no_charger(position, unit) is None and position.activation is not None:
        for via, to in ways(position, unit):
            if position.enemies(unit.side, to) and cannot_charge(position, unit, via, to) is None:
                yield Charge(unit.id, via, to)


def ways(position: Position, unit: Unit) -> Iterator[tuple[Hex, Hex]]:
    """Pairs of hexes, one after the other, through which a charge may lead."""
    if unit.hex is None:
        for via in position.setting.entries[unit.id][1]:
            yield from ((via, to) for to in position.map.neighbours[via] if to is not None)
        return
    for to in position.map.within(unit.hex, position.charts.figure("charge from")):
        for via in dict.fromkeys(via for side in open_sides(position, unit.hex, to) for via in side):
            yield via, to


def refusal(position: Position, side: Side, action: Action) -> Refusal | None:
    """Reject an illegal charge."""
    match action:
        case Charge(name, via, to):
            return not_yours(side, position.units[name]) or cannot_charge(position, position.units[name], via, to)
    return Refusal("This action is not a charge", PROCEDURE)


def play(game: Game[Position], side: Side, action: Action) -> None:
    """Carry out a charge."""
    match action:
        case Charge(name, via, to):
            game.push(Charging(side, name, via, to))


# --- the frame --------------------------------------------------------------------------------------------------


class Charging(Frame, frozen=True):
    """Cavalry under way: into the first hex, the enemy's fire there [15.31.a], then into the assault.

    After the fire the first hex acts as on any move: lone leaders and empty transports are ridden over [5.31, 6.71.a],
    mines go off [16.71]. It asks no side itself.
    """

    step = "assault"
    rule = "15.31"
    unit: UnitId
    via: Hex
    to: Hex
    next: Literal["fire", "hex", "impact"] = "fire"

    def begin(self, game: Game[Position]) -> None:
        """Ride into the first hex; enemies found hidden there end the charge before it [16.61]."""
        unit = game.state.units[self.unit]
        game.tell(Event("charge", "{} charges {}", (unit.name, self.to), "15.31", (self.unit,), (self.to,)))
        for lurking in game.state.at(self.via, game.state.setting.other[self.side]):
            if lurking.hidden:
                spotting.reveal(game, lurking.id)
        if stepping.enemy_there(game.state, unit, self.via) is None:
            going.go(game, self.unit, self.via)
        game.resume_top()

    def resume(self, game: Game[Position], result: object) -> None:
        """Ride on after the enemy's fire, which comes in the first hex only [15.31.a]; a unit stopped there stays."""
        position = game.state
        if position.units[self.unit].hex != self.via:
            self._break_off(game)
        elif self.next == "fire":
            game.swap(replace(self, next="hex"))
            game.push(reaction.window(position, self.side, self.via, (self.unit,)))
        elif self.next == "hex":
            frame = replace(self, next="impact")
            game.swap(frame)
            going.ride_over(game, self.via, self.side)
            minefields.entered(game, (self.unit,), self.via)
            if game.stack[-1] is frame:
                game.resume_top()
        elif not rides_on(position.units[self.unit]):
            self._break_off(game)
        else:
            game.pop()
            assert position.activation is not None
            position.acting(charged=position.activation.charged | {self.unit})
            assaulting.move_in(game, self.unit, self.to)

    def _break_off(self, game: Game[Position]) -> None:
        game.pop()
        if game.state.units[self.unit].status == "on the map":
            game.state.finish(self.unit)


def rides_on(unit: Unit) -> bool:
    """Whether a charge goes on: only units in good order enter an enemy hex [12.13]; mines stop it [16.71]."""
    return unit.good_order and not unit.stopped


FRAMES: tuple[type[Frame], ...] = (Charging,)
