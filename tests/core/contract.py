"""The contract of every ruleset, whatever its rules: checks to be called with a `Case` and a seed.

A check raises AssertionError. Rulesets have to be registered (`registered`) or installed.
"""

from __future__ import annotations

import dataclasses
import hashlib
import os
import random
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from opfire.core import ruleset as registry
from opfire.core import scenario as scenarios
from opfire.core.actions import PROCEDURE, Action, Choices, IllegalAction
from opfire.core.errors import BadInput, OpfireError, RecordBroken
from opfire.core.game import SPECTATOR, Game
from opfire.core.match import Match
from opfire.core.record import Record
from opfire.core.ruleset import Ruleset
from opfire.core.verify import verify

STRANGER = "nobody-99"
Script = tuple[tuple[str, Action], ...]


@dataclass(frozen=True)
class Twin:
    """Two ways to begin a game that the `blind` seats cannot tell apart, step by step."""

    blind: tuple[str, ...]
    one: Script
    other: Script


@dataclass(frozen=True)
class Case:
    """A ruleset and a scenario's text; random play must end within `most` decisions.

    Dear checks look at every `every`th position. `seats` gives each seat its side where a side has several.
    """

    ruleset: Ruleset
    scenario: str
    most: int = 2000
    every: int = 2
    twins: tuple[Twin, ...] = ()
    seats: Mapping[str, str] | None = None


@contextmanager
def registered(*rulesets: Ruleset) -> Iterator[None]:
    """These rulesets can be found by id, beside those that are installed."""
    before = registry.installed
    try:
        known = dict(before())
    except (ImportError, AttributeError):  # one that is installed is not whole yet
        known = {}
    known.update({ruleset.id: ruleset for ruleset in rulesets})
    registry.installed = lambda: known  # type: ignore[assignment]
    try:
        yield
    finally:
        registry.installed = before


# --- playing ---------------------------------------------------------------------------------------------


def start(case: Case, seed: int) -> Match:
    """A match whose dice follow from the seed."""
    seats = case.seats or scenarios.parse(case.scenario, "case").sides
    nonces = {seat: f"nonce of {seat}" for seat in seats}
    return Match.start(case.scenario, nonces=nonces, key=seed.to_bytes(32, "big"), seats=case.seats)


def seats(match: Match) -> list[str]:
    return [*match.game.seats, SPECTATOR]


def decide(game: Game[Any], rng: random.Random) -> tuple[str, Action]:
    """A seat that is asked, and one of its choices, drawn either way; of several at a side not all need to have any."""
    sides = game.asked()
    assert sides, f"nobody is asked: {game.stack}"
    side = rng.choice(sides)
    seats = [seat for seat, own in game.seats.items() if own == side]
    able = {seat: choices for seat in seats if len(choices := game.choices(seat))}
    assert able, f"{side} is asked and has no choice: {game.stack[-1]}"
    seat = rng.choice(list(able)) if len(able) > 1 else next(iter(able))
    return seat, rng.choice((Choices.sample, Choices.sample_evenly))(able[seat], rng)


def walk(case: Case, seed: int) -> Iterator[tuple[Match, random.Random]]:
    """Random play to the end, stopping before each decision."""
    match, rng = start(case, seed), random.Random(seed)
    for _ in range(case.most):
        if match.over:
            return
        yield match, rng
        if not match.over:
            match.play(*decide(match.game, rng))
    raise AssertionError(f"no end after {case.most} decisions")


def positions(case: Case, seed: int) -> Iterator[tuple[Match, random.Random]]:
    """Positions of a random game at regular intervals, each with a generator of its own."""
    for at, (match, _) in enumerate(walk(case, seed)):
        if at % case.every == seed % case.every:
            yield match, random.Random(f"{seed} {at}")


def play_out(case: Case, seed: int) -> Match:
    """A finished random match in which things were taken back now and then."""
    match = start(case, seed)
    for match, rng in walk(case, seed):
        if (undoable := match.draft[match.locked :]) and rng.random() < 0.3:
            take_back(match, rng.choice(undoable).seat)
    return match


def take_back(match: Match, seat: str) -> None:
    """Take the seat's last decision back; that is refused only where another seat of its side has built on it."""
    fellows = {entry.seat for entry in match.draft if match._side(entry.seat) == match._side(seat)}
    try:
        match.undo(seat)
    except IllegalAction:
        assert len(fellows) > 1


