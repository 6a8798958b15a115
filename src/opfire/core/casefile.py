"""Case files: their form, and reading them into cases; every fault is told with file, line and sentence.

`cases` gives every case of a file: one, or one for each of its runs. The form is in docs/cases.md.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

import msgspec

from opfire.core import located
from opfire.core.errors import BadInput
from opfire.core.located import Lines
from opfire.core.reading import known_fields, ready
from opfire.core.rulebook import readings, rules
from opfire.core.ruleset import Ruleset, find
from opfire.core.scenario import Rest, Scenario, Side, Strict, Victory, divided
from opfire.core.words import listed

_PIECE = ("unit", "side", "at")
FORM = "the form in docs/cases.md"


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


Listed = tuple[str, ...] | dict[str, Any]
"""A list that must be exactly so, or a table of what it `contains` and `lacks`."""


class Figures(Strict, frozen=True, kw_only=True):
    """The conditions that a calculation must fulfil; fields left out are not checked.

    `result` is that of the dice, where they have been rolled.
    """

    result: str | None = None
    lines: tuple[dict[str, Any], ...] = ()
    no_lines: tuple[dict[str, Any], ...] = ()
    column: str | None = None
    modifier: int | None = None
    chances: dict[str, str] | None = None


class Look(Figures, frozen=True, kw_only=True):
    """One calculation among several: that of a unit or group (`of`), or of that title; and its conditions."""

    of: str = ""
    title: str = ""


class Standing(Figures, frozen=True, kw_only=True):
    """The conditions that must hold after a decision; fields left out are not checked.

    `result`, `lines`, `no_lines`, `column`, `modifier` and `chances` refer to the last calculation, `calculations` to
    any of them; `results` are those of all calculations in order. `left` are the movement points or factors left of
    the unit that is moving, `costs` those of its next step by place.
    """

    results: Listed | None = None
    calculations: tuple[Look, ...] = ()
    events: tuple[str, ...] = ()
    no_events: tuple[str, ...] = ()
    asked: str | None = None
    frame: str | None = None
    step: str | None = None
    state: dict[str, Any] = msgspec.field(default_factory=dict)
    units: dict[str, dict[str, Any]] = msgspec.field(default_factory=dict)
    stacks: dict[str, Listed] = msgspec.field(default_factory=dict)
    markers: tuple[dict[str, Any], ...] = ()
    no_markers: tuple[dict[str, Any], ...] = ()
    offers: tuple[dict[str, Any], ...] = ()
    not_offered: tuple[dict[str, Any], ...] = ()
    outcome: dict[str, Any] | None = None
    left: float | None = None
    costs: dict[str, float] = msgspec.field(default_factory=dict)

    def looks(self) -> Iterator[tuple[str, Look]]:
        """Everything it says about calculations: about the last one, then about others; with the field that says it."""
        about = {name: getattr(self, name) for name in ("lines", "no_lines", "column", "modifier", "chances")}
        yield "", Look(**about)
        yield from (("calculations", look) for look in self.calculations)


class Play(Standing, frozen=True, kw_only=True):
    """A decision: its seat (empty: the asked one), the action, its dice, and the expected results.

    `way` are the places to which a move goes before that of the action, one leg after the other; `leg` is the number,
    from 1, of the leg in which the other side interrupts it (None: in none).
    """

    do: dict[str, Any]
    way: tuple[str, ...] = ()
    leg: Annotated[int, msgspec.Meta(ge=1)] | None = None
    seat: str = ""
    refused: str | None = None
    dice: tuple[int, ...] | None = None

    def legs(self) -> list[dict[str, Any]]:
        """The actions of the decision: one, or one for each leg of its way."""
        return [*({**self.do, "to": place} for place in self.way), self.do]


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
    """A decision or a check, and the way to its table in the file."""

    path: tuple[str | int, ...]
    check: Play | Expect


class Case(msgspec.Struct, frozen=True):
    """A whole case; `side` has the player turn, in the step of that name.

    `run` is the title of a run where the file has several; `lines` are the lines of the file.
    """

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
    run: str = ""
    lines: Lines = msgspec.field(default_factory=lambda: {(): 1})

    def line(self, *path: str | int) -> int:
        """The line of a value of the file, or of the innermost table or field around it."""
        return located.nearest(self.lines, *path)

    def fault(self, what: str, expected: str, *path: str | int) -> BadInput:
        """An error about a value of the file, with its line."""
        return BadInput(what, f"{self.name}:{self.line(*path)}", expected)

    @contextmanager
    def at(self, *path: str | int) -> Iterator[None]:
        """While this is open, errors are about a value of the file, and are raised with its line."""
        try:
            yield
        except BadInput as error:
            if error.where.startswith(f"{self.name}:"):
                raise
            raise self.fault(error.what, error.expected, *path) from None


Turn = Annotated[int, msgspec.Meta(ge=1)]


class _File(Strict, frozen=True, kw_only=True):
    ruleset: str
    title: str = ""
    rules: tuple[str, ...] = ()
    side: str = ""
    first: str = ""
    step: str = "direct"
    turn: Turn = 1
    turns: Turn = 99
    options: tuple[str, ...] = ()
    dice: tuple[int, ...] = ()
    sides: dict[str, Side]
    units: dict[str, dict[str, Any]] = msgspec.field(default_factory=dict)
    markers: tuple[Mark, ...] = ()
    victory: tuple[Victory, ...] = ()
    play: tuple[Play, ...] = ()
    expect: tuple[Expect, ...] = ()


# --- reading ---------------------------------------------------------------------------------------


def read(path: Path) -> tuple[Case, ...]:
    """The cases in that file. Raises BadInput, with the file's name, for a file that is not a case."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"this file cannot be read: {error}", str(path), "a case file") from None
    return cases(text, str(path))


