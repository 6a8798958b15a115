"""Looking back: every past position of a game, as a seat may know it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import msgspec

from opfire.core.actions import PROCEDURE, IllegalAction, Refusal
from opfire.core.errors import BadInput
from opfire.core.game import SPECTATOR, Game
from opfire.core.match import Match
from opfire.core.record import Entry, carry_out

EVERY = 25
"""Decisions between the positions that are kept: no step back replays more than these."""


MOST_POINTS = 240
"""The most steps of the curve that tells how a game went: each is a view and an appraisal."""


class Moment(msgspec.Struct, frozen=True):
    """A position: after `after` settled decisions, at `line` of the seat's record, with `log` entries known."""

    after: int
    line: int
    log: int
    turn: int
    side: str
    step: str


class Course(msgspec.Struct, frozen=True):
    """The past that a seat may look back on: the decisions that led here, and the moments between them.

    The first `fixed` decisions are final; `as_sides` are the sides whose view the seat may have.
    """

    seat: str
    decisions: tuple[Entry, ...]
    fixed: int
    moments: tuple[Moment, ...]
    as_sides: tuple[str, ...]

    def to_json(self) -> list[dict[str, Any]]:
        """The moments as the browser lists them; the number of a moment is its place."""
        return [
            {"turn": moment.turn, "side": moment.side or None, "step": moment.step, "log": moment.log}
            for moment in self.moments
        ]


def course(match: Match, seat: str) -> Course:
    """The seat's past as of now; the caller holds the match, and no other thread changes it meanwhile."""
    decided = match.course_for(seat)
    told = [number for number, _ in match.log_for(seat)]
    moments = [_moment(match, 0, 0, 0, 0)]
    seen = 0
    for after, (line, number) in enumerate(decided, 1):
        while seen < len(told) and told[seen] <= line.n:
            seen += 1
        if number:
            moments.append(_moment(match, line.n, after, number, seen))
    own = match.game.seats.get(seat, SPECTATOR)
    sides = dict.fromkeys((own, *match.game.seats.values(), SPECTATOR)) if match.over else (own,)
    return Course(
        seat,
        tuple(line for line, _ in decided),
        sum(line.n <= match.settled_lines for line, _ in decided),
        tuple(moments),
        tuple(sides),
    )


def _moment(match: Match, line: int, after: int, number: int, log: int) -> Moment:
    at = match.moments[line]
    return Moment(after, number, log, at.turn, at.side, at.step)


class Past:
    """The positions of one match, replayed from its opening on demand."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self._lock = threading.Lock()
        self._kept: dict[int, Game[Any]] = {0: match.opening}
        self._last = 0, match.opening
        self._curve: list[dict[str, Any]] | None = None

    def show(self, course: Course, n: int, side: str | None) -> dict[str, Any]:
        """Moment `n` of the course, as the side saw it. Raises BadInput or IllegalAction."""
        if not 0 <= n < len(course.moments):
            raise BadInput(f"moment {n} does not exist", "message", f"0 to {len(course.moments) - 1}")
        if side is not None and side not in course.as_sides:
            raise IllegalAction(Refusal("The view of {} is shown after the end of the game", PROCEDURE, (side,)))
        moment, seen_by = course.moments[n], course.as_sides[0] if side is None else side
        with self._lock:
            game, did = self._at(course, moment.after, seen_by)
            seat = next((seat for seat, own in game.seats.items() if own == seen_by), SPECTATOR)
            return {
                "n": n,
                "last": len(course.moments) - 1,
                "line": moment.line,
                "log": moment.log,
                "did": did,
                "side": seen_by,
                "sides": course.as_sides,
                "view": game.view(seat),
                "step": moment.step,
            }

    def shown(self, course: Course) -> Iterator[tuple[str, dict[str, Any]]]:
        """The decision that led to each moment of the course, in words, and the view of its seat, from the opening on.

        They come from a game of their own: nobody has to wait for them to look back.
        """
        game, done, side = self.match.opening.copy(), 0, course.as_sides[0]
        for moment in course.moments:
            did = ""
            for decision in course.decisions[done : moment.after]:
                did = _in_words(game, decision, side)
                carry_out(game, decision)
            done = moment.after
            yield did, game.view(course.seat)

    def curve(self, course: Course) -> list[dict[str, Any]]:
        """The score, and the lead that each side may expect, at `MOST_POINTS` moments or all. Raises IllegalAction.

        The lead is the computer player's appraisal of the whole truth, in victory points, so it waits for the end.
        """
        if not self.match.over:
            raise IllegalAction(Refusal("The course of a game is told after its end", PROCEDURE))
        if self._curve is None:
            self._curve = list(self._points(course))
        return self._curve

    def _points(self, course: Course) -> Iterator[dict[str, Any]]:
        """The points of the curve, from a game of their own: nobody has to wait for them to look back."""
        game, done, last = self.match.opening.copy(), 0, len(course.moments) - 1
        wanted = {round(last * n / MOST_POINTS) for n in range(MOST_POINTS + 1)}
        for n in sorted(wanted):
            for decision in course.decisions[done : course.moments[n].after]:
                carry_out(game, decision)
            done = course.moments[n].after
            yield {"n": n, "turn": course.moments[n].turn, **_standing(game)}

    def _at(self, course: Course, after: int, side: str) -> tuple[Game[Any], str]:
        """The game after `after` decisions, and the last of them in words."""
        if after == 0:
            return self.match.opening, ""
        number, game = self._start(after - 1)
        for done in range(number, after - 1):
            carry_out(game, course.decisions[done])
            self._keep(course, done + 1, game)
        did = _in_words(game, course.decisions[after - 1], side)
        carry_out(game, course.decisions[after - 1])
        self._keep(course, after, game)
        if after <= course.fixed:
            self._last = after, game
        return game, did

    def _start(self, after: int) -> tuple[int, Game[Any]]:
        """A copy of the latest kept position that is not beyond this one."""
        number = max(at for at in self._kept if at <= after)
        if number < self._last[0] <= after:
            return self._last[0], self._last[1].copy()
        return number, self._kept[number].copy()

    def _keep(self, course: Course, number: int, game: Game[Any]) -> None:
        if number % EVERY == 0 and number <= course.fixed and number not in self._kept:
            self._kept[number] = game.copy()


def _standing(game: Game[Any]) -> dict[str, Any]:
    """The score of each side, and the lead that it may expect."""
    sides = dict.fromkeys(game.seats.values())
    return {
        "scores": game.view(SPECTATOR).get("scores", {}),
        "worth": {side: round(game.ruleset.appraise(game.state, side), 2) for side in sides},
    }


def _in_words(game: Game[Any], entry: Entry, side: str) -> str:
    """A decision in the words of its button; empty for a decision that the side could not read."""
    if entry.what != "play":
        return ""
    sight = game.ruleset.sight(game.state, side)
    action = game.ruleset.read_action(entry.do)
    return "" if game.ruleset.unknown(sight, action) else game.ruleset.label(sight, action)
