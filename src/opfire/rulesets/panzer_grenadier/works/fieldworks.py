"""Digging in, wrecks, entrenchments [16.2, 16.3, 16.4]."""

from __future__ import annotations

from collections.abc import Iterator

from opfire.core.actions import Action, Refusal
from opfire.core.events import Event
from opfire.core.game import Game
from opfire.core.texts import joined
from opfire.rulesets.panzer_grenadier.ground import river, terrain_of
from opfire.rulesets.panzer_grenadier.movement.costs import allowance
from opfire.rulesets.panzer_grenadier.pieces import Hex, Position, Side, Unit, UnitId, not_ready, not_yours, off_the_map


class DigIn(Action, frozen=True):
    """Spend the segment digging; the second one completes the work [16.2]."""

    says = "{unit} digs in"
    kind = "work"
    unit: UnitId


class ClearWreck(Action, frozen=True):
    """Spend the segment pushing a wreck out of the way; the second turn running clears it [16.31]."""

    says = "{unit} clears a wreck"
    kind = "work"
    unit: UnitId


ACTS: tuple[type[Action], ...] = (DigIn, ClearWreck)


# --- questions --------------------------------------------------------------------------------------------------


def dug_in(position: Position, unit: Unit) -> bool:
    """Whether the unit has dug itself in [16.22, 16.22.A1].

    A leader counts as dug in beside any dug-in unit [16.22.a, 16.2.A1], but never shares his own hole [16.2.A3].
    """
    complete = position.charts.figure("segments to dig in")
    if unit.carrier is not None:
        return False
    if unit.dug_in >= complete:
        return True
    if not unit.leader or unit.hex is None:
        return False
    return any(other.dug_in >= complete and not other.leader for other in position.at(unit.hex, unit.side))


def entrenched(position: Position, unit: Unit) -> bool:
    """Whether an entrenchment shelters the unit from fire [16.4], which it does not do for passengers.

    In an assault hex only units that were there before the enemy benefit from it [12.41.c]; later arrivals do not.
    """
    if unit.hex is None or unit.carrier is not None or not in_entrenchment(position, unit):
        return False
    stack = position.stacks[unit.hex]
    enemies = [other.id for other in position.enemies(unit.side, unit.hex)]
    return all(stack.index(unit.id) > stack.index(enemy) for enemy in enemies)


def in_entrenchment(position: Position, unit: Unit) -> bool:
    """Whether a unit has the use of an entrenchment in its hex: AFVs, cavalry and transports have none [16.41]."""
    if unit.hex is None or not position.work(unit.hex).entrenchment:
        return False
    return not (unit.afv or unit.transport or unit.type_in("cavalry"))


def told_to(unit: Unit) -> tuple[Side, ...]:
    """The sides that learn of a unit's work in its hex: all, but for hidden units their own side alone [16.6]."""
    return (unit.side,) if unit.hidden else ()


# --- what interrupts, what remains ------------------------------------------------------------------------------


def interrupted(game: Game[Position], unit_id: UnitId) -> None:
    """Disrupted, demoralized, firing, attacking or moving: half-done work is lost [16.21, 16.31, 16.74]."""
    position = game.state
    unit = position.units[unit_id]
    if 0 < unit.dug_in < position.charts.figure("segments to dig in"):
        position.change(unit_id, dug_in=0)
        where = (unit.hex,) if unit.hex else ()
        only = told_to(unit)
        game.tell(Event("result", "{} breaks off digging", (unit.name,), "16.21", (unit_id,), where, only=only))
    if unit.work or unit.type_in("engineer"):
        position.change(unit_id, work=0, worked=-1)  # not the turn before any: this one is not a whole turn


def keep_hole(game: Game[Position], unit_id: UnitId) -> None:
    """A dug-in unit is destroyed: leaders in its hex keep the hole [16.2.A1]. Called before it is taken away."""
    position = game.state
    unit = position.units[unit_id]
    complete = position.charts.figure("segments to dig in")
    if unit.leader or unit.hex is None or unit.dug_in < complete:
        return
    for other in position.at(unit.hex, unit.side):
        if other.leader:
            position.change(other.id, dug_in=complete)


def place_wreck(game: Game[Position], hex: Hex) -> None:
    """An AFV has lost a step there: a wreck, if the hex is a town or has a bridge [16.3]."""
    position = game.state
    if "town" not in terrain_of(position, hex) and not position.map.cells[hex].bridge:
        return
    position.change_works(hex, wrecks=position.work(hex).wrecks + 1)
    game.tell(Event("wreck", "A wreck lies in {}", (hex,), "16.3", (), (hex,)))


# --- checks -----------------------------------------------------------------------------------------------------


