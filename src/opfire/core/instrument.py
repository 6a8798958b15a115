"""Rulesets imported in another form: noting the rules that they reach, with a rule taken out, or with a change.

A ruleset's modules are rewritten as they are imported, so that ordinary play pays nothing.
Noting: a function whose own docstring bears `[9.8.3]` notes the number when it is entered; a refusal, a line, a
calculation or an event notes its rule when it is made. A class's docstring notes nothing: entering some method of a
frame says little about the rule of the frame.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import ModuleType
from typing import Any

import msgspec

from opfire.core.actions import Refusal
from opfire.core.events import Line

CITING = ("Refusal", "Line", "Calculation", "Event")
"""The types whose making is evidence for the rule they carry."""

_NUMBER = re.compile(
    r"\b(?:\d+\.\d+(?:\.\d+|\.[A-Za-z]\d*\b)*(?:-(?:[A-Z]+\d*|[a-z][a-z0-9-]*|\d[a-z0-9]*(?![.\d])))?|G\.[a-z-]+"
    r"|[A-Z]{2,4}-\d+\b|[A-Z]{2}\.\w+(?:\.\w+)*)"
)
_BRACKETS = re.compile(r"\[([^\[\]]*)\]")

Function = ast.FunctionDef | ast.AsyncFunctionDef
Rewrite = Callable[[ast.Module], ast.Module]


def cited(docstring: str | None) -> tuple[str, ...]:
    """The rule numbers that a docstring bears in brackets.

    >>> cited("Combined fire [9.5.2, 9.5.3]; odds as in 9.9, see [9.8-P2].")
    ('9.5.2', '9.5.3', '9.8-P2')
    >>> cited("Firing through friends [10.1.A1, 10.1.a] at what one sees [G.direct].")
    ('10.1.A1', '10.1.a', 'G.direct')
    >>> cited("A part of a rule [4.4.1-b, 4.2-short-halt, 5.2-SD, 8.8.3-2].")
    ('4.4.1-b', '4.2-short-halt', '5.2-SD', '8.8.3-2')
    >>> cited("A part of a step [8.10.1.3-2nat, 6.5.4.4.2-5s10s].")
    ('8.10.1.3-2nat', '6.5.4.4.2-5s10s')
    >>> cited("Odds below one to four [COM-8], a book without numbers.")
    ('COM-8',)
    >>> cited("A column of a data table [WD.R1, SD.6.4.b], read by us [RULINGS.md R4].")
    ('WD.R1', 'SD.6.4.b')
    """
    groups = _BRACKETS.findall(docstring or "")
    return tuple(number for group in groups for number in _NUMBER.findall(group))


# --- what was reached ------------------------------------------------------------------------------

_seen: set[str] | None = None


@contextmanager
def noted() -> Iterator[set[str]]:
    """The rules reached while this is open, by modules imported for noting."""
    global _seen
    before, _seen = _seen, set()
    try:
        yield _seen
    finally:
        if before is not None:
            before |= _seen
        _seen = before


def reached(numbers: tuple[str, ...]) -> None:
    """Called by rewritten functions when they are entered."""
    if _seen is not None:
        _seen.update(numbers)


def made(thing: Any) -> Any:
    """Called by rewritten modules with each refusal, line, calculation and event; hands it back."""
    if _seen is not None:
        _seen.add(thing.rule)
    return thing


class _Noting(ast.NodeTransformer):
    """Rewrites a module so that it notes the rules that it reaches."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        numbers = cited(ast.get_docstring(node))
        self.generic_visit(node)
        if numbers:
            call = ast.Call(ast.Name("_opfire_reached", ast.Load()), [_constant(numbers)], [])
            at = 1 if ast.get_docstring(node) is not None else 0
            node.body.insert(at, ast.copy_location(ast.Expr(call), node.body[0]))
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if _called(node) in CITING:
            return ast.copy_location(ast.Call(ast.Name("_opfire_made", ast.Load()), [node], []), node)
        return node


def noting(tree: ast.Module) -> ast.Module:
    """The module, rewritten to note the rules that it reaches."""
    return _finished(_Noting().visit(tree), "reached", "made")


# --- a rule taken out ------------------------------------------------------------------------------


