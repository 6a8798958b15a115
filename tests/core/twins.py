"""Twin games: whole random games, played side by side, that differ in secrets alone.

In both games everybody does the same in public; a decision that only its own side may know of is another one in each
game, or is made in one game only. After every decision the blind seats receive the same bytes from both.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import zip_longest
from typing import Any

from core import contract
from opfire.core.actions import Action
from opfire.core.match import Match
from opfire.server import shown, telling
from opfire.server.past import Past, course

Orders = Mapping[str, Any]
Pair = tuple[Match, Match]
Heard = tuple[shown.Log, list[str | None]]
"""The log that a seat has received, and the digests, which differ in twin games; what counts is when they change."""
Ears = Mapping[str, tuple[Heard, Heard]]
Sent = Mapping[str, bytes]


TOLD_AT = (12, 60)
"""The decisions before which the records of the blind seats are compared: each of them is the whole game so far."""


@dataclass(frozen=True)
class Twins:
    """Games of a case in which `owners` (sides) have secrets that the `blind` seats may not know.

    `orders` are the standing orders of a seat in the first and in the second game; `opening` are the first decisions
    of each, and `fallen` the secret dice that fell in each before them, so that other cards are drawn.
    """

    case: contract.Case
    owners: tuple[str, ...]
    blind: tuple[str, ...]
    orders: Mapping[str, tuple[Orders, Orders]] = field(default_factory=dict)
    opening: tuple[contract.Script, contract.Script] = ((), ())
    fallen: tuple[int, int] = (0, 0)


def play(twins: Twins, seed: int, most: int) -> Counter[str]:
    """Play both games for `most` decisions, as long as nothing is revealed in one alone.

    The result counts the frames in which owners decided, the secret decisions, and the end of the game. Raises
    AssertionError when a blind seat can tell the games apart.
    """
    pair = contract.start(twins.case, seed), contract.start(twins.case, seed)
    rng, seen = random.Random(seed), Counter[str]()
    ears: Ears = {seat: ((shown.Log(seat), []), (shown.Log(seat), [])) for seat in twins.blind}
    _open(twins, pair)
    for number in range(most):
        _compare(twins, pair, ears)
        if number % 40 == 0:
            _compare_thoroughly(twins, pair)
        if number in TOLD_AT:
            _compare_records(twins, pair)
            seen["told"] += 1
        if not _decide(twins, pair, rng, seen):
            seen["stuck"] += 1
            break
        if pair[0].over and pair[1].over:
            seen["over"] += 1
            return seen
        if _revealed(pair[0]) != _revealed(pair[1]):
            seen["revealed"] += 1
            return seen
    _compare_thoroughly(twins, pair)
    seen["differ"] += pair[0].game.digest() != pair[1].game.digest()
    return seen


def play_all(twins: Twins, seeds: range, most: int) -> Counter[str]:
    """Play one pair of games for each seed, and count what all of them met, as `play` does."""
    return sum((play(twins, seed, most) for seed in seeds), Counter[str]())


def _open(twins: Twins, pair: Pair) -> None:
    for seat, orders in twins.orders.items():
        for match, given in zip(pair, orders, strict=True):
            match.give_orders(seat, given)
    for match, script, fallen in zip(pair, twins.opening, twins.fallen, strict=True):
        dice = match.game.dice
        match.game.dice = dice.after(dice.open, dice.secret + fallen)
        match.go_on()
        for seat, action in script:
            match.play(seat, action)


# --- one decision -----------------------------------------------------------------------------------------------


def _decide(twins: Twins, pair: Pair, rng: random.Random, seen: Counter[str]) -> bool:
    """Make a decision in both games, an open or a secret one; return False where none can be made in both."""
    if pair[0].game.asked()[0] not in twins.owners:
        return _openly(pair, rng, contract.SPECTATOR)
    seen[type(pair[0].game.stack[-1]).__name__] += 1
    owner = _seat(pair[0])
    if rng.random() < 0.5:
        return _secretly(pair, rng, seen) or _openly(pair, rng, owner)
    return _openly(pair, rng, owner) or _secretly(pair, rng, seen)


def _openly(pair: Pair, rng: random.Random, owner: str) -> bool:
    """Play the same action in both games, one that reveals the same in both; return False without any.

    The `owner` keeps secret decisions apart.
    """
    one, other = pair
    seat = _seat(one)
    for action in _drawn(one, rng):
        if other.game.why_not(seat, action) or (seat == owner and any(map(partial(_secret, action=action), pair))):
            continue
        if _disclosed(one, seat, action) == _disclosed(other, seat, action):
            for match in pair:
                match.play(seat, action)
            return True
    return False


def _secretly(pair: Pair, rng: random.Random, seen: Counter[str]) -> bool:
    """Play a secret decision in one game, and another one or none in the other; return False without any."""
    seat = _seat(pair[0])
    for one, other in rng.sample([pair, pair[::-1]], 2):
        instead = list(_secrets(other, seat, rng))
        for action in _secrets(one, seat, rng):
            if alike := [found for found in instead if _alike(found, action)]:
                one.play(seat, action)
                other.play(seat, alike[0])
                seen["secret"] += 1
                return True
            if _quiet(one, seat, action):
                one.play(seat, action)
                for sides in one.game.sides:  # dice fall alike in both games: which ones is no secret's doing
                    _, other.game.dice = other.game.dice.roll(1, sides)
                seen["alone"] += 1
                return True
    return False


def _secrets(match: Match, seat: str, rng: random.Random) -> Iterator[Action]:
    for action in _drawn(match, rng):
        if _secret(match, action) and not _disclosed(match, seat, action):
            yield action


def _secret(match: Match, action: Action) -> bool:
    """Whether only its own side may know of a decision."""
    return bool(match.game.stack[-1].only(match.game.state, action))


def _alike(action: Action, other: Action) -> bool:
    """Whether two decisions are of one type and with the same unit."""
    return type(action) is type(other) and getattr(action, "unit", "") == getattr(other, "unit", "")


def _quiet(match: Match, seat: str, action: Action) -> bool:
    """Whether a decision leaves the question as it is: it can be made in one game alone."""
    game = match.game.copy()
    before = game.stack[-1]
    game.play(seat, action)
    return game.asked() == match.game.asked() and type(game.stack[-1]) is type(before)


def _drawn(match: Match, rng: random.Random, most: int = 6) -> Iterator[Action]:
    """The choices of the asked seat in a random order: of each unit a few, one after the other; regions filled in."""
    seat = _seat(match)
    choices = match.game.choices(seat)
    groups = [rng.sample(group, min(most, len(group))) for actor in choices.actors() if (group := choices.of(actor))]
    rng.shuffle(groups)
    for offer in (offer for row in zip_longest(*groups) for offer in row if offer is not None):
        action = offer if isinstance(offer, Action) else offer.sample(rng, partial(match.game.why_not, seat))
        if action is not None:
            yield action


def _seat(match: Match) -> str:
    side = match.game.asked()[0]
    return next(seat for seat, own in match.game.seats.items() if own == side)


def _disclosed(match: Match, seat: str, action: Action) -> list[tuple[str, str]]:
    """Each reveal that an action would bring while the game goes on, with the secrets of the revealed units."""
    game, units = match.game.copy(), match.game.state.units
    revealed = [event for event in game.play(seat, action) if event.kind == "revealed"]
    if game.outcome is not None:
        return []  # when the game is over everything is revealed
    return [(event.sentence(), repr([units[name] for name in event.units])) for event in revealed]


def _revealed(match: Match) -> list[str]:
    return [event.sentence() for _, event in match.log if event.kind == "revealed"]


# --- what is received -------------------------------------------------------------------------------------------


def _compare(twins: Twins, pair: Pair, ears: Ears) -> None:
    """Compare all that the server sends after a decision."""
    for seat in twins.blind:
        _same(seat, pair, *(_sent(match, seat, *heard) for match, heard in zip(pair, ears[seat], strict=True)))


def _compare_thoroughly(twins: Twins, pair: Pair) -> None:
    """Compare all that a seat can ask for besides."""
    for seat in twins.blind:
        _same(seat, pair, *(_kept(match, seat) for match in pair))


def _compare_records(twins: Twins, pair: Pair) -> None:
    """Compare the records with all that the seats were shown so far."""
    for seat in twins.blind:
        _same(seat, pair, *({"facts": _told(match, seat)} for match in pair))


def _told(match: Match, seat: str) -> bytes:
    """A seat's record with the facts; without the hashes of sealed orders, and so without the sum over all."""
    record = telling.told(telling.known(match, seat), Past(match))
    return re.sub(r'"sum":"[0-9a-f]{16}"', '"sum":"-"', contract.unsealed(record.dump())).encode()


