"""Texts in the language of their reader: a template and its facts become a sentence only when they are shown.

The code is written in English, and an English text is its own key (`msgid`) in the catalogues of other languages:
`locale/de.po` of this package for the texts that all rulebooks share, and of a rulebook's package for its own. A
conversation is `spoken` in a language; `say` fills in what is shown at once, and a `Text` is kept to be filled in for
each reader. Records, case files and the command line speak English.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache
from pathlib import Path
from string import Formatter
from typing import Any, NamedTuple, TypeAlias

import msgspec

from opfire.core.plurals import counted
from opfire.core.pofile import read

SHARED = Path(__file__).parent.parent
"""The folder of the catalogues that all rulebooks share."""


class Catalogue(NamedTuple):
    """A language and its messages, by their English; English has none."""

    language: str
    messages: Mapping[str, str]


ENGLISH = Catalogue("en", {})

_READER: ContextVar[Catalogue] = ContextVar("reader", default=ENGLISH)


class Text(msgspec.Struct, frozen=True, eq=False, gc=False):
    """A template with its facts, to be filled in for each reader; it equals the sentence that it makes.

    >>> str(Text("{} of {} steps", (1, 2)))
    '1 of 2 steps'
    """

    template: str
    facts: tuple[Any, ...] = ()

    def __str__(self) -> str:
        return say(self.template, *self.facts)

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __eq__(self, other: object) -> bool:
        return str(self) == str(other) if isinstance(other, Text | str) else NotImplemented

    def __hash__(self) -> int:
        return hash(str(self))


Words: TypeAlias = str | Text
"""Words of English, or a text to be filled in."""


_THE = "The "
"""The article of a name, as on a map."""


def say(words: Words, *facts: Any, **named: Any) -> str:
    """The sentence in the reader's language, with its facts filled in; facts that are names are translated too.

    >>> say("{} fires at {hex}", "Rifle", hex="A1"), say("{} hexes away", 1)
    ('Rifle fires at A1', '1 hex away')
    >>> say("Hold {}", "The Ford"), say("{} is held", "The Ford")
    ('Hold the Ford', 'The Ford is held')
    """
    if isinstance(words, Text):
        return str(words)
    spoken_now, messages = _READER.get()
    if not (facts or named):
        return _named(messages, words)
    template = counted(spoken_now, messages.get(words, words), facts, named)
    if messages:
        facts = tuple(_fact(messages, fact) for fact in facts)
        named = {name: _fact(messages, fact) for name, fact in named.items()}
    sentence = template.format(*facts, **named)
    return _with_small_articles(template, facts, named) if _THE in sentence[1:] else sentence


def within(name: str) -> str:
    """A name as it stands within a sentence: its article has no capital there.

    >>> within("The Ford"), within("Theresa's Hill")
    ('the Ford', "Theresa's Hill")
    """
    return f"the {name.removeprefix(_THE)}" if name.startswith(_THE) else name


def called(name: str) -> str:
    """A name in the reader's language: a kind of unit or terrain, also with a number or a name behind it.

    `Rifle platoon 2` and `Observers (Rifle platoon 2)` are read by their parts.
    """
    return _named(_READER.get().messages, name)


def names(*words: str) -> tuple[str, ...]:
    """These words, marked as names to be translated where they are facts of a text."""
    return words


def joined(parts: Iterable[Any], by: str = ", ") -> Text:
    """Several texts or names one after another, each to be translated by itself.

    >>> str(joined(["Rifle", "Mortar"], " and "))
    'Rifle and Mortar'
    """
    facts = tuple(parts)
    if by.strip(" ").isalpha():  # a word between them, such as " and ", is translated too
        facts = tuple(fact for part in facts for fact in (by, part))[1:]
        by = ""
    return Text(by.join("{}" for _ in facts), facts)


def _with_small_articles(template: str, facts: tuple[Any, ...], named: Mapping[str, Any]) -> str:
    """The sentence with its names as they stand within it."""
    begin = _beginnings(template)
    inner = {name: fact if name in begin else _inner(fact) for name, fact in named.items()}
    return template.format(*(fact if str(at) in begin else _inner(fact) for at, fact in enumerate(facts)), **inner)


@cache
def _beginnings(template: str) -> frozenset[str]:
    """The fields of a template that begin a sentence, by name or number: its first word, or after a colon or a stop."""
    fields = [(words, field) for words, field, _, _ in Formatter().parse(template) if field is not None]
    return frozenset(
        field or str(number)
        for number, (words, field) in enumerate(fields)
        if (not words and number == 0) or words.rstrip().endswith((".", ":", "!", "?"))
    )


def _inner(fact: Any) -> Any:
    """A fact within a sentence: a name, or several that are joined."""
    if isinstance(fact, Text) and fact.template.startswith("{"):
        return within(str(fact))
    return within(fact) if isinstance(fact, str) else fact


def _fact(messages: Mapping[str, str], fact: Any) -> Any:
    return _named(messages, fact) if isinstance(fact, str) else fact


def _named(messages: Mapping[str, str], name: str) -> str:
    if not messages or name in messages:
        return messages.get(name, name)
    kind, _, number = name.rpartition(" ")
    if number.isdigit() and kind in messages:
        return f"{messages[kind]} {number}"
    parts = name.split(" (") if name.endswith(")") else []
    for at in range(len(parts) - 1, 0, -1):  # the name before the brackets may have brackets of its own
        kind, other = " (".join(parts[:at]), " (".join(parts[at:])
        if kind in messages:
            return f"{messages[kind]} ({_named(messages, other[:-1])})"
    return name


# --- languages ----------------------------------------------------------------------------------------------


def language() -> str:
    """The language that is spoken now, as in `de`."""
    return _READER.get().language


@contextmanager
def spoken(catalogue: Catalogue) -> Iterator[None]:
    """Texts are filled in by this catalogue meanwhile."""
    token = _READER.set(catalogue)
    try:
        yield
    finally:
        _READER.reset(token)


def in_english(words: Words, *facts: Any) -> str:
    """The sentence as records have it, in any conversation."""
    with spoken(ENGLISH):
        return say(words, *facts)


def languages() -> tuple[str, ...]:
    """English, and the languages of the shared catalogues."""
    return ("en", *sorted(path.stem for path in (SHARED / "locale").glob("*.po")))


@lru_cache
def translation(language: str, package: Path) -> Catalogue:
    """The catalogue for the texts of a rulebook's package; English unless all of them are translated."""
    if language not in languages():
        return ENGLISH
    parts = [read(folder / "locale" / f"{language}.po") for folder in (SHARED, package)]
    whole = all(part and all(part.values()) for part in parts)
    return (
        Catalogue(language, {english: said for part in parts for english, said in part.items()}) if whole else ENGLISH
    )
