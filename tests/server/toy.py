"""A toy ruleset: two men a side on a row of five hexes, a secret each, shots, answers to moves."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from opfire.core.actions import NOBODY, Action, Choices, Refusal
from opfire.core.events import Calculation, Event, Line
from opfire.core.flow import Frame
from opfire.core.game import Outcome
from opfire.core.orders import Asked
from opfire.core.ruleset import Option, Ruleset, Suggestion

HEXES = ("1-A1", "1-A2", "1-A3", "1-A4", "1-A5")
MEN = {"red-1": "1-A1", "red-2": "1-A1", "blue-1": "1-A5", "blue-2": "1-A5"}
OTHER = {"red": "blue", "blue": "red"}
SCENARIO = """\
id = "row"
ruleset = "toy"
title = "The Row"
summary = "Five hexes"
history = "Once upon a time"
turns = 2
first = "red"
options = [
    "9.1",  # fog
]

[sides.red]
name = "Red"
nation = "Red"
units = [{ unit = "man", count = 2 }]

[sides.blue]
name = "Blue"
nation = "Blue"
units = [{ unit = "man" }]
reinforcements = [{ turn = 2, entry = ["1-A5"], units = { man = 1 } }]
"""


class State(msgspec.Struct):
    turn: int
    current: str
    at: dict[str, str]
    secrets: dict[str, int]

    def copy(self) -> State:
        return State(self.turn, self.current, dict(self.at), dict(self.secrets))


class Commit(Action, frozen=True):
    kind = "place"
    number: int


class Step(Action, frozen=True):
    kind = "move"
    unit: str
    to: str


class Shoot(Action, frozen=True):
    kind = "fire"
    final = True
    unit: str
    target: str


class Pass(Action, frozen=True):
    kind = "pass"


class End(Action, frozen=True):
    kind = "done"
    final = True


def side_of(unit: str) -> str:
    return unit.partition("-")[0]


def next_to(hex: str) -> list[str]:
    at = HEXES.index(hex)
    return [HEXES[i] for i in (at - 1, at + 1) if 0 <= i < len(HEXES)]


def gone(sight: State, unit: str) -> Refusal | None:
    return None if unit in sight.at else Refusal("{} is out of the game", "1.1", (unit,))


def too_far(sight: State, unit: str, to: str) -> Refusal | None:
    if to in next_to(sight.at[unit]):
        return None
    return Refusal("{} is not next to {}", "2.1", (to, sight.at[unit]))


def not_own(side: str, unit: str) -> Refusal | None:
    return None if side_of(unit) == side else Refusal("{} is the enemy's", "1.2", (unit,))


def odds(sight: State, shot: Shoot) -> Calculation:
    lines = (Line("attack", f"{shot.unit} fires", "3", "3.1", 3),)
    return Calculation("Fire", "3.0", lines, 1, 6, ("none", "none", "none", "hit", "hit", "hit"))


def fire(game: Any, shot: Shoot) -> None:
    calculation = odds(game.state, shot)
    rolled = game.roll(1, 6)
    result = calculation.result(rolled)
    units, hexes = (shot.unit, shot.target), (game.state.at[shot.target],)
    facts = (shot.unit, shot.target, result)
    game.tell(Event("fired", "{} fires at {}: {}", facts, "3.0", units, hexes, rolled, calculation))
    if result == "hit":
        del game.state.at[shot.target]


class Plot(Frame, frozen=True):
    """Both sides commit a number in secret."""

    takes = (Commit,)
    step = "plot"
    rule = "1.0"
    question = "Commit a number"
    made: tuple[tuple[str, int], ...] = ()

    def asks(self, sight: State) -> tuple[str, ...]:
        return tuple(side for side in OTHER if side not in dict(self.made))

    def acts(self, sight: State, side: str, actor: str) -> Any:
        return [Commit(number) for number in (1, 2, 3)]

    def refusal(self, sight: State, side: str, action: Commit) -> Refusal | None:
        return None if action.number in (1, 2, 3) else Refusal("{} is not 1, 2 or 3", "1.3", (action.number,))

    def play(self, game: Any, action: Commit) -> None:
        made = (*self.made, (game.actor, action.number))
        game.state.secrets[game.actor] = action.number
        bore = 11 * action.number  # of a gun that the other side does not know
        facts = (game.actor, action.number)
        game.tell(Event("orders", "{} commits {}", facts, "1.0", only=(game.actor,), calibre=bore))
        game.swap(replace(self, made=made))
        if len(made) == 2:
            game.push(Turn("red"))

    def resume(self, game: Any, result: Any) -> None:
        side = OTHER[game.state.current]
        turn = game.state.turn + (side == "red")
        if turn > 2:
            return game.finish(Outcome(None, "draw", "Time is up"))
        game.state.turn, game.state.current = turn, side
        game.tell(Event("turn", "{}, turn {}", (side, turn), "4.0"))
        game.push(Turn(side))

    def seen_by(self, side: str) -> Frame:
        return replace(self, made=tuple((who, number if who == side else 0) for who, number in self.made))


class Turn(Frame, frozen=True):
    """A side steps and shoots until it ends its turn."""

    takes = (Step, Shoot, End)
    step = "move"
    rule = "2.0"
    question = "Step, shoot or end the turn"

    def actors(self, sight: State, side: str) -> Any:
        return (*(unit for unit in sight.at if side_of(unit) == self.side), NOBODY)

    def acts(self, sight: State, side: str, actor: str) -> Any:
        if actor == NOBODY:
            yield End()
            return
        yield from (Step(actor, to) for to in next_to(sight.at[actor]))
        yield from (Shoot(actor, enemy) for enemy in sight.at if side_of(enemy) != self.side)

    def refusal(self, sight: State, side: str, action: Any) -> Refusal | None:
        match action:
            case Step(unit=unit, to=to):
                return not_own(self.side, unit) or gone(sight, unit) or too_far(sight, unit, to)
            case Shoot(unit=unit, target=target):
                return not_own(self.side, unit) or gone(sight, unit) or gone(sight, target)
        return None

    def play(self, game: Any, action: Any) -> None:
        match action:
            case Step(unit=unit, to=to):
                game.state.at[unit] = to
                game.tell(Event("moved", "{} goes to {}", (unit, to), "2.1", (unit,), (to,)))
                if to == "1-A3" and any(side_of(enemy) != self.side for enemy in game.state.at):
                    game.push(React(OTHER[self.side], unit))
            case Shoot():
                fire(game, action)
            case End():
                game.pop()


class React(Frame, frozen=True):
    """The other side may shoot at a unit that came to the middle."""

    takes = (Shoot, Pass)
    step = "reaction"
    rule = "5.0"
    reaction = "Snap shot"
    target: str

    def prompt(self, sight: State, side: str) -> str:
        return f"Shoot at {self.target}?"

    def acts(self, sight: State, side: str, actor: str) -> Any:
        yield from (Shoot(unit, self.target) for unit in sight.at if side_of(unit) == self.side)
        yield Pass()

    def refusal(self, sight: State, side: str, action: Any) -> Refusal | None:
        if isinstance(action, Shoot):
            return not_own(self.side, action.unit) or gone(sight, action.unit) or gone(sight, action.target)
        return None

    def play(self, game: Any, action: Any) -> None:
        if isinstance(action, Shoot):
            fire(game, action)
        game.pop()


class Standing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    fire: str = "ask"


def sight(state: State, side: str) -> State:
    seen = state.copy()
    seen.secrets = {who: number if who == side else 0 for who, number in state.secrets.items()}
    return seen


def imagined(sight: State, stack: tuple[Frame, ...], side: str, rng: random.Random) -> Any:
    state = sight.copy()
    state.secrets = {who: number if who == side else rng.randint(1, 3) for who, number in sight.secrets.items()}
    return state, stack


def unknown(sight: State, action: Any) -> Refusal | None:
    wrong = next((unit for name in ("unit", "target") if (unit := getattr(action, name, "red-1")) not in MEN), None)
    return wrong and Refusal("There is no {}", "procedure", (wrong,))


def view(sight: State, side: str, frame: Frame | None) -> dict[str, Any]:
    return {
        "ruleset": "toy",
        "turn": sight.turn,
        "current": sight.current,
        "units": [{"id": unit, "place": hex} for unit, hex in sight.at.items()],
        "secret": sight.secrets.get(side, 0),
        "victory": [{"side": "red", "text": "Be there", "have": 0, "want": 1, "points": 1}],
    }


def touches(sight: State, action: Any) -> Any:
    units = tuple(getattr(action, name) for name in ("unit", "target") if hasattr(action, name))
    return units, (action.to,) if isinstance(action, Step) else ()


def label(sight: State, action: Any) -> str:
    return " ".join([type(action).__name__, *map(str, msgspec.structs.astuple(action))])


def meant(sight: State, side: str, frame: Frame, what: Any) -> list[Action]:
    sight.at["red-1"]
    known = [name for name in what if name in MEN or name in HEXES]
    if len(known) < len(list(what)):
        raise KeyError(next(name for name in what if name not in known))
    return [Step(f"{side}-1", name) for name in known if name in HEXES]


def answer(
    sight: State, side: str, frame: Frame, orders: Standing, choices: Choices, asked: Sequence[Asked]
) -> Action | None:
    return Pass() if isinstance(frame, React) and orders.fire == "never" else None


def preview(sight: State, frame: Frame, action: Action) -> Calculation | None:
    return odds(sight, action) if isinstance(action, Shoot) else None


def caution(sight: State, frame: Frame, action: Action) -> Refusal | None:
    return Refusal("{} may fire at you", "9.9", ("blue-1",)) if isinstance(action, Step) else None


def suggest(sight: State, side: str, frame: Frame, choices: Choices) -> list[Suggestion]:
    return [Suggestion(action, 1.0, "Nothing better") for action in list(choices)[-1:]]


def reach(sight: State, side: str, *, unit: str, frame: Any = None) -> Any:
    return {"places": [{"place": hex, "cost": 1, "path": [sight.at[unit], hex]} for hex in next_to(sight.at[unit])]}


def los(sight: State, side: str, *, start: str, to: str) -> Any:
    return {"clear": True, "text": f"{start} sees {to}", "rule": "8.0", "at": None, "profile": []}


TOY = Ruleset(
    id="toy",
    title="Toy",
    edition="1",
    version="1",
    package=Path(__file__).parent / "toy_rules",
    frames=(Plot, Turn, React),
    actions=(Commit, Step, Shoot, Pass, End),
    state=State,
    setting=lambda scenario: scenario,
    start=lambda setting: (State(1, "red", dict(MEN), {"red": 0, "blue": 0}), Plot("red")),
    view=view,
    options=(Option("9.1", "Fog", "It is foggy"), Option("9.2", "Mud", "It is muddy")),
    missing={"9.1": "fog is not drawn"},
    sight=sight,
    imagined=imagined,
    unknown=unknown,
    label=label,
    touches=touches,
    meant=meant,
    preview=preview,
    caution=caution,
    orders=Standing,
    answer=answer,
    suggest=suggest,
    queries={
        "reach": reach,
        "los": los,
        "sees": lambda sight, side, *, place: {"places": [place, *next_to(place)]},
        "map": lambda sight, side: {"id": "row", "hexes": [{"name": name} for name in HEXES]},
        "auto": lambda sight, side: [{"type": "Step", "unit": f"{side}-1", "to": to} for to in ("1-A2", "1-A1")],
    },
)
