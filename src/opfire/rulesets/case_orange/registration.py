"""The registration segment [9.6.6, 12.1]: the places of markers, and their removal."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from opfire.core.actions import NOBODY, PROCEDURE, Action, Refusal
from opfire.core.events import Event
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.rulesets.case_orange.actions import EndSegment
from opfire.rulesets.case_orange.indirect import (
    call_observer,
    cannot_fire_indirectly,
    carrier_among,
    no_indirect_weapon,
    registrars,
    too_far,
)
from opfire.rulesets.case_orange.pieces import Hex, Position, Unit, UnitId
from opfire.rulesets.case_orange.spotting import seen_among, spotted


class Aim(Action, frozen=True):
    """Choose the unit whose marker is to be placed or moved [12.1]."""

    says = "Register {unit}"
    kind = "register"
    unit: UnitId


class Register(Action, frozen=True):
    """Place the registration marker [12.1]."""

    says = "Register on {hex}"
    kind = "register"
    hex: Hex


class RegistrationSegment(Frame, frozen=True):
    """Each eligible indirect unit may place or move its marker [4.2-C3, 9.6.6]."""

    takes = (Aim, EndSegment)
    step = "registration"
    rule = "4.2-C3"
    question = "Choose a unit to register, or end the registration segment"
    done: tuple[UnitId, ...] = ()

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        yield from (unit.id for unit in sight.eligible(side) if no_indirect_weapon(unit) is None)

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        if actor == NOBODY:
            yield EndSegment()
        elif cannot_aim(self, sight, sight.units[actor]) is None:
            yield Aim(actor)

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case Aim(unit):
                return cannot_aim(self, sight, sight.units[unit])
        return None

    def play(self, game: Game[Position], action: Action) -> None:
        """Register one unit after another, or end the segment [4.2-C3]."""
        match action:
            case EndSegment():
                game.pop()
            case Aim(unit):
                game.swap(replace(self, done=(*self.done, unit)))
                game.push(Aiming(self.side, unit))


def cannot_aim(frame: RegistrationSegment, position: Position, unit: Unit) -> Refusal | None:
    """Reject a unit that places no marker now [12.1]: once a turn, eligible, with a hex for it."""
    if refusal := cannot_fire_indirectly(frame.side, unit):
        return refusal
    if unit.id in frame.done:
        return Refusal("{} has already placed its marker this turn", "12.1", (unit.name,))
    if next(registration_hexes(position, unit), None) is None:
        return Refusal("No observer for {} sees a hex where a marker may lie", "12.1", (unit.name,))
    return None


def cannot_register(position: Position, unit: Unit, hex: Hex) -> Refusal | None:
    """Reject a marker that may not lie there [12.1, 12.1.1, 12.1.2]."""
    return (
        not_on_the_board(position, hex)
        or too_far(position, unit, hex)
        or bad_aim_point(position, unit, hex)
        or shared_marker(position, unit, hex)
        or unseen(position, unit, hex)
    )


def unseen(position: Position, unit: Unit, hex: Hex) -> Refusal | None:
    """A marker lies only where an observer looks [12.1]."""
    if next(seen_among(position, registrars(position, unit), (hex,)), None) is not None:
        return None
    return Refusal("No observer for {} sees {}", "12.1", (unit.name, hex))


def not_on_the_board(position: Position, hex: Hex) -> Refusal | None:
    """The hex is not in play."""
    return None if position.map.cells[hex].playable else Refusal("{} is not in play", PROCEDURE, (hex,))


def bad_aim_point(position: Position, unit: Unit, hex: Hex) -> Refusal | None:
    """Markers lie on empty hexes or on spotted enemies [12.1], not on unspotted ones in concealing terrain [12.1.2]."""
    holder = position.holder(hex)
    if holder is None and position.setting.has("R5"):
        return Refusal("There is no spotted enemy in {}", "9.6.6", (hex,))
    if holder is None:
        return None
    if holder == unit.side:
        return Refusal("Your own units are in {}", "12.1", (hex,))
    if not any(spotted(position, other) for other in position.at(hex)):
        return Refusal("The enemy in {} is not spotted", "12.1.2", (hex,))
    return None


def shared_marker(position: Position, unit: Unit, hex: Hex) -> Refusal | None:
    """Two units' markers do not share a hex, except for party lines and barrages [12.1.1, 12.3.3]."""
    for name, where in position.registered.items():
        if where == hex and name != unit.id and position.units[name].side == unit.side:
            together = any(unit.id in group.members and name in group.members for group in position.setting.groups)
            if not together:
                return Refusal(
                    "{} is already registered there: choose another hex", "12.1.1", (position.units[name].name,)
                )
    return None


def registration_hexes(position: Position, unit: Unit) -> Iterator[Hex]:
    """The hexes where the unit's marker may lie."""
    looking = list(registrars(position, unit))
    if not looking or unit.hex is None:
        return
    open_to_all, stacks, markers = not position.setting.has("R5"), position.stacks, position.registered.values()
    for hex in seen_among(position, looking, position.map.within(unit.hex, unit.kind.range)):
        empty = open_to_all and hex not in stacks and hex not in markers
        if empty or not (bad_aim_point(position, unit, hex) or shared_marker(position, unit, hex)):
            yield hex


class Aiming(Frame, frozen=True):
    """The choice of the hex for a unit's marker [12.1]."""

    takes = (Register,)
    step = "registration"
    rule = "12.1"
    question = "Choose the hex to register on"
    unit: UnitId

    def actors(self, sight: Position, side: str) -> tuple[str, ...]:
        return (self.unit,)

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        return (Register(hex) for hex in registration_hexes(sight, sight.units[self.unit]))

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case Register(hex):
                return cannot_register(sight, sight.units[self.unit], hex)
        return None

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case Register(hex):
                position = game.state
                position.registered[self.unit] = hex
                if position.setting.has("R80"):
                    if carrier := carrier_among(position, registrars(position, position.units[self.unit]), hex):
                        call_observer(game, carrier, hex)
                words, name = "{} is registered on {}", position.units[self.unit].name
                game.tell(Event("registered", words, (name, hex), "12.1", (self.unit,), (hex,)))
                game.pop()


def settle_registrations(game: Game[Position]) -> None:
    """Remove a marker at once when all its possible observers are dispersed or gone [12.1.3]."""
    position = game.state
    for name in list(position.registered):
        firer = position.units[name]
        if firer.hex is None or next(registrars(position, firer), None) is None:
            hex = position.registered.pop(name)
            game.tell(Event("registered", "{} loses its registration", (firer.name,), "12.1.3", (name,), (hex,)))


def drop_registration(game: Game[Position], unit_id: UnitId) -> None:
    """Remove the marker at once when its parent moves or is loaded [12.1.3]."""
    hex = game.state.registered.pop(unit_id, None)
    if hex is not None:
        unit = game.state.units[unit_id]
        game.tell(Event("registered", "{} loses its registration", (unit.name,), "12.1.3", (unit_id,), (hex,)))
