"""The messages to a seat: all of them are made from the seat's knowledge, never from the whole."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import msgspec

from opfire.core.actions import NOBODY, Action, Offer, Refusal, Region
from opfire.core.events import Event
from opfire.core.flow import Frame
from opfire.core.game import SPECTATOR, Game
from opfire.core.match import Match
from opfire.core.places import Place
from opfire.core.plot import Plot
from opfire.core.texts import called, language, say

LONGEST_TEXT = 1000
"""Characters of an error; a longer one repeats what was sent."""
_LONG_WORD = re.compile(r"(\S{60})\S{20,}(\S)")
BESIDE = ("draw_offered_by", "votes", "digest")
"""The parts of a table that no decision is made on: without them it is the position."""
NOBODY_ASKED: Mapping[str, Any] = MappingProxyType(
    {
        "asked": [],
        "prompt": None,
        "choices": [],
        "regions": [],
        "actors": [],
        "whole": True,
        "sheet": None,
        "decides": [],
        "guarded": False,
    }
)
"""The parts of a table at which nobody is asked for a decision."""
FEW_ACTORS = 6
"""The largest number of units able to act for which the table sends all choices unasked."""


def encode(message: Any) -> bytes:
    """A message as JSON."""
    return msgspec.json.encode(message)


def error_body(text: str, rule: str | None = None) -> bytes:
    """The body of an HTTP answer that is an error."""
    return encode({"error": {"text": shortened(text), "rule": rule}})


def refused(text: str, rule: str | None = None, re: int | str | None = None) -> bytes:
    """The answer to a message that is refused."""
    return encode({"type": "refused", "re": re, "text": shortened(text), "rule": rule})


def shortened(text: str) -> str:
    """A sentence without the greater part of what it repeats of an overlong input: long words, long ends.

    >>> shortened("there is no scenario '" + "a" * 5000 + "'") == "there is no scenario '" + "a" * 59 + "…'"
    True
    >>> shortened("no " * 5000) == "no " * 333 + "…"
    True
    """
    text = _LONG_WORD.sub(r"\1…\2", text)
    return text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + "…"


def side_of(game: Game[Any], seat: str) -> str:
    """The side that a seat plays, or `spectator`."""
    return game.seats.get(seat, SPECTATOR)


def frame_for(game: Game[Any], seat: str) -> Frame | None:
    """The decision being made now, as the seat may know it."""
    return game.stack[-1].seen_by(side_of(game, seat)) if game.stack else None


def table(match: Match, seat: str) -> dict[str, Any]:
    """The `table` message, without the parts that only the room knows: the thinking player, the draw offer, the
    count.
    """
    game = match.shown(seat)
    side = side_of(game, seat)
    return {
        "seat": seat,
        "side": None if side == SPECTATOR else side,
        "asked": list(game.asked()),
        "language": language(),
        "prompt": _prompt(game, seat),
        **at_once(game, seat),
        "sheet": sheet(match, seat),
        "alternation": alternation(game),
        "tracks": [track for frame in game.stack for track in frame.tracks(game.sight(seat))],
        "undo": _undo(match, seat),
        "view": game.view(seat),
        "result": _result(match),
        "draw_offered_by": match.draw_offered_by,
        "votes": {what: _own(match, seat, match.votes[what]) for what in match.open_votes},
        "digest": match.digest_for(seat),
        "decides": _own(match, seat, game.deciders()),
        "guarded": guarded(match, seat),
        **_stopped(match),
    }


def standing(match: Match) -> tuple[int | None, Any]:
    """The turn as everybody sees it, and the result, if there is one."""
    return match.shown(SPECTATOR).view(SPECTATOR).get("turn"), msgspec.to_builtins(match.game.outcome)


def _result(match: Match) -> dict[str, Any] | None:
    """The end of the game in the reader's words; of its reason the event has the facts."""
    if (end := match.game.outcome) is None:
        return None
    told = next((event.sentence() for _, event in reversed(match.log) if event.kind == "over"), "")
    return {**msgspec.to_builtins(end), "level": called(end.level), "reason": told or say(end.reason)}


