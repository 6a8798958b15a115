"""The messages of a browser at the table, and their effects."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Annotated, Any

import msgspec

from opfire.core.actions import PROCEDURE, Action, IllegalAction, Refusal
from opfire.core.errors import BadInput
from opfire.core.events import Calculation, Cases
from opfire.core.game import Game
from opfire.core.match import Ending, Match
from opfire.core.places import Place
from opfire.core.plot import Commit
from opfire.core.reading import ready
from opfire.core.ruleset import Suggestion
from opfire.core.texts import say
from opfire.server import shown
from opfire.server.past import course

Answer = dict[str, Any]
MOST_STEPS = 200
"""The longest route that one message may ask for."""
MOST_ADVICE = 3
"""The number of good moves shown at once."""
STALE = "The position has changed since you decided this, so nothing was done: look at the table and decide again"


class Message(msgspec.Struct, tag=True, forbid_unknown_fields=True, kw_only=True):
    """A message from a browser; `id` comes back with the answer."""

    id: int | str | None = None


class Asking(Message):
    """A message that leaves the game unchanged."""

    def ask(self, match: Match, seat: str) -> Answer:
        """The answer, from the seat's knowledge. Raises OpfireError."""
        raise NotImplementedError

    def answer(self, match: Match, seat: str) -> Answer:
        """As `ask`, with a sentence for names that are unknown in the seat's sight."""
        try:
            return self.ask(match, seat)
        except KeyError as error:
            name = str(error.args[0]) if error.args else ""
            raise BadInput(f"there is no {name!r} here", "message", "a unit or a place of this game") from error


class Doing(Message, kw_only=True):
    """A decision: a message that changes the game. `position` is the number of the table that it was made on."""

    position: int | None = None

    def on_time(self, match: Match, seat: str, position: int) -> None:
        """Check that the decision was made on the table as it is now, number `position`. Raises IllegalAction."""
        if self.position is None:
            words = "A decision has to name the position that it was made on: load the page again"
            raise IllegalAction(Refusal(words, PROCEDURE))
        if self.position != position:
            raise IllegalAction(Refusal(STALE, PROCEDURE))

    def do(self, match: Match, seat: str) -> Answer:
        """Carry it out and return the answer. Raises OpfireError."""
        raise NotImplementedError


class Join(Message, tag="join"):
    """The first message: the token of a seat, or none for a spectator, and the language to be spoken to in.

    `beats` asks for signs of life.
    """

    token: str | None = None
    language: str = "en"
    beats: bool = False


class Nonce(Message, tag="nonce"):
    """A number for the dice, drawn after the seat was shown this commitment; the last one begins the game."""

    commitment: str
    nonce: Annotated[str, msgspec.Meta(min_length=8, max_length=128)]


class Play(Doing, tag="play"):
    """An action, and a route that goes on from it."""

    action: dict[str, Any]
    then: list[dict[str, Any]] = []

    def do(self, match: Match, seat: str) -> Answer:
        """Play the action."""
        if len(self.then) > MOST_STEPS:
            raise BadInput(f"a route of {len(self.then)} steps", "then", f"at most {MOST_STEPS}")
        action, *route = _actions(match.game, [self.action, *self.then])
        match.play(seat, action, route)
        return {}


class Undo(Doing, tag="undo"):
    """Take back the last decision."""

    def do(self, match: Match, seat: str) -> Answer:
        """Take the decision back."""
        match.undo(seat)
        return {}


class Write(Doing, tag="write"):
    """Write an order on the sheet of the seat's side, where orders are written; with `then` several, or none."""

    action: dict[str, Any]
    then: list[dict[str, Any]] = []

    def do(self, match: Match, seat: str) -> Answer:
        """Write them; the sheet as it is now."""
        match.write(seat, *_actions(match.game, [self.action, *self.then]))
        return {"sheet": shown.sheet(match, seat)}


