"""Infantry in fording boats [8.9.4]: aboard beside the water, across it with a roll, ashore with another."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from opfire.core.actions import PROCEDURE, Action, Refusal
from opfire.core.events import Calculation, Event
from opfire.core.game import Game
from opfire.core.places import INCH, Point, tenths
from opfire.rulesets.micro_armour import hiding
from opfire.rulesets.micro_armour.cohesion import SUCCESS, cohesion_roll, tested, to_go_on
from opfire.rulesets.micro_armour.moving.marching import (
    cannot_stand,
    in_water,
    mover,
    prices,
    under_way,
    whole_allowance,
    wrong_way,
)
from opfire.rulesets.micro_armour.moving.prices import WATERS
from opfire.rulesets.micro_armour.moving.water import beside_water
from opfire.rulesets.micro_armour.pieces import Position, Stand, UnitId, adjacent
from opfire.rulesets.micro_armour.works.means import busy, has, on_the_move, wrong_posture
from opfire.space.measure import MICRO, direction, square

FAST, SLOW = 3, 1
"""The amphibious points that fording boats give any infantry [8.9.4-board]."""

CARRIES = 8
"""The capacity of a transport that carries fording boats [8.9.4-board]."""

ASHORE = 5 * INCH // 4
"""A stand lands at most this far away (1/1000 inch): RULINGS.md R57."""

NEVER = ("cavalry", "motorcycle", "bicycle")


class Disembark(Action, frozen=True):
    """Try to land at a place beside the boats (1/1000 inch)."""

    says = "{unit} lands at {to}"
    kind = "move"
    final = True
    unit: UnitId
    to: Point


# --- boarding ---------------------------------------------------------------------------------------------------------


def boat_carriers(position: Position) -> list[Stand]:
    """The transports on the table that carry fording boats."""
    return [unit for unit in position.all() if has(unit, "fast boats", "slow boats")]


def cannot_board(position: Position, unit: Stand, carrier: Stand) -> Refusal | None:
    """Reject a stand that does not board: infantry does, that has been beside boats and water all turn, in the movement
    posture [8.9.4-board].
    """
    rule = "8.9.4-board"
    if unit.kind.kind != "personnel" or any(map(unit.kind.has, NEVER)) or unit.boats or unit.side != carrier.side:
        return Refusal("{} uses no fording boats.", rule, (unit.name,))
    if (carrier.kind.cargo_cap or 0) < CARRIES or not adjacent(unit, carrier):
        return Refusal("{} is not beside a transport with boats.", rule, (unit.name,))
    assert unit.at is not None
    if not beside_water(position, unit.at, WATERS):
        return Refusal("{} is not beside water.", rule, (unit.name,))
    return busy(unit) or wrong_posture(unit, "movement", rule) or on_the_move(unit, rule) or on_the_move(carrier, rule)


def board(game: Game[Position], unit: Stand, carrier: Stand) -> None:
    """The stand takes the boats, and moves on the water from the next turn on [8.9.4-board]."""
    rate = FAST if has(carrier, "fast boats") else SLOW
    kept = tuple(each for each in carrier.equipment if not each.endswith("boats"))
    game.state.change(carrier.id, equipment=kept)
    game.state.change(unit.id, boats=rate)
    words = "{} takes the boats of {}"
    game.tell(Event("transport", words, (unit.name, carrier.name), "8.9.4-board", (unit.id, carrier.id)))


# --- landing ----------------------------------------------------------------------------------------------------------


def landing_roll(position: Position, unit: Stand) -> Calculation:
    """The unmodified roll for landing: no state counts [8.9.4-land]."""
    return cohesion_roll("to land", "8.9.4-land", to_go_on(position, unit), ())


def cannot_land(position: Position, unit: Stand, action: Disembark) -> Refusal | None:
    """Reject a landing by other stands than infantry afloat in boats, and at a place that is not beside it
    [8.9.4-land].
    """
    assert unit.at is not None
    if not unit.boats or not unit.swims or not in_water(position, unit.at):
        return Refusal("{} is not in boats on the water.", "8.9.4-land", (unit.name,))
    if not position.table.holds(action.to) or in_water(position, action.to):
        return Refusal("{} is no place ashore.", PROCEDURE, (tenths(action.to),))
    if square(unit.at, action.to) > ASHORE**2:
        return Refusal("{} is not beside {}.", "8.9.4-land", (unit.name, tenths(action.to)))
    here = position.ground.features_at(action.to)
    if mover(unit).by == "T" and prices(position, replace(unit, swims=False)).inch(here) is None:
        return Refusal("{} cannot stand there.", "8.9.4-land", (unit.name,))
    return wrong_way(position, unit, action.to) or cannot_stand(position, unit, action.to, unit.facing)


def offers(position: Position, unit: Stand) -> Iterator[Disembark]:
    """The nearest place ashore in each of sixteen directions."""
    if unit.at is None or not unit.boats or not unit.swims:
        return
    for number in range(16):
        east, south = direction(number * 360 // 16)
        for far in range(INCH // 2, ASHORE + 1, INCH // 4):
            action = Disembark(unit.id, (unit.at[0] + east * far // MICRO, unit.at[1] + south * far // MICRO))
            if cannot_land(position, unit, action) is None:
                yield action
                break


def play(game: Game[Position], action: Disembark) -> None:
    """Roll: success puts the stand ashore, failure leaves it in the water; it moves no more [8.9.4-land].

    A hidden enemy in that place is placed on the table, and the stand decides anew [SC.stark.hidden].
    """
    position = game.state
    unit = position.units[action.unit]
    if hiding.in_the_place(game, unit, action.to, unit.facing):
        return
    roll = landing_roll(position, unit)
    landed = roll.result([tested(game, unit, roll)]) == SUCCESS
    if landed:
        position.put(unit.id, action.to, boats=0, swims=False)
    position.change(unit.id, spent=whole_allowance(position, position.units[unit.id]))
    position.progress = replace(under_way(position), halted=True)
    words = "{} lands at {}" if landed else "{} fails to land at {}"
    game.tell(Event("moved", words, (unit.name, tenths(action.to)), "8.9.4-land", (unit.id,), (action.to,)))
