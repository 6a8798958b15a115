"""Cases: a position, decisions, scripted dice and the expected results, as a small text file.

`run` plays a case that `opfire.core.casefile` has read, and returns the differences. The form is in docs/cases.md.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from opfire.core import places
from opfire.core.actions import PROCEDURE, Action, Refusal
from opfire.core.casefile import Case, Expect, Listed, Look, Play, Standing, Step, cases, covers, parse, read
from opfire.core.dice import Dice, scripted
from opfire.core.errors import BadInput, OpfireError
from opfire.core.events import Calculation, Event, Line
from opfire.core.game import Game
from opfire.core.rulebook import rules
from opfire.core.ruleset import find
from opfire.core.vocabulary import says

__all__ = ["Case", "Difference", "cases", "parse", "position", "read", "run"]

_PLACE_WORDS = {"hex": "place", "hexes": "places", "at": "place"}
"""The names in case files for the fields that views and answers call `place` and `places`."""

_LIST_WORDS = frozenset({"contains", "lacks"})
"""The fields of a table that stands for a list: some of its values, and values that it does not have."""


class Difference(msgspec.Struct, frozen=True, omit_defaults=True):
    """A difference: the case, the line of its decision, the expectation, the game's result; the run, if any."""

    case: str
    line: int
    expected: str
    got: str
    run: str = ""

    def __str__(self) -> str:
        run = f" {self.run}:" if self.run else ""
        return f"{self.case}:{self.line}:{run} expected {self.expected}, got {self.got}"


class Reckoning(msgspec.Struct, frozen=True):
    """A calculation, the units that it is about (ids, or names joined by commas), and its dice if they have fallen."""

    about: tuple[str, ...]
    calculation: Calculation
    dice: tuple[int, ...] = ()

    def named(self, look: Look) -> bool:
        """Whether a look means this calculation."""
        return look.of in ("", *self.about) and look.title in ("", self.calculation.title)


# --- playing ---------------------------------------------------------------------------------------


def position(case: Case) -> Game[Any]:
    """The game as the case sets it up, waiting for its first decision. Raises BadInput."""
    ruleset = find(case.ruleset)
    if ruleset.arrange is None:
        raise BadInput(f"{case.ruleset} does not play cases", case.name, "a ruleset that can arrange a position")
    try:
        state, frame = ruleset.arrange(case.scenario, case)
    except BadInput as error:
        raise _placed(case, error) from None
    game: Game[Any] = Game(ruleset, state, scripted(case.dice), {side: side for side in case.scenario.sides})
    game.umpired = True
    game.push(frame)
    try:
        game.run()
    except BadInput as error:
        if error.where != "dice":
            raise _placed(case, error) from None
        run = f"{case.run}: " if case.run else ""
        what = f"{run}dice fall before the first decision, and {error.what}"
        raise case.fault(what, f"{error.expected} in `dice` of the position", "dice") from None
    return game


def _placed(case: Case, error: BadInput) -> BadInput:
    """An error of the position, with the line of the table or field that it names."""
    if error.where.startswith(case.name):
        return error
    field = re.split(r"[.: ]", error.where)[0]
    return case.fault(f"{error.where}: {error.what}" if error.where else error.what, error.expected, field)


def run(case: Case) -> list[Difference]:
    """Play the case and return its differences; an empty list if it holds.

    Raises BadInput when the case cannot be set up, or a check names something that does not exist.
    """
    game = position(case)
    found: list[Difference] = []
    told: list[Event] = []
    for step, after in zip(case.steps, (*case.steps[1:], None), strict=False):
        if isinstance(step.check, Expect):
            tried = [*_checked(game, step, case)]
        elif _closing(game, step) and not _closable(game) and any(event.calculation for event in told):
            tried, told = [*_standing(game, case, step, told, _reckonings(told))], []  # it has closed itself
        else:
            told = []
            tried = [*_played(game, step.check, case, step, _lent(game, step.check, after), told)]
        line = case.line(*step.path)
        found += [Difference(case.name, line, expected, got, case.run) for expected, got in tried]
        if found and isinstance(step.check, Play):
            return found  # the rest refers to a position that was not reached
    if not found and game.dice.script:
        line = case.line(*case.steps[-1].path) if case.steps else 1
        left = f"{list(game.dice.script)} left over"
        found.append(Difference(case.name, line, "every die used", left, case.run))
    return found