def alternation(game: Game[Any]) -> dict[str, Any] | None:
    """The side on turn and the sides that have passed, where sides decide in turn until all have passed; else None."""
    for frame in reversed(game.stack):
        passed = frame.alternation()
        if passed is not None:
            return {"side": frame.side, "passed": passed}
    return None


def looked_at(view: Any, log_length: int) -> dict[str, Any]:
    """The `table` message of a table on which there is nothing but a view, with the parts that a room adds."""
    return {
        "position": 0,
        "seat": SPECTATOR,
        "side": None,
        "language": language(),
        **NOBODY_ASKED,
        "alternation": None,
        "tracks": [],
        "undo": {"can": False, "count": 0, "barrier": ""},
        "thinking": None,
        "view": view,
        "result": None,
        "draw_offered_by": None,
        "votes": {"concede": [], "draw": []},
        "digest": None,
        "change": None,
        "log_length": log_length,
    }


def _stopped(match: Match) -> dict[str, Any]:
    """The place where record and rules part, if they do; nobody is asked for a decision then."""
    if match.change is None:
        return {"change": None}
    votes = {what: match.votes[what] for what in match.open_votes}
    return {**NOBODY_ASKED, "votes": votes, "change": match.change}


def guarded(match: Match, seat: str) -> bool:
    """Whether the pause before an answer may tell the other side's players something: see `Frame.forced`."""
    game, side = match.game, side_of(match.game, seat)
    others = side != SPECTATOR and any(other != side for other in match.record.header.humans().values())
    return others and bool(game.stack) and not game.forced()


def _own(match: Match, seat: str, seats: Sequence[str]) -> list[str]:
    """Those of these seats that are of the same side; what the seats of another side do is its own affair."""
    side = side_of(match.game, seat)
    return [other for other in seats if side_of(match.game, other) == side]


def _prompt(game: Game[Any], seat: str) -> dict[str, Any] | None:
    frame = frame_for(game, seat)
    if frame is None:
        return None
    stage = next((below for below in reversed(game.stack) if below.step), frame)
    return {
        "text": frame.prompt(game.sight(seat), side_of(game, seat)),
        "rule": frame.rule or None,
        "step": stage.step,
        "together": stage.together,
        "places": any(action.kind == "place" for action in frame.takes),
        "reaction": say(frame.reaction or game.ruleset.reaction),
    }


def sheet(match: Match, seat: str) -> dict[str, Any] | None:
    """The written orders of the seat's side that are still in progress; None while the seat writes none."""
    game = match.shown(seat)
    units, frame = game.writable(seat), frame_for(game, seat)
    if not units or not isinstance(frame, Plot):
        return None
    sight, side = game.sight(seat), side_of(game, seat)
    written = match.sheets.get(side, {})
    orders = tuple(written.values())
    bad = game.why_not(seat, frame.commit()(orders=orders))
    return {
        "units": units,
        "orders": {unit: _order(game, sight, frame, order) for unit, order in written.items()},
        "can": {unit: [_order(game, sight, frame, order) for order in game.orders_for(seat, unit)] for unit in units},
        "last": {order.unit: _order(game, sight, frame, order) for order in match.last_orders(seat)},  # type: ignore[attr-defined]
        "tallies": [*frame.tallies(sight, side, orders)],
        "ties": [*frame.ties(sight, side, orders)],
        "bad": bad and {"text": bad.sentence(), "rule": bad.rule},
    }


def _order(game: Game[Any], sight: Any, frame: Plot, order: Action) -> dict[str, Any]:
    label, leader = game.ruleset.label(sight, order), frame.leader(order)
    return {"action": order, "label": label, "mark": frame.mark(order), "leader": leader or None}


def _undo(match: Match, seat: str) -> dict[str, Any]:
    own = len(match.undoable(seat))
    return {"can": own > 0, "count": own, "barrier": say(match.barrier_for(seat))}


def at_once(game: Game[Any], seat: str) -> dict[str, Any]:
    """The units that can act, and the choices that the table sends unasked: all of a small frame's, else no unit's.

    `regions` are those of no unit, such as a place to be written down.
    """
    offered = game.choices(seat)
    actors = offered.actors()
    units = [actor for actor in actors if actor != NOBODY]
    whole = len(units) <= FEW_ACTORS and not offered.regions
    sent = [offer for actor in (actors if whole else (NOBODY,)) for offer in offered.of(actor)]
    return {
        "choices": choices(game, seat, sent),
        "regions": regions(game, seat, NOBODY),
        "actors": units,
        "whole": whole,
    }


