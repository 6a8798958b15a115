"""Cases: a position, decisions, scripted dice and the expected results, as a small text file.

`read` and `parse` give a `Case`, `run` plays it and returns the differences. The form is in docs/cases.md.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec

from opfire.core import places
from opfire.core.actions import Action
from opfire.core.dice import Dice, scripted
from opfire.core.errors import BadInput, OpfireError
from opfire.core.events import Calculation, Cases, Event
from opfire.core.game import Game
from opfire.core.ruleset import find
from opfire.core.scenario import Rest, Scenario, Side, Strict, Victory, divided

_PIECE = ("unit", "side", "at")
_PLACE_WORDS = {"hex": "place", "hexes": "places", "at": "place"}
"""The names in case files for the fields that views and answers call `place` and `places`."""
_HEADER = re.compile(r"^\s*\[\[\s*(play|expect)\s*\]\]")


class Piece(Strict, frozen=True):
    """A unit of a case: its type, side (empty: that of its nation), place, and the other values of its table."""

    unit: str
    side: str = ""
    at: str = ""
    values: dict[str, Any] = msgspec.field(default_factory=dict)


class Mark(Strict, frozen=True):
    """A marker of a case: its kind, place, side, the value printed on it."""

    kind: str
    at: str
    side: str = ""
    value: str = ""


class Standing(Strict, frozen=True, kw_only=True):
    """The conditions that must hold after a decision; fields left out are not checked.

    `result`, `lines`, `no_lines`, `column`, `modifier` and `chances` refer to the last calculation;
    `results` are those of all calculations in order.
    """

    result: str | None = None
    results: tuple[str, ...] | None = None
    lines: tuple[dict[str, Any], ...] = ()
    no_lines: tuple[dict[str, Any], ...] = ()
    column: str | None = None
    modifier: int | None = None
    chances: dict[str, str] | None = None
    events: tuple[str, ...] = ()
    no_events: tuple[str, ...] = ()
    asked: str | None = None
    frame: str | None = None
    step: str | None = None
    state: dict[str, Any] = msgspec.field(default_factory=dict)
    units: dict[str, dict[str, Any]] = msgspec.field(default_factory=dict)
    stacks: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    markers: tuple[dict[str, Any], ...] = ()
    no_markers: tuple[dict[str, Any], ...] = ()
    offers: tuple[dict[str, Any], ...] = ()
    not_offered: tuple[dict[str, Any], ...] = ()
    outcome: dict[str, Any] | None = None


class Play(Standing, frozen=True, kw_only=True):
    """A decision: its seat (empty: the asked one), the action, its dice, and the expected results."""

    do: dict[str, Any]
    seat: str = ""
    refused: str | None = None
    dice: tuple[int, ...] | None = None


class Expect(Standing, frozen=True, kw_only=True):
    """A check without a decision: of a refusal, a preview, a query, or the position."""

    seat: str = ""
    do: dict[str, Any] | None = None
    refused: str | None = None
    preview: dict[str, Any] | None = None
    query: str = ""
    ask: dict[str, Any] = msgspec.field(default_factory=dict)
    answer: Any = None


class Step(msgspec.Struct, frozen=True):
    """A decision or a check, and the line of its table in the file."""

    line: int
    check: Play | Expect


class Case(msgspec.Struct, frozen=True):
    """A whole case; `side` has the player turn, in the step of that name."""

    name: str
    ruleset: str
    scenario: Scenario
    title: str
    rules: tuple[str, ...]
    side: str
    step: str
    turn: int
    dice: tuple[int, ...]
    units: dict[str, Piece]
    markers: tuple[Mark, ...]
    steps: tuple[Step, ...]


class Difference(msgspec.Struct, frozen=True):
    """A difference: the case, the line of its decision, the expectation, the game's result."""

    case: str
    line: int
    expected: str
    got: str

    def __str__(self) -> str:
        return f"{self.case}:{self.line}: expected {self.expected}, got {self.got}"


class _File(Strict, frozen=True, kw_only=True):
    ruleset: str
    title: str = ""
    rules: tuple[str, ...] = ()
    side: str = ""
    first: str = ""
    step: str = "direct"
    turn: int = 1
    turns: int = 99
    options: tuple[str, ...] = ()
    dice: tuple[int, ...] = ()
    sides: dict[str, Side]
    units: dict[str, dict[str, Any]] = msgspec.field(default_factory=dict)
    markers: tuple[Mark, ...] = ()
    victory: tuple[Victory, ...] = ()
    play: tuple[Play, ...] = ()
    expect: tuple[Expect, ...] = ()


# --- reading ---------------------------------------------------------------------------------------


