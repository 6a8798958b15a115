"""Direct fire of several batteries as one [7.4.9]: one roll to fire, one sheaf, one deviation."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from opfire.core.actions import NOBODY, PROCEDURE, Action, Offer, Refusal
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.rulesets.micro_armour.artillery.batteries import batteries
from opfire.rulesets.micro_armour.artillery.direct import (
    FireDirect,
    cannot_fire_as_one,
    fire_as_one,
    is_free,
    sheafs_at,
)
from opfire.rulesets.micro_armour.pieces import Position, Side, UnitId, adjacent


class FireTogether(Action, frozen=True):
    """Let another battery fire directly with a battery, or with a group that it leads, as one [7.4.9]."""

    says = "{other} fires with {unit}"
    kind = "fire"
    unit: UnitId
    other: UnitId


class FireAlone(Action, frozen=True):
    """Let each battery fire for itself after all."""

    says = "Each battery fires for itself"
    kind = "done"


def cannot_fire_together(position: Position, side: Side, names: tuple[UnitId, ...], other: UnitId) -> Refusal | None:
    """Reject a battery that does not fire as one with others: they are of one formation, in contact [7.4.9]."""
    first, unit = position.units[names[0]], position.units[other]
    if other in names:
        return Refusal("{} fires with them already", PROCEDURE, (unit.name,))
    found = (is_free(position, side, each) for each in (*position.pick(names), unit))
    if refusal := next((each for each in found if each), None):
        return refusal
    same = bool(first.formation) and unit.formation == first.formation
    if same and any(adjacent(unit, each) for each in position.pick(names)):
        return None
    return Refusal("{} is not of the same formation, in contact", "7.4.9", (unit.name,))


def partners(position: Position, side: Side, names: tuple[UnitId, ...]) -> Iterator[FireTogether]:
    """The batteries that may fire as one with these."""
    for unit in batteries(position, side):
        if cannot_fire_together(position, side, names, unit.id) is None:
            yield FireTogether(names[0], unit.id)


class GroupedFire(Frame, frozen=True):
    """Batteries that fire as one choose the place of their sheaf [7.4.9.1]; the frame ends with whether they fired."""

    takes = (FireTogether, FireDirect, FireAlone)
    step = "artillery"
    rule = "7.4.9"
    question = "Choose the place of the batteries' fire, or another battery that fires with them"
    units: tuple[UnitId, ...] = ()

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        yield self.units[0]

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Offer]:
        if actor == NOBODY:
            yield FireAlone()
        elif actor == self.units[0]:
            yield from sheafs_at(sight, side, self.units)
            yield from partners(sight, side, self.units)

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case FireTogether(unit, other) if unit == self.units[0]:
                return cannot_fire_together(sight, side, self.units, other)
            case FireDirect(unit) if unit == self.units[0]:
                return cannot_fire_as_one(sight, side, self.units, action)
            case FireAlone():
                return None
        return Refusal("{} leads the batteries that fire as one", PROCEDURE, (sight.units[self.units[0]].name,))

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case FireTogether(_, other):
                game.swap(replace(self, units=(*self.units, other)))
            case FireDirect():
                fire_as_one(game, action, self.units)
                game.pop(True)
            case _:
                game.pop(False)
