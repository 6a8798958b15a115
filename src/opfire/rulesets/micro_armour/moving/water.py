"""Amphibious movement and infantry that fords streams [8.9, 9.5]."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from opfire.core.actions import PROCEDURE, Action, Refusal
from opfire.core.events import Calculation, Event
from opfire.core.game import Game
from opfire.core.places import Point, tenths
from opfire.rulesets.micro_armour import hiding
from opfire.rulesets.micro_armour.cohesion import FAILURE, cohesion_roll, states, tested, to_go_on
from opfire.rulesets.micro_armour.moving.marching import (
    cannot_stand,
    in_water,
    pinned,
    under_way,
    whole_allowance,
    wrong_way,
)
from opfire.rulesets.micro_armour.moving.prices import WATERS
from opfire.rulesets.micro_armour.pieces import Position, Stand, UnitId
from opfire.rulesets.micro_armour.weather import frozen
from opfire.space.measure import MICRO, direction

BESIDE = 720
"""A stand is beside water that is at most this far from its centre (1/1000 inch)."""

FORDS = (1200, 1500, 1750, 2000, 2500)
"""The ways across a stream that are offered, from centre to centre (1/1000 inch)."""


class Launch(Action, frozen=True):
    """Enter the water: with a roll, a stand uses its amphibious points in this phase."""

    says = "{unit} takes to the water"
    kind = "move"
    final = True
    unit: UnitId


class Ford(Action, frozen=True):
    """Wade through a stream to a place beside its far bank (1/1000 inch)."""

    says = "{unit} fords the stream to {to}"
    kind = "move"
    final = True
    unit: UnitId
    to: Point


# --- amphibious stands ------------------------------------------------------------------------------------------------


def afloat(position: Position, unit: Stand) -> bool:
    """Return whether an amphibious stand begins its phase in water, and so uses amphibious points [8.9.3]."""
    amphibious = bool(unit.kind.amph_points or unit.boats) and not unit.kind.has("boat")
    return amphibious and unit.at is not None and in_water(position, unit.at)


def beside_water(position: Position, at: Point, kinds: frozenset[str]) -> bool:
    """Return whether a stand at a point touches water of these kinds; ice is none [9.6.2-ice]."""
    return not frozen(position.setting) and any(each.kind in kinds for each in position.ground.under(at, BESIDE))


def cannot_launch(position: Position, unit: Stand, action: Launch) -> Refusal | None:
    """Reject a stand that is not amphibious, or did not begin its move beside the water [8.9, 8.9.1]."""
    assert unit.at is not None
    if not (unit.kind.amph_points or unit.boats) or unit.kind.has("boat"):
        return Refusal("{} is not amphibious.", "8.9", (unit.name,))
    if unit.swims:
        return Refusal("{} uses its amphibious points already.", "8.9.1", (unit.name,))
    if unit.gone or unit.spent:
        return Refusal("{} has used land movement points in this phase.", "8.9.1", (unit.name,))
    if not beside_water(position, unit.at, WATERS):
        return Refusal("{} is not beside water.", "8.9.1", (unit.name,))
    return pinned(position, unit)


def water_roll(position: Position, unit: Stand) -> Calculation:
    """The roll for entering the water [8.9.2]."""
    return cohesion_roll("to enter the water", "8.9.2", to_go_on(position, unit), states(unit))


def fording_roll(position: Position, unit: Stand) -> Calculation:
    """The roll for wading through a stream [8.9.5]."""
    return cohesion_roll("to ford the stream", "8.9.5", to_go_on(position, unit), states(unit))


def launch(game: Game[Position], action: Launch) -> None:
    """Roll: success gives the whole amphibious rate, failure keeps the stand where it is, until a new order [8.9.2]."""
    position = game.state
    unit = position.units[action.unit]
    roll = water_roll(position, unit)
    if roll.result([tested(game, unit, roll)]) == FAILURE:
        position.progress = replace(under_way(position), halted=True, waits=True)
        return
    position.change(unit.id, swims=True)


# --- infantry at a stream ---------------------------------------------------------------------------------------------


def cannot_ford(position: Position, unit: Stand, action: Ford) -> Refusal | None:
    """Reject a crossing by other stands than infantry that began its move beside the stream [8.9.5].

    Stands on horses, motorcycles and bicycles are classed as infantry [8.9.4].
    """
    assert unit.at is not None
    if unit.kind.kind != "personnel":
        return Refusal("Only infantry fords streams, not {}.", "8.9.5", (unit.name,))
    if unit.gone or unit.spent or unit.posture != "movement":
        return Refusal("{} fords only at the beginning of its move.", "8.9.5", (unit.name,))
    if not beside_water(position, unit.at, frozenset({"stream"})):
        return Refusal("{} is not beside a stream.", "8.9.5", (unit.name,))
    return _no_bank(position, unit, action.to) or pinned(position, unit) or wrong_way(position, unit, action.to)


def _no_bank(position: Position, unit: Stand, to: Point) -> Refusal | None:
    """Reject a place that is not beside the far bank of the stream."""
    assert unit.at is not None
    if not position.table.holds(to) or in_water(position, to):
        return Refusal("{} is no place on the far bank.", PROCEDURE, (tenths(to),))
    crossed = [span.feature.kind for span in position.ground.spans(unit.at, to)]
    if "stream" not in crossed or not beside_water(position, to, frozenset({"stream"})):
        return Refusal("{} is not beside the far bank.", "8.9.5", (tenths(to),))
    if any(kind in WATERS and kind != "stream" for kind in crossed):
        return Refusal("Deeper water lies between.", "8.9.5")
    return cannot_stand(position, unit, to, unit.facing)


def ford(game: Game[Position], action: Ford) -> None:
    """Roll: success brings the stand across; in both cases it is suppressed and has no points left [8.9.5].

    A hidden enemy on the far bank is placed on the table, and the stand decides anew [SC.stark.hidden].
    """
    position = game.state
    unit = position.units[action.unit]
    if hiding.in_the_place(game, unit, action.to, unit.facing):
        return
    roll = fording_roll(position, unit)
    crossed = roll.result([tested(game, unit, roll)]) != FAILURE
    if crossed:
        position.put(unit.id, action.to)
    position.change(unit.id, suppressed=True, spent=whole_allowance(position, unit))
    position.progress = replace(under_way(position), halted=True)
    words = "{} fords the stream to {}" if crossed else "{} fails to ford the stream to {}"
    game.tell(Event("moved", words, (unit.name, tenths(action.to)), "8.9.5", (unit.id,), (action.to,)))


# --- offers -----------------------------------------------------------------------------------------------------------


def offers(position: Position, unit: Stand) -> Iterator[Action]:
    """Entering the water, and the nearest ways through a stream in sixteen directions."""
    if unit.at is None or unit.gone or not beside_water(position, unit.at, WATERS):
        return
    if cannot_launch(position, unit, Launch(unit.id)) is None:
        yield Launch(unit.id)
    for number in range(16):
        places = (_step(unit.at, number * 360 // 16, far) for far in FORDS)
        ways = (Ford(unit.id, to) for to in places)
        yield from [way for way in ways if cannot_ford(position, unit, way) is None][:1]


def _step(at: Point, heading: int, far: int) -> Point:
    east, south = direction(heading)
    return at[0] + east * far // MICRO, at[1] + south * far // MICRO


def judge(position: Position, unit: Stand, action: Launch | Ford) -> Refusal | None:
    """The reason against entering the water, or fording a stream."""
    if isinstance(action, Launch):
        return cannot_launch(position, unit, action)
    return cannot_ford(position, unit, action)


def play(game: Game[Position], action: Launch | Ford) -> None:
    """Enter the water, or ford a stream."""
    if isinstance(action, Launch):
        launch(game, action)
    else:
        ford(game, action)