class _Removing(ast.NodeTransformer):
    """Rewrites a module as if one rule did not exist."""

    def __init__(self, rule: str) -> None:
        self.rule = rule

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        """Let a frame without its rule end as soon as it begins."""
        self.generic_visit(node)
        frame = any("Frame" in ast.unparse(base) or "Exchange" in ast.unparse(base) for base in node.bases)
        if frame and self.rule in _borne(node):
            own = [part for part in node.body if not (isinstance(part, ast.FunctionDef) and part.name == "begin")]
            node.body = [*own, *ast.parse("def begin(self, game): game.pop()").body]
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        if self.rule in cited(ast.get_docstring(node)):
            node.body = [ast.copy_location(part, node.body[0]) for part in _neutral(node)]
            return node
        return self.generic_visit(node)

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt]:
        """Drop a branch that rests on the rule alone (a refusal, a line, an event)."""
        simple = (part for part in node.body if isinstance(part, ast.Expr | ast.Return | ast.Assign | ast.AugAssign))
        calls = (call for part in simple for call in ast.walk(part) if isinstance(call, ast.Call))
        if not any(_called(call) in CITING and _cites(call, self.rule) for call in calls):
            return self.generic_visit(node)
        rest: list[ast.stmt] = []
        for part in node.orelse:
            seen = self.visit(part)
            rest += seen if isinstance(seen, list) else [seen]
        return rest or ast.copy_location(ast.Pass(), node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        name, cites = _called(node), _cites(node, self.rule)
        if name == "Refusal" and cites:
            return ast.copy_location(ast.Constant(None), node)
        if name == "tell" and any(isinstance(part, ast.Call) and _cites(part, self.rule) for part in node.args):
            return ast.copy_location(ast.Constant(None), node)
        if name in ("Line", "Refusal"):  # its rule may come from a table
            call = ast.Call(ast.Name("_opfire_weakened", ast.Load()), [node, _constant(self.rule)], [])
            return ast.copy_location(call, node)
        return node


def removing(rule: str) -> Rewrite:
    """A rewriting that takes one rule out: its refusals, its lines' amounts, the effects of its functions."""

    def rewrite(tree: ast.Module) -> ast.Module:
        return _finished(_Removing(rule).visit(tree), "weakened")

    return rewrite


def weakened(made: Line | Refusal, rule: str) -> Line | Refusal | None:
    """The neutral form of a line or a refusal whose rule has been taken out: it adds, and refuses, nothing."""
    if made.rule != rule:
        return made
    return msgspec.structs.replace(made, amount=0, value="") if isinstance(made, Line) else None


def _neutral(node: Function) -> list[ast.stmt]:
    """A body that does nothing and returns a neutral value."""
    if any(isinstance(part, ast.Yield | ast.YieldFrom) for part in ast.walk(node)):
        return ast.parse("if False:\n    yield\n").body
    return [ast.Return(ast.parse(_nothing(node), mode="eval").body)]


_NOTHING = {
    "bool": "False",
    "int": "0",
    "float": "0.0",
    "str": "''",
    "Fraction": "0",
    "tuple": "()",
    "Iterable": "()",
    "Iterator": "iter(())",
    "Sequence": "()",
    "list": "[]",
    "dict": "{}",
    "Mapping": "{}",
    "set": "set()",
    "frozenset": "frozenset()",
}


def _nothing(node: Function) -> str:
    """The neutral value of a function: its own argument of the returned type, or an empty value."""
    returns = ast.unparse(node.returns) if node.returns is not None else "None"
    if "None" in returns:
        return "None"
    for argument in node.args.args:
        if argument.annotation is not None and ast.unparse(argument.annotation) == returns:
            return argument.arg
    return _NOTHING.get(returns.partition("[")[0], "None")


# --- one change in a function --------------------------------------------------------------------------

_FLIPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.And: ast.Or,
    ast.Or: ast.And,
}


class Citing(msgspec.Struct, frozen=True):
    """A function whose docstring cites rules: its name within the module, its line, and the possible changes."""

    name: str
    line: int
    rules: tuple[str, ...]
    changes: tuple[str, ...]


def citing_functions(tree: ast.Module) -> Iterator[Citing]:
    """The functions of a module whose docstrings cite rules, each with every comparison and number in its body."""
    for name, node in _functions(tree, ""):
        if rules := cited(ast.get_docstring(node)):
            yield Citing(name, node.lineno, rules, tuple(_in_words(part) for part in _changeable(node)))


def changing(name: str, index: int) -> Rewrite:
    """A rewriting that changes one comparison or number of a function: the one of that index in its `changes`."""

    def rewrite(tree: ast.Module) -> ast.Module:
        for found, node in _functions(tree, ""):
            if found == name:
                _change(_changeable(node)[index])
        return tree

    return rewrite


def _functions(node: ast.AST, outer: str) -> Iterator[tuple[str, Function]]:
    for part in ast.iter_child_nodes(node):
        if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef):
            yield outer + part.name, part
        if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield from _functions(part, f"{outer}{part.name}.")