# --- fire that is announced, and then resolved ---------------------------------------------------------------------


def _closing(game: Game[Any], step: Step | None) -> Play | None:
    """The decision by which announced fire falls, such as `Resolve`, if the step is one."""
    if step is None or not isinstance(step.check, Play) or step.check.refused is not None:
        return None
    return step.check if game.ruleset.closes and step.check.do.get("type") == game.ruleset.closes else None


def _closable(game: Game[Any]) -> bool:
    """Return whether announced fire waits for that decision."""
    return bool(game.stack) and any(action.__name__ == game.ruleset.closes for action in game.stack[-1].takes)


def _lent(game: Game[Any], play: Play, after: Step | None) -> tuple[int, ...]:
    """The dice of the decision after an announcement, which fall at once where nobody else could join the fire."""
    closing = _closing(game, after)
    return closing.dice or () if closing and play.dice is None and not game.dice.script else ()


def _seat(game: Game[Any], seat: str) -> str:
    if seat:
        return seat
    asked = game.asked()
    return next((name for name, side in game.seats.items() if side in asked), next(iter(game.seats)))


def _played(
    game: Game[Any], play: Play, case: Case, step: Step, lent: tuple[int, ...], events: list[Event]
) -> Iterator[tuple[str, str]]:
    """Play a decision; its events are added. Announced fire for which it has dice falls without another decision."""
    seat, pool = _seat(game, play.seat), game.dice
    dice = play.dice if play.dice is not None else lent or None
    if dice is not None:
        game.dice = msgspec.structs.replace(pool, script=dice)
    found = list(_gone(game, seat, play, events))
    if not found and play.refused is None and play.dice and game.dice.script == play.dice and _closable(game):
        closing = game.ruleset.read_action({"type": game.ruleset.closes})
        events += game.play(seat, closing) if game.why_not(seat, closing) is None else []
    if found or play.refused is not None:
        game.dice = _restored(game.dice, pool)
        yield from found
        return
    if dice is not None:
        if game.dice.script and (play.dice is not None or game.dice.script != lent):
            yield f"dice {list(dice)} used", f"{list(game.dice.script)} left over"
        game.dice = _restored(game.dice, pool)
    yield from _standing(game, case, step, events, _reckonings(events))


def _gone(game: Game[Any], seat: str, play: Play, events: list[Event]) -> Iterator[tuple[str, str]]:
    """Play the legs of a decision until the other side interrupts them; the differences, and the events added."""
    legs = play.legs()
    for number, leg in enumerate(legs, 1):
        action = game.ruleset.read_action(leg)
        refusal = game.why_not(seat, action)
        if play.refused is not None and number == len(legs):
            if refusal is None or not covers(play.refused, refusal.rule):
                got = f"{refusal}{_pending(game, refusal)}" if refusal else "allowed"
                yield f"refused by {play.refused}", got
            return
        if refusal is not None:
            yield f"{seat} plays {_words(leg)}", f"refused: {refusal}{_pending(game, refusal)}"
            return
        try:
            events += game.play(seat, action)
        except OpfireError as error:
            yield f"{seat} plays {_words(leg)}", str(error)
            return
        if game.seats[seat] not in game.asked():
            yield from _interrupted(play, number)
            return
    if play.leg is not None:
        yield f"interrupted in leg {play.leg}", "in none"


