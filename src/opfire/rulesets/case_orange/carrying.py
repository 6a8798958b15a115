"""Transporting units [5.7]: carriers and passengers, getting in and out."""

from __future__ import annotations

from collections.abc import Iterator

from opfire.core.actions import PROCEDURE, Action, Refusal
from opfire.core.events import Event
from opfire.core.game import Game
from opfire.rulesets.case_orange.costs import allowance, half_allowance
from opfire.rulesets.case_orange.pieces import (
    Position,
    Unit,
    UnitId,
    carried,
    not_eligible,
    off_the_map,
    overstacked,
)
from opfire.rulesets.case_orange.registration import drop_registration

CARRIERS = ("C", "C(I)")


class Load(Action, frozen=True):
    """A carrier takes a unit of its hex aboard [5.7]."""

    says = "{carrier} loads {unit}"
    kind = "load"
    carrier: UnitId
    unit: UnitId


class Unload(Action, frozen=True):
    """A carrier sets its passenger down [5.7]."""

    says = "{carrier} unloads"
    kind = "unload"
    carrier: UnitId


def cannot_load(position: Position, carrier: Unit, unit: Unit) -> Refusal | None:
    """Reject a carrier that may not take that unit aboard [5.7]."""
    return (
        cannot_carry(position, carrier, unit)
        or not_together(carrier, unit)
        or already_loaded(carrier, unit)
        or carried(unit)
        or not_fit(unit)
    )


def cannot_carry(position: Position, carrier: Unit, unit: Unit) -> Refusal | None:
    """Carriers carry non-vehicles, never cavalry [5.7.4]; armour carries infantry and engineers by doctrine [5.7.5]."""
    if unit.side != carrier.side:
        return Refusal("{} is not on your side", PROCEDURE, (unit.name,))
    if unit.vehicle:
        return Refusal("{} is a vehicle and is not carried", "5.7.4", (unit.name,))
    if unit.kind.type == "cavalry":
        return Refusal("{} is cavalry and is not carried", "5.7.4", (unit.name,))
    if carrier.kind.weapon in CARRIERS:
        return too_big(carrier, unit)
    if refusal := carries_nobody(carrier):
        return refusal
    if not position.setting.riders(carrier.side):
        return Refusal("The doctrine of {} does not allow riders on armour", "5.7.5", (carrier.side,))
    if carrier.kind.carries != "riders":
        return Refusal("No unit can ride on {}", "5.7.5", (carrier.name,))
    if unit.kind.type not in ("infantry", "engineer"):
        return Refusal("Only infantry and engineers ride on armour", "5.7.5")
    return too_big(carrier, unit)


def carries_nobody(carrier: Unit) -> Refusal | None:
    """Reject a unit that is neither a carrier by class nor armour [5.7.4, 5.7.5]."""
    if carrier.kind.weapon in CARRIERS or (carrier.vehicle and carrier.kind.armoured):
        return None
    return Refusal("{} cannot carry other units", "5.7.4", (carrier.name,))


def too_big(carrier: Unit, unit: Unit) -> Refusal | None:
    """A carrier carries a unit of no more points than its own: RULINGS.md R42."""
    room = int(carrier.kind.carries) if carrier.kind.carries.isdigit() else carrier.kind.points
    if unit.kind.points > room:
        return Refusal("{} has room for {} stacking points", "5.7", (carrier.name, room))
    return None


def not_together(carrier: Unit, unit: Unit) -> Refusal | None:
    """Reject two units in different hexes, or one of them below works [5.7.8]."""
    if carrier.hex != unit.hex or carrier.status != unit.status:
        return Refusal("{} and {} are not together", "5.7", (carrier.name, unit.name))
    if carrier.below in ("position", "fort"):
        return Refusal("{} loads only above the works", "5.7.8", (carrier.name,))
    return None


def already_loaded(carrier: Unit, unit: Unit) -> Refusal | None:
    """One passenger, and one act of carrying, a turn [5.7]."""
    if carrier.cargo is not None:
        return Refusal("{} already carries a unit", "5.7", (carrier.name,))
    return None


