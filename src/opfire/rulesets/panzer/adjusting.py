"""The Pivot and Adjust Full Cover Steps [6.8.1, 6.8.2]."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from opfire.core.actions import NOBODY, Action, Refusal
from opfire.core.events import Event
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.fire import turrets
from opfire.rulesets.panzer.fire.losses import leave_behind
from opfire.rulesets.panzer.fire.trailer import Jettison, cannot_jettison, jettison
from opfire.rulesets.panzer.fire.turrets import AdjustTurret, Button
from opfire.rulesets.panzer.morale import checks
from opfire.rulesets.panzer.moving import passengers
from opfire.rulesets.panzer.moving.going import lamed
from opfire.rulesets.panzer.pieces import Position, Side, Unit, UnitId, not_yours, off_the_map
from opfire.rulesets.panzer.works.entrenching import Designate, DigIn, cannot_designate, cannot_dig, designate, dig

COVERLESS = frozenset({"ford", "stream"})
"""The terrain without Full Cover, besides bridges [6.1.4.2]."""


class Pivot(Action, frozen=True):
    """Turn a leg or towed unit in place to a facing (0 north, clockwise, to 5)."""

    says = "{unit} turns to {facing}"
    kind = "turn"
    unit: UnitId
    facing: int


class EnterCover(Action, frozen=True):
    """Take Full Cover for the next turn."""

    says = "{unit} takes Full Cover"
    kind = "cover"
    unit: UnitId


class LeaveCover(Action, frozen=True):
    """Leave Full Cover for the next turn."""

    says = "{unit} leaves Full Cover"
    kind = "cover"
    unit: UnitId


def cannot_pivot(unit: Unit, facing: int) -> Refusal | None:
    """Reject a pivot of a vehicle, or to the same facing [5.5, 6.8.1]."""
    if unit.is_vehicle:
        return Refusal("{} is a vehicle: only leg and towed units pivot", "6.8.1", (unit.name,))
    if facing not in range(6) or facing == unit.facing:
        return Refusal("{} faces that way already, or there is no such way", "6.8.1", (unit.name,))
    return None


def cannot_take_cover(position: Position, unit: Unit) -> Refusal | None:
    """Reject Full Cover for vehicles, and in Bridge, Ford and Stream hexes [6.1.4.2]."""
    if unit.is_vehicle or unit.full_cover:
        return Refusal("{} is a vehicle, or in Full Cover already", "6.1.4.2", (unit.name,))
    cell = position.map.cells[str(unit.hex)]
    if cell.bridge or not COVERLESS.isdisjoint(cell.terrain):
        return Refusal("There is no Full Cover in {}", "6.1.4.2", (unit.hex,))
    return None


def cannot_leave_cover(unit: Unit) -> Refusal | None:
    """Reject leaving Full Cover for a unit that is not in it [6.8.2]."""
    return None if unit.full_cover else Refusal("{} is not in Full Cover", "6.8.2", (unit.name,))


class Abandon(Action, frozen=True):
    """Give a lame vehicle up: its crew bails out."""

    says = "The crew of {unit} leaves it"
    kind = "leave"
    unit: UnitId


def cannot_abandon(position: Position, unit: Unit) -> Refusal | None:
    """Reject the end of a vehicle that is neither damaged in its hull nor hit in its tracks [7.53].

    RULINGS.md R221.
    """
    both = "R221" in position.setting.options
    lame = unit.is_vehicle and (all if both else any)((unit.track_hit, lamed(unit)))
    if lame and "7.53" in position.setting.options:
        return None
    return Refusal("{} is not lame: its crew stays", "7.53", (unit.name,))


def abandon(game: Game[Position], unit_id: UnitId) -> None:
    """A crew bails out because its player wants it to [7.53]."""
    unit = game.state.units[unit_id]
    passengers.follow_crew(game, unit)
    leave_behind(game, unit)
    game.tell(Event("bail out", "The crew leaves {}", (unit.name,), "7.53", (unit_id,), (str(unit.hex),)))
    checks.lost(game, unit)


def _adjusts(position: Position, unit: Unit) -> bool:
    """Return whether a unit may have something to adjust."""
    if not unit.is_vehicle or cannot_abandon(position, unit) is None or cannot_jettison(position, unit) is None:
        return True
    stands_deep = cannot_designate(position, unit) is None
    return stands_deep or turrets.turreted(position, unit) or turrets.hatched(position, unit)


class AdjustStep(Frame, frozen=True):
    """A side turns its leg and towed units, and moves them into Full Cover or out of it [6.8.1, 6.8.2].

    Each is turned and covered once at most: `turned` and `covered` are done.
    """

    takes = (
        Pivot,
        EnterCover,
        LeaveCover,
        DigIn,
        Designate,
        Abandon,
        Jettison,
        AdjustTurret,
        Button,
        EndStep,
    )
    step = "adjustment"
    rule = "6.8.1"
    question = "Turn leg and towed units, or change their Full Cover"
    turned: tuple[UnitId, ...] = ()
    covered: tuple[UnitId, ...] = ()
    dug: tuple[UnitId, ...] = ()
    swung: tuple[UnitId, ...] = ()
    hatches: tuple[UnitId, ...] = ()

    def begin(self, game: Game[Position]) -> None:
        if not any(_adjusts(game.state, unit) for unit in game.state.of(self.side)):
            game.pop()

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        yield from (unit.id for unit in sight.of(side) if _adjusts(sight, unit))

    def acts(self, sight: Position, side: str, actor: str) -> Iterable[Action]:
        if actor == NOBODY:
            return (EndStep(),)
        found = (*(Pivot(actor, facing) for facing in range(6)), EnterCover(actor), LeaveCover(actor))
        found = (
            *found,
            DigIn(actor),
            Designate(actor),
            Abandon(actor),
            Jettison(actor),
        )
        found = (*found, Button(actor), *turrets.swings(sight, sight.units[actor]))
        return (action for action in found if self.refusal(sight, side, action) is None)

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case Pivot(unit, facing):
                return self._done(sight, side, unit, self.turned) or cannot_pivot(sight.units[unit], facing)
            case EnterCover(unit):
                return self._done(sight, side, unit, self.covered) or cannot_take_cover(sight, sight.units[unit])
            case LeaveCover(unit):
                return self._done(sight, side, unit, self.covered) or cannot_leave_cover(sight.units[unit])
            case DigIn(unit):
                refusal = self._done(sight, side, unit, self.dug) or cannot_dig(sight, sight.units[unit])
                return refusal or self._just_covered(sight.units[unit])
            case Designate(unit):
                return self._done(sight, side, unit, ()) or cannot_designate(sight, sight.units[unit])
            case Abandon(unit):
                return self._done(sight, side, unit, ()) or cannot_abandon(sight, sight.units[unit])
            case Jettison(unit):
                return self._done(sight, side, unit, ()) or cannot_jettison(sight, sight.units[unit])
            case AdjustTurret(unit, facing):
                refusal = self._done(sight, side, unit, self.swung)
                return refusal or turrets.cannot_swing(sight, sight.units[unit], facing)
            case Button(unit):
                return self._done(sight, side, unit, self.hatches) or turrets.cannot_button(sight, sight.units[unit])
        return None

    def _just_covered(self, unit: Unit) -> Refusal | None:
        """Refuse work of a unit that takes its Full Cover now, for the next turn [6.6.8-who, 6.1.4.2]."""
        if unit.id not in self.covered:
            return None
        return Refusal("{} was not in Full Cover in this turn", "6.6.8-who", (unit.name,))

    def _done(self, sight: Position, side: Side, unit_id: UnitId, done: tuple[UnitId, ...]) -> Refusal | None:
        unit = sight.units[unit_id]
        if refusal := not_yours(side, unit) or off_the_map(unit):
            return refusal
        return Refusal("{} has been adjusted", "6.8.1", (unit.name,)) if unit_id in done else None

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case Pivot(unit, facing):
                turned = game.state.change(unit, facing=facing)
                game.tell(Event("turned", "{} turns", (turned.name,), "6.8.1", (unit,), (str(turned.hex),)))
                game.swap(replace(self, turned=(*self.turned, unit)))
            case EnterCover(unit) | LeaveCover(unit):
                self._cover(game, unit, entered=isinstance(action, EnterCover))
            case DigIn(unit):
                dig(game, unit)
                game.swap(replace(self, dug=(*self.dug, unit)))
            case Designate(unit):
                designate(game, unit)
            case Abandon(unit):
                abandon(game, unit)
            case Jettison(unit):
                jettison(game, unit)
            case AdjustTurret(unit):
                turrets.swing(game, action)
                game.swap(replace(self, swung=(*self.swung, unit)))
            case Button(unit):
                turrets.button(game, unit)
                game.swap(replace(self, hatches=(*self.hatches, unit)))
            case EndStep():
                game.pop()

    def _cover(self, game: Game[Position], unit_id: UnitId, *, entered: bool) -> None:
        unit = game.state.change(unit_id, full_cover=entered)
        text = "{} takes Full Cover" if entered else "{} leaves Full Cover"
        game.tell(Event("covered", text, (unit.name,), "6.8.2", (unit_id,), (str(unit.hex),)))
        game.swap(replace(self, covered=(*self.covered, unit_id)))
