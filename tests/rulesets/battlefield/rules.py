"""Stands on a free table: straight legs and turning, one die of fire, reaction fire when a leg ends near an enemy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from opfire.core import places
from opfire.core.actions import NOBODY, PROCEDURE, Action, Region, first
from opfire.core.events import Calculation, Event, Line
from opfire.core.flow import Exchange, Frame
from opfire.core.game import Outcome
from opfire.core.scenario import Beyond, Scenario, Sections
from opfire.space.measure import MICRO, SLACK, in_front, length, turning
from opfire.space.table import Table, TableSection
from rulesets.kit import Pass, no, not_own

ALLOWANCE, RANGE, NEAR, HITS = 6 * MICRO, 18, 12, 2
DEGREES = 90  # an inch of the allowance turns a stand by this angle
Point = tuple[int, int]


class Drawn(Beyond, frozen=True):
    facing: int = 0


class Ground(Sections, frozen=True):
    table: TableSection = TableSection((48, 36))
    sides: Mapping[str, Drawn] = msgspec.field(default_factory=dict)


class Setting:
    def __init__(self, scenario: Scenario, table: Table, facings: Mapping[str, int]) -> None:
        self.scenario, self.table, self.facings = scenario, table, facings

    def other(self, side: str) -> str:
        return next(other for other in self.scenario.sides if other != side)


class Stand(msgspec.Struct, frozen=True):
    id: str
    side: str
    at: Point
    facing: int
    left: int = ALLOWANCE
    hits: int = 0
    fired: bool = False


class State(msgspec.Struct):
    setting: Setting
    units: dict[str, Stand]
    turn: int = 0
    current: str = ""

    def copy(self) -> State:
        return replace(self, units=self.units.copy())

    def change(self, unit: str, **values: Any) -> None:
        self.units[unit] = replace(self.units[unit], **values)

    def of(self, side: str) -> list[Stand]:
        return [unit for unit in self.units.values() if unit.side == side]


class Move(Action, frozen=True):
    kind = "move"
    unit: str
    to: Point
    facing: int


class Stop(Action, frozen=True):
    kind = "done"
    unit: str


class Shoot(Action, frozen=True):
    kind, final = "fire", True
    unit: str
    target: str


class End(Action, frozen=True):
    kind, final = "done", True


# --- moving ----------------------------------------------------------------------------------------------------


def cost(stand: Stand, move: Move) -> int:
    """The length of the leg and the price of turning, in 10^-6 inch [2.1]."""
    return length(stand.at, move.to) + turning(stand.facing, move.facing) * MICRO // DEGREES


def cannot_move(sight: State, move: Move) -> Any:
    stand, table = sight.units[move.unit], sight.setting.table
    if not 0 <= move.facing < 360:
        return no("{} is no facing: choose 0 to 359 degrees", "2.4", move.facing)
    if not table.holds(move.to):
        return no("{} is too near the edge of the table", "2.2", places.text(move.to))
    if (move.to, move.facing) == (stand.at, stand.facing):
        return no("{} stands there already: choose another point, or Stop", PROCEDURE, stand.id)
    if (price := cost(stand, move)) > stand.left + SLACK:
        return no("The leg costs {} inches, and {} are left", "2.1", inches(price), inches(stand.left))
    there = (other for other in sight.units.values() if other.id != stand.id and table.overlap(other.at, move.to))
    return next((no("{} would overlap {}", "2.3", stand.id, other.id) for other in there), None)


def has_moved(sight: State, unit: str) -> Any:
    return no("{} has moved", "2.0", unit) if sight.units[unit].left < ALLOWANCE else None


def leg(sight: State, unit: str) -> Region:
    stand = sight.units[unit]
    return Region(Move(unit, stand.at, stand.facing), sight.setting.table.box(stand.at, stand.left), ("to", "facing"))


def carry_out(game: Any, move: Move) -> None:
    stand = game.state.units[move.unit]
    game.state.change(stand.id, at=move.to, facing=move.facing, left=max(stand.left - cost(stand, move), 0))
    facts = (move.unit, places.text(move.to), move.facing)
    game.tell(Event("moved", "{} moves to {}, facing {}", facts, "2.1", (move.unit,), (move.to,)))


def inches(amount: int) -> str:
    return f"{amount / MICRO:.3f}".rstrip("0").rstrip(".")


# --- firing ----------------------------------------------------------------------------------------------------


def cannot_fire(sight: State, shot: Shoot, reach: int = RANGE) -> Any:
    firer, target = sight.units[shot.unit], sight.units[shot.target]
    table = sight.setting.table
    return first(
        no("{} is on the side of {}", "3.0", target.id, firer.id) if target.side == firer.side else None,
        no("{} has fired", "2.0", firer.id) if firer.fired else None,
        None if table.in_reach(firer.at, target.at, reach) else no("{} is beyond {} inches", "3.1", target.id, reach),
        None if in_front(firer.at, firer.facing, target.at) else no("{} is not ahead", "3.2", target.id),
    )


def odds(sight: State, shot: Shoot) -> Calculation:
    firer, target = sight.units[shot.unit], sight.units[shot.target]
    close = sight.setting.table.in_reach(firer.at, target.at, RANGE // 2)
    far = inches(length(firer.at, target.at))
    lines = (Line("note", f"{firer.id} fires over {far} inches", "4+" if close else "5+", "3.0", 4 if close else 5),)
    return Calculation(
        "Fire", "3.0", lines, 1, 6, tuple("hit" if n >= lines[0].amount else "none" for n in range(1, 7))
    )


def fire(game: Any, shot: Shoot) -> None:
    calculation, rolled = odds(game.state, shot), game.roll(1, 6)
    result, units = calculation.result(rolled), (shot.unit, shot.target)
    at = (game.state.units[shot.target].at,)
    facts = (*units, result)
    game.tell(Event("fired", "{} fires at {}: {}", facts, "3.0", units, at, rolled, calculation))
    game.state.change(shot.unit, fired=True)
    hits = game.state.units[shot.target].hits + (result == "hit")
    game.state.change(shot.target, hits=hits)
    if hits >= HITS:
        del game.state.units[shot.target]
        game.tell(Event("eliminated", "{} is lost", (shot.target,), "3.3", (shot.target,), at))


# --- the flow --------------------------------------------------------------------------------------------------


class Battle(Frame, frozen=True):
    """Turn after turn, one side after the other."""

    def begin(self, game: Any) -> None:
        self.resume(game, None)

    def resume(self, game: Any, result: Any) -> None:
        state, sides = game.state, game.state.setting.scenario.order()
        left = {side: len(state.of(side)) for side in sides}
        side = state.setting.other(state.current) if state.current else sides[0]
        state.turn += side == sides[0]
        if not all(left.values()) or state.turn > state.setting.scenario.turns:
            best = [side for side in sides if left[side] == max(left.values())]
            return game.finish(Outcome(best[0] if len(best) == 1 else None, "plain", f"Stands left: {left}"), "5.0")
        state.current = side
        for unit in state.units:
            state.change(unit, left=ALLOWANCE, fired=False)
        game.tell(Event("turn", "{}, turn {}", (side, state.turn), "2.0"))
        game.push(PlayerTurn(side))


class PlayerTurn(Frame, frozen=True):
    """A side moves and fires with its stands until it ends its turn [2.0]."""

    takes, step, rule, question = (Move, Shoot, End), "turn", "2.0", "Move or fire with a stand, or end the turn"

    def actors(self, sight: State, side: str) -> Any:
        return (NOBODY, *(stand.id for stand in sight.of(self.side)))

    def acts(self, sight: State, side: str, actor: str) -> Any:
        if actor == NOBODY:
            return [End()]
        legs = [] if has_moved(sight, actor) else [leg(sight, actor)]
        found = (Shoot(actor, enemy) for enemy in sight.units)
        return [*legs, *(shot for shot in found if cannot_fire(sight, shot) is None)]

    def refusal(self, sight: State, side: str, action: Any) -> Any:
        if isinstance(action, End) or (refusal := not_own(sight, action.unit, self.side)):
            return None if isinstance(action, End) else refusal
        if isinstance(action, Shoot):
            return cannot_fire(sight, action)
        return has_moved(sight, action.unit) or cannot_move(sight, action)

    def play(self, game: Any, action: Any) -> None:
        match action:
            case Move():
                carry_out(game, action)
                game.push(Moving(self.side, action.unit))
            case Shoot():
                fire(game, action)
            case End():
                game.pop()


class Moving(Frame, frozen=True):
    """A stand goes on leg by leg; each may be answered by reaction fire [2.1, 4.0]."""

    takes, step, rule, question = (Move, Stop), "moving", "2.1", "Move {unit} on, or stop"
    unit: str

    def begin(self, game: Any) -> None:
        enemy = game.state.setting.other(self.side)
        game.push(Reaction(enemy, (enemy,), self.unit))

    def resume(self, game: Any, result: Any) -> None:
        if self.unit not in game.state.units or game.state.units[self.unit].left <= SLACK:
            game.pop()

    def actors(self, sight: State, side: str) -> Any:
        return (self.unit,)

    def acts(self, sight: State, side: str, actor: str) -> Any:
        return [leg(sight, self.unit), Stop(self.unit)]

    def refusal(self, sight: State, side: str, action: Any) -> Any:
        other = no("{} is moving: stop first", "2.1", self.unit) if action.unit != self.unit else None
        return other or (cannot_move(sight, action) if isinstance(action, Move) else None)

    def play(self, game: Any, action: Any) -> None:
        if isinstance(action, Stop):
            return game.pop()
        carry_out(game, action)
        self.begin(game)


class Reaction(Exchange, frozen=True):
    """Enemy stands near the end of a leg may fire at the mover [4.0]."""

    takes, step, rule, question = (Shoot, Pass), "reaction", "4.0", "Fire at {target}?"
    target: str = ""

    def shots(self, sight: State, side: str) -> Any:
        if self.target in sight.units:
            for stand in sight.of(side):
                if not cannot_fire(sight, shot := Shoot(stand.id, self.target), NEAR):
                    yield shot

    def actors(self, sight: State, side: str) -> Any:
        return (NOBODY, *(shot.unit for shot in self.shots(sight, self.side)))

    def acts(self, sight: State, side: str, actor: str) -> Any:
        return [Pass()] if actor == NOBODY else [shot for shot in self.shots(sight, self.side) if shot.unit == actor]

    def refusal(self, sight: State, side: str, action: Any) -> Any:
        return None if action in self.offers(sight, side) else no("Only stands near {} fire now", "4.0", self.target)

    def play(self, game: Any, action: Any) -> None:
        if isinstance(action, Pass):
            return self.passed(game)
        fire(game, action)
        self.shot(game, self.waiting)