def _pending(game: Game[Any], refusal: Refusal) -> str:
    """The decision that is due in place of one that is out of order, with the names of its actions."""
    if refusal.rule != PROCEDURE or not game.stack:
        return ""
    names = ", ".join(action.__name__ for action in game.stack[-1].takes)
    asked = [f"{seat}: {game.prompt(seat)}" for seat, side in game.seats.items() if side in game.asked()]
    return f"; {' / '.join(asked)} ({names})"


def _interrupted(play: Play, number: int) -> Iterator[tuple[str, str]]:
    """A decision that somebody else has interrupted, in this leg."""
    if play.leg not in (number, None) or (play.leg is None and number <= len(play.way)):
        yield f"interrupted in {f'leg {play.leg}' if play.leg else 'no leg'}", f"in leg {number}"


def _reckonings(events: Iterable[Event]) -> list[Reckoning]:
    return [Reckoning(event.units, event.calculation, event.dice) for event in events if event.calculation is not None]


def _restored(after: Dice, pool: Dice) -> Dice:
    return msgspec.structs.replace(after, script=pool.script)


def _checked(game: Game[Any], step: Step, case: Case) -> Iterator[tuple[str, str]]:
    check = step.check
    assert isinstance(check, Expect)
    seat = _seat(game, check.seat)
    if check.do is not None:
        refusal = game.why_not(seat, game.ruleset.read_action(check.do))
        right = check.refused is not None and covers(check.refused, refusal.rule) if refusal else check.refused is None
        if not right:
            got = f"{refusal}{_pending(game, refusal)}" if refusal else "allowed"
            yield f"refused by {check.refused}" if check.refused else "allowed", got
    reckonings: list[Reckoning] = []
    if check.preview is not None:
        reckonings = _previewed(game, seat, case, step)
        if not reckonings:
            yield f"a calculation for {_words(check.preview)}", str(_barred(game, seat, check.preview) or "none")
            return
    if check.query:
        yield from _answered(game, seat, case, step)
    yield from _standing(game, case, step, [], reckonings)


def _barred(game: Game[Any], seat: str, action: Mapping[str, Any]) -> Refusal | None:
    """The reason for which the action of a preview without a calculation could not be played, if there is one."""
    return game.why_not(seat, game.ruleset.read_action(action))


def _previewed(game: Game[Any], seat: str, case: Case, step: Step) -> list[Reckoning]:
    """Every calculation that an action would lead to, each with the names in its label."""
    assert isinstance(step.check, Expect)
    action, sight = game.ruleset.read_action(step.check.preview), game.sight(seat)
    if refusal := game.ruleset.unknown(sight, action):
        raise case.fault(refusal.sentence(), "units and places of the case", *step.path, "preview")
    found = game.ruleset.previews(sight, game.stack[-1], action) if game.stack else ()
    told = ((str(label), calculation) for label, calculation in found)
    return [Reckoning((label, *label.split(", ")), calculation) for label, calculation in told]


def _answered(game: Game[Any], seat: str, case: Case, step: Step) -> Iterator[tuple[str, str]]:
    check = step.check
    assert isinstance(check, Expect)
    plain = msgspec.to_builtins(_asked(game, seat, case, step))
    if not _fits(check.answer, plain):
        yield f"{check.query} answers {_words(check.answer)}", _words(plain)