def some(found: list[Any], rng: random.Random, most: int = 40) -> list[Any]:
    return found if len(found) <= most else rng.sample(found, most)


def offered(game: Game[Any]) -> list[Action]:
    return [action for seat in game.seats for action in game.choices(seat)]


def received(match: Match, seat: str, probes: tuple[Action, ...] = ()) -> bytes:
    """All bytes that a seat can get out of a match."""
    game = match.shown(seat)
    sight, frame = game.sight(seat), game.stack[-1].seen_by(match._side(seat)) if game.stack else None
    rules, actions = game.ruleset, list(game.choices(seat))
    parts = {
        "view": game.view(seat),
        "asked": game.asked(),
        "prompt": game.prompt(seat),
        "choices": list(game.choices(seat).offers()),
        "labels": [(rules.label(sight, action), rules.touches(sight, action)) for action in actions],
        "previews": [repr(rules.preview(sight, frame, action)) for action in actions if frame],
        "refusals": [str(game.why_not(seat, probe)) for probe in probes],
        "glance": rules.queries["glance"](sight, match._side(seat)) if "glance" in rules.queries else None,
        "log": [(event, event.sentence()) for _, event in match.log_for(seat)],
        "record": _unbound(unsealed(match.record_for(seat).dump())),
        "outcome": game.outcome,
    }
    return msgspec.json.encode(parts)


def unsealed(record: str) -> str:
    """The text of a record without the hashes of sealed orders: they differ in twin games, and tell nothing."""
    return re.sub(r'"sealed":\{.*?\}', lambda found: re.sub(r'"[0-9a-f]{32}"', '"-"', found[0]), record)


def _unbound(record: str) -> str:
    """The text of a record without the digests that bind its lines: they tell nothing without the dice key."""
    return re.sub(r'"digest":"[0-9a-f]{32}"', '"digest":"-"', record)


# --- mutations -------------------------------------------------------------------------------------------


def mutants(action: Action, others: list[Action]) -> Iterator[Action]:
    """The action with one field changed: to what others have there, a neighbour, a stranger, nonsense."""
    for field in action.__struct_fields__:
        value = getattr(action, field)
        seen = [getattr(other, field) for other in others if hasattr(other, field)]
        strange: list[Any] = [found for found in seen if type(found) is type(value)]
        match value:
            case bool():
                strange += [not value]
            case int():
                strange += [value - 1, value + 1, -value - 1, value + 10**9]
            case str():
                strange += ["", STRANGER, value + "x", value.upper()]
            case (int(), int()):
                strange += [(value[0] + 10**7, value[1]), (value[0], -(10**7))]
            case tuple():
                strange += [(), (*value, STRANGER), (*value, *value)]
        for other in dict.fromkeys(strange):
            if other != value:
                yield msgspec.structs.replace(action, **{field: other})


# --- the checks ------------------------------------------------------------------------------------------


def check_ends(case: Case, seed: int) -> None:
    """Random play runs into no dead end and ends with an outcome; then nobody can do anything."""
    last: tuple[str, Action] | None = None
    match = start(case, seed)
    for match, rng in walk(case, seed):
        last = decide(match.game.copy(), rng)
    game = match.game
    assert match.over
    assert game.stack == ()
    assert game.asked() == ()
    assert last is not None
    for seat in seats(match):
        assert len(game.choices(seat)) == 0
        assert refused(game, seat, last[1]) == PROCEDURE
    with pytest.raises(IllegalAction):
        match.concede(last[0])


def refused(game: Game[Any], seat: str, action: Action) -> str:
    """The rule that an action is refused with, having changed nothing; empty if it is not refused."""
    before, saved = game.digest(), game.save()
    refusal = game.why_not(seat, action)
    if refusal is None:
        return ""
    assert refusal.rule, f"{refusal} cites no rule"
    assert refusal.sentence()
    with pytest.raises(IllegalAction):
        game.play(seat, action)
    assert (game.digest(), game.save()) == (before, saved)
    return refusal.rule


def check_choices(case: Case, seed: int) -> None:
    """Every offer is made once and can be played, also at random points of a region."""
    for match, rng in positions(case, seed):
        game = match.game
        for seat in game.seats:
            choices = game.choices(seat)
            assert len(set(choices.finite)) == len(choices.finite)
            picked = [*some(list(choices), rng), *choices.drawn(rng)]
            for action in picked:
                assert action in choices
                assert game.why_not(seat, action) is None
                game.copy().play(seat, action)
                assert game.ruleset.read_action(msgspec.to_builtins(action)) == action