class Erase(Doing, tag="erase"):
    """Strike a unit's order off the sheet; with `then` those of several units, or none."""

    unit: str
    then: list[str] = []

    def do(self, match: Match, seat: str) -> Answer:
        """Strike them off; the sheet as it is now."""
        match.erase(seat, self.unit, *self.then)
        return {"sheet": shown.sheet(match, seat)}


class HandIn(Doing, tag="hand-in"):
    """Hand in the sheet."""

    def do(self, match: Match, seat: str) -> Answer:
        """Seal it and hand it in."""
        match.hand_in(seat)
        return {}


class Auto(Doing, tag="auto"):
    """Place the rest of the units sensibly, in set-up or as they arrive."""

    def do(self, match: Match, seat: str) -> Answer:
        """Play the ruleset's proposals, each as a decision of its own."""
        _asked(match.game, seat)
        if "auto" in match.game.ruleset.queries:
            placed = self._as_planned(match, seat)
        else:
            placed = self._one_by_one(match, seat)
        if not placed:
            raise IllegalAction(Refusal("No units are being set up now", PROCEDURE))
        return {}

    def _as_planned(self, match: Match, seat: str) -> int:
        """Play the ruleset's whole plan."""
        found = _actions(match.game, _query(match.game, seat, "auto"))
        if found:
            match.play(seat, found[0], found[1:])
        return len(found)

    def _one_by_one(self, match: Match, seat: str) -> int:
        """Play the best suggestion that places a unit, again and again while there are any."""
        for placed in range(MOST_STEPS):
            best = (move.action for move in _suggestions(match.game, seat) if move.action.kind == "place")
            action = next(best, None)
            if action is None:
                return placed
            match.play(seat, action)
        return MOST_STEPS


class Orders(Doing, tag="orders"):
    """Set the standing orders, or only read them."""

    orders: dict[str, Any] | None = None

    def on_time(self, match: Match, seat: str, position: int) -> None:
        """As for every decision, but only where the orders may answer a question now."""
        if self.orders is not None and seat in match.game.deciders():
            super().on_time(match, seat, position)

    def do(self, match: Match, seat: str) -> Answer:
        """Set the orders, and let them answer the present question."""
        if self.orders is not None:
            match.give_orders(seat, self.orders)
            match.go_on()
        elif seat not in match.game.seats:
            raise IllegalAction(Refusal("{} gives no standing orders", PROCEDURE, (seat,)))
        return {"orders": match.orders.get(seat)}


class Concede(Doing, tag="concede"):
    """Vote to give up: the side does so when all its human seats want it."""

    def do(self, match: Match, seat: str) -> Answer:
        """Vote."""
        match.concede(seat)
        return {}


class Draw(Doing, tag="draw"):
    """Vote for a draw: the game ends when all human seats want it."""

    def do(self, match: Match, seat: str) -> Answer:
        """Vote."""
        match.agree_draw(seat)
        return {}


class Resume(Doing, tag="resume"):
    """Vote to go on under rules that have changed, from the last position to which they still lead."""

    def do(self, match: Match, seat: str) -> Answer:
        """Vote."""
        match.agree(seat, "resume")
        match.go_on()
        return {}


class Stop(Doing, tag="stop"):
    """Vote to end a game as it was when its rules changed."""

    def do(self, match: Match, seat: str) -> Answer:
        """Vote."""
        match.agree(seat, "stop")
        return {}


class Decline(Doing, tag="decline"):
    """Turn down the draw that the other side offers, or take back a vote of one's own."""

    what: Ending = "draw"

    def do(self, match: Match, seat: str) -> Answer:
        """Decline."""
        match.decline(seat, self.what)
        return {}


class Why(Asking, tag="why"):
    """Ask for the reason against a click or an action."""

    unit: str | None = None
    place: Place | None = None
    action: dict[str, Any] | None = None

    def ask(self, match: Match, seat: str) -> Answer:
        """The possible meanings of the click, each with the reason against it; or the reason against the action."""
        game = match.shown(seat)
        if self.action is not None:
            refusal = game.why_not(seat, game.ruleset.read_action(self.action))
            return {
                "text": refusal and refusal.sentence(),
                "rule": refusal and refusal.rule,
            }
        what: list[Place] = [each for each in (self.unit, self.place) if each is not None]
        return {"meant": shown.meanings(game, seat, what)}