def parse(text: str, where: str) -> Case:
    """The only case of a file. Raises BadInput, as `cases` does, and for a file with several runs."""
    found = cases(text, where)
    if len(found) > 1:
        raise BadInput(f"there are {len(found)} runs", where, "one case")
    return found[0]


def cases(text: str, where: str) -> tuple[Case, ...]:
    """The cases of a TOML text: one for each run, or the only one.

    Raises BadInput with the fault, file and line, and what was expected.
    """
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # broken, numbers too long, or too deep
        raise _not_toml(str(error), text, where) from None
    lines = located.lines(text)
    runs = data.pop("run", None)
    if runs is None:
        return (_case(data, where, lines, ""),)
    if not isinstance(runs, list) or not runs or ("run", 0) not in lines:
        place = f"{where}:{located.nearest(lines, 'run')}"
        raise BadInput("a run is not a table of its own", place, "[[run]] on a line alone")
    return tuple(
        _case(_merged(data, run, where, lines, index), where, _lines_of_run(lines, run, index), _title(run, index))
        for index, run in enumerate(runs)
    )


def _not_toml(fault: str, text: str, where: str) -> BadInput:
    """The error for a text that is no TOML, with the line that its parser names, or the last."""
    said = re.search(r" \(at (?:line (\d+), column \d+|end of document)\)$", fault)
    line = said[1] if said and said[1] else text.count("\n") + 1
    return BadInput(f"not TOML: {fault[: said.start() if said else None]}", f"{where}:{line}", "a case file")


# --- runs --------------------------------------------------------------------------------------------


def _title(run: Mapping[str, Any], index: int) -> str:
    return str(run.get("title", f"run {index + 1}"))


def _merged(data: Mapping[str, Any], run: dict[str, Any], where: str, lines: Lines, index: int) -> dict[str, Any]:
    """The file's own position and decisions, with what a run changes and adds.

    A run's dice and decisions follow those of the file; its units change or join them; any other field replaces that
    of the file. `without` names units that the run leaves out.
    """
    without = run.get("without", [])
    units = {**data.get("units", {})}
    for name in without if isinstance(without, list) else [without]:
        if units.pop(str(name), None) is None:
            place = f"{where}:{located.nearest(lines, 'run', index, 'without')}"
            raise BadInput(f"there is no unit {name!r} to leave out", place, ", ".join(units) or "no unit")
    for name, changes in run.get("units", {}).items():
        units[name] = {**units.get(name, {}), **changes} if isinstance(changes, dict) else changes
    merged = {**data, **{key: value for key, value in run.items() if key not in ("without", "units")}}
    for key in ("play", "expect", "dice"):
        own, more = data.get(key, []), run.get(key, [])
        if own and more and isinstance(own, list) and isinstance(more, list):
            merged[key] = own + more
    return {**merged, "units": units} if units else merged


def _lines_of_run(lines: Lines, run: Mapping[str, Any], index: int) -> Lines:
    """The lines of the file as a run sees them: where it says something itself, its own."""
    shift = {kind: sum(path[:1] == (kind,) and len(path) == 2 for path in lines) for kind in ("play", "expect")}
    own = {path[2:]: line for path, line in lines.items() if path[:2] == ("run", index) and path[2:]}
    moved = {
        (path[0], path[1] + shift[path[0]], *path[2:])
        if path[0] in shift and len(path) > 1 and isinstance(path[1], int)
        else path: line
        for path, line in own.items()
    }
    kept = {path: line for path, line in lines.items() if path[:1] != ("run",) and not _replaced(path, run)}
    return {**kept, **moved}


