"""One of a thing: the words behind a number in a template, as they stand behind a 1.

A template counts in the plural ("{} hexes"). The words below take the place of those that follow a number which turns
out to be 1; a language that is not listed keeps its plurals.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

ONE: Mapping[str, Mapping[str, str]] = {
    "en": {
        "inches": "inch",
        "hexes": "hex",
        "hexsides": "hexside",
        "points": "point",
        "steps": "step",
        "turns": "turn",
        "orders": "order",
        "degrees": "degree",
        "levels": "level",
        "missions": "mission",
        "markers": "marker",
        "questions": "question",
        "rounds": "round",
        "vehicles overrun": "vehicle overruns",
        "vehicles wait": "vehicle waits",
        "stands wait": "stand waits",
        "stands of the vanguard wait": "stand of the vanguard waits",
        "units wait": "unit waits",
        "minefields wait": "minefield waits",
        "tank leaders wait for their tanks": "tank leader waits for a tank",
        "units": "unit",
        "stands": "stand",
        "vehicles": "vehicle",
    },
    "de": {
        "Felder": "Feld",
        "Feldern": "Feld",
        "Punkte": "Punkt",
        "Punkten": "Punkt",
        "Stufen": "Stufe",
        "Schritte": "Schritt",
        "Schritten": "Schritt",
        "Verluste": "Verlust",
        "Züge": "Zug",
        "Zügen": "Zug",
        "Spielzüge": "Spielzug",
        "Spielzügen": "Spielzug",
        "Befehle": "Befehl",
        "Einheiten warten": "Einheit wartet",
        "Einheiten": "Einheit",
        "Fahrzeuge warten": "Fahrzeug wartet",
        "Fahrzeuge": "Fahrzeug",
        "Minenfelder warten": "Minenfeld wartet",
        "Minenfelder": "Minenfeld",
        "Fragen": "Frage",
    },
}
"""For each language the plurals and the words behind a 1; the longest that fits is taken."""


def _counting(words: Iterable[str]) -> re.Pattern[str]:
    """The pattern of a field with words of a language behind it, the longest that fit."""
    longest_first = sorted(words, key=len, reverse=True)
    return re.compile(rf"\{{(\w*)\}} ({'|'.join(map(re.escape, longest_first))})\b")


_COUNTING = {language: _counting(words) for language, words in ONE.items()}


@lru_cache(maxsize=4096)
def _counted(language: str, template: str) -> tuple[tuple[str, int, int, str], ...]:
    """The fields of a template that count something: field, the place of the words behind it, and those for one."""
    if language not in ONE:
        return ()
    return tuple(
        (found[1] or str(template[: found.start()].count("{}")), *found.span(2), ONE[language][found[2]])
        for found in _COUNTING[language].finditer(template)
    )


def counted(language: str, template: str, facts: Sequence[Any], named: Mapping[str, Any]) -> str:
    """The template with the singular behind every number that is 1.

    >>> counted("en", "{} is {} hexes away, beyond {} hexes", ("Gun", 2, 1), {})
    '{} is {} hexes away, beyond {} hex'
    """
    for name, start, end, one in reversed(_counted(language, template)):
        fact = facts[int(name)] if name.isdigit() and int(name) < len(facts) else named.get(name)
        if str(fact) == "1":
            template = template[:start] + one + template[end:]
    return template
