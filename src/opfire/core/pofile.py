"""Message catalogues: the part of gettext's `.po` files that Opfire writes."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec

_FIELD = re.compile(r'(?:(msgid|msgstr) )?(".*")\Z')


def read(path: Path) -> dict[str, str]:
    """The messages of a file by their English, empty where one is missing or only guessed (`fuzzy`).

    A missing file has no messages.
    """
    if not path.exists():
        return {}
    entries = path.read_text(encoding="utf-8").split("\n\n")
    return {english: said for english, said in map(entry, entries) if english}


def entry(lines: str) -> tuple[str, str]:
    r"""One entry: its English and its translation.

    Its strings have the escapes of JSON. Python's own parser would crash when several threads read at once.

    >>> entry('#: shown.py\nmsgid "Fire"\nmsgstr ""\n"Feu"\n"er"')
    ('Fire', 'Feuer')
    >>> entry('#, fuzzy\nmsgid "Fire"\nmsgstr "Brand"')
    ('Fire', '')
    """
    fields, now, guessed = {"msgid": "", "msgstr": ""}, "", False
    for line in lines.splitlines():
        guessed = guessed or (line.startswith("#,") and "fuzzy" in line)
        if found := _FIELD.match(line):
            now = found[1] or now
            fields[now] += msgspec.json.decode(found[2], type=str)
    return fields["msgid"], "" if guessed else fields["msgstr"]