def read(path: Path) -> Case:
    """The case in that file. Raises BadInput, with the file's name, for a file that is not a case."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"this file cannot be read: {error}", str(path), "a case file") from None
    return parse(text, str(path))


def parse(text: str, where: str) -> Case:
    """A case from TOML. Raises BadInput with the fault, its place (file, and line or field), and what was expected."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"not TOML: {error}", where, "a case file") from None
    general, rest = divided({**data, "sides": _named_sides(data.get("sides"))}, _File, Mark)
    try:
        file = msgspec.convert(general, _File)
    except msgspec.ValidationError as error:
        raise BadInput(str(error), where, "the form in docs/cases.md") from None
    beyond = Rest(rest, where, "docs/cases.md")
    beyond.read(find(file.ruleset).sections)
    side = file.side or next(iter(file.sides))
    if side not in file.sides:
        raise BadInput(f"the side {side!r} does not exist", where, " or ".join(file.sides))
    return Case(
        name=where,
        ruleset=file.ruleset,
        scenario=_scenario(file, side, beyond),
        title=file.title,
        rules=file.rules,
        side=side,
        step=file.step,
        turn=file.turn,
        dice=file.dice,
        units={name: _piece(name, table, where) for name, table in file.units.items()},
        markers=file.markers,
        steps=tuple(_steps(text, file, where)),
    )


def _named_sides(tables: Any) -> Any:
    """The sides of a case, each with its name and nation; German and Soviet if the case names none."""
    if not tables:
        tables = {"german": {}, "soviet": {}}
    if not isinstance(tables, Mapping):
        return tables
    return {name: _named_side(name, table) for name, table in tables.items()}


def _named_side(name: str, table: Any) -> Any:
    return {"name": name.title(), "nation": name, **table} if isinstance(table, Mapping) else table


def _scenario(file: _File, side: str, rest: Rest) -> Scenario:
    return Scenario(
        id="case",
        ruleset=file.ruleset,
        title=file.title,
        turns=file.turns,
        first=file.first or side,
        sides=file.sides,
        options=file.options,
        victory=file.victory,
        rest=rest,
    )


def _piece(name: str, table: Mapping[str, Any], where: str) -> Piece:
    values = {key: value for key, value in table.items() if key not in _PIECE}
    try:
        return msgspec.convert({**{key: table[key] for key in _PIECE if key in table}, "values": values}, Piece)
    except msgspec.ValidationError as error:
        raise BadInput(f"unit {name}: {error}", where, "a table with at least `unit`, the unit's type") from None


def _steps(text: str, file: _File, where: str) -> Iterator[Step]:
    """Decisions and checks in the order of the file, which TOML itself does not keep."""
    waiting: dict[str, Iterator[Play | Expect]] = {"play": iter(file.play), "expect": iter(file.expect)}
    found = [(number, match[1]) for number, line in enumerate(text.splitlines(), 1) if (match := _HEADER.match(line))]
    if len(found) != len(file.play) + len(file.expect):
        raise BadInput("a decision or check is not a table of its own", where, "[[play]] or [[expect]] on a line alone")
    yield from (Step(number, next(waiting[kind])) for number, kind in found)


# --- playing ---------------------------------------------------------------------------------------


def position(case: Case) -> Game[Any]:
    """The game as the case sets it up, waiting for its first decision. Raises BadInput."""
    ruleset = find(case.ruleset)
    if ruleset.arrange is None:
        raise BadInput(f"{case.ruleset} does not play cases", case.name, "a ruleset that can arrange a position")
    state, frame = ruleset.arrange(case.scenario, case)
    game: Game[Any] = Game(ruleset, state, scripted(case.dice), {side: side for side in case.scenario.sides})
    game.push(frame)
    game.run()
    return game


def run(case: Case) -> list[Difference]:
    """Play the case and return its differences; an empty list if it holds.

    Raises BadInput when the case cannot be set up or names an action that does not exist.
    """
    game = position(case)
    found: list[Difference] = []
    for step in case.steps:
        tried = _played(game, step.check, case) if isinstance(step.check, Play) else _checked(game, step.check, case)
        found += [Difference(case.name, step.line, expected, got) for expected, got in tried]
        if found and isinstance(step.check, Play):
            return found  # the rest refers to a position that was not reached
    if not found and game.dice.script:
        line = case.steps[-1].line if case.steps else 1
        found.append(Difference(case.name, line, "every die used", f"{list(game.dice.script)} left over"))
    return found


def _seat(game: Game[Any], seat: str) -> str:
    if seat:
        return seat
    asked = game.asked()
    return next((name for name, side in game.seats.items() if side in asked), next(iter(game.seats)))


def _action(game: Game[Any], table: Mapping[str, Any], case: Case) -> Action:
    try:
        return game.ruleset.read_action(table)
    except BadInput as error:
        raise BadInput(error.what, case.name, error.expected) from None


