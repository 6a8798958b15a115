"""Shared parts of the toy rulesets: setting, state, the frame that counts turns, the text of a scenario."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec
from msgspec.structs import replace

from opfire.core.actions import Action, Refusal
from opfire.core.flow import Frame
from opfire.core.game import Outcome
from opfire.core.scenario import Scenario

HERE = Path(__file__).parent
U = TypeVar("U")


@dataclass(frozen=True)
class Setting:
    """Of a scenario, what a toy plays with; no plain data, so saving leaves it out."""

    turns: int
    order: tuple[str, ...]
    counts: tuple[tuple[str, int], ...]

    def other(self, side: str) -> str:
        return next(other for other in self.order if other != side)

    def ids(self) -> Iterable[tuple[str, str, int]]:
        """Id, side and number (from 1) of every unit."""
        return ((f"{side}-{n}", side, n) for side, count in self.counts for n in range(1, count + 1))


def setting(scenario: Scenario) -> Setting:
    counts = ((side, sum(force.count for force in given.units)) for side, given in scenario.sides.items())
    return Setting(scenario.turns, scenario.order(), tuple(counts))


class State(msgspec.Struct, Generic[U]):
    setting: Setting
    units: dict[str, U]
    turn: int = 0

    def copy(self) -> Any:
        return replace(self, units=self.units.copy())

    def change(self, unit: str, **values: Any) -> None:
        self.units[unit] = replace(self.units[unit], **values)  # type: ignore[type-var]

    def of(self, side: str) -> list[Any]:
        return [unit for unit in self.units.values() if unit.side == side]  # type: ignore[attr-defined]


class Pass(Action):
    kind = "pass"


class Turns(Frame):
    """Turn after turn until the last, or until a side has nothing left; a toy says what a turn is."""

    def turn(self, state: Any) -> Frame:
        raise NotImplementedError

    def begin(self, game: Any) -> None:
        self.resume(game, None)

    def resume(self, game: Any, result: Any) -> None:
        state, order = game.state, game.state.setting.order
        left = {side: len(state.of(side)) for side in order}
        if state.turn < state.setting.turns and all(left.values()):
            state.turn += 1
            return game.push(self.turn(state))
        best = [side for side in order if left[side] == max(left.values())]
        game.finish(Outcome(best[0] if len(best) == 1 else None, "plain", f"{left}"), "4.1")


def no(text: str, rule: str, *facts: Any) -> Refusal:
    return Refusal(text, rule, facts)


def not_own(sight: Any, unit: str, side: str) -> Refusal | None:
    return None if sight.units[unit].side == side else no("{} is not yours", "procedure", unit)


def unknown(sight: Any, action: Action) -> Refusal | None:
    ids = (getattr(action, field) for field in ("unit", "firer", "target") if hasattr(action, field))
    return next((no("There is no {}", "procedure", id) for id in ids if id not in sight.units), None)


def view(sight: Any, side: str, frame: Frame | None) -> dict[str, Any]:
    return {"turn": sight.turn, "units": msgspec.to_builtins(list(sight.units.values())), "frame": str(frame)}


def scenario(ruleset: str, turns: int = 3, units: int = 3) -> str:
    """A German and a Soviet force, each of the given number of units."""
    sides = "".join(
        f'[sides.{side}]\nname = "{side.title()}"\nnation = "{side.title()}"\n'
        f'[[sides.{side}.units]]\nunit = "toy"\ncount = {units}\n'
        for side in ("german", "soviet")
    )
    head = f'id = "{ruleset}"\nruleset = "{ruleset}"\ntitle = "Toy"\nturns = {turns}\nfirst = "german"\n'
    return head + sides