def _replaced(path: located.Path, run: Mapping[str, Any]) -> bool:
    """Whether a run has an array of its own in place of the one that this value of the file belongs to."""
    return len(path) > 1 and path[0] in ("markers", "victory", "indirect", "missions", "plots") and path[0] in run


# --- a case --------------------------------------------------------------------------------------------


def _case(data: Mapping[str, Any], where: str, lines: Lines, run: str) -> Case:
    general, rest = divided({**data, "sides": _named_sides(data.get("sides"))}, _File, Mark)
    file = _converted(general, where, lines)
    ruleset = _ruleset(file, where, lines)
    beyond = Rest(rest, where, "docs/cases.md")
    try:
        beyond.read(ruleset.sections)
    except BadInput as error:
        line = located.nearest(lines, *located.path_of(error.what))
        raise BadInput(error.what, f"{where}:{line}", error.expected) from None
    side = file.side or next(iter(file.sides))
    case = Case(
        name=where,
        ruleset=file.ruleset,
        scenario=_scenario(file, ruleset, side, beyond),
        title=file.title,
        rules=file.rules,
        side=side,
        step=file.step,
        turn=file.turn,
        dice=file.dice,
        units={name: _piece(name, table, where, lines) for name, table in file.units.items()},
        markers=file.markers,
        steps=tuple(_steps(file, where, lines)),
        run=run,
        lines=lines,
    )
    _check_sides(case)
    _check_rules(case, ruleset)
    for step in case.steps:
        _check_step(case, ruleset, step)
    return case


def _ruleset(file: _File, where: str, lines: Lines) -> Ruleset:
    try:
        return find(file.ruleset)
    except BadInput as error:
        raise BadInput(error.what, f"{where}:{located.nearest(lines, 'ruleset')}", error.expected) from None


def _converted(general: Mapping[str, Any], where: str, lines: Lines) -> _File:
    try:
        return msgspec.convert(general, ready(_File))
    except msgspec.ValidationError as error:
        line = located.nearest(lines, *located.path_of(str(error)))
        raise BadInput(str(error), f"{where}:{line}", known_fields(_File, str(error)) or FORM) from None


def _named_sides(tables: Any) -> Any:
    """The sides of a case, each with its name and nation; German and Soviet if the case names none."""
    if not tables:
        tables = {"german": {}, "soviet": {}}
    if not isinstance(tables, Mapping):
        return tables
    return {name: _named_side(name, table) for name, table in tables.items()}


def _named_side(name: str, table: Any) -> Any:
    return {"name": name.title(), "nation": name, **table} if isinstance(table, Mapping) else table


def _scenario(file: _File, ruleset: Ruleset, side: str, rest: Rest) -> Scenario:
    return Scenario(
        id="case",
        ruleset=file.ruleset,
        title=file.title,
        turns=file.turns,
        first=file.first or side,
        sides=file.sides,
        options=tuple(_options(file.options, ruleset)),
        victory=file.victory,
        rest=rest,
    )


def _options(numbers: Iterable[str], ruleset: Ruleset) -> Iterator[str]:
    """The options of a case, with those for which the number of a chapter stands."""
    seen: set[str] = set()
    for number in numbers:
        meant = (number,) if number in {option.rule for option in ruleset.options} else ruleset.chapters.get(number)
        for rule in (number,) if meant is None else meant:
            if rule not in seen:
                yield rule
            seen.add(rule)


def _piece(name: str, table: Mapping[str, Any], where: str, lines: Lines) -> Piece:
    values = {key: value for key, value in table.items() if key not in _PIECE}
    try:
        return msgspec.convert({**{key: table[key] for key in _PIECE if key in table}, "values": values}, ready(Piece))
    except msgspec.ValidationError as error:
        line = located.nearest(lines, "units", name, *located.path_of(str(error)))
        expected = "a table with at least `unit`, the unit's type"
        raise BadInput(f"unit {name}: {error}", f"{where}:{line}", expected) from None