class Preview(Asking, tag="preview"):
    """Ask for the calculation that an action would lead to."""

    action: dict[str, Any]

    def ask(self, match: Match, seat: str) -> Answer:
        """The calculation and the caution, if the action has them; the reason against an illegal action."""
        game, frame = match.shown(seat), shown.frame_for(match.shown(seat), seat)
        action, sight = game.ruleset.read_action(self.action), game.sight(seat)
        refusal = game.why_not(seat, action)
        if refusal or frame is None:
            return {"calculation": None, "text": refusal.sentence() if refusal else ""}
        found: Calculation | Cases | None = game.ruleset.preview(sight, frame, action)
        caution = game.ruleset.caution(sight, frame, action)
        return {
            **_calculation(found),
            **_spread(game, seat, action),
            "text": game.ruleset.label(sight, action),
            "caution": caution and {"text": caution.sentence(), "rule": caution.rule},
        }


class ChoicesOf(Asking, tag="choices"):
    """Ask for the choices of a unit, of a click on a unit or place, or all of them."""

    unit: str | None = None
    target: str | None = None
    place: Place | None = None

    def ask(self, match: Match, seat: str) -> Answer:
        """The choices, and for a unit of the free table the regions that it may move within."""
        game = match.shown(seat)
        if self.unit is not None:
            offers = game.choices(seat).of(self.unit)
            return {
                "choices": shown.choices(game, seat, offers),
                "regions": shown.regions(game, seat, self.unit),
            }
        touched = self.target if self.target is not None else self.place
        if touched is not None:
            return {"choices": shown.touching(game, seat, touched), "regions": []}
        return {"choices": shown.choices(game, seat, game.choices(seat).offers()), "regions": []}


class Cost(Asking, tag="cost"):
    """Ask for the cost of a move on the free table, of one leg or of a route that goes on with `then`."""

    action: dict[str, Any]
    then: list[dict[str, Any]] = []

    def ask(self, match: Match, seat: str) -> Answer:
        """The cost and what would be left of the allowance, and why it cannot be, if it cannot."""
        if len(self.then) > MOST_STEPS:
            raise BadInput(f"a route of {len(self.then)} steps", "then", f"at most {MOST_STEPS}")
        game = match.shown(seat)
        action, *route = _actions(game, [self.action, *self.then])
        later = {"then": tuple(route)} if route else {}
        refusal = game.why_not(seat, action)
        priced: Answer = _query(game, seat, "cost", action=action, frame=shown.frame_for(game, seat), **later)
        told = {**priced, **_spread(game, seat, action)}
        return {**told, "text": refusal.sentence(), "rule": refusal.rule} if refusal else told


class Reach(Asking, tag="reach"):
    """Ask for the goals of a unit."""

    unit: str

    def ask(self, match: Match, seat: str) -> Answer:
        """The places, with costs, paths and the enemies that may fire there, and the rule that bounds them."""
        game = match.shown(seat)
        found: Answer = _query(game, seat, "reach", unit=self.unit, frame=shown.frame_for(game, seat))
        return found


class Los(Asking, tag="los"):
    """Ask whether one place sees another."""

    start: Place = msgspec.field(name="from")
    to: Place

    def ask(self, match: Match, seat: str) -> Answer:
        """Clear or not, the place and rule of the block, and the ground between."""
        found: Answer = _query(match.shown(seat), seat, "los", start=self.start, to=self.to)
        return found


class Sees(Asking, tag="sees"):
    """Ask for all places seen from a place."""

    place: Place

    def ask(self, match: Match, seat: str) -> Answer:
        """The places."""
        found: Answer = _query(match.shown(seat), seat, "sees", place=self.place)
        return found


