"""Off-board artillery [9.2, 9.31]: factors that fire once a turn, up to three of them in a segment."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from msgspec.structs import replace

from opfire.core.actions import PROCEDURE, Action, Refusal
from opfire.core.events import Line
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.rulesets.panzer_grenadier.actions import EndSegment
from opfire.rulesets.panzer_grenadier.command import sectors
from opfire.rulesets.panzer_grenadier.fire import smoke
from opfire.rulesets.panzer_grenadier.fire.bombardment import fall, no_observer, nobody_there, observed, posts
from opfire.rulesets.panzer_grenadier.fire.direct import enemy_hexes
from opfire.rulesets.panzer_grenadier.fire.strengths import Fire
from opfire.rulesets.panzer_grenadier.pieces import Hex, Position, Side

Factor: TypeAlias = int
"""An off-board battery is only a strength."""


class CallFire(Action, frozen=True):
    """An off-board battery bombards a hex [9.2]."""

    says = "Off-board artillery, {factor}: bombard {hex}"
    kind = "fire"
    factor: Factor
    hex: Hex


class AddFactor(Action, frozen=True):
    """Another battery joins the same bombardment [9.31]."""

    says = "Add {factor}"
    kind = "fire"
    factor: Factor


class CallSmoke(Action, frozen=True):
    """An off-board battery fires smoke [16.1]."""

    says = "Off-board artillery, {factor}: smoke in {hex}"
    kind = "fire"
    final = True
    factor: Factor
    hex: Hex


OPENINGS: tuple[type[Action], ...] = (CallFire, CallSmoke)


def renew(position: Position, side: Side) -> None:
    """Every battery may fire again [9.2]."""
    position.change_army(side, offboard=position.setting.instructions.sides[side].offboard)


# --- checks -------------------------------------------------------------------------------------------------------


def no_such_factor(position: Position, side: Side, factor: Factor) -> Refusal | None:
    """Each fires once in a turn [9.2]."""
    if factor in position.armies[side].offboard:
        return None
    return Refusal("No off-board battery of {} is left this turn", "9.2", (factor,))


def three_already(position: Position, used: int) -> Refusal | None:
    """No more than three in a segment [9.2.A1, 7.33.A1]."""
    if used < position.charts.figure("offboard factors in a segment"):
        return None
    return Refusal("Three off-board batteries have been used in this segment", "9.2.A1")


def cannot_call(position: Position, side: Side, factor: Factor, hex: Hex) -> Refusal | None:
    """Reject a battery that may not fire at a hex: any distance [9.2], in the sector [18.12], spotted [9.1]."""
    if hex not in position.map:
        return Refusal("There is no hex {}", PROCEDURE, (hex,))
    return (
        no_such_factor(position, side, factor)
        or nobody_there(position, side, hex)
        or sectors.not_there(position, hex)
        or no_observer(position, side, hex)
    )


def cannot_call_smoke(position: Position, side: Side, factor: Factor, hex: Hex) -> Refusal | None:
    """Reject a battery that may not fire smoke at a hex [16.1]: spotted like another target, or seen with R16.11."""
    if refusal := smoke.not_allowed(position, side):
        return refusal
    if not position.setting.has("R16.11") or hex not in position.map:
        return cannot_call(position, side, factor, hex)
    refusal = no_such_factor(position, side, factor) or sectors.not_there(position, hex)
    return refusal or smoke.out_of_sight(position, side, hex)


# --- the segment --------------------------------------------------------------------------------------------------


def openings(position: Position, side: Side) -> Iterator[Action]:
    """Every way to begin: each strength at each spotted hex."""
    factors = list(dict.fromkeys(position.armies[side].offboard))
    if not factors:
        return
    leaders = posts(position, side)
    for hex in enemy_hexes(position, side):
        if sectors.not_there(position, hex) is None and observed(position, side, hex, leaders):
            yield from (CallFire(factor, hex) for factor in factors)
    if smoke.not_allowed(position, side) is None:
        for hex in position.map.names if position.setting.has("R16.11") else enemy_hexes(position, side):
            if cannot_call_smoke(position, side, factors[0], hex) is None:
                yield from (CallSmoke(factor, hex) for factor in factors)


def refusal(position: Position, side: Side, action: Action) -> Refusal | None:
    """Reject a battery that may not be called like this."""
    match action:
        case CallFire(factor, hex):
            return cannot_call(position, side, factor, hex)
        case CallSmoke(factor, hex):
            return cannot_call_smoke(position, side, factor, hex)
    return Refusal("This action calls no off-board artillery", PROCEDURE)


def begin(game: Game[Position], side: Side, action: Action) -> None:
    """Give the segment to the artillery."""
    game.push(Calling(side))
    call(game, Calling(side), action)


class Calling(Frame, frozen=True):
    """A segment of off-board artillery [9.2]: one bombardment after the other, three batteries in all.

    `hex` is the target of the bombardment being put together, `factors` its batteries, `used` all of the segment.
    """

    takes = (CallFire, CallSmoke, AddFactor, Fire, EndSegment)
    step = "off-board"
    rule = "9.2"
    question = "Call fire, add batteries, or end the off-board artillery segment"
    hex: Hex = ""
    factors: tuple[Factor, ...] = ()
    used: int = 0

    def begin(self, game: Game[Position]) -> None:
        """Wait for the call, which is already played."""

    def resume(self, game: Game[Position], result: object) -> None:
        """Go on after the rounds have fallen: end when everybody can see that no more can be called [16.6]."""
        if game.over_for_all(self.side, self._over, self._open_in_secret):
            game.pop()

    def _over(self, position: Position) -> bool:
        """Whether no more can be called, as far as a side knows."""
        return three_already(position, self.used) is not None or next(openings(position, self.side), None) is None

    def _open_in_secret(self, position: Position) -> bool:
        """Whether leaders in hiding might call for more: RULINGS.md P30."""
        return three_already(position, self.used) is None and bool(position.in_hiding(self.side))

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        if not self.hex:
            yield EndSegment()
            yield from openings(sight, self.side)
            return
        yield Fire()
        if three_already(sight, self.used) is None:
            yield from (AddFactor(factor) for factor in dict.fromkeys(sight.armies[self.side].offboard))

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case Fire():
                return None if self.hex else Refusal("Call a bombardment first", PROCEDURE)
            case AddFactor(factor):
                return (
                    (None if self.hex else Refusal("Call a bombardment first", PROCEDURE))
                    or three_already(sight, self.used)
                    or no_such_factor(sight, self.side, factor)
                )
        if self.hex:
            return Refusal("Fire at {} first", PROCEDURE, (self.hex,))
        if isinstance(action, EndSegment):
            return None
        return three_already(sight, self.used) or refusal(sight, self.side, action)

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case EndSegment():
                game.pop()
            case AddFactor(factor):
                use(game.state, self.side, factor)
                game.swap(replace(self, factors=(*self.factors, factor), used=self.used + 1))
            case Fire():
                game.swap(replace(self, hex="", factors=()))
                game.resume_top()
                fall(game, self.side, factor_lines(self.factors), (), self.hex)
            case _:
                call(game, self, action)


def call(game: Game[Position], frame: Calling, action: Action) -> None:
    """Let a battery take aim, or fire smoke at once."""
    match action:
        case CallFire(factor, hex):
            use(game.state, frame.side, factor)
            game.swap(replace(frame, hex=hex, factors=(factor,), used=frame.used + 1))
        case CallSmoke(factor, hex):
            use(game.state, frame.side, factor)
            game.swap(replace(frame, used=frame.used + 1))
            smoke.lay(game, frame.side, hex, "Off-board artillery")
            game.resume_top()


def use(position: Position, side: Side, factor: Factor) -> None:
    """Mark a battery as used this turn [9.2]."""
    position.change_army(side, offboard=sectors.without(position.armies[side].offboard, factor))


def factor_lines(factors: tuple[Factor, ...]) -> list[Line]:
    """Off-board strengths add up with each other, never with units on the map [9.31, 7.33.A1]."""
    return [Line("attack", "Off-board artillery", str(factor), "9.31", factor) for factor in factors]


FRAMES: tuple[type[Frame], ...] = (Calling,)