def _changeable(node: Function) -> list[ast.AST]:
    """The comparisons, conjunctions and numbers in a function's body, in the order of the text."""
    body = node.body[1:] if ast.get_docstring(node) is not None else node.body
    told = [part for statement in body for part in ast.walk(statement) if isinstance(part, ast.Assert)]
    asserted = {id(part) for one in told for part in ast.walk(one)}  # these speak to the type checker alone
    parts = [part for statement in body for part in ast.walk(statement) if id(part) not in asserted]
    found = [part for part in parts if isinstance(part, ast.Compare | ast.BoolOp) or _is_number(part)]
    return sorted(found, key=lambda part: (part.lineno, part.col_offset))  # type: ignore[attr-defined]


def _is_number(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, bool | int)


def _in_words(node: ast.AST) -> str:
    """A change as a report tells it."""
    before = ast.unparse(node)
    changed = ast.parse(before, mode="eval").body
    _change(changed)
    return f"{before} becomes {ast.unparse(changed)}"


def _change(node: ast.AST) -> None:
    """Turn the first comparison round, `and` into `or`, a truth value over; count one up."""
    match node:
        case ast.Compare():
            node.ops[0] = _FLIPPED[type(node.ops[0])]()  # type: ignore[call-overload]
        case ast.BoolOp():
            node.op = _FLIPPED[type(node.op)]()  # type: ignore[assignment]
        case ast.Constant(value=bool()):
            node.value = not node.value
        case ast.Constant(value=int(number)):
            node.value = number + 1


# --- importing in another form ---------------------------------------------------------------------


class _Loader(SourceFileLoader):
    def __init__(self, name: str, path: str, rewrite: Rewrite) -> None:
        super().__init__(name, path)
        self.rewrite = rewrite

    def path_stats(self, path: Any) -> Any:
        raise OSError("a rewritten module is neither read from the cache nor written to it")

    def source_to_code(self, data: Any, path: Any, *, _optimize: int = -1) -> Any:  # type: ignore[override]
        return compile(self.rewrite(ast.parse(data)), path, "exec", dont_inherit=True, optimize=_optimize)


class _Finder(MetaPathFinder):
    def __init__(self, packages: tuple[str, ...], rewrite: Rewrite) -> None:
        self.packages, self.rewrite = packages, rewrite

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not any(fullname == package or fullname.startswith(package + ".") for package in self.packages):
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is None or not isinstance(spec.loader, SourceFileLoader):
            return None
        spec.loader = _Loader(spec.loader.name, spec.loader.path, self.rewrite)
        return spec


def install(rewrite: Rewrite, *packages: str) -> list[str]:
    """Import these packages (by default all rulesets) rewritten from now on.

    Returns the modules that were imported before, and so stay as they are.
    """
    names = packages or ("opfire.rulesets",)
    sys.meta_path.insert(0, _Finder(names, rewrite))
    return sorted(module for module in sys.modules if module.startswith(tuple(f"{name}." for name in names)))


def _borne(node: ast.ClassDef) -> tuple[str, ...]:
    """The numbers that a class bears: in its docstring, and as a frame's `rule`."""
    own = [
        part.value.value
        for part in node.body
        if isinstance(part, ast.Assign | ast.AnnAssign)
        and isinstance(part.value, ast.Constant)
        and isinstance(part.value.value, str)
        and "rule"
        in {ast.unparse(target) for target in (part.targets if isinstance(part, ast.Assign) else [part.target])}
    ]
    return (*cited(ast.get_docstring(node)), *own)


def _called(node: ast.Call) -> str:
    match node.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def _cites(node: ast.Call, rule: str) -> bool:
    parts = (*node.args, *(keyword.value for keyword in node.keywords))
    return any(isinstance(part, ast.Constant) and part.value == rule for part in parts)


def _constant(value: Any) -> ast.expr:
    return ast.parse(repr(value), mode="eval").body


def _finished(tree: ast.Module, *names: str) -> ast.Module:
    """The module with the names that its rewriting calls, imported after docstring and `__future__`."""
    at = next(
        (
            index
            for index, part in enumerate(tree.body)
            if not (
                (isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant))
                or (isinstance(part, ast.ImportFrom) and part.module == "__future__")
            )
        ),
        len(tree.body),
    )
    aliases = [ast.alias(name, f"_opfire_{name}") for name in names]
    tree.body.insert(at, ast.ImportFrom("opfire.core.instrument", aliases, 0))
    return ast.fix_missing_locations(tree)