class Around(Asking, tag="around"):
    """Ask for the range and the field of fire of a stand of the free table."""

    unit: str

    def ask(self, match: Match, seat: str) -> Answer:
        """The bands of its range, nearest first, and its field of fire as polygons."""
        found: Answer = _query(match.shown(seat), seat, "around", unit=self.unit)
        return found


class Where(Asking, tag="where"):
    """Ask for a point of the free table in words."""

    place: Place

    def ask(self, match: Match, seat: str) -> Answer:
        """The ground there, and the nearest landmark."""
        found: Answer = _query(match.shown(seat), seat, "where", place=self.place)
        return found


class CardOf(Asking, tag="card"):
    """Ask for the data card of a unit, and for the shots between it and the unit `at`."""

    unit: str
    at: str | None = None

    def ask(self, match: Match, seat: str) -> Answer:
        """The card."""
        return {"card": _query(match.shown(seat), seat, "card", unit=self.unit, at=self.at)}


class OverlayOf(Asking, tag="overlay"):
    """Ask for the overlay of the map about a unit."""

    unit: str

    def ask(self, match: Match, seat: str) -> Answer:
        """The areas, lines and covered directions."""
        return {"overlay": _query(match.shown(seat), seat, "overlay", unit=self.unit)}


class Glance(Asking, tag="glance"):
    """Ask for one look over the seat's whole side."""

    def ask(self, match: Match, seat: str) -> Answer:
        """For each unit the enemies that could fire at it where it is, those that it sees, and those that see it."""
        found: Answer = _query(match.shown(seat), seat, "glance")
        return found


class Group(Asking, tag="group"):
    """Ask for the units that a leader's activation reaches."""

    unit: str

    def ask(self, match: Match, seat: str) -> Answer:
        """The units, each with the leaders through whom it is reached, and the leaders of the chain."""
        found: Answer = _query(match.shown(seat), seat, "group", unit=self.unit)
        return found


class Together(Asking, tag="together"):
    """Ask what several units can do at one word."""

    units: list[str]

    def ask(self, match: Match, seat: str) -> Answer:
        """The ways, each with its units and its steps, and the reasons against those that go none of them."""
        if len(self.units) > MOST_STEPS:
            raise BadInput(f"a group of {len(self.units)} units", "units", f"at most {MOST_STEPS}")
        game = match.shown(seat)
        found: Answer = _query(game, seat, "together", frame=shown.frame_for(game, seat), units=self.units)
        return found


class Suggest(Asking, tag="suggest"):
    """Ask for a good move."""

    def ask(self, match: Match, seat: str) -> Answer:
        """The best move by the ruleset's judgement, and the reason."""
        game = match.shown(seat)
        _asked(game, seat)
        found = _suggestions(game, seat)
        if not found:
            return {"action": None, "text": say("The computer player has no advice here"), "label": "", "others": []}
        best, *others = (_advice(game, seat, move) for move in found[:MOST_ADVICE])
        return {**best, "others": others}


class Moments(Asking, tag="moments"):
    """Ask for the moments to look back to."""

    def ask(self, match: Match, seat: str) -> Answer:
        """Turn, side, step and the count of log entries of each moment, the opening first."""
        return {"moments": course(match, seat).to_json()}


class Moment(Message, tag="moment"):
    """The position at a moment; after the end also as another side saw it."""

    n: int
    side: str | None = None


class Curve(Message, tag="curve"):
    """The score and the expected lead over the whole game, after its end."""


class Proof(Asking, tag="proof"):
    """Ask for the proof that the dice were not chosen, after the end."""

    def ask(self, match: Match, seat: str) -> Answer:
        """The key, the promise made of it, and the number of dice that come out of it as they fell."""
        record = match.record_for(seat)
        if not record.header.key:
            raise IllegalAction(Refusal("The dice key stays secret until the game is over", PROCEDURE))
        header = record.header
        return {
            "key": header.key,
            "commitment": header.commitment,
            "nonces": header.nonces,
            "dice": record.check_dice(),
        }