def _same(seat: str, pair: Pair, one: Sent, other: Sent) -> None:
    for what in one:
        if one[what] != other[what]:
            told = [_where(one[what], other[what]), *map(_lately, pair)]
            raise AssertionError(f"{seat} can tell the games apart by the {what}:\n" + "\n".join(told))


def _sent(match: Match, seat: str, log: shown.Log, digests: list[str | None]) -> Sent:
    """The messages that the server sends to a seat; in place of a digest its place among those sent before."""
    parts = shown.table(match, seat)
    if parts["digest"] not in digests:
        digests.append(parts["digest"])
    table = {what: shown.encode(part) for what, part in parts.items()}
    place = shown.encode(digests.index(parts["digest"]))
    return {**table, "digest": place, "log": b"\n".join(log.entries(match))}


def _kept(match: Match, seat: str) -> Sent:
    """Choices with their previews, the moments to look back on, and the record."""
    return {
        "answers": contract.received(match, seat),
        "course": shown.encode(course(match, seat).to_json()),
        "record": contract.unsealed(
            "\n".join(shown.encode(line).decode() for line in match.record_for(seat).lines)
        ).encode(),
    }


def _lately(match: Match) -> str:
    """The last decisions of a game, and the frame on top."""
    lines = [f"  {line.seat} {line.do} {line.by} {line.events}" for line in match.record.lines[-4:]]
    return "\n".join([*lines, f"  {match.game.stack[-1:]}"])


def _where(one: bytes, other: bytes) -> str:
    """The first difference, with its surroundings."""
    a, b = one.decode(), other.decode()
    at = next((n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    return f"... {a[max(0, at - 200) : at + 200]}\n... {b[max(0, at - 200) : at + 200]}"
