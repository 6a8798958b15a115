"""The message catalogues: find the texts that players read, and keep every `locale/*.po` in step with them.

`update` writes new texts into the catalogues and drafts a translation from a similar one, marked `fuzzy`; `update
panzer/fr` begins one. Without arguments it checks: a catalogue has every text, translated, with the placeholders of its
English. A catalogue may be absent, but not unfinished: docs/translating.md.
"""

from __future__ import annotations

import ast
import csv
import re
import string
import sys
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from babel.messages import Catalog
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "opfire"
SHARED = tuple(PACKAGE / name for name in ("core", "kit", "server"))

FIRST = {"say": 0, "called": 0, "Text": 0, "in_english": 0, "Refusal": 0, "Event": 1, "Line": 1, "Calculation": 0}
"""The functions that are given a text, and at which place; its facts follow."""
ALL = {"names", "Terms"}
"""The functions all of whose strings are texts."""
NAMED = {"says", "later", "question", "barrier", "title", "label", "words", "text", "why", "reason"}
"""Class attributes, variables and arguments that hold a text."""
NOT_SHOWN = {
    *(
        "BadInput",
        "OpfireError",
        "RecordBroken",
        "HTTPException",
        "NotFoundException",
        "NotAuthorizedException",
        "Ended",
    ),
    *("PermissionDeniedException", "fault", "compile", "TypeVar", "Ruleset", "Sequence", "exception", "warning"),
    *("startswith", "endswith", "kind_named", "getattr"),
}
"""The functions whose texts are for the writers of scenarios, cases and code, not for players."""
SPEAKING = {
    "core": {"actions", "game", "match", "plot"},
    "kit": {"attacks", "boards", "formations", "orders", "scoring", "setup", "shown", "whereabouts"},
    "server": {"connection", "messages", "past", "room", "routes", "waiting"},
}
"""The modules with texts for players, in the packages where most have none."""
SILENT = {"cases", "sections", "design", "counters", "options"}
"""The modules and folders without such texts in a rulebook's package; options are told in the words of its rules."""
CODE = re.compile(r"(?=.*\d)[\w().-]+|[A-Z]{2}\.[\w.]+")
"""The number of a rule or the like: no word of a text."""
LETTERS = re.compile(r"[A-Za-z]{2}|\}[^{}]*[A-Za-z]|^[^{}]*[A-Za-z][^{}]*\{")
"""A word, or a letter beside a field."""
SENTENCE = re.compile(r"[A-Za-z]{2}.* |.* [A-Za-z]{2}")
WORD = re.compile(r"[A-Z][a-z]{2,}\b")
COLUMNS = {"name", "title", "label", "text", "type", "category"}
"""The columns of a rulebook's tables that hold names and labels of things."""
PEOPLE = {"name", "rank"}
"""The columns of a table of people, whose names are the same in every language."""


class Found(NamedTuple):
    """A text, and where it was found."""

    text: str
    path: str
    line: int