ENDING = re.compile(r" or (?:end|pass|stop|hold your fire)\b")
"""The words of a question that promise an end of the step, and the kinds of the actions that keep the promise."""
ENDS = frozenset({"done", "pass", "confirm", "stop", "end", "stay"})


def check_prompts(case: Case, seed: int) -> None:
    """A question names an end of the step only where there is one."""
    for match, _ in positions(case, seed):
        for side in match.game.asked():
            seat = next(seat for seat, own in match.game.seats.items() if own == side)
            question = match.game.prompt(seat)
            if ENDING.search(question) and len(choices := match.game.choices(seat)):
                assert ENDS & {action.kind for action in choices.finite}, question


def check_mutations(case: Case, seed: int) -> None:
    """A changed action is either offered too or refused, with a rule and without effect."""
    tried = 0
    for match, rng in positions(case, seed):
        game = match.game
        others = offered(game)
        for seat in game.seats:
            choices = game.choices(seat)
            for action in some([*choices, *choices.drawn(rng)], rng, 6):
                for mutant in some(list(mutants(action, others)), rng, 30):
                    rule = refused(game, seat, mutant)
                    assert (rule == "") == (mutant in choices), f"{mutant}: {rule or 'accepted, not offered'}"
                    tried += 1
    assert tried > 0


def check_forgery(case: Case, seed: int) -> None:
    """Nobody acts for another seat, out of turn, in another frame, or with what does not exist."""
    pool: dict[type[Action], Action] = {}
    for match, rng in positions(case, seed):
        game = match.game
        asked, top = game.asked(), game.stack[-1]
        for seat, side in game.seats.items():
            choices = game.choices(seat)
            for action in some([*choices, *choices.drawn(rng)], rng, 10):
                pool[type(action)] = action
                for other in (SPECTATOR, STRANGER, *game.seats):
                    if game.seats.get(other) not in asked:
                        assert refused(game, other, action) == PROCEDURE
                for field in ("unit", "firer", "target"):
                    if hasattr(action, field):
                        forged = msgspec.structs.replace(action, **{field: STRANGER})
                        assert refused(game, seat, forged) == PROCEDURE
            for kind, action in pool.items():
                if side in asked and not issubclass(kind, top.takes):
                    assert refused(game, seat, action) == PROCEDURE
    lacking = [{"type": kind.__name__} for kind in pool if len(kind.__struct_fields__) > len(kind.__struct_defaults__)]
    for nonsense in (None, 3, [], {}, {"type": STRANGER}, *lacking):
        with pytest.raises(BadInput):
            case.ruleset.read_action(nonsense)


def check_saving(case: Case, seed: int) -> None:
    """A saved game loads as the same game and goes on equally; what is no saved game is refused."""
    setting = case.ruleset.setting(scenarios.parse(case.scenario, "case"))
    for match, _ in positions(case, seed):
        saved = match.game.save()
        one, other = match.game.copy(), Game.load(case.ruleset, saved, setting)
        assert other.digest() == one.digest()
        assert other.save() == saved
        for step in range(10):
            if one.outcome is None:
                assert one.play(*decide(one, random.Random(step))) == other.play(*decide(other, random.Random(step)))
                assert one.save() == other.save()
        for broken in (saved[:-1], b"{}", b"[]", b"", saved.replace(b'"frame"', b'"fame"')):
            with pytest.raises(BadInput):
                Game.load(case.ruleset, broken, setting)