def _asked(game: Game[Any], seat: str, case: Case, step: Step) -> Any:
    """The answer to the query of a check. Raises BadInput for particulars that it does not take or know."""
    check = step.check
    assert isinstance(check, Expect)
    query = game.ruleset.queries[check.query]
    ask = {_PLACE_WORDS.get(key, key): value for key, value in check.ask.items()}
    if "action" in ask:
        with case.at(*step.path, "ask"):
            ask["action"] = game.ruleset.read_action(ask["action"])
    particulars = inspect.signature(query).parameters
    wanted = [name for name, one in particulars.items() if one.kind is inspect.Parameter.KEYWORD_ONLY]
    wanted = wanted or list(particulars)[2:]
    needed = [name for name in wanted if particulars[name].default is inspect.Parameter.empty]
    if strange := [name for name in ask if name not in wanted] + [name for name in needed if name not in ask]:
        said = "has no" if strange[0] in ask else "needs"
        raise case.fault(f"query {check.query} {said} {strange[0]!r}", ", ".join(wanted), *step.path, "ask")
    for key, value in ask.items():
        _check_known(game, seat, case, step, key, value)
    if "frame" in wanted and "frame" not in ask and game.stack:
        ask["frame"] = game.stack[-1]
    return query(game.sight(seat), game.seats[seat], **ask)


_PLACES = frozenset({"place", "start", "to"})


def _check_known(game: Game[Any], seat: str, case: Case, step: Step, key: str, value: Any) -> None:
    """Reject a unit or a place of a question that is not in the game. Raises BadInput."""
    space = game.ruleset.space(game.sight(seat))
    with case.at(*step.path, "ask"):
        if key == "unit" and value not in _units(game, seat):
            raise BadInput(f"there is no unit {value!r}", expected=", ".join(_units(game, seat)))
        if key in _PLACES and space is not None:
            if not isinstance(value, str):
                raise BadInput(f"{_words(value)} is no place", expected="a text")
            space.parse(value)


def _view(game: Game[Any], seat: str) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.to_builtins(game.view(seat), enc_hook=str)
    return found


def _units(game: Game[Any], seat: str) -> dict[str, dict[str, Any]]:
    return {unit["id"]: unit for unit in _view(game, seat).get("units", ())}


# --- what is true afterwards -----------------------------------------------------------------------


def _standing(
    game: Game[Any], case: Case, step: Step, events: Sequence[Event], reckonings: Sequence[Reckoning]
) -> Iterator[tuple[str, str]]:
    want = step.check
    _check_absent(game, case, step)
    yield from _results(
        want, [reckoning.calculation.result(reckoning.dice) for reckoning in reckonings if reckoning.dice]
    )
    yield from _last(want, reckonings)
    yield from _calculations(want, reckonings)
    yield from _events(want, events)
    yield from _flow(game, want)
    yield from _under_way(game, want)
    yield from _position(game, want)
    yield from _offers(game, want)


def _results(want: Standing, rolled: list[str]) -> Iterator[tuple[str, str]]:
    if want.result is not None and (not rolled or rolled[-1] != want.result):
        yield f"result {want.result}", rolled[-1] if rolled else "no roll"
    if want.results is not None and not _fits(want.results, rolled):
        yield f"results {_wanted(want.results)}", str(rolled)


def _last(want: Standing, reckonings: Sequence[Reckoning]) -> Iterator[tuple[str, str]]:
    """Differences of the last calculation."""
    (_, look), *_ = want.looks()
    if reckonings:
        yield from _differing(look, reckonings[-1])
    elif look.lines or any(part is not None for part in (look.column, look.modifier, look.chances)):
        yield "a calculation", "none"


def _calculations(want: Standing, reckonings: Sequence[Reckoning]) -> Iterator[tuple[str, str]]:
    """Differences of calculations that are looked at by their unit, group or title: one of them must fit."""
    for look in want.calculations:
        name = look.of or look.title or "any"
        meant = [reckoning for reckoning in reckonings if reckoning.named(look)]
        if not meant:
            there = [f"{reckoning.calculation.title} ({', '.join(reckoning.about)})" for reckoning in reckonings]
            yield f"a calculation of {name}", "; ".join(there) or "none"
        elif all(list(_differing(look, reckoning)) for reckoning in meant):
            yield from ((f"{name}: {expected}", got) for expected, got in _differing(look, meant[-1]))


