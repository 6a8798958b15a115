"""A made-up language, by which a text that misses the catalogues is seen: each letter of an English text is widened."""

from __future__ import annotations

import random
import re
import string
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from opfire.core import scenario as scenarios
from opfire.core.actions import IllegalAction
from opfire.core.errors import OpfireError
from opfire.core.game import SPECTATOR
from opfire.core.match import Match
from opfire.core.ruleset import Ruleset, find
from opfire.core.texts import SHARED, Catalogue, spoken
from opfire.server import shown
from opfire.server.messages import ChoicesOf, Los, Preview, Reach, Suggest, Where, Why

sys.path.insert(0, str(Path(__file__).parent.parent / "tools"))
import catalogues

WIDE = {ord(letter): ord(letter) + 0xFEE0 for letter in string.ascii_letters}
SHOWN = {"text", "label", "title", "standing", "barrier", "name", "reason", "if", "where", "did"}
"""The fields of messages that hold texts."""


def widened(text: str) -> str:
    """A template in the made-up language; its fields stay.

    >>> widened("{} at {hex}")
    '{} ａｔ {hex}'
    """
    return re.sub(r"\{[^}]*\}|[A-Za-z]+", lambda part: part[0] if part[0][0] == "{" else part[0].translate(WIDE), text)


@cache
def made_up(package: Path) -> Catalogue:
    """The catalogue of that language for a rulebook, made of all the texts that are found in its code."""
    found = (one.text for book in (SHARED, package) for one in catalogues.texts(book))
    return Catalogue("xx", {text: widened(text) for text in found})


def told(message: Any, field: str = "") -> Iterator[str]:
    """Every text of a message."""
    match message:
        case dict():
            for name, value in message.items():
                yield from told(value, name)
        case list():
            for value in message:
                yield from told(value, field)
        case str() if field in SHOWN:
            yield message


def answers(match: Match, seat: str, rng: random.Random) -> Iterator[Any]:
    """All that a seat reads: the table, and answers to questions about units, places and actions drawn at random."""
    game = match.shown(seat)
    yield shown.table(match, seat)
    if shown.side_of(game, seat) not in game.asked():
        return
    view = game.view(seat)
    units = [unit["id"] for unit in view["units"] if unit.get("place")]
    places = [unit["place"] for unit in view["units"] if unit.get("place")]
    asked: list[Any] = [Suggest(), Preview(msgspec.to_builtins(game.choices(seat).sample(rng)))]
    if units:
        asked += [Why(unit=rng.choice(units), place=rng.choice(places)) for _ in range(3)]
        asked += [ChoicesOf(unit=rng.choice(units)), Reach(unit=rng.choice(units))]
        asked += [Los(start=rng.choice(places), to=rng.choice(places)), Where(place=rng.choice(places))]
    for message in asked:
        try:
            yield message.ask(match, seat)
        except OpfireError as error:
            yield {"text": error.refusal.sentence()} if isinstance(error, IllegalAction) else {}


def heard(ruleset: Ruleset, text: str, decisions: int, seed: int) -> Iterator[str]:
    """Every text that is shown in a random game of a scenario, each once, in the language spoken now."""
    rng, match, before = random.Random(seed), Match.start(text, key=bytes(32)), set[str]()
    match.go_on()
    for _ in range(decisions):
        if match.over:
            break
        seat = match.game.deciders()[0]
        if rng.random() < 0.2:
            for each in (*match.game.seats, SPECTATOR):
                for answer in answers(match, each, rng):
                    yield from _fresh(told(msgspec.to_builtins(answer)), before)
        match.play(seat, match.game.choices(seat).sample(rng))
        match.go_on()
    for entry in shown.Log(SPECTATOR).entries(match):
        yield from _fresh(told(msgspec.json.decode(entry)), before)


def _fresh(texts: Iterator[str], before: set[str]) -> Iterator[str]:
    for text in texts:
        if text not in before:
            before.add(text)
            yield text


def english_in(ruleset: Ruleset, text: str, decisions: int, seed: int) -> list[str]:
    """The texts of a random game in which a word stayed English: neither a text of a catalogue nor a designation."""
    scenario = scenarios.parse(text, "scenario")
    own = {scenario.title, *_own_names(scenario.rest.data), *_on_the_table(text)}
    with spoken(made_up(ruleset.package)):
        return sorted(
            {text for text in heard(ruleset, text, decisions, seed) if text not in own and _english(text, own)}
        )


def _own_names(data: Any) -> Iterator[str]:
    """The names that a scenario gives: they are the same in every language."""
    match data:
        case dict():
            for key, value in data.items():
                yield from [value] if key in ("name", "title") and isinstance(value, str) else _own_names(value)
        case list() | tuple():
            for value in data:
                yield from _own_names(value)


def _on_the_table(text: str) -> Iterator[str]:
    """The names on the table of a scenario; inside a sentence `The Ponds` are `the Ponds`."""
    file = tomllib.loads(text).get("table", {}).get("table", "")
    if file:
        drawn = tomllib.loads((scenarios.SCENARIOS / "tables" / f"{file}.toml").read_text(encoding="utf-8"))
        for name in _own_names(drawn):
            yield from (name, re.sub(r"^The ", "the ", name))


PLAIN = re.compile(r"(?<![A-Za-z0-9./(-])[a-z]{3,}(?![A-Za-z0-9]|\()|(?<![A-Za-z0-9./(-])[A-Z][a-z]{2,}(?![A-Za-z0-9])")


def _english(text: str, own: set[str]) -> bool:
    for name in sorted(own, key=len, reverse=True):
        text = text.replace(name, "")
    return any(word not in _designations() for word in PLAIN.findall(text))


@cache
def _designations() -> frozenset[str]:
    """The words of names that need no translation, such as `T-34/76 Guards`, and of the names of people."""
    words = set[str]()
    for path in (SHARED / "rulesets").glob("*/data/*.csv"):
        for line in catalogues.rows(path):
            for name in (line[column] for column in catalogues.COLUMNS & line.keys()):
                if catalogues.DESIGNATION.match(name or "") or line.keys() >= catalogues.PEOPLE:
                    words.update(PLAIN.findall(name))
    return frozenset(words)


def main(name: str, decisions: int) -> None:
    """Print the texts of random games of a rulebook in which words stay English."""
    ruleset = find(name)
    for scenario in sorted(scenarios.files()):
        if scenarios.load(scenario).ruleset == name:
            text = scenarios.files()[scenario].read_text(encoding="utf-8")
            for line in english_in(ruleset, text, decisions, 1):
                print(f"{scenario}: {line}")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