def not_fit(unit: Unit) -> Refusal | None:
    """A passenger is eligible, and has not moved, loaded or unloaded this turn [5.7]."""
    return not_eligible(unit) or (
        Refusal("{} has moved, loaded or unloaded this turn", "5.7", (unit.name,))
        if unit.locked or unit.moved
        else None
    )


def cannot_unload(position: Position, carrier: Unit) -> Refusal | None:
    """Reject a carrier that may not set its passenger down here [5.7.6]."""
    if carrier.cargo is None:
        return Refusal("{} carries no unit", "5.7", (carrier.name,))
    if carrier.hex is None:
        return off_the_map(carrier)
    if carrier.below in ("position", "fort"):
        return Refusal("{} unloads only above the works", "5.7.8", (carrier.name,))
    if position.units[carrier.cargo].locked:
        return Refusal("{} loaded this turn", "5.7", (position.units[carrier.cargo].name,))
    passenger = position.units[carrier.cargo]
    refusal = overstacked(position, passenger, carrier.hex)
    return Refusal(refusal.text, "5.7.6", refusal.facts) if refusal else None


def beyond_half(unit: Unit, left: int) -> Refusal | None:
    """Loading or unloading goes with at most half a move [5.7]."""
    if allowance(unit) - left > half_allowance(unit):
        return Refusal("{} has moved more than half its allowance", "5.7", (unit.name,))
    return None


def set_down(game: Game[Position], carrier: UnitId) -> UnitId:
    """The passenger gets out: it is as spotted as its carrier was [8.1.5] and does nothing more but assault."""
    position = game.state
    name = position.unload(carrier)
    heavy = position.setting.has("16.5") and position.units[name].kind.artillery
    unit = position.change(name, locked=True, busy=1 if heavy else 0, moved=False)
    game.tell(Event("unloaded", "{} unloads in {}", (unit.name, unit.hex), "5.7", (name, carrier), (str(unit.hex),)))
    return name


def take_aboard(game: Game[Position], carrier: UnitId, unit_id: UnitId) -> None:
    """The unit gets in; it neither moves nor fires this turn [5.7]."""
    position = game.state
    drop_registration(game, unit_id)
    leave_dug_in(game, position.units[unit_id])
    position.load(carrier, unit_id)
    heavy = position.setting.has("16.5") and position.units[unit_id].kind.artillery
    unit = position.change(unit_id, locked=True, busy=1 if heavy else 0)
    where = (unit.hex,) if unit.hex else ()
    game.tell(
        Event("loaded", "{} loads {}", (position.units[carrier].name, unit.name), "5.7", (carrier, unit_id), where)
    )


def cannot_pick_up(position: Position, carrier: Unit, unit: Unit, left: int) -> Refusal | None:
    """Reject a carrier under way that may not load."""
    return cannot_load(position, carrier, unit) or beyond_half(carrier, left) or carried_before(carrier)


def cannot_drop_off(position: Position, carrier: Unit, left: int) -> Refusal | None:
    """Reject a carrier under way that may not unload."""
    return cannot_unload(position, carrier) or beyond_half(carrier, left) or carried_before(carrier)


def carried_before(carrier: Unit) -> Refusal | None:
    """Loading, carrying and unloading: one of them a turn [5.7]: RULINGS.md R9."""
    return Refusal("{} has loaded or unloaded this turn", "5.7", (carrier.name,)) if carrier.locked else None


def loadings(position: Position, unit: Unit, left: int) -> Iterator[Action]:
    """The loadings and unloadings that a vehicle may do in its hex."""
    if not unit.vehicle or unit.hex is None:
        return
    if unit.cargo is not None:
        if cannot_drop_off(position, unit, left) is None:
            yield Unload(unit.id)
    else:
        for other in position.at(unit.hex):
            if not other.vehicle and cannot_pick_up(position, unit, other, left) is None:
                yield Load(unit.id, other.id)


def leave_dug_in(game: Game[Position], unit: Unit) -> None:
    """Remove a dug-in marker when the last unit under it has moved [10.2]."""
    position, hex = game.state, unit.hex
    if unit.below != "dug-in" or hex is None:
        return
    position.change(unit.id, below="")
    if not any(other.below == "dug-in" for other in position.at(hex)):
        position.change_works(hex, dug_in="")
        game.tell(Event("result", "The dug-in marker in {} is removed", (hex,), "10.2", (), (hex,)))