def _differing(look: Look, reckoning: Reckoning) -> Iterator[tuple[str, str]]:
    got = reckoning.calculation
    if look.result is not None:
        rolled = got.result(reckoning.dice) if reckoning.dice else "no roll"
        if rolled != look.result:
            yield f"result {look.result}", rolled
    if look.column is not None and got.column != look.column:
        yield f"column {look.column}", got.column
    if look.modifier is not None and got.modifier != look.modifier:
        yield f"modifier {look.modifier}", str(got.modifier)
    if look.chances is not None:
        chances = {result: str(chance) for result, chance in got.chances().items()}
        if {result: str(Fraction(chance)) for result, chance in look.chances.items()} != chances:
            yield f"chances {look.chances}", str(chances)
    lines = [msgspec.structs.asdict(line) for line in got.lines]
    for line in look.lines:
        if not any(_is_line(line, other) for other in lines):
            yield f"a line {_words(line)}", _lines(lines)
    for line in look.no_lines:
        if any(_is_line(line, other) for other in lines):
            yield f"no line {_words(line)}", _lines(lines)


def _is_line(want: Mapping[str, Any], line: Mapping[str, Any]) -> bool:
    """Whether a line has everything wanted; the number of a rule stands for its parts, too."""
    rest = {field: value for field, value in want.items() if field != "rule"}
    return _fits(rest, line) and ("rule" not in want or covers(want["rule"], line["rule"]))


def _lines(lines: list[dict[str, Any]]) -> str:
    return "; ".join(f"{line['label']} {line['value']} [{line['rule']}]" for line in lines)


def _events(want: Standing, events: Sequence[Event]) -> Iterator[tuple[str, str]]:
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
    if want.step is not None and (top is None or not _begins(top.step, want.step)):
        yield f"the step {want.step}", top.step if top else "the end"
    if want.outcome is not None:
        got = msgspec.to_builtins(game.outcome)
        if not _fits(want.outcome, got):
            yield f"the outcome {_words(want.outcome)}", _words(got)


def _under_way(game: Game[Any], want: Standing) -> Iterator[tuple[str, str]]:
    """Differences of the move under way: the points or factors left, and the price of the next step."""
    if want.left is None and not want.costs:
        return
    frame = next((one for one in reversed(game.stack) if hasattr(one, "unit") and _moves(one)), None)
    steps = game.ruleset.queries.get("steps")
    if frame is None or steps is None:
        now = type(game.stack[-1]).__name__ if game.stack else "the end"
        yield "a unit that is moving", now if steps else f"{now}; the points left are not told in {game.ruleset.id}"
        return
    unit, side = frame.unit, game.asked()[0]
    got = steps(game.sight(_seat(game, "")), side, unit=unit, frame=frame)
    if want.left is not None and got["left"] != want.left:
        yield f"{unit} has {want.left:g} left", f"{got['left']:g}"
    for place, cost in want.costs.items():
        if got["costs"].get(place) != cost:
            yield f"{place} costs {cost:g}", f"{got['costs'][place]:g}" if place in got["costs"] else "no step there"


def _moves(frame: object) -> bool:
    return hasattr(frame, "left") or type(frame).__name__ == "Moving"


def _position(game: Game[Any], want: Standing) -> Iterator[tuple[str, str]]:
    """Differences of the position, compared as the table shows it, in the words of docs/protocol.md.

    A check may name the seat whose knowledge it looks at.
    """
    if not (want.state or want.units or want.stacks or want.markers or want.no_markers):
        return
    view = _view(game, _seat(game, want.seat if isinstance(want, Expect) else ""))
    units = {unit["id"]: unit for unit in view.get("units", ())}
    sight = game.sight(_seat(game, want.seat if isinstance(want, Expect) else ""))
    pieces = getattr(sight, "units", {})
    yield from _values("the game", {**_state(sight, view, want.state), **view}, want.state)
    for name, values in want.units.items():
        if name in units:
            yield from _values(name, {**_state(pieces.get(name), units[name], values), **units[name]}, values)
        else:
            yield f"a unit {name}", "none of that name"
    for place, stack in want.stacks.items():
        there = sorted((unit.get("order", 0), name) for name, unit in units.items() if _fits(place, unit.get("place")))
        if not _fits(stack, got := [name for _, name in there]):
            yield f"{place} holds {_wanted(stack)}", str(got)
    markers = view.get("markers", ())
    for marker in want.markers:
        if not any(_fits(marker, other) for other in markers):
            yield f"a marker {_words(marker)}", _words(markers)
    for marker in want.no_markers:
        if any(_fits(marker, other) for other in markers):
            yield f"no marker {_words(marker)}", _words(markers)


