"""Keep two rules of the house's English: clauses with a noun for subject (2), messages that name no class (6).

Reads docstrings, comments and messages in Python, messages in TypeScript, and Markdown. Prints each offence as
`file:line: fault: text` and ends with 1 if there is one. Without arguments it reads everything.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
KEPT = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "docs", "src", "tests", "tools", "web/src/lib/i18n/en.ts")

# Clauses without a noun, and words that may stand before a clause with one ("decide who fires" is a question).
NO_NOUN = re.compile(
    r"\b(?:in|of|for|from|by|with|than|on|at|about|but|that|because|unless|while|before|after|if|when) who(?:ever)?\b"
    r"|\b(?:than|because|unless|while|before|after|if|when) whom\b"
    r"|\b(?:than|because|unless|while|before|after|if|when|by|for) what\b(?! (?:rule|kind))"
    r"|\b(?:of|from|to|than) where\b"
    r"|\b(?:what|who|that|where) (?:is|are) none\b|\bthere (?:is|are) none\b|\bwho(?:m|so)?ever\b"
    r"|\bso many\b(?!.*\b(?:as|that)\b)"
)
OPENING = re.compile(r"(?:Who|Whom|Whose|Whoever|What|Whatever)\b")
PLACE = re.compile(r"Where\b[^,]*$")
QUESTION = re.compile(r"(?:How|Why|Which)\b")
CLASS = re.compile(r"\b[A-Z][a-z]+(?:[A-Z][a-z]+)+\b")
PROPER = {"GitHub", "JavaScript", "PanzerBlitz", "TypeScript"}  # they look like classes
WOULD_BE = re.compile(r"\b(?:right )?would be\b")
CODE = re.compile(r"`[^`]*`|\"[^\"]*\"|“[^”]*”|‘[^’]*’|\*\*[^*]*\*\*")
SENTENCE = re.compile(r"(?<=[.:;?!])\s+(?=[A-Z])")
ITEM = re.compile(r"^\s*([-*:]|\d+\.) ")
FENCE = re.compile(r"^\s*(```|~~~)")
TYPESCRIPT = re.compile(r"""(?P<quote>["'`])(?P<text>(?:\\.|(?!(?P=quote)).)*)(?P=quote)""")

MESSAGES = {"Refusal", "BadInput", "Event", "IllegalAction", "RecordBroken"}


class Text(NamedTuple):
    """A piece of English: the line it begins on, and whether it is a docstring or a message."""

    line: int
    words: str
    kind: str = "prose"


def python(source: str) -> Iterator[Text]:
    """Docstrings, comments, and string literals of more than one word."""
    tree = ast.parse(source)
    docstrings = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            words = ast.get_docstring(node)
            if words is not None:
                docstrings.add(id(node.body[0].value))  # type: ignore[attr-defined]
                yield Text(node.body[0].lineno, words, "docstring")
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            if " " in node.value.strip():
                yield Text(node.lineno, node.value, "message")
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in MESSAGES and _names_a_class(node):
            yield Text(node.lineno, "__name__", "message")
    yield from _comments(source)


def _names_a_class(call: ast.Call) -> bool:
    return any(isinstance(part, ast.Attribute) and part.attr == "__name__" for part in ast.walk(call))


def _comments(source: str) -> Iterator[Text]:
    """Comments, lines that follow each other as one."""
    start, end, words = 0, -1, ""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type != tokenize.COMMENT:
            continue
        line, text = token.start[0], token.string.lstrip("#: ")
        if line == end + 1:
            end, words = line, f"{words} {text}"
            continue
        if words:
            yield Text(start, words)
        start, end, words = line, line, text
    if words:
        yield Text(start, words)


def markdown(source: str) -> Iterator[Text]:
    """Paragraphs and table cells; headings and code are left out."""
    start, words, code = 0, "", False
    for number, line in enumerate([*source.splitlines(), ""], 1):
        if FENCE.match(line):
            code = not code
        apart = code or not line.strip() or line.startswith(("#", "|", "```", "    "))
        if words and (apart or ITEM.match(line)):
            yield Text(start, words)
            words = ""
        if not code and line.startswith("|"):
            yield from (Text(number, cell.strip()) for cell in line.strip("|").split("|"))
        elif not apart:
            start, words = (start, f"{words} {line.strip()}") if words else (number, ITEM.sub("", line).strip())


def typescript(source: str) -> Iterator[Text]:
    """String literals of more than one word."""
    for number, line in enumerate(source.splitlines(), 1):
        if not line.strip().startswith(("//", "*", "/*")):
            yield from (
                Text(number, match["text"], "message")
                for match in TYPESCRIPT.finditer(line)
                if " " in match["text"].strip()
            )


READERS = {".py": python, ".md": markdown, ".ts": typescript}


def faults(text: Text) -> Iterator[str]:
    """The faults of a text.

    >>> [*faults(Text(1, "Who moved cannot fire."))]
    ['opens with a question word']
    >>> [*faults(Text(1, "Who fires?"))], [*faults(Text(1, "Where a road leads, wheels follow."))]
    ([], [])
    >>> [*faults(Text(1, "How far it goes.", "docstring"))], [*faults(Text(1, "How far it goes."))]
    (['opens with a question word'], [])
    >>> [*faults(Text(1, "MoveUnit would be right", "message"))]  # english: an example
    ['says "would be"', 'names a class: MoveUnit']
    """
    plain = CODE.sub("…", text.words)
    if any(_opens(sentence.strip(), text.kind) for sentence in SENTENCE.split(" ".join(plain.split()))):
        yield "opens with a question word"
    if clause := NO_NOUN.search(" ".join(plain.split())):
        yield f'a clause without a noun: "{clause[0]}"'
    if text.kind != "message":
        return
    if WOULD_BE.search(text.words):
        yield 'says "would be"'
    if text.words == "__name__":
        yield "names a class"
    yield from (f"names a class: {name}" for name in CLASS.findall(plain) if name not in PROPER)


def _opens(sentence: str, kind: str) -> bool:
    if sentence.endswith("?"):
        return False
    return bool(OPENING.match(sentence) or PLACE.match(sentence) or (kind == "docstring" and QUESTION.match(sentence)))


def files(paths: Iterable[Path]) -> Iterator[Path]:
    """The files under these paths that can be read."""
    for path in paths:
        if path.is_dir():
            yield from sorted(file for file in path.rglob("*") if file.suffix in READERS)
        else:
            yield path


def offences(path: Path) -> Iterator[str]:
    """One line for each fault of a file; the messages of tests and tools reach no player."""
    for text in READERS[path.suffix](path.read_text(encoding="utf-8")):
        if text.kind == "message" and {"tests", "tools"} & set(path.parts):
            continue
        shown = " ".join(text.words.split())
        yield from (f"{path}:{text.line}: {fault}: {shown[:100]}" for fault in faults(text))


def main(arguments: list[str]) -> int:
    """Print every offence; 1 if there is one."""
    paths = [Path(name) for name in arguments] or [ROOT / name for name in KEPT]
    found = [line for path in files(paths) for line in offences(path)]
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