def _steps(file: _File, where: str, lines: Lines) -> Iterator[Step]:
    """Decisions and checks in the order of the file, which TOML itself does not keep."""
    tables = [(("play", at), play) for at, play in enumerate(file.play)]
    every: list[tuple[tuple[str, int], Play | Expect]] = [*tables]
    every += [(("expect", at), check) for at, check in enumerate(file.expect)]
    for path, _ in every:
        if path not in lines:
            place = f"{where}:{located.nearest(lines, *path)}"
            raise BadInput(
                "a decision or check is not a table of its own", place, "[[play]] or [[expect]] on a line alone"
            )
    yield from (Step(path, check) for path, check in sorted(every, key=lambda one: lines[one[0]]))


# --- names ---------------------------------------------------------------------------------------------


def _check_sides(case: Case) -> None:
    """Reject a name that no side has, where a side is named. Raises BadInput."""
    sides = case.scenario.sides
    named = [(case.side, ("side",)), (case.scenario.first, ("first",))]
    units = [(piece.side, ("units", name, "side")) for name, piece in case.units.items() if piece.side]
    victory = [(one.side, ("victory", at, "side")) for at, one in enumerate(case.scenario.victory)]
    seats = [(step.check.seat, (*step.path, "seat")) for step in case.steps if step.check.seat]
    for side, path in (*named, *units, *victory, *seats):
        if side not in sides:
            raise case.fault(f"the side {side!r} does not exist", " or ".join(sides), *path)


def _check_rules(case: Case, ruleset: Ruleset) -> None:
    """Reject a number that is no rule of the book, no part or chapter of one, and no reading. Raises BadInput."""
    known = {*rules(ruleset.package), *readings(ruleset.package), *(option.rule for option in ruleset.options)}
    for at, number in enumerate(case.rules):
        if number not in known and not any(_related(number, rule) for rule in known):
            meant = get_close_matches(number, known, 3)
            expected = listed(meant) if meant else f"numbers of {ruleset.id}'s rules.csv"
            raise case.fault(f"there is no rule {number!r}", expected, "rules", at)


def _related(number: str, rule: str) -> bool:
    """Return whether these are one rule, or one is a part of the other.

    >>> _related("9.5", "9.5.2"), _related("9.8-P3-A1", "9.8-P3"), _related("9.5", "9.52"), _related("9", "9.1")
    (True, True, False, True)
    >>> _related("7.33A2", "7.33"), _related("5.4.1(b)", "5.4.1"), _related("R4", "R44")
    (True, True, False)
    """
    short, long = sorted((number, rule), key=len)
    return bool(short) and re.match(r"\D|$", long.removeprefix(short)) is not None and long.startswith(short)


def covers(number: object, rule: str) -> bool:
    """Return whether a number in a case is this rule, or the number in the book of which this rule is a part.

    >>> covers("7.3.6", "7.3.6-arc"), covers("10.8", "10.8.2"), covers("7.3.6-arc", "7.3.6"), covers("9.8", "9.80")
    (True, True, False, False)
    """
    if not isinstance(number, str) or not number or not rule.startswith(number):
        return False
    return re.match(r"\D|$", rule.removeprefix(number)) is not None


def _check_fields(ruleset: Ruleset, action: Mapping[str, Any]) -> None:
    """Reject fields that an action, or an order among its own, does not have. Raises BadInput."""
    kinds = {str(kind.__struct_config__.tag): kind for kind in ruleset.actions}
    if kind := kinds.get(str(action.get("type"))):
        known = kind.__struct_encode_fields__
        for key in action:
            if key not in known and key != "type":
                meant = get_close_matches(key, known, 1) or known
                raise BadInput(f"{action['type']} has no field {key!r}", expected=", ".join(meant) or "no field")
    for order in action.get("orders", ()):
        if isinstance(order, Mapping):
            _check_fields(ruleset, order)


def _check_step(case: Case, ruleset: Ruleset, step: Step) -> None:
    """Reject actions, queries and fractions that cannot be read. Raises BadInput."""
    check = step.check
    for field in ("do", "preview"):
        if (action := getattr(check, field, None)) is not None:
            with case.at(*step.path, field):
                ruleset.read_action(action)
                _check_fields(ruleset, action)
    if isinstance(check, Play) and check.way:
        with case.at(*step.path, "way"):
            for leg in check.legs():
                ruleset.read_action(leg)
    if isinstance(check, Expect) and check.query and check.query not in ruleset.queries:
        known = "one of " + ", ".join(sorted(ruleset.queries))
        raise case.fault(f"the query {check.query!r} does not exist", known, *step.path, "query")
    for field, look in check.looks():
        for chance in (look.chances or {}).values():
            try:
                Fraction(chance)
            except (ValueError, ZeroDivisionError):
                raise case.fault(
                    f"{chance!r} is no chance", "a fraction such as 1/6", *step.path, field or "chances"
                ) from None