def _wanted(listed: Listed) -> str:
    return _words(listed) if isinstance(listed, Mapping) else str(list(listed))


def _state(keeps: object, shown: Mapping[str, Any], wanted: Iterable[str]) -> dict[str, Any]:
    """The wanted values that the table does not show under a name of their own, as the rules keep them."""
    fields = getattr(keeps, "__struct_fields__", ())
    hidden = [key for key in wanted if key in fields and _field(key, shown) not in shown]
    return {key: msgspec.to_builtins(getattr(keeps, key), enc_hook=str) for key in hidden}


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
        if not any(_fits(action, other) for other in offered) and not _allowed(game, action):
            yield f"the offer {_words(action)}", _words(offered)
    for action in want.not_offered:
        if any(_fits(action, other) for other in offered):
            yield f"no offer {_words(action)}", "it is offered"


def _allowed(game: Game[Any], wanted: Mapping[str, Any]) -> bool:
    """Whether an action that is told in full may be played: some are listed once for several units, or not at all."""
    try:
        action = game.ruleset.read_action(wanted)
    except BadInput:
        return False
    return any(game.why_not(seat, action) is None for seat in game.seats)


def _field(key: str, got: Mapping[str, Any]) -> str:
    """The name of a wanted field in what the game shows: its own, or the one that replaced it."""
    return key if key in got else _PLACE_WORDS.get(key, key)


def _fits(want: Any, got: Any) -> bool:
    """Whether a value holds everything wanted; of a table only the named fields are compared."""
    if isinstance(want, Mapping) and isinstance(got, list | tuple):
        has, lacks = want.get("contains", ()), want.get("lacks", ())
        return (
            want.keys() <= _LIST_WORDS
            and all(any(_fits(one, other) for other in got) for one in has)
            and not any(_fits(one, other) for one in lacks for other in got)
        )
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


# --- names of what should be absent ----------------------------------------------------------------

_LINE_FIELDS = frozenset(Line.__struct_fields__)
_MARKER_FIELDS = frozenset({"id", "kind", "place", "hex", "at", "text", "value", "side"})


class _Part:
    """An action of which only some fields are given: enough for the ruleset to find names that it does not know."""

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self.__struct_fields__ = tuple(fields)
        self.__dict__.update(fields)


def _begins(step: str, words: str) -> bool:
    """Return whether a step has that name, or begins with those words.

    >>> _begins("direct fire", "direct"), _begins("moving", "move")
    (True, False)
    """
    return f"{step} ".startswith(f"{words} ")


def _check_absent(game: Game[Any], case: Case, step: Step) -> None:
    """Reject a name, among the things that should be absent, that the game does not have at all. Raises BadInput."""
    want = step.check
    for kind in want.no_events:
        with case.at(*step.path, "no_events"):
            _check_said(game, "event", kind)
    for field, look in want.looks():
        with case.at(*step.path, field or "no_lines"):
            for line in look.no_lines:
                _check_line(game, line)
    for marker in want.no_markers:
        with case.at(*step.path, "no_markers"):
            _check_marker(game, marker)
    for action in want.not_offered:
        with case.at(*step.path, "not_offered"):
            _check_offer(game, action)
    for place in want.stacks:
        with case.at(*step.path, "stacks"):
            _check_place(game, place)


