"""Procedures shared by two rulebooks are in the kit once, and no module needs itself to be imported."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from edits import edited

SOURCES = Path(__file__).parents[2] / "src"
RULESETS = SOURCES / "opfire" / "rulesets"
LONGEST = 5
"""Lines of code, its own first line included, that a function of two rulesets may share."""


# --- the same function in two rulesets ------------------------------------------------------------------------


class _Nameless(ast.NodeTransformer):
    """Numbers every name by its first use, and drops what only readers and type checkers see."""

    def __init__(self) -> None:
        self.numbers: dict[str, str] = {}

    def visit(self, node: ast.AST) -> ast.AST:
        """Rename the parts of a node, then the node."""
        self.generic_visit(node)
        for field in ("name", "id", "attr", "arg"):
            if isinstance(name := getattr(node, field, None), str):
                setattr(node, field, self.numbers.setdefault(name, f"n{len(self.numbers)}"))
        if isinstance(node, ast.arg):
            node.annotation = None
        if isinstance(node, ast.AnnAssign):
            node.annotation = ast.Name("type")
        if isinstance(node, ast.FunctionDef):
            node.returns = None
            node.decorator_list = []
            if ast.get_docstring(node) is not None:
                node.body = node.body[1:] or [ast.Pass()]
        return node


def shape(function: ast.FunctionDef) -> str:
    """The code of a function without names, annotations, decorators and docstring."""
    return ast.unparse(_Nameless().visit(function))


def functions(text: str) -> Iterator[tuple[str, str]]:
    """The name and shape of each function that is longer than rulesets may share."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            name = node.name
            found = shape(ast.parse(ast.unparse(node)).body[0])  # type: ignore[arg-type]
            if len(found.splitlines()) > LONGEST:
                yield name, found


def shared(rulesets: dict[str, list[tuple[str, str]]]) -> list[list[str]]:
    """The functions that have one shape in several rulesets, each group by `ruleset: function`."""
    places: dict[str, dict[str, str]] = defaultdict(dict)
    for ruleset, found in rulesets.items():
        for name, code in found:
            places[code].setdefault(ruleset, f"{ruleset}: {name}")
    return [list(group.values()) for group in places.values() if len(group) > 1]


def test_no_function_of_more_than_five_lines_is_the_same_in_two_rulesets() -> None:
    rulesets: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for path in sorted(RULESETS.rglob("*.py")):
        where = path.relative_to(RULESETS)
        found = functions(path.read_text(encoding="utf-8"))
        rulesets[where.parts[0]] += [(f"{where}: {name}", code) for name, code in found]
    assert len(rulesets) > 1
    assert shared(rulesets) == []


ONE = '''
def losses(units: list[Unit], side: str) -> int:
    """How many are gone."""
    count = 0
    for unit in units:
        if unit.side == side:
            count += unit.gone
    return count
'''
OTHER = edited(edited(edited(edited(ONE, "losses", "fallen"), "unit", "piece"), "gone", "lost"), "How many", "Those")


def test_names_and_words_do_not_make_a_function_another_one() -> None:
    def pair(text: str) -> dict[str, list[tuple[str, str]]]:
        return {"one": list(functions(ONE)), "other": list(functions(text))}

    assert shared(pair(OTHER)) == [["one: losses", "other: fallen"]]
    assert shared(pair(edited(OTHER, "+=", "-="))) == []
    assert shared(pair(edited(OTHER, "piece.side == side", "side == side"))) == []
    short = "def side(unit):\n    first = unit.side\n    second = first.name\n    third = second.id\n    return third\n"
    assert shared({"one": list(functions(short)), "other": list(functions(short))}) == []


# --- imports that lead back -----------------------------------------------------------------------------------


def modules() -> dict[str, Path]:
    """Every module of Opfire by its dotted name."""
    names = {".".join(path.relative_to(SOURCES).with_suffix("").parts): path for path in SOURCES.rglob("*.py")}
    return {name.removesuffix(".__init__"): path for name, path in names.items()}