def python(path: Path) -> Iterator[Found]:
    """The texts of a module: arguments of `FIRST`, attributes of `NAMED`, and all other strings that read as words."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    silent, sure = set[ast.AST](), set[ast.AST]()
    for node in ast.walk(tree):
        match node:
            case ast.Assert() | ast.JoinedStr():
                silent.update(ast.walk(node))
            case ast.ClassDef(keywords=keywords):
                silent.update(leaf for each in keywords for leaf in ast.walk(each))
            case ast.Expr(value=ast.Constant()) | ast.Import() | ast.ImportFrom():
                silent.update(ast.walk(node))
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
                if name in NOT_SHOWN:
                    silent.update(ast.walk(node))
                elif name in FIRST:
                    sure.update(leaf for each in node.args[FIRST[name] :] for leaf in _leaves(each))
                elif name in ALL:
                    sure.update(leaf for each in node.args for leaf in _leaves(each))
                sure.update(leaf for each in node.keywords if each.arg in NAMED for leaf in _leaves(each.value))
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in NAMED or (
                name.isupper() and isinstance(value, ast.Dict)
            ):
                sure.update(_leaves(value))
            case ast.AnnAssign(annotation=annotation):
                silent.update(ast.walk(annotation))
            case ast.arg(annotation=ast.expr() as annotation) | ast.FunctionDef(returns=ast.expr() as annotation):
                silent.update(ast.walk(annotation))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in silent:
            if LETTERS.search(node.value) and (node in sure or reads(node.value)):
                yield Found(node.value, str(path.relative_to(ROOT)), node.lineno)


def reads(text: str) -> bool:
    """Whether a string reads as words: several of them, or one with a capital."""
    return bool(SENTENCE.search(text) or WORD.match(text)) and "\n" not in text


ORDINARY = (
    "Infantry|Inf|Cavalry|Marines?|Paratroopers?|Engineers?|Motorcycle|Motor|Motorized|Mot|Bicycle|Mountain"
    "|Mtn|Flamethrower|Trucks?|Halftracks?|Tractor|Support|Mortars?|Guns?|How|Howitzers?|Canon|ATG|AAG"
    "|Tankette|Turrets?|Hull|Tank|Landing|Carrier|Armoured|Assault|Platoon|Dual|Triple|Quad|Car,"
)
"""Words of names that every language has its own for."""
DESIGNATION = re.compile(rf"(?=.*(\d|\b[IVX]+\b))(?!.*(?<![A-Za-z.])[a-z]{{3}})(?!.*\b({ORDINARY})(?![A-Za-z]))")
"""A name that is the same in every language: `T-34/85`, `PzKw IV H`, but not `45mm gun` or `Infantry '43`."""


def _leaves(node: ast.expr) -> Iterator[ast.expr]:
    """The strings that an argument may be: itself, or those of a condition, a tuple or a table."""
    match node:
        case ast.IfExp(body=one, orelse=other):
            yield from (*_leaves(one), *_leaves(other))
        case ast.BoolOp(values=several) | ast.Tuple(elts=several):
            yield from (leaf for each in several for leaf in _leaves(each))
        case ast.Dict(values=several):
            yield from (leaf for each in several for leaf in _leaves(each))
        case ast.Constant(value=str(text)) if not CODE.fullmatch(text):
            yield node


def table(path: Path) -> Iterator[Found]:
    """The names in a table."""
    for number, row in enumerate(rows(path), 2):
        for column in sorted((COLUMNS - PEOPLE if row.keys() >= PEOPLE else COLUMNS) & row.keys()):
            if re.search(r"[A-Za-z]{2}", row[column] or "") and not DESIGNATION.match(row[column]):
                yield Found(row[column], str(path.relative_to(ROOT)), number)


def rows(path: Path) -> list[dict[str, str]]:
    """The rows of a table by their columns."""
    with path.open(encoding="utf-8", newline="") as file:
        return [*csv.DictReader(file)]


def books() -> list[Path]:
    """The folders of catalogues: that of all rulebooks together, then one of each."""
    return [PACKAGE, *sorted(path for path in (PACKAGE / "rulesets").iterdir() if (path / "rules.csv").exists())]


def texts(book: Path) -> Iterator[Found]:
    """Every text of a folder of catalogues."""
    for folder in SHARED if book == PACKAGE else (book,):
        for path in sorted(folder.rglob("*.py")):
            if _speaks(folder, path):
                yield from python(path)
        for path in sorted((folder / "data").glob("*.csv")):
            yield from table(path)
    yield from sides(book)
    yield from grounds(book)
    yield from titles(book)
    yield from landmarks(book)
    yield from words(book / "locale" / "words.txt")


def _speaks(folder: Path, path: Path) -> bool:
    if folder.name in SPEAKING:
        return path.stem in SPEAKING[folder.name]
    return not SILENT & {*path.relative_to(folder).parts[:-1], path.stem}


def sides(book: Path) -> Iterator[Found]:
    """The names of the sides in the scenarios of a rulebook."""
    for path in _scenarios(book):
        for side in tomllib.loads(path.read_text(encoding="utf-8")).get("sides", {}).values():
            yield Found(side["name"], str(path.relative_to(ROOT)), 1)


def grounds(book: Path) -> Iterator[Found]:
    """The kinds of terrain on the tables of a rulebook's scenarios."""
    tables = PACKAGE / "scenarios" / "tables"
    drawn = [tomllib.loads(path.read_text(encoding="utf-8")) for path in _scenarios(book)]
    files = {each.get("table", {}).get("table", "") for each in drawn} - {""}
    used = {tomllib.loads((tables / f"{name}.toml").read_text(encoding="utf-8")).get("terrain", "") for name in files}
    for name in sorted(used - {""}):
        yield from table(tables / f"{name}.csv")


def titles(book: Path) -> Iterator[Found]:
    """The titles and summaries of a rulebook's scenarios, and the names of the formations in them."""
    for path in _scenarios(book):
        drawn, place = tomllib.loads(path.read_text(encoding="utf-8")), str(path.relative_to(ROOT))
        yield from (Found(drawn[field], place, 1) for field in ("title", "summary"))
        for side in drawn.get("sides", {}).values():
            yield from (Found(formation["name"], place, 1) for formation in side.get("formations", ()))


def landmarks(book: Path) -> Iterator[Found]:
    """The names on the boards and tables of a rulebook's scenarios, and their titles.

    Inside a sentence `The Ponds` are `the Ponds`; a title stands in none.
    """
    for path in sorted({file for scenario in _scenarios(book) for file in _maps(scenario)}):
        drawn = tomllib.loads(path.read_text(encoding="utf-8"))
        if title := drawn.get("title"):
            yield Found(title, str(path.relative_to(ROOT)), 1)
        found = [*drawn.get("names", {}).values()] if isinstance(drawn.get("names"), dict) else []
        parts = (
            part for value in drawn.values() if isinstance(value, list) for part in value if isinstance(part, dict)
        )
        found += [name for part in parts for name in (part.get("name"), part.get("text")) if name]
        for name in found:
            yield Found(name, str(path.relative_to(ROOT)), 1)
            if name.startswith("The "):
                yield Found("the " + name[4:], str(path.relative_to(ROOT)), 1)


