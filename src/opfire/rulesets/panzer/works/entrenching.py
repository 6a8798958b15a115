"""Entrenchments [6.1.4.3.6, 6.1.4.3.7, 6.6.8]: digging in, and the units that hold positions."""

from __future__ import annotations

from msgspec.structs import replace

from opfire.core.actions import Action, Refusal
from opfire.core.events import Event
from opfire.core.game import Game
from opfire.rulesets.panzer.pieces import Hex, Position, Unit, UnitId, Work, WorkKind, where_it_is
from opfire.space.hexes import opposite

WHOLE, ENGINEERS_BEGIN = 4, 2
"""The turns of work in an entrenchment, and those that engineers do in their first turn [6.6.8-turns]."""


class DigIn(Action, frozen=True):
    """Work on a Hasty Entrenchment in the hex."""

    says = "{unit} digs in"
    kind = "dig"
    unit: UnitId


class Designate(Action, frozen=True):
    """Use the vehicle's Improved Position as a Partial Hull Down one, or as a full one again."""

    says = "{unit} changes between Hull Down and Partial Hull Down"
    kind = "cover"
    unit: UnitId


def cannot_designate(position: Position, unit: Unit) -> Refusal | None:
    """Reject all but vehicles in Improved Positions [6.1.4.1.2]."""
    if unit.is_vehicle and held_by(position, unit, "improved position"):
        return None
    return Refusal("{} is no vehicle in an Improved Position", "6.1.4.1.2", (unit.name,))


def designate(game: Game[Position], unit_id: UnitId) -> None:
    """A vehicle stands higher in its position, so that Limited weapons fire, or as low as before [6.1.4.1.2]."""
    position, unit = game.state, game.state.units[unit_id]
    held = held_by(position, unit, "improved position")
    assert held is not None
    _swap(position, str(unit.hex), held, replace(held, partial=not held.partial))
    text = "{} is Hull Down in its position" if held.partial else "{} is Partial Hull Down in its position"
    game.tell(Event("covered", text, (unit.name,), "6.1.4.1.2", (unit_id,), (str(unit.hex),)))


def held_by(position: Position, unit: Unit, kind: WorkKind) -> Work | None:
    """The finished position of a kind that a unit holds [6.1.4.3.6, 6.1.4.3.7]."""
    works = position.works.get(unit.hex or "", ())
    return next((work for work in works if work.kind == kind and work.holder == unit.id and finished(work)), None)


def finished(work: Work) -> bool:
    """Return whether a position is finished; those of the scenario are."""
    return work.kind == "improved position" or work.stage in (0, WHOLE)


def occupy(position: Position, unit: Unit, *, backed: bool = False) -> None:
    """A unit that ends its move at an abandoned position takes it; it holds one unit [6.1.4.3.6, 6.1.4.3.7].

    One that a vehicle has `backed` into is open to the front of the vehicle.
    """
    facing = opposite(unit.facing) if backed else unit.facing
    for kind in ("improved position", "hasty entrenchment"):
        works = position.works.get(unit.hex or "", ())
        fits = kind == "improved position" or not unit.is_vehicle
        free = [work for work in works if work.kind == kind and finished(work) and _abandoned(position, unit.hex, work)]
        if fits and free and not any(held_by(position, unit, each) for each in POSITIONS):
            _swap(position, str(unit.hex), free[0], replace(free[0], holder=unit.id, facing=facing, partial=False))


POSITIONS: tuple[WorkKind, ...] = ("improved position", "hasty entrenchment")


def settle_in(position: Position, unit: Unit) -> None:
    """A unit that was hidden stands as it likes in the position that it holds, or takes one in its hex.

    Rules: [6.1.4.3.7, 7.2.2.1-spot]: RULINGS.md R195.
    """
    for kind in POSITIONS:
        if held := held_by(position, unit, kind):
            _swap(position, str(unit.hex), held, replace(held, facing=unit.facing))
    occupy(position, unit)


def _abandoned(position: Position, hex: Hex | None, work: Work) -> bool:
    return work.holder not in position.units or where_it_is(position, work.holder).hex != hex


def _swap(position: Position, hex: Hex, old: Work, new: Work) -> None:
    works = [*position.works[hex]]
    works[works.index(old)] = new
    position.works[hex] = tuple(works)


def begun(position: Position, unit: Unit) -> Work | None:
    """The unfinished entrenchment on which a unit may work: its own, or an abandoned one [6.6.8-turns]."""
    works = position.works.get(str(unit.hex), ())
    open_ = [work for work in works if work.kind == "hasty entrenchment" and not finished(work)]
    own = [work for work in open_ if work.holder == unit.id]
    return next(iter([*own, *(work for work in open_ if _abandoned(position, unit.hex, work))]), None)


def cannot_dig(position: Position, unit: Unit) -> Refusal | None:
    """Reject vehicles, suppressed units, units out of Full Cover or with commands [6.6.8-who]."""
    if unit.is_vehicle or unit.suppression or not unit.full_cover or unit.command != "no command":
        return Refusal("{} digs in from Full Cover, with No Command and unsuppressed", "6.6.8-who", (unit.name,))
    if any(held_by(position, unit, kind) for kind in POSITIONS):
        return Refusal("{} has a position already", "6.6.8-who", (unit.name,))
    return None


def dig(game: Game[Position], unit_id: UnitId) -> None:
    """A turn of work: four make an entrenchment; engineers need two, or one for a begun one [6.6.8-turns]."""
    position, unit = game.state, game.state.units[unit_id]
    hex, old = str(unit.hex), begun(game.state, unit)
    done = 0 if old is None else old.stage
    stage = min(WHOLE, done + 1)
    if "Engineer" in unit.labels:
        stage = WHOLE if done else ENGINEERS_BEGIN
    new = Work("hasty entrenchment", stage=stage, holder=unit_id, facing=unit.facing)
    if old is None:
        position.works[hex] = (*position.works.get(hex, ()), new)
    else:
        _swap(position, hex, old, new)
    facts = (unit.name, stage, WHOLE)
    game.tell(Event("dug", "{} digs in: {} of {}", facts, "6.6.8-turns", (unit_id,), (hex,)))