@cache
def trees() -> dict[str, ast.Module]:
    """The code of every module of Opfire."""
    return {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in modules().items()}


def imports(tree: ast.AST) -> Iterator[str]:
    """The names that a module imports when it is imported, and those in its functions; not those for types alone."""
    for node in ast.iter_child_nodes(tree):
        match node:
            case ast.If(test=ast.Name("TYPE_CHECKING")):
                continue
            case ast.Import():
                yield from (alias.name for alias in node.names)
            case ast.ImportFrom():
                for alias in node.names:
                    yield f"{node.module}.{alias.name}"
            case _:
                yield from imports(node)


def circle(arrows: dict[str, set[str]]) -> list[str]:
    """The modules of which each needs the next and the last the first; none where there is no such circle."""
    done: set[str] = set()

    def follow(name: str, way: list[str]) -> list[str]:
        if name in way:
            return way[way.index(name) :]
        if name in done:
            return []
        for other in sorted(arrows.get(name, ())):
            if found := follow(other, [*way, name]):
                return found
        done.add(name)
        return []

    return next((found for name in sorted(arrows) if (found := follow(name, []))), [])


PARTS = [
    "opfire.core",
    "opfire.space",
    "opfire.kit",
    *(f"opfire.rulesets.{p.parent.name}" for p in RULESETS.glob("*/rules.csv")),
]


@cache
def needs() -> dict[str, set[str]]:
    """The modules of Opfire that each module imports itself."""
    there = trees()
    found = {name: set(imports(tree)) for name, tree in there.items()}
    named = {name: {other if other in there else other.rpartition(".")[0] for other in found[name]} for name in there}
    return {name: others & there.keys() - {name} for name, others in named.items()}


@pytest.mark.parametrize("part", PARTS)
def test_no_import_leads_back(part: str) -> None:
    arrows = {
        name: {other for other in others if other.startswith(part)}
        for name, others in needs().items()
        if name.startswith(part)
    }
    assert len(arrows) > 1
    assert circle(arrows) == []


def names(tree: ast.AST) -> Iterator[str]:
    """The names that a module gives or uses; not those of methods that it calls, such as `bytes.hex`."""
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        if id(node) not in called:
            yield from (
                found for field in ("id", "attr", "arg", "name") if isinstance(found := getattr(node, field, ""), str)
            )


@pytest.mark.parametrize("part", ["core", "server", "ai"])
def test_above_the_rulebooks_nothing_is_called_a_hex(part: str) -> None:
    """Places have a `Space`; only `space`, the rulebooks and what they share know that some are hexes."""
    hexes = re.compile(r"(?:.*_)?(?:hex|hexes)")
    own = {name: set(names(tree)) for name, tree in trees().items() if name.startswith(f"opfire.{part}")}
    assert own
    assert {name: bad for name, given in own.items() if (bad := sorted(filter(hexes.fullmatch, given)))} == {}


HEXES = {"opfire.space.hexes", "opfire.space.hexmap", "opfire.space.layout", "opfire.space.boards"}


@pytest.mark.parametrize("book", ["panzerblitz_miniatures", "micro_armour"])
def test_a_book_on_the_free_table_needs_nothing_of_hexes(book: str) -> None:
    """Neither itself nor by way of the kit."""
    arrows = needs()
    met, waiting = set[str](), [name for name in arrows if name.startswith(f"opfire.rulesets.{book}")]
    assert len(waiting) > 10
    while waiting:
        name = waiting.pop()
        assert name not in HEXES
        if name not in met:
            met.add(name)
            waiting += sorted(arrows[name])
    assert "opfire.kit.shown" in met


def test_a_circle_is_found_whole() -> None:
    assert circle({"a": {"b"}, "b": {"c"}, "c": set()}) == []
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c"]


def test_imports_for_types_alone_do_not_count() -> None:
    text = "from x import y\nif TYPE_CHECKING:\n    from x import z\ndef f():\n    import w\n"
    assert list(imports(ast.parse(text))) == ["x.y", "w"]
