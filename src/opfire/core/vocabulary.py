"""The words that a rulebook's package can say: to tell a misspelt name from one that is rightly absent."""

from __future__ import annotations

import ast
import csv
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

_CORE = Path(__file__).parent
_FIELD = re.compile(r"\{[^{}]*\}")
_WORD = re.compile(r"[A-Za-z]{3}")
_SHARED = (_CORE, _CORE.parent / "kit")
"""The packages whose words every rulebook uses."""


def says(package: Path, text: str) -> bool:
    """Whether a package's code or tables have this text: as a whole, or filled into one of their templates."""
    words, templates = _words(package)
    return text in words or any(template.fullmatch(text) for template in templates)


@lru_cache
def _words(package: Path) -> tuple[frozenset[str], tuple[re.Pattern[str], ...]]:
    words: set[str] = set()
    templates: set[str] = set()
    for path in sorted(path for folder in (package, *_SHARED) for path in folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                words.add(node.value)
                if _FIELD.search(node.value) and _WORD.search(_FIELD.sub("", node.value)):
                    templates.add(".+".join(map(re.escape, _FIELD.split(node.value))))
            elif isinstance(node, ast.JoinedStr) and any(map(_telling, node.values)):
                templates.add("".join(_pattern(part) for part in node.values))
    for path in sorted((package / "data").glob("*.csv")):
        words.update(_cells(path))
    return frozenset(words), tuple(re.compile(template, re.DOTALL) for template in sorted(templates))


def _telling(part: ast.expr) -> bool:
    """Whether a part of a template is a word of its own, so that the template does not fit just any text."""
    return isinstance(part, ast.Constant) and _WORD.search(str(part.value)) is not None


def _pattern(part: ast.expr) -> str:
    return re.escape(str(part.value)) if isinstance(part, ast.Constant) else ".+"


def _cells(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.reader(file):
            yield from row