def _played(game: Game[Any], play: Play, case: Case) -> Iterator[tuple[str, str]]:
    seat, action = _seat(game, play.seat), _action(game, play.do, case)
    refusal = game.why_not(seat, action)
    if play.refused is not None:
        if refusal is None or refusal.rule != play.refused:
            yield f"refused by {play.refused}", str(refusal or "allowed")
        return
    if refusal is not None:
        yield f"{seat} plays {_words(play.do)}", f"refused: {refusal}"
        return
    pool = game.dice
    if play.dice is not None:
        game.dice = msgspec.structs.replace(pool, script=play.dice)
    try:
        events = game.play(seat, action)
    except OpfireError as error:
        yield f"{seat} plays {_words(play.do)}", str(error)
        return
    if play.dice is not None:
        if game.dice.script:
            yield f"dice {list(play.dice)} used", f"{list(game.dice.script)} left over"
        game.dice = _restored(game.dice, pool)
    yield from _standing(game, play, events, [event.calculation for event in events if event.calculation])


def _restored(after: Dice, pool: Dice) -> Dice:
    return msgspec.structs.replace(after, script=pool.script)


def _checked(game: Game[Any], check: Expect, case: Case) -> Iterator[tuple[str, str]]:
    seat = _seat(game, check.seat)
    if check.do is not None:
        refusal = game.why_not(seat, _action(game, check.do, case))
        if (refusal.rule if refusal else None) != check.refused:
            yield f"refused by {check.refused}" if check.refused else "allowed", str(refusal or "allowed")
    calculations: list[Calculation] = []
    if check.preview is not None:
        shown = game.ruleset.preview(game.sight(seat), game.stack[-1], _action(game, check.preview, case))
        if shown is None:
            yield f"a calculation for {_words(check.preview)}", "none"
            return
        calculations = [one for _, one in shown.cases] if isinstance(shown, Cases) else [shown]
    if check.query:
        yield from _answered(game, seat, check, case)
    yield from _standing(game, check, [], calculations)


def _answered(game: Game[Any], seat: str, check: Expect, case: Case) -> Iterator[tuple[str, str]]:
    queries = game.ruleset.queries
    if check.query not in queries:
        raise BadInput(f"the query {check.query!r} does not exist", case.name, "one of " + ", ".join(sorted(queries)))
    try:
        got = queries[check.query](game.sight(seat), game.seats[seat], **_asked_by_place(check.ask))
    except TypeError as error:
        raise BadInput(f"query {check.query}: {error}", case.name, "the arguments listed in docs/protocol.md") from None
    plain = msgspec.to_builtins(got)
    if not _fits(check.answer, plain):
        yield f"{check.query} answers {_words(check.answer)}", _words(plain)