def choices(game: Game[Any], seat: str, offers: Iterable[Offer]) -> list[dict[str, Any]]:
    """The finite offers, each with its button and the places and units on which a click may mean it."""
    sight = game.sight(seat)
    return [_choice(game, sight, offer) for offer in offers if isinstance(offer, Action)]


def touching(game: Game[Any], seat: str, what: Place) -> list[dict[str, Any]]:
    """The choices of all units that a click on this unit or place may mean."""
    every = choices(game, seat, game.choices(seat).offers())
    return [choice for choice in every if what in (*choice["units"], *choice["places"])]


def regions(game: Game[Any], seat: str, unit: str) -> list[dict[str, Any]]:
    """The regions of a unit, or of `NOBODY`, each with a picture of its reach."""
    offers = game.choices(seat).of(unit)
    return [_region(game, seat, unit, offer) for offer in offers if isinstance(offer, Region)]


def _region(game: Game[Any], seat: str, unit: str, region: Region) -> dict[str, Any]:
    picture, template = (game.ruleset.queries.get(name) for name in ("polygons", "template"))
    return {
        "action": region.example,
        "label": game.ruleset.label(game.sight(seat), region.example),
        "kind": region.example.kind,
        "unit": unit,
        "open": region.open,
        "box": region.box,
        "polygons": picture(game.sight(seat), side_of(game, seat), action=region.example) if picture else [],
        "template": template(game.sight(seat), side_of(game, seat), action=region.example) if template else None,
    }


def _choice(game: Game[Any], sight: Any, action: Action) -> dict[str, Any]:
    units, places = game.ruleset.touches(sight, action)
    return {
        "action": action,
        "label": game.ruleset.label(sight, action),
        "kind": action.kind,
        "units": units,
        "places": places,
        "cost": None,
        "confirm": action.final,
        **({"later": say(action.later)} if action.later else {}),
    }


class Log:
    """The events that one seat may know. Entries are cached, since most stay the same."""

    def __init__(self, seat: str) -> None:
        self.seat = seat
        self._made: dict[int, tuple[Event, int, bytes]] = {}

    def entries(self, match: Match) -> list[bytes]:
        """An entry for each event, counted from 1."""
        known = match.log_for(self.seat)
        return [self._entry(match, n, at, event) for n, (at, event) in enumerate(known, 1)]

    def _entry(self, match: Match, n: int, at: int, event: Event) -> bytes:
        made = self._made.get(id(event))
        if made is None or made[1] != n:
            made = event, n, encode(_entry(match, n, at, event))
            self._made[id(event)] = made
        return made[2]


def _entry(match: Match, n: int, at: int, event: Event) -> dict[str, Any]:
    # An event that opens a turn or a step belongs to it; all others belong to the moment of the decision.
    opens = event.kind in ("turn", "step", "over")
    moment = match.moments[at if opens else at - 1]
    return {
        "n": n,
        "turn": moment.turn,
        "side": (moment.side or None) if opens else side_of(match.game, match.record.lines[at - 1].seat),
        "step": moment.step,
        "kind": event.kind,
        "text": event.sentence(),
        "rule": event.rule or None,
        "units": event.units,
        "places": event.places,
        "dice": event.dice,
        "calculation": event.calculation and event.calculation.to_json(event.dice or None),
        **({"calibre": event.calibre} if event.calibre else {}),
        **({"strength": say(event.strength)} if event.strength else {}),
    }


def meanings(game: Game[Any], seat: str, what: Sequence[Place]) -> list[dict[str, Any]]:
    """The possible meanings of a click on these units and places, each with the reason against it."""
    frame, sight = frame_for(game, seat), game.sight(seat)
    if frame is None:
        return []
    found: dict[tuple[str, Refusal], dict[str, Any]] = {}
    for action in game.ruleset.meant(sight, side_of(game, seat), frame, what):
        if refusal := game.why_not(seat, action):
            label = game.ruleset.label(sight, action)
            found[label, refusal] = {"label": label, "text": refusal.sentence(), "rule": refusal.rule}
    return list(found.values())
