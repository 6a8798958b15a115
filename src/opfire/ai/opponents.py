"""The computer players. They see their seat's sight and choices, and imagined games; never state or dice."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, Protocol

from opfire.core.actions import Action, Choices
from opfire.core.errors import OpfireError
from opfire.core.game import Game
from opfire.core.ruleset import Suggestion

Stop = Callable[[], bool]


def never() -> bool:
    """Do not stop early."""
    return False


class Player(Protocol):
    """A player of a seat."""

    title: str

    def choose(self, game: Game[Any], seat: str, rng: random.Random, stop: Stop = never) -> Action:
        """One of the seat's choices; soon when `stop` says so. Raises OpfireError without any choice."""
        ...

    def explain(self, game: Game[Any], seat: str) -> str:
        """The player's opinion of the seat's choices now, in words with the numbers."""
        ...


class Random:
    """Plays a random choice."""

    title = "Random"

    def choose(self, game: Game[Any], seat: str, rng: random.Random, stop: Stop = never) -> Action:
        """A random choice, all equally likely."""
        return _any(game, seat, rng)

    def explain(self, game: Game[Any], seat: str) -> str:
        """The number of choices."""
        return f"One of {len(game.choices(seat))} choices, all equally likely"


class Advance:
    """Follows the ruleset's plain script: at the objectives, at the nearest enemy."""

    title = "Advance"

    def choose(self, game: Game[Any], seat: str, rng: random.Random, stop: Stop = never) -> Action:
        """The script's move; a random choice if the script has none."""
        best = next(_asked(game, seat, game.ruleset.script), None)
        return best.action if best is not None else _any(game, seat, rng)

    def explain(self, game: Game[Any], seat: str) -> str:
        """The script's move."""
        return _in_words(game, seat, _asked(game, seat, game.ruleset.script))


class Greedy:
    """Takes the suggestion that looks best and follows it through; without suggestions it looks one move ahead.

    It keeps the rest of a plan for its seats as long as the rules allow the next step of it.
    """

    title = "Greedy"
    samples = 3  # imagined games for each choice, where the ruleset suggests nothing
    most = 24  # choices that are tried

    def __init__(self) -> None:
        self._routes: dict[str, tuple[Action, ...]] = {}

    def choose(self, game: Game[Any], seat: str, rng: random.Random, stop: Stop = never) -> Action:
        """The next step of its plan, or the first of a new one."""
        if (step := self._next_step(game, seat)) is not None:
            return step
        if stop():
            return _any(game, seat, rng)
        best = next(_asked(game, seat, game.ruleset.suggest), None)
        if best is None:
            return self._look_ahead(game, seat, rng, stop)
        if best.route:
            self._routes[seat] = best.route
        return best.action

    def _next_step(self, game: Game[Any], seat: str) -> Action | None:
        """The next step of the plan; a question in between (reaction fire, an overflow) leaves the plan alone."""
        route = self._routes.get(seat)
        if not route:
            return None
        if not isinstance(route[0], game.stack[-1].takes) or game.why_not(seat, route[0]) is not None:
            del self._routes[seat]
            return None
        self._routes[seat] = route[1:]
        return route[0]

    def _look_ahead(self, game: Game[Any], seat: str, rng: random.Random, stop: Stop) -> Action:
        """The choice after which imagined games look best to the ruleset."""
        choices = _some(game.choices(seat), rng, self.most)
        best: tuple[float, Action] | None = None
        for action in choices:
            worth = self._worth(game, seat, action, rng)
            if best is None or worth > best[0]:
                best = worth, action
            if stop():
                break
        if best is None:
            raise OpfireError(f"{seat} has no choice")
        return best[1]

    def _worth(self, game: Game[Any], seat: str, action: Action, rng: random.Random) -> float:
        total = 0.0
        for _ in range(self.samples):
            imagined = game.imagine(seat, rng)
            imagined.play(seat, action)
            total += imagined.ruleset.appraise(imagined.sight(seat), imagined.seats[seat])
        return total / self.samples

    def explain(self, game: Game[Any], seat: str) -> str:
        """The suggestions with their worth in victory points, best first."""
        route = self._routes.get(seat)
        if route and game.why_not(seat, route[0]) is None:
            return "As planned: " + ", then ".join(game.ruleset.label(game.sight(seat), step) for step in route)
        return _in_words(game, seat, _asked(game, seat, game.ruleset.suggest))


def _some(choices: Choices, rng: random.Random, most: int) -> list[Action]:
    """At most `most` choices; each region gives one random action."""
    found = [*choices, *choices.drawn(rng)]
    return found if len(found) <= most else rng.sample(found, most)


def _any(game: Game[Any], seat: str, rng: random.Random) -> Action:
    try:
        return game.choices(seat).sample(rng)
    except IndexError:
        raise OpfireError(f"{seat} has no choice") from None


def _asked(game: Game[Any], seat: str, who: Callable[..., list[Suggestion]]) -> Iterator[Suggestion]:
    """The ruleset's suggestions for the seat's choices, from the seat's knowledge alone."""
    side = game.seats[seat]
    found: list[Suggestion] = who(game.sight(seat), side, game.stack[-1].seen_by(side), game.choices(seat))
    return (each for each in found if game.why_not(seat, each.action) is None)


def _in_words(game: Game[Any], seat: str, found: Iterator[Suggestion]) -> str:
    sight = game.sight(seat)
    words = (f"{each.worth:+.2f} {game.ruleset.label(sight, each.action)}: {each.why}" for each in islice(found, 5))
    return "\n".join(words) or "No choice looks better than another"