def _asked_by_place(ask: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a query, with the words of a case file for a place replaced by those of queries."""
    return {_PLACE_WORDS.get(key, key): value for key, value in ask.items()}


def _standing(
    game: Game[Any], want: Standing, events: Iterable[Event], calculations: list[Calculation]
) -> Iterator[tuple[str, str]]:
    events = list(events)
    rolled = [event.calculation.result(event.dice) for event in events if event.calculation and event.dice]
    yield from _results(want, rolled)
    yield from _calculation(want, calculations[-1] if calculations else None)
    yield from _events(want, events)
    yield from _flow(game, want)
    yield from _position(game, want)
    yield from _offers(game, want)


def _results(want: Standing, rolled: list[str]) -> Iterator[tuple[str, str]]:
    if want.result is not None and (not rolled or rolled[-1] != want.result):
        yield f"result {want.result}", rolled[-1] if rolled else "no roll"
    if want.results is not None and list(want.results) != rolled:
        yield f"results {list(want.results)}", str(rolled)


def _calculation(want: Standing, got: Calculation | None) -> Iterator[tuple[str, str]]:
    needed = (want.column, want.modifier, want.chances)
    if got is None:
        if any(part is not None for part in needed) or want.lines:
            yield "a calculation", "none"
        return
    if want.column is not None and got.column != want.column:
        yield f"column {want.column}", got.column
    if want.modifier is not None and got.modifier != want.modifier:
        yield f"modifier {want.modifier}", str(got.modifier)
    if want.chances is not None:
        chances = {result: str(chance) for result, chance in got.chances().items()}
        if {result: str(Fraction(chance)) for result, chance in want.chances.items()} != chances:
            yield f"chances {want.chances}", str(chances)
    lines = [msgspec.structs.asdict(line) for line in got.lines]
    for line in want.lines:
        if not any(_fits(line, other) for other in lines):
            yield f"a line {_words(line)}", _lines(lines)
    for line in want.no_lines:
        if any(_fits(line, other) for other in lines):
            yield f"no line {_words(line)}", _lines(lines)


def _lines(lines: list[dict[str, Any]]) -> str:
    return "; ".join(f"{line['label']} {line['value']} [{line['rule']}]" for line in lines)


def _events(want: Standing, events: list[Event]) -> Iterator[tuple[str, str]]:
    kinds = [event.kind for event in events]
    for kind in want.events:
        if kind not in kinds:
            yield f"an event {kind!r}", ", ".join(kinds) or "none"
    for kind in want.no_events:
        if kind in kinds:
            yield f"no event {kind!r}", ", ".join(kinds)


def _flow(game: Game[Any], want: Standing) -> Iterator[tuple[str, str]]:
    top = game.stack[-1] if game.stack else None
    if want.asked is not None and game.asked() != ((want.asked,) if want.asked else ()):
        yield f"{want.asked or 'nobody'} is asked", ", ".join(game.asked()) or "nobody"
    if want.frame is not None and type(top).__name__ != want.frame:
        yield f"the frame {want.frame}", type(top).__name__ if top else "the end"
    if want.step is not None and (top is None or top.step != want.step):
        yield f"the step {want.step}", top.step if top else "the end"
    if want.outcome is not None:
        got = msgspec.to_builtins(game.outcome)
        if not _fits(want.outcome, got):
            yield f"the outcome {_words(want.outcome)}", _words(got)


def _position(game: Game[Any], want: Standing) -> Iterator[tuple[str, str]]:
    """Differences of the position, compared as the table shows it, in the words of docs/protocol.md."""
    if not (want.state or want.units or want.stacks or want.markers or want.no_markers):
        return
    view = msgspec.to_builtins(game.view(_seat(game, "")), enc_hook=str)
    units = {unit["id"]: unit for unit in view.get("units", ())}
    yield from _values("the game", view, want.state)
    for name, values in want.units.items():
        if name in units:
            yield from _values(name, units[name], values)
        else:
            yield f"a unit {name}", "none of that name"
    for place, stack in want.stacks.items():
        there = sorted((unit.get("order", 0), name) for name, unit in units.items() if _fits(place, unit.get("place")))
        if (got := tuple(name for _, name in there)) != stack:
            yield f"{place} holds {list(stack)}", str(list(got))
    markers = view.get("markers", ())
    for marker in want.markers:
        if not any(_fits(marker, other) for other in markers):
            yield f"a marker {_words(marker)}", _words(markers)
    for marker in want.no_markers:
        if any(_fits(marker, other) for other in markers):
            yield f"no marker {_words(marker)}", _words(markers)


def _values(name: str, shown: Mapping[str, Any], values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for key, value in values.items():
        field = _field(key, shown)
        if field not in shown:
            yield f"{name}: {key} {_words(value)}", f"no {key}; there is {', '.join(sorted(shown))}"
        elif not _fits(value, "" if shown[field] is None else shown[field]):  # TOML has no null
            yield f"{name}: {key} {_words(value)}", _words(_named(shown[field]) if field == "place" else shown[field])


def _offers(game: Game[Any], want: Standing) -> Iterator[tuple[str, str]]:
    if not (want.offers or want.not_offered):
        return
    offered = [msgspec.to_builtins(action) for seat in game.seats for action in game.choices(seat)]
    for action in want.offers:
        if not any(_fits(action, other) for other in offered):
            yield f"the offer {_words(action)}", _words(offered)
    for action in want.not_offered:
        if any(_fits(action, other) for other in offered):
            yield f"no offer {_words(action)}", "it is offered"


def _field(key: str, got: Mapping[str, Any]) -> str:
    """The name of a wanted field in what the game shows: its own, or the one that replaced it."""
    return key if key in got else _PLACE_WORDS.get(key, key)


def _fits(want: Any, got: Any) -> bool:
    """Whether a value holds everything wanted; of a table only the named fields are compared."""
    if isinstance(want, Mapping):
        return isinstance(got, Mapping) and all(
            (field := _field(key, got)) in got and _fits(value, got[field]) for key, value in want.items()
        )
    if isinstance(want, list | tuple):
        return (
            isinstance(got, list | tuple)
            and len(want) == len(got)
            and all(_fits(one, other) for one, other in zip(want, got, strict=True))
        )
    return bool(want == _named(got) or want == got)


def _named(value: Any) -> Any:
    """A point as its text, which is what case files say; anything else as it is."""
    match value:
        case [int(x), int(y)]:
            return places.text((x, y))
    return value


def _words(value: Any) -> str:
    return msgspec.json.encode(value, enc_hook=str).decode()
