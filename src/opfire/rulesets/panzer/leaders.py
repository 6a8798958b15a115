"""Leaders [7.55]: officers and NCOs attached to units, their effects, and their transfer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, TypeAlias

from opfire.core.actions import NOBODY, Action, Refusal
from opfire.core.events import Event, Line
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.rulesets.panzer import control
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.pieces import Position, Unit, UnitId, away, everybody, not_yours
from opfire.rulesets.panzer.sections import Label

OPTION = "7.55"
Effect: TypeAlias = Literal["ap", "gp", "recovery", "morale", "spotting", "response"]
WIDE: tuple[Effect, ...] = ("ap", "gp", "recovery", "morale")
"""The effects that leaders of headquarters have on all of their formation within Command Range [7.55.2-hq]."""

OFFICES: frozenset[Label] = frozenset({"CHQ", "BHQ", "FO"})
"""The labels that go along with a leader who transfers [7.55.1-transfer]."""


class Transfer(Action, frozen=True):
    """A leader goes over to another leg or towed unit in the hex."""

    says = "The leader of {unit} joins {other}"
    kind = "join"
    unit: UnitId
    other: UnitId


def amount(position: Position, leader: Unit, of: Effect) -> int:
    """The effect of a unit's leader; less is better for the recovery from suppression [7.55.2-types]."""
    value = int(getattr(position.charts.leaders[leader.leader], of))
    return -value if of == "recovery" else value


def lines(position: Position, unit: Unit, of: Effect) -> Iterator[Line]:
    """The modifier of the one leader who helps a unit most [7.55.2-one, 7.55.2-hq, 7.55.2-morale]."""
    found = [amount(position, leader, of) for leader in helpers(position, unit, of)]
    best = max(found, key=abs, default=0)
    if best:
        yield Line("modifier", "Leader", f"{best:+d}", "7.55.2-one", best)


def helpers(position: Position, unit: Unit, of: Effect) -> Iterator[Unit]:
    """The units whose leaders help a unit: itself, headquarters in range [7.55.2-hq, 7.55.1-attach].

    Only leaders who act as FO or headquarters, or with Recon units, help observers [7.55.2-types].
    """
    if OPTION not in position.setting.options:
        return
    if unit.leader and (of != "response" or acting(unit) or "Recon" in unit.labels):
        yield unit
    for other in everybody(position, unit.side) if of in WIDE else ():
        heads = other.leader and not {"CHQ", "BHQ"}.isdisjoint(acting(other)) and other.id != unit.id
        comrades = heads and other.formation == unit.formation and unit.hex is not None
        if comrades and away(position, other, unit) <= control.command_range(position, unit):
            yield other


def acting(unit: Unit) -> tuple[Label, ...]:
    """The offices in which a unit's leader acts: one who has joined it has those that he brought [7.55.1-transfer]."""
    held = tuple(label for label in unit.labels if label in OFFICES)
    return held if unit.office is None else tuple(label for label in held if label in unit.office)


def in_person(position: Position, units: Iterable[Unit]) -> Iterator[Line]:
    """The modifier of the best leader who takes part in close combat or an Overrun himself, once [7.55.2-hq].

    Headquarters elsewhere do not help there.
    """
    led = (unit for unit in units if unit.leader) if OPTION in position.setting.options else ()
    best = max((amount(position, unit, "gp") for unit in led), default=0)
    if best:
        yield Line("modifier", "Leader", f"{best:+d}", "7.55.2-hq", best)


# --- transfer [7.55.1-transfer] --------------------------------------------------------------------------------


def cannot_transfer(position: Position, unit: Unit, to: Unit) -> Refusal | None:
    """Reject transfers from and to vehicles, from shaken units, to other formations, hexes and units with leaders."""
    if OPTION not in position.setting.options or not unit.leader:
        return Refusal("{} has no leader", "7.55.1-transfer", (unit.name,))
    if unit.is_vehicle or to.is_vehicle or to.leader:
        return Refusal(
            "{} and {}: leaders of leg and towed units alone transfer", "7.55.1-transfer", (unit.name, to.name)
        )
    if unit.suppression or unit.morale:
        return Refusal("{} is shaken: its leader stays", "7.55.1-transfer", (unit.name,))
    if unit.hex is None or unit.hex != to.hex or unit.formation != to.formation or unit.id == to.id:
        return Refusal("{} is not in the hex and formation of {}", "7.55.1-transfer", (to.name, unit.name))
    return None


def transfer(game: Game[Position], unit_id: UnitId, to: UnitId) -> None:
    """A leader joins another unit, with his office [7.55.1-transfer]."""
    unit, other = game.state.units[unit_id], game.state.units[to]
    offices = acting(unit)
    left = tuple(label for label in unit.labels if label not in offices)
    game.state.change(unit_id, leader="", office=None, labels=left)
    new = tuple(dict.fromkeys((*other.labels, *offices)))
    game.state.change(to, leader=unit.leader, office=offices, labels=new)
    game.tell(Event("joined", "The leader of {} joins {}", (unit.name, other.name), "7.55.1-transfer", (unit_id, to)))


def transfers(position: Position, unit: Unit) -> Iterator[Transfer]:
    """The units that a unit's leader may join."""
    for other in position.at(str(unit.hex)):
        if other.side == unit.side and cannot_transfer(position, unit, other) is None:
            yield Transfer(unit.id, other.id)


class TransferStep(Frame, frozen=True):
    """After all other steps of the Adjustment Phase leaders may join other units in their hexes [7.55.1-transfer]."""

    takes = (Transfer, EndStep)
    step = "adjustment"
    rule = "7.55.1-transfer"
    question = "Let leaders join other units, or go on"

    def begin(self, game: Game[Position]) -> None:
        """Ask only a side with a leader who can join another unit."""
        if not any(True for unit in game.state.of(self.side) for _ in transfers(game.state, unit)):
            game.pop()

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        yield from (unit.id for unit in sight.of(side) if unit.leader)

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        if actor == NOBODY:
            yield EndStep()
        else:
            yield from transfers(sight, sight.units[actor])

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case Transfer(name, to):
                unit, other = sight.units[name], sight.units[to]
                return not_yours(side, unit) or not_yours(side, other) or cannot_transfer(sight, unit, other)
        return None

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case Transfer(unit, to):
                transfer(game, unit, to)
            case _:
                game.pop()