def not_fresh(position: Position, unit: Unit) -> Refusal | None:
    """It takes the whole allowance [16.2, 5.63]."""
    assert position.activation is not None
    if position.activation.spent_by(unit.id) or position.activation.start(unit.id) != unit.hex:
        return Refusal("{} has moved or loaded in this segment", "16.2", (unit.name,))
    return None


def hard_ground(position: Position, hex: Hex) -> Refusal | None:
    """No unit digs in a town, in woods, in an entrenchment [16.2], nor in water."""
    rows = [position.charts.terrain[name] for name in terrain_of(position, hex)]
    if closed := [row.terrain for row in rows if not row.dig_in]:
        return Refusal("Units cannot dig in in {}: {}", "16.2", (hex, joined(closed)))
    if position.work(hex).entrenchment:
        return Refusal("There is an entrenchment in {}", "16.2", (hex,))
    return Refusal("{} is in the river", "16.2", (hex,)) if river(position, hex) else None


def cannot_dig_in(position: Position, unit: Unit) -> Refusal | None:
    """Reject a unit that may not dig in now [16.2]."""
    if refusal := off_the_map(unit) or not_ready(position, unit, "move") or aboard(unit) or not_fresh(position, unit):
        return refusal
    if unit.dug_in >= position.charts.figure("segments to dig in"):
        return Refusal("{} is dug in", "16.2", (unit.name,))
    return hard_ground(position, str(unit.hex))


def aboard(unit: Unit) -> Refusal | None:
    """A passenger can only get off by itself [5.6]."""
    return Refusal("{} is being carried", "5.6", (unit.name,)) if unit.carrier is not None else None


def cannot_clear(position: Position, unit: Unit) -> Refusal | None:
    """Reject a unit that may not work at a wreck now [16.31]."""
    if refusal := off_the_map(unit) or not_ready(position, unit, "move") or not_fresh(position, unit):
        return refusal
    least = position.charts.figure("armor to clear wrecks")
    if unit.kind is None or unit.kind.armor is None or unit.kind.armor < least:
        return Refusal("{} does not have armor of {} or more", "16.31", (unit.name, least))
    if not unit.good_order:
        return Refusal("{} is {}", "16.31", (unit.name, unit.state))
    if not position.work(str(unit.hex)).wrecks:
        return Refusal("There is no wreck in {}", "16.31", (unit.hex,))
    return None


# --- the protocol of a chapter ----------------------------------------------------------------------------------


def choices(position: Position, unit: Unit) -> Iterator[Action]:
    """Digging, which leaders do by themselves too [16.2.A2], and clearing by an active unit."""
    if cannot_dig_in(position, unit) is None:
        yield DigIn(unit.id)
    if cannot_clear(position, unit) is None:
        yield ClearWreck(unit.id)


def refusal(position: Position, side: Side, action: Action) -> Refusal | None:
    """Reject illegal work."""
    match action:
        case DigIn(name):
            unit = position.units[name]
            return not_yours(side, unit) or cannot_dig_in(position, unit)
        case ClearWreck(name):
            unit = position.units[name]
            return not_yours(side, unit) or cannot_clear(position, unit)
    return None


def play(game: Game[Position], side: Side, action: Action) -> None:
    """Do one segment's work."""
    match action:
        case DigIn(name):
            dig(game, name)
        case ClearWreck(name):
            clear(game, name)


def dig(game: Game[Position], unit_id: UnitId) -> None:
    """One of two segments of digging [16.2]."""
    position = game.state
    unit = position.change(unit_id, dug_in=position.units[unit_id].dug_in + 1)
    done = dug_in(position, unit)
    words = "{} is dug in in {}" if done else "{} begins to dig in in {}"
    game.tell(Event("dug-in", words, (unit.name, unit.hex), "16.2", (unit_id,), (str(unit.hex),), only=told_to(unit)))
    position.spend(unit_id, allowance(position, unit))  # all of it, so that a leader cannot help others afterwards
    position.finish(unit_id)


def clear(game: Game[Position], unit_id: UnitId) -> None:
    """One of two turns, one after the other, at a wreck [16.31]."""
    position = game.state
    unit = position.units[unit_id]
    hex, turns = str(unit.hex), unit.work + 1 if unit.worked == position.turn - 1 else 1
    if turns >= position.charts.figure("turns to clear a wreck"):
        position.change_works(hex, wrecks=position.work(hex).wrecks - 1)
        position.change(unit_id, work=0, worked=0)
        words = "{} clears a wreck from {}"
        if unit.hidden:  # the other side sees only that the wreck is gone
            others = (position.setting.other[unit.side],)
            game.tell(Event("result", "A wreck is cleared from {}", (hex,), "16.31", (), (hex,), only=others))
    else:
        position.change(unit_id, work=turns, worked=position.turn)
        words = "{} works at a wreck in {}"
    game.tell(Event("result", words, (unit.name, hex), "16.31", (unit_id,), (hex,), only=told_to(unit)))
    position.finish(unit_id)