def check_record(case: Case, seed: int) -> None:
    """A record replays digest by digest, whole or cut short anywhere; what was tampered with does not."""
    match = play_out(case, seed)
    text = match.record_for(SPECTATOR).dump()
    record = Record.load(text)
    assert record.dump() == text
    assert [game.lasting_digest() for game, _ in record.steps()] == [line.state for line in record.lines]
    assert verify(record).digest == match.digest_for(SPECTATOR) == record.lines[-1].digest
    assert record.check_dice() == match.game.dice.open + match.game.dice.secret
    rng, rows = random.Random(seed), text.splitlines()
    # A cut costs a replay up to it, and a long game has more to replay: four cuts of it at least.
    for _ in range(max(4, min(20, 4000 // len(record.lines)))):
        upto = rng.randrange(1, len(record.lines) + 1)
        assert record.replay(upto).lasting_digest() == record.lines[upto - 1].state
        cut = "\n".join(rows[: upto + 1]) + "\n"
        again = Match.resume(cut, match.key)
        assert again.record.dump() == cut
        assert again.game.lasting_digest() == record.lines[upto - 1].state
    assert Match.resume(text, match.key).log_for(SPECTATOR) == match.log_for(SPECTATOR)
    _check_tampering(record)


def _check_tampering(record: Record) -> None:
    change = msgspec.structs.replace
    with_dice = [at for at, line in enumerate(record.lines) if line.rolls or line.secret]
    rolled = with_dice[0] if with_dice else 0
    line = record.lines[rolled]
    dice = tuple(number % sides + 1 for number, sides in zip(line.rolls, line.sides, strict=True))
    secret = tuple((number % sides + 1, sides) for number, sides in line.secret)
    loaded, false = change(line, rolls=dice, secret=secret), change(line, state="0" * 16)
    for wrong in (loaded, false) if with_dice else (false,):
        with pytest.raises(RecordBroken):
            Record(record.header, [*record.lines[:rolled], wrong, *record.lines[rolled + 1 :]]).replay()
    if with_dice:
        with pytest.raises(RecordBroken):
            Record(record.header, [*record.lines[:rolled], loaded]).check_dice()
    with pytest.raises(RecordBroken):
        verify(Record(change(record.header, key="0" * 63 + "f"), record.lines))
    with pytest.raises(RecordBroken):
        Record(record.header, [*record.lines, record.lines[0]]).replay()


def check_copy(case: Case, seed: int) -> None:
    """Playing a copy leaves the original alone, and the other way round."""
    for match, rng in positions(case, seed):
        saved, twin = match.game.save(), match.game.copy()
        for _ in range(10):
            if twin.outcome is None:
                twin.play(*decide(twin, rng))
        assert match.game.save() == saved
        after, original = twin.save(), match.game.copy()
        original.play(*decide(original, rng))
        assert twin.save() == after


def check_drafts(case: Case, seed: int) -> None:
    """A draft is seen by its own side alone and can be taken back without a trace, up to a barrier."""
    drafted = barred = 0
    for match, _ in positions(case, seed):
        rng = random.Random(seed + match.settled_lines)
        seat, action = decide(match.game, rng)
        before = {other: received(match, other) for other in seats(match)}
        digest, count = match.game.digest(), len(match.draft)
        match.play(seat, action)
        noticed = match.locked < len(match.draft)
        if noticed and len(match.draft) == count + 1 and not match.draft[-1].by:  # not what was answered for somebody
            for other in before:
                if match._side(other) != match._side(seat):
                    assert received(match, other) == before[other], f"{other} sees the draft of {seat}"
            match.undo(seat)
            assert match.game.digest() == digest
            assert {other: received(match, other) for other in before} == before
            drafted += 1
        elif not match.draft:
            assert _undo_refused(match) == PROCEDURE
            barred += 1
    assert drafted + barred > 0


def _undo_refused(match: Match) -> str:
    rules = set()
    for seat in seats(match):
        with pytest.raises(IllegalAction) as caught:
            match.undo(seat)
        rules.add(caught.value.refusal.rule)
    return ",".join(sorted(rules))


def check_drafts_disclose_nothing(case: Case, seed: int) -> None:
    """A decision that can be taken back has shown its seat nothing: every game it may imagine would have gone so."""
    for match, rng in positions(case, seed):
        seat, action = decide(match.game, rng)
        shown = match.shown(seat)
        after = shown.copy()
        events = after.play(seat, action)
        barrier = after.rolls or after.secret or any(event.kind == "revealed" for event in events)
        if barrier or after.asked() != shown.asked():
            continue
        for _ in range(3):
            twin = shown.imagine(seat, rng)
            twin.play(seat, action)
            assert encode(twin.view(seat)) == encode(after.view(seat))


def encode(data: Any) -> bytes:
    return msgspec.json.encode(data)


def check_imagined(case: Case, seed: int) -> None:
    """An imagined game agrees with all that its seat knows, has dice of its own and plays to an end."""
    ended = False
    for match, rng in positions(case, seed):
        probes = some(offered(match.game), rng, 20)
        for seat in seats(match):
            game = match.shown(seat)
            saved, twin = game.save(), game.imagine(seat, rng)
            assert encode(twin.view(seat)) == encode(game.view(seat))
            assert list(twin.choices(seat).offers()) == list(game.choices(seat).offers())
            assert twin.prompt(seat) == game.prompt(seat)
            for probe in probes:
                assert twin.why_not(seat, probe) == game.why_not(seat, probe)
            assert twin.dice.seed != game.dice.seed
            for _ in range(case.most if not ended else 5):
                if twin.outcome is None:
                    twin.play(*decide(twin, rng))
            assert ended or twin.outcome is not None
            assert game.save() == saved
        ended = True


def check_leaks(case: Case, twin: Twin, seed: int) -> None:
    """Two games that differ in secrets alone give their blind seats the same bytes, to the last one."""
    one, other, differed = start(case, seed), start(case, seed), False
    _same(one, other, twin.blind)
    for at, ((seat, action), (also, instead)) in enumerate(zip(twin.one, twin.other, strict=True)):
        assert seat == also
        one.play(seat, action)
        other.play(seat, instead)
        differed |= one.game.digest() != other.game.digest()
        _same(one, other, twin.blind)
        if action != instead and one.draft and at % 2 == 0:  # taken back and done again
            for match, act in ((one, action), (other, instead)):
                match.undo(seat)
                _same_record_and_log(match, twin.blind)
                match.play(seat, act)
            _same(one, other, twin.blind)
    assert differed, "the twins are one and the same: this proves nothing"


def _same(one: Match, other: Match, blind: tuple[str, ...]) -> None:
    probes = (*offered(one.game), *offered(other.game))
    for seat in blind:
        assert received(one, seat, probes) == received(other, seat, probes), f"{seat} can tell them apart"
        rngs = random.Random(7), random.Random(7)
        imagined = [match.shown(seat).imagine(seat, rng) for match, rng in zip((one, other), rngs, strict=True)]
        assert imagined[0].save() == imagined[1].save(), f"what {seat} imagines tells them apart"


def _same_record_and_log(match: Match, blind: tuple[str, ...]) -> None:
    for seat in blind:
        lines = match.record_for(seat).lines
        assert all(line.what != "undo" for line in lines)
        assert [line.n for line in lines] == list(range(1, len(lines) + 1))


def fingerprint(case: Case, seed: int) -> str:
    """A hash of the record of a random game and of all that every seat received at its end."""
    with registered(case.ruleset):
        match = play_out(case, seed)
        digest = hashlib.blake2b(match.record.dump().encode(), digest_size=16)
        for seat in seats(match):
            digest.update(received(match, seat))
        return digest.hexdigest()


def check_hash_seeds(module: str, name: str, seed: int) -> None:
    """The same game comes out whatever PYTHONHASHSEED is; the module has the case in its `CASES`."""
    found = {fingerprints(module, seed, hashing)[name] for hashing in ("0", "1", "4711")}
    assert len(found) == 1, f"the game depends on PYTHONHASHSEED: {found}"


@cache
def fingerprints(module: str, seed: int, hashing: str) -> dict[str, str]:
    """The fingerprint of each case of a module, found by a process of its own with that PYTHONHASHSEED."""
    code = f"import json, {module}; from core import contract; " + (
        f"print(json.dumps({{name: contract.fingerprint(case, {seed}) for name, case in {module}.CASES.items()}}))"
    )
    environment = {**os.environ, "PYTHONHASHSEED": hashing, "PYTHONPATH": str(Path(__file__).parent.parent)}
    run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    found: dict[str, str] = msgspec.json.decode(run.stdout)
    return found


def check_atomic(case: Case, seed: int) -> None:
    """An error in the rules leaves the match as it was."""
    match = start(case, seed)
    seat, action = decide(match.game, random.Random(seed))
    before = received(match, seat)

    def fails(game: Any) -> None:
        raise OpfireError("a mistake in the rules")

    match.game.ruleset = dataclasses.replace(case.ruleset, settle=fails)
    with pytest.raises(OpfireError, match="a mistake"):
        match.play(seat, action)
    match.game.ruleset = case.ruleset
    assert received(match, seat) == before


CHECKS = (
    check_ends,
    check_choices,
    check_prompts,
    check_mutations,
    check_forgery,
    check_saving,
    check_record,
    check_copy,
    check_drafts,
    check_drafts_disclose_nothing,
    check_imagined,
    check_atomic,
)
"""Those that take a case and a seed."""