Said = (
    Join
    | Nonce
    | Play
    | Undo
    | Write
    | Erase
    | HandIn
    | Auto
    | Orders
    | Concede
    | Resume
    | Stop
    | Draw
    | Decline
    | Why
    | Preview
    | Reach
    | ChoicesOf
    | Cost
    | Los
    | Sees
    | Around
    | Where
    | CardOf
    | OverlayOf
    | Glance
    | Group
    | Together
    | Suggest
    | Moments
    | Moment
    | Curve
    | Proof
)
_SAID = msgspec.json.Decoder(Said)


def read(data: str | bytes) -> Said:
    """A message from its JSON. Raises BadInput with the fault."""
    try:
        message: Said = _SAID.decode(data)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise BadInput(
            f"this message cannot be read: {error}", "message", "a message listed in docs/protocol.md"
        ) from None
    return message


def number_of(data: str | bytes) -> int | str | None:
    """The `id` of a message that may be malformed otherwise."""
    try:
        return msgspec.json.decode(data, type=ready(_Numbered)).id
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None


class _Numbered(msgspec.Struct):
    id: int | str | None = None


def _actions(game: Game[Any], data: Sequence[Any]) -> list[Action]:
    return [item if isinstance(item, Action) else game.ruleset.read_action(item) for item in data]


def _asked(game: Game[Any], seat: str) -> None:
    if shown.side_of(game, seat) not in game.asked():
        raise IllegalAction(Refusal("{} has nothing to decide now: wait for the other side", PROCEDURE, (seat,)))


def _suggestions(game: Game[Any], seat: str) -> list[Suggestion]:
    """The ruleset's suggestions that the rules allow, best first: its plans reckon with less than the rules do."""
    frame, offered = shown.frame_for(game, seat), game.choices(seat)
    if frame is None or not offered:
        return []
    found = game.ruleset.suggest(game.sight(seat), shown.side_of(game, seat), frame, offered)
    return [each for each in found if game.why_not(seat, each.action) is None]


def _advice(game: Game[Any], seat: str, move: Suggestion) -> Answer:
    """A suggestion in words; where more steps would follow, with the whole plan and all the places it touches."""
    sight, steps = game.sight(seat), (move.action, *move.route)
    touched = dict.fromkeys(place for step in steps for place in game.ruleset.touches(sight, step)[1])
    label = partial(game.ruleset.label, sight)
    plan = {"plan": [{"action": step, "label": label(step)} for step in move.route]} if move.route else {}
    told = {"action": move.action, "label": label(move.action), "places": tuple(touched), "text": say(move.why)}
    return {**told, **plan, **_written(game, seat, move.action, label)}


def _written(game: Game[Any], seat: str, action: Action, label: Callable[[Action], str]) -> Answer:
    """The orders of a sheet that is advised, each with its reason where the ruleset gives one; nothing else has any."""
    if not isinstance(action, Commit):
        return {}
    why = _query(game, seat, "reasons", orders=action.orders) if "reasons" in game.ruleset.queries else {}
    said = [{"action": each, "label": label(each), "text": say(why.get(each.unit, ""))} for each in action.orders]
    return {"orders": said}


def _query(game: Game[Any], seat: str, name: str, **arguments: Any) -> Any:
    function = game.ruleset.queries.get(name)
    if function is None:
        raise BadInput(f"{game.ruleset.title} does not answer {name!r}", "message", "another question")
    return function(game.sight(seat), shown.side_of(game, seat), **arguments)


def _spread(game: Game[Any], seat: str, action: Action) -> Answer:
    """Where the dice may carry what an action aims, with the chances; nothing for most actions."""
    found = _query(game, seat, "spread", action=action) if "spread" in game.ruleset.queries else []
    return {"spread": found} if found else {}


def _calculation(found: Calculation | Cases | None) -> Answer:
    if isinstance(found, Cases):
        cases = [{"if": say(label), "calculation": case.to_json()} for label, case in found.cases]
        return {"calculation": None, "cases": cases}
    return {"calculation": found and found.to_json()}
