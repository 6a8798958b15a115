"""The interface of a ruleset, and the search for installed rulesets."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property, lru_cache
from importlib.metadata import entry_points
from pathlib import Path
from types import GenericAlias
from typing import TYPE_CHECKING, Any, Union, get_type_hints

import msgspec

from opfire.core.actions import Action, Choices, Refusal
from opfire.core.counters import PLAIN, Counters
from opfire.core.errors import BadInput
from opfire.core.events import Calculation, Cases
from opfire.core.flow import Frame, Pause, Running
from opfire.core.orders import Answer, Asked
from opfire.core.places import Place, Point, Space
from opfire.core.places import parse as parse_place
from opfire.core.reading import ready
from opfire.core.rows import OWN, Texts
from opfire.core.scenario import Sections, parse
from opfire.core.texts import Words
from opfire.core.words import expected_words, listed

if TYPE_CHECKING:
    from opfire.core.casefile import Case
    from opfire.core.scenario import Scenario


class Option(msgspec.Struct, frozen=True):
    """An optional rule, or a reading that a game may choose: number, name, effect."""

    rule: str
    title: str
    effect: str


class Suggestion(msgspec.Struct, frozen=True):
    """A sensible move: its worth (higher is better), the reason, and the actions that would follow."""

    action: Action
    worth: float
    why: Words
    route: tuple[Action, ...] = ()


def _open_sight(state: Any, side: str) -> Any:
    return state


def _open_imagined(sight: Any, stack: tuple[Frame, ...], side: str, rng: random.Random) -> tuple[Any, Any]:
    return sight.copy(), stack


def _nothing(game: Any) -> None:
    return None


def _known(sight: Any, action: Action) -> Refusal | None:
    return None


def _undivided(scenario: Scenario) -> Mapping[str, tuple[str, ...]]:
    return {}


def _nobody_barred(sight: Any, seat: str, frame: Frame, action: Action) -> Refusal | None:
    return None


def _no_meanings(sight: Any, side: str, frame: Frame, what: Iterable[Any]) -> list[Action]:
    return []


def _no_preview(sight: Any, frame: Frame, action: Action) -> Calculation | Cases | None:
    return None


def _no_caution(sight: Any, frame: Frame, action: Action) -> Refusal | None:
    return None


def _no_answer(sight: Any, side: str, frame: Frame, orders: Any, choices: Choices, asked: Sequence[Asked]) -> Answer:
    return None


def _no_suggestions(sight: Any, side: str, frame: Frame, choices: Choices) -> list[Suggestion]:
    return []


def _even(sight: Any, side: str) -> float:
    return 0.0


def _plain_label(sight: Any, action: Action) -> str:
    return action.says or type(action).__name__


def _touches_nothing(sight: Any, action: Action) -> tuple[tuple[str, ...], tuple[Place, ...]]:
    return (), ()


def _no_files(scenario: Scenario) -> Texts:
    return {}


def _no_space(sight: Any) -> Space[Any] | None:
    return None


class NoOrders(msgspec.Struct, frozen=True):
    """Standing orders of a ruleset without any."""


@dataclass(frozen=True)
class Ruleset:
    """One rulebook, as the kernel and everything above it sees it.

    Required: `id`, `title`, `edition`, `version`, `package` (the folder with `rules.csv` and `data/`), the
    frames and actions of its union, the state's type, `setting` (the constants of a game, from its scenario), `start`
    (the first state and frame) and `view`. The rest has the defaults of an open game without reactions.

    * `sections`: the part of its scenario files beyond the general one; checked before `setting`, which reads it.
    * `ground(scenario)`: the texts of the files that make up the ground of a scenario, by name; records rely on it.
    * `space(sight)`: the ground under a game; the query `map` adds fields to what the client draws of it.
    * `chapters`: numbers of the book that a case may name as options, each with the options for which it stands; none
      for rules that need no option.
    * `settle(game)`: the book's "immediately"; called after every change, may `owe_choice` a choice.
    * `sight(state, side)`: the knowledge of a side, in the form in which frames ask.
    * `imagined(sight, stack, side, rng)`: state and stack that agree with a sight, secrets drawn.
    * `unknown(sight, action)`: a refusal for ids that are not in the game.
    * `players(scenario)`: the names of the players among whom a scenario divides a side, for each side that it divides.
    * `barred(sight, seat, frame, action)`: the reason that a seat leaves an action to another seat of the same side;
      asked only if a side has several seats.
    * `label`, `touches`: an action in words; the units and places on which a click may mean it.
    * `meant(sight, side, frame, what)`: actions that a click could mean, impossible ones too; `what` are the ids of
      units and the places under it.
    * `preview(sight, frame, action)`: the calculation an action would lead to, or one for each case.
    * `caution(sight, frame, action)`: what a player should know before an action that the rules allow, in the form of
      a refusal; None for most actions.
    * `every_preview(sight, frame, action)`: all of them, with the names of the units that each is about, where an
      action leads to more than `preview` shows.
    * `orders`: the type of standing orders; `computer_orders` are those that computer players have, if others than at
      first.
    * `answer(sight, side, frame, orders, choices, asked)`: the answer of standing orders to a reaction window (see
      `opfire.core.orders`); `asked` are the questions that the seat has answered itself in this player turn.
    * `appraise(sight, side)`: the worth of a position to a side, in victory points.
    * `suggest(sight, side, frame, choices)`: sensible moves, best first.
    * `script(sight, side, frame, choices)`: the moves of a plain script that weighs nothing.
    * `counters`: the figures, markers and colours that the client draws.
    * `results`: what the codes of its combat results mean, in a few words, for players who do not have its table at
      hand.
    * `reaction`: the book's name for fire in answer to what the enemy does, as a heading over its questions.
    * `arrange(scenario, case)`: state and frame of a case file's position; None if it plays no cases.
    * `charts(tables)`: the charts with a data pack's tables in place of its own, which this checks; where a
      ruleset has charts, `setting` takes them after the scenario.
    * `bench`: the scenario that its speed is measured with.
    * `closes`: the action by which announced fire falls; a case file may leave it out, or name it where nobody is asked
      for it.
    """

    id: str
    title: str
    edition: str
    version: str
    package: Path
    frames: tuple[type[Frame], ...]
    actions: tuple[type[Action], ...]
    state: type[Any]
    setting: Callable[..., Any]
    start: Callable[[Any], tuple[Any, Frame]]
    view: Callable[[Any, str, Frame | None], dict[str, Any]]
    sections: type[Sections] = Sections
    ground: Callable[[Scenario], Texts] = _no_files
    space: Callable[[Any], Space[Any] | None] = _no_space
    options: tuple[Option, ...] = ()
    chapters: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    missing: Mapping[str, str] = field(default_factory=dict)
    settle: Callable[[Any], None] = _nothing
    sight: Callable[[Any, str], Any] = _open_sight
    imagined: Callable[[Any, tuple[Frame, ...], str, random.Random], tuple[Any, Any]] = _open_imagined
    unknown: Callable[[Any, Action], Refusal | None] = _known
    players: Callable[[Scenario], Mapping[str, tuple[str, ...]]] = _undivided
    barred: Callable[[Any, str, Frame, Action], Refusal | None] = _nobody_barred
    label: Callable[[Any, Action], str] = _plain_label
    touches: Callable[[Any, Action], tuple[tuple[str, ...], tuple[Place, ...]]] = _touches_nothing
    meant: Callable[[Any, str, Frame, Iterable[Any]], list[Action]] = _no_meanings
    preview: Callable[[Any, Frame, Action], Calculation | Cases | None] = _no_preview
    caution: Callable[[Any, Frame, Action], Refusal | None] = _no_caution
    every_preview: Callable[[Any, Frame, Action], Iterable[tuple[Words, Calculation]]] | None = None
    orders: type[Any] = NoOrders
    computer_orders: Any = None
    answer: Callable[[Any, str, Frame, Any, Choices, Sequence[Asked]], Answer] = _no_answer
    appraise: Callable[[Any, str], float] = _even
    suggest: Callable[[Any, str, Frame, Choices], list[Suggestion]] = _no_suggestions
    script: Callable[[Any, str, Frame, Choices], list[Suggestion]] = _no_suggestions
    counters: Counters = PLAIN
    results: Mapping[str, str] = field(default_factory=dict)
    reaction: str = ""
    queries: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    arrange: Callable[[Scenario, Case], tuple[Any, Frame]] | None = None
    charts: Callable[[Texts], Any] | None = None
    bench: str = ""
    closes: str = ""

    def tables(self) -> dict[str, Path]:
        """The files of its own tables by name."""
        return {path.name: path for path in sorted((self.package / "data").glob("*.csv"))}

    def previews(self, sight: Any, frame: Frame, action: Action) -> list[tuple[Words, Calculation]]:
        """Every calculation that an action would lead to, each with its label; none for most actions."""
        if self.every_preview is not None:
            return list(self.every_preview(sight, frame, action))
        shown = self.preview(sight, frame, action)
        if shown is None:
            return []
        return list(shown.cases) if isinstance(shown, Cases) else [("", shown)]

    def read_charts(self, pack: Texts) -> Any:
        """Its charts with a data pack's tables; None if it has no charts. Raises BadInput for bad tables."""
        known = self.tables() if self.charts is not None else {}
        for name in pack:
            if name not in known:
                raise BadInput(f"{self.title} takes no table {name}", "data pack", "those of `opfire data export`")
        return None if self.charts is None else self.charts(pack)

    def set_up(self, scenario: Scenario, pack: Texts = OWN) -> Any:
        """The constants of a game of this scenario with this data pack. Raises BadInput."""
        charts = self.read_charts(pack)
        scenario.rest.read(self.sections)
        return self.setting(scenario) if charts is None else self.setting(scenario, charts)

    def drawn(self, sight: Any, side: str) -> dict[str, Any] | None:
        """The ground as the client draws it; None for a ruleset without any."""
        space, more = self.space(sight), self.queries.get("map")
        if space is None and more is None:
            return None
        return {**(space.to_json() if space else {}), **(more(sight, side) if more else {})}

    def orders_of_computers(self) -> Any:
        """The standing orders of computer players."""
        return self.orders() if self.computer_orders is None else self.computer_orders

    @property
    def secrets(self) -> bool:
        """Whether a side may lack knowledge of a part of the state."""
        return self.sight is not _open_sight

    @cached_property
    def action_type(self) -> Any:
        """The union of its actions, for decoding."""
        return Union[self.actions]  # noqa: UP007

    @cached_property
    def stack_type(self) -> Any:
        """A tuple of its frames and the kernel's own, for decoding."""
        return GenericAlias(tuple, (Union[(*self.frames, Running, Pause)], ...))

    @cached_property
    def _points(self) -> Mapping[str, frozenset[str]]:
        """The fields of its actions that hold a point of the free table, by the type of action."""
        return {str(action.__struct_config__.tag): _pointed(action) for action in self.actions}

    def _measured(self, data: Any) -> Any:
        """Plain data of an action with points in 1/1000 inch in place of texts in inches. Raises BadInput."""
        match data:
            case {"type": str(kind)} if fields := self._points.get(kind):
                return {
                    key: parse_place(value) if key in fields and isinstance(value, str) else value
                    for key, value in data.items()
                }
        return data

    def read_action(self, data: Any) -> Action:
        """An action from plain data; raises BadInput with the fault. A point may be a text in inches: `"12.5,8"`."""
        try:
            action: Action = msgspec.convert(self._measured(data), ready(self.action_type))
        except msgspec.ValidationError as error:
            words = f"this action cannot be read: {error}"
            raise BadInput(words, "action", self._expected(data, str(error))) from None
        return action

    def _expected(self, data: Any, fault: str) -> str:
        """The expected form of an action that cannot be read: its type, or the words that its field takes."""
        otherwise = "an object with a type and its fields"
        types = {str(action.__struct_config__.tag): action for action in self.actions}
        if not isinstance(data, Mapping) or not isinstance(named := data.get("type"), str):
            return otherwise
        if named not in types:
            return listed(get_close_matches(named, types, 3) or sorted(types))
        return expected_words(types[named], fault, otherwise)


def _pointed(action: type[Action]) -> frozenset[str]:
    """The fields of an action that hold a point of the free table."""
    return frozenset(name for name, hint in get_type_hints(action).items() if hint == Point)


def read_scenario(text: str, where: str) -> Scenario:
    """The scenario in a file, its sections checked by its ruleset. Raises BadInput with file and field."""
    found = parse(text, where)
    found.rest.read(find(found.ruleset).sections)
    return found


@lru_cache
def installed() -> Mapping[str, Ruleset]:
    """Every ruleset that is installed, by id (entry points of the group `opfire.rulesets`)."""
    return {entry.name: entry.load() for entry in entry_points(group="opfire.rulesets")}


def find(name: str) -> Ruleset:
    """The ruleset of that id. Raises BadInput with the known ids."""
    if name not in installed():
        raise BadInput(f"there is no ruleset {name!r}", "ruleset", "one of " + ", ".join(sorted(installed())))
    return installed()[name]