def _check_said(game: Game[Any], what: str, name: Any) -> None:
    if not isinstance(name, str) or not says(game.ruleset.package, name):
        raise BadInput(f"there is no {what} {name!r}", expected="a name that the rules use")


def _check_fields(what: str, table: Mapping[str, Any], known: Iterable[str]) -> None:
    known = sorted(known)
    if strange := [field for field in table if field not in known]:
        raise BadInput(f"{what} has no {strange[0]!r}", expected=", ".join(known))


def _check_line(game: Game[Any], line: Mapping[str, Any]) -> None:
    _check_fields("a line", line, _LINE_FIELDS)
    for field in ("kind", "label"):
        if field in line and not str(line[field]).startswith(_names(game)):
            _check_said(game, f"line of {field}", line[field])
    known = [*rules(game.ruleset.package), *(option.rule for option in game.ruleset.options)]
    if "rule" in line and not any(covers(line["rule"], rule) for rule in known):
        raise BadInput(f"there is no rule {line['rule']!r}", expected=f"a number of {game.ruleset.id}'s rules.csv")


def _names(game: Game[Any]) -> tuple[str, ...]:
    """The names of units, with which the label of a line may begin."""
    return tuple(str(unit.get("name", unit["id"])) for unit in _units(game, _seat(game, "")).values())


def _check_marker(game: Game[Any], marker: Mapping[str, Any]) -> None:
    _check_fields("a marker", marker, _MARKER_FIELDS)
    if "kind" in marker:
        _check_said(game, "marker", marker["kind"])
    for field in ("place", "hex", "at"):
        if field in marker:
            _check_place(game, marker[field])


def _check_place(game: Game[Any], place: Any) -> None:
    space = game.ruleset.space(game.sight(_seat(game, "")))
    if space is not None and isinstance(place, str):
        space.parse(place)


def _check_offer(game: Game[Any], table: Mapping[str, Any]) -> None:
    """Reject an action that no ruleset's frame takes, a field that it lacks, a unit or place not in the game."""
    tags = {str(action.__struct_config__.tag): action for action in game.ruleset.actions}
    name = table.get("type")
    if name is not None and name not in list(tags):
        raise BadInput(f"there is no action {name!r}", expected=", ".join(sorted(tags)))
    of = [tags[name]] if name is not None else list(tags.values())
    _check_fields(f"the action {name}" if name else "an action", table, {"type", *_fields(of)})
    for field in table.keys() - {"type"}:
        _check_word(of, field, table[field])
    part: Any = _Part({key: value for key, value in table.items() if key != "type"})
    refusal: Refusal | None = game.ruleset.unknown(game.sight(_seat(game, "")), part)
    if refusal is not None:
        raise BadInput(refusal.sentence(), expected="units and places of the case")


def _check_word(actions: Iterable[type[Action]], field: str, value: Any) -> None:
    """Reject a value for a field that is a name, or one of a few words, in all of these actions. Raises BadInput."""
    hints = [get_type_hints(action)[field] for action in actions if field in action.__struct_fields__]
    if all(hint is str for hint in hints) and not isinstance(value, str):
        raise BadInput(f"{field} {value!r}", expected="a name")
    listed = value if isinstance(value, list) else ()
    if all(hint == tuple[str, ...] for hint in hints) and not all(isinstance(name, str) for name in listed):
        raise BadInput(f"{field} {value!r}", expected="a list of names")
    if all(get_origin(hint) is Literal for hint in hints):
        known = dict.fromkeys(word for hint in hints for word in get_args(hint))
        if value not in list(known):
            raise BadInput(f"{field} {value!r}", expected=", ".join(known))


def _fields(actions: Iterable[type[Action]]) -> set[str]:
    return {field for action in actions for field in action.__struct_fields__}
