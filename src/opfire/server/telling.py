"""A seat's record of a running game with secrets: what the seat was shown, written down, and looked at again.

The truth is not in such a record, so nothing in it is played again: the table steps through the facts themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from itertools import accumulate, islice
from typing import Any

import msgspec
from msgspec.structs import replace

from opfire.core.difference import changed, difference
from opfire.core.errors import BadInput
from opfire.core.match import Match
from opfire.core.match import Moment as At
from opfire.core.record import Facts, Record, Shown
from opfire.server import shown
from opfire.server.past import Course, Past, course

# --- written ------------------------------------------------------------------------------------------------


class Known(msgspec.Struct, frozen=True):
    """The knowledge of a seat in a running game: its record, the past that it may look back on, log and view."""

    record: Record
    course: Course
    log: tuple[bytes, ...]
    view: bytes
    now: At


def keeps_secrets(record: Record) -> bool:
    """Return whether a record cannot be played again, because its seat does not know the whole game."""
    return not record.header.key and record.header.dice is None and record.ruleset.secrets


def known(match: Match, seat: str) -> Known:
    """The knowledge of the seat now; the caller holds the match."""
    game = match.shown(seat)
    view = game.view(seat)
    step = next((frame.step for frame in reversed(game.stack) if frame.step), "")
    return Known(
        match.record_for(seat),
        course(match, seat),
        tuple(shown.Log(seat).entries(match)),
        shown.encode(view),
        At(view.get("turn") or 0, view.get("current") or "", step),
    )


def told(found: Known, past: Past) -> Record:
    """The seat's record with the facts that it was shown."""
    lines, side = found.record.lines, found.course.as_sides[0]
    by_line: dict[int, list[Shown]] = {}
    for line, moment in _moments(found, past):
        by_line.setdefault(max(line, 1), []).append(moment)
    facts = Facts(side, shown=() if lines else tuple(by_line[1]))
    with_facts = [replace(line, shown=tuple(by_line.get(line.n, ()))) for line in lines]
    record = Record(found.record.header, with_facts)
    record.header = replace(record.header, facts=replace(facts, sum=_sum(record, facts)))
    return record


def _moments(found: Known, past: Past) -> Iterator[tuple[int, Shown]]:
    """Each moment with its line, the opening first, and last the present, where it is another."""
    before: Any = None
    told = 0
    for moment, (did, view) in zip(found.course.moments, past.shown(found.course), strict=True):
        view = msgspec.json.decode(shown.encode(view))
        change = difference(before, view)
        yield moment.line, _moment(moment, did, change, found.log[told : moment.log])
        before, told = view, max(told, moment.log)
    change = difference(before, msgspec.json.decode(found.view))
    if change or told < len(found.log):
        yield len(found.record.lines), _moment(found.now, "", change, found.log[told:])


def _moment(at: Any, did: str, change: Any, log: Sequence[bytes]) -> Shown:
    entries = tuple(map(msgspec.Raw, log))
    return Shown(at.turn, at.side, at.step, did, msgspec.Raw(shown.encode(change)), entries)


def _sum(record: Record, facts: Facts) -> str:
    """Sixteen hexadecimal digits over all of a record but these: they tell a file that was changed."""
    bare = Record(replace(record.header, facts=replace(facts, sum="")), record.lines)
    return blake2b(bare.dump().encode(), digest_size=8).hexdigest()


# --- looked at ----------------------------------------------------------------------------------------------


class Told:
    """The moments that such a record tells of. Raises BadInput for one that was changed, or that has none."""

    def __init__(self, record: Record) -> None:
        facts = record.header.facts
        if not isinstance(facts, Facts):
            raise BadInput("a game with secrets that is not over", "record", "one with its dice key, or a new download")
        if facts.sum != _sum(record, facts):
            raise BadInput(
                "this record was changed after the table wrote it", "record", "the file as it was downloaded"
            )
        self.record, self.side = record, facts.side
        first = [(0, moment) for moment in facts.shown]
        self._moments = [*first, *((line.n, moment) for line in record.lines for moment in line.shown)]
        self.log = tuple(bytes(entry) for _, moment in self._moments for entry in moment.log)
        self._known = tuple(accumulate(len(moment.log) for _, moment in self._moments))
        self._check()

    def _check(self) -> None:
        """Check that there are moments and that each has its view. Raises BadInput."""
        try:
            views = [isinstance(view, dict) for view in self._views()]
        except ValueError:
            views = []
        if not views or not all(views):
            raise BadInput("what the seat was shown does not fit together", "record", "the file as it was downloaded")

    def _views(self) -> Iterator[Any]:
        """The view at each moment; each is made of the one before, which is used up."""
        view: Any = None
        for _, moment in self._moments:
            view = changed(view, msgspec.json.decode(moment.view))
            yield view

    def moments(self) -> list[dict[str, Any]]:
        """The moments as the browser lists them."""
        return [
            {"turn": moment.turn, "side": moment.side or None, "step": moment.step, "log": log}
            for (_, moment), log in zip(self._moments, self._known, strict=True)
        ]

    def show(self, n: int, side: str | None = None) -> dict[str, Any]:
        """Moment `n`, as its seat saw it. Raises BadInput for a moment that does not exist, and for another side."""
        last = len(self._moments) - 1
        if not 0 <= n <= last:
            raise BadInput(f"moment {n} does not exist", "message", f"0 to {last}")
        if side not in (None, self.side):
            raise BadInput(f"this record does not tell what {side} saw", "message", self.side)
        line, moment = self._moments[n]
        return {
            "n": n,
            "last": last,
            "line": line if n else 0,
            "log": self._known[n],
            "did": moment.did,
            "side": self.side,
            "sides": (self.side,),
            "view": next(islice(self._views(), n, None)),
            "step": moment.step,
        }

    def last(self) -> dict[str, Any]:
        """The view at the end of the record."""
        view: dict[str, Any] = self.show(len(self._moments) - 1)["view"]
        return view