def _maps(scenario: Path) -> Iterator[Path]:
    """The file of a scenario's table, or those of its boards and of their drawings."""
    drawn, folder = tomllib.loads(scenario.read_text(encoding="utf-8")), PACKAGE / "scenarios"
    if name := drawn.get("table", {}).get("table"):
        yield folder / "tables" / f"{name}.toml"
    for board in drawn.get("boards", ()):
        files = (
            folder / "boards" / f"{board['board']}.toml",
            folder / "boards" / "drawings" / f"{board['board']}.toml",
        )
        yield from (file for file in files if file.exists())


def _scenarios(book: Path) -> list[Path]:
    return sorted((PACKAGE / "scenarios" / book.name).glob("*.toml"))


def words(path: Path) -> Iterator[Found]:
    """The words of the code that stand in texts as they are, such as `eliminated`: a file lists them."""
    if path.exists():
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
            if line:
                yield Found(line, str(path.relative_to(ROOT)), number)


def template(found: Iterable[Found]) -> Catalog:
    """The texts as a catalogue without translations; a text that stands in several places is one entry."""
    made = Catalog(project="Opfire", charset="utf-8")
    for one in found:
        made.add(one.text, locations=[(one.path, one.line)])
    return made


def catalogue(path: Path) -> Catalog:
    """The catalogue of a file."""
    with path.open("rb") as file:
        return read_po(file, locale=path.stem)


def write(path: Path, made: Catalog) -> None:
    """Write a catalogue as the house has them: in the order of the texts, with the files but no lines or dates."""
    path.parent.mkdir(exist_ok=True)
    for message in made:
        message.locations = [(name, None) for name in dict.fromkeys(name for name, _ in message.locations)]  # type: ignore[misc]
    with path.open("wb") as file:
        write_po(file, made, width=116, omit_header=True, include_previous=True, include_lineno=False)


def placeholders(text: str) -> list[str]:
    """The fields of a template in order, numbers in place of automatic ones.

    >>> placeholders("{} fires at {hex:>3}"), placeholders("{1} und {0}")
    (['0', 'hex:>3'], ['0', '1'])
    """
    fields = [(name, spec) for _, name, spec, _ in string.Formatter().parse(text) if name is not None]
    numbered = (f"{name or number}{':' + spec if spec else ''}" for number, (name, spec) in enumerate(fields))
    return sorted(numbered)


def faults(path: Path, wanted: Catalog) -> Iterator[str]:
    """Everything wrong with a catalogue."""
    made, place = catalogue(path), path.relative_to(ROOT)
    texts = {message.id for message in wanted if message.id}
    for text in sorted(texts - {message.id for message in made}):
        yield f"{place}: not in the catalogue (run tools/catalogues.py update): {text!r}"
    for message in made:
        if message.id and message.id not in texts:
            yield f"{place}: no longer a text (run tools/catalogues.py update): {message.id!r}"
        elif message.id and (message.fuzzy or not message.string):
            yield f"{place}: not translated: {message.id!r}"
        elif message.id and placeholders(message.id) != placeholders(message.string):
            yield f"{place}: other placeholders than its English: {message.string!r}"


def update(begun: list[str]) -> None:
    """Bring every catalogue in step with its texts; begin those named, such as `panzer/de`."""
    for book in books():
        wanted = template(texts(book))
        new = (name.split("/")[1] for name in begun if name.split("/")[0] == book.name)
        for path in sorted({*(book / "locale").glob("*.po"), *(book / "locale" / f"{name}.po" for name in new)}):
            made = catalogue(path) if path.exists() else Catalog(locale=path.stem)
            made.update(wanted, update_creation_date=False)
            made.obsolete.clear()
            write(path, made)
            missing = sum(message.fuzzy or not message.string for message in made if message.id)
            print(f"{path.relative_to(ROOT)}: {len(made)} texts, {missing} to translate")


def check() -> int:
    """Print the faults of all catalogues; 1 if there is one."""
    found = [
        fault
        for book in books()
        if (files := sorted((book / "locale").glob("*.po")))
        for wanted in [template(texts(book))]
        for path in files
        for fault in faults(path, wanted)
    ]
    print("\n".join(found) or "message catalogues: whole")
    return int(bool(found))


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["update", *begun]:
            update(begun)
        case ["count"]:
            for book in books():
                print(book.name, len(template(texts(book))))
        case _:
            sys.exit(check())
